"""Mutants: whether a proof would notice if the statement were another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from report.section import Available, Results, Section
from report.sections.chapter import Built, Part, chapter
from report.sections.witness import letters
from report.typst import Markup, formula, join, link, number, paragraph, sentence, strong, table


def build(results: Results) -> Section:
    """The chapter from the result `mutants`."""
    return chapter("Mutants", (Part("mutants", "Each obligation with one thing changed", _mutants),), results)


def _mutants(result: Available) -> Built:
    entries: Sequence[Mapping[str, Any]] = [entry for entry in result.value if _total(entry)]
    sums = Counter(
        {key: sum(entry.get(key, 0) for entry in entries) for key in ("refuted", "vacuous", "unknown")}
    )
    survived = sum(len(entry["survived"]) for entry in entries)
    bugs = [s for entry in entries for s in entry["survived"] if s["explanation"].startswith("UNEXPLAINED")]
    body = paragraph(
        f"{number(len(entries))} claims with a proof; ",
        Markup("`python -m verify --mutants` does it for all of them. "),
        "A constant tightened, a term dropped, an exponent changed, an inequality ",
        "turned, a hypothesis left out, the right-hand side of an identity or a limit replaced: of ",
        f"{number(sum(_total(entry) for entry in entries))} mutants {number(sums['refuted'])} are refuted by numbers, ",
        f"{number(sums['vacuous'])} have contradictory hypotheses, {number(sums['unknown'])} are undecided, and ",
        f"{number(survived)} are still provable; each of those has its explanation below. ",
        f"Survivors without one: {number(len(bugs))}.",
    )
    rows = [
        [
            link(f"claim:{entry['claim']}", entry["claim"]),
            *(number(entry.get(key, 0)) for key in ("refuted", "vacuous", "unknown")),
            number(len(entry["survived"])),
        ]
        for entry in entries
    ]
    rows.append(
        [
            strong("all"),
            *(strong(number(sums[k])) for k in ("refuted", "vacuous", "unknown")),
            strong(survived),
        ]
    )
    body += table(
        ["claim", "refuted", "vacuous", "unknown", "still proved"],
        rows,
        align=["left", "right", "right", "right", "right"],
        size="7.6pt",
    )
    kept: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        for item in entry["survived"]:
            kept.setdefault(sentence(item["explanation"]), []).append({"claim": entry["claim"], **item})
    if kept:
        body += table(
            ["why", "mutants that are still proved"],
            [[why, join((_named(item) for item in items), "; ")] for why, items in kept.items()],
            widths=["1fr", "1.5fr"],
            size="7pt",
        )
    return body, {}, []


def _named(item: Mapping[str, Any]) -> Markup:
    return link(f"claim:{item['claim']}", item["claim"]) + formula(f": {letters(item['mutant'])}")


def _total(entry: Mapping[str, Any]) -> int:
    return sum(entry.get(key, 0) for key in ("refuted", "vacuous", "unknown")) + len(entry["survived"])
