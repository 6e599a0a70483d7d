"""Lemmas 8 and 9: one pass of incremental gradient over a client's N functions.

d_j = ‖x_j − x‖ is at most Y_j, with Y_0 = 0 and Y_{j+1} = Y_j + c b_j, b_j = a_j + L Y_j, a_j = ‖∇f_{i,j}(x)‖ and c = γ/N. A
balance, Σ_{l<j} a_l² = (1 + cL) Σ b_l² + L² Σ Y_l² − (L/c) Y_j², and Cauchy–Schwarz, Y_j² ≤ c² j Σ b_l², both at j = N − 1,
leave Σ Y_j² ≤ γ² Σ a_j² wherever γL(N − 2) ≤ N − 1: for γ ≤ 1/L whatever N is, and for N ≤ 2 whatever γ is.
"""

from __future__ import annotations

import sympy

from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.letters import (
    BOUNDED_BELOW,
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
from verify.induction import Induction
from verify.obligation import obligation

c, j, Y, Y_next, a, b, B_l, A, C, mean, squares = letters("γ/N j Y Y_next a b B_l A C mean squares")
Y_last, B_last, C_last, A_last, a_last, C_N, A_N = letters("Y_last B_last C_last A_last a_last C_N A_N")

STEP = definition("c = γ/N, N ≥ 1", (N >= 1) & equal(c * N, gamma) & (c > 0))
PULL = definition(
    "b_j = a_j + LY_j, a_j = ‖∇f_{i,j}(x)‖", equal(b, a + L * Y) & (a >= 0) & (b >= 0) & (Y >= 0)
)
GO = definition("Y_0 = 0, Y_{j+1} = Y_j + c b_j", equal(Y_next, Y + c * b))
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
SUMMED = Fact(
    "2 Σ_{i<j} Y_i² ≤ c² j(j − 1) Σ_{l<j} b_l²",
    (2 * C <= c**2 * j * (j - 1) * B_l) & (B_l >= 0) & (C >= 0),
    "derived",
)
TOTAL = Induction(
    SUMMED.name,
    SUMMED,
    obligation("nothing summed", (), sympy.true),
    obligation(
        "one distance more, squared",
        (SUMMED, CAUCHY_FACT),
        (2 * (C + Y**2) <= c**2 * (j + 1) * j * (B_l + b**2)) & (B_l + b**2 >= 0) & (C + Y**2 >= 0),
    ),
    start=((C, 0), (j, 0), (B_l, 0)),
    next=((C, C + Y**2), (j, j + 1), (B_l, B_l + b**2)),
)
BALANCED = Fact(
    "c Σ a² = c(1 + cL) Σ b² + cL² Σ Y² − L Y_j²",
    equal(c * A, c * (1 + c * L) * B_l + c * L**2 * C - L * Y**2),
    "derived",
)
BALANCE = Induction(
    BALANCED.name,
    BALANCED,
    obligation("nothing to balance", (), sympy.true),
    obligation(
        "one function more",
        (BALANCED, PULL, GO),
        equal(c * (A + a**2), c * (1 + c * L) * (B_l + b**2) + c * L**2 * (C + Y**2) - L * Y_next**2),
    ),
    start=((A, 0), (B_l, 0), (C, 0), (Y, 0)),
    next=((A, A + a**2), (B_l, B_l + b**2), (C, C + Y**2), (Y, Y_next)),
)
SHORT = hypothesis("γL(N − 2) ≤ N − 1", gamma * L * (N - 2) <= N - 1)
SHORTER = obligation(SHORT.name, (SMOOTH, GAMMA, LOCAL_STEP, STEP), SHORT.relation)
# The last function moves no place that counts, so the sums of b² end one earlier.
BEFORE_LAST: Places = {Y: Y_last, B_l: B_last, C: C_last, A: A_last, j: N - 1}
LAST = definition(
    "the last terms of Σ a² and Σ Y²", equal(A_N, A_last + a_last**2) & equal(C_N, C_last + Y_last**2)
)
PAID = obligation(
    "Nγ Σ_{j<N−1} a² = γ(N + γL) Σ b² + NγL² Σ Y² − LN² Y_{N−1}²",
    (STEP, BALANCED.at(BEFORE_LAST)),
    equal(
        N * gamma * A_last,
        gamma * (N + gamma * L) * B_last + N * gamma * L**2 * C_last - L * N**2 * Y_last**2,
    ),
)
NEAR = obligation(
    "N² Y_{N−1}² ≤ γ² (N − 1) Σ b²",
    (STEP, CAUCHY_FACT.at(BEFORE_LAST)),
    N**2 * Y_last**2 <= gamma**2 * (N - 1) * B_last,
)
NEARER = obligation(
    "2N² Σ_{j<N−1} Y² ≤ γ² (N − 1)(N − 2) Σ b²",
    (STEP, definition("‖x_{N−1} − x‖ ≥ 0", Y_last >= 0), SUMMED.at(BEFORE_LAST)),
    (2 * N**2 * C_last <= gamma**2 * (N - 1) * (N - 2) * B_last) & (B_last >= 0) & (C_last >= 0),
)
CLOSED = obligation(
    "(1/N) Σ ‖x_j − x‖² ≤ γ² (1/N) Σ ‖∇f_{i,j}(x)‖²",
    (
        SMOOTH,
        GAMMA,
        SHORT,
        STEP,
        LAST,
        PAID.conclusion,
        NEAR.conclusion,
        NEARER.conclusion,
    ),
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
SPREAD_LOCAL = hypothesis("(1/M) Σ Δ_i^inf ≥ 0, Δ_i^inf as in Lemma 8", Delta_local >= 0)
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
LEMMA8_NODES = (CAUCHY, TOTAL, BALANCE, PAID, NEAR, NEARER, CLOSED, MAJORISED, OVER_CLIENTS, FIRST)
