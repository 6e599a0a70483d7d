"""Equation (12), and Section 4's comparison of it with gradient descent and Clip21."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import sympy

from bounds.alpha_normec.corollary1 import (
    beta12,
    constant,
    equation12,
)
from bounds.alpha_normec.ours import THEOREM1_SHARP_ROOT, theorem1_sharp
from verify.alpha_normec.corollaries.corollary1 import (
    C1_EQ,
    CHOICES,
    GENTLE,
    LONGEST,
    MEMORIES,
    POSITIVE_R,
    ROOT,
    STANDING,
    STEP,
    from_the_root,
)
from verify.alpha_normec.letters import (
    ALPHA,
    ANY_D,
    BETA,
    CONTRACTION,
    GAMMA,
    GAP,
    LETTERS,
    PAPER,
    POSITIVE_GAP,
    RADIUS,
    RESIDUAL,
    ROUNDS,
    SHORT_STEP,
    SMOOTH,
    SMOOTH_MAX,
    D,
    K,
    L,
    L_max,
    R,
    alpha,
    beta,
    f_gap,
    gamma,
    s,
)
from verify.alpha_normec.theorems.descent import START, floor
from verify.citation import Cite
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.facts import definition, equal, hypothesis
from verify.identity import Identity, Limit
from verify.obligation import obligation
from verify.proof import Proof

BETA12 = hypothesis("β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L)",
                    equal(beta, beta12(f_gap, L, L_max, alpha, D)))  # fmt: skip
COROLLARY1 = Cite(C1_EQ, (*CHOICES, *STANDING, LONGEST, ROOT, ROUNDS, GAP, RESIDUAL))
PRINTED = (
    "By further choosing α > 1, and β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L), […] the associated convergence bound "
    "from Corollary 1 [g_i⁰ with any D > 0; γ ≤ β/L_max · D/(α+D) · 1/(K+1)^{1/2}; α > β] becomes "
    "min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ (√(2L(f(x⁰) − f^inf)) + 2D)/(K+1)^{1/2}."
)
_NECESSARY = obligation(
    "necessary: α > β with this β forces that D",
    (ALPHA, SMOOTH, SMOOTH_MAX, ANY_D, GENTLE, BETA12, GAP),
    D > L_max * sympy.sqrt(2 * f_gap / L),
)
_AT_THE_LIMIT = Proof(
    (*CHOICES, *STANDING, LONGEST, BETA12),
    (
        COROLLARY1,
        _NECESSARY,
        obligation(
            "C = √(2L(f(x⁰) − f^inf)) + 2D",
            (ALPHA, BETA, SMOOTH, SMOOTH_MAX, ANY_D, BETA12, GAP, ROOT, COROLLARY1.conclusion),
            floor <= (sympy.sqrt(2 * L * f_gap) + 2 * D) / s,
        ),
    ),
)

_RIGHT = sympy.sqrt(2 * L * f_gap) + 2 * D
_MOST = THEOREM1_SHARP_ROOT.value(**{**LETTERS, "K": s**2 - 1})
_SPARED = hypothesis(
    "√(ρ² + A²) ≤ the right side, ρ = R(1 − β/(α+R)), A = (f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2",
    _MOST <= _RIGHT / s,
)
_descent = sympy.sqrt(2 * L * f_gap)
_scaled = gamma * s
_BETWEEN = obligation(
    "γ√(K+1) ≤ √(2(f(x⁰) − f^inf)/L), and at least a fifth of it where γ ≥ γ_max/5",
    (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, ANY_D, STEP, ROOT, GAP, BETA12),
    (_scaled <= sympy.sqrt(2 * f_gap / L))
    & sympy.Implies(5 * _scaled * L_max * (alpha + D) >= beta * D, 5 * _scaled >= sympy.sqrt(2 * f_gap / L)),
)
_SLOW = obligation(
    "then √(K+1)A ≤ (13/5)√(2L(f(x⁰) − f^inf))",
    (GAMMA, SMOOTH, ROOT, GAP, _BETWEEN.conclusion),
    sympy.Implies(
        5 * _scaled >= sympy.sqrt(2 * f_gap / L),
        f_gap / _scaled + L * _scaled / 2 <= sympy.Rational(13, 5) * _descent,
    ),
)
_FAR = obligation(
    "D > √(2L(f(x⁰) − f^inf)) where L ≤ L_max",
    (SMOOTH, SMOOTH_MAX, ANY_D, GAP, _NECESSARY.conclusion),
    sympy.Implies(L <= L_max, D > _descent),
)
_LESS = obligation(
    "ρ² ≤ D²/(K+1)",
    (ALPHA, BETA, ANY_D, MEMORIES, GENTLE, ROOT),
    (R * (1 - beta / (alpha + R))) ** 2 <= (D / s) ** 2,
)
_least = D**2 + sympy.Rational(169, 25) * 2 * L * f_gap
_SUMMED = obligation(
    "ρ² + A² ≤ (D² + (13/5)²·2L(f(x⁰) − f^inf))/(K+1) where γ ≥ γ_max/5",
    (
        ALPHA,
        GAMMA,
        SMOOTH,
        ANY_D,
        ROOT,
        ROUNDS,
        GAP,
        POSITIVE_R.conclusion,
        _SLOW.conclusion,
        _LESS.conclusion,
    ),
    sympy.Implies(5 * _scaled >= sympy.sqrt(2 * f_gap / L), _MOST**2 <= _least / s**2),
)
_COVERED = obligation(
    "D² + (13/5)²·2L(f(x⁰) − f^inf) ≤ (√(2L(f(x⁰) − f^inf)) + 2D)² where L ≤ L_max",
    (SMOOTH, ANY_D, GAP, _FAR.conclusion),
    sympy.Implies(L <= L_max, _least <= _RIGHT**2),
)
_level, _there = sympy.symbols("bound right_side", real=True)
_ROOTS = obligation(
    "a root of no more is no more",
    (definition("both ≥ 0", (_level >= 0) & (_there >= 0)), SMOOTH, ANY_D, GAP, ROOT),
    sympy.Implies((_level**2 <= _least / s**2) & (_least <= _there**2), _level <= _there / s),
)
_FIFTH = obligation(
    "so for γ ≥ γ_max/5 where L ≤ L_max",
    (
        ALPHA,
        GAMMA,
        SMOOTH,
        ANY_D,
        ROOT,
        ROUNDS,
        GAP,
        POSITIVE_R.conclusion,
        _BETWEEN.conclusion,
        _SUMMED.conclusion,
        _COVERED.conclusion,
        _ROOTS.conclusion.at({_level: _MOST, _there: _RIGHT}),
    ),
    sympy.Implies((L <= L_max) & (5 * _scaled * L_max * (alpha + D) >= beta * D), _SPARED.relation),
)


def _too_short(values: Values) -> Comparison:
    """Eq. (12) on f = x²/2 from x⁰ = 1 with K + 1 = 16 and a step far below its limit, run exactly."""
    f, root, steps = Quadratic(Fraction(1)), 4, 16
    a, b, g, big_d, x = (values[k] for k in ("alpha", "beta", "gamma", "D", "x0"))
    run = alpha_normec([f.gradient], x, [f.gradient(x) - big_d / root], a, b, g, steps - 1)
    least = min(abs(f.gradient(y)) for y in run.x)
    return Comparison(least, "<=", (1 + 2 * big_d) / root, (
        ("α > 1 and α > β", a > 1 and a > b),
        ("D > 0, γ > 0", min(big_d, g) > 0),
        ("√(2L(f(x⁰) − f^inf)) = 1", 2 * f.value(x) == 1),
        ("β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L)", b == (a + big_d) / big_d),
        ("γ ≤ β/L_max · D/(α+D) · 1/√(K+1)", g <= b * big_d / (a + big_d) / root),
        ("‖∇f(x⁰) − g⁰‖ = D/√(K+1)", abs(f.gradient(x) - run.memories[0][0]) * root == big_d),
    ))  # fmt: skip


EQ12 = Claim(
    id="NEC-EQ12",
    paper=PAPER,
    place="eq. (12), Section 4",
    kind="equation",
    printed=PRINTED,
    reason="Like Corollary 1 it allows “γ ≤ …”, and with a far shorter step x hardly moves. At the longest step the algebra is right, "
    "but α > β and this β can hold together only for D > L_max√(2(f(x⁰) − f^inf)/L): “any D > 0” is not available.",
    witness=Witness(
        {
            "alpha": Fraction(10),
            "beta": Fraction(9),
            "gamma": Fraction(1, 1000),
            "D": Fraction(5, 4),
            "x0": Fraction(1),
        },
        "min_{k∈[0,15]} ‖∇f(x^k)‖ ≤ (√(2L(f(x⁰) − f^inf)) + 2D)/√16",
        _too_short,
        "f(x) = x²/2 (n = 1, L = L_max = 1), x⁰ = 1, K = 15, g⁰ = 1 − D/4",
    ),
    repair=Repair(
        "(12) for γ up to its limit with √(ρ² + A(γ)²) ≤ the right side, as in NEC-C1: where L ≤ L_max for every γ from a "
        "fifth of the limit on. Where f(x⁰) > f^inf its hypotheses can hold together exactly where D > L_max√(2(f(x⁰) − f^inf)/L) "
        "and α is large enough (NEC-EQ12@alpha-above-one).",
        "√(ρ² + A(γ)²) ≤ (√(2L(f(x⁰) − f^inf)) + 2D)/√(K+1), ρ and A as in NEC-C1",
        from_the_root(
            _RIGHT,
            _SPARED,
            (_NECESSARY, _BETWEEN, _SLOW, _FAR, _LESS, _SUMMED, _COVERED, _ROOTS, _FIFTH),
            BETA12,
        ),
        weakest="outside it NEC-OUR-T1-SHARP-ROOT gives less; from Theorem 1 alone no step but the longest gives (12)",
    ),
    consequence="With L_max = L every D that is allowed makes (12) more than three times gradient descent's bound.",
)
EQ12_EQUAL = Claim(
    id="NEC-EQ12@equality",
    paper=PAPER,
    place="eq. (12) read with γ = …",
    kind="equation",
    printed=PRINTED.replace("γ ≤", "γ ≤ (read as =)"),
    reason="Corollary 1 at the longest step, with that β in C; no D ≤ L_max√(2(f(x⁰) − f^inf)/L) satisfies the hypotheses.",
    proof=_AT_THE_LIMIT,
)


def _oscillates(a: Fraction, big_d: Fraction) -> Comparison:
    """Algorithm 1 with eq. (12)'s β = 401 and the longest step on f = x²/2 from x⁰ = 1, K + 1 = 9, where β ≥ α + R."""
    f, root, steps, x = Quadratic(Fraction(1)), 3, 9, Fraction(1)
    b, g = Fraction(401), Fraction(1, 3)
    run = alpha_normec([f.gradient], x, [f.gradient(x) - big_d / root], a, b, g, steps)
    least = min(abs(f.gradient(y)) for y in run.x[:steps])
    return Comparison(least, ">", (1 + 2 * big_d) / root, (
        ("β ≥ α + R", b >= a + big_d / root),
        ("√(2L(f(x⁰) − f^inf)) = 1", 2 * f.value(x) == 1),
        ("β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L)", b == (a + big_d) / big_d),
        ("γ = β/L_max · D/(α+D) · 1/√(K+1)", g == b * big_d / (a + big_d) / root),
        ("‖∇f(x⁰) − g⁰‖ = D/√(K+1)", abs(f.gradient(x) - run.memories[0][0]) * root == big_d),
    ))  # fmt: skip


