"""Several local steps where all clients take part and nothing is added: FED-R2-SHARP and FED-R3-SHARP with the bias and R once.

Then v̂ = v̄, and with E at least ‖∇f − v̂‖ a step falls by η√(‖∇f‖² − E²) while ‖∇f‖ > E, not only by η(‖∇f‖ − 2E). E is what f(x⁰)
allows the bias to be, and so all along: f falls from round to round, unless ‖∇f(xᵏ)‖ ≤ √(E² + (Lη/2)²) for some k. With noise this
does not add up in the mean: where the bias turns the step around f rises by η‖∇f‖ = ηE, and a round that falls may follow another
that rises.
"""

from __future__ import annotations

import sympy

from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.counterexamples.steady import FAR
from verify.fed_alpha_normec.displays import THEOREMS
from verify.fed_alpha_normec.lemmas import descent as de
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas import recursion as rec
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK, ROOTS_R
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
    LOCAL_STEP,
    RADIUS,
    ROUNDS,
    SMOOTH,
    SPREAD,
    Delta,
    Delta_local,
    F,
    K,
    L,
    R,
    T,
    V,
    claim,
    eta,
    gamma,
    p,
    s,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se
from verify.fed_alpha_normec.theorems import small_spread as sm
from verify.fed_alpha_normec.theorems.repairs import FACTOR, up_to
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

far, fall = letters("E d")
QUIET = hypothesis("p = 1 and no noise: V = E‖z‖² = 0", equal(p, 1) & equal(V, 0))
SAME = obligation(
    "v̂ᵏ⁺¹ = v̄ᵏ⁺¹", (QUIET, BETA, CLIENTS, ROUNDS, no.TIGHT_B, ro.SMALL_ERROR.conclusion), no.after <= 0
)
_HALF = L * eta / 2
NEAR_ENOUGH = far**2 + _HALF**2
HIGH = definition(
    "d ≥ 0: min‖∇f‖ = √(E² + (d + Lη/2)²), or min‖∇f‖ ≤ √(E² + (Lη/2)²)",
    (fall >= 0) & ((rec.low**2 <= NEAR_ENOUGH) | equal(rec.low**2, far**2 + (fall + _HALF) ** 2)),
)
NORM = definition("min‖∇f‖ ≥ 0", rec.low >= 0)
LOW = (NORM, standard("min ≤ E‖∇f(xᵏ)‖", rec.low <= rec.W))
OFF_THE_BALL = obligation(
    "f' ≤ f − ηd where ‖∇f − G‖ ≤ E and ‖∇f‖² ≥ E² + (d + Lη/2)²",
    (
        ETA,
        SMOOTH,
        de.MOVED,
        de.CONVENTION,
        *de.SPACE.facts(),
    ),
    sympy.Implies(
        (fall >= 0) & (far >= 0) & (de.error <= far) & (de.grad**2 >= far**2 + (fall + _HALF) ** 2),
        de.f_next <= de.f - eta * fall,
    ),
)
FALLEN = Fact(
    "f(xᵏ) − f^inf ≤ f(x⁰) − f^inf − kηd, or min‖∇f‖ ≤ √(E² + (Lη/2)²)",
    (rec.k >= 0) & ((rec.low**2 <= NEAR_ENOUGH) | (ro.f_k <= F - rec.k * eta * fall)),
    "derived",
)


def bound(far: sympy.Expr) -> sympy.Expr:
    """√(E² + A²), A = (f(x⁰) − f^inf)/((K+1)η) + Lη/2."""
    return sympy.sqrt(far**2 + (F / ((K + 1) * eta) + _HALF) ** 2)


def is_far(constant: sympy.Expr) -> Fact:
    return definition(f"E = R + {constant}Lγs", equal(far, R + constant * L * gamma * s))


