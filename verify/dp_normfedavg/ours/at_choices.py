"""Our theorems at the choices of Theorem 4: (4) for any sampling probability, and a guarantee on f for normalisation.

DAS-OURS-CLIP at Theorem 4's η, C and K reads E[f(w_k̃) − f*] ≤ (A + κ mean Δ_i*)/(2 − κ), where κ → 0 as α → ∞.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import repaired
from bounds.dp_normfedavg import theorem4 as four
from verify.citation import Cite
from verify.claim import Claim
from verify.dp_normfedavg.asymptotics.limits import LIMIT_K, SAMPLING
from verify.dp_normfedavg.letters import ETA, LOCAL, SMOOTH, E, L, eta
from verify.dp_normfedavg.ours import claims as ours
from verify.dp_normfedavg.ours.any_clients import ETA_SHOWN, QUARTER
from verify.dp_normfedavg.theorems import claims as theorems
from verify.dp_normfedavg.theorems.choices import (
    BOUND_4,
    CHOICE_C,
    CHOICE_ETA,
    CHOICE_K,
    LIPSCHITZ_POS,
    START_4,
    TRIANGLE,
    G,
)
from verify.dp_normfedavg.theorems.rounds import (
    ALPHA,
    GAMMA,
    LOCAL_STEPS,
    RHO,
    TOTAL,
    K,
    alpha,
    distance,
    rho,
)
from verify.dp_normfedavg.theorems.sampling import c
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.identity import Limit
from verify.obligation import obligation

CHOICES = (
    CHOICE_ETA,
    CHOICE_C,
    CHOICE_K,
    LOCAL_STEPS,
    LIPSCHITZ_POS,
    RHO,
    GAMMA,
    ALPHA,
    SMOOTH,
    LOCAL,
    TOTAL,
)
KAPPA = definition(ours.KAPPA.name, ours.KAPPA.relation)
start_and_noise = letters("start_and_noise")[0]
NAMED = definition(
    "‖w₀ − w*‖²/(ηEK) + ηEKG²ρ², named",
    equal(start_and_noise, repaired.start_and_noise(distance, eta, E, K, G, rho)),
)
IS_A = obligation("it is A of (2)", (NAMED, *CHOICES), equal(start_and_noise, four.initialisation(**START_4)))


def _cited(claim: Claim, shown: tuple[Fact, ...]) -> Cite:
    """One of our theorems; what the choices of Theorem 4 show of its hypotheses is not assumed."""
    assert claim.proof is not None
    dropped = {fact.relation for fact in (ours.SHORT, ETA, ours.KAPPA, ours.POSITIVE)}
    kept = tuple(fact for fact in claim.proof.assumptions if fact.relation not in dropped)
    return Cite(claim, (*kept, TRIANGLE, KAPPA, ETA_SHOWN.conclusion, QUARTER.conclusion, *shown))


_CLIP, _NORM = (
    {claim.id: claim for claim in theorems.OURS}[name] for name in ("DAS-OURS-CLIP", "DAS-OURS-NORM")
)

# (4).
LATE = hypothesis("α is large enough: α > (1/r − 1/n)ρE", alpha > c * rho * E)
SMALL = obligation(
    "κ < 2",
    (KAPPA, QUARTER.conclusion, CHOICE_ETA, LATE, RHO, ALPHA, SMOOTH, LOCAL, ETA_SHOWN.conclusion),
    ours.kappa < 2,
)
CLIP = _cited(_CLIP, (SMALL.conclusion,))
_kappa = c * rho * E / alpha + repaired.drift(printed.step_theorem4(rho, alpha, L), L, E)
_right = (four.initialisation(**START_4) + _kappa * ours.Dm) / (2 - _kappa)
AT_CHOICES = obligation(
    "(A + κ mean Δ_i*)/(2 − κ) at Theorem 4's choices",
    (CLIP.conclusion, NAMED, IS_A.conclusion, KAPPA, SMALL.conclusion, CHOICE_ETA, RHO, ALPHA, SMOOTH, LOCAL),
    ours.gap <= _right,
)
LENGTHS = definition("‖w₀ − w*‖, mean Δ_i*, c ≥ 0", (distance >= 0) & (ours.Dm >= 0) & (c >= 0))
LIMIT_4 = Limit(
    "its right-hand side, α → ∞", _right, alpha, sympy.oo, four.asymptotic(**START_4), "-",
    (RHO, GAMMA, SMOOTH, LOCAL, LIPSCHITZ_POS, LENGTHS),
)  # fmt: skip
EQ4 = (LIMIT_4, LIMIT_K, ETA_SHOWN, QUARTER, SMALL, CLIP, IS_A, AT_CHOICES)

# Normalisation, w* minimises every f_i, norm(0, C) is taken as 0.
NORM = _cited(_NORM, ())
FACTOR = obligation(
    "2 − e ≥ 2 − ρ²E²/α² > 0",
    (KAPPA, CHOICE_ETA, LOCAL_STEPS, RHO, ALPHA, SMOOTH, LOCAL),
    (2 - ours.e >= four.factor_b(rho, E, alpha)) & (four.factor_b(rho, E, alpha) > 0),
)
_B2 = four.theorem4b(**BOUND_4, z_Delta=sympy.Integer(0)) + SAMPLING
GUARANTEE = obligation(
    "(3), repaired, with E[f(w_k̃) − f(w*)]",
    (NORM.conclusion, NAMED, IS_A.conclusion, KAPPA, FACTOR.conclusion, ours.RANGE.conclusion, *CHOICES),
    four.factor_b(rho, E, alpha) * ours.gap <= _B2,
)
ON_F = (ETA_SHOWN, QUARTER, ours.RANGE, NORM, IS_A, FACTOR, GUARANTEE)
BOUND_ON_F = obligation(
    "E[f(w_k̃) − f(w*)] is at most that bound divided by its factor",
    (GUARANTEE.conclusion, FACTOR.conclusion),
    ours.gap <= _B2 / four.factor_b(rho, E, alpha),
)
LIMIT_ON_F = Limit(
    "it tends to the right-hand side of (4) as α → ∞", _B2 / four.factor_b(rho, E, alpha), alpha, sympy.oo,
    four.asymptotic(**START_4), "-",
    (RHO, GAMMA, SMOOTH, LOCAL, LIPSCHITZ_POS, definition("‖w₀ − w*‖, c ≥ 0", (distance >= 0) & (c >= 0))),
)  # fmt: skip
