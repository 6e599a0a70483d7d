"""The end of a search by gradients: sequential quadratic programming from the best trace.

Evolution finds the right corner; the worst case has many active constraints at once (turns as sharp as L
allows, all gradients of one length), which random mutations meet slowly. Here the values f_k, the depth and the
least length of a gradient are variables of their own, so everything is smooth:

    maximise log(length) − log(bound)   subject to   ‖∇f(xᵏ)‖² ≥ length²,   f_j ≥ f_k + c_jk,
    depth ≥ f_0 − f_k + ‖∇f(xᵏ)‖²/(2L),   ‖turns‖ ≤ 1,   ‖residuals‖ ≤ 1,   the printed conditions.

Derivatives are central differences; the runs of all disturbed candidates are one batch.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from jaxtyping import Float
from scipy.optimize import minimize

from toy_problems.falsifier.evolution import Array
from toy_problems.falsifier.targets import Target, per_run
from toy_problems.falsifier.traces.candidates import TraceLayout, TracePrimary, run_traces, satisfied

STEP = 1e-6
"""Of the central differences; their error is about STEP² and rounding over STEP, both near 1e-10."""

SHRINKS = (0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
"""Turns are taken back by the smallest of these that leaves an L-smooth function: the optimum has none to
spare."""

ITERATIONS = 100
GAIN = 1e-10
"""Of the logarithm of the ratio: a step that gains less is the last one."""

LARGEST_LOG = 30.0
"""Of a parameter's logarithm: a step that leads further is cut there."""

FAR = 1e9
"""What an entry of a diverging step becomes."""


@dataclass(frozen=True)
class _Places:
    """Where each part lies in the vector of variables."""

    first: slice
    turns: slice
    residuals: slice
    values: slice
    depth: int
    length: int

    @classmethod
    def of(cls, layout: TraceLayout) -> _Places:
        ends = np.cumsum(
            [3, layout.d, layout.K * layout.d, (layout.clients - 1) * layout.d, layout.K]
        ).tolist()
        parts = [slice(a, b) for a, b in pairwise(ends)]
        return cls(*parts, depth=ends[-1], length=ends[-1] + 1)


