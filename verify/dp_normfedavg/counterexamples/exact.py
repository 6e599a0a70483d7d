"""Runs of Algorithm 1 in exact fractions, and bounds on them that hold for any Gaussian noise.

Everything here is `Fraction` arithmetic on explicit piecewise quadratic functions of one variable; no
solver, no formula of the proofs. What Gaussian noise does is only ever bounded, never sampled: E|a + ξ| ≥
|a| (Jensen), E max_j |ξ_1 + … + ξ_j|^p ≥ λ^p P(·) (Doob).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.curves import Curve

ZERO = Fraction(0)


def update(f: Curve, w: Fraction, eta: Fraction, E: int) -> Fraction:
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
    f: tuple[Curve, ...], w: Fraction, eta: Fraction, E: int, C: Fraction, r: Fraction, operator: Operator,
    chosen: tuple[int, ...],
) -> Fraction:  # fmt: skip
    """One round of Algorithm 1 without its noise, when the clients `chosen` take part."""
    return w - eta * sum((operator(update(f[i], w, eta, E), C) for i in chosen), ZERO) / r
