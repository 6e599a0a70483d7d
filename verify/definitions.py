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
a number of the paper that the hypotheses speak of; what it counts is not given a value that is not whole; what it runs through is not
given one by an equation; and neither a sign nor a hypothesis that its step is given is lost on the way. `verify.running` asks of which
step a letter is taken. What is left to the reader: that no chain of definitions gives such a letter another meaning, and that a letter
which no table has is whole.
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
from verify.running import counters, in_two_ways, nested, not_run_through, out_of_time, ways
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
    printed = frozenset(fact.relation for fact in assumed)
    domains = [bound for letter in free_symbols(printed) for bound in _domain(letter, table)]
    signs = frozenset(part for part in said if _is_sign(part, table)) | printed
    own = _introducing(definitions, stated, table)
    found = [
        f"'{name}' is used as a definition and excludes values that no hypothesis excludes"
        for part, name in said.items()
        if part not in signs and not _follows(part, signs) and not _follows(part, signs | own)
    ]
    if domains and solve([*granted(printed), *domains], seconds=1.0).result == "unsat":
        found.append("the hypotheses hold for no values in the domains of their letters")
    counted = counters(proof.nodes)
    parts = {part for fact in definitions for part in _parts(fact.relation)}
    found += _bounds(definitions, stated, printed, counted, {letter for letter, _ in ways(proof.nodes)})
    found += _idle(definitions, stated, printed)
    found += not_run_through(proof.nodes, stated, table)
    found += in_two_ways(proof.nodes)
    wrong, places, timed = out_of_time(proof.nodes, stated, table)
    found += wrong
    rigid = frozenset(letter for letter in stated if str(letter) in table)
    plain = frozenset(part for part in parts if isinstance(part, sympy.Eq) or _is_any_sign(part)) | printed
    found += _fleeting(proof.nodes, definitions, stated, table, plain, places)
    shown = frozenset(node.invariant.relation for node in nested(proof.nodes) if hasattr(node, "invariant"))
    counts = frozenset(letter >= first for letter, first in counted.items())
    lasting = frozenset(part for part in parts if _is_any_sign(part)) | signs | counts
    there = _counted_there(proof.nodes, definitions, table)
    found += _given_a_value(definitions, timed, rigid, there.keys(), shown | lasting)
    found += _narrowed_steps(proof.nodes, stated, table, printed)
    found += _not_whole(proof.nodes, table, frozenset(parts) | printed | counts)
    found += _not_a_count(definitions, there, table, signs | own | counts)
    known = frozenset((*said, *printed))
    found += _not_computed(proof.nodes, stated, parts, known)
    for group in tied([fact.relation for fact in definitions], lambda letter: letter not in stated):
        answer = exist(frozenset(group), stated, known)
        if answer != "unsat":
            named = (fact.name for fact in definitions if fact.relation in group)
            names, all_ = ", ".join(f"'{name}'" for name in named), " together" if group[1:] else ""
            found.append(f"{names} {NOT_MET[answer]}{all_} for all values that the hypotheses allow")
    return found


def of_statement(proof: Proof, paper: str) -> frozenset[Any]:
    """The letters of the statement: those of its hypotheses, and those that the paper's table lists of its limits and of its
    conclusion, the last that says something."""
    table = TABLES[paper] if paper else {}
    limits = [limit for node in proof.nodes if (limit := getattr(node, "limit", None))]
    telling = [relation for node in proof.nodes if (relation := node.conclusion.relation) != sympy.true]
    concluded = free_symbols((*limits, *telling[-1:]))
    assumed = free_symbols(fact.relation for fact in proof.assumptions if fact.origin != "definition")
    return assumed | {letter for letter in concluded if str(letter) in table}


def _bounds(
    definitions: Sequence[Fact],
    stated: Set[Any],
    printed: Set[Any],
    counted: Mapping[Any, int],
    ran: Set[Any],
) -> Iterator[str]:
    """Definitions that bound letters of the proof's own by more than a sign."""
    parts = {part: fact.name for fact in definitions for part in _parts(fact.relation)}
    plain = {part for part in parts if isinstance(part, sympy.Eq) or _is_any_sign(part)}

    def ends(part: Any) -> bool:  # after the first or a later one, whatever the letters run through
        is_end = isinstance(part, sympy.LessThan) and part.lhs in counted and not part.rhs.free_symbols & ran
        return is_end and _holds(sympy.Ge(part.rhs, counted[part.lhs]), frozenset(plain | printed))

    bounding = [p for p in parts if p not in plain | printed and not p.free_symbols <= stated]
    for part in bounding:
        if _is_minor(part) or ends(part):
            continue
        wanted = _conditions(part) if isinstance(part, sympy.Or | sympy.Implies) else part
        near = frozenset(fact for fact in plain | printed if fact.free_symbols & part.free_symbols)
        signs = frozenset(fact for fact in near if _is_any_sign(fact))
        if not any(_follows(wanted, known) for known in (signs, near)):
            yield f"'{parts[part]}' is used as a definition and bounds a letter by more than a sign: {part}"


