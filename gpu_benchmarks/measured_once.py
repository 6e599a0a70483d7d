"""What is measured once on a rented machine, as JSON beside the sweep."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gpu_benchmarks.errors import InputError
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.layers import WEIGHT_GRADIENTS
from gpu_benchmarks.parsing import parse
from gpu_benchmarks.records import RATES, RULES, THROUGHPUT, is_finite
from gpu_benchmarks.tuning import fastest
from methods.terminal.output import write_whole


class Kept:
    """What is measured once: kept in the folder of the sweep, which outlasts a call, and given back with the records."""

    def __init__(self, work: Path, out: Path, earlier: Sequence[Path]) -> None:
        self.work, self.out = work, out
        for name, content in kept_in([work, *earlier]).items():
            write_whole(work / name, content)
            write_whole(out / name, content)

    def has(self, name: str) -> bool:
        return (self.work / name).is_file()

    def put(self, name: str, data: Any) -> None:
        for folder in (self.work, self.out):
            write_whole(folder / name, json.dumps(data, indent=1, ensure_ascii=False) + "\n")

    def get(self, name: str) -> Any:
        """What the file says; see `_MEANING`. Raises `InputError` for a damaged one."""
        path = self.work / name
        return _meaning(name, path.read_bytes(), path)

    def rules(self) -> Rules:
        """Those that an earlier call measured; else the default."""
        return self.get(RULES) if self.has(RULES) else Rules()

    def rates(self) -> dict[int, float]:
        """Iterations a second by runs side by side; none where nothing was measured."""
        return self.get(RATES) if self.has(RATES) else {}


def kept_in(folders: Sequence[Path]) -> dict[str, bytes]:
    """The files of what was measured once, each from the folder that has it first. Raises `InputError` for a damaged one: a copy
    of it would be no less damaged, and would come back after it is deleted.
    """
    found = {}
    for name in _MEANING:
        path = next((folder / name for folder in folders if (folder / name).is_file()), None)
        if path is not None:
            found[name] = path.read_bytes()
            _meaning(name, found[name], path)
    return found


def _meaning(name: str, content: bytes, path: Path) -> Any:
    try:
        return _MEANING[name](parse(content))
    except (ValueError, AttributeError, TypeError) as error:
        raise InputError(f"{path}: damaged ({error}); delete it") from None


def _rules(data: Any) -> Rules:
    found = {tuple(map(int, shape.split("x"))): times for shape, times in data.items()}
    for shape, times in found.items():
        if len(shape) != 3 or not times.keys() <= WEIGHT_GRADIENTS.keys() or not _positive(times.values()):
            raise ValueError(f"{shape}: {times}")
    return fastest(found)  # type: ignore[arg-type]


def _rates(data: Any) -> dict[int, float]:
    found = {int(count): rate for count, rate in data.items()}
    if not _positive((*found, *found.values())):
        raise ValueError(f"{found}")
    return found


def _positive(values: Iterable[object]) -> bool:
    return all(is_finite(value) and value > 0 for value in values)  # type: ignore[operator]


_MEANING: Mapping[str, Callable[[Any], Any]] = {THROUGHPUT: lambda data: data, RULES: _rules, RATES: _rates}
"""What the JSON in each file stands for; `ValueError`, `AttributeError` or `TypeError` where it is damaged."""
