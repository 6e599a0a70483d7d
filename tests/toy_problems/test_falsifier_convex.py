"""The falsifier on DP-NormFedAvg: it breaks by itself what is known to be false, and nothing that is proved."""

from __future__ import annotations

import copy
import json
from fractions import Fraction

import numpy as np
import pytest

import toy_problems.falsifier.convex.search as searching
import toy_problems.falsifier.study as study_module
from methods import advance, initialise, published
from toy_problems.falsifier.attack import Effort
from toy_problems.falsifier.convex.attack import HUBER, attack_convex
from toy_problems.falsifier.convex.candidates import ConvexLayout, decode_convex, sample_convex
from toy_problems.falsifier.convex.replay import replay_convex
from toy_problems.falsifier.convex.search import convex_evaluator, convex_search, trace_of
from toy_problems.falsifier.convex.targets import CONVEX, Trace
from toy_problems.falsifier.convex.witness import convex_witness
from toy_problems.falsifier.exact import WitnessError
from toy_problems.falsifier.grid.attack import GRID
from toy_problems.falsifier.rounding import NoWitness
from toy_problems.falsifier.study import falsifier_results

FALSE = ("DAS-T4b", "DAS-T7", "DAS-T7@specific")
PROVED = (
    "DAS-T4a",
    "DAS-T4b@fixed-size",
    "DAS-T4b with c",
    "DAS-OURS-CLIP",
    "DAS-OURS-NORM",
    "DAS-OURS-FREE",
)
LAYOUT = ConvexLayout(2, 3, 2, "one by one")


def sizes_of(name: str) -> tuple[ConvexLayout, ...]:
    law = "fixed size" if "fixed" in name else "one by one"
    return (ConvexLayout(2, 2, 1, law), ConvexLayout(2, 3, 2, law), ConvexLayout(2, 8, 2, "all"))


@pytest.mark.unchecked
@pytest.mark.parametrize("name", FALSE)
def test_finds_two_clients_that_break_it_and_proves_it(name):
    """Normalised messages of clients drawn one by one: the search is told nothing of the overshoot."""
    found = convex_search(CONVEX[name], 15_000, seed=3, sizes=sizes_of(name)[:2])
    assert found.ratio > 1.02
    written, verdict = convex_witness(CONVEX[name], 8_000, seed=3)
    again = replay_convex(json.loads(json.dumps(written)), CONVEX[name].bound)
    assert again.broken
    assert again.measured == verdict.measured
    assert float(again.measured) > float(again.bound)
    assert len(written["clients"]) == 2


@pytest.mark.parametrize("name", PROVED)
def test_does_not_break_what_is_proved(name):
    found = convex_search(CONVEX[name], 8_000, seed=1, sizes=sizes_of(name))
    assert found.instances >= 8_000
    assert 0.2 < found.ratio <= 1 + 1e-9, "above 1 would refute a proof, near 0 would say nothing"


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVED)
def test_does_not_break_what_is_proved_at_full_size(name):
    assert convex_search(CONVEX[name], 1_000_000, seed=2).ratio <= 1 + 1e-9


def test_our_bound_for_clipping_is_attained():
    """One client, one local step: the bound is tight, so the search is not weak."""
    assert convex_search(CONVEX["DAS-OURS-CLIP"], 10_000, sizes=(ConvexLayout(1, 8, 1, "all"),)).ratio > 0.999


def test_the_fixed_size_bound_breaks_when_clients_are_drawn_one_by_one():
    """The same formula; only the law of the draws decides."""
    genomes = sample_convex(LAYOUT, np.random.default_rng(0), 20_000)
    assert convex_evaluator(CONVEX["DAS-T4b"], LAYOUT)(genomes).max() > 1
    fixed = ConvexLayout(2, 3, 2, "fixed size")
    assert convex_evaluator(CONVEX["DAS-T4b@fixed-size"], fixed)(genomes).max() <= 1 + 1e-9


def test_the_sum_over_draws_is_the_expectation():
    """Against 4000 random runs of the published method, participants drawn by another random generator."""
    from methods.randomness import Keyed

    genomes = sample_convex(LAYOUT, np.random.default_rng(5), 5)
    primary = decode_convex(genomes, LAYOUT)
    trace, letters = trace_of(CONVEX["DAS-T4a"], primary, LAYOUT)
    assert trace.chance.sum(axis=1) == pytest.approx(np.ones(5), rel=1e-12)
    f, star, seeds = primary.functions, primary.functions.minimiser(), np.arange(4000)
    eta, C, r = (letters[k][:, None] for k in ("eta", "C", "r"))
    method = published.dp_fedavg_clip(eta, eta, C, LAYOUT.E, 0.0, r)
    start = np.broadcast_to((star + primary.start)[:, None, None], (5, 4000, 1))
    state, lowest = initialise(method, start, 2), f.value(star[:, None])
    total = np.zeros((5, 4000))
    for _ in range(LAYOUT.K):
        total += (f.value(state.x[..., 0]) - lowest).mean(axis=-1) / LAYOUT.K
        state, _ = advance(method, state, f, Keyed(seeds[None, :]))
    error = total.std(axis=1) / np.sqrt(len(seeds))
    assert np.all(np.abs(total.mean(axis=1) - trace.mean(trace.gap)) <= 6.5 * error + 1e-12)
    assert (error > 0).any(), "nothing was random"


