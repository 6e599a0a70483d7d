"""The displays of the descent inequality: the proof outline of Theorem 1, and Appendix G's Step 3 one by one.

For finitely many outcomes an expectation is a mean with weights p ≥ 0 that add up to 1: what holds for every outcome is added up.
That linear inequalities also hold for the means of Gaussian noise is cited (`LINEAR`).
"""

from __future__ import annotations

from typing import Any

import sympy

from bounds.alpha_normec.theorem2 import noise_appendix, theorem2_appendix
from verify.alpha_normec.lemmas.lemma3 import (
    A_SQUARE,
    INDEPENDENTLY,
    L3_VECTOR,
    NOISE_BASE,
    VECTOR,
    mean_norm,
)
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    CONTRACTION,
    GAMMA,
    LETTERS,
    PAPER,
    ROUNDS,
    SHORT_STEP,
    SIGMA,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L,
    R,
    beta,
    gamma,
    n,
    sigma,
)
from verify.alpha_normec.text.preliminaries import MEAN_OF_NORMS
from verify.alpha_normec.theorems import descent, noise_per_coordinate
from verify.alpha_normec.theorems.descent import (
    BOUNDED,
    LINEAR,
    QUIET,
    SMOOTH_I,
    START,
    WHOLE,
    error,
    f_inf,
    f_now,
    f_then,
    floor,
    grad,
    mean_error,
)
from verify.alpha_normec.theorems.theorem2 import noisy, split
from verify.citation import Cite
from verify.claim import Claim, Gap, Repair, Witness
from verify.facts import Fact, definition, derived, equal, hypothesis
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

W, seen, tower_error, p, weight = sympy.symbols("W E[f(x⁺)|F] E[‖e‖|F] p Σp", real=True)
_AVERAGE = MEAN_OF_NORMS[-1].conclusion
_BELOW, _ABOVE = _AVERAGE.relation.args
_MEANS = definition(
    "‖∇f − g⁺‖ = ‖Σ(∇f_i − g_i⁺)‖/n and W = (1/n)Σ‖∇f_i − g_i⁺‖",
    equal(mean_error, _BELOW) & equal(W, _ABOVE),
)
_CLOSE = obligation("‖∇f − g⁺‖ ≤ W: (15)", (CLIENTS, _AVERAGE, _MEANS), mean_error <= W)
_DOWN, _APART = descent.normalised_descent(), split()
_CURVE = L * gamma**2 / 2
OUTLINE = Claim(
    id="NEC-T1-OUTLINE@descent",
    paper=PAPER,
    place="proof outline, Section 4, first display",
    kind="step",
    printed="By the L-smoothness of the objective function f, and by the update for x^{k+1} in α-NormEC, we obtain V^{k+1} ≤ V^k − "
    "γ‖∇f(x^k)‖ + Lγ²/2 + 2γW^k, where V^k := f(x^k) − f^inf, and W^k := (1/n) Σ_{i=1}^n ‖∇f_i(x^k) − g_i^{k+1}‖.",
    reason="The descent lemma, the triangle inequality twice and (15), also where ĝ^{k+1} = 0.",
    proof=Proof(
        (GAMMA, SMOOTH, CLIENTS, QUIET),
        (
            *MEAN_OF_NORMS,
            _CLOSE,
            _DOWN,
            obligation(
                "V⁺ ≤ V − γ‖∇f‖ + Lγ²/2 + 2γW",
                (GAMMA, _DOWN.conclusion, _CLOSE.conclusion, QUIET),
                f_then - f_inf <= f_now - f_inf - gamma * grad + _CURVE + 2 * gamma * W,
            ),
        ),
    ),
)
_PATH = obligation(
    "f(x⁺) ≤ f(x) − γ‖∇f‖ + 2γW + 2γ‖ĝ⁺ − g⁺‖ + Lγ²/2",
    (GAMMA, _DOWN.conclusion, _APART.conclusion, _CLOSE.conclusion),
    f_then <= f_now - gamma * grad + 2 * gamma * W + 2 * gamma * noisy + _CURVE,
)
_FOURTH_IS_LESS = obligation(
    "−γ‖∇f‖ + 2γ‖∇f − ĝ⁺‖ ≤ −γ‖∇f‖ + 2γW + 2γ‖ĝ⁺ − g⁺‖: (14) and (15)",
    (GAMMA, _APART.conclusion, _CLOSE.conclusion),
    f_now - gamma * grad + 2 * gamma * error + _CURVE
    <= f_now - gamma * grad + 2 * gamma * W + 2 * gamma * noisy + _CURVE,
)
_PATHWISE: tuple[Node, ...] = (*MEAN_OF_NORMS, _CLOSE, _APART, _DOWN, _PATH)
S3_DESCENT = Claim(
    id="NEC-T2-S3@descent",
    paper=PAPER,
    place="Appendix G, Step 3, first display from its third line on",
    kind="step",
    printed="f(x^{k+1}) − f^inf ≤ […] f(x^k) − f^inf − γ‖ĝ^{k+1}‖ + γ‖∇f(x^k) − ĝ^{k+1}‖ + Lγ²/2 (14)≤ f(x^k) − f^inf − γ‖∇f(x^k)‖ "
    "+ 2γ‖∇f(x^k) − ĝ^{k+1}‖ + Lγ²/2 (15)≤ f(x^k) − f^inf − γ‖∇f(x^k)‖ + 2γ (1/n) Σ_{i=1}^n ‖∇f_i(x^k) − g_i^{k+1}‖ + 2γ‖ĝ^{k+1} − "
    "g^{k+1}‖ + Lγ²/2.",
    reason="Each line follows on every path, in every dimension; the last needs (14) as well as (15). The display's second line has "
    "the wrong sign of NEC-T1-S3@sign.",
    proof=Proof(
        (GAMMA, SMOOTH, CLIENTS),
        (
            descent.normalised_descent(third_line=True),
            descent.fourth_line(),
            *_PATHWISE[:-1],
            _FOURTH_IS_LESS,
            _PATH,
        ),
    ),
)


