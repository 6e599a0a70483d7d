"""Functions on the line that fractions can follow: piecewise quadratic ones, which carry the exact witnesses, and their sums.

Nothing here is shared with `toy_problems/` or with a solver.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

ZERO = Fraction(0)


@dataclass(frozen=True)
class Curve:
    """A function on the line with a piecewise-linear continuous derivative, constant outside the knots.

    knots: increasing places. slopes: f' at each knot. origin: the value of f at the first knot. It is smooth with constant
    `smoothness`, and its infimum is `infimum` (which exists where f' ≤ 0 on the left end and ≥ 0 on the right end). Raises
    `ValueError` where the knots do not increase: `smoothness` would be negative, and so below every L.
    """

    knots: tuple[Fraction, ...]
    slopes: tuple[Fraction, ...]
    origin: Fraction = ZERO

    def __post_init__(self) -> None:
        if len(self.knots) != len(self.slopes) or any(b <= a for a, b in pairwise(self.knots)):
            raise ValueError(f"knots increase, and each has a slope: {self.knots}, {self.slopes}")

    def gradient(self, x: Fraction) -> Fraction:
        if x <= self.knots[0]:
            return self.slopes[0]
        if x > self.knots[-1]:
            return self.slopes[-1]
        i = bisect_left(self.knots, x)
        (a, b), (s, t) = self.knots[i - 1 : i + 1], self.slopes[i - 1 : i + 1]
        return s + (t - s) * (x - a) / (b - a)

    def value(self, x: Fraction) -> Fraction:
        """f(x), by trapezia: exact for a piecewise-linear derivative."""
        total, first = self.origin, self.knots[0]
        if x <= first:
            return total + self.slopes[0] * (x - first)
        for (a, b), (s, t) in zip(pairwise(self.knots), pairwise(self.slopes), strict=True):
            if x <= b:
                return total + (s + s + (t - s) * (x - a) / (b - a)) / 2 * (x - a)
            total += (s + t) / 2 * (b - a)
        return total + self.slopes[-1] * (x - self.knots[-1])

    def __call__(self, x: Fraction) -> Fraction:
        return self.value(x)

    @property
    def smoothness(self) -> Fraction:
        pairs = zip(pairwise(self.knots), pairwise(self.slopes), strict=True)
        return max(abs(t - s) / (b - a) for (a, b), (s, t) in pairs)

    @property
    def lipschitz(self) -> Fraction:
        return max(abs(slope) for slope in self.slopes)

    @property
    def convex(self) -> bool:
        return all(s <= t for s, t in pairwise(self.slopes))

    @property
    def infimum(self) -> Fraction:
        """The least value; raises `ValueError` where f is not bounded below."""
        if self.slopes[0] > 0 or self.slopes[-1] < 0:
            raise ValueError(f"not bounded below: end slopes {self.slopes[0]} and {self.slopes[-1]}")
        least = level = self.origin
        for (a, b), (s, t) in zip(pairwise(self.knots), pairwise(self.slopes), strict=True):
            turn = -s * (b - a) / (t - s) if s < 0 < t else ZERO  # how far after a f' = 0
            least = min(least, level + s / 2 * turn)
            level += (s + t) / 2 * (b - a)
            least = min(least, level)
        return least


@dataclass(frozen=True)
class Quadratic:
    """½ curvature (x − centre)², with curvature ≥ 0."""

    curvature: Fraction
    centre: Fraction = ZERO

    def gradient(self, x: Fraction) -> Fraction:
        return self.curvature * (x - self.centre)

    def value(self, x: Fraction) -> Fraction:
        return self.curvature * (x - self.centre) ** 2 / 2

    def __call__(self, x: Fraction) -> Fraction:
        return self.value(x)

    @property
    def smoothness(self) -> Fraction:
        return abs(self.curvature)


def curve(*points: tuple[object, object], level: object = 0, at: object | None = None) -> Curve:
    """A function from points (place, f' there); `level` is its value at the first knot, or at the place `at`."""
    knots = tuple(Fraction(str(a)) for a, _ in points)
    slopes = tuple(Fraction(str(b)) for _, b in points)
    found = Curve(knots, slopes)
    shift = Fraction(str(level)) - (found.value(Fraction(str(at))) if at is not None else 0)
    return Curve(knots, slopes, shift)


def plus(*parts: Curve) -> Curve:
    """The sum of functions. What their second derivatives gain at each knot is added up, so that no function is looked at where it
    has no knot."""
    gains: dict[Fraction, Fraction] = {}
    for part in parts:
        pairs = zip(pairwise(part.knots), pairwise(part.slopes), strict=True)
        rates = (ZERO, *((t - s) / (b - a) for (a, b), (s, t) in pairs), ZERO)
        for knot, (before, after) in zip(part.knots, pairwise(rates), strict=True):
            gains[knot] = gains.get(knot, ZERO) + after - before
    knots = tuple(sorted(gains))
    slopes, rate = [sum((part.slopes[0] for part in parts), ZERO)], ZERO
    for a, b in pairwise(knots):
        rate += gains[a]
        slopes.append(slopes[-1] + rate * (b - a))
    return Curve(knots, tuple(slopes), sum((part.value(knots[0]) for part in parts), ZERO))


def times(factor: Fraction, f: Curve) -> Curve:
    """factor · f: the same function in other units."""
    return Curve(f.knots, tuple(factor * s for s in f.slopes), factor * f.origin)


def mean(parts: Sequence[Curve]) -> Curve:
    """(1/M) Σ f_i."""
    return times(Fraction(1, len(parts)), plus(*parts))


def tilted(f: Curve, slope: Fraction) -> Curve:
    """f(x) + slope · x."""
    return Curve(f.knots, tuple(s + slope for s in f.slopes), f.origin + slope * f.knots[0])


def same(f: Curve, g: Curve) -> bool:
    """Whether two functions are the same."""
    knots = {*f.knots, *g.knots}
    return f.value(f.knots[0]) == g.value(f.knots[0]) and all(f.gradient(t) == g.gradient(t) for t in knots)


def dip(place: object, width: object, factor: int = 1) -> Curve:
    """A dip of depth 2·width² and curvature 1 that starts at `place` and is 6·width long; with factor −1 a hill."""
    a, w = Fraction(str(place)), Fraction(str(width))
    places = [a, a + w, a + 2 * w, a + 3 * w, a + 4 * w, a + 5 * w, a + 6 * w]
    slopes = [0, -1, -1, 0, 1, 1, 0]
    return Curve(tuple(places), tuple(factor * s * w for s in slopes))


def with_dips(functions: Sequence[Curve], places: Sequence[object], width: object) -> list[Curve]:
    """Each function gets a dip at its own place and the next one a hill there: the mean does not change, every
    infimum falls to −2·width² if it was 0 and the places lie where all functions are 0."""
    M = len(functions)
    return (
        [plus(f, dip(places[i], width), dip(places[i - 1], width, -1)) for i, f in enumerate(functions)]
        if M > 1
        else list(functions)
    )


def even(*points: tuple[Fraction, Fraction], centre: Fraction = ZERO) -> Curve:
    """The function h(|x − centre|) with h(0) = h'(0) = 0 and h' through the points (distance, slope), constant after the last."""
    places, slopes = zip((ZERO, ZERO), *points, strict=True)
    at_last = sum(
        ((s + t) / 2 * (b - a) for (a, s), (b, t) in pairwise(zip(places, slopes, strict=True))), ZERO
    )
    knots = (*(centre - place for place in places[:0:-1]), *(centre + place for place in places))
    return Curve(knots, (*(-slope for slope in slopes[:0:-1]), *slopes), at_last)


def huber(L: Fraction, slope: Fraction, centre: Fraction = ZERO) -> Curve:
    """L(x − centre)²/2 up to the given slope, then linear."""
    return even((slope / L, slope), centre=centre)
