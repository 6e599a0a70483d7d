"""Proofs in two columns: every one is there, and no page stays empty that could hold some of them."""

from __future__ import annotations

import pytest

from report.build import compile_pdf
from report.graphs import Node, Printed, proof_graph
from report.section import Section
from report.typst import Markup, escape, paragraph


def packed(lengths, provenance, before: int = 0, lead: str = "lead"):
    """(the PDF, its pages) of proofs with so many steps, after `before` lines of text and the lead."""
    proofs = [
        proof_graph(
            [Node(f"step {i}", "proved") for i in range(steps)],
            escape(f"proof{index}of{steps}"),
            escape(""),
            Printed(),
        )
        for index, steps in enumerate(lengths)
    ]
    lines = Markup("".join(paragraph(f"line {i}").source for i in range(before)))
    body = lines + Markup(f"#packed([{lead}], {', '.join(f'[{proof}]' for proof in proofs)});\n\n")
    return compile_pdf([Section("Proofs", body)], Section("front", paragraph("front")), provenance)


def where(texts: list[str], lengths) -> list[int]:
    """The page of each proof; every one stands on exactly one."""
    found = []
    for index, steps in enumerate(lengths):
        on = [page for page, text in enumerate(texts) if f"proof{index}of{steps}" in text]
        assert len(on) == 1, (index, on)
        found.append(on[0])
    return found


@pytest.mark.parametrize("before", [0, 18])
def test_short_proofs_fill_up_what_long_ones_leave(provenance, pdf_text, before):
    """Four of about two thirds of a page, four short ones: two pages, and what fits of them under the text before."""
    lengths = [50, 4, 50, 4, 50, 4, 50, 4]
    pdf, _ = packed(lengths, provenance, before)
    pages = where(pdf_text(pdf), lengths)
    assert len(set(pages)) == (2 if before == 0 else 3)
    if before:
        first = min(pages)
        assert {lengths[i] for i, page in enumerate(pages) if page == first} == {4}, (
            "what fits stands under the text"
        )


def test_one_proof_alone(provenance, pdf_text):
    pdf, _ = packed([3], provenance)
    assert len(where(pdf_text(pdf), [3])) == 1


def test_columns_do_not_run_over_the_page(provenance, pdf_text):
    """As many as fill several pages: a page holds no more than its two columns do."""
    lengths = [28] * 12
    pdf, _ = packed(lengths, provenance)
    pages = where(pdf_text(pdf), lengths)
    assert max(pages.count(page) for page in set(pages)) == 4
    assert len(set(pages)) == 3


def test_proofs_follow_their_lead_where_the_pages_before_settle_late(provenance, pdf_text):
    """Space that is there from the second pass of the layout on, as that of a table of contents: the proofs, packed for the
    first pass, no longer fit, and must not take the end of the lead with them to the next page for good."""
    lengths = [4] * 60
    late = "#context if query(<pages>) != () { v(300pt) }"
    lead = f"{late} lead #hypotheses([the hypotheses])"
    texts = pdf_text(packed(lengths, provenance, lead=lead)[0])
    led = next(page for page, text in enumerate(texts) if "the hypotheses" in text)
    assert led in where(texts, lengths)
