"""Conditions that reach a proof by a side door: each of these false statements was once accepted."""

from fractions import Fraction

import pytest
import sympy

from bounds.alpha_normec.symbols import SYMBOLS
from verify.citation import Cite
from verify.claim import Claim
from verify.computation import Comparison, Computation
from verify.facts import Fact, definition, derived, equal, hypothesis
from verify.gram import vectors
from verify.identity import Identity, Limit, check_identity, check_limit
from verify.induction import Induction
from verify.mutants import examine
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof
from verify.second_solver import SecondSolver
from verify.verdict import establish

x, y, z, k, s, t = sympy.symbols("x y z k s t", real=True)
R, GAMMA, K = (SYMBOLS[name].sympy() for name in ("R", "gamma", "K"))
ROOM, STEP = hypothesis("R ≥ 0", R >= 0), hypothesis("γ > 0", GAMMA > 0)


def refused(why: str, given: tuple[Fact, ...], *nodes: Node) -> None:
    statement = Claim(
        "NEC-TEST", "alpha-normec", "nowhere", "lemma", "", "", proof=Proof(given, nodes), undecided="u"
    )
    found = establish(statement)
    assert found.verdict == "unknown"
    assert any(why in failure for failure in found.failures), found.failures


def run(invariant: Fact, start: dict, later: dict, *given: Fact) -> Induction:
    base = Obligation("0", (), derived("0", invariant.at(start).relation))
    step = Obligation("k + 1", (invariant, *given), derived("k + 1", invariant.at(later).relation))
    return Induction(invariant.name, invariant, base, step, tuple(start.items()), tuple(later.items()))


@pytest.mark.parametrize(
    ("first", "second", "goal"),
    [
        ((s - 0) * 1, R - 5, R >= 5),
        (s**2 - R + 1, None, R >= 1),
    ],
    ids=["s = 0 = R − 5", "s² = R − 1"],
)  # fmt: skip
def test_two_definitions_do_not_vouch_for_each_other(first, second, goal) -> None:
    own = sympy.Eq(first, 0) & (sympy.Eq(s, second) if second is not None else s >= 0)
    one, two = definition("of a letter of the proof's own", own), definition("the same, in words", goal)
    refused(
        "excludes values that no hypothesis excludes", (ROOM,), obligation("goal", (ROOM, one, two), goal)
    )


def test_nor_does_an_induction_run_through_a_number_of_the_conclusion() -> None:
    zero = derived("R = 0", sympy.Eq(R, 0))
    doubled = Induction(
        "R = 0", zero, obligation("0 = 0", (), sympy.true),
        Obligation("step", (zero,), derived("step", sympy.Eq(2 * R, 0))), ((R, 0),), ((R, 2 * R),),
    )  # fmt: skip
    refused("runs through R", (), doubled, obligation("R ≤ 0", (zero,), R <= 0))


ONES = derived("x = k", sympy.Eq(x, k))
TWOS = derived("x = 2k", sympy.Eq(x, 2 * k))
BY_ONES = run(ONES, {x: sympy.Integer(0), k: sympy.Integer(0)}, {x: x + 1, k: k + 1})
BY_TWOS = run(TWOS, {x: sympy.Integer(0), k: sympy.Integer(0)}, {x: x + 2, k: k + 1})


def test_one_letter_does_not_run_in_two_ways() -> None:
    """1 + 1 + … and 2 + 2 + … are both x, and so 0."""
    goal = obligation("k = 0", (ONES, TWOS), sympy.Eq(k, 0))
    refused(
        "x runs from 0 to x + 1 and so on in one induction, from 0 to x + 2 in another",
        (),
        BY_ONES,
        BY_TWOS,
        goal,
    )


def test_nor_does_it_by_way_of_a_citation() -> None:
    other = Claim("NEC-OTHER", "alpha-normec", "nowhere", "lemma", "", "", proof=Proof((), (BY_TWOS,)))
    cited = Cite(other, ())
    refused("x runs from", (), BY_ONES, cited, obligation("k = 0", (ONES, cited.conclusion), sympy.Eq(k, 0)))


PAIRS = derived("k(k − 1) ≥ 0", (k * (k - 1) >= 0) & (k >= 0))
COUNTED = run(PAIRS, {k: sympy.Integer(0)}, {k: k + 1})
SQUARE = obligation("k² ≥ k", (PAIRS,), k**2 >= k)


def test_what_follows_from_a_count_is_said_of_whole_numbers_alone() -> None:
    there = SQUARE.conclusion.at({k: GAMMA})
    refused("need not be 0, 1, …", (STEP,), COUNTED, SQUARE, obligation("γ ≥ 1", (there, STEP), GAMMA >= 1))


def test_what_is_counted_from_one_is_not_said_of_none() -> None:
    some = derived("k ≥ 1", k >= 1)
    counted = run(some, {k: sympy.Integer(1)}, {k: k + 1})
    refused(
        "at k = 0, which need not be 1, 2, …", (), counted, obligation("k ≥ 2", (some.at({k: 0}),), k >= 2)
    )


