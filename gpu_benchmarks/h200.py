"""`queue`: everything a rented GPU is for, in one command that may be called again.

    python -m gpu_benchmarks queue --data FOLDER --store STORE --work WORK --out OUT --minutes 9

1. Data: the CIFAR-10 batches (.bin or .bin.xz) that lie in --data are copied to --store, so that they may
   come in several calls (`--only-data`); every file is checked against its checksum.
2. Checks: the device must compute what the reference computes (`selfcheck`), or nothing is run.
3. Throughput, once, to OUT/throughput.json; how many runs side by side pay, and which weight-gradient rule.
4. Runs by priority (`plans.GPU`) in stages. The anchor is first run with and without augmentation; the
   reading whose final accuracy comes nearer to the printed 86.09 is used from then on. After the private
   peaks, the same for the reading of the noise and the printed 77.56. These choices are made by code, from
   records, and are in the log.
5. All records of --work go to OUT/records.json, one bundle, after every finished run; what is unfinished is
   checkpointed in --work and goes on in the next call on the same machine. Runs with a record in --done (or
   among the committed records) are not repeated, so that a call on a fresh machine goes on too.

Needs torch (2.9 or newer), numpy, rich, safetensors, jaxtyping and array-api-compat; a machine without a
package registry takes what it lacks as wheels. Neither Ray nor jsonschema, pooch nor scipy is used.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from gpu_benchmarks import records, reported, sweep, throughput
from gpu_benchmarks.comparison import metric
from gpu_benchmarks.config import PRECISIONS, Config, with_readings
from gpu_benchmarks.data.sources import DATASETS, VARIABLE, data_folder
from gpu_benchmarks.device import arithmetic, choose
from gpu_benchmarks.engine import Measured
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.plans import BEST, GPU, anchor, private_peaks, queue
from gpu_benchmarks.records import Record
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.selfcheck import checks
from gpu_benchmarks.sweep import Folder, Reports, device_data
from gpu_benchmarks.training import Options, Run
from gpu_benchmarks.tuning import fastest
from gpu_benchmarks.tuning import measure as measure_rules
from methods.output import check_writable, write_whole

SIDE_BY_SIDE = (1, 2, 4, 8)
NOT_RECORDS = ("throughput", "weight_gradients", "side_by_side")
Stage = tuple[str, Callable[[Sequence[Record]], list[Config]]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        help="folder with CIFAR-10 batches, plain or .xz, some or all (default: none new)",
    )
    parser.add_argument(
        "--store",
        type=Path,
        default=data_folder(),
        help=f"folder where the data sets are gathered (default: {VARIABLE}, else the user's cache)",
    )
    parser.add_argument("--only-data", action="store_true", help="gather data and stop")
    parser.add_argument(
        "--work",
        type=Path,
        default=Path(tempfile.gettempdir()) / "normec-work",
        help="folder of the sweep, kept (default: %(default)s)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("out"),
        help="folder for what comes back, a few files (default: %(default)s)",
    )
    parser.add_argument(
        "--done", type=Path, action="append", default=[], help="folder of records not to repeat (repeatable)"
    )
    parser.add_argument(
        "--minutes", type=float, default=9.0, help="begin no round after so many minutes, > 0 (default 9)"
    )
    parser.add_argument("--at-once", type=int, help="runs side by side (default: measured)")
    parser.add_argument(
        "--precision", choices=PRECISIONS, default="tf32", help="arithmetic of the runs (default tf32)"
    )
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    parser.add_argument("--no-throughput", action="store_true", help="skip the throughput measurement")
    parser.add_argument(
        "--small", action="store_true", help="tiny synthetic runs instead: to try this command out"
    )


def run(args: argparse.Namespace) -> int:
    began = time.monotonic()
    if not args.minutes > 0:
        raise InputError(f"--minutes {args.minutes}: must be above 0")
    if args.at_once is not None and args.at_once < 1:
        raise InputError(f"--at-once {args.at_once}: must be at least 1")
    for folder in (args.data, *args.done):
        if folder is not None and not folder.is_dir():
            raise InputError(f"{folder}: is not a folder")
    if not args.only_data:
        check_writable(args.out / "records.json")
    if args.data is not None or not args.small:
        missing = gather(args.data, args.store)
        _say(f"data: {'complete' if not missing else 'still missing ' + ', '.join(missing)}")
        if args.only_data:
            return 0
        if missing and not args.small:
            raise InputError(
                f"{args.store}: {', '.join(missing)} missing; call again with --data where they are"
            )
    device = choose(args.device)
    base = replace(BEST, precision=args.precision)
    if args.small:
        base = replace(base, data="synthetic", images=128, clients=4, batch=16, blocks=1, width=4, rounds=2)
    for check in checks(device, Architecture(1, base.width)):
        _say(f"check: {check.name}: off by {check.error:.2g}, {'passed' if check.passed else 'FAILED'}")
        if not check.passed:
            raise InputError(f"{device}: {check.name} failed; nothing was run")
    if not args.no_throughput and not (args.out / "throughput.json").exists():
        try:  # the runs do not depend on it, so it must not keep them from being made
            result = throughput.measure(device, args.precision, rounds=3 if args.small else 7)
            _write_json(args.out / "throughput.json", result)
        except RuntimeError as error:
            _say(f"throughput FAILED, the runs go on: {error}")
    folder = Folder(args.work)
    sweep.clean(folder)
    known = adopt(folder, [records.FOLDER, args.out, *args.done])
    _say(f"{known} records known before")

    net = Architecture(base.blocks, base.width)
    options = Options(device, folder.checkpoints, every=60.0)
    if device.type == "cuda":
        times = measure_rules(net, base.clients, base.batch, base.precision, device)
        options = replace(options, rules=fastest(times))
        _write_json(
            args.out / "weight_gradients.json", {"x".join(map(str, k)): dict(v) for k, v in times.items()}
        )
    at_once = args.at_once or side_by_side(base, options, args.store, args.out)
    options = replace(options, ran=f"{at_once} at once")
    whole = True
    for name, configs_of in stages(base, args.small):
        configs = configs_of(_records(folder))
        left = args.minutes - (time.monotonic() - began) / 60
        if left <= 0:
            whole = False
            break
        _say(f"stage {name}: {len(configs)} runs, {sum(not folder.done(c) for c in configs)} to do")
        whole = sweep.sweep(folder, configs, options, at_once, left, args.store, _reports(folder, args.out))
        if not whole:
            break
    bundle(folder, args.out)
    _say("all runs have records" if whole else "time is up; call again to go on")
    return 0


def gather(source: Path | None, store: Path) -> list[str]:
    """Copy the CIFAR-10 batches found in `source` (at any depth) into the store; the names still missing."""
    home = store / DATASETS["cifar10"].folder
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{home}: cannot be made ({error.strerror}); choose another --store") from None
    missing = []
    for part in DATASETS["cifar10"].parts:
        names = (part.name, f"{part.name}.xz")
        if any((home / name).is_file() for name in names):
            continue
        found = next((p for name in names for p in sorted(source.rglob(name))), None) if source else None
        if found is None:
            missing.append(part.name)
            continue
        beside = home / f".{found.name}.part"
        shutil.copyfile(found, beside)
        beside.replace(home / found.name)
    return missing


def stages(base: Config, small: bool = False) -> list[Stage]:
    """What to run, in order; each stage sees the records of those before it."""
    printed = {number.id: number.high for number in reported.load().numbers}
    names = tuple(name for name in GPU if name not in ("anchor", "private-peaks", "best-cells"))

    def augmented(found: Sequence[Record]) -> Config:
        return nearest(found, anchor(base), "final", printed["NEC-F8-NORMEC-0.1"]) or base

    def private(found: Sequence[Record]) -> Config:
        chosen = augmented(found)
        peaks = [c for c in private_peaks(chosen) if not c.server_normalisation]
        best = nearest(found, peaks, "highest", printed["NEC-F4-PEAK"])
        if best is None:
            return chosen
        return with_readings(chosen, noise=best.readings.noise, noise_joins=best.readings.noise_joins)

    first: list[Stage] = [
        ("anchor", lambda found: anchor(base)),
        (
            "best cells and private peaks",
            lambda found: queue(("best-cells", "private-peaks"), augmented(found)),
        ),
    ]
    if small:
        return first
    bases = {"precisions": augmented}  # no noise there: its reading would only rename runs
    return [
        *first,
        *((n, lambda found, n=n: queue((n,), bases.get(n, private)(found))) for n in names),
    ]


def nearest(found: Sequence[Record], configs: Sequence[Config], name: str, printed: float) -> Config | None:
    """Of the configs that have a record, the one whose metric is nearest to what is printed."""
    by_run = {record.run: record for record in found}
    done = [c for c in configs if c.run in by_run]
    return min(done, key=lambda c: abs(metric(name, by_run[c.run]) - printed), default=None)


def adopt(folder: Folder, sources: Sequence[Path]) -> int:
    """Records that exist elsewhere count as done here; how many there are."""
    found = records.read_all([source for source in sources if source.is_dir()], skip=NOT_RECORDS)
    for record in found:
        if not folder.done(record.config):
            records.write(record, folder.records)
    return len(list(folder.records.glob("*.json"))) if folder.records.is_dir() else 0


def side_by_side(base: Config, options: Options, store: Path, out: Path) -> int:
    """How many runs at once give the most rounds a second on this device; measured for two seconds each."""
    if options.device.type == "cpu":
        return 1
    rates: dict[int, float] = {}
    data = device_data(base, options.device, store)
    step = with_readings(base, round="step")
    trainers = []
    for count in SIDE_BY_SIDE:
        try:
            while len(trainers) < count:
                run = Run(step, data, replace(options, checkpoints=None))
                run.trainer.prepare(0)
                trainers.append(run.trainer)
            with arithmetic(base.precision):
                rates[count] = _rate(trainers)
        except torch.cuda.OutOfMemoryError:
            break
        _say(f"{count} at once: {rates[count]:.0f} iterations/s in all")
    _write_json(out / "side_by_side.json", {str(count): rate for count, rate in rates.items()})
    return max(rates, key=lambda count: rates[count])


def _rate(trainers: Sequence[Any]) -> float:
    """Iterations a second of all trainers together."""
    group = trainers[0].groups[0]
    size = group[0]
    replays = [trainer.iteration(group) for trainer in trainers]
    number = trainers[0].plans[size].indices.shape[0] - 1
    torch.cuda.synchronize()
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < 2.0:
        for trainer in trainers:
            with torch.cuda.stream(trainer.stream):
                trainer.plans[size].position.zero_()
        for _ in range(min(number, 50)):
            for trainer, replay in zip(trainers, replays, strict=True):
                with torch.cuda.stream(trainer.stream):
                    replay()
                done += 1
        torch.cuda.synchronize()
    return done / (time.perf_counter() - start)


def bundle(folder: Folder, out: Path) -> None:
    records.write_bundle(_records(folder), out / "records.json")


def _records(folder: Folder) -> list[Record]:
    return records.read_all([folder.records])


def _reports(folder: Folder, out: Path) -> Reports:
    latest: dict[str, float] = {}

    def rounded(run: Run, measured: Measured) -> None:
        if time.monotonic() - latest.get("said", 0.0) > 10:
            latest["said"] = time.monotonic()
            _say(
                f"round {len(run.rounds)} of {run.asked}, loss {measured.train_loss:.3f}: {run.config.label()}"
            )

    def recorded(record: Record) -> None:
        seconds = record.provenance["wall_seconds"]
        _say(
            f"{record.status} after {record.rounds} rounds, {seconds:.0f} s, "
            f"highest {metric('highest', record):.2f}%: {record.config.label()}"
        )
        bundle(folder, out)

    return Reports(on_round=rounded, on_record=recorded)


def _write_json(path: Path, data: Any) -> None:
    write_whole(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def _say(line: str) -> None:
    print(time.strftime("%H:%M:%S"), line, flush=True)


if __name__ == "__main__":
    from gpu_benchmarks.cli import main

    raise SystemExit(main(["queue", *sys.argv[1:]]))
