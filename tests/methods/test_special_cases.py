"""Special cases that recover known methods, to the last bit where nothing but notation differs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from methods import Method, advance, initialise, step
from methods.feedback import EF21
from methods.local_work import CyclicIncremental, LocalDescent, LocalSum, OneGradient
from methods.noise import Gaussian
from methods.operators import Clip, FixedNorm, Identity, SmoothedNorm, TopK
from methods.participation import Bernoulli, FixedSize, Poisson
from methods.published import (
    alpha_normec,
    clip21,
    dp_alpha_normec,
    dp_fedavg_clip,
    dp_normfedavg,
    dp_sgd_clip,
    dp_sgd_smoothed,
    ef21,
    fed_alpha_normec,
    fedavg,
    gradient_descent,
)
from methods.randomness import Keyed
from methods.server import Momentum, Normalised, Plain

RUNS, CLIENTS, D, ROUNDS = 4, 3, 5, 25
EPS = float(np.finfo(np.float64).eps)


class Quadratics:
    """∇f_{i,j}(x) = a_i(x − b_i), the same for both samples j, so that the mean over j is exact."""

    samples = 2

    def __init__(self):
        rng = np.random.default_rng(11)
        self.a, self.b = rng.uniform(0.2, 1.0, size=(CLIENTS, 1)), rng.normal(size=(CLIENTS, D))

    def __call__(self, x):
        return self.a * (x - self.b)

    def sample(self, x, j):
        return self(x)


def trajectory(method: Method, memories=None) -> np.ndarray:
    """x of every round: (rounds, runs, d)."""
    x0 = np.random.default_rng(5).normal(size=(RUNS, D))
    state, points = initialise(method, x0, CLIENTS, memories=memories), []
    for _ in range(ROUNDS):
        state, _ = advance(method, state, Quadratics(), Keyed(np.arange(RUNS)))
        points.append(state.x)
    return np.array(points)


G = 0.2
PAIRS = {
    "clipping far above every gradient is gradient descent": (dp_sgd_clip(G, 1e9), gradient_descent(G)),
    "Clip21 far above every difference is gradient descent": (clip21(G, 1e9), ef21(G, k=D)),
    "Top-d is the identity": (ef21(G, k=D), Method(Identity(), Plain(G), EF21(1.0))),
    "DP-SGD with α = 0 is normalisation to length 1": (
        dp_sgd_smoothed(G, 0.0), Method(FixedNorm(1.0), Plain(G)),
    ),
    "FedAvg with one local step is gradient descent": (fedavg(G, E=1), gradient_descent(G)),
    "one local step of DP-FedAvg with clipping is DP-SGD": (
        dp_fedavg_clip(0.1, G, 0.3, E=1, sigma=0.4), dp_sgd_clip(G, 0.3, 0.4),
    ),
    "clipping below every update is normalisation": (
        dp_fedavg_clip(0.1, G, 1e-9, 3, 0.0, r=2), dp_normfedavg(0.1, G, 1e-9, 3, 0.0, r=2),
    ),
    "Fed-α-NormEC with T = 1, p = 1, σ = 0 is α-NormEC": (
        fed_alpha_normec(G, 0.7, 0.3, 0.1, p=1.0, T=1), alpha_normec(G, 0.3, 0.1),
    ),
    "Fed-α-NormEC with p = 1 is full participation": (
        fed_alpha_normec(G, 0.7, 0.3, 0.1, p=1.0, T=3),
        Method(SmoothedNorm(0.1), Normalised(G), EF21(0.3), local_work=LocalDescent(3, 0.7)),
    ),
    "noise of scale 0 is no noise": (dp_alpha_normec(G, 0.3, 0.1, 0.0), alpha_normec(G, 0.3, 0.1)),
    "a fixed subset of everybody is everybody": (
        replace(gradient_descent(G), participation=FixedSize(CLIENTS)), gradient_descent(G),
    ),
    "a Poisson subset of all clients on average is everybody": (
        replace(gradient_descent(G), participation=Poisson(CLIENTS)), gradient_descent(G),
    ),
    "momentum 0 is none": (replace(gradient_descent(G), server=Momentum(G, 0.0)), gradient_descent(G)),
    "cyclic incremental over equal functions is as many local steps": (
        Method(Identity(), Plain(G), local_work=CyclicIncremental(0.3)),
        Method(Identity(), Plain(G), local_work=LocalDescent(2, 0.3)),
    ),
    "the sum of one local gradient is the gradient": (
        Method(Identity(), Plain(G), local_work=LocalSum(1, 0.3)), Method(Identity(), Plain(G)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_special_case_recovers_the_known_method(name):
    left, right = (trajectory(method) for method in PAIRS[name])
    # One rounding of each entry a round, and no expansion (0 < G·a < 1): at most ROUNDS times a few ulp.
    assert left == pytest.approx(right, rel=0, abs=ROUNDS * 16 * EPS * np.abs(right).max())
    assert np.ptp(left, axis=0).max() > 0


DIFFERENT = {
    "α": (alpha_normec(G, 0.3, 0.1), alpha_normec(G, 0.3, 0.2)),
    "β": (alpha_normec(G, 0.3, 0.1), alpha_normec(G, 0.4, 0.1)),
    "server normalisation": (
        alpha_normec(G, 0.3, 0.1), alpha_normec(G, 0.3, 0.1, server_normalisation=False),
    ),
    "noise": (alpha_normec(G, 0.3, 0.1), dp_alpha_normec(G, 0.3, 0.1, 0.1)),
    "clipping or normalisation, C among the updates": (
        dp_fedavg_clip(0.1, G, 1.0, 3, 0.0, r=2), dp_normfedavg(0.1, G, 1.0, 3, 0.0, r=2),
    ),
    "error feedback": (dp_sgd_smoothed(G, 0.1), alpha_normec(G, 1.0, 0.1, server_normalisation=False)),
    "p": (fed_alpha_normec(G, 0.7, 0.3, 0.1, p=0.5), fed_alpha_normec(G, 0.7, 0.3, 0.1, p=0.6)),
    "T": (fed_alpha_normec(G, 0.7, 0.3, 0.1, T=1), fed_alpha_normec(G, 0.7, 0.3, 0.1, T=2)),
    "momentum": (replace(gradient_descent(G), server=Momentum(G, 0.5)), gradient_descent(G)),
    "k": (ef21(G, k=1), ef21(G, k=2)),
    "Poisson and fixed-size subsets": (
        replace(gradient_descent(G), participation=FixedSize(2)),
        replace(gradient_descent(G), participation=Poisson(2)),
    ),
    "sum and mean of local gradients": (
        Method(Identity(), Plain(G), local_work=LocalSum(2, 0.1)),
        Method(Identity(), Plain(G), local_work=LocalDescent(2, 0.2)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_parameter_matters(name):
    """The other side of the special cases: what is meant to change the method changes it."""
    left, right = (trajectory(method) for method in DIFFERENT[name])
    assert np.abs(left - right).max() > 1e-3


def test_example_1_normalisation_alone_stalls_and_error_feedback_moves():
    """α-NormEC, Example 1: ∇f_1 = x − 3, ∇f_2 = x + 3, x⁰ = 2, α = 0."""

    def gradients(x):
        return x - np.array([[3.0], [-3.0]])

    start = np.array([2.0])
    stalled, moving = dp_sgd_smoothed(0.1, 0.0), alpha_normec(0.1, 1.0, 0.0)
    for _ in range(3):
        state, _ = advance(stalled, initialise(stalled, start, 2), gradients)
        assert state.x[0] == 2.0
    state = initialise(moving, start, 2)
    for _ in range(60):
        state, _ = advance(moving, state, gradients)
    assert abs(state.x[0]) < 0.5


def test_server_normalisation_takes_steps_of_its_length_and_zero_over_zero_is_zero():
    method = alpha_normec(np.array([0.1, 0.3]), 0.5, 0.1)
    state = initialise(method, np.zeros((2, D)), CLIENTS)
    after, _ = advance(method, state, Quadratics())
    assert np.linalg.norm(after.x - state.x, axis=-1) == pytest.approx([0.1, 0.3], rel=8 * EPS)
    still, done = advance(method, state, lambda x: np.zeros(x.shape))
    assert np.array_equal(still.x, state.x)
    assert np.all(done.direction == 0)


def test_momentum_is_heavy_ball():
    method = replace(gradient_descent(0.1), server=Momentum(0.1, 0.5))
    state, x, m = initialise(method, np.ones(D), CLIENTS), np.ones(D), np.zeros(D)
    for _ in range(ROUNDS):
        m = 0.5 * m + Quadratics()(x).mean(axis=0)
        x = x - 0.1 * m
        state, _ = advance(method, state, Quadratics())
    assert state.x == pytest.approx(x, rel=0, abs=ROUNDS * 16 * EPS * 10)


def test_a_round_changes_nothing_that_it_was_given():
    method = replace(fed_alpha_normec(G, 0.7, 0.3, 0.1, p=0.5, T=2, std=0.1), server=Momentum(G, 0.5))
    x0 = np.random.default_rng(0).normal(size=(RUNS, D))
    state = initialise(method, x0, CLIENTS)
    before = [a.copy() for a in (state.x, state.memories, state.server_memory, state.momentum)]
    advance(method, state, Quadratics(), Keyed(0))
    for old, new in zip(before, (state.x, state.memories, state.server_memory, state.momentum), strict=True):
        assert np.array_equal(old, new)


@pytest.mark.parametrize("participation", [Bernoulli(0.6), FixedSize(2), Poisson(1.5)], ids=repr)
@pytest.mark.parametrize("feedback", [None, EF21(0.4, participants_only=True)], ids=["no feedback", "EF21"])
def test_what_an_absent_client_holds_goes_nowhere(participation, feedback):
    """Its local work may have diverged, and 0 · nan is nan."""
    method = Method(Clip(0.5), Plain(0.1), feedback, Gaussian(0.1), participation)
    state = initialise(method, np.zeros((RUNS, D)), CLIENTS)
    updates = np.random.default_rng(2).normal(size=(RUNS, CLIENTS, D))
    after, done = step(method, state, updates, Keyed(np.arange(RUNS)))
    lost = np.where(done.took_part[..., None], updates, np.nan)
    assert np.isnan(lost).any()
    without, _ = step(method, state, lost, Keyed(np.arange(RUNS)))
    assert np.array_equal(without.x, after.x)
    if after.memories is not None:
        assert without.memories is not None
        assert np.array_equal(without.memories, after.memories)


@pytest.mark.parametrize("operator", [Clip(0.5), SmoothedNorm(0.1), TopK(2)], ids=repr)
@pytest.mark.parametrize("feedback", [None, EF21(0.4)], ids=["no feedback", "EF21"])
@pytest.mark.parametrize("server", [Plain(0.1), Normalised(0.1), Momentum(0.1, 0.8)], ids=repr)
@pytest.mark.parametrize(
    "noise", [None, Gaussian(0.1), Gaussian(0.1, "server")], ids=["none", "client", "server"]
)
@pytest.mark.parametrize("participation", [Bernoulli(0.6), FixedSize(2)], ids=repr)
@pytest.mark.parametrize("work", [OneGradient(), LocalDescent(2, 0.1)], ids=["one", "local"])
def test_a_batch_is_its_runs_one_by_one(operator, feedback, server, noise, participation, work):
    """Any point of the algebra: a run in a batch goes exactly as it goes alone, with the seed it has
    there."""
    method = Method(operator, server, feedback, noise, participation, work)
    x0 = np.random.default_rng(1).normal(size=(2, D))
    together = initialise(method, x0, CLIENTS)
    alone = [initialise(method, x0[r], CLIENTS) for r in range(2)]
    for _ in range(3):
        together, _ = advance(method, together, Quadratics(), Keyed(np.array([3, 4])))
        alone = [advance(method, s, Quadratics(), Keyed(3 + r))[0] for r, s in enumerate(alone)]
    assert np.array_equal(together.x, np.array([s.x for s in alone]))
