"""The letters of α-NormEC as the prover reads them, and the hypotheses that many statements share."""

from __future__ import annotations

import sympy

from bounds.alpha_normec.symbols import SYMBOLS
from bounds.alpha_normec.theorem1 import FEEDBACK, STEP
from verify.facts import definition, hypothesis

PAPER = "alpha-normec"
LETTERS = {name: symbol.sympy() for name, symbol in SYMBOLS.items()}
alpha, beta, gamma, R, L, L_max, f_gap, K, n, d, sigma, D, tau, beta_0 = (
    LETTERS[name]
    for name in [
        "alpha",
        "beta",
        "gamma",
        "R",
        "L",
        "L_max",
        "f_gap",
        "K",
        "n",
        "d",
        "sigma",
        "D",
        "tau",
        "beta_0",
    ]
)
r, w, r_next, s, t, q = sympy.symbols("r w r_next s t q", real=True)


ALPHA, BETA, GAMMA = (
    hypothesis("α > 0", alpha > 0),
    hypothesis("β > 0", beta > 0),
    hypothesis("γ > 0", gamma > 0),
)
SMOOTH = hypothesis("L > 0", L > 0)
SMOOTH_MAX = hypothesis("L_max > 0", L_max > 0)
"""Not printed, and no restriction: what is L-smooth is L'-smooth for every L' ≥ L, so the constants may be taken above 0. The
bounds divide by them."""
CONTRACTION = hypothesis(FEEDBACK.printed, beta / (alpha + R) < 1)
SHORT_STEP = hypothesis(STEP.printed, STEP.relation(LETTERS))
RESIDUAL = definition("r = ‖v‖ ≥ 0", r >= 0)
RADIUS = definition("R ≥ 0", R >= 0)
ROUNDS = definition("K ≥ 0", K >= 0)
GAP = definition("f(x⁰) − f^inf ≥ 0", f_gap >= 0)
POSITIVE_GAP = hypothesis("f(x⁰) > f^inf", f_gap > 0)
ALPHA0 = hypothesis("α ≥ 0", alpha >= 0)
TAU = hypothesis("τ > 0", tau > 0)
ANY_D = hypothesis("D > 0", D > 0)
ROOM = hypothesis("R > 0", R > 0)
CLIENTS = hypothesis("n ≥ 1", n >= 1)
SIGMA = hypothesis("σ_DP ≥ 0", sigma >= 0)
ALLOWED = (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, CONTRACTION, SHORT_STEP)
"""The letters and conditions of Theorem 1."""


def remaining(x: sympy.Expr) -> sympy.Expr:
    """|1 − β/(α+x)| x: the norm of v − β Norm_α(v) where ‖v‖ = x (Lemma 1)."""
    return sympy.Abs(1 - beta / (alpha + x)) * x
