"""Claims: what "has the following convergence guarantee" of Theorems 6 and 7 guarantees of f, and where its factor has a sign."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem6 as six
from verify.claim import Claim, Repair, Values, Witness
from verify.dp_normfedavg.case import closed
from verify.dp_normfedavg.choices import CHAT_POS
from verify.dp_normfedavg.displays import THEOREMS
from verify.dp_normfedavg.exact import ZERO, huber
from verify.dp_normfedavg.letters import CUT, LOCAL, SMOOTH, C, E, F, L, U, letters
from verify.dp_normfedavg.rounds import CHAT, GAMMA, RHO, TOTAL, K, gamma, rho
from verify.exact import Quadratic
from verify.facts import definition, hypothesis
from verify.obligation import obligation
from verify.proof import Comparison

PAPER = "dp-normfedavg"
ONE = Fraction(1)


@dataclass(frozen=True)
class _Moved:
    """L(w − centre)²/2."""

    L: Fraction
    centre: Fraction

    def gradient(self, w: Fraction) -> Fraction:
        return Quadratic(self.L).gradient(w - self.centre)

    def __call__(self, w: Fraction) -> Fraction:
        return Quadratic(self.L).value(w - self.centre)


def _at_one_point(v: Values, weight: Callable[[Fraction, Fraction], Fraction]) -> Comparison:
    """What the left-hand side averages, at one w and with E = 1: one quadratic client around −1 and n − 1 Huber functions of slope
    L/(n − 1) around 5, so that w* = 0. weight(ηL, ‖u‖): the factor of f_i(w) − f_i(w*) where ‖u‖ ≤ Ĉ."""
    n, L_, C_hat, step, at = int(v["n"]), v["L"], v["C_hat"], v["step"], v["w"]
    steep, flat = _Moved(L_, -ONE), huber(L_, L_ / (n - 1), v["right"])
    f = (steep, *(flat,) * (n - 1))
    total, largest = ZERO, max(g(ZERO) for g in (steep, flat))
    for g in f:
        u = abs(g.gradient(at))
        total += weight(step, u) * (g(at) - g(ZERO)) if u <= C_hat else 3 * C_hat * u / (8 * L_)
    gap = sum((g(at) - g(ZERO) for g in f), ZERO) / n
    met = (
        ("w* = 0 minimises f", sum(g.gradient(ZERO) for g in f) == 0),
        ("f_i convex and L-smooth", flat.convex and flat.smoothness <= L_),
        ("Ĉ² ≥ 16 L max Δ_j* (each min f_j is 0)", C_hat**2 >= 16 * L_ * largest),
        ("no update is 0", all(g.gradient(at) != 0 for g in f)),
        ("0 < ηL < 1/2, as K > 2γ/(ĈE)/ρ has it", 0 < step < Fraction(1, 2)),
        ("f(w) > f(w*)", gap > 0),
    )  # fmt: skip
    return Comparison(ZERO, "<=", total / n, met)


def _six(v: Values) -> Comparison:
    return _at_one_point(v, lambda x, u: 2 - 2 * x - 4 * x**2)


def _seven(v: Values) -> Comparison:
    return _at_one_point(v, lambda x, u: (2 - 4 * x**2) * v["C_hat"] / u)


POINT = {
    "n": Fraction(11),
    "L": ONE,
    "C_hat": Fraction(3),
    "step": Fraction(1, 100),
    "right": Fraction(5),
    "w": Fraction(99, 20),
}
PROBLEM = (
    "(w + 1)²/2 and ten Huber functions of slope 1/10 around 5, E = 1, ηL = 1/100, w = 99/20: the first client is cut and counts "
    "with its 3Ĉ‖u‖/8 only, the others count in full, and below their value at w*"
)
kept_factor = letters("factor")[0]
NOT_NEGATIVE = obligation(
    "each client's term is at least 0",
    (
        hypothesis("w* minimises every f_i: f_i(w) ≥ f_i(w*)", F >= 0),
        hypothesis("the printed factor, times ĈE/‖u‖ in Theorem 7, is ≥ 0", kept_factor >= 0),
        definition("‖u‖ ≥ 0", U >= 0), CUT, SMOOTH, LOCAL,
    ),
    (kept_factor * F >= 0) & (3 * C * U / (8 * L * E**2) >= 0),
)  # fmt: skip


def _means(which: str, replay: Callable[[Values], Comparison]) -> Claim:
    return Claim(
        f"DAS-T{which}-MEANS", PAPER, f"Theorem {which}, first part", "prose",
        THEOREMS[which] + " [k read as k̃; read as a guarantee on f(w_{k̃}) − f(w*)]",
        "what is bounded from above is not even positive where f(w) > f(w*): a client whose update is cut counts with "
        "3Ĉ‖u‖/(8LE) and not "
        "with f_i(w) − f_i(w*), those that are better off at w than at w* count in full",
        witness=Witness(POINT, "0 ≤ what the left-hand side averages, at a w with f(w) > f(w*)", replay, PROBLEM),
        repair=Repair("where w* minimises every f_i, and the factor is positive, each term is at least 0", "f_i(w) ≥ f_i(w*) "
            "for all i",
                      closed((NOT_NEGATIVE,))),
        consequence="where clients disagree the bound says nothing of f(w) − f(w*) unless nothing is cut" if which == "6" else
                    "as DAS-T4b-MEANS",
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
    _means("6", _six),
    _means("7", _seven),
    Claim(
        "DAS-T6-SIGN", PAPER, "Theorem 6, first part", "prose", THEOREMS["6"] + " [k read as k̃; the factor of f_i(w_{k̃}) − "
            "f_i(w*) is "
        "positive]",
        "K > 2γ/(ĈE)/ρ allows ηLE up to E/2, and the factor 2 − 2ηLE − 4η²L²E² is positive for ηLE < 1/2 only: for E ≥ 2 some "
        "allowed K "
        "bound −f",
        witness=Witness(
            {"gamma": ONE, "C_hat": ONE, "E": Fraction(2), "rho": Fraction(1, 2), "K": Fraction(3)},
            "2 − 2γ/(ĈKρ) − 4γ²/(Ĉ²K²ρ²) > 0", _replay_sign, "γ = Ĉ = 1, E = 2, ρ = 1/2, K = 3 > 2: the factor is −10/9",
        ),
        repair=Repair("K > 2γ/(Ĉρ)", "E times as many rounds", closed((SIGN,)), "an equivalence"),
        consequence="for smaller K the inequality holds and is no guarantee; Theorem 7's factor is positive for ηLE < 1/√2 "
            "(DAS-T7-S9)",
    ),
)  # fmt: skip
