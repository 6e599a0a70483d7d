"""Deciding the claims of the papers from the command line: a table, one line a claim."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from methods.terminal.arguments import Parser
from methods.terminal.console import WorkerDied, command_of, interrupted
from methods.terminal.output import (
    STDOUT,
    Unwritable,
    check_writable,
    file,
    incomplete,
    is_stream,
    write_json,
)
from methods.terminal.progress import progress_bar
from methods.terminal.tables import Table, output
from verify.catalogue import UnknownClaim, claim
from verify.errata import sheet
from verify.explain import show
from verify.obligation import Settings
from verify.results import document, stated, write
from verify.run import decide, select
from verify.verdict import VERDICTS

PAPERS = ("alpha-normec", "fed-alpha-normec", "dp-normfedavg")
LONGEST = 1000  # seconds; beyond it the count of work that z3 takes is full
MARK = {
    "proved": "✓",
    "proved-if": "✓*",
    "refuted": "✗",
    "inconsistent": "≠",
    "supported": "~",
    "unknown": "?",
}


def parser() -> argparse.ArgumentParser:
    """The command line of `python -m verify`."""
    verify = command_of("verify")
    main_parser = Parser(
        prog=verify,
        description="Decide the claims of the papers by machine: a table, one line a claim.",
        epilog="Verdicts: "
        + ", ".join(VERDICTS)
        + f"; the README says what each means. Calculators from what was proved: `{verify} epsilon --help` (which ε a noise "
        f"gives, which noise an ε needs) and `{verify} recipe --help` (parameters that a proved bound allows). "
        f"`{verify} textbook --help`: what the proofs take for granted, tried on cases.",
    )
    main_parser.add_argument("--paper", choices=PAPERS, help="only the claims of one paper")
    main_parser.add_argument(
        "--claim",
        action="append",
        default=[],
        metavar="ID",
        help="only this claim and its readings ID@… (repeatable)",
    )
    main_parser.add_argument(
        "--find",
        metavar="WORDS",
        help="only claims in whose id, place, printed words or reason WORDS stand, in upper or lower case",
    )
    main_parser.add_argument(
        "--list", action="store_true", help="name the claims with their places, decide none, and stop"
    )
    main_parser.add_argument(
        "--explain",
        action="store_true",
        help="each claim in full in the place of a line: as printed, why, witness, steps of the proofs, repair",
    )
    main_parser.add_argument(
        "--errata",
        action="store_true",
        help="in the place of the table what an author would change, as Markdown: each printed statement that does not hold as it "
        "stands, why, and what holds",
    )
    main_parser.add_argument("--cross-check", action="store_true", help="ask a second solver (cvc5) as well")
    main_parser.add_argument(
        "--mutants",
        action="store_true",
        help="also mutate every obligation, and a table of how many were told from it",
    )
    main_parser.add_argument(
        "--json",
        type=file,
        metavar="PATH",
        help="write all findings here when all are there, and where that is cut short those so far beside it, into NAME.partial.json "
        "(-: standard output, in the place of the table); with --list what the claims are",
    )
    main_parser.add_argument(
        "--strict", action="store_true", help="exit 1 unless every printed claim is proved"
    )
    main_parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="parallel processes, >= 1 (default 1)"
    )
    main_parser.add_argument(
        "--seconds",
        type=float,
        default=10.0,
        metavar="S",
        help=f"limit of one question to a solver, in (0, {LONGEST}]: the work that an idle core does in S seconds (default 10)",
    )
    return main_parser


def run(arguments: Sequence[str]) -> int:
    """Exit code 0; 1 where a claim's evidence does not stand, or with --strict where one is not proved; 2 for bad input."""
    options = parser().parse_args(arguments)
    console = Console(stderr=True)
    try:
        chosen = _chosen(options)
        if options.json:
            check_writable(options.json)
            if not is_stream(options.json):
                check_writable(incomplete(options.json))
    except (UnknownClaim, ValueError) as error:
        console.print(f"error: {error}", style="red", soft_wrap=True, markup=False)
        return 2
    except KeyboardInterrupt as stopped:
        console.print("interrupted while the claims were read", style="red")
        return interrupted(stopped)
    decided: list[dict] = []
    start = time.perf_counter()
    try:
        if options.list:
            _list(chosen, options.json)
            return 0
        return _decide(chosen, options, console, decided)
    except (KeyboardInterrupt, WorkerDied) as stopped:
        if decided:
            _print(decided, time.perf_counter() - start, options, console)
        why = f"error: {stopped}" if isinstance(stopped, WorkerDied) else "interrupted"
        told = f"{why}: {len(decided)} of {len(chosen)} claims decided{_kept(decided, options.json)}"
        console.print(told, style="red", soft_wrap=True, markup=False)
        return 2 if isinstance(stopped, WorkerDied) else interrupted(stopped)
    except Unwritable as error:
        console.print(f"error: {error}", style="red", soft_wrap=True, markup=False)
        return 2


def _kept(decided: list[dict], path: Path | None) -> str:
    """Where what was decided lies, in words, after it was put there."""
    if path is None:
        return ""
    if path == STDOUT:
        return "; no JSON was written"
    if not decided or is_stream(path):
        return f"; {path} was not written"
    try:
        write(incomplete(path), document(decided))
    except Unwritable as error:
        return f"; {error}"
    return f"; they are in {incomplete(path)}, {path} was not written"


