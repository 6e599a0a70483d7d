"""Attacks on Fed-α-NormEC's bounds, by functions with local steps."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

import numpy as np

from toy_problems.falsifier.attack import Attack, Effort, Result, decided, unbroken
from toy_problems.falsifier.evolution import Told
from toy_problems.falsifier.local.candidates import decode_local
from toy_problems.falsifier.local.search import letters_of_run, local_search
from toy_problems.falsifier.local.targets import LOCAL, LocalTarget
from toy_problems.falsifier.local.witness import local_witness

STEPS = "functions of one variable, any pieces, with local steps; start where updates cancel"


def local_attacks() -> list[Attack]:
    """Fed-α-NormEC with local work; also its corollaries with one local step."""
    return [Attack(name, STEPS, partial(attack_local, target)) for name, target in LOCAL.items()]


def attack_local(target: LocalTarget, effort: Effort, told: Told | None = None) -> Result:
    """Search for the worst instance of a bound of Fed-α-NormEC with local work."""
    found = local_search(target, effort.instances, effort.seconds, effort.seed, progress=told)
    layout = found.layout
    primary = decode_local(found.genome[None], layout)
    letters, shown = letters_of_run(target, primary, layout)
    instance = {
        "clients": layout.clients,
        "functions": layout.functions,
        "T": layout.T,
        "rounds run": layout.rounds,
        "letters": {name: float(np.ravel(value)[0]) for name, value in letters.items()},
        "start": float(shown.start[0]),
        "base": primary.pieces.base[0].tolist(),
        "slopes": primary.pieces.slopes[0].tolist(),
        "residual": primary.residual[0].tolist(),
    }
    result = unbroken(target.bound, target.name, STEPS, found, effort.seed, instance)
    result = decided(result, lambda: local_witness(target, found))
    if target.power == 1 or not result["broken"]:
        return result
    ratio = _feedback(result["witness"]["values"])
    return result | {"reason": f"{result['reason']}; β/(α + R) = {ratio:.4g}, which is not limited in print"}


def _feedback(values: Mapping[str, str]) -> float:
    """β/(α + R), which some corollaries do not bound."""
    beta, alpha, R = (Fraction(values[name]) for name in ("beta", "alpha", "R"))
    return float(beta / (alpha + R))
