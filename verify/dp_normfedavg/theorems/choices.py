"""What the printed choices of η, K, E and Ĉ guarantee: nodes that conclude the hypotheses of the lemmas."""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg.repaired import rounds_sampling
from verify.dp_normfedavg.letters import (
    ETA,
    HALF,
    LOCAL,
    SMOOTH,
    THRESHOLD,
    WHOLE,
    C,
    Delta,
    E,
    L,
    U,
    eta,
    summed,
)
from verify.dp_normfedavg.ours.cut import EXCESS_STEP
from verify.dp_normfedavg.ours.harmonic import LEAST
from verify.dp_normfedavg.ours.sharper import EXCESS_RANGE
from verify.dp_normfedavg.theorems.rounds import (
    ALPHA,
    CHAT,
    CHAT_IS,
    CHAT_POS,
    GAMMA,
    LOCAL_STEPS,
    POSITIVE,
    RHO,
    ROUNDS6,
    STEP6,
    TOTAL,
    K,
    alpha,
    distance,
    gamma,
    rho,
)
from verify.dp_normfedavg.theorems.sampling import CLIENTS, EXCESS_IS, c, n, r
from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.obligation import Obligation, obligation

DELTA_MAX = letters("Delta_max")[0]
LARGEST = hypothesis("0 ≤ Δ_i* ≤ max_j Δ_j*", (Delta >= 0) & (Delta <= DELTA_MAX))
HATTED = hypothesis("Ĉ ≥ 4√(L max_j Δ_j*)", 4 * sympy.sqrt(L * DELTA_MAX) <= CHAT)
MORE_ROUNDS = hypothesis("K > 2γ/(ĈE)/ρ", printed.ROUNDS.limit(gamma=gamma, C_hat=CHAT, E=E, rho=rho) < K)
PARTICIPATION = hypothesis("1 ≤ r ≤ n", (r >= 1) & (n >= r))
RARE = hypothesis("0 < r ≤ n, 1/r − 1/n ≤ 1", (r > 0) & (n >= r) & (1 / r - 1 / n <= 1))
SAMPLING_ROUNDS = hypothesis(
    "1/r − 1/n ≤ 2/E, or K ≥ ⅔(1/r − 1/n + 1/E) γ/(Ĉρ)",
    (c * E <= 2) | (rounds_sampling(c, gamma, CHAT, E, rho) <= K),
)

ETA_SHOWN = obligation(ETA.name, (STEP6, *POSITIVE), ETA.relation)
HALF_SHOWN = obligation(HALF.name, (STEP6, MORE_ROUNDS, *POSITIVE), HALF.relation)
HALF_SPECIFIC = obligation(HALF.name, (STEP6, ROUNDS6, LOCAL_STEPS, ALPHA, *POSITIVE), HALF.relation)
WHOLE_SHOWN = obligation(WHOLE.name, (HALF, SMOOTH), WHOLE.relation)
THRESHOLD_SHOWN = obligation(THRESHOLD.name, (HATTED, CHAT_IS, LARGEST, SMOOTH, LOCAL), THRESHOLD.relation)
CUT_SHOWN = obligation("C > 0", (CHAT_IS, CHAT_POS, LOCAL), C > 0)


def drawn(participation: Fact, excess: Fact = EXCESS_RANGE, *others: Fact) -> tuple[Obligation, Obligation]:
    """Clients drawn one by one: 0 < r ≤ n, and the range of the sampling's excess c, which may need `others`."""
    return (
        obligation(CLIENTS.name, (participation,), CLIENTS.relation),
        obligation(excess.name, (participation, EXCESS_IS, *others), excess.relation),
    )


QUARTER = obligation(
    "ηLE ≤ 1/4", (STEP6, ROUNDS6, LOCAL_STEPS, ALPHA, *POSITIVE), eta * L * E <= sympy.Rational(1, 4)
)
EXCESS_GENERAL = obligation(
    EXCESS_STEP.name,
    (STEP6, SAMPLING_ROUNDS, LEAST, HALF_SHOWN.conclusion, ETA_SHOWN.conclusion, *POSITIVE),
    EXCESS_STEP.relation,
)

GENERAL = (ETA_SHOWN, HALF_SHOWN, WHOLE_SHOWN, THRESHOLD_SHOWN, CUT_SHOWN)
SPECIFIC = (ETA_SHOWN, HALF_SPECIFIC, WHOLE_SHOWN, THRESHOLD_SHOWN, CUT_SHOWN)

# Theorem 4: its own η, C and K are Theorem 6's with Ĉ = G; and nothing is cut.
G, norm_sum, norm_g = letters("G norm_sum norm_g")
START_4 = {"G": G, "L": L, "distance": distance, "gamma": gamma, "rho": rho}
BOUND_4 = {**START_4, "E": E, "alpha": alpha}
"""What the formulas of Theorem 4 take, for the effect of the start alone and for the whole bound."""
LIPSCHITZ = hypothesis("f_i is G-Lipschitz: ‖∇f_i‖ ≤ G", norm_g <= G)
LIPSCHITZ_POS = hypothesis("G > 0", G > 0)
CHOICE_C = hypothesis("C = GE", equal(C, G * E))
CHOICE_ETA = hypothesis("η = ρ/(2αL)", equal(eta, printed.step_theorem4(rho, alpha, L)))
CHOICE_K = hypothesis("K = (2αγ/C)/ρ²", equal(K, printed.rounds_theorem4(alpha, gamma, C, rho)))
TRIANGLE = definition("triangle inequality", norm_g >= 0)
T = letters("T")[0]
TRAVELLED = summed(
    "footnote 5: ‖Σ_τ ∇f_i(w_τ)‖ ≤ T G",
    norm_sum <= T * G,
    {norm_sum: 0, T: 0},
    {norm_sum: norm_sum + norm_g, T: T + 1},
    (LIPSCHITZ, TRIANGLE),
)
BELOW_SUM = standard("‖u‖ ≤ Σ_τ ‖∇f_i(w_τ)‖ (triangle inequality)", norm_sum >= U)
NOT_CUT = obligation("‖u‖ ≤ GE = C", (TRAVELLED.conclusion.at({T: E}, "T = E"), BELOW_SUM, CHOICE_C), U <= C)
CHAT_G = obligation("Ĉ = G > 0", (CHAT_IS, CHOICE_C, LOCAL, LIPSCHITZ_POS), equal(CHAT, G) & (CHAT > 0))
CHAT_POS_G = obligation(CHAT_POS.name, (CHAT_G.conclusion,), CHAT_POS.relation)
_four = (CHAT_G.conclusion, CHOICE_C, CHOICE_K, RHO, GAMMA, ALPHA, SMOOTH, LOCAL, TOTAL)
STEP6_G = obligation(STEP6.name, (*_four, CHOICE_ETA), STEP6.relation)
ROUNDS6_G = obligation(ROUNDS6.name, _four, ROUNDS6.relation)
FOUR = (
    TRAVELLED,
    NOT_CUT,
    CHAT_G,
    CHAT_POS_G,
    STEP6_G,
    ROUNDS6_G,
    ETA_SHOWN,
    HALF_SPECIFIC,
    WHOLE_SHOWN,
)
