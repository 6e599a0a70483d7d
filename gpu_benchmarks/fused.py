"""Gradients of all clients at one point by hand: ResNet-20's forward and backward pass with the kernels of
`gpu_benchmarks.kernels`, for GPUs.

Between two convolutions a tensor is read and written as seldom as it can be: normalisation, ReLU and shortcut are one pass a
direction beside the sums that they need, and where there are few channels a convolution takes these sums along; others are
cuDNN's. Weight gradients are computed client by client, straight into (clients, d). What `gradients.of_clients` computes, up to
rounding: `selfcheck` compares them before anything is run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from gpu_benchmarks.batches import PAD, Data, Pixels, Plan
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.gradients import Gradients
from gpu_benchmarks.launches import (
    AT_ONCE,
    CONVOLVE,
    CONVOLVE_BACK,
    IN_A_PART,
    OTHERWISE,
    ROOM,
    WEIGHTS,
)
from gpu_benchmarks.layers import EPSILON, Statistics
from gpu_benchmarks.resnet import Architecture

kernels: Any
try:
    from gpu_benchmarks import kernels
except ImportError:  # Triton comes with PyTorch's builds for GPUs alone
    kernels = None


WIDTHS = (2, 4, 8, 16)  # powers of two, and what a multiprocessor holds
MOST = 2**31 - 1  # numbers in a tensor: offsets have 32 bits
FEW_CHANNELS = 32
"""Up to so many, convolutions are those of `kernels`, in half the time of cuDNN's on an H200. Of more, the weights do not fit beside
the images in what a multiprocessor holds: with 64, loaded again at every step, they took longer than cuDNN's with `statistics`."""


def supports(net: Architecture, device: torch.device, precision: str) -> bool:
    """Whether the kernels can be used: on a GPU with Triton, for 2, 4, 8 or 16 channels in the first stage, not in float64."""
    return kernels is not None and device.type == "cuda" and net.width in WIDTHS and precision != "float64"


def mini_batch(plan: Plan, data: Data, pixels: Pixels, precision: str) -> tuple[Tensor, Tensor]:
    """The images, in channels-last order and the arithmetic of the run, and labels of a plan's next iteration."""
    assert all(t.is_contiguous() for t in (data.images, data.labels, plan.indices))
    count = plan.indices.shape[1]
    dtype = torch.bfloat16 if precision == "bf16" else torch.float32
    images = torch.empty(
        (count, *data.images.shape[1:]),
        dtype=dtype,
        device=data.images.device,
        memory_format=torch.channels_last,
    )
    labels = data.labels.new_empty(count)
    kernels.mini_batch[(count,)](
        data.images,
        data.labels,
        plan.indices,
        plan.indices if plan.moves is None else plan.moves,
        plan.position,
        pixels.scale,
        pixels.shift,
        images,
        labels,
        count,
        PAD,
        side=data.images.shape[2],
        augmented=plan.moves is not None,
    )
    plan.position += 1
    return images, labels


@dataclass(frozen=True)
class _Convolved:
    """A convolution's output, and for each part of a client's rows the sums of it and of its squares."""

    x: Tensor
    partial: Tensor  # (clients, parts, 2, C)


@dataclass(frozen=True)
class _Activation:
    """y = relu(normalised x + shortcut), and what the backward pass needs of it."""

    x: Tensor
    y: Tensor
    means: Tensor  # (clients · C,)
    roots: Tensor


@dataclass(frozen=True)
class _Shortcut:
    """A tensor that goes around a block or comes back: with its stride, and how many channels fewer or more it has."""

    x: Tensor
    stride: int
    channels: int


