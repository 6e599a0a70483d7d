"""Section 4.1, (4) and (5): how small they can be, and what they say beyond what is known before the first round.

(4) bounds E[f(w_k̃) − f*], of which f(w₀) − f* ≤ min(G‖w₀ − w*‖, L‖w₀ − w*‖²/2) is known. (5) bounds E mean z_i(f_i(w_k̃) − f_i(w*)),
z_i = GE/‖u_i‖: at w₀ that may be far larger, and next to nothing is known of it.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem4 as four
from verify.case import closed
from verify.claim import Claim
from verify.dp_normfedavg.letters import MOVED, SMOOTH, F, L, U, summed
from verify.dp_normfedavg.theorems.choices import LIPSCHITZ_POS, START_4, G
from verify.dp_normfedavg.theorems.rounds import GAMMA, RHO, distance, gamma, rho
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

PAPER = "dp-normfedavg"
RIGHT = four.asymptotic(**START_4)
_START = (GAMMA, SMOOTH, RHO, LIPSCHITZ_POS, definition("‖w₀ − w*‖ ≥ 0", distance >= 0))
FLOOR = obligation("(4) and (5) are at least G‖w₀ − w*‖ρ for every γ", _START, RIGHT >= G * distance * rho)
BEST = obligation(
    "γ = L‖w₀ − w*‖ attains G‖w₀ − w*‖ρ",
    (SMOOTH, RHO, hypothesis("γ = L‖w₀ − w*‖ > 0", equal(gamma, L * distance) & (gamma > 0))),
    equal(RIGHT, G * distance * rho),
)
NOISY = hypothesis("ρ ≥ 1 or ρ ≥ L‖w₀ − w*‖/(2G)", (rho >= 1) | (rho >= L * distance / (2 * G)))
KNOWN_4 = obligation(
    "(4): nothing beyond f(w₀) − f* ≤ min(G‖w₀ − w*‖, L‖w₀ − w*‖²/2) where ρ ≥ min(1, L‖w₀ − w*‖/(2G))",
    (FLOOR.conclusion, *_START, NOISY),
    (RIGHT >= G * distance) | (RIGHT >= L * distance**2 / 2),
)

# (5) at E = 1, where u_i = ∇f_i(w₀). along = ⟨u_i, w₀ − w*⟩.
z, along, count, SzF = letters("z u_along count SzF")
WEIGHT = definition("z = G/‖u‖ (E = 1)", equal(z * U, G))
CONVEX = standard("f_i is convex: f_i(w₀) − f_i(w*) ≤ ⟨∇f_i(w₀), w₀ − w*⟩", along >= F)
CAUCHY = standard("Cauchy and Schwarz: ⟨u, w₀ − w*⟩ ≤ ‖u‖‖w₀ − w*‖", along <= U * distance)
CLIENT = obligation(
    "z_i(f_i(w₀) − f_i(w*)) ≤ G‖w₀ − w*‖", (WEIGHT, CONVEX, CAUCHY, MOVED, LIPSCHITZ_POS), z * F <= G * distance
)  # fmt: skip
CLIENTS = summed(
    "summed over clients", SzF <= count * G * distance, {SzF: 0, count: 0}, {SzF: SzF + z * F, count: count + 1}, (CLIENT.conclusion,)
)  # fmt: skip
KNOWN_5 = obligation(
    "(5), E = 1: nothing beyond mean z_i(f_i(w₀) − f_i(w*)) ≤ G‖w₀ − w*‖ where ρ ≥ 1",
    (CLIENTS.conclusion, FLOOR.conclusion, *_START, hypothesis("n ≥ 1 clients", count >= 1)),
    sympy.Implies(rho >= 1, RIGHT * count >= SzF),
)  # fmt: skip
slope = letters("slope")[0]
HUBER = hypothesis(
    "f a Huber function of slope s, w₀ on its straight part: f(w₀) − f* = s‖w₀ − w*‖ − s²/(2L), u = s",
    equal(F, slope * distance - slope**2 / (2 * L)) & equal(U, slope),
)
FLAT = hypothesis(
    "s = min(G, L‖w₀ − w*‖)(1 − ρ), w₀ ≠ w*",
    equal(slope, sympy.Min(G, L * distance) * (1 - rho)) & (distance > 0),
)
ALLOWED = obligation(
    "0 < s ≤ G and s ≤ L‖w₀ − w*‖ where ρ < 1", (FLAT, SMOOTH, RHO, LIPSCHITZ_POS),
    sympy.Implies(rho < 1, (slope > 0) & (slope <= G) & (slope <= L * distance)),
)  # fmt: skip
NEW_5 = obligation(
    "(5), E = 1: for every ρ < 1 it is below z(f(w₀) − f*) of that function, at γ = L‖w₀ − w*‖",
    (BEST.conclusion, WEIGHT, HUBER, FLAT, ALLOWED.conclusion, SMOOTH, RHO, LIPSCHITZ_POS),
    sympy.Implies(rho < 1, z * F > RIGHT),
)

VACUOUS = Claim(
    "DAS-OURS-VAC", PAPER, "ours, on (4) and (5)", "ours",
    "(4) and (5) are at least G‖w₀ − w*‖ρ, attained at γ = L‖w₀ − w*‖; where ρ ≥ min(1, L‖w₀ − w*‖/(2G)) (4) says nothing new, and "
    "(5) at E = 1 and this γ, where no u_i is zero at w₀, only where ρ ≥ 1",
    "by the inequality of means; before the first round f(w₀) − f* ≤ min(G‖w₀ − w*‖, L‖w₀ − w*‖²/2) is known, and of the left side of "
    "(5) at w₀ no more than that it is at most G‖w₀ − w*‖: a Huber function of small slope comes as near as one likes",
    proof=closed((FLOOR, BEST, KNOWN_4, CLIENT, CLIENTS, KNOWN_5, ALLOWED, NEW_5)),
)  # fmt: skip
