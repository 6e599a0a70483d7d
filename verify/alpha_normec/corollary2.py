"""Corollary 2 and Appendix H: what the private bound is worth."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.corollary2 import delta_factor, longest_step, utility_of
from bounds.alpha_normec.theorem2 import noise_appendix, theorem2_appendix
from verify.alpha_normec.descent import BOUNDED, SMOOTH_I, START, floor
from verify.alpha_normec.letters import (
    ALPHA,
    GAMMA,
    LETTERS,
    PAPER,
    RESIDUAL,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L,
    L_max,
    R,
    alpha,
    beta,
    beta_0,
    f_gap,
    gamma,
    n,
    s,
    sigma,
)
from verify.alpha_normec.noise import A_SQUARE, FRESH, INDEPENDENT, START_E, T2_APP, VECTOR
from verify.citation import Cite
from verify.claim import Claim, Repair, Values, Witness
from verify.exact import Quadratic, alpha_normec
from verify.facts import definition, hypothesis, standard
from verify.obligation import obligation
from verify.proof import Comparison, Identity, Limit, Proof

noise, delta, quotient = sympy.symbols("noise Delta q", real=True)
BETA0 = hypothesis("β₀ > 0", beta_0 > 0)
RADIUS = hypothesis("R > 0", R > 0)
GENTLE = hypothesis("α > β₀", alpha > beta_0)
GAP = definition("f(x⁰) > f^inf", f_gap > 0)
DELTA = definition("Δ² = L_max(α+R)(f(x⁰) − f^inf)/R, Δ ≥ 0",
                   (delta >= 0) & sympy.Eq(delta**2 * R, L_max * (alpha + R) * f_gap))  # fmt: skip
PRINTED = (
    "If σ_DP = O(√((K+1)log(1/δ))ε^{−1}), β = β₀/(K+1) with β₀ ≤ Δ ⁴√(nε²/(d log(1/δ))), and α > β₀, then Algorithm 1 […] "
    "attains the bound: min_k E‖∇f(x^k)‖ ≤ O(Δ ⁴√(d log(1/δ)/(nε²))) + 2R, where Δ = √(L_max(α+R)(f(x⁰) − f^inf)/R)."
)


def _stays(values: Values) -> Comparison:
    """f(x) = x²/2 from x⁰ = 1: the path is at most (K+1)γ long whatever the noise, so |∇f(x^k)| ≥ 1 − (K+1)γ.

    The printed right side with the constant M for O(·): MΔq + 2R, with q⁴ = d log(1/δ)/(nε²) made small by n. Δ² = 1/7·… is
    bounded above by a rational.
    """
    a, b0, g, radius, rounds, q, m, top = (
        values[name] for name in ("alpha", "beta_0", "gamma", "R", "K+1", "q", "M", "Delta_above")
    )
    f = Quadratic(Fraction(1))
    quiet = alpha_normec([f.gradient], Fraction(1), [1 - radius], a, b0 / rounds, g, int(rounds))
    least = min(abs(f.gradient(x)) for x in quiet.x)
    return Comparison(1 - rounds * g, "<=", m * top * q + 2 * radius, (
        ("β = β₀/(K+1) and α > β₀ > 0", a > b0 > 0),
        ("β₀ ≤ Δ/q", b0 * q <= Fraction(1, 2)),
        ("γ ≤ βR/((α+R)L_max)", g <= b0 / rounds * radius / (a + radius)),
        ("Δ² = (α+R)/(2R) and Δ lies in [1/2, Delta_above]", Fraction(1, 4) <= (a + radius) / (2 * radius) <= top**2),
        ("a run without noise agrees", least >= 1 - rounds * g),
    ))  # fmt: skip


ENOUGH = hypothesis("β₀ = Δ/√(2s), s = √d σ_DP/√(n(K+1))",
                    (noise > 0) & sympy.Eq(2 * noise * beta_0**2, delta**2))  # fmt: skip
FEEDBACK = hypothesis("β₀/(K+1) < α + R", beta_0 < (alpha + R) * (K + 1))
LONGEST = hypothesis("γ = β₀R/((α+R)L_max(K+1))", sympy.Eq(gamma * (alpha + R) * L_max * (K + 1), beta_0 * R))
SIGMA = definition(
    "σ² = E‖z_i‖² and s = σ/√(n(K+1))", (sigma >= 0) & sympy.Eq(sigma**2, noise**2 * n * (K + 1))
)
_BETA = beta_0 / (K + 1)
MEANT = (RESIDUAL, A_SQUARE)
STANDING = (SMOOTH_I, START, BOUNDED, START_E, INDEPENDENT, FRESH, VECTOR)
"""What Theorem 2 assumes of the problem, the memories and the noise; σ² is E‖z_i‖² of the whole vector."""
ROUNDS = definition("K ≥ 0, n ≥ 1", (K >= 0) & (n >= 1))


def _repaired_utility() -> Proof:
    allowed = (ALPHA, GAMMA, SMOOTH, SMOOTH_MAX, BETA0, RADIUS, ENOUGH, FEEDBACK, LONGEST)
    conditions = (
        obligation("Theorem 2's conditions hold: β < α + R", (*allowed, ROUNDS), _BETA < alpha + R),
        obligation("and γ ≤ βR/((α+R)L_max)", (*allowed, ROUNDS), gamma <= _BETA * R / (alpha + R) / L_max),
    )
    shown = (node.conclusion for node in conditions)
    theorem2 = Cite(T2_APP, (ALPHA, GAMMA, SMOOTH, SMOOTH_MAX, BETA0, *STANDING, *shown, SIGMA, ROUNDS, *MEANT),
                    at=((beta, _BETA),), repaired=True)  # fmt: skip
    first = obligation(
        "(f(x⁰) − f^inf)/(γ(K+1)) = Δ²/β₀",
        (GAMMA, ALPHA, BETA0, RADIUS, SMOOTH_MAX, LONGEST, DELTA, GAP, ROUNDS),
        sympy.Eq(f_gap / (gamma * (K + 1)), delta**2 / beta_0),
    )
    quiet = obligation(
        "√(β²(K+1)σ²/n) = β₀s",
        (BETA0, SIGMA, ENOUGH, ROUNDS),
        sympy.Eq(noise_appendix(_BETA, K, sigma, n), beta_0 * noise),
    )
    best = obligation(
        "Δ²/β₀ + 2β₀s = 2√2 Δ√s",
        (BETA0, DELTA, ENOUGH),
        sympy.Eq(delta**2 / beta_0 + 2 * beta_0 * noise, sympy.sqrt(8 * noise) * delta),
    )
    one, two, three = (t.conclusion.relation for t in (first, quiet, best))
    u, v, total = sympy.symbols("first quiet best", real=True)
    names = definition("letters for the three quantities",
                       sympy.Eq(u, one.lhs) & sympy.Eq(v, two.lhs) & sympy.Eq(total, three.rhs))  # fmt: skip
    stated = floor <= u + 2 * R + 2 * v + L * gamma / 2
    short = obligation("Theorem 2 in these letters", (theorem2.conclusion, names, GAMMA, ROUNDS), stated)
    sums = obligation("the letters add up", (first.conclusion, quiet.conclusion, best.conclusion, names, GAMMA, BETA0, ROUNDS),
                      sympy.Eq(u + 2 * v, total))  # fmt: skip
    return Proof(
        (*allowed, *STANDING),
        (
            *conditions,
            theorem2,
            first,
            quiet,
            best,
            short,
            sums,
            obligation(
                "min E‖∇f‖ ≤ 2√2 Δ√s + 2R + Lγ/2",
                (
                    short.conclusion,
                    sums.conclusion,
                    definition("its meaning", sympy.Eq(total, three.rhs)),
                    ENOUGH,
                ),
                floor <= sympy.sqrt(8 * noise) * delta + 2 * R + L * gamma / 2,
            ),
        ),
    )


UTIL = Claim(
    id="NEC-C2-UTIL",
    paper=PAPER,
    place="Corollary 2, Section 5",
    kind="corollary",
    printed=PRINTED,
    reason="“β₀ ≤ …” allows β₀ → 0, which bounds the whole path by β₀R/((α+R)L_max): x stays, while the bound falls with n.",
    witness=Witness(
        {"alpha": Fraction(1), "beta_0": Fraction(1, 2), "gamma": Fraction(1, 1000), "R": Fraction(1, 10), "K+1": Fraction(8),
         "q": Fraction(1, 10**6), "M": Fraction(1000), "Delta_above": Fraction(5, 2)},
        "1 − (K+1)γ ≤ min_k E‖∇f(x^k)‖ ≤ MΔq + 2R for the constant M = 1000 of O(·)",
        _stays,
        "f(x) = x²/2, n with d log(1/δ)/(nε²) = q⁴, any noise; for every other M take n larger",
        universal=Proof(
            (),
            (Limit("for every M the printed bound falls to 2R as n grows",
                   s * delta * quotient + 2 * R,
                   quotient, sympy.Integer(0), 2 * R),),
        ),
    ),
    repair=Repair(
        "With β₀ = Δ/√(2s), s = √(E‖z_i‖²/(n(K+1))), β₀ < (α+R)(K+1) and the longest step: "
        "min_k E‖∇f(x^k)‖ ≤ 2√2 Δ√s + 2R + Lβ₀R/(2(α+R)L_max(K+1)). No bound on β₀ by α.",
        "β₀ = Δ/√(2s) instead of ≤, β₀ < (α+R)(K+1) instead of β₀ < α",
        _repaired_utility(),
        weakest="β₀ = Δ/√(2s) minimises Δ²/β₀ + 2β₀s; keeping α > β₀ makes the bound void (NEC-OUR-C2-VOID)",
    ),
)  # fmt: skip
first_gradient = sympy.Symbol("grad0", real=True)
KNOWN = standard("f, a mean of L_max-smooth functions, is L_max-smooth: ‖∇f(x⁰)‖² ≤ 2L_max(f(x⁰) − f^inf)",
                 first_gradient**2 <= 2 * L_max * f_gap)  # fmt: skip
VOID = Claim(
    id="NEC-OUR-C2-VOID",
    paper=PAPER,
    place="ours: what Corollary 2's hypotheses leave",
    kind="ours",
    printed="Under α > β₀ (as Corollary 2 asks) the bound Δ²/β₀ + 2R that it rests on exceeds 2√(2L_max(f(x⁰) − f^inf)): twice "
    "what is known of ‖∇f(x⁰)‖ before the first round, for every n, ε, δ, d and K.",
    reason="β₀ < α gives Δ²/β₀ > L_max(f(x⁰) − f^inf)/R: the whole path is shorter than R/L_max.",
    proof=Proof(
        (ALPHA, BETA0, RADIUS, SMOOTH_MAX, GENTLE),
        (
            obligation(
                "(Δ²/β₀ + 2R)² > 8L_max(f(x⁰) − f^inf)",
                (ALPHA, BETA0, RADIUS, SMOOTH_MAX, GENTLE, DELTA, GAP,
                 definition("q = Δ²/β₀", sympy.Eq(quotient * beta_0, delta**2))),
                (quotient + 2 * R) ** 2 > 8 * L_max * f_gap,
            ),
            obligation(
                "which is at least (2‖∇f(x⁰)‖)²",
                (KNOWN,),
                (2 * first_gradient) ** 2 <= 8 * L_max * f_gap,
            ),
        ),
    ),
    consequence="Corollary 2 as printed never beats doing nothing. Use the repaired one, with β₀ above α.",
)  # fmt: skip


def _grows(values: Values) -> Comparison:
    """Δq + 2R at α = 1, L_max = 1, f(x⁰) − f^inf = 1/2, for a small and a large R with rational Δ."""
    small, large, q = values["R_small"], values["R_large"], values["q"]

    def bound(radius: Fraction, root: Fraction) -> Fraction:
        return root * q + 2 * radius

    d_small, d_large = values["Delta_small"], values["Delta_large"]
    return Comparison(bound(small, d_small), "<=", bound(large, d_large), (
        ("Δ² = (1+R)/(2R) at the small R", d_small**2 == (1 + small) / (2 * small)),
        ("Δ² = (1+R)/(2R) at the large R", d_large**2 == (1 + large) / (2 * large)),
        ("R falls", small < large),
    ))  # fmt: skip


R0 = Claim(
    id="NEC-C2-R0",
    paper=PAPER,
    place="after Corollary 2, Section 5",
    kind="prose",
    printed="As R is sufficiently small (R → 0), α-NormEC achieves the utility bound of O(Δ ⁴√(d log(1/δ)/(nε²))).",
    reason="Δ contains 1/√R: the bound grows without limit as R → 0 instead of losing its 2R.",
    witness=Witness(
        {"R_small": Fraction(1, 4999), "R_large": Fraction(1, 7), "Delta_small": Fraction(50), "Delta_large": Fraction(2),
         "q": Fraction(1, 10)},
        "Δq + 2R at R = 1/4999 is at most that at R = 1/7",
        _grows,
        "α = L_max = 1, f(x⁰) − f^inf = 1/2",
        universal=Proof((), (Limit("Δ → ∞ as R → 0", delta_factor(L_max, alpha, R, f_gap), R, sympy.Integer(0), sympy.oo),)),
    ),
    repair=Repair(
        "For given noise there is a best R > 0: Δ²/β₀ + 2R is least at R = √(L_max α f_gap/(2β₀)).",
        "R of that size instead of R → 0",
        Proof(
            (ALPHA, BETA0, RADIUS, SMOOTH_MAX),
            (
                obligation(
                    "Δ²/β₀ + 2R ≥ L_max f_gap/β₀ + 2√(2αL_max f_gap/β₀)",
                    (ALPHA, BETA0, RADIUS, SMOOTH_MAX, GAP, definition("s = √(2αL_max f_gap/β₀)",
                     (s >= 0) & sympy.Eq(s**2 * beta_0, 2 * alpha * L_max * f_gap)),
                     definition("q = Δ²/β₀", sympy.Eq(quotient * beta_0 * R, L_max * (alpha + R) * f_gap))),
                    quotient + 2 * R >= L_max * f_gap / beta_0 + 2 * s,
                ),
            ),
        ),
    ),
)  # fmt: skip
AH_PRINTED = (
    "Let σ_DP = O(√((K+1)log(1/δ))/ε), and β = β₀/(K+1) with 0 < β₀ < α + R. Then, from Theorem 2, we get "
    "γ ≤ β₀R/(α+R) · 1/L_max · 1/(K+1) […], and min E‖∇f(x^k)‖ ≤ L_max(α+R)(f(x⁰) − f^inf)/(β₀R) + 2R + "
    "O(β₀√log(1/δ)/(√n ε)) + Lβ₀R/(2(α+R)L_max) · 1/(K+1)."
)


def _short(values: Values) -> Comparison:
    """The first term (f(x⁰) − f^inf)/(γ(K+1)) at a γ below its limit against the printed L_max(α+R)(f(x⁰) − f^inf)/(β₀R)."""
    a, b0, g, radius, rounds = (values[name] for name in ("alpha", "beta_0", "gamma", "R", "K+1"))
    return Comparison(Fraction(1, 2) / (g * rounds), "<=", (a + radius) / (2 * b0 * radius), (
        ("0 < β₀ < α + R", 0 < b0 < a + radius),
        ("γ ≤ β₀R/((α+R)L_max(K+1))", g <= b0 * radius / (a + radius) / rounds),
    ))  # fmt: skip


AH_S1 = Claim(
    id="NEC-AH-S1",
    paper=PAPER,
    place="Appendix H, first display",
    kind="step",
    printed=AH_PRINTED,
    reason="The display belongs to the longest step; for γ below it the first term of Theorem 2 is larger.",
    witness=Witness(
        {"alpha": Fraction(1), "beta_0": Fraction(1), "gamma": Fraction(1, 100), "R": Fraction(1), "K+1": Fraction(2)},
        "(f(x⁰) − f^inf)/(γ(K+1)) ≤ L_max(α+R)(f(x⁰) − f^inf)/(β₀R)",
        _short,
        "L_max = 1, f(x⁰) − f^inf = 1/2",
    ),
    repair=Repair(
        "The display with γ = β₀R/((α+R)L_max(K+1)), and √d in the noise term where σ_DP is per coordinate.",
        "γ at its limit",
        Proof(
            (),
            (
                Identity(
                    "Theorem 2 at β = β₀/(K+1), σ² = s²n(K+1) and the longest step",
                    theorem2_appendix(f_gap, longest_step(beta_0, K, alpha, R, L_max), K, R, L, _BETA,
                                      noise * sympy.sqrt(n * (K + 1)), n),
                    utility_of(f_gap, L, L_max, alpha, R, beta_0, K, noise),
                    positive=(f_gap, K, R, L, L_max, alpha, beta_0, n, noise),
                ),
            ),
        ),
    ),
)  # fmt: skip


def _small_beta(values: Values) -> Comparison:
    """Δ²/β₀ at β₀ = Δ/(10q) ≤ Δ/q against Δq: as printed, with constant 1."""
    delta_, q, b0 = values["Delta"], values["q"], values["beta_0"]
    return Comparison(
        delta_**2 / b0, "<=", delta_ * q, (("β₀ ≤ Δ/q", b0 <= delta_ / q), ("α > β₀", values["alpha"] > b0))
    )


AH_S2 = Claim(
    id="NEC-AH-S2",
    paper=PAPER,
    place="Appendix H, second display",
    kind="step",
    printed="If β₀ ≤ √(L_max(α+R)(f(x⁰) − f^inf)/R) · ⁴√n √ε/(⁴√d ⁴√log(1/δ)) and α > β₀, then min E‖∇f(x^k)‖ ≤ 2R + "
    "O(√(L_max(α+R)(f(x⁰) − f^inf)/R) · ⁴√d ⁴√log(1/δ)/(⁴√n √ε)) + O(1/(K+1)).",
    reason="The first term Δ²/β₀ falls with β₀, so “≤” bounds it from below, not from above.",
    witness=Witness(
        {"Delta": Fraction(1), "q": Fraction(1, 10), "beta_0": Fraction(1), "alpha": Fraction(2)},
        "Δ²/β₀ ≤ Δq",
        _small_beta,
        "β₀ = 1 ≤ Δ/q = 10: the first term is 1, the printed bound 1/10 times a constant; as β₀ → 0 no constant will do",
        universal=Proof(
            (), (Limit("Δ²/β₀ → ∞ as β₀ → 0", delta**2 / beta_0, beta_0, sympy.Integer(0), sympy.oo),)
        ),
    ),
    repair=Repair(
        "With β₀ = Δ/q: Δ²/β₀ = Δq; with β₀ ≥ Δ/q it is at most that.",
        "β₀ ≥ Δ/q for the first term, = for the sum",
        Proof(
            (BETA0, hypothesis("β₀ ≥ Δ/q", beta_0 * quotient >= delta)),
            (
                obligation(
                    "Δ²/β₀ ≤ Δq",
                    (
                        BETA0,
                        hypothesis("β₀ ≥ Δ/q", beta_0 * quotient >= delta),
                        definition("Δ ≥ 0", delta >= 0),
                    ),
                    delta**2 / beta_0 <= delta * quotient,
                ),
            ),
        ),
    ),
)
AH_S3 = Claim(
    id="NEC-AH-S3",
    paper=PAPER,
    place="Appendix H, where d comes from",
    kind="step",
    printed="[from the noise term O(β₀√log(1/δ)/(√n ε)) of the first display, without d, to β₀ and the bound of the second, with ⁴√d]",
    reason="The first display has no d, the second has: they agree only for d = 1, or with √d in the noise term "
    "(σ_DP per coordinate), which Theorem 2 as printed does not have.",
    conflict=Proof(
        (),
        (
            Limit(
                "second display's bound over the best that the first allows, as d → ∞",
                (delta * quotient * LETTERS["d"] ** sympy.Rational(1, 4)) / (delta * quotient),
                LETTERS["d"], sympy.oo, sympy.oo, "-",
            ),
        ),
    ),
    repair=Repair(
        "With noise of standard deviation σ_DP per coordinate the noise term is β₀√(d log(1/δ))/(√n ε) and the best β₀ is "
        "the printed one, up to constants.",
        "√d in the noise term",
        Proof(
            (BETA0,),
            (
                obligation(
                    "a/β₀ + bβ₀ ≥ 2√(ab)",
                    (BETA0, definition("a, b > 0, s = √(ab)",
                     (delta > 0) & (noise > 0) & (s >= 0) & sympy.Eq(s**2, delta * noise))),
                    delta / beta_0 + noise * beta_0 >= 2 * s,
                ),
            ),
        ),
    ),
)  # fmt: skip
CLAIMS = (UTIL, VOID, R0, AH_S1, AH_S2, AH_S3)
