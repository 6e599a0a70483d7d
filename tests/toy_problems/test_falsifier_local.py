"""Fed-α-NormEC with local steps: the search finds by itself that the printed bounds fall, its witnesses are
exact, and what is proved stands."""

from __future__ import annotations

import copy
import json
from fractions import Fraction

import numpy as np
import pytest

import toy_problems.falsifier.local.replay as module
import toy_problems.falsifier.local.search as searching
from bounds.fed_alpha_normec.theorem1 import MAIN
from toy_problems.falsifier.attack import Effort
from toy_problems.falsifier.exact import WitnessError, depth, derivative, mean_row, smoothness
from toy_problems.falsifier.intervals import Interval
from toy_problems.falsifier.local.attack import attack_local
from toy_problems.falsifier.local.candidates import LocalLayout, Pieces, decode_local, sample_local
from toy_problems.falsifier.local.replay import Problem, replay_local
from toy_problems.falsifier.local.search import letters_for, local_evaluator, local_search
from toy_problems.falsifier.local.targets import LOCAL, in_units, unit
from toy_problems.falsifier.local.witness import _functions, local_witness
from toy_problems.falsifier.rounding import NoWitness
from verify.curves import Curve
from verify.fed_alpha_normec.counterexamples.exact import advance, begin, update
from verify.fed_alpha_normec.counterexamples.problems import Trapped
from verify.fed_alpha_normec.theorems.theorem1 import NUMBERS

PROVED = ("FED-R1", "FED-R2", "FED-R3", "FED-R2-SHARP", "FED-R3-SHARP", "FED-R2-FORGETS", "FED-R3-FORGETS", "FED-R2-CONTRACTS",
          "FED-R3-CONTRACTS")  # fmt: skip
FALSE = [name for name in LOCAL if name not in PROVED and not LOCAL[name].reading]
FEEDBACK = [name for name in LOCAL if LOCAL[name].reading]
DIFFERENT = ("FED-T1-MAIN", "FED-T2")
"""A bound of each kind of local work; the others agree with one of these at p = 1 without noise, but for a constant or the
schedule."""
EPS = float(np.finfo(float).eps)


def layout_of(name: str) -> LocalLayout:
    work = LOCAL[name].work
    if work == "one step":
        return LocalLayout(2, 1, 1, rounds=64)
    return LocalLayout(2, 1, 4) if work == "gradient" else LocalLayout(2, 2, 2)


@pytest.fixture(scope="module")
def witnesses():
    """Of two bounds: a theorem, whose parameters are free, and a corollary, whose schedule is not."""
    return {name: searched(name)[0] for name in ("FED-T2", "FED-C3")}


def searched(name: str):
    """Few large generations: annotations are checked at every call."""
    target = LOCAL[name]
    found = local_search(target, 8_000, sizes=[layout_of(name)], population=2048)
    assert found.ratio > 1
    return local_witness(target, found)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in DIFFERENT else [pytest.mark.slow]) for name in FALSE]
)
def test_finds_an_exact_witness_by_itself(name):
    candidate, verdict = searched(name)
    again = replay_local(json.loads(json.dumps(candidate)), LOCAL[name].bound)
    assert again.broken
    assert again.measured == verdict.measured


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in ("FED-R1", "FED-R3") else [pytest.mark.slow]) for name in PROVED],
)
def test_does_not_break_what_is_proved(name):
    found = local_search(LOCAL[name], 12_000, seed=1, sizes=[layout_of(name)], population=2048)
    assert found.instances >= 12_000
    assert 0.2 < found.ratio <= 1 + 1e-9
    with pytest.raises(NoWitness):
        local_witness(LOCAL[name], found)


