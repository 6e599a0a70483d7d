"""Runs of Algorithm 1 in exact fractions, and bounds on them that hold for any Gaussian noise.

Everything here is `Fraction` arithmetic on explicit piecewise quadratic functions of one variable; no
solver, no formula of the proofs. What Gaussian noise does is only ever bounded, never sampled: E|a + ξ| ≥
|a| (Jensen), E max_j |ξ_1 + … + ξ_j|^p ≥ λ^p P(·) (Doob).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

ZERO = Fraction(0)


@dataclass(frozen=True)
class Ramp:
    """An even convex function: h(0) = 0 and h'(w) grows linearly between the points (distance, slope), flat
    after the last.

    Its smoothness constant is the largest growth of h' and its Lipschitz constant the last slope.
    """

    points: tuple[tuple[Fraction, Fraction], ...]
    centre: Fraction = ZERO

    def gradient(self, w: Fraction) -> Fraction:
        left, slope, x = ZERO, ZERO, abs(w - self.centre)
        for right, height in self.points:
            if x <= right:
                slope += (height - slope) * (x - left) / (right - left)
                break
            left, slope = right, height
        return slope if w >= self.centre else -slope

    def __call__(self, w: Fraction) -> Fraction:
        total, left, slope, x = ZERO, ZERO, ZERO, abs(w - self.centre)
        for right, height in self.points:
            end = min(x, right)
            reached = slope + (height - slope) * (end - left) / (right - left)
            total += (slope + reached) / 2 * (end - left)
            if x <= right:
                return total
            left, slope = right, height
        return total + slope * (x - left)

    @property
    def smoothness(self) -> Fraction:
        left, slope, most = ZERO, ZERO, ZERO
        for right, height in self.points:
            most, left, slope = max(most, (height - slope) / (right - left)), right, height
        return most

    @property
    def lipschitz(self) -> Fraction:
        return self.points[-1][1]

    @property
    def convex(self) -> bool:
        slopes = [ZERO, *(height for _, height in self.points)]
        places = [ZERO, *(right for right, _ in self.points)]
        return sorted(slopes) == slopes and all(a < b for a, b in pairwise(places))


def huber(L: Fraction, slope: Fraction, centre: Fraction = ZERO) -> Ramp:
    """L w²/2 up to the given slope, then linear."""
    return Ramp(((slope / L, slope),), centre)


def update(f: Ramp, w: Fraction, eta: Fraction, E: int) -> Fraction:
    """u = (w − w_E)/η after E gradient steps: Algorithm 1, lines 5 to 9."""
    x = w
    for _ in range(E):
        x -= eta * f.gradient(x)
    return (w - x) / eta


def clip(u: Fraction, C: Fraction) -> Fraction:
    return u if abs(u) <= C else norm(u, C)


def norm(u: Fraction, C: Fraction) -> Fraction:
    """Algorithm 1, line 11. Raises `ZeroDivisionError` at u = 0, where the paper leaves it undefined."""
    return C * u / abs(u)


Operator = Callable[[Fraction, Fraction], Fraction]


def round_without_noise(
    f: tuple[Ramp, ...], w: Fraction, eta: Fraction, E: int, C: Fraction, r: Fraction, operator: Operator,
    chosen: tuple[int, ...],
) -> Fraction:  # fmt: skip
    """One round of Algorithm 1 without its noise, when the clients `chosen` take part."""
    return w - eta * sum((operator(update(f[i], w, eta, E), C) for i in chosen), ZERO) / r
