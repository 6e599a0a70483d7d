"""All runs in one row, and which of them share an array program."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from methods.algebra import Method, State, initialise
from methods.randomness import Keyed
from toy_problems.problem import Array, Problem


@dataclass(frozen=True, eq=False)
class Row:
    """All runs in one row."""

    problem: Problem
    method: Method
    x0: Array
    memories: Array | None
    seeds: Array
    runs: tuple[int, ...]

    @cached_property
    def instance(self) -> Array:
        """Which instance each run of the row belongs to."""
        return _numbers(self.problem.batch, self.runs)

    def select(self, index: Array) -> Chunk:
        """The runs at a flat index, as an array program of their own."""
        instance = self.instance[index]
        # Runs of one instance share its arrays: (n, d) stays in the first-level cache.
        problem = self.problem.take(instance[0] if (instance == instance[0]).all() else instance)
        method = _select(self.method, self.runs, index)
        x0 = _rows(self.x0, 1, self.runs, index)
        memories = None if self.memories is None else _rows(self.memories, 2, self.runs, index)
        state = initialise(method, x0, self.problem.n, memories)
        seeds = _rows(self.seeds, 0, self.runs, index)
        return Chunk(problem, method, state, SharedSeeds(seeds) if method.needs_randomness else None)


@dataclass(frozen=True, eq=False)
class Chunk:
    """Runs that are advanced together; they are the leading axis of each array."""

    problem: Problem
    method: Method
    state: State
    randomness: SharedSeeds | None


def _numbers(leading: tuple[int, ...], runs: tuple[int, ...]) -> Array:
    """For each run of the row, the number of its entry in an array with these leading axes."""
    numbers = np.arange(int(np.prod(leading, dtype=int))).reshape(leading)
    return np.broadcast_to(numbers, runs).reshape(-1)


def _rows(array: Array, core: int, runs: tuple[int, ...], index: Array) -> Array:
    """The entries of the runs at a flat index, from an array with `core` trailing axes of its own."""
    leading = array.ndim - core
    return array.reshape(-1, *array.shape[leading:])[_numbers(array.shape[:leading], runs)[index]]


def cut(instance: Array, chunk: int, workers: int) -> list[tuple[int, int]]:
    """Ends of the chunks: at most `chunk` runs each, at least one chunk a worker, and no chunk across two
    instances where an instance has runs enough to fill a quarter of one."""
    total = len(instance)
    chunk = max(1, min(chunk, -(-total // workers)))
    borders = [0, *(np.flatnonzero(np.diff(instance)) + 1).tolist(), total]
    if total / (len(borders) - 1) < chunk / 4:
        borders = [0, total]
    chunks = []
    for start, end in pairwise(borders):
        ends = np.linspace(start, end, -(-(end - start) // chunk) + 1).round().astype(int).tolist()
        chunks += pairwise(ends)
    return chunks


class SharedSeeds:
    """`Keyed` randomness that draws once for the runs of a chunk that share a seed."""

    def __init__(self, seeds: Array) -> None:
        unique, self._inverse = np.unique(seeds, return_inverse=True)
        self._keyed = Keyed(unique)
        self._one = len(unique) == 1

    def _share(self, numbers: Array) -> Array:
        return numbers if self._one else numbers[self._inverse]

    def client_normals(self, round: int, runs: tuple[int, ...], clients: int, d: int, like: Any) -> Any:
        return self._share(self._keyed.client_normals(round, self._own(), clients, d, like))

    def server_normals(self, round: int, runs: tuple[int, ...], d: int, like: Any) -> Any:
        return self._share(self._keyed.server_normals(round, self._own(), d, like))

    def uniforms(self, round: int, runs: tuple[int, ...], clients: int, like: Any) -> Any:
        return self._share(self._keyed.uniforms(round, self._own(), clients, like))

    def _own(self) -> tuple[int, ...]:
        return np.shape(self._keyed.seeds)


def arrays(part: Any) -> list[Array]:
    """Array parameters anywhere in a method."""
    if isinstance(part, np.ndarray):
        return [part]
    if is_dataclass(part):
        return [array for field in fields(part) for array in arrays(getattr(part, field.name))]
    return []


def _select(part: Any, runs: tuple[int, ...], index: Array) -> Any:
    """A method with every array parameter restricted to the runs at a flat index."""
    if isinstance(part, np.ndarray):
        return _rows(part, 0, runs, index)
    if is_dataclass(part) and not isinstance(part, type) and arrays(part):
        chosen = {f.name: _select(getattr(part, f.name), runs, index) for f in fields(part) if f.init}
        return replace(part, **chosen)
    return part
