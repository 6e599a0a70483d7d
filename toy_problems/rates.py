"""Measured decay of min ‖∇f‖ in K for the schedules that the corollaries prescribe.

A schedule fixes γ, β, η and the memories as functions of K, so each K is a run of its own. The slope of log
min_{k ≤ K} ‖∇f(xᵏ)‖ against log(K + 1) is fitted over the K of the grid for every instance alone, and its
interval is Student's over the instances: they are independent draws, each with noise and participants of its own, the
K of one instance are not. A slope that is steeper than printed does not contradict an upper bound; one that is shallower
than printed does, as K grows. When K has grown enough is measured too:

* `reach`: the length of the whole path over the distance to the minimiser. Below 1 a run with normalised steps
  cannot arrive, and its slope is that of its start. Such a schedule is run again from nearer by.
* `late`: the slope over the upper half of the grid alone. Where it differs from `slope`, the decay has not yet
  settled.
* the family HARDEST: a function for each K, of one fixed f(x⁰) − f^inf, so flat that the path ends before its
  valley. A rate that holds for all functions cannot have a larger exponent than is measured there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import stats

from methods import checks
from toy_problems.catalogue import FAMILIES as KNOWN
from toy_problems.catalogue import ONE_VARIABLE, make
from toy_problems.piecewise import PiecewiseQuadratic
from toy_problems.problem import Array, Problem
from toy_problems.runner import run
from toy_problems.schedules import SCHEDULES, Choice, Instance, Schedule
from toy_problems.starts import away_from_minimiser, memories

FAMILIES = ("heterogeneous-quadratic", "logistic", "double-well")
FITTING = tuple(name for name in KNOWN if name not in (*ONE_VARIABLE, "homogeneous-quadratic"))
"""Those that have as many clients and variables as asked for, and clients that differ: some schedules have step 0 where R is 0."""

HARDEST = "the hardest for each K"
EVERYWHERE = (*FAMILIES, HARDEST)
CONFIDENCE = 0.95
ROUNDING = 1e-10
"""Norms below this share of ‖∇f(x⁰)‖ are rounding errors and enter no slope."""

NEAR = 0.5
"""A near start lies at this share of the path of the smallest K."""


@dataclass(frozen=True)
class Rate:
    """One schedule on one family. measured, bound, reach: one for each K; the first two are geometric
    means over the instances.

    measured: min over k ≤ K of ‖∇f(xᵏ)‖ (of its mean over the seeds). start: ‖x⁰ − x⋆‖, mean over the
    instances. slope: mean of the fitted −d log(measured)/d log(K + 1); low, high: its 95% interval; fitted:
    instances behind it, which are those with two values above rounding (all three are None where fewer than two
    are left). late: the slope over the upper half of the K. reach: smallest path/‖x⁰ − x⋆‖ over the instances,
    None for steps that are not normalised. largest_share: largest measured/bound over instances and K, None
    where no bound is printed.
    """

    schedule: str
    printed: str
    exponent: float | None
    problem: str
    memory: str
    start: float
    K: tuple[int, ...]
    measured: tuple[float, ...]
    bound: tuple[float, ...] | None
    reach: tuple[float, ...] | None
    slope: float | None
    low: float | None
    high: float | None
    late: float | None
    fitted: int
    largest_share: float | None

    @property
    def arrives(self) -> bool:
        """Whether the path of the smallest K is as long as the way to the minimiser."""
        return self.reach is None or self.reach[0] >= 1

    @property
    def shallower_than_printed(self) -> bool:
        """Whether the whole interval of the slope lies under the printed exponent."""
        return self.exponent is not None and self.high is not None and self.high < self.exponent

    @property
    def judgement(self) -> str:
        """What the slope says of the printed exponent, in a word or two."""
        if self.exponent is None or self.slope is None:
            return "none printed" if self.exponent is None else "at rounding"
        if self.problem == HARDEST:
            return "no rate is faster"
        settled = self.late is None or not self.shallower_than_printed or self.late < self.exponent
        if not self.arrives or not settled:
            return "not asymptotic"
        if self.low is not None and self.low >= self.exponent:
            return "as fast or faster"
        return "shallower" if self.shallower_than_printed else "not told apart"


@dataclass(frozen=True, eq=False)
class _Setup:
    """What a schedule is run on at one K."""

    problem: Problem
    x0: Array
    known: Instance
    choice: Choice
    distance: Array


def rates(
    K: tuple[int, ...] = (63, 127, 255, 511, 1023, 2047, 4095),
    instances: int = 8,
    n: int = 10,
    d: int = 10,
    distance: float = 3.0,
    seed: int = 0,
    families: tuple[str, ...] = EVERYWHERE,
    names: tuple[str, ...] = tuple(SCHEDULES),
    progress: Callable[[int], object] | None = None,
) -> list[Rate]:
    """Every schedule on every family, from ‖x⁰ − x⋆‖ = distance; a schedule whose shortest path does not reach so
    far is run again from as near as NEAR of it. families: of `catalogue`, and `HARDEST`. Raises
    `ValueError` for fewer than two K or instances, K that do not increase, and names that are unknown."""
    if len(K) < 2 or instances < 2:
        raise ValueError(
            f"{len(K)} values of K and {instances} instances: a slope with an interval needs two of each"
        )
    if any(a >= b for a, b in pairwise([checks.whole("K", k, least=0) for k in K])):
        raise ValueError(f"K = {K} must increase: a slope needs values that differ, in order")
    checks.non_negative("distance", distance)
    for name in names:
        if name not in SCHEDULES:
            raise ValueError(f"unknown schedule {name!r}; the schedules are {', '.join(SCHEDULES)}")
    found = []
    for family in families:
        for name in names:
            schedule = SCHEDULES[name]
            if family == HARDEST:
                if schedule.exponent:
                    at = _hardest(schedule, instances)
                    found.append(_rate(schedule, family, at, K, seed, progress))
                continue
            problem = make(family, n, d, batch=(instances, 1), seed=seed)
            far = _from(schedule, problem, np.full((instances, 1), distance), seed)
            found.append(_rate(schedule, family, far, K, seed, progress))
            if not found[-1].arrives:
                path = _path(far(K[0]), K[0])
                near = _from(schedule, problem, NEAR * path, seed)
                found.append(_rate(schedule, family, near, K, seed, progress))
    return found


def instance_of(problem: Problem, x0: Array) -> Instance:
    """The numbers that schedules read."""
    c = problem.constants
    _, R = memories(problem, x0, "zero")
    return Instance(
        problem.objective(x0) - c.f_inf,
        c.L,
        c.L_max,
        R,
        c.f_inf - c.f_i_inf.mean(axis=-1),
        problem.n,
        problem.d,
    )


def _from(schedule: Schedule, problem: Problem, distance: Array, seed: int) -> Callable[[int], _Setup]:
    """One problem and one start for all K; distance: shape `batch`."""
    away = away_from_minimiser(problem, 1.0, seed) - problem.constants.minimiser
    x0 = problem.constants.minimiser + distance[..., None] * away
    known = instance_of(problem, x0)
    return lambda K: _Setup(problem, x0, known, schedule.choose(known, K), distance)


def _hardest(schedule: Schedule, instances: int) -> Callable[[int], _Setup]:
    """f(x) = x²/2 for |x| ≤ g and g|x| − g²/2 beyond, L = 1: the slope g is such that a run of K steps does not
    come to the end of it. The instances are gaps f(x⁰) − f^inf from 1e-5 to 1e-3. Two clients have f and a dip
    or a bump beyond the valley, which cancel and are not visited, so that Δ^inf > 0."""
    gap = np.geomspace(1e-5, 1e-3, instances)[:, None]
    one = np.ones_like(gap)
    away = Instance(gap, one, one, np.sqrt(2 * gap), np.inf * one, 2, 1)

    def at(K: int) -> _Setup:
        step = schedule.choose(away, K).step
        if step is None:  # gradient descent: K steps of length g
            g = np.sqrt(gap / (K + 0.5))
            length = K * g
        else:
            length = K * np.broadcast_to(step, gap.shape)
            g = 2 * gap / (length + np.sqrt(length**2 + 2 * gap))
        beyond = np.broadcast_to([-6.0, -5.0, -3.0, -2.0], (*gap.shape, 4))
        knots = np.concatenate([beyond, -g[..., None], g[..., None]], axis=-1)[..., None, :]
        curvatures = np.array([[0, -1, 1, -1, 0, 1, 0], [0, 1, -1, 1, 0, 1, 0]], dtype=float)
        problem = PiecewiseQuadratic(
            np.broadcast_to(knots, (*gap.shape, 2, 6)),
            np.broadcast_to(curvatures, (*gap.shape, 2, 7)),
            np.broadcast_to(-g[..., None], (*gap.shape, 2)),
        )
        x0 = (g + length)[..., None]
        known = instance_of(problem, x0)
        return _Setup(problem, x0, known, schedule.choose(known, K), g + length)

    return at


def _path(setup: _Setup, K: int) -> Array:
    """The length of K + 1 normalised steps, shape `batch`."""
    assert setup.choice.step is not None
    return (K + 1) * np.broadcast_to(setup.choice.step, setup.distance.shape)


def _rate(schedule: Schedule, family: str, at: Callable[[int], _Setup], grid, seed: int, progress) -> Rate:
    measured, limits, reach, setup, begin = [], [], [], None, 0.0
    for K in grid:
        setup = at(K)
        choice = setup.choice
        start, _ = memories(setup.problem, setup.x0, choice.memory, choice.radius, seed)
        traces = run(
            setup.problem,
            choice.method,
            setup.x0,
            K + 1,
            memories=None if choice.method.feedback is None else start,
            seeds=_seeds(seed, setup.problem.batch[0], choice.seeds),
            progress=progress,
        )
        measured.append(traces["gradient_norm"].mean(axis=1).min(axis=-1))
        begin = np.linalg.norm(setup.problem.gradient(setup.x0), axis=-1).ravel()
        if choice.step is not None:
            reach.append(float((_path(setup, K) / setup.distance).min()))
        if choice.bound is not None:
            limits.append(np.broadcast_to(choice.bound, setup.known.L.shape).ravel())
    assert setup is not None
    values, K = np.stack(measured), np.asarray(grid)  # (K, instance)
    slopes, half = -_slopes(K, values, begin), len(grid) // 2
    late = -_slopes(K[half:], values[half:], begin)
    centre = spread = None
    if len(slopes) >= 2:
        centre = float(slopes.mean())
        spread = float(stats.sem(slopes) * stats.t.ppf((1 + CONFIDENCE) / 2, len(slopes) - 1))
    return Rate(
        schedule.name,
        schedule.printed,
        schedule.exponent,
        family,
        setup.choice.memory,
        float(setup.distance.mean()),
        tuple(grid),
        tuple(stats.gmean(np.maximum(values, np.finfo(float).tiny), axis=1).tolist()),
        tuple(stats.gmean(np.stack(limits), axis=1).tolist()) if limits else None,
        tuple(reach) or None,
        centre,
        None if centre is None or spread is None else centre - spread,
        None if centre is None or spread is None else centre + spread,
        float(late.mean()) if len(late) >= 2 else None,
        len(slopes),
        float((values / np.stack(limits)).max()) if limits else None,
    )


def _seeds(seed: int, instances: int, runs: int) -> Array:
    """One seed for each run, shape (instances, runs), no two of them equal and none that of another `seed`: instances
    with the same noise and participants would not be independent draws."""
    return seed * instances * runs + np.arange(instances * runs).reshape(instances, runs)


def _slopes(grid: Array, values: Array, start: Array) -> Array:
    """Least-squares slope of log values against log(K + 1), one for each instance that has at least two
    values above rounding."""
    x = np.log(grid + 1.0)
    found = []
    for column, first in zip(values.T, start, strict=True):
        good = column > ROUNDING * first
        if good.sum() >= 2:
            found.append(np.polyfit(x[good], np.log(column[good]), 1)[0])
    return np.asarray(found)
