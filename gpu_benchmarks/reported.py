"""What the papers print about their experiments: `reported.toml`, read and checked. No torch here.

A `Number` says where it stands, what it is a number of (metric, parameters, what was tuned over), and what
was printed. `verdict` is the acceptance rule of the file, written before any full run.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from gpu_benchmarks.accuracies import COMMUNICATIONS
from gpu_benchmarks.config import from_dict
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.linear.datasets import DATA
from gpu_benchmarks.linear.federation import METHODS as METHODS_LINEAR
from gpu_benchmarks.parsing import parse_toml
from gpu_benchmarks.readings import ACCURACIES
from gpu_benchmarks.records import is_finite, is_schema
from methods.terminal.console import near, shown, spelled

PATH = Path(__file__).parent / "reported.toml"
PAPERS = ("alpha-normec", "fed-alpha-normec", "dp-normfedavg")
METRICS = (*ACCURACIES, *COMMUNICATIONS)
KINDS = ("value", "difference", "spread")
SETTINGS = ("non-private", "private", "linear")
FITTED = "fitted"
_GROUP = {
    "paper", "place", "metric", "kind", "setting", "unit", "note", "config", "over", "minus", "number",
    "printed_runs", "metric_open",
}  # fmt: skip
_NUMBER = {
    "id", "printed", "value", "low", "high", "at_most", "at_least", "std", "within", "fitted", "config",
}  # fmt: skip


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _table(value: Any) -> bool:
    return isinstance(value, dict)


def _not_negative(value: Any) -> bool:
    return is_finite(value) and value >= 0


def _one_of(options: Sequence[str]) -> tuple[Callable[[Any], bool], str]:
    return lambda value: value in options, f"one of {', '.join(options)}"


_DOMAINS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "schema": (lambda value: is_schema(value, 1), "1"),
    "paper": _one_of(PAPERS),
    "metric": _one_of(METRICS),
    "kind": _one_of(KINDS),
    "setting": _one_of(SETTINGS),
    "printed_runs": (lambda value: type(value) is int and value >= 1, "a whole number of at least 1"),
    "over": (
        lambda value: _table(value) and all(isinstance(some, list) and some for some in value.values()),
        "a table of lists",
    ),
    **dict.fromkeys(("rule", "config", "minus"), (_table, "a table")),
    **dict.fromkeys(("group", "number"), (lambda value: isinstance(value, list), "a list of tables")),
    **dict.fromkeys(("id", "place", "printed", "unit", "note", "metric_open", "fitted"), (_text, "words")),
    **dict.fromkeys(("value", "low", "high", "at_most", "at_least"), (is_finite, "a finite number")),
    **dict.fromkeys(
        ("tolerance", "floor", "z", "std", "within"), (_not_negative, "a finite number of at least 0")
    ),
}
"""What each entry of the file must be: a test, and the same in words."""
_LINEAR: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "data": _one_of(tuple(DATA)),
    "method": _one_of(METHODS_LINEAR),
    "epsilon": (lambda value: is_finite(value) and value > 0, "a finite number above 0"),
    **dict.fromkeys(
        ("clients", "participants", "local_steps"),
        (lambda value: type(value) is int and value >= 1, "a whole number of at least 1"),
    ),
}
"""The same of the parameters of a linear run; those of the others are a `Config`'s."""


@dataclass(frozen=True)
class Rule:
    """|ours − printed| <= tolerance + z · max(s, floor) · √(1/n + 1/printed_runs); see the file."""

    tolerance: float
    floor: float
    z: float


@dataclass(frozen=True)
class Number:
    """One printed number: the interval [low, high], a single value where they are equal; low = −inf for "at
    most".

    metric_open: what the paper leaves open about the metric, "" where it says which one it prints.
    config: parameters of the runs it comes from. over: what the best is taken over (kind value), or the
    largest minus the smallest (kind spread). minus: what is different in the runs that are subtracted (kind
    difference). fitted: the constant of ours that this number chose, "" where it chose none: meeting it again is no test.
    """

    id: str
    paper: str
    place: str
    printed: str
    low: float
    high: float
    metric: str
    kind: str
    setting: str
    unit: str
    config: Mapping[str, Any]
    over: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    minus: Mapping[str, Any] = field(default_factory=dict)
    std: float | None = None
    within: float | None = None
    printed_runs: int = 1
    note: str = ""
    metric_open: str = ""
    fitted: str = ""

    @property
    def plain(self) -> str:
        """What is printed, without its mathematics mark-up."""
        return self.printed.replace("\\%", "%")

    def cells(self) -> list[dict[str, Any]]:
        """The parameters of each cell of the grid that was searched; one cell where nothing was."""
        names = list(self.over)
        return [
            dict(self.config) | dict(zip(names, values, strict=True))
            for values in product(*self.over.values())
        ]

    def distance(self, mean: float) -> float:
        """Of ours from the printed number, or from the nearer end of a printed range; 0 inside it."""
        return max(self.low - mean, mean - self.high, 0.0)


@dataclass(frozen=True)
class Reported:
    """What `reported.toml` holds: the rule, and every printed number in the order of the file."""

    rule: Rule
    numbers: tuple[Number, ...]


def reach(rule: Rule, number: Number, std: float, n: int) -> float:
    """How far from the printed number ours may lie: the right-hand side of the rule.

    std: standard deviation over our n runs, 0 for one. A printed deviation takes the place of the floor.
    """
    if number.unit != "%":
        return number.within or 0.0
    level = number.kind == "value"
    floor = rule.floor * (1.0 if level else math.sqrt(2)) if number.std is None else number.std
    tolerance = (rule.tolerance if level else 0.0) if number.within is None else number.within
    return tolerance + rule.z * max(std, floor) * math.sqrt(1 / n + 1 / number.printed_runs)


