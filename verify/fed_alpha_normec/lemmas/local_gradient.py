"""Lemmas 6 and 7: the clients' gradients, and T local gradient steps.

With h = γL/T a local step stretches distances by at most 1 + h, and exactly by that where f is −L‖x‖²/2 along the path. So
the constants 2 of Lemma 7 are upper ends of (eᵘ − 1)/u and eᵘ at u = γL ≤ 1/2: 1.2975 for items 2, 1.6488 for item 4,
0.5949 for item 3 (in units of γ‖∇f‖), each approached as T → ∞ and not attained.
"""

from __future__ import annotations

from typing import Any

import sympy

from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.lemmas.bias import ALONG, PULLED, away, differences, pulled
from verify.fed_alpha_normec.letters import (
    BOUNDED_BELOW,
    CLIENTS,
    GAMMA,
    LOCAL_STEP,
    SMOOTH,
    SPREAD,
    Delta,
    F,
    L,
    M,
    Places,
    T,
    eta,
    gamma,
)
from verify.gram import Space, vectors
from verify.induction import Induction
from verify.obligation import obligation

j, D, D_0, D_next, S, S_T, h, slope, n, scale = letters("j D D_0 D_next S S_T h slope n scale")
size, gap, sizes, gaps, mean, total = letters("size gap sizes gaps mean total")

STEPS = definition("T ≥ 1, h = γL/T", (T >= 1) & equal(h * T, gamma * L) & (h >= 0))
NONNEGATIVE = definition("distances are ≥ 0", (D >= 0) & (S >= 0) & (D_next >= 0))
FULL = standard("a part of a sum of distances is at most the whole", S_T >= S)
CLOSE = hypothesis("‖xᵏ⁺¹ − xᵏ‖ ≤ η", D_0 <= eta)

# Two starts, at distance η: D_j = ‖x_j − y_j‖, S = Σ_{l < j} D_l.
STRETCH = standard("a gradient step of an L-smooth function: D' ≤ (1 + h)D", D_next <= (1 + h) * D)
NEAR = Fact("D_j ≤ η + h Σ_{l<j} D_l", D <= eta + h * S, "derived")
STAY = Induction(
    NEAR.name,
    NEAR,
    obligation("D_0 ≤ η", (CLOSE, definition("a distance is ≥ 0", D_0 >= 0)), D_0 <= eta + h * 0),
    obligation("one local step", (NEAR, STRETCH, STEPS, NONNEGATIVE), D_next <= eta + h * (S + D)),
    start=((D, D_0), (S, 0)),
    next=((D, D_next), (S, S + D)),
)
LINEAR = Fact(
    "Σ_{l<j} D_l ≤ j(η + h S_T), D_l = ‖x_l − y_l‖, S_T = Σ_{l<T} D_l",
    (S <= j * (eta + h * S_T)) & (j >= 0),
    "derived",
)
ADD = Induction(
    LINEAR.name,
    LINEAR,
    obligation("empty sum", (), (sympy.Integer(0) <= 0 * (eta + h * S_T)) & (sympy.Integer(0) >= 0)),
    obligation(
        "one term more",
        (LINEAR, NEAR, STEPS, NONNEGATIVE, FULL),
        (S + D <= (j + 1) * (eta + h * S_T)) & (j + 1 >= 0),
    ),
    start=((j, 0), (S, 0)),
    next=((j, j + 1), (S, S + D)),
)
ALL: Places = {S: S_T, j: T}
ITEM2 = obligation(
    "(1/T) Σ ‖x_j − y_j‖ ≤ 2η",
    (
        SMOOTH,
        GAMMA,
        LOCAL_STEP,
        STEPS,
        LINEAR.at(ALL),
        definition("S_T = Σ_{l<T} ‖x_l − y_l‖ ≥ 0", S_T >= 0),
    ),
    S_T / T <= 2 * eta,
)
# T(x) − T(y) = (x − y) − (γ/T) Σ (∇f(x_j) − ∇f(y_j)), and P(x) − P(y) = (1/T) Σ (∇f(x_j) − ∇f(y_j)).
TWO_PATHS = differences(("y_l", "y_j"), D, S)
(q,) = letters("γ/T")
SHARE = definition("γ/T", equal(q * T, gamma) & (q >= 0) & (T >= 1))
_apart, _sum = vectors("x−y Σ_{l<T}(∇f(x_l)−∇f(y_l))")
_IMAGES = Space((_apart, _sum))
_less: Any = _apart - q * _sum
_length = _IMAGES.norm(_sum, "‖Σ_{l<T}(∇f(x_l)−∇f(y_l))‖")
for _vector, _letter in ((_apart, D_0), (_less, mean)):
    _IMAGES.norm(_vector, str(_letter))
