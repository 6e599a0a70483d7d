"""Privacy and utility in one statement: what Corollary 2 of α-NormEC should read."""

from __future__ import annotations

import sympy

from verify.alpha_normec.corollaries.corollary2 import (
    BETA0,
    ENOUGH,
    FEEDBACK,
    LONGEST,
    MEANT,
    STANDING,
    UTIL,
    delta,
    noise,
)
from verify.alpha_normec.lemmas.lemma3 import COORDINATE, VARIANCE, VECTOR, V
from verify.alpha_normec.letters import (
    ALPHA,
    GAMMA,
    GAP,
    PAPER,
    RADIUS,
    RESIDUAL,
    ROOM,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L_max,
    R,
    alpha,
    d,
    f_gap,
    n,
    sigma,
)
from verify.alpha_normec.ours import utility
from verify.alpha_normec.ours.forgets import WITHIN
from verify.alpha_normec.theorems.descent import BOUNDED, FALL, START, f_inf, f_now, f_start
from verify.citation import Cite
from verify.claim import Claim
from verify.facts import definition, equal, hypothesis
from verify.obligation import obligation
from verify.privacy import arguments
from verify.privacy.alpha_normec import COROLLARY2
from verify.proof import Proof

ell, eps = sympy.symbols("ell epsilon", real=True)
LEVEL = hypothesis("ε > 0 and ℓ = ln(1/δ) > 0", (eps > 0) & (ell > 0))
NOISE = hypothesis("σ_DP = 2√((K+1)/2) (√ℓ + √(ℓ + ε))/ε per coordinate",
                   equal(sigma * eps, 2 * sympy.sqrt((K + 1) / 2) * (sympy.sqrt(ell) + sympy.sqrt(ell + eps))))  # fmt: skip
SCALE = hypothesis("s = √d σ_DP/√(n(K+1)) ≥ 0", (noise >= 0) & equal(noise**2, d * sigma**2 / (n * (K + 1))))
SIZES = definition("K ≥ 0; n, d ≥ 1", (K >= 0) & (n >= 1) & (d >= 1))
G = sympy.Symbol("G", real=True)
PUBLIC_GAP = hypothesis("G ≥ f(x⁰) − f^inf", f_gap <= G)
DELTA = hypothesis("Δ² = L_max(α+R)G/R, Δ ≥ 0", (delta >= 0) & equal(delta**2 * R, L_max * (alpha + R) * G))
PER_COORDINATE = tuple({VECTOR: COORDINATE, START: WITHIN}.get(fact, fact) for fact in STANDING)
HYPOTHESES = (
    ALPHA,
    GAMMA,
    SMOOTH,
    SMOOTH_MAX,
    BETA0,
    ROOM,
    PUBLIC_GAP,
    DELTA,
    ENOUGH,
    FEEDBACK,
    LONGEST,
    *PER_COORDINATE,
)

