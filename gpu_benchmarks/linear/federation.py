"""Rounds of FedAvg, DP-FedAvg with clipping and DP-NormFedAvg for a linear model, batched over runs
(lanes).

All lanes of a batch share the seed: the clients' data, who takes part in a round, and the noise vector ζ
of a round (scaled by each lane's σ), as the paper's Appendix F does "for a fair comparison". Lanes
differ in method, C, η₀ and noise level. A round costs two products with the data of the clients present
and E steps in the span of their samples (`gpu_benchmarks.linear.local`).

Operators, noise, participation and the server's step are those of `methods`, which are given what is known here: lengths of updates
in place of the updates, and lanes as runs, (lanes, d) with d = p · classes, a view of (p, classes, lanes).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_benchmarks.data.partition import START, keyed
from gpu_benchmarks.linear import readings as printed
from gpu_benchmarks.linear.local import Updates, span_updates
from gpu_benchmarks.linear.problem import Clients, Pixels
from gpu_benchmarks.linear.readings import Readings
from methods import operators
from methods.noise import Gaussian
from methods.operators import Clip, FixedNorm, Identity
from methods.participation import FixedSize, Poisson
from methods.randomness import Keyed
from methods.server import Momentum

METHODS = ("clip", "norm", "fedavg")
BLOCK = 60  # clients whose logits are held at a time: bounds memory, no effect on the result's meaning


@dataclass(frozen=True)
class Lane:
    """One run's settings: method, C > 0 (ignored by FedAvg), η₀ > 0, and noise level s = σ / C ≥ 0 (0: no
    privacy; FedAvg has no other). Raises `ValueError` outside.
    """

    method: str
    c: float
    eta0: float
    noise: float

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"method {self.method!r}: choose one of {', '.join(METHODS)}")
        c = 1.0 if self.method == "fedavg" else self.c
        if not (0 < self.eta0 < math.inf and 0 <= self.noise < math.inf and 0 < c < math.inf):
            raise ValueError(f"{self}: finite C > 0, η₀ > 0 and noise ≥ 0 are needed")
        if self.method == "fedavg" and self.noise:
            raise ValueError(f"{self}: FedAvg sends unbounded updates, so no noise level makes it private")


@dataclass(frozen=True)
class State:
    """weights, momentum: (p, classes, lanes). round: rounds done."""

    weights: NDArray[np.floating]
    momentum: NDArray[np.floating]
    round: int


@dataclass(frozen=True)
class Protocol:
    """What all lanes of a batch share."""

    readings: Readings
    seed: int
    clients: int = printed.CLIENTS
    participation: float = printed.PARTICIPATION
    steps: int = printed.LOCAL_STEPS
    decay: float = printed.WEIGHT_DECAY

    @property
    def expected(self) -> float:
        """r."""
        return self.clients * self.participation


def initial(protocol: Protocol, inputs: int, classes: int, lanes: int, dtype: type = np.float32) -> State:
    """w₀ by the reading `start`, the same in all lanes; momentum 0."""
    weights = np.zeros((inputs, classes, lanes), dtype)
    if protocol.readings.start == "uniform":
        reach = 1 / math.sqrt(inputs - (protocol.readings.bias == "yes"))
        draw = keyed(protocol.seed, START).uniform(-reach, reach, (inputs, classes))
        weights += draw.astype(dtype)[:, :, None]
    return State(weights, np.zeros_like(weights), 0)


def present(protocol: Protocol, round_: int) -> NDArray[np.int64]:
    """S_k, sorted; keyed by (seed, round)."""
    rule = Poisson(protocol.expected) if protocol.readings.participation == "poisson" else None
    rule = rule or FixedSize(round(protocol.expected))
    uniforms = Keyed(protocol.seed).uniforms(round_, (), protocol.clients, np.empty(0))
    return np.flatnonzero(rule.mask(uniforms))


def factors(lanes: list[Lane], norms: NDArray[np.floating]) -> NDArray[np.floating]:
    """What multiplies u_i: min(1, C/‖u‖), C/‖u‖ or 1, and 0 at u = 0. norms: (clients, lanes) -> same shape."""
    found = np.empty_like(norms)
    for name in METHODS:
        mine = [number for number, lane in enumerate(lanes) if lane.method == name]
        if not mine:
            continue
        c = np.array([lanes[number].c for number in mine], norms.dtype)
        operator = Clip(c) if name == "clip" else FixedNorm(c) if name == "norm" else Identity()
        found[:, mine] = operators.factors(operator, norms[:, mine].T).T
    return found


def sum_of_messages(
    state: State,
    clients: Clients,
    taking_part: NDArray[np.int64],
    lanes: list[Lane],
    eta: NDArray,
    protocol: Protocol,
) -> NDArray[np.floating]:
    """Σ_{i ∈ S_k} g_i of shape (p, classes, lanes), g_i the clipped, normalised or plain update."""
    p, classes, batch = state.weights.shape
    dtype = state.weights.dtype
    flat = state.weights.reshape(p, classes * batch)
    squared_norm = np.einsum("pcl,pcl->l", state.weights, state.weights, dtype=np.float64)
    total = np.zeros((p, classes * batch), dtype)
    shrunk = np.zeros(batch)
    for start in range(0, len(taking_part), BLOCK):
        block = taking_part[start : start + BLOCK]
        x = clients.x[block].reshape(-1, p)
        logits = (x @ flat).reshape(len(block), -1, classes, batch)
        u: Updates = span_updates(
            logits,
            clients.grams[block],
            clients.labels[block],
            squared_norm,
            eta,
            protocol.decay,
            protocol.steps,
        )
        scale = factors(lanes, u.norms)
        u.dual[:] *= scale[:, None, None, :]
        total -= x.T @ u.dual.reshape(-1, classes * batch)
        shrunk += u.shrink * scale.sum(axis=0, dtype=np.float64)
    return total.reshape(p, classes, batch) + shrunk.astype(dtype) * state.weights


def advance(state: State, clients: Clients, lanes: list[Lane], protocol: Protocol) -> State:
    """One communication round (Algorithm 1 lines 3 to 14, Algorithm 2 lines 3 to 11)."""
    readings, dtype = protocol.readings, state.weights.dtype
    eta = np.array([lane.eta0 for lane in lanes]) * printed.STEP_DECAY**state.round
    taking_part = present(protocol, state.round)
    if not len(taking_part):  # nobody came: nothing is sent, no noise is added
        mean = _runs(np.zeros_like(state.weights))
    else:
        divisor = protocol.expected if readings.divide_by == "r" else len(taking_part)
        mean = _runs(sum_of_messages(state, clients, taking_part, lanes, eta.astype(dtype), protocol))
        mean /= dtype.type(divisor)
        # Σ ζ_i over S_k with ζ_i ~ N(0, rσ²) is N(0, |S_k| rσ²): one draw with the sum's variance.
        variance = len(taking_part) if readings.noise == "per-client" else protocol.expected
        sigma = np.array([lane.noise * lane.c for lane in lanes])
        std = sigma * math.sqrt(variance * protocol.expected) / divisor
        # More than the largest number is no std; a run with that much diverges, and is none to refuse.
        noise = Gaussian(np.minimum(std, np.finfo(dtype).max).astype(dtype), "server")
        if np.any(noise.std):
            zeta = Keyed(protocol.seed).server_normals(state.round, mean.shape[:1], mean.shape[1], mean)
            mean += noise.scaled(zeta)
    plain = np.array([lane.method == "fedavg" and readings.fedavg_server == "algorithm-2" for lane in lanes])
    if readings.momentum == "averaged":
        mean *= np.where(plain, 1.0, 1 - printed.SERVER_MOMENTUM).astype(dtype)[:, None]
    server = Momentum(  # with μ = 0 it is Plain
        np.where(plain, eta, printed.SERVER_RATIO * eta).astype(dtype),
        np.where(plain | (readings.momentum == "none"), 0.0, printed.SERVER_MOMENTUM).astype(dtype),
    )
    weights, momentum = server(_runs(state.weights), mean, _runs(state.momentum))
    shape = state.weights.shape
    return State(weights.T.reshape(shape), momentum.T.reshape(shape), state.round + 1)


def _runs(array: NDArray[np.floating]) -> NDArray[np.floating]:
    """(p, classes, lanes) as (lanes, p · classes), a view."""
    return array.reshape(-1, array.shape[-1]).T


def accuracy(weights: NDArray[np.floating], test: Pixels, rows: int = 1_000) -> NDArray[np.float64]:
    """Share of test images whose largest logit is at their label; (lanes,). A lane that is not finite
    gives NaN.
    """
    p, classes, lanes = weights.shape
    right = np.zeros(lanes)
    flat = weights.reshape(p, classes * lanes)
    for start in range(0, len(test.x), rows):
        logits = (test.x[start : start + rows] @ flat).reshape(-1, classes, lanes)
        right += np.sum(logits.argmax(axis=1) == test.labels[start : start + rows, None], axis=0)
    finite = np.isfinite(weights).all(axis=(0, 1))
    return np.where(finite, right / len(test.x), np.nan)


def rounds(
    state: State, clients: Clients, lanes: list[Lane], protocol: Protocol, until: int
) -> Iterator[State]:
    """States after each round up to `until`."""
    while state.round < until:
        state = advance(state, clients, lanes, protocol)
        yield state
