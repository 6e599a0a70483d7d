"""Up to which K Corollary 1 of F.4 says nothing where D₂ < α + D₁ is chosen, as it has to be for every K to be covered.

Write G = √(2L(f(x⁰) − f^inf)) ≥ ‖∇f(x⁰)‖ and κ = (K+1)^(1/6). D₂ < α + D₁ gives η̂ < D₁/(4L), so that (f(x⁰) − f^inf)/η̂ is at least
2G²/D₁, and A₁ ≥ 6G²/D₁ + 2D₁ ≥ √48 G by the inequality of the means. (`gentle` has the same for Corollaries 3 and 5.)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy

from bounds.fed_alpha_normec.schedules import eta_hat
from verify.computation import Comparison, Computation
from verify.facts import definition, letters
from verify.fed_alpha_normec.corollaries import rates
from verify.fed_alpha_normec.corollaries.gentle import RISE, STEEP, G, rise
from verify.fed_alpha_normec.letters import GAP, SMOOTH, L, claim
from verify.obligation import Obligation, obligation
from verify.proof import Proof

kappa, D_1, D_2, hat = rates.kappa, rates.D_1, rates.D_2, rates.hat
noise = letters("noise")[0]
CHOICES = (SMOOTH, rates.CONSTANTS, rates.START_LATER)
_NOISE = definition("noise = 2√B D₂/√M ≥ 0", noise >= 0)
_ROOM = obligation(
    "rise D₁ ≥ 2G²",
    (*CHOICES, rates.BELOW, GAP, rates.HAT, STEEP, RISE),
    (rise * D_1 >= 2 * G**2) & (rise >= 0),
)


def _nothing(factor: int, square: int) -> Obligation:
    """With `factor` before the first term the bound is at least G for κ² ≤ `square`."""
    first = f"{factor}(f(x⁰) − f^inf)/η̂" if factor > 1 else "(f(x⁰) − f^inf)/η̂"
    bound = (factor * rise + 2 * D_1 + noise) / kappa + hat * L / 2 / kappa**5
    return obligation(
        f"K + 1 = κ⁶ ≤ {round(square**0.5)}⁶ ⇒ G ≤ the bound with {first}"
        if factor == 1
        else f"K + 1 = κ⁶ ≤ {square}³ ⇒ G ≤ the bound",
        (*CHOICES, rates.HAT, STEEP, _NOISE, _ROOM.conclusion),
        sympy.Implies(kappa**2 <= square, bound >= G),
    )


def _says_something(factor: int, rounds: int, choice: Fraction) -> Callable[[], Comparison]:
    """The bound without noise against G = L = 1 at that K + 1, D₁ = `choice`, at an α near 0 and a D₂ just below α + D₁. Rounded up:
    κ is replaced by a κ' with κ'⁶ ≤ K + 1."""

    def run() -> Comparison:
        a, D1, gap, L_ = Fraction(1, 10**9), choice, Fraction(1, 2), Fraction(1)
        D2 = D1
        low = Fraction(int((rounds ** (1 / 6) - 1e-9) * 10**8), 10**8)
        length = eta_hat(L_, D1, D2, a)
        bound = (factor * gap / length + 2 * D1) / low + length * L_ / 2 / low**5
        met = (("D₂ < α + D₁", D2 < a + D1), ("κ'⁶ ≤ K + 1, κ' > 0", 0 < low and low**6 <= rounds))
        return Comparison(bound, "<", Fraction(1), met)

    return run


CLAIMS = (
    claim(
        "FED-C1-VAC",
        "ours, Corollary 1 of F.4 where D₂ < α + D₁",
        "ours",
        "If D₂ < α + D₁, the bound of F.4's corollary is no less than √(2L(f(x⁰)−f^inf)) ≥ ‖∇f(x⁰)‖ for K + 1 ≤ 48³ = 110,592, "
        "whatever the constants are; for K + 1 = 110,604, p = 1 and no noise it can be less. Without the 3 in A₁ that is so for "
        "K + 1 ≤ 4⁶ = 4,096, and at K + 1 = 4,100 it can be less.",
        "D₂ < α + D₁ gives η̂ < D₁/(4L), so that A₁ > 6 · 2L(f(x⁰)−f^inf)/D₁ + 2D₁, and that is at least √48 √(2L(f(x⁰)−f^inf)).",
        proof=Proof(
            (SMOOTH, rates.CONSTANTS, rates.BELOW, rates.HAT),
            (
                _ROOM,
                _nothing(3, 48),
                Computation(
                    "D₁ = √3 √(2L(f(x⁰)−f^inf)), nearly: less at K + 1 = 110,604", "enumeration",
                    _says_something(3, 110_604, Fraction(1_732_051, 10**6)),
                ),
                _nothing(1, 16),
                Computation(
                    "D₁ = √(2L(f(x⁰)−f^inf)): less at K + 1 = 4,100", "enumeration", _says_something(1, 4_100, Fraction(1))
                ),
            ),
        ),
        consequence="The 3 may be left out (FED-C1-MAIN).",
    ),
)  # fmt: skip
