"""Functions of one variable whose derivatives are piecewise linear between the integers, and their exact
constants."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from toy_problems.falsifier.evolution import Array


def sums_from_zero(J: int) -> Float[Array, "pieces knots"]:
    """The matrix that takes what a function gains on each piece of [−J, J] to its values at −J, …, J, with 0
    at 0."""
    piece, knot = np.arange(2 * J)[:, None], np.arange(2 * J + 1)
    return ((piece >= J) & (piece < knot)).astype(float) - ((piece < J) & (piece >= knot))


class Knots:
    """Derivatives on [−J, J], linear between the integers: f'(0) in `base`, (…), and f'' on each piece in `slopes`, (…, 2J)."""

    base: Array
    slopes: Array

    @property
    def reach(self) -> int:
        """J."""
        return self.slopes.shape[-1] // 2

    @cached_property
    def knots(self) -> Float[Array, "... knots"]:
        """f' at −J, …, J."""
        return self.slopes @ sums_from_zero(self.reach) + self.base[..., None]


@dataclass(frozen=True, eq=False)
class GridFunctions(Knots):
    """n clients' functions for each of B instances, centred at x = 0.

    base: f_i'(0). slopes: f_i'' on [j − J, j − J + 1), j in [0, 2J). tails: f_i'' beyond ±J as far as f'
    needs it to come back to 0, where it stops: f is then bounded below, and a client's f_i' stays constant.
    drop: how much lower than its least value on the way f gets somewhere that no run reaches (≥ 0; a valley
    far outside, of the same smoothness).
    """

    base: Float[Array, "runs clients"]
    slopes: Float[Array, "runs clients pieces"]
    tails: Float[Array, "runs clients"]
    drop: Float[Array, " runs"]

    @cached_property
    def _mean(self) -> Float[Array, "runs knots"]:
        """f' at −J, …, J."""
        return np.einsum("rck->rk", self.knots) / self.base.shape[1]

    def oracle(self) -> GridOracle:
        """Local gradients as `methods.advance` asks for them, in any dimension."""
        return GridOracle(self.knots, self.slopes, self.reach)

    def smoothness(self, deepened: bool = False) -> Float[Array, " runs"]:
        """L, the smallest for which f is L-smooth: the largest |mean slope|, with the tails where they are
        needed. deepened: a valley is added whatever `drop` says."""
        inside = np.abs(np.einsum("rcp->rp", self.slopes)).max(axis=-1) / self.base.shape[1]
        mean = self._mean
        needed = (mean[:, 0] > 0) | (mean[:, -1] < 0) | (self.drop > 0) | deepened
        return np.maximum(inside, np.where(needed, self.tails.mean(axis=1), 0.0))

    def gap(self) -> Float[Array, " runs"]:
        """f(0) − f^inf."""
        return -self.lowest() + self.drop

    def lowest(self) -> Float[Array, " runs"]:
        """The least value of f on the way, with f(0) = 0: at a knot, inside a piece where f' turns from −
        to +, or where a tail has brought f' to 0."""
        mean = self._mean
        left, right = mean[:, :-1], mean[:, 1:]
        values = (left + right) @ (sums_from_zero(self.reach) / 2)
        slope = right - left
        dip = np.where((left < 0) & (right > 0), left**2 / (2 * np.where(slope > 0, slope, 1.0)), 0.0)
        tail = self.tails.mean(axis=1)
        ends = np.stack(
            [
                values[:, 0] - np.maximum(mean[:, 0], 0.0) ** 2 / (2 * tail),
                values[:, -1] - np.maximum(-mean[:, -1], 0.0) ** 2 / (2 * tail),
            ]
        )
        return np.minimum(ends.min(axis=0), np.minimum(values[:, :-1] - dip, values[:, 1:]).min(axis=-1))


@dataclass(frozen=True, eq=False)
class GridOracle:
    """∇f_i at points (..., clients, d): the first coordinate carries f_i', the others 0. Leading axis:
    instances; a further axis of runs, e.g. seeds, may follow it."""

    knots: Float[Array, "runs clients knots"]
    slopes: Float[Array, "runs clients pieces"]
    reach: int

    def __call__(self, x: Float[Array, "*points d"]) -> Float[Array, "*points d"]:
        place = x[..., 0] + self.reach
        piece = np.clip(np.floor(place), 0, 2 * self.reach - 1).astype(np.intp)
        first = _pick(self.knots, piece)
        slope = _pick(self.slopes, piece)
        out = np.zeros(x.shape)
        out[..., 0] = first + slope * np.clip(place - piece, 0.0, 1.0)
        return out


def _pick(table: Array, index: Array) -> Array:
    """table[run, client, index]: table of shape (runs, clients, entries), index of shape (runs, …,
    clients)."""
    shape = (index.shape[0], *(1,) * (index.ndim - 2), index.shape[-1])
    rows = np.arange(table.shape[0] * table.shape[1]).reshape(shape) * table.shape[2]
    return table.reshape(-1)[rows + index]
