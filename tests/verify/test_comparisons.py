"""Equations and inequalities that are made without asking sympy are those that it makes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sympy

from verify.catalogue import claims
from verify.comparisons import KINDS, asked, made

x, y = sympy.symbols("x y", real=True)
POSITIVE, ANY = sympy.Symbol("p", positive=True), sympy.Symbol("c")


def of_the_claims() -> Iterator[sympy.Basic]:
    facts = {fact for claim in claims().values() for proof in claim.proofs for fact in proof.facts()}
    yield from {part for fact in facts for part in fact.relation.atoms(*KINDS)}


def test_the_claims_have_the_relations_that_sympy_makes() -> None:
    """Of a tenth of them, by the order of what is written: asking of all takes seconds."""
    chosen = sorted(of_the_claims(), key=str)[::10]
    assert len(chosen) > 200
    assert all(asked(type(one), *one.args) == made(type(one), *one.args) for one in chosen)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("left", "right"),
    [(x, y), (x**2, -(y**2)), (x**2 + 1, x), (POSITIVE, -POSITIVE * x**2), (POSITIVE, x), (ANY, y), (x, 1), (2, 1),
     (x * y, y * x), (x + y, x + y + 1), (x, sympy.oo), (1 / x, y), (sympy.sqrt(x), y), (abs(x), -abs(y))],
    ids=str,
)  # fmt: skip
def test_what_has_a_sign_is_still_asked_for(kind, left, right) -> None:
    assert made(kind, left, right) == kind(left, right) == asked(kind, left, right)


def test_what_is_no_number_is_refused_as_before() -> None:
    with pytest.raises(TypeError, match="non-real"):
        assert sympy.I <= y
