"""The verdicts of `python -m verify`, read from its JSON and checked before anything is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from gpu_benchmarks.errors import InputError
from methods.terminal.console import command_of
from report.section import Available, Result
from report.typst import sentence
from verify.verdict import VERDICTS

PAPERS = {
    "alpha-normec": "α-NormEC",
    "fed-alpha-normec": "Fed-α-NormEC",
    "dp-normfedavg": "DP-NormFedAvg",
}
CITED = {
    "alpha-normec": (
        "NEC",
        "Shulgin, Khirirat, Richtárik: Smoothed Normalization for Efficient Distributed Private Optimization; with its poster",
    ),
    "fed-alpha-normec": (
        "FED",
        "Shulgin, Malinovsky, Khirirat, Richtárik: First Provable Guarantees for Practical Private FL: Beyond Restrictive Assumptions",
    ),
    "dp-normfedavg": (
        "DAS",
        "Das, Hashemi, Sanghavi, Dhillon: Differentially Private Federated Learning with Normalized Updates",
    ),
}
"""Each paper: the letters with which the ids of its claims begin, its authors and its title."""
THEOREM_KINDS = ("theorem", "corollary")
FALLEN = ("refuted", "inconsistent", "proved-if")

MEANING = {
    "proved": "every obligation of the statement as printed is discharged by a machine, for all values",
    "proved-if": "as printed undefined somewhere or false under one reading; proved with a stated condition or change",
    "refuted": "an exact witness (or, for a statement in expectation, a statistical one that says so) "
    "satisfies every printed hypothesis and breaks the conclusion",
    "inconsistent": "the sources contradict each other or themselves",
    "supported": "not decided by proof; held in every adversarially chosen instance tried",
    "unknown": "neither; the reason is given. Never counted as a pass",
}

Claim = Mapping[str, Any]


def check(document: Any, origin: str) -> None:
    """Raise `InputError` naming `origin` unless `document` is a verdict file of schema 1, as it was written."""
    from jsonschema import ValidationError

    from verify.results import seal, validate

    cure = f"write it again with `{command_of('verify')} --json PATH`"
    try:
        validate(document)
        sealed = seal(document["claims"])
    except ValidationError as error:
        told = error.message if len(error.message) <= 300 else f"{error.message[:150]}…{error.message[-100:]}"
        raise InputError(f"{origin}: {error.json_path}: {told}; {cure}") from error
    except ValueError as error:
        raise InputError(f"{origin}: a number in its claims is not finite ({error}); {cure}") from error
    counted = Counter(claim["id"] for claim in document["claims"])
    if twice := [name for name, times in counted.items() if times > 1]:
        raise InputError(f"{origin}: claim {twice[0]} stands twice; {cure}")
    if document["sha256"] != sealed:
        raise InputError(
            f"{origin}: its claims are not those that its SHA-256 was taken of; it has been edited or damaged; {cure}"
        )


def claims(result: Result, paper: str | None = None) -> list[Claim]:
    """The claims of a result in its own order; none where verify was not run."""
    if not isinstance(result, Available):
        return []
    return [claim for claim in result.value["claims"] if paper is None or claim["paper"] == paper]


def papers(result: Result) -> list[str]:
    """The papers that the result speaks of, in the order of `PAPERS`, unknown ones last."""
    present = {claim["paper"] for claim in claims(result)}
    return [p for p in PAPERS if p in present] + sorted(present - PAPERS.keys())


def title(paper: str) -> str:
    return "α-NormEC, poster" if paper == "alpha-normec-poster" else PAPERS.get(paper, paper)


def count(selected: Sequence[Claim]) -> dict[str, int]:
    """How many claims have each verdict, every verdict listed."""
    counter = Counter(claim["verdict"] for claim in selected)
    return {verdict: counter[verdict] for verdict in VERDICTS}


def why(claim: Claim) -> str:
    """The reason and what is to be said beside it, in sentences."""
    return " ".join(sentence(text) for text in (claim["reason"], claim.get("detail")) if text)


def usual_test(name: str) -> str:
    """The test that establishes the verdict of a claim again, as the report says once for all of them."""
    return f"tests/verify/test_claims.py::test_claim[{name}]"


def is_step(claim: Claim) -> bool:
    return claim["kind"] == "step"


def is_privacy(claim: Claim) -> bool:
    return claim["kind"] == "privacy"


def is_ours(claim: Claim) -> bool:
    """A statement that no paper prints: it came out of a repair."""
    return claim["origin"] == "ours"


def is_theorem_level(claim: Claim) -> bool:
    return claim["kind"] in THEOREM_KINDS and not is_ours(claim)