def _idle(definitions: Sequence[Fact], stated: Set[Any], printed: frozenset[Any]) -> Iterator[str]:
    """Equations that introduce no letter of the proof's own, each another one, and do not follow from the others and the signs:
    max(D − y, 0) = 0, or v = max(D − y, 0) and v = 0, say that D ≤ y. What stands within max, min or |·| is not introduced."""
    parts = {part: fact.name for fact in definitions for part in _parts(fact.relation)}
    equations = [p for p in parts if isinstance(p, sympy.Eq) and p not in printed and p.free_symbols - stated]
    by: dict[Any, Any] = {}

    def introduces(part: Any, tried: set[Any]) -> bool:
        within = free_symbols(part.atoms(sympy.Max, sympy.Min, sympy.Abs))
        for letter in sorted(part.free_symbols - stated - within - tried, key=str):
            tried.add(letter)
            if letter not in by or introduces(by[letter], tried):
                by[letter] = part
                return True
        return False

    for part in sorted(equations, key=str):
        if not introduces(part, set()):
            known = frozenset(
                p for p in {*parts, *printed} - {part} if isinstance(p, sympy.Eq) or _is_any_sign(p)
            )
            if not _follows(part, frozenset(fact for fact in known if fact.free_symbols & part.free_symbols)):
                yield f"'{parts[part]}' is used as a definition and introduces no letter: {part}"


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


def _fleeting(
    nodes: Sequence[Any],
    definitions: Sequence[Fact],
    stated: Set[Any],
    table: Mapping[str, Symbol],
    plain: frozenset[Any],
    places: Iterable[tuple[Any, Any]],
) -> Iterator[str]:
    """Signs of what an induction runs through, or of what stands in its place, that this has not at the start or may lose, as far as
    any induction that runs through it is told. After the last step it may have begun to count, and a sum be of more than nothing."""
    inductions = [node for node in nested(nodes) if hasattr(node, "invariant")]
    running = {
        letter: [n for n in inductions if letter in dict(n.start)]
        for node in inductions
        for letter, _ in node.start
    }
    steady = frozenset(fact for fact in plain if not fact.free_symbols & running.keys())
    counted = counters(nodes)

    def is_own(value: Any) -> bool:
        return value.is_Symbol and value not in running and value not in stated

    # what is brought in each step may have the sign that it starts with
    brought = [(letter, dict(n.start)[letter]) for n in inductions for letter, then in n.next if is_own(then)]
    kept = frozenset(letter >= 0 for letter, first in brought if sympy.sympify(first).is_nonnegative)

    def has(
        sign: Any, values: Sequence[tuple[Any, Any]], given: Sequence[Fact], known: frozenset[Any]
    ) -> bool:
        there = replaced(sign, tuple(values))
        if _is_any_sign(there) and is_own(there.lhs):
            return True  # it may be what a letter of the proof's own means
        known |= {fact.relation for fact in given}
        known |= {bound for letter in there.free_symbols for bound in _domain(letter, table)}
        alone = frozenset(fact for fact in known if fact.free_symbols <= there.free_symbols)
        return _holds(there, alone) or _holds(there, known)

    def fault(sign: Any, letter: Any) -> str:
        if not any(has(sign, n.start, n.base.given, steady) for n in running[letter]):
            return "at the start"
        lasts = any(has(sign, n.next, n.step.given, plain | kept | {sign}) for n in running[letter])
        return "" if lasts else "one step later"

    told = {
        p for n in inductions for f in n.step.given if f.origin == "definition" for p in _parts(f.relation)
    }
    signs = {(p, fact.name) for fact in definitions for p in _parts(fact.relation) if _is_any_sign(p)}
    for sign, name in sorted(signs, key=str):
        stands_for = {old for old, image in places if image == sign.lhs} | {sign.lhs}
        faults = [
            fault(sign.func(old, sign.rhs) if sign in told else old >= 0, old)
            for old in sorted(stands_for & running.keys(), key=str)
            if sign in told or old not in counted
        ]
        if faults and all(faults):
            yield f"a step is given '{name}', which need not hold in every step: not {faults[0]}"


