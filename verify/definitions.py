"""Whether the definitions that a proof uses say no more than definitions may.

A definition introduces letters (s := √(2LΔ)) or says what every value of a letter is (r = ‖v‖ ≥ 0). Both can hide a
hypothesis: `s > 0, s² = 2LΔ` holds for no s where Δ = 0, and a letter that is defined twice, as K + 1 and as n, says K + 1 = n.
So, with the *letters of the statement* those of its hypotheses and those of its conclusion that the paper's table lists, a
machine is asked of all definitions of a proof:

- what they say about letters of the statement alone is that a letter is at least 0 or 1, as its domain in the table has it,
  or at least 0 where the table does not have it (`Proof.meanings`), or it follows from the hypotheses, if need be with the
  equations that introduce letters (s ≥ 1 from s² = K + 1);
- for all values of the letters of the statement there are values of the others for which those definitions that share them
  hold together (`existence`); and no solver soon finds some that leave none where textbook results are to hold too;
- of letters of the proof's own they say equations and signs (`letter ≥ 0`, `> 0` or `≥ 1`), or cases of these that leave no
  value out. `D₀ ≤ η` can be satisfied by some D₀ for every η and is a condition all the same: whatever else bounds a letter
  is a hypothesis, a textbook result or shown, unless it follows from the hypotheses and the equations and signs. Two bounds say
  what a letter is: a minor of a Gram matrix, and that what an induction counts by ones is not past the end.

- each equation introduces a letter of the proof's own, outside of max, min and |·|, or follows from the others; ⟨u, v⟩ = 0,
  and what else ties inner products of vectors to one another, introduces none.

What is said of the letters of inductions is asked by `every_step` and `running`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from typing import Any

import sympy

from bounds.alpha_normec.symbols import SYMBOLS as ALPHA_NORMEC
from bounds.dp_normfedavg.symbols import SYMBOLS as DP_NORMFEDAVG
from bounds.fed_alpha_normec.symbols import SYMBOLS as FED_ALPHA_NORMEC
from bounds.symbols import Symbol
from verify.every_step import not_in_every_step
from verify.existence import exist, free_symbols, granted, leave_none, letters, tied
from verify.facts import Fact
from verify.gram import between, mixed
from verify.proof import Proof
from verify.relations import follows, holds, is_minor, is_sign, parts_of, within
from verify.running import counters, in_two_ways, nested, not_run_through, out_of_time, ways
from verify.slack import slack
from verify.smt import check

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
        for part in parts_of(fact.relation)
        if part.free_symbols <= stated
    }
    printed = frozenset(fact.relation for fact in assumed)
    domains = [bound for letter in free_symbols(printed) for bound in within(letter, table)]
    signs = frozenset(part for part in said if _is_domain(part, table)) | printed
    own = _introducing(definitions, stated, table)
    found = [
        f"'{name}' is used as a definition and excludes values that no hypothesis excludes"
        for part, name in said.items()
        if part not in signs and not follows(part, signs) and not follows(part, signs | own)
    ]
    if domains and check([*granted(printed), *domains], seconds=1.0) == "unsat":
        found.append("the hypotheses hold for no values in the domains of their letters")
    parts = {part for fact in definitions for part in parts_of(fact.relation)}
    found += _bounds(
        definitions, stated, printed, counters(proof.nodes), {letter for letter, _ in ways(proof.nodes)}
    )
    found += _idle(definitions, stated, printed)
    found += _orthogonal(parts)
    found += slack(proof, definitions, stated, table, printed)
    found += not_run_through(proof.nodes, stated, table)
    found += in_two_ways(proof.nodes)
    wrong, ran = out_of_time(proof.nodes, stated, table)
    found += wrong
    found += not_in_every_step(proof.nodes, definitions, stated, table, printed, signs | own, ran)
    known = frozenset((*said, *printed))
    found += _not_computed(proof.nodes, stated, parts, known)
    for group in tied([fact.relation for fact in definitions], lambda letter: letter not in stated):
        answer = exist(frozenset(group), stated, known)
        if answer != "unsat":
            both = " together" if group[1:] else ""
            found.append(
                f"{_named(group, definitions)} {NOT_MET[answer]}{both} for all values that the hypotheses allow"
            )
    return found or list(_taken_twice((*assumed, *proof.facts()), parts, stated, known))


def _named(parts: Sequence[Any], facts: Iterable[Fact]) -> str:
    """The facts that say the parts, in words."""
    names = dict.fromkeys(
        fact.name for fact in facts if {fact.relation, *parts_of(fact.relation)} & set(parts)
    )
    return ", ".join(f"'{name}'" for name in names)


def _taken_twice(
    facts: Sequence[Fact], parts: Iterable[Any], stated: frozenset[Any], known: frozenset[Any]
) -> Iterator[str]:
    """Textbook results about letters of the proof's own to which definitions give another meaning: with t ≤ u − 1 of one function and
    u = R of another one, t ≥ 0 says R ≥ 1. They may say something of those letters of the statement of which they speak, but one
    result that is said twice of t may not: t = x + 1 and t = y + 1 say x = y. That a letter is not negative, and where no solver soon
    finds values of the hypotheses' letters that leave none to the rest, is left to the reader."""
    said = {
        part: (f.root, f.values) for f in facts if f.origin == "standard" for part in parts_of(f.relation)
    }
    assumed = free_symbols(fact.relation for fact in facts if fact.origin == "hypothesis")
    for group in tied(dict.fromkeys((*parts, *said)), lambda letter: letter not in stated):
        taken = said.keys() & set(group)
        twice = any(
            said[one][0] == said[other][0]
            and said[one] != said[other]
            and (one.free_symbols & other.free_symbols) - stated
            for one, other in combinations(taken, 2)
        )
        fixed = (of if twice else of - free_symbols(taken) for of in (stated, assumed))
        if not all(map(is_sign, taken)) and all(leave_none(frozenset(group), of, known) for of in fixed):
            yield f"{_named(group, facts)} {NOT_MET['sat']} together for all values that the hypotheses allow"


