"""Controls of the prover: false statements that look true must be refuted, true ones in roundabout wording proved.

Each false one is refuted by numbers that are checked again here in fractions, by evaluating the two sides as written.
"""

import pytest
import sympy
from sympy import Abs, Eq, Max, Min, Ne, Or, sqrt

from verify.facts import hypothesis
from verify.fractions_check import holds
from verify.gram import Space, inner, square, vectors
from verify.obligation import Settings, discharge, obligation

a, b, c, r, s, t, x, y, z, R, L, g = sympy.symbols("a b c r s t x y z R L g", real=True)
u, v, w = vectors("u v w")


def positive(*letters):
    return [letter > 0 for letter in letters]


def gram(*members, **norms):
    space = Space(members)
    letters = {name: space.norm(vector, name) for name, vector in norms.items()}
    return [fact.relation for fact in space.facts()], letters


PAIR, NORMS = gram(u, v, nu=u, nv=v, sum=u + v, diff=u - v)
PLAIN, _ = gram(u, v)
LENGTHS, OF = gram(u, v, nu=u, nv=v)
TRIPLE, _ = gram(u, v, w)

FALSE = {
    "mean of squares below square of mean": (positive(x, y), (x**2 + y**2) / 2 <= ((x + y) / 2) ** 2),
    "harmonic mean above geometric mean": (positive(x, y), 2 / (1 / x + 1 / y) >= sqrt(x * y) + 0 * x),
    "root of a sum is the sum of roots": ([x >= 0, y >= 0], sqrt(x + y) >= sqrt(x) + sqrt(y)),
    "squaring keeps order": ([x <= y], x**2 <= y**2),
    "inverting keeps order": ([x <= y, Ne(x, 0), Ne(y, 0)], 1 / y <= 1 / x),
    "maximum of products": ([], Max(x * z, y * z) <= Max(x, y) * z),
    "absolute value of a difference": ([], Abs(x - y) <= Abs(Abs(x) - Abs(y))),
    "strict triangle inequality": (PAIR, NORMS["sum"] < NORMS["nu"] + NORMS["nv"]),
    "reverse triangle inequality without modulus": (PAIR, NORMS["diff"] <= NORMS["nu"] - NORMS["nv"]),
    "orthogonal sums are longer than both together": (
        [*LENGTHS, Eq(inner(u, v), 0)],
        square(u + v) >= (OF["nu"] + OF["nv"]) ** 2,
    ),
    "Cauchy and Schwarz turned round": (PAIR, inner(u, v) >= NORMS["nu"] * NORMS["nv"]),
    "parallelogram law with the wrong factor": (
        PLAIN,
        square(u + v) + square(u - v) <= square(u) + square(v),
    ),
    "transitivity of acute angles": (
        [*TRIPLE, inner(u, v) > 0, inner(v, w) > 0],
        inner(u, w) > 0,
    ),
    "clipping is a contraction by a fixed factor": (
        [*positive(r), c >= 0, c < 1],
        Max(0, r - 1) <= c * r,
    ),
    "smoothed normalisation contracts for every step": (positive(a, b, r), Abs(1 - b / (a + r)) * r <= r),
    "the rest after normalisation grows with the residual": (
        [*positive(a, b), r >= 0, r <= R, b < a + R],
        Abs(1 - b / (a + r)) * r <= Abs(1 - b / (a + R)) * R,
    ),
    "a normalised step always descends": (
        [*LENGTHS, *positive(L, g), OF["nv"] > 0, g * L <= OF["nu"]],
        -g * inner(u, v) + L * g**2 * OF["nv"] / 2 <= 0,
    ),
    "the error counts once in normalised descent": (
        [*PAIR, NORMS["nv"] > 0],
        -inner(u, v) <= NORMS["nv"] * (-NORMS["nu"] + NORMS["diff"]),
    ),
    "a/γ + bγ is at least a + b": (positive(a, b, g), a / g + b * g >= a + b),
    "variance of a sum is the sum of variances": (PLAIN, square(u + v) <= square(u) + square(v)),
    "bounded in mean means bounded": ([x >= 0, y >= 0, (x + y) / 2 <= R], Max(x, y) <= R),
    "smaller denominators for negative numerators": ([a < b, a > 0], x / a >= x / b),
    "minimum of a sum": ([], Min(x + y, z) <= Min(x, z) + Min(y, z)),
    "fourth root grows faster than the square root": ([x >= 0], x ** sympy.Rational(1, 4) >= sqrt(x)),
}
TRUE = {
    "square of a difference, spelled out": ([], x**2 - 2 * x * y + y**2 >= 0),
    "half the sum is at least twice the product over the sum": (
        positive(x, y),
        2 * x * y / (x + y) <= (x + y) / 2,
    ),
    "two square roots under one roof": ([x >= 0, y >= 0], sqrt(x + y) <= sqrt(x) + sqrt(y)),
    "larger of two numbers without saying larger": ([], Eq(Max(x, y), (x + y + Abs(x - y)) / 2)),
    "smaller of two numbers likewise": ([], Eq(Min(x, y), (x + y - Abs(x - y)) / 2)),
    "no number is less than minus its modulus": ([], x + Abs(x) >= 0),
    "going via a third point is no shorter": (PAIR, NORMS["diff"] <= NORMS["nu"] + NORMS["nv"]),
    "norms differ by no more than the vectors": (PAIR, Abs(NORMS["nu"] - NORMS["nv"]) <= NORMS["diff"]),
    "Pythagoras": ([*PAIR, Eq(inner(u, v), 0)], Eq(NORMS["sum"] ** 2, NORMS["nu"] ** 2 + NORMS["nv"] ** 2)),
    "parallelogram law": (PAIR, Eq(square(u + v) + square(u - v), 2 * square(u) + 2 * square(v))),
    "polarisation": (PAIR, Eq(4 * inner(u, v), square(u + v) - square(u - v))),
    "an inner product is at most half the squares": (PAIR, 2 * inner(u, v) <= square(u) + square(v)),
    "Young with a weight": ([*PAIR, c > 0], 2 * inner(u, v) <= c * square(u) + square(v) / c),
    "three squares and a factor three": (
        TRIPLE,
        square(u + v + w) <= 3 * (square(u) + square(v) + square(w)),
    ),
    "normalised vectors are no longer than one": ([a > 0, r >= 0], 1 - r / (a + r) > 0),
    "what normalisation leaves, for gentle steps": (
        [*positive(a, b), b <= a, r >= 0, r <= R],
        Abs(1 - b / (a + r)) * r <= (1 - b / (a + R)) * R,
    ),
    "an overshoot never exceeds the radius": (
        [*positive(a, b), r >= 0, r <= R, b < a + R],
        Abs(1 - b / (a + r)) * r <= R,
    ),
    "the peak of an overshoot": (
        [a >= 0, s >= 0, t >= 0, Eq(s**2, a), Eq(t**2, b), b > a, r > 0],
        (b / (a + r) - 1) * r <= (t - s) ** 2,
    ),
    "the error counts twice in normalised descent": (
        [*PAIR, NORMS["nv"] > 0],
        -inner(u, v) <= NORMS["nv"] * (-NORMS["nu"] + 2 * NORMS["diff"]),
    ),
    "a quotient and its inverse, weighted": (positive(a, b, g), a / g + b * g >= 2 * sqrt(a * b)),
    "a gap below a parabola": ([L > 0, z >= 0, z >= x - x**2 / (2 * L) - 0 * y, Eq(x, L)], z >= L / 2),
    "either one is at least the mean": ([], Or(x >= (x + y) / 2, y >= (x + y) / 2)),
    "fourth root between": ([x >= 0, x <= 1], x ** sympy.Rational(1, 4) >= sqrt(x)),
}


def task(name, given, goal):
    return obligation(name, [hypothesis(f"given {i}", relation) for i, relation in enumerate(given)], goal)


@pytest.mark.parametrize("name", FALSE)
def test_false_statement_that_looks_true_is_refuted(name: str) -> None:
    given, goal = FALSE[name]
    found = discharge(task(name, given, goal), Settings(minimise=False))
    assert found.status == "refuted", f"{name}: {found.status} {found.detail}"
    assert found.model is not None
    assert all(holds(relation, found.model) for relation in map(sympy.sympify, given))
    assert not holds(sympy.sympify(goal), found.model)


@pytest.mark.parametrize("name", TRUE)
def test_true_statement_in_roundabout_wording_is_proved(name: str) -> None:
    given, goal = TRUE[name]
    found = discharge(task(name, given, goal), Settings(minimise=False))
    assert found.status == "proved", f"{name}: {found.status} {found.detail} {found.model}"


def test_there_are_at_least_twenty_of_each() -> None:
    assert min(len(FALSE), len(TRUE)) >= 20
