"""One paper: each of its claims, printed and corrected side by side, with what establishes the verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from report.graphs import GIVEN, Node, proof_graph
from report.section import NotRun, Results, Section
from report.typst import (
    Markup,
    badge,
    call,
    code,
    formula,
    heading,
    join,
    link,
    number,
    paragraph,
    string,
    strong,
    table,
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
)

LONG = 2500
"""Characters above which a claim's card may run over a page."""
GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "eta": "η", "sigma": "σ", "epsilon": "ε", "delta": "δ", "Delta": "Δ",
    "tau": "τ",
    "rho": "ρ", "mu": "μ", "nu": "ν", "lambda": "λ", "theta": "θ", "kappa": "κ", "xi": "ξ", "phi": "φ",
    "zeta": "ζ", "omega": "ω",
}  # fmt: skip


def letters(text: str) -> str:
    """Names of Greek letters as the letters: `beta_0 <= alpha` is `β_0 <= α`."""
    return re.sub(r"(?<![A-Za-z])(" + "|".join(GREEK) + r")(?![A-Za-z])", lambda m: GREEK[m[1]], text)


def build(results: Results, paper: str) -> Section:
    """The chapter of `paper` from the result `verify`."""
    result = results["verify"]
    name = f"{title(paper)}: every statement"
    if isinstance(result, NotRun):
        return Section(name, paragraph(badge("not run"), f" {result.reason}. {result.cure}"), missing=(name,))
    selected = claims(result, paper)
    statements = [claim for claim in selected if not is_step(claim)]
    steps = [claim for claim in selected if is_step(claim)]
    body = heading("In numbers") + _numbers(selected) + _glance(selected)
    body += heading("Statements") + join(_card(claim) + _tables(claim) for claim in statements)
    if steps:
        body += heading("Steps of the printed proofs") + paragraph(
            "A step that falls does not make its theorem false: the theorem has its own verdict above."
        )
        body += _steps(steps)
    body += _graphs([claim for claim in statements if is_theorem_level(claim) or is_ours(claim)])
    return Section(name, body)


def _numbers(selected: Sequence[Claim]) -> Markup:
    kinds = list(dict.fromkeys(claim["kind"] for claim in selected))
    rows = []
    for kind in kinds:
        counts = count([claim for claim in selected if claim["kind"] == kind])
        rows.append([kind, *(counts[v] or "·" for v in VERDICTS), sum(counts.values())])
    counts = count(selected)
    rows.append([strong("all"), *(strong(counts[v]) for v in VERDICTS), strong(len(selected))])
    columns = len(VERDICTS) + 1
    return table(["kind", *(badge(v) for v in VERDICTS), "all"], rows, align=["left", *["right"] * columns])


