"""Batched evolution: a population of candidates, all of them advanced by one array program.

Each generation keeps its best eighth and fills the rest with children: two parents mixed gene by gene, then
disturbed, with a scale and a share of genes drawn afresh for each child (from a fine polish to a jump), and
some candidates at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

Array = np.ndarray

Evaluate = Callable[[Array], Array]
"""Genomes (runs, genes) ↦ ratios measured / bound (runs,); −inf for a candidate outside the hypotheses."""


@dataclass(frozen=True, eq=False)
class Found:
    """The best candidate of a search. instances: how many were evaluated. others: the best of each layout,
    the smallest layout first."""

    layout: Any
    genome: Array
    ratio: float
    instances: int
    seconds: float
    others: tuple[Found, ...] = ()


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
