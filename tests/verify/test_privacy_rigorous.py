"""Interval arithmetic for witnesses: it contains the truth, tightly, and shares no code with the accountant."""

import ast
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.privacy import Setting, delta
from bounds.privacy import gaussian_delta as accounted
from verify.privacy import mechanisms, rigorous
from verify.privacy.rigorous import above, below, gaussian_delta, number, tail


@pytest.mark.parametrize(
    "x", [-30, -4, -1, 0, Fraction(1, 1000), 1, Fraction(39, 10), 4, Fraction(41, 10), 9]
)
def test_tail_contains_the_normal_tail(x):
    with mpmath.workdps(80):
        exact = mpmath.erfc(mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator / mpmath.sqrt(2)) / 2
        found = tail(number(Fraction(x)))
        assert mpmath.mpf(found.a) <= exact <= mpmath.mpf(found.b)
        assert mpmath.mpf(found.b) - mpmath.mpf(found.a) <= mpmath.mpf(10) ** -20


@given(st.fractions(0, 100, max_denominator=1000), st.fractions(Fraction(1, 100), 400, max_denominator=1000))
@settings(max_examples=25, deadline=None)
def test_two_implementations_of_the_curve_agree(epsilon, square):
    found = gaussian_delta(number(epsilon), number(square))
    other = accounted(float(epsilon), float(square) ** 0.5)
    assert float(below(found)) <= other.upper * (1 + 1e-9) + 1e-15
    assert other.lower * (1 - 1e-9) - 1e-15 <= float(above(found))


def test_rounding_is_outwards_and_short():
    third = number(Fraction(1, 3))
    assert below(third) < Fraction(1, 3) < above(third)
    assert below(third).denominator <= 10**15


@given(st.integers(1, 20), st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20))
@settings(max_examples=8, deadline=None)
def test_parts_of_a_visible_mixture_are_lower_bounds(rounds, p):
    variance = number(4)
    part = mechanisms.least_visible(Fraction(1), rounds, p, variance, 2, range(1, rounds // 2 + 1))
    whole = mechanisms.least_visible(Fraction(1), rounds, p, variance, 2, range(1, rounds + 1))
    often = mechanisms.least_visible_often(Fraction(1), rounds, p, variance, 2)
    assert part <= whole
    assert often <= whole + Fraction(1, 10**14)


@pytest.mark.parametrize("p", [Fraction(1, 4), Fraction(1, 2), Fraction(1)])
def test_a_visible_mixture_lies_between_its_parts_and_its_parts_with_the_rest_lost(p):
    rounds, sigma = 20, 4
    likely = range(round(rounds * p) - 4, min(rounds, round(rounds * p) + 4) + 1)
    every, some = (
        mechanisms.most_visible(Fraction(1), rounds, p, number(sigma**2), 2, counts)
        for counts in (range(1, rounds + 1), likely)
    )
    least = mechanisms.least_visible(Fraction(1), rounds, p, number(sigma**2), 2, likely)
    found = delta(Setting("messages", "replace-one", rounds, float(p)), float(sigma), 1.0)
    never = (1 - p) ** rounds  # here the sum from 1 on counts it as lost, and the true curve does not
    assert found.lower - 1e-12 <= every <= found.upper + never + 1e-12
    assert least <= found.upper
    assert every - Fraction(1, 10**14) <= some


@pytest.mark.parametrize(
    ("epsilon", "rounds", "p", "sigma", "s"),
    [
        (Fraction(1), 20, Fraction(1, 4), 4, 2),
        (Fraction(8), 30, Fraction(1, 2), 2, 2),
        (Fraction(1, 2), 40, Fraction(1, 64), 2, 1),
        (Fraction(3), 12, Fraction(15, 16), Fraction(3, 2), 1),
    ],
)
def test_the_certified_lower_bounds_are_the_accountants_delta_from_below(epsilon, rounds, p, sigma, s):
    """By code that shares nothing with them. Every argument but the length of the messages, which is as much noise more, is exact
    in floats; the accountant encloses δ to some 1e-14 of it, and the intervals are rounded to 1e-15: 1e-9 of the smallest δ here.
    """
    neighbours = "add-remove" if s == 1 else "replace-one"
    variance = number(Fraction(sigma) ** 2)
    part = mechanisms.least_visible(epsilon, rounds, p, variance, s, range(1, rounds + 1))
    sampled = delta(Setting("messages", neighbours, rounds, float(p)), float(sigma), float(epsilon)).upper
    sure = mechanisms.least_certain(epsilon, rounds, variance, s)
    full = delta(Setting("messages", neighbours, rounds), float(sigma), float(epsilon)).upper
    shorter = float(sigma) / float(mechanisms.NEARLY)
    for found, setting, most in (
        (part, Setting("messages", neighbours, rounds, float(p)), sampled),
        (sure, Setting("messages", neighbours, rounds), full),
    ):
        exact = delta(setting, shorter, float(epsilon)).upper
        assert 1e-6 < exact < most
        assert exact * (1 - 1e-9) <= found <= exact * (1 + 1e-9)
    assert mechanisms.least_visible_often(epsilon, rounds, p, variance, s) <= sampled
    assert full * (1 - 1e-9) <= mechanisms.most_certain(epsilon, rounds, variance, s) <= full * (1 + 1e-9)


def test_witnesses_do_not_use_the_accountant():
    for module in (rigorous, mechanisms):
        tree = ast.parse(Path(module.__file__).read_text("utf-8"))
        imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        imported |= {
            name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
        }
        assert not any(
            name.split(".")[0] in ("bounds", "flint", "dp_accounting", "scipy") for name in imported
        )
