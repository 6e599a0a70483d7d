"""One training run: all clients of an iteration in one batch (on a CPU one by one, on its cores),
`methods.advance` as the update, nothing of its own in between.

`Trainer` owns the buffers of one run and moves them in place. `enqueue` starts one printed round and
`collect` waits for its numbers, so that several runs can share a GPU, each on a stream of its own, while
the host only replays graphs. On a CPU the same functions run directly. Everything random is keyed by (seed,
what for, when): a run continued from a checkpoint draws what the undisturbed run draws.
"""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

import methods
from gpu_benchmarks import fused, gradients
from gpu_benchmarks.batches import Data, Keys, Pixels, augment, empty_plans, fill, key
from gpu_benchmarks.config import Config
from gpu_benchmarks.cuda_graphs import CaptureError, captured
from gpu_benchmarks.device import arithmetic
from gpu_benchmarks.device_randomness import DeviceRandomness
from gpu_benchmarks.layers import Evaluation, Statistics, averaging
from gpu_benchmarks.method import build
from gpu_benchmarks.passes import groups, iterations_per_round, sizes
from gpu_benchmarks.resnet import Architecture

EXPLODED = 1e6  # a mean training loss beyond this ends the run as diverged
STATE = ("x", "memories", "server_memory", "momentum")
Group = tuple[int, ...]  # images of a client in each local step of an iteration


@dataclass(frozen=True)
class Measured:
    """The numbers of one printed round; see `records.METRICS`. None: no test was made after it."""

    train_loss: float
    test_loss: float | None
    test_accuracy: float | None

    @property
    def diverged(self) -> bool:
        losses = (self.train_loss, *(() if self.test_loss is None else (self.test_loss,)))
        return not all(map(math.isfinite, losses)) or self.train_loss > EXPLODED


