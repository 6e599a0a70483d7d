"""Bounds of α-NormEC from any memories: by hand, special cases, refusals, and their share in the recipe."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.alpha_normec.forgets import PRIVATE_CLIP, PRIVATE_FORGETS, THEOREM1_FORGETS, theorem1_forgets
from bounds.alpha_normec.ours import PRIVATE_WIDE
from bounds.alpha_normec.recipe import recipe
from bounds.statement import ConditionError

INSIDE = {"f_gap": 1.0, "gamma": 0.05, "K": 99, "R": 5.0, "L": 1.0, "L_max": 2.0, "alpha": 0.5, "beta": 0.5}


def test_at_rationals_by_hand() -> None:
    """a = 1/2: 1/(1/4 · 10) + 1/4 + 2 · ((9/2 + 3)/10 + 1/2 + 1/8)/(1/2)."""
    values = {
        "f_gap": Fraction(1),
        "gamma": Fraction(1, 4),
        "K": 9,
        "R": Fraction(3),
        "L": Fraction(2),
        "L_max": Fraction(2),
    }
    found = theorem1_forgets(**values, alpha=Fraction(1), beta=Fraction(1))
    assert found == Fraction(2, 5) + Fraction(1, 4) + 4 * (Fraction(3, 4) + Fraction(5, 8))


def test_no_noise_is_theorem_1_and_clipping_is_no_smoothing() -> None:
    quiet = PRIVATE_FORGETS(**INSIDE, V=0.0, n=3)
    assert quiet == THEOREM1_FORGETS(**INSIDE)
    clip = {name: value for name, value in INSIDE.items() if name not in ("alpha", "beta")}
    smoothed = PRIVATE_FORGETS.value(**INSIDE | {"alpha": 0.0}, V=2.0, n=3)
    assert PRIVATE_CLIP(**clip, tau=INSIDE["beta"], V=2.0, n=3) == smoothed


def test_the_start_is_paid_for_once() -> None:
    """Of what R adds, (R² + 2αR)/((K+1)(β − a)), a tenth is left after ten times the rounds."""

    def added(K: int) -> float:
        near, far = (THEOREM1_FORGETS(**INSIDE | {"K": K, "R": R}) for R in (0.0, 5.0))
        return far - near

    assert added(999) == pytest.approx(added(99) / 10, rel=1e-9)


@pytest.mark.parametrize(
    ("change", "condition"),
    [({"alpha": 0.3}, "β ≤ √2 α"), ({"gamma": 0.25}, "γ < β/L_max")],
    ids=["too little smoothing", "step of a whole message"],
)
def test_outside_its_conditions_it_refuses_and_names_the_nearest_value(change: dict, condition: str) -> None:
    with pytest.raises(ConditionError, match="nearest allowed value") as caught:
        THEOREM1_FORGETS(**INSIDE | change)
    assert condition in str(caught.value)


@pytest.mark.parametrize("R", [0.3, 1.0, 10.0])
def test_far_memories_have_a_useful_private_guarantee_that_the_wide_bound_lacks(R: float) -> None:
    """A million clients, ε = 8 at δ = 1e-5 in 100 dimensions over 10,001 rounds: σ = 82.6 a coordinate."""
    private = {"f_gap": 0.5, "L": 1.0, "K": 10_000, "n": 10**6, "V": 82.6**2 * 100, "L_max": 1.0}
    found = recipe(**private, least_R=R)
    assert found.theorem == PRIVATE_FORGETS.name
    assert PRIVATE_WIDE.value(**private, R=R, gamma=1.0, beta=0.0) > 2 * R
    assert found.bound < 2 * R
    assert found.useful == (found.bound < math.sqrt(2 * 0.5))


@pytest.mark.unchecked
@settings(max_examples=15, deadline=None)
@given(
    V=st.sampled_from([0.0, 1e-3, 1.0, 1e5]), n=st.integers(1, 10**5), K=st.integers(0, 10**6), ratio=st.floats(0, 2),
    least_R=st.sampled_from([0.0, 1e-3, 0.1, 1.0, 10.0]), largest=st.floats(0, 4), seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_no_allowed_parameters_beat_the_recipe(V, n, K, ratio, least_R, largest, seed) -> None:
    """α, β, γ and R drawn anywhere inside the conditions and the limits, most of them near the recipe's."""
    shared = {"f_gap": 1.0, "L": 1.0, "K": K, "n": n, "L_max": 10**ratio, "V": V}
    best = recipe(least_R=least_R, largest=10**largest, **shared)
    draw = np.random.default_rng(seed)
    beta = best.beta * 10 ** draw.uniform(-2, 2, 2000)
    gamma = beta / shared["L_max"] / (1 + 10 ** draw.uniform(-6, 6, 2000))
    alpha = beta / math.sqrt(2) * 10 ** draw.uniform(0, 0.5, 2000) * (1 + 1e-12)
    R = np.maximum(least_R, np.maximum(alpha, beta) / 10**largest) * 10 ** draw.uniform(0, 0.2, 2000)
    assert PRIVATE_FORGETS(**shared, alpha=alpha, beta=beta, gamma=gamma, R=R).min() >= best.bound * (
        1 - 1e-9
    )
