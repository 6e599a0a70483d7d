"""Noise of d coordinates at the cost of two, for functions of the first coordinate alone.

Where f depends on the first coordinate only, the other d − 1 entries of the server's memory are a Gaussian
random walk W_k that nothing else feels except through its length, in the direction of the step. The length
is a Markov chain of its own: with a standard normal part along W_k and d − 2 across it,

    ‖W_{k+1}‖² = (‖W_k‖ + a)² + χ²_{d−2}.

So a second coordinate whose noise is the increment of that length has the law of the d-dimensional run,
exactly. It needs all clients to send in every round; the direct simulation in d coordinates needs nothing,
and the tests compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from methods.randomness import Keyed
from toy_problems.falsifier.grid import Array

LENGTHS = 0x57
"""Word that keys the streams of the lengths apart from all others."""


@dataclass(frozen=True, eq=False)
class Radial:
    """Randomness of runs in two coordinates that stand for d ≥ 2.

    first: the noise of the first coordinate. increments: of ‖W_k‖ for unit noise of one client, (seeds,
    rounds).
    """

    first: Keyed
    increments: Array

    @classmethod
    def of(cls, seeds: Array, rounds: int, d: int) -> Radial:
        """For these seeds, which line up with the second axis of the runs, and up to `rounds` rounds in d
        coordinates."""
        paths = np.stack([_lengths(int(seed), rounds, d) for seed in seeds])
        return cls(Keyed(np.asarray(seeds)[None, :]), np.diff(paths, axis=1, prepend=0.0))

    def client_normals(self, round: int, runs: tuple[int, ...], clients: int, d: int, like: Array) -> Array:
        """(1, seeds, clients, 2): the clients' mean has the increment of ‖W_k‖ for n clients' mean as
        second entry."""
        numbers = np.empty((1, len(self.increments), clients, 2))
        numbers[..., :1] = self.first.client_normals(round, runs, clients, 1, like)
        numbers[0, :, :, 1] = self.increments[:, round, None] / np.sqrt(clients)
        return numbers

    def server_normals(self, round: int, runs: tuple[int, ...], d: int, like: Array) -> Array:
        """None of the methods searched adds noise at the server."""
        raise ValueError(
            "Radial stands for clients' noise alone; use Keyed for a method whose server adds noise"
        )

    def uniforms(self, round: int, runs: tuple[int, ...], clients: int, like: Array) -> Array:
        """With participants drawn at random the walk is not that of `increments`."""
        raise ValueError(
            "Radial needs all clients to send in every round; use Keyed where participation is random"
        )


def _lengths(seed: int, rounds: int, d: int) -> Array:
    random = np.random.default_rng((seed, d, LENGTHS))
    along = random.standard_normal(rounds)
    across = random.chisquare(d - 2, rounds) if d > 2 else np.zeros(rounds)
    out, length = np.empty(rounds), 0.0
    for k in range(rounds):
        length = float(np.sqrt((length + along[k]) ** 2 + across[k]))
        out[k] = length
    return out
