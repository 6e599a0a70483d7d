"""Our proof of one round, valid for clients drawn one by one.

Two changes to the paper's. The inequality of convexity keeps ‖∇f_i(w_τ) − ∇f_i(w*)‖²/(2L), and the mean of
the messages is measured from h_i = E ∇f_i(w*), whose mean is zero: ‖mean y_i‖² ≤ mean ‖y_i − h_i‖². Where c
mean ‖y_i‖² is added by sampling, the first pays for the second. Here a client whose message is kept; `cut` has the others.
"""

from __future__ import annotations

from verify.dp_normfedavg.lemmas.convexity import FACT2, L9_58, L9_U, LEMMA9_NODES, Q, p, ss, v2
from verify.dp_normfedavg.letters import (
    ETA,
    EXCESS,
    LOCAL,
    SB,
    SMOOTH,
    SV,
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
    summed,
    uy,
)
from verify.dp_normfedavg.theorems.theorem6_kept import REMAINDER, S24, S25, S25A, SQUARES, VALUES, B, gw, gy
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

c, phi = letters("c phi")
"""Excess of the sampling, and the share φ = min(1, ηLE) of ‖y − h‖² that co-coercivity pays for."""
q2, SQ, up, hh, Ah = letters("q2 SQdiff up hh A_h")
"""‖g_τ − ∇f_i(w*)‖², its sum over τ, ⟨u, h⟩, ‖h‖², and the client's share of the round (without −2ηEF and
the like)."""
EXCESS_RANGE = hypothesis("0 ≤ c ≤ 1", (c >= 0) & (c <= 1))
SHARE = definition(
    "φ = min(1, ηLE)",
    ((phi >= 0) & (eta * L * E <= 1) & equal(phi, eta * L * E)) | (equal(phi, 1) & (eta * L * E >= 1)),
)
DESCENT_K = standard("descent lemma from w_τ to w_k", fk <= ft + (gw - gy) + L / 2 * v2)
INTERPOLATION = standard(
    "interpolation: f_i convex and L-smooth, at w* from w_τ", fs >= ft - gy + q2 / (2 * L)
)

THREE_POINTS = obligation(
    "⟨g_τ, w_k − w*⟩ ≥ F − (L/2)‖w_k − w_τ‖² + ‖g_τ − g*‖²/(2L)",
    (DESCENT_K, INTERPOLATION, VALUES),
    gw >= F - L / 2 * v2 + q2 / (2 * L),
)
THREE_SUM = summed(
    "summed over τ",
    SB >= T * F - L / 2 * SV + SQ / (2 * L),
    {SB: 0, T: 0, SV: 0, SQ: 0},
    {SB: SB + gw, T: T + 1, SV: SV + v2, SQ: SQ + q2},
    (THREE_POINTS.conclusion, SMOOTH),
)
SPREAD = FACT2.conclusion.at({ss: U**2 - 2 * up + hh, p: E, Q: SQ}, "u − h = Σ (g_τ − g*)")
TRAVEL_SUM = summed(
    "Σ_τ ‖w_k − w_τ‖² ≤ 2η²L M E(E−1)(2E−1)/6",
    (2 * eta**2 * L * SQUARES * M >= SV) & equal(6 * SQUARES, T * (T - 1) * (2 * T - 1)),
    {SV: 0, SQUARES: 0, T: 0},
    {SV: SV + v2, SQUARES: SQUARES + T**2, T: T + 1},
    (L9_58.conclusion,),
)
SQUARES_CUBE = obligation(
    "E(E−1)(2E−1)/6 ≤ E³/3",
    (TRAVEL_SUM.conclusion.at({T: E}, "T = E"), LOCAL),
    3 * SQUARES <= E**3,
)
B_SHARP = obligation(
    "⟨u, w_k − w*⟩ ≥ E F − η²L² M Σ_{τ<E} τ² + ‖u − h‖²/(2LE)",
    (
        THREE_SUM.conclusion.at({T: E}, "T = E"),
        S24.conclusion,
        S25.conclusion,
        SPREAD,
        TRAVEL_SUM.conclusion.at({T: E}, "T = E"),
        SMOOTH,
        LOCAL,
    ),
    E * F - eta**2 * L**2 * SQUARES * M + (U**2 - 2 * up + hh) / (2 * L * E) <= B,
)
KEPT_SHARE = definition(
    "share of a client with ‖u‖ ≤ C: φ/(ηLE) of ‖u − h‖², the rest and c of ‖u‖²",
    equal(
        Ah * eta * L * E,
        eta * L * E * (-2 * eta * uy)
        + eta**2 * (phi * (U**2 - 2 * up + hh) + (eta * L * E - phi) * U**2 + c * eta * L * E * U**2),
    ),
)
SHIFTED = standard("‖u − h‖² ≥ 0", U**2 - 2 * up + hh >= 0)
KEPT_A = obligation(
    "a client with ‖u‖ ≤ C, before Lemma 9",
    (KEPT_SHARE, SHARE, B_SHARP.conclusion, S24.conclusion, ETA, SMOOTH, LOCAL, SHIFTED),
    Ah * eta * L * E
    <= eta * L * E * (-2 * eta * E * F + 2 * eta**3 * L**2 * SQUARES * M + c * eta**2 * U**2)
    + eta**2 * (eta * L * E - phi) * U**2,
)
KEPT_PRINTED = obligation(
    "a client with ‖u‖ ≤ C keeps the bound (32)",
    (
        KEPT_A.conclusion,
        L9_U.conclusion,
        SQUARES_CUBE.conclusion,
        EXCESS,
        SHARE,
        EXCESS_RANGE,
        ETA,
        SMOOTH,
        LOCAL,
    ),
    Ah <= -2 * eta * E * F + REMAINDER * M,
)
SHARP_NODES = (
    *LEMMA9_NODES, S24, S25A, S25, THREE_POINTS, THREE_SUM, TRAVEL_SUM, B_SHARP,
)  # fmt: skip
KEPT_NODES = (*SHARP_NODES, SQUARES_CUBE, KEPT_A, KEPT_PRINTED)