def ratio_of(target: Target, primary: TracePrimary, layout: TraceLayout) -> Float[Array, " runs"]:
    """Measured / bound; −inf where no function has the gradients and outside the conditions."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        run = run_traces(target, primary, layout)
        runs = len(run.gap)
        least = np.linalg.norm(run.gradients, axis=-1).min(axis=1)
        ratio = least / per_run(target.value(run.letters), runs)
    inside = run.feasible & satisfied(target.bound, run.letters, runs)
    return np.where(inside & np.isfinite(ratio), ratio, -np.inf)


class _TimeIsOver(Exception):
    """Raised out of the optimiser."""


def polish(
    target: Target, primary: TracePrimary, layout: TraceLayout, until: float = np.inf
) -> tuple[TracePrimary, float]:
    """The candidate (a batch of one) moved uphill, and its ratio; the candidate itself where that fails.
    until: value of `time.perf_counter` at which the way stops where it is."""
    best, highest = primary, float(ratio_of(target, primary, layout)[0])
    problem = _Program(target, primary, layout, _Places.of(layout))
    last = problem.start()

    def remember(z: Array) -> None:
        nonlocal last
        last = z.copy()
        if time.perf_counter() > until:
            raise _TimeIsOver

    with np.errstate(all="ignore"), suppress(_TimeIsOver):
        last = minimize(
            lambda z: problem.value(z)[0],
            last,
            jac=lambda z: problem.slope(z)[0],
            method="SLSQP",
            constraints={
                "type": "ineq",
                "fun": lambda z: problem.value(z)[1],
                "jac": lambda z: problem.slope(z)[1],
            },
            options={"maxiter": ITERATIONS, "ftol": GAIN},
            callback=remember,
        ).x
    if not np.isfinite(last).all():
        return best, highest
    for shrink in SHRINKS:
        moved = problem.primary(last[None])
        moved = replace(moved, turns=moved.turns * (1 - shrink))
        reached = float(ratio_of(target, moved, layout)[0])
        if reached > highest:
            best, highest = moved, reached
    return best, highest


@dataclass(frozen=True, eq=False)
class _Program:
    """The program in the vector z = (log ratio, logit share, log tightness, ∇f(x⁰), turns, residuals, f_1 …
    f_K, depth, log length). What z does not hold (drop, surplus, Q_i) stays as it is."""

    target: Target
    origin: TracePrimary
    layout: TraceLayout
    places: _Places
    values: dict[bytes, tuple[float, Array]] = field(default_factory=dict)
    slopes: dict[bytes, tuple[Array, Array]] = field(default_factory=dict)

    def start(self) -> Array:
        """z of the candidate, with the best values that it admits."""
        run = run_traces(self.target, self.origin, self.layout)
        scalars = self.origin.scalars
        share = scalars["share"][0]
        least = np.linalg.norm(run.gradients[0], axis=-1).min()
        return np.concatenate([
            [np.log(scalars["ratio"][0]), np.log(share / (1 - share)), np.log(scalars["tightness"][0])],
            self.origin.first[0], self.origin.turns[0].ravel(), self.origin.residuals[0, 1:].ravel(),
            run.values[0, 1:], [run.gap[0], np.log(least)],
        ])  # fmt: skip

    def primary(self, z: Float[Array, "runs variables"]) -> TracePrimary:
        """The candidates of a batch of vectors."""
        runs, d, places = len(z), self.layout.d, self.places
        z = np.nan_to_num(z, nan=0.0, posinf=FAR, neginf=-FAR)
        logs = np.clip(z[:, :3], -LARGEST_LOG, LARGEST_LOG)
        others = z[:, places.residuals].reshape(runs, self.layout.clients - 1, d)
        kept = {name: np.repeat(value, runs) for name, value in self.origin.scalars.items()}
        return TracePrimary(
            scalars=kept | {
                "ratio": np.exp(logs[:, 0]), "share": 1 / (1 + np.exp(-logs[:, 1])),
                "tightness": np.exp(logs[:, 2]),
            },
            contrast=np.repeat(self.origin.contrast, runs),
            first=z[:, places.first],
            turns=z[:, places.turns].reshape(runs, self.layout.K, d),
            residuals=np.concatenate([np.repeat(self.origin.residuals[:, :1], runs, axis=0), others], axis=1),
            bends=np.repeat(self.origin.bends, runs, axis=0),
        )  # fmt: skip

    def __call__(self, z: Float[Array, "runs variables"]) -> tuple[Array, Array]:
        """−log(length/bound), (runs,), and what must be ≥ 0, (runs, constraints)."""
        runs, places = len(z), self.places
        primary = self.primary(z)
        run = run_traces(self.target, primary, self.layout)
        depth, values = z[:, places.depth], np.concatenate([np.zeros((runs, 1)), z[:, places.values]], axis=1)
        letters = run.letters | {"f_gap": depth + per_run(run.letters["drop"], runs)}
        squares = (run.gradients**2).sum(axis=-1)
        pairs = values[:, :, None] - values[:, None] - run.differences
        off = ~np.eye(self.layout.K + 1, dtype=bool)
        constraints = [
            squares / np.exp(2 * z[:, places.length, None]) - 1,
            pairs[:, off],
            depth[:, None] + values - squares / (2 * primary.L[:, None]),
            1 - (primary.turns**2).sum(axis=-1),
            1 - (primary.residuals[:, 1:] ** 2).sum(axis=-1),
            -z[:, 2:3],
            *self._conditions(letters, runs),
        ]
        objective = np.log(per_run(self.target.value(letters), runs)) - z[:, places.length]
        return objective, np.concatenate(constraints, axis=1)

    def _conditions(self, letters, runs: int) -> list[Array]:
        """The printed conditions, scaled. Those that the setting solves cost nothing."""
        out = []
        for condition in self.target.bound.conditions:
            share = per_run(condition.bound(letters), runs) / per_run(letters[condition.variable], runs)
            if condition.comparison in ("<", "<="):
                out.append((share - 1)[:, None])
            if condition.comparison in (">", ">="):
                out.append((1 - share)[:, None])
        return out

    def value(self, z: Float[Array, " variables"]) -> tuple[float, Array]:
        """Objective and constraints at one point; the last one is kept, since both are asked for one by one."""
        key = z.tobytes()
        if key not in self.values:
            self.values.clear()
            objective, constraints = self(z[None])
            self.values[key] = float(objective[0]), constraints[0]
        return self.values[key]

    def slope(self, z: Float[Array, " variables"]) -> tuple[Array, Array]:
        """Gradient of the objective and Jacobian of the constraints, kept like `value`."""
        key = z.tobytes()
        if key not in self.slopes:
            self.slopes.clear()
            sizes = STEP * np.maximum(1.0, np.abs(z))
            disturbed = np.concatenate([z + np.diag(sizes), z - np.diag(sizes)])
            objective, constraints = self(disturbed)
            half = len(z)
            self.slopes[key] = (
                (objective[:half] - objective[half:]) / (2 * sizes),
                ((constraints[:half] - constraints[half:]) / (2 * sizes[:, None])).T,
            )
        return self.slopes[key]
