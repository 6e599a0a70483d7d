"""Logistic regression with an l2 term: each client holds m labelled points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.special import expit

from methods import checks
from toy_problems.problem import Array, Constants, Problem

NEWTON_STEPS = 100


@dataclass(frozen=True, eq=False)
class Logistic(Problem):
    """f_i(x) = mean_s log(1 + exp(−a_isᵀx)) + ½ λ ‖x‖², where a_is is the point times its label ±1.

    The Hessian is mean_s s'(a_isᵀx) a_is a_isᵀ + λI with s' = s(1 − s) ≤ ¼ for the logistic function s, and
    s'(0) = ¼. So ∇²f_i(x) ⪯ ∇²f_i(0) for every x, and L_i = λ_max(A_iᵀA_i)/(4m) + λ exactly, attained at x =
    0; likewise for L. f_i is λ-strongly convex, so f_i(x̂) − ‖∇f_i(x̂)‖²/(2λ) ≤ f_i^inf at any x̂: `f_inf`
    and `f_i_inf` are this lower bound at the point where Newton's method stops, and `slack` is its distance
    to the value there.

    points: shape `batch + (n, m, d)`. ridge (λ): a positive float, f/x².
    """

    points: Array
    ridge: float = 0.1
    core: ClassVar[Mapping[str, int]] = {"points": 3}

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.positive("ridge", self.ridge)  # without it f may have no minimiser

    @property
    def n(self) -> int:
        return self.points.shape[-3]

    @property
    def d(self) -> int:
        return self.points.shape[-1]

    def _margins(self, x: Array) -> Array:
        """a_isᵀx, shape `(..., n, m)`."""
        return (self.points @ x[..., None])[..., 0]

    def values(self, x: Array) -> Array:
        return np.logaddexp(0.0, -self._margins(x)).mean(axis=-1) + 0.5 * self.ridge * np.square(x).sum(
            axis=-1
        )

    def gradients(self, x: Array) -> Array:
        weight = -expit(-self._margins(x)) / self.points.shape[-2]
        return (weight[..., None, :] @ self.points)[..., 0, :] + self.ridge * x

    def _smoothness(self, points: Array) -> Array:
        gram = np.swapaxes(points, -1, -2) @ points
        return np.linalg.eigvalsh(gram)[..., -1] / (4 * points.shape[-2]) + self.ridge

    def _minimum(self, points: Array) -> tuple[Array, Array, Array]:
        """Of clients alone, points `(..., m, d)`: a minimiser, a lower bound of the minimum, the gap to the
        value."""
        alone = Logistic(points[..., None, :, :], self.ridge)
        x = np.zeros((*points.shape[:-2], self.d))
        value, gradient = alone.objective(x), alone.gradient(x)
        for _ in range(NEWTON_STEPS):
            s = expit(alone._margins(x[..., None, :]))[..., 0, :]
            hessian = np.einsum("...s,...sj,...sk->...jk", s * (1 - s), points, points) / points.shape[-2]
            step = np.linalg.solve(hessian + self.ridge * np.eye(self.d), gradient[..., None])[..., 0]
            size = np.ones(value.shape)
            trial = x - step
            for _ in range(40):  # halve where the full step does not descend
                worse = alone.objective(trial) > value
                if not worse.any():
                    break
                size = np.where(worse, size / 2, size)
                trial = x - size[..., None] * step
            better = alone.objective(trial) <= value
            x = np.where(better[..., None], trial, x)
            value, gradient = alone.objective(x), alone.gradient(x)
            if np.linalg.norm(gradient, axis=-1).max() < 1e-10:  # a gap of 1e-20 / λ
                break
        gap = np.square(gradient).sum(axis=-1) / (2 * self.ridge)
        return x, value - gap, gap

    @cached_property
    def constants(self) -> Constants:
        pooled = self.points.reshape(*self.batch, -1, self.d)
        minimiser, f_inf, gap = self._minimum(pooled)
        _, f_i_inf, gaps = self._minimum(self.points)
        return Constants(
            L=self._smoothness(pooled),
            L_i=self._smoothness(self.points),
            f_inf=f_inf,
            f_i_inf=f_i_inf,
            minimiser=minimiser,
            slack=float(max(gap.max(), gaps.max())),
        )


def logistic(
    n: int,
    d: int,
    m: int = 20,
    batch: tuple[int, ...] = (),
    spread: float = 1.0,
    ridge: float = 0.1,
    seed: int = 0,
) -> Logistic:
    """Gaussian points around a centre of the client's own (N(0, spread²) a coordinate), labels from a
    logistic model with 10% of them turned."""
    random = np.random.default_rng((seed, 0x106))
    features = random.standard_normal((*batch, n, m, d)) + spread * random.standard_normal((*batch, n, 1, d))
    truth = random.standard_normal((*batch, 1, d, 1))
    label = np.where((features @ truth)[..., 0] + random.logistic(size=(*batch, n, m)) > 0, 1.0, -1.0)
    label *= np.where(random.random(label.shape) < 0.1, -1.0, 1.0)
    return Logistic(features * label[..., None], ridge)
