"""`status`: the runs of a sweep and how far they are."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from gpu_benchmarks import parsing
from gpu_benchmarks import sweep as sweeps
from gpu_benchmarks.checkpoint import path_of, read
from gpu_benchmarks.records import read_for
from methods.terminal.output import STDOUT, add_json, check_apart, check_writable
from methods.terminal.tables import Table, output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "out", nargs="?", type=Path, default=sweeps.HOME, help="folder of the sweep (default: %(default)s)"
    )
    add_json(parser, "the table")


def run(args: argparse.Namespace) -> int:
    folder = sweeps.Folder(args.out)
    if args.json:
        check_writable(args.json)
        taken = {"the folder of the sweep": folder.path, "that of its records": folder.records}
        check_apart("--json", args.json, taken)
    states = sweeps.status(folder, sweeps.resumed(folder))
    rows = []
    for config, state in states:
        rounds = 0
        if folder.done(config):
            rounds = read_for(config.run, folder.record(config)).rounds
        elif state != "waiting" and (saved := read(config, path_of(config, folder.checkpoints))):
            rounds = len(saved.rounds)
        rows.append(
            {
                "run": config.run,
                "state": state,
                "rounds": rounds,
                "of": config.stop_after or config.rounds,
                "what": config.label(),
            }
        )
    if args.json:
        parsing.write({"folder": str(args.out), "runs": rows}, args.json)
    if args.json == STDOUT:
        return 0
    console = output()
    sheet = Table("", ("run", "state", "rounds", "what"))
    for row in rows:
        sheet.add_row(row["run"], row["state"], f"{row['rounds']}/{row['of']}", row["what"])
    sheet.show(console)
    counts = Counter(row["state"] for row in rows)
    console.print(", ".join(f"{count} {state}" for state, count in counts.items()))
    return 0
