"""What a CUDA graph forbids inside an iteration, watched on a CPU: the host must not read a value, and nothing may
be copied from the host or depend in shape on a value. Every operator that PyTorch dispatches is seen.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.device_randomness import DeviceRandomness
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.federation import federated
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.layers import WEIGHT_GRADIENTS

CPU = torch.device("cpu")
BASE = Config(data="synthetic", clients=4, batch=16, rounds=2, blocks=1, width=2)

READS = {"_local_scalar_dense", "item", "is_nonzero", "equal"}
SHAPES = {
    "nonzero",
    "masked_select",
    "_unique2",
    "unique_dim",
    "unique_consecutive",
    "bincount",
    "repeat_interleave",
}
COPIES = {"lift_fresh", "lift_fresh_copy", "from_file"}  # torch.tensor(...) and its like: made on the host


class Watch(TorchDispatchMode):
    """Collects the operators that a captured iteration must not call."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.calls = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.calls += 1
        name = function.overloadpacket.__name__
        by_mask = name in ("index", "index_put_", "index_put") and any(
            i is not None and i.dtype in (torch.bool, torch.uint8) for i in args[1]
        )
        if by_mask or name in READS | SHAPES | COPIES:
            self.found.append(name)
        return function(*args, **(kwargs or {}))


def watched(function) -> Watch:
    with Watch() as watch:
        function()
    return watch


CASES = {
    "α-NormEC": {},
    "α-NormEC, server normalisation, private": {"server_normalisation": True, "private": True},
    "Clip21": {"method": "clip21"},
    "DP-SGD, smoothed": {"method": "dp_sgd", "private": True},
    "DP-SGD, clipped": {"method": "dp_sgd_clip"},
    "SGD": {"method": "sgd"},
    "Fed-α-NormEC, partial, private": {"method": "fed_alpha_normec", "participation": 0.5, "private": True},
    "Fed-α-NormEC, T = 2": {"method": "fed_alpha_normec", "local_steps": 2},
    "FedAvg": {"method": "fedavg", "participation": 0.5, "private": True},
    "bf16": {"precision": "bf16"},
    "TF32": {"precision": "tf32"},
}


@pytest.mark.parametrize("change", CASES.values(), ids=list(CASES))
def test_an_iteration_and_a_test_never_wait_for_the_host(change):
    config = with_readings(replace(BASE, **change), augmentation="crop-and-flip")
    trainer = Trainer(config, federated(config), CPU, joint=True)
    for iteration, group in enumerate(dict.fromkeys(trainer.groups)):
        trainer.prepare(iteration)
        watch = watched(lambda group=group: trainer.advance(group))
        assert watch.calls > 100, "the watch saw nothing"
        assert watch.found == []
    assert watched(trainer.evaluate).found == []


def test_idle_memories_never_wait_for_the_host():
    config = replace(BASE, method="fed_alpha_normec", participation=0.5)
    config = with_readings(
        config, absent="idle", statistics="mean", batches="independent", memories="first-gradient"
    )
    trainer = Trainer(config, federated(config), CPU, joint=True)
    assert watched(lambda: trainer.advance(trainer.prepare(0))).found == []


class Places(TorchDispatchMode):
    """Collects the operators that touch a tensor on the CPU."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.calls = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.calls += 1
        result = function(*args, **(kwargs or {}))
        tensors = [t for t in tree_leaves((args, kwargs, result)) if isinstance(t, Tensor)]
        if any(tensor.device == CPU for tensor in tensors):
            self.found.append(function.overloadpacket.__name__)
        return result


def elsewhere(value):
    """The same with every tensor on PyTorch's device without memory."""
    if isinstance(value, Tensor):
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
    if is_dataclass(value):
        new = object.__new__(type(value))
        for item in fields(value):
            object.__setattr__(new, item.name, elsewhere(getattr(value, item.name)))
        return new
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(map(elsewhere, value))
    return {name: elsewhere(v) for name, v in value.items()} if isinstance(value, dict) else value