@pytest.mark.parametrize("name", FEEDBACK)
def test_corollaries_fall_for_want_of_the_condition_on_beta(name):
    """With it, this search does not break them (one of them is false all the same, by a step far shorter
    than what 64 rounds show); without it, it does, above."""
    layout = layout_of(name)
    primary = decode_local(sample_local(layout, np.random.default_rng(1), 500), layout)
    letters = letters_for(LOCAL[name], primary, layout)
    assert np.all(letters["beta"] < letters["alpha"] + letters["R"])
    assert (
        local_evaluator(LOCAL[name], layout)(sample_local(layout, np.random.default_rng(0), 4000)).max() < 1
    )
    free = letters_for(LOCAL[name.removesuffix("@feedback")], primary, layout)
    assert np.any(free["beta"] > free["alpha"] + free["R"])


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVED)
def test_does_not_break_what_is_proved_in_a_million_instances(name):
    found = local_search(LOCAL[name], 1_000_000, seed=2)
    assert found.instances >= 1_000_000
    assert found.ratio <= 1 + 1e-9


def test_result_of_an_attack_is_plain_data(monkeypatch):
    monkeypatch.setattr(searching, "local_layouts", lambda target: [layout_of(target.name)])
    monkeypatch.setattr(searching, "RESTARTS", 1)
    result = attack_local(LOCAL["FED-C3"], Effort(1000, 60.0))
    assert result["broken"]
    assert result["witness"]["replay"]["bound"]
    json.dumps(result)


def random_pieces(layout: LocalLayout, seed: int) -> Pieces:
    """Functions in tenths, so that their rational copies are the same."""
    random = np.random.default_rng(seed)
    shape = (1, layout.clients, layout.functions)
    return Pieces(
        random.integers(-40, 41, shape) / 10, random.integers(-10, 11, (*shape, 2 * layout.reach)) / 10
    )


@pytest.mark.parametrize("seed", range(4))
def test_written_functions_are_those_of_the_search(seed):
    """Same derivatives on the grid, 1-smooth, infima as promised, gap no smaller than the search has it and
    close to it."""
    layout, wide, inner = LocalLayout(3, 2, 2), Fraction(1, 10), Fraction(1, 4)
    pieces = random_pieces(layout, seed)
    base = [[Fraction(round(10 * b), 10) for b in row] for row in pieces.base[0]]
    slopes = [[[Fraction(round(10 * s), 10) for s in piece] for piece in row] for row in pieces.slopes[0]]
    knots, clients = _functions(base, slopes, pieces, wide, inner)
    single = [row for rows in clients for row in rows]
    assert max(smoothness(knots, row) for row in single) <= 1
    for row, expected in zip(single, pieces.knots[0].reshape(6, -1), strict=True):
        for x, slope in zip(range(-layout.reach, layout.reach + 1), expected, strict=True):
            assert float(derivative(knots, row, Fraction(x))) == pytest.approx(slope, abs=64 * EPS * 10)
    start = Fraction(1, 3)
    means = [mean_row(rows) for rows in clients]
    whole = depth(knots, mean_row(means), start)
    assert sum(depth(knots, row, start) for row in means) / 3 - whole == wide**2
    assert sum(depth(knots, row, start) for row in single) / 6 - whole == inner**2
    x = np.array([float(start)])
    assert pieces.gap(x)[0] <= float(whole) * (1 + 1e-9), "the search thinks f shallower than it can be made"
    length = float(np.ceil(pieces.valley()[0][0]) + 1)
    same = (pieces.values(x)[0] + pieces.valley(length)[2]).mean()
    assert float(whole) == pytest.approx(same, abs=2 * length / 1000)


@pytest.mark.parametrize("name", LOCAL)
def test_every_candidate_satisfies_the_printed_conditions(name):
    """Where K is what the genes say, up to rounding; the exact replay allows none."""
    target, layout = LOCAL[name], layout_of(name)
    primary = decode_local(sample_local(layout, np.random.default_rng(2), 400), layout)
    letters = letters_for(target, primary, layout)
    letters = {key: np.broadcast_to(value, (400,)).astype(float) for key, value in letters.items()}
    letters["f_gap"] = primary.pieces.gap(np.zeros(400))
    letters = in_units(letters, unit(letters) if target.printed else np.ones(400), target.bound)
    for condition in target.bound.conditions:
        value, limit = letters[condition.variable], np.asarray(condition.bound(letters), dtype=float)
        sign = {"<": 1, "<=": 1, "==": np.sign(value - limit)}.get(condition.comparison, -1)
        assert np.all(sign * (value - limit) <= 1e-12 * np.abs(limit)), condition.printed
    for key in target.bound.parameters:
        target.bound.symbols[key].check(letters[key], name)


