"""Our proof of one round, valid for clients drawn one by one.

Two changes to the paper's. The inequality of convexity keeps ‖∇f_i(w_τ) − ∇f_i(w*)‖²/(2L), and the mean of
the messages is measured from h_i = E ∇f_i(w*), whose mean is zero: ‖mean y_i‖² ≤ mean ‖y_i − h_i‖². Where c
mean ‖y_i‖² is added by sampling, the first pays for the second.
"""

from __future__ import annotations

import sympy

from verify.dp_normfedavg.clipped import FACT2_HERE
from verify.dp_normfedavg.convexity import FACT2, L9_58, L9_U, LEMMA9_NODES, Q, p, ss, v2
from verify.dp_normfedavg.kept import REMAINDER, S24, S25, SQUARES, VALUES, B, gw, gy
from verify.dp_normfedavg.letters import (
    CLIPPED,
    CUT,
    ETA,
    EXCESS,
    HALF,
    LAST,
    LOCAL,
    LOCAL_STEP,
    SB,
    SMOOTH,
    SV,
    THRESHOLD,
    C,
    Delta,
    E,
    F,
    L,
    M,
    S,
    T,
    U,
    equal,
    eta,
    fk,
    fm,
    fs,
    ft,
    g2,
    letters,
    summed,
    uy,
    wE2,
    x2,
    x2n,
    y2,
)
from verify.facts import definition, hypothesis, standard
from verify.obligation import obligation

c, phi = letters("c phi")
"""Excess of the sampling, and the share φ = min(1, ηLE) of ‖y − h‖² that co-coercivity pays for."""
q2, SQ, up, hh, Ah = letters("q2 SQdiff up hh A_h")
"""‖g_τ − ∇f_i(w*)‖², its sum over τ, ⟨u, h⟩, ‖h‖², and the client's share of the round (without −2ηEF and
the like)."""
EXCESS_RANGE = hypothesis("0 ≤ c ≤ 1", (c >= 0) & (c <= 1))
EXCESS_STEP = hypothesis("cηLE + ηL ≤ 3/2", 2 * (c * eta * L * E + eta * L) <= 3)
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
    "⟨u, w_k − w*⟩ ≥ E F − η²L² SQUARES M + ‖u − h‖²/(2LE)",
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
    *LEMMA9_NODES, S24, S25, THREE_POINTS, THREE_SUM, TRAVEL_SUM, B_SHARP,
)  # fmt: skip
KEPT_NODES = (*SHARP_NODES, SQUARES_CUBE, KEPT_A, KEPT_PRINTED)

