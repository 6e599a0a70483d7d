"""What Theorem 1's own conditions leave of its sentences about rates (Sections 1 and 4, Appendix C).

ηγ(K+1) ≤ κ := Δ^inf/(4L√(2L)) and η ≤ γ/2 · βR/(α+R), which is below γR/2, tie every term to every other: the first
term cannot fall at a fixed γ, it grows as γ falls, and with one local step no choice comes near gradient descent's rate.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.theorem1 import THEOREM1
from bounds.fed_alpha_normec import theorem1 as printed
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK, ROOTS_R
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
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
    p,
    values,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se
from verify.fed_alpha_normec.ours import sublinear as sl
from verify.fed_alpha_normec.theorems.one_step import LETTERS
from verify.identity import Identity, Limit
from verify.obligation import obligation
from verify.proof import Proof

first, drift, kappa, n, B = letters("first drift kappa n B")
ONE = Fraction(1)

FIRST = definition("first = 3/(K+1) · (f(x⁰) − f^inf)/η", equal(first * (K + 1) * eta, 3 * F))
DRIFT = definition(
    "drift = γ · 8L√(2L)√Δ^inf", equal(drift, gamma * 8 * L * sympy.sqrt(2 * L) * sympy.sqrt(Delta))
)
_LIMITED = (GAMMA, ETA, SMOOTH, SPREAD, ROUNDS, GAP, ro.PRINTED_ROUNDS)
_STEPPED = (ALPHA, BETA, RADIUS, GAMMA, ETA, FEEDBACK, ro.HALF_STEP)

# At a fixed γ the first term does not fall.
NOT_FALLING = obligation(
    "first ≥ 12L√(2L)γ(f(x⁰) − f^inf)/Δ^inf for every K",
    (*_LIMITED, FIRST),
    first * Delta >= 12 * L * sympy.sqrt(2 * L) * gamma * F,
)
_NOISY = (BETA, CLIENTS, hypothesis("B > 0", B > 0))
GROWING = Limit("2√(β²B(K+1)/M) → ∞ with K", 2 * sympy.sqrt(beta**2 * B / M * n), n, sympy.oo, sympy.oo, "-",
                _NOISY)  # fmt: skip

# γ cannot be lowered for the drift alone.
SHORT = obligation("R > 2η/γ", _STEPPED, R * gamma > 2 * eta)
TIED = obligation(
    "first · drift ≥ 48L√(2LΔ^inf)(f(x⁰) − f^inf)/((K+1)R), whatever γ is",
    (SHORT.conclusion, FIRST, DRIFT, GAMMA, ETA, RADIUS, SMOOTH, SPREAD, ROUNDS, GAP),
    first * drift * (K + 1) * R >= 48 * L * sympy.sqrt(2 * L) * sympy.sqrt(Delta) * F,
)

# One local step, full participation, no noise: the least that the printed conditions allow.
KAPPA = definition("κ = Δ^inf/(4L√(2L)) > 0", (kappa > 0) & equal(kappa * 4 * L * sympy.sqrt(2 * L), Delta))
ROOM = obligation("ηγ(K+1) ≤ κ", (*_LIMITED, KAPPA), eta * gamma * (K + 1) <= kappa)
WIDE = obligation(
    "Rκ ≥ 2η²(K+1)", (SHORT.conclusion, ROOM.conclusion, GAMMA, ETA, RADIUS, ROUNDS, KAPPA), R * kappa >= 2 * eta**2 * (K + 1)
)  # fmt: skip
double = letters("double")[0]
DOUBLE = definition("double = 2R", equal(double, 2 * R))
MEANS = obligation(
    "4(first + 2R)³ ≥ 27 first² · 2R",
    (definition("first, 2R ≥ 0", (first >= 0) & (double >= 0)),),
    4 * (first + double) ** 3 >= 27 * first**2 * double,
)
SQUARE = obligation(
    "first² · 2R · κ(K+1) ≥ 36(f(x⁰) − f^inf)²",
    (FIRST, WIDE.conclusion, DOUBLE, ETA, ROUNDS, KAPPA, GAP),
    first**2 * double * kappa * (K + 1) >= 36 * F**2,
)
SLOW = obligation(
    "(first + 2R)³ κ(K+1) ≥ 243(f(x⁰) − f^inf)²",
    (MEANS.conclusion, SQUARE.conclusion, KAPPA, ROUNDS),
    (first + double) ** 3 * kappa * (K + 1) >= 243 * F**2,
)
LOWER = Proof(
    (*_LIMITED[:4], ALPHA, BETA, RADIUS, FEEDBACK, ro.HALF_STEP, ro.PRINTED_ROUNDS),
    (SHORT, ROOM, WIDE, MEANS, SQUARE, SLOW),
)

# The rate without the condition on ηγ, from FED-R1: for every α, and at the best α.
FULL = hypothesis("p = 1, V = 0", equal(p, 1) & equal(V, 0))
QUIET = obligation(
    "√(β²B*(K+1)/M) = 0", (FULL, no.TIGHT_B, ro.LEVEL, BETA, ROUNDS, CLIENTS), equal(ro.err, 0)
)


def rate(tuned: Fact, length: Fact, square: int) -> Proof:
    """min ‖∇f(xᵏ)‖ ≤ √(square · L(f(x⁰) − f^inf)/(K+1)) for one local step, from a choice of β, R and η."""
    return Proof(
        (*ro.ONE_STEP_HYPOTHESES, tuned, length, FULL),
        (
            obligation(ROOTS_R.name, (ALPHA, RADIUS, tuned), ROOTS_R.relation),
            obligation(ro.STEP_ONE.name, (ALPHA, RADIUS, SMOOTH, ETA, tuned), ro.STEP_ONE.relation),
            *ro.ONE_STEP_NODES,
            QUIET,
            obligation(
                f"min ‖∇f(xᵏ)‖ ≤ √({square}L(f(x⁰) − f^inf)/(K+1))",
                (ro.END_ONE.conclusion, QUIET.conclusion, tuned, length, ETA, SMOOTH, ROUNDS, GAP),
                ro.low <= sympy.sqrt(square * L * F / (K + 1)),
            ),
        ),
    )


ANY_ALPHA = rate(
    hypothesis("β = α + R, R = Lη", equal(beta, alpha + R) & equal(R, L * eta)),
    hypothesis("η² = 2(f(x⁰) − f^inf)/(5L(K+1))", equal(5 * L * (K + 1) * eta**2, 2 * F)),
    10,
)
BEST_ALPHA = rate(
    hypothesis("α = R, β = 4R, R = Lη/2", equal(alpha, R) & equal(beta, 4 * R) & equal(2 * R, L * eta)),
    hypothesis("η² = 2(f(x⁰) − f^inf)/(3L(K+1))", equal(3 * L * (K + 1) * eta**2, 2 * F)),
    6,
)

EARLIER = THEOREM1.formula(f_gap=F, gamma=eta, K=K, R=R, L=L)
"""Theorem 1 of α-NormEC, whose γ is η here."""
ALL_GUARANTEES = Proof(
    (*ro.ONE_STEP_HYPOTHESES, FEEDBACK, ro.STEP_ONE, FULL),
    (
        FROM_FEEDBACK,
        *ro.ONE_STEP_NODES,
        QUIET,
        obligation(
            "min ‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/(η(K+1)) + 2R + Lη/2",
            (ro.END_ONE.conclusion, QUIET.conclusion),
            ro.low <= EARLIER,
        ),
    ),
)


def _met(v: Values, step: Fraction, R_: Fraction, Delta_: Fraction) -> tuple[tuple[str, bool], ...]:
    """The printed conditions at L = 1/2, where √(2L) = 1; `alpha` and `beta` in units of R."""
    a, b, g, rounds = v["alpha"] * R_, v["beta"] * R_, v["gamma"], v["K"] + 1
    return (
        ("L = 1/2 > 0, γ ≤ 1/(2L)", 0 < g <= 1), ("β/(α+R) < 1", 0 < b < a + R_), ("Δ^inf > 0", Delta_ > 0),
        ("0 < η ≤ γ/2 · βR/(α+R)", 0 < step <= g / 2 * b * R_ / (a + R_)),
        ("ηγ ≤ 1/(K+1) · Δ^inf/(4L√(2L))", step * g <= Delta_ / 2 / rounds), ("η ∈ (0, 1) (Algorithm 1)", step < 1),
        ("M ≥ 2, as Δ^inf > 0 asks of infima", v["M"] >= 2),
    )  # fmt: skip


def _value(v: Values, T: int, step: Fraction, R_: Fraction, gap: Fraction, Delta_: Fraction) -> Fraction:
    """Theorem 1 of Section 4 at p = 1, σ = 0, L = 1/2; `alpha` and `beta` in units of R."""
    return printed.theorem1_main(
        f_gap=gap, K=v["K"], eta=step, R=R_, beta=v["beta"] * R_, M=v["M"], p=ONE, sigma=Fraction(0), gamma=v["gamma"], T=T,
        L=ONE / 2, Delta=Delta_,
    )  # fmt: skip


def _longest(v: Values, R_: Fraction, Delta_: Fraction) -> Fraction:
    return min(v["gamma"] / 2 * v["beta"] * R_ / (v["alpha"] + 1), Delta_ / 2 / (v["K"] + 1) / v["gamma"])


def _sublinear(v: Values) -> Comparison:
    """f(x⁰) − f^inf = Δ^inf = R = 1: the bound less 2R and the drift, against √(2L(f(x⁰) − f^inf)) = 1."""
    step = _longest(v, ONE, ONE)
    drift_ = printed.drift_term(v["gamma"], ONE / 2, ONE)
    return Comparison(_value(v, 2, step, ONE, ONE, ONE) - 2 - drift_, "<=", ONE, _met(v, step, ONE, ONE))


def _entangled(v: Values) -> Comparison:
    """The bound at a smaller γ, η at its limit, against the bound at γ = 1; the rest is the same."""
    wide = {**v, "gamma": ONE}
    step, other = _longest(v, ONE, ONE), _longest(wide, ONE, ONE)
    met = (*_met(v, step, ONE, ONE), *_met(wide, other, ONE, ONE), ("γ < 1", v["gamma"] < 1))
    return Comparison(_value(v, 2, step, ONE, ONE, ONE), "<=", _value(wide, 2, other, ONE, ONE, ONE), met)


def _descent(v: Values) -> Comparison:
    """f(x⁰) − f^inf = Δ^inf = 1, η near its best: the cube of the bound against (q√(2L(f(x⁰)−f^inf)/(K+1)))³, squared."""
    step = v["eta"]
    radius = 2 * step / v["gamma"] * (v["alpha/R"] + 1) / v["beta/R"]
    shares = {**v, "alpha": v["alpha/R"], "beta": v["beta/R"]}
    bound = _value(shares, 1, step, radius, ONE, ONE)
    return Comparison(bound**2, "<=", v["q"] ** 2 / (v["K"] + 1), _met(shares, step, radius, ONE))


def _guarantees(v: Values) -> Comparison:
    """Two clients, f_i = (x ∓ c)²/4, so that L = 1/2 and f = (x² + c²)/4: what the cube of Theorem 1's bound is at least, times
    κ(K+1), against that of q times the bound of α-NormEC's Theorem 1, whose γ is `eta`."""
    gap, Delta_, half = v["x"] ** 2 / 4, v["c"] ** 2 / 4, ONE / 2
    at = {
        "f_gap": gap,
        "gamma": v["eta"],
        "L": half,
        "L_max": half,
        **{key: v[key] for key in ("alpha", "beta", "R", "K")},
    }
    met = (
        ("α, β, γ, R > 0 of α-NormEC", min(v[key] for key in ("alpha", "beta", "eta", "R")) > 0),
        *((condition.printed, condition.decided(at)) for condition in THEOREM1.conditions),
        ("Δ^inf > 0", Delta_ > 0),
    )  # fmt: skip
    other = THEOREM1.value(**{key: at[key] for key in ("f_gap", "gamma", "K", "R", "L")})
    return Comparison(243 * gap**2, "<=", (v["q"] * other) ** 3 * (Delta_ / 2) * (v["K"] + 1), met)


