"""Bounds over measured traces: α-NormEC's and Fed-α-NormEC's theorems on families of problems.

Each case runs a method at parameters inside the conditions of a bound and lays the bound over what it bounds,
as a function of K. A printed bound that a run crosses is not refuted here (the falsifier and `verify` decide
that); `crossed` marks it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from bounds.alpha_normec.ours import THEOREM1_SHARP, THEOREM1_WIDE
from bounds.alpha_normec.theorem1 import THEOREM1
from bounds.alpha_normec.theorem2 import (
    THEOREM2_APPENDIX,
    THEOREM2_COORDINATE,
    THEOREM2_MAIN,
    THEOREM2_POSTER,
)
from bounds.fed_alpha_normec.repaired import LOCAL_GRADIENT, LOCAL_GRADIENT_SHARP, ONE_STEP
from bounds.statement import Bound
from methods.algebra import Method
from methods.published import alpha_normec, dp_alpha_normec, fed_alpha_normec
from toy_problems.catalogue import FAMILIES as KNOWN
from toy_problems.catalogue import ONE_VARIABLE, make
from toy_problems.problem import Array, Problem
from toy_problems.rates import CONFIDENCE
from toy_problems.runner import run
from toy_problems.schedules import INSIDE
from toy_problems.starts import Memory, away_from_minimiser, memories

FAMILIES = ("heterogeneous-quadratic", "logistic", "rational-well", "double-well")
FITTING = tuple(name for name in KNOWN if name not in ONE_VARIABLE)
"""Those that have as many clients and variables as asked for."""

NOISE = 0.05
"""σ of the runs with noise: per coordinate of a client's message, whose norm is at most 1."""


@dataclass(frozen=True)
class Overlay:
    """One case. K, measured, low, high, limit: one value for each K.

    measured: min over k ≤ K of ‖∇f(xᵏ)‖, or of its mean over the seeds, with low and high the ends of
    Student's 95% interval of that mean (equal to it where nothing is random). without_running: √(2L(f(x⁰) −
    f^inf)), which bounds ‖∇f(x⁰)‖ before any round.
    """

    bound: str
    source: str
    problem: str
    memory: str
    parameters: dict[str, float]
    K: tuple[int, ...]
    measured: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    limit: tuple[float, ...]
    without_running: float

    @property
    def tightness(self) -> float:
        """Largest measured / bound."""
        return max(m / b for m, b in zip(self.measured, self.limit, strict=True))

    @property
    def crossed(self) -> bool:
        """Whether the whole interval lies above the bound for some K."""
        return any(low > b for low, b in zip(self.low, self.limit, strict=True))


def _measure(norms: Array) -> tuple[Array, Array, Array]:
    """Running minimum of the mean over the seeds (first axis), and its interval, for each K."""
    mean = norms.mean(axis=0)
    error = np.zeros_like(mean)
    if (n := len(norms)) > 1:
        error = stats.t.ppf((1 + CONFIDENCE) / 2, n - 1) * norms.std(axis=0, ddof=1) / np.sqrt(n)
    running = np.minimum.accumulate(mean)
    at = np.maximum.accumulate(np.where(mean == running, np.arange(mean.size), 0))
    return running, running - error[at], running + error[at]


@dataclass(frozen=True)
class _Case:
    """Bounds that one run is compared with. `parameters` gives the run's parameters; `build` the method."""

    bounds: tuple[Bound, ...]
    memory: Memory
    parameters: Callable[[dict[str, float]], dict[str, float]]
    build: Callable[[dict[str, float]], Method]
    random: bool = False


def _theorem1(beta_of: Callable[[float, float], float]) -> Callable[[dict[str, float]], dict[str, float]]:
    def choose(known: dict[str, float]) -> dict[str, float]:
        beta = beta_of(known["alpha"], known["R"])
        gamma = beta * known["R"] / (known["alpha"] + known["R"]) / known["L_max"]
        return known | {"beta": beta, "gamma": gamma}

    return choose


def _noisy(known: dict[str, float]) -> dict[str, float]:
    return _theorem1(lambda alpha, R: 0.05 * (alpha + R))(known) | {"sigma": NOISE}