def _mean(path: Fact, terms: dict[Any, str], constant: sympy.Expr, name: str) -> tuple[Node, ...]:
    """What holds for every outcome (`path`: its left side is the first of the `terms`), added up with weights p, and cited where
    outcomes are not finitely many. constant: what is the same for all outcomes."""
    left, *rest = terms
    sums = {term: sympy.Symbol(f"Σp{label}", real=True) for term, label in terms.items()}
    right = path.relation.rhs
    factors = {term: sympy.diff(right, term) for term in rest}
    total = weight * constant + sum((factors[term] * sums[term] for term in rest), sympy.Integer(0))
    added = derived(f"{name}, so far", sums[left] <= total)
    start = {letter: sympy.Integer(0) for letter in (weight, *sums.values())}
    later = {weight: weight + p} | {letter: letter + p * term for term, letter in sums.items()}
    return (
        Induction(
            added.name,
            added,
            Obligation("no outcome", (), derived("start", added.at(start).relation)),
            Obligation("one outcome more", (added, path, definition("p ≥ 0", p >= 0)), derived("step", added.at(later).relation)),
            tuple(start.items()),
            tuple(later.items()),
        ),
        obligation(name, (added, LINEAR, definition("the weights add up to 1", equal(weight, 1))),
                   sums[left] <= total.subs(weight, 1)),
    )  # fmt: skip


