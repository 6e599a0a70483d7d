"""False statements that an engine accepts which takes a part for the whole: an instance for what it is an instance of, one value of a
limit for all, a number that is none for one that is small."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from sympy import Eq

from attacks import claim, refused
from bounds.alpha_normec.symbols import SYMBOLS
from verify.citation import Cite
from verify.claim import Claim
from verify.computation import Comparison, Computation
from verify.facts import definition, derived, hypothesis
from verify.identity import Limit
from verify.obligation import Obligation, Settings, obligation
from verify.proof import Node
from verify.sampling import Sampling, sample
from verify.units import DifferentUnit, SameUnit
from verify.verdict import establish

x, y, s, a, total = sympy.symbols("x y s a total", real=True)
R, GAMMA, K, L, D = (SYMBOLS[name].sympy() for name in ("R", "gamma", "K", "L", "D"))
ROOM = hypothesis("R ≥ 0", R >= 0)
POSITIVE, X_LEAST, Y_LEAST = (
    hypothesis("x > 0", x > 0),
    hypothesis("x ≥ 0", x >= 0),
    hypothesis("y ≥ 0", y >= 0),
)


@pytest.mark.parametrize("value", [sympy.Integer(5), y + 1], ids=str)
def test_what_is_shown_of_one_number_is_not_shown_of_all(value) -> None:
    every = derived("x > 0", x > 0)
    one = Obligation("of one", (Y_LEAST,), every.at({x: value}))
    refused(
        "of some letters, which is not to show it of all",
        (Y_LEAST,),
        one,
        obligation("x > −1", (every,), x > -1),
    )


def test_nor_is_what_is_assumed_of_one_number_assumed_of_all() -> None:
    use = obligation("x > −1", (POSITIVE,), x > -1)
    refused("which is neither assumed nor shown before", (POSITIVE.at({x: y}),), use)
    there = POSITIVE.at({x: y})
    assert establish(claim((there,), obligation("y > −1", (there,), y > -1))).verdict == "proved"


def test_a_hypothesis_is_one_under_any_origin() -> None:
    """A line of the same name and words is about the same letter."""
    twin = derived(POSITIVE.name, POSITIVE.relation)
    use = obligation("y > 0", (twin.at({x: y}), Y_LEAST), y > 0)
    refused("which needs 'x > 0' there", (POSITIVE, Y_LEAST), use)


def test_a_letter_of_the_paper_does_not_vouch_for_a_condition() -> None:
    """With D > 0 in the paper's table, D = R − 5 would say R > 5."""
    given = (ROOM, definition("D = R − 5", Eq(D, R - 5)), definition("R ≥ 5", R >= 5))
    refused("'R ≥ 5' is used as a definition", (ROOM,), obligation("R ≥ 5", given, R >= 5))


def squared(value: sympy.Expr, name: str) -> Claim:
    """total is the value, by way of s."""
    given = (definition("total = s", Eq(total, s)), definition(f"s = {name}", Eq(s, value)))
    return claim((X_LEAST,), obligation(f"total = {name}", (*given, X_LEAST), Eq(total, value) & (x >= 0)))


def test_what_is_cited_does_not_bring_a_letter_of_its_own_without_its_meaning() -> None:
    one, other = Cite(squared(x**2, "x²"), (X_LEAST,)), Cite(squared(2 * x + 1, "2x + 1"), (X_LEAST,))
    use = obligation("x² = 2x + 1", (one.conclusion, other.conclusion), Eq(x**2, 2 * x + 1))
    refused("needs: total = s, s = x²", (X_LEAST,), one, other, use)
    five = obligation("x² = 5", (one.conclusion, definition("total = 5", Eq(total, 5))), Eq(x**2, 5))
    refused("needs: total = s, s = x²", (X_LEAST,), one, five)
    said = Cite(squared(x**2, "x²"), (X_LEAST, definition("total = x²", Eq(total, x**2))))
    assert establish(claim((X_LEAST,), said)).verdict == "proved"


@pytest.mark.parametrize("tie", [Eq(s, x), Eq(s, total) & Eq(total, x)], ids=["s = x", "s = total = x"])
def test_what_is_computed_of_a_letter_is_not_said_of_another(tie) -> None:
    about = derived("s ≥ 5", s >= 5)
    run = Computation(
        "1 < 2", "enumeration", lambda: Comparison(Fraction(1), "<", Fraction(2)), concludes=about
    )
    use = obligation("x ≥ 5", (about, definition("a tie", tie), X_LEAST), x >= 5)
    refused("computed numbers are shown of s", (X_LEAST,), run, use)


