"""The parts that the proofs of Theorems 1 and 2 share, as nodes with the printed level of error left open.

Letters: a_k = ‖∇f(xᵏ)‖ is `grad`, e_k = ‖∇f(xᵏ) − ĝ^{k+1}‖ is `error`, `level` bounds the clients' part of it.
"""

from __future__ import annotations

from typing import Any

import sympy

from verify.alpha_normec.lemmas.operator import L1B
from verify.alpha_normec.letters import (
    ALPHA,
    ALPHA0,
    BETA,
    GAMMA,
    RADIUS,
    RESIDUAL,
    SHORT_STEP,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L,
    L_max,
    R,
    alpha,
    beta,
    f_gap,
    gamma,
    r,
    r_next,
    w,
)
from verify.citation import Cite
from verify.facts import Fact, definition, derived, equal, hypothesis, standard
from verify.gram import Space, inner, vectors
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node

grad, error, count, total, floor = sympy.symbols("grad error count total floor", real=True)
f_now, f_then, f_inf, f_start, done = sympy.symbols("f_now f_next f_inf f_0 S", real=True)
moved, height, L_i = sympy.symbols("step h L_i", real=True)
w_start, w_next = sympy.symbols("w_0 w_next", real=True)

mean_error = sympy.Symbol("‖∇f−g‖", real=True)
QUIET = hypothesis(
    "without noise and with ĝ⁰ = (1/n)Σg_i⁰ (Algorithm 1), ĝᵏ = gᵏ = (1/n)Σg_iᵏ (NEC-EQ10)",
    equal(error, mean_error),
)
START = hypothesis("R = max_i ‖∇f_i(x⁰) − g_i⁰‖", r <= R)
SMOOTH_I = hypothesis("f_i is L_i-smooth, L_i ≤ L_max", (L_i >= 0) & (L_i <= L_max))
BOUNDED = hypothesis("f(x) ≥ f^inf", f_now >= f_inf)
WHOLE = definition("m = K + 1", equal(count, K + 1))
COUNTED = definition("m = K + 1 ≥ 1", count >= 1)
FALL = definition("gap", equal(f_gap, f_start - f_inf))
LINEAR = standard(
    "an inequality that is linear in random quantities holds for their (conditional) expectations", sympy.true
)
LEAST = standard("min‖∇f‖ ≤ ‖∇f(xᵏ)‖", floor <= grad)
CITE_LEMMA1 = Cite(L1B, (ALPHA, BETA, RESIDUAL), repaired=True)

_scale = sympy.Symbol("c", real=True)
_difference, _rest, _server, _true = vectors("∇f_i(x⁺)−∇f_i(x) ∇f_i(x)−g_i⁺ ĝ ∇f")


def steps_are_short() -> Obligation:
    """‖x^{k+1} − x^k‖ ≤ γ, with 0/0 = 0."""
    space = Space((_server,))
    length = space.norm(_server, "‖ĝ‖")
    size = definition("‖x⁺ − x‖ = c‖ĝ‖", equal(moved, _scale * length))
    return obligation(
        "‖x⁺ − x‖ ≤ γ", (GAMMA, _normalised(length), size, *space.facts()), (moved <= gamma) & (moved >= 0)
    )


def residual_grows_slowly(short: Fact) -> Obligation:
    """‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ ‖∇f_i(x^k) − g_i^{k+1}‖ + γL_max: triangle inequality and smoothness."""
    space = Space((_difference, _rest))
    change, before = space.norm(_difference, "drift"), space.norm(_rest, "w")
    after = space.norm(_difference + _rest, "r_next")
    smooth = standard(
        "Assumption 1 with L_i (NEC-A1): ‖∇f_i(x⁺) − ∇f_i(x)‖ ≤ L_i‖x⁺ − x‖", change <= L_i * moved
    )
    return obligation(
        "‖∇f_i(x⁺) − g_i⁺‖ ≤ ‖∇f_i(x) − g_i⁺‖ + γL_max",
        (GAMMA, SMOOTH_I, short, smooth, *space.facts()),
        after <= before + gamma * L_max,
    )


