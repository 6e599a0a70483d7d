"""Runs from zero memories against the bounds that hold for any memories: smoothed normalisation and clipping, with noise."""

import numpy as np
import pytest

from bounds.alpha_normec.forgets import PRIVATE_CLIP, PRIVATE_FORGETS
from methods import Method
from methods.feedback import EF21
from methods.noise import Gaussian
from methods.operators import Clip
from methods.published import dp_alpha_normec
from methods.server import Normalised
from toy_problems.catalogue import make
from toy_problems.runner import run

MESSAGE, STD, K, N, D, SEEDS = 0.5, 0.05, 100, 8, 5, 16
ALPHA = MESSAGE / np.sqrt(2) * (1 + 1e-12)


@pytest.mark.unchecked
@pytest.mark.parametrize("family", ["heterogeneous-quadratic", "double-well"])
@pytest.mark.parametrize("clipping", [False, True], ids=["smoothed", "clipped"])
def test_the_mean_run_stays_below(family: str, clipping: bool) -> None:
    problem = make(family, N, D, batch=(4, 1), seed=5)
    x0 = np.broadcast_to(4.0, (4, 1, D))
    gamma = MESSAGE / problem.constants.L_max / 4
    method = dp_alpha_normec(gamma, MESSAGE, ALPHA, STD)
    if clipping:  # EF21 with β = 1 sends Clip_τ itself: the noise is τz
        method = Method(Clip(MESSAGE), Normalised(gamma), EF21(1.0), Gaussian(MESSAGE * STD))
    found = run(problem, method, x0, K + 1, seeds=np.arange(SEEDS), keep=("gradient_norm",))
    least = found["gradient_norm"].mean(axis=1).min(axis=-1)
    R = np.linalg.norm(problem.gradients(x0[..., None, :]), axis=-1).max(axis=-1)[:, 0]
    letters = {
        "f_gap": (problem.objective(x0) - problem.constants.f_inf)[:, 0], "K": K, "R": R, "n": N, "V": D * STD**2,
        "L": np.ravel(problem.constants.L), "L_max": np.ravel(problem.constants.L_max), "gamma": np.ravel(gamma),
    }  # fmt: skip
    bound = (
        PRIVATE_CLIP(**letters, tau=MESSAGE)
        if clipping
        else PRIVATE_FORGETS(**letters, alpha=ALPHA, beta=MESSAGE)
    )
    assert least.shape == bound.shape == (4,)
    assert np.all(least < bound)
    assert np.all(bound < 2 * R), "Theorem 1 would say more"
