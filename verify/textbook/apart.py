"""Textbook results that speak of one letter of a proof, and of which no trial speaks together.

Each of two results may be true of a letter and the two false together: t ≤ u − 1 of one function and u ≤ t of another one say 0 ≤ −1.
Where one trial is of both, its cases say what the letter is in either. The letters of the statement are what the paper says they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from verify.catalogue import claims
from verify.definitions import of_statement
from verify.facts import Fact
from verify.proof import Proof
from verify.textbook.draws import Draws
from verify.textbook.library import TRUSTED, trials

SEEN = 20
"""Cases in which two letters that stand for one are compared."""


def apart() -> dict[tuple[str, str, str], tuple[str, ...]]:
    """The names of two results and the letter, with the ids of the claims whose proofs cite them."""
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    for claim in claims().values():
        for proof in claim.proofs:
            for pair in apart_in(proof, of_statement(proof, claim.paper)):
                found.setdefault(pair, {})[claim.id] = None
    return {pair: tuple(ids) for pair, ids in sorted(found.items())}


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
        all((found := case(Draws(seed)))[letter] == found[same] for seed in range(SEEN)) for case in shared
    )