_GD = (
    "the convergence rate of Fed-α-NormEC [T = 1, p = 1, σ_DP = 0] with properly tuned hyperparameters η, β, R almost matches "
    "that of standard gradient descent at the O(1/√(K+1)) in the gradient norm."
)
_THEOREM = " [the rate of Theorem 1's bound]"
# What has γ, η and Δ^inf in the bound of Section 4 at T ≥ 2.
_share = letters("t")[0]
_BOUND = printed.theorem1_main(T=sympy.Integer(2), **LETTERS)
_SCALED = hypothesis("t > 0", _share > 0)
_EVERYWHERE = (SMOOTH, GAMMA, SPREAD, ETA, ROUNDS, CLIENTS, GAP, PARTICIPATION, no.SIGMA)
PROPORTIONAL = Identity(
    "the heterogeneity term at tγ is t times that at γ",
    printed.drift_term(_share * gamma, L, Delta),
    _share * printed.drift_term(gamma, L, Delta),
    (SMOOTH, GAMMA, SPREAD, _SCALED),
)
_APART = (
    Identity("it is the only term that has Δ^inf", sympy.diff(_BOUND, Delta),
             sympy.diff(printed.drift_term(gamma, L, Delta), Delta), _EVERYWHERE),
    Identity("it is the only term that has γ by name, R being kept", sympy.diff(_BOUND, gamma),
             printed.drift_term(sympy.Integer(1), L, Delta), _EVERYWHERE),
    Identity("at a given Δ^inf and γ what moves with η is 3(f(x⁰) − f^inf)/((K+1)η) + ηL/2", sympy.diff(_BOUND, eta),
             sympy.diff(3 * F / ((K + 1) * eta) + eta * L / 2, eta), _EVERYWHERE),
)  # fmt: skip
_SHARE = Fraction(19, 10)
_UNIT = {"alpha": 1, "beta": "19/10", "M": 2}
_SLOW = Witness(
    values(
        **{"alpha/R": 1, "beta/R": "19/10"},
        gamma="1/112000000",
        eta="56/1000000000000000000",
        K=10**24 - 1,
        M=2,
        q=1000,
    ),
    "for some allowed parameters the bound is at most q√(2L(f(x⁰)−f^inf)/(K+1)), squared",
    _descent,
    "f(x⁰)−f^inf = Δ^inf = 1, L = 1/2, M = 2, K + 1 = 10²⁴, η near its best; α = R, β = 1.9R and R = 2η(α+R)/(γβ), the least that "
    "the condition on η allows",
    LOWER,
)
CLAIMS = (
    claim(
        "FED-T1-SUBLINEAR",
        "Section 4, after Theorem 1",
        "prose",
        "From Theorem 1, Fed-α-NormEC with multiple local GD steps achieves sub-linear convergence, with additive "
        "constants arising from smoothed normalization R, partial participation and private noise B = 2(p−1)²/p + "
        "2σ_DP²/p, and data heterogeneity Δ^inf.",
        "Not at fixed γ and β: the condition on ηγ keeps η below a multiple of 1/(K+1), so that the first term stays above "
        "12L√(2L)γ(f(x⁰)−f^inf)/Δ^inf for every K; and the term of B is no constant, it grows like √(K+1).",
        gap=Gap(
            "reading",
            "γ and β do not move with K",
            Witness(
                values(**_UNIT, gamma=1, K=10**12 - 1),
                "for some K the bound less its additive constants is below √(2L(f(x⁰)−f^inf)) = 1; here K + 1 = 10¹²",
                _sublinear,
                "f(x⁰)−f^inf = Δ^inf = R = 1, L = 1/2, γ = 1, M = T = 2, p = 1, σ = 0, the longest η allowed: above 6 for every K",
                Proof((*_LIMITED[:4], ro.PRINTED_ROUNDS, *_NOISY), (NOT_FALLING, GROWING)),
            ),
        ),
        repair=Repair(
            sl.STATEMENT,
            sl.CONDITION,
            sl.SUBLINEAR,
            weakest="where p < 1 or V > 0 the term of B grows like √(K+1) at a fixed β",
        ),
        consequence="β has to fall with K, except where p = 1 and σ_DP = 0. Under the printed conditions γ has to fall too, as in "
        "Corollary 3, whose rate is (K+1)^(−1/8).",
    ),
    claim(
        "FED-T1-GD",
        "Section 4, full participation and non-private setting",
        "prose",
        _GD,
        "It is the method's rate, but not Theorem 1's, which the text takes it from: by that theorem it is (K+1)^(−1/3) at best, "
        "f^inf and f_i^inf being the infima (FED-T1-GD@theorem1). (Where any lower bounds may stand for them, Δ^inf may grow with K: "
        "FED-A1@any-lower-bound.)",
        repair=Repair(
            "With β = α + R, R = Lη and η² = 2(f(x⁰)−f^inf)/(5L(K+1)) FED-R1 gives √(10L(f(x⁰)−f^inf)/(K+1)) for every α, √5 times "
            "gradient descent's √(2L(f(x⁰)−f^inf)/(K+1)).",
            "FED-R1 for Theorem 1, these β, R and η; 0/0 = 0 in line 12",
            ANY_ALPHA,
        ),
        gap=Gap("reading", "by Theorem 1, f^inf and f_i^inf the infima", _SLOW),
    ),
    claim(
        "FED-T1-GD@theorem1",
        'Section 4, "achieves the convergence according to Theorem 1 with T = 1, p = 1, and σ_DP = 0", f^inf and f_i^inf the infima',
        "prose",
        _GD + _THEOREM,
        "Theorem 1's condition on ηγ forbids it: for all parameters that it allows the bound's cube is at least "
        "243(f(x⁰)−f^inf)²/(κ(K+1)), κ = Δ^inf/(4L√(2L)), so the rate is (K+1)^(−1/3) at best.",
        witness=_SLOW,
        repair=Repair(
            "With α = R, β = 4R, R = Lη/2 and η² = 2(f(x⁰)−f^inf)/(3L(K+1)) FED-R1 gives "
            "√(6L(f(x⁰)−f^inf)/(K+1)), √3 times gradient descent's √(2L(f(x⁰)−f^inf)/(K+1)).",
            "no condition on ηγ, which T = 1 does not need; β ≤ (√α+√R)² for β < α+R",
            BEST_ALPHA,
            weakest="where α does not move with K, FED-T1-GD has the factor √5; β = (√α+√R)² lowers it, by less and less as K grows",
        ),
        consequence="The rate is real, but it is not Theorem 1's.",
    ),
    claim(
        "FED-T1-ONE@guarantees",
        "Section 1, contributions, of Theorem 1, f^inf and f_i^inf the infima",
        "prose",
        "in the special case of full client participation with a single local gradient step, we recover the convergence guarantees of "
        "α-NormEC. [at all parameters that Theorem 1 of α-NormEC allows, up to a constant factor, and for some parameters that "
        "Theorem 1 allows]",
        "Theorem 1's condition on ηγ, which α-NormEC's theorem does not have, costs the rate: the bound is of order (K+1)^(−1/3) at "
        "best (FED-T1-GD@theorem1), where that of α-NormEC can be of order (K+1)^(−1/2) (NEC-C1@equality). And of clients with a "
        "common minimiser, as equal ones have it, Theorem 1 says nothing: Δ^inf = 0 (FED-T1-SAME).",
        witness=Witness(
            values(
                x=2,
                c=2,
                alpha=ONE / 10**12,
                beta=_SHARE / 10**12,
                R=ONE / 10**12,
                eta=_SHARE / 10**12,
                K=10**24 - 1,
                q=1000,
            ),
            "for some parameters Theorem 1's bound is at most q times that of α-NormEC: cubed, times κ(K+1), its left side bounded "
            "below",
            _guarantees,
            "two clients, (x ∓ 2)²/4, from x⁰ = 2: f(x⁰)−f^inf = Δ^inf = 1, L = 1/2, K + 1 = 10²⁴; α-NormEC with α = R = 10⁻¹², β = "
            "1.9R and its longest step",
            LOWER,
        ),
        repair=Repair(
            "FED-R1 at p = 1, V = 0 is the bound of α-NormEC, term by term, at all parameters that its Theorem 1 allows.",
            "FED-R1 for Theorem 1",
            ALL_GUARANTEES,
            weakest="nothing is added but what line 12 does at v̂ = 0",
        ),
    ),
    claim(
        "FED-T1-DISENTANGLE",
        "Section 1, contributions; Appendix C, local GD steps",
        "prose",
        "by introducing a server-side step size, we are able to disentangle the effects of data heterogeneity and "
        "server aggregation, […] (Section 1) this error term is proportional to the local step size γ, due to the presence of a "
        "separate server update and distinct server- and client-side step sizes. (C) [of the printed bound, term by term]",
        "In the printed bound the heterogeneity term is γ times what has neither γ nor η in it, and the server's own term ηL/2 has "
        "neither γ nor Δ^inf. (Whether γ may be lowered for it alone: FED-T1-DISENTANGLE@longest-step, "
        "FED-T1-DISENTANGLE@fixed-step; whether the bound holds: FED-T1-MAIN.)",
        proof=Proof((SMOOTH, GAMMA, SPREAD, ETA, PARTICIPATION, _SCALED), (PROPORTIONAL, *_APART)),
    ),
    claim(
        "FED-T1-DISENTANGLE@longest-step",
        "Section 1, contributions; Appendix C, local GD steps",
        "prose",
        "this error term is proportional to the local step size γ, due to the presence of a separate server update and distinct "
        "server- and client-side step sizes. [read so that γ may be lowered for the heterogeneity term alone, η at its limit]",
        "η ≤ γ/2 · βR/(α+R) ties the server's step to γ: the product of the first term and the heterogeneity "
        "term is at least 48L√(2LΔ^inf)(f(x⁰)−f^inf)/((K+1)R) whatever γ is, so a smaller γ makes the first "
        "larger. (At a fixed η and R it does not: FED-T1-DISENTANGLE@fixed-step.)",
        witness=Witness(
            values(**_UNIT, gamma="1/1000", K=99),
            "the bound at γ = 1/1000 is at most the bound at γ = 1",
            _entangled,
            "f(x⁰)−f^inf = Δ^inf = R = 1, L = 1/2, K + 1 = 100, M = T = 2, η at its limit for each γ",
            Proof((*_STEPPED, SMOOTH, SPREAD), (SHORT, TIED)),
        ),
        repair=Repair(
            "FED-R2-SHARP asks η ≤ βR/(2L(α+R)): no γ, and then γ lowers the drift alone, R being kept (v_i⁰ chosen anew with γ).",
            "η ≤ βR/(2L(α+R)) for η ≤ γ/2 · βR/(α+R)",
            se.SHARP_GD,
            weakest="P_i moves by at most 2L‖x − y‖ (FED-L7-MOVE), in fact by 1.3L‖x − y‖ (FED-T1-ETA), not by 3‖x − y‖/γ",
        ),
    ),
)
