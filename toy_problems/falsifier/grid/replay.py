"""A witness run again in exact rational arithmetic, by code that shares nothing with the search.

A witness is JSON: the clients' derivatives by their values at knots (linear between, constant beyond), the
start, the memories, and the value of every letter of the bound. From the functions alone this module
computes L, L_i, f^inf and R and compares them with the letters, checks the printed conditions, runs the
printed algorithm in one dimension (where Norm_α(g) = g/(α + |g|) and v/‖v‖ = sign v keep rationals
rational), and compares the measured quantity with the bound. A root in the bound or in a condition is an
exact algebraic number of sympy. Nothing in a witness is executed.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy

from bounds.statement import Bound
from toy_problems.falsifier.exact import (
    Enclosure,
    Verdict,
    WitnessError,
    as_sympy,
    depth,
    derivative,
    rational,
    smoothness,
)


def replay(witness: Mapping[str, Any], bound: Bound) -> Verdict:
    """Check a witness against a bound. Raises `WitnessError` where a hypothesis is not satisfied."""
    if witness.get("claim") != bound.name:
        raise WitnessError(f"the witness is against {witness.get('claim')!r}, not against {bound.name}")
    letters = {name: rational(text, name) for name, text in witness["values"].items()}
    knots = [rational(t, "knot") for t in witness["knots"]]
    clients = [[rational(g, "gradient") for g in row] for row in witness["gradients"]]
    memories = [rational(g, "memory") for g in witness["memories"]]
    start = rational(witness["start"], "start")
    if any(a >= b for a, b in itertools.pairwise(knots)) or len(knots) < 2:
        raise WitnessError("the knots must increase")
    if len(memories) != len(clients) or any(len(row) != len(knots) for row in clients):
        raise WitnessError("one memory for each client and one gradient for each knot are needed")
    _hypotheses(letters, bound, knots, clients, memories, start)
    quantity = _residual if witness["quantity"] == "residual" else _least_gradient
    measured = quantity(letters, knots, clients, start, memories)
    value = sympy.sympify(bound.value(**_exact(letters, bound)))
    return Verdict(measured, value, bool(as_sympy(measured) > value))


def _exact(letters: Mapping[str, Fraction], bound: Bound) -> dict[str, sympy.Expr]:
    return {name: as_sympy(value) for name, value in letters.items() if name in bound.parameters}


def _hypotheses(letters, bound: Bound, knots, clients, memories, start) -> None:
    mean = [sum(column, Fraction(0)) / len(clients) for column in zip(*clients, strict=True)]
    computed = {
        "R": max(abs(derivative(knots, row, start) - g) for row, g in zip(clients, memories, strict=True)),
        "f_gap": depth(knots, mean, start),
        "n": Fraction(len(clients)),
    }
    for name, value in computed.items():
        if name in letters and letters[name] != value:
            raise WitnessError(f"{name} = {letters[name]}, but the functions and memories give {value}")
    if letters["L"] < smoothness(knots, mean):
        raise WitnessError(f"L = {letters['L']} is less than f's smoothness {smoothness(knots, mean)}")
    for i, row in enumerate(clients):
        if letters["L_max"] < smoothness(knots, row):
            raise WitnessError(
                f"L_max = {letters['L_max']} is less than client {i}'s {smoothness(knots, row)}"
            )
    if "D" in letters and letters["D"] ** 2 != letters["R"] ** 2 * (letters["K"] + 1):
        raise WitnessError(f"D = {letters['D']} is not R√(K+1)")
    for name in bound.parameters:
        if name in letters and bound.symbols[name].domain == "> 0" and letters[name] <= 0:
            raise WitnessError(f"{name} = {letters[name]} must be > 0")
    if letters["K"].denominator != 1 or letters["K"] < 0:
        raise WitnessError(f"K = {letters['K']} must be an integer >= 0")
    for condition, relation in zip(bound.conditions, bound.relations(_exact(letters, bound)), strict=True):
        if relation != sympy.true:
            raise WitnessError(f"the printed condition {condition.printed} does not hold: {relation}")


def _shaped(difference: Fraction, alpha: Fraction) -> Fraction:
    """Norm_α in one dimension; it increases with the difference, so ends of an enclosure go to ends."""
    return difference / (alpha + abs(difference)) if difference else Fraction(0)


def _rounds(letters, knots, clients, start, memories):
    """x⁰, x¹, … exactly, with enclosures of the memories before each round: α-NormEC, Algorithm 1, in one
    dimension."""
    alpha, beta, gamma, n = letters["alpha"], letters["beta"], letters["gamma"], len(clients)
    x, held = start, [Enclosure(g, g) for g in memories]
    total = sum(memories, Fraction(0)) / n
    server = Enclosure(total, total)
    while True:
        yield x, held
        shaped, after = [], []
        for row, memory in zip(clients, held, strict=True):
            gradient = derivative(knots, row, x)
            low, high = _shaped(gradient - memory.high, alpha), _shaped(gradient - memory.low, alpha)
            shaped.append((low, high))
            after.append(Enclosure.around(memory.low + beta * low, memory.high + beta * high))
        held = after
        mean = [beta / n * sum(end, Fraction(0)) for end in zip(*shaped, strict=True)]
        server = Enclosure.around(server.low + mean[0], server.high + mean[1])
        x -= gamma * server.sign()


def _least_gradient(letters, knots, clients, start, memories) -> Fraction:
    """min over k in [0, K] of |f'(xᵏ)|, exactly: the iterates are rational."""
    rounds = _rounds(letters, knots, clients, start, memories)
    return min(
        abs(sum((derivative(knots, row, x) for row in clients), Fraction(0))) / len(clients)
        for _, (x, _) in zip(range(int(letters["K"]) + 1), rounds, strict=False)
    )


def _residual(letters, knots, clients, start, memories) -> Fraction:
    """A lower bound of max over i of |f_i'(x¹) − g_i¹|, a multiple of 10^-12 within 2·10^-12 of it."""
    rounds = _rounds(letters, knots, clients, start, memories)
    next(rounds)
    x, after = next(rounds)
    gradients = [derivative(knots, row, x) for row in clients]
    least = max(max(g - m.high, m.low - g, Fraction(0)) for g, m in zip(gradients, after, strict=True))
    return Fraction(int(least * 10**12), 10**12)
