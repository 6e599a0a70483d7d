"""What the records say about Table 2(a): each cell, the gaps, the curve, and the noise that would fit.

:func:`summary` is plain data (JSON), for the table command and the report. Nothing is judged here by
eye; printed numbers and the rule of the verdict are data in `gpu_benchmarks/reported.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group
from rich.table import Table

from gpu_benchmarks.linear import readings as printed
from gpu_benchmarks.linear import table
from gpu_benchmarks.linear.execute import Runner, again
from gpu_benchmarks.linear.plan import FEDAVG_SERVERS, PRIVATE, Plan
from gpu_benchmarks.linear.readings import NOISE_FORMS, Readings

PRINTED: Mapping[tuple[str, float], tuple[float, float]] = {
    ("clip", 5.0): (75.59, 0.04),
    ("norm", 5.0): (77.72, 0.10),
    ("clip", 2.0): (57.42, 0.08),
    ("norm", 2.0): (58.32, 0.12),
    ("fedavg", math.inf): (83.43, 0.02),
}
"""Table 2(a): (method, ε) -> (test accuracy, printed standard deviation), percent."""

FRESH_SEEDS = (10, 11, 12)
"""Seeds that have no part in the choice of a cell."""

Record = Mapping[str, Any]


def summary(records: Iterable[Record], plan: Plan) -> dict[str, Any]:
    """Everything about the table that the records of this plan's readings and K hold."""
    records = list(records)
    private = table.values(records, plan.readings, plan.rounds)
    rows = []
    for epsilon in printed.EPSILONS:
        for form in NOISE_FORMS:
            for method in PRIVATE:
                s = plan.noise(epsilon, form)
                cell = table.tune(private, method, s, plan.seeds)
                rows.append(_row(method, epsilon, form, s, cell, private, plan))
    for server in FEDAVG_SERVERS:
        found = table.values(records, _server(plan.readings, server), plan.rounds)
        cell = table.tune(found, "fedavg", 0.0, plan.seeds)
        rows.append(_row("fedavg", math.inf, server, 0.0, cell, found, plan))
    curves = {m: _curve(private, m, plan) for m in PRIVATE}
    return {
        "table": "DP-NormFedAvg, Table 2(a)",
        "rounds": plan.rounds,
        "seeds": list(plan.seeds),
        "readings": plan.readings.as_dict(),
        "rows": rows,
        "gaps": [_gap(rows, epsilon, form) for epsilon in printed.EPSILONS for form in NOISE_FORMS],
        "curve": curves,
        "needed": _needed(curves, plan),
        "batches": len(records),
        "seconds": round(sum(record["provenance"]["wall_seconds"] for record in records), 1),
    }


def repeat(plan: Plan, runner: Runner, records: Iterable[Record]) -> list[Record]:
    """The chosen cells again, on the table's seeds and on fresh ones, measured after every round."""
    rows = summary(records, plan)["rows"]
    done: list[Record] = []
    seeds = plan.seeds + FRESH_SEEDS
    lanes = [_lane(row) for row in rows if row["cell"] and row["method"] != "fedavg"]
    if lanes:
        done += again(plan, runner, dict.fromkeys(lanes), plan.readings.fedavg_server, seeds)
    for row in rows:
        if row["method"] == "fedavg" and row["cell"]:
            done += again(plan, runner, [_lane(row)], row["form"], seeds)
    return done


def _lane(row: Mapping[str, Any]) -> table.Lane:
    cell = row["cell"]
    return table.Lane(row["method"], cell["c"], cell["eta0"], row["noise"])


def _server(readings: Readings, server: str) -> Readings:
    return Readings(**{**readings.as_dict(), "fedavg_server": server})


def _row(
    method: str, epsilon: float, form: str, s: float, cell: table.Cell | None, found: table.Values, plan: Plan
) -> dict[str, Any]:
    want, deviation = PRINTED[method, epsilon]
    row: dict[str, Any] = {
        "method": method,
        "epsilon": epsilon if math.isfinite(epsilon) else None,
        "form": form,
        "noise": s,
        "printed": want,
        "printed_deviation": deviation,
        "cell": _cell(cell),
        "fresh": None,
    }
    if s:
        row["q"] = float(f"{printed.constant_q(s, epsilon, plan.rounds, form):.4g}")
    if cell:
        row["fresh"] = _cell(table.fresh(found, cell.lane, plan.seeds))
    return row


