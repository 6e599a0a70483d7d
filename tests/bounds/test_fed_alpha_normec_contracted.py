"""Fed-α-NormEC's bounds for β < 2α: by hand, as α-NormEC's in special cases, refusals, and their share in the recipe."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.alpha_normec.comparison import GRADIENT_DESCENT
from bounds.alpha_normec.contracted import THEOREM1_CONTRACTS, lessened, theorem1_contracts
from bounds.alpha_normec.recipe import contracting
from bounds.catalogue import by_name
from bounds.fed_alpha_normec import recipe as recipes
from bounds.fed_alpha_normec.contracted import (
    INCREMENTAL_GRADIENT_CONTRACTS,
    KEPT,
    LOCAL_GRADIENT_CONTRACTS,
    ONE_STEP_CONTRACTS,
    incremental_gradient_contracts,
    local_gradient_contracts,
    one_step_contracts,
)
from bounds.fed_alpha_normec.forgets import ONE_STEP_FORGETS
from bounds.fed_alpha_normec.recipe import LARGEST, recipe
from bounds.fed_alpha_normec.repaired import second_moment
from bounds.statement import Bound, ConditionError

INSIDE = {
    "f_gap": 1.0,
    "eta": 0.05,
    "K": 99,
    "R": 5.0,
    "L": 2.0,
    "alpha": 2.0,
    "beta": 3.0,
    "M": 10,
    "p": 0.5,
    "V": 2.0,
}


def test_at_rationals_by_hand() -> None:
    """θ = min(3/7, 1/2), (1 − θ)/θ = 4/3, R/(K+1) + Lη = 1, B* = 4 and √(2·9·8·4/16) = 6."""
    letters = {"f_gap": Fraction(1), "K": 6, "eta": Fraction(1, 7), "R": Fraction(5), "alpha": Fraction(2), "beta": Fraction(3),
               "L": Fraction(2)}  # fmt: skip
    found = one_step_contracts(**letters, M=16, p=Fraction(1, 2), V=Fraction(3, 2))
    assert found == 1 + Fraction(1, 7) + Fraction(8, 3) + 6


def test_all_clients_and_no_noise_is_alpha_normecs() -> None:
    """p = 1, V = 0: NEC-OUR-T1-CONTRACTS, every client as smooth as f; M is nowhere then."""
    at = {**INSIDE, "p": 1.0, "V": 0.0}
    step = at.pop("eta")
    one = THEOREM1_CONTRACTS(
        **{n: at[n] for n in ("f_gap", "K", "R", "L", "alpha", "beta")}, gamma=step, L_max=at["L"]
    )
    assert ONE_STEP_CONTRACTS(**at, eta=step) == one
    assert ONE_STEP_CONTRACTS(**INSIDE) > one


@pytest.mark.parametrize(
    ("change", "condition"),
    [({"alpha": 1.5}, "β < 2α"), ({"eta": 1.1}, "η ≤ θR/L"), ({"R": 0.0}, "η ≤ θR/L")],
    ids=["twice α", "a step of more than a round takes off", "no room"],
)
def test_outside_its_conditions_it_refuses_and_names_the_nearest_value(change: dict, condition: str) -> None:
    with pytest.raises(ConditionError, match=r"nearest allowed value|no value of η is allowed") as caught:
        ONE_STEP_CONTRACTS(**INSIDE | change)
    assert condition in str(caught.value)


@pytest.mark.parametrize("least_R", [0.0, 1.0, 10.0])
def test_where_nothing_is_random_the_recipe_comes_to_gradient_descent(least_R: float) -> None:
    given_ = {"f_gap": 1.0, "L": 1.0, "K": 10**6}
    found = recipe(**given_, M=100, least_R=least_R)
    best = GRADIENT_DESCENT(**given_)
    assert found.theorem == ONE_STEP_CONTRACTS.name
    assert best < found.bound < 1.02 * best


GRID = pytest.mark.parametrize(
    ("chance", "least_R", "theorem"),
    [
        ({}, 0.0, "FED-R1-CONTRACTS"),
        ({"V": 1e-4}, 0.1, "FED-R1-CONTRACTS"),
        ({"V": 1e-4}, 1.0, "FED-R1-FORGETS"),
        ({"p": 0.5}, 1.0, "FED-R1-FORGETS"),
        ({"p": 0.5}, 0.0, "FED-R1-SHARP"),
        ({"V": 1.0}, 0.0, "FED-R1-SHARP"),
    ],
    ids=["nothing random", "little noise", "farther", "absent clients", "absent, near", "noise, near"],
)  # fmt: skip


@GRID
def test_the_recipe_takes_it_only_where_it_is_smaller(chance: dict, least_R: float, theorem: str) -> None:
    """Against its value at the parameters that are best for it, and the chosen bound's at the chosen ones."""
    asked = {"f_gap": 1.0, "L": 1.0, "M": 1000, "K": 10**4, "p": 1.0, "V": 0.0} | chance
    found = recipe(**asked, least_R=least_R)
    noisy = (second_moment(asked["p"], asked["V"]) * (asked["K"] + 2) / 2 / asked["M"]) ** 0.5
    alpha, beta, eta, R = contracting(1.0, 1.0, 1.0, asked["K"], noisy, least_R, LARGEST)
    own = ONE_STEP_CONTRACTS(**asked, alpha=alpha, beta=beta, eta=eta, R=R)
    assert found.theorem == theorem
    assert found.bound <= own
    assert (found.bound == own) == (theorem == ONE_STEP_CONTRACTS.name)
    bound = by_name(theorem)
    letters = {**asked, "alpha": found.alpha, "beta": found.beta, "eta": found.eta, "R": found.R}
    assert bound(**{name: letters[name] for name in bound.parameters}) == found.bound


