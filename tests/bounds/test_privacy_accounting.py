"""Accounting with sampling against other accountants: dp-accounting's own, its RDP, direct sums and quadrature."""

import math

import numpy as np
import pytest
import sympy
from dp_accounting import dp_event
from dp_accounting.pld import pld_privacy_accountant
from dp_accounting.privacy_accountant import NeighboringRelation
from dp_accounting.rdp import rdp_privacy_accountant
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from bounds.privacy import (
    Setting,
    delta,
    epsilon,
    gaussian_delta,
    gaussian_noise,
    noise,
    pairs,
    participation_noise,
    sampling,
)
from bounds.privacy.participation import participations

TRUSTS = ["messages", "participants", "sum", "server-noise"]
RELATION = {
    "add-remove": NeighboringRelation.ADD_OR_REMOVE_ONE,
    "replace-one": NeighboringRelation.REPLACE_ONE,
}


def library_epsilon(neighbours: str, sigma: float, p: float, rounds: int, step: float) -> float:
    accountant = pld_privacy_accountant.PLDAccountant(RELATION[neighbours], step)
    accountant.compose(dp_event.PoissonSampledDpEvent(p, dp_event.GaussianDpEvent(sigma)), rounds)
    return accountant.get_epsilon(1e-5)


@pytest.mark.parametrize("neighbours", RELATION)
@pytest.mark.parametrize(("sigma", "p", "rounds"), [(1.0, 0.05, 100), (3.67, 0.5, 60), (0.8, 0.01, 200)])
def test_poisson_subsampling_agrees_with_dp_accounting_from_both_sides(neighbours, sigma, p, rounds):
    found = epsilon(Setting("server-noise", neighbours, rounds, p), sigma, 1e-5)
    expected = library_epsilon(neighbours, sigma, p, rounds, 1e-3)
    assert found.lower <= expected * (1 + 1e-6)
    assert found.upper == pytest.approx(expected, rel=2e-3)
    assert found.upper - found.lower < 0.02 * found.upper


@pytest.mark.parametrize(
    ("neighbours", "sigma", "δ"), [("add-remove", 2.056, 1e-5), ("replace-one", 2.71, 1e-9)]
)
def test_rare_participation_agrees_with_dp_accounting(neighbours, sigma, δ):
    """p = 1e-4: a loss that is nearly always 0, far from the Gaussian of its variance."""
    accountant = pld_privacy_accountant.PLDAccountant(RELATION[neighbours], 1e-4)
    accountant.compose(dp_event.PoissonSampledDpEvent(1e-4, dp_event.GaussianDpEvent(sigma)), 1000)
    upper = epsilon(Setting("server-noise", neighbours, 1000, 1e-4), sigma, δ).upper
    assert 0.7 * accountant.get_epsilon(δ) < upper <= accountant.get_epsilon(δ)


def test_noise_for_rare_participation_is_near_the_least():
    setting = Setting("server-noise", "add-remove", 30, 1e-3)
    found = noise(setting, 0.1, 1e-5, tolerance=0.02)
    assert epsilon(setting, found, 1e-5).upper <= 0.1
    assert epsilon(setting, found / 1.04, 1e-5).upper > 0.1


@pytest.mark.parametrize("δ", [1e-20, 1e-100])
def test_smallest_deltas_have_an_answer_where_participation_is_seen(δ):
    """Never above that of full participation, and a smaller p costs less."""
    at = [epsilon(Setting("messages", "replace-one", 100, p), 100.0, δ) for p in (1.0, 0.3, 0.1)]
    assert at[2].upper < at[1].upper < at[0].upper
    assert all(found.lower > 0.99 * found.upper for found in at)
    assert epsilon(Setting("messages", "replace-one", 100, 0.1), 1e290, δ).upper == 0


@pytest.mark.parametrize("trust", TRUSTS)
def test_where_a_client_all_but_never_sends_no_noise_is_needed(trust):
    with pytest.raises(ValueError, match="no noise is needed: in 100 rounds"):
        noise(
            Setting(trust, "replace-one", 100, 1e-9, 20 if trust in ("participants", "sum") else 1), 1.0, 1e-5
        )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("sigma", "known"), [(1e308, True), (1e-300, False), (1e-150, False)])
