"""Corollaries 2, 4 and 6: utility under privacy noise, the steps of F.5, and what the bounds say.

Letters: n = K + 1; Lam = log(1/δ); y = (B₂/M)^(1/4); G = √(2L(f(x⁰) − f^inf)), which bounds ‖∇f(x⁰)‖.
"""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.fed_alpha_normec.theorem1 import b_appendix
from bounds.symbols import GRADIENT, Symbol
from verify.claim import Repair, Values, Witness
from verify.facts import definition, hypothesis
from verify.fed_alpha_normec import noise as no
from verify.fed_alpha_normec import rounds as ro
from verify.fed_alpha_normec.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.letters import (
    ALPHA,
    CLIENTS,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
    LOCAL_STEP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    SPREAD,
    Delta,
    F,
    K,
    L,
    M,
    R,
    V,
    alpha,
    beta,
    claim,
    eta,
    gamma,
    letters,
    p,
    values,
)
from verify.fed_alpha_normec.theorem1 import APPENDIX_ONE, one_step
from verify.fractions_check import exact_root
from verify.obligation import obligation
from verify.proof import Comparison, Identity, Limit, Proof
from verify.units import DifferentUnit, SameUnit

n, Lam, epsilon, c, hat, B_1, B_2, y, G, d, level, part_1, part_2, C = letters(
    "n Lam epsilon c beta_hat B_1 B_2 y G d level part_1 part_2 C"
)
_POSITIVE = definition(
    "n ≥ 1, log(1/δ), ε, c, β̂ > 0", (n >= 1) & (Lam > 0) & (epsilon > 0) & (c > 0) & (hat > 0)
)
_SIGMA = c * p * sympy.sqrt(n * Lam) / epsilon
_B1 = 2 * p * ((1 - 1 / p) ** 2 + 1 / p - 1)
_B2 = 2 * c**2 * p * Lam / epsilon**2

SECOND = Identity(
    "B = B₁ + (K+1)B₂",
    b_appendix(p, sympy.sqrt(c**2 * p**2 * n * Lam / epsilon**2)),
    _B1 + n * _B2,
    positive=(p, n, Lam, epsilon, c),
)
_SPLIT = obligation(
    "√((B₁ + nB₂)n/M) ≤ √(B₁n/M) + n√(B₂/M)",
    (CLIENTS, _POSITIVE, definition("B₁, B₂ ≥ 0, β > 0", (B_1 >= 0) & (B_2 >= 0) & (beta > 0))),
    2 * beta * sympy.sqrt((B_1 + n * B_2) * n / M)
    <= 2 * beta * sympy.sqrt(B_1 * n / M) + 2 * beta * n * sympy.sqrt(B_2 / M),
)
_SCALED = Identity(
    "β = β̂/n",
    2 * hat / n * sympy.sqrt(B_1 * n / M) + 2 * hat / n * n * sympy.sqrt(B_2 / M),
    2 * hat * sympy.sqrt(B_1 / (M * n)) + 2 * hat * sympy.sqrt(B_2 / M),
    positive=(n, M, B_1, B_2, hat),
)
_FIRST_LIMIT = obligation(
    "η ≤ Δ^inf/(2√(2L)(K+1)) is enough",
    (
        SMOOTH,
        GAMMA,
        LOCAL_STEP,
        SPREAD,
        _POSITIVE,
        ETA,
        hypothesis("η ≤ …", eta <= Delta / (2 * sympy.sqrt(2 * L)) / n),
    ),
    eta * gamma <= Delta / (4 * L * sympy.sqrt(2 * L)) / n,
)
_SMALLER = obligation(
    "the second member is the smaller one",
    (
        SMOOTH,
        GAMMA,
        ALPHA,
        RADIUS,
        _POSITIVE,
        hypothesis("Δ^inf > γ√(2L)β̂R/(α+R)", Delta > gamma * sympy.sqrt(2 * L) * hat * R / (alpha + R)),
    ),
    gamma / 2 * hat * R / (alpha + R) <= Delta / (2 * sympy.sqrt(2 * L)),
)
_ETA = gamma / 2 * hat * R / (alpha + R) / n
_SUBSTITUTED = Identity(
    "η inserted",
    3 / n * F / _ETA + _ETA * L / 2,
    6 * alpha * F / (gamma * hat * R) + 6 * F / (gamma * hat) + gamma * L * hat * R / (4 * (alpha + R) * n),
    positive=(n, F, gamma, hat, R, alpha, L),
)
_ratio = sympy.sqrt(3 * F / gamma)
_FOURTH = Identity(
    "β̂ with a fourth root: y⁴ = B₂/M",
    6 * F / (gamma * (_ratio / y)) + 2 * (_ratio / y) * y**2,
    4 * sympy.sqrt(3) * sympy.sqrt(F / gamma) * y,
    positive=(F, gamma, y),
)
_SQUARE = Identity(
    "β̂ with a square root leaves a term without B₂",
    2 * (_ratio / y**2) * y**2,
    2 * _ratio,
    positive=(F, gamma, y),
)

