"""Page one of the whole report: it says all that it has to say on one page, with the claims and numbers of today."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from report.build import compile_pdf
from report.results import experiments
from report.section import Available, NotRun, Section
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
        "tables": claim.rows if "EXP-DP" in claim.id else {},
    }


@pytest.fixture(scope="module")
def today() -> list[dict]:
    return [as_read(claim) for claim in claims().values()]


@pytest.fixture(scope="module")
def numbers() -> dict:
    return experiments.comparison({})


def test_the_line_on_privacy_speaks_of_the_noise_that_the_papers_say_their_runs_have(today):
    """Of α-NormEC's and Fed-α-NormEC's ε = 8, the latter with both printed roots; neither of other readings of the noise, nor of what
    is ours, nor of DP-NormFedAvg, whose q is not printed."""
    source = front._verdicts(
        {"verify": Available({"claims": today}, "pinned", 1.0), "experiments": NotRun("no runs")},
        paragraph(""),
    )
    line = source.source.partition("privacy statements and readings")[2].partition(epsilons.READ)[0]
    assert line, "the line is not on the page, or does not say how the noise is read"
    assert re.findall(r'#to\("claim:(.*?)"\)\[#"(.*?)";', line) == [
        ("NEC-EXP-DP", "α-NormEC's ε = 8"),
        ("FED-EXP-DP", "Fed-α-NormEC's ε = 8"),
    ]
    told = [(had.claim["id"], had.reading) for had in epsilons.epsilons(today)]
    assert list(dict.fromkeys(told)) == [
        ("NEC-EXP-DP", "constant 1"),
        ("FED-EXP-DP", "noise √(K log(1/δ))"),
        ("FED-EXP-DP", "noise √K log(1/δ)"),
    ]


def test_the_line_on_privacy_leaves_out_what_is_ours(today):
    (private,) = (claim for claim in today if claim["id"] == "NEC-EXP-DP")
    ours = private | {"id": "NEC-OUR-EXP-DP", "origin": "ours"}
    results = {
        "verify": Available({"claims": [private, ours]}, "pinned", 1.0),
        "experiments": NotRun("no runs"),
    }
    source = front._verdicts(results, paragraph("")).source
    assert "claim:NEC-EXP-DP" in source
    assert "OUR-EXP-DP" not in source


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
