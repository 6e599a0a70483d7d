"""Corollaries 1, 3 and 5 as claims."""

from __future__ import annotations

from fractions import Fraction

from bounds.fed_alpha_normec import schedules as plans
from bounds.fed_alpha_normec.symbols import SYMBOLS
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.fed_alpha_normec.corollaries import lengths
from verify.fed_alpha_normec.corollaries import spared as sp
from verify.fed_alpha_normec.corollaries.choices import ALTERNATING, step_limit
from verify.fed_alpha_normec.corollaries.rates import (
    COROLLARY1_GRANTED,
    COROLLARY1_ROOTS,
    GRANTED_ROOTS,
    STEP1,
    STEP3,
)
from verify.fed_alpha_normec.counterexamples import schedules as runs
from verify.fed_alpha_normec.counterexamples.scheduled_trap import LARGE, WHY, WITNESSES
from verify.fed_alpha_normec.displays import COROLLARIES
from verify.fed_alpha_normec.letters import claim, values
from verify.fed_alpha_normec.theorems import repairs as re
from verify.proof import Proof
from verify.units import DifferentUnit, SameUnit

# Units of the printed choices.
_S = {name: symbol.sympy() for name, symbol in SYMBOLS.items()}
_ETA0 = plans.eta_limit_main(_S["L"], _S["D_1"], _S["D_2"], _S["alpha"])
_HAT = plans.eta_hat(_S["L"], _S["D_1"], _S["D_2"], _S["alpha"])


def _limit_rounds(numbers: Values) -> Comparison:
    """Corollary 1 in F.4 against (ηγ(K+1) 4L)² 2L ≤ (Δ^inf)²: the left side grows like (K+1)^(1/3)."""
    L_, D1, D2, a, Delta_ = (numbers[n] for n in ("L", "D_1", "D_2", "alpha", "Delta_inf"))
    K_ = int(numbers["K"])
    plan = plans.corollary1_appendix(K_, L_, D1, D2, a)
    left = (plan.eta * plan.gamma * (K_ + 1) * 4 * L_) ** 2 * 2 * L_
    return Comparison(left, "<=", Delta_**2, (("β/(α+R) < 1", plan.beta < a + plan.R), ("K ≥ 0", K_ >= 0)))


def _noise_parts(p: Fraction, square: Fraction, M: Fraction) -> tuple[Fraction, Fraction]:
    """What stands under the root of A₁, for 2D₂√·: Section 4, and B/M of F.4."""
    sampled = 2 * p * (1 - 1 / p) ** 2
    return sampled / M + 2 * square / p, (sampled + 2 * (1 - p) + 2 * square / p) / M


def _differ(p: str, square: int) -> Comparison:
    main, appendix = _noise_parts(Fraction(p), Fraction(square), Fraction(4))
    return Comparison(main, "!=", appendix)


def _steps(L: int) -> tuple[Fraction, Fraction]:
    """η₀ and η̂ at that L and D₁ = D₂ = α = 1."""
    one = Fraction(1)
    return plans.eta_limit_main(Fraction(L), one, one, one), plans.eta_hat(Fraction(L), one, one, one)


def _lengths() -> Comparison:
    """η₀ against 2L²η̂ at L = 2 and D₁ = D₂ = α = 1."""
    main, appendix = _steps(2)
    return Comparison(main, "==", 2 * 2**2 * appendix)


def _first_terms() -> Comparison:
    """1/η₀ and 3/η̂ at L = D₁ = D₂ = α = 1."""
    main, appendix = _steps(1)
    return Comparison(1 / main, "!=", 3 / appendix)


def _last_terms() -> Comparison:
    """A₂ at L = D₁ = D₂ = α = 1: Lη₀/2 and η̂L/2."""
    main, appendix = _steps(1)
    return Comparison(main / 2, "!=", appendix / 2)