def _cell(cell: table.Cell | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    low, high = cell.interval()
    return {
        "c": cell.lane.c,
        "eta0": cell.lane.eta0,
        "seeds": list(cell.seeds),
        "values": [round(value, 4) for value in cell.values],
        "mean": round(cell.mean, 4),
        "deviation": round(cell.deviation, 4) if math.isfinite(cell.deviation) else None,
        "interval": [round(low, 4), round(high, 4)] if math.isfinite(low) else None,
        "tried": cell.tried,
        "diverged": cell.diverged,
    }


def _gap(rows: Sequence[Mapping[str, Any]], epsilon: float, form: str) -> dict[str, Any]:
    """Normalisation minus clipping, tuned each, paired by seed (same data, participants and noise)."""
    by_method = {row["method"]: row for row in rows if row["epsilon"] == epsilon and row["form"] == form}
    clip, norm = by_method["clip"], by_method["norm"]
    gap: dict[str, Any] = {
        "epsilon": epsilon,
        "form": form,
        "printed": round(norm["printed"] - clip["printed"], 2),
        "mean": None,
        "interval": None,
    }
    if clip["cell"] and norm["cell"]:
        pairs = zip(norm["cell"]["values"], clip["cell"]["values"], strict=True)
        differences = [n - c for n, c in pairs]
        low, high = table.interval(differences)
        gap["mean"] = round(sum(differences) / len(differences), 4)
        gap["interval"] = [round(low, 4), round(high, 4)] if math.isfinite(low) else None
    return gap


def _curve(found: table.Values, method: str, plan: Plan) -> list[dict[str, Any]]:
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


def _needed(curves: Mapping[str, Sequence[Mapping[str, Any]]], plan: Plan) -> list[dict[str, Any]]:
    """For each private number printed: the noise at which the curve has it, and the q that this
    means.
    """
    needed = []
    for (method, epsilon), (accuracy, _) in PRINTED.items():
        if method == "fedavg":
            continue
        s = table.noise_for([(point["noise"], point["accuracy"]) for point in curves[method]], accuracy)
        q = {
            form: s and float(f"{printed.constant_q(s, epsilon, plan.rounds, form):.4g}")
            for form in NOISE_FORMS
        }
        needed.append({"method": method, "epsilon": epsilon, "printed": accuracy, "noise": s, "q": q})
    return needed


def render(data: Mapping[str, Any]) -> Group:
    """The summary as tables for a terminal."""
    cells = _table(
        f"{data['table']}: K = {data['rounds']}, {len(data['seeds'])} runs a cell, percent, 95% intervals",
        ("method", "ε", "reading", "s = σ/C", "printed", "ours", "C", "η₀", "fresh seeds"),
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
        )
    gaps = _table("normalisation − clipping, points", ("ε", "reading", "printed", "ours"))
    for gap in data["gaps"]:
        gaps.add_row(f"{gap['epsilon']:g}", gap["form"], f"{gap['printed']:.2f}", _mean(gap))
    needed = _table(
        "noise at which the curve has the printed number, and the constant q that this means",
        ("method", "ε", "printed", "s = σ/C", *(f"q as {form}" for form in NOISE_FORMS)),
    )
    for item in data["needed"]:
        needed.add_row(
            item["method"],
            f"{item['epsilon']:g}",
            f"{item['printed']:.2f}",
            f"{item['noise']:.4g}" if item["noise"] else "outside",
            *(f"{item['q'][form]:g}" if item["noise"] else "" for form in NOISE_FORMS),
        )
    return Group(cells, gaps, needed)


def _table(title: str, columns: Sequence[str]) -> Table:
    made = Table(title=title, box=box.SIMPLE, title_justify="left")
    for name in columns:
        made.add_column(name, no_wrap=True)
    return made


def _mean(holder: Mapping[str, Any] | None) -> str:
    if not holder or holder["mean"] is None:
        return "not run"
    return f"{holder['mean']:.2f} {_interval(holder)}"


def _interval(holder: Mapping[str, Any] | None) -> str:
    if not holder or holder["interval"] is None:
        return ""
    low, high = holder["interval"]
    return f"[{low:.2f}, {high:.2f}]"
