"""Equation (6), Lemma 1 and Table 1: what the operators do to a vector."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from verify.alpha_normec.letters import (
    ALPHA,
    ALPHA0,
    BETA,
    PAPER,
    RESIDUAL,
    ROOM,
    TAU,
    R,
    alpha,
    beta,
    r,
    remaining,
    tau,
    w,
)
from verify.alpha_normec.text.preliminaries import CLIP_UNDEFINED
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import definition, equal, hypothesis
from verify.gram import Space, square, vectors
from verify.identity import Limit
from verify.obligation import obligation
from verify.proof import Proof

DEFINED = hypothesis("α + ‖g‖ > 0", alpha + r > 0)
(g,) = vectors("g")
SPACE = Space((g,))
SPACE.norm(g, "r")


def _undefined(values: Values) -> Comparison:
    a, norm = values["alpha"], values["norm_g"]
    return Comparison(a + norm, "!=", Fraction(0), (("α ≥ 0", a >= 0), ("‖g‖ ≥ 0", norm >= 0)))


ZERO = Witness({"alpha": Fraction(0), "norm_g": Fraction(0)}, "the denominator α + ‖g‖ is not 0", _undefined)
UNDEFINED = Gap("undefined", "Norm_α(g) at α = 0, g = 0", ZERO)


EQ6 = Claim(
    id="NEC-EQ6",
    paper=PAPER,
    place="eq. (6), Section 3.3; poster, Smoothed Normalization",
    kind="equation",
    printed="Norm_α(g) := 1/(α + ‖g‖) g, (6) for some α ≥ 0 [as a statement: it is defined for every α ≥ 0 and every g ∈ R^d] "
    "[Poster:] Norm_α(g) := 1/(α + ‖g‖) g (α ≥ 0). (3)",
    reason="At α = 0 and g = 0 the quotient is 0/0; the convention 0/0 = 0 comes later and for the server step only.",
    witness=ZERO,
    repair=Repair(
        "Norm_α(g) is defined for all α ≥ 0 and g with α > 0 or g ≠ 0.",
        "α + ‖g‖ > 0",
        Proof(
            (ALPHA0, hypothesis("α > 0 or g ≠ 0", (alpha > 0) | (r > 0))),
            (
                obligation(
                    "the denominator is positive",
                    (ALPHA0, hypothesis("α > 0 or g ≠ 0", (alpha > 0) | (r > 0)), RESIDUAL),
                    alpha + r > 0,
                ),
            ),
        ),
        weakest="necessary: both zero makes the denominator zero",
    ),
    consequence="Use α > 0, as Algorithm 1 does.",
)

L1A = Claim(
    id="NEC-L1a",
    paper=PAPER,
    place="Lemma 1 (7), Section 3.3; Appendix B; poster, Smoothed Normalization",
    kind="lemma",
    printed="For any α ≥ 0, β > 0, and g ∈ R^d, ‖Norm_α(g)‖ ≤ 1. [Poster:] (α ≥ 0). (3) This operator ensures Sensitivity control for "
    "DP (‖Norm_α(g)‖ ≤ 1).",
    reason="True wherever Norm_α(g) is defined; α = 0 with g = 0 is not.",
    repair=Repair(
        "‖Norm_α(g)‖ ≤ 1 for all α ≥ 0 and g with α + ‖g‖ > 0.",
        "α + ‖g‖ > 0",
        Proof(
            (ALPHA0, DEFINED),
            (
                obligation(
                    "‖g/(α+‖g‖)‖² = ‖g‖²/(α+‖g‖)² ≤ 1",
                    (ALPHA0, DEFINED, *SPACE.facts()),
                    square(g) / (alpha + r) ** 2 <= 1,
                ),
            ),
        ),
        weakest="the condition only says that Norm_α(g) exists",
    ),
    gap=UNDEFINED,
)


SHORTENED = (1 - beta / (alpha + r)) * g
LEFT = definition("w = ‖g − βNorm_α(g)‖", (w >= 0) & equal(w**2, square(SHORTENED)))


def _factor_identity() -> Any:
    return equal(square(g) + square((beta / (alpha + r)) * g) - 2 * beta / (alpha + r) * square(g),
                    (1 - beta / (alpha + r)) ** 2 * r**2) & equal(square(SHORTENED),
                    (1 - beta / (alpha + r)) ** 2 * r**2)  # fmt: skip


L1B = Claim(
    id="NEC-L1b",
    paper=PAPER,
    place="Lemma 1 (8), Section 3.3; Appendix B",
    kind="lemma",
    printed="For any α ≥ 0, β > 0, and g ∈ R^d, ‖g − βNorm_α(g)‖² = (1 − β/(α + ‖g‖))² ‖g‖².",
    reason="An identity wherever Norm_α(g) is defined; at α = 0, g = 0 the right-hand side has no value.",
    repair=Repair(
        "The identity for all α ≥ 0, β > 0 and g with α + ‖g‖ > 0.",
        "α + ‖g‖ > 0",
        Proof(
            (ALPHA0, BETA, DEFINED),
            (
                obligation(
                    "‖g‖² + β²‖g‖²/(α+‖g‖)² − 2β‖g‖²/(α+‖g‖) = (1 − β/(α+‖g‖))²‖g‖²",
                    (ALPHA0, BETA, DEFINED, *SPACE.facts()),
                    _factor_identity(),
                ),
                obligation(
                    "‖g − βNorm_α(g)‖ = |1 − β/(α+‖g‖)| ‖g‖",
                    (ALPHA0, BETA, DEFINED, LEFT, *SPACE.facts()),
                    equal(w, remaining(r)),
                ),
            ),
        ),
        weakest="the condition only says that the right-hand side exists",
    ),
    gap=UNDEFINED,
)


def _not_improved(values: Values) -> Comparison:
    a, b, norm = values["alpha"], values["beta"], values["norm_g"]
    smoothed = (1 - b / (a + norm)) ** 2
    plain = (1 - b / norm) ** 2
    return Comparison(smoothed, "<=", plain, (("α > 0", a > 0), ("β > 0", b > 0), ("g ≠ 0", norm > 0)))


NONZERO = hypothesis("g ≠ 0", r > 0)
SHORT = hypothesis("‖g‖ ≤ β/2", 2 * r <= beta)
IMPROVES_WHERE = beta * (alpha + 2 * r) >= 2 * r * (alpha + r)
FACTORS = (1 - beta / (alpha + r)) ** 2 <= (1 - beta / r) ** 2
L1_LIM = Claim(
    id="NEC-L1-LIM",
    paper=PAPER,
    place="after Lemma 1, Section 3.3",
    kind="prose",
    printed="smoothed normalization with α > 0 improves the contraction factor, compared to standard normalization. "
    "Specifically, as ‖g‖ → 0, the contraction factor of smoothed normalization approaches (1 − β/α)², while "
    "standard normalization lacks this contraction property.",
    reason="As ‖g‖ → 0, to which “Specifically” turns, both are so (NEC-L1-LIM@limit), and for ‖g‖ ≤ β/2 the factor is smaller "
    "whatever α > 0 is. For every g it is not: near ‖g‖ = β standard normalisation contracts more, and at ‖g‖ = β its factor is 0.",
    repair=Repair(
        "For ‖g‖ ≤ β/2, g ≠ 0, and every α > 0 the factor of smoothed normalisation is smaller. For any g ≠ 0 it is no larger exactly "
        "where β(α + 2‖g‖) ≥ 2‖g‖(α + ‖g‖).",
        "‖g‖ ≤ β/2; for a given α β(α + 2‖g‖) ≥ 2‖g‖(α + ‖g‖)",
        Proof(
            (ALPHA, BETA, NONZERO, SHORT),
            (
                obligation("‖g‖ ≤ β/2 suffices for every α > 0", (ALPHA, BETA, NONZERO, SHORT),
                           (1 - beta / (alpha + r)) ** 2 < (1 - beta / r) ** 2),
                obligation("and for ‖g‖ > β/2 a large α makes it larger", (ALPHA, BETA, NONZERO),
                           sympy.Implies((2 * r > beta) & (alpha * (2 * r - beta) > 2 * r * (beta - r)),
                                         (1 - beta / (alpha + r)) ** 2 > (1 - beta / r) ** 2)),
                obligation("for one α the condition suffices and is necessary", (ALPHA, BETA, NONZERO),
                           sympy.Equivalent(IMPROVES_WHERE, FACTORS).to_nnf()),
            ),
        ),
        weakest="both necessary: ‖g‖ ≤ β/2 for every α > 0, the other for a given α",
    ),
    gap=Gap(
        "reading",
        "for every g",
        Witness(
            {"alpha": Fraction(1), "beta": Fraction(1), "norm_g": Fraction(1)},
            "factor of smoothed normalisation ≤ factor of standard normalisation",
            _not_improved,
        ),
    ),
)  # fmt: skip
L1_LIM_LIMIT = Claim(
    id="NEC-L1-LIM@limit",
    paper=PAPER,
    place="after Lemma 1, Section 3.3",
    kind="prose",
    printed="as ‖g‖ → 0, the contraction factor of smoothed normalization approaches (1 − β/α)², while standard "
    "normalization lacks this contraction property",
    reason="The limit with α > 0 is (1 − β/α)², as printed; with α = 0 the factor goes to infinity, so that nothing contracts.",
    proof=Proof(
        (ALPHA, BETA),
        (
            Limit(
                "α > 0",
                (1 - beta / (alpha + r)) ** 2,
                r,
                sympy.Integer(0),
                (1 - beta / alpha) ** 2,
                given=(ALPHA, BETA),
            ),
            Limit("α = 0", (1 - beta / r) ** 2, r, sympy.Integer(0), sympy.oo, given=(BETA,)),
        ),
    ),
    consequence="(1 − β/α)² is below 1 only for β < 2α: all printed runs with α = 0.01 and β ≥ 0.1 are outside.",
)

CLIP = definition(
    "c is the clipping factor: min(1, τ/‖g‖), and 1 at g = 0",
    ((r <= tau) & equal(sympy.Symbol("c", real=True), 1))
    | ((r > tau) & equal(sympy.Symbol("c", real=True) * r, tau)),
)
c = sympy.Symbol("c", real=True)
CUT = definition("w = ‖Clip_τ(g) − g‖", (w >= 0) & equal(w**2, square(sympy.Min(1, tau / r) * g - g)))
MOVED = definition("w = ‖Norm_α(g) − g‖", (w >= 0) & equal(w**2, square((1 / (alpha + r)) * g - g)))
TAB1_CLIP = Claim(
    id="NEC-TAB1-CLIP",
    paper=PAPER,
    place="Table 1, clipping row; poster Table 1",
    kind="equation",
    printed="‖Clip_τ(g) − g‖² ≤ max(0, ‖g‖ − τ)² [Poster:] ‖Clip_τ(g) − g‖ ≤ max(0, ‖g‖ − τ)",
    reason="It holds with equality wherever (5) is defined; at g = 0 it divides by zero (NEC-EQ5).",
    repair=Repair(
        "Equality for g ≠ 0 (and for g = 0 with Clip_τ(0) := 0).",
        "g ≠ 0",
        Proof(
            (TAU, NONZERO),
            (
                obligation(
                    "‖Clip_τ(g) − g‖² = (1 − min(1, τ/‖g‖))²‖g‖² = max(0, ‖g‖ − τ)²",
                    (TAU, NONZERO, *SPACE.facts()),
                    equal(square(sympy.Min(1, tau / r) * g - g), sympy.Max(0, r - tau) ** 2),
                ),
                obligation(
                    "‖Clip_τ(g) − g‖ = max(0, ‖g‖ − τ)",
                    (TAU, NONZERO, CUT, *SPACE.facts()),
                    equal(w, sympy.Max(0, r - tau)),
                ),
            ),
        ),
        weakest="the condition only says that τ/‖g‖ exists",
    ),
    gap=CLIP_UNDEFINED,
)
TAB1_NORM = Claim(
    id="NEC-TAB1-NORM",
    paper=PAPER,
    place="Table 1, smoothed normalisation row; poster Table 1",
    kind="equation",
    printed="‖Norm_α(g) − g‖² ≤ (1 − 1/(α + ‖g‖))² ‖g‖² [Poster:] ‖Norm_α(g) − g‖ ≤ |1 − 1/(α + ‖g‖)| ‖g‖",
    reason="Lemma 1 with β = 1, an equality wherever Norm_α(g) is defined.",
    repair=Repair(
        "Equality for all α ≥ 0 and g with α + ‖g‖ > 0.",
        "α + ‖g‖ > 0",
        Proof(
            (ALPHA0, DEFINED),
            (
                obligation(
                    "Lemma 1 at β = 1",
                    (ALPHA0, DEFINED, *SPACE.facts()),
                    equal(square((1 / (alpha + r)) * g - g), (1 - 1 / (alpha + r)) ** 2 * r**2),
                ),
                obligation(
                    "‖Norm_α(g) − g‖ = |1 − 1/(α + ‖g‖)| ‖g‖",
                    (ALPHA0, DEFINED, MOVED, *SPACE.facts()),
                    equal(w, sympy.Abs(1 - 1 / (alpha + r)) * r),
                ),
            ),
        ),
        weakest="the condition only says that Norm_α(g) exists",
    ),
    gap=UNDEFINED,
)


def _not_contractive(values: Values) -> Comparison:
    a, norm = values["alpha"], values["norm_g"]
    distance = (1 - 1 / (a + norm)) ** 2 * norm**2
    return Comparison(distance, "<=", norm**2, (("α > 0", a > 0), ("g ≠ 0", norm > 0)))


BALL = hypothesis("‖g‖ ≤ R", r <= R)
GENTLE = hypothesis("β < 2α", beta < 2 * alpha)
_KEPT = sympy.Min(beta / (alpha + R), 2 - beta / alpha)
TAB1_CAP = Claim(
    id="NEC-TAB1-CAP",
    paper=PAPER,
    place="Table 1, caption; Sections 1.1 and 3.5; Section 4, before Theorem 1 and at the end of the outline; poster, Smoothed "
    "Normalization, second bullet, and Table 1",
    kind="prose",
    printed="Smoothed normalization, unlike clipping, obtains the contractive property similar to compressors "
    "[‖C(g) − g‖² ≤ (1 − η)²‖g‖² for some η ∈ (0, 1] and any g]. [Section 1.1:] smoothed normalization enjoys a “contractive” "
    "property similar to biased compression operators [Section 4:] This simplified proof is possible because smoothed "
    "normalization possesses a contractive property similar to the contractive compressor used in EF21. [Poster:] This operator "
    "ensures […] Contractive property, unlike clipping.",
    reason="No η ∈ (0, 1] works for all g: with the paper's α = 0.01 and ‖g‖ = 0.01 the rest Norm_α(g) − g is 49 times as "
    "long as g, and for large ‖g‖ the factor tends to 1 just as clipping's does; on bounded sets clipping contracts, and βNorm_α for "
    "β < 2α. Nor does the proof rest on it: it goes for clipping word for word (NEC-OUR-T2-CLIP@printed).",
    witness=Witness(
        {"alpha": Fraction(1, 100), "norm_g": Fraction(1, 100)},
        "‖Norm_α(g) − g‖² ≤ ‖g‖², which the property with any η ∈ (0, 1] implies",
        _not_contractive,
    ),
    repair=Repair(
        "On the ball ‖g‖ ≤ R, β Norm_α with β < 2α contracts with η = min(β/(α + R), 2 − β/α); clipping contracts there "
        "too, with η = min(1, τ/R). Neither contracts on the whole space.",
        "‖g‖ ≤ R and β < 2α",
        Proof(
            (ALPHA, BETA, BALL, ROOM, GENTLE, TAU),
            (
                obligation("η ∈ (0, 1]", (ALPHA, BETA, ROOM, GENTLE), (_KEPT > 0) & (_KEPT <= 1)),
                obligation("β Norm_α contracts on the ball", (ALPHA, BETA, BALL, GENTLE, RESIDUAL),
                           remaining(r) <= (1 - _KEPT) * r),
                Limit("necessary: the factor at ‖g‖ → 0 is |1 − β/α|", (1 - beta / (alpha + r)) ** 2, r, sympy.Integer(0),
                      (1 - beta / alpha) ** 2, given=(ALPHA, BETA)),
                obligation("which is below 1 only for β < 2α", (ALPHA, BETA),
                           sympy.Equivalent((1 - beta / alpha) ** 2 < 1, beta < 2 * alpha).to_nnf()),
                obligation("clipping contracts on the ball", (TAU, BALL, CLIP, RESIDUAL, ROOM),
                           (1 - c) * r <= (1 - sympy.Min(1, tau / R)) * r),
                Limit("the factor of smoothed normalisation tends to 1", 1 - beta / (alpha + r), r, sympy.oo,
                      sympy.Integer(1), "-", (ALPHA, BETA)),
                Limit("the factor of clipping tends to 1", 1 - tau / r, r, sympy.oo, sympy.Integer(1), "-", (TAU,)),
            ),
        ),
        weakest="β < 2α is necessary and sufficient: at ‖g‖ → 0 the factor is |1 − β/α|",
    ),
    consequence="The step from clipping to smoothed normalisation does not buy a compressor's contraction.",
)  # fmt: skip

CLAIMS = (EQ6, L1A, L1B, L1_LIM, L1_LIM_LIMIT, TAB1_CLIP, TAB1_NORM, TAB1_CAP)
