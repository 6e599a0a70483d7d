"""The search for DP-NormFedAvg: batches of convex candidates through `methods.advance`, every draw summed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from methods import advance, initialise
from toy_problems.falsifier.convex.candidates import ConvexLayout, ConvexPrimary, decode_convex, sample_convex
from toy_problems.falsifier.convex.targets import ConvexTarget, Letters, Trace, letters_of_convex, observed
from toy_problems.falsifier.evolution import Array, Breeding, Found, Told, sweep

SMALLEST_UPDATE = 1e-9
"""Relative to the largest slope; where an update is smaller, norm(u, C) is decided by rounding."""


@dataclass(frozen=True, eq=False)
class Draws:
    """Randomness whose participants are the prescribed ones (paths, rounds, clients), and whose noise is 0."""

    paths: Array

    def uniforms(self, round: int, runs: tuple[int, ...], clients: int, like: Array) -> Array:
        """0 for those who take part and almost 1 for the others, (1, paths, clients)."""
        return np.where(self.paths[None, :, round] > 0, 0.0, np.nextafter(1.0, 0.0))

    def client_normals(self, round: int, runs: tuple[int, ...], clients: int, d: int, like: Array) -> Array:
        """Zeros: the runs are without noise."""
        return np.zeros((1, 1, clients, d))

    def server_normals(self, round: int, runs: tuple[int, ...], d: int, like: Array) -> Array:
        """Zeros."""
        return np.zeros((1, 1, d))


def trace_of(target: ConvexTarget, primary: ConvexPrimary, layout: ConvexLayout) -> tuple[Trace, Letters]:
    """Runs of all candidates along all sequences of draws."""
    f, paths = primary.functions, layout.paths
    star = f.minimiser()
    runs, S, n = len(star), len(paths), layout.clients
    Delta = f.value(star[:, None])[:, 0]
    letters = letters_of_convex(target, primary, layout, Delta)
    chance = np.ones((runs, S)) / (n ** (layout.K - 1) if layout.law == "fixed size" else 1)
    if layout.law == "one by one":
        share, present = (primary.r / n)[:, None], paths.sum(axis=(1, 2))
        chance = share**present * (1 - share) ** ((layout.K - 1) * n - present)
    method = target.method(layout, letters["eta"][:, None], letters["C"][:, None], letters["r"][:, None])
    state = initialise(method, np.broadcast_to((star + primary.start)[:, None, None], (runs, S, 1)), n)
    sizes, gaps = [], []
    for _ in range(layout.K):
        gaps.append(f.value(state.x[..., 0]) - Delta[:, None])
        if len(sizes) < layout.K - 1:
            state, told = advance(method, state, f, Draws(paths))
            sizes.append(np.abs(told.updates[..., 0]))
        else:
            points = np.broadcast_to(state.x[..., None, :], (runs, S, n, 1))
            sizes.append(np.abs(method.local_work(points, f)[..., 0]))
    trace = Trace(chance, np.stack(sizes, axis=2), np.stack(gaps, axis=2), Delta)
    return trace, letters


def convex_evaluator(target: ConvexTarget, layout: ConvexLayout) -> Callable[[Array], Array]:
    """Genomes ↦ measured / bound; −inf outside the hypotheses and where an update vanishes."""

    def evaluate(genomes: Array) -> Array:
        primary = decode_convex(genomes, layout, target.common)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            trace, letters = trace_of(target, primary, layout)
            letters |= observed(target, trace, letters)
            ratio = target.measured(trace, letters) / target.bound.value(
                **{name: letters[name] for name in target.bound.parameters}
            )
        least = SMALLEST_UPDATE * primary.functions.slope.max(axis=1)
        inside = (
            trace.size.min(axis=(1, 2, 3)) > least if target.operator == "norm" else np.ones(len(ratio), bool)
        )
        for condition in target.bound.conditions:
            inside = inside & np.asarray(condition.holds(letters))
        return np.where(inside & np.isfinite(ratio), ratio, -np.inf)

    return evaluate


PATHS = 64
"""At most so many sequences of draws are run for a candidate."""


def convex_layouts(target: ConvexTarget) -> list[ConvexLayout]:
    """Sizes that are searched, from the smallest."""
    found = [
        ConvexLayout(n, K, E, law)
        for law in target.laws
        for K in ((2, 3, 4) if law != "all" else (2, 16))
        for n in (1, 2, 3)
        for E in (1, 3)
        if not (law != "all" and n == 1)
    ]
    return [layout for layout in found if len(layout.draws) ** (layout.K - 1) <= PATHS]


RESTARTS = 3
"""Evolutions of each layout: one of them may settle where every update is cut."""


def convex_search(
    target: ConvexTarget,
    instances: int,
    seconds: float = np.inf,
    seed: int = 0,
    sizes: Sequence[ConvexLayout] = (),
    progress: Told | None = None,
) -> Found:
    """Attack a bound with about `instances` candidates in at most about `seconds`, evenly over the layouts."""
    start = time.perf_counter()
    attacks = [
        (layout, (seed, again, layout.clients, layout.K, layout.E, len(layout.draws)))
        for layout in list(sizes) or convex_layouts(target)
        for again in range(RESTARTS)
    ]
    population = min(1024, max(64, instances // (16 * len(attacks))))
    generations = max(4, instances // (population * len(attacks)) * 8 // 7 + 1)
    breeding = Breeding(sample_convex, partial(convex_evaluator, target), population, generations)
    found = sweep(breeding, attacks, seconds, progress)
    return Found.best(found, start, lambda one: (one.layout.clients, one.layout.K, one.layout.E))
