"""Corollaries 2, 4 and 6: utility under privacy noise, the steps of F.5, and what the bounds say.

Letters: n = K + 1; Lam = log(1/δ); y = (B₂/M)^(1/4); G = √(2L(f(x⁰) − f^inf)), which bounds ‖∇f(x⁰)‖.
"""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec.theorem1 import b_appendix
from verify.claim import Values
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK
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
    Delta,
    F,
    K,
    L,
    M,
    R,
    V,
    alpha,
    beta,
    eta,
    gamma,
    p,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.identity import Identity
from verify.obligation import obligation
from verify.proof import Proof

n, Lam, epsilon, c, hat, B_1, B_2, y, G, d, level, part_1, part_2, C = letters(
    "n Lam epsilon c beta_hat B_1 B_2 y G d level part_1 part_2 C"
)
POSITIVE = hypothesis(
    "n = K + 1 ≥ 1, log(1/δ), ε, c, β̂ > 0", (n >= 1) & (Lam > 0) & (epsilon > 0) & (c > 0) & (hat > 0)
)
ROOT = hypothesis("y > 0", y > 0)
EXTENT = (
    "How far a root reaches cannot be told from a misprint in the text at hand, which prints this K + 1 under its root in one place "
    "and beside it in another."
)
SIZES = definition("B₁, B₂ ≥ 0", (B_1 >= 0) & (B_2 >= 0))
_B1 = 2 * p * ((1 - 1 / p) ** 2 + 1 / p - 1)
_B2 = 2 * c**2 * p * Lam / epsilon**2

SECOND = Identity(
    "B = B₁ + (K+1)B₂",
    b_appendix(p, sympy.sqrt(c**2 * p**2 * n * Lam / epsilon**2)),
    _B1 + n * _B2,
    (PARTICIPATION, POSITIVE),
)


def sampled(v: Values) -> tuple[tuple[str, bool], ...]:
    """p = B̂/M and the B₁ of F.5."""
    p_ = v["B_hat"] / v["M"]
    return (
        ("M ≥ 1 is whole", v["M"] >= 1 and v["M"].denominator == 1),
        ("1 ≤ B̂ ≤ M", 1 <= v["B_hat"] <= v["M"]),
        ("B₁ = 2p((1 − 1/p)² + 1/p − 1)", v["B_1"] == 2 * p_ * ((1 - 1 / p_) ** 2 + 1 / p_ - 1)),
    )


SPLIT = obligation(
    "√((B₁ + nB₂)n/M) ≤ √(B₁n/M) + n√(B₂/M)",
    (CLIENTS, POSITIVE, SIZES, BETA),
    2 * beta * sympy.sqrt((B_1 + n * B_2) * n / M)
    <= 2 * beta * sympy.sqrt(B_1 * n / M) + 2 * beta * n * sympy.sqrt(B_2 / M),
)
SCALED = Identity(
    "β = β̂/n",
    2 * hat / n * sympy.sqrt(B_1 * n / M) + 2 * hat / n * n * sympy.sqrt(B_2 / M),
    2 * hat * sympy.sqrt(B_1 / (M * n)) + 2 * hat * sympy.sqrt(B_2 / M),
    (CLIENTS, POSITIVE, SIZES),
)
rest = letters("rest")[0]


def inserted(part: Identity, *assumptions: Fact) -> Proof:
    """The display before, which is taken over, with a part of it replaced; `rest` is what stays of its right side."""
    display = hypothesis("the display before", ro.low <= rest + part.left)
    step = obligation(
        "the display with it", (*part.given, display, part.conclusion), ro.low <= rest + part.right
    )
    return Proof((*assumptions, display), (part, step))


