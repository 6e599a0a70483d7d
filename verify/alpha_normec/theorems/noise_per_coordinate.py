"""Noise of standard deviation σ in each of d coordinates against Theorem 2, whose two printed bounds do not depend on d.

One client, f = ½‖x‖² in d dimensions, so that L = L_max = 1 and f^inf = 0; x⁰ = u with ‖u‖ = 1 and g⁰ = (1 − R)u, so that
‖∇f(x⁰) − g⁰‖ = R. After m of Algorithm 1's iterations, m = 1, …, K, whatever the noises were,

- ‖gᵐ‖ ≤ A_m = 1 − R + mβ, since lines 5 and 6 add βNorm_α(·), which is no longer than β (Lemma 1);
- ĝᵐ = gᵐ + eᵐ with eᵐ = β(z⁰ + … + z^(m−1)) ~ N(0, m s² I), s = βσ (lines 8 and 10);
- P(‖eᵐ‖² < m s² d/2) ≤ 8/d by Chebyshev's inequality (χ²_d has mean d and variance 2d);
- otherwise ‖eᵐ‖ ≥ s√(md/2), and where that is at least 2A_m, ‖ĝᵐ‖ ≥ ‖eᵐ‖/2, so that
  |⟨ĝᵐ, u⟩|/‖ĝᵐ‖ ≤ 2(A_m + |⟨eᵐ, u⟩|)/‖eᵐ‖, where E|⟨eᵐ, u⟩| ≤ s√m;
- so line 11 lowers E⟨x, u⟩ by at most γ(8/d + 2A_m/(s√(md/2)) + 2/√(d/2)), and E‖∇f(xᵏ)‖ = E‖xᵏ‖ ≥ E⟨xᵏ, u⟩.

In words: the server's direction is noise, and the method drifts sideways, hardly nearer to the minimiser. At n = 1 the main text's
bound is the appendix's.

The same against one display of the proof, at k = 0: f(x¹) = ½ − γ⟨ĝ¹, u⟩/‖ĝ¹‖ + γ²/2 falls by less than it says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from bounds.alpha_normec.theorem2 import THEOREM2_APPENDIX, noise_appendix
from bounds.statement import Bound
from verify.claim import Values
from verify.computation import Comparison
from verify.curves import Quadratic
from verify.exact import Run, alpha_normec

NUMBERS = {
    "alpha": Fraction(1, 2000),
    "beta": Fraction(3, 80),
    "gamma": Fraction(37, 1000),
    "R": Fraction(1, 20),
    "sigma": Fraction(1, 2),
    "K": Fraction(35),
    "d": Fraction(200_000),
}
"""Fewer coordinates than a ResNet-20 has (some 270,000)."""


PROBLEM = "n = 1, f = ½‖x‖², ‖x⁰‖ = 1, g⁰ = (1 − R)x⁰, noise N(0, σ²I) in d = 200,000 dimensions, K + 1 = 36"


def root_below(x: Fraction) -> Fraction:
    """A rational below √x, for x ≥ 0, by less than 1/1000."""
    return Fraction(math.isqrt(math.floor(x * 10**6)), 1000)


def longest(numbers: Values) -> list[tuple[Fraction, Fraction]]:
    """√m (from below) and A_m for m = 1, …, K: the iterations before x^K."""
    start, beta = 1 - numbers["R"], numbers["beta"]
    return [(root_below(Fraction(m)), start + m * beta) for m in range(1, int(numbers["K"]) + 1)]


def along(numbers: Values) -> list[Fraction]:
    """Upper bounds of E⟨ĝᵐ, u⟩/‖ĝᵐ‖ for m = 1, …, K."""
    d, s = numbers["d"], numbers["beta"] * numbers["sigma"]
    half = root_below(d / 2)
    return [8 / d + 2 * A / (s * root * half) + 2 / half for root, A in longest(numbers)]


def remains(numbers: Values) -> Fraction:
    """A lower bound of E⟨x^k, u⟩, and so of E‖∇f(x^k)‖, for every k ≤ K."""
    return 1 - sum((numbers["gamma"] * share for share in along(numbers)), Fraction(0))


def some_noise(k: int) -> Fraction:
    return Fraction((-1) ** k * (k + 1), 2)


def path(numbers: Values, rounds: int = 6) -> Run:
    """Algorithm 1, line by line, on the line through u, with some noises (each exact round doubles the digits)."""
    f, one = Quadratic(Fraction(1)), Fraction(1)
    alpha, beta, gamma = (numbers[name] for name in ("alpha", "beta", "gamma"))
    memory = one - numbers["R"]
    return alpha_normec([f.gradient], one, [memory], alpha, beta, gamma, rounds, lambda k, i: some_noise(k))


def _met(numbers: Values, bound: Bound) -> tuple[dict[str, Fraction], tuple[tuple[str, bool], ...]]:
    """The letters of Theorem 2 on this problem, n = 1, and whether its hypotheses and what is used of the run hold."""
    beta, d, K, one = numbers["beta"], numbers["d"], numbers["K"], Fraction(1)
    parameters = {**numbers, "L": one, "L_max": one, "f_gap": one / 2, "n": one}
    s, half, run = beta * numbers["sigma"], root_below(d / 2), path(numbers)
    return parameters, (
        ("α, β, γ, σ_DP > 0", min(numbers[name] for name in ("alpha", "beta", "gamma", "sigma")) > 0),
        *((c.printed, bool(c.holds(parameters))) for c in bound.conditions),
        ("R = ‖∇f(x⁰) − g⁰‖", abs(run.x[0] - run.memories[0][0]) == numbers["R"]),
        ("K and d are whole, d ≥ 1", K.denominator == d.denominator == 1 and d >= 1),
        ("βσ_DP√(md/2) ≥ 2A_m, A_m = 1 − R + mβ, for every m", all(s * root * half >= 2 * A for root, A in longest(numbers))),
        ("a run of Algorithm 1: ĝᵐ − gᵐ = β(z⁰ + … + z^(m−1))", all(
            hat - g == beta * sum(map(some_noise, range(m)), Fraction(0))
            for m, (hat, (g,)) in enumerate(zip(run.server, run.memories, strict=True)))),
        ("a run of Algorithm 1: ‖gᵐ‖ ≤ A_m", all(
            abs(g) <= 1 - numbers["R"] + m * beta for m, (g,) in enumerate(run.memories))),
    )  # fmt: skip


def stays(bound: Bound) -> Callable[[Values], Comparison]:
    """The replay against a printed bound of Theorem 2, with n = 1."""

    def replay(numbers: Values) -> Comparison:
        parameters, met = _met(numbers, bound)
        return Comparison(remains(numbers), "<=", bound.value(**parameters), met)

    return replay


def falls_less(numbers: Values) -> Comparison:
    """The replay against Step 3's display with Lemma 3, at k = 0: E f(x¹) − f(x⁰), bounded below, on its left."""
    _, met = _met(numbers, THEOREM2_APPENDIX)
    gamma, R, beta, K, sigma = (numbers[name] for name in ("gamma", "R", "beta", "K", "sigma"))
    change = -gamma * along(numbers)[0] + gamma**2 / 2
    noise = noise_appendix(beta, K, sigma, Fraction(1))
    return Comparison(change, "<=", -gamma + 2 * gamma * R + 2 * gamma * noise + gamma**2 / 2, met)
