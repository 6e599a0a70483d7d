"""Lemma 5 with an error that rises like √k (`verify.fed_alpha_normec.ours.rising`), against recursions run to the end."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy

from bounds.fed_alpha_normec.repaired import mean_noise_term, participation_noise_term
from verify.facts import derived
from verify.fed_alpha_normec.lemmas import recursion as rec
from verify.fed_alpha_normec.ours import averaged as av
from verify.fed_alpha_normec.ours import rising as ri
from verify.obligation import Obligation, Settings


def _highest_minimum(x: float, start: float, step: float, still: float, error: float, K: int) -> float:
    """The largest w with which Vᵏ⁺¹ = (1 + x)Vᵏ − step·w + step(still + 2·error·√(k+1)), k ≤ K, ends at 0: the constant W that the
    recursion allows."""
    weights = (1 + x) ** -np.arange(1.0, K + 2)
    errors = still + 2 * error * np.sqrt(np.arange(1.0, K + 2))
    return (start + step * weights @ errors) / (step * weights.sum())


@pytest.mark.parametrize("K", [0, 1, 7, 500])
def test_the_bound_covers_every_recursion_and_some_closely(K: int) -> None:
    rng = np.random.default_rng(K)
    closest = 0.0
    for x, start, step, still, error in 10 ** rng.uniform(-4, 1, (400, 5)):
        w = _highest_minimum(x, start, step, still, error, K)
        bound = (1 + x * (K + 1)) * start / ((K + 1) * step) + still + 2 * error * math.sqrt((K + 2) / 2)
        assert w <= bound * (1 + 1e-12)
        closest = max(closest, w / bound)
    assert closest > 0.93


def test_the_mean_of_the_error_is_never_more_than_its_last_value_and_half_its_square_in_the_end() -> None:
    terms = [
        (mean_noise_term(0.3, 0.5, 2.0, 7, K), participation_noise_term(0.3, 0.5, 2.0, 7, K))
        for K in (0, 3, 10**8)
    ]
    assert terms[0][0] == pytest.approx(terms[0][1])
    assert all(mean < last for mean, last in terms[1:])
    assert terms[2][0] / terms[2][1] == pytest.approx(math.sqrt(1 / 2))


@pytest.mark.parametrize("step", [ri.MOVES_UP, ri.OVER_ERRORS.step], ids=lambda step: step.name)
def test_no_smaller_mean_is_shown(step: Obligation) -> None:
    """√((k+1)/2) for √((k+2)/2), which the mean of √1, …, √(k+1) exceeds."""
    less = step.goal.relation.xreplace({sympy.sqrt((rec.k + 2) / 2): sympy.sqrt((rec.k + 1) / 2)})
    assert less != step.goal.relation
    found = replace(step, goal=derived("less", less)).discharge(Settings(minimise=False, seconds=5.0))
    assert found.status != "proved"
    assert step.discharge(Settings(minimise=False)).ok


def test_where_the_weights_rise_the_error_counts_for_more() -> None:
    """b₁ < 0, which the lemma excludes: the last errors weigh most, and their weighted mean is above √((K+2)/2)."""
    assert _highest_minimum(-0.5, 0.0, 1.0, 0.0, 1.0, 20) > 2 * math.sqrt(22 / 2)
    assert rec.SIGNS in ri.LIGHTER.given
    assert av.LATEST.conclusion in ri.OVER_ERRORS.step.given