_CONSTANTS = (
    Computation("η₀ = 2L²η̂ at L = 2, D₁ = D₂ = α = 1: 1/2 = 8 · 1/16", "enumeration", _lengths),
    Computation("first term at L = D₁ = D₂ = α = 1: 4 against 24", "enumeration", _first_terms),
    Computation("A₂ at L = D₁ = D₂ = α = 1: 1/8 against 1/16", "enumeration", _last_terms),
    Computation("p = 1, σ = 1, M = 4: 2 against 1/2 under the root", "enumeration", lambda: _differ("1", 1)),
    Computation(
        "p = 3/4, σ = 0, M = 4: 1/24 against 1/6 under the root", "enumeration", lambda: _differ("3/4", 0)
    ),
)
_EXACT = "Take η = D₁D₂/(4L(α+D₁)(K+1)^(5/6)) exactly, and F.4's A₁, A₂ with B* = (1−p+E‖z‖²)/p for B."
_SMALLER = "Take D₂ < α + D₁, and E‖z‖² for σ_DP²; up to K + 1 = 48³ it says nothing (FED-C1-VAC)."
_IN_QUESTION = "β ≤ (√α+√R)² for the K in question"
_ROOTS_TOO = (
    "β/(α+R) < 1, as printed, is more than that; without any limit on β it can be false (FED-C1-APP@large-D2)"
)
_EVERY = "for every K with β ≤ (√α+√R)², which is all of them where D₂ ≤ (√α+√D₁)²"
_ASKS = (
    "That asks nothing where f(x⁰) − f^inf ≤ {}Δ^inf, and follows from η̂ ≤ {}√Δ^inf/(2√(2L)), which is {} times the √Δ^inf/(2√(2L)) "
    "that the units ask for."
)
_WEAKEST = (
    "β/(α+R) < 1, as printed, is more than that; with D₂ < α + D₁ the printed η̂ suffices, for every K: {}; else the condition on η̂ "
    "gives that the bound of {}, which needs none, is at most the printed one, the noise terms aside"
)
_ROOT = (
    "With D₂ < α + D₁ and E‖z‖² for σ_DP² it holds. But up to K + 1 = 48⁴ = 5,308,416 the bound says nothing: FED-C3-FASTER and "
    "FED-C5-FASTER are better."
)

