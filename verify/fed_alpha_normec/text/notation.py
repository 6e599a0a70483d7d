"""Notation that contradicts its use: sets, O(·), Appendix C's error term, a reference."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.fed_alpha_normec.symbols import SYMBOLS
from verify.computation import Comparison, Computation
from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.letters import GAMMA, SMOOTH, SPREAD, Delta, L, claim, p
from verify.obligation import obligation
from verify.proof import Proof
from verify.units import DifferentUnit

_TWO_VALUES = hypothesis("p ∈ [0, 1] = {0, 1} (Appendix B)", equal(p, 0) | equal(p, 1))

left, right, A = letters("f_value g_value A")
_POSITIVE = hypothesis("f ≥ 0 and g > 0 at the values in question", (left >= 0) & (right > 0))
_SOME = definition("A = f/g + 1", equal(A * right, left + right))

_term = 8 * L * sympy.sqrt(2 * L) * sympy.sqrt(Delta)
_double = letters("term_at_2gamma")[0]
_NO_GAMMA = definition("Appendix C's term, at any γ", equal(_double, _term))
_S = {name: symbol.sympy() for name, symbol in SYMBOLS.items()}

TITLES = {
    "[5]": "Automatic clipping: Differentially private deep learning made easier and stronger",
    "[2]": "EFSkip: A new error feedback with linear speedup for compressed federated learning with arbitrary data heterogeneity",
    "[65]": "Can single-shuffle SGD be better than reshuffling SGD and GD?",
}
"""The paper's own list of references."""


def _about(work: str, *words: str) -> Fraction:
    return Fraction(sum(word in TITLES[work].lower() for word in words))


CLAIMS = (
    claim(
        "FED-APPB-SETS",
        "Appendix B, against Algorithm 1 and Section 5",
        "definition",
        "We use [a, b] for the set {a, a + 1, …, b} for integers a, b such that a ≤ b […] probability of transmitting the client's "
        "local vector to the server p ∈ [0, 1] […] p = 0.25 and p = 0.5",
        "By Appendix B [0, 1] is the set {0, 1}: no client takes part, or every client.",
        conflict=Proof(
            (_TWO_VALUES,),
            (
                obligation(
                    "neither 0.25 nor 0.5 is allowed",
                    (_TWO_VALUES,),
                    sympy.Ne(p, sympy.Rational(1, 4)) & sympy.Ne(p, sympy.Rational(1, 2)),
                ),
            ),
        ),
    ),
    claim(
        "FED-APPB-O",
        "Appendix B, with Corollaries 2, 4 and 6",
        "definition",
        "f(x) = O(g(x)) if f(x) ≤ Ag(x) for some A > 0 for functions f, g: ℝ^d → ℝ […] min_{k∈[0,K]} E[‖∇f(x^k)‖] ≤ O(Δ√(d B̂ "
        "log(1/δ)/(M²ϵ²))) [whose two sides do not depend on x ∈ ℝ^d, so that A may depend on all that they do depend on]",
        "Any f ≥ 0 and g > 0 satisfy it, with A = f/g + 1: by the letter of Appendix B these corollaries are true and exclude "
        "nothing.",
        proof=Proof(
            (_POSITIVE,), (obligation("A > 0 and f ≤ Ag", (_POSITIVE, _SOME), (A > 0) & (left <= A * right)),)
        ),
        consequence="They are read here with a constant that depends on nothing but the c of σ_DP and the factor C that α = R = O(…) "
        "hides, α = R = C d^{1/4}(√(f(x⁰) − f^inf)/√γ)(B₂/M)^{1/4}. So read they are false: FED-C2-UTIL, FED-C4, FED-C6.",
    ),
    claim(
        "FED-APPC-TERM",
        "Appendix C, against itself and Theorem 1",
        "prose",
        "The convergence bound comprises an error term due to data heterogeneity E_{T≠1}[8L√(2L)·√Δ^inf] […] Furthermore, this error "
        "term is proportional to the local step size γ",
        "The term that is shown has no γ and not the unit of a gradient; Theorem 1 has γ · I_{T≠1}[…], with an indicator for E.",
        conflict=Proof(
            (SMOOTH, GAMMA, SPREAD),
            (
                obligation(
                    "it does not double with γ",
                    (SMOOTH, GAMMA, SPREAD, _NO_GAMMA),
                    sympy.Ne(_double, 2 * _term),
                ),
                DifferentUnit(
                    "its square against that of a gradient", _S["L"] ** 3 * _S["Delta"], _S["R"] ** 2, SYMBOLS
                ),
            ),
        ),
    ),
    claim(
        "FED-S1-65",
        "Section 1, on [65; 5], against Section 2 and the references",
        "prose",
        "smoothed normalization techniques [65; 5], which serve as alternatives to gradient clipping […] Random reshuffling, a "
        "without-replacement sampling strategy, is widely used in SGD and often outperforms sampling with replacement. "
        "Its convergence "
        "properties have been extensively studied [48; 21; 57; 65] […] Can single-shuffle SGD be better than reshuffling SGD and GD?",
        "By its title, and by Section 2, [65] is about reshuffling; of the two works [5] alone names clipping.",
        conflict=Proof(
            (),
            (
                Computation(
                    "titles that name clipping or normalisation: [65] against [5]",
                    "enumeration",
                    lambda: Comparison(
                        _about("[65]", "clip", "normali"), "<", _about("[5]", "clip", "normali")
                    ),
                ),
                Computation(
                    "titles that name shuffling: [5] against [65]",
                    "enumeration",
                    lambda: Comparison(_about("[5]", "shuffl"), "<", _about("[65]", "shuffl")),
                ),
            ),
        ),
    ),
    claim(
        "FED-S2-BIASED",
        "Section 2, communication efficiency",
        "prose",
        "To our knowledge, no FL method to date uses biased compression to both address data heterogeneity and enhance communication "
        "efficiency.",
        "It is about the literature, to the best of the authors' knowledge.",
        undecided="It is about the literature, which no machine here can check; by its title the paper's own reference [2] is such a "
        "method, if its compression is biased (FED-S2-BIASED@own-reference).",
    ),
    claim(
        "FED-S2-BIASED@own-reference",
        "Section 2, communication efficiency, against its paragraph on error feedback and reference [2]",
        "prose",
        "Another common biased estimator, besides clipping and normalization, is compression, which improves communication efficiency "
        "by reducing message size. […] To our knowledge, no FL method to date uses biased compression to both address data "
        "heterogeneity and enhance communication efficiency. […] Popular error feedback mechanisms include EF14 [58], EF21 [54], "
        "EF21-SGDM [14], EControl [15], and EFSkip [2]. […] EFSkip: A new error feedback with linear speedup for compressed federated "
        "learning with arbitrary data heterogeneity. [compression with error feedback is biased; [2] by its title]",
        "By its title [2], which the same section names, is error feedback for compressed federated learning with arbitrary data "
        "heterogeneity. “Biased” is not in the title: it is what Section 2 first says of compression (it goes on to unbiased "
        "compression), and what error feedback is there for.",
        conflict=Proof(
            (),
            (
                Computation(
                    "compression, federated learning, data heterogeneity and error feedback: all four in the title of [2]",
                    "enumeration",
                    lambda: Comparison(
                        _about(
                            "[2]",
                            "compressed",
                            "federated learning",
                            "arbitrary data heterogeneity",
                            "error feedback",
                        ),
                        "==",
                        Fraction(4),
                    ),
                ),
            ),
        ),
    ),
)
