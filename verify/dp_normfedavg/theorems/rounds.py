"""From one client to one round to K rounds: (12), (13) and (33) to (39), for the printed proof and for
ours."""

from __future__ import annotations

from itertools import permutations

import sympy

from bounds.dp_normfedavg import theorem6 as printed
from verify.case import Case
from verify.dp_normfedavg.lemmas.convexity import FACT2, Q, p, ss
from verify.dp_normfedavg.letters import (
    CLIPPED,
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
    U,
    eta,
    summed,
    y2,
)
from verify.dp_normfedavg.ours import cut, sharper
from verify.dp_normfedavg.theorems import theorem6_cut, theorem6_kept
from verify.dp_normfedavg.theorems.sampling import (
    CLIENTS,
    MOMENT_NODES,
    NOISE_SIZE,
    S1,
    S10,
    S11,
    S12_FIXED,
    SECOND,
    UNBIASED,
    V,
    a2,
    c,
    d,
    mean2,
    mean_drawn,
    meanQ,
    n,
    r,
    sigma2,
    ya,
    yn2,
)
from verify.dp_normfedavg.theorems.theorem6_kept import FACTOR, REMAINDER
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

CHAT, K, rho, gamma, alpha, distance = letters("C_hat K rho gamma alpha distance")
CHAT_IS = hypothesis("Ĉ = C/E", equal(CHAT, C / E))
RHO_IS = hypothesis("dσ² = K C² ρ² (Theorem 3, Definition 2)", equal(d * sigma2, K * C**2 * rho**2))
TOTAL = hypothesis("K ≥ 1", K >= 1)
RHO = hypothesis("ρ > 0", rho > 0)
GAMMA = hypothesis("γ > 0", gamma > 0)

# (12), (13) with |S_k| ≤ r.
EQ, YM, AM = letters("E_Q clip_y_mean A_mean")
MONOTONE = standard("expectation is monotone", sympy.Implies(ss / r**2 <= Q / r, a2 <= EQ))
S12 = obligation("(12)", (S12_FIXED.conclusion, MONOTONE), a2 <= EQ)
MEANS = definition("mean of A_i over the clients", equal(AM, -2 * eta * YM + eta**2 * meanQ))
TOTALS = definition("mean of ‖clip_i‖² and of ⟨clip_i, w_k − w*⟩", equal(meanQ, Q / n) & equal(YM, S1 / n))
MEAN_Q = UNBIASED.conclusion.at({mean_drawn: EQ, S1: Q}, "‖clip_i‖²")
MEAN_Y = UNBIASED.conclusion.at({mean_drawn: ya}, "⟨clip_i, w_k − w*⟩")
S11_MEANS = obligation(
    "(11), with means over the clients",
    (S11.conclusion, MEAN_Y, TOTALS),
    equal(yn2, y2 - 2 * eta * YM + eta**2 * a2 + eta**2 * d * sigma2),
)
S13_SAME = obligation(
    "(13), equality",
    (MEAN_Q, TOTALS, MEANS, CLIENTS),
    equal(y2 - 2 * eta * YM + eta**2 * EQ + eta**2 * d * sigma2, y2 + AM + eta**2 * d * sigma2),
)
S13 = obligation(
    "(13)",
    (S11.conclusion, S12.conclusion, MEAN_Q, MEAN_Y, TOTALS, MEANS, ETA),
    yn2 <= y2 + AM + eta**2 * d * sigma2,
)
ROUND_FIXED = (FACT2, S10, NOISE_SIZE, S11, UNBIASED, S12_FIXED, S12, S13)

# The same for clients drawn one by one: shares A_h measured from h_i, whose mean is zero.
phi, QH, ssh, step_length = sharper.phi, *letters("Q_h ‖Σ(y_i−h_i)‖² s_total")
SHIFT = hypothesis("w* minimises f: Σ h_i = E Σ ∇f_i(w*) = 0, so that Σ (y_i − h_i) = Σ y_i", equal(ssh, ss))
SHIFTED = FACT2.conclusion.at({p: n, ss: ssh, Q: QH}, "y_i − h_i")
MEAN_2 = definition("‖mean y_i‖² of ‖Σ y_i‖²", equal(mean2, ss / n**2))
PLAIN = FACT2.conclusion.at({p: n}, "y_i")
JENSEN = obligation(
    "‖mean y_i‖² ≤ mean ‖y_i − h_i‖² and ≤ mean ‖y_i‖²",
    (SHIFT, SHIFTED, PLAIN, MEAN_2, TOTALS, CLIENTS),
    (mean2 <= QH / n) & (mean2 <= meanQ),
)
SHARES = definition(
    "mean of the shares A_h over the clients",
    equal(step_length, eta * L * E)
    & equal(
        AM * step_length,
        step_length * (-2 * eta * YM)
        + eta**2 * (phi * QH / n + (step_length - phi) * meanQ + c * step_length * meanQ),
    ),
)
SECOND_HERE = SECOND.conclusion.at({V: a2}, "y_i")
ROUND_DRAWN = obligation(
    "(13), clients drawn one by one",
    (
        S11.conclusion,
        SECOND_HERE,
        JENSEN.conclusion,
        SHARES,
        MEAN_Y,
        MEAN_2,
        TOTALS,
        sharper.SHARE,
        CLIENTS,
        ETA,
        SMOOTH,
        LOCAL,
    ),
    yn2 <= y2 + AM + eta**2 * d * sigma2,
)
ROUND_SAMPLED = (FACT2, S10, NOISE_SIZE, S11, UNBIASED, *MOMENT_NODES, JENSEN, ROUND_DRAWN)

