"""Every bound that the project encodes is attacked, or says why not."""

from __future__ import annotations

import pytest

from toy_problems.falsifier.coverage import NOT_ATTACKED, encoded
from toy_problems.falsifier.study import Plan, UnknownBound

ATTACKED = {attack.bound for attack in Plan().attacks}


@pytest.mark.parametrize("name", encoded())
def test_bound_is_attacked_or_has_a_reason(name):
    assert (name in ATTACKED) != (name in NOT_ATTACKED), (
        f"{name} must either have a target or stand in NOT_ATTACKED with a reason, and not both"
    )


def test_reasons_are_about_bounds_that_exist():
    assert set(NOT_ATTACKED) <= set(encoded())
    assert len(encoded()) > 40
    assert all(len(reason) > 20 for reason in NOT_ATTACKED.values())


def test_asking_for_a_bound_that_is_not_attacked_gives_the_reason():
    with pytest.raises(UnknownBound, match="what stands under O"):
        Plan(("FED-C4",))


def test_instances_are_shared_by_the_attacks_on_a_bound():
    plan = Plan(("NEC-T2-APP",), instances=1_000_000)
    assert len(plan.attacks) > 1
    assert sum(effort.instances for effort in plan.efforts()) >= 1_000_000
