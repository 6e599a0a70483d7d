"""Attack bounds one after the other and say what came of it, as data.

A result of a bound without randomness: how close the search came (tightness), the instance, and, where the
bound broke, the exact witness with its replay. A ratio above 1 in floating point without an exact witness
is reported as such and breaks nothing. A result of a bound on an expectation: the confidence interval, and
the longer rerun where it broke.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from toy_problems.falsifier.convex import decode_convex
from toy_problems.falsifier.convex_search import convex_search
from toy_problems.falsifier.convex_targets import CONVEX, ConvexTarget
from toy_problems.falsifier.convex_witness import convex_witness
from toy_problems.falsifier.evolution import Found, letters_of, search
from toy_problems.falsifier.expectation import (
    FAMILY_ERROR,
    FIRST_SEEDS,
    READINGS,
    SECOND_SEEDS,
    Estimate,
    Setting,
    estimate,
)
from toy_problems.falsifier.expectation import search as search_expectation
from toy_problems.falsifier.genome import decode
from toy_problems.falsifier.replay import Verdict
from toy_problems.falsifier.targets import DETERMINISTIC, RANDOM, Target
from toy_problems.falsifier.witness import NoWitness, witness

DIMENSIONS = (1, 10, 100, 1000, 10_000, 100_000)
FIRST_SAMPLES, LONGER = 4000, 4
Progress = Callable[[str, int, float], object]
"""Told the name of the attack, the number of new instances and the best ratio so far."""


class UnknownBound(ValueError):
    """A bound that the falsifier has no target for."""


@dataclass(frozen=True)
class Plan:
    """What to attack and how hard. bounds: names, all if empty. budget: seconds for each attack. instances:
    at most so many for each. dimensions: of the expectation bounds. seed: of the search; the tests use
    other seeds."""

    bounds: tuple[str, ...] = ()
    budget: float = 10.0
    instances: int = 1_000_000
    dimensions: tuple[int, ...] = (1, 1000, 100_000)
    seed: int = 0

    def __post_init__(self) -> None:
        known = dict.fromkeys([*DETERMINISTIC, *CONVEX, *RANDOM])
        for name in self.bounds:
            if name not in known:
                raise UnknownBound(f"bound {name!r} has no target; the targets are {', '.join(known)}")
        if not self.budget > 0:
            raise ValueError(f"budget = {self.budget} must be > 0 seconds")
        if self.instances < 1:
            raise ValueError(f"instances = {self.instances} must be >= 1")
        if not self.dimensions or min(self.dimensions) < 1:
            raise ValueError(f"dimensions = {self.dimensions} must be integers >= 1")

    @property
    def certain(self) -> list[Target]:
        """Targets without randomness."""
        return [t for name, t in DETERMINISTIC.items() if not self.bounds or name in self.bounds]

    @property
    def convex(self) -> list[ConvexTarget]:
        """Targets whose randomness is who takes part, and is summed."""
        return [t for name, t in CONVEX.items() if not self.bounds or name in self.bounds]

    @property
    def random(self) -> list[Setting]:
        """Settings of the expectation bounds: every reading in every dimension; in one dimension the
        readings agree."""
        return [
            Setting(target, d, reading)
            for name, target in RANDOM.items()
            if not self.bounds or name in self.bounds
            for d in self.dimensions
            for reading in READINGS
            if not (d == 1 and reading == "whole vector") and not (target.sampled and d > 100)
        ]

    @property
    def attacks(self) -> int:
        """How many there are."""
        return len(self.certain) + len(self.convex) + len(self.random)


def study(
    plan: Plan, progress: Progress | None = None, include_expectation: bool = True
) -> Iterator[dict[str, Any]]:
    """Results, one attack after the other."""
    for target in plan.certain:
        yield attack(target, plan, progress)
    for target in plan.convex:
        yield attack_convex(target, plan, progress)
    if not include_expectation:
        return
    tests = 2 * len(plan.random)
    for setting in plan.random:
        yield attack_expectation(setting, plan, tests, progress)


def falsifier_results(
    budget_seconds: float,
    include_expectation: bool = True,
    instances: int = 1_000_000,
    dimensions: tuple[int, ...] = (1, 1000),
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Attack every bound once, within about `budget_seconds` of wall time for all of them together, and
    return plain data for JSON.

    The time is shared evenly among the attacks; deciding an expectation bound with fresh seeds comes on top.
    include_expectation: also the bounds on an expectation, in `dimensions`. Keys: "schema", "budget_seconds",
    "family_error" and "results", a list of what `study` yields ("bound", "source", "kind", "tightness",
    "instances", "seconds", "broken", "reason", "instance", and "witness" or "first" and "rerun").
    Raises `ValueError` for a budget, a number of instances or a dimension outside its domain.
    """
    whole = Plan((), budget_seconds, instances, dimensions, seed)
    certain = tuple(t.name for t in (*whole.certain, *whole.convex))
    count = len(certain) + (len(whole.random) if include_expectation else 0)
    plan = Plan((), budget_seconds / count, instances, dimensions, seed)
    results = list(study(plan, progress, include_expectation))
    return {
        "schema": 1,
        "budget_seconds": budget_seconds,
        "family_error": FAMILY_ERROR,
        "results": results,
    }


