"""The order 1/√K from any memories: for β < 2α the bound by runs in floating point, for β ≥ 2α the run that goes to and fro."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bounds.alpha_normec.contracted import THEOREM1_CONTRACTS, lessened
from bounds.statement import ConditionError
from verify.alpha_normec.letters import ALPHA, BETA, R, alpha, beta, w
from verify.alpha_normec.ours import contracted
from verify.alpha_normec.ours.contracted import eta, now, to_and_fro
from verify.catalogue import claim
from verify.facts import hypothesis
from verify.obligation import Obligation, Settings

QUICK = Settings(minimise=False, seconds=5.0)


def _step(name: str) -> Obligation:
    proof = claim("NEC-OUR-T1-CONTRACTS").proof
    assert proof is not None
    found = next(node for node in proof.nodes if node.name == name)
    assert isinstance(found, Obligation)
    return found


def least_norm(
    start: float, memories: np.ndarray, slopes: np.ndarray, a: float, b: float, step: float, rounds: int
) -> float:
    """min_k |∇f(x^k)| of Algorithm 1 on f_i(x) = slopes_i x²/2."""
    x, g, least = start, memories.copy(), np.inf
    for _ in range(rounds):
        least = min(least, abs(slopes.mean() * x))
        residual = slopes * x - g
        g = g + b * residual / (a + np.abs(residual))
        x = x - step * np.sign(g.mean())
    return float(least)


@pytest.mark.parametrize("share", [0.5, 1.0, 1.45, 1.9, 1.99])
def test_below_twice_alpha_runs_keep_to_the_bound(share: float) -> None:
    rng, runs = np.random.default_rng(5), 0
    for _ in range(20):
        a, slopes, x = float(rng.uniform(0.2, 2)), rng.uniform(0, 1, 3), float(rng.uniform(-2, 2))
        b, R = share * a, float(rng.uniform(0.5, 4))
        residuals = rng.uniform(-R, R, 3)
        L_max, L = float(slopes.max()), float(slopes.mean())
        given = {"f_gap": L * x**2 / 2, "R": R, "L": L, "L_max": L_max, "alpha": a, "beta": b}
        for rounds in (400, 2500):
            step = 1 / rounds**0.5
            if step > lessened(a, b, R) * R / L_max:
                with pytest.raises(ConditionError, match="γ ≤ ηR/L_max"):
                    THEOREM1_CONTRACTS(gamma=step, K=rounds - 1, **given)
                continue
            bound, runs = THEOREM1_CONTRACTS(gamma=step, K=rounds - 1, **given), runs + 1
            assert least_norm(x, slopes * x - residuals, slopes, a, b, step, rounds) <= bound * (1 + 1e-9)
    assert runs >= 10


def test_the_constant_of_the_order_grows_without_limit_with_R() -> None:
    """2(1 − η)(R + L_max c₂)/η, the memories' part of the constant in NEC-C1-RATE@O-as-defined's repair; η is β/(α+R) for large R. At
    α = 1 and β = 3/2 it is 4/3 R² for large R: one constant serves for all memories within an R, and none for all."""
    a, b = Fraction(1), Fraction(3, 2)
    constants = []
    for size in (Fraction(10), Fraction(10**3), Fraction(10**5)):
        share = lessened(a, b, size)
        constants.append(2 * (1 - share) * (size + 1) / share / size**2)
    assert constants[-1] == pytest.approx(4 / 3, rel=1e-4)
    assert all(1 < found < 4 / 3 * 1.2 for found in constants)


def test_from_one_start_the_order_is_kept_below_twice_alpha_and_lost_at_it() -> None:
    """√(K+1) min_k |∇f(x^k)| with γ = 1/√(K+1) and the memory of NEC-OUR-C1-RATE, at K + 1 = 10², 10⁴ and 10⁶; two rounds bring
    the run at β = 2α back to where it was, so that six tell of all."""
    lost, kept = [], []
    for root in (10, 100, 1000):
        step = 1 / root
        size = (step + np.sqrt(step**2 + 8 * step)) / 4
        rest = size - step
        far = (1 + rest + np.sqrt((1 + rest) ** 2 + 4 * rest)) / 2
        x, one = (size - step) / 2, np.ones(1)
        lost.append(root * least_norm(x, np.array([x - far]), one, 1.0, 2.0, step, 6))
        kept.append(root * least_norm(x, np.array([x - far]), one, 1.0, 1.5, step, min(root**2, 20_000)))
    assert lost[1] > 2 * lost[0]
    assert lost[2] > 2 * lost[1]
    assert max(kept) < 2


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        ({}, True),
        ({"rho": Fraction(2, 3)}, True),
        ({"rho": Fraction(3, 5)}, False),  # R is not that of this ρ
        ({"R": Fraction(21, 10)}, False),
        ({"beta": Fraction(19, 10)}, False),
        ({"alpha": Fraction(11, 10)}, False),
    ],
    ids=str,
)
def test_the_run_goes_to_and_fro_at_its_numbers_alone(change: dict[str, Fraction], holds: bool) -> None:
    assert to_and_fro({**contracted.VALUES, **change}).holds is holds


@pytest.mark.parametrize(
    ("share", "status"), [(eta, "proved"), (Fraction(11, 10) * eta, "refuted")], ids=["η", "more than η"]
)
def test_no_more_than_eta_is_taken_off_a_residual(share, status: str) -> None:
    step = _step("(1 − η)r_k at most is left of r_k ≤ R")
    goal = replace(step.goal, relation=(now > R) | (w <= (1 - share) * now))
    assert replace(step, goal=goal).discharge(QUICK).status == status


def test_at_twice_alpha_nothing_is_taken_off() -> None:
    step = contracted.LESSENS
    limit = hypothesis("β ≤ 2α", beta <= 2 * alpha)
    given = tuple(limit if fact is contracted.BELOW_TWICE else fact for fact in step.given)
    assert {ALPHA, BETA} <= set(given)
    assert replace(step, given=given).discharge(QUICK).status == "refuted"
