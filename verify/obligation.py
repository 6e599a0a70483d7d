"""One obligation: facts that are given, a goal that must follow, for all real values of the letters in them.

An obligation is discharged in five questions to a solver, each on polynomials only (`verify.polynomial`):

1. can the given facts hold together (if not, the obligation is *vacuous*, and not proved);
2. is the goal defined wherever they hold (denominators not zero, radicands not negative);
3. can they hold while the goal fails: `unsat` is a proof, a model is a counterexample, re-checked in fractions;
4. which given facts were needed: each one is dropped in turn;
5. if asked, what a second solver says to question 3.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean, Not

from verify.evidence import Evidence, Status
from verify.existence import exist
from verify.facts import Fact, derived
from verify.fractions_check import NotRational, holds
from verify.polynomial import Cleared, asserted, clear, denominators, domain, has_alternatives
from verify.second_solver import cvc5
from verify.smt import Z3, Answer, Result, check, solve

_DENOMINATORS = (1, 2, 3, 4, 5, 8, 10, 16, 100, 1000, 10**6)
"""A counterexample with small denominators is preferred to the solver's own."""


SECOND_OPINION = 3.0
"""Seconds on the clock that the second solver has for its answer to question 3; it decides much less than the first."""


@dataclass(frozen=True)
class Settings:
    """How obligations are discharged: `cross_check` asks cvc5 too; `seconds` is the limit of one question."""

    cross_check: bool = False
    minimise: bool = True
    seconds: float = 10.0


@dataclass(frozen=True)
class Obligation:
    """`given` ⊢ `goal`. The goal's name is what later nodes of a proof refer to."""

    name: str
    given: tuple[Fact, ...]
    goal: Fact

    @property
    def conclusion(self) -> Fact:
        return self.goal

    def discharge(self, settings: Settings) -> Evidence:
        """The evidence for this obligation; never raises on a solver's failure."""
        return discharge(self, settings)


def obligation(name: str, given: Sequence[Fact], goal: Any) -> Obligation:
    """`given` ⊢ `goal`, the goal named after the obligation."""
    return Obligation(name, tuple(given), derived(name, goal))


_ALWAYS: Mapping[Result, Status] = {"unsat": "proved", "sat": "refuted", "unknown": "unknown"}
"""Whether values always exist, of the answer to whether they may not."""


@dataclass(frozen=True)
class Meaning:
    """That letters which nothing else here speaks of can mean what these relations say, for all values of the others that what is
    given allows: what a conclusion rests on whose own letters are not known where it is used. For x < 0 s² = x leaves no meaning;
    what a solver does not decide is not shown."""

    name: str
    given: tuple[Fact, ...]
    relations: frozenset[Any]
    known: frozenset[Any]
    """The other letters."""

    def discharge(self, settings: Settings) -> Evidence:
        start = time.perf_counter()
        answer = exist(self.relations, self.known, frozenset(fact.relation for fact in self.given))
        return Evidence(self.name, "smt", _ALWAYS[answer], time.perf_counter() - start)


@cache
def discharge(task: Obligation, settings: Settings) -> Evidence:
    """`Obligation.discharge`; a step that several proofs share is discharged once in a process."""
    start = time.perf_counter()
    problem = _Problem.of(task, settings)
    status, solver, detail, model = problem.decide()
    needed: tuple[str, ...] = ()
    unneeded: tuple[str, ...] = ()
    if status == "proved" and settings.minimise:
        needed, unneeded = problem.minimise()
    second = ""
    if settings.cross_check and status in ("proved", "refuted"):
        second = problem.second_opinion()
        agrees = {"proved": "unsat", "refuted": "sat"}[status]
        if second not in (agrees, "unknown"):
            status, detail = "unknown", f"the solvers disagree: {solver} says {agrees}, cvc5 says {second}"
    seconds = time.perf_counter() - start
    return Evidence(task.name, "smt", status, seconds, solver, needed, unneeded, model, second, detail)


@cache
def together(facts: tuple[Fact, ...], seconds: float) -> Result:
    """Whether the facts can hold together; what contradicts itself proves everything. Of alternatives all parts have to be defined
    for that: a root that does not exist would hold with anything."""
    answer = check([formula for fact in facts for formula in asserted(fact.relation)], seconds)
    if answer == "sat" and any(has_alternatives(fact.relation) for fact in facts):
        parts = [clear(fact.relation) for fact in facts]
        whole = [formula for part in parts for formula in (part.formula, *part.sides, *part.defined)]
        return "sat" if check(whole, seconds) == "sat" else "unknown"
    return answer


