"""From noise to ε and δ."""

from __future__ import annotations

import math

from bounds.privacy.enclosure import Enclosure, invert_decreasing
from bounds.privacy.gaussian import gaussian_delta, gaussian_epsilon
from bounds.privacy.participation import visible_delta, visible_epsilon_guess
from bounds.privacy.sampling import sum_delta, sum_epsilon
from bounds.privacy.setting import Setting, check_delta, check_epsilon, check_sigma


def epsilon(setting: Setting, sigma: float, delta: float) -> Enclosure:
    """The ε that noise σ gives at δ.

    sigma: standard deviation per coordinate in units of the messages' bound: of each client's noise, or, for
    *server-noise*, of the noise in the sum. delta: in (0, 1).
    Raises `ValueError` outside these domains. Where sampling is hidden and δ < 1e-9, or numbers fail: [0, ∞].
    """
    check_sigma(sigma)
    check_delta(delta)
    if setting.participation == 1:
        shift = gaussian_shift(setting, sigma)
        return Enclosure(
            gaussian_epsilon(delta, shift.lower).lower, gaussian_epsilon(delta, shift.upper).upper
        )
    if setting.trust == "messages":
        guess = visible_epsilon_guess(
            delta, setting.sensitivity, sigma, setting.rounds, setting.participation
        )
        return invert_decreasing(lambda e: _visible(setting, sigma, e), delta, guess, tolerance=1e-8)
    return sum_epsilon(setting, sigma, delta)


def upper_epsilon(setting: Setting, sigma: float, delta: float) -> float:
    """The upper side of `epsilon` alone, which is cheaper where sampling is hidden."""
    if setting.participation == 1 or setting.trust == "messages":
        return epsilon(setting, sigma, delta).upper
    check_sigma(sigma)
    check_delta(delta)
    return sum_epsilon(setting, sigma, delta, upper_only=True).upper


def delta(setting: Setting, sigma: float, epsilon: float) -> Enclosure:
    """The δ that noise σ gives at ε ≥ 0; see `epsilon`. An unknown δ is [0, 1]."""
    check_sigma(sigma)
    check_epsilon(epsilon, allow_zero=True)
    if setting.participation == 1:
        shift = gaussian_shift(setting, sigma)
        return Enclosure(
            gaussian_delta(epsilon, shift.lower).lower, gaussian_delta(epsilon, shift.upper).upper
        )
    if setting.trust == "messages":
        return _visible(setting, sigma, epsilon)
    return sum_delta(setting, sigma, epsilon)


def gaussian_shift(setting: Setting, sigma: float) -> Enclosure:
    """μ of all K rounds if everybody took part in each of them: s √K / σ, or s √K / (√n σ) in a sum of n
    noises.

    Rounded by one part in 10¹⁵ to both sides, so that ε and δ are not understated, nor their lower sides overstated."""
    spread = math.sqrt(setting.clients) if setting.trust in ("participants", "sum") else 1.0
    shift = setting.sensitivity * math.sqrt(setting.rounds) / (spread * sigma)
    return Enclosure(shift * (1 - 1e-15), shift * (1 + 1e-15))


def _visible(setting: Setting, sigma: float, at: float) -> Enclosure:
    return visible_delta(at, setting.sensitivity, sigma, setting.rounds, setting.participation)
