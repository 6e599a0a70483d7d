"""Who takes part in a round, and how what they send is averaged.

A rule turns one uniform number in [0, 1) for each client into a mask. What the clients in the mask send is
multiplied by `weight`, summed, and divided by `divisor(clients)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from array_api_compat import array_namespace
from jaxtyping import Bool, Float

from methods import checks
from methods.arrays import Array, Parameter, lift


@runtime_checkable
class Participation(Protocol):
    """A rule of participation."""

    @property
    def random(self) -> bool:
        """Whether `mask` needs random numbers; without them everybody takes part."""
        ...

    @property
    def weight(self) -> Parameter:
        """q: what a participant's message is multiplied by."""
        ...

    def check(self, clients: int) -> None:
        """Raise `ValueError` unless the rule is one for so many clients. Looks at values; asked before the first round."""
        ...

    def divisor(self, clients: int) -> Parameter:
        """What the sum of the messages is divided by."""
        ...

    def mask(self, uniforms: Float[Array, "*#batch clients"]) -> Bool[Array, "*#batch clients"]:
        """Who takes part, from one uniform number for each client."""
        ...


@dataclass(frozen=True)
class Everybody:
    """All clients, in every round; the aggregate is (1/n) Σ."""

    random: bool = field(default=False, init=False)
    weight: int = field(default=1, init=False)

    def check(self, clients: int) -> None:
        pass

    def divisor(self, clients: int) -> int:
        return clients

    def mask(self, uniforms: Float[Array, "*#batch clients"]) -> Bool[Array, "*#batch clients"]:
        return uniforms >= 0


@dataclass(frozen=True)
class Bernoulli:
    """Each client independently with probability p in (0, 1]; the aggregate is (1/n) Σ q_i·, with q_i = 1/p
    for those who take part and 0 for the others: lines 7 to 11 of Fed-α-NormEC's Algorithm 1. (Its input line
    allows p = 0, where 1/p is undefined.)"""

    p: Parameter
    random: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        checks.probability("p", self.p)

    @property
    def weight(self) -> Parameter:
        return 1 / self.p

    def check(self, clients: int) -> None:
        pass

    def divisor(self, clients: int) -> int:
        return clients

    def mask(self, uniforms: Float[Array, "*#batch clients"]) -> Bool[Array, "*#batch clients"]:
        return uniforms < lift(self.p, uniforms)


@dataclass(frozen=True)
class FixedSize:
    """r clients, each subset of that size equally likely; the aggregate is (1/r) Σ: DP-NormFedAvg, Algorithm
    2."""

    r: int
    random: bool = field(default=True, init=False)
    weight: int = field(default=1, init=False)

    def __post_init__(self) -> None:
        checks.whole("r", self.r)

    def check(self, clients: int) -> None:
        checks.at_most("r", self.r, clients, "the number of clients")

    def divisor(self, clients: int) -> int:
        return self.r

    def mask(self, uniforms: Float[Array, "*#batch clients"]) -> Bool[Array, "*#batch clients"]:
        xp = array_namespace(uniforms)
        self.check(uniforms.shape[-1])
        order = xp.argsort(uniforms, axis=-1, stable=True)
        return xp.argsort(order, axis=-1, stable=True) < self.r


@dataclass(frozen=True)
class Poisson:
    """Each client independently with probability r/n; the aggregate is (1/r) Σ over those who take part,
    however many they are: lines 3 and 14 of DP-NormFedAvg's Algorithm 1. r is the expected number, in (0,
    n]."""

    r: Parameter
    random: bool = field(default=True, init=False)
    weight: int = field(default=1, init=False)

    def __post_init__(self) -> None:
        checks.positive("r", self.r)

    def check(self, clients: int) -> None:
        checks.at_most("r", self.r, clients, "the number of clients")

    def divisor(self, clients: int) -> Parameter:
        return self.r

    def mask(self, uniforms: Float[Array, "*#batch clients"]) -> Bool[Array, "*#batch clients"]:
        clients = uniforms.shape[-1]
        if isinstance(self.r, int | float):  # an array is looked at before the first round alone
            self.check(clients)
        return uniforms * clients < lift(self.r, uniforms)
