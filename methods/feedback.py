"""Error feedback: the memory that a client keeps of what it has sent."""

from __future__ import annotations

from dataclasses import dataclass

from methods import checks
from methods.arrays import Parameter


@dataclass(frozen=True)
class EF21:
    """A memory g_i of each client and their mean ĝ at the server, eqs. (9) and (10) of α-NormEC:

        Δ_i = Ψ(u_i − g_i),   g_i ← g_i + βΔ_i,   ĝ ← ĝ + (β/n) Σ Δ̂_i,

    where u_i is the client's local update and Δ̂_i what it sends (Δ_i, with noise and the weight of
    participation). β = 1 is EF21 (Richtárik et al., 2021) and Clip21 (Khirirat et al., 2023).

    beta: β > 0, f/x where Ψ has no unit, else without one.
    participants_only: who updates g_i. False, as line 6 of Fed-α-NormEC's Algorithm 1 has it: every client,
    those who send nothing included. True: only those who take part, the other reading of that paper's Section
    4 ("each selected client").
    """

    beta: Parameter
    participants_only: bool = False

    def __post_init__(self) -> None:
        checks.positive("β", self.beta)
