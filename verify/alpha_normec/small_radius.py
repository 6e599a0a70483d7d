"""The sentence after Corollary 2: what the utility bound becomes for a small R."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.corollary2 import delta_factor
from verify.alpha_normec.corollary2 import BETA0, DELTA, QUOTIENT, delta, quotient
from verify.alpha_normec.letters import (
    ALPHA,
    GAP,
    PAPER,
    POSITIVE_GAP,
    ROOM,
    SMOOTH_MAX,
    K,
    L_max,
    R,
    alpha,
    beta_0,
    f_gap,
    s,
    t,
)
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.facts import definition, equal, hypothesis
from verify.obligation import obligation
from verify.proof import Comparison, Limit, Proof


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
_ROOT = definition("s = √(2αL_max f_gap/β₀)", (s >= 0) & equal(s**2 * beta_0, 2 * alpha * L_max * f_gap))
_LEVEL = definition("q = Δ²/β₀", equal(quotient * beta_0 * R, L_max * (alpha + R) * f_gap))
R0 = Claim(
    id="NEC-C2-R0",
    paper=PAPER,
    place="after Corollary 2, Section 5",
    kind="prose",
    printed="As R is sufficiently small (R → 0), α-NormEC achieves the utility bound of O(Δ ⁴√(d log(1/δ)/(nε²))).",
    reason="Granted Corollary 2's bound (NEC-C2-UTIL), it holds to the letter, since Δ, which contains 1/√R, grows until 2R is small "
    "beside Δq (NEC-C2-R0@literal): at a fixed α the bound then grows without limit instead of losing its 2R. It does lose it where α "
    "falls with R and β₀ need not stay below α.",
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
        "At a fixed α and f(x⁰) > f^inf there is a best R > 0: Δ²/β₀ + 2R is least at R = √(L_max α f_gap/(2β₀)). With α = uR "
        "instead, Δ = "
        "√((1+u)L_max f_gap) does not depend on R, and R → 0 does remove the 2R; β₀ < (1+u)R(K+1) then asks for K of order 1/R.",
        "α proportional to R (or R of that size), instead of R → 0 alone, and not Corollary 2's α > β₀",
        Proof(
            (ALPHA, BETA0, ROOM, SMOOTH_MAX, SHRINKING, POSITIVE_GAP),
            (
                obligation("Δ²/β₀ + 2R ≥ L_max f_gap/β₀ + 2√(2αL_max f_gap/β₀)",
                           (ALPHA, BETA0, ROOM, SMOOTH_MAX, GAP, _ROOT, _LEVEL),
                           quotient + 2 * R >= L_max * f_gap / beta_0 + 2 * s),
                obligation("with equality at R_best = √(αL_max f_gap/(2β₀)) > 0",
                           (ALPHA, BETA0, SMOOTH_MAX, POSITIVE_GAP, _ROOT, _BEST_R),
                           (_best > 0) & equal(L_max * (alpha + _best) * f_gap / (beta_0 * _best) + 2 * _best,
                                               L_max * f_gap / beta_0 + 2 * s)),
                obligation("with α = uR: Δ² = (1 + u)L_max f_gap", (ROOM, SMOOTH_MAX, SHRINKING, DELTA, GAP),
                           equal(delta**2, (1 + t) * L_max * f_gap)),
                obligation("and β₀/(K+1) < α + R is β₀ < (1+u)R(K+1)", (ROOM, SHRINKING, definition("K ≥ 0", K >= 0)),
                           sympy.Equivalent(beta_0 / (K + 1) < alpha + R, beta_0 < (1 + t) * R * (K + 1)).to_nnf()),
            ),
        ),
    ),
)  # fmt: skip
SMALL = hypothesis("4R³ ≤ αL_max(f(x⁰) − f^inf)q²", 4 * R**3 <= alpha * L_max * f_gap * quotient**2)
R0_LITERAL = Claim(
    id="NEC-C2-R0@literal",
    paper=PAPER,
    place="after Corollary 2, Section 5",
    kind="prose",
    printed="As R is sufficiently small (R → 0), [Δq + 2R is] O(Δ ⁴√(d log(1/δ)/(nε²))), q := ⁴√(d log(1/δ)/(nε²)).",
    reason="To the letter, granted Corollary 2's bound: 2R ≤ Δq as soon as 4R³ ≤ αL_max(f(x⁰) − f^inf)q²; it is Δq that has grown.",
    proof=Proof(
        (ALPHA, ROOM, SMOOTH_MAX, SMALL, QUOTIENT),
        (
            obligation(
                "2R ≤ Δq",
                (ALPHA, ROOM, SMOOTH_MAX, SMALL, DELTA, GAP, QUOTIENT),
                2 * R <= delta * quotient,
            ),
        ),
    ),
)
CLAIMS = (R0, R0_LITERAL)
