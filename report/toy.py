"""Two stories told with toy problems: Example 1, and Theorem 1's bound beside what is measured. Plain
data out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds.alpha_normec.theorem1 import THEOREM1
from methods.published import alpha_normec, dp_sgd_clip, dp_sgd_smoothed
from report.jobs import Tick, silent
from toy_problems.catalogue import FAMILIES, make
from toy_problems.quadratics import example1
from toy_problems.runner import run


def example1_story(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """Iterates on Example 1 from `start`: DP-SGD without noise (normalised, clipped, smoothed) and α-NormEC.

    config: start x⁰, rounds, gamma, alpha, beta, tau; memories g_i⁰ = 0 as the paper recommends.
    Result: {"methods": [{"name", "x": K + 1 iterates}], "minimiser", "gradient_at_start"}.
    """
    problem = example1()
    gamma, alpha = config["gamma"], config["alpha"]
    methods = {
        "DP-SGD, normalised (α = 0)": dp_sgd_smoothed(gamma, 0.0),
        f"DP-SGD, clipped (τ = {config['tau']:g})": dp_sgd_clip(gamma, config["tau"]),
        f"DP-SGD, smoothed (α = {alpha:g})": dp_sgd_smoothed(gamma, alpha),
        f"α-NormEC (α = {alpha:g}, β = {config['beta']:g})": alpha_normec(gamma, config["beta"], alpha),
    }
    x0 = np.array([config["start"]])
    traces = [
        {"name": name, "x": run(problem, method, x0, config["rounds"], keep=("x",))["x"][:, 0].tolist()}
        for name, method in methods.items()
    ]
    return {
        "methods": traces,
        "minimiser": float(problem.constants.minimiser[0]),
        "gradient_at_start": float(problem.gradient(x0)[0]),
    }


def theorem1_family(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """Theorem 1's bound for K = 0, 1, … beside the smallest ‖∇f‖ up to K, on random problems of each
    family.

    All parameters lie inside the printed conditions: the bound itself is called with them and would refuse.
    R is spread over two decades around the size of a gradient at the start. config: instances, settings
    (parameter draws an instance), n, d, rounds, seed. Result: by family, quantiles over all runs of
    (smallest ‖∇f‖ up to K) / bound(K), and the run that came closest.
    """
    names = [name for name in FAMILIES if name != "example1"]
    families = []
    for name in names:
        families.append(_family(name, config))
        tick(len(families) / len(names))
    return {
        "families": families,
        "runs_each": config["instances"] * config["settings"],
    }


def _family(name: str, config: Mapping[str, Any]) -> dict[str, Any]:
    instances, settings, rounds = config["instances"], config["settings"], config["rounds"]
    d = 1 if name == "piecewise-quadratic" else config["d"]
    random = np.random.default_rng((config["seed"], len(name)))
    problem = make(name, config["n"], d, (instances,), 1.0, config["seed"]).expand(1)
    x0 = 3.0 * random.standard_normal((instances, 1, d))
    gradients = problem.gradients(x0[..., None, :])
    direction = random.standard_normal((instances, settings, problem.n, d))
    direction /= np.sqrt(np.vecdot(direction, direction))[..., None]
    size = np.sqrt(np.vecdot(gradients, gradients)).max(axis=-1) * 10.0 ** random.uniform(
        -1.5, 0.5, (instances, settings)
    )
    memories = gradients + size[..., None, None] * direction
    residual = gradients - memories
    R = np.sqrt(np.vecdot(residual, residual)).max(axis=-1)
    alpha = R * 10.0 ** random.uniform(-2, 1, R.shape)
    beta = (alpha + R) * random.uniform(0.02, 0.98, R.shape)
    L = np.broadcast_to(problem.constants.L, R.shape)
    L_max = np.broadcast_to(problem.constants.L_max, R.shape)
    gamma = beta * R / (alpha + R) / L_max * random.uniform(0.3, 1.0, R.shape) * (1 - 1e-12)
    f_gap = problem.objective(x0) - problem.constants.f_inf + np.zeros_like(R)
    traces = run(problem, alpha_normec(gamma, beta, alpha), x0, rounds, memories=memories)
    least = np.minimum.accumulate(traces["gradient_norm"], axis=-1)
    given = {"f_gap": f_gap, "gamma": gamma, "R": R, "L": L, "alpha": alpha, "beta": beta, "L_max": L_max}
    bound = np.stack([THEOREM1(K=np.asarray(float(k)), **given) for k in range(rounds)], axis=-1)
    ratio = least / bound
    worst = np.unravel_index(ratio.max(axis=-1).argmax(), R.shape)
    levels = (0.5, 0.95, 1.0)
    return {
        "name": name,
        "quantiles": {str(q): np.quantile(ratio.reshape(-1, rounds), q, axis=0).tolist() for q in levels},
        "largest": float(ratio.max()),
        "above_one": int((ratio > 1).any(axis=-1).sum()),
        "closest": {
            "measured": least[worst].tolist(),
            "bound": bound[worst].tolist(),
            "parameters": {key: float(value[worst]) for key, value in given.items()},
        },
    }
