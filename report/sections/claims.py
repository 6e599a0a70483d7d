"""One paper: each of its claims, printed and corrected side by side, with what establishes the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from report.section import NotRun, Results, Section
from report.typst import (
    Markup,
    badge,
    bullets,
    call,
    code,
    formula,
    heading,
    link,
    markup,
    number,
    paragraph,
    string,
    strong,
    table,
)
from report.verdicts import VERDICTS, Claim, claims, count, is_step, title


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
    body += heading("Statements") + Markup("".join(_card(claim).source for claim in statements))
    if steps:
        body += heading("Steps of the printed proofs") + paragraph(
            "A step that falls does not make its theorem false: the theorem above has its own verdict."
        )
        body += _steps(steps)
    return Section(name, body)


def _numbers(selected: Sequence[Claim]) -> Markup:
    kinds = list(dict.fromkeys(claim["kind"] for claim in selected))
    rows = []
    for kind in kinds:
        counts = count([claim for claim in selected if claim["kind"] == kind])
        rows.append(
            [kind, *(str(counts[v]) if counts[v] else "·" for v in VERDICTS), str(sum(counts.values()))]
        )
    counts = count(selected)
    rows.append([strong("all"), *(strong(counts[v]) for v in VERDICTS), strong(len(selected))])
    return table(
        ["kind", *(badge(v) for v in VERDICTS), "all"], rows, align=["left", *["right"] * (len(VERDICTS) + 1)]
    )


def _glance(selected: Sequence[Claim], columns: int = 4) -> Markup:
    """All ids with their verdicts, read down the columns."""
    cells = [
        markup(link(f"claim:{claim['id']}", claim["id"])) + Markup(" #h(1fr) ") + badge(claim["verdict"])
        for claim in selected
    ]
    per_column = -(-len(cells) // columns)
    stacks = [
        "stack(spacing: 5pt, " + ", ".join(f"[{cell}]" for cell in cells[start : start + per_column]) + ")"
        for start in range(0, len(cells), max(1, per_column))
    ]
    tracks = ", ".join(["1fr"] * columns)
    return Markup(
        f"#text(size: 7pt)[#grid(columns: ({tracks},), column-gutter: 12pt, {', '.join(stacks)})];\n\n"
        if stacks
        else ""
    )


def _card(claim: Claim) -> Markup:
    corrected = claim.get("corrected")
    if corrected:
        right = formula(corrected["statement"]) + Markup(" ") + badge(corrected["verdict"])
    else:
        right = call(
            "text", "fill: luma(90)", body="stands as printed" if claim["verdict"] == "proved" else "none"
        )
    return Markup(
        f"#claim({string(claim['id'])}, [{formula(claim['place'])}], {string(claim['kind'])}, "
        f"{string(claim['verdict'])}, [{formula(claim['printed'])}], [{right}], [{_details(claim)}])\n"
    )


def _details(claim: Claim) -> Markup:
    lines: list[Markup] = []
    if claim["reason"]:
        lines.append(formula(claim["reason"]))
    witness = claim.get("witness")
    if witness:
        lines.append(_witness(witness))
    if claim.get("needed"):
        lines.append(strong("Needed: ") + formula("; ".join(claim["needed"])))
    if claim.get("unneeded"):
        lines.append(strong("Not needed: ") + formula("; ".join(claim["unneeded"])))
    lines.append(strong("Evidence: ") + _evidence(claim))
    lines.append(strong("Again: ") + code(claim["test"]))
    return Markup(" \\ ".join(line.source for line in lines))


def _witness(witness: Claim) -> Markup:
    values = ", ".join(f"{name} = {value}" for name, value in witness.get("values", {}).items())
    out = strong("Witness: ") + formula(values or "see the test")
    if witness.get("breaks"):
        out += formula(f". Breaks {witness['breaks']}")
    if witness.get("lhs") is not None and witness.get("rhs") is not None:
        out += formula(f": left {witness['lhs']}, right {witness['rhs']}")
    return out


def _evidence(claim: Claim) -> Markup:
    """The evidence grouped by kind and status, with the seconds summed, so that a proof of fifty
    obligations is one phrase."""
    groups: dict[tuple[str, str], list[float]] = {}
    for item in claim["evidence"]:
        groups.setdefault((item["kind"], item["status"]), []).append(float(item.get("seconds") or 0.0))
    if not groups:
        return formula("none")
    parts = [
        f"{len(seconds)} × {kind} {status} ({number(sum(seconds), 2)} s)"
        for (kind, status), seconds in groups.items()
    ]
    return formula("; ".join(parts))


def _steps(steps: Sequence[Claim]) -> Markup:
    rows = []
    for claim in steps:
        corrected = claim.get("corrected")
        last = [formula(claim["reason"])]
        if claim.get("witness"):
            last.append(_witness(claim["witness"]))
        if corrected:
            last.append(
                strong("Corrected: ")
                + formula(corrected["statement"])
                + Markup(" ")
                + badge(corrected["verdict"])
            )
        last.append(call("text", "size: 0.85em", body=code(claim["test"])))
        first = (
            strong(claim["id"])
            + Markup(f"#label({string('claim:' + claim['id'])}) \\ ")
            + formula(claim["place"])
        )
        rows.append(
            [first, formula(claim["printed"]), badge(claim["verdict"]), Markup(" \\ ".join(map(str, last)))]
        )
    return table(
        ["step", "printed", "verdict", "why"], rows, widths=["2.6cm", "1fr", "auto", "1.25fr"], size="8pt"
    )


__all__ = ["build", "bullets"]
