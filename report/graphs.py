"""A proof as a picture: its steps from top to bottom, with an arc from each step to the steps that use it.

Hypotheses, definitions and textbook results are numbered below the picture's first line instead of being
drawn as nodes: nearly every step uses several of them, and their arrows would hide the proof. Each step
ends with the numbers of those that it uses. The sign before a step carries its status.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Arc, Polygon

from report.plots import draw

GIVEN = "given"
SIGNS: Mapping[str, tuple[str, str]] = {"proved": ("o", "white"), "refuted": ("X", "#111111")}
OPEN = ("s", "#bbbbbb")
LINE = 0.102
CHARACTERS = 150


@dataclass(frozen=True)
class Node:
    """One obligation: its name, its status, and the names of the nodes that it rests on."""

    name: str
    status: str
    uses: tuple[str, ...] = ()


def ordered(nodes: Sequence[Node]) -> list[Node]:
    """The steps (nodes that are not given), each after all that it uses, otherwise in the order given.

    Raises `ValueError` for a circle of premises.
    """
    known = {node.name: node for node in nodes if node.status != GIVEN}
    out: dict[str, Node] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise ValueError(
                f"a proof that rests on itself: {' -> '.join([*path[path.index(name) :], name])}"
            )
        if name not in out:
            for use in known[name].uses:
                if use in known:
                    visit(use, (*path, name))
            out[name] = known[name]

    for name in known:
        visit(name, ())
    return list(out.values())


def proof_graph(nodes: Sequence[Node], width: float = 6.8) -> bytes:
    """The graph as SVG; it grows downwards with the text of its steps."""
    steps = ordered(nodes)
    given = {node.name: index + 1 for index, node in enumerate(n for n in nodes if n.status == GIVEN)}
    legend = _lines("     ".join(f"h{index}: {name}" for name, index in given.items()))
    texts = []
    for node in steps:
        used = [f"h{given[use]}" for use in node.uses if use in given]
        texts.append(_lines(node.name + (f"  [{', '.join(used)}]" if used else "")))
    place = {node.name: index for index, node in enumerate(steps)}
    reach = max((place[n.name] - place[u] for n in steps for u in n.uses if u in place), default=1)
    left = min(1.1, 0.28 + 0.1 * reach)
    top = LINE * len(legend) + 0.08 if given else 0.0
    centres, y = [], top + 0.1
    for text in texts:
        centres.append(y + LINE * len(text) / 2)
        y += LINE * len(text) + 0.05
    height = y

    def paint(axes: Axes) -> None:
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.axis("off")
        axes.text(0.02, 0.02, "\n".join(legend), va="top", fontsize=5.8)
        for node, text, centre in zip(steps, texts, centres, strict=True):
            marker, fill = SIGNS.get(node.status, OPEN)
            axes.plot([left], [centre], marker=marker, ms=5, mfc=fill, mec="#111111", mew=0.8, ls="none")
            axes.text(left + 0.12, centre, "\n".join(text), va="center", fontsize=6.2)
            for use in node.uses:
                if use in place:
                    _arc(axes, left, centres[place[use]], centre, left - 0.1)

    return draw(paint, size=(width, max(0.4, height)), tight=True)


def _lines(text: str) -> list[str]:
    return textwrap.wrap(text, CHARACTERS, subsequent_indent="   ") or [""]


def _arc(axes: Axes, x: float, start: float, end: float, deepest: float) -> None:
    """An arc to the left from the step that is used, with its head at the step that uses it."""
    depth = min(deepest, 0.12 + 0.12 * (end - start))
    x -= 0.06
    axes.add_patch(
        Arc((x, (start + end) / 2), 2 * depth, end - start, theta1=90, theta2=270, lw=0.6, color="#333333")
    )
    axes.add_patch(
        Polygon([(x, end), (x - 0.06, end - 0.028), (x - 0.06, end + 0.012)], color="#333333", lw=0)
    )
