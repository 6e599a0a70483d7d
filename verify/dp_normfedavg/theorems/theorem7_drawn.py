"""Theorem 7 with clients drawn one by one: the second moment of normalised messages adds a term to the bound.

A message of norm C adds cη²C² to a round, c = 1/r − 1/n, and cηEĈ² to the bound. Where cηLE ≤ λ − 1083/1000, with the λ of
`harmonic`, a client whose update is cut pays for its message by itself: what it sends is its clipped message, and its pull towards w*
is more than the theorem takes from it. Then only kept clients count.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem7 as printed
from verify.case import Case
from verify.dp_normfedavg.lemmas.convexity import FACT2, ss
from verify.dp_normfedavg.letters import (
    CLIPPED,
    CUT,
    ETA,
    LOCAL,
    SMOOTH,
    A,
    C,
    E,
    L,
    U,
    eta,
    summed,
    uy,
    y2,
)
from verify.dp_normfedavg.ours.cut import SIZES, STAR, THRESHOLDED, UNITS, margin, t
from verify.dp_normfedavg.ours.harmonic import BETTER, INNER, INNER_NODES, LEAST, lam
from verify.dp_normfedavg.theorems.choices import QUARTER
from verify.dp_normfedavg.theorems.rounds import (
    ALPHA,
    AM,
    CHAT,
    CHAT_IS,
    CHOSEN,
    INDICATOR,
    MEAN_2,
    MEAN_Y,
    NOISE_PER_ROUND,
    PER_ROUND,
    PLAIN,
    POSITIVE,
    ROUNDS6,
    S11,
    SA,
    SECOND_HERE,
    STEP6,
    SY,
    SZ,
    TOTAL,
    TOTALS,
    TY,
    TZ,
    YM,
    Dk,
    K,
    ai,
    alpha,
    average,
    distance,
    gamma,
    ind,
    j,
    rho,
    yi,
    ym,
    zi,
    zm,
)
from verify.dp_normfedavg.theorems.rounds import (
    LAST as END,
)
from verify.dp_normfedavg.theorems.sampling import (
    CLIENTS,
    EXCESS_IS,
    c,
    d,
    mean2,
    meanQ,
    n,
    sigma2,
    yn2,
)
from verify.dp_normfedavg.theorems.theorem7 import (
    CASE1,
    CASE2,
    FINAL7_FACTOR,
    MEAN7,
    NORM_OR_ZERO,
    ONE_ROUND,
    S47_FACTOR,
    SENT,
    SHARE,
    TD7,
    TI,
    Y7,
    Z7,
    a2i,
    ay,
    share,
    total7,
    zDelta,
)
from verify.facts import definition, equal, hypothesis, letters
from verify.obligation import obligation
from verify.proof import Node

SHORT = hypothesis("‖norm(u_i, C)‖ ≤ C for every client", (meanQ >= 0) & (meanQ <= C**2))
MEANS_40 = definition("mean of A_i over the clients", equal(AM, -2 * eta * YM + eta**2 * meanQ))
ROUND_40 = obligation(
    "(40), clients drawn one by one",
    (S11.conclusion, SECOND_HERE, PLAIN, SHORT, MEAN_2, TOTALS, MEANS_40, MEAN_Y, CLIENTS, EXCESS_IS, ETA),
    yn2 <= y2 + AM + eta**2 * d * sigma2 + c * eta**2 * C**2,
)

# The same with each client's own part of the excess: B_i = A_i + cη²‖norm(u_i, C)‖².
MEANS = definition(
    "mean of A_i + cη²‖norm(u_i, C)‖² over the clients",
    equal(AM, -2 * eta * YM + eta**2 * (1 + c) * meanQ) & equal(mean2, ss / n**2),
)
ROUND = obligation(
    "(40), clients drawn one by one, client by client",
    (S11.conclusion, SECOND_HERE, PLAIN, TOTALS, MEANS, MEAN_Y, CLIENTS, ETA),
    yn2 <= y2 + AM + eta**2 * d * sigma2,
)

NONNEGATIVE = obligation("c ≥ 0", (CLIENTS, EXCESS_IS), c >= 0)

# A client whose update is cut: its message is tu with t = C/‖u‖, as under clipping.
NO_SMALLER = obligation("λ ≥ 2 − ηL", (BETTER, LEAST), lam >= 2 - eta * L)
SPARE = 1000 * c * eta * L * E <= 1000 * lam - 1083
LEFT = obligation(
    "what its pull leaves after its whole message, where cηLE ≤ λ − 1083/1000",
    (SIZES.conclusion, THRESHOLDED.conclusion, STAR.conclusion, NO_SMALLER.conclusion, NONNEGATIVE.conclusion, UNITS),
    sympy.Implies(SPARE, 8 * margin(0) >= 3 * t),
)  # fmt: skip
MESSAGE = obligation(
    "norm(u, C) = tu of a cut client",
    (NORM_OR_ZERO, UNITS, CLIPPED, CUT),
    equal(ay, t * uy) & equal(a2i, t**2 * U**2),
)
CUT_DRAWN = obligation(
    "a cut client in units of ‖u‖, drawn",
    (SENT, MESSAGE.conclusion, INNER.conclusion, UNITS, SIZES.conclusion, ETA, SMOOTH, LOCAL),
    (A + c * eta**2 * a2i) * L * E <= -eta * U**2 * margin(0),
)
CUT_PAYS = obligation(
    "(41), drawn: where cηLE ≤ λ − 1083/1000 a cut client pays for its message",
    (CUT_DRAWN.conclusion, LEFT.conclusion, UNITS, CLIPPED, CUT, CHAT_IS, ETA, SMOOTH, LOCAL),
    sympy.Implies(SPARE, A + c * eta**2 * a2i <= -3 * eta * CHAT / (8 * L) * U),
)
CASE1_DRAWN = Case(
    "(41), drawn",
    CLIPPED,
    (FACT2, *INNER_NODES, SIZES, THRESHOLDED, STAR, NO_SMALLER, LEFT, MESSAGE, CUT_DRAWN, CUT_PAYS),
)

# All clients.
q = letters("q_i")[0]
COUNTED = definition(
    "q_i = 1; for a cut client 0 where cηLE ≤ λ − 1083/1000",
    (SPARE & equal(q, ind)) | (sympy.Not(SPARE) & equal(q, 1)),
)
S46_DRAWN = obligation(
    "(46), drawn",
    (
        CASE1.conclusion, CASE1_DRAWN.conclusion, CASE2.conclusion, COUNTED, NORM_OR_ZERO, INDICATOR, NONNEGATIVE.conclusion,
        CHAT_IS, SMOOTH, LOCAL,
    ),
    eta * E * (Y7 + c * q * eta * CHAT**2 * E - Z7) >= A + c * eta**2 * a2i,
)  # fmt: skip
CLIENT_DRAWN = definition(
    "z_i and y_i are the two sums in (46), drawn",
    equal(zi, Z7) & equal(yi, Y7 + c * q * eta * CHAT**2 * E) & equal(ai, A + c * eta**2 * a2i),
)
S46_NAMED = obligation(
    "(46), drawn, in letters", (S46_DRAWN.conclusion, CLIENT_DRAWN), eta * E * (yi - zi) >= ai
)
SUM46_DRAWN = summed(
    "(46), drawn, summed over clients",
    -eta * E * (SZ - SY) >= SA,
    {SA: 0, SZ: 0, SY: 0},
    {SA: SA + ai, SZ: SZ + zi, SY: SY + yi},
    (S46_NAMED.conclusion,),
)
ROUND7_DRAWN = obligation(
    "(40) with (46), drawn", (ROUND.conclusion, SUM46_DRAWN.conclusion, *PER_ROUND), ONE_ROUND
)
RECURSION7_DRAWN = summed(
    "(40) with (46), drawn, summed over rounds",
    Dk + eta * E * (TZ - TY) <= distance**2 + j * NOISE_PER_ROUND,
    {Dk: distance**2, TZ: 0, TY: 0, j: 0},
    {Dk: yn2, TZ: TZ + zm, TY: TY + ym, j: j + 1},
    (ROUND7_DRAWN.conclusion.at({y2: Dk}, "round j"),),
)
TQ, counted = letters("TQ counted")
"""TQ = Σ mean q_i over the rounds, counted = TQ/K."""
SPLIT_DRAWN = definition(
    "Σ y_i by its three parts",
    equal(TY, 4 * eta**2 * L**2 * E**2 * TD7 + eta * CHAT**2 * E * (TI + c * TQ)) & equal(counted, TQ / K),
)
TOTAL7_DRAWN = obligation(
    "(40) with (46), drawn, K rounds",
    (RECURSION7_DRAWN.conclusion.at({j: K}, "j = K"), END, SPLIT_DRAWN, ETA, LOCAL, TOTAL),
    total7 + c * eta * CHAT**2 * E * counted >= TZ / K,
)
EXTRA = c * gamma * CHAT / (L * K * rho)
"""What sampling adds to Theorem 7, first part, where all clients count; c (E/α) Ĉ²/(2L) ρ in the second."""
S47_DRAWN = obligation(
    "(47), drawn",
    (TOTAL7_DRAWN.conclusion, STEP6, MEAN7, *POSITIVE),
    average <= printed.theorem7(**CHOSEN, K=K, share_kept=share, z_Delta=zDelta) + EXTRA * counted,
)
RANGE = hypothesis("0 ≤ q_i ≤ 1", (counted >= 0) & (counted <= 1))
SPARE_SHOWN = obligation(
    "cηLE ≤ λ − 1083/1000 where 1/r − 1/n ≤ 2.66",
    (QUARTER.conclusion, NO_SMALLER.conclusion, NONNEGATIVE.conclusion, ETA, SMOOTH, LOCAL),
    sympy.Implies(50 * c <= 133, SPARE),
)
FINAL7_DRAWN = obligation(
    "Theorem 7, second part, drawn",
    (S47_DRAWN.conclusion, ROUNDS6, SHARE, RANGE, ALPHA, *POSITIVE),
    average
    <= printed.theorem7_specific(**CHOSEN, E=E, alpha=alpha, z_Delta=zDelta)
    + c * E / alpha * CHAT**2 / (2 * L) * rho * counted,
)


def nodes(cut: tuple[Node, ...] = (CASE1, CASE1_DRAWN)) -> tuple[Node, ...]:
    """The first part; cut: what says that a cut client keeps (41), and pays for its message."""
    return (
        NONNEGATIVE, ROUND, *cut, CASE2, S46_DRAWN, S46_NAMED, SUM46_DRAWN, ROUND7_DRAWN, RECURSION7_DRAWN, TOTAL7_DRAWN, S47_FACTOR,
        S47_DRAWN,
    )  # fmt: skip


SPECIFIC_NODES = (QUARTER, NO_SMALLER, SPARE_SHOWN, FINAL7_FACTOR, FINAL7_DRAWN)