def lemma1_from_zero() -> Obligation:
    """What Lemma 1 says of ‖v − βNorm_α(v)‖ for α ≥ 0, with Norm_0(0) := 0, without a quotient."""
    (residual,) = vectors("∇f_i(x)−g_i")
    space = Space((residual,))
    rest: Any = residual - beta * _scale * residual
    lengths = space.norm(residual, "r"), space.norm(rest, "w")
    assert lengths == (r, w)
    smoothed = definition(
        "Norm_α(v) = cv with c(α + ‖v‖) = 1, or c = 0 where α = ‖v‖ = 0",
        ((alpha + r > 0) & equal(_scale * (alpha + r), 1)) | (equal(alpha + r, 0) & equal(_scale, 0)),
    )
    return obligation(
        "(α + r)w = |α + r − β| r, and w ≤ r where α = r = 0",
        (ALPHA0, BETA, smoothed, *space.facts()),
        equal((alpha + r) * w, sympy.Abs(alpha + r - beta) * r) & ((alpha + r > 0) | (w <= r)),
    )


def level_is_kept(feedback: Fact, level: sympy.Expr, name: str, smoothing: Fact, lemma1: Node) -> Induction:
    """‖∇f_i(x^k) − g_i^{k+1}‖ ≤ level for every k, by induction over k on that quantity itself. smoothing: the domain of α for
    which `lemma1` is shown."""
    shared = (smoothing, BETA, GAMMA, SMOOTH_MAX, feedback, SHORT_STEP)
    invariant = derived(f"‖∇f_i(xᵏ) − g_i^(k+1)‖ ≤ {name} for all k", w <= level)
    grown = residual_grows_slowly(steps_are_short().conclusion).conclusion
    is_norm = definition("residuals are norms", (w >= 0) & (r_next >= 0))
    first, later = lemma1.conclusion.at({w: w_start}), lemma1.conclusion.at({w: w_next, r: r_next})
    return Induction(
        invariant.name,
        invariant,
        Obligation("start", (*shared, START, RESIDUAL, first), derived("start", w_start <= level)),
        Obligation("step", (*shared, invariant, grown, is_norm, later), derived("step", w_next <= level)),
        ((w, w_start),),
        ((w, w_next),),
    )


def kept(
    feedback: Fact, level: sympy.Expr, name: str, smoothing: Fact = ALPHA, lemma1: Node = CITE_LEMMA1
) -> list[Node]:
    """`level_is_kept` with all that it rests on."""
    short = steps_are_short()
    level_kept = level_is_kept(feedback, level, name, smoothing, lemma1)
    return [lemma1, short, residual_grows_slowly(short.conclusion), level_kept]


def average_error(level: sympy.Expr, client_fact: Fact) -> list[Node]:
    """‖∇f − g‖ ≤ (1/n) Σ‖∇f_i − g_i‖ ≤ level, by induction over the clients (inequality (15))."""
    sum_of, one = vectors("Σ∇f_i−g_i ∇f_i−g_i")
    space = Space((sum_of, one))
    before, term = space.norm(sum_of, "total"), space.norm(one, "w")
    after = space.norm(sum_of + one, "total_next")
    invariant = derived("‖Σ_{i≤m}(∇f_i − g_i⁺)‖ ≤ m · level", total <= count * level)
    start = Obligation("no client", (), derived("start", sympy.Le(0, 0 * level)))
    step = Obligation(
        "one client more",
        (invariant, client_fact, definition("m ≥ 0", count >= 0), *space.facts()),
        derived("step", after <= (count + 1) * level),
    )
    assert (before, term) == (total, w)
    mean = obligation(
        "‖∇f(xᵏ) − g^(k+1)‖ ≤ level",
        (
            invariant,
            definition("n ≥ 1", count >= 1),
            definition("g = (1/n)Σg_i", equal(mean_error * count, total)),
        ),
        mean_error <= level,
    )
    induction = Induction(invariant.name, invariant, start, step, ((total, 0), (count, 0)),
                          ((total, after), (count, count + 1)))  # fmt: skip
    return [induction, mean]


def server_error(level: sympy.Expr, client_fact: Fact) -> list[Node]:
    """‖∇f − ĝ‖ ≤ level, where the server's memory is the mean of the clients'."""
    average = average_error(level, client_fact)
    same = obligation("‖∇f(xᵏ) − ĝ^(k+1)‖ ≤ level", (QUIET, average[-1].conclusion), error <= level)
    return [*average, same]


