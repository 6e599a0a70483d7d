"""Gradients by hand, on fused kernels: those of `gradients.loop`. Without Triton the kernels are what they promise, in PyTorch."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import torch

import kernels_in_torch
from gpu_benchmarks import fused, gradients, selfcheck, tuning
from gpu_benchmarks.commands import shared
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.device import arithmetic
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.federation import federated
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.layers import Statistics
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.selfcheck import Sound
from gpu_benchmarks.training import Options, train

CPU, CUDA = torch.device("cpu"), torch.device("cuda")
NAMES = (
    "convolve", "statistics", "normalise", "masked", "convolve_back", "through_normalisation",
    "weight_gradients", "gather_weight_gradients", "linear", "gather_linear", "mini_batch",
)  # fmt: skip


@pytest.fixture
def in_torch(monkeypatch):
    monkeypatch.setattr(fused, "kernels", kernels_in_torch)


@pytest.fixture
def at_hand(in_torch, monkeypatch):
    """As if this were a GPU with Triton."""
    monkeypatch.setattr(fused, "supports", lambda *asked: True)


def batch_of(net: Architecture, clients: int, each: int):
    generator = torch.Generator().manual_seed(0)
    x = net.initial(0, torch.float64)
    x += 0.05 * torch.randn(
        len(x), dtype=x.dtype, generator=generator
    )  # scales and shifts that are not 1 and 0
    images = torch.randn(clients * each, 3, 32, 32, dtype=x.dtype, generator=generator)
    return x, images, torch.randint(net.classes, (clients * each,), generator=generator)


@pytest.mark.parametrize(
    ("blocks", "width", "clients", "each"),
    [(1, 4, 3, 5), (2, 16, 2, 3), (1, 16, 1, 3), (3, 8, 3, 2), (1, 2, 20, 1)],
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


def test_a_run_on_fused_kernels_is_the_run(at_hand):
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
        assert (ours - found[1][name]).norm() < 1e-3 * found[1][name].norm(), name


def test_where_clients_are_apart_their_gradients_are_not_fused(at_hand, monkeypatch):
    """Several local steps: only the first is at a common point."""
    calls = []

    def seen(net, x, *more):
        calls.append(x.ndim)
        return gradients.of_clients(net, x, *more[:-1])

    monkeypatch.setattr(fused, "of_clients", seen)
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


def test_a_run_that_the_kernels_are_not_for_goes_layer_by_layer_and_its_record_says_so(in_torch, monkeypatch):
    """A queue may hold runs of other widths and arithmetics than those that were checked."""
    monkeypatch.setattr(fused, "of_clients", lambda *asked: pytest.fail("asked for"))
    config = Config(data="synthetic", images=40, clients=2, batch=16, blocks=1, width=6, rounds=1)
    record = train(config, federated(config), Options(CPU, rules=Rules(fused=True)))
    assert record.provenance["weight_gradients"] == {"default": "loop"}
    assert "triton" not in record.provenance["versions"]


def test_what_is_no_number_is_none_after_a_relu(in_torch):
    """A run that diverges must be seen to."""
    net = Architecture(1, 4)
    x, images, labels = batch_of(net, 2, 3)
    images[0, 0, 5, 5] = float("nan")
    found = fused.of_clients(net, x.float(), images.float(), labels, 2)
    assert found.losses.isnan().tolist() == [True, False]


def test_more_images_than_the_kernels_can_count_are_refused(in_torch):
    """2³¹ − 1 numbers in a tensor of 32 · 32 · 16 an image."""
    net = Architecture()
    images = torch.zeros(1, 3, 1, 1).expand(131_072, 3, 32, 32)
    with pytest.raises(
        InputError, match="131072 images at once: the fused kernels take at most 131071; take fewer"
    ):
        fused.of_clients(net, net.initial(0, torch.float32), images, torch.zeros(131_072).long(), 10)


def test_what_the_kernels_are_for(in_torch):
    net = Architecture()
    assert fused.supports(net, CUDA, "bf16")
    assert not fused.supports(net, CPU, "bf16")
    assert not fused.supports(net, CUDA, "float64")
    assert not fused.supports(Architecture(width=6), CUDA, "bf16"), "no power of two"
    assert not fused.supports(Architecture(width=64), CUDA, "bf16"), "more than a multiprocessor holds"


def test_without_triton_there_are_none(monkeypatch):
    monkeypatch.setattr(fused, "kernels", None)
    assert not fused.supports(Architecture(), CUDA, "bf16")


def test_sound_kernels_are_taken_and_a_record_says_so(in_torch):
    sound = Sound(("loop",), graphs=True, fused=True)
    rules = tuning.rules_for(Architecture(), 10, 32, "bf16", CUDA, sound)
    assert rules == Rules(fused=True)
    assert rules.names() == {"default": "fused"}


@pytest.fixture
def fused_alone(at_hand, monkeypatch):
    """The selfcheck without what it checks of the layers."""
    for others in ("_of_gradients", "_of_runs"):
        monkeypatch.setattr(selfcheck, others, lambda *asked: iter(()))


def test_selfcheck_takes_right_kernels(fused_alone):
    said = []
    found = selfcheck.sound(CPU, Architecture(1, 2), lambda check: said.append(str(check)), "tf32")
    assert found.fused
    (beside,) = [line for line in said if "gradients in tf32, fused kernels" in line]
    assert re.search(r"error as a multiple of that layer by layer: off by [\d.]+, passed", beside)


@pytest.mark.parametrize("precision", ["float32", "tf32"])
def test_selfcheck_does_without_wrong_kernels(precision, fused_alone, monkeypatch):
    right = fused.of_clients

    def wrong(*asked, **how):
        found = right(*asked, **how)
        if how.get("precision", "float32") != precision:
            return found
        gradients = found.gradients.clone()
        gradients[:, : gradients.shape[1] // 3] *= -1
        return found._replace(gradients=gradients)

    monkeypatch.setattr(fused, "of_clients", wrong)
    assert not selfcheck.sound(CPU, Architecture(1, 2), precision="tf32").fused


@pytest.mark.parametrize("precision", ["float32", "bf16"])
@pytest.mark.parametrize("what", ["one image flipped", "one label"])
def test_selfcheck_does_without_a_kernel_that_makes_another_mini_batch(
    what, precision, fused_alone, monkeypatch
):
    right, said = fused.mini_batch, []

    def wrong(*asked):
        images, labels = right(*asked)
        if what == "one label":
            labels[-1] = (labels[-1] + 1) % 10
        else:
            images[-1] = images[-1].flip(2)
        return images, labels

    monkeypatch.setattr(fused, "mini_batch", wrong)
    found = selfcheck.sound(CPU, Architecture(1, 2), lambda check: said.append(str(check)), precision)
    assert not found.fused
    (line,) = [line for line in said if "FAILED" in line]
    assert line.startswith(f"a mini-batch in {precision}, fused kernels: off by ")


def test_selfcheck_does_without_kernels_that_are_refused(fused_alone, monkeypatch):
    def refused(*asked, **how):
        raise AttributeError("no such instruction\nand more")

    said = []
    monkeypatch.setattr(fused, "of_clients", refused)
    assert not selfcheck.sound(CPU, Architecture(1, 2), lambda check: said.append(str(check))).fused
    assert "gradients in float32, fused kernels (no such instruction): off by inf, FAILED" in said


def test_training_on_a_gpu_takes_what_was_found_sound(monkeypatch):
    """`train` and `sweep`; a CPU is not asked."""
    found = Sound(("loop",), graphs=False, fused=True)
    monkeypatch.setattr(shared, "sound", lambda device, net, say, precision: found)
    how = shared.checked(Options(CUDA), [Config()])
    assert (how.rules.fused, how.graphs) == (True, False)
    for unasked in ((Options(CPU), [Config()]), (Options(CUDA), [])):
        assert shared.checked(*unasked) is unasked[0]


# --- the kernels themselves -----------------------------------------------------------------------------

INTERPRETED = """
import sys
from types import SimpleNamespace
import torch
sys.path.insert(0, "tests/gpu_benchmarks")
import kernels_in_torch
from gpu_benchmarks import fused, gradients, kernels
from gpu_benchmarks.batches import PAD, Data, Pixels, Plan
from gpu_benchmarks.resnet import Architecture

