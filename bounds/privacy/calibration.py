"""From ε to noise: the smallest σ, on the safe side."""

from __future__ import annotations

import math
from functools import cache

from scipy.optimize import root_scalar

from bounds.privacy.accounting import upper_epsilon
from bounds.privacy.gaussian import certified_mu
from bounds.privacy.setting import Setting, check_delta, check_epsilon, check_setting
from bounds.scalars import plain

MAX_STEPS = 200
FINEST = 1e-9
"""The finest tolerance: curves are known to some 12 digits."""


def noise(setting: Setting, epsilon: float, delta: float, tolerance: float = 1e-3) -> float:
    """A σ at which `epsilon(setting, σ, δ).upper <= epsilon` was checked, within a factor 1 + tolerance of
    the smallest at which it is so.

    Where the two sides of `epsilon` meet, that is the smallest noise there is: for *messages*, for p = 1, and for *participants* but
    for some 1e-3 (their grid; up to 1 % beyond 10⁵ rounds of taking part). *server-noise* is off by what the discretisation costs,
    *sum* by what is not known of hidden participants. Both sides say how much.

    σ is in the units of `bounds.privacy.epsilon`; tolerance is in [1e-9, 1]. Raises `ValueError` outside the domain, `ArithmeticError`
    if no noise could be certified.
    """
    check_setting(setting)
    epsilon, delta, tolerance = check_epsilon(epsilon), check_delta(delta), _check_tolerance(tolerance)
    p, rounds = setting.participation, setting.rounds
    if p < 1 and (sends := -math.expm1(rounds * math.log1p(-p))) <= delta:
        raise ValueError(
            f"no noise is needed: in {rounds} rounds a client sends anything at all with probability {sends:.6g} <= δ = {delta}; "
            "leave ε out"
        )

    @cache  # a search for a root asks anew for the ends that it is given and for what it ends at
    def had(log_sigma: float, coarse: bool) -> float:
        return upper_epsilon(setting, math.exp(log_sigma), delta, coarse)

    def excess(log_sigma: float, coarse: bool) -> float:
        """ln(ε had / ε wanted), kept finite so that a root can be searched for."""
        return math.log(min(max(had(log_sigma, coarse) / epsilon, 1e-12), 1e12))

    high = math.log(_everybody(setting, epsilon, delta))
    for _ in range(MAX_STEPS):
        if excess(high, coarse=True) <= 0:
            break
        high += 0.01
    else:
        raise ArithmeticError(
            f"no noise σ up to {math.exp(high):.6g} could be certified for ({epsilon}, {delta})-DP in {setting}"
        )

    def least(high: float, stride: float, width: float, coarse: bool) -> float:
        """ln of the least σ that is enough, up to `width`; that of `high` is."""
        low = high - stride
        while excess(low, coarse) <= 0:
            if low < -700:
                return low
            high, low, stride = low, low - 2 * stride, 2 * stride
        return root_scalar(excess, (coarse,), bracket=(low, high), method="brentq", xtol=width).root

    # Coarse grids ask for a little more noise and cost a fraction: they say where the search on fine ones begins.
    near = least(high, math.log(2), 0.01, coarse=True) + 0.02
    near = near if excess(near, coarse=False) <= 0 else high
    log_sigma = least(near, 0.04, tolerance / 4, coarse=False)
    while had(log_sigma, False) > epsilon:
        log_sigma += tolerance / 4
    return math.exp(log_sigma)


def _everybody(setting: Setting, epsilon: float, delta: float) -> float:
    """The noise that is enough if the client takes part, visibly, in every round, with no other's noise to
    hide in unless all take part."""
    shared = setting.trust in ("participants", "sum") and setting.participation == 1
    spread = math.sqrt(setting.clients) if shared else 1.0
    mu = certified_mu(epsilon, delta)
    return setting.sensitivity * math.sqrt(setting.rounds) / (spread * mu) * (1 + 1e-12)


def _check_tolerance(tolerance: float) -> float:
    found = plain(tolerance)
    if not FINEST <= found <= 1:
        raise ValueError(f"tolerance = {tolerance} is outside its domain [{FINEST}, 1]")
    return float(found)
