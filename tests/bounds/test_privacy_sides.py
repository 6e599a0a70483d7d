"""Each side of a privacy enclosure stays on its side."""

import math

import numpy as np
import pytest
from scipy import stats

from bounds.privacy import Enclosure, Setting, epsilon, noise, sampling
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


@pytest.mark.parametrize("trust", ["participants", "sum"])
def test_numbers_of_participants_that_are_left_out_only_widen_the_enclosure(monkeypatch, trust):
    setting = Setting(trust, "replace-one", 10, 0.1, 100)
    monkeypatch.setattr(sampling, "GROUPS", 10**4)
    usual = epsilon(setting, 0.5, 1e-3)
    monkeypatch.setattr(sampling, "participations", lambda n, p: participations(n, p, 1e-5))
    coarse = epsilon(setting, 0.5, 1e-3)
    assert coarse.lower < usual.lower < usual.upper < coarse.upper


def test_hidden_participation_is_amplified_and_who_sees_the_participants_is_a_bound_where_it_is_not():
    def upper(trust, p, n, sigma):
        return epsilon(Setting(trust, "replace-one", 20, p, n), sigma, 1e-5).upper

    assert upper("sum", 0.1, 100, 0.5) < 0.8 * upper("participants", 0.1, 100, 0.5)


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
