"""Triton kernels for a batch of several clients' images on a GPU: convolutions that take along what normalisation needs,
normalisation, ReLU and shortcut in one pass, and weight gradients client by client.

Tensors are in channels-last order, as if (image, row, column, channel) were their axes, and images are interleaved as
`layers` says: image b of client c is number b·clients + c. A *row* is one pixel of one image, `channels` numbers. Sums go
over one client's rows, in parts that the next kernel adds up in a fixed order, so that a repetition gives the same bits.
Numbers are read and written in the tensor's type and computed in float32.

Convolutions are 3 × 3. For each row of the kernel the pixels under its three columns are taken as one long vector, of four
columns, since lengths are powers of two: the fourth is 0.
"""

# pyright: reportMissingImports=false

import triton
import triton.language as tl


@triton.jit
def _row(r, client, clients, positions: tl.constexpr):
    """Where row r of a client lies among all rows."""
    return ((r // positions) * clients + client) * positions + r % positions


@triton.jit
def _totals(partial, client, channels: tl.constexpr, parts, most: tl.constexpr):
    """Two sums over all parts, at most `most` of them: partial is (clients, parts, 2, channels)."""
    part, channel = tl.arange(0, most)[:, None], tl.arange(0, channels)[None, :]
    at = partial + ((client * parts + part) * 2) * channels + channel
    there = part < parts
    first = tl.sum(tl.load(at, mask=there, other=0.0), 0)
    return first, tl.sum(tl.load(at + channels, mask=there, other=0.0), 0)


@triton.jit
def _keep(partial, first, second, client, part, parts, channels: tl.constexpr):
    """Sums over the rows of a part, for `_totals`."""
    channel = tl.arange(0, first.shape[1])
    at = partial + ((client * parts + part) * 2) * channels + channel
    tl.store(at, tl.sum(first, 0), mask=channel < channels)
    tl.store(at + channels, tl.sum(second, 0), mask=channel < channels)


@triton.jit
def _under(
    x,
    row,
    inside,
    down,
    side: tl.constexpr,
    channels: tl.constexpr,
    padded: tl.constexpr,
    stride: tl.constexpr,
):
    """The pixels of x under row `down` of the kernel, for each of the output pixels `row`: (rows, 4 · padded)."""
    n = tl.arange(0, 4 * padded)
    across, channel = n // padded, n % padded
    image, place = row // (side * side), row % (side * side)
    i = (place // side) * stride + down - 1
    j = ((place % side) * stride)[:, None] + across[None, :] - 1
    there = (inside & (i >= 0) & (i < side * stride))[:, None] & (j >= 0) & (j < side * stride)
    there = there & ((across < 3) & (channel < channels))[None, :]
    pixel = ((image * side * stride + i) * (side * stride))[:, None] + j
    return tl.load(x + pixel * channels + channel[None, :], mask=there, other=0.0)


@triton.jit
def _weight(
    weight,
    down: tl.constexpr,
    channels: tl.constexpr,
    padded: tl.constexpr,
    out: tl.constexpr,
    padded_out: tl.constexpr,
    turned: tl.constexpr,
):
    """Row `down` of the kernel as (4 · padded, padded_out); weight is (out, 3, 3, channels). Turned: for the gradient of the input,
    where weight is (channels, 3, 3, out).
    """
    n, o = tl.arange(0, 4 * padded), tl.arange(0, padded_out)
    across, channel = n // padded, n % padded
    used = ((across < 3) & (channel < channels))[None, :] & (o < out)[:, None]
    if turned:
        place = (channel * 9 + (2 - down) * 3 + (2 - across))[None, :] * out + o[:, None]
    else:
        place = (o * 9)[:, None] * channels + ((down * 3 + across) * channels + channel)[None, :]
    return tl.trans(tl.load(weight + place, mask=used, other=0.0))


@triton.jit(do_not_specialize=["batch", "clients"])
def convolve(
    x, weight, y, partial, batch, clients, side: tl.constexpr, channels: tl.constexpr, padded: tl.constexpr,
    out: tl.constexpr, padded_out: tl.constexpr, stride: tl.constexpr, precision: tl.constexpr,
    rows: tl.constexpr,
):  # fmt: skip
    """y = x convolved with weight, and over each part of a client's rows the sums of y and of y². y has `side` rows and columns."""
    client, part = tl.program_id(0), tl.program_id(1)
    positions: tl.constexpr = side * side
    total = batch * positions
    each = tl.cdiv(total, tl.num_programs(1))
    end = min((part + 1) * each, total)
    top = _weight(weight, 0, channels, padded, out, padded_out, False)
    middle = _weight(weight, 1, channels, padded, out, padded_out, False)
    bottom = _weight(weight, 2, channels, padded, out, padded_out, False)
    o = tl.arange(0, padded_out)
    first = tl.zeros((rows, padded_out), tl.float32)
    second = tl.zeros((rows, padded_out), tl.float32)
    for begin in range(part * each, end, rows):
        r = begin + tl.arange(0, rows)
        inside = r < end
        row = _row(r, client, clients, positions)
        product = tl.zeros((rows, padded_out), tl.float32)
        xs = _under(x, row, inside, 0, side, channels, padded, stride)
        product = tl.dot(xs, top, product, input_precision=precision)
        xs = _under(x, row, inside, 1, side, channels, padded, stride)
        product = tl.dot(xs, middle, product, input_precision=precision)
        xs = _under(x, row, inside, 2, side, channels, padded, stride)
        product = tl.dot(xs, bottom, product, input_precision=precision)
        rounded = product.to(y.dtype.element_ty)
        tl.store(y + row[:, None] * out + o[None, :], rounded, mask=inside[:, None] & (o < out)[None, :])
        value = rounded.to(tl.float32)
        first += value
        second += value * value
    _keep(partial, first, second, client, part, tl.num_programs(1), out)


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
    each = tl.cdiv(total, tl.num_programs(1))
    end = min((part + 1) * each, total)
    channel = tl.arange(0, channels)
    first = tl.zeros((rows, channels), tl.float32)
    second = tl.zeros((rows, channels), tl.float32)
    for begin in range(part * each, end, rows):
        r = begin + tl.arange(0, rows)
        at = _row(r, client, clients, positions)[:, None] * channels + channel[None, :]
        value = tl.load(x + at, mask=(r < end)[:, None], other=0.0).to(tl.float32)
        first += value
        second += value * value
    _keep(partial, first, second, client, part, tl.num_programs(1), channels)


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
    each = tl.cdiv(total, tl.num_programs(1))
    end = min((chunk + 1) * each, total)
    channel = tl.arange(0, channels)
    first, second = _totals(partial, client, channels, parts, most)
    mean = first / total
    variance = tl.maximum(second / total - mean * mean, 0.0, propagate_nan=tl.PropagateNan.ALL)
    root = 1 / tl.sqrt(variance + epsilon)
    if chunk == 0:
        tl.store(means + client * channels + channel, mean)
        tl.store(roots + client * channels + channel, root)
        tl.store(variances + client * channels + channel, variance * (total / (total - 1.0)))
    factor = root * tl.load(scale + channel)
    offset = tl.load(shift + channel) - mean * factor
    for begin in range(chunk * each, end, rows):
        r = begin + tl.arange(0, rows)
        inside = (r < end)[:, None]
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
        value = tl.maximum(value, 0.0, propagate_nan=tl.PropagateNan.ALL)
        tl.store(y + at, value.to(y.dtype.element_ty), mask=inside)


@triton.jit
def _masked(
    g, later, y, x, mean, root, gradient, row, inside, side: tl.constexpr, channels: tl.constexpr,
    shortcut: tl.constexpr, stride: tl.constexpr, more: tl.constexpr,
):  # fmt: skip
    """What `masked` does with some rows of the gradient `g` above; the masked gradient and normalised x."""
    channel = tl.arange(0, channels)
    at = row[:, None] * channels + channel[None, :]
    if shortcut:
        image, place = row // (side * side), row % (side * side)
        down, right = place // side, place % side
        target = (image * (side // stride) + down // stride) * (side // stride) + right // stride
        there = inside & ((down % stride == 0) & (right % stride == 0))[:, None]
        to = target[:, None] * (channels + more) + (channel + more // 2)[None, :]
        g += tl.load(later + to, mask=there, other=0.0).to(tl.float32)
    stopped = tl.load(y + at, mask=inside, other=0.0).to(tl.float32) <= 0  # what is no number is not
    g = tl.where(stopped, 0.0, g)
    tl.store(gradient + at, g.to(gradient.dtype.element_ty), mask=inside)
    value = (tl.load(x + at, mask=inside, other=0.0).to(tl.float32) - mean[None, :]) * root[None, :]
    return g, g * value


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
    each = tl.cdiv(total, tl.num_programs(1))
    end = min((part + 1) * each, total)
    channel = tl.arange(0, channels)
    mean = tl.load(means + client * channels + channel)
    root = tl.load(roots + client * channels + channel)
    first = tl.zeros((rows, channels), tl.float32)
    second = tl.zeros((rows, channels), tl.float32)
    for begin in range(part * each, end, rows):
        r = begin + tl.arange(0, rows)
        inside = (r < end)[:, None]
        row = _row(r, client, clients, positions)
        at = row[:, None] * channels + channel[None, :]
        g = tl.load(above + at, mask=inside, other=0.0).to(tl.float32)
        g, product = _masked(
            g, later, y, x, mean, root, gradient, row, inside, side, channels, shortcut, stride, more
        )
        first += g
        second += product
    _keep(partial, first, second, client, part, tl.num_programs(1), channels)


@triton.jit(do_not_specialize=["batch", "clients"])
def convolve_back(
    grad, weight, later, y, x, means, roots, gradient, partial, batch, clients, side: tl.constexpr,
    channels: tl.constexpr, shortcut: tl.constexpr, precision: tl.constexpr, rows: tl.constexpr,
):  # fmt: skip
    """`masked` where `above` is the gradient of the input of a convolution with stride 1 whose output has the gradient `grad`: all
    have the same side and number of channels, at least 16.
    """
    client, part = tl.program_id(0), tl.program_id(1)
    positions: tl.constexpr = side * side
    total = batch * positions
    each = tl.cdiv(total, tl.num_programs(1))
    end = min((part + 1) * each, total)
    top = _weight(weight, 0, channels, channels, channels, channels, True)
    middle = _weight(weight, 1, channels, channels, channels, channels, True)
    bottom = _weight(weight, 2, channels, channels, channels, channels, True)
    o = tl.arange(0, channels)
    mean, root = tl.load(means + client * channels + o), tl.load(roots + client * channels + o)
    first = tl.zeros((rows, channels), tl.float32)
    second = tl.zeros((rows, channels), tl.float32)
    for begin in range(part * each, end, rows):
        r = begin + tl.arange(0, rows)
        inside = r < end
        row = _row(r, client, clients, positions)
        g = tl.zeros((rows, channels), tl.float32)
        gs = _under(grad, row, inside, 0, side, channels, channels, 1)
        g = tl.dot(gs, top, g, input_precision=precision)
        gs = _under(grad, row, inside, 1, side, channels, channels, 1)
        g = tl.dot(gs, middle, g, input_precision=precision)
        gs = _under(grad, row, inside, 2, side, channels, channels, 1)
        g = tl.dot(gs, bottom, g, input_precision=precision)
        g, product = _masked(
            g, later, y, x, mean, root, gradient, row, inside[:, None], side, channels, shortcut, 1, 0
        )
        first += g
        second += product
    _keep(partial, first, second, client, part, tl.num_programs(1), channels)


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
    each = tl.cdiv(total, tl.num_programs(1))
    end = min((chunk + 1) * each, total)
    channel = tl.arange(0, channels)
    first, second = _totals(partial, client, channels, parts, most)
    if chunk == 0:
        found = gradients + client.to(tl.int64) * dimension
        tl.store(found + shift_at + channel, first)
        tl.store(found + scale_at + channel, second)
    mean = tl.load(means + client * channels + channel)[None, :]
    root = tl.load(roots + client * channels + channel)[None, :]
    factor = root * tl.load(scale + channel)[None, :]
    first, second = (first / total)[None, :], (second / total)[None, :]
    for begin in range(chunk * each, end, rows):
        r = begin + tl.arange(0, rows)
        inside = (r < end)[:, None]
        at = _row(r, client, clients, positions)[:, None] * channels + channel[None, :]
        value = (tl.load(x + at, mask=inside, other=0.0).to(tl.float32) - mean) * root
        own = tl.load(g + at, mask=inside, other=0.0).to(tl.float32)
        out = factor * (own - first - value * second)
        tl.store(before + at, out.to(before.dtype.element_ty), mask=inside)


@triton.jit
def _put(
    product,
    partial,
    part,
    client,
    down,
    clients,
    padded: tl.constexpr,
    padded_out: tl.constexpr,
):
    """Store one row of the kernel; partial is (parts, clients, 3, padded_out, 4 · padded)."""
    o, n = tl.arange(0, padded_out), tl.arange(0, 4 * padded)
    at = ((part * clients + client) * 3 + down) * padded_out + o
    tl.store(partial + at[:, None] * (4 * padded) + n[None, :], product, mask=(n < 3 * padded)[None, :])


@triton.jit(do_not_specialize=["batch", "clients"])
def weight_gradients(
    grad, x, partial, batch, clients, side: tl.constexpr, channels: tl.constexpr, padded: tl.constexpr,
    out: tl.constexpr, padded_out: tl.constexpr, stride: tl.constexpr, whole: tl.constexpr,
    precision: tl.constexpr, rows: tl.constexpr,
):  # fmt: skip
    """A client's weight gradient over one part of its output pixels: for each row of the kernel (output pixels)ᵀ times the pixels of
    x under it, (padded_out, 4 · padded). One program takes the whole kernel, or one row of it where that is too large.

    grad has `side` rows and columns and `out` channels; x side · stride and `channels`.
    """
    client, part, down = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    positions: tl.constexpr = side * side
    total = batch * positions
    each = tl.cdiv(total, tl.num_programs(1))
    end = min((part + 1) * each, total)
    o = tl.arange(0, padded_out)
    product = tl.zeros((padded_out, 4 * padded), tl.float32)
    middle = tl.zeros((padded_out, 4 * padded), tl.float32)
    bottom = tl.zeros((padded_out, 4 * padded), tl.float32)
    for begin in range(part * each, end, rows):
        r = begin + tl.arange(0, rows)
        inside = r < end
        row = _row(r, client, clients, positions)
        at = row[:, None] * out + o[None, :]
        gs = tl.trans(tl.load(grad + at, mask=inside[:, None] & (o < out)[None, :], other=0.0))
        xs = _under(x, row, inside, down, side, channels, padded, stride)
        product = tl.dot(gs, xs, product, input_precision=precision)
        if whole:
            xs = _under(x, row, inside, 1, side, channels, padded, stride)
            middle = tl.dot(gs, xs, middle, input_precision=precision)
            xs = _under(x, row, inside, 2, side, channels, padded, stride)
            bottom = tl.dot(gs, xs, bottom, input_precision=precision)
    _put(product, partial, part, client, down, clients, padded, padded_out)
    if whole:
        _put(middle, partial, part, client, 1, clients, padded, padded_out)
        _put(bottom, partial, part, client, 2, clients, padded, padded_out)


@triton.jit(do_not_specialize=["start", "parts", "clients"])
def gather_weight_gradients(
    partial, gradients, dimension, start, parts, clients, channels: tl.constexpr, padded: tl.constexpr,
    out: tl.constexpr, padded_out: tl.constexpr, rows: tl.constexpr,
):  # fmt: skip
    """The parts added up, into `gradients` (clients, dimension) from `start` on, as (out, channels, 3, 3)."""
    client, down, block = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    o, n = block * rows + tl.arange(0, rows), tl.arange(0, 4 * padded)
    across, channel = n // padded, n % padded
    wanted = (o < out)[:, None] & ((across < 3) & (channel < channels))[None, :]
    total = tl.zeros((rows, 4 * padded), tl.float32)
    for begin in range(0, parts, 16):
        for part in tl.static_range(16):  # loaded together
            at = (((begin + part) * clients + client) * 3 + down) * padded_out + o
            there = wanted & (begin + part < parts)
            total += tl.load(partial + at[:, None] * (4 * padded) + n[None, :], mask=there, other=0.0)
    to = (o[:, None] * channels + channel[None, :]) * 9 + down * 3 + across[None, :]
    tl.store(gradients + client.to(tl.int64) * dimension + start + to, total, mask=wanted)
