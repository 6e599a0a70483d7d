"""Normalisation for any clients, without Δ_i*: what (3) says of heterogeneity is not needed.

Gradients do not grow along a client's local steps (Lemma 10, repaired). So ‖w_k − w_τ‖ ≤ ητ‖∇f_i(w_k)‖, the update is not much
shorter than E‖∇f_i(w_k)‖, and what the local steps cost, z_i Σ_τ ‖w_k − w_τ‖² with z_i = C/‖u_i‖, is bounded by G and η alone: neither
a minimum of f_i nor its value enters. Where u_i = 0, ∇f_i(w_k) is 0 as well, and f_i(w_k) ≤ f_i(w*): norm(u_i, C) is taken as 0, and
z_i may be any number ≥ 0.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import repaired
from bounds.dp_normfedavg import theorem4 as four
from verify.case import closed
from verify.dp_normfedavg.lemmas.convexity import FACT2, L10_63, LEMMA10_NODES, difference, gg, p, qq, v2
from verify.dp_normfedavg.letters import (
    CONVEX_STAR,
    ETA,
    LOCAL,
    NORM_U,
    SB,
    SMOOTH,
    SV,
    A,
    C,
    E,
    F,
    L,
    T,
    U,
    eta,
    fk,
    ft,
    summed,
    uy,
    y2,
)
from verify.dp_normfedavg.ours import claims as ours
from verify.dp_normfedavg.ours.claims import MESSAGE, NO_UPDATE, RANGE, SENT, SHORT, TG, cost, gain
from verify.dp_normfedavg.theorems import rounds
from verify.dp_normfedavg.theorems.choices import (
    CHOICE_C,
    CHOICE_ETA,
    CHOICE_K,
    LIPSCHITZ_POS,
    START_4,
    G,
)
from verify.dp_normfedavg.theorems.rounds import (
    ALPHA,
    GAMMA,
    LAST,
    LOCAL_STEPS,
    RHO,
    RHO_IS,
    TOTAL,
    K,
    alpha,
    distance,
    j,
    rho,
)
from verify.dp_normfedavg.theorems.sampling import CLIENTS, c, n, yn2
from verify.dp_normfedavg.theorems.theorem6_kept import S25A, SPLIT, VALUES, gv, gw
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

# Along the local steps of one client. first = ‖∇f_i(w_k)‖, slope = ‖∇f_i(w_τ)‖, way = ‖w_k − w_τ‖, bent = ‖Σ_{t<τ} g_t − τ g_0‖.
first, slope, slope_next, way, way_next, bent, bent_next, turn = letters(
    "‖g_0‖ ‖g_τ‖ ‖g_{τ+1}‖ ‖w_k−w_τ‖ ‖w_k−w_{τ+1}‖ ‖Σg−τg_0‖ ‖Σg−(τ+1)g_0‖ ‖g_τ−g_0‖"
)
squares, h, z, G_h = letters("SQ h z G_h")
"""Σ_{τ<T} τ²; how much shorter than E‖g_0‖ the update may be; C/‖u‖; G²/(1 − h)."""
SA, SZF, AM, zFm, TZF, zgap = letters("SA SzF A_mean zF_mean TzF mean_z_gap")
STEADY = obligation("ηL ≤ 1", (SHORT, ETA, SMOOTH, LOCAL), eta * L <= 1)
SHRINKS = obligation(
    "‖g_{τ+1}‖² ≤ ‖g_τ‖²",
    (L10_63.conclusion, STEADY.conclusion, ETA, SMOOTH, standard("‖g_τ − g_{τ+1}‖² ≥ 0", difference >= 0)),
    qq <= gg,
)
SQUARED = definition(
    "‖g_τ‖, ‖g_{τ+1}‖ ≥ 0", equal(slope**2, gg) & equal(slope_next**2, qq) & (slope >= 0) & (slope_next >= 0)
)
NO_LONGER = summed(
    "‖g_τ‖ ≤ ‖g_0‖", slope <= first, {slope: first}, {slope: slope_next}, (SHRINKS.conclusion, SQUARED)
)
STEP_ON = standard(
    "triangle inequality: ‖w_k − w_{τ+1}‖ ≤ ‖w_k − w_τ‖ + η‖g_τ‖", way_next <= way + eta * slope
)
TRAVEL = summed(
    "‖w_k − w_τ‖ ≤ ητ‖g_0‖",
    (way <= eta * T * first) & (T >= 0),
    {way: 0, T: 0},
    {way: way_next, T: T + 1},
    (STEP_ON, NO_LONGER.conclusion, ETA),
)
WAY_IS = definition("‖w_k − w_τ‖ ≥ 0", equal(v2, way**2) & (way >= 0))
TRAVEL_SQUARES = summed(
    "Σ_τ ‖w_k − w_τ‖² ≤ η²‖g_0‖² Σ_{τ<T} τ²",
    (SV <= eta**2 * first**2 * squares) & equal(6 * squares, (T - 1) * T * (2 * T - 1)) & (T >= 0),
    {SV: 0, squares: 0, T: 0},
    {SV: SV + v2, squares: squares + T**2, T: T + 1},
    (TRAVEL.conclusion, WAY_IS),
)
TURNS = standard("L-smooth: ‖g_τ − g_0‖ ≤ L‖w_k − w_τ‖", turn <= L * way)
BEND = standard(
    "triangle inequality: ‖Σ_{t≤τ} g_t − (τ+1)g_0‖ ≤ ‖Σ_{t<τ} g_t − τg_0‖ + ‖g_τ − g_0‖",
    bent_next <= bent + turn,
)
BENT = summed(
    "‖Σ_{t<τ} g_t − τg_0‖ ≤ ηL‖g_0‖τ(τ−1)/2",
    (2 * bent <= eta * L * first * T * (T - 1)) & (T >= 0),
    {bent: 0, T: 0},
    {bent: bent_next, T: T + 1},
    (BEND, TURNS, TRAVEL.conclusion, SMOOTH),
)
WHOLE_UPDATE = standard("triangle inequality: ‖u‖ ≥ E‖g_0‖ − ‖u − Eg_0‖", E * first - bent <= U)
SHORTENED = definition("h = ηL(E−1)/2", equal(2 * h, eta * L * (E - 1)))
LONG = obligation(
    "‖u‖ ≥ E‖g_0‖(1 − h), 0 ≤ h ≤ 1/2",
    (BENT.conclusion.at({T: E}, "T = E"), WHOLE_UPDATE, SHORTENED, SHORT, ETA, SMOOTH, LOCAL),
    (E * first * (1 - h) <= U) & (h >= 0) & (2 * h <= 1),
)

# ⟨u, w_k − w*⟩ from below.
DESCENT = standard("descent lemma from w_τ to w_k", fk <= ft + gv + L / 2 * v2)
TERM = obligation(
    "⟨g_τ, w_k − w*⟩ ≥ F − (L/2)‖w_k − w_τ‖²", (SPLIT, CONVEX_STAR, DESCENT, VALUES), gw >= F - L / 2 * v2
)
TERMS = summed(
    "summed over τ",
    SB >= T * F - L / 2 * SV,
    {SB: 0, T: 0, SV: 0},
    {SB: SB + gw, T: T + 1, SV: SV + v2},
    (TERM.conclusion,),
)
INNER = obligation(
    "⟨u, w_k − w*⟩ ≥ EF − (L/2)η²‖g_0‖² Σ_{τ<E} τ²",
    (
        TERMS.conclusion.at({T: E}, "T = E"),
        S25A.conclusion,
        TRAVEL_SQUARES.conclusion.at({T: E}, "T = E"),
        SMOOTH,
    ),
    uy >= E * F - L / 2 * eta**2 * first**2 * squares,
)

# One client. z_i = C/‖u_i‖, which is GE/‖u_i‖.
WEIGHT = definition(
    "z = C/‖u‖, and any z ≥ 0 where u = 0", ((U > 0) & equal(z * U, C)) | (equal(U, 0) & (z >= 0))
)
FIRST = definition("‖g_0‖ ≥ 0", first >= 0)
STEEPEST = hypothesis("f_i is G-Lipschitz: ‖∇f_i(w_k)‖ ≤ G", first <= G)
SHARE = obligation(
    "zE‖g_0‖(1 − h) ≤ C",
    (
        LONG.conclusion,
        WEIGHT,
        NORM_U,
        FIRST,
        CHOICE_C,
        LIPSCHITZ_POS,
        LOCAL,
    ),
    (z * E * first * (1 - h) <= C) & (z >= 0),
)
ENLARGED = definition("G_h = G²/(1 − h)", equal(G_h * (1 - h), G**2) & (G_h >= 0))
COST = obligation(
    "z‖g_0‖² ≤ G²/(1 − h)",
    (
        SHARE.conclusion,
        LONG.conclusion,
        STEEPEST,
        ENLARGED,
        FIRST,
        CHOICE_C,
        LIPSCHITZ_POS,
        LOCAL,
    ),
    z * first**2 <= G_h,
)
SIZE = obligation(
    "Σ_{τ<E} τ² ≥ 0",
    (TRAVEL_SQUARES.conclusion.at({T: E}, "T = E"), LOCAL),
    (squares >= 0) & equal(6 * squares, (E - 1) * E * (2 * E - 1)),
)
_each = eta**3 * L * squares * G_h + eta**2 * C**2
CLIENT = obligation(
    "A_i ≤ −2ηE z_iF + η³L Σ_{τ<E} τ² G²/(1 − h) + η²C²",
    (
        INNER.conclusion,
        COST.conclusion,
        SHARE.conclusion,
        SIZE.conclusion,
        LONG.conclusion,
        FIRST,
        WEIGHT,
        MESSAGE,
        NO_UPDATE,
        SENT,
        NORM_U,
        ETA,
        SMOOTH,
        LOCAL,
    ),
    A <= -2 * eta * E * z * F + _each,
)

# Clients, rounds.
SUM = summed(
    "summed over clients",
    SA <= -2 * eta * E * SZF + p * _each,
    {SA: 0, SZF: 0, p: 0},
    {SA: SA + A, SZF: SZF + z * F, p: p + 1},
    (CLIENT.conclusion,),
)
MEANS = definition("means over clients", equal(AM, SA / n) & equal(zFm, SZF / n))
_cost = ours.NOISE + (1 + c) * eta**2 * E**2 * G**2 + eta**3 * L * squares * G_h
ROUND = obligation(
    "one round",
    (ours.ROUND_NORM.conclusion, SUM.conclusion.at({p: n}, "n clients"), MEANS, RHO_IS, CHOICE_C, CLIENTS),
    yn2 <= y2 - 2 * eta * E * zFm + _cost,
)
ONE_ROUND = definition("gain and cost", equal(gain, 2 * eta * E * zFm) & equal(cost, _cost))
NAMED = obligation("one round, named", (ROUND.conclusion, ONE_ROUND), yn2 <= y2 - gain + cost)
ROUNDS = ours.over_rounds(NAMED.conclusion)
GAINS = standard(
    "a factor that does not depend on the round may be taken out of a sum over the rounds: 2ηE, weighted gaps",
    equal(TG, 2 * eta * E * TZF),
)
AVERAGE = hypothesis("mean over k̃ ~ unif[0, K−1]", equal(zgap, TZF / K))
UNDIVIDED = obligation(
    "2 E mean z_i(f_i(w_k̃) − f_i(w*))",
    (ROUNDS.conclusion.at({j: K}, "j = K"), ONE_ROUND, GAINS, LAST, AVERAGE, ETA, LOCAL, TOTAL),
    2 * zgap
    <= repaired.start_and_noise(distance, eta, E, K, G, rho)
    + (1 + c) * eta * E * G**2
    + eta**2 * L * squares * G_h / E,
)
FINAL = obligation(
    "normalisation for any clients",
    (UNDIVIDED.conclusion, SIZE.conclusion, LONG.conclusion, SHORTENED, ENLARGED, ETA, SMOOTH, LOCAL, TOTAL),
    zgap <= repaired.weighted(distance, eta, E, K, G, L, rho, c),
)
_NODES = (
    RANGE, FACT2, *LEMMA10_NODES, STEADY, SHRINKS, NO_LONGER, TRAVEL, TRAVEL_SQUARES, BENT, LONG, S25A, TERM,
    TERMS, INNER, SHARE, COST, SIZE, CLIENT, SUM, *rounds.ROUND_FIXED[1:5], *rounds.MOMENT_NODES, ours.MESSAGES, ours.BELOW_C,
    ours.ROUND_NORM, ROUND, NAMED, ROUNDS, UNDIVIDED,
)  # fmt: skip
PROOF = closed((*_NODES, FINAL))

# With the choices of Theorem 4: (3) without Δ_i*.
_signs = (LIPSCHITZ_POS, RHO, GAMMA, ALPHA, SMOOTH, LOCAL)
_step = (CHOICE_ETA, RHO, ALPHA, SMOOTH, LOCAL)
ETA_SHOWN = obligation(ETA.name, _step, ETA.relation)
QUARTER = obligation("ηLE ≤ 1/4", (*_step, LOCAL_STEPS), 4 * eta * L * E <= 1)
SHORT_SHOWN = obligation(SHORT.name, (QUARTER.conclusion, SMOOTH), SHORT.relation)
EIGHTH = obligation(
    "h ≤ 1/8", (QUARTER.conclusion, SHORTENED, ETA_SHOWN.conclusion, SMOOTH, LOCAL), 8 * h <= 1
)
LIMITED = obligation(
    "7 G²/(1 − h) ≤ 8 G²",
    (EIGHTH.conclusion, LONG.conclusion, ENLARGED, LIPSCHITZ_POS),
    7 * G_h <= 8 * G**2,
)
STEPS = obligation("Σ_{τ<E} τ² ≤ E³/3", (SIZE.conclusion, LOCAL), 3 * squares <= E**3)
_small = sympy.Rational(2, 21) * G**2 / L * (rho * E / alpha) ** 2
DRIFT = obligation(
    "η²L Σ_{τ<E} τ² G²/((1 − h)E) ≤ (2/21)(G²/L)(ρE/α)²",
    (LIMITED.conclusion, STEPS.conclusion, SIZE.conclusion, CHOICE_ETA, *_signs),
    eta**2 * L * squares * G_h / E <= _small,
)
RIGHT = four.initialisation(**START_4) + E / alpha * (1 + c) * G**2 / (2 * L) * rho + _small
AT_FOUR = obligation(
    "(3) without Δ_i*",
    (UNDIVIDED.conclusion, DRIFT.conclusion, CHOICE_ETA, CHOICE_K, CHOICE_C, *_signs),
    2 * zgap <= RIGHT,
)
NODES_4 = (ETA_SHOWN, QUARTER, SHORT_SHOWN, *_NODES, EIGHTH, LIMITED, STEPS, DRIFT, AT_FOUR)
