"""From a candidate with local steps to an exact witness: pieces rounded to rationals, the valley, the dips
and every letter written out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any

import numpy as np

from toy_problems.falsifier.evolution import Found
from toy_problems.falsifier.exact import Verdict, WitnessError, depth, derivative, mean_row
from toy_problems.falsifier.local.candidates import LocalLayout, LocalPrimary, Pieces, decode_local
from toy_problems.falsifier.local.replay import Problem, replay_local
from toy_problems.falsifier.local.search import NUMBERS, run_local
from toy_problems.falsifier.local.targets import LocalFacts, LocalTarget, in_units, letters_of_local, unit
from toy_problems.falsifier.rounding import Witness, coarsest, smallest

DENOMINATORS = (1, 2, 4, 10, 100, 10**4, 10**6)
Rows = list[list[list[Fraction]]]
"""Derivatives at the knots, for each client and each of its functions."""


def local_witness(target: LocalTarget, found: Found) -> tuple[Witness, Verdict]:
    """The smallest of the candidates that breaks the bound exactly, as coarsely rounded as it allows, and
    what its replay says. Raises `NoWitness` if none does."""

    def attempt(one: Found) -> tuple[Witness, Verdict]:
        return coarsest(
            partial(_write, target, one), lambda written: replay_local(written, target.bound), DENOMINATORS
        )

    return smallest(found, attempt)


def _near(value: float, denominator: int, least: Fraction | None = None) -> Fraction:
    """A rational near a number, with few digits beside its size."""
    number = Fraction(float(value))
    size = Fraction(1)
    while 0 < abs(number) < size:
        size /= 10
    rounded = (number / size).limit_denominator(denominator) * size
    return rounded if least is None else max(rounded, least)


def _write(target: LocalTarget, found: Found, denominator: int) -> Witness:
    layout = found.layout
    primary = decode_local(found.genome[None], layout)
    base = [[_plain(b, denominator) for b in row] for row in primary.pieces.base[0]]
    slopes = [[[_plain(s, denominator) for s in piece] for piece in row] for row in primary.pieces.slopes[0]]
    genes = {name: _near(getattr(primary, name)[0], denominator) for name in NUMBERS}
    genes |= {"share": min(genes["share"], 1 - Fraction(1, 10**6)), "scale": max(genes["scale"], Fraction(1)),
              "tightness": min(genes["tightness"], Fraction(1)), "local": min(genes["local"], Fraction(1))}  # fmt: skip
    wide = _near(np.sqrt(primary.spread[0]), denominator)
    inner = _near(np.sqrt(primary.spread[0] + primary.inner[0]), denominator, wide)
    inner = inner if layout.functions > 1 else wide
    genes |= {"spread": wide**2, "inner": inner**2 - wide**2}
    K = Fraction(round(10.0 ** (primary.rounds[0] / target.power)))
    letters = letters_of_local(target, genes, LocalFacts(layout.clients, layout.T, K))
    pieces = Pieces(np.array([base], dtype=float), np.array([slopes], dtype=float))
    start = _start(target, replace(primary, pieces=pieces), layout, letters)
    knots, rows = _functions(base, slopes, pieces, wide, inner)
    problem = Problem(knots, rows, layout.T)
    residual = [_plain(r, denominator) for r in primary.residual[0]]
    memories = [problem.update(i, start, letters["gamma"]) - letters["R"] * r for i, r in enumerate(residual)]
    letters["f_gap"] = depth(knots, mean_row([mean_row(client) for client in rows]), start)
    factor = _unit(letters) if target.printed else Fraction(1)
    written = in_units(letters, factor, target.bound)
    names = {*target.bound.parameters, "R", "gamma", "beta", "eta", "L", "p", "T", "alpha", "K"}
    return {
        "claim": target.bound.name,
        "quantity": target.bound.quantity,
        "values": {name: str(Fraction(written[name])) for name in sorted(names) if name in written},
        "start": str(start),
        "memories": [str(factor * m) for m in memories],
        "knots": [str(t) for t in knots],
        "clients": [[[str(factor * g) for g in row] for row in client] for client in rows],
    }


def _plain(value: float, denominator: int) -> Fraction:
    return Fraction(float(value)).limit_denominator(denominator)


def _unit(letters: dict[str, Any]) -> Fraction:
    """Twice a power of 4, so that √(2L) is rational, for which the condition on ηγ holds."""
    factor, need = Fraction(2), unit(letters)
    while factor < need:
        factor *= 4
    return factor


def _start(target: LocalTarget, primary: LocalPrimary, layout: LocalLayout, letters) -> Fraction:
    """x⁰ by the search's own rule, for the rounded functions and letters, to a millionth of η."""
    numbers = {name: np.array([float(value)]) for name, value in letters.items()}
    shown = run_local(target, primary, layout, numbers)
    finest = max(1, ceil(10**6 / float(letters["eta"])))
    return Fraction(float(shown.start[0])).limit_denominator(finest)


