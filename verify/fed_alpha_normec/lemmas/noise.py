"""Lemmas 2 and 3: the error e = (1/M) Σ v_i − v̂ that participation and noise leave at the server.

One client and round contribute n = (1 − q)Δ − q z with ‖Δ‖ ≤ 1, q = 1/p with probability p and 0 otherwise, z independent of
q with mean zero. Its exact second moment is ((1 − p)‖Δ‖² + V)/p with V = E‖z‖², so B* = (1 − p + V)/p is the
smallest B that works for all ‖Δ‖ < 1. The Δ of a round depend on earlier q and z, so the n of different rounds are not
independent; they are uncorrelated, and that is all that is needed.
"""

from __future__ import annotations

import sympy
from sympy.logic.boolalg import Boolean

from bounds.fed_alpha_normec.repaired import second_moment
from bounds.fed_alpha_normec.theorem1 import b_appendix
from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.letters import (
    APART,
    BETA,
    CLIENTS,
    FRESH,
    NO_MEAN,
    PARTICIPATION,
    ROUNDS,
    VARIANCE,
    K,
    M,
    V,
    beta,
    p,
    sigma,
)
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

m, total, total_next, own, B, mean, k, walk, walk_next = letters(
    "m total total_next own B mean k walk walk_next"
)
first, start, after, inner, d, D2 = letters("first start after inner d D2")
beside, before, between, together = letters("beside before between together")

# Over clients: E‖Σ_{i ≤ m} n_i‖² ≤ mB.
OWN = Fact("E‖n_i‖² ≤ B", (own >= 0) & (own <= B), "hypothesis")
EXPANDED = definition("E‖Σ + n_i‖² expanded", equal(total_next, total + 2 * beside + own))
INDEPENDENT = hypothesis(f"{APART}, with mean zero: E⟨Σ_{{l < i}} n_l, n_i⟩ = 0", equal(beside, 0))
COUNT = definition("m ≥ 0", m >= 0)
SUMMED = Fact("E‖Σ_{i ≤ m} n_i‖² ≤ mB", total <= m * B, "derived")


def over_clients(bound: Fact) -> Induction:
    """E‖Σ n_i‖² ≤ MB, from a fact that bounds E‖n_i‖² by B."""
    return Induction(
        SUMMED.name,
        SUMMED,
        obligation("no client", (), sympy.Integer(0) <= 0 * B),
        obligation(
            "one client more", (SUMMED, EXPANDED, INDEPENDENT, COUNT, bound), total_next <= (m + 1) * B
        ),
        start=((m, 0), (total, 0)),
        next=((m, m + 1), (total, total_next)),
    )


MEAN = definition("E‖n‖² = E‖Σ n_i‖²/M²", equal(mean, total / M**2))
AVERAGED = obligation("E‖(1/M) Σ n_i‖² ≤ B/M", (CLIENTS, MEAN, SUMMED.at({m: M})), mean <= B / M)

# Over rounds: E‖Σ_{l < k} nˡ‖² ≤ kB/M.
EXPANDED_LATER = definition("E‖Σ + nᵏ‖² expanded", equal(walk_next, walk + 2 * before + mean))
UNCORRELATED = hypothesis(f"{FRESH} for nᵏ = (1/M) Σ n_i: E⟨Σ_{{l < k}} nˡ, nᵏ⟩ = 0", equal(before, 0))
WALKED = Fact("E‖Σ_{l < k} nˡ‖² ≤ kB/M", walk <= k * B / M, "derived")
OVER_ROUNDS = Induction(
    WALKED.name,
    WALKED,
    obligation("no round", (CLIENTS,), sympy.Integer(0) <= 0 * B / M),
    obligation(
        "one round more",
        (CLIENTS, WALKED, EXPANDED_LATER, UNCORRELATED, AVERAGED.conclusion, definition("k ≥ 0", k >= 0)),
        walk_next <= (k + 1) * B / M,
    ),
    start=((k, 0), (walk, 0)),
    next=((k, k + 1), (walk, walk_next)),
)
JENSEN = standard(
    "triangle and Jensen's inequality",
    (after >= 0) & (after <= start + first) & (first >= 0) & (first**2 <= beta**2 * walk),
)
NOT_LATER = definition("k ≤ K + 1 rounds", (k >= 0) & (k <= K + 1))
ERROR = obligation(
    "E‖e^k‖ ≤ E‖e⁰‖ + √(β²B(K+1)/M)",
    (BETA, CLIENTS, ROUNDS, NOT_LATER, JENSEN, WALKED, definition("B ≥ 0", B >= 0)),
    after <= start + sympy.sqrt(beta**2 * B * (K + 1) / M),
)


def error_nodes(bound: Fact) -> tuple:
    """E‖e^k‖ ≤ E‖e⁰‖ + √(β²B(K+1)/M) for k ≤ K + 1, from a fact that bounds E‖n_i‖² by B."""
    return (over_clients(bound), AVERAGED, OVER_ROUNDS, ERROR)


