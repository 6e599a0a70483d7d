"""What the subcommands print: one table for each kind of result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from methods.terminal.tables import Table
from toy_problems.captions import Picture, Sentence
from toy_problems.comparison import Comparison
from toy_problems.example1 import Story
from toy_problems.memory_term import MemoryRow
from toy_problems.overlay import Overlay
from toy_problems.rates import Rate

Columns = Sequence[tuple[str, Callable[[Any], str]]]
"""Each header with what stands under it, as a function of the row."""


def tables(found: Mapping[str, Any]) -> list[Table]:
    """The tables of a job's parts: one for all rows of a kind. Curves are in the JSON alone."""
    out, rows = [], {}
    for result in found.values():
        if isinstance(result, Story):
            out.append(_story(result))
        elif isinstance(result, list) and result:
            rows.setdefault(type(result[0]), []).extend(result)
    return out + [draw(rows[kind]) for kind, draw in _DRAW.items() if kind in rows]


def _table(title: str, columns: Columns, rows: Iterable[Any]) -> Table:
    out = Table(title, tuple(header for header, _ in columns))
    for row in rows:
        out.add_row(*(cell(row) for _, cell in columns))
    return out


def _yes(true: bool) -> str:
    return "yes" if true else "no"


def _story(story: Story) -> Table:
    columns: Columns = (
        ("operator", lambda ending: ending.operator),
        ("parameter", lambda ending: f"{ending.parameter:g}"),
        ("first step", lambda ending: f"{ending.first_step:.3g}"),
        (f"x after {story.rounds} rounds", lambda ending: f"{ending.last_x:.4g}"),
        ("stationary", lambda ending: f"{ending.predicted:g}"),
        ("stalls", lambda ending: _yes(ending.stalls)),
    )
    title = f"DP-SGD without noise on Example 1, from x⁰ = {story.x0:g}; the minimiser is {story.minimiser:g}"
    return _table(title, columns, (*story.clipping, *story.smoothed))


OVERLAY: Columns = (
    ("problem", lambda overlay: overlay.problem),
    ("bound", lambda overlay: overlay.bound),
    ("memory", lambda overlay: overlay.memory),
    ("measured", lambda overlay: f"{overlay.measured[-1]:.4g}"),
    ("bound at K", lambda overlay: f"{overlay.limit[-1]:.4g}"),
    ("√(2L gap)", lambda overlay: f"{overlay.without_running:.4g}"),
    ("largest measured/bound", lambda overlay: f"{overlay.tightness:.3f}"),
    ("crossed", lambda overlay: _yes(overlay.crossed)),
)
RATE: Columns = (
    ("schedule", lambda rate: rate.schedule),
    ("problem", lambda rate: rate.problem),
    ("start", lambda rate: f"{rate.start:.3g}"),
    ("reach", lambda rate: "" if rate.reach is None else f"{rate.reach[0]:.2g}"),
    ("printed", lambda rate: "none" if rate.exponent is None else f"{rate.exponent:.3f}"),
    ("slope", lambda rate: "at rounding" if rate.slope is None else f"{rate.slope:.3f}"),
    (
        "95% interval",
        lambda rate: "" if None in (rate.low, rate.high) else f"[{rate.low:.3f}, {rate.high:.3f}]",
    ),
    ("late", lambda rate: "" if rate.late is None else f"{rate.late:.3f}"),
    ("says", lambda rate: rate.judgement),
    ("measured/bound", lambda rate: "" if rate.largest_share is None else f"{rate.largest_share:.3g}"),
)
MEMORY: Columns = (
    ("problem", lambda row: row.problem),
    ("memories", lambda row: row.kind),
    ("R", lambda row: f"{row.R:.3g}"),
    ("bound", lambda row: f"{row.bound:.3g}"),
    ("measured min ‖∇f‖", lambda row: f"{row.measured:.3g}"),
    ("measured/bound", lambda row: f"{row.share:.2g}"),
    ("rounds to R/2", lambda row: "never" if row.halved is None else f"{row.halved:.1f}"),
)
COMPARISON: Columns = (
    ("heterogeneity", lambda row: f"{row.spread:g}"),
    ("method", lambda row: row.method),
    ("noise s", lambda row: f"{row.noise:g}"),
    ("best min ‖∇f‖", lambda row: f"{row.best:.3g}"),
    ("± s.e.", lambda row: f"{row.error:.1g}"),
    ("at γ", lambda row: f"{row.gamma:.3g}"),
    (
        "at Φ",
        lambda row: ("" if row.phi is None else f"{row.phi:.3g}") + (" (end of a grid)" if row.edge else ""),
    ),
    ("best last ‖∇f‖", lambda row: f"{row.last:.3g}"),
    ("start", lambda row: f"{row.start:.3g}"),
)
SENTENCE: Columns = (
    ("figure", lambda s: s.figure),
    ("sentence", lambda s: s.printed),
    ("rule", lambda s: s.rule),
    ("holds", lambda s: _yes(s.holds)),
    ("exceptions", lambda s: f"{len(s.exceptions)} of {s.cases}"),
    ("smallest", lambda s: f"{s.measured['smallest']:.5g}"),
    ("largest", lambda s: f"{s.measured['largest']:.5g}"),
)


def _pictures(found: list[Picture]) -> Table:
    """A sentence that has cases under some q alone has a dash under the others."""

    def name(s: Sentence) -> str:
        return f"{s.figure}: {s.printed[:38]}… [{s.rule[:22]}]"

    names = dict.fromkeys(name(s) for picture in found for s in picture.sentences)
    out = Table("The sentences under each q", ("q", *names))
    for picture in found:
        cells = {name(s): f"{_yes(s.holds)} ({len(s.exceptions)}/{s.cases})" for s in picture.sentences}
        out.add_row(f"{picture.q:g}", *(cells.get(column, "–") for column in names))
    return out


_DRAW: Mapping[type, Callable[[list[Any]], Table]] = {
    Overlay: lambda found: _table("Bounds over measured traces", OVERLAY, found),
    Rate: lambda found: _table("Decay of min ‖∇f‖ in K", RATE, found),
    MemoryRow: lambda found: _table(
        f"What the 2R of Theorem 1 does: one γ, {found[0].K} rounds", MEMORY, found
    ),
    Comparison: lambda found: _table("Methods at equal sensitivity", COMPARISON, found),
    Sentence: lambda found: _table("The captions' sentences", SENTENCE, found),
    Picture: _pictures,
}
