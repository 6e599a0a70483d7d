"""`python -m gpu_benchmarks data [fetch|check] [DATASET ...]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gpu_benchmarks import parsing
from gpu_benchmarks.data.fetch import fetch
from gpu_benchmarks.data.load import check, missing
from gpu_benchmarks.data.sources import DATASETS, VARIABLE, data_folder, source
from gpu_benchmarks.errors import InputError
from methods.terminal.console import line
from methods.terminal.output import STDOUT, add_json, check_apart, check_writable

ACTIONS = ("fetch", "check")


def add_folder(parser: argparse.ArgumentParser) -> None:
    """The option `--data FOLDER` as every command has it that reads the data sets."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help=f"folder of the data sets (default: {VARIABLE}, else the user's cache)",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="fetch|check|DATASET",
        help="first, fetch: download what is missing, or check: verify what is there (default: check); then data sets, of "
        f"{', '.join(DATASETS)} (default: all)",
    )
    add_folder(parser)
    add_json(parser, "what was found")


def run(args: argparse.Namespace) -> int:
    """0: all whole. 2: an unknown data set, a missing or damaged file, no network."""
    action, *names = args.words if args.words[:1] and args.words[0] in ACTIONS else ("check", *args.words)
    if unknown := [name for name in names if name not in DATASETS]:
        raise InputError(
            f"{unknown[0]!r}: choose one of {', '.join(DATASETS)}; {' or '.join(ACTIONS)} is the first word"
        )
    folder: Path = args.data or data_folder()
    chosen = [source(name) for name in dict.fromkeys(names or DATASETS)]
    if args.json:
        check_writable(args.json)
        check_apart("--json", args.json, {f"the folder of {s.name}": folder / s.folder for s in chosen})
    if action == "fetch":
        for each in chosen:
            fetch(each, folder)
    states = {each.name: check(each, folder) for each in chosen}
    if args.json:
        found = {name: dict(files) for name, files in states.items()}
        parsing.write({"folder": str(folder), "files": found}, args.json)
    if args.json != STDOUT:
        for name, files in states.items():
            for file, state in files:
                print(f"{name:14} {file:28} {line(state)}")
    faults: list[str] = []
    for name, files in states.items():
        home = folder / DATASETS[name].folder
        absent = [home / file for file, state in files if state == "missing"]
        faults += [missing(DATASETS[name], file, home) for file in absent[:1]]
        faults += [state for _, state in files if state not in ("whole", "missing")]
    for fault in dict.fromkeys(faults):  # what is wrong with the folder is said once
        print(f"error: {line(fault)}", file=sys.stderr)
    return 0 if all(state == "whole" for files in states.values() for _, state in files) else 2
