"""Rounds in which nobody sends cost the factor 1/P at the start, P = P(|S_k| ≥ 1): claim DAS-OURS-NOBODY.

a_k is the mean of the updates received, clients are drawn one by one and w stays where nobody sends. d = G = L = 1, h = ηE =
ρE/(2α), n clients with one Huber function of slope 1 around w* = 0. A message is no longer than C = E, so that a round moves E w_k
by Ph at most: with w₀ = PKh it is still beyond w₀/2 in the mean over the rounds, and f(w) ≥ w − ½. The start is worth L‖w₀ − w*‖²/γ
· ρ = w₀²/(Kh) = P w₀ to the printed bounds, and the left sides tend to w₀ as h → 0, ρ → 0 and Kh → ∞. This holds of (2) and of (3),
as z_i = GE/‖u_i‖ ≥ 1.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg import theorem6 as six
from bounds.dp_normfedavg import theorem7 as seven
from verify.case import closed
from verify.claim import Claim
from verify.dp_normfedavg.letters import C, E, T, U, eta, summed
from verify.dp_normfedavg.ours.too_seldom_point import STEP, h
from verify.dp_normfedavg.theorems.rounds import ALPHA, CHAT, CHAT_IS, TOTAL, K, alpha, j, rho
from verify.dp_normfedavg.theorems.sampling import CLIENTS, S1, mean_drawn, n, r
from verify.dp_normfedavg.theorems.who_sends import (
    NOBODY,
    RECEIVED,
    SHARES,
    SOMEBODY,
    SYMMETRIC,
    none_yet,
    some,
)
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

PAPER = "dp-normfedavg"
start, pull, place, place_next, told = letters("w_0 E_a_k E_w E_w_next clients_told")
UNIT = hypothesis(
    "C = GE, η = ρ/(2αL), at G = L = 1", equal(C, E) & equal(eta, printed.step_theorem4(rho, alpha, 1))
)

# P is below 1 wherever a client may stay away.
AWAY = hypothesis("r < n", r < n)
UNSENT = summed(
    "(1 − r/n)^i > 0", none_yet > 0, {none_yet: 1}, {none_yet: none_yet * (1 - r / n)}, (CLIENTS, AWAY)
)
BELOW = obligation("0 < P < 1", (SOMEBODY.conclusion, UNSENT.conclusion), (some > 0) & (some < 1))

# How far E w_k goes.
MESSAGE = hypothesis("no message is longer than C", U <= C)
MESSAGES = summed(
    "Σ_i of the messages ≤ iC", S1 <= told * C, {S1: 0, told: 0}, {S1: S1 + U, told: told + 1}, (MESSAGE,)
)
PULLED = obligation(
    "E a_k ≤ PC",
    (RECEIVED.conclusion.at({mean_drawn: pull}, "messages"), MESSAGES.conclusion.at({told: n}, "n clients"), SYMMETRIC.conclusion,
     SOMEBODY.conclusion, CLIENTS),
    pull <= some * C,
)  # fmt: skip
MOVES = hypothesis("E w_{k+1} = E w_k − ηE a_k: E ζ_k = 0", equal(place_next, place - eta * pull))
ROUND = obligation(
    "E w_{k+1} ≥ E w_k − Ph", (MOVES, PULLED.conclusion, UNIT, STEP), place_next >= place - some * h
)
total, value_sum = letters("T_w T_value")
WALK = summed(
    "E w_j ≥ w₀ − jPh, Σ_{k<j} E w_k ≥ jw₀ − ½j(j − 1)Ph",
    (place >= start - j * some * h) & (total >= j * start - j * (j - 1) * some * h / 2),
    {place: start, total: 0, j: 0},
    {place: place_next, total: total + place, j: j + 1},
    (ROUND.conclusion,),
)

# What (2) and (3) weigh.
w, f, z, value, value_mean = letters("w f z z·f E_z·f")
FUNCTION = hypothesis(
    "f = w²/2 where |w| ≤ 1, else |w| − ½",
    (equal(2 * f, w**2) & (w <= 1) & (w >= -1))
    | (equal(f, w - sympy.Rational(1, 2)) & (w >= 1))
    | (equal(f, -w - sympy.Rational(1, 2)) & (w <= -1)),
)
WEIGHT = hypothesis(
    "f is weighed with z = 1 in (2), with z = GE/‖u_i‖ ≥ 1 in (3)", (z >= 1) & equal(value, z * f)
)
POINT = obligation("z(f − f*) ≥ w − ½", (FUNCTION, WEIGHT), value >= w - sympy.Rational(1, 2))
MEANS = standard(
    "expectations are monotone and linear",
    sympy.Implies(POINT.conclusion.relation, value_mean >= place - sympy.Rational(1, 2)),
)
VALUES = summed(
    "Σ E z(f − f*) ≥ Σ E w_k − j/2",
    value_sum >= total - j / 2,
    {value_sum: 0, total: 0, j: 0},
    {value_sum: value_sum + value_mean, total: total + place, j: j + 1},
    (POINT.conclusion, MEANS),
)

# A run for every factor x < 1/P, whatever the factor y at γ/L is.
first, second, delta = letters("x_factor y_factor delta")
LESS = hypothesis(
    "0 ≤ x < 1/P, δ = 1 − xP, y ≥ 0",
    (first >= 0) & equal(delta, 1 - first * some) & (delta > 0) & (second >= 0),
)
AT = hypothesis("w₀ = PKh", equal(start, some * K * h))
SMALL = hypothesis(
    "ρ < 1, h + 2h² ≤ δ/4, yρ² ≤ Pδ/4",
    (rho < 1) & (4 * (h + 2 * h**2) <= delta) & (4 * second * rho**2 <= some * delta),
)
MANY = hypothesis("Kh ≥ 4/(Pδ)", K * h * some * delta >= 4)
HALFWAY = obligation(
    "mean E z(f − f*) ≥ ½(PKh − 1)",
    (WALK.conclusion.at({j: K}, "j = K"), VALUES.conclusion.at({j: K}, "j = K"), AT, TOTAL, STEP, SOMEBODY.conclusion),
    2 * value_sum >= K * (some * K * h - 1),
)  # fmt: skip
CORE = obligation(
    "(1 − h − 2h²)(PKh − 1) > x P²Kh + yρ²Kh + h",
    (SMALL, MANY, LESS, SOMEBODY.conclusion, STEP, TOTAL),
    (1 - h - 2 * h**2) * (some * K * h - 1) > first * some**2 * K * h + second * rho**2 * K * h + h,
)
ABOVE = obligation(
    "(2 − 2h − 4h²) mean E z(f − f*) > x w₀²/(Kh) + yρ²Kh + h",
    (HALFWAY.conclusion, CORE.conclusion, AT, SMALL, LESS, SOMEBODY.conclusion, STEP, TOTAL),
    (2 - 2 * h - 4 * h**2) * value_sum / K > first * start**2 / (K * h) + second * rho**2 * K * h + h,
)
gamma = h * K * rho
_one, _zero = sympy.Integer(1), sympy.Integer(0)
MORE = (first * start**2 / gamma + second * gamma) * rho - four.initialisation(_one, _one, start, gamma, rho)
"""What (x L‖w₀ − w*‖²/γ + y γ/L)ρ has more than the printed start."""
_letters = (UNIT, STEP, ALPHA, TOTAL)
_end = (ABOVE.conclusion, SMALL, LESS, *_letters)
_mean = value_sum / K
FOUR = obligation(
    "(2) and (3) fail with the factors x and y",
    _end,
    (four.factor_a(rho, E, alpha) * _mean > four.theorem4a(_one, _one, start, gamma, rho, E, alpha, _zero) + MORE)
    & (four.factor_b(rho, E, alpha) * _mean > four.theorem4b(_one, _one, start, gamma, rho, E, alpha, _zero) + MORE),
)  # fmt: skip
SIX = obligation(
    "and so do both parts of Theorem 6 at Ĉ = 1, nothing being cut",
    _end,
    (six.factor(gamma, _one, K, rho) * _mean > six.theorem6(_one, _one, start, gamma, rho, K, _zero) + MORE)
    & (four.factor_a(rho, E, alpha) * _mean > six.theorem6_specific(_one, _one, start, gamma, rho, E, alpha, _zero) + MORE),
)  # fmt: skip
SEVEN = obligation(
    "and both parts of Theorem 7",
    _end,
    (seven.factor(gamma, _one, K, rho) * _mean > seven.theorem7(_one, _one, start, gamma, rho, K, _one, _zero) + MORE)
    & (four.factor_b(rho, E, alpha) * _mean > seven.theorem7_specific(_one, _one, start, gamma, rho, E, alpha, _zero) + MORE),
)  # fmt: skip
# What the theorems ask for.
NO_GAP = obligation(
    "f_i(w) ≥ 0 = f_i(w*), w* = 0: Δ_i* = 0", (FUNCTION,), (f >= 0) & sympy.Implies(equal(w, 0), equal(f, 0))
)
local, gradients, length = letters("w_tau sum_of_gradients u_length")
rise = sympy.Max(-1, sympy.Min(1, local))
TRAVELLED = summed(
    "|Σ f′(w_τ)| ≤ τ",
    sympy.Abs(gradients) <= T,
    {local: w, gradients: 0, T: 0},
    {local: local - eta * rise, gradients: gradients + rise, T: T + 1},
    (),
)
LENGTH = definition("u = Σ f′(w_τ), ‖u‖ = |u|", equal(length, sympy.Abs(gradients)))
UNCUT = obligation(
    "‖u‖ ≤ ĈE", (TRAVELLED.conclusion.at({T: E}, "T = E"), LENGTH, CHAT_IS, UNIT, STEP), length <= CHAT * E
)
ASKED = "γ > 0, ρ < 1, Ĉ = 1 ≥ 4√(L max_j Δ_j*), K = (2αγ/C)/ρ², E ≤ α/(2ρ), η = γ/(ĈLEKρ), K > 2γ/(ĈEρ)"


def asked_for(gamma: sympy.Expr, rho: sympy.Expr) -> sympy.Basic:
    """`ASKED`, which Theorems 4, 6 and 7 ask for, at L = 1."""
    return (
        equal(CHAT, 1)
        & (gamma > 0)
        & (printed.RHO.limit() > rho)
        & (printed.THRESHOLD.limit(L=_one, Delta_max=_zero) <= CHAT)
        & equal(printed.rounds_theorem4(alpha, gamma, C, rho), K)
        & (2 * rho * E <= alpha)
        & equal(printed.step_theorem6(gamma, _one, _one, E, K, rho), eta)
        & (printed.ROUNDS.limit(gamma=gamma, C_hat=_one, E=E, rho=rho) < K)
    )


ALLOWED = obligation(
    ASKED,
    (CHAT_IS, SMALL, LESS, SOMEBODY.conclusion, *_letters),
    asked_for(gamma, rho),
)
FAILS = obligation(
    "all of it, and 1 < 1/P",
    (BELOW.conclusion, *(node.conclusion for node in (FOUR, SIX, SEVEN, ALLOWED, UNCUT, NO_GAP))),
    sympy.And(
        BELOW.conclusion.relation,
        *(node.conclusion.relation for node in (FOUR, SIX, SEVEN, ALLOWED, UNCUT, NO_GAP)),
    ),
)
NODES = (
    NOBODY, SOMEBODY, SHARES, SYMMETRIC, RECEIVED, UNSENT, BELOW, MESSAGES, PULLED, ROUND, WALK, POINT, VALUES, HALFWAY, CORE, ABOVE,
    FOUR, SIX, SEVEN, NO_GAP, TRAVELLED, UNCUT, ALLOWED, FAILS,
)  # fmt: skip
PROOF = closed(NODES)
CLAIMS = (
    Claim(
        "DAS-OURS-NOBODY",
        PAPER,
        "ours, on Theorems 4, 6 and 7, a_k the mean of the updates received",
        "ours",
        "a_k the mean of the updates received, clients drawn one by one, w left where it is where nobody sends: for no 0 < r < n, "
        "E ≥ 1 and α ≥ 1 does (2), (3) or either part of Theorems 6 and 7 hold, nor with x L‖w₀ − w*‖²/γ in the place of "
        "L‖w₀ − w*‖²/γ for any x < 1/P, P = 1 − (1 − r/n)^n, whatever factor stands at γ/L",
        "d = 1, equal clients with a Huber function, w₀ = PKh: E w_k moves by Ph a round at most, where the bounds count on h; the δ, "
        "ρ and K of the proof are chosen in this order, ρ as small and K as large as it asks for",
        proof=PROOF,
    ),
)
