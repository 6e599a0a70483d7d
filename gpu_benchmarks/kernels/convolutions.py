"""Convolutions that take along what normalisation needs, forwards and backwards."""

# pyright: reportMissingImports=false

import triton
import triton.language as tl

from gpu_benchmarks.kernels.normalisation import beside
from gpu_benchmarks.kernels.parts import apart, keep, row_number, share


@triton.jit
def under(
    x,
    row,
    inside,
    down,
    side: tl.constexpr,
    channels: tl.constexpr,
    padded: tl.constexpr,
    stride: tl.constexpr,
    outputs: tl.constexpr,
):
    """The pixels of x under row `down` of the kernel, for each of the output pixels or pairs `row`: (rows, 4 · padded)."""
    n = tl.arange(0, 4 * padded)
    across, channel = n // padded, n % padded
    image, place = row // (side * side // outputs), row % (side * side // outputs)
    i = (place // (side // outputs)) * stride + down - 1
    j = ((place % (side // outputs)) * (stride * outputs))[:, None] + across[None, :] - 1
    there = (inside & (i >= 0) & (i < side * stride))[:, None] & (j >= 0) & (j < side * stride)
    there = there & ((across < outputs + 2) & (channel < channels))[None, :]
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
    outputs: tl.constexpr,
    turned: tl.constexpr,
):
    """Row `down` of the kernel as (4 · padded, outputs · padded_out); weight is (out, 3, 3, channels). Turned: for the gradient of
    the input, where weight is (channels, 3, 3, out).
    """
    n, m = tl.arange(0, 4 * padded)[None, :], tl.arange(0, outputs * padded_out)[:, None]
    across, channel, o = n // padded - m // padded_out, n % padded, m % padded_out
    used = (across >= 0) & (across < 3) & (channel < channels) & (o < out)
    place = (o * 9 + down * 3 + across) * channels + channel
    if turned:
        place = (channel * 9 + (2 - down) * 3 + (2 - across)) * out + o
    return tl.trans(tl.load(weight + place, mask=used, other=0.0))


@triton.jit(do_not_specialize=["batch", "clients"])
def convolve(
    x, weight, y, partial, batch, clients, side: tl.constexpr, channels: tl.constexpr, padded: tl.constexpr,
    out: tl.constexpr, padded_out: tl.constexpr, stride: tl.constexpr, outputs: tl.constexpr,
    precision: tl.constexpr, rows: tl.constexpr,
):  # fmt: skip
    """y = x convolved with weight, and over each part of a client's rows the sums of y and of y². y has `side` rows and columns."""
    client, part = tl.program_id(0), tl.program_id(1)
    positions: tl.constexpr = side * side // outputs
    total = batch * positions
    start, end = share(part, total)
    top = _weight(weight, 0, channels, padded, out, padded_out, outputs, False)
    middle = _weight(weight, 1, channels, padded, out, padded_out, outputs, False)
    bottom = _weight(weight, 2, channels, padded, out, padded_out, outputs, False)
    m = tl.arange(0, outputs * padded_out)
    o = m % padded_out
    first = tl.zeros((rows, outputs * padded_out), tl.float32)
    second = tl.zeros((rows, outputs * padded_out), tl.float32)
    for begin in range(start, end, rows):
        r = begin + tl.arange(0, rows)
        inside = r < end
        row = row_number(r, client, clients, positions)
        product = tl.zeros((rows, outputs * padded_out), tl.float32)
        # all on their way before the first is waited for
        above = under(x, row, inside, 0, side, channels, padded, stride, outputs)
        level = under(x, row, inside, 1, side, channels, padded, stride, outputs)
        below = under(x, row, inside, 2, side, channels, padded, stride, outputs)
        product = tl.dot(above, top, product, input_precision=precision)
        product = tl.dot(level, middle, product, input_precision=precision)
        product = tl.dot(below, bottom, product, input_precision=precision)
        rounded = product.to(y.dtype.element_ty)
        to = (row * outputs)[:, None] * out + (m // padded_out * out + o)[None, :]
        tl.store(y + to, rounded, mask=inside[:, None] & (o < out)[None, :])
        value = rounded.to(tl.float32)
        first += value
        second += value * value
    first, second = apart(first, outputs), apart(second, outputs)
    keep(partial, first, second, client, part, tl.num_programs(1), out)


@triton.jit(do_not_specialize=["batch", "clients"])
def convolve_back(
    grad, weight, later, y, x, means, roots, gradient, partial, batch, clients, side: tl.constexpr,
    channels: tl.constexpr, shortcut: tl.constexpr, outputs: tl.constexpr, precision: tl.constexpr,
    rows: tl.constexpr,
):  # fmt: skip
    """`masked` where `above` is the gradient of the input of a convolution with stride 1 whose output has the gradient `grad`: all
    have the same side and number of channels, at least 16.
    """
    client, part = tl.program_id(0), tl.program_id(1)
    positions: tl.constexpr = side * side // outputs
    total = batch * positions
    start, end = share(part, total)
    top = _weight(weight, 0, channels, channels, channels, channels, outputs, True)
    middle = _weight(weight, 1, channels, channels, channels, channels, outputs, True)
    bottom = _weight(weight, 2, channels, channels, channels, channels, outputs, True)
    m = tl.arange(0, outputs * channels)
    mean = tl.load(means + client * channels + m % channels)[None, :]
    root = tl.load(roots + client * channels + m % channels)[None, :]
    first = tl.zeros((rows, outputs * channels), tl.float32)
    second = tl.zeros((rows, outputs * channels), tl.float32)
    for begin in range(start, end, rows):
        r = begin + tl.arange(0, rows)
        inside = r < end
        row = row_number(r, client, clients, positions)
        at, here = (row * (outputs * channels))[:, None] + m[None, :], inside[:, None]
        # all on their way before the first is waited for
        above = under(grad, row, inside, 0, side, channels, channels, 1, outputs)
        level = under(grad, row, inside, 1, side, channels, channels, 1, outputs)
        below = under(grad, row, inside, 2, side, channels, channels, 1, outputs)
        added, seen, value = beside(later, y, x, at, at, here, here, shortcut)
        g = tl.zeros((rows, outputs * channels), tl.float32)
        g = tl.dot(above, top, g, input_precision=precision)
        g = tl.dot(level, middle, g, input_precision=precision)
        g = tl.dot(below, bottom, g, input_precision=precision)
        g = tl.where(seen.to(tl.float32) <= 0, 0.0, g + added)  # what is no number is not
        tl.store(gradient + at, g.to(gradient.dtype.element_ty), mask=here)
        first += g
        second += g * ((value.to(tl.float32) - mean) * root)
    first, second = apart(first, outputs), apart(second, outputs)
    keep(partial, first, second, client, part, tl.num_programs(1), channels)
