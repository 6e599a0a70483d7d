"""The Gaussian curve against three oracles: quadrature of the definition, dp-accounting, and its own inverse."""

import math
from fractions import Fraction

import mpmath
import pytest
from dp_accounting import gaussian_mechanism
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.privacy import Enclosure, gaussian_delta, gaussian_epsilon, gaussian_mu
from bounds.privacy.enclosure import UNKNOWN, invert_decreasing
from bounds.privacy.gaussian import bounds_of

SHIFTS = st.floats(1e-3, 50)
LOSSES = st.floats(0, 500)


def hockey_stick(epsilon: float, mu: float) -> mpmath.mpf:
    """∫ (φ(x − μ) − e^ε φ(x))₊ dx, by quadrature beyond the point where the integrand turns positive."""
    with mpmath.workdps(40):
        start = mpmath.mpf(epsilon) / mu + mpmath.mpf(mu) / 2
        return mpmath.quad(
            lambda x: mpmath.npdf(x - mu) - mpmath.exp(epsilon) * mpmath.npdf(x),
            [start, start + 1, start + 4, start + 12, start + 40],
        )


@pytest.mark.parametrize(
    ("epsilon", "mu"),
    [(0.0, 1.0), (0.1, 0.05), (1.0, 0.3), (8.0, 1.666), (8.0, 4.7), (30.0, 4.6), (400.0, 20.0)],
)
def test_curve_is_the_integral_that_defines_it(epsilon, mu):
    found = gaussian_delta(epsilon, mu)
    expected = hockey_stick(epsilon, mu)
    assert found.lower <= expected * (1 + mpmath.mpf(10) ** -12)
    assert expected * (1 - mpmath.mpf(10) ** -12) <= found.upper
    assert found.upper - found.lower <= 1e-12 * found.upper


@pytest.mark.parametrize("mu", [0.05, 1.0, 2.358, 4.716, 20.0, 471.0])
@pytest.mark.parametrize("delta", [0.1, 1e-5, 1e-10])
def test_epsilon_agrees_with_dp_accounting(mu, delta):
    found = gaussian_epsilon(delta, mu)
    assert found.upper == pytest.approx(
        gaussian_mechanism.get_epsilon_gaussian(1 / mu, delta), rel=1e-7, abs=1e-9
    )


@given(LOSSES, SHIFTS)
@settings(max_examples=150, deadline=None)
def test_delta_is_a_probability_that_falls_in_epsilon_and_grows_in_mu(epsilon, mu):
    here = gaussian_delta(epsilon, mu)
    assert 0 <= here.lower <= here.upper <= 1
    assert gaussian_delta(epsilon + 0.1, mu).lower <= here.upper
    assert gaussian_delta(epsilon, mu * 1.01).upper >= here.lower


@given(st.floats(1e-9, 0.5), st.floats(0.01, 100))
@settings(max_examples=60, deadline=None)
def test_inverses_err_on_the_safe_side_and_hardly(delta, mu):
    epsilon = gaussian_epsilon(delta, mu)
    assert gaussian_delta(epsilon.upper, mu).upper <= delta
    assert epsilon.lower == 0 or gaussian_delta(epsilon.lower, mu).lower > delta
    assert epsilon.upper - epsilon.lower <= 1e-9 * epsilon.upper + 1e-300
    if epsilon.upper > 1e-3:
        back = gaussian_mu(epsilon.upper, delta)
        assert back.lower <= mu * (1 + 1e-9)
        assert back.lower == pytest.approx(mu, rel=1e-7)
        assert gaussian_delta(epsilon.upper, back.lower).upper <= delta


def test_epsilon_in_the_millions_is_right_where_floats_lose_the_difference():
    found = gaussian_epsilon(1e-5, 1e4)
    with mpmath.workdps(60):
        mu, e = mpmath.mpf(10) ** 4, mpmath.mpf(found.upper)
        second = mpmath.exp(e) * mpmath.erfc((e / mu + mu / 2) / mpmath.sqrt(2)) / 2
        expected = mpmath.erfc((e / mu - mu / 2) / mpmath.sqrt(2)) / 2 - second
    assert found.upper > 5e7
    assert float(expected) == pytest.approx(1e-5, rel=1e-4)


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_bad_epsilon_is_named(bad):
    with pytest.raises(ValueError, match=r"ε = .* outside its domain"):
        gaussian_delta(bad, 1.0)


@pytest.mark.parametrize("bad", [0.0, 1.0, -1e-5, math.nan])
def test_bad_delta_is_named(bad):
    with pytest.raises(ValueError, match=r"δ = .* outside its domain"):
        gaussian_epsilon(bad, 1.0)


@pytest.mark.parametrize("precision", [53, 200])
@pytest.mark.parametrize(
    "number", [Fraction(1, 3), Fraction(2, 3), Fraction(1, 3 * 2**1072), Fraction(-1, 3)]
)
def test_floats_lie_on_both_sides_of_a_ball(precision, number):
    """1/3 is above its nearest float and 2/3 below; a ball may know more digits than a float, and be below the least of them."""
    with ctx.workprec(precision):
        lower, upper = bounds_of(arb(number.numerator) / arb(number.denominator))
    assert Fraction(lower) < number < Fraction(upper)
    assert upper - lower <= 4 * math.ulp(float(number))


def test_no_noise_is_an_infinite_epsilon_and_no_shift_is_zero():
    assert gaussian_epsilon(1e-5, math.inf).lower == math.inf
    assert gaussian_epsilon(1e-5, 0.0) == Enclosure(0.0, 0.0)


def test_an_enclosure_refuses_nan_and_crossed_sides():
    for lower, upper in ((2.0, 1.0), (math.nan, 1.0), (0.0, math.nan)):
        with pytest.raises(ValueError, match="lower <= upper"):
            Enclosure(lower, upper)


def test_what_is_unknown_is_never_zero():
    assert UNKNOWN.upper == math.inf
    assert not UNKNOWN.known
    never_small = invert_decreasing(lambda _: Enclosure(0.0, 1.0), 1e-5)
    assert never_small == UNKNOWN
