"""Page one of the whole report: it says all that it has to say on one page, with the claims and numbers of today."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from report.build import compile_pdf
from report.results import experiments
from report.section import Available, Section
from report.sections import epsilons, front
from report.typst import join, paragraph
from verify.catalogue import claims
from verify.claim import Claim

PINNED: dict[str, str] = json.loads(
    (Path(__file__).parents[1] / "verify" / "verdicts.json").read_text(encoding="utf-8")
)
SPARE = 1
"""Lines that have to stay free: with none, the next word would spoil the page."""


def as_read(claim: Claim) -> dict:
    """What page one reads of a claim, with its pinned verdict in the place of a fresh one."""
    tables = claim.tables if "EXP-DP" in claim.id else {}
    ours, verdict = claim.kind == "ours", PINNED[claim.id]
    repaired = claim.repair and {
        "statement": claim.repair.statement,
        "condition": claim.repair.condition,
        "verdict": "proved",
    }
    return {
        "id": claim.id,
        "paper": claim.paper,
        "kind": "theorem" if ours else claim.kind,
        "origin": "ours" if ours else "printed",
        "printed": claim.printed,
        "verdict": verdict,
        "reason": (claim.undecided if verdict == "unknown" else "") or claim.reason,
        "consequence": claim.consequence,
        "corrected": repaired,
        "tables": tables() if callable(tables) else tables,
    }


@pytest.fixture(scope="module")
def today() -> list[dict]:
    return [as_read(claim) for claim in claims().values()]


@pytest.fixture(scope="module")
def numbers() -> dict:
    return experiments.comparison({})


@pytest.mark.parametrize("spare", [0, SPARE])
def test_page_one_is_one_page_with_all_claims_and_numbers_of_today(
    spare, today, numbers, provenance, pdf_text
):
    assert epsilons.epsilons(today), "the line on privacy is part of the page"
    results = {
        "verify": Available({"claims": today}, "pinned", 1.0),
        "experiments": Available(numbers, "no runs", 1.0),
    }
    one = front.build(results, [], provenance, "quick")
    more = [paragraph(f"spare line {number}") for number in range(1, spare + 1)]
    pdf, _ = compile_pdf(
        [Section("Chapter", paragraph("text"))], Section("Summary", join([one.body, *more])), provenance
    )
    last = f"spare line {spare}" if spare else "every part of the report has its results"
    assert last in pdf_text(pdf)[0], f"page one with {spare} more lines runs over: shorten what it says"
