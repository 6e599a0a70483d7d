"""EF21 with a contractive compressor: PEPit's worst case, the search over traces, and the published rate.

‖C(v) − v‖² ≤ (1 − δ)‖v‖² is a quadratic constraint on Gram variables, so PEPit's semidefinite program is the
worst case over all L-smooth functions, all compressors and all dimensions: an upper end. A trace in two
dimensions with a compressor of its own is an instance: a lower end. α-NormEC itself cannot be asked of PEPit:
Norm_α(v) = v/(α + ‖v‖) and the server's v/‖v‖ divide by a norm, which no linear or quadratic constraint on Gram
variables expresses; there the traces of the falsifier stand alone.

EF21 (Richtárik, Sokolov and Fatkhullin 2021, Theorem 1), in the order x⁺ = x − γg, g⁺ = g + C(∇f(x⁺) − g): for
γ ≤ 1/(L(1 + √(1 − δ)/θ)), θ = 1 − √(1 − δ),

    (1/T) Σ_t ‖∇f(xᵗ)‖² ≤ 2(f(x⁰) − f^inf)/(γT) + ‖∇f(x⁰) − g⁰‖²/(θT).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from methods import advance, initialise
from methods.algebra import Method
from methods.feedback import EF21
from methods.published import ef21
from toy_problems.falsifier.evolution import evolve
from toy_problems.falsifier.traces.interpolation import gap, highest_values, least_differences

pytestmark = pytest.mark.peer

SOLVER = 1e-4
"""Relative accuracy that is asked of the solver: a hundred times its own tolerance of about 1e-6."""

ERROR = 0.25
"""‖∇f(x⁰) − g⁰‖² allowed at the start, with f(x⁰) − f^inf ≤ 1 and L = 1."""


def longest_step(delta: float) -> float:
    """Of the theorem, with L = L_i = 1."""
    return 1 / (1 + np.sqrt(1 - delta) / (1 - np.sqrt(1 - delta)))


def rate(rounds: int, delta: float, gamma: float) -> float:
    """The theorem's bound over `rounds` iterates."""
    return 2 / (gamma * rounds) + ERROR / ((1 - np.sqrt(1 - delta)) * rounds)


def worst_case(rounds: int, delta: float, gamma: float, clients: int = 1) -> float:
    """max of min over t < rounds of ‖∇f(xᵗ)‖², by PEPit."""
    pepit = pytest.importorskip("PEPit", reason="the [peer] extra is not installed")
    from PEPit.functions import SmoothFunction

    problem = pepit.PEP()
    functions = [problem.declare_function(SmoothFunction, L=1.0) for _ in range(clients)]
    mean: Any = sum(functions[1:], functions[0]) / clients
    x, lowest = problem.set_initial_point(), pepit.Expression()
    problem.set_initial_condition(mean(x) - lowest <= 1)
    local = [f.gradient(x) for f in functions]
    memories = [pepit.Point() for _ in functions]
    errors = [(g - m) ** 2 for g, m in zip(local, memories, strict=True)]
    problem.set_initial_condition(sum(errors[1:], errors[0]) / clients <= ERROR)
    for t in range(rounds):
        gradient = sum(local[1:], local[0]) / clients
        problem.add_constraint(mean(x) - gradient**2 / 2 >= lowest)  # f is bounded below by f^inf
        problem.set_performance_metric(gradient**2)
        if t == rounds - 1:
            break
        x = x - gamma * (sum(memories[1:], memories[0]) / clients)
        local = [f.gradient(x) for f in functions]
        for i, (g, m) in enumerate(zip(local, memories, strict=True)):
            sent = pepit.Point()
            problem.add_constraint((sent - (g - m)) ** 2 <= (1 - delta) * (g - m) ** 2)
            memories[i] = m + sent
    return float(problem.solve(verbose=0))


@dataclass(frozen=True, eq=False)
class Prescribed:
    """A compressor of a candidate's own: C(v) = v + √(1 − δ)‖v‖ e with ‖e‖ ≤ 1."""

    delta: float
    error: np.ndarray

    @property
    def sensitivity(self) -> float:
        return float("inf")

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return x + np.sqrt(1 - self.delta) * np.linalg.norm(x, axis=-1, keepdims=True) * self.error