def quiet(
    nodes: tuple[Node, ...], near: Obligation, constant: sympy.Expr, height: Fact, higher: Fact, name: str
) -> Proof:
    """nodes: up to `near`, which bounds ‖∇f − v̄‖ by R + constant · Lγ(s/2 + L(f − the mean of the infima)/s)."""
    level = is_far(constant)
    scale = obligation(se.SCALE.name, (SMOOTH, height, higher), se.SCALE.relation)
    size = obligation("E ≥ 0", (RADIUS, SMOOTH, GAMMA, se.SCALE, level), far >= 0)
    allowed = obligation(
        "‖∇f(xᵏ) − v̂ᵏ⁺¹‖ ≤ E where f(xᵏ) ≤ f(x⁰)",
        (SMOOTH, GAMMA, se.SCALE, height, level, near.conclusion, SAME.conclusion, ro.ERROR_OF),
        sympy.Implies(ro.f_k <= F, de.error <= far),
    )
    down = Induction(
        FALLEN.name,
        FALLEN,
        obligation("before round 0", (), FALLEN.at({rec.k: 0, ro.f_k: F}).relation),
        obligation(
            "after one round more",
            (
                FALLEN,
                ETA,
                HIGH,
                *LOW,
                size.conclusion,
                allowed.conclusion,
                OFF_THE_BALL.conclusion.at(ro.ROUND),
            ),
            FALLEN.at({rec.k: rec.k + 1, ro.f_k: ro.f_after}).relation,
        ),
        start=((rec.k, 0), (ro.f_k, F)),
        next=((rec.k, rec.k + 1), (ro.f_k, ro.f_after)),
    )
    end = obligation(
        "min‖∇f‖ ≤ √(E² + A²)",
        (ETA, SMOOTH, ROUNDS, GAP, HIGH, size.conclusion, NORM, ro.BOUNDED, FALLEN.at(ro.AFTER_ALL)),
        rec.low <= bound(far),
    )
    given = R + constant * L * gamma * sympy.sqrt(height_of(height))
    meant = obligation(
        "E, from the letters of the statement",
        (SMOOTH, se.SCALE, level, height, higher),
        equal(far, given),
    )
    stated = obligation(name, (ETA, ROUNDS, meant.conclusion, end.conclusion), rec.low <= bound(given))
    return Proof(
        (*se.SEVERAL_HYPOTHESES, QUIET, ROOTS_R, ro.STEP_SEVERAL, higher),
        (scale, *nodes, de.LEMMA4_ANY, *no.NOISE_NODES, ro.SMALL_ERROR, SAME, size, allowed, OFF_THE_BALL, down, end, meant, stated),
    )  # fmt: skip


def height_of(height: Fact) -> sympy.Expr:
    """What s is the root of."""
    return 2 * L * (F + Delta + Delta_local) if height == se.HEIGHT_IG else 2 * L * (F + Delta)


def _before(nodes: tuple[Node, ...], last: Node) -> tuple[Node, ...]:
    return nodes[: nodes.index(last) + 1]


HALF_BIAS = sympy.Rational(1, 2)
GRADIENT = quiet(
    _before(se.GD_NODES, se.NEAR_GD), se.NEAR_GD, HALF_BIAS, se.HEIGHT, se.HIGHER, "Theorem 1 without noise"
)
PASSES = quiet(
    _before(se.IG_NODES, se.NEAR_IG), se.NEAR_IG, sympy.Integer(1), se.HEIGHT_IG, se.HIGHER_IG, "Theorem 2 without noise"
)  # fmt: skip
_IF = "p = 1, z_i = 0, β ≤ (√α + √R)², η ≤ βR/(2L(α+R)), γ ≤ 1/(2L)"
_BOUND = "min_k ‖∇f(xᵏ)‖ ≤ √(E² + A²), A = (f(x⁰)−f^inf)/((K+1)η) + Lη/2, E = R + "
R2_QUIET = claim(
    "FED-R2-QUIET",
    "ours, Theorem 1 without a condition on ηγ, all clients, no noise",
    "ours",
    f"If {_IF} and f(x⁰) > (1/M)Σf_i^inf, then {_BOUND}½Lγ√(2L(f(x⁰) − (1/M)Σf_i^inf))",
    "While ‖∇f‖ > √(E² + A²) the step deviates from the gradient by at most the angle arcsin(E/‖∇f‖), so that f falls, and what the "
    "local steps drift by stays below what f(x⁰) allows. FED-R2-SHARP has 2E + A here: with noise the "
    "argument fails.",
    proof=GRADIENT,
    consequence="Without noise the drift of FED-R2-SHARP is halved, and R as well (one local step: NEC-OUR-T1-ROOT).",
)
R3_QUIET = claim(
    "FED-R3-QUIET",
    "ours, Theorem 2 without a condition on ηγ, all clients, no noise",
    "ours",
    f"If {_IF} and f(x⁰) > (1/M)Σ(1/N)Σf_{{i,j}}^inf, then {_BOUND}Lγ√(2L(f(x⁰) − (1/M)Σ(1/N)Σf_{{i,j}}^inf))",
    "The same for incremental gradient, one pass, every f_{i,j} L-smooth.",
    proof=PASSES,
)

