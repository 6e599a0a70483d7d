"""A client whose f_i is constant with steep f_{i,j}: Lemma 9 names smoothness of f_i only, and a pass follows the f_{i,j}.

f_{i,j} = C_j s(x), j = 0, 1, where s' is the triangle wave of slope ±1 and period 4 and 0 ≤ s ≤ 1. So all functions are bounded
below, f_{i,j} is |C_j|-smooth, and f_i = (C_0 + C_1)s/2 is |C_0 + C_1|/2-smooth. Of Assumption 1, which Lemma 9 does not name, though
Section 3 makes it for the whole paper, only the constant L of the f_{i,j} is missing in `STEEP`; in `EVEN` nothing is.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.claim import Gap, Values, Witness
from verify.computation import Comparison
from verify.fed_alpha_normec.letters import values

STEEP = values(gamma="1/2", L=1, C_0=20, C_1=-20, x=1, y=0, eta=1)
PROBLEM = (
    "N = 2, f_{i,0} = 20s, f_{i,1} = −20s, s' the triangle wave of slope ±1 and period 4 with s'(0) = 0: f_i = 0 is smooth, the "
    "f_{i,j} are bounded below and 20-smooth, not L-smooth as in Assumption 1; γ = 1/2, L = 1, xᵏ = 1, xᵏ⁺¹ = 0, η = 1"
)
HOLDS = "Theorem 2 names Assumption 1, so that nothing rests on the wording."
WHOSE = (
    "The lemma's own hypothesis has f_i L-smooth, and a pass steps along the f_{i,j}, whose curvatures can cancel in f_i. Section 3 "
    "assumes Assumption 1, with every f_{i,j} L-smooth, once and for all; with it this holds."
)


def by_its_own_words(breaks: str, replay: Callable[[Values], Comparison]) -> Gap:
    """What Lemma 9's own hypothesis, smoothness of f_i, leaves open."""
    told = "Lemma 9 by its own words, without Section 3's standing Assumption 1 on the f_{i,j}"
    return Gap("reading", told, Witness(STEEP, breaks, replay, PROBLEM))


EVEN = values(gamma="1/200", L=100, C_0=100, C_1=100, x=2, y=3, eta=1)
EVEN_PROBLEM = (
    "N = 2, f_{i,0} = f_{i,1} = 100s, s' the triangle wave of slope ±1 and period 4 with s'(0) = 0; L = 100, γL = 1/2, xᵏ = 2, "
    "xᵏ⁺¹ = 3: the distances are 1 and 5/4"
)


def wave(x: Fraction) -> Fraction:
    """The triangle wave s'(x)."""
    t = (x + 1) % 4 - 1
    return t if t <= 1 else 2 - t


def path(numbers: Values, x: Fraction) -> list[Fraction]:
    """The pass x_0, x_1, x_2 from x."""
    points = [x]
    for name in ("C_0", "C_1"):
        points.append(points[-1] - numbers["gamma"] / 2 * numbers[name] * wave(points[-1]))
    return points


def rules(numbers: Values) -> tuple[tuple[str, bool], ...]:
    """What Lemma 9 asks."""
    return (
        ("γ ≤ 1/(2L)", 0 < numbers["gamma"] <= 1 / (2 * numbers["L"])),
        ("f_i is L-smooth", abs(numbers["C_0"] + numbers["C_1"]) / 2 <= numbers["L"]),
        ("‖xᵏ⁺¹ − xᵏ‖ ≤ η", abs(numbers["y"] - numbers["x"]) <= numbers["eta"]),
    )


def item2(numbers: Values) -> Comparison:
    """The mean distance of the two passes."""
    one, other = path(numbers, numbers["x"]), path(numbers, numbers["y"])
    left = (abs(one[0] - other[0]) + abs(one[1] - other[1])) / 2
    return Comparison(left, "<=", 2 * numbers["eta"], rules(numbers))


def item3(numbers: Values) -> Comparison:
    """The distance of their ends."""
    one, other = path(numbers, numbers["x"]), path(numbers, numbers["y"])
    return Comparison(abs(one[2] - other[2]), "<=", 2 * numbers["eta"], rules(numbers))


def item4(numbers: Values) -> Comparison:
    """How far a pass ends from one step along ∇f_i."""
    x, gamma = numbers["x"], numbers["gamma"]
    points = path(numbers, x)
    left = abs(points[2] - (x - gamma * (numbers["C_0"] + numbers["C_1"]) / 2 * wave(x)))
    return Comparison(left, "<=", gamma * numbers["L"] * abs(points[1] - points[0]) / 2, rules(numbers))


def item2_second(numbers: Values) -> Comparison:
    """The second display of item 2's proof, with its γ, where every f_{i,j} is L-smooth."""
    one, other = path(numbers, numbers["x"]), path(numbers, numbers["y"])
    mean = (abs(one[0] - other[0]) + abs(one[1] - other[1])) / 2
    smooth = ("f_{i,j} is L-smooth", max(abs(numbers["C_0"]), abs(numbers["C_1"])) <= numbers["L"])
    right = abs(one[0] - other[0]) + numbers["gamma"] * mean
    return Comparison(mean, "<=", right, (*rules(numbers), smooth))


def item2_first(numbers: Values) -> Comparison:
    """The first display of item 2's proof at j = 1: ‖x_1 − y_1‖ against ‖x − y‖ + (γL/2)‖x_0 − y_0‖."""
    one, other = path(numbers, numbers["x"]), path(numbers, numbers["y"])
    right = abs(one[0] - other[0]) * (1 + numbers["gamma"] * numbers["L"] / 2)
    return Comparison(abs(one[1] - other[1]), "<=", right, rules(numbers))


def item3_display(numbers: Values) -> Comparison:
    """The display of item 3's proof."""
    one, other = path(numbers, numbers["x"]), path(numbers, numbers["y"])
    apart = sum((abs(x - y) for x, y in zip(one[:2], other[:2], strict=True)), Fraction(0)) / 2
    right = abs(one[0] - other[0]) + numbers["gamma"] * numbers["L"] * apart
    return Comparison(abs(one[2] - other[2]), "<=", right, rules(numbers))


def item4_last(numbers: Values) -> Comparison:
    """The last inequality of the first display of item 4's proof; at j = 0 both sides have nothing."""
    points, gamma = path(numbers, numbers["x"]), numbers["gamma"]
    left = gamma / 2 * abs(numbers["C_1"]) * abs(wave(points[1]) - wave(points[0]))
    return Comparison(left, "<=", gamma * numbers["L"] * abs(points[1] - points[0]) / 2, rules(numbers))
