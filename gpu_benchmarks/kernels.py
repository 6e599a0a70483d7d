"""Triton kernels for a batch of several clients' images on a GPU: batch normalisation, ReLU and shortcut in two passes a
direction, and weight gradients client by client.

Tensors are in channels-last order, as if (image, row, column, channel) were their axes, and images are interleaved as
`layers` says: image b of client c is number b·clients + c. A *row* is one pixel of one image, `channels` numbers. Sums go
over one client's rows, in chunks whose partial sums the next kernel adds up in a fixed order, so that a repetition gives the
same bits. Numbers are read and written in the tensor's type and computed in float32.
"""

# pyright: reportMissingImports=false

import triton
import triton.language as tl


@triton.jit
def _row(r, client, clients, positions):
    """Where row r of a client lies among all rows."""
    return ((r // positions) * clients + client) * positions + r % positions


@triton.jit
def _totals(partial, client, channels: tl.constexpr, chunks: tl.constexpr):
    """Two sums over all chunks: partial is (clients, chunks, 2, channels)."""
    chunk, channel = tl.arange(0, chunks)[:, None], tl.arange(0, channels)[None, :]
    at = partial + ((client * chunks + chunk) * 2) * channels + channel
    return tl.sum(tl.load(at), 0), tl.sum(tl.load(at + channels), 0)


@triton.jit(do_not_specialize=["batch"])
def statistics(
    x,
    partial,
    batch,
    clients: tl.constexpr,
    positions: tl.constexpr,
    channels: tl.constexpr,
    chunks: tl.constexpr,
    rows: tl.constexpr,
):
    """Sums of x and of x² over a chunk of a client's rows."""
    client, chunk = tl.program_id(0), tl.program_id(1)
    total = batch * positions
    each = tl.cdiv(total, chunks)
    channel = tl.arange(0, channels)
    first = tl.zeros((rows, channels), tl.float32)
    second = tl.zeros((rows, channels), tl.float32)
    for begin in range(chunk * each, min((chunk + 1) * each, total), rows):
        r = begin + tl.arange(0, rows)
        inside = (r < min((chunk + 1) * each, total))[:, None]
        at = _row(r, client, clients, positions)[:, None] * channels + channel[None, :]
        value = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
        first += value
        second += value * value
    out = partial + ((client * chunks + chunk) * 2) * channels + channel
    tl.store(out, tl.sum(first, 0))
    tl.store(out + channels, tl.sum(second, 0))


@triton.jit(do_not_specialize=["batch"])
def normalise(
    x,
    partial,
    scale,
    shift,
    kept,
    y,
    means,
    roots,
    variances,
    batch,
    epsilon,
    clients: tl.constexpr,
    side: tl.constexpr,
    channels: tl.constexpr,
    chunks: tl.constexpr,
    rows: tl.constexpr,
    shortcut: tl.constexpr,
    stride: tl.constexpr,
    fewer: tl.constexpr,
):
    """y = relu(normalised x, scaled and shifted, plus the shortcut from `kept`), and the statistics of each client: means,
    1/√(variance + ε) and unbiased variances, (clients, channels).

    kept has side · stride rows and columns and channels − fewer channels, half of the missing ones before and half after.
    """
    client, chunk = tl.program_id(0), tl.program_id(1)
    positions = side * side
    total = batch * positions
    each = tl.cdiv(total, chunks)
    channel = tl.arange(0, channels)
    first, second = _totals(partial, client, channels, chunks)
    mean = first / total
    variance = tl.maximum(second / total - mean * mean, 0.0)
    root = 1 / tl.sqrt(variance + epsilon)
    if chunk == 0:
        tl.store(means + client * channels + channel, mean)
        tl.store(roots + client * channels + channel, root)
        tl.store(variances + client * channels + channel, variance * (total / (total - 1.0)))
    factor = root * tl.load(scale + channel)
    offset = tl.load(shift + channel) - mean * factor
    for begin in range(chunk * each, min((chunk + 1) * each, total), rows):
        r = begin + tl.arange(0, rows)
        inside = (r < min((chunk + 1) * each, total))[:, None]
        row = _row(r, client, clients, positions)
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
        tl.store(y + at, tl.maximum(value, 0.0).to(y.dtype.element_ty), mask=inside)


@triton.jit(do_not_specialize=["batch"])
def masked(
    above,
    later,
    y,
    x,
    means,
    roots,
    gradient,
    partial,
    batch,
    clients: tl.constexpr,
    side: tl.constexpr,
    channels: tl.constexpr,
    chunks: tl.constexpr,
    rows: tl.constexpr,
    shortcut: tl.constexpr,
    stride: tl.constexpr,
    more: tl.constexpr,
):
    """The gradient before the ReLU, g = (above + what came through the shortcut) · [y > 0], and over each chunk the sums of
    g and of g · (normalised x).

    later is the g of the block that y goes into: side / stride rows and columns, channels + more channels.
    """
    client, chunk = tl.program_id(0), tl.program_id(1)
    positions = side * side
    total = batch * positions
    each = tl.cdiv(total, chunks)
    channel = tl.arange(0, channels)
    mean = tl.load(means + client * channels + channel)[None, :]
    root = tl.load(roots + client * channels + channel)[None, :]
    first = tl.zeros((rows, channels), tl.float32)
    second = tl.zeros((rows, channels), tl.float32)
    for begin in range(chunk * each, min((chunk + 1) * each, total), rows):
        r = begin + tl.arange(0, rows)
        inside = (r < min((chunk + 1) * each, total))[:, None]
        row = _row(r, client, clients, positions)
        at = row[:, None] * channels + channel[None, :]
        g = tl.load(above + at, mask=inside, other=0.0).to(tl.float32)
        if shortcut:
            image, place = row // positions, row % positions
            down, right = place // side, place % side
            target = (image * (side // stride) + down // stride) * (side // stride) + right // stride
            there = inside & ((down % stride == 0) & (right % stride == 0))[:, None]
            to = target[:, None] * (channels + more) + (channel + more // 2)[None, :]
            g += tl.load(later + to, mask=there, other=0.0).to(tl.float32)
        passed = tl.load(y + at, mask=inside, other=0.0).to(tl.float32) > 0
        g = tl.where(passed, g, 0.0)
        tl.store(gradient + at, g.to(gradient.dtype.element_ty), mask=inside)
        value = (tl.load(x + at, mask=inside, other=0.0).to(tl.float32) - mean) * root
        first += g
        second += g * value
    out = partial + ((client * chunks + chunk) * 2) * channels + channel
    tl.store(out, tl.sum(first, 0))
    tl.store(out + channels, tl.sum(second, 0))


@triton.jit(do_not_specialize=["batch", "scale_at", "shift_at"])
def through_normalisation(
    g,
    x,
    means,
    roots,
    scale,
    partial,
    before,
    gradients,
    dimension,
    scale_at,
    shift_at,
    batch,
    clients: tl.constexpr,
    positions: tl.constexpr,
    channels: tl.constexpr,
    chunks: tl.constexpr,
    rows: tl.constexpr,
):
    """The gradient of x from that of its normalisation, into `before`; those of scale and shift into `gradients`, which is
    (clients, dimension).
    """
    client, chunk = tl.program_id(0), tl.program_id(1)
    total = batch * positions
    each = tl.cdiv(total, chunks)
    channel = tl.arange(0, channels)
    first, second = _totals(partial, client, channels, chunks)
    if chunk == 0:
        tl.store(gradients + client * dimension + shift_at + channel, first)
        tl.store(gradients + client * dimension + scale_at + channel, second)
    mean = tl.load(means + client * channels + channel)[None, :]
    root = tl.load(roots + client * channels + channel)[None, :]
    factor = root * tl.load(scale + channel)[None, :]
    first, second = (first / total)[None, :], (second / total)[None, :]
    for begin in range(chunk * each, min((chunk + 1) * each, total), rows):
        r = begin + tl.arange(0, rows)
        inside = (r < min((chunk + 1) * each, total))[:, None]
        at = _row(r, client, clients, positions)[:, None] * channels + channel[None, :]
        value = (tl.load(x + at, mask=inside, other=0.0).to(tl.float32) - mean) * root
        own = tl.load(g + at, mask=inside, other=0.0).to(tl.float32)
        out = factor * (own - first - value * second)
        tl.store(before + at, out.to(before.dtype.element_ty), mask=inside)


@triton.jit(do_not_specialize=["batch"])
def weight_gradients(
    grad,
    x,
    partial,
    batch,
    clients: tl.constexpr,
    side: tl.constexpr,
    channels: tl.constexpr,
    padded: tl.constexpr,
    out: tl.constexpr,
    padded_out: tl.constexpr,
    stride: tl.constexpr,
    splits: tl.constexpr,
    rows: tl.constexpr,
    precision: tl.constexpr,
):
    """A client's weight gradient for one row of the 3 × 3 kernel, over one split of its output pixels: (output pixels)ᵀ times the
    input pixels under the three columns of the kernel, a matrix (padded_out, 4 · padded) whose fourth quarter is 0.

    grad has side rows and columns and `out` channels; x side · stride and `channels`.
    """
    client, split, down = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    positions = side * side
    total = batch * positions
    each = tl.cdiv(total, splits)
    o, n = tl.arange(0, padded_out), tl.arange(0, 4 * padded)
    across, channel = n // padded, n % padded
    wanted = ((across < 3) & (channel < channels))[None, :]
    product = tl.zeros((padded_out, 4 * padded), tl.float32)
    for begin in range(split * each, min((split + 1) * each, total), rows):
        r = begin + tl.arange(0, rows)
        inside = r < min((split + 1) * each, total)
        row = _row(r, client, clients, positions)
        gs = tl.load(
            grad + row[None, :] * out + o[:, None], mask=inside[None, :] & (o < out)[:, None], other=0.0
        )
        image, place = row // positions, row % positions
        i = (place // side) * stride + down - 1
        j = ((place % side) * stride)[:, None] + across[None, :] - 1
        there = (inside & (i >= 0) & (i < side * stride))[:, None] & (j >= 0) & (j < side * stride) & wanted
        pixel = ((image * side * stride + i) * (side * stride))[:, None] + j
        xs = tl.load(x + pixel * channels + channel[None, :], mask=there, other=0.0)
        product = tl.dot(gs, xs, product, input_precision=precision)
    at = ((split * clients + client) * 3 + down) * padded_out + o
    tl.store(partial + at[:, None] * (4 * padded) + n[None, :], product)


@triton.jit(do_not_specialize=["start"])
def gather_weight_gradients(
    partial,
    gradients,
    dimension,
    start,
    clients: tl.constexpr,
    channels: tl.constexpr,
    padded: tl.constexpr,
    out: tl.constexpr,
    padded_out: tl.constexpr,
    splits: tl.constexpr,
    rows: tl.constexpr,
):
    """The splits added up, into `gradients` (clients, dimension) from `start` on, as (out, channels, 3, 3)."""
    client, down, block = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    o, n = block * rows + tl.arange(0, rows), tl.arange(0, 4 * padded)
    across, channel = n // padded, n % padded
    wanted = (o < out)[:, None] & ((across < 3) & (channel < channels))[None, :]
    total = tl.zeros((rows, 4 * padded), tl.float32)
    for split in range(splits):
        at = ((split * clients + client) * 3 + down) * padded_out + o
        total += tl.load(partial + at[:, None] * (4 * padded) + n[None, :], mask=wanted, other=0.0)
    to = (o[:, None] * channels + channel[None, :]) * 9 + down * 3 + across[None, :]
    tl.store(gradients + client * dimension + start + to, total, mask=wanted)
