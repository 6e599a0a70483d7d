"""`status`: the runs of a sweep and how far they are."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gpu_benchmarks import sweep as sweeps
from gpu_benchmarks.checkpoint import path_of, read
from gpu_benchmarks.records import read as read_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "out", nargs="?", type=Path, default=sweeps.HOME, help="folder of the sweep (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON (default: a table)")


def run(args: argparse.Namespace) -> int:
    folder = sweeps.Folder(args.out)
    states = sweeps.status(folder, sweeps.resumed(folder))
    rows = []
    for config, state in states:
        rounds = 0
        if folder.done(config):
            rounds = read_record(folder.record(config)).rounds
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
        print(json.dumps({"folder": str(args.out), "runs": rows}, ensure_ascii=False))
        return 0
    table = Table("run", "state", "rounds", "what")
    for row in rows:
        table.add_row(row["run"], row["state"], f"{row['rounds']}/{row['of']}", row["what"])
    Console().print(table)
    print(", ".join(f"{count} {state}" for state, count in Counter(row["state"] for row in rows).items()))
    return 0