def normalised_descent(third_line: bool = False) -> Obligation:
    """f(x^{k+1}) ≤ f(x^k) − γ‖∇f(x^k)‖ + 2γ‖∇f(x^k) − ĝ^{k+1}‖ + Lγ²/2: Step 3, with 0/0 = 0. third_line: the display's
    line before, f(x^k) − γ‖ĝ^{k+1}‖ + γ‖∇f(x^k) − ĝ^{k+1}‖ + Lγ²/2."""
    length, given = _server_step()
    if third_line:
        return obligation(
            "f(x⁺) ≤ f(x) − γ‖ĝ⁺‖ + γ‖∇f(x) − ĝ⁺‖ + Lγ²/2",
            given,
            f_then <= f_now - gamma * length + gamma * error + L * gamma**2 / 2,
        )
    return obligation(
        "f(x⁺) ≤ f(x) − γ‖∇f(x)‖ + 2γ‖∇f(x) − ĝ⁺‖ + Lγ²/2",
        given,
        f_then <= f_now - gamma * grad + 2 * gamma * error + L * gamma**2 / 2,
    )


def fourth_line() -> Obligation:
    """Step 3's third line is at most its fourth: ‖∇f(x^k)‖ ≤ ‖ĝ^{k+1}‖ + ‖∇f(x^k) − ĝ^{k+1}‖."""
    space = Space((_true, _server))
    length = space.norm(_server, "‖ĝ‖")
    assert (space.norm(_true, "grad"), space.norm(_true - _server, "error")) == (grad, error)
    return obligation(
        "−γ‖ĝ⁺‖ + γ‖∇f(x) − ĝ⁺‖ ≤ −γ‖∇f(x)‖ + 2γ‖∇f(x) − ĝ⁺‖: (14)",
        (GAMMA, *space.facts()),
        f_now - gamma * length + gamma * error + L * gamma**2 / 2
        <= f_now - gamma * grad + 2 * gamma * error + L * gamma**2 / 2,
    )


def second_line() -> tuple[Obligation, ...]:
    """Step 3's second line with the sign that it needs, f(x^k) − γ‖ĝ^{k+1}‖ − c⟨∇f(x^k) − ĝ^{k+1}, ĝ^{k+1}⟩ + Lγ²/2 with
    c‖ĝ^{k+1}‖ = γ: equal to the first, above f(x^{k+1}), and below the third by (13)."""
    length, given = _server_step()
    rest = _scale * inner(_true - _server, _server)
    return (
        obligation(
            "−c⟨∇f, ĝ⁺⟩ = −γ‖ĝ⁺‖ − c⟨∇f − ĝ⁺, ĝ⁺⟩, c‖ĝ⁺‖ = γ or ĝ⁺ = 0",
            given,
            equal(-_scale * inner(_true, _server), -gamma * length - rest),
        ),
        obligation(
            "f(x⁺) ≤ f(x) − γ‖ĝ⁺‖ − c⟨∇f − ĝ⁺, ĝ⁺⟩ + Lγ²/2",
            given,
            f_then <= f_now - gamma * length - rest + L * gamma**2 / 2,
        ),
        obligation("−c⟨∇f − ĝ⁺, ĝ⁺⟩ ≤ γ‖∇f − ĝ⁺‖: (13)", given, -rest <= gamma * error),
    )


def summed(level: sympy.Expr, step_facts: tuple[Fact, ...]) -> list[Node]:
    """Step 4: telescoping over k, and the least of the K + 1 norms."""
    charge = 2 * gamma * level + L * gamma**2 / 2
    telescoped = derived("γΣ_{k<m}‖∇f(xᵏ)‖ ≤ f(x⁰) − f(xᵐ) + m(2γ level + Lγ²/2)",
                         done <= f_start - f_now + count * charge)  # fmt: skip
    sum_start = Obligation("empty sum", (), derived("start", sympy.Le(0, f_start - f_start + 0 * charge)))
    sum_step = Obligation(
        "one iteration more",
        (GAMMA, SMOOTH, telescoped, *step_facts),
        derived("step", done + gamma * grad <= f_start - f_then + (count + 1) * charge),
    )
    least = least_of_the_norms()
    final = obligation(
        "min‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2 level + Lγ/2",
        (GAMMA, telescoped, least.conclusion, COUNTED, BOUNDED, FALL),
        floor <= f_gap / (gamma * count) + 2 * level + L * gamma / 2,
    )
    return [
        Induction(telescoped.name, telescoped, sum_start, sum_step, ((done, 0), (f_now, f_start), (count, 0)),
                  ((done, done + gamma * grad), (f_now, f_then), (count, count + 1))),
        least,
        final,
    ]  # fmt: skip


