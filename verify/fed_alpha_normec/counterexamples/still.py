"""Two functions on which several local steps cancel where the gradients do not, for every number T ≥ 2 of steps and every γ ≤ 1/(2L).

A local step from y is one of γ/T: with h = γL/T it takes f_1' = B + Lx from B to (1 − h)B, and f_2', which falls with slope −L as
far as the steps go, from −A to −(1 + h)A. With A = (1/T) Σ_{j<T} (1 − h)^j and B = (1/T) Σ_{j<T} (1 + h)^j the mean over T steps is AB
for the one and −AB for the other; but f'(0) = (B − A)/2, which is at least (1 − 1/T)γL/2. From memories that are these means nothing
is ever sent but 0.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.computation import Comparison, Computation
from verify.curves import Curve, mean
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.counterexamples.exact import advance, begin, update
from verify.fed_alpha_normec.counterexamples.problems import infimum_is_attained
from verify.fed_alpha_normec.letters import GAMMA, LOCAL_STEP, SMOOTH, L, Places, T, gamma
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

h, j, U, W, U_T, W_T, A, B, y_1, y_2, slope_2, P_1, P_2 = letters(
    "h j U W U_T W_T A B y_1 y_2 f_2'(y_2) P_1(0) P_2(0)"
)
SEVERAL = hypothesis("T ≥ 2", T >= 2)
_STEP = definition("h = γL/T", equal(h * T, gamma * L))
_SIZES = (SMOOTH, GAMMA, LOCAL_STEP, SEVERAL, _STEP)
_SHORT = obligation("h > 0 and Th ≤ 1/2", _SIZES, (h > 0) & (2 * T * h <= 1))
SUMS = Fact(
    "U − W ≥ j(j − 1)h, U + W ≥ 2j, (1 − jh)U ≤ j, 0 ≤ W ≤ j for j ≤ T, U = Σ_{l<j} (1 + h)^l, W = Σ_{l<j} (1 − h)^l",
    (j >= 0)
    & sympy.Implies(
        j <= T,
        (U - W >= 0) & (U - W >= j * (j - 1) * h) & (U + W >= 2 * j) & ((1 - j * h) * U <= j) & (W >= 0) & (W <= j),
    ),
    "derived",
)  # fmt: skip
_ADDED: Places = {j: j + 1, U: U + (1 + h * U), W: W + (1 - h * W)}
SUMMED = Induction(
    SUMS.name,
    SUMS,
    obligation("empty sums of powers", (), SUMS.at({j: 0, U: 0, W: 0}).relation),
    obligation(
        "(1 ± h)^j = 1 + hU and 1 − hW are added", (SUMS, _SHORT.conclusion), SUMS.at(_ADDED).relation
    ),
    start=((j, 0), (U, 0), (W, 0)),
    next=tuple(_ADDED.items()),
)
_ALL: Places = {j: T, U: U_T, W: W_T}
_SLOPES = definition(
    "f_1'(x) = B + Lx, f_2'(0) = −A, A = (1/T) Σ (1 − h)^j, B = (1/T) Σ (1 + h)^j",
    equal(A * T, W_T) & equal(B * T, U_T),
)
_FALLING = definition(
    "f_2' is −A up to 0, falls with slope −L up to 1/L, and rises with slope L from there",
    sympy.Implies((y_2 >= 0) & (L * y_2 <= 1), equal(slope_2, -A - L * y_2)),
)
WALKED = Fact(
    "L y_1 = −hBW and L y_2 = hAU after j ≤ T steps from 0",
    sympy.Implies(j <= T, equal(L * y_1, -h * B * W) & equal(L * y_2, h * A * U)),
    "derived",
)
_SMALL = obligation("0 ≤ A ≤ 1", (SEVERAL, _SLOPES, SUMS.at(_ALL)), (A >= 0) & (A <= 1))
_WITHIN = obligation(
    "0 ≤ hAU ≤ 1 for j ≤ T",
    (SUMS, _SHORT.conclusion, _SMALL.conclusion),
    sympy.Implies(j <= T, (h * A * U >= 0) & (h * A * U <= 1)),
)
_MOVED: Places = {y_1: y_1 - gamma / T * (B + L * y_1), y_2: y_2 - gamma / T * slope_2}
WALK = Induction(
    WALKED.name,
    WALKED,
    obligation("both at 0", (), WALKED.at({j: 0, y_1: 0, y_2: 0, U: 0, W: 0}).relation),
    obligation(
        "one local step of each",
        (WALKED, SMOOTH, SEVERAL, _STEP, _WITHIN.conclusion, _FALLING),
        WALKED.at(_ADDED | _MOVED).relation,
    ),
    start=((j, 0), (y_1, 0), (y_2, 0), (U, 0), (W, 0)),
    next=tuple((_MOVED | _ADDED).items()),
)
_UPDATES = definition("P_i(0) = −y_i/γ after T steps", equal(P_1 * gamma, -y_1) & equal(P_2 * gamma, -y_2))
CANCEL = obligation(
    "P_1(0) = AB = −P_2(0)",
    (SMOOTH, GAMMA, SEVERAL, _STEP, _SLOPES, _UPDATES, WALKED.at({j: T, U: U_T, W: W_T})),
    equal(P_1, A * B) & equal(P_2, -A * B),
)
SLOPE = obligation(
    "f'(0) = (B − A)/2 ≥ (1 − 1/T)γL/2",
    (SEVERAL, _STEP, _SLOPES, SUMS.at(_ALL)),
    (B - A) / 2 >= (1 - 1 / T) * gamma * L / 2,
)


def cancelling(gamma: Fraction, T: int) -> tuple[Curve, Curve]:
    """f_1 and f_2 at L = 1."""
    powers = [(Fraction(1) - sign * gamma / T) ** j for sign in (1, -1) for j in range(T)]
    a, b = sum(powers[:T], Fraction(0)) / T, sum(powers[T:], Fraction(0)) / T
    return (
        Curve((Fraction(-4), Fraction(4)), (b - 4, b + 4)),
        Curve((Fraction(0), Fraction(1), Fraction(5)), (-a, -a - 1, 3 - a)),
    )


def stands_still_there(gamma: Fraction, T: int) -> Comparison:
    """|f'| after two rounds on these two functions from 0, with v_i⁰ = P_i(0) and other α, β, η in each."""
    pair = cancelling(gamma, T)
    clients, whole = [[f] * T for f in pair], mean(pair)
    first = begin(Fraction(0), [update(work, Fraction(0), gamma) for work in clients])
    after = advance(clients, first, Fraction(1), Fraction(1), gamma, Fraction(1, 100))
    later = advance(clients, after, Fraction(1, 7), Fraction(3), gamma, Fraction(5))
    met = (
        ("0 < γ ≤ 1/2, both functions are 1-smooth", 0 < gamma <= Fraction(1, 2) and max(f.smoothness for f in pair) == 1),
        ("the infima are attained", all(map(infimum_is_attained, (*pair, whole)))),
        ("nothing moves, with 0/0 = 0 in line 12", first == after == later),
    )  # fmt: skip
    return Comparison(abs(whole.gradient(later.x)), ">=", (1 - Fraction(1, T)) * gamma / 2, met)


STILL = Proof(
    (SMOOTH, GAMMA, LOCAL_STEP, SEVERAL),
    (
        _SHORT,
        SUMMED,
        _SMALL,
        _WITHIN,
        WALK,
        CANCEL,
        SLOPE,
        *(
            Computation(
                f"L = 1, T = {T}, γ = {step}: two rounds",
                "enumeration",
                lambda T=T, step=step: stands_still_there(step, T),
            )
            for T, step in ((2, Fraction(1, 2)), (3, Fraction(1, 10)), (10, Fraction(1, 1000)), (50, Fraction(1, 2)))
        ),
    ),
)  # fmt: skip
