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
    recognises. `base` is the fact that this one is an instance of, `values` what its letters were replaced by. Raises
    `TypeError` where the relation is none over plain real letters, `ValueError` where an instance says something else."""

    name: str
    relation: Any
    origin: Origin = "hypothesis"
    base: Fact | None = None
    values: tuple[tuple[Any, Any], ...] = ()

    def __post_init__(self) -> None:
        _check(self.relation)
        if self.base is not None:
            said = replaced(self.base.relation, self.values)
            if self.origin != self.base.origin or self.relation != said:
                raise ValueError(
                    f"'{self.name}' is no instance of '{self.base.name}', which says {said} there"
                )

    @property
    def root(self) -> tuple[str, Any]:
        """What tells the fact from others, whatever its letters were replaced by: its name and relation at first."""
        first = self.base or self
        return first.name, first.relation

    def at(self, values: Mapping[Any, Any], label: str = "") -> Fact:
        """The same fact about other letters: every letter replaced at once. It is as true as the hypotheses that the fact
        was shown from are of the new letters: `verify.instances` asks for them."""
        name = f"{self.name} [{label}]" if label else self.name
        relation = replaced(self.relation, tuple(values.items()))
        earlier = {s: replaced(sympy.sympify(v), tuple(values.items())) for s, v in self.values}
        both = {**values, **earlier}
        return Fact(name, relation, self.origin, self.base or self, tuple(both.items()))


@cache
def replaced(expression: Any, values: tuple[tuple[Any, Any], ...]) -> Any:
    """The relation or term with every letter replaced at once; proofs share many instances. (sympy's `subs` looks for more than
    letters, and takes fifty times as long.) Raises `TypeError` where something else is to be replaced: with x² replaced and x left,
    x² + x would be of two letters."""
    if others := [letter for letter, _ in values if type(letter) is not sympy.Symbol]:
        raise TypeError(f"only letters are replaced, not {others[0]}")
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
    """A sympy Boolean. Python's own True and False are refused: `x != y` is Python's answer to whether two expressions are
    written alike, and no relation."""
    if isinstance(relation, bool):
        raise TypeError(
            f"a fact needs a relation, got Python's {relation}: x = y and x ≠ y are sympy.Eq and sympy.Ne"
        )
    result: Any = sympy.sympify(relation)
    _check(result)
    return result


@cache
def _check(relation: Any) -> None:
    """Raises `TypeError` where it is no relation, or where a letter in it is more than a real number and its name: solvers know
    letters by name alone, and names that begin with "_" are those that clearing gives to roots."""
    if not isinstance(relation, Boolean):
        raise TypeError(f"a fact needs a relation, got {relation!r}")
    check_exact(relation)
    for letter in relation.free_symbols:
        check_letter(letter)


def check_exact(expression: Any) -> None:
    """Raises `TypeError` where a number in it is a float: 0.1 + 0.2 is none of the numbers that anyone writes so."""
    if floats := expression.atoms(sympy.Float):
        raise TypeError(f"{min(floats)} in {expression} is a float: write sympy.Rational")


def check_letter(letter: Any) -> None:
    """Raises `TypeError` where a letter is more than a real number and its name."""
    if type(letter) is not sympy.Symbol:
        raise TypeError(f"{letter} is not known by its name alone: write sympy.Symbol")
    if letter.assumptions0 != _PLAIN:
        raise TypeError(
            f"{letter} is more than real by assumption: state it as a fact, which the report shows"
        )
    if letter.name.startswith("_"):
        raise TypeError(f"{letter} could be taken for a root: a letter's name does not begin with _")
