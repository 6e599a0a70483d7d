"""How far an unfinished run came: its checkpoint as the record of a reduced run."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from gpu_benchmarks import checkpoint, records, sweep
from gpu_benchmarks.checkpoint import Checkpoint, path_of
from gpu_benchmarks.config import Config
from gpu_benchmarks.engine import Measured
from gpu_benchmarks.unfinished import unfinished
from tests_support import record_of


@pytest.mark.parametrize(("last", "status"), [(1.0, "complete"), (float("nan"), "diverged")])
def test_how_far_an_unfinished_run_came_is_a_record_of_so_many_rounds(last, status, tmp_path):
    config = Config(data="synthetic", images=128, clients=4, batch=16, blocks=1, width=4, rounds=5)
    folder = sweep.Folder(tmp_path)
    rounds = (Measured(2.0, None, None), Measured(last, 1.5, 20.0))
    who = (
        {"rounds": 1, "wall_seconds": 2.0, "commit": "a"},
        {"rounds": 1, "wall_seconds": 3.0, "commit": "b"},
    )
    checkpoint.write(
        Checkpoint(config.trajectory, rounds, {"x": torch.zeros(3)}, 5.0, who),
        path_of(config, folder.checkpoints),
    )
    (found,) = unfinished(folder, [config, replace(config, seed=0)])
    assert found.config == replace(config, stop_after=2)
    assert (found.status, found.rounds) == (status, 2)
    assert found.metrics["test_accuracy"] == [None, 20.0]
    assert found.provenance == {"commit": "b", "wall_seconds": 5.0, "sittings": list(who)}
    records.write(record_of([20.0] * 5, config), folder.records)
    assert unfinished(folder, [config]) == []


def test_a_run_that_was_not_tested_yet_has_no_record(tmp_path):
    config = Config(data="synthetic", images=128, clients=4, batch=16, blocks=1, width=4, rounds=5)
    folder = sweep.Folder(tmp_path)
    who = ({"rounds": 1, "wall_seconds": 2.0},)
    untested = Checkpoint(config.trajectory, (Measured(2.0, None, None),), {"x": torch.zeros(3)}, 2.0, who)
    checkpoint.write(untested, path_of(config, folder.checkpoints))
    assert unfinished(folder, [config]) == []