def test_conditions_are_checked_and_not_only_aimed_at():
    """A mutant whose η is ten times too long is outside, all of it."""
    from dataclasses import replace

    target = LOCAL["FED-R2"]

    def longer(genes, facts):
        letters = target.setting(genes, facts)
        return {**letters, "eta": 10 * letters["eta"] / genes["tightness"]}

    layout = layout_of("FED-R2")
    evaluate = local_evaluator(replace(target, setting=longer), layout)
    assert np.all(evaluate(sample_local(layout, np.random.default_rng(0), 200)) == -np.inf)


@pytest.mark.parametrize("times", [0.5, 2.0])
def test_a_choice_that_a_corollary_prints_is_checked_from_both_sides(times):
    """With half of its β, or twice, every candidate of F.4's Corollary 1 is outside."""
    from dataclasses import replace

    target, layout = LOCAL["FED-C1-APP"], layout_of("FED-C1-APP")

    def other(genes, facts):
        letters = target.setting(genes, facts)
        return {**letters, "beta": times * letters["beta"]}

    genomes = sample_local(layout, np.random.default_rng(0), 200)
    assert np.any(local_evaluator(target, layout)(genomes) > 0)
    assert np.all(local_evaluator(replace(target, setting=other), layout)(genomes) == -np.inf)


@pytest.mark.unchecked
def test_a_run_is_the_printed_algorithm(witnesses):
    """The rounds of a witness by the exact loop of another room, and by this search in floats."""
    for name, witness in witnesses.items():
        letters = {key: Fraction(text) for key, text in witness["values"].items()}
        knots = tuple(Fraction(t) for t in witness["knots"])
        clients = [[[Fraction(g) for g in row] for row in rows] for rows in witness["clients"]]
        curves = [[Curve(knots, tuple(row)) for row in rows] for rows in clients]
        work = [rows * int(letters["T"]) if len(rows) == 1 else rows for rows in curves]
        problem = Problem(list(knots), clients, int(letters["T"]))
        state = begin(Fraction(witness["start"]), [Fraction(g) for g in witness["memories"]])
        x, boxes = state.x, [Interval(v, v) for v in state.v]
        for _ in range(8):
            for i, functions in enumerate(work):
                assert problem.update(i, x, letters["gamma"]) == update(functions, x, letters["gamma"]), name
            state = advance(work, state, *(letters[key] for key in ("alpha", "beta", "gamma", "eta")))
            x, boxes = module._round(problem, letters, x, boxes)
            assert x == state.x, name
            assert all(box.low <= v <= box.high for box, v in zip(boxes, state.v, strict=True)), name


def test_a_witness_of_another_room_breaks_the_bound_here_too():
    """The problem of `verify`, found by hand, replayed by this code: the same measured value and verdict."""
    trapped = Trapped(NUMBERS)
    knots = sorted({t for f in trapped.f for t in f.knots})
    witness = {
        "claim": "FED-T1-MAIN",
        "values": {name: str(Fraction(value)) for name, value in {
            "f_gap": trapped.gap, "K": trapped.K, "eta": trapped.eta, "R": trapped.R, "beta": trapped.beta, "M": 4, "p": 1,
            "sigma": 0, "gamma": trapped.gamma, "T": 2, "L": trapped.L, "Delta": trapped.Delta, "alpha": trapped.alpha,
        }.items()},
        "start": str(trapped.start.x),
        "memories": [str(v) for v in trapped.start.v],
        "knots": [str(t) for t in knots],
        "clients": [[[str(f.gradient(t)) for t in knots]] for f in trapped.f],
    }  # fmt: skip
    verdict = replay_local(witness, MAIN)
    assert verdict.broken
    assert verdict.measured == trapped.smallest()


