"""FED-R1-CONTRACTS by other ways: exact means over everybody who may send, a bound that forgets the absent, false neighbours."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from bounds.alpha_normec.contracted import lessened
from bounds.fed_alpha_normec.contracted import ONE_STEP_CONTRACTS
from verify.facts import hypothesis
from verify.fed_alpha_normec.letters import L, alpha, beta, eta
from verify.fed_alpha_normec.ours import contracted, forgets_several
from verify.fed_alpha_normec.ours import contracted_several as several
from verify.fed_alpha_normec.ours import potential as po
from verify.obligation import Obligation, Settings

QUICK = Settings(minimise=False, seconds=5.0)


def least_mean(
    start: float, residuals: np.ndarray, slopes: np.ndarray, shifts: np.ndarray, a: float, b: float, step: float, p: float,
    rounds: int,
) -> float:  # fmt: skip
    """min_k E|∇f(xᵏ)| of Algorithm 1 with T = 1 and no noise on f_i(x) = slopes_i (x − shifts_i)²/2, by enumeration of all that may
    send in the rounds before. residuals: ∇f_i(x⁰) − v_i⁰."""
    M = len(slopes)
    means = np.zeros(rounds)
    for senders in product((0, 1), repeat=M * (rounds - 1)):
        x, v = start, slopes * (start - shifts) - residuals
        served, chance = v.mean(), p ** sum(senders) * (1 - p) ** (len(senders) - sum(senders))
        for k in range(rounds):
            means[k] += chance * abs((slopes * (x - shifts)).mean())
            if k < rounds - 1:
                apart = slopes * (x - shifts) - v
                sent = apart / (a + np.abs(apart))
                v = v + b * sent
                served = served + b / M * (np.array(senders[k * M : (k + 1) * M]) / p * sent).sum()
                x = x - step * np.sign(served)
    return float(means.min())


@pytest.mark.parametrize("share", [0.5, 1.0, 1.45, 1.9, 1.99])
@pytest.mark.parametrize("p", [0.2, 0.7, 1.0])
def test_the_mean_over_all_who_may_send_keeps_to_the_bound(share: float, p: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        a, slopes, shifts = float(rng.uniform(0.2, 2)), rng.uniform(0.1, 1, 2), rng.normal(size=2)
        x, b, R = float(rng.normal()) * 3, share * a, float(rng.uniform(0.2, 4))
        residuals, most = rng.uniform(-R, R, 2), float(slopes.max())
        step = lessened(a, b, R) * R / most * float(rng.uniform(0.1, 1 - 1e-9))
        gap = (
            (slopes * (x - shifts)).sum() ** 2 / slopes.sum() / 4
        )  # of f, whose slope is the mean of the slopes
        bound = ONE_STEP_CONTRACTS(
            f_gap=gap, K=3, eta=step, R=R, alpha=a, beta=b, M=2, p=p, V=0.0, L=most
        )  # fmt: skip
        assert least_mean(x, residuals, slopes, shifts, a, b, step, p, 4) <= bound * (1 + 1e-9)


def test_without_the_term_of_the_absent_it_is_false() -> None:
    """One client, which is silent with probability 9/10: the server goes by the old memory, the wrong way."""
    R, step = 2.0, 0.7
    at = {
        "f_gap": 0.5,
        "K": 1,
        "eta": step,
        "R": R,
        "alpha": 99 * R,
        "beta": 99 * R,
        "M": 1,
        "V": 0.0,
        "L": 1.0,
    }
    one = np.ones(1)
    found = least_mean(1.0, R * one, one, 0 * one, at["alpha"], at["beta"], step, 0.1, 2)
    assert ONE_STEP_CONTRACTS(**at, p=1.0) < 0.8 * found
    assert found <= ONE_STEP_CONTRACTS(**at, p=0.1)
    everybody = least_mean(1.0, R * one, one, 0 * one, at["alpha"], at["beta"], step, 1.0, 2)
    assert everybody <= ONE_STEP_CONTRACTS(**at, p=1.0)


@pytest.mark.parametrize(
    ("rate", "charge", "status"),
    [(1, 1, "proved"), (1.1, 1, "refuted"), (1, 0.9, "refuted")],
    ids=["as stated", "more off", "less on"],
)
def test_a_round_takes_no_more_off_the_potential_and_adds_no_less(rate, charge, status: str) -> None:
    phi = contracted.SHRINKING
    tenths = round(10 * rate), round(10 * charge)
    other = replace(phi, rate=phi.rate * tenths[0] / 10, charge=phi.charge * tenths[1] / 10)
    client = po.one_round(other, contracted.FALL.conclusion, po.MOVE.conclusion).nodes[0]
    assert isinstance(client, Obligation)
    assert client.discharge(QUICK).status == status


def test_at_twice_alpha_nothing_is_taken_off() -> None:
    step, limit = contracted.LESSENS, hypothesis("β ≤ 2α", beta <= 2 * alpha)
    given = tuple(limit if fact is contracted.BELOW_TWICE else fact for fact in step.given)
    assert limit in given
    assert replace(step, given=given).discharge(QUICK).status == "refuted"


@pytest.mark.parametrize(("times", "status"), [(2, "proved"), (1, "refuted")], ids=["2Lη", "half of it"])
def test_with_several_local_steps_the_charge_is_for_twice_as_far(times: int, status: str) -> None:
    phi = replace(several.MEMORY.potential, charge=(1 - contracted.theta) * times * L * eta)
    client = po.one_round(phi, several.FALL.conclusion, forgets_several.MOVES).nodes[0]
    assert isinstance(client, Obligation)
    assert client.discharge(QUICK).status == status
