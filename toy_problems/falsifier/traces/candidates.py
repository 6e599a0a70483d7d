"""Candidates that are traces: the gradients that a run of α-NormEC sees in d dimensions, and nothing else.

The gradients are the candidate; `methods.advance` makes the points of them; `interpolation` says whether an
L-smooth function has these gradients there, and how little f(x⁰) − f^inf need be. With one client (or n alike)
this is the whole class of the theorems. Client i has

    f_i(x) = f(x) + ⟨a_i, x⟩ + ½⟨x, Q_i x⟩,   Σ a_i = 0,   Σ Q_i = 0,   ‖Q_i‖ ≤ c,   f (1 − c)-smooth,

so L_max = 1. A method with memories does not feel the a_i: a memory is given by its residual ∇f_i(x⁰) − g_i⁰.
Units: γ = 1 and L_max = 1. The run may be rotated, so the first client's residual is R e₁.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float

from bounds.statement import Bound
from methods import advance, initialise
from toy_problems.falsifier import targets as settings
from toy_problems.falsifier.evolution import Array
from toy_problems.falsifier.genome import SCALARS
from toy_problems.falsifier.targets import DETERMINISTIC, MARGIN, Facts, Number, Target, per_run
from toy_problems.falsifier.traces.interpolation import gap, highest_values, least_differences

ATTACKED = (
    "NEC-T1", "NEC-L2", "NEC-C1", "NEC-C1 (repaired)", "NEC-EQ12", "NEC-EQ12@equality", "NEC-OUR-T1-WIDE", "NEC-OUR-T1-ROOT",
    "NEC-OUR-T1-SHARP", "NEC-OUR-T1-SHARP-ROOT", "NEC-OUR-T1-FORGETS", "NEC-OUR-T1-CONTRACTS", "FED-R1",
)  # fmt: skip
SLACK = 1e-9
"""Relative; a condition that holds with equality is not lost to rounding. The exact replay has no slack."""

_DIRECT = {"NEC-C1 (repaired)": settings.corollary1}
"""Settings that need f's depth before the run is known are replaced by the printed one; the extra condition
then decides."""

TARGETS = {
    name: replace(target, setting=_DIRECT.get(name, target.setting), least_clients=1)
    for name, target in DETERMINISTIC.items()
    if name in ATTACKED
}
"""The bounds that are attacked with traces."""


@dataclass(frozen=True)
class TraceLayout:
    """Sizes: n clients, K as in the theorem, d dimensions."""

    clients: int
    K: int
    d: int

    @property
    def genes(self) -> int:
        """Length of a genome: numbers, contrast, size and direction of ∇f(x⁰), turns, residuals, Q_i."""
        return len(SCALARS) + 3 + self.d * (1 + self.K + self.clients - 1) + self.d**2 * (self.clients - 1)


@dataclass(frozen=True, eq=False)
class TracePrimary:
    """Primary quantities of B candidates.

    scalars: those of `genome.Primary`, by name, (runs,). contrast (c): in [0, 1), (runs,). first: ∇f(x⁰).
    turns: (∇f(xᵏ⁺¹) − ∇f(xᵏ))/L, of norm ≤ 1, (runs, K, d). residuals: over R, of norm ≤ 1 and the first
    client's is e₁, (runs, clients, d). bends: Q_i/c, (runs, clients, d, d).
    """

    scalars: dict[str, Array]
    contrast: Float[Array, " runs"]
    first: Float[Array, "runs d"]
    turns: Float[Array, "runs rounds d"]
    residuals: Float[Array, "runs clients d"]
    bends: Float[Array, "runs clients d d"]

    @property
    def L(self) -> Float[Array, " runs"]:
        """f's smoothness."""
        return 1 - self.contrast

    def gradients(self) -> Float[Array, "runs points d"]:
        """∇f(xᵏ), k = 0, …, K."""
        steps = np.concatenate([self.first[:, None], self.L[:, None, None] * self.turns], axis=1)
        return np.cumsum(steps, axis=1)


def sample_traces(
    layout: TraceLayout, random: np.random.Generator, count: int
) -> Float[Array, "count genes"]:
    """Random genomes; half of them turn the same way in every round."""
    genes = random.normal(size=(count, layout.genes))
    start = len(SCALARS) + 3 + layout.d
    turns = genes[:, start : start + layout.K * layout.d].reshape(count, layout.K, layout.d)
    same = random.random((count, 1, 1)) < 0.5
    genes[:, start : start + layout.K * layout.d] = np.where(same, turns[:, :1], turns).reshape(count, -1)
    return genes


