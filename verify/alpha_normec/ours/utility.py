"""What α-NormEC guarantees under a fixed (ε, δ) from any initial memories."""

from __future__ import annotations

import sympy

from verify.alpha_normec.corollaries.corollary2 import noise as s
from verify.alpha_normec.lemmas.lemma3 import FRESH, INDEPENDENT, START_E, VARIANCE, V
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    GAMMA,
    PAPER,
    RADIUS,
    RESIDUAL,
    ROUNDS,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L,
    L_max,
    R,
    alpha,
    beta,
    beta_0,
    f_gap,
    gamma,
    n,
)
from verify.alpha_normec.ours.forgets import OUR_T2, WITHIN
from verify.alpha_normec.theorems.descent import BOUNDED, SMOOTH_I, floor
from verify.citation import Cite
from verify.claim import Claim
from verify.facts import definition, equal, hypothesis
from verify.identity import Limit
from verify.obligation import obligation
from verify.proof import Proof

theta, P = sympy.symbols("theta P", real=True)
SHARE = hypothesis("0 < θ < 1", (theta > 0) & (theta < 1))
BETA0 = hypothesis("β₀ > 0", beta_0 > 0)
SENT = hypothesis("β = β₀/(K+1), β₀ > 0", (beta_0 > 0) & equal(beta * (K + 1), beta_0))
SMOOTHING = hypothesis("α = β/√2", equal(sympy.sqrt(2) * alpha, beta))
STEP = hypothesis("γ = θβ/L_max", equal(gamma * L_max, theta * beta))
DP = hypothesis("s² = E‖z_i‖²/(n(K+1)), s ≥ 0", (s >= 0) & equal(s**2 * n * (K + 1), V))
GIVEN = (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, SHARE, SENT, SMOOTHING, STEP)
PROBLEM = (SMOOTH_I, WITHIN, BOUNDED, CLIENTS, START_E, INDEPENDENT, FRESH, VARIANCE)
_m, _a = K + 1, L_max * gamma
_first, _left, _quiet = sympy.symbols("first left hum", real=True)
_NAMES = definition(
    "first = (f(x⁰) − f^inf)/(γ(K+1)), left = ((R² + 2αR)/(K+1) + 2αa + a²)/(β − a), a = L_max γ",
    equal(_first * gamma * _m, f_gap)
    & equal(_left * (beta - _a) * _m, R**2 + 2 * alpha * R + (2 * alpha * _a + _a**2) * _m),
)
_NOISE = definition(
    "hum = √(2β²(K+2)V/n)", (_quiet >= 0) & equal(_quiet**2 * n, 2 * beta**2 * (K + 2) * V) & (V >= 0)
)
_FIRST = L_max * f_gap / (theta * beta_0)
_START = R**2 / ((1 - theta) * beta_0)
_LATER = (sympy.sqrt(2) * (R + theta * beta_0) + theta**2 * beta_0) / ((1 - theta) * _m)
_STEP = L * theta * beta_0 / (2 * L_max * _m)
_HUM = sympy.sqrt(2 * (K + 2) / _m)
"""What noise there is per β₀s: 2 for one round, and √2 for many."""


def _proof() -> Proof:
    mild = obligation("β ≤ √2 α", (ALPHA, SMOOTHING), beta <= sympy.sqrt(2 * alpha**2))
    long = obligation("γ < β/L_max", (BETA, SMOOTH_MAX, SHARE, STEP), gamma < beta / L_max)
    theorem = Cite(OUR_T2, (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, *PROBLEM, mild.conclusion, long.conclusion,
                            RESIDUAL, RADIUS, ROUNDS))  # fmt: skip
    added = obligation(
        "min E‖∇f(xᵏ)‖ ≤ first + Lγ/2 + left + hum",
        (theorem.conclusion, _NAMES, _NOISE, GAMMA, SMOOTH_MAX, BETA, long.conclusion, CLIENTS, ROUNDS),
        floor <= _first + L * gamma / 2 + _left + _quiet,
    )
    rates = (GAMMA, SMOOTH_MAX, SHARE, SENT, SMOOTHING, STEP, ROUNDS, _NAMES)
    first = obligation("first = L_max(f(x⁰) − f^inf)/(θβ₀)", rates, equal(_first, _FIRST))
    left = obligation(
        "left = R²/((1−θ)β₀) + (√2(R + θβ₀) + θ²β₀)/((1−θ)(K+1))", rates, equal(_left, _START + _LATER)
    )
    step = obligation("Lγ/2 = Lθβ₀/(2L_max(K+1))", rates, equal(L * gamma / 2, _STEP))
    noise = obligation(
        "hum = √(2(K+2)/(K+1)) β₀s", (SENT, DP, _NOISE, CLIENTS, ROUNDS), equal(_quiet, _HUM * beta_0 * s)
    )
    most = obligation("√(2(K+2)/(K+1)) β₀s ≤ 2β₀s", (SENT, DP, ROUNDS), _HUM * beta_0 * s <= 2 * beta_0 * s)
    stated = obligation(
        "which is the stated bound",
        (
            added.conclusion,
            first.conclusion,
            left.conclusion,
            step.conclusion,
            noise.conclusion,
            SHARE,
            SENT,
            SMOOTH_MAX,
            ROUNDS,
        ),
        floor <= _FIRST + _START + _HUM * beta_0 * s + _LATER + _STEP,
    )
    return Proof((*GIVEN, *PROBLEM, DP), (mild, long, theorem, added, first, left, step, noise, most, stated))


