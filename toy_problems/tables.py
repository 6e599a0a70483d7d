"""What the subcommands print: one table for each kind of result."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from toy_problems.captions import Picture, Sentence
from toy_problems.comparison import Comparison
from toy_problems.example1 import Story
from toy_problems.overlay import Overlay
from toy_problems.rates import Rate


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column)
    return table


def table(part: str, result: Any) -> Table | None:
    """A table of a part's result; None where the result is a curve that only JSON carries."""
    if isinstance(result, Story):
        return _story(result)
    if isinstance(result, list) and result:
        for kind, draw in (
            (Overlay, _overlays),
            (Rate, _rates),
            (Comparison, _comparison),
            (Sentence, _sentences),
        ):
            if isinstance(result[0], kind):
                return draw(part, result)
        if isinstance(result[0], Picture):
            return _pictures(part, result)
    return None


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


def _overlays(part: str, found: list[Overlay]) -> Table:
    out = _table(
        part, "bound", "memory", "measured", "bound at K", "√(2L gap)", "largest measured/bound", "crossed"
    )
    for overlay in found:
        out.add_row(
            overlay.bound,
            overlay.memory,
            f"{overlay.measured[-1]:.4g}",
            f"{overlay.limit[-1]:.4g}",
            f"{overlay.without_running:.4g}",
            f"{overlay.tightness:.3f}",
            "yes" if overlay.crossed else "no",
        )
    return out


def _rates(part: str, found: list[Rate]) -> Table:
    out = _table(
        part, "printed exponent", "slope", "95% interval", "measured at last K", "2R", "measured/bound"
    )
    for rate in found:
        out.add_row(
            "none" if rate.exponent is None else f"{rate.exponent:.3f}",
            "at rounding" if rate.slope is None else f"{rate.slope:.3f}",
            "" if rate.low is None or rate.high is None else f"[{rate.low:.3f}, {rate.high:.3f}]",
            f"{rate.measured[-1]:.4g}",
            f"{rate.two_R[-1]:.4g}",
            "" if rate.largest_share is None else f"{rate.largest_share:.3g}",
        )
    return out


def _comparison(part: str, found: list[Comparison]) -> Table:
    out = _table(part, "method", "noise s", "best min ‖∇f‖", "± s.e.", "at γ", "best last ‖∇f‖", "start")
    for row in found:
        out.add_row(
            row.method,
            f"{row.noise:g}",
            f"{row.best:.3g}",
            f"{row.error:.1g}",
            f"{row.gamma:.3g}" + (" (end of grid)" if row.edge else ""),
            f"{row.last:.3g}",
            f"{row.start:.3g}",
        )
    return out


def _sentences(part: str, found: list[Sentence]) -> Table:
    out = _table(part, "figure", "sentence", "rule", "holds", "exceptions", "smallest", "largest")
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


def _pictures(part: str, found: list[Picture]) -> Table:
    names = [f"{s.figure}: {s.printed[:38]}… [{s.rule[:22]}]" for s in found[0].sentences]
    out = _table(part, "q", *names)
    for picture in found:
        cells = [f"{'yes' if s.holds else 'no'} ({len(s.exceptions)}/{s.cases})" for s in picture.sentences]
        out.add_row(f"{picture.q:g}", *cells)
    return out
