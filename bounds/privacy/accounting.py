"""From noise to ε and δ."""

from __future__ import annotations

import math
from collections.abc import Callable

from bounds.privacy.enclosure import UNKNOWN, Enclosure, invert_decreasing
from bounds.privacy.gaussian import gaussian_delta, gaussian_epsilon
from bounds.privacy.participation import NEGLIGIBLE, negligible, visible_delta, visible_epsilon_guess
from bounds.privacy.sampling import sum_delta, sum_epsilon
from bounds.privacy.setting import Setting, check_delta, check_epsilon, check_setting, check_sigma


def epsilon(setting: Setting, sigma: float, delta: float) -> Enclosure:
    """The ε that noise σ gives at δ.

    sigma: standard deviation per coordinate in units of the messages' bound: of each client's noise, or, for
    *server-noise*, of the noise in the sum. delta: in (0, 1).
    Raises `ValueError` outside these domains. A lower side that cannot be certified is 0. An upper side of hidden sampling that
    cannot is replaced by that of an adversary who sees every message, which is far larger.
    """
    check_setting(setting)
    sigma, delta = check_sigma(sigma), check_delta(delta)
    if setting.participation == 1:
        shift = gaussian_shift(setting, sigma)
        return Enclosure(
            gaussian_epsilon(delta, shift.lower).lower, gaussian_epsilon(delta, shift.upper).upper
        )
    if setting.trust == "messages":
        return _visible_epsilon(setting, sigma, delta)
    found = _summed(lambda: sum_epsilon(setting, sigma, delta), UNKNOWN)
    return found if found.known else Enclosure(found.lower, _visible_epsilon(setting, sigma, delta).upper)


def upper_epsilon(setting: Setting, sigma: float, delta: float, coarse: bool = False) -> float:
    """The upper side of `epsilon` alone, which is cheaper where sampling is hidden; `coarse`: on a coarse grid, cheaper still, and
    no smaller."""
    if setting.participation == 1 or setting.trust == "messages":
        return epsilon(setting, sigma, delta).upper
    sigma, delta = check_sigma(sigma), check_delta(delta)
    found = _summed(lambda: sum_epsilon(setting, sigma, delta, "coarse" if coarse else "upper"), UNKNOWN)
    return found.upper if found.known else _visible_epsilon(setting, sigma, delta).upper


def delta(setting: Setting, sigma: float, epsilon: float) -> Enclosure:
    """The δ that noise σ gives at ε ≥ 0; see `epsilon`. An unknown δ is [0, 1]."""
    check_setting(setting)
    sigma, epsilon = check_sigma(sigma), check_epsilon(epsilon, allow_zero=True)
    if setting.participation == 1:
        shift = gaussian_shift(setting, sigma)
        return Enclosure(
            gaussian_delta(epsilon, shift.lower).lower, gaussian_delta(epsilon, shift.upper).upper
        )
    if setting.trust == "messages":
        return _visible(setting, sigma, epsilon)
    found = _summed(lambda: sum_delta(setting, sigma, epsilon), Enclosure(0.0, 1.0))
    if found.upper < 1:
        return found
    return Enclosure(found.lower, max(found.lower, _visible(setting, sigma, epsilon).upper))


def gaussian_shift(setting: Setting, sigma: float) -> Enclosure:
    """μ of all K rounds if everybody took part in each of them: s √K / σ, or s √K / (√n σ) in a sum of n
    noises.

    Rounded by one part in 10¹⁵ to both sides, so that ε and δ are not understated, nor their lower sides overstated."""
    spread = math.sqrt(setting.clients) if setting.trust in ("participants", "sum") else 1.0
    shift = setting.sensitivity * math.sqrt(setting.rounds) / (spread * sigma)
    return Enclosure(shift * (1 - 1e-15), shift * (1 + 1e-15))


def _summed(find: Callable[[], Enclosure], unknown: Enclosure) -> Enclosure:
    """What is found of sums; `unknown` where floats or memory end on the way."""
    try:
        return find()
    except (ArithmeticError, MemoryError):
        return unknown


def _visible_epsilon(setting: Setting, sigma: float, delta: float) -> Enclosure:
    """ε where every message is seen; its upper side holds for every `Trust`, because who sees the messages can form the sum,
    and the noise in it is at least that of the client's own message."""
    guess = visible_epsilon_guess(delta, setting.sensitivity, sigma, setting.rounds, setting.participation)
    if math.isinf(guess):
        return UNKNOWN
    left = negligible(delta)
    return invert_decreasing(lambda e: _visible(setting, sigma, e, left), delta, guess, tolerance=1e-8)


def _visible(setting: Setting, sigma: float, at: float, left: float = NEGLIGIBLE) -> Enclosure:
    return visible_delta(at, setting.sensitivity, sigma, setting.rounds, setting.participation, left)
