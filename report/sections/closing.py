"""The end of the report: how to run each part again, and what it was made on."""

from __future__ import annotations

from report.provenance import Provenance, environment
from report.section import Available, Results, Section
from report.typst import Markup, badge, call, code, formula, heading, number, paragraph, table
from report.verdicts import MEANING, claims


def how_to_read() -> Markup:
    """What each verdict means, before any of them is used."""
    body = paragraph(
        "Each statement was encoded as printed before anybody repaired it. A machine gave every verdict; "
        "nobody typed one. Each names the test that establishes it again."
    )
    body += table(["verdict", "what it means, exactly"], [[badge(v), text] for v, text in MEANING.items()],
                  widths=["auto", "1fr"])  # fmt: skip
    title = call("heading", "level: 2", "numbering: none", "outlined: false", body="How to read a verdict")
    return title + body


def build(results: Results, provenance: Provenance) -> Section:
    """Commands, seconds and origins of all results; versions and hardware."""
    rows = []
    for name, result in sorted(results.items()):
        if isinstance(result, Available):
            seconds = "read" if result.seconds is None else number(result.seconds)
            rows.append([name, code(result.origin), seconds])
        else:
            rows.append(
                [name, formula(result.reason + (f". {result.cure}" if result.cure else "")), badge("not run")]
            )
    body = heading("Each result by itself")
    body += table(
        ["result", "command", "seconds"],
        rows,
        widths=["auto", "1fr", "auto"],
        align=["left", "left", "right"],
    )
    verdict = claims(results["verify"]) if "verify" in results else []
    if verdict:
        body += paragraph(
            "One verdict again: ",
            code(f"python -m verify --claim {verdict[0]['id']}"),
            ", or its test: ",
            code(f"python -m pytest '{verdict[0]['test']}'"),
            ". Every claim carries its own.",
        )
    body += paragraph(
        "The whole report again: ",
        code("make report"),
        "; at full length: ",
        code("make report PROFILE=full"),
        ".",
    )
    body += heading("Versions and hardware")
    rows = [["normec", provenance.version], ["commit", provenance.commit_text], *environment().items()]
    body += table(["what", "version"], rows, widths=["auto", "1fr"])
    return Section("Run it again", body)
