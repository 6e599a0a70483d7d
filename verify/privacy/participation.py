"""What participation that is drawn, and seen, does to the noise needed: no constant makes σ ∝ p enough, √p is the order."""

from __future__ import annotations

import sympy

from verify.facts import definition, equal, hypothesis, standard
from verify.obligation import obligation
from verify.privacy.arguments import (
    CLOSED_FORM,
    CURVE,
    MILLS,
    PI,
    SENSITIVITY,
    K,
    L,
    c,
    delta_true,
    epsilon,
    mu,
    s,
    sigma,
)
from verify.proof import Proof


def no_constant_with_participation() -> Proof:
    """A small p at ε = 3: half of the time a client takes part J p times or more, and J p messages alone leave δ > 1/3. J is
    free: it leaves room for the conditions of Abadi et al.'s Theorem 1, ε < c₁p²J, and of its proof, 1 ≤ σ < 1/(16p)."""
    J, p, often, total = (sympy.Symbol(x, real=True) for x in ("J", "p", "delta_Jp", "delta_all"))
    m, t, c_1 = (sympy.Symbol(x, real=True) for x in ("m", "t", "c_1"))
    domain = hypothesis("c > 0, L = ln(1/δ) > 0", sympy.And(c > 0, L > 0))
    rare = hypothesis("0 < p ≤ s²/(2c² L)", sympy.And(p > 0, 2 * c**2 * L * p <= s**2))
    rounds = hypothesis("J p is a whole number ≥ 1, J = K + 1", J * p >= 1)
    at = hypothesis("ε = 3", equal(epsilon, 3))
    noise = definition(
        "σ = c p √(J L)/ε or c p √(J L/ε)",
        sympy.And(
            sigma > 0,
            sympy.Or(
                equal(sigma**2 * epsilon**2, c**2 * p**2 * J * L),
                equal(sigma**2 * epsilon, c**2 * p**2 * J * L),
            ),
        ),
    )
    room = hypothesis(
        "J = tε/(c₁p²) with c₁ > 0, t > 1, tc²L ≥ c₁ε and 256tc²Lp² < c₁",
        sympy.And(
            c_1 > 0, t > 1, equal(J * c_1 * p**2, t * epsilon), t * c**2 * L >= c_1 * epsilon,
            256 * t * c**2 * L * p**2 < c_1,
        ),
    )  # fmt: skip
    covered = obligation(
        "ε < c₁p²J and 1 ≤ σ < 1/(16p) (Abadi et al. 2016, Theorem 1 and Lemma 3)",
        (domain, rare, at, room, noise),
        sympy.And(epsilon < c_1 * p**2 * J, sigma >= 1, 16 * p * sigma < 1),
    )
    shift = definition(
        "μ = s √(J p)/σ for J p messages", sympy.And(mu > 0, equal(mu**2 * sigma**2, s**2 * J * p))
    )
    large = obligation(
        "J p messages shift by μ² ≥ 6 = 2 ε, whatever J is",
        (domain, SENSITIVITY, rare, rounds, at, noise, shift),
        mu**2 >= 2 * epsilon,
    )
    point = definition("m = √(2 ε)", sympy.And(m > 0, equal(m**2, 2 * epsilon)))
    at_point = obligation(
        "δ(3; m) > 1/3", (at, point, MILLS.at({mu: m}), PI, CURVE), delta_true > sympy.Rational(1, 3)
    )
    increasing = standard(
        "δ(ε; ·) increases: δ(ε; μ) ≥ δ(ε; √(2 ε)) if μ² ≥ 2 ε",
        sympy.Implies(mu**2 >= 2 * epsilon, often >= delta_true),
    )
    median = standard(
        "a whole J p is a median of N: P(N ≥ J p) ≥ 1/2, hence δ(ε) ≥ δ(ε; μ)/2", total >= often / 2
    )
    whole = obligation(
        "the true δ exceeds 1/6",
        (large.conclusion, at_point.conclusion, increasing, median),
        total > sympy.Rational(1, 6),
    )
    return Proof((domain, SENSITIVITY, rare, rounds, at, room), (covered, large, at_point, whole))