EQ12_ALONE = Claim(
    id="NEC-EQ12@without-alpha-above-beta",
    paper=PAPER,
    place="ours: eq. (12), Section 4, with α > 1 in the place of Corollary 1's α > β",
    kind="ours",
    printed="With neither α > β nor Theorem 1's β/(α+R) < 1, (12)'s other conditions, with γ = …, do not give it, α > 1 or not: it "
    "fails on f(x) = x²/2 from x⁰ = 1 for α = 2 and D = 1/200, and for α = 1/2 and D = 1/800, with β = 401, γ = 1/3, g⁰ = 1 − D/3 "
    "and K = 8.",
    reason="For small D this β is far above α + R: the memory overshoots, the sign of ĝ alternates and x goes nowhere. (With "
    "β/(α+R) < 1 Theorem 1 gives (12): NEC-OUR-EQ12-ANY. The text asks for α > 1 beside α > β, “further”: NEC-EQ12@alpha-above-one.)",
    proof=Proof(
        (),
        tuple(
            Computation(
                f"α = {a}: min_{{k∈[0,8]}} ‖∇f(x^k)‖ > (√(2L(f(x⁰) − f^inf)) + 2D)/√9, run exactly",
                "enumeration",
                partial(_oscillates, a, D_),
            )
            for a, D_ in ((Fraction(2), Fraction(1, 200)), (Fraction(1, 2), Fraction(1, 800)))
        ),
    ),
)  # fmt: skip


