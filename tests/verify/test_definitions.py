"""What proofs call a definition says what letters mean; it is no result, and no condition in disguise."""

import re
from collections.abc import Iterator

import pytest
import sympy
from sympy.core.relational import Relational

from verify.catalogue import claims
from verify.claim import Claim
from verify.facts import Fact
from verify.proof import Induction, Node, Proof

RESULT = re.compile(r"(Lemma|Theorem|Corollary|(the )?(first |last )?display|.* as printed)", re.IGNORECASE)


def proofs(claim: Claim) -> list[Proof]:
    universal = claim.witness.universal if claim.witness else None
    return [
        p for p in (claim.proof, claim.conflict, universal, claim.repair.proof if claim.repair else None) if p
    ]


def given(nodes: tuple[Node, ...]) -> Iterator[Fact]:
    for node in nodes:
        yield from (*node.base.given, *node.step.given) if isinstance(node, Induction) else node.given
        yield from given(getattr(node, "nodes", ()))


def definitions(claim: Claim) -> list[Fact]:
    found = (fact for proof in proofs(claim) for fact in given(proof.nodes) if fact.origin == "definition")
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("identifier", [c.id for c in claims().values() if definitions(c)])
def test_no_definition_is_a_result_or_a_choice_of_parameters(identifier: str) -> None:
    """A definition is not named after a result, and does not order two letters that the statement assumes things of: that
    is a condition, and belongs among the hypotheses, where the report shows it."""
    claim = claims()[identifier]
    assert [fact.name for fact in definitions(claim) if RESULT.match(fact.name)] == []
    for proof in proofs(claim):
        free = set().union(*(f.relation.free_symbols for f in proof.assumptions if f.origin == "hypothesis"))
        for fact in given(proof.nodes):
            if fact.origin == "definition" and fact.relation.free_symbols <= free:
                assert not [r for r in fact.relation.atoms(Relational) if _orders(r)], (
                    f"{identifier}: '{fact.name}' orders letters of the hypotheses"
                )


def _orders(relation: Relational) -> bool:
    """Whether it is an inequality between two expressions of letters, neither of them a letter defined beside it."""
    strict = isinstance(relation, sympy.Eq | sympy.Ne)
    return not strict and bool(relation.lhs.free_symbols) and bool(relation.rhs.free_symbols)
