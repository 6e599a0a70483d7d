"""The readings of the experiments in the report: which accuracy a number is of, and which option fits."""

from __future__ import annotations

import pytest

from gpu_benchmarks.comparison import compare
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.private_runs import noisy
from gpu_benchmarks.readings import ACCURACIES
from gpu_benchmarks.records import Record
from gpu_benchmarks.reported import load
from report.sections import printed_numbers, protocol
from report.typst import Markup, badge

APART = {
    "runs": 25,
    "from_final": {"highest": [0.0, 0.4, 1.3], "mean of the last 5 rounds": [-1.0, -0.25, 0.5]},
}


@pytest.fixture(scope="module")
def rows():
    """Fed-α-NormEC's Figure 1, "approximately 70%", from made-up runs: highest 90, at the end 70, for each γ."""
    records = []
    for gamma in (0.001, 0.01, 0.1):
        config = Config(
            method="fed_alpha_normec",
            clients=20,
            alpha=0.01,
            beta=0.01,
            gamma=gamma,
            private=True,
            epsilon=8.0,
        )
        series = [90.0] * 10 + [70.0] * (config.rounds - 10)
        metrics = {"train_loss": series, "test_loss": series, "test_accuracy": series}
        records.append(Record(config, "complete", metrics))
    return [row.to_dict() | {"setting": row.number.setting} for row in compare(load(), records)]


def cells(source: str, option: str) -> str:
    """The row of a table that begins with `option`."""
    return next(line for line in source.split("\n") if line.strip().startswith(f'[#code("{option}")'))


def test_an_open_accuracy_is_marked_and_each_option_stands_beside_it(rows):
    (best,) = [row for row in rows if row["id"] == "FED-S5-BEST"]
    source = printed_numbers.rows([best]).source
    assert "highest (open)" in source
    assert (
        "accuracy read as highest: 90.00, does not fit; final: 70.00, fits; mean of the last 5 rounds: 70.00, fits"
        in source
    )
    assert badge("not reproduced").source in source, "the accuracy that was named does not fit"


def test_the_ledger_counts_which_option_fits(rows):
    source = protocol.accuracies(ACCURACIES, rows, APART).source
    for number in (row for row in rows if row["metric_open"]):
        assert number["place"].split(",")[0] in source
    assert "fits 0 of 1" in cells(source, "highest")
    assert "fits 1 of 1" in cells(source, "final")
    assert "−1.00 to +0.50, mean −0.25" in source
    assert "25 runs" in source


def test_without_runs_no_option_fits():
    rows = [row.to_dict() | {"setting": row.number.setting} for row in compare(load(), [])]
    source = protocol.accuracies(ACCURACIES, rows, None).source
    assert source.count("no full run") == len(ACCURACIES)
    assert protocol.accuracies(ACCURACIES, [row for row in rows if not row["metric_open"]], None).source == ""


def test_the_noise_of_a_private_run_stands_beside_what_the_printed_privacy_takes():
    config = with_readings(Config(private=True, beta=0.01, stop_after=10), noise="std of the vector")
    metrics = {"train_loss": [1.0] * 10, "test_loss": [1.0] * 10, "test_accuracy": [40.0] * 10}
    (run,) = noisy([Record(config, "complete", metrics, {})])
    text = str(protocol.noise([run.to_dict()]))
    for said in ("10 of 300", "std of the vector", "42\u202f300", "α-NormEC β=0.01 γ=0.1"):
        assert said in text, said
    assert protocol.noise([]) == Markup("")


def test_grids_of_two_places_are_two_heat_maps(monkeypatch):
    drawn = []
    monkeypatch.setattr(printed_numbers, "_drawn", lambda grids, *axes: drawn.append(grids) or b"")
    given = [
        {"paper": "alpha-normec", "place": place, "kind": "value", "low": high, "high": high, "ours": {"mean": high + 1, "so_far": ""},
         "parameters": {"method": "alpha_normec", "beta": beta, "gamma": gamma}}
        for place, least in (("Figure 8", 80), ("Figure 12", 60))
        for high, (beta, gamma) in enumerate([(0.1, 0.1), (0.1, 1.0), (1.0, 0.1), (1.0, 1.0)], least)
    ]  # fmt: skip
    body, figures = printed_numbers.heat_maps(given)
    assert drawn == [
        {"printed": [[80, 81], [82, 83]], "ours": [[81, 82], [83, 84]]},
        {"printed": [[60, 61], [62, 63]], "ours": [[61, 62], [63, 64]]},
    ]
    assert len(figures) == 2
    assert "Figure 8: accuracy" in body.source
    assert "Figure 12: accuracy" in body.source