@dataclass(frozen=True)
class Sizes:
    """rounds iterates in two dimensions."""

    rounds: int

    @property
    def genes(self) -> int:
        """Of ∇f(x⁰), ∇f(x⁰) − g⁰, and a turn and a compression error for each further iterate."""
        return 2 * (1 + 1 + 2 * (self.rounds - 1))


def draw(sizes: Sizes, random: np.random.Generator, count: int) -> np.ndarray:
    return random.normal(size=(count, sizes.genes))


def into_ball(v: np.ndarray) -> np.ndarray:
    return v / np.maximum(1, np.linalg.norm(v, axis=-1, keepdims=True))


def measured(genomes: np.ndarray, sizes: Sizes, delta: float, gamma: float) -> np.ndarray:
    """min_t ‖∇f(xᵗ)‖², scaled so that the start is as large as allowed; −inf where no function has the
    gradients. The memory before the first round is g⁰, and the first message is C(0) = 0: methods' order is
    g⁺ = g + C(∇f(x) − g), x⁺ = x − γg⁺, one message ahead of the theorem's."""
    runs = len(genomes)
    vectors = genomes.reshape(runs, -1, 2)
    first, residual = vectors[:, 0], vectors[:, 1]
    turns, errors = np.split(into_ball(1.5 * vectors[:, 2:]), 2, axis=1)
    plain = ef21(gamma, 1)
    state = initialise(plain, np.zeros((runs, 2)), 1, (first - residual)[:, None])
    gradient, points, gradients = first, [state.x], [first]
    for t in range(sizes.rounds - 1):
        method = Method(Prescribed(delta, errors[:, None, t - 1]), plain.server, EF21(1.0))
        shown = state.memories if t == 0 else gradient[:, None]  # C(0) = 0 in the first round
        state, _ = advance(method, state, lambda _, shown=shown: shown)
        moved = np.linalg.norm(state.x - points[-1], axis=-1, keepdims=True)
        gradient = gradient + turns[:, t] * moved
        points.append(state.x)
        gradients.append(gradient)
    x, g, L = np.stack(points, axis=1), np.stack(gradients, axis=1), np.ones(runs)
    values, feasible = highest_values(least_differences(x, g, L))
    depth, start = gap(values, g, L), (residual**2).sum(axis=-1)
    scale = np.minimum(1 / depth, ERROR / np.maximum(start, 1e-300))
    return np.where(feasible, (g**2).sum(axis=-1).min(axis=1) * scale, -np.inf)


def searched(rounds: int, delta: float, gamma: float) -> float:
    sizes, best = Sizes(rounds), -np.inf
    for again in range(3):
        random = np.random.default_rng((again, rounds))
        for _, found, _ in evolve(
            lambda genomes: measured(genomes, sizes, delta, gamma), sizes, random, 512, 120, draw
        ):
            best = max(best, found)
    return best


CASES = [(2, 0.5), (3, 0.5), (3, 0.9), (4, 0.7)]


@pytest.mark.parametrize(("rounds", "delta"), CASES)
def test_traces_come_close_to_pepits_worst_case_which_is_below_the_published_rate(rounds, delta):
    gamma = longest_step(delta)
    upper, lower = worst_case(rounds, delta, gamma), searched(rounds, delta, gamma)
    assert lower <= upper * (1 + SOLVER), "an instance above the worst case: one of the two is wrong"
    assert lower >= 0.95 * upper, f"the search reached {lower} of {upper}"
    assert upper <= rate(rounds, delta, gamma) * (1 + SOLVER), "the published rate is below the worst case"


def test_clients_that_differ_are_no_better_than_one():
    delta = 0.5
    gamma = longest_step(delta)
    one, two = worst_case(3, delta, gamma), worst_case(3, delta, gamma, clients=2)
    assert one <= two * (1 + SOLVER), "two equal clients are one"
    assert two <= rate(3, delta, gamma) * (1 + SOLVER)
