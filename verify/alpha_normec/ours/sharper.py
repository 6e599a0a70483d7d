"""Sharper and wider versions of Theorem 1 that come out of its repaired proof."""

from __future__ import annotations

import sympy

from bounds.alpha_normec.ours import THEOREM1_ROOT, THEOREM1_SHARP, THEOREM1_SHARP_ROOT, THEOREM1_WIDE
from verify.alpha_normec.lemmas.lemma2 import POSITIVE_R, SOME_R
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CONTRACTION,
    GAMMA,
    LETTERS,
    PAPER,
    RADIUS,
    ROUNDS,
    R,
    alpha,
    beta,
)
from verify.alpha_normec.theorems import descent
from verify.alpha_normec.theorems.descent import WHOLE, floor
from verify.alpha_normec.theorems.theorem1 import BASE, theorem
from verify.claim import Claim
from verify.facts import definition, equal, hypothesis
from verify.obligation import obligation
from verify.proof import Proof

WIDE = hypothesis("β ≤ (√α + √R)²", beta <= (sympy.sqrt(alpha) + sympy.sqrt(R)) ** 2)
GENTLE = hypothesis("β ≤ α", beta <= alpha)
CONTAINS = obligation(
    "β < α + R implies β ≤ (√α + √R)²",
    (ALPHA, RADIUS),
    sympy.Implies(CONTRACTION.relation, WIDE.relation),
)
_WIDER = theorem(WIDE, R, "R", THEOREM1_WIDE.value(**LETTERS))
OUR_WIDE = Claim(
    id="NEC-OUR-T1-WIDE",
    paper=PAPER,
    place="our generalisation of Theorem 1",
    kind="ours",
    printed="Under Theorem 1's other conditions its bound holds for all β ≤ (√α + √R)², which contains β < α + R.",
    reason="An overshooting residual r comes out as at most (√β − √α)² ≤ R.",
    proof=Proof(_WIDER.assumptions, (CONTAINS, *_WIDER.nodes)),
)
OUR_SHARP = Claim(
    id="NEC-OUR-T1-SHARP",
    paper=PAPER,
    place="our sharpening of Theorem 1",
    kind="ours",
    printed="Under Theorem 1's other conditions, and for β ≤ α in place of β < α + R: its 2R can be replaced by 2R(1 − β/(α+R)).",
    reason="For β ≤ α what remains of a residual r ≤ R is at most R(1 − β/(α+R)), and that is kept.",
    proof=theorem(GENTLE, R * (1 - beta / (alpha + R)), "R(1 − β/(α+R))", THEOREM1_SHARP.value(**LETTERS)),
    consequence="With β = α large the additive term vanishes at fixed R, and the bound tends to normalised gradient "
    "descent's: what the paper wanted from a small D is had from a large α instead.",
)


def _root_proof() -> Proof:
    kept = descent.kept(WIDE, R, "R")
    average = descent.server_error(R, kept[-1].conclusion)
    down = descent.descent_off_the_ball(average[-1].conclusion)
    sums = descent.summed_off_the_ball(down.conclusion)
    same = obligation(
        "which is the stated bound",
        (sums[-1].conclusion, WHOLE, GAMMA, ROUNDS),
        floor <= THEOREM1_ROOT.value(**LETTERS),
    )
    return Proof((*BASE, WIDE), (*kept, *average, down, *sums, same))


OUR_ROOT = Claim(
    id="NEC-OUR-T1-ROOT",
    paper=PAPER,
    place="our sharpening of Theorem 1",
    kind="ours",
    printed="Under Theorem 1's other conditions, and for β ≤ (√α + √R)² in place of β < α + R: min_k ‖∇f(x^k)‖ ≤ √(R² + A²), "
    "A = (f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2, where Theorem 1 has 2R + A.",
    reason="While ‖∇f‖ > R the step deviates from the gradient by at most the angle arcsin(R/‖∇f‖), so it gains "
    "γ√(‖∇f‖² − R²), not only γ(‖∇f‖ − 2R).",
    proof=_root_proof(),
    consequence="The additive error of Theorem 1 is halved at least. It is not added to A: the bound is the root of the sum of "
    "the two squares.",
)
rho = sympy.Symbol("rho", real=True)
RHO = definition("ρ = R(1 − β/(α+R))", equal(rho * (alpha + R), R * (alpha + R - beta)))


def _sharp_root_proof() -> Proof:
    level = R * (1 - beta / (alpha + R))
    kept = descent.kept(GENTLE, level, "R(1 − β/(α+R))")
    average = descent.server_error(level, kept[-1].conclusion)
    norm = obligation("ρ ≥ 0", (ALPHA, BETA, GENTLE, POSITIVE_R, RHO), rho >= 0)
    small = obligation(
        "‖∇f(xᵏ) − g^(k+1)‖ ≤ ρ", (ALPHA, POSITIVE_R, RHO, average[-1].conclusion), descent.error <= rho
    )
    down = descent.descent_off_the_ball(small.conclusion, rho, norm.conclusion)
    sums = descent.summed_off_the_ball(down.conclusion, rho, norm.conclusion)
    same = obligation(
        "which is the stated bound",
        (sums[-1].conclusion, RHO, ALPHA, POSITIVE_R, WHOLE, GAMMA, ROUNDS),
        floor <= THEOREM1_SHARP_ROOT.value(**LETTERS),
    )
    nodes = (SOME_R, *kept, *average, norm, small, down, *sums, same)
    return Proof((*BASE, GENTLE), nodes)


OUR_SHARP_ROOT = Claim(
    id="NEC-OUR-T1-SHARP-ROOT",
    paper=PAPER,
    place="our sharpening of Theorem 1",
    kind="ours",
    printed="Under Theorem 1's other conditions, and for β ≤ α in place of β < α + R: min_k ‖∇f(x^k)‖ ≤ √(ρ² + A²), "
    "ρ = R(1 − β/(α+R)), A = (f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2.",
    reason="NEC-OUR-T1-ROOT with what remains of a residual, ρ, in place of R: for β ≤ α the error of the server's memory "
    "is at most ρ.",
    proof=_sharp_root_proof(),
    consequence="At least as small as NEC-OUR-T1-SHARP and as NEC-OUR-T1-ROOT where both hold.",
)
CLAIMS = (OUR_ROOT, OUR_SHARP_ROOT, OUR_WIDE, OUR_SHARP)
