"""The displays of Corollary 4's proof (F.3): those of F.5 with the drift of several local steps."""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec import theorem1 as printed
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.fed_alpha_normec.corollaries.utility import (
    B_1,
    B_2,
    CHOSEN,
    EXTENT,
    FOURTH,
    POSITIVE,
    ROOT,
    SCALED,
    SECOND,
    SIZES,
    SUBSTITUTED,
    inserted,
    n,
    sampled,
)
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    GAMMA,
    PARTICIPATION,
    RADIUS,
    SMOOTH,
    SPREAD,
    Delta,
    L,
    M,
    beta,
    claim,
    gamma,
    values,
)
from verify.fed_alpha_normec.theorems.theorem1 import NUMBERS, PROBLEM, trapped
from verify.fractions_check import exact_root
from verify.identity import Identity
from verify.obligation import obligation
from verify.proof import Proof

_MIN = "min_{k∈[0,K]} E[‖∇f(x^k)‖] ≤ "
_START = "(3/(K+1))((f(x⁰) − f^inf)/η) + 2R + "
_DRIFT = "γ·[8L√(2L)√Δ^inf]"
_BESIDE = obligation(
    "√((B₁ + nB₂)n/M) ≤ n√(B₁/M) + n√(B₂/M)",
    (CLIENTS, POSITIVE, SIZES, BETA),
    2 * beta * sympy.sqrt((B_1 + n * B_2) * n / M)
    <= 2 * beta * sympy.sqrt(B_1 / M) * n + 2 * beta * sympy.sqrt(B_2 / M) * n,
)
_LAST_DRIFT = Identity(
    "γ = 1/(2L) in the drift",
    (gamma * 8 * L * sympy.sqrt(2 * L) * sympy.sqrt(Delta)).subs(gamma, 1 / (2 * L)),
    4 * sympy.sqrt(2 * L) * sympy.sqrt(Delta),
    (SMOOTH, SPREAD),
)


def _scaled_by_the_letter(v: Values) -> Comparison:
    """2β√(B₁/M)(K+1) at β = β̂/(K+1) against 2β̂√(B₁/(M(K+1))), which the next display has for it."""
    rounds, hat = v["n"], v["beta_hat"]
    left = 2 * hat / rounds * exact_root(v["B_1"] / v["M"], 2) * rounds
    met = (*sampled(v), ("K + 1 ≥ 1 is whole", rounds >= 1 and rounds.denominator == 1), ("β̂ > 0", hat > 0))
    return Comparison(left, "<=", 2 * hat * exact_root(v["B_1"] / (v["M"] * rounds), 2), met)


def _split_by_the_letter(v: Values) -> Comparison:
    """2√(β²B/M)(K+1) with B = B₁ + (K+1)B₂ against the two terms of the next display; all roots rational."""
    rounds, M_, first, second, b = (v[k] for k in ("n", "M", "B_1", "B_2", "beta"))
    left = 2 * b * exact_root((first + rounds * second) / M_, 2) * rounds
    right = 2 * b * rounds * (exact_root(first / M_, 2) + exact_root(second / M_, 2))
    met = (
        *sampled(v),
        ("K + 1 ≥ 1 is whole", rounds >= 1 and rounds.denominator == 1),
        ("B₂, which c scales, and β are positive", min(second, b) > 0),
    )
    return Comparison(left, "<=", right, met)


def _step(number: str, place: str, text: str, reason: str, **evidence) -> Claim:
    return claim(
        f"FED-C4-S{number}", f"Appendix F.3, proof of Corollary 4, {place}", "step", text, reason, **evidence
    )


