"""Where a round's random numbers come from: a protocol, and the implementation that is keyed and
reproducible.

`Keyed` gives every (seed, round, client) its own stream, so that a run can be repeated alone, a client's
noise does not depend on who else is there, and two methods run with one seed see the same noise and the same
participants. It is the counter-based generator Philox4x64-10 (Salmon et al., 2011) with key (seed, 0) and
counter (block, client, round, stream): nothing is stored and nothing is global. Long vectors take the words
from numpy's own Philox; many short ones take the same words from the array program in `methods.philox`.
Normal numbers come from the words by the Box–Muller transform.

An engine on a GPU supplies its own object with these three methods.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from array_api_compat import array_namespace, device

from methods import checks, philox
from methods.arrays import Array, floating

CLIENT_NOISE, SERVER_NOISE, PARTICIPATION = 0, 1, 2
"""The streams of a (seed, round, client)."""


@runtime_checkable
class Randomness(Protocol):
    """Independent random numbers for one round of all runs.

    runs: the leading axes of the state, e.g. (instances, seeds). What is returned may have length 1 where
    runs share their numbers. like: an array whose library, dtype and device the result has.
    """

    def client_normals(self, round: int, runs: tuple[int, ...], clients: int, d: int, like: Array) -> Array:
        """Standard normal numbers, (*runs, clients, d)."""
        ...

    def server_normals(self, round: int, runs: tuple[int, ...], d: int, like: Array) -> Array:
        """Standard normal numbers, (*runs, d)."""
        ...

    def uniforms(self, round: int, runs: tuple[int, ...], clients: int, like: Array) -> Array:
        """Uniform numbers in [0, 1), (*runs, clients)."""
        ...


@dataclass(frozen=True)
class Keyed:
    """Random numbers keyed by (seed, round, client).

    seeds: one seed in [0, 2^64) for all runs, or an array of them whose axes line up with the leading axes of
    the runs; use length 1 where runs share a seed (common random numbers), e.g. shape (1, S) for (instances,
    seeds).

    Its methods raise `TypeError` for a round, a number of clients or a d that is no integer, and `ValueError` for a round outside
    [0, 2^64), for clients or d below 1, for a `like` that is not of floats, and for runs that the seeds do not line up with.
    """

    seeds: Any
    _seeds: np.ndarray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_seeds", _as_seeds(self.seeds))

    def client_normals(self, round: int, runs: tuple[int, ...], clients: int, d: int, like: Array) -> Array:
        round, clients, d = _round(round), checks.whole("clients", clients), checks.whole("d", d)
        floating("like", like)
        numbers = philox.normals(self._seeds.ravel(), round, clients, CLIENT_NOISE, d)
        return self._deliver(numbers, runs, like)

    def server_normals(self, round: int, runs: tuple[int, ...], d: int, like: Array) -> Array:
        round, d = _round(round), checks.whole("d", d)
        floating("like", like)
        numbers = philox.normals(self._seeds.ravel(), round, 1, SERVER_NOISE, d)
        return self._deliver(numbers[:, 0], runs, like)

    def uniforms(self, round: int, runs: tuple[int, ...], clients: int, like: Array) -> Array:
        round, clients = _round(round), checks.whole("clients", clients)
        floating("like", like)
        numbers = philox.uniforms(self._seeds.ravel(), round, clients, PARTICIPATION)
        # In a shorter type than float64 the largest would be rounded to 1: 1 − eps/2 is the largest below it.
        numbers = np.minimum(numbers, 1 - array_namespace(like).finfo(like.dtype).eps / 2)
        return self._deliver(numbers, runs, like)

    def _deliver(self, numbers: np.ndarray, runs: tuple[int, ...], like: Array) -> Array:
        own = self._seeds.shape
        if len(own) > len(runs) or any(s not in (1, r) for s, r in zip(own, runs, strict=False)):
            raise ValueError(
                f"seeds of shape {own} do not line up with runs of shape {runs}; give one seed for each "
                "leading axis, or length 1 where runs share a seed"
            )
        shaped = numbers.reshape(*own, *(1,) * (len(runs) - len(own)), *numbers.shape[1:])
        xp = array_namespace(like)
        return xp.asarray(shaped, dtype=like.dtype, device=device(like))


def _round(round: int) -> int:
    return checks.whole("round", round, least=0, below=1 << 64)


def _as_seeds(seeds: Any) -> np.ndarray:
    """Seeds as uint64. Raises `ValueError` for anything but integers in [0, 2^64)."""
    array = np.asarray(seeds)
    if array.dtype == object or array.dtype.kind not in "iu" or (array.size and int(array.min()) < 0):
        raise ValueError(f"seeds = {seeds!r} must be integers in [0, 2^64)")
    return array.astype(np.uint64)
