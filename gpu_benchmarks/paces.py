"""How fast the runs that are on record went, by machine: whole passes over the training images. Pure functions; no torch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from gpu_benchmarks.passes import iterations
from gpu_benchmarks.records import Record
from gpu_benchmarks.sittings import Sitting


@dataclass(frozen=True)
class Pace:
    """All sittings on one kind of machine in one arithmetic, for one number of clients, carried out in one way.

    machine, how: as the records have them. seconds: of a pass of one run, tests included, with whatever else the machine did
    meanwhile. iterations: of a pass.
    """

    machine: str
    precision: str
    clients: int
    batch: int
    how: str
    runs: int
    passes: int
    seconds: float
    iterations: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def paces(records: Iterable[Record]) -> list[Pace]:
    """The fastest first. Of runs on real data and all training images whose printed round is a pass."""
    found: dict[tuple[Any, ...], list[tuple[str, Sitting]]] = defaultdict(list)
    for record in records:
        config = record.config
        if config.data == "synthetic" or config.images is not None or config.readings.round != "pass":
            continue
        own = (config.precision, config.clients, config.batch, len(iterations(config)))
        for sitting in _sittings(record):
            if "hardware" in sitting:
                found[machine(sitting["hardware"]), *own, sitting.get("ran", "")].append(
                    (record.run, sitting)
                )
    made = []
    for (name, precision, clients, batch, steps, how), own in found.items():
        passes = sum(sitting["rounds"] for _, sitting in own)
        seconds = sum(sitting["wall_seconds"] for _, sitting in own) / passes
        runs = len({run for run, _ in own})
        made.append(Pace(name, precision, clients, batch, how, runs, passes, seconds, steps))
    return sorted(made, key=lambda pace: pace.seconds)


def machine(hardware: dict[str, Any]) -> str:
    """In words."""
    name = str(hardware.get("name", "unknown"))
    if hardware.get("device") == "cuda":
        return f"{name}, {hardware['memory_gib']} GiB" if "memory_gib" in hardware else name
    return f"{name}, {hardware['threads']} threads" if "threads" in hardware else name


def _sittings(record: Record) -> list[Sitting]:
    """All in one where the record tells of no others."""
    where = dict(record.provenance)
    return where.get("sittings") or [where | {"rounds": record.rounds}]
