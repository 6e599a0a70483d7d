"""Attacking the mechanisms that `methods` implements: lower bounds of their privacy loss from their own
transcripts.

The worst pair of data sets: client 0's gradient is +M e on one and −M e on the other (or nothing), with M
far above every other scale, and all other gradients are zero. Both worlds are run many times in one batch.
The adversary knows the method and what client 0 would send in each world; he scores a transcript by its
exact likelihood ratio and guesses by a threshold.

What the guesses prove. With probability at least `confidence` (Clopper–Pearson, corrected for all
thresholds tried; thresholds come from one half of the runs, the counts from the other) his true and false
positive rates are at least and at most (t, f). Then the mechanism is not (ε, δ)-DP for ε < ln((t − δ)/f),
and not μ-GDP for μ < Φ⁻¹(t) − Φ⁻¹(f). The second is the sharper test of an accountant that claims μ-GDP:
whatever the mechanism is, a sound claim is not below it.

The view includes the models where `reads_models` is set: what the server's memory holds beyond the messages
it was sent is then read off, so that an initial memory made from data shows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, ndtri

from methods.algebra import Method, Round, State, advance, initialise
from methods.noise import Gaussian
from methods.randomness import Keyed

THRESHOLDS = 32
TARGET = 0
"""The client under attack."""


@dataclass(frozen=True)
class Attack:
    """Who is attacked, how often, and how surely.

    rounds: K. runs: transcripts per world. magnitude: M. clients, dimension: sizes of the toy problem.
    against: the other world's gradient, −M e ("opposite", replace-one) or 0 ("absent", add-remove: with
    zero memory its message is zero). data_in_memory: start from g_0⁰ = client 0's gradient, as R = 0 asks
    for. reads_models: see above.
    """

    rounds: int
    runs: int = 20_000
    magnitude: float = 1e8
    clients: int = 2
    dimension: int = 1
    against: str = "opposite"
    data_in_memory: bool = False
    reads_models: bool = False
    seed: int = 0
    confidence: float = 1 - 1e-6

    def __post_init__(self) -> None:
        if self.rounds < 1 or self.runs < 100 or self.clients < 1 or self.dimension < 1:
            raise ValueError(
                f"an attack needs rounds, clients and dimension >= 1 and runs >= 100, got {self.rounds}, "
                f"{self.clients}, {self.dimension} and {self.runs}"
            )
        if self.against not in ("opposite", "absent"):
            raise ValueError(f"against = {self.against!r} must be 'opposite' or 'absent'")
        if not 0 < self.confidence < 1:
            raise ValueError(f"confidence = {self.confidence} is outside (0, 1)")


@dataclass(frozen=True)
class Audited:
    """What the attack proves: the mechanism is not μ-GDP for any smaller `mu`, nor (ε, δ)-DP for any smaller
    `epsilon` (at the `delta` it was asked for); infinity where the worlds were told apart without error."""

    mu: float
    epsilon: float
    delta: float
    runs: int


def audit(method: Method, attack: Attack, delta: float = 1e-5) -> Audited:
    """Attack a method with per-client Gaussian noise. Raises `ValueError` for one without such noise."""
    if not isinstance(method.noise, Gaussian) or method.noise.place != "client":
        raise ValueError("the audit reads clients' messages: it needs a method whose noise is the clients'")
    return guess(*scores(method, attack), delta, attack.confidence)


def scores(method: Method, attack: Attack) -> tuple[np.ndarray, np.ndarray]:
    """Log-likelihood ratios of every transcript, (runs,) for world + and world −."""
    shape = (2, attack.runs)
    canary = np.zeros((2, 1, attack.clients, attack.dimension))
    canary[0, :, TARGET, 0] = attack.magnitude
    canary[1, :, TARGET, 0] = -attack.magnitude if attack.against == "opposite" else 0.0
    state = initialise(
        method,
        np.zeros((*shape, attack.dimension)),
        attack.clients,
        memories=canary if attack.data_in_memory else None,
    )
    randomness = Keyed(attack.seed * 2 * attack.runs + np.arange(2 * attack.runs).reshape(shape))
    total = np.zeros(shape)
    for _ in range(attack.rounds):
        before = state
        state, round_ = advance(
            method, state, lambda points: np.broadcast_to(canary, points.shape), randomness
        )
        total += _evidence(method, round_)
        if attack.reads_models and before.round == 0:
            total += _unexplained(method, before, state, round_) * attack.magnitude
    return total[0], total[1]


def _evidence(method: Method, round_: Round) -> np.ndarray:
    """ln of the ratio of the densities of what client 0 sent in this round, (2, runs)."""
    assert isinstance(method.noise, Gaussian)
    plus, minus = round_.shaped[0, 0, TARGET], round_.shaped[1, 0, TARGET]
    received = round_.sent[..., TARGET, :] / method.participation.weight
    ratio = ((received - (plus + minus) / 2) @ (plus - minus)) / float(method.noise.std) ** 2
    return np.where(round_.took_part[..., TARGET], ratio, 0.0)


def _unexplained(method: Method, before: State, after: State, round_: Round) -> np.ndarray:
    """The part of the server's first direction that the messages do not explain, along e."""
    if before.server_memory is None or method.feedback is None:
        return np.zeros(after.x.shape[:-1])
    beta = float(method.feedback.beta)
    aggregate = round_.sent.sum(axis=-2) / method.participation.divisor(before.clients)
    return (round_.direction - beta * aggregate)[..., 0]


def guess(plus: np.ndarray, minus: np.ndarray, delta: float, confidence: float) -> Audited:
    """Bounds from scores of the two worlds: higher means world +."""
    half = len(plus) // 2
    thresholds = np.unique(
        np.quantile(np.concatenate([plus[:half], minus[:half]]), np.linspace(0, 1, THRESHOLDS + 2)[1:-1])
    )
    level = (1 - confidence) / (2 * len(thresholds))
    n = len(plus) - half
    hits = (plus[half:, None] > thresholds).sum(axis=0)
    alarms = (minus[half:, None] > thresholds).sum(axis=0)
    true_rate = np.where(hits > 0, betaincinv(hits, n - hits + 1, level), 0.0)
    false_rate = np.where(alarms < n, betaincinv(alarms + 1, n - alarms, 1 - level), 1.0)
    with np.errstate(divide="ignore"):
        mu = ndtri(true_rate) - ndtri(false_rate)
        epsilon = np.log(np.maximum(true_rate - delta, 0.0)) - np.log(false_rate)
    return Audited(max(0.0, float(mu.max())), max(0.0, float(epsilon.max())), delta, len(plus))
