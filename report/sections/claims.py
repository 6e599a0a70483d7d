"""One paper: each of its claims, printed and corrected side by side, with what establishes the verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from report.section import NotRun, Results, Section
from report.sections import proofs
from report.sections.card import card, shared
from report.sections.chapter import not_run
from report.sections.witness import witness
from report.typst import (
    Markup,
    anchor,
    badge,
    call,
    code,
    escape,
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
    why,
)

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

LETTERS = {
    "fed-alpha-normec": "Letters of our proofs: P_i(x) = (x − T_i(x))/γ; v̄ = (1/M) Σ v_i; r_0 = ‖P_i(x⁰) − v_i⁰‖, and w_0 the "
    "same after the first step of the memory. A client's error in a round is n_i = (1 − q_i)Δ_i − q_i z_i, where q_i = 1/p with "
    "probability p and else 0; V = E‖z_i‖²; B* = (1 − p + V)/p; err = √(β²B*(K+1)/M), err̄ = √(β²B*(K+2)/(2M))."
}
"""Letters that stand in the hypotheses of many claims of a paper, and not in the paper."""


def build(results: Results, paper: str) -> Section:
    """The chapter of `paper` from the result `verify`."""
    result = results["verify"]
    name = f"{title(paper)}: every statement"
    if isinstance(result, NotRun):
        return Section(name, not_run(result), missing=(name,))
    selected = claims(result, paper)
    statements = sorted((c for c in selected if not is_step(c)), key=lambda claim: KINDS.index(_sort(claim)))
    first = shared(statements)
    steps = [claim for claim in selected if is_step(claim)]
    body = heading("In numbers") + _numbers(selected) + _glance(selected)
    body += heading("Statements")
    if paper in LETTERS:
        body += call("small", body=formula(LETTERS[paper])) + Markup("\n\n")
    body += join(card(claim, first) + _tables(claim) for claim in statements)
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


COLUMNS = 3


def _glance(selected: Sequence[Claim]) -> Markup:
    """All ids in order with their verdicts and pages, read down the columns."""
    cells = [
        _fitted(claim["id"])
        + Markup(" #h(1fr) ")
        + call("mark", string(claim["verdict"]))
        + call("on-page", string(f"claim:{claim['id']}"))
        for claim in sorted(selected, key=lambda claim: _by_number(claim["id"]))
    ]
    if not cells:
        return Markup("")
    per_column = -(-len(cells) // COLUMNS)
    stacks = [
        f"stack(spacing: 2.3pt, {', '.join(f'[{cell}]' for cell in cells[start : start + per_column])})"
        for start in range(0, len(cells), per_column)
    ]
    tracks = ", ".join(["1fr"] * COLUMNS)
    return Markup(f"#index[#grid(columns: ({tracks},), column-gutter: 12pt, {', '.join(stacks)})];\n\n")


INDEXED = 31
"""Characters of the longest id that a column of the index has room for."""


def _fitted(name: str) -> Markup:
    """A link to a claim; a long id set tight, so that it has room in a column of the index."""
    shown = link(f"claim:{name}", escape(name))
    return call("text", "tracking: -0.4pt", body=shown) if len(name) > INDEXED else shown


def _by_number(name: str) -> list[tuple[str, int]]:
    """A key that has L10 after L9, and each reading after its statement."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]


def _tables(claim: Claim) -> Markup:
    """The tables that a claim carries; those of privacy claims stand in the chapter on privacy."""
    if is_privacy(claim):
        return Markup("")
    return join(rows_table(name, rows, claim["id"]) for name, rows in claim.get("tables", {}).items())


def rows_table(name: str, rows: Sequence[Mapping[str, str]], owner: str = "") -> Markup:
    """Rows given as mappings, the columns in the order in which they first appear; numbers to the right,
    the last word of their heads on a line of its own. Without a name there is no caption."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if not columns:
        return Markup("")
    body = [[written(str(row.get(column, ""))) for column in columns] for row in rows]
    numeric = [all(_NUMERIC.fullmatch(line[i]) for line in body) for i in range(len(columns))]
    sides = ["right" if side else "left" for side in numeric]
    head = [
        ",\n".join(name.rsplit(", ", 1)) if side else name
        for name, side in zip(map(written, columns), numeric, strict=True)
    ]
    caption = written(sentence(f"{owner}: {name}" if owner else name).rstrip(".")) if name else None
    return table(head, body, align=sides, size="7.8pt", caption=caption)


def _steps(steps: Sequence[Claim]) -> Markup:
    """A line for each step that is not proved as printed; those that are, by their ids."""
    proved = [claim for claim in steps if claim["verdict"] == "proved"]
    body = Markup("")
    if proved:
        names = join((anchor(f"claim:{claim['id']}") + escape(claim["id"]) for claim in proved), ", ")
        shown = f"Proved as printed ({number(len(proved))}; `normec verify --claim ID` shows one): "
        body = call("ids", body=formula(shown) + names + formula(".")) + Markup("\n\n")
    rows = []
    for claim in (claim for claim in steps if claim["verdict"] != "proved"):
        corrected = claim.get("corrected")
        last = [formula(written(why(claim)))]
        if claim.get("witness"):
            last.append(witness(claim))
        if corrected:
            mended = (
                formula(written(sentence(corrected["statement"]))) + Markup(" ") + badge(corrected["verdict"])
            )
            if corrected.get("condition"):
                mended += (
                    Markup(" ") + strong("Condition: ") + formula(written(sentence(corrected["condition"])))
                )
            last.append(strong("Corrected: ") + mended)
        if claim["test"] != usual_test(claim["id"]):
            last.append(call("text", "size: 0.85em", body=code(claim["test"])))
        first = (
            strong(escape(claim["id"])) + _label(claim) + Markup(" \\ ") + formula(written(claim["place"]))
        )
        rows.append([first, formula(even(claim["printed"])), badge(claim["verdict"]), join(last, " \\ ")])
    head = ["step", "printed", "verdict", "why"]
    return body + (
        table(head, rows, widths=["2.6cm", "1fr", "auto", "1.25fr"], size="8pt") if rows else Markup("")
    )


def _label(claim: Claim) -> Markup:
    """What links to the claim point at."""
    return Markup(f"#label({string('claim:' + claim['id'])})")
