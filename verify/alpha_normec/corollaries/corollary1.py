"""Corollary 1 and its rate."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.contracted import left_over, lessened
from bounds.alpha_normec.corollary1 import constant
from verify.alpha_normec.letters import (
    ALPHA,
    ANY_D,
    BETA,
    GAMMA,
    GAP,
    PAPER,
    RESIDUAL,
    ROOM,
    ROUNDS,
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
    s,
)
from verify.alpha_normec.ours.contracted import BELOW_TWICE, ETA, KEPT_STEP, LESSENS, OUR_T1, eta
from verify.alpha_normec.ours.forgets import WITHIN
from verify.alpha_normec.ours.sharper import GENTLE as NO_MORE
from verify.alpha_normec.ours.sharper import OUR_SHARP_ROOT
from verify.alpha_normec.theorems.descent import BOUNDED, QUIET, SMOOTH_I, START, floor
from verify.alpha_normec.theorems.theorem1 import T1
from verify.citation import Cite
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.facts import Fact, definition, equal, hypothesis
from verify.obligation import obligation
from verify.proof import Node, Proof

ROOT = definition("s = √(K+1)", (s >= 1) & equal(s**2, K + 1))
GENTLE = hypothesis("α > β", alpha > beta)
MEMORIES = hypothesis("max_i ‖∇f_i(x⁰) − g_i⁰‖ = D(K+1)^{−1/2}", equal(R * s, D))
STEP = hypothesis("γ ≤ β/L_max · D/(α+D) · 1/(K+1)^{1/2}", gamma * s * L_max * (alpha + D) <= beta * D)
LONGEST = hypothesis(
    "γ = β/L_max · D/(α+D) · 1/(K+1)^{1/2}", equal(gamma * s * L_max * (alpha + D), beta * D)
)
CHOICES = (ALPHA, BETA, GAMMA, SMOOTH_MAX, ANY_D, GENTLE, MEMORIES)
PRINTED = (
    "If we choose g_i⁰ ∈ R^d such that max_{i∈[1,n]} ‖∇f_i(x⁰) − g_i⁰‖ = D(K+1)^{−1/2} with any D > 0, γ ≤ β/L_max · D/(α+D) · "
    "1/(K+1)^{1/2}, and α > β, then min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ C/(K+1)^{1/2}, where "
    "C = L_max(α+D)/(βD)·(f(x⁰) − f^inf) + 2D + (L/2)·βD/(L_max(α+D))."
)

CONDITIONS = (
    obligation("β/(α+R) < 1", (*CHOICES, STEP, ROOT, ROUNDS), beta / (alpha + R) < 1),
    obligation(
        "γ ≤ βR/((α+R)L_max)", (*CHOICES, STEP, ROOT, ROUNDS), gamma <= beta * R / (alpha + R) / L_max
    ),
)
STANDING = (SMOOTH, SMOOTH_I, START, QUIET, BOUNDED)
"""What Theorem 1 assumes of the problem and the memories, and that R bounds the residuals."""
THEOREM1 = Cite(
    T1,
    (ALPHA, BETA, GAMMA, SMOOTH_MAX, *STANDING, *(node.conclusion for node in CONDITIONS), ROUNDS, RESIDUAL),
)
C1_COND = Claim(
    id="NEC-C1-COND",
    paper=PAPER,
    place="Corollary 1, Section 4; Appendix E",
    kind="corollary",
    printed="[max_{i∈[1,n]} ‖∇f_i(x⁰) − g_i⁰‖ = D/(K+1)^{1/2}, γ ≤ β/L_max · D/(α+D) · 1/(K+1)^{1/2}, and β < α,] then from Theorem "
    "1, we obtain γ ≤ βR/(α+R) · 1/L_max with R = max_{i∈[1,n]} ‖∇f_i(x⁰) − g_i⁰‖",
    reason="R ≤ D makes Corollary 1's step at most Theorem 1's; α > β is more than β < α + R.",
    proof=Proof((*CHOICES, STEP), CONDITIONS),
)


def _bound_at(gamma_fact) -> Proof:
    at = obligation(
        "the bound of Theorem 1 is at most C/√(K+1)",
        (*CHOICES, SMOOTH, STEP, gamma_fact, ROOT, ROUNDS, GAP, THEOREM1.conclusion),
        floor <= constant(f_gap, L, L_max, alpha, beta, D) / s,
    )
    return Proof((*CHOICES, *STANDING, STEP, gamma_fact), (*CONDITIONS, THEOREM1, at))


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


GENTLY = obligation(NO_MORE.name, (GENTLE,), NO_MORE.relation)
POSITIVE_R = obligation("R > 0", (ANY_D, MEMORIES, ROOT), R > 0)
BY_THE_ROOT = Cite(
    OUR_SHARP_ROOT,
    (
        ALPHA, BETA, GAMMA, SMOOTH_MAX, *STANDING, *(node.conclusion for node in (*CONDITIONS, GENTLY, POSITIVE_R)), ROUNDS,
        RESIDUAL, GAP, ROOT, definition("min ‖∇f‖ ≥ 0", floor >= 0),
    ),
    at=((K, s**2 - 1),),
)  # fmt: skip
_C = constant(f_gap, L, L_max, alpha, beta, D)
WIDER = hypothesis(
    "√(ρ² + A²) ≤ C/√(K+1), ρ = R(1 − β/(α+R)), A = (f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2",
    (R * (1 - beta / (alpha + R))) ** 2 + (f_gap / (gamma * s**2) + L * gamma / 2) ** 2 <= (_C / s) ** 2,
)
_LONG_ENOUGH = obligation(
    "so for γ_max ≥ γ ≥ min(γ_max, 2(f(x⁰) − f^inf)/(L(K+1)γ_max))",
    (*CHOICES, SMOOTH, STEP, ROOT, GAP),
    sympy.Implies(
        (gamma * s * L_max * (alpha + D) >= beta * D)
        | (gamma * L * s * beta * D >= 2 * f_gap * L_max * (alpha + D)),
        WIDER.relation,
    ),
)


def from_the_root(right: sympy.Expr, asked: Fact, shown: tuple[Node, ...], *chosen: Fact) -> Proof:
    """min ‖∇f‖ ≤ right/√(K+1) for a step that need not be the longest. shown: what `asked` asks, in other words."""
    at = obligation(
        "the bound of NEC-OUR-T1-SHARP-ROOT is at most that",
        (*CHOICES, SMOOTH, ROOT, GAP, asked, BY_THE_ROOT.conclusion),
        floor <= right / s,
    )
    nodes = (*CONDITIONS, GENTLY, POSITIVE_R, *shown, BY_THE_ROOT, at)
    return Proof((*CHOICES, *STANDING, STEP, asked, *chosen), nodes)


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
        "The bound for γ ≤ γ_max := β/L_max · D/(α+D) · (K+1)^{−1/2} with √(ρ² + A(γ)²) ≤ C/√(K+1) = 2R + A(γ_max), "
        "ρ = R(1 − β/(α+R)), A(γ) = (f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2. That is so where A(γ) ≤ A(γ_max), which is from γ = min(γ_max, "
        "2(f(x⁰) − f^inf)/(L(K+1)γ_max)) on, and for some shorter γ too.",
        "√(ρ² + A(γ)²) ≤ C/√(K+1)",
        from_the_root(_C, WIDER, (_LONG_ENOUGH,)),
        weakest="outside it NEC-OUR-T1-SHARP-ROOT gives less; Theorem 1 alone takes A(γ) ≤ A(γ_max)",
    ),
    consequence="Take γ at its printed limit.",
)  # fmt: skip
C1_EQ = Claim(
    id="NEC-C1@equality",
    paper=PAPER,
    place="Corollary 1 read with γ = …",
    kind="corollary",
    printed=PRINTED.replace("γ ≤", "γ [≤, read as] ="),
    reason="Theorem 1 at the longest step gives it.",
    proof=(_EQUAL := _bound_at(LONGEST)),
)

C1_S1 = Claim(
    id="NEC-C1-S1",
    paper=PAPER,
    place="Appendix E, the second half of its display",
    kind="step",
    printed="[max_{i∈[1,n]} ‖∇f_i(x⁰) − g_i⁰‖ = D/(K+1)^{1/2}, γ ≤ β/L_max · D/(α+D) · 1/(K+1)^{1/2}, and β < α,] then from Theorem "
    "1, we obtain […] min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ L_max(α+D)/(βD) · (f(x⁰) − f^inf)/(K+1)^{1/2} + 2 · D/(K+1)^{1/2} + "
    "(L/2) · βD/(L_max(α+D)) · 1/(K+1)^{1/2}.",
    reason="Theorem 1 gives (f(x⁰) − f^inf)/(γ(K+1)), which is the display's first term for the longest step and more than it for "
    "every other; for steps close to zero the display fails (NEC-C1).",
    witness=C1.witness,
    repair=Repair("The display for γ = β/L_max · D/(α+D) · 1/(K+1)^{1/2}.", "γ at its limit", _EQUAL,
                  weakest="shorter steps that obey it: NEC-C1"),
)  # fmt: skip


def _too_short(values: Values) -> Comparison:
    """f(x) = x²/2 from x⁰ = 1: line 11 moves x by γ or not at all, so that |f'(x^k)| ≥ 1 − γk. Two rounds are run exactly."""
    f, one, factor = Quadratic(Fraction(1)), Fraction(1), values["C"]
    a, b, g, big_d, root = (values[name] for name in ("alpha", "beta", "gamma", "D", "root"))
    run = alpha_normec([f.gradient], one, [one - big_d / root], a, b, g, 2)
    steps = [abs(x - y) for x, y in zip(run.x, run.x[1:], strict=False)]
    return Comparison(one - g * (root**2 - 1), "<=", factor / root, (
        ("α, β, γ, D > 0", min(a, b, g, big_d) > 0),
        ("α > β", a > b),
        ("K + 1 is the square of a whole number", root.denominator == 1),
        ("R = D/√(K+1)", abs(f.gradient(one) - run.memories[0][0]) == big_d / root),
        ("γ ≤ β/√(K+1): γ = O(β/√K), as Section 3.1 defines O", g * root <= b),
        ("Corollary 1's limit: γ ≤ β/L_max · D/(α+D) · 1/√(K+1)", g * root * (a + big_d) <= b * big_d),
        ("γ is within Theorem 1's limit", g <= b * (big_d / root) / (a + big_d / root)),
        ("a step is no longer than γ", max(steps) <= g),
    ))  # fmt: skip


