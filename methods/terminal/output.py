"""Files that appear whole or not at all; `-` is standard output."""

from __future__ import annotations

import argparse
import errno
import json
import os
import secrets
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

STDOUT = Path("-")
"""Where a path is asked for: standard output, which then holds nothing else. With `--json -` a command prints no tables at all;
standard error has progress, warnings and errors as ever, and of `verify` what was found before an interrupt, of which no JSON is
written."""
TEMPORARY = ".normec-*"
"""Names of files that are being written; what a writer that was killed leaves has such a name."""


def add_json(parser: argparse.ArgumentParser, what: str) -> None:
    """The option `--json PATH` as every command has it; what: what is written there, as in "the table"."""
    parser.add_argument(
        "--json",
        type=file,
        metavar="PATH",
        help=f"write {what} as JSON; - for standard output, in the place of what is printed there (default: none)",
    )


def file(text: str) -> Path:
    """The path that an option names. Raises `ArgumentTypeError` for no text, which `Path` would take for this folder."""
    if not text:
        raise argparse.ArgumentTypeError("the value given is empty; name one, or leave it out")
    return Path(text)


class Unwritable(ValueError):
    """A file that cannot be written; the message names it and says why."""


def check_writable(path: Path) -> None:
    """Raise `Unwritable` unless `write_whole` will be able to write there: to be asked before long work. Leaves nothing behind."""
    if path == STDOUT:
        return
    with _named(path):
        if path.is_dir():
            raise Unwritable(f"{path} is a folder; give the name of a file")
        if not is_stream(path):
            target = _target(path)
            with folder_for(target.parent):
                _temporary(target).unlink()
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def check_apart(option: str, path: Path | None, others: Mapping[str, Path | None]) -> None:
    """Raise `Unwritable` where an output is also another input or output, by the words for that, or lies in one of these as
    in a folder: it would destroy it, or be read as one."""
    if path is None or (path != STDOUT and is_stream(path)):
        return
    for what, other in others.items():
        if other is None:
            continue
        # not `Path.resolve`, which raises for links in a circle
        here, there = (Path(os.path.realpath(one)) for one in (path, other))
        within = path != STDOUT and here.parent == there
        if within or path == other or (STDOUT not in (path, other) and here == there):
            raise Unwritable(
                f"{option} {path}: {'lies in' if within else 'is'} {what} ({other}); choose another file"
            )


def write_whole(path: Path, content: str | bytes) -> None:
    """Write beside `path`, flush to the disk, rename: `path` is the old file or the new one, never half of either.

    Missing folders are made; a file keeps its mode, a new one has what the umask leaves; text is written as UTF-8.
    `STDOUT` is standard output. What is there and no file, such as /dev/null or a pipe, is written to and never
    replaced. Raises `Unwritable`.
    """
    data = content.encode() if isinstance(content, str) else content
    if path == STDOUT:
        sys.stdout.flush()  # what was printed before comes first
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with _named(path):
        if is_stream(path):
            path.write_bytes(data)
        else:
            _replace(_target(path), data)


def write_json(path: Path, data: Any) -> None:
    """`write_whole` of `data` as strict JSON. Raises `Unwritable`, and `ValueError` for a number that is not finite. What UTF-8
    cannot hold, as in the name of a file that is not UTF-8, is escaped as JSON escapes it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    write_whole(path, text.encode(errors="backslashreplace"))


def incomplete(path: Path) -> Path:
    """Where a result for `path` is kept until it is complete: x.partial.json beside x.json."""
    return path.with_name(f"{path.stem}.partial{path.suffix}")


def is_stream(path: Path) -> bool:
    """Whether what is written there passes by: standard output, a pipe, a device such as /dev/null."""
    return path == STDOUT or (path.exists() and not path.is_file() and not path.is_dir())


@contextmanager
def folder_for(path: Path) -> Iterator[None]:
    """The folder is there within; afterwards what had to be made for it is gone again where it is empty."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """What the system says against a path, as `Unwritable`. Python has a `RuntimeError` for links in a circle and a
    `ValueError` for a name with a NUL."""
    try:
        yield
    except Unwritable:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        if isinstance(error, FileExistsError | NotADirectoryError):
            reason = next(
                (f"{up} is no folder" for up in path.parents if up.exists() and not up.is_dir()), reason
            )
        raise Unwritable(f"{path} cannot be written ({reason})") from error


def _target(path: Path) -> Path:
    """The file that a link leads to, for a link stays a link. From Python 3.13 on `resolve` returns links in a circle as
    they are."""
    target = path.resolve()
    if any(part.is_symlink() for part in (target, *target.parents)):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return target


def _replace(path: Path, data: bytes) -> None:
    temporary = _temporary(path)
    try:
        with temporary.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _temporary(path: Path) -> Path:
    """A new empty file beside `path`, which no more people may read than that. Its name is short, for that of `path` may be as long
    as one can be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(TEMPORARY.replace("*", secrets.token_hex(8)))
    mode = stat.S_IMODE(path.stat().st_mode) | stat.S_IWUSR if path.exists() else 0o666
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))  # less what the umask takes
    return temporary
