"""What one open point changes: runs that differ in one reading, or in their arithmetic, and in nothing else, paired by
seed. Pure functions; no torch.

Runs are compared after the last round that both were tested after; where that is not the end of the printed
schedule, the change is labelled as one of reduced runs. The reading `round` is left out: it changes what a round is.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from gpu_benchmarks import student
from gpu_benchmarks.config import PRECISIONS, Config
from gpu_benchmarks.protocols import Protocol, protocol_of
from gpu_benchmarks.readings import OPTIONS, Readings
from gpu_benchmarks.records import Record

_DEFAULT = dict(protocol_of(Config()))
_ORDER = {**OPTIONS, "precision": PRECISIONS}
_Key = tuple[str, Config, Protocol]


@dataclass(frozen=True)
class Change:
    """`option` of the open point `point` against `instead_of`: differences of the test accuracy, percentage points.

    what: the runs, without their seeds, with what they have beside this. rounds: after how many the accuracies are
    compared. by_seed: (seed, option minus instead_of).
    """

    what: str
    rounds: int
    reduced: bool
    point: str
    option: str
    instead_of: str
    by_seed: tuple[tuple[int, float], ...]

    @property
    def mean(self) -> float:
        return statistics.fmean(difference for _, difference in self.by_seed)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Student's 95% interval of the mean over seeds; None for fewer than two."""
        return student.of_values([difference for _, difference in self.by_seed])

    def to_dict(self) -> dict[str, Any]:
        interval = None if self.interval is None else list(self.interval)
        return asdict(self) | {"mean": self.mean, "interval": interval}


def changes(records: Iterable[Record]) -> list[Change]:
    """Every change that the records show, in the order of the open points. Options are compared with the default, or
    with the first in the list where there is no run with the default.
    """
    alike: dict[_Key, dict[str, dict[int, Record]]] = defaultdict(lambda: defaultdict(dict))
    for record in sorted(records, key=lambda record: record.rounds):  # of one run, the longest counts
        config = record.config
        if config.data == "synthetic":
            continue
        default = {"precision": _DEFAULT["precision"], "readings": Readings()}
        bare = replace(config, seed=0, stop_after=None, **default)
        protocol = protocol_of(config)
        for point, option in protocol:
            if point != "round":
                rest = tuple(entry for entry in protocol if entry[0] != point)
                alike[point, bare, rest][option][config.seed] = record
    found = []
    for (point, bare, rest), options in alike.items():
        order = [_DEFAULT[point], *_ORDER[point]]
        first, *others = sorted(options, key=order.index)
        found += [
            change
            for option in others
            for change in _paired(bare, rest, point, option, options[option], first, options[first])
        ]
    return sorted(found, key=lambda change: (list(_ORDER).index(change.point), change.reduced))


def _paired(
    bare: Config,
    rest: Protocol,
    point: str,
    option: str,
    ours: dict[int, Record],
    instead_of: str,
    theirs: dict[int, Record],
) -> list[Change]:
    """A change for each number of rounds that pairs of runs have in common."""
    by_rounds: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for seed in sorted(ours.keys() & theirs.keys()):
        tested = zip(*(run[seed].metrics["test_accuracy"] for run in (ours, theirs)), strict=False)
        both = [(k, a - b) for k, (a, b) in enumerate(tested, 1) if a is not None and b is not None]
        if both:
            rounds, difference = both[-1]
            by_rounds[rounds].append((seed, difference))
    return [
        Change(
            _what(bare, rest),
            rounds,
            not (bare.full and rounds == bare.rounds),
            point,
            option,
            instead_of,
            tuple(pairs),
        )
        for rounds, pairs in sorted(by_rounds.items())
    ]


def _what(bare: Config, rest: Protocol) -> str:
    """The runs for people: the method and its parameters, and the readings other than the one that is compared."""
    label = replace(bare, private=False).label().removesuffix(f" seed={bare.seed}")
    private = [f"ε = {bare.epsilon:g}"] if bare.private else []
    images = [] if bare.images is None else [f"{bare.images} images"]
    named = [f"{name}: {option}" for name, option in rest if option != _DEFAULT[name]]
    return "; ".join([label, *private, *images, *named])
