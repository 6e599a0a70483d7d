"""What NEC-OUR-DP-FLOOR rests on: without privacy, or with more than is true, it fails; runs with and without noise, and
all pairs of laws on eleven points."""

import math

import numpy as np
import pytest
import sympy
from scipy.optimize import linprog

from bounds.alpha_normec.ours import least_under_privacy
from methods.algebra import advance, initialise
from methods.published import dp_alpha_normec
from methods.randomness import Keyed
from verify.alpha_normec.letters import L, f_gap
from verify.alpha_normec.ours import dp_floor
from verify.obligation import Settings, obligation
from verify.privacy.rigorous import above, gaussian_delta, number
from verify.verdict import establish


def status(given, goal) -> str:
    return obligation("floor", given, goal).discharge(Settings(minimise=False)).status


def test_privacy_is_what_the_proof_needs() -> None:
    found = establish(dp_floor.DP_FLOOR)
    assert found.verdict == "proved"
    (proof,) = found.evidence
    assert {dp_floor.PRIVATE.name, dp_floor.LOSS.name, dp_floor.UNIT.name} <= set(proof.needed)


def test_without_privacy_there_is_no_floor() -> None:
    given = tuple(fact for fact in dp_floor.LAST if fact is not dp_floor.PRIVATE)
    assert status(given, dp_floor.LARGER >= dp_floor.FLOOR) == "refuted"


@pytest.mark.parametrize(
    "factor",
    [
        (1 - dp_floor.delta) / dp_floor.growth,
        1 / (1 + dp_floor.growth),
        (1 - dp_floor.delta / 2) / (1 + dp_floor.growth),
        (1 - dp_floor.delta) / (1 + 9 * dp_floor.growth / 10),
    ],
    ids=["e^ε for 1 + e^ε", "no δ", "half of δ", "0.9 e^ε"],
)
def test_the_floor_cannot_be_higher_by_this_argument(factor) -> None:
    assert status(dp_floor.LAST, dp_floor.LARGER >= 2 * sympy.sqrt(2 * L * f_gap) * factor) == "refuted"


@pytest.mark.parametrize(
    ("node", "goal"),
    [
        (dp_floor.TOWARD, dp_floor.toward >= dp_floor.G),
        (dp_floor.TOWARD, dp_floor.toward >= 2 * dp_floor.G * (1 - dp_floor.phi)),
        (dp_floor.TOWARD, dp_floor.toward >= 21 * dp_floor.G * dp_floor.phi / 10),
        (dp_floor.AWAY, dp_floor.away >= 2 * dp_floor.G),
    ],
    ids=["long everywhere", "the sides exchanged", "longer by 5%", "long everywhere (−)"],
)
def test_the_gradient_is_long_far_from_the_minimiser_alone(node, goal) -> None:
    assert status(node.given, goal) == "refuted"


def mean_gradients(std: float, rounds: int, clients: int) -> tuple[float, float]:
    """The mean over the rounds of |∇f(x^k)|, L = G = 1, f_1 = x²/2 ∓ nx, the others x²/2, of DP-α-NormEC from x⁰ = 0 and zero
    memories: on + and on −, over 40 runs."""
    runs, signs = 40, np.array([-1.0, 1.0])[:, None, None]
    slopes = np.zeros((2, 1, clients, 1))
    slopes[:, :, 0] = signs * clients
    method, drawn = dp_alpha_normec(0.05, 0.2, 0.1, std), Keyed(np.arange(runs)[None])
    state, total = initialise(method, np.zeros((2, runs, 1)), clients), np.zeros((2, runs, 1))
    for _ in range(rounds):
        total += np.abs(state.x + signs)
        state, _ = advance(method, state, lambda points: points + slopes, drawn)
    plus, minus = (total / rounds).mean(axis=(1, 2))
    return float(plus), float(minus)


def test_private_runs_stay_above_the_floor_and_runs_without_noise_do_not() -> None:
    """(1, 10⁻⁵)-DP against the messages of all rounds: two messages are at most 2 apart, μ = 2√K/σ = 0.26."""
    rounds, clients, mu = 300, 3, 0.26
    assert above(gaussian_delta(number(1), number(26**2) / 10**4)) < 1e-5
    floor = least_under_privacy(f_gap=0.5, L=1.0, growth=math.e, delta=1e-5)
    assert floor == pytest.approx(2 * (1 - 1e-5) / (1 + math.e))
    assert max(mean_gradients(2 * math.sqrt(rounds) / mu, rounds, clients)) > floor
    assert max(mean_gradients(0.0, rounds, clients)) < floor


@pytest.mark.parametrize(("loss", "delta"), [(0.0, 0.0), (0.1, 0.0), (1.0, 0.01), (3.0, 0.3)])
def test_no_release_of_eleven_points_is_below_the_floor_and_one_attains_it(loss: float, delta: float) -> None:
    """The least max(E₊, E₋) over all pairs of laws on −1, −0.8, …, 1 with L = G = 1 that are (ε, δ)-DP, as a linear programme:
    (ε, δ)-DP says Σ max(p − e^ε q, 0) ≤ δ both ways."""
    points, growth = np.linspace(-1, 1, 11), math.exp(loss)
    m = len(points)
    none, one = np.zeros((m, m)), np.eye(m)
    # unknown: p₊, p₋, what p₊ has above e^ε p₋, what p₋ has above e^ε p₊, and the larger mean
    rows = [
        np.hstack([one, -growth * one, -one, none, np.zeros((m, 1))]),
        np.hstack([-growth * one, one, none, -one, np.zeros((m, 1))]),
        np.concatenate([np.zeros(2 * m), np.ones(m), np.zeros(m + 1)])[None],
        np.concatenate([np.zeros(3 * m), np.ones(m), [0.0]])[None],
        np.concatenate([np.abs(points - 1), np.zeros(3 * m), [-1.0]])[None],
        np.concatenate([np.zeros(m), np.abs(points + 1), np.zeros(2 * m), [-1.0]])[None],
    ]
    limits = np.concatenate([np.zeros(2 * m), [delta, delta, 0.0, 0.0]])
    sums = np.zeros((2, 4 * m + 1))
    sums[0, :m] = sums[1, m : 2 * m] = 1.0
    aim = np.zeros(4 * m + 1)
    aim[-1] = 1.0
    found = linprog(aim, A_ub=np.vstack(rows), b_ub=limits, A_eq=sums, b_eq=np.ones(2))
    assert found.status == 0
    assert found.fun == pytest.approx(least_under_privacy(0.5, 1.0, growth, delta), rel=1e-7)
