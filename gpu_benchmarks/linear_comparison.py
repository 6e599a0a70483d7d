"""DP-NormFedAvg's Table 2 beside the records of the linear model: the same rule, the same kind of row."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from gpu_benchmarks.comparison import Ours, Row, choose
from gpu_benchmarks.reported import Number, Reported, verdict


def compare(reported: Reported, summary: Mapping[str, Any] | None) -> list[Row]:
    """Rows for the linear numbers. summary: what `linear.results.summary` returns; None where nothing was
    run.
    """
    numbers = [n for n in reported.numbers if n.setting == "linear"]
    found = {number.id: _ours(reported, number, summary) for number in numbers}
    chosen = choose([ours for every in found.values() for ours in every])
    rows = []
    for number in numbers:
        every = found[number.id]
        # FedAvg has readings of its own, so it takes its own best where the chosen one does not speak of it.
        pick = next((o for o in every if o.protocol == chosen), None)
        if pick is None and every:
            best = choose(every)
            pick = next(o for o in every if o.protocol == best)
        rows.append(Row(number, pick, tuple(o for o in every if o is not pick)))
    return rows


def _ours(reported: Reported, number: Number, summary: Mapping[str, Any] | None) -> list[Ours]:
    if summary is None or number.config["data"] != "fashion-mnist":
        return []
    wanted = _cells(summary, number.config)
    found = []
    for form, cell in wanted.items():
        values = dict(zip(cell["seeds"], cell["values"], strict=True))
        if number.kind == "difference":
            other = _cells(summary, dict(number.config) | dict(number.minus)).get(form)
            if other is None:
                continue
            subtracted = dict(zip(other["seeds"], other["values"], strict=True))
            values = {seed: value - subtracted[seed] for seed, value in values.items() if seed in subtracted}
        if not values:
            continue
        mean = statistics.fmean(values.values())
        std = statistics.stdev(values.values()) if len(values) > 1 else 0.0
        protocol = tuple(
            sorted({**{k: str(v) for k, v in summary["readings"].items()}, "form": form}.items())
        )
        at = f"C = {cell['c']:g}, η₀ = {cell['eta0']:g}"
        decided = verdict(reported.rule, number, mean, std, len(values))
        found.append(Ours(protocol, mean, std, tuple(sorted(values)), 1, 1, at, decided))
    return found


def _cells(summary: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Tuned cells by reading of the noise (or, for FedAvg, of the server)."""
    rows: Sequence[Mapping[str, Any]] = summary["rows"]
    return {
        row["form"]: row["cell"]
        for row in rows
        if row["method"] == config["method"] and row["epsilon"] == config.get("epsilon") and row["cell"]
    }
