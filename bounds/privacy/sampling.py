"""Sums of messages: the privacy loss of one round, discretised from both sides and composed (`bounds.privacy.losses`).

*server-noise* is the Poisson-subsampled Gaussian mechanism. In *participants* and *sum* the noise is that
of the m clients who took part, variance m σ², and m is no secret: in high dimension it is read off the
energy of the sum. So both sides are taken given m and mixed over m ~ Binomial(n, p); given m, a client is
one of the m with probability q = m/n.

- *participants*: visibly so, and then its message moves N(0, m σ²) by the sensitivity.
- *sum*, upper side: the participants are m of the n clients, drawn without replacement. Whoever stands in
  the client's place sends a message at distance at most 2. By advanced joint convexity δ'(ln(1 + q (e^ε −
  1))) ≤ q δ(ε; 2/(√m σ)) (Balle, Barthe and Gaboardi 2018, Theorem 2), in both directions, hence
  `pairs.Substituted`. Composing each direction alone would understate ε (Lebeda et al. 2024). Rounds compose because no
  message tells what was hidden in an earlier one: it depends on what was seen alone, as in Fed-α-NormEC's Algorithm 1, where
  all clients update their memories. An adversary who also sees who took part is at least as strong, so the smaller of the
  two ε counts.
- *sum*, lower side: a data set whose other clients send zero; and for replace-one, both ways, one whose other clients all send what
  the client sends before it is turned around. In a single round that one attains the upper side.

An upper side is the connect-the-dots discretisation (Doroshenko et al. 2022), a lower side rounds each loss
down.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Literal

import numpy as np

from bounds.privacy import pairs
from bounds.privacy.enclosure import Enclosure
from bounds.privacy.losses import Losses, optimistic, pessimistic
from bounds.privacy.pairs import Pair
from bounds.privacy.participation import participations
from bounds.privacy.setting import Setting

CELLS = 1 << 11
"""Cells of one round's loss in the first, coarse pass."""
UPPER_SHARPNESS, LOWER_SHARPNESS = 50, 100
"""The second pass resolves ε to about this many steps, spread over the rounds (rounding down loses ε/200;
chords are exact to second order) ..."""
MAX_CELLS = 1 << 19
"""... as far as the composed loss then fits into this many cells."""
GROUPS = 32
"""Numbers of participants are taken in at most so many groups."""


Pass = Literal["both", "upper", "coarse"]
"""Which sides are computed: both, the upper one, or that one on the coarse grid alone; others are 0."""


def sum_epsilon(setting: Setting, sigma: float, delta: float, passes: Pass = "both") -> Enclosure:
    """ε(δ) of a setting in which the adversary sees sums. A side that cannot be certified is 0 or ∞, as the upper one is for
    a δ below what rounding can add in all rounds (some 10⁻¹⁴ of each)."""
    return _refined(setting, sigma, lambda found, side: found.epsilon(delta, side), None, passes)


def sum_delta(setting: Setting, sigma: float, epsilon: float) -> Enclosure:
    """δ(ε) of a setting in which the adversary sees sums; a side that cannot be certified is 0 or 1."""
    found = _refined(setting, sigma, lambda found, side: found.delta(epsilon, side), max(epsilon, 1e-3))
    return Enclosure(min(found.lower, 1.0), min(found.upper, 1.0))


Read = Callable[[Losses, int], float]


def _refined(
    setting: Setting, sigma: float, read: Read, scale: float | None, passes: Pass = "both"
) -> Enclosure:
    """Read the composed losses on a coarse grid, then on one fitted to `scale`, or else to the ε found on the first."""
    reach = loss_range(setting, sigma)
    step = 2 * reach / CELLS
    uppers = upper_rounds(setting, sigma)
    coarse = _certified(lambda step: _least(uppers, setting.rounds, reach, step, read), step, math.inf)
    if passes == "coarse":
        return Enclosure(0.0, coarse)
    fitted = scale or coarse
    fine = _step(fitted, reach, setting.rounds, UPPER_SHARPNESS, step)
    upper = min(
        coarse, _certified(lambda step: _least(uppers, setting.rounds, reach, step, read), fine, math.inf)
    )
    if passes == "upper":
        return Enclosure(0.0, upper)
    fine = _step(fitted, reach, setting.rounds, LOWER_SHARPNESS, step)
    lower = _certified(
        lambda step: max(
            read(optimistic(pair, reach, step).composed(setting.rounds), -1)
            for pair in lower_rounds(setting, sigma)
        ),
        fine,
        0.0,
    )
    return Enclosure(lower, upper)