def at_numbers(facts: Sequence[Fact], seconds: float) -> tuple[tuple[Any, Any], ...]:
    """Numbers of few digits at which letters are in a model of the facts, where there is one."""
    answer = solve([formula for fact in facts for formula in asserted(fact.relation)], seconds)
    letters = sorted({s for fact in facts for s in fact.relation.free_symbols}, key=str)
    model = {s: (answer.model or {}).get(s.name) for s in letters}
    few = {s: value for s, value in model.items() if value is not None and value.denominator < 10**6}
    return tuple((s, sympy.Rational(value.numerator, value.denominator)) for s, value in few.items())


def undefined_without(
    fact: Fact, rest: Sequence[Fact], says: Callable[[tuple[Fact, ...], Any], bool]
) -> bool:
    """Whether a definition among the rest has a value thanks to the fact alone, as x = 1/L has to L > 0. says: whether facts imply a
    relation."""
    for one in rest:
        others = tuple(other for other in rest if other is not one)
        for condition in domain(one.relation) if one.origin == "definition" else ():
            if not says(others, condition) and says((*others, fact), condition):
                return True
    return False


def as_polynomials(task: Obligation) -> tuple[list[Boolean], tuple[Boolean, ...]]:
    """The obligation as polynomials: what is given, and that the goal is undefined or false."""
    problem = _Problem.of(task, Settings())
    return problem.hypotheses, problem.fails


