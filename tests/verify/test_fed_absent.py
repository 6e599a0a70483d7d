"""What FED-C2-UTIL@longest-gamma's witness says of a run, against runs of Algorithm 1 in floats."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from verify.fed_alpha_normec.corollaries.absent import CLAIMS, WITNESS

RUNS = 400


class Measured(NamedTuple):
    """Of each round a mean over all runs, of each run whether it was ever otherwise."""

    gradient: np.ndarray
    error: np.ndarray
    above: np.ndarray
    reached: float
    messages: np.ndarray
    walked: np.ndarray


def _run(t: float, runs: int) -> Measured:
    """Algorithm 1 on f_i = ½(x ∓ c)² with the choices of the witness, for any t: α = R = β = t, K + 1 = 1/t². c is in no difference of
    a gradient and its memory, so that 0 stands for it."""
    rounds, size, M, p = round(1 / t**2), t, 2, 0.5
    alpha = R = beta = size
    eta, sigma = beta / 8, float(np.sqrt(0.5 * p**2 * rounds * 36 * t**4))  # 2c² = 1, log(1/δ)/ε² = 36t⁴
    draw = np.random.default_rng(0)
    x, w, far = np.ones(runs), np.zeros(runs), np.zeros(runs)
    v = np.full((M, runs), 1 + R)
    v_hat = v.mean(axis=0)
    gradient, error, above, messages, reached = [], [], [], [], 0.0
    for _ in range(rounds):
        u, e = x - v, v.mean(axis=0) - v_hat
        gradient.append(np.abs(x).mean())
        error.append(np.abs(e).mean())
        above.append((np.maximum(e, 0) - np.abs(x) - 3 * R - 2 * far).max())
        reached = max(reached, float(np.abs(u).max()))
        delta = u / (alpha + np.abs(u))
        messages.append(delta[0])
        q = (draw.random((M, runs)) < p) / p
        noise = beta / M * (q * draw.normal(0, sigma, (M, runs))).sum(axis=0)
        v = v + beta * delta
        v_hat = v_hat + beta / M * (q * delta).sum(axis=0) + noise
        w = w - noise
        far = np.maximum(far, np.abs(w))
        x = x - eta * np.sign(v_hat)
    return Measured(np.array(gradient), np.array(error), np.array(above), reached, np.array(messages), w)


@pytest.fixture(scope="module")
def run():
    return _run(0.01, RUNS)


def test_residuals_stay_within_R(run):
    assert run.reached <= 0.01 * (1 + 1e-12)


def test_the_error_is_no_more_than_the_gradient_and_what_is_small(run):
    assert run.above.max() <= 1e-12


def test_in_the_first_rounds_messages_are_between_an_eighth_and_a_half(run):
    first = np.abs(run.messages[: round(2 / 0.01)])
    assert np.ptp(first, axis=1).max() == 0, "they depend on who takes part"
    assert 1 / 8 - 1e-12 <= first.min() <= first.max() <= 1 / 2 + 1e-12


def test_x_falls_by_a_quarter_meanwhile(run):
    assert run.gradient[round(2 / 0.01)] == pytest.approx(3 / 4, abs=1e-12)


def test_the_noise_adds_up_to_what_the_witness_says(run):
    """E w² = β²σ²K/(pM) = 4.5t²; the mean of 400 squares of a normal variable has the relative deviation √(2/400)."""
    assert np.mean(run.walked**2) / (4.5 * 0.01**2) == pytest.approx(1, abs=5 * np.sqrt(2 / RUNS))


def test_the_error_is_no_smaller_than_the_bound_from_two_moments(run):
    """E|e| at round N, and no smaller later on: a sample mean may be below the last one by five standard errors."""
    later = run.error[round(2 / 0.01) :]
    assert later[0] > 5 / 9 * np.sqrt(0.01) / 8
    assert np.diff(later[::500]).min() > -5 * later.max() / np.sqrt(RUNS)


def test_the_smallest_gradient_falls_like_the_root_of_what_the_bound_falls_like():
    """Like t^0.5 in the end; a bound of the order t falls like t^1."""
    large, small = (_run(t, 100).gradient.min() for t in (0.04, 0.01))
    assert np.log(large / small) / np.log(4) < 0.8


def test_the_witness_has_the_choices_of_these_runs():
    v = WITNESS.values
    assert v["alpha"] == v["R"] == v["t"] == v["beta_hat"] / (v["K"] + 1)
    assert (v["K"] + 1) * v["t"] ** 2 == 1
    assert v["level"] == 36 * v["t"] ** 4


@pytest.mark.parametrize("times", [10, 1000])
def test_a_larger_epsilon_refutes_a_larger_constant(times):
    """t = 10⁻¹⁰/times² refutes 1000·times, and t = 10⁻¹⁰ does not."""
    witness, t = WITNESS, WITNESS.values["t"] / times**2
    larger = {**witness.values, "A": witness.values["A"] * times}
    smaller = {
        "t": t, "alpha": t, "R": t, "beta_hat": 1 / t, "K": 1 / t**2 - 1, "level": 36 * t**4, "w": t * 11 / 5,
        "centre": witness.values["centre"] * times,
    }  # fmt: skip
    assert not replace(witness, values=larger).stands()[0]
    assert replace(witness, values=larger | {name: Fraction(n) for name, n in smaller.items()}).stands()[0]


def test_with_the_corrected_condition_on_the_noise_the_witness_is_none():
    """σ_DP² ≥ 1 − p is the condition that the repair adds."""
    v = WITNESS.values
    p = v["B_hat"] / v["M"]
    assert v["c2"] * p**2 * (v["K"] + 1) * v["level"] < 1 - p
    repair = CLAIMS[0].repair
    assert repair is not None
    assert "σ_DP² ≥ 1 − p" in repair.condition
