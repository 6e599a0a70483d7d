"""JSON and TOML read with suspicion: what is nested beyond all measure, or says a thing twice, is damaged like what is cut off.
And JSON as commands write it, which any reader takes.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpu_benchmarks.errors import InputError
from methods.terminal.output import write_json

DEEP = "nested too deeply"


def parse(text: str | bytes) -> Any:
    """The data in a JSON text. Raises `ValueError` for one that is damaged, names a key of a table twice, or is nested
    more deeply than can be read.
    """
    try:
        return json.loads(text, object_pairs_hook=_each_once)
    except RecursionError:
        raise ValueError(DEEP) from None
    except ValueError as error:
        raise _in_words(error) from None


def parse_toml(text: str) -> dict[str, Any]:
    """The same of a TOML text."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(DEEP) from None
    except ValueError as error:
        raise _in_words(error) from None


def read(path: Path) -> Any:
    """The data in a JSON file that a run wrote. Raises `InputError` for what is none."""
    if wrong := misplaced(path):
        raise InputError(wrong)
    try:
        return parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(f"{path}: not valid JSON ({error}); delete it to make the run again") from None


def misplaced(path: Path, cure: str = "move it away") -> str | None:
    """What to say of a folder, a pipe, a device or a link to nowhere where a file belongs; None where there is none. A pipe would be
    waited for without an end, and what a link hides would be made anew.
    """
    if path.is_symlink() and not path.exists():
        return f"{path}: is a link that leads nowhere; {cure}"
    if not path.exists() or path.is_file():
        return None
    return f"{path}: is no file, but a {'folder' if path.is_dir() else 'pipe or a device'}; {cure}"


def write(data: Any, path: Path) -> None:
    """Data as JSON into a file, or to standard output (`STDOUT`). A number that is not finite, which JSON has no word for,
    is null. Raises `Unwritable`.
    """
    write_json(path, _finite(data))


def _in_words(error: ValueError) -> ValueError:
    """What Python says of a number of thousands of digits is how a program may read it."""
    return ValueError("a number of too many digits") if "set_int_max_str_digits" in str(error) else error


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