def test_noise_at_the_ends_of_the_floats_has_an_answer_or_none_and_no_warning(sigma, known):
    for p in (1.0, 0.1):
        assert epsilon(Setting("messages", "replace-one", 100, p), sigma, 1e-5).known is known


def test_renyi_accounting_is_above_and_not_by_much():
    accountant = rdp_privacy_accountant.RdpAccountant()
    accountant.compose(dp_event.PoissonSampledDpEvent(0.05, dp_event.GaussianDpEvent(1.0)), 100)
    found = epsilon(Setting("server-noise", "add-remove", 100, 0.05), 1.0, 1e-5)
    assert found.upper <= accountant.get_epsilon(1e-5) <= 1.5 * found.upper


@pytest.mark.parametrize("kind", ["Removed", "Added", "Replaced"])
@pytest.mark.parametrize(("q", "shift"), [(0.25, 1.0), (0.9, 0.4), (0.01, 2.0)])
def test_curve_of_a_pair_is_the_integral_that_defines_it(kind, q, shift):
    def mixed(x, s):
        return (1 - q) * stats.norm.pdf(x) + q * stats.norm.pdf(x - s)

    first, second = {
        "Removed": (lambda x: mixed(x, shift), stats.norm.pdf),
        "Added": (stats.norm.pdf, lambda x: mixed(x, shift)),
        "Replaced": (lambda x: mixed(x, shift), lambda x: mixed(x, -shift)),
    }[kind]
    losses = np.array([-1.5, -0.2, 0.0, 0.004, 0.3, 2.0])
    grid = np.linspace(-15, 15, 600_001)
    expected = [
        integrate.trapezoid(np.maximum(first(grid) - np.exp(e) * second(grid), 0), grid) for e in losses
    ]
    # the trapezoid's error is h²/12 · ∫|f''| plus h² at the kink, h = 5e-5
    assert getattr(pairs, kind)(q, shift).delta(losses) == pytest.approx(np.array(expected), abs=1e-8)


def test_dominating_curve_covers_every_substitution_and_one_direction_alone_does_not():
    """m of n messages without replacement: (1 − q) N(w) + q N(u) against (1 − q) N(w) + q N(v), |u|, |v|, |w| ≤ 1."""
    q, sigma = 0.3, 1.2
    grid = np.linspace(-15, 15, 60_001)
    losses = np.array([-1.0, -0.3, 0.0, 0.2, 0.8])
    bound = pairs.Substituted(q, 2 / sigma).delta(losses)
    alone = pairs.Removed(q, 2 / sigma).delta(losses)
    exceeded = False
    for u, v, w in [(1, -1, 0), (1, -1, -1), (1, -1, 1), (1, 0, -1), (0, 1, -1), (-1, 1, -1)]:
        density = {x: stats.norm.pdf(grid, x / sigma) for x in (u, v, w)}
        first = (1 - q) * density[w] + q * density[u]
        second = (1 - q) * density[w] + q * density[v]
        exact = np.array(
            [integrate.trapezoid(np.maximum(first - np.exp(e) * second, 0), grid) for e in losses]
        )
        assert (exact <= bound + 1e-7).all(), (u, v, w)
        exceeded = exceeded or bool((exact > alone + 1e-4).any())
    assert exceeded, "the negative control found no substitution that one direction fails to cover"


def test_numbers_of_participations_are_the_binomial_law():
    counts, left_out = participations(300, 0.25)
    expected = stats.binom.pmf([c.n for c in counts], 300, 0.25)
    assert [c.upper for c in counts] == pytest.approx(expected, rel=1e-9)
    assert sum(c.lower for c in counts) <= 1 <= sum(c.upper for c in counts) + left_out
    assert left_out < 1e-15


def test_visible_participation_is_the_mean_of_gaussian_curves():
    found = delta(Setting("messages", "replace-one", 40, 0.3), 5.0, 1.0)
    weights = stats.binom.pmf(np.arange(41), 40, 0.3)
    expected = sum(w * gaussian_delta(1.0, 2 * math.sqrt(n) / 5.0).upper for n, w in enumerate(weights))
    assert found.lower <= expected * (1 + 1e-9)
    assert found.upper == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("trust", TRUSTS)
