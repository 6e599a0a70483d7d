"""A chapter made of parts, each from one result: a part whose result is missing says "not run"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from report.section import Available, NotRun, Results, Section
from report.typst import Markup, badge, call, code, formula, heading, paragraph

Built = tuple[Markup, dict[str, bytes], list[str]]
"""What a part comes to: its markup, its figures, and what is lacking."""


@dataclass(frozen=True)
class Part:
    """name: of the result. title: of the part. build: the result as it is shown."""

    name: str
    title: str
    build: Callable[[Available], Built]


def not_run(result: NotRun) -> Markup:
    """That a result is not there, why, and what would bring it."""
    return paragraph(badge("not run"), f" {result.reason}. {result.cure}")


def chapter(
    title: str,
    parts: Sequence[Part],
    results: Results,
    lead: Markup | None = None,
    own_page: bool = False,
) -> Section:
    """All parts in order, after what stands before; figures of different parts must have different names."""
    body, figures, missing = lead or Markup(""), {}, []
    for part in parts:
        result = results[part.name]
        body += heading(part.title)
        if isinstance(result, NotRun):
            missing.append(part.title)
            body += not_run(result)
            continue
        built, drawn, lacking = part.build(result)
        if twice := figures.keys() & drawn.keys():
            raise ValueError(f"{title}: figures {sorted(twice)} are drawn twice")
        body += (
            call(
                "block",
                "sticky: true",
                body=call("text", "size: 8.6pt", body=formula("By itself: ") + code(result.origin)),
            )
            + Markup("\n\n")
            + built
        )
        figures |= drawn
        missing += lacking
    return Section(title, body, figures, tuple(missing), own_page)
