"""DAS-EXP-DP@start against a run of Algorithm 1's first round in floats, and against what would not refute."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from verify.catalogue import claim

CLAIM = claim("DAS-EXP-DP@start")
assert CLAIM.witness is not None
WITNESS = CLAIM.witness


def first_sum(sign: float, z: float, own_start: float | None = None) -> float:
    """Clipped updates of 100 clients after 20 local steps, added up; the start is w* + z, or `own_start`."""
    centres = np.zeros(100)
    centres[0] = sign * 1e6
    start = centres.mean() + z if own_start is None else own_start
    w = np.full(100, start)
    for _ in range(20):
        w = w - 0.003 * 4 * (w - centres)
    return float(np.clip((start - w) / 0.003, -50, 50).sum())


def true_delta(apart: float, deviation: float, epsilon: float = 5.0) -> float:
    mu = apart / deviation
    return float(norm.cdf(mu / 2 - epsilon / mu) - np.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu))


DEVIATION = 50 * np.sqrt(6.96 * 500 * np.log(1e6)) / 5
"""√n times √r σ at n = r: of the sum of 100 noises of variance rσ², σ² Theorem 3's."""


@pytest.mark.parametrize("z", [0.0, 0.1, 0.5, 1.0])
def test_the_replaced_client_moves_the_sum_by_those_of_all(z):
    assert (first_sum(1, z), first_sum(-1, z)) == pytest.approx((4900, -4900))


def test_the_first_sum_gives_the_client_away():
    found = WITNESS.replay(WITNESS.values)
    assert all(holds for _, holds in found.presupposed)
    assert float(found.lhs) == pytest.approx(true_delta(9800, DEVIATION), rel=1e-4)
    assert float(found.lhs) > 0.8


def test_from_one_start_for_both_data_sets_the_sum_moves_by_one_client_alone():
    apart = abs(first_sum(1, 0.5, own_start=0.5) - first_sum(-1, 0.5, own_start=0.5))
    assert apart <= 2 * 50
    assert true_delta(apart * np.sqrt(500), DEVIATION) <= 1e-6


@pytest.mark.parametrize("change", [{"q": Fraction(10**6)}, {"far": Fraction(1)}, {"t": Fraction(97)}])
def test_other_numbers_do_not_refute(change):
    found = WITNESS.replay({**WITNESS.values, **change})
    assert found.lhs <= found.rhs or not all(holds for _, holds in found.presupposed)
