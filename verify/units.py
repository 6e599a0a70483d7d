"""Units: each side of a relation must scale alike when f and x are rescaled.

Rescale f by s and x by t: a letter of unit (a, b) is multiplied by s^a t^b. A relation between two sides of the same unit
survives that; where the sides scale differently, the rescaling itself turns a true instance into a false one or back.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy

from bounds.symbols import Symbol
from verify.evidence import Evidence
from verify.facts import Fact, derived
from verify.obligation import Settings


class UnitError(ValueError):
    """A sum or a maximum of terms of different units, or a logarithm of what has one, or such an exponent."""


def unit_of(expression: sympy.Expr, table: Mapping[str, Symbol]) -> tuple[sympy.Expr, sympy.Expr] | None:
    """The unit of an expression, where roots may leave fractions; None for zero, which has every unit.
    Raises `UnitError` for a mixed sum, `TypeError` for what no unit is known of, which is no contradiction."""
    whole: Any = sympy.sympify(expression)
    return _unit(whole, table)


def _unit(e: Any, table: Mapping[str, Symbol]) -> tuple[sympy.Rational, sympy.Rational] | None:
    if e.is_number:
        return None if e == 0 else (sympy.Integer(0), sympy.Integer(0))
    if isinstance(e, sympy.Symbol):
        u = table[e.name].unit
        return sympy.Integer(u[0]), sympy.Integer(u[1])
    if isinstance(e, sympy.Mul):
        parts = [_unit(a, table) for a in e.args]
        # one form for each exponent, which may hold letters: K(K + 1) and K² + K are one unit
        return sympy.cancel(sum(p[0] for p in parts if p)), sympy.cancel(sum(p[1] for p in parts if p))
    if isinstance(e, sympy.Pow):
        base, exponent = _unit(e.base, table), _unit(e.exp, table)
        if exponent is not None and any(exponent):
            raise UnitError(f"{e} to the power of what has a unit: {exponent}")
        return base and (sympy.cancel(base[0] * e.exp), sympy.cancel(base[1] * e.exp))
    if isinstance(e, sympy.Add | sympy.Max | sympy.Min):
        units = {str(a): _unit(a, table) for a in e.args}
        distinct = {u for u in units.values() if u is not None}
        if len(distinct) > 1:
            raise UnitError(f"terms of different units: {units}")
        return distinct.pop() if distinct else None
    if isinstance(e, sympy.Abs):
        return _unit(e.args[0], table)
    if isinstance(e, sympy.log | sympy.exp):
        inside = _unit(e.args[0], table)
        if inside is not None and any(inside):
            raise UnitError(f"{e} of what has a unit: {inside}")
        return sympy.Integer(0), sympy.Integer(0)
    raise TypeError(f"no unit for {e}")


@dataclass(frozen=True)
class SameUnit:
    """Both sides have one unit (f^a x^b)."""

    name: str
    left: sympy.Expr
    right: sympy.Expr
    table: Mapping[str, Symbol]
    given: tuple[Fact, ...] = ()

    @property
    def conclusion(self) -> Fact:
        return derived(self.name, sympy.true)

    def discharge(self, settings: Settings) -> Evidence:
        start = time.perf_counter()
        try:
            units = [unit_of(side, self.table) for side in (self.left, self.right)]
            status = "unknown" if None in units else "proved" if units[0] == units[1] else "refuted"
            detail = "0 has every unit" if None in units else f"units (of f, of x): {units[0]} and {units[1]}"
        except UnitError as error:
            status, detail = "refuted", str(error)
        return Evidence(self.name, "units", status, time.perf_counter() - start, "units", detail=detail)


@dataclass(frozen=True)
class DifferentUnit(SameUnit):
    """The two sides do not have one unit: what an `inconsistent` verdict rests on. Where f and x are rescaled they do not grow by one
    factor at all numbers either, as (L + 1)(L − 1)/(L² − 1), whose terms have different units, and 1 do."""

    def discharge(self, settings: Settings) -> Evidence:
        found = super().discharge(settings)
        apart = found.status == "refuted" and any(self._rescaled(s, t) for s, t in ((4, 1), (1, 4)))
        return replace(found, status="proved" if apart else "refuted")

    def _rescaled(self, s: int, t: int) -> bool:
        """Whether not both sides grow by one factor where f is rescaled by s and x by t, at letters 2, 3, 5, … and 3, 5, 7, …"""
        sides: list[Any] = [sympy.sympify(side) for side in (self.left, self.right)]
        letters: list[Any] = sorted(set().union(*(side.free_symbols for side in sides)), key=str)
        factors = []
        for first in (1, 2):
            at = {letter: sympy.Integer(sympy.prime(i)) for i, letter in enumerate(letters, first)}
            units = {letter: self.table[letter.name].unit for letter in letters}
            then = {letter: at[letter] * s**a * t**b for letter, (a, b) in units.items()}
            factors += [sympy.N(side.subs(then) / side.subs(at), 30) for side in sides]
        return any(bool(abs(one - factors[0]) > abs(one) / 10**20) for one in factors)
