"""Claims: a caption against the text, and which results assume what, or need it."""

from __future__ import annotations

from fractions import Fraction

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.dp_normfedavg.displays import THEOREMS
from verify.dp_normfedavg.theorems import claims as theorems
from verify.dp_normfedavg.theorems import guarantees
from verify.proof import Proof

PAPER = "dp-normfedavg"
ZERO, ONE = Fraction(0), Fraction(1)


def _assume_lipschitz() -> Comparison:
    """How often Theorems 6 and 7, or the assumptions of their proofs, say Lipschitz."""
    said = [THEOREMS[name] for name in ("6", "6 specific", "7", "7 specific")]
    proofs = (theorems.SIX_FIXED, theorems.SIX_SPECIFIC, theorems.SEVEN_GENERAL_FIXED, theorems.SEVEN_FIXED)
    said += [fact.name for proof in proofs for fact in proof.assumptions]
    return Comparison(Fraction(sum("Lipschitz" in text for text in said)), "==", ZERO)


def _without_lipschitz(v: Values) -> Comparison:
    """(2) with Ĉ = C/E for G, on f(w) = Lw²/2, one client, one local step, everything else as Theorem 4 chooses it.

    A clipped step moves E w_k by at most ηC, so that E w_k ≥ w₀ − kηC, and E w_k² ≥ (E w_k)² while that is positive.
    """
    L, C, start, alpha, rho, gamma = v["L"], v["C_hat"], v["w0"], v["alpha"], v["rho"], v["gamma"]
    eta, K = printed.step_theorem4(rho, alpha, L), printed.rounds_theorem4(alpha, gamma, C, rho)
    means = [start - k * eta * C for k in range(int(K))]
    left = four.factor_a(rho, ONE, alpha) * sum((L * w**2 / 2 for w in means), ZERO) / K
    met = (
        ("f convex and L-smooth, Δ_1* = 0", L > 0), ("E w_k > 0 in every round", min(means) > 0),
        ("K is a whole number", K == int(K) > 0),
        ("α ≥ 1", alpha >= 1), ("E = 1 ≤ α/(2ρ)", alpha / (2 * rho) >= 1), ("0 < ρ < 1", 0 < rho < 1), ("γ, Ĉ > 0", min(gamma, C) > 0),
    )  # fmt: skip
    return Comparison(left, "<=", four.theorem4a(C, L, abs(start), gamma, rho, ONE, alpha, ZERO), met)


CLAIMS = (
    Claim(
        "DAS-APPF-SNR", PAPER, "Figure 3, caption, against Appendix F, text", "definition",
        "SNR := ‖((1/r) Σ_{i∈S_k} g_k^{(i)})/((1/r) Σ_{i∈S_k} ζ_k^{(i)})‖ (caption of Figure 3) […] "
        "SNR := ‖(1/r) Σ_{i∈S_k} g_k^{(i)}‖/‖(1/r) Σ_{i∈S_k} ζ_k^{(i)}‖ (text)",
        "the text's quotient of two norms is the definition that is used here",
        undecided="in the text that was read the caption has the norm of a quotient of vectors, which does not exist; that text is a "
        "transcript, in which the two norm signs in the middle may have been lost",
    ),
    Claim(
        "DAS-FN4", PAPER, "Section 4, footnote 4", "prose",
        "The detailed results in Appendices C and D do not assume Lipschitzness, but are messier.",
        "neither the words of Theorems 6 and 7 nor the proofs that were checked assume it",
        proof=Proof((), (Computation("no assumption names a Lipschitz constant", "enumeration", _assume_lipschitz),)),
    ),
    Claim(
        "DAS-FN4@simplify", PAPER, "Section 4, footnote 4, first sentence", "prose",
        "We assume Lipschitzness in Theorem 4 to simplify the presentation of results. [read as: (2) holds without it, with Ĉ = C/E "
        "for G]",
        "it changes what is guaranteed: from far off a clipped step goes the same way whatever f_i(w) is, and f_i(w_k) − f_i(w*) has "
        "no such bound; Theorem 6 bounds a multiple of ‖u_i‖ in its place where an update is cut (DAS-T6-MEANS)",
        witness=Witness(
            {"L": ONE, "C_hat": ONE, "w0": Fraction(100), "alpha": ONE, "rho": Fraction(1, 2), "gamma": Fraction(25)},
            "(2 − ρE/α − ρ²E²/α²) E[f(w_k̃) − f(w*)] ≤ Ĉ(L‖w₀ − w*‖²/γ + γ/L)ρ; the left side is a lower bound", _without_lipschitz,
            "one client, f(w) = w²/2, in 200 rounds of one local step, each of which moves the mean of w by at most 1/4, from w₀ = "
            "100",
        ),
        repair=Repair(
            "where f_i is G-Lipschitz nothing is cut at C = GE, and what Theorem 6 bounds is (2)'s left-hand side",
            "‖u_i‖ ≤ C for every client in every round", guarantees.NOTHING_CUT,
        ),
    ),
)  # fmt: skip
