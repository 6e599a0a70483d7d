"""Whether the definitions that a proof uses say no more than definitions may.

A definition introduces letters (s := √(2LΔ)) or says what every value of a letter is (r = ‖v‖ ≥ 0). Both can hide a
hypothesis: `s > 0, s² = 2LΔ` holds for no s where Δ = 0. So, with the *letters of the statement* those of its hypotheses and
those of its conclusion that the paper's table lists, two things are asked of a machine:

- for all values of the letters of the statement there are values of the others for which the definition holds;
- what a definition says about letters of the statement alone (K ≥ 0, R ≥ 0; `Proof.meanings`) excludes no value by < or ≠
  that the hypotheses allow.

It is each definition by itself that is asked about, not all of them together.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import sympy

from bounds.alpha_normec.symbols import SYMBOLS as ALPHA_NORMEC
from bounds.dp_normfedavg.symbols import SYMBOLS as DP_NORMFEDAVG
from bounds.fed_alpha_normec.symbols import SYMBOLS as FED_ALPHA_NORMEC
from verify.polynomial import Clearer
from verify.smt import solve, without

if TYPE_CHECKING:
    from verify.proof import Proof

PARAMETERS = {
    "alpha-normec": frozenset(ALPHA_NORMEC),
    "fed-alpha-normec": frozenset(FED_ALPHA_NORMEC),
    "dp-normfedavg": frozenset(DP_NORMFEDAVG),
}
"""Names of the letters in each paper's table."""
_STRICT = (sympy.StrictGreaterThan, sympy.StrictLessThan, sympy.Unequality)


def restrictions(proof: Proof, paper: str = "") -> list[str]:
    """Definitions that narrow the statement, in words; empty where none does. Of a conclusion for which no paper is named all
    letters count as the proof's own."""
    parameters = PARAMETERS.get(paper, frozenset())
    stated: set[Any] = set().union(*(fact.relation.free_symbols for fact in proof.assumptions))
    if proof.nodes:
        concluded = proof.nodes[-1].conclusion.relation.free_symbols
        stated |= {letter for letter in concluded if str(letter) in parameters}
    definitions = [fact for fact in proof.facts() if fact.origin == "definition"]
    said = {
        part: fact
        for fact in definitions
        for part in sympy.And.make_args(fact.relation)
        if part.free_symbols <= stated and part != sympy.true
    }
    printed = {fact.relation for fact in proof.assumptions}
    weak = frozenset(part for part in said if not part.has(*_STRICT)) | printed
    found = []
    for part, fact in said.items():
        if part not in weak and not _follows(part, weak):
            found.append(
                f"'{fact.name}' is used as a definition and excludes values that no hypothesis excludes"
            )
    known = frozenset((*said, *printed))
    for fact in definitions:
        others = frozenset(fact.relation.free_symbols - stated)
        near = frozenset(k for k in known if k.free_symbols & fact.relation.free_symbols)
        if others and not (_exists(fact.relation, others, near) or _exists(fact.relation, others, known)):
            found.append(f"'{fact.name}' cannot be satisfied for all values that the hypotheses allow")
    return found


@cache
def _follows(conclusion: Any, known: frozenset[Any]) -> bool:
    clearer = Clearer()
    facts = list(_cleared(known, clearer))
    return solve([*facts, sympy.Not(clearer.clear(conclusion).formula)], seconds=1.0).result == "unsat"


@cache
def _exists(relation: Any, others: frozenset[Any], known: frozenset[Any]) -> bool:
    """Whether there are `others` for which the relation holds, wherever what is known does."""
    clearer = Clearer()
    facts = list(_cleared(known, clearer))
    wanted = list(_cleared((relation,), clearer))
    fixed = (relation.free_symbols - others).union(*(fact.free_symbols for fact in facts))
    chosen = set().union(*(part.free_symbols for part in wanted)) - fixed
    return without(facts, wanted, chosen) == "unsat"


def _cleared(relations: Any, clearer: Clearer) -> Iterator[Any]:
    for relation in relations:
        cleared = clearer.clear(relation)
        yield from (cleared.formula, *cleared.sides, *cleared.defined)
