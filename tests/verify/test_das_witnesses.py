"""DP-NormFedAvg's witnesses, run again: by the methods that train networks, and with other parameters."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.dp_normfedavg.repaired import excess_fixed_size, excess_one_by_one
from bounds.dp_normfedavg.theorem4 import asymptotic, factor_b, theorem4b
from methods.algebra import advance, initialise
from methods.published import dp_fedavg_clip, dp_normfedavg
from methods.randomness import Keyed
from verify.curves import even, huber, tilted
from verify.dp_normfedavg.asymptotics import best_gamma
from verify.dp_normfedavg.counterexamples import runs
from verify.dp_normfedavg.counterexamples.exact import clip, norm, update
from verify.dp_normfedavg.theorems.sampling import fixed_size, one_by_one, second_moment

numbers = st.fractions(min_value=-9, max_value=9, max_denominator=12)


@given(st.lists(numbers, min_size=2, max_size=6), st.integers(1, 6))
def test_second_moment_summed_over_all_sets(drawn: list[Fraction], at_most: int) -> None:
    y, n = tuple(drawn), len(drawn)
    r = Fraction(min(at_most, n))
    mean, square = sum(y) / n, sum(v * v for v in y) / n
    fixed = second_moment(fixed_size(n, int(r)), y, r)
    assert second_moment(one_by_one(n, r), y, r) == mean**2 + excess_one_by_one(Fraction(n), r) * square
    assert fixed == mean**2 + excess_fixed_size(Fraction(n), r) * (square - mean**2)
    assert fixed <= square, "(12) holds for a set of r clients"


@given(numbers, numbers)
def test_a_curve_is_the_integral_of_its_slope(a: Fraction, b: Fraction) -> None:
    """Convex: above each tangent. Smooth: below each parabola. Both exactly, at every pair of points."""
    points = ((Fraction(1), Fraction(2)), (Fraction(3), Fraction(2)), (Fraction(4), Fraction(5)))
    f = even(*points, centre=Fraction(1, 3))
    line = f(a) + f.gradient(a) * (b - a)
    assert line <= f(b) <= line + f.smoothness / 2 * (b - a) ** 2
    assert abs(f.gradient(a)) <= f.lipschitz
    assert (f.smoothness, f.lipschitz, f.convex) == (3, 5, True)
    assert f(Fraction(1, 3)) == f.gradient(Fraction(1, 3)) == 0
    leaning = tilted(f, Fraction(-7))
    assert (leaning(a), leaning.gradient(a)) == (f(a) - 7 * a, f.gradient(a) - 7)
    assert (leaning.smoothness, leaning.lipschitz, leaning.convex) == (3, 12, True)


def test_huber_and_the_operators() -> None:
    h = huber(Fraction(2), Fraction(1))
    assert h(Fraction(1, 4)) == Fraction(1, 16)
    assert h(Fraction(-5)) == 5 - Fraction(1, 4)
    assert update(h, Fraction(1, 4), Fraction(1, 4), 2) == (Fraction(1, 4) - Fraction(1, 16)) * 4
    assert clip(Fraction(-3), Fraction(2)) == norm(Fraction(-3), Fraction(2)) == -2
    assert clip(Fraction(1), Fraction(2)) == 1
    with pytest.raises(ZeroDivisionError):
        norm(Fraction(0), Fraction(1))


@pytest.mark.parametrize(
    ("n", "r", "start", "broken"),
    [
        (2, 1, "1/20", False), (2, 1, "3/40", True), (2, 1, "9/100", True),
        (3, 1, "1/20", True), (3, 1, "3/40", True), (3, 1, "9/100", True),
        (4, 1, "1/20", True), (4, 1, "3/40", True), (4, 1, "9/100", True),
        (4, 2, "1/20", False), (4, 2, "3/40", False), (4, 2, "9/100", False),
    ],
)  # fmt: skip
def test_theorem_4b_witness_follows_the_sampling(n: int, r: int, start: str, broken: bool) -> None:
    """Which draws break the bound: one client of two (from w₀ = 3/40 on), three or four, not two of four; and none with
    everybody present. Where the witness does not stand its lower bound of the left side decides nothing."""
    values = dict(runs.WITNESS_B.values) | {"n": Fraction(n), "r": Fraction(r), "w0": Fraction(start)}
    stands, found = replace(runs.WITNESS_B, values=values).stands()
    assert stands is broken
    assert all(met for _, met in found.presupposed)
    everybody = runs.WITNESS_B.replay(values | {"r": Fraction(n)})
    assert everybody.holds
    assert everybody.lhs < found.lhs
    assert everybody.rhs == found.rhs, "(3) knows nothing of r"


def test_theorem_4b_is_broken_by_the_method_itself() -> None:
    """`methods.published.dp_normfedavg` on the witness's problem, 200,000 runs: the left side of (3) exceeds the right by 6 errors."""
    v = {name: float(value) for name, value in runs.WITNESS_B.values.items()}
    s, M, rho, n, N = v["s"], v["M"], v["rho"], 2, 200_000
    eta, C, K = rho / 2, 1.0, 2
    sigma = math.sqrt(K) * C * rho

    def slope(x):
        size = np.abs(x)
        return np.sign(x) * np.where(size <= s, size, np.where(size <= M, s, np.minimum(s + size - M, 1.0)))

    def value(x):
        size = np.abs(x)
        assert size.max() < M
        return np.where(size <= s, size**2 / 2, s * size - s * s / 2)

    method = dp_normfedavg(eta, eta, C, 1, sigma, 1.0)
    state = initialise(method, np.full((N, 1), v["w0"]), clients=n)
    weighted = np.zeros(N)
    for _ in range(K):
        x = state.x[:, 0]
        weighted += value(x) / np.abs(slope(x)) / K
        state, _ = advance(method, state, slope, Keyed(np.arange(N)))
    left = factor_b(rho, 1, 1.0) * weighted
    gamma = K * C * rho**2 / 2
    right = theorem4b(1.0, 1.0, v["w0"], gamma, rho, 1, 1.0, 0.0)
    assert left.mean() - 6 * left.std() / math.sqrt(N) > right
    exact = runs.WITNESS_B.replay(runs.WITNESS_B.values)
    assert float(exact.rhs) == pytest.approx(right, rel=1e-12)
    assert float(exact.lhs) <= left.mean() + 6 * left.std() / math.sqrt(N), "the exact value is a lower bound"


