"""Files -> arrays of bytes. A damaged file ends in one `DataError` that names it."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import tarfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gpu_benchmarks.data.sources import VARIABLE, DataError, MissingData, Part, Source, data_folder, source
from gpu_benchmarks.parsing import misplaced
from methods.terminal.console import command_of

_IDX_BYTES = 8  # the code of "unsigned byte" in an idx header
_DAMAGED = (EOFError, OSError, zlib.error, lzma.LZMAError, tarfile.TarError)


@dataclass(frozen=True)
class Images:
    """A data set. Images: (N, h, w) or (N, channels, h, w), uint8. Labels: (N,), uint8, below
    `classes`.
    """

    training: NDArray[np.uint8]
    training_labels: NDArray[np.uint8]
    test: NDArray[np.uint8]
    test_labels: NDArray[np.uint8]
    classes: int


def load(name: str, folder: Path | None = None) -> Images:
    """Read and verify a data set that is already on disk.

    name: `fashion-mnist`, `cifar10` or `cifar100`. folder: the folder that holds the data sets;
    without it, what `data_folder` says. Raises `DataError` if a file is missing, truncated
    or altered.
    """
    which = source(name)
    folder = data_folder() if folder is None else folder
    training, test = (_read(which, parts, folder) for parts in (which.training, which.test))
    return Images(*training, *test, which.classes)


def check(which: Source, folder: Path) -> list[tuple[str, str]]:
    """(file, "whole", "missing" or what is wrong with it) for each file of a data set; raises nothing for damaged
    files.
    """
    report = []
    for part in which.parts:
        try:
            _bytes_of(which, part, folder)
            report.append((part.name, "whole"))
        except MissingData:
            report.append((part.name, "missing"))
        except DataError as error:
            report.append((part.name, str(error)))
    return report


def there(which: Source, folder: Path) -> bool:
    """Whether all files of a data set lie in the folder; they are verified when they are read."""
    home = folder / which.folder
    if which.archive and (home / which.archive.name).is_file():
        return True
    packed = ("", ".xz") if which.archive else ("",)
    return all(any((home / f"{part.name}{end}").is_file() for end in packed) for part in which.parts)


def _read(
    which: Source, parts: tuple[Part, ...], folder: Path
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    with ThreadPoolExecutor(max_workers=4) as pool:  # unpacking and hashing leave the interpreter's lock
        contents = list(pool.map(lambda part: _bytes_of(which, part, folder), parts))
    if which.kind == "idx":
        images, labels = (idx(content, part.name) for content, part in zip(contents, parts, strict=True))
    else:
        images, labels = cifar(b"".join(contents), which.label_bytes, which.shape, parts[0].name)
    if images.shape[1:] != which.shape or labels.shape != images.shape[:1]:
        raise DataError(
            f"{parts[0].name}: {images.shape} images with {labels.shape} labels; each must be {which.shape}"
        )
    if labels.max(initial=0) >= which.classes:
        raise DataError(
            f"{parts[-1].name}: label {labels.max()}; {which.name} has {which.classes} classes from 0"
        )
    return images, labels


def idx(content: bytes, name: str) -> NDArray[np.uint8]:
    """An unpacked idx file of unsigned bytes: two zero bytes, the type, the number of axes, their
    lengths, data.
    """
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] != _IDX_BYTES:
        raise DataError(
            f"{name}: not an idx file of unsigned bytes (its header is {content[:4].hex() or 'empty'})"
        )
    axes = content[3]
    header = 4 + 4 * axes
    if len(content) < header:
        raise DataError(f"{name}: cut off within its header; delete it and fetch it again")
    shape = tuple(int.from_bytes(content[4 + 4 * axis : 8 + 4 * axis], "big") for axis in range(axes))
    expected = header + int(np.prod(shape, dtype=object))
    if len(content) != expected:
        raise DataError(
            f"{name}: {len(content):,} bytes, its header says {expected:,}; delete it and fetch it again"
        )
    return np.frombuffer(content, np.uint8, offset=header).reshape(shape)


def cifar(
    content: bytes, label_bytes: int, shape: tuple[int, ...], name: str
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """CIFAR's binary records: `label_bytes` labels (the last is the class), then the pixels, plane by
    plane.
    """
    length = label_bytes + int(np.prod(shape))
    if not content or len(content) % length:
        raise DataError(f"{name}: {len(content):,} bytes is not a whole number of records of {length:,}")
    records = np.frombuffer(content, np.uint8).reshape(-1, length)
    return records[:, label_bytes:].reshape(-1, *shape), records[:, label_bytes - 1].copy()


def _bytes_of(which: Source, part: Part, folder: Path) -> bytes:
    """A part's unpacked bytes, its checksum verified."""
    home = folder / which.folder
    if which.kind == "idx":
        path = home / part.name
        packed = _whole(path, which)
        _verify(packed, part.sha256, path)
        with _clear_errors(path):
            return gzip.decompress(packed)
    for path in (home / part.name, home / f"{part.name}.xz"):
        if path.is_file():
            return batch(part, path)
    return _from_archive(which, part, home)


