"""Certified extremes of many smooth one-dimensional functions at once.

A function with |F''| ≤ M stays within M w²/8 of the chord between the ends of an interval of width w (the
error of linear interpolation). So min(F(a), F(b)) − M w²/8 is a lower bound on the interval, and splitting
the intervals whose lower bound still lies under the best value seen is a branch and bound that ends with a
*proved* bracket of the minimum, up to float64 rounding in F itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from toy_problems.problem import Array


@dataclass(frozen=True, eq=False)
class Minimum:
    """For each function: `lower ≤ min F ≤ value = F(argument)`, arrays of shape `(functions,)`."""

    lower: Array
    value: Array
    argument: Array


def minimise(
    function: Callable[[Array, Array], Array],
    left: Array,
    right: Array,
    curvature: Array,
    tolerance: float = 1e-9,
    pieces: int = 64,
) -> Minimum:
    """Bracket the minimum over [left, right] of every function.

    function(owner, t): values at points t of the functions numbered owner, both of shape `(points,)`.
    left, right, curvature: shape `(functions,)`; `curvature` bounds |F''| on the interval.
    tolerance: the largest gap `value − lower` that is left, in units of F.
    """
    count = left.size
    owner = np.repeat(np.arange(count), pieces)
    width = np.repeat((right - left) / pieces, pieces)
    start = np.repeat(left, pieces) + np.tile(np.arange(pieces), count) * width
    value, argument = np.full(count, np.inf), np.array(left, dtype=float)
    lower = np.full(count, np.inf)
    while owner.size:
        ends = np.stack([function(owner, start), function(owner, start + width)])
        for points, at in zip(ends, (start, start + width), strict=True):
            order = np.lexsort((points, owner))
            firsts = order[np.unique(owner[order], return_index=True)[1]]
            better = points[firsts] < value[owner[firsts]]
            value[owner[firsts[better]]] = points[firsts[better]]
            argument[owner[firsts[better]]] = at[firsts[better]]
        floor = ends.min(axis=0) - curvature[owner] * width**2 / 8
        done = floor >= value[owner] - tolerance
        np.minimum.at(lower, owner[done], floor[done])
        active = ~done
        owner, width = np.repeat(owner[active], 2), np.repeat(width[active] / 2, 2)
        start = np.repeat(start[active], 2)
        start[1::2] += width[1::2]
    return Minimum(np.minimum(lower, value), value, argument)
