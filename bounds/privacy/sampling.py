"""Sums of messages: the privacy loss of one round, discretised from both sides and composed (`bounds.privacy.losses`).

*server-noise* is the Poisson-subsampled Gaussian mechanism. In *participants* and *sum* the noise is that
of the m clients who took part, variance m σ², and m is no secret: in high dimension it is read off the
energy of the sum. So both sides are taken given m and mixed over m ~ Binomial(n, p); given m, a client is
one of the m with probability q = m/n.

- *participants*: whether it is one of them is seen, and the curve is that of `bounds.privacy.participants`.
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
from itertools import pairwise
from typing import Literal

import numpy as np

from bounds.privacy import pairs
from bounds.privacy.enclosure import Enclosure
from bounds.privacy.losses import Losses, optimistic, pessimistic
from bounds.privacy.pairs import Pair
from bounds.privacy.participants import participants_delta, participants_epsilon
from bounds.privacy.participation import Count, participations
from bounds.privacy.setting import Setting

CELLS = 1 << 11
"""Cells of one round's loss in the first, coarse pass."""
UPPER_SHARPNESS, LOWER_SHARPNESS = 50, 100
"""The second pass resolves ε to about this many steps, spread over the rounds (rounding down loses ε/200;
chords are exact to second order) ..."""
MAX_CELLS = 1 << 19
"""... as far as the composed loss then fits into this many cells."""
GROUPS = 32
"""Numbers of participants are taken in at most about so many groups, each of which costs a curve."""


Pass = Literal["both", "upper", "coarse"]
"""Which sides are computed: both, the upper one, or that one on the coarse grid alone; others are 0."""


def sum_epsilon(setting: Setting, sigma: float, delta: float, passes: Pass = "both") -> Enclosure:
    """ε(δ) of a setting in which the adversary sees sums, p < 1. A side that cannot be certified is 0 or ∞, as the upper one is
    for a δ below what rounding can add: in each round some 10⁻¹⁷ to 10⁻¹⁵ for its part in the composition, and for its curve
    64 · 2⁻⁵³ (1 + `loss_range`) times the probability that the client's message is in it."""
    if setting.trust == "participants":
        return participants_epsilon(setting, sigma, delta, both=passes == "both")
    hidden = _refined(setting, sigma, lambda found, side: found.epsilon(delta, side), None, passes)
    if setting.trust == "server-noise":
        return hidden
    seen = participants_epsilon(setting, sigma, delta, both=False).upper
    return Enclosure(hidden.lower, max(hidden.lower, min(hidden.upper, seen)))


def sum_delta(setting: Setting, sigma: float, epsilon: float) -> Enclosure:
    """δ(ε) of a setting in which the adversary sees sums, p < 1; a side that cannot be certified is 0 or 1."""
    if setting.trust == "participants":
        return participants_delta(setting, sigma, epsilon)
    found = _refined(setting, sigma, lambda found, side: found.delta(epsilon, side), max(epsilon, 1e-3))
    lower, upper = min(found.lower, 1.0), min(found.upper, 1.0)
    if setting.trust == "sum":
        upper = max(lower, min(upper, participants_delta(setting, sigma, epsilon).upper))
    return Enclosure(lower, upper)


Read = Callable[[Losses, int], float]


def _refined(
    setting: Setting, sigma: float, read: Read, scale: float | None, passes: Pass = "both"
) -> Enclosure:
    """Read the composed losses on a coarse grid, then on one fitted to `scale`, or else to the ε found on the first."""
    reach = loss_range(setting, sigma)
    step = 2 * reach / CELLS
    dominating = upper_round(setting, sigma)

    def most(step: float) -> float:
        return max(read(pessimistic(pair, reach, step).composed(setting.rounds), 1) for pair in dominating)

    coarse = _certified(most, step, math.inf)
    if passes == "coarse":
        return Enclosure(0.0, coarse)
    fitted = scale or coarse
    fine = _step(fitted, reach, setting.rounds, UPPER_SHARPNESS, step)
    upper = min(coarse, _certified(most, fine, math.inf))
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


def _step(epsilon: float, reach: float, rounds: int, sharpness: int, coarse: float) -> float:
    """A grid for this ε, no coarser than the first and no finer than `MAX_CELLS` allows."""
    if not (math.isfinite(epsilon) and epsilon > 0):
        return coarse
    return min(coarse, max(epsilon / (sharpness * rounds), 4 * (epsilon + reach) / MAX_CELLS))


def upper_round(setting: Setting, sigma: float) -> list[Pair]:
    """What dominates one round in every data set: the curves of the directions that have to be covered."""
    if setting.trust == "server-noise":
        return _poisson(setting, sigma)
    return [_over_participants(setting, True, lambda q, m: pairs.Substituted(q, 2 / (math.sqrt(m) * sigma)))]


def lower_rounds(setting: Setting, sigma: float) -> list[Pair]:
    """Pairs that some data set attains."""
    if setting.trust == "server-noise":
        return _poisson(setting, sigma)
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
    if setting.neighbours == "replace-one":
        return [pairs.Replaced(p, 1 / sigma)]
    return [pairs.Removed(p, 1 / sigma), pairs.Added(p, 1 / sigma)]


def _over_participants(setting: Setting, upper: bool, of: Callable[[float, int], Pair]) -> Pair:
    """The mixture over the number m of participants of the pair for sampling rate q = m/n and m noises.

    Where m takes many values they are taken in groups, with the group's extremes of q and m on the safe
    side."""
    counts, left_out = participations(setting.clients, setting.participation)
    weighted: list[tuple[float, Pair]] = [(left_out, pairs.Revealed())] if upper else []
    for group in _groups([count for count in counts if count.most]):
        few, many = max(1, group[0].n), group[-1].most
        rate, noises = (many, few) if upper else (few, many)
        weight = sum(count.upper if upper else count.lower for count in group)
        weighted.append((weight, of(rate / setting.clients, noises)))
    return pairs.Mixture(tuple(weighted))


def _groups(counts: list[Count]) -> list[list[Count]]:
    """At most about `GROUPS` groups of neighbours. A group costs its weight times how far apart its ln m are. So half of the
    borders lie evenly in ln m, and half as the root of the weight does, which is how a sum of weights times widths is least."""
    if len(counts) <= GROUPS:
        return [[count] for count in counts]
    logs = np.log([max(1, count.n) for count in counts])
    roots = np.cumsum(np.sqrt([count.upper for count in counts]))
    place = (logs - logs[0]) / (logs[-1] - logs[0]) + roots / roots[-1]
    starts = np.flatnonzero(np.diff((place * GROUPS / 2).astype(int), prepend=-1))
    return [counts[a:b] for a, b in pairwise([*starts.tolist(), len(counts)])]


def loss_range(setting: Setting, sigma: float) -> float:
    """A loss that one round exceeds with probability below 1e-20 or so; what lies beyond counts as
    infinite."""
    shift = (2.0 if setting.trust != "server-noise" else setting.sensitivity) / sigma
    return shift**2 / 2 + 9.5 * shift
