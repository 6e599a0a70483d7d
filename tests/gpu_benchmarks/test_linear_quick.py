"""The quick re-run and the whole command on the real Fashion-MNIST, with few rounds. Skipped where it is absent."""

from __future__ import annotations

import argparse
import json

import pytest

from gpu_benchmarks.data import load
from gpu_benchmarks.data.sources import MissingData
from gpu_benchmarks.linear import cli, quick, results
from gpu_benchmarks.linear.federation import Lane
from gpu_benchmarks.linear.plan import FEDAVG_SERVERS, Plan

pytestmark = [pytest.mark.data, pytest.mark.slow]


@pytest.fixture(scope="module")
def images():
    try:
        return load("fashion-mnist")
    except MissingData as error:
        pytest.skip(f"fashion-mnist: {error}")


def chosen(plan: Plan) -> dict:
    """A summary in which every row has a cell, without records behind it."""
    data = results.summary([], plan)
    for row in data["rows"]:
        lane = Lane(row["method"], 1.0 if row["method"] == "fedavg" else 31.25, 0.02, row["noise"])
        row["cell"] = {"c": lane.c, "eta0": lane.eta0, "mean": 0.0, "values": [0.0], "interval": None}
    return data


def test_quick_runs_each_chosen_cell_on_fresh_seeds(images):
    plan = Plan(rounds=6)
    data = quick.rerun(chosen(plan), plan, images, seeds=(100,), quiet=True)
    assert [row["fresh"]["seeds"] for row in data["rows"]] == [[100]] * 10
    by_row = {(row["method"], row["noise"], row["form"]): row["fresh"]["mean"] for row in data["rows"]}
    less, more = plan.levels[0], plan.levels[-1]
    # six rounds on real pictures: far above the 10% of chance without noise, and worse with six times the noise
    assert by_row["fedavg", 0.0, FEDAVG_SERVERS[0]] > 40
    assert by_row["norm", less, "variance"] > by_row["norm", more, "variance"]


def test_run_records_and_goes_on_where_it_was(images, tmp_path, capsys):
    """Three steps of the grid, five rounds, one seed; the second call runs nothing."""
    parser = argparse.ArgumentParser()
    cli.add_arguments(parser)
    arguments = ["run", "--rounds", "5", "--seeds", "0", "--records", str(tmp_path), "--json", "-"]
    plan = Plan(rounds=5, seeds=(0,))
    original = Plan.__dataclass_fields__["step_grid"].default
    assert len(original) == 12
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "Plan", lambda: Plan(clip_grid=(31.25,), step_grid=(1e-2, 1e-1)))
        assert cli.run(parser.parse_args(arguments)) == 0
        first = json.loads(capsys.readouterr().out)
        files = sorted(tmp_path.glob("*.json"))
        assert len(files) == len(plan.levels) + len(FEDAVG_SERVERS)
        stamps = [path.stat().st_mtime_ns for path in files]
        assert cli.run(parser.parse_args(arguments)) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert [path.stat().st_mtime_ns for path in files] == stamps
    assert {row["cell"]["tried"] for row in first["rows"]} == {2}