# Theorem 1 as it is printed, without noise. While ‖∇f‖ is above 2R + e + Lη/2, f falls, and the lower it is the smaller is the bias
# and the faster it falls: by (3ηκk/8)² in k rounds, κ = ½Lγ√(2L). So with ρ = (f(x⁰) − f^inf)/((K+1)η) either κ²(f(x⁰) − f^inf) is
# at most (64/9)ρ², and √(E² + A²) is below the printed bound, or e is at most 3ρ + X, X the printed drift, which √Δ^inf ≤ LIMIT gives.
first, drift, bias, root, times, ell = letters("ρ X e √Δ^inf f_gap/Δ^inf Lγ√(2L)")
LIMIT, LIMIT_TEXT = 48 * (16 + sympy.sqrt(255)), "48(16+√255)"
SEVERAL = hypothesis("T ≥ 2", T >= 2)
SMALL = sm.small(LIMIT, LIMIT_TEXT)
_LETTERS = definition(
    "ρ = (f(x⁰) − f^inf)/((K+1)η), X = 8Lγ√(2L)√Δ^inf, e = ½Lγ√(2L(f(x⁰) − f^inf + Δ^inf))",
    equal(first * (K + 1) * eta, F)
    & equal(drift, 8 * ell * root)
    & (bias >= 0)
    & equal(4 * bias**2, ell**2 * (F + Delta))
    & (ell >= 0)
    & equal(ell**2, 2 * L**3 * gamma**2)
    & (root >= 0)
    & equal(root**2, Delta)
    & equal(times * Delta, F),
)
_SIZES = (SMOOTH, ETA, GAMMA, ROUNDS, GAP, SPREAD)
_END = 2 * R + bias + _HALF
"""Above it f falls faster and faster."""
far_k, fall_k, nearer = letters("E_k d_k e−e_k")
_FALLEN = 3 * rec.k * eta * ell / 16
_LOWER = ro.f_k <= F - _FALLEN**2
_COUNTED = definition("k ≥ 0", rec.k >= 0)
FASTER = Fact(
    "f(xᵏ) − f^inf ≤ f(x⁰) − f^inf − (3ηκk/8)², or min‖∇f‖ ≤ 2R + e + Lη/2",
    (rec.k >= 0) & ((rec.low <= _END) | _LOWER),
    "derived",
)
_SLOWER = definition(
    "d_k = R + ¾κ · 3ηκk/8, E_k = R + e − (e − e_k), 2e(e − e_k) = (κ · 3ηκk/8)²",
    equal(fall_k, R + 3 * ell * _FALLEN / 8)
    & equal(far_k, R + bias - nearer)
    & equal(8 * bias * nearer, ell**2 * _FALLEN**2),
)


def _faster(meaning: Obligation) -> tuple[Node, ...]:
    """That f falls faster and faster. meaning: that E is R + e."""
    given = (*_SIZES, RADIUS, _LETTERS)
    room = obligation(
        "R ≥ 4Lη", (*_SIZES, RADIUS, LOCAL_STEP, ALPHA, BETA, FEEDBACK, ro.HALF_STEP), R >= 4 * L * eta
    )
    within = obligation(
        "κ · 3ηκk/8 ≤ e where f has fallen by so much",
        (*given, _COUNTED, ro.BOUNDED),
        sympy.Implies(_LOWER, ell * _FALLEN <= 2 * bias),
    )
    allowed = obligation(
        "‖∇f(xᵏ) − v̂ᵏ⁺¹‖ ≤ E_k there",
        (
            *given, _SLOWER, se.SCALE, se.HEIGHT, is_far(HALF_BIAS), meaning.conclusion, se.NEAR_GD.conclusion, SAME.conclusion,
            ro.ERROR_OF,
        ),
        sympy.Implies(_LOWER, de.error <= far_k),
    )  # fmt: skip
    steep = obligation(
        "‖∇f‖² ≥ E_k² + (d_k + Lη/2)² there",
        (*given, _SLOWER, _COUNTED, within.conclusion, *LOW),
        sympy.Implies(
            _LOWER & (rec.low > _END),
            (far_k >= 0) & (fall_k >= 0) & (rec.W**2 >= far_k**2 + (fall_k + _HALF) ** 2),
        ),
    )
    on = obligation(
        "f' ≤ f − ηd_k there",
        (allowed.conclusion, steep.conclusion, OFF_THE_BALL.conclusion.at({far: far_k, fall: fall_k, **ro.ROUND})),
        sympy.Implies(_LOWER & (rec.low > _END), ro.f_after <= ro.f_k - eta * fall_k),
    )  # fmt: skip
    down = Induction(
        FASTER.name,
        FASTER,
        obligation("nothing fallen before round 0", (), FASTER.at({rec.k: 0, ro.f_k: F}).relation),
        obligation(
            "fallen faster after one round more",
            (FASTER, *given, LOCAL_STEP, _SLOWER, room.conclusion, on.conclusion),
            FASTER.at({rec.k: rec.k + 1, ro.f_k: ro.f_after}).relation,
        ),
        start=((rec.k, 0), (ro.f_k, F)),
        next=((rec.k, rec.k + 1), (ro.f_k, ro.f_after)),
    )
    end = obligation(
        "κ²(f(x⁰) − f^inf) ≤ (64/9)ρ², or min‖∇f‖ ≤ 2R + e + Lη/2",
        (*given, ro.BOUNDED, FASTER.at(ro.AFTER_ALL)),
        (rec.low <= _END) | (9 * ell**2 * F <= 256 * first**2),
    )
    return room, within, allowed, steep, on, down, end


