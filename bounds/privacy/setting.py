"""Who sees what, and who is hidden: the part of a privacy statement that is not a number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

Trust = Literal["messages", "participants", "sum", "server-noise"]
Neighbours = Literal["replace-one", "add-remove"]

TRUST_MEANING: dict[Trust, str] = {
    "messages": "every message and its sender (local privacy)",
    "participants": "the sum of each round's messages and who took part",
    "sum": "only the sum of each round's messages; the noise comes from the participants",
    "server-noise": "only the sum; one noise of fixed variance is added to it",
}


SMALLEST_DELTA = 1e-300
MOST = 1 << 53
"""Larger whole numbers are no floats."""


@dataclass(frozen=True)
class Setting:
    """A mechanism up to its noise, and the adversary.

    trust: what is seen; neighbours: what is hidden (see `bounds.privacy`). rounds: number of releases, 1 ≤ K ≤ 2⁵³.
    participation: probability p in (0, 1] with which each client takes part, independently, in each round.
    clients: number n of clients, 1 ≤ n ≤ 2⁵³.
    Messages have norm at most 1; the noise is in units of that bound.
    """

    trust: Trust
    neighbours: Neighbours
    rounds: int
    participation: float = 1.0
    clients: int = 1

    def __post_init__(self) -> None:
        _one_of("trust", self.trust, get_args(Trust))
        _one_of("neighbours", self.neighbours, get_args(Neighbours))
        for name in ("rounds", "clients"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
                raise ValueError(f"{name} = {_short(value)} is outside its domain: an integer in [1, 2^53]")
        if not 0 < self.participation <= 1:
            raise ValueError(
                f"participation = {self.participation} is outside its domain (0, 1]: "
                "a client that never takes part sends nothing and needs no noise"
            )

    def __str__(self) -> str:
        return f"trust {self.trust}, {self.neighbours}, {self.rounds} rounds, p = {self.participation}, n = {self.clients}"

    @property
    def sensitivity(self) -> float:
        """How far one round's message moves between neighbours."""
        return 2.0 if self.neighbours == "replace-one" else 1.0


def _short(value: Any) -> str:
    many = isinstance(value, int) and abs(value) >= 10**20
    return f"a number of {len(str(abs(value)))} digits" if many else str(value)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} = {value!r} is not known; choose one of {', '.join(allowed)}")


def check_epsilon(epsilon: float, allow_zero: bool = False) -> None:
    if not (math.isfinite(epsilon) and (epsilon > 0 or (allow_zero and epsilon == 0))):
        raise ValueError(
            f"ε = {epsilon} is outside its domain: a finite number {'>=' if allow_zero else '>'} 0"
        )


def check_delta(delta: float) -> None:
    if not 0 < delta < 1:
        raise ValueError(
            f"δ = {delta} is outside its domain (0, 1): Gaussian noise gives no δ = 0, "
            "and δ >= 1 asks for nothing"
        )
    if delta < SMALLEST_DELTA:
        raise ValueError(f"δ = {delta} is below {SMALLEST_DELTA}, where floats end: take a larger δ")


def check_sigma(sigma: float) -> None:
    if not (math.isfinite(sigma) and sigma > 0):
        raise ValueError(
            f"σ = {sigma} is outside its domain: a finite number > 0; without noise no ε is finite"
        )
