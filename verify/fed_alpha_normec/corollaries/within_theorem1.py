"""The rate after Corollary 1 within all conditions of Theorem 1: that on ηγ, which Corollary 1's choices break, costs it.

At T = p = 1 ηγ(K+1) ≤ κ := Δ^inf/(4L√(2L)) and η ≤ γ/2 · βR/(α+R) make first²βR(K+1) at least 18α(f(x⁰) − f^inf)²/κ, so that the
first term, 2R and the noise term, which has β√(K+1) as a factor, cannot all fall faster than (K+1)^(−1/8) at a fixed α.
"""

from __future__ import annotations

from fractions import Fraction

from bounds.fed_alpha_normec import theorem1 as printed
from verify.claim import Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.corollaries import rates as ra
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
    GAP,
    RADIUS,
    ROUNDS,
    SMOOTH,
    SPREAD,
    F,
    K,
    M,
    R,
    alpha,
    beta,
    claim,
    eta,
    gamma,
    sigma,
    values,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.text.limits import FIRST, KAPPA, ROOM, first, kappa
from verify.fractions_check import exact_root
from verify.obligation import obligation
from verify.proof import Proof

double, third, root, level = letters("double third root level")
_ROOT = definition(
    "root = √(K+1), level = √(2σ_DP²/M)",
    (root >= 0) & equal(root**2, K + 1) & (level >= 0) & equal(level**2 * M, 2 * sigma**2),
)
_TERMS = definition(
    "double = 2R, third = 2√(β²B(K+1)/M), B = 2σ_DP² at p = 1",
    equal(double, 2 * R) & equal(third, 2 * beta * level * root),
)
_DOMAIN = (ALPHA, BETA, GAMMA, ETA, RADIUS, SMOOTH, SPREAD, ro.HALF_STEP, ro.PRINTED_ROUNDS)
_SLOPE = obligation(
    "first ≥ 3γ(f(x⁰) − f^inf)/κ",
    (ETA, GAMMA, GAP, ROUNDS, KAPPA, FIRST, ROOM.conclusion),
    first * kappa >= 3 * gamma * F,
)
_SHORT = obligation(
    "2ηα ≤ γβR", (ALPHA, BETA, GAMMA, ETA, RADIUS, ro.HALF_STEP), 2 * eta * alpha <= gamma * beta * R
)
_LONG = obligation(
    "first · (K+1)γβR ≥ 6α(f(x⁰) − f^inf)",
    (ALPHA, ETA, GAP, ROUNDS, FIRST, _SHORT.conclusion),
    first * (K + 1) * gamma * beta * R >= 6 * alpha * F,
)
_PRODUCT = obligation(
    "first²βR(K+1)κ ≥ 18α(f(x⁰) − f^inf)²",
    (ALPHA, BETA, GAMMA, ETA, RADIUS, GAP, ROUNDS, KAPPA, FIRST, _SLOPE.conclusion, _LONG.conclusion),
    first**2 * beta * R * (K + 1) * kappa >= 18 * alpha * F**2,
)
_ALL = obligation(
    "first² · 2R · third · κ√(K+1) ≥ 72α(f(x⁰) − f^inf)²√(2σ_DP²/M)",
    (KAPPA, ROUNDS, CLIENTS, _ROOT, _TERMS, _PRODUCT.conclusion),
    first**2 * double * third * kappa * root >= 72 * alpha * F**2 * level,
)
_SIGNS = obligation(
    "first, 2R, third ≥ 0",
    (BETA, ETA, RADIUS, GAP, ROUNDS, FIRST, _ROOT, _TERMS),
    (first >= 0) & (double >= 0) & (third >= 0),
)
_PAIR = obligation(
    "(2R + third)² ≥ 4 · 2R · third", (_SIGNS.conclusion,), (double + third) ** 2 >= 4 * double * third
)
_MEANS = obligation(
    "(first + 2R + third)⁴ ≥ 64 first² · 2R · third",
    (_SIGNS.conclusion, _PAIR.conclusion),
    (first + double + third) ** 4 >= 64 * first**2 * double * third,
)
_SLOW = obligation(
    "(first + 2R + third)⁴ κ√(K+1) ≥ 4608α(f(x⁰) − f^inf)²√(2σ_DP²/M)",
    (KAPPA, _ROOT, _ALL.conclusion, _MEANS.conclusion),
    (first + double + third) ** 4 * kappa * root >= 4608 * alpha * F**2 * level,
)
LOWER = Proof(
    (*_DOMAIN, hypothesis("σ_DP ≥ 0", sigma >= 0)),
    (ROOM, _SLOPE, _SHORT, _LONG, _PRODUCT, _ALL, _SIGNS, _PAIR, _MEANS, _SLOW),
)


