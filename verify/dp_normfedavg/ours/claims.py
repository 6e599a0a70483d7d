"""Our theorems for one step size of the reader's choice: clipping for any clients, normalisation for a
common minimiser."""

from __future__ import annotations

from sympy import Implies

from bounds.dp_normfedavg import repaired
from verify.case import Case, closed
from verify.dp_normfedavg.lemmas.convexity import FACT2, L9_U, Q, p
from verify.dp_normfedavg.letters import (
    ETA,
    EXCESS,
    KEPT,
    LOCAL,
    SMOOTH,
    WHOLE,
    A,
    C,
    Delta,
    E,
    F,
    L,
    M,
    U,
    eta,
    summed,
    uy,
    y2,
)
from verify.dp_normfedavg.ours import sharper
from verify.dp_normfedavg.ours.sharper import SQUARES, TRAVEL_SUM, c
from verify.dp_normfedavg.theorems import rounds
from verify.dp_normfedavg.theorems.choices import CHOICE_C, LIPSCHITZ_POS, NOT_CUT, TRAVELLED, G
from verify.dp_normfedavg.theorems.rounds import (
    LAST,
    RHO_IS,
    ROUND_DRAWN,
    TOTAL,
    TOTALS,
    Dk,
    K,
    distance,
    j,
    rho,
)
from verify.dp_normfedavg.theorems.sampling import (
    CLIENTS,
    EXCESS_IS,
    SECOND,
    V,
    a2,
    d,
    mean2,
    meanQ,
    n,
    sigma2,
    ss,
    yn2,
)
from verify.dp_normfedavg.theorems.theorem6_kept import S24
from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

SHORT = hypothesis("ηLE ≤ 1", eta * L * E <= 1)
WHOLE_SHOWN = obligation(WHOLE.name, (SHORT, ETA, SMOOTH, LOCAL), WHOLE.relation)
RANGE = obligation("c ≥ 0", (CLIENTS, EXCESS_IS), c >= 0)
kappa, e = letters("kappa drift")
KAPPA = hypothesis(
    "e = η²L²(E−1)(2E−1)/3, κ = 2cηLE + e",
    equal(e, repaired.drift(eta, L, E)) & equal(kappa, 2 * c * eta * L * E + e),
)
SIZE = definition("6 Σ_{τ<E} τ² = E(E−1)(2E−1)", equal(6 * SQUARES, E * (E - 1) * (2 * E - 1)))
SQUARES_SHOWN = obligation(
    "6 Σ_{τ<E} τ²", (TRAVEL_SUM.conclusion.at({sharper.T: E}, "T = E"),), SIZE.relation
)

# Clipping, C = GE.
CLIENT_SHORT = obligation(
    "a client's share, φ = ηLE ≤ 1",
    (sharper.KEPT_A.conclusion, sharper.SHARE, SHORT, ETA, SMOOTH, LOCAL),
    sharper.Ah <= -2 * eta * E * F + 2 * eta**3 * L**2 * SQUARES * M + c * eta**2 * U**2,
)
CLIENT_CLIP = obligation(
    "A_h ≤ −ηE{(2 − κ)F − κΔ_i*}",
    (
        CLIENT_SHORT.conclusion,
        L9_U.conclusion,
        SQUARES_SHOWN.conclusion,
        KAPPA,
        RANGE.conclusion,
        EXCESS,
        ETA,
        SMOOTH,
        LOCAL,
    ),
    sharper.Ah <= -eta * E * ((2 - kappa) * F - kappa * Delta),
)
NOT_CUT_CASE = Case(
    "a client whose update is not cut",
    KEPT,
    (*sharper.SHARP_NODES, sharper.KEPT_A, SQUARES_SHOWN, CLIENT_SHORT, CLIENT_CLIP),
)
CLIENT_ALL = obligation(
    "every client", (NOT_CUT_CASE.conclusion, NOT_CUT.conclusion), CLIENT_CLIP.conclusion.relation
)
SA, SF, SD, AM, Fm, Dm = letters("SA SF SD A_mean F_mean Delta_mean")
SUM_CLIP = summed(
    "summed over clients",
    SA <= -eta * E * ((2 - kappa) * SF - kappa * SD),
    {SA: 0, SF: 0, SD: 0},
    {SA: SA + sharper.Ah, SF: SF + F, SD: SD + Delta},
    (CLIENT_ALL.conclusion,),
)
MEANS = definition("means over clients", equal(AM, SA / n) & equal(Fm, SF / n) & equal(Dm, SD / n))
NOISE = eta**2 * E**2 * G**2 * K * rho**2
ROUND_CLIP = obligation(
    "one round of clipping",
    (ROUND_DRAWN.conclusion, SUM_CLIP.conclusion, MEANS, RHO_IS, CHOICE_C, CLIENTS),
    yn2 <= y2 - eta * E * ((2 - kappa) * Fm - kappa * Dm) + NOISE,
)
TF, TG, gap, gain, cost = letters("TF TG mean_gap gain cost")
"""Σ_k mean F, Σ_k gain, E[f(w_k̃) − f*]; one round brings ‖w − w*‖² down by `gain` but for `cost`."""
ONE_ROUND = definition(
    "one round of clipping: gain and cost",
    equal(gain, eta * E * (2 - kappa) * Fm) & equal(cost, eta * E * kappa * Dm + NOISE),
)
NAMED = obligation(
    "one round of clipping, named", (ROUND_CLIP.conclusion, ONE_ROUND), yn2 <= y2 - gain + cost
)


