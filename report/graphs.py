"""A proof as a picture: its steps from top to bottom, with an arc from each step to the steps that use it.

Hypotheses, definitions and textbook results are numbered above the steps instead of being drawn as nodes:
nearly every step uses several of them, and their arrows would hide the proof. Each step ends with the
numbers of those that it uses. The sign before a step carries its status.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from report.typst import Markup, call, formula, string

GIVEN = "given"
SIGNS: Mapping[str, str] = {"proved": "circle", "refuted": "cross"}
OPEN = "square"


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


def proof_graph(nodes: Sequence[Node], caption: Markup) -> Markup:
    """The graph, set by `proof` of style.typ; it grows downwards with the text of its steps."""
    steps = ordered(nodes)
    given = {node.name: index + 1 for index, node in enumerate(n for n in nodes if n.status == GIVEN)}
    place = {node.name: index for index, node in enumerate(steps)}
    legend = [f"[h{index}:~{formula(name)}]" for name, index in given.items()]
    rows = []
    for node in steps:
        used = ", ".join(f"h{given[use]}" for use in node.uses if use in given)
        body = formula(node.name) + (call("premises", body=used) if used else Markup(""))
        arcs = "".join(f"{place[use]}, " for use in node.uses if use in place)
        rows.append(f"(sign: {string(SIGNS.get(node.status, OPEN))}, uses: ({arcs}), body: [{body}])")
    return Markup(f"#proof(given: ({', '.join([*legend, ''])}), {', '.join(rows)})[{caption}];")
