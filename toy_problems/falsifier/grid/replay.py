"""A witness run again in exact rational arithmetic, by code that shares nothing with the search.

A witness is JSON: the clients' derivatives by their values at knots (linear between, constant beyond), the
start, the memories, and the value of every letter of the bound. From the functions alone this module
computes L, L_i, f^inf and R and compares them with the letters, checks the printed conditions, runs the
printed algorithm in one dimension (where Norm_α(g) = g/(α + |g|) and v/‖v‖ = sign v keep rationals
rational), and compares the measured quantity with the bound. A root in the bound or in a condition is an
exact algebraic number of sympy. Nothing in a witness is executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from bounds.statement import Bound
from toy_problems.falsifier.exact import (
    Verdict,
    WitnessError,
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


def replay(witness: Mapping[str, Any], bound: Bound) -> Verdict:
    """Check a witness against a bound. Raises `WitnessError` where a hypothesis is not satisfied."""
    letters = letters_in(witness, bound)
    knots = [rational(t, "knot") for t in witness["knots"]]
    clients = [[rational(g, "gradient") for g in row] for row in witness["gradients"]]
    memories = [rational(g, "memory") for g in witness["memories"]]
    start = rational(witness["start"], "start")
    check_knots(knots, clients)
    if len(memories) != len(clients):
        raise WitnessError("one memory for each client is needed")
    _constants(letters, knots, clients, memories, start)
    check_printed(letters, bound)
    quantity = _residual if witness["quantity"] == "residual" else _least_gradient
    measured = quantity(letters, knots, clients, start, memories)
    return Verdict.of(measured, letters, bound)


def _constants(letters: Mapping[str, Fraction], knots, clients, memories, start) -> None:
    mean = mean_row(clients)
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


def _shaped(difference: Fraction, alpha: Fraction) -> Fraction:
    """Norm_α in one dimension; it increases with the difference, so ends of an enclosure go to ends."""
    return difference / (alpha + abs(difference)) if difference else Fraction(0)


def _rounds(letters, knots, clients, start, memories):
    """x⁰, x¹, … exactly, with enclosures of the memories before each round: α-NormEC, Algorithm 1, in one
    dimension."""
    alpha, beta, gamma, n = letters["alpha"], letters["beta"], letters["gamma"], len(clients)
    x, held = start, [Interval(g, g) for g in memories]
    total = sum(memories, Fraction(0)) / n
    server = Interval(total, total)
    while True:
        yield x, held
        shaped, after = [], []
        for row, memory in zip(clients, held, strict=True):
            gradient = derivative(knots, row, x)
            low, high = _shaped(gradient - memory.high, alpha), _shaped(gradient - memory.low, alpha)
            shaped.append((low, high))
            after.append(Interval.around(memory.low + beta * low, memory.high + beta * high, FINE))
        held = after
        mean = [beta / n * sum(end, Fraction(0)) for end in zip(*shaped, strict=True)]
        server = Interval.around(server.low + mean[0], server.high + mean[1], FINE)
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