def _given_a_value(
    definitions: Sequence[Fact], timed: Set[Any], rigid: Set[Any], counted: Set[Any], known: frozenset[Any]
) -> Iterator[str]:
    """Equations that leave no choice of what an induction runs through, be it by way of other letters, and that do not follow from
    what is known of it. What it counts may be named."""
    ran, fixed = timed | counted, frozenset(timed | counted | rigid)
    parts = {part: fact.name for fact in definitions for part in _parts(fact.relation)}
    near = frozenset(fact for fact in known if fact.free_symbols <= fixed)

    def follows(part: Any) -> bool:
        told = part.free_symbols & ran
        return bool(told) and _follows(part, frozenset(fact for fact in known if fact.free_symbols & told))

    said = [part for part in parts if isinstance(part, sympy.Eq) and not counted & set(part.args)]
    said = [part for part in said if not follows(part)]
    own = [[part] for part in said if part.free_symbols <= fixed]
    for group in (*own, *tied(said, lambda letter: letter not in fixed)):
        told = free_symbols(group) & ran
        if told and exist(frozenset(group), fixed, near) != "unsat":
            names = ", ".join(f"'{parts[part]}'" for part in group)
            yield f"{names} says what {min(told, key=str)} is, which runs through other numbers"


def _narrowed_steps(
    nodes: Iterable[Any], stated: Set[Any], table: Mapping[str, Symbol], printed: frozenset[Any]
) -> Iterator[str]:
    """Definitions, and hypotheses about what it runs through, that the step of an induction is given and that do not hold wherever its
    letters come: from "k ≥ 1" it would not follow that what holds at k = 0 holds at 1."""
    rigid = frozenset(letter for letter in stated if str(letter) in table)
    for node in nested(nodes):
        if hasattr(node, "invariant"):
            yield from _narrowed(node, frozenset(stated), rigid, printed)


@cache
def _narrowed(
    node: Any, stated: frozenset[Any], rigid: frozenset[Any], printed: frozenset[Any]
) -> tuple[str, ...]:
    start = {letter: sympy.sympify(value) for letter, value in node.start}
    later = {letter: sympy.sympify(value) for letter, value in node.next}
    facts = [(part, fact) for fact in node.step.given for part in _parts(fact.relation)]
    definitions = {part: fact.name for part, fact in facts if fact.origin == "definition"}
    assumed = {
        p: fact.name for p, fact in facts if fact.origin == "hypothesis" and p.free_symbols & start.keys()
    }
    parts = definitions | assumed
    steady = frozenset(p for fact in printed for p in _parts(fact) if not p.free_symbols & start.keys())
    signs = frozenset(part for part in parts if _is_any_sign(part))
    counted, fixed = counters([node]), stated | start.keys()
    known = steady | (signs & definitions.keys())  # `_fleeting` asks whether these last
    known |= {letter >= first for letter, first in counted.items()}
    known |= {
        sign for sign in signs & assumed.keys()
        if all(_holds(there, known) or (_is_any_sign(there) and there.lhs not in start.keys() | rigid)
               for there in (sign.xreplace(start), sign.xreplace(later)))
    }  # fmt: skip
    # what a hypothesis says of a step is said of every step, if there is one with which it holds
    brought = free_symbols(later.values()) - start.keys() - rigid
    conditions = frozenset(assumed) - known
    found = []
    if conditions and exist(conditions, free_symbols(conditions) - brought, known) != "unsat":
        found += conditions
    known |= conditions
    rest = [
        part for part in definitions
        if part not in known and not _is_minor(part)
        and not (isinstance(part, sympy.LessThan) and part.lhs in counted)
    ]  # fmt: skip
    own = [part for part in rest if part.free_symbols & start.keys() and part.free_symbols <= fixed]
    found += [part for part in own if not _follows(part, known)]
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
    counted = counters(nodes)
    for node in nested(nodes):
        facts = (*node.base.given, *node.step.given) if hasattr(node, "invariant") else node.given
        used = [(fact.name, fact.values) for fact in facts if fact.origin == "derived"]
        for name, values in (*used, (node.name, getattr(node, "at", ()))):
            for letter, value in values:
                if letter in counted and not _is_count(sympy.sympify(value), counted[letter], table, known):
                    yield f"{node.name} uses '{name}' at {letter} = {value}, which need not be {_from(counted[letter])}"


