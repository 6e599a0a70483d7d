"""The additive constants of Theorems 1 and 2, and how small the whole bounds can be."""

from __future__ import annotations

import sympy

from bounds.alpha_normec.comparison import gradient_descent
from bounds.alpha_normec.ours import smallest_theorem1
from bounds.alpha_normec.theorem1 import theorem1
from bounds.alpha_normec.theorem2 import noise_appendix, noise_main, theorem2_appendix, theorem2_main
from verify.alpha_normec.corollaries.corollary2 import noise as s
from verify.alpha_normec.letters import (
    ALLOWED,
    ALPHA,
    BETA,
    CLIENTS,
    CONTRACTION,
    GAMMA,
    GAP,
    PAPER,
    POSITIVE_GAP,
    RADIUS,
    RESIDUAL,
    ROUNDS,
    SHORT_STEP,
    SIGMA,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L,
    L_max,
    R,
    alpha,
    beta,
    f_gap,
    gamma,
    n,
    sigma,
)
from verify.alpha_normec.theorems.descent import START
from verify.alpha_normec.theorems.theorem1 import BASE, T1
from verify.citation import Cite
from verify.claim import Claim, Gap, Repair
from verify.facts import definition, equal, hypothesis, standard
from verify.identity import Identity, Limit
from verify.obligation import obligation
from verify.proof import Proof

