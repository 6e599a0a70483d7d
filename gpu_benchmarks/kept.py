"""What is measured once on a rented machine, as JSON beside the sweep."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from gpu_benchmarks.errors import InputError
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.layers import WEIGHT_GRADIENTS
from gpu_benchmarks.parsing import parse
from gpu_benchmarks.records import RATES, RULES, THROUGHPUT, is_finite
from gpu_benchmarks.tuning import fastest
from methods.output import write_whole


class Kept:
    """What is measured once: kept in the folder of the sweep, which outlasts a call, and given back with the records."""

    def __init__(self, work: Path, out: Path, earlier: Sequence[Path]) -> None:
        self.work, self.out = work, out
        for name in (THROUGHPUT, RULES, RATES):
            found = next((f / name for f in (work, *earlier) if (f / name).is_file()), None)
            if found is not None:
                content = found.read_bytes()
                write_whole(work / name, content)
                write_whole(out / name, content)

    def has(self, name: str) -> bool:
        return (self.work / name).is_file()

    def put(self, name: str, data: Any) -> None:
        for folder in (self.work, self.out):
            write_whole(folder / name, json.dumps(data, indent=1, ensure_ascii=False) + "\n")

    def get(self, name: str) -> Any:
        """Raises `ValueError` for a damaged file."""
        return parse((self.work / name).read_bytes())

    def rules(self) -> Rules:
        """Those of an earlier call, since runs that go on from a checkpoint keep theirs; else the default."""
        if not self.has(RULES):
            return Rules()
        try:
            found = {tuple(map(int, shape.split("x"))): times for shape, times in self.get(RULES).items()}
            for shape, times in found.items():
                if (
                    len(shape) != 3
                    or not times.keys() <= WEIGHT_GRADIENTS.keys()
                    or not _positive(times.values())
                ):
                    raise ValueError(f"{shape}: {times}")
            return fastest(found)  # type: ignore[arg-type]
        except (ValueError, AttributeError, TypeError) as error:
            raise InputError(f"{self.work / RULES}: damaged ({error}); delete it") from None

    def rates(self) -> dict[int, float]:
        """Iterations a second by runs side by side; none where nothing was measured."""
        if not self.has(RATES):
            return {}
        try:
            found = {int(count): rate for count, rate in self.get(RATES).items()}
            if not _positive((*found, *found.values())):
                raise ValueError(f"{found}")
            return found
        except (ValueError, AttributeError, TypeError) as error:
            raise InputError(f"{self.work / RATES}: damaged ({error}); delete it") from None


def _positive(values: Iterable[object]) -> bool:
    return all(is_finite(value) and value > 0 for value in values)  # type: ignore[operator]
