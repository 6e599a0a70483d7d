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

from methods.participation import Participation
from methods.randomness import Keyed
from toy_problems.falsifier.evolution import Array

LENGTHS = 0x57
"""Word that keys the streams of the lengths apart from all others."""


@dataclass(frozen=True, eq=False)
class Stored:
    """Numbers of `Keyed`, drawn once for all rounds and candidates. chances: of who takes part; none where
    everybody does."""

    normals: Float[Array, "rounds 1 seeds clients d"]
    chances: Float[Array, "drawn 1 seeds clients"]

    @classmethod
    def of(cls, seeds: Array, rounds: int, clients: int, d: int, sampled: bool) -> Stored:
        """For these seeds, which line up with the second axis of the runs."""
        keyed, like = Keyed(np.asarray(seeds)[None, :]), np.zeros(())
        runs = (1, len(seeds))
        empty = np.zeros((0, *runs, clients))
        normals = [keyed.client_normals(k, runs, clients, d, like) for k in range(rounds)]
        chances = [keyed.uniforms(k, runs, clients, like) for k in range(rounds)] if sampled else []
        return cls(
            np.stack(normals) if normals else np.zeros((*empty.shape, d)),
            np.stack(chances) if chances else empty,
        )

    def client_normals(self, round: int, runs: tuple[int, ...], clients: int, d: int, like: Array) -> Array:
        """(1, seeds, clients, d)."""
        return self.normals[round]

    def server_normals(self, round: int, runs: tuple[int, ...], d: int, like: Array) -> Array:
        """None of the methods searched adds noise at the server."""
        raise ValueError("only clients' noise is drawn here; use Keyed for a method whose server adds noise")

    def uniforms(self, round: int, runs: tuple[int, ...], clients: int, like: Array) -> Array:
        """(1, seeds, clients)."""
        return self.chances[round]


@dataclass(frozen=True, eq=False)
class Radial:
    """Randomness of runs in two coordinates that stand for d ≥ 2.

    first: the noise of the first coordinate, and who takes part. increments: of ‖W_k‖, a participant's share,
    for unit noise; the second axis has length 1 where all candidates have the same participants.
    """

    first: Stored
    increments: Float[Array, "rounds runs seeds"]

    @classmethod
    def of(cls, first: Stored, draws: Draws, participation: Participation) -> Radial:
        """For the participants that this rule finds; its parameters have shape (runs, 1)."""
        rounds, _, seeds, clients, _ = first.normals.shape
        length, increments = np.zeros((1, seeds)), []
        for k in range(rounds):
            m = (
                participation.mask(first.chances[k]).sum(axis=-1)
                if participation.random
                else np.full((1, 1), clients)
            )
            after = np.sqrt((length + np.sqrt(m) * draws.along[k]) ** 2 + m * draws.across[k])
            increments.append((after - length) / np.maximum(m, 1))
            length = after
        return cls(first, np.stack(increments) if increments else np.zeros((0, 1, seeds)))

    def client_normals(self, round: int, runs: tuple[int, ...], clients: int, d: int, like: Array) -> Array:
        """(1 or runs, seeds, clients, 2): second entries that sum over those who take part to the increment
        of ‖W_k‖."""
        share = self.increments[round]
        numbers = np.empty((*share.shape, clients, 2))
        numbers[..., :1] = self.first.normals[round]
        numbers[..., 1] = share[..., None]
        return numbers

    def server_normals(self, round: int, runs: tuple[int, ...], d: int, like: Array) -> Array:
        """None of the methods searched adds noise at the server."""
        return self.first.server_normals(round, runs, d, like)

    def uniforms(self, round: int, runs: tuple[int, ...], clients: int, like: Array) -> Array:
        """Who takes part: the same numbers that `of` has seen."""
        return self.first.chances[round]


@dataclass(frozen=True, eq=False)
class Draws:
    """What the length of the walk is made of: its part along W_k and the χ²_{d−2} part across it."""

    along: Float[Array, "rounds seeds"]
    across: Float[Array, "rounds seeds"]

    @classmethod
    def of(cls, seeds: Array, rounds: int, d: int) -> Draws:
        """For these seeds, each with a stream of its own."""
        along, across = np.empty((rounds, len(seeds))), np.zeros((rounds, len(seeds)))
        for place, seed in enumerate(np.asarray(seeds)):
            random = np.random.default_rng((int(seed), d, LENGTHS))
            along[:, place] = random.standard_normal(rounds)
            if d > 2:
                across[:, place] = random.chisquare(d - 2, rounds)
        return cls(along, across)
