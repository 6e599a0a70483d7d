"""False statements that an engine accepts which puts values into relations without asking whether they are values there: 1/x for
x = 0, x² for a letter, half of what is counted, a letter that means two things."""

from fractions import Fraction

import pytest
import sympy
from sympy import Eq, Ne, sqrt

from bounds.alpha_normec.symbols import SYMBOLS
from verify.case import Case
from verify.citation import Cite
from verify.claim import Claim, SearchResult, Witness
from verify.computation import Comparison, Computation
from verify.curves import Curve
from verify.facts import Fact, definition, derived, hypothesis, standard
from verify.fractions_check import NotRational, evaluate
from verify.gram import Space, vectors
from verify.identity import Identity, Limit
from verify.induction import Induction
from verify.obligation import Obligation, Settings, obligation
from verify.proof import Node, Proof
from verify.prove import prove
from verify.units import DifferentUnit, SameUnit
from verify.verdict import establish

x, y, z, k, s, total, root = sympy.symbols("x y z k s total root", real=True)
R, GAMMA, K = (SYMBOLS[name].sympy() for name in ("R", "gamma", "K"))
SETTINGS = Settings(minimise=False)
POSITIVE = hypothesis("x > 0", x > 0)
X_LEAST, Y_LEAST = hypothesis("x ≥ 0", x >= 0), hypothesis("y ≥ 0", y >= 0)
SQUARE = obligation("x² + x > 0", (POSITIVE,), x**2 + x > 0)
EVERY = obligation("y² + 1 > y", (), y**2 + 1 > y)
"""Of every y."""


def refused(why: str, nodes: tuple[Node, ...], *assumptions: Fact, paper: str = "") -> None:
    found = prove(Proof(assumptions, nodes), SETTINGS, paper)
    assert not found.ok
    assert why in found.detail


def claim(*nodes: Node, given: tuple[Fact, ...] = ()) -> Claim:
    return Claim("NEC-TEST", "alpha-normec", "nowhere", "step", "", "", proof=Proof(given, nodes))


def counting(invariant: Fact, **given: tuple[Fact, ...]) -> Induction:
    """By induction on k = 0, 1, …"""
    base = Obligation("0", given.get("base", ()), derived("0", invariant.at({k: 0}).relation))
    step = Obligation("k + 1", (invariant,), derived("k + 1", invariant.at({k: k + 1}).relation))
    return Induction(invariant.name, invariant, base, step, ((k, 0),), ((k, k + 1),))


def test_a_term_is_no_letter() -> None:
    """With y for x² alone, x² + x > 0 would be y + x > 0."""
    for replace in (
        SQUARE.conclusion.at,
        lambda values: Cite(claim(SQUARE), (), tuple(values.items())).conclusion,
    ):
        with pytest.raises(TypeError, match=r"only letters are replaced, not x\*\*2"):
            replace({x**2: y})


@pytest.mark.parametrize(("value", "goal"), [(1 / x, Ne(x, 0)), (sqrt(x), x >= 0)], ids=["1/x", "√x"])
def test_what_has_no_value_is_none_of_all_values(value, goal) -> None:
    """Every y has y² + 1 > y; that 1/x has it says that there is a 1/x."""
    use = obligation("use", (EVERY.conclusion.at({y: value}),), goal)
    refused("which has no value there", (EVERY, use))
    cited = Cite(claim(EVERY), (), ((y, value),))
    refused("has no value there", (cited, obligation("use", (cited.conclusion,), goal)))


def test_values_that_exist_can_be_put_in() -> None:
    inverse = EVERY.conclusion.at({y: 1 / x})
    assert prove(
        Proof((POSITIVE,), (EVERY, obligation("use", (inverse, POSITIVE), x + 1 / x > 1))), SETTINGS
    ).ok


