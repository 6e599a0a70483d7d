"""Exact computations: a comparison of fractions, and a node that runs one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import sympy

from verify.evidence import Evidence, Kind
from verify.facts import Fact, derived
from verify.obligation import Settings


@dataclass(frozen=True)
class Comparison:
    """The outcome of an exact computation: `lhs comparison rhs`, and whether everything it presupposes held. Raises
    `TypeError` where a side is no rational number (a bool is none: what it stands for is to be compared itself)."""

    lhs: Fraction
    comparison: str
    rhs: Fraction
    presupposed: tuple[tuple[str, bool], ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.presupposed, tuple):
            raise TypeError(
                f"what is presupposed is a tuple, which can be read twice, not {self.presupposed!r}"
            )
        for side in (self.lhs, self.rhs):
            if isinstance(side, bool) or not isinstance(side, int | Fraction):
                raise TypeError(f"a comparison is exact: {side!r} is neither an integer nor a fraction")
        for text, true in self.presupposed:
            if not isinstance(true, bool):
                raise TypeError(f"whether '{text}' holds is True or False, not {true!r}")

    @property
    def holds(self) -> bool:
        left, right = self.lhs, self.rhs
        outcome = {
            "<": left < right, "<=": left <= right, ">": left > right,
            ">=": left >= right, "==": left == right, "!=": left != right,
        }[self.comparison]  # fmt: skip
        return outcome and not self.unmet

    @property
    def unmet(self) -> list[str]:
        """What is presupposed and does not hold, in words."""
        return [text for text, true in self.presupposed if not true]


def decimal(number: Fraction) -> float | Decimal:
    """A float where it can hold the number, else 28 digits."""
    size = max(len(str(abs(number.numerator))), len(str(number.denominator)))
    return float(number) if size < 300 else Decimal(number.numerator) / Decimal(number.denominator)


def apart(left: Fraction, right: Fraction) -> tuple[str, str] | None:
    """Both as decimals, with as many digits as it takes to tell them apart, from six up; none where sixteen do not."""
    for digits in range(6, 17):
        shown = f"{decimal(left):.{digits}g}", f"{decimal(right):.{digits}g}"
        if shown[0] != shown[1] or left == right:
            return shown
    return None


@dataclass(frozen=True)
class Computation:
    """An exact computation (an enumeration, a run of an algorithm in fractions, an accounting): `run` returns the
    comparison that must hold."""

    name: str
    kind: Kind
    run: Callable[[], Comparison]
    given: tuple[Fact, ...] = ()
    concludes: Fact | None = None

    @property
    def conclusion(self) -> Fact:
        return self.concludes or derived(self.name, sympy.true)

    def discharge(self, settings: Settings) -> Evidence:
        start = time.perf_counter()
        result = self.run()
        detail = f"{result.lhs} {result.comparison} {result.rhs}" + "".join(
            f"; not so: {text}" for text in result.unmet
        )
        status = "proved" if result.holds else "refuted"
        return Evidence(self.name, self.kind, status, time.perf_counter() - start, "fractions", detail=detail)