def _certified(side: Callable[[float], float], step: float, unknown: float) -> float:
    """A side on a grid of this step, coarser where it has too many cells; what says nothing where floats fail."""
    for widening in (1, 2, 4, 8):
        try:
            with warnings.catch_warnings(), np.errstate(over="ignore", under="ignore"):
                warnings.simplefilter("error")
                found = side(step * widening)
            return unknown if math.isnan(found) else found
        except MemoryError:
            continue
        except (ArithmeticError, ValueError, RuntimeWarning):
            return unknown
    return unknown


def _least(ways: list[list[Pair]], rounds: int, reach: float, step: float, read: Read) -> float:
    """The best of the ways to dominate, each the worst of its directions."""
    return min(max(read(pessimistic(pair, reach, step).composed(rounds), 1) for pair in way) for way in ways)


def _step(epsilon: float, reach: float, rounds: int, sharpness: int, coarse: float) -> float:
    """A grid for this ε, no coarser than the first and no finer than `MAX_CELLS` allows."""
    if not (math.isfinite(epsilon) and epsilon > 0):
        return coarse
    return min(coarse, max(epsilon / (sharpness * rounds), 4 * (epsilon + reach) / MAX_CELLS))


def upper_rounds(setting: Setting, sigma: float) -> list[list[Pair]]:
    """Ways to dominate one round in every data set; each is the curves of the directions that it has to
    cover."""
    s = setting.sensitivity
    if setting.trust == "server-noise":
        return [_poisson(setting, sigma)]
    seen = _over_participants(setting, True, lambda q, m: pairs.Visible(q, s / (math.sqrt(m) * sigma)))
    if setting.trust == "participants" or setting.participation == 1:
        return [[seen]]
    hidden = _over_participants(setting, True, lambda q, m: pairs.Substituted(q, 2 / (math.sqrt(m) * sigma)))
    return [[seen], [hidden]]


def lower_rounds(setting: Setting, sigma: float) -> list[Pair]:
    """Pairs that some data set attains."""
    s = setting.sensitivity
    if setting.trust == "server-noise":
        return _poisson(setting, sigma)
    if setting.trust == "participants" or setting.participation == 1:
        return [_over_participants(setting, False, lambda q, m: pairs.Visible(q, s / (math.sqrt(m) * sigma)))]
    if setting.neighbours == "replace-one":
        kinds = [(pairs.Replaced, 1), (pairs.Removed, 2), (pairs.Added, 2)]
    else:
        kinds = [(pairs.Removed, 1), (pairs.Added, 1)]
    return [
        _over_participants(setting, False, lambda q, m, k=kind, far=far: k(q, far / (math.sqrt(m) * sigma)))
        for kind, far in kinds
    ]


def _poisson(setting: Setting, sigma: float) -> list[Pair]:
    p = setting.participation
    if p == 1:
        return [pairs.Visible(1.0, setting.sensitivity / sigma)]
    if setting.neighbours == "replace-one":
        return [pairs.Replaced(p, 1 / sigma)]
    return [pairs.Removed(p, 1 / sigma), pairs.Added(p, 1 / sigma)]


def _over_participants(setting: Setting, upper: bool, of: Callable[[float, int], Pair]) -> Pair:
    """The mixture over the number m of participants of the pair for sampling rate q = m/n and m noises.

    Where m takes many values they are taken in groups, with the group's extremes of q and m on the safe
    side."""
    counts, left_out = participations(setting.clients, setting.participation)
    counts = [count for count in counts if count.most]
    size = max(1, -(-len(counts) // GROUPS))
    weighted: list[tuple[float, Pair]] = [(left_out, pairs.Revealed())] if upper else []
    for start in range(0, len(counts), size):
        group = counts[start : start + size]
        few, many = max(1, group[0].n), group[-1].most
        rate, noises = (many, few) if upper else (few, many)
        weight = sum(count.upper if upper else count.lower for count in group)
        weighted.append((weight, of(rate / setting.clients, noises)))
    return pairs.Mixture(tuple(weighted))


def loss_range(setting: Setting, sigma: float) -> float:
    """A loss that one round exceeds with probability below 1e-20 or so; what lies beyond counts as
    infinite."""
    shift = (2.0 if setting.trust != "server-noise" else setting.sensitivity) / sigma
    return shift**2 / 2 + 9.5 * shift
