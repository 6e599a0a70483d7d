"""Witnesses against Fed-α-NormEC with local steps, run again exactly, by code that shares nothing with the
search.

A witness names every function by its derivative at knots, x⁰, the memories and every letter. From the
functions this module computes L, f^inf, Δ^inf, Δ_i^inf and R and compares them with the letters; checks the
printed conditions, and the schedule of a corollary; and runs Algorithm 1 with enclosures of the memories
(the iterates are rational). Where K is larger than the rounds that can be run, it proves that the run
repeats itself: boxes around the memories that two rounds map into themselves, with the sign of v̂ decided on
the whole of them, so that x goes to and fro between two points for ever.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from bounds.fed_alpha_normec import schedules
from bounds.statement import Bound
from toy_problems.falsifier.exact import (
    Verdict,
    WitnessError,
    as_sympy,
    check_knots,
    check_printed,
    depth,
    derivative,
    letters_in,
    mean_row,
    rational,
    smoothness,
)
from toy_problems.falsifier.intervals import FINE, Interval

RUN = (30, 100, 300)
"""After so many rounds a longer run is asked whether it repeats itself; by the last it has to."""

BOXES = tuple(Fraction(1, 10**k) for k in (2, 4, 6, 9, 12))
"""Half-widths of the boxes tried, relative to α."""

SCHEDULES = {
    "FED-C1-MAIN": schedules.corollary1_main,
    "FED-C1-APP": schedules.corollary1_appendix,
    "FED-C3": schedules.corollary3,
    "FED-C5": schedules.corollary3,
}


@dataclass(frozen=True)
class Problem:
    """Clients' functions: knots, and for each client the derivatives of each of its functions at the knots."""

    knots: list[Fraction]
    clients: list[list[list[Fraction]]]
    steps: int

    def update(self, i: int, x: Fraction, gamma: Fraction) -> Fraction:
        """(x − 𝒯_i(x))/γ: T steps of γ/T, along the client's functions in turn."""
        y = x
        for t in range(self.steps):
            row = self.clients[i][t % len(self.clients[i])]
            y -= gamma / self.steps * slope_at(self.knots, row, y)
        return (x - y) / gamma

    def means(self) -> list[list[Fraction]]:
        """f_i' at the knots."""
        return [mean_row(rows) for rows in self.clients]

    def slope(self, x: Fraction) -> Fraction:
        """|f'(x)|."""
        return abs(slope_at(self.knots, mean_row(self.means()), x))


def slope_at(knots: Sequence[Fraction], values: Sequence[Fraction], x: Fraction) -> Fraction:
    """f' at x, linear between knots and constant beyond: `derivative` of the one piece that x is in."""
    right = min(max(bisect_left(knots, x), 1), len(knots) - 1)
    return derivative(knots[right - 1 : right + 1], values[right - 1 : right + 1], x)


def replay_local(witness: Mapping[str, Any], bound: Bound) -> Verdict:
    """Check a witness against a bound. Raises `WitnessError` where a hypothesis is not satisfied, or where a
    long run is not shown to repeat itself."""
    letters = letters_in(witness, bound)
    knots = [rational(t, "knot") for t in witness["knots"]]
    clients = [[[rational(g, "gradient") for g in row] for row in rows] for rows in witness["clients"]]
    problem = Problem(knots, clients, int(letters["T"]))
    memories = [rational(g, "memory") for g in witness["memories"]]
    start = rational(witness["start"], "start")
    check_knots(knots, itertools.chain.from_iterable(clients))
    if len(memories) != len(clients):
        raise WitnessError("one memory for each client is needed")
    _functions(problem, letters, start, memories)
    _incremental(problem, bound)
    _conditions(letters, bound)
    visited = _visited(problem, letters, start, memories)
    return Verdict.of(min(problem.slope(x) for x in visited), letters, bound)


def _functions(problem: Problem, letters: Mapping[str, Fraction], start: Fraction, memories) -> None:
    """L, and every letter that the functions decide."""
    knots, means = problem.knots, problem.means()
    single = [row for rows in problem.clients for row in rows]
    for row in single:
        if smoothness(knots, row) > letters["L"]:
            raise WitnessError(f"L = {letters['L']} is less than a function's {smoothness(knots, row)}")
    # Taking every function 0 at the start, its infimum is minus its depth below the start.
    whole = depth(knots, mean_row(means), start)
    spread = sum((depth(knots, row, start) for row in means), Fraction(0)) / len(means)
    inner = sum((depth(knots, row, start) for row in single), Fraction(0)) / len(single)
    residuals = [
        abs(problem.update(i, start, letters["gamma"]) - memory) for i, memory in enumerate(memories)
    ]
    computed = {"f_gap": whole, "Delta": spread - whole, "R": max(residuals), "M": Fraction(len(means))}
    # Theorem 2 and Corollary 5 print f^inf in Δ_i^inf, Lemma 8 (and FED-R3) f_i^inf.
    allowed = {inner - whole, inner - spread}
    for name, value in computed.items():
        if name in letters and letters[name] != value:
            raise WitnessError(f"{name} = {letters[name]}, but the functions and memories give {value}")
    if "Delta_local" in letters and letters["Delta_local"] not in allowed:
        raise WitnessError(f"(1/M) Σ Δ_i^inf = {letters['Delta_local']}, but the functions give {allowed}")


