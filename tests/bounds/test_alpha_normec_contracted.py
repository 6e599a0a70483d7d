"""Bounds of α-NormEC from any memories for β < 2α: by hand, against the other bounds, refusals, and their share in the recipe."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bounds.alpha_normec import recipe as recipes
from bounds.alpha_normec.comparison import GRADIENT_DESCENT
from bounds.alpha_normec.contracted import (
    KEPT,
    PRIVATE_CONTRACTS,
    THEOREM1_CONTRACTS,
    left_over,
    lessened,
    theorem1_contracts,
)
from bounds.alpha_normec.forgets import THEOREM1_FORGETS
from bounds.alpha_normec.ours import theorem1_sharp
from bounds.alpha_normec.recipe import recipe
from bounds.statement import ConditionError

INSIDE = {"f_gap": 1.0, "gamma": 0.05, "K": 99, "R": 5.0, "L": 1.0, "L_max": 2.0, "alpha": 2.0, "beta": 3.0}
sizes = st.floats(1e-3, 1e3)


@pytest.mark.parametrize(
    ("alpha", "eta"), [(Fraction(2), Fraction(3, 7)), (Fraction(8, 5), Fraction(1, 8))], ids=["far", "overshooting"]
)  # fmt: skip
def test_at_rationals_by_hand(alpha: Fraction, eta: Fraction) -> None:
    """β = 3, R = 5: η is 3/7 against 1/2, then 15/33 against 2 − 15/8; a = 1/2."""
    values = {"f_gap": Fraction(1), "gamma": Fraction(1, 4), "K": 9, "L": Fraction(2), "L_max": Fraction(2)}
    assert lessened(alpha, Fraction(3), Fraction(5)) == eta
    found = theorem1_contracts(**values, R=Fraction(5), alpha=alpha, beta=Fraction(3))
    assert found == Fraction(2, 5) + Fraction(1, 4) + 2 * (1 / eta - 1)


@given(
    st.fractions(Fraction(1, 100), 100), st.fractions(0, Fraction(1, 10)), st.fractions(Fraction(1, 100), 100), st.integers(0, 10**6),
)  # fmt: skip
def test_the_memories_cost_goes_down_with_the_step_to_the_start_over_the_rounds(R, cut, L_max, K) -> None:
    """Between (1 − η)R/(η(K+1)), as γ → 0, and (1 − η)R(1 + 1/(η(K+1))), at the longest step; exactly, and so not to 0."""
    alpha, beta = Fraction(2), 4 * (1 - cut) - Fraction(1, 1000)
    eta = lessened(alpha, beta, R)
    steps = [
        part * eta * R / L_max for part in (Fraction(0), Fraction(1, 10**6), Fraction(1, 2), Fraction(1))
    ]
    none, tiny, half, longest = (left_over(K, R, step, L_max, eta) for step in steps)
    assert none == (1 - eta) * R / (eta * (K + 1)) > 0
    assert longest == (1 - eta) * R * (1 + 1 / (eta * (K + 1)))
    assert none < tiny < half < longest
    assert tiny - none == (longest - none) / 10**6


@given(sizes, st.floats(-16, 0), sizes, sizes)
def test_near_twice_alpha_the_floats_of_the_longest_step_are_those_of_fractions(
    alpha: float, log_cut: float, R: float, L_max: float
) -> None:
    """One rounding for each of at most four operations, however small η is."""
    beta = 2 * alpha * (1 - 10**log_cut)
    assume(0 < beta < 2 * alpha)
    numbers = {"alpha": alpha, "beta": beta, "R": R, "L_max": L_max}
    near = Fraction(KEPT.bound(numbers))
    exact = KEPT.limit(**{name: Fraction(value) for name, value in numbers.items()})
    assert abs(near / exact - 1) < Fraction(9, 2) / 2**53


def test_next_to_twice_alpha_no_step_beyond_the_condition_is_taken() -> None:
    """2 − β/α in floats is 1.19 times what it is here."""
    letters = INSIDE | {"alpha": 1.5903903284623992, "beta": 3.1807806569247976}
    alpha, beta, R, L_max = (letters[name] for name in ("alpha", "beta", "R", "L_max"))
    longest = lessened(Fraction(alpha), Fraction(beta), Fraction(R)) * Fraction(R) / Fraction(L_max)
    assert (2 - beta / alpha) * R / L_max > 1.1 * longest
    assert THEOREM1_CONTRACTS(**letters | {"gamma": float(longest) * (1 - 1e-15)}) > 0
    with pytest.raises(ConditionError, match="γ ≤ ηR/L_max"):
        THEOREM1_CONTRACTS(**letters | {"gamma": float(longest) * (1 + 1e-15)})


def test_no_noise_is_theorem_1() -> None:
    assert PRIVATE_CONTRACTS(**INSIDE, V=0.0, n=3) == THEOREM1_CONTRACTS(**INSIDE)


@given(sizes, sizes, st.floats(0.01, 1), sizes, st.integers(0, 10**6))
def test_at_the_longest_step_the_memories_cost_what_theorem_1_keeps_and_once_more(
    alpha: float, R: float, share: float, L_max: float, K: int
) -> None:
    """For β ≤ α and a = ηR, 2(1 − η)R is that of NEC-OUR-T1-SHARP."""
    beta = share * alpha
    eta = lessened(alpha, beta, R)
    rest = {"f_gap": 0.0, "gamma": eta * R / L_max, "K": K, "R": R, "L": 0.0, "alpha": alpha, "beta": beta}
    kept = theorem1_sharp(**rest)
    assert theorem1_contracts(**rest, L_max=L_max) == pytest.approx(
        kept * (1 + 1 / (eta * (K + 1))), rel=1e-9
    )


@pytest.mark.parametrize(
    ("change", "condition"),
    [({"alpha": 1.5}, "β < 2α"), ({"gamma": 1.1}, "γ ≤ ηR/L_max"), ({"R": 0.0}, "γ ≤ ηR/L_max")],
    ids=["twice α", "a step of more than a round takes off", "no room"],
)
def test_outside_its_conditions_it_refuses_and_names_the_nearest_value(change: dict, condition: str) -> None:
    with pytest.raises(ConditionError, match=r"nearest allowed value|no value of γ is allowed") as caught:
        THEOREM1_CONTRACTS(**INSIDE | change)
    assert condition in str(caught.value)


@pytest.mark.parametrize("R", [1.0, 10.0])
def test_from_afar_and_without_noise_the_recipe_comes_to_gradient_descent(R: float) -> None:
    """With β and α up to 100 R the gradients' moves cost 1 % of L_maxγ, where NEC-OUR-T1-FORGETS has √2 L_maxγ."""
    given_, K = {"f_gap": 1.0, "L": 1.0, "K": 10**6}, 10**6
    found = recipe(**given_, least_R=R)
    best = GRADIENT_DESCENT(f_gap=1.0, L=1.0, K=K)
    assert found.theorem == PRIVATE_CONTRACTS.name
    assert best < found.bound < 1.02 * best
    beta = np.geomspace(1e-3, 1e5, 2000)[:, None]
    gamma = beta * np.geomspace(1e-9, 0.99, 2000)
    forgetting = THEOREM1_FORGETS(
        **given_, L_max=1.0, R=R, alpha=beta / math.sqrt(2) * (1 + 1e-12), beta=beta, gamma=gamma
    )
    assert forgetting.min() > 1.9 * best


