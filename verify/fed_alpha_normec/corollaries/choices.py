"""What the corollaries choose against what the theorems that they rest on ask for: each condition by itself."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy

from bounds.fed_alpha_normec import schedules as plans
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.corollaries import rates
from verify.fed_alpha_normec.corollaries import spared as sp
from verify.fed_alpha_normec.corollaries.gentle import C3_GENTLE, C5_GENTLE
from verify.fed_alpha_normec.corollaries.lengths import SIX_3, THIRD
from verify.fed_alpha_normec.counterexamples import schedules as runs
from verify.fed_alpha_normec.displays import COROLLARIES
from verify.fed_alpha_normec.letters import (
    ALPHA,
    ETA,
    GAMMA,
    LOCAL_STEP,
    RADIUS,
    SMOOTH,
    SPREAD,
    Delta,
    K,
    L,
    R,
    alpha,
    beta,
    claim,
    eta,
    gamma,
    values,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.obligation import obligation
from verify.proof import Proof

# Corollaries 1, 3 and 5 with β/(α + R) ≥ 1, which "D₂ > 0" allows.
STUCK = values(c="1/10", G="49/10", L=1, D_1=2, D_2=96, alpha="1/1000000", K=63)
STUCK_8 = values(c="1/10", G="49/10", L=8 * 10**8, D_1=16 * 10**8, D_2=1536 * 10**8, alpha=800, K=255)
_ALTERNATES = (
    "M = 4, p = 1, σ = 0, f_i' = L times x ∓ c cut to [−G, G], two clients of each sign: β > α + R, v̂ changes sign in every round and "
    "x alternates between x⁰ and x⁰ + η, where all f_i' are LG"
)
ALTERNATING = {
    1: Witness(
        STUCK, "min_k ‖∇f(xᵏ)‖ ≤ A₁/2 + A₂/32", runs.alternating1, _ALTERNATES + "; K + 1 = 64 rounds"
    ),
    3: Witness(
        STUCK_8,
        "min_k ‖∇f(xᵏ)‖ ≤ A₁/2 + A₂/128",
        runs.alternating3,
        _ALTERNATES + "; T = 2, K + 1 = 256 rounds",
    ),
    5: Witness(
        STUCK_8,
        "min_k ‖∇f(xᵏ)‖ ≤ A₁/2 + A₂/128",
        runs.alternating5,
        _ALTERNATES + "; N = 2, f_{i,0} = f_{i,1}, K + 1 = 256",
    ),
}
"""By the number of the corollary."""


def _gentle(shown: Claim, more: str = "") -> Repair:
    assert shown.proof is not None
    return Repair(
        "With σ_DP² = E‖z_i‖² and D₂ < α + D₁ the bound holds for every K and every Δ^inf > 0.",
        f"D₂ < α + D₁; σ_DP² := E‖z_i‖²{more}",
        shown.proof,
        weakest=f"with a limit on η̂ β/(α+R) < 1 for the K in question is enough ({shown.id.removesuffix('-GENTLE')})",
    )


_NOT_TOO_LARGE = {
    1: Repair(
        "With σ_DP² = E‖z_i‖² the bound holds for every K with β/(α+R) < 1: for all of them where D₂ < α + D₁.",
        "β/(α+R) < 1, as where D₂ < α + D₁; σ_DP² := E‖z_i‖²",
        rates.COROLLARY1_GRANTED,
    ),
    3: _gentle(C3_GENTLE),
    5: _gentle(C5_GENTLE, f"; {sp.READ_5}"),
}


def _alone(number: int, identifier: str, place: str) -> Claim:
    return claim(
        f"{identifier}@large-D2",
        f"{place}, its choices alone, β/(α+R) ≥ 1 allowed",
        "corollary",
        COROLLARIES[identifier] + " [β/(α+R) ≥ 1 allowed]",
        "For a large D₂ the memories overshoot, v̂ changes sign in every round, and x goes to and fro between x⁰ and x⁰ + η.",
        witness=ALTERNATING[number],
        repair=_NOT_TOO_LARGE[number],
        consequence="Take D₂ < α + D₁, and dσ_DP² for σ_DP² in B where σ_DP² is the variance of a coordinate.",
    )


# The conditions on η.
_ROOT = {2: "√(M/B₂)", 4: "(M/B₂)^{1/4}"}
_OF_D, _OF_NOISE = {2: "√d", 4: "d^{1/4}"}, {2: "√(B₂/M)", 4: "(B₂/M)^{1/4}"}


def step_limit(plan_of: Callable, divisor: int) -> Callable[[Values], Comparison]:
    """The (largest) η of a schedule against η ≤ γ/divisor · βR/(α+R), at K = 0."""

    def replay(numbers: Values) -> Comparison:
        L_, D1, D2, a = (numbers[n] for n in ("L", "D_1", "D_2", "alpha"))
        plan = plan_of(0, L_, D1, D2, a, *(numbers[n] for n in ("Delta_inf",) if n in numbers))
        limit = plan.gamma / divisor * plan.beta * plan.R / (a + plan.R)
        return Comparison(plan.eta, "<=", limit, (("β/(α+R) < 1", plan.beta < a + plan.R),))

    return replay


def _chosen(v: Values, power: int = 4, root: int = 4) -> tuple[tuple[str, bool], ...]:
    """What Corollaries 2, 4 and 6 ask of their parameters; where B₂ = M all roots of M/B₂ are 1. power, root: of the roots of d and
    B₂/M in β̂ and in α = R, which is a constant times that of the witness."""
    hat, R_, a = v["beta_hat"], v["R"], v["alpha"]
    ratio = (3 * v["gap"] / v["gamma"]) ** (power // 2)
    return (
        (f"β̂ = √(3(f(x⁰)−f^inf)/γ){_ROOT[power]}", hat**power * v["B_2"] == ratio * v["M"] and hat > 0),
        (f"α = R > 0, a constant times {_OF_D[root]} √(f(x⁰)−f^inf)/√γ {_OF_NOISE[root]}", a == R_ > 0 < min(v["gap"], v["B_2"])),
        ("γ ≤ 1/(2L)", 0 < v["gamma"] <= 1 / (2 * v["L"])),
        ("γ < Δ^inf(α+R)/(√(2L)β̂R)", (v["gamma"] * hat * R_) ** 2 * 2 * v["L"] < (v["Delta_inf"] * (a + R_)) ** 2),
        ("K ≥ 0", v["K"] >= 0),
    )  # fmt: skip


def _third(v: Values) -> Comparison:
    feedback = v["beta_hat"] / (v["K"] + 1)
    step = v["beta_hat"] * v["R"] / (v["alpha"] + v["R"]) * v["gamma"] / (v["K"] + 1)
    met = (*_chosen(v), ("β/(α+R) < 1", feedback < v["alpha"] + v["R"]))
    return Comparison(step / 2, "<=", step / 3, met)


def _feedback(power: int, root: int) -> Callable[[Values], Comparison]:
    def replay(v: Values) -> Comparison:
        return Comparison(v["beta_hat"] / (v["K"] + 1), "<", v["alpha"] + v["R"], _chosen(v, power, root))

    return replay


def _rounds(v: Values) -> Comparison:
    """ηγ(K+1) against Δ^inf/(4L√(2L)), both squared, with Corollary 4's γ < Δ^inf(α+R)/(√(2L)βR)."""
    hat, R_, a, gamma_, n = v["beta_hat"], v["R"], v["alpha"], v["gamma"], v["K"] + 1
    kept = [fact for fact in _chosen(v) if not fact[0].startswith("γ < ")]
    letter = (gamma_ * hat / n * R_) ** 2 * 2 * v["L"] < (v["Delta_inf"] * (a + R_)) ** 2
    met = (*kept, ("γ < Δ^inf(α+R)/(√(2L)βR)", letter), ("β/(α+R) < 1", hat / n < a + R_))
    length = gamma_ / 2 * hat * R_ / (a + R_)
    return Comparison((length * gamma_ * 4 * v["L"]) ** 2 * 2 * v["L"], "<=", v["Delta_inf"] ** 2, met)


