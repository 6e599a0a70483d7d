"""Checkpoints: one safetensors file with the state and, in its header, a JSON text with the rest. Whole or
not at all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from gpu_benchmarks.config import Config
from gpu_benchmarks.engine import Measured
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.parsing import parse
from gpu_benchmarks.seal import seal
from methods.output import write_whole

SCHEMA = "2"


@dataclass(frozen=True)
class Checkpoint:
    """A run after `len(rounds)` printed rounds. Randomness is keyed by time, so no generator state is
    needed. run: its `Config.trajectory`.
    """

    run: str
    rounds: tuple[Measured, ...]
    tensors: dict[str, Tensor]
    seconds: float  # spent until here


def path_of(config: Config, folder: Path) -> Path:
    return folder / f"{config.trajectory}.safetensors"


def write(checkpoint: Checkpoint, path: Path) -> None:
    body = {
        "run": checkpoint.run,
        "seconds": checkpoint.seconds,
        "rounds": [asdict(r) for r in checkpoint.rounds],
    }
    tensors = {name: tensor.contiguous() for name, tensor in checkpoint.tensors.items()}
    text = json.dumps(body)
    header = {"schema": SCHEMA, "sha256": _digest(tensors, text), "checkpoint": text}
    write_whole(path, save(tensors, header))


def read(config: Config, path: Path) -> Checkpoint | None:
    """The checkpoint of the config, None where there is none. Raises `InputError` for a damaged or foreign
    file.
    """
    if not path.exists():
        return None
    cure = "delete it to start the run anew"
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        if header.get("schema") != SCHEMA:
            raise InputError(f"{path}: not a checkpoint of schema {SCHEMA}; {cure}")
        if header["sha256"] != _digest(tensors, header["checkpoint"]):
            raise ValueError("not as it was written: another SHA-256")
        body = parse(header["checkpoint"])
        rounds = tuple(Measured(**item) for item in body["rounds"])
        for measured in rounds:
            _check(measured)
        run, seconds = body["run"], float(body["seconds"])
        if not 0 <= seconds < math.inf:
            raise ValueError(f"seconds = {seconds}")
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: damaged checkpoint ({error}); {cure}") from None
    if run != config.trajectory:
        raise InputError(f"{path}: belongs to run {run}, not to {config.trajectory}; {cure}")
    return Checkpoint(run, rounds, tensors, seconds)


def _digest(tensors: Mapping[str, Tensor], text: str) -> str:
    """The seal of all that is kept; as bytes, because numpy has no bfloat16."""
    held = {name: tensor.cpu().reshape(-1).view(torch.uint8).numpy() for name, tensor in tensors.items()}
    return seal(held, text)


def _check(measured: Measured) -> None:
    """Raise `ValueError` unless all are numbers (which may be NaN), or None where no test was made."""
    tested = [n for n in (measured.test_loss, measured.test_accuracy) if n is not None]
    if not all(isinstance(n, float) for n in (measured.train_loss, *tested)) or len(tested) == 1:
        raise ValueError(f"a round with {measured}")
    if not all(0 <= n <= 100 for n in tested[1:]):
        raise ValueError(f"test_accuracy = {measured.test_accuracy} is not in [0, 100]")
