"""What the papers say in words of their experiments, asked of our runs. Pure functions; no torch.

`sentences.toml` has the sentences. A comparison of two settings does not feel what shifts both, a reading of ours for one. No verdict:
the rule that was written before the runs is for numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from gpu_benchmarks.accuracies import COMMUNICATIONS
from gpu_benchmarks.comparison import in_part, ours_under
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.orders import CLOSE, OPPOSITE, SAME, reach_of_difference
from gpu_benchmarks.parsing import parse_toml
from gpu_benchmarks.protocols import Protocol, protocol_of
from gpu_benchmarks.records import Record
from gpu_benchmarks.reported import METRICS, PAPERS, SETTINGS, Number, Reported, Rule
from gpu_benchmarks.rows import Ours, Row
from gpu_benchmarks.training_methods import METHODS

PATH = Path(__file__).parent / "sentences.toml"
SAYS = ("order", "best", "same")
APART, OPEN = "not alike", "not run"
LETTERS = {"alpha": "α", "beta": "β", "participation": "p", "rounds": "K"}


@dataclass(frozen=True)
class Sentence:
    """One sentence of a paper, as `sentences.toml` has it; id is that of the claim with its words."""

    id: str
    paper: str
    place: str
    says: str
    metric: str
    setting: str
    config: Mapping[str, Any]
    along: Mapping[str, Sequence[Any]]
    over: Mapping[str, Sequence[Any]]
    each: Mapping[str, Sequence[Any]]

    def pairs(self) -> list[tuple[Any, Any]]:
        """The values of `along` that are compared, the better one first; of "same", all are taken together."""
        (values,) = self.along.values()
        return list(pairwise(values)) if self.says == "order" else [(values[0], v) for v in values[1:]]


@dataclass(frozen=True)
class Answer:
    """asked: the comparison. ours: what it compares, None for a side without runs; communications to a target that was never
    reached are infinite. reach: how far seeds alone may move the difference; 0 of communications, whose deviation is not known.
    cells: how many of the grids that are tuned over were run, of how many; what they give is the best so far where some were not.
    """

    id: str
    paper: str
    place: str
    metric: str
    asked: str
    ours: tuple[float | None, ...]
    reach: float | None
    cells: tuple[int, int]
    standing: str

    @property
    def told(self) -> str:
        """What is compared, as it is shown."""
        shown = ("–" if v is None else f"{v:.2f}" if math.isfinite(v) else "never" for v in self.ours)
        return ", ".join(shown)

    def to_dict(self) -> dict[str, Any]:
        finite = [v if v is not None and math.isfinite(v) else None for v in self.ours]
        return asdict(self) | {"ours": finite, "cells": list(self.cells), "told": self.told}


def load(path: Path = PATH) -> list[Sentence]:
    """Raises `InputError` for a file that cannot be read or is none of sentences."""
    try:
        found = [
            Sentence(**{"over": {}, "each": {}} | entry)
            for entry in parse_toml(path.read_text("utf-8"))["sentence"]
        ]
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except (TypeError, KeyError, ValueError) as error:
        raise InputError(f"{path}: no file of sentences ({error})") from None
    for sentence in found:
        for name, options in (("paper", PAPERS), ("says", SAYS), ("metric", METRICS), ("setting", SETTINGS)):
            if getattr(sentence, name) not in options:
                raise InputError(f"{path}, {sentence.id}: {name} must be one of {', '.join(options)}")
        if len(sentence.along) != 1 or min(map(len, sentence.along.values())) < 2:
            raise InputError(f"{path}, {sentence.id}: along must be one parameter with two values or more")
    return found


def answers(printed: Reported, rows: Iterable[Row], records: Sequence[Record]) -> list[Answer]:
    """What our full runs say to every comparison, under the readings that are used for the printed numbers of its setting."""
    chosen = {(row.number.paper, row.number.setting): row.ours.protocol for row in rows if row.ours}
    found: list[Answer] = []
    for sentence in load():
        protocol = chosen.get((sentence.paper, sentence.setting), ())
        own = [r for r in records if r.config.full and protocol_of(r.config) == protocol]
        for where in _grid(sentence.each):
            found += _asked(printed.rule, sentence, where, protocol, own)
    return found


def counted(standings: Iterable[str]) -> str:
    """How many comparisons stand how; those that were not run last."""
    found = list(standings)
    return ", ".join(f"{found.count(s)} {s}" for s in (SAME, OPPOSITE, APART, CLOSE, OPEN) if s in found)


def _asked(
    rule: Rule, sentence: Sentence, where: Mapping[str, Any], protocol: Protocol, records: Sequence[Record]
) -> Iterator[Answer]:
    ((name, values),) = sentence.along.items()
    sides = {value: _side(rule, sentence, {**where, name: value}, protocol, records) for value in values}
    at = "".join(f", {_told(key, value)}" for key, value in where.items())
    if sentence.says == "same":
        told = ", ".join(_told(name, value) for value in values)
        yield _answer(rule, sentence, f"{told} alike{at}", list(sides.values()))
        return
    for better, worse in sentence.pairs():
        asked = f"{_told(name, better)} better than {_told(name, worse)}{at}"
        yield _answer(rule, sentence, asked, [sides[better], sides[worse]])


def _side(
    rule: Rule, sentence: Sentence, config: Mapping[str, Any], protocol: Protocol, records: Sequence[Record]
) -> Ours:
    """Ours for one setting, of all the cells that it is tuned over or of those that have runs."""
    unit = "communications" if sentence.metric in COMMUNICATIONS else "%"
    number = Number(
        id=sentence.id,
        paper=sentence.paper,
        place=sentence.place,
        printed="",
        low=-math.inf,
        high=math.inf,
        metric=sentence.metric,
        kind="value",
        setting=sentence.setting,
        unit=unit,
        config={**sentence.config, **config},
        over={key: tuple(values) for key, values in sentence.over.items()},
    )
    whole = ours_under(rule, number, protocol, records)
    if whole is not None and whole.mean is not None:
        return whole
    nothing = Ours(protocol, None, 0.0, (), 0, len(number.cells()), "", OPEN)
    return next(iter(in_part(rule, number, protocol, records)), nothing)


def _answer(rule: Rule, sentence: Sentence, asked: str, sides: Sequence[Ours]) -> Answer:
    means = [side.mean for side in sides if side.mean is not None]
    ours = tuple(side.mean for side in sides)
    of = sentence.id, sentence.paper, sentence.place, sentence.metric
    cells = sum(side.cells for side in sides), sum(side.of for side in sides)
    if len(means) < len(sides):
        return Answer(*of, asked, ours, None, cells, OPEN)
    fewer = sentence.metric in COMMUNICATIONS
    ends = sides[means.index(min(means))], sides[means.index(max(means))]
    reach = 0.0 if fewer else reach_of_difference(rule, *((side.std, len(side.seeds)) for side in ends))
    alike = min(means) == max(means) or max(means) - min(means) <= reach  # none is reached: ∞ = ∞
    if sentence.says == "same":
        standing = SAME if alike else APART
    elif alike:
        standing = CLOSE
    else:
        standing = SAME if means[0] == (min if fewer else max)(means) else OPPOSITE
    return Answer(*of, asked, ours, reach, cells, standing)


def _grid(each: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(each, values, strict=True)) for values in product(*each.values())]


def _told(name: str, value: Any) -> str:
    if name == "server_normalisation":
        return "with server normalisation" if value else "without"
    if name == "method":
        return METHODS[value].name
    return f"{LETTERS[name]} = {value:g}"
