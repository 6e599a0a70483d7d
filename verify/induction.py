"""Induction over the rounds, the clients or the local steps: a node made of two obligations."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import sympy

from verify.evidence import Evidence, union, worst
from verify.facts import Fact
from verify.obligation import Obligation, Settings


@dataclass(frozen=True)
class Induction:
    """`invariant` for every natural number, from two obligations.

    start: values of the invariant's letters at 0. next: their values one step later. base and step are obligations:
    base concludes the invariant at 0; step is given the invariant (and what links a step to the next) and concludes it
    one step later.
    """

    name: str
    invariant: Fact
    base: Obligation
    step: Obligation
    start: tuple[tuple[sympy.Basic, object], ...]
    next: tuple[tuple[sympy.Basic, object], ...]

    def __post_init__(self) -> None:
        if self.invariant.origin != "derived":
            raise ValueError(f"'{self.invariant.name}' is shown by induction and so derived")

    @property
    def given(self) -> tuple[Fact, ...]:
        """What both obligations use, but for the induction hypothesis itself."""
        own = [fact for fact in self.step.given if fact.root != self.invariant.root]
        return (*self.base.given, *own)

    @property
    def conclusion(self) -> Fact:
        return self.invariant

    def _unsound(self) -> str:
        """Why the step may not be given what it is given, if so. It may use the invariant where it stands, and nothing about
        letters that belong to the start: what holds of r⁰ need not hold of rᵏ. Each letter that starts somewhere moves on: what
        does not has this one value, which the conclusion would give to it everywhere."""
        moved = {letter for letter, value in self.next if letter != value}
        if still := sorted(moved ^ {letter for letter, _ in self.start}, key=str):
            return f"{still[0]} has no start or does not move"
        for fact in self.step.given:
            if fact.root == self.invariant.root and fact.relation != self.invariant.relation:
                return f"the step is given the invariant elsewhere: {fact.relation}"
        later = self.invariant.relation.free_symbols.union(*(_letters(value) for _, value in self.next))
        first = set().union(*(_letters(value) for _, value in self.start)) - later
        borrowed = [fact.name for fact in self.step.given if fact.relation.free_symbols & first]
        return f"the step is given '{borrowed[0]}', which is about the start alone" if borrowed else ""

    def discharge(self, settings: Settings) -> Evidence:
        begin = time.perf_counter()
        parts = (self.base.discharge(settings), self.step.discharge(settings))
        expected = (self.invariant.at(dict(self.start)).relation, self.invariant.at(dict(self.next)).relation)
        found = (self.base.goal.relation, self.step.goal.relation)
        gap = [which for which, a, b in zip(("base", "step"), expected, found, strict=True) if a != b]
        status = "proved" if all(part.ok for part in parts) and not gap else worst(parts)
        detail = f"the {' and '.join(gap)} does not conclude the invariant" if gap else ""
        detail = self._unsound() or detail
        if detail:
            status = "unknown"
        return Evidence(
            self.name, "smt", status, time.perf_counter() - begin, parts[0].solver,
            needed=union(p.needed for p in parts), unneeded=(), detail=detail, parts=parts,
        )  # fmt: skip


def given_to(node: Any) -> tuple[Fact, ...]:
    """What a node is given; of an induction what both its obligations are, the invariant too."""
    return (*node.base.given, *node.step.given) if isinstance(node, Induction) else node.given


def _letters(value: object) -> set[Any]:
    return sympy.sympify(value).free_symbols