def of_clients(
    net: Architecture,
    x: Tensor,
    images: Tensor,
    labels: Tensor,
    clients: int,
    statistics: Statistics | None = None,
    precision: str = "float32",
) -> Gradients:
    """As `gradients.of_clients` at a common point x (d,), float32. Raises `InputError` for more images than the kernels can count."""
    if len(images) * images[0, 0].numel() * net.width > MOST:
        most = MOST // (images[0, 0].numel() * net.width)
        raise InputError(
            f"{len(images)} images at once: the fused kernels take at most {most}; take fewer clients or a smaller batch"
        )
    return _Pass(net, x, clients, len(images) // clients, statistics, precision).gradients(images, labels)


class _Pass:
    """One forward and one backward pass over a joint mini-batch."""

    def __init__(
        self,
        net: Architecture,
        x: Tensor,
        clients: int,
        batch: int,
        statistics: Statistics | None,
        precision: str,
    ) -> None:
        self.net, self.x, self.clients, self.batch = net, x, clients, batch
        self.dtype = torch.bfloat16 if precision == "bf16" else torch.float32
        # bfloat16 is taken as it is; float32 as three products of TF32, which is as exact to a bit or two
        self.multiplied = {"tf32": "tf32", "float32": "tf32x3"}.get(precision)
        channels = net.norm_channels
        if statistics is None:
            statistics = Statistics.zeros(channels, clients, x)
        self.statistics, self.processors = statistics, _processors(x.device)
        self.found = x.new_empty(clients, net.dimension)
        self.start = {p.name: p.offset for p in net.parameters}
        lasting = x[_channels_last_order(net, x.device)].to(self.dtype)
        self.weights = {
            p.name: lasting[p.offset : p.offset + p.size]
            .view(p.shape[0], 3, 3, p.shape[1])
            .permute(0, 3, 1, 2)
            for p in net.parameters
            if len(p.shape) == 4
        }

    def gradients(self, images: Tensor, labels: Tensor) -> Gradients:
        inputs = images.to(self.dtype, memory_format=torch.channels_last)
        first = h = self.activation(self.convolution(inputs, "conv", 1), "norm", 0, None)
        blocks = []
        for number, (channels, out, stride) in enumerate(self.net.stages):
            name, before = f"block{number}", h
            inner = self.convolution(before.y, f"{name}.conv1", stride)
            inner = self.activation(inner, f"{name}.norm1", 2 * number + 1, None)
            outer = self.convolution(inner.y, f"{name}.conv2", 1)
            around = _Shortcut(before.y, stride, out - channels)
            h = self.activation(outer, f"{name}.norm2", 2 * number + 2, around)
            blocks.append((name, around, before, inner, h))
        losses, above = self.head(h.y, labels)
        g, partial = self.masked(above, h, None)
        for name, around, before, inner, outer in reversed(blocks):
            grad = self.through(g, partial, outer, f"{name}.norm2")
            self.weigh(grad, inner.y, f"{name}.conv2", 1)
            inner_g, partial = self.back(grad, inner, f"{name}.conv2", 1, None)
            grad = self.through(inner_g, partial, inner, f"{name}.norm1")
            self.weigh(grad, before.y, f"{name}.conv1", around.stride)
            later = _Shortcut(g, around.stride, around.channels)
            g, partial = self.back(grad, before, f"{name}.conv1", around.stride, later)
        self.weigh(self.through(g, partial, first, "norm"), inputs, "conv", 1)
        return Gradients(losses, self.found)

    # --- convolutions ---------------------------------------------------------------------------------

    def convolution(self, x: Tensor, name: str, stride: int) -> _Convolved:
        weight = self.weights[name]
        out, channels = weight.shape[:2]
        if channels > FEW_CHANNELS:
            y = F.conv2d(x, weight, stride=stride, padding=1)
            grid = self.parts(y)
            partial = self.sums(y, grid)
            kernels.statistics[grid](
                y, partial, self.batch, positions=y[0, 0].numel(), **self.shape(y), rows=_rows(y)
            )
            return _Convolved(y, partial)
        side = x.shape[2] // stride
        y = torch.empty(
            (len(x), out, side, side), dtype=x.dtype, device=x.device, memory_format=torch.channels_last
        )
        launch = CONVOLVE.get((channels, out), OTHERWISE)
        grid = self.parts(y, launch.room)
        partial = self.sums(y, grid)
        kernels.convolve[grid](
            x,
            weight,
            y,
            partial,
            self.batch,
            clients=self.clients,
            side=side,
            stride=stride,
            precision=self.multiplied,
            **_sizes(channels, out),
            **launch.settings(self.dtype, stride),
        )
        return _Convolved(y, partial)

    def back(
        self, grad: Tensor, at: _Activation, name: str, stride: int, later: _Shortcut | None
    ) -> tuple[Tensor, Tensor]:
        """`masked`, with the gradient of a convolution's input above, from that of its output."""
        weight = self.weights[name]
        out, channels = weight.shape[:2]
        launch = CONVOLVE_BACK.get(channels) if out == channels else None
        if launch is not None:
            g, kept = torch.empty_like(at.x), later or _Shortcut(at.x, 1, 0)
            grid = self.parts(at.x, launch.room)
            partial = self.sums(at.x, grid)
            kernels.convolve_back[grid](
                grad,
                weight,
                kept.x,
                at.y,
                at.x,
                at.means,
                at.roots,
                g,
                partial,
                self.batch,
                clients=self.clients,
                side=at.x.shape[2],
                channels=channels,
                shortcut=later is not None,
                precision=self.multiplied,
                **launch.settings(self.dtype),
            )
            return g, partial
        geometry = ([stride] * 2, [1, 1], [1, 1], False, [0, 0], 1)
        above, _, _ = torch.ops.aten.convolution_backward(
            grad, at.y, weight, None, *geometry, [True, False, False]
        )
        return self.masked(_lasting(above), at, later)

    def weigh(self, grad: Tensor, x: Tensor, name: str, stride: int) -> None:
        """Every client's gradient of a convolution's weight, into `found`."""
        channels, out = x.shape[1], grad.shape[1]
        launch, sizes = WEIGHTS.get((channels, out), OTHERWISE), _sizes(channels, out)
        padded_out, whole = sizes["padded_out"], channels * out <= FEW_CHANNELS**2
        parts = launch.room * self.processors // self.clients // (1 if whole else 3)
        parts = max(1, min(parts, self.batch * grad[0, 0].numel() // 64))
        partial = self.x.new_empty(parts, self.clients, 3, padded_out, 4 * sizes["padded"])
        kernels.weight_gradients[self.clients, parts, 1 if whole else 3](
            grad,
            x,
            partial,
            self.batch,
            clients=self.clients,
            side=grad.shape[2],
            stride=stride,
            whole=whole,
            precision=self.multiplied,
            **sizes,
            **launch.settings(self.dtype, stride),
        )
        rows = min(padded_out, max(4, 64 // sizes["padded"]))
        kernels.gather_weight_gradients[self.clients, 3, padded_out // rows](
            partial,
            self.found,
            self.net.dimension,
            self.start[name],
            parts,
            clients=self.clients,
            rows=rows,
            **sizes,
        )

    # --- normalisation, ReLU, shortcut ----------------------------------------------------------------

    def parts(self, x: Tensor, room: int = ROOM) -> tuple[int, int]:
        """The programs that share a tensor: each has a part of one client's rows. room: of a multiprocessor."""
        most = room * self.processors // self.clients
        return self.clients, max(1, min(most, self.batch * x[0].numel() // IN_A_PART))

    def sums(self, x: Tensor, parts: tuple[int, int]) -> Tensor:
        return self.x.new_empty(*parts, 2, x.shape[1])

    def shape(self, x: Tensor) -> dict[str, int]:
        return {"clients": self.clients, "channels": x.shape[1]}

    def activation(
        self, convolved: _Convolved, name: str, index: int, shortcut: _Shortcut | None
    ) -> _Activation:
        x = convolved.x
        y, roots = torch.empty_like(x), self.x.new_empty(self.clients * x.shape[1])
        means, variances = self.statistics.means[index], self.statistics.variances[index]
        kept = shortcut or _Shortcut(x, 1, 0)
        parts = convolved.partial.shape[1]
        kernels.normalise[self.parts(x)](
            x,
            convolved.partial,
            self.of(f"{name}.scale"),
            self.of(f"{name}.shift"),
            kept.x,
            y,
            means,
            roots,
            variances,
            self.batch,
            parts,
            EPSILON,
            side=x.shape[2],
            most=_power_of_two(parts),
            shortcut=shortcut is not None,
            stride=kept.stride,
            fewer=kept.channels,
            rows=_rows(x),
            **self.shape(x),
        )
        return _Activation(x, y, means, roots)

    def masked(self, above: Tensor, at: _Activation, later: _Shortcut | None) -> tuple[Tensor, Tensor]:
        """The gradient of what the ReLU saw, and sums of it. later: what came through the shortcut."""
        g, kept = torch.empty_like(at.x), later or _Shortcut(at.x, 1, 0)
        grid = self.parts(at.x)
        partial = self.sums(at.x, grid)
        kernels.masked[grid](
            above,
            kept.x,
            at.y,
            at.x,
            at.means,
            at.roots,
            g,
            partial,
            self.batch,
            side=at.x.shape[2],
            shortcut=later is not None,
            stride=kept.stride,
            more=kept.channels,
            rows=_rows(at.x) // 2,
            **self.shape(at.x),
        )
        return g, partial

    def through(self, g: Tensor, partial: Tensor, at: _Activation, name: str) -> Tensor:
        """The gradient of what was normalised; those of scale and shift into `found`."""
        before, parts = torch.empty_like(g), partial.shape[1]
        kernels.through_normalisation[self.parts(g)](
            g,
            at.x,
            at.means,
            at.roots,
            self.of(f"{name}.scale"),
            partial,
            before,
            self.found,
            self.net.dimension,
            self.start[f"{name}.scale"],
            self.start[f"{name}.shift"],
            self.batch,
            parts,
            positions=g[0, 0].numel(),
            most=_power_of_two(parts),
            rows=_rows(g),
            **self.shape(g),
        )
        return before

    def of(self, name: str) -> Tensor:
        return self.x[self.start[name] :]

    # --- the linear layer -----------------------------------------------------------------------------

    def head(self, h: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        """Each client's mean loss, (clients,), and the gradient of their sum with respect to h."""
        classes, channels = self.net.classes, h.shape[1]
        padded, start = _power_of_two(classes), self.start["linear.weight"]
        features, wrong = self.x.new_empty(len(h), channels), self.x.new_empty(len(h), padded)
        losses, means, above = self.x.new_empty(len(h)), self.x.new_empty(self.clients), torch.empty_like(h)
        sizes = {"channels": channels, "classes": classes, "padded": padded}
        parameters = self.of("linear.weight"), self.of("linear.bias")
        by_image = features, wrong, losses
        kernels.linear[(len(h),)](
            h, *parameters, labels, *by_image, above, self.batch, positions=h[0, 0].numel(), **sizes
        )
        into = self.found, means, self.net.dimension, start
        kernels.gather_linear[self.clients, classes](
            *by_image, *into, self.batch, clients=self.clients, rows=32, **sizes
        )
        return means, above


def _lasting(x: Tensor) -> Tensor:
    return x.contiguous(memory_format=torch.channels_last)


def _rows(x: Tensor) -> int:
    """How many rows a program takes at once."""
    return max(2, AT_ONCE // x.shape[1])


def _sizes(channels: int, out: int) -> dict[str, int]:
    """Of a convolution, with what its matrix products, of at least 16 numbers a side, are filled up to."""
    padded = max(4, _power_of_two(channels))
    return {"channels": channels, "padded": padded, "out": out, "padded_out": max(16, out)}


def _power_of_two(number: int) -> int:
    """The smallest that is at least so large."""
    return 1 << max(0, number - 1).bit_length()


@lru_cache(maxsize=8)
def _processors(device: torch.device) -> int:
    """Multiprocessors; elsewhere, for tests, those of an H200."""
    return torch.cuda.get_device_properties(device).multi_processor_count if device.type == "cuda" else 132


@cache  # never let go: captured graphs read it
def _channels_last_order(net: Architecture, device: torch.device) -> Tensor:
    """Indices that bring x into the order in which every convolution's weight has its input channels last."""
    order = torch.arange(net.dimension)
    for p in net.parameters:
        if len(p.shape) == 4:
            slot = order[p.offset : p.offset + p.size]
            slot.copy_(slot.clone().view(p.shape).permute(0, 2, 3, 1).flatten())
    return order.to(device)
