"""Confidence sequences for means of bounded variables: intervals that hold at all sample sizes at once.

The predictable plug-in empirical-Bernstein sequence (Waudby-Smith and Ramdas, 2024, Theorem 2): for X_1,
X_2, … in [0, 1] with mean m, any λ_t and μ_t that are chosen before X_t is seen, and v_t = 4(X_t − μ_t)²,

    |m − Σ λ_t X_t / Σ λ_t| < (log(2/δ) + Σ v_t ψ(λ_t)) / Σ λ_t    for all t, with probability at least 1 − δ,

where ψ(λ) = (−log(1 − λ) − λ)/4. One may look after every sample and stop when one likes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from toy_problems.falsifier.evolution import Array

LARGEST_BET = 0.5


@dataclass(frozen=True, eq=False)
class Sequence:
    """Running sums of many sequences at once, one for each entry of the arrays (shape (sequences,)).

    low, high: the a-priori range of the variables. delta: error probability of each sequence.
    """

    low: Array
    high: Array
    delta: float
    count: int = 0
    weight: Array | float = 0.0
    weighted: Array | float = 0.0
    variance_term: Array | float = 0.0
    total: Array | float = 0.5
    squares: Array | float = 0.25

    def after(self, samples: Array) -> Sequence:
        """With further samples (samples, sequences), in their order: λ_t and μ_t use those before t."""
        if not len(samples):
            return self
        x = (samples - self.low) / np.where(self.high > self.low, self.high - self.low, 1.0)
        if (x < -1e-9).any() or (x > 1 + 1e-9).any():
            raise ValueError("a sample lies outside the range it was said to have")
        t = self.count + 1 + np.arange(len(x))[:, None]
        total = self.total + np.cumsum(x, axis=0)
        mean = (total - x) / t
        square = (x - total / (t + 1)) ** 2
        squares = self.squares + np.cumsum(square, axis=0)
        spread = (squares - square) / t
        bet = np.minimum(np.sqrt(2 * math.log(2 / self.delta) / (spread * t * np.log(1 + t))), LARGEST_BET)
        surprise = 4 * (x - mean) ** 2
        return replace(
            self,
            count=self.count + len(x),
            weight=self.weight + bet.sum(axis=0),
            weighted=self.weighted + (bet * x).sum(axis=0),
            variance_term=self.variance_term + (surprise * (-np.log1p(-bet) - bet)).sum(axis=0) / 4,
            total=total[-1],
            squares=squares[-1],
        )

    def interval(self) -> tuple[Array, Array]:
        """Lower and upper end for every mean; the a-priori range before the first sample."""
        if self.count == 0:
            return self.low, self.high
        centre = self.weighted / self.weight
        radius = (math.log(2 / self.delta) + self.variance_term) / self.weight
        width = self.high - self.low
        low, high = np.clip(centre - radius, 0, 1), np.clip(centre + radius, 0, 1)
        return self.low + width * low, self.low + width * high
