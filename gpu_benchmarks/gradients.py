"""Gradients of all clients in one go, and the slow ways to the same numbers that they are checked against.

Every function returns `Gradients`: the clients' mean losses (clients,) and their gradients (clients, d).
Images are (batch·clients, 3, H, W), labels (batch·clients,), interleaved as `layers` says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.func import grad_and_value, vmap

from gpu_benchmarks.layers import Apart, Plain, Shared, Statistics, Widened
from gpu_benchmarks.resnet import Architecture

S = TypeVar("S")
T = TypeVar("T")


class Gradients(NamedTuple):
    losses: Tensor  # (clients,)
    gradients: Tensor  # (clients, d)


@dataclass(frozen=True)
class Rules:
    """Which weight-gradient rule a convolution takes: by (in, out, stride), else the default. The rules
    agree up to rounding, so a run that must be repeated to the last bit must keep them.

    fused: mini-batches, and where all clients are at one point gradients too, by the kernels of `gpu_benchmarks.fused` instead.
    """

    by_shape: dict[tuple[int, int, int], str] = field(default_factory=dict)
    default: str = "loop"
    fused: bool = False

    def names(self) -> dict[str, str]:
        """For a record."""
        by_shape = {"x".join(map(str, shape)): rule for shape, rule in self.by_shape.items()}
        return {"default": "fused" if self.fused else self.default, **by_shape}


def of_clients(
    net: Architecture,
    x: Tensor,
    images: Tensor,
    labels: Tensor,
    clients: int,
    statistics: Statistics | None = None,
    rules: Rules | None = None,
    precision: str = "float32",
) -> Gradients:
    """Gradients of all clients: at one common point x (d,), or each at its own, x (clients, d).

    At a common point there is one forward pass and one backward pass over all images; only weight gradients
    are computed client by client. precision: see `config.PRECISIONS`; the result has the dtype of x.
    """
    rules = rules or Rules()
    if x.ndim == 1:
        layers = Shared(clients, statistics, rules.by_shape, rules.default)
        points = x.expand(clients, -1)
    else:
        layers, points = Apart(clients, statistics), x
    parameters = {n: p.detach().requires_grad_() for n, p in cast(net.unflatten(points), precision).items()}
    logits = net.forward(parameters, cast_images(images, precision), layers).to(x.dtype)
    losses = cross_entropy(logits, labels, clients)
    # Clients share no images, so the gradient of the sum holds every client's own gradient.
    found = torch.autograd.grad(losses.sum(), list(parameters.values()))
    return Gradients(losses.detach(), net.flatten([g.to(x.dtype) for g in found]))


def by_client(
    net: Architecture,
    x: Tensor,
    images: Tensor,
    labels: Tensor,
    clients: int,
    statistics: Statistics | None = None,
    precision: str = "float32",
) -> Gradients:
    """What `of_clients` returns, up to rounding, on a CPU: each client by itself, as many at a time as PyTorch has threads.

    One client's activations fit a core's cache, where those of all clients do not, and they lie channels last, as a
    CPU's convolutions want them. No bit depends on the number of threads, as long as there are no more than clients.
    """

    def one(c: int) -> Gradients:
        own = images[c::clients].contiguous(memory_format=torch.channels_last)
        point, kept = x if x.ndim == 1 else x[c], None if statistics is None else statistics.of(c, clients)
        return plain(net, point, own, labels[c::clients], precision, kept)

    found = on_cores(one, range(clients))
    return Gradients(torch.cat([f.losses for f in found]), torch.cat([f.gradients for f in found]))


def on_cores(function: Callable[[S], T], items: Sequence[S]) -> list[T]:
    """The function of each item, in their order, as many at a time as PyTorch has threads: on a CPU faster than each on all threads,
    which wait for one another many times a layer, longest where other processes take their cores.
    """
    threads = torch.get_num_threads()
    workers = min(threads, len(items))
    # The number of threads is each thread's own.
    with ThreadPoolExecutor(workers, "item", torch.set_num_threads, (threads // workers,)) as pool:
        return list(pool.map(function, items))


def cast(parameters: dict[str, Tensor], precision: str) -> dict[str, Tensor]:
    """Parameters as the network takes them: in bf16, convolutions and the linear layer (batch norm stays)."""
    if precision != "bf16":
        return parameters
    kept = (".scale", ".shift")
    return {n: p if n.endswith(kept) else p.to(torch.bfloat16) for n, p in parameters.items()}


def cast_images(images: Tensor, precision: str) -> Tensor:
    return images.to(torch.bfloat16) if precision == "bf16" else images


def cross_entropy(logits: Tensor, labels: Tensor, clients: int) -> Tensor:
    """Each client's mean loss, (clients,)."""
    return F.cross_entropy(logits, labels, reduction="none").view(-1, clients).mean(0)


def loop(
    net: Architecture, x: Tensor, images: Tensor, labels: Tensor, clients: int, precision: str = "float32"
) -> Gradients:
    """The reference: one client after the other, textbook layers. x is (d,) or (clients, d)."""
    losses, found = [], []
    for c in range(clients):
        point = x if x.ndim == 1 else x[c]
        one = plain(net, point, images[c::clients], labels[c::clients], precision)
        losses.append(one.losses)
        found.append(one.gradients)
    return Gradients(torch.cat(losses), torch.cat(found))


def plain(
    net: Architecture,
    x: Tensor,
    images: Tensor,
    labels: Tensor,
    precision: str = "float32",
    statistics: Statistics | None = None,
) -> Gradients:
    """Loss (1,) and gradient (1, d) of one batch that is nobody's: a step of ordinary SGD."""
    parameters = {n: p.detach().requires_grad_() for n, p in cast(net.unflatten(x), precision).items()}
    logits = net.forward(parameters, cast_images(images, precision), Plain(statistics)).to(x.dtype)
    loss = F.cross_entropy(logits, labels)
    found = torch.autograd.grad(loss, list(parameters.values()))
    return Gradients(loss.detach()[None], torch.cat([g.flatten() for g in found]).to(x.dtype)[None])


def mapped(
    net: Architecture, x: Tensor, images: Tensor, labels: Tensor, clients: int, precision: str = "float32"
) -> Gradients:
    """`torch.func.vmap` over clients of the gradient of one client's loss. x is (d,) or (clients, d)."""

    def loss(flat: Tensor, own: Tensor, own_labels: Tensor) -> Tensor:
        parameters = cast(net.unflatten(flat), precision)
        logits = net.forward(parameters, cast_images(own, precision), Widened())
        return F.cross_entropy(logits.to(flat.dtype), own_labels)

    per_client = images.unflatten(0, (-1, clients)).transpose(0, 1)
    per_client_labels = labels.view(-1, clients).T
    points = None if x.ndim == 1 else 0
    found, losses = vmap(grad_and_value(loss), in_dims=(points, 0, 0))(x, per_client, per_client_labels)
    return Gradients(losses.detach(), found.detach())
