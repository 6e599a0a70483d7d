"""A decided claim in full, for people: as printed, why, its witness, the steps of its proofs, its repair, the test."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from rich.console import Console

from verify.computation import apart

Entry = Mapping[str, Any]
"""A claim of the document that `verify.results` describes."""
Line = tuple[str, str]
"""What it is, or nothing where it goes on, and the text."""
SAMPLED = ("simulation", "montecarlo")
"""Kinds of evidence that prove nothing where they stand."""
LABEL = 11
READABLE = 40
"""Text is not set narrower than this."""


def show(entry: Entry, console: Console) -> None:
    """Print it: what a line is on the left, the text wrapped beside it."""
    console.print(f"{entry['id']}  {entry['verdict']}  ({entry['seconds']:.1f} s)", style="bold")
    width = max(console.width - LABEL, READABLE)
    for label, text in lines(entry):
        wrapped = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
        for number, line in enumerate(wrapped):
            console.print(f"{'' if number else label:{LABEL}}{line}", soft_wrap=True)
    console.print()


def lines(entry: Entry) -> Iterator[Line]:
    """What there is to say, in the order in which a reader asks for it."""
    yield "where", f"{entry['place']} ({entry['paper']}, {entry['kind']})"
    yield entry["origin"], entry["printed"]
    yield "why", " ".join(filter(None, (entry["reason"], entry["detail"])))
    if entry["consequence"]:
        yield "hence", entry["consequence"]
    if entry["witness"]:
        yield from _witness(entry["witness"])
    for title, rows in entry["tables"].items():
        yield "table", title
        yield from (("", ", ".join(f"{name}: {cell}" for name, cell in row.items())) for row in rows)
    repair, shown = entry["corrected"], entry["evidence"]
    if repair and entry["verdict"] == "proved-if":  # then they end with those of the repair
        shown = shown[: len(shown) - len(repair["evidence"])]
    yield from _steps("evidence", shown, entry["graph"])
    if repair:
        yield "repaired", repair["statement"]
        yield "if", repair["condition"]
        if repair["weakest"]:
            yield "weakest", repair["weakest"]
        yield from _steps("proof", repair["evidence"], repair["graph"])
    named = {"needs": "needed", "not needed": "unneeded", "as known": "standard", "letters": "meanings"}
    for label, key in named.items():
        yield from _listed(label, entry[key])
    yield "again", f'pytest "{entry["test"]}"'


def _witness(found: Mapping[str, Any]) -> Iterator[Line]:
    told = [found["problem"], ", ".join(f"{name} = {value}" for name, value in found["values"].items())]
    yield from _listed("witness", filter(None, told))
    yield from _listed("satisfies", (item["text"] for item in found["hypotheses"] if item["holds"]))
    yield (
        "breaks",
        f"{found['breaks']}: {found['lhs']} {found['comparison']} {found['rhs']} is false{_rounded(found)}",
    )


def _rounded(found: Mapping[str, Any]) -> str:
    """Both sides once more as decimals, where they have too many digits for an eye to compare."""
    lhs, rhs = found["lhs"], found["rhs"]
    if max(len(lhs), len(rhs)) <= READABLE:
        return ""
    try:
        decimals = apart(Fraction(lhs), Fraction(rhs))
    except ValueError:  # a side in words
        return ""
    return f": {decimals[0]} against {decimals[1]}, rounded" if decimals else ""


def _steps(label: str, evidence: Iterable[Entry], graph: Iterable[tuple[str, str]]) -> Iterator[Line]:
    """Each step: what became of it, by which machine, from what."""
    uses = defaultdict(list)
    for step, used in graph:
        uses[step].append(used)
    told = []
    for item in evidence:
        by = ", ".join(filter(None, (item["kind"], item["solver"], item["second"])))
        from_what = f" ← {'; '.join(uses[item['name']])}" if uses[item["name"]] else ""
        detail = f": {item['detail']}" if item["detail"] else ""
        told.append(f"{item['status']} ({by})  {item['name']}{detail}{from_what}")
    yield from _listed(label, told)


def _listed(label: str, texts: Iterable[str]) -> Iterator[Line]:
    for number, text in enumerate(texts):
        yield "" if number else label, text
