"""What an author would change: each printed statement that does not hold as it stands, and what holds in its place, as Markdown.

Readings `ID@…` stand under their statement: a statement is listed where it, or a reading of it, has fallen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Entry = Mapping[str, Any]
"""A claim of the document that `verify.results` describes."""
FALLEN = ("refuted", "inconsistent", "proved-if")
PARTS: Mapping[str, tuple[str, ...]] = {
    "Theorems and corollaries": ("theorem", "corollary"),
    "Lemmas, equations, definitions": ("lemma", "equation", "definition"),
    "Privacy": ("privacy",),
    "Steps of proofs": ("step",),
    "Sentences": ("prose",),
}


def sheet(entries: Iterable[Entry]) -> Iterator[str]:
    """The lines, paper by paper, in the order in which the claims stand."""
    papers: dict[str, list[list[Entry]]] = defaultdict(list)
    for statement in _statements(entries):
        papers[statement[0]["paper"]].append(statement)
    if not papers:
        yield "Nothing to change: of what was asked for, all that is printed holds as it stands, or is not decided."
    for paper, statements in papers.items():
        yield f"# {paper}: {len(statements)} printed statement{'s' if len(statements) > 1 else ''} to change"
        yield ""
        for part, kinds in PARTS.items():
            of_part = [statement for statement in statements if statement[0]["kind"] in kinds]
            if of_part:
                yield f"## {part}"
                yield ""
                for statement in of_part:
                    yield from _told(statement)


def _statements(entries: Iterable[Entry]) -> list[list[Entry]]:
    """What has fallen, each statement with its readings, itself first."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry["origin"] == "printed" and entry["verdict"] in FALLEN:
            found[entry["id"].partition("@")[0]].append(entry)
    return [sorted(statement, key=lambda entry: "@" in entry["id"]) for statement in found.values()]


def _told(statement: list[Entry]) -> Iterator[str]:
    for number, entry in enumerate(statement):
        margin = "  " if number else ""
        yield f"{margin}- **{entry['id']}** ({entry['verdict']}), {entry['place']}"
        if not number:
            yield f"  - printed: {entry['printed']}"
        yield f"{margin}  - why: {entry['reason']}"
        if repair := entry["corrected"]:
            yield f"{margin}  - holds: {repair['statement']} (if: {repair['condition']})"
    yield ""
