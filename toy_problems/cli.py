"""`python -m toy_problems`: Example 1, bounds over traces, rates, Appendix F's figures, the falsifier."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from methods.terminal.arguments import Parser, number
from methods.terminal.console import WorkerDied, command, command_of, interrupted, near
from methods.terminal.output import STDOUT, file, is_stream
from methods.terminal.progress import progress_bar
from methods.terminal.tables import output
from toy_problems import jobs, overlay, rates
from toy_problems.catalogue import FAMILIES
from toy_problems.falsifier import cli as falsifier
from toy_problems.results import check, document, keep
from toy_problems.tables import tables

DEFAULTS = {"profile": "quick", "seed": 0, "q": None}
Q = (1e-30, 1e30)
"""Beyond, the noise or what it is compared with is lost in rounding."""
DESCRIPTION = "Problems with exact constants: Example 1, bounds over traces, rates, Appendix F's figures, the falsifier."


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = Parser(prog=command_of("toy_problems"), description=DESCRIPTION)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text + ".")
        sub.add_argument(
            "--profile",
            choices=("quick", "full"),
            default=DEFAULTS["profile"],
            help="quick: seconds; full: minutes (default quick; example1 and das-f4 have one size)",
        )
        sub.add_argument(
            "--seed",
            type=_seed,
            default=DEFAULTS["seed"],
            metavar="N",
            help="an integer in [0, 2^32); the same seed, the same numbers (default 0; example1 draws nothing)",
        )
        sub.add_argument(
            "--json",
            type=file,
            metavar="PATH",
            help="write everything there, at once or not at all; what an interrupted run has finished goes beside it, into "
            "NAME.partial.json; - for standard output, in the place of the tables (default: only the tables)",
        )
        return sub

    add("example1", "Example 1 of α-NormEC: who stalls at x = 2")
    for name, families, fitting, text in (
        (
            "overlay",
            overlay.FAMILIES,
            overlay.FITTING,
            "bounds over measured traces on families of problems",
        ),
        (
            "rates",
            rates.FAMILIES,
            rates.FITTING,
            "measured decay in K against the printed exponents; methods at equal sensitivity",
        ),
    ):
        sub = add(name, text)
        sub.add_argument(
            "--problem",
            action="append",
            type=partial(_family, fitting),
            metavar="NAME",
            help=f"a family (repeat for several; default {', '.join(families)}); known: {', '.join(fitting)}",
        )
    figure = add("figure", "the data of a figure, and what its caption says")
    figure.add_argument(
        "name", choices=tuple(jobs.FIGURES), help="das-f2 to das-f4: DP-NormFedAvg, Appendix F"
    )
    figure.add_argument(
        "--q",
        type=_constant,
        metavar="Q",
        help=f"Theorem 3's constant, a number from {Q[0]:g} to {Q[1]:g} that the paper does not print; das-f2 to das-f4 alone "
        "(default 1)",
    )
    text = "search for the instance closest to breaking a bound"
    falsify = commands.add_parser("falsify", help=text, description=text + ".")
    falsifier.add_arguments(falsify)
    return top


@command
def main(argv: Sequence[str] | None = None) -> int:
    """0; 2 for bad input; 130 after an interrupt, with the parts that were finished beside `--json`."""
    arguments = parser().parse_args(argv)
    if arguments.command == "falsify":
        return falsifier.run(arguments)
    try:
        if arguments.json is not None:
            check(arguments.json)
        return _run(arguments)
    except ValueError as error:
        return _fail(str(error))


UNREAD = {"example1": ("profile", "seed", "q"), "das-f4": ("profile",)}
"""Options that would change nothing."""


def _job(arguments: argparse.Namespace):
    what = getattr(arguments, "name", arguments.command)
    for option in UNREAD.get(what, ()):
        if (value := getattr(arguments, option, DEFAULTS[option])) != DEFAULTS[option]:
            raise ValueError(f"--{option} {value}: {what} does not depend on it; leave it out")
    if arguments.command == "figure":
        job = jobs.FIGURES[arguments.name]
        return job if arguments.q is None else partial(job, q=arguments.q)
    job = {"example1": jobs.example1_job, "overlay": jobs.overlay_job, "rates": jobs.rates_job}[
        arguments.command
    ]
    families = getattr(arguments, "problem", None)
    return partial(job, families=tuple(dict.fromkeys(families))) if families else job


def _run(arguments: argparse.Namespace) -> int:
    job = _job(arguments)
    profile, seed = arguments.profile, arguments.seed
    name = arguments.command + (f" {arguments.name}" if arguments.command == "figure" else "")
    found, code, why = {}, 0, ""
    with progress_bar("runs", transient=True) as bar:
        task = bar.add_task(name, total=None)
        parts: Iterator[tuple[str, Any]] = job(profile, seed, lambda count: bar.advance(task, count))
        try:
            for part, result in parts:
                found[part] = result
                bar.update(task, description=f"{name}: {part}")
        except KeyboardInterrupt as stopped:
            code, why = interrupted(stopped), "interrupted"
        except WorkerDied as error:
            code, why = 2, str(error)
    written = None
    if arguments.json is not None and (found or is_stream(arguments.json)):
        # before the tables, whose reader may go away
        written = keep(arguments.json, document(name, profile, seed, code == 0, found))
    console = output()
    if arguments.json != STDOUT:
        for drawn in tables(found):
            drawn.show(console)
    if code:
        left = f"; what was finished is in {written}" if written not in (None, STDOUT) else ""
        print(f"{why}{left}", file=sys.stderr)
    elif written not in (None, STDOUT):
        console.print(f"written: {written}", markup=False, soft_wrap=True)
    return code


def _fail(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 2


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer in [0, 2^32)")
    return int(text)


def _constant(text: str) -> float:
    value = number(text)
    if not Q[0] <= value <= Q[1]:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {Q[0]:g} to {Q[1]:g}")
    return value


def _family(fitting: tuple[str, ...], text: str) -> str:
    if text not in fitting:
        known = (
            f"{text!r} does not fit here"
            if text in FAMILIES
            else f"unknown problem {text!r}{near(text, fitting)}"
        )
        raise argparse.ArgumentTypeError(f"{known}; the problems are {', '.join(fitting)}")
    return text
