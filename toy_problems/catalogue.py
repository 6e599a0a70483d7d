"""The families by name, each a function of (n, d, batch, spread, seed), for sweeps over many kinds of
problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from methods import checks
from toy_problems.logistic import logistic
from toy_problems.piecewise import piecewise_quadratic
from toy_problems.problem import Problem
from toy_problems.quadratics import (
    DiagonalQuadratic,
    LowRankQuadratic,
    example1,
    heterogeneous_quadratic,
    homogeneous_quadratic,
)
from toy_problems.separable import DOUBLE_WELL, WELL, separable


@dataclass(frozen=True)
class Family:
    """make(n, d, batch, spread, seed) gives a problem; `spread` is the heterogeneity of the optima, 0 for
    none."""

    name: str
    summary: str
    make: Callable[[int, int, tuple[int, ...], float, int], Problem]
    convex: bool


def _repeat(problem: DiagonalQuadratic, batch: tuple[int, ...]) -> DiagonalQuadratic:
    shape = (*batch, problem.n, problem.d)
    return DiagonalQuadratic(
        np.broadcast_to(problem.curvature, shape), np.broadcast_to(problem.centre, shape)
    )


def _low_rank(n: int, d: int, batch: tuple[int, ...], spread: float, seed: int) -> LowRankQuadratic:
    random = np.random.default_rng((seed, 0x10))
    rank = max(1, d // 10)
    factor = random.standard_normal((*batch, n, d, rank)) / np.sqrt(d)
    return LowRankQuadratic(factor, spread * random.standard_normal((*batch, n, d)))


def _fixed_example(n: int, d: int, batch: tuple[int, ...], spread: float, seed: int) -> DiagonalQuadratic:
    if (n, d) != (2, 1):
        raise ValueError(f"example1 has n = 2 clients and d = 1 variable, not n = {n}, d = {d}")
    return _repeat(example1(), batch)


def _one_dimensional(n: int, d: int, batch: tuple[int, ...], spread: float, seed: int) -> Problem:
    if d != 1:
        raise ValueError(f"piecewise-quadratic is one-dimensional, not d = {d}")
    return piecewise_quadratic(n, batch=batch, spread=max(spread, 1e-3), seed=seed)


FAMILIES: Mapping[str, Family] = {
    family.name: family
    for family in (
        Family(
            "homogeneous-quadratic",
            "every client the same quadratic of condition number 10",
            lambda n, d, batch, spread, seed: _repeat(homogeneous_quadratic(n, d, 10.0), batch),
            convex=True,
        ),
        Family(
            "heterogeneous-quadratic",
            "curvatures in [1/10, 1] and optima of each client's own",
            lambda n, d, batch, spread, seed: heterogeneous_quadratic(n, d, batch, spread=spread, seed=seed),
            convex=True,
        ),
        Family("example1", "Example 1 of α-NormEC", _fixed_example, convex=True),
        Family("low-rank-quadratic", "quadratics of rank d/10, an eigenbasis each", _low_rank, convex=True),
        Family(
            "logistic",
            "l2-regularised logistic regression, 20 points a client",
            lambda n, d, batch, spread, seed: logistic(n, d, batch=batch, spread=spread, seed=seed),
            convex=True,
        ),
        Family("rational-well", "sums of a t²/(1 + t²)", partial(separable, WELL), convex=False),
        Family("double-well", "sums of a (t² − 1)²/(1 + t²)", partial(separable, DOUBLE_WELL), convex=False),
        Family(
            "piecewise-quadratic",
            "one dimension, f_i' piecewise linear with slopes in [−1, 1]",
            _one_dimensional,
            convex=False,
        ),
    )
}

ONE_VARIABLE = ("example1", "piecewise-quadratic")
"""Families of one variable."""


def make(
    name: str, n: int, d: int, batch: tuple[int, ...] = (), spread: float = 1.0, seed: int = 0
) -> Problem:
    """A problem of the family `name`, or `ValueError` that lists the families. n, d ≥ 1, spread ≥ 0 and seed ≥ 0."""
    if name not in FAMILIES:
        raise ValueError(f"unknown problem {name!r}; the problems are {', '.join(FAMILIES)}")
    checks.non_negative("spread", spread)
    n, d = checks.whole("n", n), checks.whole("d", d)
    return FAMILIES[name].make(n, d, batch, spread, checks.whole("seed", seed, least=0))
