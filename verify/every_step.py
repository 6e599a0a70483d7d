"""Whether what is said of the letters of inductions holds of every number that they run through.

What an induction concludes holds of what it runs through (a sum so far), not of any number of that name. So what it counts is not
given a value that is not whole; what it runs through is not given one by equations; a sign of it lasts; and neither a definition nor a
hypothesis that its step is given is lost on the way. `verify.running` asks of which step a letter is taken. What is left to the
reader: that a letter which no table has is whole where it stands for what is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from typing import Any

import sympy

from bounds.symbols import Symbol
from verify.existence import decidable, exist, free_symbols, leave_none, letters, tied
from verify.facts import Fact, replaced
from verify.induction import given_to
from verify.relations import follows, holds, is_minor, is_sign, parts_of, within
from verify.running import Ran, counters, nested


def not_in_every_step(
    nodes: Sequence[Any],
    definitions: Sequence[Fact],
    stated: frozenset[Any],
    table: Mapping[str, Symbol],
    printed: frozenset[Any],
    known: frozenset[Any],
    ran: Ran,
) -> Iterator[str]:
    """What definitions say of letters that inductions run through and that need not hold, in words. known: the hypotheses, signs of
    their letters, and what introduces further ones."""
    parts = frozenset(part for fact in definitions for part in parts_of(fact.relation))
    signs = frozenset(part for part in parts if is_sign(part))
    counted = counters(nodes)
    counts = frozenset(letter >= first for letter, first in counted.items())
    there = _counted_there(nodes, definitions, table)
    shown = frozenset(node.invariant.relation for node in nested(nodes) if hasattr(node, "invariant"))
    rigid = frozenset(letter for letter in stated if str(letter) in table)
    yield from _fleeting(nodes, definitions, stated, table, printed, ran)
    yield from _given_a_value(definitions, ran.freely, rigid, there.keys(), shown | signs | printed | counts)
    yield from _narrowed_steps(nodes, stated, table, printed)
    yield from _not_whole(nodes, table, parts | printed | counts)
    yield from _not_a_count(definitions, there, table, known | counts)


def _fleeting(
    nodes: Sequence[Any],
    definitions: Sequence[Fact],
    stated: Set[Any],
    table: Mapping[str, Symbol],
    printed: frozenset[Any],
    ran: Ran,
) -> Iterator[str]:
    """Signs of what an induction runs through, or of what stands in its place, that this has not at the start or may lose, as far as
    any induction that runs through it is told. After the last step, if there was one, a sum may be of more than nothing."""
    inductions = [node for node in nested(nodes) if hasattr(node, "invariant")]
    running = {
        letter: [n for n in inductions if letter in dict(n.start)]
        for node in inductions
        for letter, _ in node.start
    }
    parts = {part for fact in definitions for part in parts_of(fact.relation)}
    plain = printed | {part for part in parts if is_sign(part) or isinstance(part, sympy.Eq)}
    assumed = {part for fact in printed for part in parts_of(fact)}
    steady = frozenset(fact for fact in plain if not fact.free_symbols & running.keys())
    counted = counters(nodes)

    def is_own(value: Any) -> bool:
        return value.is_Symbol and value not in running and value not in stated

    # what is brought in each step may have the sign that it starts with
    brought = [(letter, dict(n.start)[letter]) for n in inductions for letter, then in n.next if is_own(then)]
    kept = frozenset(letter >= 0 for letter, first in brought if sympy.sympify(first).is_nonnegative)

    def has(
        sign: Any, values: Sequence[tuple[Any, Any]], given: Sequence[Fact], known: frozenset[Any]
    ) -> bool:
        there = replaced(sign, tuple(values))
        if is_sign(there) and is_own(there.lhs):
            return True  # it may be what a letter of the proof's own means
        known |= {fact.relation for fact in given}
        known |= {bound for letter in there.free_symbols for bound in within(letter, table)}
        alone = frozenset(fact for fact in known if letters(fact) <= letters(there))
        return holds(there, alone) or holds(there, known)

    def fault(sign: Any, letter: Any) -> str:
        if not any(has(sign, n.start, n.base.given, steady) for n in running[letter]):
            return "at the start"
        return "" if lasts(sign, sign, letter) else "one step later"

    def lasts(sign: Any, before: Any, letter: Any) -> bool:
        return any(has(sign, n.next, n.step.given, plain | kept | {before}) for n in running[letter])

    def begun(sign: Any, stands: Any, letter: Any) -> str:
        """The fault of a sign that is taken after at least one step; where nothing counts them, that there was one is left to the
        reader."""
        if stands in assumed or not fault(sign, letter):
            return ""
        if sign.func(0, sign.rhs) == sympy.true:
            return fault(letter >= 0, letter)
        begins = [int(first) for n in running[letter] for i, first in n.start if i in counted]
        times = [time for part, time in ran.signs if part == stands]
        for time in times if begins else ():
            known = plain | {bound for s in time.free_symbols for bound in within(s, table)}
            if not time or not all(holds(sympy.Ge(time[0], first + 1), known) for first in begins):
                return "where there was no step"
        return fault(letter >= 0, letter) if lasts(sign, letter >= 0, letter) else "one step later"

    told = {
        p for n in inductions for f in n.step.given if f.origin == "definition" for p in parts_of(f.relation)
    }
    signs = {(p, fact.name) for fact in definitions for p in parts_of(fact.relation) if is_sign(p)}
    for sign, name in sorted(signs, key=str):
        stands_for = {old for old, image in ran.places if image == sign.lhs} | {sign.lhs}
        faults = [
            fault(sign.func(old, sign.rhs), old)
            if sign in told
            else begun(sign.func(old, sign.rhs), sign, old)
            for old in sorted(stands_for & running.keys(), key=str)
            if sign in told or old not in counted
        ]
        if faults and all(faults):
            yield f"a step is given '{name}', which need not hold in every step: not {faults[0]}"


def _given_a_value(
    definitions: Sequence[Fact], timed: Set[Any], rigid: Set[Any], counted: Set[Any], known: frozenset[Any]
) -> Iterator[str]:
    """Equations that leave no choice of what an induction runs through, be it by way of other letters, and that do not follow from
    what is known of it. What it counts may be named."""
    ran, fixed = timed | counted, frozenset(timed | counted | rigid)
    parts = {part: fact.name for fact in definitions for part in parts_of(fact.relation)}
    near = frozenset(fact for fact in known if fact.free_symbols <= fixed)

    def known_already(part: Any) -> bool:
        told = part.free_symbols & ran
        return bool(told) and follows(part, frozenset(fact for fact in known if fact.free_symbols & told))

    said = [part for part in parts if isinstance(part, sympy.Eq) and not counted & set(part.args)]
    said = [part for part in said if not known_already(part)]
    own = [[part] for part in said if part.free_symbols <= fixed]
    signs = [part for part in parts if is_sign(part) and part.lhs not in fixed]

    def soon(group: frozenset[Any], *rest: Any) -> str:  # with signs there is more to ask, of a few alone
        few = decidable(group, fixed)
        return "sat" if few and leave_none(few, *rest) else "unsat"

    groups: list[tuple[list[Any], Callable[..., str]]]
    groups = [(group, exist) for group in (*own, *tied(said, lambda letter: letter not in fixed))]
    groups += [(group, soon) for group in tied([*said, *signs], lambda letter: letter not in fixed)]
    for group, asked in groups:
        told = free_symbols(group) & ran
        if told and asked(frozenset(group), fixed, near) != "unsat":
            names = ", ".join(f"'{parts[part]}'" for part in group)
            yield f"{names} says what {min(told, key=str)} is, which runs through other numbers"


def _narrowed_steps(
    nodes: Iterable[Any], stated: Set[Any], table: Mapping[str, Symbol], printed: frozenset[Any]
) -> Iterator[str]:
    """Definitions, and hypotheses about what it runs through, that the step of an induction is given and that do not hold wherever its
    letters come: from "k ≥ 1" it would not follow that what holds at k = 0 holds at 1."""
    rigid = frozenset(letter for letter in stated if str(letter) in table)
    shown = {node.conclusion.root: node for node in nested(nodes)}
    for node in nested(nodes):
        if hasattr(node, "invariant"):
            given = {fact for fact in node.step.given if fact.root != node.invariant.root}
            ran = {letter for letter, _ in node.start}
            under = frozenset().union(*(_under(fact, ran, shown, {}) for fact in given))
            yield from _narrowed(node, under - given, frozenset(stated), rigid, printed)


def _under(
    fact: Fact, ran: Set[Any], shown: Mapping[Any, Any], found: dict[Fact, frozenset[Fact]]
) -> frozenset[Fact]:
    """The hypotheses from which a fact was shown and that speak of letters which an induction runs through, but for those by which an
    earlier one ran. found: of which facts that is known."""
    if fact not in found:
        source, values = shown.get(fact.root), dict(fact.values)
        used = source.given if source and fact.origin == "derived" else ()
        own = {letter for letter, _ in getattr(source, "start", ())}
        beneath = (ground for one in used for ground in _under(one, ran, shown, found))
        here = {
            ground.at(values) if ground.relation.free_symbols & values.keys() else ground
            for ground in beneath
        }
        here |= {fact} if fact.origin == "hypothesis" else set()
        found[fact] = frozenset(one for one in here if one.relation.free_symbols & ran - own)
    return found[fact]


@cache
def _narrowed(
    node: Any, under: frozenset[Fact], stated: frozenset[Any], rigid: frozenset[Any], printed: frozenset[Any]
) -> tuple[str, ...]:
    start = {letter: sympy.sympify(value) for letter, value in node.start}
    later = {letter: sympy.sympify(value) for letter, value in node.next}
    facts = [(part, fact) for fact in (*node.step.given, *under) for part in parts_of(fact.relation)]
    definitions = {part: fact.name for part, fact in facts if fact.origin == "definition"}
    assumed = {
        p: fact.name for p, fact in facts if fact.origin == "hypothesis" and p.free_symbols & start.keys()
    }
    parts = definitions | assumed
    steady = frozenset(p for fact in printed for p in parts_of(fact) if not p.free_symbols & start.keys())
    signs = frozenset(part for part in parts if is_sign(part))
    counted, fixed = counters([node]), stated | start.keys()
    known = steady | (signs & definitions.keys())  # `_fleeting` asks whether these last
    known |= {letter >= first for letter, first in counted.items()}
    known |= {
        sign for sign in signs & assumed.keys()
        if all(holds(there, known) or (is_sign(there) and there.lhs not in start.keys() | rigid)
               for there in (sign.xreplace(start), sign.xreplace(later)))
    }  # fmt: skip
    # what a hypothesis says of a step is said of every step, if there is one with which it holds
    brought = free_symbols(later.values()) - start.keys() - rigid
    conditions = frozenset(assumed) - known
    found = []
    if conditions and exist(conditions, free_symbols(conditions) - brought, known) != "unsat":
        found += conditions
    known |= conditions
    rest = [
        part for part in definitions
        if part not in known and not is_minor(part)
        and not (isinstance(part, sympy.LessThan) and part.lhs in counted)
    ]  # fmt: skip
    own = [part for part in rest if part.free_symbols & start.keys() and part.free_symbols <= fixed]
    found += [part for part in own if not follows(part, known)]
    for group in tied(rest, lambda letter: letter not in fixed):
        if free_symbols(group) & start.keys() and exist(frozenset(group), fixed, known) != "unsat":
            found += [part for part in group if part not in found]
    names = dict.fromkeys(parts[part] for part in found)
    return tuple(
        f"the step of '{node.name}' is given '{name}', which need not hold in every step" for name in names
    )


def _not_whole(nodes: Sequence[Any], table: Mapping[str, Symbol], known: frozenset[Any]) -> Iterator[str]:
    """Values that are no number of times for what an induction counts, here or in what is cited: k(k − 1) ≥ 0 holds for every
    k = 0, 1, …, and so does what follows from it; not for k = 1/2."""
    counted = counters(nodes)
    for node in nested(nodes):
        used = [(fact.name, fact.values) for fact in given_to(node) if fact.origin == "derived"]
        for name, values in (*used, (node.name, getattr(node, "at", ()))):
            for letter, value in values:
                if letter in counted and not _is_count(sympy.sympify(value), counted[letter], table, known):
                    yield f"{node.name} uses '{name}' at {letter} = {value}, which need not be {_from(counted[letter])}"


def _counted_there(
    nodes: Sequence[Any], definitions: Sequence[Fact], table: Mapping[str, Symbol]
) -> dict[Any, int]:
    """What inductions count, with the letters of the proof's own that stand in its place in instances, or that it is called by."""
    found = counters(nodes)
    values = {pair for node in nested(nodes) for fact in given_to(node) for pair in fact.values}
    values |= {pair for node in nested(nodes) for pair in getattr(node, "at", ())}
    named = (
        part.args for fact in definitions for part in parts_of(fact.relation) if isinstance(part, sympy.Eq)
    )
    values |= {pair for one, other in named for pair in ((one, other), (other, one))}
    while new := {sympy.sympify(value): found[letter] for letter, value in values if letter in found
                  and sympy.sympify(value).is_Symbol and str(value) not in table and value not in found}:  # fmt: skip
        found |= new
    return found


