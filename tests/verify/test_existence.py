"""Definitions taken in turn leave values for all letters only where z3, asked about all at once, agrees."""

import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.existence import exist, in_turn
from verify.smt import without

x, a, b, c = LETTERS = sympy.symbols("x a b c", real=True)
STATED = frozenset({x})
NOTHING: frozenset = frozenset()


def units(*relations):
    return [frozenset({part}) for relation in relations for part in sympy.And.make_args(relation)]


TERMS = st.tuples(*(st.integers(-1, 1) for _ in (*LETTERS, 1)))
LINES = TERMS.map(
    lambda k: sum(n * letter for n, letter in zip(k, (*LETTERS, sympy.Integer(1)), strict=True))
)
RELATIONS = st.builds(lambda line, kind: kind(line, 0), LINES, st.sampled_from((sympy.Eq, sympy.Ge)))


@settings(max_examples=150, deadline=None)
@given(st.lists(RELATIONS, min_size=1, max_size=4))
def test_what_holdsin_turn_holds_at_once(relations):
    """Lines and half-spaces in a, b and c for every x ≥ 0: z3 decides these without trying."""
    wanted = frozenset(relations) - {sympy.true}
    allowed = frozenset({x >= 0})
    if sympy.false in wanted or not wanted:
        return
    at_once = without([x >= 0], sorted(wanted, key=str), [a, b, c])
    assert at_once in ("sat", "unsat")
    assert exist(wanted, STATED, allowed) == at_once
    if at_once == "sat":
        assert not in_turn(units(*wanted), STATED, allowed, joining=True)


def test_one_letter_may_be_the_length_of_two_vectors():
    """a is what b and c are squares of."""
    lengths = units((a >= 0) & sympy.Eq(a**2, b), (a >= 0) & sympy.Eq(a**2, c), b >= 0, c >= 0)
    assert in_turn(lengths, NOTHING, NOTHING)


def test_a_letter_that_came_too_early_is_given_its_value_together_with_the_next():
    """After a = b and c = xa nothing is left to choose for a = b + c; all three hold for a = b = c = 0, and for no c ≥ 1."""
    tied = units(sympy.Eq(a, b), sympy.Eq(a, b + c), sympy.Eq(c, x * a))
    assert not in_turn(tied, STATED, NOTHING)
    assert in_turn(tied, STATED, NOTHING, joining=True)
    apart = [*tied, frozenset({c >= 1})]
    assert not in_turn(apart, STATED, NOTHING, joining=True)
    assert exist(frozenset().union(*apart), STATED, NOTHING) == "sat"


def test_what_no_value_of_the_statement_is_known_to_allow_is_not_satisfied():
    root = (a > 0) & sympy.Eq(a**2, x)
    assert exist(frozenset({root}), STATED, frozenset({x > 0})) == "unsat"
    assert exist(frozenset({root}), STATED, frozenset({x >= 0})) == "sat"
    assert not in_turn(units(root), STATED, frozenset({x >= 0}), joining=True)
