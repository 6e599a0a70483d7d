"""Measured decay of min ‖∇f‖ in K for the schedules that the corollaries prescribe.

A schedule fixes γ, β, η and the memories as functions of K, so each K is a run of its own. The slope of log
min_{k ≤ K} ‖∇f(xᵏ)‖ against log(K + 1) is fitted over the K of the grid for every instance alone, and its
interval is Student's over the instances: they are independent draws, the K of one instance are not. A slope
that is steeper than printed does not contradict an upper bound; one that is shallower than printed does, as K
grows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from bounds.alpha_normec import corollary1, corollary2
from bounds.fed_alpha_normec import corollaries, schedules
from bounds.privacy.printed import alpha_normec_noise
from methods.algebra import Method
from methods.published import alpha_normec, dp_alpha_normec, fed_alpha_normec, gradient_descent
from toy_problems.catalogue import make
from toy_problems.problem import Array, Problem
from toy_problems.runner import run
from toy_problems.starts import Memory, away_from_minimiser, memories

FAMILIES = ("heterogeneous-quadratic", "logistic", "double-well")
CONFIDENCE = 0.95
ROUNDING = 1e-10
"""Norms below this share of ‖∇f(x⁰)‖ are rounding errors and enter no slope."""

INSIDE = 1 - 1e-12
"""Factor that keeps a strict inequality strict."""


@dataclass(frozen=True, eq=False)
class Instance:
    """What schedules read of a batch of instances; arrays of shape `batch`."""

    f_gap: Array
    L: Array
    L_max: Array
    R_zero: Array
    Delta: Array
    n: int
    d: int


@dataclass(frozen=True, eq=False)
class Choice:
    """A schedule at one K: the method, the memories, and the printed bound there (None where only O(·) is
    printed)."""

    method: Method
    memory: Memory
    radius: Array
    bound: Array | None
    seeds: int = 1


@dataclass(frozen=True)
class Schedule:
    """name; exponent: printed power of K + 1, None where none is printed; choose: (instance, K) to a
    choice."""

    name: str
    printed: str
    exponent: float | None
    choose: Callable[[Instance, int], Choice]


def _corollary1(known: Instance, K: int) -> Choice:
    """Corollary 1 with α = 1, β = α/2, D = 1 and the longest step that it allows."""
    alpha, beta, D = 1.0, 0.5, 1.0
    gamma = corollary1.longest_step(beta, known.L_max, alpha, D, K)
    bound = corollary1.corollary1(known.f_gap, known.L, known.L_max, alpha, beta, D, K)
    return Choice(alpha_normec(gamma, beta, alpha), "radius", corollary1.radius(D, K), bound)


def _equation12(known: Instance, K: int) -> Choice:
    """Eq. (12) where its hypotheses can hold together: with s = L_max √(2(f(x⁰) − f_inf)/L) its β is s (α +
    D)/D, and β < α needs D > s and α > sD/(D − s). Taken: D = 2s, α = 4s, so β = 3s < α."""
    s = known.L_max * np.sqrt(2 * known.f_gap / known.L)
    alpha, D = 4 * s, 2 * s
    beta = corollary1.beta12(known.f_gap, known.L, known.L_max, alpha, D)
    gamma = corollary1.longest_step(beta, known.L_max, alpha, D, K)
    bound = corollary1.equation12(known.f_gap, known.L, D, K)
    return Choice(alpha_normec(gamma, beta, alpha), "radius", corollary1.radius(D, K), bound)


def _zero_memory(known: Instance, K: int) -> Choice:
    """Theorem 1 with g⁰ = 0, where R = max ‖∇f_i(x⁰)‖ does not depend on K, and γ of order 1/√K."""
    alpha, beta, R = 1.0, 0.5, known.R_zero
    gamma = INSIDE * beta * R / (alpha + R) / known.L_max / np.sqrt(K + 1)
    bound = known.f_gap / (gamma * (K + 1)) + 2 * R + known.L * gamma / 2
    return Choice(alpha_normec(gamma, beta, alpha), "zero", R, bound)


def _exact_memory(known: Instance, K: int) -> Choice:
    """g⁰ = ∇f_i(x⁰): R = 0, for which Theorem 1 allows no γ > 0. The step is Corollary 1's at D = 1."""
    alpha, beta = 1.0, 0.5
    gamma = corollary1.longest_step(beta, known.L_max, alpha, 1.0, K)
    return Choice(alpha_normec(gamma, beta, alpha), "exact", np.zeros_like(gamma), None)


def _descent(known: Instance, K: int) -> Choice:
    """Gradient descent with γ = 1/L."""
    return Choice(
        gradient_descent(1 / known.L), "zero", known.R_zero, np.sqrt(2 * known.L * known.f_gap / (K + 1))
    )


