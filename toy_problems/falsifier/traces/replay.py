"""A trace checked again in exact arithmetic, by code that shares nothing with the search.

A witness holds, as rationals, the letters of the bound, ∇f(xᵏ) and f(xᵏ) for k = 0, …, K, the residuals
∇f_i(x⁰) − g_i⁰ and the matrices Q_i. The points xᵏ are what the algorithm makes of them: their coordinates hold
roots, so they are enclosed between rationals. Checked are the printed conditions, f_i = f + ½⟨x, Q_i x⟩ being
L_max-smooth, and for every pair of points the interpolation inequality of an L-smooth f, which holds if its
upper end does. The measured least gradient is the root of a rational. Nothing in a witness is executed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from bounds.statement import Bound
from toy_problems.falsifier.exact import Verdict, WitnessError, as_sympy, check_printed, letters_in, rational
from toy_problems.falsifier.intervals import Interval, inner, norm, total

Vector = list[Interval]


def replay_trace(witness: Mapping[str, Any], bound: Bound) -> Verdict:
    """Check a trace against a bound. Raises `WitnessError` where a hypothesis is not satisfied."""
    letters = letters_in(witness, bound, "interpolated")
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
    check_run(letters, bound, len(gradients), residuals)
    _clients(letters, bends, d)
    held = [[Interval.of(g - r) for g, r in zip(gradients[0], row, strict=True)] for row in residuals]
    run = list(rounds(letters, held, lambda k, x: [_local(gradients[k], Q, x) for Q in bends]))
    _interpolation(letters["L"], [x for x, _, _ in run], gradients, values)
    depth = max(
        values[0] - f + _square(g) / (2 * letters["L"]) for f, g in zip(values, gradients, strict=True)
    )
    if letters["f_gap"] < depth:
        raise WitnessError(f"f(x⁰) − f^inf = {letters['f_gap']}, but the trace needs {depth} at least")
    least = min(_square(g) for g in gradients)
    residual = witness["quantity"] == "residual"
    measured = largest_residual(run) if residual else Interval.of(least).root().low
    return Verdict.of(measured, letters, bound)


def _rows(rows: Any, where: str) -> list[list[Fraction]]:
    return [[rational(text, where) for text in row] for row in rows]


def _square(vector: Sequence[Fraction]) -> Fraction:
    return sum((v * v for v in vector), Fraction(0))


def check_run(letters: Mapping[str, Fraction], bound: Bound, points: int, residuals) -> None:
    """The printed conditions, K and n of a run of so many points, and R the largest residual ∇f_i(x⁰) − g_i⁰.
    Raises `WitnessError` where one does not hold."""
    check_printed(letters, bound)
    n = len(residuals)
    for name, size in {"K": points - 1, "n": n, "M": n}.items():
        if name in letters and letters[name] != size:
            raise WitnessError(f"{name} = {letters[name]}, but the witness has {size}")
    if max(_square(r) for r in residuals) != letters["R"] ** 2:
        raise WitnessError(f"R = {letters['R']} is not the largest residual of the memories")


Round = tuple[Vector, list[Vector], list[Vector]]
"""xᵏ, the clients' memories before round k, their gradients at xᵏ."""


def rounds(
    letters: Mapping[str, Fraction], held: list[Vector], gradients: Callable[[int, Vector], list[Vector]]
) -> Iterator[Round]:
    """k = 0, …, K of α-NormEC, Algorithm 1, from x⁰ = 0 (Fed-α-NormEC with one local step is the same, with η
    for γ). gradients: of all clients at xᵏ."""
    alpha, beta = Interval.of(letters["alpha"]), Interval.of(letters["beta"])
    step = Interval.of(letters["eta"] if "eta" in letters else letters["gamma"])
    n, d, K = len(held), len(held[0]), int(letters["K"])
    part = Interval.of(Fraction(1, n))
    x: Vector = [Interval.of(0)] * d
    server = [total([row[c] for row in held]) * part for c in range(d)]
    for k in range(K + 1):
        local = gradients(k, x)
        yield x, held, local
        if k == K:
            return
        sent = []
        for gradient, memory in zip(local, held, strict=True):
            difference = [a - b for a, b in zip(gradient, memory, strict=True)]
            size = alpha + norm(difference)
            sent.append([beta * a / size for a in difference])
        held = [[m + s for m, s in zip(row, v, strict=True)] for row, v in zip(held, sent, strict=True)]
        server = [v + part * total([row[c] for row in sent]) for c, v in enumerate(server)]
        length = norm(server)
        x = [a - step * v / length for a, v in zip(x, server, strict=True)]


def largest_residual(run: Sequence[Round]) -> Fraction:
    """A lower end of max_i ‖∇f_i(x¹) − g_i¹‖."""
    _, held, local = run[1]
    residuals = [[a - b for a, b in zip(g, m, strict=True)] for g, m in zip(local, held, strict=True)]
    return max(norm(residual).low for residual in residuals)


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
