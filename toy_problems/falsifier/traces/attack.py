"""Attacks by traces; every trace that is reported is replayed exactly, broken or not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from toy_problems.falsifier.attack import Attack, Effort, Result, broken, unbroken, undecided
from toy_problems.falsifier.evolution import Told
from toy_problems.falsifier.rounding import NoWitness
from toy_problems.falsifier.targets import Target
from toy_problems.falsifier.traces.candidates import TARGETS, TraceLayout, run_traces
from toy_problems.falsifier.traces.search import trace_search
from toy_problems.falsifier.traces.witness import trace_witness

TRACES = "smooth functions of 1 to 3 variables, interpolated"


CERTIFIED = 0.99
"""The exact trace is the coarsest that keeps this share of the ratio that was found."""


def trace_attacks() -> list[Attack]:
    """One for each bound of α-NormEC without noise, and for Fed-α-NormEC's with one local step."""
    return [Attack(name, TRACES, partial(attack_traces, target)) for name, target in TARGETS.items()]


def attack_traces(
    target: Target, effort: Effort, told: Told | None = None, layouts: Sequence[TraceLayout] = ()
) -> Result:
    """Search for the worst trace of a bound. Beside what every attack gives: "certified", the share of the
    bound that the exact replay confirms, whether or not it breaks, "trace", what was replayed, and
    "by_dimension", the largest ratio for each number of variables."""
    found = trace_search(target, effort, told, layouts)
    best = found.best
    run = run_traces(target, best.primary, best.layout)
    instance = {
        "clients": best.layout.clients,
        "K": best.layout.K,
        "d": best.layout.d,
        "letters": {name: float(np.ravel(value)[0]) for name, value in run.letters.items()},
        "points": run.points[0].tolist(),
        "gradients": run.gradients[0].tolist(),
        "values": run.values[0].tolist(),
        "residuals": best.primary.residuals[0].tolist(),
        "bends": (best.primary.contrast[0] * best.primary.bends[0]).tolist(),
    }
    result = unbroken(target.bound, target.name, TRACES, found, effort.seed, instance)
    result |= {"by_dimension": found.by_dimension(), "certified": None, "trace": None}
    reasons = []
    for trace in found.each if best.ratio > 1 else ():  # the smallest that breaks is the easiest to read
        if trace.ratio > 1:
            try:
                candidate, verdict = trace_witness(target, trace.primary, trace.layout, 1.0)
            except NoWitness as error:
                reasons.append(str(error))
                continue
            return broken(result, candidate, verdict) | {"certified": float(verdict.certified)}
    try:
        least = CERTIFIED * min(best.ratio, 1.0)
        candidate, verdict = trace_witness(target, best.primary, best.layout, least)
    except NoWitness as error:
        return undecided(result, " | ".join([*reasons, str(error)])) if best.ratio > 1 else result
    certified = float(verdict.certified)
    result |= {"certified": certified, "trace": candidate}
    result["tightness"] = max(result["tightness"], certified)  # a rounded candidate may be the better one
    if best.ratio > 1:
        return undecided(result, " | ".join(reasons))
    each = ", ".join(f"{ratio:.4f} in {d}" for d, ratio in result["by_dimension"].items())
    told_apart = f"; {certified:.6g} replayed exactly; by dimension {each}"
    return result | {"reason": result["reason"] + told_apart}
