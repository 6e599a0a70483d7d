"""DP-α-NormEC in 10⁵ dimensions, exactly in distribution, in three: a statistical witness in expectation.

On f(x) = ½‖x‖² with one client every vector of a run lies in the span of x, g and the accumulated noise e, plus the fresh
noise z. By rotational symmetry z has independent normal coordinates on that span and, beside it, a length that is
chi-distributed with d − 3 degrees of freedom. So a run needs three coordinates for each of three vectors, whatever d is.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from bounds.alpha_normec.theorem2 import THEOREM2_APPENDIX
from verify.claim import Trial

ALPHA, BETA, GAMMA, RADIUS, ROUNDS, DIMENSION = 0.05, 0.05, 0.025, 0.05, 50, 100_000
SIGMA = 0.05 / (BETA * math.sqrt(ROUNDS))
"""Chosen so that the printed noise term 2√(β²(K+1)σ²/n) is 0.1."""
ERROR_RATE = 1e-6


def mean_norms(runs: int, seed: int, sigma: float = SIGMA, dimension: int = DIMENSION) -> np.ndarray:
    """‖∇f(x^k)‖ for k = 0 … K of independent runs, shape (runs, K + 1), from ‖x⁰‖ = 1 and g⁰ = (1 − R) x⁰."""
    rng = np.random.default_rng(seed)
    frame: np.ndarray = np.zeros((runs, 3, 3))  # columns: x, g, e in an orthonormal basis of their span
    frame[:, 0, 0], frame[:, 0, 1] = 1.0, 1.0 - RADIUS
    norms = np.empty((runs, ROUNDS))
    for k in range(ROUNDS):
        x, g, e = (np.concatenate([frame[:, :, j], np.zeros((runs, 1))], axis=1) for j in range(3))
        norms[:, k] = np.linalg.norm(x, axis=1)
        residual = x - g
        g = g + BETA * residual / (ALPHA + np.linalg.norm(residual, axis=1, keepdims=True))
        z = np.empty((runs, 4))
        z[:, :3] = rng.standard_normal((runs, 3))
        z[:, 3] = np.sqrt(rng.chisquare(dimension - 3, runs))
        e = e + BETA * sigma * z
        step = g + e
        x = x - GAMMA * step / np.linalg.norm(step, axis=1, keepdims=True)
        frame = np.asarray(np.linalg.qr(np.stack([x, g, e], axis=2), mode="r"))
    return norms


@cache
def coordinate_trial(runs: int = 4_000) -> Trial:
    """Theorem 2 with σ per coordinate and no d in the bound, against Hoeffding's lower limit on min_k E‖∇f(x^k)‖.

    ‖∇f(x^k)‖ lies in [0, 1 + kγ] on every path, so Hoeffding's inequality with a union over the rounds gives a limit that
    fails with probability at most 1e-6; a second, independent run of twice the size must agree.
    """
    limits = [_lower_limit(mean_norms(size, seed)) for size, seed in ((runs, 2025), (2 * runs, 5202))]
    bound = THEOREM2_APPENDIX(
        f_gap=0.5,
        gamma=GAMMA,
        K=ROUNDS - 1,
        R=RADIUS,
        L=1.0,
        beta=BETA,
        sigma=SIGMA,
        n=1,
        alpha=ALPHA,
        L_max=1.0,
    )
    broken = all(limit > bound for limit in limits)
    detail = (
        f"d = {DIMENSION}, K + 1 = {ROUNDS}: min_k E‖∇f(x^k)‖ ≥ {min(limits):.3f} at confidence 1 − 1e-6 "
        f"(seeds 2025 and 5202, {runs} and {2 * runs} runs), printed bound {bound:.3f}"
    )
    return Trial(holds=False if broken else None, instances=3 * runs, slack=None, detail=detail)


def _lower_limit(norms: np.ndarray) -> float:
    runs, rounds = norms.shape
    widest = 1.0 + GAMMA * np.arange(rounds)
    radius = widest * math.sqrt(math.log(rounds / ERROR_RATE) / (2 * runs))
    return float((norms.mean(axis=0) - radius).min())
