"""Overlays and rates: parameters inside the conditions, numbers that mean what they say, controls."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.alpha_normec.theorem1 import THEOREM1
from methods.algebra import advance, initialise
from methods.randomness import Keyed
from toy_problems.catalogue import make
from toy_problems.comparison import ALPHA, Case, Comparison, _best, _methods, comparison
from toy_problems.overlay import FAMILIES, _measure, overlays
from toy_problems.rates import HARDEST, _slopes, instance_of, rates
from toy_problems.runner import run
from toy_problems.schedules import SCHEDULES
from toy_problems.starts import away_from_minimiser, memories


@pytest.fixture(scope="module")
def found():
    return overlays(K=25, n=4, d=5, seeds=4)


@pytest.mark.unchecked
def test_every_case_covers_every_family(found):
    names = {overlay.bound for overlay in found}
    assert {"NEC-T1", "NEC-OUR-T1-SHARP", "NEC-OUR-T1-WIDE", "FED-R1", "FED-R2"} <= names
    assert {"NEC-T2-MAIN", "NEC-T2-APP", "NEC-T2-POSTER", "NEC-T2 (noise per coordinate)"} <= names
    assert {(o.bound, o.problem) for o in found} == {(name, family) for name in names for family in FAMILIES}


def test_no_run_crosses_a_bound_without_randomness(found):
    """α-NormEC's Theorem 1 and its sharper forms hold for every run: a crossing would be an error of ours or
    a witness."""
    for overlay in found:
        if overlay.bound in ("NEC-T1", "NEC-OUR-T1-SHARP", "NEC-OUR-T1-WIDE"):
            assert not overlay.crossed, overlay
            assert 0 < overlay.tightness <= 1


def test_bound_over_the_trace_is_theorem_1(found):
    overlay = next(o for o in found if o.bound == "NEC-T1" and o.memory == "zero")
    assert overlay.limit[-1] == pytest.approx(float(THEOREM1(**overlay.parameters, K=overlay.K[-1])))
    assert list(overlay.measured) == sorted(overlay.measured, reverse=True)


def test_zero_memory_makes_theorem_1_say_less_than_the_start(found):
    """With g⁰ = 0, R ≥ ‖∇f(x⁰)‖, so the 2R alone exceeds what is known before any round."""
    zero = [o for o in found if o.bound == "NEC-T1" and o.memory == "zero"]
    assert len(zero) == len(FAMILIES)
    for overlay in zero:
        assert min(overlay.limit) > 2 * overlay.measured[0]


@pytest.mark.parametrize(("seeds", "quantile"), [(10, 2.26216), (30, 2.04523)])
def test_the_interval_encloses_what_is_measured_and_is_students_at_95_per_cent(seeds, quantile):
    """At K = 0, before a minimum over rounds is taken: mean ∓ t s/√n, with t from a printed table."""
    series = np.full((seeds, 10), 2.0) + np.random.default_rng(0).normal(0, 0.01, (seeds, 10))
    measured, low, high = _measure(series)
    assert (low <= measured).all()
    assert (measured <= high).all()
    half = (high[0] - low[0]) / 2
    assert half == pytest.approx(quantile * series[:, 0].std(ddof=1) / np.sqrt(seeds), rel=3e-6)
    np.testing.assert_allclose([low[0], high[0]], series[:, 0].mean() + np.array([-half, half]), rtol=1e-14)


def test_a_bound_that_is_too_small_is_crossed(found):
    """Control. At one K out of all: below the interval it is crossed, inside the interval and at its end it is not."""
    held = next(o for o in found if o.bound == "NEC-T1" and o.memory == "zero")
    K = len(held.limit) // 2

    def bounded_by(value):
        return replace(held, limit=(*held.limit[:K], value, *held.limit[K + 1 :]))

    small = bounded_by(held.low[K] / 2)
    assert small.crossed
    assert small.tightness == pytest.approx(2 * held.measured[K] / held.low[K], rel=1e-15)
    assert small.tightness > 1
    assert not bounded_by(held.low[K]).crossed
    wide = replace(held, low=tuple(m / 4 for m in held.measured), limit=tuple(m / 2 for m in held.measured))
    assert wide.tightness == 2
    assert not wide.crossed, "the bound lies inside the interval: nothing is decided"


@pytest.mark.parametrize("kind", ["zero", "exact", "radius"])
def test_memories_have_the_radius_they_claim(kind):
    problem = make("logistic", 5, 4, batch=(3, 1), seed=2)
    x0 = away_from_minimiser(problem, 2.0, 0)
    np.testing.assert_allclose(np.linalg.norm(x0 - problem.constants.minimiser, axis=-1), 2.0)
    start, R = memories(problem, x0, kind, 0.3, seed=1)
    residual = np.linalg.norm(problem.gradients(x0[..., None, :]) - start, axis=-1)
    np.testing.assert_allclose(residual.max(axis=-1), R, atol=1e-14)
    expected = {
        "zero": np.linalg.norm(problem.gradients(x0[..., None, :]), axis=-1).max(axis=-1),
        "exact": 0.0,
    }
    np.testing.assert_allclose(R, expected.get(kind, 0.3), atol=1e-14)


def test_slope_of_an_exact_power_law_is_its_exponent():
    grid = np.array([15, 63, 255])
    values = np.stack([(grid + 1.0) ** -0.5, 3 * (grid + 1.0) ** -0.125, 1e-30 / grid], axis=-1)
    np.testing.assert_allclose(_slopes(grid, values, np.ones(3)), [-0.5, -0.125], atol=1e-12)


@pytest.mark.unchecked
def test_rates_hold_printed_bounds_and_give_intervals():
    found = rates((7, 15, 31), instances=2, n=3, d=3, families=("double-well",))
    assert {rate.schedule for rate in found} == set(SCHEDULES)
    for rate in found:
        assert len(rate.measured) == 3
        if rate.slope is not None:
            assert rate.low is not None
            assert rate.high is not None
            assert rate.low <= rate.slope <= rate.high
        if rate.schedule in ("gradient descent", "α-NormEC, Corollary 1", "α-NormEC, eq. (12)"):
            assert rate.largest_share is not None
            assert rate.largest_share <= 1, rate


def test_a_schedule_that_cannot_arrive_is_run_again_from_nearer_by():
    names = ("gradient descent", "Fed-α-NormEC, Corollary 1")
    found = rates((7, 15), instances=2, n=3, d=3, families=("double-well",), names=names)
    far, near = (rate for rate in found if rate.reach is not None)
    assert far.start == pytest.approx(3.0)
    assert not far.arrives
    assert far.judgement == "not asymptotic"
    assert near.arrives
    assert near.reach is not None
    assert near.reach[0] == pytest.approx(2.0), "NEAR is half of the shortest path"


@pytest.mark.parametrize("family", ["double-well", HARDEST])
def test_no_two_runs_behind_an_interval_share_their_randomness(monkeypatch, family):
    """The interval takes the instances for independent draws; a mean over runs with the same noise is no mean over noise."""
    seen = []

    def told(*given, seeds, **named):
        seen.append(set(np.ravel(seeds).tolist()))
        return run(*given, seeds=seeds, **named)

    monkeypatch.setattr("toy_problems.rates.run", told)
    for seed in (0, 1):
        rates((7, 15), 3, 3, 3, families=(family,), names=("Fed-α-NormEC, Corollary 1",), seed=seed)
    first, second = seen[0], seen[-1]
    assert len(first) == len(second) == 3 * 5
    assert not first & second
    assert all(seeds in (first, second) for seeds in seen), "the K of an instance have the same noise"


def test_the_interval_of_a_slope_is_students_at_95_per_cent():
    """Three instances: 4.303 standard errors (t with two degrees of freedom; 2.920 would be 90%), s/√3 each."""
    grid = (7, 15)
    (found,) = rates(grid, instances=3, n=3, d=3, families=("double-well",), names=("gradient descent",))
    problem = make("double-well", 3, 3, batch=(3, 1))
    known = instance_of(problem, x0 := away_from_minimiser(problem, 3.0, 0))
    method = SCHEDULES["gradient descent"].choose(known, grid[0]).method
    norms = run(problem, method, x0, 16)["gradient_norm"][:, 0]
    slopes = -np.log2(norms.min(axis=-1) / norms[:, :8].min(axis=-1))
    assert found.slope == pytest.approx(slopes.mean(), rel=1e-9)
    half = 4.302653 * slopes.std(ddof=1) / np.sqrt(3)
    assert [found.low, found.high] == pytest.approx([slopes.mean() - half, slopes.mean() + half], rel=1e-6)


def test_what_an_interval_says_of_an_exponent():
    (rate,) = rates((7, 15), instances=2, n=3, d=3, families=("double-well",), names=("gradient descent",))
    told = {
        (0.6, 0.7, 0.65): "as fast or faster",
        (0.4, 0.6, 0.55): "not told apart",
        (0.3, 0.4, 0.35): "shallower",
        (0.3, 0.4, 0.55): "not asymptotic",
    }
    for (low, high, late), word in told.items():
        assert replace(rate, slope=(low + high) / 2, low=low, high=high, late=late).judgement == word


PRINTED = [(name, s.exponent) for name, s in SCHEDULES.items() if s.exponent]


@pytest.mark.unchecked
@pytest.mark.parametrize(
    ("name", "exponent"),
    [
        pytest.param(name, exponent, id=name, marks=pytest.mark.slow if "Fed" in name else ())
        for name, exponent in PRINTED
    ],
)
def test_no_rate_that_holds_for_all_functions_is_faster_than_printed(name, exponent):
    """On functions of one gap, each the flattest that its K cannot cross, the decay has the printed exponent. What
    bends it: K steps lead K/(K + 1) of the path (0.003 from 255 to 511), and the valley has a width (0.002)."""
    (found,) = rates((255, 511), instances=2, families=(HARDEST,), names=(name,))
    assert found.slope == pytest.approx(exponent, abs=5e-3)
    assert found.largest_share is not None
    assert found.largest_share <= 1


@pytest.mark.unchecked
def test_heterogeneity_stops_dp_sgd_and_not_error_feedback():
    rows = comparison(K=100, n=4, d=6, noises=(0.0,), spreads=(0.0, 3.0), instances=2, steps=9)
    best = {(row.method, row.spread): row.best for row in rows}
    for method in ("DP-SGD, clipping", "DP-SGD, smoothed"):
        assert best[method, 3.0] > 10 * best[method, 0.0]
    for method in ("Clip21", "α-NormEC"):
        assert best[method, 3.0] < 0.1 * best["DP-SGD, clipping", 3.0]


CASE = Case("a method", 0.3, 0.5, start=9.0)
TWO = np.array([
    [[[9.0, 4.0, 6.0], [9.0, 1.0, 2.0], [9.0, np.nan, np.inf]]],
    [[[9.0, 8.0, 7.0], [9.0, 5.0, 8.0], [9.0, 20.0, np.inf]]],
])  # fmt: skip
"""‖∇f(xᵏ)‖ of two instances (outer), no Φ, three γ, k = 0, 1, 2; the last γ diverges after x⁰."""


def test_a_comparison_of_two_instances_by_hand():
    """Smallest over k, by γ: (4, 1, 9) and (7, 5, 9), means 5.5, 3 and 9: the middle γ. The standard error of 1 and 5 is
    their deviation √8 over √2. At the last k the means are 6.5, 5 and ∞."""
    found = _best(TWO, np.array([0.1, 1.0, 10.0]), None, CASE)
    expected = Comparison(
        "a method", 0.3, 0.5, best=3.0, error=2.0, gamma=1.0, phi=None, edge=False, last=5.0, start=9.0
    )
    assert found.error == pytest.approx(2.0, rel=1e-15)
    assert replace(found, error=2.0) == expected


@pytest.mark.parametrize("kept", [[0, 2], [2, 1]], ids=["first", "last"])
def test_the_best_step_at_either_end_of_the_grid_is_told(kept):
    gamma = np.array([0.1, 1.0, 10.0])[kept]
    found = _best(TWO[:, :, kept], gamma, None, CASE)
    assert found.edge
    assert found.gamma == min(gamma)


def test_the_best_scale_is_taken_with_its_step_and_an_end_of_its_grid_is_told():
    norms = np.concatenate([TWO + 1, TWO, TWO + 2], axis=1)
    scales = np.array([0.1, 1.0, 10.0])
    found = _best(norms, np.array([0.1, 1.0, 10.0]), scales, CASE)
    assert (found.best, found.gamma, found.phi, found.edge) == (3.0, 1.0, 1.0, False)
    assert _best(norms[:, :2], np.array([0.1, 1.0, 10.0]), scales[:2], CASE).edge


@pytest.mark.unchecked
def test_a_smaller_message_may_be_better_with_noise():
    """What a table at one Φ hides: the noise of the memories falls with β and τ at the same privacy."""
    one, many = (
        {
            row.method: row.best
            for row in comparison(
                K=100, n=4, d=6, phi=phi, noises=(0.5,), spreads=(0.0,), instances=2, steps=9
            )
        }
        for phi in ((0.3,), (0.03, 0.3))
    )
    assert all(many[name] <= one[name] for name in one)
    assert many["α-NormEC"] < 0.8 * one["α-NormEC"]
    assert many["DP-SGD, smoothed"] == one["DP-SGD, smoothed"]


def test_the_smallest_last_gradient_may_be_at_another_step_than_the_best():
    norms = TWO.copy()
    norms[:, 0, 0, -1] = 4.5, 5.0
    found = _best(norms, np.array([0.1, 1.0, 10.0]), None, CASE)
    assert (found.best, found.gamma, found.last) == (3.0, 1.0, 4.75)


def test_one_instance_has_no_standard_error():
    assert np.isnan(_best(TWO[:1], np.array([0.1, 1.0, 10.0]), None, CASE).error)


S, PHI, GAMMA, N, D, RUNS = 0.5, 0.3, 0.7, 10, 20, 400
JOINED = {
    "DP-SGD, clipping": (PHI, GAMMA, "x"),
    "DP-SGD, smoothed": (1.0, GAMMA, "x"),
    "Clip21": (PHI, GAMMA, "x"),
    "α-NormEC": (1.0, PHI, "server_memory"),
    "α-NormEC, no server normalisation": (1.0, GAMMA * PHI, "x"),
}
"""By method: the largest norm of a message; what the mean message, and its noise with it, is multiplied by (γ, β = Φ,
γβ) before it joins what is named last. α-NormEC normalises the server's memory, so that there alone it is linear."""


