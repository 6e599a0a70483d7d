"""Claims: places where the text contradicts itself, or says which of its results assume what."""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Claim
from verify.dp_normfedavg import theorems
from verify.dp_normfedavg.displays import THEOREMS
from verify.proof import Comparison, Computation, Proof

PAPER = "dp-normfedavg"
ZERO = Fraction(0)

# Figure 3: the norm of a quotient of vectors.
CAPTION = "SNR := ‖((1/r) Σ_{i∈S_k} g_k^{(i)})/((1/r) Σ_{i∈S_k} ζ_k^{(i)})‖"
TEXT = "SNR := ‖(1/r) Σ_{i∈S_k} g_k^{(i)}‖/‖(1/r) Σ_{i∈S_k} ζ_k^{(i)}‖"


def _two_ratios() -> Comparison:
    """The square of both for the vectors (1, 1) and (1, 2), the quotient of the caption taken entry by entry."""
    signal, noise = (Fraction(1), Fraction(1)), (Fraction(1), Fraction(2))
    caption = sum(((a / b) ** 2 for a, b in zip(signal, noise, strict=True)), ZERO)
    text = sum((a**2 for a in signal), ZERO) / sum((b**2 for b in noise), ZERO)
    return Comparison(caption, "!=", text)


# [29] by its title in the list of references.
TITLE = "Differentially private learning with adaptive clipping."


def _adaptive() -> Comparison:
    """How many words of the title say that the threshold is set in advance, against how many say that it adapts."""
    words = TITLE.rstrip(".").split()
    return Comparison(Fraction(words.count("pre-determined")), "<", Fraction(words.count("adaptive")))


def _assume_lipschitz() -> Comparison:
    """How often Theorems 6 and 7, or the assumptions of their proofs, say Lipschitz."""
    said = [THEOREMS[name] for name in ("6", "6 specific", "7", "7 specific")]
    proofs = (theorems.SIX_FIXED, theorems.SIX_SPECIFIC, theorems.SEVEN_GENERAL_FIXED, theorems.SEVEN_FIXED)
    said += [fact.name for proof in proofs for fact in proof.assumptions]
    return Comparison(Fraction(sum("Lipschitz" in text for text in said)), "==", ZERO)


CLAIMS = (
    Claim(
        "DAS-APPF-SNR", PAPER, "Figure 3, caption, against Appendix F, text", "definition",
        f"{CAPTION} (caption of Figure 3) […] {TEXT} (text)",
        "the caption takes the norm of a quotient of two vectors, which does not exist in 200 dimensions, nor is it the text's "
        "quotient of "
        "norms where it is taken entry by entry; so it stands in the text as it is stored here, perhaps by a slip of the "
        "transcription",
        conflict=Proof((), (Computation("entry by entry: 5/4 against 2/5", "enumeration", _two_ratios),)),
    ),
    Claim(
        "DAS-S1-ADAPTIVE", PAPER, "Section 1 against reference [29]", "prose",
        "exemplified by DP-FedAvg [15, 29], involves each client first computing its update as it would have been under vanilla "
        "FedAvg[23], "
        f"then clipping its norm to a pre-determined threshold […] [29] Om Thakkar, Galen Andrew, and H Brendan McMahan. {TITLE}",
        "[29] adapts the threshold while it trains, as its title says: no example of one that is set in advance",
        conflict=Proof((), (Computation("“adaptive” in the title of [29]", "enumeration", _adaptive),)),
    ),
    Claim(
        "DAS-FN4", PAPER, "Section 4, footnote 4", "prose",
        "The detailed results in Appendices C and D do not assume Lipschitzness, but are messier.",
        "neither the words of Theorems 6 and 7 nor the proofs that were checked assume it",
        proof=Proof((), (Computation("no assumption names a Lipschitz constant", "enumeration", _assume_lipschitz),)),
    ),
)  # fmt: skip
