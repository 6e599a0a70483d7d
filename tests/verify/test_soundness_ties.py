"""False statements that an engine accepts which looks at definitions, textbook results and hypotheses each by themselves: a letter of
which two of them speak, a chain that is longer than it looks, what a hypothesis says of a sum at two times, a sum of nothing."""

from itertools import pairwise

import pytest
import sympy
from sympy import Eq, sqrt

from attacks import claim, refused
from bounds.alpha_normec.symbols import SYMBOLS
from verify.citation import Cite
from verify.claim import Claim
from verify.facts import Fact, definition, derived, hypothesis, standard
from verify.gram import Space, inner, square, vectors
from verify.identity import Limit
from verify.induction import Induction
from verify.obligation import Obligation, Settings, obligation
from verify.proof import Proof
from verify.prove import prove
from verify.units import DifferentUnit, SameUnit
from verify.verdict import establish

x, y, z, v, k, t, u, a, b = sympy.symbols("x y z v k t u a b", real=True)
R, GAMMA, K, N, L = (SYMBOLS[name].sympy() for name in ("R", "gamma", "K", "n", "L"))
ZERO = sympy.Integer(0)
ROOM, ROUNDS, CLIENTS = hypothesis("R ≥ 0", R >= 0), hypothesis("K ≥ 0", K >= 0), hypothesis("n ≥ 1", N >= 1)
X_LEAST, Y_LEAST, Z_LEAST = (hypothesis(f"{letter} ≥ 0", letter >= 0) for letter in (x, y, z))


def run(invariant: Fact, start: dict, later: dict, *given: Fact) -> Induction:
    base = Obligation("0", (), derived("0", invariant.at(start).relation))
    step = Obligation("k + 1", (invariant, *given), derived("k + 1", invariant.at(later).relation))
    return Induction(invariant.name, invariant, base, step, tuple(start.items()), tuple(later.items()))


TWICE = derived("x = 2k", Eq(x, 2 * k) & (k >= 0))
BY_TWOS = run(TWICE, {x: ZERO, k: ZERO}, {x: x + 2, k: k + 1})
SHORT, LONG = hypothesis("x ≤ 3", x <= 3), hypothesis("x ≥ 3", x >= 3)
FEW = obligation("2K ≤ 3", (TWICE.at({k: K}), SHORT), 2 * K <= 3)
MANY = obligation("2n ≥ 3", (TWICE.at({k: N}), LONG), 2 * N >= 3)
MOST = obligation("2n ≤ 3", (TWICE.at({k: N}), SHORT), 2 * N <= 3)
TWO_TIMES = "what is assumed of x for what it is at K and at n"


def test_a_hypothesis_about_a_sum_is_one_about_one_of_its_numbers() -> None:
    """x ≤ 3 after K steps, x ≥ 3 after n."""
    both = obligation("K ≤ n", (FEW.conclusion, MANY.conclusion), K <= N)
    refused(TWO_TIMES, (ROUNDS, CLIENTS, SHORT, LONG), BY_TWOS, FEW, MANY, both)


def test_so_it_is_where_no_step_takes_both() -> None:
    refused(TWO_TIMES, (ROUNDS, CLIENTS, SHORT), BY_TWOS, FEW, MOST)


def test_so_it_is_of_a_letter_that_is_the_sum() -> None:
    is_x = definition("v = x", Eq(v, x))
    few = obligation("2K ≤ 3", (TWICE.at({k: K}), hypothesis("v ≤ 3", v <= 3), is_x), 2 * K <= 3)
    many = obligation("2n ≥ 3", (TWICE.at({k: N}), hypothesis("v ≥ 3", v >= 3), is_x), 2 * N >= 3)
    both = obligation("K ≤ n", (few.conclusion, many.conclusion), K <= N)
    given = (ROUNDS, CLIENTS, hypothesis("v ≤ 3", v <= 3), hypothesis("v ≥ 3", v >= 3))
    refused(TWO_TIMES, given, BY_TWOS, few, many, both)


def test_so_it_is_of_what_is_cited() -> None:
    least = obligation("2K ≥ 3", (TWICE.at({k: K}), LONG), 2 * K >= 3)
    one = Cite(claim((ROUNDS, SHORT), BY_TWOS, FEW), (ROUNDS, SHORT))
    other = Cite(claim((ROUNDS, LONG), BY_TWOS, least), (CLIENTS, LONG), ((K, N),))
    both = obligation("K ≤ n", (one.conclusion, other.conclusion), K <= N)
    refused(TWO_TIMES, (ROUNDS, CLIENTS, SHORT, LONG), one, other, both)


def test_what_follows_from_a_hypothesis_is_not_given_to_every_step_either() -> None:
    none = hypothesis("x ≤ 0", x <= 0)
    line, below = obligation("x ≤ 1", (none,), x <= 1), derived("x ≤ 3", x <= 3)
    runs = run(below, {x: ZERO}, {x: x + 2}, line.conclusion)
    few = obligation("2k ≤ 3", (TWICE, below), 2 * k <= 3)
    use = obligation("2K ≤ 3", (few.conclusion.at({k: K}), ROUNDS), 2 * K <= 3)
    refused("given 'x ≤ 0', which need not hold in every step", (ROUNDS, none), line, BY_TWOS, runs, few, use)


