"""What privacy statements about noisy messages leave open: where the memories and the step size come from, and what a client sends
that is removed."""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.privacy import leaks
from verify.privacy.alpha_normec import domains
from verify.proof import Proof


def _witness_of(identifier: str) -> Witness:
    (found,) = (c.witness for c in leaks.CLAIMS if c.id == identifier and c.witness)
    return found


FROM_THE_DATA, FED_FROM_THE_DATA = (
    Gap(
        "reading",
        f"memories {letter} near what the clients compute first, whose mean the server has without noise ({identifier})",
        _witness_of(identifier),
    )
    for letter, identifier in (("g_i⁰", "NEC-C2-DP@initial-memory"), ("v_i⁰", "FED-C2-DP@initial-memory"))
)


def _noticed(v: Values) -> Comparison:
    """Event: some message of the client that is removed arrives. It never does where the client sends nothing."""
    had = 1 - (1 - v["p"]) ** int(v["releases"])
    return Comparison(had, "<=", v["delta"], (*domains(v), ("0 < p ≤ 1", 0 < v["p"] <= 1)))


SENDS_NOTHING = Gap(
    "reading",
    "a client that is removed sends nothing",
    Witness(
        {"p": Fraction(1), "releases": Fraction(300), "s": Fraction(1), "epsilon": Fraction(8), "delta": Fraction(1, 10**5)},
        "the true δ at ε = 8 is at most 1e-5",
        _noticed,
        "p = 1: 20 messages arrive in each round, or 19, so that δ = 1; at p = 1/4 it is 1 − (3/4)³⁰⁰",
    ),
)  # fmt: skip
SILENT = "the client that is removed still sends noise alone, M and v̂⁰ being the same; "


WITHOUT_DATA = (
    "x⁰, the initial memories (0, for example), α, β and all step sizes are chosen without the data"
)


def public(statement: str, proof: Proof, also: str = "") -> Repair:
    """The statement for memories and step sizes that do not depend on the data, and for what else is asked."""
    chosen = also + WITHOUT_DATA
    return Repair(
        f"{statement}, where {chosen}",
        chosen,
        proof,
        "without it one case is shown, δ = 1 where the data decide the memories; a weaker condition may do",
    )