def batch(part: Part, path: Path) -> bytes:
    """A CIFAR batch, plain or .xz, its checksum verified. Raises `DataError` for a file that is not that batch."""
    check_file(path)
    with _clear_errors(path):
        opener = lzma.open if path.suffix == ".xz" else open
        with opener(path, "rb") as file:
            content = file.read(part.telling)
    _verify(content, part.sha256, path)
    return content


def _from_archive(which: Source, part: Part, home: Path) -> bytes:
    assert which.archive is not None
    path = home / which.archive.name
    _require(path, which, home / part.name)
    with _clear_errors(path), tarfile.open(path, "r:gz") as archive:
        try:
            member = archive.extractfile(which.inside + part.name)
        except KeyError:
            member = None
        if member is None:
            raise DataError(f"{path}: holds no {which.inside}{part.name}; delete it and fetch it again")
        content = member.read(part.telling)
    _verify(content, part.sha256, path)
    return content


def _whole(path: Path, which: Source) -> bytes:
    _require(path, which, path)
    with _clear_errors(path):
        return path.read_bytes()


def _require(path: Path, which: Source, wanted: Path) -> None:
    """Raise `DataError` unless the file is there, which holds what is wanted."""
    check_file(path)
    if not path.is_file():
        raise MissingData(missing(which, wanted, path.parent))


def check_file(path: Path) -> None:
    """Raise `DataError` for a folder, a pipe or a device where a file belongs."""
    if wrong := misplaced(path):
        raise DataError(wrong)


def missing(which: Source, path: Path, home: Path) -> str:
    """What to say when a file is not there: what, where, and from which address."""
    for folder in (home.parent, home):
        if folder.is_file():
            return f"{folder}: is a file, and a folder belongs there; name another, by option or {VARIABLE}"
    sets = ", ".join(part.name for part in which.downloads)
    also = " (or the unpacked .bin files, plain or .xz)" if which.archive else ""
    return (
        f"{path} is missing. Run `{command_of('gpu_benchmarks')} data fetch {which.name} --data {home.parent}`, or put {sets}{also}, "
        f"from {which.url} into {home}. {VARIABLE} names the folder above it"
    )


def _verify(content: bytes, sha256: str, path: Path) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise DataError(
            f"{path}: SHA-256 {found[:16]}… where {sha256[:16]}… is right (cut off, altered, or another file); "
            "delete it and fetch it again"
        )


class _clear_errors:
    """Turn what the packed formats raise on damage into one DataError that names the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, PermissionError):
            raise DataError(
                f"{self.path}: cannot be read ({error.strerror}); give yourself the right to read it"
            ) from error
        if isinstance(error, _DAMAGED):
            raise DataError(
                f"{self.path}: cannot be read ({error or type(error).__name__}); delete it and fetch it again"
            ) from error
