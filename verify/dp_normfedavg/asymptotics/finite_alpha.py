"""Theorem 4 where all Δ_i* = 0: which of (2) and (3) gives the better bound, on f and on the mean of √(f_i − f_i*).

With x = ρE/α, v = G²/(2L): (2) is (2 − x − x²) E[f(w_k̃) − f*] ≤ A and (3) is (2 − x²) E mean z_i F_i ≤ A + xv, F_i = f_i(w_k̃) − f_i*.
z_i ≥ 1 makes (3) a bound on f. By Lemma 9 z_i² ≥ v/F_i as well, which is large near the minimum: z_i F_i ≥ √(v F_i).
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem4 as four
from verify.case import closed
from verify.citation import Cite
from verify.claim import Claim
from verify.dp_normfedavg.lemmas.convexity import L9_U, LEMMA9_NODES
from verify.dp_normfedavg.letters import LOCAL, MOVED, SMOOTH, E, L, M, U, summed
from verify.dp_normfedavg.text import prose
from verify.dp_normfedavg.theorems.choices import BOUND_4, LIPSCHITZ_POS, START_4, TRIANGLE, G
from verify.dp_normfedavg.theorems.rounds import ALPHA, RHO, alpha, rho
from verify.dp_normfedavg.theorems.theorem4 import gap, zgap
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.identity import Limit
from verify.obligation import obligation

PAPER = "dp-normfedavg"
A, x, v, gap_clip, gap_norm = letters("A x G2_over_2L bound_clip bound_norm")
mean_Delta, mean_z_Delta = letters("Delta z_Delta")
SOME_TERMS = hypothesis("A, G²/(2L) > 0", (A > 0) & (v > 0))
ROUNDS = hypothesis("E ≤ α/(2ρ), that is 0 < x ≤ 1/2 for x = ρE/α", (x > 0) & (2 * x <= 1))
_below = gap_norm < gap_clip
_large = A > v * (2 - x - x**2)
NAMES = definition(
    "A/(2 − x − x²) and (A + xG²/(2L))/(2 − x²)",
    equal(gap_clip * (2 - x - x**2), A) & equal(gap_norm * (2 - x**2), A + x * v),
)
FINITE = obligation(
    "(3)'s bound on f is below (2)'s exactly where A > (G²/(2L))(2 − x − x²)",
    (ROUNDS, SOME_TERMS, NAMES),
    sympy.And(sympy.Implies(_below, _large), sympy.Implies(_large, _below)),
)  # fmt: skip
NEVER = obligation(
    "A ≤ 5G²/(8L) ⇒ (2)'s bound is the smaller one for every α",
    (FINITE.conclusion, ROUNDS, hypothesis("A ≤ (5/4) G²/(2L)", 4 * A <= 5 * v), SOME_TERMS),
    gap_norm >= gap_clip,
)

# root = √(v F_i), F_i = M where Δ_i* = 0.
z, root, SzM, Sroot = letters("z root SzM Sroot")
WEIGHT = definition("z = GE/‖u‖", equal(z * U, G * E))
TERM = hypothesis("v = G²/(2L)", equal(2 * L * v, G**2))
ALL_ALIKE = hypothesis("all Δ_i* = 0", equal(mean_Delta, 0) & equal(mean_z_Delta, 0))
MEANING = hypothesis(
    "A of (2) and (3), x = ρE/α", equal(A, four.initialisation(**START_4)) & equal(x, rho * E / alpha)
)
PRINTED = obligation(
    "(2) and (3) are (2 − x − x²) E[f(w_k̃) − f*] ≤ A and (2 − x²) E mean z_i F_i ≤ A + xv",
    (MEANING, TERM, ALL_ALIKE, RHO, ALPHA, SMOOTH, LOCAL),
    equal(four.factor_a(rho, E, alpha), 2 - x - x**2)
    & equal(four.theorem4a(**BOUND_4, Delta=mean_Delta), A)
    & equal(four.factor_b(rho, E, alpha), 2 - x**2)
    & equal(four.theorem4b(**BOUND_4, z_Delta=mean_z_Delta), A + x * v),
)
_LHS = {claim.id: claim for claim in prose.CLAIMS}["DAS-S41-LHS"]
_WEIGHED = _LHS.repair.proof.assumptions if _LHS.repair else ()
WEIGHED = Cite(_LHS, (*_WEIGHED, TRIANGLE), repaired=True)
ON_F = obligation(
    "(3) gives E[f(w_k̃) − f*] ≤ (A + xv)/(2 − x²)",
    (
        PRINTED.conclusion,
        WEIGHED.conclusion,
        standard(
            "means and expectations are monotone", sympy.Implies(WEIGHED.conclusion.relation, zgap >= gap)
        ),
        hypothesis(
            "(3)",
            four.factor_b(rho, E, alpha) * zgap <= four.theorem4b(**BOUND_4, z_Delta=mean_z_Delta),
        ),
        ROUNDS,
        NAMES,
    ),
    gap <= gap_norm,
)
ALONE = hypothesis("Δ_i* = 0: F_i = f_i(w_k̃) − f_i* ≥ 0", M >= 0)
ROOT = definition("√(v F)", equal(root**2, v * M) & (root >= 0))
CLIENT = obligation(
    "z_i F_i ≥ √(v F_i)", (L9_U.conclusion, WEIGHT, TERM, ALONE, ROOT, MOVED, LIPSCHITZ_POS, SMOOTH, LOCAL), z * M >= root
)  # fmt: skip
CLIENTS = summed(
    "Σ z_i F_i ≥ Σ √(v F_i)", SzM >= Sroot, {SzM: 0, Sroot: 0}, {SzM: SzM + z * M, Sroot: Sroot + root}, (CLIENT.conclusion,)
)  # fmt: skip
# Bounds on the square of E mean √(v F_i): (2) by Jensen's inequality, (3) as it stands.
SQUARE_2, SQUARE_3 = v * A / (2 - x - x**2), ((A + x * v) / (2 - x**2)) ** 2
LIMIT_2 = Limit("(2)'s as α → ∞", SQUARE_2, x, sympy.Integer(0), v * A / 2, "+", (SOME_TERMS,))
LIMIT_3 = Limit("(3)'s as α → ∞", SQUARE_3, x, sympy.Integer(0), A**2 / 4, "+", (SOME_TERMS,))
ORDER = obligation(
    "(3)'s limit is below (2)'s exactly where A < G²/L",
    (SOME_TERMS,),
    sympy.And(sympy.Implies(A**2 / 4 < v * A / 2, A < 2 * v), sympy.Implies(A < 2 * v, A**2 / 4 < v * A / 2)),
)

BETTER = Claim(
    "DAS-OURS-FINITE", PAPER, "ours, on (2) and (3) at a finite α", "ours",
    "where all Δ_i* = 0 (over-parameterised) and no update is zero the bound on E[f(w_k̃) − f*] that (3) gives by z ≥ 1 is below "
    "(2)'s exactly where A > (G²/(2L))(2 − x − x²), x = ρE/α; for A ≤ 5G²/(8L) normalisation has the better bound "
    "on it at no α. The bound on E mean √(f_i(w_k̃) − f_i*) that (3) gives by Lemma 9 is below (2)'s, as α → ∞, exactly where A < G²/L",
    "normalisation pays G²/(2L) for overshooting, clipping pays ρE/α in its factor, and near the minimum the weights GE/‖u_i‖ of "
    "(3) are large; 4.1 compares the limits α → ∞ with all weights at 1",
    proof=closed((PRINTED, WEIGHED, ON_F, FINITE, NEVER, *LEMMA9_NODES, CLIENT, CLIENTS, LIMIT_2, LIMIT_3, ORDER)),
    consequence="at its best γ A is 2Gρ‖w₀ − w*‖: with little noise the printed theory favours clipping in the mean of f at every "
    "finite α, and normalisation in the mean of √(f_i − f_i*) for large α",
)  # fmt: skip
