"""False statements that an engine accepts which looks at names, at one case of several, or at letters that it does not know."""

from fractions import Fraction

import pytest
import sympy
from sympy import Abs, Eq, sqrt

from bounds.alpha_normec.symbols import SYMBOLS
from verify.case import Case
from verify.catalogue import claims
from verify.citation import Cite
from verify.claim import Claim, SearchResult
from verify.computation import Comparison
from verify.facts import Fact, definition, derived, hypothesis
from verify.fractions_check import NotRational, holds
from verify.identity import Identity, Limit
from verify.induction import Induction
from verify.obligation import Obligation, Settings, obligation
from verify.proof import Node, Proof
from verify.prove import prove
from verify.units import DifferentUnit

x, y, z, k, s, total = sympy.symbols("x y z k s total", real=True)
SETTINGS = Settings(minimise=False)
POSITIVE = hypothesis("x > 0", x > 0)
X_LEAST, Y_LEAST, Z_LEAST = (hypothesis(f"{letter} ≥ 0", letter >= 0) for letter in (x, y, z))
EITHER = hypothesis("y > 0 or √x > 1", (y > 0) | (sqrt(x) > 1))
ROOT = definition("s = √x", (s >= 0) & Eq(s**2, x))


def refused(why: str, nodes: tuple[Node, ...], *assumptions: Fact, paper: str = "") -> None:
    found = prove(Proof(assumptions, nodes), SETTINGS, paper)
    assert not found.ok
    assert why in found.detail


@pytest.mark.parametrize(
    "letter",
    [sympy.Dummy("x", real=True), sympy.Symbol("x", positive=True), sympy.Symbol("_abs(x)", real=True)],
)
def test_a_fact_is_about_letters_that_their_names_tell_apart(letter) -> None:
    """To a solver each would be x, or what |x| is called."""
    with pytest.raises(TypeError, match=r"by its name alone|more than real|taken for a root"):
        definition("it is 7", Eq(letter, 7))
    with pytest.raises(TypeError, match=r"by its name alone|more than real|taken for a root"):
        hypothesis("y ≤ z", y <= z).at({y: letter})


def test_a_letter_that_is_written_like_a_sum_is_not_the_sum() -> None:
    written = sympy.Symbol("x + y", real=True)
    either = Eq(Abs(x + y), Abs(written)) | (Abs(x + y) < -1)
    assert obligation("|x + y| = |“x + y”|", (POSITIVE,), either).discharge(SETTINGS).status == "refuted"


def test_an_instance_says_what_its_base_says() -> None:
    with pytest.raises(ValueError, match="no instance of 'x > 0', which says x > 0 there"):
        Fact("x > 5", x > 5, "hypothesis", POSITIVE)
    with pytest.raises(ValueError, match="no instance"):
        Fact("y > 0", y > 0, "definition", POSITIVE, ((x, y),))


def test_whether_two_letters_are_written_alike_is_no_relation() -> None:
    with pytest.raises(TypeError, match=r"are sympy\.Eq and sympy\.Ne"):
        obligation("x ≠ y", (POSITIVE,), x != y)


def test_an_alternative_gives_no_sign_to_an_identity_or_a_definition() -> None:
    """x may be negative where y > 0."""
    refused("differs at a rational point", (Identity("√x² = x", sqrt(x**2), x, (EITHER,)),), EITHER)
    refused("cannot be satisfied", (obligation("x ≥ 0", (EITHER, ROOT), x >= 0),), EITHER)


def test_that_a_quotient_is_not_negative_does_not_define_it() -> None:
    smuggled = definition("1/y² ≥ 0", sympy.Ge(1 / y**2, 0, evaluate=False))
    refused(
        "excludes values that no hypothesis", (obligation("y ≠ 0", (smuggled,), sympy.Ne(y, 0)),), Y_LEAST
    )


def test_a_definition_hides_no_hypothesis_among_the_assumptions() -> None:
    smuggled = definition("y > 0", y > 0)
    goal = obligation("y ≠ 0", (smuggled,), sympy.Ne(y, 0))
    refused("excludes values that no hypothesis excludes", (goal,), Y_LEAST, smuggled)


def test_a_paper_without_a_table_is_not_taken_for_none() -> None:
    with pytest.raises(KeyError):
        prove(Proof((POSITIVE,), (obligation("x > −1", (POSITIVE,), x > -1),)), SETTINGS, "alpha_normec")


MEAN = obligation("x ≥ −1", (ROOT,), x >= -1)
SQUARE = (definition("total = s", Eq(total, s)), definition("s = x²", Eq(s, x**2)))
CHAIN = obligation("total = x²", SQUARE, Eq(total, x**2))


def test_a_root_that_no_step_speaks_of_must_exist_at_the_new_letter() -> None:
    use = obligation("y ≥ −2", (MEAN.conclusion.at({x: y}),), y >= -2)
    refused("needs 's = √x' there", (MEAN, use), X_LEAST)
    assert prove(Proof((X_LEAST, Y_LEAST), (MEAN, use)), SETTINGS).ok


def test_a_meaning_that_nobody_decides_is_not_shown(monkeypatch) -> None:
    use = obligation("y ≥ −2", (MEAN.conclusion.at({x: y}),), y >= -2)
    monkeypatch.setattr("verify.obligation.exist", lambda *_: "unknown")
    refused("needs 's = √x' there: unknown", (MEAN, use), X_LEAST, Y_LEAST)


