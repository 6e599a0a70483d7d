"""What one open point changes: which runs are paired, and what is made of a pair."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from scipy import stats

from gpu_benchmarks.ablations import changes
from gpu_benchmarks.cli import main
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.records import write
from tests_support import record_of

pytestmark = (
    pytest.mark.unchecked
)  # the table computes each private run's ε, with hundreds of thousands of calls

CELL = Config(beta=0.1, gamma=0.1, rounds=3)


def constant(config: Config, accuracy: float):
    return record_of([accuracy] * config.rounds, config)


def test_arithmetic_is_paired_by_seed():
    plain = [constant(replace(CELL, seed=s), 80.0 + s) for s in range(3)]
    short = [
        constant(replace(CELL, seed=s, precision="bf16"), 80.0 + s + d)
        for s, d in enumerate((-0.5, 0.1, 0.1, 9))
    ]
    (found,) = changes([*plain, *short])
    assert (found.point, found.option, found.instead_of) == ("precision", "bf16", "float32")
    assert found.by_seed == ((0, -0.5), (1, pytest.approx(0.1)), (2, pytest.approx(0.1)))
    differences = [d for _, d in found.by_seed]
    assert found.mean == pytest.approx(-0.1)
    expected = stats.t.interval(0.95, 2, loc=found.mean, scale=stats.sem(differences))
    assert found.interval == pytest.approx(expected, abs=2e-3)


def test_one_seed_has_no_interval():
    (found,) = changes([constant(CELL, 80.0), constant(with_readings(CELL, pixels="unit"), 79.0)])
    assert (found.point, found.mean, found.interval) == ("pixels", -1.0, None)


@pytest.mark.parametrize(
    "other",
    [
        replace(CELL, beta=1.0, precision="bf16"),
        replace(with_readings(CELL, pixels="unit"), precision="bf16"),
        with_readings(CELL, round="step"),
        replace(CELL, seed=1, precision="bf16"),
        CELL,
    ],
    ids=["another cell", "two points at once", "what a round is", "another seed", "the same run"],
)
def test_runs_that_differ_in_anything_else_are_no_pair(other):
    assert changes([constant(CELL, 80.0), constant(other, 70.0)]) == []


def test_a_noise_reading_makes_no_difference_without_noise():
    """Two runs of one protocol under two names are one run to the table, and so they are here."""
    assert (
        changes([constant(CELL, 80.0), constant(with_readings(CELL, noise="std per coordinate"), 80.0)]) == []
    )


def test_without_the_default_the_first_option_is_what_others_are_compared_with():
    private = replace(CELL, private=True)
    found = changes(
        [
            constant(with_readings(private, noise="variance of the vector"), 60.0),
            constant(with_readings(private, noise="std per coordinate"), 50.0),
        ]
    )
    assert [(c.option, c.instead_of, c.mean) for c in found] == [
        ("variance of the vector", "std per coordinate", 10.0)
    ]
    assert "ε = 8" in found[0].what
    assert "variance" not in found[0].what


def test_what_others_are_compared_with_is_the_default_where_it_was_run():
    """Also one that is not the first in the list of options."""
    private = replace(CELL, private=True)
    runs = [
        constant(with_readings(private, noise=noise), a)
        for noise, a in (("std per coordinate", 50.0), ("variance per coordinate", 60.0))
    ]
    found = [(c.option, c.instead_of, c.mean) for c in changes(runs)]
    assert found == [("std per coordinate", "variance per coordinate", -10.0)]


def test_runs_of_different_lengths_are_compared_where_both_were_tested():
    long = record_of([10.0, 20.0, 30.0], CELL)
    short = replace(CELL, precision="bf16", stop_after=2)
    shorter = replace(record_of([11.0, 22.0], replace(CELL, precision="bf16")), config=short)
    (found,) = changes([long, shorter])
    assert (found.rounds, found.reduced, found.mean) == (2, True, 2.0)


def test_what_was_never_tested_together_is_no_pair():
    first, second = record_of([10.0, None, 30.0], CELL), replace(CELL, precision="bf16", stop_after=2)
    only = replace(record_of([None, 22.0], replace(CELL, precision="bf16")), config=second)
    assert changes([first, only]) == []


def test_the_table_prints_them_and_its_json_has_them(tmp_path, capsys):
    for record in (constant(CELL, 80.0), constant(replace(CELL, precision="bf16"), 79.5)):
        write(record, tmp_path / "more")
    where = tmp_path / "table.json"
    assert main(["table", "--records", str(tmp_path / "more"), "--json", str(where)]) == 0
    assert "one open point changed" in capsys.readouterr().out
    rows = json.loads(where.read_text())["changes"]
    (mine,) = [row for row in rows if row["rounds"] == 3]
    assert (mine["option"], mine["mean"], mine["interval"]) == ("bf16", -0.5, None)
