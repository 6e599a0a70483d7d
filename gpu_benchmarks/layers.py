"""Layers for a batch that belongs to several clients, and for one that belongs to nobody.

All clients of a round are one batch of batch·clients images, **interleaved**: image number b·clients + c is
the b-th image of client c. Seen as (batch, clients·channels, height, width) - a view, no copy - such a
batch is what a grouped operation with one group a client wants. Two consequences carry the speed:

- batch normalisation over that view normalises every client's images by themselves, in one kernel, and its
  scale, expanded to (clients·channels), receives one gradient a client;
- the weight gradient of a convolution with one group a client is the weight gradient of every client.

While all clients stand at the same point (`Shared`), the convolution itself, and its gradient with respect
to the activations, are those of one ordinary convolution over all images: only weight gradients are kept
apart. Where their points differ (`Apart`, more than one local step) everything is grouped.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor

from gpu_benchmarks import device

EPSILON = 1e-5  # of batch normalisation, PyTorch's default
MOMENTUM = 0.1  # of its running averages, PyTorch's default


@dataclass
class Statistics:
    """Batch statistics of the last forward pass: for each normalisation layer (mean, unbiased variance),
    (clients, C).

    The one mutable thing here: batch normalisation writes what it computes anyway into these buffers.
    """

    means: list[Tensor]
    variances: list[Tensor]

    @classmethod
    def zeros(cls, channels: tuple[int, ...], clients: int, like: Tensor) -> Statistics:
        def new() -> list[Tensor]:
            return [torch.zeros(clients * c, dtype=like.dtype, device=like.device) for c in channels]

        return cls(new(), new())

    def of(self, client: int, clients: int) -> Statistics:
        """Those of one client: views, (C,) each."""
        own = ([s.view(clients, -1)[client] for s in kind] for kind in (self.means, self.variances))
        return Statistics(*own)

    def flat(self, clients: int) -> tuple[Tensor, Tensor]:
        """Means and variances as (clients, all channels)."""
        return (
            torch.cat([m.view(clients, -1) for m in self.means], dim=1),
            torch.cat([v.view(clients, -1) for v in self.variances], dim=1),
        )


def averaging(reading: str, clients: int, dtype: torch.dtype, device: torch.device) -> tuple[float, Tensor]:
    """(keep, move): a running average r becomes keep·r + Σ_i move_i·(statistic of client i).

    in-turn: r ← 0.9 r + 0.1 s_i for i = 1, 2, …, n, unrolled. mean: r ← 0.9 r + 0.1 (1/n) Σ s_i.
    """
    if reading == "in-turn":
        powers = torch.arange(clients - 1, -1, -1, dtype=dtype, device=device)
        return (1 - MOMENTUM) ** clients, MOMENTUM * (1 - MOMENTUM) ** powers
    return 1 - MOMENTUM, torch.full((clients,), MOMENTUM / clients, dtype=dtype, device=device)


class _SharedConvolution(torch.autograd.Function):
    """y = conv(x, w) with one w for all clients; the gradient of w is one array a client.

    `weights` is w expanded to (clients, out, in, k, k): it costs no memory and gives autograd a place for
    the gradients.
    """

    @staticmethod
    def forward(ctx, x: Tensor, weights: Tensor, stride: int, rule: str) -> Tensor:  # type: ignore[override]
        w = weights[0]
        ctx.save_for_backward(x, w)
        ctx.stride, ctx.clients, ctx.rule = stride, weights.shape[0], rule
        return F.conv2d(x, w, stride=stride, padding=w.shape[-1] // 2)

    @staticmethod
    def backward(ctx, grad: Tensor):  # type: ignore[override]
        x, w = ctx.saved_tensors
        grad_x = None
        if ctx.needs_input_grad[0]:
            grad_x = _convolution_backward(grad, x, w, ctx.stride, 1, (True, False))[0]
        return grad_x, WEIGHT_GRADIENTS[ctx.rule](grad, x, w, ctx.stride, ctx.clients), None, None


def _convolution_backward(
    grad: Tensor, x: Tensor, w: Tensor, stride: int, groups: int, wanted: tuple[bool, bool]
) -> tuple[Tensor, Tensor]:
    pad = w.shape[-1] // 2
    grad_x, grad_w, _ = torch.ops.aten.convolution_backward(
        grad, x, w, None, [stride, stride], [pad, pad], [1, 1], False, [0, 0], groups, [*wanted, False]
    )
    return grad_x, grad_w


def _by_groups(grad: Tensor, x: Tensor, w: Tensor, stride: int, clients: int) -> Tensor:
    """One grouped weight-gradient kernel, one group a client."""
    weights = w.new_empty(clients * w.shape[0], *w.shape[1:])  # only its shape is read
    _, out = _convolution_backward(
        _interleaved(grad, clients), _interleaved(x, clients), weights, stride, clients, (False, True)
    )
    return out.view(clients, *w.shape)


def _by_loop(grad: Tensor, x: Tensor, w: Tensor, stride: int, clients: int) -> Tensor:
    """One ordinary weight-gradient kernel a client."""
    gradients, inputs = grad.unflatten(0, (-1, clients)), x.unflatten(0, (-1, clients))
    return torch.stack(
        [
            _convolution_backward(gradients[:, c], inputs[:, c], w, stride, 1, (False, True))[1]
            for c in range(clients)
        ]
    )


def _by_images(grad: Tensor, x: Tensor, w: Tensor, stride: int, clients: int) -> Tensor:
    """Patches written out, one small matrix product an image, summed over each client's images."""
    kernel, pad = w.shape[-1], w.shape[-1] // 2
    windows = F.pad(x, (pad, pad, pad, pad)).unfold(2, kernel, stride).unfold(3, kernel, stride)
    # one copy; F.unfold would launch a kernel an image on a GPU
    patches = windows.permute(0, 2, 3, 1, 4, 5).reshape(x.shape[0], -1, w[0].numel())  # (N, positions, in·k²)
    products = grad.flatten(2) @ patches  # (N, out, in·k²)
    return products.unflatten(0, (-1, clients)).sum(0).unflatten(-1, w.shape[1:])


