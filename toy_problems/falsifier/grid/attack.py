"""Attacks on bounds without randomness, by functions of one variable."""

from __future__ import annotations

from functools import partial

import numpy as np

from toy_problems.falsifier.attack import Attack, Effort, Result, decided, unbroken
from toy_problems.falsifier.evolution import Told
from toy_problems.falsifier.genome import decode, letters_of
from toy_problems.falsifier.grid.search import search
from toy_problems.falsifier.grid.witness import witness
from toy_problems.falsifier.targets import DETERMINISTIC, Target

GRID = "functions of one variable, any on the grid of visited points"


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
    return decided(result, lambda: witness(target, found))
