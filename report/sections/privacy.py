"""Privacy: the ε that is had, by reading and trust model; constants; the audit from below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds.privacy.enclosure import rounded
from bounds.privacy.setting import TRUST_MEANING
from report.section import Available, Results, Section
from report.sections.chapter import Built, Part, chapter
from report.sections.claims import rows_table
from report.sections.epsilons import summary
from report.typst import (
    Markup,
    badge,
    call,
    formula,
    heading,
    join,
    link,
    number,
    paragraph,
    sentence,
    table,
    written,
)
from report.verdicts import VERDICTS, claims, is_privacy


def build(results: Results) -> Section:
    """The chapter from the results `verify` and `audit`."""
    parts = (
        Part("verify", "Printed privacy statements", _statements),
        Part("audit", "Audit: attacking the implemented mechanisms", _audit),
    )
    return chapter("Privacy", parts, results)


def _statements(result: Available) -> Built:
    private = [claim for claim in claims(result) if is_privacy(claim)]
    if not private:
        return paragraph("No privacy statement is in the verdicts."), {}, ["privacy statements"]
    rows = [
        [link(f"claim:{c['id']}", c["id"]), badge(c["verdict"]), formula(written(sentence(c["consequence"])))]
        for c in private
        if c.get("consequence")
    ]
    seen = "; ".join(f"“{name}” is {meaning}" for name, meaning in TRUST_MEANING.items())
    body = paragraph(
        "A privacy statement depends on what the adversary sees and on what is hidden. What is seen: ", seen, ". What is hidden: ",
        "“replace-one” is which of two data sets a client has; “add-remove” is whether a client sends its messages or noise "
        "alone. An interval [a, b] ",
        "is certain to hold the true ε.",
    )  # fmt: skip
    body += summary(private)
    by_verdict: dict[str, list[Markup]] = {}
    for claim in private:
        by_verdict.setdefault(claim["verdict"], []).append(link(f"claim:{claim['id']}", claim["id"]))
    for verdict in sorted(by_verdict, key=VERDICTS.index):
        names = by_verdict[verdict]
        told = badge(verdict) + formula(f" ({number(len(names))}): ") + join(names, ", ") + formula(".")
        body += call("ids", body=told) + Markup("\n\n")
    if rows:
        body += table(
            ["statement", "verdict", "for a user"], rows, widths=["auto", "auto", "1fr"], size="7.6pt"
        )
    tabled = [claim for claim in private if claim.get("tables")]
    owners: dict[tuple[str, str], list[Markup]] = {}
    for claim in tabled:
        for name, lines in claim["tables"].items():
            key = sentence(name).rstrip("."), rows_table("", lines).source
            owners.setdefault(key, []).append(link(f"claim:{claim['id']}", claim["id"]))
    for (name, shown), claimed in owners.items():
        order = (
            " “Order” is the power of p that the noise falls with from the line above."
            if "order," in shown
            else ""
        )
        of = formula("Of ") + join(claimed, ", ") + formula(f".{order}")
        body += heading(written(name), 3) + call("block", "sticky: true", body=of) + Markup(f"\n\n{shown}")
    return body, {}, []


def _audit(result: Available) -> Built:
    data: Mapping[str, Any] = result.value
    rows = []
    for row in data["rows"]:
        verdict = _caught(row) if row["caught"] else "consistent with its claim"
        rows.append(
            [row["method"], row["fault"] or "as published", _rounded(row["claimed"], 1), _found(row["found"]),
             _rounded(row["claimed_mu"], 1), _found(row["found_mu"]), verdict]
        )  # fmt: skip
    missed = [row for row in data["rows"] if bool(row["fault"]) != row["caught"]]
    body = paragraph(
        f"K = {number(data['rounds'])} rounds, σ = {number(data['sigma'])} times the bound of a message, ",
        f"{number(data['runs'])} transcripts of each of two neighbouring data sets, δ = {number(data['delta'])}, confidence ",
        f"{data['confidence']:.6f}. The attack knows the method and uses the likelihood ratio; what it proves is a lower bound ",
        "of the true ε and of μ, the distance of Gaussian DP. A sound mechanism stays below its claim in both; each planted fault ",
        "should be caught, by the one or the other. These K, σ and runs are this table's own. ",
        f"Rows that say otherwise: {number(len(missed))}.",
    )
    body += table(
        ["method", "fault", "claimed ε", "proved ε ≥", "claimed μ", "proved μ ≥", "outcome"],
        rows,
        widths=["auto", "1fr", *["auto"] * 5],
        align=["left", "left", "right", "right", "right", "right", "left"],
    )
    return body, {}, []


def _caught(row: Mapping[str, Any]) -> str:
    """By which of the two numbers a mechanism is caught."""
    by_epsilon = row["found"] is None or row["found"] > row["claimed"]
    return f"caught: proved {'ε' if by_epsilon else 'μ'} above claimed {'ε' if by_epsilon else 'μ'}"


def _found(value: float | None) -> str:
    return "∞ (told apart without error)" if value is None else _rounded(value, -1)


def _rounded(value: float, side: int) -> str:
    """What is claimed is rounded up, what is proved against it down."""
    return number(float(rounded(value, side, 3)))
