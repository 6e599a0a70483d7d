"""Records: what one run did, as one JSON file that holds everything a reader needs and nothing to execute.

`Record.result()` is what a repetition must reproduce; `provenance` (commit, versions, hardware, wall time)
is what it may not. A file appears whole or not at all: it is written beside its place and renamed.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpu_benchmarks import parsing
from gpu_benchmarks.config import Config, from_dict, to_dict
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.seal import seal_json
from methods.terminal.output import write_whole

SCHEMA = 1
FOLDER = Path(__file__).parent / "records"
"""Committed records: full runs here, reduced ones in `reduced/`."""

THROUGHPUT, RULES, RATES = NOT_RECORDS = ("throughput.json", "weight_gradients.json", "side_by_side.json")
"""What a rented machine measures once, and gives back in the folder of its records."""

STATUSES: Mapping[str, str] = {
    "complete": "all rounds that the config asks for",
    "diverged": "ended early: a loss is not finite any more, or that of training passed the limit",
}
METRICS: Mapping[str, str] = {
    "train_loss": "mean cross-entropy over the clients and the round's iterations: of each, the mini-batch of the first local "
    "step, whatever its size",
    "test_loss": "mean cross-entropy over the test set after the round",
    "test_accuracy": "percent of the test set classified correctly after the round",
}


@dataclass(frozen=True)
class Record:
    """One run. `metrics` has one list for each of `METRICS`, one entry a round; None where a number is not
    finite, and where a round was not tested.
    """

    config: Config
    status: str
    metrics: Mapping[str, Sequence[float | None]]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.status, str) or self.status not in STATUSES:
            raise InputError(
                f"record {self.config.run}: status {self.status!r} must be one of {', '.join(STATUSES)}"
            )
        if set(self.metrics) != set(METRICS):
            raise InputError(f"record {self.config.run}: metrics are not {sorted(METRICS)}")
        lengths = {len(values) for values in self.metrics.values()}
        asked = self.config.stop_after or self.config.rounds
        if len(lengths) != 1 or max(lengths) > asked or (self.status == "complete" and lengths != {asked}):
            raise InputError(
                f"record {self.config.run}: metrics of lengths {sorted(lengths)} do not fit status {self.status!r} "
                f"of a run of {asked} rounds"
            )
        for name, values in self.metrics.items():
            for value in values:
                if not (value is None or is_finite(value)):
                    raise InputError(
                        f"record {self.config.run}: {name} holds {value!r}, not a finite number or null"
                    )
                if name == "test_accuracy" and value is not None and not 0 <= value <= 100:
                    raise InputError(f"record {self.config.run}: test_accuracy {value!r} is not in [0, 100]")
                if value is not None and value < 0:
                    raise InputError(
                        f"record {self.config.run}: {name} {value!r} is below 0, and no cross-entropy is"
                    )
        if all(value is None for value in self.metrics["test_accuracy"]):
            raise InputError(f"record {self.config.run}: was not tested after any round")

    @property
    def run(self) -> str:
        return self.config.run

    @property
    def rounds(self) -> int:
        """Rounds that ran."""
        return len(self.metrics["test_accuracy"])

    def result(self) -> dict[str, Any]:
        """Everything that the same config must give again on the same machine."""
        return {
            "run": self.run,
            "config": to_dict(self.config),
            "status": self.status,
            "metrics": dict(self.metrics),
        }

    def to_dict(self) -> dict[str, Any]:
        """With a seal on the result."""
        result = self.result()
        sealed = {"sha256": seal_json(result)}
        return {"schema": SCHEMA, **result, **sealed, "provenance": dict(self.provenance)}


def is_schema(found: object, known: int) -> bool:
    """Whether it is this number, and not `true` or `1.0`, which are equal to one."""
    return type(found) is int and found == known


def is_finite(value: object) -> bool:
    """Whether it is a number, and a finite one."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    return abs(value) <= sys.float_info.max  # an integer beyond all floats is compared exactly


def finite(value: float | None) -> float | None:
    """A number as a record holds it."""
    return value if value is not None and math.isfinite(value) else None


def metrics_of(rounds: Sequence[Any]) -> dict[str, list[float | None]]:
    """The metrics of a record from what was measured round by round (`engine.Measured`)."""
    return {name: [finite(getattr(measured, name)) for measured in rounds] for name in METRICS}


