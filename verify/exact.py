"""Algorithms run exactly: plain fractions on the line, written as literally as the papers print them.

Nothing here is shared with `methods/` or with a solver. In one dimension norms are absolute values, so a run of a normalised
method stays rational.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
        for (a, b), (s, t) in zip(pairwise(self.knots), pairwise(self.slopes), strict=True):
            if x <= b:
                return s + (t - s) * (x - a) / (b - a)
        return self.slopes[-1]

    def value(self, x: Fraction) -> Fraction:
        """f(x), by trapezia: exact for a piecewise-linear derivative."""
        total, first = self.origin, self.knots[0]
        if x <= first:
            return total + self.slopes[0] * (x - first)
        for (a, b), s in zip(pairwise(self.knots), self.slopes, strict=False):
            end = min(x, b)
            total += (s + self.gradient(end)) / 2 * (end - a)
            if x <= b:
                return total
        return total + self.slopes[-1] * (x - self.knots[-1])

    @property
    def smoothness(self) -> Fraction:
        pairs = zip(pairwise(self.knots), pairwise(self.slopes), strict=True)
        return max(abs(t - s) / (b - a) for (a, b), (s, t) in pairs)

    @property
    def infimum(self) -> Fraction:
        """The least value; raises `ValueError` where f is not bounded below."""
        if self.slopes[0] > 0 or self.slopes[-1] < 0:
            raise ValueError(f"not bounded below: end slopes {self.slopes[0]} and {self.slopes[-1]}")
        places = list(self.knots)
        for (a, b), (s, t) in zip(pairwise(self.knots), pairwise(self.slopes), strict=True):
            if s * t < 0:
                places.append(a - s * (b - a) / (t - s))
        return min(self.value(x) for x in places)


@dataclass(frozen=True)
class Quadratic:
    """½ curvature (x − centre)², with curvature ≥ 0."""

    curvature: Fraction
    centre: Fraction = ZERO

    def gradient(self, x: Fraction) -> Fraction:
        return self.curvature * (x - self.centre)

    def value(self, x: Fraction) -> Fraction:
        return self.curvature * (x - self.centre) ** 2 / 2

    @property
    def smoothness(self) -> Fraction:
        return abs(self.curvature)


def normalise(alpha: Fraction, v: Fraction) -> Fraction:
    """Norm_α on the line, with 0/0 = 0."""
    return v / (alpha + abs(v)) if v else ZERO


def sign(v: Fraction) -> Fraction:
    """v/|v| with 0/0 = 0."""
    return Fraction((v > 0) - (v < 0))


@dataclass(frozen=True)
class Run:
    """The iterates x⁰, …, x^{K+1} of a run, the clients' memories g_i^k and the server's ĝ^k."""

    x: tuple[Fraction, ...]
    memories: tuple[tuple[Fraction, ...], ...]
    server: tuple[Fraction, ...]


def alpha_normec(
    gradients: Sequence[Callable[[Fraction], Fraction]],
    x: Fraction,
    memories: Sequence[Fraction],
    alpha: Fraction,
    beta: Fraction,
    gamma: Fraction,
    iterations: int,
    noise: Callable[[int, int], Fraction] = lambda k, i: ZERO,
    start: Fraction | None = None,
) -> Run:
    """Algorithm 1 of α-NormEC, lines 1 to 13, for k = 0, …, iterations − 1 (the paper's K + 1 iterations).

    start: ĝ⁰; the mean of the memories, as Algorithm 1 asks, where it is None.
    """
    n = len(gradients)
    g = list(memories)
    server = sum(g, ZERO) / n if start is None else start
    xs, gs, hats = [x], [tuple(g)], [server]
    for k in range(iterations):
        sent = []
        for i in range(n):
            delta = normalise(alpha, gradients[i](x) - g[i])
            g[i] = g[i] + beta * delta
            sent.append(delta + noise(k, i))
        server = server + beta / n * sum(sent, ZERO)
        x = x - gamma * sign(server)
        xs.append(x)
        gs.append(tuple(g))
        hats.append(server)
    return Run(tuple(xs), tuple(gs), tuple(hats))
