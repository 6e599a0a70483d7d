"""Roots and maxima that floats, arrays and sympy symbols can all be fed through.

A bound is written once, with these two functions for what Python's operators lack. What reads it decides what
comes out: a float gives a float, an array (numpy or torch) an array, a sympy symbol an expression. The SMT prover
reads the sympy expression and clears its roots and denominators (`verify.polynomial`).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import sympy
from array_api_compat import array_namespace, is_array_api_obj

Scalar = Any
"""A float, int, Fraction, array or sympy expression: whatever carries +, −, ×, ÷ and a power."""


def sqrt(x: Scalar) -> Scalar:
    """Square root of `x ≥ 0`.

    Fractions and integers stay exact where the root is rational and become floats where it is not. A negative
    number raises `ValueError`; a negative array element gives nan, as the array library has it.
    """
    if isinstance(x, sympy.Basic):
        return sympy.sqrt(x)
    if is_array_api_obj(x):
        return array_namespace(x).sqrt(x)
    if isinstance(x, int | Fraction) and x >= 0:
        numerator, denominator = math.isqrt(x.numerator), math.isqrt(x.denominator)
        if numerator**2 == x.numerator and denominator**2 == x.denominator:
            return type(x)(numerator) if denominator == 1 else Fraction(numerator, denominator)
    return math.sqrt(x)


def maximum(x: Scalar, y: Scalar) -> Scalar:
    """The larger of `x` and `y`, element by element on arrays."""
    if isinstance(x, sympy.Basic) or isinstance(y, sympy.Basic):
        return sympy.Max(x, y)
    if is_array_api_obj(x) or is_array_api_obj(y):
        xp = array_namespace(*(a for a in (x, y) if is_array_api_obj(a)))
        like = x if is_array_api_obj(x) else y
        pair: list[Any] = [x, y]
        return xp.maximum(*(a if is_array_api_obj(a) else xp.full_like(like, float(a)) for a in pair))
    return max(x, y)
