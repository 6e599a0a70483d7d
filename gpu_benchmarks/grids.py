"""Printed grids in β and γ beside the runs of their cells under one protocol, whole or cut short. Pure functions; no torch.

The highest accuracy can only grow with the rounds: of a run that was cut short it is a lower bound, and where it lies beyond
the printed number it stays there. The cells together show what no cell shows alone: which β and γ a paper's runs and
ours like best, and whether one choice of readings comes near the whole grid.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from gpu_benchmarks.accuracies import FAR, metric, tested
from gpu_benchmarks.comparison import Row, of_cell
from gpu_benchmarks.config import Config
from gpu_benchmarks.protocols import Protocol, differing, protocol_of
from gpu_benchmarks.records import Record
from gpu_benchmarks.reported import Number, Reported, verdict

FEWEST = 3
"""Cells from which runs under one protocol make a grid."""
BEYOND, NEAR, BELOW = "beyond", "near", "below"


@dataclass(frozen=True)
class Cell:
    """One printed cell with runs of ours. highest: percent, the mean over `seeds` runs, after `rounds` rounds (the fewest of them).

    standing: "near" where the rule lets ours be as far from the printed number; "beyond" or "below" where it does not. Of a run
    that was cut short "beyond" is for good, the others are so far.
    """

    id: str
    beta: float
    gamma: float
    printed: float
    highest: float
    seeds: int
    rounds: int
    standing: str


@dataclass(frozen=True)
class Grid:
    """The cells of one printed grid that were run under one protocol; `printed` are all its cells: (β, γ, percent). of: the
    rounds of the printed schedule.
    """

    paper: str
    place: str
    readings: str
    of: int
    printed: tuple[tuple[float, float, float], ...]
    cells: tuple[Cell, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def grids(reported: Reported, records: Iterable[Record]) -> list[Grid]:
    """Each printed grid of highest accuracies under each protocol that at least `FEWEST` of its cells were run under, for at least
    `accuracies.FAR` tested rounds each.
    """
    by_protocol: dict[Protocol, list[Record]] = defaultdict(list)
    for record in records:
        if replace(record.config, stop_after=None).full and tested(record) >= FAR:
            by_protocol[protocol_of(record.config)].append(record)
    found = []
    for numbers in printed_grids(reported):
        for protocol, own in by_protocol.items():
            cells = [cell for number in numbers if (cell := _cell(reported, number, own))]
            if len(cells) >= FEWEST:
                first = numbers[0]
                printed = tuple((n.config["beta"], n.config["gamma"], n.high) for n in numbers)
                rounds = int(first.config.get("rounds", Config().rounds))
                found.append(
                    Grid(first.paper, first.place, differing(protocol), rounds, printed, tuple(cells))
                )
    return found


def beside_rows(found: Iterable[Grid], rows: Iterable[Row]) -> list[Grid]:
    """Without the grids of which the rows show every cell already: all of them whole, under the readings that decide."""
    means = {row.number.id: row.ours.whole for row in rows if row.ours is not None}

    def shown(grid: Grid) -> bool:
        return len(grid.cells) == len(grid.printed) and all(
            cell.rounds == grid.of and means.get(cell.id) == cell.highest for cell in grid.cells
        )

    return [grid for grid in found if not shown(grid)]


def printed_grids(reported: Reported) -> list[list[Number]]:
    """The printed numbers by grid: of one place and method, highest accuracies at one β and γ each."""
    by_place: dict[tuple[str, str, Any], list[Number]] = defaultdict(list)
    for n in reported.numbers:
        single = not n.over and n.kind == "value" and {"beta", "gamma"} <= n.config.keys()
        if single and n.metric == "highest" and n.low == n.high:
            by_place[n.paper, n.place, n.config.get("method")].append(n)
    return list(by_place.values())


def _cell(reported: Reported, number: Number, records: list[Record]) -> Cell | None:
    own = of_cell(number.config, records)
    if not own:
        return None
    values = [metric("highest", record) for record in own]
    mean = statistics.fmean(values)
    std = statistics.stdev(values) if len(values) > 1 else 0.0
    near = verdict(reported.rule, number, mean, std, len(values)) == "reproduced"
    return Cell(
        number.id,
        number.config["beta"],
        number.config["gamma"],
        number.high,
        mean,
        len(values),
        min(record.rounds for record in own),
        NEAR if near else BEYOND if mean > number.high else BELOW,
    )
