"""Claims: what "has the following convergence guarantee" of Theorems 6 and 7 guarantees of f, and where its factor has a sign."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem6 as six
from bounds.dp_normfedavg import theorem7 as seven
from verify.case import closed
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Quadratic, huber
from verify.dp_normfedavg.counterexamples.exact import ZERO
from verify.dp_normfedavg.displays import THEOREMS
from verify.dp_normfedavg.lemmas.convexity import L9_55, SCHWARZ, ss, sy, yy
from verify.dp_normfedavg.lemmas.zero_update import AT_REST, FIRST, LOWERED, STABLE, first2
from verify.dp_normfedavg.letters import (
    CONVEX_STAR,
    EXCESS,
    GAP,
    KEPT,
    LOCAL,
    NORM_U,
    SMOOTH,
    Delta,
    E,
    F,
    U,
    fk,
    fm,
    fs,
    ft,
    gy,
    summed,
)
from verify.dp_normfedavg.theorems.choices import (
    CHAT_G,
    CHAT_POS,
    CHAT_POS_G,
    ETA_SHOWN,
    HALF_SHOWN,
    NOT_CUT,
    TRAVELLED,
    G,
)
from verify.dp_normfedavg.theorems.claims import AT_ZERO
from verify.dp_normfedavg.theorems.rounds import (
    CHAT,
    CHAT_IS,
    CLIENT,
    GAMMA,
    INDICATOR,
    RHO,
    S37_FACTOR,
    SZ,
    TOTAL,
    K,
    average,
    gamma,
    rho,
    zi,
)
from verify.dp_normfedavg.theorems.theorem4 import FACTOR7, LINEAR, LINEAR7, SF, SZF, gap, zgap
from verify.dp_normfedavg.theorems.theorem6_kept import FACTOR, VALUES
from verify.dp_normfedavg.theorems.theorem7 import CLIENT7, S47_FACTOR, Z_OR_ANY, z
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

PAPER = "dp-normfedavg"
ONE = Fraction(1)


def _one_round(v: Values, weight: Callable[[Fraction, Fraction], Fraction]) -> Comparison:
    """The left-hand side for K = E = 1, where k̃ = 0 and w_k̃ = w₀ is no random number: one quadratic client around −1 and n − 1
    Huber functions of slope L/(n − 1) around `right`, so that w* = 0. weight(ηL, ‖u‖): the factor of f_i(w) − f_i(w*) where
    ‖u‖ ≤ Ĉ."""
    n, L_, C_hat, at, rho_ = int(v["n"]), v["L"], v["C_hat"], v["w0"], v["rho"]
    step = printed.step_theorem6(v["gamma"], C_hat, L_, ONE, ONE, rho_)
    steep, flat = Quadratic(L_, -ONE), huber(L_, L_ / (n - 1), v["right"])
    f = (steep, *(flat,) * (n - 1))
    total, largest = ZERO, max(g(ZERO) for g in (steep, flat))
    for g in f:
        u = abs(g.gradient(at))
        total += weight(step * L_, u) * (g(at) - g(ZERO)) if u <= C_hat else 3 * C_hat * u / (8 * L_)
    gap = sum((g(at) - g(ZERO) for g in f), ZERO) / n
    met = (
        ("w* = 0 minimises f", sum(g.gradient(ZERO) for g in f) == 0),
        ("f_i convex and L-smooth", flat.convex and flat.smoothness <= L_),
        ("Ĉ² ≥ 16 L max Δ_j* (each min f_j is 0)", C_hat**2 >= 16 * L_ * largest),
        ("no update is 0", all(g.gradient(at) != 0 for g in f)),
        ("γ > 0, 0 < ρ < 1", v["gamma"] > 0 and 0 < rho_ < 1),
        ("K = 1 > 2γ/(ĈE)/ρ", printed.ROUNDS.limit(gamma=v["gamma"], C_hat=C_hat, E=ONE, rho=rho_) < 1),
        ("f(w₀) > f(w*)", gap > 0),
    )
    return Comparison(ZERO, "<=", total / n, met)


def _six(v: Values) -> Comparison:
    return _one_round(v, lambda x, u: 2 - 2 * x - 4 * x**2)


def _seven(v: Values) -> Comparison:
    return _one_round(v, lambda x, u: (2 - 4 * x**2) * v["C_hat"] / u)


RUN = {
    "n": Fraction(11),
    "L": ONE,
    "C_hat": Fraction(3),
    "gamma": Fraction(3, 200),
    "rho": Fraction(1, 2),
    "right": Fraction(5),
    "w0": Fraction(99, 20),
}
PROBLEM = (
    "(w + 1)²/2 and ten Huber functions of slope 1/10 around 5, K = E = 1, ηL = 1/100, w₀ = 99/20, so that w_k̃ = w₀: the first "
    "client is cut and counts with its 3Ĉ‖u‖/8 only, the others count in full, and below their value at w*"
)
_DOMAIN = (SMOOTH, LOCAL)
EVERY_CLIENT = hypothesis("nothing is cut: ‖u_i‖ ≤ ĈE for every client", (U >= 0) & KEPT.relation)
SIX_IS = summed(
    "Σ_i z_i of Theorem 6 = (2 − 2ηLE − 4η²L²E²) Σ_i (f_i(w_k) − f_i(w*))",
    equal(SZ, FACTOR * SF),
    {SZ: 0, SF: 0},
    {SZ: SZ + zi, SF: SF + F},
    (CLIENT, INDICATOR, EVERY_CLIENT, *_DOMAIN),
)
SIX_MEAN = obligation(
    "the left-hand side is (2 − 2γ/(ĈKρ) − 4γ²/(Ĉ²K²ρ²)) E[f(w_k̃) − f(w*)]",
    (SIX_IS.conclusion, LINEAR, S37_FACTOR.conclusion),
    equal(average, six.factor(gamma, CHAT, K, rho) * gap),
)
NOTHING_CUT = closed((SIX_IS, S37_FACTOR, SIX_MEAN))
NONE_CUT = obligation(EVERY_CLIENT.name, (NOT_CUT.conclusion, NORM_U), EVERY_CLIENT.relation)
AT_G = obligation(
    "at Ĉ = G the left-hand side is (2 − 2γ/(GKρ) − 4γ²/(G²K²ρ²)) E[f(w_k̃) − f(w*)]",
    (SIX_MEAN.conclusion, CHAT_G.conclusion),
    equal(average, six.factor(gamma, G, K, rho) * gap),
)
SZ7, zi7, average7 = letters("SZ_of_7 z_i_of_7 average_of_7")
WEIGHT_G = obligation(
    "at Ĉ = G the weight ĈE/‖u‖ is GE/‖u‖",
    (Z_OR_ANY, CHAT_G.conclusion),
    sympy.Implies(U > 0, equal(z * U, G * E)),
)
SEVEN_SUM = summed(
    "Σ_i z_i of Theorem 7 = (2 − 4η²L²E²) Σ_i (ĈE/‖u_i‖)(f_i(w_k) − f_i(w*))",
    equal(SZ7, FACTOR7 * SZF),
    {SZ7: 0, SZF: 0},
    {SZ7: SZ7 + zi7, SZF: SZF + z * F},
    (CLIENT7.at({zi: zi7}, "z_i of Theorem 7"), INDICATOR, EVERY_CLIENT, *_DOMAIN),
)
AT_G_7 = obligation(
    "at Ĉ = G the left-hand side of Theorem 7 is (2 − 4γ²/(G²K²ρ²)) E mean_i (GE/‖u_i‖)(f_i(w_k̃) − f_i(w*))",
    (
        SEVEN_SUM.conclusion,
        S47_FACTOR.conclusion,
        LINEAR7.at({SZ: SZ7, average: average7}, "Theorem 7"),
        CHAT_G.conclusion,
    ),
    equal(average7, seven.factor(gamma, G, K, rho) * zgap),
)
LIPSCHITZ_MEANS = closed(
    (
        TRAVELLED, NOT_CUT, NONE_CUT, CHAT_G, CHAT_POS_G, SIX_IS, S37_FACTOR, SIX_MEAN, AT_G, WEIGHT_G, SEVEN_SUM, S47_FACTOR, AT_G_7,
    )
)  # fmt: skip
"""Where f_i is G-Lipschitz and C = GE nothing is cut: Theorem 6 bounds a multiple of E[f(w_k̃) − f(w*)], 7 one of (3)'s mean."""
FACTOR_7 = hypothesis("the factor is not negative: ηLE ≤ 1/√2 (DAS-T7-S9)", FACTOR7 >= 0)
SzD, more = letters("S(z-1)Delta mean_(z-1)Delta")
"""Σ_i (z_i − 1)Δ_i* of a round, and E mean_i (z_i − 1)Δ_i*."""
own_along, own_distance = letters("⟨∇f_i(w_k),w_k−w_i*⟩ ‖w_k−w_i*‖²")
STABLE_SHOWN = obligation(STABLE.name, (HALF_SHOWN.conclusion, SMOOTH), STABLE.relation)
AT_LEAST = obligation(
    "f_i(w_k) − f_i(w*) + Δ_i* ≤ 0 where u_i = 0: w_k minimises f_i",
    (
        AT_REST.conclusion,
        CONVEX_STAR.at({fs: fm, ft: fk, gy: own_along}, "at a minimiser w_i* of f_i, from w_k"),
        SCHWARZ.at({sy: own_along, ss: first2, yy: own_distance}, "⟨∇f_i(w_k), w_k − w_i*⟩"),
        definition("‖w_k − w_i*‖² ≥ 0", own_distance >= 0),
        VALUES,
        GAP,
    ),
    sympy.Implies(equal(U, 0), F + Delta <= 0),
)
WEIGHT = obligation(
    "(2 − 4η²L²E²)(ĈE/‖u‖ − 1)(f_i(w_k) − f_i(w*) + Δ_i*) ≥ 0, and 0 where u = 0",
    (Z_OR_ANY, CHAT_IS, EVERY_CLIENT, AT_LEAST.conclusion, EXCESS, FACTOR_7, LOCAL),
    FACTOR7 * (z - 1) * (F + Delta) >= 0,
)
SEVEN_IS = summed(
    "Σ_i z_i of Theorem 7 ≥ (2 − 4η²L²E²) Σ_i (f_i(w_k) − f_i(w*) − (ĈE/‖u_i‖ − 1)Δ_i*)",
    SZ >= FACTOR7 * (SF - SzD),
    {SZ: 0, SF: 0, SzD: 0},
    {SZ: SZ + zi, SF: SF + F, SzD: SzD + (z - 1) * Delta},
    (CLIENT7, INDICATOR, EVERY_CLIENT, WEIGHT.conclusion),
)
SEVEN_MEAN = obligation(
    "(2 − 4γ²/(Ĉ²K²ρ²)) E[f(w_k̃) − f(w*)] is at most the left-hand side and as many times E mean_i (z_i − 1)Δ_i*",
    (
        SEVEN_IS.conclusion,
        S47_FACTOR.conclusion,
        standard(
            "means and expectations are monotone",
            sympy.Implies(SZ >= FACTOR7 * (SF - SzD), average >= FACTOR7 * (gap - more)),
        ),
    ),
    seven.factor(gamma, CHAT, K, rho) * gap <= average + seven.factor(gamma, CHAT, K, rho) * more,
)
_REASON = (
    "not a guarantee on f(w_k̃) − f(w*), though the words leave open on what: what is bounded need not even be positive "
    "where f(w) > f(w*), since a client whose update is cut counts with 3Ĉ‖u‖/(8LE), linear in ‖u‖, in the place of f_i(w) − f_i(w*), "
    "and those that are better off at w than at w* count in full"
)


