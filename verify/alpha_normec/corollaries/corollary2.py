"""Corollary 2 and Appendix H: what the private bound is worth."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.theorem2 import noise_appendix
from verify.alpha_normec.lemmas.lemma3 import A_SQUARE, FRESH, INDEPENDENT, INDEPENDENTLY, START_E, VECTOR
from verify.alpha_normec.letters import (
    ALPHA,
    GAMMA,
    GAP,
    PAPER,
    RADIUS,
    RESIDUAL,
    ROOM,
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
from verify.alpha_normec.theorems.descent import BOUNDED, SMOOTH_I, START, floor
from verify.alpha_normec.theorems.theorem2 import T2_APP
from verify.citation import Cite
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.facts import definition, derived, equal, hypothesis, standard
from verify.identity import Limit
from verify.obligation import obligation
from verify.privacy.rigorous import below, log, number
from verify.privacy.tables import RESNET20
from verify.proof import Proof

noise, delta, quotient = sympy.symbols("noise Delta q", real=True)
BETA0 = hypothesis("β₀ > 0", beta_0 > 0)
GENTLE = hypothesis("α > β₀", alpha > beta_0)
DELTA = definition("Δ² = L_max(α+R)(f(x⁰) − f^inf)/R, Δ ≥ 0",
                   (delta >= 0) & equal(delta**2 * R, L_max * (alpha + R) * f_gap))  # fmt: skip
PRINTED = (
    "If σ_DP = O(√((K+1)log(1/δ))ε^{−1}), β = β₀/(K+1) with β₀ ≤ Δ ⁴√(nε²/(d log(1/δ))), and α > β₀, then Algorithm 1 […] "
    "attains the bound: min_{k∈[0,K]} E‖∇f(x^k)‖ ≤ O(Δ ⁴√(d log(1/δ)/(nε²))) + 2R, where Δ = √(L_max(α+R)(f(x⁰) − f^inf)/R) […]"
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


ENOUGH = hypothesis("β₀ = Δ/√(2s), s > 0",
                    (noise > 0) & equal(2 * noise * beta_0**2, delta**2))  # fmt: skip
FEEDBACK = hypothesis("β₀/(K+1) < α + R", beta_0 < (alpha + R) * (K + 1))
LONGEST = hypothesis("γ = β₀R/((α+R)L_max(K+1))", equal(gamma * (alpha + R) * L_max * (K + 1), beta_0 * R))
SIGMA = hypothesis("s = σ_DP/√(n(K+1)), σ_DP ≥ 0", (sigma >= 0) & equal(sigma**2, noise**2 * n * (K + 1)))
_BETA = beta_0 / (K + 1)
MEANT = (RESIDUAL, A_SQUARE)
STANDING = (SMOOTH_I, START, BOUNDED, START_E, INDEPENDENT, FRESH, VECTOR)
"""What Theorem 2 assumes of the problem, the memories and the noise; σ² is E‖z_i‖² of the whole vector."""
ROUNDS = definition("K ≥ 0, n ≥ 1", (K >= 0) & (n >= 1))


def _repaired_utility() -> Proof:
    allowed = (ALPHA, GAMMA, SMOOTH, SMOOTH_MAX, BETA0, ROOM, ENOUGH, SIGMA, FEEDBACK, LONGEST)
    conditions = (
        obligation("Theorem 2's conditions hold: β < α + R", (*allowed, ROUNDS), _BETA < alpha + R),
        obligation("and γ ≤ βR/((α+R)L_max)", (*allowed, ROUNDS), gamma <= _BETA * R / (alpha + R) / L_max),
    )
    shown = (node.conclusion for node in conditions)
    theorem2 = Cite(T2_APP, (ALPHA, GAMMA, SMOOTH, SMOOTH_MAX, BETA0, *STANDING, *shown, SIGMA, ROUNDS, *MEANT),
                    at=((beta, _BETA),), repaired=True)  # fmt: skip
    first = obligation(
        "(f(x⁰) − f^inf)/(γ(K+1)) = Δ²/β₀",
        (GAMMA, ALPHA, BETA0, ROOM, SMOOTH_MAX, LONGEST, DELTA, GAP, ROUNDS),
        equal(f_gap / (gamma * (K + 1)), delta**2 / beta_0),
    )
    quiet = obligation(
        "√(β²(K+1)σ²/n) = β₀s",
        (BETA0, SIGMA, ENOUGH, ROUNDS),
        equal(noise_appendix(_BETA, K, sigma, n), beta_0 * noise),
    )
    best = obligation(
        "Δ²/β₀ + 2β₀s = 2√2 Δ√s",
        (BETA0, DELTA, ENOUGH),
        equal(delta**2 / beta_0 + 2 * beta_0 * noise, sympy.sqrt(8 * noise) * delta),
    )
    one, two, three = (t.conclusion.relation for t in (first, quiet, best))
    u, v, total = sympy.symbols("first quiet best", real=True)
    names = definition("letters for the three quantities",
                       equal(u, one.lhs) & equal(v, two.lhs) & equal(total, three.rhs))  # fmt: skip
    stated = floor <= u + 2 * R + 2 * v + L * gamma / 2
    short = obligation("Theorem 2 in these letters", (theorem2.conclusion, names, GAMMA, ROUNDS), stated)
    sums = obligation("the letters add up", (first.conclusion, quiet.conclusion, best.conclusion, names, GAMMA, BETA0, ROUNDS),
                      equal(u + 2 * v, total))  # fmt: skip
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
                    definition("its meaning", equal(total, three.rhs)),
                    ENOUGH,
                ),
                floor <= sympy.sqrt(8 * noise) * delta + 2 * R + L * gamma / 2,
            ),
        ),
    )


MULTIPLE = definition("M, Δ ≥ 0", (s >= 0) & (delta >= 0))
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
        "f(x) = x²/2, x⁰ = 1, n with d log(1/δ)/(nε²) = q⁴, any noise; for every other M take n larger",
        universal=Proof(
            (),
            (Limit("for every M the printed bound falls to 2R as n grows",
                   s * delta * quotient + 2 * R,
                   quotient, sympy.Integer(0), 2 * R, given=(RADIUS, MULTIPLE)),),
        ),
    ),
    repair=Repair(
        "With β₀ = Δ/√(2s), s = √(E‖z_i‖²/(n(K+1))) > 0, β₀ < (α+R)(K+1) and the longest step: "
        "min_k E‖∇f(x^k)‖ ≤ 2√2 Δ√s + 2R + Lβ₀R/(2(α+R)L_max(K+1)). No bound on β₀ by α.",
        f"β₀ = Δ/√(2s), s > 0, instead of ≤, β₀ < (α+R)(K+1) instead of β₀ < α; γ at its limit; {INDEPENDENTLY}",
        _repaired_utility(),
        weakest="β₀ = Δ/√(2s) minimises Δ²/β₀ + 2β₀s; κ times it costs the factor (κ + 1/κ)/2, so that any β₀ of that order, from "
        "both sides, keeps the order; β₀ ≤ (√α + √R)²(K+1) is enough (NEC-OUR-T2-WIDE, with a noise term that is no larger); keeping "
        "α > β₀ makes the bound void (NEC-OUR-C2-VOID)",
    ),
    consequence="The repaired bound in ε, δ, n and d: NEC-OUR-C2; from zero memories: NEC-OUR-C2-FORGETS.",
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
        (ALPHA, BETA0, ROOM, SMOOTH_MAX, GENTLE),
        (
            obligation(
                "(Δ²/β₀ + 2R)² > 8L_max(f(x⁰) − f^inf)",
                (ALPHA, BETA0, ROOM, SMOOTH_MAX, GENTLE, DELTA, GAP,
                 definition("q = Δ²/β₀", equal(quotient * beta_0, delta**2))),
                (quotient + 2 * R) ** 2 > 8 * L_max * f_gap,
            ),
            obligation(
                "which is at least (2‖∇f(x⁰)‖)²",
                (KNOWN,),
                (2 * first_gradient) ** 2 <= 8 * L_max * f_gap,
            ),
        ),
    ),
    consequence="Corollary 2 is void with β₀ = Δ/q (NEC-C2-UTIL@equality), and with a much smaller β₀ false where its right side is "
    "below ‖∇f(x⁰)‖ (NEC-C2-UTIL). Use the repaired one, with β₀ above α.",
)  # fmt: skip

BEST = standard(
    "the minimum is over k = 0 too: min E‖∇f‖ ≤ ‖∇f(x⁰)‖", (first_gradient >= 0) & (floor <= first_gradient)
)
QUOTIENT = hypothesis("q = ⁴√(d log(1/δ)/(nε²)) > 0", quotient > 0)
EQUAL = hypothesis("β₀ = Δ/q", equal(beta_0 * quotient, delta))
UTIL_EQUAL = Claim(
    id="NEC-C2-UTIL@equality",
    paper=PAPER,
    place="Corollary 2 read with β₀ = …",
    kind="corollary",
    printed=PRINTED.replace("β₀ ≤ Δ", "β₀ [≤, read as] = Δ"),
    reason="True with constant 1, for every γ, every noise and every K, since with α > β₀ the right side exceeds 2‖∇f(x⁰)‖: k = 0 "
    "is enough, nothing has to be run.",
    proof=Proof(
        (ALPHA, BETA0, ROOM, SMOOTH_MAX, GENTLE, EQUAL, QUOTIENT),
        (
            obligation("Δq ≥ L_max(f(x⁰) − f^inf)/R", (ALPHA, BETA0, ROOM, SMOOTH_MAX, GENTLE, EQUAL, DELTA, QUOTIENT, GAP),
                       delta * quotient * R >= L_max * f_gap),
            obligation("min E‖∇f‖ ≤ ‖∇f(x⁰)‖ ≤ (Δq + 2R)/2",
                       (ROOM, SMOOTH_MAX, KNOWN, BEST, GAP, DELTA, QUOTIENT,
                        derived("Δq ≥ L_max(f(x⁰) − f^inf)/R", delta * quotient * R >= L_max * f_gap)),
                       2 * floor <= delta * quotient + 2 * R),
        ),
    ),
    consequence="With β₀ equal to its limit, as the proof has it, the bound holds and is void (NEC-OUR-C2-VOID).",
)  # fmt: skip

_SIZES = {"n": 10, "ε": 8, "log₁₀(1/δ)": 5, "d": RESNET20}
"""I.1, 6.2 and ResNet-20's coordinates."""
_TIMES, _OVER = Fraction(834, 100), sympy.Rational(589, 100)
_AT_LEAST = sympy.Rational(_TIMES.numerator, _TIMES.denominator)
_size = sympy.Symbol("d log(1/δ)/(nε²)", real=True)


