"""The term that clients drawn one by one add to (3) and to Theorem 7 is needed in full: claim DAS-OURS-OVERSHOOT.

E = L = G = C = α = 1; n clients with one function, whose slope is s from s to a far M and then steepens to 1. However flat it is, the
normalised messages are sign(w), so that with c = 1/r − 1/n, κ = Kρ², v = 1 + c + κ, η = ρ/2 and D_k = E w_k²

    D_{k+1} = D_k − 2ηE|w_k| + η²v,    mean E|w_k| = (D₀ − D_K)/(2ηK) + ηv/2,

and the left side of (3) tends to (2 − ρ²) times that mean as s → 0, M → ∞. With κ fixed, w₀ = η and K → ∞ what is left of the two
sides is −D_K/(ηK) + η(c − c′), to first order in η. D_K is small: E w⁴ falls where w is beyond a few η, so that Σ_k D_k is of the
order η²K, and D_K is at most the mean of the last m of the D_k and mη²v.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg import theorem7 as seven
from verify.case import closed
from verify.claim import Claim
from verify.dp_normfedavg.counterexamples.last_round import TD, last, last_round, m, v
from verify.dp_normfedavg.letters import ETA, C, eta, summed, y2
from verify.dp_normfedavg.theorems.rounds import RHO, RHO_IS, TOTAL, Dk, K, j, rho
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
kappa, b, b3, w4, w4n, third, fourth = letters("kappa E|w| E|w|³ w4 w4_next E_X³ E_X⁴")
"""κ = Kρ² (v is E X²), means of powers of |w_k|, and of X = |S_k|/r + sign(w_k) ζ_k: |w_{k+1}| is ||w_k| − ηX|."""
UNIT = hypothesis("C = 1, η = ρ/2 (E = L = G = α = 1)", equal(C, 1) & equal(2 * eta, rho))
SIGNS = hypothesis(
    "all clients send sign(w_k): ⟨norm(u_i, 1), w_k⟩ = |w_k|",
    equal(mean2, 1) & equal(meanQ, 1) & equal(ya, b),
)
SIZE = hypothesis("κ = Kρ², v = 1 + c + κ", equal(kappa, K * rho**2) & equal(v, 1 + c + kappa))
EXCESS = obligation("c ≥ 0", (CLIENTS, EXCESS_IS), c >= 0)
POSITIVE = obligation("κ > 0, v > 1", (SIZE, EXCESS.conclusion, RHO, TOTAL), (kappa > 0) & (v > 1))
ROUND = obligation(
    "D_{k+1} = D_k − 2ηE|w_k| + η²v",
    (S11.conclusion, SECOND.conclusion.at({V: a2}, "messages"), SIGNS, SIZE, RHO_IS, UNIT),
    equal(yn2, y2 - 2 * eta * b + eta**2 * v),
)

# Σ E|w_k| and Σ D_k.
_round_j = ROUND.conclusion.at({y2: Dk}, "round j")
start, TA = letters("w_0 T_abs")
FIRST = summed(
    "D_j = w₀² − 2η Σ E|w_k| + jη²v",
    equal(Dk, start**2 - 2 * eta * TA + j * eta**2 * v),
    {Dk: start**2, TA: 0, j: 0},
    {Dk: yn2, TA: TA + b, j: j + 1},
    (_round_j,),
)
POWERS = standard(
    "E w_{k+1}⁴ expanded: X is independent of w_k, E X = 1, E X² = v",
    equal(w4n, w4 - 4 * eta * b3 + 6 * eta**2 * v * y2 - 4 * eta**3 * third * b + eta**4 * fourth),
)
SYMMETRIC = standard("given S_k the noise is symmetric: E X³ ≥ 0", third >= 0)
FOURTH = definition("E X⁴ ≥ 0, a number that n, r and κ fix", fourth >= 0)
ABS = definition("E|w_k| ≥ 0", b >= 0)
LENGTHS = definition("means of powers of |w|", (b >= 0) & (b3 >= 0) & (y2 >= 0) & (w4 >= 0))
YOUNG = standard(
    "2|w|³ + λ³ ≥ 3λw² for λ = 2vη, in the mean", 2 * b3 + (2 * v * eta) ** 3 >= 3 * (2 * v * eta) * y2
)
_fourth = 16 * v**3 + fourth
FALLS = obligation(
    "E w_{k+1}⁴ ≤ E w_k⁴ − 6vη²D_k + η⁴(16v³ + E X⁴)",
    (POWERS, SYMMETRIC, FOURTH, LENGTHS, YOUNG, ETA),
    w4n <= w4 - 6 * v * eta**2 * y2 + eta**4 * _fourth,
)
SECOND_SUM = summed(
    "E w_j⁴ + 6vη² Σ D_k ≤ w₀⁴ + jη⁴(16v³ + E X⁴)",
    w4 + 6 * v * eta**2 * TD <= start**4 + j * eta**4 * _fourth,
    {w4: start**4, TD: 0, j: 0},
    {w4: w4n, TD: TD + y2, j: j + 1},
    (FALLS.conclusion,),
)
AT_STEP = hypothesis("w₀ = η", equal(start, eta))
SQUARES = obligation(
    "6v Σ_{k<K} D_k ≤ η²(1 + K(16v³ + E X⁴))",
    (SECOND_SUM.conclusion.at({j: K}, "j = K"), AT_STEP, LENGTHS, ETA),
    6 * v * TD <= eta**2 * (1 + K * _fourth),
)

GROWS, FEW, END = last_round(ROUND.conclusion, (ABS, ETA), POSITIVE.conclusion)

# What (3) weighs.
s, M, size, zf, zm, SZ = letters("s M |w| z(f−f*) z_mean SZ")
FUNCTION = hypothesis(
    "z = 1/|f′|; f = w²/2 up to s, then of slope s up to M, then steeper",
    ((size <= s) & equal(2 * zf, size))
    | ((size >= s) & (size <= M) & equal(zf, size - s / 2))
    | ((size >= M) & (zf >= 0)),
)
SHAPE = hypothesis("0 < s < 1, s < M", (s > 0) & (s < 1) & (s < M))
POINT = obligation(
    "z(f − f*) ≥ |w| − s/2 − w²/M",
    (FUNCTION, SHAPE, definition("|w| ≥ 0", size >= 0)),
    zf >= size - s / 2 - size**2 / M,
)
MEANS = standard(
    "expectations are monotone and linear",
    sympy.Implies(POINT.conclusion.relation, zm >= b - s / 2 - y2 / M),
)
WEIGHED = summed(
    "Σ E z(f − f*) ≥ Σ E|w_k| − js/2 − Σ D_k/M",
    SZ >= TA - j * s / 2 - TD / M,
    {SZ: 0, TA: 0, TD: 0, j: 0},
    {SZ: SZ + zm, TA: TA + b, TD: TD + y2, j: j + 1},
    (POINT.conclusion, MEANS),
)

# A run for every c′ < c, from m over K to s and M.
less, delta = letters("c_less delta")
LESS = hypothesis("δ = c − c′ > 0", equal(delta, c - less) & (delta > 0))
M_ROUNDS = hypothesis(
    "m ≥ 1, m ≥ 4(1 + 16v³ + E X⁴)/(3vδ)", (m >= 1) & (4 * (1 + _fourth) <= 3 * v * m * delta)
)
MANY = hypothesis(
    "K ≥ m, 4κ, 8mv/δ and 2κ(1 + v)/δ",
    (K >= m) & (K >= 4 * kappa) & (8 * m * v <= K * delta) & (2 * kappa * (1 + v) <= K * delta),
)
FLAT = hypothesis(
    "s ≤ ηδ/8, M ≥ 8(1 + 16v³ + E X⁴)η/(3vδ)",
    (8 * s <= eta * delta) & (8 * (1 + _fourth) * eta <= 3 * v * M * delta),
)
_domain = (ETA, POSITIVE.conclusion, TOTAL)
SMALL_SUM = obligation(
    "8Σ D_k ≤ η²Kmδ",
    (SQUARES.conclusion, FOURTH, M_ROUNDS, LESS, *_domain),
    8 * TD <= eta**2 * K * m * delta,
)
SMALL_END = obligation(
    "4D_K ≤ η²Kδ",
    (END.conclusion, SMALL_SUM.conclusion, M_ROUNDS, MANY, *_domain),
    4 * last <= eta**2 * K * delta,
)
FAR = obligation(
    "16 Σ D_k ≤ ηδKM",
    (SQUARES.conclusion, FOURTH, FLAT, SHAPE, LESS, *_domain),
    16 * TD <= eta * delta * K * M,
)
_first_K = FIRST.conclusion.at({j: K, Dk: last}, "j = K")
END_SIZE = definition("D_K ≥ 0", last >= 0)
SMALL_MEAN = obligation(
    "16η Σ E|w_k| ≤ Kδ",
    (_first_K, AT_STEP, END_SIZE, MANY, SIZE, UNIT, LESS, *_domain),
    16 * eta * TA <= K * delta,
)
_one = sympy.Integer(1)
RIGHT = four.theorem4b(_one, _one, eta, kappa / 2, rho, _one, _one, sympy.Integer(0))
FAILS = obligation(
    "the left side of (3) exceeds the right side with (1 + c′)G²/(2L) for G²/(2L)",
    (
        WEIGHED.conclusion.at({j: K}, "j = K"), _first_K, AT_STEP, SMALL_END.conclusion, FAR.conclusion, SMALL_MEAN.conclusion, FLAT,
        SHAPE, LESS, SIZE, UNIT, RHO, MANY, *_domain,
    ),
    four.factor_b(rho, _one, _one) * SZ / K > RIGHT + less * rho / 2,
)  # fmt: skip
gamma = kappa / 2
ALLOWED = obligation(
    "γ = κ/2: K = 2γ/ρ², 1 ≤ 1/(2ρ), η = γ/(Kρ), K > 2γ/ρ",
    (SIZE, MANY, UNIT, RHO, TOTAL, POSITIVE.conclusion),
    equal(K * rho**2, 2 * gamma) & (2 * rho <= 1) & equal(eta * K * rho, gamma) & (K * rho > 2 * gamma),
)
_seven = seven.theorem7(_one, _one, eta, gamma, rho, K, _one, sympy.Integer(0)) + less * gamma / (K * rho)
_specific = (
    seven.theorem7_specific(_one, _one, eta, gamma, rho, _one, _one, sympy.Integer(0)) + less * rho / 2
)
SEVEN = obligation(
    "so do both parts of Theorem 7 at Ĉ = 1, with (1 + c′) times their overshoot terms",
    (FAILS.conclusion, ALLOWED.conclusion, RHO, *_domain),
    (seven.factor(gamma, _one, K, rho) * SZ / K > _seven)
    & (four.factor_b(rho, _one, _one) * SZ / K > _specific),
)
NODES = (
    MOMENT, SECOND, S10, NOISE_SIZE, S11, EXCESS, POSITIVE, ROUND, FIRST, FALLS, SECOND_SUM, SQUARES, GROWS, FEW, END, POINT, WEIGHED,
    SMALL_SUM, SMALL_END, FAR, SMALL_MEAN, FAILS, ALLOWED, SEVEN,
)  # fmt: skip
PROOF = closed(NODES)
CLAIMS = (
    Claim(
        "DAS-OURS-OVERSHOOT",
        PAPER,
        "ours, on Theorem 4 (b) and Theorem 7",
        "ours",
        "clients drawn one by one: for no r < n and no c′ < 1/r − 1/n does (3) hold with (1 + c′)G²/(2L) for G²/(2L), nor either part "
        "of Theorem 7 with 1 + c′ times its overshoot term (γĈ/(LKρ) or (E/α)Ĉ²/(2L)ρ)",
        "equal clients, all but flat: their messages are signs, and of the two sides η(1/r − 1/n − c′) is left as K → ∞ with Kρ² "
        "fixed, from w₀ = η; the m, K, 1/s and M of the proof are chosen in this order, each as large as it asks for",
        proof=PROOF,
    ),
)
