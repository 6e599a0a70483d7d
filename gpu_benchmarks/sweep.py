"""A queue of configs that may be killed at any instant and runs each config once.

The folder is the state, and each file in it appears whole or not at all:

    queue.json                             the configs, in order of priority
    records/<run>.json                     the truth: a run whose record is here is done
    checkpoints/<trajectory>.safetensors   where an unfinished run, or one that is to be longer, goes on
    claims/<trajectory>.lock               locked by the process that works on the run; the system unlocks
                                           it when the process dies

Several processes may work on one folder: a locked run is left to its owner. So are those that differ from it in
`stop_after` alone and share its checkpoint: they are made one after the other.
"""

from __future__ import annotations

import fcntl
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import IO

import torch

from gpu_benchmarks import checkpoint, records
from gpu_benchmarks.batches import Data
from gpu_benchmarks.checkpoint import path_of
from gpu_benchmarks.config import Config, from_dict, to_dict
from gpu_benchmarks.engine import Measured
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.federation import federated
from gpu_benchmarks.parsing import misplaced, parse
from gpu_benchmarks.plans import unique
from gpu_benchmarks.records import is_schema
from gpu_benchmarks.seal import seal_json
from gpu_benchmarks.training import Options, Run, together
from methods.terminal.console import command_of, shown
from methods.terminal.output import TEMPORARY, write_whole

STALE = 600.0
"""Seconds after which a temporary file is nobody's any more; writing one takes less than one."""
LOOK = 0.05
"""Seconds within which `status` has long let go of a lock."""
HOME = Path("sweep")
"""Where a sweep is begun, and looked for, unless another folder is named."""


@dataclass(frozen=True)
class Folder:
    """The files of a sweep."""

    path: Path

    @property
    def queue(self) -> Path:
        return self.path / "queue.json"

    @property
    def records(self) -> Path:
        return self.path / "records"

    @property
    def checkpoints(self) -> Path:
        return self.path / "checkpoints"

    def claim(self, config: Config) -> Path:
        return self.path / "claims" / f"{config.trajectory}.lock"

    def record(self, config: Config) -> Path:
        return self.records / f"{config.run}.json"

    def done(self, config: Config) -> bool:
        return self.record(config).exists()


def vacant(folder: Folder) -> None:
    """Raise `InputError` where there is a sweep."""
    if folder.queue.exists():
        raise InputError(
            f"{folder.path}: holds a sweep already; go on with --resume, or choose another --out"
        )


def begin(folder: Folder, configs: Sequence[Config]) -> list[Config]:
    """Write the queue of a new sweep. Raises `InputError` where there is one already, or another process begins one."""
    vacant(folder)
    runs = some(configs)
    held = [to_dict(config) for config in runs]
    lock = _locked(folder.path / "claims" / "queue.lock")
    if lock is None:
        raise InputError(f"{folder.path}: another process begins a sweep there; choose another --out")
    with lock:
        vacant(folder)
        write_whole(
            folder.queue, json.dumps({"schema": 1, "sha256": seal_json(held), "configs": held}, indent=1)
        )
    return runs


def some(configs: Sequence[Config]) -> list[Config]:
    """Each run once. Raises `InputError` where there are none."""
    if not configs:
        raise InputError("the sweep has no runs; name a plan or a config file")
    return unique(configs)


def resumed(folder: Folder) -> list[Config]:
    """The queue of a sweep that was begun. Raises `InputError` where there is none or it is damaged."""
    cure = "start the sweep anew in another --out"
    if wrong := misplaced(folder.queue, cure):
        raise InputError(wrong)
    keys = ("schema", "sha256", "configs")
    try:
        data = parse(folder.queue.read_text(encoding="utf-8"))
        if not isinstance(data, dict) or sorted(data) != sorted(keys):
            raise ValueError(f"not a table with exactly the keys {', '.join(keys)}")
        configs = data["configs"]
        if not is_schema(data["schema"], 1):
            raise ValueError(f"schema {shown(data['schema'])} is not 1")
        if not isinstance(configs, list) or not configs:
            raise ValueError("configs is not a list of at least one run")
        if data["sha256"] != seal_json(configs):
            raise ValueError("not as it was written: another SHA-256")
    except FileNotFoundError:
        raise InputError(
            f"{folder.path}: holds no sweep (no queue.json); begin one with "
            f"`{command_of('gpu_benchmarks')} sweep --out {folder.path} --plan NAME`"
        ) from None
    except NotADirectoryError:
        raise InputError(f"{folder.path}: is a file; name the folder of a sweep") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{folder.queue}: damaged ({error}); {cure}") from None
    return [from_dict(item, f"{folder.queue}, config {number + 1}") for number, item in enumerate(configs)]


