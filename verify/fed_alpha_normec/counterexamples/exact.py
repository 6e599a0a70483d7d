"""Fed-α-NormEC run exactly on the line, as literally as Algorithm 1 prints it.

A client's local work is a list of functions: [f_i] · T for T local gradient steps, [f_{i,0}, …, f_{i,N−1}] for one pass of
incremental gradient. P_i(x) = (x − T_i(x))/γ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.curves import Curve
from verify.exact import normalise, sign

Work = Sequence[Curve]


def update(work: Work, x: Fraction, gamma: Fraction) -> Fraction:
    """P_i(x) = (x − T_i(x))/γ for local steps of length γ/(number of steps)."""
    y, step = x, gamma / len(work)
    for f in work:
        y -= step * f.gradient(y)
    return (x - y) / gamma


@dataclass(frozen=True)
class State:
    """xᵏ, the memories v_iᵏ and the server's v̂ᵏ."""

    x: Fraction
    v: tuple[Fraction, ...]
    server: Fraction


def advance(
    clients: Sequence[Work], state: State, alpha: Fraction, beta: Fraction, gamma: Fraction, eta: Fraction
) -> State:
    """One round with p = 1 and no noise."""
    sent = [
        normalise(alpha, update(work, state.x, gamma) - v) for work, v in zip(clients, state.v, strict=True)
    ]
    v = tuple(a + beta * b for a, b in zip(state.v, sent, strict=True))
    server = state.server + beta / len(clients) * sum(sent, Fraction(0))
    return State(state.x - eta * sign(server), v, server)


def begin(x: Fraction, v: Sequence[Fraction]) -> State:
    """x⁰, v_i⁰ and v̂⁰ = (1/M) Σ v_i⁰."""
    return State(x, tuple(v), sum(v, Fraction(0)) / len(v))
