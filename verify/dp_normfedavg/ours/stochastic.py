"""Claims: footnote 2, Theorem 4 with stochastic gradients. Clipping keeps a bound on f, normalisation one on its mini-batches.

In the proof letters are means given w_k, over the samples and the clients drawn; sampled gradients are unbiased given the past.
"""

from __future__ import annotations

from fractions import Fraction

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg.repaired import start_and_noise
from verify.case import assumptions, closed
from verify.citation import Cite
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import huber
from verify.dp_normfedavg.counterexamples.exact import ZERO, norm
from verify.dp_normfedavg.lemmas.convexity import FACT2, Q, p
from verify.dp_normfedavg.letters import ETA, LOCAL, SMOOTH, C, E, F, L, T, U, eta, summed, y2
from verify.dp_normfedavg.ours.claims import AVERAGE, MEAN_U, RANGE, TF, TG, Fm, cost, gain, gap, over_rounds
from verify.dp_normfedavg.theorems import choices, rounds
from verify.dp_normfedavg.theorems.choices import CHOICE_C, CHOICE_ETA, CHOICE_K, LIPSCHITZ_POS, G
from verify.dp_normfedavg.theorems.claims import AT_ZERO, READING, THEOREM_4
from verify.dp_normfedavg.theorems.rounds import (
    ALPHA,
    GAMMA,
    LAST,
    RHO,
    RHO_IS,
    TOTAL,
    TOTALS,
    K,
    alpha,
    distance,
    gamma,
    j,
    rho,
)
from verify.dp_normfedavg.theorems.sampling import (
    AT_MOST_R,
    CLIENTS,
    DRAWN,
    MOMENT_NODES,
    S1,
    SECOND,
    V,
    a2,
    c,
    n,
    r,
    size,
    t,
    yn2,
)
from verify.dp_normfedavg.theorems.theorem4 import PROOF_B_FIXED
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation
from verify.proof import Proof

PAPER = "dp-normfedavg"
ONE = Fraction(1)

# One client: E local steps along sampled gradients of norm at most G.
travel, step, along, ahead, back, SB, norm_sum = letters(
    "travel step along ahead back SB_sampled norm_sum_sampled"
)
"""‖w_k − w_τ‖, ‖g_τ‖; E⟨g_τ, w_k − w*⟩ and its two parts; their sum over τ; Σ_τ ‖g_τ‖."""
SAMPLED = hypothesis("sampled gradients are at most G long", step <= G)
LENGTH = definition("‖g_τ‖ ≥ 0", step >= 0)
TRAVELLED = summed(
    "‖w_k − w_T‖ ≤ ηTG",
    travel <= eta * T * G,
    {travel: 0, T: 0},
    {travel: travel + eta * step, T: T + 1},
    (SAMPLED, ETA),
)
value = letters("f_tau_gap")[0]
UNBIASED_STEP = hypothesis(
    "E g_τ = ∇f_i(w_τ) given the past: ⟨∇f_i(w_τ), w_τ − w*⟩ + ⟨∇f_i(w_τ), w_k − w_τ⟩",
    equal(along, ahead + back),
)
ONE_STEP = obligation(
    "E⟨g_τ, w_k − w*⟩ ≥ f_i(w_k) − f_i(w*) − 2ητG²",
    (
        UNBIASED_STEP,
        standard("f_i is convex", ahead >= value),
        standard("f_i is G-Lipschitz: f_i(w_τ) ≥ f_i(w_k) − G‖w_k − w_τ‖", value >= F - G * travel),
        standard("Cauchy–Schwarz: ⟨∇f_i(w_τ), w_k − w_τ⟩ ≥ −G‖w_k − w_τ‖", back >= -G * travel),
        TRAVELLED.conclusion, LIPSCHITZ_POS,
    ),
    along >= F - 2 * eta * T * G**2,
)  # fmt: skip
ALL_STEPS = summed(
    "E⟨u, w_k − w*⟩ ≥ T(f_i(w_k) − f_i(w*)) − ηT(T − 1)G²",
    SB >= T * F - eta * T * (T - 1) * G**2,
    {SB: 0, T: 0},
    {SB: SB + along, T: T + 1},
    (ONE_STEP.conclusion,),
)
LENGTHS = summed(
    "Σ_τ ‖g_τ‖ ≤ TG",
    norm_sum <= T * G,
    {norm_sum: 0, T: 0},
    {norm_sum: norm_sum + step, T: T + 1},
    (SAMPLED, LENGTH),
)
NOT_CUT = obligation(
    "‖u‖² ≤ C²: nothing is cut",
    (LENGTHS.conclusion.at({T: E}, "T = E"), standard("0 ≤ ‖u‖ ≤ Σ_τ ‖g_τ‖ (triangle inequality)", (norm_sum >= U) & (U >= 0)),
     CHOICE_C),
    U**2 <= C**2,
)  # fmt: skip

