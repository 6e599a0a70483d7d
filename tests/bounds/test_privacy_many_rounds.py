"""Accounting far out: the rounding of compositions is bounded, and what cannot be certified is never printed."""

import math
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from dp_accounting import dp_event
from dp_accounting.pld import pld_privacy_accountant
from dp_accounting.rdp import rdp_privacy_accountant
from scipy import stats

from bounds.privacy import Enclosure, Setting, delta, epsilon, gaussian_epsilon, losses, pairs
from bounds.privacy.enclosure import rounded
from bounds.privacy.losses import (
    NOTHING,
    TAIL,
    UNIT,
    Losses,
    _curve,
    _power,
    curve_error,
    optimistic,
    pessimistic,
    probability_error,
)
from bounds.privacy.participation import MANY, NEGLIGIBLE, participations

TRUSTS = ["messages", "participants", "sum", "server-noise"]


@pytest.mark.parametrize("rounds", [2, 50, 10**4, 10**6])
def test_a_composition_is_right_up_to_the_error_that_it_states(rounds):
    """Losses 0 and 1 with masses 3/4 and 1/4: after K rounds a binomial law, here by its logarithms in 50 digits."""
    found = Losses(1.0, 0, np.array([0.75, 0.25], np.longdouble), 0.0, 0.0).composed(rounds)
    numbers = found.first + np.arange(len(found.masses))
    chosen = numbers[:: max(1, len(numbers) // 200)]
    with mpmath.workdps(50):
        for n in map(int, chosen):
            log = mpmath.loggamma(rounds + 1) - mpmath.loggamma(n + 1) - mpmath.loggamma(rounds - n + 1)
            exact = mpmath.exp(log + n * mpmath.log(0.25) + (rounds - n) * mpmath.log(0.75))
            assert abs(float(mpmath.mpf(float(found.masses[n - found.first])) - exact)) <= found.error + 1e-16
    assert 0 < found.error < 1e-15 * rounds + 1e-14
    assert found.error > 1e-19 * rounds  # it grows with the rounds


@pytest.mark.parametrize("share", [0.5, 0.25, 1e-3, 1e-7])
@pytest.mark.parametrize("rounds", [2, 50, 10**4, 10**6])
def test_what_lies_outside_the_window_is_negligible(rounds, share):
    found = Losses(1.0, 0, np.array([1 - share, share], np.longdouble), 0.0, 0.0).composed(rounds)
    last, law = found.first + len(found.masses) - 1, stats.binom(rounds, share)
    assert law.cdf(found.first - 1) + law.sf(last) <= TAIL
    nearer = max(1, len(found.masses) // 4)
    whole = last - found.first == rounds
    assert whole or law.cdf(found.first - 1 + nearer) + law.sf(last - nearer) > TAIL, "far wider than needed"


def test_what_the_window_leaves_out_and_wraps_around_is_counted(monkeypatch):
    """Each side of the window leaves out half of `TAIL`: usually less than the rest of the error, here a thousandth."""
    monkeypatch.setattr(losses, "TAIL", 1e-3)
    found = Losses(1.0, 0, np.array([0.75, 0.25], np.longdouble), 0.0, 0.0).composed(1000)
    masses = stats.binom.pmf(found.first + np.arange(len(found.masses)), 1000, 0.25)
    wrong = float(np.abs(found.masses - masses).sum()) + 1 - masses.sum()
    assert 1e-5 < wrong <= found.error < 5e-3


@pytest.mark.parametrize("k", [1, 2, 3, 300, 12_345, 10**9 + 7])
def test_powers_err_by_no_more_than_is_counted(k):
    random = np.random.default_rng(0)
    size = (1 - 10.0 ** random.uniform(-12, -1, 50)).astype(np.longdouble)
    angle = random.uniform(-math.pi, math.pi, 50).astype(np.longdouble)
    z = size * (np.cos(angle) + 1j * np.sin(angle))
    found = _power(z, k)
    with mpmath.workdps(60):
        for one, power in zip(z, found, strict=True):
            exact = mpmath.mpc(_exact(one.real), _exact(one.imag)) ** k
            error = abs(mpmath.mpc(_exact(power.real), _exact(power.imag)) - exact)
            assert error <= 32 * UNIT * k * abs(exact) + 1e-300  # less is no double any more


def _exact(number: np.longdouble) -> mpmath.mpf:
    """An 80-bit float as it is: `float` would round it."""
    high = float(number)
    return mpmath.mpf(high) + mpmath.mpf(float(number - np.longdouble(high)))


KINDS = pytest.mark.parametrize("kind", ["Removed", "Added", "Replaced"])
PAIRS = pytest.mark.parametrize(
    ("q", "shift"), [(0.25, 1.0), (0.9, 0.02), (1e-3, 5.0), (0.01, 30.0), (1e-4, 1 / 0.6), (1e-6, 1e-3)]
)


def losses_of(q: float, shift: float) -> tuple[float, np.ndarray]:
    """The end of the losses, and some from end to end and some around ±q, where most of them are."""
    reach = shift**2 / 2 + 9.5 * shift
    return reach, np.concatenate([np.linspace(-reach, reach, 41), np.linspace(-4 * q, 4 * q, 21)])


@pytest.mark.slow
@KINDS
@PAIRS
def test_float_curves_err_by_no_more_than_is_counted(kind, q, shift):
    """What a curve has beyond that of two equal laws; 400 digits, of which e^reach takes 300."""
    reach, losses = losses_of(q, shift)
    found = getattr(pairs, kind)(q, shift).excess(losses)
    with mpmath.workdps(400):
        for e, value in zip(losses, found, strict=True):
            equal = max(mpmath.mpf(0), -mpmath.expm1(mpmath.mpf(float(e))))
            error = abs(mpmath.mpf(float(value)) - (exact(kind, q, shift, float(e)) - equal))
            assert error <= curve_error(reach, q)


@pytest.mark.slow
@KINDS
@PAIRS
def test_float_probabilities_err_by_no_more_than_is_counted(kind, q, shift):
    """P(L > ε), relatively but for `NOTHING`, from the curve in 400 digits: it is δ − dδ/dε, the slope being a difference over 1e-100.
    Of the pair turned around, P(L < −ε) is e^(−ε) times what the other law has above ε: P and Q change places."""
    reach, losses = losses_of(q, shift)
    losses = losses[losses > 0]
    pair, turned = (getattr(pairs, name)(q, shift) for name in (kind, TURNED[kind]))
    allowed = probability_error(reach)
    with mpmath.workdps(400):
        h = mpmath.mpf(10) ** -100
        for e, above, below in zip(losses, pair.above(losses), turned.below(-losses), strict=True):
            at = mpmath.mpf(float(e))
            curve = [exact(kind, q, shift, at + k * h) for k in (-1, 0, 1)]
            slope = (curve[2] - curve[0]) / (2 * h)
            for value, true in ((above, curve[1] - slope), (below, -slope * mpmath.exp(-at))):
                assert abs(mpmath.mpf(float(value)) - true) <= allowed * true + NOTHING


TURNED = {"Removed": "Added", "Added": "Removed", "Replaced": "Replaced"}


def test_a_curve_is_read_back_with_no_more_error_than_is_counted():
    """Masses of either sign of which those of size 1 cancel within a few cells, against fractions of what the floats are."""
    draw, step = np.random.default_rng(3), 1e-3
    masses = (draw.normal(size=3000) * 1e-9).astype(np.longdouble)
    masses[1500], masses[1498] = 0.7, -0.7
    total, found, slack = _curve(masses, step)
    with mpmath.workdps(40):
        exactly = [_exact(m) for m in masses]
        assert abs(_exact(total) - sum(exactly)) <= float(slack[0])
        for j in range(0, 3000, 250):
            true = sum(m * -mpmath.expm1(-mpmath.mpf(step) * i) for i, m in enumerate(exactly[j:]))
            assert abs(_exact(found[j]) - true) <= float(slack[j])
    assert slack.max() < 1e-17


def test_many_rounds_with_rare_messages_agree_with_dp_accounting():
    """K = 10⁵ rounds with q = 10⁻⁴: an error of 64 · 2⁻⁵³ (1 + reach) a round, not of q times that, hides every δ = 10⁻⁸."""
    for noise, q, rounds, δ in ((0.6, 1e-4, 10**5, 1e-8), (1.0, 1e-2, 10**4, 1e-9)):
        accountant = pld_privacy_accountant.PLDAccountant(value_discretization_interval=1e-4)
        accountant.compose(dp_event.PoissonSampledDpEvent(q, dp_event.GaussianDpEvent(noise)), rounds)
        upper = epsilon(Setting("server-noise", "add-remove", rounds, q), noise, δ).upper
        assert upper == pytest.approx(accountant.get_epsilon(δ), rel=2e-3)


def exact(kind: str, q: float, shift: float, e: float | mpmath.mpf) -> mpmath.mpf:
    """The hockey-stick divergence from the thresholds of the likelihood ratio, in 60 digits."""
    Q, s, x = mpmath.mpf(q), mpmath.mpf(shift), mpmath.exp(mpmath.mpf(e))
    tail = lambda t: mpmath.ncdf(-t)  # noqa: E731
    ratio = lambda y: 1 - Q + Q * y  # noqa: E731  of the mixture to N(0, 1), y = e^(s t − s²/2)
    at = lambda y: (mpmath.log(y) + s * s / 2) / s  # noqa: E731
    if kind == "Removed":
        if x <= 1 - Q:
            return 1 - x
        t = at((x - 1 + Q) / Q)
        return (1 - Q) * tail(t) + Q * tail(t - s) - x * tail(t)
    if kind == "Added":  # N(0, 1) exceeds x times the mixture below a threshold
        if 1 / x <= 1 - Q:
            return mpmath.mpf(0)
        t = at((1 / x - 1 + Q) / Q)
        return mpmath.ncdf(t) - x * ((1 - Q) * mpmath.ncdf(t) + Q * mpmath.ncdf(t - s))
    assert ratio(1) == 1
    a, b = Q * mpmath.exp(-s * s / 2), 1 - Q  # (b + a e^(st)) = x (b + a e^(−st)), a quadratic in e^(st)
    root = (-b * (1 - x) + mpmath.sqrt((b * (1 - x)) ** 2 + 4 * a * a * x)) / (2 * a)
    t = mpmath.log(root) / s
    return (1 - Q) * tail(t) + Q * tail(t - s) - x * ((1 - Q) * tail(t) + Q * tail(t + s))


def test_the_two_discretisations_hold_the_curve_between_them():
    pair, reach = pairs.Removed(0.1, 1.0), 10.0
    above, below = pessimistic(pair, reach, 0.01), optimistic(pair, reach, 0.01)
    for e in (0.0, 0.003, 0.5, 1.7):
        true = float(pair.delta(np.array([e]))[0])
        assert below.delta(e, -1) <= true <= above.delta(e, 1) <= true + 1e-3
    for δ in (1e-2, 1e-3, 1e-6):
        low, high = below.epsilon(δ, -1), above.epsilon(δ, 1)
        assert low <= high <= low + 0.05
        assert float(pair.delta(np.array([high]))[0]) <= δ <= float(pair.delta(np.array([low]))[0])


@pytest.mark.parametrize("trust", TRUSTS)
def test_more_rounds_never_cost_less_and_every_answer_is_certified_or_wide(trust):
    found = [epsilon(Setting(trust, "add-remove", K, 0.01, 100), 100.0, 1e-5) for K in (10**6, 10**14)]
    for fewer, more in pairwise(found):
        assert fewer.lower <= more.upper
        assert fewer.upper <= more.upper < math.inf


def test_ten_million_hidden_rounds_against_renyi_accounting():
    accountant = rdp_privacy_accountant.RdpAccountant()
    accountant.compose(dp_event.PoissonSampledDpEvent(0.01, dp_event.GaussianDpEvent(100.0)), 10**7)
    found = epsilon(Setting("server-noise", "add-remove", 10**7, 0.01), 100.0, 1e-5)
    assert 0.5 * accountant.get_epsilon(1e-5) < found.upper <= accountant.get_epsilon(1e-5)


def test_all_numbers_of_participations_in_one_group_hold_the_law():
    rounds, p = 10**10, 0.3
    assert rounds * p * (1 - p) > MANY
    ((count,), left_out) = participations(rounds, p)
    law = stats.binom(rounds, p)
    assert law.cdf(count.n - 1) + law.sf(count.most) <= left_out == NEGLIGIBLE
    one = epsilon(Setting("messages", "replace-one", rounds, p), 1e6, 1e-5)
    for n, side in ((count.n, one.lower), (count.most, one.upper)):
        assert gaussian_epsilon(1e-5, 2 * math.sqrt(n) / 1e6).upper == pytest.approx(side, rel=1e-6)


@pytest.mark.parametrize("trust", TRUSTS)
def test_a_client_that_all_but_never_takes_part_is_hidden_by_delta(trust):
    found = epsilon(Setting(trust, "replace-one", 10, 1e-19, 5), 1.0, 1e-5)
    assert (found.lower, found.upper) == (0.0, 0.0)
    assert delta(Setting(trust, "replace-one", 10, 1e-19, 5), 1.0, 0.0).upper < 1e-11


@pytest.mark.parametrize(
    ("value", "down", "up"),
    [(0.1234561, "0.123456", "0.123457"), (7.346, "7.346", "7.346"), (9.9999999, "9.99999", "10"), (0.0, "0", "0"),
     (1.0000001e-5, "1e-05", "1.00001e-05"), (123456789.0, "1.23456e+08", "1.23457e+08"), (math.inf, "inf", "inf")],
)  # fmt: skip
def test_printed_sides_are_rounded_outwards(value, down, up):
    assert (rounded(value, -1), rounded(value, 1)) == (down, up)
    if value < math.inf:
        assert str(Enclosure(0.0, value)) == (f"[0, {up}]" if value else "0")


@pytest.mark.parametrize(
    ("lower", "upper", "shown"),
    [(2.0, 2.0000009, "2.00001"), (2.0, 2.000002, "[2, 2.00001]"), (2e-9, 2.000002e-9, "[2e-09, 2.00001e-09]"),
     (2.0, math.inf, "at least 2"), (0.0, math.inf, "unknown")],
)  # fmt: skip
def test_one_number_stands_for_both_sides_where_six_digits_do_not_tell_them_apart(lower, upper, shown):
    assert str(Enclosure(lower, upper)) == shown
