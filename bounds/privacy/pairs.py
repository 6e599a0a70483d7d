"""One round against two neighbours: pairs of laws of one number, and their exact hockey-stick curves.

For laws P and Q whose privacy loss L = ln(dP/dQ) is monotone in the observation, the loss exceeds ε beyond a
threshold, and with S_P(ε), S_Q(ε) the probabilities of that event

    δ(ε) = S_P(ε) − e^ε S_Q(ε),     ε real.

Where a message is rarely there, all of this is close to what two equal laws have: δ(ε) = (1 − e^ε)₊, L = 0. A pair gives what it has
beyond that, so that floats err by their share of it and not of 1: with q the probability of the message they are off by q times
what `bounds.privacy.losses` counts. From the pair turned around, δ(ε) = 1 − e^ε + e^ε δ'(−ε): for ε < 0 the excess is e^ε times
the other's at −ε.

All pairs are Gaussian with unit variance; shifts are in units of the noise. Functions take arrays of ε and
return arrays of the same shape.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr, ndtr

Array = np.ndarray


class Pair(ABC):
    """Two laws of what is seen of a round."""

    @property
    @abstractmethod
    def scale(self) -> float:
        """The probability that there is anything to tell the two by: no excess is larger."""

    @abstractmethod
    def excess(self, e: Array) -> Array:
        """δ(ε) − (1 − e^ε)₊."""

    @abstractmethod
    def above(self, e: Array) -> Array:
        """P(L > ε) for ε ≥ 0."""

    @abstractmethod
    def below(self, e: Array) -> Array:
        """P(L < ε) for ε ≤ 0."""

    def delta(self, e: Array) -> Array:
        """The curve δ(ε)."""
        return self.excess(e) + np.maximum(0.0, -np.expm1(np.minimum(e, 0.0)))


@dataclass(frozen=True)
class Revealed(Pair):
    """Everything is seen: δ = 1 at every ε."""

    @property
    def scale(self) -> float:
        return 1.0

    def excess(self, e: Array) -> Array:
        return np.exp(np.minimum(e, 0.0))

    def above(self, e: Array) -> Array:
        return np.ones_like(e)

    def below(self, e: Array) -> Array:
        return np.zeros_like(e)


@dataclass(frozen=True)
class _Shifted(Pair):
    """q: the probability that the client's message is there. shift: how far it moves the mean."""

    q: float
    shift: float

    @property
    def scale(self) -> float:
        return self.q


class Removed(_Shifted):
    """(1 − q) N(0, 1) + q N(shift, 1) against N(0, 1)."""

    def excess(self, e: Array) -> Array:
        there = np.maximum(0.0, self.q + np.expm1(np.minimum(e, 0.0)))  # q e^inner for ε ≤ 0
        return there * _gaussian(np.abs(_inner(e, self.q)), self.shift)

    def above(self, e: Array) -> Array:
        return self._beyond(-_threshold(e, self.q, self.shift), self.shift)

    def below(self, e: Array) -> Array:
        return self._beyond(_threshold(e, self.q, self.shift), -self.shift)

    def _beyond(self, t: Array, shift: float) -> Array:
        return (1 - self.q) * ndtr(t) + self.q * ndtr(t + shift)


class Added(_Shifted):
    """N(0, 1) against (1 − q) N(0, 1) + q N(shift, 1): the pair above, reversed."""

    def excess(self, e: Array) -> Array:
        with np.errstate(divide="ignore"):
            rare = np.log1p(-self.q)
        lost = -np.expm1(np.minimum(np.maximum(e, 0.0) + rare, 0.0))  # q e^(ε + inner), ε ≥ 0
        there = np.where(e > 0, lost, self.q * np.exp(np.minimum(e, 0.0)))
        return there * _gaussian(np.abs(_inner(-e, self.q)), self.shift)

    def above(self, e: Array) -> Array:
        return ndtr(_threshold(-e, self.q, self.shift))

    def below(self, e: Array) -> Array:
        return ndtr(-_threshold(-e, self.q, self.shift))


