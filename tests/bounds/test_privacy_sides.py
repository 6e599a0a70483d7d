"""Each side of a privacy enclosure stays on its side."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from bounds.privacy import Enclosure, Setting, delta, epsilon, noise, participants, sampling
from bounds.privacy.gaussian import gaussian_delta
from bounds.privacy.losses import Losses
from bounds.privacy.participation import participations, visible_delta


def test_what_is_left_out_of_the_law_of_n_stays_on_the_upper_side():
    exact = sum(
        w * gaussian_delta(1.0, 2 * math.sqrt(n) / 5.0).upper
        for n, w in enumerate(stats.binom.pmf(np.arange(41), 40, 0.3))
    )
    found = visible_delta(1.0, 2.0, 5.0, 40, 0.3, left=1e-3)
    assert found.lower < exact * (1 - 1e-6) < exact * (1 + 1e-6) < found.upper


@pytest.mark.parametrize(("trust", "where"), [("participants", participants), ("sum", sampling)])
def test_numbers_of_participants_that_are_left_out_only_widen_the_enclosure(monkeypatch, trust, where):
    setting = Setting(trust, "replace-one", 10, 0.1, 100)
    monkeypatch.setattr(sampling, "GROUPS", 10**4)
    usual = epsilon(setting, 0.5, 1e-3)
    monkeypatch.setattr(where, "participations", lambda n, p: participations(n, p, 1e-5))
    participants.law.cache_clear()
    coarse = epsilon(setting, 0.5, 1e-3)
    participants.law.cache_clear()
    assert coarse.lower < usual.lower < usual.upper < coarse.upper


def test_hidden_participation_is_amplified_and_who_sees_the_participants_is_a_bound_where_it_is_not():
    def upper(trust, p, n, sigma):
        return epsilon(Setting(trust, "replace-one", 20, p, n), sigma, 1e-5).upper

    assert upper("sum", 0.1, 100, 0.5) < 0.8 * upper("participants", 0.1, 100, 0.5)


def gaussian(e: float, mu: float) -> float:
    """Balle and Wang (2018), Theorem 8, in floats."""
    return float(stats.norm.cdf(mu / 2 - e / mu) - math.exp(e) * stats.norm.cdf(-mu / 2 - e / mu))


@pytest.mark.parametrize(("neighbours", "s"), [("replace-one", 2), ("add-remove", 1)])
@pytest.mark.parametrize(
    ("n", "rounds", "p", "sigma"), [(3, 4, 0.4, 1.5), (4, 3, 0.7, 0.9), (2, 6, 0.2, 3.0)]
)
def test_where_participants_are_seen_every_history_counts_with_its_chance(neighbours, s, n, rounds, p, sigma):
    """μ² = Σ s²/(m σ²) over the rounds in which the client is one of m: K rounds as one Gaussian, for each history."""
    once = [(1 - p, 0.0)] + [
        (p * stats.binom.pmf(m, n - 1, p), s * s / ((m + 1) * sigma**2)) for m in range(n)
    ]
    for e in (0.3, 1.0, 3.0):
        exact = 0.0
        for history in itertools.product(once, repeat=rounds):
            square = sum(one for _, one in history)
            if square > 0:
                exact += math.prod(chance for chance, _ in history) * gaussian(e, math.sqrt(square))
        found = delta(Setting("participants", neighbours, rounds, p, n), sigma, e)
        assert found.lower <= exact * (1 + 1e-9) <= found.upper * (1 + 2e-9), f"{exact} at ε = {e}"
        assert found.upper == pytest.approx(exact, rel=2e-3)
        assert found.lower == pytest.approx(exact, rel=0.1)


@pytest.mark.parametrize(("n", "p", "sigma"), [(3, 0.4, 1.5), (5, 0.2, 0.8), (40, 0.1, 0.4)])
@pytest.mark.parametrize("e", [0.1, 1.0, 3.0])
def test_both_sides_of_one_hidden_round_meet_where_all_others_send_the_clients_message(n, p, sigma, e):
    """N(m, m σ²) against the same with probability 1 − q and N(m − 2, m σ²) with q = m/n: q δ(ln(1 + (e^ε − 1)/q)) each."""
    exact = 0.0
    for m in range(1, n + 1):
        inner = math.log1p(math.expm1(e) * n / m)
        exact += stats.binom.pmf(m, n, p) * m / n * gaussian(inner, 2 / (math.sqrt(m) * sigma))
    found = delta(Setting("sum", "replace-one", 1, p, n), sigma, e)
    assert found.lower <= exact * (1 + 1e-9) <= found.upper * (1 + 2e-9), f"{exact} is not in {found}"
    # groups of m (for n = 40 of two each) and losses rounded down to a grid widen it
    assert found.lower == pytest.approx(found.upper, rel=0.25 if n > 32 else 0.02)


@pytest.mark.parametrize(("neighbours", "other"), [("replace-one", -1.0), ("add-remove", 0.0)])
@pytest.mark.parametrize("rest", [0.0, 1.0, -1.0])
def test_two_hidden_rounds_of_three_clients_lie_between(neighbours, other, rest):
    """The sums of two rounds on a grid in the plane, for every number of participants in each; the two others send `rest`."""
    n, p, sigma = 3, 0.4, 1.5

    def law(m: int, own: float) -> np.ndarray:
        """The sum of m messages, `own` among them with probability m/n; masses of cells of a tenth of σ."""
        y = np.arange(-n - 12 * sigma, n + 12 * sigma, sigma / 10)
        share, spread = m / n, math.sqrt(max(m, 1)) * sigma
        first = (1 - share) * stats.norm.pdf(y, m * rest, spread)
        return (first + share * stats.norm.pdf(y, (m - 1) * rest + own, spread)) * sigma / 10

    chance = stats.binom.pmf(np.arange(n + 1), n, p)
    for e in (0.5, 1.0):
        exact = [0.0, 0.0]
        for one, two in itertools.product(range(n + 1), repeat=2):
            here, there = (np.outer(law(one, own), law(two, own)) for own in (1.0, other))
            for way, (a, b) in enumerate([(here, there), (there, here)]):
                exact[way] += chance[one] * chance[two] * np.maximum(a - math.exp(e) * b, 0).sum()
        found = delta(Setting("sum", neighbours, 2, p, n), sigma, e)
        assert max(exact) <= found.upper, f"{max(exact)} is above {found}"
        if (neighbours, rest) in {
            ("replace-one", 1.0),
            ("add-remove", 0.0),
        }:  # what the lower side comes from
            assert 0.95 * max(exact) <= found.lower <= max(exact), (
                f"{max(exact)} is far from the lower side of {found}"
            )


@pytest.mark.parametrize("tells", [False, True], ids=["what was seen", "its own participation"])
def test_hidden_rounds_compose_where_messages_depend_on_what_was_seen_alone(tells):
    """Three rounds of two clients; both send 1, on the neighbour the client sends −1. Where the other one may, it sends −1 in
    the third round of single messages if neither of the first two was its own: a negative control for the docstring."""
    n, p, sigma, e = 2, 0.5, 4.0, 2.0
    present = {1: [(1, 0), (0, 1)], 2: [(1, 1)]}  # the client, the other one

    def law(numbers: tuple[int, ...], own: float) -> np.ndarray:
        """The sums of rounds with so many participants, each history equally likely: masses on a grid."""
        found = np.zeros(())
        for history in itertools.product(*(present[m] for m in numbers)):
            mass = np.ones(())
            for k, ((here, there), m) in enumerate(zip(history, numbers, strict=True)):
                alone = (
                    tells and k == 2 and numbers == (1, 1, 1) and not any(other for _, other in history[:2])
                )
                spread = math.sqrt(m) * sigma
                y = np.linspace(-2 - 8 * spread, 2 + 8 * spread, 97)
                sent = here * own + there * (-1.0 if alone else 1.0)
                mass = mass[..., None] * stats.norm.pdf(y, sent, spread) * (y[1] - y[0])
            found = found + mass / math.prod(len(present[m]) for m in numbers)
        return found

    exact = np.zeros(2)
    for numbers in itertools.combinations_with_replacement(
        (0, 1, 2), 3
    ):  # without memory the order is no matter
        chance = len(set(itertools.permutations(numbers))) * np.prod(stats.binom.pmf(numbers, n, p))
        one, two = (law(tuple(m for m in numbers if m), own) for own in (1.0, -1.0))
        exact += [chance * np.maximum(a - math.exp(e) * b, 0).sum() for a, b in ((one, two), (two, one))]
    upper = delta(Setting("sum", "replace-one", 3, p, n), sigma, e).upper
    # 0.9925 and 1.0188 of the upper side; the grid's error is below 1e-3
    assert (exact.max() > 1.01 * upper) == tells, f"{exact.max()} against {upper}"
    assert exact.max() == pytest.approx(upper, rel=0.03)


def test_noise_for_many_clients_of_whom_few_send_is_found():
    setting = Setting("participants", "replace-one", 2, 0.02, 2000)
    found = noise(setting, 1.0, 1e-5, tolerance=0.02)
    assert epsilon(setting, found, 1e-5).upper <= 1.0


def test_an_epsilon_beyond_the_last_loss_is_the_end_of_its_cell():
    found = Losses(1.0, 0, np.array([0.5, 0.5], np.longdouble), 0.0, 0.0)
    assert (found.epsilon(1e-19, -1), found.epsilon(1e-19, 1)) == (pytest.approx(1.0), pytest.approx(2.0))


def test_all_rounds_and_no_others():
    assert [(c.n, c.most, c.lower, c.upper) for c in participations(7, 1.0)[0]] == [(7, 7, 1.0, 1.0)]


def test_an_enclosure_contains_its_ends_and_what_lies_between():
    assert [x in Enclosure(1.0, 2.0) for x in (0.9, 1.0, 1.5, 2.0, 2.1)] == [False, True, True, True, False]
