"""Sentences of Sections 1 and 3 and Appendix D about other work, and what these works themselves print."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy

from bounds.fed_alpha_normec import theorem1 as printed
from verify.alpha_normec.experiments.printed_numbers import (
    BETAS,
    CLIP21,
    PEAK_WITH,
    PEAK_WITHOUT,
    WITH_SN,
    WITHOUT_SN,
    compare,
)
from verify.alpha_normec.text.introduction import EARLIER
from verify.citation import Cite
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.facts import hypothesis, letters
from verify.fed_alpha_normec.letters import CLIENTS, GAP, ROUNDS, VARIANCE, claim
from verify.fed_alpha_normec.ours import several as se
from verify.fed_alpha_normec.ours.claims import R2_SHARP
from verify.fed_alpha_normec.theorems.one_step import CLAIMS as ONE_STEP
from verify.fed_alpha_normec.theorems.theorem1 import breaks
from verify.identity import Identity
from verify.obligation import obligation
from verify.privacy.alpha_normec import ONE_FACTOR, scale_invariance
from verify.proof import Proof

TITLES = {
    "[60]": "Smoothed normalization for efficient distributed private optimization",
    "[24]": "Double momentum and error feedback for clipping with fast rates and differential privacy",
}
"""The paper's own list of references."""
SAID = {"[60]": "momentum", "[24]": "smoothed normalization"}
SWAPPED = {"[60]": SAID["[24]"], "[24]": SAID["[60]"]}


def _named(attributed: Mapping[str, str]) -> Fraction:
    """Of how many works the title names what the sentence says that they use."""
    return Fraction(sum(word in TITLES[work].lower() for work, word in attributed.items()))


def _omitted(v: Values) -> Comparison:
    met = (
        ("Table 2 of [60], without, β = 10.0", v["without"] == WITHOUT_SN["10.0"]),
        ("Table 2 of [60], with, β = 10.0", v["with"] == WITH_SN["10.0"]),
    )
    return Comparison(v["without"], ">", v["with"], met)


def _spread(of: Mapping[Any, Fraction], betas: tuple[str, ...]) -> Fraction:
    return max(of[b] for b in betas) - min(of[b] for b in betas)


def _spreads(betas: tuple[str, ...], sign: str) -> Computation:
    return compare(
        f"β = {', '.join(betas)}: spread", _spread(WITHOUT_SN, betas), sign, _spread(CLIP21, betas)
    )


def _accuracies() -> dict[str, tuple[dict[str, str], ...]]:
    """Figure 11 of [60], and how far its accuracies spread over β."""
    rows = []
    for method, found in (("α-NormEC", WITHOUT_SN), ("Clip21", CLIP21)):
        row = {"method": method, **{f"β = {b}": f"{float(found[b]):.2f}" for b in BETAS}}
        row |= {
            "spread": f"{float(_spread(found, BETAS)):.2f}",
            "for β ≤ 1.0": f"{float(_spread(found, BETAS[:3])):.2f}",
        }
        rows.append(row)
    return {"final accuracies without noise, γ tuned (Figure 11 of [60])": tuple(rows)}


(_PARTIAL,) = (c.witness for c in ONE_STEP if c.id == "FED-T1-MAIN@T=1" and c.witness)
"""With p < 1 and one local step."""
_x, _far, _limit = letters("x_1 far Phi")
_ANY = hypothesis("Φ > 0", _limit > 0)
_WIDE = hypothesis("c > Φ", _far > _limit)
_FREE = (
    Identity("the mean of ½(x ∓ c)² is ½(x² + c²)", ((_x - _far) ** 2 / 2 + (_x + _far) ** 2 / 2) / 2,
             (_x**2 + _far**2) / 2),
    obligation("at x = 0 gradients ∓c exceed Φ, and so does their difference", (_ANY, _WIDE),
               (sympy.Abs(0 - _far) > _limit) & (sympy.Abs((0 - _far) - (0 + _far)) > _limit)),
)  # fmt: skip

_EARLIER = Proof(
    EARLIER.assumptions,
    (
        compare("Das et al. [12] (2021) is earlier than December 2025", Fraction(2021), "<", Fraction(2025)),
        *EARLIER.nodes[1:],
    ),
)
"""The guarantee of Das et al. and its privacy, as against α-NormEC (`verify.alpha_normec.text.introduction`)."""

