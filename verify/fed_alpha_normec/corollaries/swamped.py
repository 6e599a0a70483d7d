"""Corollaries 1 (F.4), 3 and 5 where σ_DP² is the variance of each of d coordinates: their bounds do not depend on d either.

The problem of `noise_per_coordinate` in units where 2L is a square: f_i = (L/2)‖x ∓ c e₂‖² in two pairs, L = 2, x⁰ = e₁, p = 1, so
that f(x⁰) − f^inf = L/2, Δ^inf = Lc²/2 and √(2LΔ^inf) = Lc. With T = 2 local steps, or N = 2 equal parts, the mean of the updates is
(1 − γL/4)Lx, no longer than L‖x‖, so that the argument there holds with A = L(1 + (K+1)η) + R.

All choices are the corollary's, D₂ < α + D₁, and Theorem 1's conditions hold: nothing but d is against the bound.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bounds.fed_alpha_normec import corollaries, schedules
from bounds.fed_alpha_normec.theorem1 import APPENDIX
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import Fact
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.corollaries import rates
from verify.fed_alpha_normec.corollaries import spared as sp
from verify.fed_alpha_normec.corollaries.gentle import C3_GENTLE, C5_GENTLE
from verify.fed_alpha_normec.corollaries.rate_claims import C1_GRANTED
from verify.fed_alpha_normec.displays import COROLLARIES
from verify.fed_alpha_normec.letters import claim, values
from verify.fed_alpha_normec.theorems import coordinates
from verify.fed_alpha_normec.theorems.noise_per_coordinate import ROOT_TWO, least_along
from verify.fractions_check import exact_root

L, M = Fraction(2), Fraction(4)


def _stays(number: int) -> Callable[[Values], Comparison]:
    """The replay against Corollary 1 in F.4, 3 or 5: the left side bounded below, the √2 of √B = √2 σ rounded up."""

    def replay(v: Values) -> Comparison:
        D_1, D_2, a, sigma, c, d = (v[n] for n in ("D_1", "D_2", "alpha", "sigma", "c", "d"))
        root = 6 if number == 1 else 8
        K, gap, Delta = v["kappa"] ** root - 1, L / 2, L * c**2 / 2
        given = (gap, K, L, D_1, D_2, a, M, Fraction(1), Fraction(0))  # without noise, whose term is added
        if number == 1:
            plan = schedules.corollary1_appendix(K, L, D_1, D_2, a)
            right = corollaries.corollary1_appendix(*given)
        else:
            plan = schedules.corollary3(K, L, D_1, D_2, a, Delta)
            right = (
                corollaries.corollary3(*given, Delta)
                if number == 3
                else corollaries.corollary5(*given, Delta, Delta)
            )
        right += 2 * ROOT_TWO * sigma * D_2 / exact_root(M, 2) / v["kappa"]
        gamma, R, beta, eta = plan
        far = L * (1 + (K + 1) * eta) + R
        along, large = least_along(eta, K + 1, far, beta * sigma / exact_root(M, 2), d, v["h"])
        met = (
            ("exact schedule", all(isinstance(n, Fraction) for n in plan) and v["kappa"].denominator == 1),
            ("D₂ < α + D₁", D_2 < a + D_1),
            *conditions.met(
                APPENDIX,
                {
                    "alpha": a,
                    "beta": beta,
                    "R": R,
                    "gamma": gamma,
                    "eta": eta,
                    "K": K,
                    "L": L,
                    "Delta": Delta,
                },
            ),
            ("D₁, D₂, Δ^inf > 0, and every Δ_i^inf = Δ^inf > 0 in Theorem 2", min(D_1, D_2, Delta) > 0),
            ("√2 < 283/200", ROOT_TWO**2 > 2),
            *large,
        )
        return Comparison(L * along, "<=", right, met)

    return replay


_CHOSEN = {"D_1": 4, "D_2": 4, "alpha": "1/50", "sigma": "1/50"}
NUMBERS = {
    1: values(**_CHOSEN, c=4, kappa=8, d=2 * 10**20, h=10**10),
    3: values(**_CHOSEN, c="3/2", kappa=14, d=2 * 10**28, h=10**14),
    5: values(**_CHOSEN, c="3/2", kappa=28, d=2 * 10**28, h=10**14),
}
"""By the number of the corollary; kappa is (K+1)^(1/6), or (K+1)^(1/8)."""


def _swamped(
    number: int, shown: Claim, plan: Fact, identifier: str, place: str, work: str, d: str, rounds: str
) -> Claim:
    """shown: what holds for E‖z‖² = σ²; plan: the κ of its schedule."""
    return claim(
        f"{identifier}@per-coordinate",
        f"{place}, σ_DP² the variance of each coordinate, β/(α+R) < 1, D₂ < α + D₁",
        "corollary",
        COROLLARIES[identifier],
        "The bound does not depend on d: in high dimension the server's direction is noise, even where D₂ < α + D₁, and the method "
        "comes no nearer to a minimiser.",
        witness=Witness(
            NUMBERS[number],
            "min_k E‖∇f(xᵏ)‖ ≤ the printed bound (its left side bounded below)",
            _stays(number),
            f"M = 4, p = 1, {work}, f_i = ‖x ∓ c e₂‖² in pairs, x⁰ = e₁, D₁ = D₂ = 4, α = 1/50, noise N(0, σ²I) in d = {d} "
            f"dimensions, K + 1 = {rounds}",
        ),
        repair=Repair(
            "The bound with dσ_DP² for σ_DP² in B.",
            coordinates.CONDITION + (f"; {sp.READ_5}" if number == 5 else ""),
            coordinates.proof(shown, granted=(rates.START_LATER, plan)),
        ),
    )


CLAIMS = (
    _swamped(1, C1_GRANTED, rates.PLAN1[0], "FED-C1-APP", "Appendix F.4, Corollary", "T = 1", "2·10²⁰", "8⁶"),
    _swamped(3, C3_GENTLE, rates.PLAN3[0], "FED-C3", "Appendix F.3, Corollary 3", "T = 2", "2·10²⁸", "14⁸"),
    _swamped(
        5,
        C5_GENTLE,
        rates.PLAN3[0],
        "FED-C5",
        "Appendix G.3, Corollary 5",
        "N = 2, f_{i,0} = f_{i,1} = f_i",
        "2·10²⁸",
        "28⁸",
    ),
)
