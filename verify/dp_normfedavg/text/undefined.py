"""Claims: operators at 0, updates of clients that are not drawn, and numbers of rounds and of local steps that are none."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.dp_normfedavg import choices as printed
from verify.case import closed
from verify.claim import Claim, Gap, Repair
from verify.computation import Comparison, Computation
from verify.dp_normfedavg.counterexamples import runs
from verify.dp_normfedavg.letters import CUT, LOCAL, E, U
from verify.dp_normfedavg.theorems.choices import C
from verify.dp_normfedavg.theorems.rounds import ALPHA, RHO, TOTAL, K, alpha, gamma, rho
from verify.dp_normfedavg.theorems.sampling import UNBIASED, one_by_one
from verify.facts import definition, equal, hypothesis, letters
from verify.obligation import obligation
from verify.proof import Proof

PAPER = "dp-normfedavg"

# norm(0, C) and clip(0, C).
sent, factor = letters("message_norm factor")
NORM_SET = obligation(
    "‖norm(u, C)‖ ≤ C for every u, which is what the noise is set for",
    (
        definition(
            "‖norm(u, C)‖ = (C/‖u‖)‖u‖, and 0 at u = 0",
            ((U > 0) & equal(sent, C / U * U)) | (equal(U, 0) & equal(sent, 0)),
        ),
        CUT,
    ),
    sent <= C,
)
CLIP_SET = obligation(
    "the factor is 1 for every u with ‖u‖ ≤ C, as it is printed for u ≠ 0",
    (
        definition(
            "‖u‖ min(1, C/‖u‖) = min(‖u‖, C) for u ≠ 0, and min(1, C/0) = 1",
            ((U > 0) & equal(factor * U, sympy.Min(U, C))) | (equal(U, 0) & equal(factor, 1)),
        ),
        CUT,
    ),
    sympy.Implies(U <= C, equal(factor, 1)),
)
AT_ZERO = Gap("undefined", "division by ‖u‖ = 0, for a client at its own minimiser", runs.AT_MINIMISER)


# Clients that are not drawn.
def _not_drawn() -> Comparison:
    """The chance that client 0 is not drawn, n = 2 and r = 1."""
    missed = sum((chance for chosen, chance in one_by_one(2, Fraction(1)) if 0 not in chosen), Fraction(0))
    return Comparison(missed, ">", Fraction(0))


# Theorem 4's K.
WHOLE = obligation(
    "γ = K C ρ²/(2α) gives K = (2αγ/C)/ρ²",
    (TOTAL, RHO, ALPHA, CUT, hypothesis("γ = KCρ²/(2α)", equal(gamma, K * C * rho**2 / (2 * alpha)))),
    equal(K, printed.rounds_theorem4(alpha, gamma, C, rho)),
)

NO_LOCAL_STEP = obligation(
    "no E ≥ 1 satisfies E ≤ α/(2ρ)",
    (hypothesis("1/2 < ρ < 1", (2 * rho > 1) & (rho < 1)), ALPHA, hypothesis("α < 2ρ", alpha < 2 * rho)),
    alpha / (2 * rho) < 1,
)
SOME_LOCAL_STEP = obligation(
    "for a given E ≥ 1, E ≤ α/(2ρ) exactly where α ≥ 2ρE",
    (RHO, LOCAL, ALPHA),
    sympy.And(
        sympy.Implies(E <= alpha / (2 * rho), alpha >= 2 * rho * E),
        sympy.Implies(alpha >= 2 * rho * E, E <= alpha / (2 * rho)),
    ),
)


def _not_whole() -> Comparison:
    """The denominator of K at α = γ = 1, C = 3, ρ = 1/2."""
    one = Fraction(1)
    rounds = printed.rounds_theorem4(one, one, Fraction(3), Fraction(1, 2))
    return Comparison(Fraction(rounds.denominator), ">", one, (("K = 8/3", rounds == Fraction(8, 3)),))


CLAIMS = (
    Claim(
        "DAS-NORM-ZERO", PAPER, "Algorithm 1, line 11, against Section 2, Notation", "definition",
        "The normalization function norm : ℝ^d − {0_d} × ℝ^+ → ℝ^d is defined as norm(z, c) := cz/‖z‖ […] g_k^{(i)} = "
        "norm(u_k^{(i)}, C) "
        "= Cu_k^{(i)}/‖u_k^{(i)}‖",
        "norm is defined on vectors other than 0 only, and a client at its own minimiser has u = 0; Theorems 4 (b) and 7 "
        "divide by ‖u‖ too",
        repair=Repair("norm(0, C) := 0", "norm(0, C) is set to 0", closed((NORM_SET,)), "any vector of norm at most C would do "
            "for privacy"),
        gap=AT_ZERO,
        consequence="set norm(0, C) = 0 (as our theorem for normalisation does)",
    ),
    Claim(
        "DAS-CLIP-ZERO", PAPER, "Section 2, Notation; Algorithm 1, line 10; Table 1", "definition",
        "The clipping function clip : ℝ^d × ℝ^+ → ℝ^d is defined as clip(z, c) := z min(1, c/‖z‖) […] g_k^{(i)} = "
        "clip(u_k^{(i)}, C) = "
        "u_k^{(i)} min(1, C/‖u_k^{(i)}‖)",
        "0 belongs to the domain that is printed, and c/0 is no number; any value of the minimum gives clip(0, c) = 0",
        repair=Repair("with min(1, c/0) = 1", "min(1, c/0) is read as 1", closed((CLIP_SET,)), "any number in its place gives 0 "
            "as well"),
        gap=AT_ZERO,
        consequence="none but for code that divides by ‖u‖",
    ),
    Claim(
        "DAS-ALG1-UNDRAWN", PAPER, "Theorem 4 (b), eq. (3), against Algorithm 1, lines 4 to 9", "definition",
        "4: for client i ∈ S_k do […] 9: Let u_k^{(i)} = (w_k − w_{k,E}^{(i)})/η_k. (Algorithm 1) […] (1/n) Σ_{i=1}^n "
        "(GE/‖u_{k̃}^{(i)}‖)(f_i(w_{k̃}) − f_i(w*)) […] In the results above, we remind the reader that u_{k̃}^{(i)} is the i^{th} "
        "client's update at a random round number k̃ (see line 9 in Algorithm 1). (Theorem 4)",
        "line 9 sets u_k^{(i)} for the clients that are drawn, and (3), as Theorems 6 and 7 and their proofs, has it for all n",
        repair=Repair(
            "of all n clients, u_k^{(i)} being what lines 5 to 9 would give; in expectation a mean over them is (1/r) Σ_{i∈S_k}, the "
            "same over those that are drawn",
            "u_k^{(i)} is set for every client in every round, drawn or not", closed((UNBIASED,)), "for r = n everybody is drawn",
        ),
        gap=Gap("undefined", "u_k^{(i)} of a client that is not drawn", Proof(
            (), (Computation("a client is not drawn with positive probability, n = 2, r = 1", "enumeration", _not_drawn),))),
        consequence="none: it is how the claims on Theorems 4, 6 and 7 read it",
    ),
    Claim(
        "DAS-T4-KWHOLE", PAPER, "Theorem 4", "definition", "Pick some γ > 0 and α ≥ 1. […] K = (2αγ/C)(1/ρ²).",
        "K is a number of rounds, but the formula is a whole number for special γ only",
        repair=Repair("pick a whole K ≥ 1 and let γ = KCρ²/(2α)", "γ is set by K", closed((WHOLE,)), "every whole K is reached"),
        gap=Gap("undefined", "a run of 8/3 rounds (α = γ = 1, C = 3, ρ = 1/2)", Proof(
            (), (Computation("K = 8/3 is no whole number", "enumeration", _not_whole),))),
    ),
    Claim(
        "DAS-T4-ESTEPS", PAPER, "Theorem 4", "definition",
        "Pick some γ > 0 and α ≥ 1. In Algorithm 1, choose E ≤ α/(2ρ)",
        "for 1/2 < ρ < 1 and α < 2ρ there is no such E, a number of local steps (ρ = 9/10, α = 1: E ≤ 5/9); Definition 2 assumes no "
        "more than ρ < 1",
        repair=Repair("take a whole E ≥ 1 and pick α ≥ max(1, 2ρE)", "α ≥ 2ρE", closed((SOME_LOCAL_STEP,)), "an equivalence"),
        gap=Gap("undefined", "E, where 1/2 < ρ < 1 and 1 ≤ α < 2ρ", closed((NO_LOCAL_STEP,))),
    ),
)  # fmt: skip
