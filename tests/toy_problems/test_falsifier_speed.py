"""Instances a second of each kind of search, beside the floor: what one round has to read, write and compute.

The floor counts passes over the state of a round (runs × seeds or draws × clients × coordinates, float64; a
pass reads or writes some 16 bytes an element and does one operation) and takes each at the speed that this
machine has for a cached array operation, measured here. What is above it is scattered reads of the functions'
tables, the interpreter between array operations, and decoding the candidates.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from toy_problems.falsifier.convex import search as convex_search
from toy_problems.falsifier.convex.candidates import ConvexLayout, sample_convex
from toy_problems.falsifier.convex.targets import CONVEX
from toy_problems.falsifier.expectation import search as expectation
from toy_problems.falsifier.genome import Layout, sample
from toy_problems.falsifier.grid import search as evolution
from toy_problems.falsifier.local import search as local_search
from toy_problems.falsifier.local.candidates import LocalLayout, sample_local
from toy_problems.falsifier.local.targets import LOCAL
from toy_problems.falsifier.targets import DETERMINISTIC, RANDOM

GRADIENT, ROUND = 6, 10
"""Passes for a gradient (place, piece, two look-ups, product, sum) and for the rest of a round (difference, size,
quotient, product, memory, mean, server, step, |f'|, minimum)."""

SEEDS = 16


@dataclass(frozen=True)
class Kind:
    """A search: its evaluator, its genomes, and the passes over float64 that an instance needs in all."""

    evaluate: Callable[[np.ndarray], np.ndarray]
    genomes: np.ndarray
    rounds: int
    passes_of_a_round: int


def grid() -> Kind:
    layout = Layout(2, 8)
    genomes = sample(layout, np.random.default_rng(0), 8192)
    evaluate = evolution.evaluator(DETERMINISTIC["NEC-T1"], layout)
    return Kind(evaluate, genomes, layout.K + 1, layout.clients * (GRADIENT + ROUND))


def local() -> Kind:
    """The search of the start is counted as rounds of gradients alone."""
    layout = LocalLayout(2, 1, 2)
    genomes = sample_local(layout, np.random.default_rng(0), 4096)
    start = local_search.HALVINGS * layout.T * GRADIENT // layout.rounds
    passes = layout.clients * ((layout.T + 1) * GRADIENT + ROUND + start)
    return Kind(local_search.local_evaluator(LOCAL["FED-R2"], layout), genomes, layout.rounds + 1, passes)


def convex() -> Kind:
    layout = ConvexLayout(2, 3, 3, "one by one")
    genomes = sample_convex(layout, np.random.default_rng(0), 4096)
    evaluate = convex_search.convex_evaluator(CONVEX["DAS-T4a"], layout)
    passes = len(layout.paths) * layout.clients * (layout.E * GRADIENT + ROUND)
    return Kind(evaluate, genomes, layout.K, passes)


def noisy() -> Kind:
    layout, setting = Layout(2, 15), expectation.Setting(RANDOM["NEC-T2-APP"], 100_000, "per coordinate")
    genomes = sample(layout, np.random.default_rng(0), 1024)
    evaluate = expectation.evaluator(setting, layout, SEEDS)
    passes = SEEDS * layout.clients * setting.coordinates * (GRADIENT + ROUND + 2)
    return Kind(evaluate, genomes, layout.K + 1, passes)


def seconds_of_a_pass() -> float:
    """For one element: the best of many sums of cached arrays."""
    a, b, best = np.ones(50_000), np.ones(50_000), np.inf
    for _ in range(200):
        start = time.perf_counter()
        np.add(a, b, out=a)
        best = min(best, time.perf_counter() - start)
    return best / a.size


@pytest.mark.parametrize("kind", [grid, local, convex, noisy], ids=lambda kind: kind.__name__)
def test_benchmark_of_a_search(benchmark, kind):
    work = kind()
    ratios = benchmark(work.evaluate, work.genomes)
    assert ratios.shape == (len(work.genomes),)
    assert (ratios > 0).any(), "no candidate is inside the conditions"
    if benchmark.stats is None:  # --benchmark-disable
        return
    rate = len(work.genomes) / benchmark.stats.stats.min
    floor = 1 / (seconds_of_a_pass() * work.rounds * work.passes_of_a_round)
    benchmark.extra_info |= {
        "instances a second": round(rate),
        "floor, instances a second": round(floor),
        "times the floor": round(floor / rate, 1),
        "bytes of one round of an instance": 16 * work.passes_of_a_round,
        "operations of one round of an instance": work.passes_of_a_round,
        "rounds": work.rounds,
    }
    print(f"\n{kind.__name__}: {benchmark.extra_info}")
