"""Claim: Appendix B, on what [4] (Bassily, Smith and Thakurta 2014) show. Their bound is cited, not proved here."""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import choices as printed
from verify.claim import Claim, Gap, Repair
from verify.dp_normfedavg.text.prose import d, ell, epsilon, n, q
from verify.facts import hypothesis, letters, standard
from verify.obligation import obligation
from verify.proof import Proof

PAPER = "dp-normfedavg"
least, factor, times = letters("gap kappa B")
SIZE = hypothesis("q, d, n, ε, log(1/δ) > 0", (q > 0) & (d > 0) & (n > 0) & (epsilon > 0) & (ell > 0))
RHO = printed.rho_definition2(q, d, ell, n, epsilon)
SHOWN = sympy.sqrt(d) / (n * epsilon)
LOWER = standard(
    "Bassily, Smith and Thakurta (2014): every (ε, δ)-DP algorithm, δ small against 1/n, has a gap of at least κ min{1, √d/(nε)} on "
    "some 1-Lipschitz f over the unit ball",
    (factor > 0) & (least >= factor * sympy.Min(1, SHOWN)),
)
WITHIN = obligation(
    "that gap is at least κ min{1, ρ/√(q log(1/δ))}",
    (SIZE, LOWER),
    least >= factor * sympy.Min(1, RHO / sympy.sqrt(q * ell)),
)
SMALL_DELTA = hypothesis("log(1/δ) > B²/q, B > 0", (times > 0) & (q * ell > times**2))
LARGE_N = hypothesis("nε > √(q d log(1/δ))", n * epsilon > sympy.sqrt(q * d * ell))
NO_FACTOR = obligation("B√d/(nε) < ρ < 1", (SIZE, SMALL_DELTA, LARGE_N), (times * SHOWN < RHO) & (RHO < 1))

CLAIMS = (
    Claim(
        "DAS-APPB-TIGHT", PAPER, "Appendix B", "prose",
        "[4] show that in the convex Lipschitz centralized case, the suboptimality gap bound of O(ρ) (recall "
        "ρ = √(qd log(1/δ))/nε, as defined in Definition 2) bound is tight.",
        "the lower bound of [4], Bassily, Smith and Thakurta (2014), is of order min{1, √d/(nε)}, and ρ is √(q log(1/δ)) times as "
        "large, which no constant bounds as δ falls: by it nothing is better than ρ by more than a multiple of that factor. A lower "
        "bound with the log(1/δ) in it is known from outside this paper and [4] (Steinke and Ullman 2016, for one-way marginals, and "
        "by implication for empirical risk)",
        repair=Repair(
            "by the lower bound of Bassily, Smith and Thakurta no algorithm does better than a multiple of min{1, ρ/√(q log(1/δ))}",
            "the lower half only, with the lower bound as cited, and up to the factor √(q log(1/δ)); the upper half is not shown",
            Proof((SIZE,), (WITHIN,)),
            "an identity between ρ and that lower bound",
        ),
        gap=Gap("reading", "that the lower bound of [4] matches ρ up to a constant: for every B some δ and n have B√d/(nε) < ρ < 1",
                Proof((SIZE, SMALL_DELTA, LARGE_N), (NO_FACTOR,))),
    ),
)  # fmt: skip
