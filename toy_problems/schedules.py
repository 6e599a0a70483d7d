"""The parameters that the corollaries prescribe, as functions of K and of an instance.

A schedule fixes γ, β, η and the memories for one K. Steps of the normalised methods have one length, so K + 1
of them lead no further than K + 1 times `Choice.step`: a run that starts further from every minimiser than
that measures its start and not a rate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from bounds.alpha_normec import corollary1, corollary2
from bounds.alpha_normec.theorem1 import theorem1
from bounds.fed_alpha_normec import corollaries, schedules
from bounds.privacy.printed import alpha_normec_noise
from methods.algebra import Method
from methods.published import alpha_normec, dp_alpha_normec, fed_alpha_normec, gradient_descent
from toy_problems.problem import Array
from toy_problems.starts import Memory

INSIDE = 1 - 1e-12
"""Factor that keeps a parameter at the border of its condition inside it, and a strict inequality strict, under rounding."""


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
    """A schedule at one K: the method, the memories, the length of a step (None where steps are not
    normalised), and the printed bound there (None where only O(·) is printed)."""

    method: Method
    memory: Memory
    radius: Array
    step: Array | None
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
    return Choice(alpha_normec(gamma, beta, alpha), "radius", corollary1.radius(D, K), gamma, bound)


def _equation12(known: Instance, K: int) -> Choice:
    """Eq. (12) where its hypotheses can hold together: with s = L_max √(2(f(x⁰) − f_inf)/L) its β is s (α +
    D)/D, and β < α needs D > s and α > sD/(D − s). Taken: D = 2s, α = 4s, so β = 3s < α."""
    s = known.L_max * np.sqrt(2 * known.f_gap / known.L)
    alpha, D = 4 * s, 2 * s
    beta = corollary1.beta12(known.f_gap, known.L, known.L_max, alpha, D)
    gamma = corollary1.longest_step(beta, known.L_max, alpha, D, K)
    bound = corollary1.equation12(known.f_gap, known.L, D, K)
    return Choice(alpha_normec(gamma, beta, alpha), "radius", corollary1.radius(D, K), gamma, bound)


def _zero_memory(known: Instance, K: int) -> Choice:
    """Theorem 1 with g⁰ = 0, where R = max ‖∇f_i(x⁰)‖ does not depend on K, and γ of order 1/√K."""
    alpha, beta, R = 1.0, 0.5, known.R_zero
    gamma = INSIDE * beta * R / (alpha + R) / known.L_max / np.sqrt(K + 1)
    bound = theorem1(known.f_gap, gamma, K, R, known.L)
    return Choice(alpha_normec(gamma, beta, alpha), "zero", R, gamma, bound)


def _exact_memory(known: Instance, K: int) -> Choice:
    """g⁰ = ∇f_i(x⁰): R = 0, for which Theorem 1 allows no γ > 0. The step is Corollary 1's at D = 1."""
    alpha, beta = 1.0, 0.5
    gamma = corollary1.longest_step(beta, known.L_max, alpha, 1.0, K)
    return Choice(alpha_normec(gamma, beta, alpha), "exact", np.zeros_like(gamma), gamma, None)


def _descent(known: Instance, K: int) -> Choice:
    """Gradient descent with γ = 1/L."""
    return Choice(
        gradient_descent(1 / known.L),
        "zero",
        known.R_zero,
        None,
        np.sqrt(2 * known.L * known.f_gap / (K + 1)),
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
        dp_alpha_normec(gamma, beta, alpha, sigma), "radius", np.full_like(gamma, R), gamma, bound, seeds=5
    )


def _fed_corollary1(known: Instance, K: int) -> Choice:
    """Fed-α-NormEC, Corollary 1 (F.4's η̂), T = 1, p = 1/2, no noise, D₁ = D₂ = α = 1."""
    L = known.L_max
    plan = schedules.corollary1_appendix(float(K), L, 1.0, 1.0, 1.0)
    method = fed_alpha_normec(plan.eta, plan.gamma, plan.beta, 1.0, p=0.5, T=1)
    bound = corollaries.corollary1_appendix(known.f_gap, float(K), L, 1.0, 1.0, 1.0, known.n, 0.5, 0.0)
    return Choice(method, "radius", np.full_like(L, plan.R), plan.eta + np.zeros_like(L), bound, seeds=5)


def _fed_corollary3(known: Instance, K: int) -> Choice:
    """Fed-α-NormEC, Corollary 3: T = 5, p = 1/2, no noise, D₁ = D₂ = α = 1; Δ^inf so large that η̂'s second
    term decides."""
    L, rounds = known.L_max, float(K)  # a float: an integer with an exact root would become a Fraction
    plan = schedules.corollary3(rounds, L, 1.0, 1.0, 1.0, known.Delta)
    method = fed_alpha_normec(plan.eta, plan.gamma, plan.beta, 1.0, p=0.5, T=5)
    bound = corollaries.corollary3(known.f_gap, rounds, L, 1.0, 1.0, 1.0, known.n, 0.5, 0.0, known.Delta)
    return Choice(method, "radius", np.full_like(L, plan.R), plan.eta, bound, seeds=5)


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
