"""Relations taken apart, and whether one follows from others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import sympy

from bounds.symbols import Symbol
from verify.existence import granted
from verify.gram import minor, squared
from verify.polynomial import clear
from verify.smt import check


def parts_of(relation: Any) -> Iterator[Any]:
    return (part for part in sympy.And.make_args(relation) if part != sympy.true)


def is_sign(part: Any) -> bool:
    greater = isinstance(part, sympy.GreaterThan | sympy.StrictGreaterThan)
    return greater and part.lhs.is_Symbol and part.rhs in (0, 1)


def is_minor(part: Any) -> bool:
    """Whether it says that a principal minor of a Gram matrix is at least 0."""
    names = squared(part.free_symbols)
    return bool(names) and isinstance(part, sympy.GreaterThan) and part.rhs == 0 and part.lhs == minor(names)


def within(letter: Any, table: Mapping[str, Symbol]) -> tuple[Any, ...]:
    """Within which bounds the table has the letter, ends included: a statement may say what becomes of α > 0 where α = 0."""
    domain = table[str(letter)].domain if str(letter) in table else "real"
    least = () if domain == "real" else (letter >= 1,) if domain == "integer >= 1" else (letter >= 0,)
    return (*least, letter <= 1) if domain.startswith("(0, 1") else least


def holds(relation: Any, known: frozenset[Any]) -> bool:
    """Whether the relation follows from what is known, or is true as it stands."""
    return relation == sympy.true or (relation != sympy.false and follows(relation, known))


@cache
def follows(conclusion: Any, known: frozenset[Any]) -> bool:
    wanted = clear(conclusion)
    missing = sympy.Not(sympy.And(wanted.formula, *wanted.defined))
    return check([*granted(known), *wanted.guarded, missing], seconds=1.0) == "unsat"