IMAGES = obligation(
    "‖T(x) − T(y)‖ ≤ ‖x − y‖ + (γ/T)‖Σ (∇f(x_j) − ∇f(y_j))‖",
    (SHARE, *_IMAGES.facts()),
    mean <= D_0 + q * _length,
)
LIPSCHITZ = obligation(
    "‖T(x) − T(y)‖ ≤ ‖x − y‖ + (Lγ/T) Σ ‖x_j − y_j‖",
    (SHARE, IMAGES.conclusion, TWO_PATHS.fact.at({TWO_PATHS.length: _length, S: S_T})),
    mean <= D_0 + gamma * L * S_T / T,
)
ITEM4 = obligation(
    "‖T(x) − T(y)‖ ≤ 2η",
    (
        SMOOTH,
        GAMMA,
        LOCAL_STEP,
        definition("T ≥ 1", T >= 1),
        CLOSE,
        ITEM2.conclusion,
        LIPSCHITZ.conclusion,
        definition("S_T = Σ_{l<T} ‖x_l − y_l‖ ≥ 0", S_T >= 0),
    ),
    mean <= 2 * eta,
)
ITEM2_NODES = (STAY, ADD, ITEM2)
ITEM24 = (TWO_PATHS.induction, *ITEM2_NODES)
"""Of two paths: what they move apart, and what their gradients differ by."""
ITEM4_NODES = (*ITEM24, IMAGES, LIPSCHITZ, ITEM4)
MOVE = definition("‖P(x) − P(y)‖ ≥ 0", slope >= 0)
MOVES = obligation(
    "‖P(x) − P(y)‖ ≤ 2Lη",
    (
        SMOOTH,
        definition("T ≥ 1", T >= 1),
        ITEM2.conclusion,
        TWO_PATHS.fact.at({TWO_PATHS.length: T * slope, S: S_T}, "P(x) − P(y) is a mean of T differences"),
    ),
    slope <= 2 * L * eta,
)

# One start: Y_j = ‖x_j − x‖ and Q their sum; the same recursion with γ‖∇f‖/T added in every step.
Y, Y_next, Q, Q_T, g = letters("Y Y_next Q Q_T g")
PATH = standard("‖x_{j+1} − x‖ ≤ (1 + h)‖x_j − x‖ + γ‖∇f(x)‖/T", Y_next <= (1 + h) * Y + gamma * g / T)
FAR = Fact(
    "‖x_j − x‖ ≤ jγ‖∇f‖/T + h Σ_{l<j} ‖x_l − x‖", (Y <= j * gamma * g / T + h * Q) & (j >= 0), "derived"
)
DRIFT = Induction(
    FAR.name,
    FAR,
    obligation("at x", (SMOOTH,), (sympy.Integer(0) <= 0 * gamma * g / T + h * 0) & (sympy.Integer(0) >= 0)),
    obligation(
        "one local step away",
        (FAR, PATH, STEPS, definition("T ≥ 1", T >= 1)),
        (Y_next <= (j + 1) * gamma * g / T + h * (Q + Y)) & (j + 1 >= 0),
    ),
    start=((j, 0), (Y, 0), (Q, 0)),
    next=((j, j + 1), (Y, Y_next), (Q, Q + Y)),
)
COUNTED = definition("j ≤ T, norms and sums are ≥ 0", (Q >= 0) & (Y >= 0) & (j <= T) & (g >= 0))
WHOLE = standard("a part of a sum of norms is at most the whole", Q_T >= Q)
CRUDE = Fact("Σ_{l<j} ‖x_l − x‖ ≤ j(γ‖∇f‖ + h Q_T)", (Q <= j * (gamma * g + h * Q_T)) & (j >= 0), "derived")
CRUDE_SUM = Induction(
    CRUDE.name,
    CRUDE,
    obligation(
        "empty sum of distances",
        (),
        (sympy.Integer(0) <= 0 * (gamma * g + h * Q_T)) & (sympy.Integer(0) >= 0),
    ),
    obligation(
        "one distance more",
        (CRUDE, FAR, STEPS, COUNTED, WHOLE, GAMMA, SMOOTH),
        (Q + Y <= (j + 1) * (gamma * g + h * Q_T)) & (j + 1 >= 0),
    ),
    start=((j, 0), (Q, 0)),
    next=((j, j + 1), (Q, Q + Y)),
)
AT_T = definition("norms and sums are ≥ 0", (Q_T >= 0) & (g >= 0) & (T >= 1))
ITEM3 = obligation(
    "(1/T) Σ ‖x_j − x‖ ≤ 2γ‖∇f(x)‖",
    (SMOOTH, GAMMA, LOCAL_STEP, STEPS, AT_T, CRUDE.at({Q: Q_T, j: T})),
    Q_T / T <= 2 * gamma * g,
)
(_pulled,) = letters("‖Σ_{l<T}(∇f(x_l)−∇f(x))‖")
BIAS = obligation(
    "‖x − γ∇f(x) − T(x)‖ ≤ (Lγ/T) Σ ‖x_j − x‖",
    (
        GAMMA,
        PULLED.at({pulled: _pulled, away: Q_T}),
        definition(
            "x − γ∇f(x) − T(x) = (γ/T) Σ (∇f(x_j) − ∇f(x))", equal(mean * T, gamma * _pulled) & (T >= 1)
        ),
    ),
    mean <= L * gamma * Q_T / T,
)
ITEM5 = obligation(
    "‖x − γ∇f(x) − T(x)‖ ≤ 2Lγ²‖∇f(x)‖",
    (SMOOTH, GAMMA, AT_T, ITEM3.conclusion, BIAS.conclusion),
    mean <= 2 * L * gamma**2 * g,
)
ITEM35 = (DRIFT, CRUDE_SUM, ITEM3)
ITEM5_NODES = (*ITEM35, ALONG, BIAS, ITEM5)

