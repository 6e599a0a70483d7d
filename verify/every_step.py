"""Whether what is said of the letters of inductions holds of every number that they run through.

What an induction concludes holds of what it runs through (a sum so far), not of any number of that name. So what it counts is not
given a value that is not whole (`counts`); a sign of what it runs through lasts (`fleeting`); and, asked here, what it runs through is
not given a value by equations, and neither a definition nor a hypothesis that its step is given is lost on the way. `running` asks of
which step a letter is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from typing import Any

import sympy

from bounds.symbols import Symbol
from verify.counts import counted_there, not_a_count, not_whole
from verify.existence import decidable, exist, free_symbols, leave_none, tied
from verify.facts import Fact
from verify.fleeting import fleeting
from verify.relations import follows, holds, is_minor, is_sign, parts_of
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
    there = counted_there(nodes, definitions, table)
    shown = frozenset(node.invariant.relation for node in nested(nodes) if hasattr(node, "invariant"))
    rigid = frozenset(letter for letter in stated if str(letter) in table)
    yield from fleeting(nodes, definitions, stated, table, printed, ran)
    yield from _given_a_value(definitions, ran.freely, rigid, there.keys(), shown | signs | printed | counts)
    yield from _narrowed_steps(nodes, stated, table, printed)
    yield from not_whole(nodes, table, parts | printed | counts)
    yield from not_a_count(definitions, there, table, known | counts)


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
    """The same of one induction. under: the hypotheses from which what its step is given was shown."""
    facts = [(part, fact) for fact in (*node.step.given, *under) for part in parts_of(fact.relation)]
    start = dict(node.start)
    definitions = {part: fact.name for part, fact in facts if fact.origin == "definition"}
    assumed = {
        p: fact.name for p, fact in facts if fact.origin == "hypothesis" and p.free_symbols & start.keys()
    }
    counted = counters([node])
    known = frozenset(p for fact in printed for p in parts_of(fact) if not p.free_symbols & start.keys())
    known |= {part for part in definitions if is_sign(part)}  # `fleeting` asks whether these last
    known |= {letter >= first for letter, first in counted.items()}
    known |= _lasting_signs(node, frozenset(assumed), rigid, known)
    # what a hypothesis says of a step is said of every step, if there is one with which it holds
    brought = free_symbols(sympy.sympify(value) for _, value in node.next) - start.keys() - rigid
    conditions = frozenset(assumed) - known
    none = conditions and exist(conditions, free_symbols(conditions) - brought, known) != "unsat"
    found = [*conditions] if none else []
    known |= conditions
    rest = [
        part for part in definitions
        if part not in known and not is_minor(part)
        and not (isinstance(part, sympy.LessThan) and part.lhs in counted)
    ]  # fmt: skip
    fixed = stated | start.keys()
    own = [part for part in rest if part.free_symbols & start.keys() and part.free_symbols <= fixed]
    found += [part for part in own if not follows(part, known)]
    for group in tied(rest, lambda letter: letter not in fixed):
        if free_symbols(group) & start.keys() and exist(frozenset(group), fixed, known) != "unsat":
            found += [part for part in group if part not in found]
    names = dict.fromkeys((definitions | assumed)[part] for part in found)
    return tuple(
        f"the step of '{node.name}' is given '{name}', which need not hold in every step" for name in names
    )


def _lasting_signs(
    node: Any, assumed: frozenset[Any], rigid: frozenset[Any], known: frozenset[Any]
) -> frozenset[Any]:
    """The signs among the hypotheses that hold at the start and one step later, be it of what a letter of the proof's own means."""
    start, later = ({letter: sympy.sympify(value) for letter, value in at} for at in (node.start, node.next))
    ran = start.keys() | rigid

    def lasts(sign: Any) -> bool:
        there = (sign.xreplace(start), sign.xreplace(later))
        return all(holds(at, known) or (is_sign(at) and at.lhs not in ran) for at in there)

    return frozenset(part for part in assumed if is_sign(part) and lasts(part))
