"""Facts: named relations, and where each one comes from.

A proof is only as good as the list of what it takes for granted, so every relation carries an origin:

- *hypothesis*: printed in the statement (or stated in its repair). The report lists which ones were needed;
- *definition*: introduces a letter (r := ‖v‖, w := |1 − β/(α+r)| r) or a property that every value of that letter has
  (r ≥ 0, Gram matrices are positive semidefinite). It must be satisfiable for all values of the other letters;
- *standard*: a textbook result that is cited and not proved here (the descent lemma of an L-smooth function);
- *derived*: the conclusion of another node of the same proof, or of another claim that it cites.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import sympy
from sympy.logic.boolalg import Boolean

Origin = Literal["hypothesis", "definition", "standard", "derived"]


@dataclass(frozen=True)
class Fact:
    """A relation (a sympy Boolean; sympy's own annotations do not say that equations are) with a name that a reader
    recognises. `base` names the fact that this one is an instance of."""

    name: str
    relation: Any
    origin: Origin = "hypothesis"
    base: Fact | None = None

    def at(self, values: Mapping[Any, Any], label: str = "") -> Fact:
        """The same fact about other letters: every letter replaced at once. Valid because a fact is proved for
        all real values of its letters."""
        name = f"{self.name} [{label}]" if label else self.name
        relation = self.relation.subs(dict(values), simultaneous=True)
        return Fact(name, relation, self.origin, self.base or self)


def hypothesis(name: str, relation: object) -> Fact:
    return Fact(name, _boolean(relation), "hypothesis")


def definition(name: str, relation: object) -> Fact:
    return Fact(name, _boolean(relation), "definition")


def standard(name: str, relation: object) -> Fact:
    return Fact(name, _boolean(relation), "standard")


def derived(name: str, relation: object) -> Fact:
    return Fact(name, _boolean(relation), "derived")


def _boolean(relation: object) -> Boolean:
    """A sympy Boolean; Python's True and False become sympy's."""
    result = sympy.sympify(relation)
    if not isinstance(result, Boolean):
        raise TypeError(f"a fact needs a relation, got {relation!r}")
    return result
