"""Identities and limits: sympy decides, and values at random rational points have to agree."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, pairwise
from typing import Any

import mpmath
import sympy

from verify.enclosure import Undefined, enclose
from verify.evidence import Evidence
from verify.existence import free_symbols, leave_none
from verify.facts import Fact, check_exact, check_letter, derived, equal
from verify.fractions_check import NotRational, evaluate, holds
from verify.obligation import Settings
from verify.polynomial import asserted, clear
from verify.relations import parts_of
from verify.smt import check, solve

SAMPLES = 12
"""Random rational points at which an identity has to hold, besides sympy's own answer."""

BITS = 512
"""Binary places of a root in a sampled identity."""

DIGITS = (10, 40, 160)
"""A limit is followed to its point at distances 10^−k (towards infinity: at 10^k), k in `DIGITS`."""

FAR = 10**12
"""A letter that goes to infinity has to be able to get this far, one that goes to a point this near, as 1/FAR."""

PLACES = 1_000
"""Decimal places of the numbers on the way: what cancels there, and what is left of it."""


@dataclass(frozen=True)
class Identity:
    """`left == right` as expressions: sympy reduces the difference to zero, and exact evaluation at random
    rationals (which shares nothing with the simplifier) agrees. Both sides must be defined where `given` holds; the
    simplifier is told the signs that follow from `given`, and no others."""

    name: str
    left: Any
    right: Any
    given: tuple[Fact, ...] = ()

    @property
    def conclusion(self) -> Fact:
        return derived(self.name, sympy.Eq(self.left, self.right, evaluate=False))

    def discharge(self, settings: Settings) -> Evidence:
        return check_identity(self)


@dataclass(frozen=True)
class Limit:
    """The limit of an expression as a letter, which is positive, tends to a point equals `value`. That the other letters are
    not negative has to follow from `given`."""

    name: str
    expression: sympy.Expr
    letter: sympy.Symbol
    point: sympy.Expr
    value: sympy.Expr
    direction: str = "+"
    given: tuple[Fact, ...] = ()

    @property
    def conclusion(self) -> Fact:
        return derived(self.name, sympy.true)

    @property
    def limit(self) -> sympy.Limit:
        """What is said to be `value`."""
        return sympy.Limit(self.expression, self.letter, self.point, self.direction)

    def discharge(self, settings: Settings) -> Evidence:
        return check_limit(self)


def check_identity(task: Identity) -> Evidence:
    """sympy must reduce left − right to zero; a sample point where they differ refutes the identity exactly. That both sides
    are defined, and the signs that sympy is told, are shown from what the identity is given.

    Where a side is irrational both are enclosed between fractions `2^−BITS` apart or so: enclosures that do not meet refute,
    enclosures that meet count as agreement.
    """
    start = time.perf_counter()
    left, right = sympy.sympify(task.left), sympy.sympify(task.right)
    letters = sorted(left.free_symbols | right.free_symbols, key=str)
    facts = [formula for fact in task.given for formula in asserted(fact.relation)]
    if (together := check(facts)) != "sat":  # what contradicts itself gives every sign
        return Evidence(task.name, "sympy", "vacuous" if together == "unsat" else "unknown", time.perf_counter() - start,
                        detail=f"whether what it is given can hold together: {together}")  # fmt: skip
    swap, undefined = _known(task.given, sympy.Eq(left, right, evaluate=False), letters)
    if undefined is not None:
        return Evidence(task.name, "sympy", "unknown", time.perf_counter() - start,
                        detail=f"not shown to be defined: {undefined}")  # fmt: skip
    difference: Any = sympy.simplify((left - right).subs(list(swap.items())))
    rng = random.Random(task.name)
    sampled, model = 0, None
    for _ in range(20 * SAMPLES):
        values = {str(s): _draw(rng, s in swap) for s in letters}
        equal = _agree(left, right, values) if _allowed(task.given, values) else None
        if equal is None:
            continue
        sampled += 1
        if not equal:
            model = values
            break
        if sampled == (SAMPLES if letters else 1):
            break
    proved = difference == 0 and sampled > 0 and model is None
    own = left.free_symbols | right.free_symbols
    aside = [
        fact.name for fact in task.given if not fact.relation.free_symbols <= own
    ]  # of which `_allowed` asks nothing
    apart = model is not None  # of two constants at a point without letters
    status = "refuted" if apart and not aside else "proved" if proved else "unknown"
    detail = f"equal at {sampled} random rational points" if not apart else "differs at a rational point"
    needed = tuple(fact.name for fact in task.given if fact.origin == "hypothesis")
    return Evidence(task.name, "sympy", status, time.perf_counter() - start, f"sympy {sympy.__version__}",
                    needed=needed, model=model, detail=detail)  # fmt: skip