@dataclass(frozen=True)
class _Problem:
    task: Obligation
    settings: Settings
    facts: tuple[tuple[Boolean, ...], ...]
    """For each given fact: its polynomial form, and what its fresh letters and its being defined add."""
    goal: Cleared
    positive: frozenset[sympy.Expr]
    """Denominators that the facts show to be positive."""
    partial: tuple[tuple[str, tuple[Boolean, ...]], ...]
    """Names of given facts with alternatives, and what must hold for all parts to be defined: "or" and "if" hold where one
    part does and do not say that the other is defined, so that it has to be shown."""

    @classmethod
    def of(cls, task: Obligation, settings: Settings, shown: frozenset[sympy.Expr] | None = None) -> _Problem:
        """shown: the denominators that these and further facts show to be positive, where that is known: no others are asked
        about."""
        positive = _positive(task, shown)
        facts = tuple(asserted(fact.relation, positive) for fact in task.given)
        alternatives = [fact for fact in task.given if has_alternatives(fact.relation)]
        partial = [(fact.name, clear(fact.relation, positive).defined) for fact in alternatives]
        goal = clear(task.goal.relation, positive)
        return cls(task, settings, facts, goal, positive, tuple(partial))

    @property
    def fails(self) -> tuple[Boolean, ...]:
        """That the goal is undefined or false."""
        return (*self.goal.guarded, Not(sympy.And(self.goal.formula, *self.goal.defined)))

    @property
    def hypotheses(self) -> list[Boolean]:
        return [formula for fact in self.facts for formula in fact]

    def decide(self) -> tuple[Status, str, str, dict[str, Fraction] | None]:
        """Questions 1 to 3: (status, solver, detail, model)."""
        whole = self._check([*self.hypotheses])
        if whole == "unsat":
            return "vacuous", Z3, "the hypotheses contradict each other", None
        for name, defined in self.partial:
            for condition in defined:
                if self._check([*self.hypotheses, Not(condition)]) != "unsat":
                    return "unknown", Z3, f"'{name}' is not shown to be defined: {condition}", None
        for condition in self.goal.defined:
            if self._check([*self.hypotheses, *self.goal.guarded, Not(condition)]) != "unsat":
                return "unknown", Z3, f"not shown to be defined: {condition}", None
        answer = solve([*self.hypotheses, *self.goal.sides, Not(self.goal.formula)], self.settings.seconds)
        if answer.result == "unsat":
            if whole == "unknown":
                return "unknown", answer.solver, "the hypotheses were not shown to be satisfiable", None
            return "proved", answer.solver, "", None
        if answer.result == "sat":
            model = self._confirmed(answer)
            if model is None:
                return (
                    "unknown",
                    answer.solver,
                    "a model was found but not confirmed in exact arithmetic",
                    None,
                )
            return "refuted", answer.solver, "", model
        return "unknown", answer.solver, f"no answer within {self.settings.seconds} s", None

    def minimise(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Question 4: names of the printed hypotheses that cannot, and that can, be dropped one after another."""
        kept, shown = self.task.given, self.positive
        quick = replace(self.settings, seconds=min(1.0, self.settings.seconds))
        for fact in [fact for fact in kept if fact.origin == "hypothesis"]:
            rest = tuple(other for other in kept if other is not fact)
            fewer = _Problem.of(replace(self.task, given=rest), quick, shown)
            if fewer.follows() and not self._presupposed(fact, rest, quick):
                kept, shown = rest, fewer.positive
        printed = [fact for fact in self.task.given if fact.origin == "hypothesis"]
        return (
            tuple(fact.name for fact in printed if fact in kept),
            tuple(fact.name for fact in printed if fact not in kept),
        )

    def _presupposed(self, fact: Fact, rest: tuple[Fact, ...], quick: Settings) -> bool:
        """Whether without the dropped hypothesis a definition among the rest would have no value, as x = 1/L has none at L = 0, or
        the rest says it again by way of a definition of a further letter, as "s = √x > 0" says x > 0: it is needed, since without it
        there is no such letter."""

        def says(given: tuple[Fact, ...], relation: Any) -> bool:
            return _Problem.of(obligation(fact.name, given, relation), quick).follows()

        if undefined_without(fact, rest, says):
            return True
        letters = self.task.goal.relation.free_symbols.union(
            *(other.relation.free_symbols for other in self.task.given if other.origin == "hypothesis")
        )
        stated = tuple(
            other for other in rest if other.origin != "definition" or other.relation.free_symbols <= letters
        )
        return len(stated) < len(rest) and says(rest, fact.relation) and not says(stated, fact.relation)

    def follows(self) -> bool:
        """Whether the goal is defined and holds wherever the given facts do."""
        return self._check([*self.hypotheses, *self.fails]) == "unsat"

    def second_opinion(self) -> str:
        formulas = [*self.hypotheses, *self.goal.sides, Not(self.goal.formula)]
        return cvc5().ask(formulas, SECOND_OPINION)

    def _check(self, formulas: Sequence[Boolean]) -> Result:
        return check(formulas, self.settings.seconds)

    def _confirmed(self, answer: Answer) -> dict[str, Fraction] | None:
        """A rational model of the obligation's own letters, checked by fraction arithmetic on the formulas as they
        were before any clearing. Letters are pinned one after another to simple fractions near the solver's values;
        products of vectors come last, since norms decide them."""
        own: set[Any] = {s for fact in (*self.task.given, self.task.goal) for s in fact.relation.free_symbols}
        letters = sorted(own, key=lambda s: (s.name.startswith("<"), s.name))
        formulas = [*self.hypotheses, *self.goal.sides, Not(self.goal.formula)]
        pinned: list[Any] = []
        model = answer.model or {}
        for letter in letters:
            near = model.get(letter.name, Fraction(0))
            for candidate in dict.fromkeys([Fraction(round(near * k), k) for k in _DENOMINATORS] + [near]):
                pin = sympy.Eq(letter, sympy.Rational(candidate.numerator, candidate.denominator))
                found = solve([*formulas, *pinned, pin], seconds=2.0)
                if found.result == "sat":
                    pinned.append(pin)
                    model = found.model or {}
                    break
        values = {s.name: model.get(s.name, Fraction(0)) for s in letters}
        try:
            given = all(holds(fact.relation, values) for fact in self.task.given)
            return values if given and not holds(self.task.goal.relation, values) else None
        except NotRational:
            return None


def _positive(task: Obligation, shown: frozenset[sympy.Expr] | None) -> frozenset[sympy.Expr]:
    """Denominators that the facts without denominators already show to be positive; see `_Problem.of` for `shown`."""
    plain, found = [], set()
    for fact in task.given:
        factors = denominators(fact.relation)
        found |= factors
        if not factors:
            plain.append(fact.relation)
    found |= denominators(task.goal.relation)
    base = tuple(formula for relation in plain for formula in asserted(relation))
    positive = set()
    for factor in found:
        either = {1: factor, -1: sympy.expand(-factor)}
        asked = {sign: term for sign, term in either.items() if shown is None or term in shown}
        if sign := _sign(factor, base, tuple(asked)):
            positive.add(either[sign])
    return frozenset(positive)


def _sign(factor: Any, base: tuple[Boolean, ...], asked: tuple[int, ...]) -> int:
    """Which of these signs the facts show, else 0. What bounds its own letters alone is asked first: it mostly suffices, and is
    the same question in most steps."""
    own = tuple(fact for fact in base if fact.free_symbols <= factor.free_symbols)
    return next((sign for facts in (own, base) for sign in asked if _has_sign(factor, sign, facts)), 0)


@lru_cache(maxsize=1 << 14)
def _has_sign(factor: Any, sign: int, facts: tuple[Boolean, ...]) -> bool:
    return check([*facts, factor <= 0 if sign > 0 else factor >= 0], seconds=1.0) == "unsat"