@pytest.mark.parametrize("alpha", [Fraction(10) ** k for k in (3, 4, 6, 12, 30)])
def test_disagreeing_clients_stay_apart_for_every_alpha(alpha: Fraction) -> None:
    found = runs.disagreeing({**runs.DISAGREEING, "alpha": alpha})
    assert found.holds
    assert found.lhs == runs.disagreeing(runs.DISAGREEING).lhs


@pytest.mark.parametrize("alpha", [Fraction(2) * 10**k for k in (2, 4, 9, 30)])
def test_clipping_beats_normalisation_for_every_alpha(alpha: Fraction) -> None:
    witness = replace(runs.WITNESS_COMMON, values=dict(runs.WITNESS_COMMON.values) | {"alpha": alpha})
    assert witness.stands()[0]


def test_disagreeing_clients_by_the_methods_themselves() -> None:
    """Two Huber functions around −1 and 1, 200 runs of 1000 rounds: normalisation stays, clipping arrives."""
    G, rho, gamma, alpha, start = 2.0, 0.01, 0.1, 1.0, 0.5
    eta, C = rho / (2 * alpha), G
    K = round(2 * alpha * gamma / (C * rho**2))
    sigma, N = math.sqrt(K) * C * rho, 200
    centres = np.array([[-1.0], [1.0]])

    def slope(x):
        return np.clip(x - centres, -G, G)

    def f(x):
        y = np.abs(x[:, None] - centres[:, 0])
        return np.where(y <= G, y * y / 2, G * y - G * G / 2).mean(axis=1)

    means = {}
    for name, build in {"clip": dp_fedavg_clip, "norm": dp_normfedavg}.items():
        method = build(eta, eta, C, 1, sigma)
        state = initialise(method, np.full((N, 1), start), clients=2)
        gap = np.zeros(N)
        for _ in range(K):
            gap += (f(state.x[:, 0]) - f(np.zeros(1))[0]) / K
            state, _ = advance(method, state, slope, Keyed(np.arange(N)))
        means[name] = gap.mean(), gap.std() / math.sqrt(N)
    left = asymptotic(G, 1.0, start, gamma, rho)
    assert means["norm"][0] - 6 * means["norm"][1] > 3 * left
    assert means["clip"][0] + 6 * means["clip"][1] < left


