"""Roots, maxima and logarithms that floats, arrays, sympy symbols and SMT reals can all be fed through.

A bound is written once, with these functions for what Python's operators lack. What reads it decides what comes out: a
float gives a float, an array (numpy or torch) an array, a sympy symbol an expression, a z3 real a term.

A term of z3 is for questions about a bound (is it monotone, can it be below that): its roots are z3's powers and its quotients
are total functions, so the prover of this project reads the sympy expression instead and clears both first
(`verify.polynomial`). A logarithm is an uninterpreted function there: what is proved of it holds for every function.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Any

import sympy
import z3
from array_api_compat import array_namespace, is_array_api_obj

Scalar = Any
"""A float, int, Fraction, array, sympy expression or z3 real: whatever carries +, −, ×, ÷ and a power."""


def is_symbolic(x: Scalar) -> bool:
    """Whether `x` is a sympy expression with letters in it, or a z3 term: no number that a condition could be decided for."""
    return isinstance(x, z3.ExprRef) or (isinstance(x, sympy.Basic) and bool(x.free_symbols))


def real(x: Scalar) -> Scalar:
    """`x`, a z3 integer as a real (z3 divides integers as integers)."""
    return z3.ToReal(x) if isinstance(x, z3.ArithRef) and x.is_int() else x


def sqrt(x: Scalar) -> Scalar:
    """Square root of `x ≥ 0`.

    Fractions and integers stay exact where the root is rational and become floats where it is not. A negative
    number raises `ValueError`; a negative array element gives nan, as the array library has it.
    """
    if isinstance(x, sympy.Basic):
        return sympy.sqrt(x)
    if isinstance(x, z3.ExprRef):
        return z3.Sqrt(real(x))
    if is_array_api_obj(x):
        return array_namespace(x).sqrt(x)
    if isinstance(x, int | Fraction) and x >= 0:
        numerator, denominator = math.isqrt(x.numerator), math.isqrt(x.denominator)
        if numerator**2 == x.numerator and denominator**2 == x.denominator:
            return type(x)(numerator) if denominator == 1 else Fraction(numerator, denominator)
    return math.sqrt(x)


def power(x: Scalar, numerator: int, denominator: int) -> Scalar:
    """x^(numerator/denominator) of `x > 0`; exact for an integer whose root is one."""
    if isinstance(x, sympy.Basic):
        return x ** sympy.Rational(numerator, denominator)
    if isinstance(x, z3.ExprRef):
        return real(x) ** z3.Q(numerator, denominator)
    if isinstance(x, int | Fraction):
        if x.denominator == 1:
            root, exact = sympy.integer_nthroot(x.numerator, denominator)
            if exact:
                return Fraction(int(root)) ** numerator
        x = float(x)
    return x ** (numerator / denominator)


def maximum(x: Scalar, y: Scalar) -> Scalar:
    """The larger of `x` and `y`, element by element on arrays."""
    if isinstance(x, z3.ExprRef) or isinstance(y, z3.ExprRef):
        left: Any = x
        return z3.If(left >= y, left, y)
    if isinstance(x, sympy.Basic) or isinstance(y, sympy.Basic):
        return sympy.Max(x, y)
    if is_array_api_obj(x) or is_array_api_obj(y):
        xp = array_namespace(*(a for a in (x, y) if is_array_api_obj(a)))
        like: Any = x if is_array_api_obj(x) else y
        dtype = like.dtype if xp.isdtype(like.dtype, "real floating") else xp.float64
        pair: list[Any] = [x, y]
        return xp.maximum(
            *(a if is_array_api_obj(a) else xp.full_like(like, float(a), dtype=dtype) for a in pair)
        )
    return max(x, y)


def minimum(x: Scalar, y: Scalar) -> Scalar:
    """The smaller of `x` and `y`, element by element on arrays."""
    if isinstance(x, sympy.Basic) or isinstance(y, sympy.Basic):
        return sympy.Min(x, y)
    return -maximum(-x, -y)


def log(x: Scalar) -> Scalar:
    """Natural logarithm."""
    if isinstance(x, sympy.Basic):
        return sympy.log(x)
    if isinstance(x, z3.ExprRef):
        reals = z3.RealSort(x.ctx)
        return z3.Function("log", reals, reals)(real(x))
    if is_array_api_obj(x):
        return array_namespace(x).log(x)
    return math.log(x)


def representable(value: float, what: str) -> float:
    """`value`, computed from positive numbers, where floats hold it to full precision; `what` says which it is, in the error.

    Raises `ValueError` for 0, a subnormal number, ∞ and nan: a bound made of one would promise too much or nothing.
    """
    if not sys.float_info.min <= value <= sys.float_info.max:
        raise ValueError(f"{what} = {value} is no number that floats hold; take other units of f and x")
    return value
