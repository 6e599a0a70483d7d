"""Fed-α-NormEC with several local steps: convex clients do not break the bounds, and the candidates are
inside the printed conditions."""

from __future__ import annotations

import numpy as np
import pytest

from bounds.fed_alpha_normec.repaired import LOCAL_GRADIENT
from toy_problems.falsifier.evolution import evolve
from toy_problems.falsifier.local_steps import LOCAL_BOUNDS, genes, local_evaluator


class Sized:
    """What `evolve` asks of a layout."""


def draw(layout, random, count):
    return random.normal(size=(count, genes(2)))


@pytest.mark.parametrize("T", [2, 4])
@pytest.mark.parametrize("name", LOCAL_BOUNDS)
def test_convex_clients_stay_below_the_bound(name, T):
    evaluate = local_evaluator(LOCAL_BOUNDS[name], clients=2, K=15, T=T)
    for _, ratio, instances in evolve(evaluate, Sized(), np.random.default_rng(T), 256, 10, draw):  # noqa: B007
        assert ratio <= 1 + 1e-9
    assert instances >= 2000
    assert ratio > 0.05, "the search found nothing inside the conditions"


def test_a_much_smaller_bound_falls():
    """A mutant, a fiftieth of the repaired bound: the evaluator can say that a bound is broken."""
    from dataclasses import replace

    mutant = replace(LOCAL_GRADIENT, formula=lambda f_gap, K, eta: f_gap / (50 * (K + 1) * eta))
    evaluate = local_evaluator(mutant, clients=2, K=15, T=2)
    assert evaluate(draw(None, np.random.default_rng(0), 2000)).max() > 1
