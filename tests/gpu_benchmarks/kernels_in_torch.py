"""What the kernels of `gpu_benchmarks.kernels` promise, in PyTorch: for machines without Triton, and to check the kernels against.

Called like them, `kernel[grid](...)`. Sums over the parts of a client's rows are all in the first part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.grad import conv2d_input, conv2d_weight

from gpu_benchmarks.batches import PAD, augment
from gpu_benchmarks.resnet import shortcut as around


class Kernel:
    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function

    def __getitem__(self, grid: tuple[int, ...]) -> Callable[..., None]:
        assert min(grid) >= 1

        def launched(*given: Any, **sizes: Any) -> None:
            names = ["rows", "most", "padded", "padded_out", "num_warps", "side", "positions"]
            names += [] if "padded_out" in sizes else ["channels"]  # else filled up to `padded`
            for name in names:
                size = sizes.get(name, 1)
                assert size.bit_count() == 1, f"{name} = {size} is no power of two"
            self.function(grid, *given, **sizes)

        return launched


def _sums(numbers: Tensor, clients: int) -> Tensor:
    """(clients, C) of (N, C, H, W)."""
    return numbers.float().sum((2, 3)).unflatten(0, (-1, clients)).sum(0)


def _for_images(numbers: Tensor, clients: int, images: int) -> Tensor:
    """(clients · C,) or (clients, C) as (N, C, 1, 1)."""
    return numbers.view(clients, -1).repeat(images // clients, 1)[:, :, None, None]


def _keep(grid: tuple[int, ...], partial: Tensor, first: Tensor, second: Tensor, clients: int) -> None:
    assert partial.shape[:2] == grid, "every program writes its own part"
    partial.zero_()
    partial[:, 0, 0], partial[:, 0, 1] = _sums(first, clients), _sums(second, clients)


@Kernel
def mini_batch(
    grid,
    images,
    labels,
    indices,
    moves,
    position,
    scale,
    shift,
    inputs,
    answers,
    count,
    pad,
    *,
    side,
    augmented,
):
    assert grid == (count,)
    assert pad == PAD
    assert images.shape[2:] == (side, side)
    drawn = indices.index_select(0, position)[0]
    taken = images[drawn]
    if augmented:
        taken = augment(taken, moves.index_select(0, position)[0])
    inputs.copy_(taken * scale - shift)
    answers.copy_(labels[drawn])


@Kernel
def linear(
    grid,
    x,
    weight,
    bias,
    labels,
    features,
    wrong,
    losses,
    above,
    batch,
    *,
    positions,
    channels,
    classes,
    padded,
):
    assert grid == (len(x),)
    assert x[0, 0].numel() == positions
    features.copy_(x.float().mean((2, 3)))
    weights = weight[: classes * channels].view(classes, channels)
    logits = F.linear(features, weights, bias[:classes])
    losses.copy_(F.cross_entropy(logits, labels, reduction="none"))
    wrong.zero_()
    wrong[:, :classes] = (logits.softmax(1) - (labels[:, None] == torch.arange(classes)).float()) / batch
    above.copy_((wrong[:, :classes] @ weights / positions)[:, :, None, None].expand(x.shape))


@Kernel
def gather_linear(
    grid,
    features,
    wrong,
    losses,
    gradients,
    means,
    dimension,
    start,
    batch,
    *,
    clients,
    channels,
    classes,
    padded,
    rows,
):
    assert grid == (clients, classes)
    assert gradients.shape == (clients, dimension)
    own = wrong[:, :classes].unflatten(0, (batch, clients)).permute(1, 2, 0)
    end = start + classes * channels
    gradients[:, start:end] = (own @ features.unflatten(0, (batch, clients)).transpose(0, 1)).flatten(1)
    gradients[:, end : end + classes] = own.sum(2)
    means.copy_(losses.view(batch, clients).mean(0))


@Kernel
def convolve(grid, x, weight, y, partial, batch, *, clients, side, channels, out, stride, **launch):
    assert len(x) == batch * clients
    assert y.shape[1:] == (out, side, side)
    assert x.shape[1] == channels
    y.copy_(F.conv2d(x, weight, stride=stride, padding=1))
    _keep(grid, partial, y, y.float() ** 2, clients)


@Kernel
def statistics(grid, x, partial, batch, *, clients, positions, channels, rows):
    assert x.shape[:2] == (batch * clients, channels)
    assert x[0, 0].numel() == positions
    _keep(grid, partial, x, x.float() ** 2, clients)


@Kernel
def normalise(
    grid, x, partial, scale, shift, kept, y, means, roots, variances, batch, parts, epsilon, *,
    clients, side, channels, most, shortcut, stride, fewer, rows,
):  # fmt: skip
    assert partial.shape == (clients, parts, 2, channels)
    assert parts <= most
    assert x.shape[2] == side
    count = batch * side * side
    first, second = partial.sum(1).unbind(1)
    mean, variance = first / count, second / count - (first / count) ** 2
    root = (variance + epsilon).rsqrt()
    means.copy_(mean.flatten())
    roots.copy_(root.flatten())
    variances.copy_(variance.flatten() * count / (count - 1))
    value = (x.float() - _for_images(mean, clients, len(x))) * _for_images(root, clients, len(x))
    value = value * scale[:channels, None, None] + shift[:channels, None, None]
    y.copy_(torch.relu(value + around(kept.float(), fewer, stride) if shortcut else value))


@Kernel
def masked(
    grid, above, later, y, x, means, roots, gradient, partial, batch, *,
    clients, side, channels, shortcut, stride, more, rows,
):  # fmt: skip
    g = above.float().clone()
    if shortcut:
        g[:, :, ::stride, ::stride] += later[:, more // 2 : more // 2 + channels]
    g = torch.where(y <= 0, 0.0, g)
    gradient.copy_(g)
    value = (x.float() - _for_images(means, clients, len(x))) * _for_images(roots, clients, len(x))
    _keep(grid, partial, g, g * value, clients)


@Kernel
def convolve_back(
    grid, grad, weight, later, y, x, means, roots, gradient, partial, batch, *,
    clients, side, channels, shortcut, **launch,
):  # fmt: skip
    assert grad.shape[1:] == x.shape[1:] == (channels, side, side)
    assert channels >= 16
    above = conv2d_input(x.shape, weight, grad, padding=1)
    sizes = {"clients": clients, "side": side, "channels": channels, "shortcut": shortcut}
    masked[grid](
        above, later, y, x, means, roots, gradient, partial, batch, **sizes, stride=1, more=0, rows=1
    )


@Kernel
def through_normalisation(
    grid, g, x, means, roots, scale, partial, before, gradients, dimension, scale_at, shift_at, batch, parts, *,
    clients, positions, channels, most, rows,
):  # fmt: skip
    assert partial.shape == (clients, parts, 2, channels)
    assert gradients.shape == (clients, dimension)
    first, second = partial.sum(1).unbind(1)
    gradients[:, shift_at : shift_at + channels] = first
    gradients[:, scale_at : scale_at + channels] = second
    count, root = batch * positions, _for_images(roots, clients, len(x))
    value = (x.float() - _for_images(means, clients, len(x))) * root
    less = (_for_images(first, clients, len(x)) + value * _for_images(second, clients, len(x))) / count
    before.copy_(root * scale[:channels, None, None] * (g.float() - less))


@Kernel
def weight_gradients(
    grid, grad, x, partial, batch, *, clients, side, channels, padded, out, padded_out, stride, **launch
):
    assert partial.shape == (grid[1], clients, 3, padded_out, 4 * padded)
    assert grad.shape[2] == side
    partial.zero_()
    for client in range(clients):
        own = x[client::clients].float(), (out, channels, 3, 3), grad[client::clients].float()
        found = conv2d_weight(*own, stride=stride, padding=1)
        by_row = partial[0, client].unflatten(2, (4, padded))  # (3, padded_out, 4, padded)
        by_row[:, :out, :3, :channels] = found.permute(2, 0, 3, 1)


@Kernel
def gather_weight_gradients(
    grid, partial, gradients, dimension, start, parts, *, clients, channels, padded, out, padded_out, rows
):
    assert partial.shape[0] == parts
    assert grid == (clients, 3, padded_out // rows)
    found = partial.sum(0).unflatten(3, (4, padded))[:, :, :out, :3, :channels].permute(0, 2, 4, 1, 3)
    gradients[:, start : start + found[0].numel()] = found.flatten(1)