def _list(chosen: list[str], path: Path | None) -> None:
    if path is not None:
        write_json(path, {"schema": 1, "claims": [stated(claim(one)) for one in chosen]})
    if path != STDOUT:
        table = Table("", ("claim", "kind", "paper", "place"))
        for one in map(claim, chosen):
            table.add_row(one.id, one.kind, one.paper, one.place)
        table.show(output())


def _chosen(options: argparse.Namespace) -> list[str]:
    """The ids asked for. Raises `ValueError` for options outside their domain or that contradict each other."""
    if options.jobs < 1:
        raise ValueError(f"--jobs {options.jobs} must be a whole number >= 1")
    deciding = ("explain", "errata", "cross_check", "mutants", "strict")
    if options.list and (given := [name for name in deciding if getattr(options, name)]):
        raise ValueError(f"--list decides nothing; leave out --{given[0].replace('_', '-')}")
    if options.errata and (given := [name for name in ("explain", "mutants") if getattr(options, name)]):
        raise ValueError(f"--errata and --{given[0]} are printed in the same place; leave one out")
    if options.json == STDOUT and (
        given := [name for name in ("explain", "errata") if getattr(options, name)]
    ):
        raise ValueError(
            f"--{given[0]} and --json - are printed in the same place; leave one out, or name a file"
        )
    if not 0 < options.seconds <= LONGEST:
        raise ValueError(f"--seconds {options.seconds} must be a number in (0, {LONGEST}]")
    chosen = select(options.paper, options.claim)
    other = [name for name in chosen if options.paper and claim(name).paper != options.paper]
    if other:
        raise ValueError(
            f"--claim {other[0]} is of {claim(other[0]).paper}, not of --paper {options.paper}; leave one out"
        )
    return chosen if options.find is None else _found(chosen, options.find)


def _found(among: list[str], words: str) -> list[str]:
    """Those that have the words. Raises `ValueError` where none has."""
    looked = words.casefold()

    def has(name: str) -> bool:
        one = claim(name)
        return any(looked in text.casefold() for text in (one.id, one.place, one.printed, one.reason))

    if not (found := [name for name in among if looked.strip() and has(name)]):
        raise ValueError(f"--find {words!r}: stands in none of {len(among)} claims; try one word of it")
    return found


def _decide(chosen: list[str], options: argparse.Namespace, console: Console, decided: list[dict]) -> int:
    """The exit code. decided: is given each entry as soon as it is there."""
    settings = Settings(cross_check=options.cross_check, seconds=options.seconds)
    start = time.perf_counter()
    with progress_bar("claims", transient=True) as bar:
        task = bar.add_task("deciding", total=len(chosen))

        def told(entry: dict) -> None:
            decided.append(entry)
            bar.update(task, advance=1, description=entry["id"])

        entries = decide(chosen, settings, options.jobs, told)
        mutants: list[dict] = []
        if options.mutants:
            from verify.mutants import survey

            task = bar.add_task("mutating", total=len(chosen))
            mutants = survey(chosen, options.jobs, lambda name: bar.update(task, advance=1, description=name))
    if options.json:  # the document counts all claims, which takes seconds: nobody else waits for it
        write(options.json, document(entries) | ({"mutants": mutants} if options.mutants else {}))
        if not is_stream(options.json):
            incomplete(options.json).unlink(missing_ok=True)
    if options.json != STDOUT:
        _print(entries, time.perf_counter() - start, options, console)
        if options.mutants:
            _print_mutants(mutants, output())
    broken = [e for e in entries if e["failures"]]
    for e in broken:
        console.print(f"{e['id']}: {'; '.join(e['failures'])}", style="red", soft_wrap=True, markup=False)
    unproved = any(e["verdict"] != "proved" for e in entries if e["origin"] == "printed")
    if broken or (options.strict and unproved):
        return 1
    return 0


def _print(entries: list[dict], seconds: float, options: argparse.Namespace, errors: Console) -> None:
    """A table for people, or each claim in full, or the errata; into a pipe or a file one line a claim, for `grep`."""
    console = output(stderr=options.json == STDOUT)  # of what was interrupted
    rows = [
        (e["id"], f"{MARK[e['verdict']]:2} {e['verdict']}", f"{e['seconds']:.1f}", e["reason"])
        for e in entries
    ]
    if options.errata:
        for line in sheet(entries):
            console.print(line, soft_wrap=True, markup=False, highlight=False)
    elif options.explain:
        for e in entries:
            show(e, console)
    elif console.is_terminal:
        Table("", ("claim", "verdict", "s", "why"), rows).show(console)
    else:
        wide = max((len(name) for name, *_ in rows), default=0)
        for name, verdict, took, why in rows:
            line = f"{name:{wide}}  {verdict:15}  {took:>5}  {why}"
            console.print(line, soft_wrap=True, markup=False, highlight=False)
    counts = Counter(e["verdict"] for e in entries)
    summary = ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v])
    (errors if options.errata else console).print(
        f"{len(entries)} claim{'' if len(entries) == 1 else 's'}: {summary}  ({seconds:.1f} s)",
        highlight=False,
        soft_wrap=True,
    )


def _print_mutants(found: list[dict], console: Console) -> None:
    """One line a claim, then each survivor with its explanation."""
    counted = ("refuted", "vacuous", "unknown")
    rows = [(e["claim"], *(str(e[kind]) for kind in counted), str(len(e["survived"]))) for e in found]
    Table("Mutants", ("claim", *counted, "survived"), rows).show(console)
    for e in found:
        for survivor in e["survived"]:
            line = f"{e['claim']}: survived: {survivor['mutant']}: {survivor['explanation']}"
            console.print(line, soft_wrap=True, markup=False, highlight=False)
