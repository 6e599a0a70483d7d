"""Appendix C: how memories approach a fixed vector."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.appendix_c import clipped_distance
from verify.alpha_normec.lemmas.operator import CLIP, L1B, c
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    PAPER,
    RESIDUAL,
    TAU,
    alpha,
    beta,
    r,
    remaining,
    tau,
)
from verify.alpha_normec.text.preliminaries import CLIP_UNDEFINED
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.exact import normalise
from verify.facts import definition, derived, equal, hypothesis
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

k, r_0, P, rate = sympy.symbols("k r_0 P rate", real=True)
GENTLE = hypothesis("β/α < 1", beta < alpha)
APART = hypothesis("g⁰ ≠ g⋆", r_0 > 0)


def _one_step(with_beta: bool) -> Fraction:
    """‖g⋆ − g¹‖² from g⋆ − g⁰ = 1, α = 1, β = 1/2, by recursion (16) or by the printed first line of the product."""
    a, b, start = Fraction(1), Fraction(1, 2), Fraction(1)
    return (start - (b if with_beta else 1) * normalise(a, start)) ** 2


AC_EQ16 = Claim(
    id="NEC-AC-EQ16",
    paper=PAPER,
    place="eq. (16), Appendix C",
    kind="equation",
    printed="g^{k+1} = g^k + Ψ(g⋆ − g^k) (16) […] If Ψ(g) = Norm_α(g), then from Lemma 1 ‖g⋆ − g^k‖² = "
    "‖g⋆ − g^{k−1} − βNorm_α(g⋆ − g^{k−1})‖²",
    reason="(16) has no β, the product that is drawn from it has: they agree for β = 1 only.",
    conflict=Proof(
        (),
        (
            Computation(
                "one step of (16) with Ψ = Norm_1 and of the printed line with β = 1/2 differ",
                "enumeration",
                lambda: Comparison(_one_step(False), "!=", _one_step(True)),
            ),
        ),
    ),
    repair=Repair(
        "(16) with Ψ = βNorm_α.",
        "Ψ(g) = βNorm_α(g)",
        L1B.repair.proof if L1B.repair else Proof((), ()),
    ),
)

_clip_step = obligation(
    "(1 − c)‖gᵏ − g⋆‖ = max(0, ‖gᵏ − g⋆‖ − τ)",
    (TAU, RESIDUAL, CLIP),
    equal((1 - c) * r, sympy.Max(0, r - tau)),
)
_reached = derived("‖gᵏ − g⋆‖ ≤ max(0, ‖g⁰ − g⋆‖ − kτ)", r <= clipped_distance(r_0, tau, k))
AC_CLIP = Claim(
    id="NEC-AC-CLIP",
    paper=PAPER,
    place="Appendix C",
    kind="equation",
    printed="If Ψ(g) = Clip_τ(g), then […] ‖g^k − g⋆‖ ≤ max(0, ‖g⁰ − g⋆‖ − kτ). […] the EF21 mechanism with clipping ensures that the "
    "memory g^k will reach g⋆ within a finite number of iterations k (when k ≥ ‖g⁰ − g⋆‖/τ)",
    reason="True until g⋆ is reached, by induction: one step shortens the distance r to max(0, r − τ) (Table 1). Where g⋆ is "
    "reached, which happens, the next step needs Clip_τ(0), which (5) leaves undefined.",
    repair=Repair(
        "The bound for every k, with Clip_τ(0) := 0.",
        "Clip_τ(0) := 0",
        Proof(
            (TAU,),
            (
                _clip_step,
                Induction(
                    _reached.name,
                    _reached,
                    Obligation("k = 0", (definition("norm", r_0 >= 0),),
                               derived("k = 0", sympy.Le(r_0, clipped_distance(r_0, tau, 0)))),
                    Obligation("one step", (TAU, _reached, _clip_step.conclusion, definition("k ≥ 0", k >= 0)),
                               derived("one step", (1 - c) * r <= clipped_distance(r_0, tau, k + 1))),
                    ((r, r_0), (k, 0)),
                    ((r, (1 - c) * r), (k, k + 1)),
                ),
                obligation("it is 0 once k ≥ ‖g⁰ − g⋆‖/τ", (TAU, _reached, RESIDUAL),
                           sympy.Implies(k * tau >= r_0, equal(r, 0))),
            ),
        ),
        weakest="the condition only says that the step from gᵏ = g⋆ exists",
    ),
    gap=CLIP_UNDEFINED,
)  # fmt: skip


def _as_printed(values: Values) -> Comparison:
    """‖g⋆ − g¹‖² of (16) with Ψ = Norm_α against the product formula, on the line."""
    a, b, v = values["alpha"], values["beta"], values["r_0"]
    product = (1 - b / (a + v)) ** 2 * v**2
    return Comparison(
        (v - normalise(a, v)) ** 2, "==", product, (("α, β > 0", min(a, b) > 0), ("g⁰ ≠ g⋆", v > 0))
    )


_product = derived("‖g⋆ − gᵏ‖² = ‖g⋆ − g⁰‖² ∏ (…)²", equal(r**2, r_0**2 * P))
AC_PROD = Claim(
    id="NEC-AC-PROD",
    paper=PAPER,
    place="Appendix C",
    kind="equation",
    printed="If Ψ(g) = Norm_α(g), then from Lemma 1 ‖g⋆ − g^k‖² = ‖g⋆ − g^{k−1} − βNorm_α(g⋆ − g^{k−1})‖² = … = ‖g⋆ − g⁰‖² · "
    "∏_{l=1}^k (1 − β/(α + ‖g⋆ − g^{l−1}‖))²",
    reason="True of the recursion with βNorm_α, by Lemma 1 once a step; with Ψ = Norm_α (16) has no β.",
    repair=Repair(
        "The product formula for g^{k+1} = g^k + βNorm_α(g⋆ − g^k), α > 0.",
        "Ψ = βNorm_α in (16)",
        Proof(
            (ALPHA, BETA),
            (
                Induction(
                    _product.name,
                    _product,
                    Obligation("k = 0", (), derived("k = 0", sympy.true)),
                    Obligation("one step", (ALPHA, BETA, _product, RESIDUAL), derived(
                        "one step", equal(remaining(r) ** 2, r_0**2 * P * (1 - beta / (alpha + r)) ** 2))),
                    ((r, r_0), (P, 1)),
                    ((r, remaining(r)), (P, P * (1 - beta / (alpha + r)) ** 2)),
                ),
            ),
        ),
        weakest="(16) without β gives the product with β for β = 1 only",
    ),
    gap=Gap(
        "reading",
        "g^k from (16) as it is printed, without β",
        Witness({"alpha": Fraction(1), "beta": Fraction(1, 2), "r_0": Fraction(1)},
                "‖g⋆ − g¹‖² = ‖g⋆ − g⁰‖² (1 − β/(α + ‖g⋆ − g⁰‖))²", _as_printed),
    ),
)  # fmt: skip


def _never(values: Values) -> Comparison:
    """The distance after ten exact steps of the memory from g⋆ − g⁰ = 1: positive, where reaching means zero."""
    a, b, v = values["alpha"], values["beta"], values["r_0"]
    for _ in range(10):
        v = v - b * normalise(a, v)
    return Comparison(v, "==", Fraction(0), (("α, β > 0", min(a, b) > 0), ("β/α < 1", b / a < 1)))


_positive = derived("‖gᵏ − g⋆‖ > 0 for every k", r > 0)
_geometric = derived("‖gᵏ − g⋆‖ ≤ rateᵏ ‖g⁰ − g⋆‖ and ‖gᵏ − g⋆‖ ≤ ‖g⁰ − g⋆‖", (r <= P * r_0) & (r <= r_0))
RATE = definition("rate = 1 − β/(α + ‖g⁰ − g⋆‖)", equal(rate, 1 - beta / (alpha + r_0)))
NEVER = (
    Induction(
        _positive.name,
        _positive,
        Obligation("k = 0", (APART,), derived("k = 0", r_0 > 0)),
        Obligation("one step", (ALPHA, BETA, GENTLE, _positive), derived("one step", remaining(r) > 0)),
        ((r, r_0),),
        ((r, remaining(r)),),
    ),
)
CONVERGES = (
    Induction(
        _geometric.name,
        _geometric,
        Obligation("k = 0", (APART,), derived("k = 0", sympy.And(sympy.Le(r_0, 1 * r_0), sympy.Le(r_0, r_0)))),
        Obligation("one step", (ALPHA, BETA, GENTLE, RATE, _geometric, RESIDUAL, APART, definition("P ≥ 0", P >= 0)),
                   derived("one step", (remaining(r) <= P * rate * r_0) & (remaining(r) <= r_0))),
        ((r, r_0), (P, 1)),
        ((r, remaining(r)), (P, P * rate)),
    ),
    obligation("0 < rate < 1", (ALPHA, BETA, GENTLE, RATE, APART), (rate > 0) & (rate < 1)),
)  # fmt: skip
NOT_REACHED = Witness(
    {"alpha": Fraction(2), "beta": Fraction(1), "r_0": Fraction(1)},
    "‖g^{10} − g⋆‖ = 0",
    _never,
    "the line, g⋆ − g⁰ = 1; for all k by induction",
    universal=Proof((ALPHA, BETA, GENTLE, APART), NEVER),
)
AC_REACH = Claim(
    id="NEC-AC-REACH",
    paper=PAPER,
    place="Appendix C, last sentence",
    kind="prose",
    printed="the EF21 mechanism with smoothed normalization guarantees that g^k will eventually reach g⋆ (provided that "
    "β/α < 1)",
    reason="It comes as near as one likes, at a linear rate, but does not arrive. With β < α every factor is positive, so that g^k ≠ "
    "g⋆ for every k unless g⁰ = g⋆.",
    repair=Repair(
        "For β < α and g⁰ ≠ g⋆: ‖g^k − g⋆‖ ≤ (1 − β/(α + ‖g⁰ − g⋆‖))^k ‖g⁰ − g⋆‖ → 0, without ever reaching g⋆.",
        "“converge to” instead of “reach”",
        Proof((ALPHA, BETA, GENTLE, APART), (*NEVER, *CONVERGES)),
        weakest="it converges for every β ≤ 2α, and for no larger β from every g⁰ (NEC-OUR-REACH)",
    ),
    gap=Gap("reading", "“reach” as for clipping, at some k (NEC-AC-REACH@finite)", NOT_REACHED),
)
AC_REACH_FINITE = Claim(
    id="NEC-AC-REACH@finite",
    paper=PAPER,
    place="Appendix C, last sentence, “reach” read as for clipping: at some k",
    kind="prose",
    printed=AC_REACH.printed,
    reason="Every factor of the product is positive, so that g^k ≠ g⋆ for every k unless g⁰ = g⋆.",
    witness=NOT_REACHED,
)

CLAIMS = (AC_EQ16, AC_CLIP, AC_PROD, AC_REACH, AC_REACH_FINITE)