def _corollary2(known: Instance, K: int) -> Choice:
    """Corollary 2: β = β₀/(K + 1), σ_DP = √((K + 1) log(1/δ))/ε per coordinate, (ε, δ) = (8, 1e-5), R = 1/2,
    α = 1, β₀ at its limit Δ (nε²/(d log(1/δ)))^{1/4} where that is below α, γ at Theorem 2's limit. Its
    utility bound does not fall with K."""
    alpha, R, epsilon, delta = 1.0, 0.5, 8.0, 1e-5
    sigma = alpha_normec_noise(1.0, K, epsilon, delta)
    factor = corollary2.delta_factor(known.L_max, alpha, R, known.f_gap)
    limit = factor * (known.n * epsilon**2 / (known.d * np.log(1 / delta))) ** 0.25
    beta_0 = np.minimum(limit, INSIDE * alpha)
    beta = beta_0 / (K + 1)
    gamma = beta * R / (alpha + R) / known.L_max
    noise = np.sqrt(known.d / known.n) * sigma / np.sqrt(K + 1)
    bound = corollary2.utility_of(known.f_gap, known.L, known.L_max, alpha, R, beta_0, K, noise)
    return Choice(
        dp_alpha_normec(gamma, beta, alpha, sigma), "radius", np.full_like(gamma, R), bound, seeds=5
    )


def _fed_corollary1(known: Instance, K: int) -> Choice:
    """Fed-α-NormEC, Corollary 1 (F.4's η̂), T = 1, p = 1/2, no noise, D₁ = D₂ = α = 1."""
    L = known.L_max
    plan = schedules.corollary1_appendix(float(K), L, 1.0, 1.0, 1.0)
    method = fed_alpha_normec(plan.eta, plan.gamma, plan.beta, 1.0, p=0.5, T=1)
    bound = corollaries.corollary1_appendix(known.f_gap, float(K), L, 1.0, 1.0, 1.0, known.n, 0.5, 0.0)
    return Choice(method, "radius", np.full_like(L, plan.R), bound, seeds=5)


def _fed_corollary3(known: Instance, K: int) -> Choice:
    """Fed-α-NormEC, Corollary 3: T = 5, p = 1/2, no noise, D₁ = D₂ = α = 1; Δ^inf so large that η̂'s second
    term decides."""
    L, rounds = known.L_max, float(K)  # a float: an integer with an exact root would become a Fraction
    eta_hat = np.minimum(known.Delta / (2 * np.sqrt(2 * L)), schedules.eta_hat(L, 1.0, 1.0, 1.0))
    eta = eta_hat / schedules.rounds_to(rounds, 7, 8)
    gamma = 1 / (2 * L * schedules.rounds_to(rounds, 1, 8))
    beta = 1.0 / schedules.rounds_to(rounds, 5, 8)
    method = fed_alpha_normec(eta, gamma, beta, 1.0, p=0.5, T=5)
    one = np.vectorize(
        lambda gap, L, D: corollaries.corollary3(gap, rounds, L, 1.0, 1.0, 1.0, known.n, 0.5, 0.0, D)
    )
    bound = one(known.f_gap, L, known.Delta)
    return Choice(
        method, "radius", 1.0 / schedules.rounds_to(rounds, 1, 8) + np.zeros_like(L), bound, seeds=5
    )


SCHEDULES: Mapping[str, Schedule] = {
    schedule.name: schedule
    for schedule in (
        Schedule("gradient descent", "Section 4, after (12)", 0.5, _descent),
        Schedule("α-NormEC, Corollary 1", "O(1/√K)", 0.5, _corollary1),
        Schedule("α-NormEC, eq. (12)", "O(1/√K)", 0.5, _equation12),
        Schedule("α-NormEC, g⁰ = 0", "2R and O(1/√K)", None, _zero_memory),
        Schedule("α-NormEC, g⁰ exact", "R = 0: no γ > 0 allowed", None, _exact_memory),
        Schedule("DP-α-NormEC, Corollary 2", "constant in K", 0.0, _corollary2),
        Schedule("Fed-α-NormEC, Corollary 1", "O(1/(K+1)^{1/6})", 1 / 6, _fed_corollary1),
        Schedule("Fed-α-NormEC, Corollary 3", "O(1/(K+1)^{1/8})", 1 / 8, _fed_corollary3),
    )
}


