"""`sweep`: a queue of runs in a folder, begun or resumed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from gpu_benchmarks import checkpoint, cluster
from gpu_benchmarks import sweep as sweeps
from gpu_benchmarks.commands import shared
from gpu_benchmarks.config import Config
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.training import Options
from methods.terminal.output import check_writable
from methods.terminal.progress import progress_bar

CHOICE = {
    "configs": "configs",
    "plan": "--plan",
    "seed": "--seed",
    "precision": "--precision",
    "stop_after": "--stop-after",
    "reading": "--reading",
}
"""What chooses the runs of a new sweep."""


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
        "--begun",
        type=Path,
        metavar="FOLDER",
        help="a folder of checkpoints, or of a sweep: what is further there than in --out goes on here; "
        "FOLDER is left as it is (default: none)",
    )
    parser.add_argument(
        "--minutes", type=float, help="begin no round after so many minutes (default: go on to the end)"
    )
    parser.add_argument(
        "--every", type=float, default=60.0, help="seconds between checkpoints, >= 0 (default 60)"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print what the runs cost, one after the other, and stop"
    )
    parser.add_argument(
        "--ray", action="store_true", help="spread the runs over all GPUs with Ray (extra `ray`)"
    )


def run(args: argparse.Namespace) -> int:
    folder = sweeps.Folder(args.out)
    how = shared.options(args, folder.checkpoints, args.every, args.at_once)
    _check(args)
    runs = _runs(args, folder)
    if not (args.resume or args.dry_run):
        sweeps.vacant(folder)
    sweeps.check(folder, runs)
    if args.ray:
        cluster.ready()
    if args.begun is not None and not args.begun.is_dir():
        raise InputError(f"--begun {args.begun}: is not a folder")
    to_do = [c for c in runs if not folder.done(c)]
    if args.dry_run:
        shared.show_cost(to_do, shared.checked(how, to_do))
        return 0
    how = _ready(args, folder, how, to_do)
    if not args.resume:
        sweeps.begin(folder, runs)
    if args.begun is not None:  # not before there is a queue: another sweep would go on from it unasked
        print(_taken_over(folder, to_do, args.begun))
    sweeps.clean(folder)
    whole = _carry_out(args, folder, how, runs)
    left = sum(not folder.done(c) for c in runs)
    print(
        f"{args.out}: {len(runs) - left} of {len(runs)} runs have a record"
        + ("" if whole else "; --resume goes on")
    )
    return 0


def _check(args: argparse.Namespace) -> None:
    """Raises `InputError` for an option outside its domain, and for some that contradict each other."""
    if args.minutes is not None and not args.minutes > 0:
        raise InputError(f"--minutes {args.minutes}: must be above 0")
    if not args.every >= 0:
        raise InputError(f"--every {args.every}: must be at least 0 seconds")
    if args.ray and args.device:
        raise InputError("--ray gives each worker the GPU that it finds; leave out --device")
    if args.resume and (given := [name for name in CHOICE if getattr(args, name)]):
        told = ", ".join(CHOICE[name] for name in given)
        raise InputError(f"--resume takes its runs from the folder as they are; leave out {told}")


def _runs(args: argparse.Namespace, folder: sweeps.Folder) -> list[Config]:
    """Those of the sweep in the folder, or those that the options choose."""
    if args.resume:
        return shared.made([(run, {}) for run in sweeps.resumed(folder)], {})
    return sweeps.some(shared.chosen(args))


def _ready(args: argparse.Namespace, folder: sweeps.Folder, how: Options, to_do: Sequence[Config]) -> Options:
    """How the runs are carried out, once all that can be known to stand against it is asked, before anything is written:
    places that cannot be written to, damaged checkpoints, data that are not there."""
    check_writable(folder.queue)
    for place in (folder.records, folder.checkpoints):
        if place.exists():
            check_writable(place / "any")
    if not args.ray:
        how = shared.checked(how, to_do)
    if args.begun is not None:
        sweeps.offered(to_do, sweeps.checkpoints_in(args.begun))  # tells a damaged one
    shared.provide(to_do, args.data)
    if not args.ray:  # what is read here is not read again
        for config in {c.data: c for c in reversed(to_do)}.values():
            sweeps.device_data(config, how.device, args.data)
    return how


def _carry_out(args: argparse.Namespace, folder: sweeps.Folder, how: Options, runs: Sequence[Config]) -> bool:
    """Whether all of them ended."""
    if args.ray:
        return cluster.spread(folder, runs, how, args.minutes, args.data, args.at_once)
    with progress_bar("rounds") as progress:
        done = [c for c in runs if folder.done(c)]
        reports = shared.reporting(progress, shared.rounds_of(runs))
        progress.skip(progress.tasks[0].id, shared.rounds_of(done))
        return sweeps.sweep(folder, runs, how, args.at_once, args.minutes, args.data, reports)


def _taken_over(folder: sweeps.Folder, to_do: Sequence[Config], begun: Path) -> str:
    """Take over what was begun elsewhere, and say how much that is; where it is nothing, why, and what becomes of the runs."""
    source = sweeps.checkpoints_in(begun)
    own = sum(checkpoint.path_of(config, folder.checkpoints).exists() for config in to_do)
    count = sweeps.take_over(folder, to_do, source)
    if count or not to_do:
        return f"{source}: {count} of {len(to_do)} runs go on from there"
    there = len(list(source.glob("*.safetensors")))
    fitting = sum(checkpoint.path_of(config, source).exists() for config in to_do)
    why = "it holds no checkpoints"
    if fitting:
        why = "of the checkpoints that fit, this sweep has its own as far, or they are of longer runs"
    elif there:
        why = f"none of its {there} checkpoint{'s' * (there > 1)} is of one of these runs"
    return f"{source}: no run goes on from there: {why}; {len(to_do) - own} of {len(to_do)} begin anew"
