"""What the paper says twice and differently: counts, years, tables, indices."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.theorem2 import noise_appendix, noise_main
from verify.alpha_normec.experiments.printed_numbers import SPLIT, compare
from verify.alpha_normec.letters import PAPER, ROUNDS, K, beta, n, sigma
from verify.alpha_normec.theorems.theorem2 import T2_APP
from verify.claim import Claim, Gap, Repair
from verify.facts import hypothesis
from verify.identity import Limit
from verify.obligation import obligation
from verify.proof import Proof

EPSILON, DELTA = Fraction(8), Fraction(1, 10**5)
"""6.2."""
TABLES = 2
"""How many tables the paper has."""

E_DELTA = Claim(
    id="NEC-EXP-DELTA",
    paper=PAPER,
    place="Section 3.3, against 6.2 and I.1",
    kind="privacy",
    printed="we usually choose ϵ ≤ 10 and δ ≪ 1/n, where n is the number of data points [6.2:] for ϵ = 8, δ = 10⁻⁵ [I.1:] The "
    "dataset was split into train (90%) and test (10%) sets.",
    reason="δ is about half of 1/n, less than it, and how much less ≪ means is not said: with 45,000 training images 1/n is 2.2 · "
    "10⁻⁵ (1.9 · 10⁻⁵ with 54,000).",
    repair=Repair(
        "ϵ = 8 ≤ 10 and δ = 10⁻⁵ < 1/n, with n = 45,000 or 54,000 training images.",
        "< in the place of ≪",
        Proof(
            (),
            (
                compare("ϵ is at most 10", EPSILON, "<=", Fraction(10)),
                *(
                    compare(f"δ is below 1/n, 90% of {images}", DELTA, "<", Fraction(1, n))
                    for images, n in SPLIT.items()
                ),
            ),
        ),
        weakest="δ is about half of 1/n; with n the ten clients of Problem (1) it is far below",
    ),
    gap=Gap(
        "reading",
        "≪ as less than a tenth",
        Proof(
            (),
            tuple(
                compare(f"δ is more than a tenth of 1/n, 90% of {images}", DELTA, ">", Fraction(1, 10 * n))
                for images, n in SPLIT.items()
            ),
        ),
    ),
)
S4_MEMORY = Claim(
    id="NEC-S4-MEMORY",
    paper=PAPER,
    place="Section 4, after Theorem 1, after Corollary 1 and after (12), against Algorithm 1",
    kind="definition",
    printed="This constant diminishes when we properly choose initialized memory vectors g_i^{−1} […] when we choose g_i^{−1} such "
    "that R = O(1/√K) […] the second term 2D(K+1)^{−1/2} comes from the initialized memory vectors g_i^{−1} [Algorithm 1:] "
    "starting points x⁰, g_i⁰ ∈ R^d […] for each iteration k = 0, 1, …, K do",
    reason="Algorithm 1 starts from g_i⁰ and its first update makes g_i¹: no g_i^{−1} is defined, and R is that of g_i⁰.",
    conflict=Proof((), (compare("−1 is below the least index of a memory", Fraction(-1), "<", Fraction(0)),)),
    consequence="Read g_i⁰.",
)
S4_CITED = Claim(
    id="NEC-S4-CITED",
    paper=PAPER,
    place="Section 4, comparison with Clip21, against Appendix F and Section 2",
    kind="prose",
    printed="Theorem 5.6 of Khirirat et al. (2019) [Appendix F:] Theorem 5.6. of Khirirat et al. (2023) [Section 2:] First "
    "introduced by Seide et al. (2014), EF14 was extensively analyzed for first-order methods in both single-node (Stich et al., "
    "2018; Karimireddy et al., 2019; Stich and Karimireddy, 2020; Khirirat et al., 2019)",
    reason="One theorem is cited from two papers; the one of 2019 is about EF14 and not about Clip21.",
    conflict=Proof((), (compare("two years for Theorem 5.6", Fraction(2019), "!=", Fraction(2023)),)),
    consequence="Read 2023.",
)
I22_TABLE = Claim(
    id="NEC-EXP-I22@table",
    paper=PAPER,
    place="I.2.2",
    kind="prose",
    printed="in terms of the final test accuracy reported in Figure 3 and Table 8. From Table 8, […] Figure 8: Best configurations "
    "and final test accuracies of DP-SGD (2) and α-NormEC (1) without server normalization",
    reason="There is no Table 8: there are two tables, and the numbers are in Figure 8. Its caption gives α-NormEC the number of "
    "Problem (1), beside DP-SGD's (2).",
    conflict=Proof(
        (), (compare("8 is above the number of the last table", Fraction(8), ">", Fraction(TABLES)),)
    ),
)

_SOME_NOISE = hypothesis("β, σ_DP > 0", (beta > 0) & (sigma > 0))
_TWO_CLIENTS = hypothesis("n ≥ 2", n >= 2)
_APPENDIX_G = T2_APP.repair
assert _APPENDIX_G is not None
T2_CLIENTS = Claim(
    id="NEC-T2-CLIENTS",
    paper=PAPER,
    place="Theorem 2 in Section 5, against its proof, Appendix H, Corollary 2 and the poster",
    kind="theorem",
    printed="[Section 5, Theorem 2:] min_{k∈[0,K]} E‖∇f(x^k)‖ ≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2R + (L/2)γ + 2√(β²(K+1)σ_DP²) [Appendix "
    "G, last display; poster:] 2√(β²(K+1)σ_DP²/n) [Appendix H:] from Theorem 2, we get […] O(β₀√log(1/δ)/(√n ϵ))",
    reason="The statement has lost its proof's n under the root. What it leaves is weaker, true for σ_DP² = E‖z_i‖² (NEC-T2-MAIN) "
    "and false for a variance per coordinate (NEC-T2-MAIN@coordinate). Corollary 2's n under the fourth root, the gain from many "
    "clients, does not follow from it: Appendix H uses the theorem that Appendix G proves.",
    conflict=Proof(
        (_SOME_NOISE, _TWO_CLIENTS),
        (
            obligation(
                "2√(β²(K+1)σ_DP²) > 2√(β²(K+1)σ_DP²/n)",
                (_SOME_NOISE, _TWO_CLIENTS, ROUNDS),
                noise_main(beta, K, sigma) ** 2 > noise_appendix(beta, K, sigma, n) ** 2,
            ),
            Limit("the square of their quotient is n, above every constant",
                  noise_main(beta, K, sigma) ** 2 / noise_appendix(beta, K, sigma, n) ** 2, n, sympy.oo, sympy.oo, "-",
                  (_SOME_NOISE, ROUNDS)),
        ),
    ),
    repair=Repair(
        "The bound with 2√(β²(K+1)σ_DP²/n), as Appendix G has it, σ_DP² := E‖z_i‖².",
        f"the n under the root; {_APPENDIX_G.condition}",
        _APPENDIX_G.proof,
    ),
    consequence="Use Appendix G's bound (NEC-T2-APP).",
)  # fmt: skip
CLAIMS = (T2_CLIENTS, E_DELTA, S4_MEMORY, S4_CITED, I22_TABLE)
