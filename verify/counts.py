"""Whether what an induction counts is given whole numbers only.

k(k − 1) ≥ 0 holds for every k = 0, 1, …, and so does what follows from it by an induction over k; not for k = 1/2. What is left to the
reader: that a letter which no table has is whole where it stands for what is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy

from bounds.symbols import Symbol
from verify.existence import letters
from verify.facts import Fact
from verify.induction import given_to
from verify.relations import follows, parts_of
from verify.running import counters, nested


def not_whole(nodes: Sequence[Any], table: Mapping[str, Symbol], known: frozenset[Any]) -> Iterator[str]:
    """Values that are no number of times for what an induction counts, here or in what is cited, in words."""
    counted = counters(nodes)
    for node in nested(nodes):
        used = [(fact.name, fact.values) for fact in given_to(node) if fact.origin == "derived"]
        for name, values in (*used, (node.name, getattr(node, "at", ()))):
            for letter, value in values:
                if letter in counted and not _is_count(sympy.sympify(value), counted[letter], table, known):
                    yield f"{node.name} uses '{name}' at {letter} = {value}, which need not be {_from(counted[letter])}"


def not_a_count(
    definitions: Sequence[Fact],
    counted: Mapping[Any, int],
    table: Mapping[str, Symbol],
    known: frozenset[Any],
) -> Iterator[str]:
    """The same of definitions of what is counted. counted: what `counted_there` finds."""
    for part, name in {part: fact.name for fact in definitions for part in parts_of(fact.relation)}.items():
        sides = part.args if isinstance(part, sympy.Eq) else ()
        for letter, value in zip(sides, reversed(sides), strict=True):
            if letter not in counted or counted.get(value, -1) >= counted[letter]:
                continue
            if value in counted or not _is_count(value, counted[letter], table, known):
                yield f"'{name}' says {letter} = {value}, which need not be {_from(counted[letter])}"


def counted_there(
    nodes: Sequence[Any], definitions: Sequence[Fact], table: Mapping[str, Symbol]
) -> dict[Any, int]:
    """What inductions count, each with its first number, and the letters of the proof's own that stand in its place in instances, or
    that it is called by."""
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
