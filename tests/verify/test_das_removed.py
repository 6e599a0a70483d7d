"""A removed client takes its noise away: the claims' numbers by other means, and the cases in which nothing is shown."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from methods.algebra import advance, initialise
from methods.published import dp_normfedavg
from methods.randomness import Keyed
from verify.catalogue import claim
from verify.claim import Witness
from verify.privacy import removed
from verify.privacy.removed import poisson_tail
from verify.privacy.rigorous import number


def witness(name: str) -> Witness:
    found = claim(name).against
    assert found is not None
    return found


@pytest.mark.parametrize(("least", "mean"), [(50, 40), (1000, 950), (50_000, 49_000)])
def test_poisson_tail_encloses_the_survival_function(least: int, mean: int) -> None:
    low, high = poisson_tail(least, number(mean))
    found = stats.poisson.sf(least - 1, mean)
    assert float(low.a) <= found * (1 + 1e-9)
    assert found <= float(high.b) * (1 + 1e-9)
    assert float(high.b) < float(low.a) * 1.001


def test_what_comes_after_the_last_term_is_on_the_upper_side(monkeypatch) -> None:
    monkeypatch.setattr(removed, "TERMS", 3)
    low, high = poisson_tail(50, number(40))
    assert float(low.b) < stats.poisson.sf(49, 40) <= float(high.b)


def test_smaller_noise_by_the_chi_square_law() -> None:
    w = witness("DAS-EXP-DP@removed")
    N, t = 200 * 500, float(w.values["t"])
    exact = stats.chi2.cdf(t / 0.99, N) - np.exp(5) * stats.chi2.cdf(t, N)
    assert float(w.replay(w.values).lhs) == pytest.approx(exact, rel=1e-6)
    few = replace(w, values={**w.values, "releases": Fraction(50), "t": Fraction(9800)})
    assert not few.stands()[0], "50 rounds do not show it at ε = 5"


@pytest.mark.parametrize(("clients", "chance"), [(2, 0.5), (1, 0.5), (1, 1.0)])
def test_the_model_stands_still_as_often_as_the_claim_says(clients: int, chance: float) -> None:
    """`methods.published.dp_normfedavg`, one of two rounds returned at random, 40,000 runs: how often w_k̃ is w₀."""
    runs = 40_000
    method = dp_normfedavg(0.1, 0.1, 1.0, 1, 1.0, chance * clients)
    start = np.ones((runs, 1))
    state, _ = advance(
        method, initialise(method, start, clients=clients), lambda x: x, Keyed(np.arange(runs))
    )
    still = np.where(np.arange(runs) % 2 == 0, True, (state.x == start)[:, 0]).mean()
    exact = (1 + (1 - chance) ** clients) / 2
    assert abs(still - exact) <= 6 * np.sqrt(0.25 / runs)


def test_one_round_returns_the_start_and_shows_nothing() -> None:
    w = witness("DAS-T3@removed")
    assert not replace(w, values={**w.values, "releases": Fraction(1)}).stands()[0]
    assert replace(w, values={**w.values, "epsilon": Fraction(1, 10**9)}).stands()[0]
