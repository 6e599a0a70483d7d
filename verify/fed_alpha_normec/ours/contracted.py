"""One local step, β < 2α: Fed-α-NormEC forgets its memories as α-NormEC does (`verify.alpha_normec.ours.contracted`).

The memory's step leaves at most (1 − θ)r of a residual r ≤ R, θ = min(β/(α+R), 2 − β/α), and a round moves ∇f_i by at most
a = Lη ≤ θR, so that residuals stay below R on every path; their potential is (1 − θ)r (`potential`).
"""

from __future__ import annotations

import sympy

from bounds.alpha_normec.contracted import left_over, lessened
from bounds.alpha_normec.ours import noise_term
from bounds.fed_alpha_normec import contracted as bounds
from bounds.fed_alpha_normec.repaired import second_moment
from verify.facts import Fact, definition, derived, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import LINK, SHRUNK, START, r, r_0, r_next, w
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
    F,
    K,
    L,
    M,
    R,
    V,
    alpha,
    beta,
    claim,
    eta,
    p,
)
from verify.fed_alpha_normec.ours import averaged as av
from verify.fed_alpha_normec.ours import potential as po
from verify.fed_alpha_normec.ours import rounds as ro
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

theta = letters("theta")[0]
_AT = {"alpha": alpha, "beta": beta, "R": R, "L": L, "eta": eta}
BELOW_TWICE = hypothesis(bounds.TWICE.printed, bounds.TWICE.relation(_AT))
KEPT_STEP = hypothesis(bounds.KEPT.printed, bounds.KEPT.relation(_AT))
THETA = definition("θ = min(β/(α+R), 2 − β/α)", equal(theta, lessened(alpha, beta, R)))
LESSENS = obligation("0 < θ ≤ 1", (ALPHA, BETA, BELOW_TWICE, RADIUS, THETA), (theta > 0) & (theta <= 1))
CONTRACTED = obligation(
    "(1 − θ)r at most is left of r ≤ R",
    (ALPHA, BETA, RADIUS, THETA, SHRUNK),
    sympy.Implies(r <= R, w <= (1 - theta) * r),
)
_SMALL_MOVE = obligation("a = Lη ≤ θR", (ALPHA, BETA, SMOOTH, RADIUS, KEPT_STEP, THETA), L * eta <= theta * R)


def kept(name: str, given: tuple[Fact, ...]) -> Induction:
    """No residual is ever above R. given: θ ≤ 1, how far P_i moves in a round, and that this is at most θR."""
    every = derived(name, r <= R)
    return Induction(
        name,
        every,
        obligation("start", (START,), r_0 <= R),
        obligation("one round more", (every, *given, CONTRACTED.conclusion, LINK), r_next <= R),
        start=((r, r_0),),
        next=((r, r_next),),
    )


def phi(x: sympy.Expr) -> sympy.Expr:
    """The potential of a residual."""
    return (1 - theta) * x


def fall(every: Induction) -> Obligation:
    """What the memory's step takes off the potential of a residual, none being above R."""
    return obligation(
        "φ(w) + θw ≤ φ(r), φ(x) = (1 − θ)x",
        (every.conclusion, CONTRACTED.conclusion),
        phi(w) + theta * w <= phi(r),
    )


_KEPT = kept(
    "‖∇f_i(xᵏ) − v_iᵏ‖ ≤ R for all k", (LESSENS.conclusion, po.MOVE.conclusion, _SMALL_MOVE.conclusion)
)
FALL = fall(_KEPT)
SHRINKING = po.Potential(
    phi, theta, (1 - theta) * L * eta, ("θ", "(1 − θ)a"), (LESSENS.conclusion,), LESSENS.conclusion, (LESSENS.conclusion,)
)  # fmt: skip
_ROUNDS, _SMALL = po.all_rounds(SHRINKING, FALL.conclusion)
SUMMED = obligation(
    "min E‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/((K+1)η) + Lη/2 + 2(1 − θ)(R/(K+1) + Lη)/θ + √(2β²B*(K+2)/M)",
    (
        BETA,
        ETA,
        CLIENTS,
        ROUNDS,
        PARTICIPATION,
        VARIANCE,
        no.TIGHT_B,
        av.SCALE,
        LESSENS.conclusion,
        po.END.conclusion,
        _SMALL,
    ),
    ro.low
    <= F / (eta * (K + 1))
    + L * eta / 2
    + 2 * left_over(K, R, eta, L, theta)
    + noise_term(beta, K, second_moment(p, V), M),
)
STATED = obligation(
    "which is the stated bound, θ being what it is",
    (SUMMED.conclusion, THETA, LESSENS.conclusion, ALPHA, RADIUS),
    ro.low <= ro.right_side(bounds.ONE_STEP_CONTRACTS),
)
R1_CONTRACTS = claim(
    "FED-R1-CONTRACTS",
    "ours, Theorem 1 for one local step from any memories, β < 2α",
    "ours",
    "If β < 2α and η ≤ θR/L, θ = min(β/(α+R), 2 − β/α), for any R ≥ max_i ‖∇f_i(x⁰) − v_i⁰‖, then min_k E‖∇f(xᵏ)‖ ≤ "
    "(f(x⁰)−f^inf)/((K+1)η) + Lη/2 + 2(1 − θ)(R/(K+1) + Lη)/θ + √(2β²(K+2)(1−p+V)/(pM)), V = E‖z‖²",
    "A client updates its memory in every round, whether it sends or not, so that its residual falls as in NEC-OUR-T1-CONTRACTS on "
    "every path; who takes part and the noise add what they add in FED-R1-SHARP.",
    proof=Proof(
        (*ro.ONE_STEP_HYPOTHESES, BELOW_TWICE, KEPT_STEP),
        (ro.STEP_LENGTH, po.MOVE, LESSENS, CONTRACTED, _SMALL_MOVE, _KEPT, FALL, *_ROUNDS, SUMMED, STATED),
    ),
    consequence="It allows β up to 2α, where FED-R1-FORGETS asks for β ≤ √2 α; and β = α, large against R, makes what memories "
    "cost small. With p = 1 and V = 0 it is NEC-OUR-T1-CONTRACTS.",
)
CLAIMS = (R1_CONTRACTS,)