def checkpoints_in(begun: Path) -> Path:
    """The folder of checkpoints that is meant: `begun` itself, or the one inside it where `begun` is the folder of a sweep or of
    `train`.
    """
    inside = Folder(begun).checkpoints
    return inside if inside.is_dir() and not any(begun.glob("*.safetensors")) else begun


def offered(configs: Sequence[Config], begun: Path) -> dict[Config, int]:
    """How many rounds of which configs a folder of checkpoints holds. Raises `InputError` for a damaged one."""
    found = {config: checkpoint.read(config, path_of(config, begun)) for config in configs}
    return {config: len(there.rounds) for config, there in found.items() if there is not None}


def take_over(folder: Folder, configs: Sequence[Config], begun: Path) -> int:
    """Copy the checkpoints of the configs from a folder of them, but where the sweep has one that is as far or the run is to be
    shorter; how many. Raises `InputError` for a damaged one, before anything is written.
    """
    taken = 0
    for config, there in offered(configs, begun).items():
        target = path_of(config, folder.checkpoints)
        lock = _locked(folder.claim(config))
        if lock is None:  # a run that another process holds is left to it
            continue
        with lock:
            here = checkpoint.read(config, target)
            rounds = 0 if here is None else len(here.rounds)
            if rounds < there <= (config.stop_after or config.rounds):
                write_whole(target, path_of(config, begun).read_bytes())
                taken += 1
    return taken


def _locked(path: Path) -> IO[str] | None:
    """The file, locked until it is closed; None where another process holds it."""
    if wrong := misplaced(path):
        raise InputError(wrong)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a", encoding="ascii")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); choose another --out") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    except OSError as error:
        file.close()
        raise InputError(
            f"{path}: cannot be locked ({error.strerror}); choose --out on another disk"
        ) from None
    return file


