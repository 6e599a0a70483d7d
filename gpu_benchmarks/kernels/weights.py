"""Weight gradients of convolutions, client by client."""

# pyright: reportMissingImports=false

import triton
import triton.language as tl

from gpu_benchmarks.kernels.convolutions import under
from gpu_benchmarks.kernels.parts import row_number, share


@triton.jit
def _columns(product, padded: tl.constexpr):
    """The four columns of (out, 4 · padded)."""
    by_column = tl.permute(tl.reshape(product, (product.shape[0], 2, 2, padded)), (0, 3, 2, 1))
    left, right = tl.split(by_column)  # columns 0 and 1, 2 and 3
    first, second = tl.split(left)
    third, fourth = tl.split(right)
    return first, second, third, fourth


@triton.jit
def _put(
    product, partial, part, client, down, clients, padded: tl.constexpr, padded_out: tl.constexpr,
    outputs: tl.constexpr,
):  # fmt: skip
    """Store one row of the kernel; partial is (parts, clients, 3, padded_out, 4 · padded)."""
    o, n = tl.arange(0, padded_out), tl.arange(0, 4 * padded)
    at = ((part * clients + client) * 3 + down) * padded_out + o
    if outputs == 1:
        # memory is written by eight numbers: where that is more than a column, the fourth one, of zeros, too
        used: tl.constexpr = 3 * padded if padded >= 8 else 4 * padded
        tl.store(partial + at[:, None] * (4 * padded) + n[None, :], product, mask=(n < used)[None, :])
    else:
        # to the left pixel of a pair a column is what the one before it is to the right pixel
        pair = tl.permute(tl.reshape(product, (2, padded_out, 4 * padded)), (1, 2, 0))
        of_left, of_right = tl.split(pair)
        a, b, c, _ = _columns(of_left, padded)
        _, d, e, f = _columns(of_right, padded)
        to = partial + at[:, None] * (4 * padded) + tl.arange(0, padded)[None, :]
        tl.store(to, a + d)
        tl.store(to + padded, b + e)
        tl.store(to + 2 * padded, c + f)


@triton.jit(do_not_specialize=["batch", "clients"])
def weight_gradients(
    grad, x, partial, batch, clients, side: tl.constexpr, channels: tl.constexpr, padded: tl.constexpr,
    out: tl.constexpr, padded_out: tl.constexpr, stride: tl.constexpr, outputs: tl.constexpr,
    whole: tl.constexpr, precision: tl.constexpr, rows: tl.constexpr,
):  # fmt: skip
    """A client's weight gradient over one part of its output pixels: for each row of the kernel (output pixels)ᵀ times the pixels of
    x under it, (outputs · padded_out, 4 · padded). One program takes the whole kernel, or one row of it where that is too large.

    grad has `side` rows and columns and `out` channels; x side · stride and `channels`.
    """
    client, part, down = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    positions: tl.constexpr = side * side // outputs
    total = batch * positions
    start, end = share(part, total)
    m = tl.arange(0, outputs * padded_out)
    o = m % padded_out
    product = tl.zeros((outputs * padded_out, 4 * padded), tl.float32)
    middle = tl.zeros((outputs * padded_out, 4 * padded), tl.float32)
    bottom = tl.zeros((outputs * padded_out, 4 * padded), tl.float32)
    for begin in range(start, end, rows):
        r = begin + tl.arange(0, rows)
        inside = r < end
        row = row_number(r, client, clients, positions)
        at = (row * outputs)[:, None] * out + (m // padded_out * out + o)[None, :]
        gs = tl.trans(tl.load(grad + at, mask=inside[:, None] & (o < out)[None, :], other=0.0))
        xs = under(x, row, inside, down, side, channels, padded, stride, outputs)
        product = tl.dot(gs, xs, product, input_precision=precision)
        if whole:
            xs = under(x, row, inside, 1, side, channels, padded, stride, outputs)
            middle = tl.dot(gs, xs, middle, input_precision=precision)
            xs = under(x, row, inside, 2, side, channels, padded, stride, outputs)
            bottom = tl.dot(gs, xs, bottom, input_precision=precision)
    _put(product, partial, part, client, down, clients, padded, padded_out, outputs)
    if whole:
        _put(middle, partial, part, client, 1, clients, padded, padded_out, outputs)
        _put(bottom, partial, part, client, 2, clients, padded, padded_out, outputs)


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
