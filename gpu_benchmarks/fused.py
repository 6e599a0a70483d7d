"""Gradients of all clients at one point by hand: ResNet-20's forward and backward pass with the kernels of
`gpu_benchmarks.kernels`, for GPUs.

Between two convolutions, which are cuDNN's, a tensor is read and written as seldom as it can be: normalisation, ReLU and
shortcut are two passes a direction. Weight gradients are computed client by client in one kernel a convolution, straight into
(clients, d). What `gradients.of_clients` computes, up to rounding: `selfcheck` compares them before anything is run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from gpu_benchmarks.gradients import Gradients
from gpu_benchmarks.layers import EPSILON, Statistics
from gpu_benchmarks.resnet import Architecture

kernels: Any
try:
    from gpu_benchmarks import kernels
except ImportError:  # Triton comes with PyTorch's builds for GPUs alone
    kernels = None

MOST_CHUNKS = 32
IN_A_CHUNK = 8192  # numbers, at least, that one program sums up
IN_A_STEP = 4096  # of them at once


def supports(net: Architecture, device: torch.device, precision: str) -> bool:
    """Whether the kernels can be used: on a GPU with Triton, for a power of two of channels, not in float64."""
    power_of_two = net.width & (net.width - 1) == 0
    return kernels is not None and device.type == "cuda" and power_of_two and precision != "float64"


@dataclass(frozen=True)
class _Activation:
    """What the backward pass needs of y = relu(normalised x + shortcut)."""

    x: Tensor
    y: Tensor
    means: Tensor  # (clients, C)
    roots: Tensor
    index: int  # of the normalisation


def of_clients(
    net: Architecture,
    x: Tensor,
    images: Tensor,
    labels: Tensor,
    clients: int,
    statistics: Statistics | None = None,
    precision: str = "float32",
) -> Gradients:
    """As `gradients.of_clients` at a common point x (d,), float32."""
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
        self.multiplied = {"tf32": "tf32", "float32": "ieee"}.get(precision)  # bfloat16 is taken as it is
        channels = net.norm_channels
        if statistics is None:
            statistics = Statistics.zeros(channels, clients, x)
        self.statistics = statistics
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
        first = self.activation(self.convolution(inputs, "conv", 1), "norm", 0)
        h, blocks = first, []
        for number, (channels, out, stride) in enumerate(self.net.stages):
            name = f"block{number}"
            inner = self.activation(
                self.convolution(h.y, f"{name}.conv1", stride), f"{name}.norm1", 2 * number + 1
            )
            outer = self.activation(
                self.convolution(inner.y, f"{name}.conv2", 1),
                f"{name}.norm2",
                2 * number + 2,
                (h.y, stride, out - channels),
            )
            blocks.append((name, stride, out - channels, h, inner, outer))
            h = outer
        losses, above = self.head(h.y, labels)
        later: tuple[Tensor, int, int] | None = None
        for name, stride, more, before, inner, outer in reversed(blocks):
            g, grad = self.through(outer, f"{name}.norm2", above, later)
            self.weigh(grad, inner.y, f"{name}.conv2", 1)
            _, grad = self.through(inner, f"{name}.norm1", self.down(grad, inner.y, f"{name}.conv2", 1), None)
            self.weigh(grad, before.y, f"{name}.conv1", stride)
            above = self.down(grad, before.y, f"{name}.conv1", stride)
            later = (g, stride, more)
        _, grad = self.through(first, "norm", above, later)
        self.weigh(grad, inputs, "conv", 1)
        return Gradients(losses, self.found)

    # --- convolutions ---------------------------------------------------------------------------------

    def convolution(self, x: Tensor, name: str, stride: int) -> Tensor:
        return F.conv2d(x, self.weights[name], stride=stride, padding=1)

    def down(self, grad: Tensor, x: Tensor, name: str, stride: int) -> Tensor:
        """The gradient of a convolution's input."""
        found, _, _ = torch.ops.aten.convolution_backward(
            grad,
            x,
            self.weights[name],
            None,
            [stride] * 2,
            [1, 1],
            [1, 1],
            False,
            [0, 0],
            1,
            [True, False, False],
        )
        return _lasting(found)

    def weigh(self, grad: Tensor, x: Tensor, name: str, stride: int) -> None:
        """Every client's gradient of a convolution's weight, into `found`."""
        out, channels, side = grad.shape[1], x.shape[1], grad.shape[2]
        padded, padded_out = max(4, _power_of_two(channels)), max(16, out)
        splits = max(1, 256 // padded_out)
        partial = self.x.new_empty(splits, self.clients, 3, padded_out, 4 * padded)
        sizes = {"channels": channels, "padded": padded, "out": out, "padded_out": padded_out}
        shared: dict[str, Any] = {"clients": self.clients, "splits": splits, **sizes}
        kernels.weight_gradients[self.clients, splits, 3](
            grad,
            x,
            partial,
            self.batch,
            side=side,
            stride=stride,
            rows=64,
            precision=self.multiplied,
            num_warps=4 if padded_out < 64 else 8,
            num_stages=3,
            **shared,
        )
        rows = min(16, padded_out)
        kernels.gather_weight_gradients[self.clients, 3, padded_out // rows](
            partial, self.found, self.net.dimension, self.start[name], rows=rows, **shared
        )

    # --- normalisation, ReLU, shortcut ----------------------------------------------------------------

    def chunks(self, x: Tensor) -> dict[str, int]:
        channels, numbers = x.shape[1], self.batch * x[0].numel()
        chunks = min(MOST_CHUNKS, max(1, _power_of_two(numbers // IN_A_CHUNK)))
        return {
            "clients": self.clients,
            "channels": channels,
            "chunks": chunks,
            "rows": max(1, IN_A_STEP // channels),
        }

    def activation(
        self, x: Tensor, name: str, index: int, shortcut: tuple[Tensor, int, int] | None = None
    ) -> _Activation:
        """shortcut: what is added after the normalisation, with its stride and how many channels it has fewer."""
        side, shape = x.shape[2], self.chunks(x)
        grid = (self.clients, shape["chunks"])
        partial = self.x.new_empty(*grid, 2, x.shape[1])
        kernels.statistics[grid](x, partial, self.batch, positions=side * side, **shape)
        y, roots = torch.empty_like(x), self.x.new_empty(self.clients, x.shape[1])
        means, variances = self.statistics.means[index], self.statistics.variances[index]
        kept, stride, fewer = shortcut or (x, 1, 0)
        kernels.normalise[grid](
            x,
            partial,
            self.of(f"{name}.scale"),
            self.of(f"{name}.shift"),
            kept,
            y,
            means,
            roots,
            variances,
            self.batch,
            EPSILON,
            side=side,
            shortcut=shortcut is not None,
            stride=stride,
            fewer=fewer,
            **shape,
        )
        return _Activation(x, y, means, roots, index)

    def through(
        self, at: _Activation, name: str, above: Tensor, later: tuple[Tensor, int, int] | None
    ) -> tuple[Tensor, Tensor]:
        """The gradients of what the ReLU saw and of what was normalised. later: what came through the shortcut."""
        side, shape = at.x.shape[2], self.chunks(at.x)
        grid = (self.clients, shape["chunks"])
        partial = self.x.new_empty(*grid, 2, at.x.shape[1])
        g, before = torch.empty_like(at.x), torch.empty_like(at.x)
        kept, stride, more = later or (at.x, 1, 0)
        kernels.masked[grid](
            above,
            kept,
            at.y,
            at.x,
            at.means,
            at.roots,
            g,
            partial,
            self.batch,
            side=side,
            shortcut=later is not None,
            stride=stride,
            more=more,
            **shape,
        )
        kernels.through_normalisation[grid](
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
            positions=side * side,
            **shape,
        )
        return g, before

    def of(self, name: str) -> Tensor:
        return self.x[self.start[name] :]

    # --- the linear layer -----------------------------------------------------------------------------

    def head(self, h: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        """Each client's mean loss, (clients,), and the gradient of their sum with respect to h."""
        weight, bias = self.linear()
        pooled = h.mean((2, 3))
        logits = F.linear(pooled, weight.to(self.dtype), bias.to(self.dtype)).to(self.x.dtype)
        losses = F.cross_entropy(logits, labels, reduction="none").view(-1, self.clients).mean(0)
        answers = torch.arange(self.net.classes, device=labels.device)
        wrong = (logits.softmax(1) - (labels[:, None] == answers).to(logits.dtype)) / self.batch
        by_client = wrong.view(-1, self.clients, self.net.classes).permute(1, 2, 0)
        start, count = self.start["linear.weight"], weight.numel()
        features = pooled.to(self.x.dtype).view(-1, self.clients, weight.shape[1]).transpose(0, 1)
        self.found[:, start : start + count] = (by_client @ features).flatten(1)
        self.found[:, start + count :] = by_client.sum(2)
        above = (wrong @ weight / h[0, 0].numel()).to(self.dtype)
        return losses, _lasting(above[:, :, None, None].expand(h.shape))

    def linear(self) -> tuple[Tensor, Tensor]:
        start, shape = self.start["linear.weight"], (self.net.classes, 4 * self.net.width)
        end = start + shape[0] * shape[1]
        return self.x[start:end].view(shape), self.x[end:]


def _lasting(x: Tensor) -> Tensor:
    return x.contiguous(memory_format=torch.channels_last)


def _power_of_two(number: int) -> int:
    """The smallest that is at least so large."""
    return 1 << max(0, number - 1).bit_length()


@lru_cache(maxsize=8)
def _channels_last_order(net: Architecture, device: torch.device) -> Tensor:
    """Indices that bring x into the order in which every convolution's weight has its input channels last."""
    order = torch.arange(net.dimension)
    for p in net.parameters:
        if len(p.shape) == 4:
            slot = order[p.offset : p.offset + p.size]
            slot.copy_(slot.clone().view(p.shape).permute(0, 2, 3, 1).flatten())
    return order.to(device)