def of_statement(proof: Proof, paper: str) -> frozenset[Any]:
    """The letters of the statement: those of its hypotheses, and those that the paper's table lists of its limits and of its
    conclusions: of the last that says something, and of others that no step uses, but for what an equation makes: "there is an R"."""
    table = TABLES[paper] if paper else {}
    limits = [limit for node in proof.nodes if (limit := getattr(node, "limit", None))]
    facts = proof.facts()
    used = {fact.root for fact in facts if fact.origin == "derived"}
    ends = [node.conclusion.relation for node in proof.nodes if node.conclusion.root not in used]
    parts = (part for fact in facts if fact.origin == "definition" for part in parts_of(fact.relation))
    made = free_symbols(part for part in parts if isinstance(part, sympy.Eq))
    telling = [relation for node in proof.nodes if (relation := node.conclusion.relation) != sympy.true]
    concluded = free_symbols((*limits, *telling[-1:])) | (free_symbols(ends) - made)
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
    parts = {part: fact.name for fact in definitions for part in parts_of(fact.relation)}
    plain = {part for part in parts if isinstance(part, sympy.Eq) or is_sign(part)}

    def ends(part: Any) -> bool:  # after the first or a later one, whatever the letters run through
        is_end = isinstance(part, sympy.LessThan) and part.lhs in counted and not part.rhs.free_symbols & ran
        return is_end and holds(sympy.Ge(part.rhs, counted[part.lhs]), frozenset(plain | printed))

    bounding = [p for p in parts if p not in plain | printed and not p.free_symbols <= stated]
    for part in bounding:
        if is_minor(part) or ends(part):
            continue
        wanted = _conditions(part) if isinstance(part, sympy.Or | sympy.Implies) else part
        near = frozenset(fact for fact in plain | printed if letters(fact) & letters(part))
        signs = frozenset(fact for fact in near if is_sign(fact))
        if not any(follows(wanted, known) for known in (signs, near)):
            yield f"'{parts[part]}' is used as a definition and bounds a letter by more than a sign: {part}"


