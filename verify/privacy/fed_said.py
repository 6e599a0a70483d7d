"""What Fed-α-NormEC's Sections 1 to 3 say of privacy: an analysis, amplification by subsampling, user-level against example-level."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import Fact, definition, equal, hypothesis
from verify.induction import Induction
from verify.obligation import obligation
from verify.privacy.arguments import CLOSED_FORM, enough
from verify.privacy.fed_alpha_normec import OFTEN, PAPER, RARE, REPAIR, F, relative
from verify.privacy.participation import ENOUGH
from verify.proof import Proof

# Data sets that differ in one example differ in one user at most: the number of users that differ is at most that of examples.
users, examples, own, differs = (
    sympy.Symbol(x, real=True) for x in ("users", "examples", "own_examples", "differs")
)
_ONE_EACH = definition(
    "a user differs if one of its examples does",
    sympy.Or(sympy.And(equal(own, 0), equal(differs, 0)), sympy.And(own >= 1, equal(differs, 1))),
)
_FEWER = Fact("users that differ ≤ examples that differ", users <= examples, "derived")
_COUNTED = Induction(
    _FEWER.name,
    _FEWER,
    obligation("no user", (), sympy.true),
    obligation("one user more", (_FEWER, _ONE_EACH), users + differs <= examples + own),
    start=((users, 0), (examples, 0)),
    next=((users, users + differs), (examples, examples + own)),
)
_ONE_EXAMPLE = hypothesis("the data sets differ in one example", equal(examples, 1))
_ONE_USER = obligation("they differ in one user at most", (_ONE_EXAMPLE, _FEWER), users <= 1)
had, asked = (sympy.Symbol(x, real=True) for x in ("delta_pair", "delta"))
_USER_LEVEL = hypothesis(
    "user level, a user's data replaced by any other: δ(ε) ≤ δ for every pair that differs in one user at most",
    sympy.Implies(users <= 1, had <= asked),
)
_EXAMPLE_LEVEL = obligation(
    "δ(ε) ≤ δ for every pair that differs in one example", (_USER_LEVEL, _ONE_USER.conclusion), had <= asked
)
# A user is there with all its data, or not at all: two such changes lead from one example to another set of examples.
first, without, second, growth = (sympy.Symbol(x, real=True) for x in ("P_1", "P_0", "P_2", "e_epsilon"))
_ADD_REMOVE = hypothesis(
    "user level, a user added or removed with all its data: P₁(A) ≤ e^ε P₀(A) + δ and P₀(A) ≤ e^ε P₂(A) + δ",
    (first <= growth * without + asked) & (without <= growth * second + asked),
)
_GROWS = hypothesis("e^ε > 0", growth > 0)
_TWICE = obligation(
    "P₁(A) ≤ e^(2ε) P₂(A) + (1 + e^ε)δ",
    (_ADD_REMOVE, _GROWS),
    first <= growth**2 * second + (1 + growth) * asked,
)


def _one_bit(v: Values) -> Comparison:
    """One bit, from one user: absent, with the example a, or with a and b. δ at e^ε between the last two."""
    shares = v["absent"], v["one"], v["both"]
    ratios = [x / y for x, y in ((shares[0], z) for z in shares[1:])]
    ratios += [(1 - shares[0]) / (1 - z) for z in shares[1:]]
    user_level = all(1 / v["growth"] <= ratio <= v["growth"] for ratio in ratios)
    had = v["both"] - v["growth"] * v["one"]
    met = (
        ("0 < each probability < 1, e^ε > 1", all(0 < x < 1 for x in shares) and v["growth"] > 1),
        ("(ε, 0)-DP with the user against without it", user_level),
    )
    return Comparison(had, "<=", Fraction(0), met)


def _clipped_alone(v: Values) -> Comparison:
    """P(A) − e^ε P′(A) for the event A that what is released is positive; P′(A) = 0 makes ε irrelevant."""
    clipped = [max(-v["bound"], min(v["bound"], v[name])) for name in ("one", "other")]
    chance = [Fraction(x > 0) for x in clipped]
    return Comparison(
        chance[0], "<=", v["delta"], (("P′(A) = 0", chance[1] == 0), ("the bound > 0", v["bound"] > 0))
    )


CLAIMS = (
    Claim(
        "FED-S1-PRIVACY",
        PAPER,
        "Section 1, contributions; abstract, Appendix C",
        "privacy",
        "We provide a privacy analysis of the proposed method for both single and multiple local update steps. […] Our "
        "analysis shows "
        "that this partial participation setup enables significant reduction in differential privacy (DP) noise variance via privacy "
        "amplification through subsampling. […] A more "
        "detailed discussion of convergence and privacy for the method with local steps, along with formal statements of the "
        "theorems, is presented in the supplementary materials. (in C)",
        "By how much is not said here, nor who sees what. The variance may fall like p, which is what fewer messages need and no "
        "amplification; messages being seen, by p², as the σ_DP of Section 4 and of Corollaries 2, 4 and 6 has it, it may not "
        "(FED-AMP). (The text at hand, appendices included, sets σ_DP by a cited theorem and proves nothing of it.)",
        repair=REPAIR,
        gap=Gap(
            "reading",
            "the variance by p², as the σ_DP of Section 4 and of Corollaries 2, 4 and 6 has it",
            RARE,
        ),
    ),
    Claim(
        "FED-S3-AMP",
        PAPER,
        "Section 3, DP-FedAvg",
        "privacy",
        "the fact that only a subset of B clients communicate with the server in each round leads to a significant reduction in the "
        "required noise variance due to the privacy amplification effect of subsampling.",
        "By how much is not said, nor who sees what. Messages and senders being seen, the variance may fall like B/M, which is what "
        "fewer messages need and no amplification; by (B/M)², as Section 4 has it, it may not (FED-AMP@relative): noise with ε = 8 "
        "at B = M has ε = 20 at B = M/4 once it is multiplied by 1/4.",
        repair=Repair(
            "With p = B/M the noise of FED-AMP's repair, a variance of order B/M, is enough for ‖Ψ‖ ≤ 1, where x⁰ and the step sizes "
            "are chosen without the data.",
            "the variance by B/M while (K+1)B/M is above ln(2/δ); x⁰ and the step sizes are chosen without the data",
            ENOUGH,
            "less noise than order √(B/M) fails where each client takes part with probability B/M, (K+1)B/M being whole and at "
            "least 1 (FED-AMP-ORDER)",
        ),
        gap=Gap(
            "reading",
            "the variance by (B/M)², as the σ_DP of Section 4 has it",
            Witness(
                OFTEN,
                "the true δ at ε = 8 is at most 1e-5",
                relative,
                "B = 5 of M = 20 clients are drawn in each of 300 rounds, one client in 60 to 90 of them with probability "
                "0.96; messages e, a unit vector, against absence",
            ),
        ),
        consequence="where the sums alone are seen, with one noise of fixed variance in each, that variance may fall by (B/M)² while "
        "the rounds are many enough (FED-AMP-SUMS)",
    ),
    Claim(
        "FED-S2-CLIP",
        PAPER,
        "Section 2, clipping",
        "privacy",
        "Per-sample clipping [38] bounds the norm of the local gradient being used to update the local model parameters on each "
        "client, and ensures example-level privacy [1]. Per-update clipping [16] limits the bound of the local model update, and "
        "preserves user-level privacy",
        "With noise that fits the bound they do. By itself clipping makes nothing private: it is no random mechanism, and two data "
        "sets with different clipped values have δ(ϵ) = 1 for every ϵ.",
        repair=Repair(
            "K messages that are clipped at Φ and get noise N(0, σ²Φ²I) each are (ϵ, δ)-DP for σ ≥ s √(K/2) (√L + √(L + ϵ))/ϵ, L = "
            "ln(1/δ), s = 2 (replace-one) or 1 (noise alone is still sent for who is removed): at user level for clipped updates, at "
            "example level for sums of clipped gradients of single examples.",
            "noise in proportion to the bound",
            enough(CLOSED_FORM),
        ),
        gap=Gap(
            "reading",
            "clipping alone, without noise",
            Witness(
                {"bound": F(1), "one": F(1, 2), "other": F(-1, 2), "delta": F(99, 100)},
                "δ(ε) ≤ 99/100 for some ε",
                _clipped_alone,
                "two values 1/2 and −1/2 clipped at 1; what is released is positive with probability 1 and 0",
            ),
        ),
    ),
    Claim(
        "FED-S2-USER",
        PAPER,
        "Section 2, clipping",
        "privacy",
        "user-level privacy [67; 16], which provides stronger privacy guarantee than example-level privacy. [for the same ϵ and δ]",
        "Data sets that differ in one example differ in one user: true where a user's data may be replaced. Where a user is added or "
        "removed with all its data, one example less is no such pair: user level with ϵ = ln(3/2), δ = 0 can leave δ = 1/6 at example "
        "level.",
        repair=Repair(
            "Where user level lets a user's data be replaced, example level has the same (ϵ, δ); where a user is added or removed "
            "with all its data, (2ϵ, (1 + e^ϵ)δ).",
            "a user's data replaced, or 2ϵ and (1 + e^ϵ)δ",
            Proof(
                (_ONE_EXAMPLE, _USER_LEVEL, _ADD_REMOVE, _GROWS),
                (_COUNTED, _ONE_USER, _EXAMPLE_LEVEL, _TWICE),
            ),
        ),
        gap=Gap(
            "reading",
            "user level means that a user is added or removed with all its data",
            Witness(
                {"absent": F(1, 2), "one": F(1, 3), "both": F(2, 3), "growth": F(3, 2)},
                "δ(ln(3/2)) = 0 at example level",
                _one_bit,
                "one bit, 1 with probability 1/2 without the user and with {b} alone, 1/3 with {a}, 2/3 with {a, b}: with against "
                "without the user all ratios are within 3/2, but {a, b} against {a} is 2",
            ),
        ),
    ),
)