# Lemma 6, one client at a time: ‖g‖ ≤ s/2 + ‖g‖²/(2s), and ‖g‖² ≤ 2L(f_i − f_i^inf).
BELOW = standard(
    "‖∇f_i‖² ≤ 2L(f_i − f_i^inf) for L-smooth f_i", (size >= 0) & (gap >= 0) & (size**2 <= 2 * L * gap)
)
SCALE = definition("s > 0", scale > 0)
ONE = obligation(
    "‖∇f_i‖ ≤ s/2 + L(f_i − f_i^inf)/s", (SMOOTH, SCALE, BELOW), size <= scale / 2 + L * gap / scale
)
SUMMED = Fact(
    "Σ ‖∇f_i‖ ≤ n s/2 + (L/s) Σ (f_i − f_i^inf)", sizes <= n * scale / 2 + L * gaps / scale, "derived"
)
OVER_CLIENTS = Induction(
    SUMMED.name,
    SUMMED,
    obligation("no client yet", (SMOOTH, SCALE), sympy.Integer(0) <= 0 * scale / 2 + L * 0 / scale),
    obligation(
        "one client more",
        (SMOOTH, SCALE, SUMMED, ONE.conclusion),
        sizes + size <= (n + 1) * scale / 2 + L * (gaps + gap) / scale,
    ),
    start=((n, 0), (sizes, 0), (gaps, 0)),
    next=((n, n + 1), (sizes, sizes + size), (gaps, gaps + gap)),
)
MEANS = definition(
    "means over M clients; (1/M) Σ (f_i − f_i^inf) = f − f^inf + Δ^inf",
    equal(mean * M, sizes) & equal((F + Delta) * M, gaps) & (F >= 0),
)
MEAN = obligation(
    "(1/M) Σ ‖∇f_i‖ ≤ s/2 + L(f − f^inf + Δ^inf)/s",
    (SMOOTH, SCALE, CLIENTS, MEANS, SUMMED.at({n: M})),
    mean <= scale / 2 + L * (F + Delta) / scale,
)
MEAN_NODES = (ONE, OVER_CLIENTS, MEAN)
CHOICE = definition("s = √(2LΔ^inf)", equal(scale**2, 2 * L * Delta) & (scale > 0))
LEMMA6 = obligation(
    "(1/M) Σ ‖∇f_i‖ ≤ √(2L/Δ^inf)(f − f^inf) + √(2LΔ^inf)",
    (SMOOTH, SPREAD, CHOICE, BOUNDED_BELOW, MEAN.conclusion),
    mean <= sympy.sqrt(2 * L / Delta) * F + sympy.sqrt(2 * L * Delta),
)
HALF6 = obligation(
    "(1/M) Σ ‖∇f_i‖ ≤ ½ √(2L/Δ^inf)(f − f^inf) + √(2LΔ^inf)",
    (SMOOTH, SPREAD, CHOICE, BOUNDED_BELOW, MEAN.conclusion),
    mean <= sympy.sqrt(2 * L / Delta) * F / 2 + sympy.sqrt(2 * L * Delta),
)

