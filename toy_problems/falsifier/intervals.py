"""Intervals with rational ends, for exact statements about numbers with roots in them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from toy_problems.falsifier.exact import WitnessError

GRID = 2**320
"""Ends are multiples of 1/GRID, rounded outwards: written out in full they would double in length with every
operation."""


FINE = 2**1024
"""For memories that hundreds of rounds feed."""


class Undecided(WitnessError):
    """An interval is too wide to decide what was asked, or holds 0 where one divides by it."""


@dataclass(frozen=True)
class Interval:
    """low ≤ the number meant ≤ high."""

    low: Fraction
    high: Fraction

    @classmethod
    def of(cls, value: Fraction | int) -> Interval:
        """A rational, exactly."""
        return cls(Fraction(value), Fraction(value))

    @classmethod
    def around(cls, low: Fraction, high: Fraction, grid: int = GRID) -> Interval:
        """The least interval with ends at multiples of 1/grid that holds both."""
        return cls(Fraction(low * grid // 1, grid), Fraction(-(-high * grid // 1), grid))

    def sign(self) -> int:
        """The sign of the number. Raises `Undecided` where the interval does not decide it."""
        if self.low > 0 or self.high < 0 or self.low == self.high:
            return (self.low > 0) - (self.high < 0)
        raise Undecided(f"the sign of a number between {float(self.low)} and {float(self.high)}")

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other: Interval) -> Interval:
        products = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval.around(min(products), max(products))

    def __truediv__(self, other: Interval) -> Interval:
        if other.low <= 0 <= other.high:
            raise Undecided(f"division by a number between {float(other.low)} and {float(other.high)}")
        return self * Interval(1 / other.high, 1 / other.low)

    def square(self) -> Interval:
        """The square, which is ≥ 0 where the product of two unrelated numbers might not be."""
        ends = (self.low**2, self.high**2)
        least = Fraction(0) if self.low <= 0 <= self.high else min(ends)
        return Interval.around(least, max(ends))

    def root(self) -> Interval:
        """√ of a number that is ≥ 0."""
        low, high = max(self.low, Fraction(0)), max(self.high, Fraction(0))
        return Interval(
            Fraction(isqrt(int(low * GRID**2)), GRID), Fraction(isqrt(int(high * GRID**2) + 1) + 1, GRID)
        )


ZERO = Interval.of(0)


def total(terms: list[Interval]) -> Interval:
    """Σ terms."""
    return sum(terms, ZERO)


def inner(one: list[Interval], two: list[Interval]) -> Interval:
    """⟨one, two⟩."""
    return total([a * b for a, b in zip(one, two, strict=True)])


def norm(vector: list[Interval]) -> Interval:
    """‖vector‖."""
    return total([a.square() for a in vector]).root()
