"""What privacy statements about noisy messages leave open: where the memories and the step size come from."""

from __future__ import annotations

from verify.claim import Gap, Repair, Witness
from verify.privacy import leaks
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


def public(statement: str, proof: Proof) -> Repair:
    """The statement for memories and step sizes that do not depend on the data."""
    chosen = "x⁰, the initial memories (0, for example) and all step sizes are chosen without the data"
    return Repair(
        f"{statement}, where {chosen}",
        chosen,
        proof,
        "without it one case is shown, δ = 1 where the data decide the memories; a weaker condition may do",
    )
