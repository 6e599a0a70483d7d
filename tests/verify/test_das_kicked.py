"""The runs that break Theorem 6 at r = 1: their clients, their table of cycles, and Algorithm 1 itself beside it."""

from __future__ import annotations

from dataclasses import replace
from math import exp, factorial

import numpy as np
import pytest

from verify.dp_normfedavg.counterexamples import kicked

AWAY = kicked.DOWN * kicked.START


def test_the_gradient_is_the_nearest_point_of_a_convex_polygon_with_a_corner_at_0() -> None:
    """⟨p − ∇f_i(p), v − ∇f_i(p)⟩ ≤ 0 for every corner v, which is what makes it the projection."""
    rng = np.random.default_rng(0)
    along, height = rng.uniform(0.9 * AWAY, 3 * AWAY, 4000), rng.uniform(-3, 3, 4000)
    depth, slope = kicked.corners(AWAY)
    found = kicked.nearest((depth, slope), along, height)
    assert (np.diff(slope) > 0).all()
    assert (np.diff(np.diff(depth) / np.diff(slope)) > 0).all()
    assert len(np.unique(np.round(found[1], 12))) > len(slope)
    for corner in [(0.0, 0.0), *zip(-depth, slope, strict=True)]:
        inner = (along - found[0]) * (corner[0] - found[0]) + (height - found[1]) * (corner[1] - found[1])
        assert inner.max() < 1e-9


@pytest.mark.parametrize("m", [1, 2, 4])
def test_a_cycle_is_algorithm_1(m: int) -> None:
    """In coordinates x, h and ξ_i of the clients that are drawn, from an x beside the table's own, message by message."""
    table = kicked.cycles()
    start = kicked.START * 1.00313
    sine = kicked.HEIGHT / kicked.START
    cosine = np.sqrt(1 - sine**2)
    w = np.concatenate([[start, 0.0], np.zeros(2 * m)])

    def client(first: np.ndarray, second: np.ndarray, away: float) -> np.ndarray:
        """The clipped message, over C, of the client that looks along two unit vectors, by E local steps in w."""
        v = w.copy()
        for _ in range(kicked.E):
            slope = kicked.nearest(kicked.corners(away), np.array([first @ v]), np.array([second @ v]))
            v = v - kicked.STEP * (slope[0][0] * first + slope[1][0] * second)
        sent = w - v
        assert np.linalg.norm(sent) > 1
        return sent / np.linalg.norm(sent)

    def axes(c: float, own: int) -> np.ndarray:
        found = np.zeros_like(w)
        found[0], found[own] = c, np.sqrt(1 - c**2)
        return found

    up = np.eye(len(w))[1]
    ahead, across = np.zeros_like(w), np.zeros_like(w)
    ahead[:2], across[:2] = (cosine, sine), (sine, -cosine)
    w = w - client(ahead, across, cosine * kicked.START)
    w = w - sum(client(axes(kicked.DOWN, 2 + j), up, AWAY) for j in range(m))
    for j in range(1, m):
        w = w - client(axes(kicked.UP, 2 + m + j), -up, kicked.UP * kicked.START)
    assert w[0] == pytest.approx(np.interp(start, table.x, table.end[m - 1]), abs=1e-7)
    assert abs(w[1]) < kicked.corners(1.0)[1][0] / 5


def test_every_update_that_is_to_be_cut_is_cut_and_a_cycle_pays() -> None:
    table = kicked.cycles()
    chance = [exp(-1) / factorial(m) / kicked.SOMEBODY for m in range(1, kicked.MOST + 1)]
    assert min(table.shortest.values()) > 1
    assert sum(chance) == pytest.approx(1, abs=1e-11)
    assert (chance @ table.gain > 0.009).all()
    drift = chance @ (table.end**2 - table.x**2)
    assert drift[0] > 0.03
    assert drift[-1] < -0.05


def test_a_run_adds_up_its_cycles_and_stops_where_the_table_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    found = kicked.run((0, 1), 20_000)
    assert list(found) == [0, 1]
    assert all(abs(value * kicked.START**2 / 20_000 / 0.0096 - 1) < 0.1 for value in found.values())
    table = kicked.cycles()
    monkeypatch.setattr(kicked, "cycles", lambda: replace(table, end=table.end + 4e-4))
    with pytest.raises(ArithmeticError, match="drawn out of turn"):
        kicked.run((0,), 20_000)


def test_what_is_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too few rounds, a client drawn out of its turn, an update that is not cut."""
    few = kicked.sampling(10_000)
    assert len(few.samples) == 2
    monkeypatch.setattr(kicked, "UPS", 1e3)
    out_of_turn = kicked.sampling(10_000)
    assert "drawn out of turn" in out_of_turn.problem
    uncut = replace(kicked.cycles(), shortest={"down": 0.99})
    monkeypatch.setattr(kicked, "cycles", lambda: uncut)
    kept = kicked.sampling(10_000)
    assert "an update is not cut: {'down': 0.99}" in kept.problem
    assert not any(found.refutes for found in (few, out_of_turn, kept))


def test_a_large_remainder_has_no_price() -> None:
    with pytest.raises(ValueError, match="no small remainder"):
        kicked.rest(np.array([0.1]))