# (33), (34): both cases with the indicator I = 1(‖u‖ ≤ C).
ind = letters("I")[0]
INDICATOR = definition("I = 1(‖u‖ ≤ C)", (equal(ind, 1) & (U <= C)) | (equal(ind, 0) & (U > C)))
CASE1 = Case("(22)", CLIPPED, theorem6_cut.CLIPPED_NODES)
CASE2 = Case("(32)", KEPT, theorem6_kept.KEPT_NODES)
_cut, _kept = -3 * eta * C / (8 * L * E) * U, -eta * E * FACTOR * F + REMAINDER * Delta
S33 = obligation(
    "(33)",
    (CASE1.conclusion, CASE2.conclusion, INDICATOR, SMOOTH, LOCAL),
    (1 - ind) * _cut + ind * _kept >= A,
)
Z = ind * FACTOR * F + (1 - ind) * 3 * CHAT * U / (8 * L * E)
Y = ind * (2 * eta * L * E + 4 * eta**2 * L**2 * E**2) * Delta
S34 = obligation("(34)", (S33.conclusion, CHAT_IS, SMOOTH, LOCAL), -eta * E * (Z - Y) >= A)

# Ours: the shares satisfy (34) too.
OUR_CASE1 = Case("(22), ours", CLIPPED, cut.CUT_NODES)
OUR_CASE2 = Case("(32), ours", KEPT, sharper.KEPT_NODES)
OURS34 = obligation(
    "(34), ours",
    (OUR_CASE1.conclusion, OUR_CASE2.conclusion, INDICATOR, EXCESS, CHAT_IS, SMOOTH, LOCAL),
    sharper.Ah <= -eta * E * (Z - Y),
)

# (35): the mean over clients; then one round.
SA, SZ, SY, zi, yi, ai, zm, ym = letters("SA SZ SY z_i y_i a_i z_mean y_mean")
CLIENT = definition("z_i and y_i are the two sums in (34)", equal(zi, Z) & equal(yi, Y))
ROUND_MEANS = definition("means over the clients", equal(AM, SA / n) & equal(zm, SZ / n) & equal(ym, SY / n))
_after = {SA: SA + ai, SZ: SZ + zi, SY: SY + yi}
_zero = {SA: 0, SZ: 0, SY: 0}
_sum = -eta * E * (SZ - SY) >= SA
NAME_A, NAME_AH = definition("a_i = A_i", equal(ai, A)), definition("a_i = A_h", equal(ai, sharper.Ah))
SUM34 = summed("(34), summed over clients", _sum, _zero, _after, (S34.conclusion, CLIENT, NAME_A))
SUM34_OURS = summed(
    "(34), summed over clients, ours", _sum, _zero, _after, (OURS34.conclusion, CLIENT, NAME_AH)
)
_round = yn2 <= y2 - eta * E * (zm - ym) + eta**2 * E**2 * CHAT**2 * K * rho**2
PER_ROUND = (ROUND_MEANS, RHO_IS, CHAT_IS, CLIENTS, LOCAL)
S35 = obligation("(35)", (S13.conclusion, SUM34.conclusion, *PER_ROUND), _round)
S35_OURS = obligation("(35)", (ROUND_DRAWN.conclusion, SUM34_OURS.conclusion, *PER_ROUND), _round)

# (36): K rounds.
Dk, TZ, TY, TD, j = letters("D_k TZ TY TD j")
"""E‖w_j − w*‖², sums over rounds of the means of z_i, y_i and 1(‖u_i‖ ≤ ĈE) Δ_i*, number of rounds so far."""
NOISE_PER_ROUND = eta**2 * E**2 * CHAT**2 * K * rho**2
RECURSION = summed(
    "(36), summed over rounds",
    Dk + eta * E * (TZ - TY) <= distance**2 + j * NOISE_PER_ROUND,
    {Dk: distance**2, TZ: 0, TY: 0, j: 0},
    {Dk: yn2, TZ: TZ + zm, TY: TY + ym, j: j + 1},
    (S35.conclusion.at({y2: Dk}, "round j"),),
)
LAST = definition("E‖w_K − w*‖² ≥ 0", Dk >= 0)
KEPT_SUM = standard(
    "a factor that does not depend on the client may be taken out of a sum over the clients: 2ηLE + 4η²L²E²",
    equal(TY, (2 * eta * L * E + 4 * eta**2 * L**2 * E**2) * TD),
)
S36 = obligation(
    "(36)",
    (RECURSION.conclusion.at({j: K}, "j = K"), LAST, KEPT_SUM, ETA, LOCAL, TOTAL),
    distance**2 / (eta * E * K)
    + eta * E * K * CHAT**2 * rho**2
    + 2 * eta * L * E * (1 + 2 * eta * L * E) * TD / K
    >= TZ / K,
)

