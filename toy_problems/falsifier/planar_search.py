"""The search over explicit functions of two variables, and exact witnesses from its candidates."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Any

import numpy as np

from toy_problems.falsifier.attack import Attack, Effort, Result, Told, broken, unbroken, undecided
from toy_problems.falsifier.evolution import MARGIN, evolve
from toy_problems.falsifier.genome import SCALARS, Primary
from toy_problems.falsifier.planar import (
    AXES,
    PlanarLayout,
    decode_planar,
    planar_evaluator,
    run_planar,
    sample_planar,
)
from toy_problems.falsifier.planar_replay import replay_planar
from toy_problems.falsifier.replay import Verdict, WitnessError, depth, smoothness
from toy_problems.falsifier.targets import Facts, Target
from toy_problems.falsifier.trace_replay import TraceVerdict
from toy_problems.falsifier.trace_witness import LETTERS
from toy_problems.falsifier.traces import TARGETS
from toy_problems.falsifier.witness import NoWitness, change, mean_row, with_tails

PLANAR = "sums of two piecewise quadratics in the plane"
ROUNDS = (0, 1, 2, 3, 5, 8, 15)
SIZES = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2))
"""(clients, pieces to a step)."""

POPULATION = 512
FRESH = POPULATION - POPULATION // 8
"""New candidates in a generation; the best eighth is kept."""

ROUNDINGS = (10, 100, 10**4, 10**6, 10**9, 10**12)


@dataclass(frozen=True, eq=False)
class FoundPlanar:
    """The best candidate. each: (layout, genome, ratio) of every size, the smallest first."""

    layout: PlanarLayout
    genome: np.ndarray
    ratio: float
    each: tuple[tuple[PlanarLayout, np.ndarray, float], ...]
    instances: int
    seconds: float


def planar_search(target: Target, effort: Effort, told: Told | None = None) -> FoundPlanar:
    """Attack a bound with about `effort.instances` candidates, or for about `effort.seconds`."""
    start, done, each = time.perf_counter(), 0, []
    rounds = [K for K in ROUNDS if not target.square or int((K + 1) ** 0.5) ** 2 == K + 1]
    layouts = [
        PlanarLayout(n, K, m)
        for K in ([1] if target.quantity == "residual" else rounds)
        for n, m in SIZES
        if n >= target.least_clients
    ]
    generations = max(4, -(-effort.instances // (FRESH * len(layouts))))
    for number, layout in enumerate(layouts):
        until = start + effort.seconds * (number + 1) / len(layouts)
        if each and time.perf_counter() > until:
            continue
        random = np.random.default_rng((effort.seed, layout.clients, layout.K, layout.fineness))
        genome, ratio, before = np.zeros(layout.genes), -np.inf, 0
        evaluate = planar_evaluator(target, layout)
        for genome, ratio, total in evolve(evaluate, layout, random, POPULATION, generations, sample_planar):  # noqa: B007
            done += total - before
            if told is not None:
                told(total - before, max([ratio, *(entry[2] for entry in each)]))
            before = total
            if time.perf_counter() > until:
                break
        each.append((layout, genome, ratio))
    layout, genome, ratio = max(each, key=lambda entry: entry[2])
    return FoundPlanar(layout, genome, ratio, tuple(each), done, time.perf_counter() - start)


def planar_attacks() -> list[Attack]:
    """One for each bound that traces attack, but those that ask for a depth of f."""
    return [
        Attack(name, PLANAR, partial(attack_planar, target))
        for name, target in TARGETS.items()
        if not target.deepened
    ]


def attack_planar(target: Target, effort: Effort, told: Told | None = None) -> Result:
    """Search for the worst explicit functions of two variables."""
    found = planar_search(target, effort, told)
    primary = decode_planar(found.genome[None], found.layout)
    letters = run_planar(target, primary, found.layout).letters
    instance = {
        "clients": found.layout.clients,
        "K": found.layout.K,
        "d": AXES,
        "pieces to a step": found.layout.fineness,
        "letters": {name: float(np.ravel(value)[0]) for name, value in letters.items()},
        "base": [f.base[0].tolist() for f in primary.functions],
        "slopes": [f.slopes[0].tolist() for f in primary.functions],
        "tails": [f.tails[0].tolist() for f in primary.functions],
        "residuals": primary.residuals[0].tolist(),
    }
    result = unbroken(target.bound, target.name, PLANAR, found, effort.seed, instance)
    if found.ratio <= 1:
        return result
    reasons = []
    for layout, genome, ratio in found.each:
        if ratio > 1:
            try:
                candidate, verdict = planar_witness(target, layout, genome)
            except NoWitness as error:
                reasons.append(str(error))
                continue
            result |= {"certified": float(verdict.certified)}
            return broken(result, candidate, Verdict(verdict.measured, verdict.bound, verdict.broken))
    return undecided(result, " | ".join(reasons))


def planar_witness(
    target: Target, layout: PlanarLayout, genome: np.ndarray, least: float = 1.0
) -> tuple[dict[str, Any], TraceVerdict]:
    """The coarsest rounding of a candidate whose certified share of the bound is above `least`. Raises
    `NoWitness` if none is."""
    reasons = []
    for denominator in ROUNDINGS:
        try:
            candidate = _write(target, layout, genome, denominator)
            verdict = replay_planar(candidate, target.bound)
        except (WitnessError, ZeroDivisionError) as error:
            reasons.append(f"1/{denominator}: {error}")
            continue
        if verdict.certified > least:
            return candidate, verdict
        reasons.append(f"1/{denominator}: {float(verdict.certified)} of the bound")
    raise NoWitness(f"{target.name}: no exact witness in the plane; " + "; ".join(reasons))


def _write(target: Target, layout: PlanarLayout, genome: np.ndarray, denominator: int) -> dict[str, Any]:
    primary, tiny = decode_planar(genome[None], layout), Fraction(1, denominator)

    def rounded(value: Any) -> Fraction:
        return Fraction(float(value)).limit_denominator(denominator)

    first = primary.axes[0]
    top = {"share": 1 - tiny, "tightness": Fraction(1), "local": Fraction(1), "presence": Fraction(1)}
    genes = {}
    for name in SCALARS:
        if name not in ("tail", "drop"):
            number = rounded(getattr(first, name)[0])
            number = number if name in ("surplus", "balance") else max(number, tiny)
            genes[name] = min(number, top.get(name, number))
    genes |= {"drop": Fraction(0), "margin": Fraction(MARGIN).limit_denominator(10**6)}
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
