"""The search over explicit functions of two variables."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from toy_problems.falsifier.attack import Effort, Told
from toy_problems.falsifier.evolution import evolve
from toy_problems.falsifier.planar.candidates import (
    PlanarLayout,
    planar_evaluator,
    sample_planar,
)
from toy_problems.falsifier.targets import Target

ROUNDS = (0, 1, 2, 3, 5, 8, 15)
SIZES = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2))
"""(clients, pieces to a step)."""

POPULATION = 512
FRESH = POPULATION - POPULATION // 8
"""New candidates in a generation; the best eighth is kept."""


@dataclass(frozen=True, eq=False)
class FoundPlanar:
    """The best candidate. each: (layout, genome, ratio) of every size, the smallest first."""

    layout: PlanarLayout
    genome: np.ndarray
    ratio: float
    each: tuple[tuple[PlanarLayout, np.ndarray, float], ...]
    instances: int
    seconds: float


def planar_search(target: Target, effort: Effort, told: Told | None = None) -> FoundPlanar:
    """Attack a bound with about `effort.instances` candidates, or for about `effort.seconds`."""
    start, done, each = time.perf_counter(), 0, []
    rounds = [K for K in ROUNDS if not target.square or int((K + 1) ** 0.5) ** 2 == K + 1]
    layouts = [
        PlanarLayout(n, K, m)
        for K in ([1] if target.quantity == "residual" else rounds)
        for n, m in SIZES
        if n >= target.least_clients
    ]
    generations = max(4, -(-effort.instances // (FRESH * len(layouts))))
    for number, layout in enumerate(layouts):
        until = start + effort.seconds * (number + 1) / len(layouts)
        if each and time.perf_counter() > until:
            continue
        random = np.random.default_rng((effort.seed, layout.clients, layout.K, layout.fineness))
        genome, ratio, before = np.zeros(layout.genes), -np.inf, 0
        evaluate = planar_evaluator(target, layout)
        for genome, ratio, total in evolve(evaluate, layout, random, POPULATION, generations, sample_planar):  # noqa: B007
            done += total - before
            if told is not None:
                told(total - before, max([ratio, *(entry[2] for entry in each)]))
            before = total
            if time.perf_counter() > until:
                break
        each.append((layout, genome, ratio))
    layout, genome, ratio = max(each, key=lambda entry: entry[2])
    return FoundPlanar(layout, genome, ratio, tuple(each), done, time.perf_counter() - start)