def _informative() -> Comparison:
    """Corollary 4 at L = 1, γ = 1/2, α = R: of F.3's display with β̂ inserted (FED-C4-S8) the drift 4√(2LΔ^inf) and the terms with β̂,
    6√3 < 52/5 times yG, against G = √(2L(f(x⁰)−f^inf))."""
    G, root, y_ = Fraction(10**10), Fraction(10**7), Fraction(1, 1000)  # root = √(2LΔ^inf)
    L_, g, half = Fraction(1), Fraction(1, 2), Fraction(1, 2)  # half = R/(α+R)
    gap, Delta_ = G**2 / (2 * L_), root**2 / (2 * L_)
    hat_square = 3 * gap / g / y_**2
    met = (
        (
            "γ < Δ^inf(α+R)/(√(2L)β̂R), β̂ = √(3(f(x⁰)−f^inf)/γ)/y",
            g**2 * 2 * L_ * hat_square * half**2 < Delta_**2,
        ),
        ("6√3 < 52/5", 36 * 3 < Fraction(52, 5) ** 2),
    )
    return Comparison(4 * root + Fraction(52, 5) * y_ * G, "<", G / 50, met)


_EVEN = {"L": 1, "gamma": "1/2", "gap": "1/6", "M": 4, "alpha": 1, "R": 1, "Delta_inf": 1, "K": 0}
_SCHEDULE = {"L": 2, "D_1": 1, "D_2": 1, "alpha": 1}
_SETTING = "under the same setting as Theorem {} […] "
_LENGTH = "η = (1/(K+1))(γ/2)(β̂R/(α+R))"
_LONG = "η = η̂/(K+1)^{7/8} with η̂ = min(Δ^inf/(2√(2L)), D₁D₂/(4L(α+D₁)))"
_THIRD = " [the choices satisfy η ≤ (γ/3)(βR/(α+R))]"
_ROOTS = {2: "⁴√(M/B₂)", 4: "√(M/B₂)", 6: "√(M/B₂)"}