_any = sympy.Symbol("C_any", real=True)
_root = sympy.sqrt(K + 1)
_SHORT = hypothesis("γ = β/(K+1), β ≤ 1/2", equal(gamma * (K + 1), beta) & (2 * beta <= 1))
_FAR = hypothesis("√(K+1) > 2C, √(K+1) ≥ 2, C > 0", (_any > 0) & (_root > 2 * _any) & (_root >= 2))
_ONES = hypothesis("α = D = L_max = 1", equal(alpha, 1) & equal(D, 1) & equal(L_max, 1))
_STAYS = Proof(
    (BETA, GAMMA, _SHORT, _FAR, _ONES),
    (
        obligation("γ ≤ β/√(K+1)", (BETA, GAMMA, _SHORT, ROUNDS), gamma * _root <= beta),
        obligation("γ ≤ β/L_max · D/(α+D) · 1/√(K+1)", (BETA, GAMMA, _SHORT, _FAR, _ONES, ROUNDS),
                   gamma <= beta / L_max * D / (alpha + D) / _root),
        obligation("for every C some K has 1 − γK > C/√(K+1)", (BETA, GAMMA, _SHORT, _FAR, ROUNDS),
                   1 - gamma * K > _any / _root),
    ),
)  # fmt: skip
_least, _most = sympy.symbols("c_1 c_2", real=True)
_ORDER = hypothesis(
    "c₁/√(K+1) ≤ γ ≤ c₂/√(K+1), c₁ > 0", (_least > 0) & (gamma * s >= _least) & (gamma * s <= _most)
)
_LATE = hypothesis(
    "√(K+1) ≥ L_max c₂/(ηR), η = min(β/(α+R), 2 − β/α)", s * lessened(alpha, beta, R) * R >= L_max * _most
)
_HELD = (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, SMOOTH_I, WITHIN, QUIET, BOUNDED, BELOW_TWICE, ROOM)
_short = obligation(
    KEPT_STEP.name,
    (ALPHA, BETA, SMOOTH_MAX, _ORDER, _LATE, ROOT, ROOM),
    KEPT_STEP.relation,
)
_REMAINS = Cite(OUR_T1, (*_HELD, ROUNDS, RESIDUAL, _short.conclusion))
_R_TERM = 2 * (1 - eta) * (R + L_max * _most) / eta
_kept = obligation(
    "2(1 − η)(R/(K+1) + a)/η ≤ 2(1 − η)(R + L_max c₂)/(η√(K+1))",
    (SMOOTH_MAX, GAMMA, ROOM, _ORDER, ROOT, LESSENS.conclusion),
    2 * left_over(s**2 - 1, R, gamma, L_max, eta) <= _R_TERM / s,
)
_paid = obligation(
    "min‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2 + 2(1 − η)(R + L_max c₂)/(η√(K+1))",
    (ALPHA, ROOM, GAMMA, ROOT, ROUNDS, ETA, LESSENS.conclusion, _REMAINS.conclusion, _kept.conclusion),
    floor <= f_gap / (gamma * (K + 1)) + L * gamma / 2 + _R_TERM / s,
)
_first = obligation(
    "(f(x⁰) − f^inf)/(γ(K+1)) ≤ (f(x⁰) − f^inf)/(c₁√(K+1))",
    (GAMMA, GAP, ROUNDS, ROOT, _ORDER),
    f_gap / (gamma * (K + 1)) <= f_gap / (_least * s),
)
_SHORTEST = hypothesis("γ ≥ c₁/√(K+1), c₁ > 0", (_least > 0) & (gamma * s >= _least))
_limit = sympy.Symbol("γ_max", real=True)
_LIMIT = definition(
    "γ_max = β/L_max · D/(α+D) · 1/(K+1)^{1/2}", equal(_limit * s * L_max * (alpha + D), beta * D)
)
_AS_DEFINED = Witness(
    {"alpha": Fraction(1), "beta": Fraction(1, 2), "gamma": Fraction(1, 1800), "D": Fraction(1), "root": Fraction(30),
     "C": Fraction(10)},
    "min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ C/√(K+1) for some C; here C = 10, K + 1 = 900 (the left side bounded below)",
    _too_short,
    "f(x) = x²/2 (n = 1, L = L_max = 1), x⁰ = 1, γ = β/(K+1), g⁰ = 1 − D/√(K+1)",
    _STAYS,
)  # fmt: skip
_at_most = obligation(
    "(f(x⁰) − f^inf)/(γ(K+1)) ≤ (f(x⁰) − f^inf)/(c₁√(K+1))",
    (GAMMA, GAP, ROUNDS, ROOT, _SHORTEST),
    f_gap / (gamma * (K + 1)) <= f_gap / (_least * s),
)
C1_RATE = Claim(
    id="NEC-C1-RATE",
    paper=PAPER,
    place="Section 4, after Corollary 1",
    kind="prose",
    printed="From Corollary 1, α-NormEC enjoys the O(1/√K) convergence in the gradient norm when we choose g_i^{−1} such that "
    "R = O(1/√K), and γ = O(β/√K). [g_i^{−1}: the g_i⁰ of Corollary 1; Algorithm 1 has no other.]",
    reason="Of a step size, O is commonly read as its order: where γ falls like β/√K and no faster, within Corollary 1's limit and "
    "with its R, Theorem 1 gives this rate; the longest step is such a γ (NEC-C1@equality). Section 3.1 defines O as an upper bound "
    "alone, which is another reading of “γ = O(…)”: it allows shorter steps, with which x hardly moves (NEC-C1-RATE@O-as-defined, "
    "refuted).",
    repair=Repair(
        "With R = D/√(K+1), α > β and c₁/√(K+1) ≤ γ ≤ γ_max := β/L_max · D/(α+D) · 1/√(K+1): min_k ‖∇f(x^k)‖ ≤ "
        "((f(x⁰) − f^inf)/c₁ + 2D + (L/2)βD/(L_max(α+D)))/√(K+1) for every K. γ_max is one of these, with c₁ = γ_max√(K+1), a number "
        "without K.",
        "γ of exact order: γ ≥ c₁/√(K+1), c₁ > 0, beside Corollary 1's conditions, R = D/√(K+1), α > β and γ ≤ γ_max",
        Proof(
            (*CHOICES, *STANDING, STEP, _SHORTEST),
            (
                *CONDITIONS,
                THEOREM1,
                obligation(
                    "γ_max is of that order: γ_max√(K+1) does not depend on K",
                    (*CHOICES, _LIMIT, ROOT),
                    equal(_limit * s, beta * D / (L_max * (alpha + D))) & (_limit > 0),
                ),
                _at_most,
                obligation(
                    "min‖∇f(xᵏ)‖ ≤ ((f(x⁰) − f^inf)/c₁ + 2D + (L/2)βD/(L_max(α+D)))/√(K+1)",
                    (*CHOICES, SMOOTH, STEP, _SHORTEST, ROOT, ROUNDS, GAP, THEOREM1.conclusion, _at_most.conclusion),
                    floor <= (f_gap / _least + 2 * D + L / 2 * beta * D / (L_max * (alpha + D))) / s,
                ),
            ),
        ),
        weakest="where γ falls faster, as β/(K+1), the rate is lost (NEC-C1-RATE@O-as-defined). For late K, √(K+1) ≥ L_max c₂/(ηR) "
        "with γ ≤ c₂/√(K+1), neither R's fall nor γ ≤ γ_max is needed, since α > β makes β < 2α, which is enough (the repair there, "
        "with a constant that grows with R)",
    ),
    gap=Gap(
        "reading",
        "O as Section 3.1 defines it, an upper bound alone (NEC-C1-RATE@O-as-defined)",
        _AS_DEFINED,
    ),
)  # fmt: skip
C1_RATE_LETTER = Claim(
    id="NEC-C1-RATE@O-as-defined",
    paper=PAPER,
    place="Section 4, after Corollary 1, with Section 3.1's definition of O",
    kind="prose",
    printed="[Section 3.1:] we write f(x) = O(g(x)) if f(x) ≤ M · g(x) for some M > 0 [Section 4:] α-NormEC enjoys the O(1/√K) "
    "convergence in the gradient norm when we choose g_i^{−1} such that R = O(1/√K), and γ = O(β/√K). [g_i^{−1}: the g_i⁰ of "
    "Corollary 1; Algorithm 1 has no other.]",
    reason="Section 3.1's O, f ≤ Mg, allows steps that are too short (as in NEC-C1): x then moves less than 1/2 in all. True where γ "
    "is of the exact order β/√K: in Corollary 1's range (NEC-C1-RATE), and for β < 2α from any memories, with one constant for all "
    "that are within a given R of the gradients (NEC-OUR-T1-CONTRACTS); for no other β (NEC-OUR-C1-RATE).",
    witness=_AS_DEFINED,
    repair=Repair(
        "For β < 2α, any R > 0 with R ≥ max_i ‖∇f_i(x⁰) − g_i⁰‖, c₁ > 0 and c₁/√(K+1) ≤ γ ≤ c₂/√(K+1), once √(K+1) ≥ L_max c₂/(ηR) "
        "with η = min(β/(α+R), 2 − β/α): min_k ‖∇f(x^k)‖ ≤ ((f(x⁰) − f^inf)/c₁ + Lc₂/2 + 2(1 − η)(R + L_max c₂)/η)/√(K+1), also where "
        "R does not fall.",
        "γ of exact order β/√K; β < 2α",
        Proof(
            (*_HELD, _ORDER, _LATE),
            (
                LESSENS,
                _short,
                _REMAINS,
                _kept,
                _paid,
                _first,
                obligation(
                    "min‖∇f(xᵏ)‖ ≤ C/√(K+1)",
                    (SMOOTH, ROUNDS, ROOT, _ORDER, _paid.conclusion, _first.conclusion, LESSENS.conclusion),
                    floor <= (f_gap / _least + L * _most / 2 + _R_TERM) / s,
                ),
            ),
        ),
        weakest="shorter steps fail (the witness), and R need not fall, but the constant, one for all memories within R, grows "
        "without limit as R does; for β ≥ 2α no constant serves for all starts and memories that satisfy Theorem 1's conditions with "
        "R < 2β; those that break a given constant depend on γ (NEC-OUR-C1-RATE)",
    ),
)  # fmt: skip

CLAIMS = (C1_COND, C1_S1, C1, C1_EQ, C1_RATE, C1_RATE_LETTER)