class Substituted(_Shifted):
    """The curve that dominates any substitution of one of m of n messages drawn without replacement, q =
    m/n: the worse of `Removed` and `Added` at each ε."""

    def excess(self, e: Array) -> Array:
        return np.maximum(Removed(self.q, self.shift).excess(e), Added(self.q, self.shift).excess(e))

    def above(self, e: Array) -> Array:
        raise TypeError(
            "a dominating curve bounds δ from above only: it has no probabilities to compose exactly"
        )

    def below(self, e: Array) -> Array:
        return self.above(e)


class Replaced(_Shifted):
    """(1 − q) N(0, 1) + q N(shift, 1) against (1 − q) N(0, 1) + q N(−shift, 1)."""

    def excess(self, e: Array) -> Array:
        size, q, s = np.abs(e), self.q, self.shift
        t = self._threshold(size)
        # Those in which nothing is there, and the others; the sum is ≥ 0, so that the first is at most the second, which is ≤ q.
        neither = -(1 - q) * np.exp(_log_expm1(size) + log_ndtr(-t))
        there = q * (ndtr(s - t) - np.exp(size + log_ndtr(-s - t)))
        return np.exp(np.minimum(e, 0.0)) * np.maximum(0.0, neither + there)

    def above(self, e: Array) -> Array:
        t = self._threshold(e)
        return (1 - self.q) * ndtr(-t) + self.q * ndtr(self.shift - t)

    def below(self, e: Array) -> Array:
        t = self._threshold(e)
        return (1 - self.q) * ndtr(t) + self.q * ndtr(t - self.shift)

    def _threshold(self, e: Array) -> Array:
        magnitude = np.abs(e) / 2
        with np.errstate(divide="ignore"):
            log_a = self.shift**2 / 2 + np.log1p(-self.q) - np.log(self.q)
            log_sinh = magnitude + np.log(-np.expm1(-2 * magnitude)) - np.log(2.0)
        z = log_a + log_sinh  # asinh(e^z) without overflow
        arsinh = np.where(z > 20, z + np.log(2.0), np.arcsinh(np.exp(np.minimum(z, 20))))
        return (np.sign(e) * arsinh + e / 2) / self.shift


@dataclass(frozen=True)
class Mixture(Pair):
    """A visible choice between pairs, each with its probability: the curves' mean. Mass missing from the probabilities stands
    for no release."""

    parts: tuple[tuple[float, Pair], ...]

    @property
    def scale(self) -> float:
        return sum((w * pair.scale for w, pair in self.parts), 0.0)

    def excess(self, e: Array) -> Array:
        return sum((w * pair.excess(e) for w, pair in self.parts), np.zeros_like(e))

    def above(self, e: Array) -> Array:
        return sum((w * pair.above(e) for w, pair in self.parts), np.zeros_like(e))

    def below(self, e: Array) -> Array:
        return sum((w * pair.below(e) for w, pair in self.parts), np.zeros_like(e))


def _gaussian(e: Array, shift: float) -> Array:
    """δ(ε) of N(shift, 1) against N(0, 1), ε ≥ 0."""
    return np.maximum(0.0, ndtr(shift / 2 - e / shift) - np.exp(e + log_ndtr(-shift / 2 - e / shift)))


LARGEST = 1e300
"""In the place of ∞ in a loss: a sum of it and −∞ is none of nan."""


def _inner(e: Array, q: float) -> Array:
    """ln((e^ε − 1 + q)/q), relatively as exact as ε; −`LARGEST` where there is none."""
    if q == 1:
        return e
    with np.errstate(divide="ignore", invalid="ignore"):
        small = np.log1p(np.maximum(np.expm1(np.minimum(e, 30.0)) / q, -1.0))
        big = e + np.log1p(-(1 - q) * np.exp(-np.maximum(e, 30.0))) - np.log(q)
    return np.where(e > 30, big, np.maximum(small, -LARGEST))


def _threshold(e: Array, q: float, shift: float) -> Array:
    return _inner(e, q) / shift + shift / 2


def _log_expm1(e: Array) -> Array:
    """ln(e^ε − 1), ε ≥ 0."""
    with np.errstate(divide="ignore"):
        return e + np.log(-np.expm1(-e))
