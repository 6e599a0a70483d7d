"""Appendix F of DP-NormFedAvg: the closed form against E steps, the runs against Algorithm 1 line by line,
the rules."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from methods.local_work import LocalDescent, LocalSum, OneGradient
from methods.randomness import Keyed
from toy_problems.appendix_f import INITS, Setting, curves, start
from toy_problems.captions import (
    APPRECIABLE,
    figure2,
    figure3,
    figure4,
    figure4_ends,
    figure4_sentences,
    scan,
)
from toy_problems.quadratics import appendix_f
from toy_problems.tables import tables

SMALL = Setting(K=15, E=4, n=6, d=12, rank=3, C=(2.0, 5.0, 1e6), eta=(0.01, 0.3), runs=2)


@given(seed=st.integers(0, 2**31), steps=st.integers(1, 25), eta=st.floats(1e-6, 3.0))
def test_closed_form_of_the_local_work_is_the_local_work(seed, steps, eta):
    problem = appendix_f(seed, n=3, d=8, rank=2)
    x = np.random.default_rng(seed).standard_normal((4, 8))
    etas = eta * np.array([1.0, 0.5, 0.1, 2.0])
    for work in (LocalSum(steps, etas), LocalDescent(steps, etas * steps)):
        expected = work(np.broadcast_to(x[:, None, :], (4, 3, 8)), problem.gradients)
        closed_form = problem.local_updates(work)
        assert closed_form is not None
        found = closed_form(x)
        # Powers (1 − ηλ)^E up to |1 − ηλ| ≤ 1 + 6·λ grow like that power; relative to the largest entry, E
        # roundings.
        scale = np.abs(expected).max() + np.abs(x).max()
        np.testing.assert_allclose(found, expected, atol=1e-12 * steps * scale, rtol=1e-9)


def test_one_gradient_has_no_closed_form_to_use():
    assert appendix_f(0, 3, 8, 2).local_updates(OneGradient()) is None


@pytest.mark.parametrize("method", [0, 1], ids=["clip", "norm"])
def test_runs_are_algorithm_1_line_by_line(method):
    found = curves(SMALL)
    begin = start(SMALL)
    problem, n, d = begin.problem, SMALL.n, SMALL.d
    f_star = problem.constants.f_inf
    for i, c, e, r in [(0, 0, 0, 0), (1, 1, 1, 1), (0, 2, 0, 1)]:
        C, eta, w = SMALL.C[c], SMALL.eta[e], begin.inits[i]
        sigma = np.sqrt(SMALL.q * SMALL.K * C**2 * np.log(1 / SMALL.delta)) / (n * SMALL.epsilon)
        for k in range(SMALL.K):
            value = np.mean(
                [0.5 * np.sum((problem.factor[j].T @ (w - problem.optimum[j])) ** 2) for j in range(n)]
            )
            assert found.suboptimality[method, i, c, e, r, k] == pytest.approx(
                value - f_star, rel=1e-8, abs=1e-10
            )
            sent = []
            for j in range(n):
                local = w
                for _ in range(SMALL.E):
                    local = local - eta * problem.factor[j] @ (
                        problem.factor[j].T @ (local - problem.optimum[j])
                    )
                u = (w - local) / eta
                length = np.linalg.norm(u)
                sent.append(u * min(1.0, C / length) if method == 0 else C * u / length)
            noise = sigma * Keyed(r).server_normals(k, (), d, w)
            signal = np.mean(sent, axis=0)
            assert found.signal[method, i, c, e, r, k] == pytest.approx(np.linalg.norm(signal), rel=1e-7)
            assert found.noise[method, i, c, e, r, k] == pytest.approx(np.linalg.norm(noise), rel=1e-9)
            w = w - eta * (signal + noise)
        assert found.distance[method, i, c, e, r] == pytest.approx(
            np.linalg.norm(w - begin.optimum), rel=1e-7
        )


def test_both_methods_see_the_same_noise():
    found = curves(SMALL)
    np.testing.assert_allclose(found.noise[0], found.noise[1], rtol=1e-12)
    assert not np.allclose(found.noise[0, ..., 0, :], found.noise[0, ..., 1, :])


def test_a_threshold_below_every_update_makes_the_methods_equal_and_one_above_does_not():
    found = curves(replace(SMALL, C=(1e-3, 1e6)))
    assert (found.smallest_update[:, :, 0] > 1e-3).all()
    np.testing.assert_allclose(found.suboptimality[0, :, 0], found.suboptimality[1, :, 0], rtol=1e-9)
    assert not np.allclose(found.signal[0, :, 1], found.signal[1, :, 1], rtol=0.5)


def doctored(ratio: float):
    """Curves in which clipping's suboptimality is `ratio` times normalisation's everywhere, at the captions'
    C."""
    found = curves(replace(SMALL, C=(20.0, 40.0, 50.0, 100.0)))
    norm = np.ones_like(found.suboptimality[1])
    return replace(
        found,
        suboptimality=np.stack([ratio * norm, norm]),
        final=np.stack([ratio * norm[..., 0], norm[..., 0]]),
        smallest_update=np.full_like(found.smallest_update, 30.0),
    )


@pytest.mark.parametrize(
    ("ratio", "verdicts"),
    [
        (1.0, [False, False, True, True, True, True]),
        (1.05, [False, True, True, True, True, False]),
        (2 * APPRECIABLE, [True, True, False, True, True, False]),
        (0.95, [False, False, True, False, False, False]),
    ],
    ids=["equal", "slightly worse", "much worse", "better"],
)
def test_rules_of_figure_2_tell_pictures_apart(ratio, verdicts):
    """Controls: pictures made to break or keep each sentence."""
    assert [sentence.holds for sentence in figure2(doctored(ratio))] == verdicts


def test_rules_of_figure_3_tell_pictures_apart():
    found = doctored(1.0)
    ones = np.ones_like(found.signal[0])
    by_C = np.array([1.0, 1.05, 1.5, 2.0])[:, None, None, None]
    good = replace(found, noise=np.stack([ones, ones]), signal=np.stack([ones, ones * by_C]))
    assert [s.holds for s in figure3(good)] == [True, True]
    bad = replace(good, signal=good.signal[::-1])
    assert [s.holds for s in figure3(bad)] == [False, False]


def test_a_sentence_that_no_case_speaks_of_is_neither_kept_nor_broken():
    """On the C of Figure 2's first sentence alone, nothing is said of C ≤ 40, nor is C = 40 there to compare with."""
    found = curves(replace(SMALL, C=(50.0, 100.0)))
    found = replace(found, smallest_update=np.full_like(found.smallest_update, 30.0))
    assert [s.rule for s in figure2(found)] == [f"ratio ≥ {APPRECIABLE}", "ratio > 1"]
    assert len(figure3(found)) == 1
    assert all(s.cases for s in (*figure2(found), *figure3(found)))