_SPLIT_TEXT = (
    _MIN
    + _START
    + "2β√(B₁/M)(K+1) + 2β√(B₂/M)(K+1) + η·(L/2) + "
    + _DRIFT
    + ", where B₁ = (2B̂/M)[(1 − M/B̂)² + M/B̂ − 1] and "
    "B₂ = 2c²(B̂/M)(log(1/δ)/ϵ²)."
)
_SCALED_TEXT = (
    "If β = β̂/(K+1) with β̂ > 0, then "
    + _MIN
    + _START
    + "2β̂√(B₁/(M(K+1))) + 2β̂√(B₂/M) + η·(L/2) + "
    + _DRIFT
    + "."
)
_UNSPLIT = Witness(
    values(n=4, M=1, B_hat=1, B_1=0, B_2=1, beta=1),
    "2√(β²B/M)(K+1) ≤ 2β√(B₁/M)(K+1) + 2β√(B₂/M)(K+1)",
    _split_by_the_letter,
    "p = 1, so that B₁ = 0; K + 1 = 4, B₂ = M = β = 1: 16 against 8",
)
_SPLIT = Repair(
    "With K + 1 under the root of the line before.",
    "K + 1 under the root",
    Proof((BETA, PARTICIPATION, POSITIVE), (SECOND, _BESIDE)),
)
_UNSCALED = Witness(
    values(n=4, M=2, B_hat=1, B_1=2, beta_hat=1),
    "2β√(B₁/M)(K+1) ≤ 2β̂√(B₁/(M(K+1)))",
    _scaled_by_the_letter,
    "K + 1 = 4, M = 2, B̂ = 1, so that p = 1/2 and B₁ = 2; β̂ = 1: 2 against 1",
)
CLAIMS = (
    _step(
        "1",
        "first display, (K+1) beside the root",
        "Let T > 1. Then, from Theorem 1, " + _MIN + _START + "2√(β²B/M)(K+1) + η·(L/2) + " + _DRIFT
        + ", where B = 2p(1 − 1/p)² + 2(1 − p) + 2σ_DP²/p.",
        "Theorem 1 with several local steps, which is false (FED-T1-APP, FED-T1-APP@outside, with what holds in its place).",
        witness=Witness(NUMBERS, "min_k ‖∇f(xᵏ)‖ ≤ the printed bound", trapped(printed.APPENDIX_OUTSIDE), PROBLEM),
    ),
    _step(
        "3",
        "B₁ and B₂",
        _MIN + _START + "2√(β²B/M)(K+1) + η·(L/2) + " + _DRIFT + " […] " + _SPLIT_TEXT,
        "B = B₁ + (K+1)B₂ (FED-F5-S2's repair): it follows from the line before with K + 1 under the root, as in Section 4. " + EXTENT,
        repair=_SPLIT,
        gap=Gap("reading", "K + 1 of the line before beside its root", _UNSPLIT),
    ),
    _step(
        "3@letter",
        "B₁ and B₂, by the letter, (K+1) of the line before beside its root",
        _MIN + _START + "2√(β²B/M)(K+1) + η·(L/2) + " + _DRIFT + " […] " + _SPLIT_TEXT,
        "B = B₁ + (K+1)B₂, so that the line before has (K+1)^(3/2) at B₂, where this one has K + 1.",
        witness=_UNSPLIT,
        repair=_SPLIT,
    ),
    _step(
        "4",
        "β = β̂/(K+1)",
        _SPLIT_TEXT + " […] " + _SCALED_TEXT,
        "Substitution in 2β√((B₁/M)(K+1)), as F.5 has it. " + EXTENT,
        repair=Repair("With 2β√((B₁/M)(K+1)) in the line before.", "the first K + 1 under its root", inserted(SCALED, POSITIVE)),
        gap=Gap("reading", "the first K + 1 of the line before beside its root", _UNSCALED),
    ),
    _step(
        "4@letter",
        "β = β̂/(K+1), by the letter",
        _SPLIT_TEXT + " […] " + _SCALED_TEXT,
        "β = β̂/(K+1) makes 2β̂√(B₁/M) of the line before, not 2β̂√(B₁/(M(K+1))).",
        witness=_UNSCALED,
    ),
    _step(
        "7",
        "η inserted",
        "If η = (1/(K+1))(γ/2)(β̂R/(α+R)), then " + _MIN + "6α(f(x⁰) − f^inf)/(γβ̂R) + 6(f(x⁰) − f^inf)/(γβ̂) + 2R + 2β̂√(B₂/M) + "
        "2β̂√(B₁/(M(K+1))) + (1/(K+1))·(γLβ̂R/(4(α+R))) + " + _DRIFT + ".",
        "Substitution; the drift has no η.",
        proof=inserted(SUBSTITUTED, ALPHA, GAMMA, RADIUS, SMOOTH, POSITIVE),
    ),
    _step(
        "8",
        "β̂ inserted",
        "If β̂ = √(3(f(x⁰) − f^inf)/γ)⁴√(M/B₂), then " + _MIN + "(2√3α√(f(x⁰) − f^inf)/(√γR))⁴√(B₂/M) + (4√3√(f(x⁰) − "
        "f^inf)/√γ)⁴√(B₂/M) + 2R + 2β̂√(B₁/(M(K+1))) + (1/(K+1))·(γLβ̂R/(4(α+R))) + " + _DRIFT + ".",
        "An identity in the terms that carry β̂, with the fourth root that the corollary itself lacks (FED-C4); the last line's "
        "γ = 1/(2L) makes 4√(2L)√Δ^inf of the drift.",
        proof=Proof((ALPHA, GAMMA, RADIUS, SMOOTH, SPREAD, CHOSEN, ROOT), (_LAST_DRIFT, FOURTH)),
    ),
)  # fmt: skip
