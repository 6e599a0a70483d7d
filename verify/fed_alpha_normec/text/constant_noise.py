"""Section 4 on partial participation and privacy with a constant σ_DP: what of it converges, and what of it is private.

Letters of `rates`: κ = (K+1)^(1/6), so that β = D₂/κ⁴ and the noise term of Corollary 1 is 2√B D₂/(√M κ).
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.fed_alpha_normec.theorem1 import b_appendix
from verify.claim import Gap, Repair
from verify.computation import Comparison, Computation
from verify.facts import equal, hypothesis, letters
from verify.fed_alpha_normec.corollaries import rates
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    F,
    L,
    M,
    R,
    claim,
    p,
    sigma,
)
from verify.fed_alpha_normec.text.robust import RATE
from verify.fed_alpha_normec.theorems.one_step import APPENDIX_ONE
from verify.identity import Limit
from verify.obligation import obligation
from verify.privacy.mechanisms import least_certain, least_visible_often
from verify.privacy.rigorous import number
from verify.proof import Proof

kappa, D_1, D_2, hat = rates.kappa, rates.D_1, rates.D_2, rates.hat
scale = letters("scale")[0]
_SCALE = hypothesis("σ_DP = s√(K+1), s > 0, as one (ε, δ) for every K asks (Corollary 2)", scale > 0)
_SIGNS = (SMOOTH, ALPHA, rates.CONSTANTS, rates.HAT, GAP, PARTICIPATION, CLIENTS, no.SIGMA)


def _bound(deviation: sympy.Expr) -> sympy.Expr:
    """Corollary 1 in F.4 with that σ_DP."""
    noise = 2 * sympy.sqrt(b_appendix(p, deviation) / M) * D_2
    return (3 * F / hat + 2 * D_1 + noise) / kappa + hat * L / 2 / kappa**5


_TO_ZERO = Limit(
    "Corollary 1's bound → 0 for a constant σ_DP",
    _bound(sigma),
    kappa,
    sympy.oo,
    sympy.Integer(0),
    "-",
    _SIGNS,
)
_NOISE = 2 * sympy.sqrt(2 * (scale * kappa**3) ** 2 / p / M) * D_2 / kappa
_PART = obligation("B ≥ 2σ_DP²/p", (PARTICIPATION, no.SIGMA), b_appendix(p, sigma) >= 2 * sigma**2 / p)
_TO_INFINITY = Limit(
    "2√(2σ_DP²/(pM)) D₂/(K+1)^(1/6) → ∞ for σ_DP = s√(K+1): it grows like (K+1)^(1/3)", _NOISE, kappa, sympy.oo, sympy.oo, "-",
    (_SCALE, rates.CONSTANTS, PARTICIPATION, CLIENTS),
)  # fmt: skip


_EIGHT, _VARIANCE = Fraction(8), number(Fraction(100))


def _told() -> Computation:
    """δ(8) where the noise has standard deviation 10, messages e against absence, p = 1."""
    had = least_certain(_EIGHT, 10_000, _VARIANCE, 1)
    return Computation(
        "p = 1, 100σ_DP² rounds (10,000 at σ_DP = 10; what counts is rounds/σ_DP²): δ(8) > 0.99",
        "accounting",
        lambda: Comparison(had, ">", Fraction(99, 100)),
    )


def _told_in_part() -> Computation:
    """The same at the paper's p = 1/4, where it is seen who takes part: with the probability and the μ² of `_OFTEN`, which are those
    of J = 400 rounds at σ_DP = 1."""
    had = least_visible_often(_EIGHT, 400, Fraction(1, 4), number(Fraction(1)), 1)
    return Computation(
        "p = 1/4, μ² = 50 with probability 0.97, messages seen: δ(8) > 0.95",
        "accounting",
        lambda: Comparison(had, ">", Fraction(95, 100)),
    )


_rounds = letters("J")[0]
_LOUD = hypothesis(
    "σ_DP ≥ 1, J ≥ 400σ_DP² rounds, p = 1/4", (sigma >= 1) & (_rounds >= 400 * sigma**2) & equal(4 * p, 1)
)
_OFTEN = obligation(
    "a client sends Jp/2 ≥ 50σ_DP² messages, so that μ² ≥ 50, but for 4(1 − p)/(Jp) ≤ 0.03 (Chebyshev)",
    (_LOUD,),
    (_rounds * p / 2 >= 50 * sigma**2) & (4 * (1 - p) / (_rounds * p) <= sympy.Rational(3, 100)),
)


_FLOOR = obligation(
    "F.2's bound at T = 1 exceeds 2R > 0, whatever η, β and K are",
    (BETA, ETA, SMOOTH, RADIUS, CLIENTS, ROUNDS, PARTICIPATION, GAP, no.SIGMA),
    (APPENDIX_ONE > 2 * R) & (2 * R > 0),
)

CLAIMS = (
    claim(
        "FED-C1-PRIVATE",
        "Section 4, after Corollary 1",
        "privacy",
        "Corollary 1 establishes the convergence of Fed-α-NormEC in a partial participation and private setting, where the variance "
        "σ_DP is a constant.",
        "With noise of constant size the bound of F.4 falls to 0; but messages with it do not stay private as K grows: at p = 1 δ(8) "
        "is above 0.99 after 100σ_DP² rounds, at the paper's p = 0.25 above 0.95 after 400σ_DP² if σ_DP ≥ 1. With σ_DP ∝ √(K+1), as "
        "a fixed (ε, δ) asks and Corollary 2 sets it, the noise term of the same choices grows like (K+1)^(1/3).",
        repair=Repair(
            "In the setting with noise of constant size, whatever privacy that leaves: by F.4, with E‖z‖² = σ_DP² and β/(α+R) < 1, "
            "the bound A₁/(K+1)^(1/6) + A₂/(K+1)^(5/6) goes to 0 as K grows.",
            "“private” read as “with noise”; β/(α+R) < 1; σ_DP² := E‖z_i‖²",
            Proof(
                rates.COROLLARY1_GRANTED.assumptions,
                (*rates.COROLLARY1_GRANTED.nodes, _TO_ZERO),
            ),
        ),
        gap=Gap(
            "reading",
            "private as one (ε, δ) for every K: a constant σ_DP is not (δ(8) > 0.99 after 100σ_DP² rounds at p = 1, > 0.95 after "
            "400σ_DP² at p = 1/4 if σ_DP ≥ 1, messages seen), and σ_DP = s√(K+1) makes the bound diverge",
            Proof(
                (_SCALE, rates.CONSTANTS, PARTICIPATION, _LOUD),
                (_told(), _OFTEN, _told_in_part(), _PART, _TO_INFINITY),
            ),
        ),
        consequence="Under a fixed (ε, δ) α-NormEC's bound has a floor above 0, whatever its parameters (NEC-OUR-T2-FLOOR).",
    ),
    claim(
        "FED-C1-CHOICES",
        "Section 4, before Corollary 1",
        "prose",
        "If σ_DP is a constant, then proper choices of hyperparameters η, β must be fine-tuned to ensure the convergence of "
        "Fed-α-NormEC, as shown below:",
        "By Theorem 1 η and β do not do it: with fixed memories its bound exceeds 2R for all of them, and Corollary 1 below chooses "
        "the memories with K too. Of the method it is true (FED-R1-FORGETS).",
        repair=RATE,
        gap=Gap(
            "reading",
            "by Theorem 1, the memories v_i⁰ fixed and R > 0",
            Proof((BETA, ETA, SMOOTH, RADIUS, PARTICIPATION), (_FLOOR,)),
        ),
        consequence="With FED-R1-FORGETS the memories may start anywhere.",
    ),
)