OUR_MIN = Claim(
    id="NEC-OUR-T1-MIN",
    paper=PAPER,
    place="ours: how small Theorem 1's bound can be",
    kind="ours",
    printed="For all α, β, γ, R that Theorem 1 allows its bound exceeds √((8L_max + 2L)(f(x⁰) − f^inf)/(K+1)), which for "
    "L_max = L is √5 times gradient descent's √(2L(f(x⁰) − f^inf)/(K+1)).",
    reason="γ < R/L_max, so 2R + Lγ/2 > γ(2L_max + L/2), and a/γ + bγ ≥ 2√(ab).",
    proof=Proof(
        ALLOWED,
        (
            Identity(
                "for L_max = L it is √5 times gradient descent's",
                smallest_theorem1(f_gap, L, L, K),
                sympy.sqrt(5) * gradient_descent(f_gap, L, K),
                (SMOOTH, GAP, ROUNDS),
            ),
            short := obligation(
                "γL_max < R",
                (*ALLOWED, RADIUS),
                gamma * L_max < R,
            ),
            obligation(
                "the bound exceeds √((8L_max + 2L)(f(x⁰) − f^inf)/(K+1))",
                (GAMMA, SMOOTH, SMOOTH_MAX, short.conclusion, ROUNDS, GAP),
                theorem1(f_gap, gamma, K, R, L) > smallest_theorem1(f_gap, L, L_max, K),
            ),
        ),
    ),
    consequence="With L_max = L the bound says nothing unless K + 1 > 5.",
)
GRADIENTS = sympy.Symbol("grad0", real=True)
_SMALL = obligation(
    "2R + Lγ/2 ≤ (2 + L/(2L_max)) R", (*ALLOWED, RADIUS), 2 * R + L * gamma / 2 <= (2 + L / (2 * L_max)) * R
)
T1_ADD = Claim(
    id="NEC-T1-ADD",
    paper=PAPER,
    place="after Theorem 1, Section 4",
    kind="prose",
    printed="α-NormEC converges sublinearly up to the additive constant of 2R + (L/2)γ. This constant diminishes when we "
    "properly choose initialized memory vectors g_i^{−1} and the step size γ, as shown in the following corollary. [g_i^{−1}: "
    "Algorithm 1 and Corollary 1 call them g_i⁰.]",
    reason="Beside 2R + Lγ/2 the bound falls like 1/(K+1), and that constant can be made as small as one likes, but only with K: at "
    "fixed K the first term then grows, and the sum stays above √(10L(f(x⁰) − f^inf)/(K+1)) for L_max = L (NEC-OUR-T1-MIN).",
    proof=Proof(
        (*BASE, CONTRACTION),
        (
            Cite(T1, (*BASE, CONTRACTION, ROUNDS, RESIDUAL)),
            Identity("K + 1 times the first term is (f(x⁰) − f^inf)/γ", (K + 1) * f_gap / (gamma * (K + 1)), f_gap / gamma,
                     (GAMMA, ROUNDS, GAP)),
            Limit("the bound → 2R + Lγ/2 as K → ∞", theorem1(f_gap, gamma, K, R, L), K, sympy.oo, 2 * R + L * gamma / 2, "-",
                  (GAMMA, SMOOTH, RADIUS, GAP)),
            _SMALL,
            Limit(
                "→ 0 as R → 0",
                (2 + L / (2 * L_max)) * R,
                R,
                sympy.Integer(0),
                sympy.Integer(0),
                given=(SMOOTH, SMOOTH_MAX),
            ),
            Limit(
                "while at fixed K the factor of f(x⁰) − f^inf → ∞",
                1 / (beta * R / (alpha + R) / L_max * (K + 1)),
                R,
                sympy.Integer(0),
                sympy.oo,
                given=(ALPHA, BETA, SMOOTH_MAX, ROUNDS),
            ),
        ),
    ),
)  # fmt: skip
LARGEST = sympy.Symbol("max‖∇f_i(x⁰)‖", real=True)
ZERO_MEMORY = hypothesis("g_i⁰ = 0, so that R = max_i ‖∇f_i(x⁰)‖", equal(R, LARGEST))
AVERAGE = standard("triangle inequality: ‖∇f(x⁰)‖ ≤ max_i ‖∇f_i(x⁰)‖", GRADIENTS <= LARGEST)
T1_ZERO = Claim(
    id="NEC-T1-ADD@zero-memory",
    paper=PAPER,
    place="Theorem 1 with g_i⁰ = 0",
    kind="ours",
    printed="With g_i⁰ = 0 the bound of Theorem 1 is above 2‖∇f(x⁰)‖ for every K: it never says more than the first gradient.",
    reason="R = max_i ‖∇f_i(x⁰)‖ ≥ ‖∇f(x⁰)‖, so 2R alone is more than what is known at k = 0.",
    proof=Proof(
        (GAMMA, SMOOTH, RADIUS, ZERO_MEMORY),
        (
            obligation(
                "bound > 2‖∇f(x⁰)‖",
                (GAMMA, SMOOTH, ROUNDS, GAP, ZERO_MEMORY, AVERAGE,
                 definition("norm", GRADIENTS >= 0), RADIUS),
                theorem1(f_gap, gamma, K, R, L) > 2 * GRADIENTS,
            ),
        ),
    ),
    consequence="Theorem 1 says nothing for zero memories, from which our training runs start, except those that try first gradients "
    "in their place (how the paper's runs start is not printed); NEC-OUR-T1-FORGETS does.",
)  # fmt: skip
UPPER = hypothesis("‖∇f_i(x⁰) − g_i⁰‖ ≤ R' for all i", START.relation)
_UPPER_BOUND = (*(UPPER if fact is START else fact for fact in BASE), CONTRACTION)
"""The hypotheses of Theorem 1 with R' in the place of R: its proof never uses that R is attained."""
T1_R0 = Claim(
    id="NEC-T1-ADD@R-zero",
    paper=PAPER,
    place="Theorem 1 with g_i⁰ = ∇f_i(x⁰)",
    kind="ours",
    printed="Any R' ≥ max_i ‖∇f_i(x⁰) − g_i⁰‖ may stand for R in Theorem 1, conditions included: any R' > 0 for exact ones.",
    reason="Theorem 1's proof never uses that R is attained, so that any larger number serves. With R = 0 itself γ ≤ βR/((α+R)L_max) "
    "= 0 is against γ > 0: as printed the theorem says nothing about exact memories.",
    proof=Proof(
        _UPPER_BOUND,
        (
            obligation(
                "at R = 0 the longest step is 0, so that γ > 0 is impossible",
                (ALPHA, BETA, SMOOTH_MAX, RADIUS),
                sympy.Implies(equal(R, 0), beta * R / (alpha + R) / L_max <= 0),
            ),
            Cite(T1, (*_UPPER_BOUND, ROUNDS, RESIDUAL)),
        ),
    ),
)
_QUIET = noise_main(beta, K, sigma)
_cap = sympy.Symbol("b", real=True)
T2_ADD = Claim(
    id="NEC-T2-ADD",
    paper=PAPER,
    place="after Theorem 2, Section 5",
    kind="prose",
    printed="[2R + (L/2)γ + 2√(β²(K+1)σ_DP²):] Notice that α-NormEC in the DP setting introduces one additional term that arises "
    "from the DP noise σ_DP². This additive constant diminishes when we initialize memory vectors g_i⁰ ∈ R^d such that R becomes "
    "small and properly choose parameters γ, β > 0.",
    reason="With β = R it is at most a constant times R; but at fixed K the first term of the bound then grows without limit, and "
    "with noise for a fixed (ε, δ) the sum keeps a floor whatever K is (NEC-OUR-T2-FLOOR).",
    proof=Proof(
        (*ALLOWED, SIGMA),
        (
            Identity("Theorem 2's bound is Theorem 1's and one term more", theorem2_main(f_gap, gamma, K, R, L, beta, sigma),
                     theorem1(f_gap, gamma, K, R, L) + 2 * _QUIET, (GAMMA, ROUNDS)),
            obligation("2R + Lγ/2 + noise ≤ (2 + L/(2L_max)) R + 2β√(K+1)σ", (*ALLOWED, SIGMA, RADIUS, ROUNDS),
                       2 * R + L * gamma / 2 + 2 * _QUIET <= (2 + L / (2 * L_max)) * R + 2 * beta * sympy.sqrt(K + 1) * sigma),
            Limit("→ 0 as β = R → 0 (β < α + R holds)", (2 + L / (2 * L_max)) * R + 2 * R * sympy.sqrt(K + 1) * sigma, R,
                  sympy.Integer(0), sympy.Integer(0), given=(SMOOTH, SMOOTH_MAX, ROUNDS, SIGMA)),
            Limit("while at fixed K the factor of f(x⁰) − f^inf → ∞", 1 / (R * R / (alpha + R) / L_max * (K + 1)), R,
                  sympy.Integer(0), sympy.oo, given=(ALPHA, SMOOTH_MAX, ROUNDS)),
        ),
    ),
)  # fmt: skip

