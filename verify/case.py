"""A case of a proof: nodes that share one more assumption; what leaves the case is an implication."""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy

from verify.evidence import Evidence
from verify.facts import Fact, derived
from verify.obligation import Settings
from verify.proof import Node, Proof
from verify.prove import prove


@dataclass(frozen=True)
class Case:
    """`assumption` → the conclusion of the last node. The inner nodes are checked for gaps like any proof."""

    name: str
    assumption: Fact
    nodes: tuple[Node, ...]

    def __post_init__(self) -> None:
        if self.assumption.origin != "hypothesis":
            raise ValueError(f"'{self.assumption.name}' is assumed in a case and so a hypothesis of it")

    @property
    def given(self) -> tuple[Fact, ...]:
        """What the inner nodes use that neither the case nor an inner node provides."""
        inside = {node.conclusion for node in self.nodes} | {self.assumption}
        outer = (f for node in self.nodes for f in node.given if f not in inside and f.base not in inside)
        return tuple(dict.fromkeys(outer))

    @property
    def conclusion(self) -> Fact:
        goal = self.nodes[-1].conclusion.relation
        return derived(self.name, sympy.Implies(self.assumption.relation, goal))

    def discharge(self, settings: Settings) -> Evidence:
        outer = tuple(fact for fact in self.given if fact.origin not in ("definition", "standard"))
        found = prove(Proof((self.assumption, *outer), self.nodes), settings, paper=None)
        return replace(found, name=self.name)


def assumptions(nodes: tuple[Node, ...]) -> tuple[Fact, ...]:
    """Hypotheses that some node uses and no node concludes: what a proof made of these nodes must assume."""
    shown = {(node.conclusion.name, node.conclusion.relation) for node in nodes}
    used = (fact.base or fact for node in nodes for fact in node.given if fact.origin == "hypothesis")
    return tuple(dict.fromkeys(fact for fact in used if (fact.name, fact.relation) not in shown))


def step_assumptions(nodes: tuple[Node, ...]) -> tuple[Fact, ...]:
    """For one printed step: the hypotheses, and the earlier lines that it starts from."""
    shown: set[Fact] = set()
    needed: dict[Fact, None] = {}
    for node in nodes:
        for fact in node.given:
            root = fact.base or fact
            if fact.origin in ("hypothesis", "derived") and root not in shown:
                needed[root] = None
        shown.add(node.conclusion)
    return tuple(needed)


def closed(nodes: tuple[Node, ...]) -> Proof:
    """A proof whose assumptions are the hypotheses of its nodes."""
    return Proof(assumptions(nodes), nodes)


def step(nodes: tuple[Node, ...]) -> Proof:
    """One printed step: the lines before it are assumed."""
    return Proof(step_assumptions(nodes), nodes)
