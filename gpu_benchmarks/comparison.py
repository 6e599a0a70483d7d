"""Every printed number beside ours: which records count, mean and interval, verdict. Pure functions; no
torch.

Only full runs count, and for what is read off all rounds only those that were tested after each. Records are grouped
by *protocol*: the readings and the arithmetic that the papers do not print. One protocol is chosen for all numbers of
a paper and setting, the one that reproduces the most of them; the others are listed beside it. Protocols that read a
round as one mini-batch were run to decide that reading, since a CPU can do it: one of them is chosen only where it
reproduces something, so that its failures do not stand for those of the reading that takes a GPU.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from gpu_benchmarks.accuracies import known, metric
from gpu_benchmarks.config import Config
from gpu_benchmarks.readings import ACCURACIES
from gpu_benchmarks.records import Record
from gpu_benchmarks.reported import Number, Reported, Rule, verdict

_FREE = ("seed", "precision", "readings", "stop_after", "images")
"""Fields of a config that no printed parameter fixes."""

Protocol = tuple[tuple[str, str], ...]
"""Readings and precision, sorted pairs: hashable."""


@dataclass(frozen=True)
class Fit:
    """What one option of `readings.ACCURACIES` gives, and whether it lies as near as the rule asks: no verdict."""

    accuracy: str
    mean: float
    fits: bool


@dataclass(frozen=True)
class Ours:
    """What our runs give for one number under one protocol. cells: grid points that have runs, of how many; where not all
    of them do there is no mean, and the verdict is "not run". fits: each accuracy that may be meant, where the paper leaves it open.
    """

    protocol: Protocol
    mean: float | None
    std: float
    seeds: tuple[int, ...]
    cells: int
    of: int
    at: str  # the best cell of the grid, where there is one
    verdict: str
    fits: tuple[Fit, ...] = ()

    @property
    def interval(self) -> tuple[float, float] | None:
        """Student's 95% interval of the mean over seeds; None for fewer than two, and where one never came to an end."""
        n = len(self.seeds)
        known = self.mean is not None and math.isfinite(self.mean) and n > 1
        return t_interval(self.mean, self.std, n) if known else None  # type: ignore[arg-type]


@dataclass(frozen=True)
class Row:
    """One printed number: ours under the chosen protocol, and under the others. verdict "not run" where no run counts, or
    not all that it takes were made.
    """

    number: Number
    ours: Ours | None
    others: tuple[Ours, ...]

    @property
    def verdict(self) -> str:
        return "not run" if self.ours is None else self.ours.verdict

    def to_dict(self) -> dict[str, Any]:
        number = self.number
        return {
            "id": number.id,
            "paper": number.paper,
            "place": number.place,
            "metric": number.metric,
            "metric_open": number.metric_open,
            "kind": number.kind,
            "unit": number.unit,
            "printed": number.printed,
            "low": None if math.isinf(number.low) else number.low,
            "high": None if math.isinf(number.high) else number.high,
            "parameters": dict(number.config) | {name: list(v) for name, v in number.over.items()},
            "verdict": self.verdict,
            "ours": None if self.ours is None else _ours_dict(self.ours),
            "others": [_ours_dict(other) for other in self.others],
            "note": number.note,
        }


def t_interval(mean: float, std: float, n: int) -> tuple[float, float]:
    """Student's 95% interval of a mean over n ≥ 2 values with standard deviation `std`."""
    from scipy.special import stdtrit  # only here: a rented machine runs without scipy

    half = float(stdtrit(n - 1, 0.975)) * std / math.sqrt(n)
    return mean - half, mean + half


def compare(reported: Reported, records: Iterable[Record]) -> list[Row]:
    """A row for every printed number of the ResNet experiments, in the order of the file; the linear ones
    have no run here (see `linear_comparison`).
    """
    full = [record for record in records if record.config.full]
    by_protocol: dict[Protocol, list[Record]] = defaultdict(list)
    for record in full:
        by_protocol[protocol_of(record.config)].append(record)
    found: dict[str, list[Ours]] = {}
    for number in reported.numbers:
        if number.setting != "linear":
            every = [ours_under(reported.rule, number, p, own) for p, own in by_protocol.items()]
            found[number.id] = [one for one in every if one is not None]
    chosen = {
        (paper, setting): choose(
            [
                o
                for n in reported.numbers
                if (n.paper, n.setting) == (paper, setting)
                for o in found.get(n.id, [])
            ]
        )
        for paper, setting in {(n.paper, n.setting) for n in reported.numbers}
    }
    rows = []
    for number in reported.numbers:
        mine = found.get(number.id, [])
        pick = next((o for o in mine if o.protocol == chosen[number.paper, number.setting]), None)
        rows.append(Row(number, pick, tuple(o for o in mine if o is not pick)))
    return rows


def choose(found: Sequence[Ours]) -> Protocol | None:
    """The protocol that reproduces the most numbers; of equals the one with fewer failures, then the first
    by name. None where there is none but a round of one mini-batch that reproduces nothing.
    """
    scores: dict[Protocol, list[int]] = defaultdict(lambda: [0, 0])
    for ours in found:
        scores[ours.protocol][0] += ours.verdict == "reproduced"
        scores[ours.protocol][1] -= ours.verdict == "not reproduced"
    standing = [p for p in sorted(scores) if scores[p][0] or dict(p).get("round") != "step"]
    return max(standing, key=lambda p: tuple(scores[p]), default=None)


