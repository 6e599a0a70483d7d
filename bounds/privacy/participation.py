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
from bounds.privacy.gaussian import bounds_of, gaussian_delta

NEGLIGIBLE = 1e-18
"""Binomial masses below this are not summed; the upper side counts what they leave out as δ = 1."""
PRECISION = 128


@dataclass(frozen=True)
class Count:
    """One value of N with its probability from both sides."""

    n: int
    lower: float
    upper: float


def visible_delta(
    epsilon: float, sensitivity: float, sigma: float, rounds: int, participation: float
) -> Enclosure:
    """δ(ε) where the adversary sees every message of every client and who sent it."""
    counts, left_out = participations(rounds, participation)
    lower, upper = 0.0, left_out
    for count in counts:
        if count.n:
            curve = gaussian_delta(epsilon, sensitivity * math.sqrt(count.n) / sigma)
            lower += count.lower * curve.lower
            upper += count.upper * curve.upper
    slack = 4e-16 * (len(counts) + 4)  # the rounding of μ and of the sums; δ is at most 1-Lipschitz in ln μ
    return Enclosure(max(0.0, lower * (1 - slack)), min(1.0, upper * (1 + slack)))


def visible_epsilon_guess(
    delta: float, sensitivity: float, sigma: float, rounds: int, participation: float
) -> float:
    """A float near the ε at which `visible_delta` is δ, for an enclosure to start from."""
    counts, _ = participations(rounds, participation)
    law = np.array([(c.n, math.log(c.upper)) for c in counts if c.n and c.upper > 0])
    mu, log_mass = sensitivity * np.sqrt(law[:, 0]) / sigma, law[:, 1]

    def excess(log_epsilon: float) -> float:
        e = math.exp(log_epsilon)
        first, second = log_ndtr(mu / 2 - e / mu), e + log_ndtr(-mu / 2 - e / mu)
        terms = log_mass + first + np.log(-np.expm1(np.minimum(second - first, -1e-16)))
        return max(np.asarray(logsumexp(terms)).item() - math.log(delta), -1e6)

    low, high = math.log(1e-12), math.log(max(1.0, float(mu.max()) ** 2))
    while excess(high) > 0:
        high += 1.0
    if excess(low) <= 0:
        return 1e-12
    return math.exp(root_scalar(excess, bracket=(low, high), method="brentq", xtol=1e-13).root)


@lru_cache(maxsize=64)
def participations(rounds: int, participation: float) -> tuple[tuple[Count, ...], float]:
    """The law of N, and an upper side of the mass that is left out."""
    if participation == 1:
        return (Count(rounds, 1.0, 1.0),), 0.0
    before = ctx.prec
    ctx.prec = PRECISION
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
                if mass.upper() < NEGLIGIBLE:
                    break
                masses[n] = mass
        counts = tuple(Count(n, *(max(0.0, b) for b in bounds_of(masses[n]))) for n in sorted(masses))
        left_out = max(0.0, bounds_of(1 - sum(masses.values(), arb(0)))[1])
        return counts, left_out
    finally:
        ctx.prec = before


def _mass(rounds: int, n: int, p: arb) -> arb:
    log_binomial = arb(rounds + 1).lgamma() - arb(n + 1).lgamma() - arb(rounds - n + 1).lgamma()
    return (log_binomial + n * p.log() + (rounds - n) * (1 - p).log()).exp()