_LEAST = L_max * sympy.sqrt(2 * f_gap / L)
_ABOVE = obligation(
    "(12) > (1 + 2L_max/L) · gradient descent's bound",
    (ALPHA, SMOOTH, SMOOTH_MAX, ANY_D, GENTLE, BETA12, GAP),
    equation12(f_gap, L, D, 0) > (1 + 2 * L_max / L) * sympy.sqrt(2 * L * f_gap),
)
EQ12_GD = Claim(
    id="NEC-EQ12-GD",
    paper=PAPER,
    place="Section 4, comparison with Clip21",
    kind="prose",
    printed="by choosing g_i⁰ ∈ R^d such that D is sufficiently small, the convergence bound of α-NormEC in (12) approaches "
    "that of classical gradient descent",
    reason="A sufficiently small D and (12)'s conditions exclude each other: these need D > L_max√(2(f(x⁰) − f^inf)/L), since for a "
    "smaller D its β exceeds α, whatever α is. As a formula (12) does approach gradient descent's bound; where it is "
    "available it is more than (1 + 2L_max/L) times that.",
    conflict=Proof(
        (ALPHA, BETA, SMOOTH, SMOOTH_MAX, ANY_D, GENTLE, BETA12, POSITIVE_GAP),
        (
            _NECESSARY,
            obligation(
                "so that D stays above a positive number, L_max√(2(f(x⁰) − f^inf)/L)",
                (SMOOTH, SMOOTH_MAX, POSITIVE_GAP, _NECESSARY.conclusion),
                (D > _LEAST) & (_LEAST > 0),
            ),
            _ABOVE,
        ),
    ),
    repair=Repair(
        "Where (12)'s hypotheses hold, it exceeds (1 + 2L_max/L) times gradient descent's bound; but the sharpened "
        "Theorem 1 (NEC-OUR-T1-SHARP) with β = α → ∞ at fixed R tends to normalised gradient descent's.",
        "α → ∞ with β = α instead of D → 0",
        Proof(
            (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, ANY_D, GENTLE, BETA12),
            (
                _ABOVE,
                Limit(
                    "sharpened bound with β = α → ∞",
                    theorem1_sharp(f_gap, gamma, K, R, L, alpha, alpha),
                    alpha,
                    sympy.oo,
                    f_gap / (gamma * (K + 1)) + L * gamma / 2,
                    "-",
                    (GAMMA, SMOOTH, RADIUS, ROUNDS, GAP),
                ),
            ),
        ),
    ),
    consequence="To come close to gradient descent take α = β large (not D small); the price is sensitivity β. Dropping α > β does "
    "not help (NEC-OUR-EQ12-ANY).",
)


