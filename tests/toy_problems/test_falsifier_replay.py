"""The exact replay: it confirms what is broken, agrees with the search where nothing is, and refuses what
is not a witness."""

from __future__ import annotations

import copy
from fractions import Fraction

import numpy as np
import pytest
import sympy

import toy_problems.falsifier.grid.witness as writing
from bounds.alpha_normec.theorem1 import THEOREM1
from bounds.alpha_normec.theorem2 import THEOREM2_POSTER
from toy_problems.falsifier.evolution import Found
from toy_problems.falsifier.exact import WitnessError
from toy_problems.falsifier.genome import Layout, sample
from toy_problems.falsifier.grid.replay import replay
from toy_problems.falsifier.grid.search import evaluator
from toy_problems.falsifier.targets import DETERMINISTIC

POSTER = {
    # By hand: f = ½(x − 3/2)² up to x = 3/2, one client. g⁰ = 5/2 points the wrong way with residual R = 4,
    # so the first two
    # steps lead from x⁰ = 0 to the left, away from the minimiser: min |f'| is |f'(0)| = 3/2. The bound
    # without 2R is 17/16.
    "claim": "NEC-T2-POSTER",
    "quantity": "gradient",
    "values": {
        "K": "1", "L": "1", "L_max": "1", "R": "4", "alpha": "4", "beta": "4", "f_gap": "9/8", "gamma": "1", "n": "1",
        "sigma": "0",
    },
    "start": "0",
    "memories": ["5/2"],
    "knots": ["-1", "0", "1", "3/2"],
    "gradients": [["-5/2", "-3/2", "-1/2", "0"]],
}  # fmt: skip


def changed(**entries):
    witness = copy.deepcopy(POSTER)
    for key, value in entries.items():
        (witness["values"] if key in witness["values"] else witness)[key] = value
    return witness


def test_the_posters_bound_is_broken_by_an_instance_worked_out_by_hand():
    verdict = replay(POSTER, THEOREM2_POSTER)
    assert verdict.broken
    assert (verdict.measured, verdict.bound) == (Fraction(3, 2), sympy.Rational(17, 16))


def test_the_same_instance_does_not_break_theorem_1():
    verdict = replay(changed(claim="NEC-T1"), THEOREM1)
    assert not verdict.broken
    assert (verdict.measured, verdict.bound) == (Fraction(3, 2), sympy.Rational(17, 16) + 8)


@pytest.mark.parametrize(
    ("witness", "message"),
    [
        (changed(claim="NEC-T1"), "against 'NEC-T1', not against NEC-T2-POSTER"),
        (changed(R="3"), "R = 3, but the functions and memories give 4"),
        (changed(f_gap="1"), "f_gap = 1, but the functions and memories give 9/8"),
        (changed(n="2"), "n = 2, but"),
        (changed(L="1/2"), "less than f's smoothness 1"),
        (changed(L_max="1/2"), "less than client 0's 1"),
        (changed(beta="8"), "the printed condition β/"),
        (changed(gamma="3"), "the printed condition γ ≤"),
        (changed(K="1/2"), "must be an integer >= 0"),
        (changed(K="-1"), "must be an integer >= 0"),
        (changed(alpha="0"), "alpha = 0 must be > 0"),
        (changed(alpha="0.5"), "'0.5' is not a rational"),
        (changed(alpha=4), "alpha = 4 is not a rational"),
        (changed(start="__import__('os')"), "is not a rational"),
        (changed(knots=["-1", "1", "0", "3/2"]), "the knots must increase"),
        (changed(memories=["5/2", "0"]), "one memory for each client"),
        (changed(gradients=[["-5/2", "-3/2", "-1/2", "-1/4"]]), "f has no lower bound"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_a_witness_is_refused(witness, message):
    with pytest.raises(WitnessError, match=message):
        replay(witness, THEOREM2_POSTER)


@pytest.mark.unchecked
@pytest.mark.parametrize("name", [name for name in DETERMINISTIC if not name.startswith("FED")])
def test_search_and_replay_measure_the_same_ratio(name):
    """Two implementations of functions, constants, algorithm and quantity, on random candidates rounded to
    1e-12."""
    target = DETERMINISTIC[name]
    layout = Layout(2, 3 if target.quantity == "gradient" else 1)
    genomes = sample(layout, np.random.default_rng(3), 300 if target.deepened else 60)
    compared = 0
    for genome, ratio in zip(genomes, evaluator(target, layout)(genomes), strict=True):
        found = Found(layout, genome, ratio, 1, 0.0)
        if ratio == -np.inf:  # f is deeper than the hypotheses ask
            continue
        exact = replay(writing._write(target, found, 10**12), target.bound)
        compared += 1
        # Rounding to 1e-12 moves numbers of size 1; a steep or deep function makes more of it.
        assert float(exact.measured) / float(exact.bound) == pytest.approx(ratio, rel=1e-6, abs=1e-9)
    assert compared >= 8