class Claims:
    """Locks held by this process: given back on leaving the context, and by the system however the process
    ends.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._held: dict[str, IO[str]] = {}

    def __enter__(self) -> Claims:
        return self

    def __exit__(self, *exception: object) -> None:
        while self._held:
            self._held.popitem()[1].close()

    def take(self, config: Config) -> bool:
        """Whether the run is ours now, and was not before."""
        file = _locked(self.folder.claim(config))
        if file is not None:
            self._held[config.trajectory] = file
        return file is not None

    def holds(self, config: Config) -> bool:
        """Whether the run, or another of its trajectory, is ours."""
        return config.trajectory in self._held

    def give_back(self, config: Config) -> None:
        file = self._held.pop(config.trajectory, None)
        if file is not None:
            file.close()


@dataclass(frozen=True)
class Reports:
    """What a sweep tells the world while it runs."""

    on_start: Callable[[Run], None] = lambda run: None
    on_round: Callable[[Run, Measured], None] = lambda run, measured: None
    on_record: Callable[[records.Record], None] = lambda record: None


def sweep(
    folder: Folder,
    configs: Sequence[Config],
    options: Options,
    at_once: int = 1,
    minutes: float | None = None,
    data_folder: Path | None = None,
    reports: Reports | None = None,
) -> bool:
    """Work through the queue; True if every run of it has a record at the end.

    options.checkpoints is set to the sweep's own folder. at_once: runs side by side (on a GPU). minutes:
    begin no round after that; unfinished runs are checkpointed. A run that another process holds is
    skipped, and looked at once more at the end: its owner may have been killed, or no more than `status` that looked.
    One whose checkpoint a run of this process writes is put off until the others have ended.
    """
    reports = reports or Reports()
    options = replace(options, checkpoints=folder.checkpoints)
    end = None if minutes is None else time.monotonic() + 60 * minutes

    def out_of_time() -> bool:
        return end is not None and time.monotonic() >= end

    def pending(queue: Sequence[Config], later: list[Config]) -> Iterator[Run]:
        skipped: list[Config] = []
        yield from free(queue, skipped, later)
        if skipped:
            time.sleep(LOOK)
            yield from free(skipped, [], later)

    def free(queue: Sequence[Config], skipped: list[Config], later: list[Config]) -> Iterator[Run]:
        for config in queue:
            if folder.done(config):
                tidy(config)
                continue
            if not claims.take(config):
                (later if claims.holds(config) else skipped).append(config)
                continue
            if folder.done(config):  # finished by another process between the look and the lock
                claims.give_back(config)
                continue
            run = Run(config, device_data(config, options.device, data_folder), options)
            reports.on_start(run)
            yield run

    def tidy(config: Config) -> None:
        """What a process left that was killed after the record of a whole run and before it could remove the checkpoint."""
        left = path_of(config, folder.checkpoints)
        if config.run == config.trajectory and left.exists() and claims.take(config):
            left.unlink(missing_ok=True)
            claims.give_back(config)

    def keep(run: Run, record: records.Record) -> None:
        records.write(record, folder.records)
        run.forget()
        claims.give_back(run.config)
        reports.on_record(record)

    with Claims(folder) as claims:
        queue = list(configs)
        while queue and not out_of_time():
            later: list[Config] = []
            together(pending(queue, later), at_once, reports.on_round, keep, out_of_time)
            queue = later
    return all(folder.done(config) for config in configs)


def device_data(config: Config, device: torch.device, folder: Path | None = None) -> Data:
    """The federated data on the device; runs with the same clients and split share it."""
    readings = config.readings
    relevant = Config(
        data=config.data,
        seed=config.seed,
        clients=config.clients,
        batch=config.batch,
        images=config.images,
        readings=replace(type(readings)(), split=readings.split),
    )
    return _device_data(relevant, device, folder)


@lru_cache(maxsize=4)
def _device_data(config: Config, device: torch.device, folder: Path | None) -> Data:
    return federated(config, folder).to(device)


def check_places(folder: Folder, configs: Sequence[Config]) -> None:
    """Raise `InputError` where something else lies in the place of a folder of the sweep, or of a record."""
    for place in (folder.records, folder.checkpoints):
        if (place.exists() or place.is_symlink()) and not place.is_dir():
            raise InputError(f"{place}: is no folder; move it away")
    for config in configs:
        if wrong := misplaced(folder.record(config), "delete it"):
            raise InputError(wrong)


def check(folder: Folder, configs: Sequence[Config]) -> None:
    """Raise `InputError` for a record or a checkpoint that is damaged or another run's: told now, not when it is the run's turn."""
    check_places(folder, configs)
    for config in configs:
        if folder.done(config):
            records.read_for(config.run, folder.record(config))
        else:
            checkpoint.read(config, path_of(config, folder.checkpoints))


def status(folder: Folder, configs: Sequence[Config]) -> list[tuple[Config, str]]:
    """Each config with "done", "diverged", "running" (it, or another of its trajectory), "checkpointed" or "waiting"."""
    check_places(folder, configs)
    states = []
    for config in configs:
        if folder.done(config):
            found = records.read_for(config.run, folder.record(config)).status
            state = {"complete": "done"}.get(found, found)
        elif _held(folder.claim(config)):
            state = "running"
        else:
            state = "checkpointed" if path_of(config, folder.checkpoints).exists() else "waiting"
        states.append((config, state))
    return states


def _held(claim: Path) -> bool:
    """Whether a process holds the lock; only looks, so that it needs no more than the right to read."""
    if wrong := misplaced(claim):
        raise InputError(wrong)
    try:
        with claim.open(encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    except OSError as error:
        raise InputError(f"{claim}: cannot be looked at ({error.strerror})") from None
    return False


def clean(folder: Folder) -> None:
    """Remove what writers that were killed left behind: temporary files never renamed. Young ones may be another
    process's, which is about to rename them.
    """
    for place in (folder.path, folder.records, folder.checkpoints):
        for leftover in place.glob(TEMPORARY) if place.is_dir() else ():
            with suppress(OSError):
                if time.time() - leftover.stat().st_mtime > STALE:
                    leftover.unlink()
