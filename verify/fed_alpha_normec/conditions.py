"""The conditions of Theorem 1 at the numbers of a witness: those of `bounds`, in one place for every replay, and without rounding."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from bounds.statement import Bound


def met(bound: Bound, given: Mapping[str, Fraction]) -> tuple[tuple[str, bool], ...]:
    """What is printed for one version of the theorem, and what its algorithm asks of η. given: by the names of `bounds`.

    F.2's limit on η, with γ/3, is below Section 4's with γ/2, and the others are alike: what meets F.2's conditions meets those of
    every version of Theorem 1."""
    sizes = ("alpha", "beta", "gamma", "eta", "L")
    return (
        ("α, β, γ, η, L > 0", min(given[name] for name in sizes) > 0),
        *((condition.printed, condition.decided(given)) for condition in bound.conditions),
        ("η ∈ (0, 1) (Algorithm 1)", 0 < given["eta"] < 1),
    )