seen = set()

class Both:
    def __init__(self, name):
        self.name = name

    def __getitem__(self, grid):
        def run(*given, **sizes):
            again = [a.clone() if isinstance(a, torch.Tensor) else a for a in given]
            getattr(kernels, self.name)[grid](*given, **sizes)
            getattr(kernels_in_torch, self.name)[grid](*again, **sizes)
            for ours, right in zip(given, again):
                if isinstance(ours, torch.Tensor) and not ours.is_floating_point():
                    assert torch.equal(ours, right), self.name
                elif isinstance(ours, torch.Tensor):
                    if ours.ndim == 4 and ours.shape[:3] == (*grid[:2], 2):
                        ours, right = ours.sum(1), right.sum(1)  # sums over parts
                    if self.name == "weight_gradients" and ours.ndim == 5:
                        ours, right = (t.sum(0)[..., : 3 * sizes["padded"]] for t in (ours, right))
                    # what neither writes is NaN in both
                    near = 1e-5 * (1 + right.nan_to_num().abs().max().item())
                    if ours.dtype == torch.bfloat16:  # the interpreter cuts off where a GPU rounds: less than the last of 8 bits
                        assert torch.allclose(ours.float(), right.float(), rtol=2.0**-7, atol=0), self.name
                    else:
                        assert torch.allclose(ours, right, rtol=0, atol=near, equal_nan=True), self.name
                    seen.add(self.name)
        return run

