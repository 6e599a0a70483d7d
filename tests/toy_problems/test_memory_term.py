"""What the 2R of Theorem 1 does: it bounds, it grows with R, and a run forgets its memories."""

import numpy as np
import pytest

from toy_problems.memory_term import ALPHA, BETA, KINDS, memory_term


@pytest.fixture(scope="module")
def rows():
    return memory_term(K=400, n=4, d=5, instances=3, families=("double-well",), radii=(0.3, 3.0, 30.0))


def test_the_bound_holds_in_every_row(rows):
    assert {row.kind for row in rows} == set(KINDS)
    for row in rows:
        assert 0 < row.share <= 1
        if row.kind != "zero":  # there R and the bound are means of different kinds over the instances
            assert row.bound > 2 * row.R


def test_the_bound_grows_with_R_and_the_run_does_not(rows):
    for kind in ("scattered", "astray"):
        mine = [row for row in rows if row.kind == kind]
        assert mine[-1].bound > 50 * mine[0].bound
        assert mine[-1].measured < 10 * mine[0].measured


def test_the_bound_that_pays_for_the_start_once_is_far_below_where_memories_are_far(rows):
    far = [row for row in rows if row.R == 30.0]
    assert far
    for row in far:
        assert row.measured < row.forgets < row.bound / 5


@pytest.mark.parametrize("kind", ["scattered", "astray"])
def test_a_far_memory_is_halved_after_the_rounds_that_its_shrinking_takes(rows, kind):
    """dr/dk = −βr/(α + r), to which the drift of the gradients, at most βR_min/(α + R_min) a round, adds little."""
    far = next(row for row in rows if row.kind == kind and row.R == 30.0)
    drift = BETA * 0.3 / (ALPHA + 0.3)
    expected = (far.R / 2 + ALPHA * np.log(2)) / BETA
    assert far.halved is not None
    assert expected * 0.95 <= far.halved <= expected / (1 - drift / (BETA * 15 / (ALPHA + 15))) + 1


def test_no_radius_at_which_theorem_1_allows_no_step():
    with pytest.raises(ValueError, match="allows no γ > 0 at R = 0"):
        memory_term(radii=(0.0, 1.0))
