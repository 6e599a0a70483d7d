"""`train`: one run."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from pathlib import Path

from gpu_benchmarks import config as configs
from gpu_benchmarks import records
from gpu_benchmarks.commands import shared
from gpu_benchmarks.config import DATASETS, METHODS, PRECISIONS, Config
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.sweep import device_data
from gpu_benchmarks.training import Run, together
from methods.output import check_writable

_KINDS = {"str": str, "float": float, "int": int, "int | None": int}
_MEANINGS = {
    "method": "what is trained",
    "gamma": "step size γ > 0",
    "beta": "β > 0: factor of the memories; τ of Clip21 and dp_sgd_clip; length of a message of dp_sgd and fedavg",
    "alpha": "α >= 0 of smoothed normalisation",
    "server_normalisation": "line 11 of α-NormEC's Algorithm 1: the server's step has length γ",
    "clients": "n >= 1",
    "batch": "images of a client in an iteration",
    "rounds": "K, printed communication rounds",
    "stop_after": "run only so many of the K rounds: a reduced run",
    "private": "add noise for (ε, δ)-DP",
    "epsilon": "ε > 0 of the noise",
    "delta": "δ in (0, 1) of the noise",
    "participation": "p in (0, 1], of fed_alpha_normec and fedavg",
    "local_steps": "T >= 1, of fed_alpha_normec and fedavg",
    "seed": "an integer in [0, 2^63); the same seed, the same run",
    "blocks": "residual blocks of a stage; 3 is ResNet-20",
    "width": "channels of the first stage, even; 16 is ResNet-20",
    "data": "images to train on",
    "images": "use only so many training images: a reduced run",
    "precision": f"arithmetic: {', '.join(PRECISIONS)}",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        help="TOML or JSON file of one run; options below go on top of it (default: none)",
    )
    for item in fields(Config):
        name = f"--{item.name.replace('_', '-')}"
        if item.name == "readings":
            parser.add_argument(
                "--reading",
                action="append",
                default=[],
                metavar="NAME=OPTION",
                help=shared.READINGS_HELP,
            )
        elif item.type == "bool":
            parser.add_argument(
                name, action=argparse.BooleanOptionalAction, default=None, help=_help(item.name, "no")
            )
        else:
            options = {"method": list(METHODS), "data": list(DATASETS)}.get(item.name)
            parser.add_argument(
                name if item.name != "data" else "--dataset",
                dest=f"set_{item.name}",
                type=_KINDS[str(item.type)],
                choices=options,
                metavar=None if options else item.name.upper(),
                help=_help(item.name, "all" if item.default is None else item.default),
            )
    shared.add_device(parser)
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs"),
        help="folder for record and checkpoint (default: %(default)s)",
    )
    parser.add_argument("--dry-run", action="store_true", help="print the cost and stop")


def _help(name: str, default: object) -> str:
    return f"{_MEANINGS[name]} (default {default})"


def run(args: argparse.Namespace) -> int:
    config = _config(args)
    how = shared.options(args, args.out / "checkpoints")
    if args.dry_run:
        shared.show_cost([config], how)
        return 0
    target = args.out / f"{config.run}.json"
    if target.exists():
        records.read(target)  # a damaged record must not pass for a run that is done
        print(f"{target}: this run is done; delete the record to run it again")
        return 0
    check_writable(target)
    shared.provide([config], args.data)
    one = Run(config, device_data(config, how.device, args.data), how)
    with shared.progress_bar() as progress:
        reports = shared.reporting(progress, shared.rounds_of([config]))
        reports.on_start(one)

        def keep(finished: Run, record: records.Record) -> None:
            records.write(record, args.out)
            finished.forget()
            reports.on_record(record)

        together(iter([one]), 1, reports.on_round, keep, lambda: False)
    print(target)
    return 0


def _config(args: argparse.Namespace) -> Config:
    base = Config()
    if args.config is not None:
        found = configs.load(args.config)
        if len(found) != 1:
            raise InputError(f"{args.config}: holds {len(found)} runs; `train` takes one, `sweep` takes many")
        base = found[0]
    given = {}
    for item in fields(Config):
        value = getattr(
            args, f"set_{item.name}", getattr(args, item.name, None) if item.type == "bool" else None
        )
        if value is not None:
            given[item.name] = value
    readings = shared.readings_in(args.reading)
    try:
        return replace(base, **given, readings=replace(base.readings, **readings))
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None
