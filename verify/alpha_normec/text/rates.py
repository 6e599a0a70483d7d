"""Sentences about rates, factors and what is assumed: Sections 1.1, 3.5 and 4, against Appendix F."""

from __future__ import annotations

import sympy

from bounds.alpha_normec.comparison import gradient_descent
from bounds.alpha_normec.corollary1 import beta12, equation12
from bounds.alpha_normec.ours import smallest_theorem1, theorem1_sharp
from bounds.alpha_normec.theorem1 import theorem1
from verify.alpha_normec.letters import (
    ALLOWED,
    ALPHA,
    ANY_D,
    CONTRACTION,
    GAMMA,
    GAP,
    LETTERS,
    PAPER,
    POSITIVE_GAP,
    RADIUS,
    RESIDUAL,
    ROUNDS,
    SMOOTH,
    SMOOTH_MAX,
    TAU,
    D,
    K,
    L,
    L_max,
    R,
    alpha,
    f_gap,
    gamma,
    tau,
)
from verify.alpha_normec.theorems.additive import OUR_MIN
from verify.alpha_normec.theorems.descent import (
    BOUNDED,
    count,
    done,
    f_inf,
    f_now,
    f_start,
    f_then,
    floor,
    grad,
)
from verify.alpha_normec.theorems.theorem1 import BASE, T1
from verify.citation import Cite
from verify.claim import Claim, Gap, Repair
from verify.facts import definition, derived, equal, hypothesis, standard
from verify.gram import Space, vectors
from verify.identity import Identity, Limit
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

C_1 = LETTERS["C_1"]
C_2, eta, x, c, Phi = sympy.symbols("C_2 eta x c Phi", real=True)
_CONSTANTS = definition("C_1, C_2 ≥ 0", (C_1 >= 0) & (C_2 >= 0))
_FACTOR12, _FACTOR21 = (SMOOTH, ANY_D, GAP), (SMOOTH_MAX, TAU, GAP, _CONSTANTS)
"""What the constants of (12) and of Clip21's bound are made of."""
_EQ12 = equation12(f_gap, L, D, K)
_CONSTANT12 = sympy.sqrt(2 * L * f_gap) + 2 * D
_CONSTANT21 = L_max * f_gap / tau + sympy.sqrt((1 + C_1 / tau) * C_2)
"""What √(K+1) times (12) and Clip21's bound are."""
_CLIP21 = _CONSTANT21 / sympy.sqrt(K + 1)
"""Clip21's bound as Appendix F quotes it."""

_fewest, _number = sympy.symbols("lowest c_0", real=True)
LOWER = standard(
    "Carmon et al. (2020): for some number c_0 > 0 no method that sees f through K + 1 gradients guarantees less than "
    "c_0√(L(f(x⁰) − f^inf)/(K+1)) for all L-smooth f with that f(x⁰) − f^inf, in all dimensions",
    (_number > 0) & (_fewest >= _number * sympy.sqrt(L * f_gap / (K + 1))),
)

