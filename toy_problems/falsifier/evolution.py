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

Array = np.ndarray

Evaluate = Callable[[Array], Array]
"""Genomes (runs, genes) ↦ ratios measured / bound (runs,); −inf for a candidate outside the hypotheses."""


Told = Callable[[int, float], object]
"""Told the number of new instances and the best ratio so far."""


@dataclass(frozen=True, eq=False)
class Found:
    """The best candidate of a search, or of one evolution. instances: how many were evaluated. each: the best
    of every evolution of the search."""

    layout: Any
    genome: Array
    ratio: float
    instances: int
    seconds: float = 0.0
    each: tuple[Found, ...] = ()

    @classmethod
    def best(cls, each: list[Found], start: float, size: Callable[[Found], Any] | None = None) -> Found:
        """The best of the evolutions of a search that began at `start` by `time.perf_counter`. size: what the
        evolutions are ordered by, from the smallest; as they are if not given."""
        top = max(each, key=lambda found: found.ratio)
        ordered = tuple(sorted(each, key=size) if size else each)
        instances = sum(found.instances for found in each)
        return cls(top.layout, top.genome, top.ratio, instances, time.perf_counter() - start, ordered)


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
    draw: Callable[[Any, np.random.Generator, int], Array],
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


@dataclass(frozen=True)
class Breeding:
    """How candidates of a layout are made and judged: random genomes, `evaluate` of a layout, the size of a
    generation and the number of generations."""

    draw: Callable[[Any, np.random.Generator, int], Array]
    evaluator: Callable[[Any], Evaluate]
    population: int
    generations: int


def climb(
    breeding: Breeding, layout: Any, seed: tuple[int, ...], until: float, told: Told | None, highest: float
) -> Found:
    """One evolution, stopped at `until` by `time.perf_counter`. highest: ratio that others reached before."""
    genome, ratio, count = np.zeros(layout.genes), -np.inf, 0
    generations = evolve(
        breeding.evaluator(layout), layout, np.random.default_rng(seed), breeding.population,
        breeding.generations, breeding.draw,
    )  # fmt: skip
    for genome, ratio, total in generations:  # noqa: B007
        if told is not None:
            told(total - count, max(ratio, highest))
        count = total
        if time.perf_counter() > until:
            break
    return Found(layout, genome, ratio, count)


def sweep(
    breeding: Breeding, seeds: Sequence[tuple[Any, tuple[int, ...]]], seconds: float, told: Told | None
) -> list[Found]:
    """One evolution for each layout and seed, the time shared evenly; at least one, and as many as the time
    allows."""
    start, found = time.perf_counter(), []
    for number, (layout, seed) in enumerate(seeds):
        if found and time.perf_counter() - start > seconds:
            break
        until = start + seconds * (number + 1) / len(seeds)
        highest = max((one.ratio for one in found), default=-np.inf)
        found.append(climb(breeding, layout, seed, until, told, highest))
    return found
