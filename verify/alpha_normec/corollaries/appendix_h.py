"""Appendix H: from Theorem 2 to Corollary 2, display by display."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.corollary2 import longest_step, utility_of
from bounds.alpha_normec.theorem2 import theorem2_appendix
from verify.alpha_normec.corollaries.corollary2 import (
    BEST,
    BETA0,
    DELTA,
    EQUAL,
    GENTLE,
    KNOWN,
    MULTIPLE,
    QUOTIENT,
    delta,
    noise,
    quotient,
)
from verify.alpha_normec.letters import (
    ALPHA,
    CLIENTS,
    GAP,
    PAPER,
    RADIUS,
    ROOM,
    ROUNDS,
    SHORT_STEP,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L,
    L_max,
    R,
    alpha,
    beta,
    beta_0,
    d,
    f_gap,
    gamma,
    n,
    s,
)
from verify.alpha_normec.theorems.descent import floor
from verify.citation import Cite
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.facts import definition, derived, equal, hypothesis
from verify.identity import Identity, Limit
from verify.obligation import obligation
from verify.proof import Proof

WITHIN = hypothesis("0 < β₀ < α + R", (beta_0 > 0) & (beta_0 < alpha + R))
PRINTED = (
    "Let σ_DP = O(√((K+1)log(1/δ))/ε), and β = β₀/(K+1) with 0 < β₀ < α + R. Then, from Theorem 2, we get "
    "γ ≤ β₀R/(α+R) · 1/L_max · 1/(K+1) […], and min_{k∈[0,K]} E‖∇f(x^k)‖ ≤ L_max(α+R)(f(x⁰) − f^inf)/(β₀R) + 2R + "
    "O(β₀√log(1/δ)/(√n ε)) + Lβ₀R/(2(α+R)L_max) · 1/(K+1)."
)
_first = sympy.Symbol("a", real=True)
_FIRST = definition(
    "a = L_max(α+R)(f(x⁰) − f^inf)/(β₀R)", equal(_first * beta_0 * R, L_max * (alpha + R) * f_gap)
)
_large = obligation(
    "L_max(α+R)(f(x⁰) − f^inf)/(β₀R) ≥ L_max(f(x⁰) − f^inf)/R",
    (ALPHA, WITHIN, ROOM, SMOOTH_MAX, _FIRST, GAP),
    _first * R >= L_max * f_gap,
)
_noise_term = definition("the noise term is not negative", noise >= 0)
_BETA = hypothesis("β = β₀/(K+1)", equal(beta * (K + 1), beta_0))
S1 = Claim(
    id="NEC-AH-S1",
    paper=PAPER,
    place="Appendix H, first display",
    kind="step",
    printed=PRINTED,
    reason="Both are true. The condition on γ is Theorem 2's; the bound does not follow from Theorem 2, which gives it for the "
    "longest γ only: it is true because, with β₀ < α + R, the first two terms together exceed 2√(2L_max(f(x⁰) − f^inf)) ≥ 2‖∇f(x⁰)‖, "
    "so that k = 0 is enough.",
    proof=Proof(
        (ALPHA, WITHIN, ROOM, SMOOTH, SMOOTH_MAX, _BETA, SHORT_STEP),
        (
            _large,
            obligation("γ ≤ β₀R/((α+R)L_max(K+1)): Theorem 2's condition with that β",
                       (ALPHA, ROOM, SMOOTH_MAX, ROUNDS, _BETA, SHORT_STEP),
                       gamma <= beta_0 * R / (alpha + R) / L_max / (K + 1)),
            obligation("min E‖∇f‖ ≤ ‖∇f(x⁰)‖ ≤ half of the first two terms",
                       (ROOM, SMOOTH_MAX, KNOWN, BEST, GAP, _large.conclusion), 2 * floor <= _first + 2 * R),
            obligation("hence ≤ the whole display",
                       (ALPHA, WITHIN, ROOM, SMOOTH, SMOOTH_MAX, ROUNDS, _noise_term, BEST, KNOWN, GAP, _large.conclusion,
                        derived("min E‖∇f‖ ≤ ‖∇f(x⁰)‖ ≤ half of the first two terms", 2 * floor <= _first + 2 * R),
                        definition("min E‖∇f‖ ≥ 0", floor >= 0)),
                       floor <= _first + 2 * R + noise + L * beta_0 * R / (2 * (alpha + R) * L_max * (K + 1))),
        ),
    ),
    consequence="Whenever β₀ < α + R the private guarantee says less than x⁰ does; β₀ up to (α + R)(K + 1), which Theorem 2 "
    "allows, is where it starts to say something.",
)  # fmt: skip


def _short(values: Values) -> Comparison:
    """The first term (f(x⁰) − f^inf)/(γ(K+1)) at a γ below its limit against the printed L_max(α+R)(f(x⁰) − f^inf)/(β₀R)."""
    a, b0, g, radius, rounds = (values[name] for name in ("alpha", "beta_0", "gamma", "R", "K+1"))
    return Comparison(Fraction(1, 2) / (g * rounds), "<=", (a + radius) / (2 * b0 * radius), (
        ("0 < β₀ < α + R", 0 < b0 < a + radius),
        ("γ ≤ β₀R/((α+R)L_max(K+1))", g <= b0 * radius / (a + radius) / rounds),
    ))  # fmt: skip


_LETTERS_H = (ALPHA, BETA0, ROOM, SMOOTH, SMOOTH_MAX, CLIENTS)
S1_TERM = Claim(
    id="NEC-AH-S1@from-theorem2",
    paper=PAPER,
    place="Appendix H, first display, as a consequence of Theorem 2",
    kind="step",
    printed="[from Theorem 2, with γ ≤ β₀R/((α+R)L_max(K+1)):] (f(x⁰) − f^inf)/(γ(K+1)) ≤ L_max(α+R)(f(x⁰) − f^inf)/(β₀R)",
    reason="The term belongs to the longest step; for γ below it Theorem 2's first term is larger. (Theorem 2 is that of Appendix G "
    "here; Section 5's gives no 1/√n: NEC-T2-CLIENTS.)",
    witness=Witness(
        {"alpha": Fraction(1), "beta_0": Fraction(1), "gamma": Fraction(1, 100), "R": Fraction(1), "K+1": Fraction(2)},
        "(f(x⁰) − f^inf)/(γ(K+1)) ≤ L_max(α+R)(f(x⁰) − f^inf)/(β₀R)",
        _short,
        "L_max = 1, f(x⁰) − f^inf = 1/2",
    ),
    repair=Repair(
        "The display follows with γ = β₀R/((α+R)L_max(K+1)), and √d in the noise term where σ_DP is per coordinate.",
        "γ at its limit",
        Proof(
            _LETTERS_H,
            (
                Identity(
                    "Theorem 2 at β = β₀/(K+1), σ² = s²n(K+1) and the longest step",
                    theorem2_appendix(f_gap, longest_step(beta_0, K, alpha, R, L_max), K, R, L, beta_0 / (K + 1),
                                      noise * sympy.sqrt(n * (K + 1)), n),
                    utility_of(f_gap, L, L_max, alpha, R, beta_0, K, noise),
                    (*_LETTERS_H, GAP, ROUNDS, definition("s ≥ 0", noise >= 0)),
                ),
            ),
        ),
    ),
)  # fmt: skip


def _stays(values: Values) -> Comparison:
    """f(x) = x²/2 from x⁰ = 1: K + 1 steps of length γ at most cover β₀R/(α+R) whatever the noise and K, so |∇f(x^k)| is at
    least 1 minus that. On the right M for O(Δq) and M' for O(1/(K+1)); Δ² = (α+R)/(2R)."""
    a, b0, radius, rounds, small, m, m_rest, top = (
        values[name] for name in ("alpha", "beta_0", "R", "K+1", "q", "M", "M'", "Delta_above")
    )
    path = b0 * radius / (a + radius)
    f, shown = Quadratic(Fraction(1)), 8
    quiet = alpha_normec([f.gradient], Fraction(1), [1 - radius], a, b0 / rounds, path / rounds, shown)
    return Comparison(1 - path, "<=", m * top * small + 2 * radius + m_rest / rounds, (
        ("α > β₀ > 0", a > b0 > 0),
        ("β₀ ≤ Δ/q", (b0 * small) ** 2 <= (a + radius) / (2 * radius)),
        ("Δ² = (α+R)/(2R) ≤ Delta_above²", (a + radius) / (2 * radius) <= top**2),
        ("R = |∇f(x⁰) − g⁰|", abs(f.gradient(quiet.x[0]) - quiet.memories[0][0]) == radius),
        ("the first rounds of the longest step, without noise, agree", min(map(f.gradient, quiet.x)) >= 1 - path),
    ))  # fmt: skip


