"""Two solvers for quantifier-free polynomial arithmetic over the reals: z3, and cvc5 as a second opinion."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Literal

import sympy
import z3
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Implies, Not, Or

Result = Literal["sat", "unsat", "unknown"]
Z3 = f"z3 {version('z3-solver')}"


@dataclass(frozen=True)
class Answer:
    """A solver's answer. `model` holds a satisfying assignment by letter, where one is asked for: exact where the value is rational,
    within 1e-20 where it is irrational."""

    result: Result
    solver: str
    model: dict[str, Fraction] | None = None


WORK = 3_000_000
"""z3's own units of work that one idle core does in about a second. Limits are set in these, not in seconds, so that a
verdict does not depend on what else the machine is doing."""
PATIENCE = 20
"""Seconds on the clock for each second of work, as a last resort."""


def solve(formulas: Sequence[Any], seconds: float = 10.0) -> Answer:
    """z3 on whether the polynomial formulas can hold together. Running out of work (`seconds` of an idle core) is
    `unknown`. Each question has a context of its own, which costs a millisecond: in a common one the answer would depend on
    what was asked before. Hence the same question has the same answer, and is asked once in a process."""
    return _solve(tuple(formulas), seconds, True)


def check(formulas: Sequence[Any], seconds: float = 10.0) -> Result:
    """The result of `solve` alone: to write a model down takes as long as many a question."""
    return _solve(tuple(formulas), seconds, False).result


@lru_cache(maxsize=1 << 14)
def _solve(formulas: tuple[Any, ...], seconds: float, with_model: bool) -> Answer:
    context = z3.Context()
    problem = z3.SolverFor("QF_NRA", context)
    problem.set("rlimit", _limit(WORK * seconds))
    problem.set("timeout", _limit(1000 * PATIENCE * seconds))
    problem.add(*(_in_z3(formula).translate(context) for formula in formulas))
    result = _check(problem)
    return Answer(result, Z3, _model(problem.model()) if with_model and result == "sat" else None)


def without(
    facts: Sequence[Any], wanted: Sequence[Any], chosen: Iterable[Any], seconds: float = 2.0
) -> Result:
    """z3 on whether the facts can hold where no values of the letters `chosen` make all that is wanted hold: `unsat` says that
    such values always exist. `seconds` are of a core: with quantifiers z3 keeps no count of its work but the clock, so that
    where it was kept from the core it is asked again, with more of the clock."""
    missing = z3.Not(z3.And(*(_in_z3(part) for part in wanted)))
    letters = [z3.Real(letter.name) for letter in chosen]
    clock = seconds
    never: Any = z3.ForAll(letters, missing) if letters else missing
    while True:
        context = z3.Context()
        problem = z3.SolverFor("NRA", context)
        problem.set("timeout", _limit(1000 * clock))
        problem.add(*(formula.translate(context) for formula in (*map(_in_z3, facts), never)))
        start = time.thread_time()
        answer = _check(problem)
        starved = problem.reason_unknown() == "timeout" and time.thread_time() - start < 0.8 * seconds
        if answer != "unknown" or not starved or clock >= PATIENCE * seconds:
            return answer
        clock *= 2


def _limit(value: float) -> int:
    """As z3 takes it: 32 bits, where 0 and all ones mean no limit."""
    return max(1, min(int(value), 2**32 - 2))


def _check(problem: Any) -> Result:
    """Raises `KeyboardInterrupt` where Ctrl-C came while z3 was at work, which z3 itself answers with `unknown`."""
    answer = str(problem.check())
    if answer == "unknown" and problem.reason_unknown() == "interrupted from keyboard":
        raise KeyboardInterrupt
    return "sat" if answer == "sat" else "unsat" if answer == "unsat" else "unknown"


def ask_cvc5(formulas: Sequence[Boolean]) -> str:
    """cvc5 on the same question, without a time limit: `verify.second_solver` runs this in a process that it can end."""
    from cvc5 import pythonic

    problem = pythonic.Solver()
    problem.setOption("nl-cov", "true")
    try:
        for formula in formulas:
            problem.add(_translate(formula, pythonic))
        answer = str(problem.check())
    except RuntimeError:  # a feature that this build of cvc5 lacks
        return "unknown"
    return answer if answer in ("sat", "unsat") else "unknown"


@lru_cache(maxsize=1 << 14)
def _in_z3(formula: Any) -> Any:
    return _translate(formula, z3)


def _translate(formula: Any, api: Any) -> Any:
    """A polynomial sympy formula in the solver's terms."""
    if isinstance(formula, BooleanTrue | BooleanFalse):
        return api.BoolVal(bool(formula))
    if isinstance(formula, And):
        return api.And(*(_translate(a, api) for a in formula.args))
    if isinstance(formula, Or):
        return api.Or(*(_translate(a, api) for a in formula.args))
    if isinstance(formula, Not):
        return api.Not(_translate(formula.args[0], api))
    if isinstance(formula, Implies):
        return api.Implies(*(_translate(a, api) for a in formula.args))
    if isinstance(formula, Relational):
        relation: Any = formula
        left, right = _translate(formula.lhs, api), _translate(formula.rhs, api)
        operations = {"<": left.__lt__, "<=": left.__le__, ">": left.__gt__, ">=": left.__ge__,
                      "==": left.__eq__, "!=": left.__ne__}  # fmt: skip
        return operations[relation.rel_op](right)
    if isinstance(formula, sympy.Symbol):
        return api.Real(formula.name)
    if isinstance(formula, sympy.Rational):
        return api.RealVal(f"{formula.p}/{formula.q}" if formula.q != 1 else str(formula.p))
    if isinstance(formula, sympy.Add):
        terms = [_translate(a, api) for a in formula.args]
        total = terms[0]
        for term in terms[1:]:
            total = total + term
        return total
    if isinstance(formula, sympy.Mul):
        factors = [_translate(a, api) for a in formula.args]
        product = factors[0]
        for factor in factors[1:]:
            product = product * factor
        return product
    if isinstance(formula, sympy.Pow) and formula.exp.is_Integer and formula.exp > 0:
        base = _translate(formula.base, api)
        product = base
        for _ in range(int(formula.exp) - 1):
            product = product * base
        return product
    raise TypeError(f"not polynomial: {formula}")


def _model(model: Any) -> dict[str, Fraction]:
    values = {}
    for letter in model.decls():
        if letter.arity():  # z3's own function for x/0, which no cleared formula reads
            continue
        value = model[letter]
        if z3.is_algebraic_value(value):
            value = value.approx(20)
        values[letter.name()] = Fraction(value.numerator_as_long(), value.denominator_as_long())
    return values
