"""Lemma 2 and Theorem 1 of α-NormEC: the lemma falls, two steps of the proof fall, and the theorem stands."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.ours import THEOREM1_ROOT, THEOREM1_SHARP, THEOREM1_SHARP_ROOT, THEOREM1_WIDE
from bounds.alpha_normec.theorem1 import THEOREM1
from verify.alpha_normec import descent
from verify.alpha_normec.descent import BOUNDED, CITE_LEMMA1, SMOOTH_I, START, count, floor
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CONTRACTION,
    GAMMA,
    LETTERS,
    PAPER,
    RESIDUAL,
    SHORT_STEP,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L_max,
    R,
    alpha,
    beta,
    gamma,
    r,
    remaining,
    s,
    t,
)
from verify.claim import Claim, Repair, Values, Witness
from verify.exact import Quadratic, alpha_normec
from verify.facts import Fact, definition, derived, hypothesis
from verify.obligation import obligation
from verify.proof import Comparison, Proof

BASE = (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, SMOOTH_I, SHORT_STEP, START, BOUNDED)


def theorem(feedback: Fact, level: sympy.Expr, name: str, value: sympy.Expr) -> Proof:
    """The whole proof of a bound f_gap/(γ(K+1)) + 2 level + Lγ/2, under a condition on β."""
    short = descent.steps_are_short()
    grows = descent.residual_grows_slowly(short.conclusion)
    kept = descent.level_is_kept(feedback, level, name)
    average = descent.average_error(level, kept.conclusion)
    down = descent.normalised_descent()
    sums = descent.summed(level, (down.conclusion, average[-1].conclusion))
    same = obligation(
        "which is the stated bound",
        (
            sums[-1].conclusion,
            definition("m = K + 1", sympy.Eq(count, K + 1)),
            GAMMA,
            definition("K ≥ 0", K >= 0),
        ),
        floor <= value,
    )
    nodes = (CITE_LEMMA1, short, grows, kept, *average, down, *sums, same)
    return Proof((*BASE, feedback), nodes)


def _next_residuals(values: Values, offsets: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Residuals ∇f_i(x¹) − g_i¹ of Algorithm 1 on f_i = x²/2 from memories ∇f_i(x⁰) − offset_i."""
    f = Quadratic(Fraction(1))
    x = values["x"]
    run = alpha_normec([f.gradient] * len(offsets), x, [f.gradient(x) - o for o in offsets],
                       values["alpha"], values["beta"], values["gamma"], 1)  # fmt: skip
    return tuple(f.gradient(run.x[1]) - g for g in run.memories[1])


def presupposed(values: Values, L_max: Fraction = Fraction(1)) -> tuple[tuple[str, bool], ...]:
    a, b, g, radius = values["alpha"], values["beta"], values["gamma"], values["R"]
    return (
        ("α, β, γ > 0", min(a, b, g) > 0),
        ("β/(α + R) < 1", b / (a + radius) < 1),
        ("γ ≤ βR/(α + R) · 1/L_max", g <= b * radius / (a + radius) / L_max),
    )


def _lemma2(values: Values) -> Comparison:
    after = _next_residuals(values, (values["r"],))
    start = (("‖∇f_i(x^k) − g_i^k‖ ≤ R", abs(values["r"]) <= values["R"]),)
    return Comparison(abs(after[0]), "<=", values["R"], (*presupposed(values), *start))


def _step1(values: Values) -> Comparison:
    after = _next_residuals(values, (values["R"], values["r"]))
    largest = (("R = max_i ‖∇f_i(x⁰) − g_i⁰‖", max(values["R"], abs(values["r"])) == values["R"]),)
    return Comparison(max(map(abs, after)), "<=", values["R"], (*presupposed(values), *largest))


def _star(values: Values) -> Comparison:
    a, b, radius, x = (values[k] for k in ("alpha", "beta", "R", "r"))
    return Comparison(abs(1 - b / (a + x)) * x, "<=", (1 - b / (a + radius)) * radius,
                      (*presupposed(values), ("‖∇f_i(x^k) − g_i^k‖ ≤ R", x <= radius)))  # fmt: skip