# γ = 1/(2L), K + 1 = 1/y², C d^(1/4) = 1, p = 1/2, M = 2: dropped against kept.
_DROPPED = Limit(
    "dropped/kept → ∞ as B₂ → 0 along K + 1 = 1/y²",
    (2 * sympy.sqrt(6 * L * F) / y * sympy.sqrt(1 / (1 / y**2)))
    / ((6 * sympy.sqrt(3) + 2) * sympy.sqrt(2 * L * F) * y),
    y,
    sympy.Integer(0),
    sympy.oo,
)

# Vacuity at γ = 1/(2L), α = R: X = √(F/γ) y = G y.
_KNOWN = definition("G = √(2L(f(x⁰) − f^inf))", sympy.Eq(G**2, 2 * L * F) & (G > 0))
_ROOT = definition("y > 0", y > 0)
_CONST = definition("C d^(1/4) = C ≥ 0", C >= 0)
_VACUOUS2 = obligation(
    "B₂/M ≥ 1/11664 ⇒ bound ≥ √(2L(f(x⁰) − f^inf))",
    (_KNOWN, _ROOT, _CONST, hypothesis("B₂/M ≥ 1/11664", y**4 >= sympy.Rational(1, 11664))),
    (6 * sympy.sqrt(3) + 2 * C) * G * y >= G,
)
_CONDITION4 = hypothesis(
    "√Δ^inf > γ√(2L)β̂R/(α+R) at γ = 1/(2L), α = R, β̂ = √(6LF)/y",
    (level > 0) & sympy.Eq(level**2, 2 * L * Delta) & (2 * level * y > sympy.sqrt(3) * G),
)
_VACUOUS4 = obligation(
    "bound ≥ 9 √(2L(f(x⁰) − f^inf))",
    (SMOOTH, _KNOWN, _ROOT, _CONDITION4),
    4 * level + 4 * sympy.sqrt(3) * G * y >= 9 * G,
)

