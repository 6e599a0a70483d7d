"""Which batches make Table 2(a), its curve of accuracy against noise, and the quick re-run.

K and q are not printed, so they are chosen here and recorded with every run. K = 100 is the smallest
round number for which FedAvg reaches the printed 83.43 (Algorithm 2, η₀ tuned); more rounds change
little, as 0.99^k has fallen to 0.37 by then. q is then fitted to one printed number, normalisation at ε
= 5; the other four cells are left to agree or not. `tests/gpu_benchmarks/test_linear_records.py` holds
the fit against the committed curve.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpu_benchmarks.linear import readings as printed
from gpu_benchmarks.linear.batch import Batch, every
from gpu_benchmarks.linear.federation import Lane
from gpu_benchmarks.linear.readings import Readings, noise_level

ROUNDS = 100  # K
Q = 117.0  # the constant of Theorem 3
PRIVATE = ("clip", "norm")
CURVE = (0.003, 0.006, 0.012, 0.024, 0.05, 0.1, 0.2, 0.4)
"""Noise levels s = σ / C of the curve."""
CURVE_CLIP_GRID = (125.0, 31.25, 15.625)
CURVE_STEP_GRID = (4e-3, 1e-2, 4e-2, 1e-1)


@dataclass(frozen=True)
class Plan:
    """A table: readings, K, q, seeds and the grids."""

    readings: Readings = Readings()  # noqa: RUF009 (frozen)
    rounds: int = ROUNDS
    q: float = Q
    seeds: tuple[int, ...] = (0, 1, 2)
    epsilons: tuple[float, ...] = printed.EPSILONS
    clip_grid: tuple[float, ...] = printed.CLIP_GRID
    step_grid: tuple[float, ...] = printed.STEP_GRID
    measure_every: int = 10

    def noise(self, epsilon: float) -> float:
        """s at this privacy level; 0 for ε = inf."""
        return 0.0 if epsilon == float("inf") else noise_level(epsilon, self.rounds, self.q)

    def grid(self) -> Iterable[Batch]:
        """Every cell of the printed grids, seed by seed: FedAvg, then each ε."""
        measured = every(self.rounds, self.measure_every)
        for seed in self.seeds:
            plain = tuple(Lane("fedavg", 1.0, eta0, 0.0) for eta0 in self.step_grid)
            yield Batch(self.readings, seed, plain, measured)
            for epsilon in self.epsilons:
                s = self.noise(epsilon)
                lanes = tuple(
                    Lane(method, c, eta0, s)
                    for method in PRIVATE
                    for c in self.clip_grid
                    for eta0 in self.step_grid
                )
                yield Batch(self.readings, seed, lanes, measured)

    def tuned(self, lanes: tuple[Lane, ...], seeds: tuple[int, ...]) -> Iterable[Batch]:
        """The chosen cells again, measured after every round."""
        for seed in seeds:
            yield Batch(self.readings, seed, lanes, tuple(range(1, self.rounds + 1)))


def curve(readings: Readings, rounds: int = ROUNDS, seed: int = 0) -> Batch:
    """Both private methods over a wide range of noise, on a coarse grid."""
    lanes = tuple(
        Lane(method, c, eta0, s)
        for s in CURVE
        for method in PRIVATE
        for c in CURVE_CLIP_GRID
        for eta0 in CURVE_STEP_GRID
    )
    return Batch(readings, seed, lanes, every(rounds, 25))
