"""α-NormEC's eq. (3) in the range that it calls usual, by the accountant: where a constant is enough."""

from __future__ import annotations

import math

import pytest

from bounds.privacy import Setting, epsilon
from verify.catalogue import claim


@pytest.mark.parametrize(("level", "small"), [(10.0, 1e-5), (10.0, 1e-12), (1.0, 1e-5), (0.1, 1e-9)])
@pytest.mark.parametrize(("n", "B"), [(10_000, 100), (10_000, 10_000), (1, 1), (10, 4)])
def test_one_constant_is_enough_where_batches_are_large(level: float, small: float, n: int, B: int) -> None:
    """NEC-EQ3@usual-range,large-batches: c = 11.3 on a mean of B ≥ √n messages, whoever is drawn being known."""
    assert "δ ≤ 1e-5 c = 11.3 is enough" in claim("NEC-EQ3@usual-range,large-batches").reason
    noise = math.sqrt(11.3) * (B / n) * math.sqrt(300 * math.log(1 / small)) / level
    assert epsilon(Setting("messages", "replace-one", 300), B * noise, small).upper <= level


@pytest.mark.parametrize(
    ("n", "level", "small", "K"),
    [(100, 1.0, 1e-6, 100_000), (100, 8.0, 1e-6, 160_000), (30, 1.0, 1e-5, 90_000)],
)
def test_it_is_enough_in_a_few_cases_as_it_is_cited(n: int, level: float, small: float, K: int) -> None:
    """NEC-EQ3@usual-range,as-cited: less than its constant, c = 12, one point of n a step, hidden, and ε < K/n²; Ψ of a point
    replaced by 0."""
    noise = math.sqrt(12 * K * math.log(1 / small)) / (n * level)
    assert level < K / n**2
    assert epsilon(Setting("server-noise", "add-remove", K, 1 / n, n), noise, small).upper <= level
