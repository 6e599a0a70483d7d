"""Near ηL = ½ Theorem 6 has no proof of the printed kind: (35), one round of it, is false at E = 20. Claim DAS-OURS-ONE-ROUND.

n equal clients w²/2 of which one is drawn in the mean, from a w at which their updates are just cut.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import sympy

from verify.case import closed
from verify.claim import Claim, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import Quadratic
from verify.dp_normfedavg.counterexamples.exact import ZERO, clip, update
from verify.dp_normfedavg.letters import eta, y2
from verify.dp_normfedavg.theorems.rounds import MEAN_Y, SECOND_HERE, TOTALS, YM
from verify.dp_normfedavg.theorems.sampling import (
    EXCESS_IS,
    MOMENT,
    NOISE_SIZE,
    S10,
    S11,
    SECOND,
    UNBIASED,
    d,
    mean2,
    meanQ,
    n,
    r,
    sigma2,
    yn2,
)
from verify.facts import equal, hypothesis
from verify.obligation import obligation

ONE = Fraction(1)
FEWEST, LOCAL_STEPS, STEP = 27, 20, Fraction(49, 100)
"""n, E and ηL = η; L = C = 1."""
F: Any = Quadratic(ONE)
START = STEP / (1 - (1 - STEP) ** LOCAL_STEPS) * Fraction(2001, 2000)
"""w_k, and thus u_i = 2001/2000."""
UPDATE = update(F, START, STEP, LOCAL_STEPS)
TAKEN = 3 * UPDATE / (8 * LOCAL_STEPS)
"""ηE times what (35) takes from ‖w_k − w*‖² for a cut client, over η: Ĉ = 1/E."""


def _replay_35(v: Values) -> Comparison:
    """(35) without its noise, which is the same on both sides: C = L = 1, w* = 0, Δ_i* = 0, every update is cut."""
    n, E, eta, w = int(v["n"]), int(v["E"]), v["eta"], v["w"]
    u, rare = update(F, w, eta, E), v["r"] / v["n"]
    chances = (comb(n, s) * rare**s * (1 - rare) ** (n - s) for s in range(n + 1))
    after = sum((chance * (w - eta * s / v["r"]) ** 2 for s, chance in enumerate(chances)), ZERO)
    met = (
        ("every update is cut: ‖u_i‖ > C = 1", u > ONE),
        ("ηL ≤ 1/2", 0 < eta <= Fraction(1, 2)),
        ("Ĉ ≥ 4√(L max Δ_j*) = 0", F(ZERO) == 0),
        ("1 ≤ r ≤ n", 1 <= v["r"] <= n),
    )
    return Comparison(after, "<=", w**2 - eta * 3 * u / (8 * E), met)


WITNESS_35 = Witness(
    {
        "n": Fraction(FEWEST),
        "r": ONE,
        "E": Fraction(LOCAL_STEPS),
        "eta": STEP,
        "w": START,
    },
    "(35), the noise left out on both sides",
    _replay_35,
    "27 clients f_i(w) = w²/2, each drawn with probability 1/27, E = 20, η = 0.49, C = L = 1, from a w_k at which ‖u_i‖ = 2001/2000",
)


def _cut() -> Comparison:
    return Comparison(
        UPDATE, ">", ONE, (("the message is 1", clip(UPDATE, ONE) == 1), ("ηL < 1/2", 2 * STEP < 1))
    )


def _summed() -> Comparison:
    """E w_{k+1}² without its noise, over the number of senders among 27, against the right-hand side of (35) without it."""
    rare = Fraction(1, FEWEST)
    chances = (comb(FEWEST, s) * rare**s * (1 - rare) ** (FEWEST - s) for s in range(FEWEST + 1))
    after = sum((chance * (START - STEP * s) ** 2 for s, chance in enumerate(chances)), ZERO)
    return Comparison(after, ">", START**2 - STEP * TAKEN)


def _number(value: Fraction) -> Any:
    return sympy.Rational(value.numerator, value.denominator)


MANY = hypothesis("n ≥ 27", n >= FEWEST)
FALSE_35 = obligation(
    "(35) is false: E‖w_{k+1} − w*‖² is above its right-hand side",
    (
        S11.conclusion,
        SECOND_HERE,
        MEAN_Y,
        TOTALS,
        EXCESS_IS,
        MANY,
        hypothesis("r = 1", equal(r, 1)),
        hypothesis("η = 49/100", equal(eta, _number(STEP))),
        hypothesis(
            "every message is 1, and w_k is where ‖u_i‖ = 2001/2000",
            equal(mean2, 1) & equal(meanQ, 1) & equal(YM, _number(START)),
        ),
    ),
    yn2 > y2 - eta * _number(TAKEN) + eta**2 * d * sigma2,
)
CLAIMS = (
    Claim(
        "DAS-OURS-ONE-ROUND",
        "dp-normfedavg",
        "ours, on Theorem 6 with r = 1",
        "ours",
        "(35) is false for n ≥ 27 clients f_i(w) = w²/2, each drawn with probability 1/n, E = 20, ηL = 0.49 and a w_k at which ‖u_i‖ "
        "is just above C, which are choices of Theorem 6 for any K, ρ and Ĉ, with γ = ηĈLEKρ",
        "in units of η²C² and for ‖u_i‖ near C the message costs 2 − 1/n, sampling included, (35) takes 3/(8ηLE), and the pull "
        "towards w*, 2/(1 − (1 − ηL)^E), is hardly more than 2",
        proof=closed(
            (
                Computation("twenty local steps of 49/100: the update is cut", "enumeration", _cut),
                Computation("27 clients, summed over the number of senders", "enumeration", _summed),
                S10,
                NOISE_SIZE,
                S11,
                UNBIASED,
                MOMENT,
                SECOND,
                FALSE_35,
            )
        ),
        consequence="what is open of Theorem 6 (DAS-T6) at E = 20 and such steps takes a proof that couples rounds, or a witness of "
        "many rounds, as at E = 200: the run of this instance does not look like one, as w is near w* after one sender. For shorter "
        "steps (35) itself is open",
    ),
)
