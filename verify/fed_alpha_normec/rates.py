"""Corollaries 1, 3 and 5: their choices against the theorems' conditions, and their bounds."""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec import schedules as plans
from bounds.fed_alpha_normec.symbols import SYMBOLS
from verify.claim import Repair, Values, Witness
from verify.facts import definition, hypothesis
from verify.fed_alpha_normec import noise as no
from verify.fed_alpha_normec import rounds as ro
from verify.fed_alpha_normec import schedules as runs
from verify.fed_alpha_normec.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
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
    Delta_local,
    F,
    K,
    L,
    M,
    R,
    alpha,
    beta,
    claim,
    eta,
    gamma,
    letters,
    values,
)
from verify.obligation import obligation
from verify.proof import Comparison, Proof
from verify.units import DifferentUnit, SameUnit

z, D_1, D_2, hat, E = letters("z D_1 D_2 hat E")
"""z is (K+1)^(1/6) or (K+1)^(1/8); hat is η̂; E is √(B*/M)."""

CONSTANTS = hypothesis("D₁, D₂ > 0", (D_1 > 0) & (D_2 > 0))
BELOW = hypothesis("D₂ < α + D₁", D_2 < alpha + D_1)
LEVEL_E = definition("E = √(B*/M)", (E >= 0) & sympy.Eq(E**2 * M, no.B))
START_LATER = definition("z ≥ 1", z >= 1)


def schedule(root: int, beta_power: int, eta_power: int) -> tuple:
    """R = D₁/z, β = D₂/z^b, η = η̂/z^e with z^root = K + 1."""
    return (
        definition(f"z = (K+1)^(1/{root})", sympy.Eq(K + 1, z**root)),
        hypothesis("R = D₁/z", sympy.Eq(R * z, D_1)),
        hypothesis(f"β = D₂/z^{beta_power}", sympy.Eq(beta * z**beta_power, D_2)),
        hypothesis(f"η = η̂/z^{eta_power}", sympy.Eq(eta * z**eta_power, hat)),
    )


HAT = hypothesis("η̂ = D₁D₂/(4L(α + D₁))", sympy.Eq(hat * 4 * L * (alpha + D_1), D_1 * D_2) & (hat > 0))
HAT_3 = hypothesis(
    "η̂ = min(√Δ^inf/(2√(2L)), D₁D₂/(4L(α + D₁)))",
    (hat > 0)
    & (hat * 4 * L * (alpha + D_1) <= D_1 * D_2)
    & (hat * 2 * sympy.sqrt(2 * L) <= sympy.sqrt(Delta)),
)
STEP_LOCAL = hypothesis("γ = 1/(2Lz)", sympy.Eq(2 * L * gamma * z, 1))


def _conditions(plan: tuple, hat_fact, step, several: bool) -> tuple:
    """The conditions of the repaired theorem, from the corollary's choices."""
    rounds, radius, feedback, length = plan
    base = (ALPHA, SMOOTH, CONSTANTS, START_LATER)
    positive = (
        obligation(RADIUS.name, (CONSTANTS, START_LATER, radius), RADIUS.relation),
        obligation(BETA.name, (CONSTANTS, START_LATER, feedback), BETA.relation),
        obligation(ETA.name, (CONSTANTS, START_LATER, length, hat_fact, SMOOTH, ALPHA), ETA.relation),
    )
    product = sympy.Symbol("product", real=True)
    times = definition("product = βR z^…", sympy.Eq(product, beta * R))
    power = {6: 5, 8: 6}[int(sympy.degree(rounds.relation.rhs, z))]
    pieces = (
        obligation(FEEDBACK.name, (*base, BELOW, radius, feedback, BETA, RADIUS), FEEDBACK.relation),
        obligation(
            "βR = D₁D₂/z^…", (radius, feedback, START_LATER, times), sympy.Eq(product * z**power, D_1 * D_2)
        ),
    )
    return positive, pieces


