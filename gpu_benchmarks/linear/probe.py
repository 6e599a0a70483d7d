"""One reading changed at a time: where the printed numbers of Table 2 move, and which reading fits.

The paper does not say how pixels are scaled, whether there is a bias, where the weights start, what the
momentum is, or how clients are drawn. Each option of each reading is run once (first seed) with everything
else as in the table, on the coarse grid of the curve, at five noise levels. q is free, so what counts is not
the accuracy at one noise level but whether one q brings all four private numbers near (`fit.joint`), and
normalisation's margin over clipping, which no q can change much. The default readings are looked up on the
same lanes in the records of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gpu_benchmarks.linear import fit, table
from gpu_benchmarks.linear import readings as printed
from gpu_benchmarks.linear.batch import Batch, every
from gpu_benchmarks.linear.federation import Lane
from gpu_benchmarks.linear.plan import CURVE_CLIP_GRID, CURVE_STEP_GRID, PRIVATE, Plan
from gpu_benchmarks.linear.readings import NOISE_FORMS, OPTIONS

LESS_NOISE, MORE_NOISE = 0.012, 0.3
"""A level below and one above those of Table 2(a), for readings that need less noise or bear more; both are
levels of the curve."""

ELSEWHERE = ("fedavg_server", "partition")
"""Readings that are not tried here: FedAvg's server has rows of its own in the table, and whether runs share the
clients' data cannot show in a single run."""

PAIRS: tuple[Mapping[str, str], ...] = ({"bias": "no", "momentum": "none"},)
"""Changed together: no bias fits the four numbers best, no momentum has the largest margin of those that do not
spoil FedAvg."""


def changes(plan: Plan) -> list[Mapping[str, str]]:
    """Every option but those of the plan by itself, then the pairs."""
    chosen = plan.readings.as_dict()
    names = [name for name in OPTIONS if name not in ELSEWHERE]
    return [*({n: option} for n in names for option in plan.options(n) if option != chosen[n]), *PAIRS]


def private(levels: Sequence[float]) -> tuple[Lane, ...]:
    """Both private methods on the coarse grid at these noise levels."""
    return tuple(
        Lane(method, c, eta0, s)
        for s in levels
        for method in PRIVATE
        for c in CURVE_CLIP_GRID
        for eta0 in CURVE_STEP_GRID
    )


def groups(plan: Plan) -> tuple[tuple[Lane, ...], ...]:
    """The runs of one reading, batch by batch: the levels of the table and one below with FedAvg; one above."""
    fedavg = tuple(Lane("fedavg", 1.0, eta0, 0.0) for eta0 in plan.step_grid)
    return private((LESS_NOISE, *plan.levels)) + fedavg, private((MORE_NOISE,))


def batches(plan: Plan) -> Iterator[Batch]:
    """Two batches for each change."""
    for change in changes(plan):
        for lanes in groups(plan):
            readings = replace(plan.readings, **change)
            yield plan.batch(readings, plan.seeds[0], lanes, every(plan.rounds, 50))


def ledger(values: table.ValuesOf, plan: Plan, wanted: fit.Wanted) -> list[dict[str, Any]]:
    """For the default readings and each option: the tuned accuracies, the margin, and the q that fits best.

    wanted: the printed private numbers by (method, ε). A change without records has no numbers (None).
    """
    rows = [_row("default", "", plan, values, wanted)]
    for change in changes(plan):
        changed = replace(plan, readings=replace(plan.readings, **change))
        rows.append(_row(", ".join(change), ", ".join(change.values()), changed, values, wanted))
    return rows


def _row(name: str, option: str, plan: Plan, values: table.ValuesOf, wanted: fit.Wanted) -> dict[str, Any]:
    asked = {lane for lanes in groups(plan) for lane in lanes}
    found = {lane: by_seed for lane, by_seed in values(plan).items() if lane in asked}
    first = plan.seeds[:1]
    row: dict[str, Any] = {
        "reading": name,
        "option": option,
        "numbers": None,
        "fedavg": None,
        "joint": None,
        "margin": None,
    }
    if not asked <= set(found):
        return row
    curves = {method: fit.curve(found, method, plan) for method in PRIVATE}
    fedavg = table.tune(found, "fedavg", 0.0, first)
    fits = [fit.joint(form, curves, plan, wanted) for form in NOISE_FORMS]
    fitting = [one for one in fits if one["noise"] is not None]
    numbers = {
        f"{s:.4g}": {method: _at(curves[method], s) for method in PRIVATE}
        for s in (LESS_NOISE, *plan.levels, MORE_NOISE)
    }
    return row | {
        "numbers": numbers,
        "fedavg": None if fedavg is None else round(fedavg.mean, 2),
        "joint": min(fitting, key=lambda one: one["distance"], default=None),
        "margin": _margin(curves, wanted),
    }


def _at(curve: Sequence[Mapping[str, Any]], noise: float) -> float | None:
    return next((point["accuracy"] for point in curve if point["noise"] == noise), None)


def _margin(curves: fit.Curves, wanted: fit.Wanted) -> float | None:
    """Normalisation minus clipping at the noise where normalisation has its printed accuracy at the larger ε;
    None where the curve does not reach it.
    """
    points = {m: [(p["noise"], p["accuracy"]) for p in curve] for m, curve in curves.items()}
    target = wanted["norm", printed.EPSILONS[0]]
    s = table.noise_for(points["norm"], target)
    clip = None if s is None else table.accuracy_at(points["clip"], s)
    return None if clip is None else round(target - clip, 2)
