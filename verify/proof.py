"""Proofs as small directed graphs, checked for gaps before anything is solved.

A proof lists what it may assume, then its nodes in order. Every fact that a node is given must be an assumption of the
proof, a definition, a cited standard result, or the conclusion of an earlier node (or an instance of one of these with other
letters). So a proof in which some step uses what nobody has shown is rejected by machine, not by reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import sympy

from verify.evidence import Evidence
from verify.facts import Fact
from verify.induction import given_to
from verify.obligation import Obligation, Settings


class Node(Protocol):
    """One step: what it is given, what it concludes, and how a machine checks it."""

    @property
    def name(self) -> str: ...
    @property
    def given(self) -> tuple[Fact, ...]: ...
    @property
    def conclusion(self) -> Fact: ...
    def discharge(self, settings: Settings) -> Evidence: ...


@dataclass(frozen=True)
class Proof:
    """Nodes in order; `assumptions` are the hypotheses that the statement prints (with domains of its letters)."""

    assumptions: tuple[Fact, ...]
    nodes: tuple[Node, ...]

    def gaps(self) -> list[str]:
        """Facts that some node uses and nobody provides; empty for a closed proof."""
        known = {fact.root for fact in self.assumptions if fact.base is None}
        # an instance that is assumed says nothing of other letters
        said = {fact.relation for fact in self.assumptions if fact.base is not None}
        missing = []
        for node in self.nodes:
            for fact in node.given:
                if fact.origin in ("definition", "standard") or fact.root in known or fact.relation in said:
                    continue
                missing.append(f"{node.name} uses '{fact.name}', which is neither assumed nor shown before")
            if node.conclusion.base is not None:
                missing.append(
                    f"{node.name} shows '{node.conclusion.name}' of some letters, which is not to show it of all"
                )
            known.add(node.conclusion.root)
        return missing

    def facts(self) -> tuple[Fact, ...]:
        """What its steps are given, each fact once."""
        return tuple(dict.fromkeys(fact for node in self.nodes for fact in given_to(node)))

    @property
    def grounds(self) -> tuple[Fact, ...]:
        """What it rests on: its assumptions, what is said in it, and what no solver was asked to derive from these."""
        said = (fact for fact in self.facts() if fact.origin != "derived")
        shown = (node.conclusion for node in self.nodes if not isinstance(node, Obligation))
        return tuple(dict.fromkeys((*self.assumptions, *said, *shown)))

    @property
    def standard(self) -> tuple[str, ...]:
        """Names of the textbook results that the proof cites, those of the claims that it takes over included."""
        names: dict[str, None] = {}
        for node in self.nodes:
            cited: Proof | None = getattr(node, "proof", None)
            names |= dict.fromkeys(cited.standard if cited else ())
            names |= dict.fromkeys(fact.name for fact in node.given if fact.origin == "standard")
        names |= dict.fromkeys(fact.name for fact in self.assumptions if fact.origin == "standard")
        return tuple(names)

    @property
    def meanings(self) -> tuple[str, ...]:
        """Names of the definitions about letters of the statement itself (not about letters of the proof's own): what the
        proof takes to be said by the letters, as K ≥ 0 or R ≥ 0, where the statement prints no such condition."""
        assumed = set().union(*(fact.relation.free_symbols for fact in self.assumptions))
        stated = assumed | (self.nodes[-1].conclusion.relation.free_symbols if self.nodes else set())
        facts = (*self.assumptions, *(fact for node in self.nodes for fact in node.given))

        def of_the_statement(relation: Any) -> bool:  # or a part of it beside one that introduces a letter
            if set() < relation.free_symbols <= stated:
                return True
            return any(set() < part.free_symbols <= assumed for part in sympy.And.make_args(relation))

        used = (fact for fact in facts if fact.origin == "definition")
        return tuple(dict.fromkeys(fact.name for fact in used if of_the_statement(fact.relation)))

    def edges(self) -> list[tuple[str, str]]:
        """(user, used) by node name, for drawing the graph; assumptions keep their own names."""
        source = {fact.root: fact.name for fact in self.assumptions}
        result = []
        for node in self.nodes:
            result += [(node.name, source[f.root]) for f in node.given if f.root in source]
            source[node.conclusion.root] = node.name
        return list(dict.fromkeys(result))
