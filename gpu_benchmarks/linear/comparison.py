"""DP-NormFedAvg's Table 2 beside the records of the linear model: the same rule, the same kind of row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpu_benchmarks.comparison import choose
from gpu_benchmarks.linear.datasets import DATA, FASHION_MNIST
from gpu_benchmarks.protocols import Protocol
from gpu_benchmarks.records import FOLDER
from gpu_benchmarks.reported import Number, Reported, decide
from gpu_benchmarks.rows import Ours, Row

OWN = ("scaling", "size", "weights")
"""Points of a protocol that pixels and features do not share; the others are chosen once for the whole table."""

Summary = Mapping[str, Any]


def recorded(data: str, folder: Path = FOLDER) -> dict[str, Any] | None:
    """What the committed records of a data set say (`linear.results.summary`); None where there are none."""
    home = folder / DATA[data].folder
    if not any(home.glob("*.json")):
        return None
    from gpu_benchmarks.linear.batch import read_all
    from gpu_benchmarks.linear.plan import Plan
    from gpu_benchmarks.linear.results import summary

    return summary(read_all(home), Plan().on(DATA[data]))


def table2(folder: Path = FOLDER) -> list[dict[str, Any]]:
    """What is recorded of each part of Table 2 that was run."""
    found = (recorded(data, folder) for data in DATA)
    return [summary for summary in found if summary is not None]


def compare(reported: Reported, *summaries: Summary | None) -> list[Row]:
    """Rows for the linear numbers. summaries: what `linear.results.summary` returns, at most one for a data set; None
    where nothing was run.
    """
    by_data = {s.get("data", FASHION_MNIST.name): s for s in summaries if s is not None}
    numbers = [n for n in reported.numbers if n.setting == "linear"]
    found = {number.id: _ours(reported, number, by_data.get(number.config["data"])) for number in numbers}
    chosen = _choose(found.values())
    # FedAvg has readings of its own, so it takes its own best where the chosen one does not speak of it.
    rest = _choose(every for every in found.values() if chosen not in [_shared(o) for o in every])
    rows = []
    for number in numbers:
        every = found[number.id]
        pick = next((o for key in (chosen, rest) for o in every if _shared(o) == key), None)
        rows.append(Row(number, pick, tuple(o for o in every if o is not pick)))
    return rows


def _shared(ours: Ours) -> Protocol:
    """The protocol without what belongs to its data alone."""
    return tuple(pair for pair in ours.protocol if pair[0] not in OWN)


def _choose(found: Iterable[Sequence[Ours]]) -> Protocol | None:
    return choose([replace(ours, protocol=_shared(ours)) for every in found for ours in every])


def _ours(reported: Reported, number: Number, summary: Summary | None) -> list[Ours]:
    if summary is None:
        return []
    extraction = summary.get("extraction") or {}
    own = {name: str(extraction[name]) for name in OWN if name in extraction}
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
        decided = decide(reported.rule, number, values.values())
        readings = {k: str(v) for k, v in summary["readings"].items()}
        protocol = tuple(sorted({**readings, **own, "form": form}.items()))
        at = f"C = {cell['c']:g}, η₀ = {cell['eta0']:g}"
        seeds = tuple(sorted(values))
        found.append(
            Ours(protocol, decided.mean, decided.std, seeds, 1, 1, at, decided.verdict, decided.allowed)
        )
    return found


def _cells(summary: Summary, config: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Tuned cells by reading of the noise (or, for FedAvg, of the server)."""
    rows: Sequence[Mapping[str, Any]] = summary["rows"]
    return {
        row["form"]: row["cell"]
        for row in rows
        if row["method"] == config["method"] and row["epsilon"] == config.get("epsilon") and row["cell"]
    }
