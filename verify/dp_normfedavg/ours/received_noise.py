"""The factor ν/P at γ/L is needed where a_k is the mean of the updates received: claim DAS-OURS-RECEIVED-NOISE.

d = G = L = 1, h = ηE, C = E, κ = Kρ², Gaussian noise; n clients with one function around w* = 0, a Huber function of slope g, all
but flat. A message is E V sign(w), so that with D_k = E w_k² and v = P + νκ

    D_{k+1} = D_k − 2hP E|w_k|V + h²(P E V² + νκ),    2 mean E|w_k|V = h(mean E V² + νκ/P) + (D₀ − D_K)/(hPK).

The left sides of (2) and (3) are twice the means of φ ≥ |w|V − e, to first order in h, and the bounds are yκh and yκh + h: what is
left of the two sides is κh(ν/P − y) less D_K/(hPK) and 2e, from w₀ = h. As in `overshoot` and `too_seldom`, E w⁴ falls where w is
beyond what one round adds, so that Σ_k D_k is small, and D_K is at most the mean of the last m of the D_k and mh²v.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg import theorem6 as six
from bounds.dp_normfedavg import theorem7 as seven
from verify.case import closed
from verify.claim import Claim
from verify.dp_normfedavg.counterexamples.last_round import TD, last, last_round, m, v
from verify.dp_normfedavg.letters import E, eta, summed, y2
from verify.dp_normfedavg.ours.nobody_sends import ASKED, UNIT, asked_for, delta, first, length, second
from verify.dp_normfedavg.ours.received_moment import KAPPA, MOST, SCALE, fourth, kappa
from verify.dp_normfedavg.ours.received_moment import NODES as MOMENT
from verify.dp_normfedavg.ours.received_point import (
    FLAT,
    NO_GAP,
    POINT,
    SIZES,
    UPDATE,
    g,
    least,
    off,
    pulled,
    slope,
)
from verify.dp_normfedavg.ours.received_point import NODES as AT_A_POINT
from verify.dp_normfedavg.ours.too_seldom import CUBES_AND_SQUARES, FOURTH_POWERS, b3, cube, q, w4, w4n
from verify.dp_normfedavg.ours.too_seldom_point import STEP, h
from verify.dp_normfedavg.theorems.received import S11
from verify.dp_normfedavg.theorems.rounds import (
    CHAT,
    CHAT_IS,
    RHO,
    RHO_IS,
    TOTAL,
    Dk,
    K,
    alpha,
    j,
    rho,
)
from verify.dp_normfedavg.theorems.sampling import CLIENTS, S1, S10, a2, mean_drawn, n, ya, yn2
from verify.dp_normfedavg.theorems.who_sends import (
    NOBODY,
    NOISE,
    RECEIVED,
    SAME,
    SHARES,
    SOME,
    SOMEBODY,
    SYMMETRIC,
    by_set,
    chance,
    nu,
    size,
    some,
)
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

PAPER = "dp-normfedavg"
pull, back, square, value_mean, sent, inner = letters("E|w|V E|w|³V E_V² E_phi message² ⟨message,w⟩")
MEANS = standard(
    "expectations are monotone and linear",
    sympy.Implies(
        POINT.conclusion.relation,
        (value_mean >= pull - off)
        & (back >= slope * b3 - 8 * slope * g**3)
        & (pull >= 0)
        & (square >= least)
        & (square <= 1),
    ),
)
AT_W = (POINT.conclusion, MEANS)

# One round.
SQUARE = summed(
    "E‖a_k‖² = P·(message)²: set by set the mean of equal messages",
    equal(a2, by_set * sent),
    {a2: 0, by_set: 0},
    {a2: a2 + chance * (size**2 * sent) / size**2, by_set: by_set + chance},
    (SOME,),
)
MESSAGES = hypothesis(
    "all clients send the same: Σ⟨message, w_k⟩ = n⟨message, w_k⟩, in the mean", equal(S1, n * inner)
)
SIGNED = definition(
    "a message is E V sign(w_k): E|w_k|V and E V², in the mean",
    equal(pull, inner / E) & equal(square, sent / E**2),
)
ROUND = obligation(
    "D_{k+1} = D_k − 2hP E|w_k|V + h²(P E V² + νκ)",
    (S11.conclusion, RECEIVED.conclusion.at({mean_drawn: ya}, "⟨message, w_k⟩"), SYMMETRIC.conclusion, SQUARE.conclusion, SAME,
     MESSAGES, SIGNED, KAPPA, SCALE, RHO_IS, UNIT, STEP, CLIENTS),
    equal(yn2, y2 - 2 * h * some * pull + h**2 * (some * square + nu * kappa)),
)  # fmt: skip

# A run for every factor y < ν/P, whatever the factor x at L‖w₀ − w*‖²/γ is.
LESS = hypothesis(
    "0 ≤ y < ν/P, δ = ν/P − y, x ≥ 0",
    (second >= 0) & equal(delta * some, nu - second * some) & (delta > 0) & (first >= 0),
)
POSITIVE = obligation(
    "ν > 0, κ > 0, v > 0",
    (KAPPA, SCALE, LESS, SOMEBODY.conclusion, RHO, TOTAL),
    (nu > 0) & (kappa > 0) & (v > 0),
)
EITHER = obligation(
    "D_{k+1} ≥ D_k − 2hP E|w_k|V + h²(P·(least V²) + νκ), D_{k+1} ≤ D_k + h²v",
    (ROUND.conclusion, *AT_W, KAPPA, SCALE, SOMEBODY.conclusion, STEP),
    (yn2 >= y2 - 2 * h * some * pull + h**2 * (some * least + nu * kappa)) & (yn2 <= y2 + h**2 * v),
)

# Sums over rounds, from w₀ = h.
pulls, values = letters("T_pull T_phi")
WALK = summed(
    "2hP Σ E|w_k|V ≥ h² − D_j + jh²(P·(least V²) + νκ)",
    2 * h * some * pulls >= h**2 - Dk + j * h**2 * (some * least + nu * kappa),
    {Dk: h**2, pulls: 0, j: 0},
    {Dk: yn2, pulls: pulls + pull, j: j + 1},
    (EITHER.conclusion.at({y2: Dk}, "round j"),),
)
VALUES = summed(
    "Σ E φ ≥ Σ E|w_k|V − je",
    values >= pulls - j * off,
    {values: 0, pulls: 0, j: 0},
    {values: values + value_mean, pulls: pulls + pull, j: j + 1},
    AT_W,
)
# Y = (w_k − w_{k+1})/h: given w_k, sign(w_k) E Y = PV, E Y² = PV² + νκ ≤ v, since V² ≤ 1, and E Y⁴ ≤ q₄.
POWERS = FOURTH_POWERS.at(
    {eta: h, cube: some * back, q: fourth},
    "h for η, given w sign(w) E Y = PV, E[Y⁴ | w_k] at its largest for q₄",
)
YOUNG = CUBES_AND_SQUARES.at({eta: h, g: some * slope}, "h for η, Ps for g")
_cubes = 54 * h**4 * v**3 / (some * slope) ** 2 + 3 * h**4 * q + 32 * h * some * slope * g**3
LENGTHS = definition("means of powers of |w|", (b3 >= 0) & (y2 >= 0) & (w4 >= 0))
FALLS = obligation(
    "E w_{k+1}⁴ ≤ E w_k⁴ − 10h²vD_k + B, B = 54h⁴v³/(Ps)² + 3h⁴q₄ + 32hPsg³",
    (POWERS, YOUNG, MOST.conclusion, *AT_W, SIZES.conclusion, SOMEBODY.conclusion, POSITIVE.conclusion, STEP),
    w4n <= w4 - 10 * h**2 * v * y2 + _cubes,
)
SQUARES = summed(
    "E w_j⁴ + 10h²v Σ D_k ≤ h⁴ + jB",
    w4 + 10 * h**2 * v * TD <= h**4 + j * _cubes,
    {w4: h**4, TD: 0, j: 0},
    {w4: w4n, TD: TD + y2, j: j + 1},
    (FALLS.conclusion,),
)
SQUARES_K = obligation(
    "10h²v Σ_{k<K} D_k ≤ h⁴ + KB",
    (SQUARES.conclusion.at({j: K}, "j = K"), LENGTHS),
    10 * h**2 * v * TD <= h**4 + K * _cubes,
)
GROWS, FEW, END = last_round(EITHER.conclusion, (), POSITIVE.conclusion, h)

# What is small beside κδ.
M_ROUNDS = hypothesis(
    "m ≥ 1, 8(h⁴ + KB) ≤ 5h⁴vmKPκδ",
    (m >= 1) & (8 * (h**4 + K * _cubes) <= 5 * h**4 * v * m * K * some * kappa * delta),
)
MANY = hypothesis(
    "K ≥ m, 16mv/(Pκδ), 8x/(κδ)",
    (K >= m) & (16 * m * v <= K * some * kappa * delta) & (8 * first <= K * kappa * delta),
)
SMALL = hypothesis(
    "ρ < 1, h ≤ ¼, (h + 2h²)((least V²) + νκ/P) ≤ κδ/8, e ≤ hκδ/16",
    (rho < 1)
    & (4 * h <= 1)
    & (8 * (h + 2 * h**2) * (some * least + nu * kappa) <= some * kappa * delta)
    & (16 * off <= h * kappa * delta),
)
_known = (POSITIVE.conclusion, SOMEBODY.conclusion, TOTAL, STEP)
END_SMALL = obligation(
    "8D_K ≤ h²KPκδ",
    (END.conclusion, SQUARES_K.conclusion, M_ROUNDS, MANY, LESS, *_known),
    8 * last <= h**2 * K * some * kappa * delta,
)
PULLED = obligation(
    "2P Σ E|w_k|V ≥ hK(P·(least V²) + νκ − Pκδ/8)",
    (WALK.conclusion.at({j: K, Dk: last}, "j = K"), END_SMALL.conclusion, *_known),
    16 * some * pulls >= h * K * (8 * some * least + 8 * nu * kappa - some * kappa * delta),
)
VALUED = obligation(
    "2P mean E φ ≥ h(P·(least V²) + νκ − Pκδ/4)",
    (VALUES.conclusion.at({j: K}, "j = K"), PULLED.conclusion, SMALL, *_known),
    8 * some * values / K >= h * (4 * some * least + 4 * nu * kappa - some * kappa * delta),
)
ABOVE = obligation(
    "(2 − 2h − 4h²) mean E φ > xh/K + yκh + (least V²)h",
    (VALUED.conclusion, SMALL, MANY, LESS, SIZES.conclusion, *_known),
    (2 - 2 * h - 4 * h**2) * values / K > first * h / K + second * kappa * h + least * h,
)

# The printed bounds.
gamma = h * K * rho
_one, _zero = sympy.Integer(1), sympy.Integer(0)
MORE = (first * h**2 / gamma + second * gamma) * rho - four.initialisation(_one, _one, h, gamma, rho)
"""What (x L‖w₀ − w*‖²/γ + y γ/L)ρ has more than the printed start, ‖w₀ − w*‖ = h."""
_letters = (UNIT, RHO, KAPPA, SCALE, *_known)
_end = (ABOVE.conclusion, SIZES.conclusion, SMALL, MANY, LESS, *_letters)
_mean = values / K
CLIPPING, NORMALISING = equal(least, 0), equal(least, 1)
FOUR = obligation(
    "(2) fails with the factors x and y, and so does (3)",
    _end,
    sympy.Implies(
        CLIPPING,
        four.factor_a(rho, E, alpha) * _mean
        > four.theorem4a(_one, _one, h, gamma, rho, E, alpha, _zero) + MORE,
    )
    & sympy.Implies(
        NORMALISING,
        four.factor_b(rho, E, alpha) * _mean
        > four.theorem4b(_one, _one, h, gamma, rho, E, alpha, _zero) + MORE,
    ),
)
SIX = obligation(
    "and both parts of Theorem 6 at Ĉ = 1, nothing being cut",
    _end,
    sympy.Implies(
        CLIPPING,
        (six.factor(gamma, _one, K, rho) * _mean > six.theorem6(_one, _one, h, gamma, rho, K, _zero) + MORE)
        & (
            four.factor_a(rho, E, alpha) * _mean
            > six.theorem6_specific(_one, _one, h, gamma, rho, E, alpha, _zero) + MORE
        ),
    ),
)
SEVEN = obligation(
    "and both parts of Theorem 7",
    _end,
    sympy.Implies(
        NORMALISING,
        (
            seven.factor(gamma, _one, K, rho) * _mean
            > seven.theorem7(_one, _one, h, gamma, rho, K, _one, _zero) + MORE
        )
        & (
            four.factor_b(rho, E, alpha) * _mean
            > seven.theorem7_specific(_one, _one, h, gamma, rho, E, alpha, _zero) + MORE
        ),
    ),
)
# What the theorems ask for.
UNCUT = obligation(
    "‖u‖ ≤ ĈE",
    (UPDATE.conclusion, FLAT, CHAT_IS, UNIT, STEP, definition("‖u‖ = E·(u/E)", equal(length, E * pulled))),
    length <= CHAT * E,
)
ALLOWED = obligation(
    ASKED,
    (CHAT_IS, SMALL, UNIT, RHO, TOTAL, STEP),
    asked_for(gamma, rho),
)
FAILS = obligation(
    "all of it",
    tuple(node.conclusion for node in (FOUR, SIX, SEVEN, ALLOWED, UNCUT, NO_GAP)),
    sympy.And(*(node.conclusion.relation for node in (FOUR, SIX, SEVEN, ALLOWED, UNCUT, NO_GAP))),
)
NODES = (
    NOBODY, SOMEBODY, SHARES, SYMMETRIC, RECEIVED, NOISE, S10, S11, SQUARE, ROUND, POSITIVE, *AT_A_POINT, *MOMENT, EITHER, WALK,
    VALUES, FALLS, SQUARES, SQUARES_K, GROWS, FEW, END, END_SMALL, PULLED, VALUED, ABOVE, FOUR, SIX, SEVEN, UNCUT, ALLOWED,
    FAILS,
)  # fmt: skip
PROOF = closed(NODES)
CLAIMS = (
    Claim(
        "DAS-OURS-RECEIVED-NOISE",
        PAPER,
        "ours, on Theorems 4, 6 and 7, a_k the mean of the updates received",
        "ours",
        "a_k the mean of the updates received, clients drawn one by one, w left where it is where nobody sends, any 0 < r ≤ n, "
        "E ≥ 1 and α ≥ 1: (2), (3) and both parts of Theorems 6 and 7 fail with y γ/L in the place of γ/L for every y < ν/P, "
        "P = 1 − (1 − r/n)^n, ν = E[r/|S_k|; |S_k| ≥ 1], whatever factor stands at L‖w₀ − w*‖²/γ",
        "d = 1, Gaussian noise, equal clients with an all but flat Huber function: with κ = Kρ² fixed their distance from w* carries "
        "all of a round's noise, νκ, against a pull of P; κ is any number, then K = κ/ρ² and h = ρE/(2α) = ηLE with ρ as small as the "
        "proof asks for, g² = hκδ/8 for clipping and g = h min(1, κδ/8) for normalisation, and m about K^(3/4)",
        proof=PROOF,
    ),
)