LEMMA2_VALUES = {
    name: Fraction(value)
    for name, value in {
        "alpha": "1",
        "beta": "15/8",
        "gamma": "15/16",
        "R": "1",
        "r": "1/2",
        "x": "10",
    }.items()
}
ROOTS = definition("s = √α, t = √β", (s >= 0) & (t >= 0) & sympy.Eq(s**2, alpha) & sympy.Eq(t**2, beta))
EXACT = hypothesis(
    "β ≤ α or (√β − √α)² ≤ R(1 − β/(α+R))",
    (beta <= alpha) | ((sympy.sqrt(beta) - sympy.sqrt(alpha)) ** 2 <= R * (1 - beta / (alpha + R))),
)
GENERAL = hypothesis(
    "γL_max ≤ R − max(R − βR/(α+R), (√β − √α)² where β > α)",
    (gamma * L_max <= R - R * (1 - beta / (alpha + R)))
    & ((beta <= alpha) | (gamma * L_max <= R - (sympy.sqrt(beta) - sympy.sqrt(alpha)) ** 2)),
)
WITHIN = hypothesis("‖∇f_i(x^k) − g_i^k‖ ≤ R", r <= R)
POSITIVE_R = definition("R > 0, which γ > 0 forces", R > 0)


def _lemma2_repair() -> Proof:
    bound = (1 - beta / (alpha + R)) * R
    sufficient = obligation(
        "sufficient: |1 − β/(α+r)| r ≤ (1 − β/(α+R)) R for all r ≤ R",
        (ALPHA, BETA, CONTRACTION, EXACT, WITHIN, RESIDUAL, POSITIVE_R),
        remaining(r) <= bound,
    )
    short = descent.steps_are_short()
    grows = descent.residual_grows_slowly(short.conclusion)
    rest = derived("w is what remains", sympy.Eq(descent.w, remaining(r)))
    conclusion = obligation(
        "‖∇f_i(x⁺) − g_i⁺‖ ≤ R",
        (ALPHA, BETA, SMOOTH_MAX, SHORT_STEP, sufficient.conclusion, grows.conclusion, CITE_LEMMA1.conclusion,
         CONTRACTION, POSITIVE_R),
        descent.r_next <= R,
    )  # fmt: skip
    peak = obligation(
        "necessary: for β > α what remains at r = √(αβ) − α ∈ [0, R] is (√β − √α)²",
        (ALPHA, BETA, CONTRACTION, POSITIVE_R, ROOTS, definition("r = √(αβ) − α", sympy.Eq(r, s * t - alpha))),
        sympy.Implies(beta > alpha, (r >= 0) & (r <= R) & sympy.Eq((beta / (alpha + r) - 1) * r, (t - s) ** 2)),
    )  # fmt: skip
    assert rest.relation == CITE_LEMMA1.conclusion.relation
    assumptions = (ALPHA, BETA, GAMMA, SMOOTH_MAX, SMOOTH_I, CONTRACTION, SHORT_STEP, EXACT, WITHIN)
    return Proof(assumptions, (CITE_LEMMA1, sufficient, short, grows, conclusion, peak))


L2 = Claim(
    id="NEC-L2",
    paper=PAPER,
    place="Lemma 2, Appendix D",
    kind="lemma",
    printed="If ‖∇f_i(x^k) − g_i^k‖ ≤ R, β/(α+R) < 1, and γ ≤ βR/(α+R) · 1/L_max with L_max = max_i L_i, then "
    "‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ R.",
    reason="r ↦ |1 − β/(α+r)| r is not increasing where β > α: a small residual overshoots and comes out too large.",
    witness=Witness(
        LEMMA2_VALUES,
        "‖∇f(x^{k+1}) − g^{k+1}‖ ≤ R",
        _lemma2,
        "n = 1, f(x) = x²/2 (L = 1), x^k = 10, g^k = 10 − 1/2: one step gives the residual 17/16",
    ),
    repair=Repair(
        "The same under the further condition β ≤ α or (√β − √α)² ≤ R(1 − β/(α+R)).",
        "β ≤ α or (√β − √α)² ≤ R(1 − β/(α+R))",
        _lemma2_repair(),
        weakest="necessary and sufficient for the longest step that is allowed: at r = √(αβ) − α the rest is (√β − √α)²",
    ),
    consequence="With α = 0.01 the lemma's proof covers β = 0.01 for every R; larger β only where R is large enough.",
)

