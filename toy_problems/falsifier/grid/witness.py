"""From a candidate of the search to a witness: genes rounded to rationals, functions written out,
everything exact.

The genes are rounded as coarsely as the witness allows, so that a person can read it. The functions become
derivatives at knots: the visited grid, the tails that bring f' back to 0, and, where f must be deeper, a
valley beyond the right end.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Any

import numpy as np

from toy_problems.falsifier.evolution import Found
from toy_problems.falsifier.exact import Verdict, WitnessError, depth, mean_row, smoothness
from toy_problems.falsifier.genome import SCALARS, decode
from toy_problems.falsifier.grid.replay import replay
from toy_problems.falsifier.rounding import Witness, coarsest, rounded_genes, smallest
from toy_problems.falsifier.targets import Facts, Target


def witness(target: Target, found: Found) -> tuple[Witness, Verdict]:
    """The smallest of the candidates found that breaks the bound in exact arithmetic, and what its replay
    says. Raises `NoWitness` if none does."""
    return smallest(
        found,
        lambda one: coarsest(partial(_write, target, one), lambda written: replay(written, target.bound)),
    )


def _write(target: Target, found: Found, denominator: int) -> Witness:
    primary = decode(found.genome[None], found.layout)
    functions, layout = primary.functions, found.layout
    n, J, tiny = layout.clients, layout.reach, Fraction(1, denominator)
    scalars = {name: getattr(primary, name)[0] for name in SCALARS if name not in ("tail", "drop")}
    genes = rounded_genes(scalars | {"drop": functions.drop[0]}, denominator, 1 - Fraction(1, 10**6))

    def rounded(values: Any, least: int | Fraction = -1) -> list[Fraction]:
        near = (Fraction(float(value)).limit_denominator(denominator) for value in values)
        return [min(max(value, Fraction(least)), Fraction(1)) for value in near]

    slopes = [rounded(functions.slopes[0, i]) for i in range(n)]
    base = [Fraction(float(b)).limit_denominator(denominator) for b in functions.base[0]]
    tails = rounded(functions.tails[0], tiny)
    residual = rounded(primary.residual[0])
    knots = [Fraction(j) for j in range(-J, J + 1)]
    rows = [[b + change(s, J, j) for j in range(2 * J + 1)] for b, s in zip(base, slopes, strict=True)]
    knots, rows = with_tails(knots, rows, tails)
    mean = mean_row(rows)
    gap, steepest = depth(knots, mean, Fraction(0)), smoothness(knots, mean)
    deep = target.deepened or genes["drop"] > 0
    L = max(steepest, sum(tails, Fraction(0)) / n) if deep else steepest
    root: int | float = isqrt(layout.K + 1) if target.square else float(np.sqrt(layout.K + 1))
    letters = target.setting(genes, Facts(layout.K, root, n, 1, L, gap, abs(sum(base, Fraction(0))) / n))
    if letters["drop"] < 0:
        raise WitnessError("f is deeper than the hypotheses ask")
    knots, rows = with_valley(knots, rows, tails, letters["drop"])
    names = {"gamma", "L", "L_max", "R", "alpha", "beta", "D", "K", "n", "f_gap", "sigma"} & set(letters)
    return {
        "claim": target.name,
        "quantity": target.quantity,
        "values": {name: str(Fraction(letters[name])) for name in sorted(names)},
        "start": "0",
        "memories": [str(b - Fraction(letters["R"]) * r) for b, r in zip(base, residual, strict=True)],
        "knots": [str(t) for t in knots],
        "gradients": [[str(g) for g in row] for row in rows],
    }


def change(slopes: list[Fraction], J: int, j: int) -> Fraction:
    """f'(j − J) − f'(0)."""
    return sum(slopes[J:j], Fraction(0)) if j >= J else -sum(slopes[j:J], Fraction(0))


Functions = tuple[list[Fraction], list[list[Fraction]]]


def _extend(knots, rows, tails: list[Fraction], length: Fraction, sign: int) -> Functions:
    """A further knot on the right, each client's derivative changing by sign·tail·length."""
    if length == 0:
        return knots, rows
    return [*knots, knots[-1] + length], [
        [*row, row[-1] + sign * t * length] for row, t in zip(rows, tails, strict=True)
    ]


def with_tails(knots, rows, tails: list[Fraction]) -> Functions:
    """f' brought back to 0 on either side, where it has the wrong sign for a lower bound."""
    rate = sum(tails, Fraction(0)) / len(tails)
    mean = mean_row(rows)
    knots, rows = _extend(knots, rows, tails, max(-mean[-1], Fraction(0)) / rate, 1)
    if mean[0] > 0:
        length = mean[0] / rate
        knots = [knots[0] - length, *knots]
        rows = [[row[0] - t * length, *row] for row, t in zip(rows, tails, strict=True)]
    return knots, rows


def with_valley(knots, rows, tails: list[Fraction], drop: Fraction) -> Functions:
    """f made deeper by `drop`, beyond the right end: f' goes down at the tails' rate, stays, and comes back
    to 0."""
    if drop == 0:
        return knots, rows
    rate = sum(tails, Fraction(0)) / len(tails)
    knots, rows = _extend(knots, rows, tails, mean_row(rows)[-1] / rate, -1)
    mean = mean_row(rows)
    below = depth(knots, mean, knots[-1]) + drop
    fall = min(Fraction(1), below / rate)
    stay = (below - rate * fall**2) / (rate * fall)
    knots, rows = _extend(knots, rows, tails, fall, -1)
    knots, rows = _extend(knots, rows, tails, stay, 0)
    return _extend(knots, rows, tails, fall, 1)
