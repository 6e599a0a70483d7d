"""Clients drawn too seldom: claims DAS-OURS-SELDOM, with c = 1/r − 1/n.

E = L = α = 1, ρ = 2η, w₀ = w* = 0, two clients. f_1′ is 1 − g for −R ≤ w ≤ −g and 1 + g for w ≥ g, rises with slope 1 between, and
falls with slope 1 to 0 left of −R; f_2 is its mirror image. Nothing is cut. Near 0 f is a Huber function of slope g, whose pull is
weak, but both clients pull with about 1: sampling adds cη² to E w² in every round, and

    2 mean E w f′ = η mean E(f′² + c mean f_i′²) + ην − D_K/(ηK),    ν = KC²ρ²,

of which f − f* is all but g²/2. With η = Zg², Z large, g → 0 and ν fixed, E|w|³ is of the order g³, so that w hardly ever leaves
[−R, R]: the left side is ην + cη, to first order in η. The bounds are ην + 2ηΔ̄* and ην + 3ηΔ̄*, and Δ̄* is near 1/2.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg import theorem6 as six
from verify.claim import Claim
from verify.dp_normfedavg.case import closed
from verify.dp_normfedavg.counterexamples.last_round import TD, last, last_round, m, v
from verify.dp_normfedavg.letters import ETA, C, eta, summed, y2
from verify.dp_normfedavg.theorems.rounds import RHO_IS, TOTAL, Dk, K, j, rho
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
g, R, Z, nu, q, delta = letters("g R Z nu q_4 delta")
"""Slope of f, where the clients' flat parts end, η/g², noise of a round, bound on E Y⁴ (v: on E Y²), Y = (w_k − w_{k+1})/η."""
LETTERS = hypothesis(
    "0 < g < R ≤ 1/16, η = Zg², Z > 0", (g > 0) & (g < R) & (16 * R <= 1) & equal(eta, Z * g**2) & (Z > 0)
)
NOISE = hypothesis("ν = KC²ρ², ρ = 2η", equal(nu, K * C**2 * rho**2) & equal(rho, 2 * eta))

# f at one w, and a client's gradient there.
size, slope, f, square, ahead, behind = letters("|w| f′ f−f* mean_f_i′² f_ahead f_behind")
CLIENTS_ARE = hypothesis(
    "at w ≥ 0 (and mirrored) f_1′ = 1 + min(w, g), −f_2′ = 1 − min(w, g) up to R, then max(0, 1 − g − (w − R)); f′ = (f_1′ + f_2′)/2",
    equal(ahead, 1 + sympy.Min(size, g)) & equal(2 * slope, ahead - behind) & equal(2 * square, ahead**2 + behind**2)
    & (((size <= R) & equal(behind, 1 - sympy.Min(size, g))) | ((size >= R) & equal(behind, sympy.Max(0, 1 - g - (size - R))))),
)  # fmt: skip
_parts = (
    (size <= g, equal(slope, size), equal(f, size**2 / 2)),
    ((size >= g) & (size <= R), equal(slope, g), equal(f, g * size - g**2 / 2)),
    ((size >= R) & (size <= R + 1 - g), equal(slope, g + (size - R) / 2), equal(f, g * size - g**2 / 2 + (size - R) ** 2 / 4)),
    (size >= R + 1 - g, equal(slope, (1 + g) / 2),
     equal(f, g * size - g**2 / 2 + (1 - g) / 2 * (size - R) - (1 - g) ** 2 / 4)),
)  # fmt: skip
INTEGRAL = hypothesis(
    "f − f* is the integral of f′ from 0 to |w|",
    sympy.And(*(sympy.Implies(where, value) for where, _, value in _parts)),
)
LENGTH = definition("|w| ≥ 0", size >= 0)
SLOPES = obligation(
    "f′ is |w| up to g, g up to R, then g + (|w| − R)/2 up to (1 + g)/2",
    (CLIENTS_ARE, LENGTH, LETTERS),
    sympy.And(*(sympy.Implies(where, rise) for where, rise, _ in _parts)),
)
PULLS = obligation(
    "mean f_i′² ≥ (1 − g)² up to R",
    (CLIENTS_ARE, LENGTH, LETTERS),
    sympy.Implies(size <= R, square >= (1 - g) ** 2) & (square >= 0),
)
FUNCTION = (SLOPES.conclusion, INTEGRAL)
NEAR = obligation(
    "f − f* ≥ wf′ − g²/2 up to R, ≥ wf′ − g²/2 − 1 everywhere; f − f* ≤ wf′",
    (*FUNCTION, LENGTH, LETTERS),
    sympy.And(
        sympy.Implies(size <= R, f >= size * slope - g**2 / 2),
        f >= size * slope - g**2 / 2 - 1,
        f <= size * slope,
    ),
)
OUTSIDE = obligation("|w|³ ≥ R³ beyond R", (LENGTH, LETTERS), sympy.Implies(size >= R, size**3 >= R**3))
VALUE = obligation(
    "f − f* ≥ wf′ − g²/2 − |w|³/R³",
    (NEAR.conclusion, OUTSIDE.conclusion, LENGTH, LETTERS),
    f >= size * slope - g**2 / 2 - size**3 / R**3,
)
SQUARE = obligation(
    "mean f_i′² ≥ (1 − g)²(1 − |w|³/R³)",
    (PULLS.conclusion, OUTSIDE.conclusion, LENGTH, LETTERS),
    square >= (1 - g) ** 2 * (1 - size**3 / R**3),
)
BACK = obligation("w³f′ ≥ g|w|³ − g⁴", (*FUNCTION, LENGTH, LETTERS), size**3 * slope >= g * size**3 - g**4)

