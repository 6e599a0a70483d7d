"""Corollary 1, equation (12) and what Section 4 says about them."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.corollary1 import (
    beta12,
    constant,
    corollary1,
    equation12,
    longest_step,
    radius,
)
from bounds.alpha_normec.ours import smallest_theorem1, theorem1_sharp
from bounds.alpha_normec.theorem1 import theorem1
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CONTRACTION,
    GAMMA,
    PAPER,
    SHORT_STEP,
    SMOOTH,
    SMOOTH_MAX,
    D,
    K,
    L,
    L_max,
    R,
    alpha,
    beta,
    f_gap,
    gamma,
    remaining,
    s,
)
from verify.claim import Claim, Repair, Values, Witness
from verify.exact import Quadratic, alpha_normec
from verify.facts import definition, derived, hypothesis
from verify.obligation import obligation
from verify.proof import Cite, Comparison, Computation, Identity, Limit, Proof

ROUNDS = definition("K ≥ 0", K >= 0)
ROOT = definition("s = √(K+1)", (s >= 1) & sympy.Eq(s**2, K + 1))
ANY_D = hypothesis("D > 0", D > 0)
GENTLE = hypothesis("α > β", alpha > beta)
GAP = definition("f(x⁰) − f^inf ≥ 0", f_gap >= 0)
MEMORIES = hypothesis("max_i ‖∇f_i(x⁰) − g_i⁰‖ = D(K+1)^{−1/2}", sympy.Eq(R * s, D))
STEP = hypothesis("γ ≤ β/L_max · D/(α+D) · 1/(K+1)^{1/2}", gamma * s * L_max * (alpha + D) <= beta * D)
LONGEST = hypothesis(
    "γ = β/L_max · D/(α+D) · 1/(K+1)^{1/2}", sympy.Eq(gamma * s * L_max * (alpha + D), beta * D)
)
CHOICES = (ALPHA, BETA, GAMMA, SMOOTH_MAX, ANY_D, GENTLE, MEMORIES)
THEOREM1 = Cite("NEC-T1", derived("Theorem 1: min‖∇f‖ ≤ (f(x⁰)−f^inf)/(γ(K+1)) + 2R + Lγ/2",
                                  sympy.Symbol("floor", real=True) <= theorem1(f_gap, gamma, K, R, L)))  # fmt: skip
FLOOR = sympy.Symbol("floor", real=True)
PRINTED = (
    "If we choose g_i⁰ such that max_i ‖∇f_i(x⁰) − g_i⁰‖ = D(K+1)^{−1/2} with any D > 0, γ ≤ β/L_max · D/(α+D) · "
    "1/(K+1)^{1/2}, and α > β, then min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ C/(K+1)^{1/2}, where "
    "C = L_max(α+D)/(βD)·(f(x⁰) − f^inf) + 2D + (L/2)·βD/(L_max(α+D))."
)

CONDITIONS = (
    obligation("β/(α+R) < 1", (*CHOICES, STEP, ROOT, ROUNDS), beta / (alpha + R) < 1),
    obligation(
        "γ ≤ βR/((α+R)L_max)", (*CHOICES, STEP, ROOT, ROUNDS), gamma <= beta * R / (alpha + R) / L_max
    ),
)
C1_COND = Claim(
    id="NEC-C1-COND",
    paper=PAPER,
    place="Corollary 1, Section 4; Appendix E",
    kind="corollary",
    printed="then from Theorem 1, we obtain γ ≤ βR/(α+R)·1/L_max [with R = D(K+1)^{−1/2}, β < α]",
    reason="R ≤ D makes Corollary 1's step at most Theorem 1's; α > β is more than β < α + R.",
    proof=Proof((*CHOICES, STEP), CONDITIONS),
)


def _bound_at(gamma_fact) -> Proof:
    at = obligation(
        "the bound of Theorem 1 is at most C/√(K+1)",
        (*CHOICES, SMOOTH, STEP, gamma_fact, ROOT, ROUNDS, GAP, THEOREM1.fact),
        FLOOR <= constant(f_gap, L, L_max, alpha, beta, D) / s,
    )
    facts = (*CHOICES, SMOOTH, STEP) if gamma_fact is STEP else (*CHOICES, SMOOTH, STEP, gamma_fact)
    return Proof(facts, (*CONDITIONS, THEOREM1, at))


def _tiny_step(values: Values) -> Comparison:
    """Corollary 1 on f(x) = x²/2 from x⁰ = 1 with K + 1 = 9, run exactly."""
    f = Quadratic(Fraction(1))
    a, b, g, big_d, x = (values[k] for k in ("alpha", "beta", "gamma", "D", "x0"))
    steps, root = 9, 3
    run = alpha_normec([f.gradient], x, [f.gradient(x) - big_d / root], a, b, g, steps)
    least = min(abs(f.gradient(y)) for y in run.x[:steps])
    bound = constant(f.value(x), Fraction(1), Fraction(1), a, b, big_d) / root
    return Comparison(least, "<=", bound, (
        ("α, β, γ, D > 0", min(a, b, g, big_d) > 0),
        ("α > β", a > b),
        ("‖∇f(x⁰) − g⁰‖ = D/√(K+1)", abs(f.gradient(x) - run.memories[0][0]) * root == big_d),
        ("γ ≤ β/L_max · D/(α+D) · 1/√(K+1)", g <= b * big_d / (a + big_d) / root),
    ))  # fmt: skip


SHORTEST = hypothesis(
    "γ ≥ min(γ_max, 2(f(x⁰) − f^inf)/(L(K+1)γ_max)), γ_max the printed limit",
    (gamma * s * L_max * (alpha + D) >= beta * D)
    | (gamma * L * s * beta * D >= 2 * f_gap * L_max * (alpha + D)),
)
C1 = Claim(
    id="NEC-C1",
    paper=PAPER,
    place="Corollary 1, Section 4; Appendix E",
    kind="corollary",
    printed=PRINTED,
    reason="With “γ ≤ …” a step close to zero is allowed, and then x hardly moves; C belongs to the longest step.",
    witness=Witness(
        {"alpha": Fraction(1), "beta": Fraction(15, 16), "gamma": Fraction(1, 1000), "D": Fraction(1, 2),
         "x0": Fraction(1)},
        "min_{k∈[0,8]} ‖∇f(x^k)‖ ≤ C/√9",
        _tiny_step,
        "f(x) = x²/2 (n = 1, L = L_max = 1), x⁰ = 1, K = 8, g⁰ = 1 − D/3",
    ),
    repair=Repair(
        "The bound for γ ≤ γ_max := β/L_max · D/(α+D) · (K+1)^{−1/2} and "
        "γ ≥ min(γ_max, 2(f(x⁰) − f^inf)/(L(K+1)γ_max)); γ = γ_max always does.",
        "γ ≥ min(γ_max, 2(f(x⁰) − f^inf)/(L(K+1)γ_max))",
        _bound_at(SHORTEST),
        weakest="outside it (f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2 exceeds its value at γ_max, and Theorem 1 gives less",
    ),
)  # fmt: skip
C1_EQ = Claim(
    id="NEC-C1@equality",
    paper=PAPER,
    place="Corollary 1 read with γ = …",
    kind="corollary",
    printed=PRINTED.replace("γ ≤", "γ ="),
    reason="Theorem 1 at the longest step.",
    proof=_bound_at(LONGEST),
)
_SCHEDULE = {R: radius(D, K), gamma: longest_step(beta, L_max, alpha, D, K)}
_SCHEDULED = theorem1(f_gap, gamma, K, R, L).subs(_SCHEDULE, simultaneous=True)
C1_RATE = Claim(
    id="NEC-C1-RATE",
    paper=PAPER,
    place="Section 4, after Corollary 1",
    kind="prose",
    printed="α-NormEC enjoys the O(1/√K) convergence in the gradient norm when we choose g_i⁰ such that R = O(1/√K), and "
    "γ = O(β/√K).",
    reason="True where γ is of the exact order β/√K; O(·) alone also allows steps that are too short (see NEC-C1).",
    repair=Repair(
        "With R = D/√(K+1) and γ = βD/(L_max(α+D)√(K+1)), √(K+1) times the bound is the constant C.",
        "γ of exact order β/√K",
        Proof(
            (ALPHA, BETA, SMOOTH, SMOOTH_MAX, ANY_D),
            (
                Identity(
                    "Theorem 1's bound with this schedule is C/√(K+1)",
                    _SCHEDULED,
                    corollary1(f_gap, L, L_max, alpha, beta, D, K),
                    positive=(alpha, beta, L, L_max, D, f_gap, K),
                ),
                Limit("√(K+1) · bound → C", sympy.sqrt(K + 1) * _SCHEDULED, K, sympy.oo,
                      constant(f_gap, L, L_max, alpha, beta, D), "-"),
            ),
        ),
    ),
)  # fmt: skip

BETA12 = hypothesis("β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L)",
                    sympy.Eq(beta, beta12(f_gap, L, L_max, alpha, D)))  # fmt: skip
POSITIVE_GAP = definition("f(x⁰) > f^inf", f_gap > 0)
LARGE_D = hypothesis("D > L_max √(2(f(x⁰) − f^inf)/L)", D > L_max * sympy.sqrt(2 * f_gap / L))
C1_REPAIRED = Cite("NEC-C1@equality", derived("Corollary 1",
                   FLOOR <= constant(f_gap, L, L_max, alpha, beta, D) / s))  # fmt: skip
EQ12 = Claim(
    id="NEC-EQ12",
    paper=PAPER,
    place="eq. (12), Section 4",
    kind="equation",
    printed="By further choosing α > 1, and β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L), […] the associated convergence bound "
    "from Corollary 1 [g_i⁰ with any D > 0; α > β] becomes min_k ‖∇f(x^k)‖ ≤ (√(2L(f(x⁰) − f^inf)) + 2D)/(K+1)^{1/2}.",
    reason="The algebra is right, but Corollary 1's α > β and this β can hold together only for "
    "D > L_max√(2(f(x⁰) − f^inf)/L): “any D > 0” is not available.",
    repair=Repair(
        "(12) for D > L_max√(2(f(x⁰) − f^inf)/L), α large enough that α > β, and γ at its limit.",
        "D > L_max√(2(f(x⁰) − f^inf)/L)",
        Proof(
            (ALPHA, BETA, SMOOTH, SMOOTH_MAX, ANY_D, GENTLE, BETA12, LARGE_D),
            (
                C1_REPAIRED,
                obligation(
                    "C = √(2L(f(x⁰) − f^inf)) + 2D",
                    (ALPHA, BETA, SMOOTH, SMOOTH_MAX, ANY_D, BETA12, POSITIVE_GAP, ROOT, C1_REPAIRED.fact),
                    FLOOR <= (sympy.sqrt(2 * L * f_gap) + 2 * D) / s,
                ),
                obligation(
                    "necessary: α > β with this β forces that D",
                    (ALPHA, SMOOTH, SMOOTH_MAX, ANY_D, GENTLE, BETA12, POSITIVE_GAP),
                    D > L_max * sympy.sqrt(2 * f_gap / L),
                ),
            ),
        ),
        weakest="necessary and sufficient for some α > β to exist",
    ),
    consequence="The smallest D is L_max√(2(f(x⁰) − f^inf)/L), at which (12) is three times gradient descent's bound "
    "(L_max = L).",
)


def _oscillates(values: Values) -> Comparison:
    """α > 1 alone: Algorithm 1 with eq. (12)'s β and the longest step on f = x²/2 from x⁰ = 1, K + 1 = 9."""
    f, root, steps = Quadratic(Fraction(1)), 3, 9
    a, b, g, big_d, x = (values[k] for k in ("alpha", "beta", "gamma", "D", "x0"))
    run = alpha_normec([f.gradient], x, [f.gradient(x) - big_d / root], a, b, g, steps)
    least = min(abs(f.gradient(y)) for y in run.x[:steps])
    return Comparison(least, "<=", (1 + 2 * big_d) / root, (
        ("α > 1", a > 1),
        ("D > 0", big_d > 0),
        ("√(2L(f(x⁰) − f^inf)) = 1", 2 * f.value(x) == 1),
        ("β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L)", b == (a + big_d) / big_d),
        ("γ = β/L_max · D/(α+D) · 1/√(K+1)", g == b * big_d / (a + big_d) / root),
        ("‖∇f(x⁰) − g⁰‖ = D/√(K+1)", abs(f.gradient(x) - run.memories[0][0]) * root == big_d),
    ))  # fmt: skip