TWO_LIMITS = (
    hypothesis("η ≤ Δ^inf/(2√(2L)(K+1))", eta <= Delta / (2 * sympy.sqrt(2 * L)) / n),
    hypothesis("η ≤ (1/(K+1))(γ/2)(β̂R/(α+R))", eta <= gamma / 2 * hat * R / (alpha + R) / n),
    hypothesis("β = β̂/(K+1)", equal(beta * n, hat)),
)
FIRST_LIMIT = obligation(
    "ηγ ≤ (1/(K+1))(Δ^inf/(4L√(2L)))",
    (SMOOTH, GAMMA, LOCAL_STEP, SPREAD, POSITIVE, ETA, TWO_LIMITS[0]),
    eta * gamma <= Delta / (4 * L * sympy.sqrt(2 * L)) / n,
)
SECOND_LIMIT = obligation(
    ro.HALF_STEP.name, (GAMMA, ALPHA, RADIUS, POSITIVE, *TWO_LIMITS[1:]), ro.HALF_STEP.relation
)
SMALLER = obligation(
    "the second member is the smaller one",
    (
        SMOOTH,
        GAMMA,
        ALPHA,
        RADIUS,
        POSITIVE,
        hypothesis("Δ^inf > γ√(2L)β̂R/(α+R)", Delta > gamma * sympy.sqrt(2 * L) * hat * R / (alpha + R)),
    ),
    gamma / 2 * hat * R / (alpha + R) <= Delta / (2 * sympy.sqrt(2 * L)),
)
_ETA = gamma / 2 * hat * R / (alpha + R) / n
SUBSTITUTED = Identity(
    "η inserted",
    3 / n * F / _ETA + _ETA * L / 2,
    6 * alpha * F / (gamma * hat * R) + 6 * F / (gamma * hat) + gamma * L * hat * R / (4 * (alpha + R) * n),
    (ALPHA, GAMMA, RADIUS, SMOOTH, GAP, POSITIVE),
)
ratio = sympy.sqrt(3 * F / gamma)
CHOSEN = hypothesis("β̂ > 0", ratio / y > 0)
FOURTH = Identity(
    "β̂ with a fourth root: y⁴ = B₂/M",
    6 * alpha * F / (gamma * (ratio / y) * R) + 6 * F / (gamma * (ratio / y)) + 2 * (ratio / y) * y**2,
    2 * sympy.sqrt(3) * alpha * sympy.sqrt(F / gamma) / R * y + 4 * sympy.sqrt(3) * sympy.sqrt(F / gamma) * y,
    (ALPHA, GAMMA, RADIUS, GAP, CHOSEN, ROOT),
)
SQUARE = Identity(
    "β̂ with a square root leaves a term without B₂",
    2 * (ratio / y**2) * y**2,
    2 * ratio,
    (GAMMA, GAP, ROOT),
)

# The corollary as it can be proved, not asymptotic.
NOISE_LEVEL = hypothesis(
    "V = dσ², σ² = c²p²(K+1)log(1/δ)/ε²",
    equal(V * epsilon**2, d * c**2 * p**2 * (K + 1) * Lam) & (V >= 0) & (d >= 1),
)
SMALL = hypothesis("c, log(1/δ), ε, β̂ > 0", (Lam > 0) & (epsilon > 0) & (c > 0) & (hat > 0))
SCHEDULE = hypothesis("β = β̂/(K+1)", equal(beta * (K + 1), hat) & (beta > 0))
LENGTH = hypothesis("η = 1/(K+1) · β̂R/(4L(α+R))", equal(eta * (K + 1) * 4 * L * (alpha + R), hat * R))
ONCE = hypothesis("β̂ < (K+1)(α+R)", hat < (K + 1) * (alpha + R))
_PARTS = definition(
    "a₁² = (1−p)/(pM(K+1)), a₂² = d c²p log(1/δ)/(ε²M)",
    (part_1 >= 0)
    & (part_2 >= 0)
    & equal(part_1**2 * p * M * (K + 1), 1 - p)
    & equal(part_2**2 * epsilon**2 * M, d * c**2 * p * Lam),
)
TOTAL = obligation(
    "B*(K+1)β²/M = β̂²(a₁² + a₂²), a₁² = (1−p)/(pM(K+1)), a₂² = d c²p log(1/δ)/(ε²M)",
    (PARTICIPATION, CLIENTS, ROUNDS, SMALL, SCHEDULE, NOISE_LEVEL, no.TIGHT_B, ro.LEVEL, _PARTS),
    equal(ro.err**2, hat**2 * (part_1**2 + part_2**2)),
)
ERR = obligation(
    "√(β²B*(K+1)/M) ≤ β̂(a₁ + a₂)",
    (SMALL, ro.LEVEL, _PARTS, TOTAL.conclusion),
    ro.err <= hat * (part_1 + part_2),
)