def test_figure_4_measures_distances_in_all_dimensions():
    found = figure4(replace(SMALL, C=(1.0,)), smooth=3)
    assert found.plane.shape == (2, 2, SMALL.K + 1, 2)
    initial = np.linalg.norm(start(SMALL).inits[0] - start(SMALL).optimum)
    np.testing.assert_allclose(found.distance[..., 0], initial, rtol=1e-12)
    np.testing.assert_allclose(
        found.plane[:, :, 0], np.broadcast_to(np.array([initial, 0.0]), (2, 2, 2)), atol=1e-9
    )
    (sentence,) = figure4_sentences(found.distance[..., -1])
    assert sentence.cases == 2
    (same, other), (low, high) = figure4_ends(replace(SMALL, C=(1.0,)), (SMALL.q, 5.0))
    np.testing.assert_allclose(same, found.distance[..., -1], rtol=1e-12)
    assert not np.allclose(other, same)
    at = curves(replace(SMALL, C=(100.0, 50.0), eta=(0.001, 0.003)))
    np.testing.assert_allclose(low, np.stack([at.final[:, 0, 0, 0], at.final[:, 0, 1, 1]]), rtol=1e-9)
    assert not np.allclose(high, low)
    last = found.distance[..., -1].mean(axis=-1)
    assert sentence.holds == bool((last[:, 0] > last[:, 1]).all())


def test_scan_gives_a_picture_for_each_q():
    pictures = scan(replace(SMALL, C=(40.0, 50.0)), q=(0.1, 1.0))
    assert [p.q for p in pictures] == [0.1, 1.0]
    assert [len(p.sentences) for p in pictures] == [7, 7], (
        "all but that of C below every update, which none is here"
    )
    assert set(pictures[0].progress) == {
        f"{i}, C = {C}, η = {e}" for i in INITS for C in (40, 50) for e in (0.01, 0.3)
    }


def test_the_table_of_pictures_has_a_dash_for_a_sentence_without_cases():
    one, other = scan(replace(SMALL, C=(40.0, 50.0)), q=(0.1, 1.0))
    (table,) = tables({"scan over q": [replace(one, sentences=one.sentences[1:]), other]})
    assert len(table.headers) == 1 + len(other.sentences)
    shown = [dict(zip(table.headers, row, strict=True)) for row in table.rows]
    assert [row[next(n for n in table.headers if "ratio ≥ 1.1" in n)] for row in shown] == ["–", "yes (0/4)"]
    assert sum(cell == "–" for row in table.rows for cell in row) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"q": 0.0},
        {"q": math.inf},
        {"epsilon": -1.0},
        {"delta": 2.0},
        {"K": 0},
        {"runs": 0},
        {"C": ()},
        {"eta": (0.1, -1.0)},
        {"seed": -1},
    ],
    ids=str,
)
def test_bad_settings_are_refused(change):
    name = {"delta": "δ"}.get(*change, *change)
    with pytest.raises(ValueError, match=f"{name} (= |has (an|no) entry)"):
        replace(SMALL, **change)


def test_a_sentence_of_numbers_that_are_not_finite_is_refused():
    distance = np.ones((2, 2, 1))
    distance[0, 1] = math.nan
    with pytest.raises(
        ValueError, match=r"Figure 4: the ratio at C = 100, η = 0\.001 is nan; take a q nearer to 1"
    ):
        figure4_sentences(distance)
