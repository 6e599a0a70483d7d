"""A batch of runs: done together, checkpointed together, recorded in one JSON file.

The runs of a batch share the seed, the readings and the number of rounds; each is a lane. A batch's name
is the hash of its settings. Its record appears whole or not at all; while it runs, a checkpoint beside
the record is replaced every so often, and a second call goes on from there with the same bits on the
same machine.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gpu_benchmarks import parsing
from gpu_benchmarks.data.load import Images
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.features.extracted import Extraction, Features, from_dict
from gpu_benchmarks.linear import readings as printed
from gpu_benchmarks.linear.checkpoint import Progress, path_of
from gpu_benchmarks.linear.checkpoint import read as resume
from gpu_benchmarks.linear.checkpoint import write as save
from gpu_benchmarks.linear.datasets import DATA, FASHION_MNIST
from gpu_benchmarks.linear.federation import Lane, Protocol, accuracy, initial, rounds
from gpu_benchmarks.linear.problem import Clients, Pixels, divide, features
from gpu_benchmarks.linear.provenance import provenance
from gpu_benchmarks.linear.readings import Readings
from gpu_benchmarks.machine import name_the_code
from gpu_benchmarks.records import is_finite, is_schema
from gpu_benchmarks.seal import seal_json
from methods.terminal.console import shown
from methods.terminal.output import write_whole

SCHEMA = 1
KIND = "linear-batch"
CHECKPOINT_SECONDS = 60.0
PRECISIONS = {"float32": np.float32, "float64": np.float64}
LAST = 5  # "over the last 5 rounds", caption of Table 2


@dataclass(frozen=True)
class Batch:
    """Settings of a batch. measured: after which rounds the test accuracy is taken, ascending, the last
    is K. extraction: how the features were made, where the data are features.
    """

    readings: Readings
    seed: int
    lanes: tuple[Lane, ...]
    measured: tuple[int, ...]
    clients: int = printed.CLIENTS
    participation: float = printed.PARTICIPATION
    steps: int = printed.LOCAL_STEPS
    decay: float = printed.WEIGHT_DECAY
    precision: str = "float32"
    data: str = FASHION_MNIST.name
    extraction: Extraction | None = None

    def __post_init__(self) -> None:
        if self.data not in tuple(DATA):
            raise ValueError(f"data {self.data!r}: choose one of {', '.join(DATA)}")
        if DATA[self.data].features != (self.extraction is not None):
            raise ValueError(f"data {self.data}: features, and they alone, say how they were extracted")
        if not self.lanes or not self.measured:
            raise ValueError("a batch needs at least one lane and at least one round that is measured")
        if not all(type(k) is int and k >= 1 for k in self.measured):
            raise ValueError(f"measured rounds {shown(self.measured)} must be integers of at least 1")
        if list(self.measured) != sorted(set(self.measured)):
            raise ValueError(f"measured rounds {self.measured} must ascend")
        for name, least in (("seed", 0), ("clients", 1), ("steps", 1)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise ValueError(f"{name} = {value!r}: must be an integer of at least {least}")
        if not (is_finite(self.participation) and 0 < self.participation <= 1):
            raise ValueError(f"participation = {self.participation!r}: must be a number in (0, 1]")
        if not (is_finite(self.decay) and self.decay >= 0):
            raise ValueError(f"decay = {self.decay!r}: must be a finite number of at least 0")
        if self.precision not in tuple(PRECISIONS):
            raise ValueError(f"precision {self.precision!r}: choose one of {', '.join(PRECISIONS)}")

    @property
    def rounds(self) -> int:
        """K."""
        return self.measured[-1]

    @property
    def protocol(self) -> Protocol:
        return Protocol(self.readings, self.seed, self.clients, self.participation, self.steps, self.decay)

    @property
    def settings(self) -> dict[str, Any]:
        """What determines the result. Fashion-MNIST goes without saying: its batches had names before there was other
        data.
        """
        settings = asdict(self)
        if self.data == FASHION_MNIST.name:
            del settings["data"], settings["extraction"]
        return settings

    @property
    def name(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of the canonical JSON of the settings."""
        return hashlib.sha256(json.dumps(self.settings, sort_keys=True).encode()).hexdigest()[:16]


def every(rounds_: int, step: int) -> tuple[int, ...]:
    """Rounds to measure after: each `step`-th, and the last five."""
    return tuple(sorted({*range(step, rounds_ + 1, step), *range(max(1, rounds_ - LAST + 1), rounds_ + 1)}))


