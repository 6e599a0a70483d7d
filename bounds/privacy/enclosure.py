"""A number known from both sides."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import cache

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
        """The lower side rounded down, the upper one up; one number, rounded up, where they agree to 6 digits."""
        lower = rounded(self.lower, -1)
        if not self.known:
            return f"at least {lower}" if self.lower > 0 else "unknown"
        upper = rounded(self.upper, 1)
        return upper if self.upper - self.lower <= 5e-7 * self.upper else f"[{lower}, {upper}]"


def rounded(value: float, side: int, digits: int = 6) -> str:
    """`value` ≥ 0 in so many digits, never below it (side = 1) or never above it (side = −1): a guarantee that is printed must
    hold as it is printed."""
    shown = f"{value:.{digits}g}"
    if not math.isfinite(value) or (float(shown) - value) * side >= 0:
        return shown
    exact = Decimal(value)
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    rounding = ROUND_CEILING if side > 0 else ROUND_FLOOR
    return f"{float(exact.quantize(step, rounding)):.{digits}g}"


UNKNOWN = Enclosure(0.0, math.inf)


def invert_decreasing(
    curve: Callable[[float], Enclosure], level: float, guess: float = 1.0, tolerance: float = 1e-12
) -> Enclosure:
    """Where a decreasing curve on [0, ∞), known by enclosures, reaches `level`.

    lower: a point where the curve is certainly above the level (0 where there is none). upper: a point
    where it is certainly at or below the level. A good `guess` (from floats) is only widened until both
    sides are certain; a bad one costs time, not truth. Bisection stops at a relative width of `tolerance`,
    or where the curve's own enclosure can no longer tell the sides apart.
    """
    curve = cache(
        curve
    )  # both sides are sought between the same ends, and ask at the same points until these part
    if curve(0.0).upper <= level:
        return Enclosure(0.0, 0.0)
    width, upper = tolerance / 2, guess
    for _ in range(MAX_STEPS):
        upper = guess * (1 + width)
        if not math.isfinite(upper):
            return UNKNOWN
        if curve(upper).upper <= level:
            break
        width *= 4.0
    else:
        return UNKNOWN
    width, lower = tolerance / 2, 0.0
    while width < 1:
        if curve(guess * (1 - width)).lower > level:
            lower = guess * (1 - width)
            break
        width *= 4.0
    return Enclosure(
        _last_above(curve, level, lower, upper, tolerance),
        _first_below(curve, level, lower, upper, tolerance),
    )


def _first_below(
    curve: Callable[[float], Enclosure], level: float, left: float, right: float, tolerance: float
) -> float:
    for _ in range(MAX_STEPS):
        middle = (left + right) / 2
        if right - left <= 2 * tolerance * right or middle in (left, right):
            break
        if curve(middle).upper <= level:
            right = middle
        else:
            left = middle
    return right


def _last_above(
    curve: Callable[[float], Enclosure], level: float, left: float, right: float, tolerance: float
) -> float:
    for _ in range(MAX_STEPS):
        middle = (left + right) / 2
        if right - left <= 2 * tolerance * right or middle in (left, right):
            break
        if curve(middle).lower > level:
            left = middle
        else:
            right = middle
    return left
