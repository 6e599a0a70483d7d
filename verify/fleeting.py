"""Signs that definitions give to what an induction runs through, or to what stands in its place, and that this may lose.

A definition "s ≥ 0" of the sum after k steps says so after every number of steps. It has to hold at the start and to last from each
step to the next, as far as some induction that runs through the letter is told; or, where no step of an induction is given it, from
the first step on: after the last one, if there was one, a sum may be of more than nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from bounds.symbols import Symbol
from verify.existence import letters
from verify.facts import Fact, replaced
from verify.relations import holds, is_sign, parts_of, within
from verify.running import Ran, counters, nested


def fleeting(
    nodes: Sequence[Any],
    definitions: Sequence[Fact],
    stated: Set[Any],
    table: Mapping[str, Symbol],
    printed: frozenset[Any],
    ran: Ran,
) -> Iterator[str]:
    """Signs that need not hold in every step that is given them, in words. The arguments are those of
    `every_step.not_in_every_step`."""
    proof = _Proof(nodes, definitions, stated, table, printed, ran)
    given = (fact for node in proof.inductions for fact in node.step.given if fact.origin == "definition")
    told = {part for fact in given for part in parts_of(fact.relation)}
    signs = {(p, fact.name) for fact in definitions for p in parts_of(fact.relation) if is_sign(p)}
    for sign, name in sorted(signs, key=str):
        stands_for = {old for old, image in ran.places if image == sign.lhs} | {sign.lhs}
        faults = []
        for old in sorted(stands_for & proof.running.keys(), key=str):
            if sign in told:
                faults.append(proof.fault(sign.func(old, sign.rhs), old))
            elif old not in proof.counted:
                faults.append(proof.fault_once_begun(sign.func(old, sign.rhs), sign, old))
        if faults and all(faults):
            yield f"a step is given '{name}', which need not hold in every step: not {faults[0]}"


@dataclass(frozen=True)
class _Proof:
    """What `fleeting` is told, and what follows from it."""

    nodes: Sequence[Any]
    definitions: Sequence[Fact]
    stated: Set[Any]
    table: Mapping[str, Symbol]
    printed: frozenset[Any]
    ran: Ran

    @cached_property
    def inductions(self) -> tuple[Any, ...]:
        return tuple(node for node in nested(self.nodes) if hasattr(node, "invariant"))

    @cached_property
    def running(self) -> dict[Any, list[Any]]:
        """The letters that inductions run through, each with these inductions."""
        found: dict[Any, list[Any]] = {}
        for node in self.inductions:
            for letter in dict(node.start):
                found.setdefault(letter, []).append(node)
        return found

    @cached_property
    def counted(self) -> dict[Any, int]:
        return counters(self.nodes)

    @cached_property
    def plain(self) -> frozenset[Any]:
        """The hypotheses, and the signs and equations of definitions."""
        parts = {part for fact in self.definitions for part in parts_of(fact.relation)}
        return self.printed | {part for part in parts if is_sign(part) or isinstance(part, sympy.Eq)}

    @cached_property
    def steady(self) -> frozenset[Any]:
        """Those that speak of no letter which an induction runs through."""
        return frozenset(fact for fact in self.plain if not fact.free_symbols & self.running.keys())

    @cached_property
    def assumed(self) -> frozenset[Any]:
        return frozenset(part for fact in self.printed for part in parts_of(fact))

    @cached_property
    def kept(self) -> frozenset[Any]:
        """That what starts at 0 or above stays there, where a letter of the proof's own is what it is one step later: it may."""
        moves = ((n, letter) for n in self.inductions for letter, then in n.next if self._is_own(then))
        starts = ((letter, dict(node.start)[letter]) for node, letter in moves)
        return frozenset(letter >= 0 for letter, first in starts if sympy.sympify(first).is_nonnegative)

    def fault(self, sign: Any, letter: Any) -> str:
        """Where the sign of a letter that is run through fails; empty where it holds in every step."""
        if not any(self._has(sign, n.start, n.base.given, self.steady) for n in self.running[letter]):
            return "at the start"
        return "" if self._lasts(sign, sign, letter) else "one step later"

    def fault_once_begun(self, sign: Any, stands: Any, letter: Any) -> str:
        """Where a sign fails that is taken after at least one step; where nothing counts them, that there was one is left to the
        reader. stands: the sign as the definition has it, of what stands in the letter's place."""
        if stands in self.assumed or not self.fault(sign, letter):
            return ""
        if sign.func(0, sign.rhs) == sympy.true:
            return self.fault(letter >= 0, letter)
        if not self._after_a_step(stands, letter):
            return "where there was no step"
        return self.fault(letter >= 0, letter) if self._lasts(sign, letter >= 0, letter) else "one step later"

    def _after_a_step(self, stands: Any, letter: Any) -> bool:
        """Whether every step that is given the sign takes the letter after at least one step, as far as these are counted."""
        begins = [int(first) for n in self.running[letter] for i, first in n.start if i in self.counted]
        for time in [time for part, time in self.ran.signs if part == stands] if begins else ():
            known = self.plain | {bound for s in time.free_symbols for bound in within(s, self.table)}
            if not time or not all(holds(sympy.Ge(time[0], first + 1), known) for first in begins):
                return False
        return True

    def _lasts(self, sign: Any, before: Any, letter: Any) -> bool:
        """Whether the letter has the sign one step after it had the one before."""
        known = self.plain | self.kept | {before}
        return any(self._has(sign, n.next, n.step.given, known) for n in self.running[letter])

    def _has(
        self, sign: Any, values: Sequence[tuple[Any, Any]], given: Sequence[Fact], known: frozenset[Any]
    ) -> bool:
        """Whether the sign holds where its letters have the values."""
        there = replaced(sign, tuple(values))
        if is_sign(there) and self._is_own(there.lhs):
            return True  # it may be what a letter of the proof's own means
        known |= {fact.relation for fact in given}
        known |= {bound for letter in there.free_symbols for bound in within(letter, self.table)}
        alone = frozenset(fact for fact in known if letters(fact) <= letters(there))
        return holds(there, alone) or holds(there, known)

    def _is_own(self, value: Any) -> bool:
        return value.is_Symbol and value not in self.running and value not in self.stated
