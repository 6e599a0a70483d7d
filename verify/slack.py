"""Letters that a definition brings for no other end than to bound what is there already: "D + s² = y" says that D ≤ y.

An equation introduces one letter of the proof's own. Where nothing else tells what D is, D is y − s², whatever s is. Where a textbook
result, a citation or an induction tells it, s is introduced, and then there has to be such an s for all D and y, as far as no sign of
theirs keeps it from being there. So a solver is asked of the letters that equations alone speak of whether they exist; of equations
in a chain (D + s = y, s = t²) together. Letters of the paper's table and inner products are what the paper and the vectors make them,
and what bounds letters otherwise follows from the equations and signs (`verify.definitions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import sympy

from bounds.symbols import Symbol
from verify.existence import FEW, exist, free_symbols, letters
from verify.facts import Fact
from verify.gram import between, entry, mixed, squared
from verify.obligation import Obligation
from verify.polynomial import domain
from verify.proof import Proof
from verify.relations import is_sign, parts_of
from verify.running import nested


def slack(
    proof: Proof,
    definitions: Sequence[Fact],
    stated: Set[Any],
    table: Mapping[str, Symbol],
    printed: Set[Any],
) -> Iterator[str]:
    """Definitions that say by way of such letters how large others are, in words."""
    parts = {part: fact.name for fact in definitions for part in parts_of(fact.relation)}
    equations = [part for part in sorted(parts, key=str) if isinstance(part, sympy.Eq)]
    told = _told(proof) | stated | {s for s in free_symbols(parts) if str(s) in table}
    told |= between(free_symbols(parts))
    cases = free_symbols(part for part in parts if part.has(sympy.Eq) and part not in equations)
    fixed = told | cases | {s for s in free_symbols(parts) if s.name.startswith("<")}
    groups, before = [frozenset([part]) for part in equations], []
    while groups != before:
        before = groups
        for group in before:
            others = [other for other in groups if other != group]
            beside = free_symbols(part for other in others for part in other)
            free = free_symbols(group) - fixed - beside
            if free and _exist(group, free, frozenset({*parts, *printed}), told - stated):
                groups = others
            elif free and free_symbols(group) <= told | free:
                names = ", ".join(dict.fromkeys(f"'{parts[part]}'" for part in sorted(group, key=str)))
                by = ", ".join(sorted(map(str, free)))
                yield f"{names} bounds other letters by way of {by}, of which nothing else speaks"
                return
            elif free:
                near = [other for other in others if free_symbols(other) & free_symbols(group) - fixed]
                if near and sum(map(len, near)) < FEW:
                    groups = [other for other in others if other not in near] + [group.union(*near)]
                    break


def _told(proof: Proof) -> frozenset[Any]:
    """The letters of textbook results, of what inductions run through, and of what they and citations conclude."""
    nodes = [node for node in nested(proof.nodes) if not isinstance(node, Obligation)]
    ran = {letter for node in nodes for letter, _ in getattr(node, "start", ())}
    shown = (node.conclusion.relation for node in nodes)
    said = (fact.relation for fact in (*proof.assumptions, *proof.facts()) if fact.origin == "standard")
    return free_symbols((*shown, *said)) | ran


def _exist(group: frozenset[Any], free: Set[Any], known: frozenset[Any], told: Set[Any]) -> bool:
    """Whether there are such letters, with the signs that they are to have, wherever the rest has a value and these others, of which
    a definition may say it, are positive."""
    signs = {part for part in known if is_sign(part) and part.lhs in free}
    near = {part for part in {*known, *domain(*group)} - group if not letters(part) & free}
    near |= {letter > 0 for letter in (free_symbols(group) & told) - mixed(told)}
    near |= {entry(name, name) >= 0 for name in squared(free_symbols(group))}
    return exist(group | signs, free_symbols(group) - free, frozenset(near)) == "unsat"
