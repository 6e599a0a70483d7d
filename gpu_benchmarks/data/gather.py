"""Data that arrives in pieces: on a machine without a network that takes only so much at a time."""

from __future__ import annotations

from pathlib import Path

from gpu_benchmarks.data.load import batch
from gpu_benchmarks.data.sources import DATASETS, DataError
from methods.terminal.output import Unwritable, folder_for, write_whole


def gather(source: Path | None, store: Path) -> list[str]:
    """Copy the files of CIFAR-10 found in `source` (at any depth, plain or .xz) into the store, each
    once its checksum is verified; the names still missing. Raises `DataError` for a damaged file and where the store
    cannot be written.
    """
    which = DATASETS["cifar10"]
    home = store / which.folder
    missing = []
    try:
        with folder_for(home):
            pass  # a store that cannot be made is told before anything is looked for
        for part in which.parts:
            names = (part.name, f"{part.name}.xz")
            if any((home / name).is_file() for name in names):
                continue
            found = next((p for name in names for p in sorted(source.rglob(name))), None) if source else None
            if found is None:
                missing.append(part.name)
                continue
            batch(part, found)
            write_whole(home / found.name, found.read_bytes())
    except (OSError, Unwritable) as error:
        raise DataError(f"{home}: cannot be made or written ({error}); choose another --data") from None
    return missing
