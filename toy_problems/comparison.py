"""α-NormEC against gradient descent, Clip21, DP-SGD and EF21 at equal sensitivity, from no heterogeneity to
strong.

Equal sensitivity: what a client sends in a round has norm at most Φ, so the same Gaussian noise (standard
deviation s·Φ per coordinate and client) gives the same privacy, whatever Φ is. α-NormEC: β = Φ; Clip21 and clipped DP-SGD: τ
= Φ; smoothed DP-SGD: the message is Norm_α(∇f_i), of norm at most 1, and the server step carries the scale.
Gradient descent and EF21 (Top-k) have no bounded sensitivity; they are run without noise, as references.
Every method gets its own best server step γ and, where it has one, its own best Φ, from one grid of each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from methods.algebra import Method
from methods.published import (
    alpha_normec,
    clip21,
    dp_alpha_normec,
    dp_clip21,
    dp_sgd_clip,
    dp_sgd_smoothed,
    ef21,
    gradient_descent,
)
from toy_problems.catalogue import make
from toy_problems.problem import Array
from toy_problems.runner import run
from toy_problems.starts import away_from_minimiser

ALPHA = 0.1
SPREADS = (0.0, 0.1, 0.3, 1.0, 3.0, 10.0)


@dataclass(frozen=True)
class Case:
    """What was compared: see `Comparison`."""

    method: str
    spread: float
    noise: float
    start: float


@dataclass(frozen=True)
class Comparison:
    """One method at one heterogeneity. best: smallest over γ and Φ of the mean over instances (and seeds) of min_k
    ‖∇f(xᵏ)‖ and, in `last`, of ‖∇f(x^K)‖; error: standard error of `best` over the instances; gamma, phi: those of
    `best`, phi None where the method has none; edge: whether either is an end of its grid; start: mean ‖∇f(x⁰)‖. noise: s, 0
    without noise."""

    method: str
    spread: float
    noise: float
    best: float
    error: float
    gamma: float
    phi: float | None
    edge: bool
    last: float
    start: float


NO_SCALE = ("gradient descent", "EF21 (Top-k, k = d/10)", "DP-SGD, smoothed")
"""The methods that have no Φ."""


def _methods(gamma: Array, phi: Array, s: float, n: int, d: int) -> dict[str, Method]:
    """The methods at sensitivity Φ and noise s·Φ; those without a bounded sensitivity only where s = 0. phi: Φ with an axis of
    length 1 for γ behind."""
    if s == 0:
        return {
            "gradient descent": gradient_descent(gamma),
            "EF21 (Top-k, k = d/10)": ef21(gamma, max(1, d // 10)),
            "DP-SGD, clipping": dp_sgd_clip(gamma, phi),
            "DP-SGD, smoothed": dp_sgd_smoothed(gamma, ALPHA),
            "Clip21": clip21(gamma, phi),
            "α-NormEC": alpha_normec(gamma, phi, ALPHA),
            "α-NormEC, no server normalisation": alpha_normec(gamma, phi, ALPHA, server_normalisation=False),
        }
    mean = s / np.sqrt(n)  # the mean of n client noises, as one noise of the aggregate
    return {
        "DP-SGD, clipping": dp_sgd_clip(gamma, phi, mean * phi),
        "DP-SGD, smoothed": dp_sgd_smoothed(gamma, ALPHA, mean),
        "Clip21": dp_clip21(gamma, phi, s * phi),
        "α-NormEC": dp_alpha_normec(gamma, phi, ALPHA, s),
        "α-NormEC, no server normalisation": dp_alpha_normec(
            gamma, phi, ALPHA, s, server_normalisation=False
        ),
    }


def comparison(
    K: int = 500,
    n: int = 10,
    d: int = 20,
    phi: tuple[float, ...] = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0),
    noises: tuple[float, ...] = (0.0, 0.5),
    spreads: tuple[float, ...] = SPREADS,
    family: str = "heterogeneous-quadratic",
    instances: int = 6,
    steps: int = 13,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> list[Comparison]:
    """Every method at every heterogeneity, without noise and with it. phi: the grid of Φ (f/x), increasing. steps: values of γ,
    from 1e-3 to 10. Raises `ValueError` unless every Φ is above 0."""
    if not phi or not min(phi) > 0:
        raise ValueError(f"phi = {phi}: every sensitivity must be positive, and there must be one")
    gamma, scales = np.geomspace(1e-3, 10.0, steps), np.array(phi)
    found = []
    for spread in spreads:
        problem = make(family, n, d, batch=(instances, 1, 1), spread=spread, seed=seed)
        x0 = away_from_minimiser(problem, 3.0, seed)
        start = float(np.linalg.norm(problem.gradient(x0), axis=-1).mean())
        for s in noises:
            for name, method in _methods(gamma, scales[:, None], s, n, d).items():
                traces = run(
                    problem,
                    method,
                    x0,
                    K + 1,
                    seeds=seed + np.arange(instances)[:, None, None],
                    progress=progress,
                )
                grid = None if name in NO_SCALE else scales
                found.append(_best(traces["gradient_norm"], gamma, grid, Case(name, spread, s, start)))
    return found


def _best(norms: Array, gamma: Array, phi: Array | None, of: Case) -> Comparison:
    """norms: ‖∇f(xᵏ)‖, shape (instance, Φ, γ, k), where the method has no Φ (instance, 1, γ, k)."""
    norms = np.where(np.isfinite(norms), norms, np.inf)  # too long a step diverges, and loses
    lowest, instances = norms.min(axis=-1), len(norms)
    means = lowest.mean(axis=0)
    scale, pick = np.unravel_index(means.argmin(), means.shape)
    several = instances > 1
    return Comparison(
        of.method,
        of.spread,
        of.noise,
        best=float(lowest[:, scale, pick].mean()),
        error=float(lowest[:, scale, pick].std(ddof=1) / np.sqrt(instances)) if several else float("nan"),
        gamma=float(gamma[pick]),
        phi=None if phi is None else float(phi[scale]),
        edge=pick in (0, len(gamma) - 1) or (phi is not None and scale in (0, len(phi) - 1)),
        last=float(norms[..., -1].mean(axis=0).min()),
        start=of.start,
    )
