"""Files that appear whole or not at all; `-` is standard output."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

STDOUT = Path("-")
"""Where a path is asked for: standard output, which then holds nothing else."""


class Unwritable(ValueError):
    """A file that cannot be written; the message names it and says why."""


def check_writable(path: Path) -> None:
    """Raise `Unwritable` unless `write_whole` will be able to write there: to be asked before long work. Missing folders
    are made."""
    if path == STDOUT:
        return
    if path.is_dir():
        raise Unwritable(f"{path} is a folder; give the name of a file")
    if not _is_device(path):
        _temporary(path.resolve()).unlink()
    elif not os.access(path, os.W_OK):
        raise Unwritable(f"{path} cannot be written (Permission denied)")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write beside `path`, flush to the disk, rename: `path` is the old file or the new one, never half of either.

    Missing folders are made; text is written as UTF-8. `STDOUT` is standard output. What is there and no file, such as
    /dev/null or a pipe, is written to and never replaced. Raises `Unwritable`.
    """
    data = content.encode() if isinstance(content, str) else content
    if path == STDOUT:
        sys.stdout.flush()  # what was printed before comes first
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    if _is_device(path):
        try:
            path.write_bytes(data)
        except OSError as error:
            raise Unwritable(f"{path} cannot be written ({error.strerror or error})") from error
        return
    path = path.resolve()  # a link stays a link
    temporary = _temporary(path)
    try:
        with temporary.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise Unwritable(f"{path} cannot be written ({error.strerror or error})") from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_json(path: Path, data: Any) -> None:
    """`write_whole` of `data` as strict JSON. Raises `Unwritable`, and `ValueError` for a number that is not finite."""
    write_whole(path, json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n")


def _is_device(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _temporary(path: Path) -> Path:
    """A new empty file beside `path`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise Unwritable(f"{path} cannot be written ({error.strerror or error})") from error
    os.close(handle)
    return Path(name)
