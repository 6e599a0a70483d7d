"""The card of a claim: what several claims share is printed once."""

from __future__ import annotations

import re
from typing import get_args

from report.sections import card, closing
from verify.evidence import Kind

HYPOTHESIS = {"text": "alpha > 0", "holds": True}


def claim(name: str, **more: object) -> dict:
    return {
        "id": name, "paper": "alpha-normec", "place": "Section 1", "kind": "theorem", "origin": "printed", "printed": "x",
        "verdict": "refuted", "reason": "because", "evidence": [],
        "test": f"tests/verify/test_claims.py::test_claim[{name}]", **more,
    }  # fmt: skip


def found(problem: str = "", **values: str) -> dict:
    return {"problem": problem, "values": values, "breaks": "g ≤ 1", "lhs": "2", "rhs": "1", "comparison": "<=",
            "hypotheses": [HYPOTHESIS]}  # fmt: skip


def test_what_claims_share_is_printed_once():
    shared = ["a > 0", "b > 0", "c > 0"]
    first = claim("NEC-T1", needed=shared, standard=["one", "two"], witness=found("p", g="2"))
    second = first | {"id": "NEC-T2", "test": "x"}
    where = card.shared([first, second])
    full, short = (card._details(one, where).source for one in (first, second))
    assert "a > 0; b > 0; c > 0" in full
    assert "g = 2" in full
    assert "a > 0; b > 0" not in short
    assert "the 3 of " in short
    assert 'to("claim:NEC-T1")' in short
    assert "g = 2" not in short
    assert "is false" in short, "what is broken is each claim's own"
    assert "one; two" in short, "a short list is printed everywhere"


def test_a_long_statement_is_printed_once():
    long = {
        "printed": "p " * card.WORDS,
        "corrected": {"statement": "s " * card.WORDS, "verdict": "proved"},
    }
    one, two = (claim(name, **long) for name in ("NEC-T1", "NEC-T2"))
    other = two | {"printed": "x", "corrected": {"statement": "y", "verdict": "proved"}}
    where = card.shared([one, two, other])
    full, short = card.card(one, where).source, card.card(two, where).source
    assert "p p p" in full
    assert "s s s" in full.lower()
    assert "p p p" not in short
    assert "s s s" not in short.lower()
    assert short.count('to("claim:NEC-T1")') == 2
    assert 'to("claim:NEC-T1")' not in card.card(other, where).source
    assert 'badge("proved")' in short, "the verdict of the corrected form stands with each"


def test_the_hypotheses_of_a_witness_are_told_once():
    first = claim("NEC-T1", witness=found("p", g="2"))
    same = claim("NEC-T2", witness=found("p", g="2"))
    other = claim("NEC-T3", witness=found("p", g="2") | {"hypotheses": [{"text": "beta > 0", "holds": True}]})
    where = card.shared([first, same, other])
    assert "with the same hypotheses" in card._details(same, where).source
    assert "α > 0" not in card._details(same, where).source
    assert "Satisfies β > 0" in card._details(other, where).source


def test_a_witness_with_other_numbers_is_printed():
    first = claim("NEC-T1", witness=found("p", g="2"))
    second = claim("NEC-T2", witness=found("p", g="3"))
    assert "g = 3" in card._details(second, card.shared([first, second])).source


def test_every_kind_of_evidence_is_explained():
    """What a line "Evidence" can name stands in the legend, and nothing else does."""
    explained = re.findall(r"(?:^|[;.] )([a-z, ]+):", closing.LINES["Evidence"])
    named = {name for group in explained for name in group.split(", ")}
    assert named == {*get_args(Kind), "witness replayed", "claim cited"}
