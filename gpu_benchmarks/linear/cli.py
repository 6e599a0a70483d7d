"""`python -m gpu_benchmarks linear run|table --dataset NAME`: DP-NormFedAvg's Table 2, a linear model on Fashion-MNIST
or on features of CIFAR. `fmnist` is the same command.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from gpu_benchmarks import parsing
from gpu_benchmarks.data import Images, load
from gpu_benchmarks.data.cli import add_folder
from gpu_benchmarks.data.fetch import provide
from gpu_benchmarks.data.sources import source
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.features.extracted import Features
from gpu_benchmarks.linear import execute, probe, quick, results, show
from gpu_benchmarks.linear.batch import read_all
from gpu_benchmarks.linear.datasets import DATA, FASHION_MNIST, DataSet
from gpu_benchmarks.linear.plan import Plan
from gpu_benchmarks.linear.readings import OPTIONS
from gpu_benchmarks.records import FOLDER
from methods.terminal.arguments import whole
from methods.terminal.console import command_of
from methods.terminal.output import STDOUT, add_json, check_apart, check_writable
from methods.terminal.tables import output

MOST_ROUNDS = 1_000_000  # more is taken for a slip of the pen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "action",
        choices=("run", "tuned", "curve", "readings", "quick", "table"),
        help="run: every cell of the printed grids; tuned: the chosen cells again, every round, fresh "
        "seeds too; curve: accuracy against noise; readings: each reading changed by itself; "
        "quick: the chosen cells on fresh seeds, not recorded; table: print "
        "what the records say",
    )
    parser.add_argument(
        "--dataset",
        choices=DATA,
        default=FASHION_MNIST.name,
        help="; ".join(f"{data.name}: {data.table}" for data in DATA.values()) + " (default: %(default)s)",
    )
    add_folder(parser)
    parser.add_argument(
        "--features",
        type=Path,
        metavar="PATH",
        help="features alone: what `features` has written (default: in the folder of the data sets)",
    )
    parser.add_argument(
        "--records", type=Path, help=f"folder of the records (default: that of the data in {FOLDER})"
    )
    parser.add_argument(
        "--seeds",
        type=_seeds,
        help="different integers >= 0, separated by commas; curve and readings run the first (default: 0,1,2; quick: 100,101)",
    )
    parser.add_argument("--rounds", type=int, help=f"K from 5 to {MOST_ROUNDS:,} (default: that of the plan)")
    parser.add_argument("--noise", type=float, help="s = σ/C at ε = 5, > 0 (default: the fitted one)")
    parser.add_argument(
        "--contenders",
        type=float,
        metavar="POINTS",
        help="run: after the first seed, drop cells more than so many percentage points behind, >= 0 (default: drop none)",
    )
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        metavar="NAME=OPTION",
        help="; ".join(f"{name}: {', '.join(options)}" for name, options in OPTIONS.items())
        + " (repeatable)",
    )
    parser.add_argument(
        "--accounting", action="store_true", help="table: add the noise that (ε, δ) needs by accounting"
    )
    add_json(parser, "the table")
    parser.add_argument("--quiet", action="store_true", help="no progress bars")


def run(args: argparse.Namespace) -> int:
    """0: done. 2: an impossible setting, missing data, a damaged record. Interrupted, it goes on when it is called again."""
    _refuse_ignored(args)
    if args.json:
        check_writable(args.json)
    try:
        plan = _plan(args)
    except ValueError as error:
        raise InputError(str(error)) from None
    folder: Path = args.records or FOLDER / plan.data.folder
    check_apart("--json", args.json, {"the folder of records": folder, "--features": args.features})
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--records {folder}: is not a folder")
    if args.action in ("table", "quick", "tuned") and not any(folder.glob("*.json")):
        raise InputError(
            f"{folder}: holds no records; `{command_of('gpu_benchmarks')} {plan.data.command} --records {folder}` makes them"
        )
    if args.action not in ("table", "quick"):
        check_writable(folder / "record.json")
    known = read_all(folder)
    if args.action == "table":
        return _show(results.summary(known, plan, args.accounting), args.json)
    if not plan.data.features:
        _check_chosen(plan, known, folder, args.action)
    images = _images(plan.data, args.data, args.features)
    if isinstance(images, Features):
        plan = replace(plan, extraction=images.extraction)
    results.extracted(known, plan)  # records of other features are told before the work, not after it
    _check_chosen(plan, known, folder, args.action)
    if args.action == "quick":
        summary = results.summary(known, plan)
        return _show(quick.rerun(summary, plan, images, args.seeds or quick.SEEDS, args.quiet), args.json)
    runner = execute.Runner(images, folder, args.quiet)
    if args.action == "curve":
        list(runner([plan.curve()]))
    elif args.action == "readings":
        list(runner(probe.batches(plan)))
    elif args.action == "tuned":
        list(runner(results.repeat(plan, known)))
    else:
        execute.full(plan, runner)
    return _show(results.summary(read_all(folder), plan), args.json)


def _check_chosen(plan: Plan, known: list[dict], folder: Path, action: str) -> None:
    """Raise `InputError` where an action runs chosen cells again and the records choose none of this plan."""
    if action in ("tuned", "quick") and not any(row["cell"] for row in results.summary(known, plan)["rows"]):
        raise InputError(
            f"{folder}: holds no records of these readings, seeds and noise with --rounds {plan.rounds}; make them with "
            f"`run` and the same options, or leave the options out"
        )


def _images(data: DataSet, folder: Path | None, features: Path | None) -> Images | Features:
    if not data.features:
        provide(data.images, folder)
        return load(data.images, folder)
    try:
        from gpu_benchmarks.features import store  # only here, so that Fashion-MNIST does without safetensors
    except ModuleNotFoundError as missing:
        raise InputError(
            f"{data.name} needs the package {missing.name}, which is not installed; `pip install safetensors` brings it"
        ) from None
    return store.read(features or store.path_of(data.images, folder), source(data.images))


def _plan(args: argparse.Namespace) -> Plan:
    plan = execute.with_reading(Plan().on(DATA[args.dataset]), args.reading)
    changes = {
        "rounds": args.rounds,
        "fitted": args.noise,
        "contenders": args.contenders,
        "seeds": args.seeds if args.action != "quick" else None,
    }
    plan = replace(plan, **{name: value for name, value in changes.items() if value is not None})
    if not 1e-100 < plan.fitted < 1e100:  # its square is taken
        raise ValueError(f"--noise {plan.fitted}: must be a finite number above 0, from 1e-100 to 1e100")
    if not plan.contenders >= 0:
        raise ValueError(f"--contenders {plan.contenders}: must be at least 0 percentage points")
    if not 5 <= plan.rounds <= MOST_ROUNDS:
        raise ValueError(
            f"--rounds {plan.rounds}: from 5, as the metric is the mean over the last 5 rounds, to {MOST_ROUNDS:,}"
        )
    return plan


def _refuse_ignored(args: argparse.Namespace) -> None:
    """An option that the action does not read is not passed over in silence."""
    others = {
        "--accounting": args.accounting and args.action != "table",
        "--contenders": args.contenders is not None and args.action != "run",
        "--features": args.features is not None
        and (args.action == "table" or not DATA[args.dataset].features),
    }
    for name, given in others.items():
        if given:
            raise InputError(
                f"{name}: `{args.action} --dataset {args.dataset}` does not read it; leave it out"
            )


def _seeds(text: str) -> tuple[int, ...]:
    seeds = tuple(map(whole, text.split(",")))
    if any(seed < 0 for seed in seeds) or len(set(seeds)) != len(seeds):
        raise argparse.ArgumentTypeError(f"{text!r}: seeds must be different integers of at least 0")
    return seeds


def _show(summary: dict, target: Path | None) -> int:
    if target:
        parsing.write(summary, target)
    if target != STDOUT:
        console = output()
        for sheet in show.render(summary):
            sheet.show(console)
    return 0