def _bound(v: Values) -> Comparison:
    """Two clients (x ∓ 2)²/4, x⁰ = 2: f(x⁰) − f^inf = Δ^inf = 1, L = 1/2. The bound of Section 4 at T = p = 1, σ_DP = 1, M = 2, with
    the longest η, against q(K+1)^(−1/6)."""
    a, b, R_, g, n = v["alpha"], v["beta"], v["R"], v["gamma"], v["K"] + 1
    one = Fraction(1)
    step = min(g / 2 * b * R_ / (a + R_), one / 2 / n / g)
    quiet = printed.theorem1_main(
        f_gap=one,
        K=v["K"],
        eta=step,
        R=R_,
        beta=b,
        M=2 * one,
        p=one,
        sigma=0 * one,
        gamma=g,
        T=1,
        L=one / 2,
        Delta=one,
    )
    given = {"alpha": a, "beta": b, "R": R_, "gamma": g, "eta": step, "K": v["K"], "L": one / 2, "Delta": one}
    return Comparison(
        quiet + 2 * b * exact_root(n, 2), "<=", v["q"] / exact_root(n, 6), conditions.met(printed.MAIN, given)
    )


_SENTENCE = (
    "Furthermore, if we assume full client participation, i.e. p = 1, then Fed-α-NormEC achieves the same O(1/(K+1)^{1/6}) "
    "convergence rate as α-NormEC in the full participation and private setting, where σ_DP is a constant."
)
CLAIMS = (
    claim(
        "FED-C1-RATE@theorem1",
        "Section 4, after Corollary 1, within all conditions of Theorem 1, f^inf and f_i^inf the infima",
        "prose",
        f"{_SENTENCE} [the rate of Theorem 1's bound at a fixed α, its condition on ηγ met for every K]",
        "Theorem 1's condition on ηγ, which Corollary 1 takes over and its choices break from some K on (FED-C1-APP@rounds), forbids "
        "it: for all parameters that it allows the bound's fourth power is at least 4608α(f(x⁰)−f^inf)²√(2σ_DP²/M)/(κ√(K+1)), κ = "
        "Δ^inf/(4L√(2L)), so that the rate is (K+1)^(−1/8) at best.",
        witness=Witness(
            values(
                alpha=1, beta="11/50000000000000000000", R="11/50000", gamma="29/200000", K=10**30 - 1, q=100
            ),
            "for some allowed parameters the bound is at most q(K+1)^(−1/6)",
            _bound,
            "two clients, (x ∓ 2)²/4, from x⁰ = 2: f(x⁰)−f^inf = Δ^inf = 1, L = 1/2, σ_DP = α = 1, K + 1 = 10³⁰, R, β and γ near "
            "their best and η the longest; for every other q the same with a larger K",
            LOWER,
        ),
        repair=Repair(
            "For T = 1 the condition is not needed: F.4's bound holds without it, at the rate (K+1)^(−1/6) (FED-C1-RATE).",
            "no condition on ηγ; β/(α+R) < 1 for the K in question; E‖z‖² = σ_DP²",
            ra.COROLLARY1_GRANTED,
        ),
        consequence="Leave the condition on ηγ out where T = 1 (FED-R1-SHARP).",
    ),
)