def test_a_hypothesis_that_cancels_at_the_new_letters_still_has_to_have_a_value() -> None:
    """x/y ≥ 1 has none at x = y = 0, where z/z ≥ 1 is no question to sympy."""
    large = hypothesis("x/y ≥ 1", x / y >= 1)
    apart = obligation("y ≠ 0", (large,), Ne(y, 0))
    there = apart.conclusion.at({x: z, y: z})
    refused("'x/y ≥ 1' has no value there", (apart, obligation("z² > 0", (there,), z**2 > 0)), large)
    cited = Cite(claim(apart, given=(large,)), (), ((x, z), (y, z)))
    refused("a value of x/y ≥ 1", (cited, obligation("z² > 0", (cited.conclusion,), z**2 > 0)))


def test_an_invariant_has_a_value_at_the_start() -> None:
    """k/x² is 0 at k = 0 to sympy, whatever x is; then x ≠ 0 would be shown of every x."""
    quotient = derived("k/x² ≥ 0", (k >= 0) & (k / x**2 >= 0))
    refused("has a value at the start", (counting(quotient), obligation("x ≠ 0", (quotient,), Ne(x, 0))))
    assert prove(Proof((POSITIVE,), (counting(quotient),)), SETTINGS).ok


def test_an_invariant_has_a_value_one_step_later() -> None:
    """y/x goes on as s/s, which is 1 but where s = 0."""
    quotient = derived("y/x ≤ 1", y / x <= 1)
    start, after = ((x, 1), (y, 1)), ((x, s), (y, s))
    step = Obligation("step", (quotient,), derived("step", quotient.at(dict(after)).relation))
    refused(
        "has a value at the next step",
        (Induction("i", quotient, obligation("1/1 ≤ 1", (), sympy.true), step, start, after),),
    )


def test_the_start_of_an_induction_is_not_shown_by_its_invariant() -> None:
    """y² + y > 0 needs y > 0, which y² + y > 0 would give back where y > −1."""
    above = hypothesis("y > −1", y > -1)
    invariant = derived("y² + y > 0", (y**2 + y > 0) & (k >= 0))
    run = counting(invariant, base=(SQUARE.conclusion.at({x: y}),))
    refused("which needs 'x > 0' there", (SQUARE, run), POSITIVE, above)


ROOT = definition("root = √x", (root >= 0) & Eq(root**2, x))
ROOTED = claim(obligation("root + 1 ≥ 1", (ROOT,), root + 1 >= 1))


def test_a_root_that_is_cited_is_no_other_number() -> None:
    cited = Cite(ROOTED, ())
    use = obligation("y ≥ 0", (cited.conclusion.at({root: y}),), y >= 0)
    refused("which needs 'root = √x' there", (cited, use))


def test_nor_is_one_that_is_cited_within_a_case() -> None:
    case = hypothesis("k > 0", k > 0)
    cited = Cite(claim(Case("case", case, (Cite(ROOTED, ()),))), (), ((root, y),))
    refused("needs: root = √x", (cited, obligation("y ≥ 0", (cited.conclusion, case), y >= 0)), case)


def test_a_letter_does_not_change_its_meaning_from_step_to_step() -> None:
    """total is x²; the second step calls y² so, and tells it to the third."""
    meanings = (definition("total = s", Eq(total, s)), definition("s = x²", Eq(s, x**2)))
    first = obligation("total = x²", meanings, Eq(total, x**2))
    second = obligation("total + 1 = y² + 1", (first.conclusion.at({x: y}),), Eq(total + 1, y**2 + 1))
    third = obligation("x² = y²", (first.conclusion, second.conclusion), Eq(x**2, y**2))
    refused("needs 'total = s' and 's = x²' there", (first, second, third), X_LEAST, Y_LEAST)


