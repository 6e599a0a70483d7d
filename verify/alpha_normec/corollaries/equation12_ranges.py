"""Which α and β equation (12) takes: α > 1 beside or in the place of Corollary 1's α > β, and wider conditions on β, under which D
stays bounded from below."""

from __future__ import annotations

import sympy

from bounds.alpha_normec.comparison import before_running
from bounds.alpha_normec.corollary1 import equation12
from bounds.alpha_normec.symbols import SYMBOLS
from verify.alpha_normec.corollaries.equation12 import BETA12, EQ12_ALONE
from verify.alpha_normec.letters import (
    ALPHA,
    ANY_D,
    CONTRACTION,
    GAP,
    PAPER,
    RADIUS,
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
from verify.claim import Claim, Gap, Repair
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
_LARGE = hypothesis("D > m := L_max√(2(f(x⁰) − f^inf)/L), which α > β needs (NEC-EQ12)", D > m)
_CHOICE = hypothesis("β of (12)", equal(beta * D, (alpha + D) * m))
assert EQ12_ALONE.witness is not None
EQ12_ALPHA = Claim(
    id="NEC-EQ12-ALPHA",
    paper=PAPER,
    place="before eq. (12), Section 4",
    kind="equation",
    printed="By further choosing α > 1, and β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L), […] the associated convergence bound from "
    "Corollary 1 becomes [(12), γ ≤ (read as =)]",
    reason="Beside Corollary 1's α > β, α > 1 does no harm and no work: (12) at the longest step has no use for it "
    "(NEC-EQ12@equality), and what it says depends on the units, since α has that of a gradient. In the place of α > β it is not "
    "enough (NEC-EQ12@without-alpha-above-beta).",
    repair=Repair(
        "(12) at the longest step for α > β, which with this β is α > mD/(D − m), D > m. α > 1 is not asked for.",
        "α > mD/(D − m), m = L_max√(2(f(x⁰) − f^inf)/L) < D, instead of α > 1",
        Proof(
            (ALPHA, ANY_D, _LARGE, _CHOICE),
            (
                DifferentUnit("α against 1", alpha, sympy.Integer(1), SYMBOLS),
                obligation("exactly these α exceed β", (ALPHA, ANY_D, definition("m ≥ 0", m >= 0), _LARGE, _CHOICE),
                           sympy.Equivalent(alpha > beta, alpha * (D - m) > m * D).to_nnf()),
            ),
        ),
        weakest="necessary and sufficient for α > β",
    ),
    gap=Gap("reading", "α > 1 in the place of α > β", EQ12_ALONE.witness),
)  # fmt: skip
CLAIMS = (EQ12_ALPHA, OUR_ANY)
