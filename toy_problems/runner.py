"""Advance many runs at once: instance × parameter × seed as leading axes, one array program for each chunk of
runs.

Runs do not talk to each other, so they are laid in one row and cut into chunks that stay in the cache: a
round of α-NormEC passes eight times over arrays of (runs, n, d), and from main memory those passes would be
several times slower. A chunk must not be too small either, since each of its rounds costs some 50 µs of
interpreter. Chunks are independent array programs and numpy releases the interpreter in them, so they are
handed to threads. The random numbers are keyed by (seed, round, client): neither the size of a chunk nor the
number of threads changes a result.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from methods.algebra import Method, advance, initialise, step
from methods.randomness import Keyed
from toy_problems.observables import Moment, observables
from toy_problems.problem import Array, Problem

CHUNK_BYTES = 1024 * 1024
"""Size of one (runs, n, d) array of a chunk, of which some five live at once: they stay in a shared
last-level cache, and the interpreter (some 50 µs a round) takes a tenth of the time of the arithmetic (some 3
ns an element and round)."""


@dataclass(frozen=True, eq=False)
class Traces:
    """What was watched.

    runs: the leading axes. rounds: K + 1. traces: by name, shape `runs + (rounds, …)`. least: by name, the
    smallest value over the rounds, shape `runs`. x: the last iterate, shape `runs + (d,)`.
    """

    runs: tuple[int, ...]
    rounds: int
    traces: dict[str, Array]
    least: dict[str, Array]
    x: Array

    def __getitem__(self, name: str) -> Array:
        return self.traces[name]


def run(
    problem: Problem,
    method: Method,
    x0: Array,
    rounds: int,
    *,
    memories: Array | None = None,
    seeds: Array | int = 0,
    keep: tuple[str, ...] = ("gradient_norm",),
    least: tuple[str, ...] = (),
    workers: int | None = None,
    chunk: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Traces:
    """Advance every run by `rounds` rounds.

    problem: its batch, the shape of `x0` without d, the shapes of the method's parameters and of `seeds`
    broadcast together;
        the result is `runs`.
    x0: start, shape `(..., d)`. memories: g_i⁰, shape `(..., n, d)`; zeros if not given. seeds: integers;
    runs with equal seeds see the same noise and the same participants. keep, least: names from
    `toy_problems.observables.OBSERVABLES`, as whole traces or as their minimum over the rounds. workers:
    threads, one a core if not given. chunk: runs in an array program, from CHUNK_BYTES if not given.
    progress: called with the number of runs that have just been finished.

    Raises `ValueError` for shapes that do not fit and for starts or memories that are not finite. An
    interrupt stops all threads within a round.
    """
    if rounds < 1:
        raise ValueError(f"rounds = {rounds} must be at least 1")
    watched, smallest = observables(keep), observables(least)
    x0, memories = _start(problem, x0, memories)
    seeds = np.asarray(seeds)
    shapes = [problem.batch, x0.shape[:-1], seeds.shape, *(a.shape for a in _arrays(method))]
    shapes += [] if memories is None else [memories.shape[:-2]]
    try:
        runs = np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(
            f"instances {problem.batch}, start {x0.shape[:-1]}, seeds {seeds.shape}, parameters and memories "
            f"{shapes[3:]} do not broadcast to one shape of runs"
        ) from None
    flat = _Flat(problem, method, x0, memories, seeds, runs)
    total = int(np.prod(runs, dtype=int))
    workers = workers or os.cpu_count() or 1
    chunks = _cut(flat.instance, chunk or max(1, CHUNK_BYTES // (8 * problem.n * problem.d)), workers)
    stop = threading.Event()
    out = Traces(runs, rounds, {}, {}, np.empty((total, problem.d)))
    out.traces.update({name: np.empty((0,)) for name in keep})
    out.least.update({name: np.full(total, np.inf) for name in least})
    lock = threading.Lock()

    def work(start: int, end: int) -> None:
        with np.errstate(
            over="ignore", invalid="ignore"
        ):  # a run that diverges ends in inf or nan and says so
            advance_chunk(start, end)

    def advance_chunk(start: int, end: int) -> None:
        index = np.arange(start, end)
        part, chosen, state, randomness = flat.select(index)
        where = slice(start, end)
        recorder, closed_form = _Recorder(part), part.local_updates(chosen.local_work)
        for k in range(rounds):
            if stop.is_set():
                return
            recorder.first = None
            if closed_form is None:
                after, happened = advance(chosen, state, recorder, randomness)
            else:
                after, happened = step(chosen, state, closed_form(state.x), randomness)
            moment = Moment(part, chosen, state, after, happened, recorder.first)
            for name, function in watched.items():
                value = function(moment)
                if k == 0:
                    _allocate(out.traces, name, (total, rounds, *value.shape[1:]), lock)
                out.traces[name][where, k] = value
            for name, function in smallest.items():
                np.minimum(out.least[name][where], function(moment), out=out.least[name][where])
            state = after
        out.x[where] = state.x
        if progress is not None:
            progress(len(index))

    with ThreadPoolExecutor(workers) as pool:
        pending = [pool.submit(work, *ends) for ends in chunks]
        try:
            done, _ = wait(pending, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
        except BaseException:
            stop.set()
            for future in pending:
                future.cancel()
            raise
    shaped = {name: a.reshape(*runs, *a.shape[1:]) for name, a in out.traces.items()}
    smallest_values = {name: a.reshape(runs) for name, a in out.least.items()}
    return Traces(runs, rounds, shaped, smallest_values, out.x.reshape(*runs, problem.d))


class _Recorder:
    """The oracle of a chunk; remembers the gradients of a round's first evaluation, which is at xᵏ."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.first: Array | None = None

    def __call__(self, x: Array) -> Array:
        if self.problem.n > 1 and x.strides[-2] == 0:  # one point for all clients: evaluate it as one
            x = x[..., :1, :]
        local = self.problem.gradients(x)
        if self.first is None:
            self.first = local
        return local


