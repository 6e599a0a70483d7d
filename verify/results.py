"""Findings as JSON: the contract that the report and other tools read (`verify/schema.json`)."""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import jsonschema

from methods.terminal.output import write_json
from verify import catalogue
from verify.claim import Claim
from verify.evidence import Evidence
from verify.explain import SAMPLED
from verify.sampling import ERROR_RATE, Sampling
from verify.verdict import Finding

LIBRARIES = ("numpy", "scipy", "sympy", "z3-solver", "cvc5", "mpmath", "python-flint")


def environment() -> dict[str, str]:
    """Versions and machine, as they stand in the JSON."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        **{library: version(library) for library in LIBRARIES},
    }


def document(entries: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The whole JSON document, valid against the schema; entries: of `entry`. Beside them how many claims there are, so that a part
    of them is not taken for the whole."""
    found = list(entries)
    return {
        "schema": 1, "sha256": seal(found), "environment": environment(), "catalogue": len(catalogue.claims()), "claims": found,
    }  # fmt: skip


def seal(claims: Sequence[Mapping[str, Any]]) -> str:
    """SHA-256, in hexadecimal, of what the claims of a document say, whatever the order of keys: nobody types a verdict. Raises
    `ValueError` for a number that is not finite."""
    return hashlib.sha256(json.dumps(claims, sort_keys=True, allow_nan=False).encode()).hexdigest()


def entry(finding: Finding) -> dict[str, Any]:
    """One claim of the document."""
    claim = finding.claim
    witness = _statistical(finding.sampled) if finding.sampled else None
    if claim.witness is not None and finding.replay is not None:
        witness = {
            "values": {name: str(value) for name, value in claim.witness.values.items()},
            "breaks": claim.witness.breaks,
            "lhs": str(finding.replay.lhs),
            "comparison": finding.replay.comparison,
            "rhs": str(finding.replay.rhs),
            "hypotheses": [{"text": text, "holds": bool(true)} for text, true in finding.replay.presupposed],
            "problem": claim.witness.problem,
        }
    corrected = None
    if claim.repair is not None and finding.repaired is not None:
        corrected = {
            "statement": claim.repair.statement,
            "condition": claim.repair.condition,
            "weakest": claim.repair.weakest,
            "verdict": "proved" if finding.repaired.ok else "unknown",
            "evidence": [_evidence(part) for part in finding.repaired.parts],
            "graph": [list(edge) for edge in claim.repair.proof.edges()],
        }
    reason, detail = _first(finding.reason)
    if finding.sampled is not None:
        reason = f"{reason.rstrip('.')} (by a statistical witness, at {ERROR_RATE:g})."
    proof = finding.evidence[0] if claim.proof is not None else finding.repaired
    shown = finding.evidence
    if finding.verdict == "proved-if" and finding.repaired is not None:
        shown = (*shown, *finding.repaired.parts)
    return {
        **stated(claim),
        "verdict": finding.verdict,
        "reason": reason,
        "detail": detail,
        "consequence": claim.consequence,
        "corrected": corrected,
        "needed": list(proof.needed) if proof else [],
        "unneeded": list(proof.unneeded) if proof else [],
        "witness": witness,
        "evidence": [_evidence(item) for item in _flat(shown)],
        "graph": [list(edge) for edge in claim.proof.edges()] if claim.proof else [],
        "standard": list(_named(claim, "standard")),
        "meanings": list(_named(claim, "meanings")),
        "tables": {title: [dict(row) for row in rows] for title, rows in claim.rows.items()},
        "failures": list(finding.failures),
        "seconds": round(finding.seconds, 3),
        "test": claim.test,
    }


def stated(claim: Claim) -> dict[str, str]:
    """What an entry has of a claim before it is decided."""
    return {
        "id": claim.id,
        "paper": claim.paper,
        "place": claim.place,
        "kind": "theorem" if claim.kind == "ours" else claim.kind,
        "origin": "ours" if claim.kind == "ours" else "printed",
        "printed": claim.printed,
    }


def _first(reason: str) -> tuple[str, str]:
    """The first sentence, and the others. "et al." and "Eq." end none."""
    first, *others = re.split(
        r"(?<! al\.)(?<!\b[Ee]q\.)(?<=[.!?]) +(?=[^a-z ])|(?<=[.!?][”\")]) +(?=[^a-z ])", reason, maxsplit=1
    )
    return first, "".join(others)


def _statistical(found: Sampling) -> dict[str, Any]:
    """A statistical witness with the keys of an exact one; beside them each sample, and how often a limit is wrong."""
    longer = found.samples[-1]
    return {
        "values": {
            "n of the further runs": str(longer.n),
            "their mean": f"{longer.mean:.4f}",
            "limit from them": f"{longer.limit:.4f}",
        },
        "breaks": found.breaks,
        "lhs": f"{found.nearest:.2f}",
        "comparison": found.comparison,
        "rhs": f"{found.bound:g}",
        "hypotheses": [],
        "problem": found.problem,
        "error_rate": ERROR_RATE,
        "samples": [
            {"n": sample.n, "seeds": list(sample.seeds), "mean": sample.mean, "limit": sample.limit}
            for sample in found.samples
        ],
    }


def _named(claim: Claim, which: Literal["standard", "meanings"]) -> tuple[str, ...]:
    """Names of facts that the claim's proofs take for granted, of one sort."""
    return tuple(dict.fromkeys(name for proof in claim.proofs for name in getattr(proof, which)))


def _flat(evidence: Iterable[Evidence]) -> list[Evidence]:
    """The proof's nodes instead of the proof, so that each line is one question to one machine."""
    return [part for item in evidence for part in (item.parts if item.name == "proof" else (item,))]


def _evidence(item: Evidence) -> dict[str, Any]:
    return {
        "name": item.name,
        "kind": item.kind,
        "status": "held" if item.ok and item.kind in SAMPLED else item.status,  # no sample proves
        "seconds": round(item.seconds, 4),
        "solver": item.solver,
        "second": item.second,
        "needed": list(item.needed),
        "unneeded": list(item.unneeded),
        "model": {k: _text(v) for k, v in item.model.items()} if item.model else None,
        "detail": item.detail,
        "uses": list(item.uses),
        "parts": [_evidence(part) for part in item.parts],
    }


def _text(value: Fraction) -> str:
    return str(value)


def schema() -> Mapping[str, Any]:
    """The JSON schema of the document."""
    return json.loads(resources.files("verify").joinpath("schema.json").read_text("utf-8"))


def validate(data: Any) -> None:
    """Raise `jsonschema.ValidationError` naming the place if the document breaks the schema."""
    jsonschema.validate(data, schema())


def write(path: Path, data: Any) -> None:
    """Validate, then write the whole file or nothing; raises `methods.terminal.output.Unwritable`."""
    validate(data)
    write_json(path, data)
