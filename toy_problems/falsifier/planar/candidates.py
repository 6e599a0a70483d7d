"""Explicit functions of two variables, one for each client: f_i(x) = φ_i(x₁) + ψ_i(x₂).

φ_i' and ψ_i' are piecewise linear between multiples of 1/m, so f_i is as smooth as its steepest piece, f^inf is
a sum of two exact minima, and clients may differ in everything. It is the family that the traces do not hold:
clients that are not one function up to quadratics. Units: γ = 1 and L_max = 1. A run of K steps stays within K
of its start.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from methods import advance, initialise
from toy_problems.falsifier.evolution import Array
from toy_problems.falsifier.genome import SCALARS, Layout, Primary, decode
from toy_problems.falsifier.grid.functions import GridFunctions
from toy_problems.falsifier.targets import MARGIN, Facts, Number, Target, per_run
from toy_problems.falsifier.traces.candidates import satisfied

AXES = 2


@dataclass(frozen=True)
class PlanarLayout:
    """Sizes: n clients, K as in the theorem, m pieces to a step's length."""

    clients: int
    K: int
    fineness: int

    @property
    def axis(self) -> Layout:
        """The layout of the functions along one axis: a grid with m times as many steps."""
        return Layout(self.clients, self.fineness * max(1, self.K))

    @property
    def genes(self) -> int:
        """Length of a genome: one for each axis, whose numbers are those of the first."""
        return AXES * self.axis.genes


@dataclass(frozen=True, eq=False)
class PlanarPrimary:
    """Primary quantities of B candidates: one `Primary` for each axis (numbers are the first's), in units of
    the grid; residuals over R, of norm ≤ 1 and 1 for one client at least, (runs, clients, 2)."""

    axes: tuple[Primary, Primary]
    residuals: Float[Array, "runs clients 2"]
    fineness: int

    @property
    def functions(self) -> tuple[GridFunctions, GridFunctions]:
        """Φ and Ψ with φ(t) = Φ(mt)/m²: the same second derivatives."""
        return self.axes[0].functions, self.axes[1].functions

    def gradients(self, x: Float[Array, "runs clients 2"]) -> Float[Array, "runs clients 2"]:
        """∇f_i at the i-th point."""
        parts = [f.oracle()(self.fineness * x[..., c : c + 1]) for c, f in enumerate(self.functions)]
        return np.concatenate(parts, axis=-1) / self.fineness

    def smoothness(self, deepened: bool) -> Float[Array, " runs"]:
        """L of f."""
        one, two = self.functions
        return np.maximum(one.smoothness(deepened), two.smoothness())

    def gap(self) -> Float[Array, " runs"]:
        """f(0) − f^inf without the depth that is added."""
        one, two = self.functions
        return -(one.lowest() + two.lowest()) / self.fineness**2


def sample_planar(
    layout: PlanarLayout, random: np.random.Generator, count: int
) -> Float[Array, "count genes"]:
    """Random genomes; half of the functions have one curvature along an axis."""
    genes = random.normal(size=(count, AXES, layout.axis.genes))
    own = genes[..., len(SCALARS) :].reshape(count, AXES, layout.clients, -1)
    plain = random.random((count, AXES, 1, 1)) < 0.5
    own[..., 3:] = np.where(plain, 2 * own[..., 3:4], own[..., 3:])
    genes[..., len(SCALARS) :] = own.reshape(count, AXES, -1)
    return genes.reshape(count, -1)


def decode_planar(genes: Float[Array, "runs genes"], layout: PlanarLayout) -> PlanarPrimary:
    """The primary quantities of a batch of genomes."""
    one, two = (decode(part, layout.axis) for part in np.split(genes, AXES, axis=1))
    own = genes.reshape(len(genes), AXES, -1)[..., len(SCALARS) :].reshape(
        len(genes), AXES, layout.clients, -1
    )
    raw = np.swapaxes(1.5 * own[..., 1], 1, 2)
    raw = raw / np.maximum(1.0, np.linalg.norm(raw, axis=-1, keepdims=True))
    largest = np.linalg.norm(raw, axis=-1).max(axis=1)[:, None, None]
    residuals = np.where(largest > 0, raw / np.where(largest > 0, largest, 1.0), np.eye(2)[0])
    return PlanarPrimary((one, two), residuals, layout.fineness)


@dataclass(frozen=True, eq=False)
class PlanarRun:
    """What came of a batch of candidates: the letters of the bound, the least ‖∇f(xᵏ)‖, the largest residual
    after one round, (runs,)."""

    letters: dict[str, Number]
    least: Float[Array, " runs"]
    residual: Float[Array, " runs"]


def run_planar(target: Target, primary: PlanarPrimary, layout: PlanarLayout) -> PlanarRun:
    """The run of every candidate through `methods.advance`."""
    runs, n = len(primary.residuals), layout.clients
    origin = primary.gradients(np.zeros((runs, n, AXES)))
    first = primary.axes[0]
    genes = {name: getattr(first, name) for name in SCALARS if name not in ("tail", "drop")}
    genes |= {"drop": first.functions.drop, "margin": MARGIN}
    L = np.maximum(primary.smoothness(target.deepened), 1e-12)
    steepness = np.linalg.norm(origin.mean(axis=1), axis=-1)
    facts = Facts(layout.K, float(np.sqrt(layout.K + 1)), n, AXES, L, primary.gap(), steepness)
    letters = target.setting(genes, facts)
    R = per_run(letters["R"], runs)[:, None, None]
    method = target.method({name: per_run(value, runs) for name, value in letters.items()})
    state = initialise(method, np.zeros((runs, AXES)), n, origin - R * primary.residuals)
    least, residual = np.full(runs, np.inf), np.zeros(runs)
    for k in range(layout.K + 1):
        local = primary.gradients(np.broadcast_to(state.x[:, None], (runs, n, AXES)))
        np.minimum(least, np.linalg.norm(local.mean(axis=1), axis=-1), out=least)
        if k == 1:
            residual = np.linalg.norm(local - state.memories, axis=-1).max(axis=1)
        if k < layout.K:
            state, _ = advance(method, state, lambda _, local=local: local)
    return PlanarRun(letters, least, residual)


def planar_evaluator(target: Target, layout: PlanarLayout):
    """Genomes ↦ measured / bound; −inf outside the conditions."""

    def evaluate(genomes: Array) -> Array:
        runs = len(genomes)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            found = run_planar(target, decode_planar(genomes, layout), layout)
            measured = found.least if target.quantity == "gradient" else found.residual
            ratio = measured / per_run(target.value(found.letters), runs)
        inside = satisfied(target.bound, found.letters, runs)
        return np.where(inside & np.isfinite(ratio), ratio, -np.inf)

    return evaluate
