"""What FED-R2-SHARP makes of the sentence after Theorem 1: a part of order 1/√(K+1), and constants from R, absent clients and noise,
and the drift.

The term of B stays constant where β falls like 1/√(K+1); where all take part and there is no noise it is 0 at any β. Then the longest
step that β allows, of order 1/√(K+1), makes the rest of the bound fall with it.
"""

from __future__ import annotations

import sympy

from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import ROOTS_R
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
    LOCAL_STEP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    VARIANCE,
    Delta,
    F,
    K,
    L,
    M,
    R,
    V,
    alpha,
    beta,
    eta,
    gamma,
    p,
)
from verify.fed_alpha_normec.ours import rising as ri
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se
from verify.obligation import obligation
from verify.proof import Proof

z, first = letters("κ beta_0")
STATEMENT = (
    "With β = β₀/√(K+1), β₀ ≤ (√α + √R)², and η = β₀R/(2L(α+R)√(K+1)), at any fixed γ ≤ 1/(2L), FED-R2-SHARP gives min_k E‖∇f(xᵏ)‖ ≤ "
    "(2L(α+R)(f(x⁰)−f^inf)/(β₀R) + β₀R/(4(α+R)))/√(K+1) + 2R + 2β₀√((1−p+V)/(pM)) + Lγ√(2L(f(x⁰) − (1/M)Σf_i^inf)), V = E‖z‖²."
)
CONDITION = (
    "no condition on ηγ; β = β₀/√(K+1), or β = β₀ where p = 1 and V = 0; f(x⁰) > (1/M)Σf_i^inf, and their difference for Δ^inf in the "
    "drift; (1−p+V)/p for B"
)

ROOT = definition("κ = √(K + 1)", (z >= 1) & equal(z**2, K + 1))
START = hypothesis("0 < β₀ ≤ (√α + √R)²", (first > 0) & (first <= (sympy.sqrt(alpha) + sympy.sqrt(R)) ** 2))
CHOICE = hypothesis(
    "β = β₀/√(K + 1), or β = β₀, p = 1 and V = 0",
    equal(beta * z, first) | (equal(beta, first) & equal(p, 1) & equal(V, 0)),
)
STEP = hypothesis("η = β₀R/(2L(α + R)√(K + 1))", equal(eta * 2 * L * (alpha + R) * z, first * R))
BETWEEN = obligation(
    "β₀/√(K + 1) ≤ β ≤ β₀", (START, ROOT, CHOICE), (beta * z >= first) & (beta <= first) & (beta > 0)
)
_DOMAIN = (ALPHA, RADIUS, SMOOTH)
ALLOWED = (
    obligation(BETA.name, (BETWEEN.conclusion,), BETA.relation),
    obligation(ETA.name, (*_DOMAIN, START, ROOT, STEP), ETA.relation),
    obligation(ROOTS_R.name, (ALPHA, RADIUS, START, BETWEEN.conclusion), ROOTS_R.relation),
    obligation(ro.STEP_SEVERAL.name, (*_DOMAIN, ROOT, STEP, BETWEEN.conclusion), ro.STEP_SEVERAL.relation),
)
LONG = obligation(
    "(K + 1)η = β₀R√(K + 1)/(2L(α + R))",
    (ROOT, STEP),
    equal((K + 1) * eta * 2 * L * (alpha + R), first * R * z),
)
SERVER = obligation(
    "√(β²B*(K+2)/(2M)) ≤ β₀√((1 − p + V)/(pM))",
    (PARTICIPATION, VARIANCE, CLIENTS, ROUNDS, START, ROOT, CHOICE, no.TIGHT_B, ri.LEVEL),
    ri.mean_err <= first * sympy.sqrt((1 - p + V) / (p * M)),
)
END = obligation(
    "a part that falls like 1/√(K + 1), and constants",
    (
        *_DOMAIN, ETA, ROUNDS, START, ROOT, STEP, se.HEIGHT, LONG.conclusion, SERVER.conclusion, se.SHARP_GD_NODES[-1].conclusion,
    ),
    ro.low <= (2 * L * (alpha + R) * F / (first * R) + first * R / (4 * (alpha + R))) / z
    + 2 * R + 2 * first * sympy.sqrt((1 - p + V) / (p * M)) + L * gamma * sympy.sqrt(2 * L * (F + Delta)),
)  # fmt: skip
SUBLINEAR = Proof(
    (*_DOMAIN, GAMMA, LOCAL_STEP, PARTICIPATION, *ro.STARTED, se.HIGHER, START, CHOICE, STEP),
    (BETWEEN, *ALLOWED, *se.SHARP_GD_NODES, LONG, SERVER, END),
)