def _not_a_count(
    definitions: Sequence[Fact],
    counted: Mapping[Any, int],
    table: Mapping[str, Symbol],
    known: frozenset[Any],
) -> Iterator[str]:
    """The same of definitions of what an induction counts."""
    for part, name in {part: fact.name for fact in definitions for part in parts_of(fact.relation)}.items():
        sides = part.args if isinstance(part, sympy.Eq) else ()
        for letter, value in zip(sides, reversed(sides), strict=True):
            if letter not in counted or counted.get(value, -1) >= counted[letter]:
                continue
            if value in counted or not _is_count(value, counted[letter], table, known):
                yield f"'{name}' says {letter} = {value}, which need not be {_from(counted[letter])}"


def _from(first: int) -> str:
    return f"{first}, {first + 1}, …"


def _is_count(value: Any, first: int, table: Mapping[str, Symbol], known: frozenset[Any]) -> bool:
    """Whether it is one of `first`, `first` + 1, … where its letters are; those that the table does not have are taken to be."""
    if value.is_Symbol and str(value) not in table:
        return True
    own = sorted(value.free_symbols, key=str)
    if any(str(s) in table and not table[str(s)].domain.startswith("integer") for s in own):
        return False
    coefficients = sympy.Poly(value, *own).coeffs() if own and value.is_polynomial(*own) else [value]
    whole = all(coefficient.is_Integer for coefficient in coefficients)
    near = frozenset(fact for fact in known if letters(fact) & letters(value))
    least = frozenset(s >= (1 if table[str(s)].domain.endswith("1") else 0) for s in own if str(s) in table)
    return whole and (bool(value >= first) if not own else follows(sympy.Ge(value, first), near | least))
