"""What an author would change: each printed statement that does not hold as it stands, and what holds in its place, as Markdown.

Readings `ID@…` stand under their statement where it has fallen itself, and for themselves where it has not.
"""

from __future__ import annotations

import re
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
        read = sum("@" in statement[0]["id"] for statement in statements)
        counted = (_counted(len(statements) - read, "printed statement"), _counted(read, "reading"))
        yield f"# {paper}: {' and '.join(filter(None, counted))} to change"
        yield ""
        for part, kinds in PARTS.items():
            of_part = [statement for statement in statements if statement[0]["kind"] in kinds]
            if of_part:
                yield f"## {part}"
                yield ""
                for statement in of_part:
                    yield from _told(statement)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number > 1 else ''}" if number else ""


def _statements(entries: Iterable[Entry]) -> list[list[Entry]]:
    """What has fallen: a statement with its readings, itself first; readings of one that stands each for itself."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry["origin"] == "printed" and entry["verdict"] in FALLEN:
            found[entry["id"].partition("@")[0]].append(entry)
    statements = []
    for name, fallen in found.items():
        if any(entry["id"] == name for entry in fallen):
            statements.append(sorted(fallen, key=lambda entry: entry["id"] != name))
        else:
            statements += [[entry] for entry in fallen]
    return statements


def _told(statement: list[Entry]) -> Iterator[str]:
    head = statement[0]
    for number, entry in enumerate(statement):
        margin = "  " if number else ""
        yield f"{margin}- **{entry['id']}** ({entry['verdict']}), {_plain(entry['place'])}"
        if not number or entry["printed"] != head["printed"]:
            yield f"{margin}  - printed: {_plain(entry['printed'])}"
        yield f"{margin}  - why: {_plain(entry['reason'])}"
        if repair := entry["corrected"]:
            yield f"{margin}  - holds: {_plain(repair['statement'])} (if: {_plain(repair['condition'])})"
    yield ""


def _plain(text: str) -> str:
    """The text with a backslash before what Markdown would take for markup: an underscore after a letter is none, a bracket that
    no parenthesis follows is none."""
    return re.sub(r"[\\`*<]|(?<!\w)_|(?<=\])\(", r"\\\g<0>", text)