# (37) to (39): the choices of η and K, and the bound that the theorem prints.
STEP6 = hypothesis("η = γ/(ĈLEK)/ρ", equal(eta, gamma / (CHAT * L * E * K) / rho))
CHAT_POS = hypothesis("Ĉ > 0", CHAT > 0)
average, kept_average = letters("average Delta_kept")
MEAN_K = hypothesis("mean over k̃ ~ unif[0, K−1]", equal(average, TZ / K) & equal(kept_average, TD / K))
POSITIVE = (RHO, GAMMA, CHAT_POS, SMOOTH, LOCAL, TOTAL)
CHOSEN = {"C_hat": CHAT, "L": L, "distance": distance, "gamma": gamma, "rho": rho}
S37_FACTOR = obligation(
    "(37), factor", (STEP6, *POSITIVE), equal(FACTOR, printed.factor(gamma, CHAT, K, rho))
)
S37 = obligation(
    "(37)", (S36.conclusion, STEP6, *POSITIVE), printed.theorem6(**CHOSEN, K=K, Delta_kept=TD / K) >= TZ / K
)
S38_SAME = obligation(
    "(38), equivalent to (37)",
    (MEAN_K, *POSITIVE),
    sympy.And(
        *(
            sympy.Implies(one, other)
            for one, other in permutations(
                (
                    printed.theorem6(**CHOSEN, K=K, Delta_kept=TD / K) >= TZ / K,
                    average <= printed.theorem6(**CHOSEN, K=K, Delta_kept=kept_average),
                )
            )
        )
    ),
)
S38 = obligation(
    "(38)",
    (S37.conclusion, MEAN_K, *POSITIVE),
    average <= printed.theorem6(**CHOSEN, K=K, Delta_kept=kept_average),
)
ROUNDS6 = hypothesis("K = 2αγ/(ĈE)/ρ²", equal(K, 2 * alpha * gamma / (CHAT * E) / rho**2))
ALPHA = hypothesis("α ≥ 1", alpha >= 1)
LOCAL_STEPS = hypothesis("E ≤ α/(2ρ)", alpha / (2 * rho) >= E)
INDICATOR_MEAN = hypothesis(
    "0 ≤ 1(·) ≤ 1, Δ ≥ 0", (Delta >= 0) & (kept_average >= 0) & (kept_average <= Delta)
)
S39_FACTOR = obligation(
    "(39), factor",
    (S37_FACTOR.conclusion, ROUNDS6, ALPHA, *POSITIVE),
    equal(FACTOR, 2 - rho * E / alpha - rho**2 * E**2 / alpha**2),
)
x = letters("x")[0]
RATIO = definition("x = ρE/α", equal(x, rho * E / alpha))
S39_RATIO = obligation(
    "(39), 2γ/(ĈKρ) = ρE/α", (ROUNDS6, RATIO, ALPHA, *POSITIVE), equal(2 * gamma / (CHAT * K * rho), x)
)
S39_HALF = obligation(
    "(39), 1 + ρE/α ≤ 3/2", (RATIO, LOCAL_STEPS, ALPHA, RHO, LOCAL), (x > 0) & (1 + x <= sympy.Rational(3, 2))
)
_start = printed.initialisation(CHAT, L, distance, gamma, rho)
S39_START = obligation(
    "(39), with x",
    (S38.conclusion, S39_RATIO.conclusion, *POSITIVE),
    average <= _start + x * (1 + x) * kept_average,
)
S39 = obligation(
    "(39)",
    (S39_START.conclusion, S39_HALF.conclusion, RATIO, INDICATOR_MEAN, ALPHA, *POSITIVE),
    average <= printed.theorem6_specific(**CHOSEN, E=E, alpha=alpha, Delta=Delta),
)
GENERAL_NODES = (RECURSION, S36, S37_FACTOR, S37, S38)
SPECIFIC_NODES = (S39_FACTOR, S39_RATIO, S39_HALF, S39_START, S39)
PRINTED_CASES = (CASE2, S33, S34, SUM34, S35)
"""(33) to (35) of the printed proof, for |S_k| ≤ r, once case 1 is shown."""
DRAWN_CASES = (OUR_CASE1, OUR_CASE2, OURS34, SUM34_OURS, S35_OURS)
"""The same of ours, for clients drawn one by one, with both cases."""