def test_nor_is_what_another_name_of_a_letter_says_of_it() -> None:
    down = derived("x = −k", Eq(x, -k) & (k >= 0))
    falls = run(down, {x: ZERO, k: ZERO}, {x: x - 1, k: k + 1})
    named = (definition("v = x", Eq(v, x)), definition("v ≥ 0", v >= 0))
    line = obligation("x ≥ 0", named, x >= 0)
    none = obligation("k ≤ 0", (down, line.conclusion), k <= 0)
    use = obligation("K ≤ 0", (none.conclusion.at({k: K}), ROUNDS), K <= 0)
    refused("'v = x', 'v ≥ 0' says what x is", (ROUNDS,), falls, line, none, use)


def test_what_runs_from_one_number_does_not_run_from_another() -> None:
    above = derived("x = y + k", Eq(x, y + k) & (k >= 0))
    runs = run(above, {x: y, k: ZERO}, {x: x + 1, k: k + 1})
    same = obligation("y = z", (above, above.at({y: z})), Eq(y, z))
    refused("takes x for what runs from elsewhere", (Y_LEAST, Z_LEAST), runs, same)


@pytest.mark.parametrize(
    ("letter", "sign"),
    [(x, x > 0), (v, v > 0), (v, v >= 1)],
    ids=["the sum", "what stands in its place", "at least 1"],
)
def test_a_sum_of_nothing_is_not_positive(letter: sympy.Symbol, sign: sympy.Basic) -> None:
    use = obligation("K > 0", (TWICE.at({k: K, x: letter}), definition("it is positive", sign)), K > 0)
    refused("not where there was no step", (ROUNDS,), BY_TWOS, use)
    some = hypothesis("K ≥ 1", K >= 1)
    use = obligation("K > 0", (TWICE.at({k: K, x: letter}), definition("it is positive", sign), some), K > 0)
    assert establish(claim((some,), BY_TWOS, use)).verdict == "proved"


STEP_DOWN = standard("a step lessens it by 1: t ≤ u − 1", t <= u - 1)


def test_a_letter_of_a_textbook_result_means_one_thing() -> None:
    said = (definition("u = R", Eq(u, R)), definition("t ≥ 0", t >= 0))
    step = obligation("R ≥ 1", (ROOM, STEP_DOWN, *said), R >= 1)
    refused("cannot be satisfied together for all values", (ROOM,), step)


def test_a_textbook_result_may_speak_of_what_is_defined() -> None:
    step = obligation("t ≤ R² − 1", (ROOM, STEP_DOWN, definition("u = R²", Eq(u, R**2))), t <= R**2 - 1)
    assert establish(claim((ROOM,), step)).verdict == "proved"


@pytest.mark.parametrize(
    "said", [standard("t = x + 1", Eq(t, x + 1)), standard("t ≥ x²", t >= x**2)], ids=lambda fact: fact.name
)
def test_a_textbook_result_that_is_said_twice_is_said_of_two_letters(said: Fact) -> None:
    given = (X_LEAST, Y_LEAST)
    first = () if isinstance(said.relation, Eq) else (definition("t = x²", Eq(t, x**2)),)
    step = obligation("y ≤ x", (*given, said, said.at({x: y}), *first), y <= x)
    refused("together for all values", given, step)
    step = obligation("t + u ≥ 0", (*given, said, said.at({x: y, t: u}), *first), t + u >= 0)
    assert establish(claim(given, step)).verdict == "proved"


def chain(first: sympy.Symbol, by: str, end: sympy.Expr) -> tuple[Fact, ...]:
    """first = … = end, by way of letters."""
    names = (first, *sympy.symbols(by, real=True), end)
    return tuple(definition(f"{one} = {other}", Eq(one, other)) for one, other in pairwise(names))


CHAIN = obligation("t = x²", (*chain(t, "c2 c3 c4 c5", x**2), X_LEAST), Eq(t, x**2) & (x >= 0))


def test_a_long_chain_of_definitions_is_followed_to_its_end() -> None:
    both = (CHAIN.conclusion, CHAIN.conclusion.at({x: y}), Y_LEAST)
    refused(
        "'c5 = x**2' there: refuted", (X_LEAST, Y_LEAST), CHAIN, obligation("x² = y²", both, Eq(x**2, y**2))
    )


def test_so_is_one_of_what_is_cited() -> None:
    one = Cite(claim((X_LEAST,), CHAIN), (X_LEAST,))
    other = obligation(
        "t = 2x + 1", (*chain(t, "d2 d3 d4 d5", 2 * x + 1), X_LEAST), Eq(t, 2 * x + 1) & (x >= 0)
    )
    two = Cite(claim((X_LEAST,), other), (X_LEAST,))
    use = obligation("x² = 2x + 1", (one.conclusion, two.conclusion), Eq(x**2, 2 * x + 1))
    refused("c5 = x**2: refuted", (X_LEAST,), one, two, use)
    five = obligation("x² = 5", (one.conclusion, definition("t = 5", Eq(t, 5))), Eq(x**2, 5))
    refused("c5 = x**2: refuted", (X_LEAST,), one, five)


