"""L-smooth functions of d variables, given by what a run sees of them: points, gradients and values.

Numbers (x_k, g_k, f_k) belong to an L-smooth function if and only if, for all j and k,

    f_j ≥ f_k + c_jk,   c_jk = ½⟨g_j + g_k, x_j − x_k⟩ + ‖g_j − g_k‖²/(4L) − L‖x_j − x_k‖²/4

(Taylor, Hendrickx and Glineur 2017, Theorem 4 with μ = −L). One such function is

    f(x) = min over λ in the simplex of  L‖x − Σλ_k z_k‖² + Σλ_k e_k − L‖x‖²/2,
    z_k = (x_k − g_k/L)/2,   e_k = f_k + L‖x_k‖²/2 − ‖g_k + Lx_k‖²/(4L),

the largest of all: f + L‖x‖²/2 is the convex hull of parabolas that every interpolant lies below. Its infimum
is the least that the numbers allow: with z = Σλ_k z_k the least over x is at x = 2z and is −L‖z‖² + Σλ_k e_k ≥
Σλ_k (e_k − L‖z_k‖²) by convexity, and e_k − L‖z_k‖² = f_k − ‖g_k‖²/(2L). Hence

    f^inf = min_k (f_k − ‖g_k‖²/(2L)).

A further point far away with gradient 0 keeps every condition (its −L‖x_j − x_k‖²/4 outweighs the rest), so f
may be as much deeper as one likes.

Given points and gradients, the values that make f(x⁰) − f^inf smallest are the highest ones: f_k ≤ f_j − c_jk
are difference constraints, whose highest solution with f_0 = 0 is a table of shortest paths, and there is a
solution exactly when no cycle has a negative length. So a search needs points and gradients alone.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from toy_problems.falsifier.evolution import Array

ROUNDING = 1e-12
"""Relative to the largest |c_jk|: a cycle is not called negative for less."""


def least_differences(
    points: Float[Array, "runs points d"], gradients: Float[Array, "runs points d"], L: Float[Array, " runs"]
) -> Float[Array, "runs points points"]:
    """c_jk: the least f_j − f_k that an L-smooth function allows."""
    steps = points[:, :, None] - points[:, None]
    turns = gradients[:, :, None] - gradients[:, None]
    sums = gradients[:, :, None] + gradients[:, None]
    smooth = L[:, None, None]
    return (
        (sums * steps).sum(axis=-1) / 2
        + (turns * turns).sum(axis=-1) / (4 * smooth)
        - smooth * (steps * steps).sum(axis=-1) / 4
    )


def highest_values(
    differences: Float[Array, "runs points points"],
) -> tuple[Float[Array, "runs points"], Bool[Array, " runs"]]:
    """The largest f_k with f_0 = 0 and f_j ≥ f_k + c_jk for all j and k, and whether there are any. Instances leave
    the iteration when they are settled."""
    count = differences.shape[-1]
    scale = ROUNDING * np.abs(differences).max(axis=(1, 2))
    values = -differences[:, 0]
    feasible = values[:, 0] >= -scale
    active = np.arange(len(values))
    for _ in range(count):
        shorter = np.minimum(values[active], (values[active][:, :, None] - differences[active]).min(axis=1))
        moved = (values[active] - shorter).max(axis=1) > scale[active]
        values[active] = shorter
        feasible[active] &= shorter[:, 0] >= -scale[active]
        active = active[moved & feasible[active]]
        if not len(active):
            return values, feasible
    feasible[active] = False  # paths of more than `count` points: a cycle of negative length
    return values, feasible


def gap(
    values: Float[Array, "runs points"], gradients: Float[Array, "runs points d"], L: Float[Array, " runs"]
) -> Float[Array, " runs"]:
    """f(x⁰) − f^inf of the interpolant with these values."""
    lowest = values - (gradients * gradients).sum(axis=-1) / (2 * L[:, None])
    return values[:, 0] - lowest.min(axis=1)