S35_CLIP21 = Claim(
    id="NEC-S35-CLIP21",
    paper=PAPER,
    place="Section 3.5; Appendix F",
    kind="prose",
    printed="[Section 3.5:] Despite achieving the O(1/K) convergence rate in the non-private setting, Clip21 faces difficulty "
    "[…] [Appendix F:] Clip21 achieves […] min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ … ≤ L_max(f(x⁰) − f^inf)/(τ(K+1)^{1/2}) + "
    "√((1 + C_1/τ)C_2)/(K+1)^{1/2}",
    reason="True of the square of the gradient norm and not of the norm, and which is not said: Appendix F's bound on the norm is of "
    "order 1/√K and no better, its square is O(1/K). In that measure α-NormEC is O(1/K) too, but Section 4 counts its rate without "
    "the square.",
    repair=Repair(
        "Both bounds are O(1/√K) in the gradient norm and O(1/K) in its square.",
        "O(1/K) for the square of the gradient norm",
        Proof(
            (SMOOTH, SMOOTH_MAX, TAU, ANY_D),
            (
                Limit("(K+1) · Clip21's bound², finite", (K + 1) * _CLIP21**2, K, sympy.oo,
                      _CONSTANT21**2, "-", _FACTOR21),
                Limit("(K+1) · (12)², finite", (K + 1) * _EQ12**2, K, sympy.oo,
                      _CONSTANT12**2, "-", _FACTOR12),
            ),
        ),
    ),
    gap=Gap(
        "reading",
        "O(1/K) for the gradient norm, in which Section 4 counts α-NormEC's rate, of all L-smooth f: with one client and a large τ "
        "Clip21 sees f through its gradients, and no such method guarantees it",
        Proof(
            (SMOOTH, POSITIVE_GAP),
            (
                obligation("K times the least that can be guaranteed is at least c_0K√(L(f(x⁰) − f^inf)/(K+1))",
                           (SMOOTH, POSITIVE_GAP, ROUNDS, LOWER), K * _fewest >= K * _number * sympy.sqrt(L * f_gap / (K + 1))),
                Limit("which goes to infinity with K", K * _number * sympy.sqrt(L * f_gap / (K + 1)), K, sympy.oo, sympy.oo, "-",
                      (SMOOTH, POSITIVE_GAP, definition("c_0 > 0", _number > 0))),
            ),
        ),
    ),
)  # fmt: skip
S11_FASTER = Claim(
    id="NEC-S11-FASTER",
    paper=PAPER,
    place="Abstract; Section 1.1",
    kind="prose",
    printed="our method achieves a superior convergence rate over prior works […] α-NormEC achieves a faster convergence rate "
    "than Clip21 (Khirirat et al., 2023)",
    reason="The quotient of (12) and of Clip21's bound in Appendix F is one constant for all K: one rate. (By Section 3.5's O(1/K), "
    "read in the norm, Clip21 would even be the faster one.)",
    conflict=Proof(
        (SMOOTH, SMOOTH_MAX, TAU, ANY_D, POSITIVE_GAP),
        (
            Identity("(12) over Clip21's bound is one number for all K", _EQ12 / _CLIP21, _CONSTANT12 / _CONSTANT21,
                     (*_FACTOR12, *_FACTOR21, POSITIVE_GAP, ROUNDS)),
            obligation("which is positive", (*_FACTOR12, *_FACTOR21, POSITIVE_GAP), _CONSTANT12 / _CONSTANT21 > 0),
            Limit("and √K times any O(1/K) tends to 0", c / (K + 1) * sympy.sqrt(K), K, sympy.oo, sympy.Integer(0), "-",
                  (definition("c ≥ 0", c >= 0),)),
        ),
    ),
    consequence="What can be compared is the constants, as Appendix F quotes them (NEC-AF-3); but see NEC-AF-BOUND.",
)  # fmt: skip
POSTER_RATE = Claim(
    id="NEC-POSTER-RATE",
    paper=PAPER,
    place="poster, Our Contributions",
    kind="prose",
    printed="In the non-private case (σ_DP = 0), α-NormEC obtains the O(1/√K) rate for non-convex problems, which is faster "
    "than Clip21.",
    reason="Clip21's bound, as the paper itself quotes it in Appendix F, is of the same order 1/√K.",
    conflict=Proof(
        (SMOOTH, SMOOTH_MAX, TAU, ANY_D),
        (
            Limit("√(K+1) · (12)", sympy.sqrt(K + 1) * _EQ12, K, sympy.oo, _CONSTANT12, "-", _FACTOR12),
            Limit(
                "√(K+1) · Clip21's bound is finite too",
                sympy.sqrt(K + 1) * _CLIP21,
                K,
                sympy.oo,
                _CONSTANT21,
                "-",
                _FACTOR21,
            ),
        ),
    ),
)
_GD_STEP = sympy.sqrt(2 * f_gap / (L * (K + 1)))
_BEST_R = sympy.sqrt(2 * L_max**2 * f_gap / ((4 * L_max + L) * (K + 1)))
_QUOTIENT = Identity(
    "the least value over gradient descent's bound",
    smallest_theorem1(f_gap, L, L_max, K),
    sympy.sqrt(1 + 4 * L_max / L) * gradient_descent(f_gap, L, K),
    (SMOOTH, SMOOTH_MAX, GAP, ROUNDS),
)
S11_OPTIMAL = Claim(
    id="NEC-S11-OPTIMAL",
    paper=PAPER,
    place="Section 1.1; Section 7",
    kind="prose",
    printed="α-NormEC achieves the optimal convergence rate (Carmon et al., 2020) for minimizing non-convex, smooth functions "
    "[Section 7:] strong convergence guarantees that almost match those of classical gradient descent",
    reason="In K the order 1/√K is that of gradient descent, and none is better (by the lower bound that is cited). The factor of "
    "Theorem 1's bound over gradient descent's is at least √(1 + 4L_max/L), √5 where L ≤ L_max, and grows without limit with L_max/L. "
    "Theorem 1 is what loses it: for β = α → ∞ the method has bounds whose factor tends to 1 (NEC-OUR-T1-SHARP, "
    "NEC-OUR-T1-CONTRACTS).",
    repair=Repair(
        "The best that Theorem 1 gives is √(1 + 4L_max/L) times gradient descent's √(2L(f(x⁰) − f^inf)/(K+1)): never less "
        "(NEC-OUR-T1-MIN), and as close to it as one likes where f(x⁰) > f^inf. NEC-OUR-T1-SHARP comes as near to that √ itself as "
        "one likes: at β = α → ∞, γ = √(2(f(x⁰) − f^inf)/(L(K+1))) and any R > L_maxγ. No method that sees f through its "
        "gradients guarantees, for all L-smooth f in all dimensions, what falls faster with K.",
        "“rate” as the power of K alone; the factor √(1 + 4L_max/L) of Theorem 1 stated",
        Proof(
            (*ALLOWED, POSITIVE_GAP),
            (
                Cite(OUR_MIN, (*ALLOWED, ROUNDS, GAP, RADIUS)),
                _QUOTIENT,
                Limit("approached: the best R, any α, β = (α+R)/(1+η), the longest step, η → 0",
                      theorem1(f_gap, _BEST_R / ((1 + eta) * L_max), K, _BEST_R, L), eta, sympy.Integer(0),
                      smallest_theorem1(f_gap, L, L_max, K), given=(SMOOTH, SMOOTH_MAX, POSITIVE_GAP, ROUNDS)),
                Limit("NEC-OUR-T1-SHARP at β = α → ∞ and that γ", theorem1_sharp(f_gap, _GD_STEP, K, R, L, eta, eta), eta, sympy.oo,
                      gradient_descent(f_gap, L, K), "-", (SMOOTH, POSITIVE_GAP, ROUNDS, RADIUS)),
                obligation("it is at most √(8L_max/L + 2)/c_0 times what any such method can guarantee",
                           (SMOOTH, SMOOTH_MAX, ROUNDS, GAP, LOWER),
                           smallest_theorem1(f_gap, L, L_max, K) * _number <= sympy.sqrt(8 * L_max / L + 2) * _fewest),
            ),
        ),
        weakest="both bounds on Theorem 1's factor are shown",
    ),
    gap=Gap(
        "reading",
        "Theorem 1 as a guarantee that matches up to a constant factor",
        Proof(
            (*ALLOWED, POSITIVE_GAP),
            (
                Cite(OUR_MIN, (*ALLOWED, ROUNDS, GAP, RADIUS)),
                _QUOTIENT,
                Limit("the factor grows with L_max/L", sympy.sqrt(1 + 4 * L_max / L), L_max, sympy.oo, sympy.oo, "-",
                      (SMOOTH,)),
            ),
        ),
    ),
    consequence="“Almost match” means a factor of √5 at L_max = L by Theorem 1, with f(x⁰) − f^inf known and memories within R of the "
    "clients' gradients; by NEC-OUR-T1-CONTRACTS any factor above 1, from any memories.",
)  # fmt: skip
_y, _left, _right, _mean = sympy.symbols("y f_1 f_2 f", real=True)
_CLIENTS = definition("f_1 and f_2 are ½(x ∓ c)², f is their mean",
                      equal(_left, (x - c) ** 2 / 2) & equal(_right, (x + c) ** 2 / 2) & equal(2 * _mean, _left + _right))  # fmt: skip
