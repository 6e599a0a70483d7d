"""Checkpoints of a batch of linear runs: its state, and what was measured so far."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_benchmarks import checkpoint_file
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.linear.federation import State

SCHEMA = "1"


@dataclass
class Progress:
    """What a run has beside its state. accuracies: one array over the lanes for each round that was measured."""

    accuracies: list[NDArray[np.float64]] = field(default_factory=list)
    seconds: float = 0.0
    processor_seconds: float = 0.0


def path_of(batch: str, folder: Path) -> Path:
    return folder / f"{batch}.checkpoint.safetensors"


def write(path: Path, batch: str, state: State, progress: Progress) -> None:
    body = {
        "batch": batch,
        "round": state.round,
        "seconds": progress.seconds,
        "processor_seconds": progress.processor_seconds,
    }
    arrays = {
        "weights": state.weights,
        "momentum": state.momentum,
        "accuracies": np.array(progress.accuracies, np.float64),
    }
    checkpoint_file.write(path, SCHEMA, arrays, body)


def read(path: Path, batch: str, fresh: State, measured: Sequence[int]) -> tuple[State, Progress]:
    """What to go on from. fresh: the state at the start of the batch, which fixes shapes and types. measured: the rounds after
    which it is tested. Raises `InputError` for a damaged or foreign file.
    """
    cure = "delete it to start this batch anew"
    of, state, progress = checkpoint_file.read(path, SCHEMA, cure, _built)
    if of != batch or not _fits(state, progress, fresh, measured):
        raise InputError(f"{path}: checkpoint of another batch; {cure}")
    return state, progress


def _built(arrays: checkpoint_file.Arrays, body: Any) -> tuple[str, State, Progress]:
    state = State(arrays["weights"], arrays["momentum"], body["round"])
    seconds = float(body["seconds"]), float(body["processor_seconds"])
    if not all(0 <= s < math.inf for s in seconds):
        raise ValueError("seconds = {}, {}".format(*seconds))
    return body["batch"], state, Progress(list(arrays["accuracies"]), *seconds)


def _fits(state: State, progress: Progress, fresh: State, measured: Sequence[int]) -> bool:
    held, wanted = (
        [(array.shape, array.dtype) for array in (some.weights, some.momentum)] for some in (state, fresh)
    )
    if held != wanted or not isinstance(state.round, int) or not 0 < state.round <= measured[-1]:
        return False
    so_far = sum(k <= state.round for k in measured)
    return [a.shape for a in progress.accuracies] == [fresh.weights.shape[2:]] * so_far
