""" "The proof is analogous to the proof of Corollary 4.": that proof with Theorem 2's bound in the place of Theorem 1's.

Letters as in `last_display`; Theorem 2's two terms in the Δ^inf are called drift and stand on both sides of every
display.
"""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec.theorem1 import drift_term, noise_term
from bounds.fed_alpha_normec.theorem2 import incremental_term
from verify.claim import Repair
from verify.facts import definition, equal, hypothesis
from verify.fed_alpha_normec.corollaries import last_display as ld
from verify.fed_alpha_normec.corollaries.utility import B_1, B_2, EXTENT, SIZES, d, hat
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
    RADIUS,
    ROUNDS,
    SMOOTH,
    Delta,
    Delta_local,
    F,
    K,
    L,
    M,
    R,
    alpha,
    beta,
    claim,
    eta,
    gamma,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.obligation import obligation
from verify.proof import Proof

_FOURTH = sympy.Rational(1, 4)
X, y, root, side, absent, drift = ld.X, ld.y, ld.root, ld.side, ld.absent, ld.drift
_AMOUNTS = hypothesis("f(x⁰) > f^inf, B₂, C > 0", (F > 0) & (B_2 > 0) & (ld.C > 0))
_SPREADS = hypothesis("Δ^inf > 0, (1/M) Σ Δ_i^inf > 0", (Delta > 0) & (Delta_local > 0))
_COORDINATES = hypothesis("d ≥ 1", d >= 1)
_CHOICE = hypothesis(
    "α = R = C d^{1/4} √((f(x⁰) − f^inf)/γ) (B₂/M)^{1/4}",
    equal(alpha, ld.C * d**_FOURTH * sympy.sqrt(F / gamma) * (B_2 / M) ** _FOURTH) & equal(R, alpha),
)
_HAT = hypothesis(
    "β̂ = √(3(f(x⁰) − f^inf)/γ) (M/B₂)^{1/4}", equal(hat * (B_2 / M) ** _FOURTH, sympy.sqrt(3 * F / gamma))
)
_BETA = hypothesis("β = β̂/(K+1)", equal(beta * (K + 1), hat))
_ETA = hypothesis("η = (1/(K+1))(γ/2)(β̂R/(α+R))", equal(eta * (K + 1) * 2 * (alpha + R), gamma * hat * R))
_THEOREM = hypothesis(
    "Theorem 2's bound, K + 1 under its root, B = B₁ + (K+1)B₂",
    ro.low
    <= 3 / (K + 1) * F / eta
    + 2 * R
    + noise_term(beta, B_1 + (K + 1) * B_2, M, K)
    + drift_term(gamma, L, Delta)
    + incremental_term(gamma, L, Delta_local)
    + eta * L / 2,
)
_SIDE = definition("a letter for √(K+1)", (side >= 0) & equal(side**2, K + 1))
_RATIO = definition("a letter for √((f(x⁰) − f^inf)/γ)", (X >= 0) & equal(X**2 * gamma, F))
_LEVEL = definition("a letter for (B₂/M)^{1/4}", (y >= 0) & equal(y**4 * M, B_2))
_ABSENT = definition("a letter for √(B₁/M)", (absent >= 0) & equal(absent**2 * M, B_1))
_ROOT = definition("a letter for d^{1/4}", (root >= 0) & equal(root**4, d))
_DRIFT = definition(
    "a letter for γ·8L√(2L)√Δ^inf + γ·4L√(2L)√((1/M) Σ Δ_i^inf)",
    equal(drift, drift_term(gamma, L, Delta) + incremental_term(gamma, L, Delta_local)),
)
_SIZES = (CLIENTS, SIZES, GAMMA, _AMOUNTS)
_SIGNS = (ld.POSITIVE, GAMMA, SMOOTH)
_NAMED = (
    obligation(ld.COUNTED.name, (ROUNDS, _SIDE), ld.COUNTED.relation),
    obligation(ld.POSITIVE.name, (*_SIZES, _RATIO, _LEVEL), ld.POSITIVE.relation),
    obligation(ld.DIMENSION.name, (_COORDINATES, _ROOT), ld.DIMENSION.relation),
    obligation(ld.CHOICE.name, (*_SIZES, _COORDINATES, _CHOICE, _RATIO, _LEVEL, _ROOT), ld.CHOICE.relation),
)
_CHOSEN = obligation("β̂ = √3 X/y", (*_SIZES, _HAT, _RATIO, _LEVEL), equal(hat * y, sympy.sqrt(3) * X))
_NOISE = obligation(
    "√((β²B/M)(K+1)) ≤ β̂√(B₁/(M(K+1))) + β̂√(B₂/M)",
    (ld.POSITIVE, ld.COUNTED, CLIENTS, BETA, _CHOSEN.conclusion, _BETA, _SIDE, _LEVEL, _ABSENT),
    sympy.sqrt(beta**2 * (B_1 + (K + 1) * B_2) / M * (K + 1)) <= hat * absent / side + hat * y**2,
)
_FIRST = obligation(
    "(3/(K+1))(f(x⁰) − f^inf)/η = 6(α+R)X²/(β̂R)",
    (*_SIGNS, ld.COUNTED, ALPHA, RADIUS, ETA, _CHOSEN.conclusion, _ETA, _SIDE, _RATIO),
    equal(3 / (K + 1) * F / eta, 6 * (alpha + R) * X**2 / (hat * R)),
)
_BEFORE = obligation(
    "the display before",
    (
        *_SIGNS, ld.COUNTED, ALPHA, RADIUS, ETA, _CHOSEN.conclusion, _ETA, _SIDE, _NOISE.conclusion, _FIRST.conclusion, _DRIFT,
        _THEOREM,
    ),
    ld.display_before(drift).relation,
)  # fmt: skip
_LAST = ld.with_constants(drift)
_END = obligation(
    "at γ = 1/(2L) the drift is 4√(2L)√Δ^inf + 2√(2L)√((1/M) Σ Δ_i^inf)",
    (SMOOTH, _SPREADS, _DRIFT),
    sympy.Implies(
        equal(2 * L * gamma, 1),
        equal(
            drift,
            4 * sympy.sqrt(2 * L) * sympy.sqrt(Delta) + 2 * sympy.sqrt(2 * L) * sympy.sqrt(Delta_local),
        ),
    ),
)
PROOF = Proof(
    (
        CLIENTS, GAMMA, SMOOTH, _AMOUNTS, _SPREADS, _COORDINATES, ALPHA, RADIUS, BETA, ETA, _CHOICE, _HAT, _BETA, _ETA, _THEOREM,
    ),
    (*_NAMED, _CHOSEN, _NOISE, _FIRST, _BEFORE, *_LAST.nodes, _END),
)  # fmt: skip

