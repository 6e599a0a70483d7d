"""How a printed number is counted: for what it tests, and alike in the table and in the report."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from gpu_benchmarks import cli, reported
from gpu_benchmarks.beside_ours import rows
from gpu_benchmarks.commands.table import render
from gpu_benchmarks.linear import comparison as linear
from gpu_benchmarks.reported import FITTED, load
from gpu_benchmarks.rows import ELSEWHERE, Ours, Row
from report.sections.experiments import tally

pytestmark = (
    pytest.mark.unchecked
)  # the table computes each private run's ε, with hundreds of thousands of calls

NUMBER = load().numbers[0]


def ours(verdict: str) -> Ours:
    return Ours((), 50.0, 0.0, (0,), 1, 1, "", verdict)


def row(verdict: str, *others: str, fitted: str = "") -> Row:
    found = None if verdict == "not run" else ours(verdict)
    return Row(replace(NUMBER, fitted=fitted), found, tuple(map(ours, others)))


@pytest.mark.parametrize(
    ("found", "counted"),
    [
        (row("reproduced"), "reproduced"),
        (row("reproduced", fitted="q"), FITTED),
        (row("not reproduced", fitted="q"), "not reproduced"),
        (row("not run"), "not run"),
        (row("not run", fitted="q"), "not run"),
        (row("not run", "not run"), "not run"),
        (row("not run", "not reproduced", "not run"), ELSEWHERE),
        (row("not run", "not reproduced", "reproduced"), "not run"),
        (row("reproduced", "not reproduced"), "reproduced"),
    ],
)
def test_a_number_is_counted_for_what_it_tests(found, counted):
    assert found.standing == counted
    assert f"1 {counted}" in tally([found.to_dict()])


def test_one_run_has_no_deviation_and_no_interval():
    one, two = (
        replace(ours("reproduced"), std=std, seeds=seeds) for std, seeds in ((0.0, (0,)), (0.5, (0, 1)))
    )
    dicts = [Row(NUMBER, found, ()).to_dict()["ours"] for found in (one, two)]
    assert (dicts[0]["std"], dicts[0]["interval"]) == (None, None)
    assert dicts[1]["std"] == 0.5
    assert dicts[1]["interval"] is not None


def test_the_fitted_numbers_are_the_two_that_a_constant_was_chosen_by():
    fitted = {number.id: number.fitted for number in load().numbers if number.fitted}
    assert fitted == {
        "DAS-T2A-NORM-5": "the constant q of the noise",
        "DAS-T2A-FEDAVG": "the number of rounds K",
    }
    summary = linear.recorded("fashion-mnist")
    assert summary is not None
    assert {row["id"]: row["fitted"] for row in summary["rows"] if row["fitted"]} == fitted


def test_the_table_tells_and_counts_as_the_report_does(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    found, _ = rows([], reported.load())
    counts = Counter(row.standing for row in found)
    assert sum(counts.values()) == len(found) == 71
    assert cli.main(["table", "--brief"]) == 0
    told = capsys.readouterr().out
    said = told.splitlines()[-1].partition(": ")[2].split(", ")
    assert sorted(said) == sorted(f"{count} {standing}" for standing, count in counts.items())
    for standing, count in counts.items():
        assert f"{count} {standing}" in tally([row.to_dict() for row in found])
    (shown,) = [cells for cells in render(found).rows if cells[0] == "DAS-T2A-NORM-5"]
    assert FITTED in shown
    assert "reproduced" not in shown
