"""A witness satisfies what is printed by its own replay. What the repair's proof takes from the print as well is a second account
of the printed hypotheses: at the witness's values it holds too, but for what the repair adds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from verify.catalogue import claims
from verify.claim import Claim
from verify.facts import Fact
from verify.fractions_check import NotRational, holds

ADDED = {
    "DAS-DEF5": {"0 < ε ≤ 15/4"},
    "DAS-EXP-DP": {"q ≥ 6.96"},
    "DAS-EXP-DP@add-remove": {"q ≥ 1.74"},
    "DAS-EXP-DP@constant-1": {"q ≥ 1.74"},
    "FED-C2-UTIL": {"γ = 1/(2L)"},
    "FED-C3@large-D2": {"D₂ < α + D₁"},
    "FED-C5@large-D2": {"D₂ < α + D₁"},
    "FED-EXP-DP@variance": {"0 < β ≤ 0.054"},
    "FED-L5": {"b₁ ≥ 0, b₂ > 0, γ > 0"},
    "FED-L5-S4": {"1 + b₁γ² ≥ 0"},
    "FED-L5-S5": {"b₂γ > 0"},
    "FED-L5-S7": {"b₁ ≥ 0, b₂ > 0, γ > 0"},
    "FED-S1-IG": {"N ≥ 1, T ≥ 2"},
    "NEC-EXP-DP@variance": {"0 < β ≤ 0.016"},
    "NEC-EXP-DP@variance,sum": {"0 < β ≤ 0.169"},
}
"""The hypotheses of repairs that do not hold at the witness: each is in the condition that the repair adds, none is printed."""


def judged(facts: Iterable[Fact], values: Mapping[str, Fraction]) -> dict[str, bool]:
    """Of the facts whose letters all have a value, and which are rational there, by name whether they hold."""
    found = {}
    for fact in facts:
        letters = {letter.name for letter in fact.relation.free_symbols}
        if letters and letters <= values.keys():
            try:
                found[fact.name] = holds(fact.relation, values)
            except NotRational:
                continue
    return found


def witnessed() -> list[tuple[Claim, Mapping[str, Fraction]]]:
    """The claims with a witness against the printed form and a repair, with the witness's values."""
    return [(it, it.against.values) for it in claims().values() if it.against and it.repair]


def of_repair(it: Claim, *origins: str) -> list[Fact]:
    assert it.repair is not None
    proof = it.repair.proof
    return [fact for fact in (*proof.assumptions, *proof.facts()) if fact.origin in origins]


def test_a_witness_meets_what_the_repair_takes_from_the_print() -> None:
    missed, looked_at = {}, 0
    for it, values in witnessed():
        found = judged(of_repair(it, "hypothesis"), values)
        looked_at += bool(found)
        if fails := {name for name, true in found.items() if not true}:
            missed[it.id] = fails
    assert missed == ADDED
    assert looked_at >= 250, "of most witnesses some hypothesis can be looked at"


def test_a_letter_of_a_witness_means_what_it_means_in_the_repair() -> None:
    """Definitions and textbook results hold of all values that letters can have: one that fails has another letter in mind."""
    found = {it.id: judged(of_repair(it, "definition", "standard"), values) for it, values in witnessed()}
    assert not {name: facts for name, facts in found.items() if not all(facts.values())}
    assert sum(map(bool, found.values())) >= 80, (
        "of many witnesses some letter has a meaning that can be looked at"
    )


def test_a_hypothesis_that_a_witness_does_not_meet_is_seen() -> None:
    it, values = next(pair for pair in witnessed() if pair[0].id == "DAS-DEF5")
    facts = of_repair(it, "hypothesis")
    assert not all(judged(facts, values).values())
    assert all(judged(facts, {**values, "epsilon": Fraction(1)}).values())