def test_flat_clients_outvote_a_steep_one_by_the_methods_themselves() -> None:
    """Three clients with one minimiser in the plane, the witness's own horizon: f rises under normalisation only."""
    v = {name: float(value) for name, value in runs.WITNESS_COMMON.values.items()}
    G, rho, gamma, theta = v["G"], v["rho"], v["gamma"], v["theta"]
    alpha = 40.0
    eta, C = rho / (2 * alpha), G
    K = round(2 * alpha * gamma / (C * rho**2))
    a = np.array([[1.0, 0.0], [-0.6 * theta, 0.8 * theta], [-0.8 * theta, 0.6 * theta]])

    def slope(x):
        along = np.clip((x * a).sum(-1, keepdims=True), -G, G)
        return along * a

    def f(x):
        y = np.abs(x @ a.T)
        return np.where(y <= G, y * y / 2, G * y - G * G / 2).mean(axis=-1)

    change, error, N = {}, {}, 64
    for name, build in {"clip": dp_fedavg_clip, "norm": dp_normfedavg}.items():
        method = build(eta, eta, C, 1, math.sqrt(K / 2) * C * rho)
        state = initialise(method, np.tile([v["x0"], v["y0"]], (N, 1)), clients=3)
        before = f(state.x)
        for _ in range(K):
            state, _ = advance(method, state, slope, Keyed(np.arange(N)))
        risen = f(state.x) - before
        change[name], error[name] = risen.mean(), 6 * risen.std(ddof=1) / math.sqrt(N)
    exact = runs.WITNESS_COMMON.replay(runs.WITNESS_COMMON.values)
    last = 2.0 * K / (K - 1)  # from the mean over k̃ to w_K
    assert change["norm"] + error["norm"] >= last * float(exact.lhs), "a lower bound"
    assert change["clip"] - error["clip"] <= last * float(exact.rhs), "an upper bound"
    assert change["clip"] + error["clip"] < 0 < change["norm"] - error["norm"]


@pytest.mark.parametrize("alpha", [1, 2, 7, 200])
@pytest.mark.parametrize("root", [200, 201, 10**6])
def test_normalisation_ends_higher_at_the_best_gamma_for_every_alpha(alpha: int, root: int) -> None:
    values = {**best_gamma.WITNESS.values, "alpha": Fraction(alpha), "root_d": Fraction(root)}
    stands, found = replace(best_gamma.WITNESS, values=values).stands()
    assert stands
    assert found.lhs - found.rhs >= best_gamma.DIFFERENCE


@pytest.mark.parametrize(
    "change",
    [
        {"root_d": 20},  # noise along the clients' directions
        {"theta": Fraction(1, 10)},  # clients that are not flat
        {"t": 2},  # a time at which a sign has changed
        {"alpha": Fraction(1, 2)},
        {"gamma": 1},
    ],
    ids=str,
)
def test_the_witness_at_the_best_gamma_needs_its_values(change: dict) -> None:
    values = {**best_gamma.WITNESS.values, **{name: Fraction(value) for name, value in change.items()}}
    assert not replace(best_gamma.WITNESS, values=values).stands()[0]


def _at_best_gamma(directions: list[tuple[float, float]], theta: float) -> dict[str, tuple[float, float]]:
    """Mean over k̃ and runs of 3ηGK f(w_k̃), and six standard errors, by the methods themselves at α = 2; of the coordinates that no
    client uses nothing is seen in f, so that the noise of d = 40,000 is drawn in two of them."""
    v = {name: float(value) for name, value in best_gamma.WITNESS.values.items()}
    G, rho, alpha, N = v["G"], v["rho"], 2.0, 64
    eta, K = rho / (2 * alpha), round(2 * alpha * v["gamma"] / (G * rho**2))
    a = np.array(directions) * np.array([[1.0], [theta], [theta]])

    def slope(x):
        return np.clip((x * a).sum(-1, keepdims=True), -G, G) * a

    found = {}
    for name, build in {"clip": dp_fedavg_clip, "norm": dp_normfedavg}.items():
        method = build(eta, eta, G, 1, math.sqrt(K) * G * rho / v["root_d"])
        state, total = initialise(method, np.tile([v["x0"], v["y0"]], (N, 1)), clients=3), np.zeros(N)
        for _ in range(K):
            y = np.abs(state.x @ a.T)
            total += np.where(y <= G, y * y / 2, G * y - G * G / 2).mean(axis=-1)
            state, _ = advance(method, state, slope, Keyed(np.arange(N)))
        total *= 3 * eta * G
        found[name] = total.mean(), 6 * total.std(ddof=1) / math.sqrt(N)
    return found


def test_normalisation_ends_higher_at_the_best_gamma_by_the_methods_themselves() -> None:
    values = {**best_gamma.WITNESS.values, "alpha": Fraction(2)}
    found = _at_best_gamma([(1.0, 0.0), (-0.6, 0.8), (-0.8, 0.6)], float(values["theta"]))
    exact = replace(best_gamma.WITNESS, values=values).stands()[1]
    assert found["norm"][0] - found["norm"][1] > float(exact.lhs), "a lower bound"
    assert found["clip"][0] + found["clip"][1] < float(exact.rhs), "an upper bound"


def test_which_method_ends_lower_depends_on_how_the_directions_meet() -> None:
    found = _at_best_gamma([(1.0, 0.0), (0.6, 0.8), (0.8, 0.6)], 0.5)
    assert found["norm"][0] + found["norm"][1] < found["clip"][0] - found["clip"][1]
