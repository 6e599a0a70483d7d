"""How far apart two messages of α-NormEC are where Theorem 2's conditions bound the residuals that they are made of.

A message is made of ∇f_i(x^k) − g_i^k, the residual before the memory's update. What the conditions keep below R is what the
update leaves of it (NEC-T2-S1). Where β > α a short residual can come out of the update longer than it went in, and then the gradient
moves by L_maxγ at most.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.alpha_normec.lemmas.lemma2 import PEAK, ROOTS, at_peak, presupposed
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
    r_next,
    s,
    t,
    w,
)
from verify.alpha_normec.theorems import descent
from verify.alpha_normec.theorems.descent import CITE_LEMMA1, SMOOTH_I, START
from verify.citation import Cite
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
G, now, other, over = letters("G r_k r′_k (√β−√α)²")
SHARED = (ALPHA, BETA, GAMMA, SMOOTH_MAX, SMOOTH_I, SHORT_STEP)
"""What Theorem 2 asks of the parameters and the clients, but for β/(α+R) < 1, which no bound here takes. Its noise may be anything:
a step is γ long at most on every path."""
_SHORT = descent.steps_are_short()
_GROWS = descent.residual_grows_slowly(_SHORT.conclusion)
NORMS = definition("residuals are norms", (now >= 0) & (other >= 0) & (r_next >= 0))
OVER = definition("(√β − √α)²", equal(over, (t - s) ** 2))
LONGEST = definition(
    "G = R where β ≤ α, G = max(R, (√β − √α)² + L_maxγ) elsewhere",
    ((beta <= alpha) & equal(G, R)) | ((beta > alpha) & equal(G, sympy.Max(R, over + L_max * gamma))),
)
_HERE = CITE_LEMMA1.conclusion.at({r: now})
_LESSENED = obligation(
    "of a residual r_k ≤ G, where α + r_k ≥ β, at most G − βG/(α + G) is left",
    (ALPHA, BETA, NORMS, _HERE),
    sympy.Implies((beta <= alpha + now) & (now <= G), w * (alpha + G) <= G * (alpha + G - beta)),
)
_OVERSHOT = obligation(
    "where α + r_k < β the update overshoots by at most (√β − √α)²",
    (ALPHA, BETA, NORMS, ROOTS, OVER, _HERE),
    sympy.Implies(beta > alpha + now, w <= over),
)
_MOVED = obligation(
    "L_maxγ ≤ βG/(α + G)",
    (ALPHA, BETA, SHORT_STEP, SMOOTH_MAX, RADIUS, LONGEST),
    (G >= R) & (L_max * gamma * (alpha + G) <= beta * G),
)
_EVERY = derived("‖∇f_i(xᵏ) − g_iᵏ‖ ≤ G for all k", now <= G)
EVERY_ROUND = Induction(
    _EVERY.name,
    _EVERY,
    Obligation("start", (START, _MOVED.conclusion), derived("start", r <= G)),
    Obligation(
        "one round more",
        (
            ALPHA,
            RADIUS,
            NORMS,
            _EVERY,
            LONGEST,
            _LESSENED.conclusion,
            _OVERSHOT.conclusion,
            _MOVED.conclusion,
            _GROWS.conclusion,
        ),
        derived("one round more", r_next <= G),
    ),
    ((now, r),),
    ((now, r_next),),
)

_x, _own, _own_next, _second_next, _second_own, _after, _after_other = letters("x g₁ g₁⁺ g₂⁺ g₁′⁺ r⁺ r′⁺")
_RUN = definition(
    "one step from L_max x = R + 1, g_1 = L_max x − r, g_2 = 1, r = √(αβ) − α: on one data set f_1 = f_2 = L_max y²/2, so that "
    "∇f_1(x) = g_1 + r; on the other ∇f_1 = g_1 − r at x, with slope −L_max; x⁺ = x − γ on both",
    equal(_x * L_max, R + 1)
    & equal(_own, _x * L_max - at_peak)
    & equal((_own_next - _own) * (alpha + at_peak), beta * at_peak)
    & equal((_second_own - _own) * (alpha + at_peak), -beta * at_peak)
    & equal((_second_next - 1) * (alpha + R), beta * R)
    & equal(_after, _own + at_peak - L_max * gamma - _own_next)
    & equal(_after_other, _own - at_peak + L_max * gamma - _second_own),
)
REACHED = obligation(
    "where β > α: r ∈ [0, R], ĝ⁺ > 0 on both data sets, and the two residuals are ∓((√β − √α)² + L_maxγ)",
    (ALPHA, BETA, GAMMA, SMOOTH_MAX, CONTRACTION, RADIUS, ROOTS, OVER, PEAK, _RUN),
    sympy.Implies(
        beta > alpha,
        (at_peak >= 0)
        & (at_peak <= R)
        & (_own_next + _second_next > 0)
        & (_second_own + _second_next > 0)
        & equal(_after, -(over + L_max * gamma))
        & equal(_after_other, over + L_max * gamma),
    ),
)

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
    (ALPHA, NORMS, MESSAGES, _EVERY, _EVERY.at({now: other}), TRIANGLE.conclusion),
    (_apart * (alpha + G) <= 2 * G) & (_apart < 2),
)


def further_apart(v: Values) -> Comparison:
    """The second messages of client 1 on two data sets, whose memories, x⁰ and first step are the same, against 2G/(α + G) with
    G = √G². L_max = 1. Where the run goes its gradient has slope 1 on the one and −1 on the other, and starts r above its memory, or
    r below. Client 2's residual is R, on both. √α and √β are among the values, so that G is a fraction."""
    x, start = v["x"], (v["x"] - v["r"], v["x"] - v["R"])
    rising = Quadratic(F(1))
    falling = Curve((x - 13, x - 2, x + 9), (F(0), start[0] - v["r"] + 2, start[0] - v["r"] - 9))
    runs, messages = [], []
    for own in (rising, falling):
        run = alpha_normec([own.gradient, rising.gradient], x, start, v["alpha"], v["beta"], v["gamma"], 1)
        runs.append(run)
        messages.append(normalise(v["alpha"], own.gradient(run.x[1]) - run.memories[1][0]))
    longest = max(v["R"], (v["root_beta"] - v["root_alpha"]) ** 2 + v["gamma"])
    met = (
        *presupposed(v),
        ("β > α, with their roots", v["root_beta"] ** 2 == v["beta"] > v["alpha"] == v["root_alpha"] ** 2),
        ("R is the largest residual at the start, on both data sets", all(
            max(abs(f.gradient(x) - g) for f, g in zip((own, rising), start, strict=True)) == v["R"]
            for own in (rising, falling))),
        ("f_1 is 1-smooth and bounded below", falling.smoothness == 1 and falling.slopes[0] <= 0 <= falling.slopes[-1]),
        ("x¹ is the same, whatever noise leaves the sign of ĝ¹ as it is", runs[0].x == runs[1].x),
        ("G > R", longest > v["R"]),
    )  # fmt: skip
    return Comparison(abs(messages[0] - messages[1]), "==", 2 * longest / (v["alpha"] + longest), met)