@dataclass(frozen=True, eq=False)
class _Flat:
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

    def select(self, index: Array):
        """The problem, the method, the state and the randomness of the runs at a flat index."""
        instance = self.instance[index]
        # Runs of one instance share its arrays: (n, d) stays in the first-level cache.
        problem = self.problem.take(instance[0] if (instance == instance[0]).all() else instance)
        method = _select(self.method, self.runs, index)
        x0 = _rows(self.x0, 1, self.runs, index)
        memories = None if self.memories is None else _rows(self.memories, 2, self.runs, index)
        state = initialise(method, x0, self.problem.n, memories)
        seeds = _rows(self.seeds, 0, self.runs, index)
        return problem, method, state, SharedSeeds(seeds) if method.needs_randomness else None


def _numbers(leading: tuple[int, ...], runs: tuple[int, ...]) -> Array:
    """For each run of the row, the number of its entry in an array with these leading axes."""
    numbers = np.arange(int(np.prod(leading, dtype=int))).reshape(leading)
    return np.broadcast_to(numbers, runs).reshape(-1)


def _rows(array: Array, core: int, runs: tuple[int, ...], index: Array) -> Array:
    """The entries of the runs at a flat index, from an array with `core` trailing axes of its own."""
    cut = array.ndim - core
    return array.reshape(-1, *array.shape[cut:])[_numbers(array.shape[:cut], runs)[index]]


def _cut(instance: Array, chunk: int, workers: int) -> list[tuple[int, int]]:
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


def _allocate(traces: dict[str, Array], name: str, shape: tuple[int, ...], lock: threading.Lock) -> None:
    """Make room for a trace when its first value shows its shape."""
    if traces[name].shape == shape:
        return
    with lock:
        if traces[name].shape != shape:
            traces[name] = np.empty(shape)


def _start(problem: Problem, x0: Array, memories: Array | None) -> tuple[Array, Array | None]:
    x0 = np.asarray(x0, dtype=np.float64)
    if x0.ndim == 0 or x0.shape[-1] != problem.d:
        raise ValueError(f"x⁰ of shape {x0.shape} must end in d = {problem.d}")
    if not np.isfinite(x0).all():
        raise ValueError("x⁰ has an entry that is nan or infinite; give a finite start")
    if memories is not None:
        memories = np.asarray(memories, dtype=np.float64)
        if memories.ndim < 2 or memories.shape[-2:] != (problem.n, problem.d):
            raise ValueError(
                f"memories of shape {memories.shape} must end in (n, d) = {(problem.n, problem.d)}"
            )
        if not np.isfinite(memories).all():
            raise ValueError("memories g⁰ have an entry that is nan or infinite; give finite memories")
    return x0, memories


def _arrays(part: Any) -> list[Array]:
    """Array parameters anywhere in a method."""
    if isinstance(part, np.ndarray):
        return [part]
    if is_dataclass(part):
        return [array for field in fields(part) for array in _arrays(getattr(part, field.name))]
    return []


def _select(part: Any, runs: tuple[int, ...], index: Array) -> Any:
    """A method with every array parameter restricted to the runs at a flat index."""
    if isinstance(part, np.ndarray):
        return _rows(part, 0, runs, index)
    if is_dataclass(part) and not isinstance(part, type) and _arrays(part):
        return replace(
            part, **{f.name: _select(getattr(part, f.name), runs, index) for f in fields(part) if f.init}
        )
    return part
