"""Whether the definitions that a proof uses say no more than definitions may.

A definition introduces letters (s := √(2LΔ)) or says what every value of a letter is (r = ‖v‖ ≥ 0). Both can hide a
hypothesis: `s > 0, s² = 2LΔ` holds for no s where Δ = 0, and a letter that is defined twice, as K + 1 and as n, says K + 1 = n.
So, with the *letters of the statement* those of its hypotheses and those of its conclusion that the paper's table lists, a
machine is asked of all definitions of a proof:

- what they say about letters of the statement alone is that a letter is at least 0 or 1, as its domain in the table has it,
  or at least 0 where the table does not have it (`Proof.meanings`), or it follows from the hypotheses, if need be with the
  equations that introduce letters (s ≥ 1 from s² = K + 1);
- for all values of the letters of the statement there are values of the others for which those definitions that share them
  hold together (`existence`);
- of letters of the proof's own they say equations and signs (`letter ≥ 0`, `> 0` or `≥ 1`), or cases of these that leave no
  value out. `D₀ ≤ η` can be satisfied by some D₀ for every η and is a condition all the same: whatever else bounds a letter
  is a hypothesis, a textbook result or shown, unless it follows from the hypotheses and the equations and signs. Two bounds say
  what a letter is: a minor of a Gram matrix, and that what an induction counts by ones is not past the end.

What an induction concludes holds of what it runs through (a sum so far), not of any number of that name. So it does not run through
a number of the paper that the hypotheses speak of, and what it counts is not given a value that is not whole; that no definition
gives such a letter another meaning, and that a letter which no table has is whole, is left to the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from typing import Any

import sympy

from bounds.alpha_normec.symbols import SYMBOLS as ALPHA_NORMEC
from bounds.dp_normfedavg.symbols import SYMBOLS as DP_NORMFEDAVG
from bounds.fed_alpha_normec.symbols import SYMBOLS as FED_ALPHA_NORMEC
from bounds.symbols import Symbol
from verify.existence import exist, free_symbols, granted, tied
from verify.facts import Fact, replaced
from verify.gram import minor, squared
from verify.polynomial import clear
from verify.proof import Proof
from verify.smt import solve

NOT_MET = {"sat": "cannot be satisfied", "unknown": "are not shown to be satisfiable"}
TABLES = {"alpha-normec": ALPHA_NORMEC, "fed-alpha-normec": FED_ALPHA_NORMEC, "dp-normfedavg": DP_NORMFEDAVG}


def restrictions(proof: Proof, paper: str = "") -> list[str]:
    """Definitions that narrow the statement, in words; empty where none does. Of a conclusion for which no paper is named all
    letters count as the proof's own."""
    table = TABLES[paper] if paper else {}
    assumed = [fact for fact in proof.assumptions if fact.origin != "definition"]
    stated = of_statement(proof, paper)
    definitions = [fact for fact in (*proof.assumptions, *proof.facts()) if fact.origin == "definition"]
    said = {
        part: fact.name
        for fact in definitions
        for part in _parts(fact.relation)
        if part.free_symbols <= stated
    }
    printed = {fact.relation for fact in assumed}
    signs = frozenset(part for part in said if _is_sign(part, table)) | printed
    own = _introducing(definitions, stated, table)
    found = [
        f"'{name}' is used as a definition and excludes values that no hypothesis excludes"
        for part, name in said.items()
        if part not in signs and not _follows(part, signs) and not _follows(part, signs | own)
    ]
    counted = _counted(proof.nodes)
    found += _bounds(definitions, stated, printed, counted.keys())
    found += _not_run_through(proof.nodes, stated, table)
    found += _in_two_ways(proof.nodes)
    found += _narrowed_steps(proof.nodes, stated, frozenset(printed))
    parts = {part for fact in definitions for part in _parts(fact.relation)}
    counts = frozenset(letter >= first for letter, first in counted.items())
    found += _not_whole(proof.nodes, table, frozenset(parts) | printed | counts)
    found += _not_a_count(definitions, counted, table, signs | own | counts)
    found += _not_computed(proof.nodes, stated)
    known = frozenset((*said, *printed))
    for group in tied([fact.relation for fact in definitions], lambda letter: letter not in stated):
        answer = exist(frozenset(group), stated, known)
        if answer != "unsat":
            named = (fact.name for fact in definitions if fact.relation in group)
            names, all_ = ", ".join(f"'{name}'" for name in named), " together" if group[1:] else ""
            found.append(f"{names} {NOT_MET[answer]}{all_} for all values that the hypotheses allow")
    return found


