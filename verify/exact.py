"""Algorithms run exactly: plain fractions on the line, written as literally as the papers print them.

Nothing here is shared with `methods/` or with a solver. In one dimension norms are absolute values, so a run of a normalised
method stays rational.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

ZERO = Fraction(0)


def normalise(alpha: Fraction, v: Fraction) -> Fraction:
    """Norm_α on the line, with 0/0 = 0."""
    return v / (alpha + abs(v)) if v else ZERO


def sign(v: Fraction) -> Fraction:
    """v/|v| with 0/0 = 0."""
    return Fraction((v > 0) - (v < 0))


@dataclass(frozen=True)
class Run:
    """The iterates x⁰, …, x^{K+1} of a run, the clients' memories g_i^k and the server's ĝ^k."""

    x: tuple[Fraction, ...]
    memories: tuple[tuple[Fraction, ...], ...]
    server: tuple[Fraction, ...]


def alpha_normec(
    gradients: Sequence[Callable[[Fraction], Fraction]],
    x: Fraction,
    memories: Sequence[Fraction],
    alpha: Fraction,
    beta: Fraction,
    gamma: Fraction,
    iterations: int,
    noise: Callable[[int, int], Fraction] = lambda k, i: ZERO,
    start: Fraction | None = None,
) -> Run:
    """Algorithm 1 of α-NormEC, lines 1 to 13, for k = 0, …, iterations − 1 (the paper's K + 1 iterations).

    start: ĝ⁰; the mean of the memories, as Algorithm 1 asks, where it is None.
    """
    n = len(gradients)
    g = list(memories)
    server = sum(g, ZERO) / n if start is None else start
    xs, gs, hats = [x], [tuple(g)], [server]
    for k in range(iterations):
        sent = []
        for i in range(n):
            delta = normalise(alpha, gradients[i](x) - g[i])
            g[i] = g[i] + beta * delta
            sent.append(delta + noise(k, i))
        server = server + beta / n * sum(sent, ZERO)
        x = x - gamma * sign(server)
        xs.append(x)
        gs.append(tuple(g))
        hats.append(server)
    return Run(tuple(xs), tuple(gs), tuple(hats))
