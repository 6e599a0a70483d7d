"""A number known from both sides."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

MAX_STEPS = 400


@dataclass(frozen=True)
class Enclosure:
    """The true value lies in [lower, upper]. [0, ∞] says that nothing is known."""

    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:  # catches nan as well
            raise ValueError(f"an enclosure needs lower <= upper, got [{self.lower}, {self.upper}]")

    @property
    def known(self) -> bool:
        return math.isfinite(self.upper)

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper

    def __str__(self) -> str:
        if not self.known:
            return f"at least {self.lower:.6g}" if self.lower > 0 else "unknown"
        if self.upper - self.lower <= 5e-7 * self.upper:
            return f"{self.upper:.6g}"
        return f"[{self.lower:.6g}, {self.upper:.6g}]"


UNKNOWN = Enclosure(0.0, math.inf)


def invert_decreasing(
    curve: Callable[[float], Enclosure], level: float, start: float = 1.0, tolerance: float = 1e-12
) -> Enclosure:
    """Where a decreasing curve on [0, ∞), known by enclosures, reaches `level`.

    lower: a point where the curve is certainly above the level (0 where there is none). upper: a point
    where it is certainly at or below the level. Bisection stops at a relative width of `tolerance`, or
    where the curve's own enclosure can no longer tell the sides apart.
    """
    if curve(0.0).upper <= level:
        return Enclosure(0.0, 0.0)
    upper = start
    for _ in range(MAX_STEPS):
        if curve(upper).upper <= level:
            break
        upper *= 2.0
    else:
        return UNKNOWN
    return Enclosure(
        _last_above(curve, level, upper, tolerance), _first_below(curve, level, upper, tolerance)
    )


def _first_below(curve: Callable[[float], Enclosure], level: float, right: float, tolerance: float) -> float:
    left = 0.0
    for _ in range(MAX_STEPS):
        middle = (left + right) / 2
        if right - left <= tolerance * right or middle in (left, right):
            break
        if curve(middle).upper <= level:
            right = middle
        else:
            left = middle
    return right


def _last_above(curve: Callable[[float], Enclosure], level: float, right: float, tolerance: float) -> float:
    left = 0.0
    for _ in range(MAX_STEPS):
        middle = (left + right) / 2
        if right - left <= tolerance * right or middle in (left, right):
            break
        if curve(middle).lower > level:
            left = middle
        else:
            right = middle
    return left
