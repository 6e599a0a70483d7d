"""Sums whose participants are seen: the law of S = Σ 1/m and what is read of it, each against another way to the same number."""

import math

import numpy as np
import pytest
from scipy import stats

from bounds.privacy import Setting, epsilon, gaussian_delta, gaussian_epsilon, losses, noise, participants
from bounds.privacy.participants import GROUPS, Law, law


def squares_by_convolution(
    n: int, p: float, rounds: int, side: int, cells: int
) -> tuple[np.ndarray, np.ndarray]:
    """S and its probabilities on a grid of 1/1000 of the likeliest 1/m, each 1/m rounded up or down, from K plain transforms: floats,
    where they are wrong by some 1e-13."""
    m = np.arange(1, n + 1)
    step = 1 / (1 + n * p) / 1000
    place = np.ceil(1 / m / step) if side > 0 else np.floor(1 / m / step)
    once = np.bincount(place.astype(int), p * stats.binom.pmf(m - 1, n - 1, p), minlength=cells)
    once[0] += 1 - p
    return np.arange(cells) * step, np.fft.irfft(np.fft.rfft(once[:cells]) ** rounds, cells)


def read(squares: np.ndarray, masses: np.ndarray, e: float, scale: float) -> float:
    mu = scale * np.sqrt(squares[1:])
    curve = stats.norm.cdf(mu / 2 - e / mu) - np.exp(e + stats.norm.logcdf(-mu / 2 - e / mu))
    return float(np.maximum(masses[1:], 0) @ curve)


@pytest.mark.unchecked
@pytest.mark.parametrize(
    ("n", "p", "rounds", "sigma"), [(1000, 0.01, 100, 0.5), (200, 0.05, 200, 1.0), (3000, 0.2, 100, 0.3)]
)
def test_both_sides_meet_where_a_convolution_finds_them(n, p, rounds, sigma):
    """32 groups of m with the extremes of each gave [12.10, 17.32] in the first case, where it is 13.58."""
    found = epsilon(Setting("participants", "replace-one", rounds, p, n), sigma, 1e-5)
    assert found.upper <= found.lower * (1 + 1e-3)
    low, high = (squares_by_convolution(n, p, rounds, side, 1 << 18) for side in (-1, 1))
    assert read(*low, found.upper, 2 / sigma) <= 1e-5 * (1 + 1e-6)
    assert read(*high, found.lower, 2 / sigma) >= 1e-5 * (1 - 1e-6)


@pytest.mark.parametrize(("n", "p", "rounds"), [(1000, 0.01, 100), (300, 0.1, 300)])
def test_calibrated_noise_is_the_least_but_for_the_grid(n, p, rounds):
    """A fifth of a per cent less noise is certainly too little: 0.1 % for the tolerance, and what the grid costs."""
    setting = Setting("participants", "replace-one", rounds, p, n)
    sigma = noise(setting, 8.0, 1e-5)
    assert epsilon(setting, sigma, 1e-5).upper <= 8.0 < epsilon(setting, sigma / 1.002, 1e-5).lower


@pytest.mark.parametrize("mu", [1e-6, 0.01, 1.0, 30.0, 1e4])
@pytest.mark.parametrize("share", [0.0, 0.1, 1.0, 1.3])
def test_a_known_square_is_one_gaussian(mu, share):
    """Both sides hold the curve of ball arithmetic at ε = share · (μ²/2 + 4 μ), and are no farther apart than floats allow: at most
    64 u (1 + y)², y = μ/2 + ε/μ, and what moving μ by 1e-15 does, which y bounds as well."""
    e = share * (mu * mu / 2 + 4 * mu)
    y = mu / 2 + e / mu
    low, high = (Law(np.array([mu * mu]), np.array([1.0]), 0.0, side).delta(e, 1.0) for side in (-1, 1))
    exact = gaussian_delta(e, mu)
    assert low <= exact.lower <= exact.upper <= high
    assert high - low <= 100 * 2.0**-53 * (1 + y) ** 2 * (stats.norm.cdf(mu / 2 - e / mu) + 1e-290) + 1e-11


def test_a_client_alone_has_its_own_noise_each_time():
    """n = 1: m = 1 always, so it is as if messages were seen."""
    alone, seen = (
        epsilon(Setting(trust, "replace-one", 10, 0.5), 2.0, 1e-5) for trust in ("participants", "messages")
    )
    assert alone.lower == pytest.approx(seen.lower, rel=1e-8)
    assert alone.upper == pytest.approx(seen.upper, rel=1e-8)


def test_very_many_rounds_are_one_gaussian_of_the_mean():
    """10⁷ times the client takes part, so S is within 1/√10⁷ of its mean, some times: K p E 1/m, m − 1 ~ Binomial(99, p)."""
    found = epsilon(Setting("participants", "replace-one", 10**9, 0.01, 100), 1000.0, 1e-5)
    m = np.arange(1, 101)
    square = 10**7 * float(stats.binom.pmf(m - 1, 99, 0.01) @ (1 / m))
    assert gaussian_epsilon(1e-5, 2 * math.sqrt(square) / 1000).upper in found
    assert found.upper <= found.lower * 1.01


@pytest.mark.parametrize("side", [-1, 1])
def test_a_law_is_read_in_few_groups_and_has_all_mass(side):
    found = law(1000, 0.01, 1000, side)
    assert len(found.squares) <= GROUPS + 1
    never = 0.99**1000
    assert found.masses.sum() == pytest.approx(1 - never, abs=1e-12)
    assert found.error < 1e-12
    mean = float(found.squares @ found.masses)  # of S: K E[1/m; the client is one of m] = K P(m > 0)/n
    assert mean == pytest.approx(1000 * (1 - 0.99**1000) / 1000, rel=1e-3)
    assert (mean > 1 - never) == (side > 0)


def test_what_the_composed_law_errs_by_is_on_both_sides(monkeypatch):
    """With windows that leave out up to a thousandth of the law of S: for large ε more than all of δ."""
    n, p, rounds, scale = 1000, 0.01, 100, 4.0
    monkeypatch.setattr(losses, "TAIL", 1e-3)
    monkeypatch.setattr(participants, "CELLS", 1 << 16)
    law.cache_clear()
    sides = [law(n, p, rounds, side) for side in (-1, 1)]
    law.cache_clear()
    found = [squares_by_convolution(n, p, rounds, side, 1 << 18) for side in (-1, 1)]
    for e in (0.5, 5.0, 10.0, 20.0):
        lower, upper = (side.delta(e, scale) for side in sides)
        low, high = (read(*one, e, scale) for one in found)
        assert lower <= low <= high <= upper <= lower + 0.02, e


def test_what_cannot_be_certified_is_unknown():
    """δ below what the transforms err by: nothing is said by this law, and who sees every message bounds it."""
    setting = Setting("participants", "replace-one", 100, 0.1, 50)
    assert participants.participants_epsilon(setting, 1.0, 1e-20).upper == math.inf
    assert (
        epsilon(setting, 1.0, 1e-20).upper
        == epsilon(Setting("messages", "replace-one", 100, 0.1), 1.0, 1e-20).upper
    )
