"""What the falsifier's attacks are given, and what they measure of it."""

import numpy as np
import pytest

from toy_problems.falsifier.attack import Effort
from toy_problems.falsifier.convex.replay import replay_convex
from toy_problems.falsifier.convex.targets import CONVEX, Trace
from toy_problems.falsifier.expectation.attack import expectation_attacks
from toy_problems.falsifier.grid import attack as grid

BY_HAND = {
    "claim": "DAS-T4b",
    "values": {"L": "1", "C_hat": "1", "alpha": "1", "rho": "1/10", "gamma": "1/100", "eta": "1/20", "r": "1"},
    "start": "3/40",
    "clients": [["1", "1/1000", "0"], ["1", "1/1000", "0"]],
}  # fmt: skip


def test_a_replay_does_not_depend_on_the_unit_of_f():
    bound = CONVEX["DAS-T4b"].bound
    here = replay_convex(BY_HAND, bound)
    there = replay_convex(
        BY_HAND | {
            "values": BY_HAND["values"] | {"L": "3", "C_hat": "3", "gamma": "3/100", "eta": "1/60"},
            "clients": [["3", "3/1000", "0"], ["3", "3/1000", "0"]],
        }, bound)  # fmt: skip
    assert (there.measured, there.bound) == (3 * here.measured, 3 * here.bound)


def test_everybody_may_be_drawn():
    everybody = BY_HAND | {"values": BY_HAND["values"] | {"r": "2"}}
    assert replay_convex(everybody, CONVEX["DAS-T4b"].bound).measured > 0


def test_both_readings_are_attacked_where_they_differ():
    settings = [a.run.args[0] for a in expectation_attacks((1, 100), ("NEC-T2-APP",))]
    assert [(s.d, s.reading) for s in settings] == [
        (1, "per coordinate"),
        (100, "per coordinate"),
        (100, "whole vector"),
    ]


def test_the_effort_reaches_the_search_as_it_is(monkeypatch):
    class Stop(Exception): ...

    def search(target, instances, seconds, seed, progress):
        raise Stop(instances, seconds, seed)

    monkeypatch.setattr(grid, "search", search)
    with pytest.raises(Stop) as told:
        grid.grid_attacks()[0].run(Effort(7, 5.0, 3), None)
    assert told.value.args == (7, 5.0, 3)


@pytest.mark.parametrize(
    ("name", "cut", "kept"),
    [("DAS-T6", 3 * 2 * 10 / 8 / 4, 2 - 0.4 - 0.16), ("DAS-T7", 3 * 2 * 10 / 8 / 4, (2 - 0.16) * 8 / 5)],
)
def test_what_is_measured_of_clients_that_are_cut_and_of_others(name, cut, kept):
    """Ĉ = 2, E = 4, L = 1, 2ηE = 0.4; ‖u‖ = 10 is above ĈE = 8, ‖u‖ = 5 is below; both gaps are 1."""
    trace = Trace(
        chance=np.ones((1, 1)),
        size=np.array([10.0, 5.0]).reshape(1, 1, 1, 2),
        gap=np.ones((1, 1, 1, 2)),
        Delta=np.zeros((1, 2)),
    )
    letters = {"C": np.array([8.0]), "E": 4, "eta": np.array([0.05]), "alpha": 1.0, "rho": 0.1}
    assert CONVEX[name].measured(trace, letters) == pytest.approx((cut + kept) / 2)