def _federated(T: int, p: float) -> Callable[[dict[str, float]], dict[str, float]]:
    def choose(known: dict[str, float]) -> dict[str, float]:
        L, alpha, R = known["L_max"], known["alpha"], known["R"]  # the paper's L is that of every f_i as well
        beta = 0.05 * (alpha + R)
        scale = float(np.sqrt(2 * L * known["Delta"])) if known["Delta"] > 0 else 1.0
        eta = beta * R / (alpha + R) / (2 * L)
        gamma = INSIDE * min(1 / (2 * L), 3 * scale / (4 * L**2) / (known["rounds"] * eta))
        return known | {
            "L": L,
            "M": known["n"],
            "beta": beta,
            "eta": eta,
            "gamma": gamma,
            "p": p,
            "T": T,
            "V": 0.0,
            "s": scale,
        }

    return choose


def _normec(v: dict[str, float]) -> Method:
    return alpha_normec(v["gamma"], v["beta"], v["alpha"])


def _private(v: dict[str, float]) -> Method:
    return dp_alpha_normec(v["gamma"], v["beta"], v["alpha"], v["sigma"])


def _fed(v: dict[str, float]) -> Method:
    return fed_alpha_normec(v["eta"], v["gamma"], v["beta"], v["alpha"], p=v["p"], T=int(v["T"]))


CASES = (
    _Case((THEOREM1,), "zero", _theorem1(lambda alpha, R: 0.999 * (alpha + R)), _normec),
    _Case((THEOREM1, THEOREM1_SHARP), "radius", _theorem1(lambda alpha, R: alpha), _normec),
    _Case(
        (THEOREM1_WIDE,), "radius", _theorem1(lambda alpha, R: INSIDE * (alpha**0.5 + R**0.5) ** 2), _normec
    ),
    _Case(
        (THEOREM2_MAIN, THEOREM2_APPENDIX, THEOREM2_POSTER, THEOREM2_COORDINATE),
        "radius",
        _noisy,
        _private,
        random=True,
    ),
    _Case((ONE_STEP,), "radius", _federated(1, 0.5), _fed, random=True),
    _Case((LOCAL_GRADIENT, LOCAL_GRADIENT_SHARP), "radius", _federated(5, 0.5), _fed, random=True),
)


def known_of(problem: Problem, x0: Array, R: float, alpha: float) -> dict[str, float]:
    """What the bounds read of one instance."""
    c = problem.constants
    return {
        "f_gap": float(problem.objective(x0) - c.f_inf),
        "L": float(c.L),
        "L_max": float(c.L_max),
        "R": R,
        "alpha": alpha,
        "n": problem.n,
        "d": problem.d,
        "Delta": float(c.f_inf - c.f_i_inf.mean()),
    }


def overlays(
    K: int = 400,
    n: int = 10,
    d: int = 20,
    alpha: float = 1.0,
    radius: float = 0.5,
    seeds: int = 20,
    seed: int = 0,
    families: tuple[str, ...] = FAMILIES,
    progress: Callable[[int], object] | None = None,
) -> list[Overlay]:
    """Every case on every family, for K' = 0, …, K (the federated conditions are those of K itself).

    radius: R of the memories "radius" (f/x). seeds: runs that an expectation is averaged over.
    """
    found = []
    for family in families:
        problem = make(family, n, d, seed=seed)
        x0 = away_from_minimiser(problem, 3.0, seed)
        for case in CASES:
            start, R = memories(problem, x0, case.memory, radius, seed)
            known = known_of(problem, x0, float(R), alpha) | {"rounds": K + 1}
            values = case.parameters(known)
            many = np.arange(seeds if case.random else 1)
            traces = run(
                problem, case.build(values), x0, K + 1, memories=start, seeds=many, progress=progress
            )
            measured, low, high = _measure(traces["gradient_norm"])
            for bound in case.bounds:
                found.append(_overlay(bound, family, case.memory, values, measured, low, high))  # noqa: PERF401
    return found


def _overlay(bound: Bound, family, memory, values, measured, low, high) -> Overlay:
    shown = np.unique(np.geomspace(1, len(measured), 40).round().astype(int)) - 1
    given = {name: values[name] for name in bound.parameters if name != "K"}
    bound.check(**given, **({"K": len(measured) - 1} if "K" in bound.parameters else {}))
    limit = [float(bound.value(**given, K=int(k))) for k in shown]
    return Overlay(
        bound.name,
        str(bound.source),
        family,
        memory,
        {name: float(value) for name, value in given.items()},
        tuple(shown.tolist()),
        tuple(measured[shown].tolist()),
        tuple(low[shown].tolist()),
        tuple(high[shown].tolist()),
        tuple(limit),
        float(np.sqrt(2 * values["L"] * values["f_gap"])),
    )
