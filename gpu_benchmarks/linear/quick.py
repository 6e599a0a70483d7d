"""The quick re-run for the report: the chosen cells of the committed table on fresh seeds, on the real
data.

Tuning is not repeated; what is checked is that the committed numbers come out again from seeds that had
no part in choosing them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpu_benchmarks.data.load import Images
from gpu_benchmarks.linear import table
from gpu_benchmarks.linear.batch import Batch, every
from gpu_benchmarks.linear.execute import Runner
from gpu_benchmarks.linear.plan import Plan

SEEDS = (100, 101)


def rerun(
    summary: Mapping[str, Any],
    plan: Plan,
    images: Images,
    seeds: tuple[int, ...] = SEEDS,
    quiet: bool = False,
) -> dict[str, Any]:
    """The summary with each row's ``fresh`` replaced by the runs made here.

    summary: what the committed records say (:func:`gpu_benchmarks.linear.results.summary`); its rows
    that were not run stay as they are. Nothing is written.
    """
    from gpu_benchmarks.linear.results import _cell, _lane, _server

    rows = [dict(row) for row in summary["rows"]]
    chosen = {_lane(row): None for row in rows if row["cell"]}
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(images, Path(folder), quiet)
        for server in {row["form"] for row in rows if row["method"] == "fedavg"} | {
            plan.readings.fedavg_server
        }:
            readings = _server(plan.readings, server)
            mine = tuple(
                _lane(row)
                for row in rows
                if row["cell"]
                and (
                    row["form"] == server
                    if row["method"] == "fedavg"
                    else server == plan.readings.fedavg_server
                )
            )
            if not mine:
                continue
            lanes = tuple(dict.fromkeys(mine))
            records = list(
                runner(Batch(readings, seed, lanes, every(plan.rounds, plan.rounds)) for seed in seeds)
            )
            found = table.values(records, readings, plan.rounds)
            for row in rows:
                if row["cell"] and _lane(row) in lanes:
                    row["fresh"] = _cell(table.fresh(found, _lane(row), ()))
    return {**summary, "rows": rows, "quick": {"seeds": list(seeds), "cells": len(chosen)}}
