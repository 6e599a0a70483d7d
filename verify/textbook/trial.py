"""A trial of a textbook result: cases, in which its letters get their values, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy
from sympy.core.relational import Relational

from verify.facts import Fact
from verify.textbook.draws import DIGITS, Draws, Number, mp

CASES = 200
ROUNDING = mp.mpf(10) ** (15 - DIGITS)
"""Of the size of the terms. A case takes far fewer than 10¹⁰ operations, each of which is off by 10⁻⁶⁰ of its result, and
cancels fewer than five digits."""
SLACK = mp.mpf(1) / 4
"""How sharp the cases have to be: a coefficient that is off by so much of itself, on the side that says more, is found out."""

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Trial:
    """Cases of the textbook results of one name.

    name: of the facts. case: from draws, the values of their letters by name; further letters do no harm. loose: why no case comes
    near equality, where none can.
    """

    name: str
    case: Callable[[Draws], Values]
    loose: str = ""


def each(case: Callable[[Draws], Values], *names: str, loose: str = "") -> tuple[Trial, ...]:
    """Trials of several results by the same cases."""
    return tuple(Trial(name, case, loose) for name in names)


@dataclass(frozen=True)
class Trusted:
    """A textbook result that no finite case can speak of, what proofs may say in its name (in sympy's words), and why."""

    name: str
    says: str
    why: str

    def covers(self, fact: Fact) -> bool:
        return (fact.name, str(fact.relation)) == (self.name, self.says)


@dataclass(frozen=True)
class Outcome:
    """What the cases say of a fact: in how many it was tried, in how many of these what it presupposes held, the first in which
    it fails, and for each term of its inequalities by which part of itself it could be worse without a case that shows it."""

    cases: int
    applied: int
    failure: Mapping[str, str] | None
    slack: Mapping[str, Number]

    def complaints(self, loose: bool = False) -> list[str]:
        """What is wrong with the fact or with its trial; of a loose one no sharpness is asked."""
        found = [] if self.failure is None else [f"is false in a case: {dict(self.failure)}"]
        found += [] if self.applied else ["presupposes what holds in none of the cases"]
        if not found and not loose:
            found += [
                f"the coefficient of {term} could be off by {mp.nstr(slack, 3)} of itself in every case"
                for term, slack in self.slack.items()
                if slack > SLACK
            ]
        return found


def examine(fact: Fact, trial: Trial, cases: int = CASES) -> Outcome:
    """Try the fact on that many cases. Raises `KeyError` where the trial has no value for a letter."""
    letters = sorted(map(str, fact.relation.free_symbols))
    applied, failure = 0, None
    slack: dict[tuple[Any, Any], Number] = {}
    for seed in range(cases):
        found = drawn(trial.case, seed)
        values = {name: mp.mpf(found[name]) for name in letters}
        applies = all(holds(premise, values) for premise in premises(fact.relation))
        applied += applies
        if failure is None and not holds(fact.relation, values):
            failure = {name: mp.nstr(value, 8) for name, value in values.items()}
        # where a letter is 0 many an inequality is an equality, whatever its coefficients
        telling = applies and all(values.values())
        for part in inequalities(fact.relation):
            for term, room in _room(part, values):
                slack[term, part] = min(slack.get((term, part), mp.inf), room if telling else mp.inf)
    return Outcome(
        cases, applied, failure, {f"{term} in {part}": room for (term, part), room in slack.items()}
    )


@cache
def drawn(case: Callable[[Draws], Values], seed: int) -> Values:
    """The values of one case; the facts that share it are many."""
    return case(Draws(seed))


def holds(relation: Any, values: Values) -> bool:
    """Whether a relation holds; equations and what is not strict up to rounding."""
    if relation in (sympy.true, sympy.false):
        return bool(relation)
    if isinstance(relation, sympy.And):
        return all(holds(part, values) for part in relation.args)
    if isinstance(relation, sympy.Or):
        return any(holds(part, values) for part in relation.args)
    if isinstance(relation, sympy.Implies):
        return not holds(relation.args[0], values) or holds(relation.args[1], values)
    left, right, error = _sides(relation, values)
    return {
        "<=": left <= right + error,
        "<": left < right,
        ">=": left >= right - error,
        ">": left > right,
        "==": abs(left - right) <= error,
    }[relation.rel_op]


def premises(relation: Any) -> Iterator[Any]:
    """What the implications in a relation presuppose."""
    if isinstance(relation, sympy.Implies):
        yield relation.args[0]
        yield from premises(relation.args[1])
    elif isinstance(relation, sympy.And):
        for part in relation.args:
            yield from premises(part)


def inequalities(relation: Any) -> Iterator[Relational]:
    """The inequalities that a relation concludes, but for the sign of a letter."""
    if isinstance(relation, sympy.Implies):
        yield from inequalities(relation.args[1])
    elif isinstance(relation, sympy.And | sympy.Or):
        for part in relation.args:
            yield from inequalities(part)
    elif isinstance(relation, Relational) and not isinstance(relation, sympy.Eq):
        sign = relation.rhs == 0 and relation.lhs.is_Symbol
        yield from () if sign else (relation,)


def _room(part: Relational, values: Values) -> Iterator[tuple[Any, Number]]:
    """For each term of an inequality, how far the sides are apart as a part of that term."""
    terms = [*_terms(part.lhs, values), *(-term for term in _terms(part.rhs, values))]
    sides: Any = (part.lhs, part.rhs)
    written = [term for side in sides for term in sympy.Add.make_args(side)]
    apart = abs(sum(terms))
    for term, value in zip(written, terms, strict=True):
        if value:
            yield term, apart / abs(value)


def _sides(relation: Any, values: Values) -> tuple[Number, Number, Number]:
    """Both sides, and what rounding may do to them."""
    left, right = _terms(relation.lhs, values), _terms(relation.rhs, values)
    size = sum(map(abs, [*left, *right]), mp.mpf(1))
    return sum(left, mp.mpf(0)), sum(right, mp.mpf(0)), size * ROUNDING


def _terms(expression: Any, values: Values) -> list[Number]:
    return [evaluate(term, values) for term in sympy.Add.make_args(expression)]


def evaluate(expression: Any, values: Values) -> Number:
    """The value of an expression, in 60 digits. Raises `KeyError` for a letter without a value, `TypeError` where there is no real
    one."""
    if isinstance(expression, sympy.Symbol):
        return values[expression.name]
    if isinstance(expression, sympy.Rational):
        return mp.mpf(int(expression.p)) / int(expression.q)
    parts = [evaluate(argument, values) for argument in expression.args]
    if isinstance(expression, sympy.Add):
        return sum(parts, mp.mpf(0))
    if isinstance(expression, sympy.Mul):
        return mp.fprod(parts)
    if isinstance(expression, sympy.Pow):
        result = parts[0] ** parts[1]
    elif isinstance(expression, sympy.Abs):
        result = abs(parts[0])
    elif isinstance(expression, sympy.Max | sympy.Min):
        result = (max if isinstance(expression, sympy.Max) else min)(parts)
    else:
        raise TypeError(
            f"a textbook result with {expression.func}: only sums, products, powers, |·|, max and min are read"
        )
    if not isinstance(result, mp.mpf):
        raise TypeError(f"{expression} has no real value at {dict(values)}")
    return result
