"""Attacks on DP-NormFedAvg's bounds, by convex functions under every draw."""

from __future__ import annotations

from functools import partial

import numpy as np

from toy_problems.falsifier.attack import Attack, Effort, Result, decided, unbroken
from toy_problems.falsifier.convex.candidates import decode_convex
from toy_problems.falsifier.convex.search import convex_search, trace_of
from toy_problems.falsifier.convex.targets import CONVEX, ConvexTarget
from toy_problems.falsifier.convex.witness import convex_witness
from toy_problems.falsifier.evolution import Told

HUBER = "Huber functions of one variable, every draw of clients summed"


def convex_attacks() -> list[Attack]:
    """Bounds of DP-NormFedAvg: convex functions, who takes part summed over."""
    return [Attack(name, HUBER, partial(attack_convex, target)) for name, target in CONVEX.items()]


def attack_convex(target: ConvexTarget, effort: Effort, told: Told | None = None) -> Result:
    """Search for the worst instance of a bound of DP-NormFedAvg over convex functions and all draws."""
    found = convex_search(target, effort.instances, effort.seconds, effort.seed, progress=told)
    primary = decode_convex(found.genome[None], found.layout, target.common)
    functions, (_, letters) = primary.functions, trace_of(target, primary, found.layout)
    instance = {
        "clients": found.layout.clients,
        "K": found.layout.K,
        "E": found.layout.E,
        "law": found.layout.law,
        "letters": {name: float(np.ravel(value)[0]) for name, value in letters.items()},
        "start": float(functions.minimiser()[0] + primary.start[0]),
        "curvature": functions.curvature[0].tolist(),
        "slope": functions.slope[0].tolist(),
        "centre": functions.centre[0].tolist(),
    }
    result = unbroken(target.bound, target.name, HUBER, found, effort.seed, instance)
    fewer = min(effort.instances, 20_000)
    return decided(result, lambda: convex_witness(target, fewer, effort.seconds, effort.seed))
