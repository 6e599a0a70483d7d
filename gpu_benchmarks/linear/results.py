"""What the records say about a part of Table 2: each cell, the gaps, the curve, and the noise that would fit.

`summary` is plain data (JSON), for the table command and the report. Nothing is judged here by
eye; printed numbers and the rule of the verdict are data in `gpu_benchmarks/reported.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from gpu_benchmarks import student
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.features.extracted import Extraction, from_dict
from gpu_benchmarks.linear import fit, probe, table
from gpu_benchmarks.linear import readings as printed
from gpu_benchmarks.linear.batch import Batch
from gpu_benchmarks.linear.datasets import FASHION_MNIST
from gpu_benchmarks.linear.plan import FEDAVG_SERVERS, PRIVATE, Plan
from gpu_benchmarks.linear.readings import NOISE_FORMS
from gpu_benchmarks.reported import Number, Reported, decide, load, told

FRESH_SEEDS = (10, 11, 12)
"""Seeds that have no part in the choice of a cell."""

Record = Mapping[str, Any]


def summary(records: Iterable[Record], plan: Plan, accounting: bool = False) -> dict[str, Any]:
    """Everything about the table that the records of this plan's readings and K hold.

    accounting: also the noise that (ε, δ) needs by accounting, which takes seconds.
    """
    records = list(records)
    extraction = extracted(records, plan)
    known = load()
    values = table.values_by_plan(records)
    private = values(plan)
    rows = []
    for epsilon in printed.EPSILONS:
        for form in NOISE_FORMS:
            for method in PRIVATE:
                s = plan.noise(epsilon, form)
                cell = table.tune(private, method, s, plan.seeds)
                rows.append(_row(method, epsilon, form, s, cell, private, plan, known))
    for server in FEDAVG_SERVERS:
        found = values(with_server(plan, server))
        cell = table.tune(found, "fedavg", 0.0, plan.seeds)
        rows.append(_row("fedavg", math.inf, server, 0.0, cell, found, plan, known))
    curves = {m: fit.curve(private, m, plan) for m in PRIVATE}
    wanted = {
        (method, epsilon): _number(known, plan.data.id(method, epsilon)).low
        for epsilon in printed.EPSILONS
        for method in PRIVATE
    }
    return {
        "table": f"DP-NormFedAvg, {plan.data.table}",
        "data": plan.data.name,
        "extraction": None if extraction is None else asdict(extraction),
        "rounds": plan.rounds,
        "seeds": list(plan.seeds),
        "readings": plan.readings.as_dict(),
        "rows": rows,
        "gaps": [
            _gap(rows, epsilon, form, plan, known) for epsilon in printed.EPSILONS for form in NOISE_FORMS
        ],
        "curve": curves,
        "needed": fit.needed(curves, plan, wanted),
        "joint": [fit.joint(form, curves, plan, wanted) for form in NOISE_FORMS],
        "accounted": fit.accounted(curves, plan) if accounting else None,
        "ledger": probe.ledger(values, plan, wanted),
        "precision": _precision(values, plan),
        "batches": len(records),
        "seconds": round(sum(record["provenance"]["wall_seconds"] for record in records), 1),
    }


def extracted(records: Iterable[Record], plan: Plan) -> Extraction | None:
    """How the features of the records (and of the plan) were made; None for pixels, or where there is no record.

    Raises `InputError` for a record of other data than the plan's, and for features made in two ways, whose
    runs must not be mixed.
    """
    found = {plan.extraction} - {None}
    for record in records:
        config = record["config"]
        name = config.get("data", FASHION_MNIST.name)
        if name != plan.data.name:
            raise InputError(
                f"batch {record['batch']}: ran on {name}, not on {plan.data.name}; --records names another folder"
            )
        if plan.data.features:
            found.add(from_dict(config["extraction"]))
    if len(found) > 1:
        raise InputError(
            f"features made in {len(found)} ways ({'; '.join(sorted(map(str, found)))}): give the records of each a "
            "folder of its own with --records"
        )
    return next(iter(found), None)


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


def with_server(plan: Plan, server: str) -> Plan:
    return replace(plan, readings=replace(plan.readings, fedavg_server=server))


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
    number = _number(known, plan.data.id(method, epsilon))
    decided = _verdict(known, number, cell.values if cell else ())
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
        "verdict": decided,
        "standing": told(number, decided),
        "fitted": number.fitted,
    }
    if s:
        row["q"] = float(f"{plan.q(s, epsilon, form):.4g}")
    if cell:
        row["fresh"] = cell_data(table.fresh(found, cell.lane, plan.seeds))
    return row


def _verdict(known: Reported, number: Number, values: Sequence[float]) -> str:
    """By the rule of reported.toml."""
    return decide(known.rule, number, values).verdict if values else "not run"


def cell_data(cell: table.Cell | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    return {
        "c": cell.lane.c,
        "eta0": cell.lane.eta0,
        "seeds": list(cell.seeds),
        "values": list(cell.values),
        "mean": round(cell.mean, 4),
        "deviation": round(cell.deviation, 4) if math.isfinite(cell.deviation) else None,
        "interval": _rounded(cell.interval),
        "tried": cell.tried,
        "diverged": cell.diverged,
    }


def _rounded(interval: student.Interval | None) -> list[float] | None:
    return None if interval is None else [round(end, 4) for end in interval]


def _gap(
    rows: Sequence[Mapping[str, Any]], epsilon: float, form: str, plan: Plan, known: Reported
) -> dict[str, Any]:
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
        gap["mean"] = round(sum(differences) / len(differences), 4)
        gap["interval"] = _rounded(student.of_values(differences))
        if epsilon == printed.EPSILONS[0]:
            gap["id"] = plan.data.margin
            gap["verdict"] = _verdict(known, _number(known, plan.data.margin), differences)
    return gap


def _precision(values: table.ValuesOf, plan: Plan) -> dict[str, Any] | None:
    """Accuracy of runs in float32 minus the same runs in float64, points; None where there are no such pairs."""
    differences = []
    for own in (with_server(plan, server) for server in FEDAVG_SERVERS):
        double = values(own, "float64")
        single = values(own)
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
