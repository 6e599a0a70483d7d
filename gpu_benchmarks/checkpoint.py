"""Checkpoints of a run: its state, and what was measured so far."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from gpu_benchmarks import checkpoint_file, sittings
from gpu_benchmarks.config import Config
from gpu_benchmarks.engine import Measured
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.sittings import Sitting

SCHEMA = "2"
CURE = "delete it to start the run anew"


@dataclass(frozen=True)
class Checkpoint:
    """A run after `len(rounds)` printed rounds. Randomness is keyed by time, so no generator state is
    needed. run: its `Config.trajectory`. sittings: who did the rounds; see `gpu_benchmarks.sittings`.
    """

    run: str
    rounds: tuple[Measured, ...]
    tensors: dict[str, Tensor]
    seconds: float  # spent until here
    sittings: tuple[Sitting, ...] = ()


def path_of(config: Config, folder: Path) -> Path:
    return folder / f"{config.trajectory}.safetensors"


def write(checkpoint: Checkpoint, path: Path) -> None:
    body = {
        "run": checkpoint.run,
        "seconds": checkpoint.seconds,
        "rounds": [asdict(r) for r in checkpoint.rounds],
        "sittings": [dict(s) for s in checkpoint.sittings],
    }
    checkpoint_file.write(
        path, SCHEMA, {name: tensor.numpy() for name, tensor in checkpoint.tensors.items()}, body
    )


def read(config: Config, path: Path) -> Checkpoint | None:
    """The checkpoint of the config, None where there is none. Raises `InputError` for a damaged or foreign
    file.
    """
    found = _there(path)
    if found is not None and found.run != config.trajectory:
        raise InputError(f"{path}: belongs to run {found.run}, not to {config.trajectory}; {CURE}")
    return found


def check_all(folder: Path) -> None:
    """Raise `InputError` for a checkpoint in the folder that is damaged, or of another run than its name says."""
    for path in sorted(folder.glob("*.safetensors")):
        found = _there(path)
        if found is not None and found.run != path.stem:
            raise InputError(f"{path}: belongs to run {found.run}, not to {path.stem}; {CURE}")


def _there(path: Path) -> Checkpoint | None:
    """None where there is none, or none any more: another process may end the run at any time."""
    try:
        return read_file(path)
    except InputError:
        if path.exists() or path.is_symlink():
            raise
        return None


def read_file(path: Path) -> Checkpoint:
    """A checkpoint of whatever run. Raises `InputError` for a damaged file."""
    return checkpoint_file.read(path, SCHEMA, CURE, _built)


def _built(arrays: checkpoint_file.Arrays, body: Any) -> Checkpoint:
    rounds = tuple(Measured(**item) for item in body["rounds"])
    for measured in rounds:
        _check(measured)
    seconds = float(body["seconds"])
    if not 0 <= seconds < math.inf:
        raise ValueError(f"seconds = {seconds}")
    unnoted = [{"rounds": len(rounds), "wall_seconds": seconds}] if rounds else []
    who = sittings.check(body.get("sittings") or unnoted, len(rounds))
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    return Checkpoint(body["run"], rounds, tensors, seconds, who)


def _check(measured: Measured) -> None:
    """Raise `ValueError` unless all are numbers that a record may hold (or NaN), or None where no test was made."""
    tested = [n for n in (measured.test_loss, measured.test_accuracy) if n is not None]
    if not all(isinstance(n, float) for n in (measured.train_loss, *tested)) or len(tested) == 1:
        raise ValueError(f"a round with {measured}")
    if any(n < 0 for n in (measured.train_loss, *tested[:1])):  # no cross-entropy is; NaN is not either
        raise ValueError(f"a loss below 0 in a round with {measured}")
    if not all(0 <= n <= 100 for n in tested[1:]):
        raise ValueError(f"test_accuracy = {measured.test_accuracy} is not in [0, 100]")
