"""Section 4 on partial participation and privacy with a constant σ_DP: what of it converges, and what of it is private.

Letters of `rates`: κ = (K+1)^(1/6), so that β = D₂/κ⁴ and the noise term of Corollary 1 is 2√B D₂/(√M κ).
"""

from __future__ import annotations

from dataclasses import replace

import sympy

from bounds.fed_alpha_normec.theorem1 import b_appendix
from verify.claim import Gap, Repair
from verify.facts import hypothesis, letters
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
from verify.privacy.constant_size import LOUD, MANY, NOISY, TOLD, TOLD_IN_PART
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
        "With noise of constant size the bound of F.4 falls to 0; but messages of length near 1 with it do not stay private as K "
        "grows: at p = 1 δ(8) is above 0.99 after 100σ_DP² rounds, at the paper's p = 0.25 above 0.95 after 400σ_DP² if σ_DP ≥ 1. "
        "(Where the residuals are at most R whatever the data are, messages are at most R/(α+R) long, and it takes longer.) With "
        "σ_DP ∝ √(K+1), as a fixed (ε, δ) asks and Corollary 2 sets it, the noise term of the same choices grows like (K+1)^(1/3).",
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
            "400σ_DP² at p = 1/4 if σ_DP ≥ 1, messages of length near 1 seen), and σ_DP = s√(K+1) makes the bound diverge",
            Proof(
                (_SCALE, rates.CONSTANTS, PARTICIPATION, NOISY, MANY, LOUD),
                (*TOLD, *TOLD_IN_PART, _PART, _TO_INFINITY),
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
        "the memories with K too. Of the method it is true that they do (FED-R1-FORGETS). That they must is shown of η, which has to "
        "fall with K (FED-D1-CONVERGENT@fixed-parameters), and not of β.",
        repair=replace(
            RATE,
            condition=f"{RATE.condition}; “must” is shown of η alone (FED-D1-CONVERGENT@fixed-parameters)",
        ),
        gap=Gap(
            "reading",
            "by Theorem 1, the memories v_i⁰ fixed and R > 0",
            Proof((BETA, ETA, SMOOTH, RADIUS, PARTICIPATION), (_FLOOR,)),
        ),
        consequence="With FED-R1-FORGETS the memories may start anywhere.",
    ),
)