# Means over a round.
X, F, b3, back, w4, w4n = letters("E_wf′ E_f E|w|³ E_w³f′ w4 w4_next")
MEANS = standard(
    "expectations are monotone and linear",
    sympy.Implies(VALUE.conclusion.relation, F >= X - g**2 / 2 - b3 / R**3)
    & sympy.Implies(SQUARE.conclusion.relation, meanQ >= (1 - g) ** 2 * (1 - b3 / R**3))
    & sympy.Implies(BACK.conclusion.relation, back >= g * b3 - g**4)
    & sympy.Implies(NEAR.conclusion.relation, F <= X),
)
MESSAGES = hypothesis("nothing is cut: E⟨(1/r) Σ f_i′(w_k), w_k⟩ = E w_k f′(w_k)", equal(ya, X))
MOMENTS = hypothesis(
    "E Y² ≤ v, E Y⁴ ≤ q₄ for every w: numbers that n, r and ν fix", (mean2 + c * meanQ + nu <= v) & (q >= 0)
)
LENGTHS = definition(
    "means of squares and of powers of |w|", (mean2 >= 0) & (b3 >= 0) & (y2 >= 0) & (w4 >= 0) & (X >= 0)
)
ROUND = obligation(
    "D_{k+1} = D_k − 2ηE wf′ + η²(E f′² + cE mean f_i′² + ν)",
    (S11.conclusion, SECOND.conclusion.at({V: a2}, "f_i′"), MESSAGES, NOISE, RHO_IS),
    equal(yn2, y2 - 2 * eta * X + eta**2 * (mean2 + c * meanQ + nu)),
)
EXCESS = obligation("c ≥ 0", (CLIENTS, EXCESS_IS), c >= 0)
LEAST = obligation(
    "D_{k+1} ≥ D_k − 2ηE wf′ + η²(ν + c(1 − g)²(1 − E|w|³/R³)), D_{k+1} ≤ D_k + η²v − 2ηE wf′",
    (
        ROUND.conclusion,
        SQUARE.conclusion,
        MEANS,
        MOMENTS,
        definition("E f′² ≥ 0", mean2 >= 0),
        EXCESS.conclusion,
        ETA,
    ),
    (yn2 >= y2 - 2 * eta * X + eta**2 * (nu + c * (1 - g) ** 2 * (1 - b3 / R**3)))
    & (yn2 <= y2 - 2 * eta * X + eta**2 * v),
)
POWERS = standard(
    "(w − ηY)⁴ ≤ w⁴ − 4ηw³Y + 8η²w²Y² + 3η⁴Y⁴, in the mean; given w E Y = f′(w), E Y² ≤ v, E Y⁴ ≤ q₄",
    w4n <= w4 - 4 * eta * back + 8 * eta**2 * v * y2 + 3 * eta**4 * q,
)
YOUNG = standard("2|w|³ + λ³ ≥ 3λw² for λ = 3ηv/g and λ = g, in the mean",
                 (2 * b3 * g**3 + (3 * eta * v) ** 3 >= 9 * eta * v * y2 * g**2) & (2 * b3 + g**3 >= 3 * g * y2))  # fmt: skip
_H = 4 * Z + 27 * Z**4 * v**3 + 3 * Z**4 * q
V_POSITIVE = hypothesis("v > 0", v > 0)
FALLS = obligation(
    "E w_{k+1}⁴ ≤ E w_k⁴ − 2ηgE|w_k|³ + g⁶H, H = 4Z + 27Z⁴v³ + 3Z⁴q₄",
    (POWERS, YOUNG, BACK.conclusion, MEANS, MOMENTS, LENGTHS, LETTERS, V_POSITIVE),
    w4n <= w4 - 2 * eta * g * b3 + g**6 * _H,
)

