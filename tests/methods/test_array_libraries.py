"""The same round in numpy, torch and `array_api_strict`."""

from __future__ import annotations

import numpy as np
import pytest

from methods import advance, initialise
from methods.local_work import CyclicIncremental
from methods.published import PUBLISHED, by_name
from methods.randomness import Keyed

EPS = float(np.finfo(np.float64).eps)
RUNS, CLIENTS, D, ROUNDS = 3, 4, 5, 6

PARAMETERS = {
    "gradient_descent": {"gamma": 0.2},
    "alpha_normec": {"gamma": 0.2, "beta": 0.3, "alpha": 0.1},
    "dp_alpha_normec": {"gamma": 0.2, "beta": 0.3, "alpha": 0.1, "std": 0.2},
    "clip21": {"gamma": 0.2, "tau": 0.3},
    "dp_clip21": {"gamma": 0.2, "tau": 0.3, "std": 0.2},
    "dp_sgd_clip": {"gamma": 0.2, "tau": 0.3, "std": 0.2, "batch": 2},
    "dp_sgd_smoothed": {"gamma": 0.2, "alpha": 0.3, "std": 0.2, "batch": 2},
    "ef21": {"gamma": 0.2, "k": 2},
    "fed_alpha_normec": {"eta": 0.2, "gamma": 0.3, "beta": 0.3, "alpha": 0.1, "p": 0.5, "T": 2, "std": 0.2},
    "fedavg": {"eta": 0.2, "E": 2, "r": 2},
    "dp_fedavg_clip": {"eta": 0.2, "beta": 0.1, "C": 1.0, "E": 2, "sigma": 0.2, "r": 2.0},
    "dp_normfedavg": {"eta": 0.2, "beta": 0.1, "C": 1.0, "E": 2, "sigma": 0.2, "r": 2.0},
}


def test_every_published_method_has_its_parameters_here():
    assert set(PARAMETERS) == set(PUBLISHED)


class Quadratics:
    samples = 2

    def __init__(self, xp):
        rng = np.random.default_rng(11)
        self.a = xp.asarray(rng.uniform(0.2, 1.0, size=(CLIENTS, 1)), dtype=xp.float64)
        self.b = xp.asarray(rng.normal(size=(CLIENTS, D)), dtype=xp.float64)

    def __call__(self, x):
        return self.a * (x - self.b)

    def sample(self, x, j):
        return self.a * (x - self.b) * (1.0 + j)


def trajectory(xp, method):
    x0 = xp.asarray(np.random.default_rng(5).normal(size=(RUNS, D)), dtype=xp.float64)
    state, points = initialise(method, x0, CLIENTS), []
    for _ in range(ROUNDS):
        state, done = advance(method, state, Quadratics(xp), Keyed(np.arange(RUNS)))
        points.append(np.asarray(state.x))
    assert state.x.dtype == xp.float64
    assert done.direction.dtype == xp.float64
    return np.array(points)


def assert_equal_up_to_rounding(left, right):
    # Sums may run in another order: (clients + d) ulp of numbers below 10 a round; a normalised step
    # stretches them by 2·step/‖v‖, with ‖v‖ > 0.05 on this problem, and a linear one does not expand.
    assert left == pytest.approx(right, rel=0, abs=ROUNDS * (CLIENTS + D) * EPS * 10 * 8)


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_library_gives_the_same_run(name, xp):
    method = by_name(name, **PARAMETERS[name])
    assert_equal_up_to_rounding(trajectory(xp, method), trajectory(np, method))


def test_incremental_gradient_in_every_library(xp):
    method = by_name("fed_alpha_normec", **PARAMETERS["fed_alpha_normec"], local_work=CyclicIncremental(0.3))
    assert_equal_up_to_rounding(trajectory(xp, method), trajectory(np, method))


def test_parameters_for_each_run_in_every_library(xp):
    values = {"gamma": [0.1, 0.2, 0.3], "beta": [0.3, 0.2, 0.1], "alpha": [0.1, 0.5, 1.0]}
    arrays = {k: xp.asarray(v, dtype=xp.float64) for k, v in values.items()}
    together = trajectory(xp, by_name("alpha_normec", **arrays))
    for r in range(RUNS):
        alone = trajectory(xp, by_name("alpha_normec", **{k: v[r] for k, v in values.items()}))
        assert_equal_up_to_rounding(together[:, r], alone[:, r])


def test_float32_stays_float32():
    torch = pytest.importorskip("torch")
    method = by_name("fed_alpha_normec", **PARAMETERS["fed_alpha_normec"])
    state = initialise(method, torch.zeros(RUNS, D, dtype=torch.float32), CLIENTS)
    state, done = advance(method, state, lambda x: x - 1.0, Keyed(np.arange(RUNS)))
    for tensor in (state.x, state.memories, state.server_memory, done.sent, done.noise):
        assert tensor.dtype == torch.float32


class OnDevice:
    """Randomness such as an engine supplies: made where the tensors are, nothing read back."""

    def client_normals(self, round, runs, clients, d, like):
        return like.new_empty(*runs, clients, d).normal_()

    def server_normals(self, round, runs, d, like):
        return like.new_empty(*runs, d).normal_()

    def uniforms(self, round, runs, clients, like):
        return like.new_empty(*runs, clients).uniform_()


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_round_never_reads_a_value_back(name):
    """On torch's meta device there are no values: `.item()`, `bool(tensor)` or a shape that depends on data
    would raise. That is what a CUDA graph needs of a round."""
    torch = pytest.importorskip("torch")
    method = by_name(name, **PARAMETERS[name])
    state = initialise(method, torch.zeros(RUNS, D, dtype=torch.float64), CLIENTS)
    there = {
        field: None if (value := getattr(state, field)) is None else value.to("meta")
        for field in ("x", "memories", "server_memory", "momentum")
    }
    moved = type(state)(clients=CLIENTS, **there)
    after, done = advance(method, moved, lambda x: x * 2.0, OnDevice())
    assert after.x.device.type == "meta"
    assert tuple(done.sent.shape) == (RUNS, CLIENTS, D)
