"""Bounds on an expectation: min over k of E‖∇f(xᵏ)‖, attacked by search and decided by confidence sequences.

The clients' functions act on the first of d coordinates; the noise acts on all of them, and so the server's direction feels
the dimension. The search works with averages over a few seeds that all candidates share. Its best candidate is then run with
fresh seeds: ‖∇f(xᵏ)‖ lies in [|f'(0)| − Lk, |f'(0)| + Lk] (steps have length 1), hence a confidence sequence for each k, at
an error that is divided among all k and all tests. The bound is broken when every one of the lower ends lies above it; a second,
four times longer run with other seeds has to confirm it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from methods import advance, initialise
from methods.randomness import Keyed
from toy_problems.falsifier.confidence import Sequence
from toy_problems.falsifier.evolution import Found, evolve, letters_of, per_run
from toy_problems.falsifier.genome import Layout, decode
from toy_problems.falsifier.grid import Array
from toy_problems.falsifier.targets import Target

Reading = Literal["per coordinate", "whole vector"]
READINGS: tuple[Reading, ...] = ("per coordinate", "whole vector")
"""What the printed σ is: the standard deviation of each coordinate, or √E‖z‖² of the vector."""

FAMILY_ERROR = 1e-6
"""Probability that any statement of a whole run of the falsifier is wrong by chance."""

SEARCH_SEEDS, FIRST_SEEDS, SECOND_SEEDS = 0, 10**6, 10**9
"""Where the seeds of the search, of the first test and of the longer rerun begin: they never meet."""

ENTRIES = 2_000_000
"""Size of the arrays (candidates × seeds × clients × d) that are advanced at once."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Confidence interval of min over k of E‖∇f(xᵏ)‖ divided by the bound, from `samples` runs with seeds from `seed`."""

    samples: int
    seed: int
    low: float
    high: float
    mean: float

    @property
    def broken(self) -> bool:
        """Whether the bound is broken with confidence."""
        return self.low > 1.0


def gradients(
    target: Target, genomes: Array, layout: Layout, d: int, reading: Reading, seeds: Array
) -> tuple[Array, dict[str, Array]]:
    """|f'(xᵏ)| of every run, (candidates, seeds, K + 1), and the letters of the candidates."""
    primary = decode(genomes, layout)
    runs, n, S = len(genomes), layout.clients, len(seeds)
    letters = {
        name: per_run(value, runs)[:, None]
        for name, value in letters_of(
            target, primary, layout, d if reading == "per coordinate" else 1
        ).items()
    }
    std = letters["sigma"] if reading == "per coordinate" else letters["sigma"] / np.sqrt(d)
    oracle = primary.functions.oracle()
    memories = np.zeros((runs, 1, n, d))
    memories[..., 0] = (primary.functions.base - letters["R"] * primary.residual)[:, None]
    method = target.method({**letters, "std": std})
    state = initialise(method, np.zeros((runs, S, d)), n, memories)
    randomness, trace = Keyed(np.asarray(seeds)[None, :]), np.empty((runs, S, layout.K + 1))
    for k in range(layout.K + 1):
        points = np.broadcast_to(state.x[..., None, :], (runs, S, n, d))
        local = oracle(points)
        trace[..., k] = np.abs(local[..., 0].mean(axis=-1))
        if k < layout.K:
            state, _ = advance(method, state, lambda _, local=local: local, randomness)
    return trace, letters


def evaluator(
    target: Target, layout: Layout, d: int, reading: Reading, seeds: int
) -> Callable[[Array], Array]:
    """Genomes ↦ min over k of the mean over seeds, divided by the bound."""
    numbers = SEARCH_SEEDS + np.arange(seeds)
    some = max(1, ENTRIES // (seeds * layout.clients * d))

    def evaluate(genomes: Array) -> Array:
        ratios = []
        for start in range(0, len(genomes), some):
            trace, letters = gradients(target, genomes[start : start + some], layout, d, reading, numbers)
            measured = trace.mean(axis=1).min(axis=-1)
            ratio = measured / per_run(np.squeeze(target.value(letters)), len(measured))
            ratios.append(np.where(letters["drop"][:, 0] >= 0, ratio, -np.inf))
        return np.concatenate(ratios)

    return evaluate


def search(
    target: Target, d: int, reading: Reading, instances: int, seconds: float, seed: int = 0,
    known: tuple[Found, ...] = (), progress: Callable[[int, float], object] | None = None,
) -> Found:  # fmt: skip
    """Attack an expectation bound in d dimensions. known: candidates of other dimensions to start from."""
    start, done, results = time.perf_counter(), 0, []
    seeds, population = (32, 256) if d < 100 else (16, 32) if d < 10_000 else (8, 16)
    sizes = [
        Layout(n, K) for n, K in ((1, 3), (2, 3), (1, 15), (2, 15), (2, 35)) if n >= target.least_clients
    ]
    sizes = list(dict.fromkeys(found.layout for found in known)) or sizes
    for number, layout in enumerate(sizes):
        random = np.random.default_rng((seed, d, layout.clients, layout.K))
        evaluate = evaluator(target, layout, d, reading, seeds)
        given = [found.genome for found in known if found.layout == layout]
        generations, count = max(1, instances // (population * len(sizes))), 0
        genome, ratio = np.zeros(layout.genes), -np.inf
        for genome, ratio, total in evolve(evaluate, layout, random, population, generations, given):
            done += total - count
            if progress is not None:
                progress(total - count, ratio)
            count = total
            if time.perf_counter() - start > seconds * (number + 1) / len(sizes):
                break
        results.append(Found(layout, genome, ratio, count, 0.0))
    best = max(results, key=lambda found: found.ratio)
    return Found(best.layout, best.genome, best.ratio, done, time.perf_counter() - start, tuple(results))


def estimate(
    target: Target, found: Found, d: int, reading: Reading, samples: int, seed: int, tests: int
) -> Estimate:
    """The confidence interval of one candidate's ratio after `samples` runs, at FAMILY_ERROR shared by `tests` tests."""
    layout, genomes = found.layout, found.genome[None]
    functions = decode(genomes, layout).functions
    start, steps = abs(float(functions.base.mean())), np.arange(layout.K + 1)
    L = float(functions.smoothness()[0])
    sequence = Sequence(
        np.maximum(start - L * steps, 0.0), start + L * steps, FAMILY_ERROR / (tests * (layout.K + 1))
    )
    some, letters, total = max(1, ENTRIES // (layout.clients * d)), {}, np.zeros(layout.K + 1)
    for first in range(0, samples, some):
        seeds = seed + np.arange(first, min(samples, first + some))
        trace, letters = gradients(target, genomes, layout, d, reading, seeds)
        sequence, total = sequence.after(trace[0]), total + trace[0].sum(axis=0)
    low, high = sequence.interval()
    bound = float(np.squeeze(target.value(letters)))
    return Estimate(
        samples,
        seed,
        float(low.min()) / bound,
        float(high.min()) / bound,
        float(total.min()) / samples / bound,
    )