# A clipped client: per step with both gains, then the chain to (22).
FACT1_HERE = standard("Fact 1 at w_τ", g2 <= 2 * L * (ft - fm))
GAP_IS = definition("Δ_i* = f_i(w*) − f_i*", equal(Delta, fs - fm))
CUT_STEP = obligation(
    "one local step with both gains",
    (LOCAL_STEP, INTERPOLATION, FACT1_HERE, GAP_IS, ETA, SMOOTH),
    x2n <= x2 - (eta / L - eta**2) * g2 - eta / L * q2 + 2 * eta * Delta,
)
xT2 = letters("xT2")[0]
CUT_SUM = summed(
    "E local steps with both gains",
    xT2 <= y2 - (eta / L - eta**2) * S - eta / L * SQ + 2 * eta * T * Delta,
    {xT2: y2, S: 0, SQ: 0, T: 0},
    {xT2: x2n, S: S + g2, SQ: SQ + q2, T: T + 1},
    (CUT_STEP.conclusion.at({x2: xT2}, "from w_{k,T}"),),
)
CUT_INNER = obligation(
    "2⟨u, w_k − w*⟩ from below",
    (CUT_SUM.conclusion.at({xT2: wE2, T: E}, "T = E"), LAST, FACT2_HERE, SPREAD, ETA, SMOOTH, LOCAL, HALF),
    2 * uy >= (1 - eta * L) / (L * E) * U**2 + (U**2 - 2 * up + hh) / (L * E) - 2 * E * Delta + eta * U**2,
)
mu, s, t, H, a, b = letters("mu s t H a b")
"""Everything in units of ‖u‖: μ = ηL, s = ηLE, t = C/‖u‖, H = 2LE²Δ/‖u‖², a = ⟨u, h⟩/‖u‖², b = ‖h‖²/‖u‖²."""
UNITS = definition(
    "in units of ‖u‖",
    equal(mu, eta * L) & equal(s, eta * L * E) & equal(t * U, C) & equal(H * U**2, 2 * L * E**2 * Delta)
    & equal(a * U**2, up) & equal(b * U**2, hh),
)  # fmt: skip
H_STAR = standard("Cauchy–Schwarz for h = E ∇f_i(w*): ⟨u, h⟩² ≤ ‖u‖²‖h‖²", (up**2 <= U**2 * hh) & (hh >= 0))
FACT1_STAR = standard("Fact 1 at w*, times E²", hh <= E**2 * 2 * L * Delta)
SIZES = obligation(
    "0 < C/‖u‖ < 1, ηL ≤ 1/2, ηL ≤ ηLE", (UNITS, CLIPPED, CUT, ETA, SMOOTH, LOCAL, HALF),
    (t > 0) & (t <= 1) & (mu >= 0) & (2 * mu <= 1) & (mu <= s),
)  # fmt: skip
THRESHOLDED = obligation("2LE²Δ ≤ C²/8 in units of ‖u‖", (UNITS, THRESHOLD, CLIPPED, CUT), t**2 >= 8 * H)
STAR = obligation(
    "‖h‖² ≤ 2LE²Δ in units of ‖u‖",
    (UNITS, H_STAR, FACT1_STAR, CLIPPED, CUT),
    (b >= 0) & (b <= H) & (a**2 <= b),
)
EXCESS_UNITS = obligation("cηLE + ηL ≤ 3/2 in units", (UNITS, EXCESS_STEP), 2 * (c * s + mu) <= 3)
SCALED = (
    SIZES.conclusion, THRESHOLDED.conclusion, STAR.conclusion, EXCESS_UNITS.conclusion, EXCESS_RANGE,
)  # fmt: skip


def margin(share: sympy.Expr | int) -> sympy.Expr:
    """What is left of −LE A_h/(η‖u‖²), with `share` for φ."""
    gain = t * ((1 - mu + s) + (1 - 2 * a + b) - H)
    return gain - share * (t**2 - 2 * t * a + b) - (s - share) * t**2 - c * s * t**2


CUT_SHORT = obligation("margin where ηLE ≤ 1", SCALED, sympy.Implies(s <= 1, 8 * margin(s) >= 3 * t))
CUT_LONG = obligation("margin where ηLE ≥ 1", SCALED, sympy.Implies(s >= 1, 8 * margin(1) >= 3 * t))
CUT_MARGIN = obligation(
    "margin", (CUT_SHORT.conclusion, CUT_LONG.conclusion, SHARE, UNITS), 8 * margin(phi) >= 3 * t
)
CUT_SHARE = definition(
    "share of a client with ‖u‖ > C: its message is tu",
    equal(
        Ah * s,
        s * (-2 * eta * t * uy)
        + eta**2 * (phi * (t**2 * U**2 - 2 * t * up + hh) + (s - phi) * t**2 * U**2 + c * s * t**2 * U**2),
    ),
)
CUT_UNITS = obligation(
    "a clipped client in units of ‖u‖",
    (CUT_SHARE, CUT_INNER.conclusion, UNITS, SIZES.conclusion, ETA, SMOOTH, LOCAL),
    Ah * L * E <= -eta * U**2 * margin(phi),
)
CUT_PRINTED = obligation(
    "a clipped client keeps the bound (22)",
    (CUT_UNITS.conclusion, CUT_MARGIN.conclusion, UNITS, SIZES.conclusion, CLIPPED, CUT, ETA, SMOOTH, LOCAL),
    Ah <= -3 * eta * C / (8 * L * E) * U,
)
CUT_NODES = (
    FACT2, CUT_STEP, CUT_SUM, CUT_INNER, SIZES, THRESHOLDED, STAR, EXCESS_UNITS, CUT_SHORT, CUT_LONG, CUT_MARGIN,
    CUT_UNITS, CUT_PRINTED,
)  # fmt: skip
