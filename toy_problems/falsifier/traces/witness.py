"""From the best trace of a search to rationals that replay exactly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Any

import numpy as np

from toy_problems.falsifier.exact import Verdict, WitnessError
from toy_problems.falsifier.rounding import Witness, coarsest, rounded_genes
from toy_problems.falsifier.targets import Facts, Target
from toy_problems.falsifier.traces.candidates import TraceLayout, TracePrimary, run_traces
from toy_problems.falsifier.traces.replay import replay_trace

SLACK = {10**2: 1e-1, 10**3: 1e-2, 10**4: 1e-3, 10**6: 1e-5, 10**9: 1e-8, 10**12: 1e-10}
"""Largest denominator ↦ share by which turns and Q_i are taken back and values lowered: rounding must not turn an
equality of the optimum into a violation."""

LETTERS = ("gamma", "eta", "L", "L_max", "R", "alpha", "beta", "D", "K", "n", "M", "f_gap", "p", "V")


def trace_witness(
    target: Target, primary: TracePrimary, layout: TraceLayout, least: float
) -> tuple[Witness, Verdict]:
    """The coarsest rounding whose certified share of the bound is above `least`, and what its replay says.
    Raises `NoWitness` if none is."""
    return coarsest(
        partial(_write, target, primary, layout), lambda written: replay_trace(written, target.bound),
        tuple(SLACK), least,
    )  # fmt: skip


def _write(target: Target, primary: TracePrimary, layout: TraceLayout, denominator: int) -> Witness:
    slack = SLACK[denominator]
    back = 1 - slack

    def rounded(array: Any) -> list[Fraction]:
        return [Fraction(float(v)).limit_denominator(denominator) for v in np.ravel(array)]

    genes = rounded_genes(
        {name: value[0] for name, value in primary.scalars.items()}, denominator, 1 - Fraction(1, denominator)
    )
    contrast = rounded(primary.contrast)[0]
    first = rounded(primary.first)
    turns = [rounded(row * back) for row in primary.turns[0]]
    residuals = [rounded(primary.residuals[0, 0]), *(rounded(row * back) for row in primary.residuals[0, 1:])]
    bends = _bends(primary, contrast, rounded, back)
    L = 1 - contrast
    gradients = [first]
    for turn in turns:
        gradients.append([g + L * t for g, t in zip(gradients[-1], turn, strict=True)])
    exact = replace(
        primary,
        scalars={name: np.array([float(value)]) for name, value in genes.items() if name != "margin"},
        contrast=np.array([float(contrast)]),
        first=np.array([[float(v) for v in first]]),
        turns=np.array([[float(v) for v in row] for row in turns]).reshape(1, layout.K, layout.d),
        residuals=np.array([[[float(v) for v in row] for row in residuals]]),
        bends=np.array([[[[float(v) for v in row] for row in Q] for Q in bends]])
        / max(float(contrast), 1e-300),
    )
    heights = _heights(run_traces(target, exact, layout), slack)
    depth = max(
        heights[0] - f + sum((v * v for v in g), Fraction(0)) / (2 * L)
        for f, g in zip(heights, gradients, strict=True)
    )
    root: Any = isqrt(layout.K + 1) if target.square else 1
    facts = Facts(layout.K, root, layout.clients, layout.d, L, depth, Fraction(1))
    letters = target.setting(genes, facts)
    if letters["drop"] < 0:
        raise WitnessError("f is deeper than the hypotheses ask")
    return {
        "claim": target.name,
        "class": "interpolated",
        "quantity": target.quantity,
        "values": {name: str(Fraction(letters[name])) for name in LETTERS if name in letters},
        "gradients": [[str(v) for v in row] for row in gradients],
        "heights": [str(f) for f in heights],
        "residuals": [[str(Fraction(letters["R"]) * v) for v in row] for row in residuals],
        "bends": [[[str(v) for v in row] for row in Q] for Q in bends],
    }


def _bends(primary: TracePrimary, contrast: Fraction, rounded, back: float) -> list[list[list[Fraction]]]:
    """c Q_i, symmetric, with the last one minus the sum of the others."""
    _, n, d, _ = primary.bends.shape
    if n == 1:
        return [[[Fraction(0)] * d for _ in range(d)]]
    upper = [[rounded(row * back * float(contrast)) for row in Q] for Q in primary.bends[0, :-1]]
    found = [[[Q[min(a, b)][max(a, b)] for b in range(d)] for a in range(d)] for Q in upper]
    last = [[-sum((Q[a][b] for Q in found), Fraction(0)) for b in range(d)] for a in range(d)]
    return [*found, last]


def _heights(run, slack: float) -> list[Fraction]:
    """The highest values, with every inequality kept by more than rounding; f_0 = 0."""
    count = run.differences.shape[-1]
    room = max(1e-3 * slack, 1e-14 * float(np.abs(run.differences).max()))
    least = run.differences[0] + room * (1 - np.eye(count))
    values = -least[0] * (np.arange(count) > 0)
    for _ in range(count):
        values = np.minimum(values, (values[:, None] - least).min(axis=0))
    if values[0] < 0:
        raise WitnessError("no L-smooth function has the rounded gradients with room to spare")
    return [Fraction(float(v)).limit_denominator(10**15) for v in values]
