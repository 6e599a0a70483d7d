"""Explicit functions of two variables run again with rational enclosures, by code that shares nothing with the
search.

A witness holds each client's φ_i' and ψ_i' by their values at knots (linear between, constant beyond), the
residuals ∇f_i(0) − g_i⁰ and the letters of the bound, all rational. L, L_i, f^inf and R follow from them and are
compared with the letters. The points hold roots and are enclosed; a derivative at an enclosed point is that at
its lower end, widened by the client's smoothness times the width.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from bounds.statement import Bound
from toy_problems.falsifier.exact import (
    Verdict,
    WitnessError,
    check_knots,
    depth,
    derivative,
    letters_in,
    mean_row,
    rational,
    smoothness,
)
from toy_problems.falsifier.intervals import Interval, norm, total
from toy_problems.falsifier.traces.replay import check_run, largest_residual, rounds

Axis = tuple[list[Fraction], list[list[Fraction]]]
"""Knots, and each client's derivative there."""


def replay_planar(witness: Mapping[str, Any], bound: Bound) -> Verdict:
    """Check a witness against a bound. Raises `WitnessError` where a hypothesis is not satisfied."""
    letters = letters_in(witness, bound, "planar")
    axes: list[Axis] = []
    for axis in witness["axes"]:
        knots = [rational(t, "knot") for t in axis["knots"]]
        rows = [[rational(g, "derivative") for g in row] for row in axis["derivatives"]]
        check_knots(knots, rows)
        axes.append((knots, rows))
    residuals = [[rational(r, "residual") for r in row] for row in witness["residuals"]]
    n = len(residuals)
    if len(axes) != 2 or any(len(rows) != n for _, rows in axes) or any(len(r) != 2 for r in residuals):
        raise WitnessError("two axes and one function and residual for each client are needed")
    check_run(letters, bound, int(letters["K"]) + 1, residuals)
    _constants(letters, axes)
    held = [
        [
            Interval.of(derivative(knots, rows[i], Fraction(0)) - r)
            for (knots, rows), r in zip(axes, row, strict=True)
        ]
        for i, row in enumerate(residuals)
    ]
    run = list(
        rounds(
            letters,
            held,
            lambda _, x: [[_at(axis, i, t) for axis, t in zip(axes, x, strict=True)] for i in range(n)],
        )
    )
    if witness["quantity"] == "residual":
        measured = largest_residual(run)
    else:
        part = Interval.of(Fraction(1, n))
        measured = min(
            norm([total(list(g)) * part for g in zip(*local, strict=True)]).low for _, _, local in run
        )
    return Verdict.of(measured, letters, bound)


def _constants(letters: Mapping[str, Fraction], axes: list[Axis]) -> None:
    gap = sum((depth(knots, mean_row(rows), Fraction(0)) for knots, rows in axes), Fraction(0))
    if letters["f_gap"] < gap:
        raise WitnessError(f"f(x⁰) − f^inf = {letters['f_gap']}, but the functions give {gap}")
    if letters["f_gap"] > gap:
        raise WitnessError(f"f(x⁰) − f^inf = {letters['f_gap']} is more than the functions' {gap}")
    L = max(smoothness(knots, mean_row(rows)) for knots, rows in axes)
    if letters["L"] < L:
        raise WitnessError(f"L = {letters['L']} is less than f's smoothness {L}")
    for knots, rows in axes:
        for row in rows:
            if letters["L_max"] < smoothness(knots, row):
                raise WitnessError(
                    f"L_max = {letters['L_max']} is less than a client's {smoothness(knots, row)}"
                )


def _at(axis: Axis, client: int, t: Interval) -> Interval:
    knots, rows = axis
    value, spread = derivative(knots, rows[client], t.low), smoothness(knots, rows[client]) * (t.high - t.low)
    return Interval.around(value - spread, value + spread)
