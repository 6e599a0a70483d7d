"""Corollaries 4 and 6 with a constant in O(·) that may depend on the problem: the term in Δ^inf alone bounds ‖∇f(x⁰)‖.

√(2L(f(x⁰) − f^inf)) ≥ ‖∇f(x⁰)‖ is √(2(f(x⁰) − f^inf)/Δ^inf) times √L√Δ^inf. Corollary 2 has no such term, and no such constant
(`short_way`).
"""

from __future__ import annotations

import sympy

from verify.claim import Claim
from verify.facts import definition, letters
from verify.fed_alpha_normec.corollaries.gentle import FIRST, STEEP
from verify.fed_alpha_normec.displays import COROLLARIES
from verify.fed_alpha_normec.letters import GAP, SMOOTH, SPREAD, Delta, F, L, claim
from verify.fed_alpha_normec.ours import rounds as ro
from verify.obligation import obligation
from verify.proof import Proof

others = letters("others")[0]
_OTHERS = definition("the other terms under O(·) are not negative", others >= 0)
_SERVES = obligation(
    "min E‖∇f‖ ≤ √(2(f(x⁰) − f^inf)/Δ^inf) times what stands under O(·)",
    (SMOOTH, SPREAD, GAP, STEEP, FIRST.conclusion, _OTHERS),
    ro.low <= sympy.sqrt(2 * F / Delta) * (others + sympy.sqrt(L) * sympy.sqrt(Delta)),
)
_PROOF = Proof((SMOOTH, SPREAD), (FIRST, _SERVES))


def _reading(number: int, place: str) -> Claim:
    return claim(
        f"FED-C{number}@own-constant",
        f"{place}, a constant in O(·) that depends on f(x⁰) − f^inf and Δ^inf too",
        "corollary",
        f"{COROLLARIES[f'FED-C{number}']} [the constant in O(·) may depend on f(x⁰) − f^inf and Δ^inf]",
        "True, and it says nothing: ‖∇f(x⁰)‖ ≤ √(2L(f(x⁰)−f^inf)), which is √(2(f(x⁰)−f^inf)/Δ^inf) times √L√Δ^inf, so that no round "
        "is needed, nor any of the choices.",
        proof=_PROOF,
        consequence=f"Read with a constant that does not depend on these it is false: FED-C{number}.",
    )


CLAIMS = (_reading(4, "Appendix F.3, Corollary 4"), _reading(6, "Appendix G.3, Corollary 6"))
