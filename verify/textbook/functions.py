"""Smooth functions that know their constants: sums over coordinates of curves of one variable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from verify.textbook.draws import Draws, Number, Vector, mp

Shape = Literal["square", "huber", "cosine", "flat"]
CONVEX: tuple[Shape, ...] = ("square", "huber", "flat")
BOUNDED: tuple[Shape, ...] = (*CONVEX, "cosine")


@dataclass(frozen=True)
class Curve:
    """A curve of one variable with slope 0 at `centre`, where it is least, and curvature between −c and c (0 and c, but for the
    cosine): c t²/2; the same up to |t| = width and straight beyond; c(1 − cos t); 0; with t = x − centre."""

    shape: Shape
    c: Number
    centre: Number
    width: Number

    def value(self, x: Number) -> Number:
        t = abs(x - self.centre)
        if self.shape == "square" or (self.shape == "huber" and t <= self.width):
            return self.c * t**2 / 2
        if self.shape == "huber":
            return self.c * self.width * (t - self.width / 2)
        return self.c * (1 - mp.cos(t)) if self.shape == "cosine" else mp.mpf(0)

    def slope(self, x: Number) -> Number:
        t = x - self.centre
        if self.shape == "square":
            return self.c * t
        if self.shape == "huber":
            return self.c * max(-self.width, min(self.width, t))
        return self.c * mp.sin(t) if self.shape == "cosine" else mp.mpf(0)


@dataclass(frozen=True)
class Function:
    """x ↦ level + Σ_j curve_j(x_j): L-smooth, with infimum `level`, which is taken at the curves' centres."""

    curves: tuple[Curve, ...]
    level: Number
    L: Number

    def value(self, x: Vector) -> Number:
        return self.level + sum(curve.value(a) for curve, a in zip(self.curves, x, strict=True))

    def gradient(self, x: Vector) -> Vector:
        return tuple(curve.slope(a) for curve, a in zip(self.curves, x, strict=True))

    @property
    def infimum(self) -> Number:
        return self.level

    @property
    def minimiser(self) -> Vector:
        return tuple(curve.centre for curve in self.curves)


def function(
    draws: Draws, dimension: int, L: Number, convex: bool = False, centre: Vector | None = None
) -> Function:
    """An L-smooth function that is bounded below, convex if asked; of curvature L in half of the coordinates at least on average.
    centre: where it is least (default: drawn)."""
    shapes = CONVEX if convex else BOUNDED
    where = centre or draws.vector(dimension)
    curves = tuple(
        Curve(
            draws.pick(shapes),
            L if draws.chance(0.5) else L * draws.share(),
            where[j],
            draws.positive(0.1, 3),
        )
        for j in range(dimension)
    )
    return Function(curves, draws.number(), L)


def lipschitz(draws: Draws, dimension: int, L: Number) -> tuple[Function, Number]:
    """A convex L-smooth function and a bound on the norm of its gradient."""
    curves = tuple(
        Curve("huber", L if draws.chance(0.5) else L * draws.share(), draws.number(), draws.positive(0.1, 3))
        for _ in range(dimension)
    )
    steepest = mp.sqrt(sum((curve.c * curve.width) ** 2 for curve in curves))
    return Function(curves, draws.number(), L), steepest


def mean_value(functions: list[Function], x: Vector) -> Number:
    return sum(f.value(x) for f in functions) / len(functions)
