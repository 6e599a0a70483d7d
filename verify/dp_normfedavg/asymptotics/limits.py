"""Section 4.1, (5): what (3) says as α → ∞.

B₂ of (3) holds E mean z_iΔ_i*, z_i = GE/‖u_i‖, which depends on α through w and may be infinite. It does no harm, because it is not
needed: the left side of (3) has a bound without it (`any_clients`), and that bound tends to (5).
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from verify.case import closed
from verify.claim import Claim, Gap, Repair
from verify.dp_normfedavg.counterexamples import runs
from verify.dp_normfedavg.letters import CUT, LOCAL, SMOOTH, C, E, L
from verify.dp_normfedavg.ours import any_clients
from verify.dp_normfedavg.theorems.choices import LIPSCHITZ_POS, G
from verify.dp_normfedavg.theorems.rounds import GAMMA, RHO, alpha, distance, gamma, rho
from verify.dp_normfedavg.theorems.sampling import c
from verify.facts import definition
from verify.identity import Limit

PAPER = "dp-normfedavg"
SAMPLING = c * E / alpha * G**2 / (2 * L) * rho
"""What clients drawn one by one add to B₂ (DAS-T4b)."""
LENGTHS = definition("‖w₀ − w*‖, c ≥ 0", (distance >= 0) & (c >= 0))
LIMIT_5 = Limit(
    "half of the right-hand side, α → ∞", any_clients.RIGHT / 2, alpha, sympy.oo, four.asymptotic(G, L, distance, gamma, rho), "-",
    (RHO, GAMMA, SMOOTH, LOCAL, LIPSCHITZ_POS, LENGTHS),
)  # fmt: skip
LIMIT_K = Limit(
    "K → ∞ as α → ∞", 1 / printed.rounds_theorem4(alpha, gamma, C, rho), alpha, sympy.oo, sympy.Integer(0), "-", (GAMMA, RHO, CUT)
)  # fmt: skip
EQ5 = Claim(
    "DAS-S41-EQ5", PAPER, "Section 4.1, eq. (5), with Theorem 4's K", "equation",
    "In comparison, the corresponding bound of DP-NormFedAvg is: E[(1/n) Σ_{i=1}^n ((GE/‖u_{k̃}^{(i)}‖)(f_i(w_{k̃}) − "
    "f_i(w*)))] ≤ (G/2)(L‖w₀ − w*‖²/γ + γ/L)ρ […] the effect of heterogeneity is eliminated asymptotically.",
    "E mean z_iΔ_i* in (3) moves with α, and in one dimension it is infinite as soon as w has a density at a minimiser of a client "
    "with Δ_i* > 0 and u_i ≠ 0 around it (the left side is then −∞); but no Δ_i* is needed: gradients do not grow along local steps, "
    "so that G and the step bound what these cost, and (5) is the limit. With the K that Section 4.1 recalls it fails: "
    "DAS-S41-EQ5@recalled-K",
    repair=Repair(
        "For every α, with z_i = GE/‖u_i‖ and c = 1/r − 1/n: 2 E mean z_i(f_i(w_k̃) − f_i(w*)) ≤ A + (E/α)(1 + c)(G²/(2L))ρ + "
        "(2/21)(G²/L)(ρE/α)², without any Δ_i*, so that no f_i has to be bounded below; its limit is (5)",
        "where u_i = 0, norm(u_i, C) is read as 0 and z_i as any number ≥ 0",
        closed((LIMIT_5, LIMIT_K, *any_clients.NODES_4)),
        "GE/‖u‖ does not exist for u = 0",
    ),
    gap=Gap("undefined", "GE/‖u_k̃‖ for a client at its minimiser", runs.AT_MINIMISER),
    consequence="In this weighted sum of gaps heterogeneity costs nothing at all, whatever the clients; of f(w) − f(w*) it says "
    "nothing (DAS-S4-ALPHA@f).",
)  # fmt: skip
