"""Lemma 4: descent of a normalised step."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.lemmas.lemma_displays import LEMMAS
from verify.fed_alpha_normec.letters import ETA, SMOOTH, L, claim, eta, values
from verify.gram import Space, inner, square, vectors
from verify.obligation import obligation
from verify.proof import Proof

f, f_next, a, b, e = letters("f f_next a b e")
g, G = vectors("g G")
SPACE = Space((g, G))
grad, size, error = SPACE.norm(g, "a"), SPACE.norm(G, "b"), SPACE.norm(g - G, "e")
NONZERO = hypothesis("b = ‖Gᵏ‖ ≠ 0", size > 0)
along, length2 = letters("⟨∇f,xᵏ⁺¹−xᵏ⟩ ‖xᵏ⁺¹−xᵏ‖²")
DESCENT = standard("descent lemma from xᵏ to xᵏ⁺¹", f_next <= f + along + L / 2 * length2)
UPDATE = definition(
    "xᵏ⁺¹ − xᵏ = −ηG/‖G‖",
    equal(along * size, -eta * inner(g, G)) & equal(length2 * size**2, eta**2 * square(G)),
)
SPLIT = obligation(
    "f' ≤ f − (η/‖G‖)⟨G, G⟩ + (η/‖G‖)⟨G − ∇f, G⟩ + Lη²/2",
    (ETA, SMOOTH, NONZERO, DESCENT, UPDATE, *SPACE.facts()),
    f_next <= f - eta / size * square(G) + eta / size * inner(G - g, G) + L * eta**2 / 2,
)
SQUARED = obligation(
    "(η/‖G‖)⟨G, G⟩ = η‖G‖, and so f' ≤ f − η‖G‖ + (η/‖G‖)⟨G − ∇f, G⟩ + Lη²/2",
    (NONZERO, SPLIT.conclusion, *SPACE.facts()),
    equal(eta / size * square(G), eta * size)
    & (f_next <= f - eta * size + eta / size * inner(G - g, G) + L * eta**2 / 2),
)
CAUCHY = obligation(
    "f' ≤ f − η‖G‖ + η‖∇f − G‖ + Lη²/2",
    (ETA, SMOOTH, NONZERO, SPLIT.conclusion, *SPACE.facts()),
    f_next <= f - eta * size + eta * error + L * eta**2 / 2,
)
TRIANGLE = obligation("‖∇f‖ ≤ ‖G‖ + ‖∇f − G‖", SPACE.facts(), grad <= size + error)
LEMMA4 = obligation(
    "f' ≤ f − η‖∇f‖ + 2η‖∇f − G‖ + Lη²/2",
    (ETA, SMOOTH, CAUCHY.conclusion, TRIANGLE.conclusion),
    f_next <= f - eta * grad + 2 * eta * error + L * eta**2 / 2,
)
NO_STEP = hypothesis("Gᵏ = 0 and xᵏ⁺¹ = xᵏ", equal(e, a) & equal(f_next, f))
AT_ZERO = obligation(
    "0/0 = 0: the step x' = x also satisfies it",
    (ETA, SMOOTH, definition("‖∇f‖ ≥ 0", a >= 0), NO_STEP),
    f_next <= f - eta * a + 2 * eta * e + L * eta**2 / 2,
)
LEMMA4_NODES = (SPLIT, CAUCHY, TRIANGLE, LEMMA4)

# Both cases at once, as the theorems use it: along = ⟨∇f, G⟩/‖G‖ where G ≠ 0.
(along,) = letters("along")
MOVED = standard(
    "descent lemma at xᵏ − ηG/‖G‖ where G ≠ 0",
    sympy.Or(size <= 0, equal(along * size, inner(g, G)) & (f_next <= f - eta * along + L * eta**2 / 2)),
)
CONVENTION = definition(
    "0/0 = 0, a convention that the text does not print: xᵏ⁺¹ = xᵏ where G = 0",
    sympy.Or(size > 0, equal(f_next, f)),
)
LEMMA4_ANY = obligation(
    "f' ≤ f − η‖∇f‖ + 2η‖∇f − G‖ + Lη²/2, with 0/0 = 0",
    (ETA, SMOOTH, MOVED, CONVENTION, *SPACE.facts()),
    f_next <= f - eta * grad + 2 * eta * error + L * eta**2 / 2,
)


def _divisor(numbers: Values) -> Comparison:
    return Comparison(abs(numbers["G"]), "!=", Fraction(0), (("γ > 0", numbers["gamma"] > 0),))


UNDEFINED = Gap(
    "undefined",
    "Gᵏ/‖Gᵏ‖ at Gᵏ = 0",
    Witness(values(G=0, gamma=1), "‖Gᵏ‖ is not 0", _divisor, "f = 0, d = 1, Gᵏ = 0: any xᵏ"),
)
_S1 = (ETA, SMOOTH, NONZERO)
_WHERE = " [where G^k ≠ 0]"
CLAIMS = (
    claim(
        "FED-L4",
        "Appendix E, Lemma 4",
        "lemma",
        LEMMAS["FED-L4"],
        "True wherever the update has a value, with η for the lemma's γ; Gᵏ = 0 is not excluded, and there it has none. No lower "
        "bound on f is needed.",
        repair=Repair(
            "The lemma for every Gᵏ, with x^{k+1} = x^k where Gᵏ = 0.",
            "0/0 = 0",
            Proof((ETA, SMOOTH), (LEMMA4_ANY,)),
            weakest="the condition only says that x^{k+1} exists; for Gᵏ ≠ 0 the lemma holds as it is printed",
        ),
        gap=UNDEFINED,
    ),
    claim(
        "FED-L4@zero",
        "Lemma 4 at Gᵏ = 0 with 0/0 = 0",
        "ours",
        LEMMAS["FED-L4"] + " [and x^{k+1} = x^k where G^k = 0]",
        "The convention keeps the lemma: a step that is not made loses nothing against 2γ‖∇f‖.",
        proof=Proof((ETA, SMOOTH, NO_STEP), (AT_ZERO, LEMMA4_ANY)),
    ),
    claim(
        "FED-L4-S1",
        "Appendix E, proof of Lemma 4, first display",
        "step",
        LEMMAS["FED-L4-S1"] + _WHERE,
        "An identity after the descent lemma, and ⟨G, G⟩ = ‖G‖². (Of Gᵏ = 0: FED-L4.)",
        proof=Proof(_S1, (SPLIT, SQUARED)),
    ),
    claim(
        "FED-L4-S2",
        "Appendix E, proof of Lemma 4, Cauchy–Schwarz",
        "step",
        LEMMAS["FED-L4-S2"] + _WHERE,
        "Cauchy–Schwarz. (Of Gᵏ = 0: FED-L4.)",
        proof=Proof(_S1, (SPLIT, CAUCHY)),
    ),
    claim(
        "FED-L4-S3",
        "Appendix E, proof of Lemma 4, last display",
        "step",
        LEMMAS["FED-L4-S3"] + _WHERE,
        "Triangle inequality. (Of Gᵏ = 0: FED-L4.)",
        proof=Proof(_S1, LEMMA4_NODES),
    ),
)
