"""Explicit functions of two variables: their constants, their runs, their witnesses."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from methods import advance, initialise
from toy_problems.falsifier.attack import Effort
from toy_problems.falsifier.exact import WitnessError
from toy_problems.falsifier.planar.attack import attack_planar
from toy_problems.falsifier.planar.candidates import PlanarLayout, decode_planar, run_planar, sample_planar
from toy_problems.falsifier.planar.replay import replay_planar
from toy_problems.falsifier.planar.search import planar_search
from toy_problems.falsifier.planar.witness import planar_witness
from toy_problems.falsifier.traces.candidates import TARGETS
from toy_problems.falsifier.traces.interpolation import gap, highest_values, least_differences

LAYOUTS = [PlanarLayout(1, 3, 1), PlanarLayout(2, 3, 2), PlanarLayout(3, 2, 1)]


def primaries(layout: PlanarLayout, count: int = 40, seed: int = 0):
    return decode_planar(sample_planar(layout, np.random.default_rng(seed), count), layout)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_no_client_turns_faster_than_its_constant(layout):
    primary, random = primaries(layout), np.random.default_rng(1)
    x, y = (layout.K * random.uniform(-1, 1, size=(40, layout.clients, 2)) for _ in range(2))
    same = np.broadcast_to(x[:, :1], x.shape), np.broadcast_to(y[:, :1], y.shape)
    turns = np.linalg.norm(primary.gradients(x) - primary.gradients(y), axis=-1)
    assert (
        turns <= np.linalg.norm(x - y, axis=-1) * (1 + 1e-9) + 1e-9 * np.abs(primary.gradients(x)).max()
    ).all()
    mean = (primary.gradients(same[0]) - primary.gradients(same[1])).mean(axis=1)
    limit = primary.smoothness(False) * np.linalg.norm(same[0][:, 0] - same[1][:, 0], axis=-1)
    assert (
        np.linalg.norm(mean, axis=-1) <= limit * (1 + 1e-9) + 1e-9 * np.abs(primary.gradients(x)).max()
    ).all()


@pytest.mark.parametrize("K", [2, 5])
def test_what_a_run_sees_is_interpolable_and_no_deeper_than_the_function(K):
    """One client: the gradients that the run meets satisfy the interpolation conditions, whose smallest depth is
    at most that of the explicit function."""
    layout, target = PlanarLayout(1, K, 2), TARGETS["NEC-T1"]
    primary = primaries(layout)
    run = run_planar(target, primary, layout)
    runs = len(run.least)
    letters = {name: np.broadcast_to(value, (runs,)).astype(float) for name, value in run.letters.items()}
    origin = primary.gradients(np.zeros((runs, 1, 2)))
    memories = origin - letters["R"][:, None, None] * primary.residuals
    method = target.method(letters)
    state = initialise(method, np.zeros((runs, 2)), 1, memories)
    points, gradients = [], []
    for _ in range(K + 1):
        points.append(state.x)
        gradients.append(primary.gradients(state.x[:, None])[:, 0])
        state, _ = advance(method, state, primary.gradients)
    g, L = np.stack(gradients, axis=1), primary.smoothness(False)
    assert run.least == pytest.approx(np.linalg.norm(g, axis=-1).min(axis=1), rel=1e-12)
    values, feasible = highest_values(least_differences(np.stack(points, axis=1), g, L * (1 + 1e-9)))
    assert feasible.all()
    deepest = primary.gap()
    assert (gap(values, g, L) <= deepest + 1e-9 * np.maximum(1.0, deepest)).all()


@pytest.fixture(scope="module")
def lemma():
    found = planar_search(TARGETS["NEC-L2"], Effort(20_000, 20.0))
    return planar_witness(TARGETS["NEC-L2"], next(one for one in found.each if one.ratio > 1.2))


def test_lemma_2_falls_in_the_plane(lemma):
    witness, verdict = lemma
    assert verdict.broken
    assert verdict.certified > 1
    assert replay_planar(witness, TARGETS["NEC-L2"].bound) == verdict


@pytest.mark.parametrize(
    ("name", "value"), [("L", "1/100"), ("f_gap", "1/7"), ("R", "3"), ("beta", "9"), ("n", "7")]
)
def test_a_letter_that_the_functions_do_not_have_is_rejected(lemma, name, value):
    witness = copy.deepcopy(lemma[0])
    witness["values"][name] = value
    with pytest.raises(WitnessError):
        replay_planar(witness, TARGETS["NEC-L2"].bound)


@pytest.mark.unchecked
def test_a_replay_confirms_what_floating_point_measured():
    target = TARGETS["NEC-OUR-T1-ROOT"]
    found = planar_search(target, Effort(60_000, 20.0))
    best = max((one for one in found.each if one.layout.K == 2), key=lambda one: one.ratio)
    ratio = best.ratio
    _, verdict = planar_witness(target, best, 0.999 * ratio)
    assert not verdict.broken
    assert 0.999 * ratio < float(verdict.certified) < 1.001 * ratio


@pytest.mark.slow
def test_theorem_1_holds_in_the_plane():
    result = attack_planar(TARGETS["NEC-T1"], Effort(20_000, 20.0))
    assert not result["broken"]
    assert 0.4 < result["tightness"] < 1
