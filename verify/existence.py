"""Whether values exist for the letters that definitions bring, whatever values the statement's letters have.

The definitions are taken in turn: an equation has to leave values for the letters that it brings, whatever values those before it
have, and these have to obey the bounds whose letters are then all there. If each does, there are values for all. z3 answers that
in no time, where about twenty definitions at once it says nothing; but where letters are tied more closely it may answer at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

import sympy

from verify.gram import squared
from verify.polynomial import asserted, clear, domain
from verify.smt import Result, without

Relations = frozenset[Any]
FEW = 3
"""Definitions tied by letters that are not known at once, up to which `decidable` has a solver asked."""
SECONDS, SOON = 20.0, 0.5
"""Of a core, for one question, and for one that may do without an answer. What gets one mostly has it in a thousandth of the first,
and the slowest of the catalogue in a tenth: z3 keeps no count of its work here, so that the room is for slower cores."""


def exist(relations: Relations, stated: frozenset[Any], known: Relations) -> Result:
    """`unsat` where, for all values of the stated letters that what is known allows, there are values of the others for which the
    relations hold; `sat` where for some there are none."""
    if in_turn(relations, stated, known, most_letters_first):
        return "unsat"
    own = free_symbols(relations) - stated
    answer = _choice(relations, own, known, SOON)
    if answer == "unknown":
        answer = "unsat" if in_turn(relations, stated, known, by_name) else _choice(relations, own, known)
    return answer


def leave_none(relations: Relations, stated: frozenset[Any], known: Relations) -> bool:
    """Whether a solver soon finds values of the stated letters for which there are none of the others."""
    return _choice(relations, free_symbols(relations) - stated, known, SOON) == "sat"


def in_turn(
    relations: Relations, stated: frozenset[Any], known: Relations, rank: Callable[[Any], Any]
) -> bool:
    """Whether it is shown that such values exist, one relation after the other: equations first, those first that bring the fewest
    letters, and by rank among these; the next where a solver does not say that one leaves values.

    Where one leaves none for some values of the letters before it, the others do not help: they only bring letters, and as they
    leave values for these, none of the values before is excluded."""
    left = sorted({part for relation in relations for part in sympy.And.make_args(relation)}, key=rank)
    had = stated
    while left:
        order = sorted(left, key=lambda part: (_is_bound(part), len(letters(part) - had)))
        for seconds, part in product((SOON, SECONDS), order):  # another one may be answered at once
            new = letters(part) - had
            made = {part, *(other for other in left if _is_bound(other) and letters(other) <= had | new)}
            answer = _choice(frozenset(made), new, known, seconds)
            if answer == "sat":
                return False
            if answer == "unsat":
                break
        else:
            return False
        left = [other for other in left if other not in made]
        had, known = had | new, known | made
    return True


def most_letters_first(part: Any) -> tuple[int, str]:
    """What ties few letters has room left after what ties many."""
    return -len(letters(part)), by_name(part)


@cache
def by_name(part: Any) -> str:
    """Another order, for where that one leads nowhere. Kept, since writing a relation takes sympy as long as the rest."""
    return str(part)


def _is_bound(part: Any) -> bool:
    """Whether it says only how large or small letters are."""
    return not part.has(sympy.Eq)


def _choice(relations: Relations, own: frozenset[Any], known: Relations, seconds: float = SECONDS) -> Result:
    """`exist` in one question. What is known of letters that the relations share may suffice, and is less to look at."""
    shared = free_symbols(relations)
    near = frozenset(fact for fact in known if letters(fact) & shared)
    if near != known and _left(relations, own, near, SOON) == "unsat":
        return "unsat"
    return _left(relations, own, known, seconds)


@cache
def _left(relations: Relations, own: frozenset[Any], known: Relations, seconds: float) -> Result:
    """Of values of the other letters for which the known facts hold and no values of the own letters make the relations hold."""
    facts, wanted = granted(known), cleared(relations)
    fixed = free_symbols((*facts, *relations)) - own
    return without(facts, wanted, sorted(free_symbols(wanted) - fixed, key=str), seconds)


def cleared(relations: Relations) -> list[Any]:
    """Without quotients and roots, equal roots under one name, and with every part defined; in the same order in every process,
    since what the solver needs depends on it."""
    return [formula for relation in sorted(relations, key=by_name) for formula in _cleared(relation)]


def granted(relations: Relations) -> list[Any]:
    """The same of relations that are known: of alternatives no more is known to be defined than the one that holds."""
    return [formula for relation in sorted(relations, key=by_name) for formula in asserted(relation)]


@cache
def _cleared(relation: Any) -> tuple[Any, ...]:
    found = clear(relation)
    return (found.formula, *found.sides, *found.defined)


def tied(relations: Iterable[Any], own: Callable[[Any], bool]) -> list[list[Any]]:
    """The relations in groups that share letters for which `own` holds; those without such a letter are left out."""
    groups: list[tuple[set[Any], list[Any]]] = []
    for relation in relations:
        brought, members = {letter for letter in letters(relation) if own(letter)}, [relation]
        if brought:
            for group in [g for g in groups if g[0] & brought]:
                groups.remove(group)
                brought, members = brought | group[0], group[1] + members
            groups.append((brought, members))
    return [members for _, members in groups]


def decidable(relations: Iterable[Any], fixed: frozenset[Any]) -> frozenset[Any]:
    """What a solver is asked of what definitions leave where letters of theirs are not known: of a few numbers, when those that are
    but other names are left out. That vectors have norms there as elsewhere, and what ties many letters, takes it too long and is
    left to the reader: then there is nothing to ask."""
    left = frozenset(relations)
    if len(left) > FEW:
        left = frozenset(part for relation in left for part in sympy.And.make_args(relation))
        while pair := next(
            (pair for part in sorted(left, key=by_name) for pair in _names(part, fixed)), None
        ):
            left = frozenset(relation.xreplace(dict([pair])) for relation in left) - {sympy.true}
    return left if len(left) <= FEW and not squared(free_symbols(left)) else frozenset()


def _names(part: Any, fixed: frozenset[Any]) -> Iterator[tuple[Any, Any]]:
    """A letter that an equation gives to what always has a value, with that."""
    sides = part.args if isinstance(part, sympy.Eq) else ()
    for letter, value in zip(sides, reversed(sides), strict=True):
        if letter.is_Symbol and letter not in value.free_symbols | fixed and not domain(value):
            yield letter, value


def free_symbols(formulas: Iterable[Any]) -> frozenset[Any]:
    return frozenset().union(*map(letters, formulas))


@cache
def letters(formula: Any) -> frozenset[Any]:
    """Those of one formula. Kept: sympy walks through all of it each time, and the same facts are asked again and again."""
    return frozenset(formula.free_symbols)
