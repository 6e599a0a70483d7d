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
    """What our runs give for one number under one protocol. cells: grid points that have runs, of how many. mean: None where
    that part of them says nothing. allowed: how far from the printed number the rule lets the mean be. fits: each accuracy that
    may be meant, where the paper leaves it open.
    so_far: the part of the runs that was made, "" where they are whole. Of a part the mean is a bound, beyond the printed number for
    good, where there is a verdict, and the value so far where the verdict is "not run". full: whether none of them was cut short.
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
    full: bool = True

    @property
    def whole(self) -> float | None:
        """The mean, where all the runs that it takes were made."""
        return None if self.so_far else self.mean

    @property
    def interval(self) -> tuple[float, float] | None:
        """Student's 95% interval of the mean over seeds; None for fewer than two, where one never came to an end, and of a part."""
        whole = self.whole
        if whole is None or not math.isfinite(whole):
            return None
        return student.interval(whole, self.std, len(self.seeds))


@dataclass(frozen=True)
class Row:
    """One printed number: ours under the chosen protocol, and under the others. verdict "not run" where no run counts, or
    those that were made do not decide.
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
            "ours": None if self.ours is None else _ours_dict(number, self.ours, silent),
            "others": [_ours_dict(number, other, silent) for other in self.others],
            "readings": readings_of(self),
            "note": number.note,
        }


def off(row: Row) -> str:
    """How far ours is from the printed number, and how far the rule lets it be; "" where there is no mean."""
    ours = row.ours
    if ours is None or ours.mean is None or ours.allowed is None or not math.isfinite(ours.mean):
        return ""
    least = "≥ " if ours.so_far else ""
    return f"{least}{row.number.distance(ours.mean):.2f} of {ours.allowed:.2f}"


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
        f"{differing(other.protocol)}: {value(row.number, other)} (n = {len(other.seeds)}), "
        + ("no verdict yet" if other.verdict == "not run" else other.verdict)
        + (f" (accuracy read as {told})" if (told := by_accuracy(other)) else "")
        for other in row.others
        if other.mean is not None
    )


def value(number: Number, ours: Ours) -> str:
    """The mean, or on which side of it that of all runs lies, and after which part of them; the cells where there is none."""
    return f"{mean(number, ours)} after {ours.so_far}" if ours.so_far else mean(number, ours)


def mean(number: Number, ours: Ours) -> str:
    """`value` without the part of the runs that was made."""
    if ours.mean is None:
        return f"{ours.cells} of {ours.of} cells"
    return side(number, ours) + (f"{ours.mean:.2f}" if math.isfinite(ours.mean) else "never")


def side(number: Number, ours: Ours) -> str:
    """On which side of the mean of a part of the runs that of all of them lies: "≥ ", "≤ ", or "" where that is open."""
    if not ours.so_far or ours.verdict == "not run":
        return ""
    return "≥ " if number.unit == "%" else "≤ "


def by_accuracy(ours: Ours) -> str:
    """What each accuracy that may be meant gives, on one line; "" where the paper says which one it prints."""
    told = (f"{fit.accuracy}: {fit.mean:.2f}, {'fits' if fit.fits else 'does not fit'}" for fit in ours.fits)
    return "; ".join(told)


def _ours_dict(number: Number, ours: Ours, silent: tuple[str, ...]) -> dict[str, Any]:
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
        "side": side(number, ours).strip(),
        "full": ours.full,
    }