_PLAN1 = schedule(6, 4, 5)
_POSITIVE1, _PIECES1 = _conditions(_PLAN1, HAT, ro.STEP_ONE, False)
_STEP1 = obligation(
    ro.STEP_ONE.name,
    (
        ALPHA,
        SMOOTH,
        CONSTANTS,
        START_LATER,
        HAT,
        BETA,
        RADIUS,
        ETA,
        _PLAN1[1],
        _PLAN1[3],
        _PIECES1[1].conclusion,
        definition("product = βR", sympy.Eq(sympy.Symbol("product", real=True), beta * R)),
    ),
    ro.STEP_ONE.relation,
)
_LONG = obligation("(K+1)η = η̂ z", (START_LATER, _PLAN1[0], _PLAN1[3]), sympy.Eq((K + 1) * eta, hat * z))
_NOISE1 = obligation(
    "err = E D₂/z",
    (START_LATER, CLIENTS, CONSTANTS, LEVEL_E, ro.LEVEL, _PLAN1[0], _PLAN1[2]),
    ro.err * z <= E * D_2,
)
_END1 = obligation(
    "Corollary 1, F.4",
    (
        ALPHA,
        SMOOTH,
        CONSTANTS,
        START_LATER,
        HAT,
        GAP,
        ETA,
        ROUNDS,
        ro.END_ONE.conclusion,
        _LONG.conclusion,
        _NOISE1.conclusion,
        _PLAN1[1],
        _PLAN1[3],
    ),
    ro.low <= (3 * F / hat + 2 * D_1 + 2 * E * D_2) / z + hat * L / 2 / z**5,
)
_HYPOTHESES1 = (ALPHA, SMOOTH, CONSTANTS, BELOW, HAT, *_PLAN1[1:], PARTICIPATION, ro.START, ro.STARTS)
COROLLARY1 = Proof(
    _HYPOTHESES1,
    (*_POSITIVE1, *_PIECES1, FROM_FEEDBACK, _STEP1, *ro.ONE_STEP_NODES, _LONG, _NOISE1, _END1),
)

_PLAN3 = schedule(8, 5, 7)
_POSITIVE3, _PIECES3 = _conditions(_PLAN3, HAT_3, ro.STEP_SEVERAL, True)
_GAMMA3 = obligation(GAMMA.name, (SMOOTH, START_LATER, STEP_LOCAL), GAMMA.relation)
_LOCAL3 = obligation(LOCAL_STEP.name, (SMOOTH, START_LATER, STEP_LOCAL), LOCAL_STEP.relation)
_PRODUCT = definition("product = βR", sympy.Eq(sympy.Symbol("product", real=True), beta * R))
_STEP3 = obligation(
    ro.STEP_SEVERAL.name,
    (
        ALPHA,
        SMOOTH,
        CONSTANTS,
        START_LATER,
        HAT_3,
        BETA,
        RADIUS,
        ETA,
        _PLAN3[1],
        _PLAN3[3],
        _PIECES3[1].conclusion,
        _PRODUCT,
    ),
    ro.STEP_SEVERAL.relation,
)
_LONG3 = obligation("(K+1)η = η̂ z", (START_LATER, _PLAN3[0], _PLAN3[3]), sympy.Eq((K + 1) * eta, hat * z))
_UNITS3 = obligation(
    ro.ROUNDS_IN_UNITS.name,
    (SMOOTH, SPREAD, START_LATER, ROUNDS, HAT_3, STEP_LOCAL, _LONG3.conclusion),
    ro.ROUNDS_IN_UNITS.relation,
)
_NOISE3 = obligation(
    "err = E D₂/z",
    (START_LATER, CLIENTS, CONSTANTS, LEVEL_E, ro.LEVEL, _PLAN3[0], _PLAN3[2]),
    ro.err * z <= E * D_2,
)
_ROOT = letters("root")[0]
_ROOTS3 = definition("root = √(2LΔ^inf)", sympy.Eq(_ROOT**2, 2 * L * Delta) & (_ROOT > 0))


def _rate(end, growth, root, extra, drift, name):
    return obligation(
        name,
        (
            SMOOTH,
            CONSTANTS,
            START_LATER,
            HAT_3,
            GAP,
            ETA,
            ROUNDS,
            end.conclusion,
            growth,
            root,
            _LONG3.conclusion,
            _NOISE3.conclusion,
            _PLAN3[1],
            _PLAN3[3],
            STEP_LOCAL,
            SPREAD,
            *extra,
        ),
        ro.low <= (3 * F / hat + 2 * D_1 + 2 * E * D_2 + drift) / z + hat * L / 2 / z**7,
    )


