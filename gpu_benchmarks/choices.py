"""The choices of readings that numbers were run under, how each fared, and which is used. Pure functions; no torch."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from gpu_benchmarks.protocols import Protocol, differing
from gpu_benchmarks.reported import Number
from gpu_benchmarks.rows import Ours, Row


@dataclass(frozen=True)
class Choice:
    """One choice of readings for the numbers of a paper and setting. used: whether the table's verdicts are under it. numbers: how
    many it was run for; `reproduced`, `not_reproduced`: of these. compared: how many single printed percentages have whole runs;
    off: ours minus the printed one, their mean, percentage points, None where there are none.
    """

    paper: str
    setting: str
    readings: str
    used: bool
    numbers: int
    reproduced: int
    not_reproduced: int
    compared: int
    off: float | None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def choices(rows: Iterable[Row]) -> list[Choice]:
    """Of each paper and setting of ResNet-20 the choice that is used, then the others, those that reproduce more first."""
    found: dict[tuple[str, str, Protocol], list[tuple[Number, Ours]]] = defaultdict(list)
    used = set()
    for row in rows:
        number = row.number
        if number.setting != "linear":
            for ours in (*([row.ours] if row.ours else []), *row.others):
                found[number.paper, number.setting, ours.protocol].append((number, ours))
            if row.ours:
                used.add((number.paper, number.setting, row.ours.protocol))
    told = [_choice(*key, key in used, under) for key, under in found.items()]
    places = list(dict.fromkeys((c.paper, c.setting) for c in told))
    return sorted(
        told, key=lambda c: (places.index((c.paper, c.setting)), not c.used, -c.reproduced, -c.numbers)
    )


def _choice(
    paper: str, setting: str, protocol: Protocol, used: bool, under: list[tuple[Number, Ours]]
) -> Choice:
    offs = [
        ours.whole - number.high
        for number, ours in under
        if number.kind == "value" and number.unit == "%" and number.low == number.high
        if ours.whole is not None and math.isfinite(ours.whole)
    ]
    verdicts = [ours.verdict for _, ours in under]
    return Choice(
        paper,
        setting,
        differing(protocol),
        used,
        len(under),
        verdicts.count("reproduced"),
        verdicts.count("not reproduced"),
        len(offs),
        statistics.fmean(offs) if offs else None,
    )
