"""Relations checked in plain `fractions`, with nothing shared with the solver that proposed the numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import sympy
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Implies, Not, Or


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


def holds(formula: Boolean, values: Mapping[str, Fraction]) -> bool:
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
        left, right = evaluate(formula.lhs, values), evaluate(formula.rhs, values)
        return {
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
            "==": left == right,
            "!=": left != right,
        }[formula.rel_op]
    raise TypeError(f"not a formula: {formula}")
