"""Our theorems in place of Theorems 1 and 2: `rounds` proves them, `bounds.fed_alpha_normec.repaired` has their formulas."""

from verify.fed_alpha_normec.letters import claim
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se

R1 = claim(
    "FED-R1",
    "ours, repaired Theorem 1 for one local step",
    "ours",
    "If β ≤ (√α + √R)² and η ≤ βR/(L(α+R)), then min_k E‖∇f(xᵏ)‖ ≤ (f(x⁰)−f^inf)/((K+1)η) + 2R + "
    "2√(β²(K+1)(1−p+V)/(pM)) + Lη/2",
    "Weaker conditions, no Δ^inf, three times smaller first term, half of F.2's B; with p = 1, V = 0 it "
    "is α-NormEC's bound.",
    proof=ro.REPAIRED_ONE,
    consequence="FED-R1-SHARP has a smaller noise term still.",
)
R2_SHARP = claim(
    "FED-R2-SHARP",
    "ours, Theorem 1 without a condition on ηγ",
    "ours",
    "If β ≤ (√α + √R)², η ≤ βR/(2L(α+R)), γ ≤ 1/(2L) and f(x⁰) > (1/M)Σf_i^inf, then min_k E‖∇f(xᵏ)‖ ≤ "
    "(f(x⁰)−f^inf)/((K+1)η) + 2R + √(2β²(K+2)(1−p+V)/(pM)) + Lγ√(2L(f(x⁰) − (1/M)Σf_i^inf)) + Lη/2",
    "Where the weights of Lemma 5 are summed exactly (FED-L5-SHARP), the condition that the paper misprints is not needed "
    "at all: f can rise by what the local steps drift, and then the starting gap joins Δ^inf in the drift. (Where f(x⁰) = "
    "(1/M)Σf_i^inf, ∇f(x⁰) = 0 and there is nothing to show.)",
    proof=se.SHARP_GD,
    consequence="The number of rounds no longer limits ηγ, and the first term loses its factor 3.",
)
R3_SHARP = claim(
    "FED-R3-SHARP",
    "ours, Theorem 2 without a condition on ηγ",
    "ours",
    "As FED-R2-SHARP with f(x⁰) > (1/M)Σ(1/N)Σf_{i,j}^inf and the drift "
    "2Lγ√(2L(f(x⁰) − (1/M)Σ(1/N)Σf_{i,j}^inf))",
    "Incremental gradient, one pass, every f_{i,j} L-smooth. (Where f(x⁰) is that mean, ∇f(x⁰) = 0 and there is nothing to show.)",
    proof=se.SHARP_IG,
)
CLAIMS = (
    R1,
    claim(
        "FED-R2",
        "ours, repaired Theorem 1 for several local gradient steps",
        "ours",
        "If β ≤ (√α + √R)², η ≤ βR/(2L(α+R)), γ ≤ 1/(2L) and ηγ(K+1) ≤ s/L² for some s > 0, "
        "then min_k E‖∇f(xᵏ)‖ ≤ "
        "3(f(x⁰)−f^inf)/((K+1)η) + 2R + √(2β²(K+2)(1−p+V)/(pM)) + Lγ(s/2 + LΔ^inf/s) + Lη/2",
        "All units agree; s = √(2LΔ^inf) gives an eighth of the printed drift term, under a condition eight times "
        "weaker than the printed one with √Δ^inf for Δ^inf, as the units ask (FED-T1-UNITS).",
        proof=se.REPAIRED_GD,
    ),
    claim(
        "FED-R3",
        "ours, repaired Theorem 2",
        "ours",
        "As FED-R2 with ηγ(K+1) ≤ s/(2L²) and the drift 2Lγ(s/2 + L(Δ^inf + (1/M)ΣΔ_i^inf)/s), Δ_i^inf = "
        "f_i^inf − (1/N)Σ f_{i,j}^inf",
        "Incremental gradient, one pass, every f_{i,j} L-smooth.",
        proof=se.REPAIRED_IG,
    ),
    R2_SHARP,
    R3_SHARP,
)
