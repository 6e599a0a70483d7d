"""The search over explicit functions of two variables."""

from __future__ import annotations

import time
from functools import partial

from toy_problems.falsifier.attack import Effort
from toy_problems.falsifier.evolution import Breeding, Found, Told, sweep
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


def planar_search(target: Target, effort: Effort, told: Told | None = None) -> Found:
    """Attack a bound with about `effort.instances` candidates, or for about `effort.seconds`."""
    start = time.perf_counter()
    layouts = [
        PlanarLayout(n, K, m) for K in target.rounds(ROUNDS) for n, m in SIZES if n >= target.least_clients
    ]
    generations = max(4, -(-effort.instances // (FRESH * len(layouts))))
    breeding = Breeding(sample_planar, partial(planar_evaluator, target), POPULATION, generations)
    attacks = [(one, (effort.seed, one.clients, one.K, one.fineness)) for one in layouts]
    return Found.best(sweep(breeding, attacks, effort.seconds, told), start)
