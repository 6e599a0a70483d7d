"""Visible participation: the exact curve is a mixture over how often the client took part.

The adversary sees N ~ Binomial(K, p), which says nothing of the data; given N the releases are Gaussian with
μ_N = s √N / σ. A divergence of mixtures with a visible index is the mean of the divergences, so

    δ(ε) = Σ_N P(N) δ(ε; s √N / σ).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from flint import arb, ctx
from scipy.optimize import root_scalar
from scipy.special import log_ndtr, logsumexp

from bounds.privacy.enclosure import Enclosure
from bounds.privacy.gaussian import bounds_of, repeated_delta

NEGLIGIBLE = 1e-18
"""Binomial masses below this are not summed; the upper side counts what they leave out as δ = 1. A smaller δ asks for a smaller
one (`negligible`)."""
PRECISION = 128
GROUPS = 1 << 11
"""Values of N are taken in at most so many groups: each costs a curve."""
MANY = 1e8
"""Above this variance of N all its values are one group, some 18 of its standard deviations wide."""


@dataclass(frozen=True)
class Count:
    """N lies in [n, most] with a probability between the two sides."""

    n: int
    most: int
    lower: float
    upper: float


def negligible(delta: float) -> float:
    """What may be left out of the law of N where δ is asked for."""
    return min(NEGLIGIBLE, max(1e-6 * delta, 1e-305))


def visible_delta(
    epsilon: float,
    sensitivity: float,
    sigma: float,
    rounds: int,
    participation: float,
    left: float = NEGLIGIBLE,
) -> Enclosure:
    """δ(ε) where the adversary sees every message of every client and who sent it; masses of N below `left` are left out."""
    counts, left_out = participations(rounds, participation, left)
    lower, upper = 0.0, left_out
    for count in counts:
        if count.n:
            curve = repeated_delta(epsilon, sensitivity, sigma, count.n)
            lower += count.lower * curve.lower
        if count.most:
            if count.most > count.n:
                curve = repeated_delta(epsilon, sensitivity, sigma, count.most)
            upper += count.upper * curve.upper
    slack = 4e-16 * (len(counts) + 4)  # the rounding of the sums
    always = repeated_delta(epsilon, sensitivity, sigma, rounds).upper  # no N gives more
    return Enclosure(lower * (1 - slack), min(1.0, upper * (1 + slack), always))


def visible_epsilon_guess(
    delta: float, sensitivity: float, sigma: float, rounds: int, participation: float
) -> float:
    """A float near the ε at which `visible_delta` is δ, for an enclosure to start from; ∞ where μ leaves the floats."""
    counts, _ = participations(rounds, participation, negligible(delta))
    law = np.array([(c.most, math.log(c.upper)) for c in counts if c.most and c.upper > 0])
    if not len(law):
        return 1.0
    log_mass = law[:, 1]
    with np.errstate(over="ignore"):
        mu = sensitivity * np.sqrt(law[:, 0]) / sigma
        farthest = float(np.square(mu.max()))
    if math.isinf(farthest):
        return farthest

    @np.errstate(invalid="ignore", divide="ignore")
    def excess(log_epsilon: float) -> float:
        e = math.exp(log_epsilon)
        first, second = log_ndtr(mu / 2 - e / mu), e + log_ndtr(-mu / 2 - e / mu)
        terms = log_mass + first + np.log(-np.expm1(np.minimum(second - first, -1e-16)))
        had = np.asarray(logsumexp(terms[~np.isnan(terms)])).item()  # nan: −∞ less −∞, a curve that is 0
        return max(had - math.log(delta), -1e6)

    low, high = math.log(1e-12), math.log(max(1.0, farthest))
    while excess(high) > 0:
        high += 1.0
    if excess(low) <= 0:
        return 1e-12
    return math.exp(root_scalar(excess, bracket=(low, high), method="brentq", xtol=1e-13).root)


@lru_cache(maxsize=64)
def participations(
    rounds: int, participation: float, left: float = NEGLIGIBLE
) -> tuple[tuple[Count, ...], float]:
    """The law of N but for masses below `left`, and an upper side of what is left out."""
    if participation == 1:
        return (Count(rounds, rounds, 1.0, 1.0),), 0.0
    if rounds * participation * (1 - participation) > MANY:
        return _window(rounds, participation, left), left
    before = ctx.prec
    ctx.prec = PRECISION - round(math.log2(left))
    try:
        p = arb(participation)
        mode = min(rounds, int((rounds + 1) * participation))
        masses = {mode: _mass(rounds, mode, p)}
        for step in (-1, 1):
            n, mass = mode, masses[mode]
            while 0 <= n + step <= rounds:
                odds = p / (1 - p)
                mass = (
                    mass * (rounds - n) / (n + 1) * odds if step == 1 else mass * n / (rounds - n + 1) / odds
                )
                n += step
                if mass.upper() < left:
                    break
                masses[n] = mass
        size = -(-len(masses) // GROUPS)
        order = sorted(masses)
        groups = [order[start : start + size] for start in range(0, len(order), size)]
        counts = tuple(
            Count(
                group[0],
                group[-1],
                *(max(0.0, b) for b in bounds_of(sum((masses[n] for n in group), arb(0)))),
            )
            for group in groups
        )
        left_out = max(0.0, bounds_of(1 - sum(masses.values(), arb(0)))[1])
        return counts, left_out
    finally:
        ctx.prec = before


def _window(rounds: int, participation: float, left: float) -> tuple[Count, ...]:
    """One group of all N but `left`, by Bernstein's inequality: P(|N − Kp| ≥ t) ≤ 2 exp(−t²/(2(Kp(1 − p) + t/3)))."""
    L = math.log(2) - math.log(left)
    mean = rounds * participation
    t = (L / 3 + math.sqrt((L / 3) ** 2 + 2 * L * mean * (1 - participation))) * (1 + 1e-12) + 1e-12 * mean
    few, many = max(0, math.floor(mean - t)), min(rounds, math.ceil(mean + t))
    return (Count(few, many, math.nextafter(1 - left, 0), 1.0),)


def _mass(rounds: int, n: int, p: arb) -> arb:
    log_binomial = arb(rounds + 1).lgamma() - arb(n + 1).lgamma() - arb(rounds - n + 1).lgamma()
    return (log_binomial + n * p.log() + (rounds - n) * (1 - p).log()).exp()