def test_what_is_counted_is_whole() -> None:
    """k(k − 1) ≥ 0 holds of 0, 1, 2, …; R and γ are real numbers."""
    pairs = derived("k(k − 1) ≥ 0", (k * (k - 1) >= 0) & (k >= 0))
    run, small = counting(pairs), hypothesis("γ ≤ 1", GAMMA <= 1)
    use = obligation("γ ∈ {0, 1}", (pairs.at({k: GAMMA}), small), GAMMA * (1 - GAMMA) <= 0)
    refused("at k = gamma, which need not be 0, 1, …", (run, use), small, paper="alpha-normec")
    half = obligation("K = 0 or K ≥ 2", (pairs.at({k: K / 2}),), K * (K - 2) >= 0)
    refused("which need not be 0, 1, …", (run, half), paper="alpha-normec")
    less = obligation("K ≥ 3", (pairs.at({k: K - 3}),), K >= 3)
    refused("at k = K - 3, which need not be 0, 1, …", (run, less), paper="alpha-normec")
    rounds = obligation("(K + 1)K ≥ −1", (pairs.at({k: K + 1}),), (K + 1) * K >= -1)
    assert prove(Proof((), (run, rounds)), SETTINGS, "alpha-normec").ok


def test_nor_does_a_definition_count_otherwise() -> None:
    pairs, small = derived("k(k − 1) ≥ 0", (k * (k - 1) >= 0) & (k >= 0)), hypothesis("γ ≤ 1", GAMMA <= 1)
    named = definition("k = γ", Eq(k, GAMMA))
    use = obligation("γ ∈ {0, 1}", (pairs, named, small), GAMMA * (1 - GAMMA) <= 0)
    refused(
        "'k = γ' says k = gamma, which need not be 0, 1, …",
        (counting(pairs), use),
        small,
        paper="alpha-normec",
    )
    ends = definition("k ≤ y − 5", k <= y - 5)
    last = obligation("y ≥ 5", (pairs, ends), y >= 5)
    refused("'k ≤ y − 5' is used as a definition", (counting(pairs), last), Y_LEAST)
    rounds = obligation("K ≥ 0", (pairs, definition("k = K + 1", Eq(k, K + 1))), K >= -1)
    assert prove(Proof((), (counting(pairs), rounds)), SETTINGS, "alpha-normec").ok


def test_an_induction_does_not_run_through_a_number_of_the_statement() -> None:
    """0, 2·0, 4·0, … are 0; R is any number."""
    zero, any_radius = derived("R = 0", Eq(R, 0)), hypothesis("R ≥ 0", R >= 0)
    step = Obligation("step", (zero,), derived("step", Eq(2 * R, 0)))
    run = Induction("R = 0", zero, obligation("0 = 0", (), sympy.true), step, ((R, 0),), ((R, 2 * R),))
    refused("runs through R", (run, obligation("R ≤ 0", (zero,), R <= 0)), any_radius, paper="alpha-normec")


def test_a_computation_shows_nothing_of_a_number_of_the_statement() -> None:
    small, about = hypothesis("γ > 0", GAMMA > 0), derived("γ > 100", GAMMA > 100)
    run = Computation(
        "1 < 2", "enumeration", lambda: Comparison(Fraction(1), "<", Fraction(2)), concludes=about
    )
    use = obligation("γ > 99", (about, small), GAMMA > 99)
    refused("concludes something of every gamma", (run, use), small, paper="alpha-normec")


def test_the_knots_of_a_curve_increase() -> None:
    """Else f' would rise by −1 where x goes on by 1 backwards, and L = 0 would be a constant of smoothness."""
    with pytest.raises(ValueError, match="knots increase"):
        Curve((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))


def test_a_textbook_result_does_not_say_that_it_has_a_value() -> None:
    smooth = standard("z ≥ 1/x", z >= 1 / x)
    refused("has no value everywhere", (obligation("x > 0", (X_LEAST, smooth), x > 0),), X_LEAST)
    assert prove(Proof((POSITIVE,), (obligation("xz ≥ 1", (POSITIVE, smooth), x * z >= 1),)), SETTINGS).ok


def test_facts_that_contradict_each_other_give_no_sign_to_an_identity() -> None:
    given = (standard("z > 1", z > 1), standard("z < 0", z < 0))
    refused("√x² = x: vacuous", (Identity("√x² = x", sqrt(x**2), x, given),))