# The corollary as it can be proved, not asymptotic.
_NOISE_LEVEL = hypothesis(
    "V = dσ², σ² = c²p²(K+1)log(1/δ)/ε²",
    sympy.Eq(V * epsilon**2, d * c**2 * p**2 * (K + 1) * Lam) & (V >= 0) & (d >= 1),
)
_SMALL = definition("c, log(1/δ), ε, β̂ > 0", (Lam > 0) & (epsilon > 0) & (c > 0) & (hat > 0))
_SCHEDULE = hypothesis("β = β̂/(K+1)", sympy.Eq(beta * (K + 1), hat) & (beta > 0))
_LENGTH = hypothesis("η = 1/(K+1) · β̂R/(4L(α+R))", sympy.Eq(eta * (K + 1) * 4 * L * (alpha + R), hat * R))
_ONCE = hypothesis("β̂ < (K+1)(α+R)", hat < (K + 1) * (alpha + R))
_PARTS = definition(
    "part₁² = (1−p)/(pM(K+1)), part₂² = d c²p log(1/δ)/(ε²M)",
    (part_1 >= 0)
    & (part_2 >= 0)
    & sympy.Eq(part_1**2 * p * M * (K + 1), 1 - p)
    & sympy.Eq(part_2**2 * epsilon**2 * M, d * c**2 * p * Lam),
)
_TOTAL = obligation(
    "B*(K+1)β²/M = β̂²(part₁² + part₂²)",
    (PARTICIPATION, CLIENTS, ROUNDS, _SMALL, _SCHEDULE, _NOISE_LEVEL, no.TIGHT_B, ro.LEVEL, _PARTS),
    sympy.Eq(ro.err**2, hat**2 * (part_1**2 + part_2**2)),
)
_ERR = obligation(
    "err ≤ β̂(part₁ + part₂)", (_SMALL, ro.LEVEL, _PARTS, _TOTAL.conclusion), ro.err <= hat * (part_1 + part_2)
)
_REPAIRED = obligation(
    "utility, explicit",
    (ALPHA, RADIUS, SMOOTH, ETA, ROUNDS, GAP, _SMALL, _LENGTH, ro.END_ONE.conclusion, _ERR.conclusion),
    ro.low
    <= 4 * L * (alpha + R) * F / (hat * R)
    + 2 * R
    + 2 * hat * (part_1 + part_2)
    + hat * R / (8 * (alpha + R) * (K + 1)),
)
UTILITY = Proof(
    (ALPHA, RADIUS, SMOOTH, PARTICIPATION, _SCHEDULE, _LENGTH, _ONCE, _NOISE_LEVEL, ro.START, ro.STARTS),
    (
        obligation("β > 0", (_SCHEDULE,), beta > 0),
        obligation(ETA.name, (ALPHA, RADIUS, SMOOTH, ROUNDS, _SMALL, _LENGTH), ETA.relation),
        obligation(FEEDBACK.name, (ALPHA, RADIUS, ROUNDS, _SCHEDULE, _ONCE), FEEDBACK.relation),
        FROM_FEEDBACK,
        obligation(
            ro.STEP_ONE.name,
            (ALPHA, RADIUS, SMOOTH, ROUNDS, _SMALL, _SCHEDULE, _LENGTH),
            ro.STEP_ONE.relation,
        ),
        *ro.ONE_STEP_NODES,
        _TOTAL,
        _ERR,
        _REPAIRED,
    ),
)

# Partial against full participation.
budget = letters("budget")[0]
_BUDGET = definition("budget = c²(K+1)log(1/δ)/ε² > 0", budget > 0)
_PART = hypothesis("0 < p < 1", (p > 0) & (p < 1))
_better = 2 * (1 - p) / p + 2 * budget * p < 2 * budget
BETTER = obligation(
    "B(p) < B(1) ⇔ p c²(K+1)log(1/δ)/ε² > 1",
    (_BUDGET, _PART),
    sympy.And(sympy.Implies(_better, p * budget > 1), sympy.Implies(p * budget > 1, _better)),
)
_COUNTED = obligation(
    "σ² = c²p(K+1)log(1/δ)/ε² ⇒ B(p) > B(1)",
    (_BUDGET, _PART),
    2 * (1 - p) / p + 2 * (budget * p) / p > 2 * budget,
)
_RATE = obligation(
    "B̂/M² ≤ 1/M for B̂ ≤ M", (CLIENTS, definition("p = B̂/M ≤ 1", (p > 0) & (p <= 1))), p / M <= 1 / M
)


def _second_moment(numbers: Values) -> Comparison:
    """B as F.5 prints it against 2p(1−1/p)² + 2(1−p) + 2σ²/p; K + 1 a square, log(1/δ) = 1."""
    p_, c_, n_, e = (numbers[k] for k in ("p", "c", "n", "epsilon"))
    printed = 2 * p_ * (1 - 1 / p_) ** 2 + 2 * (1 - p_) + 2 * c_ * exact_root(n_, 2) / e
    return Comparison(
        printed, "==", b_appendix(p_, c_ * p_ * exact_root(n_, 2) / e), (("0 < p ≤ 1", 0 < p_ <= 1),)
    )


def _square_root(numbers: Values) -> Comparison:
    """6F/(γβ̂) + 2β̂√(B₂/M) = 4√3 √(F/γ)(B₂/M)^(1/4) with β̂ = √(3F/γ)√(M/B₂), both sides divided by
    √(3F/γ), B₂/M = y⁴."""
    y_ = numbers["y"]
    return Comparison(2 * y_**2 + 2, "==", 4 * y_, (("0 < y", y_ > 0),))


def _not_better(numbers: Values) -> Comparison:
    p_, b = numbers["p"], numbers["budget"]
    return Comparison(2 * (1 - p_) / p_ + 2 * b * p_, "<=", 2 * b, (("0 < p < 1", 0 < p_ < 1),))


