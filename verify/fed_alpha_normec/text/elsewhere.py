"""What the paper says that it does or proves elsewhere, and what stands there: privacy, absent clients, parts of Algorithm 1."""

from __future__ import annotations

from fractions import Fraction

from bounds.fed_alpha_normec.theorem2 import THEOREM2
from verify.alpha_normec.experiments.printed_numbers import compare
from verify.citation import Cite
from verify.claim import Gap, Repair
from verify.computation import Comparison, Computation
from verify.fed_alpha_normec.displays import COROLLARIES, THEOREMS
from verify.fed_alpha_normec.lemmas.lemma_displays import LEMMAS
from verify.fed_alpha_normec.letters import CLIENTS, GAP, ROUNDS, VARIANCE, claim
from verify.fed_alpha_normec.ours import several as se
from verify.fed_alpha_normec.ours.claims import R3_SHARP
from verify.fed_alpha_normec.text.algorithm import PARTICIPANTS
from verify.fed_alpha_normec.theorems.theorem1 import breaks
from verify.proof import Proof

STATED = {**LEMMAS, **THEOREMS, **COROLLARIES}
"""What the appendices state, and the displays of their proofs."""
NUMBERED = (
    *(f"FED-L{k}" for k in (2, 3, 4, 5, 6, 8)),
    "FED-L1-i",
    "FED-T2",
    *(f"FED-C{k}" for k in (3, 4, 5, 6)),
)


def _private() -> Comparison:
    """How many statements and displays of the appendices say that something is (ϵ, δ)-DP."""
    found = sum("-DP" in printed or "differential" in printed for printed in STATED.values())
    met = (
        ("the lemmas, Theorem 2 and Corollaries 3 to 6 are among them", all(i in STATED for i in NUMBERED)),
    )
    return Comparison(Fraction(found), "==", Fraction(0), met)


def _random_coordinate() -> Comparison:
    """How far the mean of (6, 0) and (0, 2) is from (3, 1)."""
    point = (Fraction(3), Fraction(1))
    outcomes = [tuple(2 * x if i == kept else Fraction(0) for i, x in enumerate(point)) for kept in range(2)]
    means = [sum(values, Fraction(0)) / 2 for values in zip(*outcomes, strict=True)]
    return Comparison(
        sum((abs(m - x) for m, x in zip(means, point, strict=True)), Fraction(0)), "==", Fraction(0)
    )


def _messages() -> Comparison:
    """q = 1/p or 0, z = 1 or −1."""
    p, message = Fraction(1, 2), Fraction(1, 2)
    sent = {q * (message + z) for q in (1 / p, Fraction(0)) for z in (Fraction(1), Fraction(-1))}
    return Comparison(Fraction(len(sent)), "==", Fraction(3))


