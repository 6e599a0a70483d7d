"""What Lemma 3 needs of the draws: that a round divides by the probability with which clients send, that each round draws anew, and
that the noise is independent.

The two runs have one client on f' = 25, v⁰ = 0 and α = 1, so that every message is at least 9/10 long in one direction, whoever
sends.
"""

from __future__ import annotations

from fractions import Fraction

from bounds.fed_alpha_normec.repaired import second_moment
from bounds.fed_alpha_normec.theorem1 import b_appendix
from verify.claim import Values
from verify.computation import Comparison, Computation
from verify.curves import curve
from verify.exact import normalise
from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.letters import BETA, PARTICIPATION, VARIANCE, V, claim, p, values
from verify.fed_alpha_normec.ours.rounds import SMALL_ERROR
from verify.obligation import obligation
from verify.proof import Proof

HILL = curve((-26, 0), (-1, 25))
"""f' = 25 from −1 on; 1-smooth and bounded below."""


def _bound(v: Values) -> Fraction:
    """The square of Lemma 3's."""
    return v["beta"] ** 2 * b_appendix(v["p"], v["sigma"]) / v["M"] * (v["K"] + 1)


def _met(v: Values) -> tuple[tuple[str, bool], ...]:
    return (
        ("β > 0, 0 < p ≤ 1", v["beta"] > 0 and 0 < v["p"] <= 1),
        ("f is 1-smooth and bounded below", HILL.smoothness == 1 and min(HILL.slopes) == 0),
        ("one client, σ = 0", (v["M"], v["sigma"]) == (1, 0)),
    )


def _varying(v: Values) -> Comparison:
    """|E e^{K+1}| = β(1 − p′/p) Σ Δᵏ for M = 1, on f' = 25: v̂ goes one way, and v ≤ βk, so that Δᵏ ≥ (25 − βk)/(1 + 25 − βk)."""
    rounds, slope = int(v["K"]) + 1, HILL.gradient(Fraction(0))
    messages = [normalise(Fraction(1), slope - v["beta"] * k) for k in range(rounds)]
    met = (
        *_met(v),
        ("0 < p′ < p", 0 < v["true"] < v["p"]),
        ("‖Δᵏ‖ ≥ 9/10 in every round", min(messages) >= Fraction(9, 10)),
        ("f' = 25 wherever x comes", HILL.gradient(-rounds * v["eta"]) == slope == HILL.gradient(rounds * v["eta"])),
    )  # fmt: skip
    mean = v["beta"] * (1 - v["true"] / v["p"]) * sum(messages, Fraction(0))
    return Comparison(mean**2, ">", _bound(v), met)


def _run(v: Values, q: Fraction) -> Fraction:
    """|v − v̂| after K + 1 rounds of Algorithm 1 on f, M = T = 1, without noise, q the same in all of them."""
    x, memory, server = Fraction(0), Fraction(0), Fraction(0)
    for _ in range(int(v["K"]) + 1):
        message = normalise(Fraction(1), HILL.gradient(x) - memory)
        memory, server = memory + v["beta"] * message, server + v["beta"] * q * message
        x -= v["eta"] * ((server > 0) - (server < 0))
    return abs(memory - server)


def _once_for_all(v: Values) -> Comparison:
    p_ = v["p"]
    mean = p_ * _run(v, 1 / p_) + (1 - p_) * _run(v, Fraction(0))
    return Comparison(mean**2, ">", _bound(v), _met(v))


def _common_noise(v: Values) -> Comparison:
    """e¹ = −βz for the one z ~ N(0, σ²) of all M clients, p = 1: (E|e¹|)² = β²σ² · 2/π > β²σ² · 7/11, because π < 22/7."""
    met = (
        ("p = 1, one round", (v["p"], v["K"]) == (1, 0)),
        ("β, σ > 0, M ≥ 2", v["beta"] > 0 < v["sigma"] and v["M"] >= 2),
    )
    return Comparison(v["beta"] ** 2 * v["sigma"] ** 2 * Fraction(7, 11), ">", _bound(v), met)


