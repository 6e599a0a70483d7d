"""Which rows are a program's own, and sums over them that the next kernel adds up."""

# pyright: reportMissingImports=false

import triton
import triton.language as tl


@triton.jit
def row_number(r, client, clients, positions: tl.constexpr):
    """Where row r of a client lies among all rows."""
    return ((r // positions) * clients + client) * positions + r % positions


@triton.jit
def share(part, total):
    """The rows of a part, from and up to, of `total` of a client."""
    each = tl.cdiv(total, tl.num_programs(1))
    return part * each, min((part + 1) * each, total)


@triton.jit
def totals(partial, client, channels: tl.constexpr, parts, most: tl.constexpr):
    """Two sums over all parts, at most `most` of them: partial is (clients, parts, 2, channels)."""
    part, channel = tl.arange(0, most)[:, None], tl.arange(0, channels)[None, :]
    at = partial + ((client * parts + part) * 2) * channels + channel
    there = part < parts
    first = tl.sum(tl.load(at, mask=there, other=0.0), 0)
    return first, tl.sum(tl.load(at + channels, mask=there, other=0.0), 0)


@triton.jit
def keep(partial, first, second, client, part, parts, channels: tl.constexpr):
    """Sums over the rows of a part, for `totals`."""
    channel = tl.arange(0, first.shape[1])
    at = partial + ((client * parts + part) * 2) * channels + channel
    tl.store(at, tl.sum(first, 0), mask=channel < channels)
    tl.store(at + channels, tl.sum(second, 0), mask=channel < channels)


@triton.jit
def apart(x, outputs: tl.constexpr):
    """One row for each output pixel."""
    return tl.reshape(x, (x.shape[0] * outputs, x.shape[1] // outputs))
