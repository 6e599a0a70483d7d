"""From ε to noise: the smallest σ, on the safe side."""

from __future__ import annotations

import math

from bounds.privacy.accounting import epsilon as epsilon_of
from bounds.privacy.enclosure import Enclosure
from bounds.privacy.gaussian import gaussian_mu
from bounds.privacy.setting import Setting, check_delta, check_epsilon

MAX_STEPS = 200


def noise(setting: Setting, epsilon: float, delta: float, tolerance: float = 1e-3) -> float:
    """A σ for which `epsilon(setting, σ, δ).upper <= epsilon` was checked; σ / (1 + tolerance) fails that
    check.

    σ is in the units of `bounds.privacy.epsilon`. Raises `ValueError` outside the domain, `ArithmeticError`
    if no noise could be certified.
    """
    check_epsilon(epsilon)
    check_delta(delta)
    high = _everybody(setting, epsilon, delta)
    for _ in range(MAX_STEPS):
        if _enough(setting, high, epsilon, delta):
            break
        high *= 1.01
    else:
        raise ArithmeticError(
            f"no noise up to σ = {high:.6g} could be certified for ({epsilon}, {delta})-DP in {setting}; "
            "where sampling is hidden δ must be at least 1e-9"
        )
    low = high
    while _enough(setting, low, epsilon, delta) and low > 1e-12 * high:
        high, low = low, low / 2
    for _ in range(MAX_STEPS):
        if high <= low * (1 + tolerance):
            break
        middle = math.sqrt(low * high)
        if _enough(setting, middle, epsilon, delta):
            high = middle
        else:
            low = middle
    return high


def _enough(setting: Setting, sigma: float, epsilon: float, delta: float) -> bool:
    found: Enclosure = epsilon_of(setting, sigma, delta)
    return found.upper <= epsilon


def _everybody(setting: Setting, epsilon: float, delta: float) -> float:
    """The noise that is enough if the client takes part, visibly, in every round, alone where the noise is
    shared."""
    spread = (
        math.sqrt(setting.clients)
        if setting.trust in ("participants", "sum") and setting.participation == 1
        else 1.0
    )
    return (
        setting.sensitivity
        * math.sqrt(setting.rounds)
        / (spread * gaussian_mu(epsilon, delta).lower)
        * (1 + 1e-12)
    )
