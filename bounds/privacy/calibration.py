"""From ε to noise: the smallest σ, on the safe side."""

from __future__ import annotations

import math

from scipy.optimize import root_scalar

from bounds.privacy.accounting import upper_epsilon
from bounds.privacy.gaussian import gaussian_mu
from bounds.privacy.setting import Setting, check_delta, check_epsilon

MAX_STEPS = 200


def noise(setting: Setting, epsilon: float, delta: float, tolerance: float = 1e-3) -> float:
    """A σ at which `epsilon(setting, σ, δ).upper <= epsilon` was checked, within a factor 1 + tolerance of
    the smallest.

    σ is in the units of `bounds.privacy.epsilon`. Raises `ValueError` outside the domain, `ArithmeticError`
    if no noise could be certified.
    """
    check_epsilon(epsilon)
    check_delta(delta)

    def excess(log_sigma: float) -> float:
        """ln(ε had / ε wanted), kept finite so that a root can be searched for."""
        found = upper_epsilon(setting, math.exp(log_sigma), delta)
        return math.log(min(max(found / epsilon, 1e-12), 1e12))

    high = math.log(_everybody(setting, epsilon, delta))
    for _ in range(MAX_STEPS):
        if excess(high) <= 0:
            break
        high += 0.01
    else:
        raise ArithmeticError(
            f"no noise up to σ = {math.exp(high):.6g} could be certified for ({epsilon}, {delta})-DP in {setting}"
        )
    low = high - math.log(2)
    while excess(low) <= 0:
        high, low = low, low - math.log(2)
        if low < -700:
            return math.exp(high)
    root = root_scalar(excess, bracket=(low, high), method="brentq", xtol=tolerance / 4).root
    sigma = math.exp(root)
    while upper_epsilon(setting, sigma, delta) > epsilon:
        sigma *= 1 + tolerance / 4
    return sigma


def _everybody(setting: Setting, epsilon: float, delta: float) -> float:
    """The noise that is enough if the client takes part, visibly, in every round, with no other's noise to
    hide in unless all take part."""
    shared = setting.trust in ("participants", "sum") and setting.participation == 1
    spread = math.sqrt(setting.clients) if shared else 1.0
    mu = gaussian_mu(epsilon, delta).lower
    return setting.sensitivity * math.sqrt(setting.rounds) / (spread * mu) * (1 + 1e-12)