def verdict(rule: Rule, number: Number, mean: float, std: float, n: int) -> str:
    """`reproduced` or `not reproduced`, by the rule."""
    return "reproduced" if number.distance(mean) <= reach(rule, number, std, n) else "not reproduced"


@dataclass(frozen=True)
class Decided:
    """Mean and standard deviation of our runs, the verdict of the rule, and how far off it lets them be."""

    mean: float
    std: float
    verdict: str
    allowed: float


def decide(rule: Rule, number: Number, values: Collection[float]) -> Decided:
    """By the rule, of the numbers of our runs as they were measured: what is rounded for a table decides nothing."""
    mean = statistics.fmean(values)
    std = statistics.stdev(values) if len(values) > 1 and math.isfinite(mean) else 0.0
    n = len(values)
    return Decided(mean, std, verdict(rule, number, mean, std, n), reach(rule, number, std, n))


def told(number: Number, decided: str) -> str:
    """A verdict as it is counted and shown: `FITTED` where a number is met that one of our constants was chosen by."""
    return FITTED if number.fitted and decided == "reproduced" else decided


def load(path: Path = PATH) -> Reported:
    """Raises `InputError` naming the entry that is not what it must be."""
    try:
        data = parse_toml(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(f"{path}: not valid TOML ({error})") from None
    _check(f"{path}, the file", data, {"schema", "rule", "group"}, {"schema", "rule", "group"})
    _check(f"{path}, rule", data["rule"], {"tolerance", "floor", "z"}, {"tolerance", "floor", "z"})
    numbers = []
    for position, group in enumerate(data["group"]):
        where = f"{path}, group {position + 1}"
        _check(where, group, _GROUP, {"paper", "place", "metric", "setting", "config", "number"})
        if "metric_open" in group and group["metric"] not in ACCURACIES:
            raise InputError(
                f"{where}: metric_open needs one of the accuracies {', '.join(ACCURACIES)} as its metric, "
                f"found {group['metric']!r}"
            )
        for kind, needed in (("difference", "minus"), ("spread", "over")):
            if group.get("kind") == kind and not group.get(needed):
                raise InputError(f"{where}: kind = {kind!r} needs {needed}")
        numbers += [_number(where, group, entry) for entry in group["number"]]
    ids = [number.id for number in numbers]
    if repeated := {name for name in ids if ids.count(name) > 1}:
        raise InputError(f"{path}: ids occur twice: {', '.join(sorted(repeated))}")
    return Reported(Rule(**{name: float(value) for name, value in data["rule"].items()}), tuple(numbers))


def _number(where: str, group: Mapping[str, Any], entry: Any) -> Number:
    _check(f"{where}, a number", entry, _NUMBER, {"id", "printed", "config"})
    where = f"{where}, {entry['id']}"
    given = {"value", "low", "high", "at_most", "at_least"} & set(entry)
    if given == {"value"}:
        low = high = entry["value"]
    elif given == {"low", "high"}:
        low, high = entry["low"], entry["high"]
    elif given == {"at_most"}:
        low, high = -math.inf, entry["at_most"]
    elif given == {"at_least"}:
        low, high = entry["at_least"], math.inf
    else:
        raise InputError(f"{where}: give value, low and high, at_most or at_least; found {sorted(given)}")
    if not low <= high:
        raise InputError(f"{where}: low = {low} and high = {high} are no interval")
    clash = set(entry["config"]) & set(group["config"]) | set(group.get("over", {})) & set(entry["config"])
    if clash:
        raise InputError(f"{where}: {', '.join(sorted(clash))} set twice")
    number = Number(
        id=entry["id"],
        paper=group["paper"],
        place=group["place"],
        printed=entry["printed"],
        low=float(low),
        high=float(high),
        metric=group["metric"],
        kind=group.get("kind", "value"),
        setting=group["setting"],
        unit=group.get("unit", "%"),
        config=group["config"] | entry["config"],
        over={name: tuple(values) for name, values in group.get("over", {}).items()},
        minus=group.get("minus", {}),
        std=entry.get("std"),
        within=entry.get("within"),
        printed_runs=group.get("printed_runs", 1),
        note=group.get("note", ""),
        metric_open=group.get("metric_open", ""),
        fitted=entry.get("fitted", ""),
    )
    for cell in (*number.cells(), {**number.config, **number.minus}):
        if number.setting != "linear":
            from_dict(cell, where)
        else:
            _check(f"{where}, config", cell, set(_LINEAR), {"data", "method"}, _LINEAR)
    return number


def _check(
    where: str,
    table: Any,
    allowed: set[str],
    needed: set[str],
    domains: Mapping[str, tuple[Callable[[Any], bool], str]] = _DOMAINS,
) -> None:
    """Raise `InputError` for a key that is unknown or missing, and for a value outside its domain."""
    if not isinstance(table, dict):
        raise InputError(f"{where}: expected a table, found {shown(table)}")
    if unknown := sorted(set(table) - allowed):
        raise InputError(
            f"{where}: unknown {', '.join(map(spelled, unknown))}{near(unknown[0], allowed)}; known: {', '.join(sorted(allowed))}"
        )
    if missing := needed - set(table):
        raise InputError(f"{where}: {', '.join(sorted(missing))} missing")
    for name, value in table.items():
        good, domain = domains[name]
        if not good(value):
            raise InputError(f"{where}: {name} = {shown(value)} must be {domain}")
