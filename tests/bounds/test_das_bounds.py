"""DP-NormFedAvg's printed bounds, our replacements and the recipe, each number found a second time in another way."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from bounds.dp_normfedavg import choices, repaired
from bounds.dp_normfedavg.recipe import recipe
from bounds.dp_normfedavg.repaired import CLIPPING, NORMALISING
from bounds.dp_normfedavg.theorem4 import THEOREM4A
from bounds.privacy import Setting, epsilon
from bounds.statement import ConditionError

positive = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50)
BASE = {"L": 1.0, "G": 2.0, "distance": 3.0, "n": 5000, "d": 500, "epsilon": 5.0, "delta": 1e-5}


@given(positive, positive, positive, positive, st.integers(1, 40))
def test_rounds_of_theorem_4_and_6_agree_and_section_41_does_not(alpha, gamma, C, rho, E) -> None:
    four = choices.rounds_theorem4(alpha, gamma, C, rho)
    assert four == choices.rounds_theorem6(alpha, gamma, C / E, E, rho)
    assert four == E * choices.rounds_section41(alpha, gamma, C, E, rho)


@given(positive, positive, positive, positive, positive, st.integers(1, 40))
def test_steps_of_theorem_4_and_6_agree(alpha, gamma, C_hat, L, rho, E) -> None:
    K = choices.rounds_theorem6(alpha, gamma, C_hat, E, rho)
    assert choices.step_theorem6(gamma, C_hat, L, E, K, rho) == choices.step_theorem4(rho, alpha, L)


def test_too_many_local_steps_are_named_with_the_nearest_number() -> None:
    with pytest.raises(ConditionError, match=r"E ≤ α/\(2ρ\).*E = 30 is not <= 5"):
        THEOREM4A(G=1.0, L=1.0, distance=1.0, gamma=1.0, rho=0.1, E=30, alpha=1.0, Delta=0.0)


def test_sampling_excess_of_everybody_is_nothing() -> None:
    assert repaired.excess_one_by_one(Fraction(7), Fraction(7)) == 0
    assert repaired.excess_fixed_size(Fraction(7), Fraction(7)) == 0
    assert repaired.excess_one_by_one(Fraction(7), Fraction(1)) == Fraction(6, 7)


@given(positive, st.fractions(min_value=Fraction(1, 100), max_value=Fraction(1, 4)), st.integers(1, 30))
def test_drift_is_the_sum_of_squares_it_stands_for(L, ell, E) -> None:
    eta = ell / L / E
    assert repaired.drift(eta, L, E) == 2 * eta**2 * L**2 * Fraction(sum(t * t for t in range(E)), E)


@given(
    positive, positive, positive, positive, st.integers(1, 30), st.integers(1, 10**6), positive,
    st.fractions(min_value=0, max_value=Fraction(99, 100)),
)  # fmt: skip
def test_our_clipping_bound_is_never_above_theorem_4a(G, L, distance, gamma, E, K, Delta, excess) -> None:
    """At Theorem 4's own choices, for every sampling: the two bounds on E[f(w_k̃) − f*] side by side."""
    for rho in (Fraction(1, 1000), Fraction(1, 3)):
        alpha = 2 * rho * E + 1
        C = G * E
        gamma = K * C * rho**2 / (2 * alpha)
        eta = choices.step_theorem4(rho, alpha, L)
        ours = repaired.clipping(distance, eta, E, K, G, L, rho, excess, Delta)
        given_ = {"G": G, "L": L, "distance": distance, "gamma": gamma, "rho": rho, "E": E, "alpha": alpha}
        factor = 2 - rho * E / alpha - rho**2 * E**2 / alpha**2
        assert ours <= THEOREM4A.value(**given_, Delta=Delta) / factor


@pytest.mark.parametrize("method", ["clipping", "normalisation"])
def test_recipe_reports_the_bound_of_its_own_parameters(method) -> None:
    found = recipe(method, **BASE, E=4)
    given_ = {
        "distance": 3.0, "eta": found.eta, "E": 4, "K": found.K, "G": 2.0, "L": 1.0, "rho": found.rho, "excess": 0.0,
    }  # fmt: skip
    again = CLIPPING(**given_, Delta=0.0) if method == "clipping" else NORMALISING(**given_)
    assert found.bound == pytest.approx(float(again), rel=1e-12)
    assert found.bound <= 1.05 * 2.0 * 3.0 * found.rho
    assert found.useful
    assert found.C == 2.0 * 4


