"""Corollaries 1, 3 and 5: their choices against the theorems' conditions, and their bounds."""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec.theorem1 import b_appendix
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK, ROOTS_R
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
    LOCAL_STEP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    SPREAD,
    VARIANCE,
    Delta,
    F,
    K,
    L,
    M,
    R,
    alpha,
    beta,
    eta,
    gamma,
    p,
    sigma,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.obligation import Obligation, obligation
from verify.proof import Proof

kappa, D_1, D_2, hat, E = letters("kappa D_1 D_2 hat E")
"""κ is (K+1)^(1/6) or (K+1)^(1/8); hat is η̂; E is √(B*/M)."""

CONSTANTS = hypothesis("D₁, D₂ > 0", (D_1 > 0) & (D_2 > 0))
BELOW = hypothesis("D₂ < α + D₁", D_2 < alpha + D_1)
LEVEL_E = definition("√(B*/M), a number ≥ 0", (E >= 0) & equal(E**2 * M, no.B))
START_LATER = definition("κ ≥ 1", kappa >= 1)
product = letters("product")[0]
PRODUCT = definition("product = βR", equal(product, beta * R))


def schedule(root: int, beta_power: int, eta_power: int) -> tuple:
    """R = D₁/κ, β = D₂/κ^b, η = η̂/κ^e with κ^root = K + 1."""
    return (
        definition(f"κ = (K+1)^(1/{root})", equal(K + 1, kappa**root)),
        hypothesis(f"R = D₁/κ, κ = (K+1)^(1/{root})", equal(R * kappa, D_1)),
        hypothesis(f"β = D₂/κ^{beta_power}", equal(beta * kappa**beta_power, D_2)),
        hypothesis(f"η = η̂/κ^{eta_power}", equal(eta * kappa**eta_power, hat)),
    )


HAT = hypothesis("η̂ = D₁D₂/(4L(α + D₁))", equal(hat * 4 * L * (alpha + D_1), D_1 * D_2) & (hat > 0))
HAT_3_PRINTED = hypothesis(
    "η̂ = min(Δ^inf/(2√(2L)), D₁D₂/(4L(α + D₁)))",
    (hat > 0) & (hat * 4 * L * (alpha + D_1) <= D_1 * D_2) & (hat * 2 * sympy.sqrt(2 * L) <= Delta),
)
STEP_LOCAL = hypothesis("γ = 1/(2Lκ)", equal(2 * L * gamma * kappa, 1))


def conditions(plan: tuple, hat_fact: Fact, several: bool) -> tuple:
    """The conditions of the repaired theorem, from the corollary's choices."""
    _, radius, feedback, length = plan
    base = (ALPHA, SMOOTH, CONSTANTS, START_LATER)
    positive = (
        obligation(RADIUS.name, (CONSTANTS, START_LATER, radius), RADIUS.relation),
        obligation(BETA.name, (CONSTANTS, START_LATER, feedback), BETA.relation),
        obligation(ETA.name, (CONSTANTS, START_LATER, length, hat_fact, SMOOTH, ALPHA), ETA.relation),
    )
    power = 6 if several else 5
    pieces = (
        obligation(FEEDBACK.name, (*base, BELOW, radius, feedback, BETA, RADIUS), FEEDBACK.relation),
        obligation(
            f"βR = D₁D₂/κ^{power}",
            (radius, feedback, START_LATER, PRODUCT),
            equal(product * kappa**power, D_1 * D_2),
        ),
    )
    return positive, pieces


def consequences(
    plan: tuple, hat_fact: Fact, pieces: tuple, step: Fact
) -> tuple[Obligation, Obligation, Obligation]:
    """The repaired condition on η, how long all steps are together, and the size of the server's error."""
    base = (ALPHA, SMOOTH, CONSTANTS, START_LATER)
    return (
        obligation(
            step.name,
            (*base, hat_fact, BETA, RADIUS, ETA, plan[1], plan[3], pieces[1].conclusion, PRODUCT),
            step.relation,
        ),
        obligation("(K+1)η = η̂ κ", (START_LATER, plan[0], plan[3]), equal((K + 1) * eta, hat * kappa)),
        obligation(
            "√(β²B*(K+1)/M) ≤ √(B*/M) D₂/κ",
            (START_LATER, CLIENTS, CONSTANTS, LEVEL_E, ro.LEVEL, plan[0], plan[2]),
            ro.err * kappa <= E * D_2,
        ),
    )


SHORT_LOCAL = (
    obligation(GAMMA.name, (SMOOTH, START_LATER, STEP_LOCAL), GAMMA.relation),
    obligation(LOCAL_STEP.name, (SMOOTH, START_LATER, STEP_LOCAL), LOCAL_STEP.relation),
)