@pytest.mark.parametrize("work", [{"T": 2}, {"local_work": "incremental"}], ids=["gradient", "incremental"])
@pytest.mark.parametrize(
    ("p", "ending"), [(1.0, "CONTRACTS"), (0.5, "FORGETS")], ids=["everybody", "absent clients"]
)
def test_with_several_local_steps_it_is_taken_where_nothing_is_random(
    work: dict, p: float, ending: str
) -> None:
    found = recipe(f_gap=1.0, L=1.0, M=100, K=10**4, p=p, least_R=1.0, **work)
    assert found.theorem.endswith(ending)


SEVERAL = INSIDE | {"eta": 0.04, "gamma": 0.01, "Delta": 0.3, "Delta_local": 0.2}
BOTH = pytest.mark.parametrize(
    "bound", [LOCAL_GRADIENT_CONTRACTS, INCREMENTAL_GRADIENT_CONTRACTS], ids=lambda b: b.name
)


def several(bound: Bound, **change) -> dict:
    return {name: value for name, value in (SEVERAL | change).items() if name in bound.parameters}


def test_several_steps_at_rationals_by_hand() -> None:
    """θ = 1/2, start = 2 + 2·(1/4)·2 = 3, √(2·1·(3 + 5)) = 4, B* = 1 and √(2·2²·5/10) = 2."""
    letters = {"f_gap": 2, "K": 3, "eta": Fraction(1, 4), "R": 2, "alpha": 2, "beta": 2, "M": 10, "p": 1, "V": 1, "L": 1,
               "gamma": Fraction(3, 16)}  # fmt: skip
    rest = 3 + 1 + 2 + Fraction(1, 8)
    assert local_gradient_contracts(**letters, Delta=5) == rest + Fraction(3, 4)
    assert incremental_gradient_contracts(**letters, Delta=2, Delta_local=3) == rest + Fraction(3, 2)


@BOTH
def test_without_drift_and_noise_it_is_alpha_normecs_with_clients_that_move_twice_as_far(
    bound: Bound,
) -> None:
    letters = several(bound, gamma=0.0, p=1.0, V=0.0)
    one = theorem1_contracts(1.0, 0.04, 99, 5.0, L=2.0, L_max=4.0, alpha=2.0, beta=3.0)
    assert bound.value(**letters) == pytest.approx(one, rel=1e-14)


