"""Deciding many claims, in parallel processes, in the order of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import starmap
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
    tasks = [(identifier, settings) for identifier in identifiers]
    here = jobs <= 1 or len(tasks) == 1
    found = enumerate(starmap(_decide_one, tasks)) if here else each(_decide_one, tasks, jobs)
    entries = {}
    for index, decided in found:
        entries[index] = decided
        progress(decided)
    return [entries[index] for index in range(len(tasks))]


def select(paper: str | None, wanted: Sequence[str]) -> list[str]:
    """Ids to decide: all, those of a paper, or those named (an id also selects its readings `ID@…`)."""
    if wanted:
        return list(dict.fromkeys(found for identifier in wanted for found in readings(identifier)))
    return [i for i, c in claims().items() if paper is None or c.paper == paper]


def _decide_one(identifier: str, settings: Settings) -> dict[str, Any]:
    return entry(establish(claim(identifier), settings))
