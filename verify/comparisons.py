"""Equations and inequalities in letters of either sign, made as they are written.

Of every relation sympy asks first whether it is true or false as it stands: whether both sides are real, and the sign of their
difference. That was half of the time that it took to build the claims. Where a term of the difference is an odd power of such a
letter, times whatever it may be, sympy finds no answer and makes the relation as it is written: so does this, without asking.
"""

from __future__ import annotations

from typing import Any

import sympy

KINDS = (sympy.StrictLessThan, sympy.LessThan, sympy.StrictGreaterThan, sympy.GreaterThan, sympy.Equality)
_OWN = {kind: kind.__new__ for kind in KINDS}


def install() -> None:
    """From now on, for whatever makes a relation in this process."""
    for kind in KINDS:
        kind.__new__ = staticmethod(made)  # pyright: ignore[reportAttributeAccessIssue]


def asked(kind: Any, left: Any, right: Any, **options: Any) -> Any:
    """sympy's own way."""
    return _OWN[kind](kind, left, right, **options)


def made(kind: Any, left: Any, right: Any, **options: Any) -> Any:
    """What `asked` makes."""
    return asked(kind, left, right, **(options or {"evaluate": not _is_open(left, right)}))


def _is_open(left: Any, right: Any) -> bool:
    """Whether a term of the difference has either sign. Where there is one letter alone sympy may know more."""
    sides = sympy.sympify(left), sympy.sympify(right)
    if not all(isinstance(side, sympy.Expr) for side in sides) or len(sympy.Tuple(*sides).free_symbols) < 2:
        return False
    return any(map(_has_either_sign, sympy.Add.make_args(sides[0] - sides[1])))


def _has_either_sign(term: Any) -> bool:
    powers = (factor.as_base_exp() for factor in sympy.Mul.make_args(term))
    return any(_is_open_letter(base) and exponent.is_Integer and exponent.is_odd for base, exponent in powers)


def _is_open_letter(base: Any) -> bool:
    return base.is_Symbol and base.is_nonnegative is None and base.is_nonpositive is None
