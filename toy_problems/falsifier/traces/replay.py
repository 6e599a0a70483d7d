"""A trace checked again in exact arithmetic, by code that shares nothing with the search.

A witness holds, as rationals, the letters of the bound, ∇f(xᵏ) and f(xᵏ) for k = 0, …, K, the residuals
∇f_i(x⁰) − g_i⁰ and the matrices Q_i. The points xᵏ are what the algorithm makes of them: their coordinates hold
roots, so they are enclosed between rationals. Checked are the printed conditions, f_i = f + ½⟨x, Q_i x⟩ being
L_max-smooth, and for every pair of points the interpolation inequality of an L-smooth f, which holds if its
upper end does. The measured least gradient is the root of a rational. Nothing in a witness is executed.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from bounds.statement import Bound
from toy_problems.falsifier.exact import WitnessError, as_sympy, rational
from toy_problems.falsifier.intervals import Interval, Undecided, inner, norm, total

Vector = list[Interval]


@dataclass(frozen=True)
class TraceVerdict:
    """What a replay found. measured: a rational that the measured quantity is not below. bound: exact. broken:
    measured > bound. certified: a rational not above measured/bound."""

    measured: Fraction
    bound: sympy.Expr
    broken: bool
    certified: Fraction


def replay_trace(witness: Mapping[str, Any], bound: Bound) -> TraceVerdict:
    """Check a trace against a bound. Raises `WitnessError` where a hypothesis is not satisfied."""
    if witness.get("claim") != bound.name or witness.get("class") != "interpolated":
        raise WitnessError(f"this is no trace against {bound.name}: it names {witness.get('claim')!r}")
    letters = {name: rational(text, name) for name, text in witness["values"].items()}
    gradients = _rows(witness["gradients"], "gradient")
    values = [rational(text, "value of f") for text in witness["heights"]]
    residuals = _rows(witness["residuals"], "residual")
    bends = [_rows(rows, "Q_i") for rows in witness["bends"]]
    d, n = len(gradients[0]), len(residuals)
    if (
        any(len(row) != d for row in gradients + residuals)
        or len(values) != len(gradients)
        or len(bends) != n
    ):
        raise WitnessError("gradients, values, residuals and Q_i do not fit together")
    check_letters(letters, bound, len(gradients), n)
    check_radius(letters, residuals)
    _clients(letters, bends, d)
    try:
        points, memories = _points(letters, gradients, residuals, bends)
        _interpolation(letters["L"], points, gradients, values)
    except Undecided as error:
        raise WitnessError(f"not decided: {error}") from error
    depth = max(
        values[0] - f + _square(g) / (2 * letters["L"]) for f, g in zip(values, gradients, strict=True)
    )
    if letters["f_gap"] < depth:
        raise WitnessError(f"f(x⁰) − f^inf = {letters['f_gap']}, but the trace needs {depth} at least")
    exact = {name: as_sympy(value) for name, value in letters.items() if name in bound.parameters}
    limit = sympy.sympify(bound.value(**exact))
    if witness["quantity"] == "residual":
        measured = _residual(gradients, bends, points, memories)
    else:
        least = min(_square(g) for g in gradients)
        measured = Interval.of(least).root().low
    return TraceVerdict(measured, limit, bool(as_sympy(measured) > limit), certified_share(measured, limit))


def _rows(rows: Any, where: str) -> list[list[Fraction]]:
    return [[rational(text, where) for text in row] for row in rows]


def _square(vector: Sequence[Fraction]) -> Fraction:
    return sum((v * v for v in vector), Fraction(0))


def certified_share(measured: Fraction, limit: sympy.Expr) -> Fraction:
    """measured/limit, taken down to a multiple of 10^-9."""
    guess = Fraction(int(float(measured) / float(limit) * 10**9), 10**9) + Fraction(2, 10**9)
    while guess > 0 and not as_sympy(measured) >= as_sympy(guess) * limit:
        guess -= Fraction(1, 10**9)
    return guess


def check_letters(letters: Mapping[str, Fraction], bound: Bound, points: int, n: int) -> None:
    """Signs, sizes and the printed conditions. Raises `WitnessError` where one does not hold."""
    for name in bound.parameters:
        if name in letters and bound.symbols[name].domain == "> 0" and letters[name] <= 0:
            raise WitnessError(f"{name} = {letters[name]} must be > 0")
    sizes = {"K": points - 1, "n": n, "M": n}
    for name, size in sizes.items():
        if name in letters and letters[name] != size:
            raise WitnessError(f"{name} = {letters[name]}, but the trace has {size}")
    if "D" in letters and letters["D"] ** 2 != letters["R"] ** 2 * (letters["K"] + 1):
        raise WitnessError(f"D = {letters['D']} is not R√(K+1)")
    exact = {name: as_sympy(value) for name, value in letters.items()}
    for condition in bound.conditions:
        if condition.relation(exact) != sympy.true:
            raise WitnessError(f"the printed condition {condition.printed} does not hold")


def check_radius(letters: Mapping[str, Fraction], residuals: list[list[Fraction]]) -> None:
    """R is the largest residual. Raises `WitnessError` where it is not."""
    if max(_square(r) for r in residuals) != letters["R"] ** 2:
        raise WitnessError(f"R = {letters['R']} is not the largest residual of the memories")


def _clients(letters: Mapping[str, Fraction], bends, d: int) -> None:
    """Σ Q_i = 0 and −(L_max − L) I ≤ Q_i ≤ (L_max − L) I, so that each f + ½⟨x, Q_i x⟩ is L_max-smooth."""
    room = letters["L_max"] - letters["L"]
    if room < 0:
        raise WitnessError(f"L = {letters['L']} is more than L_max = {letters['L_max']}")
    for row, column in itertools.product(range(d), repeat=2):
        if sum((Q[row][column] for Q in bends), Fraction(0)) != 0:
            raise WitnessError("the Q_i do not sum to 0")
        if any(Q[row][column] != Q[column][row] for Q in bends):
            raise WitnessError("a Q_i is not symmetric")
    for Q in bends:
        for sign in (1, -1):
            shifted = sympy.Matrix(
                d, d, lambda a, b, Q=Q, sign=sign: as_sympy(room * (a == b) - sign * Q[a][b])
            )
            for size in range(1, d + 1):
                for chosen in itertools.combinations(range(d), size):
                    if shifted.extract(list(chosen), list(chosen)).det() < 0:
                        raise WitnessError("a Q_i is larger than L_max − L")


def _points(letters, gradients, residuals, bends) -> tuple[list[Vector], list[list[Vector]]]:
    """x⁰ = 0, x¹, …, x^K and the memories before each round: α-NormEC, Algorithm 1 (Fed-α-NormEC with one
    local step is the same, with η for γ)."""
    alpha, beta = Interval.of(letters["alpha"]), Interval.of(letters["beta"])
    step = Interval.of(letters["eta"] if "eta" in letters else letters["gamma"])
    n, d = len(residuals), len(gradients[0])
    share = beta * Interval.of(Fraction(1, n))
    x: Vector = [Interval.of(0)] * d
    held = [[Interval.of(g - r) for g, r in zip(gradients[0], row, strict=True)] for row in residuals]
    server = [total([row[c] for row in held]) * Interval.of(Fraction(1, n)) for c in range(d)]
    points, memories = [x], [held]
    for gradient in gradients[:-1]:
        after = []
        for Q, memory in zip(bends, held, strict=True):
            local = _local(gradient, Q, x)
            difference = [a - b for a, b in zip(local, memory, strict=True)]
            size = alpha + norm(difference)
            shaped = [a / size for a in difference]
            after.append([m + beta * s for m, s in zip(memory, shaped, strict=True)])
            server = [v + share * s for v, s in zip(server, shaped, strict=True)]
        length = norm(server)
        x = [a - step * v / length for a, v in zip(x, server, strict=True)]
        held = after
        points.append(x)
        memories.append(held)
    return points, memories


def _local(gradient: Sequence[Fraction], Q, x: Vector) -> Vector:
    """∇f_i(x) = ∇f(x) + Q_i x."""
    rows = [inner([Interval.of(q) for q in row], x) for row in Q]
    return [Interval.of(g) + b for g, b in zip(gradient, rows, strict=True)]


def _interpolation(L: Fraction, points: list[Vector], gradients, values) -> None:
    for j, k in itertools.permutations(range(len(points)), 2):
        steps = [a - b for a, b in zip(points[j], points[k], strict=True)]
        sums = [Interval.of((a + b) / 2) for a, b in zip(gradients[j], gradients[k], strict=True)]
        turn = _square([a - b for a, b in zip(gradients[j], gradients[k], strict=True)]) / (4 * L)
        least = (
            inner(sums, steps) + Interval.of(turn) - total([s.square() for s in steps]) * Interval.of(L / 4)
        )
        if not values[j] - values[k] >= least.high:
            raise WitnessError(
                f"no {L}-smooth function: f(x^{j}) − f(x^{k}) = {float(values[j] - values[k])} "
                f"may be {float(least.high)} at least"
            )


def _residual(gradients, bends, points, memories) -> Fraction:
    """A lower end of max_i ‖∇f_i(x¹) − g_i¹‖."""
    sizes = []
    for Q, memory in zip(bends, memories[1], strict=True):
        local = _local(gradients[1], Q, points[1])
        sizes.append(norm([a - b for a, b in zip(local, memory, strict=True)]).low)
    return max(sizes)
