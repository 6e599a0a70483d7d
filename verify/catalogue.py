"""The catalogue: every claim, by id. Each paper's folder names its own; nothing registers itself on import."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from methods.terminal.console import command_of, near
from verify.claim import Claim

FOLDERS = {
    "alpha_normec": ("NEC-",),
    "fed_alpha_normec": ("FED-",),
    "dp_normfedavg": ("DAS-",),
    "privacy": ("NEC-", "FED-", "DAS-"),
}
"""Packages that hold claims, each in a tuple `CLAIMS` of its module `claims`, and how their ids begin: to build a paper's statements
takes seconds, which a question about another one need not wait for."""


STATED = ("theorem", "corollary", "lemma")
"""Kinds of claims that are looked for first."""


class UnknownClaim(KeyError):
    """No claim has that id."""

    def __str__(self) -> str:
        return self.args[0]


def claims() -> dict[str, Claim]:
    """Every claim by id, in the order of the papers."""
    return held(tuple(FOLDERS))


def claim(identifier: str) -> Claim:
    """The claim with that id; raises `UnknownClaim` naming the nearest ids."""
    found = _around(identifier).get(identifier)
    if found is None:
        stated = sorted(claims(), key=lambda one: claims()[one].kind not in STATED)
        raise UnknownClaim(
            f"no claim has the id {identifier!r}{near(identifier, stated)}; {command_of('verify')} --list names them all"
        )
    return found


def readings(identifier: str) -> list[str]:
    """The id and those of its readings, `ID@…`. Raises `UnknownClaim`."""
    found = [i for i in _around(identifier) if i == identifier or i.startswith(f"{identifier}@")]
    return found or [claim(identifier).id]


def _around(identifier: str) -> dict[str, Claim]:
    """The claims of the folders in which an id that begins like this one can stand."""
    return held(tuple(folder for folder, begin in FOLDERS.items() if identifier.startswith(begin)))


@cache
def held(folders: tuple[str, ...]) -> dict[str, Claim]:
    """The claims of these folders by id. Raises `ValueError` where two have one id or one stands in the wrong folder."""
    found: dict[str, Claim] = {}
    for folder in folders:
        for claim in import_module(f"verify.{folder}.claims").CLAIMS:
            if claim.id in found:
                raise ValueError(f"two claims have the id {claim.id}")
            if not claim.id.startswith(FOLDERS[folder]):
                raise ValueError(
                    f"{claim.id} cannot stand in {folder}: ids begin with {FOLDERS[folder]} there"
                )
            found[claim.id] = claim
    return found
