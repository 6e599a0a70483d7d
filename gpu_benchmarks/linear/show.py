"""The summary of a part of Table 2 as tables for a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gpu_benchmarks.linear.readings import NOISE_FORMS
from methods.terminal.tables import Table


def render(data: Mapping[str, Any]) -> list[Table]:
    """The summary as tables."""
    parts = [
        _cells(data),
        _gaps(data["gaps"]),
        _needed(data["needed"]),
        _joint(data["joint"]),
        _ledger(data["ledger"]),
    ]
    return [*parts, _accounted(data["accounted"])] if data["accounted"] else parts


def _cells(data: Mapping[str, Any]) -> Table:
    made = data.get("extraction")
    features = f", features at {made['size']} pixels" if made else ""
    cells = Table(
        f"{data['table']}: K = {data['rounds']}, {len(data['seeds'])} runs a cell, percent, 95% intervals{features}",
        ("method", "ε", "reading", "s = σ/C", "printed", "ours", "C", "η₀", "fresh seeds", "verdict"),
    )
    for row in data["rows"]:
        cell, fresh = row["cell"], row["fresh"]
        cells.add_row(
            row["method"],
            "∞" if row["epsilon"] is None else f"{row['epsilon']:g}",
            row["form"],
            f"{row['noise']:.4g}",
            f"{row['printed']:.2f}",
            _mean(cell),
            f"{cell['c']:g}" if cell and row["method"] != "fedavg" else "",
            f"{cell['eta0']:g}" if cell else "",
            _mean(fresh) if fresh else "",
            row["standing"],
        )
    return cells


def _gaps(rows: Sequence[Mapping[str, Any]]) -> Table:
    gaps = Table("normalisation − clipping, points", ("ε", "reading", "printed", "ours"))
    for gap in rows:
        gaps.add_row(f"{gap['epsilon']:g}", gap["form"], f"{gap['printed']:.2f}", _mean(gap))
    return gaps


def _needed(rows: Sequence[Mapping[str, Any]]) -> Table:
    needed = Table(
        "noise at which the curve has the printed number, and the constant q that this means",
        ("method", "ε", "printed", "s = σ/C", *(f"q as {form}" for form in NOISE_FORMS)),
    )
    for item in rows:
        needed.add_row(
            item["method"],
            f"{item['epsilon']:g}",
            f"{item['printed']:.2f}",
            f"{item['noise']:.4g}" if item["noise"] else "outside",
            *(f"{item['q'][form]:g}" if item["noise"] else "" for form in NOISE_FORMS),
        )
    return needed


def _joint(fits: Sequence[Mapping[str, Any]]) -> Table:
    joint = Table(
        "the one q that brings the four private numbers nearest, by the curve",
        ("reading", "q", "method", "ε", "printed", "curve"),
    )
    for fit in fits:
        for item in fit.get("cells", ()):
            joint.add_row(
                fit["form"],
                f"{fit['q']:.4g}",
                item["method"],
                f"{item['epsilon']:g}",
                f"{item['printed']:.2f}",
                f"{item['curve']:.2f}",
            )
    return joint


def _accounted(rows: Sequence[Mapping[str, Any]]) -> Table:
    accounted = Table(
        "noise that (ε, δ) needs by accounting, one noise r σ in each sum, and the accuracy that the curve has there",
        ("ε", "s = σ/C", "q as deviation", "clip", "norm"),
    )
    for item in rows:
        shown = [f"{item[m]:.2f}" if item.get(m) is not None else "outside" for m in ("clip", "norm")]
        accounted.add_row(f"{item['epsilon']:g}", f"{item['noise']:.4g}", f"{item['q']:g}", *shown)
    return accounted


def _ledger(rows: Sequence[Mapping[str, Any]]) -> Table:
    """One reading changed at a time, on the coarse grid."""
    levels = next((list(row["numbers"]) for row in rows if row["numbers"]), [])
    made = Table(
        "one reading changed at a time, coarse grid, one run: clip/norm by noise; distance of the best q",
        ("reading", *(f"s {s}" for s in levels), "margin", "FedAvg", "fit", "form", "q"),
    )
    for row in rows:
        name = f"{row['reading']}: {row['option']}" if row["option"] else row["reading"]
        if row["numbers"] is None:
            made.add_row(name, *("not run" for _ in levels), "not run", "", "", "", "")
            continue
        pairs = [
            "/".join("–" if pair[m] is None else f"{pair[m]:.1f}" for m in ("clip", "norm"))
            for pair in row["numbers"].values()
        ]
        joint = row["joint"] or {"distance": math.nan, "form": "none", "q": math.nan}
        made.add_row(
            name,
            *pairs,
            "–" if row["margin"] is None else f"{row['margin']:z.2f}",
            "–" if row["fedavg"] is None else f"{row['fedavg']:.2f}",
            f"{joint['distance']:.2f}",
            joint["form"],
            f"{joint['q']:.4g}",
        )
    return made


def _mean(holder: Mapping[str, Any] | None) -> str:
    if not holder or holder["mean"] is None:
        return "not run"
    return f"{holder['mean']:z.2f} {_interval(holder)}"


def _interval(holder: Mapping[str, Any] | None) -> str:
    if not holder or holder["interval"] is None:
        return ""
    low, high = holder["interval"]
    return f"[{low:z.2f}, {high:z.2f}]"
