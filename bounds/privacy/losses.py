"""A privacy loss on a grid, composed with itself, with a bound on everything that floats add or take away.

A loss L with masses m_i at l_i = (first + i)·step and mass m_∞ at ∞ has the curve δ(ε) = m_∞ + Σ_i m_i (1 − e^(ε − l_i))₊.
Composition is monotone in these curves: δ of two rounds is the mean of the second's curve at ε − L over the first's L, so a round
whose curve errs by at most η costs at most K η in K rounds. u is the rounding of the floats in use (2⁻⁶⁴ where `longdouble`
has 80 bits). What is counted:

- one round: a curve of `pairs` is off by at most η = 64 u₅₃ (1 + reach), u₅₃ = 2⁻⁵³. Its few special functions err by some
  units in the last place, a curve is 1-Lipschitz in e^ε, and losses are at most `reach`;
- the Fourier transform of masses of sum at most 1: each of its values is a sum that is built in log₂ n halvings, and errs by
  e = 8 u log₂ n at most (Higham 2002, Theorem 24.2 and its proof; 8 covers radices up to 11 and their twiddle factors);
- the K-th power: K e (|z| + e)^(K−1), and 32 u K |z|^K for at most 2 log₂ K products, each of which errs by 3 u of what it
  gives and by K times that in the power at most;
- the transform back: 8 u log₂ n of the norm. By Parseval and Cauchy-Schwarz Σ |error of a mass| is at most the 2-norm of the
  errors of the transform;
- the window: Chernoff's bound leaves `TAIL` outside, which the transform wraps around.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import fft
from scipy.optimize import minimize_scalar

from bounds.privacy.pairs import Array, Pair

TAIL = 1e-18
MAX_CELLS = 1 << 22
"""Cells of a composed loss; more would need gigabytes."""
BLOCKS = 512
"""Cells of the loss in which a window is searched for."""
Float = np.longdouble
UNIT = float(np.finfo(Float).eps) / 2
DOWN, UP = 1 - 1e-14, 1 + 1e-14
"""For the last few roundings of an ε."""


def curve_error(reach: float) -> float:
    """η: how far the float curve of one round can be from the true one."""
    return 64 * 2.0**-53 * (1 + reach)


@dataclass(frozen=True)
class Losses:
    """masses: `longdouble`, shape (cells,), ≥ 0. infinite: the mass at ∞. error: the curve is right up to this."""

    step: float
    first: int
    masses: Array
    infinite: float
    error: float

    def composed(self, rounds: int) -> Losses:
        """The loss of `rounds` rounds. Raises `MemoryError` where it needs more than `MAX_CELLS`."""
        if rounds == 1:
            return self
        first, last = self._window(rounds)
        cells = last - first + 1
        if cells < 1:
            raise ArithmeticError("no cell is left of a loss whose grid leaves the floats")
        if max(cells, len(self.masses)) > MAX_CELLS:
            raise MemoryError(f"{cells} cells")
        n: Any = fft.next_fast_len(max(cells, len(self.masses)), real=True)
        z: Any = fft.rfft(self.masses, n)
        total = float(self.masses.sum())
        e = 8 * UNIT * math.log2(n) * total
        power = _power(z, rounds)
        # In doubles: off by 2⁻⁵⁰ of itself at most, `rounds` times that in the power.
        size = np.abs(z.astype(complex)) + e
        slope = (e + 32 * UNIT) * rounds * np.exp((rounds - 1) * np.log(size) + rounds * 2.0**-50)
        norm, wrong = (math.sqrt(2) * float(np.linalg.norm(v)) for v in (power, slope))
        back: Any = fft.irfft(power, n)
        masses = np.roll(back, -first % n)[:cells]
        negative = -float(np.minimum(masses, 0).sum())
        return replace(
            self,
            first=self.first * rounds + first,
            masses=np.maximum(masses, 0),
            infinite=-math.expm1(rounds * math.log1p(-min(self.infinite, 1 - 1e-16))),
            error=rounds * self.error * max(1.0, total) ** rounds + wrong + e * norm + negative
            + 4 * TAIL,
        )  # fmt: skip

    def _window(self, rounds: int) -> tuple[int, int]:
        """First and last cell of the sum of `rounds` losses, but for `TAIL`: Chernoff's bound on either side, at the exponent
        that a search finds best; any exponent is sound."""
        masses = self.masses.astype(float)
        cells = np.arange(len(masses))
        centre = round(float(masses @ cells) / float(masses.sum()))
        # Of a sum of exponentials of numbers up to 700, in its logarithm.
        rounding = (len(masses) + 2000) * 2.0**-53

        def reached(exponent: float, away: Array, masses: Array) -> float:
            grown = math.log(float(np.exp(exponent * away) @ masses))
            return (rounds * (grown + rounding) + math.log(2 / TAIL)) / exponent

        # The search adds up cells in blocks: what it finds is tried on all of them.
        starts = np.arange(0, len(masses), max(1, len(masses) // BLOCKS))
        blocks = np.add.reduceat(masses, starts)
        ends = []
        for side in (-1, 1):
            away = side * (cells - centre)
            # Below the first exponent no window is narrower than all there is; above the last e^… leaves the floats.
            least = -math.log(TAIL) / (rounds * len(masses))
            most = 700 / max(away[0], away[-1], 1)
            found: Any = minimize_scalar(
                lambda t, near=away[starts]: reached(math.exp(t), near, blocks),
                bounds=(math.log(least), math.log(most)), method="bounded", options={"xatol": 1e-2},
            )  # fmt: skip
            end = reached(math.exp(float(found.x)), away, masses)
            ends.append(math.ceil(min(end, rounds * (len(masses) - 1.0))) + 1)
        return max(rounds * centre - ends[0], 0), min(rounds * centre + ends[1], rounds * (len(masses) - 1))

    def delta(self, epsilon: float, side: int) -> float:
        """δ(ε), ε ≥ 0, certainly not below (side = 1) or not above (side = −1) that of the loss."""
        at = epsilon * (DOWN if side > 0 else UP)
        j = math.ceil(at / self.step) - self.first
        if j >= len(self.masses):
            value = 0.0
        else:
            above, discounted = self._sums(max(j, 0))
            value = above - discounted * math.exp(min(at - self._at(max(j, 0)), 0.0))
            value += side * self._slack(above)
        return min(1.0, max(0.0, float(self.infinite + value + side * self.error)))

    def epsilon(self, delta: float, side: int) -> float:
        """The ε ≥ 0 at which the curve is δ: certainly enough (side = 1; ∞ where none is), certainly too little (side = −1)."""
        level = delta - self.infinite - side * self.error
        if level <= 0:  # above the curve there is nothing left to give
            return math.inf
        above, discounted = self._sums()
        slack = side * self._slack(above)
        high = np.flatnonzero(above - discounted + slack > level)
        j = int(high[-1]) + 1 if len(high) else 0
        if j == 0 or j == len(self.masses):
            return max(0.0, self._at(j) if side > 0 else self._at(j - 1) if j else 0.0)
        share = float((above[j] + slack[j] - level) / discounted[j]) if discounted[j] > 0 else 1.0
        inside = self._at(j) + math.log(share) if share > 0 else -math.inf
        return max(0.0, min(max(inside, self._at(j - 1)), self._at(j)) * (UP if side > 0 else DOWN))

    def _at(self, j: int) -> float:
        return (self.first + j) * self.step

    def _sums(self, j: int | slice = slice(None)) -> tuple[Any, Any]:
        """Σ_{i≥j} m_i and Σ_{i≥j} m_i e^(l_j − l_i), for each j or one."""
        from scipy import signal  # half a second, which commands without hidden sampling need not wait for

        backwards = self.masses[::-1]
        above = np.cumsum(backwards)[::-1]
        decay = np.exp(Float(-self.step))
        sums: Any = signal.lfilter([Float(1)], np.array([1, -decay], Float), backwards)
        discounted = sums[::-1]
        return above[j], discounted[j]

    def _slack(self, above: Any) -> Any:
        """What the sums over n cells can be off by, relative to the larger."""
        return 8 * len(self.masses) * UNIT * above


def _power(z: Any, k: int) -> Any:
    """z^k, k ≥ 1, by repeated squaring."""
    found = None
    while True:
        if k & 1:
            found = z if found is None else found * z
        k >>= 1
        if not k:
            return found
        z = z * z


def pessimistic(pair: Pair, reach: float, step: float) -> Losses:
    """A loss whose curve lies on or above the pair's: exact at the grid, chords in e^ε between (Doroshenko et al. 2022). What
    rounding took from it is found by reading it back, and given to the mass at ∞."""
    cells = max(1, math.ceil(reach / step))
    deltas = np.minimum.accumulate(np.clip(pair.delta(np.arange(-cells, cells + 1) * step), 0.0, 1.0))
    change, d = np.diff(deltas.astype(Float)), Float(step)
    grow = np.expm1(d)
    first = 1 - deltas[:1] + change[:1] / grow
    inner = (change[1:] - change[:-1] * np.exp(d)) / grow
    last = -change[-1:] / -np.expm1(-d)
    masses = np.maximum(np.concatenate([first, inner, last]), 0)
    found = Losses(step, -cells, masses, float(deltas[-1]), 0.0)
    above, discounted = found._sums()
    short = max(
        float((deltas - (above - discounted + deltas[-1]) + found._slack(above)).max()),
        1 - float(above[0]) - float(deltas[-1]),
        0.0,
    )
    return replace(found, infinite=float(deltas[-1]) + short + curve_error(reach))


def optimistic(pair: Pair, reach: float, step: float) -> Losses:
    """A loss that the pair's exceeds: every loss rounded down, the tail above the grid moved to its end."""
    cells = max(1, math.ceil(reach / step))
    grid = np.arange(-cells, cells + 1) * step
    survival = np.minimum.accumulate(np.clip(pair.survival(grid - 1e-12 * step), 0.0, 1.0))
    masses = (survival - np.append(survival[1:], 0.0)).astype(Float)
    return Losses(step, -cells, masses, 0.0, curve_error(reach))