def least_of_the_norms() -> Induction:
    """m γ min‖∇f‖ ≤ γΣ_{k<m}‖∇f(x^k)‖."""
    least = derived("m γ min‖∇f‖ ≤ γΣ_{k<m}‖∇f(xᵏ)‖", count * gamma * floor <= done)
    start = Obligation("empty sum", (), derived("start", sympy.Le(0, 0)))
    step = Obligation(
        "one iteration more",
        (GAMMA, least, LEAST),
        derived("step", (count + 1) * gamma * floor <= done + gamma * grad),
    )
    return Induction(least.name, least, start, step, ((count, 0), (done, 0)),
                     ((count, count + 1), (done, done + gamma * grad)))  # fmt: skip


def _height(level: sympy.Symbol) -> Fact:
    return definition(f"h = √(min‖∇f‖² − {level}²) where min‖∇f‖ > {level}, else 0",
                      ((floor > level) & (height >= 0) & equal(height**2, floor**2 - level**2))
                      | ((floor <= level) & equal(height, 0)))  # fmt: skip


def descent_off_the_ball(error_fact: Fact, level: sympy.Symbol = R, is_norm: Fact = RADIUS) -> Obligation:
    """While ‖∇f‖ > level ≥ ‖∇f − ĝ⁺‖ a normalised step descends by γ√(‖∇f‖² − level²) − Lγ²/2: the angle between ĝ⁺ and
    ∇f is at most arcsin(level/‖∇f‖). is_norm: level ≥ 0."""
    _, given = _server_step()
    return obligation(
        f"where min‖∇f‖ > {level}: f(x⁺) ≤ f(x) − γh + Lγ²/2",
        (*given, error_fact, LEAST, _height(level), is_norm),
        sympy.Implies(floor > level, f_then <= f_now - gamma * height + L * gamma**2 / 2),
    )


def summed_off_the_ball(step: Fact, level: sympy.Symbol = R, is_norm: Fact = RADIUS) -> list[Node]:
    """Telescoping of `descent_off_the_ball`, and what it says about the least norm."""
    gain = gamma * height - L * gamma**2 / 2
    telescoped = derived(f"where min‖∇f‖ > {level}: m(γh − Lγ²/2) ≤ f(x⁰) − f(xᵐ)",
                         sympy.Implies(floor > level, count * gain <= f_start - f_now))  # fmt: skip
    start = Obligation("no iteration", (), derived("start", sympy.Implies(floor > level, sympy.Le(0, 0))))
    later = Obligation(
        "one iteration more",
        (telescoped, step),
        derived("step", sympy.Implies(floor > level, (count + 1) * gain <= f_start - f_then)),
    )
    final = obligation(
        f"min‖∇f(xᵏ)‖ ≤ √({level}² + ((f(x⁰) − f^inf)/(γm) + Lγ/2)²)",
        (
            GAMMA,
            SMOOTH,
            telescoped,
            _height(level),
            is_norm,
            COUNTED,
            BOUNDED,
            FALL,
            definition("norms", (floor >= 0) & (f_gap >= 0)),
        ),
        floor <= sympy.sqrt(level**2 + (f_gap / (gamma * count) + L * gamma / 2) ** 2),
    )
    return [
        Induction(telescoped.name, telescoped, start, later, ((count, 0), (f_now, f_start)),
                  ((count, count + 1), (f_now, f_then))),
        final,
    ]  # fmt: skip


def _normalised(length: sympy.Symbol) -> Fact:
    moves = (length > 0) & equal(_scale * length, gamma)
    return definition(
        "x⁺ − x = −cĝ with c‖ĝ‖ = γ, or c = 0 where ĝ = 0",
        moves | (equal(length, 0) & equal(_scale, 0)),
    )


def _server_step() -> tuple[sympy.Symbol, tuple[Fact, ...]]:
    """‖ĝ‖, and what a normalised step along −ĝ does to an L-smooth f; ‖∇f‖ is `grad`, ‖∇f − ĝ‖ is `error`."""
    space = Space((_true, _server))
    length = space.norm(_server, "‖ĝ‖")
    assert (space.norm(_true, "grad"), space.norm(_true - _server, "error")) == (grad, error)
    lemma = standard("descent lemma of an L-smooth f",
                     f_then <= f_now - _scale * inner(_true, _server) + L / 2 * (_scale * length) ** 2)  # fmt: skip
    return length, (GAMMA, SMOOTH, _normalised(length), lemma, *space.facts())