# The clients, and one round.
SF, along_all, lengths = letters("SF Σ⟨u_i,w_k−w*⟩ Σ‖u_i‖²")
OVER_CLIENTS = summed(
    "Σ_i E⟨u_i, w_k − w*⟩ and Σ_i ‖u_i‖²",
    (along_all >= E * SF - p * eta * E * (E - 1) * G**2) & (lengths <= p * C**2),
    {along_all: 0, SF: 0, lengths: 0, p: 0},
    {along_all: along_all + SB, SF: SF + F, lengths: lengths + U**2, p: p + 1},
    (ALL_STEPS.conclusion.at({T: E}, "T = E"), NOT_CUT.conclusion),
)
MEAN_F = definition("mean over clients", equal(Fm, SF / n))
ROUND = obligation(
    "one round",
    (
        rounds.S11.conclusion, SECOND.conclusion.at({V: a2}, "y_i"), FACT2.conclusion.at({p: n}, "y_i"), MEAN_U, TOTALS, MEAN_F,
        rounds.MEAN_Y, OVER_CLIENTS.conclusion.at({along_all: S1, lengths: Q, p: n}, "n clients"), RHO_IS, CHOICE_C,
        RANGE.conclusion, CLIENTS, ETA,
    ),
    yn2 <= y2 - 2 * eta * E * Fm + 2 * eta**2 * E * (E - 1) * G**2 + eta**2 * E**2 * G**2 * (K * rho**2 + 1 + c),
)  # fmt: skip
NAMES = definition(
    "gain and cost of a round",
    equal(gain, 2 * eta * E * Fm)
    & equal(cost, 2 * eta**2 * E * (E - 1) * G**2 + eta**2 * E**2 * G**2 * (K * rho**2 + 1 + c)),
)
NAMED = obligation("one round, named", (ROUND.conclusion, NAMES), yn2 <= y2 - gain + cost)
SUM_K = over_rounds(NAMED.conclusion)
GAINS = standard(
    "a factor that does not depend on the round may be taken out of a sum over the rounds: 2ηE",
    equal(TG, 2 * eta * E * TF),
)
ANY_STEP = obligation(
    "2 E[f(w_k̃) − f*] for any η",
    (SUM_K.conclusion.at({j: K}, "j = K"), NAMES, GAINS, LAST, AVERAGE, ETA, LOCAL, TOTAL),
    2 * gap
    <= start_and_noise(distance, eta, E, K, G, rho) + 2 * eta * (E - 1) * G**2 + (1 + c) * eta * E * G**2,
)
FINAL = obligation(
    "2 E[f(w_k̃) − f*] ≤ A + (E/α)(G²/(2L))(3 + c − 2/E)ρ",
    (ANY_STEP.conclusion, CHOICE_ETA, CHOICE_K, CHOICE_C, LIPSCHITZ_POS, RHO, GAMMA, ALPHA, SMOOTH, LOCAL),
    2 * gap
    <= four.initialisation(G, L, distance, gamma, rho) + E / alpha * G**2 / (2 * L) * (3 + c - 2 / E) * rho,
)
CLIPPING = closed(
    (
        RANGE, TRAVELLED, ONE_STEP, ALL_STEPS, LENGTHS, NOT_CUT, OVER_CLIENTS, *rounds.ROUND_FIXED[:5], *MOMENT_NODES, ROUND, NAMED,
        SUM_K, ANY_STEP, FINAL,
    )
)  # fmt: skip


