"""The falsifier's function class and search against PEPit, an independent tool: the worst case of gradient
descent on L-smooth functions.

PEPit solves a semidefinite program over all L-smooth functions in all dimensions, an upper end; the search
runs functions of one variable, a lower end. They meet, so neither the class nor the search is weak there.
"""

from __future__ import annotations

import numpy as np
import pytest

from methods import advance, initialise, published
from toy_problems.falsifier.evolution import evolve
from toy_problems.falsifier.genome import Layout, decode, sample
from toy_problems.falsifier.grid.functions import GridFunctions

pytestmark = pytest.mark.peer

SOLVER = 1e-4
"""Relative accuracy that is asked of the solver: a hundred times its own tolerance of about 1e-6."""


def worst_case(steps: int, gamma: float) -> float:
    """max of min over k of f'(xᵏ)² for f(x⁰) − f^inf ≤ 1 and L = 1, by PEPit."""
    pepit = pytest.importorskip("PEPit", reason="the [peer] extra is not installed")
    from PEPit.functions import SmoothFunction

    problem = pepit.PEP()
    f = problem.declare_function(SmoothFunction, L=1.0)
    x = problem.set_initial_point()
    lowest = pepit.Expression()
    problem.set_initial_condition(f(x) - lowest <= 1)
    for k in range(steps + 1):
        gradient = f.gradient(x)
        problem.add_constraint(f(x) - gradient**2 / 2 >= lowest)
        problem.set_performance_metric(gradient**2)
        if k < steps:
            x = x - gamma * gradient
    return float(problem.solve(verbose=0))


def run(functions: GridFunctions, steps: int, gamma: float) -> np.ndarray:
    """min over k of f'(xᵏ)²/(f(x⁰) − f^inf) of gradient descent, for every instance."""
    runs, oracle = len(functions.base), functions.oracle()
    method = published.gradient_descent(gamma)
    state = initialise(method, np.zeros((runs, 1)), 1)
    least, inside = np.full(runs, np.inf), np.ones(runs, dtype=bool)
    for _ in range(steps + 1):
        inside &= np.abs(state.x[:, 0]) <= functions.reach
        local = oracle(np.broadcast_to(state.x[:, None, :], (runs, 1, 1)))
        least = np.minimum(least, local[:, 0, 0] ** 2)
        state, _ = advance(method, state, oracle)
    gap = functions.gap()
    # A gap lost in rounding says nothing; tails and valleys keep every other one honest.
    # Beyond the grid the oracle stays constant, where the gap counts on the tails: such runs do not count.
    return np.where(inside & (gap > 1e-6), least / np.where(gap > 1e-6, gap, 1.0), -np.inf)


def searched(steps: int, gamma: float) -> float:
    layout = Layout(clients=1, K=2 * steps)

    def evaluate(genomes: np.ndarray) -> np.ndarray:
        functions = decode(genomes, layout).functions
        return np.where(functions.smoothness() <= 1, run(functions, steps, gamma), -np.inf)

    ratio = -np.inf
    for again in range(3):
        random = np.random.default_rng((again, steps))
        for _, found, _ in evolve(evaluate, layout, random, 512, 60, sample):
            ratio = max(ratio, found)
    return ratio


@pytest.mark.parametrize(("steps", "gamma"), [(1, 1.0), (2, 1.0), (1, 0.5), (2, 0.5), (3, 1.0)])
def test_gradient_descent_is_as_bad_as_pepit_says(steps, gamma):
    upper, lower = worst_case(steps, gamma), searched(steps, gamma)
    assert lower <= upper * (1 + SOLVER), "an instance above the worst case: one of the two is wrong"
    assert lower >= 0.9 * upper, f"the search reached {lower} of {upper}"


def test_the_worst_function_is_in_the_class():
    """γ = 1/L: f' falls and rises by turns, f'(xᵏ) = 2 at every iterate, and f(x⁰) − f^inf = 4(3N + 2)/4."""
    steps = 3
    slopes = np.tile([-1.0, 1.0], 2 * steps)[None, None, :] * np.ones((1, 1, 4 * steps))
    functions = GridFunctions(np.array([[2.0]]), slopes, np.array([[1.0]]), np.array([0.0]))
    mirrored = GridFunctions(-functions.base, -slopes, functions.tails, functions.drop)
    exact = 4 / (3 * steps + 2)
    assert run(mirrored, steps, 1.0)[0] == pytest.approx(exact, rel=1e-12)
    assert worst_case(steps, 1.0) == pytest.approx(exact, rel=SOLVER)
