"""Evidence that looks like a proof and is none: each of these was once, or could have been, accepted."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

import pytest
import sympy
from sympy import Abs, Eq, Max, sqrt

from bounds.alpha_normec.symbols import SYMBOLS
from verify.catalogue import claims
from verify.claim import Claim, SearchResult, Witness
from verify.computation import Comparison, Computation
from verify.facts import Fact, definition, derived, equal, hypothesis
from verify.gram import Space, inner, square, vectors
from verify.identity import Identity, Limit
from verify.induction import Induction
from verify.obligation import Obligation, Settings, obligation
from verify.proof import Node, Proof
from verify.prove import prove
from verify.units import DifferentUnit
from verify.verdict import establish

x, y, k, total = sympy.symbols("x y k total", real=True)
SETTINGS = Settings(minimise=False)
POSITIVE, NEGATIVE = hypothesis("x > 0", x > 0), hypothesis("x < 0", x < 0)
AT_LEAST_0 = hypothesis("y ≥ 0", y >= 0)
SQUARE = obligation("x² + x > 0", (POSITIVE,), x**2 + x > 0)


def refused(why: str, nodes: tuple[Node, ...], *assumptions: Fact) -> None:
    found = prove(Proof(assumptions, nodes), SETTINGS)
    assert not found.ok
    assert why in found.detail


def test_a_hypothesis_about_one_letter_is_not_one_about_another() -> None:
    other = obligation("y > −1", (POSITIVE.at({x: y}),), y > -1)
    refused("which needs 'x > 0' there", (other,), POSITIVE)


def test_a_conclusion_does_not_hold_outside_the_hypotheses_it_was_shown_from() -> None:
    there = SQUARE.conclusion.at({x: y})
    refused("which needs 'x > 0' there", (SQUARE, obligation("y² + y > 0", (there,), y**2 + y > 0)), POSITIVE)
    large = hypothesis("y > 3", y > 3)
    good = obligation("y² + y > 0", (there, large), y**2 + y > 0)
    assert prove(Proof((POSITIVE, large), (SQUARE, good)), SETTINGS).ok


def test_an_instance_of_an_instance_rests_on_the_same_hypotheses() -> None:
    again = obligation(
        "(y + 1)² + y + 1 > 0", (SQUARE.conclusion.at({x: y}).at({y: y + 1}),), (y + 1) ** 2 + y + 1 > 0
    )
    refused("which needs 'x > 0' there", (SQUARE, again), POSITIVE)


def test_what_an_instance_rests_on_is_followed_through_the_steps_between() -> None:
    between = obligation("x² + x + 1 > 1", (SQUARE.conclusion,), x**2 + x + 1 > 1)
    there = obligation("y² + y > 0", (between.conclusion.at({x: y}),), y**2 + y > 0)
    refused("which needs 'x > 0' there", (SQUARE, between, there), POSITIVE)


def test_a_definition_is_asked_for_at_the_new_letters() -> None:
    root = definition("total = √x", (total >= 0) & sympy.Eq(total**2, x))
    mean = obligation("2√x ≤ x + 1", (root,), 2 * total <= x + 1)
    wrong = definition("total is a letter", total >= 0)
    use = obligation("2 total ≤ y + 1", (mean.conclusion.at({x: y}), wrong), 2 * total <= y + 1)
    refused("which needs 'total = √x' there", (mean, use))


def test_hypotheses_that_contradict_each_other_only_together_prove_nothing() -> None:
    above = obligation("x > −1", (POSITIVE,), x > -1)
    below = obligation("x < 1", (NEGATIVE,), x < 1)
    found = prove(Proof((POSITIVE, NEGATIVE), (above, below)), SETTINGS)
    assert found.status == "vacuous"
    assert "can hold together: unsat" in found.detail


def test_an_induction_step_that_is_given_its_own_conclusion_is_refused() -> None:
    false = derived("x ≥ 5k", x >= 5 * k)
    after = {x: x + 1, k: k + 1}
    base = Obligation("base", (), derived("base", false.at({x: 0, k: 0}).relation))
    step = Obligation("step", (false, false.at(after)), derived("step", false.at(after).relation))
    refused(
        "the invariant elsewhere",
        (Induction("i", false, base, step, ((x, 0), (k, 0)), tuple(after.items())),),
    )


@pytest.mark.parametrize(
    ("identity", "why"),
    [
        (Identity("√x² = x", sqrt(x**2), x), "differs at a rational point"),
        (Identity("(x² − 1)/(x − 1) = x + 1", (x**2 - 1) / (x - 1), x + 1), "not shown to be defined"),
        (Identity("√x √y = √(xy)", sqrt(x) * sqrt(y), sqrt(x * y), (POSITIVE,)), "not shown to be defined"),
    ],
    ids=lambda value: value.name if isinstance(value, Identity) else "",
)
def test_an_identity_knows_no_sign_that_it_is_not_given(identity: Identity, why: str) -> None:
    refused(why, (identity,), POSITIVE)


def test_an_identity_uses_the_signs_that_it_is_given() -> None:
    allowed = definition("y ≥ 0", y >= 0)
    found = prove(Proof((POSITIVE,), (Identity("√x² = x", sqrt(x**2), x, (POSITIVE,)),)), SETTINGS)
    assert (found.ok, found.needed, found.unneeded) == (True, ("x > 0",), ())
    product = Identity("√x √y = √(xy)", sqrt(x) * sqrt(y), sqrt(x * y), (POSITIVE, allowed))
    assert prove(Proof((POSITIVE,), (product,)), SETTINGS).ok


def test_fractions_that_cancel_when_put_together_must_still_be_defined() -> None:
    """1/x + (x − 1)/x is 1 but for x = 0."""
    refused("not shown to be defined", (obligation("≥ 1", (), 1 / x + (x - 1) / x >= 1),))
    apart = hypothesis("x ≠ 0", sympy.Ne(x, 0))
    assert prove(Proof((apart,), (obligation("≥ 1", (apart,), 1 / x + (x - 1) / x >= 1),)), SETTINGS).ok


def test_what_both_sides_divide_by_must_be_known_not_to_be_zero() -> None:
    """The quotients cancel before anything is put together."""
    refused("not shown to be defined", (Identity("y/x = y/x", y / x, y / x),))
    refused("not shown to be defined", (obligation("1 + y/x > y/x", (), 1 + y / x > y / x),))
    assert prove(Proof((POSITIVE,), (Identity("y/x = y/x", y / x, y / x, (POSITIVE,)),)), SETTINGS).ok


def test_an_alternative_does_not_say_that_its_other_part_is_defined() -> None:
    either = hypothesis("y > 0 or √x > 1", (y > 0) | (sqrt(x) > 1))
    refused("not shown to be defined", (obligation("x ≥ 0", (either,), x >= 0),), either)


@pytest.mark.parametrize(
    "comparison",
    [
        lambda: Comparison(0.1 + 0.2, "!=", Fraction(3, 10)),  # type: ignore[arg-type]
        lambda: Comparison(True, "==", True),  # type: ignore[arg-type]
        lambda: Comparison(Fraction(1), "==", Fraction(1), (("x is odd", "no"),)),  # type: ignore[arg-type]
    ],
    ids=["floats", "a typed truth value", "a hypothesis that is a word"],
)
def test_a_computation_compares_rational_numbers(comparison) -> None:
    with pytest.raises(TypeError):
        Computation("computed", "enumeration", comparison).discharge(SETTINGS)


def test_the_values_of_a_witness_are_fractions() -> None:
    drawn = Witness({"x": 0.1}, "x = 1/10", lambda v: Comparison(Fraction(v["x"]), "==", Fraction(1, 10)))  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="values of a witness are fractions: x ="):
        drawn.stands()


def test_equal_units_with_fractions_are_no_contradiction() -> None:
    root = sqrt(SYMBOLS["L"].sympy())
    assert not DifferentUnit("√L and √L", root, root, SYMBOLS).discharge(SETTINGS).ok
    assert DifferentUnit("√L and L", root, SYMBOLS["L"].sympy(), SYMBOLS).discharge(SETTINGS).ok


def test_a_letter_that_is_positive_by_assumption_is_no_letter_of_a_fact() -> None:
    with pytest.raises(TypeError, match="more than real by assumption"):
        hypothesis("p ≤ y", sympy.Symbol("p", positive=True) <= y)


@pytest.mark.parametrize("relation", [sympy.true, equal(y, y)], ids=["true", "y = y"])
def test_a_hypothesis_that_says_nothing_is_refused(relation) -> None:
    """Its name would stand in the report among the hypotheses that are not needed."""
    with pytest.raises(ValueError, match="says nothing"):
        hypothesis("the server starts at the mean of the memories", relation)


def test_a_search_that_finds_a_counterexample_is_not_passed_over() -> None:
    claim = Claim("NEC-TEST", "alpha-normec", "nowhere", "step", "printed", "reason", undecided="unknown",
                  search=lambda: SearchResult(holds=False, instances=10, slack=-0.5, detail="one below"))  # fmt: skip
    assert establish(claim).failures == ("the search found what it should not: one below",)


@pytest.mark.parametrize(
    ("task", "status"),
    [
        (Limit("k/2ᵏ → 0", x / 2**x, x, sympy.oo, sympy.Integer(0), "-"), "proved"),
        (Limit("(1 + y/k)ᵏ → eʸ", (1 + y / x) ** x, x, sympy.oo, sympy.exp(y), "-", (AT_LEAST_0,)), "proved"),
        (Limit("1/log k → 0", 1 / sympy.log(x), x, sympy.oo, sympy.Integer(0), "-"), "proved"),
        (Limit("k/2ᵏ → 1", x / 2**x, x, sympy.oo, sympy.Integer(1), "-"), "refuted"),
    ],
    ids=lambda value: value.name if isinstance(value, Limit) else "",
)
def test_a_limit_is_followed_however_large_the_numbers_on_the_way_are(task: Limit, status: str) -> None:
    assert task.discharge(SETTINGS).status == status


@pytest.mark.parametrize(
    ("task", "why"),
    [
        (Limit("y k → ∞", y * x, x, sympy.oo, sympy.oo, "-"), "y ≥ 0 does not follow"),
        (Limit("y k → ∞ for y ≥ 0", y * x, x, sympy.oo, sympy.oo, "-", (AT_LEAST_0,)), "do not go there"),
        (Limit("1 + 1/(y k) → 1 for y ≥ 0", 1 + 1 / (y * x), x, sympy.oo, sympy.Integer(1), "-", (AT_LEAST_0,)), "do not go there"),
        (Limit("k/(1 + y k) → 1/y for y ≥ 0", x / (1 + y * x), x, sympy.oo, 1 / y, "-", (AT_LEAST_0,)), "do not go there"),
    ],
    ids=lambda value: value.name if isinstance(value, Limit) else "",
)  # fmt: skip
def test_a_limit_knows_no_sign_that_it_is_not_given(task: Limit, why: str) -> None:
    refused(why, (task,), AT_LEAST_0)


def test_a_limit_may_use_the_signs_that_it_is_given() -> None:
    given = hypothesis("y > 0", y > 0)
    assert prove(
        Proof((given,), (Limit("y k → ∞", y * x, x, sympy.oo, sympy.oo, "-", (given,)),)), SETTINGS
    ).ok


@pytest.mark.parametrize(
    ("smuggled", "why"),
    [
        (definition("y > 0", y > 0), "excludes values that no hypothesis excludes"),
        (definition("y ≠ 0", sympy.Ne(y, 0)), "excludes values that no hypothesis excludes"),
        *[
            (definition(str(part), part), "excludes values that no hypothesis excludes")
            for part in (y >= 1, y >= 5, sympy.Eq(y, 7), sympy.Eq(y, 7) & (y <= 9))
        ],
        (
            definition("total = √y > 0", (total > 0) & sympy.Eq(total**2, y)),
            "cannot be satisfied for all values",
        ),
        (
            definition("total lies between 2 and y", (total >= 2) & (total <= y)),
            "cannot be satisfied for all values",
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Fact) else "",
)
def test_a_definition_does_not_hide_a_hypothesis(smuggled: Fact, why: str) -> None:
    """What is true of no y = 0 narrows a statement about all y ≥ 0."""
    refused(why, (obligation("y ≠ 0", (AT_LEAST_0, smuggled), sympy.Ne(y, 0)),), AT_LEAST_0)


def test_a_letter_is_at_least_what_the_equation_that_introduces_it_says() -> None:
    """s = √(K+1) is at least 1; that it is at least 2 is no definition."""
    K, s = SYMBOLS["K"].sympy(), sympy.Symbol("s", real=True)
    short = hypothesis("xs = 1", sympy.Eq(x * s, 1))
    for least, ok in ((1, True), (2, False)):
        root = definition("s = √(K+1)", (s >= least) & sympy.Eq(s**2, K + 1))
        found = prove(
            Proof((short,), (obligation("x ≤ 1", (short, root), x <= 1),)), SETTINGS, "alpha-normec"
        )
        assert found.ok is ok
        assert ok or "'s = √(K+1)' is used as a definition" in found.detail


def test_a_definition_does_not_narrow_a_letter_of_the_paper_that_only_the_conclusion_has() -> None:
    f_gap, K = SYMBOLS["f_gap"].sympy(), SYMBOLS["K"].sympy()
    positive = definition("f(x⁰) > f^inf", f_gap > 0)
    proof = Proof(
        (),
        (
            obligation(
                "(f(x⁰) − f^inf)/(K+1) > 0", (positive, definition("K ≥ 0", K >= 0)), f_gap / (K + 1) > 0
            ),
        ),
    )
    assert prove(proof, SETTINGS).ok  # f_gap may be a letter of the proof's own
    found = prove(proof, SETTINGS, "alpha-normec")
    assert not found.ok
    assert "'f(x⁰) > f^inf' is used as a definition" in found.detail


def test_a_letter_means_one_thing_in_a_proof() -> None:
    """total is x in the first step and 2 in the second: each may be, and no step is given both."""
    first = obligation("total ≤ x", (definition("total = x", sympy.Eq(total, x)),), total <= x)
    last = obligation("x ≥ 2", (first.conclusion, definition("total = 2", sympy.Eq(total, 2))), x >= 2)
    refused(
        "'total = x', 'total = 2' cannot be satisfied together",
        (first, last),
        hypothesis("x is large", x >= 1),
    )


def test_a_definition_may_not_tie_letters_of_the_statement() -> None:
    K, n = SYMBOLS["K"].sympy(), SYMBOLS["n"].sympy()
    rounds, clients = hypothesis("K ≥ 0", K >= 0), hypothesis("n ≥ 1", n >= 1)
    tie = definition("as many clients as rounds", sympy.Eq(n, K + 1))
    found = prove(Proof((rounds, clients), (obligation("K < n", (tie,), n > K),)), SETTINGS, "alpha-normec")
    assert "'as many clients as rounds' is used as a definition" in found.detail


def test_a_definition_may_introduce_a_letter() -> None:
    root = definition("total = √y", (total >= 0) & sympy.Eq(total**2, y))
    assert prove(Proof((AT_LEAST_0,), (obligation("2√y ≤ y + 1", (root,), 2 * total <= y + 1),)), SETTINGS).ok


def test_a_limit_that_its_values_do_not_go_to_is_unknown(monkeypatch) -> None:
    """Even where sympy says so."""
    monkeypatch.setattr(sympy, "limit", lambda *_: sympy.Integer(0))
    wrong = Limit("x/(1 + x) → 0", x / (1 + x), x, sympy.oo, sympy.Integer(0), "-")
    assert wrong.discharge(SETTINGS).status == "unknown"


D, GAIN = sympy.symbols("D_0 gain", real=True)
BOUNDED = (
    definition("‖x − y‖ ≤ y", D <= y),
    definition("‖x − y‖ ≤ y, and a norm", (D >= 0) & (D <= y)),
    definition("either way", ((D <= y) & sympy.Eq(GAIN, 0)) | ((D <= y) & sympy.Eq(GAIN, 1))),
    definition("if y is large", sympy.Implies(y >= 0, D <= y)),
)


@pytest.mark.parametrize("smuggled", BOUNDED, ids=lambda fact: fact.name)
def test_a_bound_on_a_letter_is_no_definition_of_it(smuggled: Fact) -> None:
    """Some D is below y for every y ≥ 0, so that it can be satisfied: what is printed as ‖x⁺ − x‖ ≤ η is a hypothesis."""
    refused(
        "bounds a letter by more than a sign",
        (obligation("D ≤ y", (AT_LEAST_0, smuggled), D <= y),),
        AT_LEAST_0,
    )
    stated = hypothesis("‖x − y‖ ≤ y", D <= y)
    found = prove(
        Proof((AT_LEAST_0, stated), (obligation("D ≤ y + 1", (AT_LEAST_0, stated), D <= y + 1),)), Settings()
    )
    assert (found.ok, found.needed) == (True, (stated.name,))


@pytest.mark.parametrize(
    "smuggled",
    [Eq(Max(D - y, 0), 0), Eq(Abs(D - y), y - D), Eq(GAIN, Max(D - y, 0)) & Eq(GAIN, 0), Eq(Max(D, y), y)],
    ids=str,
)
def test_a_bound_is_none_as_an_equation_either(smuggled: sympy.Basic) -> None:
    given = (AT_LEAST_0, definition("D is near", smuggled))
    refused(
        "'D is near' is used as a definition and introduces no letter",
        (obligation("D ≤ y", given, D <= y),),
        AT_LEAST_0,
    )


def test_what_follows_from_the_equation_or_leaves_no_value_out_may_be_said_of_a_letter() -> None:
    for honest, goal in (
        (definition("D = y/2 ≤ y", sympy.Eq(2 * D, y) & (D <= y)), D <= y),
        (definition("D = max(y, 1)", ((y >= 1) & sympy.Eq(D, y)) | ((y <= 1) & sympy.Eq(D, 1))), D >= y),
        (definition("D = 0 where y = 0", sympy.Implies(sympy.Eq(y, 0), sympy.Eq(D, 0))), D * y >= D * y),
    ):
        given = (AT_LEAST_0, honest)
        assert prove(Proof((AT_LEAST_0,), (obligation("goal", given, goal),)), SETTINGS).ok, honest.name


def test_a_minor_of_a_gram_matrix_is_what_vectors_have_and_its_neighbours_are_not() -> None:
    u, v = vectors("u v")
    schwarz = obligation(
        "⟨u, v⟩² ≤ ‖u‖²‖v‖²", Space((u, v)).facts(), inner(u, v) ** 2 <= square(u) * square(v)
    )
    assert prove(Proof((), (schwarz,)), SETTINGS).ok
    half = definition("half of it", square(u) * square(v) - 4 * inner(u, v) ** 2 >= 0)
    refused("'half of it' is used as a definition", (obligation("x", (half,), half.relation),))


def test_an_index_that_an_induction_counts_ends_somewhere_and_another_letter_does_not() -> None:
    fact = derived("total = k", sympy.Eq(total, k))
    sums = Induction(
        fact.name, fact, obligation("0", (), sympy.true), obligation("k + 1", (fact,), sympy.Eq(total + 1, k + 1)),
        ((total, 0), (k, 0)), ((total, total + 1), (k, k + 1)),
    )  # fmt: skip
    last = definition("k ≤ y", k <= y)
    end = obligation("total ≤ y", (AT_LEAST_0, fact, last), total <= y)
    assert prove(Proof((AT_LEAST_0,), (sums, end)), SETTINGS).ok
    refused(
        "'k ≤ y' is used as a definition",
        (obligation("k < y + 1", (AT_LEAST_0, last), k < y + 1),),
        AT_LEAST_0,
    )


def steps(nodes: Iterable[Node]) -> Iterator[Obligation]:
    """The obligations of a proof; of an induction its step alone, since its base may be true as it stands."""
    for node in nodes:
        if isinstance(node, Induction):
            yield node.step
        elif isinstance(node, Obligation):
            yield node
        else:
            yield from steps(getattr(node, "nodes", ()))  # of a case


def idle(goal: sympy.Basic) -> bool:
    """Whether a part of the goal is answered already: true or false, or x = x."""
    if isinstance(goal, sympy.And | sympy.Or):
        return any(idle(part) for part in goal.args)
    return goal in (sympy.true, sympy.false) or (isinstance(goal, sympy.Eq) and goal.lhs == goal.rhs)


def every_step() -> dict[str, Obligation]:
    """The obligations of all proofs, by claim and name."""
    proofs = ((claim.id, proof) for claim in claims().values() for proof in claim.proofs)
    found = {f"{name}: {task.name}": task for name, proof in proofs for task in steps(proof.nodes)}
    assert len(found) > 1000
    return found


def test_every_step_leaves_something_to_the_solver() -> None:
    """What sympy answers by itself, as it cancels L in L · (Φ + 1)/L > Φ, is shown by no solver and needs no hypothesis."""
    assert idle(sympy.true)
    assert idle((x > 0) & equal(y, y))
    assert not idle((x > 0) & equal(y, x))
    assert not [name for name, task in every_step().items() if idle(task.goal.relation)]


def sides(relation: sympy.Basic) -> set[tuple[str, sympy.Basic]]:
    """The parts of a conjunction, each as a sign and an expression compared with 0."""
    if isinstance(relation, sympy.And):
        return set().union(*map(sides, relation.args))
    if isinstance(relation, sympy.Ge | sympy.Gt):
        return sides(relation.reversed)
    if isinstance(relation, sympy.Le | sympy.Lt | sympy.Eq):
        return {(type(relation).__name__, sympy.expand(relation.lhs - relation.rhs))}
    return {("", relation)}


def test_no_step_is_a_textbook_fact_that_it_is_given() -> None:
    """Its proof would be that it is assumed."""
    assert sides(x >= y) == sides(y <= x) != sides(y < x)
    said = {
        name: fact.name
        for name, task in every_step().items()
        for fact in task.given
        if fact.origin == "standard" and sides(task.goal.relation) <= sides(fact.relation)
    }
    assert not said
