"""The witness of missed messages (FED-T1-MAIN@T=1): its moments by enumeration, its run by the method itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy

from bounds.fed_alpha_normec import corollaries, theorem1
from bounds.fed_alpha_normec.repaired import one_step_sharp, second_moment
from methods import advance, initialise
from methods.published import fed_alpha_normec
from methods.randomness import Keyed
from verify.facts import derived, hypothesis
from verify.fed_alpha_normec.corollaries import longest_step
from verify.fed_alpha_normec.counterexamples.rarely_absent import (
    NUMBERS,
    ON_SCHEDULE,
    creeps,
    creeps_on_schedule,
    moments,
)
from verify.fed_alpha_normec.theorems import one_step
from verify.fed_alpha_normec.theorems import repairs as several
from verify.obligation import Obligation, Settings, obligation

P = Fraction(3, 4)


def test_moments_of_the_error_along_one_direction_are_the_enumerated_ones() -> None:
    """Two rounds of a pair: four terms a(q − 1), sixteen outcomes."""
    a, mean, square, fourth = Fraction(2, 7), Fraction(0), Fraction(0), Fraction(0)
    for outcome in product((True, False), repeat=4):
        chance = Fraction(1)
        for came in outcome:
            chance *= P if came else 1 - P
        signs = (1, -1, -1, 1)
        e = sum(s * a * ((1 / P if came else 0) - 1) for s, came in zip(signs, outcome, strict=True))
        mean, square, fourth = mean + chance * e, square + chance * e**2, fourth + chance * e**4
    second, single = moments(a, P)
    assert mean == 0
    assert square == 4 * second
    assert fourth - square**2 <= 4 * single + 8 * 2**2 * second**2


def test_the_run_is_the_one_that_the_witness_describes() -> None:
    """J = 3 pairs, p = 3/4: the mean memory stays at g e_x, and x falls by ηg/‖v̂‖."""
    J, g, r, R, eta, rounds = 3, 2.0, 0.4, 1.0, 0.2, 60
    M, d = 2 * J + 2, 2 + J + 1
    slope = np.zeros(d)
    slope[0] = g
    memories = np.tile(slope, (M, 1))
    for j in range(J + 1):
        residual = R if j == 0 else r
        memories[2 * j, 2 + j] -= residual
        memories[2 * j + 1, 2 + j] += residual
    method = fed_alpha_normec(eta, 0.5, beta=1.0, alpha=0.1, p=float(P))
    runs = 400
    state = initialise(method, np.zeros((runs, d)), M, memories)
    squares = []
    for _ in range(rounds):
        before = state.x
        state, happened = advance(
            method, state, lambda x: np.broadcast_to(slope, x.shape), Keyed(np.arange(runs))
        )
        assert state.memories is not None
        mean = state.memories.mean(axis=-2)
        np.testing.assert_allclose(mean, np.broadcast_to(slope, mean.shape), atol=1e-12)
        error = happened.direction - mean
        np.testing.assert_allclose(error[:, :2], 0, atol=1e-12)
        fall = before[:, 0] - state.x[:, 0]
        np.testing.assert_allclose(fall, eta * g / np.sqrt(g**2 + (error**2).sum(axis=-1)), rtol=1e-9)
        squares.append((error[:, 3:] ** 2).sum(axis=-1))
    second, fourth = moments(Fraction(2 * 2, 5 * M), P)
    expected = 2 * rounds * J * float(second)
    spread = (J * (2 * rounds * float(fourth) + 8 * rounds**2 * float(second) ** 2) / runs) ** 0.5
    assert abs(squares[-1].mean() - expected) < 6 * spread


@pytest.mark.parametrize("rounds", [1, 7, 1000])
def test_the_fall_of_all_rounds_is_at_most_the_integral(rounds) -> None:
    """Σ_{k ≤ N} g/√(g² + kb) ≤ N · 2g/(g + √(g² + Nb)), and nearly that where N is large."""
    g, b = np.meshgrid(np.geomspace(0.01, 100, 40), np.geomspace(1e-6, 100, 40))
    fall = sum(g / np.sqrt(g**2 + k * b) for k in range(1, rounds + 1))
    integral = rounds * 2 * g / (g + np.sqrt(g**2 + rounds * b))
    assert (fall <= integral).all()
    assert (integral - fall <= 1).all()


@pytest.mark.parametrize("bound", [theorem1.MAIN, theorem1.TEXT], ids=lambda bound: bound.name)
def test_the_witness_breaks_the_printed_bound_but_not_with_the_true_second_moment(bound) -> None:
    outcome = creeps(bound)(NUMBERS)
    assert not outcome.holds
    assert all(true for _, true in outcome.presupposed)
    rounds, clients = NUMBERS["N"], 2 * NUMBERS["J"] + 2
    true_noise = 2 * float(second_moment(NUMBERS["p"], Fraction(0)) * rounds / clients) ** 0.5
    assert float(outcome.rhs) + true_noise > float(outcome.lhs)


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("w", 10**24, "ηγ ≤ 1/(K+1) · Δ^inf/(4L√(2L))"),
        ("r", "3/10", "the residual r of a pair is turned around"),
        ("H", 10_440 * 10**9, "H ≤ √(g² + 2cNJμ₂), μ₂ = (2r/M)²(1 − p)/p"),
        ("D/(Nη)", "0.1748", "t = D/(Nη) − k_0/N − 2g/(g + H) > 0"),
        ("c", 2, "0 < c < 1"),
        ("beta", 2, "β/(α + R) < 1"),
    ],
)
def test_numbers_that_the_argument_does_not_cover_are_named(name, value, what) -> None:
    outcome = creeps(theorem1.MAIN)({**NUMBERS, name: Fraction(value)})
    assert what in [condition for condition, true in outcome.presupposed if not true]


@pytest.mark.parametrize("b", [theorem1.b_main, theorem1.b_text], ids=["main", "text"])
def test_a_third_of_the_rounds_pays_for_a_sixth_of_the_second_moment(b) -> None:
    """FED-R1-SHARP at m rounds against the printed bound, over random settings: below it wherever (m+1) B* ≤ 2(K+1) B."""
    rng = np.random.default_rng(7)
    p, sigma = rng.uniform(0.01, 1, 20_000), rng.exponential(0.5, 20_000)
    m = rng.integers(1, 50, 20_000)
    gap, eta, M, L, R = (rng.exponential(size=20_000) for _ in range(5))
    enough = (m + 1) * second_moment(p, sigma**2) <= 6 * m * b(p, sigma)
    fewer = one_step_sharp(gap, m - 1, eta, R, 1.0, M, p, sigma**2, L)
    printed = 3 * gap / (3 * m * eta) + 2 * R + 2 * np.sqrt(b(p, sigma) * 3 * m / M) + L * eta / 2
    assert 0 < enough.mean() < 1
    assert (fewer[enough] <= printed[enough] * (1 + 1e-12)).all()
    assert (fewer[~enough] > printed[~enough]).any()
    assert (second_moment(p, sigma**2) > 3 * b(p, sigma))[enough].any(), (
        "far beyond where B bounds the second moment"
    )


def _twice(p=one_step.p, sigma=one_step.sigma):
    return (one_step.used + 1) * second_moment(p, sigma**2) <= 4 * (one_step.K + 1) * theorem1.b_main(
        p, sigma
    )


MAIN = theorem1.theorem1_main(T=1, **one_step.LETTERS)


@pytest.mark.parametrize(
    ("proof", "name", "neighbour"),
    [
        (
            one_step.fewer_rounds(theorem1.b_main, MAIN, one_step.MAIN_SIX, sympy.Rational(1, 12), "six"),
            "(m+1) B* ≤ 2(K+1) B",
            _twice(),
        ),
        (several.UNLIMITED, several.NEAR.name, several.F <= 64 * several.Delta),
    ],
    ids=["(m+1) B* ≤ 4(K+1) B for 2", "64 Δ^inf for 63"],
)
def test_false_neighbour_of_a_repair_is_refuted(proof, name: str, neighbour) -> None:
    end = proof.nodes[-1]
    weaker = tuple(derived(f.name, neighbour) if f.name == name else f for f in end.given)
    assert weaker != end.given
    assert Obligation(end.name, weaker, end.goal).discharge(Settings(minimise=False)).status == "refuted"


@pytest.mark.parametrize(
    "change",
    [
        {"L": 26},  # η at its limit is longer than Theorem 1 allows
        {"kappa": 1299},  # not the sixth root of the number of rounds
        {"w": 10},  # the condition on ηγ fails
        {"H": 1990},  # further than the memory is shown to drift
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_witness_on_the_schedule_of_corollary_1_breaks_with_its_numbers_alone(change) -> None:
    assert creeps_on_schedule(ON_SCHEDULE).lhs > creeps_on_schedule(ON_SCHEDULE).rhs
    assert not creeps_on_schedule(ON_SCHEDULE).unmet
    found = creeps_on_schedule({**ON_SCHEDULE, **{k: Fraction(v) for k, v in change.items()}})
    assert found.unmet or found.lhs <= found.rhs


@pytest.mark.parametrize("K", [0, 1, 9, 10**6])
@pytest.mark.parametrize("M", [1, 2, 10])
@pytest.mark.parametrize(
    "p", [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(99, 100), Fraction(1)]
)
@pytest.mark.parametrize("square", [Fraction(0), Fraction(1, 100), Fraction(1, 10), Fraction(1)])
def test_the_root_of_corollary_1_covers_the_mean_error_exactly_where_said(K, M, p, square) -> None:
    """L = α = 1, D₁ = D₂ = 1: A₁ less its other terms, which is 2D₂ times the root."""
    root = 2 * p * (1 - 1 / p) ** 2 / M + 2 * square / p
    covered = (K + 2) * second_moment(p, square) / M <= 2 * (K + 1) * root
    assert covered is ((K + 2) * (1 - p + square) <= 4 * (K + 1) * ((1 - p) ** 2 + M * square))
    printed = corollaries.corollary1_main(0.0, 0, 1.0, 1.0, 1.0, 1.0, M, float(p), float(square) ** 0.5)
    assert printed == pytest.approx(2 + 2 * float(root) ** 0.5 + 1 / 8)


def test_a_longer_step_of_corollary_1_is_not_covered() -> None:
    """21/10 for the 2 in the condition on L: Theorem 1's repair does not take that step."""
    (step,) = (n for n in longest_step.PROOF.nodes if longest_step.SHORT in n.given)
    assert isinstance(step, Obligation)
    assert step.discharge(Settings()).ok
    left, right = longest_step.SHORT.relation.args
    longer = hypothesis("longer", left * sympy.Rational(20, 21) <= right)
    given = tuple(longer if fact == longest_step.SHORT else fact for fact in step.given)
    assert obligation(step.name, given, step.goal.relation).discharge(Settings()).status != "proved"
