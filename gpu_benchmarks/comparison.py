"""Every printed number beside ours: which records count, mean and interval, verdict. Pure functions; no torch.

Only full runs count, and for what is read off all rounds only those that were tested after each. Runs that were cut short, and
cells of a grid of which others are missing, count where no missing cell or round can bring them back to the printed number; else
they are told without a verdict (`in_part`). Records are grouped by *protocol*: the
readings and the arithmetic that the papers do not print. One protocol is chosen for all numbers of a paper and
setting, the one that reproduces the most of them; the others are listed beside it. Protocols that read a round as one
mini-batch were run to decide that reading, since a CPU can do it: one of them is chosen only where it reproduces
something, so that its failures do not stand for those of the reading that takes a GPU.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any

from gpu_benchmarks.accuracies import FAR, OF_EVERY_ROUND, known, metric, tested
from gpu_benchmarks.config import Config
from gpu_benchmarks.protocols import Protocol, protocol_of, whole_run
from gpu_benchmarks.readings import ACCURACIES
from gpu_benchmarks.records import Record, longest
from gpu_benchmarks.reported import Number, Reported, Rule, decide
from gpu_benchmarks.rows import Fit, Ours, Row

_FREE = ("seed", "precision", "readings", "stop_after", "images")
"""Fields of a config that no printed parameter fixes."""
_printed = attrgetter(*(item.name for item in fields(Config) if item.name not in _FREE))
_DEFAULT = Config()


def compare(reported: Reported, records: Iterable[Record]) -> list[Row]:
    """A row for every printed number of the ResNet experiments, in the order of the file; the linear ones
    have no run here (see `linear.comparison`).
    """
    by_protocol: dict[Protocol, list[Record]] = defaultdict(list)
    for record in records:
        if replace(record.config, stop_after=None).full:
            by_protocol[protocol_of(record.config)].append(record)
    found: dict[str, list[Ours]] = {}
    parts: dict[str, list[Ours]] = {}
    for number in reported.numbers:
        if number.setting != "linear":
            found[number.id], parts[number.id] = [], []
            for protocol, own in by_protocol.items():
                whole = ours_under(reported.rule, number, protocol, [r for r in own if r.config.full])
                if whole is not None:
                    found[number.id].append(whole)
                if whole is None or whole.mean is None:
                    parts[number.id] += in_part(reported.rule, number, protocol, own)
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
        told = {part.protocol for part in parts.get(number.id, ())}
        mine = [o for o in found.get(number.id, ()) if o.mean is not None or o.protocol not in told]
        mine += parts.get(number.id, ())
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
    found = decide(rule, number, values.values())
    seeds = tuple(sorted(values))
    return Ours(
        protocol, found.mean, found.std, seeds, len(cells), len(cells), at, found.verdict, found.allowed
    )


def in_part(rule: Rule, number: Number, protocol: Protocol, records: Sequence[Record]) -> list[Ours]:
    """What runs say that were cut short, or of a grid that is not whole: nothing, or one of ours with its `so_far`."""
    if number.kind != "value":
        return []
    if not number.over and number.metric not in OF_EVERY_ROUND:
        return _under_way(number, protocol, records)
    found = _best_so_far(rule, number, protocol, records)
    if not found or not number.metric_open:
        return found
    read = ((a, _best_so_far(rule, replace(number, metric=a), protocol, records)) for a in ACCURACIES)
    out = tuple(
        Fit(a, o.mean, False) for a, so_far in read for o in so_far if o.mean and o.verdict != "not run"
    )
    return [replace(found[0], fits=out)]


def _best_so_far(rule: Rule, number: Number, protocol: Protocol, records: Sequence[Record]) -> list[Ours]:
    """The best of a grid can only grow with the cells that are missing, the highest accuracy of a run with its rounds too, and the
    communications to a target can only fall. Where they are farther beyond the printed number than the rule lets as many whole runs
    with this spread be: "not reproduced", unless the best cell comes to have seeds that spread farther. Else there is no verdict, and
    no more than whole runs of a part of the cells is told.
    """
    cells = number.cells()
    if number.metric not in OF_EVERY_ROUND:
        records = [record for record in records if record.config.full]
    by_cell = {index: own for index, cell in enumerate(cells) if (own := of_cell(cell, records))}
    values = {index: [metric(number.metric, record) for record in own] for index, own in by_cell.items()}
    if not values:
        return []
    upwards = number.unit == "%"
    best = (max if upwards else min)(values, key=lambda index: statistics.fmean(values[index]))
    own, ours = by_cell[best], decide(rule, number, values[best])
    outside = ours.mean > number.high if upwards else ours.mean < number.low
    settled = outside and ours.verdict == "not reproduced"
    whole = all(known(number.metric, record) and record.config.full for record in own)
    if not settled and not whole:
        return []
    parts = [f"{len(values)} of {len(cells)} cells"] if len(cells) > 1 else []
    shortest = min(own, key=lambda record: record.rounds)
    if not shortest.config.full:
        parts.append(f"{shortest.rounds} of {shortest.config.rounds} rounds")
    elif not whole:
        parts.append("the rounds that were tested")
    return [
        Ours(
            protocol,
            ours.mean,
            ours.std,
            tuple(sorted(record.config.seed for record in own)),
            len(values),
            len(cells),
            ", ".join(f"{name} = {cells[best][name]:g}" for name in number.over),
            "not reproduced" if settled else "not run",
            ours.allowed if settled else None,
            so_far=", ".join(parts),
            full=shortest.config.full,
        )
    ]


def _under_way(number: Number, protocol: Protocol, records: Sequence[Record]) -> list[Ours]:
    """How far the longest runs have come that were cut short, where the accuracy after the last round is printed."""
    far = [record for record in of_cell(number.config, records) if tested(record) >= FAR]
    if not far:
        return []
    rounds = max(record.rounds for record in far)
    own = [record for record in far if record.rounds == rounds]
    values = [metric("final", record) for record in own]
    std = statistics.stdev(values) if len(own) > 1 else 0.0
    so_far = f"{rounds} of {own[0].config.rounds} rounds"
    seeds = tuple(sorted(record.config.seed for record in own))
    mean = statistics.fmean(values)
    return [Ours(protocol, mean, std, seeds, 1, 1, "", "not run", so_far=so_far, full=False)]


def of_cell(cell: Mapping[str, Any], records: Sequence[Record]) -> list[Record]:
    """The records of a cell, of each seed the longest."""
    wanted = _wanted(**cell)
    own = sorted((r for r in records if _printed(r.config) == wanted), key=lambda record: record.rounds)
    return list({record.config.seed: record for record in own}.values())


@lru_cache(maxsize=1 << 10, typed=True)
def _wanted(**cell: Any) -> tuple[Any, ...]:
    """The printed parameters of a cell, which is looked for under every protocol."""
    return _printed(replace(_DEFAULT, **cell))


def _metric_by_seed(number: Number, cell: Mapping[str, Any], records: Sequence[Record]) -> dict[int, float]:
    wanted = _wanted(**cell)
    found = {}
    for record in records:
        if _printed(record.config) == wanted and known(number.metric, record):
            found[record.config.seed] = metric(number.metric, record)
    return found


def reduced(records: Iterable[Record]) -> list[dict[str, Any]]:
    """The reduced runs, each labelled as what it is; the verdict of no number is theirs. Of runs that differ in their length
    alone, and in readings that they do not feel, the longest counts, so that what is on record whole is not among them.
    """
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
        for record in longest(records, whole_run)
        if not record.config.full and record.config.data != "synthetic"
    ]