_HELD = hypothesis("b > 0 and β√(K+1) ≤ b", (_cap > 0) & (beta * sympy.sqrt(K + 1) <= _cap))
_NOISY = hypothesis("σ_DP > 0", sigma > 0)
T2_CONSTANT = Claim(
    id="NEC-T2-ADD@constant",
    paper=PAPER,
    place="after Theorem 2, Section 5",
    kind="prose",
    printed="α-NormEC achieves the sublinear convergence up to the additive term 2R + (L/2)γ + 2√(β²(K+1)σ_DP²) […] This additive "
    "constant",
    reason="For given β and σ_DP the term grows like √K: it stays bounded as K grows only where β falls at least as fast as "
    "1/√(K+1), and otherwise the term is unbounded.",
    repair=Repair(
        "With β ≤ b/√(K+1) it is at most (2 + L/(2L_max))R + 2bσ_DP for every K.",
        "β at most of order 1/√(K+1)",
        Proof(
            (*ALLOWED, SIGMA, _HELD),
            (
                _SMALL,
                _bounded := obligation("√(β²(K+1)σ²) ≤ bσ", (BETA, SIGMA, ROUNDS, _HELD), _QUIET <= _cap * sigma),
                obligation("2R + Lγ/2 + 2√(β²(K+1)σ²) ≤ (2 + L/(2L_max))R + 2bσ",
                           (BETA, SMOOTH_MAX, SIGMA, ROUNDS, _SMALL.conclusion, _bounded.conclusion),
                           2 * R + L * gamma / 2 + 2 * _QUIET <= (2 + L / (2 * L_max)) * R + 2 * _cap * sigma),
            ),
        ),
        weakest="a larger order of β√(K+1) lets the term grow without bound",
    ),
    gap=Gap(
        "reading",
        "a constant at given β and σ_DP > 0",
        Proof(
            (GAMMA, SMOOTH, BETA, _NOISY),
            (
                Limit("at fixed β the factor of σ_DP → ∞ with K", 2 * noise_main(beta, K, sympy.Integer(1)), K, sympy.oo,
                      sympy.oo, "-", (BETA,)),
                obligation("and the bound is above σ_DP > 0 times it", (GAMMA, SMOOTH, BETA, _NOISY, ROUNDS, RADIUS, GAP),
                           (theorem2_main(f_gap, gamma, K, R, L, beta, sigma) >= 2 * noise_main(beta, K, sympy.Integer(1)) * sigma)
                           & (2 * noise_main(beta, K, sympy.Integer(1)) * sigma > 0)),
            ),
        ),
    ),
)  # fmt: skip