def of_statement(proof: Proof, paper: str) -> frozenset[Any]:
    """The letters of the statement: those of its hypotheses and those of its conclusion that the paper's table lists."""
    table = TABLES[paper] if paper else {}
    concluded = proof.nodes[-1].conclusion.relation.free_symbols if proof.nodes else frozenset()
    assumed = free_symbols(fact.relation for fact in proof.assumptions if fact.origin != "definition")
    return assumed | {letter for letter in concluded if str(letter) in table}


def _bounds(
    definitions: Sequence[Fact], stated: Set[Any], printed: Set[Any], counted: Set[Any]
) -> Iterator[str]:
    """Definitions that bound letters of the proof's own by more than a sign."""
    parts = {part: fact.name for fact in definitions for part in _parts(fact.relation)}
    plain = {part for part in parts if isinstance(part, sympy.Eq) or _is_any_sign(part)}

    def ends(last: Any) -> bool:  # after 0, 1, … of them
        return _follows(
            last >= 0, frozenset(f for f in plain | printed if f.free_symbols & last.free_symbols)
        )

    bounding = [p for p in parts if p not in plain | printed and not p.free_symbols <= stated]
    for part in bounding:
        if _is_minor(part) or (isinstance(part, sympy.LessThan) and part.lhs in counted and ends(part.rhs)):
            continue
        wanted = _conditions(part) if isinstance(part, sympy.Or | sympy.Implies) else part
        near = frozenset(fact for fact in plain | printed if fact.free_symbols & part.free_symbols)
        signs = frozenset(fact for fact in near if _is_any_sign(fact))
        if not any(_follows(wanted, known) for known in (signs, near)):
            yield f"'{parts[part]}' is used as a definition and bounds a letter by more than a sign: {part}"


def _is_any_sign(part: Any) -> bool:
    greater = isinstance(part, sympy.GreaterThan | sympy.StrictGreaterThan)
    return greater and part.lhs.is_Symbol and part.rhs in (0, 1)


def _conditions(cases: Any) -> Any:
    """What the cases ask where their equations and signs are left out: together they have to leave no value out."""
    asked = cases.args[1:] if isinstance(cases, sympy.Implies) else cases.args
    open_ = (
        sympy.And(*(p for p in _parts(case) if not (isinstance(p, sympy.Eq) or _is_any_sign(p))))
        for case in asked
    )
    return sympy.Or(*open_)


def _is_minor(part: Any) -> bool:
    """Whether it says that a principal minor of a Gram matrix is at least 0."""
    names = squared(part.free_symbols)
    return bool(names) and isinstance(part, sympy.GreaterThan) and part.rhs == 0 and part.lhs == minor(names)


def _counted(nodes: Iterable[Any]) -> dict[Any, int]:
    """Letters that an induction counts, one more in each step, with the whole number at the start."""
    found: dict[Any, int] = {}
    for node in nodes:
        later = dict(getattr(node, "next", ()))
        starts = ((i, sympy.sympify(first)) for i, first in getattr(node, "start", ()))
        found |= {i: int(first) for i, first in starts if first.is_Integer and later.get(i) == i + 1}
        cited = getattr(node, "proof", None)
        found |= _counted(getattr(node, "nodes", ())) | _counted(cited.nodes if cited else ())
    return found


def _nested(nodes: Iterable[Any]) -> Iterator[Any]:
    """Nodes, and those within cases."""
    for node in nodes:
        yield node
        yield from _nested(getattr(node, "nodes", ()))


