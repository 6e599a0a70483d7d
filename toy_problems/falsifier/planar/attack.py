"""Attacks by explicit functions of two variables."""

from __future__ import annotations

from functools import partial

import numpy as np

from toy_problems.falsifier.attack import Attack, Effort, Result, decided, unbroken
from toy_problems.falsifier.evolution import Told
from toy_problems.falsifier.planar.candidates import AXES, decode_planar, run_planar
from toy_problems.falsifier.planar.search import planar_search
from toy_problems.falsifier.planar.witness import planar_witness
from toy_problems.falsifier.rounding import smallest
from toy_problems.falsifier.targets import Target
from toy_problems.falsifier.traces.candidates import TARGETS

PLANAR = "sums of two piecewise quadratics in the plane"


def planar_attacks() -> list[Attack]:
    """One for each bound that traces attack, but those that ask for a depth of f."""
    return [
        Attack(name, PLANAR, partial(attack_planar, target))
        for name, target in TARGETS.items()
        if not target.deepened
    ]


def attack_planar(target: Target, effort: Effort, told: Told | None = None) -> Result:
    """Search for the worst explicit functions of two variables."""
    found = planar_search(target, effort, told)
    primary = decode_planar(found.genome[None], found.layout)
    letters = run_planar(target, primary, found.layout).letters
    instance = {
        "clients": found.layout.clients,
        "K": found.layout.K,
        "d": AXES,
        "pieces to a step": found.layout.fineness,
        "letters": {name: float(np.ravel(value)[0]) for name, value in letters.items()},
        "base": [f.base[0].tolist() for f in primary.functions],
        "slopes": [f.slopes[0].tolist() for f in primary.functions],
        "tails": [f.tails[0].tolist() for f in primary.functions],
        "residuals": primary.residuals[0].tolist(),
    }
    result = unbroken(target.bound, target.name, PLANAR, found, effort.seed, instance)
    return decided(result, lambda: smallest(found, lambda one: planar_witness(target, one)))
