"""What every bound promises, whichever paper it comes from: one formula for every kind of number, errors that give a cure."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest
import sympy
import z3

from bounds.alpha_normec.comparison import GRADIENT_DESCENT
from bounds.alpha_normec.corollary1 import EQUATION12
from bounds.alpha_normec.corollary2 import PRINTED, UTILITY
from bounds.alpha_normec.forgets import THEOREM1_FORGETS
from bounds.alpha_normec.ours import THEOREM1_ROOT, THEOREM1_SHARP
from bounds.alpha_normec.theorem1 import THEOREM1
from bounds.alpha_normec.theorem2 import THEOREM2_MAIN
from bounds.catalogue import by_name
from bounds.catalogue import every as every_bound
from bounds.dp_normfedavg.theorem4 import THEOREM4A
from bounds.dp_normfedavg.theorem6 import THEOREM6
from bounds.fed_alpha_normec.theorem1 import APPENDIX, MAIN
from bounds.scalars import maximum
from bounds.statement import Bound, ConditionError
from verify.catalogue import claims

BOUNDS = list(every_bound().values())
every = pytest.mark.parametrize("bound", BOUNDS, ids=lambda b: b.name)
INSIDE = {"f_gap": 1.0, "gamma": 0.05, "K": 99, "R": 0.5, "L": 1.0, "alpha": 1.0, "beta": 0.5, "L_max": 2.0}
FEDERATED = {
    "f_gap": 1.0, "K": 99, "eta": 1e-4, "R": 0.1, "beta": 0.1, "M": 10, "p": 0.5, "sigma": 0.1, "gamma": 0.1, "T": 2,
    "L": 1.0, "Delta": 0.5, "alpha": 0.1,
}  # fmt: skip
LOCAL = {"G": 1.0, "L": 1.0, "distance": 1.0, "gamma": 1.0, "rho": 0.3, "E": 30, "alpha": 1.0, "Delta": 0.0}


def rationals_for(bound: Bound) -> dict[str, int | Fraction]:
    """A value inside its domain for each parameter, no two alike; η short, for roots of what a long step makes negative."""
    domains = {name: bound.symbols[name].domain for name in bound.parameters if name != "eta"}
    short: dict[str, int | Fraction] = {"eta": Fraction(1, 7)} if "eta" in bound.parameters else {}
    return short | {
        name: 2 + i
        if domain.startswith("integer")
        else Fraction(30 + i, 100 if domain.startswith("(") else 40)
        for i, (name, domain) in enumerate(domains.items())
    }


def number(term: z3.ExprRef, values: dict[str, float]) -> float:
    """A z3 term read operator by operator."""
    kind, parts = term.decl().kind(), term.children()
    if z3.is_rational_value(term):
        return float(term.as_fraction())
    if kind == z3.Z3_OP_UNINTERPRETED:
        return values[term.decl().name()] if not parts else math.log(number(parts[0], values))
    if kind == z3.Z3_OP_ITE:
        return number(parts[1] if number(parts[0], values) else parts[2], values)
    return _OPERATORS[kind](*(number(part, values) for part in parts))


_OPERATORS = {
    z3.Z3_OP_ADD: lambda *parts: sum(parts),
    z3.Z3_OP_MUL: lambda *parts: math.prod(parts),
    z3.Z3_OP_SUB: lambda a, b: a - b,
    z3.Z3_OP_UMINUS: lambda a: -a,
    z3.Z3_OP_DIV: lambda a, b: a / b,
    z3.Z3_OP_POWER: lambda a, b: a**b,
    z3.Z3_OP_EQ: lambda a, b: a == b,
    z3.Z3_OP_GE: lambda a, b: a >= b,
}


def test_no_two_bounds_have_one_name() -> None:
    names = [bound.name for bound in BOUNDS]
    assert len(set(names)) == len(names) > 40


@every
def test_every_letter_of_a_bound_is_in_its_table(bound: Bound) -> None:
    assert set(bound.parameters) <= set(bound.symbols)
    assert len({symbol.text for symbol in bound.symbols.values()}) == len(bound.symbols)


@every
def test_one_formula_for_floats_fractions_arrays_symbols_and_smt_reals(bound: Bound) -> None:
    exact = rationals_for(bound)
    numbers = {name: float(value) for name, value in exact.items()}
    letters = {name: bound.symbols[name].sympy() for name in exact}
    reals = {name: z3.Real(name) for name in exact}
    expected = bound.value(**numbers)
    assert float(bound.value(**exact)) == pytest.approx(expected, rel=1e-12)
    assert bound.value(**{k: np.array([v, v]) for k, v in numbers.items()}) == pytest.approx(
        expected, rel=1e-12
    )
    substituted = bound.value(**letters).subs({letters[k]: v for k, v in numbers.items()})
    assert float(substituted) == pytest.approx(expected, rel=1e-12)
    assert number(bound.value(**reals), numbers) == pytest.approx(expected, rel=1e-12)
    assert all(isinstance(r, sympy.core.relational.Relational) for r in bound.relations(letters))
    assert all(isinstance(r, z3.BoolRef) for r in bound.relations(reals))


@every
@pytest.mark.parametrize("place", [0, -1], ids=["first", "last"])
def test_one_array_among_numbers(bound: Bound, place: int) -> None:
    numbers = {name: float(value) for name, value in rationals_for(bound).items()}
    name = list(numbers)[place]
    expected = [bound.value(**{**numbers, name: value}) for value in (numbers[name], 2 * numbers[name])]
    found = bound.value(**{**numbers, name: numbers[name] * np.array([1.0, 2.0])})
    np.testing.assert_allclose(np.broadcast_to(found, (2,)), expected, rtol=1e-12)


def test_z3_integers_are_divided_as_reals() -> None:
    K = z3.Int("K")
    bound = MAIN.value(**{**FEDERATED, "K": K})
    solver = z3.Solver()
    solver.add(K == 99, bound < 1)
    assert MAIN(**FEDERATED) > 1
    assert solver.check() == z3.unsat


def test_an_indicator_of_an_smt_integer_is_decided_by_the_solver() -> None:
    T, solver = z3.Int("T"), z3.Solver()
    solver.add(APPENDIX.value(**{**FEDERATED, "T": T}) == APPENDIX.value(**{**FEDERATED, "T": 1}), T > 1)
    assert solver.check() == z3.unsat


@pytest.mark.parametrize("symbol", [sympy.Symbol("R"), z3.Real("R")], ids=["sympy", "z3"])
def test_a_symbol_in_a_call_is_told_where_to_go(symbol) -> None:
    with pytest.raises(TypeError, match=re.escape("NEC-T1: R = R is a symbol") + r".*\.value.*\.relations"):
        THEOREM1(**{**INSIDE, "R": symbol})


@pytest.mark.parametrize("value", ["9", object()], ids=["text", "object"])
def test_what_is_no_number_is_named(value) -> None:
    with pytest.raises(TypeError, match=r"NEC-T1: K = .* is no number"):
        THEOREM1(**{**INSIDE, "K": value})


@pytest.mark.unchecked
@pytest.mark.parametrize("bound", [b for b in BOUNDS if b.conditions], ids=lambda b: b.name)
def test_the_nearest_allowed_value_is_allowed_and_nearest(bound: Bound) -> None:
    rng = np.random.default_rng(0)
    failed = 0
    for _ in range(20):
        values = {name: _draw(rng, bound.symbols[name].domain) for name in bound.parameters}
        for name in {c.variable for c in bound.conditions if not c.holds(values)}:
            failed += 1
            _check_nearest(bound, name, values)
    assert failed


def _draw(rng: np.random.Generator, domain: str) -> float | int:
    if domain.startswith("integer"):
        return int(rng.integers(1, 51))
    if domain == "real":
        return float(rng.normal())
    return float(rng.uniform(0.01, 0.99) if domain.startswith("(") else 10 ** rng.uniform(-3, 1))


def _check_nearest(bound: Bound, name: str, values: dict[str, float | int]) -> None:
    own = [c for c in bound.conditions if c.variable == name]
    symbol, had, nearest = bound.symbols[name], values[name], bound.nearest(name, values)

    def allowed(value: float) -> bool:
        return symbol.allows(value) and all(c.holds({**values, name: value}) for c in own)

    assert nearest is None or allowed(nearest)
    others = range(1, 60) if symbol.domain.startswith("integer") else had * np.geomspace(1e-6, 1e6, 49)
    assert not any(allowed(v) for v in others if nearest is None or abs(v - had) < abs(nearest - had))


@pytest.mark.parametrize(
    ("bound", "values", "nearest"),
    [
        (THEOREM4A, LOCAL, "1"),  # 1/(2ρ) = 1.67
        (
            UTILITY,
            {"f_gap": 1.0, "L": 1.0, "L_max": 1.0, "alpha": 0.1, "R": 0.1, "K": 1, "noise": 1e-3},
            "158",
        ),
        (MAIN, FEDERATED | {"eta": 1.0}, "0.0025000000000000005"),  # of two limits on η the smaller
    ],
    ids=["local steps", "rounds", "two limits"],
)
def test_the_error_gives_a_value_that_is_allowed(bound: Bound, values: dict, nearest: str) -> None:
    with pytest.raises(ConditionError, match=f"the nearest allowed value is {re.escape(nearest)}$"):
        bound(**values)


@pytest.mark.parametrize(
    ("bound", "values", "letter"),
    [
        (THEOREM1, INSIDE | {"R": 0.0}, "γ"),  # γ ≤ 0
        (THEOREM4A, LOCAL | {"rho": 0.7}, "E"),  # E ≤ 0.71
        (EQUATION12, {"f_gap": 1.0, "L": 1.0, "L_max": 1.0, "alpha": 1.0, "beta": 2.0, "D": 1.0, "K": 9, "gamma": 0.1}, "β"),
    ],
    ids=["no step", "no local step", "contradiction"],
)  # fmt: skip
def test_the_error_says_where_no_value_is_allowed(bound: Bound, values: dict, letter: str) -> None:
    with pytest.raises(ConditionError, match=f"no value of {letter} is allowed"):
        bound(**values)


UTILITY_INSIDE = {"f_gap": 1.0, "L": 1.0, "L_max": 1.0, "alpha": 0.1, "R": 0.1, "K": 999, "noise": 1e-3}
PRINTED_INSIDE = {
    "f_gap": 1.0, "L_max": 1.0, "alpha": 0.9, "R": 0.1, "n": 10, "epsilon": 8.0, "d": 100, "delta": 1e-5, "beta_0": 0.1,
}  # fmt: skip


@pytest.mark.parametrize(
    ("bound", "values", "name", "text"),
    [
        (UTILITY, UTILITY_INSIDE, "R", "R"),
        (UTILITY, UTILITY_INSIDE, "f_gap", "f(x⁰) − f^inf"),
        (PRINTED, PRINTED_INSIDE, "R", "R"),
    ],
    ids=["R", "f_gap", "printed R"],
)
@pytest.mark.parametrize("zero", [0.0, 0, np.array([0.1, 0.0])], ids=["float", "int", "array"])
def test_corollary_2_divides_by_no_zero(bound: Bound, values: dict, name: str, text: str, zero) -> None:
    """Δ divides by R, and β₀ = Δ/√(2s) is no step where Δ = 0."""
    assert math.isfinite(bound(**values))
    with pytest.raises(
        ValueError, match=re.escape(f"{bound.name}: {text} = 0") + r".* is outside its domain > 0"
    ):
        bound(**{**values, name: zero})


def test_a_limit_that_floats_would_leave_on_the_way_is_found() -> None:
    """K > Δ/√(2s)/(α + R) − 1 with Δ = √(L_max(α + R)(f(x⁰) − f^inf)/R), whose square is no float."""
    least = math.floor(math.sqrt(0.1 / 2e-3) / 0.1 / math.sqrt(2) * 2**537.5)
    with pytest.raises(ConditionError, match=r"K = 999 is not > 3\.1.*e\+163; .* is a number of 164 digits"):
        UTILITY(**{**UTILITY_INSIDE, "R": 5e-324})
    assert UTILITY.nearest("K", {**UTILITY_INSIDE, "R": 5e-324}) == pytest.approx(least, rel=1e-12)


@pytest.mark.parametrize(
    ("bound", "change"),
    [(THEOREM1, {"gamma": 1e-300, "f_gap": 1e12}), (THEOREM1, {"f_gap": 1e308, "gamma": 1e-3})],
    ids=["a step", "a gap"],
)
def test_a_bound_beyond_all_floats_is_named(bound: Bound, change: dict) -> None:
    with pytest.raises(
        ValueError, match=r"f_gap = .*, gamma = .*: too far apart for floats; take other units"
    ):
        bound(**{**INSIDE, **change})


def test_no_value_is_nearest_where_floats_end() -> None:
    """K > 2γ/(ĈE)/ρ = 2e400."""
    given = {"C_hat": 1e-200, "L": 1.0, "distance": 1.0, "gamma": 1.0, "rho": 1e-200, "K": 2, "Delta_kept": 0.0,
             "Delta_max": 0.0, "E": 1}  # fmt: skip
    assert THEOREM6.nearest("K", given) is None
    with pytest.raises(ValueError, match="too far apart for floats"):
        THEOREM6(**given)


def exactly(bound: Bound, given: dict[str, float | int]) -> float:
    """The bound in decimal digits without end."""
    letters = {name: bound.symbols[name].sympy() for name in bound.parameters}
    numbers = {letters[name]: sympy.Rational(Fraction(value)) for name, value in given.items()}
    return float(bound.value(**letters).subs(numbers).evalf(30, maxn=10_000))


FORGETFUL = {"f_gap": 1.0, "K": 9, "R": 1.0, "L": 1.0, "alpha": 0.3, "beta": 0.21192717163417313}


@pytest.mark.parametrize(
    ("bound", "given"),
    [
        (THEOREM1_FORGETS, FORGETFUL | {"gamma": 4.706472614391035e-16, "L_max": 450288759752178.2}),
        (THEOREM1_SHARP, {"f_gap": 0.0, "gamma": 1e-40, "K": 9, "R": 1e-20, "L": 1.0, "alpha": 1.0, "beta": 1.0, "L_max": 1.0}),
        (THEOREM1_ROOT, {**INSIDE, "f_gap": 0.0, "gamma": 1e-210, "R": 1e-200}),
        (THEOREM2_MAIN, {**INSIDE, "sigma": 1e150, "f_gap": 0.0, "beta": 1e-200, "gamma": 1e-270, "R": 1e-60}),
        (GRADIENT_DESCENT, {"f_gap": 1e-200, "L": 1e-200, "K": 9}),
        (PRINTED, PRINTED_INSIDE | {"delta": 1 - 3 * 2.0**-53, "beta_0": 1e-3}),
    ],
    ids=["next to a limit", "a difference", "squares", "a product of squares", "a product", "a logarithm near 0"],
)  # fmt: skip
def test_numbers_lose_nothing_on_the_way(bound: Bound, given: dict) -> None:
    """In floats each of these is off by more than 1e-9, or divides by 0."""
    assert bound(**given) == pytest.approx(exactly(bound, given), rel=1e-14, abs=0)


@pytest.mark.parametrize("bound", [b for b in BOUNDS if b.conditions], ids=lambda b: b.name)
def test_a_condition_is_decided_at_rationals_as_in_floats_away_from_its_limit(bound: Bound) -> None:
    given = {name: Fraction(value) for name, value in rationals_for(bound).items()}
    for condition in bound.conditions:
        for value in (given[condition.variable], Fraction(1, 10**9), Fraction(10**9)):
            at = given | {condition.variable: value}
            assert condition.decided(at) is bool(condition.holds(at))


@pytest.mark.parametrize("above", [False, True])
def test_a_condition_is_decided_next_to_an_irrational_limit(above: bool) -> None:
    """η ≤ Δ^inf/(4√2) at L = γ = K + 1 = 1: two rationals 10⁻⁴⁰ apart, one float."""
    root = math.isqrt(2 * 10**80)
    given = FEDERATED | {"eta": Fraction(root + above, 8 * 10**40), "gamma": 1, "K": 0, "L": 1, "Delta": 1}
    (rounds,) = (c for c in MAIN.conditions if "K" in str(c.printed))
    assert rounds.decided({name: Fraction(value) for name, value in given.items()}) is not above


def test_a_condition_too_close_to_tell_is_no_answer() -> None:
    """Neither a yes nor a no: 130 digits of the same limit."""
    given = FEDERATED | {
        "eta": Fraction(math.isqrt(2 * 10**260), 8 * 10**130),
        "gamma": 1,
        "K": 0,
        "L": 1,
        "Delta": 1,
    }
    (rounds,) = (c for c in MAIN.conditions if "K" in str(c.printed))
    with pytest.raises(ArithmeticError, match="is not decided at eta = "):
        rounds.decided({name: Fraction(value) for name, value in given.items()})


def test_the_bad_place_is_found_in_arrays_that_are_broadcast() -> None:
    with pytest.raises(ConditionError, match=r"γ = 0\.9 is not <= 0\.0833"):
        THEOREM1(**{**INSIDE, "f_gap": np.array([1.0, 2.0]), "gamma": 0.9})
    with pytest.raises(ConditionError, match=r"γ = 0\.1 is not <= 0\.0833"):
        THEOREM1(**{**INSIDE, "L_max": np.array([[0.1], [2.0]]), "gamma": np.array([0.01, 0.1])})


def test_a_maximum_with_integers_is_not_cut() -> None:
    np.testing.assert_array_equal(maximum(np.array([1, 2, 3]), 2.5), [2.5, 2.5, 3.0])


def test_a_bound_is_found_by_the_id_of_its_claim_and_says_in_one_line_what_it_is() -> None:
    assert by_name("NEC-T1") is THEOREM1
    assert repr(THEOREM1).startswith("<Bound NEC-T1: ")
    assert "of f_gap, " in repr(THEOREM1)
    with pytest.raises(ValueError, match="no bound has the name 'NEC-T11'; near: NEC-T1"):
        by_name("NEC-T11")


def test_names_are_ids_of_claims_but_for_what_no_claim_states() -> None:
    plain = {name for name in every_bound() if "(" not in name}
    assert plain - set(claims()) == {"gradient descent"}
