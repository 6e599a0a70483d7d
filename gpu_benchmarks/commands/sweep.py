"""`sweep`: a queue of runs in a folder, begun or resumed."""

from __future__ import annotations

import argparse
from pathlib import Path

from gpu_benchmarks import sweep as sweeps
from gpu_benchmarks.commands import shared
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.records import read
from methods.output import check_writable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_choice(parser)
    shared.add_device(parser)
    parser.add_argument(
        "--out",
        type=Path,
        default=sweeps.HOME,
        help="folder of the sweep: queue, records, checkpoints (default: %(default)s)",
    )
    parser.add_argument("--at-once", type=int, default=1, metavar="N", help="runs side by side (default 1)")
    parser.add_argument("--resume", action="store_true", help="go on with the sweep in --out")
    parser.add_argument(
        "--minutes", type=float, help="begin no round after so many minutes (default: go on to the end)"
    )
    parser.add_argument(
        "--every", type=float, default=60.0, help="seconds between checkpoints, >= 0 (default 60)"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the cost and stop")
    parser.add_argument(
        "--ray", action="store_true", help="spread the runs over all GPUs with Ray (extra `ray`)"
    )


def run(args: argparse.Namespace) -> int:
    folder = sweeps.Folder(args.out)
    how = shared.options(args, folder.checkpoints, args.every, args.at_once)
    if args.minutes is not None and not args.minutes > 0:
        raise InputError(f"--minutes {args.minutes}: must be above 0")
    if not args.every >= 0:
        raise InputError(f"--every {args.every}: must be at least 0 seconds")
    asked = shared.chosen(args)
    if args.resume and asked:
        raise InputError("--resume takes its runs from the folder; leave out configs and plans")
    if args.dry_run:
        runs = sweeps.resumed(folder) if args.resume else sweeps.some(asked)
        shared.show_cost([c for c in runs if not folder.done(c)], how)
        return 0
    if not args.resume and not args.ray:  # before there is a queue; what is read here is not read again
        check_writable(folder.queue)
        shared.provide(sweeps.some(asked), args.data)
        sweeps.device_data(sweeps.some(asked)[0], how.device, args.data)
    runs = sweeps.resumed(folder) if args.resume else sweeps.begin(folder, asked)
    sweeps.clean(folder)
    for config in runs:
        if folder.done(config):
            read(folder.record(config))  # a damaged record must not pass for a run that is done
    if args.ray:
        from gpu_benchmarks.cluster import spread

        whole = spread(folder, runs, how, args.minutes, args.data, args.at_once)
    else:
        with shared.progress_bar() as progress:
            done = [c for c in runs if folder.done(c)]
            reports = shared.reporting(progress, shared.rounds_of(runs))
            progress.advance(progress.tasks[0].id, shared.rounds_of(done))
            whole = sweeps.sweep(folder, runs, how, args.at_once, args.minutes, args.data, reports)
    left = sum(not folder.done(c) for c in runs)
    print(
        f"{args.out}: {len(runs) - left} of {len(runs)} runs have a record"
        + ("" if whole else "; --resume goes on")
    )
    return 0
