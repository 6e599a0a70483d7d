"""One test a claim: everything that the claim offers as evidence must stand, and a verdict must follow from it."""

from collections import Counter

import pytest

from verify.catalogue import claim, claims
from verify.obligation import Settings
from verify.verdict import establish


@pytest.mark.parametrize("identifier", claims())
def test_claim(identifier: str, verdict_counts: Counter) -> None:
    finding = establish(claim(identifier), Settings(minimise=False))
    verdict_counts[finding.verdict] += 1
    assert not finding.failures, "\n".join((f"{identifier} ({finding.verdict})", *finding.failures))
    if finding.verdict == "unknown":
        assert finding.claim.undecided
