"""The attacks there are, family by family: functions on a grid, convex functions under every draw, and
bounds on an expectation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from toy_problems.falsifier.attack import Attack, Effort, Result, Told, broken, unbroken, undecided
from toy_problems.falsifier.convex import decode_convex
from toy_problems.falsifier.convex_search import convex_search
from toy_problems.falsifier.convex_targets import CONVEX, ConvexTarget
from toy_problems.falsifier.convex_witness import convex_witness
from toy_problems.falsifier.evolution import letters_of, search
from toy_problems.falsifier.expectation import (
    FAMILY_ERROR,
    FIRST_SEEDS,
    SECOND_SEEDS,
    Estimate,
    Setting,
    estimate,
)
from toy_problems.falsifier.expectation import search as search_expectation
from toy_problems.falsifier.genome import decode
from toy_problems.falsifier.local import decode_local
from toy_problems.falsifier.local_search import letters_for, local_search
from toy_problems.falsifier.local_targets import LOCAL, LocalTarget
from toy_problems.falsifier.local_witness import local_witness
from toy_problems.falsifier.targets import DETERMINISTIC, RANDOM, Target
from toy_problems.falsifier.witness import NoWitness, witness

GRID = "functions of one variable, any on the grid of visited points"
HUBER = "Huber functions of one variable, every draw of clients summed"
STEPS = "functions of one variable, any pieces, with local steps; start where updates cancel"
NOISY = "functions of one variable in d dimensions, with noise"
FIRST_SAMPLES, LONGER = 4000, 4


def grid_attacks() -> list[Attack]:
    """One for each bound without randomness, or at p = 1 and σ = 0."""
    return [Attack(name, GRID, partial(attack_grid, target)) for name, target in DETERMINISTIC.items()]


def attack_grid(target: Target, effort: Effort, told: Told | None = None) -> Result:
    """Search for the worst instance of a bound without randomness."""
    found = search(target, effort.instances, effort.seconds, effort.seed, progress=told)
    primary = decode(found.genome[None], found.layout)
    functions = primary.functions
    letters = letters_of(target, primary, found.layout)
    instance = {
        "clients": found.layout.clients,
        "K": found.layout.K,
        "letters": {name: float(np.ravel(value)[0]) for name, value in letters.items()},
        "base": functions.base[0].tolist(),
        "slopes": functions.slopes[0].tolist(),
        "tails": functions.tails[0].tolist(),
        "residual": primary.residual[0].tolist(),
    }
    result = unbroken(target.bound, target.name, GRID, found, effort.seed, instance)
    if found.ratio <= 1:
        return result
    try:
        return broken(result, *witness(target, found))
    except NoWitness as error:
        return undecided(result, str(error))


def convex_attacks() -> list[Attack]:
    """Bounds of DP-NormFedAvg: convex functions, who takes part summed over."""
    return [Attack(name, HUBER, partial(attack_convex, target)) for name, target in CONVEX.items()]


def attack_convex(target: ConvexTarget, effort: Effort, told: Told | None = None) -> Result:
    """Search for the worst instance of a bound of DP-NormFedAvg over convex functions and all draws."""
    found = convex_search(target, effort.instances, effort.seconds, effort.seed, progress=told)
    functions = decode_convex(found.genome[None], found.layout, target.common).functions
    instance = {
        "clients": found.layout.clients,
        "K": found.layout.K,
        "E": found.layout.E,
        "law": found.layout.law,
        "curvature": functions.curvature[0].tolist(),
        "slope": functions.slope[0].tolist(),
        "centre": functions.centre[0].tolist(),
    }
    result = unbroken(target.bound, target.name, HUBER, found, effort.seed, instance)
    if found.ratio <= 1:
        return result
    try:
        fewer = min(effort.instances, 20_000)
        return broken(result, *convex_witness(target, fewer, effort.seconds, effort.seed))
    except NoWitness as error:
        return undecided(result, str(error))


def local_attacks() -> list[Attack]:
    """Fed-α-NormEC with local work; also its corollaries with one local step."""
    return [Attack(name, STEPS, partial(attack_local, target)) for name, target in LOCAL.items()]


def attack_local(target: LocalTarget, effort: Effort, told: Told | None = None) -> Result:
    """Search for the worst instance of a bound of Fed-α-NormEC with local work."""
    found = local_search(target, effort.instances, effort.seconds, effort.seed, progress=told)
    layout = found.layout
    primary = decode_local(found.genome[None], layout)
    letters = letters_for(target, primary, layout)
    instance = {
        "clients": layout.clients,
        "functions": layout.functions,
        "T": layout.T,
        "rounds run": layout.rounds,
        "letters": {name: float(np.ravel(value)[0]) for name, value in letters.items()},
        "base": primary.pieces.base[0].tolist(),
        "slopes": primary.pieces.slopes[0].tolist(),
        "residual": primary.residual[0].tolist(),
    }
    result = unbroken(target.bound, target.name, STEPS, found, effort.seed, instance)
    if found.ratio <= 1:
        return result
    try:
        result = broken(result, *local_witness(target, found))
    except NoWitness as error:
        return undecided(result, str(error))
    if target.power == 1:
        return result
    ratio = _feedback(result["witness"]["values"])
    return result | {"reason": f"{result['reason']}; β/(α + R) = {ratio:.4g}, which is not limited in print"}


def _feedback(values: Mapping[str, str]) -> float:
    """β/(α + R), which some corollaries do not bound."""
    beta, alpha, R = (Fraction(values[name]) for name in ("beta", "alpha", "R"))
    return float(beta / (alpha + R))


def expectation_attacks(dimensions: Sequence[int], names: Sequence[str] = ()) -> list[Attack]:
    """Bounds on an expectation (those named, all if none): every reading in every dimension. The error is
    shared by the tests of all of them."""
    settings = [
        Setting(target, d, reading)
        for name, target in RANDOM.items()
        if not names or name in names
        for d in dimensions
        for reading in target.readings
        if d > 1 or reading == target.readings[0]
    ]
    run = partial(attack_expectation, tests=2 * len(settings))
    return [Attack(setting.target.name, NOISY, partial(run, setting)) for setting in settings]


def attack_expectation(setting: Setting, effort: Effort, told: Told | None = None, *, tests: int) -> Result:
    """Search for the worst instance of a bound on an expectation, and decide with fresh seeds."""
    found = search_expectation(setting, effort.instances, effort.seconds, effort.seed, told)
    samples = FIRST_SAMPLES if setting.coordinates < 10 else FIRST_SAMPLES // 10
    first = estimate(setting, found, samples, FIRST_SEEDS, tests)
    second = estimate(setting, found, LONGER * samples, SECOND_SEEDS, tests) if first.broken else None
    target, layout = setting.target, found.layout
    primary = decode(found.genome[None], layout)
    letters = letters_of(target, primary, layout, setting.d)
    return unbroken(target.bound, target.name, NOISY, found, effort.seed, {}) | {
        "kind": "expectation",
        "tightness": first.mean,
        "reading": setting.reading,
        "d": setting.d,
        "simulated_coordinates": setting.coordinates,
        "instance": {
            "clients": layout.clients,
            "K": layout.K,
            "letters": {name: float(np.ravel(value)[0]) for name, value in letters.items()},
        },
        "family_error": FAMILY_ERROR,
        "tests": tests,
        "first": _interval(first),
        "rerun": None if second is None else _interval(second),
        "broken": second is not None and second.broken,
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