def enough_with_participation() -> Proof:
    """Half of δ for more than m = K p + √(2K p(1−p) ln(2/δ)) + ⅔ ln(2/δ) participations, half for m Gaussian releases; or the
    noise that is enough for all K of them; or any noise at all, where one participation has probability δ at most."""
    p, m, L2, rho, root, late, curve = (
        sympy.Symbol(x, real=True) for x in ("p", "m", "L_2", "rho", "r", "tail", "gauss")
    )
    rho_K, root_K, curve_K = (sympy.Symbol(x, real=True) for x in ("rho_K", "r_K", "gauss_K"))
    half, total = sympy.Symbol("half", real=True), sympy.Symbol("delta_all", real=True)
    domain = hypothesis(
        "K ≥ 1, 0 < p ≤ 1, ε > 0, L₂ = ln(2/δ) > 0, L = ln(1/δ) > 0",
        sympy.And(K >= 1, p > 0, p <= 1, epsilon > 0, L2 > 0, L > 0),
    )
    spread = 2 * K * p * (1 - p) * L2
    count = hypothesis(
        "m = K p + √(2 K p (1 − p) L₂) + ⅔ L₂",
        equal(m, K * p + sympy.sqrt(spread) + sympy.Rational(2, 3) * L2),
    )
    fewer = sigma * epsilon * sympy.sqrt(2) >= s * sympy.sqrt(m) * (sympy.sqrt(L2) + sympy.sqrt(L2 + epsilon))
    never = K * p <= 2 * half
    noise = hypothesis(
        f"σ ≥ s √(m/2) (√L₂ + √(L₂ + ε))/ε, or {CLOSED_FORM.name}, or K p ≤ δ",
        sympy.Or(fewer, CLOSED_FORM.relation, never),
    )
    zcdp = standard(
        "m Gaussian releases are ρ-zCDP with ρ = s² m/(2 σ²) (Bun and Steinke 2016)",
        equal(2 * rho * sigma**2, s**2 * m),
    )
    roots = definition("r = √ρ", sympy.And(root >= 0, equal(root**2, rho)))
    some = obligation("m > 0", (domain, count), m > 0)
    positive = hypothesis("σ > 0", sigma > 0)
    within = root**2 + 2 * root * sympy.sqrt(L2) <= epsilon
    spent = obligation(
        "the first noise, given N ≤ m: ρ + 2 √(ρ L₂) ≤ ε, which is (ε, δ/2)-DP",
        (domain, SENSITIVITY, some.conclusion, zcdp, roots, positive),
        sympy.Implies(fewer, within),
    )
    zcdp_K = standard(
        "K Gaussian releases are ρ_K-zCDP with ρ_K = s² K/(2 σ²) (Bun and Steinke 2016)",
        equal(2 * rho_K * sigma**2, s**2 * K),
    )
    roots_K = definition("r_K = √ρ_K", sympy.And(root_K >= 0, equal(root_K**2, rho_K)))
    within_K = root_K**2 + 2 * root_K * sympy.sqrt(L) <= epsilon
    spent_K = obligation(
        "the second noise: ρ_K + 2 √(ρ_K L) ≤ ε, which is (ε, δ)-DP",
        (domain, SENSITIVITY, zcdp_K, roots_K, positive),
        sympy.Implies(CLOSED_FORM.relation, within_K),
    )
    bernstein = standard(
        "Bernstein: P(N > K p + t) ≤ exp(−t²/(2 K p (1 − p) + ⅔ t)), which is at most δ/2 where t² ≥ L₂ (2 K p (1 − p) + ⅔ t)",
        sympy.And(
            late >= 0,
            sympy.Implies(
                sympy.And(m >= K * p, (m - K * p) ** 2 >= spread + sympy.Rational(2, 3) * L2 * (m - K * p)),
                late <= half,
            ),
        ),
    )
    converted = standard(
        "Bun and Steinke 2016, Proposition 1.3: the curve at ε is at most δ/2 once ρ + 2 √(ρ L₂) ≤ ε",
        sympy.And(curve >= 0, sympy.Implies(within, curve <= half)),
    )
    converted_K = standard(
        "the same of the curve of all K releases, at most δ once ρ_K + 2 √(ρ_K L) ≤ ε",
        sympy.And(curve_K >= 0, sympy.Implies(within_K, curve_K <= 2 * half)),
    )
    at_most_K = standard("visible participation: nobody sends more than K messages", total <= curve_K)
    mixture = standard("visible participation: δ(ε) ≤ P(N > m) + δ(ε | N ≤ m)", total <= late + curve)
    few = obligation("P(N > m) ≤ δ/2", (domain, count, bernstein), late <= half)
    first = obligation(
        "the first noise is enough",
        (domain, some.conclusion, spent.conclusion, few.conclusion, converted, mixture),
        sympy.Implies(fewer, total <= 2 * half),
    )
    second = obligation(
        "the second noise is enough",
        (domain, spent_K.conclusion, converted_K, at_most_K),
        sympy.Implies(CLOSED_FORM.relation, total <= 2 * half),
    )
    silent = standard("visible participation: δ(ε) ≤ P(N ≥ 1) ≤ K p", total <= K * p)
    whole = obligation(
        "δ(ε) ≤ δ",
        (domain, some.conclusion, noise, first.conclusion, second.conclusion, silent),
        total <= 2 * half,
    )
    return Proof(
        (domain, SENSITIVITY, count, positive, noise), (some, spent, spent_K, few, first, second, whole)
    )


def order_of_the_noise() -> Proof:
    """At least ⌊Kp⌋ participations have probability 1/2: noise below s √(Kp)/μ* fails, μ* depending on ε
    and 2δ alone."""
    K, p, star, half_mass = (sympy.Symbol(x, real=True) for x in ("K", "p", "mu_star", "gauss"))
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
