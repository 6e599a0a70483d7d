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
from verify.fed_alpha_normec.ours import faster_corollaries as fa
from verify.fed_alpha_normec.ours import rising as ri
from verify.obligation import Obligation, Settings
from verify.proof import Proof


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


def _last(proof: Proof, name: str) -> Obligation:
    (found,) = (node for node in proof.nodes if node.name.endswith(name))
    assert isinstance(found, Obligation)
    return found


def _fails(step: Obligation, changed: sympy.Basic) -> None:
    """A goal that says more than the step's is not shown, though the step is."""
    assert changed != step.goal.relation
    found = replace(step, goal=derived("changed", changed)).discharge(Settings(minimise=False, seconds=5.0))
    assert found.status != "proved"
    assert step.discharge(Settings(minimise=False)).ok


@pytest.mark.parametrize("K", [0, 1, 63, 10**9])
def test_what_the_noise_has_on_the_schedule_of_corollaries_3_and_5(K: int) -> None:
    """(K+1)^(1/6) times FED-R2-SHARP's noise term at β = D₂/(K+1)^(2/3) is √(2(K+2)/(K+1)) D₂√(B*/M)."""
    D_2, p, V, M = 0.3, 0.5, 2.0, 7
    term = mean_noise_term(D_2 / (K + 1) ** (2 / 3), p, V, M, K) * (K + 1) ** (1 / 6)
    level = D_2 * math.sqrt((1 - p + V) / p / M)
    assert term == pytest.approx(float(fa.MEAN.subs(rec.K, K)) * level)
    assert term <= level * min(2, math.sqrt(2) + 1 / (math.sqrt(2) * (K + 1))) * (1 + 1e-12)
    assert (term == pytest.approx(2 * level)) is (K == 0)


@pytest.mark.parametrize(
    "less", [sympy.sqrt(2), sympy.sqrt(2 * (rec.K + 1) / (rec.K + 1)), sympy.sqrt(rec.K + 2) / (rec.K + 1)], ids=str
)  # fmt: skip
def test_no_smaller_noise_is_shown_on_that_schedule(less: sympy.Expr) -> None:
    _fails(fa.NOISE, 2 * ri.mean_err * fa.kappa <= less * fa.E * fa.D_2)


@pytest.mark.parametrize(
    "more",
    [
        fa.MEAN >= sympy.Rational(142, 100),
        fa.MEAN <= sympy.Rational(199, 100),
        fa.MEAN <= sympy.sqrt(2) + 1 / (2 * (rec.K + 1)),
    ],
    ids=str,
)
def test_the_constant_of_the_noise_lies_no_closer(more: sympy.Basic) -> None:
    _fails(fa.BETWEEN, more)


@pytest.mark.parametrize("proof", [fa.GRADIENT, fa.INCREMENTAL], ids=["3", "5"])
def test_the_ends_of_corollaries_3_and_5_say_no_more(proof: Proof) -> None:
    """The √2 of many rounds alone does not serve for all of them, and not the half of what stands beside it."""
    end, apart = _last(proof, "at 1/6"), _last(proof, "with the √2 of many rounds")
    _fails(end, end.goal.relation.xreplace({fa.MEAN: sympy.sqrt(2)}))
    beside = fa.E * fa.D_2 / sympy.sqrt(2) / fa.kappa**7
    _fails(apart, apart.goal.relation.xreplace({beside: beside / 2}))