_PRIVATE = Cite(
    COROLLARY2,
    (LEVEL, NOISE, SIZES, arguments.ROOT),
    at=((arguments.K, K + 1), (arguments.s, sympy.Integer(2)), (arguments.L, ell)),
    repaired=True,
)
_SCALE = obligation(
    "s = √(2d/n)(√ℓ + √(ℓ+ε))/ε",
    (LEVEL, NOISE, SCALE, SIZES),
    equal(noise**2 * n * eps**2, 2 * d * (sympy.sqrt(ell) + sympy.sqrt(ell + eps)) ** 2),
)
_LOWER = f_inf - (G - f_gap)
_BELOW = obligation(
    "f ≥ f^inf − (G − (f(x⁰) − f^inf)), a lower bound for which f(x⁰) − f^inf is G",
    (BOUNDED, PUBLIC_GAP, FALL),
    (f_now >= _LOWER) & equal(f_start - _LOWER, G),
)
OUR_UTILITY = Claim(
    id="NEC-OUR-C2",
    paper=PAPER,
    place="our version of Corollary 2, privacy and utility together",
    kind="ours",
    printed="With independent noises of σ_DP = 2√((K+1)/2)(√ℓ + √(ℓ+ε))/ε per coordinate, drawn anew for every message, "
    "ℓ = ln(1/δ), x⁰, memories and parameters that do not depend on the data, among them any L_max ≥ L_i, R ≥ max_i ‖∇f_i(x⁰) − "
    "g_i⁰‖ and G ≥ f(x⁰) − f^inf, Δ = √(L_max(α+R)G/R), s = √(2d/n)(√ℓ + √(ℓ+ε))/ε, β₀ = Δ/√(2s) < (α+R)(K+1) and γ = "
    "β₀R/((α+R)L_max(K+1)), Algorithm 1 is (ε, δ)-DP towards those who see every message (replace-one), and min_k E‖∇f(x^k)‖ ≤ 2√2 "
    "Δ√s + 2R + Lγ/2.",
    reason="The closed-form noise is enough for every ε and δ, and s then does not depend on K. The repaired Corollary 2 allows any "
    "upper bound for R and any lower bound for f: β₀ and γ made of the data's own R and f(x⁰) − f^inf would leak them "
    "(NEC-C2-DP@step-size).",
    proof=Proof(
        (*HYPOTHESES, LEVEL, NOISE, SCALE),
        (
            _PRIVATE,
            _SCALE,
            _BELOW,
            Cite(
                UTIL,
                (*HYPOTHESES, LEVEL, NOISE, SCALE, SIZES, GAP, FALL, _BELOW.conclusion, *MEANT),
                at=((sigma, sympy.sqrt(d) * sigma), (f_gap, G), (f_inf, _LOWER)),
                repaired=True,
            ),
        ),
    ),
    consequence="`bounds.alpha_normec.corollary2.noise_of` gives s for (ε, δ), n and d. With zero memories 2R is more than is known "
    "at the start (NEC-T1-ADD@zero-memory); NEC-OUR-C2-FORGETS is for them.",
)

_FORGETS = tuple(COORDINATE if fact is VARIANCE else fact for fact in (*utility.GIVEN, *utility.PROBLEM))
OUR_FORGETS = Claim(
    id="NEC-OUR-C2-FORGETS",
    paper=PAPER,
    place="our version of Corollary 2, from any memories",
    kind="ours",
    printed="With independent noises of σ_DP = 2√((K+1)/2)(√ℓ + √(ℓ+ε))/ε per coordinate, drawn anew for every message, "
    "ℓ = ln(1/δ), x⁰, memories (as g_i⁰ = 0) and parameters that do not depend on the data, any R ≥ max_i ‖∇f_i(x⁰) − g_i⁰‖, s = "
    "√(2d/n)(√ℓ + √(ℓ+ε))/ε, β = β₀/(K+1), α = β/√2, γ = θβ/L_max and 0 < θ < 1, Algorithm 1 is (ε, δ)-DP towards those who see every "
    "message (replace-one), and min_k E‖∇f(x^k)‖ ≤ (L_max(f(x⁰) − f^inf)/θ + R²/(1−θ))/β₀ + √(2(K+2)/(K+1)) β₀s + [√2(R + θβ₀)/(1−θ) "
    "+ θ²β₀/(1−θ) + Lθβ₀/(2L_max)]/(K+1).",
    reason="NEC-OUR-T2-FORGETS at these parameters; the closed-form noise is enough for every ε and δ, and s does not depend on K.",
    proof=Proof(
        (*_FORGETS, LEVEL, NOISE, SCALE),
        (
            _PRIVATE,
            _SCALE,
            Cite(
                utility.BOUND,
                (*_FORGETS, LEVEL, NOISE, SCALE, SIZES, GAP, RESIDUAL, RADIUS),
                at=((V, d * sigma**2),),
            ),
        ),
    ),
    consequence="R → 0 is not needed for privacy and utility together. As K grows the least of the bound over θ and β₀ tends to "
    "2√(√2 s)(√(L_max(f(x⁰) − f^inf)) + R) (NEC-OUR-T2-BEST), and that to 0 as n grows, from zero memories too. The parameters may "
    "not depend on the data: take them from public upper bounds for f(x⁰) − f^inf, L_max and R, which stay bounded as n grows.",
)

CLAIMS = (OUR_UTILITY, OUR_FORGETS)
