"""What exact replays stand on: rationals as a witness writes them, derivatives that are linear between knots,
and enclosures. Nothing here knows of the search.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

_RATIONAL = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?")


class WitnessError(ValueError):
    """A witness that is not what it says: malformed, or outside the printed hypotheses."""


@dataclass(frozen=True)
class Verdict:
    """What a replay found. measured: exact. bound: exact, as sympy has it. broken: measured > bound."""

    measured: Fraction
    bound: sympy.Expr
    broken: bool


def rational(text: Any, where: str) -> Fraction:
    """A rational written as "-3/4". Raises `WitnessError` for anything else."""
    if not isinstance(text, str) or not _RATIONAL.fullmatch(text):
        raise WitnessError(f"{where} = {text!r} is not a rational; write it as a string such as '-3/4'")
    return Fraction(text)


def as_sympy(value: Fraction) -> sympy.Expr:
    """The same rational for sympy."""
    return sympy.Rational(value.numerator, value.denominator)


def derivative(knots: Sequence[Fraction], values: Sequence[Fraction], x: Fraction) -> Fraction:
    """f' at x: linear between knots, constant beyond."""
    if x <= knots[0]:
        return values[0]
    for a, b, left, right in zip(knots, knots[1:], values, values[1:], strict=False):
        if x <= b:
            return left + (right - left) * (x - a) / (b - a)
    return values[-1]


def smoothness(knots: Sequence[Fraction], values: Sequence[Fraction]) -> Fraction:
    """The smallest L for which f is L-smooth."""
    pieces = zip(knots, knots[1:], values, values[1:], strict=False)
    return max(abs(right - left) / (b - a) for a, b, left, right in pieces)


def depth(knots: Sequence[Fraction], values: Sequence[Fraction], start: Fraction) -> Fraction:
    """f(start) − f^inf. Raises `WitnessError` if f has no lower bound."""
    if values[0] > 0 or values[-1] < 0:
        raise WitnessError("f has no lower bound: f' must end ≤ 0 on the left and ≥ 0 on the right")
    points = set(knots) | {start}
    for a, b, left, right in zip(knots, knots[1:], values, values[1:], strict=False):
        if left < 0 < right:
            points.add(a - left * (b - a) / (right - left))
    ordered = sorted(points)
    height, heights = Fraction(0), {ordered[0]: Fraction(0)}
    for a, b in itertools.pairwise(ordered):
        height += (derivative(knots, values, a) + derivative(knots, values, b)) * (b - a) / 2
        heights[b] = height
    return heights[start] - min(heights.values())


GRID = 2**1024
"""Memories are enclosed between multiples of 1/GRID: written out as fractions they would double in length
every round."""


@dataclass(frozen=True)
class Enclosure:
    """low ≤ value ≤ high, both multiples of 1/GRID."""

    low: Fraction
    high: Fraction

    @classmethod
    def around(cls, low: Fraction, high: Fraction) -> Enclosure:
        """The smallest enclosure of [low, high]."""
        return cls(Fraction(low * GRID // 1, GRID), Fraction(-(-high * GRID // 1), GRID))

    def sign(self) -> int:
        """The sign of the value. Raises `WitnessError` where the enclosure does not decide it."""
        if self.low > 0 or self.high < 0 or self.low == self.high:
            return (self.low > 0) - (self.high < 0)
        raise WitnessError(
            f"the sign of a number between {float(self.low)} and {float(self.high)} is not decided"
        )


def mean_row(rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """The mean of rows, entry by entry."""
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]