def _means(which: str, replay: Callable[[Values], Comparison], repair: Repair, consequence: str) -> Claim:
    shown = Witness(RUN, "0 ≤ the left-hand side in a run with f(w_k̃) > f(w*)", replay, PROBLEM)
    return Claim(
        f"DAS-T{which}-MEANS", PAPER, f"Theorem {which}, first part, “convergence guarantee”", "prose",
        THEOREMS[which] + " [k read as k̃]", _REASON,
        repair=repair, gap=Gap("reading", "a guarantee on f(w_k̃) − f(w*)", shown), consequence=consequence,
    )  # fmt: skip


# The sign of Theorem 6's factor.
def _replay_sign(v: Values) -> Comparison:
    gamma_, C_hat, E_, rho_, K_ = v["gamma"], v["C_hat"], v["E"], v["rho"], v["K"]
    met = (
        ("K > 2γ/(ĈE)/ρ", printed.ROUNDS.limit(gamma=gamma_, C_hat=C_hat, E=E_, rho=rho_) < K_),
        ("K and E are whole", K_.denominator == E_.denominator == 1),
        ("0 < ρ < 1, γ, Ĉ > 0", 0 < rho_ < 1 and min(gamma_, C_hat) > 0),
    )
    return Comparison(six.factor(gamma_, C_hat, K_, rho_), ">", ZERO, met)


