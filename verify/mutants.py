"""Mutants: each obligation with one thing changed, to see that what is proved is not proved by accident.

A mutant tightens the goal's right-hand side by a tenth, drops one of its terms, changes an exponent, turns the inequality
round, or drops a hypothesis that the proof needed. A solver that refutes the mutant has found numbers that tell the claim from
its mutant. A mutant that is still provable is explained: a hypothesis that this step does not need, or slack, whose size is
measured. An inequality that survives being turned round has no such excuse, unless both sides are equal. Nor has an identity or a
limit that is proved with another right-hand side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import sympy
from sympy.core.relational import Relational

from methods.terminal.processes import each
from verify.catalogue import claim
from verify.facts import Fact, derived
from verify.identity import Identity, Limit
from verify.induction import Induction
from verify.obligation import Obligation, Settings, as_polynomials, undefined_without
from verify.proof import Proof
from verify.running import nested
from verify.smt import check

LIMIT = 1.0
"""Seconds for one mutant; a mutant that takes longer counts as unknown."""
TURNED = {"<=": sympy.Gt, "<": sympy.Ge, ">=": sympy.Lt, ">": sympy.Le}
OTHER = "UNEXPLAINED: it is proved with another right-hand side"
FACTORS = tuple(sympy.Rational(k, 10) for k in (9, 7, 5, 3, 1))


@dataclass(frozen=True)
class Mutant:
    """A changed obligation and what was changed."""

    task: Obligation
    change: str
    kind: str


def mutants(task: Obligation, needed: Sequence[str]) -> Iterator[Mutant]:
    """Every mutant of an obligation; `needed` names the hypotheses that are dropped one at a time."""
    goal: Any = task.goal.relation
    if _ordered(goal):
        sides = (goal.lhs, goal.rhs) if goal.rel_op in ("<=", "<") else (goal.rhs, goal.lhs)
        relation = sympy.Le if goal.rel_op in ("<=", ">=") else sympy.Lt
        small: Any = sides[0]
        large: Any = sides[1]
        if not large.is_zero:
            yield _with_goal(
                task, relation(small, FACTORS[0] * large, evaluate=False), "larger side × 9/10", "constant"
            )
        for term in sympy.Add.make_args(large) if isinstance(large, sympy.Add) else ():
            yield _with_goal(
                task, relation(small, large - term, evaluate=False), f"without the term {term}", "term"
            )
        for change, changed in _raised(large):
            yield _with_goal(task, relation(small, changed, evaluate=False), change, "exponent")
        yield _with_goal(task, TURNED[goal.rel_op](goal.lhs, goal.rhs), "inequality turned round", "turned")
    elif isinstance(goal, sympy.Eq):
        yield _with_goal(task, sympy.Eq(goal.lhs, FACTORS[0] * goal.rhs), "right side × 9/10", "constant")
    for name in needed:
        rest = tuple(fact for fact in task.given if fact.name != name)
        if len(rest) < len(task.given):
            yield Mutant(replace(task, given=rest), f"without '{name}'", "hypothesis")


def altered(node: Identity | Limit) -> Iterator[tuple[str, Identity | Limit]]:
    """(what was changed, the node) with every other right-hand side that is tried."""
    right: Any = sympy.sympify(node.right if isinstance(node, Identity) else node.value)

    def other(value: Any) -> Identity | Limit:
        return replace(node, right=value) if isinstance(node, Identity) else replace(node, value=value)

    if right.is_zero or right.is_infinite:
        yield f"right side 1 in the place of {right}", other(sympy.Integer(1))
        return
    yield "right side × 9/10", other(FACTORS[0] * right)
    for term in sympy.Add.make_args(right) if isinstance(right, sympy.Add) else ():
        yield f"without the term {term}", other(right - term)
    for change, raised in _raised(right):
        yield change, other(raised)


def _raised(term: Any) -> Iterator[tuple[str, Any]]:
    """(what was changed, the term) with the exponent of a power greater by one; none that has no value: 1/(1 − 1/x) at x⁰ for 1/x."""
    for power in sorted(term.atoms(sympy.Pow), key=str)[:2]:
        raised = power.base ** (power.exp + 1)
        changed = term.subs(power, raised)
        if not changed.has(sympy.zoo, sympy.nan):
            yield f"{power} → {raised}", changed


def obligations(proof: Proof) -> Iterator[Obligation]:
    """Every obligation in a proof, the parts of inductions and the nodes of cases included."""
    for node in nested(proof.nodes):  # a case of a proof is a proof under one more assumption
        if isinstance(node, Obligation):
            yield node
        elif isinstance(node, Induction):
            yield node.base
            yield node.step


def judge(task: Obligation) -> str:
    """refuted, vacuous, unknown or proved, without the confirmation in fractions that a published witness gets."""
    given, fails = as_polynomials(task)
    answer = check([*given, *fails], LIMIT)
    if answer == "sat":
        return "refuted"
    if answer == "unknown":
        return "unknown"
    return "vacuous" if check(given, LIMIT) == "unsat" else "proved"


def examine(identifier: str) -> dict[str, Any]:
    """The JSON entry of one claim: how many mutants fell, and an explanation of each that did not."""
    counts = {"refuted": 0, "vacuous": 0, "unknown": 0}
    survived = []
    tasks = (task for proof in claim(identifier).proofs for task in obligations(proof))
    distinct = {(task.goal.relation, tuple(fact.relation for fact in task.given)): task for task in tasks}
    nodes = (node for proof in claim(identifier).proofs for node in nested(proof.nodes))
    algebra = dict.fromkeys(node for node in nodes if isinstance(node, Identity | Limit))
    for node in (*distinct.values(), *algebra):
        for change, result in _tried(node) if isinstance(node, Obligation) else _recomputed(node):
            if result in counts:
                counts[result] += 1
            else:
                survived.append({"mutant": f"{node.name}: {change}", "explanation": result})
    return {"claim": identifier, **counts, "survived": survived}


@cache
def _tried(task: Obligation) -> tuple[tuple[str, str], ...]:
    """(what was changed, how it fell or why it did not) of each mutant; kept, since claims share their obligations."""
    if task.goal.relation in (sympy.true, sympy.false):
        return ()
    needed = task.discharge(Settings(seconds=5.0)).needed
    found = []
    for mutant in mutants(task, needed):
        result = judge(mutant.task)
        if result != "proved":
            found.append((mutant.change, result))
        elif not _weaker(task, mutant):
            found.append((mutant.change, _explain(task, mutant, needed)))
    return tuple(found)


@cache
def _recomputed(node: Identity | Limit) -> tuple[tuple[str, str], ...]:
    """(what was changed, how it fell) of each other right-hand side."""
    found = ((change, other.discharge(Settings()).status) for change, other in altered(node))
    return tuple((change, OTHER if status == "proved" else status) for change, status in found)


def survey(
    identifiers: Sequence[str], jobs: int = 1, progress: Callable[[str], None] = lambda _: None
) -> list[dict[str, Any]]:
    """`examine` for many claims, in parallel, in the order given."""
    entries: dict[str, dict[str, Any]] = {}
    for index, found in each(examine, [(identifier,) for identifier in identifiers], jobs):
        entries[identifiers[index]] = found
        progress(identifiers[index])
    return [entries[identifier] for identifier in identifiers]


def _ordered(goal: Any) -> bool:
    """Whether the goal is an inequality."""
    return isinstance(goal, Relational) and goal.rel_op in TURNED  # pyright: ignore[reportAttributeAccessIssue]


def _weaker(task: Obligation, mutant: Mutant) -> bool:
    """Whether the change can only make the larger side larger, so that it is no mutant but a weaker claim."""
    before: Any = task.goal.relation
    after: Any = mutant.task.goal.relation
    if mutant.kind not in ("term", "exponent", "constant") or not _ordered(before):
        return False
    large = before.rhs if before.rel_op in ("<=", "<") else before.lhs
    return judge(_with_goal(task, sympy.Ge(after.rhs, large), "", "constant").task) == "proved"


def _explain(task: Obligation, mutant: Mutant, needed: Sequence[str]) -> str:
    """Why a mutant is still provable."""
    goal: Any = task.goal.relation
    if mutant.kind == "hypothesis":
        return _said_again(task, mutant, needed)
    if mutant.kind == "turned":
        return "UNEXPLAINED: both directions are provable"
    if mutant.kind == "constant" and _ordered(goal):
        small, large = (goal.lhs, goal.rhs) if goal.rel_op in ("<=", "<") else (goal.rhs, goal.lhs)
        relation = sympy.Le if goal.rel_op in ("<=", ">=") else sympy.Lt
        least = FACTORS[0]
        for factor in FACTORS[1:]:
            if judge(_with_goal(task, relation(small, factor * large), "", "constant").task) != "proved":
                break
            least = factor
        return f"slack: this step holds with the larger side times {least}"
    return "slack: this step does not need it"


def _said_again(task: Obligation, mutant: Mutant, needed: Sequence[str]) -> str:
    """What stands in for a hypothesis that the step needs and that can be dropped while all others stay."""
    alone = tuple(fact for fact in mutant.task.given if fact.origin != "hypothesis" or fact.name in needed)
    result = judge(replace(mutant.task, given=alone))
    if result == "refuted":
        return "it follows from hypotheses that the step does not need while this one stands"
    if result == "unknown":
        return f"undecided in {LIMIT:g} s without the hypotheses that the step does not need while this one stands"
    (dropped,) = (fact for fact in task.given if fact not in mutant.task.given)
    beside = mutant.task.given
    stated = tuple(fact for fact in beside if fact.origin != "definition")

    def says(given: tuple[Fact, ...], relation: Any) -> bool:
        return judge(Obligation(dropped.name, given, derived(dropped.name, relation))) == "proved"

    if any(undefined_without(dropped, given, says) for given in (beside, alone)):
        return "a definition has no value without it"
    if says(beside, dropped.relation) and not says(stated, dropped.relation):
        return "it follows from the others only through a definition, whose letter might have no value without it"
    return "UNEXPLAINED: the step is said to need it and is proved without it"


def _with_goal(task: Obligation, relation: object, change: str, kind: str) -> Mutant:
    return Mutant(replace(task, goal=derived(task.goal.name, relation)), change, kind)
