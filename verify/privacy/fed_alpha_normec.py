"""Fed-α-NormEC's privacy statements: amplification by participation and Corollary 2. Section 5: see
`experiments`."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import equal, hypothesis
from verify.obligation import obligation
from verify.privacy import tables
from verify.privacy.alpha_normec import domains
from verify.privacy.arguments import ANY_CONSTANT, epsilon, unequal
from verify.privacy.half_messages import CLIENTS, PROBLEM, shortest
from verify.privacy.mechanisms import (
    least_certain,
    least_visible,
    least_visible_often,
    log_inverse,
    most_certain,
)
from verify.privacy.memories import FED_FROM_THE_DATA
from verify.privacy.normec_constant import USUAL
from verify.privacy.participation import ENOUGH, NO_CONSTANT, ORDER
from verify.privacy.rigorous import Interval, above, below, number
from verify.privacy.small_epsilon import ANY_CONSTANT_UNDER_THE_ROOT
from verify.proof import Proof

PAPER = "fed-alpha-normec"
F = Fraction


def printed_variance(
    c: Fraction, p: Fraction, releases: int, epsilon: Fraction, delta: Fraction, power: int
) -> Interval:
    """σ² = c² p² (K+1) ln(1/δ)/ε^power: 2 as Appendix F prints σ_DP, 1 as Section 4 does, with ε under the root."""
    return number(c**2 * p**2 * releases / epsilon**power) * log_inverse(delta)


def _domains(v: Values) -> tuple[tuple[str, bool], ...]:
    return (
        ("ε > 0 and 0 < δ < 1", v["epsilon"] > 0 and 0 < v["delta"] < 1),
        ("K + 1 ≥ 1 rounds", v["releases"] >= 1 and v["releases"].denominator == 1),
        ("0 < p ≤ 1", 0 < v["p"] <= 1),
        ("c > 0", v["c"] > 0),
    )


def _rare_participation(v: Values) -> Comparison:
    """The smaller δ of the two printed noises; messages of the length 1 with noise σ/ℓ are messages of the length ℓ with noise σ."""
    J, (length, asked) = int(v["releases"]), shortest(v)
    noises = [printed_variance(v["c"], v["p"], J, v["epsilon"], v["delta"], power) for power in (1, 2)]
    had = min(
        least_visible_often(v["epsilon"], J, v["p"], variance / number(length**2), 1) for variance in noises
    )
    abadi = (
        ("ε < p² (K+1), so that c₁ = 1 is enough (Abadi et al., Theorem 1)", v["epsilon"] < v["p"] ** 2 * J),
        ("σ ≥ 1 (Abadi et al., Lemma 3)", all(below(variance) >= 1 for variance in noises)),
        (
            "p < 1/(16σ) (Abadi et al., Lemma 3)",
            all(256 * v["p"] ** 2 * above(variance) < 1 for variance in noises),
        ),
    )
    return Comparison(had, "<=", v["delta"], (*_domains(v), *asked, *abadi))


def relative(v: Values) -> Comparison:
    """The noise σ₁ that is enough at p = 1, scaled by p: still enough at p?"""
    J = int(v["releases"])
    full = number(v["sigma_1"] ** 2)
    enough_at_1 = most_certain(v["epsilon"], J, full, int(v["s"])) <= v["delta"]
    counts = range(int(v["N_1"]), int(v["N_2"]) + 1)
    had = least_visible(v["epsilon"], J, v["p"], number((v["p"] * v["sigma_1"]) ** 2), int(v["s"]), counts)
    met = (*domains(v), ("0 < p ≤ 1", 0 < v["p"] <= 1), ("σ₁ is enough at p = 1", enough_at_1))
    return Comparison(had, "<=", v["delta"], met)


def _full_participation(v: Values, power: int = 2) -> Comparison:
    J, (length, asked) = int(v["releases"]), shortest(v)
    variance = printed_variance(v["c"], v["p"], J, v["epsilon"], v["delta"], power)
    had = least_certain(v["epsilon"], J, variance / number(length**2), 1)
    return Comparison(had, "<=", v["delta"], (*_domains(v), *asked, ("p = 1", v["p"] == 1)))


def _two_noises() -> Proof:
    short, long, scale = sympy.symbols("σ_text σ_appendix scale", real=True)
    positive = hypothesis("ε, cp√((K+1)L) > 0", sympy.And(epsilon > 0, scale > 0))
    text = hypothesis("Section 4", sympy.And(short > 0, equal(short**2 * epsilon, scale**2)))
    appendix = hypothesis("Appendix F", equal(long * epsilon, scale))
    other = hypothesis("ε ≠ 1", unequal(epsilon, 1))
    node = obligation("they differ at every ε ≠ 1", (positive, text, appendix, other), unequal(short, long))
    return Proof((positive, text, appendix, other), (node,))


CLOSED = (
    "σ_DP ≥ s √(m/2) (√L₂ + √(L₂ + ε))/ε in each coordinate, drawn anew for every message, with m = (K+1)p + √(2(K+1)p(1−p)L₂) + ⅔L₂, "
    "L₂ = ln(2/δ), s = 2 (replace-one) or 1 (a client that is removed still sends noise alone); where that is more, the noise of "
    "NEC-C2-DP's repair, which is enough for every p; where (K+1)p ≤ δ any σ_DP > 0; and x⁰, v_i⁰, η, α, β and γ do not depend on the "
    "data"
)
REPAIR = Repair(
    f"towards an adversary who sees the messages and who sends, Algorithm 1 is (ε, δ)-DP if {CLOSED}",
    "the factor √p in the place of p while (K+1)p ≥ ln(2/δ); for smaller p at least √(⅔ ln(2/δ)/(K+1)), until (K+1)p ≤ δ, where "
    "any noise will do; the constant of NEC-C2-DP's repair; parameters and memories that are no release",
    ENOUGH,
    "less noise than order √p fails where (K+1)p is whole and at least 1 (FED-AMP-ORDER)",
)
LEVEL = {"epsilon": F(8), "delta": F(1, 10**5)}
OFTEN = {
    "sigma_1": F(104, 10),
    "p": F(1, 4),
    "releases": F(300),
    "s": F(1),
    "N_1": F(60),
    "N_2": F(90),
    **LEVEL,
}
"""A client that is drawn with probability p is drawn in 60 to 90 of 300 rounds with probability 0.96."""

INSIDE = "inside the cited theorem's conditions on ε, p, K and σ (c₁ = 1; other c₁: FED-AMP-NOCONST)"
SECTION_4 = (
    "Theorem 1 is taken as Section 4 has it (F.2's γ/3 excludes the corollary's own η: FED-C2-UTIL@conditions); a shorter η changes "
    "nothing here"
)

RARE = Witness(
    {
        "c": F(10),
        "p": F(1, 10**4),
        "M": F(10**4),
        "releases": F(10**9),
        "epsilon": F(3),
        "delta": F(1, 10**5),
        **CLIENTS,
    },
    "the true δ at ε = 3 is at most 1e-5",
    _rare_participation,
    f"M = 10,000 clients, B̂ = 1, 10⁹ rounds, inside all conditions of Corollary 2 and {INSIDE}; one client's messages are between "
    f"0.486 and 1/2 long: {PROBLEM}; for every other c the same with s = 1/2, a p that is small enough, and B̂, M and that distance as "
    "large as it takes",
    universal=NO_CONSTANT,
)

CLAIMS = (
    Claim(
        "FED-AMP",
        PAPER,
        "DP utility bound with privacy amplification, Section 4",
        "privacy",
        "We set σ_DP = c · p√((K+1)log(1/δ)ϵ^{−1}) [Appendix F: c(p√((K+1)log(1/δ))/ϵ)] for some constant c > 0 and 0 < "
        "p ≤ 1. Notably, σ_DP exhibits a reduced dependency on p thanks to the amplification effect of subsampling in "
        "the local privacy setting.",
        "In the local setting the adversary sees who sends, so nothing is amplified: a client's own noise has to cover the "
        "(K+1)p messages that it sends, which takes √p, not p. No constant works (FED-AMP-NOCONST), here with c = 10 and "
        f"{INSIDE}: the true δ is above 0.1. That the sampling is hidden is what is not met.",
        witness=RARE,
        repair=REPAIR,
        tables=lambda: {
            tables.CERTIFIED: tables.needed_noise(),
            tables.QUOTED: tables.quoted_theorem(),
        },
        consequence=(
            "with p < 1 the noise may shrink as √p if messages are seen, as p only if one noise of fixed variance is added to a sum "
            "(FED-AMP-SUMS). With noise from participants, hiding them gains between p^0.42 and p^0.51 here: the noise of p = 1 "
            "times the first is enough at p = 1/2 and 1/4, times the second it is not. Where the sums and the participants are "
            "seen it is "
            f"no smaller at p = 1/2 and 1/4 than at p = 1, by the accountant. (What the accountant certifies at each p: "
            f"{tables.named(tables.CERTIFIED)}.)"
        ),
    ),
    Claim(
        "FED-AMP-NOCONST",
        PAPER,
        "ours, on the noise c p √((K+1) log(1/δ))/ϵ and on c p √((K+1) log(1/δ)/ϵ)",
        "ours",
        "For every c > 0, δ < 1/6 and p ≤ s²/(2c² ln(1/δ)) the true δ at ε = 3 exceeds 1/6, messages and senders being seen, "
        "whatever the number J = K + 1 of rounds is (Jp whole), where s is how far a client's messages are apart (or as near to it as "
        "one likes): 2, 1, or 1/2 where α = R. It is so too for J = 3t/(c₁p²) with t > 1, "
        "tc² ln(1/δ) ≥ 3c₁ and 256tc² ln(1/δ)p² < c₁; then ε < c₁p²J and 1 ≤ σ < 1/(16p).",
        "Half of the time a client takes part Jp times or more, and Jp messages shift by μ² = s²ε²/(c²p ln(1/δ)), which grows as p "
        "falls. The conditions of Abadi et al.'s Theorem 1 (ε < c₁p²J) and of its proof (1 ≤ σ < 1/(16p)) do not exclude it.",
        proof=NO_CONSTANT,
    ),
    Claim(
        "FED-AMP-ORDER",
        PAPER,
        "ours, on amplification by participation",
        "ours",
        "Messages and senders being seen, K rounds and Kp ≥ 1 whole, a noise σ < s √(K p)/μ*, where δ(ε; μ*) = 2δ, is not (ε, δ)-DP: "
        "the noise needed is of order √p.",
        "Half of the time a client takes part in at least K p rounds.",
        proof=ORDER,
    ),
    Claim(
        "FED-AMP@relative",
        PAPER,
        "DP utility bound with privacy amplification, Section 4",
        "privacy",
        "[…] the amplification effect of subsampling in the local privacy setting. [the noise that is enough at p = 1 "
        "is enough at p < 1 after multiplication by p; messages and senders seen]",
        "A noise with ε = 8 at p = 1 has ε = 20 at p = 1/4 once it is multiplied by 1/4 (K = 300).",
        witness=Witness(
            OFTEN,
            "the true δ at ε = 8 is at most 1e-5",
            relative,
            "messages e, a unit vector, against absence; the client takes part in 60 to 90 of 300 rounds with probability 0.96",
        ),
        repair=REPAIR,
    ),
    Claim(
        "FED-C2-DP",
        PAPER,
        "Corollary 2 and the text before it; Corollary 4",
        "privacy",
        "Fed-α-NormEC satisfies (ϵ, δ)-DP […] by setting the standard deviation of the DP noise according to Abadi et "
        "al. [1]. […] let σ_DP = cp√((K+1)log(1/δ)/ϵ) [Appendix F: c(p√((K+1)log(1/δ))/ϵ)] with c > 0, and let p = B̂/M "
        "for B̂ ∈ [1, M].",
        "Messages being sent one by one, no constant c gives it (FED-AMP-NOCONST): here p = 1/M with M = 10,000 and c = 10, inside "
        f"all conditions of the corollary, with either root in β̂, and {INSIDE}; that the sampling is hidden is what is not met. "
        f"{SECTION_4}. With more local steps (Corollary 4) that client's messages are the same: its slope is constant "
        "wherever they lead.",
        witness=RARE,
        repair=REPAIR,
        tables=lambda: {
            tables.FED_CONSTANT_ONE: tables.with_constant_one((1.0, 0.25), tables.FED_CLIENTS),
            tables.QUOTED: tables.quoted_theorem(),
        },
        consequence=(
            "the utility bounds, with B̂/M² under their root, rest on this noise; with the repaired one 1/M stands there, "
            "as without sampling"
        ),
    ),
    Claim(
        "FED-C2-DP@noise",
        PAPER,
        "Section 4 and Corollary 2 there, against Corollaries 2, 4 and 6 in Appendices F and G",
        "privacy",
        "let σ_DP = cp√((K+1)log(1/δ)/ϵ) with c > 0 (Section 4) […] let σ_DP = c(p√((K+1)log(1/δ))/ϵ) with c > 0 "
        "(Appendices F, G)",
        "ε stands under the root in the one and not in the other: the two agree at ε = 1 only. B₂ of both versions has ε², "
        "which belongs to the appendix's. (Where a root ends may have been lost in the text at hand, as in FED-F5-S8@letter.)",
        conflict=_two_noises(),
    ),
    Claim(
        "FED-C2-DP@full-participation",
        PAPER,
        "Corollary 2 at p = 1, with the σ_DP of F.5",
        "privacy",
        "Fed-α-NormEC satisfies (ϵ, δ)-DP […] by setting the standard deviation of the DP noise according to Abadi et al. [1]. […] "
        "for some constant c > 0 (Section 4) […] let σ_DP = c(p√((K+1)log(1/δ))/ϵ) with c > 0 (F.5) [at p = 1]",
        "As with NEC-C2-DP no constant works for all ε. That messages are at most 1/2 long, as α = R makes them, only needs four "
        "times the ε: here c = 10 and ε = 9211, and the true δ is above 0.1. "
        f"({SECTION_4}.)",
        witness=Witness(
            {
                "c": F(10),
                "p": F(1),
                "M": F(10**8),
                "releases": F(301),
                "epsilon": F(9211),
                "delta": F(1, 10**5),
                **CLIENTS,
            },
            "the true δ at ε is at most δ",
            _full_participation,
            f"K = 300, M = 10⁸; one client's messages are between 0.495 and 1/2 long: {PROBLEM}; for every other c the same with "
            "ε = 2c² ln(1/δ)/s², s = 1/2 and as many clients as it takes",
            universal=ANY_CONSTANT,
        ),
        repair=REPAIR,
    ),
    Claim(
        "FED-C2-DP@full-participation,section4",
        PAPER,
        "Corollary 2 at p = 1, with the σ_DP of Section 4",
        "privacy",
        "Fed-α-NormEC satisfies (ϵ, δ)-DP […] by setting the standard deviation of the DP noise according to Abadi et al. [1]. […] "
        "for some constant c > 0 […] let σ_DP = cp√((K+1)log(1/δ)/ϵ) with c > 0 [at p = 1]",
        "With ε under the root the noise is too small where ε is: at ε = s²/(c² log(1/δ)) the messages shift by μ = ε, the true δ is "
        "of order ε, and no constant works for all δ; in the witness c = 10, ε = 1e-4 and μ = 1.47e-4, and the true δ is above "
        f"2.1e-5. {SECTION_4}. (Where a root ends may have been lost in the text at hand, as in FED-C2-DP@noise; with ε outside the "
        "root it is FED-C2-DP@full-participation, which fails as well.)",
        witness=Witness(
            {
                "c": F(10),
                "p": F(1),
                "M": F(10**8),
                "releases": F(301),
                "epsilon": F(1, 10**4),
                "delta": F(1, 10**5),
                **CLIENTS,
            },
            "the true δ at ε is at most δ",
            lambda v: _full_participation(v, power=1),
            f"K = 300, M = 10⁸; one client's messages are nearly 1/2 long: {PROBLEM}; for every other c the same with ε = 1/k and "
            "ln(1/δ) = s²k/c², k ≥ 44 c⁴/s⁴ whole, s = 1/2",
            universal=ANY_CONSTANT_UNDER_THE_ROOT,
        ),
        repair=REPAIR,
    ),
    Claim(
        "FED-C2-DP@full-participation,usual-range",
        PAPER,
        "Corollary 2 at p = 1, with the σ_DP of F.5 and the range that Shulgin et al. [60] call usual",
        "privacy",
        "Fed-α-NormEC satisfies (ϵ, δ)-DP […] by setting the standard deviation of the DP noise according to Abadi et al. [1]. […] "
        "for some constant c > 0 (Section 4) […] let σ_DP = c(p√((K+1)log(1/δ))/ϵ) with c > 0 (F.5) [at p = 1; for every t some c is "
        "enough for all "
        "ϵ ≤ t log(1/δ)]",
        "As NEC-C2-DP@usual-range: c = s (1 + √(1+t))/√2 is such a constant, 3.35 for ϵ ≤ 10 and δ ≤ 1e-5 (replace-one).",
        repair=USUAL.repair,
        gap=FED_FROM_THE_DATA,
        consequence="where p may be small no c is enough, even at ϵ = 3 (FED-AMP-NOCONST)",
    ),
)