_S = {name: symbol.sympy() for name, symbol in SYMBOLS.items()}
_HAT = sympy.Symbol("beta_hat", real=True)
_TABLE = {**SYMBOLS, "beta_hat": Symbol("beta_hat", "β̂", "β (K+1)", GRADIENT, "> 0")}
_LIMIT2 = _S["Delta"] ** 2 / (2 * _S["L"] * _HAT**2)
_UNITS = Proof(
    (),
    (
        DifferentUnit("α against 2 in Δ = max(α, 2)√L√(f(x⁰)−f^inf)", _S["alpha"], sympy.Integer(2), SYMBOLS),
        DifferentUnit("γ² against (Δ^inf)²/(2Lβ̂²)", _S["gamma"] ** 2, _LIMIT2, _TABLE),
    ),
)
_IN_UNITS = SameUnit(
    "γ² against Δ^inf/(2Lβ̂²)", _S["gamma"] ** 2, _S["Delta"] / (2 * _S["L"] * _HAT**2), _TABLE
)
_CHOICE = (
    "σ = cp√((K+1)log(1/δ))/ε, p = B̂/M, β = β̂/(K+1), β̂ = √(3(f(x⁰)−f^inf)/γ)(M/B₂)^(1/4), γ < "
    "Δ^inf(α+R)/(√(2L)β̂R), "
    "α = R = O(d^(1/4)√(f(x⁰)−f^inf)/√γ (B₂/M)^(1/4)), B₂ = 2c²(B̂/M)log(1/δ)/ε²: min E‖∇f‖ ≤ "
    "O(Δ(dB̂log(1/δ)/(M²ε²))^(1/4)"
)
_WHY = (
    "Δ = max(α, 2)√L√(f(x⁰)−f^inf) compares a gradient with 2 and the condition on γ has the wrong unit; the "
    "terms dropped "
    "in O(·) carry β̂, which grows as the noise falls; γ is both bounded by Δ^inf and set to 1/(2L)."
)
_EXPLICIT = Repair(
    "T = 1: for β̂ < (K+1)(α+R), η = β̂R/(4L(α+R)(K+1)), noise σ² = c²p²(K+1)log(1/δ)/ε² in each of d "
    "coordinates: min E‖∇f‖ ≤ "
    "4L(α+R)(f(x⁰)−f^inf)/(β̂R) + 2R + 2β̂√(dc²p log(1/δ)/(ε²M)) + 2β̂√((1−p)/(pM(K+1))) + β̂R/(8(α+R)(K+1))",
    "all terms kept; β̂ < (K+1)(α+R); no condition on γ",
    UTILITY,
)
_CONSEQUENCE = "bounds.fed_alpha_normec.recipe gives parameters and a number instead of O(·)."


def _step(number: int, place: str, printed: str, reason: str, **evidence):
    return claim(f"FED-F5-S{number}", f"Appendix F.5, {place}", "step", printed, reason, **evidence)


