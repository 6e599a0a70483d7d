"""Records made up for tests of what reads records, small runs for tests of commands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gpu_benchmarks.config import Config
from gpu_benchmarks.records import Record


def record_of(accuracies: Sequence[float | None], config: Config | None = None, **change) -> Record:
    """A complete record with these accuracies after the rounds; `change` goes on top of the config."""
    config = replace(config or Config(), **{"rounds": len(accuracies)} | change)
    ones = [1.0] * len(accuracies)
    return Record(config, "complete", {"train_loss": ones, "test_loss": ones, "test_accuracy": accuracies})


SMALL = {"data": "synthetic", "blocks": 1, "width": 2, "rounds": 2, "batch": 16, "clients": 2}


def runs(folder: Path, *changes: dict) -> str:
    """A file of small runs, one for each change."""
    path = folder / "runs.json"
    path.write_text(json.dumps(SMALL | {"runs": changes}))
    return str(path)


def errors(capsys) -> list[str]:
    """The lines of a command that printed errors alone."""
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()
