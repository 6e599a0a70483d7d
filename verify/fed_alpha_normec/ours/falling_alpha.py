"""One local step where α falls with R: FED-R1 at its best R, of order (K+1)^(−1/4) for noise of constant variance.

With α = t²R, β = wR and the longest η the bound is A/R + CR, which is least, 2√(AC), where CR² = A.
"""

from __future__ import annotations

import sympy

from bounds.alpha_normec.theorem2 import theorem2_appendix
from bounds.fed_alpha_normec import repaired
from verify.citation import Cite
from verify.facts import equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import ROOTS_R
from verify.fed_alpha_normec.letters import (
    CLIENTS,
    ETA,
    GAP,
    RADIUS,
    ROUNDS,
    SMOOTH,
    VARIANCE,
    F,
    K,
    L,
    M,
    R,
    V,
    alpha,
    at_least_zero,
    beta,
    claim,
    eta,
    p,
    sigma,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours.claims import R1
from verify.identity import Identity, Limit
from verify.obligation import obligation
from verify.proof import Proof

t, w, noise, nu, z = letters("t w noise nu z")
OURS = 2 * sympy.sqrt(F * L / (K + 1) * ((1 + t**2) * (2 / w + 2 * noise) + sympy.Rational(1, 2)))

# A and C of the bound A/R + CR.
_FALLING = L * F * (1 + t**2) / ((K + 1) * w)
_RISING = 2 + 2 * w * noise + w / (2 * (1 + t**2))

_POSITIVE = hypothesis("t > 0", t > 0)
WITHIN = hypothesis("0 < w ≤ (1 + t)²", (w > 0) & (w <= (1 + t) ** 2))
_CHOSEN = hypothesis("α = t²R, β = wR", equal(alpha, t**2 * R) & equal(beta, w * R))
_LONGEST = hypothesis("η = βR/(L(α + R))", equal(eta, beta * R / (alpha + R) / L))
_A_C = "A = L(f(x⁰)−f^inf)(1+t²)/((K+1)w), C = 2 + 2wN + w/(2(1+t²))"
_BEST = hypothesis(f"R² = A/C, {_A_C}", equal(_RISING * R**2, _FALLING))
_NOISE = hypothesis("N = √((K+1)(1−p+V)/(pM))", (noise >= 0) & equal(noise**2 * M * p, (K + 1) * (1 - p + V)))

_FEEDBACK = obligation(ROOTS_R.name, (_POSITIVE, WITHIN, _CHOSEN, RADIUS), ROOTS_R.relation)
_STEP = obligation(ro.STEP_ONE.name, (_LONGEST,), ro.STEP_ONE.relation)
_CITED = Cite(
    R1, (*ro.ONE_STEP_HYPOTHESES, _FEEDBACK.conclusion, _STEP.conclusion, CLIENTS, ROUNDS, GAP, VARIANCE)
)
_SPLIT = obligation(
    f"FED-R1 with these choices is A/R + CR, {_A_C}",
    (
        _POSITIVE,
        WITHIN,
        _CHOSEN,
        _LONGEST,
        RADIUS,
        SMOOTH,
        CLIENTS,
        no.PARTICIPATION,
        ROUNDS,
        _NOISE,
        _CITED.conclusion,
    ),
    ro.low <= _FALLING / R + _RISING * R,
)


def rate(ours: sympy.Expr) -> Proof:
    """That FED-R1 with these choices is at most `ours`, and that no R gives less."""
    known = (_POSITIVE, WITHIN, SMOOTH, GAP, RADIUS, ROUNDS, _NOISE)
    least = obligation("no R makes A/R + CR less", known, _FALLING / R + _RISING * R >= ours)
    there = obligation(
        "min E‖∇f(xᵏ)‖ is at most that where CR² = A", (*known, _BEST, _SPLIT.conclusion), ro.low <= ours
    )
    limit = Limit(
        "(K+1)^(1/4) times it, where N = ν√(K+1)",
        z * ours.subs({noise: nu * z**2, K: z**4 - 1}),
        z,
        sympy.oo,
        2 * sympy.sqrt(2 * nu * F * L * (1 + t**2)),
        "-",
        (SMOOTH, GAP, at_least_zero(nu), _POSITIVE, WITHIN),
    )
    other = Identity(
        "at p = 1, V = σ² FED-R1 is α-NormEC's Theorem 2 with L_max = L",
        repaired.one_step(F, K, eta, R, beta, M, sympy.Integer(1), sigma**2, L),
        theorem2_appendix(F, eta, K, R, L, beta, sigma, M),
        (ETA, ROUNDS, CLIENTS),
    )
    return Proof(
        (*ro.ONE_STEP_HYPOTHESES, _POSITIVE, WITHIN, _CHOSEN, _LONGEST, _NOISE, _BEST),
        (_FEEDBACK, _STEP, _CITED, _SPLIT, least, other, limit, there),
    )


CLAIMS = (
    claim(
        "FED-RATE",
        "ours, beside Corollary 1",
        "ours",
        "With α = t²R, β = wR, 0 < w ≤ (1+t)², η = βR/(L(α+R)) and R chosen best, the memories starting within that R, FED-R1 is "
        "2√(L(f(x⁰)−f^inf)/(K+1) [(1+t²)(2/w + 2N) + 1/2]), N = √((K+1)(1−p+V)/(pM)): O((K+1)^(−1/4)) for noise of constant variance",
        "The paper keeps α fixed while R falls, which costs the difference between 1/4 and 1/6; α does not "
        "enter the sensitivity over all gradients.",
        proof=rate(OURS),
        consequence="Let α shrink with R: `bounds.fed_alpha_normec.recipe` does. At p = 1 FED-R1 is α-NormEC's Theorem 2 with "
        "L_max = L, which has this rate too.",
    ),
)