S3_CONDITIONAL = Claim(
    id="NEC-T2-S3@conditional",
    paper=PAPER,
    place="Appendix G, Step 3, conditional expectations",
    kind="step",
    printed="let F^k be the history up to iteration k, i.e. F^k := {x⁰, z_1⁰, …, z_n⁰, …, x^k, z_1^k, …, z_n^k}. Then, "
    "E[f(x^{k+1}) − f^inf | F^k] ≤ f(x^k) − f^inf − γ‖∇f(x^k)‖ + 2γ (1/n) Σ_{i=1}^n E[‖∇f_i(x^k) − g_i^{k+1}‖ | F^k] + "
    "2γE[‖ĝ^{k+1} − g^{k+1}‖ | F^k] + Lγ²/2.",
    reason="The inequality holds on every path and is linear, so it holds for means over what F^k leaves open. (With z^k in F^k, as "
    "printed, that is nothing: x^{k+1} is a function of F^k.)",
    proof=Proof(
        (GAMMA, SMOOTH, CLIENTS),
        (
            *_PATHWISE,
            *_mean(_PATH.conclusion, {f_then: "f(x⁺)", W: "W", noisy: "‖e‖"}, f_now - gamma * grad + _CURVE,
                   "E[f(x⁺)|F] ≤ f(x) − γ‖∇f‖ + 2γE[W|F] + 2γE[‖ĝ⁺ − g⁺‖|F] + Lγ²/2"),
        ),
    ),
)  # fmt: skip
_GIVEN_PAST = sympy.Symbol("E[W|F]", real=True)
_LEFT_OPEN = hypothesis(
    "E[f(x⁺)|F] ≤ f(x) − γ‖∇f‖ + 2γE[W|F] + 2γE[‖ĝ⁺ − g⁺‖|F] + Lγ²/2 (the display before)",
    seen <= f_now - gamma * grad + 2 * gamma * _GIVEN_PAST + 2 * gamma * tower_error + _CURVE,
)
_KEPT = descent.kept(CONTRACTION, R, "R")
_sum_of_errors = sympy.Symbol("Σ‖∇f_i−g_i⁺‖", real=True)
_SUM_KEPT = derived("Σ_{i≤m} ‖∇f_i − g_i⁺‖ ≤ mR", _sum_of_errors <= descent.count * R)
_OVER_CLIENTS = Induction(
    _SUM_KEPT.name,
    _SUM_KEPT,
    Obligation("no client", (), derived("start", sympy.Le(0, 0 * R))),
    Obligation(
        "one client more",
        (_SUM_KEPT, _KEPT[-1].conclusion),
        derived("step", _sum_of_errors + descent.w <= (descent.count + 1) * R),
    ),
    ((_sum_of_errors, 0), (descent.count, 0)),
    ((_sum_of_errors, _sum_of_errors + descent.w), (descent.count, descent.count + 1)),
)
_ON_EVERY_PATH = obligation(
    "W ≤ R on every path",
    (CLIENTS, _SUM_KEPT.at({descent.count: n}), definition("W is the mean", equal(W * n, _sum_of_errors))),
    W <= R,
)
S3_INVARIANT = Claim(
    id="NEC-T2-S3@invariant",
    paper=PAPER,
    place="Appendix G, Step 3, where ‖∇f_i(x^k) − g_i^{k+1}‖ ≤ R is used",
    kind="step",
    printed="Thus, E[f(x^{k+1}) − f^inf | F^k] ≤ f(x^k) − f^inf − γ‖∇f(x^k)‖ + 2γR + 2γE[‖ĝ^{k+1} − g^{k+1}‖ | F^k] + Lγ²/2.",
    reason="‖∇f_i(x^k) − g_i^{k+1}‖ ≤ R holds on every path, by the induction that NEC-T2-S1 repairs, and so in the mean.",
    proof=Proof(
        (ALPHA, BETA, GAMMA, SMOOTH_MAX, SMOOTH_I, SHORT_STEP, START, CONTRACTION, CLIENTS, _LEFT_OPEN),
        (
            *_KEPT,
            _OVER_CLIENTS,
            _ON_EVERY_PATH,
            *_mean(_ON_EVERY_PATH.conclusion, {W: "W"}, R, "E[W|F] ≤ R"),
            obligation(
                "the display",
                (GAMMA, _LEFT_OPEN, definition("E[W|F]", equal(_GIVEN_PAST, sympy.Symbol("ΣpW", real=True))),
                 derived("E[W|F] ≤ R", sympy.Symbol("ΣpW", real=True) <= R)),
                seen <= f_now - gamma * grad + 2 * gamma * R + 2 * gamma * tower_error + _CURVE,
            ),
        ),
    ),
)  # fmt: skip
_THUS = hypothesis(
    "E[f(x⁺)|F] ≤ f(x) − γ‖∇f‖ + 2γR + 2γE[‖ĝ⁺ − g⁺‖|F] + Lγ²/2 (the display before)",
    seen <= f_now - gamma * grad + 2 * gamma * R + 2 * gamma * tower_error + _CURVE,
)
S3_TOWER = Claim(
    id="NEC-T2-S3@tower",
    paper=PAPER,
    place="Appendix G, Step 3, tower property",
    kind="step",
    printed="By taking the expectation, and by the tower property E[E[X|Y]] = E[X], E[f(x^{k+1}) − f^inf] = E[E[f(x^{k+1}) − f^inf "
    "| F^k]] ≤ E[f(x^k) − f^inf] − γE[‖∇f(x^k)‖] + 2γR + 2γE[‖ĝ^{k+1} − g^{k+1}‖] + Lγ²/2.",
    reason="The inequality before holds for every history and is linear, so it holds for the mean over the histories.",
    proof=Proof(
        (_THUS,),
        _mean(
            _THUS,
            {seen: "E[f(x⁺)|F]", f_now: "f(x)", grad: "‖∇f‖", tower_error: "E[‖e‖|F]"},
            2 * gamma * R + _CURVE,
            "E f(x⁺) ≤ E f(x) − γE‖∇f‖ + 2γR + 2γE‖ĝ⁺ − g⁺‖ + Lγ²/2",
        ),
    ),
)
_NOISE = noise_appendix(beta, K, sigma, n)
_BEFORE = hypothesis(
    "E f(x⁺) ≤ E f(x) − γE‖∇f‖ + 2γR + 2γE‖ĝ⁺ − g⁺‖ + Lγ²/2 (the display before)",
    f_then <= f_now - gamma * grad + 2 * gamma * R + 2 * gamma * mean_norm + _CURVE,
)
_LEMMA3 = Cite(L3_VECTOR, (*NOISE_BASE, VECTOR, A_SQUARE, ROUNDS))
S3_LEMMA3 = Claim(
    id="NEC-T2-S3@lemma3",
    paper=PAPER,
    place="Appendix G, Step 3, where Lemma 3 is used",
    kind="step",
    printed="Next, by using Lemma 3, E[f(x^{k+1}) − f^inf] ≤ E[f(x^k) − f^inf] − γE[‖∇f(x^k)‖] + 2γR + 2γ√(β²(K+1)σ_DP²/n) + Lγ²/2.",
    reason="Lemma 3 bounds E‖ĝ^{k+1} − g^{k+1}‖ for every k ≤ K, where σ_DP² is E‖z_i‖² of the whole vector. Per coordinate the "
    "display itself fails, in the first round of NEC-T2-APP@coordinate.",
    repair=Repair(
        "The display with σ_DP² := E‖z_i‖².",
        f"σ_DP² is the variance of the whole vector; {INDEPENDENTLY}",
        Proof(
            (GAMMA, *NOISE_BASE, VECTOR, _BEFORE),
            (
                _LEMMA3,
                obligation("2γE‖ĝ⁺ − g⁺‖ ≤ 2γ√(β²(K+1)σ²/n)", (GAMMA, _LEMMA3.conclusion, _BEFORE),
                           f_then <= f_now - gamma * grad + 2 * gamma * R + 2 * gamma * _LEMMA3.conclusion.relation.rhs + _CURVE),
            ),
        ),
        weakest="per coordinate the display fails, and so does Lemma 3 (NEC-L3@coordinate)",
    ),
    gap=Gap("reading", "σ_DP² is the variance of a coordinate", Witness(
        noise_per_coordinate.NUMBERS,
        "E f(x¹) − f(x⁰) ≤ −γ‖∇f(x⁰)‖ + 2γR + 2γ√(β²(K+1)σ_DP²/n) + Lγ²/2, its left side bounded below",
        noise_per_coordinate.falls_less,
        noise_per_coordinate.PROBLEM,
    )),
)  # fmt: skip
_STEP = hypothesis(
    "E f(x⁺) ≤ E f(x) − γE‖∇f‖ + 2γ(R + √(β²(K+1)σ_DP²/n)) + Lγ²/2 (the display before)",
    f_then <= f_now - gamma * grad + 2 * gamma * (R + _NOISE) + _CURVE,
)
_PRINTED = theorem2_appendix(
    **{name: LETTERS[name] for name in ("f_gap", "gamma", "K", "R", "L", "beta", "sigma", "n")}
)
_SUMS = descent.summed(R + _NOISE, (_STEP, BETA, SIGMA, CLIENTS, ROUNDS))
S3_SUM = Claim(
    id="NEC-T2-S3@sum",
    paper=PAPER,
    place="Appendix G, Step 3, last display",
    kind="step",
    printed="min_{k∈[0,K]} E[‖∇f(x^k)‖] ≤ 1/(K+1) Σ_{k=0}^K E[‖∇f(x^k)‖] ≤ […] ≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2R + "
    "2√(β²(K+1)σ_DP²/n) + (L/2)γ",
    reason="Telescoping the display before and E f(x^{K+1}) ≥ f^inf give the chain. (The fact that is printed for the last "
    "inequality is turned round: NEC-T1-S4.)",
    proof=Proof(
        (BETA, GAMMA, SMOOTH, SIGMA, CLIENTS, _STEP, BOUNDED),
        (
            *_SUMS,
            obligation(
                "which is the printed bound",
                (_SUMS[-1].conclusion, WHOLE, GAMMA, BETA, SIGMA, CLIENTS, ROUNDS),
                floor <= _PRINTED,
            ),
        ),
    ),
)  # fmt: skip
CLAIMS = (OUTLINE, S3_DESCENT, S3_CONDITIONAL, S3_INVARIANT, S3_TOWER, S3_LEMMA3, S3_SUM)