CLAIMS = (
    claim(
        "FED-S1-FIRST",
        "Section 1, contributions",
        "prose",
        "For the more practical scenario involving multiple local steps, we provide—to the best of our knowledge—the first "
        "convergence analysis of differentially private federated learning methods incorporating local training. […] Unlike "
        "previous approaches, Fed-α-NormEC enables partial client participation and local training through multiple gradient-type "
        "steps.",
        "Das et al. [12] (2021) analyse DP-FedAvg with E local steps, each of n clients taking part with probability r/n.",
        undecided="Read with the heading over it, which is about non-convex problems, it is about the literature, which no "
        "machine here can check, and it is said to the best of the authors' knowledge. Das et al. [12] (2021) make E local steps and "
        "sample each of n clients with probability r/n, for convex f_i: without “non-convex” the sentence does not agree with "
        "Section 2 (FED-S1-FIRST@unqualified).",
    ),
    claim(
        "FED-S1-FIRST@unqualified",
        "Section 1, contributions, the sentence without its heading, against Section 2 and DP-NormFedAvg, Theorem 6",
        "prose",
        "we provide—to the best of our knowledge—the first convergence analysis of differentially private federated learning "
        "methods incorporating local training. [Section 2:] there has been a recent work by Das et al. [12] that provides "
        "convergence guarantees for DP-FedAvg without these restrictive assumptions, but their results are limited to convex, "
        "smooth problems",
        "By itself the sentence has no “non-convex”, and so read it does not agree with Section 2: Das et al. [12] (2021), whom "
        "Section 2 cites for a guarantee, make E local steps, and with all clients in each round the noise of DAS-T3's repair makes "
        "their method (ε, δ)-DP. The bullet that it stands in is headed “Convergence guarantees for non-convex, smooth problems”: "
        "with that heading it is FED-S1-FIRST.",
        conflict=_EARLIER,
    ),
    claim(
        "FED-ABS-FIRST",
        "Abstract; Appendix A",
        "prose",
        "We introduce Fed-α-NormEC, the first differentially private FL framework providing provable convergence and DP guarantees "
        "under standard assumptions while fully supporting these practical elements. […] the first differentially private "
        "federated learning algorithm to offer provable convergence for nonconvex, smooth problems without resorting to unrealistic "
        "assumptions such as bounded gradients or heterogeneity.",
        "Which framework was first is about the literature, without the “to the best of our knowledge” of FED-S1-FIRST.",
        undecided="Which framework was first is about the literature, which no machine here can check. What this one offers: for "
        "several local steps the theorems are false as printed (FED-T1-MAIN, FED-T2) and hold in another form (FED-R2-SHARP, "
        "FED-R3-SHARP); the noise that is printed is not enough (FED-C2-DP).",
    ),
    claim(
        "FED-ABS-FIRST@unqualified",
        "Abstract, the sentence by itself, against Section 2 and DP-NormFedAvg, Theorem 6",
        "prose",
        "We introduce Fed-α-NormEC, the first differentially private FL framework providing provable convergence and DP guarantees "
        "under standard assumptions while fully supporting these practical elements. [Section 2:] there has been a recent work by Das "
        "et al. [12] that provides convergence guarantees for DP-FedAvg without these restrictive assumptions, but their results are "
        "limited to convex, smooth problems [convexity and smoothness are standard assumptions; the practical elements are partial "
        "client participation and multiple local updates]",
        "It is about the literature, and “fully supporting” leaves open what is asked of partial participation.",
        undecided="Whether Das et al. [12] (2021) came first hangs on what is asked of “fully supporting” and “standard”. As "
        "Section 2 says, they have convergence guarantees without bounded gradients; they make E local steps and sample each of "
        "n clients with probability r/n. What is machine-checked here of guarantee and privacy together is for all clients in each "
        "round, which does not “fully support” partial participation; and whether their convexity and clipping threshold are "
        "“standard” is about words.",
        consequence="“Nonconvex” makes it another claim, that of Appendix A (FED-ABS-FIRST).",
    ),
    claim(
        "FED-S1-TUNED",
        "Section 1, on normalisation against clipping",
        "prose",
        "Notably, smoothed normalization has been shown to be more robust to parameter choices compared to standard clipping with a "
        "tuned threshold.",
        "A training result of other work.",
        undecided="A training result of other work, which only a re-run can decide. What [60] prints of it, without noise, compares "
        "with Clip21 (FED-S1-TUNED@non-private).",
    ),
    claim(
        "FED-S1-TUNED@non-private",
        "Section 1, on Figure 11 of [60]: final accuracies without noise, γ being tuned for each β",
        "prose",
        "Notably, smoothed normalization has been shown to be more robust to parameter choices compared to standard clipping with a "
        "tuned threshold. [as Figure 11 of [60] would have it: the accuracies of α-NormEC spread less over β than those of Clip21 do]",
        "Over which β is not said: over all four the accuracies of α-NormEC spread over 6.84 points and those of Clip21 over 2.91, "
        "without β = 10.0 it is 2.05 against 2.91. (Clip21 is clipping with error feedback, not standard clipping with a tuned "
        "threshold; and at β = 10.0, as [60] says, so large a threshold effectively disables clipping.)",
        repair=Repair(
            "Over β = 0.01, 0.1 and 1.0 the printed final accuracies of α-NormEC spread less than those of Clip21 do.",
            "over β = 0.01, 0.1 and 1.0 together",
            Proof((), (_spreads(BETAS[:3], "<"), _spreads(BETAS[1:3], ">"))),
            weakest="with β = 10.0 it is false, and over 0.1 and 1.0 alone (1.29 against 1.13)",
        ),
        gap=Gap("reading", "over all four β of Figure 11", Proof((), (_spreads(BETAS, ">"),))),
        tables=_accuracies,
    ),
    claim(
        "FED-S1-NOISE",
        "Section 1, on clipping with error compensation [29]",
        "prose",
        "While it helps ensure convergence of methods with clipping in the non-private setting, it does not provide convergence "
        "guarantees when DP noise is added in the private setting.",
        "It is about the literature.",
        undecided="It is about what other work proves, which no machine here can check.",
    ),
    claim(
        "FED-S1-FORMER",
        "Section 1, on Shulgin et al. [60] and Islamov et al. [24]",
        "prose",
        "Recent works—such as Shulgin et al. [60] and Islamov et al. [24]—proposed the first methods […]. The former employs EF "
        "alongside local momentum, while the latter uses smoothed normalization techniques [65; 5] […] (Section 1) […] [24] […] "
        "Double momentum and error feedback for clipping with fast rates and differential privacy. […] [60] […] Smoothed "
        "normalization for efficient distributed private optimization. (References)",
        "“The former” and “the latter” are the wrong way round: by their titles [60] normalises and [24] has the momentum.",
        conflict=Proof(
            (),
            (
                Computation(
                    "titles that name what is said of the work, as printed against swapped: 0 < 2",
                    "enumeration",
                    lambda: Comparison(
                        _named(SAID),
                        "<",
                        _named(SWAPPED),
                        (("swapped, both titles agree", _named(SWAPPED) == 2),),
                    ),
                ),
            ),
        ),
    ),
    claim(
        "FED-S1-ASSUMPTIONS",
        "Section 1, contributions; Appendix C",
        "prose",
        "We establish the convergence of Fed-α-NormEC for minimizing non-convex, smooth objectives without relying on commonly "
        "imposed but restrictive assumptions such as bounded gradients or bounded heterogeneity. (Section 1) […] Our theorem does "
        "not assume bounded heterogeneity that is imposed by Noble et al. [51]; Li et al. [35]. (Appendix C)",
        "No such assumption is printed, but with several local steps Theorems 1 and 2 are false (FED-T1-MAIN, FED-T2); with one the "
        "bound of F.2 stands (FED-T1-APP@T=1).",
        repair=Repair(
            "FED-R2-SHARP bounds min_k E‖∇f(xᵏ)‖ for any number of local steps, and clients ½(x ∓ c)² meet its hypotheses while "
            "their gradients and the differences between these exceed every Φ.",
            "FED-R2-SHARP in the place of Theorem 1",
            Proof(
                (*se.SHARP_GD.assumptions, _ANY, _WIDE),
                (Cite(R2_SHARP, (*se.SHARP_GD.assumptions, CLIENTS, ROUNDS, GAP, VARIANCE)), *_FREE),
            ),
        ),
        gap=Gap("reading", "by Theorem 1, for several local steps (FED-T1-MAIN)", breaks(printed.MAIN)),
        consequence="Heterogeneity comes back through R, where the memories may not depend on the data, and through Δ^inf.",
    ),
    claim(
        "FED-T1-PARTIAL",
        "Section 4, after Theorem 1",
        "prose",
        "Our result applies under partial participation, unlike Shulgin et al. [60], which is limited to full participation.",
        "Theorem 1 of Section 4 is false for some p < 1 even with one local step (FED-T1-MAIN@T=1); F.2's B mends that for one local "
        "step (FED-T1-APP@T=1). In [60] every client sends in every round; its Section 7 names partial participation as future work.",
        repair=Repair(
            "FED-R2-SHARP holds for any number of local steps and every 0 < p ≤ 1.",
            "FED-R2-SHARP in the place of Theorem 1",
            se.SHARP_GD,
        ),
        gap=Gap("reading", "by Theorem 1 of Section 4 (FED-T1-MAIN@T=1)", _PARTIAL),
    ),
    claim(
        "FED-S3-SCALE",
        "Section 3, DP-FedAvg",
        "privacy",
        "Since Ψ(·) constrains the magnitude of the model update T_i(x^k) − x^k, we can calibrate the variance of the DP noise z_i^k "
        "proportionally to this bound to achieve the desired privacy guarantees.",
        "As on α-NormEC's poster (NEC-EQ3-SCALE@poster) it is the standard deviation that is proportional to the bound where the "
        "privacy is to be the same for every Φ: the least variance aΦ that gives (8, 1e-5) at Φ = 1 gives a true δ above 0.99 at Φ "
        "= 100.",
        gap=ONE_FACTOR,
        repair=Repair(
            "With a variance proportional to the square of the bound Φ the privacy does not depend on Φ.",
            "the standard deviation for the variance",
            scale_invariance(),
        ),
    ),
    claim(
        "FED-EXP-OMIT",
        "Appendix D, on Table 2 of [60] for the values of β that both papers print, and on the private runs of its Section 6.2",
        "prose",
        "Server normalization (Line 12 in Algorithm 1) is not used, as omitting it empirically improves final performance [60]. "
        "[β ∈ {0.01, 0.1}]",
        "Final accuracy without noise: 84.04 against 82.86 and 86.09 against 85.43; at β = 10.0 the opposite "
        "(FED-EXP-OMIT@every-beta). With noise, ε = 8 and 300 rounds as here, [60] prints the highest accuracy alone: 77.56 without, "
        "72.21 with.",
        proof=Proof(
            (),
            (
                *(compare(f"β = {b}", WITHOUT_SN[b], ">", WITH_SN[b]) for b in ("0.01", "0.1")),
                compare("private, the highest accuracy of the grid", PEAK_WITHOUT, ">", PEAK_WITH),
            ),
        ),
    ),
    claim(
        "FED-EXP-OMIT@every-beta",
        "Appendix D, on Table 2 of [60], for every β there",
        "prose",
        "omitting it empirically improves final performance [60] [at every β of Table 2]",
        "[60] itself says that server normalization improves the accuracy at β = 10.0: 81.48 with it, 79.25 without.",
        witness=Witness(
            {"without": WITHOUT_SN["10.0"], "with": WITH_SN["10.0"]},
            "accuracy without server normalization > accuracy with it",
            _omitted,
            "[60]'s own numbers at β = 10.0",
        ),
        repair=Repair(
            "It improves the printed final accuracy at β = 0.01, 0.1 and 1.0.",
            "β ∈ {0.01, 0.1, 1.0}",
            Proof(
                (), tuple(compare(f"β = {b}", WITHOUT_SN[b], ">", WITH_SN[b]) for b in ("0.01", "0.1", "1.0"))
            ),
        ),
    ),
    claim(
        "FED-EXP-ALPHA",
        "Appendix D",
        "prose",
        "We use a fixed smoothed normalization parameter α = 0.01, as it was shown to have an insignificant effect on convergence "
        "[60].",
        "[60] prints no two numbers that differ in α alone (NEC-EXP-61@stable).",
        undecided="What [60] shows of α stands in figures without numbers (NEC-EXP-61@stable); a re-run of its grid would decide, "
        "and it would say nothing of noise and partial participation.",
    ),
)