EQ12_ALONE = Claim(
    id="NEC-EQ12@without-alpha-above-beta",
    paper=PAPER,
    place="eq. (12) read with α > 1 instead of α > β",
    kind="equation",
    printed="(12) for any D > 0, α > 1 and β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L), γ at its limit",
    reason="For small D this β is far above α + R: the memory overshoots, the sign of ĝ alternates and x goes nowhere.",
    witness=Witness(
        {
            "alpha": Fraction(2),
            "beta": Fraction(401),
            "gamma": Fraction(1, 3),
            "D": Fraction(1, 200),
            "x0": Fraction(1),
        },
        "min_{k∈[0,8]} ‖∇f(x^k)‖ ≤ (√(2L(f(x⁰) − f^inf)) + 2D)/√9",
        _oscillates,
        "f(x) = x²/2, x⁰ = 1, K = 8, g⁰ = 1 − D/3",
    ),
)


def _small_d(values: Values) -> Comparison:
    a, big_d = values["alpha"], values["D"]
    return Comparison((a + big_d) / big_d, "<", a, (
        ("L = L_max = 1, 2(f(x⁰) − f^inf) = 1", True), ("α > 1", a > 1), ("D > 0", big_d > 0),
    ))  # fmt: skip


EQ12_GD = Claim(
    id="NEC-EQ12-GD",
    paper=PAPER,
    place="Section 4, comparison with Clip21",
    kind="prose",
    printed="by choosing g_i⁰ ∈ R^d such that D is sufficiently small, the convergence bound of α-NormEC in (12) approaches "
    "that of classical gradient descent",
    reason="(12) needs D > L_max√(2(f(x⁰) − f^inf)/L): for a small D its β exceeds every α, and where (12) holds it is more "
    "than (1 + 2L_max/L) times gradient descent's bound.",
    witness=Witness(
        {"alpha": Fraction(2), "D": Fraction(1, 10)},
        "β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L) < α, which (12) presupposes",
        _small_d,
        "f = x²/2, x⁰ = 1: β/α ≥ 10 for every α",
    ),
    repair=Repair(
        "Where (12)'s hypotheses hold, it exceeds (1 + 2L_max/L) times gradient descent's bound; but the sharpened "
        "Theorem 1 (NEC-OUR-T1-SHARP) with β = α → ∞ at fixed R tends to normalised gradient descent's.",
        "α → ∞ with β = α instead of D → 0",
        Proof(
            (ALPHA, BETA, SMOOTH, SMOOTH_MAX, ANY_D, GENTLE, BETA12),
            (
                obligation(
                    "(12) > (1 + 2L_max/L) · gradient descent's bound",
                    (ALPHA, SMOOTH, SMOOTH_MAX, ANY_D, GENTLE, BETA12, POSITIVE_GAP),
                    equation12(f_gap, L, D, 0) > (1 + 2 * L_max / L) * sympy.sqrt(2 * L * f_gap),
                ),
                Limit(
                    "sharpened bound with β = α → ∞",
                    theorem1_sharp(f_gap, gamma, K, R, L, alpha, alpha),
                    alpha,
                    sympy.oo,
                    f_gap / (gamma * (K + 1)) + L * gamma / 2,
                    "-",
                ),
            ),
        ),
    ),
    consequence="To come close to gradient descent take α = β large (not D small); the price is sensitivity β.",
)


