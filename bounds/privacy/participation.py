"""Visible participation: the exact curve is a mixture over how often the client took part.

The adversary sees N ~ Binomial(K, p), which says nothing of the data; given N the releases are Gaussian with
μ_N = s √N / σ. A divergence of mixtures with a visible index is the mean of the divergences, so

    δ(ε) = Σ_N P(N) δ(ε; s √N / σ).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from flint import arb, ctx

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