WEIGHT_GRADIENTS = {"groups": _by_groups, "loop": _by_loop, "images": _by_images}
"""Three ways to the same numbers. Which is fastest depends on the device and the layer: `tuning` measures
it.
"""


def _interleaved(x: Tensor, clients: int) -> Tensor:
    """(batch·clients, C, H, W) as (batch, clients·C, H, W)."""
    return x.reshape(x.shape[0] // clients, clients * x.shape[1], *x.shape[2:])


def _grouped_normalisation(
    x: Tensor, scale: Tensor, shift: Tensor, clients: int, statistics: Statistics | None, index: int
) -> Tensor:
    # With momentum 1 the "running" buffers become exactly this batch's mean and unbiased variance.
    mean = variance = None
    if statistics is not None:
        mean, variance = statistics.means[index], statistics.variances[index]
    y = F.batch_norm(
        _interleaved(x, clients),
        mean,
        variance,
        scale.reshape(-1),
        shift.reshape(-1),
        training=True,
        momentum=1.0,
        eps=EPSILON,
    )
    return y.view(x.shape)


@dataclass(frozen=True)
class Shared:
    """All clients at the same point. Parameters have a leading axis `clients`, on which they are constant.

    rules: name of the weight-gradient rule by (in, out, stride); anything missing goes by `default`.
    """

    clients: int
    statistics: Statistics | None = None
    rules: dict[tuple[int, int, int], str] = field(default_factory=dict)
    default: str = "loop"

    def convolution(self, x: Tensor, weight: Tensor, stride: int) -> Tensor:
        rule = self.rules.get((weight.shape[2], weight.shape[1], stride), self.default)
        return _SharedConvolution.apply(x, weight, stride, rule)  # type: ignore[no-any-return]

    def normalisation(self, x: Tensor, weight: Tensor, bias: Tensor, index: int) -> Tensor:
        return _grouped_normalisation(x, weight, bias, self.clients, self.statistics, index)

    def linear(self, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return _client_linear(x, weight, bias, self.clients)


@dataclass(frozen=True)
class Apart:
    """Every client at its own point. Parameters have a leading axis `clients`."""

    clients: int
    statistics: Statistics | None = None

    def convolution(self, x: Tensor, weight: Tensor, stride: int) -> Tensor:
        y = F.conv2d(
            _interleaved(x, self.clients),
            weight.flatten(0, 1),
            stride=stride,
            padding=weight.shape[-1] // 2,
            groups=self.clients,
        )
        return y.reshape(x.shape[0], weight.shape[1], *y.shape[2:])

    def normalisation(self, x: Tensor, weight: Tensor, bias: Tensor, index: int) -> Tensor:
        return _grouped_normalisation(x, weight, bias, self.clients, self.statistics, index)

    def linear(self, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return _client_linear(x, weight, bias, self.clients)


def _client_linear(x: Tensor, weight: Tensor, bias: Tensor, clients: int) -> Tensor:
    features = x.view(-1, clients, x.shape[1]).transpose(0, 1)  # (clients, batch, features)
    out = torch.baddbmm(bias[:, None, :], features, weight.transpose(1, 2))
    return out.transpose(0, 1).reshape(x.shape[0], -1)


def _convolution(x: Tensor, weight: Tensor, stride: int) -> Tensor:
    """x (N, in, H, W) and weight (out, in, k, k) as (N, out, H/stride, W/stride).

    A processor without fast bfloat16 kernels takes up to ten times as long over bfloat16 as over float32. There the
    operands, exact in float32, are multiplied in it, and the result, forward and backward, is rounded
    once: what such a kernel does.
    """
    padding = weight.shape[-1] // 2
    if x.dtype == torch.bfloat16 and not device.multiplies_bf16(x.device):
        return F.conv2d(x.float(), weight.float(), stride=stride, padding=padding).to(x.dtype)
    return F.conv2d(x, weight, stride=stride, padding=padding)


@dataclass(frozen=True)
class Plain:
    """One batch, nobody's: the layers of textbook training."""

    statistics: Statistics | None = None

    def convolution(self, x: Tensor, weight: Tensor, stride: int) -> Tensor:
        return _convolution(x, weight, stride)

    def normalisation(self, x: Tensor, weight: Tensor, bias: Tensor, index: int) -> Tensor:
        mean = variance = None
        if self.statistics is not None:
            mean, variance = self.statistics.means[index], self.statistics.variances[index]
        return F.batch_norm(x, mean, variance, weight, bias, training=True, momentum=1.0, eps=EPSILON)

    def linear(self, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return F.linear(x, weight, bias)


@dataclass(frozen=True)
class Widened(Plain):
    """`Plain` for `vmap`, under which batch normalisation cannot mix types."""

    def normalisation(self, x: Tensor, weight: Tensor, bias: Tensor, index: int) -> Tensor:
        return super().normalisation(x.to(weight.dtype), weight, bias, index).to(x.dtype)


@dataclass(frozen=True)
class Evaluation:
    """Batch normalisation by running averages: means and variances, one (C,) array a layer."""

    means: tuple[Tensor, ...]
    variances: tuple[Tensor, ...]

    def convolution(self, x: Tensor, weight: Tensor, stride: int) -> Tensor:
        return _convolution(x, weight, stride)

    def normalisation(self, x: Tensor, weight: Tensor, bias: Tensor, index: int) -> Tensor:
        return F.batch_norm(x, self.means[index], self.variances[index], weight, bias, eps=EPSILON)

    def linear(self, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return F.linear(x, weight, bias)
