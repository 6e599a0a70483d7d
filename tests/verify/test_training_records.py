"""NEC-EXP-ROUND@step reads committed records: which ones count, and when they refute."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpu_benchmarks.config import Config, to_dict, with_readings
from verify.alpha_normec.experiments import training

STEP = with_readings(Config(beta=0.1, gamma=0.1), round="step")


def write(folder: Path, accuracies: dict[int, float], config: Config = STEP) -> Path:
    for seed, accuracy in accuracies.items():
        record = {"config": to_dict(config) | {"seed": seed}, "metrics": {"test_accuracy": [None, accuracy]}}
        (folder / f"{seed}.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def spread(centre: float, width: float) -> dict[int, float]:
    seeds = (*training.FIRST, *training.LONGER)
    return {seed: centre + width * (-1) ** place for place, seed in enumerate(seeds)}


def test_runs_far_below_the_printed_accuracy_refute(tmp_path):
    found = training.step_sampling(write(tmp_path, spread(48.0, 0.5)))
    assert found.refutes
    assert [sample.n for sample in found.samples] == [6, 7]
    assert [sample.seeds for sample in found.samples] == [training.FIRST, training.LONGER]
    assert "printed 86.09" in found.problem
    # the largest of thirteen: 100 − 1e-6^(1/13) (100 − 48.5)
    assert found.any_law == pytest.approx(82.2, abs=0.05)


@pytest.mark.parametrize(
    ("centre", "width", "why"),
    [
        (86.0, 0.5, "the printed accuracy is reached"),
        (48.0, 6.0, "the seeds scatter too much to say it at 1e-6"),
    ],
)
def test_what_does_not_refute(tmp_path, centre, width, why):
    assert not training.step_sampling(write(tmp_path, spread(centre, width))).refutes, why


def test_a_missing_seed_decides_nothing(tmp_path):
    accuracies = spread(48.0, 0.5)
    del accuracies[8]
    found = training.step_sampling(write(tmp_path, accuracies))
    assert not found.refutes
    assert "no full run with seed 8" in found.problem


@pytest.mark.parametrize(
    "change",
    [
        with_readings(STEP, round="pass"),
        with_readings(STEP, augmentation="crop-and-flip"),
        Config(beta=0.01, gamma=0.1, readings=STEP.readings),
        Config(beta=0.1, gamma=0.1, stop_after=1, readings=STEP.readings),
    ],
    ids=["one pass a round", "augmented", "another cell", "reduced"],
)
def test_other_runs_do_not_count(tmp_path, change):
    assert training.final_accuracies(write(tmp_path, {0: 48.0}, change)) == {}


def test_the_cell_is_the_one_of_the_table_of_printed_numbers():
    from gpu_benchmarks.reported import load

    number = next(n for n in load().numbers if n.id == "NEC-F8-NORMEC-0.1")
    assert number.low == number.high == training.PRINTED
    assert all(training.CELL[name] == value for name, value in number.config.items())