PLAN1 = schedule(6, 4, 5)
_POSITIVE1, _PIECES1 = conditions(PLAN1, HAT, False)
_STEP1, _LONG, _NOISE1 = consequences(PLAN1, HAT, _PIECES1, ro.STEP_ONE)
_END1 = obligation(
    "Corollary 1, F.4",
    (
        ALPHA,
        SMOOTH,
        CONSTANTS,
        START_LATER,
        HAT,
        GAP,
        ETA,
        ROUNDS,
        ro.END_ONE.conclusion,
        _LONG.conclusion,
        _NOISE1.conclusion,
        PLAN1[1],
        PLAN1[3],
    ),
    ro.low <= (F / hat + 2 * D_1 + 2 * E * D_2) / kappa + hat * L / 2 / kappa**5,
)
_HYPOTHESES1 = (
    ALPHA,
    SMOOTH,
    CONSTANTS,
    FEEDBACK,
    HAT,
    *PLAN1[1:],
    PARTICIPATION,
    *ro.STARTED,
    ro.ONE_LOCAL_STEP,
)
_EVERY_K = obligation(
    "where D₂ < α + D₁ that is so for every K",
    (ALPHA, CONSTANTS, START_LATER, *PLAN1[1:3], BETA, RADIUS),
    sympy.Implies(BELOW.relation, FEEDBACK.relation),
)
COROLLARY1 = Proof(
    _HYPOTHESES1,
    (*_POSITIVE1, _EVERY_K, _PIECES1[1], FROM_FEEDBACK, _STEP1, *ro.ONE_STEP_NODES, _LONG, _NOISE1, _END1),
)
"""With Theorem 1's β/(α + R) < 1 granted for the K in question."""
# The same with the B that F.4 prints.
_PRINTED1 = obligation(
    "Corollary 1, F.4, with the printed B",
    (
        CONSTANTS, START_LATER, CLIENTS, PARTICIPATION, VARIANCE, no.SIGMA, no.TOTAL_READING, no.TIGHT_B, LEVEL_E, HAT, GAP, ALPHA,
        SMOOTH, _END1.conclusion,
    ),
    ro.low <= (3 * F / hat + 2 * D_1 + 2 * sympy.sqrt(b_appendix(p, sigma) / M) * D_2) / kappa + hat * L / 2 / kappa**5,
)  # fmt: skip
ROOTS_D = hypothesis("D₂ ≤ (√α + √D₁)²", D_2 <= (sympy.sqrt(alpha) + sympy.sqrt(D_1)) ** 2)


def every_k(plan: tuple) -> tuple[Obligation, Obligation]:
    """The printed condition is stronger than β ≤ (√α + √R)², which holds for every K where D₂ is no more than (√α + √D₁)²."""
    falls = obligation("βκ ≤ D₂", (CONSTANTS, START_LATER, plan[2], BETA), beta * kappa <= D_2)
    return falls, obligation(
        f"where {ROOTS_D.name}, as where D₂ < α + D₁, {ROOTS_R.name} holds for every K; β/(α + R) < 1 gives it too",
        (ALPHA, CONSTANTS, START_LATER, plan[1], falls.conclusion, BETA, RADIUS),
        sympy.Implies(ROOTS_D.relation | FEEDBACK.relation, ROOTS_R.relation)
        & sympy.Implies(BELOW.relation, ROOTS_D.relation),
    )


def with_roots(shown: Proof, plan: tuple) -> Proof:
    """The same with β ≤ (√α + √R)² for β/(α + R) < 1."""
    kept = tuple(node for node in shown.nodes if node.name not in (FROM_FEEDBACK.name, _EVERY_K.name))
    asked = tuple(ROOTS_R if fact is FEEDBACK else fact for fact in shown.assumptions)
    positive = len(_POSITIVE1)
    return Proof(asked, (*kept[:positive], *every_k(plan), *kept[positive:]))


COROLLARY1_ROOTS = with_roots(COROLLARY1, PLAN1)
COROLLARY1_GRANTED = Proof(
    (*_HYPOTHESES1, no.TOTAL_READING),
    (
        *_POSITIVE1,
        _EVERY_K,
        _PIECES1[1],
        FROM_FEEDBACK,
        _STEP1,
        *ro.ONE_STEP_NODES,
        _LONG,
        _NOISE1,
        _END1,
        _PRINTED1,
    ),
)
GRANTED_ROOTS = with_roots(COROLLARY1_GRANTED, PLAN1)

PLAN3 = schedule(8, 5, 7)
_PIECES3 = conditions(PLAN3, HAT_3_PRINTED, True)[1]
_LONG3 = consequences(PLAN3, HAT_3_PRINTED, _PIECES3, ro.STEP_SEVERAL)[1]

# The choices against γ/2, as the proofs of Corollaries 1 and 3 claim.
_LOCAL1 = hypothesis("γ = 1/(2L)", equal(2 * L * gamma, 1))
_LATER = hypothesis(START_LATER.name, START_LATER.relation)
_CLAIMED = (ALPHA, SMOOTH, CONSTANTS, _LATER, BETA, RADIUS, ETA)
HALF1 = (
    _PIECES1[1],
    obligation(
        ro.HALF_STEP.name,
        (*_CLAIMED, HAT, _LOCAL1, PLAN1[1], PLAN1[3], _PIECES1[1].conclusion, PRODUCT),
        ro.HALF_STEP.relation,
    ),
)
HALF3 = (
    _PIECES3[1],
    obligation(
        ro.HALF_STEP.name,
        (*_CLAIMED, HAT_3_PRINTED, STEP_LOCAL, PLAN3[1], PLAN3[3], _PIECES3[1].conclusion, PRODUCT),
        ro.HALF_STEP.relation,
    ),
)
LONG3 = (
    _LONG3,
    obligation(
        ro.PRINTED_ROUNDS.name,
        (SMOOTH, SPREAD, START_LATER, ROUNDS, HAT_3_PRINTED, STEP_LOCAL, _LONG3.conclusion),
        ro.PRINTED_ROUNDS.relation,
    ),
)
STEP1 = Proof((*_CLAIMED, HAT, _LOCAL1, *PLAN1[1:]), HALF1)
STEP3 = Proof((*_CLAIMED, HAT_3_PRINTED, SPREAD, STEP_LOCAL, *PLAN3[1:]), (*LONG3, *HALF3))
