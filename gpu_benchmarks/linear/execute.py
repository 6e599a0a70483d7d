"""Carrying out a plan: batches in order, progress on the terminal, records as they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpu_benchmarks.data.load import Images
from gpu_benchmarks.features.extracted import Features
from gpu_benchmarks.linear.batch import Batch, Prepared, run
from gpu_benchmarks.linear.federation import Lane
from gpu_benchmarks.linear.plan import Plan
from gpu_benchmarks.linear.table import last_rounds
from methods.terminal.console import near
from methods.terminal.progress import progress_bar

Record = dict[str, Any]


class Runner:
    """Runs batches one after the other into a folder; features are made once for each choice of
    readings.
    """

    def __init__(self, images: Images | Features, folder: Path, quiet: bool = False) -> None:
        self.images, self.folder, self.quiet = images, folder, quiet
        self._prepared: dict[tuple[str, str, str], Prepared] = {}

    def __call__(self, batches: Iterable[Batch]) -> Iterator[Record]:
        """Records of the batches; those that are in the folder are read, not run again."""
        with progress_bar("rounds", self.quiet) as progress:
            for batch in batches:
                task = progress.add_task(describe(batch), total=batch.rounds)
                record = run(
                    batch,
                    self.prepared(batch),
                    self.folder,
                    lambda done, _, task=task: progress.update(task, completed=done),
                )
                progress.update(task, completed=batch.rounds)
                yield record

    def prepared(self, batch: Batch) -> Prepared:
        key = (batch.readings.scaling, batch.readings.bias, batch.precision)
        if key not in self._prepared:
            self._prepared[key] = Prepared.of(self.images, batch.readings, batch.precision)
        return self._prepared[key]


def describe(batch: Batch) -> str:
    """A line for the progress bar."""
    methods = "+".join(dict.fromkeys(lane.method for lane in batch.lanes))
    levels = sorted({lane.noise for lane in batch.lanes})
    noise = f"s = {levels[0]:.3g}" + (f"..{levels[-1]:.3g}" if len(levels) > 1 else "")
    return f"seed {batch.seed}, {methods}, {noise}, {len(batch.lanes)} runs"


def full(plan: Plan, runner: Runner) -> list[Record]:
    """The whole table, seed by seed: the private grids, then FedAvg. The first seed decides who contends
    on the others.
    """
    records: list[Record] = []
    first: dict[Lane, float] | None = None
    for seed in plan.seeds:
        private = list(runner(plan.private(seed, first)))
        records += private
        if first is None:
            first = {
                Lane(run["method"], run["c"], run["eta0"], run["noise"]): value
                for record in private
                for run in record["runs"]
                if (value := last_rounds(record, run)) is not None
            }
        records += runner(plan.fedavg(seed))
    return records


def with_reading(plan: Plan, assignments: Iterable[str]) -> Plan:
    """A plan with readings changed by `name=option`; raises ValueError naming what is wrong."""
    changes: dict[str, str] = {}
    for text in assignments:
        name, sign, value = text.partition("=")
        if not sign:
            raise ValueError(f"--reading {text}: write NAME=OPTION")
        if name not in plan.readings.as_dict():
            known = plan.readings.as_dict()
            raise ValueError(
                f"--reading {text}: {name!r} is unknown{near(name, known)}; choose one of {', '.join(known)}"
            )
        if changes.setdefault(name, value) != value:
            raise ValueError(f"--reading {text}: {name} is already {changes[name]}; give it once")
    return replace(plan, readings=replace(plan.readings, **changes))
