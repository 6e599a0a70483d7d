"""How far apart two messages of α-NormEC are where Theorem 2's conditions bound the residuals that they are made of.

A message is made of ∇f_i(x^k) − g_i^k, the residual before the memory's update. What the conditions keep below R is what the
update leaves of it (NEC-T2-S1); then the gradient moves by L_maxγ at most.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.alpha_normec.lemmas.lemma2 import LEMMA2_VALUES, presupposed
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CONTRACTION,
    GAMMA,
    PAPER,
    RADIUS,
    SHORT_STEP,
    SMOOTH_MAX,
    L_max,
    R,
    alpha,
    beta,
    gamma,
    r,
    r_next,
    w,
)
from verify.alpha_normec.theorems import descent
from verify.alpha_normec.theorems.descent import CITE_LEMMA1, SMOOTH_I, START
from verify.claim import Claim, Values
from verify.computation import Comparison, Computation
from verify.curves import Curve, Quadratic
from verify.exact import alpha_normec, normalise
from verify.facts import definition, derived, equal, letters
from verify.gram import Space, vectors
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

F = Fraction
G, now, other = letters("G r_k r′_k")
SHARED = (ALPHA, BETA, GAMMA, SMOOTH_MAX, SMOOTH_I, SHORT_STEP, CONTRACTION)
"""What Theorem 2 asks of the parameters and the clients. Its noise may be anything: a step is γ long at most on every path."""
LEFT = tuple(descent.kept(CONTRACTION, R, "R"))
_GROWN, _LEFT_AT_MOST = LEFT[-2].conclusion, LEFT[-1].conclusion
NORMS = definition("residuals are norms", (now >= 0) & (other >= 0) & (r_next >= 0))


def _bounded(residual: sympy.Symbol) -> sympy.Expr:
    return (residual <= R + L_max * gamma) & ((beta > alpha) | (residual <= R))


_LESSENED = obligation(
    "where β ≤ α: of a residual r_k ≤ R at most R − βR/(α + R) is left",
    (ALPHA, BETA, NORMS, CITE_LEMMA1.conclusion.at({r: now})),
    sympy.Implies((beta <= alpha) & (now <= R), w * (alpha + R) <= R * (alpha + R - beta)),
)
_EVERY = derived("‖∇f_i(xᵏ) − g_iᵏ‖ ≤ R + L_maxγ for all k, and ≤ R where β ≤ α", _bounded(now))
EVERY_ROUND = Induction(
    _EVERY.name,
    _EVERY,
    Obligation("start", (GAMMA, SMOOTH_MAX, START), derived("start", _bounded(r))),
    Obligation(
        "one round more",
        (ALPHA, SMOOTH_MAX, SHORT_STEP, RADIUS, _EVERY, _LESSENED.conclusion, _GROWN, _LEFT_AT_MOST),
        derived("one round more", _bounded(r_next)),
    ),
    ((now, r),),
    ((now, r_next),),
)
LONGEST = definition(
    "G = R where β ≤ α, G = R + L_maxγ elsewhere",
    ((beta <= alpha) & equal(G, R)) | ((beta > alpha) & equal(G, R + L_max * gamma)),
)
AT_MOST = obligation("‖∇f_i(xᵏ) − g_iᵏ‖ ≤ G", (EVERY_ROUND.conclusion, LONGEST), now <= G)

_one, _two = vectors("m m′")
_SPACE = Space((_one, _two))
_length, _length_other = _SPACE.norm(_one, "‖m‖"), _SPACE.norm(_two, "‖m′‖")
_apart = _SPACE.norm(_one - _two, "‖m − m′‖")
MESSAGES = definition(
    "‖m‖ = r_k/(α + r_k) of the message m on one data set, ‖m′‖ = r′_k/(α + r′_k) of m′ on the other",
    equal(_length * (alpha + now), now) & equal(_length_other * (alpha + other), other),
)
TRIANGLE = obligation("‖m − m′‖ ≤ ‖m‖ + ‖m′‖", _SPACE.facts(), _apart <= _length + _length_other)
APART = obligation(
    "‖m − m′‖ ≤ 2G/(α + G) < 2",
    (ALPHA, NORMS, MESSAGES, AT_MOST.conclusion, AT_MOST.conclusion.at({now: other}), TRIANGLE.conclusion),
    (_apart * (alpha + G) <= 2 * G) & (_apart < 2),
)


def further_apart(v: Values) -> Comparison:
    """The second messages of client 1 on two data sets, whose memories, x⁰ and first step are the same; L_max = 1. Where the run
    goes its gradient has slope 1 on the one and −1 on the other, and starts r above its memory, or r below. Client 2's residual
    is R, on both."""
    x, start = v["x"], (v["x"] - v["r"], v["x"] - v["R"])
    rising = Quadratic(F(1))
    falling = Curve((F(-1), F(9), F(19)), (F(0), F(10), F(0)))
    runs, messages = [], []
    for own in (rising, falling):
        run = alpha_normec([own.gradient, rising.gradient], x, start, v["alpha"], v["beta"], v["gamma"], 1)
        runs.append(run)
        messages.append(normalise(v["alpha"], own.gradient(run.x[1]) - run.memories[1][0]))
    met = (
        *presupposed(v),
        ("R is the largest residual at the start, on both data sets", all(
            max(abs(f.gradient(x) - g) for f, g in zip((own, rising), start, strict=True)) == v["R"]
            for own in (rising, falling))),
        ("f_1 is 1-smooth and bounded below", falling.smoothness == 1 and falling.infimum == 0),
        ("x¹ is the same, whatever noise leaves the sign of ĝ¹ as it is", runs[0].x == runs[1].x),
    )  # fmt: skip
    return Comparison(abs(messages[0] - messages[1]), ">", 2 * v["R"] / (v["alpha"] + v["R"]), met)


TOO_SHORT = Computation(
    "G = R is too short: at α = R = L_max = 1, β = 15/8, γ = 15/16 two messages are 34/33 apart, and 2R/(α + R) = 1",
    "enumeration",
    lambda: further_apart(LEMMA2_VALUES),
)
CLAIMS = (
    Claim(
        "NEC-OUR-S5-ALPHA",
        PAPER,
        "ours, on Section 5's sentence on α",
        "ours",
        "Under Theorem 2's conditions ‖∇f_i(x^k) − g_i^k‖ ≤ G on every path, with G = R where β ≤ α and G = R + L_maxγ elsewhere. "
        "Where they hold on two data sets with the same g_i⁰, a client's messages on the two are at most 2G/(α + G) < 2 apart. For "
        "β > α, G = R is not enough.",
        "The update leaves R at most of a residual, and then the gradient moves by L_maxγ at most. A message is made of the residual "
        "before the update, which can be longer than R (NEC-L2).",
        proof=Proof((*SHARED, START), (*LEFT, _LESSENED, EVERY_ROUND, AT_MOST, TOO_SHORT, TRIANGLE, APART)),
        consequence="noise of 2G/(α + G) times what a sensitivity of 1 needs is enough, where R, L_max and γ hold for all data sets "
        "considered and are chosen without them",
    ),
)
