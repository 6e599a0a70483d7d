"""Claims: what Theorem 4 covers (Section 1 (a)), and when its limit α → ∞ says something of a run (Section 4.1)."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.dp_normfedavg import choices as printed
from verify.case import closed
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Quadratic
from verify.dp_normfedavg.letters import CUT, C
from verify.dp_normfedavg.ours import factors
from verify.dp_normfedavg.theorems.choices import CHOICE_K, LIPSCHITZ_POS, G
from verify.dp_normfedavg.theorems.claims import AT_ZERO, FOUR_WITHOUT_SIX, READING
from verify.dp_normfedavg.theorems.rounds import GAMMA, RHO, K, alpha, gamma, rho
from verify.facts import equal, hypothesis, letters
from verify.obligation import obligation

PAPER = "dp-normfedavg"
ONE = Fraction(1)

w, slope, least_alpha = letters("w slope alpha_0")
STEEPER = obligation(
    "f(w) = w²/2 has ‖∇f(w)‖ > G at w = G + 1, for every G",
    (LIPSCHITZ_POS, hypothesis("∇f(w) = w at w = G + 1", equal(slope, w) & equal(w, G + 1))),
    sympy.Abs(slope) > G,
)
_far, _many = alpha >= least_alpha, 2 * gamma * least_alpha / (C * rho**2) <= K
ENOUGH = obligation(
    "Theorem 4's K has α ≥ α₀ exactly where K ≥ 2γα₀/(Cρ²)",
    (CHOICE_K, RHO, GAMMA, CUT),
    sympy.And(sympy.Implies(_far, _many), sympy.Implies(_many, _far)),
)
TOO_FEW = obligation(
    "α < 1 for every K < 2γ/(Cρ²), however large",
    (CHOICE_K, RHO, GAMMA, CUT, hypothesis("Kρ² < 2γ/C", K * rho**2 < 2 * gamma / C)),
    alpha < 1,
)


def _steep(v: Values) -> Comparison:
    """The slope of f(w) = Lw²/2 against G."""
    f = Quadratic(v["L"])
    met = (
        ("f convex and L-smooth", 0 <= f.curvature == f.smoothness <= v["L"]),
        ("f has a minimum", f.gradient(Fraction(0)) == 0),
        ("G > 0", v["G"] > 0),
    )
    return Comparison(abs(f.gradient(v["w"])), "<=", v["G"], met)


def _few(v: Values) -> Comparison:
    """The α of Theorem 4 that belongs to a number of rounds: C = GE."""
    C, K = v["G"] * v["E"], v["K"]
    alpha = K * C * v["rho"] ** 2 / (2 * v["gamma"])
    met = (
        ("K = (2αγ/C)/ρ²", printed.rounds_theorem4(alpha, v["gamma"], C, v["rho"]) == K),
        ("K is whole and at least 10⁶", K.denominator == 1 and K >= 10**6),
        ("0 < ρ < 1", 0 < v["rho"] < 1),
        ("γ = L‖w₀ − w*‖, at which (4) and (5) are least", v["gamma"] == v["L"] * v["distance"] > 0),
        ("E ≥ 1", v["E"] >= 1),
    )
    return Comparison(alpha, ">=", ONE, met)


CLAIMS = (
    Claim(
        "DAS-S1-SMOOTH", PAPER, "Section 1 (a), on Theorem 4", "prose",
        "We provide convergence results for DP-NormFedAvg as well as the standard algorithm of DP-FedAvg with clipping (Alg. 1 "
        "Option (i)) in the smooth convex case in Theorem 4.",
        "Theorem 4 asks for more than smooth and convex: each f_i has to be G-Lipschitz too, which f(w) = w²/2 is for no G. Without "
        "that the appendix has Theorems 6 and 7, which bound f for the kept clients only (DAS-T6, DAS-T7)",
        repair=Repair(
            "convergence results for both in the smooth, convex and Lipschitz case are Theorem 4's",
            f"each f_i is G-Lipschitz; (a) for r ≥ 1 clients in the mean; (b) for {READING}; {AT_ZERO}", FOUR_WITHOUT_SIX,
            "Theorem 4 is not about any other f_i: its C is GE",
        ),
        gap=Gap("reading", "every smooth, convex problem is one of Theorem 4, for some G", Witness(
            {"L": ONE, "G": Fraction(10), "w": Fraction(11)}, "‖∇f(w)‖ ≤ G", _steep,
            "f(w) = w²/2 at w = 11, G = 10; and for every other G at w = G + 1", closed((STEEPER,)),
        )),
    ),
    Claim(
        "DAS-S41-REASONABLE", PAPER, "Section 4.1, on K → ∞", "prose",
        "The asymptotic comparison is reasonable in practice where training happens for a very large number of rounds. In Theorem 4, "
        "recall that we set […] where α ≥ 1 is a parameter of our choice; thus we can make K → ∞ by choosing α → ∞.",
        "a very large K is not enough: the limit is one in α = KCρ²/(2γ), so that Kρ² has to be large. At ρ = 10⁻³ and a million "
        "rounds α can be 1/2, which Theorem 4 does not even allow; the less noise, the more rounds it takes",
        repair=Repair(
            "the comparison at α ≥ α₀ is one of runs with at least 2γα₀/(Cρ²) rounds", "K ≥ 2γα₀/(Cρ²)", closed((ENOUGH,)),
            "an equivalence; what (2), and (3) where all Δ_i* are 0, have beyond the limits falls as E/α",
        ),
        gap=Gap("reading", "K is very large, whatever ρ is", Witness(
            {"G": ONE, "L": ONE, "E": ONE, "gamma": ONE, "distance": ONE, "rho": Fraction(1, 1000), "K": Fraction(10**6)},
            "α ≥ 1, as Theorem 4 has it", _few, "G = L = E = γ = ‖w₀ − w*‖ = 1, ρ = 1/1000, K = 10⁶: α = 1/2", closed((TOO_FEW,)),
        )),
        consequence="with fewer rounds the terms that the limit drops, E/α of G²/L and of Δ_i*, can be a large part of (2) and (3): "
        "compare these at the K that is run (DAS-OURS-FINITE)",
    ),
    *factors.CLAIMS,
)  # fmt: skip
