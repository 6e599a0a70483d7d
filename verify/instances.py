"""What the instances that a proof uses rest on: a fact holds of other letters where what it was shown from does, and where it has a
value. The questions come as obligations, which `verify.prove` asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import sympy

from verify.existence import decidable, free_symbols, letters, tied
from verify.facts import Fact, derived, replaced
from verify.induction import Induction, given_to
from verify.obligation import Meaning, Obligation
from verify.polynomial import domain
from verify.proof import Node, Proof


def premises(proof: Proof, inner: bool = False) -> Iterator[Obligation | Meaning]:
    """What the instances (`Fact.at`) that its steps use rest on. A fact holds of other letters where what it was shown
    from does: each hypothesis, and each definition all of whose letters are known there, at the new letters, has to
    follow from the rest of what the step is given, and the other definitions have to leave values for the letters that are
    not known there. The letters of an induction are shown for every value already. inner: a part of a proof, whose
    earlier lines were shown of their own letters."""
    shown: dict[tuple, Node] = {}
    lines = {f.root for f in proof.assumptions if f.origin == "derived" and f.base is None and not inner}
    for node in proof.nodes:
        if isinstance(node, Induction):
            yield from _domains(node, proof.assumptions)
        if not hasattr(node, "nodes"):  # what is inside a case has the case to show it from
            for part in (node.base, node.step) if isinstance(node, Induction) else (node,):
                yield from _defined(node.name, (*proof.assumptions, *part.given))
        for instance in _instances(node, proof.assumptions, shown, lines):
            yield from instance.premises()
        shown.setdefault(node.conclusion.root, node)


def _instances(
    node: Node, assumptions: tuple[Fact, ...], shown: Mapping[tuple, Node], lines: Set[tuple]
) -> Iterator[_Instance]:
    """Those that a node is given, but for what is assumed word for word."""
    facts = given_to(node)
    stated = {fact.relation for fact in assumptions}
    for fact in facts:
        if fact.base and not _said(fact) and fact.relation not in stated:
            known = (*assumptions, *(f for f in facts if f.base is None or _said(f)))
            # the invariant is for the step alone
            if isinstance(node, Induction) and fact in node.base.given:
                known = tuple(f for f in known if f.root != node.invariant.root)
            other = (f for f in facts if f.base and f.values != fact.values)
            # what the step concludes is told to steps that know its letters
            told = fact.relation.free_symbols & node.conclusion.relation.free_symbols
            spoken = free_symbols(f.relation for f in (*known, *other)) | told
            yield _Instance(node.name, fact, tuple(dict.fromkeys(known)), frozenset(spoken), shown, lines)


def _domains(node: Induction, assumptions: tuple[Fact, ...]) -> Iterator[Obligation]:
    """That the invariant has a value at the start and one step later, where that does not show any more: k/x is 0 at k = 0,
    whatever x is, and says of x = 0 nothing."""
    said = tuple(fact for fact in node.given if fact.origin == "definition")
    for which, part, values in (("start", node.base, node.start), ("next step", node.step, node.next)):
        known = _without_partial((*assumptions, *said, *part.given))
        name = f"{node.name}: that it has a value at the {which}"
        yield from undefined(name, known, node.invariant.relation, values)


def _said(fact: Fact) -> bool:
    """Whether the fact is said and not shown: a definition or a textbook result may be said of any letters."""
    return fact.origin in ("definition", "standard")


def _defined(user: str, facts: tuple[Fact, ...]) -> Iterator[Obligation]:
    """That textbook results have a value where they are used: one with 1/L in it does not say that L is not zero."""
    known = _without_partial(facts)
    for fact in facts:
        if fact.origin == "standard":
            for condition in domain(fact.relation):
                if condition not in {other.relation for other in known}:
                    name = f"{user} uses '{fact.name}', which has no value everywhere: {condition}"
                    yield Obligation(name, known, derived(name, condition))


def _without_partial(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts, each once, without textbook results that do not always have a value."""
    return tuple(dict.fromkeys(f for f in facts if f.origin != "standard" or not domain(f.relation)))


def undefined(
    name: str, known: tuple[Fact, ...], relation: Any, values: Sequence[tuple[Any, Any]], shown: bool = False
) -> Iterator[Obligation]:
    """What has to follow from `known` for the relation to have a value where these replace its letters: 1/y has none at y = 0, nor
    has y at 1/x for x = 0, and z/z = 1 says nothing of z. Of a relation that is shown of all values only these need one; of another
    what is asked of it as it stands there is not asked again."""
    placed = [sympy.sympify(value) for letter, value in values if letter in relation.free_symbols]
    there, asked = [*domain(*placed)], {sympy.true, *(fact.relation for fact in known)}
    if not shown:
        there += (replaced(condition, tuple(values)) for condition in domain(relation))
        asked |= set(domain(replaced(relation, tuple(values))))
    for condition in dict.fromkeys(there):
        if condition not in asked:
            yield Obligation(name, known, derived(f"{name}: {condition}", condition))


