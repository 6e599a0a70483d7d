"""Theorem 1's additive constant 2R + Lγ/2, and how small the whole bound can be."""

from __future__ import annotations

import sympy

from bounds.alpha_normec.ours import smallest_theorem1
from bounds.alpha_normec.theorem1 import theorem1
from verify.alpha_normec.corollary1 import GAP, ROUNDS
from verify.alpha_normec.descent import BOUNDED, SMOOTH_I, START
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CONTRACTION,
    GAMMA,
    PAPER,
    RESIDUAL,
    SHORT_STEP,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L,
    L_max,
    R,
    alpha,
    beta,
    f_gap,
    gamma,
)
from verify.alpha_normec.theorem1 import T1
from verify.citation import Cite
from verify.claim import Claim, Repair
from verify.facts import definition, hypothesis
from verify.obligation import obligation
from verify.proof import Limit, Proof

OUR_MIN = Claim(
    id="NEC-OUR-T1-MIN",
    paper=PAPER,
    place="ours: how small Theorem 1's bound can be",
    kind="ours",
    printed="For all α, β, γ, R that Theorem 1 allows its bound exceeds √((8L_max + 2L)(f(x⁰) − f^inf)/(K+1)), which for "
    "L_max = L is √5 times gradient descent's √(2L(f(x⁰) − f^inf)/(K+1)).",
    reason="γ < R/L_max, so 2R + Lγ/2 > γ(2L_max + L/2), and a/γ + bγ ≥ 2√(ab).",
    proof=Proof(
        (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, CONTRACTION, SHORT_STEP),
        (
            short := obligation(
                "γL_max < R",
                (ALPHA, BETA, GAMMA, SMOOTH_MAX, CONTRACTION, SHORT_STEP, definition("R ≥ 0", R >= 0)),
                gamma * L_max < R,
            ),
            obligation(
                "the bound exceeds √((8L_max + 2L)(f(x⁰) − f^inf)/(K+1))",
                (GAMMA, SMOOTH, SMOOTH_MAX, short.conclusion, ROUNDS, GAP),
                theorem1(f_gap, gamma, K, R, L) > smallest_theorem1(f_gap, L, L_max, K),
            ),
        ),
    ),
    consequence="With L_max = L the bound says nothing unless K + 1 > 5.",
)
GRADIENTS = sympy.Symbol("grad0", real=True)
T1_ADD = Claim(
    id="NEC-T1-ADD",
    paper=PAPER,
    place="after Theorem 1, Section 4",
    kind="prose",
    printed="α-NormEC converges sublinearly up to the additive constant of 2R + (L/2)γ. This constant diminishes when we "
    "properly choose initialized memory vectors g_i^{−1} and the step size γ, as shown in the following corollary. [g_i^{−1}: "
    "Algorithm 1 and Corollary 1 call them g_i⁰.]",
    reason="2R + Lγ/2 can be made as small as one likes, but only with K: at fixed K the first term then grows, and the sum "
    "stays above √(10L(f(x⁰) − f^inf)/(K+1)) for L_max = L.",
    proof=Proof(
        (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, CONTRACTION, SHORT_STEP),
        (
            obligation(
                "2R + Lγ/2 ≤ (2 + L/(2L_max)) R",
                (
                    ALPHA,
                    BETA,
                    GAMMA,
                    SMOOTH,
                    SMOOTH_MAX,
                    CONTRACTION,
                    SHORT_STEP,
                    definition("R ≥ 0", R >= 0),
                ),
                2 * R + L * gamma / 2 <= (2 + L / (2 * L_max)) * R,
            ),
            Limit("→ 0 as R → 0", (2 + L / (2 * L_max)) * R, R, sympy.Integer(0), sympy.Integer(0)),
            Limit(
                "while at fixed K the first term → ∞",
                f_gap / (beta * R / (alpha + R) / L_max * (K + 1)),
                R,
                sympy.Integer(0),
                sympy.oo,
            ),
        ),
    ),
)
T1_ZERO = Claim(
    id="NEC-T1-ADD@zero-memory",
    paper=PAPER,
    place="Theorem 1 with g_i⁰ = 0 (Section 6, Appendix I)",
    kind="ours",
    printed="With g_i⁰ = 0 the bound of Theorem 1 is above 2‖∇f(x⁰)‖ for every K: it never says more than the first gradient.",
    reason="R = max_i ‖∇f_i(x⁰)‖ ≥ ‖∇f(x⁰)‖, so 2R alone is more than what is known at k = 0.",
    proof=Proof(
        (GAMMA, SMOOTH),
        (
            obligation(
                "bound > 2‖∇f(x⁰)‖",
                (GAMMA, SMOOTH, ROUNDS, GAP, definition("R = max_i ‖∇f_i(x⁰)‖ ≥ ‖∇f(x⁰)‖", R >= GRADIENTS),
                 definition("norm", GRADIENTS >= 0)),
                theorem1(f_gap, gamma, K, R, L) > 2 * GRADIENTS,
            ),
        ),
    ),
    consequence="The guarantee needs memories close to the clients' first gradients; zero memories have none.",
)  # fmt: skip
R0 = hypothesis("R = 0", sympy.Eq(R, 0))
UPPER = hypothesis("‖∇f_i(x⁰) − g_i⁰‖ ≤ R' for all i", START.relation)
_UPPER_BOUND = (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, SMOOTH_I, SHORT_STEP, UPPER, BOUNDED, CONTRACTION)
"""The hypotheses of Theorem 1 with R' in the place of R: its proof never uses that R is attained."""
T1_R0 = Claim(
    id="NEC-T1-ADD@R-zero",
    paper=PAPER,
    place="Theorem 1 with g_i⁰ = ∇f_i(x⁰)",
    kind="ours",
    printed="Theorem 1 with R = 0, the best initial memories.",
    reason="R = 0 makes γ ≤ βR/((α+R)L_max) = 0, against γ > 0: the theorem says nothing about exact memories.",
    conflict=Proof(
        (ALPHA, BETA, GAMMA, SMOOTH_MAX, R0),
        (
            obligation(
                "the longest step is 0, so that γ > 0 is impossible",
                (ALPHA, BETA, SMOOTH_MAX, R0),
                beta * R / (alpha + R) / L_max <= 0,
            ),
        ),
    ),
    repair=Repair(
        "Any R' ≥ max_i ‖∇f_i(x⁰) − g_i⁰‖ may stand for R in Theorem 1, conditions included; so exact memories may use any "
        "R' > 0.",
        "R an upper bound instead of the maximum",
        Proof(_UPPER_BOUND, (Cite(T1, (*_UPPER_BOUND, ROUNDS, RESIDUAL)),)),
    ),
)
CLAIMS = (T1_ADD, T1_ZERO, T1_R0, OUR_MIN)