def check_limit(task: Limit) -> Evidence:
    """sympy's exact limit, and the expression's values on the way to the point. The moving letter is positive, so that it has to
    get near the point from that side; what the limit is given has to allow it. That each of the other letters is positive, or not
    negative, has to follow from what it is given. Raises `TypeError` where one is more than real by assumption.

    `proved` and `refuted` need both to speak for the limit that sympy found; where they do not it is `unknown`.
    """
    start = time.perf_counter()
    others = sorted((task.expression.free_symbols | task.value.free_symbols) - {task.letter}, key=str)
    check_exact(sympy.Tuple(task.expression, task.point, task.value))
    for letter in others:  # sympy would take a sign of a letter from the letter itself
        check_letter(letter)
    signed, _ = _known(task.given, sympy.true, others)
    doubts = [] if _gets_there(task, signed) else [f"{task.letter} > 0 does not get there"]
    doubts += [
        f"{letter} ≥ 0 does not follow from what it is given" for letter in others if letter not in signed
    ]
    swap = {task.letter: sympy.Symbol(str(task.letter), positive=True), **signed}
    letter = swap[task.letter]
    expression, point, expected = (
        sympy.sympify(part).subs(list(swap.items())) for part in (task.expression, task.point, task.value)
    )
    try:
        found = sympy.limit(expression, letter, point, task.direction)
    except NotImplementedError as error:  # so says sympy where the sign of a letter would decide
        seconds = time.perf_counter() - start
        told = f"sympy finds no limit: {error}"
        return Evidence(task.name, "limit", "unknown", seconds, f"sympy {sympy.__version__}", detail=told)
    same = found == expected or sympy.simplify(found - expected) == 0
    vanishing = list(_vanishing(task, others))
    places = [{swap.get(s, s): value for s, value in place.items()} for place in vanishing if place]
    followed = _approaches(expression, letter, point, task.direction, found, random.Random(task.name), places)
    doubts += [] if followed else ["but the values on the way do not go there"]
    doubts += ["and where a coefficient is 0 is not known"] if None in vanishing else []
    status = "unknown" if doubts else "proved" if same else "refuted"
    needed = tuple(fact.name for fact in task.given if fact.origin == "hypothesis")
    return Evidence(task.name, "limit", status, time.perf_counter() - start, f"sympy {sympy.__version__}",
                    needed=needed, detail=", ".join([f"the limit is {found}", *doubts]))  # fmt: skip


def _vanishing(task: Limit, others: Sequence[Any]) -> Iterator[dict[Any, Any] | None]:
    """Values of the other letters for which a coefficient of what moves with the letter is zero, where what is given allows it, and
    None where that is not known: at a = 7/29 1/(1 + (a − 7/29)²x) does not go to 0, and no value that is drawn would tell."""
    facts = [formula for fact in task.given for formula in asserted(fact.relation)]
    coefficients: dict[Any, None] = {}
    for part in sympy.preorder_traversal(task.expression):
        if isinstance(part, sympy.Add | sympy.Mul) and part.has(task.letter):
            found: dict[Any, Any] = {}
            for term in sympy.Add.make_args(sympy.expand(part)):
                factor, rest = term.as_independent(task.letter, as_Add=False)
                found[rest] = found.get(rest, 0) + factor
            plain = (
                sympy.Mul(*(f for f in sympy.Mul.make_args(c) if not isinstance(f, sympy.exp)))
                for c in found.values()
            )
            coefficients |= dict.fromkeys(c for c in plain if c.free_symbols)  # eʸ is never 0
    for coefficient in coefficients:
        try:
            zero = asserted(equal(coefficient, 0))
        except TypeError:  # no polynomial
            yield None
            continue
        answer = solve([*facts, *zero, *(s >= 0 for s in others)], seconds=1.0)
        if answer.result != "unsat":
            model = answer.model or {}
            place = {s: sympy.Rational(model.get(s.name, Fraction(1))) for s in others}
            yield place if coefficient.subs(place) == 0 else None


def _gets_there(task: Limit, signed: Mapping[Any, Any]) -> bool:
    """Whether positive values of the letter lie near the point, on the side that it comes from, and what is given leaves some,
    whatever the other letters of the expression are."""
    point = sympy.sympify(task.point)
    if point == sympy.oo:
        near = task.letter >= FAR
    else:
        least = point.subs(list(signed.items()))
        if not (least.is_positive or (least.is_zero and task.direction == "+")):
            return False
        step = (task.letter - point) * (1 if task.direction == "+" else -1)
        near = sympy.And(step > 0, FAR * step <= 1)
    facts = [formula for fact in task.given for formula in asserted(fact.relation)]
    if check([*facts, task.letter > 0, near], seconds=1.0) == "unsat":
        return False
    here = frozenset(part for fact in task.given for part in parts_of(fact.relation))
    about = frozenset(part for part in here if part.has(task.letter))
    fixed = free_symbols((task.expression, sympy.sympify(task.value), point)) - {task.letter}
    return not about or not leave_none(about | {task.letter > 0, near}, fixed, here - about)


