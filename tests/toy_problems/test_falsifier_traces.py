"""Functions given by their interpolation conditions: the conditions, the search over traces, the exact replay."""

from __future__ import annotations

import copy
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import linprog

from bounds.alpha_normec.ours import THEOREM1_ROOT
from bounds.statement import Bound
from toy_problems.falsifier.attack import Effort
from toy_problems.falsifier.exact import WitnessError
from toy_problems.falsifier.intervals import Interval, Undecided
from toy_problems.falsifier.traces.attack import attack_traces
from toy_problems.falsifier.traces.candidates import (
    TARGETS,
    TraceLayout,
    decode_traces,
    sample_traces,
    trace_evaluator,
)
from toy_problems.falsifier.traces.interpolation import gap, highest_values, least_differences
from toy_problems.falsifier.traces.polish import polish
from toy_problems.falsifier.traces.replay import replay_trace
from toy_problems.falsifier.traces.search import trace_search
from toy_problems.falsifier.traces.witness import trace_witness

ONE = np.ones(1)


def waves(random: np.random.Generator, d: int):
    """f(x) = Σ_j a_j cos(⟨w_j, x⟩ + b_j) with Σ|a_j|‖w_j‖² = 1: 1-smooth and not convex."""
    w, b, a = random.normal(size=(4, d)), random.normal(size=4), random.normal(size=4)
    a /= np.abs(a * (w**2).sum(axis=1)).sum()
    return (
        lambda x: (a * np.cos(x @ w.T + b)).sum(axis=-1),
        lambda x: (-a * np.sin(x @ w.T + b)) @ w,
    )


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_smooth_functions_satisfy_the_conditions(seed, d):
    random = np.random.default_rng(seed)
    f, gradient = waves(random, d)
    x = 3 * random.normal(size=(8, d))
    values = f(x)
    least = least_differences(x[None], gradient(x)[None], ONE)[0]
    assert (values[:, None] - values >= least - 1e-12).all()
    highest, feasible = highest_values(least[None])
    assert feasible[0]
    assert (highest[0] >= values - values[0] - 1e-12).all(), "the true values are admissible, so not higher"


def test_a_rotation_is_lipschitz_but_no_gradient():
    """g(x) = (−x₂, x₁) on a triangle: every pair of points is fine, the three of them are not."""
    angle = 2 * np.pi * np.arange(3) / 3
    x = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    g = np.stack([-x[:, 1], x[:, 0]], axis=1)
    for pair in ([0, 1], [1, 2], [0, 2]):
        assert highest_values(least_differences(x[None, pair], g[None, pair], ONE))[1][0]
    assert not highest_values(least_differences(x[None], g[None], ONE))[1][0]


def test_too_steep_a_turn_is_no_smooth_function():
    x, g = np.array([[[0.0, 0.0], [1.0, 0.0]]]), np.array([[[0.0, 0.0], [0.0, 1.1]]])
    assert not highest_values(least_differences(x, g, ONE))[1][0]
    assert highest_values(least_differences(x, g, np.array([1.2])))[1][0]


def test_a_run_is_judged_by_its_own_size_whatever_run_is_beside_it():
    """f_0 ≥ f_1 + 0.5 and f_1 ≥ f_0 − 0.4 contradict each other by 0.1, which is within the rounding of 10¹² alone."""
    contradictory, large = np.array([[0.0, 0.5], [-0.4, 0.0]]), np.array([[0.0, 1e12], [-2e12, 0.0]])
    values, feasible = highest_values(np.stack([contradictory, large]))
    assert feasible.tolist() == [False, True]
    assert values[1].tolist() == [0.0, -1e12]


