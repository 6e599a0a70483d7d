"""`python -m verify textbook`: what proofs take for granted, tried on cases."""

from __future__ import annotations

import argparse
from collections import Counter

from rich.console import Console

from methods.terminal.console import interrupted, tell
from methods.terminal.output import STDOUT, Unwritable, add_json, check_writable, write_json
from methods.terminal.progress import progress_bar
from methods.terminal.tables import Table, output
from verify.textbook.trial import CASES

MOST = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.description = (
        "Try every textbook result that a proof takes for granted on cases: what its letters stand for is computed from functions, "
        "vectors and random variables that are drawn, in 60 digits, and it has to hold. Exit code 1 where one does not."
    )
    parser.add_argument(
        "--cases",
        type=int,
        default=CASES,
        metavar="N",
        help=f"cases a trial, in [{CASES}, {MOST}] (default {CASES})",
    )
    add_json(parser, "what was found")


def run(arguments: argparse.Namespace) -> int:
    """Exit code 0; 1 where a result fails; 2 for bad input; 130 after Ctrl-C, with what was found so far."""
    # the trials with fewer cases are not known to be sharp
    if not CASES <= arguments.cases <= MOST:
        tell(f"error: --cases {arguments.cases} must be a whole number in [{CASES}, {MOST}]")
        return 2
    found: list[dict] = []
    try:
        if arguments.json is not None:
            check_writable(arguments.json)
        _survey(arguments.cases, found)
        if arguments.json is not None:
            write_json(arguments.json, {"schema": 1, "results": found})
    except Unwritable as error:
        tell(f"error: {error}")
        return 2
    except KeyboardInterrupt as stopped:
        if found:
            _show(found, output(stderr=arguments.json == STDOUT))
        unwritten = f"; {arguments.json} was not written" if arguments.json is not None else ""
        tell(f"interrupted: {len(found)} textbook results tried{unwritten}")
        return interrupted(stopped)
    if arguments.json != STDOUT:
        _show(found, output())
    return int(any(entry["status"] == "fails" for entry in found))


def _survey(cases: int, found: list[dict]) -> None:
    """found: is given each result as soon as it is there."""
    from verify.textbook.survey import each

    with progress_bar("%", transient=True) as bar:
        task = bar.add_task("reading the claims", total=1)
        for entry, part in each(cases):
            found.append(entry)
            bar.update(task, completed=part, description=f"{entry['name']:.24}")


def _show(found: list[dict], console: Console) -> None:
    rows = [
        (entry["name"], entry["status"], str(entry["cases"] or ""), str(len(entry["claims"])), entry["note"])
        for entry in found
    ]
    Table("", ("textbook result", "", "cases", "claims", "note"), rows).show(console)
    counts = Counter(entry["status"] for entry in found)
    summary = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    console.print(f"{len(found)} textbook results: {summary}", highlight=False, soft_wrap=True)