@dataclass(frozen=True)
class _Instance:
    """A fact at other letters than it was shown of. known: what else its user is given. spoken: the letters of which the user knows
    something else; what else the instance speaks of is what it has there. lines: the roots of earlier lines that are assumed."""

    user: str
    fact: Fact
    known: tuple[Fact, ...]
    spoken: frozenset[Any]
    shown: Mapping[tuple, Node]
    lines: Set[tuple]

    def premises(self) -> Iterator[Obligation | Meaning]:
        """What it was shown from, about the new letters, where `known` does not say it word for word."""
        fact, here = self.fact, self.fact.relation.free_symbols | free_symbols(f.relation for f in self.known)
        foreign = {}
        if fact.base:
            name = f"{self.user} uses '{fact.name}', which has no value there"
            yield from undefined(name, self.known, fact.base.relation, fact.values, shown=True)
        for ground in _grounds(fact, self.shown, self.lines):
            there = replaced(ground.relation, fact.values)
            if ground.origin == "definition":
                yield from self._not_past_the_end(ground)
            elif ground.relation.free_symbols & self._moved:
                name = f"{self.user} uses '{fact.name}', for which '{ground.name}' has no value there"
                yield from undefined(name, self.known, ground.relation, fact.values)
            if ground.origin == "definition" and not there.free_symbols <= here:
                foreign[there] = ground
            elif ground.relation.free_symbols & self._moved and not self._says(there):
                name = f"{self.user} uses '{fact.name}', which needs '{ground.name}' there"
                yield Obligation(name, self.known, derived(name, there))
        yield from self._meanings(foreign)

    def _not_past_the_end(self, ground: Fact) -> Iterator[Obligation]:
        """That a number of steps is not past the end which a definition gives to what an induction counts."""
        for part in sympy.And.make_args(ground.relation):
            if (
                isinstance(part, sympy.LessThan)
                and part.lhs in self._run_through & dict(self.fact.values).keys()
            ):
                last = replaced(part, self.fact.values)
                if not self._says(last):
                    name = f"{self.user} uses '{self.fact.name}', which was shown for {part}"
                    yield Obligation(name, self.known, derived(str(part), last))

    def _meanings(self, foreign: Mapping[Any, Fact]) -> Iterator[Meaning]:
        """That definitions of letters that are not known there leave values for them. foreign: these, as they are there."""
        fixed = self.spoken | free_symbols(sympy.sympify(value) for _, value in self.fact.values)
        for group in tied(foreign, lambda letter: letter not in fixed):
            asked = decidable(group, fixed)
            if asked and any(foreign[there].relation.free_symbols & self._moved for there in group):
                names = " and ".join(f"'{foreign[there].name}'" for there in group)
                yield Meaning(
                    f"{self.user} uses '{self.fact.name}', which needs {names} there",
                    self.known,
                    asked,
                    fixed,
                )

    def _says(self, relation: Any) -> bool:
        """Whether that is true as it stands, or known word for word."""
        return relation == sympy.true or relation in {fact.relation for fact in self.known}

    @property
    def _run_through(self) -> frozenset[Any]:
        """Letters of which it was shown for every value, by induction."""
        source = self.shown.get(self.fact.root)
        if not isinstance(source, Induction):
            return frozenset()
        return frozenset(letter for letter, _ in (*source.start, *source.next))

    @property
    def _moved(self) -> frozenset[Any]:
        return frozenset(letter for letter, _ in self.fact.values) - self._run_through


def _grounds(fact: Fact, shown: Mapping[tuple, Node], lines: Set[tuple]) -> tuple[Fact, ...]:
    """The hypotheses and definitions that a fact was shown from, before its own letters were replaced: what nobody has shown is
    assumed, and of the letters that it speaks of alone. Nothing is known of the grounds of an earlier line that is assumed."""
    if fact.root in lines:
        return ()
    source = shown.get(fact.root)
    if source is None:
        return (fact.base or fact,)
    found: dict[Fact, None] = dict.fromkeys(definitions(source))
    for used in source.given:
        if used.origin == "definition":
            found[used] = None
        elif used.origin != "standard":
            own, values = {letter for letter, _ in used.values}, dict(used.values)
            for ground in _grounds(used, shown, lines):
                found[ground.at(values) if letters(ground.relation) & own else ground] = None
    return tuple(found)


def definitions(node: Node) -> Iterator[Fact]:
    """The definitions that a node uses, those of its inner nodes and of what it or they cite included, in its own letters."""
    yield from (fact for fact in node.given if fact.origin == "definition")
    for inner in getattr(node, "nodes", ()):
        yield from definitions(inner)
    cited: Proof | None = getattr(node, "proof", None)
    at = dict(getattr(node, "at", ()))
    for inner in cited.nodes if cited else ():
        yield from (fact.at(at) for fact in definitions(inner))
