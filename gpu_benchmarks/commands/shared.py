"""What the training commands have in common: choosing runs and a device, showing progress."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from gpu_benchmarks import config as configs_module
from gpu_benchmarks.config import PRECISIONS, Config
from gpu_benchmarks.cost import estimate
from gpu_benchmarks.data import fetch
from gpu_benchmarks.device import choose
from gpu_benchmarks.engine import Measured
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.plans import PLANS, queue, unique
from gpu_benchmarks.readings import OPTIONS
from gpu_benchmarks.records import Record
from gpu_benchmarks.sweep import Reports
from gpu_benchmarks.training import Options, Run

READINGS_HELP = (
    "; ".join(f"{name}: {', '.join(options)}" for name, options in OPTIONS.items()) + " (repeatable)"
)


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Which runs."""
    parser.add_argument("configs", nargs="*", type=Path, metavar="CONFIG", help="TOML or JSON files of runs")
    parser.add_argument(
        "--plan",
        action="append",
        default=[],
        metavar="NAME",
        help=f"a named queue, repeatable: {', '.join(PLANS)}",
    )
    parser.add_argument("--seed", type=int, action="append", help="seeds instead of those of the runs")
    parser.add_argument("--precision", choices=PRECISIONS, help="arithmetic instead of that of the runs")
    parser.add_argument(
        "--stop-after",
        type=int,
        action="append",
        metavar="ROUNDS",
        help="reduced runs: of each run only so many rounds; given again, each longer run goes on from the shorter",
    )
    parser.add_argument("--reading", action="append", default=[], metavar="NAME=OPTION", help=READINGS_HELP)


def add_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    parser.add_argument(
        "--data", type=Path, help="folder of the data sets (default: NORMEC_DATA, else the cache)"
    )
    parser.add_argument("--no-graphs", action="store_true", help="no CUDA graphs")
    parser.add_argument(
        "--test-every",
        type=int,
        default=1,
        metavar="N",
        help="test after every N-th printed round and after the last five (default 1: after each); the record has no "
        "test numbers for the others",
    )


def provide(configs: Sequence[Config], folder: Path | None) -> None:
    """Fetch the data sets of the runs where they are not there; see `data.fetch.provide`."""
    for name in sorted({config.data for config in configs} - {"synthetic"}):
        fetch.provide(name, folder)


def chosen(args: argparse.Namespace) -> list[Config]:
    """The runs that the arguments name, each once."""
    if unknown := [name for name in args.plan if name not in PLANS]:
        raise InputError(f"plan {unknown[0]!r} is unknown; the plans are {', '.join(PLANS)}")
    runs = [*queue(tuple(args.plan)), *(c for path in args.configs for c in configs_module.load(path))]
    options = readings_in(args.reading)
    try:
        if options:
            runs = [replace(run, readings=replace(run.readings, **options)) for run in runs]
        if args.precision:
            runs = [replace(run, precision=args.precision) for run in runs]
        if args.stop_after:
            runs = [replace(run, stop_after=stop) for stop in args.stop_after for run in runs]
        if args.seed:
            runs = [replace(run, seed=seed) for seed in args.seed for run in runs]
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None
    return unique(runs)


def readings_in(texts: Sequence[str]) -> dict[str, str]:
    """What `--reading NAME=OPTION` asks for; whether the options exist is for `Readings` to say."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise InputError(f"--reading {text}: write NAME=OPTION")
        if name not in OPTIONS:
            raise InputError(f"--reading {text}: {name!r} is unknown; the readings are {', '.join(OPTIONS)}")
        found[name] = value
    return found


def options(
    args: argparse.Namespace, checkpoints: Path | None = None, every: float = 60.0, at_once: int = 1
) -> Options:
    if at_once < 1:
        raise InputError(f"--at-once {at_once}: must be at least 1")
    if args.test_every < 1:
        raise InputError(f"--test-every {args.test_every}: must be at least 1")
    device = choose(args.device)
    ran = f"{at_once} at once"
    if args.test_every > 1:
        ran += f", a test every {args.test_every} rounds"
    return Options(device, checkpoints, every, args.test_every, graphs=not args.no_graphs, ran=ran)


def show_cost(runs: Sequence[Config], how: Options) -> None:
    """The table of `--dry-run`."""
    table = Table("run", "what", "iterations", "images", "PFLOP", "minutes", title="cost, nothing was run")
    found = estimate(runs, how)
    for run, c, seconds in found:
        numbers = (f"{c.iterations:,}", f"{c.images:,}", f"{c.operations / 1e15:.3g}", f"{seconds / 60:.1f}")
        table.add_row(run.run, run.label(), *numbers)
    if found:
        total = sum((c for _, c, _ in found[1:]), found[0][1])
        numbers = (f"{total.iterations:,}", f"{total.images:,}", f"{total.operations / 1e15:.3g}")
        table.add_row("", f"{len(found)} runs", *numbers, f"{sum(s for *_, s in found) / 60:.1f}")
    Console().print(table)


def progress_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("rounds,"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def reporting(progress: Progress, total: int) -> Reports:
    """Reports that move one bar for all and say a line for each record."""
    task = progress.add_task("all runs", total=total)

    def started(run: Run) -> None:
        progress.advance(task, len(run.rounds))

    def rounded(run: Run, measured: Measured) -> None:
        tested = "" if measured.test_accuracy is None else f"{measured.test_accuracy:.2f}%, "
        text = f"{run.config.label()}: {tested}loss {measured.train_loss:.3f}"
        progress.update(task, advance=1, description=text)

    def recorded(record: Record) -> None:
        accuracies = [a for a in record.metrics["test_accuracy"] if a is not None]
        best = f"highest {max(accuracies):.2f}%" if accuracies else "no accuracy"
        progress.console.print(
            f"{record.run} {record.status} after {record.rounds} rounds, {best}: {record.config.label()}",
            markup=False,
            highlight=False,
        )
        skipped = (record.config.stop_after or record.config.rounds) - record.rounds
        progress.advance(task, skipped)

    return Reports(started, rounded, recorded)


def rounds_of(runs: Sequence[Config]) -> int:
    return sum(run.stop_after or run.rounds for run in runs)