THEOREM1_PRINTED = (
    "Let β, α, γ > 0 be chosen such that β/(α+R) < 1, and γ ≤ βR/(α+R) · 1/L_max, where "
    "R = max_i ‖∇f_i(x⁰) − g_i⁰‖ and L_max = max_i L_i. Then, min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ "
    "(f(x⁰) − f^inf)/(γ(K+1)) + 2R + (L/2)γ."
)
T1 = Claim(
    id="NEC-T1",
    paper=PAPER,
    place="Theorem 1, Section 4",
    kind="theorem",
    printed=THEOREM1_PRINTED,
    reason="Its proof rests on the false Lemma 2, but ‖∇f_i(x^k) − g_i^{k+1}‖ ≤ R holds for all k by an induction on that "
    "quantity itself, and that is all that the bound needs.",
    proof=theorem(CONTRACTION, R, "R", THEOREM1.value(**LETTERS)),
    consequence="The bound may be used as printed, for full gradients, Algorithm 1's normalised step and R > 0.",
)
S1 = Claim(
    id="NEC-T1-S1",
    paper=PAPER,
    place="Appendix D, Step 1",
    kind="step",
    printed="Prove by induction that ‖∇f_i(x^k) − g_i^k‖ ≤ R for R = max_i ‖∇f_i(x⁰) − g_i⁰‖. […] if β/(α+R) < 1, and "
    "γ ≤ βR/(α+R) · 1/L_max, then from Lemma 2 ‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ R.",
    reason="After one exact step of Algorithm 1 with two clients a residual is 17/16 while R = 1.",
    witness=Witness(
        LEMMA2_VALUES,
        "max_i ‖∇f_i(x¹) − g_i¹‖ ≤ R",
        _step1,
        "n = 2, f_1 = f_2 = x²/2, x⁰ = 10, g_1⁰ = 9 (residual R = 1), g_2⁰ = 19/2 (residual 1/2)",
    ),
    repair=Repair(
        "‖∇f_i(x^k) − g_i^{k+1}‖ ≤ R for all k: an induction on the residual after the memory update.",
        "the quantity ‖∇f_i(x^k) − g_i^{k+1}‖ instead of ‖∇f_i(x^k) − g_i^k‖",
        Proof(
            (*BASE, CONTRACTION),
            (
                CITE_LEMMA1,
                descent.steps_are_short(),
                descent.residual_grows_slowly(descent.steps_are_short().conclusion),
                descent.level_is_kept(CONTRACTION, R, "R"),
            ),
        ),
    ),
)
S2 = Claim(
    id="NEC-T1-S2",
    paper=PAPER,
    place="Appendix D, Step 2, (∗)",
    kind="step",
    printed="‖∇f_i(x^k) − g_i^{k+1}‖ ≤ |1 − β/(α + ‖∇f_i(x^k) − g_i^k‖)| ‖∇f_i(x^k) − g_i^k‖ (∗)≤ (1 − β/(α+R)) R ≤ R, "
    "where we reach (∗) by the fact that ‖∇f_i(x^k) − g_i^k‖ ≤ R, β/(α+R) < 1, and γ ≤ βR/(α+R) · 1/L_max.",
    reason="(∗) fails for a residual of R/2 when β > α: 1/8 against 1/16; the last bound, ≤ R, is true.",
    witness=Witness(LEMMA2_VALUES, "|1 − β/(α+r)| r ≤ (1 − β/(α+R)) R", _star),
    repair=Repair(
        "|1 − β/(α+r)| r ≤ R for all r ≤ R under the printed conditions; (∗) itself exactly where "
        "β ≤ α or (√β − √α)² ≤ R(1 − β/(α+R)).",
        "R on the right of (∗)",
        Proof(
            (ALPHA, BETA, CONTRACTION, WITHIN),
            (
                obligation(
                    "|1 − β/(α+r)| r ≤ R", (ALPHA, BETA, CONTRACTION, WITHIN, RESIDUAL), remaining(r) <= R
                ),
            ),
        ),
    ),
)
_DOWN = descent.normalised_descent()
S3 = Claim(
    id="NEC-T1-S3",
    paper=PAPER,
    place="Appendix D, Step 3",
    kind="step",
    printed="f(x^{k+1}) − f^inf ≤ f(x^k) − f^inf − γ‖∇f(x^k)‖ + 2γ (1/n)Σ‖∇f_i(x^k) − g_i^{k+1}‖ + Lγ²/2 ≤ "
    "f(x^k) − f^inf − γ‖∇f(x^k)‖ + 2γ max_i ‖∇f_i(x⁰) − g_i⁰‖ + Lγ²/2",
    reason="Each inequality follows in every dimension, also where ĝ^{k+1} = 0 and 0/0 = 0.",
    proof=Proof(
        (*BASE, CONTRACTION),
        (
            CITE_LEMMA1,
            descent.steps_are_short(),
            descent.residual_grows_slowly(descent.steps_are_short().conclusion),
            (_KEPT := descent.level_is_kept(CONTRACTION, R, "R")),
            *(_AVERAGE := descent.average_error(R, _KEPT.conclusion)),
            descent.normalised_descent(third_line=True),
            _DOWN,
            obligation(
                "with ‖∇f(x) − g⁺‖ ≤ R",
                (GAMMA, _DOWN.conclusion, _AVERAGE[-1].conclusion),
                descent.f_then
                <= descent.f_now - gamma * descent.grad + 2 * gamma * R + descent.L * gamma**2 / 2,
            ),
        ),
    ),
)