class Trainer:
    """A run in progress.

    data: on any device, moved to `device`. rules: how weight gradients are computed; see `layers` and
    `tuning`.
    graphs: capture iterations on a GPU (no effect on a CPU). way: how it runs, for a record.
    joint: all clients as one batch, or one by one on the cores (default: as one where there is a GPU). The results
    agree up to rounding.
    """

    def __init__(
        self,
        config: Config,
        data: Data,
        device: torch.device,
        rules: gradients.Rules | None = None,
        graphs: bool = True,
        joint: bool | None = None,
    ) -> None:
        self.config, self.device = config, device
        self.joint = device.type != "cpu" if joint is None else joint
        self.net = Architecture(config.blocks, config.width)
        rules = rules or gradients.Rules()
        self.rules = replace(rules, fused=rules.fused and fused.supports(self.net, device, config.precision))
        self.stream = torch.cuda.Stream(device) if device.type == "cuda" else None
        self.graphs = graphs and self.stream is not None
        self.way = "graph" if self.graphs else "eager" if self.joint else "eager, client by client"
        dtype = torch.float64 if config.precision == "float64" else torch.float32
        with self.here():
            self.data = data.to(device)
            reading = config.readings
            each = data.shards.shape[1]
            self.sizes = sizes(each, config.batch, reading.last_batch)
            self.plans = empty_plans(self.sizes, config.clients, reading.augmentation != "none", device)
            self.pixels = Pixels.reading(reading.pixels, dtype, device)
            self.groups = groups(self.sizes, config.local_steps, reading.local_batches)
            self.methods = {
                steps: build(
                    replace(config, local_steps=steps), self.net.dimension, self.iterations_per_round
                )
                for steps in set(map(len, self.groups))
            }
            self.method = self.methods[len(self.groups[0])]
            self.randomness = DeviceRandomness(torch.Generator(device))
            self.keys = Keys(config.seed, "round")
            channels = sum(self.net.norm_channels)
            self.statistics = Statistics.zeros(self.net.norm_channels, config.clients, self.pixels.scale)
            self.means = torch.zeros(channels, dtype=dtype, device=device)
            self.variances = torch.ones(channels, dtype=dtype, device=device)
            self.keep, self.move = averaging(reading.statistics, config.clients, dtype, device)
            self.loss = torch.zeros(
                (), dtype=dtype, device=device
            )  # sum over iterations of the clients' mean loss
            self.test = torch.zeros(2, dtype=torch.float64, device=device)  # sum of losses, number correct
            self.pass_drawn = -1
            self.rounds_done = 0
            self.tested = False
            self.state = self._start(dtype)
            self.buffers = self._own(self.state)
        self._iterations: dict[Group, Callable[[], None]] = {}
        self._test: Callable[[], None] | None = None

    # --- one printed round --------------------------------------------------------------------------

    @property
    def iterations_per_round(self) -> int:
        return iterations_per_round(self.config, self.groups)

    def enqueue(self, test: bool = True) -> None:
        """Start the next printed round and, where one is asked for, the test after it. On a GPU this returns before
        they are done."""
        with self.here():
            first = self.rounds_done * self.iterations_per_round
            self.loss.zero_()
            for iteration in range(first, first + self.iterations_per_round):
                run = self.iteration(self.prepare(iteration))
                self._seed(iteration)  # after a capture, whose warm-ups draw
                run()
            if test:
                self.evaluation()()
        self.rounds_done += 1
        self.tested = test

    def collect(self) -> Measured:
        """Wait for the round that was started last."""
        if self.stream is not None:
            self.stream.synchronize()
        train_loss = self.loss.item() / self.iterations_per_round
        if not self.tested:
            return Measured(train_loss, None, None)
        loss, correct = self.test.tolist()
        count = len(self.data.test_labels)
        return Measured(train_loss, loss / count, 100 * correct / count)

    def test_now(self) -> Measured:
        """The numbers of the round that was collected last, with a test."""
        with self.here():
            self.evaluation()()
        self.tested = True
        return self.collect()

    def prepare(self, iteration: int) -> Group:
        """Draw the pass if it is a new one; the sizes of the iteration's local steps."""
        number, place = divmod(iteration, len(self.groups))
        if number != self.pass_drawn:
            independent = self.config.readings.batches == "independent"
            augmentation = self.config.readings.augmentation
            fill(
                self.plans, self.sizes, self.data.shards, self.config.seed, number, independent, augmentation
            )
            self.pass_drawn = number
            skipped = [size for group in self.groups[:place] for size in self._drawn(group)]
            for size, plan in self.plans.items():
                plan.position.fill_(skipped.count(size))
        return self.groups[place]

    def _drawn(self, group: Group) -> Group:
        """Sizes of the mini-batches that an iteration takes out of the plan."""
        return group if self.config.readings.local_batches == "fresh" else group[:1]

    def _seed(self, iteration: int) -> None:
        if self.method.needs_randomness:
            on_cpu, seed = self.device.type == "cpu", self.config.seed
            now = self.keys[iteration] if on_cpu else key(seed, "round", iteration)
            self.randomness.generator.manual_seed(now)

    def iteration(self, group: Group) -> Callable[[], None]:
        if group not in self._iterations:
            draws = [self.randomness.generator] if self.method.needs_randomness else []
            self._iterations[group] = self._ready(lambda: self.advance(group), draws)
        return self._iterations[group]

    def evaluation(self) -> Callable[[], None]:
        if self._test is None:
            self._test = self._ready(self.evaluate, [])
        return self._test

    def _ready(self, function: Callable[[], None], draws: list[torch.Generator]) -> Callable[[], None]:
        """The function itself, or its graph. draws: the generators that it draws from, and no others.

        Where there is no graph to be had, everything goes on without, graphs captured before included: they draw
        from the old generator.
        """
        if not self.graphs:
            return function
        assert self.stream is not None
        try:
            return captured(function, self.all_buffers(), draws, self.stream)
        except CaptureError as error:
            warnings.warn(f"{error}; the run goes on without, slower", RuntimeWarning, stacklevel=2)
            self.graphs, self.way = False, f"eager, {error}"
            self.randomness = DeviceRandomness(torch.Generator(self.device))
            self._iterations.clear()
            self._test = None
            return function

    # --- what runs on the device, without looking at a value ----------------------------------------

    def advance(self, group: Group) -> None:
        """One iteration of the method, in place."""
        state, losses = self._advanced(self.state, group)
        for name, buffer in self.buffers.items():
            buffer.copy_(getattr(state, name))
        self.loss += losses.mean()

    def evaluate(self) -> None:
        """Loss and correct answers on the test set with running averages, into `test`; on a CPU on its cores, as the clients."""
        channels = list(self.net.norm_channels)
        layers = Evaluation(tuple(self.means.split(channels)), tuple(self.variances.split(channels)))
        parameters = gradients.cast(self.net.unflatten(self.state.x), self.config.precision)

        def of(part: tuple[Tensor, Tensor]) -> Tensor:
            images, labels = part
            inputs = gradients.cast_images(self.pixels(images), self.config.precision)
            inputs = inputs.contiguous(memory_format=torch.channels_last)
            with torch.no_grad():  # of this thread
                logits = self.net.forward(parameters, inputs, layers).to(self.loss.dtype)
                loss = F.cross_entropy(logits, labels, reduction="sum")
                return torch.stack([loss.double(), (logits.argmax(1) == labels).sum().double()])

        at_once = 1000 if self.joint else 50  # what a GPU is busy with; what a core's cache holds
        whole = self.data.test_images, self.data.test_labels
        parts = list(zip(*(part.split(at_once) for part in whole), strict=True))
        with arithmetic(self.config.precision):
            found = map(of, parts) if self.joint else gradients.on_cores(of, parts)
            self.test.zero_()
            for sums in found:
                self.test += sums

    def mini_batch(self, size: int) -> tuple[Tensor, Tensor]:
        """Images (clients · size, 3, 32, 32), as the network is shown them, and labels of the next iteration; client by client."""
        if self.rules.fused:
            return fused.mini_batch(self.plans[size], self.data, self.pixels, self.config.precision)
        indices, moves = self.plans[size].take()
        images = self.data.images[indices]
        if moves is not None:
            images = augment(images, moves)
        return self.pixels(images), self.data.labels[indices]

    def _advanced(self, state: methods.State, group: Group) -> tuple[methods.State, Tensor]:
        """The next state, and the clients' losses at the state's own iterate."""
        losses: list[Tensor] = []
        coming = iter(self._drawn(group))
        images, labels = self.mini_batch(next(coming))

        def local_gradients(points: Tensor) -> Tensor:
            nonlocal images, labels
            if losses and (size := next(coming, None)) is not None:
                images, labels = self.mini_batch(size)
            one_point = points.stride(-2) == 0  # a broadcast view: the first evaluation of every round
            found = self._gradients(points[0] if one_point else points, images, labels, self.statistics)
            losses.append(found.losses)
            means, variances = self.statistics.flat(self.config.clients)
            self.means.mul_(self.keep).add_(self.move @ means)
            self.variances.mul_(self.keep).add_(self.move @ variances)
            return found.gradients

        state, _ = methods.advance(self.methods[len(group)], state, local_gradients, self.randomness)
        return state, losses[0]

    def _gradients(
        self, points: Tensor, images: Tensor, labels: Tensor, statistics: Statistics | None
    ) -> gradients.Gradients:
        """The network alone is computed in the arithmetic of the config: what the method does to its gradients is not, so
        that no message is longer than its operator allows.
        """
        clients, precision = self.config.clients, self.config.precision
        batch = (self.net, points, images, labels, clients, statistics)
        with arithmetic(precision):
            if self.joint and self.rules.fused and points.ndim == 1:
                return fused.of_clients(*batch, precision)
            if self.joint:
                return gradients.of_clients(*batch, self.rules, precision)
            return gradients.by_client(*batch, precision)

    # --- buffers -------------------------------------------------------------------------------------

    def _start(self, dtype: torch.dtype) -> methods.State:
        x = self.net.initial(key(self.config.seed, "weights"), dtype).to(self.device)
        memories = None
        if self.config.readings.memories == "first-gradient":
            self.prepare(0)
            images, labels = self.mini_batch(self.sizes[0])
            memories = self._gradients(x, images, labels, None).gradients
            self.pass_drawn = -1
        return methods.initialise(self.method, x, self.config.clients, memories)

    def _own(self, state: methods.State) -> dict[str, Tensor]:
        """Buffers for the tensors of the state, which from now on are views of them."""
        buffers = {name: getattr(state, name).clone() for name in STATE if getattr(state, name) is not None}
        self.state = replace(state, **buffers)
        return buffers

    def all_buffers(self) -> list[Tensor]:
        positions = [plan.position for plan in self.plans.values()]
        return [*self.buffers.values(), self.means, self.variances, self.loss, self.test, *positions]

    def saved(self) -> dict[str, Tensor]:
        """Everything that a checkpoint must hold, on the CPU."""
        named = {**self.buffers, "means": self.means, "variances": self.variances}
        return {name: buffer.detach().cpu().clone() for name, buffer in named.items()}

    def restore(self, tensors: dict[str, Tensor], rounds_done: int) -> None:
        """Go on from what `saved` returned after `rounds_done` rounds."""
        named = {**self.buffers, "means": self.means, "variances": self.variances}
        wrong = set(tensors) ^ set(named)
        for name in set(tensors) & set(named):
            if (tensors[name].shape, tensors[name].dtype) != (named[name].shape, named[name].dtype):
                wrong.add(name)
        if wrong:
            raise ValueError(f"saved tensors do not fit this run: {', '.join(sorted(wrong))}")
        with self.here():
            for name, buffer in named.items():
                buffer.copy_(tensors[name])
        self.rounds_done, self.pass_drawn = rounds_done, -1

    def here(self) -> contextlib.AbstractContextManager[Any]:
        return contextlib.nullcontext() if self.stream is None else torch.cuda.stream(self.stream)
