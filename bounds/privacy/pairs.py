"""One round against two neighbours: pairs of laws of one number, and their exact hockey-stick curves.

For laws P and Q whose privacy loss ln(dP/dQ) is monotone in the observation, the loss exceeds ε beyond a
threshold, and with S_P(ε), S_Q(ε) the probabilities of that event

    δ(ε) = S_P(ε) − e^ε S_Q(ε),     ε real.

All pairs are Gaussian with unit variance; shifts are in units of the noise. Functions take arrays of ε and
return arrays of the same shape.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import log_ndtr, ndtr

Array = np.ndarray


class Pair(ABC):
    """Two laws of what is seen of a round."""

    @abstractmethod
    def survival(self, e: Array) -> Array:
        """The probability under P that the privacy loss exceeds ε."""

    @abstractmethod
    def delta(self, e: Array) -> Array:
        """The curve δ(ε)."""


@dataclass(frozen=True)
class Revealed(Pair):
    """Everything is seen: δ = 1 at every ε."""

    def survival(self, e: Array) -> Array:
        return np.ones_like(e)

    def delta(self, e: Array) -> Array:
        return np.ones_like(e)


@dataclass(frozen=True)
class _Shifted(Pair):
    """q: the probability that the client's message is there. shift: how far it moves the mean."""

    q: float
    shift: float


class Visible(_Shifted):
    """With visible probability q, N(shift, 1) against N(0, 1); otherwise nothing."""

    def survival(self, e: Array) -> Array:
        return self.q * ndtr(self.shift / 2 - e / self.shift) + (1 - self.q) * (e < 0)

    def delta(self, e: Array) -> Array:
        return self.q * _gaussian(e, self.shift) + (1 - self.q) * _nothing(e)


class Removed(_Shifted):
    """(1 − q) N(0, 1) + q N(shift, 1) against N(0, 1)."""

    def survival(self, e: Array) -> Array:
        t = _threshold(e, self.q, self.shift)
        return (1 - self.q) * ndtr(-t) + self.q * ndtr(self.shift - t)

    def delta(self, e: Array) -> Array:
        inner, inside = _inner(e, self.q)
        return np.where(inside, self.q * _gaussian(inner, self.shift), -np.expm1(np.minimum(e, 0.0)))


class Added(_Shifted):
    """N(0, 1) against (1 − q) N(0, 1) + q N(shift, 1): the pair above, reversed."""

    def survival(self, e: Array) -> Array:
        return ndtr(_threshold(-e, self.q, self.shift))

    def delta(self, e: Array) -> Array:
        t = _threshold(-e, self.q, self.shift)
        log_q = log_ndtr(t - self.shift)
        if self.q < 1:
            log_q = np.logaddexp(np.log1p(-self.q) + log_ndtr(t), np.log(self.q) + log_q)
        return np.maximum(0.0, ndtr(t) - np.exp(e + log_q))


class Substituted(_Shifted):
    """The curve that dominates any substitution of one of m of n messages drawn without replacement, q =
    m/n: the worse of `Removed` and `Added` at each ε."""

    def survival(self, e: Array) -> Array:
        raise TypeError(
            "a dominating curve bounds δ from above only: it has no probabilities to compose exactly"
        )

    def delta(self, e: Array) -> Array:
        return np.maximum(Removed(self.q, self.shift).delta(e), Added(self.q, self.shift).delta(e))


class Replaced(_Shifted):
    """(1 − q) N(0, 1) + q N(shift, 1) against (1 − q) N(0, 1) + q N(−shift, 1)."""

    def survival(self, e: Array) -> Array:
        t = self._threshold(e)
        return (1 - self.q) * ndtr(-t) + self.q * ndtr(self.shift - t)

    def delta(self, e: Array) -> Array:
        t, q = self._threshold(e), self.q
        with np.errstate(divide="ignore"):
            log_q = np.logaddexp(np.log1p(-q) + log_ndtr(-t), np.log(q) + log_ndtr(-self.shift - t))
        return np.maximum(0.0, self.survival(e) - np.exp(e + log_q))

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

    @cached_property
    def _rest(self) -> float:
        return max(0.0, 1.0 - sum(weight for weight, _ in self.parts))

    def survival(self, e: Array) -> Array:
        return sum((w * pair.survival(e) for w, pair in self.parts), self._rest * (e < 0))

    def delta(self, e: Array) -> Array:
        return sum((w * pair.delta(e) for w, pair in self.parts), self._rest * _nothing(e))


def _nothing(e: Array) -> Array:
    """The curve of one law against itself."""
    return np.maximum(0.0, -np.expm1(np.minimum(e, 0.0)))


def _gaussian(e: Array, shift: float) -> Array:
    return np.maximum(0.0, ndtr(shift / 2 - e / shift) - np.exp(e + log_ndtr(-shift / 2 - e / shift)))


def _inner(e: Array, q: float) -> tuple[Array, Array]:
    """ln((e^ε − 1 + q)/q), and where it exists."""
    inside = e > np.log1p(-q) if q < 1 else np.full(np.shape(e), True)
    safe = np.where(inside, e, 1.0)
    big = safe > 30
    value = np.where(
        big, safe - np.log(q), np.log(np.maximum(np.expm1(np.minimum(safe, 30.0)) + q, 1e-300)) - np.log(q)
    )
    return value, inside


def _threshold(e: Array, q: float, shift: float) -> Array:
    inner, inside = _inner(e, q)
    return np.where(inside, inner / shift + shift / 2, -np.inf)
