"""Convex candidates for DP-NormFedAvg: Huber functions of one variable, drawn clients, every draw summed.

Client i has f_i(w) = a_i t²/2 for t = |w − c_i| ≤ s_i/a_i and s_i t − s_i²/(2a_i) beyond: convex,
a_i-smooth and s_i-Lipschitz. Units: L = 1. All that is random in a noiseless run is who takes part; with few
clients and rounds every sequence of draws is run, so that an expectation is a sum and not an estimate.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from toy_problems.falsifier.evolution import Array

Law = Literal["one by one", "fixed size", "all"]
"""Each client alone with probability r/n (Algorithm 1, line 3); one client, each equally likely; everybody."""

SCALARS = ("step", "alpha", "rho", "chance", "start", "threshold", "spread")
PER_CLIENT = 3
ROUNDED = 1 - 1e-6
"""Largest share taken of a limit that must not be reached."""


@dataclass(frozen=True)
class ConvexLayout:
    """Sizes of an instance: n clients, K rounds, E local steps, and the law of the draws."""

    clients: int
    K: int
    E: int
    law: Law

    @property
    def genes(self) -> int:
        """Length of a genome."""
        return len(SCALARS) + PER_CLIENT * self.clients

    @property
    def draws(self) -> list[tuple[bool, ...]]:
        """Who may take part in a round, in the order of the table of paths."""
        if self.law == "one by one":
            return list(itertools.product((False, True), repeat=self.clients))
        if self.law == "fixed size":
            return [tuple(i == j for j in range(self.clients)) for i in range(self.clients)]
        return [(True,) * self.clients]

    @property
    def paths(self) -> Float[Array, "paths rounds clients"]:
        """Every sequence of draws over the K − 1 rounds that the output can feel; 1 where a client takes
        part."""
        sequences = list(itertools.product(self.draws, repeat=self.K - 1))
        return np.array(sequences, dtype=float).reshape(len(sequences), self.K - 1, self.clients)


@dataclass(frozen=True, eq=False)
class Huber:
    """n clients' functions for each of B instances; entries (runs, clients)."""

    curvature: Array
    slope: Array
    centre: Array

    def __call__(self, x: Float[Array, "*points d"]) -> Float[Array, "*points d"]:
        """f_i' at points (runs, paths, clients, 1)."""
        a, s, c = (v[:, None, :, None] for v in (self.curvature, self.slope, self.centre))
        return np.clip(a * (x - c), -s, s)

    def value(self, w: Float[Array, "runs paths"]) -> Float[Array, "runs paths clients"]:
        """f_i(w) − min f_i."""
        a, s, c = (v[:, None, :] for v in (self.curvature, self.slope, self.centre))
        t = np.abs(w[..., None] - c)
        return np.where(a * t <= s, a * t * t / 2, s * t - s * s / (2 * a))

    def minimiser(self) -> Float[Array, " runs"]:
        """A minimiser of the mean, whose derivative is piecewise linear between the c_i ± s_i/a_i."""
        width = self.slope / self.curvature
        knots = np.sort(np.concatenate([self.centre - width, self.centre + width], axis=1), axis=1)
        slopes = np.clip(
            self.curvature[:, None] * (knots[..., None] - self.centre[:, None]),
            -self.slope[:, None],
            self.slope[:, None],
        ).mean(axis=-1)
        right = np.maximum(np.argmax(slopes >= 0, axis=1), 1)
        rows = np.arange(len(knots))
        low, high = slopes[rows, right - 1], slopes[rows, right]
        share = np.where(high > low, -low / np.where(high > low, high - low, 1.0), 0.0)
        return knots[rows, right - 1] + np.clip(share, 0, 1) * (knots[rows, right] - knots[rows, right - 1])


@dataclass(frozen=True, eq=False)
class ConvexPrimary:
    """Primary quantities of B candidates: functions, w₀ − w*, and numbers (runs,).

    step in (0, 1]: η over its largest value. alpha ≥ 1. rho in (0, 1). r in [1, n]. threshold ≥ 0: what is
    added to the least G or Ĉ, relatively.
    """

    functions: Huber
    step: Array
    alpha: Array
    rho: Array
    r: Array
    start: Array
    threshold: Array


def sample_convex(
    layout: ConvexLayout, random: np.random.Generator, count: int
) -> Float[Array, "count genes"]:
    """Random genomes; half of them have clients with one function."""
    genes = random.normal(size=(count, layout.genes))
    own = genes[:, len(SCALARS) :].reshape(count, layout.clients, PER_CLIENT)
    same = random.random((count, 1, 1)) < 0.5
    genes[:, len(SCALARS) :] = np.where(same, own[:, :1], own).reshape(count, PER_CLIENT * layout.clients)
    return genes


def decode_convex(
    genes: Float[Array, "runs genes"], layout: ConvexLayout, common: bool = False
) -> ConvexPrimary:
    """The primary quantities of a batch of genomes. common: one minimiser for all clients."""
    count, n = len(genes), layout.clients
    scalar = dict(zip(SCALARS, genes.T, strict=False))
    own = genes[:, len(SCALARS) :].reshape(count, n, PER_CLIENT)
    spread = np.where(scalar["spread"] > 0, 10.0 ** np.clip(2 * scalar["spread"] - 2, -3, 3), 0.0)
    apart = (
        own[..., 2] - own[:, :1, 2]
    )  # the first client's centre is 0: far from it, floats would lose the gaps
    functions = Huber(
        curvature=10.0 ** np.clip(own[..., 0], -3, 0),
        slope=10.0 ** np.clip(2 * own[..., 1], -6, 3),
        centre=apart * (0.0 if common else spread[:, None]),
    )
    share = np.clip(scalar["chance"], 0, 1)
    return ConvexPrimary(
        functions,
        step=10.0 ** -np.clip(scalar["step"], 0, 4),
        alpha=10.0 ** np.clip(scalar["alpha"], 0, 4),
        rho=ROUNDED * 10.0 ** -np.clip(1 + 2 * scalar["rho"], 0, 6),
        r=np.full(count, float(n)) if layout.law == "all" else 1 + (n - 1) * share
        if layout.law == "one by one" else np.ones(count),
        start=np.sign(scalar["start"]) * 10.0 ** np.clip(3 * np.abs(scalar["start"]) - 4, -4, 4),
        threshold=np.maximum(10.0 ** np.clip(3 * scalar["threshold"], -3, 6) - 1, 0.0),
    )  # fmt: skip
