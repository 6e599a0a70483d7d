"""A proof as a picture: obligations as boxes, from what is given (left) to the theorem (right).

The layer of a node is the longest way from a node without premises; within a layer nodes stand near their
premises (one barycentre sweep). Frames carry the status: solid proved, filled black refuted, dashed
everything else.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from report.plots import draw

FRAMES: Mapping[str, dict[str, Any]] = {
    "proved": {"linestyle": "-", "facecolor": "white"},
    "given": {"linestyle": ":", "facecolor": "white"},
    "refuted": {"linestyle": "-", "facecolor": "#222222"},
}
OTHER: dict[str, Any] = {"linestyle": (0, (3, 2)), "facecolor": "#eeeeee"}


@dataclass(frozen=True)
class Node:
    """One obligation: its name, its status, and the names of the nodes that it rests on."""

    name: str
    status: str
    uses: tuple[str, ...] = ()


def layers(nodes: Sequence[Node]) -> list[list[Node]]:
    """Nodes by depth. Names in `uses` that are no node are left out. Raises `ValueError` for a circle of
    premises."""
    known = {node.name: node for node in nodes}
    depth: dict[str, int] = {}

    def visit(name: str, path: tuple[str, ...]) -> int:
        if name in path:
            raise ValueError(
                f"a proof that rests on itself: {' -> '.join([*path[path.index(name) :], name])}"
            )
        if name not in depth:
            premises = [use for use in known[name].uses if use in known]
            depth[name] = 1 + max((visit(use, (*path, name)) for use in premises), default=-1)
        return depth[name]

    for node in nodes:
        visit(node.name, ())
    out: list[list[Node]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for node in nodes:
        out[depth[node.name]].append(node)
    place: dict[str, float] = {}
    for layer in out:
        order = {node.name: index for index, node in enumerate(layer)}
        layer.sort(key=lambda node: (_centre(node, place, order[node.name]), order[node.name]))
        place |= {node.name: (index + 0.5) / len(layer) for index, node in enumerate(layer)}
    return out


def _centre(node: Node, place: Mapping[str, float], fallback: float) -> float:
    values = [place[use] for use in node.uses if use in place]
    return sum(values) / len(values) if values else fallback


def proof_graph(nodes: Sequence[Node], width: float = 6.6) -> bytes:
    """The graph as SVG; boxes are as high as their text needs."""
    columns = layers(nodes)
    characters = max(14, int(108 / max(1, len(columns))))
    texts = {node.name: textwrap.wrap(node.name, characters)[:4] for node in nodes}
    line = 0.135
    heights = [[line * len(texts[node.name]) + 0.16 for node in column] for column in columns]
    height = max((sum(h) + 0.12 * len(h) for h in heights), default=0.3)
    step = width / max(1, len(columns))
    box = step * 0.8

    def paint(axes: Axes) -> None:
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.axis("off")
        position: dict[str, tuple[float, float]] = {}
        for number, (column, sizes) in enumerate(zip(columns, heights, strict=True)):
            gap = (height - sum(sizes)) / (len(sizes) + 1)
            y = gap
            for node, size in zip(column, sizes, strict=True):
                x = number * step + 0.05
                _box(axes, x, y, box, size, texts[node.name], node.status)
                position[node.name] = (x, y + size / 2)
                y += size + gap
        for node in nodes:
            for use in node.uses:
                if use in position:
                    _arrow(axes, (position[use][0] + box, position[use][1]), position[node.name])

    return draw(paint, size=(width, max(0.5, height)))


def _box(axes: Axes, x: float, y: float, w: float, h: float, lines: Sequence[str], status: str) -> None:
    frame = FRAMES.get(status, OTHER)
    axes.add_patch(
        FancyBboxPatch(
            (x, y), w, h, boxstyle="round,pad=0,rounding_size=0.04", edgecolor="#111111", lw=0.7, **frame
        )
    )
    colour = "white" if status == "refuted" else "#111111"
    axes.text(x + w / 2, y + h / 2, "\n".join(lines), ha="center", va="center", fontsize=5.6, color=colour)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    axes.add_patch(
        FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=5, lw=0.5, color="#444444", shrinkA=0, shrinkB=0
        )
    )