CLAIMS = (
    claim(
        "FED-C2-UTIL",
        "Section 4, Corollary 2; Appendix F.5 (fourth roots)",
        "corollary",
        _CHOICE + ")",
        _WHY,
        conflict=_UNITS,
        repair=_EXPLICIT,
        consequence=_CONSEQUENCE,
    ),
    claim(
        "FED-C2-UTIL@square-root",
        "Section 4, Corollary 2, as printed with square roots",
        "corollary",
        _CHOICE.replace("(M/B₂)^(1/4)", "√(M/B₂)") + ")",
        "With β̂ ∝ √(M/B₂) the term 2β̂√(B₂/M) = 2√(3(f(x⁰)−f^inf)/γ) does not fall with the noise, so no "
        "such O(·) follows; the "
        "fourth root is what makes the corollary consistent with its proof.",
        conflict=Proof((), (_SQUARE,)),
    ),
    claim(
        "FED-C2-VAC",
        "ours, Corollary 2 against what is known at x⁰",
        "ours",
        "With γ = 1/(2L) and α = R the bound of F.5 is at least (6√3 + "
        "2Cd^(1/4))(B₂/M)^(1/4)√(2L(f(x⁰)−f^inf)): it is below √(2L(f(x⁰)−f^inf)) ≥ ‖∇f(x⁰)‖ only if "
        "B₂/M < 1/11664",
        "That is Mε > 153 c √(B̂ log(1/δ)): for M = B̂ = 20, ε = 8, δ = 10⁻⁵ it needs c < 0.07.",
        proof=Proof((hypothesis("B₂/M ≥ 1/11664", y**4 >= sympy.Rational(1, 11664)),), (_VACUOUS2,)),
        consequence="At the paper's experimental scale the utility bound says less than the gradient at the "
        "start.",
    ),
    claim(
        "FED-C2-BETTER",
        "Section 4, after Corollary 2",
        "prose",
        "O(Δ(d B̂/M² log(1/δ)/ε²)^(1/4)) improves upon α-NormEC's O(Δ(d/M log(1/δ)/ε²)^(1/4)); for p = 1 it "
        "is recovered",
        "As formulas yes: B̂/M² ≤ 1/M. But the term B₁ of absent clients was dropped, and σ ∝ p has to be "
        "private in the first place (FED-AMP).",
        repair=Repair(
            "At equal c the noise term is smaller than at p = 1 exactly when p c²(K+1)log(1/δ)/ε² > 1. If "
            "each client's noise must cover its own p(K+1) releases "
            "(σ² ∝ p), it is never smaller.",
            "p c²(K+1)log(1/δ)/ε² > 1, and amplification",
            Proof((_PART,), (_RATE, BETTER, _COUNTED)),
            weakest="necessary and sufficient",
        ),
    ),
    claim(
        "FED-C2-BETTER@every-p",
        "Section 4, after Corollary 2, for every p and K",
        "prose",
        "The noise term of the bound is smaller for p < 1 than for p = 1",
        "With few rounds or a large ε the variance of participation outweighs what amplification saves.",
        witness=Witness(
            values(p="1/4", budget=2),
            "B(p) ≤ B(1)",
            _not_better,
            "c²(K+1)log(1/δ)/ε² = 2, p = 1/4: B = 7 against 4",
        ),
    ),
    _step(
        1,
        "first display",
        "Theorem 1 at T = 1 with the B of F.2",
        "True in the reading E‖z‖² = σ² (FED-T1-APP@T=1).",
        proof=one_step(ro.THIRD_STEP, APPENDIX_ONE),
    ),
    _step(
        2,
        "B with σ inserted",
        "B = 2(B̂/M)(1−M/B̂)² + 2(1−B̂/M) + 2c√(K+1)log(1/δ)/ε",
        "σ²/p is c²p(K+1)log(1/δ)/ε²: the square and p are missing. The B₂ of the next line is right.",
        witness=Witness(
            values(p="1/2", c=1, n=4, epsilon="1/2"),
            "the printed B equals 2p(1−1/p)² + 2(1−p) + 2σ²/p",
            _second_moment,
            "p = 1/2, c = 1, K + 1 = 4, log(1/δ) = 1, ε = 1/2",
        ),
        repair=Repair("B = B₁ + (K+1)B₂", "2c²p(K+1)log(1/δ)/ε²", Proof((), (SECOND,))),
    ),
    _step(
        3,
        "B₁ and B₂",
        "2√(β²B(K+1)/M) ≤ 2β√(B₁(K+1)/M) + 2β√(B₂/M)(K+1)",
        "√(u + v) ≤ √u + √v.",
        proof=Proof((), (_SPLIT,)),
    ),
    _step(4, "β = β̂/(K+1)", "… = 2β̂√(B₁/(M(K+1))) + 2β̂√(B₂/M)", "Substitution.", proof=Proof((), (_SCALED,))),
    _step(
        5,
        "the two limits of η",
        "η ≤ 1/(K+1) min(Δ^inf/(2√(2L)), γ/2 · β̂R/(α+R)) gives Theorem 1's conditions",
        "Enough for γ ≤ 1/(2L).",
        proof=Proof(
            (
                SMOOTH,
                GAMMA,
                LOCAL_STEP,
                SPREAD,
                ETA,
                hypothesis("η ≤ …", eta <= Delta / (2 * sympy.sqrt(2 * L)) / n),
            ),
            (_FIRST_LIMIT,),
        ),
    ),
    _step(
        6,
        '"if Δ^inf > …"',
        "If Δ^inf > γ√(2L)β̂R/(α+R), then the second limit is the smaller one",
        "Algebra (the units of the premise do not match).",
        proof=Proof(
            (
                SMOOTH,
                GAMMA,
                ALPHA,
                RADIUS,
                hypothesis(
                    "Δ^inf > γ√(2L)β̂R/(α+R)", Delta > gamma * sympy.sqrt(2 * L) * hat * R / (alpha + R)
                ),
            ),
            (_SMALLER,),
        ),
    ),
    _step(
        7,
        "η inserted",
        "3/(K+1) (f(x⁰)−f^inf)/η + ηL/2 = 6α(f(x⁰)−f^inf)/(γβ̂R) + 6(f(x⁰)−f^inf)/(γβ̂) + γLβ̂R/(4(α+R)(K+1))",
        "Substitution.",
        proof=Proof((), (_SUBSTITUTED,)),
    ),
    _step(
        8,
        "β̂ inserted",
        "If β̂ = √(3(f(x⁰)−f^inf)/γ)√(M/B₂), then 6(f(x⁰)−f^inf)/(γβ̂) + 2β̂√(B₂/M) = 4√3√(f(x⁰)−f^inf)/√γ "
        "(B₂/M)^(1/4)",
        "As printed in F.5 with a square root it is false; with a fourth root it is an identity.",
        witness=Witness(values(y="1/2"), "2y² + 2 = 4y for y = (B₂/M)^(1/4)", _square_root, "B₂/M = 1/16"),
        repair=Repair("β̂ = √(3(f(x⁰)−f^inf)/γ)(M/B₂)^(1/4)", "fourth root", Proof((), (_FOURTH,))),
    ),
    _step(
        9,
        "last display",
        "… ≤ O(Δ√(f(x⁰)−f^inf)/√γ (dB₂/M)^(1/4)) + O(1/√(K+1)) + O(1/(K+1)), and the last two are dropped",
        "2β̂√(B₁/(M(K+1))) is no O(1/√(K+1)) with a constant: β̂ ∝ B₂^(−1/4). Along K + 1 ∝ (M/B₂)^(1/2), "
        "which β/(α+R) < 1 allows, the dropped "
        "term does not fall at all while the kept one vanishes.",
        conflict=Proof((), (_DROPPED,)),
        consequence="FED-C2-UTIL's repair keeps every term.",
    ),
    claim(
        "FED-C4",
        "Appendix F.3, Corollary 4",
        "corollary",
        _CHOICE + " + √L√Δ^inf)",
        _WHY + " Several local steps: it rests on Theorem 1, which is false there.",
        conflict=_UNITS,
        repair=Repair(
            "γ < √Δ^inf(α+R)/(√(2L)β̂R) has matching units, and then the bound is at least "
            "9√(2L(f(x⁰)−f^inf)) at the γ = 1/(2L) that it "
            "uses: it never says anything.",
            "√Δ^inf",
            Proof((SMOOTH, _CONDITION4), (_IN_UNITS, _VACUOUS4)),
        ),
        consequence="No choice of parameters makes Corollary 4 informative.",
    ),
    claim(
        "FED-C4-VAC",
        "ours, Corollaries 4 and 6 against what is known at x⁰",
        "ours",
        "With γ = 1/(2L), α = R, β̂ = √(6L(f(x⁰)−f^inf))(M/B₂)^(1/4) and √Δ^inf > γ√(2L)β̂R/(α+R): "
        "4√(2LΔ^inf) + 4√3(B₂/M)^(1/4)√(2L(f(x⁰)−f^inf)) ≥ "
        "9√(2L(f(x⁰)−f^inf))",
        "The condition makes Δ^inf large exactly when the noise term is small.",
        proof=Proof((SMOOTH, _CONDITION4), (_VACUOUS4,)),
    ),
    claim(
        "FED-C6",
        "Appendix G.3, Corollary 6",
        "corollary",
        _CHOICE + " + √L√Δ^inf + √L√((1/M)ΣΔ_i^inf))",
        _WHY + " It rests on Theorem 2, which is false.",
        conflict=_UNITS,
        repair=Repair(
            "As Corollary 4: with matching units the bound is at least 9√(2L(f(x⁰)−f^inf)).",
            "√Δ^inf",
            Proof((SMOOTH, _CONDITION4), (_IN_UNITS, _VACUOUS4)),
        ),
        consequence="No choice of parameters makes Corollary 6 informative.",
    ),
)
