"""The sentences after Corollary 2, which compare its utility bound with that of α-NormEC.

Both bounds are printed as O(Δ (…)^{1/4}) with one letter Δ, which the two papers define differently: √(L_max(α+R)(f(x⁰)−f^inf)/R)
there, max(α, 2)√L√(f(x⁰)−f^inf) here. The two differ by a factor α, which no constant in O(·) covers.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.corollary2 import delta_factor
from bounds.alpha_normec.theorem2 import theorem2_appendix
from bounds.fed_alpha_normec.corollaries import utility_scale
from bounds.fed_alpha_normec.repaired import ONE_STEP
from bounds.fed_alpha_normec.schedules import b_2
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import hypothesis, letters
from verify.fed_alpha_normec.corollaries.last_display import DIMENSION, root
from verify.fed_alpha_normec.corollaries.utility import BETTER, BETTER_HAT, BUDGET, COUNTED, PART, RATE
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.letters import (
    BETA,
    CLIENTS,
    ETA,
    GAP,
    RADIUS,
    ROUNDS,
    SMOOTH,
    F,
    K,
    L,
    M,
    R,
    beta,
    claim,
    eta,
    sigma,
    values,
)
from verify.fractions_check import exact_root
from verify.identity import Identity, Limit
from verify.obligation import obligation
from verify.proof import Proof

C, above = letters("C above")


def _not_better(numbers: Values) -> Comparison:
    p_, b = numbers["p"], numbers["budget"]
    return Comparison(2 * (1 - p_) / p_ + 2 * b * p_, "<=", 2 * b, (("0 < p < 1", 0 < p_ < 1),))


def _own_scales(v: Values) -> Comparison:
    """Corollary 2's bound, squared, against q times α-NormEC's Δ (d log(1/δ)/(Mε²))^{1/4} + 2R, squared; both with constant 1.

    γ = 1/(2L), L_max = L, α = R. Roots are rational at the values taken; what is irrational stands squared.
    """
    a, L_, gap, M_, p_, log = (v[k] for k in ("alpha", "L", "gap", "M", "p", "log(1/δ)"))
    noise = exact_root(exact_root(v["d"] * log / (M_ * v["epsilon"] ** 2), 2), 2)
    fed = max(a, Fraction(2)) ** 2 * L_ * gap * noise**2 * exact_root(p_, 2)
    scale = exact_root(L_ * (a + a) * gap / a, 2)
    B2_M = v["c2"] * b_2(1, p_ * M_, M_, log, v["epsilon"]) / M_
    hat_squared = 3 * gap * 2 * L_ / exact_root(B2_M, 2)
    met = (
        ("α = R > 0, a constant times d^{1/4} √(f(x⁰)−f^inf)/√γ (B₂/M)^{1/4}", a > 0),
        ("p = B̂/M with B̂ ∈ [1, M]", 1 <= p_ * M_ <= M_ and (p_ * M_).denominator == 1),
        ("β/(α + R) < 1, β = β̂/(K+1)", hat_squared < ((v["K"] + 1) * 2 * a) ** 2),
        ("γ < Δ^inf(α+R)/(√(2L)β̂R)", (1 / (2 * L_)) ** 2 * 2 * L_ * hat_squared < (v["Delta_inf"] * 2) ** 2),
        (
            "α-NormEC: α > β₀, β₀ ≤ Δ (Mε²/(d log(1/δ)))^{1/4}",
            0 < v["beta_0"] < a and v["beta_0"] <= scale / noise,
        ),
        ("d, M whole, 0 < δ < 1, ε, c² > 0", v["d"].denominator == 1 and min(log, v["epsilon"], v["c2"]) > 0),
    )
    return Comparison(fed, "<=", (v["q"] * (scale * noise + 2 * a)) ** 2, met)


_WORSE = Witness(
    values(p="1/4", budget=2),
    "B(p) ≤ B(1)",
    _not_better,
    "dc²(K+1)log(1/δ)/ε² = 2, p = 1/4: F.2's B = 7 against 4",
)
_APART = {"alpha": 10**4, "L": "1/2", "gap": 1, "M": 16, "d": 16 * 10**16, "log(1/δ)": 1, "epsilon": 1, "c2": "1/2", "K": 100,
          "Delta_inf": 10, "beta_0": "1/10000", "q": 1000}  # fmt: skip
_DIFFERENT = hypothesis("f(x⁰) > f^inf", F > 0)
_HIDDEN = hypothesis("C > 0", C > 0)
_LARGE = 2 + above
_RATIO = Limit(
    "with α = R = C (d log(1/δ)/(Mε²))^{1/4} the ratio of the two bounds at p = 1 → ∞ with α: no constant in O(·) covers it",
    utility_scale(_LARGE, L, F)
    * (_LARGE / C)
    / (delta_factor(L, _LARGE, _LARGE, F) * (_LARGE / C) + 2 * _LARGE),
    above,
    sympy.oo,
    sympy.oo,
    "-",
    (SMOOTH, _DIFFERENT, _HIDDEN),
)
_UNBOUNDED = Proof((SMOOTH, _DIFFERENT, _HIDDEN), (_RATIO,))
_SAME_BOUND = Identity(
    "FED-R1 at p = 1, V = σ² is α-NormEC's Theorem 2, step η",
    ONE_STEP.formula(f_gap=F, K=K, eta=eta, R=R, beta=beta, M=M, p=sympy.Integer(1), V=sigma**2, L=L),
    theorem2_appendix(F, eta, K, R, L, beta, sigma, M),
    (ETA, BETA, ROUNDS, CLIENTS, SMOOTH, GAP, no.SIGMA),
)
d, Lam, epsilon, c = letters("d Lam epsilon c")
_SIZES = hypothesis("d, log(1/δ), ε, c > 0", (d > 0) & (Lam > 0) & (epsilon > 0) & (c > 0))
_FACTOR = 6 * sympy.sqrt(3) + 2 * C
_MENDED = Identity(
    "p = 1, γ = 1/(2L): (6√3 + 2C) √(2L(f(x⁰)−f^inf)) (dB₂/M)^{1/4} is (6√3 + 2C)(2c²)^{1/4} α-NormEC's Δ (d log(1/δ)/(Mε²))^{1/4}",
    _FACTOR * sympy.sqrt(2 * L * F) * sympy.root(d * b_2(c, M, M, Lam, epsilon) / M, 4),
    _FACTOR * sympy.root(2 * c**2, 4) * delta_factor(L, R, R, F) * sympy.root(d * Lam / (M * epsilon**2), 4),
    (SMOOTH, RADIUS, CLIENTS, _DIFFERENT, _HIDDEN, _SIZES),
)
_AT_LEAST = obligation(
    "(6√3 + 2C)d^{1/4} ≥ 6√3 + 2C d^{1/4}",
    (_HIDDEN, DIMENSION),
    _FACTOR * root >= 6 * sympy.sqrt(3) + 2 * C * root,
)
_THEIRS = "Δ = max(α, 2)√L√(f(x⁰) − f^inf) […] [α-NormEC, Corollary 2: Δ = √(L_max(α+R)(f(x⁰) − f^inf)/R)]"

CLAIMS = (
    claim(
        "FED-C2-BETTER",
        "Section 4, after Corollary 2, read with fourth roots and one Δ for both methods",
        "prose",
        "Fed-α-NormEC achieves a utility bound of O(Δ^4 √(d·(B/M²)·(log(1/δ)/ϵ²))), which improves upon the O(Δ^4 "
        "√(d·(1/M)·(log(1/δ)/ϵ²))) utility bound of α-NormEC. [⁴√ for ^4 √, B̂ for B]",
        "As formulas yes: B̂/M² ≤ 1/M. But the term B₁ of absent clients was dropped, and σ ∝ p has to be private in the first "
        "place (FED-AMP). (Whether the bound holds: FED-C2-UTIL.) In the text at hand a detached root index cannot be told from a "
        "misprint.",
        repair=Repair(
            "With F.2's B and noise in each of d coordinates the noise term is, at equal c and β, smaller than at p = 1 exactly when "
            "p d c²(K+1)log(1/δ)/ε² > 1, and with Corollary 2's own β̂, which is in proportion to p^(−1/4), exactly when "
            "p^{3/2} d c²(K+1)log(1/δ)/ε² > 1 + √p (d = 1 where σ_DP² is the whole vector's). If each client's noise must cover its "
            "own p(K+1) releases (σ² ∝ p), it is never smaller.",
            "p d c²(K+1)log(1/δ)/ε² > 1 at equal c and β, p^{3/2} d c²(K+1)log(1/δ)/ε² > 1 + √p at equal c with Corollary 2's β̂; "
            "σ_DP ∝ p is private (FED-AMP)",
            Proof((PART, BUDGET), (RATE, BETTER, BETTER_HAT, COUNTED)),
            weakest="each condition is necessary and sufficient for its β",
        ),
        gap=Gap("reading", "the whole noise term, B₁ of absent clients included, for every p and K", _WORSE),
    ),
    claim(
        "FED-C2-BETTER@every-p",
        "Section 4, after Corollary 2, for every p and K",
        "prose",
        "which improves upon the […] utility bound of α-NormEC. This improvement arises due to privacy amplification "
        "via subsampling induced by partial participation. [the noise term of the bound is smaller for p < 1 than for p = 1]",
        "With few rounds and coordinates or a large ε the variance of participation outweighs what amplification saves.",
        witness=_WORSE,
    ),
    claim(
        "FED-C2-BETTER@own-scale",
        "Section 4, after Corollary 2, each bound with the Δ of its own paper",
        "prose",
        "which improves upon the […] utility bound of α-NormEC. […] " + _THEIRS,
        "The two Δ are not one: this one carries a factor α that α-NormEC's has not (√(2L_max(f(x⁰)−f^inf)) at α = R), and p^(1/4) "
        "does not make up for it.",
        witness=Witness(
            values(**_APART, p="1/16"),
            "Corollary 2's bound at p < 1, squared, is at most q² times α-NormEC's, 2R included, squared",
            _own_scales,
            "α = R = (d log(1/δ)/(Mε²))^{1/4} = 10⁴, L = L_max = 1/2, f(x⁰)−f^inf = 1, M = 16, p = 1/16, γ = 1/(2L)",
            _UNBOUNDED,
        ),
    ),
    claim(
        "FED-C2-BETTER@same",
        "Section 4, last sentence after Corollary 2, each bound with the Δ of its own paper",
        "prose",
        "Finally, when p = 1 (i.e., under full participation), Fed-α-NormEC recovers the same utility bound as α-NormEC. […] "
        + _THEIRS,
        "The roots agree at p = 1, the two Δ do not: their ratio max(α, 2)/√2 (at α = R, L_max = L) has no limit, so that no constant "
        "in O(·) makes the bounds the same; as the units of max(α, 2) say (FED-C2-UTIL@units).",
        witness=Witness(
            values(**_APART, p=1),
            "Corollary 2's bound at p = 1, squared, is at most q² times α-NormEC's, 2R included, squared",
            _own_scales,
            "α = R = (d log(1/δ)/(Mε²))^{1/4} = 10⁴, L = L_max = 1/2, f(x⁰)−f^inf = 1, M = 16, p = 1, γ = 1/(2L)",
            _UNBOUNDED,
        ),
        repair=Repair(
            "Before O(·) they are the same: FED-R1 at p = 1, E‖z‖² = σ² is α-NormEC's Theorem 2 (Appendix G), term by term. Put "
            "6√3 + 2C for the 2√3 max(α, 2) of F.5's last display. Then, with γ = 1/(2L) and L_max = L, the noise terms differ by the "
            "factor (6√3 + 2C)(2c²)^{1/4} alone. (F.5 gives 6√3 + 2C d^{1/4}, at most (6√3 + 2C)d^{1/4}, at α = R = "
            "C d^{1/4} √((f(x⁰)−f^inf)/γ)(B₂/M)^{1/4}: FED-F5-S9.)",
            "6√3 + 2C for F.5's 2√3 max(α, 2); γ = 1/(2L), L_max = L",
            Proof(
                (ETA, BETA, SMOOTH, RADIUS, _DIFFERENT, _HIDDEN, _SIZES, DIMENSION),
                (_SAME_BOUND, _AT_LEAST, _MENDED),
            ),
        ),
    ),
)