LONG = obligation(
    "ρ ≥ 4Lγ√(2L)(f(x⁰) − f^inf)/Δ^inf", (*_SIZES, ro.PRINTED_ROUNDS, _LETTERS), first >= 4 * ell * times
)
QUADRATIC = obligation(
    "(12t + 8√Δ^inf)² ≥ ¼(1 + t)Δ^inf, t = (f(x⁰) − f^inf)/Δ^inf",
    (SPREAD, GAP, SMALL, _LETTERS),
    4 * (12 * times + 8 * root) ** 2 >= (1 + times) * root**2,
)
PAID = obligation(
    "e ≤ 3ρ + X", (*_SIZES, _LETTERS, LONG.conclusion, QUADRATIC.conclusion), bias <= 3 * first + drift
)


def _as_printed() -> Proof:
    shown = (
        FROM_FEEDBACK,
        ro.shorter(ro.STEP_SEVERAL, ro.HALF_STEP),
        obligation(se.HIGHER.name, (SPREAD, GAP), se.HIGHER.relation),
    )
    *before, last = GRADIENT.nodes[:-2]
    same = obligation(
        "E = R + e, and X, ρ ≥ 0",
        (*_SIZES, RADIUS, _LETTERS, se.HEIGHT, is_far(HALF_BIAS)),
        equal(far, R + bias) & (first >= 0) & (drift >= 0),
    )
    rooted = obligation(
        "min‖∇f‖ ≤ √((R + e)² + (ρ + Lη/2)²)",
        (ETA, ROUNDS, definition("ρ", equal(first * (K + 1) * eta, F)), same.conclusion, last.conclusion),
        rec.low <= sympy.sqrt((R + bias) ** 2 + (first + _HALF) ** 2),
    )
    faster = _faster(same)
    norm = definition("e ≥ 0", bias >= 0)
    right = 3 * first + 2 * R + drift + _HALF
    squares = obligation(
        "(R + e)² + (ρ + Lη/2)² ≤ (3ρ + 2R + X + Lη/2)² where κ²(f(x⁰) − f^inf) ≤ (64/9)ρ²",
        (*_SIZES, RADIUS, _LETTERS, norm, same.conclusion, PAID.conclusion),
        sympy.Implies(9 * ell**2 * F <= 256 * first**2, (R + bias) ** 2 + (first + _HALF) ** 2 <= right**2),
    )
    end = obligation(
        "min‖∇f‖ ≤ 3ρ + 2R + X + Lη/2",
        (
            SMOOTH,
            ETA,
            RADIUS,
            same.conclusion,
            rooted.conclusion,
            faster[-1].conclusion,
            squares.conclusion,
            PAID.conclusion,
        ),
        rec.low <= right,
    )
    stated = obligation(
        "the printed bound",
        (*_SIZES, RADIUS, _LETTERS, end.conclusion),
        rec.low
        <= 3 / (K + 1) * F / eta
        + 2 * R
        + gamma * 8 * L * sympy.sqrt(2 * L) * sympy.sqrt(Delta)
        + eta * L / 2,
    )
    return Proof(
        (*se.SEVERAL_HYPOTHESES, QUIET, SEVERAL, FEEDBACK, ro.HALF_STEP, ro.PRINTED_ROUNDS, SPREAD, SMALL),
        (*shown, *before, last, same, *faster, LONG, QUADRATIC, PAID, rooted, squares, end, stated),
    )


PRINTED = _as_printed()
CLAIMS = (
    R2_QUIET,
    R3_QUIET,
    claim(
        "FED-T1-QUIET",
        f"ours, Theorem 1 as printed, all clients, no noise, {SMALL.name}",
        "ours",
        THEOREMS["FED-T1-MAIN"] + f" [p = 1, σ_DP = 0, T ≥ 2; {SMALL.name}; 0/0 = 0]",
        f"Without noise the printed condition is enough up to Δ^inf = {up_to(LIMIT)} in the units used, in place of "
        f"{up_to(FACTOR)} (FED-T1-MAIN@small-Delta). The bounds of the three versions of Theorem 1 do not differ here: "
        "B = 0; F.2's γ/3 only asks for more.",
        proof=PRINTED,
        consequence=f"FED-T1-MAIN's witness, of this kind, has Δ^inf = {FAR}, and with more local steps such runs break it from less: "
        "if their bias is all that FED-L7-LEVEL allows, from this limit on.",
    ),
)
