"""Checks that a device computes what the reference computes, before any time or accuracy measured on it is
believed.

Gradients in float64 on the device against a loop over clients on the CPU; each weight-gradient rule;
clients at their own points; a captured graph against the same run without one; a run continued from a
checkpoint against an undisturbed one. Where there are fused kernels, all of that of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from gpu_benchmarks import fused, gradients
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.device import arithmetic
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.federation import federated
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.layers import WEIGHT_GRADIENTS
from gpu_benchmarks.resnet import Architecture

GRAPHS = "graphs"
OWN_POINTS = "several local steps"
FUSED = "fused"


@dataclass(frozen=True)
class Check:
    """spare: what a device that fails can do without, a weight-gradient rule, `GRAPHS`, `FUSED`, or `OWN_POINTS`, which it refuses to
    the runs that ask for them; "" where it is of no use.
    """

    name: str
    error: float  # largest absolute difference, or as the name says; infinite where the device refused
    tolerance: float
    spare: str = ""

    @property
    def passed(self) -> bool:
        return self.error <= self.tolerance  # NaN does not pass

    def __str__(self) -> str:
        return f"{self.name}: off by {self.error:.2g}, {'passed' if self.passed else 'FAILED'}"


@dataclass(frozen=True)
class Sound:
    """What may be used on a device: these weight-gradient rules, CUDA graphs or not, the fused kernels or not."""

    rules: tuple[str, ...]
    graphs: bool
    fused: bool = False


def sound(
    device: torch.device,
    net: Architecture | None = None,
    say: Callable[[Check], None] = lambda check: None,
    precision: str = "float32",
) -> Sound:
    """Run the checks. precision: of the runs to come. Raises `InputError` where a check fails that nothing can replace."""
    net = net or Architecture(blocks=1)
    without = set() if fused.supports(net, device, precision) else {FUSED}
    for check in checks(device, net, precision):
        say(check)
        if not check.passed and not check.spare:
            raise InputError(f"{device}: {check}; nothing was run or timed on it")
        if not check.passed:
            without.add(check.spare)
    rules = tuple(rule for rule in WEIGHT_GRADIENTS if rule not in without)
    return Sound(rules, GRAPHS not in without, FUSED not in without)


def checks(
    device: torch.device, net: Architecture | None = None, precision: str = "float32"
) -> Iterator[Check]:
    """Run them one after the other."""
    net = net or Architecture(blocks=1)
    yield from _of_gradients(device, net)
    yield from _of_runs(device, net)
    if fused.supports(net, device, precision):
        yield from _of_fused(device, net, precision)


def _of_gradients(device: torch.device, net: Architecture) -> Iterator[Check]:
    clients, batch = 4, 8
    x, images, labels = _batch(net, batch * clients)
    there = images.to(device), labels.to(device), clients
    # Sums of 8 · 1024 products in float64, another order: 8192 · 2^-53 ≈ 1e-12, through the depth of the
    # network.
    tolerance = 1e-10
    expected = gradients.loop(net, x, images, labels, clients).gradients
    for rule in WEIGHT_GRADIENTS:
        name = f"gradients in float64, weight gradients by {rule}"
        spare = "" if rule == Rules().default else rule
        try:
            found = gradients.of_clients(net, x.to(device), *there, rules=Rules(default=rule)).gradients
            yield Check(name, _distance(found, expected), tolerance, spare)
        except torch.OutOfMemoryError:
            raise
        except RuntimeError as error:
            reason, _, _ = str(error).partition("\n")
            yield Check(f"{name} ({reason})", math.inf, tolerance, spare)
    generator = torch.Generator().manual_seed(1)
    points = x + 0.01 * torch.randn(clients, len(x), dtype=x.dtype, generator=generator)
    expected = gradients.loop(net, points, images, labels, clients).gradients
    name = "gradients at own points in float64"
    try:
        found = gradients.of_clients(net, points.to(device), *there).gradients
        yield Check(name, _distance(found, expected), tolerance)
    except torch.OutOfMemoryError:
        raise
    except RuntimeError as error:
        # the same kernels as the rule `groups`; wrong numbers would be another matter
        reason, _, _ = str(error).partition("\n")
        yield Check(f"{name} ({reason})", math.inf, tolerance, OWN_POINTS)
    if device.type == "cpu":
        found = gradients.by_client(net, points, *there).gradients
        yield Check("the same, client by client", _distance(found, expected), tolerance)


def _of_fused(device: torch.device, net: Architecture, precision: str) -> Iterator[Check]:
    """The fused kernels, on images enough for several steps of each program: in float32, whose gradients are as exact as those of
    the layers, and in the arithmetic of the runs, where a wrong kernel shows against the layers' own error alone; captured as a
    graph too.
    """
    clients, batch = 4, 48
    x, images, labels = _batch(net, clients * batch)
    expected = gradients.loop(net, x, images, labels, clients).gradients
    given = net, x.float().to(device), images.float().to(device), labels.to(device), clients

    def off(found: gradients.Gradients) -> float:
        return (found.gradients.cpu() - expected).norm().item() / expected.norm().item()

    def drawn() -> float:
        """The largest difference of two mini-batches, cropped and flipped; infinite where a label differs."""
        config = replace(_small(net), precision=precision)
        data = federated(config)
        taken = []
        for rules in (Rules(fused=True), Rules()):
            trainer = Trainer(config, data, device, rules, graphs=False)
            with trainer.here():
                images, labels = trainer.mini_batch(*trainer.prepare(0))
                taken.append((gradients.cast_images(images, precision).float().cpu(), labels.cpu()))
        (ours, own), (theirs, right) = taken
        return _distance(ours, theirs) if torch.equal(own, right) else math.inf

    def graphed() -> float:
        config = replace(_small(net), precision="float32")
        data, rules = federated(config), Rules(fused=True)
        return _distance(*(_run(Trainer(config, data, device, rules, graphs), 3) for graphs in (False, True)))

    def exact() -> float:
        return off(fused.of_clients(*given))

    def beside_layers() -> float:
        ours = off(fused.of_clients(*given, precision=precision))
        return ours / off(gradients.of_clients(*given, precision=precision))

    # (v/255 − mean)/deviation is below 3: a unit in the last place, of 24 bits or of 8
    worst = 2.0**-6 if precision == "bf16" else 1e-6
    yield _tried(f"a mini-batch in {precision}, fused kernels", drawn, precision, worst)
    yield _tried("gradients in float32, fused kernels", exact, "float32", 1e-4)
    if precision != "float32":
        name = f"gradients in {precision}, fused kernels, error as a multiple of that layer by layer"
        yield _tried(name, beside_layers, precision, 2.0)
    if device.type == "cuda":
        yield _tried(
            "a captured graph of the fused kernels against the same run without", graphed, "float32", 1e-3
        )


def _tried(name: str, error: Callable[[], float], precision: str, tolerance: float) -> Check:
    """A check of the fused kernels, which may fail to compile."""
    try:
        with arithmetic(precision):
            return Check(name, error(), tolerance, FUSED)
    except torch.OutOfMemoryError:
        raise
    except Exception as wrong:  # a compiler raises what it likes
        reason, _, _ = str(wrong).partition("\n")
        return Check(f"{name} ({reason})", math.inf, tolerance, FUSED)


def _of_runs(device: torch.device, net: Architecture) -> Iterator[Check]:
    config = _small(net)
    data = federated(config)
    # Kernels that add atomically differ in their last bits from run to run; six iterations amplify that.
    loose = 0.0 if device.type == "cpu" else 1e-6
    eager = _run(Trainer(config, data, device, graphs=False), 3)
    trainer = Trainer(config, data, device)
    tried = trainer.graphs
    error = _distance(_run(trainer, 3), eager)
    if tried and not trainer.graphs:
        error = math.inf
    check = Check("a captured graph against the same run without", error, loose, GRAPHS)
    yield check

    first = Trainer(config, data, device, graphs=check.passed)
    _run(first, 1)
    second = Trainer(config, data, device, graphs=check.passed)
    second.restore(first.saved(), 1)
    yield Check("continued after one round against undisturbed", _distance(_run(second, 2), eager), loose)
    moved = _run(Trainer(replace(config, seed=43), data, device, graphs=check.passed), 3)
    yield Check(
        "another seed gives another run (the reverse of a check)", float(_distance(moved, eager) < 1e-3), 0.0
    )


def _small(net: Architecture) -> Config:
    """A private run of six iterations in float64."""
    config = Config(
        data="synthetic",
        images=128,
        clients=4,
        batch=16,
        rounds=3,
        blocks=net.blocks,
        width=net.width,
        precision="float64",
        private=True,
    )
    return with_readings(config, noise="variance of the vector", augmentation="crop-and-flip")


def _batch(net: Architecture, count: int) -> tuple[Tensor, Tensor, Tensor]:
    """A point, images and labels in float64."""
    generator = torch.Generator().manual_seed(0)
    images = torch.randn(count, 3, 32, 32, dtype=torch.float64, generator=generator)
    return net.initial(0, torch.float64), images, torch.randint(net.classes, (count,), generator=generator)


def _run(trainer: Trainer, rounds: int) -> Tensor:
    for _ in range(rounds):
        trainer.enqueue()
        trainer.collect()
    return trainer.saved()["x"]


def _distance(found: Tensor, expected: Tensor) -> float:
    return (found.cpu() - expected.cpu()).abs().max().item()
