"""One-dimensional piecewise quadratics: the smallest family in which f' is any continuous piecewise linear
function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from toy_problems.problem import Array, Constants, Problem


@dataclass(frozen=True, eq=False)
class PiecewiseQuadratic(Problem):
    """d = 1; f_i'' takes the value s_ip between the knots t_i,p−1 and t_ip.

    With the jumps j_ip = s_i,p+1 − s_ip and u_+ = max(u, 0),

        f_i'(x) = b_i + s_i0 (x − t_i1) + Σ_p j_ip (x − t_ip)_+,    f_i(t_i1) = 0,

    so f_i is exactly max_p |s_ip|-smooth. f is of the same family on the union of the knots, hence L is the
    largest |mean slope| on a piece of the union. A minimum over a piece is at its ends or, where the slope is
    positive, where f' = 0: f^inf is the smallest of finitely many values, evaluated exactly up to rounding. f
    is bounded below exactly when f' ends up ≥ 0 on the right and ≤ 0 on the left; otherwise construction
    fails.

    knots: shape `batch + (n, P)`, increasing, x. slopes: `batch + (n, P + 1)`, f/x². base (b): `batch +
    (n,)`, f/x.
    """

    knots: Array
    slopes: Array
    base: Array
    core: ClassVar[Mapping[str, int]] = {"knots": 2, "slopes": 2, "base": 1}

    def __post_init__(self) -> None:
        super().__post_init__()
        clients, pieces = self.knots.shape[:-1], self.knots.shape[-1]
        if self.slopes.shape != (*clients, pieces + 1) or self.base.shape != clients:
            raise ValueError(
                f"knots {self.knots.shape} need slopes {(*clients, pieces + 1)} and base {clients}; "
                f"slopes are {self.slopes.shape}, base is {self.base.shape}"
            )
        if (np.diff(self.knots, axis=-1) < 0).any():
            raise ValueError("knots decrease somewhere; sort them along the last axis")
        for name, problem in (("f", self._mean()), ("an f_i", self)):
            if not problem._bounded().all():
                raise ValueError(f"{name} has no lower bound: make the outer slopes positive")

    @property
    def n(self) -> int:
        return self.knots.shape[-2]

    @property
    def d(self) -> int:
        return 1

    @cached_property
    def _jumps(self) -> Array:
        return np.diff(self.slopes, axis=-1)

    def values(self, x: Array) -> Array:
        offset = x - self.knots[..., :1]
        bent = np.maximum(x - self.knots, 0.0)
        smooth = self.base * offset[..., 0] + 0.5 * self.slopes[..., 0] * offset[..., 0] ** 2
        return smooth + 0.5 * (self._jumps * bent**2).sum(axis=-1)

    def gradients(self, x: Array) -> Array:
        bent = (self._jumps * np.maximum(x - self.knots, 0.0)).sum(axis=-1, keepdims=True)
        return self.base[..., None] + self.slopes[..., :1] * (x - self.knots[..., :1]) + bent

    def _bounded(self) -> Array:
        """Whether each client's function has a lower bound, shape `batch + (n,)`."""
        first, last = self.knots[..., :1, None], self.knots[..., -1:, None]
        left, right = self._own(first[..., 0]), self._own(last[..., 0])
        s0, s1 = self.slopes[..., 0], self.slopes[..., -1]
        return ((s0 > 0) | ((s0 == 0) & (left <= 0))) & ((s1 > 0) | ((s1 == 0) & (right >= 0)))

    def _own(self, x: Array) -> Array:
        """f_i' at one point of each client's own: x of shape `batch + (n, 1)`."""
        return self.gradients(x)[..., 0]

    def _mean(self) -> PiecewiseQuadratic:
        """f itself, as a problem with one client; equal to f up to the constant that fixes f_1(t_1) = 0."""
        knots = self.knots.reshape(*self.batch, -1)
        order = np.argsort(knots, axis=-1, kind="stable")
        jumps = np.take_along_axis(self._jumps.reshape(knots.shape) / self.n, order, axis=-1)
        knots = np.take_along_axis(knots, order, axis=-1)
        start = self.slopes[..., 0].mean(axis=-1)
        base = self.gradients(knots[..., None, :1]).mean(axis=-2)
        slopes = np.concatenate([start[..., None], start[..., None] + np.cumsum(jumps, axis=-1)], axis=-1)
        # 0 for clients of slope 0, which the sum of the jumps can miss.
        slopes[..., -1] = self.slopes[..., -1].mean(axis=-1)
        mean = object.__new__(PiecewiseQuadratic)  # no second check: `__post_init__` calls this
        for name, array in (("knots", knots), ("slopes", slopes), ("base", base[..., 0])):
            object.__setattr__(mean, name, array[..., None, :] if name != "base" else array[..., None])
        return mean

    def _steepest(self) -> Array:
        """The largest |s_ip| on a piece of positive width, shape `batch + (n,)`: where knots coincide, what stands between
        them is nowhere a slope."""
        edge = np.full_like(self.knots[..., :1], np.inf)
        wide = np.diff(self.knots, axis=-1, prepend=-edge, append=edge) > 0
        return np.where(wide, np.abs(self.slopes), 0.0).max(axis=-1)

    def _candidates(self) -> Array:
        """Points among which each client's minimum is, shape `batch + (n, 2P + 1)`: the knots and the
        vertices."""
        at_knots = np.stack(
            [self._own(self.knots[..., p : p + 1]) for p in range(self.knots.shape[-1])], axis=-1
        )
        anchor = np.concatenate([self.knots[..., :1], self.knots], axis=-1)
        gradient = np.concatenate([at_knots[..., :1], at_knots], axis=-1)
        left = np.concatenate([np.full_like(self.knots[..., :1], -np.inf), self.knots], axis=-1)
        right = np.concatenate([self.knots, np.full_like(self.knots[..., :1], np.inf)], axis=-1)
        step = np.divide(gradient, self.slopes, out=np.zeros_like(gradient), where=self.slopes > 0)
        return np.concatenate([self.knots, np.clip(anchor - step, left, right)], axis=-1)

    @cached_property
    def constants(self) -> Constants:
        mean = self._mean()
        points = mean._candidates()[..., 0, :]
        values = np.stack([self.objective(points[..., p : p + 1]) for p in range(points.shape[-1])], axis=-1)
        best = values.argmin(axis=-1)[..., None]
        own = self._candidates()
        local = np.stack([self.values(own[..., p : p + 1]) for p in range(own.shape[-1])], axis=-1)
        return Constants(
            L=mean._steepest()[..., 0],
            L_i=self._steepest(),
            f_inf=np.take_along_axis(values, best, axis=-1)[..., 0],
            f_i_inf=local.min(axis=-1),
            minimiser=np.take_along_axis(points, best, axis=-1),
        )


def piecewise_quadratic(
    n: int, pieces: int = 6, batch: tuple[int, ...] = (), spread: float = 2.0, seed: int = 0
) -> PiecewiseQuadratic:
    """Random knots in N(0, spread²), inner slopes uniform in [−1, 1], outer slopes 1: bounded below and
    1-smooth."""
    random = np.random.default_rng((seed, 0x9D))
    knots = np.sort(spread * random.standard_normal((*batch, n, pieces)), axis=-1)
    slopes = np.concatenate(
        [
            np.ones((*batch, n, 1)),
            random.uniform(-1.0, 1.0, (*batch, n, pieces - 1)),
            np.ones((*batch, n, 1)),
        ],
        axis=-1,
    )
    return PiecewiseQuadratic(knots, slopes, random.standard_normal((*batch, n)))