EXPLICIT = (
    4 * L * (alpha + R) * F / (hat * R)
    + 2 * R
    + 2 * hat * (part_1 + part_2)
    + hat * R / (8 * (alpha + R) * (K + 1))
)
_REPAIRED = obligation(
    "utility, explicit",
    (ALPHA, RADIUS, SMOOTH, ETA, ROUNDS, GAP, SMALL, LENGTH, ro.END_ONE.conclusion, ERR.conclusion),
    ro.low <= EXPLICIT,
)
UTILITY = Proof(
    (
        ALPHA,
        RADIUS,
        SMOOTH,
        PARTICIPATION,
        SMALL,
        SCHEDULE,
        LENGTH,
        ONCE,
        NOISE_LEVEL,
        *ro.STARTED,
        ro.ONE_LOCAL_STEP,
    ),
    (
        obligation("β > 0", (SCHEDULE,), beta > 0),
        obligation(ETA.name, (ALPHA, RADIUS, SMOOTH, ROUNDS, SMALL, LENGTH), ETA.relation),
        obligation(FEEDBACK.name, (ALPHA, RADIUS, ROUNDS, SCHEDULE, ONCE), FEEDBACK.relation),
        FROM_FEEDBACK,
        obligation(
            ro.STEP_ONE.name,
            (ALPHA, RADIUS, SMOOTH, ROUNDS, SMALL, SCHEDULE, LENGTH),
            ro.STEP_ONE.relation,
        ),
        *ro.ONE_STEP_NODES,
        TOTAL,
        ERR,
        _REPAIRED,
    ),
)

# Partial against full participation.
budget = letters("budget")[0]
BUDGET = hypothesis("budget = dc²(K+1)log(1/δ)/ε² > 0, the noise's E‖z‖² at p = 1", budget > 0)
PART = hypothesis("0 < p < 1", (p > 0) & (p < 1))
_better = 2 * (1 - p) / p + 2 * budget * p < 2 * budget
BETTER = obligation(
    "B(p) < B(1) ⇔ p d c²(K+1)log(1/δ)/ε² > 1",
    (BUDGET, PART),
    sympy.And(sympy.Implies(_better, p * budget > 1), sympy.Implies(p * budget > 1, _better)),
)
_half, _hat_1 = letters("√p beta_hat(1)")
_OWN_HAT = definition(
    "√p, and β̂ = √(3(f(x⁰) − f^inf)/γ)(M/B₂)^(1/4), B₂ = 2c²p log(1/δ)/ε², at p and at 1: β̂(p)²√p = β̂(1)²",
    (_half > 0) & equal(_half**2, p) & (hat > 0) & (_hat_1 > 0) & equal(hat**2 * _half, _hat_1**2),
)
_own_better = hat**2 * (2 * (1 - p) / p + 2 * budget * p) < _hat_1**2 * 2 * budget
_enough = _half**3 * budget > 1 + _half
BETTER_HAT = obligation(
    "β̂(p)²B(p) < β̂(1)²B(1) ⇔ p^{3/2} d c²(K+1)log(1/δ)/ε² > 1 + √p",
    (BUDGET, PART, _OWN_HAT),
    sympy.And(sympy.Implies(_own_better, _enough), sympy.Implies(_enough, _own_better)),
)
COUNTED = obligation(
    "σ² = c²p(K+1)log(1/δ)/ε² in each of d coordinates ⇒ B(p) > B(1)",
    (BUDGET, PART),
    2 * (1 - p) / p + 2 * (budget * p) / p > 2 * budget,
)
RATE = obligation(
    "B̂/M² ≤ 1/M for B̂ ≤ M", (CLIENTS, definition("p = B̂/M ≤ 1", (p > 0) & (p <= 1))), p / M <= 1 / M
)
