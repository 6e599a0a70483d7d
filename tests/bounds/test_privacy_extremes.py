"""Privacy at the ends of the domains: sides that stay sides, and answers where floats end."""

import math
from typing import Any

import mpmath as mp
import pytest

from bounds.privacy import Setting, delta, epsilon
from bounds.privacy.accounting import upper_epsilon
from bounds.privacy.participation import visible_delta


@pytest.mark.parametrize("rounds", [2, 300])
@pytest.mark.parametrize("missed", [1e-4, 1e-9])
def test_a_client_alone_that_hardly_ever_misses_a_round(rounds, missed):
    """n = 1: seeing who took part is seeing every message."""
    p = 1 - missed
    alone, seen = (Setting(trust, "replace-one", rounds, p) for trust in ("participants", "messages"))
    assert epsilon(alone, 20.0, 1e-5).upper == pytest.approx(epsilon(seen, 20.0, 1e-5).upper, rel=1e-6)
    assert delta(alone, 20.0, 1.0).upper == pytest.approx(delta(seen, 20.0, 1.0).upper, rel=1e-6)


def mixture(e: float, s: float, sigma: float, rounds: int, p: float) -> Any:
    """Σ_N P(N) δ(ε; s√N/σ) in 80 digits."""

    def curve(n: int) -> Any:
        m = s * mp.sqrt(n) / mp.mpf(sigma)
        return mp.ncdf(m / 2 - e / m) - mp.exp(e) * mp.ncdf(-m / 2 - e / m)

    chance = mp.mpf(p)
    return sum(
        mp.binomial(rounds, n) * chance**n * (1 - chance) ** (rounds - n) * curve(n)
        for n in range(1, rounds + 1)
    )


@pytest.mark.parametrize(
    ("e", "s", "sigma", "rounds", "p"),
    [
        (147.3320770181626, 2.0, 0.39866561539986983, 3, 0.9),
        (95.7818591110818, 2.0, 0.35313457534512543, 3, 0.5),
        (0.8997140503947382, 1.0, 27.561079139134716, 1, 0.1),
        (15.08125235051051, 1.0, 0.5179537897796168, 2, 0.5),
        (1e-3, 2.0, 1e4, 5, 0.3),
    ],
)
def test_visible_participation_encloses_the_mixture_where_its_curves_are_steep(e, s, sigma, rounds, p):
    """ln δ moves by some (ε/μ)² for each unit of ln μ: a rounding of μ is many of δ."""
    found = visible_delta(e, s, sigma, rounds, p, left=1e-305)
    with mp.workdps(80):
        exact = mixture(mp.mpf(e), s, sigma, rounds, p)
        assert found.lower <= exact <= found.upper
    assert math.isclose(found.lower, found.upper, rel_tol=1e-12, abs_tol=1e-299)


@pytest.mark.parametrize(
    ("setting", "sigma"),
    [
        (Setting("sum", "replace-one", 2**53, 1e-320), 1.0),
        (Setting("sum", "replace-one", 123456789012, 1e-300, 2), 2e-308),
        (Setting("server-noise", "add-remove", 2, 1e-308), 1e-308),
    ],
    ids=str,
)
def test_where_sums_leave_the_floats_who_sees_every_message_is_the_upper_side(setting, sigma):
    assert epsilon(setting, sigma, 1e-5).upper == upper_epsilon(setting, sigma, 1e-5) == 0
    assert delta(setting, sigma, 1.0).upper < 1e-30
