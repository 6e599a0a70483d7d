"""Lemma 1: one round of the error feedback, and what remains of it.

Write r = ‖P(xᵏ) − vᵏ‖ with P(x) = (x − T(x))/γ, and w = ‖P(xᵏ) − vᵏ⁺¹‖. Then w = |φ(r)| with φ(r) = r − βr/(α + r). φ is
convex, φ(0) = 0, and where β > α it is negative between 0 and β − α, with smallest value −(√β − √α)². So |φ(r)| ≤ φ(C) is
false for r < C in general, and with it the first conclusion; |φ(r)| ≤ C is what survives, for every r that the rounds can
reach, exactly when (√β − √α)² ≤ C or β ≤ α.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from verify.claim import Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.lemmas.lemma_displays import LEMMAS
from verify.fed_alpha_normec.lemmas.local_gradient import CLOSE, D_0
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    FEEDBACK,
    GAMMA,
    RADIUS,
    R,
    alpha,
    at_least_zero,
    beta,
    claim,
    eta,
    gamma,
    values,
)
from verify.gram import Space, square, vectors
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

C, rho, r, r_next, w, w_0, w_next, r_0, delta, step, moved, q = letters(
    "C rho r r_next w w_0 w_next r_0 delta step moved q"
)

IN_BALL = hypothesis("r = ‖P(xᵏ) − vᵏ‖ ≤ C", (r >= 0) & (r <= C))
BALL = hypothesis("C > 0", C > 0)
FEEDBACK_C = hypothesis("β/(α + C) < 1", beta / (alpha + C) < 1)


def shrunk(of: sympy.Expr, to: sympy.Symbol) -> Fact:
    """`to` is the residual after the memory's step from the residual `of`: Lemma 1 of α-NormEC's paper."""
    return definition(
        f"{to} = |1 − β/(α + {of})| {of}",
        (of >= 0) & (to >= 0) & equal(to**2, ((1 - beta / (alpha + of)) * of) ** 2),
    )


SHRUNK = shrunk(r, w)

# The identity behind it, for vectors of any dimension: u = P(x) − v.
(u,) = vectors("u")
_space = Space((u,))
_size = _space.norm(u, "r")
_share: Any = beta / (alpha + _size)
DISTANCE = obligation(
    "‖u − β Norm_α(u)‖² = (1 − β/(α + ‖u‖))² ‖u‖²",
    (ALPHA, BETA, *_space.facts()),
    equal(square(u - _share * u), (1 - beta / (alpha + _size)) ** 2 * _size**2),
)

SECOND = obligation("‖P(xᵏ) − vᵏ⁺¹‖ ≤ C", (ALPHA, BETA, BALL, FEEDBACK_C, IN_BALL, SHRUNK), w <= C)

# The repair of the first conclusion, and the invariant that the theorems need instead.
DRIFT = standard(
    "triangle inequality, δ = ‖P(xᵏ⁺¹) − P(xᵏ)‖", (delta >= 0) & (r_next >= 0) & (r_next <= w + delta)
)
GEOMETRIC_MEAN = hypothesis("q = √(αβ)", (q >= 0) & equal(q**2, alpha * beta))
WEAKEST = hypothesis(
    "β ≤ α or (√β − √α)² ≤ C(1 − β/(α + C))",
    (beta <= alpha) | (beta + alpha - 2 * q <= C * (1 - beta / (alpha + C))),
)
_LEFT, _LARGEST = (1 - beta / (alpha + r)) * r, C * (1 - beta / (alpha + C))
_AT_LARGEST = obligation("C(1 − β/(α + C)) ≥ 0", (ALPHA, BETA, BALL, GEOMETRIC_MEAN, WEAKEST), _LARGEST >= 0)
_BELOW = obligation(
    "(1 − β/(α + r))r ≤ C(1 − β/(α + C))",
    (ALPHA, BETA, BALL, IN_BALL, _AT_LARGEST.conclusion),
    _LEFT <= _LARGEST,
)
_TURNED = obligation(
    "(1 − β/(α + r))r ≥ −(√β − √α)²", (ALPHA, BETA, IN_BALL, GEOMETRIC_MEAN), -_LEFT <= beta + alpha - 2 * q
)
_OVER = obligation(
    "(1 − β/(α + r))r ≥ −C(1 − β/(α + C))",
    (ALPHA, BETA, BALL, IN_BALL, WEAKEST, _TURNED.conclusion, _AT_LARGEST.conclusion),
    -_LEFT <= _LARGEST,
)
_REMAINS = obligation(
    "‖P(xᵏ) − vᵏ⁺¹‖ ≤ C(1 − β/(α + C))",
    (ALPHA, BALL, SHRUNK, _BELOW.conclusion, _OVER.conclusion),
    w <= _LARGEST,
)
OVERSHOT = (_AT_LARGEST, _BELOW, _TURNED, _OVER, _REMAINS)
RHO = hypothesis("ρ > 0", rho > 0)
STEP_LIMIT = hypothesis("η ≤ γβC/((1+ρ)(α+C))", eta <= gamma * beta * C / ((1 + rho) * (alpha + C)))
LIPSCHITZ = standard("‖T(x) − T(y)‖ ≤ ρ‖x − y‖ and the triangle inequality", gamma * delta <= D_0 + rho * D_0)
_EXACT = hypothesis(
    "β ≤ α or (√β − √α)² ≤ C − (1 + ρ)η/γ",
    (beta <= alpha) | (beta + alpha - 2 * q <= C - (1 + rho) * eta / gamma),
)
_SO_FAR = obligation(
    "‖P(xᵏ⁺¹) − P(xᵏ)‖ ≤ (1 + ρ)η/γ ≤ βC/(α + C)",
    (ALPHA, BETA, GAMMA, BALL, RHO, CLOSE, LIPSCHITZ, STEP_LIMIT),
    (delta <= (1 + rho) * eta / gamma) & ((1 + rho) * eta / gamma <= beta * C / (alpha + C)),
)
_ROOM = obligation(
    "‖P(xᵏ) − vᵏ⁺¹‖ ≤ C − (1 + ρ)η/γ",
    (ALPHA, BETA, BALL, IN_BALL, GEOMETRIC_MEAN, _EXACT, _SO_FAR.conclusion, SHRUNK, _TURNED.conclusion),
    w <= C - (1 + rho) * eta / gamma,
)
FIRST_REPAIRED = obligation(
    "‖P(xᵏ⁺¹) − vᵏ⁺¹‖ ≤ C", (_ROOM.conclusion, _SO_FAR.conclusion, DRIFT), r_next <= C
)
_x, _x_next, _v_next, _after, _at_peak = letters("x x⁺ v⁺ r⁺ r_peak")
_PEAK = definition("r = √(αβ) − α", equal(_at_peak, q - alpha))
_RUN = definition(
    "one round with T(x) = −ρx, so that P(x) = (1 + ρ)x/γ, from P(x) = r and v = 0: v⁺ = βr/(α+r), x⁺ = x − η, r⁺ = P(x⁺) − v⁺",
    equal((1 + rho) * _x, gamma * _at_peak)
    & equal(_v_next * (alpha + _at_peak), beta * _at_peak)
    & equal(_x_next, _x - eta)
    & equal(_after, (1 + rho) * _x_next / gamma - _v_next),
)
_NECESSARY = obligation(
    "necessary: for β > α that round starts at r ∈ [0, C] and ends at |r⁺| = (√β − √α)² + (1 + ρ)η/γ",
    (ALPHA, BETA, GAMMA, RHO, BALL, FEEDBACK_C, GEOMETRIC_MEAN, at_least_zero(eta), _PEAK, _RUN),
    sympy.Implies(
        beta > alpha,
        (_at_peak >= 0)
        & (_at_peak <= C)
        & equal(_after, -(beta + alpha - 2 * q + (1 + rho) * eta / gamma))
        & (beta + alpha - 2 * q >= 0),
    ),
)

# Invariant over the rounds, in the letters of the theorems (C = R).
ROOTS_R = hypothesis("β ≤ (√α + √R)²", beta <= (sympy.sqrt(alpha) + sympy.sqrt(R)) ** 2)
START = hypothesis("r_0 = ‖P_i(x⁰) − v_i⁰‖ ≤ R, P_i(x) = (x − T_i(x))/γ", (r_0 >= 0) & (r_0 <= R))
LINK = standard(
    "triangle inequality: the residual after the step to xᵏ⁺¹", (r_next >= 0) & (r_next <= w + moved)
)
MOVED = hypothesis("‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ βR/(α + R)", (moved >= 0) & (moved <= beta * R / (alpha + R)))
INVARIANT = Fact("‖P_i(xᵏ) − v_iᵏ⁺¹‖ ≤ R", w <= R, "derived")


def kept(movement: Fact) -> Induction:
    """‖P_i(xᵏ) − v_iᵏ⁺¹‖ ≤ R for every k, from a fact that bounds how far P_i moves in a round."""
    return Induction(
        INVARIANT.name,
        INVARIANT,
        obligation("after round 0", (ALPHA, BETA, RADIUS, ROOTS_R, START, shrunk(r_0, w_0)), w_0 <= R),
        obligation(
            "one round later",
            (
                ALPHA,
                BETA,
                RADIUS,
                ROOTS_R,
                INVARIANT,
                at_least_zero(w),
                LINK,
                movement,
                shrunk(r_next, w_next),
            ),
            w_next <= R,
        ),
        start=((w, w_0),),
        next=((w, w_next),),
    )


FROM_FEEDBACK = obligation(
    ROOTS_R.name, (ALPHA, BETA, RADIUS, FEEDBACK), beta <= (sympy.sqrt(alpha) + sympy.sqrt(R)) ** 2
)


def residual(numbers: Values) -> tuple[Fraction, Fraction, tuple[tuple[str, bool], ...]]:
    """Replay in one dimension: vᵏ = 0, T(x) = −ρx (which is ρ-Lipschitz), P(x) = (1 + ρ)x/γ."""
    a, b, c, r_, rho_, g = (numbers[n] for n in ("alpha", "beta", "C", "r", "rho", "gamma"))
    eta_ = g * b * c / ((1 + rho_) * (a + c))
    x = g * r_ / (1 + rho_)
    v_next = b * r_ / (a + r_)
    x_next = x - eta_
    first = abs((1 + rho_) * x_next / g - v_next)
    second = abs(r_ - v_next)
    met = (
        ("‖(xᵏ − T(xᵏ))/γ − vᵏ‖ ≤ C", abs((1 + rho_) * x / g) <= c),
        ("‖xᵏ⁺¹ − xᵏ‖ ≤ η", abs(x_next - x) <= eta_),
        ("β/(α + C) < 1", b / (a + c) < 1),
        ("η ≤ γβC/((1 + ρ)(α + C))", eta_ <= g * b * c / ((1 + rho_) * (a + c))),
    )
    return first, second, met


def _first_conclusion(numbers: Values) -> Comparison:
    first, _, met = residual(numbers)
    return Comparison(first, "<=", numbers["C"], met)


OVERSHOOT = values(alpha=1, beta="15/8", C=1, r="1/2", rho=2, gamma=1)

LEMMA1_FIRST = claim(
    "FED-L1-i",
    "Appendix E, Lemma 1, first conclusion",
    "lemma",
    LEMMAS["FED-L1-i"],
    "A small residual is overshot when β > α: |1 − β/(α+r)| r can exceed (1 − β/(α+C)) C for r < C.",
    witness=Witness(
        OVERSHOOT,
        "the residual stays at most C",
        _first_conclusion,
        "d = 1, v = 0, T(x) = −2x: the residual goes from 1/2 to 17/16 with C = 1",
    ),
    repair=Repair(
        "The first conclusion holds if in addition β ≤ α or (√β − √α)² ≤ C − (1 + ρ)η/γ.",
        "β ≤ α or (√β − √α)² ≤ C − (1 + ρ)η/γ",
        Proof(
            (
                ALPHA,
                BETA,
                GAMMA,
                RHO,
                BALL,
                FEEDBACK_C,
                GEOMETRIC_MEAN,
                _EXACT,
                IN_BALL,
                CLOSE,
                STEP_LIMIT,
            ),
            (_TURNED, _SO_FAR, _ROOM, FIRST_REPAIRED, _NECESSARY),
        ),
        weakest="necessary and sufficient for every η that is allowed: with T(x) = −ρx, where P can move straight away from v, the "
        "residual r = √(αβ) − α comes out as (√β − √α)² + (1 + ρ)η/γ",
    ),
    consequence="The theorems' induction on ‖v_iᵏ − P_i(xᵏ)‖ has to be replaced; see FED-L1-INV.",
)

LEMMA1_SECOND = claim(
    "FED-L1-ii",
    "Appendix E, Lemma 1, second conclusion",
    "lemma",
    LEMMAS["FED-L1-ii"],
    "True although its printed proof is not: with φ(r) = (1 − β/(α+r))r, φ(r) ≤ r ≤ C; for β ≤ α φ(r) ≥ 0, and for β > α "
    "−φ(r) ≤ (√β − √α)² < C.",
    proof=Proof((ALPHA, BETA, BALL, FEEDBACK_C, IN_BALL), (DISTANCE, SECOND)),
)

INVARIANT_CLAIM = claim(
    "FED-L1-INV",
    "ours, in place of Lemma 1 in the theorems' induction",
    "ours",
    "If ‖P_i(x⁰) − v_i⁰‖ ≤ R, ‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ βR/(α + R) in every round and β ≤ (√α + √R)², then "
    "‖P_i(xᵏ) − v_iᵏ⁺¹‖ ≤ R in every round",
    "The residual after the memory's step is an invariant even where the residual before it is not.",
    proof=Proof((ALPHA, BETA, RADIUS, ROOTS_R, START, MOVED), (kept(MOVED),)),
    consequence="β may be as large as (√α + √R)², which is more than the α + R that the paper allows.",
)

CLAIMS = (LEMMA1_FIRST, LEMMA1_SECOND, INVARIANT_CLAIM)