TAMPERED = {
    "a larger L": ("FED-T2", ("values", "L"), lambda t: str(Fraction(t) / 2), "is less than a function's"),
    "another R": ("FED-T2", ("values", "R"), lambda t: str(Fraction(t) * 2), "R = "),
    "another gap": ("FED-T2", ("values", "f_gap"), lambda t: str(Fraction(t) / 2), "f_gap = "),
    "another Δ^inf": ("FED-T2", ("values", "Delta"), lambda t: str(Fraction(t) * 2), "Delta = "),
    "another Δ_i^inf": ("FED-T2", ("values", "Delta_local"), lambda t: str(Fraction(t) * 3), "Δ_i"),
    "one step fewer": ("FED-T2", ("values", "T"), lambda t: "1", "R = |do not go with"),
    "a longer step": ("FED-T2", ("values", "eta"), lambda t: str(Fraction(t) * 10), "does not hold"),
    "a larger β": ("FED-T2", ("values", "beta"), lambda t: str(Fraction(t) * 100), "does not hold"),
    "a longer local step": ("FED-T2", ("values", "gamma"), lambda t: str(Fraction(t) * 4), "R = |outside"),
    "noise": ("FED-T2", ("values", "sigma"), lambda t: "1", "without noise"),
    "half a round": ("FED-T2", ("values", "K"), lambda t: "7/2", "must be an integer"),
    "another schedule": ("FED-C3", ("values", "beta"), lambda t: str(Fraction(t) / 2), r"condition β = D₂/\(K\+1\)"),
    "not a number": ("FED-T2", ("start",), lambda t: "__import__('os')", "is not a rational"),
    "another claim": ("FED-T2", ("claim",), lambda t: "FED-T1-MAIN", "the witness is against"),
    "a memory too few": ("FED-T2", ("memories",), lambda t: t[:-1], "one memory for each client"),
}  # fmt: skip


@pytest.mark.parametrize("case", TAMPERED)
def test_a_tampered_witness_is_refused(case, witnesses):
    name, path, change, message = TAMPERED[case]
    witness = copy.deepcopy(witnesses[name])
    place = witness
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = change(place[path[-1]])
    with pytest.raises(WitnessError, match=message):
        replay_local(witness, LOCAL[name].bound)


def test_a_run_that_does_not_repeat_itself_is_refused(witnesses):
    """A start ten thousand steps up the slope: x goes down for all the rounds that are run, and nothing is claimed."""
    witness = copy.deepcopy(witnesses["FED-T2"])
    letters = {key: Fraction(text) for key, text in witness["values"].items()}
    knots = [Fraction(t) for t in witness["knots"]]
    clients = [[[Fraction(g) for g in row] for row in rows] for rows in witness["clients"]]
    problem = Problem(knots, clients, 2)
    boxes = [Interval(Fraction(g), Fraction(g)) for g in witness["memories"]]
    far = Fraction(witness["start"]) + 10**4 * letters["eta"]
    with pytest.raises(WitnessError, match=r"not shown to repeat itself|is not decided"):
        module._visited(problem, letters, far, [box.low for box in boxes])


def test_boxes_hold_what_the_map_makes_of_their_points():
    """`_remember` encloses v + βNorm_α(u − v) for points of a box, where the map rises, falls, and turns."""
    random = np.random.default_rng(0)
    for _ in range(300):
        alpha, beta, u, low = (Fraction(int(k), 16) for k in random.integers(1, 200, 4))
        high = low + Fraction(int(random.integers(1, 64)), 16)
        box = module._remember(u, Interval(low, high), alpha, beta)
        for share in (Fraction(0), Fraction(1, 3), Fraction(7, 9), Fraction(1)):
            v = low + share * (high - low)
            after = v + beta * (u - v) / (alpha + abs(u - v))
            assert box.low <= after <= box.high
