"""Theorem 2 with noise per coordinate: the exact witness against a simulation, and against what would undo it.

On f = ½‖x‖² with one client every vector of a run lies in the span of x, g and the accumulated noise e, plus the fresh noise z.
By rotational symmetry z has independent normal coordinates on that span and, beside it, a length that is chi-distributed with
d − 3 degrees of freedom. So a run needs three coordinates for each of three vectors, whatever d is.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from verify.alpha_normec.theorems.noise_per_coordinate import NUMBERS, along, falls_less, remains, root_below
from verify.catalogue import claim
from verify.claim import Witness

RUNS, ERROR_RATE = 400, 1e-9
BOTH = pytest.mark.parametrize("identifier", ["NEC-T2-MAIN@coordinate", "NEC-T2-APP@coordinate"])


def sampled_norms(runs: int, seed: int) -> np.ndarray:
    """‖∇f(x^k)‖, k = 0 … K, of independent runs of DP-α-NormEC at the witness's numbers, shape (runs, K + 1)."""
    alpha, beta, gamma, R, sigma = (float(NUMBERS[name]) for name in ("alpha", "beta", "gamma", "R", "sigma"))
    rounds, d = int(NUMBERS["K"]) + 1, int(NUMBERS["d"])
    rng = np.random.default_rng(seed)
    frame: np.ndarray = np.zeros((runs, 3, 3))  # columns: x, g, e in an orthonormal basis of their span
    frame[:, 0, 0], frame[:, 0, 1] = 1.0, 1.0 - R
    norms = np.empty((runs, rounds))
    for k in range(rounds):
        x, g, e = (np.concatenate([frame[:, :, j], np.zeros((runs, 1))], axis=1) for j in range(3))
        norms[:, k] = np.linalg.norm(x, axis=1)
        residual = x - g
        g = g + beta * residual / (alpha + np.linalg.norm(residual, axis=1, keepdims=True))
        z = np.empty((runs, 4))
        z[:, :3] = rng.standard_normal((runs, 3))
        z[:, 3] = np.sqrt(rng.chisquare(d - 3, runs))
        e = e + beta * sigma * z
        step = g + e
        x = x - gamma * step / np.linalg.norm(step, axis=1, keepdims=True)
        frame = np.asarray(np.linalg.qr(np.stack([x, g, e], axis=2), mode="r"))
    return norms


def test_the_lower_bound_of_the_witness_lies_below_sampled_runs() -> None:
    """‖∇f(x^k)‖ is in [0, 1 + kγ] on every path: Hoeffding's inequality with a union over the rounds."""
    norms = sampled_norms(RUNS, seed=20)
    rounds = norms.shape[1]
    widest = 1 + float(NUMBERS["gamma"]) * np.arange(rounds)
    upper = norms.mean(axis=0) + widest * math.sqrt(math.log(rounds / ERROR_RATE) / (2 * RUNS))
    assert np.all(upper >= float(remains(NUMBERS)))


@BOTH
@pytest.mark.parametrize(
    "change",
    [
        {"d": Fraction(100)},  # where the noise is no longer than the gradient
        {"sigma": Fraction(1)},  # the printed noise term alone makes the bound large
        {"K": Fraction(8)},  # the bound of so few rounds is above ‖∇f(x⁰)‖
        {"beta": Fraction(1, 10)},  # β/(α + R) < 1 fails
        {"gamma": Fraction(1, 20)},  # the step is too long for Theorem 2
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_witness_needs_its_numbers(identifier: str, change: dict[str, Fraction]) -> None:
    witness = claim(identifier).witness
    assert witness is not None
    assert witness.stands()[0]
    assert not replace(witness, values={**witness.values, **change}).stands()[0]


def test_roots_are_taken_from_below() -> None:
    for x in (Fraction(1), Fraction(2), Fraction(100_000), Fraction(7, 3)):
        root = root_below(x)
        assert root**2 <= x < (root + Fraction(1, 1000)) ** 2


def test_the_display_that_uses_lemma_3_fails_in_the_first_round() -> None:
    """E f(x¹) − f(x⁰) by simulation, between the witness's lower bound and far above what the display allows."""
    witness = claim("NEC-T2-S3@lemma3").gap.shown  # type: ignore[union-attr]
    assert isinstance(witness, Witness)
    assert witness.replay is falls_less
    holds, found = witness.stands()
    assert holds
    alpha, beta, gamma, R, sigma = (float(NUMBERS[name]) for name in ("alpha", "beta", "gamma", "R", "sigma"))
    assert float(found.rhs) == pytest.approx(
        -gamma + 2 * gamma * (R + beta * sigma * 6) + gamma**2 / 2, rel=1e-12
    )
    rng = np.random.default_rng(3)
    size, d = 2_000, int(NUMBERS["d"])
    forward = 1 - R + beta * R / (alpha + R) + beta * sigma * rng.standard_normal(size)
    share = forward / np.hypot(forward, beta * sigma * np.sqrt(rng.chisquare(d - 1, size)))
    # the share lies in [−1, 1]: Hoeffding's inequality
    upper = share.mean() + math.sqrt(2 * math.log(1 / ERROR_RATE) / size)
    assert share.mean() < float(along(NUMBERS)[0])
    assert -gamma * upper + gamma**2 / 2 > float(found.rhs)


@pytest.mark.parametrize("change", [{"d": Fraction(10_000)}, {"sigma": Fraction(5, 2)}], ids=["d", "sigma"])
def test_the_display_holds_where_the_noise_is_small_or_counted(change: dict[str, Fraction]) -> None:
    assert not replace(claim("NEC-T2-S3@lemma3").gap.shown, values={**NUMBERS, **change}).stands()[0]  # type: ignore[union-attr]
