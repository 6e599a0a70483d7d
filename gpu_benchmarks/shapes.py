"""Whether our runs rank the cells of a printed grid as the paper's do. Pure functions; no torch.

Ranks do not feel what shifts or stretches all accuracies, a reading of ours for one. No verdict: the rule that was written before the
runs is for numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gpu_benchmarks.grids import printed_grids
from gpu_benchmarks.reported import Reported
from gpu_benchmarks.rows import Row

Cell = tuple[float, float]
"""β and γ."""


@dataclass(frozen=True)
class Shape:
    """One printed grid of which every cell was run. rank: Spearman's rank correlation of the printed accuracies with ours, in
    [−1, 1]. exchanged: the same with β and γ exchanged in what is printed; None where their values differ. apart: the id of the cell
    without which `rank` is highest, then `rank_without`. highest_printed, highest_ours: ids of the best cells.
    """

    paper: str
    place: str
    cells: int
    rank: float
    exchanged: float | None
    apart: str
    rank_without: float
    highest_printed: str
    highest_ours: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def shapes(reported: Reported, rows: Iterable[Row]) -> list[Shape]:
    """Of each printed grid whose numbers all have a mean of ours under the readings that decide, with at least three different
    accuracies on either side.
    """
    means = {row.number.id: row.ours.whole for row in rows if row.ours is not None}
    found = []
    for numbers in printed_grids(reported):
        ids = {(n.config["beta"], n.config["gamma"]): n.id for n in numbers}
        printed = {cell: n.high for cell, n in zip(ids, numbers, strict=True)}
        ours = {cell: mean for cell, name in ids.items() if (mean := means.get(name)) is not None}
        if len(ours) < len(printed) or min(len(set(side.values())) for side in (printed, ours)) < 3:
            continue
        apart, without = max(
            ((cell, _without(cell, printed, ours)) for cell in printed), key=lambda pair: pair[1]
        )
        found.append(
            Shape(
                numbers[0].paper,
                numbers[0].place,
                len(printed),
                rank_correlation(list(printed.values()), [ours[cell] for cell in printed]),
                _exchanged(printed, ours),
                ids[apart],
                without,
                ids[max(printed, key=printed.__getitem__)],
                ids[max(ours, key=ours.__getitem__)],
            )
        )
    return found


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's, equal values at the mean of their ranks; of at least two different values on either side."""
    from scipy.stats import spearmanr  # here: the rest of the table needs no scipy

    found: Any = spearmanr(first, second)
    return float(found.statistic)


def _without(cell: Cell, printed: Mapping[Cell, float], ours: Mapping[Cell, float]) -> float:
    kept = [other for other in printed if other != cell]
    return rank_correlation([printed[c] for c in kept], [ours[c] for c in kept])


def _exchanged(printed: Mapping[Cell, float], ours: Mapping[Cell, float]) -> float | None:
    if any((gamma, beta) not in printed for beta, gamma in printed):
        return None
    return rank_correlation(
        [printed[gamma, beta] for beta, gamma in printed], [ours[cell] for cell in printed]
    )