@dataclass(frozen=True, eq=False)
class Prepared:
    """Features of one choice of readings, made once for all batches that share it."""

    training: Pixels
    test: Pixels
    classes: int
    origin: dict[str, str]  # what a record says of where the data come from

    @staticmethod
    def of(images: Images | Features, readings: Readings, precision: str = "float32") -> Prepared:
        dtype = PRECISIONS[precision]
        return Prepared(
            Pixels(features(images.training, readings, dtype), images.training_labels),
            Pixels(features(images.test, readings, dtype), images.test_labels),
            images.classes,
            {"features": images.digest} if isinstance(images, Features) else {},
        )

    def clients(self, batch: Batch) -> Clients:
        """The clients' data; the same in every run where the reading `partition` says so."""
        return divide(
            self.training, batch.clients, batch.seed if batch.readings.partition == "per-run" else 0
        )


def run(
    batch: Batch,
    data: Prepared,
    folder: Path,
    report: Callable[[int, int], None] = lambda done, of: None,
    checkpoint_every: float = CHECKPOINT_SECONDS,
) -> dict[str, Any]:
    """Run a batch to its end, or go on from its checkpoint; write and return its record.

    A record that is there already is read and returned. report: called with (rounds done, K) after each
    round. Raises `InputError` where the record is another batch's, which must not pass for this one's.
    """
    path = folder / f"{batch.name}.json"
    if path.is_file():
        record = read(path)
        if record["batch"] != batch.name:
            raise InputError(
                f"{path}: is the record of batch {record['batch']}, not of {batch.name}; give it its own name again, or delete it"
            )
        return record
    name_the_code()
    clients = data.clients(batch)
    lanes = list(batch.lanes)
    protocol = batch.protocol
    dtype = PRECISIONS[batch.precision]
    checkpoint = path_of(batch.name, folder)
    state = initial(protocol, clients.x.shape[2], data.classes, len(lanes), dtype)
    progress = Progress()
    if checkpoint.exists() or checkpoint.is_symlink():  # a folder is told now, not after the work
        state, progress = resume(checkpoint, batch.name, state, batch.measured)
    started = time.perf_counter() - progress.seconds
    worked = time.process_time() - progress.processor_seconds
    saved = time.perf_counter()
    try:
        for later in rounds(state, clients, lanes, protocol, batch.rounds):
            state = later
            if state.round in batch.measured:
                progress.accuracies.append(accuracy(state.weights, data.test))
            progress.seconds = time.perf_counter() - started
            progress.processor_seconds = time.process_time() - worked
            report(state.round, batch.rounds)
            if time.perf_counter() - saved > checkpoint_every and state.round < batch.rounds:
                save(checkpoint, batch.name, state, progress)
                saved = time.perf_counter()
    except KeyboardInterrupt:
        if state.round > 0 and len(progress.accuracies) == sum(k <= state.round for k in batch.measured):
            save(checkpoint, batch.name, state, progress)
        raise
    record = _record(batch, progress, data.origin)
    write_whole(path, _dump(record))
    checkpoint.unlink(missing_ok=True)
    return record


def _record(batch: Batch, progress: Progress, origin: dict[str, str]) -> dict[str, Any]:
    runs = []
    for lane, curve in zip(batch.lanes, np.array(progress.accuracies).T, strict=True):
        percent = [round(100 * float(a), 4) if np.isfinite(a) else None for a in curve]
        runs.append(asdict(lane) | {"status": _status(percent), "test_accuracy": percent})
    cost = 1_000 * progress.processor_seconds / (batch.rounds * len(runs))
    record = {
        "schema": SCHEMA,
        "kind": KIND,
        "batch": batch.name,
        "config": _config(batch),
        "provenance": provenance(progress.seconds)
        | {
            "processor_seconds": round(progress.processor_seconds, 2),
            "processor_milliseconds_per_run_and_round": round(cost, 3),
        }
        | origin,
        "runs": runs,
    }
    return {"sha256": _seal(record)} | record


