"""Deciding many claims, in parallel processes, in the order of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from methods.terminal.processes import each
from verify.catalogue import claim, claims, readings
from verify.obligation import Settings
from verify.results import entry
from verify.verdict import establish


def decide(
    identifiers: Sequence[str],
    settings: Settings,
    jobs: int = 1,
    progress: Callable[[dict[str, Any]], None] = lambda _: None,
) -> list[dict[str, Any]]:
    """JSON entries of the claims, in the order given. `progress` is called with each entry as it is decided.

    An interrupt ends the workers.
    """
    if jobs <= 1 or len(identifiers) == 1:
        entries = {}
        for identifier in identifiers:
            entries[identifier] = _decide_one(identifier, settings)
            progress(entries[identifier])
        return [entries[identifier] for identifier in identifiers]
    entries = {}
    for index, found in each(_decide_one, [(identifier, settings) for identifier in identifiers], jobs):
        entries[identifiers[index]] = found
        progress(found)
    return [entries[identifier] for identifier in identifiers]


def select(paper: str | None, wanted: Sequence[str]) -> list[str]:
    """Ids to decide: all, those of a paper, or those named (an id also selects its readings `ID@…`)."""
    if wanted:
        return list(dict.fromkeys(found for identifier in wanted for found in readings(identifier)))
    return [i for i, c in claims().items() if paper is None or c.paper == paper]


def _decide_one(identifier: str, settings: Settings) -> dict[str, Any]:
    return entry(establish(claim(identifier), settings))
