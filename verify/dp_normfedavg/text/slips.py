"""Claims: captions against the text, a subset that is called an element, and which results assume what, or need it."""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Claim
from verify.computation import Comparison, Computation
from verify.dp_normfedavg.displays import THEOREMS
from verify.dp_normfedavg.theorems import claims as theorems
from verify.dp_normfedavg.theorems import guarantees
from verify.proof import Proof

PAPER = "dp-normfedavg"
ZERO = Fraction(0)


def _assume_lipschitz() -> Comparison:
    """How often Theorems 6 and 7, or the assumptions of their proofs, say Lipschitz."""
    said = [THEOREMS[name] for name in ("6", "6 specific", "7", "7 specific")]
    proofs = (theorems.SIX_FIXED, theorems.SIX_SPECIFIC, theorems.SEVEN_GENERAL_FIXED, theorems.SEVEN_FIXED)
    said += [fact.name for proof in proofs for fact in proof.assumptions]
    return Comparison(Fraction(sum("Lipschitz" in text for text in said)), "==", ZERO)


def by_points() -> Comparison:
    """Two laws on three outputs, e^ε = 2 and δ = 1/4: (6) holds at every output in both directions, and for the first two together
    it does not."""
    p, other, factor, delta = (
        (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)), (ZERO, ZERO, Fraction(1)), Fraction(2), Fraction(1, 4),
    )  # fmt: skip
    pairs = (*zip(p, other, strict=True), *zip(other, p, strict=True))
    met = (("at every output", all(a <= factor * b + delta for a, b in pairs)),)
    return Comparison(sum(p[:2], ZERO), ">", factor * sum(other[:2], ZERO) + delta, met)


CLAIMS = (
    Claim(
        "DAS-APPA-SUBSET", PAPER, "Appendix A, eq. (6)", "definition",
        "M : X → Y is said to be (ε, δ)-DP, if for any two neighboring datasets D, D′ ∈ D_c and for any measurable subset of outputs "
        "R ∈ Y, P(M(h(D)) ∈ R) ≤ e^ε P(M(h(D′)) ∈ R) + δ.",
        "M maps to Y, so that a set R of outputs is a subset of Y and not one of its elements",
        undecided="in the text that was read R, “any measurable subset of outputs”, stands in the relation ∈ to Y, of which it is a "
        "subset by these words; that text is a transcript, in which ⊆ may have been misread; the pages of the paper would decide",
        consequence="read R ⊆ Y, as the claims on privacy do. Of single outputs (6) would ask for less: with e^ε = 2 and δ = 1/4 it "
        "holds at each of three outputs for the laws (1/4, 1/4, 1/2) and (0, 0, 1), and not of the first two together",
    ),
    Claim(
        "DAS-APPF-START", PAPER, "Figure 4, caption, against Appendix F, text", "definition",
        "Smoothed 2D projection of the trajectories of DP-FedAvg with clipping and DP-NormFedAvg for the cases of C = 100, η = 0.001 "
        "(left) and C = 50, η = 0.003 (right) with initialization II considered in Figure 2. (caption of Figure 4) […] We consider "
        "two different initializations with different distances from the global optimum w* – (i) I1: w₀ = w* + z, and (ii) I2: "
        "w₀ = w* + z/5 (text)",
        "our runs of Figure 4 start from I1, as the text around it has it",
        undecided="in the text that was read the caption has “II”, which neither start is called; that text is a transcript, in which "
        "“I1” may have been misread; the pages of the paper would decide (the text has I1 for both pictures of Figure 4)",
        consequence="read I1",
    ),
    Claim(
        "DAS-APPF-SNR", PAPER, "Figure 3, caption, against Appendix F, text", "definition",
        "SNR := ‖((1/r) Σ_{i∈S_k} g_k^{(i)})/((1/r) Σ_{i∈S_k} ζ_k^{(i)})‖ (caption of Figure 3) […] "
        "SNR := ‖(1/r) Σ_{i∈S_k} g_k^{(i)}‖/‖(1/r) Σ_{i∈S_k} ζ_k^{(i)}‖ (text)",
        "the text's quotient of two norms is the definition that is used here",
        undecided="in the text that was read the caption has the norm of a quotient of vectors, which does not exist; that text is a "
        "transcript, in which the two norm signs in the middle may have been lost; the pages of the paper would decide",
    ),
    Claim(
        "DAS-FN4", PAPER, "Section 4, footnote 4", "prose",
        "The detailed results in Appendices C and D do not assume Lipschitzness, but are messier.",
        "neither the words of Theorems 6 and 7 nor the proofs that were checked assume it",
        proof=Proof((), (Computation("no assumption names a Lipschitz constant", "enumeration", _assume_lipschitz),)),
    ),
    Claim(
        "DAS-FN4@simplify", PAPER, "Section 4, footnote 4", "prose",
        "We assume Lipschitzness in Theorem 4 to simplify the presentation of results. The detailed results in Appendices C and D do "
        "not assume Lipschitzness, but are messier.",
        "where f_i is G-Lipschitz nothing is cut at C = GE: both indicators and the term 3Ĉ‖u_i‖/(8LE) are gone, and what Theorem 6 "
        "bounds is a multiple of E[f(w_k̃) − f(w*)], what Theorem 7 bounds one of (3)'s mean with the weights GE/‖u_i‖ (any number ≥ 0 "
        "where u_i = 0); without it a client whose update is cut counts with a multiple of ‖u_i‖ (DAS-T6-MEANS, DAS-T7-MEANS)",
        proof=guarantees.LIPSCHITZ_MEANS,
    ),
)  # fmt: skip