def _conditions(identifier: str, place: str, theorem: int, source: str, utility: bool) -> Claim:
    witness = (
        Witness(values(**_EVEN, B_2=4, beta_hat=1), "η ≤ γ/3 · βR/(α+R)", _third, "K = 0, B₂ = M, α = R = β̂ = 1: 1/8 > 1/12")
        if utility
        else Witness(
            values(**_SCHEDULE, Delta_inf=1),
            "η ≤ γ/3 · βR/(α+R) at K = 0",
            step_limit(plans.corollary3, 3),
            "L = 2, D₁ = D₂ = α = Δ^inf = 1: 1/16 > 1/24",
        )
    )  # fmt: skip
    made = "η is γ/2 times βR/(α+R) for every K" if utility else "η̂ is made for γ/2"
    return claim(
        f"{identifier}@conditions",
        f"{place}, under {source}",
        "corollary",
        _SETTING.format(theorem) + (_LENGTH if utility else _LONG) + _THIRD,
        f"{made}. {source[0].upper()}{source[1:]} asks for γ/3"
        + (
            ", and its B is the one that the corollary's proof uses."
            if theorem == 1
            else ", and no other form of it is printed."
        ),
        witness=witness,
        repair=THIRD if utility else SIX_3,
    )


n, y, X, C, hat = letters("n y X C beta_hat")
_PARTS = hypothesis(
    "X = √((f(x⁰)−f^inf)/γ), y = (B₂/M)^{1/4}, C > 0, the constant in O(·) with the root of d",
    (X > 0) & (y > 0) & (C > 0),
)


