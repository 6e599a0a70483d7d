"""Whether values exist for the letters that definitions bring, whatever values the statement's letters have.

The definitions are taken in turn: an equation has to leave values for the letters that it brings, whatever values those before it
have, and these have to obey the bounds whose letters are then all there. If each does, there are values for all. z3 answers that
in no time, where about twenty definitions at once it says nothing; but where letters are tied more closely it may answer at once.
An equation that leaves no values because a letter of it was given its value too early is made one with the equation that brought
its latest letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import sympy

from verify.polynomial import clear
from verify.smt import Result, without

Relations = frozenset[Any]
SECONDS = 1.0
"""Of the clock, for one question. Those that get an answer take a tenth of that, mostly a hundredth."""


def exist(relations: Relations, stated: frozenset[Any], known: Relations) -> Result:
    """`unsat` where, for all values of the stated letters that what is known allows, there are values of the others for which the
    relations hold; `sat` where for some there are none."""
    parts = {part for relation in relations for part in sympy.And.make_args(relation)}
    units = [frozenset({part}) for part in sorted(parts, key=str)]
    if in_turn(units, stated, known):
        return "unsat"
    answer = _choice(relations, letters(relations) - stated, known)
    if answer == "unsat" or in_turn(units, stated, known, joining=True):
        return "unsat"
    return answer


def in_turn(
    units: Sequence[Relations], stated: frozenset[Any], known: Relations, joining: bool = False
) -> bool:
    """Whether it is shown that such values exist, one unit after the other; `joining`: units may be made one."""
    while (stuck := _stuck(units, stated, known)) is not None:
        late, before = stuck
        if not (before and joining):
            return False
        units = [*(unit for unit in units if unit not in (late, before)), late | before]
    return True


def _stuck(
    units: Sequence[Relations], had: frozenset[Any], known: Relations
) -> tuple[Relations, Relations] | None:
    """The first unit that leaves no values for the letters it brings, wherever it is put, and the one that brought the latest of
    its letters, if a solver says so and there is one. None where all can be made to hold in turn."""
    brought: dict[Any, Relations] = {}
    while units:
        order = sorted(units, key=lambda unit: (_bounds(unit), len(letters(unit) - had)))
        answers = set()
        for unit in order:
            new = letters(unit) - had
            made = unit.union(*(other for other in units if _bounds(other) and letters(other) <= had | new))
            answers.add(answer := _choice(made, new, known))
            if answer == "unsat":
                break
        else:
            late = order[0]
            before = [unit for letter, unit in brought.items() if letter in letters(late)]
            return late, before[-1] if before and answers == {"sat"} else frozenset()
        brought |= dict.fromkeys(new, unit)
        units = [other for other in units if not other <= made]
        had, known = had | new, known | made
    return None


def _bounds(unit: Relations) -> bool:
    """Whether it says only how large or small letters are."""
    return not any(part.has(sympy.Eq) for part in unit)


def _choice(relations: Relations, own: frozenset[Any], known: Relations) -> Result:
    """`exist` in one question. What is known of letters that the relations share may suffice, and is less to look at."""
    shared = letters(relations)
    near = frozenset(fact for fact in known if fact.free_symbols & shared)
    answer = _left(relations, own, near)
    return answer if answer == "unsat" or near == known else _left(relations, own, known)


@cache
def _left(relations: Relations, own: frozenset[Any], known: Relations) -> Result:
    """Of values of the other letters for which the known facts hold and no values of the own letters make the relations hold."""
    facts, wanted = cleared(known), cleared(relations)
    fixed = letters((*facts, *relations)) - own
    return without(facts, wanted, sorted(letters(wanted) - fixed, key=str), SECONDS)


def cleared(relations: Relations) -> list[Any]:
    """Without quotients and roots, equal roots under one name; in the same order in every process, since what the solver needs
    depends on it."""
    return [formula for relation in sorted(relations, key=str) for formula in _cleared(relation)]


@cache
def _cleared(relation: Any) -> tuple[Any, ...]:
    found = clear(relation)
    return (found.formula, *found.sides, *found.defined)


def letters(formulas: Iterable[Any]) -> frozenset[Any]:
    return frozenset().union(*(formula.free_symbols for formula in formulas))
