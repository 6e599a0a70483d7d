"""Records made up for tests of what reads records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gpu_benchmarks.config import Config
from gpu_benchmarks.records import Record


def record_of(accuracies: Sequence[float | None], config: Config | None = None, **change) -> Record:
    """A complete record with these accuracies after the rounds; `change` goes on top of the config."""
    config = replace(config or Config(), **{"rounds": len(accuracies)} | change)
    ones = [1.0] * len(accuracies)
    return Record(config, "complete", {"train_loss": ones, "test_loss": ones, "test_accuracy": accuracies})