Points = list[tuple[Fraction, Fraction]]
"""A derivative by its knots: linear between, constant beyond."""


def _functions(base, slopes, pieces: Pieces, wide: Fraction, inner: Fraction) -> tuple[list[Fraction], Rows]:
    """Knots, and the derivatives there of all functions: grid, right end, valley, dips."""
    M, S = len(base), len(base[0])
    length = Fraction(ceil(float(pieces.valley()[0][0])) + 1)
    steep = pieces.valley(float(length))[1][0]
    curves = [
        _curve(base[q // S][q % S], slopes[q // S][q % S], length, steep[q // S, q % S]) for q in range(M * S)
    ]
    bottom = curves[0][0][0]
    if any(curve[0][0] != bottom for curve in curves):
        raise WitnessError("the valleys do not end at one place")
    parts: list[list[tuple[int, Points]]] = [[(1, curve)] for curve in curves]
    for i in range(M if M > 1 else 0):
        dip = _dip(bottom - 1 - 5 * wide * (i + 1), wide)
        for j in range(S):
            parts[i * S + j].append((1, dip))
            parts[(i - 1) % M * S + j].append((-1, dip))
    for q in range(M * S if inner > wide else 0):
        dip = _dip(bottom - 2 - 5 * wide * M - 5 * inner * (q + 1), inner)
        parts[q].append((1, dip))
        parts[q // S * S + (q - 1) % S].append((-1, dip))
    knots = sorted({place for part in parts for _, points in part for place, _ in points})
    rows = [[sum((s * _at(points, t) for s, points in part), Fraction(0)) for t in knots] for part in parts]
    if any(depth([t for t, _ in curve], [g for _, g in curve], bottom) != 0 for curve in curves):
        raise WitnessError("a function is lower elsewhere than at the common bottom")
    return knots, [rows[i * S : (i + 1) * S] for i in range(M)]


def _at(points: Points, x: Fraction) -> Fraction:
    return derivative([t for t, _ in points], [g for _, g in points], x)


def _curve(base: Fraction, slopes: list[Fraction], length: Fraction, steep: float) -> Points:
    """f' on the grid; up to 0 on the right if it ends below; and on the left the way down to the bottom."""
    J = len(slopes) // 2
    values = [base - sum(slopes[j:J], Fraction(0)) if j < J else base + sum(slopes[J:j], Fraction(0))
              for j in range(2 * J + 1)]  # fmt: skip
    points = [(Fraction(j - J), value) for j, value in enumerate(values)]
    if values[-1] < 0:
        points.append((J - values[-1], Fraction(0)))
    h = max(Fraction(ceil(steep * 1000) + 1, 1000), values[0])
    bottom, turn = -J - length, -J - (h - values[0])
    if bottom + h >= turn:
        raise WitnessError("the valley is too short")
    straight = [(turn, h)] if turn < -J else []
    return [(bottom, Fraction(0)), (bottom + h, h), *straight, *points]


def _dip(place: Fraction, width: Fraction) -> Points:
    """A dip of depth width² and curvature 1."""
    heights = (0, -1, 0, 1, 0)
    return [(place + k * width, height * width) for k, height in enumerate(heights)]
