"""Corollary 1 of Section 4 with η equal to its limit, so that its printed A₁ and A₂ may stand: where they hold.

The schedule has βR = D₁D₂/(K+1)^(5/6), so that Lη ≤ βR/(α + R), what FED-R1 asks for, is L² ≤ 2(α + D₁)/(α + R). Theorem 1's own
η ≤ (γ/2)(βR/(α + R)) is four times stronger. FED-R1-SHARP has then the printed bound with ((K+2)/(2(K+1)))B*/M under its root,
B* = (1 − p + σ²)/p.
"""

from __future__ import annotations

import sympy

from verify.claim import Repair, Witness
from verify.facts import equal, hypothesis
from verify.fed_alpha_normec.corollaries import rates as ra
from verify.fed_alpha_normec.counterexamples import rarely_absent
from verify.fed_alpha_normec.displays import COROLLARIES
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    FEEDBACK,
    GAP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    VARIANCE,
    F,
    K,
    L,
    M,
    R,
    alpha,
    beta,
    claim,
    eta,
    p,
    sigma,
)
from verify.fed_alpha_normec.ours import averaged as av
from verify.fed_alpha_normec.ours import rounds as ro
from verify.identity import Identity
from verify.obligation import obligation
from verify.proof import Proof

kappa, D_1, D_2, hat = ra.kappa, ra.D_1, ra.D_2, ra.hat
PLAN = ra.schedule(6, 4, 5)
LONGEST = hypothesis("η₀ = LD₁D₂/(2(α + D₁))", equal(hat * 2 * (alpha + D_1), L * D_1 * D_2) & (hat > 0))
SHORT = hypothesis("L² ≤ 2(α + D₁)/(α + R)", L**2 * (alpha + R) <= 2 * (alpha + D_1))
_AT_KAPPA = {K: kappa**6 - 1}
COVERED = hypothesis(
    "(K+2)(1 − p + σ²) ≤ 4(K+1)((1 − p)² + Mσ²)",
    ((K + 2) * (1 - p + sigma**2) <= 4 * (K + 1) * ((1 - p) ** 2 + M * sigma**2)).xreplace(_AT_KAPPA),
)
_POSITIVE, _PIECES = ra.conditions(PLAN, LONGEST, several=False)
_PRODUCT = _PIECES[1]
_, _LONG, _ = ra.consequences(PLAN, LONGEST, _PIECES, ro.STEP_ONE)
_BASE = (ALPHA, SMOOTH, ra.CONSTANTS, ra.START_LATER)
_STEP = obligation(
    ro.STEP_ONE.name,
    (*_BASE, LONGEST, SHORT, BETA, RADIUS, ETA, PLAN[3], _PRODUCT.conclusion, ra.PRODUCT),
    ro.STEP_ONE.relation,
)
_THEOREM = obligation(
    "η ≤ (γ/2)(βR/(α+R)) at γ = 1/(2L) gives L² ≤ (α + D₁)/(2(α + R))",
    (*_BASE, LONGEST, BETA, RADIUS, ETA, PLAN[3], _PRODUCT.conclusion, ra.PRODUCT),
    sympy.Implies(eta <= beta * R / (alpha + R) / (4 * L), 2 * L**2 * (alpha + R) <= alpha + D_1),
)
ROOT = 2 * p * (1 - 1 / p) ** 2 / M + 2 * sigma**2 / p
_SECOND = no.second_moment(p, sigma**2)
_SPARE = Identity(
    "pM(2(K+1) times what stands under the root − (K+2)B*/M) = 4(K+1)((1 − p)² + Mσ²) − (K+2)(1 − p + σ²)",
    p * M * (2 * (K + 1) * ROOT - (K + 2) * _SECOND / M),
    4 * (K + 1) * ((1 - p) ** 2 + M * sigma**2) - (K + 2) * (1 - p + sigma**2),
    (PARTICIPATION, CLIENTS),
)
_LARGE = obligation(
    "for every σ at p = 1, and for every σ and K ≥ 4 at p ≤ 7/10",
    (CLIENTS, PARTICIPATION, VARIANCE, no.SIGMA, ROUNDS, PLAN[0]),
    sympy.Implies(equal(p, 1) | ((10 * p <= 7) & (K >= 4)), COVERED.relation),
)
_SQUARE = obligation(
    "c_e²(K+2)/2 is at most D₂²/κ² times what stands under the printed root",
    (
        ra.CONSTANTS, ra.START_LATER, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.SIGMA, no.TOTAL_READING, no.TIGHT_B, av.SCALE,
        COVERED, PLAN[0], PLAN[2],
    ),
    av.scale**2 * (K + 2) / 2 * kappa**2 <= D_2**2 * ROOT,
)  # fmt: skip
_ENOUGH = obligation(
    "c_e√((K+2)/2) ≤ D₂/κ times the printed root",
    (ra.CONSTANTS, ra.START_LATER, CLIENTS, ROUNDS, PARTICIPATION, no.SIGMA, av.SCALE, _SQUARE.conclusion),
    av.scale * sympy.sqrt((K + 2) / 2) * kappa <= D_2 * sympy.sqrt(ROOT),
)
_PRINTED = obligation(
    "A₁/κ + A₂/κ⁵",
    (
        *_BASE, LONGEST, GAP, ETA, ROUNDS, _ENOUGH.conclusion, av.END.conclusion, _LONG.conclusion, PLAN[1], PLAN[3],
    ),
    ro.low <= (F / hat + 2 * D_1 + 2 * D_2 * sympy.sqrt(ROOT)) / kappa + hat * L / 2 / kappa**5,
)  # fmt: skip
PROOF = Proof(
    (
        ALPHA, SMOOTH, ra.CONSTANTS, FEEDBACK, LONGEST, SHORT, COVERED, *PLAN[1:], PARTICIPATION, *ro.STARTED, ro.ONE_LOCAL_STEP,
        no.TOTAL_READING,
    ),
    (
        *_POSITIVE, _PRODUCT, _THEOREM, FROM_FEEDBACK, _STEP, *av.NODES, _LONG, _SPARE, _LARGE, _SQUARE, _ENOUGH, _PRINTED,
    ),
)  # fmt: skip

