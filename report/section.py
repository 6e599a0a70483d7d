"""What a section of the report is, and what it is built from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from report.typst import Markup


@dataclass(frozen=True)
class Available:
    """A result that the report can show.

    value: plain data (what JSON can hold). origin: where it came from, in words that a reader can follow (a
    command or a file). seconds: how long it took to compute, None where it was read.
    """

    value: Any
    origin: str
    seconds: float | None = None


@dataclass(frozen=True)
class NotRun:
    """A result that is not there. `reason` says why; `cure` is the command or setting that would bring it."""

    reason: str
    cure: str = ""


Result = Available | NotRun
Results = Mapping[str, Result]


@dataclass(frozen=True)
class Section:
    """One chapter of the PDF: its title, its Typst markup, its figures (name -> SVG bytes).

    missing: what this section would show but was not run, one phrase each; page one collects them. own_page: whether it
    begins on a page of its own.
    """

    title: str
    body: Markup
    figures: Mapping[str, bytes] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    own_page: bool = True
