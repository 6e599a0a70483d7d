"""`python -m gpu_benchmarks fmnist run|table`: DP-NormFedAvg's Table 2(a), Fashion-MNIST with a linear
model.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from gpu_benchmarks.data import load
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.linear import execute, probe, quick, results, show
from gpu_benchmarks.linear.batch import read_all
from gpu_benchmarks.linear.plan import Plan
from gpu_benchmarks.linear.readings import OPTIONS
from methods.output import check_writable

RECORDS = Path(__file__).parents[1] / "records" / "fmnist"


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
        "--records", type=Path, default=RECORDS, help="folder of the records (default: %(default)s)"
    )
    parser.add_argument(
        "--seeds", type=_seeds, help="seeds, separated by commas (default: 0,1,2; quick: 100,101)"
    )
    parser.add_argument("--rounds", type=int, help="K >= 5 (default: that of the plan)")
    parser.add_argument("--noise", type=float, help="s = σ/C at ε = 5, > 0 (default: the fitted one)")
    parser.add_argument(
        "--contenders",
        type=float,
        metavar="POINTS",
        help="after the first seed, drop cells more than so many percentage points behind (default: drop none)",
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
    parser.add_argument("--json", action="store_true", help="print the table as JSON")
    parser.add_argument("--quiet", action="store_true", help="no progress bars")


def run(args: argparse.Namespace) -> int:
    """0: done. 2: an impossible setting, missing data, a damaged record. 130: interrupted; call again to
    go on.
    """
    try:
        plan = _plan(args)
        if args.action in ("table", "quick", "tuned") and not any(args.records.glob("*.json")):
            raise InputError(
                f"{args.records}: holds no records; `fmnist run --records {args.records}` makes them"
            )
        if args.action not in ("table", "quick"):
            check_writable(args.records / "record.json")
        if args.action == "table":
            return _show(results.summary(read_all(args.records), plan, args.accounting), args.json)
        images = load("fashion-mnist")
        quiet = args.quiet or args.json
        if args.action == "quick":
            summary = results.summary(read_all(args.records), plan)
            return _show(quick.rerun(summary, plan, images, args.seeds or quick.SEEDS, quiet), args.json)
        runner = execute.Runner(images, args.records, quiet)
        if args.action == "curve":
            list(runner([plan.curve()]))
        elif args.action == "readings":
            list(runner(probe.batches(plan)))
        elif args.action == "tuned":
            list(runner(results.repeat(plan, read_all(args.records))))
        else:
            execute.full(plan, runner)
        return _show(results.summary(read_all(args.records), plan), args.json)
    except (InputError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from the last checkpoint", file=sys.stderr)
        return 130


def _plan(args: argparse.Namespace) -> Plan:
    plan = execute.with_reading(Plan(), args.reading)
    changes = {
        "rounds": args.rounds,
        "fitted": args.noise,
        "contenders": args.contenders,
        "seeds": args.seeds if args.action != "quick" else None,
    }
    plan = replace(plan, **{name: value for name, value in changes.items() if value is not None})
    if not 0 < plan.fitted < math.inf:
        raise ValueError(f"--noise {plan.fitted}: must be a finite number above 0")
    if not plan.contenders >= 0:
        raise ValueError(f"--contenders {plan.contenders}: must be at least 0 percentage points")
    if plan.rounds < 5:
        raise ValueError(f"K = {plan.rounds}: at least 5, as the metric is the mean over the last 5 rounds")
    return plan


def _seeds(text: str) -> tuple[int, ...]:
    try:
        seeds = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected integers separated by commas") from None
    if any(seed < 0 for seed in seeds) or len(set(seeds)) != len(seeds):
        raise argparse.ArgumentTypeError(f"{text!r}: seeds must be different integers of at least 0")
    return seeds


def _show(summary: dict, as_json: bool) -> int:
    if as_json:
        json.dump(summary, sys.stdout, ensure_ascii=False, indent=1)
        print()
    else:
        console = Console(highlight=False)
        console.width = max(console.width, 130)  # the widest table needs it
        console.print(show.render(summary))
    return 0
