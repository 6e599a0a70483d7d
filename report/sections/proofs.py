"""The proofs of a paper's theorems as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from report.graphs import GIVEN, OPEN, SIGNS, Node, Printed, ordered, proof_graph
from report.sections.witness import letters
from report.typst import Markup, even, formula, heading, join, link, sentence
from report.verdicts import Claim, is_ours

SAID = {"circle": "circle: proved", "cross": "cross: refuted", "square": "grey square: open"}
"""What the signs of a proof graph mean."""


def build(theorems: Sequence[Claim]) -> Markup:
    """The proofs of theorem-level claims, as printed or repaired, drawn where they have at least two
    steps."""
    drawn: dict[tuple[Node, ...], list[Markup]] = {}
    for claim in theorems:
        for which, source in (("as printed", claim), ("as corrected", claim.get("corrected") or {})):
            nodes = graph_nodes(source.get("graph", ()), source.get("evidence", ()))
            if sum(node.status != GIVEN for node in nodes) >= 2:
                owner = link(f"claim:{claim['id']}", claim["id"])
                if not is_ours(claim):
                    owner += formula(f" {which}")
                drawn.setdefault(tuple(nodes), []).append(owner)
    if not drawn:
        return Markup("")
    signs = dict.fromkeys(
        SIGNS.get(node.status, OPEN) for nodes in drawn for node in nodes if node.status != GIVEN
    )
    printed = Printed()
    pictures = [
        proof_graph(nodes, formula("Proof of ") + join(owners, "; ") + formula("."), owners[0], printed)
        for nodes, owners in sorted(drawn.items(), key=lambda item: -len(ordered(item[0])))
    ]
    lead = formula(
        "Each line with a sign is one obligation that a machine was asked. The numbers in brackets are the steps, hypotheses "
        "and definitions (h) that it uses (textbook results are named at the claims); arcs join those that stand near each "
        "other. Letters that no paper has: r is a residual before the update of a memory, w what the update leaves of it, φ the "
        "potential that falls, “charge” what a step adds to it, “level” and “rest” bounds on w; Σ_{i≤m} runs over clients, Σ_{k<m} "
        "over rounds. What several proofs share stands once, at the longest of them; a proof begins with the numbers of such steps. "
        f"{sentence('; '.join(SAID[sign] for sign in signs))}"
    )
    if printed.given:
        every = ", ".join(f"[#strong[h{number}]~{formula(name)}]" for name, number in printed.given.items())
        lead += Markup(f"#hypotheses({every});")
    packed = ", ".join(f"[{picture}]" for picture in pictures)
    return heading("Proof graphs") + Markup(f"#packed([{lead}], {packed});\n\n")


def graph_nodes(edges: Sequence[Sequence[str]], evidence: Sequence[Mapping[str, Any]]) -> list[Node]:
    """Nodes from the edges (user, used) and the evidence that bears their names; the rest is given."""
    status = {item["name"]: item["status"] for item in evidence}
    names = list(dict.fromkeys([*(used for _, used in edges), *(user for user, _ in edges)]))
    uses: dict[str, list[str]] = {name: [] for name in names}
    for user, used in edges:
        if user != used:
            uses[user].append(used)
    return [
        Node(even(letters(name)), status.get(name, GIVEN), tuple(even(letters(use)) for use in uses[name]))
        for name in names
    ]
