"""Corollaries 1, 3 and 5: their choices against the theorems' conditions, and their bounds."""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec.theorem1 import b_appendix
from verify.facts import Fact, definition, hypothesis
from verify.fed_alpha_normec import noise as no
from verify.fed_alpha_normec import rounds as ro
from verify.fed_alpha_normec.lemma1 import FROM_FEEDBACK
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
    Delta_local,
    F,
    K,
    L,
    M,
    R,
    alpha,
    beta,
    equal,
    eta,
    gamma,
    letters,
    p,
    sigma,
)
from verify.obligation import obligation
from verify.proof import Proof

z, D_1, D_2, hat, E = letters("z D_1 D_2 hat E")
"""z is (K+1)^(1/6) or (K+1)^(1/8); hat is η̂; E is √(B*/M)."""

CONSTANTS = hypothesis("D₁, D₂ > 0", (D_1 > 0) & (D_2 > 0))
BELOW = hypothesis("D₂ < α + D₁", D_2 < alpha + D_1)
LEVEL_E = definition("E = √(B*/M)", (E >= 0) & equal(E**2 * M, no.B))
START_LATER = definition("z ≥ 1", z >= 1)


def schedule(root: int, beta_power: int, eta_power: int) -> tuple:
    """R = D₁/z, β = D₂/z^b, η = η̂/z^e with z^root = K + 1."""
    return (
        definition(f"z = (K+1)^(1/{root})", equal(K + 1, z**root)),
        hypothesis("R = D₁/z", equal(R * z, D_1)),
        hypothesis(f"β = D₂/z^{beta_power}", equal(beta * z**beta_power, D_2)),
        hypothesis(f"η = η̂/z^{eta_power}", equal(eta * z**eta_power, hat)),
    )


HAT = hypothesis("η̂ = D₁D₂/(4L(α + D₁))", equal(hat * 4 * L * (alpha + D_1), D_1 * D_2) & (hat > 0))
HAT_3 = hypothesis(
    "η̂ = min(√Δ^inf/(2√(2L)), D₁D₂/(4L(α + D₁)))",
    (hat > 0)
    & (hat * 4 * L * (alpha + D_1) <= D_1 * D_2)
    & (hat * 2 * sympy.sqrt(2 * L) <= sympy.sqrt(Delta)),
)
STEP_LOCAL = hypothesis("γ = 1/(2Lz)", equal(2 * L * gamma * z, 1))


def conditions(plan: tuple, hat_fact: Fact, several: bool) -> tuple:
    """The conditions of the repaired theorem, from the corollary's choices."""
    _, radius, feedback, length = plan
    base = (ALPHA, SMOOTH, CONSTANTS, START_LATER)
    positive = (
        obligation(RADIUS.name, (CONSTANTS, START_LATER, radius), RADIUS.relation),
        obligation(BETA.name, (CONSTANTS, START_LATER, feedback), BETA.relation),
        obligation(ETA.name, (CONSTANTS, START_LATER, length, hat_fact, SMOOTH, ALPHA), ETA.relation),
    )
    product = sympy.Symbol("product", real=True)
    times = definition("product = βR z^…", equal(product, beta * R))
    power = 6 if several else 5
    pieces = (
        obligation(FEEDBACK.name, (*base, BELOW, radius, feedback, BETA, RADIUS), FEEDBACK.relation),
        obligation(
            "βR = D₁D₂/z^…", (radius, feedback, START_LATER, times), equal(product * z**power, D_1 * D_2)
        ),
    )
    return positive, pieces


