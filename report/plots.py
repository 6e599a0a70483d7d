"""Vector figures: same data, same bytes; readable without colour.

Lines differ in dash and marker. `draw` makes a figure under the report's style and closes it; no global state of
matplotlib is left changed.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

PALETTE = ("#111111", "#0b62a4", "#b3400b", "#3c7a1f", "#7b3294", "#8a6d00", "#b01657", "#5b6770")
DASHES: Sequence[Any] = (
    "-", "--", "-.", ":", (0, (6, 1.5, 1, 1.5, 1, 1.5)), (0, (1, 3)), (0, (9, 2)), (0, (3, 1, 1, 1)),
)  # fmt: skip
MARKERS = ("o", "s", "^", "D", "v", "x", "P", "*")

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "normec",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.2,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.4,
    "path.simplify": True,
    "axes.prop_cycle": cycler(color=PALETTE) + cycler(linestyle=DASHES) + cycler(marker=MARKERS),
}


def draw(
    paint: Callable[..., None],
    *,
    size: tuple[float, float] = (6.3, 2.6),
    rows: int = 1,
    columns: int = 1,
    share_x: bool = False,
    share_y: bool = False,
    tight: bool = False,
) -> bytes:
    """Call `paint(*axes)` on a fresh figure of `size` inches and return it as SVG bytes (no date, fixed
    ids). tight: the axes fill the figure."""
    with mpl.rc_context(STYLE):
        canvas_figure = Figure(figsize=size, layout=None if tight else "constrained")
        FigureCanvasSVG(canvas_figure)
        if tight:
            canvas_figure.subplots_adjust(left=0, right=1, bottom=0, top=1)
        axes = canvas_figure.subplots(rows, columns, squeeze=False, sharex=share_x, sharey=share_y)
        paint(*axes.ravel())
        _quiet_minor_ticks(axes.ravel())
        buffer = io.BytesIO()
        canvas_figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def _quiet_minor_ticks(axes: Iterable[Axes]) -> None:
    """Labels of a logarithmic axis that do not overlap: powers of ten alone where it shows two or more of them, else
    plain numbers at a few round places."""
    for place in axes:
        for axis, limits in ((place.xaxis, place.get_xlim()), (place.yaxis, place.get_ylim())):
            low, high = sorted(limits)
            if axis.get_scale() != "log" or low <= 0 or getattr(axis.get_transform(), "base", 10) != 10:
                continue
            axis.set_minor_formatter(NullFormatter())
            if math.floor(math.log10(high)) - math.ceil(math.log10(low)) < 1:
                narrow = high / low < 6
                axis.set_major_locator(MaxNLocator(4) if narrow else LogLocator(subs=(1, 2, 5)))
                axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
                axis.set_minor_locator(NullLocator())


def legend_below(axes: Sequence[Any], columns: int) -> None:
    """One legend for all panels, under them."""
    lines = {line.get_label(): line for place in axes for line in place.get_lines()}
    named = {label: line for label, line in lines.items() if not str(label).startswith("_")}
    axes[0].figure.legend(named.values(), named.keys(), fontsize=6, loc="outside lower center", ncols=columns)


def every(length: int, marks: int = 8, offset: int = 0) -> tuple[int, int]:
    """A `markevery` that leaves about `marks` markers on a line of `length` points."""
    step = max(1, length // marks)
    return (offset % step, step)


def style(index: int) -> dict[str, Any]:
    """Colour, dash and marker of the `index`-th line, for plots that draw many lines of the same kind."""
    return {
        "color": PALETTE[index % len(PALETTE)],
        "linestyle": DASHES[index % len(DASHES)],
        "marker": MARKERS[index % len(MARKERS)],
    }


def heat_map(
    axes: Axes,
    values: Sequence[Sequence[float | None]],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    low: float,
    high: float,
    notation: Callable[[float | None], str],
) -> None:
    """Cells shaded from white (low) to dark grey (high) with the number written in each; None is hatched."""
    from matplotlib.patches import Rectangle

    span = (high - low) or 1.0
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            level = 0.0 if value is None else min(1.0, max(0.0, (value - low) / span))
            grey = str(1 - 0.75 * level)
            axes.add_patch(
                Rectangle(
                    (j, i),
                    1,
                    1,
                    facecolor=grey,
                    edgecolor="#999999" if value is None else "white",
                    hatch="///" if value is None else None,
                    lw=0.5,
                )
            )
            axes.text(j + 0.5, i + 0.5, notation(value), ha="center", va="center", fontsize=6.5,
                      color="white" if level > 0.55 else "black")  # fmt: skip
    axes.set(xlim=(0, len(column_labels)), ylim=(len(row_labels), 0))
    axes.set_xticks([j + 0.5 for j in range(len(column_labels))], list(column_labels))
    axes.set_yticks([i + 0.5 for i in range(len(row_labels))], list(row_labels))
    axes.tick_params(length=0)
    axes.grid(False)
