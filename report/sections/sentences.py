"""What the papers say of their runs in words, asked of ours."""

from __future__ import annotations

from gpu_benchmarks.orders import OPPOSITE
from gpu_benchmarks.sentences import APART, OPEN, counted
from report.sections.fashion import Rows
from report.typst import Markup, escape, formula, heading, hundredths, paragraph, strong, table


def comparisons(found: Rows) -> Markup:
    """Each comparison that has runs on both sides, then the claims of those that have not."""
    if not found:
        return Markup("")
    asked = [answer for answer in found if answer["standing"] != OPEN]
    silent = list(dict.fromkeys(answer["id"] for answer in found if answer["standing"] == OPEN))
    body = heading("What the papers say of their runs in words", 3) + paragraph(
        "Settings that the papers compare in words, the better one first, in our full runs under the readings that are used for the ",
        "printed numbers. Where cells of the grid that is tuned over are missing, ours is the best so far. “Seeds make” is how ",
        "far seeds alone may move the difference of two, with z and the least deviation of the rule; no more than that is ",
        "“too close to tell”, or, where the paper says that settings do as well, as it says. These are no verdicts: the rule is ",
        f"for numbers. Of all comparisons: {counted(answer['standing'] for answer in found)}.",
    )
    cells = [
        [
            strong(answer["id"]),
            escape(f"{answer['asked']} ({answer['metric']})"),
            formula(answer["told"]),
            f"± {hundredths(answer['reach'])}" if answer["reach"] else "–",
            "{} of {}".format(*answer["cells"]),
            strong(answer["standing"]) if answer["standing"] in (OPPOSITE, APART) else answer["standing"],
        ]
        for answer in asked
    ]
    if cells:
        body += table(
            ["claim", "asked", "ours", "seeds make", "cells", "as it stands"],
            cells,
            widths=["auto", "1.8fr", "1fr", "auto", "auto", "auto"],
            align=["left", "left", "left", "right", "left", "left"],
            size="7.6pt",
        )
    if silent:
        body += paragraph(f"Of these claims some comparisons lack a side, or all do: {', '.join(silent)}.")
    return body
