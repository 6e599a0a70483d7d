"""Lemma 2 of α-NormEC: the lemma falls, and what is true although it does."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CONTRACTION,
    GAMMA,
    PAPER,
    RADIUS,
    RESIDUAL,
    SHORT_STEP,
    SMOOTH_MAX,
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
from verify.alpha_normec.theorems import descent
from verify.alpha_normec.theorems.descent import CITE_LEMMA1, SMOOTH_I
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.facts import definition, equal, hypothesis
from verify.identity import Limit
from verify.obligation import obligation
from verify.proof import Proof

_SHORT = descent.steps_are_short()
_GROWS = descent.residual_grows_slowly(_SHORT.conclusion)


def next_residuals(values: Values, offsets: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
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
    after = next_residuals(values, (values["r"],))
    start = (("‖∇f_i(x^k) − g_i^k‖ ≤ R", abs(values["r"]) <= values["R"]),)
    return Comparison(abs(after[0]), "<=", values["R"], (*presupposed(values), *start))


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
ROOTS = definition("s = √α, t = √β", (s >= 0) & (t >= 0) & equal(s**2, alpha) & equal(t**2, beta))
EXACT = hypothesis(
    "β ≤ α or (√β − √α)² ≤ R − L_maxγ",
    (beta <= alpha) | ((sympy.sqrt(beta) - sympy.sqrt(alpha)) ** 2 <= R - L_max * gamma),
)
WITHIN = hypothesis("‖∇f_i(x^k) − g_i^k‖ ≤ R", r <= R)
SOME_R = obligation("R > 0, which γ > 0 forces", (ALPHA, BETA, GAMMA, SMOOTH_MAX, SHORT_STEP, RADIUS), R > 0)
POSITIVE_R = SOME_R.conclusion

at_peak = sympy.Symbol("r_peak", real=True)
PEAK = definition("r = √(αβ) − α", equal(at_peak, s * t - alpha))
_x, _x_next, _memory, _memory_next, _after = sympy.symbols("x x⁺ g g⁺ r⁺", real=True)
_RUN = definition(
    "one step on f = L_max x²/2 from L_max x = r + 1 and g = 1: g⁺ = 1 + βr/(α+r), x⁺ = x − γ, r⁺ = L_max x⁺ − g⁺",
    equal(_x * L_max, at_peak + 1)
    & equal(_memory, 1)
    & equal((_memory_next - 1) * (alpha + at_peak), beta * at_peak)
    & equal(_x_next, _x - gamma)
    & equal(_after, L_max * _x_next - _memory_next),
)
_ENOUGH = obligation(
    "where β ≤ α or (√β − √α)² ≤ R − L_maxγ: L_maxγ + |1 − β/(α+r)| r ≤ R for all r ≤ R",
    (ALPHA, BETA, SMOOTH_MAX, SHORT_STEP, WITHIN, RESIDUAL, POSITIVE_R),
    sympy.Implies(EXACT.relation, gamma * L_max + remaining(r) <= R),
)


def _lemma2_repair() -> Proof:
    conclusion = obligation(
        "‖∇f_i(x⁺) − g_i⁺‖ ≤ R",
        (ALPHA, BETA, EXACT, _ENOUGH.conclusion, _GROWS.conclusion, CITE_LEMMA1.conclusion),
        descent.r_next <= R,
    )
    necessary = obligation(
        "necessary: for β > α that step from r = √(αβ) − α ∈ [0, R] has g⁺ > 0 and |r⁺| = (√β − √α)² + L_maxγ",
        (ALPHA, BETA, GAMMA, SMOOTH_MAX, CONTRACTION, POSITIVE_R, ROOTS, PEAK, _RUN),
        sympy.Implies(beta > alpha, (at_peak >= 0) & (at_peak <= R) & (_memory_next > 0)
                      & equal(sympy.Abs(_after), (t - s) ** 2 + L_max * gamma)),
    )  # fmt: skip
    assumptions = (ALPHA, BETA, GAMMA, SMOOTH_MAX, SMOOTH_I, CONTRACTION, SHORT_STEP, EXACT, WITHIN)
    return Proof(assumptions, (SOME_R, CITE_LEMMA1, _ENOUGH, _SHORT, _GROWS, conclusion, necessary))


L2 = Claim(
    id="NEC-L2",
    paper=PAPER,
    place="Lemma 2, Appendix D",
    kind="lemma",
    printed="If ‖∇f_i(x^k) − g_i^k‖ ≤ R, β/(α+R) < 1, and γ ≤ βR/(α+R) · 1/L_max with L_max = max_{i∈[1,n]} L_i, "
    "then ‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ R.",
    reason="r ↦ |1 − β/(α+r)| r is not increasing where β > α: a small residual overshoots and comes out too large.",
    witness=Witness(
        LEMMA2_VALUES,
        "‖∇f(x^{k+1}) − g^{k+1}‖ ≤ R",
        _lemma2,
        "n = 1, f(x) = x²/2 (L = 1), x^k = 10, g^k = 10 − 1/2: one step gives the residual 17/16",
    ),
    repair=Repair(
        "The same under the further condition β ≤ α or (√β − √α)² ≤ R − L_maxγ.",
        "β ≤ α or (√β − √α)² ≤ R − L_maxγ",
        _lemma2_repair(),
        weakest="necessary and sufficient for every γ that is allowed: on f = L_max x²/2 the residual r = √(αβ) − α comes out as "
        "(√β − √α)² + L_maxγ",
    ),
    consequence="With α = 0.01 the lemma's proof covers β = 0.01 for every R; larger β only where R is large enough.",
)
_CHAIN = obligation(
    "‖∇f_i(x⁺) − g_i⁺‖ ≤ γL_max + |1 − β/(α+r)| r",
    (ALPHA, BETA, _GROWS.conclusion, CITE_LEMMA1.conclusion),
    descent.r_next <= gamma * L_max + remaining(r),
)
L2_S1 = Claim(
    id="NEC-L2-S1",
    paper=PAPER,
    place="proof of Lemma 2, the chain of inequalities, Appendix D",
    kind="step",
    printed="‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ ‖∇f_i(x^{k+1}) − ∇f_i(x^k)‖ + ‖∇f_i(x^k) − g_i^{k+1}‖ ≤ … ≤ L_max γ + "
    "|1 − β/(α + ‖∇f_i(x^k) − g_i^k‖)| ‖∇f_i(x^k) − g_i^k‖",
    reason="It follows from the triangle inequality, Lemma 1, smoothness, and steps of length γ at most.",
    proof=Proof((ALPHA, BETA, GAMMA, SMOOTH_MAX, SMOOTH_I), (CITE_LEMMA1, _SHORT, _GROWS, _CHAIN)),
)


def _sum(values: Values) -> Comparison:
    a, b, g, radius, x = (values[name] for name in ("alpha", "beta", "gamma", "R", "r"))
    return Comparison(g + abs(1 - b / (a + x)) * x, "<=", radius,
                      (*presupposed(values), ("‖∇f_i(x^k) − g_i^k‖ ≤ R", x <= radius)))  # fmt: skip


_WITH_R = obligation(
    "L_maxγ + |1 − β/(α+r)| r < 2R",
    (
        ALPHA,
        BETA,
        GAMMA,
        SMOOTH_MAX,
        SHORT_STEP,
        CONTRACTION,
        WITHIN,
        RADIUS,
        RESIDUAL,
    ),
    gamma * L_max + remaining(r) < 2 * R,
)
_NECESSARY = obligation(
    "and only there: for β > α the sum at r = √(αβ) − α ∈ [0, R] is (√β − √α)² + L_maxγ",
    (ALPHA, BETA, CONTRACTION, POSITIVE_R, ROOTS, PEAK),
    sympy.Implies(
        beta > alpha,
        (at_peak >= 0)
        & (at_peak <= R)
        & equal(gamma * L_max + remaining(at_peak), (t - s) ** 2 + L_max * gamma),
    ),
)
L2_S2 = Claim(
    id="NEC-L2-S2",
    paper=PAPER,
    place="proof of Lemma 2, last sentence, Appendix D",
    kind="step",
    printed="[‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ L_maxγ + |1 − β/(α+r)| r, r = ‖∇f_i(x^k) − g_i^k‖.] If ‖∇f_i(x^k) − g_i^k‖ ≤ R and "
    "β/(α+R) < 1, then ‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ R when γ ≤ βR/(α+R) · 1/L_max [since the chain's last member then is].",
    reason="The sum is at most R at r = R, but not for all r ≤ R, as it is used: at r = R/2 it is 15/16 + 1/8, with R = 1.",
    witness=Witness(LEMMA2_VALUES, "L_maxγ + |1 − β/(α+r)| r ≤ R", _sum, "L_max = 1"),
    repair=Repair(
        "It is below 2R for all r ≤ R; at most R for all r ≤ R exactly where β ≤ α or (√β − √α)² ≤ R − L_maxγ.",
        "2R for R",
        Proof(
            (ALPHA, BETA, GAMMA, SMOOTH_MAX, SHORT_STEP, CONTRACTION, WITHIN),
            (
                SOME_R,
                Limit(
                    "no less will do: β = R, r = √(αβ) − α, the longest step, α → 0",
                    R * R / (alpha + R) + (R / sympy.sqrt(alpha * R) - 1) * (sympy.sqrt(alpha * R) - alpha),
                    alpha,
                    sympy.Integer(0),
                    2 * R,
                    given=(POSITIVE_R,),
                ),
                _ENOUGH,
                _NECESSARY,
                _WITH_R,
            ),
        ),
        weakest="2R is the least upper bound over all that the conditions allow",
    ),
)
CLAIMS = (L2, L2_S1, L2_S2)
