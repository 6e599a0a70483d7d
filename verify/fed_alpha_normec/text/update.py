"""Displays that say what the methods are: DP-FedAvg's update, Problem (1) against (2), the numbers of Figure 2, T = p = 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import sympy

from bounds.fed_alpha_normec import theorem1 as printed
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas.local_gradient import PATH_SUM, UNROLLED, q, slopes, x_0, x_l
from verify.fed_alpha_normec.letters import (
    CLIENTS,
    ETA,
    PARTICIPATION,
    ROUNDS,
    Delta,
    F,
    K,
    L,
    M,
    N,
    R,
    T,
    beta,
    claim,
    eta,
    gamma,
    p,
    values,
)
from verify.identity import Identity
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

# DP-FedAvg: the noise of a round, z_i of mean square V each.
size, V, inside, outside, m, total, total_next, beside = letters(
    "B V E‖inside‖² E‖outside‖² m total total_next beside"
)
_SOME = definition("B ≥ 1", size >= 1)
_SEVERAL = hypothesis("B ≥ 2", size >= 2)
_NOISE = hypothesis("E‖z_i‖² = V > 0", V > 0)
_INDEPENDENT = hypothesis("the z_i are independent with mean zero: E⟨Σ_{l<i} z_l, z_i⟩ = 0", equal(beside, 0))
_EXPANDED = definition("E‖Σ + z_i‖² expanded", equal(total_next, total + 2 * beside + V))
_SUM = Fact("E‖Σ_{i≤m} z_i‖² = mV", equal(total, m * V), "derived")
_SUMMED = Induction(
    _SUM.name,
    _SUM,
    obligation("no client", (), sympy.true),
    obligation("one client more", (_SUM, _EXPANDED, _INDEPENDENT), equal(total_next, (m + 1) * V)),
    start=((m, 0), (total, 0)),
    next=((m, m + 1), (total, total_next)),
)
_INSIDE = obligation(
    "noise in the sum: V/B",
    (_SOME, _SUM.at({m: size}), definition("(1/B) Σ_{i∈S} z_i", equal(inside * size**2, total))),
    equal(inside, V / size),
)
_TWO = obligation(
    "V/B for one noise a client is not V/B² for one noise a round",
    (_SEVERAL, _NOISE, _INSIDE.conclusion, definition("(1/B) z", equal(outside * size**2, V))),
    inside > outside,
)

# Figure 2: k p M transmissions.
sent, rounds = letters("transmissions k")


def _transmissions() -> Comparison:
    """The mean number of transmissions of M = 3 clients in a round at p = 1/4, over all 8 outcomes."""
    chance = Fraction(1, 4)
    mean = Fraction(0)
    for drawn in product((0, 1), repeat=3):
        mean += sum(drawn) * chance ** sum(drawn) * (1 - chance) ** (3 - sum(drawn))
    return Comparison(mean, "==", 3 * chance)


def _as_many(v: Values) -> Comparison:
    """The probability that kpM messages are sent in k rounds."""
    draws, chance = int(v["k"] * v["M"]), v["p"]
    wanted = draws * chance
    met = (
        ("0 < p ≤ 1", 0 < chance <= 1),
        ("kpM is whole", wanted.denominator == 1),
        ("k, M ≥ 1", min(v["k"], v["M"]) >= 1),
    )
    sent = int(wanted)
    return Comparison(
        comb(draws, sent) * chance**sent * (1 - chance) ** (draws - sent), "==", Fraction(1), met
    )


first_clients, per_round = letters("i sent_in_a_round")
SENT_IN_A_ROUND = Fact(
    "E of the first i clients' transmissions is ip", equal(per_round, first_clients * p), "derived"
)
SENT_BY_EACH = Induction(
    SENT_IN_A_ROUND.name,
    SENT_IN_A_ROUND,
    obligation("nobody", (), sympy.true),
    obligation(
        "one client more",
        (SENT_IN_A_ROUND,),
        equal(per_round + (p * 1 + (1 - p) * 0), (first_clients + 1) * p),
    ),
    start=((first_clients, 0), (per_round, 0)),
    next=((first_clients, first_clients + 1), (per_round, per_round + (p * 1 + (1 - p) * 0))),
)
_TOTAL = Fact("E of all transmissions in k rounds is kpM", equal(sent, rounds * p * M), "derived")
_OVER_ROUNDS = Induction(
    _TOTAL.name,
    _TOTAL,
    obligation("no round", (), sympy.true),
    obligation(
        "one round more",
        (_TOTAL, SENT_IN_A_ROUND.at({first_clients: M})),
        equal(sent + per_round, (rounds + 1) * p * M),
    ),
    start=((rounds, 0), (sent, 0)),
    next=((rounds, rounds + 1), (sent, sent + per_round)),
)


def _indices() -> Comparison:
    """N = 3: the functions that (1) has and that (2) does not step along, and the other way round."""
    return Comparison(Fraction(len(set(range(1, 4)) ^ set(range(3)))), "==", Fraction(0))


# (2): T steps on N functions.
_reached, _taken, _stepped, _update = letters("x^{k,T} Σ_{j<N}∇f_j Σ_{j<T}∇f_j T^IG(x^k)")
_AS_MANY = hypothesis("T = N: as many local steps as there are data", equal(T, N))
_DATA = hypothesis("N ≥ 1", N >= 1)
_WHOLE_PASS = obligation(
    "every point of (2) is reached, N − 1 ≤ T, and T_i^{IG}(x^k) = x_i^{k,T}",
    (
        _AS_MANY,
        _DATA,
        definition(
            "Σ_{j<T} and Σ_{j<N} are one sum where T = N", sympy.Implies(equal(T, N), equal(_stepped, _taken))
        ),
        definition("(2)", equal(_update, x_0 - gamma * _taken / N)),
        PATH_SUM.at({q: gamma / N, x_l: _reached, slopes: _stepped}, "γ/N, l = T"),
    ),
    (N - 1 <= T) & equal(_update, _reached),
)


def _differ() -> Comparison:
    found = _indices()
    return Comparison(found.lhs, ">", found.rhs)


_AT = {"T": 1, "p": sympy.Integer(1), "sigma": sympy.Integer(0)}
_LETTERS = {
    "f_gap": F,
    "K": K,
    "eta": eta,
    "R": R,
    "beta": beta,
    "M": M,
    "gamma": gamma,
    "L": L,
    "Delta": Delta,
}
_VANISH = tuple(
    Identity(
        f"{name} at T = p = 1, σ = 0",
        bound(**_LETTERS, **_AT),
        3 / (K + 1) * F / eta + 2 * R + eta * L / 2,
        (ETA, ROUNDS, CLIENTS),
    )
    for name, bound in (
        ("Section 4", printed.theorem1_main),
        ("the sentence after it", printed.theorem1_text),
        ("F.2", printed.theorem1_appendix),
    )
)
CLAIMS = (
    claim(
        "FED-S3-UPDATE",
        "Section 3, DP-FedAvg, and Appendix D.1",
        "equation",
        "x^{k+1} = x^k − (η/B)[Σ_{i∈S^k} Ψ(x^k − T_i(x^k)) + z_i^k]",
        "How far the sum reaches is left open, and by the bracket z_i^k stands behind it, where no sum binds i. One noise a client "
        "and one a round are different methods: their noise has mean square V/B and V/B².",
        gap=Gap(
            "reading",
            "z_i^k behind the sum, one noise a round: as noise of mean square V/B",
            Proof((_SEVERAL, _NOISE, _INDEPENDENT), (_SUMMED, _INSIDE, _TWO)),
        ),
        repair=Repair(
            "x^{k+1} = x^k − (η/B) Σ_{i∈S^k} (Ψ(x^k − T_i(x^k)) + z_i^k), as Algorithm 1 sends Δ_i + z_i: noise of mean square V/B.",
            "z_i^k inside the sum; the z_i^k of a round independent over clients, with mean zero and one mean square V",
            Proof((_INDEPENDENT,), (_SUMMED, _INSIDE)),
        ),
        consequence="With one noise a round what a client sends has none of its own: that is private only if the server is trusted.",
    ),
    claim(
        "FED-EQ2",
        "Appendix G, (2) and the recursion after it",
        "equation",
        "T_i^{IG}(x^k) = x^k − γ(1/N) Σ_{j=0}^{N−1} ∇f_{i,j}(x_i^{k,j}), (2) where x_i^{k,j} is updated according to: x_i^{k,j+1} = "
        "x_i^{k,j} − (γ/N)∇f_{i,j}(x_i^{k,j}) for j = 0, 1, …, T−1. In the update rule of the IG method, the number of local steps is "
        "equal to the size of the local data set. This implies that each client performs local updates T_i^{IG}(·) using their entire "
        "local dataset.",
        "The sentence after it makes T the N of (2): then the recursion reaches every point of the sum, takes every f_{i,j} once and "
        "ends in T_i^{IG}(x^k). (With another T it need not: for N = 3, T = 1 it ends at x_i^{k,1}, and the sum has x_i^{k,2}. "
        "Theorem 2 prints T without that sentence.)",
        proof=Proof((_AS_MANY, _DATA), (UNROLLED, _WHOLE_PASS)),
    ),
    claim(
        "FED-EQ2@index",
        "Problem (1) in Section 3 against (2) in Appendix G",
        "equation",
        "f_i(x) := (1/N) Σ_{j=1}^N f_{i,j}(x) (1) […] on training data j ∈ [1, N] […] T_i^{IG}(x^k) = x^k − γ(1/N) Σ_{j=0}^{N−1} "
        "∇f_{i,j}(x_i^{k,j}) (2)",
        "(2) steps along f_{i,0}, which (1) does not have, and not along f_{i,N}.",
        conflict=Proof((), (Computation("indices that (1) or (2) has and the other has not, N = 3", "enumeration", _differ),)),
    ),
    claim(
        "FED-T1-VANISH",
        "Section 4, full participation and non-private setting",
        "prose",
        "T = 1, p = 1, and σ_DP = 0, thus yielding two constant terms, I_{T≠1}[8L√(2L)√Δ^inf] and B, vanish. Therefore, the "
        "convergence bound consists of only three terms: (3/(K+1))((f(x⁰) − f^inf)/η) + 2R + ηL/2.",
        "With each of the three printed B. (That the bound is α-NormEC's is another sentence: FED-T1-ONE.)",
        proof=Proof((ETA,), _VANISH),
    ),
    claim(
        "FED-EXP-KPM",
        "Section 5, Figure 2",
        "prose",
        "the total number of client-server communications (i.e., k × p × M)",
        "It is the mean number: each of M clients sends with probability p in each of k rounds.",
        repair=Repair(
            "The mean of the total number of communications is k × p × M.",
            "the mean number",
            Proof(
                (PARTICIPATION,),
                (
                    SENT_BY_EACH,
                    _OVER_ROUNDS,
                    Computation("M = 3, p = 1/4, one round, all outcomes", "enumeration", _transmissions),
                ),
            ),
        ),
        gap=Gap(
            "reading",
            "the number in every run",
            Witness(
                values(M=2, p="1/2", k=1),
                "kpM messages are sent with probability 1",
                _as_many,
                "M = 2, p = 1/2, one round: one message with probability 1/2, none or two else",
            ),
        ),
    ),
)  # fmt: skip
