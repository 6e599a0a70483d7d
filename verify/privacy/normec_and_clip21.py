"""α-NormEC and Clip21 with the same noise: how private both are, and what Section 5 says of it."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.exact import sign
from verify.facts import equal, hypothesis
from verify.obligation import obligation
from verify.privacy.alpha_normec import PAPER
from verify.privacy.arguments import K, s
from verify.privacy.utility import OUR_UTILITY
from verify.proof import Proof

beta, scale_a, mu_a, mu_b, mu_1, mu_2 = (
    sympy.Symbol(name, real=True) for name in ("beta", "v", "mu_NormEC", "mu_Clip21", "mu_before", "mu_clip")
)
_SAME_NOISE = hypothesis(
    "β, v, s, K > 0: noise of one standard deviation v", sympy.And(beta > 0, scale_a > 0, s > 0, K > 0)
)
_SCALED = hypothesis(
    "the noise is added to βNorm_α(·) and to Clip_β(·), both of norm at most β",
    sympy.And(
        equal(mu_a * scale_a, s * beta * sympy.sqrt(K)), equal(mu_b * scale_a, s * beta * sympy.sqrt(K))
    ),
)
_BEFORE = hypothesis(
    "the noise is added to Norm_α(·), of norm at most 1 (Algorithm 1, line 8), and to Clip_β(·)",
    sympy.And(equal(mu_1 * scale_a, s * sympy.sqrt(K)), equal(mu_2 * scale_a, s * beta * sympy.sqrt(K))),
)


def _before_beta(v: Values) -> Comparison:
    """μ² of K Gaussian messages of sensitivity s, noise of standard deviation v: on Norm_α, and on Clip_β."""
    met = (("β, v, s, K > 0", min(v["beta"], v["v"], v["s"], v["K"]) > 0),)
    return Comparison(
        v["s"] ** 2 * v["K"] / v["v"] ** 2, "==", (v["s"] * v["beta"]) ** 2 * v["K"] / v["v"] ** 2, met
    )


SAME = Claim(
    "NEC-EXP-SAME-DP",
    PAPER,
    "Section 6.2",
    "privacy",
    "[DP-α-NormEC and DP-Clip21 are compared] under the same DP guarantee (the same β)",
    "The two guarantees agree where the noise is added to messages scaled by β; with Algorithm 1's line 8, which adds it before "
    "β, they agree for β = 1 only.",
    repair=Repair(
        "The same noise gives both methods the same μ if it is added to βNorm_α, as DP-Clip21 adds it to Clip_β; added to Norm_α "
        "it does exactly for β = 1.",
        "noise on messages scaled by β",
        Proof(
            (_SAME_NOISE, _SCALED, _BEFORE),
            (
                obligation("equal guarantees", (_SAME_NOISE, _SCALED), equal(mu_a, mu_b)),
                obligation("before β: equal exactly for β = 1",
                           (_SAME_NOISE, _BEFORE),
                           sympy.Equivalent(equal(mu_1, mu_2),
                                            equal(beta, 1)).to_nnf()),
            ),
        ),
        weakest="with noise before β, β = 1 is necessary and sufficient",
    ),
    gap=Gap(
        "reading",
        "noise added as Algorithm 1's line 8 adds it, before β",
        Witness({"beta": Fraction(1, 10), "v": Fraction(1), "s": Fraction(2), "K": Fraction(300)},
                "μ² of DP-α-NormEC is μ² of DP-Clip21", _before_beta),
    ),
)  # fmt: skip
assert OUR_UTILITY.proof is not None


def _without_noise() -> Comparison:
    """Clip21's first message, Clip_1(∇f_1(x⁰) − g_1⁰) with g_1⁰ = 0, where the gradient is 1 and where it is −1: nothing is drawn."""
    one, other = (sign(v) * min(abs(v), Fraction(1)) for v in (Fraction(1), Fraction(-1)))
    return Comparison(one, "!=", other)


UNLIKE = Claim(
    "NEC-S5-UNLIKE",
    PAPER,
    "Section 5, before Corollary 2, against 6.2 and its footnote",
    "privacy",
    "In the DP setting, unlike Clip21 (Khirirat et al., 2023), α-NormEC achieves (ϵ, δ)-DP and comes with convergence guarantees. "
    "[Section 6.2:] under the same DP guarantee (the same β) […] DP-Clip21, unlike Clip21, does not have theoretical convergence "
    "guarantees.",
    "α-NormEC has the two together (NEC-OUR-C2), and Clip21 as it is published, without noise, has no privacy at all. But Section "
    "6.2 runs DP-Clip21 under the same DP guarantee: with noise on messages of norm β both have the same μ. What DP-Clip21 has not, "
    "by the footnote, is a convergence guarantee: that none is known is a statement about the literature. (With α-NormEC's server "
    "step clipping has one: NEC-S4-STEM.)",
    repair=Repair(
        "With the noise and the parameters of NEC-OUR-C2 α-NormEC is (ε, δ)-DP and has its bound on min_k E‖∇f(x^k)‖, the two "
        "together. Clip21 without noise is (ε, δ)-DP for no ε and no δ < 1.",
        "NEC-OUR-C2's noise and parameters; Clip21 as it is published",
        Proof(
            OUR_UTILITY.proof.assumptions,
            (
                *OUR_UTILITY.proof.nodes,
                Computation("without noise two neighbours send different messages for sure: δ = 1", "enumeration", _without_noise),
            ),
        ),
    ),
    gap=Gap(
        "reading",
        "each of the two by itself, and of DP-Clip21 in 6.2: unlike it, α-NormEC is private",
        Proof((_SAME_NOISE, _SCALED), (obligation("equal guarantees", (_SAME_NOISE, _SCALED), equal(mu_a, mu_b)),)),
    ),
)  # fmt: skip
CLAIMS = (SAME, UNLIKE)