@pytest.mark.parametrize("sensitivity", [1, 2])
@pytest.mark.parametrize("K", [1, 7, 400])
def test_recipe_noise_gives_the_privacy_it_says(sensitivity, K) -> None:
    """By dp-accounting, which composes K Gaussian releases of the sum of all clients: ε or less, and not wastefully so."""
    from dp_accounting import GaussianDpEvent, SelfComposedDpEvent
    from dp_accounting.pld import PLDAccountant

    found = recipe("clipping", **BASE, K=K, sensitivity=sensitivity)
    multiplier = math.sqrt(BASE["n"]) * found.client_noise / (sensitivity * found.C)
    accountant = PLDAccountant()
    accountant.compose(SelfComposedDpEvent(GaussianDpEvent(multiplier), K))
    spent = accountant.get_epsilon(BASE["delta"])
    # The accountant discretises at 1e-4 per release and rounds up.
    assert 0.999 * BASE["epsilon"] <= spent <= BASE["epsilon"] + 1e-4 * K + 1e-3


def test_recipe_noise_as_a_float_is_no_less_private_than_asked() -> None:
    """By the upper end of `epsilon`, which is above the true ε by up to 1e-12 of it."""
    for asked in np.geomspace(0.1, 20, 12).tolist():
        found = recipe("clipping", **(BASE | {"epsilon": asked}), K=50)
        told = epsilon(Setting("server-noise", "replace-one", 50), found.sum_noise / found.C, BASE["delta"])
        assert told.upper <= asked


def test_recipe_noise_matches_rho() -> None:
    """E‖ζ‖² = d n noise²/n² = K C² ρ²."""
    found = recipe("clipping", **BASE, K=50, E=3)
    assert BASE["d"] * found.client_noise**2 / BASE["n"] == pytest.approx(
        found.K * found.C**2 * found.rho**2, rel=1e-12
    )


def test_more_privacy_costs_a_larger_bound() -> None:
    bounds = [recipe("clipping", **(BASE | {"epsilon": e})).bound for e in (0.5, 1.0, 2.0, 8.0)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] > 5 * bounds[-1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "normalisation", "Delta": 0.5}, r"Delta = 0.5 > 0.*clipping has one"),
        ({"L": 0.0}, "L = 0.0 is outside its domain > 0"),
        ({"G": math.nan}, "G = nan is outside its domain > 0"),
        ({"K": 0}, "K = 0 is outside its domain integer >= 1"),
        ({"distance": 0.0}, r"‖w₀ − w\*‖ = 0.0 is outside its domain > 0"),
        ({"distance": -1.0}, r"‖w₀ − w\*‖ = -1.0 is outside its domain > 0"),
        ({"slack": 0.0}, "slack = 0.0 is outside its domain"),
        ({"Delta": -1.0}, r"Δ̄\* = -1.0 is outside its domain"),
    ],
)
def test_recipe_refuses_with_the_value_and_the_cure(change, message) -> None:
    with pytest.raises(ValueError, match=message):
        recipe(**({"method": "clipping"} | BASE | change))


@pytest.mark.parametrize("change", [{"method": "topk"}, {"sensitivity": 3}], ids=str)
def test_recipe_refuses_an_unknown_option(change) -> None:
    """By its own check, or by the type checker that tests run under; both name the parameter."""
    with pytest.raises((ValueError, TypeError), match=next(iter(change))):
        recipe(**({"method": "clipping"} | BASE | change))


def smallest_by_search(method: str, K: int, rho: float, letters: dict) -> float:
    """The proved bound's smallest value over the η it allows, by a search that knows nothing of its formula: the best of 2001
    values of ln(ηLE) in [−40, 0], then a bounded search between its neighbours."""
    bound = CLIPPING if method == "clipping" else NORMALISING
    given_ = {
        name: letters[name] for name in ("distance", "E", "G", "L", "Delta") if name in bound.parameters
    }

    def at(log_share):
        eta = np.exp(log_share) / (letters["L"] * letters["E"])
        return bound.value(**given_, eta=eta, K=K, rho=rho, excess=0.0)

    grid = np.linspace(-40.0, 0.0, 2001)
    values = at(grid)
    place = int(np.argmin(values))
    ends = float(grid[max(place - 1, 0)]), float(grid[min(place + 1, len(grid) - 1)])
    return min(
        float(values[place]), minimize_scalar(lambda g: float(at(g)), bounds=ends, method="bounded").fun
    )


