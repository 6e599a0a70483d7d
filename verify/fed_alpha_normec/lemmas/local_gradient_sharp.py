"""Items 3 and 5 of Lemma 7 with 2/3 for 2: the largest distances that the recursion allows do not decrease.

They are Z_{j+1} = (1 + h)Z_j + γ‖∇f‖/T, so that Σ_l (T−1−l) Z_l ≤ (T/2) Σ Z_l. With ZQ_j = Σ_{l<j} Z_l and twice = Σ_{i≤j} ZQ_i:
monotone Z gives 2 Σ_{i<j} ZQ_i ≤ (j−1) ZQ_j.
"""

from __future__ import annotations

import sympy

from verify.facts import Fact, definition, equal, letters
from verify.fed_alpha_normec.lemmas.local_gradient import AT_T, FAR, PATH, Q_T, STEPS, Q, Y, Y_next, g, h, j
from verify.fed_alpha_normec.letters import GAMMA, LOCAL_STEP, SMOOTH, Places, T, gamma
from verify.induction import Induction
from verify.obligation import obligation

Z, Z_next, ZQ, ZQ_T, twice, twice_T = letters("Z Z_next ZQ ZQ_T twice twice_T")
MAJORANT = definition(
    "Z_0 = 0, Z_{j+1} = (1 + h)Z_j + γ‖∇f‖/T",
    equal(Z_next, (1 + h) * Z + gamma * g / T) & (T >= 1) & (g >= 0),
)
BELOW_IT = Fact("‖x_j − x‖ ≤ Z_j and Σ_{l<j} ‖x_l − x‖ ≤ Σ_{l<j} Z_l", (Y <= Z) & (Q <= ZQ), "derived")
MAJORISED = Induction(
    BELOW_IT.name,
    BELOW_IT,
    obligation("both at 0", (), sympy.true),
    obligation("both one later", (BELOW_IT, PATH, MAJORANT, STEPS), (Y_next <= Z_next) & (Q + Y <= ZQ + Z)),
    start=((Y, 0), (Z, 0), (Q, 0), (ZQ, 0)),
    next=((Y, Y_next), (Z, Z_next), (Q, Q + Y), (ZQ, ZQ + Z)),
)
LARGEST = Fact(
    "Z_j = jγ‖∇f‖/T + h Σ_{l<j} Z_l", equal(Z, j * gamma * g / T + h * ZQ) & (j >= 0) & (Z >= 0), "derived"
)
GROWN = Induction(
    LARGEST.name,
    LARGEST,
    obligation("Z_0 = 0", (), sympy.true),
    obligation(
        "Z_{j+1}",
        (LARGEST, MAJORANT, STEPS, GAMMA),
        equal(Z_next, (j + 1) * gamma * g / T + h * (ZQ + Z)) & (j + 1 >= 0) & (Z_next >= 0),
    ),
    start=((j, 0), (Z, 0), (ZQ, 0)),
    next=((j, j + 1), (Z, Z_next), (ZQ, ZQ + Z)),
)
MONOTONE = obligation(
    "the majorant does not decrease", (LARGEST, MAJORANT, STEPS, GAMMA), (Z >= 0) & (Z_next >= Z)
)
HALVES = Fact(
    "2 Σ_{i<j} Σ_{l<i} Z_l ≤ j Σ_{l<j} Z_l and Σ_{l<j} Z_l ≤ j Z_j",
    (2 * twice <= j * ZQ) & (ZQ <= j * Z) & (j >= 0) & (ZQ >= 0),
    "derived",
)
CHEBYSHEV = Induction(
    HALVES.name,
    HALVES,
    obligation("Chebyshev at 0", (), sympy.true),
    obligation(
        "Chebyshev one later",
        (HALVES, MONOTONE.conclusion),
        (2 * (twice + ZQ) <= (j + 1) * (ZQ + Z))
        & (ZQ + Z <= (j + 1) * Z_next)
        & (j + 1 >= 0)
        & (ZQ + Z >= 0),
    ),
    start=((j, 0), (ZQ, 0), (twice, 0), (Z, 0)),
    next=((j, j + 1), (ZQ, ZQ + Z), (twice, twice + ZQ), (Z, Z_next)),
)
HALF = Fact(
    "2 Σ_{l<j} Z_l ≤ j² γ‖∇f‖/T + 2h Σ_{i<j} Σ_{l<i} Z_l",
    (2 * ZQ <= j**2 * gamma * g / T + 2 * h * twice) & (j >= 0),
    "derived",
)
HALF_SUM = Induction(
    HALF.name,
    HALF,
    obligation(
        "empty, halves",
        (MAJORANT,),
        (2 * sympy.Integer(0) <= sympy.Integer(0) ** 2 * gamma * g / T + 2 * h * 0) & (sympy.Integer(0) >= 0),
    ),
    obligation(
        "one more, halves",
        (HALF, LARGEST, MAJORANT, STEPS, GAMMA),
        (2 * (ZQ + Z) <= (j + 1) ** 2 * gamma * g / T + 2 * h * (twice + ZQ)) & (j + 1 >= 0),
    ),
    start=((j, 0), (ZQ, 0), (twice, 0)),
    next=((j, j + 1), (ZQ, ZQ + Z), (twice, twice + ZQ)),
)
END: Places = {ZQ: ZQ_T, twice: twice_T, j: T}
SHARP_MAJORANT = obligation(
    "(1/T) Σ Z_j ≤ (2/3)γ‖∇f(x)‖",
    (
        SMOOTH, GAMMA, LOCAL_STEP, STEPS, definition("Σ_{l<T} Z_l, ‖∇f‖ ≥ 0", (ZQ_T >= 0) & (g >= 0)), HALF.at(END),
        HALVES.at(END),
    ),
    ZQ_T / T <= sympy.Rational(2, 3) * gamma * g,
)  # fmt: skip
SHARP = obligation(
    "(1/T) Σ ‖x_j − x‖ ≤ (2/3)γ‖∇f(x)‖",
    (definition("T ≥ 1", T >= 1), BELOW_IT.at({Q: Q_T, ZQ: ZQ_T}), SHARP_MAJORANT.conclusion),
    Q_T / T <= sympy.Rational(2, 3) * gamma * g,
)
SHARP_NODES = (MAJORISED, GROWN, MONOTONE, HALF_SUM, CHEBYSHEV, SHARP_MAJORANT, SHARP)

# The proof of item 5 sums to j = T, one term more than item 3 has.
LAST = obligation(
    "Σ_{j=0}^{T} ‖x − x_j‖ ≤ 2γT‖∇f(x)‖",
    (SMOOTH, GAMMA, LOCAL_STEP, STEPS, AT_T, SHARP.conclusion, FAR.at({Q: Q_T, j: T})),
    Q_T + Y <= 2 * gamma * T * g,
)
