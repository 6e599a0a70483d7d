"""What exact replays stand on: rationals as a witness writes them, the printed conditions, the verdict, and
derivatives that are linear between knots. Nothing here knows of the search.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy

from bounds.statement import Bound

_RATIONAL = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?")


class WitnessError(ValueError):
    """A witness that is not what it says: malformed, or outside the printed hypotheses."""


@dataclass(frozen=True)
class Verdict:
    """What a replay found. measured: a rational that the measured quantity is not below. bound: exact, as
    sympy has it."""

    measured: Fraction
    bound: sympy.Expr

    @classmethod
    def of(cls, measured: Fraction, letters: Mapping[str, Fraction], bound: Bound) -> Verdict:
        """The bound at its letters, against what was measured."""
        exact = {name: as_sympy(letters[name]) for name in bound.parameters}
        return cls(measured, sympy.sympify(bound.value(**exact)))

    @cached_property
    def broken(self) -> bool:
        """measured > bound."""
        return bool(as_sympy(self.measured) > self.bound)

    @cached_property
    def certified(self) -> Fraction:
        """measured/bound, taken down to a multiple of 10^-9."""
        share = Fraction(int(float(self.measured) / float(self.bound) * 10**9) + 2, 10**9)
        while share > 0 and not as_sympy(self.measured) >= as_sympy(share) * self.bound:
            share -= Fraction(1, 10**9)
        return share


def letters_in(witness: Mapping[str, Any], bound: Bound, family: str | None = None) -> dict[str, Fraction]:
    """The letters of a witness against this bound. family: what "class" it must name. Raises `WitnessError`
    for a witness against another bound or of another class."""
    if witness.get("claim") != bound.name or witness.get("class") != family:
        kind = f"{witness['class']} " if "class" in witness else ""
        raise WitnessError(f"the {kind}witness is against {witness.get('claim')!r}, not against {bound.name}")
    return {name: rational(text, name) for name, text in witness["values"].items()}


def check_printed(letters: Mapping[str, Fraction], bound: Bound) -> None:
    """Signs, K, D and every printed condition. Raises `WitnessError` where one does not hold."""
    for name in bound.parameters:
        if name in letters and bound.symbols[name].domain == "> 0" and letters[name] <= 0:
            raise WitnessError(f"{name} = {letters[name]} must be > 0")
    if letters["K"].denominator != 1 or letters["K"] < 0:
        raise WitnessError(f"K = {letters['K']} must be an integer >= 0")
    if "D" in letters and letters["D"] ** 2 != letters["R"] ** 2 * (letters["K"] + 1):
        raise WitnessError(f"D = {letters['D']} is not R√(K+1)")
    for condition in bound.conditions:
        if not condition.decided(letters):
            raise WitnessError(f"the printed condition {condition.printed} does not hold")


def check_knots(knots: Sequence[Fraction], rows: Iterable[Sequence[Fraction]]) -> None:
    """Knots increase and every row has a derivative for each. Raises `WitnessError` where not."""
    if any(a >= b for a, b in itertools.pairwise(knots)) or len(knots) < 2:
        raise WitnessError("the knots must increase")
    if any(len(row) != len(knots) for row in rows):
        raise WitnessError("one derivative for each knot is needed")


def rational(text: Any, where: str) -> Fraction:
    """A rational written as "-3/4". Raises `WitnessError` for anything else."""
    if not isinstance(text, str) or not _RATIONAL.fullmatch(text):
        raise WitnessError(f"{where} = {text!r} is not a rational; write it as a string such as '-3/4'")
    return Fraction(text)


def as_sympy(value: Fraction) -> sympy.Expr:
    """The same rational for sympy."""
    return sympy.Rational(value.numerator, value.denominator)


def derivative(knots: Sequence[Fraction], values: Sequence[Fraction], x: Fraction) -> Fraction:
    """f' at x: linear between knots, constant beyond."""
    if x <= knots[0]:
        return values[0]
    for a, b, left, right in zip(knots, knots[1:], values, values[1:], strict=False):
        if x <= b:
            return left + (right - left) * (x - a) / (b - a)
    return values[-1]


def smoothness(knots: Sequence[Fraction], values: Sequence[Fraction]) -> Fraction:
    """The smallest L for which f is L-smooth."""
    pieces = zip(knots, knots[1:], values, values[1:], strict=False)
    return max(abs(right - left) / (b - a) for a, b, left, right in pieces)


def depth(knots: Sequence[Fraction], values: Sequence[Fraction], start: Fraction) -> Fraction:
    """f(start) − f^inf. Raises `WitnessError` if f has no lower bound."""
    if values[0] > 0 or values[-1] < 0:
        raise WitnessError("f has no lower bound: f' must end ≤ 0 on the left and ≥ 0 on the right")
    points = set(knots) | {start}
    for a, b, left, right in zip(knots, knots[1:], values, values[1:], strict=False):
        if left < 0 < right:
            points.add(a - left * (b - a) / (right - left))
    ordered = sorted(points)
    height, heights = Fraction(0), {ordered[0]: Fraction(0)}
    for a, b in itertools.pairwise(ordered):
        height += (derivative(knots, values, a) + derivative(knots, values, b)) * (b - a) / 2
        heights[b] = height
    return heights[start] - min(heights.values())


def mean_row(rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """The mean of rows, entry by entry."""
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]
