"""NEC-OUR-EQ3: noise that falls as the probability of a message, by the accountant and by sums over a binomial."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from bounds.privacy import Setting, epsilon
from verify.obligation import Settings
from verify.privacy.hidden_draws import DRAWN, MANY, NOISE, USUAL, enough_unseen
from verify.prove import prove


@pytest.mark.parametrize(("relation", "c", "c_1"), [("add-remove", 25.2, 1.68), ("replace-one", 101, 3.36)])
@pytest.mark.parametrize(
    ("q", "level", "small"),
    [
        (0.01, 1.0, 1e-6),
        (0.01, 8.0, 1e-6),
        (0.1, 0.1, 1e-5),
        (0.3, 10.0, 1e-5),
        (0.9, 4.0, 1e-8),
        (1.0, 10.0, 1e-5),
    ],
)
def test_its_constants_are_enough_by_the_accountant(
    relation: str, c: float, c_1: float, q: float, level: float, small: float
) -> None:
    """For ε ≤ 10, δ ≤ 1e-5 and the fewest steps that ε < c₁q²K allows."""
    assert f"c = {c:g} and" in USUAL
    assert f"{c_1:g} " in f"{USUAL} "
    K = math.floor(level / (c_1 * q**2)) + 1
    noise = math.sqrt(c * K * math.log(1 / small)) * q / level
    assert epsilon(Setting("server-noise", relation, K, q, 1), noise, small).upper <= level


def log_moment(order: int, q: float, w: float) -> float:
    """ln E e^(wN(N−1)), N ~ Bin(order, q)."""
    n = np.arange(order + 1)
    return float(np.log1p((binom.pmf(n, order, q) * np.expm1(w * n * (n - 1))).sum()))


@given(st.integers(2, 400), st.floats(1e-4, 1), st.floats(1e-4, 1))
def test_moments_grow_as_the_square_of_the_probability(order: int, q: float, share: float) -> None:
    """ln A ≤ 18u/5, u = wΛ²q², where 8wΛ ≤ 1."""
    w = share / (8 * order)
    assert log_moment(order, q, w) <= 18 / 5 * w * order**2 * q**2


@pytest.mark.parametrize("angle", [0.0, 1.0, 2.5, math.pi])
@pytest.mark.parametrize(("order", "q", "sigma"), [(2, 0.1, 1.5), (3, 0.5, 2.0), (4, 0.9, 3.0)])
def test_messages_need_not_lie_on_a_line(angle: float, order: int, q: float, sigma: float) -> None:
    """∫ P^λ Q^(1−λ) in the plane, of a message that is replaced by one at an angle to it, is at most A_2λ."""
    reach = 2 * order + 8 * sigma
    x, step = np.linspace(-reach, reach, 601, retstep=True)
    first, second = np.meshgrid(x, x)

    def density(towards: float) -> np.ndarray:
        along = first * math.cos(towards) + second * math.sin(towards)
        return 1 - q + q * np.exp((2 * along - 1) / (2 * sigma**2))

    normal = np.exp(-(first**2 + second**2) / (2 * sigma**2)) / (2 * math.pi * sigma**2)
    whole = (normal * density(0.0) ** order * density(angle) ** (1 - order)).sum() * step**2
    assert whole >= 1 - 1e-9
    assert math.log(whole) <= log_moment(2 * order, q, 1 / (2 * sigma**2))


def test_without_its_limit_they_do_not() -> None:
    """8wΛ = 40: a message that is seldom sent weighs more than its square."""
    order, q = 50, 0.1
    w = 5 / order
    assert log_moment(order, q, w) > 18 / 5 * w * order**2 * q**2


@pytest.mark.parametrize("left_out", [NOISE, MANY], ids=["noise", "steps"])
def test_neither_the_noise_nor_the_number_of_steps_can_be_left_out(left_out) -> None:
    assumed = tuple(fact for fact in (DRAWN, MANY, NOISE) if fact != left_out)
    found = prove(enough_unseen(NOISE, DRAWN, MANY, assumed), Settings(), "alpha-normec")
    assert not found.ok
    assert "neither assumed nor shown" in found.detail