VALUES = {
    name: F(value)
    for name, value in {
        "alpha": "1", "beta": "9/4", "root_alpha": "1", "root_beta": "3/2", "gamma": "27/20", "R": "3/2", "r": "1/2", "x": "10",
    }.items()
}  # fmt: skip
ATTAINED = Computation(
    "run exactly: at α = L_max = 1, β = 9/4, γ = 27/20, R = 3/2 two messages are 2G/(α + G) = 16/13 apart, and 2R/(α + R) = 6/5",
    "enumeration",
    lambda: further_apart(VALUES),
)
(S5_ALPHA,) = CLAIMS = (
    Claim(
        "NEC-OUR-S5-ALPHA",
        PAPER,
        "ours, on Section 5's sentence on α",
        "ours",
        "Under Theorem 2's conditions ‖∇f_i(x^k) − g_i^k‖ ≤ G on every path, with G = R where β ≤ α and "
        "G = max(R, (√β − √α)² + L_maxγ) elsewhere. Where they hold on two data sets with the same g_i⁰, a client's messages on the "
        "two are at most 2G/(α + G) < 2 apart. Neither can be lessened for any α, β, γ, R and L_max: for β > α, G = R is enough "
        "exactly where (√β − √α)² + L_maxγ ≤ R.",
        "A message is made of the residual before the update. An update that overshoots does so by (√β − √α)² at most; any other "
        "leaves at most G − βG/(α + G), and then the gradient moves by L_maxγ at most. R is reached at the start, the other value one "
        "step later. That needs β/(α+R) < 1, the bounds do not.",
        proof=Proof(
            (*SHARED, CONTRACTION, START),
            (
                CITE_LEMMA1,
                _SHORT,
                _GROWS,
                _LESSENED,
                _OVERSHOT,
                _MOVED,
                EVERY_ROUND,
                REACHED,
                ATTAINED,
                TRIANGLE,
                APART,
            ),
        ),
        consequence="noise of 2G/(α + G) times what a sensitivity of 1 needs is enough, where R, L_max and γ hold for all data sets "
        "considered and are chosen without them",
    ),
)

_more = letters("alpha_2")[0]
FALLS = Proof(
    (*SHARED, CONTRACTION, START),
    (
        Cite(S5_ALPHA, (*SHARED, CONTRACTION, START, RADIUS, RESIDUAL)),
        obligation(
            "2G/(α + G) falls as α grows",
            (ALPHA, definition("α₂ > 0, G > 0", (_more > 0) & (G > 0))),
            sympy.Implies(_more > alpha, 2 * G / (_more + G) < 2 * G / (alpha + G)),
        ),
    ),
)
"""α affects how far apart two messages are where Theorem 2's conditions bound the residuals."""
