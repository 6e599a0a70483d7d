"""Whether the definitions that a proof uses say no more than definitions may.

A definition introduces letters (s := √(2LΔ)) or says what every value of a letter is (r = ‖v‖ ≥ 0). Both can hide a
hypothesis: `s > 0, s² = 2LΔ` holds for no s where Δ = 0, and a letter that is defined twice, as K + 1 and as n, says K + 1 = n.
So, with the *letters of the statement* those of its hypotheses and those of its conclusion that the paper's table lists, a
machine is asked of all definitions of a proof:

- what they say about letters of the statement alone is that a letter is at least 0 or 1, as its domain in the table has it
  (`Proof.meanings`), follows from the hypotheses, or holds for some values of those letters that are not in the table,
  whatever the others are;
- for all values of the letters of the statement there are values of the others for which those definitions that share them
  hold together. Where that is too hard, each of them by itself.

What an induction concludes holds of what it runs through (a sum so far), not of any number of that name: that no definition
gives such a letter another meaning is left to the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import sympy

from bounds.alpha_normec.symbols import SYMBOLS as ALPHA_NORMEC
from bounds.dp_normfedavg.symbols import SYMBOLS as DP_NORMFEDAVG
from bounds.fed_alpha_normec.symbols import SYMBOLS as FED_ALPHA_NORMEC
from bounds.symbols import Symbol
from verify.polynomial import Clearer
from verify.smt import Result, solve, without

if TYPE_CHECKING:
    from verify.facts import Fact
    from verify.proof import Proof

TABLES = {"alpha-normec": ALPHA_NORMEC, "fed-alpha-normec": FED_ALPHA_NORMEC, "dp-normfedavg": DP_NORMFEDAVG}
_STRICT = (sympy.StrictGreaterThan, sympy.StrictLessThan, sympy.Unequality)


def restrictions(proof: Proof, paper: str = "") -> list[str]:
    """Definitions that narrow the statement, in words; empty where none does. Of a conclusion for which no paper is named all
    letters count as the proof's own."""
    table = TABLES.get(paper, {})
    stated = _letters(fact.relation for fact in proof.assumptions)
    if proof.nodes:
        concluded = proof.nodes[-1].conclusion.relation.free_symbols
        stated |= {letter for letter in concluded if str(letter) in table}
    definitions = [fact for fact in proof.facts() if fact.origin == "definition"]
    said = {
        part: fact.name
        for fact in definitions
        for part in _parts(fact.relation)
        if part.free_symbols <= stated
    }
    printed = {fact.relation for fact in proof.assumptions}
    found = [
        f"'{name}' is used as a definition and excludes values that no hypothesis excludes"
        for part, name in said.items()
        if _excludes(part, frozenset(part for part in said if _is_sign(part, table)) | printed, table)
    ]
    known = frozenset((*said, *printed))
    for group in _groups(definitions, stated):
        answer = _exist(group, stated, known)
        if answer == "sat" and len(group) > 1:
            names = ", ".join(f"'{fact.name}'" for fact in group)
            found.append(f"{names} cannot hold together for all values that the hypotheses allow")
        elif answer != "unsat":
            alone = (fact.name for fact in group if _exist([fact], stated, known) != "unsat")
            found += [
                f"'{name}' cannot be satisfied for all values that the hypotheses allow" for name in alone
            ]
    return found


def _parts(relation: Any) -> Iterator[Any]:
    return (part for part in sympy.And.make_args(relation) if part != sympy.true)


def _is_sign(part: Any, table: Mapping[str, Symbol]) -> bool:
    if not isinstance(part, sympy.GreaterThan) or not part.lhs.is_Symbol or part.rhs not in (0, 1):
        return False
    domain = table[str(part.lhs)].domain if str(part.lhs) in table else "integer >= 1"
    return domain != "real" and (part.rhs == 0 or domain == "integer >= 1")


def _excludes(part: Any, known: frozenset[Any], table: Mapping[str, Symbol]) -> bool:
    if part in known:
        return False
    free = frozenset(letter for letter in part.free_symbols if str(letter) not in table)
    if free and not part.has(*_STRICT) and _always(frozenset((part,)), free, frozenset()) == "unsat":
        return False
    return not _follows(part, known)


def _groups(definitions: Sequence[Fact], stated: set[Any]) -> list[list[Fact]]:
    """Those that share letters which are not the statement's."""
    groups: list[tuple[set[Any], list[Fact]]] = []
    for fact in definitions:
        letters, members = fact.relation.free_symbols - stated, [fact]
        if letters:
            for group in [g for g in groups if g[0] & letters]:
                groups.remove(group)
                letters, members = letters | group[0], group[1] + members
            groups.append((letters, members))
    return [members for _, members in groups]


def _exist(group: Sequence[Fact], stated: set[Any], known: frozenset[Any]) -> Result:
    """`unsat` where there are values of the group's own letters for which it holds, wherever what is known does."""
    relations = frozenset(fact.relation for fact in group)
    letters = _letters(relations)
    own, near = frozenset(letters - stated), frozenset(fact for fact in known if fact.free_symbols & letters)
    answer = _always(relations, own, near)
    return answer if answer == "unsat" or near == known else _always(relations, own, known)


@cache
def _follows(conclusion: Any, known: frozenset[Any]) -> bool:
    wanted = Clearer().clear(conclusion).formula
    return solve([*_cleared(known), sympy.Not(wanted)], seconds=1.0).result == "unsat"


@cache
def _always(relations: frozenset[Any], own: frozenset[Any], known: frozenset[Any]) -> Result:
    facts, wanted = _cleared(known), _cleared(relations)
    fixed = _letters((*facts, *relations)) - own
    return without(facts, wanted, sorted(_letters(wanted) - fixed, key=str))


def _cleared(relations: frozenset[Any]) -> list[Any]:
    """In the same order in every process: what the solver needs depends on it."""
    return [formula for relation in sorted(relations, key=str) for formula in _clear(relation)]


@cache
def _clear(relation: Any) -> tuple[Any, ...]:
    """Without quotients and roots; equal roots have one name in all relations."""
    cleared = Clearer().clear(relation)
    return (cleared.formula, *cleared.sides, *cleared.defined)


def _letters(formulas: Iterable[Any]) -> set[Any]:
    return set().union(*(formula.free_symbols for formula in formulas))
