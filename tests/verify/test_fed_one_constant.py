"""Corollaries 2, 4 and 6 against O(·): at γ = 1/(2L) one constant serves, at a small γ none does."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

import pytest

from bounds.fed_alpha_normec import repaired
from bounds.fed_alpha_normec.corollaries import utility_scale
from verify.catalogue import claim

_BY_SHORT_WAY = (
    "FED-C2-UTIL",
    "FED-C2-UTIL@square-root",
    "FED-C4",
    "FED-C4@square-root",
    "FED-C6",
    "FED-C6@square-root",
)


def _draw(draw: random.Random, gamma: float, quiet: float) -> tuple[float, float]:
    """The bound of FED-R1 with Corollary 2's choices and what stands under its O(·), at γ = gamma/(2L), over the constant that is
    claimed; σ² = (1 − p)·quiet or more."""
    L, f_gap, d, C, c = (10 ** draw.uniform(-3, 3) for _ in range(5))
    d, M, p = 1 + d, draw.randint(1, 10**6), draw.uniform(0.01, 1)
    size, gamma = 10 ** draw.uniform(-9, 3), gamma / (2 * L)  # log(1/δ)/ε²
    y, X = (2 * c**2 * p * size / M) ** 0.25, math.sqrt(f_gap / gamma)
    R = C * d**0.25 * X * y
    hat = math.sqrt(3) * X / y
    rounds = max(hat / (2 * R) * 1.001, quiet * (1 - p) / (c**2 * p**2 * size), 1)
    found = repaired.ONE_STEP.formula(
        f_gap=f_gap, K=rounds - 1, eta=gamma * hat / (4 * rounds), R=R, beta=hat / rounds, M=M, p=p, V=c**2 * p**2 * rounds * size, L=L
    )  # fmt: skip
    constant = (10 / math.sqrt(3) + 17 * C / 8) * (2 * c**2) ** 0.25 / math.sqrt(2)
    return found, constant * utility_scale(R, L, f_gap) * (d * p * size / M) ** 0.25


def test_at_the_longest_gamma_one_constant_serves_where_the_noise_is_loud() -> None:
    draw = random.Random(2)
    assert all(found <= 1.000001 * above for found, above in (_draw(draw, 1, 1) for _ in range(20_000)))


@pytest.mark.parametrize(("gamma", "quiet"), [(1e-6, 1), (1, 0)])
def test_with_a_small_gamma_or_noise_the_derivation_has_no_constant(gamma: float, quiet: float) -> None:
    draw = random.Random(2)
    assert any(found > 10 * above for found, above in (_draw(draw, gamma, quiet) for _ in range(20_000)))


@pytest.mark.parametrize("identifier", _BY_SHORT_WAY)
def test_other_values_do_not_refute(identifier: str) -> None:
    """A constant a hundred times larger asks for other values, and another γ does not fit these."""
    witness = claim(identifier).witness
    assert witness
    assert witness.stands()[0]
    larger = replace(witness, values={**witness.values, "A": witness.values["A"] * 100})
    assert not larger.stands()[0]
    longer = replace(witness, values={**witness.values, "gamma": witness.values["gamma"] * Fraction(9, 2)})
    assert not longer.stands()[0]


def test_the_fourth_power_of_theorem_1s_bound_is_least_where_it_is_said_to_be() -> None:
    """f(x⁰) − f^inf = κ = 1 (in their units), noise 2β√(K+1): over β, R and γ the least sum is within 1 % of that for a large α,
    where η's limit is γβR/(2α), and never below it."""
    draw, n, alpha = random.Random(3), 1e12, 1e6
    least = (4608 * alpha / math.sqrt(n)) ** 0.25
    t = least / 4
    found = []
    for _ in range(20_000):
        R, third = (t * 2 ** draw.uniform(-1, 1) for _ in range(2))
        beta = third / (2 * math.sqrt(n))
        gamma = 2 * t / 3 * 2 ** draw.uniform(-1, 1)
        eta = min(gamma / 2 * beta * R / (alpha + R), 1 / (n * gamma))
        found.append(3 / (n * eta) + 2 * R + third)
    assert 1 <= min(found) / least < 1.01
