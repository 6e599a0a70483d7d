"""False statements as claims, and that the engine refuses them."""

from __future__ import annotations

from verify.claim import Claim
from verify.facts import Fact
from verify.proof import Node, Proof
from verify.verdict import establish


def claim(given: tuple[Fact, ...], *nodes: Node) -> Claim:
    return Claim(
        "NEC-TEST", "alpha-normec", "nowhere", "lemma", "", "", proof=Proof(given, nodes), undecided="u"
    )


def refused(why: str, given: tuple[Fact, ...], *nodes: Node) -> None:
    """The claim is not decided, and a failure says `why`."""
    found = establish(claim(given, *nodes))
    assert found.verdict == "unknown"
    assert any(why in failure for failure in found.failures), found.failures
