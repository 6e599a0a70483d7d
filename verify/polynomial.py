"""From formulas with roots, absolute values, maxima and quotients to polynomial relations.

SMT solvers decide polynomial arithmetic over the reals; they treat x/0 as an arbitrary number, and a model that uses
that freedom is worthless. So nothing but polynomials reaches a solver:

- a root b^(p/q) becomes t^p with a fresh t ≥ 0, t^q = b;
- |e| becomes a fresh t ≥ 0 with t² = e²; max and min become a fresh letter with its two bounds and a choice;
- N/D ⋛ 0 becomes N·D ⋛ 0, or N ⋛ 0 where D is known to be positive; D ≠ 0 is handed back to the caller, who must
  assume it (in a hypothesis: a hypothesis that is not defined does not hold) or prove it (in a goal).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import sympy
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Implies, Not, Or
from sympy.printing.str import StrPrinter

FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
BUILD = {"<": sympy.StrictLessThan, "<=": sympy.LessThan, ">": sympy.StrictGreaterThan,
         ">=": sympy.GreaterThan, "==": sympy.Equality, "!=": sympy.Unequality}  # fmt: skip


@dataclass(frozen=True)
class Cleared:
    """A polynomial formula, what the fresh letters in it satisfy, and what must hold for it to be defined.

    `sides` presuppose that every root exists (t² = b forces b ≥ 0), so they may be used only where that is known.
    `guarded` are the sides without that presupposition: each holds, or the root that it belongs to does not exist.
    """

    formula: Boolean
    sides: tuple[Boolean, ...]
    defined: tuple[Boolean, ...]
    guarded: tuple[Boolean, ...] = ()


def clear(formula: Boolean, positive: frozenset[sympy.Expr] = frozenset()) -> Cleared:
    """The polynomial form of a Boolean combination of relations. `positive` holds the denominators that are known to be
    positive, which keeps degrees low. Equal roots have one letter in all formulas; each is cleared once in a process, since the
    steps of a proof share most of what they are given."""
    if positive:
        own = denominators(formula)
        positive = frozenset(factor for factor in positive if factor in own or -factor in own)
    return _clear(formula, positive)


def has_alternatives(relation: Any) -> bool:
    """Whether a part of the relation may be false while the whole is true."""
    if isinstance(relation, And):
        return any(has_alternatives(part) for part in relation.args)
    return isinstance(relation, Or | Implies | Not)


def asserted(relation: Boolean, positive: frozenset[sympy.Expr] = frozenset()) -> tuple[Boolean, ...]:
    """What a relation that is given says: its polynomial form, what its fresh letters mean, and that it is defined. "Or" and
    "if" hold where one part does and do not say that the other is defined."""
    cleared = clear(relation, positive)
    if has_alternatives(relation):
        return Or(cleared.formula, *map(Not, cleared.defined)), *cleared.guarded
    return cleared.formula, *cleared.sides, *cleared.defined


@lru_cache(maxsize=1 << 14)
def _clear(formula: Boolean, positive: frozenset[sympy.Expr]) -> Cleared:
    sides: dict[Boolean, Boolean] = {}  # each side, and its guarded form
    defined: dict[Boolean, None] = {}
    cleared = _Clearer(positive).boolean(formula, sides, defined)
    return Cleared(cleared, tuple(sides), tuple(defined), tuple(sides.values()))


@dataclass
class _Clearer:
    """Clears one formula, whose roots and the like it names."""

    positive: frozenset[sympy.Expr]
    _fresh: dict[tuple, tuple[sympy.Symbol, tuple[Boolean, ...], tuple[Boolean, ...]]] = field(
        default_factory=dict
    )

    def boolean(self, formula: Any, sides: dict, defined: dict) -> Boolean:
        if isinstance(formula, BooleanTrue | BooleanFalse):
            return formula
        if isinstance(formula, And | Or | Not | Implies):
            return formula.func(*(self.boolean(argument, sides, defined) for argument in formula.args))
        if isinstance(formula, Relational):
            return self._relation(formula, sides, defined)
        raise TypeError(f"not a relation over the reals: {formula}")

    def _relation(self, relation: Any, sides: dict, defined: dict) -> Boolean:
        left, right = (
            self._expression(side, sides, defined) for side in relation.args
        )  # each: what cancels is divided by too
        numerator, bottom = _fraction(left - right)
        operator = relation.rel_op
        coefficient, factors = _factors(bottom)
        if coefficient < 0:
            operator = FLIP[operator]
        for factor, power in factors:
            if factor in self.positive:
                continue
            if -factor in self.positive:
                operator = FLIP[operator] if power % 2 else operator
                continue
            if power % 2 and operator not in ("==", "!="):
                numerator = sympy.expand(numerator * factor)
        # Where sympy can see by itself what is true, it takes longer about it than the solver.
        return BUILD[operator](numerator, 0, evaluate=numerator.is_number)

    def _expression(self, expression: Any, sides: dict, defined: dict) -> Any:
        if not expression.args:
            return expression
        arguments = [self._expression(argument, sides, defined) for argument in expression.args]
        if isinstance(expression, sympy.Pow):
            base, exponent = arguments
            if not isinstance(exponent, sympy.Rational):
                raise TypeError(f"only rational powers are polynomial: {expression}")
            root = base if exponent.q == 1 else self._letter(("root", base, exponent.q), sides, defined)
            if exponent.p < 0:
                self._divides(root, defined)
            return root**exponent.p
        if isinstance(expression, sympy.Abs):
            return self._letter(("abs", arguments[0]), sides, defined)
        if isinstance(expression, sympy.Max | sympy.Min):
            result = arguments[0]
            for other in arguments[1:]:
                result = self._letter((type(expression).__name__, result, other), sides, defined)
            return result
        if isinstance(expression, sympy.Add | sympy.Mul):
            return expression.func(*arguments)
        raise TypeError(f"no polynomial form for {expression}")

    def _divides(self, base: Any, defined: dict) -> None:
        """That what is divided by is not zero: noted here, since putting fractions together may cancel it."""
        top, _ = _fraction(base)
        if top == 0:
            defined[sympy.false] = None
            return
        for factor, _ in _factors(top)[1]:
            if factor not in self.positive and -factor not in self.positive:
                defined[sympy.Ne(factor, 0)] = None

    def _letter(self, key: tuple, sides: dict, defined: dict) -> sympy.Symbol:
        if key not in self._fresh:
            # The name says what the letter means, so that it means the same in every formula.
            t = sympy.Symbol(f"_{key[0]}({', '.join(map(_WRITTEN.doprint, key[1:]))})", real=True)
            self._fresh[key] = (t, (), ())
            raw, must = _meaning(t, *key)
            mine, needs = {}, {}
            for relation in must:  # a radicand may itself hold a quotient
                needs[self.boolean(relation, mine, needs)] = None
            cleared = [self.boolean(relation, mine, needs) for relation in raw]
            self._fresh[key] = (t, (*cleared, *mine), tuple(needs))
        t, letter_sides, letter_defined = self._fresh[key]
        missing = Or(*(Not(condition) for condition in letter_defined))
        sides.update({side: Or(side, missing) for side in letter_sides})
        defined.update(dict.fromkeys(letter_defined))
        return t


class _Printer(StrPrinter):
    """As sympy writes it, but for letters whose names could be read as more than a letter: γ/T and "γ/T" are two things."""

    def _print_Symbol(self, expr: Any) -> str:
        return repr(expr.name) if _COMPOUND.search(expr.name) else expr.name


_COMPOUND = re.compile(r"[-+*/() '\"]|^\d")
_WRITTEN = _Printer()


def _fraction(expression: Any) -> tuple[Any, Any]:
    """Numerator, expanded, and denominator, what cancels divided by."""
    if any(power.exp.is_negative for power in expression.atoms(sympy.Pow)):
        top, bottom = sympy.fraction(sympy.together(expression))
        return sympy.expand(top), bottom
    polynomial: Any = sympy.expand(expression)
    terms: Any = sympy.Add.make_args(polynomial)
    denominator = sympy.ilcm(1, *(term.as_coeff_Mul()[0].q for term in terms))
    return polynomial * denominator, sympy.Integer(denominator)


@lru_cache(maxsize=1 << 14)
def _factors(expression: Any) -> Any:
    """The constant, and the other factors with their powers. What is zero everywhere has no other, though it may not look so."""
    return sympy.factor_list(expression) if sympy.expand(expression) != 0 else (sympy.Integer(0), [])


def _meaning(t: Any, kind: str, *args: Any) -> tuple[list[Any], list[Any]]:
    """What a fresh letter satisfies, and what must hold for it to exist."""
    # An odd root of a negative number is no real number to sympy, which merges powers accordingly.
    if kind == "root":
        base, q = args
        return [t >= 0, sympy.Eq(t**q, base)], [base >= 0]
    if kind == "abs":
        return [t >= 0, sympy.Eq(t**2, args[0] ** 2)], []
    x, y = args
    above = (t >= x) & (t >= y) if kind == "Max" else (t <= x) & (t <= y)
    return [above, sympy.Eq(t, x) | sympy.Eq(t, y)], []


def domain(*formulas: Any) -> tuple[Any, ...]:
    """What must hold for every quotient and root in formulas or terms to have a value, each about their own letters: wherever these
    are replaced it can be asked for, also where a quotient or root cancels then."""
    found: dict[Any, None] = {}
    for formula in formulas:
        for part in sympy.preorder_traversal(formula):
            if isinstance(part, sympy.Pow) and isinstance(part.exp, sympy.Rational):
                if part.exp.q > 1:
                    found[part.base >= 0] = None
                if part.exp.p < 0:
                    found[sympy.Ne(part.base, 0)] = None
    return tuple(condition for condition in found if condition != sympy.true)


@lru_cache(maxsize=1 << 14)
def denominators(formula: Boolean) -> frozenset[Any]:
    """Every factor of a denominator in the formula, as `clear` meets it."""
    return frozenset(relation.lhs for relation in clear(formula).defined if isinstance(relation, sympy.Ne))