CLAIMS = (
    claim(
        "FED-APPC-PRIVACY",
        "Appendix C, last sentence, with Sections 1 and 4, against Appendices E to G",
        "privacy",
        "We provide a privacy analysis of the proposed method for both single and multiple local update steps. (Section 1) […] "
        "Detailed information is available in Appendix C. (Section 4) […] A more detailed discussion of convergence and privacy for "
        "the method with local steps, along with formal statements of the theorems, is presented in the supplementary materials. "
        "(in C)",
        "Nothing of privacy is stated or proved in the appendices: no lemma, theorem, corollary or display of E to G says that "
        "anything is (ϵ, δ)-DP. Corollaries 2, 4 and 6 take σ_DP as given, “privacy with subsampling amplification” in brackets, and "
        "Section 4 has it from Abadi et al. [1]. (The text at hand ends with Appendix G.)",
        conflict=Proof(
            (),
            (Computation("statements of Appendices E to G that say (ϵ, δ)-DP", "enumeration", _private),),
        ),
        consequence="The noise that is taken from the cited theorem is not enough (FED-C2-DP, FED-AMP).",
    ),
    claim(
        "FED-S1-SHARP",
        "Section 1, on Shulgin et al. [60] and Islamov et al. [24]",
        "prose",
        "Recent works—such as Shulgin et al. [60] and Islamov et al. [24]—proposed the first methods that successfully combine sharp "
        "convergence rates with differential privacy guarantees.",
        "Of [60], which is at hand, the differential privacy guarantee is false as printed (FED-S1-LIMITED@privacy, NEC-C2-DP).",
        undecided="Of [60], which is at hand, the differential privacy guarantee is false as printed (FED-S1-LIMITED@privacy, "
        "NEC-C2-DP); [24] is not at hand, when a rate is sharp is not said, and which method was first is about the literature.",
    ),
    claim(
        "FED-S1-INFEASIBLE",
        "Section 1 and abstract, against Algorithm 1, lines 3 to 6",
        "prose",
        "Another significant challenge is partial client participation, which arises from the practical infeasibility of involving "
        "all clients in every communication round. This is due to both the large scale of the client population and the intermittent "
        "availability of individual clients [8]. (Section 1) […] while fully supporting these practical elements. (abstract) […] "
        "Fed-α-NormEC enables partial client participation […] [Algorithm 1:] for each client i = 1, 2, …, M in parallel do […] "
        "Compute local updating T_i(x^k) […] Update v_i^{k+1} = v_i^k + βΔ_i^k",
        "Algorithm 1 involves all clients in every round, which Section 1 calls infeasible: every one of them needs xᵏ, computes "
        "T_i(xᵏ) and updates v_i, and only sending is random. The theorems rest on that: if only senders updated v_i, Lemma 3 would "
        "fail (FED-ALG1@participants).",
        conflict=Proof(
            (),
            (
                compare(
                    "M = 4, p = 1/2: clients that compute, and that send in the mean",
                    Fraction(4),
                    ">",
                    4 * Fraction(1, 2),
                ),
                *PARTICIPANTS.nodes,
            ),
        ),
        consequence="A client that is not available in some round cannot take part in the method that the theorems are about.",
    ),
    claim(
        "FED-S2-UNBIASED",
        "Section 2, communication efficiency",
        "prose",
        "Another common biased estimator, besides clipping and normalization, is compression",
        "Some compression is biased, as the largest coordinate alone is; a random coordinate, scaled, is unbiased. (The next sentence "
        "says so: what has been studied is “typically under the assumption of unbiased compression”.)",
        gap=Gap(
            "reading",
            "every compression is biased",
            Proof(
                (),
                (
                    Computation(
                        "(3, 1), one coordinate at random times 2: the bias is 0",
                        "enumeration",
                        _random_coordinate,
                    ),
                ),
            ),
        ),
        repair=Repair(
            "Some compression is a biased estimator: the largest coordinate alone.",
            "some compression",
            Proof(
                (),
                (
                    compare(
                        "(3, 1), the largest coordinate alone: the bias of the other",
                        Fraction(0) - 1,
                        "!=",
                        Fraction(0),
                    ),
                ),
            ),
        ),
    ),
    claim(
        "FED-S2-EXTENDED",
        "Section 2, random reshuffling",
        "prose",
        "In this work, Fed-α NormEC can be extended to support Incremental Gradient updates, partial participation, and differential "
        "privacy with provable convergence guarantees.",
        "Algorithm 1 has participation and noise in its lines 7 to 9, and incremental gradient is one choice of its T_i. The "
        "guarantee printed for all three, Theorem 2, is false (FED-T2), but there is one: FED-R3-SHARP. (What privacy the noise gives "
        "is another question: FED-C2-DP.)",
        repair=Repair(
            "FED-R3-SHARP bounds min_k E‖∇f(xᵏ)‖ for incremental gradients, every 0 < p ≤ 1 and noise of any size V = E‖z‖².",
            "FED-R3-SHARP in the place of Theorem 2",
            Proof(
                se.SHARP_IG.assumptions,
                (
                    Computation(
                        "p = 1/2, Δ = 1/2, z = 1: how many messages line 9 can send",
                        "enumeration",
                        _messages,
                    ),
                    Cite(R3_SHARP, (*se.SHARP_IG.assumptions, CLIENTS, ROUNDS, GAP, VARIANCE)),
                ),
            ),
        ),
        gap=Gap("reading", "by Theorem 2 (FED-T2)", breaks(THEOREM2)),
    ),
)
