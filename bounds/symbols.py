"""What a letter of a paper is: a name, a meaning, a unit and a domain. Each paper's folder holds its own table.

A unit is a pair of exponents (of f, of x): f is the unit of the objective, x the unit of the iterate. A gradient is
f/x = (1, −1), a smoothness constant f/x² = (1, −2). The same letter means different
things in different papers (γ is a length in α-NormEC and x²/f in Fed-α-NormEC), hence a table for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import numpy as np
import sympy
from array_api_compat import array_namespace, is_array_api_obj

from bounds.scalars import Scalar, plain, short

Unit = tuple[int, int]
"""Exponents of (f, x)."""

ONE: Unit = (0, 0)
VALUE: Unit = (1, 0)
LENGTH: Unit = (0, 1)
GRADIENT: Unit = (1, -1)
CURVATURE: Unit = (1, -2)


@dataclass(frozen=True)
class Symbol:
    """A letter of a paper: the name it has in code, how it is written, what it means, its unit and its domain."""

    name: str
    text: str
    meaning: str
    unit: Unit
    domain: Literal["> 0", ">= 0", "real", "integer >= 0", "integer >= 1", "(0, 1]", "(0, 1)"]

    def check(self, value: Scalar, where: str) -> None:
        """Raise `ValueError` naming the symbol, the value and the domain if `value` lies outside it, `TypeError` for what is
        no number and no array of numbers."""
        try:
            entries = _entries(value)
        except OverflowError:
            raise ValueError(
                f"{where}: {self.text} = {short(value)} is too large for floats ({self.meaning})"
            ) from None
        if entries is None:
            raise TypeError(
                f"{where}: {self.text} = {value!r} is no number ({self.meaning}); "
                "give an int, a float, a Fraction, or an array of integers or floats"
            )
        if not self.allows(value):
            bad = entries[~_INSIDE[self.domain](entries)].ravel()[0] if entries.ndim else value
            finite = " and finite" if self.domain in ("> 0", ">= 0", "real") else ""
            raise ValueError(
                f"{where}: {self.text} = {bad} is outside its domain {self.domain}{finite} ({self.meaning})"
            )

    def number(self, value: Any, where: str) -> int | float:
        """`value`, checked to be one number of the domain, as a float; as an int where only integers are allowed. Raises as `check`
        does."""
        self.check(value, where)
        found = plain(value)
        if found != found:
            raise TypeError(f"{where}: {self.text} = {value!r} is not one number ({self.meaning})")
        return int(found) if self.domain.startswith("integer") else float(found)

    def allows(self, value: Scalar) -> bool:
        """Whether every entry of `value` lies in the domain; what is too large for floats lies in none."""
        try:
            return bool(_INSIDE[self.domain](np.asarray(value, dtype=float)).all())
        except OverflowError:
            return False

    def sympy(self) -> sympy.Symbol:
        """The symbol that the prover uses. Real and nothing more: its domain is a hypothesis that the prover must
        be handed, so that no fact is assumed silently."""
        return sympy.Symbol(self.name, real=True)


def _entries(value: Any) -> np.ndarray | None:
    """A real number, or an array of such, as floats; None for anything else. Bools, complex numbers, lists and None turn into floats
    as readily, but no formula means them, and it cannot be evaluated on a `Decimal`."""
    array, dtype = is_array_api_obj(value), getattr(value, "dtype", None)
    if array and not array_namespace(value).isdtype(dtype, ("integral", "real floating")):
        return None
    if value is None or isinstance(value, bool | str | bytes | Decimal):
        return None
    try:
        entries = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return None
    return entries if array or not entries.ndim else None


_INSIDE = {
    "> 0": lambda a: np.isfinite(a) & (a > 0),
    ">= 0": lambda a: np.isfinite(a) & (a >= 0),
    "real": np.isfinite,
    "integer >= 0": lambda a: np.isfinite(a) & (a >= 0) & (a == np.floor(a)),
    "integer >= 1": lambda a: np.isfinite(a) & (a >= 1) & (a == np.floor(a)),
    "(0, 1]": lambda a: (a > 0) & (a <= 1),
    "(0, 1)": lambda a: (a > 0) & (a < 1),
}


def table(*entries: Symbol) -> dict[str, Symbol]:
    """A paper's letters by name; the names must be distinct."""
    if len({entry.name for entry in entries}) != len(entries):
        raise ValueError(f"a letter stands twice in {[entry.name for entry in entries]}")
    return {entry.name: entry for entry in entries}