@dataclass(frozen=True)
class Rate:
    """One schedule on one family. measured, bound, radius: geometric means over the instances, one for each
    K.

    measured: min over k ≤ K of ‖∇f(xᵏ)‖ (of its mean over the seeds). slope: mean of the fitted −d
    log(measured)/d log(K + 1); low, high: its 95% interval; fitted: instances behind it, which are those with
    two values above rounding (all three are None where fewer than two are left). largest_share: largest
    measured/bound over instances and K, None where no bound is printed.
    """

    schedule: str
    printed: str
    exponent: float | None
    problem: str
    memory: str
    K: tuple[int, ...]
    measured: tuple[float, ...]
    bound: tuple[float, ...] | None
    two_R: tuple[float, ...]
    slope: float | None
    low: float | None
    high: float | None
    fitted: int
    largest_share: float | None

    @property
    def shallower_than_printed(self) -> bool:
        """Whether the whole interval of the slope lies under the printed exponent."""
        return self.exponent is not None and self.high is not None and self.high < self.exponent


def rates(
    K: tuple[int, ...] = (63, 127, 255, 511, 1023, 2047, 4095),
    instances: int = 8,
    n: int = 10,
    d: int = 10,
    distance: float = 3.0,
    seed: int = 0,
    families: tuple[str, ...] = FAMILIES,
    names: tuple[str, ...] = tuple(SCHEDULES),
    progress: Callable[[int], object] | None = None,
) -> list[Rate]:
    """Every schedule on every family. distance: ‖x⁰ − x⋆‖."""
    if len(K) < 2 or instances < 2:
        raise ValueError(
            f"{len(K)} values of K and {instances} instances: a slope with an interval needs two of each"
        )
    found = []
    for family in families:
        problem = make(family, n, d, batch=(instances, 1), seed=seed)
        x0 = away_from_minimiser(problem, distance, seed)
        known = instance_of(problem, x0)
        for name in names:
            if name not in SCHEDULES:
                raise ValueError(f"unknown schedule {name!r}; the schedules are {', '.join(SCHEDULES)}")
            found.append(_rate(SCHEDULES[name], family, problem, x0, known, K, seed, progress))
    return found


def instance_of(problem: Problem, x0: Array) -> Instance:
    """The numbers that schedules read."""
    c = problem.constants
    _, R = memories(problem, x0, "zero")
    return Instance(
        problem.objective(x0) - c.f_inf,
        c.L,
        c.L_max,
        R,
        c.f_inf - c.f_i_inf.mean(axis=-1),
        problem.n,
        problem.d,
    )


def _rate(schedule: Schedule, family: str, problem, x0, known: Instance, grid, seed, progress) -> Rate:
    measured, limits, radii, memory = [], [], [], "zero"
    for K in grid:
        choice = schedule.choose(known, K)
        memory = choice.memory
        start, R = memories(problem, x0, choice.memory, choice.radius, seed)
        traces = run(
            problem,
            choice.method,
            x0,
            K + 1,
            memories=None if choice.method.feedback is None else start,
            seeds=np.arange(choice.seeds),
            progress=progress,
        )
        measured.append(traces["gradient_norm"].mean(axis=1).min(axis=-1))
        radii.append(2 * R.ravel())
        if choice.bound is not None:
            limits.append(np.broadcast_to(choice.bound, known.L.shape).ravel())
    values = np.stack(measured)  # (K, instance)
    begin = np.linalg.norm(problem.gradient(x0), axis=-1).ravel()
    slopes = -_slopes(np.asarray(grid), values, begin)
    centre = spread = None
    if len(slopes) >= 2:
        centre = float(slopes.mean())
        spread = float(stats.sem(slopes) * stats.t.ppf((1 + CONFIDENCE) / 2, len(slopes) - 1))
    return Rate(
        schedule.name,
        schedule.printed,
        schedule.exponent,
        family,
        memory,
        tuple(grid),
        tuple(stats.gmean(np.maximum(values, np.finfo(float).tiny), axis=1).tolist()),
        tuple(stats.gmean(np.stack(limits), axis=1).tolist()) if limits else None,
        tuple(np.stack(radii).mean(axis=1).tolist()),
        centre,
        None if centre is None or spread is None else centre - spread,
        None if centre is None or spread is None else centre + spread,
        len(slopes),
        float((values / np.stack(limits)).max()) if limits else None,
    )


def _slopes(grid: Array, values: Array, start: Array) -> Array:
    """Least-squares slope of log values against log(K + 1), one for each instance that has at least two
    values above rounding."""
    x = np.log(grid + 1.0)
    found = []
    for column, first in zip(values.T, start, strict=True):
        good = column > ROUNDING * first
        if good.sum() >= 2:
            found.append(np.polyfit(x[good], np.log(column[good]), 1)[0])
    return np.asarray(found)
