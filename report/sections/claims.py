"""One paper: each of its claims, printed and corrected side by side, with what establishes the verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from report.section import NotRun, Results, Section
from report.sections import proofs
from report.sections.witness import letters, numbers_of, satisfied, witness
from report.typst import (
    Markup,
    anchor,
    badge,
    call,
    code,
    even,
    formula,
    heading,
    join,
    link,
    number,
    paragraph,
    sentence,
    string,
    strong,
    table,
    written,
)  # fmt: skip
from report.verdicts import (
    VERDICTS,
    Claim,
    claims,
    count,
    is_ours,
    is_privacy,
    is_step,
    is_theorem_level,
    title,
    usual_test,
)

LONG = 700
"""Characters above which a claim's card may run over a page."""
_NUMERIC = re.compile(r"[\d\s.,/×^{}−–\[\]]*")
KINDS = (
    "theorem",
    "corollary",
    "lemma",
    "equation",
    "definition",
    "prose",
    "privacy",
    "step",
    "ours",
)


def build(results: Results, paper: str) -> Section:
    """The chapter of `paper` from the result `verify`."""
    result = results["verify"]
    name = f"{title(paper)}: every statement"
    if isinstance(result, NotRun):
        return Section(name, paragraph(badge("not run"), f" {result.reason}. {result.cure}"), missing=(name,))
    selected = claims(result, paper)
    statements = sorted((c for c in selected if not is_step(c)), key=lambda claim: KINDS.index(_sort(claim)))
    first = _first(statements)
    steps = [claim for claim in selected if is_step(claim)]
    body = heading("In numbers") + _numbers(selected) + _glance(selected)
    body += heading("Statements") + join(_card(claim, first) + _tables(claim) for claim in statements)
    if steps:
        warning = paragraph(
            "A step that falls does not make its theorem false: the theorem has its own verdict above."
        )
        body += heading("Steps of the printed proofs") + call("block", "sticky: true", body=warning)
        body += _steps(steps)
    body += proofs.build([claim for claim in statements if is_theorem_level(claim) or is_ours(claim)])
    return Section(name, body)


def _sort(claim: Claim) -> str:
    """Of `KINDS`."""
    return "ours" if is_ours(claim) else claim["kind"]


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


def _first(statements: Sequence[Claim]) -> First:
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


def _numbers(selected: Sequence[Claim]) -> Markup:
    sorts = {claim["id"]: _sort(claim) for claim in selected}
    rows = []
    for kind in sorted(dict.fromkeys(sorts.values()), key=KINDS.index):
        counts = count([claim for claim in selected if sorts[claim["id"]] == kind])
        rows.append([kind, *(counts[v] or "·" for v in VERDICTS), sum(counts.values())])
    counts = count(selected)
    rows.append([strong("all"), *(strong(counts[v]) for v in VERDICTS), strong(len(selected))])
    columns = len(VERDICTS) + 1
    return table(
        ["kind", *(badge(v) for v in VERDICTS), "all"],
        rows,
        align=["left", *["right"] * columns],
        size="8pt",
        inset="2.2pt",
    )


