"""What the 2R of α-NormEC's Theorem 1 really does: one step γ, memories from close to far away.

R = max_i ‖∇f_i(x⁰) − g_i⁰‖ stands in the bound as a constant that no number of rounds reduces. In a run the
residuals shrink by β‖r‖/(α + ‖r‖) in a round, so they are halved after about (R/2 + α log 2)/β rounds: a far
memory costs rounds and not accuracy, which is what the bound `NEC-OUR-T1-FORGETS` says. Three ways to start at the distance R:

* scattered: every client in a direction of its own, so that the errors nearly cancel in the mean;
* astray: all clients against the gradient, so that with R > ‖∇f(x⁰)‖ the server sets out the wrong way;
* zero: g_i⁰ = 0, whose R is what it is.

γ is the longest step that Theorem 1 allows for the smallest R and is the same for all rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from bounds.alpha_normec.forgets import theorem1_forgets
from bounds.alpha_normec.theorem1 import theorem1
from methods.published import alpha_normec
from toy_problems.catalogue import make
from toy_problems.problem import Array, Problem
from toy_problems.runner import run
from toy_problems.starts import away_from_minimiser, memories

FAMILIES = ("heterogeneous-quadratic", "logistic", "double-well")
KINDS = ("scattered", "astray", "zero")
RADII = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
ALPHA, BETA = 1.0, 0.5


@dataclass(frozen=True)
class MemoryRow:
    """One way to start on one family.

    R: of the memories, mean over the instances. bound: Theorem 1's, forgets: that of `NEC-OUR-T1-FORGETS`, and
    measured: min over k ≤ K of ‖∇f(xᵏ)‖, geometric means over the instances. share: the largest measured/bound, of
    the smaller bound. halved: rounds until the largest residual is at most R/2, mean over the instances; None where
    some instance does not come so far.
    """

    problem: str
    kind: str
    K: int
    R: float
    bound: float
    forgets: float
    measured: float
    share: float
    halved: float | None


def memory_term(
    K: int = 1000,
    n: int = 10,
    d: int = 10,
    instances: int = 8,
    families: tuple[str, ...] = FAMILIES,
    radii: tuple[float, ...] = RADII,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> list[MemoryRow]:
    """Every kind and radius on every family, from ‖x⁰ − x⋆‖ = 1. Raises `ValueError` for a radius that is not
    positive."""
    if not radii or min(radii) <= 0:
        raise ValueError(f"radii = {radii}: Theorem 1 allows no γ > 0 at R = 0; give positive radii")
    found = []
    for family in families:
        problem = make(family, n, d, batch=(instances, 1), seed=seed)
        x0 = away_from_minimiser(problem, 1.0, seed)
        step = BETA * min(radii) / (ALPHA + min(radii)) / problem.constants.L_max
        cases = [(kind, radius) for kind in KINDS for radius in (radii if kind != "zero" else (0.0,))]
        starts = [_memories(problem, x0, kind, radius, seed) for kind, radius in cases]
        traces = run(
            problem,
            alpha_normec(step, BETA, ALPHA),
            x0,
            K + 1,
            memories=np.concatenate([start for start, _ in starts], axis=1),
            keep=("gradient_norm", "residual_max"),
            progress=progress,
        )
        gap = problem.objective(x0) - problem.constants.f_inf
        for case, (kind, _) in enumerate(cases):
            R = starts[case][1]
            least = traces["gradient_norm"][:, case].min(axis=-1)
            L, L_max = problem.constants.L, problem.constants.L_max
            bound = np.ravel(theorem1(gap, step, K, R, L))
            forgets = np.ravel(theorem1_forgets(gap, step, K, R, L, L_max, ALPHA, BETA))
            half = traces["residual_max"][:, case] <= R / 2
            halved = float(half.argmax(axis=-1).mean()) if half.any(axis=-1).all() else None
            share = float((least / np.minimum(bound, forgets)).max())
            sizes = [float(stats.gmean(values)) for values in (bound, forgets, least)]
            found.append(
                MemoryRow(family, kind, K, float(R.mean()), sizes[0], sizes[1], sizes[2], share, halved)
            )
    return found


def _memories(problem: Problem, x0: Array, kind: str, radius: float, seed: int) -> tuple[Array, Array]:
    """g_i⁰ and R."""
    if kind == "zero":
        return memories(problem, x0, "zero")
    if kind == "scattered":
        return memories(problem, x0, "radius", radius, seed)
    local = problem.gradients(x0[..., None, :])
    ahead = problem.gradient(x0)
    ahead = ahead / np.linalg.norm(ahead, axis=-1, keepdims=True)
    return local - radius * ahead[..., None, :], np.full(local.shape[:-2], radius)
