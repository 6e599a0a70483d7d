"""Theorem 6, case 2 (‖u‖ ≤ C): equations (23) to (32)."""

from __future__ import annotations

from verify.dp_normfedavg.lemmas.convexity import L9_58, L9_U, LEMMA9_NODES, v2
from verify.dp_normfedavg.letters import (
    CONVEX_STAR,
    ETA,
    EXCESS,
    LOCAL,
    SB,
    SMOOTH,
    SV,
    A,
    Delta,
    E,
    F,
    L,
    M,
    T,
    U,
    eta,
    fk,
    fs,
    ft,
    gy,
    summed,
    uy,
)
from verify.dp_normfedavg.theorems.theorem6_cut import SENT, a2, ay
from verify.facts import definition, equal, letters, standard
from verify.obligation import obligation

CLIP_KEEPS = definition("clip(u, C) = u", equal(ay, uy) & equal(a2, U**2))

S23A = obligation("(23), equality", (SENT, CLIP_KEEPS), equal(A, -2 * eta * uy + eta**2 * U**2))
S23 = obligation(
    "(23)",
    (S23A.conclusion, L9_U.conclusion, ETA),
    -2 * eta * uy + 2 * eta**2 * L * E**2 * M >= A,
)

B, gw, gv, hv, dv = letters("B gw gv hv dv")
"""B_i; and at step τ ⟨g_τ, w_k − w*⟩, ⟨g_τ, w_k − w_τ⟩, ⟨∇f_i(w_k), w_k − w_τ⟩, ⟨g_τ − ∇f_i(w_k), w_k −
w_τ⟩."""
SPLIT = definition("w_k − w* = (w_τ − w*) + (w_k − w_τ)", equal(gw, gy + gv))
SPLIT_G = definition("g_τ = ∇f_i(w_k) + (g_τ − ∇f_i(w_k))", equal(gv, hv + dv))
B_IS = definition("B_i = ⟨u, w_k − w*⟩, u = Σ_τ g_τ", equal(B, uy))
CONVEX_K = standard("f_i is convex, at w_τ from w_k", ft >= fk - hv)
CAUCHY = standard("L-smooth and Cauchy–Schwarz: ⟨g_τ − ∇f_i(w_k), w_k − w_τ⟩ ≥ −L‖w_k − w_τ‖²", dv >= -L * v2)
VALUES = definition("f_i(w_k) − f_i(w*)", equal(F, fk - fs))

S24 = obligation("(24)", (B_IS,), equal(B, uy))
S25A = summed(
    "⟨Σ_τ g_τ, w_k − w*⟩ = Σ_τ ⟨g_τ, w_k − w*⟩", equal(uy, SB), {uy: 0, SB: 0}, {uy: uy + gw, SB: SB + gw}, ()
)  # fmt: skip
S25 = obligation("(25)", (B_IS, S25A.conclusion), equal(B, SB))
S26 = obligation("(26), one term", (SPLIT,), equal(gw, gy + gv))
S27 = obligation("(27), one term", (S26.conclusion, CONVEX_STAR, SPLIT_G), gw >= ft - fs + hv + dv)
_28 = ft - fs + fk - ft - L * v2
S28_LESS = obligation("(28), one term after (27)", (CONVEX_K, CAUCHY), ft - fs + hv + dv >= _28)
S28 = obligation("(28), one term", (S27.conclusion, CONVEX_K, CAUCHY), gw >= _28)
SR = letters("SR")[0]
"""Σ_τ of the terms of (28)."""
_29 = T * F - L * SV
S29_SAME = summed(
    "(29), equality",
    equal(SR, _29),
    {SR: 0, T: 0, SV: 0},
    {SR: SR + _28, T: T + 1, SV: SV + v2},
    (VALUES,),
)
S29A = summed(
    "(29), summed",
    SB >= _29,
    {SB: 0, T: 0, SV: 0},
    {SB: SB + gw, T: T + 1, SV: SV + v2},
    (S28.conclusion, VALUES),
)
S29 = obligation("(29)", (S29A.conclusion.at({T: E}, "T = E"), S25.conclusion), B >= E * F - L * SV)
S30 = obligation("(30)", (L9_58.conclusion,), v2 <= 2 * eta**2 * L * T**2 * M)
SQUARES = letters("SQ")[0]
"""Σ_{τ<T} τ² with bound T³/3."""
S31A = summed(
    "(31), summed (30) and Σ_{τ<T} τ² ≤ T³/3",
    (2 * eta**2 * L * SQUARES * M >= SV) & (3 * SQUARES <= T**3) & (T >= 0),
    {SV: 0, SQUARES: 0, T: 0},
    {SV: SV + v2, SQUARES: SQUARES + T**2, T: T + 1},
    (S30.conclusion,),
)
_31_FIRST = E * F - 2 * eta**2 * L**2 * SQUARES * M
_31 = E * F - 2 * eta**2 * L**2 * E**3 * M
S31B = obligation(
    "(31), first inequality",
    (S29.conclusion, S31A.conclusion.at({T: E}, "T = E"), SMOOTH),
    _31_FIRST <= B,
)
S31_LESS = obligation(
    "(31), second inequality", (S31A.conclusion.at({T: E}, "T = E"), EXCESS, LOCAL), _31_FIRST >= _31
)
S31 = obligation("(31)", (S31B.conclusion, S31A.conclusion.at({T: E}, "T = E"), EXCESS, LOCAL), _31 <= B)
_32_FIRST = -2 * eta * E * F + 4 * eta**3 * L**2 * E**3 * M + 2 * eta**2 * L * E**2 * M
S32A = obligation("(32), first line", (S23.conclusion, S24.conclusion, S31.conclusion, ETA), _32_FIRST >= A)
REMAINDER = 2 * eta**2 * L * E**2 + 4 * eta**3 * L**2 * E**3
FACTOR = 2 - 2 * eta * L * E - 4 * eta**2 * L**2 * E**2
_32 = -eta * E * FACTOR * F + REMAINDER * Delta
S32_SAME = obligation("(32), equality", (EXCESS,), equal(_32_FIRST, _32))
S32 = obligation("(32)", (S32A.conclusion, EXCESS), _32 >= A)

KEPT_NODES = (
    *LEMMA9_NODES, S23A, S23, S24, S25A, S25, S26, S27, S28, S29A, S29, S30, S31A, S31B, S31, S32A, S32,
)  # fmt: skip
DRIFT_NODES = (*LEMMA9_NODES, S24, S25A, S25, S26, S27, S28, S29A, S29, S30, S31A, S31B, S31)

STEPS = (
    ("23", (*LEMMA9_NODES, S23A, S23)),
    ("24", (S24,)),
    ("25", (S25A, S25)),
    ("26", (S26,)),
    ("27", (S27,)),
    ("28", (S28_LESS, S28)),
    ("29", (S29_SAME, S29A, S29)),
    ("30", (*LEMMA9_NODES, S30)),
    ("31", (S31A, S31B, S31_LESS, S31)),
    ("32", (S32A, S32_SAME, S32)),
)  # fmt: skip
"""(equation, the nodes that decide it)."""
