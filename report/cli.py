"""`python -m report`: all results as one PDF."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from gpu_benchmarks.errors import InputError
from methods.terminal.arguments import Parser, whole
from methods.terminal.console import command, command_of, interrupted, line
from methods.terminal.output import (
    STDOUT,
    Unwritable,
    add_json,
    check_apart,
    check_writable,
    file,
    write_json,
    write_whole,
)
from methods.terminal.progress import progress_bar
from report.plan import plan


def parser() -> argparse.ArgumentParser:
    """The command line; every option has a default that gives a whole report."""
    p = Parser(
        prog=command_of("report"),
        description="Write one PDF: verdicts, witnesses, tightness, toy problems, privacy, experiments.",
        epilog="What cannot be run here is marked 'not run' in the PDF. Exit code 2: an input is broken.",
    )
    p.add_argument(
        "--profile",
        choices=("quick", "full"),
        default="quick",
        help="how much is computed (default: quick)",
    )
    p.add_argument("--out", type=file, default=Path("report.pdf"), metavar="PDF", help="default: report.pdf")
    p.add_argument("--verify-json", type=file, metavar="PATH",
                   help=f"verdicts from `{command_of('verify')} --json PATH`; default: run it")  # fmt: skip
    p.add_argument("--results", type=file, default=Path("build/results"), metavar="DIR",
                   help="where results are kept between runs (default: build/results)")  # fmt: skip
    p.add_argument("--fresh", action="store_true", help="compute everything again, whatever is kept")
    p.add_argument(
        "--jobs", type=_positive, default=2, metavar="N", help="processes for the verifier, >= 1 (default: 2)"
    )
    p.add_argument(
        "--only",
        metavar="NAMES",
        help="comma-separated results to compute, of "
        f"{', '.join(job.name for job in plan('quick'))}; the others say 'not run'",
    )
    add_json(p, "a summary of what was written")
    return p


@command
def main(argv: Sequence[str] | None = None) -> int:
    """Returns 0, 2 for a broken input (one line says which), 130 after Ctrl-C; no half-written PDF in
    any case."""
    options = parser().parse_args(argv)
    errors = Console(stderr=True, soft_wrap=True, highlight=False)
    try:
        return _write(options, errors)
    except (InputError, Unwritable) as error:
        for one in error.args:
            errors.print(f"error: {line(str(one))}", markup=False)
        return 2
    except KeyboardInterrupt as stopped:
        errors.print(f"interrupted; {options.out} is untouched and finished results are kept", markup=False)
        return interrupted(stopped)


def _write(options: argparse.Namespace, errors: Console) -> int:
    from report.assemble import assemble
    from report.jobs import Tick
    from report.provenance import provenance

    only = _names(options.only)
    if options.verify_json and only is not None and "verify" not in only:
        raise InputError(
            f"--verify-json {options.verify_json}: --only {options.only} leaves verify out; leave one out"
        )
    check_writable(options.out)
    check_apart("--out", options.out, {"--verify-json": options.verify_json})
    if options.out.suffix.lower() not in ("", ".pdf"):
        raise InputError(f"--out {options.out}: a PDF is written there; give it a name that ends in .pdf")
    if options.json:
        check_writable(options.json)
        check_apart("--json", options.json, {"--out": options.out, "--verify-json": options.verify_json})
    check_writable(options.results / "result.json")
    facts = provenance()
    jobs = plan(options.profile, verify_json=options.verify_json, workers=options.jobs, only=only)
    with progress_bar("%") as progress:
        all_jobs = progress.add_task("report", total=len(jobs) + 2)
        part = progress.add_task("", total=1.0)
        started = iter(range(len(jobs) + 2))

        def step(title: str) -> Tick:
            progress.update(all_jobs, completed=next(started))
            progress.reset(part, description=title, total=1.0)
            return lambda fraction: progress.update(part, completed=fraction)

        pdf, summary = assemble(jobs, facts, options.profile, options.results, options.fresh, step)
        progress.update(all_jobs, completed=len(jobs) + 2)
        progress.update(part, completed=1.0)
    write_whole(options.out, pdf)
    summary = {"out": str(options.out), **summary}
    if options.json:
        write_json(options.json, summary)
    if options.json == STDOUT:
        return 0
    verdicts = ", ".join(f"{number} {verdict}" for verdict, number in summary["verdicts"].items() if number)
    errors.print(f"{options.out}: {summary['pages']} pages; {verdicts or 'no verdicts'}", markup=False)
    for item in summary["not_run"]:
        errors.print(f"  not run: {item}", markup=False)
    return 0


def _positive(text: str) -> int:
    value = whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number >= 1")
    return value


def _names(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise InputError(f"--only {text!r}: names no result; leave it out and all are computed")
    return names
