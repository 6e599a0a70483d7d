"""Features as one safetensors file: four arrays, and in its header how they were made. Whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from gpu_benchmarks.data.sources import Source, data_folder
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.features.extracted import WIDTH, Extraction, Features, from_dict
from gpu_benchmarks.parsing import misplaced, parse
from gpu_benchmarks.seal import seal
from methods.terminal.console import command_of
from methods.terminal.output import write_whole

SCHEMA = 1
ARRAYS = ("training", "training_labels", "test", "test_labels")


def path_of(data: str, folder: Path | None = None) -> Path:
    """Where the features of a data set lie: in the folder of the data sets, unless another is named."""
    return (folder or data_folder()) / f"{data}-features.safetensors"


def pack(arrays: Mapping[str, np.ndarray], extraction: Extraction) -> bytes:
    """The bytes of a file, the same from the same features: several entries in the header would come in any order."""
    body = {"schema": SCHEMA, "sha256": _seal(arrays, asdict(extraction))} | asdict(extraction)
    return save(dict(arrays), {"features": json.dumps(body)})


def unpack(path: Path) -> tuple[dict[str, np.ndarray], Extraction]:
    """The inverse of `pack`. Raises `InputError` for a file that is not one."""
    if wrong := misplaced(path):
        raise InputError(wrong)
    try:
        with safe_open(path, framework="np") as file:
            header: Mapping[str, str] = file.metadata() or {}
            made = parse(header["features"])
            if made.pop("schema") != SCHEMA:
                raise ValueError(f"not of schema {SCHEMA}")
            sealed = made.pop("sha256")
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        if sealed != _seal(arrays, made):
            raise ValueError("not as it was written: another SHA-256")
        return arrays, from_dict(made)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (SafetensorError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path}: no features, or damaged ({error}); delete it and extract them again"
        ) from None


def _seal(arrays: Mapping[str, np.ndarray], made: Mapping[str, Any]) -> str:
    return seal(arrays, json.dumps(made, sort_keys=True))


def write(path: Path, features: Features) -> None:
    write_whole(path, pack({name: getattr(features, name) for name in ARRAYS}, features.extraction))


def read(path: Path, source: Source) -> Features:
    """The features of a data set. Raises `InputError` for a file that is missing, damaged, or of other images."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; --features names a file, such as {path_of(source.name, path)}")
    if not path.is_file():
        raise InputError(
            f"{path} is missing: `{command_of('gpu_benchmarks')} features --dataset {source.name} --weights PATH` makes it from "
            "the weights of a ResNet-18 trained on ImageNet; --features names a file elsewhere"
        )
    arrays, extraction = unpack(path)
    cure = "delete it and extract them again"
    if extraction.data != source.name or extraction.files != checksums(source):
        raise InputError(
            f"{path}: features of {extraction.data} or of other files than those of {source.name}; {cure}"
        )
    if sorted(arrays) != sorted(ARRAYS):
        raise InputError(
            f"{path}: holds {', '.join(sorted(arrays))} where {', '.join(ARRAYS)} must be; {cure}"
        )
    for images, labels, parts in zip(ARRAYS[::2], ARRAYS[1::2], (source.training, source.test), strict=True):
        count = sum(part.size or 0 for part in parts) // (source.label_bytes + int(np.prod(source.shape)))
        for name, shape, kind in ((images, (count, WIDTH), np.float32), (labels, (count,), np.uint8)):
            array = arrays[name]
            if array.shape != shape or array.dtype != kind:
                raise InputError(
                    f"{path}: {name} is {array.dtype} {array.shape}, not {kind.__name__} {shape}; {cure}"
                )
        if not np.isfinite(arrays[images]).all() or arrays[labels].max(initial=0) >= source.classes:
            raise InputError(
                f"{path}: {images} holds a feature that is not finite, or a label out of range; {cure}"
            )
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Features(**arrays, classes=source.classes, extraction=extraction, digest=digest)


def checksums(source: Source) -> tuple[str, ...]:
    """SHA-256 of a data set's files, training first."""
    return tuple(part.sha256 for part in source.parts)
