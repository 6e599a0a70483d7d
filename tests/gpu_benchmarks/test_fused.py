"""Gradients by hand, on fused kernels: those of `gradients.loop`. Without Triton the kernels are what they promise, in PyTorch."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest
import torch

import kernels_in_torch
from gpu_benchmarks import fused, gradients, selfcheck, tuning
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.device import arithmetic
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.federation import federated
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.layers import Statistics
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.selfcheck import Sound

CPU, CUDA = torch.device("cpu"), torch.device("cuda")
NAMES = (
    "convolve", "statistics", "normalise", "masked", "convolve_back", "through_normalisation",
    "weight_gradients", "gather_weight_gradients",
)  # fmt: skip


@pytest.fixture
def in_torch(monkeypatch):
    monkeypatch.setattr(fused, "kernels", kernels_in_torch)


def batch_of(net: Architecture, clients: int, each: int):
    generator = torch.Generator().manual_seed(0)
    x = net.initial(0, torch.float64)
    x += 0.05 * torch.randn(
        len(x), dtype=x.dtype, generator=generator
    )  # scales and shifts that are not 1 and 0
    images = torch.randn(clients * each, 3, 32, 32, dtype=x.dtype, generator=generator)
    return x, images, torch.randint(net.classes, (clients * each,), generator=generator)


@pytest.mark.parametrize(
    ("blocks", "width", "clients", "each"), [(1, 4, 3, 5), (2, 16, 2, 3), (1, 32, 2, 2), (3, 8, 3, 2)]
)
def test_gradients_are_those_of_the_loop(blocks, width, clients, each, in_torch):
    net = Architecture(blocks, width)
    x, images, labels = batch_of(net, clients, each)
    expected = gradients.loop(net, x, images, labels, clients)
    found = fused.of_clients(net, x.float(), images.float(), labels, clients)
    assert found.gradients.shape == (clients, net.dimension)
    assert (found.losses - expected.losses).abs().max() < 1e-5
    for name, part in net.unflatten(found.gradients).items():
        right = net.unflatten(expected.gradients)[name]
        assert (part - right).norm() < 1e-4 * (right.norm() + 0.01 * expected.gradients.norm()), name


def test_in_bfloat16_gradients_are_as_near_as_layer_by_layer(in_torch):
    net, clients = Architecture(1, 16), 2
    x, images, labels = batch_of(net, clients, 6)
    expected = gradients.loop(net, x, images, labels, clients).gradients
    given = net, x.float(), images.float(), labels, clients
    ours = fused.of_clients(*given, precision="bf16").gradients
    layers = gradients.of_clients(*given, precision="bf16").gradients
    assert (ours - expected).norm() < 1.2 * (layers - expected).norm()


def test_statistics_are_those_of_every_client(in_torch):
    net, clients = Architecture(1, 16), 3
    x, images, labels = batch_of(net, clients, 4)
    found = Statistics.zeros(net.norm_channels, clients, x.float())
    fused.of_clients(net, x.float(), images.float(), labels, clients, found)
    expected = Statistics.zeros(net.norm_channels, clients, x)
    gradients.of_clients(net, x, images, labels, clients, expected)
    for ours, right in zip(
        (*found.means, *found.variances), (*expected.means, *expected.variances), strict=True
    ):
        assert torch.allclose(ours.double(), right, rtol=1e-4, atol=1e-5)


def test_a_run_on_fused_kernels_is_the_run(in_torch):
    """Pass with a short last mini-batch, memories from the first gradient, noise."""
    config = Config(
        data="synthetic", images=84, clients=2, batch=16, rounds=2, blocks=1, width=4, private=True
    )
    config = with_readings(
        config, augmentation="crop-and-flip", memories="first-gradient", noise="variance of the vector"
    )
    found = []
    for rules in (Rules(fused=True), Rules()):
        trainer = Trainer(config, federated(config), CPU, rules, joint=True)
        for _ in range(2):
            trainer.enqueue()
            trainer.collect()
        found.append(trainer.saved())
    for name, ours in found[0].items():
        assert torch.allclose(ours, found[1][name], rtol=1e-4, atol=1e-5), name


def test_where_clients_are_apart_nothing_is_fused(monkeypatch):
    """Several local steps: only the first is at a common point."""
    calls = []
    monkeypatch.setattr(
        fused,
        "of_clients",
        lambda net, x, *more: calls.append(x.ndim) or gradients.of_clients(net, x, *more[:-1]),
    )
    config = Config(
        data="synthetic",
        images=64,
        clients=2,
        batch=16,
        blocks=1,
        width=2,
        method="fed_alpha_normec",
        local_steps=2,
    )
    trainer = Trainer(config, federated(config), CPU, Rules(fused=True), joint=True)
    trainer.enqueue()
    assert calls == [1] * trainer.iterations_per_round


def test_what_the_kernels_are_for(in_torch):
    net = Architecture()
    assert fused.supports(net, CUDA, "bf16")
    assert not fused.supports(net, CPU, "bf16")
    assert not fused.supports(net, CUDA, "float64")
    assert not fused.supports(Architecture(width=6), CUDA, "bf16"), "no power of two"


def test_without_triton_there_are_none(monkeypatch):
    monkeypatch.setattr(fused, "kernels", None)
    assert not fused.supports(Architecture(), CUDA, "bf16")


def test_sound_kernels_are_taken_and_a_record_says_so(in_torch):
    sound = Sound(("loop",), graphs=True, fused=True)
    rules = tuning.rules_for(Architecture(), 10, 32, "bf16", CUDA, sound)
    assert rules == Rules(fused=True)
    assert rules.names() == {"default": "fused"}


def _checks(monkeypatch, of_clients):
    """The selfcheck's verdict on kernels that are taken to be at hand."""
    monkeypatch.setattr(fused, "supports", lambda *asked: True)
    monkeypatch.setattr(fused, "of_clients", of_clients)
    return selfcheck.sound(CPU, Architecture(1, 2))


