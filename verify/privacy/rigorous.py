"""δ of Gaussian mechanisms from below and above, in interval arithmetic: what witnesses and proofs of this
folder rest on.

Shares nothing with `bounds.privacy`, which finds the numbers: that one uses Arb's erfc, this one mpmath's
intervals and two classical enclosures of the normal tail, in whole numbers. For x ≥ 0, with φ the normal density,

- Φ(x) − 1/2 = φ(x) Σ_k x^(2k+1)/(2k+1)!!, positive terms t_k; from t_k on they sum to at most t_k/(1 −
  x²/(2k+3));
- Φ(−x)/φ(x) lies between successive convergents of 1/(x + 1/(x + 2/(x + 3/(x + …)))) (Laplace; Shenton 1954).

Everything returned is a Fraction, rounded to the safe side at fifteen decimals.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

from mpmath import libmp
from mpmath.ctx_iv import MPIntervalContext

iv: Any = MPIntervalContext()
iv.dps = 40
DECIMALS = 10**15
BITS = 140
"""The tail is taken at multiples of 2^−BITS, on both sides of where it is asked for."""
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
    low, high = _tail_at(math.ceil(_exact(x.b) * 2**BITS)), _tail_at(math.floor(_exact(x.a) * 2**BITS))
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


@lru_cache(maxsize=1 << 12)
def _tail_at(x: int) -> Interval:
    """Φ(−x/2^BITS)."""
    if x < 0:
        return 1 - _tail_at(-x)
    at = iv.mpf(x) / 2**BITS
    density = iv.exp(-at * at / 2) / iv.sqrt(2 * iv.pi)
    return 0.5 - density * _series(x) if x < SERIES_BELOW << BITS else density * _convergents(x)


def _series(x: int) -> Interval:
    """Both sides of the series at x/2^BITS, each term rounded down and up to a multiple of 2^−BITS."""
    square, one = x * x, 1 << 2 * BITS
    low = high = x
    total, most, k = 0, 0, 0
    while k < 10 or high > 1:
        total, most, k = total + low, most + high, k + 1
        low, high = low * square // ((2 * k + 1) * one), -(-high * square // ((2 * k + 1) * one))
    last = (2 * k + 3) * one
    most += -(-high * last // (last - square))
    return iv.mpf([iv.mpf(total).a, iv.mpf(most).b]) / 2**BITS


def _convergents(x: int) -> Interval:
    """Between two successive convergents at x/2^BITS, which are exact: the k-th numerator and denominator, in
    units of 2^−(k BITS)."""
    one = 1 << 2 * BITS
    top, before = 1 << BITS, 0
    bottom, earlier = x, 1
    for k in range(1, math.ceil(Fraction(DEPTH * one, x * x)) + 2):
        top, before = x * top + k * one * before, top
        bottom, earlier = x * bottom + k * one * earlier, bottom
    ends = number(Fraction(top, bottom)), number(Fraction(before, earlier))
    return iv.mpf([min(end.a for end in ends), max(end.b for end in ends)])


def _exact(endpoint: Interval) -> Fraction:
    """The endpoint of an interval as the rational that it is."""
    numerator, denominator = libmp.to_rational(endpoint._mpi_[0])
    return Fraction(int(numerator), int(denominator))