def _free_of_gap() -> Comparison:
    """How many of the conditions of Theorem 1 and of Corollary 1 contain f(x⁰) − f^inf."""
    conditions = (ALPHA, BETA, GAMMA, CONTRACTION, SHORT_STEP, START, GENTLE, MEMORIES, STEP)
    return Comparison(Fraction(sum(f_gap in c.relation.free_symbols for c in conditions)), "==", Fraction(0))


c = sympy.Symbol("c", real=True)
_FAR = c * L_max * sympy.sqrt(2 * f_gap / L)
_BEYOND = hypothesis("D = cL_max√(2(f(x⁰) − f^inf)/L), c > 1, as (12) needs it", c > 1)
S4_STEP = Claim(
    id="NEC-S4-STEP",
    paper=PAPER,
    place="Section 4, comparison with Clip21",
    kind="prose",
    printed="Firstly, the hyperparameters of α-NormEC (β, α, γ > 0), as defined in Theorem 1, are easier to implement. [read as: they "
    "do not depend on f(x⁰) − f^inf. That Clip21's step size does: NEC-S4-STEP@Clip21. The bound (12), compared next: NEC-AF-3]",
    reason="No condition of Theorem 1 contains f(x⁰) − f^inf, and none that Corollary 1 adds. But γ ≤ βR/((α+R)L_max) needs R, or an "
    "upper bound of it (NEC-T1-ADD@R-zero), and L_max. For the bound (12) that does not suffice (NEC-S4-STEP@with-12).",
    proof=Proof(
        (),
        (Computation("no condition of Theorem 1 or Corollary 1 contains f(x⁰) − f^inf", "enumeration", _free_of_gap),),
    ),
)  # fmt: skip
S4_WITH_12 = Claim(
    id="NEC-S4-STEP@with-12",
    paper=PAPER,
    place="ours: Section 4, comparison with Clip21, its two advantages together",
    kind="ours",
    printed="The β of (12) depends on f(x⁰) − f^inf. With any α and β that do not, and a D in proportion to what (12) needs at least, "
    "L_max√(2(f(x⁰) − f^inf)/L), Corollary 1's constant grows like f(x⁰) − f^inf, where that of (12) grows like its root.",
    reason="The β of (12) balances two terms of Corollary 1's constant, of which one contains f(x⁰) − f^inf.",
    proof=Proof(
        (ALPHA, BETA, SMOOTH, SMOOTH_MAX, ANY_D, _BEYOND),
        (
            Limit("the β of (12) grows without bound with it", beta12(f_gap, L, L_max, alpha, D), f_gap, sympy.oo, sympy.oo, "-",
                  (ALPHA, SMOOTH, SMOOTH_MAX, ANY_D)),
            Limit("Corollary 1's constant over f(x⁰) − f^inf → L_max/β",
                  constant(f_gap, L, L_max, alpha, beta, _FAR) / f_gap, f_gap, sympy.oo, L_max / beta, "-",
                  (ALPHA, BETA, SMOOTH, SMOOTH_MAX, _BEYOND)),
            Identity("(12)'s is a multiple of √(f(x⁰) − f^inf)", equation12(f_gap, L, _FAR, 0),
                     (sympy.sqrt(2 * L) + 2 * c * L_max * sympy.sqrt(2 / L)) * sympy.sqrt(f_gap), (SMOOTH, SMOOTH_MAX, GAP)),
        ),
    ),
    consequence="Parameters that are free of f(x⁰) − f^inf and the bound (12) are not had together.",
)  # fmt: skip
S4_CLIP21 = Claim(
    id="NEC-S4-STEP@Clip21",
    paper=PAPER,
    place="Section 4, comparison with Clip21; Section 1.1",
    kind="prose",
    printed="The step size γ of Clip21 (Theorem 5.6 of Khirirat et al. (2019)) [Appendix F: (2023)] presents a practical challenge, "
    "as it depends on the inaccessible values of f(x⁰) − f^inf. [Section 1.1:] α-NormEC achieves a faster convergence rate than "
    "Clip21 (Khirirat et al., 2023), where its step size needs to know the inaccessible value of f(x⁰) − f^inf",
    reason="What step size Clip21's theorem takes stands in that paper alone. (The threshold τ that Appendix F sets does contain "
    "f(x⁰) − f^inf, and so does the β of (12): NEC-S4-STEP@with-12. The rate: NEC-S11-FASTER.)",
    undecided="The paper states no condition on Clip21's step size: Appendix F quotes its bound alone. The Theorem 5.6 that is cited, "
    "written out, would decide.",
)
CLAIMS = (EQ12, EQ12_EQUAL, EQ12_ALONE, EQ12_GD, S4_STEP, S4_WITH_12, S4_CLIP21)