@pytest.mark.parametrize("method", ["clipping", "normalisation"])
def test_the_step_of_the_recipe_is_what_a_search_finds(method) -> None:
    """The search resolves ln η to 1e-5, where a smooth minimum is off by its square: the recipe's may not be above it by more
    than rounding, nor below it by more than 1e-8 of it."""
    draw = np.random.default_rng(5)
    for _ in range(40):
        L, G, distance, Delta = (10 ** draw.uniform(-1, 1, 4)).tolist()
        E, K, n, d = (
            int(draw.integers(1, 20)),
            *(int(10 ** draw.uniform(*r)) for r in ((0, 6), (2, 5), (0, 3))),
        )
        letters = {
            "L": L,
            "G": G,
            "distance": distance,
            "E": E,
            "Delta": Delta if method == "clipping" else 0.0,
        }
        found = recipe(method, **letters, n=n, d=d, epsilon=10 ** draw.uniform(-1, 1), delta=1e-5, K=K)
        searched = smallest_by_search(method, K, found.rho, letters)
        assert searched * (1 - 1e-8) <= found.bound <= searched * (1 + 1e-12)


@pytest.mark.parametrize(
    ("method", "change", "bound"),
    [
        ("normalisation", {"n": 1000, "K": 100}, 0.1008),
        ("normalisation", {"n": 10_000, "K": 1000}, 0.0317),
        ("clipping", {"n": 1000, "K": 100, "E": 10, "Delta": 0.5}, 0.0313),
    ],
    ids=["overshoot", "overshoot, more rounds", "drift"],
)
def test_the_step_balances_all_that_the_bound_has(method, change, bound) -> None:
    """A step that balanced start and noise alone gave 0.4285, 0.4177 and 0.1382. With E = 1 the smallest bound is √(ab) =
    √((Kρ² + 1)/K): √0.01014 = 0.1007 for K = 100 and ρ = 0.0120, √0.0010014 = 0.03165 for K = 1000 and ρ = 0.0012."""
    common = {"L": 1.0, "G": 1.0, "distance": 1.0, "d": 100, "epsilon": 8.0, "delta": 1e-5}
    assert recipe(method, **common | change).bound == pytest.approx(bound, rel=2e-3)


def test_a_bound_that_says_something_is_not_missed() -> None:
    """0.0277 is known at the start; a step that forgot the overshoot promised 0.170."""
    common = {
        "L": 1.779,
        "G": 3.566,
        "distance": 0.177,
        "n": 46458,
        "d": 638,
        "epsilon": 1.685,
        "delta": 1.58e-6,
    }
    assert recipe("normalisation", **common, E=11, K=674).useful


@pytest.mark.parametrize(
    ("method", "E", "Delta"), [("normalisation", 1, 0.0), ("clipping", 10, 0.5), ("clipping", 1, 0.0)]
)
def test_the_rounds_of_the_recipe_are_the_fewest(method, E, Delta) -> None:
    """With one fewer no step that a search finds comes within 5 % of the limit G D ρ."""
    letters = {"L": 1.0, "G": 1.0, "distance": 1.0, "E": E, "Delta": Delta}
    found = recipe(method, **letters, n=1000, d=100, epsilon=8.0, delta=1e-5)
    assert found.bound <= 1.05 * found.rho < smallest_by_search(method, found.K - 1, found.rho, letters)


def _huber(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) <= 1, x * x / 2, np.abs(x) - 0.5)


@pytest.mark.parametrize("method", ["clipping", "normalisation"])
def test_recipe_bound_holds_on_a_run_of_the_method(method) -> None:
    """30 clients with one Huber function of ‖·‖ each, d = 3, the recipe's own parameters and noise, 200 runs."""
    from methods.algebra import advance, initialise
    from methods.published import dp_fedavg_clip, dp_normfedavg
    from methods.randomness import Keyed

    n, d, E, start = 300, 3, 2, 4.0
    found = recipe(method, L=1.0, G=1.0, distance=start, n=n, d=d, epsilon=2.0, delta=1e-3, E=E, K=60)
    build = dp_fedavg_clip if method == "clipping" else dp_normfedavg
    sigma = found.client_noise / math.sqrt(n)
    algorithm = build(found.eta, found.beta, found.C, E, sigma)

    def gradient(x):
        return x / np.maximum(1.0, np.linalg.norm(x, axis=-1, keepdims=True))

    runs = 200
    state = initialise(algorithm, np.tile([start, 0.0, 0.0], (runs, 1)), clients=n)
    seen = np.zeros(runs)
    for _ in range(found.K):
        seen += _huber(np.linalg.norm(state.x, axis=-1)) / found.K
        state, _ = advance(algorithm, state, gradient, Keyed(np.arange(runs)))
    error = seen.std() / math.sqrt(runs)
    assert seen.mean() + 6 * error < found.bound
    assert seen.mean() > 0.05 * found.bound, "the run is not where the bound speaks of"
