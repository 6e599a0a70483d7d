"""JSON as this project's own files hold it: what is nested beyond all measure, or says a thing twice, is damaged like
what is cut off. And JSON as commands write it, which any reader takes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from methods.terminal.output import write_json


def parse(text: str | bytes) -> Any:
    """The data in a JSON text. Raises `ValueError` for one that is damaged, names a key of a table twice, or is nested
    more deeply than can be read.
    """
    try:
        return json.loads(text, object_pairs_hook=_each_once)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def write(data: Any, path: Path) -> None:
    """Data as JSON into a file, or to standard output (`STDOUT`). A number that is not finite, which JSON has no word for,
    is null. Raises `Unwritable`.
    """
    write_json(path, _finite(data))


def _finite(data: Any) -> Any:
    if isinstance(data, float) and not math.isfinite(data):
        return None
    if isinstance(data, Mapping):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return data


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} stands twice")
    return found
