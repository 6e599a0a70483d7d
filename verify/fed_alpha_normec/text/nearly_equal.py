"""How the first term of Theorem 1 grows as Δ^inf → 0, where the condition on ηγ limits η: at one γ, and at the best one."""

from __future__ import annotations

import sympy

from verify.claim import Repair
from verify.facts import equal
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    ETA,
    GAMMA,
    GAP,
    RADIUS,
    ROUNDS,
    SMOOTH,
    SPREAD,
    Delta,
    F,
    K,
    L,
    R,
    alpha,
    beta,
    eta,
    gamma,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.obligation import obligation
from verify.proof import Proof

n = K + 1
FIRST = 3 * F / (n * eta)
_ROOT = sympy.sqrt(2 * L)
_SIZES = (ETA, GAMMA, SMOOTH, ROUNDS, GAP)
_KEPT = obligation(
    "3(f(x⁰) − f^inf)/((K+1)η) ≥ 12L√(2L)γ(f(x⁰) − f^inf)/Δ^inf",
    (*_SIZES, SPREAD, ro.PRINTED_ROUNDS),
    FIRST * Delta >= 12 * L * _ROOT * gamma * F,
)
_KEPT_REACHED = obligation(
    "and equal to that with η at the limit on ηγ, which is Section 4's other limit or less once Δ^inf ≤ 2L√(2L)(K+1)γ²βR/(α+R)",
    (*_SIZES, ALPHA, BETA, RADIUS, SPREAD),
    sympy.Implies(
        equal(eta * gamma * n * 4 * L * _ROOT, Delta),
        equal(FIRST * Delta, 12 * L * _ROOT * gamma * F)
        & sympy.Implies(
            Delta * (alpha + R) <= 2 * L * _ROOT * n * gamma**2 * beta * R,
            eta * 2 * (alpha + R) <= gamma * beta * R,
        ),
    ),
)
_OTHER = obligation(
    "and ≥ 6(f(x⁰) − f^inf)(α+R)/(γβR(K+1))",
    (*_SIZES, ALPHA, BETA, RADIUS, ro.HALF_STEP),
    FIRST * gamma * beta * R * n >= 6 * F * (alpha + R),
)
LEAST = 72 * L * _ROOT * F**2 * (alpha + R)
"""ΔβR(K+1) times the square of the least first term."""
_BEST = obligation(
    "so at every γ its square is ≥ 72L√(2L)(f(x⁰) − f^inf)²(α+R)/(βR(K+1)Δ^inf)",
    (*_SIZES, ALPHA, BETA, RADIUS, SPREAD, _KEPT.conclusion, _OTHER.conclusion),
    FIRST**2 * Delta * beta * R * n >= LEAST,
)
_CHOSEN = equal(gamma**2 * 2 * L * _ROOT * beta * R * n, (alpha + R) * Delta) & equal(
    eta * 2 * (alpha + R), gamma * beta * R
)
_NEAR = Delta * 2 * L * (alpha + R) <= _ROOT * beta * R * n
"""Δ^inf ≤ √(2L)βR(K+1)/(2L(α+R)): then that γ is no longer than 1/(2L)."""
_REACHED = obligation(
    "and equal to that at γ² = (α+R)Δ^inf/(2L√(2L)βR(K+1)), with η at both its limits",
    (*_SIZES, ALPHA, BETA, RADIUS, SPREAD),
    sympy.Implies(
        _CHOSEN & _NEAR,
        equal(eta * gamma * n * 4 * L * _ROOT, Delta)
        & equal(FIRST**2 * Delta * beta * R * n, LEAST)
        & (2 * L * gamma <= 1),
    ),
)
GROWS = Repair(
    "At a γ that is kept the first term is at least 12L√(2L)γ(f(x⁰)−f^inf)/Δ^inf, and no more where Δ^inf ≤ "
    "2L√(2L)(K+1)γ²βR/(α+R) and η is at its limit; at the best γ it is (f(x⁰)−f^inf) "
    "√(72L√(2L)(α+R)/(βR(K+1)Δ^inf)) where Δ^inf ≤ √(2L)βR(K+1)/(2L(α+R)), and at no γ is it smaller: as Δ^inf → 0 the bound "
    "grows, for every choice of γ, where f(x⁰) > f^inf.",
    "η within Theorem 1's conditions, α, β, R and K kept",
    Proof(
        (*_SIZES[:3], ALPHA, BETA, RADIUS, SPREAD, ro.PRINTED_ROUNDS, ro.HALF_STEP),
        (_KEPT, _KEPT_REACHED, _OTHER, _BEST, _REACHED),
    ),
    weakest="both rates are attained: at a kept γ with η at the limit on ηγ, and at the best γ, γ² = (α+R)Δ^inf/(2L√(2L)βR(K+1)), "
    "with η at both its limits, which is allowed where Δ^inf ≤ √(2L)βR(K+1)/(2L(α+R))",
)
