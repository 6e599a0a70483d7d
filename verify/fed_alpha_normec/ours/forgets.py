"""One local step: Fed-α-NormEC forgets where its memories start, as α-NormEC does (`verify.alpha_normec.ours.forgets`).

A residual r has the same potential φ(r) = r²/2 + αr: a round takes (β − a)w off it and adds αa + a²/2, a = Lη (`potential`).
"""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec import forgets
from verify.facts import Fact, hypothesis
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import SHRUNK, r, w
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    VARIANCE,
    L,
    alpha,
    beta,
    claim,
    eta,
)
from verify.fed_alpha_normec.ours import averaged as av
from verify.fed_alpha_normec.ours import potential as po
from verify.fed_alpha_normec.ours import rounds as ro
from verify.obligation import obligation
from verify.proof import Proof

MILD = hypothesis(forgets.MILD.printed, beta <= sympy.sqrt(2 * alpha**2))
STRIDE = hypothesis(forgets.STRIDE.printed, eta < beta / L)
SIZES = (ALPHA, BETA, SMOOTH, ETA)


def phi(x: sympy.Expr) -> sympy.Expr:
    """The potential of a residual."""
    return x**2 / 2 + alpha * x


FALL = obligation(
    "φ(w) + βw ≤ φ(r), φ(x) = x²/2 + αx", (ALPHA, BETA, MILD, SHRUNK), phi(w) + beta * w <= phi(r)
)


def potential(a: sympy.Expr, longer: Fact, over: sympy.Expr = sympy.S.Zero) -> po.Potential:
    """φ where no P_i moves by more than a in a round. longer: a < β. over: what the memory's step may add."""
    return po.Potential(
        phi,
        beta - a,
        alpha * a + a**2 / 2 + over,
        ("(β − a)", f"αa + a²/2{' + over' if over else ''}"),
        SIZES,
        longer,
        (ALPHA, RADIUS),
    )


_ONE = potential(L * eta, STRIDE)
_, FIRST = po.at_the_start(_ONE)
_ROUNDS, _SMALL = po.all_rounds(_ONE, FALL.conclusion)
STATED = obligation(
    "which is the stated bound",
    (
        *SIZES,
        STRIDE,
        CLIENTS,
        ROUNDS,
        PARTICIPATION,
        VARIANCE,
        no.TIGHT_B,
        av.SCALE,
        po.END.conclusion,
        _SMALL,
    ),
    ro.low <= ro.right_side(forgets.ONE_STEP_FORGETS),
)
R1_FORGETS = claim(
    "FED-R1-FORGETS",
    "ours, Theorem 1 for one local step from any memories",
    "ours",
    "If β ≤ √2 α and η < β/L, then for every R ≥ max_i ‖∇f_i(x⁰) − v_i⁰‖: min_k E‖∇f(xᵏ)‖ ≤ (f(x⁰)−f^inf)/((K+1)η) + Lη/2 + "
    "((R² + 2αR)/(K+1) + 2αa + a²)/(β − a) + √(2β²(K+2)(1−p+V)/(pM)), a = Lη, V = E‖z‖²",
    "What is left of a client's residual after a round adds up to a bounded number plus a multiple of η (NEC-OUR-T1-FORGETS), so "
    "that R is paid for once and not in every round.",
    proof=Proof((*ro.ONE_STEP_HYPOTHESES, MILD, STRIDE), (ro.STEP_LENGTH, po.MOVE, FALL, *_ROUNDS, STATED)),
    consequence="It says something for v_i⁰ = 0, for which the bounds with 2R say nothing (FED-INIT), where V does not move with K; "
    "with the noise of privacy, whose V grows with K + 1, only for pM > 32V/(K+1) (FED-R1-FORGETS@noise).",
)
CLAIMS = (R1_FORGETS,)
