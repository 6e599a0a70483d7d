"""Who sees what, and who is hidden: the part of a privacy statement that is not a number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from bounds.scalars import is_whole, plain, short

Trust = Literal["messages", "participants", "sum", "server-noise"]
Neighbours = Literal["replace-one", "add-remove"]

TRUST_MEANING: dict[Trust, str] = {
    "messages": "every message and its sender (local privacy)",
    "participants": "the sum of each round's messages and who took part",
    "sum": "only the sum of each round's messages, with the participants' noise",
    "server-noise": "only the sum, with one noise of fixed variance added to it",
}
NEIGHBOURS_MEANING: dict[Neighbours, str] = {
    "replace-one": "all data of a client replaced",
    "add-remove": "a client's messages left out, for which it still sends noise alone",
}
"""What is hidden where clients add the noise; see `hidden`."""


def hidden(neighbours: Neighbours, trust: Trust) -> str:
    """What is hidden, in words. With the server's noise no client sends any."""
    if (neighbours, trust) == ("add-remove", "server-noise"):
        return "a client's messages left out"
    return NEIGHBOURS_MEANING[neighbours]


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
            value = plain(getattr(self, name))
            if not is_whole(value, 1, MOST):
                raise ValueError(
                    f"{name} = {short(getattr(self, name))} is outside its domain: an integer in [1, 2^53]"
                )
            object.__setattr__(self, name, int(value))
        participation = plain(self.participation)
        if not 0 < participation <= 1:
            raise ValueError(
                f"participation = {short(self.participation)} is outside its domain (0, 1]: "
                "a client that never takes part sends nothing and needs no noise"
            )
        object.__setattr__(self, "participation", float(participation))

    def __str__(self) -> str:
        return f"trust {self.trust}, {self.neighbours}, {self.rounds} rounds, p = {self.participation}, n = {self.clients}"

    @property
    def sensitivity(self) -> float:
        """How far one round's message moves between neighbours."""
        return 2.0 if self.neighbours == "replace-one" else 1.0


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} = {value!r} is not known; choose one of {', '.join(allowed)}")


def check_setting(setting: object) -> None:
    """Raise `TypeError` for what is no `Setting`."""
    if not isinstance(setting, Setting):
        raise TypeError(
            f"setting = {setting!r} is no bounds.privacy.Setting; give Setting(trust, neighbours, rounds, participation, clients)"
        )


def check_epsilon(epsilon: float, allow_zero: bool = False) -> float:
    """ε as a float. Raises `ValueError` outside its domain; so do those below."""
    found = plain(epsilon)
    if not (math.isfinite(found) and (found > 0 or (allow_zero and found == 0))):
        raise ValueError(
            f"ε = {short(epsilon)} is outside its domain: a finite number {'>=' if allow_zero else '>'} 0"
        )
    return float(found)


def check_delta(delta: float) -> float:
    """δ as a float. Raises `ValueError` outside (0, 1) and where floats end."""
    found = plain(delta)
    if not 0 < found < 1:
        raise ValueError(
            f"δ = {short(delta)} is outside its domain (0, 1): Gaussian noise gives no δ of 0, "
            "and δ >= 1 asks for nothing"
        )
    if found < SMALLEST_DELTA:
        raise ValueError(f"δ = {delta} is below {SMALLEST_DELTA}, where floats end: take a larger δ")
    return float(found)


def check_sigma(sigma: float) -> float:
    """σ as a float, in units of the messages' bound. Raises `ValueError` unless it is finite and above 0."""
    found = plain(sigma)
    if not (math.isfinite(found) and found > 0):
        raise ValueError(
            f"σ = {short(sigma)} is outside its domain: a finite number > 0; without noise no ε is finite"
        )
    return float(found)
