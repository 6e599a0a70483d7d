"""Identities and limits: sympy decides, exact evaluation at random rationals has to agree."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy

from verify.evidence import Evidence
from verify.fractions_check import NotRational, evaluate

if TYPE_CHECKING:
    from verify.proof import Identity, Limit

SAMPLES = 12
"""Random rational points at which an identity is evaluated exactly, besides sympy's own answer."""


def check_identity(task: Identity) -> Evidence:
    """sympy must reduce left − right to zero; a sample point where they differ refutes the identity exactly."""
    start = time.perf_counter()
    letters = sorted(task.left.free_symbols | task.right.free_symbols, key=str)
    swap = {s: sympy.Symbol(str(s), positive=True) for s in letters if s in task.positive}
    difference: Any = sympy.simplify((task.left - task.right).subs(list(swap.items())))
    rng = random.Random(task.name)
    sampled, model = 0, None
    for _ in range(20 * SAMPLES):
        values = {str(s): _draw(rng, s in task.positive) for s in letters}
        try:
            equal = evaluate(task.left, values) == evaluate(task.right, values)
        except (NotRational, ZeroDivisionError):
            continue
        sampled += 1
        if not equal:
            model = values
            break
        if sampled == SAMPLES:
            break
    status = "refuted" if model else "proved" if difference == 0 else "unknown"
    detail = f"equal at {sampled} random rational points" if not model else "differs at a rational point"
    return Evidence(task.name, "sympy", status, time.perf_counter() - start, f"sympy {sympy.__version__}",
                    model=model, detail=detail)  # fmt: skip


def check_limit(task: Limit) -> Evidence:
    """sympy's exact limit, all letters positive; values along a sequence to the point are reported beside it."""
    start = time.perf_counter()
    letters = task.expression.free_symbols | task.value.free_symbols | {task.letter}
    swap = {s: sympy.Symbol(str(s), positive=True) for s in letters}
    letter = swap[task.letter]
    point = sympy.sympify(task.point).subs(swap)
    found = sympy.limit(task.expression.subs(swap), letter, point, task.direction)
    expected = sympy.sympify(task.value).subs(swap)
    status = "proved" if found == expected or sympy.simplify(found - expected) == 0 else "refuted"
    return Evidence(task.name, "limit", status, time.perf_counter() - start, f"sympy {sympy.__version__}",
                    detail=f"the limit is {found}")  # fmt: skip


def _draw(rng: random.Random, positive: bool) -> Fraction:
    numerator = rng.randint(1, 30)
    return Fraction(numerator if positive else rng.choice((-1, 1)) * numerator, rng.randint(1, 12))
