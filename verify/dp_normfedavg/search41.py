"""Section 4.1 at the γ that makes its bound smallest: which method ends lower, on clients with one common minimiser.

WITNESS_COMMON decides the sentence at a short horizon. A defender would take γ = L‖w₀ − w*‖, which minimises (4) and (5).
No closed form is at hand there, so this is a statistical witness: three clients f_i(w) = h(⟨a_i, w⟩) in the plane, h Huber, a
steep one and two nearly flat ones, everybody in every round, one local step, the same noise for both methods.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from verify.claim import Trial

DIRECTIONS = np.array([[1.0, 0.0], [-0.6, 0.8], [-0.8, 0.6]])
LENGTHS = np.array([1.0, 0.02, 0.02])
START = np.array([1.0, 3.0])
G, L, RHO = 0.2, 1.0, 0.1
TRIALS = ((1, 60, 2.0), (2, 120, 2.0), (3, 60, 20.0))
"""(seed, paired runs, α) of the first trial, of the longer one that confirms it, and of one with ten times as many rounds."""
LEVEL = 1e-6


def setting(alpha: float) -> tuple[int, float]:
    """A whole K, and the γ that gives it: next to γ = L‖w₀ − w*‖."""
    rounds = round(printed.rounds_theorem4(alpha, L * float(np.linalg.norm(START)), G, RHO))
    return rounds, rounds * G * RHO**2 / (2 * alpha)


def quantile(runs: int) -> float:
    """Student's t exceeds it in absolute value with probability LEVEL, for that many runs."""
    return float(stdtrit(runs - 1, 1 - LEVEL / 2))


def difference(runs: int, seed: int, alpha: float) -> tuple[float, float, float, float]:
    """Mean and standard error of f(w_k̃) under normalisation minus that under clipping, over paired runs; and both means."""
    rng = np.random.default_rng((41, seed))
    rounds, _ = setting(alpha)
    step = printed.step_theorem4(RHO, alpha, L)
    spread = np.sqrt(rounds / 2) * G * RHO  # of a coordinate: dσ² = KC²ρ² with d = 2
    slopes = DIRECTIONS * LENGTHS[:, None]
    w = np.tile(START, (2, runs, 1))
    total, mean_update = np.zeros((2, runs, 3)), np.empty_like(w)
    for _ in range(rounds):
        along = w @ slopes.T
        derivative = np.minimum(np.maximum(along, -G), G)
        total += derivative * (along - derivative / 2)  # h
        mean_update[0] = derivative[0] @ slopes / 3
        mean_update[1] = np.sign(along[1]) @ DIRECTIONS * (G / 3)
        w -= step * (mean_update + spread * rng.normal(size=(runs, 2)))
    clip, norm = total.mean(-1) / rounds
    gap = norm - clip
    return float(gap.mean()), float(gap.std(ddof=1) / np.sqrt(runs)), float(clip.mean()), float(norm.mean())


def stated() -> str:
    """How much was run, for the sentence that goes with the verdict."""
    runs = " and again ".join(
        f"{runs} paired runs (α = {alpha:g}, seed {seed})" for seed, runs, alpha in TRIALS
    )
    return f"Statistical: {runs}, intervals at {LEVEL:.0e}"


def trial() -> Trial:
    """False where the interval at LEVEL lies above 0 in a first run, in an independent longer one and at the larger α."""
    beyond, detail = True, []
    for seed, runs, alpha in TRIALS:
        mean, error, clip, norm = difference(runs, seed, alpha)
        beyond = beyond and mean - quantile(runs) * error > 0
        detail.append(
            f"{runs} runs, α = {alpha:g} ({setting(alpha)[0]} rounds), seed {seed}: "
            f"{norm:.5f} normalised, {clip:.5f} clipped, difference {mean:.5f} ± {error:.5f}"
        )
    gamma = setting(TRIALS[0][2])[1]
    bound = four.asymptotic(G, L, float(np.linalg.norm(START)), gamma, RHO)
    start = L * float(np.linalg.norm(START))
    text = (
        f"{'; '.join(detail)}; beyond 0 at {LEVEL:.0e} by Student's t (a mean of runs taken as normal); "
        f"right-hand side of (4) and (5): {bound:.4f} at γ = {gamma:.4f} (L‖w₀ − w*‖ = {start:.4f}); "
        "ηGK = γ/(Lρ) does not depend on α"
    )
    return Trial(False if beyond else None, sum(runs for _, runs, _ in TRIALS), None, text)
