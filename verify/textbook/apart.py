"""Textbook results that speak of one letter of a proof, and of which no trial speaks together.

Each of two results may be true of a letter and the two false together: t ≤ u − 1 of one function and u ≤ t of another one say 0 ≤ −1.
Where one trial is of both, its cases say what the letter is in either. The letters of the statement are what the paper says they are.
Definitions speak of these letters too, and hold in the cases that have values for all of a definition's letters, as far as there are
such cases: the others are left to the reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from verify.catalogue import claims
from verify.definitions import of_statement
from verify.facts import Fact
from verify.proof import Proof
from verify.relations import is_sign, parts_of
from verify.textbook.draws import mp
from verify.textbook.library import TRUSTED, trials
from verify.textbook.trial import drawn, holds

SEEN = 10
"""Cases in which two letters that stand for one are compared, and a definition is looked at."""


def apart() -> dict[tuple[str, ...], tuple[str, ...]]:
    """The names of two results and the letter, with the ids of the claims whose proofs cite them."""
    return _in_all_proofs(apart_in)


def apart_in(proof: Proof, stated: frozenset[Any]) -> Iterator[tuple[str, str, str]]:
    """Those of one proof. Left out is what is trusted, and what stands in the place of a letter and is none."""
    facts = dict.fromkeys(fact for fact in proof.facts() if fact.origin == "standard")
    tried = [fact for fact in facts if not any(entry.covers(fact.base or fact) for entry in TRUSTED)]
    for one, other in combinations(tried, 2):
        if one.root != other.root:
            here, there = _letters(one), _letters(other)
            for letter in sorted(here.keys() & there.keys() - stated, key=str):
                if not _together(one, here[letter], other, there[letter]):
                    yield one.root[0], other.root[0], str(letter)


def clashes() -> dict[tuple[str, ...], tuple[str, ...]]:
    """The names of a result and of a definition that does not hold in the result's cases, though they have values for its letters,
    with the ids of the claims: a letter may mean one thing here and another there, or the definition is about a part of the cases."""
    return _in_all_proofs(clashes_in)


def clashes_in(proof: Proof, stated: frozenset[Any]) -> Iterator[tuple[str, str]]:
    """Those of one proof."""
    facts = dict.fromkeys((*proof.assumptions, *proof.facts()))
    said = {part: f.name for f in facts if f.origin == "definition" for part in parts_of(f.relation)}
    said = {part: name for part, name in said.items() if not is_sign(part)}
    for fact in (fact for fact in facts if fact.origin == "standard"):
        here = _letters(fact)
        for part, name in said.items():
            if part.free_symbols & here.keys() - stated and not _holds_in_cases(part, fact, here):
                yield fact.root[0], name


def _in_all_proofs(
    looked_for: Callable[[Proof, frozenset[Any]], Iterator[tuple[str, ...]]],
) -> dict[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], dict[str, None]] = {}
    for claim in claims().values():
        for proof in claim.proofs:
            for names in looked_for(proof, of_statement(proof, claim.paper)):
                found.setdefault(names, {})[claim.id] = None
    return {names: tuple(ids) for names, ids in sorted(found.items())}


def _holds_in_cases(part: Any, fact: Fact, here: dict[Any, str]) -> bool:
    """Whether a definition holds in all cases of a result that have values for its letters. A letter in whose place the result has
    another one is none of the result's."""
    replaced = {str(letter) for letter in (fact.base or fact).relation.free_symbols} - {
        name for letter, name in here.items() if str(letter) == name
    }
    names = {letter: here.get(letter, str(letter)) for letter in part.free_symbols}
    if any(letter not in here and str(letter) in replaced for letter in names):
        return True
    for case in {trial.case for trial in trials(fact.base or fact)}:
        if set(names.values()) <= drawn(case, 0).keys():
            for found in (drawn(case, seed) for seed in range(SEEN)):
                if not holds(part, {str(letter): mp.mpf(found[name]) for letter, name in names.items()}):
                    return False
    return True


def _letters(fact: Fact) -> dict[Any, str]:
    """The letters of a fact, each with the name that it has in the textbook result."""
    values = dict(fact.values)
    said = (fact.base or fact).relation.free_symbols
    return {values.get(letter, letter): str(letter) for letter in said}


def _together(one: Fact, letter: str, other: Fact, same: str) -> bool:
    """Whether a trial is of both, in whose cases the two letters are one number."""
    cases = ({trial.case for trial in trials(fact.base or fact)} for fact in (one, other))
    shared = set.intersection(*cases)
    if letter == same:
        return bool(shared)
    return any(
        all(found[letter] == found[same] for found in (drawn(case, seed) for seed in range(SEEN)))
        for case in shared
    )
