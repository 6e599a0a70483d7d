"""Appendix C (how memories approach a fixed vector) and Appendix F (against Clip21)."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.appendix_c import clipped_distance
from bounds.alpha_normec.comparison import clip21_threshold, gradient_descent
from bounds.alpha_normec.corollary1 import beta12
from bounds.alpha_normec.symbols import SYMBOLS
from bounds.scalars import maximum
from verify.alpha_normec.letters import (
    ALPHA,
    ANY_D,
    BETA,
    GAP,
    LETTERS,
    PAPER,
    RESIDUAL,
    ROUNDS,
    SMOOTH,
    SMOOTH_MAX,
    TAU,
    D,
    K,
    L,
    L_max,
    alpha,
    beta,
    f_gap,
    r,
    remaining,
    tau,
)
from verify.alpha_normec.operator import L1B
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.exact import normalise
from verify.facts import definition, derived, hypothesis
from verify.obligation import Obligation, obligation
from verify.proof import Comparison, Computation, Identity, Induction, Limit, Proof
from verify.units import DifferentUnit

C_1 = LETTERS["C_1"]
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
        Proof((BETA, *L1B.repair.proof.assumptions), L1B.repair.proof.nodes) if L1B.repair else Proof((), ()),
    ),
)

_clip_next = sympy.Max(0, r - tau)
_reached = derived("‖gᵏ − g⋆‖ ≤ max(0, ‖g⁰ − g⋆‖ − kτ)", r <= clipped_distance(r_0, tau, k))
AC_CLIP = Claim(
    id="NEC-AC-CLIP",
    paper=PAPER,
    place="Appendix C",
    kind="equation",
    printed="If Ψ(g) = Clip_τ(g), then […] ‖g^k − g⋆‖ ≤ max(0, ‖g⁰ − g⋆‖ − kτ). […] the EF21 mechanism with clipping ensures that the "
    "memory g^k will reach g⋆ within a finite number of iterations k (when k ≥ ‖g⁰ − g⋆‖/τ)",
    reason="One step shortens the distance r to max(0, r − τ) (Table 1); induction.",
    proof=Proof(
        (TAU,),
        (
            Induction(
                _reached.name,
                _reached,
                Obligation("k = 0", (definition("norm", r_0 >= 0),),
                           derived("k = 0", sympy.Le(r_0, clipped_distance(r_0, tau, 0)))),
                Obligation("one step", (TAU, _reached, RESIDUAL, definition("k ≥ 0", k >= 0)),
                           derived("one step", _clip_next <= clipped_distance(r_0, tau, k + 1))),
                ((r, r_0), (k, 0)),
                ((r, _clip_next), (k, k + 1)),
            ),
            obligation("it is 0 once k ≥ ‖g⁰ − g⋆‖/τ", (TAU, _reached, RESIDUAL),
                       sympy.Implies(k * tau >= r_0, sympy.Eq(r, 0))),
        ),
    ),
)  # fmt: skip


def _as_printed(values: Values) -> Comparison:
    """‖g⋆ − g¹‖² of (16) with Ψ = Norm_α against the product formula, on the line."""
    a, b, v = values["alpha"], values["beta"], values["r_0"]
    product = (1 - b / (a + v)) ** 2 * v**2
    return Comparison(
        (v - normalise(a, v)) ** 2, "==", product, (("α, β > 0", min(a, b) > 0), ("g⁰ ≠ g⋆", v > 0))
    )


_product = derived("‖g⋆ − gᵏ‖² = ‖g⋆ − g⁰‖² ∏ (…)²", sympy.Eq(r**2, r_0**2 * P))
AC_PROD = Claim(
    id="NEC-AC-PROD",
    paper=PAPER,
    place="Appendix C",
    kind="equation",
    printed="‖g⋆ − g^k‖² = … = ‖g⋆ − g⁰‖² · ∏_{l=1}^k (1 − β/(α + ‖g⋆ − g^{l−1}‖))²",
    reason="Lemma 1 once a step, for the recursion with βNorm_α (not for (16) as printed).",
    repair=Repair(
        "The product formula for g^{k+1} = g^k + βNorm_α(g⋆ − g^k), α > 0.",
        "Ψ = βNorm_α in (16)",
        Proof(
            (ALPHA, BETA),
            (
                Induction(
                    _product.name,
                    _product,
                    Obligation("k = 0", (), derived("k = 0", sympy.Eq(r_0**2, r_0**2 * 1))),
                    Obligation("one step", (ALPHA, BETA, _product, RESIDUAL), derived(
                        "one step", sympy.Eq(remaining(r) ** 2, r_0**2 * P * (1 - beta / (alpha + r)) ** 2))),
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
RATE = definition("rate = 1 − β/(α + ‖g⁰ − g⋆‖)", sympy.Eq(rate, 1 - beta / (alpha + r_0)))
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
    reason="It converges, at a linear rate. With β < α every factor is positive, so that g^k ≠ g⋆ for every k unless g⁰ = g⋆.",
    repair=Repair(
        "For β < α: ‖g^k − g⋆‖ ≤ (1 − β/(α + ‖g⁰ − g⋆‖))^k ‖g⁰ − g⋆‖ → 0, without ever reaching g⋆.",
        "“converge to” instead of “reach”",
        Proof((ALPHA, BETA, GENTLE, APART), (*NEVER, *CONVERGES)),
        weakest="β < 2α does too, and no larger β (NEC-TAB1-CAP)",
    ),
    gap=Gap("reading", "“reach” as for clipping, at some k (NEC-AC-REACH@finite)", NOT_REACHED),
)
AC_REACH_FINITE = Claim(
    id="NEC-AC-REACH@finite",
    paper=PAPER,
    place="Appendix C, last sentence, “reach” read as for clipping: at some k",
    kind="prose",
    printed=AC_REACH.printed,
    reason="Every factor is positive, so that g^k ≠ g⋆ for every k unless g⁰ = g⋆.",
    witness=NOT_REACHED,
)

THRESHOLD = clip21_threshold(f_gap, L, L_max)
_CLIPS = hypothesis("τ > 0", THRESHOLD > 0)
_FIRST = L_max * f_gap / (tau * sympy.sqrt(K + 1))
AF_1 = Claim(
    id="NEC-AF-1",
    paper=PAPER,
    place="Appendix F, first substitution",
    kind="step",
    printed="If τ = L_max/√(2L) · √(f(x⁰) − f^inf), then min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ √(2L(f(x⁰) − f^inf)/(K+1)) + "
    "√((1 + C_1√(2L)/(L_max√(f(x⁰) − f^inf))) C_2)/(K+1)^{1/2}",
    reason="Both terms are as printed, with the root over the whole fraction of the first.",
    proof=Proof(
        (SMOOTH, SMOOTH_MAX, _CLIPS),
        (
            Identity("first term", _FIRST.subs(tau, THRESHOLD), gradient_descent(f_gap, L, K),
                     (SMOOTH, SMOOTH_MAX, _CLIPS, ROUNDS)),
            Identity("second term", 1 + C_1 / THRESHOLD, 1 + C_1 * sympy.sqrt(2 * L) / (L_max * sympy.sqrt(f_gap)),
                     (SMOOTH, SMOOTH_MAX, _CLIPS)),
        ),
    ),
)  # fmt: skip
_C2 = maximum(maximum(L, L_max) * f_gap, C_1**2)
_EXCESS = C_1 * sympy.sqrt(2 * L) / (L_max * sympy.sqrt(f_gap))
_x = sympy.Symbol("x", real=True)
AF_2 = Claim(
    id="NEC-AF-2",
    paper=PAPER,
    place="Appendix F, second step",
    kind="step",
    printed="√((1 + C_1√(2L)/(L_max√(f(x⁰) − f^inf))) C_2) ≤ √(C_2 + O(max(√C_1 ⁴√(f(x⁰) − f^inf), "
    "C_1³/√(f(x⁰) − f^inf)))) [C_1 = max_{i∈[1,n]} ‖∇f_i(x⁰)‖, and C_2 = max(max(L, L_max)(f(x⁰) − f^inf)), C_1²), with one bracket "
    "too many]",
    reason="The first entry of the maximum must be C_1√(f(x⁰) − f^inf): as printed its unit is that of the other's root, and "
    "the quotient of the two sides grows without bound with f(x⁰) − f^inf. (With the root over C_2 alone the first entry is right "
    "and the second, which must then be C_1^{3/2}/⁴√(f(x⁰) − f^inf), is not.)",
    conflict=Proof(
        (),
        (
            DifferentUnit("L-free units of the two entries of the maximum",
                          sympy.sqrt(L) * sympy.sqrt(C_1) * f_gap ** sympy.Rational(1, 4),
                          L ** sympy.Rational(1, 2) * C_1**3 / sympy.sqrt(f_gap), SYMBOLS),
            Limit(
                "what must be bounded over what is printed, at L = L_max = C_1 = 1, f(x⁰) − f^inf = x → ∞",
                (sympy.sqrt(2) / sympy.sqrt(_x) * _x) / (_x ** sympy.Rational(1, 4)),
                _x, sympy.oo, sympy.oo, "-",
            ),
            Limit(
                "with the root over C_2 alone, at L = L_max = 1, C_1 = x⁴, f(x⁰) − f^inf = x¹² → 0, where the maximum is x⁵",
                (sympy.sqrt(1 + sympy.sqrt(2) / _x**2) * _x**4 - _x**4) / _x**5,
                _x, sympy.Integer(0), sympy.oo,
            ),
        ),
    ),
    repair=Repair(
        "√(C_2 + (√(2L)/L_max) max(max(L, L_max) C_1√(f(x⁰) − f^inf), C_1³/√(f(x⁰) − f^inf))).",
        "C_1√(f(x⁰) − f^inf) for √C_1 ⁴√(f(x⁰) − f^inf)",
        Proof(
            (SMOOTH, SMOOTH_MAX, _CLIPS),
            (
                obligation(
                    "C_1√(2L)/(L_max√f_gap) · C_2 is that maximum",
                    (SMOOTH, SMOOTH_MAX, definition("C_1 ≥ 0", C_1 >= 0), _CLIPS),
                    sympy.Eq(_EXCESS * _C2, sympy.sqrt(2 * L) / L_max
                             * maximum(maximum(L, L_max) * C_1 * sympy.sqrt(f_gap), C_1**3 / sympy.sqrt(f_gap))),
                ),
            ),
        ),
    ),
)  # fmt: skip


def _larger(values: Values) -> Comparison:
    """Squares of the second constants: (2D)² against (1 + C_1/τ)C_2, at L = L_max = 1 and f(x⁰) − f^inf = 1/2."""
    a, b, big_d, c_1 = (values[name] for name in ("alpha", "beta", "D", "C_1"))
    threshold = Fraction(1, 2)  # L_max/√(2L)·√(1/2)
    return Comparison((2 * big_d) ** 2, "<=", (1 + c_1 / threshold) * max(Fraction(1, 2), c_1**2), (
        ("α > β", a > b),
        ("β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L)", b == (a + big_d) / big_d),
        ("D > 0, C_1 > 0", min(big_d, c_1) > 0),
    ))  # fmt: skip


_ABOVE = hypothesis("α > β", alpha > beta)
AF_3 = Claim(
    id="NEC-AF-3",
    paper=PAPER,
    place="Appendix F; Section 4, comparison with Clip21",
    kind="prose",
    printed="the convergence bound of α-NormEC (12) has a smaller factor than that of Clip21 […] the second term […] is D/√(K+1), "
    "where D > 0 can be made arbitrarily small. In contrast, the corresponding term for Clip21 is C/√(K+1), where C > 0 may "
    "become significantly larger than D if x⁰ ∈ R^d is far from the stationary point, leading to a large value of C_1 = […]",
    reason="(12) needs D > L_max√(2(f(x⁰) − f^inf)/L), so its second constant 2D cannot be small; for clients with small "
    "first gradients Clip21's is smaller. (The term is also 2D, not D.)",
    witness=Witness(
        {"alpha": Fraction(22), "beta": Fraction(21), "D": Fraction(11, 10), "C_1": Fraction(1, 10)},
        "(2D)² ≤ (1 + C_1/τ) C_2",
        _larger,
        "L = L_max = 1, f(x⁰) − f^inf = 1/2, τ as Appendix F sets it",
    ),
    repair=Repair(
        "Where (12) holds with L_max = L its second constant 2D exceeds 2√2 √(L(f(x⁰) − f^inf)), whatever the memories.",
        "D > L_max√(2(f(x⁰) − f^inf)/L)",
        Proof(
            (ALPHA, BETA, SMOOTH, _ABOVE, ANY_D,
             hypothesis("β of (12) with L_max = L", sympy.Eq(beta, beta12(f_gap, L, L, alpha, D)))),
            (
                obligation(
                    "2D > 2√2√(L f_gap)",
                    (ALPHA, SMOOTH, _ABOVE, ANY_D,
                     hypothesis("β of (12) with L_max = L", sympy.Eq(beta, beta12(f_gap, L, L, alpha, D))),
                     GAP),
                    4 * D**2 > 8 * L * f_gap,
                ),
            ),
        ),
    ),
)  # fmt: skip
CLAIMS = (AC_EQ16, AC_CLIP, AC_PROD, AC_REACH, AC_REACH_FINITE, AF_1, AF_2, AF_3)
