"""What the inductions of a proof run through: letters that stand for another number in each step, and for the time of which a
conclusion speaks.

An induction shows what it concludes of a sum after k steps, of no other number and of the sum after no other number of steps. So the
letter of such a sum, or the letter that takes its place in an instance, belongs to the number of steps of which it was shown: a
step that is given "x = k" of the sum after k steps and "x = K" of that after K would show that k = K.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import sympy

from bounds.symbols import Symbol
from verify.facts import Fact, replaced
from verify.induction import given_to
from verify.relations import is_sign, parts_of

Times = dict[tuple[Any, frozenset[Any]], Any]
"""For letters, and since when steps are counted, the number of steps after which they are what they are, empty where nothing counts
them. They are counted from the start, where no letters are named, or from where a letter of the proof's own is what it is."""


def counters(nodes: Iterable[Any]) -> dict[Any, int]:
    """Letters that an induction counts, one more in each step, with the whole number at the start."""
    found: dict[Any, int] = {}
    for node in nodes:
        later = dict(getattr(node, "next", ()))
        starts = ((i, sympy.sympify(first)) for i, first in getattr(node, "start", ()))
        found |= {i: int(first) for i, first in starts if first.is_Integer and later.get(i) == i + 1}
        cited = getattr(node, "proof", None)
        found |= counters(getattr(node, "nodes", ())) | counters(cited.nodes if cited else ())
    return found


def nested(nodes: Iterable[Any]) -> Iterator[Any]:
    """Nodes, and those within cases."""
    for node in nodes:
        yield node
        yield from nested(getattr(node, "nodes", ()))


def not_run_through(nodes: Iterable[Any], stated: Set[Any], table: Mapping[str, Symbol]) -> Iterator[str]:
    """Numbers of the paper, of which hypotheses speak, as letters that an induction runs through: it would show of R = 0, 0, … what
    is then said of every R ≥ 0. And what a case assumes, which holds of one of the numbers that a letter runs through."""
    for node in nested(nodes):
        for letter, _ in getattr(node, "start", ()):
            if letter in stated and str(letter) in table:
                yield f"'{node.name}' runs through {letter}, which is any number that the hypotheses allow"
        if case := getattr(node, "assumption", None):
            moved = {letter for inner in nested(node.nodes) for letter, _ in getattr(inner, "start", ())}
            for letter in sorted(moved & case.relation.free_symbols, key=str):
                yield f"'{node.name}' assumes '{case.name}' and runs through {letter}"


def in_two_ways(nodes: Iterable[Any]) -> Iterator[str]:
    """Letters that run differently in two inductions: a sum of 1, 1, … and one of 2, 2, … under one name would be one number."""
    ran: dict[Any, Any] = {}
    for letter, way in ways(nodes):
        if ran.setdefault(letter, way) != way:
            (one, then), (other, later) = ran[letter], way
            yield f"{letter} runs from {one} to {then} and so on in one induction, from {other} to {later} in another"


def ways(nodes: Iterable[Any]) -> Iterator[tuple[Any, tuple[Any, Any]]]:
    """The letters of inductions, with what each starts from and is one step later; of what is cited those that it tells of."""
    for node in nested(nodes):
        later = dict(getattr(node, "next", ()))
        for letter, first in getattr(node, "start", ()):
            yield letter, (first, later.get(letter))
        if cited := getattr(node, "proof", None):
            told = node.conclusion.relation.free_symbols
            for letter, way in ways(cited.nodes):
                if (here := replaced(letter, node.at)) in told:
                    yield here, tuple(replaced(sympy.sympify(value), node.at) for value in way)


@dataclass(frozen=True)
class Ran:
    """What inductions run through. places: letters, with what stands in the place of each. freely: letters that run through numbers
    which nothing else decides, as 0, 2, 4, …, with those in what stands in their place. signs: what definitions say of letters' signs,
    each with the number of steps after which a step takes the letter."""

    places: frozenset[tuple[Any, Any]]
    freely: frozenset[Any]
    signs: frozenset[tuple[Any, Any]]


