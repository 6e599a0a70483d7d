"""Clients drawn too seldom: claims DAS-OURS-SELDOM, with c = 1/r − 1/n; what holds at one w: `too_seldom_point`.

L = α = 1, any E, ρ = 2η, h = ηE, w₀ = w* = 0, two clients. f_1′ is 1 − g for −R ≤ w ≤ −g and 1 + g for w ≥ g, rises with slope 1
between, and falls with slope 1 to 0 left of −R; f_2 is its mirror image. Nothing is cut. Near 0 f is a Huber function of slope g,
whose pull is weak, but both clients pull with about 1: sampling adds ch² to E w² in every round, and, U the mean of the u_i/E,

    2 mean E wU = h mean E(U² + c mean u_i²/E²) + hν − D_K/(hK),    ν = KĈ²ρ².

The local steps go no further than 2h, so that U is within h of f′, and f − f* is all of wf′ but g²/2. With h = Zg², Z large, g → 0
and ν fixed, h is small beside g, and E|w|³ is of the order g³, so that w hardly ever leaves [−R, R]: the left side is hν + ch, to
first order in h. The bounds are hν + 2hΔ̄* and hν + 3hΔ̄*, and Δ̄* is near 1/2.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg import theorem6 as six
from verify.case import closed
from verify.claim import Claim
from verify.dp_normfedavg.counterexamples.last_round import TD, last, last_round, m, v
from verify.dp_normfedavg.letters import E, eta, summed, y2
from verify.dp_normfedavg.ours.too_seldom_point import (
    AHEAD,
    AHEAD_NEAR,
    BACK,
    BEHIND,
    BEHIND_NEAR,
    LENGTH_BOUND,
    LETTERS,
    NEAR,
    NEAR_PULL,
    NOT_LESS,
    OUTSIDE,
    PULL_LEAST,
    PULLS,
    SLOPES,
    SQUARE,
    STEP,
    VALUE,
    R,
    Z,
    g,
    h,
)
from verify.dp_normfedavg.theorems.rounds import CHAT, CHAT_IS, CHAT_POS, RHO_IS, TOTAL, Dk, K, j, rho
from verify.dp_normfedavg.theorems.sampling import (
    CLIENTS,
    EXCESS_IS,
    MOMENT,
    NOISE_SIZE,
    S10,
    S11,
    SECOND,
    V,
    a2,
    c,
    mean2,
    meanQ,
    ya,
    yn2,
)
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

PAPER = "dp-normfedavg"
nu, q, delta = letters("nu q_4 delta")
"""Noise of a round, bound on E Y⁴ (v: on E Y²), Y = (w_k − w_{k+1})/h."""
NOISE = hypothesis("ν = KĈ²ρ², ρ = 2η", equal(nu, K * CHAT**2 * rho**2) & equal(rho, 2 * eta))

# Means over a round.
X, F, b3, back, w4, w4n = letters("E_wf′ E_f E|w|³ E_w³f′ w4 w4_next")
mean_u2, square_u, b1, Xu, backu = letters("E_U² E_mean_u²/E² E|w| E_wU E_w³U")
MEANS = standard(
    "expectations are monotone and linear",
    sympy.Implies(VALUE.conclusion.relation, F >= X - g**2 / 2 - b3 / R**3)
    & sympy.Implies(BACK.conclusion.relation, back >= g * b3 - g**4)
    & sympy.Implies(NEAR.conclusion.relation, F <= X),
)
MEANS_U = standard(
    "expectations are monotone and linear",
    sympy.Implies(SQUARE.conclusion.relation, square_u >= (1 - 2 * g) ** 2 * (1 - b3 / R**3))
    & sympy.Implies(
        NEAR_PULL.conclusion.relation, (Xu >= X - h * b1) & (Xu <= X + h * b1) & (backu >= back - h * b3)
    )
    & sympy.Implies(PULL_LEAST.conclusion.relation, Xu >= -g * h)
    & sympy.Implies(LENGTH_BOUND.conclusion.relation, 3 * g**2 * b1 <= b3 + 2 * g**3),
)
OF_U = (MEANS_U, SQUARE.conclusion, NEAR_PULL.conclusion, LENGTH_BOUND.conclusion)
MESSAGES = hypothesis("nothing is cut: E⟨(1/r) Σ u_i, w_k⟩ = E·E w_kU", equal(ya, E * Xu))
SCALED = definition(
    "(1/n) Σ and squares of u_i = E·(u_i/E)", equal(mean2, E**2 * mean_u2) & equal(meanQ, E**2 * square_u)
)
MOMENTS = hypothesis(
    "E Y² + 1 ≤ v, E Y⁴ ≤ q₄ for every w, Y = (w_k − w_{k+1})/h: numbers that n, r and ν fix",
    (mean_u2 + c * square_u + nu + 1 <= v) & (q >= 0),
)
LENGTHS = definition(
    "means of squares and of powers of |w|",
    (mean_u2 >= 0) & (b3 >= 0) & (b1 >= 0) & (y2 >= 0) & (w4 >= 0) & (X >= 0),
)
ROUND = obligation(
    "D_{k+1} = D_k − 2hE wU + h²(E U² + cE mean u_i²/E² + ν)",
    (S11.conclusion, SECOND.conclusion.at({V: a2}, "u_i"), MESSAGES, SCALED, NOISE, RHO_IS, CHAT_IS, STEP),
    equal(yn2, y2 - 2 * h * Xu + h**2 * (mean_u2 + c * square_u + nu)),
)
EXCESS = obligation("c ≥ 0", (CLIENTS, EXCESS_IS), c >= 0)
LEAST = obligation(
    "D_{k+1} ≥ D_k − 2hE wU + h²(ν + c(1 − 2g)²(1 − E|w|³/R³)), D_{k+1} ≤ D_k + h²v − 2hE wU − h²",
    (
        ROUND.conclusion,
        *OF_U,
        MOMENTS,
        definition("E U² ≥ 0", mean_u2 >= 0),
        EXCESS.conclusion,
        NOT_LESS.conclusion,
    ),
    (yn2 >= y2 - 2 * h * Xu + h**2 * (nu + c * (1 - 2 * g) ** 2 * (1 - b3 / R**3)))
    & (yn2 <= y2 - 2 * h * Xu + h**2 * (v - 1)),
)
cube = letters("E_w³Y")[0]
FOURTH_POWERS = standard(
    "(w − ηY)⁴ ≤ w⁴ − 4ηw³Y + 8η²w²Y² + 3η⁴Y⁴, in the mean; given w E Y² ≤ v, E Y⁴ ≤ q₄",
    w4n <= w4 - 4 * eta * cube + 8 * eta**2 * v * y2 + 3 * eta**4 * q,
)
POWERS = FOURTH_POWERS.at({eta: h, cube: backu}, "h for η, given w E Y = U")
CUBES_AND_SQUARES = standard(
    "2|w|³ + λ³ ≥ 3λw² for λ = 3ηv/g and λ = g, in the mean",
    (2 * b3 * g**3 + (3 * eta * v) ** 3 >= 9 * eta * v * y2 * g**2) & (2 * b3 + g**3 >= 3 * g * y2),
)
YOUNG = CUBES_AND_SQUARES.at({eta: h}, "h for η")
_H = 4 * Z + 27 * Z**4 * v**3 + 3 * Z**4 * q
V_POSITIVE = hypothesis("v > 0", v > 0)
FALLS = obligation(
    "E w_{k+1}⁴ ≤ E w_k⁴ − hgE|w_k|³ + g⁶H, H = 4Z + 27Z⁴v³ + 3Z⁴q₄",
    (
        POWERS,
        YOUNG,
        BACK.conclusion,
        MEANS,
        *OF_U,
        NOT_LESS.conclusion,
        MOMENTS,
        LENGTHS,
        LETTERS,
        V_POSITIVE,
    ),
    w4n <= w4 - h * g * b3 + g**6 * _H,
)

# Sums over rounds.
TX, TF, T3, TU, T1 = letters("TX TF T3 TU T1")
CUBES = summed(
    "E w_j⁴ + hg Σ E|w_k|³ ≤ jg⁶H",
    w4 + h * g * T3 <= j * g**6 * _H,
    {w4: 0, T3: 0, j: 0},
    {w4: w4n, T3: T3 + b3, j: j + 1},
    (FALLS.conclusion,),
)
CUBES_K = obligation(
    "Z Σ E|w_k|³ ≤ Kg³H",
    (CUBES.conclusion.at({j: K}, "j = K"), LENGTHS, LETTERS),
    Z * T3 <= K * g**3 * _H,
)
SQUARES = summed("3g Σ D_k ≤ 2 Σ E|w_k|³ + jg³", 3 * g * TD <= 2 * T3 + j * g**3, {TD: 0, T3: 0, j: 0},
                 {TD: TD + y2, T3: T3 + b3, j: j + 1}, (YOUNG,))  # fmt: skip
_least_j = LEAST.conclusion.at({y2: Dk}, "round j")
PULLED = summed(
    "2h Σ E wU ≥ h²(jν + c(1 − 2g)²(j − Σ E|w_k|³/R³)) − D_j, and ≤ jh²v",
    (2 * h * TU >= h**2 * (j * nu + c * (1 - 2 * g) ** 2 * (j - T3 / R**3)) - Dk)
    & (2 * h * TU <= j * h**2 * v - Dk),
    {TU: 0, T3: 0, j: 0, Dk: 0},
    {TU: TU + Xu, T3: T3 + b3, j: j + 1, Dk: yn2},
    (_least_j,),
)
APART = obligation(
    "|E wU − E wf′| ≤ hE|w|, 3g²E|w| ≤ E|w|³ + 2g³",
    (MEANS_U, NEAR_PULL.conclusion, LENGTH_BOUND.conclusion, LETTERS),
    (Xu >= X - h * b1) & (Xu <= X + h * b1) & (3 * g**2 * b1 <= b3 + 2 * g**3),
)
LINKED = summed(
    "|Σ E wU − Σ E wf′| ≤ h Σ E|w_k|, 3g² Σ E|w_k| ≤ Σ E|w_k|³ + 2jg³",
    (TU <= TX + h * T1) & (TU >= TX - h * T1) & (3 * g**2 * T1 <= T3 + 2 * j * g**3),
    {TU: 0, TX: 0, T1: 0, T3: 0, j: 0},
    {TU: TU + Xu, TX: TX + X, T1: T1 + b1, T3: T3 + b3, j: j + 1},
    (APART.conclusion,),
)
VALUES = summed(
    "Σ E(f − f*) ≥ Σ E wf′ − jg²/2 − Σ E|w_k|³/R³",
    TF >= TX - j * g**2 / 2 - T3 / R**3,
    {TF: 0, TX: 0, j: 0, T3: 0},
    {TF: TF + F, TX: TX + X, j: j + 1, T3: T3 + b3},
    (VALUE.conclusion, MEANS),
)
UP = obligation(
    "D_{k+1} ≤ D_k + h²v",
    (LEAST.conclusion, PULL_LEAST.conclusion, MEANS_U, NOT_LESS.conclusion, LETTERS),
    yn2 <= y2 + h**2 * v,
)
GROWS, FEW, END = last_round(UP.conclusion, (), V_POSITIVE, h)

# What is small beside δ.
SMALL = hypothesis(
    "Z ≥ 16/δ; g ≤ δ/(64c), 3δ/(64(H/Z + 2)), R³δ/(16cH)·Z, R³Z²δ/(32H); h ≤ δ/(48v)",
    (delta > 0)
    & (16 <= Z * delta)
    & (64 * c * g <= delta)
    & (64 * g * (_H / Z + 2) <= 3 * delta)
    & (16 * c * g**3 * _H <= R**3 * Z * delta)
    & (32 * g * _H <= R**3 * Z**2 * delta)
    & (48 * h * v <= delta),
)
CLOSE = hypothesis(
    "R ≤ δ/8, h ≤ δ/16 and 1/16", (8 * R <= delta) & (16 * h <= delta) & (16 * h <= 1) & (delta > 0)
)
MANY = hypothesis(
    "m ≥ 32(2H/Z + 1)/(3Z²g²δ), m ≤ K, m ≤ Kδ/(32v)",
    (m >= 1) & (m <= K) & (32 * (2 * _H / Z + 1) <= 3 * Z**2 * g**2 * delta * m) & (32 * m * v <= K * delta),
)
END_SIZE = definition("D_K ≥ 0, Σ E|w_k|³ ≥ 0", (last >= 0) & (T3 >= 0))
SUM_SMALL = obligation("32 Σ D_k ≤ h²Kmδ", (SQUARES.conclusion.at({j: K}, "j = K"), CUBES_K.conclusion, MANY, LETTERS, TOTAL),
                       32 * TD <= h**2 * K * m * delta)  # fmt: skip
END_SMALL = obligation(
    "16D_K ≤ h²Kδ",
    (END.conclusion, SUM_SMALL.conclusion, MANY, NOT_LESS.conclusion, TOTAL),
    16 * last <= h**2 * K * delta,
)
OUT_SMALL = obligation(
    "16c Σ E|w_k|³/R³ ≤ Kδ and 32 Σ E|w_k|³/R³ ≤ hKδ",
    (CUBES_K.conclusion, SMALL, LETTERS, TOTAL, EXCESS.conclusion),
    (16 * c * T3 <= R**3 * K * delta) & (32 * T3 <= R**3 * h * K * delta),
)
NEAR_ENOUGH = obligation(
    "64 Σ E|w_k| ≤ Kδ",
    (LINKED.conclusion.at({j: K}, "j = K"), CUBES_K.conclusion, SMALL, LETTERS, TOTAL),
    64 * T1 <= K * delta,
)
LOW_U = obligation(
    "2 Σ E wU ≥ hK(ν + c − 3δ/16) and (2h + 4h²) Σ E wU ≤ hKδ/16",
    (PULLED.conclusion.at({j: K, Dk: last}, "j = K"), END_SMALL.conclusion, OUT_SMALL.conclusion, END_SIZE, SMALL, CLOSE, LETTERS,
     TOTAL, NOT_LESS.conclusion, EXCESS.conclusion, V_POSITIVE),
    (32 * TU >= h * K * (16 * nu + 16 * c - 3 * delta)) & (16 * (2 * h + 4 * h**2) * TU <= h * K * delta),
)  # fmt: skip
LOW = obligation(
    "2 Σ E wf′ ≥ hK(ν + c − δ/4) and (2h + 4h²) Σ E wf′ ≤ hKδ/8",
    (
        LOW_U.conclusion,
        LINKED.conclusion.at({j: K}, "j = K"),
        NEAR_ENOUGH.conclusion,
        NOT_LESS.conclusion,
        CLOSE,
        TOTAL,
    ),
    (8 * TX >= h * K * (4 * nu + 4 * c - delta)) & (8 * (2 * h + 4 * h**2) * TX <= h * K * delta),
)
_LEFT = (2 - 2 * h - 4 * h**2) * TF / K
ABOVE = obligation(
    "(2 − 2h − 4h²) mean E(f − f*) > hν + h(c − δ/2)",
    (
        VALUES.conclusion.at({j: K}, "j = K"),
        LOW.conclusion,
        OUT_SMALL.conclusion,
        END_SIZE,
        SMALL,
        CLOSE,
        LETTERS,
        TOTAL,
        NOT_LESS.conclusion,
    ),
    _LEFT > h * nu + h * (c - delta / 2),
)

# The printed bounds.
Delta = letters("Delta_mean")[0]
GAPS = hypothesis(
    "Δ_i* = (1 − g)²/2 + (1 − g)R + g²/2", equal(2 * Delta, (1 - g) ** 2 + 2 * (1 - g) * R + g**2)
)
GAP = obligation(
    "Δ_i* ≤ 1/2 + R ≤ 9/16", (GAPS, LETTERS), (2 * Delta <= 1 + 2 * R) & (16 * Delta <= 9) & (Delta >= 0)
)
_one, _zero = sympy.Integer(1), sympy.Integer(0)
gamma = h * CHAT * K * rho
"""γ of Theorem 6, which with ρ = 2η is the KCρ²/2 of Theorem 4 and of Theorem 6's second part."""
_base = (ABOVE.conclusion, GAP.conclusion, CLOSE, NOISE, LETTERS, TOTAL, STEP, CHAT_POS)
SIX = obligation(
    "the first part of Theorem 6 fails if c = 1 + δ",
    _base,
    sympy.Implies(
        equal(c, 1 + delta),
        six.factor(gamma, CHAT, K, rho) * TF / K > six.theorem6(CHAT, _one, _zero, gamma, rho, K, Delta),
    ),
)
_half = equal(c, sympy.Rational(3, 2) + delta)
FOUR = obligation(
    "Theorem 4 (a) fails if c = 3/2 + δ, with G = Ĉ",
    _base,
    sympy.Implies(
        _half,
        four.factor_a(rho, E, _one) * TF / K > four.theorem4a(CHAT, _one, _zero, gamma, rho, E, _one, Delta),
    ),
)
SPECIFIC = obligation(
    "and so does the second part of Theorem 6",
    _base,
    sympy.Implies(
        _half,
        four.factor_a(rho, E, _one) * TF / K
        > six.theorem6_specific(CHAT, _one, _zero, gamma, rho, E, _one, Delta),
    ),
)
ALLOWED = obligation(
    "γ = KĈEρ²/2, E ≤ 1/(2ρ), K > 2γ/(ĈEρ), and 1 + g ≤ 3, 3² ≥ 16 max Δ_j*: Ĉ = 1 + g serves for Theorem 4 and Ĉ = 3 for Theorem 6",
    (NOISE, GAP.conclusion, CLOSE, LETTERS, TOTAL, STEP, CHAT_POS),
    equal(2 * gamma, K * CHAT * E * rho**2)
    & (2 * rho * E <= 1)
    & (K * CHAT * E * rho > 2 * gamma)
    & (1 + g <= 3)
    & (9 >= 16 * Delta),
)
FAILS = obligation(
    "all of it",
    (SIX.conclusion, FOUR.conclusion, SPECIFIC.conclusion, ALLOWED.conclusion),
    sympy.And(*(node.conclusion.relation for node in (SIX, FOUR, SPECIFIC, ALLOWED))),
)
NODES = (
    MOMENT, SECOND, S10, NOISE_SIZE, S11, EXCESS, NOT_LESS, SLOPES, AHEAD, AHEAD_NEAR, BEHIND, BEHIND_NEAR, NEAR_PULL, PULLS, NEAR,
    OUTSIDE, VALUE, SQUARE, BACK, PULL_LEAST, LENGTH_BOUND, ROUND, LEAST, FALLS, CUBES, CUBES_K, SQUARES, PULLED, APART, LINKED,
    VALUES, UP, GROWS, FEW, END, SUM_SMALL, END_SMALL, OUT_SMALL, NEAR_ENOUGH, LOW_U, LOW, ABOVE, GAP, SIX, FOUR, SPECIFIC, ALLOWED,
    FAILS,
)  # fmt: skip
PROOF = closed(NODES)
CLAIMS = (
    Claim(
        "DAS-OURS-SELDOM",
        PAPER,
        "ours, on Theorems 4 (a) and 6",
        "ours",
        "clients drawn one by one, any E ≥ 1: for every c > 1 the first part of Theorem 6 fails for some n and r with 1/r − 1/n = c, "
        "and for every c > 3/2 Theorem 4 (a) and the second part of Theorem 6 fail",
        "two clients that pull against each other with about 1 near the minimum of a flat f: sampling adds c(ηE)² a round to E w², "
        "which no gradient of f takes off, and the local steps change an update by a share of ηE only; the R, Z, g, K and m of the "
        "proof are chosen in this order, each as small or as large as it asks for",
        proof=PROOF,
    ),
)
