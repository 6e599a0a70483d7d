"""Noise of constant size σ against more and more rounds: what is told of a client whose messages are e or absent, at ε = 8.

J rounds at p = 1 are J Gaussian releases, δ(8) = δ(8; μ) with μ = √J/σ, which increases with μ; where it is seen who takes part, at
p = 1/4, a client sends Jp/2 messages at least with a probability that Chebyshev's inequality bounds. So one computation, at the least
μ, tells of every σ and every larger J. Messages are `NEARLY` 1 long.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from verify.computation import Comparison, Computation
from verify.facts import definition, derived, equal, hypothesis, letters, standard
from verify.obligation import obligation
from verify.privacy.mechanisms import NEARLY, least_certain
from verify.privacy.rigorous import number

J, p, sigma, total = letters("J p sigma delta_all")
least, mu, had_at_least, had = letters("mu mu_0 delta_q delta_0")
_surely = dict(zip((least, mu, had_at_least, had), letters("μ_100 μ_J δ_100 δ_J"), strict=True))
"""What these letters are where everybody takes part in every round."""
_length = sympy.Rational(NEARLY.numerator, NEARLY.denominator)
INCREASES = standard("δ(ε; μ) increases with μ", sympy.Implies(least <= mu, had_at_least <= had))
OFTEN = standard(
    "Chebyshev: P(N ≥ J p/2) ≥ 1 − 4(1 − p)/(J p), hence δ(ε) ≥ that times δ(ε; μ) for J p/2 messages",
    total >= (1 - 4 * (1 - p) / (J * p)) * had,
)


def _shifts(sent: sympy.Expr, fewest: int) -> Any:
    """μ of `sent` messages at σ, and that of the fewest at σ = 1."""
    far = equal(mu**2 * sigma**2, _length**2 * sent) & equal(least**2, _length**2 * fewest)
    return sympy.And(mu >= 0, least >= 0, far)


def _at_least(releases: int, share: Fraction, had_there: sympy.Symbol) -> Computation:
    """δ(8) of so many releases at σ = 1."""
    name = f"δ(8; μ) ≥ {float(share):g} at μ = 0.999999 √{releases}"
    return Computation(
        name,
        "accounting",
        lambda: Comparison(least_certain(Fraction(8), releases, number(Fraction(1)), 1), ">=", share),
        concludes=derived(name, had_there >= sympy.Rational(share.numerator, share.denominator)),
    )


NOISY = hypothesis("σ_DP > 0", sigma > 0)
MANY = hypothesis("J ≥ 100σ_DP² rounds", J >= 100 * sigma**2)
_ALL = definition("μ_J σ_DP = 0.999999 √J and μ_100 = 0.999999 √100", _shifts(J, 100).xreplace(_surely))
_CERTAIN = _at_least(100, Fraction(999, 1000), _surely[had_at_least])
_MORE = obligation("μ_J ≥ μ_100", (NOISY, MANY, _ALL), _surely[least] <= _surely[mu])
TOLD = (
    _CERTAIN,
    _MORE,
    obligation(
        "p = 1, from 100σ_DP² rounds on: δ(8) > 0.99",
        (_MORE.conclusion, INCREASES.at(_surely), _CERTAIN.conclusion),
        _surely[had] > sympy.Rational(99, 100),
    ),
)
"""At p = 1. Shown from `NOISY` and `MANY`."""

LOUD = hypothesis(
    "σ_DP ≥ 1, J ≥ 400σ_DP² rounds, p = 1/4", (sigma >= 1) & (J >= 400 * sigma**2) & equal(4 * p, 1)
)
_HALF = definition("μ_0 σ_DP = 0.999999 √(Jp/2) and μ = 0.999999 √50", _shifts(J * p / 2, 50))
_SEEN = _at_least(50, Fraction(98, 100), had_at_least)
_USUAL = obligation(
    "Jp/2 ≥ 50σ_DP² messages, but for 4(1 − p)/(Jp) ≤ 0.03",
    (LOUD,),
    (J * p / 2 >= 50 * sigma**2) & (4 * (1 - p) / (J * p) <= sympy.Rational(3, 100)),
)
_LARGER = obligation("μ ≤ μ_0", (LOUD, _USUAL.conclusion, _HALF), least <= mu)
TOLD_IN_PART = (
    _SEEN,
    _USUAL,
    _LARGER,
    obligation(
        "p = 1/4, messages seen, from 400σ_DP² rounds on where σ_DP ≥ 1: δ(8) > 0.95",
        (LOUD, _USUAL.conclusion, _LARGER.conclusion, INCREASES, _SEEN.conclusion, OFTEN),
        total > sympy.Rational(95, 100),
    ),
)
"""At the p of the paper's experiments. Shown from `LOUD`."""