@BOTH
@pytest.mark.parametrize(
    ("change", "condition"),
    [
        ({"beta": 4.0}, "β < 2α"),
        ({"eta": 0.6}, "η ≤ θR/(2L)"),
        ({"gamma": 0.3}, "γ ≤ 1/(2L)"),
        ({"Delta": -1.5, "Delta_local": 0.0}, "f(x⁰) ≥ "),
    ],
    ids=["long message", "long step", "long local step", "below all infima"],
)
def test_outside_its_conditions_the_bound_for_several_steps_refuses(
    bound: Bound, change: dict, condition: str
) -> None:
    assert bound(**several(bound)) > 0
    with pytest.raises(ConditionError) as raised:
        bound(**several(bound, **change))
    assert condition in str(raised.value)


@pytest.mark.parametrize("p", [1.0, 0.5, 1e-3])
@pytest.mark.parametrize("M", [1, 1000])
@pytest.mark.parametrize("V", [1e5, 1e10, 1e14])
def test_where_noise_makes_theta_small_the_recipe_keeps_to_the_condition(p: float, M: int, V: float) -> None:
    """β/R is small in the best parameters for this bound, and so θ and 2 − β/α are."""
    asked = {"f_gap": 2.0, "L": 3.0, "M": M, "K": 10**5, "p": p, "V": V}
    noisy = (second_moment(p, V) * (asked["K"] + 2) / 2 / M) ** 0.5
    alpha, beta, eta, R = contracting(2.0, 3.0, 3.0, asked["K"], noisy, 1.0, LARGEST)
    assert 0 < 2 - beta / alpha < 0.02
    own = ONE_STEP_CONTRACTS(**asked, alpha=alpha, beta=beta, eta=eta, R=R)
    assert recipe(**asked, least_R=1.0).bound < own


def test_a_bound_that_refuses_its_parameters_leaves_the_recipe_to_the_others(monkeypatch) -> None:
    asked = {"f_gap": 1.0, "L": 1.0, "M": 100, "K": 10**4, "least_R": 1.0}
    refusing = replace(ONE_STEP_CONTRACTS, conditions=(replace(KEPT, limit=lambda R: 0 * R),))
    assert recipe(**asked).theorem == ONE_STEP_CONTRACTS.name
    near, far, _ = recipes._BOUNDS["one step"]
    monkeypatch.setitem(recipes._BOUNDS, "one step", (near, far, refusing))
    assert recipe(**asked).theorem == ONE_STEP_FORGETS.name


@pytest.mark.unchecked
@settings(max_examples=15, deadline=None)
@given(
    V=st.sampled_from([0.0, 1e-6, 1e-3, 1.0]), p=st.sampled_from([0.1, 1.0]), M=st.integers(1, 10**5), K=st.integers(0, 10**6),
    least_R=st.sampled_from([0.0, 1e-3, 0.1, 1.0, 10.0]), seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_no_allowed_parameters_beat_the_recipe(V, p, M, K, least_R, seed) -> None:
    """α, β, η and R drawn anywhere inside the conditions and the limit on β/R."""
    shared = {"f_gap": 1.0, "L": 1.0, "M": M, "K": K, "p": p, "V": V}
    best = recipe(**shared, least_R=least_R)
    draw = np.random.default_rng(seed)
    R = np.maximum(least_R, best.R * 10 ** draw.uniform(-0.5, 2, 4000))
    w = 10 ** draw.uniform(-4, 2, 4000)
    u = w / 2 * (1 + 10 ** draw.uniform(-4, 1, 4000))
    eta = lessened(u * R, w * R, R) * R * (1 - 1e-12) * np.minimum(1, 10 ** draw.uniform(-2, 0.5, 4000))
    found = ONE_STEP_CONTRACTS(**shared, alpha=u * R, beta=w * R, eta=eta, R=R)
    assert found.min() >= best.bound * (1 - 1e-9)