# Sums over rounds.
TX, TF, T3 = letters("TX TF T3")
CUBES = summed(
    "E w_j⁴ + 2ηg Σ E|w_k|³ ≤ jg⁶H",
    w4 + 2 * eta * g * T3 <= j * g**6 * _H,
    {w4: 0, T3: 0, j: 0},
    {w4: w4n, T3: T3 + b3, j: j + 1},
    (FALLS.conclusion,),
)
CUBES_K = obligation(
    "2Z Σ E|w_k|³ ≤ Kg³H",
    (CUBES.conclusion.at({j: K}, "j = K"), LENGTHS, LETTERS),
    2 * Z * T3 <= K * g**3 * _H,
)
SQUARES = summed("3g Σ D_k ≤ 2 Σ E|w_k|³ + jg³", 3 * g * TD <= 2 * T3 + j * g**3, {TD: 0, T3: 0, j: 0},
                 {TD: TD + y2, T3: T3 + b3, j: j + 1}, (YOUNG,))  # fmt: skip
_least_j = LEAST.conclusion.at({y2: Dk}, "round j")
PULLED = summed(
    "2η Σ E wf′ ≥ η²(jν + c(1 − g)²(j − Σ E|w_k|³/R³)) − D_j, and ≤ jη²v",
    (2 * eta * TX >= eta**2 * (j * nu + c * (1 - g) ** 2 * (j - T3 / R**3)) - Dk)
    & (2 * eta * TX <= j * eta**2 * v - Dk),
    {TX: 0, T3: 0, j: 0, Dk: 0},
    {TX: TX + X, T3: T3 + b3, j: j + 1, Dk: yn2},
    (_least_j,),
)
VALUES = summed(
    "Σ E(f − f*) ≥ Σ E wf′ − jg²/2 − Σ E|w_k|³/R³",
    TF >= TX - j * g**2 / 2 - T3 / R**3,
    {TF: 0, TX: 0, j: 0, T3: 0},
    {TF: TF + F, TX: TX + X, j: j + 1, T3: T3 + b3},
    (VALUE.conclusion, MEANS),
)
GROWS, FEW, END = last_round(LEAST.conclusion, definition("E wf′ ≥ 0", X >= 0), V_POSITIVE)

# What is small beside δ.
SMALL = hypothesis(
    "Z ≥ 16/δ; g ≤ δ/(32c), R³δ/(8cH)·Z, R³Z²δ/(16H); η ≤ δ/(48v)",
    (delta > 0)
    & (16 <= Z * delta)
    & (32 * c * g <= delta)
    & (8 * c * g**3 * _H <= R**3 * Z * delta)
    & (16 * g * _H <= R**3 * Z**2 * delta)
    & (48 * eta * v <= delta),
)
CLOSE = hypothesis(
    "R ≤ δ/8, η ≤ δ/16 and 1/16", (8 * R <= delta) & (16 * eta <= delta) & (16 * eta <= 1) & (delta > 0)
)
MANY = hypothesis(
    "m ≥ 32(H/Z + 1)/(3Z²g²δ), m ≤ K, m ≤ Kδ/(32v)",
    (m >= 1) & (m <= K) & (32 * (_H / Z + 1) <= 3 * Z**2 * g**2 * delta * m) & (32 * m * v <= K * delta),
)
END_SIZE = definition("D_K ≥ 0, Σ E|w_k|³ ≥ 0", (last >= 0) & (T3 >= 0))
SUM_SMALL = obligation("32 Σ D_k ≤ η²Kmδ", (SQUARES.conclusion.at({j: K}, "j = K"), CUBES_K.conclusion, MANY, LETTERS, TOTAL),
                       32 * TD <= eta**2 * K * m * delta)  # fmt: skip
