"""Appendix C's distances against the memory itself, moved by the operators of `methods`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.alpha_normec.appendix_c import clipped_distance
from methods.operators import Clip, SmoothedNorm

STEPS = 12
ROUNDING = 1e-13  # of the start: twelve steps, each a few units in the last place
positive = st.floats(min_value=1e-2, max_value=1e2)
starts = st.lists(st.floats(min_value=-10, max_value=10), min_size=1, max_size=5).filter(
    lambda x: np.linalg.norm(x) > 1e-3
)


def normalised_distance(r: float, alpha: float, beta: float, k: int) -> float:
    """‖gᵏ − g⋆‖ by the printed product ∏ |1 − β/(α + ‖g⋆ − g^{l−1}‖)|, from ‖g⁰ − g⋆‖ = r."""
    for _ in range(k):
        r = abs(1 - beta / (alpha + r)) * r
    return r


def linear_rate(r: float, alpha: float, beta: float, k: int) -> float:
    """(1 − β/(α + r))ᵏ r: the rate that holds for β ≤ α."""
    return (1 - beta / (alpha + r)) ** k * r


def distances(operator, beta: float, start: list[float]) -> list[float]:
    """‖g⋆ − gᵏ‖ for k = 0 to `STEPS`, gᵏ⁺¹ = gᵏ + βΨ(g⋆ − gᵏ)."""
    left = np.array(start)
    found = [float(np.linalg.norm(left))]
    for _ in range(STEPS):
        left = left - beta * operator(left)
        found.append(float(np.linalg.norm(left)))
    return found


@given(tau=positive, start=starts)
def test_clipping_shortens_the_distance_by_tau_until_it_is_zero(tau: float, start: list[float]) -> None:
    found = distances(Clip(tau), 1.0, start)
    expected = [clipped_distance(found[0], tau, k) for k in range(STEPS + 1)]
    assert found == pytest.approx(expected, abs=ROUNDING * (found[0] + tau))


@given(alpha=positive, beta=positive, start=starts)
def test_smoothed_normalisation_follows_the_product(alpha: float, beta: float, start: list[float]) -> None:
    found = distances(SmoothedNorm(alpha), beta, start)
    expected = [normalised_distance(found[0], alpha, beta, k) for k in range(2)]
    assert found[:2] == pytest.approx(expected, abs=ROUNDING * (found[0] + beta))
    for k in range(
        STEPS
    ):  # every later step from where the memory is: near β = α + ‖·‖ rounding would be amplified
        assert found[k + 1] == pytest.approx(
            normalised_distance(found[k], alpha, beta, 1), abs=ROUNDING * (found[0] + beta)
        )


@given(alpha=positive, share=st.floats(min_value=0.01, max_value=1.0), start=starts)
def test_the_linear_rate_is_above_the_distance(alpha: float, share: float, start: list[float]) -> None:
    beta = share * alpha
    for k, distance in enumerate(distances(SmoothedNorm(alpha), beta, start)):
        assert distance <= linear_rate(np.linalg.norm(start), alpha, beta, k) + ROUNDING * 10


def test_beyond_alpha_the_linear_rate_fails() -> None:
    """β = 2α from a distance of α/100: the first step overshoots."""
    found = distances(SmoothedNorm(1.0), 2.0, [0.01])
    assert found[1] > linear_rate(found[0], 1.0, 2.0, 1)
