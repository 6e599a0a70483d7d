"""Definitions taken in turn leave values for all letters only where z3, asked about all at once, agrees."""

from dataclasses import replace

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from verify import smt
from verify.catalogue import claim
from verify.definitions import restrictions
from verify.existence import _choice, by_name, exist, in_turn, most_letters_first
from verify.facts import definition
from verify.obligation import obligation
from verify.proof import Proof
from verify.smt import PATIENCE, without

x, a, b, c = LETTERS = sympy.symbols("x a b c", real=True)
ORDERS = (most_letters_first, by_name)
STATED = frozenset({x})
NOTHING: frozenset = frozenset()

TERMS = st.tuples(*(st.integers(-1, 1) for _ in (*LETTERS, 1)))
LINES = TERMS.map(
    lambda k: sum(n * letter for n, letter in zip(k, (*LETTERS, sympy.Integer(1)), strict=True))
)
RELATIONS = st.builds(lambda line, kind: kind(line, 0), LINES, st.sampled_from((sympy.Eq, sympy.Ge)))


@settings(max_examples=150, deadline=None)
@given(st.lists(RELATIONS, min_size=1, max_size=4))
def test_what_holds_in_turn_holds_at_once(relations):
    """Lines and half-spaces in a, b and c for every x ≥ 0: z3 decides these without trying."""
    wanted, allowed = frozenset(relations) - {sympy.true}, frozenset({x >= 0})
    assume(wanted and sympy.false not in wanted)
    at_once = without([x >= 0], sorted(wanted, key=str), [a, b, c])
    assert at_once in ("sat", "unsat")
    assert exist(wanted, STATED, allowed) == at_once
    if at_once == "sat":
        assert not any(in_turn(wanted, STATED, allowed, rank) for rank in ORDERS)


@pytest.mark.parametrize("rank", ORDERS)
def test_one_letter_may_be_the_length_of_two_vectors(rank):
    """a is what b and c are squares of."""
    lengths = {(a >= 0) & sympy.Eq(a**2, b), (a >= 0) & sympy.Eq(a**2, c), b >= 0, c >= 0}
    assert in_turn(frozenset(lengths), NOTHING, NOTHING, rank)


def test_a_letter_must_not_be_given_its_value_too_early():
    """After a = b² there may be no c ≥ 0 left for a = c + x²; after this one b is the root of a."""
    tied = frozenset({sympy.Eq(a, b**2), sympy.Eq(a, c + x**2) & (c >= 0)})
    assert not in_turn(tied, STATED, NOTHING, by_name)
    assert in_turn(tied, STATED, NOTHING, most_letters_first)
    assert exist(tied, STATED, NOTHING) == "unsat"


def test_nothing_is_asked_after_a_relation_that_leaves_no_values(monkeypatch):
    """a² = x has no a for x < 0, whatever b is: b = a + x is not looked at."""
    asked = []

    def choice(relations, *others):
        asked.append(relations)
        return _choice(relations, *others)

    monkeypatch.setattr("verify.existence._choice", choice)
    assert not in_turn(frozenset({sympy.Eq(a**2, x), sympy.Eq(b, a + x)}), STATED, NOTHING, by_name)
    assert asked == [{sympy.Eq(a**2, x)}]


def test_what_no_value_of_the_statement_is_known_to_allow_is_not_satisfied():
    root = frozenset({(a > 0) & sympy.Eq(a**2, x)})
    assert exist(root, STATED, frozenset({x > 0})) == "unsat"
    assert exist(root, STATED, frozenset({x >= 0})) == "sat"
    assert not any(in_turn(root, STATED, frozenset({x >= 0}), rank) for rank in ORDERS)


THEOREM = claim("NEC-T1")
assert THEOREM.proof is not None
LETTERS_OF = {str(letter): letter for fact in THEOREM.proof.facts() for letter in fact.relation.free_symbols}


@pytest.mark.parametrize(
    ("letter", "value"),
    [("error", "‖ĝ‖ + grad + 1"), ("total_next", "total + w + 1"), ("r_next", "w + drift + 1")],
    ids=lambda text: text,
)
def test_a_definition_that_contradicts_those_of_a_long_proof_is_seen(letter, value):
    """Theorem 1's definitions make these letters lengths of vectors: each value is more than the triangle inequality allows, and
    says nothing false by itself."""
    left, *others = (LETTERS_OF[name] for name in (letter, *value.split(" + ")[:2]))
    longer = definition(f"{letter} = {value}", sympy.Eq(left, sum(others) + 1))
    step = obligation("longer by 1", (longer,), left >= sum(others) + 1)
    assert not restrictions(Proof((), (step,)))
    assert not restrictions(THEOREM.proof, THEOREM.paper)
    (why,) = restrictions(replace(THEOREM.proof, nodes=(step, *THEOREM.proof.nodes)), THEOREM.paper)
    assert longer.name in why
    assert "together" in why


@pytest.mark.parametrize(
    ("share", "reason", "asked"),
    [
        (1.0, "timeout", [1]),  # a core of its own: what has no answer then has none
        (0.3, "timeout", [1, 2, 4]),  # until it had a core for long enough
        (0.0, "timeout", [1, 2, 4, 8, 16, 32]),  # not for ever
        (0.0, "incomplete", [1]),  # it gave up by itself
    ],
)
def test_what_was_kept_from_the_core_is_asked_again(monkeypatch, share, reason, asked):
    """A solver that never answers, on a machine that gives it a share of a core."""
    limits, used = [], [0.0]

    class Silent:
        def set(self, _, milliseconds):
            limits.append(milliseconds / 1000)

        def add(self, *_):
            pass

        def check(self):
            used[0] += share * limits[-1]
            return "unknown"

        def reason_unknown(self):
            return reason

    monkeypatch.setattr(smt.z3, "SolverFor", lambda *_: Silent())
    monkeypatch.setattr(smt.time, "thread_time", lambda: used[0])
    assert without([x >= 0], [a >= x], [a], seconds=1.0) == "unknown"
    assert limits == asked
    assert limits[-1] <= 2 * PATIENCE