def _needs_gap() -> Comparison:
    """The β of (12) at two values of f(x⁰) − f^inf, the rest equal."""
    one = beta12(Fraction(1, 2), Fraction(1), Fraction(1), Fraction(1), Fraction(2))
    four = beta12(Fraction(2), Fraction(1), Fraction(1), Fraction(1), Fraction(2))
    return Comparison(one, "!=", four)


S4_STEP = Claim(
    id="NEC-S4-STEP",
    paper=PAPER,
    place="Section 4, comparison with Clip21; Section 1.1",
    kind="prose",
    printed="the hyperparameters of α-NormEC (β, α, γ > 0), as defined in Theorem 1, are easier to implement. The step size γ "
    "of Clip21 presents a practical challenge, as it depends on the inaccessible values of f(x⁰) − f^inf. Furthermore, the "
    "convergence bound of α-NormEC in (12) exhibits a smaller convergence factor",
    reason="The bound (12) that is compared uses a β that depends on f(x⁰) − f^inf itself; Theorem 1's free parameters do "
    "not, but they do not give (12).",
    conflict=Proof(
        (),
        (
            Computation("β of (12) changes with f(x⁰) − f^inf", "exact", _needs_gap),
            Limit("and without bound", beta12(f_gap, L, L_max, alpha, D), f_gap, sympy.oo, sympy.oo, "-"),
        ),
    ),
)
OUR_MIN = Claim(
    id="NEC-OUR-T1-MIN",
    paper=PAPER,
    place="ours: how small Theorem 1's bound can be",
    kind="ours",
    printed="For all α, β, γ, R that Theorem 1 allows its bound exceeds √((8L_max + 2L)(f(x⁰) − f^inf)/(K+1)), which for "
    "L_max = L is √5 times gradient descent's √(2L(f(x⁰) − f^inf)/(K+1)).",
    reason="γ < R/L_max, so 2R + Lγ/2 > γ(2L_max + L/2), and a/γ + bγ ≥ 2√(ab).",
    proof=Proof(
        (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, CONTRACTION, SHORT_STEP),
        (
            short := obligation(
                "γL_max < R",
                (ALPHA, BETA, GAMMA, SMOOTH_MAX, CONTRACTION, SHORT_STEP, definition("R ≥ 0", R >= 0)),
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
T1_ADD = Claim(
    id="NEC-T1-ADD",
    paper=PAPER,
    place="after Theorem 1, Section 4",
    kind="prose",
    printed="α-NormEC converges sublinearly up to the additive constant of 2R + (L/2)γ. This constant diminishes when we "
    "properly choose initialized memory vectors g_i^{−1} and the step size γ, as shown in the following corollary.",
    reason="2R + Lγ/2 can be made as small as one likes, but only with K: at fixed K the first term then grows, and the sum "
    "stays above √(10L(f(x⁰) − f^inf)/(K+1)) for L_max = L.",
    proof=Proof(
        (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, CONTRACTION, SHORT_STEP),
        (
            obligation(
                "2R + Lγ/2 ≤ (2 + L/(2L_max)) R",
                (
                    ALPHA,
                    BETA,
                    GAMMA,
                    SMOOTH,
                    SMOOTH_MAX,
                    CONTRACTION,
                    SHORT_STEP,
                    definition("R ≥ 0", R >= 0),
                ),
                2 * R + L * gamma / 2 <= (2 + L / (2 * L_max)) * R,
            ),
            Limit("→ 0 as R → 0", (2 + L / (2 * L_max)) * R, R, sympy.Integer(0), sympy.Integer(0)),
            Limit(
                "while at fixed K the first term → ∞",
                f_gap / (beta * R / (alpha + R) / L_max * (K + 1)),
                R,
                sympy.Integer(0),
                sympy.oo,
            ),
        ),
    ),
)
T1_ZERO = Claim(
    id="NEC-T1-ADD@zero-memory",
    paper=PAPER,
    place="Theorem 1 with g_i⁰ = 0 (Section 6, Appendix I)",
    kind="ours",
    printed="With g_i⁰ = 0 the bound of Theorem 1 is above 2‖∇f(x⁰)‖ for every K: it never says more than the first gradient.",
    reason="R = max_i ‖∇f_i(x⁰)‖ ≥ ‖∇f(x⁰)‖, so 2R alone is more than what is known at k = 0.",
    proof=Proof(
        (GAMMA, SMOOTH),
        (
            obligation(
                "bound > 2‖∇f(x⁰)‖",
                (GAMMA, SMOOTH, ROUNDS, GAP, definition("R = max_i ‖∇f_i(x⁰)‖ ≥ ‖∇f(x⁰)‖", R >= GRADIENTS),
                 definition("norm", GRADIENTS >= 0)),
                theorem1(f_gap, gamma, K, R, L) > 2 * GRADIENTS,
            ),
        ),
    ),
    consequence="The guarantee needs memories close to the clients' first gradients; zero memories have none.",
)  # fmt: skip
R0 = hypothesis("R = 0", sympy.Eq(R, 0))
_r = sympy.Symbol("r", real=True)
UPPER = hypothesis("‖∇f_i(x⁰) − g_i⁰‖ ≤ R", _r <= R)
T1_R0 = Claim(
    id="NEC-T1-ADD@R-zero",
    paper=PAPER,
    place="Theorem 1 with g_i⁰ = ∇f_i(x⁰)",
    kind="ours",
    printed="Theorem 1 with R = 0, the best initial memories.",
    reason="R = 0 makes γ ≤ βR/((α+R)L_max) = 0, against γ > 0: the theorem says nothing about exact memories.",
    conflict=Proof(
        (ALPHA, BETA, GAMMA, SMOOTH_MAX, R0),
        (
            obligation(
                "the longest step is 0, so that γ > 0 is impossible",
                (ALPHA, BETA, SMOOTH_MAX, R0),
                beta * R / (alpha + R) / L_max <= 0,
            ),
        ),
    ),
    repair=Repair(
        "Any R' ≥ max_i ‖∇f_i(x⁰) − g_i⁰‖ may stand for R in Theorem 1, conditions included; so exact memories may use any "
        "R' > 0.",
        "R an upper bound instead of the maximum",
        Proof(
            (ALPHA, BETA, CONTRACTION, UPPER),
            (
                obligation(
                    "the proof uses only that residuals are at most R",
                    (ALPHA, BETA, CONTRACTION, UPPER, definition("norm", _r >= 0)),
                    remaining(_r) <= R,
                ),
            ),
        ),
    ),
)
CLAIMS = (
    T1_ADD, T1_ZERO, T1_R0, OUR_MIN, C1_COND, C1, C1_EQ, C1_RATE, EQ12, EQ12_ALONE, EQ12_GD, S4_STEP,
)  # fmt: skip
