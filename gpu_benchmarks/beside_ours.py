"""Every printed number beside what the records say of it: ResNet-20's and the linear model's in one table. No torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gpu_benchmarks import comparison, records
from gpu_benchmarks.linear import comparison as linear
from gpu_benchmarks.records import Record
from gpu_benchmarks.reported import Reported
from gpu_benchmarks.rows import Row


def rows(folders: Sequence[Path], printed: Reported) -> tuple[list[Row], list[Record]]:
    """(a row for every printed number, the records of ResNet-20), from the committed records and those in `folders`."""
    found = of_resnet(folders)
    of_linear = {row.number.id: row for row in linear.compare(printed, *linear.table2())}
    return [of_linear.get(row.number.id, row) for row in comparison.compare(printed, found)], found


def of_resnet(folders: Sequence[Path]) -> list[Record]:
    """The committed records of ResNet-20 and those in `folders`."""
    return records.read_all([records.FOLDER, records.FOLDER / "reduced", *folders])