# Item 1: x_l = x − (γ/T) Σ_{j<l} ∇f(x_j), in every coordinate.
x_l, x_0, slope_l, slopes = letters("x_l x_0 ∇f(x_l) Σ∇f(x_j)")
PATH_SUM = Fact("x_l = x − (γ/T) Σ_{j<l} ∇f(x_j)", equal(x_l, x_0 - q * slopes), "derived")
UNROLLED = Induction(
    PATH_SUM.name,
    PATH_SUM,
    obligation("x_0 = x", (), sympy.true),
    obligation("x_{l+1}", (PATH_SUM,), equal(x_l - q * slope_l, x_0 - q * (slopes + slope_l))),
    start=((x_l, x_0), (slopes, 0)),
    next=((x_l, x_l - q * slope_l), (slopes, slopes + slope_l)),
)

# Tight constants: f = −L x²/2 along the path.
GEOMETRIC = Fact("Σ_{l<j} q^l = (q^j − 1)/h, q = 1 + h", equal(S * h, D - 1), "derived")
ATTAINED = Induction(
    GEOMETRIC.name,
    GEOMETRIC,
    obligation("geometric at 0", (), sympy.true),
    obligation("geometric one later", (GEOMETRIC,), equal((S + D) * h, D * (1 + h) - 1)),
    start=((S, 0), (D, 1)),
    next=((S, S + D), (D, D * (1 + h))),
)

FROM_START = Fact(
    "γL‖x_j − x‖ = γ‖∇f‖(q^j − 1) and h γL Σ_{l<j} ‖x_l − x‖ = γ‖∇f‖(q^j − 1 − jh)",
    equal(Y * h * T, gamma * g * (D - 1)) & equal(Q * h**2 * T, gamma * g * (D - 1 - j * h)),
    "derived",
)
AT_LEAST_1 = definition("T ≥ 1", T >= 1)
STRETCHED = Induction(
    FROM_START.name,
    FROM_START,
    obligation("from the start at 0", (), sympy.true),
    obligation(
        "from the start one later",
        (FROM_START, AT_LEAST_1),
        equal(((1 + h) * Y + gamma * g / T) * h * T, gamma * g * (D * (1 + h) - 1))
        & equal((Q + Y) * h**2 * T, gamma * g * (D * (1 + h) - 1 - (j + 1) * h)),
    ),
    start=((Y, 0), (Q, 0), (D, 1), (j, 0)),
    next=((Y, (1 + h) * Y + gamma * g / T), (Q, Q + Y), (D, D * (1 + h)), (j, j + 1)),
)

# The printed proof of Lemma 6: mean squares, then √(AF + B) ≤ (A/√B) F + √B.
square_mean, squares_sum = letters("square_mean squares_sum")
SQUARES = Fact("Σ ‖∇f_i‖² ≤ 2L Σ (f_i − f_i^inf)", squares_sum <= 2 * L * gaps, "derived")
OVER_SQUARES = Induction(
    SQUARES.name,
    SQUARES,
    obligation("no square", (), sympy.true),
    obligation("one square more", (SQUARES, BELOW), squares_sum + size**2 <= 2 * L * (gaps + gap)),
    start=((squares_sum, 0), (gaps, 0)),
    next=((squares_sum, squares_sum + size**2), (gaps, gaps + gap)),
)
MEAN_SQUARE = obligation(
    "(1/M) Σ ‖∇f_i‖² ≤ 2L(f − f^inf) + 2LΔ^inf",
    (SMOOTH, CLIENTS, SQUARES, MEANS, definition("mean of squares", equal(square_mean * M, squares_sum))),
    square_mean <= 2 * L * F + 2 * L * Delta,
)
_inside, _root = letters("A[f(x)−f^inf]+B √(A[f(x)−f^inf]+B)")
INSIDE = definition(
    "A[f(x) − f^inf] + B and its root, A = 2L, B = 2LΔ^inf",
    equal(_inside, 2 * L * F + 2 * L * Delta) & (_root >= 0) & equal(_root**2, _inside),
)
ROOTED = obligation(
    "(1/M) Σ ‖∇f_i‖ ≤ √((1/M) Σ ‖∇f_i‖²) ≤ √(AF + B) = (AF + B)/√(AF + B) ≤ (A/√B)F + √B",
    (
        SMOOTH,
        SPREAD,
        CHOICE,
        definition("F ≥ 0", F >= 0),
        INSIDE,
        standard("Jensen's inequality", (mean >= 0) & (mean**2 <= square_mean)),
        MEAN_SQUARE.conclusion,
    ),
    (mean <= sympy.sqrt(square_mean))
    & (sympy.sqrt(square_mean) <= _root)
    & equal(_root, _inside / _root)
    & (_inside / _root <= 2 * L / scale * F + scale),
)