_DP = hypothesis("σ_DP² = E‖z_i‖² = s²n(K+1), s > 0: the noise of Corollary 2",
                 (s > 0) & equal(sigma**2, s**2 * n * (K + 1)))  # fmt: skip
_FLOOR = 2 * sympy.sqrt(2 * s * L_max * f_gap)
total = sympy.Symbol("β(K+1)", real=True)
_TOTAL = definition("letter for β(K+1)", equal(total, beta * (K + 1)))
_first = obligation(
    "(f(x⁰) − f^inf)/(γ(K+1)) ≥ L_max(f(x⁰) − f^inf)/(β(K+1))",
    (ALPHA, BETA, GAMMA, SMOOTH_MAX, SHORT_STEP, RADIUS, ROUNDS, _TOTAL, GAP),
    f_gap / (gamma * (K + 1)) >= L_max * f_gap / total,
)
_spread = obligation(
    "2√(β²(K+1)σ_DP²/n) = 2sβ(K+1)",
    (BETA, SIGMA, CLIENTS, ROUNDS, _DP, _TOTAL),
    equal(noise_appendix(beta, K, sigma, n), s * total),
)
_one, _two = sympy.symbols("first noise_term", real=True)
_NAMES = definition(
    "letters for the two terms",
    equal(_one, f_gap / (gamma * (K + 1))) & equal(_two, noise_appendix(beta, K, sigma, n)),
)
_mean = obligation(
    "a/t + 2st ≥ 2√(2sa) with a = L_max(f(x⁰) − f^inf), t = β(K+1)",
    (BETA, SMOOTH_MAX, ROUNDS, _DP, _TOTAL, GAP),
    L_max * f_gap / total + 2 * s * total >= _FLOOR,
)
OUR_FLOOR = Claim(
    id="NEC-OUR-T2-FLOOR",
    paper=PAPER,
    place="ours: how small Theorem 2's bound can be under a fixed (ε, δ)",
    kind="ours",
    printed="With σ_DP² = s²n(K+1), as Corollary 2 has it, Theorem 2's bound (Appendix G) exceeds 2√(2sL_max(f(x⁰) − f^inf)) for "
    "all α, β, γ, R and K that the theorem allows.",
    reason="γ < β/L_max, so the first term is at least a/t with a = L_max(f(x⁰) − f^inf) and t = β(K+1). The noise term is 2st.",
    proof=Proof(
        (*ALLOWED, SIGMA, CLIENTS, _DP),
        (
            _first,
            _spread,
            _mean,
            obligation(
                "the bound exceeds 2√(2sL_max(f(x⁰) − f^inf))",
                (
                    GAMMA,
                    SMOOTH,
                    RADIUS,
                    _first.conclusion,
                    _spread.conclusion,
                    _mean.conclusion,
                    _NAMES,
                    ROUNDS,
                    CLIENTS,
                ),
                theorem2_appendix(f_gap, gamma, K, R, L, beta, sigma, n) > _FLOOR,
            ),
        ),
    ),
    consequence="More rounds cannot bring the guarantee below that: the Δ of Corollary 2 cannot be made smaller than "
    "√(L_max(f(x⁰) − f^inf)), its limit as α/R → 0. Some floor is no fault of the proof: under (ε, δ)-DP no method's mean over k of "
    "E‖∇f(x^k)‖ is without one on both of two problems (NEC-OUR-DP-FLOOR).",
)
e = sympy.Symbol("e", real=True)
_SMALL_E = hypothesis("0 < e ≤ 1", (e > 0) & (e <= 1))
_ENOUGH = hypothesis("K + 1 ≥ 1/e⁴", (K + 1) * e**4 >= 1)
_QUIETER = hypothesis("σ_DP² ≤ e⁴n(K+1)", sigma**2 <= e**4 * n * (K + 1))
_BETA = 1 / (e * (K + 1))
_SENT = (SMOOTH, SMOOTH_MAX, SIGMA, CLIENTS, _SMALL_E, _ENOUGH, _QUIETER)
_hum = obligation(
    "√(β²(K+1)σ_DP²/n) ≤ e",
    (SIGMA, CLIENTS, ROUNDS, _SMALL_E, _QUIETER),
    noise_appendix(_BETA, K, sigma, n) <= e,
)
POSTER_NOISE = Claim(
    id="NEC-POSTER-NOISE",
    paper=PAPER,
    place="poster, Our Contributions; Section 5",
    kind="prose",
    printed="Unlike Clip21, α-NormEC achieves convergence in the presence of DP noise. [Section 5:] Unlike Clip21, α-NormEC achieves "
    "the first provable convergence guarantees in the presence of DP noise […]",
    reason="With a noise that grows more slowly than √K Theorem 2's bound can be sent to 0; DP at a fixed (ε, δ) makes σ_DP grow "
    "like √K, and then the bound has a floor above 0 (NEC-OUR-T2-FLOOR), as the gradient at the last iterate of every private "
    "method has on one of two problems (NEC-OUR-DP-FLOOR). What Clip21 lacks for such a bound is not smoothed normalisation: with "
    "clipping and the same server step it has one (NEC-OUR-T2-CLIP). (Whether it is the first: NEC-S11-FIRST.)",
    repair=Repair(
        "For every e ∈ (0, 1], once K + 1 ≥ 1/e⁴ and σ_DP ≤ e²√(n(K+1)): with R = α = e, β = 1/(e(K+1)) and the longest step "
        "β/(2L_max) the bound is at most e(2L_max(f(x⁰) − f^inf) + 4 + L/(4L_max)). So it can be sent to 0 where σ_DP/√K → 0.",
        "σ_DP/√K → 0",
        Proof(
            _SENT,
            (
                obligation("β/(α + R) < 1", (_SMALL_E, _ENOUGH, ROUNDS), _BETA / (e + e) < 1),
                Identity("βR/((α + R)L_max) = β/(2L_max)", _BETA * e / (e + e) / L_max, _BETA / (2 * L_max),
                         (_SMALL_E, SMOOTH_MAX, ROUNDS)),
                _hum,
                obligation("the bound is at most e(2L_max(f(x⁰) − f^inf) + 4 + L/(4L_max))",
                           (SMOOTH, SMOOTH_MAX, GAP, ROUNDS, _SMALL_E, _ENOUGH, _hum.conclusion),
                           theorem2_appendix(f_gap, _BETA / (2 * L_max), K, e, L, _BETA, sigma, n)
                           <= e * (2 * L_max * f_gap + 4 + L / (4 * L_max))),
            ),
        ),
        weakest="necessary for this bound where f(x⁰) > f^inf: it exceeds 2√(2sL_max(f(x⁰) − f^inf)) with s = σ_DP/√(n(K+1)), "
        "whatever the parameters (NEC-OUR-T2-FLOOR)",
    ),
    gap=Gap(
        "reading",
        "Theorem 2's bound with noise for a fixed (ε, δ), as Corollary 2 has it: it keeps 2√(2sL_max(f(x⁰) − f^inf)) > 0 "
        "(NEC-OUR-T2-FLOOR)",
        Proof(
            (*ALLOWED, SIGMA, CLIENTS, _DP, POSITIVE_GAP),
            (
                Cite(OUR_FLOOR, (*ALLOWED, SIGMA, CLIENTS, _DP, RADIUS, ROUNDS, GAP, _TOTAL, _NAMES)),
                obligation("a positive number without K", (_DP, SMOOTH_MAX, POSITIVE_GAP, CLIENTS, ROUNDS), _FLOOR > 0),
            ),
        ),
    ),
)  # fmt: skip
CLAIMS = (T1_ADD, T1_ZERO, T1_R0, OUR_MIN, T2_ADD, T2_CONSTANT, OUR_FLOOR, POSTER_NOISE)