NOISY = {"f_gap": 2.0, "L": 3.0, "K": 10**5, "V": 1e5, "least_R": 1.0}
"""β/R is small in the best parameters for this bound, and so η and 2 − β/α are."""


def test_where_noise_makes_eta_small_the_recipe_keeps_to_the_condition() -> None:
    found = recipe(**NOISY)
    noise = math.sqrt((NOISY["K"] + 2) * NOISY["V"] / 2)
    alpha, beta, gamma, R = recipes.contracting(2.0, 3.0, 3.0, 10**5, noise, 1.0, 100.0)
    assert 0 < 2 - beta / alpha < 1e-4
    shared = {"f_gap": 2.0, "L": 3.0, "L_max": 3.0, "K": 10**5, "V": 1e5, "n": 1}
    assert PRIVATE_CONTRACTS(alpha=alpha, beta=beta, gamma=gamma, R=R, **shared) > found.bound
    assert (found.theorem, round(found.bound, 4)) == ("NEC-OUR-T2-WIDE", 7.8259)


def test_a_bound_that_refuses_its_parameters_leaves_the_recipe_to_the_others(monkeypatch) -> None:
    asked = {"f_gap": 1.0, "L": 1.0, "K": 10**4, "least_R": 1.0}
    refusing = replace(PRIVATE_CONTRACTS, conditions=(replace(KEPT, limit=lambda R: 0 * R),))
    assert recipe(**asked).theorem == PRIVATE_CONTRACTS.name
    monkeypatch.setattr(recipes, "PRIVATE_CONTRACTS", refusing)
    found = recipe(**asked)
    assert found.theorem == "NEC-OUR-T2-FORGETS"


@pytest.mark.unchecked
@settings(max_examples=15, deadline=None)
@given(
    V=st.sampled_from([0.0, 1e-6, 1e-3, 1.0]), n=st.integers(1, 10**5), K=st.integers(0, 10**6), ratio=st.floats(0, 2),
    least_R=st.sampled_from([0.0, 1e-3, 0.1, 1.0, 10.0]), largest=st.floats(0, 4), seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_no_allowed_parameters_beat_the_recipe(V, n, K, ratio, least_R, largest, seed) -> None:
    """α, β, γ and R drawn anywhere inside the conditions and the limits, many of them near the recipe's."""
    shared = {"f_gap": 1.0, "L": 1.0, "K": K, "n": n, "L_max": 10**ratio, "V": V}
    best = recipe(least_R=least_R, largest=10**largest, **shared)
    draw = np.random.default_rng(seed)
    R = np.maximum(least_R, best.R * 10 ** draw.uniform(-0.5, 0.5, 2000))
    w = np.minimum(10 ** draw.uniform(-4, largest, 2000), 10**largest)
    w[1000:] = np.minimum(best.beta / best.R * 10 ** draw.uniform(-0.3, 0.3, 1000), 10**largest)
    u = np.minimum(w / 2 * (1 + 10 ** draw.uniform(-4, 1, 2000)), 10**largest)
    R, w, u = (x[w < 2 * u * (1 - 1e-9)] for x in (R, w, u))
    longest = lessened(u * R, w * R, R) * R / shared["L_max"] * (1 - 1e-12)
    gamma = longest * np.minimum(1, 10 ** draw.uniform(-2, 0.5, len(R)))
    found = PRIVATE_CONTRACTS(**shared, alpha=u * R, beta=w * R, gamma=gamma, R=R)
    assert found.min() >= best.bound * (1 - 1e-9)