def out_of_time(nodes: Iterable[Any], stated: Set[Any], table: Mapping[str, Symbol]) -> tuple[list[str], Ran]:
    """Steps that take a letter for what it is after two numbers of steps, or a number of the paper, of which the statement speaks,
    for what a letter runs through; and what is run through."""
    fixed = frozenset(stated) - {letter for letter, _ in ways(nodes)}
    rigid = frozenset(letter for letter in fixed if str(letter) in table)
    clock = _Clock(_steady(nodes, fixed, table), rigid, fixed)
    clock.follow(nodes, {})
    clock.hold_all(nodes)
    later = {letter: letter if then is None else then for letter, (_, then) in ways(nodes)}
    decided = set(later)
    while open_ := {s for s in decided if sympy.sympify(later[s]).free_symbols - decided - clock.fixed}:
        decided -= open_
    images = (image.free_symbols for old, image in clock.timed if old in decided)
    freely = frozenset().union(*images) - clock.rigid
    return list(dict.fromkeys(clock.found)), Ran(frozenset(clock.timed), freely, frozenset(clock.signs))


@dataclass(frozen=True)
class _Clock:
    """Follows a proof, and notes in `found` what is out of time, in `timed` what stands in the place of which letter. fixed: the
    letters of the statement and what it determines. stated: those of the statement. rigid: those of them that the paper's table
    lists. signs: as in `Ran`. held: for each conclusion, letters with the numbers of steps after which it takes what is assumed of
    them."""

    fixed: frozenset[Any]
    rigid: frozenset[Any] = frozenset()
    stated: frozenset[Any] = frozenset()
    found: list[str] = field(default_factory=list)
    timed: set[tuple[Any, Any]] = field(default_factory=set)
    signs: set[tuple[Any, Any]] = field(default_factory=set)
    held: dict[Any, set[tuple[Any, Any]]] = field(default_factory=dict)

    def follow(self, nodes: Iterable[Any], known: Mapping[Any, Times]) -> Times:
        """The times of the letters in the last conclusion; known: those of earlier conclusions, by root."""
        times, last = dict(known), {}
        for node in nodes:
            if inner := getattr(node, "nodes", ()):
                last = self.follow(inner, times)
                self._hold(node, set().union(*(self.held.get(n.conclusion.root, ()) for n in inner)))
            elif cited := getattr(node, "proof", None):
                own = frozenset().union(*(fact.relation.free_symbols for fact in cited.assumptions))
                there = _Clock(_steady(cited.nodes, own, {}), stated=own)
                last = _placed(there.follow(cited.nodes, {}), node.at)
                pairs = set().union(*there.held.values())
                self._hold(node, {(replaced(s, node.at), replaced(time, node.at)) for s, time in pairs})
            elif hasattr(node, "invariant"):
                last = self._of_induction(node, times)
            else:
                last = self._joined(node.name, node.given, times)
                self._take(node, last)
            told = node.conclusion.relation.free_symbols
            last = times[node.conclusion.root] = {s: time for s, time in last.items() if s[0] in told}
        return last

    def _of_induction(self, node: Any, times: Mapping[Any, Times]) -> Times:
        count = sympy.Tuple(*sorted(counters([node]), key=str)[:1])  # another one runs beside it
        start = {letter: sympy.sympify(first) for letter, first in node.start}
        self._joined(node.name, node.base.given, times)
        here = self._joined(node.name, node.step.given, times, of_step=True)
        rest = {at: time for at, time in here.items() if at[0] not in start}
        for (letter, _), time in sorted(rest.items(), key=str):
            if letter in node.invariant.relation.free_symbols and time.free_symbols & start.keys():
                self.found.append(
                    f"'{node.name}' speaks of {letter}, which is another number in each of its steps"
                )
        return rest | {
            (s, frozenset(first.free_symbols)): count for s, first in start.items() if s not in count
        }

    def _take(self, node: Any, here: Times) -> None:
        """Notes after how many steps a step takes the letters of its hypotheses, and those of which it is told a sign."""
        pairs: set[tuple[Any, Any]] = set()
        after = {s: time for (s, _), time in here.items() if time}
        for fact in node.given:
            pairs |= {(s, replaced(time, fact.values)) for s, time in self.held.get(fact.root, ())}
            for part in parts_of(fact.relation) if fact.origin in ("hypothesis", "definition") else ():
                timed = {s: after[s] for s in part.free_symbols & after.keys()}
                known = len(timed) == 1 and part.free_symbols - timed.keys() <= self.stated
                if fact.origin == "hypothesis" or (known and isinstance(part, sympy.Eq)):
                    pairs |= timed.items()
                elif is_sign(part):
                    self.signs.add((part, after.get(part.lhs, sympy.Tuple())))
        self._hold(node, pairs)

    def hold_all(self, nodes: Iterable[Any]) -> None:
        """The same of what the proof ends with, be it in several conclusions."""
        used = {fact.root for node in nested(nodes) for fact in given_to(node) if fact.origin == "derived"}
        ends = (
            self.held.get(node.conclusion.root, set()) for node in nodes if node.conclusion.root not in used
        )
        self._told("the proof", set().union(*ends))

    def _hold(self, node: Any, pairs: set[tuple[Any, Any]]) -> None:
        self.held[node.conclusion.root] = pairs
        self._told(f"'{node.name}'", pairs)

    def _told(self, who: str, pairs: set[tuple[Any, Any]]) -> None:
        for letter in sorted({letter for letter, _ in pairs}, key=str):
            ats = sorted({_text(time) for one, time in pairs if one == letter})
            if len(ats) > 1:
                self.found.append(
                    f"{who} takes what is assumed of {letter} for what it is at {' and at '.join(ats)}"
                )

    def _joined(
        self, name: str, given: Iterable[Fact], times: Mapping[Any, Times], of_step: bool = False
    ) -> Times:
        """The times of all letters that a step is told of, those included that definitions tie to them."""
        here: Times = {}
        for fact in given:
            earlier = times.get(fact.root, {})
            for at, time in _placed(earlier, fact.values).items():
                other = here.get(at) or time  # where nothing counts the steps, nothing tells them apart
                if time and other != time:
                    both = f"{_text(other)} and at {_text(time)}"
                    self.found.append(f"'{name}' takes {at[0]} for what it is at {both}")
                here[at] = other
            for letter, since in earlier:
                image = replaced(letter, fact.values)
                if image == letter and _letters(since, fact.values) != since:
                    self.found.append(f"'{name}' takes {letter} for what runs from elsewhere: {fact.name}")
                self.timed.update({(letter, letter), (letter, image)})
                if image != letter and image.free_symbols <= self.rigid:
                    self.found.append(f"'{name}' takes {image} for what {letter} runs through")
        said = (p for f in given if f.origin == "definition" for p in sympy.And.make_args(f.relation))
        tied = [part.free_symbols - self.fixed for part in said if isinstance(part, sympy.Eq)]
        while tied:
            known = {letter for letter, _ in here}
            ready = [letters for letters in tied if letters & known]
            if not ready:
                break
            for letters in ready:
                if (
                    of_step and len(letters - known) > 1
                ):  # which of them is the next, and which the same in each, is open
                    continue
                at = {(since, time) for (letter, since), time in here.items() if letter in letters}
                if len(at) == 1:
                    ((since, time),) = at
                    here |= {(letter, since): time for letter in letters - known - time.free_symbols}
            tied = [letters for letters in tied if letters not in ready]
        return here


