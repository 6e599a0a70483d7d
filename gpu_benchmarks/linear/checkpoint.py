"""Checkpoints of a batch of linear runs: one safetensors file with the state, what was measured so far and, in its header, a
JSON text with the rest. Whole or not at all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from gpu_benchmarks.errors import InputError
from gpu_benchmarks.linear.federation import State
from gpu_benchmarks.parsing import parse
from gpu_benchmarks.seal import seal
from methods.output import write_whole

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
    text = json.dumps(
        {
            "batch": batch,
            "round": state.round,
            "seconds": progress.seconds,
            "processor_seconds": progress.processor_seconds,
        }
    )
    arrays = {
        "weights": state.weights,
        "momentum": state.momentum,
        "accuracies": np.array(progress.accuracies, np.float64),
    }
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    write_whole(path, save(arrays, {"schema": SCHEMA, "sha256": seal(arrays, text), "checkpoint": text}))


def read(path: Path, batch: str, fresh: State, measured: Sequence[int]) -> tuple[State, Progress]:
    """What to go on from. fresh: the state at the start of the batch, which fixes shapes and types. measured: the rounds after
    which it is tested. Raises `InputError` for a damaged or foreign file.
    """
    cure = "delete it to start this batch anew"
    try:
        with safe_open(path, framework="np") as file:
            header = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        if header.get("schema") != SCHEMA:
            raise InputError(f"{path}: not a checkpoint of schema {SCHEMA}; {cure}")
        if header["sha256"] != seal(arrays, header["checkpoint"]):
            raise ValueError("not as it was written: another SHA-256")
        body = parse(header["checkpoint"])
        state = State(arrays["weights"], arrays["momentum"], body["round"])
        progress = Progress(
            list(arrays["accuracies"]), float(body["seconds"]), float(body["processor_seconds"])
        )
        if not all(0 <= s < math.inf for s in (progress.seconds, progress.processor_seconds)):
            raise ValueError(f"seconds = {progress.seconds}, {progress.processor_seconds}")
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: damaged checkpoint ({error}); {cure}") from None
    if body.get("batch") != batch or not _fits(state, progress, fresh, measured):
        raise InputError(f"{path}: checkpoint of another batch; {cure}")
    return state, progress


def _fits(state: State, progress: Progress, fresh: State, measured: Sequence[int]) -> bool:
    held, wanted = (
        [(array.shape, array.dtype) for array in (some.weights, some.momentum)] for some in (state, fresh)
    )
    if held != wanted or not isinstance(state.round, int) or not 0 < state.round <= measured[-1]:
        return False
    so_far = sum(k <= state.round for k in measured)
    return [a.shape for a in progress.accuracies] == [fresh.weights.shape[2:]] * so_far