def over_rounds(one_round: Fact) -> Induction:
    """From one round to j rounds: the gains so far and ‖w_j − w*‖² are at most the start and j times the cost."""
    return summed(
        "summed over rounds",
        Dk + TG <= distance**2 + j * cost,
        {Dk: distance**2, TG: 0, j: 0},
        {Dk: yn2, TG: TG + gain, j: j + 1},
        (one_round.at({y2: Dk}, "round j"),),
    )


SUM_K_CLIP = over_rounds(NAMED.conclusion)
GAINS = standard(
    "a factor that does not depend on the round may be taken out of a sum over the rounds: ηE(2 − κ)",
    equal(TG, eta * E * (2 - kappa) * TF),
)
AVERAGE = hypothesis("mean over k̃ ~ unif[0, K−1]", equal(gap, TF / K))
POSITIVE = hypothesis("2 − 2cηLE − e > 0", kappa < 2)
_given = {"distance": distance, "eta": eta, "E": E, "K": K, "G": G, "L": L, "rho": rho, "excess": c}
UNDIVIDED = obligation(
    "(2 − κ) E[f(w_k̃) − f*]",
    (SUM_K_CLIP.conclusion.at({j: K}, "j = K"), ONE_ROUND, GAINS, LAST, AVERAGE, ETA, LOCAL, TOTAL),
    (2 - kappa) * gap <= repaired.start_and_noise(distance, eta, E, K, G, rho) + kappa * Dm,
)
FINAL_CLIP = obligation(
    "our theorem for clipping",
    (UNDIVIDED.conclusion, POSITIVE, KAPPA, ETA, LOCAL, TOTAL),
    gap <= repaired.clipping(**_given, Delta=Dm),
)
PROOF_CLIP: Proof = closed(
    (
        WHOLE_SHOWN, RANGE, TRAVELLED, NOT_CUT, NOT_CUT_CASE, CLIENT_ALL, *rounds.ROUND_SAMPLED,
        SUM_CLIP, ROUND_CLIP, NAMED, SUM_K_CLIP, UNDIVIDED, FINAL_CLIP,
    )
)  # fmt: skip

