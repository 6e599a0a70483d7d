"""The batched linear engine takes the same rounds as `methods`: same operators, participants, noise, server.

Everything in float64 on a small problem; the two sides order their sums differently, so they agree to rounding: with
fewer than 10⁴ operations a round on numbers of order C·β ≤ 10, 10⁴ · 2⁻⁵³ · 10 ≈ 1e-11 absolute.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from gpu_benchmarks.linear import readings as printed
from gpu_benchmarks.linear.federation import Lane, Protocol, advance, factors, initial, present
from gpu_benchmarks.linear.problem import Clients
from gpu_benchmarks.linear.readings import Readings
from methods import Method, initialise
from methods import advance as method_advance
from methods.local_work import LocalSum
from methods.noise import Gaussian
from methods.operators import Clip, FixedNorm, Identity
from methods.participation import FixedSize, Poisson
from methods.randomness import Keyed
from methods.server import Momentum, Plain

N, M, P, CLASSES, STEPS = 15, 4, 6, 3, 5
TOLERANCE = 1e-11


@pytest.fixture
def clients() -> Clients:
    rng = np.random.default_rng(0)
    x = rng.random((N, M, P))
    return Clients(x, rng.integers(0, CLASSES, (N, M)), np.matmul(x, x.transpose(0, 2, 1)))


def oracle(clients: Clients, decay: float):
    """∇f_i at the i-th point, written out; points (..., clients, p·classes)."""
    target = np.eye(CLASSES)[clients.labels]

    def gradients(points):
        w = points.reshape(*points.shape[:-1], P, CLASSES)
        z = clients.x @ w
        z = np.exp(z - z.max(axis=-1, keepdims=True))
        p = z / z.sum(axis=-1, keepdims=True)
        return (clients.x.transpose(0, 2, 1) @ (p - target) / M + decay * w).reshape(points.shape)

    return gradients


def reference(lane: Lane, readings: Readings, protocol: Protocol, round_: int) -> Method:
    eta = lane.eta0 * printed.STEP_DECAY**round_
    operator = {"clip": Clip(lane.c), "norm": FixedNorm(lane.c), "fedavg": Identity()}[lane.method]
    r = protocol.expected
    part = Poisson(r) if readings.participation == "poisson" else FixedSize(round(r))
    noise = None
    if lane.noise:
        count = len(present(protocol, round_)) if readings.noise == "per-client" else r
        noise = Gaussian(lane.noise * lane.c * math.sqrt(count * r) / r, place="server")
    plain = lane.method == "fedavg" and readings.fedavg_server == "algorithm-2"
    server = Plain(eta) if plain else Momentum(printed.SERVER_RATIO * eta, printed.SERVER_MOMENTUM)
    if not plain and readings.momentum == "none":
        server = Plain(printed.SERVER_RATIO * eta)
    if not plain and readings.momentum == "averaged":  # v = 0.2 m where m ← 0.8 m + a
        server = Momentum(0.2 * printed.SERVER_RATIO * eta, printed.SERVER_MOMENTUM)
    return Method(operator, server, None, noise, part, LocalSum(protocol.steps, eta))


LANES = [
    Lane("clip", 2.0, 0.3, 0.01),
    Lane("clip", 0.5, 0.8, 0.0),
    Lane("norm", 2.0, 0.1, 0.02),
    Lane("norm", 0.7, 0.4, 0.3),
    Lane("fedavg", 1.0, 0.5, 0.0),
]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"participation": "fixed"},
        {"momentum": "none"},
        {"momentum": "averaged"},
        {"fedavg_server": "as-private"},
        {"noise": "aggregate"},
        {"start": "uniform"},
    ],
    ids=lambda options: "-".join(f"{k}={v}" for k, v in options.items()) or "as-printed",
)
def test_rounds_are_those_of_methods(clients, options):
    readings = Readings(**options)
    protocol = Protocol(readings, seed=7, clients=N, participation=0.4, steps=STEPS, decay=0.01)
    state = initial(protocol, P, CLASSES, len(LANES), np.float64)
    others = [
        initialise(reference(lane, readings, protocol, 0), state.weights[:, :, i].ravel(), N)
        for i, lane in enumerate(LANES)
    ]
    for round_ in range(6):
        state = advance(state, clients, LANES, protocol)
        for i, lane in enumerate(LANES):
            method = reference(lane, readings, protocol, round_)
            others[i], _ = method_advance(
                method, others[i], oracle(clients, protocol.decay), Keyed(protocol.seed)
            )
            difference = np.abs(state.weights[:, :, i].ravel() - others[i].x).max()
            assert difference < TOLERANCE, f"round {round_}, {lane}: differs by {difference:.3g}"
    assert np.abs(state.weights).max() > 0.1, "nothing moved: the comparison would say nothing"


def test_factors_are_those_of_the_operators():
    u = np.random.default_rng(1).standard_normal((50, 8)) * np.logspace(-3, 3, 50)[:, None]
    u[0] = 0
    lanes = [Lane("clip", 2.0, 1.0, 0.0), Lane("norm", 2.0, 1.0, 0.0), Lane("fedavg", 1.0, 1.0, 0.0)]
    scale = factors(lanes, np.repeat(np.linalg.norm(u, axis=1)[:, None], 3, axis=1))
    assert scale[0].tolist() == [0, 0, 0]
    for i, operator in enumerate((Clip(2.0), FixedNorm(2.0), Identity())):
        np.testing.assert_allclose(u * scale[:, i : i + 1], operator(u), rtol=4e-16 * 4)


@pytest.mark.parametrize(
    ("part", "name", "method"),
    [(Clip, "scaled", "clip"), (FixedNorm, "scaled", "norm"), (Gaussian, "scaled", "clip"), (Momentum, "__call__", "fedavg")],
    ids=["clip", "norm", "noise", "server"],
)  # fmt: skip
def test_what_is_trained_goes_through_the_parts_of_methods(clients, monkeypatch, part, name, method):
    """A copy of a part would train on when the part is changed."""
    lanes = [Lane(method, 0.5, 0.3, 0.0 if method == "fedavg" else 0.1)]
    protocol = Protocol(Readings(), seed=7, clients=N, participation=0.4, steps=STEPS, decay=0.01)
    start, own, seen = initial(protocol, P, CLASSES, 1, np.float64), getattr(part, name), []

    def other(self, *given):
        seen.append(own(self, *given))
        return tuple(3 * a for a in seen[-1]) if isinstance(seen[-1], tuple) else 3 * seen[-1]

    before = advance(start, clients, lanes, protocol).weights
    monkeypatch.setattr(part, name, other)
    after = advance(start, clients, lanes, protocol).weights
    assert seen
    assert np.abs(after - before).max() > 1e-3


def test_one_draw_has_the_law_of_the_clients_noises(clients):
    """Noise by each client (as printed) and our single draw: the same variance, chi-square interval at 1e-6."""
    lane, protocol = Lane("norm", 1.5, 0.1, 0.2), Protocol(Readings(), 0, N, 0.4, 1, 0.01)
    r, sigma, draws = protocol.expected, lane.noise * lane.c, []
    for seed in range(200):
        method = Method(
            FixedNorm(lane.c),
            Plain(1.0),
            None,
            Gaussian(math.sqrt(r) * sigma),
            Poisson(r),
            LocalSum(1, 0.1),
        )
        quiet = Method(FixedNorm(lane.c), Plain(1.0), None, None, Poisson(r), LocalSum(1, 0.1))
        start = initialise(method, np.zeros(P * CLASSES), N)
        noisy, happened = method_advance(method, start, oracle(clients, 0.01), Keyed(seed))
        still, _ = method_advance(quiet, start, oracle(clients, 0.01), Keyed(seed))
        count = int(happened.took_part.sum())
        if count:
            draws.append((noisy.x - still.x) / (sigma * math.sqrt(count * r) / r))
    z = np.concatenate(draws)
    low, high = stats.chi2.ppf([5e-7, 1 - 5e-7], len(z))
    assert low < np.sum(z**2) < high


def test_dividing_by_those_present_rescales_the_message(clients):
    """With momentum off and one round, reading `divide_by` changes the step by r / |S| exactly."""
    lanes = [Lane("norm", 1.0, 0.2, 0.1)]
    moved = {}
    for reading in ("r", "present"):
        protocol = Protocol(Readings(divide_by=reading), 3, N, 0.4, STEPS, 0.01)
        moved[reading] = advance(
            initial(protocol, P, CLASSES, 1, np.float64), clients, lanes, protocol
        ).weights
    count = len(present(protocol, 0))
    assert count != protocol.expected
    np.testing.assert_allclose(moved["present"] * count, moved["r"] * protocol.expected, rtol=1e-12)


def test_more_noise_than_the_largest_number_diverges_and_is_not_refused(clients):
    """The command takes s up to 1e100; the runs beside it are what they are without it."""
    calm, loud = Lane("norm", 2.0, 0.3, 0.01), Lane("clip", 2.0, 0.3, 1e60)
    protocol = Protocol(Readings(), seed=7, clients=N, participation=0.4, steps=STEPS, decay=0.01)
    short = Clients(clients.x.astype(np.float32), clients.labels, clients.grams.astype(np.float32))
    with np.errstate(over="ignore", invalid="ignore"):
        both = advance(initial(protocol, P, CLASSES, 2), short, [loud, calm], protocol).weights
    alone = advance(initial(protocol, P, CLASSES, 1), short, [calm], protocol).weights
    assert not np.isfinite(both[..., 0]).all()
    # one product with the data serves all lanes, whose number may change the order of its sums of P = 6 terms
    assert both[..., 1] == pytest.approx(alone[..., 0], rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    "lane",
    [("median", 1.0, 0.1, 0.0), ("clip", 0.0, 0.1, 0.0), ("norm", 1.0, 0.0, 0.0), ("fedavg", 1.0, 0.1, 0.1)],
)
def test_impossible_runs_are_refused(lane):
    with pytest.raises(ValueError, match=r"method|needed|private"):
        Lane(*lane)