@pytest.mark.parametrize("seed", range(6))
def test_the_least_depth_is_that_of_a_linear_program(seed):
    random = np.random.default_rng(seed)
    _, gradient = waves(random, 2)
    x = 2 * random.normal(size=(5, 2))
    g = gradient(x)
    least = least_differences(x[None], g[None], ONE)
    values, feasible = highest_values(least)
    assert feasible[0]
    rows, right = [], []
    for j in range(5):
        for k in range(5):  # f_k − f_j ≤ −c_jk
            if j != k:
                rows.append([(i == k) - (i == j) for i in range(5)] + [0])
                right.append(-least[0, j, k])
    for k in range(5):  # f_0 − f_k − depth ≤ −‖g_k‖²/2
        rows.append([(i == 0) - (i == k) for i in range(5)] + [-1])
        right.append(-float(g[k] @ g[k]) / 2)
    answer = linprog([0] * 5 + [1], A_ub=np.array(rows, float), b_ub=right, bounds=[(None, None)] * 6)
    assert gap(values, g[None], ONE)[0] == pytest.approx(answer.fun, abs=1e-9)


def interpolant(x, points, gradients, values, L, weights):
    """f(x) by the formula of `interpolation`, with the minimum over the given λ (rows of the simplex) alone: an upper end of f(x)."""
    z = (points - gradients / L) / 2
    shifted = gradients + L * points
    e = values + L * (points**2).sum(axis=1) / 2 - (shifted**2).sum(axis=1) / (4 * L)
    distance = ((x - weights @ z) ** 2).sum(axis=1)
    return float((L * distance + weights @ e).min() - L * (x**2).sum() / 2)


@pytest.mark.parametrize("seed", range(4))
def test_the_interpolant_has_the_numbers_and_the_infimum(seed):
    random = np.random.default_rng(seed)
    f, gradient = waves(random, 2)
    x = random.normal(size=(2, 2))
    values, g = f(x), gradient(x)
    share = np.linspace(0, 1, 20_001)
    weights = np.stack([share, 1 - share], axis=1)

    def at(point):
        return interpolant(point, x, g, values, 1.0, weights)

    lowest = (values - (g**2).sum(axis=1) / 2).min()
    for k in range(2):
        assert at(x[k]) == pytest.approx(values[k], abs=1e-7)  # the grid of λ misses the least by its square
        for direction in np.eye(2):
            slope = (at(x[k] + 1e-3 * direction) - at(x[k] - 1e-3 * direction)) / 2e-3
            assert slope == pytest.approx(g[k] @ direction, abs=2e-3), "L·1e-3 and the grid of λ"
        assert at(x[k] - g[k]) >= lowest - 1e-12
    best = int(np.argmin(values - (g**2).sum(axis=1) / 2))
    assert at(x[best] - g[best]) == pytest.approx(lowest, abs=1e-7)
    assert min(at(point) for point in 3 * random.normal(size=(200, 2))) >= lowest - 1e-12


def test_the_infimum_of_one_piece_is_as_the_docstring_has_it():
    f, x, g, L = sympy.symbols("f x g L", positive=True)
    z, e = (x - g / L) / 2, f + L * x**2 / 2 - (g + L * x) ** 2 / (4 * L)
    assert sympy.simplify(e - L * z**2 - (f - g**2 / (2 * L))) == 0


fractions = st.fractions(min_value=-100, max_value=100, max_denominator=1000)


@given(fractions, fractions)
@example(Fraction(2), Fraction(0))
def test_intervals_hold_what_they_mean(a, b):
    x, y = Interval.around(a, a), Interval.around(b, b)
    for found, meant in ((x + y, a + b), (x - y, a - b), (x * y, a * b), (x.square(), a * a)):
        assert found.low <= meant <= found.high
        assert found.high - found.low < Fraction(1, 2**300)
    root = x.square().root()
    assert root.low <= abs(a) <= root.high
    whole = Interval.of(abs(a)).root()  # mostly irrational: its ends are compared by their squares
    assert whole.low**2 <= abs(a) <= whole.high**2
    assert whole.high - whole.low < Fraction(1, 2**300)
    if b:
        quotient = x / y
        assert quotient.low <= a / b <= quotient.high
    else:
        with pytest.raises(Undecided):
            _ = x / y


