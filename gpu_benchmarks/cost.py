"""What runs cost before they are started: iterations, images, operations, and time from a short
measurement.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from gpu_benchmarks.accuracies import LAST
from gpu_benchmarks.batches import Data
from gpu_benchmarks.config import Config
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.passes import iterations, iterations_per_round, split_sizes
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.training import Options


@dataclass(frozen=True)
class Cost:
    """Of one run, or of several together."""

    iterations: int
    images: int  # forward and backward
    tests: int  # images evaluated
    operations: float  # floating-point, two a multiply-add; backward counted as two forwards

    def __add__(self, other: Cost) -> Cost:
        return Cost(*(getattr(self, n) + getattr(other, n) for n in self.__dataclass_fields__))


def cost(config: Config, test_every: int = 1) -> Cost:
    """From the config and `Options.test_every` alone. Raises `InputError` where `passes.share` does."""
    _, test = split_sizes(config)
    rounds = config.stop_after or config.rounds
    steps = iterations(config)
    steps_in_all = rounds * iterations_per_round(config)  # of the endless sequence of passes the first
    passes, rest = divmod(steps_in_all, len(steps))
    images = (passes * sum(map(sum, steps)) + sum(map(sum, steps[:rest]))) * config.clients
    # after every `test_every`-th round, and after the last ones in any case
    last = min(LAST, rounds)
    tests = ((rounds - last) // test_every + last) * test
    multiplications = Architecture(config.blocks, config.width).multiplications
    return Cost(steps_in_all, images, tests, 2.0 * multiplications * (3 * images + tests))


def _mini_batches(config: Config) -> int:
    """How many mini-batches an iteration takes of a client."""
    return len(iterations(config)[0]) if config.readings.local_batches == "fresh" else 1


def measure(config: Config, options: Options, repeats: int = 3) -> tuple[float, float]:
    """Seconds of one iteration, with all its local steps, and of the evaluation of one image, measured on this device on
    random images.
    """
    clients, tests = config.clients, 250
    count, each = clients * config.batch, _mini_batches(config) * config.batch
    generator = torch.Generator().manual_seed(0)
    data = Data(
        torch.randint(256, (count, 3, 32, 32), generator=generator, dtype=torch.uint8),
        torch.randint(10, (count,), generator=generator),
        torch.arange(clients * each).view(clients, each) % count,
        torch.randint(256, (tests, 3, 32, 32), generator=generator, dtype=torch.uint8),
        torch.randint(10, (tests,), generator=generator),
    )
    one = replace(config, images=None, readings=replace(config.readings, round="step", memories="zero"))
    trainer = Trainer(one, data, options.device, options.rules or Rules(), options.graphs)
    trainer.enqueue()
    trainer.collect()
    start = time.perf_counter()
    for _ in range(repeats):
        trainer.enqueue()
        trainer.collect()
    whole = (time.perf_counter() - start) / repeats
    start = time.perf_counter()
    for _ in range(repeats):
        trainer.test_now()
    test = (time.perf_counter() - start) / repeats
    return max(whole - test, 1e-6), test / tests


def estimate(configs: Sequence[Config], options: Options) -> Iterator[tuple[Config, Cost, float]]:
    """Each config with its cost and estimated seconds, one after the other: a new kind of iteration is measured first, which
    takes a while.
    """
    measured: dict[tuple[object, ...], tuple[float, float]] = {}
    for config in configs:
        kind = (
            config.clients,
            config.batch,
            config.precision,
            config.local_steps,
            config.readings.local_batches,
            _mini_batches(config),
            config.blocks,
            config.width,
        )
        if kind not in measured:
            measured[kind] = measure(config, options)
        iteration, test = measured[kind]
        c = cost(config, options.test_every)
        yield config, c, c.iterations * iteration + c.tests * test