def _incremental(problem: Problem, bound: Bound) -> None:
    """Incremental gradient takes as many steps as there are functions; gradient steps have one function."""
    several = {len(rows) for rows in problem.clients}
    passes = "Delta_local" in bound.parameters
    if several != ({problem.steps} if passes else {1}):
        raise WitnessError(f"{several} functions a client do not go with T = {problem.steps} steps")


def _conditions(letters: Mapping[str, Fraction], bound: Bound) -> None:
    check_printed(letters, bound)
    if letters["p"] != 1 or letters.get("sigma", 0) != 0 or letters.get("V", 0) != 0:
        raise WitnessError("the runs are those of p = 1 without noise")
    if not 0 < letters["gamma"] <= 1 / (2 * letters["L"]):
        raise WitnessError(f"γ = {letters['gamma']} is outside (0, 1/(2L)]")
    if bound.name in SCHEDULES:
        _schedule({name: as_sympy(value) for name, value in letters.items()}, bound)


def _schedule(exact, bound: Bound) -> None:
    """γ, R, β and η are those of the corollary; η no longer where it prints "≤"."""
    plan_of = SCHEDULES[bound.name]
    names = ["K", "L", "D_1", "D_2", "alpha", *(["Delta"] if plan_of is schedules.corollary3 else [])]
    plan = plan_of(**{name: exact[name] for name in names})
    if bound.name == "FED-C1-MAIN":
        if sympy.Ge(plan.eta, exact["eta"]) != sympy.true:
            raise WitnessError(f"η = {exact['eta']} is longer than {plan.eta}")
        plan = plan._replace(eta=exact["eta"])
    for name in plan._fields:
        if sympy.simplify(getattr(plan, name) - exact[name]) != 0:
            raise WitnessError(f"{name} = {exact[name]} is not the corollary's {getattr(plan, name)}")
    if "Delta" in exact and not exact["Delta"] > 0:
        raise WitnessError("Δ^inf > 0 does not hold")


def _visited(problem: Problem, letters: Mapping[str, Fraction], start: Fraction, memories) -> set[Fraction]:
    """Every point that x⁰, …, x^K visit."""
    K, x = int(letters["K"]), start
    boxes = [Interval(g, g) for g in memories]
    visited = [x]
    for stop in RUN:
        for _ in range(len(visited) - 1, min(K, stop)):
            x, boxes = _round(problem, letters, x, boxes)
            visited.append(x)
        if stop >= K:
            return set(visited)
        reasons = _why_not_for_ever(problem, letters, x, visited[-2], boxes)
        if not reasons:
            return set(visited)
        if len(set(visited[stop // 2 :])) > 2:
            break
    raise WitnessError(f"the run is not shown to repeat itself: {'; '.join(reasons)}")


def _round(problem: Problem, letters: Mapping[str, Fraction], x: Fraction, boxes: Sequence[Interval]):
    """Algorithm 1, p = 1, no noise; v̂ is the mean of the memories, as it is from the start."""
    after = [
        _remember(problem.update(i, x, letters["gamma"]), box, letters["alpha"], letters["beta"])
        for i, box in enumerate(boxes)
    ]
    n = len(after)
    server = Interval(
        sum((b.low for b in after), Fraction(0)) / n, sum((b.high for b in after), Fraction(0)) / n
    )
    return x - letters["eta"] * server.sign(), after


def _remember(target: Fraction, memory: Interval, alpha: Fraction, beta: Fraction) -> Interval:
    """v + β Norm_α(u − v) = u − φ(u − v), φ(r) = r − βr/(α + |r|). φ has the derivative 1 − αβ/(α + |r|)²:
    where its sign is decided on the whole box, ends go to ends; elsewhere φ lies between φ at the ends
    taken apart."""
    low, high = target - memory.high, target - memory.low
    largest = max(abs(low), abs(high))
    smallest = Fraction(0) if low <= 0 <= high else min(abs(low), abs(high))

    def phi(r: Fraction) -> Fraction:
        return r - beta * r / (alpha + abs(r))

    if (alpha + smallest) ** 2 >= alpha * beta:
        ends = phi(low), phi(high)
    elif (alpha + largest) ** 2 <= alpha * beta:
        ends = phi(high), phi(low)
    else:
        ends = low - beta * high / (alpha + abs(high)), high - beta * low / (alpha + abs(low))
    return Interval.around(target - ends[1], target - ends[0], FINE)


def _why_not_for_ever(
    problem: Problem, letters, x: Fraction, before: Fraction, boxes: Sequence[Interval]
) -> list[str]:
    """Nothing where there are boxes that two rounds map into themselves while x goes to `before` and back:
    so for ever. Else what is wrong with each size of boxes."""
    reasons = []
    for relative in BOXES:
        width = relative * letters["alpha"]
        wide = [Interval.around(b.low - width, b.high + width, FINE) for b in boxes]
        try:
            there, once = _round(problem, letters, x, wide)
            back, twice = _round(problem, letters, there, once)
        except WitnessError as error:
            reasons.append(str(error))
            continue
        inside = all(b.low >= w.low and b.high <= w.high for b, w in zip(twice, wide, strict=True))
        if (there, back) == (before, x) and inside:
            return []
        reasons.append(f"a box of half-width {float(width):.3g} is not mapped into itself")
    return reasons
