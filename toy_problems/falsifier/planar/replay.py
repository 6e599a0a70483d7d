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
from itertools import pairwise
from typing import Any

import sympy

from bounds.statement import Bound
from toy_problems.falsifier.exact import WitnessError, depth, derivative, mean_row, rational, smoothness
from toy_problems.falsifier.intervals import Interval, Undecided, norm, total
from toy_problems.falsifier.traces.replay import (
    TraceVerdict,
    certified_share,
    check_letters,
    check_radius,
)

Axis = tuple[list[Fraction], list[list[Fraction]]]
"""Knots, and each client's derivative there."""


def replay_planar(witness: Mapping[str, Any], bound: Bound) -> TraceVerdict:
    """Check a witness against a bound. Raises `WitnessError` where a hypothesis is not satisfied."""
    if witness.get("claim") != bound.name or witness.get("class") != "planar":
        raise WitnessError(f"this is no planar witness against {bound.name}")
    letters = {name: rational(text, name) for name, text in witness["values"].items()}
    axes: list[Axis] = []
    for axis in witness["axes"]:
        knots = [rational(t, "knot") for t in axis["knots"]]
        rows = [[rational(g, "derivative") for g in row] for row in axis["derivatives"]]
        if any(a >= b for a, b in pairwise(knots)) or any(len(r) != len(knots) for r in rows):
            raise WitnessError("knots must increase, with one derivative for each")
        axes.append((knots, rows))
    residuals = [[rational(r, "residual") for r in row] for row in witness["residuals"]]
    n = len(residuals)
    if len(axes) != 2 or any(len(rows) != n for _, rows in axes) or any(len(r) != 2 for r in residuals):
        raise WitnessError("two axes and one function and residual for each client are needed")
    check_letters(letters, bound, int(letters["K"]) + 1, n)
    check_radius(letters, residuals)
    _constants(letters, axes)
    try:
        gradients, after = _run(letters, axes, residuals)
    except Undecided as error:
        raise WitnessError(f"not decided: {error}") from error
    measured = after if witness["quantity"] == "residual" else min(norm(g).low for g in gradients)
    exact = {
        name: sympy.Rational(value.numerator, value.denominator)
        for name, value in letters.items()
        if name in bound.parameters
    }
    limit = sympy.sympify(bound.value(**exact))
    broken = bool(sympy.Rational(measured.numerator, measured.denominator) > limit)
    return TraceVerdict(measured, limit, broken, certified_share(measured, limit))


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


def _run(
    letters: Mapping[str, Fraction], axes: list[Axis], residuals
) -> tuple[list[list[Interval]], Fraction]:
    """∇f(xᵏ), k = 0, …, K, and a lower end of max_i ‖∇f_i(x¹) − g_i¹‖: α-NormEC, Algorithm 1."""
    n, zero = len(residuals), Interval.of(0)
    alpha, beta = Interval.of(letters["alpha"]), Interval.of(letters["beta"])
    step, part = (
        Interval.of(letters["eta"] if "eta" in letters else letters["gamma"]),
        Interval.of(Fraction(1, n)),
    )
    x = [zero, zero]
    held = [
        [
            Interval.of(derivative(axis[0], axis[1][i], Fraction(0)) - residuals[i][c])
            for c, axis in enumerate(axes)
        ]
        for i in range(n)
    ]
    server = [total([g[c] for g in held]) * part for c in range(2)]
    gradients, largest = [], Fraction(0)
    for k in range(int(letters["K"]) + 1):
        local = [[_at(axis, i, x[c]) for c, axis in enumerate(axes)] for i in range(n)]
        gradients.append([total([g[c] for g in local]) * part for c in range(2)])
        differences = [[a - b for a, b in zip(g, m, strict=True)] for g, m in zip(local, held, strict=True)]
        if k == 1:
            largest = max(norm(v).low for v in differences)
        if k == int(letters["K"]):
            break
        shaped = []
        for difference in differences:
            size = alpha + norm(difference)
            shaped.append([beta * a / size for a in difference])
        held = [[m + s for m, s in zip(g, v, strict=True)] for g, v in zip(held, shaped, strict=True)]
        server = [server[c] + part * total([v[c] for v in shaped]) for c in range(2)]
        length = norm(server)
        x = [a - step * v / length for a, v in zip(x, server, strict=True)]
    return gradients, largest
