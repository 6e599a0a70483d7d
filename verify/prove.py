"""A proof, checked: no step hangs in the air, no definition narrows the statement, every question is answered."""

from __future__ import annotations

import time

from verify.definitions import restrictions
from verify.evidence import Evidence, union, worst
from verify.facts import definition, equal
from verify.instances import premises
from verify.obligation import Obligation, Settings, at_numbers, together
from verify.proof import Proof
from verify.smt import Result

SOON = 0.1
"""Of `Settings.seconds`, for what may do without an answer."""


def prove(proof: Proof, settings: Settings, paper: str | None = "") -> Evidence:
    """Discharge every node. The whole is proved when every node is, no step hangs in the air, no definition narrows the
    statement (of that paper; None for a part of a proof, whose definitions are looked at with the whole), and what it rests on
    can hold together."""
    start = time.perf_counter()
    gaps = proof.gaps() or ([] if proof.nodes else ["a proof without a step shows nothing"])
    gaps += [] if paper is None else restrictions(proof, paper)
    parts = tuple(node.discharge(settings) for node in proof.nodes)
    instances = [premise.discharge(settings) for premise in premises(proof, inner=paper is None)]
    gaps += [f"{premise.name}: {premise.status}" for premise in instances if not premise.ok]
    status = "unknown" if gaps else "proved" if all(part.ok for part in parts) else worst(parts)
    if status == "proved" and (found := _can_hold(proof, settings)) != "sat":
        status = "vacuous" if found == "unsat" else "unknown"
        gaps.append(f"whether what it rests on can hold together: {found}")
    bad = [
        f"{part.name}: {part.status}{' (' + part.detail + ')' if part.detail else ''}"
        for part in parts
        if not part.ok
    ]
    printed = [fact.name for fact in proof.assumptions if fact.origin == "hypothesis"]
    needed = [name for name in printed if name in union(part.needed for part in (*parts, *instances))]
    return Evidence(
        "proof", "smt", status, time.perf_counter() - start,
        needed=tuple(needed), unneeded=tuple(name for name in printed if name not in needed),
        detail="; ".join([*gaps, *bad]), parts=parts,
        uses=tuple(use for part in parts for use in part.uses),
    )  # fmt: skip


def _can_hold(proof: Proof, settings: Settings) -> Result:
    """Whether all that its steps do not get from one another can hold together: two steps, one given x ≥ 5 and one x ≤ 4, contradict
    each other and neither itself. What is asked at once, at numbers for which the assumptions hold, and with more time."""
    given = [set(node.given) for node in proof.nodes if isinstance(node, Obligation)]
    if any(set(proof.grounds) <= known for known in given):
        return "sat"
    if (found := together(proof.grounds, min(SOON, settings.seconds))) != "unknown":
        return found
    place = (
        definition("a place", equal(s, value)) for s, value in at_numbers(proof.assumptions, settings.seconds)
    )
    if together((*proof.grounds, *place), settings.seconds) == "sat":
        return "sat"
    return together(proof.grounds, settings.seconds)
