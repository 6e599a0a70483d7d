"""Noise of variance σ² in each of d coordinates against Theorem 1, whose bound does not depend on d.

M = 4 clients in two pairs, f_i = ½‖x ∓ c e₂‖², so that f = ½‖x‖² + c²/2, L = 1, Δ^inf = c²/2; x⁰ = e₁, T = p = 1. Write A =
1 + (K+1)η + R, and s = βσ/√M. Then, for every k ≤ K + 1:

- v̂ᵏ = v̄ᵏ − eᵏ with ‖v̄ᵏ‖ ≤ A along every path (FED-L1-INV, and each step has length η), and eᵏ ~ N(0, k s² I);
- P(‖eᵏ‖² < k s² d/2) ≤ 8/d by Chebyshev's inequality (χ²_d has mean d and variance 2d);
- otherwise, where s√(d/2) ≥ 2A, ‖v̂ᵏ‖ ≥ ‖eᵏ‖/2, so |⟨v̂ᵏ, e₁⟩|/‖v̂ᵏ‖ ≤ 2(A + |eᵏ₁|)/‖eᵏ‖, and E|eᵏ₁| ≤ s√k;
- so E⟨xᵏ, e₁⟩ falls by at most η(8/d + 2A/(s√(d/2)) + 2/√(d/2)) in a round, and E‖∇f(xᵏ)‖ = E‖xᵏ‖ ≥ E⟨xᵏ, e₁⟩.

In words: in high dimension the server's direction is noise, and the method stays where it started.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.claim import Values
from verify.fed_alpha_normec.letters import values
from verify.fractions_check import exact_root
from verify.proof import Comparison

NUMBERS = values(
    alpha="1/20000",
    beta="1/20",
    R="1/20",
    gamma="1/2",
    sigma="1/100",
    K=9999,
    c=24,
    d=2 * 10**20,
    half_root=10**10,
)
PROBLEM = "M = 4, T = p = 1, f_i = ½‖x ∓ c e₂‖² in pairs, x⁰ = e₁, noise N(0, σ²I) in d = 2·10²⁰ dimensions, 10,000 rounds"
ROOT_TWO = Fraction(283, 200)
"""Above √2."""


def _run(numbers: Values) -> tuple[Fraction, Fraction, tuple[tuple[str, bool], ...]]:
    """η, what E‖∇f(x^k)‖ is at least for every k ≤ K + 1, and the conditions under which it is."""
    a, beta, R, gamma, sigma, c, d = (numbers[n] for n in ("alpha", "beta", "R", "gamma", "sigma", "c", "d"))
    rounds, half = numbers["K"] + 1, numbers["half_root"]
    eta = gamma / 3 * beta * R / (a + R)
    A, s = 1 + rounds * eta + R, beta * sigma / 2
    fall = 8 / d + 2 * A / (s * half) + 2 / half
    met = (
        ("β/(α + R) < 1", beta < a + R),
        ("γ ≤ 1/(2L)", gamma <= Fraction(1, 2)),
        ("η ∈ (0, 1) (Algorithm 1)", 0 < eta < 1),
        ("(ηγ(K+1) 4L)² 2L ≤ (Δ^inf)²", (eta * gamma * rounds * 4) ** 2 * 2 <= (c**2 / 2) ** 2),
        ("half_root = √(d/2)", half**2 == d / 2),
        ("s√(d/2) ≥ 2A", s * half >= 2 * A),
    )
    return eta, 1 - rounds * eta * fall, met


def stays(b: Callable[[Fraction, Fraction], Fraction]) -> Callable[[Values], Comparison]:
    """The replay against Theorem 1 with that B, at T = p = 1; √2 and √B are rounded up on the bound's side."""

    def replay(numbers: Values) -> Comparison:
        eta, left, met = _run(numbers)
        rounds, beta, R = numbers["K"] + 1, numbers["beta"], numbers["R"]
        noise = 2 * beta * exact_root(b(Fraction(1), numbers["sigma"]) / 2 / 4 * rounds, 2) * ROOT_TWO
        right = 3 * Fraction(1, 2) / (rounds * eta) + 2 * R + noise + eta / 2
        return Comparison(left, "<=", right, (*met, ("√2 < 283/200", ROOT_TWO**2 > 2)))

    return replay


def unmoved(numbers: Values) -> Comparison:
    """The same run against half of ‖∇f(x⁰)‖ = 1."""
    eta, left, met = _run(numbers)
    far = ("the steps together are 80 times the distance to the optimum", (numbers["K"] + 1) * eta > 80)
    return Comparison(left, "<=", Fraction(1, 2), (*met, far))