def _replay_stochastic(v: Values) -> Comparison:
    """DP-NormFedAvg for one client with three samples, a gradient of one sample drawn at random in each (single) local step.

    Two samples are flat and pull left, one is steep and pulls right: a unit message goes left with probability 2/3, while f
    falls to the right. While w stays between the minimisers the drift is −ηC/3. Leaving that stretch takes a martingale
    that reaches the margin (Kolmogorov: P ≤ V/m²); f is convex, so E f(w_k) ≥ f(w_0) + f'(w_0)(E w_k − w_0), and GE/‖u‖ ≥ 1.
    """
    G, L_, slope, start, alpha_, rho_, gamma_ = (
        v["G"],
        v["L"],
        v["slope"],
        v["w0"],
        v["alpha"],
        v["rho"],
        v["gamma"],
    )
    flat, steep = huber(L_, slope, v["left"]), huber(L_, G, v["right"])
    samples = (flat, flat, steep)

    def f(w: Fraction) -> Fraction:
        return sum((g(w) for g in samples), ZERO) / 3

    def derivative(w: Fraction) -> Fraction:
        return sum((g.gradient(w) for g in samples), ZERO) / 3

    best = v["right"] - 2 * slope / L_
    step, rounds = printed.step_theorem4(rho_, alpha_, L_), printed.rounds_theorem4(alpha_, gamma_, G, rho_)
    reach = step * G * rounds
    variance = Fraction(8, 9) * step**2 * G**2 * rounds + rounds * step**2 * rounds * G**2 * rho_**2
    escape = variance / v["margin"] ** 2
    gap = f(start) - f(best) - abs(derivative(start)) * reach * escape
    inside = (start + v["margin"], start - reach / 3 - v["margin"])
    met = (
        ("samples convex", all(g.convex for g in samples)),
        ("samples L-smooth", all(g.smoothness <= L_ for g in samples)),
        ("samples G-Lipschitz", all(g.lipschitz <= G for g in samples)),
        ("w* minimises f = f_1, so that Δ_1* = 0", derivative(best) == 0),
        ("f falls to the right at w_0", derivative(start) < 0),
        ("between the minimisers throughout", v["left"] < inside[1] and inside[0] < v["right"]),
        ("a message goes left for two samples of three", all(
            [norm(g.gradient(w), G) for g in samples] == [G, G, -G] for w in inside)),
        ("K is a whole number", rounds.denominator == 1), ("E = 1 ≤ α/(2ρ)", alpha_ / (2 * rho_) >= 1), ("α ≥ 1", alpha_ >= 1),
        ("0 < ρ < 1", 0 < rho_ < 1), ("the horizon ηGK = γ/(Lρ) does not depend on α", reach == gamma_ / (L_ * rho_)),
    )  # fmt: skip
    return Comparison(
        four.factor_b(rho_, ONE, alpha_) * gap, "<=",
        four.theorem4b(G, L_, abs(start - best), gamma_, rho_, ONE, alpha_, ZERO), met,
    )  # fmt: skip


