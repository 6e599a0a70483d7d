"""What the subcommands print: one table for each kind of result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from methods.tables import Table
from toy_problems.captions import Picture, Sentence
from toy_problems.comparison import Comparison
from toy_problems.example1 import Story
from toy_problems.memory_term import MemoryRow
from toy_problems.overlay import Overlay
from toy_problems.rates import Rate


def _table(title: str, *columns: str) -> Table:
    return Table(title, columns)


def tables(found: Mapping[str, Any]) -> list[Table]:
    """The tables of a job's parts: one for all rows of a kind. Curves are in the JSON alone."""
    out, rows = [], {}
    for result in found.values():
        if isinstance(result, Story):
            out.append(_story(result))
        elif isinstance(result, list) and result:
            rows.setdefault(type(result[0]), []).extend(result)
    return out + [draw(rows[kind]) for kind, draw in _DRAW.items() if kind in rows]


def _story(story: Story) -> Table:
    title = f"DP-SGD without noise on Example 1, from x⁰ = {story.x0:g}; the minimiser is {story.minimiser:g}"
    out = _table(
        title, "operator", "parameter", "first step", f"x after {story.rounds} rounds", "stationary", "stalls"
    )
    for ending in (*story.clipping, *story.smoothed):
        out.add_row(
            ending.operator,
            f"{ending.parameter:g}",
            f"{ending.first_step:.3g}",
            f"{ending.last_x:.4g}",
            f"{ending.predicted:g}",
            "yes" if ending.stalls else "no",
        )
    return out


def _overlays(found: list[Overlay]) -> Table:
    out = _table(
        "Bounds over measured traces",
        "problem",
        "bound",
        "memory",
        "measured",
        "bound at K",
        "√(2L gap)",
        "largest measured/bound",
        "crossed",
    )
    for overlay in found:
        out.add_row(
            overlay.problem,
            overlay.bound,
            overlay.memory,
            f"{overlay.measured[-1]:.4g}",
            f"{overlay.limit[-1]:.4g}",
            f"{overlay.without_running:.4g}",
            f"{overlay.tightness:.3f}",
            "yes" if overlay.crossed else "no",
        )
    return out


def _rates(found: list[Rate]) -> Table:
    out = _table(
        "Decay of min ‖∇f‖ in K",
        "schedule",
        "problem",
        "start",
        "reach",
        "printed",
        "slope",
        "95% interval",
        "late",
        "says",
        "measured/bound",
    )
    for rate in found:
        out.add_row(
            rate.schedule,
            rate.problem,
            f"{rate.start:.3g}",
            "" if rate.reach is None else f"{rate.reach[0]:.2g}",
            "none" if rate.exponent is None else f"{rate.exponent:.3f}",
            "at rounding" if rate.slope is None else f"{rate.slope:.3f}",
            "" if rate.low is None or rate.high is None else f"[{rate.low:.3f}, {rate.high:.3f}]",
            "" if rate.late is None else f"{rate.late:.3f}",
            rate.judgement,
            "" if rate.largest_share is None else f"{rate.largest_share:.3g}",
        )
    return out


def _memory(found: list[MemoryRow]) -> Table:
    out = _table(
        f"What the 2R of Theorem 1 does: one γ, {found[0].K} rounds",
        "problem",
        "memories",
        "R",
        "bound",
        "measured min ‖∇f‖",
        "measured/bound",
        "rounds to R/2",
    )
    for row in found:
        out.add_row(
            row.problem,
            row.kind,
            f"{row.R:.3g}",
            f"{row.bound:.3g}",
            f"{row.measured:.3g}",
            f"{row.share:.2g}",
            "never" if row.halved is None else f"{row.halved:.1f}",
        )
    return out


def _comparison(found: list[Comparison]) -> Table:
    out = _table(
        "Methods at equal sensitivity",
        "heterogeneity",
        "method",
        "noise s",
        "best min ‖∇f‖",
        "± s.e.",
        "at γ",
        "best last ‖∇f‖",
        "start",
    )
    for row in found:
        out.add_row(
            f"{row.spread:g}",
            row.method,
            f"{row.noise:g}",
            f"{row.best:.3g}",
            f"{row.error:.1g}",
            f"{row.gamma:.3g}" + (" (end of grid)" if row.edge else ""),
            f"{row.last:.3g}",
            f"{row.start:.3g}",
        )
    return out


def _sentences(found: list[Sentence]) -> Table:
    out = _table(
        "The captions' sentences", "figure", "sentence", "rule", "holds", "exceptions", "smallest", "largest"
    )
    for s in found:
        out.add_row(
            s.figure,
            s.printed,
            s.rule,
            "yes" if s.holds else "no",
            f"{len(s.exceptions)} of {s.cases}",
            f"{s.measured['smallest']:.5g}",
            f"{s.measured['largest']:.5g}",
        )
    return out


def _pictures(found: list[Picture]) -> Table:
    names = [f"{s.figure}: {s.printed[:38]}… [{s.rule[:22]}]" for s in found[0].sentences]
    out = _table("The sentences under each q", "q", *names)
    for picture in found:
        cells = [f"{'yes' if s.holds else 'no'} ({len(s.exceptions)}/{s.cases})" for s in picture.sentences]
        out.add_row(f"{picture.q:g}", *cells)
    return out


_DRAW = {
    Overlay: _overlays,
    Rate: _rates,
    MemoryRow: _memory,
    Comparison: _comparison,
    Sentence: _sentences,
    Picture: _pictures,
}
