"""What a candidate is: real genes, and the primary quantities that they decode to.

Every primary quantity may be rounded to a rational without leaving the conditions; the rest of an instance
follows from them by exact arithmetic (`targets`). Genes are clipped where a quantity has a largest value,
so that the extremes, where worst cases live, are points of positive probability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from toy_problems.falsifier.evolution import Array
from toy_problems.falsifier.grid.functions import GridFunctions
from toy_problems.falsifier.targets import MARGIN, Facts, Number, Target

SCALARS = ("ratio", "share", "tightness", "surplus", "tail", "drop", "noise", "local", "presence", "balance")
"""Names of the genes that are one number for an instance."""


@dataclass(frozen=True)
class Layout:
    """Sizes of an instance: n clients, K as in the theorem (K + 1 iterates are watched)."""

    clients: int
    K: int

    @property
    def reach(self) -> int:
        """The furthest that K steps of length 1 lead, at least 1."""
        return max(1, self.K)

    @property
    def genes(self) -> int:
        """Length of a genome."""
        return len(SCALARS) + self.clients * (3 + 2 * self.reach)


@dataclass(frozen=True, eq=False)
class Primary:
    """Primary quantities of B candidates, in units of γ = L_max = 1.

    ratio: α/R > 0. share: β/(its largest value) in (0, 1). tightness: γ/(its largest value) in (0, 1].
    surplus ≥ 0. noise: the size of σ, > 0. local: the local step over its largest value, in (0, 1].
    presence: p in (0, 1]. balance ≥ 0: Δ^inf beyond its least. residual: (∇f_i(x⁰) − g_i⁰)/R in [−1, 1], of
    modulus 1 for one client at least. functions: the clients'.
    """

    ratio: Float[Array, " runs"]
    share: Float[Array, " runs"]
    tightness: Float[Array, " runs"]
    surplus: Float[Array, " runs"]
    noise: Float[Array, " runs"]
    local: Float[Array, " runs"]
    presence: Float[Array, " runs"]
    balance: Float[Array, " runs"]
    residual: Float[Array, "runs clients"]
    functions: GridFunctions


def sample(layout: Layout, random: np.random.Generator, count: int) -> Float[Array, "count genes"]:
    """Random genomes. Half of them have one curvature for each client: independent pieces of a long
    function average out."""
    genes = random.normal(size=(count, layout.genes))
    own = genes[:, len(SCALARS) :].reshape(count, layout.clients, 3 + 2 * layout.reach)
    plain = random.random((count, 1, 1)) < 0.5
    own[..., 3:] = np.where(plain, 2 * own[..., 3:4], own[..., 3:])
    genes[:, len(SCALARS) :] = own.reshape(count, layout.genes - len(SCALARS))
    return genes


def decode(genes: Float[Array, "runs genes"], layout: Layout) -> Primary:
    """The primary quantities of a batch of genomes."""
    count, n = len(genes), layout.clients
    scalar = dict(zip(SCALARS, genes.T, strict=False))
    rest = genes[:, len(SCALARS) :].reshape(count, n, 3 + 2 * layout.reach)
    size = 10.0 ** np.clip(rest[..., 0], -3, 0)
    size = size / size.max(axis=1, keepdims=True)
    residual = np.clip(1.5 * rest[..., 1], -1, 1)
    largest = np.abs(residual).max(axis=1, keepdims=True)
    residual = np.where(largest > 0, residual / np.where(largest > 0, largest, 1.0), 1.0)
    functions = GridFunctions(
        base=np.sign(rest[..., 2]) * (10.0 ** np.clip(2 * np.abs(rest[..., 2]), 0, 6) - 1),
        slopes=np.clip(1.5 * rest[..., 3:], -1, 1) * size[..., None],
        tails=size * (10.0 ** np.clip(scalar["tail"], -2, 0))[:, None],
        drop=np.maximum(10.0 ** np.clip(3 * scalar["drop"], -6, 6) - 1, 0.0),
    )
    return Primary(
        ratio=10.0 ** np.clip(2 * scalar["ratio"], -6, 6),
        share=np.clip(1 / (1 + np.exp(-4 * np.clip(scalar["share"], -4, 4))), 1e-6, 1 - 1e-6),
        tightness=10.0 ** -np.clip(scalar["tightness"], 0, 6),
        surplus=np.maximum(10.0 ** np.clip(2 * scalar["surplus"], -6, 6) - 1, 0.0),
        noise=10.0 ** np.clip(scalar["noise"] - 1, -6, 6),
        local=10.0 ** -np.clip(scalar["local"], 0, 3),
        presence=10.0 ** -np.clip(scalar["presence"], 0, 2),
        balance=np.maximum(10.0 ** np.clip(3 * scalar["balance"], -6, 6) - 1, 0.0),
        residual=residual,
        functions=functions,
    )


def letters_of(target: Target, primary: Primary, layout: Layout, d: int = 1) -> dict[str, Number]:
    """The values of the bound's letters for a batch of candidates."""
    functions = primary.functions
    genes = {name: getattr(primary, name) for name in SCALARS if name not in ("tail", "drop")}
    genes |= {"drop": functions.drop, "margin": MARGIN}
    root = float(np.sqrt(layout.K + 1))
    L, steepness = (
        np.maximum(functions.smoothness(target.deepened), 1e-12),
        np.abs(functions.base.mean(axis=1)),
    )
    facts = Facts(layout.K, root, layout.clients, d, L, -functions.lowest(), steepness)
    return target.setting(genes, facts)
