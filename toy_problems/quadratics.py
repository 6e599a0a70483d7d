"""Quadratics: the diagonal family, Example 1 of α-NormEC, and the low-rank family of DP-NormFedAvg's Appendix
F."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from methods.local_work import LocalDescent, LocalSum, LocalWork
from toy_problems.problem import Array, Constants, Problem


@dataclass(frozen=True, eq=False)
class DiagonalQuadratic(Problem):
    """f_i(x) = ½ Σ_j h_ij (x_j − c_ij)², with h_ij ≥ 0.

    ∇²f_i = diag(h_i), so L_i = max_j h_ij, and ∇²f = diag(mean_i h_i), so L = max_j mean_i h_ij. f_i^inf = 0,
    attained at c_i. f is minimised where Σ_i h_ij (x_j − c_ij) = 0: x⋆_j = Σ_i h_ij c_ij / Σ_i h_ij (any
    value where all h_ij are zero; 0 is taken), and f^inf = f(x⋆). A rotation of the coordinates changes
    nothing for methods that see vectors through norms and sums alone, so a common eigenbasis is no loss;
    `LowRankQuadratic` has a basis for each client.

    curvature, centre: shape `batch + (n, d)`, in f/x² and x.
    """

    curvature: Array
    centre: Array
    core: ClassVar[Mapping[str, int]] = {"curvature": 2, "centre": 2}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.curvature.shape != self.centre.shape:
            raise ValueError(
                f"curvature {self.curvature.shape} and centre {self.centre.shape} differ in shape"
            )
        if (self.curvature < 0).any():
            raise ValueError(f"curvature {self.curvature.min()} is negative: f would have no lower bound")

    @property
    def n(self) -> int:
        return self.curvature.shape[-2]

    @property
    def d(self) -> int:
        return self.curvature.shape[-1]

    def values(self, x: Array) -> Array:
        offset = x - self.centre
        return 0.5 * np.vecdot(self.curvature, np.square(offset))

    def gradients(self, x: Array) -> Array:
        if x.shape[-2] == self.n or x.ndim < self.centre.ndim:
            offset = x - self.centre
        else:  # a copy, then long rows: faster than the difference of two broadcasts
            offset = np.repeat(x, self.n, axis=-2)
            offset -= self.centre
        offset *= self.curvature
        return offset

    @cached_property
    def _mean(self) -> tuple[Array, Array, Array]:
        """mean h_i, x⋆ and f(x⋆): f(x) = f(x⋆) + ½ Σ_j (mean h)_j (x_j − x⋆_j)², n times cheaper than the
        mean of f_i."""
        mean = self.curvature.mean(axis=-2)
        weighted = (self.curvature * self.centre).mean(axis=-2)
        minimiser = np.divide(weighted, mean, out=np.zeros_like(mean), where=mean > 0)
        return mean, minimiser, self.values(minimiser[..., None, :]).mean(axis=-1)

    def objective(self, x: Array) -> Array:
        mean, minimiser, least = self._mean
        return least + 0.5 * np.vecdot(mean, np.square(x - minimiser))

    def mean_gradient(self, x: Array, local: Array) -> Array:
        mean, minimiser, _ = self._mean
        return mean * (x - minimiser)

    @cached_property
    def constants(self) -> Constants:
        mean, minimiser, least = self._mean
        return Constants(
            L=mean.max(axis=-1),
            L_i=self.curvature.max(axis=-1),
            f_inf=least,
            f_i_inf=np.zeros(self.curvature.shape[:-1]),
            minimiser=minimiser,
        )


def homogeneous_quadratic(n: int, d: int, condition_number: float = 1.0) -> DiagonalQuadratic:
    """All clients share ½ Σ_j h_j x_j², h from 1/κ to 1 in equal ratios: L = L_i = 1, f_inf = f_i,inf = 0, x⋆
    = 0."""
    _check_condition(condition_number)
    spectrum = np.geomspace(1.0 / condition_number, 1.0, d) if d > 1 else np.ones(1)
    return DiagonalQuadratic(np.tile(spectrum, (n, 1)), np.zeros((n, d)))


def heterogeneous_quadratic(
    n: int,
    d: int,
    batch: tuple[int, ...] = (),
    condition_number: float = 10.0,
    spread: float = 1.0,
    seed: int = 0,
) -> DiagonalQuadratic:
    """Each client has its own curvatures, log-uniform in [1/κ, 1], and its own optimum, N(0, spread²) a
    coordinate."""
    _check_condition(condition_number)
    random = np.random.default_rng((seed, 0x51))
    curvature = condition_number ** -random.random((*batch, n, d))
    return DiagonalQuadratic(curvature, spread * random.standard_normal((*batch, n, d)))


def _check_condition(number: float) -> None:
    if not 1 <= number < np.inf:
        raise ValueError(f"condition_number = {number} must be finite and >= 1")


def example1() -> DiagonalQuadratic:
    """Example 1 of α-NormEC: f₁ = ½(x − 3)², f₂ = ½(x + 3)². L = L_i = 1, f_i,inf = 0, f_inf = 9/2 at x⋆ =
    0."""
    return DiagonalQuadratic(np.ones((2, 1)), np.array([[3.0], [-3.0]]))


@dataclass(frozen=True, eq=False)
class LowRankQuadratic(Problem):
    """f_i(w) = ½ ‖A_iᵀ(w − w_i⋆)‖², that is Q_i = A_i A_iᵀ of rank at most m: DP-NormFedAvg, Appendix F.

    L_i = λ_max(A_iᵀA_i), an m × m matrix with the same non-zero spectrum as Q_i; L = λ_max(mean Q_i); f_i^inf
    = 0, attained at w_i⋆. f is minimised where (Σ Q_i) w = Σ Q_i w_i⋆, solved in the least-squares sense (the
    system is consistent: its right side is in the range of Σ Q_i because every Q_i is positive semidefinite).

    factor: shape `batch + (n, d, m)`, √f/x; optimum: shape `batch + (n, d)`, x.
    """

    factor: Array
    optimum: Array
    core: ClassVar[Mapping[str, int]] = {"factor": 3, "optimum": 2}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.factor.shape[:-1] != self.optimum.shape:
            raise ValueError(f"factor {self.factor.shape} needs an optimum of shape {self.factor.shape[:-1]}")

    @property
    def n(self) -> int:
        return self.optimum.shape[-2]

    @property
    def d(self) -> int:
        return self.optimum.shape[-1]

    def _residual(self, x: Array) -> Array:
        """A_iᵀ(x − w_i⋆), shape `(..., n, 1, m)`."""
        return (x - self.optimum)[..., None, :] @ self.factor

    def values(self, x: Array) -> Array:
        return 0.5 * np.square(self._residual(x)).sum(axis=(-2, -1))

    def gradients(self, x: Array) -> Array:
        return (self._residual(x) @ np.swapaxes(self.factor, -1, -2))[..., 0, :]

    @cached_property
    def _spectrum(self) -> tuple[Array, Array]:
        """Q_i = U_i diag(λ_i) U_iᵀ with m columns: λ of shape `batch + (n, m)`, Uᵀ of shape `batch + (n, m,
        d)`."""
        left, singular, _ = np.linalg.svd(self.factor, full_matrices=False)
        return np.square(singular), np.ascontiguousarray(np.swapaxes(left, -1, -2))

    def local_updates(self, work: LocalWork) -> Callable[[Array], Array] | None:
        """E steps of length η: u_i = Σ_τ Q_i (I − ηQ_i)^τ (x − w_i⋆) = U_i diag((1 − (1 − ηλ)^E)/η) U_iᵀ (x −
        w_i⋆), two products of rank m in place of 2E. The factor is computed as −expm1(E log1p(−ηλ))/η where
        ηλ < 1, without cancellation. `LocalDescent` is the same with η = γ/T, divided by T."""
        if self.batch or not isinstance(work, LocalSum | LocalDescent):
            return None
        step = work.eta if isinstance(work, LocalSum) else work.gamma / work.steps
        scale = 1 if isinstance(work, LocalSum) else work.steps
        eigenvalues, basis = self._spectrum
        eta = np.atleast_1d(np.asarray(step, dtype=float))[:, None, None]  # one a run, or one for all
        decay = 1 - eta * eigenvalues
        stable = -np.expm1(work.steps * np.log1p(-np.minimum(eta * eigenvalues, 0.5)))
        gain = np.where(decay > 0.5, stable, 1 - decay**work.steps) / (eta * scale)
        gain = np.moveaxis(gain, 1, 0)  # (n, runs or 1, m)
        flat = basis.reshape(-1, self.d)
        home = np.vecdot(basis, self.optimum[:, None, :])[:, None, :]  # U_iᵀ w_i⋆, shape (n, 1, m)

        def updates(x: Array) -> Array:
            inner = np.moveaxis((x @ flat.T).reshape(len(x), self.n, -1), 1, 0)  # (n, runs, m)
            return np.moveaxis(((inner - home) * gain) @ basis, 0, 1)

        return updates

    def objective(self, x: Array) -> Array:
        if self.batch:
            return super().objective(x)
        offset = x - self.constants.minimiser
        return self.constants.f_inf + 0.5 * np.vecdot(offset @ self.mean_matrix, offset)

    @cached_property
    def mean_matrix(self) -> Array:
        """Q = mean of Q_i, shape `batch + (d, d)`."""
        return np.einsum("...ijm,...ikm->...jk", self.factor, self.factor, optimize=True) / self.n

    @cached_property
    def constants(self) -> Constants:
        pull = -self.gradients(np.zeros((1, self.d))).mean(axis=-2)
        minimiser = (np.linalg.pinv(self.mean_matrix, hermitian=True) @ pull[..., None])[..., 0]
        small = np.swapaxes(self.factor, -1, -2) @ self.factor
        return Constants(
            L=np.linalg.eigvalsh(self.mean_matrix)[..., -1],
            L_i=np.linalg.eigvalsh(small)[..., -1],
            f_inf=self.values(minimiser[..., None, :]).mean(axis=-1),
            f_i_inf=np.zeros(self.optimum.shape[:-1]),
            minimiser=minimiser,
        )


def appendix_f(seed: int = 0, n: int = 100, d: int = 200, rank: int = 20) -> LowRankQuadratic:
    """The problem of DP-NormFedAvg's Appendix F: w_i⋆ ~ N(0, I), A_i of shape (d, rank) with entries N(0,
    1/20²)."""
    random = np.random.default_rng((seed, 0xF))
    optimum = random.standard_normal((n, d))
    return LowRankQuadratic(random.standard_normal((n, d, rank)) / 20.0, optimum)
