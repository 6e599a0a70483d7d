"""Which accuracy of a run is meant: the metrics of a record, and how far the accuracies lie apart. Pure functions; no torch."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from typing import Any

from gpu_benchmarks.readings import ACCURACIES
from gpu_benchmarks.records import Record

TARGET = 65.0  # percent, of "communications to 65%"
LAST = 5
FAR = 10
"""Tested rounds from which a run that was cut short says something of the printed number."""
OF_EVERY_ROUND = ("highest", "communications to 65%")
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
        case "communications to 65%":
            first = next((k for k, a in tested if a >= TARGET), None)
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
