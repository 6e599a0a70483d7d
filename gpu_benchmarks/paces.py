"""How fast the runs that are on record went, by machine: whole passes over the training images. Pure functions; no torch."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from gpu_benchmarks.config import Config
from gpu_benchmarks.passes import iterations
from gpu_benchmarks.records import Record, longest
from gpu_benchmarks.sittings import Sitting


@dataclass(frozen=True)
class Pace:
    """All sittings on one kind of machine in one arithmetic, for one number of clients, carried out in one way.

    machine, how: as the records have them. seconds: of a pass of one run, tests included, with whatever else the machine did
    meanwhile. iterations, images: of a pass.
    """

    machine: str
    gpu: bool
    precision: str
    clients: int
    batch: int
    how: str
    runs: int
    passes: int
    seconds: float
    iterations: int
    images: int

    @property
    def at_once(self) -> int:
        """Runs side by side."""
        found = re.search(r"(\d+) at once", self.how)
        return int(found[1]) if found else 1

    def tells_of(self, config: Config) -> bool:
        """Whether a run of the config does the same for an image: in this arithmetic, one local step, tested once a pass."""
        whole = replace(config, stop_after=None, images=None).full
        return (
            whole
            and config.precision == self.precision
            and config.local_steps == 1
            and config.readings.round == "pass"
        )

    def seconds_for(self, images: int, at_once: int) -> float:
        """Of so many images of runs of which so many go side by side, at most as many as here."""
        return self.seconds / at_once * images / self.images

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def paces(records: Iterable[Record]) -> list[Pace]:
    """The fastest first. Of runs of ResNet-20 on real data and all training images whose printed round is a pass; of those that
    differ in their length alone the longest, which has the sittings of the others.
    """
    found: dict[tuple[Any, ...], list[tuple[str, Sitting]]] = defaultdict(list)
    for record in longest(records):
        config = record.config
        if not (replace(config, stop_after=None).full and config.readings.round == "pass"):
            continue
        steps = iterations(config)
        images = config.clients * sum(map(sum, steps))
        own = (config.precision, config.clients, config.batch, len(steps), images)
        for sitting in _sittings(record):
            if hardware := sitting.get("hardware"):
                where = (machine(hardware), hardware.get("device") == "cuda")
                found[*where, *own, sitting.get("ran", "")].append((record.run, sitting))
    made = []
    for (name, gpu, precision, clients, batch, length, images, how), own in found.items():
        passes = sum(sitting["rounds"] for _, sitting in own)
        seconds = sum(sitting["wall_seconds"] for _, sitting in own) / passes
        runs = len({run for run, _ in own})
        made.append(Pace(name, gpu, precision, clients, batch, how, runs, passes, seconds, length, images))
    return sorted(made, key=lambda pace: pace.seconds)


def on_gpus(records: Iterable[Record]) -> list[Pace]:
    """For each GPU on record the way in which it got through the most images a second."""
    found: dict[str, Pace] = {}
    for pace in sorted(
        (p for p in paces(records) if p.gpu), key=lambda pace: pace.seconds_for(1, pace.at_once)
    ):
        found.setdefault(pace.machine, pace)
    return list(found.values())


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