C1_GRANTED = claim(
    "FED-C1-APP@theorem1",
    'Appendix F.4, Corollary, "under the same setting as Theorem 1" read with β/(α+R) < 1, E‖z‖² = σ²',
    "corollary",
    COROLLARIES["FED-C1-APP@theorem1"],
    "With that condition granted for the K in question the bound holds; the choices alone do not give it (FED-C1-APP). (Line 12 "
    "stands still at v̂^{k+1} = 0: 0/0 = 0.)",
    proof=COROLLARY1_GRANTED,
)
_REPAIRED_3 = Repair(
    f"With σ_DP² = E‖z_i‖² the bound holds {_EVERY}, and every η̂ ≤ D₁D₂/(4L(α+D₁)) with {sp.ROOM_3}. "
    f"{_ASKS.format(re.LOW, sp.TEXT_3, f'{float(sp.FACTOR_3):.0f}')}",
    f"σ_DP² := E‖z_i‖²; {_IN_QUESTION}; {sp.ROOM_3}",
    sp.REPAIRED_3,
    weakest=_WEAKEST.format("FED-C3-GENTLE", "FED-R2-SHARP"),
)
_REPAIRED_5 = Repair(
    f"With σ_DP² = E‖z_i‖² the bound holds {_EVERY}, and every η̂ ≤ D₁D₂/(4L(α+D₁)) with {sp.ROOM_5}. "
    f"{_ASKS.format(64, '128', '128')} Where Lemma 8's (1/M) Σ Δ_i^inf ≥ 0, as it is where all lower bounds are infima, 143 will do "
    f"for 64 and {sp.TEXT_5} ≈ {float(sp.FACTOR_5):.2f} for 128.",
    f"σ_DP² := E‖z_i‖²; {_IN_QUESTION}; {sp.ROOM_5}; {sp.READ_5}",
    sp.REPAIRED_5,
    weakest=_WEAKEST.format("FED-C5-GENTLE", "FED-R3-SHARP")
    + "; with 8√((1/M) Σ Δ_i^inf)/(2√(2L)) in η̂ it holds with 0 and 1 in place of 8 and 4 (FED-C5-DRIFT)",
)
CLAIMS = (
    claim(
        "FED-C1-MAIN",
        "Section 4, Corollary 1",
        "corollary",
        COROLLARIES["FED-C1-MAIN"],
        '"η ≤" must be "η =": A₁ has η₀ in a denominator, so a shorter η makes the true first term larger and the printed one not. '
        "Besides, η₀ has not the unit of a length, and 2(1−p) is missing under the root.",
        witness=Witness(
            values(c="1/10", eta="1/100000000", D_1=1, D_2=1, alpha=1, K=46655),
            "min_k ‖∇f(xᵏ)‖ ≤ A₁/(K+1)^(1/6) + A₂/(K+1)^(5/6)",
            runs.slow,
            "M = 2, f_i parabolas with straight arms, x⁰ = 1 + c, L = 1, γ = 1/2, p = 1, σ = 0, η = 10⁻⁸: 46,656 rounds move x "
            "by less than 10⁻³",
        ),
        repair=Repair(
            "With η = η̂/(K+1)^(5/6), η̂ = D₁D₂/(4L(α+D₁)), the bound of F.4 holds with B* "
            f"{_EVERY}: A₁ = 3(f(x⁰)−f^inf)/η̂ + 2D₁ + 2D₂√(B*/M), also without the factor 3.",
            f"η = η̂/(K+1)^(5/6), η̂ = D₁D₂/(4L(α+D₁)), in place of η₀; {_IN_QUESTION}; B* = (1−p+E‖z‖²)/p",
            COROLLARY1_ROOTS,
            weakest=_ROOTS_TOO,
        ),
        consequence=_EXACT,
    ),
    claim(
        "FED-C1-MAIN@A1",
        "Section 4, Corollary 1, against F.4",
        "definition",
        COROLLARIES["FED-C1-MAIN@A1"],
        "One corollary with two constants: Section 4 loses the 3 of Theorem 1 and the 2(1−p), divides only the first term under the "
        "root by M, and has η₀ = 2L²η̂ for η̂, in A₂ too.",
        conflict=Proof((), _CONSTANTS),
        repair=Repair(
            f"A₁ and A₂ of F.4 hold, with B* = (1−p+E‖z‖²)/p for B, {_EVERY}.",
            f"F.4's A₁, A₂ and η̂; B* for B; {_IN_QUESTION}",
            COROLLARY1_ROOTS,
            weakest=_ROOTS_TOO,
        ),
    ),
    claim(
        "FED-C1-MAIN@units",
        "Section 4, Corollary 1, η₀",
        "definition",
        COROLLARIES["FED-C1-MAIN@units"],
        "A length would be D₁D₂/(L(α+D₁)): L stands in the numerator instead of the denominator.",
        conflict=Proof((), (DifferentUnit("η against η₀", _S["eta"], _ETA0, SYMBOLS),)),
        repair=Repair(
            "η̂ = D₁D₂/(4L(α+D₁)), as in F.4",
            "1/(4L) for L/2",
            Proof((), (SameUnit("η against η̂", _S["eta"], _HAT, SYMBOLS),)),
        ),
    ),
    claim(
        "FED-C1-MAIN@conditions",
        "Section 4, Corollary 1, under Theorem 1",
        "corollary",
        COROLLARIES["FED-C1-MAIN@conditions"],
        "The longest η meets Theorem 1's limit only for L² ≤ (α+D₁)/(2(α+R)). For L = 1 already K = 0 fails.",
        witness=Witness(
            values(L=1, D_1=1, D_2=1, alpha=1),
            "η ≤ γ/2 · βR/(α+R) at K = 0",
            step_limit(plans.corollary1_main, 2),
            "L = D₁ = D₂ = α = 1, K = 0: 1/4 > 1/8",
        ),
        repair=lengths.MAIN,
    ),
    claim(
        "FED-C1-APP",
        "Appendix F.4, Corollary",
        "corollary",
        COROLLARIES["FED-C1-APP"],
        '"Under the same setting as Theorem 1" may or may not bring β/(α+R) < 1 along. With it the bound holds for the K in question '
        '(FED-C1-APP@theorem1) if σ_DP² is E‖z‖²; "D₂ > 0" does not give it, and without it the bound can be false '
        "(FED-C1-APP@large-D2).",
        repair=Repair(
            f"With σ_DP² = E‖z_i‖² the bound holds {_EVERY}.",
            f"σ_DP² := E‖z_i‖²; {_IN_QUESTION}",
            GRANTED_ROOTS,
            weakest=f"{_ROOTS_TOO}; if σ_DP² is the variance of a coordinate, the bound is false, even where D₂ < α + D₁ "
            "(FED-C1-APP@per-coordinate)",
        ),
        gap=Gap(
            "reading",
            "the corollary's choices alone, β/(α+R) ≥ 1 allowed (FED-C1-APP@large-D2)",
            ALTERNATING[1],
        ),
        consequence=_SMALLER,
    ),
    C1_GRANTED,
    claim(
        "FED-C1-APP-S1",
        "Appendix F.4, proof, choice of η",
        "step",
        COROLLARIES["FED-C1-APP-S1"],
        "True for every K, since α + R ≤ α + D₁.",
        proof=STEP1,
    ),
    claim(
        "FED-C1-APP@conditions",
        "Appendix F.4, Corollary, under the theorem of F.2",
        "corollary",
        COROLLARIES["FED-C1-APP@conditions"],
        "The choices are made for a step of γ/2 · βR/(α+R); F.2 asks for γ/3.",
        witness=Witness(
            values(L=1, D_1=1, D_2=1, alpha=1),
            "η ≤ γ/3 · βR/(α+R) at K = 0",
            step_limit(plans.corollary1_appendix, 3),
            "L = D₁ = D₂ = α = 1: 1/8 > 1/12",
        ),
        repair=lengths.SIX_1,
    ),
    claim(
        "FED-C1-APP@rounds",
        "Appendix F.4, Corollary, under Theorem 1's condition on ηγ, f^inf and f_i^inf the infima",
        "corollary",
        COROLLARIES["FED-C1-APP@rounds"],
        "ηγ(K+1) grows like (K+1)^(1/6): for every Δ^inf the condition fails from some K on. It is not "
        "needed for T = 1.",
        witness=Witness(
            values(L=1, D_1=1, D_2=1, alpha=1, Delta_inf=1, K=10**6 - 1),
            "(ηγ(K+1) 4L)² 2L ≤ (Δ^inf)²",
            _limit_rounds,
            "Δ^inf = 1, K + 1 = 10⁶",
        ),
        repair=Repair(
            f"For T = 1 the bound does without it: with σ_DP² = E‖z_i‖² it holds {_EVERY}.",
            f"no condition on ηγ; σ_DP² := E‖z_i‖²; {_IN_QUESTION}",
            GRANTED_ROOTS,
        ),
    ),
    claim(
        "FED-C3",
        "Appendix F.3, Corollary 3",
        "corollary",
        COROLLARIES["FED-C3"],
        WHY.format(*LARGE[3]) + ' Besides, "D₂ > 0" does not give β/(α+R) < 1 (FED-C3@large-D2).',
        witness=WITNESSES[3],
        repair=_REPAIRED_3,
        consequence=_ROOT,
    ),
    claim(
        "FED-C3-S1",
        "Appendix F.3, proof of Corollary 3, choice of η",
        "step",
        COROLLARIES["FED-C3-S1"],
        "Both hold for every K, with Δ^inf by the letter; the theorem of F.2 asks for γ/3, and the first condition is not the one "
        "that its proof needs (FED-T1-S9).",
        proof=STEP3,
    ),
    claim(
        "FED-C3@units",
        "Appendix F.3, Corollaries 3 and 5, η̂",
        "definition",
        COROLLARIES["FED-C3@units"],
        "The two members have different units; with √Δ^inf they are both lengths.",
        conflict=Proof(
            (),
            (
                DifferentUnit(
                    "the squares of the two members", _S["Delta"] ** 2 / (8 * _S["L"]), _HAT**2, SYMBOLS
                ),
            ),
        ),
        repair=Repair(
            "η̂ = min(√Δ^inf/(2√(2L)), D₁D₂/(4L(α+D₁)))",
            "√Δ^inf",
            Proof((), (SameUnit("the squares with √Δ^inf", _S["Delta"] / (8 * _S["L"]), _HAT**2, SYMBOLS),)),
        ),
    ),
    claim(
        "FED-C5",
        "Appendix G.3, Corollary 5",
        "corollary",
        COROLLARIES["FED-C5"],
        WHY.format(*LARGE[5])
        + ' Besides, "D₂ > 0" does not give β/(α+R) < 1 (FED-C5@large-D2). The 8 and the 4 are twice what Theorem 2 gives with '
        "this γ; Corollary 3 has the halved constant. (Σ_{m=1}^M Δ_i^inf binds no i and is read as Σ_{i=1}^M. By the letter i is "
        "free: for an i with Δ_i^inf at most the mean the bound is smaller still, and the witness refutes it.)",
        witness=WITNESSES[5],
        repair=_REPAIRED_5,
        consequence=_ROOT,
    ),
)


def _granted(number: int, place: str, theorem: int, enough: str, repair: Repair) -> Claim:
    return claim(
        f"FED-C{number}@theorem1",
        f"{place}, Theorem {theorem}'s conditions on β and η granted",
        "corollary",
        COROLLARIES[f"FED-C{number}"]
        + " [β/(α+R) < 1, η ≤ (γ/3)(βR/(α+R)) and ηγ ≤ (1/(K+1))(Δ^inf/(4L√(2L))) granted]",
        WHY.format(*LARGE[number]),
        witness=WITNESSES[number],
        repair=repair,
        consequence=f"β/(α+R) < 1 does not save the corollary; where σ_DP² = E‖z‖² it holds with η̂ ≤ {enough}√Δ^inf/(2√(2L)) too, "
        f"with D₂ < α + D₁ for every η̂ ≤ D₁D₂/(4L(α+D₁)) (FED-C{number}-GENTLE).",
    )


GRANTED = (
    _granted(3, "Appendix F.3, Corollary 3", 1, sp.TEXT_3, _REPAIRED_3),
    _granted(5, "Appendix G.3, Corollary 5", 2, "128", _REPAIRED_5),
)