def _exactly(power: int, root: int) -> Repair:
    """From which K on β/(α+R) < 1 holds, with these roots in β̂ and in α = R; y^(4/power) is the root of B₂/M, C has the root of d."""
    in_hat, in_radius = y ** (4 // power), y ** (4 // root)
    exponent = {(2, 4): "(B₂/M)^{3/4}", (4, 4): "√(B₂/M)", (2, 2): "(B₂/M)"}[power, root]
    least = f"√3/(2C {_OF_D[root]} {exponent})"
    choices = (
        definition("n = K + 1 ≥ 1", (n >= 1) & equal(n, K + 1)),
        hypothesis(f"β = β̂/(K+1), β̂ = √3 X{_ROOT[power]}", equal(beta * n * in_hat, sympy.sqrt(3) * X)),
        hypothesis(
            f"α = R = C {_OF_D[root]} X {_OF_NOISE[root]}",
            equal(alpha, C * X * in_radius) & equal(R, C * X * in_radius),
        ),
    )
    asked, enough = beta / (alpha + R) < 1, 2 * C * in_radius * in_hat * n > sympy.sqrt(3)
    exactly = obligation(
        f"β/(α+R) < 1 ⇔ K + 1 > {least}",
        (_PARTS, *choices),
        sympy.And(sympy.Implies(asked, enough), sympy.Implies(enough, asked)),
    )
    return Repair(
        f"With α = R = C {_OF_D[root]} √((f(x⁰)−f^inf)/γ) {_OF_NOISE[root]} it holds exactly for K + 1 > {least}.",
        f"K + 1 > {least}",
        Proof((_PARTS, *choices[1:]), (exactly,)),
        weakest="necessary and sufficient",
    )


def _fed_back(number: int, identifier: str, place: str, theorem: int, *, letter: bool = False) -> Claim:
    """letter: Corollaries 4 and 6 with the square root that they print in β̂."""
    power, half = (2 if letter else 4), {"alpha": "1/2", "R": "1/2", "B_2": "1/4"}
    read = ", by the letter, with a square root in β̂" if letter else ", read with the proof's fourth root"
    return claim(
        f"{identifier}@feedback{',square-root' if letter else ''}",
        f"{place}, under Theorem {theorem}" + ("" if number == 2 else read),
        "corollary",
        _SETTING.format(theorem)
        + f"If β = β̂/(K+1) with β̂ = √(3(f(x⁰) − f^inf)/γ){_ROOTS[number]} […] "
        + "α = R = O(⁴√d(√(f(x⁰) − f^inf)/√γ)⁴√(B₂/M)) [the choices satisfy β/(α+R) < 1]",
        "It fails for small B₂. As the noise falls β̂ grows and α + R falls: at K = 0, whatever the constant in O(·).",
        witness=Witness(
            values(**{**_EVEN, **half, "beta_hat": 4 if letter else 2, "Delta_inf": 2 if letter else 1}),
            "β/(α+R) < 1",
            _feedback(power, 4),
            "K = 0, B₂/M = 1/16, d = 1, α = R = √3 √((f(x⁰)−f^inf)/γ) (B₂/M)^{1/4}: "
            + f"{4 if letter else 2} against 1",
        ),
        repair=_exactly(power, 4),
    )


_SECTION_4 = claim(
    "FED-C2-UTIL@feedback,square-root",
    "Section 4, Corollary 2, under Theorem 1, by the letter, with square roots in β̂, α and R",
    "corollary",
    "under the same setting as Theorem 1 […] If β = β̂/(K+1) with β̂ = √(3(f(x⁰) − f^inf)/γ)√(M/B₂), […] α = R = "
    "O((4√d√(f(x⁰) − f^inf)/√γ)√(B₂/M)) [the choices satisfy β/(α+R) < 1]",
    "It fails for small B₂, up to more rounds than with F.5's fourth roots: β̂ grows like 1/√B₂ and α + R falls like √B₂.",
    witness=Witness(
        values(**{**_EVEN, "alpha": "1/4", "R": "1/4", "B_2": "1/4", "beta_hat": 4, "Delta_inf": 2}),
        "β/(α+R) < 1",
        _feedback(2, 2),
        "K = 0, B₂/M = 1/16, d = 1, α = R = √3 √((f(x⁰)−f^inf)/γ) √(B₂/M): 4 against 1/2",
    ),
    repair=_exactly(2, 2),
)


_WITH_HAT = hypothesis("γ < Δ^inf(α+R)/(√(2L)β̂R)", gamma * sympy.sqrt(2 * L) * hat * R < Delta * (alpha + R))
_LETTER = (
    ALPHA, RADIUS, SMOOTH, GAMMA, ETA, LOCAL_STEP, SPREAD, _WITH_HAT,
    hypothesis("η = (1/(K+1))(γ/2)(β̂R/(α+R))", equal(eta * (K + 1) * 2 * (alpha + R), gamma * hat * R) & (hat > 0) & (K >= 0)),
)  # fmt: skip
_LIMITED = obligation(ro.PRINTED_ROUNDS.name, _LETTER, ro.PRINTED_ROUNDS.relation)
_F3, _G3 = "Appendix F.3, Corollary", "Appendix G.3, Corollary"

CLAIMS = (
    _alone(1, "FED-C1-APP", "Appendix F.4, Corollary"),
    _alone(3, "FED-C3", f"{_F3} 3"),
    _alone(5, "FED-C5", f"{_G3} 5"),
    _conditions("FED-C2-UTIL", "Appendix F.5, Corollary 2", 1, "the theorem of F.2", utility=True),
    _conditions("FED-C3", f"{_F3} 3", 1, "the theorem of F.2", utility=False),
    _conditions("FED-C4", f"{_F3} 4", 1, "the theorem of F.2", utility=True),
    _conditions("FED-C5", f"{_G3} 5", 2, "Theorem 2", utility=False),
    _conditions("FED-C6", f"{_G3} 6", 2, "Theorem 2", utility=True),
    _fed_back(2, "FED-C2-UTIL", "Appendix F.5, Corollary 2", 1),
    _SECTION_4,
    _fed_back(4, "FED-C4", f"{_F3} 4", 1),
    _fed_back(4, "FED-C4", f"{_F3} 4", 1, letter=True),
    _fed_back(6, "FED-C6", f"{_G3} 6", 2),
    _fed_back(6, "FED-C6", f"{_G3} 6", 2, letter=True),
    claim(
        "FED-C4@rounds",
        f"{_F3} 4, its condition on γ by the letter, with β for β̂",
        "corollary",
        _SETTING.format(1) + "γ < Δ^inf(α+R)/(√(2L)βR) […] and " + _LENGTH + " [the choices satisfy ηγ ≤ (1/(K+1))(Δ^inf/(4L√(2L)))]",
        "β = β̂/(K+1) stands where β̂ is meant, as Corollaries 2 and 6 and its own proof have it: K + 1 times too weak.",
        witness=Witness(
            values(L="1/2", gamma=1, gap="1/3", M=4, B_2=4, beta_hat=1, alpha=1, R=1, K=3, Delta_inf="1/4"),
            "(ηγ(K+1) 4L)² 2L ≤ (Δ^inf)²",
            _rounds,
            "L = 1/2, γ = α = R = β̂ = 1, K + 1 = 4, Δ^inf = 1/4: ηγ(K+1) = 1/4 against 1/8",
        ),
        repair=Repair("With β̂ for β it follows.", "β̂ for β", Proof(_LETTER, (_LIMITED,))),
    ),
    claim(
        "FED-C4-VAC@printed",
        "ours, Corollary 4 with Δ^inf as printed in its condition on γ",
        "ours",
        "With γ < Δ^inf(α+R)/(√(2L)β̂R), as Corollary 6 prints it, the drift and the noise term of the bound, without its 2R, can be "
        "below √(2L(f(x⁰)−f^inf))/50 together: L = 1, γ = 1/2, α = R, √(2L(f(x⁰)−f^inf)) = 10¹⁰, √(2LΔ^inf) = 10⁷, (B₂/M)^(1/4) = "
        "1/1000",
        "In small units of f the printed condition asks nothing; with √Δ^inf it makes the bound useless at γ = 1/(2L) (FED-C4-VAC).",
        proof=Proof((), (Computation("both terms against a fiftieth of the start", "enumeration", _informative),)),
    ),
)  # fmt: skip
"""Readings and conditions of Corollaries 1 to 6."""
