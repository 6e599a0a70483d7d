"""Evidence: what a machine found when it was asked one question, and how long that took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

Kind = Literal[
    "smt",
    "sympy",
    "units",
    "limit",
    "enumeration",
    "simulation",
    "montecarlo",
    "accounting",
]
Status = Literal["proved", "refuted", "vacuous", "unknown"]


@dataclass(frozen=True)
class Evidence:
    """The answer to one question.

    name: the question, in words. kind: the sort of machine asked; smt for what is made of `parts`. status: its answer; `vacuous` means
    that the hypotheses contradict each other, so that anything follows; that is never counted as a proof.
    needed, unneeded: the printed hypotheses without which the answer changes, and the others.
    model: exact values that satisfy the hypotheses and break the goal, where the status is `refuted`.
    second: the second solver's answer, where it was asked. detail: anything a reader should know.
    uses: the nodes or claims that this one rests on.
    """

    name: str
    kind: Kind
    status: Status
    seconds: float
    solver: str = ""
    needed: tuple[str, ...] = ()
    unneeded: tuple[str, ...] = ()
    model: dict[str, Fraction] | None = None
    second: str = ""
    detail: str = ""
    uses: tuple[str, ...] = ()
    parts: tuple[Evidence, ...] = field(default=())

    @property
    def ok(self) -> bool:
        """Whether the question was answered with a proof."""
        return self.status == "proved"


def worst(parts: Sequence[Evidence]) -> Status:
    """The status of what rests on parts that are not all proved."""
    order: tuple[Status, ...] = ("vacuous", "refuted")
    for status in order:
        if any(part.status == status for part in parts):
            return status
    return "unknown"


def union(groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Each name once."""
    return tuple(dict.fromkeys(name for group in groups for name in group))
