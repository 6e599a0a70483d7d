"""What noise would give the printed numbers: the curve of accuracy against noise, read backwards.

q is not printed, so any noise is some q. What can be tested is whether one q serves all four private
numbers, whose two levels of ε fix the ratio of the noises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bounds.privacy import Setting, noise
from gpu_benchmarks.linear import readings as printed
from gpu_benchmarks.linear import table
from gpu_benchmarks.linear.plan import Plan
from gpu_benchmarks.linear.readings import NOISE_FORMS

Curves = Mapping[str, Sequence[Mapping[str, Any]]]
"""Method -> points of (noise, accuracy), ascending in noise."""

Wanted = Mapping[tuple[str, float], float]
"""(method, ε) -> printed accuracy."""


def curve(found: table.Values, method: str, plan: Plan) -> list[dict[str, Any]]:
    """Tuned accuracy at each noise level on the first seed, ascending in s."""
    return [
        {
            "noise": s,
            "accuracy": round(cell.mean, 3),
            "c": cell.lane.c,
            "eta0": cell.lane.eta0,
            "tried": cell.tried,
        }
        for s, cell in table.accuracy_against_noise(found, method, plan.seeds[:1])
    ]


def joint(form: str, curves: Curves, plan: Plan, wanted: Wanted) -> dict[str, Any]:
    """The one q that brings all four private numbers nearest, by the curve: the smallest sum of distances.

    Searched over s at ε = 5 on 400 logarithmic steps within the curve.
    """
    best: dict[str, Any] = {"form": form, "noise": None}
    points = {method: _points(curve) for method, curve in curves.items()}
    levels = [level for curve in points.values() for level, _ in curve]
    if not levels:
        return best
    for s in np.geomspace(min(levels), max(levels), 400):
        q = plan.q(float(s), printed.EPSILONS[0], form)
        entries = []
        for (method, epsilon), want in wanted.items():
            level = plan.level(epsilon, q, form)
            accuracy = table.accuracy_at(points[method], level)
            if accuracy is None:
                break
            entries.append(
                {"method": method, "epsilon": epsilon, "printed": want, "curve": round(accuracy, 2)}
            )
        distance = sum(abs(entry["curve"] - entry["printed"]) for entry in entries)
        if len(entries) == len(wanted) and (best["noise"] is None or distance < best["distance"]):
            best |= {"noise": float(s), "q": q, "distance": round(distance, 2), "cells": entries}
    return best


def needed(curves: Curves, plan: Plan, wanted: Wanted) -> list[dict[str, Any]]:
    """For each private number printed: the noise at which the curve has it, and the q that this
    means.
    """
    found = []
    for (method, epsilon), accuracy in wanted.items():
        s = table.noise_for(_points(curves[method]), accuracy)
        q = {form: s and float(f"{plan.q(s, epsilon, form):.4g}") for form in NOISE_FORMS}
        found.append({"method": method, "epsilon": epsilon, "printed": accuracy, "noise": s, "q": q})
    return found


def accounted(curves: Curves, plan: Plan) -> list[dict[str, Any]]:
    """The noise that (ε, δ) needs over K rounds by the accounting of the theorem that the paper quotes, and what the curve has there.

    Central model, client level, one client added or removed, participation hidden, and one noise r σ in the sum of a round's
    messages, which moves by at most C. In Algorithm 1 each client that takes part adds its own: another mechanism (DAS-T3).
    Takes seconds.
    """
    found = []
    for epsilon in printed.EPSILONS:
        clients = plan.data.clients
        setting = Setting("server-noise", "add-remove", plan.rounds, printed.PARTICIPATION, clients)
        s = noise(setting, epsilon, printed.DELTA, 1e-2) / (clients * printed.PARTICIPATION)
        entry: dict[str, Any] = {
            "epsilon": epsilon,
            "noise": s,
            "q": float(f"{plan.q(s, epsilon):.4g}"),
        }
        for method, curve in curves.items():
            entry[method] = table.accuracy_at(_points(curve), s)
        found.append(entry)
    return found


def _points(curve: Sequence[Mapping[str, Any]]) -> list[tuple[float, float]]:
    return [(point["noise"], point["accuracy"]) for point in curve]