def ours_under(rule: Rule, number: Number, protocol: Protocol, records: Sequence[Record]) -> Ours | None:
    """Ours for a number from the records of one protocol; None where none of them is of its cells. The verdict is that of the
    metric that the file names, whatever else fits.
    """
    named = _under_metric(rule, number, protocol, records)
    if named is None or not number.metric_open:
        return named
    read = ((a, _under_metric(rule, replace(number, metric=a), protocol, records)) for a in ACCURACIES)
    fits = (
        Fit(a, o.mean, o.verdict == "reproduced") for a, o in read if o is not None and o.mean is not None
    )
    return replace(named, fits=tuple(fits))


def _under_metric(rule: Rule, number: Number, protocol: Protocol, records: Sequence[Record]) -> Ours | None:
    cells = number.cells()
    by_seed = [_metric_by_seed(number, cell, records) for cell in cells]
    present = [values for values in by_seed if values]
    if not present:
        return None
    empty = Ours(protocol, None, 0.0, (), len(present), len(cells), "", "not run")
    if len(present) < len(cells):
        return empty
    at = ""
    if number.kind == "spread":
        seeds = set.intersection(*(set(values) for values in by_seed))
        values = {s: max(v[s] for v in by_seed) - min(v[s] for v in by_seed) for s in seeds}
    elif number.kind == "difference":
        other = _metric_by_seed(number, dict(number.config) | dict(number.minus), records)
        values = {seed: value - other[seed] for seed, value in by_seed[0].items() if seed in other}
    else:
        better = min if number.unit == "communications" else max
        best = better(range(len(cells)), key=lambda i: statistics.fmean(by_seed[i].values()))
        values = by_seed[best]
        at = ", ".join(f"{name} = {cells[best][name]:g}" for name in number.over)
    if not values:
        return empty
    mean = statistics.fmean(values.values())
    spread_known = len(values) > 1 and math.isfinite(mean)
    std = statistics.stdev(values.values()) if spread_known else 0.0
    decided = verdict(rule, number, mean, std, len(values))
    return Ours(protocol, mean, std, tuple(sorted(values)), len(cells), len(cells), at, decided)


def _metric_by_seed(number: Number, cell: Mapping[str, Any], records: Sequence[Record]) -> dict[int, float]:
    wanted = replace(Config(), **cell)
    found = {}
    for record in records:
        if known(number.metric, record) and all(
            getattr(record.config, f.name) == getattr(wanted, f.name)
            for f in fields(Config)
            if f.name not in _FREE
        ):
            found[record.config.seed] = metric(number.metric, record)
    return found


def protocol_of(config: Config) -> Protocol:
    """What the run reads into the papers; readings that make no difference to it take their default."""
    readings = asdict(config.readings)
    default = asdict(Config().readings)
    if not config.private:
        for name in ("noise", "noise_joins", "noise_root", "noise_rounds"):
            readings[name] = default[name]
    if config.method != "fed_alpha_normec" or config.participation == 1:
        readings["absent"] = default["absent"]
    if config.local_steps == 1:
        readings["local_batches"] = default["local_batches"]
    if config.method not in ("alpha_normec", "clip21", "fed_alpha_normec"):
        readings["memories"] = default["memories"]
    return (*sorted(readings.items()), ("precision", config.precision))


def elsewhere(row: Row) -> str:
    """What the protocols that were not chosen give, on one line: readings, mean, verdict."""
    return "; ".join(
        f"{differing(other.protocol)}: {other.mean:.2f} (n = {len(other.seeds)}), {other.verdict}"
        + (f" (accuracy read as {told})" if (told := by_accuracy(other)) else "")
        for other in row.others
        if other.mean is not None
    )


def by_accuracy(ours: Ours) -> str:
    """What each accuracy that may be meant gives, on one line; "" where the paper says which one it prints."""
    told = (f"{fit.accuracy}: {fit.mean:.2f}, {'fits' if fit.fits else 'does not fit'}" for fit in ours.fits)
    return "; ".join(told)


def differing(protocol: Protocol) -> str:
    """A protocol for people: what is not the default reading."""
    default = dict(protocol_of(Config()))
    parts = [f"{name}: {value}" for name, value in protocol if default.get(name) != value]
    return ", ".join(parts) or "default readings"


def reduced(records: Iterable[Record]) -> list[dict[str, Any]]:
    """The reduced runs, each labelled as what it is; they give no verdict. Of runs that differ in their length
    alone the longest counts.
    """
    longest: dict[str, Record] = {}
    for record in records:
        if record.config.full or record.config.data == "synthetic":
            continue
        known = longest.get(record.config.trajectory)
        if known is None or record.rounds > known.rounds:
            longest[record.config.trajectory] = record
    return [
        {
            "run": record.run,
            "what": record.config.label(),
            "clients": record.config.clients,
            "images": record.config.images,
            "rounds": record.rounds,
            "reduced": f"{record.config.images or 'all'} training images, {record.rounds} of {record.config.rounds} rounds",
            "status": record.status,
            "highest": metric("highest", record),
            "final": metric("final", record),
            "train_loss": record.metrics["train_loss"][-1],
        }
        for record in longest.values()
    ]


def _ours_dict(ours: Ours) -> dict[str, Any]:
    finite = ours.mean is not None and math.isfinite(ours.mean)
    return {
        "mean": ours.mean if finite else None,
        "std": ours.std if math.isfinite(ours.std) else None,
        "interval": None if ours.interval is None else list(ours.interval),
        "seeds": list(ours.seeds),
        "cells": ours.cells,
        "of": ours.of,
        "at": ours.at,
        "verdict": ours.verdict,
        "protocol": dict(ours.protocol),
        "fits": [asdict(fit) for fit in ours.fits],
    }