def test_alternatives_that_cannot_hold_are_no_assumption() -> None:
    """For x < 0 there is no √x that could exceed 1."""
    negative, either = hypothesis("x < 0", x < 0), hypothesis("√x > 1 or x > 5", (sqrt(x) > 1) | (x > 5))
    refused("can hold together", (obligation("x < 1", (negative,), x < 1),), negative, either)


def test_an_odd_root_is_one_of_a_number_that_is_not_negative() -> None:
    """√(x^(2/3)) is x^(1/3) to sympy, and would be −2 at x = −8."""
    third = sqrt(x ** sympy.Rational(2, 3))
    low = hypothesis("x = −8", Eq(x, -8))
    refused("not shown to be defined", (obligation("√4 < 0", (low,), third < 0),), low)
    with pytest.raises(NotRational):
        evaluate(third, {"x": Fraction(-8)})
    eight = hypothesis("x = 8", Eq(x, 8))
    assert prove(Proof((eight,), (obligation("√4 = 2", (eight,), Eq(third, 2)),)), SETTINGS).ok


def test_what_is_said_beside_an_equation_is_among_the_meanings() -> None:
    """y ≥ 0 narrows y² ≥ 4 to y ≥ 2: a reader has to be told."""
    far, beside = hypothesis("y² ≥ 4", y**2 >= 4), definition("s = y ≥ 0", Eq(s, y) & (y >= 0))
    assert Proof((far,), (obligation("y ≥ 2", (far, beside), y >= 2),)).meanings == (beside.name,)


def test_a_textbook_result_among_the_assumptions_is_listed() -> None:
    known = standard("y > 5", y > 5)
    use = obligation("y² + y > 0", (SQUARE.conclusion.at({x: y}),), y**2 + y > 0)
    assert Proof((POSITIVE, known), (SQUARE, use)).standard == (known.name,)


def test_a_limit_takes_no_sign_from_a_letter() -> None:
    """y k goes to ∞ where y > 0; of a letter that is positive to sympy nobody would be told so."""
    positive = sympy.Symbol("y", positive=True)
    with pytest.raises(TypeError, match="more than real by assumption"):
        Limit("y k → ∞", positive * k, k, sympy.oo, sympy.oo, "-").discharge(SETTINGS)


def test_two_vectors_do_not_have_one_norm() -> None:
    u, v = vectors("u v")
    space = Space((u, v))
    assert space.norm(u - v, "length") == space.norm(-v + u, "length")
    with pytest.raises(ValueError, match="length is the norm of another vector"):
        space.norm(v, "length")


def test_an_exponent_has_no_unit() -> None:
    power = sympy.Integer(2) ** GAMMA
    assert not SameUnit("2^γ and 1", power, sympy.Integer(1), SYMBOLS).discharge(SETTINGS).ok
    assert DifferentUnit("2^γ and 1", power, sympy.Integer(1), SYMBOLS).discharge(SETTINGS).ok
    assert SameUnit("2^K and 1", sympy.Integer(2) ** K, sympy.Integer(1), SYMBOLS).discharge(SETTINGS).ok


@pytest.mark.parametrize("slack", [-0.5, float("nan")])
def test_what_holds_is_not_exceeded(slack: float) -> None:
    with pytest.raises(ValueError, match="what holds has no slack of"):
        SearchResult(True, 10, slack, "")


@pytest.mark.parametrize(
    ("name", "value"), [("K", Fraction(1, 2)), ("K", Fraction(-1)), ("n", Fraction(0)), ("R", Fraction(-1))]
)
def test_a_witness_lies_where_the_papers_letters_do(name: str, value: Fraction) -> None:
    """Its author lists what is presupposed, and may forget that K is whole."""
    for number, stands in ((value, False), (Fraction(1), True)):
        shown = Witness({name: number}, "0 ≥ 1", lambda _: Comparison(Fraction(0), ">=", Fraction(1)))
        found = establish(
            Claim("NEC-TEST", "alpha-normec", "nowhere", "step", "", "", witness=shown, undecided="u")
        )
        assert (found.verdict == "refuted") is stands
        assert stands or f"{name} = {value} is none of its values" in found.failures[0]