def _known(given: Sequence[Fact], relation: Any, letters: Sequence[Any]) -> tuple[dict[Any, Any], Any]:
    """Letters of which the facts show a sign, as letters that sympy knows it of; and what is not shown to be defined."""
    facts = [formula for fact in given for formula in asserted(fact.relation)]

    def follows(conclusion: Any, *beside: Any) -> bool:
        return check([*facts, *beside, sympy.Not(conclusion)], seconds=1.0) == "unsat"

    whole = clear(relation)
    undefined = [condition for condition in whole.defined if not follows(condition, *whole.guarded)]
    signs = {"positive": {s for s in letters if follows(s > 0)}}
    signs["nonnegative"] = {s for s in letters if s not in signs["positive"] and follows(s >= 0)}
    swap = {s: sympy.Symbol(str(s), **{sign: True}) for sign, known in signs.items() for s in known}
    return swap, undefined[0] if undefined else None


def _allowed(given: Sequence[Fact], values: dict[str, Fraction]) -> bool:
    """Whether the facts are not known to fail there."""
    try:
        return all(
            holds(fact.relation, values) for fact in given if fact.relation.free_symbols <= _symbols(values)
        )
    except NotRational:
        return False


def _symbols(values: dict[str, Fraction]) -> set[Any]:
    return {sympy.Symbol(name, real=True) for name in values}


def _agree(left: Any, right: Any, values: dict[str, Fraction]) -> bool | None:
    """Whether both sides are equal there, or cannot be told apart; None where a side has no real value."""
    try:
        return evaluate(left, values) == evaluate(right, values)
    except NotRational:
        pass
    except ZeroDivisionError:
        return None
    try:
        (low, high), (least, most) = enclose(left, values, BITS), enclose(right, values, BITS)
    except (Undefined, ZeroDivisionError):
        return None
    return low <= most and least <= high


def _approaches(
    expression: Any,
    letter: Any,
    point: Any,
    direction: str,
    limit: Any,
    rng: random.Random,
    further: Iterable[Mapping[Any, Any]],
) -> bool:
    """Whether the values go to the limit at random values of the other letters, wherever some of those that may be zero are, and at
    further places."""
    others = sorted((expression.free_symbols | limit.free_symbols | point.free_symbols) - {letter}, key=str)
    may_be_zero = [s for s in others if not s.is_positive]
    zeros = (chosen for size in range(len(may_be_zero) + 1) for chosen in combinations(may_be_zero, size))
    first, *more = (
        {s: sympy.Rational(rng.randint(1, 30), rng.randint(1, 30)) for s in others}
        for _ in range(SAMPLES if others else 1)
    )
    places = chain(({**first, **dict.fromkeys(chosen, sympy.Integer(0))} for chosen in zeros), more, further)
    return all(_goes(expression.subs(at), letter, point.subs(at), direction, limit.subs(at)) for at in places)


def _goes(expression: Any, letter: Any, point: Any, direction: str, limit: Any) -> bool:
    """Whether the distance to the limit at least halves (an infinite value: its size doubles) from each place of `DIGITS`
    to the next, or is zero. Even 1/log falls by four there; the distance to a wrong limit does not fall to zero. What has no value
    goes nowhere.
    """
    if limit.has(sympy.nan, sympy.zoo) or expression.has(sympy.nan, sympy.zoo):
        return False
    function = sympy.lambdify(letter, expression, "mpmath")
    sizes = []
    with mpmath.workdps(PLACES):
        for k in DIGITS:
            step = mpmath.mpf(10) ** k
            if point in (sympy.oo, -sympy.oo):
                place = step if point == sympy.oo else -step
            else:
                place = _number(point) + (1 if direction == "+" else -1) / step
            found = function(place)
            if limit in (sympy.oo, -sympy.oo):
                sizes.append(found if limit == sympy.oo else -found)
            else:
                sizes.append(abs(found - _number(limit)))
    if limit in (sympy.oo, -sympy.oo):
        return all(after >= 2 * before > 0 for before, after in pairwise(sizes))
    return all(2 * after <= before for before, after in pairwise(sizes))


def _number(expression: Any) -> Any:
    """A constant in mpmath's own arithmetic, where no power is too large to be written down."""
    return sympy.lambdify((), expression, "mpmath")()


def _draw(rng: random.Random, positive: bool) -> Fraction:
    numerator = rng.randint(1, 30)
    return Fraction(numerator if positive else rng.choice((-1, 1)) * numerator, rng.randint(1, 12))
