"""What a client computes from the iterate it receives: its local update u_i, which stands where ∇f_i(x)
stands in α-NormEC.

Local gradients come from an oracle, a function of (..., clients, d) to (..., clients, d) whose client i
evaluates ∇f_i at its own point. The first evaluation of a round is at a broadcast view of x, the same point
for all clients.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from jaxtyping import Float

from methods import checks
from methods.arrays import Array, Parameter, lift


@runtime_checkable
class Gradients(Protocol):
    """An oracle of local gradients."""

    def __call__(self, x: Float[Array, "*runs clients d"], /) -> Float[Array, "*runs clients d"]:
        """∇f_i at the i-th point."""
        ...


@runtime_checkable
class SampleGradients(Protocol):
    """An oracle that also knows the functions f_{i,j} of which f_i is the mean, j in [0, samples)."""

    @property
    def samples(self) -> int: ...

    def __call__(self, x: Float[Array, "*runs clients d"], /) -> Float[Array, "*runs clients d"]: ...

    def sample(self, x: Float[Array, "*runs clients d"], j: int, /) -> Float[Array, "*runs clients d"]:
        """∇f_{i,j} at the i-th point."""
        ...


@runtime_checkable
class LocalWork(Protocol):
    """A local update u_i from x."""

    def __call__(
        self, x: Float[Array, "*runs clients d"], gradients: Gradients
    ) -> Float[Array, "*runs clients d"]: ...


@dataclass(frozen=True)
class OneGradient:
    """u_i = ∇f_i(x)."""

    def __call__(
        self, x: Float[Array, "*runs clients d"], gradients: Gradients
    ) -> Float[Array, "*runs clients d"]:
        return gradients(x)


@dataclass(frozen=True)
class LocalDescent:
    """T ≥ 1 local gradient steps of length γ/T, γ > 0 in x²/f (Fed-α-NormEC, Theorem 1):

        x_{j+1} = x_j − (γ/T) ∇f_i(x_j),   𝒯_i(x) = x − (γ/T) Σ_j ∇f_i(x_j),   u_i = (x − 𝒯_i(x))/γ.

    u_i is returned as the mean of the T gradients, which is the same number without the cancellation of x −
    𝒯_i(x); with T = 1 it is ∇f_i(x) to the last bit.
    """

    steps: int
    gamma: Parameter

    def __post_init__(self) -> None:
        checks.whole("T", self.steps)
        checks.positive("γ", self.gamma)

    def __call__(
        self, x: Float[Array, "*runs clients d"], gradients: Gradients
    ) -> Float[Array, "*runs clients d"]:
        return (
            _descend(x, lambda point, _: gradients(point), self.steps, lift(self.gamma / self.steps, x))
            / self.steps
        )


@dataclass(frozen=True)
class LocalSum:
    """E ≥ 1 local gradient steps of length η > 0 (x²/f); u_i = (x − x_E)/η = Σ_τ ∇f_i(x_τ), the sum and not the mean
    (DP-NormFedAvg, Algorithm 1, lines 5 to 9; Algorithm 2 sends ηu_i)."""

    steps: int
    eta: Parameter

    def __post_init__(self) -> None:
        checks.whole("E", self.steps)
        checks.positive("η", self.eta)

    def __call__(
        self, x: Float[Array, "*runs clients d"], gradients: Gradients
    ) -> Float[Array, "*runs clients d"]:
        return _descend(x, lambda point, _: gradients(point), self.steps, lift(self.eta, x))


@dataclass(frozen=True)
class CyclicIncremental:
    """One pass over the N functions of each client in their fixed order, in steps of γ/N, γ > 0 in x²/f
    (Fed-α-NormEC, Appendix G, eq. (2)):

        x_{j+1} = x_j − (γ/N) ∇f_{i,j}(x_j),   u_i = (x − 𝒯_i(x))/γ = (1/N) Σ_j ∇f_{i,j}(x_j).

    Needs an oracle with `samples` = N and `sample(x, j)`; raises `TypeError` for one without.
    """

    gamma: Parameter

    def __post_init__(self) -> None:
        checks.positive("γ", self.gamma)

    def __call__(
        self, x: Float[Array, "*runs clients d"], gradients: Gradients
    ) -> Float[Array, "*runs clients d"]:
        if not isinstance(gradients, SampleGradients):
            raise TypeError(
                "cyclic incremental gradient needs gradients of single functions, but "
                f"{type(gradients).__name__} has no `samples` and `sample(x, j)`; "
                "see methods.local_work.SampleGradients"
            )
        total = _descend(x, gradients.sample, gradients.samples, lift(self.gamma / gradients.samples, x))
        return total / gradients.samples


def _descend(x, gradient, steps: int, length: Parameter):
    """The sum of the gradients along `steps` descent steps from x."""
    total = gradient(x, 0)
    point = x
    latest = total
    for j in range(1, steps):
        point = point - length * latest
        latest = gradient(point, j)
        total = total + latest
    return total
