"""Sentences on sampling and incremental gradients: which term is extra, how many take part, what a pass saves."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from bounds.alpha_normec.theorem2 import theorem2_appendix
from bounds.fed_alpha_normec.theorem1 import b_text
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.letters import PARTICIPATION, M, N, T, claim, p, sigma, values
from verify.fed_alpha_normec.text.update import SENT_BY_EACH, SENT_IN_A_ROUND, first_clients, per_round
from verify.obligation import obligation
from verify.proof import Proof


def _extra(v: Values) -> Comparison:
    """B at p = 1, where no client is left out, against none; α-NormEC's Theorem 2 with the same noise has a noise term as well."""
    one = Fraction(1)
    theirs = [
        theorem2_appendix(f_gap=one, gamma=one, K=Fraction(0), R=one, L=one, beta=one, sigma=noise, n=one)
        for noise in (v["sigma"], Fraction(0))
    ]
    met = (
        ("p = 1: every client takes part", v["p"] == 1),
        ("α-NormEC's bound has a term of σ_DP too", theirs[0] > theirs[1]),
    )
    return Comparison(b_text(v["p"], v["sigma"]), "==", Fraction(0), met)


_sampling = letters("2(p−1)²/p+2σ²(1−p)/p")[0]
_PARTS = definition(
    "the part 2(p−1)²/p + 2σ²(1−p)/p", equal(p * _sampling, 2 * (p - 1) ** 2 + 2 * sigma**2 * (1 - p))
)
_COMPONENT = obligation(
    "2(p − 1)²/p + 2σ²(1 − p)/p = 0 ⇔ p = 1, and B minus it is 2σ²",
    (PARTICIPATION, definition("σ ≥ 0", sigma >= 0), _PARTS),
    ((p < 1) | equal(_sampling, 0))
    & ((p >= 1) | (_sampling > 0))
    & equal(b_text(p, sigma) - _sampling, 2 * sigma**2),
)


def _exactly(v: Values) -> Comparison:
    """The probability that B̂ of M clients send, each with probability p = B̂/M, independently."""
    M_, B = int(v["M"]), int(v["B"])
    p_ = v["B"] / v["M"]
    met = (("B̂ ∈ [1, M]", 1 <= B <= M_),)
    return Comparison(comb(M_, B) * p_**B * (1 - p_) ** (M_ - B), "==", Fraction(1), met)


_drawn = letters("B_hat")[0]
_MEAN = obligation(
    "B̂ clients send in the mean",
    (
        hypothesis("p = B̂/M", equal(p * M, _drawn)),
        definition("M ≥ 1", M >= 1),
        SENT_IN_A_ROUND.at({first_clients: M}),
    ),
    equal(per_round, _drawn),
)


def _component_gradients(v: Values) -> Comparison:
    """Component gradients that a client evaluates in a round: N for one cyclic pass, NT for T full gradient steps."""
    met = (("N, T ≥ 1 whole", min(v["N"], v["T"]) >= 1 and v["N"].denominator == v["T"].denominator == 1),)
    return Comparison(v["N"], "<", v["N"] * v["T"], met)


_SEVERAL = hypothesis("N ≥ 1, T ≥ 2", (N >= 1) & (T >= 2))

CLAIMS = (
    claim(
        "FED-C1-EXTRA",
        "Section 4, after Corollary 1",
        "prose",
        "In contrast to α-NormEC, the convergence bound for Fed-α-NormEC contains an extra term due to client sampling from partial "
        "participation B = 2(p−1)²/p + 2σ_DP²/p.",
        "An extra term there is, but not all of this B is due to sampling: at p = 1, where nobody is left out, it is 2σ_DP², and "
        "α-NormEC's bound has a term of σ_DP too (NEC-T2-APP).",
        gap=Gap(
            "reading",
            "the whole of B as due to sampling",
            Witness(
                values(p=1, sigma=1),
                "the extra term is 0 where every client takes part",
                _extra,
                "p = 1, σ_DP = 1: B = 2",
            ),
        ),
        repair=Repair(
            "For the same σ_DP, a constant in Corollary 1, the extra part is 2(p−1)²/p + 2σ_DP²(1−p)/p, which is 0 exactly at p = 1; "
            "the rest is 2σ_DP².",
            "2(p−1)²/p + 2σ_DP²(1−p)/p for B",
            Proof((PARTICIPATION,), (_COMPONENT,)),
        ),
    ),
    claim(
        "FED-C2-COUNT",
        "Section 4, after Corollary 2",
        "prose",
        "By setting p = B̂/M, where B̂ ∈ [1, M] denotes the number of clients sampled at each round",
        "It is the mean number: each client sends with probability p, independently of the others.",
        gap=Gap(
            "reading",
            "the number in every round",
            Witness(
                values(M=2, B=1),
                "B̂ clients are sampled with probability 1",
                _exactly,
                "M = 2, B̂ = 1: exactly one with probability 1/2",
            ),
        ),
        repair=Repair(
            "B̂ = pM is the mean number of clients that send in a round.",
            "the mean number",
            Proof((PARTICIPATION, _MEAN.given[0]), (SENT_BY_EACH, _MEAN)),
        ),
    ),
    claim(
        "FED-S1-IG",
        "Section 1, contributions; Appendix C",
        "prose",
        "To reduce the need for full gradient computations, the algorithm incorporates a cyclic incremental gradient method.",
        "Full gradients are replaced, and what that saves depends on what it is compared with. One pass takes each of a client's N "
        "component gradients once, as one full gradient does, which saves against T ≥ 2 local gradient steps, and nothing against "
        "one.",
        repair=Repair(
            "A pass takes N component gradients where T ≥ 2 local gradient steps take NT.",
            "against several local gradient steps",
            Proof((_SEVERAL,), (obligation("N < NT", (_SEVERAL,), N * T > N),)),
            weakest="at T = 1 both take N",
        ),
        gap=Gap(
            "reading",
            "against one local gradient step",
            Witness(
                values(N=10, T=1),
                "a pass takes fewer component gradients",
                _component_gradients,
                "N = 10, T = 1: 10 against 10",
            ),
        ),
    ),
)
