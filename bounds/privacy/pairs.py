"""One round against two neighbours: pairs of laws of one number, and their exact hockey-stick curves.

For laws P and Q whose privacy loss ln(dP/dQ) is monotone in the observation, the loss exceeds ε beyond a
threshold, and with S_P(ε), S_Q(ε) the probabilities of that event

    δ(ε) = S_P(ε) − e^ε S_Q(ε),     ε real.

All pairs are Gaussian with unit variance; shifts are in units of the noise. Functions take arrays of ε and
return arrays of the same shape.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr, ndtr

Array = np.ndarray


@dataclass(frozen=True)
class Pair:
    """Survival function of the privacy loss under P, and the curve δ(ε)."""

    survival: Callable[[Array], Array]
    delta: Callable[[Array], Array]


REVEALED = Pair(np.ones_like, np.ones_like)
"""Everything is seen: δ = 1 at every ε."""


def visible(q: float, shift: float) -> Pair:
    """With visible probability q, N(shift, 1) against N(0, 1); otherwise nothing."""

    def survival(e: Array) -> Array:
        return q * ndtr(shift / 2 - e / shift) + (1 - q) * (e < 0)

    def delta(e: Array) -> Array:
        return q * _gaussian(e, shift) + (1 - q) * np.maximum(0.0, -np.expm1(np.minimum(e, 0.0)))

    return Pair(survival, delta)


def removed(q: float, shift: float) -> Pair:
    """(1 − q) N(0, 1) + q N(shift, 1) against N(0, 1)."""

    def survival(e: Array) -> Array:
        t = _threshold(e, q, shift)
        return (1 - q) * ndtr(-t) + q * ndtr(shift - t)

    def delta(e: Array) -> Array:
        inner, inside = _inner(e, q)
        return np.where(inside, q * _gaussian(inner, shift), -np.expm1(np.minimum(e, 0.0)))

    return Pair(survival, delta)


def added(q: float, shift: float) -> Pair:
    """N(0, 1) against (1 − q) N(0, 1) + q N(shift, 1): the pair above, reversed."""

    def survival(e: Array) -> Array:
        return ndtr(_threshold(-e, q, shift))

    def delta(e: Array) -> Array:
        t = _threshold(-e, q, shift)
        log_q = (
            np.logaddexp(np.log1p(-q) + log_ndtr(t), np.log(q) + log_ndtr(t - shift))
            if q < 1
            else log_ndtr(t - shift)
        )
        return np.maximum(0.0, ndtr(t) - np.exp(e + log_q))

    return Pair(survival, delta)


def substituted(q: float, shift: float) -> Pair:
    """The curve that dominates any substitution of one of m of n messages drawn without replacement, q =
    m/n: the worse of `removed` and `added` at each ε. Its `survival` is not used."""

    def delta(e: Array) -> Array:
        return np.maximum(removed(q, shift).delta(e), added(q, shift).delta(e))

    def survival(e: Array) -> Array:
        raise TypeError(
            "a dominating curve bounds δ from above only: it has no probabilities to compose exactly"
        )

    return Pair(survival, delta)


def replaced(q: float, shift: float) -> Pair:
    """(1 − q) N(0, 1) + q N(shift, 1) against (1 − q) N(0, 1) + q N(−shift, 1)."""
    with np.errstate(divide="ignore"):
        log_a = shift**2 / 2 + np.log1p(-q) - np.log(q)

    def threshold(e: Array) -> Array:
        magnitude = np.abs(e) / 2
        with np.errstate(divide="ignore"):
            log_sinh = magnitude + np.log(-np.expm1(-2 * magnitude)) - np.log(2.0)
        z = log_a + log_sinh  # asinh(e^z) without overflow
        arsinh = np.where(z > 20, z + np.log(2.0), np.arcsinh(np.exp(np.minimum(z, 20))))
        return (np.sign(e) * arsinh + e / 2) / shift

    def survival(e: Array) -> Array:
        t = threshold(e)
        return (1 - q) * ndtr(-t) + q * ndtr(shift - t)

    def delta(e: Array) -> Array:
        t = threshold(e)
        with np.errstate(divide="ignore"):
            log_q = np.logaddexp(np.log1p(-q) + log_ndtr(-t), np.log(q) + log_ndtr(-shift - t))
        return np.maximum(0.0, survival(e) - np.exp(e + log_q))

    return Pair(survival, delta)


def mixture(pairs: list[tuple[float, Pair]]) -> Pair:
    """A visible choice between pairs: the curves' mean. Mass missing from the weights stands for no
    release."""
    rest = max(0.0, 1.0 - sum(weight for weight, _ in pairs))

    def survival(e: Array) -> Array:
        return sum((w * pair.survival(e) for w, pair in pairs), rest * (e < 0))

    def delta(e: Array) -> Array:
        return sum(
            (w * pair.delta(e) for w, pair in pairs), rest * np.maximum(0.0, -np.expm1(np.minimum(e, 0.0)))
        )

    return Pair(survival, delta)


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