def test_selfcheck_takes_right_kernels(in_torch, monkeypatch):
    assert _checks(monkeypatch, fused.of_clients).fused


def test_selfcheck_does_without_wrong_kernels(in_torch, monkeypatch):
    right = fused.of_clients

    def wrong(*asked):
        found = right(*asked)
        return found._replace(gradients=1.001 * found.gradients)

    assert not _checks(monkeypatch, wrong).fused


def test_selfcheck_does_without_kernels_that_are_refused(monkeypatch):
    def refused(*asked):
        raise AttributeError("no such instruction\nand more")

    said = []
    monkeypatch.setattr(fused, "supports", lambda *asked: True)
    monkeypatch.setattr(fused, "of_clients", refused)
    assert not selfcheck.sound(CPU, Architecture(1, 2), lambda check: said.append(str(check))).fused
    assert "gradients in float32, fused kernels (no such instruction): off by inf, FAILED" in said


# --- the kernels themselves -----------------------------------------------------------------------------

INTERPRETED = """
import sys
from types import SimpleNamespace
import torch
sys.path.insert(0, "tests/gpu_benchmarks")
import kernels_in_torch
from gpu_benchmarks import fused, kernels
from gpu_benchmarks.resnet import Architecture

worst = {}

class Both:
    def __init__(self, name):
        self.name = name

    def __getitem__(self, grid):
        def run(*given, **sizes):
            again = [a.clone() if isinstance(a, torch.Tensor) else a for a in given]
            getattr(kernels, self.name)[grid](*given, **sizes)
            getattr(kernels_in_torch, self.name)[grid](*again, **sizes)
            for ours, right in zip(given, again):
                if isinstance(ours, torch.Tensor) and ours.is_floating_point():
                    if ours.ndim == 4 and ours.shape[2] == 2 and ours.shape[1] == grid[1]:
                        ours, right = ours.sum(1), right.sum(1)  # sums over parts
                    if self.name == "weight_gradients" and ours.ndim == 5:
                        padded = sizes["padded"]
                        ours, right = (t.sum(0)[..., : 3 * padded] for t in (ours, right))
                    off = (ours - right).abs().max().item() / (1 + right.abs().max().item())
                    worst[self.name] = max(worst.get(self.name, 0.0), off)
        return run

fused.kernels = SimpleNamespace(**{name: Both(name) for name in NAMES})
net, generator = Architecture(1, 16), torch.Generator().manual_seed(0)
x = net.initial(0) + 0.05 * torch.randn(net.dimension, generator=generator)
real = torch.Tensor.new_empty
torch.Tensor.new_empty = lambda self, *shape, **how: real(self, *shape, **how).fill_(float("nan"))
images, labels = torch.randn(4, 3, 32, 32, generator=generator), torch.randint(10, (4,), generator=generator)
fused.of_clients(net, x, images, labels, 2)
print(worst)
assert sorted(worst) == sorted(NAMES), worst
assert max(worst.values()) < 1e-5, worst
"""


def _interpreter() -> bool:
    """Triton's, which takes arrays of one number for numbers, as numpy did before 2.4."""
    return importlib.util.find_spec("triton") is not None and np.lib.NumpyVersion(np.__version__) < "2.4.0"


@pytest.mark.slow
@pytest.mark.skipif(not _interpreter(), reason="needs Triton, and numpy before 2.4 for its interpreter")
def test_every_kernel_does_what_it_promises():
    """Interpreted on a CPU, each kernel on the same arguments as its double in PyTorch."""
    environment = dict(os.environ, TRITON_INTERPRET="1")
    program = f"NAMES = {NAMES!r}\n" + INTERPRETED
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize(("precision", "worst"), [("float32", 1e-4), ("tf32", 0.06), ("bf16", 0.3)])
def test_on_a_gpu_gradients_are_as_near_to_those_of_the_loop_as_their_arithmetic_allows(precision, worst):
    net, clients = Architecture(), 10
    x, images, labels = batch_of(net, clients, 4)
    expected = gradients.loop(net, x, images, labels, clients).gradients
    there = x.float().cuda(), images.float().cuda(), labels.cuda(), clients
    with arithmetic(precision):
        found = fused.of_clients(net, *there, None, precision).gradients
    assert (found.cpu() - expected).norm() < worst * expected.norm()


def test_the_doubles_are_those_of_all_kernels():
    assert {
        name for name, what in vars(kernels_in_torch).items() if isinstance(what, kernels_in_torch.Kernel)
    } == set(NAMES)
