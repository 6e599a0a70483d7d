"""What the server does with the vector v it has: its memory ĝ under error feedback, the aggregate
otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from jaxtyping import Float

from methods import checks
from methods.arrays import Array, Parameter, lift, norms


@runtime_checkable
class Server(Protocol):
    """A server rule: (x, v, momentum) ↦ (new x, new momentum). Rules without momentum pass it on."""

    @property
    def has_momentum(self) -> bool: ...

    def __call__(
        self, x: Float[Array, "*#runs d"], v: Float[Array, "*#runs d"], momentum: Array | None
    ) -> tuple[Array, Array | None]: ...


@dataclass(frozen=True)
class Plain:
    """x ← x − step·v with step > 0."""

    step: Parameter
    has_momentum: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        checks.positive("step of the server", self.step)

    def __call__(self, x, v, momentum=None):
        return x - lift(self.step, v) * v, momentum


@dataclass(frozen=True)
class Normalised:
    """x ← x − step·v/‖v‖ with step > 0, and 0/0 = 0: line 11 of α-NormEC's Algorithm 1."""

    step: Parameter
    has_momentum: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        checks.positive("step of the server", self.step)

    def __call__(self, x, v, momentum=None):
        return x - lift(self.step, v) * v / norms(v), momentum  # which are never 0


@dataclass(frozen=True)
class Momentum:
    """m ← μm + v, x ← x − step·m with step > 0 and μ in [0, 1): heavy ball at the server (DP-NormFedAvg,
    Appendix H)."""

    step: Parameter
    mu: Parameter
    has_momentum: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        checks.positive("step of the server", self.step)
        checks.fraction("μ", self.mu)

    def __call__(self, x, v, momentum):
        momentum = lift(self.mu, v) * momentum + v
        return x - lift(self.step, v) * momentum, momentum
