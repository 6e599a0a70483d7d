"""One test a claim: everything that the claim offers as evidence must stand, and a verdict must follow from it."""

from collections.abc import Callable

import pytest

from verify.catalogue import claim, claims
from verify.obligation import Settings
from verify.verdict import establish


@pytest.mark.parametrize("identifier", claims())
def test_claim(identifier: str, record_property: Callable[[str, str], None]) -> None:
    finding = establish(claim(identifier), Settings(minimise=False))
    record_property("verdict", finding.verdict)
    assert not finding.failures, "\n".join((f"{identifier} ({finding.verdict})", *finding.failures))
    if finding.verdict == "unknown":
        assert finding.claim.undecided
