"""Every bound that the project encodes is attacked, or says why not."""

from __future__ import annotations

import pytest

import test_falsifier_convex as convex
import test_falsifier_local as local
import test_falsifier_search as deterministic
from bounds.catalogue import every
from toy_problems.falsifier.attack import outcome
from toy_problems.falsifier.coverage import NOT_ATTACKED
from toy_problems.falsifier.evolution import generations_for
from toy_problems.falsifier.study import Plan, UnknownBound
from verify.catalogue import claims

ATTACKED = {attack.bound for attack in Plan().attacks}


@pytest.mark.parametrize("name", every())
def test_bound_is_attacked_or_has_a_reason(name):
    assert (name in ATTACKED) != (name in NOT_ATTACKED), (
        f"{name} must either have a target or stand in NOT_ATTACKED with a reason, and not both"
    )


def test_reasons_are_about_bounds_that_exist():
    assert set(NOT_ATTACKED) <= set(every())
    assert len(every()) > 40
    assert all(len(reason) > 20 for reason in NOT_ATTACKED.values())


def test_asking_for_a_bound_that_is_not_attacked_gives_the_reason():
    with pytest.raises(UnknownBound, match="what stands under O"):
        Plan(("FED-C4",))


def test_instances_are_shared_by_the_attacks_on_a_bound():
    plan = Plan(("NEC-T2-APP",), instances=1_000_000)
    assert len(plan.attacks) > 1
    assert sum(effort.instances for effort in plan.efforts()) >= 1_000_000


def broken_by_a_search() -> set[str]:
    """What the three searches are shown to break with an exact witness: each of their tests runs over its FALSE, some of it
    marked slow."""
    return {*deterministic.FALSE, *local.FALSE, *convex.FALSE}


READ = {"FED-C1-APP": "FED-C1-APP@large-D2"}
"""Bounds whose words allow more than one reading, with the claim on the one that the search takes."""

OUT_OF_REACH = {"DAS-T6": "10³²⁰ clients, each with a coordinate of its own, and 10³⁶² rounds"}
"""Bounds whose witness is no instance that a search could run."""


def test_the_search_breaks_what_the_prover_refutes_and_nothing_else():
    """Two rooms that share no code for finding or checking a witness agree on every bound that both know."""
    known, broken = claims(), broken_by_a_search()
    read = {name: known[READ.get(name, name)] for name in ATTACKED & set(known)}
    refuted = {name for name, claim in read.items() if claim.witness is not None}
    assert refuted - broken == set(OUT_OF_REACH)
    assert broken <= refuted
    assert not [name for name in broken if known[name].proof is not None]


@pytest.mark.parametrize(("instances", "population"), [(1, 64), (5000, 64), (200_000 / 6, 1024), (999, 1000)])
def test_generations_are_as_many_as_the_instances_need(instances, population):
    fresh = population - population // 8
    generations = generations_for(instances, population)
    assert population + generations * fresh >= instances
    assert generations == 1 or population + (generations - 1) * fresh < instances


def test_only_a_witness_breaks_and_rounding_decides_nothing():
    assert outcome(True, 1.5) == "broken"
    assert outcome(False, 1.5) == "not decided"
    assert outcome(False, 1 + 1e-15) == "held, to rounding"
    assert outcome(False, 1.0) == "held"
