"""Lemmas 6 and 7: the clients' gradients, and T local gradient steps.

With h = γL/T a local step stretches distances by at most 1 + h, and exactly by that where f is −L‖x‖²/2 along the path. So
the constants 2 of Lemma 7 are upper ends of (eᵘ − 1)/u and eᵘ at u = γL ≤ 1/2: 1.2975 for items 2, 1.6488 for item 4,
0.5949 for item 3 (in units of γ‖∇f‖), each attained in the limit T → ∞.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Repair, Values, Witness
from verify.facts import Fact, definition, standard
from verify.fed_alpha_normec.letters import (
    CLIENTS,
    GAMMA,
    LOCAL_STEP,
    SMOOTH,
    SPREAD,
    Delta,
    F,
    L,
    M,
    T,
    claim,
    eta,
    gamma,
    letters,
    values,
)
from verify.obligation import obligation
from verify.proof import Comparison, Induction, Limit, Proof

j, D, D_next, S, S_T, S_before, h, slope, n, scale = letters("j D D_next S S_T S_before h slope n scale")
size, gap, sizes, gaps, mean, total = letters("size gap sizes gaps mean total")

STEPS = definition("T ≥ 1, h = γL/T", (T >= 1) & sympy.Eq(h * T, gamma * L) & (h >= 0))
NONNEGATIVE = definition("distances are ≥ 0", (D >= 0) & (S >= 0) & (D_next >= 0))
FULL = definition("S_T is the whole sum", (S_T >= S) & (S >= 0))

# Two starts, at distance η: D_j = ‖x_j − y_j‖, S = Σ_{l < j} D_l.
STRETCH = standard("a gradient step of an L-smooth function: D' ≤ (1 + h)D", D_next <= (1 + h) * D)
NEAR = Fact("D_j ≤ η + h Σ_{l<j} D_l", D <= eta + h * S, "derived")
STAY = Induction(
    NEAR.name,
    NEAR,
    obligation("D_0 ≤ η", (definition("‖x⁰ − y⁰‖ ≤ η", D <= eta),), D <= eta + h * 0),
    obligation("one local step", (NEAR, STRETCH, STEPS, NONNEGATIVE), D_next <= eta + h * (S + D)),
    start=((S, 0),),
    next=((D, D_next), (S, S + D)),
)
LINEAR = Fact("Σ_{l<j} D_l ≤ j(η + h S_T)", (S <= j * (eta + h * S_T)) & (j >= 0), "derived")
ADD = Induction(
    LINEAR.name,
    LINEAR,
    obligation("empty sum", (), (sympy.Integer(0) <= 0 * (eta + h * S_T)) & (sympy.Integer(0) >= 0)),
    obligation(
        "one term more", (LINEAR, NEAR, STEPS, FULL), (S + D <= (j + 1) * (eta + h * S_T)) & (j + 1 >= 0)
    ),
    start=((j, 0), (S, 0)),
    next=((j, j + 1), (S, S + D)),
)
ALL = {S: S_T, j: T}
ITEM2 = obligation(
    "(1/T) Σ ‖x_j − y_j‖ ≤ 2η",
    (
        SMOOTH,
        GAMMA,
        LOCAL_STEP,
        STEPS,
        LINEAR.at(ALL),
        definition("η ≥ 0", eta >= 0),
        definition("S_T ≥ 0", S_T >= 0),
    ),
    S_T / T <= 2 * eta,
)
LIPSCHITZ = standard(
    "‖T(x) − T(y)‖ ≤ ‖x − y‖ + (γ/T) Σ ‖∇f(x_j) − ∇f(y_j)‖, f is L-smooth", mean <= eta + gamma * L * S_T / T
)
ITEM4 = obligation(
    "‖T(x) − T(y)‖ ≤ 2η",
    (
        SMOOTH,
        GAMMA,
        LOCAL_STEP,
        definition("T ≥ 1", T >= 1),
        ITEM2.conclusion,
        LIPSCHITZ,
        definition("S_T ≥ 0", S_T >= 0),
    ),
    mean <= 2 * eta,
)
ITEM24 = (STAY, ADD, ITEM2)
MOVE = standard("‖P(x) − P(y)‖ ≤ (L/T) Σ ‖x_j − y_j‖, f is L-smooth", (slope >= 0) & (slope <= L * S_T / T))
MOVES = obligation(
    "‖P(x) − P(y)‖ ≤ 2Lη", (SMOOTH, definition("T ≥ 1", T >= 1), ITEM2.conclusion, MOVE), slope <= 2 * L * eta
)

# One start: Y_j bounds ‖x_j − x‖; the same recursion with γ‖∇f‖/T added in every step.
Y, Y_next, Q, Q_T, twice, twice_T, g = letters("Y Y_next Q Q_T twice twice_T g")
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
WHOLE = definition("Q_T is the whole sum, j ≤ T", (Q_T >= Q) & (Q >= 0) & (j <= T) & (g >= 0))
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
        (CRUDE, FAR, STEPS, WHOLE, GAMMA, SMOOTH),
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
BIAS = standard("‖x − γ∇f(x) − T(x)‖ ≤ (Lγ/T) Σ ‖x_j − x‖, f is L-smooth", mean <= L * gamma * Q_T / T)
ITEM5 = obligation(
    "‖x − γ∇f(x) − T(x)‖ ≤ 2Lγ²‖∇f(x)‖",
    (SMOOTH, GAMMA, AT_T, ITEM3.conclusion, BIAS),
    mean <= 2 * L * gamma**2 * g,
)
ITEM35 = (DRIFT, CRUDE_SUM, ITEM3)

# Sharper: distances do not decrease along the majorant, so that Σ_l (T−1−l) Y_l ≤ (T/2) Σ Y_l.
# With Q_j = Σ_{l<j} Y_l and twice = Σ_{i≤j} Q_i: monotone Y gives 2 Σ_{i<j} Q_i ≤ (j−1) Q_j.
MONOTONE = definition("the majorant does not decrease", (Y >= 0) & (Y_next >= Y))
HALVES = Fact(
    "2 Σ_{i<j} Q_i ≤ j Q_j and Q_j ≤ j Y_j",
    (2 * twice <= j * Q) & (Q <= j * Y) & (j >= 0) & (Q >= 0),
    "derived",
)
CHEBYSHEV = Induction(
    HALVES.name,
    HALVES,
    obligation(
        "Chebyshev at 0",
        (),
        (2 * sympy.Integer(0) <= 0 * sympy.Integer(0))
        & (sympy.Integer(0) <= 0 * Y)
        & (sympy.Integer(0) >= 0)
        & (sympy.Integer(0) >= 0),
    ),
    obligation(
        "Chebyshev one later",
        (HALVES, MONOTONE),
        (2 * (twice + Q) <= (j + 1) * (Q + Y)) & (Q + Y <= (j + 1) * Y_next) & (j + 1 >= 0) & (Q + Y >= 0),
    ),
    start=((j, 0), (Q, 0), (twice, 0)),
    next=((j, j + 1), (Q, Q + Y), (twice, twice + Q), (Y, Y_next)),
)
HALF = Fact(
    "2 Σ_{l<j} ‖x_l − x‖ ≤ j² γ‖∇f‖/T + 2h Σ_{i<j} Q_i",
    (2 * Q <= j**2 * gamma * g / T + 2 * h * twice) & (j >= 0),
    "derived",
)
HALF_SUM = Induction(
    HALF.name,
    HALF,
    obligation(
        "empty, halves",
        (SMOOTH,),
        (2 * sympy.Integer(0) <= sympy.Integer(0) ** 2 * gamma * g / T + 2 * h * 0) & (sympy.Integer(0) >= 0),
    ),
    obligation(
        "one more, halves",
        (HALF, FAR, STEPS, GAMMA, definition("‖∇f‖ ≥ 0, T ≥ 1", (g >= 0) & (T >= 1))),
        (2 * (Q + Y) <= (j + 1) ** 2 * gamma * g / T + 2 * h * (twice + Q)) & (j + 1 >= 0),
    ),
    start=((j, 0), (Q, 0), (twice, 0)),
    next=((j, j + 1), (Q, Q + Y), (twice, twice + Q)),
)
END = {Q: Q_T, twice: twice_T, j: T}
SHARP = obligation(
    "(1/T) Σ ‖x_j − x‖ ≤ (2/3)γ‖∇f(x)‖",
    (SMOOTH, GAMMA, LOCAL_STEP, STEPS, AT_T, HALF.at(END), HALVES.at(END)),
    Q_T / T <= sympy.Rational(2, 3) * gamma * g,
)
SHARP_NODES = (DRIFT, HALF_SUM, CHEBYSHEV, SHARP)

# The proof of item 5 sums to j = T, one term more than item 3 has.
LAST = obligation(
    "Σ_{j=0}^{T} ‖x − x_j‖ ≤ 2γT‖∇f(x)‖",
    (SMOOTH, GAMMA, LOCAL_STEP, STEPS, AT_T, SHARP.conclusion, FAR.at({Q: Q_T, j: T})),
    Q_T + Y <= 2 * gamma * T * g,
)

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
    sympy.Eq(mean * M, sizes) & sympy.Eq((F + Delta) * M, gaps) & (F >= 0),
)
MEAN = obligation(
    "(1/M) Σ ‖∇f_i‖ ≤ s/2 + L(f − f^inf + Δ^inf)/s",
    (SMOOTH, SCALE, CLIENTS, MEANS, SUMMED.at({n: M})),
    mean <= scale / 2 + L * (F + Delta) / scale,
)
MEAN_NODES = (ONE, OVER_CLIENTS, MEAN)
CHOICE = definition("s = √(2LΔ^inf)", sympy.Eq(scale**2, 2 * L * Delta) & (scale > 0))
LEMMA6 = obligation(
    "(1/M) Σ ‖∇f_i‖ ≤ √(2L/Δ^inf)(f − f^inf) + √(2LΔ^inf)",
    (SMOOTH, SPREAD, CHOICE, definition("f ≥ f^inf", F >= 0), MEAN.conclusion),
    mean <= sympy.sqrt(2 * L / Delta) * F + sympy.sqrt(2 * L * Delta),
)
HALF6 = obligation(
    "(1/M) Σ ‖∇f_i‖ ≤ ½ √(2L/Δ^inf)(f − f^inf) + √(2LΔ^inf)",
    (SMOOTH, SPREAD, CHOICE, definition("f ≥ f^inf", F >= 0), MEAN.conclusion),
    mean <= sympy.sqrt(2 * L / Delta) * F / 2 + sympy.sqrt(2 * L * Delta),
)

# Item 1: x_l = x − (γ/T) Σ_{j<l} ∇f(x_j), with q = γ/T, D = ∇f(x_l) and S the sum, in every coordinate.
q, t_ = letters("q t")
PATH_SUM = Fact("x_l = x − (γ/T) Σ_{j<l} ∇f(x_j)", sympy.Eq(Y, t_ - q * S), "derived")
UNROLLED = Induction(
    PATH_SUM.name,
    PATH_SUM,
    obligation("x_0 = x", (definition("x_0 = x", sympy.Eq(Y, t_)),), sympy.Eq(Y, t_)),
    obligation("x_{l+1}", (PATH_SUM,), sympy.Eq(Y - q * D, t_ - q * (S + D))),
    start=((S, 0),),
    next=((Y, Y - q * D), (S, S + D)),
)

# Tight constants: f = −L x²/2 along the path.
GEOMETRIC = Fact("Σ_{l<j} q^l = (q^j − 1)/h, q = 1 + h", sympy.Eq(S * h, D - 1), "derived")
ATTAINED = Induction(
    GEOMETRIC.name,
    GEOMETRIC,
    obligation("geometric at 0", (), sympy.true),
    obligation("geometric one later", (GEOMETRIC,), sympy.Eq((S + D) * h, D * (1 + h) - 1)),
    start=((S, 0), (D, 1)),
    next=((S, S + D), (D, D * (1 + h))),
)


def _index(numbers: Values) -> Comparison:
    """Item 4 as displayed: ∇f(x^{k,l+1}) − ∇f(x^{k,l}) of one path, against the difference of two paths. T = 1, f = x²/2."""
    g_, x, y = numbers["gamma"], numbers["x"], numbers["y"]
    left = abs((y - g_ * y) - (x - g_ * x))
    x1 = x - g_ * x
    right = abs(y - x - g_ * (x1 - x))
    return Comparison(left, "==", right, (("γ ≤ 1/(2L)", g_ <= Fraction(1, 2)),))


_LEMMA7 = "γ ≤ 1/(2L), ‖xᵏ⁺¹ − xᵏ‖ ≤ η: "
_U = sympy.Symbol("u", real=True)
_HYP = (SMOOTH, GAMMA, LOCAL_STEP)
CLAIMS = (
    claim(
        "FED-L6",
        "Appendix F.1, Lemma 6",
        "lemma",
        "(1/M) Σ ‖∇f_i(x)‖ ≤ √(2L/Δ^inf)[f(x) − f^inf] + √(2LΔ^inf)",
        "True; the coefficient of f − f^inf can be halved, which weakens the condition on ηγ in the theorems "
        "by 2.",
        proof=Proof((SMOOTH, SPREAD), (*MEAN_NODES, LEMMA6)),
    ),
    claim(
        "FED-L6-TIGHT",
        "ours, beside Lemma 6",
        "ours",
        "(1/M) Σ ‖∇f_i(x)‖ ≤ s/2 + L(f(x) − f^inf + Δ^inf)/s for every s > 0; with s = √(2LΔ^inf) the "
        "coefficient of f − f^inf is ½√(2L/Δ^inf)",
        "One inequality per client, no Jensen; Δ^inf = 0 is allowed.",
        proof=Proof((SMOOTH, SPREAD), (*MEAN_NODES, HALF6)),
    ),
    claim(
        "FED-L7-1",
        "Appendix F.1, Lemma 7, item 1",
        "lemma",
        "x_i^{k,l} = xᵏ − (γ/T) Σ_{j=0}^{l−1} ∇f_i(x_i^{k,j})",
        "Unrolling the recursion.",
        proof=Proof((), (UNROLLED,)),
    ),
    claim(
        "FED-L7-2",
        "Appendix F.1, Lemma 7, item 2",
        "lemma",
        _LEMMA7 + "(1/T) Σ_j ‖x_i^{k+1,j} − x_i^{k,j}‖ ≤ 2η",
        "True; the tight constant is ((1+γL/T)^T − 1)/(γL) ≤ 2(√e − 1) < 1.2975.",
        proof=Proof(_HYP, ITEM24),
    ),
    claim(
        "FED-L7-3",
        "Appendix F.1, Lemma 7, item 3",
        "lemma",
        _LEMMA7 + "(1/T) Σ_j ‖xᵏ − x_i^{k,j}‖ ≤ 2γ‖∇f_i(xᵏ)‖",
        "True with a factor of three to spare: 2/3 is proved (FED-L7-SHARP), 4√e − 6 < 0.595 is attained as "
        "T → ∞.",
        proof=Proof(_HYP, ITEM35),
    ),
    claim(
        "FED-L7-4",
        "Appendix F.1, Lemma 7, item 4",
        "lemma",
        _LEMMA7 + "‖T_i(xᵏ⁺¹) − T_i(xᵏ)‖ ≤ 2η",
        "True; the tight constant is (1+γL/T)^T ≤ √e < 1.6488.",
        proof=Proof(_HYP, (*ITEM24, ITEM4)),
    ),
    claim(
        "FED-L7-5",
        "Appendix F.1, Lemma 7, item 5",
        "lemma",
        _LEMMA7 + "‖xᵏ − γ∇f_i(xᵏ) − T_i(xᵏ)‖ ≤ 2Lγ²‖∇f_i(xᵏ)‖",
        "True with a factor of three to spare.",
        proof=Proof(_HYP, (*ITEM35, ITEM5)),
    ),
    claim(
        "FED-L7-4-S1",
        "Appendix F.1, proof of Lemma 7, item 4, first display",
        "step",
        "‖T_i(xᵏ⁺¹) − T_i(xᵏ)‖ = ‖xᵏ⁺¹ − xᵏ − (γ/T) Σ_{j=0}^{l−1} [∇f_i(x_i^{k,l+1}) − ∇f_i(x_i^{k,l})]‖",
        "The indices are wrong: it must be ∇f_i(x_i^{k+1,j}) − ∇f_i(x_i^{k,j}), two paths, summed to T − 1.",
        witness=Witness(
            values(gamma="1/2", x=1, y=2),
            "the two sides are equal",
            _index,
            "T = 1, f(x) = x²/2, xᵏ = 1, xᵏ⁺¹ = 2",
        ),
        repair=Repair("With those indices item 4 follows.", "indices", Proof(_HYP, (*ITEM24, ITEM4))),
    ),
    claim(
        "FED-L7-5-S1",
        "Appendix F.1, proof of Lemma 7, item 5, the fact quoted",
        "step",
        "Σ_{j=0}^{T} ‖xᵏ − x_i^{k,j}‖ ≤ 2γT‖∇f_i(xᵏ)‖",
        "Not what item 3 says (its sum ends at T − 1), but true, by the sharper 2/3 of FED-L7-SHARP.",
        proof=Proof(_HYP, (*SHARP_NODES, LAST)),
    ),
    claim(
        "FED-L7-MOVE",
        "ours, what Lemma 7 gives for the theorems",
        "ours",
        "‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ 2Lη for P_i = (x − T_i(x))/γ and γ ≤ 1/(2L) (Lη for T = 1)",
        "The paper bounds this by (1 + 2)η/γ, which is at least 6Lη: hence its condition η ≤ γ/3 · βR/(α+R).",
        proof=Proof(_HYP, (*ITEM24, MOVES)),
    ),
    claim(
        "FED-L7-SHARP",
        "ours, beside Lemma 7, items 3 and 5",
        "ours",
        "(1/T) Σ_j ‖xᵏ − x_i^{k,j}‖ ≤ (2/3)γ‖∇f_i(xᵏ)‖ for γ ≤ 1/(2L)",
        "Chebyshev's sum inequality on the increasing distances, in place of bounding each by the largest.",
        proof=Proof(_HYP, SHARP_NODES),
    ),
    claim(
        "FED-L7-TIGHT",
        "ours, tight constants of Lemma 7",
        "ours",
        "On f = −Lx²/2: (1/T) Σ ‖x_j − y_j‖ = ((1+h)^T − 1)/(hT) η and ‖T(x) − T(y)‖ = (1+h)^T η with h = "
        "γL/T; as T → ∞ and at γL = 1/2 "
        "the constants are 2(√e − 1), √e and, for item 3, 4√e − 6",
        "The path stretches by exactly 1 + h in each step.",
        proof=Proof(
            (),
            (
                ATTAINED,
                Limit("(1 + u/T)^T", (1 + _U / T) ** T, T, sympy.oo, sympy.exp(_U)),
                Limit(
                    "item 2",
                    (sympy.exp(_U) - 1) / _U,
                    _U,
                    sympy.Rational(1, 2),
                    2 * (sympy.sqrt(sympy.E) - 1),
                    "-",
                ),
                Limit(
                    "item 3",
                    ((sympy.exp(_U) - 1) / _U - 1) / _U,
                    _U,
                    sympy.Rational(1, 2),
                    4 * sympy.sqrt(sympy.E) - 6,
                    "-",
                ),
            ),
        ),
    ),
)
