"""Corollaries 2, 4 and 6, and the steps of F.5, as claims."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import sympy

from bounds.fed_alpha_normec.corollaries import utility_scale
from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.fed_alpha_normec.theorem1 import b_appendix
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.facts import hypothesis
from verify.fed_alpha_normec.corollaries.last_display import CLAIMS as LAST
from verify.fed_alpha_normec.corollaries.one_constant import REPAIR
from verify.fed_alpha_normec.corollaries.short_way import LETTER, SQUARE_ROOT, WITNESSES
from verify.fed_alpha_normec.corollaries.utility import (
    CHOSEN,
    EXTENT,
    FIRST_LIMIT,
    FOURTH,
    POSITIVE,
    ROOT,
    SCALED,
    SECOND,
    SECOND_LIMIT,
    SMALLER,
    SPLIT,
    SQUARE,
    SUBSTITUTED,
    TWO_LIMITS,
    UTILITY,
    hat,
    inserted,
    n,
    sampled,
)
from verify.fed_alpha_normec.corollaries.vacuous import COROLLARY2, COROLLARY4, HAT, IN_UNITS, WITH_HAT
from verify.fed_alpha_normec.displays import COROLLARIES
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    ETA,
    GAMMA,
    LOCAL_STEP,
    PARTICIPATION,
    RADIUS,
    SMOOTH,
    SPREAD,
    Delta,
    L,
    R,
    alpha,
    claim,
    eta,
    gamma,
    values,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours.utility_several import GRADIENT, INCREMENTAL
from verify.fed_alpha_normec.theorems.one_step import first_display
from verify.fractions_check import exact_root
from verify.obligation import obligation
from verify.proof import Proof
from verify.units import DifferentUnit


def _second_moment(numbers: Values) -> Comparison:
    """B as F.5 prints it against 2p(1−1/p)² + 2(1−p) + 2σ²/p; K + 1 a square, log(1/δ) = 1."""
    p_, c_, n_, e = (numbers[k] for k in ("p", "c", "n", "epsilon"))
    printed = 2 * p_ * (1 - 1 / p_) ** 2 + 2 * (1 - p_) + 2 * c_ * exact_root(n_, 2) / e
    return Comparison(
        printed, "==", b_appendix(p_, c_ * p_ * exact_root(n_, 2) / e), (("0 < p ≤ 1", 0 < p_ <= 1),)
    )


def _under_one_root(numbers: Values) -> Comparison:
    """What B, B₁ and B₂ contribute, with B = B₁ + (K+1)B₂ and n = K + 1; all roots rational."""
    n_, M_, first, second, b = (numbers[k] for k in ("n", "M", "B_1", "B_2", "beta"))
    left = 2 * b * exact_root((first + n_ * second) * n_ / M_, 2)
    right = 2 * b * (exact_root(first * n_ / M_, 2) + exact_root(second * n_ / M_, 2))
    met = (
        *sampled(numbers),
        ("K + 1 ≥ 1 is whole", n_ >= 1 and n_.denominator == 1),
        ("B₂, which c scales, and β are positive", min(second, b) > 0),
    )
    return Comparison(left, "<=", right, met)


def _square_root(numbers: Values) -> Comparison:
    """6αF/(γβ̂R) + 6F/(γβ̂) + 2β̂√(B₂/M) against what is printed for it, with β̂ = √(3F/γ)√(M/B₂), both sides divided by
    √(3F/γ), B₂/M = y⁴."""
    y_, ratio = numbers["y"], numbers["alpha"] / numbers["R"]
    met = (("0 < y", y_ > 0), ("α, R > 0", min(numbers["alpha"], numbers["R"]) > 0))
    return Comparison(2 * ratio * y_**2 + 2 * y_**2 + 2, "<=", 2 * ratio * y_ + 4 * y_, met)


def _two_orders() -> Comparison:
    """dB̂ log(1/δ)/(M²ε²) = 1/16 and L(f(x⁰) − f^inf) = 1: Δ times the fourth root of F.5, and the square root of Section 4."""
    scale, noise = utility_scale(Fraction(1), Fraction(1), Fraction(1)), Fraction(1, 16)
    return Comparison(scale * exact_root(exact_root(noise, 2), 2), "!=", scale * exact_root(noise, 2))


def _two_hats() -> Comparison:
    """β̂ of Corollary 4, as printed, and of its proof in F.3, in units of √(3(f(x⁰) − f^inf)/γ), at M/B₂ = 16."""
    inverse = Fraction(16)
    return Comparison(exact_root(inverse, 2), "!=", exact_root(exact_root(inverse, 2), 2))


_S = {name: symbol.sympy() for name, symbol in SYMBOLS.items()}
_LIMIT2 = _S["Delta"] ** 2 / (2 * _S["L"] * HAT**2)
_UNITS = Proof(
    (),
    (
        DifferentUnit("α against 2 in Δ = max(α, 2)√L√(f(x⁰)−f^inf)", _S["alpha"], sympy.Integer(2), SYMBOLS),
        DifferentUnit("γ² against (Δ^inf)²/(2Lβ̂²)", _S["gamma"] ** 2, _LIMIT2, WITH_HAT),
    ),
)
_SHORT = "With a small γ x hardly moves, while the bound falls with the noise."
_STAYS = (
    f"{_SHORT} In all rounds together it moves by (K+1)η = γβ̂/4 at most. Where γ falls with the noise so that α = R does not change, "
    "neither does that way, and "
)
_BESIDES = "Units: FED-C2-UTIL@units; max(α, 2): FED-F5-S9; d^{1/4}: FED-F5-DIM."
_WHY = (
    _STAYS
    + "the bound falls to 0: no constant in O(·) serves, even one that depends on L, f(x⁰) − f^inf, Δ^inf, α, R, d, p and c. With "
    "γ = 1/(2L), as the proof's last line has it, and σ_DP² ≥ 1 − p one does; with no lower limit on σ_DP² none does "
    "(FED-C2-UTIL@longest-gamma). (Theorem 1 is taken as Section 4 has it (F.2's γ/3 excludes the corollary's own η: "
    "FED-C2-UTIL@conditions); a shorter η changes nothing here.) " + _BESIDES
)
_WHY_SEVERAL = (
    _STAYS
    + "the bound falls to its terms in the Δ^inf. Where L is a small number the condition on γ asks for no more than a Δ^inf that is "
    "small against ‖∇f(x⁰)‖²/L: no constant in O(·) serves that depends on c and the constant in α = R alone. (With one that depends "
    "on f(x⁰) − f^inf and Δ^inf it says nothing: {}@own-constant.) "
)
_CHOICES = "β̂ < (K+1)(α+R), η = β̂R/(4L(α+R)(K+1)), noise σ² = c²p²(K+1)log(1/δ)/ε² in each of d coordinates"
_TERMS = "min E‖∇f‖ ≤ 4L(α+R)(f(x⁰)−f^inf)/(β̂R) + 2R + 2β̂√(dc²p log(1/δ)/(ε²M)) + 2β̂√((1−p)/(pM(K+1))) + β̂R/(8(α+R)(K+1))"
_KEPT = "all terms kept; β̂ < (K+1)(α+R); η without γ (1/(4L) for γ/2); σ_DP² the variance of each coordinate"


def _with_drift(steps: str, mean: str, drift: str, proof: Proof) -> Repair:
    return Repair(
        f"{steps}: for 0 < γ ≤ 1/(2L), f(x⁰) > {mean}, {_CHOICES}: {_TERMS} + {drift}√(2L(f(x⁰) − {mean}))",
        f"{_KEPT}; this drift, which falls with γ, and no condition that ties γ to Δ^inf",
        proof,
    )


_UNDER = Witness(
    values(n=4, M=1, B_hat=1, B_1=0, B_2=1, beta=1),
    "2√(β²B(K+1)/M) ≤ 2β√((B₁/M)(K+1)) + 2β√((B₂/M)(K+1))",
    _under_one_root,
    "p = 1, so that B₁ = 0; K + 1 = 4, B₂ = M = 1: 8 against 4",
)
_BESIDE = Repair(
    "2β√((B₁/M)(K+1)) + 2β√(B₂/M)(K+1)",
    "K + 1 beside the second root",
    Proof((BETA, PARTICIPATION, POSITIVE), (SECOND, SPLIT)),
)
_SQUARED = Witness(
    values(y="1/4", alpha=1, R=1),
    "2(α/R)y² + 2y² + 2 ≤ 2(α/R)y + 4y for y = (B₂/M)^(1/4)",
    _square_root,
    "B₂/M = 1/256, α = R: 9/4 against 3/2",
)
_LIMIT_ON_GAMMA = hypothesis(
    "γ < Δ^inf(α+R)/(√(2L)β̂R)", gamma < Delta * (alpha + R) / (sympy.sqrt(2 * L) * hat * R)
)
_y = sympy.Symbol("y", real=True)
_BETWEEN = obligation(
    "2(α/R)y² + 2y² + 2 ≤ 2(α/R)y + 4y exactly for R/(α + R) ≤ y ≤ 1",
    (ALPHA, RADIUS),
    sympy.Equivalent(
        2 * alpha / R * _y**2 + 2 * _y**2 + 2 <= 2 * alpha / R * _y + 4 * _y,
        (R / (alpha + R) <= _y) & (_y <= 1),
    ).to_nnf(),
)
_NEARER = obligation(
    "the second member is the smaller one, by the limit on γ",
    (SMOOTH, GAMMA, ALPHA, RADIUS, POSITIVE, _LIMIT_ON_GAMMA),
    SMALLER.conclusion.relation,
)
OBTAINED = Proof(
    (SMOOTH, GAMMA, ALPHA, RADIUS, SPREAD, POSITIVE, TWO_LIMITS[2], ro.HALF_STEP, _LIMIT_ON_GAMMA),
    (
        _NEARER,
        obligation(
            "η ≤ (1/(K+1)) min(Δ^inf/(2√(2L)), (γ/2)(β̂R/(α+R)))",
            (SMOOTH, GAMMA, ALPHA, RADIUS, POSITIVE, TWO_LIMITS[2], ro.HALF_STEP, _NEARER.conclusion),
            (eta <= Delta / (2 * sympy.sqrt(2 * L)) / n) & (eta <= gamma / 2 * hat * R / (alpha + R) / n),
        ),
    ),
)
_FOURTH = Repair(
    "β̂ = √(3(f(x⁰)−f^inf)/γ)(M/B₂)^(1/4)",
    "fourth root",
    Proof((ALPHA, GAMMA, RADIUS, CHOSEN, ROOT), (FOURTH,)),
)
_DETACHED = "In the text at hand a detached root index cannot be told from a misprint."
_TWO_HATS = Computation("β̂ at M/B₂ = 16: 4 here against 2 in F.3's proof", "enumeration", _two_hats)


def _by_the_letter(number: int, place: str, proof: str) -> Claim:
    """Corollaries 4 and 6 with the square root that they print in β̂."""
    return claim(
        f"FED-C{number}@square-root",
        f"{place}, by the letter, with a square root in β̂",
        "corollary",
        COROLLARIES[f"FED-C{number}"],
        f"{_SHORT} No constant in O(·) serves, as with the fourth root (FED-C{number}). √(M/B₂) stands in β̂, (M/B₂)^{{1/4}} {proof}. "
        "With the square root the term 2β̂√(B₂/M) = 2√(3(f(x⁰)−f^inf)/γ) does not fall with the noise, as the bound has it. "
        + _DETACHED,
        witness=LETTER[number],
        conflict=Proof((GAMMA, ROOT), (_TWO_HATS, SQUARE)),
        consequence="Read with the fourth root; its choices break β/(α+R) < 1 in either reading "
        f"(FED-C{number}@feedback, FED-C{number}@feedback,square-root).",
    )


_CONSEQUENCE = "`bounds.fed_alpha_normec.recipe` gives parameters and a number instead of O(·)."

_VOID = (
    "With √Δ^inf in the condition on γ neither F.3's bound nor G.3's says anything for γ ≥ 1/(288L) (FED-C4-VAC; as printed: "
    "FED-C4-VAC@printed)."
)


def _step(number: int, place: str, printed: str, reason: str, **evidence):
    return claim(f"FED-F5-S{number}", f"Appendix F.5, {place}", "step", printed, reason, **evidence)


CLAIMS = (
    claim(
        "FED-C2-UTIL",
        "Appendix F.5, Corollary 2 with fourth roots",
        "corollary",
        COROLLARIES["FED-C2-UTIL"],
        _WHY,
        witness=WITNESSES[2],
        repair=REPAIR,
        consequence="Take γ = 1/(2L); FED-C2-EXPLICIT has numbers instead of O(·).",
    ),
    claim(
        "FED-C2-UTIL@units",
        "Appendix F.5, Corollary 2, and so Corollaries 4 and 6",
        "definition",
        "γ < Δ^inf(α+R)/(√(2L)β̂R) […] Δ = max(α, 2)√L√(f(x⁰) − f^inf)",
        "max(α, 2) compares a gradient with 2, and the two sides of the condition on γ have different units; with √Δ^inf for Δ^inf "
        "they have one.",
        conflict=_UNITS,
        repair=Repair("γ < √Δ^inf(α+R)/(√(2L)β̂R)", "√Δ^inf for Δ^inf", Proof((), (IN_UNITS,))),
    ),
    claim(
        "FED-C2-EXPLICIT",
        "ours, Corollary 2 with all terms kept",
        "ours",
        f"T = 1, σ_DP² the variance of each coordinate: for {_CHOICES}: {_TERMS}",
        "F.5's bound without its 3, with the noise of absent clients and no condition on γ, which η does not contain.",
        proof=UTILITY,
        consequence=_CONSEQUENCE,
    ),
    claim(
        "FED-C2-UTIL@square-root",
        "Section 4, Corollary 2, by the letter, with square roots and a factor 4",
        "corollary",
        COROLLARIES["FED-C2-UTIL@square-root"],
        f"{_SHORT} No constant in O(·) serves, as in F.5 (FED-C2-UTIL). "
        "And one corollary has two bounds: of order √B₂ here, of order B₂^{1/4} in F.5. With β̂ ∝ √(M/B₂) the term 2β̂√(B₂/M) = "
        "2√(3(f(x⁰)−f^inf)/γ) does not even fall with the noise. " + _DETACHED,
        witness=SQUARE_ROOT,
        conflict=Proof(
            (GAMMA, ROOT),
            (Computation("both at the same parameters: 1 against 1/2", "enumeration", _two_orders), SQUARE),
        ),
    ),
    claim(
        "FED-C2-VAC",
        "ours, Corollary 2 against what is known at x⁰",
        "ours",
        "With γ = 1/(2L) and α = R = Cd^(1/4)√((f(x⁰)−f^inf)/γ)(B₂/M)^(1/4) the bound of F.5 is at least (6√3 + "
        "2Cd^(1/4))(B₂/M)^(1/4)√(2L(f(x⁰)−f^inf)): it is below √(2L(f(x⁰)−f^inf)) ≥ ‖∇f(x⁰)‖ only if B₂/M < 1/11664",
        "That is Mε > 152.7 c √(B̂ log(1/δ)): for M = B̂ = 20, ε = 8, δ = 10⁻⁵ it needs c < 0.07.",
        proof=COROLLARY2,
        consequence="At the paper's experimental scale the utility bound says less than the gradient at the start, unless c < 0.07 "
        "(c < 0.14 where B̂ = 5 of the 20 take part).",
    ),
    first_display("FED-F5-S1", "Appendix F.5, first display", COROLLARIES["FED-F5-S1"]),
    _step(
        2,
        "B with σ inserted",
        COROLLARIES["FED-F5-S2"],
        "σ²/p is c²p(K+1)log(1/δ)/ε²: the square and p are missing. The B₂ of the next line is right.",
        witness=Witness(
            values(p="1/2", c=1, n=4, epsilon="1/2"),
            "the printed B equals 2p(1−1/p)² + 2(1−p) + 2σ²/p",
            _second_moment,
            "p = 1/2, c = 1, K + 1 = 4, log(1/δ) = 1, ε = 1/2",
        ),
        repair=Repair(
            "B = B₁ + (K+1)B₂", "2c²p(K+1)log(1/δ)/ε²", Proof((PARTICIPATION, POSITIVE), (SECOND,))
        ),
    ),
    _step(
        3,
        "B₁ and B₂",
        COROLLARIES["FED-F5-S3"],
        "√(u + v) ≤ √u + √v, as B = B₁ + (K+1)B₂ (FED-F5-S2's repair): the second K + 1 belongs beside its root. "
        + EXTENT,
        repair=_BESIDE,
        gap=Gap("reading", "both K + 1 under their roots", _UNDER),
    ),
    claim(
        "FED-F5-S3@letter",
        "Appendix F.5, B₁ and B₂, by the letter",
        "step",
        COROLLARIES["FED-F5-S3"],
        "B = B₁ + (K+1)B₂ (FED-F5-S2), so that the second K + 1 belongs beside the root; the next display has it right. The proof of "
        "Corollary 4 has both beside the root.",
        witness=_UNDER,
        repair=_BESIDE,
    ),
    _step(4, "β = β̂/(K+1)", COROLLARIES["FED-F5-S4"], "Substitution.", proof=inserted(SCALED, POSITIVE)),
    _step(
        5,
        "the two limits of η",
        COROLLARIES["FED-F5-S5"],
        "Enough for Section 4's two conditions on η, for γ ≤ 1/(2L). (F.2 asks for γ/3: FED-C2-UTIL@conditions.)",
        proof=Proof(
            (SMOOTH, GAMMA, LOCAL_STEP, SPREAD, ETA, ALPHA, RADIUS, POSITIVE, *TWO_LIMITS),
            (FIRST_LIMIT, SECOND_LIMIT),
        ),
    ),
    claim(
        "FED-F5-S5@obtained",
        "Appendix F.5, the two limits of η, as what follows from Theorem 1's condition and Corollary 2's limit on γ",
        "step",
        COROLLARIES["FED-F5-S5"].split(" [")[0],
        "With Corollary 2's γ < Δ^inf(α+R)/(√(2L)β̂R) the second member is the smaller one, and Section 4's second condition is it.",
        proof=OBTAINED,
    ),
    _step(
        6,
        '"if Δ^inf > …"',
        COROLLARIES["FED-F5-S6"],
        "Algebra (the units of the premise do not match).",
        proof=Proof(
            (
                SMOOTH,
                GAMMA,
                ALPHA,
                RADIUS,
                POSITIVE,
                hypothesis(
                    "Δ^inf > γ√(2L)β̂R/(α+R)", Delta > gamma * sympy.sqrt(2 * L) * hat * R / (alpha + R)
                ),
            ),
            (SMALLER,),
        ),
    ),
    _step(
        7,
        "η inserted",
        COROLLARIES["FED-F5-S7"],
        "Substitution.",
        proof=inserted(SUBSTITUTED, ALPHA, GAMMA, RADIUS, SMOOTH, POSITIVE),
    ),
    _step(
        8,
        "β̂ inserted",
        COROLLARIES["FED-F5-S8"],
        "An identity in the terms that carry β̂, with the fourth root of F.3 and of the corollary in it. "
        + _DETACHED,
        repair=_FOURTH,
        gap=Gap("reading", "a square root in β̂", _SQUARED),
    ),
    claim(
        "FED-F5-S8@letter",
        "Appendix F.5, β̂ inserted, by the letter, with a square root",
        "step",
        COROLLARIES["FED-F5-S8"],
        "With a square root it holds for R/(α + R) ≤ (B₂/M)^(1/4) ≤ 1 alone, and is false below, where the noise is small, and above. "
        + _DETACHED,
        witness=replace(_SQUARED, universal=Proof((ALPHA, RADIUS), (_BETWEEN,))),
        repair=_FOURTH,
    ),
    *LAST,
    claim(
        "FED-C4",
        "Appendix F.3, Corollary 4",
        "corollary",
        COROLLARIES["FED-C4"],
        _WHY_SEVERAL.format("FED-C4")
        + "It rests on Theorem 1, which is false for several local steps. Read with the proof's fourth root in β̂, where "
        "√(M/B₂) stands here (by the letter: FED-C4@square-root), and with its β̂ for the β of the condition on γ (FED-C4@rounds). "
        + _BESIDES,
        witness=WITNESSES[4],
        repair=_with_drift("T ≥ 1", "(1/M)Σf_i^inf", "Lγ", GRADIENT),
        consequence=_VOID,
    ),
    _by_the_letter(4, "Appendix F.3, Corollary 4", "in the corollary's own proof (FED-C4-S8)"),
    claim(
        "FED-C4-VAC",
        "ours, Corollaries 4 and 6 against what is known at x⁰",
        "ours",
        "With α = R, β̂ = √(3(f(x⁰)−f^inf)/γ)(M/B₂)^(1/4) and √Δ^inf > γ√(2L)β̂R/(α+R) the bound of F.3 with β̂ inserted (FED-C4-S8), "
        "and so Corollary 6's with its further drift, is at least 24L√(γ(f(x⁰)−f^inf)): 12√(2L(f(x⁰)−f^inf)) at γ = 1/(2L), and no "
        "less than √(2L(f(x⁰)−f^inf)) ≥ ‖∇f(x⁰)‖ for any γ ≥ 1/(288L)",
        "The condition, whose units match, makes Δ^inf large exactly when the noise term is small.",
        proof=COROLLARY4,
    ),
    claim(
        "FED-C6",
        "Appendix G.3, Corollary 6",
        "corollary",
        COROLLARIES["FED-C6"],
        _WHY_SEVERAL.format("FED-C6")
        + "It rests on Theorem 2, which is false, and whose γ/3 excludes the corollary's own η (FED-C6@conditions). Read with the "
        "fourth root of Corollary 4's proof in β̂, where √(M/B₂) stands here (by the letter: FED-C6@square-root). "
        + _BESIDES,
        witness=WITNESSES[6],
        repair=_with_drift(
            "N ≥ 1 steps, one for each f_{i,j}", "(1/M)Σ(1/N)Σf_{i,j}^inf", "2Lγ", INCREMENTAL
        ),
        consequence=_VOID,
    ),
    _by_the_letter(
        6, "Appendix G.3, Corollary 6", "in Corollary 4's proof (FED-C4-S8), which its own is analogous to"
    ),
)
