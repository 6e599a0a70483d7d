"""Random numbers and vectors for trials, in 60 digits: now and then special ones, since inequalities are tight there."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

import mpmath

DIGITS = 60
mp: Any = mpmath.mp.clone()
"""Arithmetic of 60 digits, of this package's own: mpmath's global precision stays what it is."""
mp.dps = DIGITS

Number = Any  # an `mp.mpf`, a class that is made when `mp` is
Vector = tuple[Number, ...]
T = TypeVar("T")


class Draws:
    """What a case is drawn from, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def number(self, low: float = -3, high: float = 3) -> Number:
        """In [low, high], now and then an end or, where it lies between, 0."""
        special = [low, high, *([0] if low < 0 < high else [])]
        if self._random.random() < 0.15:
            return mp.mpf(self._random.choice(special))
        return mp.mpf(self._random.uniform(low, high))

    def positive(self, low: float = 0.01, high: float = 100) -> Number:
        """In [low, high], evenly by magnitude, now and then 1 where that lies between."""
        if low <= 1 <= high and self._random.random() < 0.15:
            return mp.mpf(1)
        return mp.exp(mp.mpf(self._random.uniform(float(mp.log(low)), float(mp.log(high)))))

    def share(self) -> Number:
        """In [0, 1], now and then 0 or 1."""
        return self.number(0, 1)

    def whole(self, low: int, high: int) -> int:
        """low, low + 1, … or high."""
        return self._random.randint(low, high)

    def chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def pick(self, options: Sequence[T]) -> T:
        return self._random.choice(options)

    def vector(self, dimension: int, length: float = 3) -> Vector:
        """Now and then 0."""
        if self._random.random() < 0.1:
            return zeros(dimension)
        return tuple(self.number(-length, length) for _ in range(dimension))

    def along(self, v: Vector) -> Vector:
        """A multiple of v, where Cauchy and Schwarz's and the triangle inequality are equalities."""
        return scaled(self.number(), v)

    def vectors(self, count: int, dimension: int) -> list[Vector]:
        """Now and then all the same, or all along one line."""
        first = self.vector(dimension)
        how = self._random.random()
        if how < 0.2:
            return [first] * count
        if how < 0.4:
            return [first, *(self.along(first) for _ in range(count - 1))]
        return [first, *(self.vector(dimension) for _ in range(count - 1))]


def zeros(dimension: int) -> Vector:
    return (mp.mpf(0),) * dimension


def scaled(factor: Number, v: Vector) -> Vector:
    return tuple(factor * a for a in v)


def plus(*vectors: Vector) -> Vector:
    return tuple(sum(entries, mp.mpf(0)) for entries in zip(*vectors, strict=True))


def minus(u: Vector, v: Vector) -> Vector:
    return tuple(a - b for a, b in zip(u, v, strict=True))


def mean(vectors: Sequence[Vector]) -> Vector:
    return scaled(mp.mpf(1) / len(vectors), plus(*vectors))


def average(numbers: Sequence[Number]) -> Number:
    return sum(numbers, mp.mpf(0)) / len(numbers)


def dot(u: Vector, v: Vector) -> Number:
    return sum((a * b for a, b in zip(u, v, strict=True)), mp.mpf(0))


def square(v: Vector) -> Number:
    return dot(v, v)


def norm(v: Vector) -> Number:
    return mp.sqrt(square(v))