def decode_traces(genes: Float[Array, "runs genes"], layout: TraceLayout) -> TracePrimary:
    """The primary quantities of a batch of genomes."""
    count, n, K, d = len(genes), layout.clients, layout.K, layout.d
    raw = dict(zip(SCALARS, genes.T, strict=False))
    size, calm, contrast, *_ = genes[:, len(SCALARS) : len(SCALARS) + 3].T
    rest = genes[:, len(SCALARS) + 3 :]
    direction, turns, others, bends = np.split(rest, np.cumsum([d, K * d, (n - 1) * d]), axis=1)
    length = np.linalg.norm(direction, axis=1, keepdims=True)
    bends = bends.reshape(count, n - 1, d, d)
    bends = bends + np.swapaxes(bends, -1, -2)
    bends = np.concatenate([bends, -bends.sum(axis=1, keepdims=True)], axis=1) if n > 1 else np.zeros(
        (count, 1, d, d)
    )  # fmt: skip
    largest = np.abs(np.linalg.eigvalsh(bends)).max(axis=(1, 2)) if n > 1 else np.ones(count)
    own = _into_ball(1.5 * others.reshape(count, n - 1, d))
    e1 = np.zeros((count, 1, d))
    e1[..., 0] = 1
    calm = 10.0 ** -np.clip(calm, 0, 6)
    return TracePrimary(
        scalars={
            "ratio": 10.0 ** np.clip(2 * raw["ratio"], -6, 6),
            "share": np.clip(1 / (1 + np.exp(-4 * np.clip(raw["share"], -4, 4))), 1e-6, 1 - 1e-6),
            "tightness": 10.0 ** -np.clip(raw["tightness"], 0, 6),
            "surplus": np.maximum(10.0 ** np.clip(2 * raw["surplus"], -6, 6) - 1, 0.0),
            "drop": np.maximum(10.0 ** np.clip(3 * raw["drop"], -6, 6) - 1, 0.0),
            "local": 10.0 ** -np.clip(raw["local"], 0, 3),
            "presence": np.ones(count),
            "balance": np.zeros(count),
            "noise": np.ones(count),
        },
        contrast=np.clip(contrast, 0, 0.95) if n > 1 else np.zeros(count),
        first=direction / np.where(length > 0, length, 1.0) * (10.0 ** np.clip(2 * size, -5, 5))[:, None],
        turns=_into_ball(1.5 * turns.reshape(count, K, d)) * calm[:, None, None],
        residuals=np.concatenate([e1, own], axis=1),
        bends=bends / np.where(largest > 0, largest, 1.0)[:, None, None, None],
    )


def _into_ball(vectors: Array) -> Array:
    return vectors / np.maximum(1.0, np.linalg.norm(vectors, axis=-1, keepdims=True))


@dataclass(frozen=True, eq=False)
class TraceRun:
    """What came of a batch of candidates.

    letters: of the bound, f's depth included. points (runs, K + 1, d). residual: the largest after one round.
    feasible: whether functions with these gradients exist.
    """

    letters: dict[str, Number]
    points: Float[Array, "runs points d"]
    gradients: Float[Array, "runs points d"]
    differences: Float[Array, "runs points points"]
    values: Float[Array, "runs points"]
    gap: Float[Array, " runs"]
    residual: Float[Array, " runs"]
    feasible: Bool[Array, " runs"]


def run_traces(target: Target, primary: TracePrimary, layout: TraceLayout) -> TraceRun:
    """The run of every candidate through `methods.advance`, and its function."""
    runs, n, d = len(primary.contrast), layout.clients, layout.d
    gradients, L = primary.gradients(), primary.L
    genes = primary.scalars | {"margin": MARGIN}
    root = float(np.sqrt(layout.K + 1))
    steepness = np.linalg.norm(primary.first, axis=1)
    letters = target.setting(genes, Facts(layout.K, root, n, d, L, np.zeros(runs), steepness))
    method = target.method({name: per_run(value, runs) for name, value in letters.items()})
    R, bends = per_run(letters["R"], runs), primary.contrast[:, None, None, None] * primary.bends
    state = initialise(
        method, np.zeros((runs, d)), n, gradients[:, :1] - R[:, None, None] * primary.residuals
    )
    points, residual = [], np.zeros(runs)
    for k in range(layout.K + 1):
        local = gradients[:, None, k] + (bends @ state.x[:, None, :, None])[..., 0]
        points.append(state.x)
        if k == 1:
            residual = np.linalg.norm(local - state.memories, axis=-1).max(axis=1)
        if k < layout.K:
            state, _ = advance(method, state, lambda _, local=local: local)
    visited = np.stack(points, axis=1)
    differences = least_differences(visited, gradients, L)
    if layout.K == 0:
        values, feasible = np.zeros((runs, 1)), np.ones(runs, dtype=bool)
    else:
        values, feasible = highest_values(differences)
    depth = gap(values, gradients, L)
    letters = target.setting(genes, Facts(layout.K, root, n, d, L, depth, steepness))
    return TraceRun(letters, visited, gradients, differences, values, depth, residual, feasible)


def trace_evaluator(target: Target, layout: TraceLayout):
    """Genomes ↦ measured / bound; −inf where no function has the gradients and outside the conditions."""

    def evaluate(genomes: Array) -> Array:
        runs = len(genomes)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            found = run_traces(target, decode_traces(genomes, layout), layout)
            measured = found.residual
            if target.quantity == "gradient":
                measured = np.linalg.norm(found.gradients, axis=-1).min(axis=1)
            ratio = measured / per_run(target.value(found.letters), runs)
            inside = found.feasible & satisfied(target.bound, found.letters, runs)
        return np.where(inside & np.isfinite(ratio), ratio, -np.inf)

    return evaluate


def satisfied(bound: Bound, letters: dict[str, Number], runs: int) -> Bool[Array, " runs"]:
    """Whether the printed conditions hold, up to SLACK."""
    inside = per_run(letters["drop"], runs) >= 0
    for condition in bound.conditions:
        value = per_run(letters[condition.variable], runs)
        limit = per_run(condition.bound(letters), runs)
        if condition.comparison in ("<", "<=", "=="):
            inside = inside & (value <= limit * (1 + SLACK))
        if condition.comparison in (">", ">=", "=="):
            inside = inside & (value >= limit * (1 - SLACK))
    return inside
