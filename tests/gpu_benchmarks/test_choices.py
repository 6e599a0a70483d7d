"""The choices of readings that numbers were run under: the one that is used first, and how each fared."""

from __future__ import annotations

import json

import pytest

from gpu_benchmarks import cli, reported
from gpu_benchmarks.beside_ours import rows
from gpu_benchmarks.choices import choices
from gpu_benchmarks.comparison import compare
from gpu_benchmarks.config import Config, with_readings
from report.sections.protocol import choices as section
from tests_support import record_of

pytestmark = (
    pytest.mark.unchecked
)  # the table computes each private run's ε, with hundreds of thousands of calls

ALL = reported.load()
ANCHOR, LARGE = Config(beta=0.1, gamma=0.1), Config(beta=10.0, gamma=0.01)  # printed 86.09 and 79.25


def run(config: Config, accuracy: float):
    return record_of([accuracy] * config.rounds, config, rounds=config.rounds)


def test_the_one_that_reproduces_more_is_used_and_comes_first():
    crop = [with_readings(config, augmentation="crop") for config in (ANCHOR, LARGE)]
    runs = [run(ANCHOR, 80.09), run(LARGE, 79.25), run(crop[0], 86.0), run(crop[1], 80.0)]
    used, other = choices(compare(ALL, runs))
    assert (used.readings, used.used, used.reproduced, used.not_reproduced) == (
        "augmentation: crop",
        True,
        2,
        0,
    )
    assert (other.readings, other.used, other.reproduced, other.not_reproduced) == (
        "default readings",
        False,
        1,
        1,
    )
    assert (used.compared, other.compared) == (2, 2)
    assert used.off == pytest.approx((86.0 - 86.09 + 80.0 - 79.25) / 2)
    assert other.off == pytest.approx(-3.0)


def test_a_bound_and_a_difference_are_no_distance():
    peak = Config(beta=0.01, gamma=0.1, private=True)
    (choice,) = choices(compare(ALL, [run(peak, 85.0)]))
    assert (choice.numbers, choice.not_reproduced, choice.compared, choice.off) == (2, 1, 0, None)


def test_every_number_with_a_mean_is_under_a_choice_that_is_used():
    found, _ = rows([], ALL)
    used = [choice for choice in choices(found) if choice.used]
    assert len({(choice.paper, choice.setting) for choice in used}) == len(used)
    beside = [row for row in found if row.ours is not None and row.number.setting != "linear"]
    assert sum(choice.numbers for choice in used) == len(beside)
    for verdict, counted in (("reproduced", "reproduced"), ("not reproduced", "not_reproduced")):
        here = sum(row.verdict == verdict for row in beside)
        assert sum(getattr(choice, counted) for choice in used) == here


def test_the_table_and_the_report_show_them(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    target = tmp_path / "table.json"
    assert cli.main(["table", "--no-reduced", "--json", str(target)]) == 0
    assert "choices of readings that numbers were run for" in capsys.readouterr().out
    found = json.loads(target.read_text(encoding="utf-8"))["choices"]
    assert [choice["used"] for choice in found].count(True) == 3
    source = section(found).source
    assert source.count("augmentation: crop") >= 2
    assert section([]).source == ""
