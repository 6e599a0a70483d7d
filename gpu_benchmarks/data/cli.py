"""`python -m gpu_benchmarks data fetch|check [DATASET ...]`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from gpu_benchmarks.data.fetch import fetch
from gpu_benchmarks.data.load import check, missing
from gpu_benchmarks.data.sources import DATASETS, VARIABLE, data_folder, source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("fetch", "check"),
        default="check",
        help="download what is missing, or verify what is there (default: check)",
    )
    parser.add_argument(
        "datasets", nargs="*", metavar="DATASET", help=f"{', '.join(DATASETS)} (default: all)"
    )
    parser.add_argument(
        "--folder", type=Path, help=f"where the data sets lie (default: {VARIABLE}, else the user's cache)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """0: all whole. 2: an unknown data set, a missing or damaged file, no network."""
    folder: Path = args.folder or data_folder()
    chosen = [source(name) for name in args.datasets or DATASETS]
    if args.action == "fetch":
        for each in chosen:
            fetch(each, folder, quiet=args.json)
    states = {each.name: check(each, folder) for each in chosen}
    if args.json:
        json.dump(
            {"folder": str(folder), "files": {name: dict(files) for name, files in states.items()}},
            sys.stdout,
        )
        print()
    else:
        console = Console(soft_wrap=True, highlight=False)
        for name, files in states.items():
            for file, state in files:
                console.print(f"{name:14} {file:28} {escape(state)}")
    for name, files in states.items():
        home = folder / DATASETS[name].folder
        absent = [home / file for file, state in files if state == "missing"]
        if absent:
            print(f"error: {missing(DATASETS[name], absent[0], home)}", file=sys.stderr)
        for _, state in files:
            if state not in ("whole", "missing"):
                print(f"error: {state}", file=sys.stderr)
    return 0 if all(state == "whole" for files in states.values() for _, state in files) else 2