@pytest.fixture(scope="module")
def root_search():
    sizes = [TraceLayout(1, 1, d) for d in (1, 2, 3)]
    return trace_search(TARGETS["NEC-OUR-T1-ROOT"], Effort(30_000, 60.0), layouts=sizes)


@pytest.fixture(scope="module")
def root_trace(root_search):
    best = root_search.best
    return trace_witness(TARGETS["NEC-OUR-T1-ROOT"], best.primary, best.layout, 0.9)


@pytest.mark.unchecked
def test_two_dimensions_are_worse_than_one_and_three_are_not_worse_than_two(root_search):
    found = root_search.by_dimension()
    assert found["2"] > found["1"] + 0.05, "the error across the step is what the root pays for"
    assert found["3"] == pytest.approx(found["2"], abs=1e-4)


@pytest.mark.unchecked
def test_a_polish_improves_and_never_spoils():
    """From random candidates: the ratio after is at least the one before, and for most it is larger."""
    target, layout = TARGETS["NEC-OUR-T1-ROOT"], TraceLayout(1, 1, 2)
    genomes = sample_traces(layout, np.random.default_rng(3), 60)
    ratios = trace_evaluator(target, layout)(genomes)
    some = np.flatnonzero(np.isfinite(ratios))[:3]
    after = [polish(target, decode_traces(genomes[[i]], layout), layout)[1] for i in some]
    assert (np.array(after) >= ratios[some]).all()
    assert np.sum(np.array(after) > ratios[some] + 1e-3) == 3
    assert max(after) < 1


def test_the_root_form_is_certified_to_be_tight_within_a_tenth(root_trace):
    _, verdict = root_trace
    assert not verdict.broken
    assert Fraction(9, 10) < verdict.certified < 1


CHANGES = {
    "L below what the trace needs": ("values", "L", "1/2"),
    "a depth that f does not have": ("values", "f_gap", "1/100"),
    "another R": ("values", "R", "2"),
    "β beyond its condition": ("values", "beta", "100"),
    "another K": ("values", "K", "2"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_trace_that_breaks_a_hypothesis_is_rejected(root_trace, change):
    witness = copy.deepcopy(root_trace[0])
    part, name, value = CHANGES[change]
    witness[part][name] = value
    with pytest.raises(WitnessError):
        replay_trace(witness, THEOREM1_ROOT)


@pytest.mark.parametrize("k", [0, 1])
def test_gradients_that_no_smooth_function_has_are_rejected(root_trace, k):
    witness = copy.deepcopy(root_trace[0])
    witness["gradients"][k] = ["7", "7"]
    with pytest.raises(WitnessError):
        replay_trace(witness, THEOREM1_ROOT)


def test_a_bound_without_its_R_is_broken_exactly():
    """Negative control: √(R² + A²) without R is false, and the search over traces finds it out."""
    false = Bound(
        name="false: A alone",
        source=THEOREM1_ROOT.source,
        quantity=THEOREM1_ROOT.quantity,
        typeset="",
        formula=lambda f_gap, gamma, K, L: f_gap / (gamma * (K + 1)) + L * gamma / 2,
        symbols=THEOREM1_ROOT.symbols,
        conditions=THEOREM1_ROOT.conditions,
    )
    target = replace(TARGETS["NEC-OUR-T1-ROOT"], bound=false)
    result = attack_traces(target, Effort(10_000, 20.0), layouts=[TraceLayout(1, 1, 2)])
    assert result["broken"], result["reason"]
    assert Fraction(result["witness"]["replay"]["measured"]) > 0
    assert result["certified"] > 1


def test_lemma_2_falls_to_a_trace_and_theorem_1_does_not():
    lemma = attack_traces(TARGETS["NEC-L2"], Effort(20_000, 20.0), layouts=[TraceLayout(2, 1, 2)])
    assert lemma["broken"], lemma["reason"]
    theorem = attack_traces(TARGETS["NEC-T1"], Effort(10_000, 20.0), layouts=[TraceLayout(1, 1, 2)])
    assert not theorem["broken"]
    assert 0.4 < theorem["certified"] <= theorem["tightness"] < 1
