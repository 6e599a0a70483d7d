"""Certified δ of the papers' mechanisms, for witnesses and proofs: fractions in, a fraction on the safe
side out.

Two elementary bounds carry everything, for sensitivity s and noise of standard deviation σ on each release:

- J releases in which the client surely takes part have δ(ε) = δ(ε; μ) with μ² = s² J/σ²;
- if it takes part visibly with probability p in each of J releases, δ(ε) = Σ_N P(N) δ(ε; μ_N), and any part
  of the sum is a lower bound.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from verify.privacy.rigorous import Interval, above, below, gaussian_delta, log, number

NEARLY = 1 - Fraction(1, 10**6)
"""Norm_α(v) is shorter than 1 and comes as near to it as one likes: lower bounds of δ are for messages of this length."""


def log_inverse(delta: Fraction) -> Interval:
    """ln(1/δ)."""
    return log(number(1 / Fraction(delta)))


def certain(
    epsilon: Fraction, releases: int | Fraction, sigma_squared: Interval, sensitivity: Fraction | int
) -> Interval:
    """δ(ε) of `releases` Gaussian releases."""
    return gaussian_delta(number(epsilon), number(Fraction(sensitivity) ** 2 * releases) / sigma_squared)


def least_certain(epsilon: Fraction, releases: int, sigma_squared: Interval, sensitivity: int) -> Fraction:
    """A lower bound of that δ, `NEARLY` the sensitivity being reached."""
    return below(certain(epsilon, releases, sigma_squared, NEARLY * sensitivity))


def most_certain(epsilon: Fraction, releases: int, sigma_squared: Interval, sensitivity: int) -> Fraction:
    """An upper bound of that δ."""
    return above(certain(epsilon, releases, sigma_squared, sensitivity))


def least_visible(
    epsilon: Fraction, releases: int, p: Fraction, sigma_squared: Interval, sensitivity: int, counts: range
) -> Fraction:
    """A lower bound of δ(ε) under visible participation: the part of the sum over N in `counts`."""
    total = number(0)
    for n in counts:
        mass = comb(releases, n) * p**n * (1 - p) ** (releases - n)
        total += number(mass) * certain(epsilon, n, sigma_squared, NEARLY * sensitivity)
    return below(total)


def most_visible(
    epsilon: Fraction, releases: int, p: Fraction, sigma_squared: Interval, sensitivity: int, counts: range
) -> Fraction:
    """An upper bound of it: outside `counts` a loss is certain."""
    total, counted = number(0), Fraction(0)
    for n in counts:
        mass = comb(releases, n) * p**n * (1 - p) ** (releases - n)
        counted += mass
        total += number(mass) * certain(epsilon, n, sigma_squared, sensitivity)
    return above(total + number(1 - counted))


def least_visible_often(
    epsilon: Fraction, releases: int, p: Fraction, sigma_squared: Interval, sensitivity: int
) -> Fraction:
    """A cruder one, for any number of releases: with probability 1 − 4(1 − p)/(Jp) at least it takes part Jp/2 times
    (Chebyshev)."""
    expected = releases * Fraction(p)
    often, mass = int(expected / 2), 1 - 4 * (1 - p) / expected
    if often == 0 or mass <= 0:
        return Fraction(0)
    return below(number(mass) * certain(epsilon, often, sigma_squared, NEARLY * sensitivity))
