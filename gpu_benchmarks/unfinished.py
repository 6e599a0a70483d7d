"""Unfinished runs as far as they came: a machine that is given back may keep their checkpoints, which are large, but not
what was measured.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gpu_benchmarks import checkpoint
from gpu_benchmarks.checkpoint import Checkpoint, path_of
from gpu_benchmarks.config import Config
from gpu_benchmarks.records import Record, metrics_of
from gpu_benchmarks.sittings import provenance_of
from gpu_benchmarks.sweep import Folder


def unfinished(folder: Folder, configs: Iterable[Config]) -> list[Record]:
    """Records of the runs that have a checkpoint and no record, as reduced runs of the rounds that they did; none of a run that
    was not tested yet.
    """
    return [
        record_of(config, found)
        for config in configs
        if not folder.done(config)
        and (found := checkpoint.read(config, path_of(config, folder.checkpoints))) is not None
        and any(measured.test_accuracy is not None for measured in found.rounds)
    ]


def record_of(config: Config, reached: Checkpoint) -> Record:
    """The record of a run that was to stop where the checkpoint stands."""
    cut = replace(config, stop_after=len(reached.rounds))
    where = provenance_of(reached.sittings, reached.seconds)
    status = "diverged" if reached.rounds[-1].diverged else "complete"
    return Record(cut, status, metrics_of(reached.rounds), where)
