"""Theorem 4: (a) follows from our round, and from the printed one where |S_k| ≤ r; (b) falls for clients drawn one by one."""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem4 as four
from verify.case import closed
from verify.dp_normfedavg.letters import CLIPPED, LOCAL, SMOOTH, Delta, E, F, L, eta, summed
from verify.dp_normfedavg.ours import seldom
from verify.dp_normfedavg.theorems import choices, rounds, theorem7, theorem7_drawn
from verify.dp_normfedavg.theorems.choices import BOUND_4, CHAT_G, NOT_CUT, G
from verify.dp_normfedavg.theorems.rounds import (
    ALPHA,
    GAMMA,
    INDICATOR,
    RHO,
    S39,
    S39_FACTOR,
    SZ,
    alpha,
    average,
    rho,
    zi,
)
from verify.dp_normfedavg.theorems.theorem6_kept import FACTOR
from verify.facts import Fact, equal, letters, standard
from verify.obligation import obligation
from verify.proof import Proof

# (a): nothing is cut, so Theorem 6's second part with Ĉ = G, its case 1 never met and its threshold never used.
NEVER_CUT = obligation(
    seldom.CASE1.name,
    (NOT_CUT.conclusion, SMOOTH, LOCAL),
    sympy.Implies(CLIPPED.relation, seldom.CASE1.nodes[-1].conclusion.relation),
)
SF, gap = letters("SF mean_gap")
GAP_SUM, GAP_SUM_PRINTED = (
    summed(
        "Σ_i z_i = (2 − 2ηLE − 4η²L²E²) Σ_i (f_i(w_k) − f_i(w*))",
        equal(SZ, FACTOR * SF),
        {SZ: 0, SF: 0},
        {SZ: SZ + zi, SF: SF + F},
        (client, INDICATOR, NOT_CUT.conclusion),
    )
    for client in (seldom.CLIENT, rounds.CLIENT)
)
LINEAR = standard(
    "means and expectations are linear",
    sympy.Implies(equal(SZ, FACTOR * SF), equal(average, FACTOR * gap)),
)
_positive = (RHO, GAMMA, ALPHA, SMOOTH, LOCAL)
FINAL_A, FINAL_A_FIXED = (
    obligation(
        name,
        (
            S39.conclusion,
            S39_FACTOR.conclusion,
            summed_gaps.conclusion,
            LINEAR,
            CHAT_G.conclusion,
            *_positive,
        ),
        four.factor_a(rho, E, alpha) * gap <= four.theorem4a(**BOUND_4, Delta=Delta),
    )
    for name, summed_gaps in (("Theorem 4 (a)", GAP_SUM), ("Theorem 4 (a), |S_k| ≤ r", GAP_SUM_PRINTED))
)


def proof_a(participation: Fact) -> Proof:
    drawn = choices.drawn(participation, seldom.RANGE, LOCAL)
    return closed((*choices.FOUR, *drawn, choices.QUARTER, *seldom.nodes(NEVER_CUT), GAP_SUM, FINAL_A))


PROOF_A = proof_a(choices.PARTICIPATION)

# (b): Theorem 7's second part with Ĉ = G, case 1 never met.
SZF, zgap = letters("SzF mean_z_gap")
FACTOR7 = 2 - 4 * eta**2 * L**2 * E**2
NEVER_CUT7, NEVER_CUT_DRAWN = (
    obligation(
        case.name,
        (NOT_CUT.conclusion, SMOOTH, LOCAL),
        sympy.Implies(CLIPPED.relation, case.nodes[-1].conclusion.relation),
    )
    for case in (theorem7.CASE1, theorem7_drawn.CASE1_DRAWN)
)
GAP_SUM7, GAP_SUM_DRAWN = (
    summed(
        "Σ_i z_i-weighted gaps",
        equal(SZ, FACTOR7 * SZF),
        {SZ: 0, SZF: 0},
        {SZ: SZ + zi, SZF: SZF + theorem7.z * F},
        (client, INDICATOR, NOT_CUT.conclusion),
    )
    for client in (theorem7.CLIENT7, theorem7_drawn.CLIENT_DRAWN)
)
LINEAR7 = standard(
    "means and expectations are linear",
    sympy.Implies(equal(SZ, FACTOR7 * SZF), equal(average, FACTOR7 * zgap)),
)
_tail = (theorem7.FINAL7_FACTOR.conclusion, LINEAR7, CHAT_G.conclusion, *_positive)
_left = four.factor_b(rho, E, alpha) * zgap
_right = four.theorem4b(**BOUND_4, z_Delta=theorem7.zDelta)
FINAL_B = obligation(
    "Theorem 4 (b), |S_k| ≤ r", (theorem7.FINAL7.conclusion, GAP_SUM7.conclusion, *_tail), _left <= _right
)
FINAL_B_DRAWN = obligation(
    "Theorem 4 (b), clients drawn one by one",
    (
        theorem7_drawn.FINAL7_DRAWN.conclusion,
        theorem7_drawn.RANGE,
        theorem7_drawn.NONNEGATIVE.conclusion,
        GAP_SUM_DRAWN.conclusion,
        *_tail,
    ),
    _left <= _right + theorem7_drawn.c * E / alpha * G**2 / (2 * L) * rho,
)
PROOF_A_FIXED = closed(
    (
        *choices.FOUR, *rounds.ROUND_FIXED, NEVER_CUT7, *rounds.PRINTED_CASES, *rounds.GENERAL_NODES, *rounds.SPECIFIC_NODES,
        GAP_SUM_PRINTED, FINAL_A_FIXED,
    )
)  # fmt: skip
_cases = (NEVER_CUT7, theorem7.CASE2, theorem7.S46, theorem7.SUM46)
PROOF_B_FIXED = closed(
    (
        *choices.FOUR, *rounds.ROUND_FIXED, *_cases, theorem7.ROUND7, theorem7.RECURSION7, theorem7.TOTAL7,
        theorem7.S47_FACTOR, theorem7.S47, *theorem7.SPECIFIC_NODES, GAP_SUM7, FINAL_B,
    )
)  # fmt: skip
PROOF_B_DRAWN = closed(
    (
        *choices.FOUR, *rounds.ROUND_FIXED[:5], *rounds.MOMENT_NODES, *theorem7_drawn.nodes((NEVER_CUT7, NEVER_CUT_DRAWN)),
        *theorem7_drawn.SPECIFIC_NODES, GAP_SUM_DRAWN, FINAL_B_DRAWN,
    )
)  # fmt: skip
