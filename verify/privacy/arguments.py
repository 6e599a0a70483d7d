"""The two arguments that the privacy claims share: why no constant will do, and what does.

No constant. At ε = μ²/2 the Gaussian curve is δ(ε; μ) = 1/2 − e^ε Φ(−μ) (Φ(0) = 1/2 and −μ/2 − ε/μ = −μ),
and Mills' bound Φ(−μ) < φ(μ)/μ turns it into δ > 1/2 − 1/(√(2π) μ), which exceeds 1/3 from ε = 3 on. A
noise c √(K ln(1/δ))/ε has μ = s ε/(c √ln(1/δ)) whatever K is, so that ε = 2 c² ln(1/δ)/s² is such a point:
every constant c has its ε.

What does. σ = s √(K/2) (√L + √(L+ε))/ε with L = ln(1/δ): see `bounds.privacy.closed_form`.
"""

from __future__ import annotations

from typing import Any

import sympy

from verify.facts import Fact, definition, equal, hypothesis, standard
from verify.obligation import obligation
from verify.proof import Proof


def unequal(left: Any, right: Any) -> Any:
    """left ≠ right as a relation; sympy's own type for it is too wide for a checker."""
    return sympy.Ne(left, right)


real = {"real": True}
c, s, L, epsilon, mu, P, pi = (
    sympy.Symbol(name, **real) for name in ("c", "s", "L", "epsilon", "mu", "P", "pi")
)
K, sigma, rho, root, delta_true = (
    sympy.Symbol(name, **real) for name in ("K", "sigma", "rho", "r", "delta_true")
)

POSITIVE = (
    hypothesis("c > 0", c > 0),
    hypothesis("ε > 0", epsilon > 0),
    hypothesis("0 < δ < 1, L = ln(1/δ)", L > 0),
    hypothesis("K ≥ 1 releases", K >= 1),
)
SENSITIVITY = hypothesis(
    "sensitivity s: 1 (add-remove: who is removed sends noise alone) or 2 (replace-one)",
    sympy.Or(equal(s, 1), equal(s, 2)),
)
DISTANCE = hypothesis(
    "s, how far a client's messages can be apart: 2 (replace-one) or 1 (on one data set it sends noise alone); where no message is "
    "longer than 1/2, half as far: 1 or 1/2",
    sympy.Or(equal(2 * s, 1), equal(s, 1), equal(s, 2)),
)
PI = standard("3 < π", pi > 3)
SHIFT = definition("μ = s √K/σ", equal(mu * sigma, s * sympy.sqrt(K)))
SHIFT_POSITIVE = definition("μ > 0, σ > 0", sympy.And(mu > 0, sigma > 0))
MILLS = standard(
    "Mills: e^ε Φ(−μ) < e^(ε − μ²/2)/(√(2π) μ), with P = e^ε Φ(−μ) at ε = μ²/2",
    sympy.And(P > 0, P**2 * 2 * pi * mu**2 < 1),
)
CURVE = standard(
    "Gaussian DP: the true δ at ε = μ²/2 is 1/2 − e^ε Φ(−μ)", equal(delta_true, sympy.Rational(1, 2) - P)
)


NOISE_WITH_CONSTANT = hypothesis("σ = c √(K L)/ε", equal(sigma * epsilon, c * sympy.sqrt(K * L)))
POINT = hypothesis("ε = 2 c² L/s²", equal(epsilon * s**2, 2 * c**2 * L))


def no_constant(at: Fact) -> Proof:
    """For the printed noise with any constant c, at ε = 2 c² L/s² ≥ 3 the true δ exceeds 1/3."""
    large = hypothesis("L ≥ 3 s²/(2 c²), so that ε ≥ 3", epsilon >= 3)
    shift = obligation(
        "the shift does not depend on K: μ² = 2 ε",
        (*POSITIVE, DISTANCE, NOISE_WITH_CONSTANT, at, SHIFT, SHIFT_POSITIVE),
        equal(mu**2, 2 * epsilon),
    )
    fails = obligation(
        "the true δ exceeds 1/3",
        (large, shift.conclusion, SHIFT_POSITIVE, MILLS, PI, CURVE),
        delta_true > sympy.Rational(1, 3),
    )
    return Proof((*POSITIVE, DISTANCE, NOISE_WITH_CONSTANT, at, large), (shift, fails))


ANY_CONSTANT = no_constant(POINT)

ZCDP = standard(
    "K Gaussian releases are ρ-zCDP with ρ = s² K/(2 σ²) (Bun and Steinke 2016)",
    equal(2 * rho * sigma**2, s**2 * K),
)
ROOT = definition("r = √ρ", sympy.And(root >= 0, equal(root**2, rho)))


def enough(noise: Fact, extra: tuple[Fact, ...] = ()) -> Proof:
    """The closed-form noise is ρ-zCDP with ρ + 2 √(ρ L) ≤ ε; the conversion to (ε, δ)-DP is the cited one."""
    spent = obligation(
        "ρ + 2 √(ρ L) ≤ ε, which is (ε, δ)-DP (Bun and Steinke 2016, Proposition 1.3)",
        (*POSITIVE[1:], SENSITIVITY, *extra, noise, ZCDP, ROOT, definition("σ > 0", sigma > 0)),
        root**2 + 2 * root * sympy.sqrt(L) <= epsilon,
    )
    return Proof((*POSITIVE[1:], SENSITIVITY, *extra, noise), (spent,))


CLOSED = (
    "σ_DP ≥ s √((K+1)/2) (√L + √(L + ε))/ε in each coordinate, drawn anew for every message, with L = ln(1/δ), s = 2 (replace-one) "
    "or 1 (a client that is removed still sends noise alone)"
)
PRIVATE = (
    f"Algorithm 1 is (ε, δ)-DP towards an adversary who sees every message, if {CLOSED} and x⁰, g_i⁰, γ, β and α do not depend "
    "on the data"
)
CLOSED_FORM = hypothesis(
    "σ ≥ s √(K/2) (√L + √(L + ε))/ε",
    sigma * epsilon * sympy.sqrt(2) >= s * sympy.sqrt(K) * (sympy.sqrt(L) + sympy.sqrt(L + epsilon)),
)
