"""Item 2 of Lemma 7 with 13/10 for 2: how far two paths of local steps that start η apart are from each other in the mean.

With t = jh the sum of the first j distances is at most (q(t) − 1)η/h, q(t) = 1 + t + t²/2 + t³/5: q(t + h) ≥ (1 + h)q(t) for
t + h ≤ 1/2, as q' ≥ q there and q' increases. At t = γL ≤ 1/2 that is (q(t) − 1)/t ≤ 13/10; 2(√e − 1) < 1.2975 is approached.
"""

from __future__ import annotations

import sympy

from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas.lemma1 import MOVED, moved
from verify.fed_alpha_normec.lemmas.local_gradient import (
    MOVE,
    NEAR,
    S_T,
    STAY,
    STEPS,
    TWO_PATHS,
    D,
    S,
    h,
    j,
    slope,
)
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    ETA,
    GAMMA,
    LOCAL_STEP,
    RADIUS,
    SMOOTH,
    L,
    R,
    T,
    alpha,
    beta,
    eta,
)
from verify.induction import Induction
from verify.obligation import obligation

CONSTANT = sympy.Rational(13, 10)
t, t_T = letters("jh Th")


def _q(at: sympy.Expr) -> sympy.Expr:
    return 1 + at + at**2 / 2 + at**3 / 5


_TIME = definition("t = jh", equal(t, j * h) & (j >= 0))
WITHIN = obligation(
    "t ≥ 0, h ≥ 0, and j + 1 ≤ T ⇒ t + h ≤ 1/2",
    (SMOOTH, GAMMA, LOCAL_STEP, STEPS, _TIME),
    (t >= 0) & (h >= 0) & sympy.Implies(j + 1 <= T, t + h <= sympy.Rational(1, 2)),
)
GROWS = obligation(
    "j + 1 ≤ T ⇒ (1 + h)q(t) ≤ q(t + h)",
    (WITHIN.conclusion,),
    sympy.Implies(j + 1 <= T, (1 + h) * _q(t) <= _q(t + h)),
)


def _gathered(so_far: sympy.Expr, at: sympy.Expr, steps: sympy.Expr) -> sympy.Basic:
    near = sympy.Implies(steps <= T, h * so_far <= (_q(at) - 1) * eta)
    return near & equal(at, steps * h) & (steps >= 0)


SUMMED = Fact("j ≤ T ⇒ h Σ_{l<j} D_l ≤ (q(t) − 1)η", _gathered(S, t, j), "derived")
GATHERED = Induction(
    SUMMED.name,
    SUMMED,
    obligation("nothing gathered", (), sympy.true),
    obligation(
        "one distance more gathered",
        (SUMMED, NEAR, ETA, WITHIN.conclusion, GROWS.conclusion),
        _gathered(S + D, t + h, j + 1),
    ),
    start=((S, 0), (t, 0), (j, 0)),
    next=((S, S + D), (t, t + h), (j, j + 1)),
)
MEAN = obligation(
    "(1/T) Σ ‖x_j − y_j‖ ≤ (13/10)η",
    (SMOOTH, GAMMA, LOCAL_STEP, ETA, STEPS, SUMMED.at({S: S_T, t: t_T, j: T})),
    S_T / T <= CONSTANT * eta,
)
MOVES = obligation(
    "‖P(x) − P(y)‖ ≤ (13/10)Lη",
    (
        SMOOTH,
        definition("T ≥ 1", T >= 1),
        MEAN.conclusion,
        TWO_PATHS.fact.at({TWO_PATHS.length: T * slope, S: S_T}, "P(x) − P(y) is a mean of T differences"),
    ),
    slope <= CONSTANT * L * eta,
)
STEP = hypothesis("η ≤ βR/(1.3L(α + R))", eta <= beta * R / (alpha + R) / (CONSTANT * L))
MOVE_CLOSE = obligation(
    MOVED.name,
    (ALPHA, BETA, RADIUS, SMOOTH, ETA, STEP, MOVE.at({slope: moved}), MOVES.conclusion.at({slope: moved})),
    MOVED.relation,
)
NODES = (TWO_PATHS.induction, STAY, WITHIN, GROWS, GATHERED, MEAN, MOVES, MOVE_CLOSE)