def test_a_letter_that_is_defined_by_way_of_another_keeps_its_meaning() -> None:
    both = (CHAIN.conclusion, CHAIN.conclusion.at({x: y}))
    refused(
        "needs 'total = s' and 's = x²' there", (CHAIN, obligation("x² = y²", both, Eq(x**2, y**2))), Y_LEAST
    )


def test_so_does_what_is_cited() -> None:
    five = hypothesis("total = 5", Eq(total, 5))
    squared = Claim("NEC-TEST", "alpha-normec", "nowhere", "step", "", "", proof=Proof((X_LEAST,), (CHAIN,)))
    refused("NEC-TEST needs: total = s, s = x²", (Cite(squared, (five, X_LEAST)),), five, X_LEAST)
    rooted = Claim("NEC-TEST", "alpha-normec", "nowhere", "step", "", "", proof=Proof((), (MEAN,)))
    refused("NEC-TEST needs: s = √x", (Cite(rooted, (), ((x, y),)),))


def test_what_a_case_assumes_is_a_hypothesis_of_it() -> None:
    """Of an earlier line nothing is known of what it was shown from, so that it would hold of any letter."""
    line = derived("x > 5", x > 5)
    with pytest.raises(ValueError, match="so a hypothesis of it"):
        Case("case", line, (obligation("y > 4", (line.at({x: y}),), y > 4),))


def test_only_a_step_assumes_the_lines_before_it() -> None:
    assumed = {
        c.id: c.kind
        for c in claims().values()
        for p in c.proofs
        if any(f.origin == "derived" for f in p.assumptions)
    }
    assert set(assumed.values()) == {"step"}


@pytest.mark.parametrize("after", [(), ((k, k),)], ids=["nothing", "itself"])
def test_what_starts_somewhere_moves_on(after) -> None:
    """Else k = 0 would be shown of every k."""
    zero = derived("k = 0", Eq(k, 0))
    step = Obligation("step", (zero,), derived("step", Eq(k, 0)))
    refused("does not move", (Induction("i", zero, obligation("0", (), sympy.true), step, ((k, 0),), after),))


@pytest.mark.parametrize(
    ("point", "direction", "value", "expression"),
    [(0, "-", 1, sqrt(x**2) / x), (-sympy.oo, "+", 1, Abs(x) / x), (-1, "+", -1, Abs(x))],
    ids=["from below 0", "to −∞", "to −1"],
)
def test_a_positive_letter_does_not_get_below_zero(point, direction, value, expression) -> None:
    task = Limit("limit", expression, x, sympy.sympify(point), sympy.sympify(value), direction)
    refused("x > 0 does not get there", (task,))


def test_a_letter_does_not_get_beyond_what_is_given() -> None:
    short, near = hypothesis("x ≤ 5", x <= 5), hypothesis("1 ≤ x ≤ 5", (x >= 1) & (x <= 5))
    refused(
        "does not get there", (Limit("1/x → 0", 1 / x, x, sympy.oo, sympy.Integer(0), "-", (short,)),), short
    )
    at_zero = Limit("x → 0", x, x, sympy.Integer(0), sympy.Integer(0), "+", (near,))
    refused("does not get there", (at_zero,), near)
    assert prove(
        Proof((short,), (Limit("x → 0", x, x, sympy.Integer(0), sympy.Integer(0), "+", (short,)),)), SETTINGS
    ).ok


def test_a_limit_is_followed_where_one_of_two_letters_is_zero() -> None:
    """z x y/(1 + x y) goes to z where y > 0, and where y = z = 0."""
    task = Limit("→ z", z * x * y / (1 + x * y), x, sympy.oo, z, "-", (Y_LEAST, Z_LEAST))
    refused("do not go there", (task,), Y_LEAST, Z_LEAST)


def test_what_has_no_known_unit_contradicts_nothing() -> None:
    K, L = SYMBOLS["K"].sympy(), SYMBOLS["L"].sympy()
    with pytest.raises(TypeError, match="no unit for sin"):
        DifferentUnit("sin K and sin K", sympy.sin(K), sympy.sin(K), SYMBOLS).discharge(SETTINGS)
    assert not DifferentUnit("log K and log K", sympy.log(K), sympy.log(K), SYMBOLS).discharge(SETTINGS).ok
    assert DifferentUnit("log L", sympy.log(L), sympy.log(L), SYMBOLS).discharge(SETTINGS).ok


def test_what_is_undefined_does_not_cancel() -> None:
    with pytest.raises(NotRational):
        holds(1 / x + 1 > 1 / x, {"x": Fraction(0)})


def test_what_a_computation_presupposes_can_be_read_twice() -> None:
    """Of an iterator that is used up all would hold."""
    unmet = (part for part in (("a hypothesis", False),))
    with pytest.raises(TypeError, match="can be read twice"):
        Comparison(Fraction(2), "<=", Fraction(1), unmet)  # type: ignore[arg-type]


@pytest.mark.parametrize("holds", [True, False])
def test_no_instance_shows_nothing(holds) -> None:
    with pytest.raises(ValueError, match="0 instances"):
        SearchResult(holds, 0, None, "")
