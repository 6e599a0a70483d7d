"""Section 4.1 with the number of rounds that it recalls itself, K = (2αγ/(CE))/ρ²: 1/E of Theorem 4's.

With E ≥ 2 local steps the run is too short for (4) and (5): it has no time to come near. From far away one client with a Huber
function moves by ηC a round at most, under clipping and under normalisation.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from verify.case import closed
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import huber
from verify.dp_normfedavg.asymptotics.limits import LIMIT_5, LIMIT_K
from verify.dp_normfedavg.counterexamples.exact import ZERO
from verify.dp_normfedavg.letters import CUT, LOCAL, SMOOTH, C, E, L
from verify.dp_normfedavg.ours import any_clients, at_choices
from verify.dp_normfedavg.theorems.choices import LIPSCHITZ_POS, START_4, G
from verify.dp_normfedavg.theorems.rounds import ALPHA, GAMMA, RHO, K, alpha, distance, gamma, rho
from verify.facts import definition, equal, letters
from verify.identity import Identity
from verify.obligation import obligation
from verify.proof import Proof

PAPER = "dp-normfedavg"
RECALLED = (
    "In Theorem 4, recall that we set K = (2αγ/(CE))(1/ρ²), where α ≥ 1 is a parameter of our choice; thus we can make K → ∞ by "
    "choosing α → ∞. Here we keep E = O(1). Then, the asymptotic convergence bound […] "
)
_n = {"G": 1, "L": 1, "E": 2, "alpha": 1, "gamma": 10, "rho": Fraction(1, 10), "w0": 100}
NUMBERS = {name: Fraction(value) for name, value in _n.items()}


def _replay(v: Values) -> Comparison:
    """One client, in every round. |w| − G/(2L) ≤ f/G, a message is C long at most and the noise has mean 0: E f(w_k) ≥
    G(w₀ − kηC − G/(2L)). In (5) the weight GE/‖u‖ is at least 1 and f ≥ f*, so that its left side is no smaller."""
    G, L, alpha, gamma, rho, start, steps = (v[k] for k in ("G", "L", "alpha", "gamma", "rho", "w0", "E"))
    f, C, eta = huber(L, G), G * steps, printed.step_theorem4(rho, alpha, L)
    rounds = printed.rounds_section41(alpha, gamma, C, steps, rho)
    least = G * (start - eta * C * (rounds - 1) / 2 - G / (2 * L))
    met = (
        ("f convex", f.convex), ("f L-smooth", f.smoothness <= L), ("f G-Lipschitz", f.lipschitz <= G),
        ("w* = 0 minimises f, f* = 0", f.gradient(ZERO) == f(ZERO) == 0), ("α ≥ 1", alpha >= 1), ("0 < ρ < 1", 0 < rho < 1),
        ("E ≤ α/(2ρ)", alpha / (2 * rho) >= steps), ("γ > 0", gamma > 0), ("K is a whole number", rounds.denominator == 1),
        ("w₀ ≠ 0", start != 0),
    )  # fmt: skip
    return Comparison(least, "<=", four.asymptotic(G, L, abs(start), gamma, rho), met)


# The same for every α, so that it is true of α → ∞.
_at = {name: value for name, value in NUMBERS.items() if name != "alpha"}
_C = _at["G"] * _at["E"]
least = letters("least")[0]
ROUNDS = definition(
    "K of Section 4.1", equal(K, printed.rounds_section41(alpha, _at["gamma"], _C, _at["E"], _at["rho"]))
)
LEAST = definition(
    "mean over k < K of w₀ − kηC − 1/2",
    equal(
        least,
        _at["w0"] - printed.step_theorem4(_at["rho"], alpha, _at["L"]) * _C * (K - 1) / 2 - Fraction(1, 2),
    ),
)
_RIGHT = four.asymptotic(_at["G"], _at["L"], _at["w0"], _at["gamma"], _at["rho"])
ALWAYS = obligation(
    "for every α it lies 24 above the right-hand side", (ROUNDS, LEAST, ALPHA), least > _RIGHT + 24
)
WITNESS = Witness(
    NUMBERS,
    "E[f(w_k̃) − f(w*)] ≤ (G/2)(L‖w₀ − w*‖²/γ + γ/L)ρ; the left side is a lower bound",
    _replay,
    "one client, a Huber function of slope 1, E = 2 local steps, γ = 10, w₀ = 100: the mean of E w_k stays above 75 for every α",
    Proof((ALPHA,), (ALWAYS,)),
)

# What holds with that K.
_right = G / 2 * (E * L * distance**2 / gamma + gamma / (E * L)) * rho
_SIGNS = (RHO, GAMMA, LOCAL, SMOOTH, CUT, LIPSCHITZ_POS)
SAME_ROUNDS = Identity(
    "K of Section 4.1 is Theorem 4's at γ/E",
    printed.rounds_section41(alpha, gamma, C, E, rho), printed.rounds_theorem4(alpha, gamma / E, C, rho), _SIGNS,
)  # fmt: skip
SAME_RIGHT = Identity(
    "the right-hand side at γ/E", four.asymptotic(**(START_4 | {"gamma": gamma / E})), _right, _SIGNS
)
STATED = "with γ/E for γ: ≤ (G/2)(EL‖w₀ − w*‖²/γ + γ/(EL))ρ"
_WHY = (
    "Section 4.1 recalls Theorem 4's K with a factor E too many: after 1/E of the rounds the run may still be far away, and no α "
    "helps. That factor rests on one letter of the text that was read, a transcript: C, where Ĉ or G would be Theorem 4's K (DAS-T4-K)"
)
EQ4_RECALLED = Claim(
    "DAS-S41-EQ4@recalled-K", PAPER, "Section 4.1, eq. (4), with the K that the section recalls", "equation",
    f"{RECALLED}can be written as: E[(1/n) Σ_{{i=1}}^n (f_i(w_{{k̃}}) − f_i(w*))] ≤ (G/2)(L‖w₀ − w*‖²/γ + γ/L)ρ",
    _WHY,
    witness=WITNESS,
    repair=Repair(f"(4) {STATED}", "as DAS-S41-EQ4, at γ/E", closed((*at_choices.EQ4, SAME_ROUNDS, SAME_RIGHT))),
    consequence="take K from Theorem 4, E times as many rounds",
)  # fmt: skip
EQ5_RECALLED = Claim(
    "DAS-S41-EQ5@recalled-K", PAPER, "Section 4.1, eq. (5), with the K that the section recalls", "equation",
    f"{RECALLED}In comparison, the corresponding bound of DP-NormFedAvg is: E[(1/n) Σ_{{i=1}}^n "
    f"((GE/‖u_{{k̃}}^{{(i)}}‖)(f_i(w_{{k̃}}) "
    "− f_i(w*)))] ≤ (G/2)(L‖w₀ − w*‖²/γ + γ/L)ρ",
    f"{_WHY}. The weights GE/‖u‖ ≥ 1 make the left side no smaller than (4)'s at the same w",
    witness=replace(WITNESS, breaks=WITNESS.breaks.replace("E[f", "E[(GE/‖u‖)(f", 1).replace("w*)]", "w*))]", 1)),
    repair=Repair(f"(5) {STATED}", "as DAS-S41-EQ5, at γ/E",
                  closed((*any_clients.NODES_4, LIMIT_5, LIMIT_K, SAME_ROUNDS, SAME_RIGHT))),
    consequence="take K from Theorem 4, E times as many rounds",
)  # fmt: skip
CLAIMS = (EQ4_RECALLED, EQ5_RECALLED)