_SOME_DELTA = definition("Δ ≥ 0", delta >= 0)
_POSITIVE_DELTA = hypothesis("Δ > 0", delta > 0)
_kappa = sympy.Symbol("κ", real=True)
_AT_LEAST = hypothesis("β₀ ≥ κΔ/q, κ > 0", (_kappa > 0) & (beta_0 * quotient >= _kappa * delta))
_S2_HELD = (ALPHA, BETA0, ROOM, SMOOTH_MAX, GENTLE, _AT_LEAST, QUOTIENT)
_large_term = obligation(
    "Δ²/β₀ ≤ Δq/κ",
    (BETA0, _AT_LEAST, _SOME_DELTA),
    delta**2 / beta_0 <= delta * quotient / _kappa,
)
S2 = Claim(
    id="NEC-AH-S2",
    paper=PAPER,
    place="Appendix H, second display",
    kind="step",
    printed="If β₀ ≤ √(L_max(α+R)(f(x⁰) − f^inf)/R) · ⁴√n √ε/(⁴√d ⁴√log(1/δ)) and α > β₀, then "
    "min_{k∈[0,K]} E‖∇f(x^k)‖ ≤ 2R + O(√(L_max(α+R)(f(x⁰) − f^inf)/R) · ⁴√d ⁴√log(1/δ)/(⁴√n √ε)) + O(1/(K+1)).",
    reason="The first term Δ²/β₀ falls with β₀, so “≤” bounds it from below, not from above: with a fixed small β₀ the path is "
    "short for every K, and the right side falls to 2R with n and K.",
    witness=Witness(
        {"alpha": Fraction(1), "beta_0": Fraction(1, 2), "R": Fraction(1, 10), "K+1": Fraction(10**6), "q": Fraction(1, 10**6),
         "M": Fraction(1000), "M'": Fraction(1000), "Delta_above": Fraction(5, 2)},
        "1 − β₀R/(α+R) ≤ min E‖∇f(x^k)‖ ≤ 2R + MΔq + M'/(K+1) for the constants M = M' = 1000",
        _stays,
        "f(x) = x²/2, x⁰ = 1, n with d log(1/δ)/(nε²) = q⁴, any noise, the longest step; for every other M, M' take n and K larger",
        universal=Proof(
            (_POSITIVE_DELTA,),
            (Limit("Δ²/β₀ → ∞ as β₀ → 0", delta**2 / beta_0, beta_0, sympy.Integer(0), sympy.oo, given=(_POSITIVE_DELTA,)),
             Limit("the right side falls to 2R", 2 * R + s * delta * quotient + s * quotient, quotient, sympy.Integer(0), 2 * R,
                   given=(RADIUS, MULTIPLE))),
        ),
    ),
    repair=Repair(
        "With β₀ ≥ κΔ/q for a constant κ > 0: min E‖∇f(x^k)‖ ≤ 2R + Δq/κ, whatever the noise, the step and K: x⁰ obeys it.",
        "β₀ at least, not at most, of the order of Δ/q",
        Proof(
            _S2_HELD,
            (
                _large_term,
                _above := obligation(
                    "Δq/κ ≥ L_max(f(x⁰) − f^inf)/R",
                    (ALPHA, BETA0, ROOM, SMOOTH_MAX, GENTLE, _AT_LEAST, DELTA, QUOTIENT, GAP, _large_term.conclusion),
                    delta * quotient * R >= _kappa * L_max * f_gap,
                ),
                obligation(
                    "min E‖∇f‖ ≤ ‖∇f(x⁰)‖ ≤ (Δq/κ + 2R)/2",
                    (ROOM, SMOOTH_MAX, _AT_LEAST, KNOWN, BEST, GAP, DELTA, QUOTIENT, _above.conclusion),
                    2 * floor * _kappa <= delta * quotient + 2 * R * _kappa,
                ),
            ),
        ),
        weakest="without such a κ the witness takes β₀ fixed and q → 0",
    ),
)  # fmt: skip
_constant, _root_d, _fourth, _noise = sympy.symbols("c √d ⁴√d N", real=True)
_C = hypothesis("c ≥ 0: the constant of the noise term", _constant >= 0)
_ROOT_D = definition("√d ≥ 1", (_root_d >= 1) & equal(_root_d**2, d))
_WITHOUT_D = definition(
    "N = cβ₀√log(1/δ)/(√n ε) = cβ₀q²/√d, without d",
    equal(_noise * _root_d, _constant * beta_0 * quotient**2),
)
_PER_COORDINATE = definition(
    "N = cβ₀√(d log(1/δ))/(√n ε) = cβ₀q²", equal(_noise, _constant * beta_0 * quotient**2)
)
_LARGER = hypothesis(
    "β₀ = ⁴√d Δ/q",
    (_fourth > 0) & equal(_fourth**2, _root_d) & equal(beta_0 * quotient, _fourth * delta),
)
S3 = Claim(
    id="NEC-AH-S3",
    paper=PAPER,
    place="Appendix H, where d comes from",
    kind="step",
    printed="[from the noise term O(β₀√log(1/δ)/(√n ε)) of the first display, without d, to β₀ and the bound of the second, "
    "with ⁴√d, at β₀ = Δ/q]",
    reason="The step is valid and wasteful: Δ²/β₀ + N ≤ (1 + c)Δq for every d ≥ 1, but without d in the noise term a larger β₀ "
    "saves the ⁴√d. The d belongs to noise of standard deviation σ_DP per coordinate, which Theorem 2 does not have.",
    proof=Proof(
        (BETA0, EQUAL, _C, QUOTIENT),
        (
            obligation("Δ²/β₀ + N ≤ (1 + c)Δq", (BETA0, EQUAL, _C, QUOTIENT, _SOME_DELTA, _ROOT_D, _WITHOUT_D),
                       delta**2 / beta_0 + _noise <= (1 + _constant) * delta * quotient),
            obligation("and = (1 + c)Δq with √d in the noise term", (BETA0, EQUAL, _C, QUOTIENT, _SOME_DELTA, _PER_COORDINATE),
                       equal(delta**2 / beta_0 + _noise, (1 + _constant) * delta * quotient)),
        ),
    ),
)  # fmt: skip
S3_BEST = Claim(
    id="NEC-AH-S3@without-d",
    paper=PAPER,
    place="ours: what a larger β₀ gives in the first display of Appendix H",
    kind="ours",
    printed="With the first display's noise term, which has no d, β₀ = ⁴√d Δ/q gives Δ²/β₀ + N = (1 + c)Δq/⁴√d: no d in the bound.",
    reason="The ⁴√d that q contains is divided out, so that no d is left.",
    proof=Proof(
        (BETA0, _C, _LARGER, QUOTIENT),
        (
            obligation("Δ²/β₀ + N = (1 + c)Δq/⁴√d",
                       (BETA0, _C, _LARGER, QUOTIENT, _SOME_DELTA, _WITHOUT_D, _ROOT_D),
                       equal((delta**2 / beta_0 + _noise) * _fourth, (1 + _constant) * delta * quotient)),
        ),
    ),
    consequence="The ⁴√d of Corollary 2 is needed only where σ_DP is per coordinate; elsewhere it is an artefact of the proof.",
)  # fmt: skip
_DROPPED = L * beta_0 * R / (2 * (alpha + R) * L_max * (K + 1))
S4 = Claim(
    id="NEC-AH-S4",
    paper=PAPER,
    place="Corollary 2, Section 5, against Appendix H",
    kind="step",
    printed="[Corollary 2:] min_{k∈[0,K]} E‖∇f(x^k)‖ ≤ O(Δ ⁴√(d log(1/δ)/(nε²))) + 2R [Appendix H:] min_{k∈[0,K]} E‖∇f(x^k)‖ ≤ 2R + "
    "O(√(L_max(α+R)(f(x⁰) − f^inf)/R) · ⁴√d ⁴√log(1/δ)/(⁴√n √ε)) + O(1/(K+1))",
    reason="Appendix H has one bound and the main text another, without the term Lβ₀R/(2(α+R)L_max(K+1)) > 0. With “β₀ ≤ Δ/q” both "
    "are false (NEC-AH-S2, NEC-C2-UTIL); with β₀ = Δ/q the one without it holds (NEC-C2-UTIL@equality).",
    conflict=Proof(
        (ALPHA, BETA0, ROOM, SMOOTH, SMOOTH_MAX),
        (obligation("the dropped term is positive", (ALPHA, BETA0, ROOM, SMOOTH, SMOOTH_MAX, ROUNDS), _DROPPED > 0),),
    ),
    repair=Repair(
        "With β₀ ≥ κΔ/q for a constant κ > 0 the term may be dropped: k = 0 obeys min E‖∇f(x^k)‖ ≤ Δq/κ + 2R (NEC-AH-S2).",
        "β₀ at least of the order of Δ/q",
        Proof(
            _S2_HELD,
            (_S2 := Cite(S2, (*_S2_HELD, DELTA, GAP, KNOWN, BEST), repaired=True),
             obligation("min E‖∇f‖ ≤ Δq/κ + 2R", (ROOM, _AT_LEAST, QUOTIENT, _SOME_DELTA, _S2.conclusion),
                        floor <= delta * quotient / _kappa + 2 * R)),
        ),
    ),
)  # fmt: skip
CLAIMS = (S1, S1_TERM, S2, S3, S3_BEST, S4)
