"""Which attacks a plan makes, all of them carried out, and what came of it as plain data (`attack`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from bounds.scalars import is_whole, plain
from methods.terminal.console import near
from methods.terminal.processes import each
from toy_problems.falsifier.attack import Attack, Effort, Result
from toy_problems.falsifier.convex.attack import convex_attacks
from toy_problems.falsifier.coverage import NOT_ATTACKED
from toy_problems.falsifier.expectation.attack import expectation_attacks
from toy_problems.falsifier.expectation.search import FAMILY_ERROR
from toy_problems.falsifier.grid.attack import grid_attacks
from toy_problems.falsifier.local.attack import local_attacks
from toy_problems.falsifier.planar.attack import planar_attacks
from toy_problems.falsifier.traces.attack import trace_attacks

LARGEST = 2**53
"""Of the dimensions: above it a float does not hold every integer."""
DIMENSIONS = (1, 10, 100, 1000, 10_000, 100_000)
Progress = Callable[[str, int, float], object]
"""Told the name of the bound, the number of new instances and the best ratio so far."""


class UnknownBound(ValueError):
    """A bound that the falsifier has no target for."""


@dataclass(frozen=True)
class Plan:
    """What to attack and how hard.

    bounds: names, all if empty. budget: seconds for each bound, and instances for each bound: both shared
    evenly by its attacks. dimensions: of the bounds on an expectation; none leaves them out. seed: of the search;
    the tests use other seeds.
    """

    bounds: tuple[str, ...] = ()
    budget: float = 20.0
    instances: int = 1_000_000
    dimensions: tuple[int, ...] = (1, 1000, 100_000)
    seed: int = 0

    def __post_init__(self) -> None:
        if not plain(self.budget) > 0:
            raise ValueError(f"budget = {self.budget} must be > 0 seconds")
        for name, least in (("instances", 1), ("seed", 0)):
            value = getattr(self, name)
            if not is_whole(plain(value), least):
                raise ValueError(f"{name} = {value} must be an integer >= {least}")
        for d in self.dimensions:
            if not is_whole(plain(d), 1, LARGEST):
                raise ValueError(f"dimension = {d} must be an integer in [1, 2^53]")
        known = dict.fromkeys(attack.bound for attack in _every(self.dimensions or (1,), ()))
        for name in self.bounds:
            if name in NOT_ATTACKED:
                raise UnknownBound(f"bound {name!r} is not attacked: {NOT_ATTACKED[name]}")
            if name not in known:
                raise UnknownBound(
                    f"bound {name!r} has no target{near(name, known)}; the targets are {', '.join(known)}"
                )

    @property
    def attacks(self) -> list[Attack]:
        """All that the plan asks for."""
        return [
            attack
            for attack in _every(self.dimensions, self.bounds)
            if not self.bounds or attack.bound in self.bounds
        ]

    def efforts(self) -> list[Effort]:
        """How hard each of `attacks` is to search."""
        attacks = self.attacks
        share = Counter(attack.bound for attack in attacks)
        return [
            Effort(-(-self.instances // share[a.bound]), self.budget / share[a.bound], self.seed)
            for a in attacks
        ]


def _every(dimensions: tuple[int, ...], bounds: tuple[str, ...]) -> list[Attack]:
    """All attacks, family by family. A further family is a further line here."""
    return [
        *grid_attacks(),
        *trace_attacks(),
        *planar_attacks(),
        *convex_attacks(),
        *local_attacks(),
        *expectation_attacks(dimensions, bounds),
    ]


def study(plan: Plan, progress: Progress | None = None, workers: int = 1) -> Iterator[Result]:
    """Results as they come: in the order of the plan with one worker, as they are done with several, which
    are processes of their own and tell `progress` of an attack when it is over."""
    if workers <= 1:
        for index in range(len(plan.attacks)):
            yield _carry_out(plan, index, progress)
        return
    for _, result in each(_carry_out, [(plan, index) for index in range(len(plan.attacks))], workers):
        if progress is not None:
            progress(result["bound"], result["instances"], result["tightness"])
        yield result


def _carry_out(plan: Plan, index: int, progress: Progress | None = None) -> Result:
    attack, effort = plan.attacks[index], plan.efforts()[index]
    told = None if progress is None else lambda count, ratio: progress(attack.bound, count, ratio)
    with threadpool_limits(1):  # the arrays are small, and other attacks use the other cores
        return {"order": index, **attack.run(effort, told)}


def falsifier_results(
    budget_seconds: float,
    instances: int = 1_000_000,
    dimensions: tuple[int, ...] = (1, 1000),
    seed: int = 0,
    progress: Progress | None = None,
    workers: int = 1,
    bounds: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Attack every bound (or those named), within about `budget_seconds` of wall time for all of them together, and return
    plain data for JSON.

    The time is shared evenly among the bounds; deciding with fresh seeds comes on top. dimensions: of the
    bounds on an expectation, which are left out where it is empty. workers: processes. Keys: "schema",
    "budget_seconds", "family_error", "results", a list of what `study` yields in the order of the plan, and
    "not_attacked", the reason for each bound that has no target. Raises `ValueError` for a budget, a number
    of instances or a dimension outside its domain.
    """
    whole = Plan(bounds, budget_seconds, instances, dimensions, seed)
    count = len({attack.bound for attack in whole.attacks})
    plan = Plan(bounds, budget_seconds * max(1, workers) / count, instances, dimensions, seed)
    results = sorted(study(plan, progress, workers), key=lambda result: result["order"])
    return {
        "schema": 1,
        "budget_seconds": budget_seconds,
        "family_error": FAMILY_ERROR,
        "results": results,
        "not_attacked": dict(NOT_ATTACKED),
    }
