"""Vectors of any dimension as Gram variables.

A statement about finitely many vectors that only speaks of inner products and norms is a statement about their Gram matrix,
and a symmetric matrix is a Gram matrix in some dimension exactly when it is positive semidefinite. So inner products become
real letters, and semidefiniteness becomes the non-negativity of every principal minor: polynomial inequalities. A proof in
these letters holds in every dimension.

    a, g = vectors("a g")
    space = Space((a, g))
    norm(a - g)            # a letter ≥ 0 whose square is ⟨a − g, a − g⟩
    space.facts()          # the definitions to give to an obligation
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import sympy

from verify.facts import Fact, definition


@dataclass(frozen=True)
class Vector:
    """A linear combination of named vectors."""

    terms: tuple[tuple[str, sympy.Expr], ...]

    def __add__(self, other: Vector) -> Vector:
        total: dict[str, sympy.Expr] = dict(self.terms)
        for name, coefficient in other.terms:
            total[name] = total.get(name, sympy.Integer(0)) + coefficient
        return Vector(tuple(total.items()))

    def __sub__(self, other: Vector) -> Vector:
        return self + (-1) * other

    def __neg__(self) -> Vector:
        return (-1) * self

    def __rmul__(self, scalar: object) -> Vector:
        factor = sympy.sympify(scalar)
        return Vector(tuple((name, factor * coefficient) for name, coefficient in self.terms))


def vectors(names: str) -> tuple[Vector, ...]:
    """Free vectors, by names separated by spaces. Raises `ValueError` for a name with a comma, which divides two names in `entry`."""
    if "," in names:
        raise ValueError(f"{names!r}: names of vectors are separated by spaces and have no comma")
    return tuple(Vector(((name, sympy.Integer(1)),)) for name in names.split())


def entry(one: str, other: str) -> sympy.Symbol:
    """The letter for an inner product of two named vectors."""
    first, second = sorted((one, other))
    return sympy.Symbol(f"<{first},{second}>", real=True)


def squared(letters: Iterable[Any]) -> list[str]:
    """Names of the vectors whose squares ⟨u, u⟩ are among the letters, sorted."""
    halves = {letter.name[1 : len(letter.name) // 2] for letter in letters}
    return sorted(name for name in halves if name and entry(name, name) in letters)


def mixed(letters: Iterable[Any]) -> set[Any]:
    """Those of the letters that are an inner product of two different vectors."""
    products = {letter: letter.name[1:-1].split(",") for letter in letters if letter.name.startswith("<")}
    return {letter for letter, names in products.items() if len(set(names)) > 1}


def between(letters: Iterable[Any]) -> set[Any]:
    """Those of them that are an inner product of two vectors whose squares are among them too: what vectors are to one another."""
    known = frozenset(letters)
    return {entry(one, other) for one, other in combinations(squared(known), 2)} & known


def minor(names: Sequence[str]) -> sympy.Expr:
    """The principal minor of the Gram matrix that belongs to these vectors."""
    return _minor(tuple(names))


@cache
def _minor(names: tuple[str, ...]) -> sympy.Expr:
    return sympy.expand(sympy.Matrix([[entry(u, v) for v in names] for u in names]).det())


@cache
def _semidefinite(names: tuple[str, ...]) -> Fact:
    return definition(f"Gram minor {'·'.join(names)} ≥ 0", _minor(names) >= 0)


def inner(x: Any, y: Any) -> sympy.Expr:
    """⟨x, y⟩ as a polynomial in the letters."""
    return sympy.expand(sum(a * b * entry(u, v) for u, a in x.terms for v, b in y.terms))


def square(x: Any) -> sympy.Expr:
    """‖x‖²."""
    return inner(x, x)


@dataclass
class Space:
    """The vectors of one obligation, and the norms that it speaks of."""

    vectors: Sequence[Vector]
    _norms: dict[str, tuple[sympy.Symbol, sympy.Expr]] = field(default_factory=dict)

    def norm(self, x: Vector, name: str) -> sympy.Symbol:
        """A letter for ‖x‖; its definition joins `facts`. Raises `ValueError` where it is another vector's norm already."""
        if self._norms.get(name, (None, square(x)))[1] != square(x):
            raise ValueError(f"{name} is the norm of another vector already")
        letter = sympy.Symbol(name, real=True)
        self._norms[name] = (letter, square(x))
        return letter

    def facts(self) -> tuple[Fact, ...]:
        """Semidefiniteness of the Gram matrix, and what each norm means."""
        names = [vector.terms[0][0] for vector in self.vectors]
        minors = []
        for size in range(1, len(names) + 1):
            minors += map(_semidefinite, combinations(names, size))
        norms = [
            definition(f"{name} is a norm", (letter >= 0) & sympy.Eq(letter**2, value))
            for name, (letter, value) in self._norms.items()
        ]
        return (*minors, *norms)
