"""False statements that an engine accepts which looks at one step at a time: what the steps are given contradicts itself only when it
is put together, or a step knows no more what an earlier one was shown from."""

from fractions import Fraction

import pytest
import sympy
from sympy import Eq, Implies

from attacks import refused
from bounds.alpha_normec.symbols import SYMBOLS
from verify.case import Case
from verify.computation import Comparison, Computation
from verify.facts import Fact, definition, derived, hypothesis, standard
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node

x, y, s = sympy.symbols("x y s", real=True)
R, GAMMA = (SYMBOLS[name].sympy() for name in ("R", "gamma"))
ROOM, MINUS = hypothesis("R ≥ 0", R >= 0), hypothesis("x = −5", Eq(x, -5))


def computed(relation: sympy.Basic) -> Computation:
    one_below_two = Comparison(Fraction(1), "<", Fraction(2))
    return Computation(
        f"computed: {relation}", "enumeration", lambda: one_below_two, concludes=derived("computed", relation)
    )


def upwards() -> Induction:
    """x = 0, 1, 2, …"""
    least = derived("x ≥ 0", x >= 0)
    base = Obligation("0", (), derived("0", least.at({x: 0}).relation))
    step = Obligation("x + 1", (least,), derived("x + 1", least.at({x: x + 1}).relation))
    return Induction("x ≥ 0", least, base, step, ((x, 0),), ((x, x + 1),))


LOW, HIGH, UP = computed(s <= 4), computed(s >= 5), upwards()


@pytest.mark.parametrize(
    ("assumed", "nodes", "one", "other"),
    [
        ((), (LOW, HIGH), HIGH.conclusion, LOW.conclusion),
        ((MINUS,), (UP,), MINUS, UP.conclusion),
        ((MINUS,), (), MINUS, definition("x is a length", x >= 0)),
        ((MINUS,), (), MINUS, standard("a textbook result on what is no length", x >= 0)),
    ],
    ids=["computed", "an induction", "a sign", "a textbook result"],
)
def test_what_no_step_is_given_together_contradicts_itself_all_the_same(
    assumed: tuple[Fact, ...], nodes: tuple[Node, ...], one: Fact, other: Fact
) -> None:
    """From x = −5 and x ≥ 0 follows R = 3; by way of "if x = −5 then R = 3" no step is given both."""
    if_ = obligation("if", (other,), Implies(one.relation, Eq(R, 3)))
    last = obligation("R = 3", (one, if_.conclusion, ROOM), Eq(R, 3))
    refused("what it rests on can hold together: unsat", (ROOM, *assumed), *nodes, if_, last)


def test_within_a_case_an_earlier_line_is_one_of_its_own_letters() -> None:
    """x² + x > 0 was shown where x > 0, of which the case is not told."""
    positive, case = hypothesis("x > 0", x > 0), hypothesis("γ > 1", GAMMA > 1)
    square = obligation("x² + x > 0", (positive,), x**2 + x > 0)
    more = obligation("x² + x + 1 > 1", (square.conclusion,), x**2 + x + 1 > 1)
    there = obligation("y² + y > 0", (more.conclusion.at({x: y}),), y**2 + y > 0)
    inside = Case("case", case, (more, there))
    use = obligation("of every y", (inside.conclusion, case), y**2 + y > 0)
    refused("which needs 'x² + x > 0' there", (positive, case), square, inside, use)
