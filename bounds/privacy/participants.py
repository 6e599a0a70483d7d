"""Sums whose participants are seen: the exact curve is a mixture over how much noise the client's messages were hidden in.

In a round the client is one of m participants with probability p Binomial(n − 1, p)(m − 1), which says nothing of the data and
is seen; its message then moves N(0, m σ²) by the sensitivity s, and nothing moves otherwise. Given the m of all rounds the
releases are one Gaussian of μ² = s² S/σ², S = Σ 1/m over the rounds in which the client took part (Dong, Roth and Su 2022,
Corollary 3.3), and a divergence of mixtures with a visible index is the mean of the divergences:

    δ(ε) = E δ(ε; s √S/σ).

The law of S knows neither σ nor ε. It is taken on a grid of 1/H, each 1/m rounded up for the upper side and down for the lower
one, and composed like a loss (`bounds.privacy.losses`), which also says what floats and the window cost. δ grows with μ, so
sides stay sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr

from bounds.privacy.enclosure import Enclosure
from bounds.privacy.losses import TAIL, Array, Float, Losses
from bounds.privacy.participation import Count, participations
from bounds.privacy.setting import Setting

CELLS = 1 << 20
"""Cells of the law of S, some 18 of its standard deviations: a grid step then is 18 √(Kp)/CELLS of a usual 1/m, and rounding costs
half of that in μ², a quarter in σ."""
FIRST_CELLS = 1 << 12
"""Cells of one round's 1/m on the grid that says how wide the law of S is."""
GROUPS = 1 << 13
"""The law of S is read in at most about so many groups, equally wide in ln S: each costs a curve."""
FARTHEST = -37.0
"""Where Φ is below 6e-300, no float tells it from 0: Φ(−38.6) is none."""
FLAT = 1e6
"""The y beyond which floats are no longer trusted: there they are off by 4e-3 of Φ(x), and ε is beyond 10¹¹."""
NOTHING = 1e-299
"""More than a curve can have where it is not read."""
FINEST = 1e-13
"""Relative: how far an ε is first moved from where the float curve has its δ, to a point where its side is certain."""
LARGEST = 1e300
"""No ε is looked for beyond."""


@dataclass(frozen=True)
class Law:
    """One side of the law of S where it is above 0. squares: S, ascending; masses: of the same shape, ≥ 0; error: what they leave
    out or err by in all. side: 1 where no S is understated, −1 where none is overstated."""

    squares: Array
    masses: Array
    error: float
    side: int

    def delta(self, epsilon: float, scale: float) -> float:
        """δ(ε) for μ = scale · √S, on the law's side.

        With x = μ/2 − ε/μ, y = μ/2 + ε/μ it is Φ(x) − e^ε Φ(−y), where x, ε − y²/2 and the two Φ are off by some u(1 + y)², u = 2⁻⁵³,
        relative to Φ(x): 4 of them by the roundings of x and y, y²/2 and its own. 32 are counted, and beyond `FLAT` nothing is
        said."""
        with np.errstate(over="ignore", invalid="ignore"):
            mu = scale * np.sqrt(self.squares) * (1 + self.side * 1e-15)
            away = mu / 2 - epsilon / mu
            start = int(np.searchsorted(away, FARTHEST))
            near, mu = away[start:], mu[start:]
            y = mu / 2 + epsilon / mu
            first = ndtr(near)
            curve = np.maximum(first - np.exp(epsilon + log_ndtr(-y)), 0.0)
            slack = np.where(y < FLAT, 32 * 2.0**-53 * (1 + y) ** 2 * first, 1.0)
            sides = np.clip(curve + self.side * slack, 0.0, 1.0)
        # The sum of at most GROUPS products, each off by u and by u for each that is added.
        total = float(sides @ self.masses[start:]) * (1 + self.side * (GROUPS + 4) * 2.0**-53)
        return min(1.0, max(0.0, total + self.side * (self.error + NOTHING)))


def participants_delta(setting: Setting, sigma: float, epsilon: float) -> Enclosure:
    """δ(ε) where sums and who took part are seen, p < 1."""
    lower, upper = (_law(setting, side).delta(epsilon, setting.sensitivity / sigma) for side in (-1, 1))
    return Enclosure(lower, upper)


