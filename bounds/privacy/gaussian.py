"""The exact curve of Gaussian differential privacy, enclosed by ball arithmetic.

K adaptive releases of a vector that moves by at most s, each with noise of standard deviation σ, are
exactly as private as one observation of N(0, 1) against N(μ, 1) with μ = s √K / σ (Dong, Roth and Su 2022,
Corollary 3.3), and

    δ(ε; μ) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ)          (Balle and Wang 2018, Theorem 8).

Floats lose this difference where ε is large, so both terms are balls with a radius (Arb, through
python-flint) and the precision grows until the difference is known to twelve digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from flint import arb, ctx

from bounds.privacy.enclosure import Enclosure, invert_decreasing
from bounds.privacy.setting import check_delta, check_epsilon
from bounds.scalars import plain

RELATIVE_RADIUS = 1e-13
MAX_PRECISION = 1 << 14
ZERO = 1e-300
"""Below this a δ is enclosed by [0, ZERO]: no float could tell it from zero."""


def gaussian_delta(epsilon: float, mu: float) -> Enclosure:
    """δ(ε; μ) for ε ≥ 0 and μ ≥ 0; both floats are taken as exact."""
    epsilon, mu = check_epsilon(epsilon, allow_zero=True), check_mu(mu)
    if mu == 0:
        return Enclosure(0.0, 0.0)
    if math.isinf(mu):
        return Enclosure(1.0, 1.0)
    return _resolved(epsilon, lambda: arb(mu))


def repeated_delta(epsilon: float, sensitivity: float, sigma: float, times: int) -> Enclosure:
    """δ(ε; s √k/σ) of k ≥ 1 releases, for ε ≥ 0. No float stands for μ: ln δ moves by some (ε/μ)² for each unit of ln μ, and so
    would a rounding."""
    return _resolved(epsilon, lambda: arb(sensitivity) * arb(times).sqrt() / arb(sigma))


def _resolved(epsilon: float, mu: Callable[[], arb]) -> Enclosure:
    """The curve to twelve digits; `mu` is asked anew at each precision."""
    precision = 64
    while True:
        value = _curve(epsilon, mu, precision)
        lower, upper = bounds_of(value)
        if upper - lower <= RELATIVE_RADIUS * upper or upper <= ZERO:
            return Enclosure(max(lower, 0.0), min(upper, 1.0))
        if precision >= MAX_PRECISION:
            raise ArithmeticError(
                f"δ({epsilon}; {mu()}) is not resolved with {precision} bits: [{lower}, {upper}]"
            )
        precision *= 2


def gaussian_epsilon(delta: float, mu: float) -> Enclosure:
    """The smallest ε with δ(ε; μ) ≤ δ, for 0 < δ < 1 and 0 ≤ μ."""
    delta, mu = check_delta(delta), check_mu(mu)
    if math.isinf(mu):
        return Enclosure(math.inf, math.inf)
    return _epsilon(delta, mu)


@lru_cache(maxsize=1 << 10)
def _epsilon(delta: float, mu: float) -> Enclosure:
    return invert_decreasing(lambda e: gaussian_delta(e, mu), delta, guess=max(mu * mu / 2, mu, 1e-300))


def gaussian_mu(epsilon: float, delta: float) -> Enclosure:
    """The largest μ with δ(ε; μ) ≤ δ, for ε > 0 and 0 < δ < 1. `lower` is the safe side."""
    epsilon, delta = check_epsilon(epsilon), check_delta(delta)
    inverse = invert_decreasing(lambda t: gaussian_delta(epsilon, 1 / t if t > 0 else math.inf), delta)
    return Enclosure(
        math.nextafter(1 / inverse.upper, 0),
        math.nextafter(1 / inverse.lower, math.inf) if inverse.lower else math.inf,
    )


def certified_mu(epsilon: float, delta: float) -> float:
    """The safe side of `gaussian_mu`, above 0. Raises `ArithmeticError` where no such μ is known."""
    mu = gaussian_mu(epsilon, delta).lower
    if not mu > 0:
        raise ArithmeticError(
            f"no noise is known for ε = {epsilon} and δ = {delta}: they are too far apart for floats; "
            f"take {'a smaller ε' if epsilon > 1 else 'a larger δ'}"
        )
    return mu


def bounds_of(value: arb) -> tuple[float, float]:
    """Floats on both sides of a ball."""
    lower, upper = float(value.lower()), float(value.upper())
    return math.nextafter(lower, -math.inf), math.nextafter(upper, math.inf)


def _curve(epsilon: float, mu: Callable[[], arb], precision: int) -> arb:
    before = ctx.prec
    ctx.prec = precision
    try:
        e, m = arb(epsilon), mu()
        root = arb(2).sqrt()
        first = ((e / m - m / 2) / root).erfc() / 2
        second = e.exp() * ((e / m + m / 2) / root).erfc() / 2
        return first - second
    finally:
        ctx.prec = before


def check_mu(mu: float) -> float:
    """μ as a float, ∞ included."""
    found = plain(mu)
    if not found >= 0:
        raise ValueError(f"μ = {mu} is outside its domain μ >= 0 (sensitivity · √rounds / noise)")
    return float(found)
