"""Corollaries 1, 3 and 5 with noise per coordinate: what their exact witnesses rest on, run directly, and what would undo them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from verify.catalogue import claim
from verify.claim import Witness
from verify.fed_alpha_normec.theorems.noise_per_coordinate import least_along

EVERY = pytest.mark.parametrize(
    "identifier", ["FED-C1-APP@per-coordinate", "FED-C3@per-coordinate", "FED-C5@per-coordinate"]
)


def _with(identifier: str, **changes: object) -> Witness:
    found = claim(identifier).witness
    assert found is not None
    return replace(found, values={**found.values, **{k: Fraction(str(v)) for k, v in changes.items()}})


@EVERY
@pytest.mark.parametrize(
    "change",
    [
        {"d": 200, "h": 10},  # the noise is no longer than the gradient
        {"sigma": 4},  # the printed noise term alone makes the bound large
        {"kappa": 4},  # the bound of so few rounds is above ‖∇f(x⁰)‖
        {"D_2": 5},  # D₂ ≥ α + D₁: not the advice that is put to the test
        {"c": "1/10"},  # the condition on ηγ fails
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_corollary_with_noise_per_coordinate_breaks_with_its_numbers_alone(
    identifier: str, change: dict[str, object]
) -> None:
    assert _with(identifier).stands()[0]
    assert not _with(identifier, **change).stands()[0]


@EVERY
def test_with_the_second_moment_in_b_the_bound_is_far_above_the_start(identifier: str) -> None:
    """dσ² for σ²: the noise term is √d times what it was, and nothing is refuted any more."""
    found = _with(identifier)
    sigma = found.values["sigma"] * found.values["h"]  # √(d/2) σ, less than √d σ
    compared = found.replay({**found.values, "sigma": sigma})
    assert compared.rhs > 100 * compared.lhs


@pytest.mark.parametrize("steps", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_runs_stay_above_the_lower_bound_of_those_witnesses(steps: int) -> None:
    """Algorithm 1 on f_i = ‖x ∓ c e₂‖² in two pairs, at numbers where a run is short: L = 2, d = 20,000, 150 rounds."""
    L, M, d, rounds, runs = 2.0, 4, 20_000, 150, 12
    gamma, eta, alpha, beta, R, sigma, c = 0.25, 0.01, 0.5, 0.4, 0.3, 4.0, 1.5
    rng = np.random.default_rng(5)
    centres: np.ndarray = np.zeros((M, d))
    centres[:, 1] = [c, -c, c, -c]

    def updates(x: np.ndarray) -> np.ndarray:
        y = np.tile(x, (M, 1))
        for _ in range(steps):
            y = y - gamma / steps * L * (y - centres)
        return (x - y) / gamma

    along: np.ndarray = np.zeros((runs, rounds + 1))
    for run in range(runs):
        x: np.ndarray = np.zeros(d)
        x[0] = 1.0
        v = updates(x)
        v[:2, 2] += R
        v[2:, 2] -= R
        server = v.mean(axis=0)
        along[run, 0] = x[0]
        for k in range(rounds):
            apart = updates(x) - v
            sent = apart / (alpha + np.linalg.norm(apart, axis=1, keepdims=True))
            v = v + beta * sent
            server = server + beta / M * (sent + sigma * rng.standard_normal((M, d))).sum(axis=0)
            x = x - eta * server / np.linalg.norm(server)
            along[run, k + 1] = x[0]
    numbers = (Fraction(str(n)) for n in (eta, rounds, L * (1 + rounds * eta) + R, beta * sigma / 2, d, 100))
    bound, met = least_along(*numbers)
    assert all(true for _, true in met)
    assert 0.5 < bound < 0.9
    assert along.min() > bound
    assert along[:, -1].mean() < 0.999
