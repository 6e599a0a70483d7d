"""What proofs call a definition says what letters mean; it is no result, and no condition in disguise.

What a proof's steps take for granted (definitions and textbook results) has to leave every instance of the statement in.
Instances are drawn widely (each letter of the hypotheses over twelve decades where they let it), and for each step a solver is
asked whether the definitions and the textbook results that the step is given can hold beside the instance. What only says which
values a single letter can take (K ≥ 0, a norm is not negative) is part of what an instance is, and the report lists it.

`verify.definitions` asks it of all definitions of a proof together, for all values, whenever a proof is checked; what is drawn
here shares nothing with it and holds the textbook results to it too.
"""

import random
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy.core.relational import Relational

from verify.catalogue import claims
from verify.claim import Claim
from verify.facts import Fact, definition, hypothesis
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.polynomial import clear
from verify.proof import Node, Proof
from verify.smt import solve

RESULT = re.compile(r"(Lemma|Theorem|Corollary|(the )?(first |last )?display|.* as printed)", re.IGNORECASE)
DECADES = range(-6, 7)
QUICK, SLOW = 1, 4
"""Instances a proof."""
SECONDS = 0.1
"""Of the solver's work on one letter's value: one that is not found so soon stays open."""


def given(nodes: tuple[Node, ...]) -> Iterator[Fact]:
    for node in nodes:
        yield from (*node.base.given, *node.step.given) if isinstance(node, Induction) else node.given
        yield from given(getattr(node, "nodes", ()))


def definitions(claim: Claim) -> list[Fact]:
    found = (fact for proof in claim.proofs for fact in given(proof.nodes) if fact.origin == "definition")
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("identifier", [c.id for c in claims().values() if definitions(c)])
def test_no_definition_is_a_result_or_a_choice_of_parameters(identifier: str) -> None:
    """A definition is not named after a result, and does not order two letters that the statement assumes things of: that
    is a condition, and belongs among the hypotheses, where the report shows it."""
    claim = claims()[identifier]
    assert [fact.name for fact in definitions(claim) if RESULT.match(fact.name)] == []
    for proof in claim.proofs:
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


def steps(nodes: Sequence[Node]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
    """Each obligation with what it takes for granted."""
    for node in nodes:
        parts = (node.base, node.step) if isinstance(node, Induction) else (node,)
        for part in parts:
            if isinstance(part, Obligation):
                yield part.name, tuple(f for f in part.given if f.origin in ("definition", "standard"))
        yield from steps(getattr(node, "nodes", ()))


def polynomials(relations: Sequence[Any]) -> list[Any]:
    cleared = [clear(relation) for relation in relations]
    return [formula for c in cleared for formula in (c.formula, *c.sides, *c.defined)]


def ranges(facts: Sequence[Fact]) -> list[Relational]:
    """The parts of definitions that bound one letter by a number."""
    parts = (
        part for fact in facts if fact.origin == "definition" for part in sympy.And.make_args(fact.relation)
    )
    return [
        p
        for p in parts
        if isinstance(p, Relational) and len(p.free_symbols) == 1 and not isinstance(p, sympy.Eq)
    ]


def introduced(facts: Sequence[Fact]) -> set[Any]:
    """Letters that a definition introduces: s = …, or s² = …."""
    sides = (
        e.lhs.as_base_exp()[0] for f in facts if f.origin == "definition" for e in f.relation.atoms(sympy.Eq)
    )
    return {side for side in sides if side.is_Symbol}


def instances(proof: Proof, number: int) -> Iterator[list[Any]]:
    """Values for the letters of the hypotheses, as equations. A letter that these force to be irrational stays open, and so
    does a mean, E_…: what it is a mean of decides it."""
    granted = list(dict.fromkeys(fact for _, facts in steps(proof.nodes) for fact in facts))
    stated = set().union(*(fact.relation.free_symbols for fact in proof.assumptions)) - introduced(granted)
    letters = {letter for letter in stated if not letter.name.startswith("E_")}
    base = polynomials([*(fact.relation for fact in proof.assumptions), *ranges(granted)])
    rng = random.Random(0)
    for _ in range(number):
        pinned: list[Any] = []
        for letter in rng.sample(sorted(letters, key=str), len(letters)):
            about = rng.choice((1, 1, 1, -1)) * Fraction(10) ** rng.choice(DECADES)
            low, high = sorted(sympy.Rational(str(bound)) for bound in (about / 3, about * 3))
            near = solve([*base, *pinned, sympy.And(letter >= low, letter <= high)], seconds=SECONDS)
            found = near if near.model else solve([*base, *pinned], seconds=SECONDS)
            if found.model:
                value = found.model.get(letter.name, Fraction(0))
                pin = sympy.Eq(letter, sympy.Rational(value.numerator, value.denominator))
                pinned += [pin] if solve([*base, *pinned, pin], seconds=SECONDS).result == "sat" else []
        if pinned or not letters:
            yield pinned


def excluded(proof: Proof, number: int) -> list[str]:
    """Steps that take for granted what some instance of the statement contradicts."""
    asked = {(name, facts): polynomials([f.relation for f in facts]) for name, facts in steps(proof.nodes)}
    drawn = list(instances(proof, number))
    assert drawn, "no instance of the hypotheses was found"
    return [
        f"'{name}' takes for granted {'; '.join(fact.name for fact in facts)}, which leaves out {instance}"
        for instance in drawn
        for (name, facts), formulas in asked.items()
        if solve([*formulas, *instance], seconds=1.0).result == "unsat"
    ]


def with_hypotheses() -> list[str]:
    return [c.id for c in claims().values() if any(p.assumptions for p in c.proofs)]


# The slow test below takes all, with more instances.
@pytest.mark.parametrize("identifier", with_hypotheses()[::16])
def test_definitions_and_textbook_results_leave_every_instance_in(identifier: str) -> None:
    assert [text for proof in claims()[identifier].proofs for text in excluded(proof, QUICK)] == []


@pytest.mark.slow
@pytest.mark.parametrize("identifier", with_hypotheses())
def test_definitions_and_textbook_results_leave_many_instances_in(identifier: str) -> None:
    assert [text for proof in claims()[identifier].proofs for text in excluded(proof, SLOW)] == []


def test_a_hypothesis_in_the_clothes_of_a_definition_is_found() -> None:
    a, b, c = sympy.symbols("a b c", real=True)
    honest = definition("c = a + b", sympy.Eq(c, a + b))
    smuggled = definition("a is at most b", a <= b)
    positive = hypothesis("a, b > 0", (a > 0) & (b > 0))
    good = Proof((positive,), (obligation("c > 0", (positive, honest), c > 0),))
    bad = Proof((positive,), (obligation("c ≤ 2b", (positive, honest, smuggled), c <= 2 * b),))
    assert excluded(good, SLOW) == []
    assert any("a is at most b" in text for text in excluded(bad, SLOW))