class MetaRandomness(DeviceRandomness):
    """The meta device has no generators."""

    def __init__(self) -> None:
        object.__setattr__(self, "generator", None)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        *((change, "loop") for change in CASES.values()),
        *(({}, rule) for rule in WEIGHT_GRADIENTS if rule != "loop"),
    ],
    ids=[*CASES, *(rule for rule in WEIGHT_GRADIENTS if rule != "loop")],
)
def test_an_iteration_and_a_test_stay_on_their_device(change, rule):
    """With everything a trainer owns on another device, no operator meets a tensor on the host: what is copied to a GPU
    or back is copied while the host waits, which no capture allows.
    """
    config = with_readings(replace(BASE, **change), augmentation="crop-and-flip")
    trainer = Trainer(config, federated(config), CPU, Rules(default=rule), joint=True)
    for name in ("data", "plans", "pixels", "statistics", "means", "variances", "move", "loss", "test"):
        setattr(trainer, name, elsewhere(getattr(trainer, name)))
    trainer.buffers = elsewhere(trainer.buffers)
    trainer.state = replace(trainer.state, **trainer.buffers)
    trainer.randomness = MetaRandomness()
    with Places() as places:
        for group in dict.fromkeys(trainer.groups):
            trainer.advance(group)
        trainer.evaluate()
    assert places.calls > 100, "the watch saw nothing"
    assert places.found == []


def test_the_watch_of_devices_sees_what_is_forbidden():
    x = torch.ones(3, device="meta")
    with Places() as places:
        x * torch.tensor(2.0)
    assert "mul" in places.found


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (lambda x: x.sum().item(), "_local_scalar_dense"),
        (lambda x: x if x.sum() > 0 else -x, "_local_scalar_dense"),
        (lambda x: x * torch.tensor(2.0), "lift_fresh"),
        (lambda x: x[x > 0], "index"),
        (lambda x: x.nonzero(), "nonzero"),
    ],
    ids=["item", "if", "constant", "mask", "nonzero"],
)
def test_the_watch_sees_what_is_forbidden(wrong, name):
    x = torch.ones(3)
    assert name in watched(lambda: wrong(x)).found


def test_buffers_stay_where_they_were_captured():
    """A graph replays on addresses: an iteration, a test, a new pass and a restored checkpoint must move none."""
    trainer = Trainer(replace(BASE, private=True), federated(BASE), CPU, joint=True)
    tensors = [*trainer.all_buffers(), *(plan.indices for plan in trainer.plans.values())]
    before = [tensor.data_ptr() for tensor in tensors]
    for _ in range(2):
        trainer.enqueue()
    trainer.restore(trainer.saved(), 2)
    trainer.enqueue()
    after = [*trainer.all_buffers(), *(plan.indices for plan in trainer.plans.values())]
    assert [tensor.data_ptr() for tensor in after] == before
    assert trainer.state.x.data_ptr() == trainer.buffers["x"].data_ptr()


class Arithmetic(TorchDispatchMode):
    """Collects in which arithmetic a GPU would compute convolutions, the linear layer and the lengths of messages."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, set[tuple[str, str]]] = {}

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        modes = (torch.backends.cudnn.conv.fp32_precision, torch.backends.cuda.matmul.fp32_precision)
        self.found.setdefault(function.overloadpacket.__name__, set()).add(modes)
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize(("precision", "mode"), [("tf32", "tf32"), ("float32", "ieee"), ("bf16", "ieee")])
def test_lengths_of_messages_are_in_float32_whatever_the_network_is_in(precision, mode):
    config = replace(BASE, precision=precision)
    trainer = Trainer(config, federated(config), CPU, joint=True)
    group = trainer.prepare(0)
    with Arithmetic() as seen:
        trainer.advance(group)
        trainer.evaluate()
    for name in ("convolution", "convolution_backward", "baddbmm", "addmm"):
        assert seen.found[name] == {(mode, mode)}, name
    ((_, products),) = seen.found["linalg_vector_norm"]  # ‖g − g_i‖
    assert products in ("none", "ieee")
