"""The factors of the second parts of Theorems 6 and 7, which are those of Theorem 4: positive, and by how much at the least.

In both first parts ηLE may exceed what makes the factor positive (DAS-T6-SIGN, DAS-T7-S9). In the second parts, and in Theorem 4,
x = ρE/α = 2ηLE is at most 1/2.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg import theorem6 as six
from bounds.dp_normfedavg import theorem7 as seven
from verify.case import closed
from verify.claim import Claim
from verify.computation import Comparison, Computation
from verify.dp_normfedavg.letters import LOCAL, E
from verify.dp_normfedavg.theorems.rounds import (
    ALPHA,
    CHAT,
    CHAT_POS,
    GAMMA,
    LOCAL_STEPS,
    RHO,
    ROUNDS6,
    TOTAL,
    K,
    alpha,
    gamma,
    rho,
)
from verify.facts import equal
from verify.obligation import obligation

PAPER = "dp-normfedavg"
LEAST_6, LEAST_7 = Fraction(5, 4), Fraction(7, 4)
_SIX, _SEVEN = four.factor_a(rho, E, alpha), four.factor_b(rho, E, alpha)
ONE_FACTOR = obligation(
    "at K = (2αγ/(ĈE))/ρ² the factors of the first parts are 2 − ρE/α − ρ²E²/α² and 2 − ρ²E²/α², as in (2) and (3)",
    (ROUNDS6, ALPHA, RHO, GAMMA, CHAT_POS, LOCAL, TOTAL),
    equal(six.factor(gamma, CHAT, K, rho), _SIX) & equal(seven.factor(gamma, CHAT, K, rho), _SEVEN),
)
AT_LEAST = obligation(
    "2 − ρE/α − ρ²E²/α² ≥ 5/4 and 2 − ρ²E²/α² ≥ 7/4",
    (LOCAL_STEPS, ALPHA, RHO, LOCAL),
    (sympy.Rational(5, 4) <= _SIX) & (sympy.Rational(7, 4) <= _SEVEN),
)


def _attained(factor: Fraction, least: Fraction, local: Fraction) -> Comparison:
    """At the largest E that is allowed, for α = 1 and 2ρ = 1/E."""
    alpha_, rho_ = Fraction(1), 1 / (2 * local)
    met = (
        ("E = α/(2ρ) is whole", alpha_ / (2 * rho_) == local >= 1 and local.denominator == 1),
        ("α ≥ 1, 0 < ρ < 1", alpha_ >= 1 and 0 < rho_ < 1),
        ("K = 1 is whole for some γ", printed.rounds_theorem6(alpha_, local * rho_**2 / 2, Fraction(1), local, rho_) == 1),
    )  # fmt: skip
    return Comparison(factor, "==", least, met)


def _six(local: Fraction) -> Comparison:
    return _attained(four.factor_a(1 / (2 * local), local, Fraction(1)), LEAST_6, local)


def _seven(local: Fraction) -> Comparison:
    return _attained(four.factor_b(1 / (2 * local), local, Fraction(1)), LEAST_7, local)


ATTAINED = (
    Computation("5/4 is attained: α = 1, E = 20, ρ = 1/40", "enumeration", lambda: _six(Fraction(20))),
    Computation("7/4 is attained: α = 1, E = 20, ρ = 1/40", "enumeration", lambda: _seven(Fraction(20))),
)
CLAIMS = (
    Claim(
        "DAS-OURS-FACTORS",
        PAPER,
        "ours, on Theorem 4 and the second parts of Theorems 6 and 7",
        "ours",
        "where E ≤ α/(2ρ) the factor 2 − ρE/α − ρ²E²/α² of Theorem 4 (a) and of the second part of Theorem 6 is at least 5/4, and the "
        "factor 2 − ρ²E²/α² of Theorem 4 (b) and of the second part of Theorem 7 at least 7/4; both are attained, at E = α/(2ρ)",
        "x = ρE/α ≤ 1/2 gives 2 − x − x² ≥ 5/4 and 2 − x² ≥ 7/4: these parts have no trouble with a sign, which the first parts have "
        "(DAS-T6-SIGN, DAS-T7-S9)",
        proof=closed((ONE_FACTOR, AT_LEAST, *ATTAINED)),
        consequence="but for B₁, the bound on f(w_k̃) − f(w*) that (2) gives is at most 8/5 of its limit (4), at every α",
    ),
)
