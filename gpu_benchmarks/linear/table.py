"""Table 2 from records: tuning, means and intervals, the curve of accuracy against noise.

Pure functions of records (`gpu_benchmarks.linear.batch.read_all`). The metric is the table's: the
mean test accuracy over the last 5 rounds of a run. A cell is the best (C, η₀) by the mean over the runs;
the paper tunes the same way, on the test accuracy itself, so both numbers carry the optimism of the
choice. Runs of the chosen cells with fresh seeds (`fresh`) do not.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from gpu_benchmarks import student
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.linear.batch import LAST, Batch, batch_of
from gpu_benchmarks.linear.federation import Lane
from gpu_benchmarks.linear.plan import Plan

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    """A method at a noise level, tuned. values: one for each run (seed), percent. diverged: cells that
    did.
    """

    lane: Lane
    seeds: tuple[int, ...]
    values: tuple[float, ...]
    tried: int
    diverged: int

    @property
    def mean(self) -> float:
        return float(np.mean(self.values))

    @property
    def deviation(self) -> float:
        """Standard deviation over the runs; NaN for one run."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else math.nan

    @property
    def interval(self) -> student.Interval | None:
        """Student's 95% interval of the mean over runs; None for one run."""
        return student.of_values(self.values)


def last_rounds(record: Record, run: Mapping[str, Any]) -> float | None:
    """Mean test accuracy over the last 5 rounds, percent; None for a run that diverged.

    Raises `InputError` where the record does not hold all five.
    """
    measured = record["config"]["measured"]
    k = measured[-1]
    if measured[-LAST:] != list(range(k - LAST + 1, k + 1)):
        raise InputError(f"batch {record['batch']}: the last {LAST} rounds up to {k} were not all measured")
    values = run["test_accuracy"][-LAST:]
    return None if None in values else float(np.mean(values))


Values = dict[Lane, dict[int, float | None]]
ValuesOf = Callable[..., Values]
"""Of a plan, and of a precision where it is not float32."""


def values(records: Iterable[Record], plan: Plan, precision: str = "float32") -> Values:
    """Lane -> seed -> metric, of the records whose batches are the plan's: all settings but the seed, the lanes, the rounds
    measured before K, and how features were made.
    """
    return _values([(batch_of(record), record) for record in records], plan, precision)


def values_by_plan(records: Iterable[Record]) -> ValuesOf:
    """`values` of these records, for who asks of many plans: what a record says is made out once, and each plan is looked up once."""
    read = [(batch_of(record), record) for record in records]
    return cache(lambda plan, precision="float32": _values(read, plan, precision))


def _values(read: Sequence[tuple[Batch, Record]], plan: Plan, precision: str) -> Values:
    found: Values = defaultdict(dict)
    for batch, record in read:
        own = replace(plan, extraction=batch.extraction)
        if batch.rounds != plan.rounds or batch.data != plan.data.name:
            continue
        if batch != own.batch(own.readings, batch.seed, batch.lanes, batch.measured, precision):
            continue
        for lane, run in zip(batch.lanes, record["runs"], strict=True):
            found[lane].setdefault(batch.seed, last_rounds(record, run))
    return dict(found)


def tune(found: Values, method: str, noise: float, seeds: Sequence[int]) -> Cell | None:
    """The best cell of a method at a noise level by the mean over `seeds`; None where a run is missing
    or none ends.

    Of equal means the first in the order of the grid counts.
    """
    best: Cell | None = None
    tried = diverged = 0
    for lane, by_seed in found.items():
        if lane.method != method or not math.isclose(lane.noise, noise, rel_tol=1e-12, abs_tol=0):
            continue
        if not set(seeds) <= set(by_seed):
            continue
        tried += 1
        got = [by_seed[seed] for seed in seeds]
        if any(value is None for value in got):
            diverged += 1
            continue
        cell = Cell(lane, tuple(seeds), tuple(float(value) for value in got if value is not None), 0, 0)
        if best is None or cell.mean > best.mean:
            best = cell
    return None if best is None else Cell(best.lane, best.seeds, best.values, tried, diverged)


def fresh(found: Values, lane: Lane, used: Sequence[int]) -> Cell | None:
    """The same cell on seeds that had no part in choosing it."""
    got = {
        seed: value for seed, value in found.get(lane, {}).items() if seed not in used and value is not None
    }
    return Cell(lane, tuple(sorted(got)), tuple(got[seed] for seed in sorted(got)), 1, 0) if got else None


def accuracy_against_noise(found: Values, method: str, seeds: Sequence[int]) -> list[tuple[float, Cell]]:
    """(s, tuned cell), by ascending s."""
    levels = sorted({lane.noise for lane in found if lane.method == method})
    cells = [(s, tune(found, method, s, seeds)) for s in levels]
    return [(s, cell) for s, cell in cells if cell is not None]


def noise_for(curve: Sequence[tuple[float, float]], target: float) -> float | None:
    """The noise level at which a falling curve of (s, accuracy) crosses `target`, linear in log s;
    None if outside.
    """
    for (low, high_accuracy), (high, low_accuracy) in pairwise(curve):
        if low_accuracy <= target <= high_accuracy and high_accuracy > low_accuracy:
            share = (high_accuracy - target) / (high_accuracy - low_accuracy)
            return float(low * (high / low) ** share)
    return None


def accuracy_at(curve: Sequence[tuple[float, float]], noise: float) -> float | None:
    """The accuracy on a curve of (s, accuracy) at a noise level, linear in log s; None outside."""
    for (low, first), (high, second) in pairwise(curve):
        if low <= noise <= high:
            return first + (second - first) * math.log(noise / low) / math.log(high / low)
    return None
