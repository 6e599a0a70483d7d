"""Theorems 4, 6 and 7 with a_k the mean of the updates received, (1/|S_k|) Σ, for clients drawn one by one.

Where nobody sends w stays. By symmetry every client has the same share of that mean, and the shares of all come to P = P(|S_k| ≥ 1) =
1 − (1 − r/n)^n: a round pulls P times as far as (11) says. (12) holds (Fact 2, set by set), so that a random |S_k| adds to the noise
only, which is ν = E[r/|S_k|; |S_k| ≥ 1] times the printed one. The start then counts 1/P times, the noise ν/P times.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg import theorem6 as six
from bounds.dp_normfedavg import theorem7 as seven
from bounds.scalars import Scalar
from verify.case import closed
from verify.dp_normfedavg.lemmas.convexity import FACT2, Q, p, ss
from verify.dp_normfedavg.letters import ETA, LOCAL, SMOOTH, Delta, E, L, eta, summed, y2
from verify.dp_normfedavg.theorems import choices, rounds, theorem4, theorem7, who_sends
from verify.dp_normfedavg.theorems.choices import BOUND_4, CHAT_G
from verify.dp_normfedavg.theorems.rounds import (
    ALPHA,
    AM,
    CHAT,
    CHOSEN,
    EQ,
    GAMMA,
    INDICATOR_MEAN,
    KEPT_SUM,
    LAST,
    MEAN_K,
    MEANS,
    NOISE_PER_ROUND,
    PER_ROUND,
    POSITIVE,
    RATIO,
    RHO,
    ROUNDS6,
    S37_FACTOR,
    S39_FACTOR,
    S39_HALF,
    S39_RATIO,
    STEP6,
    SUM34,
    TOTAL,
    TOTALS,
    TY,
    TZ,
    Dk,
    K,
    alpha,
    average,
    distance,
    gamma,
    j,
    kept_average,
    rho,
    x,
    ym,
    zm,
)
from verify.dp_normfedavg.theorems.sampling import (
    CENTRED,
    CLIENTS,
    S1,
    S10,
    a2,
    d,
    mean_drawn,
    sigma2,
    ya,
    yn2,
)
from verify.dp_normfedavg.theorems.theorem4 import LINEAR, LINEAR7, gap, zgap
from verify.dp_normfedavg.theorems.theorem7 import MEAN7, SHARE, SPLIT7, share, zDelta
from verify.dp_normfedavg.theorems.who_sends import (
    NOISE,
    RECEIVED,
    SOME,
    SOMEBODY,
    SYMMETRIC,
    chance,
    nu,
    size,
    some,
)
from verify.facts import definition, equal
from verify.obligation import obligation

# (11) and (12).
NONNEGATIVE = definition("Σ ‖y_i‖² ≥ 0", Q >= 0)
RECEIVED_12 = obligation(
    "‖(1/|S|) Σ y_i‖² ≤ (1/|S|) Σ ‖y_i‖²",
    (FACT2.conclusion.at({p: size}, "|S| vectors"), SOME, NONNEGATIVE),
    ss / size**2 <= Q / size,
)
S12 = summed(
    "(12), summed over the sets with their probabilities",
    a2 <= EQ,
    {a2: 0, EQ: 0},
    {a2: a2 + chance * ss / size**2, EQ: EQ + chance * Q / size},
    (RECEIVED_12.conclusion, definition("probabilities are not negative", chance >= 0)),
)
S11 = obligation(
    "(11), a_k the mean of what was received",
    (S10.conclusion, CENTRED, NOISE.conclusion),
    equal(yn2, y2 - 2 * eta * ya + eta**2 * a2 + eta**2 * nu * d * sigma2),
)
ROUND = obligation(
    "(13), a_k the mean of what was received",
    (
        S11.conclusion, S12.conclusion, RECEIVED.conclusion.at({mean_drawn: ya}, "⟨clip_i, w_k − w*⟩"),
        RECEIVED.conclusion.at({mean_drawn: EQ, S1: Q}, "‖clip_i‖²"), SYMMETRIC.conclusion, TOTALS, MEANS, CLIENTS, ETA,
    ),
    yn2 <= y2 + some * AM + eta**2 * nu * d * sigma2,
)  # fmt: skip

# K rounds; z_mean and y_mean are Theorem 6's or Theorem 7's.
_round = yn2 <= y2 - some * eta * E * (zm - ym) + nu * eta**2 * E**2 * CHAT**2 * K * rho**2
S35, S40 = (
    obligation(name, (ROUND.conclusion, SOMEBODY.conclusion, clients.conclusion, *PER_ROUND), _round)
    for name, clients in (("(35), a_k the mean of what was received", SUM34), ("(40) with (46), a_k the mean of what was received",
                                                                            theorem7.SUM46))
)  # fmt: skip
RECURSION, RECURSION7 = (
    summed(
        f"{step.name}, summed over rounds",
        Dk + some * eta * E * (TZ - TY) <= distance**2 + j * nu * NOISE_PER_ROUND,
        {Dk: distance**2, TZ: 0, TY: 0, j: 0},
        {Dk: yn2, TZ: TZ + zm, TY: TY + ym, j: j + 1},
        (step.conclusion.at({y2: Dk}, "round j"),),
    )
    for step in (S35, S40)
)


def start(
    C_hat: Scalar, L: Scalar, distance: Scalar, gamma: Scalar, rho: Scalar, some: Scalar, nu: Scalar
) -> Scalar:
    """(Ĉ/P)(L‖w₀ − w*‖²/γ + νγ/L)ρ: in the place of Ĉ(L‖w₀ − w*‖²/γ + γ/L)ρ."""
    return C_hat * (L * distance**2 / gamma + nu * gamma / L) * rho / some


def _instead(bound: sympy.Expr, at: dict[str, sympy.Symbol] = CHOSEN) -> sympy.Expr:
    """A printed right-hand side of Theorem 6 or 7 with that start."""
    return bound - six.initialisation(**at) + start(**at, some=some, nu=nu)


TOTAL_6, TOTAL_7 = (
    obligation(
        f"{step.name}, K rounds",
        (step.conclusion.at({j: K}, "j = K"), LAST, SOMEBODY.conclusion, ETA, LOCAL, TOTAL),
        distance**2 / (some * eta * E * K) + nu / some * eta * E * K * CHAT**2 * rho**2 + TY / K >= TZ / K,
    )
    for step in (RECURSION, RECURSION7)
)
STARTED_6, STARTED_7 = (
    obligation(
        f"{step.name}, the start and the noise",
        (step.conclusion, STEP6, SOMEBODY.conclusion, *POSITIVE),
        start(**CHOSEN, some=some, nu=nu) + TY / K >= TZ / K,
    )
    for step in (TOTAL_6, TOTAL_7)
)
SIX = obligation(
    "Theorem 6, first part, received",
    (STARTED_6.conclusion, KEPT_SUM, STEP6, MEAN_K, SOMEBODY.conclusion, *POSITIVE),
    average <= _instead(six.theorem6(**CHOSEN, K=K, Delta_kept=kept_average)),
)
SIX_START = obligation(
    "Theorem 6, second part, received, with x",
    (SIX.conclusion, S39_RATIO.conclusion, SOMEBODY.conclusion, *POSITIVE),
    average <= start(**CHOSEN, some=some, nu=nu) + x * (1 + x) * kept_average,
)
SIX_SPECIFIC = obligation(
    "Theorem 6, second part, received",
    (SIX_START.conclusion, S39_HALF.conclusion, RATIO, INDICATOR_MEAN, ALPHA, SOMEBODY.conclusion, *POSITIVE),
    average <= _instead(six.theorem6_specific(**CHOSEN, E=E, alpha=alpha, Delta=Delta)),
)
SEVEN = obligation(
    "Theorem 7, first part, received",
    (STARTED_7.conclusion, SPLIT7, STEP6, MEAN7, SOMEBODY.conclusion, *POSITIVE),
    average <= _instead(seven.theorem7(**CHOSEN, K=K, share_kept=share, z_Delta=zDelta)),
)
SEVEN_SPECIFIC = obligation(
    "Theorem 7, second part, received",
    (SEVEN.conclusion, ROUNDS6, SHARE, ALPHA, SOMEBODY.conclusion, *POSITIVE),
    average <= _instead(seven.theorem7_specific(**CHOSEN, E=E, alpha=alpha, z_Delta=zDelta)),
)
_positive = (RHO, GAMMA, ALPHA, SMOOTH, LOCAL)
_start_4 = start(choices.G, L, distance, gamma, rho, some, nu) - four.initialisation(**choices.START_4)
FOUR_A = obligation(
    "Theorem 4 (a), received",
    (
        SIX_SPECIFIC.conclusion, S39_FACTOR.conclusion, theorem4.GAP_SUM.conclusion, LINEAR, CHAT_G.conclusion, SOMEBODY.conclusion,
        *_positive,
    ),
    four.factor_a(rho, E, alpha) * gap <= four.theorem4a(**BOUND_4, Delta=Delta) + _start_4,
)  # fmt: skip
FOUR_B = obligation(
    "Theorem 4 (b), received",
    (
        SEVEN_SPECIFIC.conclusion, theorem7.FINAL7_FACTOR.conclusion, theorem4.GAP_SUM7.conclusion, LINEAR7, CHAT_G.conclusion,
        SOMEBODY.conclusion, *_positive,
    ),
    four.factor_b(rho, E, alpha) * zgap <= four.theorem4b(**BOUND_4, z_Delta=zDelta) + _start_4,
)  # fmt: skip

_ONE_ROUND = (FACT2, S10, *who_sends.NODES, RECEIVED_12, S12, S11, ROUND)
_six = (rounds.CASE2, rounds.S33, rounds.S34, SUM34, S35, RECURSION, TOTAL_6, STARTED_6, S37_FACTOR, SIX)
_seven = (
    theorem7.CASE2,
    theorem7.S46,
    theorem7.SUM46,
    S40,
    RECURSION7,
    TOTAL_7,
    STARTED_7,
    theorem7.S47_FACTOR,
    SEVEN,
)
_six_specific = (S39_FACTOR, S39_RATIO, S39_HALF, SIX_START, SIX_SPECIFIC)
_seven_specific = (theorem7.FINAL7_FACTOR, SEVEN_SPECIFIC)
PROOF_6 = closed((*choices.GENERAL, *_ONE_ROUND, rounds.CASE1, *_six))
PROOF_6_SPECIFIC = closed((*choices.SPECIFIC, *_ONE_ROUND, rounds.CASE1, *_six, *_six_specific))
PROOF_7 = closed((*choices.GENERAL, *_ONE_ROUND, theorem7.CASE1, *_seven))
PROOF_7_SPECIFIC = closed((*choices.SPECIFIC, *_ONE_ROUND, theorem7.CASE1, *_seven, *_seven_specific))
PROOF_4A = closed(
    (*choices.FOUR, *_ONE_ROUND, theorem4.NEVER_CUT7, *_six, *_six_specific, theorem4.GAP_SUM_PRINTED, FOUR_A)
)
PROOF_4B = closed(
    (*choices.FOUR, *_ONE_ROUND, theorem4.NEVER_CUT7, *_seven, *_seven_specific, theorem4.GAP_SUM7, FOUR_B)
)
