"""Corollary 2 with γ = 1/(2L), the last line of its proof: where the noise is no smaller than what absent clients leave, one constant
in O(·) serves.

Letters as in `utility` and `last_display`: y = (B₂/M)^(1/4), G = √(2L(f(x⁰) − f^inf)), root = d^{1/4}. Q is the fourth root that
Corollary 2 prints, and q = (2c²)^{1/4}, so that d^{1/4}y = qQ.
"""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec.corollaries import utility_scale
from verify.claim import Repair
from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.corollaries import utility as ut
from verify.fed_alpha_normec.corollaries.last_display import DIMENSION, root
from verify.fed_alpha_normec.corollaries.utility import C, G, Lam, c, epsilon, hat, y
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    F,
    K,
    L,
    M,
    R,
    V,
    alpha,
    eta,
    gamma,
    p,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.obligation import obligation
from verify.proof import Proof

q, Q = letters("q Q")
_HALF = hypothesis("γ = 1/(2L)", equal(2 * L * gamma, 1))
_LENGTH = hypothesis("η = (1/(K+1))(γ/2)(β̂R/(α+R))", equal(eta * (K + 1) * 2 * (alpha + R), gamma * hat * R))
_NOISE = hypothesis(
    "E‖z‖² = σ_DP², σ_DP = c p√((K+1)log(1/δ))/ε",
    equal(V * epsilon**2, c**2 * p**2 * (K + 1) * Lam) & (V >= 0),
)
_LOUD = hypothesis("σ_DP² ≥ 1 − p", V >= 1 - p)
_HAT = hypothesis("β̂ = √(3(f(x⁰)−f^inf)/γ)(M/B₂)^{1/4}", equal(hat * y, sympy.sqrt(3 * F / gamma)))
_EVEN = hypothesis(
    "α = R = C d^{1/4} √((f(x⁰)−f^inf)/γ)(B₂/M)^{1/4}, C > 0",
    (C > 0) & equal(alpha, R) & equal(R, C * root * sympy.sqrt(F / gamma) * y),
)
_FOURTH = hypothesis(
    "y = (B₂/M)^{1/4}, B₂ = 2c²p log(1/δ)/ε²", (y > 0) & equal(y**4 * epsilon**2 * M, 2 * c**2 * p * Lam)
)
_KNOWN = definition("G = √(2L(f(x⁰) − f^inf))", equal(G**2, 2 * L * F) & (G >= 0))
_PRINTED = definition(
    "q = (2c²)^{1/4}, Q = (dB̂/M² · log(1/δ)/ε²)^{1/4}, B̂ = pM",
    (q > 0) & equal(q**4, 2 * c**2) & (Q > 0) & equal(Q**4 * M * epsilon**2, root**4 * p * Lam),
)
_SIGNS = (ALPHA, RADIUS, SMOOTH, GAMMA, ROUNDS, ut.SMALL)
_POSITIVE = obligation(ETA.name, (*_SIGNS, _LENGTH), ETA.relation)
_STEP = obligation(ro.STEP_ONE.name, (*_SIGNS, ut.SCHEDULE, _HALF, _LENGTH), ro.STEP_ONE.relation)
_SQUARE = obligation(
    "B*(K+1)β²/M ≤ β̂²√(B₂/M)², B* = (1 − p + σ_DP²)/p ≤ 2σ_DP²/p",
    (PARTICIPATION, CLIENTS, ROUNDS, ut.SMALL, ut.SCHEDULE, _NOISE, _LOUD, no.TIGHT_B, ro.LEVEL, _FOURTH),
    ro.err**2 <= hat**2 * y**4,
)
_ERROR = obligation(
    "√(β²B*(K+1)/M) ≤ β̂√(B₂/M)", (ut.SMALL, ro.LEVEL, _FOURTH, _SQUARE.conclusion), ro.err <= hat * y**2
)
_IN_G = obligation(
    "β̂y = √3 G, R = C d^{1/4} Gy",
    (SMOOTH, GAMMA, GAP, _HALF, _HAT, _EVEN, _FOURTH, _KNOWN),
    equal(hat * y, sympy.sqrt(3) * G) & equal(R, C * root * G * y) & (C > 0) & equal(alpha, R),
)
_FIRST = obligation(
    "(f(x⁰) − f^inf)/((K+1)η) = (4/√3)Gy",
    (SMOOTH, RADIUS, ETA, ROUNDS, ut.SMALL, _HALF, _LENGTH, _FOURTH, _KNOWN, _IN_G.conclusion),
    equal(F / ((K + 1) * eta) * sympy.sqrt(3), 4 * G * y),
)
_LAST = obligation(
    "Lη/2 ≤ R/8",
    (*_SIGNS, ut.SCHEDULE, FEEDBACK, _HALF, _LENGTH, _IN_G.conclusion),
    L * eta / 2 <= R / 8,
)
_NOISY = obligation(
    "2√(β²B*(K+1)/M) ≤ 2√3 Gy",
    (_FOURTH, _ERROR.conclusion, _IN_G.conclusion),
    2 * ro.err <= 2 * sympy.sqrt(3) * G * y,
)
_TERMS = obligation(
    "min E‖∇f(xᵏ)‖ ≤ (10/√3 + (17/8)C d^{1/4})Gy",
    (ro.END_ONE.conclusion, _NOISY.conclusion, _IN_G.conclusion, _FIRST.conclusion, _LAST.conclusion),
    ro.low <= (10 / sympy.sqrt(3) + sympy.Rational(17, 8) * C * root) * G * y,
)
_ROOTS = obligation(
    "d^{1/4}y = qQ", (PARTICIPATION, CLIENTS, ut.SMALL, DIMENSION, _FOURTH, _PRINTED), equal(root * y, q * Q)
)
_FACTOR = (10 / sympy.sqrt(3) + sympy.Rational(17, 8) * C) * q / sympy.sqrt(2)
_END = obligation(
    "min E‖∇f(xᵏ)‖ ≤ (10/√3 + 17C/8)(2c²)^{1/4}/√2 · Δ ⁴√(dB̂/M² · log(1/δ)/ε²)",
    (
        SMOOTH,
        GAP,
        DIMENSION,
        _FOURTH,
        _KNOWN,
        _PRINTED,
        _IN_G.conclusion,
        _TERMS.conclusion,
        _ROOTS.conclusion,
    ),
    ro.low <= _FACTOR * utility_scale(alpha, L, F) * Q,
)
PROOF = Proof(
    (
        ALPHA, RADIUS, SMOOTH, GAMMA, PARTICIPATION, DIMENSION, ut.SMALL, ut.SCHEDULE, FEEDBACK, _HALF, _LENGTH, _NOISE, _LOUD, _HAT,
        _EVEN, _FOURTH, *ro.STARTED, ro.ONE_LOCAL_STEP,
    ),
    (
        obligation(BETA.name, (ut.SCHEDULE,), BETA.relation),
        _POSITIVE,
        FROM_FEEDBACK,
        _STEP,
        *ro.ONE_STEP_NODES,
        _SQUARE,
        _ERROR,
        _IN_G,
        _FIRST,
        _LAST,
        _NOISY,
        _TERMS,
        _ROOTS,
        _END,
    ),
)  # fmt: skip
REPAIR = Repair(
    "With γ = 1/(2L) the bound holds with the constant (10/√3 + 17C/8)(2c²)^{1/4}/√2 for every K with β/(α+R) < 1, where E‖z_i‖² = "
    "σ_DP² ≥ 1 − p and α = R = C d^{1/4} √((f(x⁰)−f^inf)/γ)(B₂/M)^{1/4}; nothing is asked of Δ^inf.",
    "γ = 1/(2L); σ_DP² ≥ 1 − p; β/(α+R) < 1, that is K + 1 > √3/(2C d^{1/4} √(B₂/M)) (FED-C2-UTIL@feedback); σ_DP² := E‖z_i‖²",
    PROOF,
    weakest="γ ≥ κ/(2L) costs the factor 1/√κ, σ_DP² ≥ κ(1 − p) at most √((1 + 1/κ)/2), κ ≤ 1; some lower limit on γ is necessary "
    "by the witness, and one on σ_DP² by that of FED-C2-UTIL@longest-gamma; whether lower ones would do is open",
)