def read(path: Path) -> dict[str, Any]:
    """A record; raises `InputError` for a file that is not one, whose name is not that of its settings, or
    whose result is not what its seal was put on.
    """
    record = parsing.read(path)
    if isinstance(record, dict) and not is_schema(record.get("schema", SCHEMA), SCHEMA):
        raise InputError(f"{path}: schema {shown(record['schema'])} is not {SCHEMA}; convert it or run again")
    try:
        _check_keys(record)
        batch = batch_of(record)
    except (ValueError, KeyError, TypeError) as error:
        told = f"{error} is missing" if isinstance(error, KeyError) else error
        raise InputError(
            f"{path}: not a record of a batch of linear runs ({told}); delete it and run again"
        ) from None
    curves = [tuple(run["test_accuracy"]) for run in record["runs"]]
    seconds = record["provenance"].get("wall_seconds")
    if batch.name != record["batch"] or _config(batch) != record["config"]:
        raise InputError(f"{path}: its settings are not those of batch {record['batch']}: it has been edited")
    for run, curve in zip(record["runs"], curves, strict=True):
        known = all(a is None or (is_finite(a) and 0 <= a <= 100) for a in curve)
        if not known or len(curve) != len(batch.measured):
            raise InputError(
                f"{path}: a test accuracy is outside [0, 100] or missing; delete it and run again"
            )
        if run["status"] != _status(curve):
            raise InputError(
                f"{path}: status {run['status']!r} of a run that is {_status(curve)}; delete it and run again"
            )
    if not (is_finite(seconds) and seconds >= 0):
        raise InputError(
            f"{path}: wall_seconds = {shown(seconds)} is not a number of at least 0; delete it and run again"
        )
    if record["sha256"] != _seal(record):
        raise InputError(
            f"{path}: its result is not what its SHA-256 was taken of; it has been edited or damaged"
        )
    return record


def _check_keys(record: Any) -> None:
    """Raise ValueError for a table that is none, has keys that a record does not have, or lacks one that it has."""
    _check_table("the record", record, {"sha256", "schema", "kind", "batch", "config", "provenance", "runs"})
    if record["kind"] != KIND:
        raise ValueError(f"kind {shown(record['kind'])} is not {KIND}")
    _check_table("config", record["config"])
    _check_table("config.readings", record["config"].get("readings"))
    _check_table("provenance", record["provenance"])
    _check_list("config.measured", record["config"].get("measured"))
    for run in _check_list("runs", record["runs"]):
        _check_table("a run", run, {"method", "c", "eta0", "noise", "status", "test_accuracy"})
        _check_list("test_accuracy", run["test_accuracy"])
        for name in ("c", "eta0", "noise"):
            if not is_finite(run[name]):
                raise ValueError(f"{name} = {shown(run[name])} of a run is not a finite number")


def _check_table(what: str, held: Any, wanted: set[str] | None = None) -> None:
    if not isinstance(held, dict):
        raise ValueError(f"{what} is {shown(held)}, and must be a table")
    if wanted is not None and set(held) != wanted:
        raise ValueError(f"{what}: missing or unknown: {', '.join(sorted(set(held) ^ wanted))}")


def _check_list(what: str, held: Any) -> list[Any]:
    if not isinstance(held, list):
        raise ValueError(f"{what} is {shown(held)}, and must be a list")
    return held


def batch_of(record: Mapping[str, Any]) -> Batch:
    """That of the settings; what they lack is as by default. Raises ValueError, KeyError or TypeError."""
    config = dict(record["config"])
    extraction = config.pop("extraction", None)
    return Batch(
        readings=Readings(**config.pop("readings")),
        lanes=tuple(Lane(*(run[key] for key in ("method", "c", "eta0", "noise"))) for run in record["runs"]),
        measured=tuple(config.pop("measured")),
        extraction=None if extraction is None else from_dict(extraction),
        **config,
    )


def _config(batch: Batch) -> dict[str, Any]:
    """The settings that the lanes share, as JSON has them."""
    settings = batch.settings
    del settings["lanes"]
    return json.loads(json.dumps(settings))


def _status(curve: Iterable[float | None]) -> str:
    return "diverged" if None in tuple(curve) else "complete"


def _seal(record: Mapping[str, Any]) -> str:
    return seal_json([record["batch"], record["config"], record["runs"]])


def read_all(folder: Path) -> list[dict[str, Any]]:
    """All records of a folder, by name."""
    return [read(path) for path in sorted(folder.glob("*.json"))]


def _dump(record: dict[str, Any]) -> str:
    """JSON with one line a key and one a run: compact, and readable in a diff."""
    head = ",\n".join(
        f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in record.items()
        if key != "runs"
    )
    runs = ",\n".join(f"    {json.dumps(run)}" for run in record["runs"])
    return f'{{\n{head},\n  "runs": [\n{runs}\n  ]\n}}\n'
