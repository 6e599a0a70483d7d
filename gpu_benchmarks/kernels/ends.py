"""The two ends of the network: bytes to a mini-batch of images, and the linear layer with its loss."""

# pyright: reportMissingImports=false

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["count", "pad"])
def mini_batch(
    images, labels, indices, moves, position, scale, shift, inputs, answers, count, pad, side: tl.constexpr,
    augmented: tl.constexpr,
):  # fmt: skip
    """Of a plan's mini-batch number `position`, of `count` images, one image a program: cropped and flipped if `augmented`,
    scaled, and its label.
    """
    b = tl.program_id(0)
    at = tl.load(position) * count + b
    source = tl.load(indices + at)
    pixel, channel = tl.arange(0, side * side), tl.arange(0, 4)
    i, j = pixel // side, pixel % side
    if augmented:
        flip = tl.load(moves + at * 3 + 2) == 1
        i = i + tl.load(moves + at * 3) - pad
        j = tl.where(flip, side - 1 - j, j) + tl.load(moves + at * 3 + 1) - pad
    there = ((i >= 0) & (i < side) & (j >= 0) & (j < side))[:, None] & (channel < 3)[None, :]
    place = (source * 3 + channel)[None, :] * (side * side) + (i * side + j)[:, None]
    value = tl.load(images + place, mask=there, other=0).to(tl.float32)
    factor = tl.load(scale + channel, mask=channel < 3, other=0.0)
    value = value * factor[None, :] - tl.load(shift + channel, mask=channel < 3, other=0.0)[None, :]
    to = (b * side * side + pixel)[:, None] * 3 + channel[None, :]
    tl.store(
        inputs + to, value.to(inputs.dtype.element_ty), mask=(channel < 3)[None, :] & (pixel >= 0)[:, None]
    )
    tl.store(answers + b, tl.load(labels + source))


@triton.jit(do_not_specialize=["batch"])
def linear(
    x, weight, bias, labels, features, wrong, losses, above, batch, positions: tl.constexpr,
    channels: tl.constexpr, classes: tl.constexpr, padded: tl.constexpr,
):  # fmt: skip
    """One image a program: mean over its pixels, logits, loss; and of its client's mean loss the gradient with respect to its logits,
    `wrong`, and to its pixels, `above`.
    """
    b = tl.program_id(0)
    pixel, channel, k = tl.arange(0, positions), tl.arange(0, channels), tl.arange(0, padded)
    at = (b * positions + pixel)[:, None] * channels + channel[None, :]
    mean = tl.sum(tl.load(x + at).to(tl.float32), 0) / positions
    tl.store(features + b * channels + channel, mean)
    there = (k < classes)[:, None] & (channel >= 0)[None, :]
    weights = tl.load(weight + k[:, None] * channels + channel[None, :], mask=there, other=0.0)
    logits = tl.sum(weights * mean[None, :], 1) + tl.load(bias + k, mask=k < classes, other=0.0)
    logits = tl.where(k < classes, logits, float("-inf"))
    top = tl.max(logits, 0)
    share = tl.exp(logits - top)
    total = tl.sum(share, 0)
    right = k == tl.load(labels + b)
    tl.store(losses + b, tl.log(total) + top - tl.sum(tl.where(right, logits, 0.0), 0))
    g = (share / total - right.to(tl.float32)) / batch
    tl.store(wrong + b * padded + k, g)
    each = tl.sum(g[:, None] * weights, 0) / positions
    tl.store(
        above + at, (each[None, :] + tl.zeros((positions, channels), tl.float32)).to(above.dtype.element_ty)
    )


@triton.jit(do_not_specialize=["batch", "clients", "start"])
def gather_linear(
    features, wrong, losses, gradients, means, dimension, start, batch, clients, channels: tl.constexpr,
    classes: tl.constexpr, padded: tl.constexpr, rows: tl.constexpr,
):  # fmt: skip
    """A client's gradient of one row of the weight and of its bias, into `gradients` (clients, dimension) from `start` on, and
    its mean loss.
    """
    client, k = tl.program_id(0), tl.program_id(1)
    channel = tl.arange(0, channels)
    weight = tl.zeros((channels,), tl.float32)
    bias, loss = 0.0, 0.0
    for begin in range(0, batch, rows):
        r = begin + tl.arange(0, rows)
        image, inside = r * clients + client, r < batch
        own = tl.load(wrong + image * padded + k, mask=inside, other=0.0)
        at = image[:, None] * channels + channel[None, :]
        weight += tl.sum(own[:, None] * tl.load(features + at, mask=inside[:, None], other=0.0), 0)
        bias += tl.sum(own, 0)
        loss += tl.sum(tl.load(losses + image, mask=inside, other=0.0), 0)
    found = gradients + client.to(tl.int64) * dimension + start
    tl.store(found + k * channels + channel, weight)
    tl.store(found + classes * channels + k, bias)
    if k == 0:
        tl.store(means + client, loss / batch)
