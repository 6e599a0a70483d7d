"""A proof as a picture: its steps from top to bottom, each with its number and the numbers of what it uses.

Arcs join a step to the near ones that use it; those over many lines would hide the proof. Hypotheses, definitions and
textbook results are numbered apart. What two proofs of a chapter share, down to its own premises, has one number and is
printed once. The sign before a step carries its status.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from report.typst import Markup, call, formula, join, string

GIVEN = "given"
SIGNS: Mapping[str, str] = {"proved": "circle", "refuted": "cross"}
OPEN = "square"
NEAR = 6
"""Lines that an arc may span."""

Key = tuple[str, str, frozenset["Key"]]
"""A step with all that it rests on: its name, its status, and the keys of what it uses."""


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


@dataclass
class Printed:
    """What the proofs of a chapter have printed so far: hypotheses by name, and each step with its number and where it
    stands."""

    given: dict[str, int] = field(default_factory=dict)
    steps: dict[Key, tuple[int, Markup]] = field(default_factory=dict)


def proof_graph(nodes: Sequence[Node], caption: Markup, owner: Markup, printed: Printed) -> Markup:
    """The graph, set by `proof` of style.typ; it grows downwards with the text of its steps.

    owner: what later proofs call this one by. printed: is added to.
    """
    keys: dict[str, Key] = {
        node.name: (node.name, GIVEN, frozenset()) for node in nodes if node.status == GIVEN
    }
    for name in keys:
        printed.given.setdefault(name, len(printed.given) + 1)
    steps, own, shared = ordered(nodes), {}, {}
    for node in steps:
        key = keys[node.name] = (node.name, node.status, frozenset(keys[use] for use in node.uses))
        if key in printed.steps:
            number, other = printed.steps[key]
            shared.setdefault(other, []).append(number)
        else:
            own[node.name] = len(own)
            printed.steps[key] = (len(printed.steps) + 1, owner)
    numbers = {node.name: printed.steps[keys[node.name]][0] for node in steps}
    lead = [
        formula(f"step{'s' if len(found) > 1 else ''} {ranges(found)} of ") + other
        for other, found in shared.items()
    ]
    if not own:
        lead.append(formula(f"the last is {numbers[steps[-1].name]}"))
    rows = []
    for node in (node for node in steps if node.name in own):
        used = ", ".join(
            filter(None, (ranges([numbers[use] for use in node.uses if use in numbers]),
                          ranges([printed.given[use] for use in node.uses if use in printed.given
                                  and use not in numbers], "h")))
        )  # fmt: skip
        body = formula(node.name) + (call("premises", body=used) if used else Markup(""))
        place = own[node.name]
        arcs = "".join(f"{own[use]}, " for use in node.uses if place - own.get(use, -NEAR - 1) <= NEAR)
        sign = string(SIGNS.get(node.status, OPEN))
        rows.append(f"(sign: {sign}, number: {numbers[node.name]}, uses: ({arcs}), body: [{body}])")
    given = ranges([printed.given[node.name] for node in nodes if node.status == GIVEN], "h")
    lead = [*([formula(f"from {given}")] if given else []), *lead]
    return Markup(f"#proof({''.join(f'{row}, ' for row in rows)}lead: [{join(lead, '; ')}])[{caption}];")


def ranges(numbers: Sequence[int], letter: str = "") -> str:
    """Numbers in order, a run of three or more as its ends: `1–4, 6` or `h1–h4, h6`."""
    out: list[list[int]] = []
    for number in sorted(set(numbers)):
        if out and number == out[-1][-1] + 1:
            out[-1].append(number)
        else:
            out.append([number])
    runs = (run if len(run) < 3 else [f"{run[0]}–{letter}{run[-1]}"] for run in out)
    return ", ".join(f"{letter}{item}" for run in runs for item in run)
