"""Proofs as small directed graphs, checked for gaps before anything is solved.

A proof lists what it may assume, then its nodes in order. Every fact that a node is given must be an assumption of the
proof, a definition, a cited standard result, or the conclusion of an earlier node (or an instance of one of these with other
letters). So a proof in which some step uses what nobody has shown is rejected by machine, not by reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import sympy

from verify.definitions import restrictions
from verify.evidence import Evidence, Kind, Status
from verify.existence import decidable, letters, tied
from verify.facts import Fact, derived, replaced
from verify.obligation import Meaning, Obligation, Settings, together
from verify.polynomial import domain


class Node(Protocol):
    """One step: what it is given, what it concludes, and how a machine checks it."""

    @property
    def name(self) -> str: ...
    @property
    def given(self) -> tuple[Fact, ...]: ...
    @property
    def conclusion(self) -> Fact: ...
    def discharge(self, settings: Settings) -> Evidence: ...


@dataclass(frozen=True)
class Identity:
    """`left == right` as expressions: sympy reduces the difference to zero, and exact evaluation at random
    rationals (which shares nothing with the simplifier) agrees. Both sides must be defined where `given` holds; the
    simplifier is told the signs that follow from `given`, and no others."""

    name: str
    left: Any
    right: Any
    given: tuple[Fact, ...] = ()

    @property
    def conclusion(self) -> Fact:
        return derived(self.name, sympy.Eq(self.left, self.right, evaluate=False))

    def discharge(self, settings: Settings) -> Evidence:
        from verify.identity import check_identity

        return check_identity(self)


@dataclass(frozen=True)
class Limit:
    """The limit of an expression as a letter, which is positive, tends to a point equals `value`. That the other letters are
    not negative has to follow from `given`."""

    name: str
    expression: sympy.Expr
    letter: sympy.Symbol
    point: sympy.Expr
    value: sympy.Expr
    direction: str = "+"
    given: tuple[Fact, ...] = ()

    @property
    def conclusion(self) -> Fact:
        return derived(self.name, sympy.true)

    def discharge(self, settings: Settings) -> Evidence:
        from verify.identity import check_limit

        return check_limit(self)


@dataclass(frozen=True)
class Comparison:
    """The outcome of an exact computation: `lhs comparison rhs`, and whether everything it presupposes held. Raises
    `TypeError` where a side is no rational number (a bool is none: what it stands for is to be compared itself)."""

    lhs: Fraction
    comparison: str
    rhs: Fraction
    presupposed: tuple[tuple[str, bool], ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.presupposed, tuple):
            raise TypeError(
                f"what is presupposed is a tuple, which can be read twice, not {self.presupposed!r}"
            )
        for side in (self.lhs, self.rhs):
            if isinstance(side, bool) or not isinstance(side, int | Fraction):
                raise TypeError(f"a comparison is exact: {side!r} is neither an integer nor a fraction")
        for text, true in self.presupposed:
            if not isinstance(true, bool):
                raise TypeError(f"whether '{text}' holds is True or False, not {true!r}")

    @property
    def holds(self) -> bool:
        left, right = self.lhs, self.rhs
        outcome = {
            "<": left < right, "<=": left <= right, ">": left > right,
            ">=": left >= right, "==": left == right, "!=": left != right,
        }[self.comparison]  # fmt: skip
        return outcome and all(true for _, true in self.presupposed)


@dataclass(frozen=True)
class Computation:
    """An exact computation (an enumeration, a run of an algorithm in fractions, an accounting): `run` returns the
    comparison that must hold."""

    name: str
    kind: Kind
    run: Callable[[], Comparison]
    given: tuple[Fact, ...] = ()
    concludes: Fact | None = None

    @property
    def conclusion(self) -> Fact:
        return self.concludes or derived(self.name, sympy.true)

    def discharge(self, settings: Settings) -> Evidence:
        start = time.perf_counter()
        result = self.run()
        failed = [text for text, true in result.presupposed if not true]
        detail = f"{result.lhs} {result.comparison} {result.rhs}" + "".join(
            f"; not so: {text}" for text in failed
        )
        status = "proved" if result.holds else "refuted"
        return Evidence(self.name, self.kind, status, time.perf_counter() - start, "fractions", detail=detail)


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

    @property
    def given(self) -> tuple[Fact, ...]:
        """What both obligations use, but for the induction hypothesis itself."""
        own = [fact for fact in self.step.given if _root(fact) != _root(self.invariant)]
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
            if _root(fact) == _root(self.invariant) and fact.relation != self.invariant.relation:
                return f"the step is given the invariant elsewhere: {fact.relation}"
        later = self.invariant.relation.free_symbols.union(*(_letters(value) for _, value in self.next))
        first = set().union(*(_letters(value) for _, value in self.start)) - later
        borrowed = [fact.name for fact in self.step.given if fact.relation.free_symbols & first]
        return f"the step is given '{borrowed[0]}', which is about the start alone" if borrowed else ""

    def domains(self, assumptions: tuple[Fact, ...]) -> Iterator[Obligation]:
        """That the invariant has a value at the start and one step later, where that does not show any more: k/x is 0 at k = 0,
        whatever x is, and says of x = 0 nothing."""
        said = tuple(fact for fact in self.given if fact.origin == "definition")
        for which, part, values in (("start", self.base, self.start), ("next step", self.step, self.next)):
            known = _without_partial((*assumptions, *said, *part.given))
            name = f"{self.name}: that it has a value at the {which}"
            yield from undefined(name, known, self.invariant.relation, values)

    def discharge(self, settings: Settings) -> Evidence:
        begin = time.perf_counter()
        parts = (self.base.discharge(settings), self.step.discharge(settings))
        expected = (self.invariant.at(dict(self.start)).relation, self.invariant.at(dict(self.next)).relation)
        found = (self.base.goal.relation, self.step.goal.relation)
        gap = [which for which, a, b in zip(("base", "step"), expected, found, strict=True) if a != b]
        status = "proved" if all(part.ok for part in parts) and not gap else _worst(parts)
        detail = f"the {' and '.join(gap)} does not conclude the invariant" if gap else ""
        detail = self._unsound() or detail
        if detail:
            status = "unknown"
        return Evidence(
            self.name, "smt", status, time.perf_counter() - begin, parts[0].solver,
            needed=_union(p.needed for p in parts), unneeded=(), detail=detail, parts=parts,
        )  # fmt: skip


@dataclass(frozen=True)
class Proof:
    """Nodes in order; `assumptions` are the hypotheses that the statement prints (with domains of its letters)."""

    assumptions: tuple[Fact, ...]
    nodes: tuple[Node, ...]

    def gaps(self) -> list[str]:
        """Facts that some node uses and nobody provides; empty for a closed proof."""
        known = {_root(fact) for fact in self.assumptions}
        missing = []
        for node in self.nodes:
            for fact in node.given:
                if fact.origin in ("definition", "standard") or _root(fact) in known:
                    continue
                missing.append(f"{node.name} uses '{fact.name}', which is neither assumed nor shown before")
            known.add(_root(node.conclusion))
        return missing

    def facts(self) -> tuple[Fact, ...]:
        """What its steps are given, each fact once."""
        parts = [(n.base, n.step) if isinstance(n, Induction) else (n,) for n in self.nodes]
        return tuple(dict.fromkeys(fact for ns in parts for n in ns for fact in n.given))

    def premises(self) -> Iterator[Obligation | Meaning]:
        """What the instances (`Fact.at`) that its steps use rest on. A fact holds of other letters where what it was shown
        from does: each hypothesis, and each definition all of whose letters are known there, at the new letters, has to
        follow from the rest of what the step is given, and the other definitions have to leave values for the letters that are
        not known there. The letters of an induction are shown for every value already."""
        shown: dict[tuple, Node] = {}
        stated = {fact.relation for fact in self.assumptions}
        for node in self.nodes:
            facts = (*node.base.given, *node.step.given) if isinstance(node, Induction) else node.given
            if isinstance(node, Induction):
                yield from node.domains(self.assumptions)
            if not hasattr(node, "nodes"):  # what is inside a case has the case to show it from
                for part in (node.base, node.step) if isinstance(node, Induction) else (node,):
                    yield from _defined(node.name, (*self.assumptions, *part.given))
            for fact in facts:
                if fact.base and not _said(fact) and fact.relation not in stated:
                    known = (*self.assumptions, *(f for f in facts if f.base is None or _said(f)))
                    if (
                        isinstance(node, Induction) and fact in node.base.given
                    ):  # the invariant is for the step alone
                        known = tuple(f for f in known if _root(f) != _root(node.invariant))
                    other = (f for f in facts if f.base and f.values != fact.values)
                    # what the step concludes is told to steps that know its letters
                    told = fact.relation.free_symbols & node.conclusion.relation.free_symbols
                    spoken = letters(f.relation for f in (*known, *other)) | told
                    yield from _premises(node.name, fact, tuple(dict.fromkeys(known)), spoken, shown)
            shown.setdefault(_root(node.conclusion), node)

    @property
    def standard(self) -> tuple[str, ...]:
        """Names of the textbook results that the proof cites, those of the claims that it takes over included."""
        names: dict[str, None] = {}
        for node in self.nodes:
            cited: Proof | None = getattr(node, "proof", None)
            names |= dict.fromkeys(cited.standard if cited else ())
            names |= dict.fromkeys(fact.name for fact in node.given if fact.origin == "standard")
        names |= dict.fromkeys(fact.name for fact in self.assumptions if fact.origin == "standard")
        return tuple(names)

    @property
    def meanings(self) -> tuple[str, ...]:
        """Names of the definitions about letters of the statement itself (not about letters of the proof's own): what the
        proof takes to be said by the letters, as K ≥ 0 or R ≥ 0, where the statement prints no such condition."""
        assumed = set().union(*(fact.relation.free_symbols for fact in self.assumptions))
        stated = assumed | (self.nodes[-1].conclusion.relation.free_symbols if self.nodes else set())
        facts = (*self.assumptions, *(fact for node in self.nodes for fact in node.given))

        def of_the_statement(relation: Any) -> bool:  # or a part of it beside one that introduces a letter
            if set() < relation.free_symbols <= stated:
                return True
            return any(set() < part.free_symbols <= assumed for part in sympy.And.make_args(relation))

        used = (fact for fact in facts if fact.origin == "definition")
        return tuple(dict.fromkeys(fact.name for fact in used if of_the_statement(fact.relation)))

    def edges(self) -> list[tuple[str, str]]:
        """(user, used) by node name, for drawing the graph; assumptions keep their own names."""
        source = {_root(fact): fact.name for fact in self.assumptions}
        result = []
        for node in self.nodes:
            result += [(node.name, source[_root(f)]) for f in node.given if _root(f) in source]
            source[_root(node.conclusion)] = node.name
        return list(dict.fromkeys(result))


def prove(proof: Proof, settings: Settings, paper: str | None = "") -> Evidence:
    """Discharge every node. The whole is proved when every node is, no step hangs in the air, no definition narrows the
    statement (of that paper; None for a part of a proof, whose definitions are looked at with the whole), and the
    assumptions can hold together."""
    start = time.perf_counter()
    gaps = proof.gaps() or ([] if proof.nodes else ["a proof without a step shows nothing"])
    gaps += [] if paper is None else restrictions(proof, paper)
    parts = tuple(node.discharge(settings) for node in proof.nodes)
    premises = [premise.discharge(settings) for premise in proof.premises()]
    gaps += [f"{premise.name}: {premise.status}" for premise in premises if not premise.ok]
    status = "unknown" if gaps else "proved" if all(part.ok for part in parts) else _worst(parts)
    asked = any(isinstance(n, Obligation) and set(proof.assumptions) <= set(n.given) for n in proof.nodes)
    if status == "proved" and not asked and (found := together(proof.assumptions, settings.seconds)) != "sat":
        status = "vacuous" if found == "unsat" else "unknown"
        gaps.append(f"whether the assumptions can hold together: {found}")
    bad = [
        f"{part.name}: {part.status}{' (' + part.detail + ')' if part.detail else ''}"
        for part in parts
        if not part.ok
    ]
    printed = [fact.name for fact in proof.assumptions if fact.origin == "hypothesis"]
    needed = [name for name in printed if name in _union(part.needed for part in (*parts, *premises))]
    return Evidence(
        "proof", "smt", status, time.perf_counter() - start,
        needed=tuple(needed), unneeded=tuple(name for name in printed if name not in needed),
        detail="; ".join([*gaps, *bad]), parts=parts,
        uses=tuple(use for part in parts for use in part.uses),
    )  # fmt: skip


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


def _premises(
    user: str, fact: Fact, known: tuple[Fact, ...], spoken: Set[Any], shown: Mapping[tuple, Node]
) -> Iterator[Obligation | Meaning]:
    """For an instance: what it was shown from, about the new letters, where `known` does not say it word for word. `spoken` are
    the letters of which the step knows something else; what else the instance speaks of is what it has there."""
    source = shown.get(_root(fact))
    free = {letter for letter, _ in (*source.start, *source.next)} if isinstance(source, Induction) else set()
    moved = {letter for letter, _ in fact.values} - free
    here = fact.relation.free_symbols | letters(other.relation for other in known)
    fixed = spoken | letters(sympy.sympify(value) for _, value in fact.values)
    foreign = {}
    if fact.base:
        name = f"{user} uses '{fact.name}', which has no value there"
        yield from undefined(name, known, fact.base.relation, fact.values, shown=True)
    for ground in _grounds(fact, shown):
        there = replaced(ground.relation, fact.values)
        if ground.origin != "definition" and ground.relation.free_symbols & moved:
            name = f"{user} uses '{fact.name}', for which '{ground.name}' has no value there"
            yield from undefined(name, known, ground.relation, fact.values)
        if ground.origin == "definition" and not there.free_symbols <= here:
            foreign[there] = ground
        elif (
            ground.relation.free_symbols & moved
            and there != sympy.true
            and there not in {other.relation for other in known}
        ):
            name = f"{user} uses '{fact.name}', which needs '{ground.name}' there"
            yield Obligation(name, known, derived(name, there))
    for group in tied(foreign, lambda letter: letter not in fixed):
        if any(foreign[there].relation.free_symbols & moved for there in group) and decidable(group):
            names = " and ".join(f"'{foreign[there].name}'" for there in group)
            name = f"{user} uses '{fact.name}', which needs {names} there"
            yield Meaning(name, known, frozenset(group), frozenset(fixed))


def _grounds(fact: Fact, shown: Mapping[tuple, Node]) -> tuple[Fact, ...]:
    """The hypotheses and definitions that a fact was shown from, before its own letters were replaced. Nothing is known of
    the grounds of an earlier line that is assumed."""
    source = shown.get(_root(fact))
    if source is None:
        return () if fact.origin == "derived" else (fact.base or fact,)
    found: dict[Fact, None] = dict.fromkeys(definitions(source))
    for used in source.given:
        if used.origin == "definition":
            found[used] = None
        elif used.origin != "standard":
            letters, values = {letter for letter, _ in used.values}, dict(used.values)
            for ground in _grounds(used, shown):
                found[ground.at(values) if ground.relation.free_symbols & letters else ground] = None
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


def _root(fact: Fact) -> tuple[str, object]:
    base = fact.base or fact
    return base.name, base.relation


def _letters(value: object) -> set[Any]:
    return sympy.sympify(value).free_symbols


def _worst(parts: Sequence[Evidence]) -> Status:
    order: tuple[Status, ...] = ("vacuous", "refuted")
    for status in order:
        if any(part.status == status for part in parts):
            return status
    return "unknown"


def _union(groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for group in groups for name in group))
