"""What a bound is: a formula, its conditions, its place in a paper, and what it looks like in print.

Every theorem-level inequality of the papers is one `Bound`. The formula is an ordinary function of scalars, so the
same object is evaluated on floats by an engineer, on arrays by a simulation, and on sympy symbols by the prover.
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
from typing import Literal

import numpy as np
import sympy

from bounds.scalars import Scalar
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


class ConditionError(ValueError):
    """A bound was asked for outside the hypotheses it holds under."""


@dataclass(frozen=True)
class Source:
    """Where a statement stands: `paper` is alpha-normec, alpha-normec-poster, fed-alpha-normec, dp-normfedavg or
    ours; `place` is the theorem, equation or sentence; `version` tells main text, appendix and poster apart."""

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
        """The limit at these parameters."""
        return self.limit(**{name: parameters[name] for name in inspect.signature(self.limit).parameters})

    def holds(self, parameters: Mapping[str, Scalar]) -> Scalar:
        """Whether the condition holds: a bool, or an array of bools where a parameter is an array."""
        return _COMPARE[self.comparison](parameters[self.variable], self.bound(parameters))

    def relation(self, symbols: Mapping[str, sympy.Expr]) -> sympy.Basic:
        """The condition as a sympy relation."""
        return _RELATION[self.comparison](symbols[self.variable], self.bound(symbols))

    def nearest(self, parameters: Mapping[str, Scalar]) -> Scalar:
        """The value of `variable` closest to the one given that satisfies the condition (a float neighbour of
        the limit where the condition is strict)."""
        limit = self.bound(parameters)
        if self.comparison == "<":
            return np.nextafter(float(limit), -math.inf)
        if self.comparison == ">":
            return np.nextafter(float(limit), math.inf)
        return limit


@dataclass(frozen=True)
class Bound:
    """A printed (or repaired) upper bound.

    name: claim id, as in the JSON of `python -m verify`.
    source: paper, place and version of the text.
    quantity: what is bounded, in words and symbols.
    typeset: the right-hand side as Typst mathematics.
    formula: the right-hand side as a function of keyword scalars, named as in `symbols`.
    symbols: the paper's table of letters.
    conditions: the hypotheses on those parameters, as printed.
    extra: parameters that only the conditions mention.
    """

    name: str
    source: Source
    quantity: str
    typeset: str
    formula: Callable[..., Scalar]
    symbols: Mapping[str, Symbol]
    conditions: tuple[Condition, ...] = ()
    extra: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of every parameter that the formula or a condition reads."""
        names = [*inspect.signature(self.formula).parameters, *self.extra]
        for condition in self.conditions:
            names += [condition.variable, *inspect.signature(condition.limit).parameters]
        return tuple(dict.fromkeys(names))

    def __call__(self, **parameters: Scalar) -> Scalar:
        """The bound at these parameters.

        Raises `TypeError` for a missing or unknown parameter and `ConditionError` where a parameter leaves its
        domain or a condition fails; the message names the condition, the value and the nearest allowed value.
        """
        self.check(**parameters)
        return self.value(**parameters)

    def check(self, **parameters: Scalar) -> None:
        """Raise if the parameters are not inside the domain and the conditions; see `__call__`."""
        self._check_names(parameters)
        for name, value in parameters.items():
            self.symbols[name].check(value, self.name)
        for condition in self.conditions:
            holds = np.asarray(condition.holds(parameters))
            if not holds.all():
                first = {k: _at(v, holds, np.argmin(holds.ravel())) for k, v in parameters.items()}
                symbol = self.symbols[condition.variable].text
                raise ConditionError(
                    f"{self.name} needs {condition.printed}: {symbol} = {first[condition.variable]} is not "
                    f"{condition.comparison} {condition.bound(first)}; the nearest allowed value is "
                    f"{condition.nearest(first)}"
                )

    def value(self, **parameters: Scalar) -> Scalar:
        """The formula alone, with no condition checked: for a prover or a plot that shows what lies outside."""
        return self.formula(**{name: parameters[name] for name in inspect.signature(self.formula).parameters})

    def relations(self, symbols: Mapping[str, sympy.Expr]) -> tuple[sympy.Basic, ...]:
        """The conditions as sympy relations."""
        return tuple(condition.relation(symbols) for condition in self.conditions)

    def _check_names(self, parameters: Mapping[str, Scalar]) -> None:
        missing = [name for name in self.parameters if name not in parameters]
        unknown = [name for name in parameters if name not in self.parameters]
        if missing or unknown:
            raise TypeError(
                f"{self.name} takes {', '.join(self.parameters)}"
                + (f"; missing: {', '.join(missing)}" if missing else "")
                + (f"; unknown: {', '.join(unknown)}" if unknown else "")
            )


def _at(value: Scalar, mask: np.ndarray, index: np.intp) -> Scalar:
    """The element of a (possibly broadcast) parameter at the first place where a condition fails."""
    if isinstance(value, int | float | Fraction):
        return value
    return np.broadcast_to(np.asarray(value), mask.shape).ravel()[index]
