"""Corollaries 2, 4 and 6 against every constant in O(·): γ has no lower limit, and with a small γ x hardly moves.

A step of the server is η long, or 0, so that x moves by (K+1)η = γβ̂R/(2(α+R)) at most, whatever is drawn: γβ̂/4 at α = R. Where γ
falls with y = (B₂/M)^(1/4) so that α = R = C√((f(x⁰) − f^inf)/γ)y stays 2, that way stays (√3/8)C(f(x⁰) − f^inf), and so does what
the condition on γ asks of Δ^inf. Corollary 2's bound falls to 0, those of 4 and 6 fall to their terms in the Δ^inf, which are small
against ‖∇f(x⁰)‖ where L is.

With the square root that Corollaries 4 and 6 print in β̂ alone, √((f(x⁰) − f^inf)/γ) = (f(x⁰) − f^inf)/y² keeps the way at √3/4, and
αy at C(f(x⁰) − f^inf), which is small where L is, from x⁰ = kL^(−1/4).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy

from bounds.fed_alpha_normec.theorem1 import MAIN
from verify.claim import Values, Witness
from verify.computation import Comparison
from verify.facts import equal, hypothesis, letters
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.corollaries.utility import C, G, hat, y
from verify.fed_alpha_normec.letters import GAMMA, SMOOTH, Delta, F, L, R, alpha, gamma, values
from verify.identity import Limit
from verify.obligation import obligation
from verify.proof import Proof

_NAMED = {2: "square", 4: "fourth"}


def _stays(root: int, terms: int, power: int) -> Callable[[Values], Comparison]:
    """f_i = (L/2)(x ∓ c)² in pairs, so that f' = Lx, f(x⁰) − f^inf = Lx²/2 and Δ^inf = Lc²/2, which is every Δ_i^inf as well where all
    f_{i,j} = f_i. root: of B₂/M that y is; power: of y in β̂; terms: how many of √L√Δ^inf are in the bound. Both sides squared."""
    under = {1: "y", 2: "y²"}[power]

    def replay(v: Values) -> Comparison:
        L_, x, c, g, a, R_, b, y_, M_ = (
            v[k] for k in ("L", "x", "centre", "gamma", "alpha", "R", "beta_hat", "y", "M")
        )
        gap, Delta_, n = L_ * x**2 / 2, L_ * c**2 / 2, v["K"] + 1
        second, eta_ = 2 * v["c2"] * v["B_hat"] / M_, g / 2 * b * R_ / (a + R_) / n
        sizes = {"alpha": a, "R": R_, "gamma": g, "L": L_, "Delta": Delta_}
        bound = L_ * (max(a, 2) * y_ * x + terms * c)  # √2 times what stands under O(·), where 2c² = 1
        met = (
            (
                f"y is the {_NAMED[root]} root of B₂/M, B₂ = 2c²(B̂/M)log(1/δ)/ε², log(1/δ) = ε = d = 1",
                y_**root * M_ == second,
            ),
            ("2c² = 1", v["c2"] == Fraction(1, 2)),
            ("1 ≤ B̂ ≤ M, M even", 1 <= v["B_hat"] <= M_ and (M_ / 2).denominator == 1),
            (f"β̂ = √(3(f(x⁰)−f^inf)/γ)/{under}", b > 0 and (b * y_**power) ** 2 * g == 3 * gap),
            ("α = R = √3 √((f(x⁰)−f^inf)/γ) y", a == R_ and a**2 * g == 3 * gap * y_**2),
            ("γ < Δ^inf(α+R)/(√(2L)β̂R)", (g * b * R_) ** 2 * 2 * L_ < (Delta_ * (a + R_)) ** 2),
            ("K + 1 ≥ 1 is whole", n >= 1 and n.denominator == 1),
            *conditions.met(MAIN, {**sizes, "beta": b / n, "eta": eta_, "K": v["K"]}),
        )
        return Comparison((L_ * (x - n * eta_)) ** 2, "<=", (v["A"] * bound) ** 2 / 2, met)

    return replay


A, c, q = letters("A c q")
_PROBLEM = (
    SMOOTH,
    hypothesis("C, G > 0, CG ≤ 4, G = ‖∇f(x⁰)‖", (C > 0) & (G > 0) & (C * G <= 4)),
    hypothesis("f(x⁰) − f^inf = G²/(2L), as on (L/2)x²", equal(2 * L * F, G**2)),
)
_CHOICES = (
    hypothesis("y > 0", y > 0),
    hypothesis(
        "α = R = C√((f(x⁰)−f^inf)/γ) y", equal(alpha, C * sympy.sqrt(F / gamma) * y) & equal(R, alpha)
    ),
    hypothesis("α = 2", equal(alpha, 2)),
    hypothesis("β̂ = √(3(f(x⁰)−f^inf)/γ)/y", equal(hat, sympy.sqrt(3 * F / gamma) / y)),
)
_WAY = obligation(
    "(K+1)η = γβ̂R/(2(α+R)) = (√3/8)C(f(x⁰) − f^inf), whatever y is",
    (*_PROBLEM, GAMMA, *_CHOICES),
    equal(gamma * hat * R / (2 * (alpha + R)), sympy.sqrt(3) / 8 * C * F),
)
_LEFT = obligation(
    "on this way ‖∇f‖ falls by no more than G/2",
    (*_PROBLEM, _WAY.conclusion),
    L * gamma * hat * R / (2 * (alpha + R)) <= G / 2,
)
_SPREAD = hypothesis("Δ^inf = √(2L)C(f(x⁰) − f^inf)/2", equal(Delta, sympy.sqrt(2 * L) * C * F / 2))
_ALLOWED = obligation(
    "γ < Δ^inf(α+R)/(√(2L)β̂R) for this Δ^inf, whatever y is",
    (*_PROBLEM, GAMMA, *_CHOICES, _SPREAD, _WAY.conclusion),
    gamma * hat * R * sympy.sqrt(2 * L) < Delta * (alpha + R),
)
_ANY = hypothesis("A, (2c²)^{1/4} > 0", (A > 0) & (q > 0))
_SCALE = 2 * G / sympy.sqrt(2)  # max(α, 2)√L√(f(x⁰) − f^inf) at α = 2


def _universal(terms: int) -> Proof:
    """For every constant A in O(·) and every c and C."""
    spread = terms * sympy.sqrt(sympy.sqrt(2 * L) * C * G**2 / 4)  # terms · √L√Δ^inf
    falls = Limit(
        f"A times what stands in O(·) → {'A times its terms in Δ^inf' if terms else '0'} as y → 0",
        A * (_SCALE * y / q + spread),
        y,
        sympy.Integer(0),
        A * spread,
        given=(SMOOTH, _ANY, _PROBLEM[1]),
    )
    gentle = Limit(
        "A times the terms in Δ^inf → 0 as L → 0, G and C being kept",
        A * spread,
        L,
        sympy.Integer(0),
        sympy.Integer(0),
        given=(_ANY, _PROBLEM[1]),
    )
    return Proof(
        (*_PROBLEM, GAMMA, *_CHOICES, _SPREAD, _ANY),
        (_WAY, _LEFT, _ALLOWED, falls, *((gentle,) if terms else ())),
    )


_k = letters("k")[0]
_ROOTED = hypothesis("√((f(x⁰)−f^inf)/γ) = (f(x⁰)−f^inf)/y², f(x⁰) > f^inf", (F > 0) & equal(gamma * F, y**4))
_SQUARED = (
    _CHOICES[0],
    hypothesis("C > 0", C > 0),
    _CHOICES[1],
    hypothesis("β̂ = √(3(f(x⁰)−f^inf)/γ)/y²", equal(hat, sympy.sqrt(3 * F / gamma) / y**2)),
)
_SAME_WAY = obligation(
    "(K+1)η = γβ̂R/(2(α+R)) = √3/4 and αy = C(f(x⁰) − f^inf), whatever y is",
    (GAMMA, _ROOTED, *_SQUARED),
    equal(gamma * hat * R / (2 * (alpha + R)), sympy.sqrt(3) / 4) & equal(alpha * y, C * F),
)
_FAR = "x⁰ = kL^(−1/4), Δ^inf = √(2L), αy = C(f(x⁰) − f^inf), over ‖∇f(x⁰)‖: "


def _far(terms: int) -> Proof:
    """The bound over ‖∇f(x⁰)‖ for α ≥ 2, where f(x⁰) − f^inf = k²√L/2, and L(K+1)η/‖∇f(x⁰)‖ = (√3/4)L^{1/4}/k."""
    spread = terms * sympy.root(2, 4) / _k
    known = hypothesis("A, C, k, (2c²)^{1/4} > 0", (A > 0) & (C > 0) & (_k > 0) & (q > 0))
    falls = Limit(
        _FAR + "A times what stands in O(·), and what ‖∇f‖ falls by → A times the terms in Δ^inf as L → 0",
        A * (C * _k**2 * sympy.sqrt(L) / (2 * sympy.sqrt(2) * q) + spread)
        + sympy.sqrt(3) / 4 * sympy.root(L, 4) / _k,
        L,
        sympy.Integer(0),
        A * spread,
        given=(known,),
    )
    gentle = Limit(
        _FAR + "these → 0 as k → ∞", A * spread, _k, sympy.oo, sympy.Integer(0), "-", given=(known,)
    )
    return Proof((GAMMA, _ROOTED, *_SQUARED, known), (_SAME_WAY, falls, gentle))


_CHOSEN = {"A": 1000, "c2": "1/2"}
_SIZE = {**_CHOSEN, "y": "1/10000", "x": 1, "alpha": 2, "R": 2, "beta_hat": 2 * 10**8, "K": 10**8 - 1}
_FLAT = Fraction(5, 10**17)
_PAIRS = "clients in pairs, all sending, log(1/δ) = ε = d = 2c² = 1, α = R = 2, K + 1 = 10⁸"
_FIFTH = "x moves by less than a fifth of the way"


def _witness(root: int, terms: int, length: Fraction, centre: str, problem: str) -> Witness:
    M_ = 10 ** (4 * root)
    return Witness(
        values(**_SIZE, L=length, centre=centre, gamma=Fraction(3, 8) * length / 10**8, M=M_, B_hat=M_),
        "(min_k E‖∇f(xᵏ)‖)², bounded below, is at most the square of what stands under O(·), times A² for the constant A = 1000",
        _stays(root, terms, 1),
        f"{problem}; for every other A the same with a smaller γ"
        + (
            ", a smaller L and centres with Δ^inf = √(2L)C(f(x⁰)−f^inf)/2, for every C"
            if terms
            else ", and for C > 4 from an x⁰ ≤ 4/C"
        ),
        _universal(terms),
    )


_FEWER = f"f_i = (L/2)(x ∓ 0.00009)², L = 5·10⁻¹⁷, x⁰ = 1, M = 10¹⁶ {_PAIRS}: x moves by less than 10⁻¹⁷"
WITNESSES = {
    2: _witness(4, 0, Fraction(1), "2", f"f_i = ½(x ∓ 2)², x⁰ = 1, M = 10¹⁶ {_PAIRS}: {_FIFTH}"),
    4: _witness(4, 1, _FLAT, "9/100000", f"T = 2, {_FEWER}"),
    6: _witness(4, 2, _FLAT, "9/100000", f"N = 2, f_{{i,j}} = f_i, {_FEWER}"),
}
"""By the number of the corollary, with fourth roots."""
SQUARE_ROOT = _witness(2, 0, Fraction(1), "2", f"f_i = ½(x ∓ 2)², x⁰ = 1, M = 10⁸ {_PAIRS}: {_FIFTH}")
"""Corollary 2 with the square roots of Section 4; y is √(B₂/M), (2c²)^{1/4} is √(2c²)."""
_MANY = {"M": 10**24, "B_hat": 10**24}
_LETTER = values(
    **_CHOSEN, **_MANY, y="1/1000000", x=48 * 10**8, centre=12 * 10**5, L=Fraction(1, 10**24), gamma=Fraction(1, 3456 * 10**16),
    alpha="3456/100", R="3456/100", beta_hat=3456 * 10**16, K=10**18 - 1,
)  # fmt: skip
_ONE_ROOT = "f_i = (L/2)(x ∓ 1.2·10⁶)², L = 10⁻²⁴, x⁰ = 4.8·10⁹, M = 10²⁴ clients in pairs, all sending, log(1/δ) = ε = d = 2c² = 1"


def _by_the_letter(terms: int, problem: str) -> Witness:
    return Witness(
        _LETTER,
        WITNESSES[4].breaks,
        _stays(4, terms, 2),
        f"{problem}, {_ONE_ROOT}, α = R = 34.56, K + 1 = 10¹⁸: x moves by 1/4; for every other A and C the same with smaller "
        "L and y, an x⁰ that is farther away and centres with Δ^inf = √(2L)",
        _far(terms),
    )


LETTER = {4: _by_the_letter(1, "T = 2"), 6: _by_the_letter(2, "N = 2, f_{i,j} = f_i")}
"""Corollaries 4 and 6 with the square root that they print in β̂, by number."""