fused.kernels = SimpleNamespace(**{name: Both(name) for name in NAMES})
net, generator = Architecture(1, 16), torch.Generator().manual_seed(0)
x = net.initial(0) + 0.05 * torch.randn(net.dimension, generator=generator)
real = torch.Tensor.new_empty
def poisoned(self, *shape, **how):
    found = real(self, *shape, **how)
    return found.fill_(float("nan")) if found.is_floating_point() else found
torch.Tensor.new_empty = poisoned
images, labels = torch.randn(4, 3, 32, 32, generator=generator), torch.randint(10, (4,), generator=generator)
found = fused.of_clients(net, x, images, labels, 2)
torch.Tensor.new_empty = real
for moved in (True, False):
    moves = torch.cat([torch.randint(2 * PAD + 1, (3, 4, 2)), torch.randint(2, (3, 4, 1))], 2) if moved else None
    plan = Plan(torch.randint(9, (3, 4)), moves, torch.tensor([1]))
    bytes, answers = torch.randint(256, (9, 3, 32, 32), dtype=torch.uint8), torch.arange(9)
    data, pixels = Data(bytes, answers, plan.indices, bytes, answers), Pixels.reading("imagenet", torch.float32, bytes.device)
    for precision in ("float32", "bf16"):
        plan.position.fill_(1)
        fused.mini_batch(plan, data, pixels, precision)
        assert plan.position == 2
assert sorted(seen) == sorted(NAMES), seen
right = gradients.loop(net, x.double(), images.double(), labels, 2)
assert torch.allclose(found.losses.double(), right.losses, atol=1e-5)
assert torch.allclose(found.gradients.double(), right.gradients, atol=1e-5)
thin = Architecture(1, 4)  # fewer channels than a matrix product is filled up to
at = thin.initial(0) + 0.05 * torch.randn(thin.dimension, generator=generator)
right = gradients.loop(thin, at.double(), images.double(), labels, 2)
assert torch.allclose(fused.of_clients(thin, at, images, labels, 2).gradients.double(), right.gradients, atol=1e-5)
fused.kernels, images[0] = kernels, float("nan")
assert fused.of_clients(net, x, images, labels, 2).losses.isnan().tolist() == [True, False]
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