# Normalisation, C = GE, w* minimises every f_i; norm(0, C) is taken as 0.
norm_y, norm2, sent = letters("norm_y norm2 Σ‖norm(u_i,C)‖²")
COMMON = hypothesis("Δ_i* = 0: w* minimises every f_i", equal(Delta, 0))
MESSAGE = definition(
    "norm(u, C) = (C/‖u‖)u, and 0 at u = 0",
    ((U > 0) & equal(U * norm_y, C * uy) & equal(norm2, C**2))
    | (equal(U, 0) & equal(norm_y, 0) & equal(norm2, 0)),
)
NO_UPDATE = standard("Cauchy–Schwarz: ⟨u, w_k − w*⟩ = 0 where u = 0", Implies(equal(U, 0), equal(uy, 0)))
SENT = definition("A_i of (40)", equal(A, -2 * eta * norm_y + eta**2 * norm2))
INNER = obligation(
    "⟨u, w_k − w*⟩ ≥ E(1 − e/2)F",
    (
        sharper.B_SHARP.conclusion,
        S24.conclusion,
        SQUARES_SHOWN.conclusion,
        sharper.SHIFTED,
        KAPPA,
        COMMON,
        EXCESS,
        SMOOTH,
        LOCAL,
    ),
    uy >= E * (1 - e / 2) * F,
)
DRIFT_SMALL = obligation("0 ≤ e < 2", (KAPPA, SHORT, ETA, SMOOTH, LOCAL), (e >= 0) & (e < 2))
CLIENT_NORM = obligation(
    "A_i ≤ −ηE(2 − e)F + η²C²",
    (
        INNER.conclusion,
        DRIFT_SMALL.conclusion,
        MESSAGE,
        NO_UPDATE,
        SENT,
        NOT_CUT.conclusion,
        COMMON,
        EXCESS,
        ETA,
        LOCAL,
        CHOICE_C,
        LIPSCHITZ_POS,
    ),
    A <= -eta * E * (2 - e) * F + eta**2 * C**2,
)
SUM_NORM = summed(
    "summed over clients",
    SA <= -eta * E * (2 - e) * SF + p * eta**2 * C**2,
    {SA: 0, SF: 0, p: 0},
    {SA: SA + A, SF: SF + F, p: p + 1},
    (CLIENT_NORM.conclusion,),
)
YM = rounds.YM
MEANS_A = definition("mean of A_i", equal(AM, -2 * eta * YM + eta**2 * meanQ))
MESSAGES = summed(
    "Σ_i ‖norm(u_i, C)‖² ≤ pC²", sent <= p * C**2, {sent: 0, p: 0}, {sent: sent + norm2, p: p + 1}, (MESSAGE,)
)
BELOW_C = obligation(
    "mean ‖norm(u_i, C)‖² ≤ C²",
    (MESSAGES.conclusion.at({sent: Q, p: n}, "n clients"), TOTALS, CLIENTS),
    meanQ <= C**2,
)
MEAN_U = definition("mean of the messages", equal(mean2, ss / n**2))
ROUND_NORM = obligation(
    "one round of normalisation",
    (
        rounds.S11.conclusion, SECOND.conclusion.at({V: a2}, "y_i"), FACT2.conclusion.at({p: n}, "y_i"), BELOW_C.conclusion, MEAN_U,
        TOTALS,
        MEANS_A, rounds.MEAN_Y, RANGE.conclusion, CLIENTS, ETA,
    ),
    yn2 <= y2 + AM + eta**2 * d * sigma2 + c * eta**2 * C**2,
)  # fmt: skip
ROUND_NORM_SUM = obligation(
    "one round of normalisation, in f",
    (ROUND_NORM.conclusion, SUM_NORM.conclusion.at({p: n}, "n clients"), MEANS, RHO_IS, CHOICE_C, CLIENTS),
    yn2 <= y2 - eta * E * (2 - e) * Fm + NOISE + (1 + c) * eta**2 * E**2 * G**2,
)
ONE_ROUND_NORM = definition(
    "one round of normalisation: gain and cost",
    equal(gain, eta * E * (2 - e) * Fm) & equal(cost, NOISE + (1 + c) * eta**2 * E**2 * G**2),
)
NAMED_NORM = obligation(
    "one round of normalisation, named", (ROUND_NORM_SUM.conclusion, ONE_ROUND_NORM), yn2 <= y2 - gain + cost
)
SUM_K_NORM = over_rounds(NAMED_NORM.conclusion)
GAINS_NORM = standard(
    "a factor that does not depend on the round may be taken out of a sum over the rounds: ηE(2 − e)",
    equal(TG, eta * E * (2 - e) * TF),
)
UNDIVIDED_NORM = obligation(
    "(2 − e) E[f(w_k̃) − f*]",
    (SUM_K_NORM.conclusion.at({j: K}, "j = K"), ONE_ROUND_NORM, GAINS_NORM, LAST, AVERAGE, ETA, LOCAL, TOTAL),
    (2 - e) * gap <= repaired.start_and_noise(distance, eta, E, K, G, rho) + (1 + c) * eta * E * G**2,
)
FINAL_NORM = obligation(
    "our theorem for normalisation",
    (UNDIVIDED_NORM.conclusion, DRIFT_SMALL.conclusion, KAPPA, ETA, LOCAL, TOTAL),
    gap <= repaired.normalising(**_given),
)
DRIFT_NODES = tuple(node for node in sharper.SHARP_NODES if node != L9_U)
PROOF_NORM: Proof = closed(
    (
        WHOLE_SHOWN, RANGE, TRAVELLED, NOT_CUT, *DRIFT_NODES, *rounds.ROUND_FIXED[1:5],
        *rounds.MOMENT_NODES, SQUARES_SHOWN, DRIFT_SMALL, INNER, CLIENT_NORM, SUM_NORM, MESSAGES, BELOW_C,
        ROUND_NORM, ROUND_NORM_SUM,
        NAMED_NORM, SUM_K_NORM, UNDIVIDED_NORM, FINAL_NORM,
    )
)  # fmt: skip