def attack(target: Target, plan: Plan, progress: Progress | None = None) -> dict[str, Any]:
    """Search for the worst instance of a bound without randomness."""
    told = None if progress is None else lambda count, ratio: progress(target.name, count, ratio)
    found = search(target, plan.instances, plan.budget, plan.seed, progress=told)
    result = _result(target, found, plan.seed) | {"kind": "deterministic", "witness": None}
    if found.ratio <= 1:
        return result | {
            "reason": f"no instance of {found.instances} came above {found.ratio:.6g} of the bound"
        }
    try:
        candidate, verdict = witness(target, found)
    except NoWitness as error:
        return result | {
            "broken": False,
            "reason": f"floating-point ratio {found.ratio:.6g} without witness: {error}",
        }
    return result | _proved(candidate, verdict)


def attack_convex(target: ConvexTarget, plan: Plan, progress: Progress | None = None) -> dict[str, Any]:
    """Search for the worst instance of a bound of DP-NormFedAvg over convex functions and all draws."""
    told = None if progress is None else lambda count, ratio: progress(target.name, count, ratio)
    found = convex_search(target, plan.instances, plan.budget, plan.seed, progress=told)
    functions = decode_convex(found.genome[None], found.layout, target.common).functions
    result = {
        "bound": target.name,
        "source": str(target.bound.source),
        "quantity": target.bound.quantity,
        "kind": "deterministic",
        "tightness": found.ratio,
        "instances": found.instances,
        "seconds": found.seconds,
        "seed": plan.seed,
        "broken": False,
        "witness": None,
        "instance": {
            "clients": found.layout.clients,
            "K": found.layout.K,
            "E": found.layout.E,
            "law": found.layout.law,
            "curvature": functions.curvature[0].tolist(),
            "slope": functions.slope[0].tolist(),
            "centre": functions.centre[0].tolist(),
        },
    }
    if found.ratio <= 1:
        return result | {
            "reason": f"no instance of {found.instances} came above {found.ratio:.6g} of the bound"
        }
    try:
        candidate, verdict = convex_witness(target, min(plan.instances, 20_000), plan.budget, plan.seed)
    except NoWitness as error:
        return result | {"reason": f"floating-point ratio {found.ratio:.6g} without witness: {error}"}
    return result | _proved(candidate, verdict)


def _proved(candidate: dict[str, Any], verdict: Verdict) -> dict[str, Any]:
    replayed = {"measured": str(verdict.measured), "bound": str(verdict.bound)}
    return {
        "broken": True,
        "witness": candidate | {"replay": replayed},
        "reason": f"exact witness: {float(verdict.measured):.6g} > {float(verdict.bound):.6g}",
    }


def attack_expectation(
    setting: Setting, plan: Plan, tests: int, progress: Progress | None = None
) -> dict[str, Any]:
    """Search for the worst instance of a bound on an expectation, and decide with fresh seeds."""
    name = f"{setting.target.name} ({setting.reading}, d = {setting.d})"
    told = None if progress is None else lambda count, ratio: progress(name, count, ratio)
    found = search_expectation(setting, plan.instances, plan.budget, plan.seed, told)
    samples = FIRST_SAMPLES if setting.coordinates < 10 else FIRST_SAMPLES // 10
    first = estimate(setting, found, samples, FIRST_SEEDS, tests)
    second = estimate(setting, found, LONGER * samples, SECOND_SEEDS, tests) if first.broken else None
    broken = second is not None and second.broken
    return _result(setting.target, found, plan.seed) | {
        "kind": "expectation",
        "reading": setting.reading,
        "d": setting.d,
        "simulated_coordinates": setting.coordinates,
        "family_error": FAMILY_ERROR,
        "tests": tests,
        "first": _interval(first),
        "rerun": None if second is None else _interval(second),
        "broken": broken,
        "reason": _reason(first, second),
    }


def _reason(first: Estimate, second: Estimate | None) -> str:
    interval = f"[{first.low:.4g}, {first.high:.4g}] of the bound with {first.samples} runs"
    if second is None:
        return f"not broken with confidence: {interval}"
    again = f"[{second.low:.4g}, {second.high:.4g}] with {second.samples} other runs"
    return f"{'broken and confirmed' if second.broken else 'broken at first, not confirmed'}: {interval}, {again}"


def _interval(e: Estimate) -> dict[str, Any]:
    return {"samples": e.samples, "first_seed": e.seed, "low": e.low, "mean": e.mean, "high": e.high}


def _result(target: Target, found: Found, seed: int) -> dict[str, Any]:
    primary = decode(found.genome[None], found.layout)
    letters = letters_of(target, primary, found.layout)
    functions = primary.functions
    return {
        "bound": target.name,
        "source": str(target.bound.source),
        "quantity": target.bound.quantity,
        "tightness": found.ratio,
        "instances": found.instances,
        "seconds": found.seconds,
        "seed": seed,
        "broken": False,
        "instance": {
            "clients": found.layout.clients,
            "K": found.layout.K,
            "letters": {name: float(np.ravel(value)[0]) for name, value in letters.items()},
            "base": functions.base[0].tolist(),
            "slopes": functions.slopes[0].tolist(),
            "tails": functions.tails[0].tolist(),
            "residual": primary.residual[0].tolist(),
        },
    }
