"""One claim on the page: printed and corrected side by side, why, and in small print what the verdict rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from report.sections.witness import letters, numbers_of, satisfied, witness
from report.typst import (
    Markup,
    badge,
    call,
    code,
    even,
    formula,
    join,
    link,
    number,
    sentence,
    string,
    strong,
    written,
)  # fmt: skip
from report.verdicts import Claim, is_ours, usual_test, why

LONG = 700
"""Characters above which a claim's card may run over a page."""
LISTS = {
    "needed": "Needed",
    "unneeded": "Not needed",
    "meanings": "Letters",
    "standard": "Textbook results used",
}
SHORT = 3
"""Lists with fewer entries are printed wherever they are used."""
WORDS = 150
"""Statements of fewer characters are printed wherever they are used."""

First = Mapping[tuple[object, ...], str]
"""Where what several claims share is printed in full: the claim that comes first with it."""


def shared(statements: Sequence[Claim]) -> First:
    """The first claim with each list of premises, each long statement, and the numbers of each witness."""
    found: dict[tuple[object, ...], str] = {}
    for claim in statements:
        if len(claim["printed"]) >= WORDS:
            found.setdefault(("printed", claim["printed"]), claim["id"])
        if claim.get("corrected"):
            found.setdefault(_form(claim["corrected"]), claim["id"])
        for key in LISTS:
            if len(claim.get(key) or ()) >= SHORT:
                found.setdefault((key, *claim[key]), claim["id"])
        if claim.get("witness"):
            found.setdefault(numbers_of(claim), claim["id"])
            found.setdefault((*numbers_of(claim), *satisfied(claim)), claim["id"])
    return found


def _form(corrected: Claim) -> tuple[object, ...]:
    """What two corrected forms share that are the same."""
    return (
        "corrected",
        *(corrected.get(key) or "" for key in ("statement", "condition", "weakest", "verdict")),
    )


def card(claim: Claim, first: First) -> Markup:
    corrected, details = claim.get("corrected"), _details(claim, first)
    owner = first.get(("printed", claim["printed"]), claim["id"])
    printed = formula(even(claim["printed"])) if owner == claim["id"] else _like("The words of ", owner)
    beside = f"[{_corrected(corrected, first, claim['id'])}]" if corrected else "none"
    long = len(claim["printed"]) + len(str(corrected or "")) // 2 + len(details.source) // 2 > LONG
    return Markup(
        f"#claim(breakable: {str(long).lower()}, {string(claim['id'])}, [{formula(written(claim['place']))}], "
        f"{string(claim['kind'])}, {string(claim['verdict'])}, [{formula(_whose(claim))}], "
        f"[{printed}], {beside}, [{details}])\n"
    )


def _whose(claim: Claim) -> str:
    """What stands above the statement: whose it is, and what became of it where no corrected form stands beside it."""
    whose = "OUR STATEMENT" if is_ours(claim) else "PRINTED"
    if claim.get("corrected") or is_ours(claim):
        return whose
    became = {
        "proved": "stands as printed",
        "refuted": "no corrected form",
        "inconsistent": "no corrected form",
    }
    return f"{whose} ({became.get(claim['verdict'], 'not decided by proof')})"


def _like(words: str, owner: str) -> Markup:
    """What stands at another claim, word for word."""
    return formula(words) + link(f"claim:{owner}", owner) + formula(".")


def _corrected(corrected: Claim, first: First, name: str) -> Markup:
    owner = first.get(_form(corrected), name)
    if owner != name and sum(len(str(part)) for part in _form(corrected)) >= WORDS:
        return _like("As that of ", owner) + Markup(" ") + badge(corrected["verdict"])
    out = formula(written(sentence(corrected["statement"]))) + Markup(" ") + badge(corrected["verdict"])
    if corrected.get("condition"):
        out += Markup(" \\ ") + strong("Condition: ") + formula(written(sentence(corrected["condition"])))
    if corrected.get("weakest"):
        out += Markup(" \\ ") + strong("Weakest: ") + formula(written(sentence(corrected["weakest"])))
    return out


def _details(claim: Claim, first: First) -> Markup:
    lines = [formula(written(why(claim)))]
    if claim.get("consequence"):
        lines.append(strong("For a user: ") + formula(written(sentence(claim["consequence"]))))
    if claim.get("witness"):
        owner = first.get(numbers_of(claim), claim["id"])
        same = first.get((*numbers_of(claim), *satisfied(claim)), claim["id"])
        lines.append(witness(claim, None if owner == claim["id"] else owner, same == owner))
    lines += [
        strong("What was run: ") + formula(written(sentence(item["detail"])))
        for item in _own(claim)
        if item.get("name") == "search" and item.get("detail")
    ]
    if claim.get("failures"):
        lines.append(strong("Does not stand: ") + formula("; ".join(claim["failures"])))
    return join(lines, " \\ ") + call("small", body=_proof(claim, first))


def _own(claim: Claim) -> list[Mapping[str, Any]]:
    """The evidence of what is printed, without that of the corrected form."""
    corrected = claim.get("corrected") or {}
    return [item for item in claim["evidence"] if item not in corrected.get("evidence", ())]


def _proof(claim: Claim, first: First) -> Markup:
    """In small print, what the proof or the witness rests on."""
    corrected = claim.get("corrected") or {}
    of = " by the corrected form" if corrected and not claim.get("graph") else ""
    parts = []
    for key, name in LISTS.items():
        if claim.get(key):
            head = strong(f"{name}{of if key in ('needed', 'unneeded') else ''}: ")
            owner = first.get((key, *claim[key]), claim["id"])
            shown = formula(even(letters("; ".join(claim[key]))))
            parts.append(head + (shown if owner == claim["id"] else _as_of(owner, len(claim[key]))))
    own = _own(claim)
    if own or not corrected.get("evidence"):
        parts.append(strong("Evidence: ") + formula(_evidence(own)))
    if corrected.get("evidence"):
        parts.append(strong("Evidence of the corrected form: ") + formula(_evidence(corrected["evidence"])))
    if claim["test"] != usual_test(claim["id"]):
        parts.append(strong("Again: ") + code(claim["test"]))
    return join((part + formula(".") for part in parts), " ")


def _as_of(owner: str, entries: int) -> Markup:
    """Where a list is printed that this claim has too."""
    return formula(f"the {number(entries)} of ") + link(f"claim:{owner}", owner)


def _evidence(evidence: Sequence[Mapping[str, Any]]) -> str:
    """Evidence by kind, status and solver, so that a proof of fifty obligations is one phrase."""
    groups: dict[tuple[str, str, str], list[float]] = {}
    for item in _leaves(evidence):
        replayed = item.get("name", "").startswith("witness")
        kind = "witness replayed" if replayed else "claim cited" if item.get("uses") else item["kind"]
        status = "stands" if replayed and item["status"] == "proved" else item["status"]
        groups.setdefault((kind, status, item.get("solver", "")), []).append(float(item["seconds"]))
    parts = []
    for (kind, status, solver), seconds in groups.items():
        spent = f"{number(sum(seconds), 2)} s" if sum(seconds) >= 0.001 else "under 1 ms"
        took = "" if kind in ("montecarlo", "simulation") else f" ({spent})"
        parts.append(f"{len(seconds)} × {kind}, {status}{f', {solver}' if solver else ''}{took}")
    return "; ".join(parts) or "none"


def _leaves(evidence: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [leaf for item in evidence for leaf in (_leaves(item["parts"]) if item.get("parts") else [item])]
