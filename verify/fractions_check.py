"""Relations checked in plain `fractions`, with nothing shared with the solver that proposed the numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Implies, Not, Or

from verify.enclosure import Undefined, enclose


class NotRational(ArithmeticError):
    """A value is irrational or undefined, so that fractions cannot hold it."""


def evaluate(expression: sympy.Basic, values: Mapping[str, Fraction]) -> Fraction:
    """The exact value of an expression; raises `NotRational` where it has none among the rationals."""
    if isinstance(expression, sympy.Rational):
        return Fraction(int(expression.p), int(expression.q))
    if isinstance(expression, sympy.Symbol):
        if expression.name not in values:
            raise NotRational(f"{expression.name} has no rational value")
        return values[expression.name]
    arguments = [evaluate(argument, values) for argument in expression.args]
    if isinstance(expression, sympy.Add):
        return sum(arguments, Fraction(0))
    if isinstance(expression, sympy.Mul):
        return math.prod(arguments, start=Fraction(1))
    if isinstance(expression, sympy.Abs):
        return abs(arguments[0])
    if isinstance(expression, sympy.Max):
        return max(arguments)
    if isinstance(expression, sympy.Min):
        return min(arguments)
    if isinstance(expression, sympy.Pow):
        base, exponent = arguments
        root = exact_root(base, exponent.denominator)
        if root == 0 and exponent < 0:
            raise NotRational(f"{expression} divides by zero")
        return root**exponent.numerator
    raise NotRational(f"no rational value for {expression}")


def exact_root(x: Fraction, q: int) -> Fraction:
    """The rational q-th root of `x ≥ 0`, or `NotRational`."""
    if q == 1:
        return x
    if x < 0:
        raise NotRational(f"root of the negative number {x}")
    parts = []
    for part in (x.numerator, x.denominator):
        root = sympy.integer_nthroot(part, q)
        if not root[1]:
            raise NotRational(f"the {q}-th root of {x} is irrational")
        parts.append(int(root[0]))
    return Fraction(parts[0], parts[1])


def holds(formula: Any, values: Mapping[str, Fraction]) -> bool:
    """Whether the formula holds at rational values, decided by fraction arithmetic alone."""
    if isinstance(formula, BooleanTrue | BooleanFalse):
        return bool(formula)
    if isinstance(formula, And):
        return all(holds(argument, values) for argument in formula.args)
    if isinstance(formula, Or):
        return any(holds(argument, values) for argument in formula.args)
    if isinstance(formula, Not):
        return not holds(formula.args[0], values)
    if isinstance(formula, Implies):
        return not holds(formula.args[0], values) or holds(formula.args[1], values)
    if isinstance(formula, Relational):
        return _compare(formula, values)
    raise TypeError(f"not a formula: {formula}")


def _compare(relation: Any, values: Mapping[str, Fraction]) -> bool:
    """Exactly where both sides are rational; by ever closer enclosures where a root is not."""
    try:
        left, right = evaluate(relation.lhs, values), evaluate(relation.rhs, values)
    except NotRational:
        sign = _sign(relation.lhs, relation.rhs, values)
    else:
        sign = (left > right) - (left < right)
    return {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0, "==": sign == 0, "!=": sign != 0}[
        relation.rel_op
    ]


def _sign(left: sympy.Expr, right: sympy.Expr, values: Mapping[str, Fraction]) -> int:
    """The sign of a difference that is not zero; `NotRational` where 2,048 binary places do not tell it from zero, or where one
    side has no value, though what has none may cancel in the difference."""
    for bits in (64, 256, 2048):
        try:
            (low, high), (least, most) = enclose(left, values, bits), enclose(right, values, bits)
        except (Undefined, KeyError) as error:
            raise NotRational(str(error)) from error
        if low > most or high < least:
            return 1 if low > most else -1
    raise NotRational(f"{left} cannot be told from {right}")
