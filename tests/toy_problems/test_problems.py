"""Every family's constants against oracles that share no formula with it: finite differences, sampling,
scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from toy_problems.catalogue import FAMILIES, make
from toy_problems.logistic import Logistic
from toy_problems.piecewise import PiecewiseQuadratic
from toy_problems.quadratics import DiagonalQuadratic, appendix_f, example1, homogeneous_quadratic
from toy_problems.separable import DOUBLE_WELL, WELL, Separable
from toy_problems.starts import away_from_minimiser, memories

ROUNDING = 1e-9
"""Slack for float64 sums of fewer than a hundred terms of size up to 1e3."""


def size(name: str, d: int = 6) -> tuple[int, int]:
    return {"example1": (2, 1), "piecewise-quadratic": (4, 1)}.get(name, (4, d))


@pytest.fixture(params=list(FAMILIES))
def problem(request):
    return make(request.param, *size(request.param), batch=(3,), seed=7)


def points(problem, count=400, scale=4.0):
    random = np.random.default_rng(1)
    return problem.constants.minimiser + scale * random.standard_normal((count, *problem.batch, problem.d))


def test_gradient_is_the_derivative_of_the_value(problem):
    x = points(problem, 5)[..., None, :]
    h = 1e-5
    moves = h * np.eye(problem.d)
    central = np.stack([problem.values(x + m) - problem.values(x - m) for m in moves], axis=-1) / (2 * h)
    # Third derivatives are at most of the order 30 L, so the truncation error is at most 30 L h²/6 (piecewise
    # quadratics
    # err by L h near a knot); rounding of values of size 1e3 adds 1e3 · 2e-16 / h.
    tolerance = 2 * problem.constants.L_i.max() * h + 1e-7
    np.testing.assert_allclose(problem.gradients(x), central, atol=tolerance, rtol=1e-7)


def test_objective_and_gradient_are_the_means_over_clients(problem):
    x = points(problem, 5)
    local = problem.gradients(x[..., None, :])
    np.testing.assert_allclose(
        problem.objective(x), problem.values(x[..., None, :]).mean(axis=-1), rtol=1e-12
    )
    np.testing.assert_allclose(problem.mean_gradient(x, local), local.mean(axis=-2), rtol=1e-10, atol=1e-12)


def test_no_sampled_pair_breaks_the_smoothness_constants(problem):
    random = np.random.default_rng(2)
    x = points(problem)
    step = random.standard_normal(x.shape) * 10.0 ** random.uniform(-3, 0.5, (*x.shape[:-1], 1))
    length = np.linalg.norm(step, axis=-1)
    change = problem.gradients((x + step)[..., None, :]) - problem.gradients(x[..., None, :])
    slopes = np.linalg.norm(change, axis=-1) / length[..., None]
    assert (slopes <= problem.constants.L_i * (1 + ROUNDING) + ROUNDING).all()
    mean = np.linalg.norm(change.mean(axis=-2), axis=-1) / length
    assert (mean <= problem.constants.L * (1 + ROUNDING) + ROUNDING).all()


def test_no_sampled_value_undercuts_the_infima(problem):
    constants = problem.constants
    x = np.concatenate([points(problem, 200, 0.1), points(problem, 200)])
    assert (problem.objective(x) >= constants.f_inf - ROUNDING).all()
    assert (problem.values(x[..., None, :]) >= constants.f_i_inf - ROUNDING).all()


def test_minimiser_attains_the_infimum_within_the_slack(problem):
    constants = problem.constants
    gap = problem.objective(constants.minimiser) - constants.f_inf
    assert (gap >= -ROUNDING).all()
    assert (gap <= constants.slack + ROUNDING).all()


def test_scipy_finds_nothing_lower(problem):
    constants = problem.constants
    first = problem.take(0)
    for start in points(problem, 20)[:, 0]:
        found = minimize(first.objective, start, jac=first.gradient, method="BFGS").fun
        assert found >= constants.f_inf.reshape(-1)[0] - ROUNDING


@pytest.mark.parametrize(
    "name", [n for n in FAMILIES if n not in ("piecewise-quadratic", "low-rank-quadratic")]
)
def test_smoothness_of_each_client_is_attained(name):
    """L_i is the exact supremum: the Hessian at the point where the docstring says so has that eigenvalue; so is L, where that
    point is the same for all clients."""
    problem = make(name, *size(name), seed=3)
    at = (
        problem.height * 0 + problem.centre
        if isinstance(problem, Separable)
        else np.zeros((problem.n, problem.d))
    )
    h = 1e-5
    columns = [
        (problem.gradients(at + h * e) - problem.gradients(at - h * e)) / (2 * h) for e in np.eye(problem.d)
    ]
    eigenvalues = np.linalg.eigvalsh(np.stack(columns, axis=-1))
    largest = np.abs(eigenvalues).max(axis=-1)
    np.testing.assert_allclose(largest, problem.constants.L_i, rtol=1e-6)
    if not isinstance(problem, Separable):
        mean = np.linalg.eigvalsh(np.stack(columns, axis=-1).mean(axis=0))[-1]
        assert mean == pytest.approx(problem.constants.L, rel=1e-6)


@pytest.mark.parametrize(
    ("shape", "where"), [(WELL, 0.0), (DOUBLE_WELL, 0.0)], ids=lambda v: getattr(v, "name", None)
)
def test_shapes_have_the_proven_suprema(shape, where):
    t = np.linspace(-20, 20, 400_001)
    h = 1e-3
    fourth = (shape.second(t + h) - 2 * shape.second(t) + shape.second(t - h)) / h**2
    assert np.abs(shape.second(t)).max() == pytest.approx(shape.second_sup, rel=1e-12)
    assert abs(shape.second(np.array(where))) == shape.second_sup
    # φ'''' by a difference quotient: its own error is at most h²/12 · sup|φ⁽⁶⁾| ≤ h²/12 · 4 · 6!.
    assert np.abs(fourth).max() <= shape.fourth_sup + 4 * 720 * h**2 / 12
    assert np.abs(fourth).max() >= shape.fourth_sup * (1 - 1e-3)
    assert shape.value(t).min() == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), spread=st.floats(0.05, 20.0), shape=st.sampled_from([WELL, DOUBLE_WELL])
)
def test_certified_constants_of_separable_problems_agree_with_a_dense_grid(seed, spread, shape):
    random = np.random.default_rng(seed)
    height, centre = random.uniform(0.1, 1.0, (5, 1)), spread * random.standard_normal((5, 1))
    constants = Separable(height, centre, shape).constants
    t = np.linspace(centre.min() - 3, centre.max() + 3, 40_001)
    spacing = t[1] - t[0]
    second = (height * shape.second(t - centre)).mean(axis=0)
    value = (height * shape.value(t - centre)).mean(axis=0)
    mean = height.mean()
    # A grid misses an extreme of F by at most sup|F''| spacing²/8.
    assert (
        np.abs(second).max()
        <= constants.L
        <= np.abs(second).max() + shape.fourth_sup * mean * spacing**2 / 8 + 1e-8
    )
    assert value.min() >= constants.f_inf - 1e-12
    assert constants.f_inf >= value.min() - shape.second_sup * mean * spacing**2 / 8 - 1e-8


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 4), pieces=st.integers(1, 5))
def test_piecewise_quadratic_constants_agree_with_a_dense_grid(seed, n, pieces):
    random = np.random.default_rng(seed)
    knots = np.sort(random.uniform(-3, 3, (n, pieces)), axis=-1)
    slopes = random.uniform(-1, 1, (n, pieces + 1))
    slopes[:, [0, -1]] = random.uniform(0.3, 1, (n, 2))
    problem = PiecewiseQuadratic(knots, slopes, random.uniform(-2, 2, n))
    constants = problem.constants
    x = np.linspace(-40, 40, 40_001)
    values = problem.values(x[:, None, None])
    spacing = x[1] - x[0]
    assert values.mean(axis=-1).min() == pytest.approx(constants.f_inf, abs=spacing**2 / 8 + 1e-12)
    np.testing.assert_allclose(values.min(axis=0), constants.f_i_inf, atol=spacing**2 / 8 + 1e-12)
    gradients = problem.gradients(x[:, None, None])[..., 0]
    steepest = np.abs(np.diff(gradients.mean(axis=-1))).max() / spacing
    assert steepest <= constants.L + 1e-9


def test_slopes_between_coinciding_knots_are_no_slopes():
    """The two clients' jumps at a shared knot cancel: f' = 1/2 + x everywhere; and a knot said twice is one knot."""
    pair = PiecewiseQuadratic([[0.0, 1.0]] * 2, [[1.0, -1.0, 1.0], [1.0, 3.0, 1.0]], [0.0, 1.0])
    assert (pair.constants.L, *pair.constants.L_i) == (1.0, 1.0, 3.0)
    twice = PiecewiseQuadratic([[0.0, 0.0]], [[1.0, 9.0, 2.0]], [0.0])
    assert (twice.constants.L, twice.constants.L_i[0]) == (2.0, 2.0)


def test_clients_of_outer_slope_0_are_bounded_below_however_many_they_are():
    """The mean of eleven jumps of 1/11 up and eleven down is not 0 in floats."""
    at = np.random.default_rng(11).uniform(-2.0, 2.0, (50, 11, 1))
    huber = PiecewiseQuadratic(
        at + np.array([-1.0, 1.0]), np.tile([0.0, 1.0, 0.0], (50, 11, 1)), np.full((50, 11), -1.0)
    )
    lowest = huber.objective(np.linspace(-3.0, 3.0, 6001)[:, None, None]).min(axis=0)
    # A grid of step 1e-3 misses the minimum of a 1-smooth function by 1e-3²/8 at most.
    assert np.all(huber.constants.f_inf <= lowest + 1e-14)
    assert np.all(huber.constants.f_inf >= lowest - 1.3e-7)


def test_example_1_has_the_printed_constants():
    constants = example1().constants
    assert (constants.L, constants.f_inf, constants.minimiser[0]) == (1.0, 4.5, 0.0)
    assert constants.L_i.tolist() == [1.0, 1.0]


def test_appendix_f_has_the_printed_size_and_spectrum():
    problem = appendix_f(seed=1, n=6, d=30, rank=4)
    assert problem.factor.shape == (6, 30, 4)
    matrices = problem.factor @ np.swapaxes(problem.factor, -1, -2)
    np.testing.assert_allclose(problem.constants.L_i, np.linalg.eigvalsh(matrices)[:, -1], rtol=1e-10)
    np.testing.assert_allclose(problem.constants.L, np.linalg.eigvalsh(matrices.mean(axis=0))[-1], rtol=1e-10)
    solution = np.linalg.lstsq(
        np.concatenate(np.swapaxes(problem.factor, -1, -2)),
        np.einsum("ijm,ij->im", problem.factor, problem.optimum).ravel(),
    )[0]
    assert problem.objective(solution) == pytest.approx(problem.constants.f_inf, abs=1e-10)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: make("quadratic", 2, 2),
            "unknown problem 'quadratic'; the problems are homogeneous-quadratic",
        ),
        (lambda: make("logistic", 0, 2), "n = 0"),
        (lambda: make("logistic", 2, 2, spread=float("nan")), "spread = nan"),
        (lambda: make("example1", 3, 1), "example1 has n = 2"),
        (lambda: DiagonalQuadratic(np.ones((2, 3)), np.ones((3, 2))), "differ in shape"),
        (lambda: DiagonalQuadratic(-np.ones((2, 3)), np.ones((2, 3))), "no lower bound"),
        (lambda: DiagonalQuadratic(np.full((2, 3), np.nan), np.ones((2, 3))), "curvature holds nan"),
        (lambda: DiagonalQuadratic(np.ones(3), np.ones(3)), "at least 2 axes"),
        (lambda: DiagonalQuadratic(np.ones((0, 3)), np.ones((0, 3))), "at least one client"),
        (lambda: DiagonalQuadratic(np.ones((2, 3), bool), np.ones((2, 3))), "curvature is an array of bool"),
        (lambda: DiagonalQuadratic(np.full((2, 3), 1j), np.ones((2, 3))), "curvature is an array of complex"),
        (lambda: homogeneous_quadratic(2, 3, 0.5), "condition_number = 0.5"),
        (lambda: Logistic(np.ones((2, 3, 1)), float("inf")), "ridge = inf"),
        (lambda: away_from_minimiser(example1(), float("nan"), 0), "distance = nan"),
        (lambda: away_from_minimiser(example1(), 1.0, -1), "seed = -1"),
        (lambda: memories(example1(), np.zeros(1), "radius", -1.0), "radius = -1.0"),
        (lambda: memories(example1(), np.zeros(1), "radius", 1.0, -1), "seed = -1"),
        (lambda: PiecewiseQuadratic(np.zeros((1, 1)), -np.ones((1, 2)), np.zeros(1)), "no lower bound"),
        (lambda: PiecewiseQuadratic(np.array([[1.0, 0.0]]), np.ones((1, 3)), np.zeros(1)), "knots decrease"),
    ],
    ids=[
        "name",
        "clients",
        "spread",
        "example1",
        "shapes",
        "concave",
        "nan",
        "axes",
        "no clients",
        "bool",
        "complex",
        "condition number",
        "ridge",
        "distance",
        "seed of a start",
        "radius",
        "seed of memories",
        "unbounded",
        "knots",
    ],
)
def test_bad_input_is_one_clear_error(build, message):
    with pytest.raises(ValueError, match=message):
        build()
