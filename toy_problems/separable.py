"""Separable non-convex families: f_i(x) = Σ_j a_ij φ(x_j − c_ij) with a_ij ≥ 0 and one shape φ.

Two shapes, both built on ψ(t) = 1/(1 + t²). By partial fractions ψ(t) = ½i⁻¹ (1/(t − i) − 1/(t + i)), so its
k-th derivative is at most k! (1 + t²)^{−(k+1)/2} ≤ k! in modulus: |ψ''| ≤ 2 and |ψ''''| ≤ 24, both attained
at t = 0.

* the rational well φ = t²/(1 + t²) = 1 − ψ: φ ≥ 0 with equality at 0; φ'' = (2 − 6t²)/(1 + t²)³; sup|φ''| = 2
  at t = 0; |φ''''| ≤ 24; |φ'| ≤ 3√3/8 (at t² = 1/3), so f is Lipschitz as well.
* the smoothed double well φ = (t² − 1)²/(1 + t²) = t² − 3 + 4ψ: φ ≥ 0 with equality at ±1; φ'' = 2 − 8(1 −
  3t²)/(1 + t²)³. With u = t², (3u − 1)/(1 + u)³ is largest at u = 1, where φ'' = 4, and smallest at u = 0,
  where φ'' = −6, so sup|φ''| = 6; |φ''''| ≤ 96. It grows like t² and is globally smooth, unlike the
  polynomial (t² − 1)².

Hence f_i^inf = 0, and L_i = sup|φ''| · max_j a_ij exactly. f is a sum of one-dimensional functions F_j =
mean_i a_ij φ(· − c_ij), so L is the largest |F_j''| and f^inf is the sum of the minima;
`toy_problems.certified` brackets both, with |F''''| for L and |F''| for f^inf. The minimum lies in the hull
of the centres widened by the largest minimiser of φ. So does the supremum of |F''|, with the hull widened by
1: for |t| ≥ 1 both φ'' keep one sign and |φ''| falls as |t| grows (the only critical points of (3u − 1)/(1 +
u)³ are u = 1 and infinity).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from toy_problems.certified import minimise
from toy_problems.problem import Array, Constants, Problem

SLACK = 1e-9
"""Width of the brackets of L and of f^inf per coordinate, relative to max a."""


@dataclass(frozen=True)
class Shape:
    """φ, φ', φ'' with sup|φ''|, sup|φ''''| and the largest |t| at which φ has its minimum, 0."""

    name: str
    value: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    second: Callable[[Array], Array]
    second_sup: float
    fourth_sup: float
    outermost_minimiser: float


WELL = Shape(
    "rational-well",
    value=lambda t: t * t / (1 + t * t),
    slope=lambda t: 2 * t / (1 + t * t) ** 2,
    second=lambda t: (2 - 6 * t * t) / (1 + t * t) ** 3,
    second_sup=2.0,
    fourth_sup=24.0,
    outermost_minimiser=0.0,
)

DOUBLE_WELL = Shape(
    "double-well",
    value=lambda t: (t * t - 1) ** 2 / (1 + t * t),
    slope=lambda t: 2 * t - 8 * t / (1 + t * t) ** 2,
    second=lambda t: 2 - 8 * (1 - 3 * t * t) / (1 + t * t) ** 3,
    second_sup=6.0,
    fourth_sup=96.0,
    outermost_minimiser=1.0,
)


@dataclass(frozen=True, eq=False)
class Separable(Problem):
    """f_i(x) = Σ_j a_ij φ(x_j − c_ij).

    height (a), centre (c): shape `batch + (n, d)`, in f and x (φ takes x in units of 1). shape: `WELL` or
    `DOUBLE_WELL`.
    """

    height: Array
    centre: Array
    shape: Shape = WELL
    core: ClassVar[Mapping[str, int]] = {"height": 2, "centre": 2}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.height.shape != self.centre.shape:
            raise ValueError(f"height {self.height.shape} and centre {self.centre.shape} differ in shape")
        if (self.height < 0).any():
            raise ValueError(f"height {self.height.min()} is negative; it must be at least 0")

    @property
    def n(self) -> int:
        return self.height.shape[-2]

    @property
    def d(self) -> int:
        return self.height.shape[-1]

    def values(self, x: Array) -> Array:
        return (self.height * self.shape.value(x - self.centre)).sum(axis=-1)

    def gradients(self, x: Array) -> Array:
        return self.height * self.shape.slope(x - self.centre)

    @cached_property
    def constants(self) -> Constants:
        height = np.moveaxis(self.height, -2, -1).reshape(-1, self.n)  # one row a coordinate of an instance
        centre = np.moveaxis(self.centre, -2, -1).reshape(-1, self.n)
        mean = height.mean(axis=1)
        tolerance = SLACK * max(float(mean.max()), 1e-300)

        def average(function: Callable[[Array], Array], owner: Array, t: Array) -> Array:
            return (height[owner] * function(t[:, None] - centre[owner])).mean(axis=1)

        low, high = centre.min(axis=1), centre.max(axis=1)
        wells = self.shape.outermost_minimiser
        bottom = minimise(
            lambda owner, t: average(self.shape.value, owner, t),
            low - wells,
            high + wells,
            self.shape.second_sup * mean,
            tolerance,
        )
        steepest = [
            -minimise(
                lambda owner, t, sign=sign: sign * average(self.shape.second, owner, t),
                low - 1.0,
                high + 1.0,
                self.shape.fourth_sup * mean,
                tolerance,
            ).lower
            for sign in (1.0, -1.0)
        ]
        cells = (*self.batch, self.d)
        return Constants(
            L=np.maximum(*steepest).reshape(cells).max(axis=-1),
            L_i=self.shape.second_sup * self.height.max(axis=-1),
            f_inf=bottom.lower.reshape(cells).sum(axis=-1),
            f_i_inf=np.zeros(self.height.shape[:-1]),
            minimiser=bottom.argument.reshape(cells),
            slack=tolerance * self.d,
        )


def separable(
    shape: Shape, n: int, d: int, batch: tuple[int, ...] = (), spread: float = 1.0, seed: int = 0
) -> Separable:
    """Heights log-uniform in [1/10, 1], centres N(0, spread²): heterogeneous in curvature and in optimum."""
    random = np.random.default_rng((seed, 0x5E))
    height = 10.0 ** -random.random((*batch, n, d))
    return Separable(height, spread * random.standard_normal((*batch, n, d)), shape)