def _below(values: Values) -> Comparison:
    """f(x) = x²/2 has f^inf = 0; the printed reason wants f^inf ≥ f(x^{K+1})."""
    f = Quadratic(Fraction(1))
    return Comparison(Fraction(0), ">=", f.value(values["x"]), (("f(x) = x²/2 ≥ 0 = f^inf", True),))


_PER_STEP = derived("Step 3 with ‖∇f(x) − g⁺‖ ≤ R",
                    descent.f_then <= descent.f_now - gamma * descent.grad + 2 * gamma * R + descent.L * gamma**2 / 2)  # fmt: skip
STEP3 = hypothesis("Step 3's inequality", _PER_STEP.relation)
S4 = Claim(
    id="NEC-T1-S4",
    paper=PAPER,
    place="Appendix D, Step 4, (†); repeated in the last sentence of Appendix G",
    kind="step",
    printed="min ‖∇f(x^k)‖ ≤ (1/(K+1))Σ‖∇f(x^k)‖ ≤ ([f(x⁰) − f^inf] − [f(x^{K+1}) − f^inf])/(γ(K+1)) + 2 max_i … + (L/2)γ "
    "(†)≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2 max_i … + (L/2)γ, where we reach (†) by the fact that f^inf ≥ f(x^{K+1}).",
    reason="The chain holds, but the fact given for (†) is turned round: f^inf ≤ f(x^{K+1}).",
    witness=Witness({"x": Fraction(1)}, "f^inf ≥ f(x^{K+1})", _below, "f(x) = x²/2 at x^{K+1} = 1"),
    repair=Repair(
        "(†) by f^inf ≤ f(x^{K+1}).",
        "f^inf ≤ f(x^{K+1})",
        Proof((GAMMA, SMOOTH, STEP3, BOUNDED), tuple(descent.summed(R, (STEP3,)))),
    ),
)
S4_CHAIN = Claim(
    id="NEC-T1-S4@chain",
    paper=PAPER,
    place="Appendix D, Step 4",
    kind="step",
    printed="min ‖∇f(x^k)‖ ≤ (1/(K+1))Σ‖∇f(x^k)‖ ≤ … ≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2 max_i ‖∇f_i(x⁰) − g_i⁰‖ + (L/2)γ",
    reason="Telescoping Step 3 and f(x^{K+1}) ≥ f^inf give the chain.",
    proof=Proof((GAMMA, SMOOTH, STEP3, BOUNDED), tuple(descent.summed(R, (STEP3,)))),
)

WIDE = hypothesis("β ≤ (√α + √R)²", beta <= (sympy.sqrt(alpha) + sympy.sqrt(R)) ** 2)
GENTLE = hypothesis("β ≤ α", beta <= alpha)
OUR_WIDE = Claim(
    id="NEC-OUR-T1-WIDE",
    paper=PAPER,
    place="our generalisation of Theorem 1",
    kind="ours",
    printed="Theorem 1's bound holds for all β ≤ (√α + √R)², which contains β < α + R.",
    reason="An overshooting residual r comes out as at most (√β − √α)² ≤ R.",
    proof=theorem(WIDE, R, "R", THEOREM1_WIDE.value(**LETTERS)),
)
OUR_SHARP = Claim(
    id="NEC-OUR-T1-SHARP",
    paper=PAPER,
    place="our sharpening of Theorem 1",
    kind="ours",
    printed="For β ≤ α, Theorem 1's 2R can be replaced by 2R(1 − β/(α+R)).",
    reason="For β ≤ α what remains of a residual r ≤ R is at most R(1 − β/(α+R)), and that is kept.",
    proof=theorem(GENTLE, R * (1 - beta / (alpha + R)), "R(1 − β/(α+R))", THEOREM1_SHARP.value(**LETTERS)),
    consequence="With β = α large the additive term vanishes at fixed R, and the bound tends to normalised gradient "
    "descent's: what the paper wanted from a small D is had from a large α instead.",
)


