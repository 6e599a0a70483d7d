"""Small data sets in the official formats, with a source that knows their checksums. For tests only."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from gpu_benchmarks.data.sources import CIFAR10, CIFAR100, FASHION_MNIST, Part, Source


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def idx_bytes(array: np.ndarray) -> bytes:
    header = bytes([0, 0, 8, array.ndim]) + b"".join(n.to_bytes(4, "big") for n in array.shape)
    return header + array.astype(np.uint8).tobytes()


def fashion(folder: Path, samples: int = 40) -> tuple[Source, dict[str, np.ndarray]]:
    """Four gzip files under `folder`/fashion-mnist, their source, and what they hold."""
    rng = np.random.default_rng(0)
    arrays = {
        "train-images-idx3-ubyte.gz": rng.integers(0, 256, (samples, 28, 28)),
        "train-labels-idx1-ubyte.gz": rng.integers(0, 10, samples),
        "t10k-images-idx3-ubyte.gz": rng.integers(0, 256, (samples // 2, 28, 28)),
        "t10k-labels-idx1-ubyte.gz": rng.integers(0, 10, samples // 2),
    }
    home = folder / "fashion-mnist"
    home.mkdir(parents=True, exist_ok=True)
    parts = {}
    for name, array in arrays.items():
        content = gzip.compress(idx_bytes(array), mtime=0)
        (home / name).write_bytes(content)
        parts[name] = Part(name, sha(content), len(content))
    source = replace(
        FASHION_MNIST,
        training=tuple(parts[part.name] for part in FASHION_MNIST.training),
        test=tuple(parts[part.name] for part in FASHION_MNIST.test),
    )
    return source, arrays


def cifar(folder: Path, how: str, hundred: bool = False, records: int = 7) -> tuple[Source, dict[str, bytes]]:
    """CIFAR's binary batches as `plain`, `xz` or `archive`; their source, and their bytes."""
    base = CIFAR100 if hundred else CIFAR10
    rng = np.random.default_rng(1)
    home = folder / base.folder
    home.mkdir(parents=True, exist_ok=True)
    contents = {}
    for part in base.parts:
        rows = rng.integers(0, 256, (records, base.label_bytes + 3_072), dtype=np.uint8)
        rows[:, base.label_bytes - 1] %= base.classes
        contents[part.name] = rows.tobytes()
    parts = {name: Part(name, sha(content), len(content)) for name, content in contents.items()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in contents.items():
            info = tarfile.TarInfo(base.inside + name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    assert base.archive is not None
    held = Part(base.archive.name, sha(packed.getvalue()), len(packed.getvalue()))
    if how == "archive":
        (home / held.name).write_bytes(packed.getvalue())
    elif how != "nothing":
        for name, content in contents.items():
            if how == "xz":
                (home / f"{name}.xz").write_bytes(lzma.compress(content))
            else:
                (home / name).write_bytes(content)
    source = replace(
        base,
        training=tuple(parts[part.name] for part in base.training),
        test=tuple(parts[part.name] for part in base.test),
        archive=held,
    )
    contents["archive"] = packed.getvalue()
    return source, contents
