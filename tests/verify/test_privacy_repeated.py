"""What many rounds tell: an un-noised memory after one mini-batch, and noise of constant size."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy
from scipy import stats

from bounds.privacy import Setting, delta
from bounds.privacy.printed import experiment_scale
from verify.catalogue import claim
from verify.privacy.constant_size import TOLD, TOLD_IN_PART


def long_root() -> float:
    """√(K log(1/δ))/ε at (8, 1e-5), K = 300: the noise of a message."""
    return experiment_scale(1.0, 300, 8.0, 1e-5, 1.0)


def test_an_example_of_a_mini_batch_by_simulation():
    """NEC-EXP-DP@example-level,mini-batch: 100,000 runs of a client whose example is drawn in whatever rounds; how often its noisy
    messages are in the event, less e⁸ times how often those without the example are."""
    found = claim("NEC-EXP-DP@example-level,mini-batch")
    v = {name: float(value) for name, value in found.witness.values.items()}
    rng, runs, c = np.random.default_rng(0), 100_000, v["beta"] / 2 - v["alpha"]
    memory, project = np.zeros(runs), np.zeros(runs)
    rounds = np.arange(int(v["releases"]))
    usual = np.where(rounds % 2 == 0, 1.0, -1.0) * c / (v["alpha"] + c)
    for k in rounds:
        drawn = rng.random(runs) < v["batch"] / v["examples"]
        residual = np.where(drawn, 0.0, c) - memory
        sent = residual / (v["alpha"] + np.abs(residual))
        memory += v["beta"] * sent
        if (
            k >= v["until"]
        ):  # the neighbour's messages are the usual ones, those of the event the usual ones turned around
            project += (usual[k] - sent) * np.sign(usual[k]) + long_root() * rng.standard_normal(runs)
    length = math.sqrt(v["releases"] - v["until"]) * long_root()
    had = np.mean(project / length > v["z"]) - math.exp(8) * stats.norm.sf(v["z"])
    assert "above 0.004" in found.reason
    assert had > 0.004


@pytest.mark.parametrize(
    "change",
    [{"beta": "1/50"}, {"examples": "4500000"}, {"until": "300"}, {"releases": "60", "until": "30"}],
    ids=["β = 2α", "a rarer example", "no round after it", "few rounds after it"],
)
def test_an_example_that_turns_nothing_around_is_no_witness(change):
    witness = claim("NEC-EXP-DP@example-level,mini-batch").witness
    changed = {**witness.values, **{name: Fraction(value) for name, value in change.items()}}
    assert not replace(witness, values=changed).stands()[0]


@pytest.mark.parametrize(("noise", "told"), [(0.1, False), (1.0, True), (1.7, True), (10.0, True)])
def test_noise_of_constant_size_is_told_after_so_many_rounds(noise, told):
    """FED-C1-PRIVATE at p = 1/4 after 400σ² rounds. Below σ = 1 a client may be in none of them."""
    had = delta(Setting("messages", "add-remove", round(400 * noise**2), 0.25), noise, 8.0)
    assert "above 0.95 after 400σ_DP² if σ_DP ≥ 1" in claim("FED-C1-PRIVATE").reason
    assert (had.lower > 0.95) == told
    assert (had.upper < 0.69) != told


@pytest.mark.parametrize("steps", [TOLD, TOLD_IN_PART], ids=["p = 1", "p = 1/4"])
def test_what_is_computed_is_at_the_least_shift_that_the_proof_compares_with(steps):
    """Nothing but the letter ties them: μ² = 0.999999² times the messages that the computation names."""
    (meaning,) = {fact for step in steps[1:] for fact in step.given if fact.origin == "definition"}
    (square,) = (
        part for part in meaning.relation.args if part.has(sympy.Pow) and len(part.free_symbols) == 1
    )
    messages = int(steps[0].name.rpartition("√")[2])
    assert square == sympy.Eq(square.lhs, sympy.Rational(999_999, 10**6) ** 2 * messages)
    assert square.lhs == square.free_symbols.pop() ** 2