def from_data(data: Any, where: str) -> Record:
    """The record in parsed JSON. Raises `InputError` for anything that is not one, whose name is not its config's, or
    whose result is not what its seal was put on.
    """
    result = {"run", "config", "status", "metrics"}
    keys = {"schema", *result, "sha256", "provenance"}
    _check_schema(data, where)
    if not isinstance(data, dict) or set(data) != keys:
        raise InputError(
            f"{where}: not a run record; it must have exactly the keys {', '.join(sorted(keys))}"
        )
    config = from_dict(data["config"], where)
    if config.run != data["run"]:
        raise InputError(
            f"{where}: says run {data['run']!r}, but its config is run {config.run}; it has been edited"
        )
    if not isinstance(data["metrics"], dict) or not all(
        isinstance(v, list) for v in data["metrics"].values()
    ):
        raise InputError(f"{where}: metrics must be a table of lists")
    if not isinstance(data["provenance"], dict):
        raise InputError(f"{where}: provenance must be a table")
    try:
        record = Record(config, data["status"], data["metrics"], data["provenance"])
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if data["sha256"] != seal_json({name: data[name] for name in result}):
        raise InputError(
            f"{where}: its result is not what its SHA-256 was taken of; it has been edited or damaged"
        )
    return record


def _check_schema(data: Any, where: str) -> None:
    """First of all: what a file of another schema holds is not for this code to judge."""
    if isinstance(data, dict) and not is_schema(data.get("schema", SCHEMA), SCHEMA):
        raise InputError(f"{where}: schema {data['schema']!r} is not {SCHEMA}; convert it or run again")


def read(path: Path) -> Record:
    """The record in a file; see `from_data`. Raises `InputError` for a file that cannot be read, too."""
    return from_data(parsing.read(path), str(path))


def read_for(run: str, path: Path) -> Record:
    """The record of that run. Raises `InputError` for another's too, which must not pass for it."""
    record = read(path)
    if record.run != run:
        raise InputError(
            f"{path}: is the record of run {record.run}, not of {run}; give it its own name again, or delete it"
        )
    return record


def read_all(folders: Iterable[Path]) -> list[Record]:
    """Records of every JSON file directly in the folders but `NOT_RECORDS`, bundles unpacked, each run once (first come
    first kept).
    """
    found: dict[str, Record] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
            if path.name in NOT_RECORDS:
                continue
            data = parsing.read(path)
            many = [data]
            if isinstance(data, dict) and "records" in data:
                _check_schema(data, str(path))
                many = data["records"]
                if set(data) != {"schema", "records"} or not isinstance(many, list):
                    raise InputError(
                        f"{path}: not a bundle of records; it must hold a schema and a list of them"
                    )
            for number, item in enumerate(many):
                record = from_data(item, str(path) if len(many) == 1 else f"{path}, record {number + 1}")
                found.setdefault(record.run, record)
    return list(found.values())


def longest(
    records: Iterable[Record], same: Callable[[Config], Hashable] = lambda config: config.trajectory
) -> list[Record]:
    """Of records that differ in their length alone the longest, each where the first of them stood. same: what such configs have in
    common."""
    found: dict[Hashable, Record] = {}
    for record in records:
        known = found.get(same(record.config))
        if known is None or record.rounds > known.rounds:
            found[same(record.config)] = record
    return list(found.values())


def write(record: Record, folder: Path) -> Path:
    """`folder`/<run>.json, whole or not at all."""
    path = folder / f"{record.run}.json"
    write_whole(path, _dump(record.to_dict()))
    return path


def write_bundle(records: Sequence[Record], path: Path) -> Path:
    """Many records in one file, for machines from which few files come back."""
    body = ",\n".join(_dump(record.to_dict()).rstrip() for record in records)
    write_whole(path, f'{{"schema": {SCHEMA}, "records": [\n{body}\n]}}\n')
    return path


def _dump(data: Mapping[str, Any]) -> str:
    """JSON for people and for diffs: one line a key, lists of numbers on one line."""
    lines = []
    for key, value in data.items():
        if key == "metrics":
            inner = ",\n".join(f"    {json.dumps(name)}: {json.dumps(list(v))}" for name, v in value.items())
            lines.append(f'  "metrics": {{\n{inner}\n  }}')
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, sort_keys=True, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
