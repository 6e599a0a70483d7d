"""Candidates of the falsifier: their functions have the constants they claim, their parameters satisfy the
printed conditions."""

from __future__ import annotations

import numpy as np
import pytest

from toy_problems.falsifier.genome import Layout, decode, letters_of, sample
from toy_problems.falsifier.grid.functions import GridFunctions
from toy_problems.falsifier.targets import DETERMINISTIC, RANDOM
from toy_problems.piecewise import PiecewiseQuadratic

EPS = float(np.finfo(np.float64).eps)
LAYOUT = Layout(clients=3, K=4)
COUNT = 400


@pytest.fixture(scope="module")
def primary():
    return decode(sample(LAYOUT, np.random.default_rng(0), COUNT), LAYOUT)


def as_piecewise(functions: GridFunctions) -> PiecewiseQuadratic:
    """The same functions as another module knows them: knots at the grid and at the ends of the tails,
    which differ."""
    knots, J = functions.knots, functions.reach
    mean, rate = knots.mean(axis=1), functions.tails.mean(axis=1)
    left = np.where(mean[:, 0] > 0, mean[:, 0] / rate, 0.0)
    right = np.where(mean[:, -1] < 0, -mean[:, -1] / rate, 0.0)
    count, n = functions.base.shape
    grid = np.broadcast_to(np.arange(-J, J + 1.0), (count, n, 2 * J + 1))
    ends = [
        np.broadcast_to(e[:, None, None], (count, n, 1))
        for e in (-J - left - 1.0 * (left == 0), J + right + 1.0 * (right == 0))
    ]
    tail = functions.tails[..., None]
    slopes = [
        np.zeros((count, n, 1)),
        tail * (left > 0)[:, None, None],
        functions.slopes,
        tail * (right > 0)[:, None, None],
        np.zeros((count, n, 1)),
    ]
    first = knots[..., 0] - functions.tails * np.where(left > 0, left, 0.0)[:, None]
    # Clients alone may have no lower bound, f has one: the other module asks for both, so it is handed f as
    # one client.
    all_knots = np.concatenate([ends[0], grid, ends[1]], axis=-1)
    all_slopes = np.concatenate(slopes, axis=-1)
    return PiecewiseQuadratic(
        all_knots[:, :1], all_slopes.mean(axis=1, keepdims=True), first.mean(axis=1, keepdims=True)
    )


def test_constants_are_those_of_another_module(primary):
    """f^inf and L of the mean function, against the exact formulas of `toy_problems.piecewise`."""
    functions = primary.functions
    # The other module refuses functions whose end is only just bounded: a derivative that rounds to −1e-17
    # there.
    usable = np.abs(functions.knots.mean(axis=1)[:, [0, -1]]).min(axis=1) > 0
    picked = GridFunctions(
        *(a[usable] for a in (functions.base, functions.slopes, functions.tails, functions.drop * 0))
    )
    kept = []
    for index in range(int(usable.sum())):
        one = GridFunctions(
            *(a[index : index + 1] for a in (picked.base, picked.slopes, picked.tails, picked.drop))
        )
        try:
            other = as_piecewise(one)
        except ValueError:
            continue
        kept.append(index)
        # A rounding of f' at the end of the grid, relative to the clients' gradients, is squared and divided by the
        # tail's rate.
        size = (1 + np.abs(picked.base[index]).max()) ** 2 / picked.tails[index].mean()
        gap = other.objective(np.zeros((1, 1))) - other.constants.f_inf
        assert one.gap()[0] == pytest.approx(gap[0], rel=0, abs=64 * EPS * size)
        assert one.smoothness()[0] == pytest.approx(other.constants.L[0], rel=64 * EPS)
    assert len(kept) > COUNT // 3, "too few functions were compared"


def test_oracle_is_linear_between_the_knots(primary):
    functions, oracle = primary.functions, primary.functions.oracle()
    knots, J = functions.knots, functions.reach
    x = np.random.default_rng(1).uniform(-J, J, size=(COUNT, 7, 3, 2))
    out = oracle(x)
    assert np.all(out[..., 1] == 0)
    for run in range(0, COUNT, 41):
        for client in range(3):
            expected = np.interp(x[run, :, client, 0], np.arange(-J, J + 1), knots[run, client])
            size = 1 + np.abs(knots[run, client]).max()
            assert out[run, :, client, 0] == pytest.approx(expected, abs=16 * EPS * size)


def test_local_smoothness_is_at_most_one_and_one_client_reaches_any_size(primary):
    steps = np.abs(np.diff(primary.functions.knots, axis=-1))
    assert steps.max() <= 1 + 1e-9
    assert np.all(np.abs(primary.functions.slopes) <= 1)
    assert np.all(primary.functions.tails <= 1)
    assert np.mean(np.abs(primary.functions.slopes).max(axis=(1, 2)) == 1) > 0.2, (
        "the extremes should be common"
    )
    assert np.all(np.abs(primary.residual).max(axis=1) == 1)


TARGETS = {
    **{f"{name}": t for name, t in DETERMINISTIC.items()},
    **{f"{name}, random": t for name, t in RANDOM.items()},
}


@pytest.mark.parametrize("name", TARGETS)
def test_every_candidate_satisfies_the_printed_conditions(name):
    """Up to rounding, 1e-12 relative: the exact replay of a witness allows none."""
    target, layout = TARGETS[name], Layout(clients=2, K=8)
    primary = decode(sample(layout, np.random.default_rng(2), COUNT), layout)
    letters = {
        key: np.broadcast_to(value, (COUNT,)).astype(float)
        for key, value in letters_of(target, primary, layout).items()
    }
    inside = letters["drop"] >= 0
    assert inside.sum() >= 8
    letters = {key: value[inside] for key, value in letters.items()}
    for condition in target.bound.conditions:
        value, limit = letters[condition.variable], np.asarray(condition.bound(letters), dtype=float)
        if condition.comparison in ("<", "<="):
            assert np.all(value <= limit * (1 + 1e-12)), condition.printed
        elif condition.comparison in (">", ">="):
            assert np.all(value >= limit * (1 - 1e-12)), condition.printed
        else:
            assert value == pytest.approx(limit, rel=1e-12), condition.printed
        if condition.comparison == "<":
            assert np.all(value < limit), condition.printed
    for key in target.bound.parameters:
        if key in letters:
            target.bound.symbols[key].check(letters[key], name)
    assert np.all(np.asarray(target.value(letters)) > 0)
