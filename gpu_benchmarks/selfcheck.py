"""Checks that a device computes what the reference computes, before any time or accuracy measured on it is
believed.

Gradients in float64 on the device against a loop over clients on the CPU; each weight-gradient rule;
clients at their own points; a captured graph against the same run without one; a run continued from a
checkpoint against an undisturbed one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch

from gpu_benchmarks import gradients
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.federation import federated
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.layers import WEIGHT_GRADIENTS
from gpu_benchmarks.resnet import Architecture


@dataclass(frozen=True)
class Check:
    name: str
    error: float  # largest absolute difference
    tolerance: float

    @property
    def passed(self) -> bool:
        return self.error <= self.tolerance  # NaN does not pass


def checks(device: torch.device, net: Architecture | None = None) -> Iterator[Check]:
    """Run them one after the other."""
    net = net or Architecture(blocks=1)
    clients, batch = 4, 8
    generator = torch.Generator().manual_seed(0)
    x = net.initial(0, torch.float64)
    images = torch.randn(batch * clients, 3, 32, 32, dtype=torch.float64, generator=generator)
    labels = torch.randint(net.classes, (batch * clients,), generator=generator)
    there = images.to(device), labels.to(device), clients
    # Sums of 8 · 1024 products in float64, another order: 8192 · 2^-53 ≈ 1e-12, through the depth of the
    # network.
    tolerance = 1e-10
    expected = gradients.loop(net, x, images, labels, clients).gradients
    for rule in WEIGHT_GRADIENTS:
        found = gradients.of_clients(net, x.to(device), *there, rules=Rules(default=rule)).gradients
        yield Check(
            f"gradients in float64, weight gradients by {rule}", _distance(found, expected), tolerance
        )
    points = x + 0.01 * torch.randn(clients, len(x), dtype=x.dtype, generator=generator)
    expected = gradients.loop(net, points, images, labels, clients).gradients
    found = gradients.of_clients(net, points.to(device), *there).gradients
    yield Check("gradients at own points in float64", _distance(found, expected), tolerance)

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
    config = with_readings(config, noise="variance of the vector", augmentation="crop-and-flip")
    data = federated(config)
    whole = _run(Trainer(config, data, device), 3)
    # Kernels that add atomically differ in their last bits from run to run; six iterations amplify that.
    loose = 0.0 if device.type == "cpu" else 1e-6
    eager = _run(Trainer(config, data, device, graphs=False), 3)
    yield Check("a captured graph against the same run without", _distance(whole, eager), loose)
    first = Trainer(config, data, device)
    _run(first, 1)
    second = Trainer(config, data, device)
    second.restore(first.saved(), 1)
    yield Check("continued after one round against undisturbed", _distance(_run(second, 2), whole), loose)
    moved = _run(Trainer(replace(config, seed=43), data, device), 3)
    yield Check(
        "another seed gives another run (the reverse of a check)", float(_distance(moved, whole) < 1e-3), 0.0
    )


def _run(trainer: Trainer, rounds: int) -> torch.Tensor:
    for _ in range(rounds):
        trainer.enqueue()
        trainer.collect()
    return trainer.saved()["x"]


def _distance(found: torch.Tensor, expected: torch.Tensor) -> float:
    return (found.cpu() - expected.cpu()).abs().max().item()
