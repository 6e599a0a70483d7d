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
from functools import cache
from typing import Any, Literal

import sympy
from sympy.logic.boolalg import Boolean

Origin = Literal["hypothesis", "definition", "standard", "derived"]
_PLAIN = sympy.Symbol("x", real=True).assumptions0


@dataclass(frozen=True)
class Fact:
    """A relation (a sympy Boolean; sympy's own annotations do not say that equations are) with a name that a reader
    recognises. `base` is the fact that this one is an instance of, `values` what its letters were replaced by."""

    name: str
    relation: Any
    origin: Origin = "hypothesis"
    base: Fact | None = None
    values: tuple[tuple[Any, Any], ...] = ()

    def at(self, values: Mapping[Any, Any], label: str = "") -> Fact:
        """The same fact about other letters: every letter replaced at once. It is as true as the hypotheses that the fact
        was shown from are of the new letters: `verify.proof` asks for them."""
        name = f"{self.name} [{label}]" if label else self.name
        relation = replaced(self.relation, tuple(values.items()))
        earlier = {s: replaced(sympy.sympify(v), tuple(values.items())) for s, v in self.values}
        both = {**values, **earlier}
        return Fact(name, relation, self.origin, self.base or self, tuple(both.items()))


@cache
def replaced(expression: Any, values: tuple[tuple[Any, Any], ...]) -> Any:
    """The relation or term with every letter replaced at once; proofs share many instances. (sympy's `subs` looks for more than
    letters, and takes fifty times as long.)"""
    return expression.xreplace({letter: sympy.sympify(value) for letter, value in values})


def letters(names: str) -> tuple[sympy.Symbol, ...]:
    """Real letters, by names separated by spaces. What else is true of them is a fact, which the report shows."""
    return tuple(sympy.Symbol(name, real=True) for name in names.split())


def equal(left: object, right: object) -> Any:
    """left = right as it is written: sympy would answer where both sides are one expression, and takes long to find out."""
    return sympy.Eq(left, right, evaluate=False)


def hypothesis(name: str, relation: object) -> Fact:
    fact = Fact(name, _boolean(relation), "hypothesis")
    said = fact.relation
    if said == sympy.true or (isinstance(said, sympy.Eq) and said.lhs == said.rhs):
        raise ValueError(f"the hypothesis '{name}' says nothing: no step could be found to need it")
    return fact


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
    if silent := [s for s in result.free_symbols if s.assumptions0 != _PLAIN]:
        raise TypeError(
            f"{silent[0]} is more than real by assumption: state it as a fact, which the report shows"
        )
    return result
