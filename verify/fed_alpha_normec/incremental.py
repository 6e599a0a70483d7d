"""Lemmas 8 and 9: one pass of incremental gradient over a client's N functions.

d_j = ‖x_j − x‖ is at most Y_j, with Y_0 = 0 and Y_{j+1} = Y_j + (γ/N)(a_j + L Y_j), a_j = ‖∇f_{i,j}(x)‖. With Cauchy–Schwarz,
and because Y does not decrease, Σ_{j<N} Y_j² ≤ γ²[(7/10) Σ a_j² + (7/6) L² Σ Y_j²], which closes for γL ≤ 1/2 with the constant
84/85 < 1.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.letters import (
    CLIENTS,
    GAMMA,
    LOCAL_STEP,
    SMOOTH,
    SPREAD,
    Delta,
    Delta_local,
    F,
    L,
    M,
    N,
    Places,
    gamma,
    s,
)
from verify.obligation import obligation
from verify.proof import Induction

c, j, Y, Y_next, a, b, B_l, A, C, G, GA, GC, mean, squares = letters(
    "γ/N j Y Y_next a b B_l A C G GA GC mean squares"
)
C_N, A_N, GA_N, GC_N = letters("C_N A_N GA_N GC_N")
RATE = Fraction(84, 85)

STEP = definition("c = γ/N, N ≥ 1", (N >= 1) & equal(c * N, gamma) & (c > 0))
PULL = definition("b = a + LY", equal(b, a + L * Y) & (a >= 0) & (b >= 0) & (Y >= 0))
GO = definition("Y' = Y + cb", equal(Y_next, Y + c * b))
COUNT = definition("j ≥ 0, sums of squares ≥ 0", (j >= 0) & (B_l >= 0) & (A >= 0) & (C >= 0))

CAUCHY_FACT = Fact(
    "Y_j² ≤ c² j Σ_{l<j} b_l²", (Y**2 <= c**2 * j * B_l) & (Y >= 0) & (j >= 0) & (B_l >= 0), "derived"
)
CAUCHY = Induction(
    CAUCHY_FACT.name,
    CAUCHY_FACT,
    obligation("Y_0 = 0", (), sympy.true),
    obligation(
        "one function later",
        (CAUCHY_FACT, STEP, PULL, GO),
        (Y_next**2 <= c**2 * (j + 1) * (B_l + b**2)) & (Y_next >= 0) & (j + 1 >= 0) & (B_l + b**2 >= 0),
    ),
    start=((Y, 0), (j, 0), (B_l, 0)),
    next=((Y, Y_next), (j, j + 1), (B_l, B_l + b**2)),
)
YOUNG = Fact(
    "Σ b² ≤ (7/5) Σ a² + (7/2) L² Σ Y²",
    B_l <= sympy.Rational(7, 5) * A + sympy.Rational(7, 2) * L**2 * C,
    "derived",
)
SPLIT = Induction(
    YOUNG.name,
    YOUNG,
    obligation("empty sums", (), sympy.true),
    obligation(
        "one square more",
        (YOUNG, PULL),
        B_l + b**2 <= sympy.Rational(7, 5) * (A + a**2) + sympy.Rational(7, 2) * L**2 * (C + Y**2),
    ),
    start=((A, 0), (B_l, 0), (C, 0)),
    next=((A, A + a**2), (B_l, B_l + b**2), (C, C + Y**2)),
)
HALF = Fact("2 Σ_{i<j} i A_i ≤ j² A_j", (2 * GA <= j**2 * A) & (j >= 0) & (A >= 0), "derived")
GRADIENTS = Induction(
    HALF.name,
    HALF,
    obligation("gradients at 0", (), sympy.true),
    obligation(
        "gradients one later",
        (HALF,),
        (2 * (GA + j * A) <= (j + 1) ** 2 * (A + a**2)) & (j + 1 >= 0) & (A + a**2 >= 0),
    ),
    start=((GA, 0), (j, 0), (A, 0)),
    next=((GA, GA + j * A), (j, j + 1), (A, A + a**2)),
)
THIRD = Fact(
    "3 Σ_{i<j} i C_i ≤ j² C_j and C_j ≤ j Y_j²",
    (3 * GC <= j**2 * C) & (C <= j * Y**2) & (j >= 0) & (C >= 0),
    "derived",
)
GROWS = obligation("Y does not decrease", (STEP, PULL, GO), (Y >= 0) & (Y_next >= Y))
DISTANCES = Induction(
    THIRD.name,
    THIRD,
    obligation("distances at 0", (), sympy.true),
    obligation(
        "distances one later",
        (THIRD, GROWS.conclusion),
        (3 * (GC + j * C) <= (j + 1) ** 2 * (C + Y**2))
        & (C + Y**2 <= (j + 1) * Y_next**2)
        & (j + 1 >= 0)
        & (C + Y**2 >= 0),
    ),
    start=((GC, 0), (j, 0), (C, 0), (Y, 0)),
    next=((GC, GC + j * C), (j, j + 1), (C, C + Y**2), (Y, Y_next)),
)
SUMMED = Fact(
    "Σ_{i<j} Y_i² ≤ c² [(7/5) Σ i A_i + (7/2) L² Σ i C_i]",
    C <= c**2 * (sympy.Rational(7, 5) * GA + sympy.Rational(7, 2) * L**2 * GC),
    "derived",
)
TOTAL = Induction(
    SUMMED.name,
    SUMMED,
    obligation("nothing summed", (), sympy.true),
    obligation(
        "one distance more, squared",
        (SUMMED, CAUCHY_FACT, YOUNG, definition("c > 0", c > 0)),
        C + Y**2 <= c**2 * (sympy.Rational(7, 5) * (GA + j * A) + sympy.Rational(7, 2) * L**2 * (GC + j * C)),
    ),
    start=((C, 0), (GA, 0), (GC, 0)),
    next=((C, C + Y**2), (GA, GA + j * A), (GC, GC + j * C)),
)
END: Places = {C: C_N, A: A_N, GA: GA_N, GC: GC_N, j: N, Y: Y_next}
CLOSED = obligation(
    "(1/N) Σ ‖x_j − x‖² ≤ γ² (1/N) Σ ‖∇f_{i,j}(x)‖²",
    (SMOOTH, GAMMA, LOCAL_STEP, STEP, SUMMED.at(END), HALF.at(END), THIRD.at(END)),
    C_N / N <= gamma**2 * A_N / N,
)
# The distances themselves, and their mean over the clients.
dist, dist_next, own, own_N, n, all_squares, all_slopes, slopes = letters(
    "dist dist_next own own_N n all_squares all_slopes slopes"
)
PATH = standard(
    "‖x_{j+1} − x‖ ≤ ‖x_j − x‖ + (γ/N)(‖∇f_{i,j}(x)‖ + L‖x_j − x‖)",
    (dist >= 0) & (dist_next >= 0) & (dist_next <= dist + c * (a + L * dist)),
)
BELOW_IT = Fact("‖x_j − x‖ ≤ Y_j and Σ_{l<j} ‖x_l − x‖² ≤ Σ_{l<j} Y_l²", (dist <= Y) & (own <= C), "derived")
MAJORISED = Induction(
    BELOW_IT.name,
    BELOW_IT,
    obligation("both at 0", (), sympy.true),
    obligation(
        "both one later",
        (BELOW_IT, PATH, SMOOTH, STEP, PULL, GO),
        (dist_next <= Y_next) & (own + dist**2 <= C + Y**2),
    ),
    start=((dist, 0), (Y, 0), (own, 0), (C, 0)),
    next=((dist, dist_next), (Y, Y_next), (own, own + dist**2), (C, C + Y**2)),
)
EVERY = Fact(
    "Σ_i (1/N) Σ ‖x_j − x‖² ≤ γ² Σ_i (1/N) Σ ‖∇f_{i,j}(x)‖²", all_squares <= gamma**2 * all_slopes, "derived"
)
OVER_CLIENTS = Induction(
    EVERY.name,
    EVERY,
    obligation("no client", (), sympy.true),
    obligation(
        "one client more",
        (EVERY, CLOSED.conclusion, BELOW_IT.at({own: own_N, C: C_N}), STEP),
        all_squares + own_N / N <= gamma**2 * (all_slopes + A_N / N),
    ),
    start=((n, 0), (all_squares, 0), (all_slopes, 0)),
    next=((n, n + 1), (all_squares, all_squares + own_N / N), (all_slopes, all_slopes + A_N / N)),
)
QUADRATIC = definition(
    "means over the clients", equal(squares * M, all_squares) & equal(slopes * M, all_slopes)
)
BELOW = standard(
    "‖∇f_{i,j}‖² ≤ 2L(f_{i,j} − f_{i,j}^inf), mean over j and i", slopes <= 2 * L * (F + Delta + Delta_local)
)
BOUNDED_BELOW = hypothesis("f ≥ f^inf", F >= 0)
SPREAD_LOCAL = hypothesis("(1/M) Σ Δ_i^inf ≥ 0", Delta_local >= 0)
FIRST = obligation(
    "(1/M) Σ (1/N) Σ ‖x_j − x‖² ≤ 2Lγ²(f − f^inf + Δ^inf + (1/M) Σ Δ_i^inf)",
    (SMOOTH, GAMMA, CLIENTS, EVERY.at({n: M}), BELOW, QUADRATIC),
    squares <= 2 * L * gamma**2 * (F + Delta + Delta_local),
)
PRINTED_FIRST = obligation(
    "(1/M) Σ (1/N) Σ ‖x_j − x‖² ≤ 4Lγ²(f − f^inf) + 2γ²LΔ^inf + 2γ²L(1/M) Σ Δ_i^inf",
    (SMOOTH, GAMMA, BOUNDED_BELOW, FIRST.conclusion),
    squares <= 4 * L * gamma**2 * F + 2 * gamma**2 * L * Delta + 2 * gamma**2 * L * Delta_local,
)
JENSEN = standard("Jensen's inequality", (mean >= 0) & (mean**2 <= squares))
LEMMA8 = obligation(
    "Lemma 8",
    (SMOOTH, GAMMA, SPREAD, BOUNDED_BELOW, SPREAD_LOCAL, FIRST.conclusion, JENSEN),
    mean
    <= 2 * sympy.sqrt(2) * L * gamma * F / sympy.sqrt(L * Delta)
    + sympy.sqrt(2) * gamma * sympy.sqrt(L * Delta)
    + 2 * gamma * sympy.sqrt(L * Delta_local),
)
SCALE = definition("s > 0", s > 0)
SCALED = obligation(
    "(1/M) Σ (1/N) Σ ‖x_j − x‖ ≤ γ(s/2 + L(f − f^inf + Δ^inf + (1/M) Σ Δ_i^inf)/s)",
    (SMOOTH, GAMMA, SCALE, FIRST.conclusion, JENSEN),
    mean <= gamma * (s / 2 + L * (F + Delta + Delta_local) / s),
)
LEMMA8_NODES = (
    CAUCHY, SPLIT, GRADIENTS, GROWS, DISTANCES, TOTAL, CLOSED, MAJORISED, OVER_CLIENTS, FIRST,
)  # fmt: skip
