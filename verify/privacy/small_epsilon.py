"""Why no constant works for the noise c √(K ln(1/δ)/ε), with ε under the root, as Fed-α-NormEC's Section 4 has it.

K releases with that noise shift by μ = s √ε/(c √L), L = ln(1/δ), whatever K is, and μ = ε = 1/k at L = s²k/c². A shift of 1 is k of
these, one after the other: group privacy gives δ(1; 1) ≤ k e δ(1/k; 1/k), so that the true δ is at least of order 1/k, while the δ
that is asked for, e^(−L), is below 2/L².
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.computation import Comparison, Computation
from verify.facts import derived, equal, hypothesis, standard
from verify.obligation import obligation
from verify.privacy.arguments import (
    DISTANCE,
    POSITIVE,
    SHIFT,
    SHIFT_POSITIVE,
    K,
    L,
    c,
    delta_true,
    epsilon,
    mu,
    s,
    sigma,
)
from verify.privacy.rigorous import below, gaussian_delta, number
from verify.proof import Proof

k, delta, unit, euler = (sympy.Symbol(name, real=True) for name in ("k", "delta", "delta_unit", "e"))
LEAST = Fraction(126, 1000)
"""Below δ(1; 1) = 0.1269."""

NOISE = hypothesis("σ = c √(K L/ε)", equal(sigma * sympy.sqrt(epsilon), c * sympy.sqrt(K * L)))
POINT = hypothesis("ε = 1/k and L = s² k/c²", equal(epsilon * k, 1) & equal(L * c**2, s**2 * k))


def no_constant_under_the_root(least: int = 44) -> Proof:
    """For any constant c: at ε = 1/k, L = s²k/c² the true δ exceeds δ for every whole k ≥ least · c⁴/s⁴."""
    far = hypothesis(f"k ≥ 1 whole, k ≥ {least} c⁴/s⁴", (k >= 1) & (k * s**4 >= least * c**4))
    shift = obligation(
        "the shift does not depend on K: μ = 1/k",
        (*POSITIVE, DISTANCE, NOISE, POINT, far, SHIFT, SHIFT_POSITIVE),
        equal(mu * k, 1),
    )
    unit_shift = Computation(
        "δ(1; 1) > 0.126",
        "accounting",
        lambda: Comparison(below(gaussian_delta(number(1), number(1))), ">", LEAST),
        concludes=derived("δ(1; 1) > 0.126", unit > sympy.Rational(*LEAST.as_integer_ratio())),
    )
    group = standard(
        "group privacy (Dwork and Roth 2014; Vadhan 2017, Lemma 2.2), k shifts of μ = 1/k: δ(kε; kμ) ≤ k e^(kε) δ(ε; μ), and e < 2.72",
        sympy.Implies(
            equal(mu * k, 1) & equal(epsilon * k, 1),
            (unit <= k * euler * delta_true) & (euler > 0) & (100 * euler < 272),
        ),
    )
    power = standard("e^L > L²/2, so that δ = e^(−L) < 2/L²", (delta > 0) & (delta * L**2 < 2))
    fails = obligation(
        "the true δ exceeds δ",
        (*POSITIVE, DISTANCE, POINT, far, shift.conclusion, unit_shift.conclusion, group, power),
        delta_true > delta,
    )
    return Proof((*POSITIVE, DISTANCE, NOISE, POINT, far), (shift, unit_shift, fails))


ANY_CONSTANT_UNDER_THE_ROOT = no_constant_under_the_root()
