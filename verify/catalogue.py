"""The catalogue: every claim, by id. Each paper's folder names its own; nothing registers itself on import."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from methods.console import near
from verify.claim import Claim

FOLDERS = ("alpha_normec", "fed_alpha_normec", "dp_normfedavg", "privacy")
"""Packages that hold claims: each has a module `claims` with a tuple `CLAIMS`."""


class UnknownClaim(KeyError):
    """No claim has that id."""

    def __str__(self) -> str:
        return self.args[0]


@cache
def claims() -> dict[str, Claim]:
    """Every claim by id, in the order of the papers."""
    found: dict[str, Claim] = {}
    for folder in FOLDERS:
        for claim in import_module(f"verify.{folder}.claims").CLAIMS:
            if claim.id in found:
                raise ValueError(f"two claims have the id {claim.id}")
            found[claim.id] = claim
    return found


def claim(identifier: str) -> Claim:
    """The claim with that id; raises `UnknownClaim` naming the nearest ids."""
    everything = claims()
    if identifier not in everything:
        raise UnknownClaim(f"no claim has the id {identifier!r}{near(identifier, everything)}")
    return everything[identifier]
