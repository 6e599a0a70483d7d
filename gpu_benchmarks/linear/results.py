"""What the records say about Table 2(a): each cell, the gaps, the curve, and the noise that would fit.

:func:`summary` is plain data (JSON), for the table command and the report. Nothing is judged here by
eye; printed numbers and the rule of the verdict are data in `gpu_benchmarks/reported.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gpu_benchmarks.linear import fit, probe, table
from gpu_benchmarks.linear import readings as printed
from gpu_benchmarks.linear.batch import Batch
from gpu_benchmarks.linear.plan import FEDAVG_SERVERS, PRIVATE, Plan
from gpu_benchmarks.linear.readings import NOISE_FORMS, Readings
from gpu_benchmarks.reported import Number, Reported, load, verdict

IDS: Mapping[tuple[str, float], str] = {
    ("clip", 5.0): "DAS-T2A-CLIP-5",
    ("norm", 5.0): "DAS-T2A-NORM-5",
    ("clip", 2.0): "DAS-T2A-CLIP-2",
    ("norm", 2.0): "DAS-T2A-NORM-2",
    ("fedavg", math.inf): "DAS-T2A-FEDAVG",
}
"""(method, ε) -> the entry of `gpu_benchmarks/reported.toml`."""

MARGIN = "DAS-S1-MARGIN-FMNIST"
"""The entry of the printed margin at ε = 5."""

FRESH_SEEDS = (10, 11, 12)
"""Seeds that have no part in the choice of a cell."""

Record = Mapping[str, Any]


def summary(records: Iterable[Record], plan: Plan, accounting: bool = False) -> dict[str, Any]:
    """Everything about the table that the records of this plan's readings and K hold.

    accounting: also the noise that (ε, δ) needs by accounting, which takes seconds.
    """
    records = list(records)
    known = load()
    private = table.values(records, plan.readings, plan.rounds)
    rows = []
    for epsilon in printed.EPSILONS:
        for form in NOISE_FORMS:
            for method in PRIVATE:
                s = plan.noise(epsilon, form)
                cell = table.tune(private, method, s, plan.seeds)
                rows.append(_row(method, epsilon, form, s, cell, private, plan, known))
    for server in FEDAVG_SERVERS:
        found = table.values(records, with_server(plan.readings, server), plan.rounds)
        cell = table.tune(found, "fedavg", 0.0, plan.seeds)
        rows.append(_row("fedavg", math.inf, server, 0.0, cell, found, plan, known))
    curves = {m: fit.curve(private, m, plan) for m in PRIVATE}
    wanted = {key: _number(known, name).low for key, name in IDS.items() if key[0] != "fedavg"}
    return {
        "table": "DP-NormFedAvg, Table 2(a)",
        "rounds": plan.rounds,
        "seeds": list(plan.seeds),
        "readings": plan.readings.as_dict(),
        "rows": rows,
        "gaps": [_gap(rows, epsilon, form, known) for epsilon in printed.EPSILONS for form in NOISE_FORMS],
        "curve": curves,
        "needed": fit.needed(curves, plan, wanted),
        "joint": [fit.joint(form, curves, plan, wanted) for form in NOISE_FORMS],
        "accounted": fit.accounted(curves, plan) if accounting else None,
        "ledger": probe.ledger(records, plan, wanted),
        "precision": _precision(records, plan),
        "batches": len(records),
        "seconds": round(sum(record["provenance"]["wall_seconds"] for record in records), 1),
    }


def repeat(plan: Plan, records: Iterable[Record]) -> Iterator[Batch]:
    """The chosen cells on fresh seeds, measured after every round; then those with little or no noise in
    float64, on the first of these seeds.
    """
    rows = [row for row in summary(records, plan)["rows"] if row["cell"]]
    chosen = {
        server: tuple(dict.fromkeys(lane(row) for row in rows if runs_with(row, server, plan)))
        for server in FEDAVG_SERVERS
    }
    for server, lanes in chosen.items():
        if lanes:
            yield from plan.again(lanes, FRESH_SEEDS, server)
    server = plan.readings.fedavg_server
    quiet = tuple(item for item in chosen[server] if item.noise <= plan.levels[0])
    if quiet:
        yield from plan.again(quiet, FRESH_SEEDS[:1], server, "float64")


def runs_with(row: Mapping[str, Any], server: str, plan: Plan) -> bool:
    """Whether a row's runs are made with this reading of FedAvg's server; the private methods do not care."""
    return server == (row["form"] if row["method"] == "fedavg" else plan.readings.fedavg_server)


def lane(row: Mapping[str, Any]) -> table.Lane:
    cell = row["cell"]
    return table.Lane(row["method"], cell["c"], cell["eta0"], row["noise"])


def with_server(readings: Readings, server: str) -> Readings:
    return Readings(**{**readings.as_dict(), "fedavg_server": server})


def _number(known: Reported, name: str) -> Number:
    return next(number for number in known.numbers if number.id == name)


def _row(
    method: str,
    epsilon: float,
    form: str,
    s: float,
    cell: table.Cell | None,
    found: table.Values,
    plan: Plan,
    known: Reported,
) -> dict[str, Any]:
    number = _number(known, IDS[method, epsilon])
    row: dict[str, Any] = {
        "method": method,
        "epsilon": epsilon if math.isfinite(epsilon) else None,
        "form": form,
        "noise": s,
        "id": number.id,
        "printed": number.low,
        "printed_deviation": number.std,
        "cell": cell_data(cell),
        "fresh": None,
        "verdict": _verdict(known, number, cell.values if cell else ()),
    }
    if s:
        row["q"] = float(f"{printed.constant_q(s, epsilon, plan.rounds, form):.4g}")
    if cell:
        row["fresh"] = cell_data(table.fresh(found, cell.lane, plan.seeds))
    return row


def _verdict(known: Reported, number: Number, values: Sequence[float]) -> str:
    """By the rule of reported.toml."""
    if not values:
        return "not run"
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return verdict(known.rule, number, float(np.mean(values)), spread, len(values))


def cell_data(cell: table.Cell | None) -> dict[str, Any] | None:
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


def _gap(rows: Sequence[Mapping[str, Any]], epsilon: float, form: str, known: Reported) -> dict[str, Any]:
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
        if epsilon == printed.EPSILONS[0]:
            gap["id"] = MARGIN
            gap["verdict"] = _verdict(known, _number(known, MARGIN), differences)
    return gap


def _precision(records: Sequence[Record], plan: Plan) -> dict[str, Any] | None:
    """Accuracy of runs in float32 minus the same runs in float64, points; None where there are no such pairs."""
    servers = [with_server(plan.readings, server) for server in FEDAVG_SERVERS]
    differences = []
    for readings in servers:
        double = table.values(records, readings, plan.rounds, "float64")
        single = table.values(records, readings, plan.rounds)
        for lane, by_seed in double.items():
            for seed, value in by_seed.items():
                other = single.get(lane, {}).get(seed)
                if value is not None and other is not None:
                    differences.append(other - value)
    if not differences:
        return None
    return {
        "runs": len(differences),
        "mean": round(float(np.mean(differences)), 4),
        "largest": round(max(differences, key=abs), 4),
    }
