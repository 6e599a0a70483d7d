"""`python -m toy_problems falsify`: attack bounds from the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from methods.terminal.arguments import by_option, whole
from methods.terminal.console import WorkerDied, interrupted
from methods.terminal.output import STDOUT, Unwritable, file, is_stream
from methods.terminal.progress import progress_bar
from methods.terminal.tables import Table, output
from toy_problems.falsifier.attack import outcome
from toy_problems.falsifier.coverage import NOT_ATTACKED
from toy_problems.falsifier.study import DIMENSIONS, LARGEST, Plan, UnknownBound, study
from toy_problems.falsifier.targets import RANDOM
from toy_problems.results import check, keep, plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `falsify`."""
    parser.add_argument(
        "--bound",
        action="append",
        default=[],
        metavar="NAME",
        help="attack this bound (repeatable; default: all)",
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=20.0,
        metavar="S",
        help="seconds for each bound, > 0, shared by its attacks (default 20)",
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes, >= 1 (default 1)")
    parser.add_argument(
        "--instances",
        type=int,
        default=1_000_000,
        metavar="N",
        help="about N instances for each bound, >= 1, shared by attacks of some thousands at least (default 1000000)",
    )
    parser.add_argument(
        "--dimensions",
        metavar="D,…",
        help="dimensions of the bounds on an expectation, integers in [1, 2^53] (default 1,1000,100000; full: "
        + ",".join(map(str, DIMENSIONS))
        + ")",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the search, >= 0 (default 0)"
    )
    parser.add_argument(
        "--json",
        type=file,
        metavar="PATH",
        help="write the results there when all are done, and after each attack those so far beside it, into NAME.partial.json; "
        "- for standard output, at the end and in the place of the table (default: only the table)",
    )


def run(args: argparse.Namespace) -> int:
    """Attack, print a table, write the JSON. 0: done (broken bounds are a finding, not an error); 2: bad
    arguments, or a worker that was killed; 130: interrupted, with what was done kept."""
    try:
        dimensions = _dimensions("1,1000,100000" if args.dimensions is None else args.dimensions)
        plan = Plan(tuple(args.bound), args.budget, args.instances, dimensions, args.seed)
        if args.dimensions is not None and not (set(RANDOM) & set(plan.bounds or RANDOM)):
            raise ValueError(
                f"--dimensions {args.dimensions}: {', '.join(plan.bounds)} is on no expectation and has none; leave it out"
            )
        if args.jobs < 1:
            raise ValueError(f"--jobs {args.jobs} must be a whole number >= 1")
        if args.json is not None:
            check(args.json)
    except UnknownBound as error:
        print(f"error: --{error}", file=sys.stderr)
        return 2
    except ValueError as error:
        options = {"budget": "budget", "instances": "instances", "seed": "seed", "dimension": "dimensions"}
        print(f"error: {by_option(str(error), options)}", file=sys.stderr)
        return 2
    try:
        return _attack(args, plan)
    except Unwritable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _attack(args: argparse.Namespace, plan: Plan) -> int:
    results: list[dict[str, Any]] = []
    code, why = 0, ""
    kept = None
    with progress_bar("attacks") as bar:
        task = bar.add_task("falsify", total=len(plan.attacks))

        def progress(name: str, count: int, ratio: float) -> None:
            bar.update(task, description=f"{name}: {ratio:.4f}")

        try:
            for result in study(plan, progress, args.jobs):
                results.append(result)
                bar.advance(task)
                if args.json is not None and not is_stream(args.json):
                    kept = _write(args.json, results, plan)
        except KeyboardInterrupt as stopped:
            code, why = interrupted(stopped), "interrupted"
        except WorkerDied as error:
            code, why = 2, str(error)
    if code:
        done = "what was done is shown" if results else "no attack was finished"
        left = "" if args.json is None or is_stream(args.json) else f"; {args.json} was not written"
        print(f"{why}; {f'what was done is in {kept}' if kept else done + left}", file=sys.stderr)
    if args.json is not None and is_stream(args.json):
        _write(args.json, results, plan)
    if args.json == STDOUT:
        return code
    console = output()
    _table(sorted(results, key=lambda result: result["order"])).show(console)
    if not plan.bounds:
        for name, reason in NOT_ATTACKED.items():
            console.print(f"{name}: not attacked: {reason}", markup=False, soft_wrap=True)
    return code


def _table(results: list[dict[str, Any]]) -> Table:
    table = Table("", ("bound", "family", "reading", "d", "tightness", "instances", "a second", "outcome"))
    for result in results:
        table.add_row(
            result["bound"],
            result["family"],
            result.get("reading", ""),
            str(result.get("d", 1)),
            f"{result['tightness']:.4f}",
            f"{result['instances']:,}",
            f"{result['instances'] / result['seconds']:,.0f}",
            _outcome(result),
        )
    return table


def _outcome(result: dict[str, Any]) -> str:
    if result["broken"]:
        return "BROKEN, exactly" if result["kind"] == "deterministic" else "BROKEN, at 1e-6"
    return outcome(False, result["tightness"])


def _dimensions(text: str) -> tuple[int, ...]:
    """Each once, in the order given."""
    try:
        return tuple(dict.fromkeys(whole(part) for part in text.split(",")))
    except argparse.ArgumentTypeError:
        raise ValueError(
            f"--dimensions {text!r}: write integers in [1, 2^{LARGEST.bit_length() - 1}], separated by commas"
        ) from None


def _write(path: Path, results: list[dict[str, Any]], plan: Plan) -> Path:
    """The whole file or none of it, and which it is; a number that is not finite is null."""
    document = {
        "schema": 1,
        "complete": len(results) == len(plan.attacks),
        "seed": plan.seed,
        "budget": plan.budget,
        "results": results,
        "not_attacked": dict(NOT_ATTACKED),
    }
    return keep(path, plain(document))
