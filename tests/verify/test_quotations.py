"""What claims call printed stands in the papers (`quotations` says how the two are compared), and a changed quotation is noticed."""

from __future__ import annotations

import pytest

from quotations import TORN, missing, quoted
from verify.catalogue import claim, claims

PRINTED = [c for c in claims().values() if c.kind != "ours" and quoted(c.paper, c.printed)]


@pytest.mark.parametrize("claim", PRINTED, ids=lambda c: c.id)
def test_quotation_stands_in_the_paper(claim) -> None:
    assert missing(claim.paper, claim.printed) == []


def test_every_claim_is_compared() -> None:
    """But those of α-NormEC without a run of words, and the one that speaks of all formulas and quotes none."""
    left = [c.id for c in claims().values() if c.kind != "ours" and c.paper != TORN and c not in PRINTED]
    assert left == ["DAS-T4-UNITS"]


@pytest.mark.parametrize(
    ("identifier", "printed", "other"),
    [
        ("FED-L9-2-S3", "γL(1/N)", "γ(1/N)"),
        ("FED-L7-3-S1", "x_i^{k,j}‖ =", "x_i^{k,l}‖ ="),
        ("FED-L2-S3", "≤", "="),
        ("DAS-S4-DEGREE", "leads to worse", "leads to better"),
        ("DAS-T6-S13", "η²C²", "η²C"),
        ("NEC-S35-NOISE", "accumulated", "added"),
        ("NEC-S7-STRONGER", "due to", "because of"),
    ],
)
def test_a_change_is_noticed(identifier: str, printed: str, other: str) -> None:
    quotation = claim(identifier)
    changed = quotation.printed.replace(printed, other)
    assert changed != quotation.printed
    assert missing(quotation.paper, changed)