def _several(nodes: tuple, limit, root, positive: tuple, end) -> Proof:
    return Proof(
        (
            ALPHA,
            SMOOTH,
            CONSTANTS,
            BELOW,
            HAT_3,
            STEP_LOCAL,
            *_PLAN3[1:],
            SPREAD,
            *positive[1:],
            PARTICIPATION,
            ro.START,
            ro.STARTS,
        ),
        (
            *_POSITIVE3,
            *_PIECES3,
            FROM_FEEDBACK,
            _GAMMA3,
            _LOCAL3,
            _STEP3,
            _LONG3,
            _UNITS3,
            *ro.limited(limit, root, positive),
            *nodes[:-1],
            _NOISE3,
            end,
        ),
    )


COROLLARY3 = _several(
    ro.GD_NODES,
    ro.LIMIT_GD,
    ro.ROOT,
    (SPREAD,),
    _rate(ro._END_GD, ro._GROWTH_GD, ro.ROOT, (), 4 * sympy.sqrt(2 * L) * sympy.sqrt(Delta), "Corollary 3"),
)
LOCAL = hypothesis("(1/M) Σ Δ_i^inf ≥ 0", Delta_local >= 0)
COROLLARY5 = _several(
    ro.IG_NODES,
    ro.LIMIT_IG,
    ro.ROOT_IG,
    (SPREAD, LOCAL),
    _rate(
        ro._END_IG,
        ro._GROWTH_IG,
        ro.ROOT_IG,
        (LOCAL,),
        4 * sympy.sqrt(2 * L) * sympy.sqrt(Delta) + 4 * sympy.sqrt(2 * L) * sympy.sqrt(Delta_local),
        "Corollary 5",
    ),
)

# Units of the printed choices.
_S = {name: symbol.sympy() for name, symbol in SYMBOLS.items()}
_ETA0 = plans.eta_limit_main(_S["L"], _S["D_1"], _S["D_2"], _S["alpha"])
_HAT = plans.eta_hat(_S["L"], _S["D_1"], _S["D_2"], _S["alpha"])


def _limit_main(numbers: Values) -> Comparison:
    """The largest η of Corollary 1 in the text against Theorem 1's η ≤ γ/2 · βR/(α+R), at K = 0."""
    L_, D1, D2, a = (numbers[n] for n in ("L", "D_1", "D_2", "alpha"))
    plan = plans.corollary1_main(0, L_, D1, D2, a)
    return Comparison(
        plan.eta,
        "<=",
        plan.gamma / 2 * plan.beta * plan.R / (a + plan.R),
        (("β/(α+R) < 1", plan.beta < a + plan.R),),
    )


def _limit_appendix(numbers: Values) -> Comparison:
    """Corollary 1 in F.4 against η ≤ γ/3 · βR/(α+R) of the theorem in F.2, at K = 0."""
    L_, D1, D2, a = (numbers[n] for n in ("L", "D_1", "D_2", "alpha"))
    plan = plans.corollary1_appendix(0, L_, D1, D2, a)
    return Comparison(
        plan.eta,
        "<=",
        plan.gamma / 3 * plan.beta * plan.R / (a + plan.R),
        (("β/(α+R) < 1", plan.beta < a + plan.R),),
    )


def _limit_rounds(numbers: Values) -> Comparison:
    """Corollary 1 in F.4 against (ηγ(K+1) 4L)² 2L ≤ (Δ^inf)²: the left side grows like (K+1)^(1/3)."""
    L_, D1, D2, a, Delta_ = (numbers[n] for n in ("L", "D_1", "D_2", "alpha", "Delta"))
    K_ = int(numbers["K"])
    plan = plans.corollary1_appendix(K_, L_, D1, D2, a)
    left = (plan.eta * plan.gamma * (K_ + 1) * 4 * L_) ** 2 * 2 * L_
    return Comparison(left, "<=", Delta_**2, (("β/(α+R) < 1", plan.beta < a + plan.R), ("K ≥ 0", K_ >= 0)))


