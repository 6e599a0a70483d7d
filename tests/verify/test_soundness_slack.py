"""False statements that an engine accepts which lets a definition bring a letter for no other end than to bound another one, or
numbers for no other end than to make vectors orthogonal."""

import pytest
import sympy
from sympy import Eq

from attacks import claim, refused
from bounds.alpha_normec.symbols import SYMBOLS
from verify.facts import Fact, definition, derived, hypothesis, standard
from verify.gram import Space, inner, square, vectors
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.verdict import establish

x, y, t, s, v, k, left = sympy.symbols("x y t s v k left", real=True)
K, T = SYMBOLS["K"].sympy(), sympy.Symbol("T", real=True)
ROUNDS = hypothesis("K ≥ 0", K >= 0)
GIVEN = (hypothesis("x ≥ 0", x >= 0), hypothesis("y ≥ 0", y >= 0))
GROWS = standard("t ≥ x²", t >= x**2)
SQUARED = definition("y = t + s²", Eq(y, t + s**2))


def bounded(*said: Fact) -> Obligation:
    return obligation("x² ≤ y", (GROWS, *GIVEN, *said), x**2 <= y)


@pytest.mark.parametrize(
    "said",
    [
        (SQUARED,),
        (definition("y = t + s", Eq(y, t + s)), definition("s ≥ 0", s >= 0)),
        (definition("y = t + s", Eq(y, t + s)), definition("s = v²", Eq(s, v**2))),
        (definition("y = t + s ≥ t", Eq(y, t + s) & (s >= 0)), definition("it is", (s <= 5) | (s >= 0))),
    ],
    ids=["a square", "a sign", "a chain", "what is always so"],
)
def test_what_is_left_over_bounds_what_a_textbook_result_speaks_of(said: tuple[Fact, ...]) -> None:
    refused("of which nothing else speaks", GIVEN, bounded(*said))


def test_a_step_beside_it_makes_no_difference() -> None:
    least = obligation("s² ≥ 0", (SQUARED,), s**2 >= 0)
    refused("by way of s, of which nothing else speaks", GIVEN, least, bounded(SQUARED))


def test_what_is_left_over_may_be_named() -> None:
    """Where nothing else tells how large t is, and where it is there whatever t and y are."""
    step = obligation("t ≤ y", (SQUARED, *GIVEN), t <= y)
    assert establish(claim(GIVEN, step)).verdict == "proved"
    rest = definition("s = t − x²", Eq(s, t - x**2))
    assert establish(claim(GIVEN, obligation("s ≥ 0", (GROWS, rest, *GIVEN), s >= 0))).verdict == "proved"


def test_an_induction_is_not_told_that_steps_are_left() -> None:
    """T − 1 − k ≥ 0 steps are left after the step from k for no T and all k."""
    steps = definition("left = T − 1 − k ≥ 0", Eq(left, T - 1 - k) & (left >= 0))
    line = obligation("k + 1 ≤ T", (steps,), k + 1 <= T)
    within = derived("0 ≤ k ≤ T", (k >= 0) & (k <= T))
    start = obligation("0 ≤ T", (definition("T ≥ 0", T >= 0),), T >= 0)

    def run(invariant: Fact, *given: Fact) -> Induction:
        base = Obligation("0", (start.conclusion,), derived("0", invariant.at({k: 0}).relation))
        step = Obligation("k + 1", (invariant, *given), derived("k + 1", invariant.at({k: k + 1}).relation))
        return Induction(invariant.name, invariant, base, step, ((k, 0),), ((k, k + 1),))

    use = obligation("K ≤ T", (within.at({k: K}), ROUNDS), K <= T)
    refused("bounds other letters by way of left", (ROUNDS,), line, start, run(within, line.conclusion), use)
    counted = derived("k ≥ 0, and k + 1 ≥ 1 where k ≤ T", (k >= 0) & sympy.Implies(k <= T, k + 1 >= 1))
    use = obligation("K ≤ T ⇒ K ≥ 0", (counted.at({k: K}), ROUNDS), sympy.Implies(K <= T, K >= 0))
    assert establish(claim((ROUNDS,), start, run(counted), use)).verdict == "proved"


a, b, c = sympy.symbols("a b c", real=True)
U, V = vectors("u v")
SPACE = Space((U, V))
NORMS = SPACE.norm(U, "‖u‖"), SPACE.norm(V, "‖v‖"), SPACE.norm(U + V, "‖u + v‖")


@pytest.mark.parametrize(
    "said",
    [
        (Eq(a, inner(U, V)), Eq(a, 0)),
        (Eq(a * inner(U, V), 0) & (a > 0),),
        (Eq(c, square(U + V)), Eq(c, a + b), Eq(a, square(U)), Eq(b, square(V))),
        (Eq(NORMS[2] ** 2, NORMS[0] ** 2 + NORMS[1] ** 2),),
    ],
    ids=["by a number", "by a factor", "by three squares", "by three norms"],
)
def test_that_vectors_are_orthogonal_is_no_definition_by_way_of_numbers_either(said: tuple) -> None:
    given = (*SPACE.facts(), *(definition(str(part), part) for part in said))
    step = obligation("⟨u, v⟩ ≥ 0", given, inner(U, V) >= 0)
    refused("<u,v> = 0 is said by definitions alone", (), step)


@pytest.mark.parametrize("said", [Eq(inner(U, V), a**2), Eq(inner(U, V), a) & (a >= 0)])
def test_that_an_angle_is_acute_is_none(said: sympy.Basic) -> None:
    step = obligation("⟨u, v⟩ ≥ 0", (*SPACE.facts(), definition("acute", said)), inner(U, V) >= 0)
    refused("bounds other letters by way of a", (), step)


def test_an_inner_product_may_be_named() -> None:
    named = (*SPACE.facts(), definition("a = ⟨u, v⟩", Eq(a, inner(U, V))))
    step = obligation("⟨u, v⟩ ≤ ‖u‖‖v‖", named, a <= NORMS[0] * NORMS[1])
    assert establish(claim((), step)).verdict == "proved"
