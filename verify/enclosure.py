"""Expressions with irrational roots, enclosed between fractions: enough to decide every strict inequality that holds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import sympy

Enclosure = tuple[Fraction, Fraction]


class Undefined(ArithmeticError):
    """The expression has no real value there."""


def enclose(expression: sympy.Basic, values: Mapping[str, Fraction], bits: int) -> Enclosure:
    """Fractions (low, high) around the exact value; roots are taken to `bits` binary places."""
    if isinstance(expression, sympy.Rational):
        exact = Fraction(int(expression.p), int(expression.q))
        return exact, exact
    if isinstance(expression, sympy.Symbol):
        return values[expression.name], values[expression.name]
    parts = [enclose(argument, values, bits) for argument in expression.args]
    if isinstance(expression, sympy.Add):
        return sum((p[0] for p in parts), Fraction(0)), sum((p[1] for p in parts), Fraction(0))
    if isinstance(expression, sympy.Mul):
        result = parts[0]
        for part in parts[1:]:
            result = _times(result, part)
        return result
    if isinstance(expression, sympy.Abs):
        (low, high) = parts[0]
        inside = Fraction(0) if low <= 0 <= high else min(abs(low), abs(high))
        return inside, max(abs(low), abs(high))
    if isinstance(expression, sympy.Max | sympy.Min):
        pick = max if isinstance(expression, sympy.Max) else min
        return pick(p[0] for p in parts), pick(p[1] for p in parts)
    if isinstance(expression, sympy.Pow) and isinstance(expression.exp, sympy.Rational):
        return _power(parts[0], int(expression.exp.p), int(expression.exp.q), bits)
    raise Undefined(f"no enclosure for {expression}")


def _times(a: Enclosure, b: Enclosure) -> Enclosure:
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def _power(base: Enclosure, p: int, q: int, bits: int) -> Enclosure:
    low, high = base
    if q > 1:
        if low < 0:
            raise Undefined(f"a root of something that may be negative: {low}")
        low, high = _root(low, q, bits)[0], _root(high, q, bits)[1]
    result = (Fraction(1), Fraction(1))
    for _ in range(abs(p)):
        result = _times(result, (low, high))
    if p % 2 == 0 and low <= 0 <= high:
        result = (Fraction(0), result[1])
    if p >= 0:
        return result
    if result[0] <= 0 <= result[1]:
        raise Undefined("division by something that may be zero")
    return 1 / result[1], 1 / result[0]


def _root(x: Fraction, q: int, bits: int) -> Enclosure:
    """Both neighbours of the q-th root on the grid 2^−bits."""
    scaled = math.floor(x * 2 ** (q * bits))
    floor, exact = sympy.integer_nthroot(scaled, q)
    above = floor if exact and scaled == x * 2 ** (q * bits) else floor + 1
    return Fraction(int(floor), 2**bits), Fraction(int(above), 2**bits)