def _idle(definitions: Sequence[Fact], stated: Set[Any], printed: frozenset[Any]) -> Iterator[str]:
    """Equations that introduce no letter of the proof's own, each another one, and do not follow from the others and the signs:
    max(D − y, 0) = 0, or v = max(D − y, 0) and v = 0, say that D ≤ y. What stands within max, min or |·| is not introduced, nor are
    inner products among themselves: that ⟨u, v⟩ is 0 is a hypothesis."""
    parts = {part: fact.name for fact in definitions for part in parts_of(fact.relation)}
    equations = [p for p in parts if isinstance(p, sympy.Eq) and p not in printed and p.free_symbols - stated]
    by: dict[Any, Any] = {}
    products = between(free_symbols(parts))

    def introduces(part: Any, tried: set[Any]) -> bool:
        within = free_symbols(part.atoms(sympy.Max, sympy.Min, sympy.Abs)) | products
        within |= part.free_symbols if _ties_vectors(part, stated) else frozenset()
        for letter in sorted(part.free_symbols - stated - within - tried, key=str):
            tried.add(letter)
            if letter not in by or introduces(by[letter], tried):
                by[letter] = part
                return True
        return False

    for part in sorted(equations, key=str):
        if not introduces(part, set()):
            known = frozenset(p for p in {*parts, *printed} - {part} if isinstance(p, sympy.Eq) or is_sign(p))
            if not follows(part, frozenset(fact for fact in known if fact.free_symbols & part.free_symbols)):
                yield f"'{parts[part]}' is used as a definition and introduces no letter: {part}"
    for part, name in parts.items():
        if isinstance(part, sympy.Or | sympy.Implies):
            for tie in sorted((e for e in part.atoms(sympy.Eq) if _ties_vectors(e, stated)), key=str):
                yield f"'{name}' is used as a definition and introduces no letter: {tie}"


def _orthogonal(parts: Iterable[Any]) -> Iterator[str]:
    """Vectors of which definitions together leave no inner product but 0: ‖u + v‖² = ‖u‖² + ‖v‖², by way of any letters. Those that
    leave no value at all are told as such (`restrictions`)."""
    products = sorted(between(free_symbols(parts)), key=str)
    known = granted(frozenset(parts)) if products else []
    apart = [sympy.Ne(product, 0) for product in products]
    if not products or check([*known, *apart], seconds=1.0) == "sat":
        return
    if check(known, seconds=1.0) != "unsat":
        for product, other in zip(products, apart, strict=True):
            if check([*known, other], seconds=1.0) == "unsat":
                yield f"{product} = 0 is said by definitions alone, and that vectors are orthogonal is a hypothesis"


def _ties_vectors(equation: Any, stated: Set[Any]) -> bool:
    """Whether it speaks of inner products of vectors among themselves, as ⟨u, v⟩ = 0 and ⟨u, v⟩ = ‖u‖² do."""
    products = {letter for letter in equation.free_symbols if letter.name.startswith("<")}
    if not mixed(products) or equation.free_symbols - stated != products:
        return False
    return sympy.expand((equation.lhs - equation.rhs).xreplace(dict.fromkeys(products, 0))) == 0


def _conditions(cases: Any) -> Any:
    """What the cases ask where their equations and signs are left out: together they have to leave no value out."""
    asked = cases.args[1:] if isinstance(cases, sympy.Implies) else cases.args
    open_ = (
        sympy.And(*(p for p in parts_of(case) if not (isinstance(p, sympy.Eq) or is_sign(p))))
        for case in asked
    )
    return sympy.Or(*open_)


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
        signs = {part for part in group if is_sign(part) and part.lhs in own}
        given = frozenset({*known, *shown, *signs})
        if told and exist(frozenset(group) - signs, frozenset(stated) | own, given) != "unsat":
            yield f"computed numbers are shown of {', '.join(sorted(map(str, told)))}, and definitions say more of them"


def _is_domain(part: Any, table: Mapping[str, Symbol]) -> bool:
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
    parts = {part for fact in definitions for part in parts_of(fact.relation)}
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