def _root_proof() -> Proof:
    short = descent.steps_are_short()
    grows = descent.residual_grows_slowly(short.conclusion)
    kept = descent.level_is_kept(WIDE, R, "R")
    average = descent.average_error(R, kept.conclusion)
    down = descent.descent_off_the_ball(average[-1].conclusion)
    sums = descent.summed_off_the_ball(down.conclusion)
    same = obligation(
        "which is the stated bound",
        (
            sums[-1].conclusion,
            definition("m = K + 1", sympy.Eq(count, K + 1)),
            GAMMA,
            definition("K ≥ 0", K >= 0),
        ),
        floor <= THEOREM1_ROOT.value(**LETTERS),
    )
    return Proof((*BASE, WIDE), (CITE_LEMMA1, short, grows, kept, *average, down, *sums, same))


OUR_ROOT = Claim(
    id="NEC-OUR-T1-ROOT",
    paper=PAPER,
    place="our sharpening of Theorem 1",
    kind="ours",
    printed="For β ≤ (√α + √R)²: min_k ‖∇f(x^k)‖ ≤ √(R² + A²), A = (f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2, where Theorem 1 has "
    "2R + A.",
    reason="While ‖∇f‖ > R the step deviates from the gradient by at most the angle arcsin(R/‖∇f‖), so it gains "
    "γ√(‖∇f‖² − R²), not only γ(‖∇f‖ − 2R).",
    proof=_root_proof(),
    consequence="The additive error of Theorem 1 is halved at least, and is not added but combined in the mean square.",
)
rho = sympy.Symbol("rho", real=True)
RHO = definition("ρ = R(1 − β/(α+R))", sympy.Eq(rho * (alpha + R), R * (alpha + R - beta)))


def _sharp_root_proof() -> Proof:
    level = R * (1 - beta / (alpha + R))
    short = descent.steps_are_short()
    grows = descent.residual_grows_slowly(short.conclusion)
    kept = descent.level_is_kept(GENTLE, level, "R(1 − β/(α+R))")
    average = descent.average_error(level, kept.conclusion)
    norm = obligation("ρ ≥ 0", (ALPHA, BETA, GENTLE, POSITIVE_R, RHO), rho >= 0)
    small = obligation(
        "‖∇f(xᵏ) − g^(k+1)‖ ≤ ρ", (ALPHA, POSITIVE_R, RHO, average[-1].conclusion), descent.error <= rho
    )
    down = descent.descent_off_the_ball(small.conclusion, rho, norm.conclusion)
    sums = descent.summed_off_the_ball(down.conclusion, rho, norm.conclusion)
    same = obligation(
        "which is the stated bound",
        (
            sums[-1].conclusion,
            RHO,
            ALPHA,
            POSITIVE_R,
            definition("m = K + 1", sympy.Eq(count, K + 1)),
            GAMMA,
            definition("K ≥ 0", K >= 0),
        ),
        floor <= THEOREM1_SHARP_ROOT.value(**LETTERS),
    )
    nodes = (CITE_LEMMA1, short, grows, kept, *average, norm, small, down, *sums, same)
    return Proof((*BASE, GENTLE), nodes)


OUR_SHARP_ROOT = Claim(
    id="NEC-OUR-T1-SHARP-ROOT",
    paper=PAPER,
    place="our sharpening of Theorem 1",
    kind="ours",
    printed="For β ≤ α: min_k ‖∇f(x^k)‖ ≤ √(ρ² + A²), ρ = R(1 − β/(α+R)), A = (f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2.",
    reason="NEC-OUR-T1-ROOT with what remains of a residual, ρ, in place of R: for β ≤ α the error of the server's memory "
    "is kept below ρ.",
    proof=_sharp_root_proof(),
    consequence="At least as small as NEC-OUR-T1-SHARP and as NEC-OUR-T1-ROOT where both hold.",
)
CLAIMS = (OUR_ROOT, OUR_SHARP_ROOT, L2, T1, S1, S2, S3, S4, S4_CHAIN, OUR_WIDE, OUR_SHARP)