_positive = six.factor(gamma, CHAT, K, rho) > 0
_enough = 2 * gamma / (CHAT * rho) < K
SIGN = obligation(
    "2 − 2γ/(ĈKρ) − 4γ²/(Ĉ²K²ρ²) > 0 exactly where K > 2γ/(Ĉρ)",
    (GAMMA, RHO, CHAT_POS, TOTAL),
    sympy.And(sympy.Implies(_positive, _enough), sympy.Implies(_enough, _positive)),
)
CLAIMS = (
    _means(
        "6", _six,
        Repair("where nothing is cut the left-hand side is (2 − 2γ/(ĈKρ) − 4γ²/(Ĉ²K²ρ²)) E[f(w_k̃) − f(w*)]",
               "‖u_i‖ ≤ ĈE for every client in every round", NOTHING_CUT,
               "an identity; the sign of its factor: DAS-T6-SIGN"),
        "where some update is cut it bounds no mean of f(w_k̃) − f(w*) by itself",
    ),
    _means(
        "7", _seven,
        Repair("where nothing is cut (2 − 4γ²/(Ĉ²K²ρ²)) E[f(w_k̃) − f(w*)] is at most the left-hand side and "
               "(2 − 4γ²/(Ĉ²K²ρ²)) E mean_i (z_i − 1)Δ_i*, z_i = ĈE/‖u_i‖",
               f"‖u_i‖ ≤ ĈE for every client in every round; {AT_ZERO}; γ/(ĈKρ) ≤ 1/√2",
               closed((ETA_SHOWN, HALF_SHOWN, STABLE_SHOWN, L9_55, LOWERED, FIRST, AT_REST, AT_LEAST, WEIGHT, SEVEN_IS, S47_FACTOR,
                       SEVEN_MEAN)),
               "(z − 1)(f_i(w) − f_i(w*)) ≥ −(z − 1)Δ_i*. Where w* minimises every f_i what is added is 0; elsewhere it can be "
               "infinite (DAS-OURS-INFINITE), and without it the line fails where nothing is cut as well: DAS-T4b-MEANS"),
        "where some update is cut it bounds no mean of f(w_k̃) − f(w*) by itself; elsewhere, with its own terms of Δ_i*, one that "
        "grows with E mean_i Δ_i*/‖u_i‖",
    ),
    Claim(
        "DAS-T6-SIGN", PAPER, "Theorem 6, first part", "prose", THEOREMS["6"] + " [k read as k̃]",
        "a “convergence guarantee” is one where the factor of f_i(w_k̃) − f_i(w*) is positive, which the theorem does not say of it: "
        "K > 2γ/(ĈE)/ρ allows ηLE up to E/2, and the factor 2 − 2ηLE − 4η²L²E² is positive for ηLE < 1/2 only: for E ≥ 2 the factor "
        "is negative for some allowed γ and K, where the inequality may hold and is no guarantee",
        repair=Repair("K > 2γ/(Ĉρ)", "E times as many rounds", closed((SIGN,)), "an equivalence"),
        gap=Gap("reading", "a guarantee at every K that is allowed: the factor is positive", Witness(
            {"gamma": ONE, "C_hat": ONE, "E": Fraction(2), "rho": Fraction(1, 2), "K": Fraction(3)},
            "2 − 2γ/(ĈKρ) − 4γ²/(Ĉ²K²ρ²) > 0", _replay_sign, "γ = Ĉ = 1, E = 2, ρ = 1/2, K = 3 > 2: the factor is −10/9",
        )),
        consequence="Theorem 7's factor is positive for ηLE < 1/√2 (DAS-T7-S9)",
    ),
)  # fmt: skip
