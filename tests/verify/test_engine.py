"""The engine itself: what it must never call a proof, and that its parts agree with independent computations."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from verify import smt
from verify.claim import Claim, Gap, Repair, SearchResult, Witness
from verify.computation import Comparison, Computation
from verify.facts import definition, derived, hypothesis
from verify.fractions_check import NotRational, evaluate, exact_root, holds
from verify.gram import Space, inner, vectors
from verify.identity import Identity, Limit, check_identity, check_limit
from verify.induction import Induction
from verify.obligation import Obligation, Settings, discharge, obligation
from verify.polynomial import clear
from verify.proof import Proof
from verify.prove import prove
from verify.results import entry
from verify.sampling import Sampling, sample
from verify.smt import solve, without
from verify.units import SameUnit, UnitError, unit_of
from verify.verdict import establish

x, y, k = sympy.symbols("x y k", real=True)
SETTINGS = Settings()
BELOW = Sampling(
    "E x >= 9",
    "runs of which each gives 1",
    ">=",
    9.0,
    tuple(sample(dict.fromkeys(seeds, 1.0), "upper", 0.01) for seeds in ((0, 1, 2), (3, 4, 5, 6))),
)


def claim(**evidence) -> Claim:
    return Claim("NEC-TEST", "alpha-normec", "nowhere", "step", "printed", "reason", **evidence)


def test_contradictory_hypotheses_are_vacuous_and_not_a_proof() -> None:
    found = discharge(
        obligation("anything", [hypothesis("x > 1", x > 1), hypothesis("x < 0", x < 0)], x > 7), SETTINGS
    )
    assert found.status == "vacuous"
    verdict = establish(claim(proof=Proof((hypothesis("x > 1", x > 1), hypothesis("x < 0", x < 0)), (
        obligation("anything", [hypothesis("x > 1", x > 1), hypothesis("x < 0", x < 0)], x > 7),))))  # fmt: skip
    assert verdict.verdict == "unknown"
    assert verdict.failures


def test_a_goal_that_may_divide_by_zero_is_not_proved() -> None:
    found = discharge(obligation("1/x² > 0", [], 1 / x**2 > 0), SETTINGS)
    assert found.status == "unknown"
    assert "defined" in found.detail
    assert discharge(obligation("1/x² > 0", [hypothesis("x ≠ 0", sympy.Ne(x, 0))], 1 / x**2 > 0), SETTINGS).ok


def test_a_goal_with_the_root_of_a_negative_number_is_not_proved() -> None:
    assert not discharge(obligation("√x ≥ 0", [], sympy.sqrt(x) >= 0), SETTINGS).ok
    assert discharge(obligation("√x ≥ 0", [hypothesis("x ≥ 0", x >= 0)], sympy.sqrt(x) >= 0), SETTINGS).ok


def test_a_step_that_fails_is_told_by_its_name_and_what_became_of_it() -> None:
    steps = (obligation("x² ≥ 0", [], x**2 >= 0), obligation("x² > 0", [], x**2 > 0))
    found = prove(Proof((), steps), SETTINGS)
    assert found.status == "refuted"
    assert found.detail.startswith("x² > 0: refuted")


@pytest.mark.parametrize("term", [sympy.sqrt(x), 1 / x, sympy.Abs(x), sympy.sin(x), sympy.pi])
def test_what_is_no_polynomial_does_not_reach_a_solver(term: sympy.Expr) -> None:
    with pytest.raises(TypeError, match="not polynomial"):
        solve([sympy.Gt(term + y, 0, evaluate=False)])


def test_a_step_that_uses_what_nobody_has_shown_is_a_gap() -> None:
    invented = derived("x is large", x > 100)
    proof = Proof((hypothesis("x > 0", x > 0),), (obligation("x > 50", [invented], x > 50),))
    assert proof.gaps() == ["x > 50 uses 'x is large', which is neither assumed nor shown before"]
    assert prove(proof, SETTINGS).status == "unknown"


def test_a_proof_without_a_step_shows_nothing() -> None:
    assert not prove(Proof((hypothesis("x > 0", x > 0),), ()), SETTINGS).ok


def test_a_hypothesis_that_a_definition_presupposes_is_needed() -> None:
    """s > 0 with s² = x is no letter where x ≤ 0, so that x > 0 is used though the other facts would give it back."""
    positive, root = hypothesis("x > 0", x > 0), definition("s = √x > 0", sympy.Eq(y**2, x) & (y > 0))
    found = discharge(obligation("x > −1", (positive, root), x > -1), Settings())
    assert (found.status, found.needed, found.unneeded) == ("proved", ("x > 0",), ())
    of_its_own = (
        positive,
        hypothesis("x > k", x > k),
        definition("k ≥ 0", k >= 0),
    )  # k is a letter of the statement
    assert discharge(obligation("x > 0 again", of_its_own, x > 0), Settings()).unneeded == ("x > 0",)
    stated = hypothesis("x ≥ 1", x >= 1)
    found = discharge(obligation("x ≥ 0", (positive, stated), x >= 0), Settings())
    assert found.unneeded == ("x > 0",)


def test_needed_and_unneeded_hypotheses_are_told_apart() -> None:
    facts = [hypothesis("x > 1", x > 1), hypothesis("y > 5", y > 5)]
    found = discharge(obligation("x² > 1", facts, x**2 > 1), SETTINGS)
    assert (found.needed, found.unneeded) == (("x > 1",), ("y > 5",))


def test_an_induction_whose_step_concludes_something_else_is_refused() -> None:
    invariant = derived("x ≥ k", x >= k)
    base = Obligation("base", (), derived("base", sympy.Le(0, 0)))
    wrong = Obligation("step", (invariant,), derived("step", x >= k - 1))
    right = Obligation("step", (invariant,), derived("step", x + 1 >= k + 1))
    start, after = ((x, 0), (k, 0)), ((x, x + 1), (k, k + 1))
    assert not Induction("i", invariant, base, wrong, start, after).discharge(SETTINGS).ok
    assert Induction("i", invariant, base, right, start, after).discharge(SETTINGS).ok


def test_an_induction_whose_step_uses_what_holds_at_the_start_alone_is_refused() -> None:
    """y stands for x⁰; a step that is given y ≥ 0 says nothing about the later x."""
    invariant = derived("x ≥ 0", x >= 0)
    at_start = hypothesis("y ≥ 0", y >= 0)
    base = Obligation("base", (at_start,), derived("base", y >= 0))
    moved = definition("the next x is x + y", sympy.Eq(k, x + y))
    step = Obligation("step", (invariant, moved, at_start), derived("step", k >= 0))
    found = Induction("i", invariant, base, step, ((x, y),), ((x, k),)).discharge(SETTINGS)
    assert found.status == "unknown"
    assert "about the start alone" in found.detail


@pytest.mark.parametrize(
    ("goal", "silent"),
    [
        *[
            (goal, which)
            for goal in (1 / (x - 1) > 0, sympy.sqrt(x - 1) >= 0)
            for which in ("sat", "unsat", "both")
        ],
        (x > 3, "sat"),
        (x > 3, "both"),
    ],
    ids=str,
)
def test_what_a_solver_does_not_answer_is_neither_proved_nor_refuted(goal, silent, monkeypatch) -> None:
    """Of the three questions each is one that the verdict cannot do without."""
    import verify.obligation as module

    def hard(formulas, seconds):
        answer = solve(formulas, seconds)
        return replace(answer, result="unknown", model=None) if silent in (answer.result, "both") else answer

    task = obligation(f"{goal} where the solver hides {silent}", [hypothesis("x > 1", x > 1)], goal)
    monkeypatch.setattr(module, "solve", hard)
    monkeypatch.setattr(module, "check", lambda formulas, seconds: hard(formulas, seconds).result)
    assert discharge(task, SETTINGS).status == "unknown"


def test_a_question_that_runs_out_of_work_is_unknown() -> None:
    letters = sympy.symbols("a:f", real=True)
    square = sum(letter**2 for letter in letters) ** 3
    far = [square <= sum(letter**5 for letter in letters) - sympy.prod(letters), sum(letters) >= 1]
    assert solve(far, seconds=1e-6).result == "unknown"


def test_both_solvers_answer_alike_on_a_proof_and_on_a_counterexample() -> None:
    true = obligation("x² + 1 > 0", [], x**2 + 1 > 0)
    false = obligation("x² > 0", [], x**2 > 0)
    checked = Settings(cross_check=True)
    assert (discharge(true, checked).second, discharge(true, checked).status) == ("unsat", "proved")
    assert (discharge(false, checked).second, discharge(false, checked).status) == ("sat", "refuted")


@pytest.mark.parametrize(("goal", "opposite"), [(x**2 + 1 >= 0, "sat"), (x**2 - 1 >= 0, "unsat")], ids=str)
def test_where_the_solvers_disagree_nothing_is_decided(goal, opposite, monkeypatch) -> None:
    monkeypatch.setattr("verify.second_solver.SecondSolver.ask", lambda self, formulas, seconds: opposite)
    found = discharge(obligation(f"disagreement on {goal}", [], goal), Settings(cross_check=True))
    assert found.status == "unknown"
    assert found.detail.startswith("the solvers disagree")


def test_a_second_solver_that_does_not_answer_takes_nothing_back(monkeypatch) -> None:
    monkeypatch.setattr("verify.second_solver.SecondSolver.ask", lambda self, formulas, seconds: "unknown")
    found = discharge(obligation("x² + 2 ≥ 0", [], x**2 + 2 >= 0), Settings(cross_check=True))
    assert (found.status, found.second) == ("proved", "unknown")


def test_verdicts_follow_from_the_evidence_and_from_nothing_else() -> None:
    good = Proof((), (obligation("x² ≥ 0", [], x**2 >= 0),))
    bad = Proof((), (obligation("x² > 0", [], x**2 > 0),))
    breaks = Witness({"x": Fraction(0)}, "x² > 0", lambda v: Comparison(v["x"] ** 2, ">", Fraction(0)))
    harmless = Witness({"x": Fraction(1)}, "x² > 0", lambda v: Comparison(v["x"] ** 2, ">", Fraction(0)))
    outside = Witness({"x": Fraction(0)}, "x² > 0",
                      lambda v: Comparison(v["x"] ** 2, ">", Fraction(0), (("x ≠ 0", v["x"] != 0),)))  # fmt: skip
    repair = Repair("x² ≥ 0", "≥", good)
    seen = SearchResult(holds=True, instances=10, slack=0.5, detail="")
    assert establish(claim(proof=good)).verdict == "proved"
    assert establish(claim(witness=breaks, repair=repair)).verdict == "refuted"
    assert establish(claim(conflict=good)).verdict == "inconsistent"
    assert establish(claim(repair=repair, gap=Gap("reading", "x = 0", breaks))).verdict == "proved-if"
    assert establish(claim(search=lambda: seen)).verdict == "supported"
    assert establish(claim(undecided="nobody knows")).verdict == "unknown"
    for weak in (
        claim(proof=bad),
        claim(witness=harmless),
        claim(witness=outside),
        claim(repair=Repair("", "", bad)),
        claim(conflict=bad),
        claim(witness=replace(breaks, universal=bad)),
    ):
        finding = establish(weak)
        assert finding.verdict == "unknown"
        assert finding.failures
    undecided = SearchResult(holds=None, instances=10, slack=None, detail="")
    unsampled = Sampling("E x >= 1", "no runs", ">=", 1.0)
    for silent in (claim(statistical=lambda: unsampled), claim(search=lambda: undecided)):
        assert establish(silent).verdict == "unknown"
    both = establish(claim(proof=good, witness=breaks))
    assert both.verdict == "unknown"
    assert any("both a proof and a witness" in failure for failure in both.failures)


@given(
    st.fractions(min_value=-4, max_value=4, max_denominator=9),
    st.fractions(min_value=0, max_value=4, max_denominator=9),
)
@settings(max_examples=60, deadline=None)
def test_clearing_keeps_the_truth_value_of_a_formula(p: Fraction, q: Fraction) -> None:
    """Pin the letters to rationals: the polynomial form must be satisfiable exactly where the formula is true."""
    formula = sympy.Abs(x) / (1 + y**2) + sympy.Max(x, y) <= sympy.sqrt(y) + sympy.Rational(1, 2)
    cleared = clear(formula)
    pins = [
        sympy.Eq(x, sympy.Rational(p.numerator, p.denominator)),
        sympy.Eq(y, sympy.Rational(q.numerator, q.denominator)),
    ]
    by_solver = solve([*pins, cleared.formula, *cleared.sides, *cleared.defined]).result == "sat"
    pinned = formula.subs(
        {x: sympy.Rational(p.numerator, p.denominator), y: sympy.Rational(q.numerator, q.denominator)}
    )
    assert by_solver == bool(pinned)


@given(st.lists(st.tuples(*[st.integers(-5, 5)] * 3), min_size=2, max_size=2))
def test_gram_letters_of_real_vectors_satisfy_their_definitions(pair: list[tuple[int, int, int]]) -> None:
    u, v = vectors("u v")
    space = Space((u, v))
    products = {f"<{i},{j}>": Fraction(sum(a * b for a, b in zip(p, q, strict=True)))
                for i, p in zip("uv", pair, strict=True) for j, q in zip("uv", pair, strict=True) if i <= j}  # fmt: skip
    for fact in space.facts():
        assert evaluate(fact.relation.lhs, products) >= 0
    assert evaluate(inner(u + v, u - v), products) == products["<u,u>"] - products["<v,v>"]


def test_gram_matrices_that_no_vectors_have_are_excluded() -> None:
    u, v = vectors("u v")
    facts = [fact.relation for fact in Space((u, v)).facts()]
    too_close = [sympy.Eq(inner(u, u), 1), sympy.Eq(inner(v, v), 1), inner(u, v) > 1]
    assert solve([*facts, *too_close]).result == "unsat"


def test_a_witness_with_a_float_is_refused() -> None:
    with pytest.raises(TypeError, match="a comparison is exact"):
        establish(claim(witness=Witness({}, "0.1 > 1", lambda _: Comparison(0.1, ">", Fraction(1)))))  # type: ignore[arg-type]


def test_exact_roots_and_what_has_none() -> None:
    assert exact_root(Fraction(9, 4), 2) == Fraction(3, 2)
    assert exact_root(Fraction(16, 81), 4) == Fraction(2, 3)
    for value, degree in ((Fraction(2), 2), (Fraction(-1), 2), (Fraction(4), 4)):
        with pytest.raises(NotRational):
            exact_root(value, degree)


def test_beside_an_irrational_number_the_root_of_zero_is_zero_and_that_of_less_is_none() -> None:
    roots = sympy.sqrt(x) + sympy.sqrt(2)
    near = Fraction(sympy.Rational(str(sympy.sqrt(2).n(40)))) + Fraction(1, 10**30)
    assert holds(roots < near, {"x": Fraction(0)})
    assert not holds(roots < near, {"x": Fraction(1, 10**50)})
    with pytest.raises(NotRational, match="may be negative"):
        holds(roots < near, {"x": Fraction(-1, 10**50)})


def test_false_identities_and_limits_are_refuted() -> None:
    assert check_identity(Identity("(x+1)² = x² + 1", (x + 1) ** 2, x**2 + 1)).status == "refuted"
    assert check_identity(Identity("(x+1)²", (x + 1) ** 2, x**2 + 2 * x + 1)).status == "proved"
    assert (
        check_limit(Limit("x/(1+x) → 2", x / (1 + x), x, sympy.oo, sympy.Integer(2), "-")).status == "refuted"
    )
    assert (
        check_limit(Limit("x/(1+x) → 1", x / (1 + x), x, sympy.oo, sympy.Integer(1), "-")).status == "proved"
    )


def test_units_of_sums_must_agree() -> None:
    from bounds.alpha_normec.symbols import SYMBOLS

    letters = {name: symbol.sympy() for name, symbol in SYMBOLS.items()}
    assert unit_of(letters["L"] * letters["gamma"], SYMBOLS) == (1, -1)
    assert unit_of(sympy.sqrt(letters["L"] * letters["f_gap"]), SYMBOLS) == (1, -1)
    with pytest.raises(UnitError):
        unit_of(letters["L"] + letters["gamma"], SYMBOLS)
    assert (
        SameUnit("γ and R", letters["gamma"], letters["R"], SYMBOLS).discharge(SETTINGS).status == "refuted"
    )


def test_computations_that_do_not_hold_are_refuted() -> None:
    task = Computation("1 < 0", "enumeration", lambda: Comparison(Fraction(1), "<", Fraction(0)))
    assert task.discharge(SETTINGS).status == "refuted"


def test_a_verdict_from_a_sample_says_so_unless_exact_numbers_refute_as_well() -> None:
    exact = Witness({"x": Fraction(0)}, "x² > 0", lambda v: Comparison(v["x"] ** 2, ">", Fraction(0)))
    sampled = establish(claim(statistical=lambda: BELOW))
    assert sampled.verdict == "refuted"
    assert sampled.reason == (
        "reason. By a statistical witness: 3 runs, and 4 further, independent ones that confirm them, intervals at 1e-6."
    )
    assert establish(claim(statistical=lambda: BELOW, witness=exact)).reason == "reason"


def test_a_slack_is_told_of_what_held_alone() -> None:
    held = establish(claim(search=lambda: SearchResult(holds=True, instances=10, slack=0.5, detail="d")))
    assert [item.detail for item in held.evidence] == ["10 instances; smallest slack 0.5; d"]


def test_what_a_repair_rests_on_is_evidence_for_proved_if_and_for_nothing_else() -> None:
    good = Proof((), (obligation("x² ≥ 0", [], x**2 >= 0),))
    breaks = Witness({"x": Fraction(0)}, "x² > 0", lambda v: Comparison(v["x"] ** 2, ">", Fraction(0)))
    repair = Repair("x² ≥ 0", "≥", good)
    gap = Gap("reading", "x = 0", breaks)
    names = [item["name"] for item in entry(establish(claim(repair=repair, gap=gap)))["evidence"]]
    assert names == ["not as printed, reading: x = 0", "x² ≥ 0"]
    refuted = entry(establish(claim(repair=repair, witness=breaks)))
    assert [item["name"] for item in refuted["evidence"]] == ["witness: x² > 0"]
    assert [item["name"] for item in refuted["corrected"]["evidence"]] == ["x² ≥ 0"]


def test_a_repair_says_where_a_letter_lies_and_assumes_nothing_else_that_it_does_not_need() -> None:
    domain, condition = hypothesis("x > 1", x > 1), hypothesis("x + y > 0", x + y > 0)
    given_ = (domain, condition)
    repair = Repair("x² ≥ 0", "≥", Proof(given_, (obligation("x² ≥ 0", given_, x**2 >= 0),)))
    breaks = Witness({"x": Fraction(0)}, "x² > 0", lambda v: Comparison(v["x"] ** 2, ">", Fraction(0)))
    failures = establish(claim(repair=repair, witness=breaks)).failures
    assert failures == ("the repair assumes 'x + y > 0' and does not need it",)


def test_ctrl_c_while_the_solver_is_at_work_is_no_verdict(monkeypatch) -> None:
    """z3 answers it with unknown, and a claim that is proved would be written down as undecided."""
    monkeypatch.setattr("z3.Solver.check", lambda problem: z3.unknown)
    monkeypatch.setattr("z3.Solver.reason_unknown", lambda problem: "interrupted from keyboard")
    new = sympy.Symbol("asked_of_here_alone", real=True)  # an answer that is known is not interrupted
    for ask in (lambda: solve([new > 0]), lambda: without([new > 0], [y > new], [y])):
        with pytest.raises(KeyboardInterrupt):
            ask()


@pytest.mark.parametrize("seconds", [1e-9, 1431.655766, 214748.36485, 1e300], ids=str)
def test_no_limit_is_too_large_for_the_solver(seconds: float) -> None:
    """z3 keeps its limits in 32 bits; one that ran over would be a short one."""
    assert solve([x**2 < 2, x > 1], seconds).result == ("sat" if seconds > 1 else "unknown")


def test_an_answer_takes_the_same_work_whatever_was_asked_before(monkeypatch) -> None:
    z = sympy.Symbol("z", real=True)
    question = (x**2 + y**2 <= 1, x * y * z >= 1, z <= sympy.Rational(19, 10), x >= 0)
    work: list[int] = []

    def counted(problem, check=smt._check):
        answer = check(problem)
        work.append(problem.statistics().get_key_value("rlimit count"))
        return answer

    monkeypatch.setattr(smt, "_check", counted)
    monkeypatch.setattr(smt, "_solve", smt._solve.__wrapped__)  # the same question is asked again
    solve(question)
    for other in ((x**3 >= y, z * y <= 1), (z**2 + k <= y, k * x >= 2, y <= 1)):
        solve(other)
    solve(question)
    assert work[0] == work[-1] > 0