def _counted_there(
    nodes: Sequence[Any], definitions: Sequence[Fact], table: Mapping[str, Symbol]
) -> dict[Any, int]:
    """What inductions count, with the letters of the proof's own that stand in its place in instances, or that it is called by."""
    found = counters(nodes)
    facts = (
        f
        for n in nested(nodes)
        for f in ((*n.base.given, *n.step.given) if hasattr(n, "invariant") else n.given)
    )
    values = {pair for fact in facts for pair in fact.values} | {
        pair for n in nested(nodes) for pair in getattr(n, "at", ())
    }
    named = (
        part.args for fact in definitions for part in _parts(fact.relation) if isinstance(part, sympy.Eq)
    )
    values |= {pair for one, other in named for pair in ((one, other), (other, one))}
    while new := {sympy.sympify(value): found[letter] for letter, value in values if letter in found
                  and sympy.sympify(value).is_Symbol and str(value) not in table and value not in found}:  # fmt: skip
        found |= new
    return found


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


def _not_computed(
    nodes: Sequence[Any], stated: frozenset[Any], parts: Iterable[Any], known: frozenset[Any]
) -> Iterator[str]:
    """What a computation in numbers is said to show of the statement's letters, or of those that definitions tie to them: it knows
    numbers of its own alone."""
    shown = {node.concludes.relation: node.name for node in nested(nodes) if getattr(node, "concludes", None)}
    own = frozenset(free_symbols(shown) - stated)
    for relation, name in shown.items():
        for letter in sorted(relation.free_symbols & stated, key=str):
            yield f"'{name}' computes numbers and concludes something of every {letter}"
    for group in tied(parts, lambda letter: letter not in stated):
        told = free_symbols(group) & own
        signs = {part for part in group if _is_any_sign(part) and part.lhs in own}
        given = frozenset({*known, *shown, *signs})
        if told and exist(frozenset(group) - signs, frozenset(stated) | own, given) != "unsat":
            yield f"computed numbers are shown of {', '.join(sorted(map(str, told)))}, and definitions say more of them"


def _parts(relation: Any) -> Iterator[Any]:
    return (part for part in sympy.And.make_args(relation) if part != sympy.true)


def _is_sign(part: Any, table: Mapping[str, Symbol]) -> bool:
    if not isinstance(part, sympy.GreaterThan) or not part.lhs.is_Symbol or part.rhs not in (0, 1):
        return False
    if str(part.lhs) not in table:
        return part.rhs == 0
    domain = table[str(part.lhs)].domain
    return domain != "real" and (part.rhs == 0 or domain == "integer >= 1")


def _domain(letter: Any, table: Mapping[str, Symbol]) -> tuple[Any, ...]:
    """Within which bounds the table has the letter, ends included: a statement may say what becomes of α > 0 where α = 0."""
    domain = table[str(letter)].domain if str(letter) in table else "real"
    least = () if domain == "real" else (letter >= 1,) if domain == "integer >= 1" else (letter >= 0,)
    return (*least, letter <= 1) if domain.startswith("(0, 1") else least


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
        and not all(str(letter) in table for letter in p.free_symbols)
    }
    used = free_symbols(equations)
    domains = {str(letter): table[str(letter)].domain for letter in used - stated if str(letter) in table}
    least = {letter: 1 if domains[str(letter)] == "integer >= 1" else 0
             for letter in used - stated if domains.get(str(letter), "real") != "real"}  # fmt: skip
    least |= {letter: 0 for letter in used & stated if str(letter) not in table}
    return frozenset(equations) | {letter >= bound for letter, bound in least.items()}


def _holds(relation: Any, known: frozenset[Any]) -> bool:
    """Whether the relation follows from what is known, or is true as it stands."""
    return relation == sympy.true or (relation != sympy.false and _follows(relation, known))


@cache
def _follows(conclusion: Any, known: frozenset[Any]) -> bool:
    wanted = clear(conclusion)
    missing = sympy.Not(sympy.And(wanted.formula, *wanted.defined))
    return solve([*granted(known), *wanted.guarded, missing], seconds=1.0).result == "unsat"
