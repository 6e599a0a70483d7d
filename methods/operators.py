"""What a client does to its vector before it is sent: one operator per class, acting on the last axis of
(..., d).

An operator Ψ with ‖Ψ(g)‖ ≤ Φ for every g bounds what one client can contribute; Φ is its `sensitivity`.
(Taking one client away changes a sum of contributions by at most Φ; replacing one changes it by at most 2Φ.)
Vectors whose squared length is no number of their type any more, or vanishes in it, become shorter than the formula says and
never longer (`methods.arrays.norms`): from a length of 1e19 on in float32 they become 0.

All but Top-k multiply a vector by a number that its length alone decides (`Scaling`). Who has no vectors, but their lengths and
their coefficients in a span, multiplies the coefficients by that number (`factors`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from array_api_compat import array_namespace
from jaxtyping import Float

from methods import checks
from methods.arrays import Array, Parameter, binade, floating, lift, norms, spread


@runtime_checkable
class Operator(Protocol):
    """A map Ψ of vectors, applied to the last axis."""

    @property
    def sensitivity(self) -> Parameter:
        """sup over g of ‖Ψ(g)‖; inf where there is no bound."""
        ...

    def __call__(self, x: Float[Array, "*batch d"]) -> Float[Array, "*batch d"]:
        """Ψ of every vector of the batch."""
        ...


@runtime_checkable
class Scaling(Operator, Protocol):
    """An operator with Ψ(g) = c(‖g‖) g."""

    def scaled(
        self, x: Float[Array, "*batch d"], length: Float[Array, "*batch 1"]
    ) -> Float[Array, "*batch d"]:
        """c(length) x. length: > 0, as `methods.arrays.norms` has it; with that of x it is Ψ(x)."""
        ...


def factors(operator: Scaling, lengths: Float[Array, "*batch"]) -> Float[Array, "*batch"]:
    """c(‖g‖) for vectors of which no more than their lengths is given; 0 for those of length 0, for Ψ(0) = 0."""
    xp = array_namespace(lengths)
    length = lengths[..., None]
    zero = length == 0
    one = xp.ones_like(length)
    return operator.scaled(xp.where(zero, xp.zeros_like(one), one), xp.where(zero, one, length))[..., 0]


@dataclass(frozen=True)
class Identity:
    """Ψ(g) = g."""

    @property
    def sensitivity(self) -> float:
        return math.inf

    def __call__(self, x: Float[Array, "*batch d"]) -> Float[Array, "*batch d"]:
        return x

    def scaled(
        self, x: Float[Array, "*batch d"], length: Float[Array, "*batch 1"]
    ) -> Float[Array, "*batch d"]:
        return x


@dataclass(frozen=True)
class Clip:
    """Ψ(g) = min(1, τ/‖g‖) g with τ > 0: eq. (5) of α-NormEC; clip(g, C) of DP-NormFedAvg."""

    tau: Parameter

    def __post_init__(self) -> None:
        checks.positive("τ", self.tau)

    @property
    def sensitivity(self) -> Parameter:
        return self.tau

    def __call__(self, x: Float[Array, "*batch d"]) -> Float[Array, "*batch d"]:
        return self.scaled(x, norms(x))

    def scaled(
        self, x: Float[Array, "*batch d"], length: Float[Array, "*batch 1"]
    ) -> Float[Array, "*batch d"]:
        longest = array_namespace(x).maximum(length, spread(self.tau, length))
        unit = binade(self.tau / (1.0 + self.tau))  # at most 1, and near τ where τ/‖g‖ may be no float
        return x * (spread(self.tau / unit, length) / longest) * lift(unit, x)


@dataclass(frozen=True)
class SmoothedNorm:
    """Ψ(g) = g/(α + ‖g‖) with α ≥ 0: Norm_α, eq. (6) of α-NormEC. At α = 0 it is g/‖g‖, and 0/0 = 0."""

    alpha: Parameter

    def __post_init__(self) -> None:
        checks.non_negative("α", self.alpha)

    @property
    def sensitivity(self) -> float:
        return 1.0

    def __call__(self, x: Float[Array, "*batch d"]) -> Float[Array, "*batch d"]:
        return self.scaled(x, norms(x))

    def scaled(
        self, x: Float[Array, "*batch d"], length: Float[Array, "*batch 1"]
    ) -> Float[Array, "*batch d"]:
        return x / (length + lift(self.alpha, length))


@dataclass(frozen=True)
class FixedNorm:
    """Ψ(g) = c g/‖g‖ with c > 0, and 0/0 = 0: norm(g, C) of DP-NormFedAvg, which leaves it undefined at 0."""

    c: Parameter

    def __post_init__(self) -> None:
        checks.positive("C", self.c)

    @property
    def sensitivity(self) -> Parameter:
        return self.c

    def __call__(self, x: Float[Array, "*batch d"]) -> Float[Array, "*batch d"]:
        return self.scaled(x, norms(x))  # which says what x may be

    def scaled(
        self, x: Float[Array, "*batch d"], length: Float[Array, "*batch 1"]
    ) -> Float[Array, "*batch d"]:
        unit = binade(self.c)
        return x * lift(self.c / unit / 2, x) / (length / 2) * lift(unit, x)  # cg may be no float


@dataclass(frozen=True)
class TopK:
    """Ψ(g) keeps the k ≥ 1 entries of largest modulus and sets the others to 0; among equals, the first are
    kept. What is no number counts as larger than all: a run that has diverged is not to look finite."""

    k: int

    def __post_init__(self) -> None:
        checks.whole("k", self.k)

    @property
    def sensitivity(self) -> float:
        return math.inf

    def __call__(self, x: Float[Array, "*batch d"]) -> Float[Array, "*batch d"]:
        floating("the vector", x)
        if not x.ndim:
            raise ValueError("the vector has shape (); give it one of (..., d)")
        if self.k > x.shape[-1]:
            raise ValueError(
                f"k = {checks.shown(self.k)} of a vector with d = {x.shape[-1]} entries; k must be at most d"
            )
        xp = array_namespace(x)
        size = xp.where(xp.isnan(x), xp.full_like(x, xp.inf), xp.abs(x))
        order = xp.argsort(-size, axis=-1, stable=True)
        rank = xp.argsort(order, axis=-1, stable=True)
        return xp.where(rank < self.k, x, xp.zeros_like(x))
