"""Candidates for Fed-α-NormEC with local steps: functions of one variable that need not be convex.

Client i holds S functions f_{i,j}; f_i is their mean. On [−J, J] each has any derivative that is linear
between the integers with slopes in [−1, 1]. Outside, each f_{i,j} goes down on the left to its least value,
at one place that all of them share, and is constant beyond it, but for dips that cancel in f: so that

    f^inf = mean of the f_{i,j} there,   f^inf − mean_i f_i^inf = spread,   f^inf − mean f_{i,j}^inf = spread + inner,

for any spread and inner ≥ 0 that one likes. Units: L = 1. A run whose local steps leave [−J, J] does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from toy_problems.falsifier.evolution import Array
from toy_problems.falsifier.grid.functions import GridOracle, Knots, sums_from_zero

SCALARS = (
    "ratio", "share", "tightness", "radius", "local", "rounds", "spread", "inner", "phase", "place", "scale", "second",
)  # fmt: skip


@dataclass(frozen=True)
class LocalLayout:
    """Sizes: M clients with S functions each; T local steps (T = S where the functions take turns); rounds
    that are run; reach J."""

    clients: int
    functions: int
    T: int
    rounds: int = 24
    reach: int = 4

    @property
    def own(self) -> int:
        """Genes of a function."""
        return 1 + 2 * self.reach

    @property
    def genes(self) -> int:
        """Length of a genome."""
        return len(SCALARS) + self.clients * (1 + self.functions * self.own)


@dataclass(frozen=True, eq=False)
class Pieces(Knots):
    """The functions on [−J, J]: base f'(0) and slopes f'', (runs, clients, functions) and (…, 2J)."""

    base: Float[Array, "runs clients functions"]
    slopes: Float[Array, "runs clients functions pieces"]

    @cached_property
    def _values(self) -> Array:
        """f − f(−J) at −J, …, J."""
        left, right = self.knots[..., :-1], self.knots[..., 1:]
        values = (left + right) @ (sums_from_zero(self.reach) / 2)
        return values - values[..., :1]

    def values(self, x: Float[Array, " runs"]) -> tuple[Array, Array]:
        """f(x) − f(−J), and the least value right of −J, − f(−J) too: (runs, clients, functions) each."""
        knots, J = self.knots, self.reach
        left, right, at = knots[..., :-1], knots[..., 1:], self._values
        dip = np.where(
            (left < 0) & (right > 0), left**2 / (2 * np.where(right > left, right - left, 1.0)), 0.0
        )
        end = at[..., -1] - np.maximum(-right[..., -1], 0.0) ** 2 / 2
        least = np.minimum(np.minimum(at.min(axis=-1), (at[..., :-1] - dip).min(axis=-1)), end)
        place = np.clip(x + J, 0, 2 * J)[:, None, None]
        piece = np.clip(np.floor(place), 0, 2 * J - 1).astype(np.intp)
        share = place - piece

        def take(table: Array) -> Array:
            index = np.broadcast_to(piece, table.shape[:-1])[..., None]
            return np.take_along_axis(table, index, axis=-1)[..., 0]

        inside = take(at[..., :-1]) + share * take(left) + share**2 / 2 * take(self.slopes)
        return inside, least

    def valley(self, length: float | None = None) -> tuple[Float[Array, " runs"], Array, Array]:
        """How each f_{i,j} goes down left of −J. Length U of the way to the bottom (enough for all if not
        given); h, the steepness of its straight part; and f(−J) − the bottom's value, at least what makes
        the bottom the least value."""
        rise = -self.knots[..., 0]
        need = -self.values(np.zeros(len(self.base)))[1]
        enough = np.maximum(rise + np.sqrt(2 * rise**2 + 4 * need), -rise).max(axis=(1, 2)) + 1
        U = enough if length is None else np.full(len(rise), length)
        width = U[:, None, None] - rise
        steep = (width - np.sqrt(np.maximum(width**2 - 4 * (rise**2 / 2 + need), 0.0))) / 2
        steep = np.maximum(steep, np.maximum(-rise, 0.0))
        return U, steep, steep * width - steep**2 - rise**2 / 2

    def gap(self, x: Float[Array, " runs"]) -> Float[Array, " runs"]:
        """f(x) − f^inf."""
        return (self.values(x)[0] + self.valley()[2]).mean(axis=(1, 2))

    def oracle(self) -> LocalOracle:
        """Gradients as `methods` asks for them."""
        knots, J = self.knots, self.reach
        one = [GridOracle(knots[:, :, j], self.slopes[:, :, j], J) for j in range(self.base.shape[2])]
        mean = GridOracle(knots.mean(axis=2), self.slopes.mean(axis=2), J) if len(one) > 1 else one[0]
        return LocalOracle(mean, one, J)


