"""How many runs side by side give a GPU the most iterations a second, measured: one run alone leaves it idle while
small kernels follow one another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import torch

from gpu_benchmarks.batches import Data
from gpu_benchmarks.config import Config
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.training import Options

COUNTS = (1, 2, 4, 8)
SECONDS = 1.5  # for each count
ENOUGH = 0.9


def measure(
    config: Config,
    data: Data,
    options: Options,
    seconds: float,
    say: Callable[[int, float], None] = lambda count, rate: None,
) -> dict[int, float]:
    """Iterations a second of all runs together, by their number; what neither memory nor `seconds` suffice for is left
    out.
    """
    end = time.perf_counter() + seconds
    trainers: list[Trainer] = []
    rates: dict[int, float] = {}
    one = replace(config, readings=replace(config.readings, round="step", memories="zero"))
    for count in COUNTS:
        try:
            while len(trainers) < count:
                trainers.append(Trainer(one, data, options.device, options.rules, options.graphs))
            if time.perf_counter() > end:
                break
            rates[count] = _rate(trainers)
        except torch.OutOfMemoryError:
            break
        say(count, rates[count])
    return rates


def fewest(rates: Mapping[int, float]) -> int:
    """The fewest runs that reach nine tenths of the best rate: the fewer run at once, the sooner there are records."""
    best = max(rates.values(), default=0.0)
    return min((count for count, rate in rates.items() if rate >= ENOUGH * best), default=1)


def _rate(trainers: Sequence[Trainer]) -> float:
    """Iterations a second of all trainers together, each over and over the first mini-batches of its first pass."""
    size = trainers[0].groups[0]
    number = min(50, trainers[0].groups.count(size))
    ready = []
    for trainer in trainers:
        with trainer.here():
            trainer.prepare(0)
            ready.append(trainer.iteration(size))
    torch.cuda.synchronize(trainers[0].device)
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        for trainer in trainers:
            with trainer.here():
                for plan in trainer.plans.values():
                    plan.position.zero_()
        # as `training.together`: one's round, then the next's
        for trainer, iterate in zip(trainers, ready, strict=True):
            with trainer.here():
                for _ in range(number):
                    iterate()
            done += number
        torch.cuda.synchronize(trainers[0].device)
    return done / (time.perf_counter() - start)
