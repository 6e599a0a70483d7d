"""A step that takes over what another claim's proof concludes, about other letters.

Nothing about a citation is typed by hand. Its conclusion is the last conclusion of the cited proof, with letters replaced.
Every hypothesis of the cited statement, with the same letters replaced, has to follow from what the citation is given; so
has every definition that constrains letters which both sides know (a letter that means one thing there and another here
is found out by this), however deep in what the cited proof cites itself. What the cited proof calls by letters of its own stays
its own affair, but for a letter that is replaced and that a definition there introduces: f(x⁰) − f^inf cannot become G while
f^inf stays what it is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from verify.claim import Claim
from verify.definitions import of_statement
from verify.evidence import Evidence, union
from verify.existence import decidable, free_symbols, tied
from verify.facts import Fact, derived, replaced
from verify.instances import definitions, undefined
from verify.obligation import Meaning, Obligation, Settings
from verify.proof import Proof
from verify.prove import prove


@dataclass(frozen=True)
class Cite:
    """The conclusion of `claim` (of its repair, if `repaired`) at the letters `at`, its hypotheses shown from `given`."""

    claim: Claim
    given: tuple[Fact, ...]
    at: tuple[tuple[sympy.Symbol, Any], ...] = ()
    repaired: bool = False

    @property
    def name(self) -> str:
        return f"{self.claim.id}{' (repaired)' if self.repaired else ''}"

    @property
    def proof(self) -> Proof:
        """What is cited; raises `ValueError` where the claim has no such proof."""
        repair = self.claim.repair
        proof = (repair.proof if repair else None) if self.repaired else self.claim.proof
        if proof is None:
            raise ValueError(f"{self.name} is cited but offers no proof")
        return proof

    @property
    def conclusion(self) -> Fact:
        return derived(self.name, self._here(self.proof.nodes[-1].conclusion))

    def premises(self) -> Iterator[Obligation | Meaning]:
        """What has to follow from `given`, but for what stands among it word for word."""
        stated = {fact.relation for fact in self.given}
        known: set[Any] = set(self.conclusion.relation.free_symbols)
        known |= {letter for fact in self.given for letter in fact.relation.free_symbols}
        moved = {letter for letter, _ in self.at}
        foreign = {}
        used = (fact for node in self.proof.nodes for fact in definitions(node))
        conclusion = self.proof.nodes[-1].conclusion.relation
        yield from undefined(f"{self.name} has no value there", self.given, conclusion, self.at, shown=True)
        for fact in dict.fromkeys((*self.proof.assumptions, *used)):
            relation = self._here(fact)
            if fact.origin != "definition":
                name = f"{self.name} needs: a value of {fact.name}"
                yield from undefined(name, self.given, fact.relation, self.at)
            own = fact.origin == "definition" and not _introduced(fact) & moved
            if own and not relation.free_symbols <= known:
                foreign[relation] = fact
            elif relation != sympy.true and relation not in stated:
                yield Obligation(f"{self.name} needs: {fact.name}", self.given, derived(fact.name, relation))
        # Of the letters of the cited statement the cited proof shows that they leave values for its own.
        of_cited = of_statement(self.proof, self.claim.paper)
        told = conclusion.free_symbols - of_cited
        tied_here = (moved | free_symbols(stated) | told) - of_cited
        fixed = free_symbols((*stated, *(sympy.sympify(value) for _, value in self.at))) | (told - moved)
        for group in tied(foreign, lambda letter: letter not in fixed):
            facts = [foreign[relation] for relation in group]
            asked = decidable(group, frozenset(fixed))
            if asked and free_symbols(fact.relation for fact in facts) & tied_here:
                name = f"{self.name} needs: {', '.join(fact.name for fact in facts)}"
                yield Meaning(name, self.given, asked, fixed)

    def discharge(self, settings: Settings) -> Evidence:
        start = time.perf_counter()
        cited = prove(self.proof, settings, self.claim.paper)
        shown = tuple(premise.discharge(settings) for premise in self.premises())
        missing = [f"{part.name}: {part.status}" for part in shown if not part.ok]
        status = "proved" if cited.ok and not missing else "unknown"
        return Evidence(
            self.name, "smt", status, time.perf_counter() - start, uses=(self.claim.id,), parts=shown,
            needed=self._needed(cited, shown),
            detail="; ".join([*([cited.detail] if cited.detail else []), *missing]),
        )  # fmt: skip

    def _needed(self, cited: Evidence, shown: Sequence[Evidence]) -> tuple[str, ...]:
        """The hypotheses here that what is cited needs: from which it was shown, or which say it word for word."""
        used = (fact for node in self.proof.nodes for fact in definitions(node))
        asked = {self._here(fact) for fact in used}
        asked |= {self._here(fact) for fact in self.proof.assumptions if fact.name in cited.needed}
        said = tuple(
            fact.name for fact in self.given if fact.origin == "hypothesis" and fact.relation in asked
        )
        return union((said, *(part.needed for part in shown)))

    def _here(self, fact: Fact) -> Any:
        return replaced(fact.relation, self.at)


def _introduced(definition: Fact) -> set[Any]:
    """The letters that stand alone on the left of its equations."""
    equations = (part for part in sympy.And.make_args(definition.relation) if isinstance(part, sympy.Eq))
    return {part.lhs for part in equations if part.lhs.is_Symbol}
