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
from gpu_benchmarks.features.extracted import Features
from gpu_benchmarks.linear import results, table
from gpu_benchmarks.linear.batch import every
from gpu_benchmarks.linear.execute import Runner
from gpu_benchmarks.linear.plan import FEDAVG_SERVERS, Plan

SEEDS = (100, 101)


def rerun(
    summary: Mapping[str, Any],
    plan: Plan,
    images: Images | Features,
    seeds: tuple[int, ...],
    quiet: bool,
) -> dict[str, Any]:
    """The summary with each row's `fresh` replaced by the runs made here, and what they took.

    summary: what the committed records say (`gpu_benchmarks.linear.results.summary`); rows that
    were not run stay as they are. Nothing is kept on disk.
    """
    rows = [dict(row) for row in summary["rows"]]
    seconds = 0.0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(images, Path(folder), quiet)
        for server in FEDAVG_SERVERS:
            mine = [row for row in rows if row["cell"] and results.runs_with(row, server, plan)]
            lanes = tuple(dict.fromkeys(results.lane(row) for row in mine))
            if not lanes:
                continue
            own = results.with_server(plan, server)
            measured = every(plan.rounds, plan.rounds)
            records = list(runner(own.batch(own.readings, seed, lanes, measured) for seed in seeds))
            seconds += sum(record["provenance"]["wall_seconds"] for record in records)
            found = table.values(records, own)
            for row in mine:
                row["fresh"] = results.cell_data(table.fresh(found, results.lane(row), ()))
    return {**summary, "rows": rows, "quick": {"seeds": list(seeds), "seconds": round(seconds, 1)}}
