"""`train`: one run."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from gpu_benchmarks import config as configs
from gpu_benchmarks import records
from gpu_benchmarks.commands import shared
from gpu_benchmarks.config import DATASETS, PRECISIONS, Config
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.federation import possible
from gpu_benchmarks.readings import Readings
from gpu_benchmarks.sweep import device_data
from gpu_benchmarks.training import Run, together
from gpu_benchmarks.training_methods import METHODS
from methods.terminal.arguments import by_option
from methods.terminal.output import check_writable
from methods.terminal.progress import progress_bar

_KINDS = {"str": str, "float": float, "int": int, "int | None": int}
_MEANINGS = {
    "method": "what is trained",
    "gamma": "step size γ > 0",
    "beta": "β > 0: factor of the memories; τ of Clip21 and dp_sgd_clip; length of a message of dp_sgd and fedavg (not of sgd)",
    "alpha": "α >= 0 of smoothed normalisation (not of clip21, dp_sgd_clip, sgd)",
    "server_normalisation": "line 11 of α-NormEC's Algorithm 1: the server's step has length γ",
    "clients": "n >= 1",
    "batch": "images of a client in an iteration, >= 1 and no more than the client has",
    "rounds": "K >= 1, printed communication rounds",
    "stop_after": "run only so many of the K rounds, in [1, K]: a reduced run",
    "private": "add noise for (ε, δ)-DP",
    "epsilon": "ε > 0 of the noise of a private run",
    "delta": "δ in (0, 1) of the noise of a private run",
    "participation": "p in (0, 1], of fed_alpha_normec and fedavg",
    "local_steps": "T >= 1, of fed_alpha_normec and fedavg; of fresh mini-batches no more than a pass has",
    "seed": "an integer in [0, 2^63); the same seed, the same run",
    "blocks": "residual blocks of a stage, from 1 to 200; 3 is ResNet-20",
    "width": "channels of the first stage, even, from 2 to 1024; 16 is ResNet-20",
    "data": "images to train on",
    "images": "use only so many training images, >= clients · batch: a reduced run",
    "precision": f"arithmetic: {', '.join(PRECISIONS)}",
}
_MATTERS: Mapping[str, Callable[[Config], bool]] = {
    "epsilon": lambda c: c.private,
    "delta": lambda c: c.private,
    "alpha": lambda c: METHODS[c.method].message == "smoothed",
    "beta": lambda c: METHODS[c.method].message != "whole",
}
"""Settings that not every run reads."""


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
    parser.add_argument("--dry-run", action="store_true", help="print what the run costs and stop")


def _help(name: str, default: object) -> str:
    return f"{_MEANINGS[name]} (default {default})"


def run(args: argparse.Namespace) -> int:
    config = _config(args)
    how = shared.options(args, args.out / "checkpoints")
    if args.dry_run:
        shared.show_cost([config], shared.checked(how, [config]))
        return 0
    target = args.out / f"{config.run}.json"
    if target.exists():
        # a damaged or foreign record must not pass for a run that is done
        records.read_for(config.run, target)
        print(f"{target}: this run is done; delete the record to run it again")
        return 0
    check_writable(target)
    if (args.out / "checkpoints").exists():
        check_writable(args.out / "checkpoints" / "any")
    shared.provide([config], args.data)
    how = shared.checked(how, [config])
    one = Run(config, device_data(config, how.device, args.data), how)
    with progress_bar("rounds") as progress:
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
    given = {}
    for item in fields(Config):
        value = getattr(
            args, f"set_{item.name}", getattr(args, item.name, None) if item.type == "bool" else None
        )
        if value is not None:
            given[item.name] = value
    readings = shared.readings_in(args.reading)
    settings = {**given, "readings": readings}
    try:
        if args.config is not None:
            found = configs.load(args.config, settings)
            if len(found) != 1:
                raise InputError(
                    f"{args.config}: holds {len(found)} runs; `train` takes one, `sweep` takes many"
                )
            config = found[0]
        else:
            settings = configs.asked(settings)
            values: dict[str, Any] = {**settings, "readings": Readings(**settings["readings"])}
            config = Config(**values)
        possible(config)
    except (InputError, TypeError, ValueError) as error:
        set_by = {name: "dataset" if name == "data" else name.replace("_", "-") for name in given}
        raise InputError(*(by_option(str(told), set_by) for told in error.args)) from None
    shared.check_matters(readings, [config])
    for name, matters in _MATTERS.items():
        if name in given and not matters(config):
            raise InputError(f"--{name}: {_MEANINGS[name]}; changes nothing in this run, leave it out")
    return config
