"""Appendix D.1 on who converges: the runs behind the claims, made with floats, and what the witnesses need."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from methods.algebra import advance, initialise
from methods.published import fed_alpha_normec
from methods.randomness import Keyed
from verify.catalogue import claim
from verify.claim import Gap, Witness
from verify.curves import Curve
from verify.fed_alpha_normec.counterexamples.problems import FALLING, RISING
from verify.fed_alpha_normec.ours.growing_noise import RIGHT

CENTRES = np.array([[0.0], [0.0], [9.0]])


def _shown(identifier: str) -> Witness:
    found = claim(identifier)
    shown = found.gap.shown if isinstance(found.gap, Gap) else found.witness
    assert isinstance(shown, Witness)
    return shown


@pytest.mark.parametrize(
    ("identifier", "change"),
    [
        ("FED-S2-CLIP", {"other": "1/4"}),  # the same event on both data sets
        ("FED-S3-BIAS", {"bound": "1/2"}),  # clipped, one client is not at the optimum after a round
        ("FED-D1-CONVERGENT", {"eta": "1/9"}),  # η/2 is below 1/17
        ("FED-D1-CONVERGENT@fixed-parameters", {"m": "1/2"}),  # the optimum is on the lattice
        ("FED-D1-CONVERGENT@fixed-parameters", {"rounds": 26}),  # outside the condition on ηγ
        ("FED-D1-CONVERGENT@private", {"K": 999}),  # steps that do not lead far
        ("FED-D1-CONVERGENT@private", {"sigma": "1/10000000"}),  # little noise
    ],
)
def test_what_is_shown_needs_its_numbers(identifier: str, change: dict[str, object]) -> None:
    shown = _shown(identifier)
    assert shown.stands()[0]
    new = {key: Fraction(str(value)) for key, value in change.items()}
    assert not replace(shown, values={**shown.values, **new}).stands()[0]


@pytest.mark.parametrize(("p", "std"), [(1.0, None), (0.5, None), (0.5, 0.3)])
def test_no_run_with_a_fixed_step_comes_nearer_than_half_of_it(p: float, std: float | None) -> None:
    """200 runs of 400 rounds in floats: all stay η/2 away, and most of them come as near as that."""
    eta, runs = 0.125, 200
    method = fed_alpha_normec(eta=eta, gamma=0.5, beta=1.0, alpha=1.0, p=p, std=std)
    state = initialise(method, np.full((runs, 1), 3 + 2.5 * eta), clients=3)
    nearest = np.full(runs, np.inf)
    for _ in range(400):
        state, _ = advance(method, state, lambda x: x - CENTRES, Keyed(np.arange(runs)))
        nearest = np.minimum(nearest, np.abs(state.x[:, 0] - 3))
    assert nearest.min() >= eta / 2 - 1e-9
    assert np.median(nearest) == pytest.approx(eta / 2)


@pytest.mark.parametrize("server", [0.1, 1.0, 2.0])
def test_normalised_fedavg_goes_from_the_optimum_to_its_fixed_point(server: float) -> None:
    x = 3.0
    for _ in range(2000):
        moves = (x - CENTRES[:, 0]) / 2
        x -= server * (moves / (2 / 3 + np.abs(moves))).mean()
    assert x == pytest.approx(1.0)


def _bound(**numbers: float) -> float:
    return float(RIGHT.subs({s: numbers[str(s)] for s in RIGHT.free_symbols}))


def test_with_falling_steps_the_bound_goes_to_0_as_the_claim_says() -> None:
    f, alpha, b, h, R, M, p, V = 2.0, 0.5, 0.6, 0.4, 3.0, 7.0, 0.5, 0.8
    limit = f / h + 2 * alpha * h / b + b * math.sqrt(2 * (1 - p + V) / (p * M))
    z = 1e5
    found = _bound(f_gap=f, alpha=alpha, beta=b / z**4, eta=h / z**5, R=R, M=M, p=p, V=V, L=1, K=z**6 - 1)
    assert z * found == pytest.approx(limit, rel=100 / z)  # what is left falls as 1/z


def test_loud_noise_keeps_the_bound_above_the_start() -> None:
    """At V = pM(K+1)/32 it is above R at every β, and a hundredth of that noise is not enough for that."""
    K, M, R = 10**6, 50, 1.0
    for share in (1.0, 0.01):
        least = min(
            _bound(f_gap=1e-9, alpha=1e-6 + beta, beta=beta, eta=1e-9 * beta, R=R, M=M, p=1, V=share * M * (K + 1) / 32, L=1, K=K)
            for beta in np.geomspace(1e-9, 1e-3, 61)
        )  # fmt: skip
        assert (least > R) is (share == 1.0)


@pytest.mark.parametrize("start", [-0.9, 0.3, 0.9])
@pytest.mark.parametrize("residual", [0.0, 0.5])
def test_with_several_local_steps_and_one_gamma_smaller_steps_do_not_help(
    start: float, residual: float
) -> None:
    """The two functions of FED-D1-CONVERGENT@kept-gamma from other starts and memories: x goes past 0, where the updates cancel and
    |f'| is 3/2, and comes back to it, the nearer the smaller the steps are."""
    gamma = 0.5

    def update(f: Curve, x: float) -> float:
        y = x
        for _ in range(2):
            y -= gamma / 2 * float(f.gradient(Fraction(y)))
        return (x - y) / gamma

    for rounds in (200, 2000):
        beta, eta, alpha = rounds ** (-2 / 3), rounds ** (-5 / 6), 1.0
        x, crossed = start, 0
        v = [update(f, x) + sign * residual for f, sign in ((FALLING, 1), (RISING, -1))]
        least = math.inf
        for _ in range(rounds):
            least = min(least, abs(float(FALLING.gradient(Fraction(x)) + RISING.gradient(Fraction(x)))) / 2)
            apart = [update(f, x) - m for f, m in zip((FALLING, RISING), v, strict=True)]
            v = [m + beta * a / (alpha + abs(a)) for m, a in zip(v, apart, strict=True)]
            before = x
            x -= eta * math.copysign(1.0, sum(v)) if sum(v) else 0.0
            assert abs(x - before) == pytest.approx(eta), "no round stands still"
            crossed += before * x < 0
        assert crossed >= 2
        assert least > 1
        assert abs(x) < (0.02 if rounds == 2000 else abs(start) / 2)
