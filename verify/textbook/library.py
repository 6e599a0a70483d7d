"""All trials, and every textbook result that a proof of the catalogue cites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from sympy import sympify

from bounds.symbols import Symbol
from verify.catalogue import claims
from verify.definitions import TABLES
from verify.existence import free_symbols
from verify.facts import Fact, standard
from verify.proof import Proof
from verify.textbook import (
    convex,
    descent,
    expectations,
    hidden_draws,
    local_steps,
    norms,
    numbers,
    over_clients,
    privacy,
    sums,
)
from verify.textbook.draws import Draws
from verify.textbook.trial import Trial, Trusted

TRIALS: tuple[Trial, ...] = (
    *convex.TRIALS,
    *descent.TRIALS,
    *expectations.TRIALS,
    *hidden_draws.TRIALS,
    *local_steps.TRIALS,
    *norms.TRIALS,
    *numbers.TRIALS,
    *over_clients.TRIALS,
    *privacy.TRIALS,
    *sums.TRIALS,
)
TRUSTED: tuple[Trusted, ...] = (*numbers.TRUSTED, *privacy.TRUSTED)


@cache
def trials(fact: Fact) -> tuple[Trial, ...]:
    """The trials of a fact: those of its name that give all its letters a value."""
    letters = {str(letter) for letter in fact.relation.free_symbols}
    return tuple(t for t in TRIALS if t.name == fact.name and letters <= set(t.case(Draws(0))))


def cited() -> dict[Fact, tuple[str, ...]]:
    """Every textbook result that is cited and says something, with the ids of the claims whose proofs use it."""
    found: dict[Fact, dict[str, None]] = {}
    for claim in claims().values():
        for proof in claim.proofs:
            for fact in said(proof, TABLES[claim.paper]):
                if fact.relation.free_symbols:
                    found.setdefault(fact, {})[claim.id] = None
    return {
        fact: tuple(ids)
        for fact, ids in sorted(found.items(), key=lambda item: (item[0].name, str(item[0].relation)))
    }


def said(proof: Proof, table: Mapping[str, Symbol]) -> Iterator[Fact]:
    """The textbook results that it cites, each of its own letters; but those said of a letter of the paper as they are said of it,
    since a result on lengths is none on numbers of rounds."""
    for fact in (fact for fact in proof.facts() if fact.origin == "standard"):
        base = fact.base or fact
        put = free_symbols(sympify(value) for _, value in fact.values)
        about = any(str(letter) in table for letter in put)
        yield standard(base.name, fact.relation) if about else base
