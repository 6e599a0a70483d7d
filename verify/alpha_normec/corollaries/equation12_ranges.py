"""Which α and β equation (12) takes: α > 1 beside or in the place of Corollary 1's α > β, and wider conditions on β, under which D
stays bounded from below."""

from __future__ import annotations

import sympy

from bounds.alpha_normec.comparison import before_running
from bounds.alpha_normec.corollary1 import equation12
from bounds.alpha_normec.symbols import SYMBOLS
from verify.alpha_normec.corollaries.corollary1 import ROOT
from verify.alpha_normec.corollaries.equation12 import BETA12, EQ12_EQUAL
from verify.alpha_normec.letters import (
    ALPHA,
    ANY_D,
    CONTRACTION,
    GAP,
    PAPER,
    RADIUS,
    RESIDUAL,
    ROUNDS,
    SMOOTH,
    SMOOTH_MAX,
    D,
    L,
    L_max,
    R,
    alpha,
    beta,
    f_gap,
)
from verify.alpha_normec.ours.sharper import WIDE
from verify.citation import Cite
from verify.claim import Claim
from verify.facts import definition, equal, hypothesis
from verify.obligation import obligation
from verify.proof import Proof
from verify.units import DifferentUnit

m = sympy.Symbol("m", real=True)
_RADIUS = hypothesis("R = D/√(K+1) ≤ D", R <= D)
_LETTER = definition("m = L_max√(2(f(x⁰) − f^inf)/L)", equal(m, L_max * sympy.sqrt(2 * f_gap / L)))
_SHARE = obligation(
    "βD = (α + D)m, m ≥ 0",
    (ALPHA, SMOOTH, SMOOTH_MAX, ANY_D, GAP, BETA12, _LETTER),
    equal(beta * D, (alpha + D) * m) & (m >= 0),
)
_TWICE = obligation(
    "(√α + √R)² ≤ 2(α + R)", (ALPHA, RADIUS), (sympy.sqrt(alpha) + sympy.sqrt(R)) ** 2 <= 2 * (alpha + R)
)
_HALF = obligation(
    "2D ≥ m", (ALPHA, ANY_D, WIDE, _RADIUS, RADIUS, _SHARE.conclusion, _TWICE.conclusion), 2 * D >= m
)
OUR_ANY = Claim(
    id="NEC-OUR-EQ12-ANY",
    paper=PAPER,
    place="ours: eq. (12), Section 4, without Corollary 1's α > β",
    kind="ours",
    printed="With (12)'s β and R = D/√(K+1), m = L_max√(2(f(x⁰) − f^inf)/L): Theorem 1's β/(α+R) < 1 alone forces D > m, and the "
    "wider range of NEC-OUR-T1-WIDE forces 2D ≥ m, so that (12) is at least (1 + L_max/L) times gradient descent's bound.",
    reason="β/(α+R) is at least m/D, as R ≤ D, and the wider range ends at 2(α + R).",
    proof=Proof(
        (ALPHA, SMOOTH, SMOOTH_MAX, ANY_D, BETA12, _RADIUS, WIDE),
        (
            _SHARE,
            obligation(
                "β/(α + R) < 1 forces D > m",
                (ALPHA, ANY_D, _RADIUS, RADIUS, _SHARE.conclusion),
                sympy.Implies(CONTRACTION.relation, D > m),
            ),
            _TWICE,
            _HALF,
            obligation(
                "(12) ≥ (1 + L_max/L)√(2L(f(x⁰) − f^inf)), at K = 0 as at every K",
                (SMOOTH, SMOOTH_MAX, GAP, _HALF.conclusion, _LETTER),
                equation12(f_gap, L, D, 0) >= (1 + L_max / L) * before_running(f_gap, L),
            ),
        ),
    ),
    consequence="Dropping α > β does not bring (12) near gradient descent's bound either.",
)  # fmt: skip
_ABOVE_ONE = hypothesis("α > 1", alpha > 1)
assert EQ12_EQUAL.proof is not None
_HELD = EQ12_EQUAL.proof.assumptions
EQ12_ALPHA = Claim(
    id="NEC-EQ12@alpha-above-one",
    paper=PAPER,
    place="eq. (12) and before it, Section 4, read with γ = … and with α > 1 beside α > β",
    kind="equation",
    printed="By further choosing α > 1, and β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L), […] the associated convergence bound from "
    "Corollary 1 becomes [(12); α > 1 beside Corollary 1's α > β; γ ≤ (read as =)]",
    reason="(12) holds for these α too, and has no use for α > 1 (NEC-EQ12@equality): what that says depends on the units, since α "
    "has that of a gradient. What is needed of Corollary 1's conditions is α > β, which with this β is α > mD/(D − m), m = "
    "L_max√(2(f(x⁰) − f^inf)/L) < D.",
    proof=Proof(
        (*_HELD, _ABOVE_ONE),
        (
            DifferentUnit("α against 1", alpha, sympy.Integer(1), SYMBOLS),
            _SHARE,
            obligation(
                "the α above β are those with α(D − m) > mD",
                (ALPHA, ANY_D, _SHARE.conclusion),
                sympy.Equivalent(alpha > beta, alpha * (D - m) > m * D).to_nnf(),
            ),
            Cite(EQ12_EQUAL, (*_HELD, ROOT, ROUNDS, GAP, RESIDUAL)),
        ),
    ),
    consequence="α > 1 does not replace α > β: NEC-EQ12@without-alpha-above-beta.",
)
CLAIMS = (EQ12_ALPHA, OUR_ANY)
