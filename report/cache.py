"""Results between two calls of the report: one JSON file a result, found by the content of everything it
depends on.

The key covers the configuration, the bytes of the source trees that compute the result, and the versions of
all libraries; change any of them and the result is computed again. A file is written to a temporary
name and renamed, so an interrupted run leaves whole files only.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpu_benchmarks.errors import InputError
from gpu_benchmarks.parsing import parse
from methods.terminal.output import write_whole


def key(name: str, config: Mapping[str, Any], sources: str, versions: Mapping[str, str]) -> str:
    """SHA-256 of everything that the result depends on."""
    text = json.dumps([name, config, sources, versions], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def load(folder: Path, name: str, digest: str) -> dict[str, Any] | None:
    """The stored result, None where there is none for this key. Raises `InputError` for a file that is
    damaged."""
    path = folder / f"{name}-{digest[:16]}.json"
    if not path.is_file():
        return None
    try:
        stored = parse(path.read_text(encoding="utf-8"))
        whole = stored["key"] == digest and stored["sha256"] == _checksum(stored["value"])
        if whole and 0 <= stored["seconds"] < math.inf:
            return stored
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} is damaged ({error}); delete it and the result is computed again"
        ) from error
    raise InputError(
        f"{path} does not hold what was written to it; delete it and the result is computed again"
    )


def store(folder: Path, name: str, digest: str, value: Any, seconds: float) -> dict[str, Any]:
    """Keep `value` (plain JSON data) and return it as it will be read back."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = json.loads(json.dumps(value, allow_nan=True))
    stored = {"key": digest, "sha256": _checksum(plain), "seconds": round(seconds, 3), "value": plain}
    write_whole(folder / f"{name}-{digest[:16]}.json", json.dumps(stored, ensure_ascii=False))
    return stored


def _checksum(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