def _glance(selected: Sequence[Claim], columns: int = 3) -> Markup:
    """All ids with their verdicts, read down the columns."""
    cells = [
        link(f"claim:{claim['id']}", claim["id"]) + Markup(" #h(1fr) ") + badge(claim["verdict"])
        for claim in selected
    ]
    if not cells:
        return Markup("")
    per_column = -(-len(cells) // columns)
    stacks = [
        f"stack(spacing: 5pt, {', '.join(f'[{cell}]' for cell in cells[start : start + per_column])})"
        for start in range(0, len(cells), per_column)
    ]
    tracks = ", ".join(["1fr"] * columns)
    return Markup(
        f"#text(size: 7pt)[#grid(columns: ({tracks},), column-gutter: 12pt, {', '.join(stacks)})];\n\n"
    )


def _card(claim: Claim) -> Markup:
    long = len(claim["printed"]) + len(claim["reason"]) + len(str(claim.get("witness"))) > LONG
    return Markup(
        f"#claim(breakable: {str(long).lower()}, {string(claim['id'])}, [{formula(claim['place'])}], "
        f"{string(claim['kind'])}, {string(claim['verdict'])}, [{formula(claim['printed'])}], [{_corrected(claim)}], "
        f"[{_details(claim)}])\n"
    )


def _corrected(claim: Claim) -> Markup:
    corrected = claim.get("corrected")
    if not corrected:
        text = "stands as printed" if claim["verdict"] == "proved" else "none"
        return call("text", "fill: luma(90)", body=text)
    out = formula(corrected["statement"]) + Markup(" ") + badge(corrected["verdict"])
    if corrected.get("condition"):
        out += Markup(" \\ ") + strong("Condition: ") + formula(corrected["condition"])
    if corrected.get("weakest"):
        out += Markup(" \\ ") + strong("Weakest: ") + formula(corrected["weakest"])
    return out


def _details(claim: Claim) -> Markup:
    lines = [formula(claim["reason"])]
    if claim.get("consequence"):
        lines.append(strong("For a user: ") + formula(claim["consequence"]))
    if claim.get("witness"):
        lines.append(_witness(claim["witness"]))
    if claim.get("needed"):
        lines.append(strong("Needed: ") + formula(letters("; ".join(claim["needed"]))))
    if claim.get("unneeded"):
        lines.append(strong("Not needed: ") + formula(letters("; ".join(claim["unneeded"]))))
    if claim.get("meanings"):
        lines.append(strong("Letters: ") + formula("; ".join(claim["meanings"])))
    if claim.get("standard"):
        lines.append(strong("Textbook results used: ") + formula("; ".join(claim["standard"])))
    lines.append(strong("Evidence: ") + _evidence(claim))
    lines += [
        strong("What was run: ") + formula(item["detail"])
        for item in claim["evidence"]
        if item.get("name") in ("statistical witness", "search") and item.get("detail")
    ]
    if claim.get("failures"):
        lines.append(strong("Does not stand: ") + formula("; ".join(claim["failures"])))
    lines.append(strong("Again: ") + code(claim["test"]))
    return join(lines, " \\ ")


def _witness(witness: Claim) -> Markup:
    values = ", ".join(f"{letters(name)} = {value}" for name, value in witness.get("values", {}).items())
    out = strong("Witness: ") + formula(
        "; ".join(filter(None, [witness.get("problem"), values])) or "see the test"
    )
    kept = [letters(item["text"]) for item in witness.get("hypotheses", ()) if item["holds"]]
    if kept:
        out += formula(f". Satisfies {'; '.join(kept)}")
    out += formula(f". Breaks {witness['breaks']}")
    comparison = witness.get("comparison", "against")
    return out + formula(f": {_exact(witness['lhs'])} {comparison} {_exact(witness['rhs'])} is false.")


def _exact(value: object) -> str:
    """An exact number as it is; where it is long, its decimal value follows a shortened form."""
    text = str(value)
    if len(text) <= 24:
        return text
    match = re.fullmatch(r"(-?\d+)/(\d+)", text)
    if match and len(text) < 4000:
        return f"≈ {int(match[1]) / int(match[2]):.6g} (exact in the JSON)"
    return f"{text[:24]}… (whole in the JSON)"


def _evidence(claim: Claim) -> Markup:
    """Evidence by kind, status and solver, so that a proof of fifty obligations is one phrase."""
    groups: dict[tuple[str, str, str], list[float]] = {}
    for item in _leaves(claim["evidence"] or (claim.get("corrected") or {}).get("evidence", ())):
        kind = "witness replayed" if item.get("name", "").startswith("witness") else item["kind"]
        status = "stands" if kind == "witness replayed" and item["status"] == "proved" else item["status"]
        groups.setdefault((kind, status, item.get("solver", "")), []).append(float(item["seconds"]))
    parts = [
        f"{len(seconds)} × {kind}, {status}{f', {solver}' if solver else ''} ({number(sum(seconds), 2)} s)"
        for (kind, status, solver), seconds in groups.items()
    ]
    return formula("; ".join(parts) or "none")


def _leaves(evidence: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [leaf for item in evidence for leaf in (_leaves(item["parts"]) if item.get("parts") else [item])]


def _tables(claim: Claim) -> Markup:
    """The tables that a claim carries; those of privacy claims stand in the chapter on privacy."""
    if is_privacy(claim):
        return Markup("")
    return join(rows_table(name, rows, claim["id"]) for name, rows in claim.get("tables", {}).items())


def rows_table(name: str, rows: Sequence[Mapping[str, str]], owner: str = "") -> Markup:
    """Rows given as mappings, the columns in the order in which they first appear."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if not columns:
        return Markup("")
    caption = f"{owner}: {name}" if owner else name
    widest = max(columns, key=lambda column: max(len(str(row.get(column, ""))) for row in rows))
    widths = ["1fr" if column == widest else "auto" for column in columns]
    body = [[str(row.get(column, "")) for column in columns] for row in rows]
    return table(columns, body, widths=widths, size="7.8pt", caption=caption)


def _steps(steps: Sequence[Claim]) -> Markup:
    rows = []
    for claim in steps:
        corrected = claim.get("corrected")
        last = [formula(claim["reason"])]
        if claim.get("witness"):
            last.append(_witness(claim["witness"]))
        if corrected:
            mended = formula(corrected["statement"]) + Markup(" ") + badge(corrected["verdict"])
            last.append(strong("Corrected: ") + mended)
        last.append(call("text", "size: 0.85em", body=code(claim["test"])))
        mark = Markup(f"#label({string('claim:' + claim['id'])}) \\ ")
        first = strong(claim["id"]) + mark + formula(claim["place"])
        rows.append([first, formula(claim["printed"]), badge(claim["verdict"]), join(last, " \\ ")])
    head = ["step", "printed", "verdict", "why"]
    return table(head, rows, widths=["2.6cm", "1fr", "auto", "1.25fr"], size="8pt")


def _graphs(theorems: Sequence[Claim]) -> Markup:
    """The proofs of theorem-level claims, as printed or repaired, drawn where they have at least two
    steps."""
    drawn: dict[tuple[Node, ...], list[Markup]] = {}
    for claim in theorems:
        for which, source in (("as printed", claim), ("as corrected", claim.get("corrected") or {})):
            nodes = graph_nodes(source.get("graph", ()), source.get("evidence", ()))
            if sum(node.status != GIVEN for node in nodes) >= 2:
                owner = link(f"claim:{claim['id']}", claim["id"]) + formula(f" {which}")
                drawn.setdefault(tuple(nodes), []).append(owner)
    if not drawn:
        return Markup("")
    legend = paragraph(
        "Each line with a sign is one obligation that a machine was asked; an arc leads from a step to the ",
        "step that uses it. Hypotheses, definitions and textbook results are numbered h1, h2, …; the numbers ",
        "in brackets are those that a step uses. Circle: proved; cross: refuted; grey square: open.",
    )
    pictures = [
        proof_graph(nodes, formula("Proof of ") + join(owners, "; ") + formula("."))
        for nodes, owners in drawn.items()
    ]
    return heading("Proof graphs") + legend + join(pictures)


def graph_nodes(edges: Sequence[Sequence[str]], evidence: Sequence[Mapping[str, Any]]) -> list[Node]:
    """Nodes from the edges (user, used) and the evidence that bears their names; the rest is given."""
    status = {item["name"]: item["status"] for item in evidence}
    names = list(dict.fromkeys([*(used for _, used in edges), *(user for user, _ in edges)]))
    uses: dict[str, list[str]] = {name: [] for name in names}
    for user, used in edges:
        if user != used:
            uses[user].append(used)
    return [
        Node(letters(name), status.get(name, GIVEN), tuple(letters(use) for use in uses[name]))
        for name in names
    ]
