"""A row of the table: one printed number beside ours, and how it is told. Pure functions; no torch."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from gpu_benchmarks import student
from gpu_benchmarks.config import Config
from gpu_benchmarks.protocols import Protocol, differing, unfelt
from gpu_benchmarks.reported import Number, told

ELSEWHERE = "run under other readings only and not reproduced there"


@dataclass(frozen=True)
class Fit:
    """What one option of `readings.ACCURACIES` gives, and whether it lies as near as the rule asks: no verdict."""

    accuracy: str
    mean: float
    fits: bool


@dataclass(frozen=True)
class Ours:
    """What our runs give for one number under one protocol. cells: grid points that have runs, of how many; where not all
    of them do there is no mean, and the verdict is "not run". allowed: how far from the printed number the rule lets the mean be.
    fits: each accuracy that may be meant, where the paper leaves it open.
    so_far: of which part of the runs the mean is a bound, or, where the verdict is "not run", the value; "" where they are whole.
    """

    protocol: Protocol
    mean: float | None
    std: float
    seeds: tuple[int, ...]
    cells: int
    of: int
    at: str  # the best cell of the grid, where there is one
    verdict: str
    allowed: float | None = None
    fits: tuple[Fit, ...] = ()
    so_far: str = ""

    @property
    def interval(self) -> tuple[float, float] | None:
        """Student's 95% interval of the mean over seeds; None for fewer than two, and where one never came to an end."""
        if self.mean is None or not math.isfinite(self.mean):
            return None
        return student.interval(self.mean, self.std, len(self.seeds))


@dataclass(frozen=True)
class Row:
    """One printed number: ours under the chosen protocol, and under the others. verdict "not run" where no run counts, or
    not all that it takes were made.
    """

    number: Number
    ours: Ours | None
    others: tuple[Ours, ...]

    @property
    def verdict(self) -> str:
        return "not run" if self.ours is None else self.ours.verdict

    @property
    def standing(self) -> str:
        """The verdict as it is counted: a number that only other readings were run for was run."""
        others = {other.verdict for other in self.others} - {"not run"}
        only_others = self.verdict == "not run" and others == {"not reproduced"}
        return ELSEWHERE if only_others else told(self.number, self.verdict)

    def to_dict(self) -> dict[str, Any]:
        number = self.number
        silent = () if number.setting == "linear" else unfelt(replace(Config(), **number.cells()[0]))
        return {
            "id": number.id,
            "paper": number.paper,
            "place": number.place,
            "metric": number.metric,
            "metric_open": number.metric_open,
            "kind": number.kind,
            "unit": number.unit,
            "printed": number.printed,
            "low": None if math.isinf(number.low) else number.low,
            "high": None if math.isinf(number.high) else number.high,
            "parameters": dict(number.config) | {name: list(v) for name, v in number.over.items()},
            "verdict": self.verdict,
            "standing": self.standing,
            "fitted": number.fitted,
            "off": off(self),
            "ours": None if self.ours is None else _ours_dict(self.ours, silent),
            "others": [_ours_dict(other, silent) for other in self.others],
            "readings": readings_of(self),
            "note": number.note,
        }


def off(row: Row) -> str:
    """How far ours is from the printed number, and how far the rule lets it be; "" where there is no mean."""
    ours = row.ours
    if ours is None or ours.mean is None or ours.allowed is None or not math.isfinite(ours.mean):
        return ""
    return f"{row.number.distance(ours.mean):.2f} of {ours.allowed:.2f}"


def readings_of(row: Row) -> str:
    """Under which readings ours was found; where it was not, what other readings gave."""
    if row.ours is None:
        return elsewhere(row)
    if row.number.setting == "linear":
        return f"{dict(row.ours.protocol).get('form', '')}; {row.ours.at}"
    return differing(row.ours.protocol)


def elsewhere(row: Row) -> str:
    """What the protocols that were not chosen give, and runs that are under way, on one line: readings, mean, verdict."""
    return "; ".join(
        f"{differing(other.protocol)}: {_value(row.number, other)} (n = {len(other.seeds)}), "
        + ("no verdict yet" if other.verdict == "not run" else other.verdict)
        + (f" (accuracy read as {told})" if (told := by_accuracy(other)) else "")
        for other in row.others
        if other.mean is not None
    )


def _value(number: Number, ours: Ours) -> str:
    """The mean, of whole runs or of a part of them, or on which side of it that of whole runs lies."""
    if not ours.so_far:
        return f"{ours.mean:.2f}"
    if ours.verdict == "not run":
        return f"{ours.mean:.2f} after {ours.so_far}"
    return f"at {'least' if number.unit == '%' else 'most'} {ours.mean:.2f} after {ours.so_far}"


def by_accuracy(ours: Ours) -> str:
    """What each accuracy that may be meant gives, on one line; "" where the paper says which one it prints."""
    told = (f"{fit.accuracy}: {fit.mean:.2f}, {'fits' if fit.fits else 'does not fit'}" for fit in ours.fits)
    return "; ".join(told)


def _ours_dict(ours: Ours, silent: tuple[str, ...]) -> dict[str, Any]:
    """silent: readings that its runs cannot feel, which the protocol leaves out."""
    finite = ours.mean is not None and math.isfinite(ours.mean)
    return {
        "mean": ours.mean if finite else None,
        "std": ours.std if len(ours.seeds) > 1 and math.isfinite(ours.std) else None,
        "allowed": ours.allowed,
        "interval": None if ours.interval is None else list(ours.interval),
        "seeds": list(ours.seeds),
        "cells": ours.cells,
        "of": ours.of,
        "at": ours.at,
        "verdict": ours.verdict,
        "protocol": {name: value for name, value in ours.protocol if name not in silent},
        "fits": [asdict(fit) for fit in ours.fits],
        "so_far": ours.so_far,
    }