# Why these means are zero: n = (1 − q)Δ − qz with q = 1/p, or n = Δ with q = 0.
beside_step, beside_noise, before_step, before_noise = letters("E⟨Σ_i,Δ⟩ E⟨Σ_i,z⟩ E⟨Σ_k,Δ⟩ E⟨Σ_k,z⟩")


def _drawn(whole: sympy.Expr, step: sympy.Expr, noise: sympy.Expr) -> Boolean:
    return equal(whole, p * ((1 - 1 / p) * step - noise / p) + (1 - p) * step)


DRAWN = hypothesis(
    "q_i is 1/p with probability p, and 0 otherwise, independent of z_i, of the past and of the other clients",
    _drawn(beside, beside_step, beside_noise) & _drawn(before, before_step, before_noise),
)
CENTRED = hypothesis(
    f"{NO_MEAN} and the other clients",
    equal(beside_noise, 0) & equal(before_noise, 0),
)
MEAN_ZERO = (
    obligation(INDEPENDENT.name, (PARTICIPATION, DRAWN, CENTRED), INDEPENDENT.relation),
    obligation(UNCORRELATED.name, (PARTICIPATION, DRAWN, CENTRED), UNCORRELATED.relation),
)

# Moments of q, by enumeration of its two values.
drawn, missed, spread, power = letters("q_sent q_missed E(1−q)² Eq²")
Q_LETTERS = (drawn, missed, spread, power)
VALUES = hypothesis(
    "q_i = 1/p with probability p, and 0 otherwise",
    equal(drawn * p, 1)
    & equal(missed, 0)
    & equal(spread, p * (1 - drawn) ** 2 + (1 - p) * (1 - missed) ** 2)
    & equal(power, p * drawn**2 + (1 - p) * missed**2),
)
"""With E(1 − q)² and E q² as means over the two values."""
ONE_MINUS_Q = obligation(
    "E(1 − q)² = (1 − p)/p",
    (PARTICIPATION, VALUES),
    equal(spread, (1 - p) / p),
)  # fmt: skip
Q_SQUARED = obligation(
    "E q² = 1/p",
    (PARTICIPATION, VALUES),
    equal(power, 1 / p),
)
MOMENT = definition(
    "E‖n_i‖² = E(1 − q)² ‖Δ‖² − 2E(1 − q)q⟨Δ, z⟩ + E q² E‖z‖² + Cov(q², ‖z‖²)",
    equal(own, spread * D2 - 2 * between + power * V + together),
)
SEPARATE = hypothesis(
    "n_i = (1 − q_i)Δ_i − q_i z_i, and z_i has mean zero and is independent of q_i and Δ_i: E(1 − q)q⟨Δ, z⟩ = 0, "
    "Cov(q², ‖z‖²) = 0",
    equal(between, 0) & equal(together, 0),
)
SHORT = standard("‖Norm_α(·)‖ ≤ 1", (D2 >= 0) & (D2 <= 1))
MOMENTS = (ONE_MINUS_Q.conclusion, Q_SQUARED.conclusion, MOMENT, SEPARATE, SHORT)
RANDOM = (INDEPENDENT, UNCORRELATED, VALUES, SEPARATE)
"""What is random in Algorithm 1: who takes part, and the noise."""
TIGHT_B = definition("B = B* = (1 − p + V)/p", equal(B, second_moment(p, V)))
TIGHT = obligation(OWN.name, (PARTICIPATION, VARIANCE, *MOMENTS, TIGHT_B), (own >= 0) & (own <= B))
NOISE_NODES = (ONE_MINUS_Q, Q_SQUARED, TIGHT, *error_nodes(TIGHT.conclusion))
STARTS_AT_ZERO = hypothesis("v̂⁰ = v̄⁰, where v̄ = (1/M) Σ v_i", equal(start, 0))
TOTAL_READING = hypothesis("E‖z‖² = σ²", equal(V, sigma**2))
SIGMA = definition("σ ≥ 0", sigma >= 0)


def within(printed: sympy.Expr, name: str, error: Fact = ERROR.conclusion) -> Obligation:
    """E‖e^k‖ ≤ √(β² B_printed (K+1)/M), from the bound with B* that `error` is."""
    return obligation(
        name,
        (
            BETA,
            CLIENTS,
            ROUNDS,
            PARTICIPATION,
            VARIANCE,
            SIGMA,
            TOTAL_READING,
            STARTS_AT_ZERO,
            TIGHT_B,
            error,
        ),
        after <= sympy.sqrt(beta**2 * printed / M * (K + 1)),
    )


LEMMA3_TOTAL = Proof(
    (BETA, PARTICIPATION, TOTAL_READING, STARTS_AT_ZERO, *RANDOM),
    (*NOISE_NODES, within(b_appendix(p, sigma), "Lemma 3")),
)
