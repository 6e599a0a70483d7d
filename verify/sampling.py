"""A statistical witness: means over independent runs whose intervals lie beyond what a statement in expectation allows."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from scipy.special import stdtrit

ERROR_RATE = 1e-6
"""Probability with which one limit of a sample may be wrong."""


@dataclass(frozen=True)
class Sample:
    """Runs of distinct seeds, their mean, and the one-sided limit of the expectation: wrong with probability `ERROR_RATE` at most
    where a run's value is normal."""

    seeds: tuple[int, ...]
    mean: float
    limit: float

    @property
    def n(self) -> int:
        return len(self.seeds)


def sample(values: Mapping[int, float], side: Literal["upper", "lower"], least_deviation: float) -> Sample:
    """Student's t over at least two values, by seed; least_deviation > 0: the standard deviation is taken no smaller, in
    the unit of the values. Raises `ValueError` for fewer than two."""
    if len(values) < 2:
        raise ValueError(f"{len(values)} values have no interval, which takes at least 2")
    mean = statistics.fmean(values.values())
    deviation = max(statistics.stdev(values.values()), least_deviation)
    width = float(stdtrit(len(values) - 1, 1 - ERROR_RATE)) * deviation / math.sqrt(len(values))
    return Sample(tuple(values), mean, mean + (width if side == "upper" else -width))


def most_whatever_the_law(values: Collection[float], most: float) -> float:
    """An upper limit of the expectation, of which `values` are independent draws, none above `most`, in their unit: wrong with
    probability `ERROR_RATE` at most, whatever the law. All n lie below its δ^(1/n)-quantile with probability δ at most; else a part
    δ^(1/n) of the law is at most the largest of them. Raises `ValueError` where one is above `most`, or none is there."""
    if not values or max(values) > most:
        raise ValueError(f"{list(values)} must be at least one value, each at most {most}")
    part = ERROR_RATE ** (1 / len(values))
    return part * max(values) + (1 - part) * most


@dataclass(frozen=True)
class Sampling:
    """A first sample and the independent longer one that is to confirm it, of one expectation.

    breaks: the statement in words, `expectation comparison bound`. problem: what was run, and what is missing where there
    are no samples. any_law: a limit from the runs of both that asks nothing of their law, where there is one.
    """

    breaks: str
    problem: str
    comparison: Literal[">=", "<="]
    bound: float
    samples: tuple[Sample, ...] = ()
    any_law: float | None = None

    def __post_init__(self) -> None:
        if self.samples:
            first, longer = self.samples
            if longer.n <= first.n or set(first.seeds) & set(longer.seeds):
                raise ValueError(
                    f"seeds {longer.seeds} are no independent longer run beside {first.seeds}: more of them, none shared"
                )

    @property
    def instances(self) -> int:
        return sum(sample.n for sample in self.samples)

    @property
    def nearest(self) -> float:
        """The limit that comes nearest to what is stated."""
        return max(self._limits) if self.comparison == ">=" else min(self._limits)

    @property
    def _limits(self) -> list[float]:
        return [sample.limit for sample in self.samples] + ([] if self.any_law is None else [self.any_law])

    @property
    def refutes(self) -> bool:
        """Whether both samples, and all runs whatever their law, lie beyond the bound, limit and all."""
        if not self.samples:
            return False
        # each by itself: the largest of numbers one of which is none may be any
        if self.comparison == ">=":
            return all(limit < self.bound for limit in self._limits)
        return all(limit > self.bound for limit in self._limits)
