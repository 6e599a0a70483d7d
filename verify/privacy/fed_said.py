"""What Fed-α-NormEC's Sections 1 to 3 say of privacy: an analysis, amplification by subsampling, user-level against example-level."""

from __future__ import annotations

import sympy

from verify.claim import Claim, Repair, Witness
from verify.facts import Fact, definition, hypothesis
from verify.obligation import obligation
from verify.privacy.arguments import equal
from verify.privacy.fed_alpha_normec import LEVEL, PAPER, RARE, REPAIR, F, _relative
from verify.privacy.participation import enough_with_participation
from verify.proof import Induction, Proof

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
    "user level: δ(ε) ≤ δ for every pair that differs in one user at most",
    sympy.Implies(users <= 1, had <= asked),
)
_EXAMPLE_LEVEL = obligation(
    "δ(ε) ≤ δ for every pair that differs in one example", (_USER_LEVEL, _ONE_USER.conclusion), had <= asked
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
        "amplification through subsampling. [by p², as the σ_DP of Section 4 and of Corollaries 2, 4 and 6 has it]",
        "The text at hand sets σ_DP by a cited theorem and proves nothing of it; messages being seen, that noise is not enough "
        "(FED-AMP), and the variance may fall like p, not p², which is what fewer messages need and no amplification.",
        witness=RARE,
        repair=REPAIR,
    ),
    Claim(
        "FED-S3-AMP",
        PAPER,
        "Section 3, DP-FedAvg",
        "privacy",
        "the fact that only a subset of B clients communicate with the server in each round leads to a significant reduction in the "
        "required noise variance due to the privacy amplification effect of subsampling. [by (B/M)², messages and "
        "senders being seen]",
        "As FED-AMP@relative: a client is in B/M of the rounds, and noise with ε = 8 at B = M has ε = 20 at B = M/4 once it is "
        "multiplied by 1/4.",
        witness=Witness(
            {
                "sigma_1": F(104, 10),
                "p": F(1, 4),
                "releases": F(300),
                "s": F(1),
                "from": F(60),
                "to": F(90),
                **LEVEL,
            },
            "the true δ at ε = 8 is at most 1e-5",
            _relative,
            "B = 5 of M = 20 clients are drawn in each of 300 rounds, one client in 60 to 90 of them with probability "
            "0.96; messages e "
            "against absence",
        ),
        repair=Repair(
            "With p = B/M the noise of FED-AMP's repair, of order √p, is enough for ‖Ψ‖ ≤ 1.",
            "√p for p",
            enough_with_participation(),
        ),
    ),
    Claim(
        "FED-S2-USER",
        PAPER,
        "Section 2, clipping",
        "privacy",
        "user-level privacy [67; 16], which provides stronger privacy guarantee than example-level privacy. [for the same ϵ and δ]",
        "Data sets that differ in one example differ in one user: what holds for all pairs of the second kind holds for the first.",
        proof=Proof((_ONE_EXAMPLE, _USER_LEVEL), (_COUNTED, _ONE_USER, _EXAMPLE_LEVEL)),
    ),
)