def _best() -> Proof:
    whole, root, c = sympy.symbols("P+R √c c", real=True)
    positive = (hypothesis("P > 0", P > 0), hypothesis("R > 0", R > 0), BETA0, SHARE)
    noisy = hypothesis("c > 0", c > 0)
    given = (*positive, noisy)
    letters = definition("w = P + R, r = √c ≥ 0", equal(whole, P + R) & (root >= 0) & equal(root**2, c))
    split = obligation(
        "P²/θ + R²/(1−θ) ≥ (P + R)²", positive, P**2 / theta + R**2 / (1 - theta) >= (P + R) ** 2
    )
    level = sympy.Symbol("q", real=True)
    named = definition(
        "q = P²/θ + R²/(1−θ)", equal(level * theta * (1 - theta), P**2 * (1 - theta) + R**2 * theta)
    )
    larger = obligation("q ≥ w²", (*positive, split.conclusion, named, letters), level >= whole**2)
    mean = obligation(
        "q/β₀ + cβ₀ ≥ 2wr",
        (*given, letters, larger.conclusion),
        level / beta_0 + c * beta_0 >= 2 * whole * root,
    )
    least = obligation(
        "for all θ and β₀",
        (*given, mean.conclusion, letters, named),
        (P**2 / theta + R**2 / (1 - theta)) / beta_0 + c * beta_0 >= 2 * sympy.sqrt(c) * (P + R),
    )
    share, length = sympy.symbols("θ* β₀*", real=True)
    chosen = definition(
        "θ* = P/(P+R), β₀* = (P+R)/√c", equal(share * (P + R), P) & equal(length * root, whole)
    )
    shares = obligation(
        "P²/θ* + R²/(1−θ*) = (P + R)²",
        (*positive, chosen),
        equal(P**2 / share + R**2 / (1 - share), (P + R) ** 2),
    )
    same = obligation("(P + R)²/β₀* + cβ₀* = 2√c(P + R)", (*given, chosen, letters),
                       equal(whole**2 / length + c * length, 2 * whole * root))  # fmt: skip
    scale = hypothesis("s > 0", s > 0)
    many = Limit("√(2(K+2)/(K+1)) s → √2 s", _HUM * s, K, sympy.oo, sympy.sqrt(2) * s, "-", (scale,))
    return Proof((*given, scale), (split, larger, mean, least, shares, same, many))


BOUND = Claim(
    id="NEC-OUR-T2-ROUNDS",
    paper=PAPER,
    place="ours: Theorem 2 from any memories, where the noise grows with the rounds",
    kind="ours",
    printed="With β = β₀/(K+1), α = β/√2, γ = θβ/L_max, 0 < θ < 1, s = √(E‖z_i‖²/(n(K+1))), any R ≥ max_i ‖∇f_i(x⁰) − g_i⁰‖ and "
    "independent noises: min_k E‖∇f(x^k)‖ ≤ (L_max(f(x⁰) − f^inf)/θ + R²/(1−θ))/β₀ + √(2(K+2)/(K+1)) β₀s + [√2(R + θβ₀)/(1−θ) + "
    "θ²β₀/(1−θ) + Lθβ₀/(2L_max)]/(K+1). The noise term is at most 2β₀s.",
    reason="NEC-OUR-T2-FORGETS at these parameters, term by term.",
    proof=_proof(),
    consequence="For P = √(L_max(f(x⁰) − f^inf)) > 0 and R > 0 (a larger R may always be taken), θ = P/(P + R) makes the first "
    "numerator (P + R)².",
)
BEST = Claim(
    id="NEC-OUR-T2-BEST",
    paper=PAPER,
    place="ours: the best θ and β₀ for many rounds",
    kind="ours",
    printed="(P²/θ + R²/(1−θ))/β₀ + cβ₀ ≥ 2√c(P + R) for all 0 < θ < 1 and β₀ > 0, with equality at θ = P/(P+R) and "
    "β₀ = (P+R)/√c, where P = √(L_max(f(x⁰) − f^inf)), R and c are above 0. For c = √(2(K+2)/(K+1)) s, as in NEC-OUR-T2-ROUNDS, "
    "c → √2 s as K grows: the least value tends to 2√(√2 s)(P + R), at β₀ = (P+R)/√(√2 s).",
    reason="Cauchy's inequality, then the arithmetic and the geometric mean.",
    proof=_best(),
)
CLAIMS = (BOUND, BEST)