class LocalOracle:
    """∇f_i and, one at a time, ∇f_{i,j}. farthest: the largest |x| at which each client was asked."""

    def __init__(self, mean: GridOracle, one: list[GridOracle], reach: int) -> None:
        self.mean, self.one, self.reach = mean, one, reach
        self.farthest: Array | float = 0.0

    @property
    def samples(self) -> int:
        """S."""
        return len(self.one)

    def __call__(self, x: Float[Array, "runs clients 1"]) -> Float[Array, "runs clients 1"]:
        self._watch(x)
        return self.mean(x)

    def sample(self, x: Float[Array, "runs clients 1"], j: int) -> Float[Array, "runs clients 1"]:
        """∇f_{i,j}."""
        self._watch(x)
        return self.one[j](x)

    def _watch(self, x: Array) -> None:
        self.farthest = np.maximum(self.farthest, np.abs(x[..., 0]))


@dataclass(frozen=True, eq=False)
class LocalPrimary:
    """Primary quantities of B candidates, numbers of shape (runs,) but for `residual` and `pieces`.

    ratio > 0 and second > 0: α/R and a further ratio. share in (0, 1), tightness and local in (0, 1]: of
    the largest β, η and γ. radius > 0: R. rounds ≥ 0: log₁₀ of K + 1. spread > 0, inner ≥ 0. phase in (0,
    1): where x⁰ stands between the two points of a cycle, in units of η. place: where the start is searched.
    scale ≥ 1: s over its least. residual: (u_i − v_i⁰)/R in [−1, 1], of modulus 1 for one client at least.
    """

    pieces: Pieces
    residual: Float[Array, "runs clients"]
    ratio: Array
    share: Array
    tightness: Array
    radius: Array
    local: Array
    rounds: Array
    spread: Array
    inner: Array
    phase: Array
    place: Array
    scale: Array
    second: Array


def sample_local(layout: LocalLayout, random: np.random.Generator, count: int) -> Float[Array, "count genes"]:
    """Random genomes."""
    return random.normal(size=(count, layout.genes))


def decode_local(genes: Float[Array, "runs genes"], layout: LocalLayout) -> LocalPrimary:
    """The primary quantities of a batch of genomes."""
    runs, M, S = len(genes), layout.clients, layout.functions
    scalar = dict(zip(SCALARS, genes.T, strict=False))
    rest = genes[:, len(SCALARS) :]
    own = rest[:, M:].reshape(runs, M, S, layout.own)
    residual = np.clip(1.5 * rest[:, :M], -1, 1)
    largest = np.abs(residual).max(axis=1, keepdims=True)
    pieces = Pieces(base=np.clip(3 * own[..., 0], -30, 30), slopes=np.clip(1.5 * own[..., 1:], -1, 1))
    return LocalPrimary(
        pieces,
        residual=np.where(largest > 0, residual / np.where(largest > 0, largest, 1.0), 1.0),
        ratio=10.0 ** np.clip(scalar["ratio"], -6, 3),
        share=np.clip(1 / (1 + np.exp(-2 * np.clip(scalar["share"], -6, 6))), 1e-6, 1 - 1e-6),
        tightness=10.0 ** -np.clip(scalar["tightness"], 0, 8),
        radius=10.0 ** np.clip(scalar["radius"] - 1, -4, 3),
        local=10.0 ** -np.clip(scalar["local"], 0, 4),
        rounds=np.clip(3 + 2 * scalar["rounds"], 0, 9),
        spread=10.0 ** np.clip(3 * scalar["spread"] - 3, -8, 6),
        inner=np.maximum(10.0 ** np.clip(3 * scalar["inner"] - 3, -8, 6) - 1e-8, 0.0),
        phase=np.clip(0.5 + scalar["phase"] / 4, 0.01, 0.99),
        place=scalar["place"],
        scale=np.maximum(10.0 ** np.clip(scalar["scale"], -6, 6), 1.0),
        second=10.0 ** np.clip(2 * scalar["second"], -6, 6),
    )