CLAIMS = (
    claim(
        "FED-C1-MAIN@longest-step",
        "Section 4, Corollary 1, η equal to its limit η₀/(K+1)^(5/6), Theorem 1's conditions granted, E‖z‖² = σ²",
        "corollary",
        COROLLARIES["FED-C1-MAIN"]
        + " [η = LD₁D₂/(2(α+D₁)(K+1)^{5/6}); β/(α+R) < 1 and η ≤ (γ/2)(βR/(α+R)); E‖z‖² = σ²]",
        "With that η the first term is right, without its 3 too. But what stands under the root is below half of B*/M, B* = "
        "(1−p+σ²)/p, where σ² < (1−p)(4p−3)/(4M−1), and for σ = 0 and p near 1 by a factor without limit.",
        witness=Witness(
            rarely_absent.ON_SCHEDULE,
            "min_k E‖∇f(xᵏ)‖ ≤ A₁/1300 + A₂/1300⁵ (its left side bounded below)",
            rarely_absent.creeps_on_schedule,
            "σ = 0, p = 1 − 1/900, M = 1.798·10⁹ clients in pairs, f_i(x, y) = 25(h(x) ± ψ(y)), L = 25, K + 1 = 1300⁶ rounds, the "
            "problem of FED-T1-MAIN@T=1: the server's memory drifts where f is constant, and x stays on the slope. α, β, R, r, g "
            "and H are those of h ± ψ; the run's α, β and R are 25 times as large",
        ),
        repair=Repair(
            "With η = η₀/(K+1)^(5/6) the printed A₁ and A₂ hold for every K with β/(α+R) < 1 and L² ≤ 2(α+D₁)/(α+R) where "
            "E‖z‖² = σ² and (K+2)(1−p+σ²) ≤ 4(K+1)((1−p)² + Mσ²): for every σ at p = 1 and, for K ≥ 4, at p ≤ 7/10; for large K "
            "where (1−p)(4p−3) < (4M−1)σ², so for every σ at p < 3/4.",
            "L² ≤ 2(α+D₁)/(α+R), which Theorem 1's η ≤ (γ/2)(βR/(α+R)) gives; β/(α+R) < 1 for the K in question; E‖z‖² = σ²; "
            "(K+2)(1−p+σ²) ≤ 4(K+1)((1−p)² + Mσ²)",
            PROOF,
            weakest="(K+2)(1−p+σ²) ≤ 4(K+1)((1−p)² + Mσ²) is necessary and sufficient for the bound on the mean error at the server "
            "to be covered; some limit on p and σ is necessary by the witness, which one is open",
        ),
        consequence="η₀ has not the unit of a length (FED-C1-MAIN@units): take η̂ = D₁D₂/(4L(α+D₁)), which needs no limit on L, "
        "and B*/M under the root.",
    ),
)
