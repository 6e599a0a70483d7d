"""A privacy loss on a grid, composed with itself, with a bound on everything that floats add or take away.

A loss L with masses m_i at l_i = (first + i)·step and mass m_∞ at ∞ has the curve δ(ε) = m_∞ + Σ_i m_i (1 − e^(ε − l_i))₊.
Composition is monotone in these curves: δ of two rounds is the mean of the second's curve at ε − L over the first's L, so a round
whose curve errs by at most η costs at most K η in K rounds. u is the rounding of the floats in use (2⁻⁶⁴ where `longdouble`
has 80 bits). What is counted:

- one round: what a curve of `pairs` has beyond that of two equal laws is off by at most η = 64 u₅₃ (1 + reach) q, u₅₃ = 2⁻⁵³,
  where q is the probability that there is anything to see. Its few special functions err by some units in the last place of
  terms that are at most q, it is 1-Lipschitz in e^ε, and losses are at most `reach`. Equal laws are a loss of 0, which the grid
  has, so that their share of the masses is exact;
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


def curve_error(reach: float, scale: float = 1.0) -> float:
    """η: how far the float curve of one round can be from the true one; scale: the q of the pair."""
    return 64 * 2.0**-53 * (1 + reach) * scale


def probability_error(reach: float) -> float:
    """How far the float probability of losses beyond an end of a cell can be from the true one, relative to it, but for `NOTHING`:
    beyond t standard deviations Φ errs by some t² roundings of t, and where t > 8 what is there is below 6e-16."""
    return 16 * curve_error(reach)


NOTHING = 1e-25
"""8² u₅₃ 6e-16 is 5e-30."""


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
        first, last = self.window(rounds)
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

    def window(self, rounds: int) -> tuple[int, int]:
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

        # The search adds up cells in blocks, as if all were the farthest out: then some mass is beyond the centre, and a sum above 0.
        # What it finds is tried on all cells.
        starts = np.arange(0, len(masses), max(1, len(masses) // BLOCKS))
        blocks = np.add.reduceat(masses, starts)
        ends = []
        for side in (-1, 1):
            away = side * (cells - centre)
            farthest = np.maximum.reduceat(away, starts)
            # Below the first exponent no window is narrower than all there is; above the last e^… leaves the floats.
            least = -math.log(TAIL) / (rounds * len(masses))
            most = 700 / max(away[0], away[-1], 1)
            found: Any = minimize_scalar(
                lambda t, far=farthest: reached(math.exp(t), far, blocks),
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
        above, discounted = _sums(self.masses, self.step)
        return above[j], discounted[j]

    def _slack(self, above: Any) -> Any:
        return _slack(len(self.masses), above)


def _sums(masses: Array, step: float) -> tuple[Any, Any]:
    """`Losses._sums` for each j."""
    return np.cumsum(masses[::-1])[::-1], _discounted(masses, step)


def _discounted(terms: Array, step: float) -> Any:
    """Σ_{i≥j} t_i e^(l_j − l_i), for each j."""
    from scipy import signal  # half a second, which commands without hidden sampling need not wait for

    decay = np.exp(Float(-step))
    sums: Any = signal.lfilter([Float(1)], np.array([1, -decay], Float), terms[::-1])
    return sums[::-1]


def _curve(masses: Array, step: float) -> tuple[Any, Any, Any]:
    """Of masses of either sign: Σ m_i; Σ_{i≥j} m_i (1 − e^(l_j − l_i)) for each j; and what either can be off by.

    Summed by parts, (1 − e^(−step)) Σ_{k>j} A_k e^(l_j − l_{k−1}), with A_k = Σ_{i≥k} m_i: where masses that cancel stand close
    to each other the A are small, and so is what floats make of them. A sum in a row errs by u times the sizes of its partial
    sums, which are the A, and a mass by u of 1; the discounted sum by 4 u of itself in each step, its decay included."""
    partial = np.cumsum(masses[::-1])[::-1]
    tails = np.append(partial[1:], Float(0))
    sizes, share = np.abs(tails), -np.expm1(Float(-step))
    slack = 2 * UNIT * (2 + sizes.sum()) + 8 * UNIT * len(masses) * share * _discounted(sizes, step)
    return partial[0], share * _discounted(tails, step), slack


def _slack(cells: int, above: Any) -> Any:
    """What the sums over so many cells can be off by, relative to the larger; above: that of the masses' sizes."""
    return 8 * cells * UNIT * above


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
    rounding took from it is found by reading it back, and given to the mass at ∞.

    The curve of equal laws is the mass 1 at loss 0; what the pair's has beyond it adds to that mass and the others, and is read back
    by itself."""
    cells = max(1, math.ceil(reach / step))
    excess = np.clip(pair.excess(np.arange(-cells, cells + 1) * step), 0.0, 1.0).astype(Float)
    change, d = np.diff(excess), Float(step)
    grow = np.expm1(d)
    first = change[:1] / grow - excess[:1]
    inner = (change[1:] - change[:-1] * np.exp(d)) / grow
    last = -change[-1:] / -np.expm1(-d)
    masses = np.concatenate([first, inner, last])
    masses[cells] += 1
    masses = np.maximum(masses, 0)
    beyond = masses.copy()
    beyond[cells] -= 1
    total, found, slack = _curve(beyond, step)
    # The mass at ∞ counts at every ε; to the left of the grid nothing may be missing from 1.
    lost = max(float((excess - found + slack).max()), float(slack.max() - total), float(excess[-1]))
    return Losses(step, -cells, masses, lost + curve_error(reach, pair.scale), 0.0)


def optimistic(pair: Pair, reach: float, step: float) -> Losses:
    """A loss that the pair's exceeds: every loss rounded down, the tail above the grid moved to its end.

    A probability of losses beyond a cell's end that is off by x moves x from one cell to the next, and the curve by at most x · step:
    they are off by `probability_error`, `NOTHING` and, where the mass at 0 is what is left of 1, the last bits of 1."""
    cells = max(1, math.ceil(reach / step))
    ends = np.arange(cells + 1) * step
    above = np.minimum.accumulate(np.clip(pair.above(ends[1:]), 0.0, 1.0)).astype(Float)
    below = np.minimum.accumulate(np.clip(pair.below(-ends), 0.0, 1.0)).astype(Float)
    masses = np.concatenate(
        [(below[:-1] - below[1:])[::-1], 1 - below[:1] - above[:1], above - np.append(above[1:], Float(0))]
    )
    moved = float(above.sum() + below.sum()) * probability_error(reach) + len(masses) * NOTHING + 4 * UNIT
    return Losses(
        step, -cells, np.maximum(masses, 0), 0.0, curve_error(reach, pair.scale) + moved * min(step, 1.0)
    )
