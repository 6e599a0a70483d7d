"""Batched evolution: a population of candidates, all of them advanced by one array program.

Each generation keeps its best eighth and fills the rest with children: two parents mixed gene by gene, then
disturbed, with a scale and a share of genes drawn afresh for each child (from a fine polish to a jump), and
some candidates at random.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from methods import advance, initialise
from toy_problems.falsifier.genome import SCALARS, Layout, Primary, decode, sample
from toy_problems.falsifier.grid import Array
from toy_problems.falsifier.targets import Facts, Number, Target

MARGIN = 1e-6
"""How far a strict printed condition is kept from its limit, relatively."""

Evaluate = Callable[[Array], Array]
"""Genomes (runs, genes) ↦ ratios measured / bound (runs,); −inf for a candidate outside the hypotheses."""


@dataclass(frozen=True, eq=False)
class Found:
    """The best candidate of a search. instances: how many were evaluated. others: the best of each layout,
    the smallest layout first."""

    layout: Layout
    genome: Array
    ratio: float
    instances: int
    seconds: float
    others: tuple[Found, ...] = ()


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


def per_run(value: object, runs: int) -> Array:
    """A letter as one number for each run."""
    return np.broadcast_to(np.asarray(value, dtype=float), (runs,))


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


def generations_for(instances: float | int, population: int) -> int:
    """Generations after the first until `evolve` has evaluated so many candidates: an eighth of each is kept
    and not evaluated again."""
    return max(1, ceil((instances - population) / (population - population // 8)))


def evolve(
    evaluate: Evaluate,
    layout: Any,
    random: np.random.Generator,
    population: int,
    generations: int,
    draw: Callable[[Any, np.random.Generator, int], Array] = sample,
) -> Iterator[tuple[Array, float, int]]:
    """Best genome, its ratio and the number of instances evaluated so far, generation by generation.
    draw: random genomes of the layout, whose type it alone has to know."""
    genomes = draw(layout, random, population)
    ratios = evaluate(genomes)
    instances = population
    for _ in range(generations):
        order = np.argsort(-ratios, kind="stable")[: population // 8]
        parents, best = genomes[order], ratios[order]
        yield parents[0], float(best[0]), instances
        children = _children(parents, layout, random, population - len(parents), draw)
        genomes = np.concatenate([parents, children])
        ratios = np.concatenate([best, evaluate(children)])
        instances += len(children)
    first = int(np.argmax(ratios))
    yield genomes[first], float(ratios[first]), instances


def _children(parents: Array, layout: Any, random: np.random.Generator, count: int, draw) -> Array:
    size = parents.shape[1]
    one, two = (parents[(len(parents) * random.random(count) ** 2).astype(int)] for _ in range(2))
    children = np.where(random.random((count, size)) < 0.5 * (random.random((count, 1)) < 0.5), two, one)
    scale = 10.0 ** random.uniform(-4, 0.3, size=(count, 1))
    chosen = random.random((count, size)) < 10.0 ** random.uniform(-np.log10(size), 0, size=(count, 1))
    children = children + np.where(chosen, scale * random.normal(size=(count, size)), 0.0)
    fresh = random.random(count) < 0.02
    children[fresh] = draw(layout, random, int(fresh.sum()))
    return children


CLIENTS = (1, 2, 3, 5)
ROUNDS = (0, 1, 2, 3, 5, 8, 15, 35, 80)


def layouts(target: Target) -> list[Layout]:
    """Sizes that are searched, from the smallest."""
    rounds = [K for K in ROUNDS if not target.square or int((K + 1) ** 0.5) ** 2 == K + 1]
    if target.quantity == "residual":
        rounds = [1]
    return [Layout(n, K) for K in rounds for n in CLIENTS if n >= target.least_clients]


def search(
    target: Target,
    instances: int,
    seconds: float = np.inf,
    seed: int = 0,
    population: int | None = None,
    sizes: Sequence[Layout] = (),
    progress: Callable[[int, float], object] | None = None,
) -> Found:
    """Attack a bound with about `instances` candidates in at most about `seconds`, over all layouts.

    Half of the candidates are spread evenly over the layouts; the other half goes to the best three of
    them. population: of a generation, from `instances` if not given. sizes: layouts, all of `layouts` if
    not given. progress: called with the number of new instances and the best ratio.
    """
    start, best, done = time.perf_counter(), None, 0
    sizes = list(sizes) or layouts(target)
    population = population or min(2048, max(64, instances // (16 * len(sizes))))
    first = max(4, instances // (2 * population * len(sizes)))

    def attack(layout: Layout, generations: int, number: int, until: float) -> Found:
        nonlocal done
        random = np.random.default_rng((seed, number, layout.clients, layout.K))
        genome, ratio, count = np.zeros(layout.genes), -np.inf, 0
        rounds = evolve(evaluator(target, layout), layout, random, population, generations)
        for genome, ratio, total in rounds:  # noqa: B007
            done += total - count
            if progress is not None:
                progress(total - count, max(ratio, best.ratio if best else -np.inf))
            count = total
            if time.perf_counter() - start > until:
                break
        return Found(layout, genome, ratio, count, 0.0)

    results = []
    for number, layout in enumerate(sizes):
        if results and time.perf_counter() - start > seconds:
            break
        until = seconds * (number + 1) / (2 * len(sizes)) if np.isfinite(seconds) else np.inf
        results.append(attack(layout, first, 0, until))
        best = max(results, key=lambda found: found.ratio)
    leaders = sorted(results, key=lambda found: -found.ratio)[:3]
    number = 1
    while done < instances and time.perf_counter() - start < seconds:
        results.append(attack(leaders[(number - 1) % len(leaders)].layout, 2 * first, number, seconds))
        best = max(results, key=lambda found: found.ratio)
        number += 1
    assert best is not None
    by_size = sorted(results, key=lambda found: (found.layout.clients * (found.layout.K + 1), -found.ratio))
    return Found(best.layout, best.genome, best.ratio, done, time.perf_counter() - start, tuple(by_size))
