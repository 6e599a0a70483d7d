"""Which of two methods is the better: the pairs that Appendix I of α-NormEC compares, as printed and in our runs; in which round
our runs first reach the printed accuracies, and what shorter runs would make of them. Pure functions; no torch.

A difference of two methods does not feel what shifts all of them, a reading of ours for one. No verdict: the rule that was written
before the runs is for numbers, and these differences are printed as none (but for NEC-I23-GAIN, which is in the table).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gpu_benchmarks.accuracies import LAST
from gpu_benchmarks.comparison import of_cell
from gpu_benchmarks.protocols import protocol_of
from gpu_benchmarks.records import Record
from gpu_benchmarks.reported import Number, Reported, Rule, decide
from gpu_benchmarks.rows import Row

METHOD = "NEC-F8-NORMEC"
NAMES = {
    METHOD: "α-NormEC",
    "NEC-F8-DPSGD": "DP-SGD, smoothed",
    "NEC-T2-SN": "α-NormEC, server-normalised",
    "NEC-F11-CLIP21": "Clip21",
}
AGAINST = {
    "NEC-F8-DPSGD": "I.2.2, Figure 8",
    "NEC-T2-SN": "I.2.3, Table 2",
    "NEC-F11-CLIP21": "I.2.4, Figure 11",
}
"""α-NormEC without server normalisation, and what it is compared with: the beginnings of ids, which end with β."""
BETAS = ("0.01", "0.1", "1", "10")
SAME, OPPOSITE, CLOSE = "as printed", "the other way round", "too close to tell"


@dataclass(frozen=True)
class Order:
    """first, second: ids of the printed numbers. printed, ours: the first final accuracy minus the second, percentage points.
    reach: what seeds may make of ours, z · √(Σ max(s, floor)²/n), and `printed_reach` of the printed one. losses: mean training loss
    of either in its last round, None where a run diverged.
    """

    place: str
    first: str
    second: str
    printed: float
    ours: float
    reach: float
    printed_reach: float
    losses: tuple[float | None, float | None]

    @property
    def standing(self) -> str:
        if abs(self.ours) <= self.reach or abs(self.printed) <= self.printed_reach:
            return CLOSE
        return SAME if (self.ours > 0) == (self.printed > 0) else OPPOSITE

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"losses": list(self.losses), "standing": self.standing}


@dataclass(frozen=True)
class Overtaken:
    """A printed final accuracy that our runs end above, by so many points. at: the round in which their mean over five rounds first
    reaches it.
    """

    id: str
    printed: float
    by: float
    at: int
    of: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Shorter:
    """What runs that ended sooner, all after `at` of their `of` rounds, would make of the printed final accuracies: the ids that are
    met then, and those that are met after all rounds. `at` is chosen so that the most are met: a look back, no verdict.
    """

    at: int
    of: int
    met: tuple[str, ...]
    missed: tuple[str, ...]
    whole: tuple[str, ...]

    @property
    def told(self) -> str:
        asked = len(self.met) + len(self.missed)
        return (
            f"of all {asked}, {len(self.whole)} are met by the rule after {self.of} rounds, and {len(self.met)} after {self.at}, "
            "the number of rounds that meets the most"
        )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"told": self.told}


@dataclass(frozen=True)
class _Whole:
    """A printed final accuracy that full runs speak of."""

    number: Number
    mean: float
    std: float
    runs: tuple[Record, ...]

    def tested(self) -> list[list[float]]:
        """The test accuracies of each run by round; none where one has a gap."""
        curves = [run.metrics["test_accuracy"] for run in self.runs]
        known = [[value for value in curve if value is not None] for curve in curves]
        return known if known == curves else []

    def loss(self) -> float | None:
        last = [run.metrics["train_loss"][-1] for run in self.runs if run.status == "complete"]
        known = [loss for loss in last if loss is not None]
        return statistics.fmean(known) if len(known) == len(self.runs) else None


def orders(printed: Reported, rows: Iterable[Row], records: Sequence[Record]) -> list[Order]:
    """The pairs of which both have runs, under the one choice of readings that is used for all of them."""
    whole = _whole(rows, records)
    pairs = [
        (place, whole.get(f"{METHOD}-{beta}"), whole.get(f"{other}-{beta}"))
        for other, place in AGAINST.items()
        for beta in BETAS
    ]
    return [
        Order(
            place,
            first.number.id,
            second.number.id,
            first.number.high - second.number.high,
            first.mean - second.mean,
            reach_of_difference(printed.rule, *((w.std, len(w.runs)) for w in (first, second))),
            reach_of_difference(printed.rule, *((0.0, w.number.printed_runs) for w in (first, second))),
            (first.loss(), second.loss()),
        )
        for place, first, second in pairs
        if first is not None and second is not None
    ]


def overtaken(rows: Iterable[Row], records: Sequence[Record]) -> list[Overtaken]:
    """Of the numbers that pairs are made of, with a partner or without, those that the runs end above."""
    found = []
    for name, whole in _whole(rows, records).items():
        high, curves = whole.number.high, whole.tested()
        if whole.mean <= high or not curves:
            continue
        mean = [statistics.fmean(values) for values in zip(*curves, strict=False)]
        ends = range(LAST, len(mean) + 1)
        at = next((k for k in ends if statistics.fmean(mean[k - LAST : k]) >= high), None)
        if at is not None:
            found.append(Overtaken(name, high, whole.mean - high, at, len(mean)))
    return found


def shorter(rule: Rule, rows: Iterable[Row], records: Sequence[Record]) -> Shorter | None:
    """Of all numbers that pairs are made of, with a partner or without: whether one smaller number of rounds, the same for all, would
    have met more of them by the rule. A constant step size makes the beginning of a run a run. Accuracies are means over
    `LAST` rounds, as in `overtaken`; of numbers of rounds that meet as many the largest counts. None where all rounds do as well.
    """
    whole = _whole(rows, records)
    runs = {name: (own.number, curves) for name, own in whole.items() if (curves := own.tested())}
    lengths = {len(curve) for _, curves in runs.values() for curve in curves}
    if len(lengths) != 1:
        return None
    (of,) = lengths

    def met(at: int) -> tuple[str, ...]:
        return tuple(
            name
            for name, (number, curves) in runs.items()
            if decide(rule, number, [statistics.fmean(curve[at - LAST : at]) for curve in curves]).verdict
            == "reproduced"
        )

    by_rounds = {at: met(at) for at in range(LAST, of + 1)}
    at = max(by_rounds, key=lambda k: (len(by_rounds[k]), k))
    if at == of:
        return None
    return Shorter(
        at, of, by_rounds[at], tuple(name for name in runs if name not in by_rounds[at]), by_rounds[of]
    )


def curves(rows: Iterable[Row], records: Sequence[Record]) -> list[dict[str, Any]]:
    """Of each number that full runs speak of: whose it is, β, printed, and by round the means of training loss and test accuracy over
    the runs, None where one has none.
    """
    return [
        {
            "id": name,
            "method": next(words for begins, words in NAMES.items() if name.startswith(begins)),
            "beta": whole.number.config["beta"],
            "printed": whole.number.high,
            "train_loss": _mean([run.metrics["train_loss"] for run in whole.runs]),
            "test_accuracy": _mean([run.metrics["test_accuracy"] for run in whole.runs]),
        }
        for name, whole in _whole(rows, records).items()
    ]


def _mean(of_runs: Sequence[Sequence[float | None]]) -> list[float | None]:
    rounds = zip(*of_runs, strict=False)
    return [
        None if None in values else statistics.fmean(v for v in values if v is not None) for values in rounds
    ]


def counted(found: Iterable[Mapping[str, Any]]) -> str:
    """How many pairs stand how."""
    standings = [order["standing"] for order in found]
    return ", ".join(f"{standings.count(s)} {s}" for s in (SAME, OPPOSITE, CLOSE) if s in standings)


def _whole(rows: Iterable[Row], records: Sequence[Record]) -> dict[str, _Whole]:
    """By id, the numbers of all pairs that have a mean, with the runs behind it."""
    found = {}
    for row in rows:
        number, ours = row.number, row.ours
        if number.id.startswith((METHOD, *AGAINST)) and ours is not None and ours.whole is not None:
            own = [r for r in records if r.config.full and protocol_of(r.config) == ours.protocol]
            runs = tuple(of_cell(number.config, own))
            found[number.id] = _Whole(number, ours.whole, ours.std, runs)
    return found


def reach_of_difference(rule: Rule, *both: tuple[float, int]) -> float:
    """How far seeds alone may move a difference of two: z · √(Σ max(s, floor)²/n). both: of either, standard deviation and runs."""
    return rule.z * math.sqrt(sum(max(std, rule.floor) ** 2 / runs for std, runs in both))