_PLAN1 = schedule(6, 4, 5)
_POSITIVE1, _PIECES1 = conditions(_PLAN1, HAT, False)
_STEP1 = obligation(
    ro.STEP_ONE.name,
    (
        ALPHA,
        SMOOTH,
        CONSTANTS,
        START_LATER,
        HAT,
        BETA,
        RADIUS,
        ETA,
        _PLAN1[1],
        _PLAN1[3],
        _PIECES1[1].conclusion,
        definition("product = βR", equal(sympy.Symbol("product", real=True), beta * R)),
    ),
    ro.STEP_ONE.relation,
)
_LONG = obligation("(K+1)η = η̂ z", (START_LATER, _PLAN1[0], _PLAN1[3]), equal((K + 1) * eta, hat * z))
_NOISE1 = obligation(
    "err = E D₂/z",
    (START_LATER, CLIENTS, CONSTANTS, LEVEL_E, ro.LEVEL, _PLAN1[0], _PLAN1[2]),
    ro.err * z <= E * D_2,
)
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
        _PLAN1[1],
        _PLAN1[3],
    ),
    ro.low <= (F / hat + 2 * D_1 + 2 * E * D_2) / z + hat * L / 2 / z**5,
)
_HYPOTHESES1 = (ALPHA, SMOOTH, CONSTANTS, BELOW, HAT, *_PLAN1[1:], PARTICIPATION, ro.START, ro.STARTS)
COROLLARY1 = Proof(
    _HYPOTHESES1,
    (*_POSITIVE1, *_PIECES1, FROM_FEEDBACK, _STEP1, *ro.ONE_STEP_NODES, _LONG, _NOISE1, _END1),
)
# The same with Theorem 1's β/(α + R) < 1 granted for the K in question, and with the B that F.4 prints.
_PRINTED1 = obligation(
    "Corollary 1, F.4, with the printed B",
    (
        CONSTANTS, START_LATER, CLIENTS, PARTICIPATION, VARIANCE, no.SIGMA, no.TOTAL_READING, no.TIGHT_B, LEVEL_E, HAT, GAP, ALPHA, SMOOTH, _END1.conclusion,
    ),
    ro.low <= (3 * F / hat + 2 * D_1 + 2 * sympy.sqrt(b_appendix(p, sigma) / M) * D_2) / z + hat * L / 2 / z**5,
)  # fmt: skip
COROLLARY1_GRANTED = Proof(
    (*(fact for fact in _HYPOTHESES1 if fact is not BELOW), FEEDBACK, no.TOTAL_READING),
    (*_POSITIVE1, _PIECES1[1], FROM_FEEDBACK, _STEP1, *ro.ONE_STEP_NODES, _LONG, _NOISE1, _END1, _PRINTED1),
)

_PLAN3 = schedule(8, 5, 7)
_POSITIVE3, _PIECES3 = conditions(_PLAN3, HAT_3, True)
_GAMMA3 = obligation(GAMMA.name, (SMOOTH, START_LATER, STEP_LOCAL), GAMMA.relation)
_LOCAL3 = obligation(LOCAL_STEP.name, (SMOOTH, START_LATER, STEP_LOCAL), LOCAL_STEP.relation)
_PRODUCT = definition("product = βR", equal(sympy.Symbol("product", real=True), beta * R))
_STEP3 = obligation(
    ro.STEP_SEVERAL.name,
    (
        ALPHA,
        SMOOTH,
        CONSTANTS,
        START_LATER,
        HAT_3,
        BETA,
        RADIUS,
        ETA,
        _PLAN3[1],
        _PLAN3[3],
        _PIECES3[1].conclusion,
        _PRODUCT,
    ),
    ro.STEP_SEVERAL.relation,
)
_LONG3 = obligation("(K+1)η = η̂ z", (START_LATER, _PLAN3[0], _PLAN3[3]), equal((K + 1) * eta, hat * z))
_UNITS3 = obligation(
    ro.ROUNDS_IN_UNITS.name,
    (SMOOTH, SPREAD, START_LATER, ROUNDS, HAT_3, STEP_LOCAL, _LONG3.conclusion),
    ro.ROUNDS_IN_UNITS.relation,
)
_NOISE3 = obligation(
    "err = E D₂/z",
    (START_LATER, CLIENTS, CONSTANTS, LEVEL_E, ro.LEVEL, _PLAN3[0], _PLAN3[2]),
    ro.err * z <= E * D_2,
)
_ROOT = letters("root")[0]
_ROOTS3 = definition("root = √(2LΔ^inf)", equal(_ROOT**2, 2 * L * Delta) & (_ROOT > 0))


