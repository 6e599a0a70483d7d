""" "The proof is analogous to the proof of Corollary 4.": that proof with Theorem 2's bound in the place of Theorem 1's.

Letters as in `last_display`, n = side² = K + 1; Theorem 2's two terms in the Δ^inf are called drift and stand on both sides of every
display.
"""

from __future__ import annotations

import sympy

from verify.claim import Repair
from verify.facts import equal, hypothesis, letters
from verify.fed_alpha_normec.corollaries import last_display as ld
from verify.fed_alpha_normec.corollaries.utility import B_1, B_2, EXTENT, hat
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
    RADIUS,
    SMOOTH,
    F,
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

X, y, side, absent, drift = ld.X, ld.y, ld.side, ld.absent, ld.drift
n = side**2
between, within = letters("√(2LΔ) √(2L(1/M)ΣΔ_i)")
_RATIO = hypothesis("X = √((f(x⁰) − f^inf)/γ)", equal(X**2 * gamma, F))
_LEVELS = hypothesis(
    "y = (B₂/M)^{1/4}, and a letter for √(B₁/M)", equal(y**4 * M, B_2) & equal(absent**2 * M, B_1)
)
_HAT = hypothesis("β̂ = √3 X/y, with a fourth root", equal(hat * y, sympy.sqrt(3) * X))
_BETA = hypothesis("β = β̂/(K+1)", equal(beta * n, hat))
_ETA = hypothesis("η = (1/(K+1))(γ/2)(β̂R/(α+R))", equal(eta * n * 2 * (alpha + R), gamma * hat * R))
_DRIFT = hypothesis(
    "drift = γ·8L√(2L)√Δ^inf + γ·4L√(2L)√((1/M) Σ Δ_i^inf)",
    equal(drift, gamma * 8 * L * between + gamma * 4 * L * within),
)
_THEOREM = hypothesis(
    "Theorem 2's bound, K + 1 under its root, B = B₁ + (K+1)B₂",
    ro.low
    <= 3 / n * F / eta + 2 * R + 2 * sympy.sqrt(beta**2 * (B_1 + n * B_2) / M * n) + drift + eta * L / 2,
)
_SIGNS = (ld.POSITIVE, GAMMA, SMOOTH)
_NOISE = obligation(
    "√((β²B/M)(K+1)) ≤ β̂√(B₁/(M(K+1))) + β̂√(B₂/M)",
    (ld.POSITIVE, ld.COUNTED, ld.ABSENT, CLIENTS, BETA, _HAT, _BETA, _LEVELS),
    sympy.sqrt(beta**2 * (B_1 + n * B_2) / M * n) <= hat * absent / side + hat * y**2,
)
_FIRST = obligation(
    "(3/(K+1))(f(x⁰) − f^inf)/η = 6(α+R)X²/(β̂R)",
    (*_SIGNS, ld.COUNTED, ALPHA, RADIUS, ETA, _HAT, _ETA, _RATIO),
    equal(3 / n * F / eta, 6 * (alpha + R) * X**2 / (hat * R)),
)
_BEFORE = obligation(
    "the display before",
    (
        *_SIGNS, ld.COUNTED, ALPHA, RADIUS, ETA, _HAT, _ETA, _NOISE.conclusion, _FIRST.conclusion, _THEOREM,
    ),
    ld.display_before(drift).relation,
)  # fmt: skip
_LAST = ld.with_constants(drift)
_END = obligation(
    "at γ = 1/(2L) the drift is 4√(2L)√Δ^inf + 2√(2L)√((1/M) Σ Δ_i^inf)",
    (_DRIFT,),
    sympy.Implies(equal(2 * L * gamma, 1), equal(drift, 4 * between + 2 * within)),
)
PROOF = Proof(
    (
        *_SIGNS, ld.DIMENSION, ld.COUNTED, CLIENTS, ALPHA, RADIUS, BETA, ETA, ld.CHOICE, _HAT, _BETA, _ETA, _RATIO, _LEVELS,
        _DRIFT, _THEOREM,
    ),
    (_NOISE, _FIRST, _BEFORE, *_LAST.nodes, _END),
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
