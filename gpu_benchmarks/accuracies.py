"""Which accuracy of a run is meant: the metrics of a record, and how far the accuracies lie apart. Pure functions; no torch."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gpu_benchmarks.readings import ACCURACIES
from gpu_benchmarks.records import Record, longest

COMMUNICATIONS = {f"communications to {target:g}%": target for target in (50.0, 60.0, 65.0)}
"""Metrics that count messages until a test accuracy, in percent, is first reached. Printed is 65%."""
LAST = 5
COMMON = 50
"""Rounds over which a run and its repetition are compared."""
FAR = 10
"""Tested rounds from which a run that was cut short says something of the printed number."""
OF_EVERY_ROUND = ("highest", *COMMUNICATIONS)
"""Metrics that a run with untested rounds has a part of alone: its highest may lie in between, and so may the target."""


def metric(name: str, record: Record) -> float:
    """A metric of one run, over the rounds after which it was tested. Communications that never reach the target count
    as infinitely many.
    """
    tested = [(k, a) for k, a in enumerate(record.metrics["test_accuracy"], start=1) if a is not None]
    accuracies = [a for _, a in tested]
    match name:
        case "final":
            return accuracies[-1]
        case "highest":
            return max(accuracies)
        case "mean of the last 5 rounds":
            return statistics.fmean(accuracies[-LAST:])
        case _ if name in COMMUNICATIONS:
            first = next((k for k, a in tested if a >= COMMUNICATIONS[name]), None)
            a_round = record.config.participation * record.config.clients
            return math.inf if first is None else first * a_round
    raise ValueError(f"metric {name!r} is unknown")


def tested(record: Record) -> int:
    """After how many rounds the run was tested."""
    return sum(a is not None for a in record.metrics["test_accuracy"])


def known(name: str, record: Record) -> bool:
    """Whether the rounds after which the run was tested are all that the metric is read off."""
    return name not in OF_EVERY_ROUND or None not in record.metrics["test_accuracy"]


def apart(records: Iterable[Record]) -> dict[str, Any] | None:
    """How far the accuracies of a run lie apart: the smallest, mean and largest difference from the final one, percentage points.

    Over the runs on real data that were tested after more than `LAST` rounds, full or reduced; None where there are none.
    """
    runs = [record for record in records if record.config.data != "synthetic" and tested(record) > LAST]
    if not runs:
        return None
    differences = {
        name: [metric(name, run) - metric("final", run) for run in runs]
        for name in ACCURACIES
        if name != "final"
    }
    return {
        "runs": len(runs),
        "from_final": {
            name: [min(values), statistics.fmean(values), max(values)] for name, values in differences.items()
        },
    }


def repeated(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Runs that were begun twice from one seed and differ by rounding, on another machine, with other kernels or an earlier version of
    the code: a whole one and the longest that was cut short. mean, std: of the difference of their accuracies over the last `COMMON`
    rounds of the shorter one, before which they differ already.
    """
    found = list(records)
    cut = longest(record for record in found if not record.config.full)
    whole = {record.run: record for record in found if record.config.full}
    twice = []
    for record in cut:
        full = whole.get(replace(record.config, stop_after=None).run)
        if full is None or not COMMON < record.rounds <= full.rounds or not _apart_before(record, full):
            continue
        curves = (
            run.metrics["test_accuracy"][record.rounds - COMMON : record.rounds] for run in (record, full)
        )
        both = [(a, b) for a, b in zip(*curves, strict=True) if a is not None and b is not None]
        differences = [a - b for a, b in both]
        if len(both) == COMMON:
            mean, std = statistics.fmean(differences), statistics.stdev(differences)
            twice.append({"what": record.config.label(), "rounds": record.rounds, "mean": mean, "std": std})
    return twice


def _apart_before(short: Record, whole: Record) -> bool:
    """Whether the runs differ in a round before those that are compared; else one may be the beginning of the other."""
    first = slice(short.rounds - COMMON)
    return list(short.metrics["test_accuracy"][first]) != list(whole.metrics["test_accuracy"][first])
