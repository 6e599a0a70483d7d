"""The sentence after Corollary 2: what the utility bound becomes for a small R."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.corollary2 import delta_factor
from verify.alpha_normec.corollaries.corollary2 import (
    BEST,
    BETA0,
    DELTA,
    ENOUGH,
    FEEDBACK,
    KNOWN,
    LONGEST,
    MEANT,
    QUOTIENT,
    ROUNDS,
    SIGMA,
    STANDING,
    UTIL,
    delta,
    noise,
    quotient,
)
from verify.alpha_normec.lemmas.lemma3 import INDEPENDENTLY
from verify.alpha_normec.letters import (
    ALPHA,
    GAMMA,
    GAP,
    PAPER,
    POSITIVE_GAP,
    ROOM,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L,
    L_max,
    R,
    alpha,
    beta_0,
    f_gap,
    gamma,
    t,
)
from verify.alpha_normec.theorems.descent import floor
from verify.citation import Cite
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import definition, equal, hypothesis
from verify.identity import Limit
from verify.obligation import obligation
from verify.proof import Proof


def _grows(values: Values) -> Comparison:
    """Δq + 2R at α = 1, L_max = 1, f(x⁰) − f^inf = 1/2, for a small and a large R with rational Δ."""
    small, large, q = values["R_small"], values["R_large"], values["q"]

    def bound(radius: Fraction, root: Fraction) -> Fraction:
        return root * q + 2 * radius

    d_small, d_large = values["Delta_small"], values["Delta_large"]
    return Comparison(bound(small, d_small), "<=", bound(large, d_large), (
        ("Δ² = (1+R)/(2R) at the small R", d_small**2 == (1 + small) / (2 * small)),
        ("Δ² = (1+R)/(2R) at the large R", d_large**2 == (1 + large) / (2 * large)),
        ("R falls", small < large),
    ))  # fmt: skip


SHRINKING = hypothesis("α = uR, u > 0", (t > 0) & equal(alpha, t * R))
_best = sympy.Symbol("R_best", real=True)
_BEST_R = definition(
    "R_best = √(αL_max f_gap/(2β₀))", (_best >= 0) & equal(2 * beta_0 * _best**2, alpha * L_max * f_gap)
)
_root = sympy.Symbol("root", real=True)
_ROOT = definition(
    "root = √(2αL_max f_gap/β₀)", (_root >= 0) & equal(_root**2 * beta_0, 2 * alpha * L_max * f_gap)
)
_LEVEL = definition("q = Δ²/β₀", equal(quotient * beta_0 * R, L_max * (alpha + R) * f_gap))
_DELTA = hypothesis(DELTA.name, DELTA.relation)
"""A hypothesis here, where what Δ is made of and β₀, which is made of Δ, are stated both."""
_SHRUNK = (
    ALPHA,
    GAMMA,
    SMOOTH,
    SMOOTH_MAX,
    BETA0,
    ROOM,
    ENOUGH,
    SIGMA,
    FEEDBACK,
    LONGEST,
    *STANDING,
    SHRINKING,
    POSITIVE_GAP,
    _DELTA,
)
_CONSTANT = obligation(
    "with α = uR: Δ = √((1 + u)L_max f_gap)",
    (ROOM, SMOOTH_MAX, SHRINKING, _DELTA, GAP),
    equal(delta, sympy.sqrt((1 + t) * L_max * f_gap)),
)
R0 = Claim(
    id="NEC-C2-R0",
    paper=PAPER,
    place="after Corollary 2, Section 5",
    kind="prose",
    printed="As R is sufficiently small (R → 0), α-NormEC achieves the utility bound of O(Δ ⁴√(d log(1/δ)/(nε²))).",
    reason="To the letter it holds, and is void, since Δ, which contains 1/√R, grows until Δq, q = ⁴√(d log(1/δ)/(nε²)), is above "
    "‖∇f(x⁰)‖ and 2R small beside it (NEC-C2-R0@literal): at a fixed α the bound then grows without limit instead of losing its 2R. "
    "The repaired Corollary 2 does lose it where α falls with R.",
    gap=Gap("reading", "the bound is then smaller, by its 2R, for a fixed α", Witness(
        {"R_small": Fraction(1, 4999), "R_large": Fraction(1, 7), "Delta_small": Fraction(50), "Delta_large": Fraction(2),
         "q": Fraction(1, 10)},
        "Δq + 2R at R = 1/4999 is at most that at R = 1/7",
        _grows,
        "α = L_max = 1, f(x⁰) − f^inf = 1/2",
        universal=Proof(
            _GROWING := (ALPHA, SMOOTH_MAX, POSITIVE_GAP),
            (Limit("Δ → ∞ as R → 0", delta_factor(L_max, alpha, R, f_gap), R, sympy.Integer(0), sympy.oo, given=_GROWING),),
        ),
    )),
    repair=Repair(
        "At fixed α and β₀ and f(x⁰) > f^inf there is a best R > 0: Δ²/β₀ + 2R is least at R = √(L_max α(f(x⁰) − f^inf)/(2β₀)). "
        "With α = uR, u > 0, and NEC-C2-UTIL's repaired β₀ = Δ/√(2s) < (1+u)R(K+1), s > 0, and step, min_k E‖∇f(x^k)‖ ≤ 2√2 "
        "√((1+u)L_max(f(x⁰) − f^inf)) √s + 2R + Lγ/2: there R → 0, with K of order 1/R, does remove the 2R.",
        "α proportional to R (or R of that size), instead of R → 0 alone; β₀ of NEC-C2-UTIL's repair, not Corollary 2's α > β₀; "
        f"γ at its limit; {INDEPENDENTLY}",
        Proof(
            _SHRUNK,
            (
                obligation("Δ²/β₀ + 2R ≥ L_max f_gap/β₀ + 2√(2αL_max f_gap/β₀)",
                           (ALPHA, BETA0, ROOM, SMOOTH_MAX, GAP, _ROOT, _LEVEL),
                           quotient + 2 * R >= L_max * f_gap / beta_0 + 2 * _root),
                obligation("with equality at R_best = √(αL_max f_gap/(2β₀)) > 0",
                           (ALPHA, BETA0, SMOOTH_MAX, POSITIVE_GAP, _ROOT, _BEST_R),
                           (_best > 0) & equal(L_max * (alpha + _best) * f_gap / (beta_0 * _best) + 2 * _best,
                                               L_max * f_gap / beta_0 + 2 * _root)),
                obligation("and β₀/(K+1) < α + R is β₀ < (1+u)R(K+1)", (ROOM, SHRINKING, ROUNDS),
                           sympy.Equivalent(beta_0 / (K + 1) < alpha + R, beta_0 < (1 + t) * R * (K + 1)).to_nnf()),
                _CONSTANT,
                _BOUND := Cite(UTIL, (*_SHRUNK, GAP, ROUNDS, *MEANT), repaired=True),
                obligation("min E‖∇f‖ ≤ 2√2 √((1+u)L_max f_gap) √s + 2R + Lγ/2",
                           (SMOOTH_MAX, SHRINKING, GAP, ENOUGH, ROOM, _CONSTANT.conclusion, _BOUND.conclusion),
                           floor <= sympy.sqrt(8 * noise) * sympy.sqrt((1 + t) * L_max * f_gap) + 2 * R + L * gamma / 2),
            ),
        ),
    ),
)  # fmt: skip
SMALL = hypothesis("R ≤ αq²/2", 2 * R <= alpha * quotient**2)
SMALLER = hypothesis("4R³ ≤ αL_max(f(x⁰) − f^inf)q²", 4 * R**3 <= alpha * L_max * f_gap * quotient**2)
R0_LITERAL = Claim(
    id="NEC-C2-R0@literal",
    paper=PAPER,
    place="after Corollary 2, Section 5",
    kind="prose",
    printed="As R is sufficiently small (R → 0), α-NormEC achieves the utility bound of O(Δ ⁴√(d log(1/δ)/(nε²))) [q := "
    "⁴√(d log(1/δ)/(nε²)); how small R has to be may depend on q].",
    reason="To the letter: for R ≤ αq²/2 it holds with the constant 1, for every γ, β₀, K and noise, since Δq, which has grown, is "
    "then above ‖∇f(x⁰)‖: nothing has to be run. As soon as 4R³ ≤ αL_max(f(x⁰) − f^inf)q², 2R is below Δq too.",
    proof=Proof(
        (ALPHA, ROOM, SMOOTH_MAX, SMALL, SMALLER, QUOTIENT),
        (
            obligation(
                "2R ≤ Δq",
                (ALPHA, ROOM, SMOOTH_MAX, SMALLER, DELTA, GAP, QUOTIENT),
                2 * R <= delta * quotient,
            ),
            obligation(
                "min E‖∇f‖ ≤ ‖∇f(x⁰)‖ ≤ Δq",
                (ALPHA, ROOM, SMOOTH_MAX, SMALL, DELTA, GAP, QUOTIENT, KNOWN, BEST),
                floor <= delta * quotient,
            ),
        ),
    ),
    consequence="R has to fall with n: for one R, however small, and n → ∞ the witness of NEC-C2-UTIL refutes the sentence.",
)
CLAIMS = (R0, R0_LITERAL)