_PHI = hypothesis("Φ > 0", Phi > 0)
_WIDE = hypothesis("c > Φ", c > Phi)
S11_FREE = Claim(
    id="NEC-S11-ASSUMPTIONS",
    paper=PAPER,
    place="Section 1.1, of Theorem 1",
    kind="prose",
    printed="without imposing additional restrictive assumptions, such as bounded gradient norms or bounded heterogeneity",
    reason="Theorem 1 follows from its printed hypotheses alone, and clients ½(x ∓ c)² satisfy them while their gradients and "
    "the differences between these exceed every Φ.",
    proof=Proof(
        (*BASE, CONTRACTION, _PHI, _WIDE),
        (
            Cite(T1, (*BASE, CONTRACTION, ROUNDS, RESIDUAL)),
            Identity("the mean of ½(x ∓ c)² is ½(x² + c²)", ((x - c) ** 2 / 2 + (x + c) ** 2 / 2) / 2, (x**2 + c**2) / 2),
            obligation("it and ½(x ∓ c)² are bounded below", (_CLIENTS,), (_mean >= c**2 / 2) & (_left >= 0) & (_right >= 0)),
            *(Identity(f"½(x {sign} c)² is 1-smooth: its second-order expansion is exact, with curvature 1", (_y + move) ** 2 / 2,
                       (x + move) ** 2 / 2 + (x + move) * (_y - x) + (_y - x) ** 2 / 2) for sign, move in (("−", -c), ("+", c))),
            obligation("at x = 0 gradients ∓c exceed Φ, and so does their difference", (_PHI, _WIDE),
                       (sympy.Abs(0 - c) > Phi) & (sympy.Abs((0 - c) - (0 + c)) > Phi)),
        ),
    ),
    consequence="Heterogeneity comes back through R where the memories may not depend on the data and are one vector for all "
    "(NEC-OUR-HETERO), and falls with K (NEC-OUR-T1-FORGETS).",
)  # fmt: skip
_one, _other = vectors("∇f_i(x⁰)−g⁰ ∇f_j(x⁰)−g⁰")
_both = Space((_one, _other))
_near, _close, _apart = (
    _both.norm(_one, "‖∇f_i−g⁰‖"), _both.norm(_other, "‖∇f_j−g⁰‖"), _both.norm(_one - _other, "‖∇f_i−∇f_j‖"),
)  # fmt: skip
_COMMON = hypothesis(
    "g_i⁰ = g⁰ for all i, ‖∇f_i(x⁰) − g⁰‖ ≤ R and ‖∇f_j(x⁰) − g⁰‖ ≤ R", (_near <= R) & (_close <= R)
)
_noise = sympy.Symbol("noise_term", real=True)
_NOISE = definition("what Theorem 2 adds is twice a root ≥ 0", _noise >= 0)
OUR_HETERO = Claim(
    id="NEC-OUR-HETERO",
    paper=PAPER,
    place="ours: Theorems 1 and 2 with one memory for all clients",
    kind="ours",
    printed="If all memories start from one g⁰ (0, or any vector chosen without the data), the bounds of Theorems 1 and 2 exceed "
    "max_{i,j} ‖∇f_i(x⁰) − ∇f_j(x⁰)‖ for every K.",
    reason="Triangle inequality: 2R is at least that, and the other terms are positive.",
    proof=Proof(
        (GAMMA, SMOOTH, _COMMON),
        (
            _spread := obligation("2R ≥ ‖∇f_i(x⁰) − ∇f_j(x⁰)‖", (_COMMON, *_both.facts()), _apart <= 2 * R),
            obligation("Theorem 1's bound exceeds it", (GAMMA, SMOOTH, ROUNDS, GAP, _spread.conclusion),
                       theorem1(f_gap, gamma, K, R, L) > _apart),
            obligation("so does Theorem 2's, in both versions", (GAMMA, SMOOTH, ROUNDS, GAP, _spread.conclusion, _NOISE),
                       theorem1(f_gap, gamma, K, R, L) + 2 * _noise > _apart),
        ),
    ),
    consequence="No hypothesis bounds the heterogeneity, but such a start, one vector for all, puts that of x⁰ into these two "
    "bounds as an error that does not fall with K. The method itself forgets it: NEC-OUR-T1-FORGETS.",
)  # fmt: skip

