"""What the span saves: one round's local work, timed against the direct way in the same run.

`pytest --benchmark-only` prints both; the test below asserts the ratio beside the count of operations.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

from direct_update import direct_update
from gpu_benchmarks.linear import readings as printed
from gpu_benchmarks.linear.federation import Lane, Protocol, factors, initial, sum_of_messages
from gpu_benchmarks.linear.problem import Clients
from gpu_benchmarks.linear.readings import CLIP_GRID, Readings

CLIENTS, M, P, CLASSES, STEPS = 60, 20, 785, 10, 20
FEW = 4  # clients that the direct way is timed on, so that the test stays short
LANES = [
    Lane(method, c, eta0, 0.01)
    for method in ("clip", "norm")
    for c in CLIP_GRID
    for eta0 in np.linspace(1e-3, 8e-3, 12)
]


def made(dtype: type):
    rng = np.random.default_rng(0)
    x = rng.random((CLIENTS, M, P)).astype(dtype)
    clients = Clients(x, rng.integers(0, CLASSES, (CLIENTS, M)), np.matmul(x, x.transpose(0, 2, 1)))
    protocol = Protocol(Readings(), 0, CLIENTS, 1.0)
    eta = np.array([lane.eta0 for lane in LANES], dtype)
    state = initial(protocol, P, CLASSES, len(LANES), dtype)
    state.weights[:] = 0.05 * rng.standard_normal((P, CLASSES, 1))
    return clients, protocol, eta, state


@pytest.fixture(scope="module")
def case():
    return made(np.float32)


def by_span(case, count: int = CLIENTS) -> np.ndarray:
    clients, protocol, eta, state = case
    return sum_of_messages(state, clients, np.arange(count), LANES, eta, protocol)


def directly(case, count: int) -> np.ndarray:
    """Σ g_i over the first clients with every client's W carried along; batched over the lanes like the span."""
    clients, protocol, eta, state = case
    total = np.zeros_like(state.weights)
    for i in range(count):
        u = direct_update(
            state.weights, clients.x[i], clients.labels[i], eta, np.float32(protocol.decay), STEPS
        )
        total += factors(LANES, np.sqrt((u**2).sum(axis=(0, 1)))[None])[0] * u
    return total


@pytest.mark.benchmark(group="local work, 144 runs: span 60 clients, direct 4")
def test_span(benchmark, case):
    benchmark(by_span, case)


@pytest.mark.benchmark(group="local work, 144 runs: span 60 clients, direct 4")
def test_direct(benchmark, case):
    benchmark.pedantic(directly, (case, FEW), rounds=3)


def test_the_span_is_the_direct_way():
    """In float64, with η ≤ 1/L: equal to 1e-9 of the sum, twice the share that
    `test_linear_local.py::test_the_bound_is_not_vacuous` derives for one client (both sides add |S| terms)."""
    case = made(np.float64)
    clients, _, eta, _ = case
    smoothness = max(np.linalg.norm(x, 2) ** 2 / (2 * M) for x in clients.x) + printed.WEIGHT_DECAY
    assert eta.max() <= 1 / smoothness
    span, direct = by_span(case, FEW), directly(case, FEW)
    for lane in range(len(LANES)):
        difference = np.linalg.norm(span[:, :, lane] - direct[:, :, lane])
        size = FEW * (LANES[lane].c if LANES[lane].method == "norm" else np.linalg.norm(direct[:, :, lane]))
        assert difference <= 2e-9 * size


@pytest.mark.slow  # it compares times, which other work on the machine disturbs
def test_the_span_is_many_times_cheaper(case):
    """In products of the steps alone the span is 78 times cheaper, with the two passes over the data 16 times:
    direct 2·E·m·p·classes a run and client, span E·m²·classes + 2·m·p·classes. The time also holds the softmax,
    which both do, and the (p × classes) arrays of each run that the direct way streams in each step: half of the 16 is asserted,
    of the least of three times each, because other work on the machine disturbs both. The benchmark prints the ratio."""
    counted = 2 * STEPS * M * P * CLASSES / (STEPS * M * M * CLASSES + 2 * M * P * CLASSES)
    assert 15 < counted < 16
    spans, directs = zip(
        *((seconds(by_span, case), seconds(directly, case, FEW)) for _ in range(3)), strict=True
    )
    ratio = (min(directs) / FEW) / (min(spans) / CLIENTS)
    assert ratio > counted / 2, f"the span was only {ratio:.1f} times cheaper, {counted:.0f} by the count"


def seconds(work, *arguments) -> float:
    """Of all processors together."""
    started = time.process_time()
    work(*arguments)
    return time.process_time() - started
