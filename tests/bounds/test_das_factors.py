"""Factors, numbers of rounds and quoted ranges of DP-NormFedAvg, by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.dp_normfedavg import choices, repaired, theorem4, theorem6, theorem7
from bounds.privacy import participation_noise
from bounds.privacy.printed import moments_accountant, moments_accountant_reach

NUMBERS = st.fractions(Fraction(1, 10), 5, max_denominator=20)


def test_factors_and_rounds_by_hand():
    half = Fraction(1, 2)
    assert theorem4.factor_a(rho=half, E=2, alpha=5) == 2 - Fraction(1, 5) - Fraction(1, 25)
    assert theorem4.factor_b(rho=half, E=2, alpha=5) == 2 - Fraction(1, 25)
    assert theorem6.factor(gamma=1, C_hat=2, K=5, rho=half) == 2 - Fraction(2, 5) - Fraction(4, 25)
    assert theorem7.factor(gamma=1, C_hat=2, K=5, rho=half) == 2 - Fraction(4, 25)
    assert repaired.rounds_sampling(excess=half, gamma=3, C_hat=2, E=2, rho=half) == 2
    assert choices.rho_definition2(q=2, d=8, log_inverse_delta=1, n=4, epsilon=3) == pytest.approx(1 / 3)


@given(
    gamma=NUMBERS,
    C_hat=NUMBERS,
    rho=NUMBERS,
    alpha=NUMBERS,
    E=st.integers(1, 20),
    Delta=NUMBERS,
    L=NUMBERS,
    d=NUMBERS,
)
def test_the_second_parts_are_the_first_at_their_number_of_rounds(gamma, C_hat, rho, alpha, E, Delta, L, d):
    K = choices.rounds_theorem6(alpha, gamma, C_hat, E, rho)
    assert theorem6.factor(gamma, C_hat, K, rho) == theorem4.factor_a(rho, E, alpha)
    assert theorem7.factor(gamma, C_hat, K, rho) == theorem4.factor_b(rho, E, alpha)
    x = rho * E / alpha
    assert (
        theorem6.theorem6(C_hat, L, d, gamma, rho, K, Delta)
        - theorem6.initialisation(C_hat, L, d, gamma, rho)
        == x * (1 + x) * Delta
    )


@pytest.mark.parametrize(
    ("sigma", "K", "epsilon", "order"),
    [
        (2.0, 100, 3.0, True),  # λ = 8 ≤ σ² ln(1/(qσ)) = 4 ln 50 = 15.6, K q² λ/σ² = 0.02 ≤ 1.5
        (1.0, 100, 3.0, False),  # λ = 8 > ln 100 = 4.6
        (2.0, 10**4, 3.0, False),  # K q² λ/σ² = 2 > 1.5
        (2.0, 7000, 3.0, True),  # 1.4 <= 1.5
    ],
)
def test_the_moments_that_the_quoted_theorem_needs(sigma, K, epsilon, order):
    assert moments_accountant(0.01, sigma, K, epsilon, 1e-5).order is order


def test_the_sampling_that_the_quoted_theorem_needs():
    found = [moments_accountant(0.01, sigma, 100, 3.0, 1e-5) for sigma in (0.9, 1.0, 6.0, 6.25, 7.0)]
    assert [f.sigma_at_least_1 for f in found] == [False, True, True, True, True]
    assert [f.sampling for f in found] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("q", "K", "least"),
    [
        (0.05, 300, 5.76),  # λ = 4, the largest that is allowed
        (0.01, 10_000, 1.10),  # λ = 21 of 108
        (0.001, 1_000_000, 0.109),  # λ = 212 of 10,830
        (0.03, 100_000, 41.5),  # λ = 1
    ],
)
def test_the_smallest_epsilon_that_the_quoted_theorem_covers_by_search(q, K, least):
    """A search over every λ and many σ finds no smaller ε, and one that is hardly larger."""
    reach = moments_accountant_reach(q, K, 1e-5)
    assert reach is not None
    assert reach == pytest.approx(least, rel=5e-3)  # of three digits the last is worth half a unit
    found = math.inf
    for sigma in np.geomspace(1, 0.99999 / (16 * q), 300):
        moments = np.arange(1, int(sigma**2 * math.log(1 / (q * sigma))) + 1)
        covered = np.maximum(2 * math.log(1e5) / moments, 2 * K * q**2 * moments / sigma**2)
        found = min(found, covered.min())
    assert reach * (1 - 1e-12) <= found <= reach * 1.001
    widest = 0.9999999 / (16 * q)
    assert not moments_accountant(q, widest, K, reach * 0.9999, 1e-5).applies
    for larger in (1.0001, 2, 10, 1e3, 1e6):
        assert moments_accountant(q, widest, K, reach * larger, 1e-5).applies


def test_noise_for_participation_by_its_formula():
    L = math.log(2 / 1e-5)
    m = 1000 * 0.1 + math.sqrt(2 * 1000 * 0.1 * 0.9 * L) + 2 / 3 * L
    expected = 2 * math.sqrt(m / 2) * (math.sqrt(L) + math.sqrt(L + 1.5)) / 1.5
    assert participation_noise(1.5, 1e-5, 1000, 0.1) == pytest.approx(expected, rel=1e-12)