def test_full_participation_is_one_gaussian(trust):
    shared = 10 if trust in ("participants", "sum") else 1
    found = epsilon(Setting(trust, "replace-one", 300, 1.0, 10), 7.346, 1e-5)
    exact = epsilon(Setting("messages", "replace-one", 300), 7.346 * math.sqrt(shared), 1e-5)
    assert found.upper == pytest.approx(exact.upper, rel=1e-9)


@pytest.mark.parametrize("trust", TRUSTS)
def test_almost_full_participation_is_close_to_full(trust):
    """Continuity at p = 1 joins the sampled code to the closed form: μ² moves by some 0.1 %, with the messages that are left out
    and the noise that others leave out, and the enclosure is a little wide."""
    full = epsilon(Setting(trust, "replace-one", 20, 1.0, 5), 4.0, 1e-5)
    nearly = epsilon(Setting(trust, "replace-one", 20, 0.999, 5), 4.0, 1e-5)
    assert nearly.upper == pytest.approx(full.upper, rel=0.02)


def test_grouping_the_numbers_of_participants_only_widens_the_enclosure(monkeypatch):
    """44 numbers of participants count, 0 aside: one by one, in some 32 groups, and in some eight."""
    setting = Setting("sum", "replace-one", 10, 0.1, 100)
    assert sum(count.n > 0 for count in participations(100, 0.1)[0]) == 44
    found = {}
    for groups in (10**4, sampling.GROUPS, 8):
        monkeypatch.setattr(sampling, "GROUPS", groups)
        found[groups] = epsilon(setting, 0.5, 1e-5)
    one_by_one, usual, coarse = found.values()
    assert coarse.lower < usual.lower < one_by_one.lower < one_by_one.upper < usual.upper < coarse.upper


@pytest.mark.parametrize(("clients", "p"), [(100, 0.1), (5000, 0.2), (10**6, 0.5)])
def test_groups_of_numbers_of_participants_hold_each_of_them_once(clients, p):
    counts = list(participations(clients, p)[0])
    grouped = sampling._groups(counts)
    assert [count for group in grouped for count in group] == counts
    assert sampling.GROUPS / 2 < len(grouped) <= sampling.GROUPS + 2


def test_seeing_less_never_costs_privacy():
    settings_ = [Setting(trust, "replace-one", 50, 0.5, 8) for trust in ("messages", "participants", "sum")]
    found = [epsilon(setting, 4.0, 1e-5) for setting in settings_]
    assert found[2].upper <= found[1].upper <= found[0].upper
    assert all(f.lower > 0.5 * f.upper for f in found)


def test_replacing_is_harder_to_hide_than_removing():
    for trust in TRUSTS:
        ε = {w: epsilon(Setting(trust, w, 50, 0.5, 8), 4.0, 1e-5) for w in RELATION}
        assert ε["replace-one"].lower >= ε["add-remove"].lower


def test_where_rounding_hides_the_answer_who_sees_every_message_bounds_it():
    setting = Setting("sum", "replace-one", 50, 0.5, 8)
    found = [epsilon(setting, 4.0, δ) for δ in (1e-5, 1e-9, 1e-12)]
    assert found[0].upper < found[1].lower < found[1].upper < found[2].lower
    hidden = epsilon(setting, 4.0, 1e-16)
    assert 0 <= hidden.lower <= hidden.upper
    assert hidden.upper == epsilon(Setting("messages", "replace-one", 50, 0.5), 4.0, 1e-16).upper
    assert epsilon(setting, noise(setting, 1.0, 1e-16), 1e-16).upper <= 1.0


