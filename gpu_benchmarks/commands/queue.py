"""`queue`: everything a rented GPU is for, in one command that may be called again.

    python -m gpu_benchmarks queue --batches FOLDER --data DATA --work WORK --out OUT --minutes 9

1. Data: the CIFAR-10 batches (.bin or .bin.xz) that lie in --batches are copied to --data, so that they may
   come in several calls (`--only-data`); a file is copied once its checksum is verified.
2. Checks: the device must compute what the reference computes (`selfcheck`), or nothing is run. A
   weight-gradient rule, CUDA graphs or fused kernels that fail are done without, and the log says so. Where there are no
   fused kernels, the fastest rules are measured (`tuning`).
3. The runs of --first, if any. The first stage (`stages`), so that records come as early as they can.
4. Once: throughput, in a process of its own with a time limit, and how many runs side by side pay.
5. The other stages. After every finished run all records of --work go to OUT/records.json, one bundle;
   what is unfinished is checkpointed in --work and goes on in the next call on the same machine, or, with
   --checkpoints in this call and --begun in the next one, on another; how far it came is in
   OUT/unfinished/records.json, as reduced runs. Runs with a
   record in --done (or among the committed records) are not repeated, and what was measured once is not
   measured again, so that a call on a fresh machine goes on too.

Whatever fails in 4 costs its own result only. Needs torch (2.9 or newer), numpy, rich, safetensors, jaxtyping
and array-api-compat; a machine without a package registry takes what it lacks as wheels. Neither Ray nor
jsonschema, pooch nor scipy is used.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import torch

from gpu_benchmarks import checkpoint, records, side_by_side, sweep, tuning
from gpu_benchmarks.accuracies import metric
from gpu_benchmarks.commands.shared import made
from gpu_benchmarks.config import PRECISIONS, Config, load
from gpu_benchmarks.data.gather import gather
from gpu_benchmarks.data.sources import VARIABLE, data_folder
from gpu_benchmarks.device import choose
from gpu_benchmarks.engine import Measured
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.measured_once import Kept, kept_in
from gpu_benchmarks.plans import BEST, unique
from gpu_benchmarks.records import RATES, RULES, THROUGHPUT, Record
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.selfcheck import Sound, sound
from gpu_benchmarks.stages import Stage, stages
from gpu_benchmarks.sweep import Folder, Reports, device_data
from gpu_benchmarks.training import Options, Run
from gpu_benchmarks.unfinished import unfinished
from methods.terminal.output import check_writable, write_whole

THROUGHPUT_SECONDS = 150.0  # at most, and only where twice as many are left
SIDE_BY_SIDE_SECONDS = 30.0  # likewise


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--batches",
        type=Path,
        help="folder with CIFAR-10 batches, plain or .xz, some or all (default: none new)",
    )
    parser.add_argument(
        "--data",
        type=Path,
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
        "--begun",
        type=Path,
        metavar="FOLDER",
        help="a folder of checkpoints, of an earlier call, say: what is further there than in --work goes on here (default: none)",
    )
    parser.add_argument(
        "--checkpoints",
        action="store_true",
        help="at the end, or when interrupted, copy the checkpoints of runs that can go on to --out too, some 13 MB each",
    )
    parser.add_argument(
        "--minutes", type=float, default=9.0, help="begin no round after so many minutes, > 0 (default 9)"
    )
    parser.add_argument(
        "--at-once",
        type=int,
        help="runs side by side (default: 4 of --first, 2 of the first stage, then measured)",
    )
    parser.add_argument(
        "--first",
        type=Path,
        action="append",
        default=[],
        metavar="CONFIG",
        help="file of runs, as `sweep` takes it, each in its own arithmetic, to be done before all others (repeatable)",
    )
    parser.add_argument(
        "--precision",
        choices=PRECISIONS,
        default="bf16",
        help="arithmetic of the runs (default bf16, as in the committed records)",
    )
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    parser.add_argument("--no-throughput", action="store_true", help="skip the throughput measurement")
    parser.add_argument(
        "--small", action="store_true", help="tiny synthetic runs instead: to try this command out"
    )


def run(args: argparse.Namespace) -> int:
    end = time.monotonic() + 60 * args.minutes
    _check(args)
    asked = unique(made([(config, {}) for path in args.first for config in load(path)], {}))
    if not args.only_data:
        choose(args.device)  # one that is not here is told before anything is made
    if args.batches is not None or args.only_data or not args.small:
        args.data = args.data or data_folder()
        missing = gather(args.batches, args.data)
        _say(f"data: {'complete' if not missing else 'still missing ' + ', '.join(missing)}")
        if args.only_data:
            return 0
        if missing and not args.small:
            raise InputError(
                f"{args.data}: {', '.join(missing)} missing; call again with --batches where they are"
            )
    device = choose(args.device)
    base = replace(BEST, precision=args.precision)
    if args.small:
        base = replace(base, data="synthetic", images=128, clients=4, batch=16, blocks=1, width=4, rounds=2)
    trusted = sound(
        device, Architecture(1, base.width), lambda check: _say(f"check: {check}"), base.precision
    )
    folder = Folder(args.work)
    sweep.clean(folder)
    kept = Kept(args.work, args.out, [args.out, *args.done])
    net, rules = Architecture(base.blocks, base.width), _trusted(kept.rules(), trusted)
    if trusted.fused:
        rules = Rules(fused=True)
    elif device.type == "cuda" and not rules.by_shape:
        times = tuning.measure(net, base.clients, base.batch, base.precision, device, trusted)
        kept.put(RULES, {"x".join(map(str, shape)): dict(found) for shape, found in times.items()})
        rules = tuning.fastest(times)
    if device.type == "cuda":
        _say(f"the network by {'fused kernels' if rules.fused else 'cuDNN, layer by layer'}")
    _say(f"{adopt(folder, [records.FOLDER, args.out, *args.done])} records known before")

    options = Options(device, folder.checkpoints, every=60.0, rules=rules, graphs=trusted.graphs)
    whole = False
    try:
        whole = _all_stages(base, asked, folder, args, options, kept, end)
    finally:
        with ExitStack() as home:  # last in, first out, each whatever becomes of the others
            if args.checkpoints:
                home.callback(_copy, sorted(folder.checkpoints.glob("*.safetensors")), args.out)
            home.callback(_bundle_unfinished, folder, args, base, asked)
            home.callback(bundle, folder, args.out)
    _say("all runs have records" if whole else "time is up; call again to go on")
    return 0


def _all_stages(
    base: Config,
    asked: list[Config],
    folder: Folder,
    args: argparse.Namespace,
    options: Options,
    kept: Kept,
    end: float,
) -> bool:
    """Whether all runs have records."""
    before = [Stage("first", lambda found: asked)] if asked else []
    first, *others = _planned(base, args)
    whole = all(_stage(stage, folder, args, options, args.at_once or 4, end) for stage in before)
    whole = whole and _stage(first, folder, args, options, args.at_once or 2, end)
    if whole and not args.no_throughput and not kept.has(THROUGHPUT):
        _throughput(args, options.device, kept, end)
    at_once = args.at_once or (_at_once(base, options, args.data, kept, end) if whole else 1)
    return whole and all(_stage(stage, folder, args, options, at_once, end) for stage in others)


def _planned(base: Config, args: argparse.Namespace) -> list[Stage]:
    return stages(base)[: 2 if args.small else None]


def _check(args: argparse.Namespace) -> None:
    if not args.minutes > 0:
        raise InputError(f"--minutes {args.minutes}: must be above 0")
    if args.at_once is not None and args.at_once < 1:
        raise InputError(f"--at-once {args.at_once}: must be at least 1")
    given = (("--batches", args.batches), ("--begun", args.begun), *(("--done", done) for done in args.done))
    for option, folder in given:
        if folder is not None and not folder.is_dir():
            raise InputError(f"{option} {folder}: is not a folder")
    if args.out.resolve() == Folder(args.work).records.resolve():
        raise InputError(f"--out {args.out}: is the folder in which --work keeps its records; choose another")
    if not args.only_data:
        check_writable(args.out / "records.json")
        check_writable(args.work / "records" / "any.json")
        _check_earlier(args.work, [args.out, *args.done])
        checkpoint.check_all(Folder(args.work).checkpoints)
        if args.begun is not None:
            checkpoint.check_all(sweep.checkpoints_in(args.begun))


def _check_earlier(work: Path, earlier: Sequence[Path]) -> None:
    """What earlier calls left is read before the device is checked, which takes a minute. Raises `InputError` for what is damaged."""
    kept_in([work, *earlier])
    records.read_all(earlier)
    for path in sorted(Folder(work).records.glob("*.json")):
        records.read_for(path.stem, path)


def _trusted(rules: Rules, sound: Sound) -> Rules:
    """Without the rules that this device, which may not be the one that they were measured on, does not compute right."""
    return replace(
        rules, by_shape={shape: rule for shape, rule in rules.by_shape.items() if rule in sound.rules}
    )


def _stage(
    stage: Stage, folder: Folder, args: argparse.Namespace, options: Options, at_once: int, end: float
) -> bool:
    """Whether all its runs have records. Where memory runs out, with half as many side by side."""
    configs = stage.runs(_records(folder))
    if args.begun is not None:
        begun = [config for config in configs if not folder.done(config)]
        _say(
            f"{sweep.take_over(folder, begun, sweep.checkpoints_in(args.begun))} runs go on from {args.begun}"
        )
    _say(
        f"stage {stage.name}: {len(configs)} runs, {sum(not folder.done(c) for c in configs)} to do, {at_once} at once"
    )
    while (left := (end - time.monotonic()) / 60) > 0:
        now = replace(options, ran=f"{at_once} at once")
        try:
            return sweep.sweep(folder, configs, now, at_once, left, args.data, _reports(folder, args.out))
        except torch.OutOfMemoryError as error:
            if at_once == 1:
                raise InputError(
                    f"{options.device}: out of memory with one run at a time ({error})"
                ) from None
            at_once //= 2
            _say(f"out of memory; {at_once} at once from here")
        gc.collect()  # what went wrong refers to itself, and through its frames to the runs and their memory
    return False


def _throughput(args: argparse.Namespace, device: torch.device, kept: Kept, end: float) -> None:
    """In a process of its own: neither a crash nor a kernel that hangs must cost the runs. Tried once a machine."""
    limit = min(THROUGHPUT_SECONDS, (end - time.monotonic()) / 2)
    if limit < THROUGHPUT_SECONDS and not args.small:
        return  # in the next call
    target = (args.work / f"new-{THROUGHPUT}").resolve()
    failed = args.work / "throughput.failed"
    if failed.exists():
        _say(f"throughput failed before; delete {failed} to try again")
        return
    command = [sys.executable, "-m", "gpu_benchmarks", "throughput", "--device", str(device)]
    command += ["--precision", args.precision, "--json", str(target)]
    if args.small:
        command += ["--rounds", "1", "--clients", "2"]
    root = Path(__file__).parents[2]
    try:
        done = subprocess.run(command, timeout=limit, capture_output=True, text=True, cwd=root, check=False)
        last = (done.stderr.strip().splitlines() or ["no word"])[-1] if done.returncode else ""
    except subprocess.TimeoutExpired:
        last = f"stopped after {limit:.0f} s"
    if last:
        write_whole(failed, last + "\n")
        _say(f"throughput FAILED, the runs go on: {last}")
        return
    kept.put(THROUGHPUT, json.loads(target.read_text(encoding="utf-8")))
    target.unlink()
    print(done.stdout, flush=True)


def _at_once(base: Config, options: Options, store: Path, kept: Kept, end: float) -> int:
    """How many runs at once pay on this device; one where there is no time left to measure it."""
    if options.device.type == "cpu":
        return 1
    if rates := kept.rates():
        return side_by_side.fewest(rates)
    if end - time.monotonic() < 2 * SIDE_BY_SIDE_SECONDS:
        return 1  # measured in the next call
    try:
        rates = side_by_side.measure(
            base,
            device_data(base, options.device, store),
            options,
            SIDE_BY_SIDE_SECONDS,
            say=lambda count, rate: _say(f"{count} at once: {rate:.0f} iterations/s in all"),
        )
    except RuntimeError as error:
        _say(f"side by side FAILED, the runs go on one by one: {error}")
        return 1
    kept.put(RATES, {str(count): rate for count, rate in rates.items()})
    return side_by_side.fewest(rates)


def adopt(folder: Folder, sources: Sequence[Path]) -> int:
    """Records that exist elsewhere count as done here; how many there are."""
    found = records.read_all([source for source in sources if source.is_dir()])
    for record in found:
        if not folder.done(record.config):
            records.write(record, folder.records)
    return len(list(folder.records.glob("*.json"))) if folder.records.is_dir() else 0


def bundle(folder: Folder, out: Path) -> None:
    records.write_bundle(_records(folder), out / "records.json")


def _bundle_unfinished(folder: Folder, args: argparse.Namespace, base: Config, asked: list[Config]) -> None:
    planned = (stage.runs(_records(folder)) for stage in _planned(base, args))
    known = unique([*asked, *itertools.chain.from_iterable(planned)])
    records.write_bundle(unfinished(folder, known), args.out / "unfinished" / "records.json")


def _copy(paths: Sequence[Path], out: Path) -> None:
    for path in paths:
        with suppress(FileNotFoundError):  # another process has ended the run meanwhile
            write_whole(out / path.name, path.read_bytes())


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


def _say(line: str) -> None:
    print(time.strftime("%H:%M:%S"), line, flush=True)
