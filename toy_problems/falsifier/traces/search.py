"""The search over traces: evolution for every size, polish of the best of each dimension."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from toy_problems.falsifier.attack import Effort
from toy_problems.falsifier.evolution import Breeding, Told, sweep
from toy_problems.falsifier.targets import Target
from toy_problems.falsifier.traces.candidates import (
    TraceLayout,
    TracePrimary,
    decode_traces,
    sample_traces,
    trace_evaluator,
)
from toy_problems.falsifier.traces.polish import polish

ROUNDS = (0, 1, 2, 3, 5, 8, 15)
SIZES = ((1, 1), (1, 2), (1, 3), (2, 2))
"""(clients, dimensions)."""

LONG = 35
"""K of the longest runs, of one client in one and two dimensions; K + 1 is a square."""

POLISHED_ROUNDS = 8
"""The number of constraints grows like K², and the time of a polish like K⁴."""

POPULATION = 512
FRESH = POPULATION - POPULATION // 8
"""New candidates in a generation; the best eighth is kept."""


@dataclass(frozen=True, eq=False)
class Trace:
    """A candidate (a batch of one) and its measured / bound."""

    layout: TraceLayout
    primary: TracePrimary
    ratio: float


@dataclass(frozen=True, eq=False)
class FoundTrace:
    """What a search came to. best: of all. each: the best of every size, polished where that was cheap."""

    best: Trace
    each: tuple[Trace, ...]
    instances: int
    seconds: float

    @property
    def ratio(self) -> float:
        """Of the best."""
        return self.best.ratio

    def by_dimension(self) -> dict[str, float]:
        """The largest ratio for each number of variables."""
        dimensions = sorted({trace.layout.d for trace in self.each})
        return {str(d): max(t.ratio for t in self.each if t.layout.d == d) for d in dimensions}


def trace_layouts(target: Target) -> list[TraceLayout]:
    """Sizes that are searched, from the smallest."""
    after_one = target.quantity == "residual"
    sizes = (*SIZES, (2, 1), (3, 2)) if after_one else SIZES
    layouts = [TraceLayout(n, K, d) for K in target.rounds(ROUNDS) for n, d in sizes]
    return layouts if after_one else [*layouts, *(TraceLayout(1, LONG, d) for d in (1, 2))]


def trace_search(
    target: Target, effort: Effort, told: Told | None = None, layouts: Sequence[TraceLayout] = ()
) -> FoundTrace:
    """Attack a bound with about `effort.instances` traces, or for about `effort.seconds`; half of the time is
    for the polish, whose runs are not counted. layouts: sizes, `trace_layouts` if not given."""
    start, layouts = time.perf_counter(), layouts or trace_layouts(target)
    generations = max(4, -(-effort.instances // (FRESH * len(layouts))))
    breeding = Breeding(sample_traces, partial(trace_evaluator, target), POPULATION, generations)
    attacks = [(one, (effort.seed, one.clients, one.K, one.d)) for one in layouts]
    swept = sweep(breeding, attacks, effort.seconds / 2, told)
    found = [Trace(one.layout, decode_traces(one.genome[None], one.layout), one.ratio) for one in swept]
    if target.quantity == "gradient":
        found = _polished(target, found, start + effort.seconds)
    best = max(found, key=lambda trace: trace.ratio)
    instances = sum(one.instances for one in swept)
    return FoundTrace(best, tuple(found), instances, time.perf_counter() - start)


def _polished(target: Target, found: list[Trace], until: float) -> list[Trace]:
    """The traces with the leaders of every dimension polished first, then the others, until the time is over."""
    order = sorted(range(len(found)), key=lambda i: -found[i].ratio)
    ranks = {
        i: sum(found[j].layout.d == found[i].layout.d for j in order[:place]) for place, i in enumerate(order)
    }
    after = list(found)
    for i in sorted(order, key=lambda i: ranks[i]):
        trace = found[i]
        if time.perf_counter() > until:
            break
        if trace.layout.K <= POLISHED_ROUNDS and np.isfinite(trace.ratio):
            after[i] = Trace(trace.layout, *polish(target, trace.primary, trace.layout, until))
    return after
