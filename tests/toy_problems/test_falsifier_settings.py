"""What the falsifier's attacks are given."""

import pytest

from toy_problems.falsifier.attack import Effort
from toy_problems.falsifier.expectation.attack import expectation_attacks
from toy_problems.falsifier.grid import attack as grid


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