END_SMALL = obligation(
    "16D_K ≤ η²Kδ", (END.conclusion, SUM_SMALL.conclusion, MANY, ETA, TOTAL), 16 * last <= eta**2 * K * delta
)
OUT_SMALL = obligation(
    "16c Σ E|w_k|³/R³ ≤ Kδ and 32 Σ E|w_k|³/R³ ≤ ηKδ",
    (CUBES_K.conclusion, SMALL, LETTERS, TOTAL, EXCESS.conclusion),
    (16 * c * T3 <= R**3 * K * delta) & (32 * T3 <= R**3 * eta * K * delta),
)
LOW = obligation(
    "2 Σ E wf′ ≥ ηK(ν + c − 3δ/16) and (2η + 4η²) Σ E wf′ ≤ ηKδ/16",
    (PULLED.conclusion.at({j: K, Dk: last}, "j = K"), END_SMALL.conclusion, OUT_SMALL.conclusion, END_SIZE, SMALL, CLOSE, LETTERS,
     TOTAL, ETA, EXCESS.conclusion, V_POSITIVE),
    (32 * TX >= eta * K * (16 * nu + 16 * c - 3 * delta)) & (16 * (2 * eta + 4 * eta**2) * TX <= eta * K * delta),
)  # fmt: skip
_LEFT = (2 - 2 * eta - 4 * eta**2) * TF / K
ABOVE = obligation(
    "(2 − 2η − 4η²) mean E(f − f*) > ην + η(c − δ/2)",
    (
        VALUES.conclusion.at({j: K}, "j = K"),
        LOW.conclusion,
        OUT_SMALL.conclusion,
        END_SIZE,
        SMALL,
        CLOSE,
        LETTERS,
        TOTAL,
        ETA,
    ),
    _LEFT > eta * nu + eta * (c - delta / 2),
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
gamma = eta * C * K * rho
"""γ of Theorem 6, which with ρ = 2η is the KCρ²/2 of Theorem 4 and of Theorem 6's second part."""
SIZE_C = hypothesis("C > 0", C > 0)
_base = (ABOVE.conclusion, GAP.conclusion, CLOSE, NOISE, LETTERS, TOTAL, ETA, SIZE_C)
SIX = obligation(
    "the first part of Theorem 6 fails if c = 1 + δ",
    _base,
    sympy.Implies(
        equal(c, 1 + delta),
        six.factor(gamma, C, K, rho) * TF / K > six.theorem6(C, _one, _zero, gamma, rho, K, Delta),
    ),
)
_half = equal(c, sympy.Rational(3, 2) + delta)
FOUR = obligation(
    "Theorem 4 (a) fails if c = 3/2 + δ, with G = C",
    _base,
    sympy.Implies(
        _half,
        four.factor_a(rho, _one, _one) * TF / K
        > four.theorem4a(C, _one, _zero, gamma, rho, _one, _one, Delta),
    ),
)
SPECIFIC = obligation(
    "and so does the second part of Theorem 6",
    _base,
    sympy.Implies(
        _half,
        four.factor_a(rho, _one, _one) * TF / K
        > six.theorem6_specific(C, _one, _zero, gamma, rho, _one, _one, Delta),
    ),
)
ALLOWED = obligation(
    "γ = KCρ²/2, 1 ≤ 1/(2ρ), K > 2γ/(Cρ), and 1 + g ≤ 3, 3² ≥ 16 max Δ_j*: C = 1 + g serves for Theorem 4 and Ĉ = 3 for Theorem 6",
    (NOISE, GAP.conclusion, CLOSE, LETTERS, TOTAL, ETA, SIZE_C),
    equal(2 * gamma, K * C * rho**2)
    & (2 * rho <= 1)
    & (K * C * rho > 2 * gamma)
    & (1 + g <= 3)
    & (9 >= 16 * Delta),
)
FAILS = obligation(
    "all of it",
    (SIX.conclusion, FOUR.conclusion, SPECIFIC.conclusion, ALLOWED.conclusion),
    sympy.And(*(node.conclusion.relation for node in (SIX, FOUR, SPECIFIC, ALLOWED))),
)
NODES = (
    MOMENT, SECOND, S10, NOISE_SIZE, S11, EXCESS, SLOPES, PULLS, NEAR, OUTSIDE, VALUE, SQUARE, BACK, ROUND, LEAST, FALLS, CUBES,
    CUBES_K, SQUARES, PULLED, VALUES, GROWS, FEW, END, SUM_SMALL, END_SMALL, OUT_SMALL, LOW, ABOVE, GAP, SIX, FOUR, SPECIFIC,
    ALLOWED, FAILS,
)  # fmt: skip
PROOF = closed(NODES)
CLAIMS = (
    Claim(
        "DAS-OURS-SELDOM",
        PAPER,
        "ours, on Theorems 4 (a) and 6",
        "ours",
        "clients drawn one by one: for every c > 1 the first part of Theorem 6 fails for some n and r with 1/r − 1/n = c, and for "
        "every c > 3/2 Theorem 4 (a) and the second part of Theorem 6 fail",
        "two clients that pull against each other with about 1 near the minimum of a flat f, one local step: sampling adds cη² a "
        "round to E w², which no gradient of f takes off; the R, Z, K and m of the proof are chosen in this order, each as small or "
        "as large as it asks for",
        proof=PROOF,
    ),
)
