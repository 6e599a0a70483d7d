"""Noise of variance σ² in each of d coordinates against Theorems 1 and 2, whose bounds do not depend on d.

M = 4 clients in two pairs, f_i = ½‖x ∓ c e₂‖², so that f = ½‖x‖² + c²/2, L = 1, Δ^inf = c²/2; x⁰ = e₁, T = p = 1. Write A =
1 + (K+1)η + R, and s = βσ/√M. Then, for every k ≤ K + 1:

- v̂ᵏ = v̄ᵏ − eᵏ with ‖v̄ᵏ‖ ≤ A along every path (FED-L1-INV, and each step has length η), and eᵏ ~ N(0, k s² I);
- P(‖eᵏ‖² < k s² d/2) ≤ 8/d by Chebyshev's inequality (χ²_d has mean d and variance 2d);
- otherwise, where s√(d/2) ≥ 2A, ‖v̂ᵏ‖ ≥ ‖eᵏ‖/2, so |⟨v̂ᵏ, e₁⟩|/‖v̂ᵏ‖ ≤ 2(A + |eᵏ₁|)/‖eᵏ‖, and E|eᵏ₁| ≤ s√k;
- so E⟨xᵏ, e₁⟩ falls by at most η(8/d + 2A/(s√(d/2)) + 2/√(d/2)) in a round, and E‖∇f(xᵏ)‖ = E‖xᵏ‖ ≥ E⟨xᵏ, e₁⟩.

With K + 1 beside the root (`OUTSIDE`) σ is 100 times smaller and d 10⁴ times larger, so that s√(d/2) is what it was. Theorem 2 has
its two terms in Δ^inf at N = 1 too, 12γc in all here, and so gets smaller c and γ (`PASSES`). The display before Lemma 5 fails in the
first round already (`first_round`).

In words: in high dimension the server's direction is noise, and the method drifts sideways, no nearer to the minimiser.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bounds.fed_alpha_normec.theorem1 import APPENDIX, b_appendix
from verify.claim import Values
from verify.computation import Comparison
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.letters import values
from verify.fractions_check import exact_root

NUMBERS = values(
    alpha="1/20000",
    beta="1/20",
    R="1/20",
    gamma="1/2",
    sigma="1/100",
    K=9999,
    c=24,
    d=2 * 10**20,
    h=10**10,
)
OUTSIDE = {**NUMBERS, **values(sigma="1/10000", d=2 * 10**24, h=10**12)}
PASSES = {**NUMBERS, **values(alpha="1/20000", gamma="1/100", sigma="1/1000", K=39999, c="9/10")}
PASSES_OUTSIDE = {**PASSES, **values(sigma="1/100000", d=2 * 10**24, h=10**12)}
PASSES_PROBLEM = (
    "M = 4, T = N = p = 1, f_{{i,0}} = f_i = ½‖x ∓ c e₂‖² in pairs, x⁰ = e₁, noise N(0, σ²I) in d = {} dimensions, "
    "40,000 rounds"
)
PROBLEM = "M = 4, T = p = 1, f_i = ½‖x ∓ c e₂‖² in pairs, x⁰ = e₁, noise N(0, σ²I) in d = {} dimensions, 10,000 rounds"
ROOT_TWO = Fraction(283, 200)
"""Above √2."""


def least_along(
    eta: Fraction, rounds: Fraction, far: Fraction, s: Fraction, d: Fraction, half: Fraction
) -> tuple[Fraction, tuple[tuple[str, bool], ...]]:
    """What E⟨xᵏ, e₁⟩ is at least for every k ≤ rounds, and when: far is not below any ‖v̄ᵏ‖, half is √(d/2)."""
    fall = 8 / d + 2 * far / (s * half) + 2 / half
    return 1 - rounds * eta * fall, (
        ("h = √(d/2)", half**2 == d / 2),
        ("sh ≥ 2A, s = βσ/√M, A = L(1 + (K+1)η) + R", s * half >= 2 * far),
    )


def _run(numbers: Values) -> tuple[Fraction, Fraction, tuple[tuple[str, bool], ...]]:
    """η, what E‖∇f(x^k)‖ is at least for every k ≤ K + 1, and the conditions under which it is."""
    a, beta, R, gamma, sigma, c, d = (numbers[n] for n in ("alpha", "beta", "R", "gamma", "sigma", "c", "d"))
    rounds, half = numbers["K"] + 1, numbers["h"]
    eta = gamma / 3 * beta * R / (a + R)
    left, large = least_along(eta, rounds, 1 + rounds * eta + R, beta * sigma / 2, d, half)
    met = (
        *conditions.met(APPENDIX, {**numbers, "eta": eta, "L": Fraction(1), "Delta": c**2 / 2}),
        *large,
    )
    return eta, left, met


def stays(
    b: Callable[[Fraction, Fraction], Fraction], outside: bool = False, passes: bool = False
) -> Callable[[Values], Comparison]:
    """The replay against Theorem 1 with that B, at T = p = 1; √2 and √B are rounded up on the bound's side. outside: K + 1 stands
    beside the root. passes: Theorem 2 instead, at N = 1, where every Δ_i^inf is f^inf − f_{i,0}^inf = c²/2."""

    def replay(numbers: Values) -> Comparison:
        eta, left, met = _run(numbers)
        rounds, beta, R = numbers["K"] + 1, numbers["beta"], numbers["R"]
        half = b(Fraction(1), numbers["sigma"]) / 2 / 4  # B/M = 2 half
        root = exact_root(half, 2) * rounds if outside else exact_root(half * rounds, 2)
        noise = 2 * beta * root * ROOT_TWO
        spread = numbers["c"] ** 2 / 2
        drift = numbers["gamma"] * 12 * exact_root(2 * spread, 2) if passes else 0
        right = 3 * Fraction(1, 2) / (rounds * eta) + 2 * R + noise + drift + eta / 2
        signs = ("Δ^inf > 0, and every Δ_i^inf > 0 in Theorem 2", spread > 0)
        return Comparison(left, "<=", right, (*met, signs, ("√2 < 283/200", ROOT_TWO**2 > 2)))

    return replay


def unmoved(numbers: Values) -> Comparison:
    """The same run against half of ‖∇f(x⁰)‖ = 1."""
    eta, left, met = _run(numbers)
    far = ("the steps together are 80 times the distance to the optimum", (numbers["K"] + 1) * eta > 80)
    return Comparison(left, "<=", Fraction(1, 2), (*met, far))


FIRST = values(alpha=1, beta=1, R="1/100", gamma="1/100", sigma="1/100", d=2 * 10**8, h=10**4)
FIRST_PROBLEM = (
    "M = 2, T = N = p = 1, K = k = 0, f_i = ½‖x ∓ e₂‖², x⁰ = e₁, v_i⁰ = ∇f_i(x⁰) ± R e₃, noise N(0, σ²I) in "
    "d = 2·10⁸ dimensions"
)


def first_round(passes: bool) -> Callable[[Values], Comparison]:
    """The replay against the display before Lemma 5 in F.2, or with `passes` in G.2, in round 0.

    The two messages cancel: v̂¹ = e₁ + e, e ~ N(0, s²I) with s = βσ/√2. With u = v̂¹/‖v̂¹‖, E f(x¹) − f^inf = ½E‖e₁ − ηu‖², and
    |E⟨e₁, u⟩| ≤ 8/d + 2(1 + s)/(s√(d/2)) as above, where s√(d/2) ≥ 2. The right side has L = 1, f(x⁰) − f^inf = Δ^inf = ½."""

    def replay(numbers: Values) -> Comparison:
        a, beta, R, gamma, sigma, d, half = (
            numbers[n] for n in ("alpha", "beta", "R", "gamma", "sigma", "d", "h")
        )
        gap = spread = local = Fraction(1, 2)
        eta, s = gamma / 3 * beta * R / (a + R), beta * sigma / ROOT_TWO  # s rounded down
        along = 8 / d + 2 / (s * half) + 2 / half
        growth = 1 + 4 * exact_root(2 / spread, 2) * gamma * eta
        drift = 8 * exact_root(2 * spread, 2) + (4 * exact_root(2 * local, 2) if passes else 0)
        noise = beta * exact_root(b_appendix(Fraction(1), sigma) / 2, 2)
        right = growth * gap - eta + 2 * eta * R + drift * gamma * eta + 2 * eta * noise + eta**2 / 2
        met = (
            *conditions.met(
                APPENDIX, {**numbers, "eta": eta, "K": Fraction(0), "L": Fraction(1), "Delta": spread}
            ),
            ("h = √(d/2)", half**2 == d / 2),
            ("sh ≥ 2, s = βσ/√M, and √2 < 283/200", s * half >= 2 and ROOT_TWO**2 > 2),
        )
        return Comparison(gap - eta * along + eta**2 / 2, "<=", right, met)

    return replay
