"""A proof, checked: no step hangs in the air, no definition narrows the statement, every question is answered."""

from __future__ import annotations

import time

from verify.definitions import restrictions
from verify.evidence import Evidence, union, worst
from verify.instances import premises
from verify.obligation import Obligation, Settings, together
from verify.proof import Proof


def prove(proof: Proof, settings: Settings, paper: str | None = "") -> Evidence:
    """Discharge every node. The whole is proved when every node is, no step hangs in the air, no definition narrows the
    statement (of that paper; None for a part of a proof, whose definitions are looked at with the whole), and the
    assumptions can hold together."""
    start = time.perf_counter()
    gaps = proof.gaps() or ([] if proof.nodes else ["a proof without a step shows nothing"])
    gaps += [] if paper is None else restrictions(proof, paper)
    parts = tuple(node.discharge(settings) for node in proof.nodes)
    instances = [premise.discharge(settings) for premise in premises(proof)]
    gaps += [f"{premise.name}: {premise.status}" for premise in instances if not premise.ok]
    status = "unknown" if gaps else "proved" if all(part.ok for part in parts) else worst(parts)
    asked = any(isinstance(n, Obligation) and set(proof.assumptions) <= set(n.given) for n in proof.nodes)
    if status == "proved" and not asked and (found := together(proof.assumptions, settings.seconds)) != "sat":
        status = "vacuous" if found == "unsat" else "unknown"
        gaps.append(f"whether the assumptions can hold together: {found}")
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
