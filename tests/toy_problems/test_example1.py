"""Example 1 of α-NormEC against exact arithmetic on the integers and the analysis of its stationary
points."""

from fractions import Fraction

import pytest

from toy_problems.example1 import ALPHA, STEP, TAU, story

ROUNDS = 500


@pytest.fixture(scope="module")
def told():
    return story(shown=60, rounds=ROUNDS)


def exact_step(operator) -> Fraction:
    """γ/2 (ψ(x − 3) + ψ(x + 3)) at x = 2 in rationals, as a move of x."""
    left, right = Fraction(2 - 3), Fraction(2 + 3)
    return -Fraction(STEP) / 2 * (operator(left) + operator(right))


@pytest.mark.unchecked
def test_normalisation_without_smoothing_stalls_at_2_exactly(told):
    ending = told.smoothed[ALPHA.index(0.0)]
    assert exact_step(lambda g: g / abs(g)) == 0
    assert ending.stalls
    assert set(told.curves[0].x) == {2.0}


@pytest.mark.parametrize("tau", TAU)
def test_clipping_stalls_at_2_exactly_when_tau_is_at_most_1(told, tau):
    ending = told.clipping[TAU.index(tau)]
    move = exact_step(lambda g: max(min(g, Fraction(tau)), -Fraction(tau)))
    assert ending.first_step == pytest.approx(float(move), abs=1e-15)
    assert ending.stalls == (tau <= 1) == (move == 0)
    # At least one side is not clipped near the point, so the error falls by 1 − γ/2 a round: 0.9^500 is
    # nothing.
    assert ending.last_x == pytest.approx(ending.predicted, abs=1e-13)
    assert ending.predicted == min(2.0, max(0.0, 3.0 - tau))


@pytest.mark.parametrize("alpha", [a for a in ALPHA if a > 0])
def test_smoothed_normalisation_moves_and_has_no_other_stationary_point(told, alpha):
    ending = told.smoothed[ALPHA.index(alpha)]
    a = Fraction(alpha)
    assert ending.first_step == pytest.approx(float(exact_step(lambda g: g / (a + abs(g)))), abs=1e-15)
    assert not ending.stalls
    # φ(3 + x) − φ(3 − x) = 2αx/((α + 3)² − x²) ≥ 2αx/(α + 3)², so x shrinks by at least this factor a round.
    assert 0 <= ending.last_x <= 2 * (1 - STEP * alpha / (alpha + 3) ** 2) ** ROUNDS + 1e-15


def test_alpha_normec_comes_within_a_step_of_the_minimiser(told):
    path = told.curves[-1].x
    assert min(abs(x) for x in path) < 0.05
    assert max(abs(x) for x in path[-10:]) <= 0.05 + 1e-9
