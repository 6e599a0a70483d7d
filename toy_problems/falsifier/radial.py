"""Noise of d coordinates at the cost of two, for functions of the first coordinate alone.

Where f depends on the first coordinate only, the other d − 1 entries of the server's memory are a Gaussian
random walk W_k that nothing else feels except through its length, in the direction of the step. The length
is a Markov chain of its own: where m clients send in a round, with a standard normal part a along W_k and
d − 2 across it, in units of one client's noise in the sum,

    ‖W_{k+1}‖² = (‖W_k‖ + √m a)² + m χ²_{d−2}.

So a second coordinate in which those m clients share the increment of that length has the law of the
d-dimensional run, exactly, whoever sends: who sends does not depend on the noise. The direct simulation in d
coordinates needs nothing of this, and the tests compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from methods.participation import Everybody, Participation
from methods.randomness import Keyed
from toy_problems.falsifier.grid import Array

LENGTHS = 0x57
"""Word that keys the streams of the lengths apart from all others."""


@dataclass(frozen=True, eq=False)
class Radial:
    """Randomness of runs in two coordinates that stand for d ≥ 2.

    first: the noise of the first coordinate, and who takes part. increments: of ‖W_k‖, a participant's share,
    for unit noise; the first axis has length 1 where all candidates have the same participants.
    """

    first: Keyed
    increments: Float[Array, "rounds runs seeds"]

    @classmethod
    def of(
        cls, seeds: Array, rounds: int, d: int, clients: int, participation: Participation | None = None
    ) -> Radial:
        """For these seeds, which line up with the second axis of the runs, and up to `rounds` rounds in d
        coordinates. participation: everybody if not given; its parameters have shape (runs, 1)."""
        participation = participation or Everybody()
        keyed, seeds = Keyed(np.asarray(seeds)[None, :]), np.asarray(seeds)
        draws = [_draws(int(seed), rounds, d) for seed in seeds]
        along, across = (np.stack([draw[part] for draw in draws], axis=1) for part in (0, 1))
        length, increments = np.zeros((1, len(seeds))), []
        for k in range(rounds):
            uniforms = keyed.uniforms(k, (1, len(seeds)), clients, along)
            m = participation.mask(uniforms).sum(axis=-1)
            after = np.sqrt((length + np.sqrt(m) * along[k]) ** 2 + m * across[k])
            increments.append((after - length) / np.maximum(m, 1))
            length = after
        return cls(keyed, np.stack(increments) if increments else np.zeros((0, 1, len(seeds))))

    def client_normals(self, round: int, runs: tuple[int, ...], clients: int, d: int, like: Array) -> Array:
        """(1 or runs, seeds, clients, 2): second entries that sum over those who take part to the increment
        of ‖W_k‖."""
        share = self.increments[round]
        numbers = np.empty((*share.shape, clients, 2))
        numbers[..., :1] = self.first.client_normals(round, runs, clients, 1, like)
        numbers[..., 1] = share[..., None]
        return numbers

    def server_normals(self, round: int, runs: tuple[int, ...], d: int, like: Array) -> Array:
        """None of the methods searched adds noise at the server."""
        raise ValueError(
            "Radial stands for clients' noise alone; use Keyed for a method whose server adds noise"
        )

    def uniforms(self, round: int, runs: tuple[int, ...], clients: int, like: Array) -> Array:
        """Who takes part: the same numbers that `of` has seen."""
        return self.first.uniforms(round, runs, clients, like)


def _draws(seed: int, rounds: int, d: int) -> tuple[Array, Array]:
    """The normal part along W_k and the χ²_{d−2} part across it, for each round."""
    random = np.random.default_rng((seed, d, LENGTHS))
    along = random.standard_normal(rounds)
    return along, random.chisquare(d - 2, rounds) if d > 2 else np.zeros(rounds)
