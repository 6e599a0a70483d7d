"""DP-NormFedAvg's Appendix F, in full: the runs behind its Figures 2, 3 and 4.

n = 100 quadratics of rank 20 in d = 200, K = 500 rounds, E = 20 local steps, (ε, δ) = (5, 1e-6), full
participation, η_k = β_k = η, 3 runs in which both methods see the same noise. What the paper leaves open is a
named reading:

* q, the constant of Theorem 3's σ² = q K C² log(1/δ)/(n²ε²): not printed; `q` here, scanned by `scan`.
* the values of η and C other than those that the captions name (C = 40, 50, 100; η = 0.001, 0.003): a grid
  around them.
* "3 independent runs": one problem and one start, three noise seeds.
* "nearly equivalent", "appreciably lower", "never does better": the rules of `toy_problems.captions`,
  which says when they were written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bounds.privacy.printed import theorem3_variance
from bounds.privacy.setting import check_delta
from methods import checks
from methods.algebra import Method
from methods.published import dp_fedavg_clip, dp_normfedavg
from toy_problems.problem import Array
from toy_problems.quadratics import LowRankQuadratic, appendix_f
from toy_problems.runner import Traces, run

METHODS = ("clip", "norm")
INITS = ("I1", "I2")
CONSTRUCTORS = {"clip": dp_fedavg_clip, "norm": dp_normfedavg}


@dataclass(frozen=True)
class Setting:
    """The printed numbers of Appendix F, and the readings of what is not printed. C in f/x (a sum of
    gradients), η in x²/f."""

    q: float = 1.0
    K: int = 500
    E: int = 20
    epsilon: float = 5.0
    delta: float = 1e-6
    n: int = 100
    d: int = 200
    rank: int = 20
    C: tuple[float, ...] = (10.0, 20.0, 40.0, 50.0, 100.0, 200.0)
    eta: tuple[float, ...] = (0.0003, 0.001, 0.003, 0.01)
    runs: int = 3
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("q", "epsilon", "C", "eta"):
            value = getattr(self, name)
            checks.positive(name, np.asarray(value) if np.ndim(value) else value)
        check_delta(self.delta)
        for name in ("K", "E", "n", "d", "rank", "runs"):
            checks.whole(name, getattr(self, name))
        checks.whole("seed", self.seed, least=0)

    def sigma(self, C: Array) -> Array:
        """σ of Theorem 3 at threshold C: per coordinate of the aggregate's noise."""
        return np.sqrt(theorem3_variance(self.q, self.K, C, self.n, self.epsilon, self.delta))


@dataclass(frozen=True, eq=False)
class Start:
    """The problem of a setting, the two starts (shape (2, d), in the order of INITS) and w⋆."""

    problem: LowRankQuadratic
    inits: Array
    optimum: Array


def start(setting: Setting) -> Start:
    """Draw the problem, and I1 = w⋆ + z and I2 = w⋆ + z/5 with z uniform on (0, 1)^d."""
    problem = appendix_f(setting.seed, setting.n, setting.d, setting.rank)
    optimum = problem.constants.minimiser
    z = np.random.default_rng((setting.seed, 0x20)).random(setting.d)
    return Start(problem, optimum + np.stack([z, z / 5]), optimum)


@dataclass(frozen=True, eq=False)
class Curves:
    """Figures 2 and 3 as arrays of shape (method, init, C, η, run, round), rounds 0 to K − 1.

    suboptimality: f(w_k) − f(w⋆). signal, noise: norms of the mean clipped or normalised update and of the
    mean noise; their ratio is the SNR. final: f(w_K) − f(w⋆), without the last axis; distance: ‖w_K − w⋆‖ and
    smallest_update: the smallest ‖u_k^(i)‖ over clients and rounds, likewise.
    """

    setting: Setting
    suboptimality: Array
    signal: Array
    noise: Array
    final: Array
    distance: Array
    smallest_update: Array

    @property
    def snr(self) -> Array:
        """‖mean g‖/‖mean ζ‖, the SNR of Section 3.1."""
        return self.signal / self.noise

    def mean(self, of: str = "suboptimality") -> Array:
        """The average over the runs, as the figures plot it."""
        return getattr(self, of).mean(axis=4)


def methods_of(setting: Setting, C: Array, eta: Array) -> dict[str, Method]:
    """The two methods at arrays of C and η that line up with the runs."""
    sigma = setting.sigma(C)
    return {name: build(eta, eta, C, setting.E, sigma) for name, build in CONSTRUCTORS.items()}


def curves(setting: Setting | None = None, progress: Callable[[int], object] | None = None) -> Curves:
    """All runs of Figures 2 and 3. The axes of the runs are (init, C, η, run)."""
    setting = setting or Setting()
    begin = start(setting)
    C = np.asarray(setting.C)[:, None, None]
    eta = np.asarray(setting.eta)[:, None]
    seeds = setting.seed * 1000 + np.arange(setting.runs)
    found: list[Traces] = [
        run(
            begin.problem,
            method,
            begin.inits[:, None, None, None, :],
            setting.K,
            seeds=seeds,
            keep=("objective", "signal_norm", "noise_norm"),
            least=("update_min",),
            progress=progress,
        )
        for method in methods_of(setting, *np.broadcast_arrays(C, eta)).values()
    ]
    floor = begin.problem.constants.f_inf
    last = np.stack([traces.x for traces in found])
    return Curves(
        setting,
        np.stack([traces["objective"] for traces in found]) - floor,
        np.stack([traces["signal_norm"] for traces in found]),
        np.stack([traces["noise_norm"] for traces in found]),
        begin.problem.objective(last.reshape(-1, setting.d)).reshape(last.shape[:-1]) - floor,
        np.linalg.norm(last - begin.optimum, axis=-1),
        np.stack([traces.least["update_min"] for traces in found]),
    )