GOES = Limit("1/x → 0", 1 / x, x, sympy.oo, sympy.Integer(0), "-")


@pytest.mark.parametrize(
    "nodes",
    [
        (obligation("R > 0", (definition("R = 5", Eq(R, 5)),), R > 0), GOES),
        (Limit("Rx → ∞", R * x, x, sympy.oo, sympy.oo, "-", (definition("R > 0", R > 0),)),),
    ],
    ids=["shown before a limit", "in a limit"],
)
def test_a_definition_does_not_narrow_a_letter_of_the_paper_where_a_limit_ends_the_proof(
    nodes: tuple[Node, ...],
) -> None:
    refused("is used as a definition and excludes values that no hypothesis excludes", (), *nodes)


def test_a_limit_is_followed_where_a_coefficient_vanishes() -> None:
    """At a = 7/29, which no draw hits, 1 does not go to 0; where a stays away from it all do."""
    gap = a - sympy.Rational(7, 29)
    least, far = hypothesis("a ≥ 0", a >= 0), hypothesis("a ≥ 1", a >= 1)
    for given, status in ((least, "unknown"), (far, "proved")):
        task = Limit(
            "1/(1 + (a − 7/29)²x) → 0", 1 / (1 + gap**2 * x), x, sympy.oo, sympy.Integer(0), "-", (given,)
        )
        assert task.discharge(Settings()).status == status


@pytest.mark.parametrize(
    "coefficient",
    [(a**2 - 2) ** 2, 1 - sympy.exp(-((a - sympy.Rational(7, 29)) ** 2))],
    ids=["at an irrational number", "in an exponent"],
)
def test_where_a_coefficient_may_vanish_unseen_no_limit_is_shown(coefficient: sympy.Expr) -> None:
    least = hypothesis("a ≥ 0", a >= 0)
    task = Limit("→ 0", 1 / (1 + coefficient * x), x, sympy.oo, sympy.Integer(0), "-", (least,))
    refused("where a coefficient is 0 is not known", (least,), task)


@pytest.mark.parametrize(
    "made",
    [
        lambda: hypothesis("x ≥ 0.1", x >= 0.1),
        lambda: Limit("1.0 + 1/x", 1.0 + 1 / x, x, sympy.oo, 1 + sympy.Rational(1, 10**30), "-").discharge(
            Settings()
        ),
    ],
    ids=["in a fact", "in a limit"],
)
def test_a_float_is_no_number(made) -> None:
    with pytest.raises(TypeError, match=r"is a float: write sympy\.Rational"):
        made()


def test_hypotheses_that_hold_for_no_number_of_the_paper_prove_nothing() -> None:
    for value, verdict in (
        (-1, "unknown"),
        (0, "proved"),
        (2, "proved"),
    ):  # the end of γ > 0 may be looked at
        given = hypothesis(f"γ = {value}", Eq(GAMMA, value))
        assert establish(claim((given,), obligation("γ² ≥ 0", (given,), GAMMA**2 >= 0))).verdict == verdict


@pytest.mark.parametrize("paper", ["", None, "alpha_normec"])
def test_a_claim_is_of_one_of_the_papers(paper) -> None:
    """Of another one no table lists the letters, and any definition might narrow them."""
    narrow = claim((), obligation("R > 0", (definition("R > 0", R > 0),), R > 0))
    with pytest.raises(KeyError, match="is no paper"):
        establish(replace(narrow, paper=paper))


def test_one_exponent_written_in_two_ways_is_one_unit() -> None:
    two = L ** (K * (K + 1)), L ** (K**2 + K)
    assert not DifferentUnit("L^(K(K + 1)) and L^(K² + K)", *two, SYMBOLS).discharge(Settings()).ok
    assert SameUnit("L^(K(K + 1)) and L^(K² + K)", *two, SYMBOLS).discharge(Settings()).ok


def test_a_limit_that_is_no_number_refutes_nothing() -> None:
    """The largest of 1, 1 and NaN is 1 to Python."""
    first, longer = (sample(dict.fromkeys(seeds, 1.0), "upper", 0.01) for seeds in ((0, 1, 2), (3, 4, 5, 6)))
    for any_law, refutes in ((None, True), (1.0, True), (float("nan"), False)):
        assert Sampling("E x >= 9", "runs", ">=", 9.0, (first, longer), any_law).refutes is refutes