_STUCK = values(c="1/10", G="49/10", D_1=2, D_2=96, alpha="1/1000000", K=63, unit=1)
_STUCK_8 = values(c="1/10", G="49/10", D_1=2, D_2=192, alpha="1/1000000", K=255, unit=8 * 10**8)
_ALTERNATES = (
    "M = 2, p = 1, σ = 0: β > α + R, v̂ changes sign in every round and x alternates between x⁰ and x⁰ + η"
)
_NEEDS_D2 = (
    '"D₂ > 0" does not give β/(α+R) < 1: for a large D₂ the memories overshoot, v̂ points the wrong way in '
    "every second round, and x stays at x⁰."
)
_SMALLER = "Take D₂ < α + D₁."

_CHOICE1 = "γ = 1/(2L), R = D₁/(K+1)^(1/6), β = D₂/(K+1)^(2/3), "
_CHOICE3 = (
    "γ = 1/(2L(K+1)^(1/8)), R = D₁/(K+1)^(1/8), β = D₂/(K+1)^(5/8), η = η̂/(K+1)^(7/8), "
    "η̂ = min(Δ^inf/(2√(2L)), D₁D₂/(4L(α+D₁))): "
)
CLAIMS = (
    claim(
        "FED-C1-MAIN",
        "Section 4, Corollary 1",
        "corollary",
        _CHOICE1 + "η ≤ LD₁D₂/(2(α+D₁)(K+1)^(5/6)): min E‖∇f‖ ≤ A₁/(K+1)^(1/6) + A₂/(K+1)^(5/6), "
        "A₁ = (f(x⁰)−f^inf)/η₀ + 2D₁ + 2D₂√(2p(1−1/p)²/M + 2σ²/p)",
        '"η ≤" must be "η =": A₁ has η₀ in a denominator, so a shorter η makes the true first term larger and the printed one not. '
        "Besides, η₀ has not the unit of a length, and 2(1−p) is missing under the root.",
        witness=Witness(
            values(c="1/10", eta="1/100000000", D_1=1, D_2=1, alpha=1, K=46655),
            "min_k ‖∇f(xᵏ)‖ ≤ A₁/(K+1)^(1/6) + A₂/(K+1)^(5/6)",
            runs.slow,
            "M = 2, f_i parabolas with straight arms, p = 1, σ = 0, η = 10⁻⁸: 46,656 rounds move x by less "
            "than 10⁻³",
        ),
        repair=Repair(
            "With η = η̂/(K+1)^(5/6), η̂ = D₁D₂/(4L(α+D₁)) and D₂ < α + D₁ the bound of F.4 holds with B*: "
            "A₁ = 3(f(x⁰)−f^inf)/η̂ + 2D₁ + 2D₂√(B*/M).",
            "η = …; D₂ < α + D₁; B*",
            COROLLARY1,
        ),
        consequence=_SMALLER,
    ),
    claim(
        "FED-C1-MAIN@units",
        "Section 4, Corollary 1, η₀",
        "definition",
        "η₀ = LD₁D₂/(2(α+D₁))",
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
        "The choices of Corollary 1 satisfy η ≤ γ/2 · βR/(α+R)",
        "Only for L² ≤ (α+D₁)/(2(α+R)): for L = 1 already K = 0 fails.",
        witness=Witness(
            values(L=1, D_1=1, D_2=1, alpha=1),
            "η ≤ γ/2 · βR/(α+R) at K = 0",
            _limit_main,
            "L = D₁ = D₂ = α = 1, K = 0: 1/4 > 1/8",
        ),
    ),
    claim(
        "FED-C1-APP",
        "Appendix F.4, Corollary",
        "corollary",
        _CHOICE1 + "η = η̂/(K+1)^(5/6), η̂ = D₁D₂/(4L(α+D₁)): min E‖∇f‖ ≤ A₁/(K+1)^(1/6) + A₂/(K+1)^(5/6), "
        "A₁ = 3(f(x⁰)−f^inf)/η̂ + 2D₁ + 2√B D₂/√M, A₂ = η̂L/2",
        _NEEDS_D2,
        witness=Witness(
            _STUCK, "‖∇f(xᵏ)‖ ≤ A₁/2 + A₂/32", runs.alternating1, _ALTERNATES + "; K + 1 = 64 rounds"
        ),
        repair=Repair(
            "For D₂ < α + D₁ the bound holds for every K with B* for B (and with f(x⁰)−f^inf for three times "
            "it).",
            "D₂ < α + D₁",
            COROLLARY1,
            weakest="D₂ < α + D₁ is what β/(α+R) < 1 says at K = 0, hence for all K; for a given K, β ≤ "
            "(√α+√R)² is enough",
        ),
        consequence=_SMALLER,
    ),
    claim(
        "FED-C1-APP@conditions",
        "Appendix F.4, Corollary, under the theorem of F.2",
        "corollary",
        "The choices of Corollary 1 satisfy η ≤ γ/3 · βR/(α+R), the condition of F.2",
        "They are made for γ/2; F.2 asks for γ/3.",
        witness=Witness(
            values(L=1, D_1=1, D_2=1, alpha=1),
            "η ≤ γ/3 · βR/(α+R) at K = 0",
            _limit_appendix,
            "L = D₁ = D₂ = α = 1: 1/8 > 1/12",
        ),
    ),
    claim(
        "FED-C1-APP@rounds",
        "Appendix F.4, Corollary, under Theorem 1's condition on ηγ",
        "corollary",
        "The choices of Corollary 1 satisfy ηγ ≤ 1/(K+1) · Δ^inf/(4L√(2L)) for all K",
        "ηγ(K+1) grows like (K+1)^(1/6): for every Δ^inf the condition fails from some K on. It is not "
        "needed for T = 1.",
        witness=Witness(
            values(L=1, D_1=1, D_2=1, alpha=1, Delta=1, K=10**6 - 1),
            "(ηγ(K+1) 4L)² 2L ≤ (Δ^inf)²",
            _limit_rounds,
            "Δ^inf = 1, K + 1 = 10⁶",
        ),
    ),
    claim(
        "FED-C3",
        "Appendix F.3, Corollary 3",
        "corollary",
        _CHOICE3
        + "min E‖∇f‖ ≤ A₁/(K+1)^(1/8) + A₂/(K+1)^(7/8), A₁ = 3(f(x⁰)−f^inf)/η̂ + 2D₁ + 2√B D₂/√M + 4√(2L)√Δ^inf",
        _NEEDS_D2 + " The first member of the minimum lacks a root over Δ^inf as well.",
        witness=Witness(
            _STUCK_8,
            "‖∇f(xᵏ)‖ ≤ A₁/2 + A₂/128",
            runs.alternating3,
            _ALTERNATES + "; T = 2, K + 1 = 256 rounds",
        ),
        repair=Repair(
            "With D₂ < α + D₁, √Δ^inf in η̂ and B* for B the bound holds for every K.",
            "D₂ < α + D₁; η̂ = min(√Δ^inf/(2√(2L)), …)",
            COROLLARY3,
        ),
        consequence=_SMALLER,
    ),
    claim(
        "FED-C3@units",
        "Appendix F.3, Corollaries 3 and 5, η̂",
        "definition",
        "η̂ = min(Δ^inf/(2√(2L)), D₁D₂/(4L(α+D₁)))",
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
        _CHOICE3 + "… A₁ = 3(f(x⁰)−f^inf)/η̂ + 2D₁ + 2√B D₂/√M + 8√(2L)√Δ^inf + 4√(2L)√((1/M)ΣΔ_i^inf)",
        _NEEDS_D2
        + " (The 8 and the 4 are twice what Theorem 2 gives with this γ; Corollary 3 has the halved constant.)",
        witness=Witness(
            _STUCK_8,
            "‖∇f(xᵏ)‖ ≤ A₁/2 + A₂/128",
            runs.alternating5,
            _ALTERNATES + "; N = 2, f_{i,0} = f_{i,1}, K + 1 = 256",
        ),
        repair=Repair(
            "With D₂ < α + D₁, √Δ^inf in η̂ and B* for B the bound holds for every K, with 4 and 4 in place "
            "of 8 and 4.",
            "D₂ < α + D₁; η̂ = min(√Δ^inf/(2√(2L)), …)",
            COROLLARY5,
        ),
        consequence=_SMALLER,
    ),
)
