"""The bounds of α-NormEC: special cases, independent arithmetic, one formula for every kind of number, and errors."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.alpha_normec.comparison import before_running, clip21, clip21_threshold, gradient_descent
from bounds.alpha_normec.contracted import PRIVATE_CONTRACTS
from bounds.alpha_normec.corollary1 import (
    beta12,
    constant,
    corollary1,
    equation12,
    longest_step,
    radius,
)
from bounds.alpha_normec.corollary2 import delta_factor, noise_of, utility_best, utility_of
from bounds.alpha_normec.forgets import PRIVATE_FORGETS
from bounds.alpha_normec.ours import (
    PRIVATE_SHARP,
    PRIVATE_WIDE,
    smallest_theorem1,
    theorem1_root,
    theorem1_sharp,
    theorem1_sharp_root,
)
from bounds.alpha_normec.recipe import recipe
from bounds.alpha_normec.theorem1 import THEOREM1, theorem1
from bounds.alpha_normec.theorem2 import (
    theorem2_appendix,
    theorem2_coordinate,
    theorem2_main,
    theorem2_poster,
)
from bounds.statement import ConditionError

INSIDE = {"f_gap": 1.0, "gamma": 0.05, "K": 99, "R": 0.5, "L": 1.0, "alpha": 1.0, "beta": 0.5, "L_max": 2.0}
positive = st.floats(min_value=1e-3, max_value=1e3)


def test_theorem1_at_rationals_by_hand() -> None:
    values = {"f_gap": Fraction(1, 2), "gamma": Fraction(1, 4), "K": 9, "R": Fraction(1, 3), "L": Fraction(2)}
    assert theorem1(**values) == Fraction(1, 5) + Fraction(2, 3) + Fraction(1, 4)


@given(positive, positive, positive, positive, st.integers(0, 500))
def test_theorem2_without_noise_is_theorem1(f_gap: float, gamma: float, R: float, L: float, K: int) -> None:
    shared = {"f_gap": f_gap, "gamma": gamma, "K": K, "L": L, "beta": 0.1, "sigma": 0.0}
    plain = theorem1(f_gap, gamma, K, R, L)
    assert theorem2_main(R=R, **shared) == pytest.approx(plain, rel=1e-14)
    assert theorem2_appendix(R=R, n=7, **shared) == pytest.approx(plain, rel=1e-14)
    assert theorem2_poster(n=7, **shared) == pytest.approx(plain - 2 * R, rel=1e-9, abs=1e-9)


def test_versions_of_theorem2_agree_where_the_missing_factor_is_one() -> None:
    shared = {"f_gap": 1.0, "gamma": 0.1, "K": 24, "R": 0.2, "L": 1.0, "beta": 0.3, "sigma": 0.4}
    assert theorem2_appendix(n=1, **shared) == theorem2_main(**shared)
    assert theorem2_coordinate(n=3, d=1, **shared) == theorem2_appendix(n=3, **shared)
    assert theorem2_coordinate(n=3, d=3, **shared) == pytest.approx(theorem2_main(**shared), rel=1e-14)


@given(positive, positive, positive, positive, positive, st.integers(0, 500))
def test_corollary1_is_theorem1_on_its_schedule(
    f_gap: float, L: float, alpha: float, beta: float, D: float, K: int
) -> None:
    step = longest_step(beta, L, alpha, D, K)
    on_schedule = theorem1(f_gap, step, K, radius(D, K), L)
    assert corollary1(f_gap, L, L, alpha, beta, D, K) == pytest.approx(on_schedule, rel=1e-12)


@given(positive, positive, positive, positive)
def test_equation12_is_corollary1_at_its_beta(f_gap: float, L: float, alpha: float, D: float) -> None:
    beta = beta12(f_gap, L, 2 * L, alpha, D)
    assert constant(f_gap, L, 2 * L, alpha, beta, D) == pytest.approx(equation12(f_gap, L, D, 0), rel=1e-10)


def test_sharp_theorem_tends_to_normalised_gradient_descent() -> None:
    """β = α → ∞ at the best γ: √(2 L f_gap/(K+1)), approached from above."""
    f_gap, L, K = 0.5, 1.0, 99
    gamma = math.sqrt(2 * f_gap / (L * (K + 1)))
    gaps = []
    for a in (1.0, 10.0, 100.0):
        R = gamma * L * (a + 1) / a
        value = theorem1_sharp(f_gap, gamma, K, R, L, alpha=a * R, beta=a * R)
        gaps.append(value - gradient_descent(f_gap, L, K))
    assert gaps == pytest.approx([2 * gamma * L / a for a in (1.0, 10.0, 100.0)], rel=1e-9)


@given(positive, positive, positive, st.floats(0.01, 0.99), st.floats(0.01, 1.0), st.integers(0, 500))
def test_no_allowed_parameters_bring_theorem1_below_its_smallest_value(
    f_gap: float, L: float, R: float, share: float, cut: float, K: int
) -> None:
    alpha = 1.0
    beta = share * (alpha + R)
    gamma = cut * beta * R / (alpha + R) / L
    assert theorem1(f_gap, gamma, K, R, L) > smallest_theorem1(f_gap, L, L, K) * (1 - 1e-12)


@given(positive, positive, positive, positive, st.integers(0, 500))
def test_root_theorem_improves_on_theorem1_by_at_least_r(
    f_gap: float, gamma: float, R: float, L: float, K: int
) -> None:
    shared = {"f_gap": f_gap, "gamma": gamma, "K": K, "R": R, "L": L}
    assert theorem1_root(**shared) <= theorem1(**shared) - R + 1e-9 * theorem1(**shared)


def test_utility_is_least_at_the_best_beta() -> None:
    given_ = {"f_gap": 1.0, "L": 1.0, "L_max": 1.0, "alpha": 0.1, "R": 0.2, "K": 10**6, "noise": 1e-3}
    best = utility_best(**given_)
    middle = delta_factor(1.0, 0.1, 0.2, 1.0) / math.sqrt(2e-3)
    around = [utility_of(beta_0=middle * f, **given_) for f in (0.5, 0.9, 1.1, 2.0)]
    assert all(value > best for value in around)


def test_the_noise_of_the_private_corollary_is_that_of_the_calculator() -> None:
    from bounds.privacy import gaussian_noise

    n, d = 50, 200
    for K in (9, 999):
        sigma = gaussian_noise(8.0, 1e-5, K + 1)
        assert noise_of(8.0, 1e-5, n, d) == pytest.approx(
            math.sqrt(d) * sigma / math.sqrt(n * (K + 1)), rel=1e-12
        )


def test_clip21_by_hand() -> None:
    tau = clip21_threshold(0.5, 1.0, 1.0)
    assert tau == pytest.approx(0.5)
    assert clip21(0.5, 1.0, 1.0, tau, 0.0, 0) == pytest.approx(1.0 + math.sqrt(0.5))
    assert before_running(2.0, 1.0) == 2.0


def test_outside_a_condition_the_error_names_condition_value_and_cure() -> None:
    with pytest.raises(ConditionError, match=re.escape("γ ≤ βR/(α + R) · 1/L_max")) as caught:
        THEOREM1(**(INSIDE | {"gamma": 1.0}))
    assert "γ = 1.0" in str(caught.value)
    nearest = float(str(caught.value).rsplit(" ", 1)[1])
    THEOREM1(**(INSIDE | {"gamma": nearest}))
    with pytest.raises(ConditionError) as caught:
        THEOREM1(**(INSIDE | {"beta": 1.5, "gamma": 1e-3}))
    THEOREM1(**(INSIDE | {"beta": float(str(caught.value).rsplit(" ", 1)[1]), "gamma": 1e-3}))


def test_an_array_names_its_first_bad_element() -> None:
    with pytest.raises(ConditionError, match=r"γ = 0\.9 "):
        THEOREM1(**(INSIDE | {"gamma": np.array([0.01, 0.9, 2.0])}))


def test_a_limit_that_reads_like_the_nearest_allowed_value_is_told_apart_from_it() -> None:
    """0.5 + 0.2 of floats is 0.70000000000000001…, the float 0.7 is 0.69999999999999995…: allowed where β < α + R."""
    for exactly, values in (
        (Fraction(0.5) + Fraction(0.2), {"R": 0.2, "alpha": 0.5, "beta": 0.8}),
        (Fraction(7, 10), {"R": Fraction(1, 5), "alpha": Fraction(1, 2), "beta": Fraction(7, 10)}),
        (Fraction(0.5) + Fraction(1e-300), {"R": 1e-300, "alpha": 0.5, "beta": 0.8}),
    ):
        with pytest.raises(ConditionError) as caught:
            THEOREM1(**{**INSIDE, "gamma": 1e-9, **values})
        found = re.fullmatch(
            r".*: β = (\S+) is not < (about )?(\S+); the nearest allowed value is (\S+)", str(caught.value)
        )
        assert found, caught.value
        given, limit, nearest = (Fraction(found[number]) for number in (1, 3, 4))
        assert given >= limit
        assert found[2] or nearest < limit
        assert abs(limit - exactly) < 1e-16
        assert bool(found[2]) == (values["R"] == 1e-300)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": -1.0}, "α = -1.0 is outside its domain > 0"),
        ({"K": 1.5}, "K = 1.5 is outside its domain integer >= 0"),
        ({"f_gap": math.nan}, "f(x⁰) − f^inf = nan is outside its domain >= 0"),
    ],
    ids=["negative α", "half an iteration", "NaN"],
)
def test_outside_a_domain_the_error_names_value_and_domain(change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        THEOREM1(**(INSIDE | change))


def test_missing_and_unknown_parameters_are_named() -> None:
    with pytest.raises(TypeError, match="missing: gamma; unknown: step"):
        THEOREM1(**({k: v for k, v in INSIDE.items() if k != "gamma"} | {"step": 1.0}))


@given(positive, positive, positive, positive, positive, positive, st.integers(1, 50), st.integers(0, 10**6))
def test_the_mean_of_the_noise_is_below_its_last_value(
    f_gap: float, gamma: float, R: float, L: float, beta: float, V: float, n: int, K: int
) -> None:
    quiet = {"f_gap": f_gap, "gamma": gamma, "K": K, "R": R, "L": L, "beta": beta, "n": n}
    noise = PRIVATE_WIDE.value(V=V, **quiet) - PRIVATE_WIDE.value(V=0.0, **quiet)
    assert noise <= (2 * math.sqrt(beta**2 * (K + 1) * V / n)) * (1 + 1e-9) + 1e-9 * PRIVATE_WIDE.value(
        V=V, **quiet
    )


@pytest.mark.parametrize("K", [0, 1, 10, 1000])
def test_the_noise_term_is_above_the_mean_over_the_rounds(K: int) -> None:
    """2/(K+1) · Σ_k √(β²kV/n), summed as it stands; equal at K = 0, within 7% below for long runs (2/3 against 1/√2)."""
    exact = 2 / (K + 1) * sum(math.sqrt(0.25 * k * 3.0 / 7) for k in range(1, K + 2))
    nothing = {"f_gap": 0.0, "gamma": 1.0, "K": K, "R": 0.0, "L": 0.0, "beta": 0.5, "V": 3.0, "n": 7}
    stated = PRIVATE_WIDE.value(**nothing)
    assert exact <= stated * (1 + 1e-12)
    assert stated <= 3 / (2 * math.sqrt(2)) * exact if K else stated == pytest.approx(exact)


@pytest.mark.parametrize("V", [0.0, 1e-3, 1e2])
@pytest.mark.parametrize("least_R", [0.0, 0.3])
def test_the_recipe_obeys_its_theorem_and_beats_its_neighbours(V: float, least_R: float) -> None:
    shared = {"f_gap": 0.5, "L": 1.0, "K": 999, "n": 100}
    found = recipe(V=V, least_R=least_R, **shared)
    bound = {b.name: b for b in (PRIVATE_WIDE, PRIVATE_SHARP, PRIVATE_FORGETS, PRIVATE_CONTRACTS)}[
        found.theorem
    ]
    chosen = {"alpha": found.alpha, "beta": found.beta, "R": found.R, "V": V, "L_max": 1.0, **shared}
    assert bound(gamma=found.gamma, **chosen) == pytest.approx(found.bound, rel=1e-12)
    assert found.R >= least_R
    for factor in (0.8, 1.25):
        R = max(found.R * factor, least_R)
        u, w = found.alpha / found.R, found.beta / found.R
        scaled = chosen | {"alpha": u * R, "beta": w * R, "R": R}
        gamma = w * R / (u + 1) * (1 - 1e-12)
        assert bound(gamma=gamma, **scaled) >= found.bound * (1 - 1e-9)


@pytest.mark.unchecked
@settings(max_examples=30, deadline=None)
@given(
    V=st.sampled_from([0.0, 1e-3, 1.0, 100.0]), n=st.integers(1, 1000), K=st.integers(0, 10**6), ratio=st.floats(0, 2),
    least_R=st.sampled_from([0.0, 1e-3, 0.1, 3.0]),
    largest=st.floats(0, 4), u=st.floats(-6, 0), near=st.floats(-0.2, 0.2), w=st.floats(-1, 0), R=st.floats(-1, 1),
    short=st.floats(0.1, 1),
)  # fmt: skip
def test_no_allowed_parameters_beat_the_recipe(
    V, n, K, ratio, least_R, largest, u, near, w, R, short
) -> None:
    """α = uR, β = wR and γ anywhere inside the conditions and the limit: far from the recipe's u and next to it, at the largest
    w and γ and below. The recipe's search stops within 1e-5 of the best ln u, where a smooth minimum is off by its square;
    w < 1 is reached in the limit u → 0 alone, which it cuts at e⁻²⁰: √u of that is 5e-5."""
    shared = {"f_gap": 1.0, "L": 1.0, "K": K, "n": n, "L_max": 10**ratio, "V": V}
    largest = 10**largest
    best = recipe(least_R=least_R, largest=largest, **shared)
    assert max(best.alpha, best.beta) / best.R <= largest * (1 + 1e-12)
    for u_ in (largest * 10**u, min(largest, best.alpha / best.R * 10**near)):
        for bound, top in ((PRIVATE_WIDE, (1 + math.sqrt(u_)) ** 2), (PRIVATE_SHARP, u_)):
            for w_, R_, step in (
                (1.0, 1.0, 1.0),
                (1.0, 10**near, 1.0),
                (10**w, 10**R, 1.0),
                (10**w, 10**R, short),
            ):
                radius_ = max(best.R * R_, least_R)
                ratio_ = min(largest, top) * w_ * (1 - 1e-12)
                gamma = step * ratio_ * radius_ / (u_ + 1) / shared["L_max"] * (1 - 1e-12)
                other = bound.value(
                    alpha=u_ * radius_, beta=ratio_ * radius_, gamma=gamma, R=radius_, **shared
                )
                assert other >= best.bound * (1 - 1e-9)


@pytest.mark.parametrize("change", [{"f_gap": 0.0}, {"largest": 0.5}, {"V": -1.0}], ids=str)
def test_the_recipe_refuses_what_makes_no_sense(change: dict) -> None:
    with pytest.raises(ValueError, match="outside its domain"):
        recipe(**({"f_gap": 0.5, "L": 1.0, "K": 9} | change))


@given(positive, positive, positive, positive, positive, positive, st.integers(0, 500))
def test_the_sharp_root_is_below_the_sharp_and_the_root_form(
    f_gap: float, gamma: float, R: float, L: float, alpha: float, share: float, K: int
) -> None:
    shared = {"f_gap": f_gap, "gamma": gamma, "K": K, "R": R, "L": L}
    beta = alpha * min(share, 1.0)
    smallest = theorem1_sharp_root(alpha=alpha, beta=beta, **shared)
    assert smallest <= theorem1_sharp(alpha=alpha, beta=beta, **shared) * (1 + 1e-12)
    assert smallest <= theorem1_root(**shared) * (1 + 1e-12)