def _rate(end, growth, root, extra, drift, name):
    return obligation(
        name,
        (
            SMOOTH,
            CONSTANTS,
            START_LATER,
            HAT_3,
            GAP,
            ETA,
            ROUNDS,
            end.conclusion,
            growth,
            root,
            _LONG3.conclusion,
            _NOISE3.conclusion,
            _PLAN3[1],
            _PLAN3[3],
            STEP_LOCAL,
            SPREAD,
            *extra,
        ),
        ro.low <= (3 * F / hat + 2 * D_1 + 2 * E * D_2 + drift) / z + hat * L / 2 / z**7,
    )


def _several(nodes: tuple, limit, root, positive: tuple, end) -> Proof:
    return Proof(
        (
            ALPHA,
            SMOOTH,
            CONSTANTS,
            BELOW,
            HAT_3,
            STEP_LOCAL,
            *_PLAN3[1:],
            SPREAD,
            *positive[1:],
            PARTICIPATION,
            ro.START,
            ro.STARTS,
        ),
        (
            *_POSITIVE3,
            *_PIECES3,
            FROM_FEEDBACK,
            _GAMMA3,
            _LOCAL3,
            _STEP3,
            _LONG3,
            _UNITS3,
            *ro.limited(limit, root, positive),
            *nodes,
            _NOISE3,
            end,
        ),
    )


COROLLARY3 = _several(
    (*ro.GD_NODES, *ro.PAPERS_GD),
    ro.LIMIT_GD,
    ro.ROOT,
    (SPREAD,),
    _rate(ro.END_GD[-1], ro.GROWTH_GD, ro.ROOT, (), 4 * sympy.sqrt(2 * L) * sympy.sqrt(Delta), "Corollary 3"),
)
COROLLARY5 = _several(
    (*ro.IG_NODES, *ro.PAPERS_IG),
    ro.LIMIT_IG,
    ro.ROOT_IG,
    (SPREAD, ro.SPREAD_LOCAL),
    _rate(
        ro.END_IG[-1],
        ro.GROWTH_IG,
        ro.ROOT_IG,
        (ro.SPREAD_LOCAL,),
        4 * sympy.sqrt(2 * L) * sympy.sqrt(Delta) + 4 * sympy.sqrt(2 * L) * sympy.sqrt(Delta_local),
        "Corollary 5",
    ),
)

# The choices against γ/2, as the proofs of Corollaries 1 and 3 claim.
_LOCAL1 = hypothesis("γ = 1/(2L)", equal(2 * L * gamma, 1))
_CLAIMED = (ALPHA, SMOOTH, CONSTANTS, START_LATER, BETA, RADIUS, ETA)
HALF1 = (
    _PIECES1[1],
    obligation(
        ro.HALF_STEP.name,
        (*_CLAIMED, HAT, _LOCAL1, _PLAN1[1], _PLAN1[3], _PIECES1[1].conclusion, _PRODUCT),
        ro.HALF_STEP.relation,
    ),
)
HALF3 = (
    _PIECES3[1],
    obligation(
        ro.HALF_STEP.name,
        (*_CLAIMED, HAT_3, STEP_LOCAL, _PLAN3[1], _PLAN3[3], _PIECES3[1].conclusion, _PRODUCT),
        ro.HALF_STEP.relation,
    ),
)
STEP1 = Proof((*_CLAIMED, HAT, _LOCAL1, *_PLAN1[1:]), HALF1)
STEP3 = Proof((*_CLAIMED, HAT_3, STEP_LOCAL, *_PLAN3[1:]), HALF3)
