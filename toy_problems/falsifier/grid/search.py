"""The search over functions of one variable: α-NormEC without noise, thousands of candidates at a time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from methods import advance, initialise
from toy_problems.falsifier.evolution import Array, Breeding, Evaluate, Found, Told, climb, sweep
from toy_problems.falsifier.genome import Layout, decode, letters_of, sample
from toy_problems.falsifier.targets import Target, per_run


def evaluator(target: Target, layout: Layout) -> Evaluate:
    """Measured / bound for a batch of genomes, noise-free, in one dimension."""

    def evaluate(genomes: Array) -> Array:
        primary = decode(genomes, layout)
        letters = letters_of(target, primary, layout)
        runs, n = len(genomes), layout.clients
        oracle = primary.functions.oracle()
        R = per_run(letters["R"], runs)
        memories = (primary.functions.base - R[:, None] * primary.residual)[..., None]
        method = target.method({k: per_run(v, runs) for k, v in letters.items()})
        state = initialise(method, np.zeros((runs, 1)), n, memories)
        measured = (
            _residual(method, state, oracle)
            if target.quantity == "residual"
            else _least_gradient(method, state, oracle, layout.K)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = measured / per_run(target.value(letters), runs)
        inside = per_run(letters["drop"], runs) >= 0
        return np.where(inside & np.isfinite(ratio), ratio, -np.inf)

    return evaluate


def _least_gradient(method, state, oracle, K: int) -> Array:
    """min over k in [0, K] of |f'(xᵏ)|."""
    least = np.full(state.x.shape[0], np.inf)
    for k in range(K + 1):
        points = np.broadcast_to(state.x[:, None, :], (state.x.shape[0], state.clients, 1))
        local = oracle(points)
        np.minimum(least, np.abs(local.mean(axis=1)[:, 0]), out=least)
        if k < K:
            state, _ = advance(method, state, lambda _, local=local: local)
    return least


def _residual(method, state, oracle) -> Array:
    """max over i of |f_i'(x¹) − g_i¹|."""
    after, _ = advance(method, state, oracle)
    points = np.broadcast_to(after.x[:, None, :], (after.x.shape[0], after.clients, 1))
    return np.abs(oracle(points) - after.memories).max(axis=(1, 2))


CLIENTS = (1, 2, 3, 5)


ROUNDS = (0, 1, 2, 3, 5, 8, 15, 35, 80)


def layouts(target: Target) -> list[Layout]:
    """Sizes that are searched, from the smallest."""
    return [Layout(n, K) for K in target.rounds(ROUNDS) for n in CLIENTS if n >= target.least_clients]


def search(
    target: Target,
    instances: int,
    seconds: float = np.inf,
    seed: int = 0,
    population: int | None = None,
    sizes: Sequence[Layout] = (),
    progress: Told | None = None,
) -> Found:
    """Attack a bound with about `instances` candidates in at most about `seconds`, over all layouts.

    Half of the candidates are spread evenly over the layouts; the other half goes to the best three of
    them. population: of a generation, from `instances` if not given. sizes: layouts, all of `layouts` if
    not given. progress: called with the number of new instances and the best ratio.
    """
    start, sizes = time.perf_counter(), list(sizes) or layouts(target)
    population = population or min(2048, max(64, instances // (16 * len(sizes))))
    first = max(4, instances // (2 * population * len(sizes)))
    breeding = Breeding(sample, partial(evaluator, target), population, first)
    found = sweep(
        breeding, [(size, (seed, 0, size.clients, size.K)) for size in sizes], seconds / 2, progress
    )
    leaders = [one.layout for one in sorted(found, key=lambda one: -one.ratio)[:3]]
    longer, number = replace(breeding, generations=2 * first), 1
    while sum(one.instances for one in found) < instances and time.perf_counter() - start < seconds:
        size = leaders[(number - 1) % len(leaders)]
        highest = max(one.ratio for one in found)
        key = (seed, number, size.clients, size.K)
        found.append(climb(longer, size, key, start + seconds, progress, highest))
        number += 1
    return Found.best(found, start, lambda one: (one.layout.clients * (one.layout.K + 1), -one.ratio))
