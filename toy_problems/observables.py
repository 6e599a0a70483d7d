"""What can be watched along a run: one function for each quantity, of the state before a round and of what
the round did.

Quantities at round k belong to xᵏ and g_iᵏ, before the update, so a trace of K + 1 rounds covers k = 0, …, K
as the theorems do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from methods.algebra import Method, Round, State
from methods.arrays import lift
from toy_problems.problem import Array, Problem


@dataclass(frozen=True, eq=False)
class Moment:
    """A round as it is watched: the state before it, the state after it, what was sent.

    `local` is ∇f_i(xᵏ), shape `(runs, n, d)`, taken from the method's own evaluation where it made one at xᵏ.
    """

    problem: Problem
    method: Method
    before: State
    after: State
    round: Round
    seen: Array | None

    @cached_property
    def local(self) -> Array:
        return self.seen if self.seen is not None else self.problem.gradients(self.before.x[..., None, :])

    @cached_property
    def residuals(self) -> Array:
        """‖∇f_i(xᵏ) − g_iᵏ‖, shape `(runs, n)`."""
        return _norm(self.local - _memories(self.before))

    @cached_property
    def gradient(self) -> Array:
        """∇f(xᵏ), shape `(runs, d)`."""
        return self.problem.mean_gradient(self.before.x, self.local)


def _norm(vectors: Array) -> Array:
    return np.sqrt(np.vecdot(vectors, vectors))


def _memories(state: State) -> Array:
    if state.memories is None:
        raise ValueError("this quantity needs memories g_i; the method has no error feedback")
    return state.memories


def _error(moment: Moment) -> Array:
    drift = moment.before.server_memory - _memories(moment.before).mean(axis=-2)
    return _norm(drift)


def _aggregate(moment: Moment, messages: Array) -> Array:
    """Messages of shape `(runs, n, d)` summed as the server sums them: q_i each, of those who take part, over
    N."""
    rule = moment.method.participation
    total = np.where(moment.round.took_part[..., None], messages, 0.0).sum(axis=-2)
    return lift(rule.weight, total) * total / lift(rule.divisor(messages.shape[-2]), total)


def _noise(moment: Moment) -> Array:
    noise, runs = moment.round.noise, moment.before.x.shape[:-1]
    if noise is None:
        return np.zeros(runs)
    if moment.method.noise is not None and moment.method.noise.place == "client":
        noise = _aggregate(moment, noise)
    return np.broadcast_to(_norm(noise), runs)


def _signal(moment: Moment) -> Array:
    rule = moment.method
    if rule.feedback is None and rule.noise is not None and rule.noise.place == "server":
        return _norm(
            moment.round.direction - moment.round.noise
        )  # (runs, d), cheaper than the sum over clients
    return _norm(_aggregate(moment, moment.round.shaped))


OBSERVABLES: Mapping[str, Callable[[Moment], Array]] = {
    "objective": lambda m: m.problem.objective(m.before.x),
    "gradient_norm": lambda m: _norm(m.gradient),
    "residual_max": lambda m: m.residuals.max(axis=-1),
    "residual_mean": lambda m: m.residuals.mean(axis=-1),
    "residuals": lambda m: m.residuals,
    "lag_mean": lambda m: _norm(m.local - _memories(m.after)).mean(axis=-1),
    "error_norm": _error,
    "noise_norm": _noise,
    "update_min": lambda m: _norm(m.round.updates).min(axis=-1),
    "signal_norm": _signal,
    "message_norm": lambda m: _norm(m.round.direction),
    "x": lambda m: m.before.x,
}
"""Watched quantities by name.

objective: f(xᵏ). gradient_norm: ‖∇f(xᵏ)‖. residual_max, residual_mean, residuals: of ‖∇f_i(xᵏ) − g_iᵏ‖ over
i. lag_mean: mean over i of ‖∇f_i(xᵏ) − g_iᵏ⁺¹‖, the Wᵏ of α-NormEC's proof outline. error_norm: ‖eᵏ‖ = ‖ĝᵏ −
mean g_iᵏ‖. noise_norm: norm of the noise in the aggregate of round k. update_min: smallest ‖u_i‖.
signal_norm: norm of the mean of the clients' Δ_i without noise. message_norm: norm of the vector that the
server rule uses. x: xᵏ.
"""


SEVERAL = ("residuals", "x")
"""What is more than one number in a round of a run."""


def numbers(names: tuple[str, ...]) -> dict[str, Callable[[Moment], Array]]:
    """As `observables`, of what has a smallest value over the rounds."""
    for name in names:
        if name in SEVERAL:
            raise ValueError(
                f"{name!r} is several numbers in a round, of which none is the least; keep it instead"
            )
    return observables(names)


def observables(names: tuple[str, ...]) -> dict[str, Callable[[Moment], Array]]:
    """The functions by name, or `ValueError` that lists what there is."""
    if isinstance(names, str):
        raise ValueError(f"{names!r} is one name: give a tuple of names, ({names!r},)")
    unknown = [name for name in names if name not in OBSERVABLES]
    if unknown:
        raise ValueError(f"unknown quantity {unknown[0]!r}; what can be watched: {', '.join(OBSERVABLES)}")
    return {name: OBSERVABLES[name] for name in names}
