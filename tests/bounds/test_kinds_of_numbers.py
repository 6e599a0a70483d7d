"""Which kinds of numbers a bound, a recipe and the accountant take: what counts as it should gives the same answer whatever its
type, and what does not is refused by name.

Tests are `unchecked` where the type checker of the test run would refuse what a user can hand over.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import array_api_strict
import numpy as np
import pytest
import sympy
import torch

from bounds.alpha_normec import recipe as alpha_normec
from bounds.alpha_normec.corollary2 import UTILITY
from bounds.alpha_normec.theorem1 import THEOREM1
from bounds.dp_normfedavg import recipe as dp_normfedavg
from bounds.fed_alpha_normec import recipe as fed_alpha_normec
from bounds.privacy import (
    Setting,
    delta,
    epsilon,
    gaussian_delta,
    gaussian_mu,
    gaussian_noise,
    noise,
    participation_noise,
)
from bounds.scalars import maximum, minimum, power
from bounds.statement import ConditionError

INSIDE = {"f_gap": 1.0, "gamma": 0.1, "R": 0.2, "L": 1.0, "alpha": 0.5, "beta": 0.5, "L_max": 1.0}
NEC = {"f_gap": 1.0, "L": 1.0, "K": 99, "n": 10}
FED = {"f_gap": 1.0, "L": 1.0, "M": 10, "K": 99}
DAS = {"L": 1.0, "G": 1.0, "distance": 1.0, "n": 1000, "d": 100, "epsilon": 8.0, "delta": 1e-5}
ONE = Setting("messages", "replace-one", 10)


def whole_numbers():
    return [
        np.array([127], np.int8), np.int8(127), np.array(127, np.uint8), np.int64(127), torch.tensor([127], dtype=torch.int8),
        array_api_strict.asarray([127], dtype=array_api_strict.int8), Fraction(127), sympy.Integer(127), 127.0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "K", whole_numbers(), ids=lambda K: f"{type(K).__module__} {getattr(K, 'dtype', '')}"
)
def test_a_bound_counts_rounds_in_every_type_alike(K) -> None:
    """f_gap/(γ(K + 1)) + 2R + Lγ/2 by hand: 127 + 1 is −128 in int8."""
    expected = 1.0 / (0.1 * 128) + 2 * 0.2 + 0.1 / 2
    for found in (THEOREM1(**INSIDE, K=K), THEOREM1.value(**INSIDE, K=K)):
        assert float(np.ravel(found)[0]) == pytest.approx(expected)


@pytest.mark.parametrize("K", [np.uint8(255), np.array([2**31 - 1], np.int32)], ids=["uint8", "int32"])
def test_the_largest_number_of_a_type_is_no_special_one(K) -> None:
    """f_gap so large that its term is seen beside the others."""
    given = {**INSIDE, "f_gap": 1e9}
    assert float(np.ravel(THEOREM1(**given, K=K))[0]) == pytest.approx(
        THEOREM1(**given, K=int(np.ravel(K)[0]))
    )


def test_the_nearest_allowed_value_of_a_small_integer() -> None:
    given = {"f_gap": 1.0, "L": 1.0, "L_max": 1.0, "alpha": 0.1, "R": 0.1, "noise": 1e-3}
    with pytest.raises(ConditionError, match=r"the nearest allowed value is 158$"):
        UTILITY(**given, K=np.int8(1))
    assert UTILITY.nearest("K", {**given, "K": np.int8(1)}) == 158


@pytest.mark.parametrize(
    "value",
    [True, np.True_, np.array([True]), np.array([1.0 + 1.0j]), 1j, np.array([1.0], dtype=object), [1.0, 2.0], (1.0,),
     Decimal(1), "1", np.array(["1"]), None],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize(("letter", "text"), [("f_gap", "f(x⁰) − f^inf"), ("K", "K")])
def test_what_no_formula_means_is_refused_by_the_name_of_its_letter(letter, text, value) -> None:
    with pytest.raises(TypeError) as caught:
        THEOREM1(**{**INSIDE, "K": 9, letter: value})
    assert str(caught.value).startswith(f"NEC-T1: {text} = ")
    assert "is no number" in str(caught.value)


@pytest.mark.parametrize(
    "value", [10**400, 10**5000, Fraction(10**400, 3)], ids=["int", "longer int", "Fraction"]
)
def test_what_floats_do_not_hold_is_named(value) -> None:
    with pytest.raises(ValueError, match=r"NEC-T1: K = .* is too large for floats"):
        THEOREM1(**INSIDE, K=value)


def test_arrays_that_do_not_broadcast_are_named() -> None:
    with pytest.raises(ValueError, match=r"NEC-T1: arrays of these shapes .*γ has \(3,\), K has \(2,\)"):
        THEOREM1(**{**INSIDE, "gamma": np.full(3, 0.1), "K": np.array([9, 99])})


@pytest.mark.parametrize(
    ("x", "y", "low", "high"),
    [
        (np.array([1], np.uint8), 2, [1], [2]),
        (np.array([-128], np.int8), np.array([1], np.int8), [-128], [1]),
        (2, np.array([1, 3], np.uint16), [1, 2], [2, 3]),
        (array_api_strict.asarray([-128], dtype=array_api_strict.int8), -1, [-128], [-1]),
    ],
    ids=["uint8 and a number", "int8", "a number and uint16", "array_api_strict"],
)  # fmt: skip
def test_the_smaller_and_the_larger_of_integers(x, y, low, high) -> None:
    """Negated, −128 stays −128 in int8, and 1 becomes 255 in uint8."""
    assert np.asarray(minimum(x, y)).tolist() == low
    assert np.asarray(maximum(x, y)).tolist() == high


@pytest.mark.parametrize("choose", [minimum, maximum])
@pytest.mark.parametrize("other", [1.0, 1, Fraction(1, 2), np.array([1.0])], ids=repr)
def test_nan_is_neither_smaller_nor_larger(choose, other) -> None:
    assert np.isnan(choose(other, math.nan)).all()
    assert np.isnan(choose(math.nan, other)).all()


@pytest.mark.parametrize("base", [-8.0, -8, Fraction(-1, 3), np.float64(-8.0), -math.inf], ids=repr)
def test_a_root_of_a_negative_number_is_refused(base) -> None:
    with pytest.raises(ValueError, match=r"is no real number; give a base >= 0"):
        power(base, 1, 3)


def test_a_root_of_a_letter_is_left_to_who_substitutes() -> None:
    assert power(sympy.Symbol("x"), 1, 3) == sympy.Symbol("x") ** sympy.Rational(1, 3)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"epsilon": -1.0}, "ε = -1.0"), ({"epsilon": math.nan}, "ε = nan"), ({"epsilon": 0.0}, "ε = 0.0"),
        ({"delta": 1.0}, "δ = 1.0"), ({"delta": 2.0}, "δ = 2.0"), ({"delta": 0.0}, "δ = 0.0"), ({"delta": math.nan}, "δ = nan"),
        ({"K": 0}, "K = 0"), ({"K": 1.5}, "K = 1.5"), ({"K": math.inf}, "K = inf"), ({"K": True}, "K = True"),
        ({"sensitivity": -2}, "s = -2"), ({"sensitivity": 0.0}, "s = 0.0"), ({"epsilon": np.array([1.0, -1.0])}, "ε = -1.0"),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("formula", [gaussian_noise, participation_noise], ids=lambda f: f.__name__)
def test_noise_in_closed_form_is_refused_outside_its_domain(formula, change, named) -> None:
    given = {"epsilon": 1.0, "delta": 1e-5, "K": 10} | ({"p": 0.5} if formula is participation_noise else {})
    with pytest.raises((ValueError, TypeError)) as caught:
        formula(**(given | change))
    assert str(caught.value).startswith(f"{formula.__name__}: {named} is ")


@pytest.mark.parametrize("p", [0, -0.5, 1.5, math.nan])
def test_noise_in_closed_form_needs_a_probability(p) -> None:
    with pytest.raises(ValueError, match=rf"p = {p} is outside its domain \(0, 1\]"):
        participation_noise(1.0, 1e-5, 10, p)


def test_noise_in_closed_form_counts_in_every_type_alike() -> None:
    """2K is no int8 for K = 100."""
    assert participation_noise(1.0, 1e-5, np.int8(100), 0.5) == participation_noise(1.0, 1e-5, 100, 0.5)


@pytest.mark.parametrize("method", ["clipping", "normalisation"])
@pytest.mark.parametrize("Delta", [math.nan, -3.0, math.inf])
def test_a_recipe_refuses_a_heterogeneity_that_none_is_whatever_the_update(method, Delta) -> None:
    with pytest.raises(ValueError, match=rf"Δ̄\* = {Delta} is outside its domain >= 0"):
        dp_normfedavg.recipe(method, **DAS, Delta=Delta)


def das(**change):
    return dp_normfedavg.recipe("clipping", **(DAS | change))


def nec(**change):
    return alpha_normec.recipe(**(NEC | change))


def fed(**change):
    return fed_alpha_normec.recipe(**(FED | change))


@pytest.mark.unchecked
@pytest.mark.parametrize(
    ("recipe", "letters"),
    [
        (das, "L G distance n d epsilon delta E K Delta sensitivity slack"),
        (nec, "f_gap L K n L_max V least_R largest"),
        (fed, "f_gap L M K p V T Delta Delta_local share least_R"),
    ],
    ids=["dp_normfedavg", "alpha_normec", "fed_alpha_normec"],
)
@pytest.mark.parametrize("value", [True, np.True_, "1", np.array([1.0, 1.0])], ids=repr)
def test_a_recipe_takes_numbers_alone(recipe, letters, value) -> None:
    for letter in letters.split():
        with pytest.raises((ValueError, TypeError), match=r"is outside|is no|must be|is neither"):
            recipe(**{letter: value})


@pytest.mark.unchecked
@pytest.mark.parametrize(
    ("recipe", "plain", "numbers"),
    [
        (das, {"n": 1000, "d": 100, "epsilon": 8.0, "K": 100},
         {"n": np.int16(1000), "d": np.uint8(100), "epsilon": np.float32(8), "K": np.int8(100)}),
        (nec, {"K": 127, "L": 1.0, "n": 10}, {"K": np.int8(127), "L": np.float32(1), "n": np.uint8(10)}),
        (fed, {"K": 127, "L": 1.0, "M": 10}, {"K": np.int8(127), "L": np.array(1.0), "M": np.uint8(10)}),
    ],
    ids=["dp_normfedavg", "alpha_normec", "fed_alpha_normec"],
)  # fmt: skip
def test_a_recipe_counts_in_every_type_alike(recipe, plain, numbers) -> None:
    assert recipe(**numbers) == recipe(**plain)


@pytest.mark.unchecked
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"participation": True}, "participation = True"), ({"participation": np.True_}, "participation = True"),
        ({"rounds": np.True_}, "rounds = True"), ({"rounds": "10"}, "rounds = 10"), ({"clients": 2.5}, "clients = 2.5"),
        ({"rounds": 10**5000}, "rounds = a number of thousands of digits"),
    ],
    ids=["bool", "numpy bool", "rounds", "text", "fraction", "long"],
)  # fmt: skip
def test_a_setting_takes_numbers_alone(change, named) -> None:
    with pytest.raises(ValueError, match=f"^{named} is outside its domain"):
        Setting(**({"trust": "messages", "neighbours": "replace-one", "rounds": 10} | change))


@pytest.mark.unchecked
def test_a_setting_from_numpy_is_that_of_plain_numbers() -> None:
    found = Setting("sum", "replace-one", np.int64(10), np.float32(0.5), np.uint8(20))
    assert found == Setting("sum", "replace-one", 10, 0.5, 20)
    assert [type(value) for value in (found.rounds, found.participation, found.clients)] == [int, float, int]


@pytest.mark.unchecked
@pytest.mark.parametrize("value", [True, np.True_, "1", np.array([1.0])], ids=repr)
def test_the_accountant_takes_numbers_alone(value) -> None:
    for call, letter in (
        (lambda: epsilon(ONE, value, 1e-5), "σ"),
        (lambda: epsilon(ONE, 1.0, value), "δ"),
        (lambda: delta(ONE, 1.0, value), "ε"),
        (lambda: noise(ONE, value, 1e-5), "ε"),
        (lambda: gaussian_mu(value, 1e-5), "ε"),
        (lambda: gaussian_delta(1.0, value), "μ"),
    ):
        with pytest.raises(ValueError, match=f"^{letter} = .* is outside its domain"):
            call()


@pytest.mark.unchecked
@pytest.mark.parametrize(
    "kind", [np.float32, np.float16, np.array, Fraction, int, np.int8], ids=lambda k: k.__name__
)
def test_the_accountant_takes_numbers_of_every_kind(kind) -> None:
    assert epsilon(ONE, kind(4), 1e-5) == epsilon(ONE, 4.0, 1e-5)
    assert delta(ONE, 4.0, kind(2)) == delta(ONE, 4.0, 2.0)
    assert noise(ONE, kind(2), 1e-5) == noise(ONE, 2.0, 1e-5)


@pytest.mark.parametrize("tolerance", [math.nan, 0.0, -1.0, 1e-300, math.inf])
def test_a_tolerance_outside_its_domain_is_named(tolerance) -> None:
    with pytest.raises(ValueError, match=f"tolerance = {tolerance} is outside its domain"):
        noise(ONE, 1.0, 1e-5, tolerance)


@pytest.mark.parametrize(
    ("recipe", "change", "named"),
    [
        (nec, {"L": 1e-308}, "L = 1e-308"),
        (nec, {"largest": 1e308}, r"largest = 1e\+308"),
        (fed, {"p": 1e-300}, "p = 1e-300"),
        (fed, {"p": 1e-320}, "p = 1e-320"),
        (das, {"epsilon": 1e308}, r"ε = 1e\+308"),
        (das, {"distance": 1e200}, r"distance = 1e\+200"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)  # fmt: skip
def test_numbers_too_far_apart_for_floats_are_named(recipe, change, named) -> None:
    with pytest.raises((ValueError, ArithmeticError), match=f"{named}.*floats"):
        recipe(**change)
