"""What a bound is: a formula, its conditions, its place in a paper, and what it looks like in print.

Every theorem-level inequality of the papers is one `Bound`. The formula is an ordinary function of scalars, so the
same object is evaluated on floats by an engineer, on arrays by a simulation, and on sympy symbols or SMT reals by a prover.
A condition is kept in the solved form *variable ⋛ limit(other parameters)*: that one form can be tested, turned into a
relation for the prover, and, when it fails, answered with the nearest value that would have been allowed.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import sympy
import z3
from array_api_compat import array_namespace, is_array_api_obj

from bounds.scalars import Scalar, exact, is_symbolic, real, representable, told_apart, within_floats
from bounds.symbols import Symbol

Comparison = Literal["<", "<=", ">", ">=", "=="]

_COMPARE: Mapping[str, Callable[[Scalar, Scalar], Scalar]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}
_RELATION = {"<": sympy.StrictLessThan, "<=": sympy.LessThan, ">": sympy.StrictGreaterThan,
             ">=": sympy.GreaterThan, "==": sympy.Equality}  # fmt: skip


NEAR = 1e-3
"""Nearer than this to a limit, relative to it, entries of arrays are taken as exact numbers; elsewhere floats lose three digits."""


class ConditionError(ValueError):
    """A bound was asked for outside the hypotheses it holds under."""


@dataclass(frozen=True)
class Source:
    """Where a statement stands: `paper` is alpha-normec, alpha-normec-poster, fed-alpha-normec, dp-normfedavg or
    ours; `place` is the theorem, equation or sentence; `version` tells main text, appendix and poster apart, and of two readings
    of one place which it is; what is printed never lacks it."""

    paper: str
    place: str
    version: str = ""

    def __str__(self) -> str:
        return ", ".join(part for part in (self.paper, self.place, self.version) if part)


@dataclass(frozen=True)
class Condition:
    """A hypothesis in solved form: `variable comparison limit(parameters)`.

    `printed` is the hypothesis as the paper has it. `limit` takes, by name, the parameters it needs.
    """

    printed: str
    variable: str
    comparison: Comparison
    limit: Callable[..., Scalar]

    def bound(self, parameters: Mapping[str, Scalar]) -> Scalar:
        """The limit at these parameters.

        Behind a strict condition a bound may divide by how far the variable is from the limit: there numbers are taken as exact. A
        limit that may be attained is computed in floats, as whoever attains it has done.
        """
        read = {name: real(parameters[name]) for name in inspect.signature(self.limit).parameters}
        return self.limit(**((exact(read) if self.comparison in ("<", ">") else None) or read))

    def holds(self, parameters: Mapping[str, Scalar]) -> Scalar:
        """Whether the condition holds: a bool, or an array of bools where a parameter is an array."""
        variable = parameters[self.variable]
        if isinstance(variable, np.floating):  # it is compared with fractions in no order
            variable = float(variable)
        return _COMPARE[self.comparison](variable, self.bound(parameters))

    def decided(self, numbers: Mapping[str, Fraction]) -> bool:
        """Whether the condition holds at rational numbers, without rounding: `holds` takes floats for irrational roots. Raises
        `ArithmeticError` where the two sides are too close to tell."""
        names = (self.variable, *inspect.signature(self.limit).parameters)
        found = self.relation({name: sympy.Rational(numbers[name]) for name in names})
        if found not in (sympy.true, sympy.false):
            told = ", ".join(f"{name} = {numbers[name]}" for name in names)
            raise ArithmeticError(f"{self.printed} is not decided at {told}: {found}")
        return bool(found)

    def relation(self, symbols: Mapping[str, Any]) -> Any:
        """The condition as a relation of sympy, or of z3 where the symbols are SMT reals."""
        variable, limit = symbols[self.variable], self.bound(symbols)
        if isinstance(variable, z3.ExprRef) or isinstance(limit, z3.ExprRef):
            return _COMPARE[self.comparison](variable, limit)
        return _RELATION[self.comparison](variable, limit)

    def edge(self, parameters: Mapping[str, Scalar], whole: bool = False) -> Scalar:
        """The value of `variable` at the edge of what this condition allows: the limit, its float neighbour where the condition
        is strict; the nearest integer inside where only integers are values (`whole`)."""
        limit = self.bound(parameters)
        if whole and self.comparison != "==":
            try:
                inward = math.floor(limit) if "<" in self.comparison else math.ceil(limit)
            except (OverflowError, ValueError):  # the limit is beyond all floats, and so is what it asks for
                return limit
            step = {"<": -1, ">": 1}.get(self.comparison, 0)
            return inward + step if inward == limit else inward
        if self.comparison not in ("<", ">"):
            return limit
        nearest = float(limit)
        inside = nearest < limit if self.comparison == "<" else nearest > limit  # of a limit that is no float
        return nearest if inside else np.nextafter(nearest, math.inf if self.comparison == ">" else -math.inf)


@dataclass(frozen=True)
class Bound:
    """A printed (or repaired) upper bound.

    name: the id of the claim that states it, as in the JSON of `python -m verify`; where no claim states just this, other words or a
    remark in brackets. `bounds.catalogue.by_name` finds it.
    source: paper, place and version of the text.
    quantity: what is bounded, in words and symbols.
    typeset: the right-hand side as Typst mathematics.
    formula: the right-hand side as a function of keyword scalars, named as in `symbols`.
    symbols: the paper's table of letters.
    conditions: the hypotheses on those parameters, as printed.
    """

    name: str
    source: Source
    quantity: str
    typeset: str
    formula: Callable[..., Scalar]
    symbols: Mapping[str, Symbol]
    conditions: tuple[Condition, ...] = ()

    def __repr__(self) -> str:
        return f"<Bound {self.name}: {self.quantity}; {self.source.place}; of {', '.join(self.parameters)}>"

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of every parameter that the formula or a condition reads."""
        names = [*inspect.signature(self.formula).parameters]
        for condition in self.conditions:
            names += [condition.variable, *inspect.signature(condition.limit).parameters]
        return tuple(dict.fromkeys(names))

    def __call__(self, **parameters: Scalar) -> Scalar:
        """The bound at these parameters.

        Numbers are taken as exact, and what comes out is right to some units in the last place: a bound that had lost a term on
        the way would promise too much. Only what roots and logarithms are multiplied by must stay within floats. Arrays have the
        rounding of theirs, but where it would decide: at the entries of `_doubtful` they have the bound of these as numbers.

        Raises `TypeError` for a missing or unknown parameter and for what is no number, `ValueError` where a parameter leaves its
        domain, shapes do not go together or no float holds the bound, and `ConditionError`, which is one, where a condition fails;
        the message names the condition, the value and the nearest allowed value.
        """
        self.check(**parameters)
        numbers = {name: real(value) for name, value in parameters.items()}
        if not (arrays := _arrays(numbers)):
            return self._at(numbers)
        with np.errstate(all="ignore"):
            value = self.value(**{name: np.asarray(number, dtype=float) for name, number in numbers.items()})
        doubtful = self._doubtful(numbers)
        found = np.broadcast_to(value, doubtful.shape).copy()
        for place in np.flatnonzero(doubtful | ~np.isfinite(found)).tolist():
            found.flat[place] = self._at(_entries(numbers, doubtful.shape, place))
        xp = array_namespace(*arrays)
        return xp.asarray(found, dtype=xp.result_type(*(array.dtype for array in arrays)))

    def _doubtful(self, numbers: Mapping[str, Scalar]) -> np.ndarray:
        """Where a condition fails in floats, or holds by so little that a bound which divides by that would be mostly rounding."""
        floats = {name: np.asarray(number, dtype=float) for name, number in numbers.items()}
        found = np.zeros(np.broadcast_shapes(*(array.shape for array in floats.values())), dtype=bool)
        with np.errstate(all="ignore"):
            for condition in self.conditions:
                found |= ~np.asarray(condition.holds(floats), dtype=bool)
                if condition.comparison in ("<", ">"):
                    limit = np.asarray(condition.bound(floats), dtype=float)
                    found |= np.abs(floats[condition.variable] - limit) <= NEAR * np.abs(limit)
        return found

    def _at(self, numbers: Mapping[str, Scalar]) -> Scalar:
        """The bound at numbers that were checked."""
        with within_floats(dict(numbers)):
            fractions = exact(numbers)
            if fractions is None or not any(isinstance(v, float | np.floating) for v in numbers.values()):
                return self.value(**numbers)
            found = self.value(**fractions)
            return representable(float(found), self.name) if found else 0.0

    def check(self, **parameters: Scalar) -> None:
        """Raise if the parameters are not inside the domain and the conditions; see `__call__`."""
        self._check_names(parameters)
        for name, value in parameters.items():
            if is_symbolic(value):
                raise TypeError(
                    f"{self.name}: {self.symbols[name].text} = {value} is a symbol, for which no condition can be decided; "
                    "take `.value(…)` for the formula and `.relations({…})` for its conditions"
                )
            self.symbols[name].check(value, self.name)
        self._check_shapes(parameters)
        numbers = {name: real(value) for name, value in parameters.items()}
        doubtful = self._doubtful(numbers) if _arrays(numbers) else np.array(True)
        for place in np.flatnonzero(doubtful).tolist():
            entries = _entries(numbers, doubtful.shape, place)
            with within_floats(entries):
                for condition in self.conditions:
                    self._check_condition(condition, entries)

    def _check_condition(self, condition: Condition, numbers: Mapping[str, Scalar]) -> None:
        if not condition.holds(numbers):
            symbol, limit = self.symbols[condition.variable].text, condition.bound(numbers)
            nearest = self.nearest(condition.variable, numbers)
            given, told, *cure = told_apart(
                numbers[condition.variable], limit, *(() if nearest is None else (nearest,))
            )
            raise ConditionError(
                f"{self.name} needs {condition.printed}: {symbol} = {given} is not {condition.comparison} {told}; "
                + (
                    f"the nearest allowed value is {cure[0]}"
                    if cure
                    else f"no value of {symbol} is allowed while the other parameters are what they are"
                )
            )

    def nearest(self, variable: str, parameters: Mapping[str, Scalar]) -> Scalar | None:
        """The value of `variable` closest to the one given that is in its domain and satisfies every condition on it,
        the other parameters staying as they are; None where no value does."""
        symbol = self.symbols[variable]
        own = [condition for condition in self.conditions if condition.variable == variable]
        edges = [condition.edge(parameters, symbol.domain.startswith("integer")) for condition in own]
        allowed = [
            edge
            for edge in edges
            if symbol.allows(edge) and all(c.holds({**parameters, variable: edge}) for c in own)
        ]
        return min(allowed, key=lambda edge: abs(edge - real(parameters[variable])), default=None)

    def value(self, **parameters: Scalar) -> Scalar:
        """The formula alone, with no condition checked: for a prover or a plot that shows what lies outside."""
        names = inspect.signature(self.formula).parameters
        return self.formula(**{name: real(parameters[name]) for name in names})

    def relations(self, symbols: Mapping[str, Any]) -> tuple[Any, ...]:
        """The conditions as relations of sympy, or of z3 where the symbols are SMT reals."""
        return tuple(condition.relation(symbols) for condition in self.conditions)

    def _check_shapes(self, parameters: Mapping[str, Scalar]) -> None:
        shapes = {name: tuple(getattr(value, "shape", ())) for name, value in parameters.items()}
        try:
            np.broadcast_shapes(*shapes.values())
        except ValueError:
            listed = ", ".join(
                f"{self.symbols[name].text} has {shape}" for name, shape in shapes.items() if shape
            )
            raise ValueError(
                f"{self.name}: arrays of these shapes do not go together: {listed}; give numbers, or arrays that broadcast"
            ) from None

    def _check_names(self, parameters: Mapping[str, Scalar]) -> None:
        missing = [name for name in self.parameters if name not in parameters]
        unknown = [name for name in parameters if name not in self.parameters]
        if missing or unknown:
            raise TypeError(
                f"{self.name} takes {', '.join(self.parameters)}"
                + (f"; missing: {', '.join(missing)}" if missing else "")
                + (f"; unknown: {', '.join(unknown)}" if unknown else "")
            )


def _arrays(numbers: Mapping[str, Scalar]) -> list[Any]:
    """Those that are arrays; a scalar of numpy is a number."""
    return [v for v in numbers.values() if is_array_api_obj(v) and not isinstance(v, np.generic)]


def _entries(numbers: Mapping[str, Scalar], shape: tuple[int, ...], place: int) -> dict[str, Scalar]:
    """The numbers at a place, counted in the row order, of their arrays, which are broadcast to a shape."""
    return {
        name: number
        if isinstance(number, int | float | Fraction)
        else np.broadcast_to(np.asarray(number), shape).flat[place]
        for name, number in numbers.items()
    }