def _not_run_through(nodes: Iterable[Any], stated: Set[Any], table: Mapping[str, Symbol]) -> Iterator[str]:
    """Numbers of the paper, of which hypotheses speak, as letters that an induction runs through: it would show of R = 0, 0, … what
    is then said of every R ≥ 0."""
    for node in _nested(nodes):
        for letter, _ in getattr(node, "start", ()):
            if letter in stated and str(letter) in table:
                yield f"'{node.name}' runs through {letter}, which is any number that the hypotheses allow"


def _in_two_ways(nodes: Iterable[Any]) -> Iterator[str]:
    """Letters that run differently in two inductions: a sum of 1, 1, … and one of 2, 2, … under one name would be one number."""
    ways: dict[Any, Any] = {}
    for letter, way in _ways(nodes):
        if ways.setdefault(letter, way) != way:
            (one, then), (other, later) = ways[letter], way
            yield f"{letter} runs from {one} to {then} and so on in one induction, from {other} to {later} in another"


def _ways(nodes: Iterable[Any]) -> Iterator[tuple[Any, tuple[Any, Any]]]:
    """The letters of inductions, with what each starts from and is one step later; of what is cited those that it tells of."""
    for node in _nested(nodes):
        later = dict(getattr(node, "next", ()))
        for letter, first in getattr(node, "start", ()):
            yield letter, (first, later.get(letter))
        if cited := getattr(node, "proof", None):
            told = node.conclusion.relation.free_symbols
            for letter, way in _ways(cited.nodes):
                if (here := replaced(letter, node.at)) in told:
                    yield here, tuple(replaced(sympy.sympify(value), node.at) for value in way)


def _narrowed_steps(nodes: Iterable[Any], stated: Set[Any], printed: frozenset[Any]) -> Iterator[str]:
    """Definitions that the step of an induction is given and that do not hold wherever its letters come: from "k ≥ 1" it would not
    follow that what holds at k = 0 holds at 1."""
    for node in _nested(nodes):
        if hasattr(node, "invariant"):
            yield from _narrowed(node, frozenset(stated), printed)


@cache
def _narrowed(node: Any, stated: frozenset[Any], printed: frozenset[Any]) -> tuple[str, ...]:
    start = {letter: sympy.sympify(value) for letter, value in node.start}
    definitions = (fact for fact in node.step.given if fact.origin == "definition")
    parts = {part: fact.name for fact in definitions for part in _parts(fact.relation)}
    known = printed | {part for part in parts if _is_any_sign(part) and part.xreplace(start) != sympy.false}
    counted, fixed = _counted([node]), stated | start.keys()
    rest = [
        part for part in parts
        if part not in known and not _is_minor(part)
        and not (isinstance(part, sympy.LessThan) and part.lhs in counted)
    ]  # fmt: skip
    own = [part for part in rest if part.free_symbols & start.keys() and part.free_symbols <= fixed]
    found = [part for part in own if not _follows(part, known)]
    for group in tied(rest, lambda letter: letter not in fixed):
        if free_symbols(group) & start.keys() and exist(frozenset(group), fixed, known) != "unsat":
            found += [part for part in group if part not in found]
    names = dict.fromkeys(parts[part] for part in found)
    return tuple(
        f"the step of '{node.name}' is given '{name}', which need not hold in every step" for name in names
    )


def _not_whole(nodes: Sequence[Any], table: Mapping[str, Symbol], known: frozenset[Any]) -> Iterator[str]:
    """Values that are no number of times for what an induction counts, here or in what is cited: k(k − 1) ≥ 0 holds for every
    k = 0, 1, …, and so does what follows from it; not for k = 1/2."""
    counted = _counted(nodes)
    for node in _nested(nodes):
        facts = (*node.base.given, *node.step.given) if hasattr(node, "invariant") else node.given
        used = [(fact.name, fact.values) for fact in facts if fact.origin == "derived"]
        for name, values in (*used, (node.name, getattr(node, "at", ()))):
            for letter, value in values:
                if letter in counted and not _is_count(sympy.sympify(value), counted[letter], table, known):
                    yield f"{node.name} uses '{name}' at {letter} = {value}, which need not be {_from(counted[letter])}"


