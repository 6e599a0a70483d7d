"""Corollaries 3 and 5 with all of Theorem 1's conditions granted: the run of `steady`, which is on their schedule.

A reader may take "under the same setting as Theorem 1" to include β/(α+R) < 1 and the conditions on η. They do not save the
corollaries, whose η̂ has Δ^inf where √Δ^inf belongs.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bounds.fed_alpha_normec import corollaries
from bounds.fed_alpha_normec.theorem1 import APPENDIX
from verify.claim import Values, Witness
from verify.computation import Comparison
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.counterexamples.problems import infimum_is_attained
from verify.fed_alpha_normec.counterexamples.steady import FAR, FAR_5, NUMBERS, NUMBERS_5, PROBLEM, Steady
from verify.fed_alpha_normec.theorems import repairs as re


def _replay(right: Callable[[Steady], Fraction]) -> Callable[[Values], Comparison]:
    def replay(numbers: Values) -> Comparison:
        t = Steady(numbers)
        met = (
            (
                "γ, R, β, η as the corollary chooses them, exactly",
                all(isinstance(number, Fraction) for number in t.plan),
            ),
            ("D₁, D₂, α > 0", min(t.D_1, t.D_2, t.alpha) > 0),
            *conditions.met(
                APPENDIX,
                {**t.plan._asdict(), "alpha": t.alpha, "K": Fraction(t.K), "L": t.L, "Delta": t.Delta},
            ),
            ("every f_i is L-smooth and bounded below", all(infimum_is_attained(g) for g in t.f)),
            ("f^inf − f_i^inf > 0 for every i", all(t.mean.infimum > i for i in t.infima)),
            ("R = max_i ‖v_i⁰ − (x⁰ − T_i(x⁰))/γ‖", t.largest_residual() == t.R),
            ("the run is a cycle of two rounds", t.cycle()),
        )
        return Comparison(t.smallest(), "<=", right(t), met)

    return replay


def _corollary3(t: Steady) -> Fraction:
    return corollaries.corollary3(
        t.gap, t.K, t.L, t.D_1, t.D_2, t.alpha, Fraction(4), Fraction(1), Fraction(0), t.Delta
    )


def _corollary5(t: Steady) -> Fraction:
    return corollaries.corollary5(
        t.gap, t.K, t.L, t.D_1, t.D_2, t.alpha, Fraction(4), Fraction(1), Fraction(0), t.Delta, t.Delta
    )


WHY = (
    "η̂ has the wrong unit. Up to Δ^inf = {} in the units used the corollary holds as printed ({}), where β/(α+R) < 1 and σ_DP² = "
    "E‖z‖², and with D₂ < α + D₁ for every Δ^inf ({}). Else, in small units of f, Δ^inf does not limit η̂, and the first term has too "
    "little to spare for the part of the bias of the local steps that grows with f(x⁰) − f^inf; the witness has Δ^inf = {}."
)
LARGE = {
    3: (re.up_to(re.FACTOR), "FED-C3@small-Delta", "FED-C3-GENTLE", FAR),
    5: ("16,384", "FED-C5@smaller-Delta", "FED-C5-GENTLE", FAR_5),
}
"""By the number of the corollary: up to which Δ^inf it holds, what shows it, and what shows that it holds for every Δ^inf where
D₂ < α + D₁; that of the witness."""


def _witness(numbers: Values, work: str, right: Callable[[Steady], Fraction]) -> Witness:
    return Witness(numbers, "‖∇f(xᵏ)‖ ≤ A₁/32 + A₂/32⁷ for some k ≤ K", _replay(right), f"{PROBLEM}{work}")


WITNESSES = {
    3: _witness(NUMBERS, "", _corollary3),
    5: _witness(NUMBERS_5, "; f_{i,j} = f_i for every j", _corollary5),
}
"""By the number of the corollary."""