def _glance(selected: Sequence[Claim], columns: int = 3) -> Markup:
    """All ids in order with their verdicts and pages, read down the columns."""
    cells = [
        link(f"claim:{claim['id']}", claim["id"])
        + Markup(" #h(1fr) ")
        + call("mark", string(claim["verdict"]))
        + call("on-page", string(f"claim:{claim['id']}"))
        for claim in sorted(selected, key=lambda claim: _by_number(claim["id"]))
    ]
    if not cells:
        return Markup("")
    per_column = -(-len(cells) // columns)
    stacks = [
        f"stack(spacing: 2.3pt, {', '.join(f'[{cell}]' for cell in cells[start : start + per_column])})"
        for start in range(0, len(cells), per_column)
    ]
    tracks = ", ".join(["1fr"] * columns)
    return Markup(f"#index[#grid(columns: ({tracks},), column-gutter: 12pt, {', '.join(stacks)})];\n\n")


def _by_number(name: str) -> list[tuple[str, int]]:
    """A key that has L10 after L9, and each reading after its statement."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]


def _card(claim: Claim, first: First) -> Markup:
    corrected, details = claim.get("corrected"), _details(claim, first)
    owner = first.get(("printed", claim["printed"]), claim["id"])
    printed = formula(even(claim["printed"])) if owner == claim["id"] else _like("The words of ", owner)
    beside = f"[{_corrected(corrected, first, claim['id'])}]" if corrected else "none"
    long = len(claim["printed"]) + len(str(corrected or "")) // 2 + len(details.source) // 2 > LONG
    return Markup(
        f"#claim(breakable: {str(long).lower()}, {string(claim['id'])}, [{formula(claim['place'])}], "
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
    lines = [formula(written(sentence(claim["reason"])))]
    if claim.get("consequence"):
        lines.append(strong("For a user: ") + formula(written(sentence(claim["consequence"]))))
    if claim.get("witness"):
        owner = first.get(numbers_of(claim), claim["id"])
        same = first.get((*numbers_of(claim), *satisfied(claim)), claim["id"])
        lines.append(witness(claim, None if owner == claim["id"] else owner, same == owner))
    lines += [
        strong("What was run: ") + formula(written(sentence(item["detail"])))
        for item in _own(claim)
        if item.get("name") in ("statistical witness", "search") and item.get("detail")
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
            shown = formula(letters("; ".join(claim[key])))
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
        sampled = kind in ("witness replayed", "montecarlo", "simulation")
        status = "stands" if sampled and item["status"] == "proved" else item["status"]
        groups.setdefault((kind, status, item.get("solver", "")), []).append(float(item["seconds"]))
    parts = []
    for (kind, status, solver), seconds in groups.items():
        spent = f"{number(sum(seconds), 2)} s" if sum(seconds) >= 0.001 else "under 1 ms"
        took = "" if kind in ("montecarlo", "simulation") else f" ({spent})"
        parts.append(f"{len(seconds)} × {kind}, {status}{f', {solver}' if solver else ''}{took}")
    return "; ".join(parts) or "none"


def _leaves(evidence: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [leaf for item in evidence for leaf in (_leaves(item["parts"]) if item.get("parts") else [item])]


def _tables(claim: Claim) -> Markup:
    """The tables that a claim carries; those of privacy claims stand in the chapter on privacy."""
    if is_privacy(claim):
        return Markup("")
    return join(rows_table(name, rows, claim["id"]) for name, rows in claim.get("tables", {}).items())


def rows_table(name: str, rows: Sequence[Mapping[str, str]], owner: str = "") -> Markup:
    """Rows given as mappings, the columns in the order in which they first appear; numbers to the right. Without a name there
    is no caption."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if not columns:
        return Markup("")
    body = [[written(str(row.get(column, ""))) for column in columns] for row in rows]
    numeric = [all(_NUMERIC.fullmatch(line[i]) for line in body) for i in range(len(columns))]
    sides = ["right" if side else "left" for side in numeric]
    caption = written(sentence(f"{owner}: {name}" if owner else name).rstrip(".")) if name else None
    return table(list(map(written, columns)), body, align=sides, size="7.8pt", caption=caption)


def _steps(steps: Sequence[Claim]) -> Markup:
    """A line for each step that is not proved as printed; those that are, by their ids."""
    proved = [claim for claim in steps if claim["verdict"] == "proved"]
    body = Markup("")
    if proved:
        names = join((anchor(f"claim:{claim['id']}") + formula(claim["id"]) for claim in proved), ", ")
        shown = f"Proved as printed ({number(len(proved))}; `normec verify --claim ID` shows one): "
        body = call("ids", body=formula(shown) + names + formula(".")) + Markup("\n\n")
    rows = []
    for claim in (claim for claim in steps if claim["verdict"] != "proved"):
        corrected = claim.get("corrected")
        last = [formula(written(sentence(claim["reason"])))]
        if claim.get("witness"):
            last.append(witness(claim))
        if corrected:
            mended = (
                formula(written(sentence(corrected["statement"]))) + Markup(" ") + badge(corrected["verdict"])
            )
            last.append(strong("Corrected: ") + mended)
        if claim["test"] != usual_test(claim["id"]):
            last.append(call("text", "size: 0.85em", body=code(claim["test"])))
        first = strong(claim["id"]) + _label(claim) + Markup(" \\ ") + formula(claim["place"])
        rows.append([first, formula(even(claim["printed"])), badge(claim["verdict"]), join(last, " \\ ")])
    head = ["step", "printed", "verdict", "why"]
    return body + (
        table(head, rows, widths=["2.6cm", "1fr", "auto", "1.25fr"], size="8pt") if rows else Markup("")
    )


def _label(claim: Claim) -> Markup:
    """What links to the claim point at."""
    return Markup(f"#label({string('claim:' + claim['id'])})")