least = letters("p_min")[0]
_LEAST = hypothesis("p ≥ p_min > 0 in every round", (least > 0) & (p >= least))
_B_LEAST = definition("B = (1 − p_min + V)/p_min", equal(no.B, second_moment(least, V)))
_OWN_LEAST = obligation(
    no.OWN.name,
    (PARTICIPATION, _LEAST, VARIANCE, *no.MOMENTS, _B_LEAST),
    (no.own >= 0) & (no.own <= no.B),
)
_BY_ROUND = Proof(
    (BETA, PARTICIPATION, _LEAST, no.STARTS_AT_ZERO, no.VALUES, no.SEPARATE, no.DRAWN, no.CENTRED),
    (*no.MEAN_ZERO, no.ONE_MINUS_Q, no.Q_SQUARED, _OWN_LEAST, *no.error_nodes(_OWN_LEAST.conclusion), SMALL_ERROR),
)  # fmt: skip
_WRONG = values(beta=1, p="1/2", true="1/4", sigma=0, M=1, K=15, eta="1/100")
_ONCE = values(beta=1, p="1/2", sigma=0, M=1, K=3, eta="1/100")
_SHARED = values(beta=1, p=1, sigma=1, M=4, K=0)

CLAIMS = (
    claim(
        "FED-S4-VARYING",
        "ours, Lemma 3 where p varies, on a sentence after Corollary 1",
        "ours",
        "Where clients send with a probability that may change from round to round, is at least p_min > 0 and is known, so that each "
        "round divides by its own, E‖(1/M) Σ v_iᵏ⁺¹ − v̂ᵏ⁺¹‖ ≤ √(β²B(K+1)/M) with B = (1 − p_min + V)/p_min, V = E‖z‖², draws and "
        "noises being independent over clients and rounds and noises of mean zero. With 1/p for a fixed p, where clients send with "
        "another probability, the bound of Lemma 3 can fail: at p = 1/2 for a true 1/4 after 16 rounds of one client, 0/0 = 0 in "
        "line 12.",
        "“In practice, p is not typically fixed but varying according to the availability of clients at each round”, says Section 4, "
        "and no theorem covers that: Algorithm 1 divides by a fixed p, and where that is not the true one the error of v̂ has a mean: "
        "(1 − p'/p) times the way that the mean memory has gone, v̄^{K+1} − v̄⁰, for a true p'. It is 7.2β or more in that run, where "
        "Lemma 3 has √32 β = 5.66β.",
        proof=Proof(
            _BY_ROUND.assumptions,
            (
                Computation(
                    "M = 1, v⁰ = 0, f' = 25, α = 1, no noise: ‖Δ‖ ≥ 9/10 in one direction for 16 rounds, and E q = 1/2: "
                    "(E‖e¹⁶‖)² > β²B(K+1)/M",
                    "enumeration",
                    lambda: _varying(_WRONG),
                ),
                *_BY_ROUND.nodes,
            ),
        ),
        consequence="Availability is not drawn by the method: its probability is not known, and a wrong p is an error of v̂ that "
        "no number of rounds takes away.",
    ),
    claim(
        "FED-L3@dependent",
        "ours, Lemma 3 with one draw for all rounds",
        "ours",
        "That each round draws anew who takes part, as line 7 of Algorithm 1 has it, cannot be dropped from Lemma 3: with one draw "
        "for all rounds (q_i^k = 1/p for every k with probability p, and 0 otherwise) its bound can fail, without noise and for one "
        "client with p = 1/2 after four rounds, 0/0 = 0 in line 12.",
        "A client that is absent for ever leaves an error of β‖Δ‖ in every round. After four rounds that is more than 3.6β, where "
        "Lemma 3 has √8 β = 2.83β.",
        proof=Proof(
            (),
            (
                Computation(
                    "M = 1, p = 1/2, σ = 0, qᵏ = q⁰: f' = 25, v⁰ = 0, α = 1, both outcomes of q⁰ run: (E‖e⁴‖)² > β²B(K+1)/M",
                    "enumeration",
                    lambda: _once_for_all(_ONCE),
                ),
            ),
        ),
    ),
    claim(
        "FED-L3@common-noise",
        "ours, Lemma 3 with one noise for all clients",
        "ours",
        "That the noises of different clients are independent, as its proof and Lemma 2 have it, cannot be dropped from Lemma 3: with "
        "one z^k ~ N(0, σ_DP²) for all clients its bound can fail, with four clients of whom all take part after one round, d = 1.",
        "Nothing averages out: noise that all clients share has E‖e¹‖ = √(2/π)βσ = 0.798βσ, where Lemma 3 has βσ√(2/M), 0.707βσ with "
        "four clients.",
        proof=Proof(
            (),
            (
                Computation(
                    "M = 4, p = 1, d = 1, K = 0, z ~ N(0, 1), the same for all four: (E‖e¹‖)² > β²B/M",
                    "enumeration",
                    lambda: _common_noise(_SHARED),
                ),
            ),
        ),
        consequence="Used is less than independence: z_i has mean zero given the past and, in a round, given the other clients, and "
        "q_i is independent of all of these together with z_i.",
    ),
)
