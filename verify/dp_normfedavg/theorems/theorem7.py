"""Theorem 7: equations (40) to (47). What clients drawn one by one add: `theorem7_drawn`.

The printed steps divide by ‖u‖. Neither they nor the theorem need that: with norm(0, C) = 0 they hold whatever number z ≥ 0 stands in
the place of ĈE/‖u‖ where u = 0 (w_k minimises f_i there). Case 1 is Theorem 6's, as norm(u, C) = clip(u, C) where ‖u‖ > C.
"""

from __future__ import annotations

from bounds.dp_normfedavg import theorem7 as printed
from verify.case import Case
from verify.dp_normfedavg.lemmas.convexity import FACT2, LEMMA8_NODES
from verify.dp_normfedavg.letters import (
    CLIPPED,
    CUT,
    ETA,
    EXCESS,
    KEPT,
    LOCAL,
    SMOOTH,
    A,
    C,
    Delta,
    E,
    F,
    L,
    M,
    U,
    eta,
    summed,
    uy,
    y2,
)
from verify.dp_normfedavg.theorems import theorem6_cut, theorem6_kept
from verify.dp_normfedavg.theorems.rounds import (
    ALPHA,
    CHAT,
    CHAT_IS,
    CHAT_POS,
    CHOSEN,
    INDICATOR,
    LAST,
    NOISE_PER_ROUND,
    PER_ROUND,
    POSITIVE,
    ROUNDS6,
    S13,
    SA,
    STEP6,
    SY,
    SZ,
    TOTAL,
    TY,
    TZ,
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
from verify.dp_normfedavg.theorems.sampling import yn2
from verify.dp_normfedavg.theorems.theorem6_kept import S24, S31, B
from verify.facts import definition, equal, hypothesis, letters
from verify.obligation import Obligation, obligation

ay, a2i = letters("norm_y norm2")
z = letters("z")[0]
SENT = definition("A_i of (40)", equal(A, -2 * eta * ay + eta**2 * a2i))
NORM_OR_ZERO = definition(
    "norm(u, C) = (C/‖u‖) u, and 0 where u = 0",
    ((U > 0) & equal(U * ay, C * uy) & equal(a2i, C**2))
    | (equal(U, 0) & equal(uy, 0) & equal(ay, 0) & equal(a2i, 0)),
)
Z_OR_ANY = definition(
    "z = ĈE/‖u‖, and any z ≥ 0 where u = 0", ((U > 0) & equal(z * U, CHAT * E)) | (equal(U, 0) & (z >= 0))
)
SAME = obligation(
    "norm(u, C) = clip(u, C) where ‖u‖ > C",
    (NORM_OR_ZERO, theorem6_cut.CLIP_CUTS, CLIPPED, CUT),
    equal(ay, theorem6_cut.ay) & equal(a2i, theorem6_cut.a2),
)
S14 = Obligation(
    "(14), of A_i of (40)",
    (SENT, SAME.conclusion, theorem6_cut.CLIP_CUTS, CLIPPED, CUT),
    theorem6_cut.S14.conclusion,
)
CASE1 = Case("(22)", CLIPPED, (*LEMMA8_NODES, FACT2, SAME, S14, *theorem6_cut.FROM_15))
S41 = obligation(
    "(41)", (CASE1.conclusion, CLIPPED, CHAT_IS, SMOOTH, LOCAL), -3 * eta * CHAT / (8 * L) * U >= A
)
S42 = obligation(
    "(42)",
    (SENT, NORM_OR_ZERO, Z_OR_ANY, CHAT_IS, S24.conclusion, LOCAL),
    z * (-2 * eta * B) + eta**2 * CHAT**2 * E**2 >= A,
)
S43 = obligation(
    "(43)", (Z_OR_ANY, CHAT_POS, LOCAL), (z >= 0) & (((U > 0) & equal(z * U, CHAT * E)) | equal(U, 0))
)
S44 = obligation("(44)", (S31.conclusion,), E * F - 2 * eta**2 * L**2 * E**3 * M <= B)
_45_FIRST = -2 * eta * E * z * (F - 2 * eta**2 * L**2 * E**2 * M) + eta**2 * CHAT**2 * E**2
_45 = (
    -2 * eta * E * z * (F * (1 - 2 * eta**2 * L**2 * E**2) - 2 * eta**2 * L**2 * E**2 * Delta)
    + eta**2 * CHAT**2 * E**2
)
S45_FIRST = obligation(
    "(45), first line",
    (S42.conclusion, S44.conclusion, Z_OR_ANY, CHAT_POS, ETA, LOCAL),
    _45_FIRST >= A,
)
S45_SAME = obligation("(45), equality", (EXCESS,), equal(_45_FIRST, _45))
S45 = obligation("(45)", (S45_FIRST.conclusion, S45_SAME.conclusion), _45 >= A)
CASE2 = Case("(45) in case 2", KEPT, (*theorem6_kept.DRIFT_NODES, S42, S44, S45_FIRST, S45_SAME, S45))
Y7 = ind * (4 * eta**2 * L**2 * E**2 * Delta * z + eta * CHAT**2 * E)
Z7 = ind * (2 - 4 * eta**2 * L**2 * E**2) * z * F + (1 - ind) * 3 * CHAT * U / (8 * L * E)
S46 = obligation(
    "(46)", (CASE1.conclusion, CASE2.conclusion, INDICATOR, CHAT_IS, SMOOTH, LOCAL), eta * E * (Y7 - Z7) >= A
)
CLIENT7 = definition("z_i and y_i are the two sums in (46)", equal(zi, Z7) & equal(yi, Y7) & equal(ai, A))
SUM46 = summed(
    "(46), summed over clients",
    -eta * E * (SZ - SY) >= SA,
    {SA: 0, SZ: 0, SY: 0},
    {SA: SA + ai, SZ: SZ + zi, SY: SY + yi},
    (S46.conclusion, CLIENT7),
)


ONE_ROUND = yn2 <= y2 - eta * E * (zm - ym) + eta**2 * E**2 * CHAT**2 * K * rho**2
ROUND7 = obligation("(40) with (46)", (S13.conclusion, SUM46.conclusion, *PER_ROUND), ONE_ROUND)

# K rounds. TD7 = Σ mean 1(·) z_i Δ_i*, TI = Σ mean 1(·).
TD7, TI, zDelta, share = letters("TD7 TI z_Delta share")
RECURSION7 = summed(
    "(40) with (46), summed over rounds",
    Dk + eta * E * (TZ - TY) <= distance**2 + j * NOISE_PER_ROUND,
    {Dk: distance**2, TZ: 0, TY: 0, j: 0},
    {Dk: yn2, TZ: TZ + zm, TY: TY + ym, j: j + 1},
    (ROUND7.conclusion.at({y2: Dk}, "round j"),),
)
SPLIT7 = definition(
    "Σ y_i by its two parts", equal(TY, 4 * eta**2 * L**2 * E**2 * TD7 + eta * CHAT**2 * E * TI)
)
MEAN7 = definition(
    "mean over k̃ ~ unif[0, K−1]",
    equal(average, TZ / K) & equal(zDelta, TD7 / K) & equal(share, TI / K),
)
total7 = (
    distance**2 / (eta * E * K)
    + eta * E * K * CHAT**2 * rho**2
    + 4 * eta**2 * L**2 * E**2 * TD7 / K
    + eta * CHAT**2 * E * TI / K
)
TOTAL7 = obligation(
    "(40) with (46), K rounds",
    (RECURSION7.conclusion.at({j: K}, "j = K"), LAST, SPLIT7, ETA, LOCAL, TOTAL),
    total7 >= TZ / K,
)
S47_FACTOR = obligation(
    "(47), factor",
    (STEP6, *POSITIVE),
    equal(2 - 4 * eta**2 * L**2 * E**2, printed.factor(gamma, CHAT, K, rho)),
)
S47 = obligation(
    "(47)",
    (TOTAL7.conclusion, STEP6, MEAN7, *POSITIVE),
    average <= printed.theorem7(**CHOSEN, K=K, share_kept=share, z_Delta=zDelta),
)
SHARE = hypothesis("0 ≤ 1(·) ≤ 1", (share >= 0) & (share <= 1) & (zDelta >= 0))
FINAL7 = obligation(
    "Theorem 7, second part",
    (S47.conclusion, ROUNDS6, SHARE, ALPHA, *POSITIVE),
    average <= printed.theorem7_specific(**CHOSEN, E=E, alpha=alpha, z_Delta=zDelta),
)
FINAL7_FACTOR = obligation(
    "Theorem 7, second part, factor",
    (S47_FACTOR.conclusion, ROUNDS6, ALPHA, *POSITIVE),
    equal(2 - 4 * eta**2 * L**2 * E**2, 2 - rho**2 * E**2 / alpha**2),
)
GENERAL_NODES = (CASE1, CASE2, S46, SUM46, ROUND7, RECURSION7, TOTAL7, S47_FACTOR, S47)
SPECIFIC_NODES = (FINAL7_FACTOR, FINAL7)

STEPS = (
    ("41", (CASE1, S41)),
    ("42", (S24, S42)),
    ("43", (S43,)),
    ("44", (S44,)),
    ("45", (S42, S45_FIRST, S45_SAME, S45)),
    ("46", (S46,)),
)  # fmt: skip
"""(equation, the nodes that decide it); (40) and (47) have claims of their own."""