def _not_a_count(
    definitions: Sequence[Fact],
    counted: Mapping[Any, int],
    table: Mapping[str, Symbol],
    known: frozenset[Any],
) -> Iterator[str]:
    """The same of definitions of what an induction counts."""
    for part, name in {part: fact.name for fact in definitions for part in _parts(fact.relation)}.items():
        sides = part.args if isinstance(part, sympy.Eq) else ()
        for letter, value in zip(sides, reversed(sides), strict=True):
            if letter not in counted or counted.get(value, -1) >= counted[letter]:
                continue
            if value in counted or not _is_count(value, counted[letter], table, known):
                yield f"'{name}' says {letter} = {value}, which need not be {_from(counted[letter])}"


def _from(first: int) -> str:
    return f"{first}, {first + 1}, …"


def _is_count(value: Any, first: int, table: Mapping[str, Symbol], known: frozenset[Any]) -> bool:
    """Whether it is one of `first`, `first` + 1, … where its letters are; those that the table does not have are taken to be."""
    if value.is_Symbol and str(value) not in table:
        return True
    own = sorted(value.free_symbols, key=str)
    if any(str(s) in table and not table[str(s)].domain.startswith("integer") for s in own):
        return False
    coefficients = sympy.Poly(value, *own).coeffs() if own and value.is_polynomial(*own) else [value]
    whole = all(coefficient.is_Integer for coefficient in coefficients)
    near = frozenset(fact for fact in known if fact.free_symbols & value.free_symbols)
    least = frozenset(s >= (1 if table[str(s)].domain.endswith("1") else 0) for s in own if str(s) in table)
    return whole and (bool(value >= first) if not own else _follows(sympy.Ge(value, first), near | least))


def _not_computed(nodes: Iterable[Any], stated: Set[Any]) -> Iterator[str]:
    """What a computation in numbers is said to show of the statement's letters: it knows numbers of its own alone."""
    for node in _nested(nodes):
        concluded = getattr(node, "concludes", None)
        for letter in sorted(concluded.relation.free_symbols if concluded else (), key=str):
            if letter in stated:
                yield f"'{node.name}' computes numbers and concludes something of every {letter}"


def _parts(relation: Any) -> Iterator[Any]:
    return (part for part in sympy.And.make_args(relation) if part != sympy.true)


def _is_sign(part: Any, table: Mapping[str, Symbol]) -> bool:
    if not isinstance(part, sympy.GreaterThan) or not part.lhs.is_Symbol or part.rhs not in (0, 1):
        return False
    if str(part.lhs) not in table:
        return part.rhs == 0
    domain = table[str(part.lhs)].domain
    return domain != "real" and (part.rhs == 0 or domain == "integer >= 1")


def _introducing(
    definitions: Sequence[Fact], stated: Set[Any], table: Mapping[str, Symbol]
) -> frozenset[Any]:
    """Equations with letters that are not the statement's, the signs that the table gives to these, and ≥ 0 for letters that the
    table does not have: with K + 1 = s², s is at least 1."""
    parts = {part for fact in definitions for part in _parts(fact.relation)}
    equations = {
        p
        for p in parts
        if isinstance(p, sympy.Eq)
        and (own := p.free_symbols - stated)
        and all(str(letter) in table for letter in own)
    }
    used = free_symbols(equations)
    domains = {str(letter): table[str(letter)].domain for letter in used - stated if str(letter) in table}
    least = {letter: 1 if domains[str(letter)] == "integer >= 1" else 0
             for letter in used - stated if domains.get(str(letter), "real") != "real"}  # fmt: skip
    least |= {letter: 0 for letter in used & stated if str(letter) not in table}
    return frozenset(equations) | {letter >= bound for letter, bound in least.items()}


@cache
def _follows(conclusion: Any, known: frozenset[Any]) -> bool:
    wanted = clear(conclusion)
    missing = sympy.Not(sympy.And(wanted.formula, *wanted.defined))
    return solve([*granted(known), *wanted.guarded, missing], seconds=1.0).result == "unsat"
