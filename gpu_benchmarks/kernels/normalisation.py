"""Normalisation, ReLU and shortcut in one pass, forwards and backwards."""

# pyright: reportMissingImports=false

import triton
import triton.language as tl

from gpu_benchmarks.kernels.parts import keep, row_number, share, totals


@triton.jit(do_not_specialize=["batch", "clients"])
def statistics(
    x,
    partial,
    batch,
    clients,
    positions: tl.constexpr,
    channels: tl.constexpr,
    rows: tl.constexpr,
):
    """Over each part of a client's rows the sums of x and of x²: for a convolution that is not `convolve`."""
    client, part = tl.program_id(0), tl.program_id(1)
    total = batch * positions
    start, end = share(part, total)
    channel = tl.arange(0, channels)
    first = tl.zeros((rows, channels), tl.float32)
    second = tl.zeros((rows, channels), tl.float32)
    for begin in range(start, end, rows):
        r = begin + tl.arange(0, rows)
        at = row_number(r, client, clients, positions)[:, None] * channels + channel[None, :]
        value = tl.load(x + at, mask=(r < end)[:, None], other=0.0).to(tl.float32)
        first += value
        second += value * value
    keep(partial, first, second, client, part, tl.num_programs(1), channels)


@triton.jit(do_not_specialize=["batch", "parts", "clients"])
def normalise(
    x, partial, scale, shift, kept, y, means, roots, variances, batch, parts, epsilon, clients,
    side: tl.constexpr, channels: tl.constexpr, most: tl.constexpr, shortcut: tl.constexpr,
    stride: tl.constexpr, fewer: tl.constexpr, rows: tl.constexpr,
):  # fmt: skip
    """y = relu(normalised x, scaled and shifted, plus the shortcut from `kept`), and the statistics of each client: means,
    1/√(variance + ε) and unbiased variances, (clients, channels).

    kept has side · stride rows and columns and channels − fewer channels, half of the missing ones before and half after.
    """
    client, chunk = tl.program_id(0), tl.program_id(1)
    positions: tl.constexpr = side * side
    total = batch * positions
    start, end = share(chunk, total)
    channel = tl.arange(0, channels)
    first, second = totals(partial, client, channels, parts, most)
    mean = first / total
    variance = tl.maximum(second / total - mean * mean, 0.0, propagate_nan=tl.PropagateNan.ALL)
    root = 1 / tl.sqrt(variance + epsilon)
    if chunk == 0:
        tl.store(means + client * channels + channel, mean)
        tl.store(roots + client * channels + channel, root)
        tl.store(variances + client * channels + channel, variance * (total / (total - 1.0)))
    factor = root * tl.load(scale + channel)
    offset = tl.load(shift + channel) - mean * factor
    for begin in range(start, end, rows):
        r = begin + tl.arange(0, rows)
        inside = (r < end)[:, None]
        row = row_number(r, client, clients, positions)
        at = row[:, None] * channels + channel[None, :]
        value = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
        value = value * factor[None, :] + offset[None, :]
        if shortcut:
            image, place = row // positions, row % positions
            source = (image * side * stride + (place // side) * stride) * (side * stride)
            source = (source + (place % side) * stride)[:, None] * (channels - fewer)
            from_channel = (channel - fewer // 2)[None, :]
            there = inside & (from_channel >= 0) & (from_channel < channels - fewer)
            value += tl.load(kept + source + from_channel, mask=there, other=0.0).to(tl.float32)
        value = tl.maximum(value, 0.0, propagate_nan=tl.PropagateNan.ALL)
        tl.store(y + at, value.to(y.dtype.element_ty), mask=inside)


@triton.jit
def beside(later, y, x, at, to, inside, there, shortcut: tl.constexpr):
    """What the gradient of y meets at the numbers `at`: the gradient that came through the shortcut, y, and what was normalised."""
    added = tl.load(later + to, mask=there, other=0.0) if shortcut else 0.0
    return added, tl.load(y + at, mask=inside, other=0.0), tl.load(x + at, mask=inside, other=0.0)


@triton.jit(do_not_specialize=["batch", "clients"])
def masked(
    above, later, y, x, means, roots, gradient, partial, batch, clients, side: tl.constexpr,
    channels: tl.constexpr, shortcut: tl.constexpr, stride: tl.constexpr, more: tl.constexpr,
    rows: tl.constexpr,
):  # fmt: skip
    """The gradient before the ReLU, g = (above + what came through the shortcut) · [y > 0], and over each part the sums of
    g and of g · (normalised x).

    later is the g of the block that y goes into: side / stride rows and columns, channels + more channels.
    """
    client, part = tl.program_id(0), tl.program_id(1)
    positions: tl.constexpr = side * side
    total = batch * positions
    start, end = share(part, total)
    channel = tl.arange(0, channels)
    mean = tl.load(means + client * channels + channel)[None, :]
    root = tl.load(roots + client * channels + channel)[None, :]
    first = tl.zeros((rows, channels), tl.float32)
    second = tl.zeros((rows, channels), tl.float32)
    for begin in range(start, end, rows):
        r = begin + tl.arange(0, rows)
        inside = (r < end)[:, None]
        row = row_number(r, client, clients, positions)
        at = row[:, None] * channels + channel[None, :]
        g = tl.load(above + at, mask=inside, other=0.0).to(tl.float32)
        image, place = row // positions, row % positions
        down, right = place // side, place % side
        to = (image * (side // stride) + down // stride) * (side // stride) + right // stride
        to = to[:, None] * (channels + more) + (channel + more // 2)[None, :]
        there = inside & ((down % stride == 0) & (right % stride == 0))[:, None]
        added, seen, value = beside(later, y, x, at, to, inside, there, shortcut)
        g = tl.where(seen.to(tl.float32) <= 0, 0.0, g + added)  # what is no number is not
        tl.store(gradient + at, g.to(gradient.dtype.element_ty), mask=inside)
        first += g
        second += g * ((value.to(tl.float32) - mean) * root)
    keep(partial, first, second, client, part, tl.num_programs(1), channels)


@triton.jit(do_not_specialize=["batch", "parts", "clients", "scale_at", "shift_at"])
def through_normalisation(
    g, x, means, roots, scale, partial, before, gradients, dimension, scale_at, shift_at, batch, parts,
    clients, positions: tl.constexpr, channels: tl.constexpr, most: tl.constexpr, rows: tl.constexpr,
):  # fmt: skip
    """The gradient of x from that of its normalisation, into `before`; those of scale and shift into `gradients`, which is
    (clients, dimension).
    """
    client, chunk = tl.program_id(0), tl.program_id(1)
    total = batch * positions
    start, end = share(chunk, total)
    channel = tl.arange(0, channels)
    first, second = totals(partial, client, channels, parts, most)
    if chunk == 0:
        found = gradients + client.to(tl.int64) * dimension
        tl.store(found + shift_at + channel, first)
        tl.store(found + scale_at + channel, second)
    mean = tl.load(means + client * channels + channel)[None, :]
    root = tl.load(roots + client * channels + channel)[None, :]
    factor = root * tl.load(scale + channel)[None, :]
    first, second = (first / total)[None, :], (second / total)[None, :]
    for begin in range(start, end, rows):
        r = begin + tl.arange(0, rows)
        inside = (r < end)[:, None]
        at = row_number(r, client, clients, positions)[:, None] * channels + channel[None, :]
        value = (tl.load(x + at, mask=inside, other=0.0).to(tl.float32) - mean) * root
        own = tl.load(g + at, mask=inside, other=0.0).to(tl.float32)
        out = factor * (own - first - value * second)
        tl.store(before + at, out.to(before.dtype.element_ty), mask=inside)