def test_minimiser_and_values_of_the_functions():
    functions = decode_convex(sample_convex(LAYOUT, np.random.default_rng(6), 200), LAYOUT).functions
    star = functions.minimiser()
    at = functions(np.broadcast_to(star[:, None, None, None], (200, 1, 2, 1)))[:, 0, :, 0].mean(axis=1)
    size = functions.slope.max(axis=1) + np.abs(functions.centre).max(axis=1)
    assert np.all(np.abs(at) <= 1e-12 * (1 + size))
    h = 1e-5
    points = star[:, None] + np.linspace(-2, 2, 9)
    slope = (functions.value(points + h) - functions.value(points - h)) / (2 * h)
    exact = functions(np.broadcast_to(points[..., None, None], (200, 9, 2, 1)))[..., 0]
    scale = 1 + functions.value(points)
    assert np.all(np.abs(slope - exact) <= h + 1e-10 * scale)


BY_HAND = {
    # η = ρ/2 = 1/20, steps of 0, 1/20, 1/10 with probability 1/4, 1/2, 1/4 from w₀ = 3/40.
    "claim": "DAS-T4b",
    "values": {"L": "1", "C_hat": "1", "alpha": "1", "rho": "1/10", "gamma": "1/100", "eta": "1/20", "r": "1"},
    "start": "3/40",
    "clients": [["1", "1/1000", "0"], ["1", "1/1000", "0"]],
}  # fmt: skip


def test_an_instance_worked_out_by_hand():
    """h(w) = |w| − 1/2000: h(w₀) = 149/2000; E h(w₁) = 3/80 − 1/2000 = 37/1000; the bound is 107.25/1000."""
    verdict = replay_convex(BY_HAND, CONVEX["DAS-T4b"].bound)
    assert verdict.measured == Fraction(199, 100) * (Fraction(149, 2000) + Fraction(74, 2000)) / 2
    assert Fraction(str(verdict.bound)) == Fraction(10725, 100_000)
    assert verdict.broken


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


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("claim",), "DAS-T4a", "the witness is against 'DAS-T4a'"),
        (("clients", 0), ["2", "1/1000", "0"], r"curvature in \(0, L\]"),
        (("clients", 0), ["1", "2", "0"], r"slope in \(0, Ĉ\]"),
        (("clients", 0), ["1", "1/1000", "1"], "share the minimiser"),
        (("start",), "0", "is not the minimiser"),
        (("values", "r"), "3", "0 < r ≤ n"),
        (("values", "eta"), "1/10", "η = "),
        (("values", "alpha"), "1/2", "does not hold"),
        (("values", "rho"), "0.1", "is not a rational"),
    ],
)
def test_what_is_not_a_witness_is_refused(path, value, message):
    changed = copy.deepcopy(BY_HAND)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(WitnessError, match=message):
        replay_convex(changed, CONVEX["DAS-T4b"].bound)


def test_a_bound_that_cannot_be_replayed_has_no_witness():
    with pytest.raises(NoWitness, match="can be replayed exactly"):
        convex_witness(CONVEX["DAS-T4a"])


def test_result_of_an_attack_is_plain_data(monkeypatch):
    monkeypatch.setattr(searching, "convex_layouts", lambda target: sizes_of(target.name)[:1])
    result = attack_convex(CONVEX["DAS-T7"], Effort(20_000, 60.0))
    assert result["broken"]
    assert result["witness"]["replay"]["bound"]
    json.dumps(result)


def test_all_results_are_plain_data_in_the_order_of_the_plan(monkeypatch):
    """A few attacks stand for all: every one is carried out, and the bounds left out are named."""
    few = {"NEC-L2", "DAS-T4a", "NEC-T1"}
    every = study_module._every

    def some(dimensions, bounds):
        return [a for a in every(dimensions, bounds) if a.bound in few and a.family in (GRID, HUBER)]

    monkeypatch.setattr(study_module, "_every", some)
    told = []
    document = falsifier_results(
        5.0, instances=300, dimensions=(), progress=lambda *news: told.append(news[0])
    )
    results = document["results"]
    assert [r["order"] for r in results] == [0, 1, 2]
    assert {r["bound"] for r in results} == few == set(told)
    assert all(r["reason"] and r["instances"] >= 300 for r in results)
    assert "FED-C4" in document["not_attacked"]
    json.dumps(document)


@pytest.mark.parametrize("arguments", [{"budget_seconds": 0.0}, {"budget_seconds": 1.0, "instances": 0}])
def test_all_results_refuse_a_bad_plan(arguments):
    with pytest.raises(ValueError, match="must be"):
        falsifier_results(**arguments)
