"""Checkpoints as files: arrays in the safetensors format and, in its header, a JSON text with the rest, under one seal. Whole
or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from gpu_benchmarks.errors import InputError
from gpu_benchmarks.parsing import misplaced, parse
from gpu_benchmarks.seal import seal
from methods.terminal.output import write_whole

T = TypeVar("T")
Arrays = Mapping[str, NDArray[Any]]


def write(path: Path, schema: str, arrays: Arrays, body: Mapping[str, Any]) -> None:
    held, text = {name: np.ascontiguousarray(array) for name, array in arrays.items()}, json.dumps(body)
    write_whole(path, save(held, {"schema": schema, "sha256": seal(held, text), "checkpoint": text}))


def read(path: Path, schema: str, cure: str, build: Callable[[Arrays, Any], T]) -> T:
    """What `build` makes of the arrays and the body. Raises `InputError` for a file that is damaged, of another schema, or that
    `build` takes for wrong (`ValueError`, `KeyError`, `TypeError`, `AttributeError`), and for what is no file.
    """
    if wrong := misplaced(path, cure):
        raise InputError(wrong)
    try:
        with safe_open(path, framework="np") as file:
            header = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        if header.get("schema") != schema:
            raise InputError(f"{path}: not a checkpoint of schema {schema}; {cure}")
        if header["sha256"] != seal(arrays, header["checkpoint"]):
            raise ValueError("not as it was written: another SHA-256")
        return build(arrays, parse(header["checkpoint"]))
    except (SafetensorError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: damaged checkpoint ({error}); {cure}") from None
