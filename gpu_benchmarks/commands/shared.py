"""What the training commands have in common: choosing runs and a device, showing progress."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpu_benchmarks import beside_ours
from gpu_benchmarks import config as configs_module
from gpu_benchmarks.config import PRECISIONS, Config
from gpu_benchmarks.cost import Cost, estimate
from gpu_benchmarks.data import fetch
from gpu_benchmarks.data.cli import add_folder
from gpu_benchmarks.device import choose
from gpu_benchmarks.engine import Measured
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.federation import possible
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.paces import on_gpus
from gpu_benchmarks.plans import PLANS, queue, unique
from gpu_benchmarks.protocols import protocol_of
from gpu_benchmarks.readings import OPTIONS
from gpu_benchmarks.records import Record
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.selfcheck import sound
from gpu_benchmarks.sweep import Reports
from gpu_benchmarks.training import Options, Run
from methods.terminal.arguments import by_option
from methods.terminal.console import near
from methods.terminal.progress import Bar, progress_bar
from methods.terminal.tables import Table, output

READINGS_HELP = (
    "; ".join(f"{name}: {', '.join(options)}" for name, options in OPTIONS.items()) + " (repeatable)"
)


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Which runs."""
    parser.add_argument(
        "configs",
        nargs="*",
        type=Path,
        metavar="CONFIG",
        help="TOML or JSON files: the settings of a run, or of several, which share them but for what each table of the list "
        "`runs` ([[runs]] in TOML) sets for its own",
    )
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
        help="reduced runs: of each run only so many rounds; given again, each longer run goes on from the shorter "
        "where runs are made one after the other",
    )
    parser.add_argument("--reading", action="append", default=[], metavar="NAME=OPTION", help=READINGS_HELP)


def add_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    add_folder(parser)
    parser.add_argument("--no-graphs", action="store_true", help="no CUDA graphs")
    parser.add_argument(
        "--test-every",
        type=int,
        default=1,
        metavar="N",
        help="test after every N-th printed round and after the last five (default 1: after each); the record has no "
        "test numbers for the others, and none for what the table reads off all rounds, such as the highest accuracy",
    )


def provide(configs: Sequence[Config], folder: Path | None) -> None:
    """Fetch the data sets of the runs where they are not there; see `data.fetch.provide`."""
    read = sorted({config.data for config in configs} - {"synthetic"})
    if folder is not None and not read:
        raise InputError(f"--data {folder}: synthetic data are made, not read; leave it out")
    for name in read:
        fetch.provide(name, folder)


def chosen(args: argparse.Namespace) -> list[Config]:
    """The runs that the arguments name, each once. Raises `InputError` with a line for each that is impossible."""
    if unknown := [name for name in args.plan if name not in PLANS]:
        raise InputError(
            f"--plan {unknown[0]!r} is unknown{near(unknown[0], PLANS)}; the plans are {', '.join(PLANS)}"
        )
    named = [*queue(tuple(args.plan)), *(c for path in args.configs for c in configs_module.load(path))]
    readings = readings_in(args.reading)
    fixed = {"precision": args.precision} if args.precision else {}
    asked = [
        (run, fixed | stop | seed)
        for seed in ([{"seed": n} for n in args.seed or ()] or [{}])
        for stop in ([{"stop_after": n} for n in args.stop_after or ()] or [{}])
        for run in named
    ]
    try:
        runs = made(asked, readings)
    except InputError as error:
        given = {name: name.replace("_", "-") for name in ("seed", "stop_after") if getattr(args, name)}
        raise InputError(*(by_option(told, given) for told in error.args)) from None
    check_matters(readings, runs)
    return unique(runs)


def made(asked: Sequence[tuple[Config, Mapping[str, Any]]], readings: Mapping[str, str]) -> list[Config]:
    """Each run with what is to be changed in it. Raises `InputError` with a line for each that is impossible."""
    runs, wrong = [], {}
    for number, (run, change) in enumerate(asked, 1):
        try:
            runs.append(replace(run, readings=replace(run.readings, **readings), **change))
            possible(runs[-1])
        except (InputError, TypeError, ValueError) as error:
            wrong[f"run {number} of {len(asked)}, {run.label()}"] = str(error)
    # it is not the runs, but what is asked of all
    if len(wrong) == len(asked) and len(set(wrong.values())) == 1:
        raise InputError(next(iter(wrong.values())))
    if wrong:
        raise InputError(*(f"{run}: {reason}" for run, reason in wrong.items()))
    return runs