@pytest.mark.unchecked
@given(
    st.sampled_from(["replace-one", "add-remove"]),
    st.floats(0.05, 500),
    st.floats(1e-9, 0.4),
    st.integers(1, 300),
    st.sampled_from([1.0, 0.7, 0.05]),
)
@settings(max_examples=12, deadline=None)
def test_calibrated_noise_is_enough_and_little_more_where_messages_are_seen(neighbours, wanted, δ, rounds, p):
    setting = Setting("messages", neighbours, rounds, p)
    sigma = noise(setting, wanted, δ)
    assert epsilon(setting, sigma, δ).upper <= wanted
    assert epsilon(setting, sigma / 1.002, δ).upper > wanted or sigma < 1e-9


@pytest.mark.parametrize("trust", ["participants", "sum", "server-noise"])
def test_calibrated_noise_is_enough_and_little_more_where_sums_are_seen(trust):
    setting = Setting(trust, "replace-one", 40, 0.5, 6)
    sigma = noise(setting, 3.0, 1e-5)
    assert epsilon(setting, sigma, 1e-5).upper <= 3.0
    assert epsilon(setting, sigma / 1.01, 1e-5).upper > 3.0


@given(st.floats(0.01, 1000), st.floats(1e-12, 0.9), st.integers(1, 10**6), st.sampled_from([1, 2]))
@settings(max_examples=60, deadline=None)
def test_closed_form_is_enough_for_every_epsilon_and_delta(wanted, δ, rounds, s):
    sigma = gaussian_noise(wanted, δ, rounds, s)
    assert gaussian_delta(wanted, s * math.sqrt(rounds) / sigma).upper <= δ


def test_the_printed_constant_1_is_not_enough_where_the_closed_form_is():
    """The negative control of the test above: σ = √(K ln(1/δ))/ε."""
    sigma = math.sqrt(300 * math.log(1e5)) / 8
    assert gaussian_delta(8.0, math.sqrt(300) / sigma).lower > 1e-5


@pytest.mark.parametrize("p", [1.0, 0.5, 0.1, 0.01])
@pytest.mark.parametrize("wanted", [0.5, 8.0])
def test_closed_form_with_participation_is_enough(p, wanted):
    sigma = participation_noise(wanted, 1e-5, 1000, p)
    assert epsilon(Setting("messages", "replace-one", 1000, p), sigma, 1e-5).upper <= wanted


@pytest.mark.parametrize("wanted", [0.5, 8.0])
def test_closed_form_pays_half_of_delta_for_too_many_rounds_and_half_for_the_others(wanted):
    """With p = 1 the K rounds and Bernstein's ⅔ ln(2/δ) are left; the variance is proportional to the number of releases."""
    K, δ = 1000, 1e-5
    half, found = gaussian_noise(wanted, δ / 2, K), participation_noise(wanted, δ, K, 1.0)
    assert (found / half) ** 2 == pytest.approx((K + 2 / 3 * math.log(2 / δ)) / K, rel=1e-12)


def test_closed_form_takes_symbols_and_arrays():
    e, d, K = sympy.symbols("epsilon delta K", positive=True)
    at = {e: 8, d: sympy.Rational(1, 10**5), K: 300}
    expected = gaussian_noise(8.0, 1e-5, 300)
    assert float(gaussian_noise(e, d, K).subs(at)) == pytest.approx(expected, rel=1e-12)
    several = gaussian_noise(np.array([8.0, 1.0]), np.array([1e-5, 1e-5]), np.array([300.0, 300.0]))
    assert several[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rounds": 0}, r"rounds = 0 is outside its domain: an integer in \[1, 2\^53\]"),
        ({"clients": True}, "clients = True"),
        ({"participation": 0.0}, r"participation = 0.0 is outside its domain \(0, 1\]"),
        ({"participation": 1.5}, "participation = 1.5"),
    ],
)
def test_impossible_settings_are_named(change, message):
    given_ = {
        "trust": "messages",
        "neighbours": "replace-one",
        "rounds": 3,
        "participation": 0.5,
        "clients": 2,
    }
    with pytest.raises(ValueError, match=message):
        Setting(**(given_ | change))


@pytest.mark.parametrize("sigma", [0.0, -1.0, math.nan, math.inf])
def test_impossible_noise_is_named(sigma):
    with pytest.raises(ValueError, match=r"σ = .* outside its domain"):
        epsilon(Setting("messages", "replace-one", 1), sigma, 1e-5)