_STEP_DOWN = standard(
    "descent lemma of an L-smooth f, for a step −∇f/L",
    f_then <= f_now - grad**2 / L + L / 2 * (grad / L) ** 2,
)
_SUMMED = derived("Σ_{k<m}‖∇f(xᵏ)‖² ≤ 2L(f(x⁰) − f(xᵐ))", done <= 2 * L * (f_start - f_now))
_LEAST = derived("m min‖∇f‖² ≤ Σ_{k<m}‖∇f(xᵏ)‖²", count * floor**2 <= done)
_NORMS = standard("0 ≤ min‖∇f‖ ≤ ‖∇f(xᵏ)‖", (floor >= 0) & (floor <= grad))
EQ12_FIRST = Claim(
    id="NEC-EQ12-FIRST",
    paper=PAPER,
    place="after eq. (12), Section 4",
    kind="prose",
    printed="The first term √(2L(f(x⁰) − f^inf))(K+1)^{−1/2} is the convergence bound obtained by classical gradient descent",
    reason="Gradient descent with step 1/L descends by ‖∇f‖²/(2L) a step; telescoping gives that bound.",
    proof=Proof(
        (SMOOTH, BOUNDED),
        (
            Induction(_SUMMED.name, _SUMMED,
                      Obligation("empty sum", (), derived("start", sympy.Le(0, 2 * L * (f_start - f_start)))),
                      Obligation("one step more", (SMOOTH, _SUMMED, _STEP_DOWN),
                                 derived("step", done + grad**2 <= 2 * L * (f_start - f_then))),
                      ((done, 0), (f_now, f_start)), ((done, done + grad**2), (f_now, f_then))),
            Induction(_LEAST.name, _LEAST,
                      Obligation("empty sum", (), derived("start", sympy.Le(0 * floor**2, 0))),
                      Obligation("one step more", (_LEAST, _NORMS),
                                 derived("step", (count + 1) * floor**2 <= done + grad**2)),
                      ((count, 0), (done, 0)), ((count, count + 1), (done, done + grad**2))),
            obligation("min‖∇f(xᵏ)‖ ≤ √(2L(f(x⁰) − f^inf)/(K+1))",
                       (SMOOTH, _SUMMED, _LEAST, BOUNDED, _NORMS, definition("m = K + 1 ≥ 1", equal(count, K + 1) & (K >= 0)),
                        definition("gap", equal(f_gap, f_start - f_inf))),
                       floor <= gradient_descent(f_gap, L, K)),
        ),
    ),
)  # fmt: skip
_BETA12 = beta12(f_gap, L, L_max, alpha, D)
_LETTERS12 = (ALPHA, ANY_D, SMOOTH, SMOOTH_MAX, hypothesis("β > 0 (Theorem 1)", _BETA12 > 0))
EQ12_BALANCE = Claim(
    id="NEC-EQ12-BALANCE",
    paper=PAPER,
    place="before eq. (12), Section 4",
    kind="equation",
    printed="β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L), which ensures L_max(α+D)/(βD) (f(x⁰) − f^inf) = (L/2) βD/(L_max(α+D))",
    reason="Both sides are √(L(f(x⁰) − f^inf)/2).",
    proof=Proof(
        _LETTERS12,
        (
            Identity("both sides agree", L_max * (alpha + D) / (_BETA12 * D) * f_gap,
                     L / 2 * _BETA12 * D / (L_max * (alpha + D)), (*_LETTERS12, GAP)),
            Identity("their value", L_max * (alpha + D) / (_BETA12 * D) * f_gap, sympy.sqrt(L * f_gap / 2),
                     (*_LETTERS12, GAP)),
        ),
    ),
)  # fmt: skip
_TERM = 2 * D / sympy.sqrt(K + 1)
AF_TERM = Claim(
    id="NEC-AF-3@term",
    paper=PAPER,
    place="after eq. (12), Section 4, against Appendix F",
    kind="prose",
    printed="[Section 4:] the second term 2D(K+1)^{−1/2} […] [Appendix F:] the second term in the convergence bound of α-NormEC "
    "is D/√(K+1)",
    reason="One term, printed with and without its factor 2; (12) has 2D.",
    conflict=Proof(
        (ANY_D,),
        (obligation("2D/√(K+1) ≠ D/√(K+1)", (ANY_D, ROUNDS), sympy.Ne(_TERM, D / sympy.sqrt(K + 1))),),
    ),
)
CLAIMS = (
    S11_OPTIMAL,
    S11_FASTER,
    POSTER_RATE,
    S11_FREE,
    OUR_HETERO,
    S35_CLIP21,
    EQ12_FIRST,
    EQ12_BALANCE,
    AF_TERM,
)