@pytest.mark.parametrize("nodes", [(COUNTED, SQUARE), (COUNTED,)], ids=["a step after it", "the induction"])
def test_and_so_is_what_is_cited(nodes) -> None:
    source = Claim("NEC-X", "alpha-normec", "nowhere", "step", "", "", proof=Proof((), nodes))
    cited = Cite(source, (STEP,), ((k, GAMMA),))
    refused("need not be 0, 1, …", (STEP,), cited, obligation("γ ≥ 1", (cited.conclusion, STEP), GAMMA >= 1))


def test_the_step_of_an_induction_is_the_step_of_every_k() -> None:
    none = derived("kR ≤ 0", k * R <= 0)
    horses = run(none, {k: sympy.Integer(0)}, {k: k + 1}, definition("k ≥ 1", k >= 1), ROOM)
    at_1 = none.at({k: sympy.Integer(1)})
    refused("need not hold in every step", (ROOM,), horses, obligation("R ≤ 0", (at_1,), R <= 0))


def test_nor_is_it_that_of_the_first_alone() -> None:
    most = derived("k ≤ 1", k <= 1)
    first = run(most, {k: sympy.Integer(0)}, {k: k + 1}, definition("the first", sympy.Eq(k, 0)))
    refused("need not hold in every step", (), first, obligation("K ≤ 1", (most.at({k: K}),), K <= 1))


def test_what_is_shown_up_to_an_end_is_not_used_beyond_it() -> None:
    most = derived("k ≤ 1", k <= 1)
    bounded = run(most, {k: sympy.Integer(0)}, {k: k + 1}, definition("k ≤ 0", k <= 0))
    refused("which was shown for k <= 0", (), bounded, obligation("K ≤ 1", (most.at({k: K}),), K <= 1))


ZERO_IN_DISGUISE = 1 / ((x + 1) ** 2 - x**2 - 2 * x - 1)


@pytest.mark.parametrize(
    "goal",
    [
        sympy.Ge(ZERO_IN_DISGUISE, ZERO_IN_DISGUISE - 5, evaluate=False),
        equal(ZERO_IN_DISGUISE, ZERO_IN_DISGUISE),
        ZERO_IN_DISGUISE >= 5,
    ],
    ids=["1/0 ≥ 1/0 − 5", "1/0 = 1/0", "1/0 ≥ 5"],
)  # fmt: skip
def test_a_denominator_that_is_zero_everywhere_is_seen(goal) -> None:
    given = hypothesis("x ≥ 0", x >= 0)
    refused("not shown to be defined", (given,), obligation("of 1/0", (given,), goal))


def test_a_computation_shows_nothing_of_a_letter_that_no_table_lists() -> None:
    low = hypothesis("z ≥ −5", z >= -5)
    computed = Computation(
        "1 < 2", "enumeration", lambda: Comparison(Fraction(1), "<", Fraction(2)), concludes=derived("z ≤ 0", z <= 0)
    )  # fmt: skip
    refused(
        "computes numbers and concludes something of every z", (low,),
        computed, obligation("z ≤ 1", (computed.conclusion, low), z <= 1),
    )  # fmt: skip


def test_a_limit_is_followed_at_many_values_of_the_other_letters() -> None:
    a, n = sympy.symbols("a n", real=True)
    given = (hypothesis("a > 0", a > 0), hypothesis("n > 0", n > 0))
    lucky = Limit("limit 5", (n**a + n) / n, n, sympy.oo, sympy.Integer(1), "-", given)
    assert check_limit(lucky).status == "unknown"


def test_a_limit_that_is_not_found_is_unknown() -> None:
    a, n = sympy.symbols("a n", real=True)
    given = (hypothesis("a > 0", a > 0), hypothesis("n > 0", n > 0))
    found = check_limit(Limit("n^(a − 1)", n ** (a - 1), n, sympy.oo, sympy.Integer(0), "-", given))
    assert found.status == "unknown"
    assert "sympy finds no limit" in found.detail


def test_an_if_whose_condition_has_no_value_gives_no_sign() -> None:
    perhaps = hypothesis("if 1/y² > 0 then x ≥ 0", sympy.Implies(1 / y**2 > 0, x >= 0))
    assert not check_identity(Identity("√x² = x", sympy.sqrt(x**2), x, (perhaps,))).ok


def test_an_identity_that_facts_about_another_letter_would_give_is_not_refuted() -> None:
    same, three = definition("t = x", equal(t, x)), hypothesis("t = 3", sympy.Eq(t, 3))
    assert check_identity(Identity("x² = 3x", x**2, 3 * x, (same, three))).status == "unknown"
    assert check_identity(Identity("x² = 3x", x**2, 3 * x, ())).status == "refuted"


def test_a_mutant_that_is_true_of_itself_is_told_and_not_stumbled_over() -> None:
    assert examine("FED-ALG1")


def test_an_answer_that_nobody_waited_for_is_not_that_of_the_next_question(monkeypatch) -> None:
    solver = SecondSolver()
    assert solver.ask([x > 1], 60) == "sat"
    process, pipe = solver._worker
    monkeypatch.setattr(type(pipe), "poll", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        solver.ask([x < 0, x > 1], 60)
    monkeypatch.undo()
    assert not process.is_alive()
    assert solver.ask([x > 1], 60) == "sat"
    solver.close()


def test_names_of_vectors_do_not_run_into_each_other() -> None:
    with pytest.raises(ValueError, match="no comma"):
        vectors("a,b c")
