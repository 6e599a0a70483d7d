"""Claims: a caption against the text, and which results assume what, or need it."""

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
        "DAS-FN4@simplify", PAPER, "Section 4, footnote 4, for Theorem 4 (a)", "prose",
        "We assume Lipschitzness in Theorem 4 to simplify the presentation of results. The detailed results in Appendices C and D do "
        "not assume Lipschitzness, but are messier.",
        "where f_i is G-Lipschitz nothing is cut at C = GE, and what Theorem 6 bounds is a multiple of E[f(w_k̃) − f(w*)]; without "
        "it a client whose update is cut counts with a multiple of ‖u_i‖ (DAS-T6-MEANS)",
        proof=guarantees.NOTHING_CUT,
    ),
)  # fmt: skip