@pytest.mark.parametrize("name", JOINED)
def test_methods_at_equal_sensitivity_are_given_equal_noise(name):
    """One round, gradients so large that both operators bound them: messages have norm φ, and what the noise adds has
    variance (sφ)²/n, times the square of γ, β or γβ."""
    methods = _methods(np.array(GAMMA), np.array(PHI), S, N, D)
    assert set(methods) == set(JOINED)
    phi, factor, joined = JOINED[name]
    gradients = np.random.default_rng(1).normal(0, 50.0, (1, N, D))
    after = []
    for method in (methods[name], replace(methods[name], noise=None)):
        state = initialise(method, np.zeros((RUNS, D)), N)
        state, told = advance(
            method, state, lambda x: np.broadcast_to(gradients, x.shape), Keyed(np.arange(RUNS))
        )
        after.append(getattr(state, joined))
        lengths = np.linalg.norm(told.shaped, axis=-1)
        assert lengths.max() <= phi * (1 + 1e-15 * D)
        assert lengths.min() >= phi * (1 - ALPHA / np.linalg.norm(gradients, axis=-1).min() - 1e-15 * D)
    variance = ((after[0] - after[1]) ** 2).mean()
    # m = RUNS·D squares of normals have a mean of relative standard deviation √(2/m); six of them
    assert variance == pytest.approx((factor * S * phi) ** 2 / N, rel=6 * np.sqrt(2 / (RUNS * D)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rates((15,)), "two of each"),
        (lambda: rates((15, 15)), "must increase"),
        (lambda: rates((-1, 15)), "K = -1"),
        (lambda: rates(distance=float("nan")), "distance = nan"),
        (
            lambda: rates(names=("Corollary 9",)),
            "unknown schedule 'Corollary 9'; the schedules are gradient descent",
        ),
        (lambda: rates(families=("cubic",)), "unknown problem 'cubic'"),
        (lambda: comparison(phi=(0.1, 0.0)), r"phi = \(0.1, 0.0\)"),
        (lambda: memories(make("logistic", 2, 2), np.zeros(2), "none"), "unknown kind of memory"),
    ],
    ids=["grid", "one K twice", "negative K", "distance", "schedule", "family", "phi", "memory"],
)
def test_bad_input_is_one_clear_error(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.unchecked
def test_the_largest_share_is_no_smaller_than_that_of_the_means():
    for rate in rates((7, 15, 31), instances=2, n=3, d=3, families=("double-well",)):
        if rate.bound is not None:
            assert rate.largest_share is not None
            assert rate.largest_share >= max(
                m / b for m, b in zip(rate.measured, rate.bound, strict=True)
            ) * (1 - 1e-12), rate


def test_exponents_are_those_printed():
    assert {s.name: s.exponent for s in SCHEDULES.values()} == {
        "gradient descent": 1 / 2, "α-NormEC, Corollary 1": 1 / 2, "α-NormEC, eq. (12)": 1 / 2, "α-NormEC, g⁰ = 0": None,
        "α-NormEC, g⁰ exact": None, "DP-α-NormEC, Corollary 2": 0, "Fed-α-NormEC, Corollary 1": 1 / 6,
        "Fed-α-NormEC, Corollary 3": 1 / 8,
    }  # fmt: skip
