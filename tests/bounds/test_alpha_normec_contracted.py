"""Bounds of α-NormEC from any memories for β < 2α: by hand, against the other bounds, refusals, and their share in the recipe."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.alpha_normec.comparison import GRADIENT_DESCENT
from bounds.alpha_normec.contracted import (
    PRIVATE_CONTRACTS,
    THEOREM1_CONTRACTS,
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