# (3) with mini-batches for clients: client i is drawn with probability r/n, then one of its b batches with probability 1/b.
own, batches, pair, total_pairs = letters("chance_client b chance_pair nb")
PAIRS = obligation(
    "each of the nb pairs of a client and a batch is drawn with probability r/(nb), at most r of them in a round",
    (
        hypothesis("a client is drawn with probability r/n, its batch with 1/b", equal(own, r / n) & equal(pair, own / batches)),
        definition("nb", equal(total_pairs, n * batches)), CLIENTS, hypothesis("b ≥ 1", batches >= 1),
        AT_MOST_R,
    ),
    equal(pair, r / total_pairs) & (r <= total_pairs) & (size <= r) & (size >= 0),
)  # fmt: skip
_PER_CLIENT = tuple(fact for fact in PROOF_B_FIXED.assumptions if fact != DRAWN)  # which PAIRS says of pairs
PER_BATCH = Proof(
    tuple(dict.fromkeys((*assumptions((PAIRS,)), *_PER_CLIENT))),
    (
        PAIRS,
        Cite(
            THEOREM_4[-1],
            (*_PER_CLIENT, PAIRS.conclusion, choices.TRIANGLE),
            at=((n, total_pairs), (t, pair)),
            repaired=True,
        ),
    ),
)

FOOTNOTE = (
    "we are using full gradients in the local updates for ease of analysis […]. Our results can be extended to stochastic "
    "gradients as well."
)
_stochastic = {"G": 1, "L": 1, "slope": Fraction(1, 4), "left": -10, "right": 1, "w0": -1, "margin": Fraction(3, 2), "alpha": 10**9,
               "rho": Fraction(1, 1000), "gamma": Fraction(1, 100)}  # fmt: skip

CLAIMS = (
    Claim(
        "DAS-FN2@4a",
        PAPER,
        "Section 3, footnote 2, with Theorem 4 (a)",
        "prose",
        f"{FOOTNOTE} [Theorem 4 (a), u_i made of unbiased gradients of convex, G-Lipschitz samples: 2E[f(w_{{k̃}}) − f(w*)] ≤ A + "
        "(E/α)(G²/(2L))(3 + 1/r − 1/n − 2/E)ρ]",
        "C = GE cuts nothing, so that the messages stay unbiased but for the way that the local steps go, which is of order ηE; what "
        "is added vanishes as α → ∞, and stands in the place of B₁",
        proof=CLIPPING,
    ),
    Claim(
        "DAS-FN2",
        PAPER,
        "Section 3, footnote 2",
        "prose",
        f"{FOOTNOTE} [Theorem 4 (b), u_i made of unbiased gradients of convex, L-smooth, G-Lipschitz samples, up to terms that vanish "
        "as α → ∞ and with no term for the samples' variance]",
        "Theorem 4 (b) cannot be extended with f_i and Δ_i* as they stand and no term for the samples' variance, and can with each "
        "mini-batch in the place of a client; the footnote does not say how. The mean of unit messages is not along the mean "
        "gradient: flat samples outvote a steep one within a single client, Δ_1* = 0, and f(w_k̃) − f* keeps its size for every α. "
        "Theorem 4 (a) can be extended (DAS-FN2@4a)",
        repair=Repair(
            "where a client draws one of its b mini-batches, each as likely, for all local steps of a round (3) holds with the "
            "nb functions f_{i,s} of the mini-batches in the place of the f_i: their mean on the left, u_{i,s} and Δ_{i,s}* of each",
            f"f_{{i,s}} for f_i on both sides; {READING}; {AT_ZERO}, u_{{i,s}} for u_i",
            PER_BATCH,
        ),
        gap=Gap(
            "reading",
            "(3) with f_i and Δ_i* as they stand, up to terms that vanish as α → ∞",
            Witness(
                {name: Fraction(value) for name, value in _stochastic.items()},
                "(2 − ρ²E²/α²) E[(GE/‖u‖)(f(w_k̃) − f*)] ≤ A + B₂; the left side is a lower bound",
                _replay_stochastic,
                "one client with three samples, two of slope 1/4 around −10 and one of slope 1 around 1, one drawn "
                "for each local step, from w₀ = −1",
            ),
        ),
        consequence="with mini-batches Theorem 4 (b) bounds f where one w* minimises the function of every mini-batch: (3) of these "
        "functions bounds it (DAS-S41-LHS). That w* minimises every f_i is not enough, however many rounds there are. (a) bounds f in "
        "any case (DAS-FN2@4a)",
    ),
)