def test_a_root_at_the_end_of_a_chain_must_exist() -> None:
    root = sympy.Symbol("root", real=True)
    given = (*chain(t, "c2 c3 c4", root), definition("root = √x", (root >= 0) & Eq(root**2, x)))
    first = obligation("t² = x", given, Eq(t**2, x))
    least = obligation("x ≥ 0", (first.conclusion,), x >= 0)
    low = hypothesis("y ≥ −5", y >= -5)
    use = obligation("y ≥ 0", (least.conclusion.at({x: y}),), y >= 0)
    refused("'root = √x' there: refuted", (X_LEAST, low), first, least, use)


def test_a_definition_narrows_no_part_of_a_statement() -> None:
    part = obligation("R > 0", (definition("R > 0", R > 0),), R > 0)
    last = obligation("K + 1 > 0", (ROUNDS,), K + 1 > 0)
    refused("'R > 0' is used as a definition", (ROUNDS,), part, last)


U, V = vectors("u v")


@pytest.mark.parametrize(
    "tie",
    [
        Eq(inner(U, V), 0),
        Eq(square(U + V), square(U) + square(V)),
        Eq(inner(U, V), square(U)),
        Eq(inner(U, V), 0) | (Eq(inner(U, V), 0) & (square(U) >= 0)),
    ],
    ids=["⟨u, v⟩ = 0", "Pythagoras", "⟨u, v⟩ = ‖u‖²", "either way"],
)
def test_that_vectors_are_independent_is_no_definition(tie: sympy.Basic) -> None:
    given = (definition("independent", tie), *Space((U, V)).facts())
    step = obligation("⟨u, v⟩ ≥ 0", given, inner(U, V) >= 0)
    refused("'independent' is used as a definition and introduces no letter", (), step)


def test_a_limit_is_followed_where_what_stands_before_a_root_vanishes() -> None:
    least = hypothesis("a ≥ 0", a >= 0)
    root = 1 / (1 + (a - sympy.Rational(7, 29)) ** 2 * sqrt(x**2 + 1))
    refused("do not go there", (least,), Limit("→ 0", root, x, sympy.oo, ZERO, "-", (least,)))


def test_a_letter_does_not_get_where_another_one_keeps_it_from() -> None:
    given = (hypothesis("a > 0", a > 0), hypothesis("ax ≤ 1", a * x <= 1))
    refused("does not get there", given, Limit("ax → ∞", a * x, x, sympy.oo, sympy.oo, "-", given))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((L + 1) * (L - 1) / (L**2 - 1), sympy.Integer(1)),
        ((L + K) ** 2 - L**2 - 2 * L * K, K**2),
        (sympy.Max(-(L**2), L), L),
    ],
    ids=["a quotient that is 1", "a sum that cancels", "a maximum that is L"],
)
def test_terms_of_different_units_that_cancel_contradict_nothing(left: sympy.Expr, right: sympy.Expr) -> None:
    assert not DifferentUnit("units", left, right, SYMBOLS).discharge(Settings()).ok


def test_that_zero_has_every_unit_shows_none() -> None:
    for node in (SameUnit, DifferentUnit):
        assert not node("L − L and K", L - L, K, SYMBOLS).discharge(Settings()).ok


def test_only_a_step_assumes_a_line() -> None:
    """Which stands among no hypotheses in the report."""
    line = derived("R ≥ 5", R >= 5)
    with pytest.raises(ValueError, match="a line that only a step may assume"):
        claim((line,), obligation("R > 4", (line,), R > 4))
    proof = Proof((line,), (obligation("R > 4", (line,), R > 4),))
    step = Claim("NEC-TEST", "alpha-normec", "nowhere", "step", "", "", proof=proof)
    assert establish(step).verdict == "proved"


def test_what_is_hard_to_satisfy_is_not_taken_to_be_satisfiable(monkeypatch) -> None:
    """Of x ≥ 5 and x ≤ 4, each given to a step of its own, a solver that says nothing shows nothing."""
    monkeypatch.setattr("verify.prove.together", lambda *_: "unknown")
    one, other = hypothesis("x ≥ 5", x >= 5), hypothesis("x ≤ 4", x <= 4)
    nodes = (obligation("x > 4", (one,), x > 4), obligation("x < 5", (other,), x < 5))
    found = prove(Proof((one, other), nodes), Settings(minimise=False))
    assert (found.status, found.detail) == ("unknown", "whether what it rests on can hold together: unknown")


def test_a_sign_that_a_definition_divides_by_is_needed() -> None:
    """L > 0 is not needed for L · (R + 1)/L > R, but for there to be an (R + 1)/L."""
    positive, far = hypothesis("L > 0", L > 0), definition("x = (R + 1)/L", Eq(x, (R + 1) / L))
    found = obligation("Lx > R", (positive, far), L * x > R).discharge(Settings())
    assert (found.ok, found.needed, found.unneeded) == (True, ("L > 0",), ())