def _paper_size() -> Comparison:
    """A lower bound of d log(1/δ)/(nε²) against 8.34⁴."""
    clients, epsilon, tens, dimension = _SIZES.values()
    least = below(log(number(Fraction(10**tens)))) * dimension / (clients * epsilon**2)
    return Comparison(least, ">", _TIMES**4)


_LARGE = derived("d log(1/δ)/(nε²) > 8.34⁴", _size > _AT_LEAST**4)
_FOURTH = definition("q = ⁴√(d log(1/δ)/(nε²))", (quotient > 0) & equal(quotient**4, _size))
SIZE = Claim(
    id="NEC-OUR-C2-SIZE",
    paper=PAPER,
    place="ours: Corollary 2 at the size of the experiments",
    kind="ours",
    printed=f"With n = 10, ε = 8, δ = 10⁻⁵ and d = {RESNET20:,}, q = ⁴√(d log(1/δ)/(nε²)) exceeds 8.34. So Δq + 2R, Corollary 2's "
    "bound with 1 for the constant of O(·), is at least 8.34 √(L_max(f(x⁰) − f^inf)), which is at least 5.89 ‖∇f(x⁰)‖, on every "
    "problem and for all α, β, γ, K and g_i⁰.",
    reason="Δ contains (α + R)/R > 1, so that the bound exceeds 5.89 ‖∇f(x⁰)‖, and what is bounded is at most ‖∇f(x⁰)‖ before "
    "anything is run.",
    proof=Proof(
        (ALPHA, ROOM, SMOOTH_MAX),
        (
            Computation(_LARGE.name, "accounting", _paper_size, concludes=_LARGE),
            _above := obligation("q > 8.34", (_FOURTH, _LARGE), quotient > _AT_LEAST),
            _root := obligation("Δ ≥ √(L_max(f(x⁰) − f^inf))", (ALPHA, ROOM, SMOOTH_MAX, DELTA, GAP),
                                delta >= sympy.sqrt(L_max * f_gap)),
            _total := obligation("Δq + 2R ≥ 8.34 √(L_max(f(x⁰) − f^inf))",
                                 (ROOM, SMOOTH_MAX, GAP, _above.conclusion, _root.conclusion),
                                 delta * quotient + 2 * R >= _AT_LEAST * sympy.sqrt(L_max * f_gap)),
            obligation("≥ 5.89 ‖∇f(x⁰)‖", (KNOWN, SMOOTH_MAX, GAP, _total.conclusion),
                       delta * quotient + 2 * R >= _OVER * first_gradient),
        ),
    ),
    consequence="At this size the corollary says nothing even where its O(·) hides no constant.",
)  # fmt: skip

CLAIMS = (UTIL, UTIL_EQUAL, VOID, SIZE)