CLAIMS = (
    claim(
        "FED-C6-S1",
        "Appendix G.3, proof of Corollary 6",
        "step",
        "The proof is analogous to the proof of Corollary 4. [the display of that proof with Theorem 2's bound: O(Δ ⁴√((dB̂/M²)"
        "(log(1/δ)/ϵ²))) + O(1/√(K+1)) + O(1/(K+1)) and, as they are on both sides, γ·8L√(2L)√Δ^inf + γ·4L√(2L)√((1/M) Σ_{i=1}^M "
        "Δ_i^inf)]",
        "As in the proof of Corollary 4 (FED-C4-S9), with Theorem 2's two terms in the Δ^inf on both sides of each display, from "
        "Theorem 2 with K + 1 under its root and with the fourth root in β̂. No constant in O(·) serves for every B₂: the term "
        "2β̂√(B₁/(M(K+1))), which the corollary drops, carries β̂ ∝ B₂^(−1/4). " + EXTENT,
        repair=Repair(
            "With α = R = C d^{1/4} X (B₂/M)^{1/4}, X = √((f(x⁰)−f^inf)/γ), Theorem 2's bound with 2√((β²B/M)(K+1)) gives (6√3 + "
            "2C d^{1/4})X(B₂/M)^{1/4} + 2β̂√(B₁/(M(K+1))) + γLβ̂/(8(K+1)) + γ·8L√(2L)√Δ^inf + γ·4L√(2L)√((1/M) Σ Δ_i^inf), the last two "
            "4√(2L)√Δ^inf + 2√(2L)√((1/M) Σ Δ_i^inf) at γ = 1/(2L).",
            "K + 1 under the root, a fourth root in β̂; the constants of O(·) may depend on B₂",
            PROOF,
        ),
        gap=ld.ONE_CONSTANT,
        consequence="Theorem 2 itself is false (FED-T2); what holds of the corollary is in FED-C6.",
    ),
)
