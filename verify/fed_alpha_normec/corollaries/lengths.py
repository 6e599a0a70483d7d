"""How long η may be for the theorems' conditions on it, with the corollaries' other choices: what mends η ≤ (γ/3)(βR/(α+R))."""

from __future__ import annotations

import sympy

from verify.claim import Repair
from verify.facts import Fact, equal, hypothesis
from verify.fed_alpha_normec.corollaries import rates as ra
from verify.fed_alpha_normec.corollaries.utility import POSITIVE, TWO_LIMITS, hat, n
from verify.fed_alpha_normec.letters import ALPHA, GAMMA, RADIUS, SMOOTH, L, R, alpha, eta, gamma
from verify.fed_alpha_normec.ours import rounds as ro
from verify.obligation import obligation
from verify.proof import Node, Proof

_SIXTH = hypothesis(
    "0 < η̂ ≤ D₁D₂/(6L(α + D₁))",
    (ra.hat > 0) & (ra.hat * 6 * L * (alpha + ra.D_1) <= ra.D_1 * ra.D_2),
)
_ONE_STEP = hypothesis("γ = 1/(2L)", equal(2 * L * gamma, 1))
_LATER = hypothesis(ra.START_LATER.name, ra.START_LATER.relation)
_GIVEN = (ALPHA, SMOOTH, ra.CONSTANTS, _LATER)


def _scheduled(local: Fact, power: int, several: bool) -> Proof:
    """η̂/κ^(power − 1), and R and β of Corollary 1 (power 6) or 3 and 5 (power 8)."""
    plan = ra.schedule(power, power - 2 if not several else power - 3, power - 1)
    positive, pieces = ra.conditions(plan, _SIXTH, several)
    reached: Node = obligation(
        ro.THIRD_STEP.name,
        (
            *_GIVEN, _SIXTH, local, plan[1], plan[3], pieces[1].conclusion, ra.PRODUCT,
            *(node.conclusion for node in positive),
        ),
        ro.THIRD_STEP.relation,
    )  # fmt: skip
    return Proof((*_GIVEN, _SIXTH, local, *plan[1:]), (*positive, pieces[1], reached))


_THIRD = hypothesis("η = (1/(K+1))(γ/3)(β̂R/(α+R))", equal(eta * n * 3 * (alpha + R), gamma * hat * R))
_SHORTER = Proof(
    (ALPHA, GAMMA, RADIUS, POSITIVE, _THIRD, TWO_LIMITS[2]),
    (
        obligation(
            ro.THIRD_STEP.name,
            (ALPHA, GAMMA, RADIUS, POSITIVE, _THIRD, TWO_LIMITS[2]),
            ro.THIRD_STEP.relation,
        ),
    ),
)
_SIX = "With η̂ = {}D₁D₂/(6L(α+D₁)){} they satisfy it for every K."
SIX_1 = Repair(_SIX.format("", ""), "6L for 4L", _scheduled(_ONE_STEP, 6, several=False))
SIX_3 = Repair(
    _SIX.format("min(Δ^inf/(2√(2L)), ", ")"), "6L for 4L", _scheduled(ra.STEP_LOCAL, 8, several=True)
)
THIRD = Repair(
    "With η = (1/(K+1))(γ/3)(β̂R/(α+R)) they satisfy it, with equality.",
    "γ/3 for γ/2 in η",
    _SHORTER,
    weakest="it is the longest η",
)

# Corollary 1 in Section 4, its longest η.
_LONGEST = hypothesis(
    "η = LD₁D₂/(2(α+D₁)κ⁵)", equal(eta * 2 * (alpha + ra.D_1) * ra.kappa**5, L * ra.D_1 * ra.D_2)
)
_MAIN = ra.schedule(6, 4, 5)
_POSITIVE, _PIECES = ra.conditions(_MAIN, _SIXTH, several=False)
_LIMIT = 2 * L**2 * (alpha + R) <= alpha + ra.D_1
_EXACTLY = obligation(
    "η ≤ (γ/2)(βR/(α+R)) ⇔ 2L²(α+R) ≤ α + D₁",
    (
        *_GIVEN, _ONE_STEP, _LONGEST, _MAIN[1], _PIECES[1].conclusion, ra.PRODUCT,
        *(node.conclusion for node in _POSITIVE[:2]),
    ),
    sympy.And(
        sympy.Implies(ro.HALF_STEP.relation, _LIMIT), sympy.Implies(_LIMIT, ro.HALF_STEP.relation)
    ),
)  # fmt: skip
MAIN = Repair(
    "At the longest η they satisfy it exactly where L² ≤ (α+D₁)/(2(α+R)); with D₁D₂/(4L(α+D₁)(K+1)^{5/6}) for the limit on η they do "
    "for every K (FED-C1-APP-S1).",
    "L² ≤ (α+D₁)/(2(α+R)), or 1/(4L) for L/2",
    Proof((*_GIVEN, _ONE_STEP, _LONGEST, *_MAIN[1:3]), (*_POSITIVE[:2], _PIECES[1], _EXACTLY)),
    weakest="necessary and sufficient",
)
