"""From a candidate in the plane to rationals that replay exactly."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Any

import numpy as np

from toy_problems.falsifier.evolution import Found
from toy_problems.falsifier.exact import Verdict, depth, mean_row, smoothness
from toy_problems.falsifier.genome import SCALARS, Primary
from toy_problems.falsifier.grid.witness import change, with_tails
from toy_problems.falsifier.planar.candidates import AXES, PlanarLayout, decode_planar
from toy_problems.falsifier.planar.replay import replay_planar
from toy_problems.falsifier.rounding import Witness, coarsest, rounded_genes
from toy_problems.falsifier.targets import Facts, Target
from toy_problems.falsifier.traces.witness import LETTERS

ROUNDINGS = (10, 100, 10**4, 10**6, 10**9, 10**12)


def planar_witness(target: Target, found: Found, least: float = 1.0) -> tuple[Witness, Verdict]:
    """The coarsest rounding of a candidate whose certified share of the bound is above `least`. Raises
    `NoWitness` if none is."""
    return coarsest(
        partial(_write, target, found), lambda written: replay_planar(written, target.bound), ROUNDINGS, least
    )


def _write(target: Target, found: Found, denominator: int) -> Witness:
    layout, tiny = found.layout, Fraction(1, denominator)
    primary = decode_planar(found.genome[None], layout)

    def rounded(value: Any) -> Fraction:
        return Fraction(float(value)).limit_denominator(denominator)

    scalars = {name: getattr(primary.axes[0], name)[0] for name in SCALARS if name not in ("tail", "drop")}
    genes = rounded_genes(scalars | {"drop": 0}, denominator, 1 - tiny)
    axes = [_axis(part, layout, rounded, tiny) for part in primary.axes]
    gap = sum((depth(knots, mean_row(rows), Fraction(0)) for knots, rows in axes), Fraction(0))
    L = max(smoothness(knots, mean_row(rows)) for knots, rows in axes)
    root = isqrt(layout.K + 1) if target.square else 1
    letters = target.setting(genes, Facts(layout.K, root, layout.clients, AXES, L, gap, Fraction(1)))
    residuals = _residuals(primary.residuals[0], rounded, tiny)
    return {
        "claim": target.name,
        "class": "planar",
        "quantity": target.quantity,
        "values": {name: str(Fraction(letters[name])) for name in LETTERS if name in letters},
        "axes": [
            {"knots": [str(t) for t in knots], "derivatives": [[str(g) for g in row] for row in rows]}
            for knots, rows in axes
        ],
        "residuals": [[str(Fraction(letters["R"]) * v) for v in row] for row in residuals],
    }


def _axis(part: Primary, layout: PlanarLayout, rounded, tiny: Fraction):
    functions, m, J = part.functions, layout.fineness, layout.axis.reach
    knots = [Fraction(j, m) for j in range(-J, J + 1)]
    rows = []
    for i in range(layout.clients):
        slopes = [max(min(rounded(s), Fraction(1)), Fraction(-1)) for s in functions.slopes[0, i]]
        base = rounded(functions.base[0, i])
        rows.append([(base + change(slopes, J, j)) / m for j in range(2 * J + 1)])
    tails = [min(max(rounded(t), tiny), Fraction(1)) for t in functions.tails[0]]
    return with_tails(knots, rows, tails)


def _residuals(rows: np.ndarray, rounded, tiny: Fraction) -> list[list[Fraction]]:
    """The longest is put on the rational points ((1 − t²)/(1 + t²), 2t/(1 + t²)) of the circle, the others are
    taken back inside it."""
    longest = int(np.linalg.norm(rows, axis=1).argmax())
    found = []
    for i, (a, b) in enumerate(rows):
        if i == longest:
            sign = 1 if a >= 0 else -1
            t = rounded(b / (1 + abs(a)))
            found.append([sign * (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)])
        else:
            found.append([rounded(a * (1 - 2 * float(tiny))), rounded(b * (1 - 2 * float(tiny)))])
    return found
