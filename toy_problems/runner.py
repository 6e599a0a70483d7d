"""Advance many runs at once: instance × parameter × seed as leading axes, one array program for each chunk of
runs.

Runs do not talk to each other, so they are laid in one row and cut into chunks that stay in the cache: a
round of α-NormEC passes eight times over arrays of (runs, n, d), and from main memory those passes would be
several times slower. A chunk must not be too small either, since each of its rounds costs some 70 µs of
interpreter. Chunks are independent array programs and are handed to processes. The random numbers are keyed
by (seed, round, client): neither the size of a chunk nor the number of processes changes a result, but for the
rounding of a product of all runs with one matrix (the closed forms of `LowRankQuadratic`), which the linear algebra
library adds up in another order for another number of rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from methods import checks
from methods.algebra import Method, advance, step
from methods.randomness import Keyed
from methods.terminal.processes import cores
from toy_problems.chunks import Row, arrays, cut
from toy_problems.observables import Moment, numbers, observables
from toy_problems.parallel import each
from toy_problems.problem import Array, Problem

CHUNK_BYTES = 1024 * 1024
"""Size of one (runs, n, d) array of a chunk, of which some five live at once: they stay in a shared
last-level cache, and the interpreter (some 70 µs a round) takes a fifth of the time of the arithmetic (some 3
ns an element and round)."""
PARALLEL_FROM = 50_000_000
"""Elements times rounds from which work is handed to processes: some 0.15 s; starting them takes 0.03."""


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

    problem: its batch, the shape of `x0` without d, the shapes of the method's parameters, of `seeds` and of
        `memories` without (n, d) broadcast together, to the shape `runs` of the result.
    x0: start, shape `(..., d)`.
    memories: g_i⁰, shape `(..., n, d)`; zeros if not given.
    seeds: integers; runs with equal seeds see the same noise and the same participants.
    keep, least: names from `toy_problems.observables.OBSERVABLES`, as whole traces or as their minimum over
        the rounds.
    workers: processes; if not given, one a core, and one in all for little work.
    chunk: runs in an array program; from CHUNK_BYTES if not given.
    progress: called with the number of runs that have just been finished.

    Raises `ValueError` for shapes that do not fit, for no runs and for starts or memories that are not finite;
    `TypeError` for rounds, workers or a chunk that is no integer. An interrupt stops all processes within a
    round.
    """
    rounds = checks.whole("rounds", rounds)
    workers = None if workers is None else checks.whole("workers", workers)
    chunk = None if chunk is None else checks.whole("chunk", chunk)
    watched, smallest = observables(keep), numbers(least)
    x0, memories = _start(problem, x0, memories)
    seeds = np.asarray(seeds)
    Keyed(seeds)  # which says what seeds may be, also where nothing is drawn
    runs = _runs(problem, method, x0, memories, seeds)
    row = Row(problem, method, x0, memories, seeds, runs)
    total, size = int(np.prod(runs, dtype=int)), problem.n * problem.d
    if workers is None:
        workers = cores() if total * size * rounds >= PARALLEL_FROM else 1
    pieces = cut(row.instance, chunk or max(1, CHUNK_BYTES // (8 * size)), workers)

    def work(start: int, end: int, must_stop: Callable[[], bool]) -> _Watched:
        return _advance_chunk(row, np.arange(start, end), rounds, watched, smallest, must_stop)

    whole = _Watched({}, {}, np.empty((total, problem.d)))
    for (start, end), found in each(work, pieces, workers):
        whole.x[start:end] = found.x
        for kept, new in ((whole.traces, found.traces), (whole.least, found.least)):
            for name, values in new.items():
                kept.setdefault(name, np.empty((total, *values.shape[1:])))[start:end] = values
        if progress is not None:
            progress(end - start)
    shaped = {name: whole.traces[name].reshape(*runs, *whole.traces[name].shape[1:]) for name in keep}
    return Traces(
        runs,
        rounds,
        shaped,
        {name: whole.least[name].reshape(runs) for name in least},
        whole.x.reshape(*runs, problem.d),
    )


@dataclass(frozen=True, eq=False)
class _Watched:
    """What was watched of the runs of a chunk, which are the first axis; see `Traces`."""

    traces: dict[str, Array]
    least: dict[str, Array]
    x: Array


def _advance_chunk(
    row: Row,
    index: Array,
    rounds: int,
    watched: dict[str, Callable[[Moment], Array]],
    smallest: dict[str, Callable[[Moment], Array]],
    must_stop: Callable[[], bool],
) -> _Watched:
    chunk = row.select(index)
    problem, method, state = chunk.problem, chunk.method, chunk.state
    recorder, closed_form = _Recorder(problem), problem.local_updates(method.local_work)
    traces: dict[str, Array] = {}
    lowest = {name: np.full(len(index), np.inf) for name in smallest}
    with np.errstate(over="ignore", invalid="ignore"):  # a run that diverges ends in inf or nan and says so
        for k in range(rounds):
            if must_stop():
                break
            recorder.first = None
            if closed_form is None:
                after, happened = advance(method, state, recorder, chunk.randomness)
            else:
                after, happened = step(method, state, closed_form(state.x), chunk.randomness)
            moment = Moment(problem, method, state, after, happened, recorder.first)
            for name, function in watched.items():
                value = function(moment)
                if k == 0:
                    traces[name] = np.empty((len(index), rounds, *value.shape[1:]))
                traces[name][:, k] = value
            for name, function in smallest.items():
                np.minimum(lowest[name], function(moment), out=lowest[name])
            state = after
    return _Watched(traces, lowest, state.x)


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


def _runs(
    problem: Problem, method: Method, x0: Array, memories: Array | None, seeds: Array
) -> tuple[int, ...]:
    """The shape of the runs: all leading axes together."""
    shapes = [problem.batch, x0.shape[:-1], seeds.shape, *(a.shape for a in arrays(method))]
    shapes += [] if memories is None else [memories.shape[:-2]]
    try:
        runs = np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(
            f"instances {problem.batch}, start {x0.shape[:-1]}, seeds {seeds.shape}, parameters and memories "
            f"{shapes[3:]} do not broadcast to one shape of runs"
        ) from None
    if 0 in runs:
        raise ValueError(
            f"runs of shape {runs} are none: give at least one instance, start, seed and parameter"
        )
    return runs


def _start(problem: Problem, x0: Array, memories: Array | None) -> tuple[Array, Array | None]:
    for name, given in (("x⁰", x0), ("memories g⁰", memories)):
        if given is not None and np.iscomplexobj(given):
            raise ValueError(f"{name} has complex entries; give real numbers")
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
