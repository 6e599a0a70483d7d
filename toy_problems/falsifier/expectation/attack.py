"""Attacks on bounds on an expectation, decided by fresh seeds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from toy_problems.falsifier.attack import Attack, Effort, Result, unbroken
from toy_problems.falsifier.evolution import Told
from toy_problems.falsifier.expectation.search import (
    FAMILY_ERROR,
    FIRST_SEEDS,
    SECOND_SEEDS,
    Estimate,
    Setting,
    estimate,
    search,
)
from toy_problems.falsifier.genome import decode
from toy_problems.falsifier.targets import RANDOM

NOISY = "functions of one variable in d dimensions, with noise"


FIRST_SAMPLES, LONGER = 4000, 4


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
    found = search(setting, effort.instances, effort.seconds, effort.seed, told)
    samples = FIRST_SAMPLES if setting.coordinates < 10 else FIRST_SAMPLES // 10
    first = estimate(setting, found, samples, FIRST_SEEDS, tests)
    second = estimate(setting, found, LONGER * samples, SECOND_SEEDS, tests) if first.broken else None
    target, layout = setting.target, found.layout
    primary = decode(found.genome[None], layout)
    functions = primary.functions
    letters = setting.letters(primary, layout)
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
            "base": functions.base[0].tolist(),
            "slopes": functions.slopes[0].tolist(),
            "tails": functions.tails[0].tolist(),
            "residual": primary.residual[0].tolist(),
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
