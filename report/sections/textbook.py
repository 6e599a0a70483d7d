"""Textbook results: what the proofs take for granted, and what came of trying it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from report.section import Available, Results, Section
from report.sections.chapter import Built, Part, chapter
from report.typst import formula, link, number, paragraph, sentence, table
from report.verdicts import claims

Entries = Sequence[Mapping[str, Any]]


def build(results: Results) -> Section:
    """The chapter from the result `textbook`."""
    known = {claim["id"] for claim in claims(results["verify"])}
    part = Part(
        "textbook", "Each result that a proof cites, on cases", lambda result: _textbook(result, known)
    )
    return chapter("Textbook results", (part,), results)


def _textbook(result: Available, known: set[str]) -> Built:
    """known: ids of the claims that the report has, which can be linked."""
    entries: Entries = result.value
    counts = Counter(entry["status"] for entry in entries)
    body = paragraph(
        "No solver is asked whether a textbook result is true, so each is tried: its letters get the values that they stand ",
        "for in cases that are drawn (functions that are known to be smooth, vectors, random variables, mechanisms), in 60 ",
        "digits. Cases are to be so sharp that a coefficient that is off by a quarter of itself would show; where they are ",
        "not, the remark says so. Two results that one proof says of one letter are tried in the same cases, in which the letter ",
        "means one thing. Of ",
        f"{number(len(entries))} results {number(counts['holds'])} hold in all their cases, {number(counts['trusted'])} are ",
        f"trusted, since no case can speak of them, and {number(counts['fails'])} fail. Several of one name, about other ",
        "letters, stand in one line.",
    )
    named: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        named.setdefault(entry["name"], []).append(entry)
    rows = [_row(name, group, known) for name, group in named.items()]
    body += table(
        ["textbook result", "claims", "first", "cases", "remark"],
        rows,
        widths=["2.2fr", "auto", "auto", "auto", "1fr"],
        align=["left", "right", "left", "right", "left"],
        size="7pt",
    )
    return body, {}, [f"textbook result: {entry['name']}" for entry in entries if entry["status"] == "fails"]


def _row(name: str, group: Entries, known: set[str]) -> list[Any]:
    used = list(dict.fromkeys(claim for entry in group for claim in entry["claims"]))
    notes = dict.fromkeys(note for entry in group if (note := _remark(entry)))
    first = link(f"claim:{used[0]}", used[0]) if used[0] in known else formula(used[0])
    cases = sum(entry["cases"] for entry in group)
    return [
        formula(name),
        number(len(used)),
        first,
        number(cases) if cases else "",
        formula(sentence("; ".join(notes))) if notes else "",
    ]


def _remark(entry: Mapping[str, Any]) -> str:
    if entry["status"] == "holds":
        return f"not sharp: {entry['note']}" if entry["note"] else ""
    return f"{entry['status']}: {entry['note']}"