def _steady(nodes: Iterable[Any], fixed: Set[Any], table: Mapping[str, Symbol]) -> frozenset[Any]:
    """The fixed letters, those of the table, and those that definitions determine by these."""
    nodes = tuple(nested(nodes))
    facts = [fact for node in nodes for fact in given_to(node)]
    parts = {p for f in facts if f.origin == "definition" for p in sympy.And.make_args(f.relation)}
    parts = {part for part in parts if isinstance(part, sympy.Eq)}
    running = {letter for letter, _ in ways(nodes)}
    found = set(fixed) | {s for part in parts for s in part.free_symbols if str(s) in table}
    while new := {next(iter(own)) for part in parts if len(own := part.free_symbols - found - running) == 1
                  and not part.free_symbols & running}:  # fmt: skip
        found |= new
    return frozenset(found - running)


def _placed(times: Times, values: tuple[tuple[Any, Any], ...]) -> Times:
    """The times of what stands in the place of the letters."""
    return {
        (letter, _letters(since, values)): replaced(time, values)
        for (old, since), time in times.items()
        for letter in _letters((old,), values)
    }


def _letters(old: Iterable[Any], values: tuple[tuple[Any, Any], ...]) -> frozenset[Any]:
    return frozenset().union(*(replaced(letter, values).free_symbols for letter in old))


def _text(time: Any) -> str:
    return ", ".join(map(str, time))
