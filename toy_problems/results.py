"""Results as JSON: plain data, written to a temporary file and renamed, so that a file is either whole or not
there."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from methods.terminal.output import check_writable, incomplete, is_stream, write_json

SCHEMA = 1


def plain(value: Any) -> Any:
    """Dataclasses (with their public properties), arrays, tuples and numpy scalars as what JSON has. Numbers
    that are not finite become null."""
    if is_dataclass(value) and not isinstance(value, type):
        names = [f.name for f in fields(value)]
        names += [name for name, entry in vars(type(value)).items() if isinstance(entry, property)]
        return {name: plain(getattr(value, name)) for name in names if not name.startswith("_")}
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise TypeError(f"{type(value).__name__} has no place in a result")


def document(
    command: str, profile: str, seed: int, complete: bool, results: dict[str, Any]
) -> dict[str, Any]:
    """What `--json` writes. complete: False where the run was interrupted and `results` holds what was
    finished."""
    head = {"schema": SCHEMA, "command": command, "profile": profile, "seed": seed, "complete": complete}
    return head | {"results": plain(results)}


def check(path: Path) -> None:
    """Raise `methods.terminal.output.Unwritable` unless `keep` will be able to write."""
    check_writable(path)
    if not is_stream(path):
        check_writable(incomplete(path))


def keep(path: Path, content: dict[str, Any]) -> Path:
    """Write a result and return the file that holds it. What is not complete takes the place of no file but `incomplete(path)`,
    which a complete one removes; a stream is given either. Raises `methods.terminal.output.Unwritable`."""
    if is_stream(path):
        write_json(path, content)
    elif not content["complete"]:
        write_json(incomplete(path), content)
        return incomplete(path)
    else:
        write_json(path, content)
        incomplete(path).unlink(missing_ok=True)
    return path
