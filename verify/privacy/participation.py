"""What participation that is drawn, and seen, does to the noise needed: no constant makes σ ∝ p enough, √p is the order."""

from __future__ import annotations

import sympy

from verify.facts import definition, hypothesis, standard
from verify.obligation import obligation
from verify.privacy.arguments import CURVE, MILLS, PI, SENSITIVITY, L, c, delta_true, epsilon, equal, mu, s
from verify.proof import Proof


def no_constant_with_participation() -> Proof:
    """p = 1/J over J = K + 1 rounds, ε = 3: one participation happens with probability above 3/5, and then
    δ > 1/3."""
    J, none, single_delta, total = (
        sympy.Symbol(x, real=True) for x in ("J", "Q", "delta_single", "delta_all")
    )
    m = sympy.Symbol("m", real=True)
    domain = hypothesis("c > 0, L = ln(1/δ) > 0", sympy.And(c > 0, L > 0))
    rounds = hypothesis("J = K + 1 ≥ 2 c² L/s² rounds, p = 1/J", sympy.And(J >= 1, J * s**2 >= 2 * c**2 * L))
    at = hypothesis("ε = 3", equal(epsilon, 3))
    shift = definition(
        "μ = s/σ for one message, σ = c p √(J L)/ε or c p √(J L/ε), p = 1/J",
        sympy.And(
            mu > 0,
            sympy.Or(
                equal(mu**2 * c**2 * L, s**2 * epsilon**2 * J), equal(mu**2 * c**2 * L, s**2 * epsilon * J)
            ),
        ),
    )
    large = obligation(
        "one message shifts by μ² ≥ 6 = 2 ε", (domain, SENSITIVITY, rounds, at, shift), mu**2 >= 2 * epsilon
    )
    point = definition("m = √(2 ε)", sympy.And(m > 0, equal(m**2, 2 * epsilon)))
    at_point = obligation(
        "δ(3; m) > 1/3", (at, point, _at(MILLS, m), PI, CURVE), delta_true > sympy.Rational(1, 3)
    )
    increasing = standard(
        "δ(ε; ·) increases: δ(ε; μ) ≥ δ(ε; √(2 ε)) if μ² ≥ 2 ε",
        sympy.Implies(mu**2 >= 2 * epsilon, single_delta >= delta_true),
    )
    single = obligation(
        "one message alone leaves δ(3; μ) > 1/3",
        (large.conclusion, at_point.conclusion, increasing),
        single_delta > sympy.Rational(1, 3),
    )
    seldom = standard("(1 − 1/J)^J ≤ 1/e < 2/5", sympy.And(none >= 0, none < sympy.Rational(2, 5)))
    mixture = standard(
        "visible participation: δ ≥ (1 − P(N = 0)) δ(ε; μ)", total >= (1 - none) * single_delta
    )
    whole = obligation(
        "the true δ exceeds 1/5", (single.conclusion, seldom, mixture), total > sympy.Rational(1, 5)
    )
    return Proof((domain, SENSITIVITY, rounds, at), (large, at_point, single, whole))


def _at(fact, letter):
    return standard(fact.name, fact.relation.subs(mu, letter))


def enough_with_participation() -> Proof:
    """Half of δ for more than m = K p + √(K ln(2/δ)/2) participations, half for m Gaussian releases."""
    K, p, m, L2, sigma, rho, root, late, curve = (
        sympy.Symbol(x, real=True) for x in ("K", "p", "m", "L_2", "sigma", "rho", "r", "tail", "gauss")
    )
    half, total = sympy.Symbol("half", real=True), sympy.Symbol("delta_all", real=True)
    domain = hypothesis(
        "K ≥ 1, 0 < p ≤ 1, ε > 0, L₂ = ln(2/δ) > 0", sympy.And(K >= 1, p > 0, p <= 1, epsilon > 0, L2 > 0)
    )
    count = hypothesis("m = K p + √(K L₂/2)", sympy.And(m > 0, equal(m, K * p + sympy.sqrt(K * L2 / 2))))
    noise = hypothesis(
        "σ ≥ s √(m/2) (√L₂ + √(L₂ + ε))/ε",
        sympy.And(
            sigma > 0,
            sigma * epsilon * sympy.sqrt(2)
            >= s * sympy.sqrt(m) * (sympy.sqrt(L2) + sympy.sqrt(L2 + epsilon)),
        ),
    )
    zcdp = standard(
        "m Gaussian releases are ρ-zCDP with ρ = s² m/(2 σ²) (Bun and Steinke 2016)",
        equal(2 * rho * sigma**2, s**2 * m),
    )
    roots = definition("r = √ρ", sympy.And(root >= 0, equal(root**2, rho)))
    spent = obligation(
        "given N ≤ m: ρ + 2 √(ρ L₂) ≤ ε, which is (ε, δ/2)-DP",
        (domain, SENSITIVITY, count, noise, zcdp, roots),
        root**2 + 2 * root * sympy.sqrt(L2) <= epsilon,
    )
    hoeffding = standard(
        "Hoeffding: P(N > m) ≤ exp(−2 (m − K p)²/K), which is at most δ/2 where (m − K p)² ≥ K L₂/2",
        sympy.And(
            late >= 0, sympy.Implies(sympy.And(m >= K * p, 2 * (m - K * p) ** 2 >= K * L2), late <= half)
        ),
    )
    converted = standard(
        "Bun and Steinke 2016, Proposition 1.3: the curve at ε is at most δ/2 once ρ + 2 √(ρ L₂) ≤ ε",
        sympy.And(curve >= 0, sympy.Implies(root**2 + 2 * root * sympy.sqrt(L2) <= epsilon, curve <= half)),
    )
    mixture = standard("visible participation: δ(ε) ≤ P(N > m) + δ(ε | N ≤ m)", total <= late + curve)
    whole = obligation(
        "δ(ε) ≤ δ/2 + δ/2",
        (domain, count, spent.conclusion, hoeffding, converted, mixture),
        total <= 2 * half,
    )
    return Proof((domain, SENSITIVITY, count, noise), (spent, whole))


def order_of_the_noise() -> Proof:
    """At least ⌊Kp⌋ participations have probability 1/2: noise below s √(Kp)/μ* fails, μ* depending on ε
    and 2δ alone."""
    K, p, sigma, star, half_mass = (
        sympy.Symbol(x, real=True) for x in ("K", "p", "sigma", "mu_star", "gauss")
    )
    target, total = sympy.Symbol("delta", real=True), sympy.Symbol("delta_all", real=True)
    domain = hypothesis(
        "K p is a whole number ≥ 1, σ > 0, μ* > 0", sympy.And(K * p >= 1, sigma > 0, star > 0)
    )
    small = hypothesis(
        "σ < s √(K p)/μ*, where δ(ε; μ) > 2 δ for every μ > μ*", sigma * star < s * sympy.sqrt(K * p)
    )
    shift = definition("μ = s √(K p)/σ", sympy.And(mu > 0, equal(mu * sigma, s * sympy.sqrt(K * p))))
    beyond = obligation("μ > μ*", (domain, SENSITIVITY, small, shift), mu > star)
    curve = standard(
        "δ(ε; μ) increases in μ, and equals 2 δ at μ*", sympy.Implies(mu > star, half_mass > 2 * target)
    )
    median = standard(
        "a whole K p is a median of N: P(N ≥ K p) ≥ 1/2, hence δ(ε) ≥ δ(ε; μ)/2", total >= half_mass / 2
    )
    fails = obligation("the true δ exceeds δ", (beyond.conclusion, curve, median), total > target)
    return Proof((domain, SENSITIVITY, small), (beyond, fails))
