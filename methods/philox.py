"""Philox4x64-10 as an array program: the words that numpy's `Philox` gives, for many keys and counters at
once.

Setting the state of numpy's generator costs microseconds, which is nothing for a vector of thousands of
entries and everything for thousands of vectors of three. Whichever of the two is faster is taken; both give
the same words.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

M0, M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
W0, W1 = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
ROUNDS = 10
LOW, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)

LONG = 128
"""From this many words a stream on, numpy's own generator is the faster one."""

CHUNK = 2**13
"""Blocks of four words that the array program works on at a time: what fits a processor's second cache."""


def normals(seeds: np.ndarray, round: int, clients: int, stream: int, d: int) -> np.ndarray:
    """Standard normal numbers of every (seed, round, client, stream), clients 0, 1, …: float64, (seeds,
    clients, d)."""
    out = np.empty((len(seeds), clients, d))
    for part, words in _words(seeds, round, clients, stream, d + d % 2):
        out[part] = box_muller(words)[..., :d]
    return out


def uniforms(seeds: np.ndarray, round: int, clients: int, stream: int) -> np.ndarray:
    """A number in [0, 1) of every (seed, round, client, stream): float64, (seeds, clients)."""
    out = np.empty((len(seeds), clients))
    for part, words in _words(seeds, round, clients, stream, 1):
        out[part] = unit(words[..., 0])
    return out


def unit(words: np.ndarray) -> np.ndarray:
    """Words as multiples of 2^-53 in [0, 1)."""
    return (words >> np.uint64(11)) * 2.0**-53


def box_muller(words: np.ndarray) -> np.ndarray:
    """Standard normal numbers from an even number of words along the last axis, two from two."""
    u = unit(words)
    radius = np.sqrt(-2.0 * np.log1p(-u[..., 0::2]))
    angle = (2.0 * np.pi) * u[..., 1::2]
    out = np.empty(words.shape)
    np.multiply(radius, np.cos(angle), out=out[..., 0::2])
    np.multiply(radius, np.sin(angle), out=out[..., 1::2])
    return out


def _words(
    seeds: np.ndarray, round: int, clients: int, stream: int, length: int
) -> Iterator[tuple[slice, np.ndarray]]:
    """Slices of the seeds, each with the first `length` words of its streams: uint64, (some seeds, clients,
    length)."""
    words = by_generator if length >= LONG else by_array_program
    some = max(1, CHUNK // (clients * -(-length // 4)))
    for start in range(0, len(seeds), some):
        part = slice(start, start + some)
        yield part, words(seeds[part], round, clients, stream, length)


def by_array_program(seeds: np.ndarray, round: int, clients: int, stream: int, length: int) -> np.ndarray:
    """The first `length` words of every (seed, round, client, stream), from `philox`."""
    blocks = np.arange(1, -(-length // 4) + 1, dtype=np.uint64)
    shape = (len(seeds), clients, len(blocks))
    counter = (blocks, np.arange(clients, dtype=np.uint64)[:, None], np.uint64(round), np.uint64(stream))
    c0, c1, c2, c3 = (np.broadcast_to(c, shape) for c in counter)
    out = np.stack(philox(c0, c1, c2, c3, seeds[:, None, None]), axis=-1)
    return out.reshape(*shape[:2], -1)[..., :length]


def by_generator(seeds: np.ndarray, round: int, clients: int, stream: int, length: int) -> np.ndarray:
    """The same words, from numpy's generator."""
    out = np.empty((len(seeds), clients, length), dtype=np.uint64)
    generator = np.random.Philox(key=0)
    state = generator.state
    for s, seed in enumerate(seeds):
        state["state"]["key"][:] = seed, 0
        for client in range(clients):
            state["state"]["counter"][:] = 0, client, round, stream
            state["buffer_pos"] = 4  # nothing buffered
            generator.state = state
            out[s, client] = generator.random_raw(length)
    return out


def philox(c0, c1, c2, c3, k0) -> tuple[np.ndarray, ...]:
    """The four words of each counter (c0, c1, c2, c3) under the key (k0, 0): Salmon et al. (2011), ten
    rounds."""
    k1 = 0
    for _ in range(ROUNDS):
        high0, low0 = _product(M0, c0)
        high1, low1 = _product(M1, c2)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ np.uint64(k1), low0
        k0, k1 = k0 + np.uint64(W0), (k1 + W1) % 2**64
    return c0, c1, c2, c3


def _product(a: np.uint64, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """High and low 64 bits of a·b, by halves: no sum below can exceed 2^64 − 1 but the low word, which
    wraps."""
    a_high, a_low = a >> HALF, a & LOW
    b_high, b_low = b >> HALF, b & LOW
    cross = a_high * b_low
    middle = ((a_low * b_low) >> HALF) + (cross & LOW) + a_low * b_high
    return a_high * b_high + (cross >> HALF) + (middle >> HALF), a * b
