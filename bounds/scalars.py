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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from numbers import Integral, Real
from typing import Any, cast

import numpy as np
import sympy
import z3
from array_api_compat import array_namespace, is_array_api_obj

Scalar = Any
"""A float, int, Fraction, array, sympy expression or z3 real: whatever carries +, −, ×, ÷ and a power."""


def is_symbolic(x: Scalar) -> bool:
    """Whether `x` is a sympy expression with letters in it, or a z3 term: no number that a condition could be decided for."""
    return isinstance(x, z3.ExprRef) or (isinstance(x, sympy.Basic) and bool(x.free_symbols))


def real(x: Scalar) -> Scalar:
    """`x`, integers that do not count as integers do as something that does: a z3 integer as a real (z3 divides integers as
    integers), an integer of numpy as one of Python and an integer array as float64 (both wrap around: 127 + 1 is −128 in int8)."""
    if isinstance(x, z3.ArithRef):
        return z3.ToReal(x) if x.is_int() else x
    if isinstance(x, np.integer):
        return int(x)
    if not is_array_api_obj(x):
        return x
    xp, array = array_namespace(x), cast(Any, x)
    return xp.astype(array, xp.float64) if xp.isdtype(array.dtype, "integral") else array


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
        # The root of a square that floats do not hold: 64 bits of it, from twice as many.
        half = max(0, 128 + x.denominator.bit_length() - x.numerator.bit_length()) // 2 + 1
        return float(Fraction(math.isqrt((x.numerator << 2 * half) // x.denominator), 1 << half))
    return math.sqrt(x)


def power(x: Scalar, numerator: int, denominator: int) -> Scalar:
    """x^(numerator/denominator) of `x > 0`; exact for an integer whose root is one.

    A negative number raises `ValueError`; a negative array element gives nan, as the array library has it.
    """
    if isinstance(x, sympy.Basic):
        return x ** sympy.Rational(numerator, denominator)
    if isinstance(x, z3.ExprRef):
        return real(x) ** z3.Q(numerator, denominator)
    if isinstance(x, int | float | Fraction | np.number) and x < 0:
        raise ValueError(f"({x})^({numerator}/{denominator}) is no real number; give a base >= 0")
    if isinstance(x, int | Fraction):
        if x.denominator == 1:
            root, exact = sympy.integer_nthroot(x.numerator, denominator)
            if exact:
                return Fraction(int(root)) ** numerator
        x = float(x)
    return x ** (numerator / denominator)


def maximum(x: Scalar, y: Scalar) -> Scalar:
    """The larger of `x` and `y`, element by element on arrays; nan where either is nan."""
    if isinstance(x, z3.ExprRef) or isinstance(y, z3.ExprRef):
        left: Any = x
        return z3.If(left >= y, left, y)
    if isinstance(x, sympy.Basic) or isinstance(y, sympy.Basic):
        return sympy.Max(x, y)
    x, y = real(x), real(y)
    if is_array_api_obj(x) or is_array_api_obj(y):
        xp, *pair = _arrays(x, y)
        return xp.maximum(*pair)
    return _nan(x, y) or max(x, y)


def minimum(x: Scalar, y: Scalar) -> Scalar:
    """The smaller of `x` and `y`, element by element on arrays; nan where either is nan."""
    if isinstance(x, z3.ExprRef) or isinstance(y, z3.ExprRef):
        right: Any = y
        return z3.If(right >= x, x, right)
    if isinstance(x, sympy.Basic) or isinstance(y, sympy.Basic):
        return sympy.Min(x, y)
    x, y = real(x), real(y)
    if is_array_api_obj(x) or is_array_api_obj(y):
        xp, *pair = _arrays(x, y)
        return xp.minimum(*pair)
    return _nan(x, y) or min(x, y)


def _arrays(x: Scalar, y: Scalar) -> tuple[Any, Any, Any]:
    """The library of the one that is an array, and both as arrays."""
    xp = array_namespace(*(a for a in (x, y) if is_array_api_obj(a)))
    like: Any = x if is_array_api_obj(x) else y
    dtype = like.dtype if xp.isdtype(like.dtype, "real floating") else xp.float64
    pair: list[Any] = [x, y]
    left, right = (a if is_array_api_obj(a) else xp.full_like(like, float(a), dtype=dtype) for a in pair)
    return xp, left, right


def _nan(x: Scalar, y: Scalar) -> Scalar | None:
    """The one that is nan, which Python's max and min drop or keep by its place; None where neither is."""
    return next((a for a in (x, y) if a != a), None)


def log(x: Scalar) -> Scalar:
    """Natural logarithm."""
    if isinstance(x, sympy.Basic):
        return sympy.log(x)
    if isinstance(x, z3.ExprRef):
        reals = z3.RealSort(x.ctx)
        return z3.Function("log", reals, reals)(real(x))
    if is_array_api_obj(x):
        return array_namespace(x).log(x)
    if isinstance(x, Fraction) and x > 0:
        if abs(x - 1) < Fraction(1, 2):
            return math.log1p(x - 1)
        if not Fraction(1, 1 << 1000) < x < 1 << 1000:  # floats do not hold it
            return math.log(x.numerator) - math.log(x.denominator)
    return math.log(x)


def exact(numbers: Mapping[str, Scalar]) -> dict[str, Scalar] | None:
    """The numbers as fractions, so that what is computed of them neither cancels nor leaves the floats on the way; None where
    one is an array or anything else."""
    if not all(isinstance(value, int | float | Fraction | np.floating) for value in numbers.values()):
        return None
    plainly = {k: float(v) if isinstance(v, np.floating) else v for k, v in numbers.items()}
    return {name: Fraction(value) for name, value in plainly.items()}


def plain(value: Any) -> int | float:
    """`value` as an int or a float of Python: what a user hands over for one number, before its domain is checked.

    nan, which lies in no domain, for what is no real number: a bool, text, an array of several. ∞ for what is too large for floats.
    """
    if type(value) in (int, float):
        found = value
    else:
        if getattr(value, "shape", None) == () and hasattr(value, "item"):  # of numpy or torch
            value = value.item()
        if isinstance(value, bool) or not isinstance(value, Real):
            return math.nan
        found: Any = int(value) if isinstance(value, Integral) else value
    try:
        as_float = float(found)
    except OverflowError:
        return math.inf if found > 0 else -math.inf
    return found if isinstance(found, int) else as_float


def is_whole(value: int | float, least: int, most: int | float = math.inf) -> bool:
    """Whether a number from `plain` is a whole one from `least` to `most`."""
    return math.isfinite(value) and value == int(value) and least <= value <= most


def end_of(before: Callable[[float], bool]) -> float:
    """Where in (0, 1] a condition ends that holds up to one number and not behind it, by bisection to the last float; 1 where it holds
    everywhere before. The tolerance of a solver such as `brentq` takes a root of 1e-30 for 0."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if before(middle) else (low, middle)
    return high


def short(value: Any) -> str:
    """`value` in an error: a whole number that would fill the screen by its number of digits."""
    if not isinstance(value, int) or abs(value) < 10**20:
        return str(value)
    return f"a number of {len(str(abs(value))) if value.bit_length() < 10**4 else 'thousands of'} digits"


def told_apart(value: Scalar, limit: Scalar, *nearest: Scalar) -> list[str]:
    """Numbers in an error, the limit as a float; with more digits where they would not read in their order, as 0.5 + 0.2, which is a
    little more than the float 0.7, and 0.7."""
    given = (value, limit, *nearest)
    texts = [short(value), str(float(limit)), *map(short, nearest)]
    try:
        numbers = [n if isinstance(n, int | Fraction) else Fraction(float(n)) for n in given]
        read = [Fraction(text) for text in texts]
    except (ValueError, OverflowError):  # one is infinite, or told by the number of its digits
        return texts
    if _order(read) == _order(numbers):
        return texts
    for places in ((1,), range(1, len(given)), range(len(given))):
        for digits in range(17, 41):
            with localcontext(prec=digits):
                told = {
                    k: str(Decimal(numbers[k].numerator) / Decimal(numbers[k].denominator)) for k in places
                }
            if _order([Fraction(told.get(k, text)) for k, text in enumerate(texts)]) == _order(numbers):
                return [told.get(k, text).lower() for k, text in enumerate(texts)]
    return [texts[0], f"about {texts[1]}", *texts[2:]]


def _order(numbers: Sequence[int | Fraction]) -> list[int]:
    return [(a > b) - (a < b) for a, b in combinations(numbers, 2)]


@contextmanager
def within_floats(given: dict[str, Any]) -> Iterator[None]:
    """Where floats overflow, or vanish and are divided by: `ValueError` with what was given, which Python's own error leaves out."""
    try:
        yield
    except (OverflowError, ZeroDivisionError) as error:
        listed = ", ".join(f"{name} = {short(value)}" for name, value in given.items())
        raise ValueError(f"{listed}: too far apart for floats; {NEARER}") from error


NEARER = "take other units of f and x, or numbers nearer to 1"


def representable(value: float, what: str, **given: int | float) -> float:
    """`value`, computed from positive numbers, where floats hold it to full precision; `what` says which it is, in the error, and
    `given` what it was computed from.

    Raises `ValueError` for 0, a subnormal number, ∞ and nan: a bound made of one would promise too much or nothing.
    """
    if not sys.float_info.min <= value <= sys.float_info.max:
        listed = ", ".join(f"{name} = {short(number)}" for name, number in given.items())
        size = "small" if value < sys.float_info.min else "large"
        raise ValueError(
            f"{what} comes out as {value}{f' ({listed})' if listed else ''}: "
            f"{'no number' if math.isnan(value) else f'too {size} for floats'}; {NEARER}"
        )
    return value
