"""δ of Gaussian mechanisms from below and above, in interval arithmetic: what witnesses and proofs of this
folder rest on.

Shares nothing with `bounds.privacy`, which finds the numbers: that one uses Arb's erfc, this one mpmath's
intervals and two classical enclosures of the normal tail. For x ≥ 0, with φ the normal density,

- Φ(x) − 1/2 = φ(x) Σ_k x^(2k+1)/(2k+1)!!, positive terms t_k; from t_k on they sum to at most t_k/(1 −
  x²/(2k+3));
- Φ(−x)/φ(x) lies between successive convergents of 1/(x + 1/(x + 2/(x + 3/(x + …)))) (Laplace; Shenton 1954).

Everything returned is a Fraction, rounded to the safe side at fifteen decimals.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from mpmath import libmp
from mpmath.ctx_iv import MPIntervalContext

iv: Any = MPIntervalContext()
iv.dps = 40
DECIMALS = 10**15
SERIES_BELOW = 4
DEPTH = 800
"""Times x⁻²: any two successive convergents enclose; at x = 4, so deep, they differ by 3·10⁻²¹ of themselves, at x = 12,
where the tail is 10⁻³³, by 3·10⁻¹²."""

Interval = Any
"""An interval of mpmath, which has no types of its own."""


def number(x: Fraction | int) -> Interval:
    """An interval that contains the rational x."""
    x = Fraction(x)
    return iv.mpf(x.numerator) / iv.mpf(x.denominator)


def log(x: Interval) -> Interval:
    return iv.log(x)


def sqrt(x: Interval) -> Interval:
    return iv.sqrt(x)


def tail(x: Interval) -> Interval:
    """Φ(−x): decreasing, so that the endpoints suffice."""
    low, high = _tail_at(iv.mpf(x.b)), _tail_at(iv.mpf(x.a))
    return iv.mpf([low.a, high.b])


def gaussian_delta(epsilon: Interval, mu_squared: Interval) -> Interval:
    """δ(ε; μ) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) from μ²."""
    mu = iv.sqrt(mu_squared)
    return tail(epsilon / mu - mu / 2) - iv.exp(epsilon) * tail(epsilon / mu + mu / 2)


def below(x: Interval) -> Fraction:
    """A short rational at or below every point of x."""
    return Fraction(math.floor(_exact(x.a) * DECIMALS), DECIMALS)


def above(x: Interval) -> Fraction:
    """A short rational at or above every point of x."""
    return Fraction(math.ceil(_exact(x.b) * DECIMALS), DECIMALS)


def _tail_at(x: Interval) -> Interval:
    """Φ(−x) at one point."""
    if x.b < 0:
        return 1 - _tail_at(-x)
    density = iv.exp(-x * x / 2) / iv.sqrt(2 * iv.pi)
    if x.b < SERIES_BELOW:
        return iv.mpf(1) / 2 - density * _series(x)
    depth = math.ceil(DEPTH / float(_exact(x.a)) ** 2)
    even, odd = _convergent(x, depth), _convergent(x, depth + 1)
    ratio = iv.mpf([min(even.a, odd.a), max(even.b, odd.b)])
    return density * ratio


def _series(x: Interval) -> Interval:
    total, term, k = iv.mpf(0), x, 0
    while k < 10 or term.b > 1e-40:
        total += term
        k += 1
        term = term * x * x / (2 * k + 1)
    rest = term / (1 - x * x / (2 * k + 3))
    return total + iv.mpf([0, rest.b])


def _convergent(x: Interval, depth: int) -> Interval:
    value = x
    for k in range(depth, 0, -1):
        value = x + k / value
    return 1 / value


def _exact(endpoint: Interval) -> Fraction:
    """The endpoint of an interval as the rational that it is."""
    numerator, denominator = libmp.to_rational(endpoint._mpi_[0])
    return Fraction(int(numerator), int(denominator))
