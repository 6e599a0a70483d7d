"""Fed-α-NormEC's bounds for any memories: rationals by hand, special cases, the recipe against random parameters."""

import math
from fractions import Fraction

import numpy as np
import pytest

from bounds.alpha_normec.forgets import theorem1_forgets
from bounds.fed_alpha_normec.forgets import (
    INCREMENTAL_GRADIENT_FORGETS,
    LOCAL_GRADIENT_FORGETS,
    incremental_gradient_forgets,
    local_gradient_forgets,
)
from bounds.fed_alpha_normec.recipe import recipe
from bounds.fed_alpha_normec.repaired import LOCAL_GRADIENT_SHARP
from bounds.statement import ConditionError

GIVEN = {"f_gap": 1.0, "K": 99, "eta": 0.05, "R": 3.0, "alpha": 1.0, "beta": 1.0, "M": 10, "p": 0.5, "V": 2.0, "L": 2.0,
         "gamma": 0.01, "Delta": 0.3}  # fmt: skip
BOTH = pytest.mark.parametrize(
    "bound", [LOCAL_GRADIENT_FORGETS, INCREMENTAL_GRADIENT_FORGETS], ids=lambda b: b.name
)


def given(bound, **change) -> dict:
    everything = GIVEN | {"Delta_local": 0.2} | change
    return {name: everything[name] for name in bound.parameters}


def test_at_rationals_by_hand() -> None:
    """a = 1/2, β − a = 1/2, start = 3/2 + (1/4)(1 + 2)/(1/2) = 3, √(2·1·(3 + 5)) = 4, √(2·1·5/10) = 1."""
    letters = {"f_gap": Fraction(3, 2), "K": 3, "eta": Fraction(1, 4), "R": 1, "alpha": 1, "beta": 1, "M": 10, "p": 1, "V": 1,
               "L": 1, "gamma": Fraction(3, 16)}  # fmt: skip
    rest = 3 + (1 + Fraction(1, 4)) * 2 + 1 + Fraction(1, 8)
    assert local_gradient_forgets(**letters, Delta=5) == rest + Fraction(3, 4)
    assert incremental_gradient_forgets(**letters, Delta=2, Delta_local=3) == rest + Fraction(3, 2)


@BOTH
def test_without_drift_and_noise_it_is_alpha_normecs_with_clients_that_move_twice_as_far(bound) -> None:
    letters = given(bound, gamma=0.0, p=1, V=0.0)
    one = theorem1_forgets(1.0, 0.05, 99, 3.0, L=2.0, L_max=4.0, alpha=1.0, beta=1.0)
    assert bound.value(**letters) == pytest.approx(one, rel=1e-14)


@BOTH
def test_the_start_is_paid_for_once(bound) -> None:
    """η, γ of order 1/√K, nothing random: the bound from memories that are far off falls like 1/√K."""

    def at(K: int) -> float:
        root = math.sqrt(K + 1)
        return bound(**given(bound, K=K, eta=0.1 / root, gamma=0.1 / root, R=100.0, p=1, V=0.0))

    assert at(10**14) == pytest.approx(at(10**12) / 10, rel=1e-2)  # terms in 1/K are left


@BOTH
@pytest.mark.parametrize(
    ("change", "condition"),
    [
        ({"beta": 1.5}, "β ≤ √2 α"),
        ({"eta": 0.25}, "η < β/(2L)"),
        ({"gamma": 0.3}, "γ ≤ 1/(2L)"),
        ({"Delta": -1.5, "Delta_local": 0.0}, "f(x⁰) ≥ "),
    ],
    ids=["long message", "long step", "long local step", "below all infima"],
)
def test_outside_its_conditions_it_refuses(bound, change, condition) -> None:
    with pytest.raises(ConditionError) as raised:
        bound(**given(bound, **change))
    assert condition in str(raised.value)


@pytest.mark.parametrize("work", ["gradient", "incremental"])
def test_far_memories_have_a_recipe_and_near_ones_the_better_one(work) -> None:
    """K is large enough for the start to be paid for."""
    asked = {
        "f_gap": 1.0,
        "L": 1.0,
        "M": 10**7,
        "K": 10**6,
        "p": 0.5,
        "T": 4,
        "Delta": 1.0,
        "local_work": work,
    }
    far, near = recipe(**asked, least_R=10.0), recipe(**asked)
    assert far.theorem.endswith("FORGETS")
    assert far.R >= 10
    assert far.useful
    assert near.bound < far.bound
    assert near.theorem.endswith("SHARP")


@pytest.mark.parametrize("V", [0.0, 1.0])
@pytest.mark.parametrize("least_R", [0.5, 10.0])
def test_no_allowed_parameters_beat_the_recipe_before_the_drift(V, least_R) -> None:
    asked = {"f_gap": 1.0, "L": 1.0, "M": 50, "K": 10_000, "p": 0.5, "V": V}
    best = recipe(**asked, T=2, Delta=1.0, least_R=least_R)
    draw = np.random.default_rng(1)
    beta = best.beta * 10 ** draw.uniform(-2, 2, 100_000)
    eta = beta / 2 / (1 + 10 ** draw.uniform(-6, 6, 100_000))
    alpha = beta / math.sqrt(2) * 10 ** draw.uniform(0, 0.5, 100_000) * (1 + 1e-12)
    R = np.maximum(least_R, beta / 100) * 10 ** draw.uniform(0, 0.2, 100_000)
    shared = asked | {"gamma": 0.0, "Delta": 1.0}
    found = LOCAL_GRADIENT_FORGETS.value(**shared, alpha=alpha, beta=beta, eta=eta, R=R)
    mine = LOCAL_GRADIENT_FORGETS.value(**shared, alpha=best.alpha, beta=best.beta, eta=best.eta, R=best.R)
    assert best.theorem == LOCAL_GRADIENT_FORGETS.name
    assert found.min() >= mine * (1 - 1e-9)
    assert best.bound <= 1.1 * mine * (1 + 1e-9), "the drift is a tenth of the rest"


def test_the_printed_2R_is_what_is_saved() -> None:
    letters = {name: value for name, value in GIVEN.items() if name in LOCAL_GRADIENT_SHARP.parameters} | {
        "K": 10**6,
        "V": 0.0,
        "p": 1,
    }
    assert LOCAL_GRADIENT_SHARP.value(**letters) > 2 * GIVEN["R"]
    assert LOCAL_GRADIENT_FORGETS(**given(LOCAL_GRADIENT_FORGETS, K=10**6, V=0.0, p=1)) < 2