def participants_epsilon(setting: Setting, sigma: float, delta: float, both: bool = True) -> Enclosure:
    """ε(δ) where sums and who took part are seen, p < 1. both: or the upper side alone, the lower one being 0. A side that
    cannot be certified is 0 or ∞, as the upper one is for a δ below what rounding can add."""
    upper = _crossing(setting, sigma, delta, 1)
    lower = _crossing(setting, sigma, delta, -1) if both else 0.0
    return Enclosure(min(lower, upper), upper)


def _law(setting: Setting, side: int) -> Law:
    return law(setting.clients, setting.participation, setting.rounds, side)


def _crossing(setting: Setting, sigma: float, delta: float, side: int) -> float:
    """Where the curve is certainly at most δ (side = 1; ∞ where that is nowhere), or certainly above (side = −1; else 0)."""
    one, scale = _law(setting, side), setting.sensitivity / sigma

    def curve(epsilon: float) -> float:
        return one.delta(epsilon, scale)

    if curve(0.0) <= delta:
        return 0.0
    high = 1.0
    while curve(high) > delta:
        high *= 2
        if high > LARGEST:
            return math.inf if side > 0 else 0.0
    found: Any = brentq(lambda e: math.log(max(curve(e), 1e-320) / delta), 0.0, high, xtol=1e-14)
    width = FINEST
    while width < 1:
        at = found * (1 + side * width)
        if (curve(at) <= delta) == (side > 0):
            return at
        width *= 4
    return high if side > 0 else 0.0


@lru_cache(maxsize=8)
def law(clients: int, participation: float, rounds: int, side: int) -> Law:
    """A side of the law of S."""
    counts, left_out = participations(clients - 1, participation)
    grid = FIRST_CELLS * (counts[0].n + 1)
    first, last = _one(counts, participation, grid, 1).window(rounds)
    # Where the law is narrower than what rounding to a grid that holds it would cost, its two ends are the sides.
    concentrated = rounds * participation > CELLS
    cells = FIRST_CELLS if concentrated else max(FIRST_CELLS, last - first + 1)
    one = _one(counts, participation, grid := grid * CELLS // cells, side)
    error = -math.expm1(rounds * math.log1p(-min(participation * left_out, 0.5))) * (1 + 1e-12)
    if concentrated:
        end = one.window(rounds)[(side + 1) // 2]
        return Law(np.array([end / grid]), np.array([1.0]), error + TAIL, side)
    composed = one.composed(rounds)
    squares = (composed.first + np.arange(len(composed.masses), dtype=float)) / grid
    # What is no larger than what the transforms err by is mostly that: it is left out, and costs no more than it has cost.
    some = composed.masses > composed.error / len(squares)
    return _grouped(squares[some], composed.masses[some], error + 2 * composed.error, side)


def _one(counts: tuple[Count, ...], participation: float, grid: int, side: int) -> Losses:
    """1/m of one round where the client takes part, 0 where it does not, in units of 1/grid."""
    length = -(-grid // (counts[0].n + 1)) + 1
    masses = np.zeros(length, Float)
    masses[0] = 1 - Float(participation)
    for count in counts:
        if side > 0:
            masses[-(-grid // (count.n + 1))] += Float(participation) * count.upper
        else:
            masses[grid // (count.most + 1)] += Float(participation) * count.lower
    return Losses(1.0, 0, masses, 0.0, 0.0)


def _grouped(squares: Array, masses: Array, error: float, side: int) -> Law:
    """Neighbouring S as one, the largest of them for the upper side, the smallest for the lower one; without S = 0."""
    squares, masses = squares[squares > 0], masses[squares > 0]
    if len(squares) > GROUPS:
        logs = np.log(squares)
        group = ((logs - logs[0]) / (logs[-1] - logs[0]) * GROUPS).astype(int)
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        ends = np.append(starts[1:], len(group)) - 1
        squares, masses = squares[ends if side > 0 else starts], np.add.reduceat(masses, starts)
    return Law(squares, masses.astype(float), error, side)