def readings_in(texts: Sequence[str]) -> dict[str, str]:
    """What `--reading NAME=OPTION` asks for; whether the options exist is for `Readings` to say."""
    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise InputError(f"--reading {text}: write NAME=OPTION")
        if name not in OPTIONS:
            raise InputError(
                f"--reading {text}: {name!r} is unknown{near(name, OPTIONS)}; the readings are {', '.join(OPTIONS)}"
            )
        if found.setdefault(name, value) != value:
            raise InputError(f"--reading {text}: {name} is already {found[name]}; give it once")
    return found


def check_matters(readings: Mapping[str, str], runs: Sequence[Config]) -> None:
    """Raise `InputError` for a reading that is asked for and changes none of the runs."""
    for name, option in readings.items():
        if runs and all(dict(protocol_of(run))[name] != option for run in runs):
            raise InputError(f"--reading {name}={option}: changes nothing in these runs; leave it out")


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


def checked(how: Options, runs: Sequence[Config]) -> Options:
    """On a GPU what it computes right: it is checked first, in the arithmetic of the first run. A CPU is left as it is."""
    if how.device.type != "cuda" or not runs:
        return how
    net = Architecture(1, runs[0].width)
    trusted = sound(
        how.device, net, lambda check: output(stderr=True).print(f"check: {check}"), runs[0].precision
    )
    rules = Rules(fused=True) if trusted.fused else how.rules
    return replace(how, rules=rules, graphs=how.graphs and trusted.graphs)


def show_cost(runs: Sequence[Config], how: Options) -> None:
    """The table of `--dry-run`."""
    if not runs:
        output().print("0 runs to do")
        return
    columns = ("run", "what", "iterations", "images", "PFLOP", "minutes")
    sheet = Table("cost, nothing was run", columns)
    with progress_bar("runs") as progress:
        found = list(progress.track(estimate(runs, how), len(runs), description="measuring"))
    for run, c, seconds in found:
        sheet.add_row(run.run, run.label(), *_numbers(c, seconds))
    total = sum((c for _, c, _ in found[1:]), found[0][1])
    if len(found) > 1:
        sheet.add_row("all", f"{len(found)} runs", *_numbers(total, sum(s for *_, s in found)))
    sheet.show(output())
    for pace in on_gpus(beside_ours.of_resnet(())):
        if not all(pace.tells_of(config) for config in runs):
            continue
        at_once = min(pace.at_once, len(runs))
        output().print(
            f"on {pace.machine}, {at_once} at once, at the pace of the {pace.passes} passes on record: "
            f"{pace.seconds_for(total.images, at_once) / 60:.1f} minutes",
            soft_wrap=True,
        )


def _numbers(c: Cost, seconds: float) -> tuple[str, ...]:
    return f"{c.iterations:,}", f"{c.images:,}", f"{c.operations / 1e15:.3g}", f"{seconds / 60:.1f}"


def reporting(progress: Bar, total: int) -> Reports:
    """Reports that move one bar for all and say a line for each record."""
    task = progress.add_task("all runs", total=total)

    def started(run: Run) -> None:
        progress.skip(task, len(run.rounds))

    def rounded(run: Run, measured: Measured) -> None:
        tested = "" if measured.test_accuracy is None else f"{measured.test_accuracy:.2f}%, "
        text = f"{run.config.label()}: {tested}loss {measured.train_loss:.3f}"
        progress.update(task, advance=1, description=text)

    def recorded(record: Record) -> None:
        accuracies = [a for a in record.metrics["test_accuracy"] if a is not None]
        progress.console.print(
            f"{record.run} {record.status} after {record.rounds} rounds, highest {max(accuracies):.2f}%: {record.config.label()}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
        skipped = (record.config.stop_after or record.config.rounds) - record.rounds
        progress.skip(task, skipped)

    return Reports(started, rounded, recorded)


def rounds_of(runs: Sequence[Config]) -> int:
    return sum(run.stop_after or run.rounds for run in runs)
