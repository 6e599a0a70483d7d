"""Starts and initial memories: the three ways in which the papers' R can come about."""

from __future__ import annotations

from typing import Literal

import numpy as np

from methods import checks
from toy_problems.problem import Array, Problem

Memory = Literal["zero", "exact", "radius"]


def away_from_minimiser(problem: Problem, distance: float, seed: int) -> Array:
    """x⁰ at a distance (x) from the minimiser, in a direction uniform on the sphere; shape `batch + (d,)`. Raises
    `ValueError` for a distance that is not finite and >= 0 and a seed below 0."""
    checks.non_negative("distance", distance)
    direction = np.random.default_rng((checks.whole("seed", seed, least=0), 0x57)).standard_normal(
        (*problem.batch, problem.d)
    )
    return problem.constants.minimiser + distance * direction / np.linalg.norm(
        direction, axis=-1, keepdims=True
    )


def memories(
    problem: Problem, x0: Array, kind: str, radius: Array = 0.0, seed: int = 0
) -> tuple[Array, Array]:
    """g_i⁰ of shape `(..., n, d)` and R = max_i ‖∇f_i(x⁰) − g_i⁰‖ of shape `(...)`.

    zero: g_i⁰ = 0, so R = max_i ‖∇f_i(x⁰)‖ (f/x); nothing has to be sent. exact: g_i⁰ = ∇f_i(x⁰), R = 0;
    every client has sent its gradient. radius: every client at the distance `radius` (f/x, broadcast to
    `(...)`) from its gradient, in directions of its own; that is R = D/√(K+1) of Corollary 1. Raises `ValueError`
    for another kind, a radius that is not finite and >= 0, and a seed below 0.
    """
    local = problem.gradients(x0[..., None, :])
    if kind == "zero":
        return np.zeros_like(local), np.linalg.norm(local, axis=-1).max(axis=-1)
    if kind == "exact":
        return local, np.zeros(local.shape[:-2])
    if kind != "radius":
        raise ValueError(f"unknown kind of memory {kind!r}; the kinds are zero, exact, radius")
    checks.non_negative("radius", radius)
    direction = np.random.default_rng((checks.whole("seed", seed, least=0), 0x3E)).standard_normal(
        local.shape
    )
    direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
    radius = np.broadcast_to(np.asarray(radius, dtype=float), local.shape[:-2])
    return local - radius[..., None, None] * direction, radius
