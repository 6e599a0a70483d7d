"""F.2 and G.2 where the expectation is taken: the error of v̂ from Lemma 3, and the display with it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from bounds.fed_alpha_normec.theorem1 import APPENDIX, b_appendix
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Quadratic
from verify.exact import normalise
from verify.facts import hypothesis
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.displays import THEOREMS
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.letters import (
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
    SMOOTH,
    SPREAD,
    K,
    L,
    M,
    at_least_zero,
    beta,
    claim,
    eta,
    p,
    sigma,
    values,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.theorems import noise_per_coordinate
from verify.obligation import obligation
from verify.proof import Proof


def _gamma_factor(numbers: Values) -> Comparison:
    """Round 0 with f_{1,2} = (x ∓ c)²/8 and T = N = 1, both draws of both clients: E|v̂¹ − v¹| against (1/γ)E|v¹ − v̂¹|."""
    a, b, g, x, c, p_ = (numbers[n] for n in ("alpha", "beta", "gamma", "x", "c", "p"))
    clients, smooth = (Quadratic(Fraction(1, 4), c), Quadratic(Fraction(1, 4), -c)), Fraction(1, 4)
    memories = [f.gradient(x) - r for f, r in zip(clients, (numbers["r_1"], numbers["r_2"]), strict=True)]
    sent = [normalise(a, f.gradient(x) - v) for f, v in zip(clients, memories, strict=True)]
    own = sum((v + b * d for v, d in zip(memories, sent, strict=True)), Fraction(0)) / 2
    error = Fraction(0)
    for drawn in product((True, False), repeat=2):
        chance = Fraction(1)
        for comes in drawn:
            chance *= p_ if comes else 1 - p_
        arrived = sum((d / p_ for d, comes in zip(sent, drawn, strict=True) if comes), Fraction(0))
        error += chance * abs(sum(memories, Fraction(0)) / 2 + b / 2 * arrived - own)
    spread = sum((f.value(Fraction(0)) for f in clients), Fraction(0)) / 2
    R = max(abs(f.gradient(x) - v) for f, v in zip(clients, memories, strict=True))
    met = (
        ("0 < p ≤ 1", 0 < p_ <= 1), *conditions.met(APPENDIX, {**numbers, "R": R, "L": smooth, "Delta": spread}),
        ("f^inf = f(0), every f_i^inf = f_{i,1}^inf = 0", sum(f.gradient(Fraction(0)) for f in clients) == 0),
        ("Δ^inf, Δ_i^inf > 0", spread > 0),
    )  # fmt: skip
    return Comparison(error, "<=", error / g, met)


def error(theorem: str, where: str) -> Claim:
    """E‖v̂ − v‖ from Lemma 3."""
    return claim(
        f"{theorem}-S7",
        f"{where}, step 2, expectation of the error",
        "step",
        THEOREMS[f"{theorem}-S7"],
        "Both sides hold the same quantity: the factor 1/γ makes it false for γ > 1, and it has a unit. The next display drops it "
        "again.",
        witness=Witness(
            values(alpha=1, beta=1, gamma=2, eta="1/4", x=1, c=4, p="1/2", K=0, r_1=1, r_2="1/3"),
            "E‖v̂¹ − v¹‖ ≤ (1/γ)E‖v¹ − v̂¹‖",
            _gamma_factor,
            "M = 2, T = N = 1, σ = 0, K = 0, f_i = (x ∓ 4)²/8, so that L = 1/4 and γ = 2 = 1/(2L); all four draws of who takes part",
        ),
        repair=Repair(
            "E‖v̂^{k+1} − v^{k+1}‖ ≤ √(β²B*(K+1)/M)",
            "without 1/γ, K + 1 under the root, B* = (1 − p + V)/p for B",
            Proof((BETA, no.PARTICIPATION, no.STARTS_AT_ZERO, *no.RANDOM), (*no.NOISE_NODES, ro.SMALL_ERROR)),
        ),
    )


_LEMMA3 = no.within(b_appendix(p, sigma), "Lemma 3")


def taken(theorem: str, where: str, before: sympy.Expr, drift: sympy.Expr) -> Claim:
    """The display after taking the expectation. before: what the display before has beside four times `drift`, Lη²/2 and the
    error of v̂."""
    rest = before + L * eta**2 / 2
    earlier = hypothesis(
        "the display before, in expectation", ro.f_after <= rest + 4 * drift + 2 * eta * no.after
    )
    display = obligation(
        "8L√(2L)γη√Δ^inf for 4, and Lemma 3 with K + 1 beside the root",
        (
            SMOOTH,
            GAMMA,
            ETA,
            SPREAD,
            BETA,
            no.PARTICIPATION,
            CLIENTS,
            ro.ROUNDS,
            at_least_zero(no.after),
            earlier,
            _LEMMA3.conclusion,
        ),
        ro.f_after <= rest + 8 * drift + 2 * eta * sympy.sqrt(beta**2 * b_appendix(p, sigma) / M) * (K + 1),
    )
    return claim(
        f"{theorem}-S8",
        f"{where}, step 2, after taking the expectation",
        "step",
        THEOREMS[f"{theorem}-S8"],
        "Larger terms on the right of ≤ are allowed: the drift is twice too large, the error is Lemma 3's with K + 1 beside the root, "
        "without the 1/γ of the line before. As Lemma 3, it takes σ_DP² to be E‖z_i‖²; per coordinate the display itself fails in "
        "the first round.",
        repair=Repair(
            "The display with E‖z_i‖² in the place of σ_DP².",
            "σ_DP² := E‖z_i‖²",
            Proof(
                (
                    SMOOTH,
                    GAMMA,
                    ETA,
                    SPREAD,
                    BETA,
                    no.PARTICIPATION,
                    no.TOTAL_READING,
                    no.STARTS_AT_ZERO,
                    *no.RANDOM,
                    earlier,
                ),
                (*no.NOISE_NODES, _LEMMA3, display),
            ),
        ),
        gap=Gap(
            "reading",
            "σ_DP² is the variance of a coordinate",
            Witness(
                noise_per_coordinate.FIRST,
                "the display at k = 0, its left side bounded below",
                noise_per_coordinate.first_round(passes=theorem == "FED-T2"),
                noise_per_coordinate.FIRST_PROBLEM,
            ),
        ),
    )
