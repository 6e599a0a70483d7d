"""Several local steps: Fed-α-NormEC forgets where its memories start, as it does with one (`forgets`).

In a round P_i moves by at most 2Lη. The bias of the local steps lets f rise, so that the rounds cannot just be added up: Lemma 5
is used for E f(xᵏ) − f^inf + 2ηφ/(β − a), in which what is left of the residuals cancels.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from bounds.fed_alpha_normec import forgets as bounds
from bounds.fed_alpha_normec.repaired import mean_noise_term
from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.lemmas import bias as bi
from verify.fed_alpha_normec.lemmas import descent as de
from verify.fed_alpha_normec.lemmas import incremental as ig
from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas import recursion as rec
from verify.fed_alpha_normec.lemmas.lemma1 import moved
from verify.fed_alpha_normec.letters import (
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    VARIANCE,
    Delta,
    Delta_local,
    F,
    K,
    L,
    M,
    Places,
    R,
    V,
    alpha,
    beta,
    claim,
    eta,
    gamma,
    p,
    s,
)
from verify.fed_alpha_normec.ours import forgets as fo
from verify.fed_alpha_normec.ours import potential as po
from verify.fed_alpha_normec.ours import rising as ri
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

f, f_next, price, level = letters("f f⁺ 2η/rate f⁰")
AT_F: Places = {de.f_next: f_next, de.f: f, de.grad: ro.W}
MOVES = gd.MOVES.conclusion.at({gd.slope: moved})
STRIDE = hypothesis(bounds.STRIDE_SEVERAL.printed, eta < beta / (2 * L))


@dataclass(frozen=True)
class Memory:
    """The potential of the residuals, what the memory's step takes off it (the last of the nodes `falls`), what is asked for this
    (`asked`), what the potential adds to the starting gap (`start`), and what the bound pays besides (`more`); both in the letters
    of the statement and those with that `meaning`."""

    potential: po.Potential
    falls: tuple[Node, ...]
    asked: tuple[Fact, ...]
    start: sympy.Expr
    meaning: tuple[Fact, ...] = ()
    more: sympy.Expr = sympy.S.Zero

    @property
    def round(self) -> po.Falling:
        """A round, in which P_i moves by at most 2Lη."""
        return po.one_round(self.potential, self.falls[-1].conclusion, MOVES)

    @property
    def domain(self) -> tuple[Fact, ...]:
        """What is known of the letters of the potential, and of η."""
        return tuple(dict.fromkeys((*self.potential.sizes, SMOOTH, ETA, self.potential.positive)))


GENTLE = Memory(
    fo.potential(2 * L * eta, STRIDE),
    (fo.FALL,),
    (fo.MILD, STRIDE),
    eta * (R**2 + 2 * alpha * R) / (beta - 2 * L * eta),
)
ABOVE = definition("f ≥ f^inf", (f >= 0) & (f_next >= 0))
LEAST_GD = standard("f_i ≥ f_i^inf: f(x⁰) ≥ (1/M) Σ f_i^inf", F + Delta >= 0)
LEAST_IG = standard(
    "f_{i,j} ≥ f_{i,j}^inf: f(x⁰) ≥ (1/M) Σ (1/N) Σ f_{i,j}^inf", F + Delta + Delta_local >= 0
)
ERROR = obligation(
    "err̄, from the letters of the statement",
    (BETA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.TIGHT_B, ri.LEVEL),
    equal(2 * ri.mean_err, mean_noise_term(beta, p, V, M, K)),
)
NEAR_GD = obligation(
    "‖∇f(xᵏ) − v̄ᵏ⁺¹‖ ≤ w̄ + ½Lγ(s/2 + L(f(xᵏ) − f^inf + Δ^inf)/s)",
    (se.SCALE, CLIENTS, po.LEFT, ro.MEAN_OF, *se.pulled(f)),
    ro.dev <= po.left + L * gamma / 2 * (s / 2 + L * (f + Delta) / s),
)
NEAR_IG = obligation(
    "‖∇f(xᵏ) − v̄ᵏ⁺¹‖ ≤ w̄ + Lγ(s/2 + L(f(xᵏ) − f^inf + Δ^inf + (1/M) Σ Δ_i^inf)/s)",
    (
        SMOOTH, GAMMA, se.SCALE, CLIENTS, po.LEFT, ro.MEAN_OF, se.BIAS_IG, ig.SCALED.conclusion.at({F: f}),
    ),
    ro.dev <= po.left + L * gamma * (s / 2 + L * (f + Delta + Delta_local) / s),
)  # fmt: skip


def proof(
    near: Obligation,
    biased: tuple[Node, ...],
    constant: sympy.Expr,
    spread: sympy.Expr,
    least: Fact,
    value: sympy.Expr,
    steps: tuple[Node, ...] = gd.ITEM24,
    memory: Memory = GENTLE,
) -> Proof:
    """From ‖∇f − v̄‖ ≤ w̄ + (constant/2)Lγ(s/2 + L(f + spread)/s) to the bound, `value`. biased: the nodes that `near` rests on.
    steps: those on how far the local steps move. memory: what the potential of the residuals falls by."""
    phi, once, domain = memory.potential, memory.round, memory.domain
    charge, (takes, text) = phi.charge, phi.names
    over_starts, first = po.at_the_start(phi)
    cost = definition(f"a letter for 2η/{takes}", equal(price * phi.rate, 2 * eta))
    lyapunov = definition(
        f"Vᵏ = E f(xᵏ) − f^inf + 2η/{takes} φ",
        equal(rec.v, f + price * po.pot) & equal(rec.v_next, f_next + price * po.pot_next),
    )
    height_0 = definition(f"f⁰ = f(x⁰) − f^inf + 2η/{takes} φ(R)", equal(level, F + price * phi.at(R)))
    started = obligation(
        "V⁰ ≤ f⁰, f(x⁰) − f^inf ≤ f⁰",
        (
            *domain, RADIUS, cost, height_0, first.conclusion, definition("V⁰", equal(rec.v_0, F + price * po.pot_start)),
        ),
        (rec.v_0 <= level) & (level >= F) & (price > 0),
    )  # fmt: skip
    start_level = obligation(
        "f⁰, from the letters of the statement", (*domain, cost, height_0), equal(level, F + memory.start)
    )
    pays = obligation(
        f"2η/{takes} φ⁺ + 2ηw̄ ≤ 2η/{takes} (φ + {text}), φ, φ⁺ ≥ 0",
        (*domain, cost, once.mean),
        (price * po.pot_next + 2 * eta * po.left <= price * (po.pot + charge))
        & (price > 0)
        & (po.pot >= 0)
        & (po.pot_next >= 0),
    )
    charged = obligation(
        f"2({text})/{takes}, from the letters of the statement",
        (*domain, cost),
        equal(price * charge / eta, 2 * charge / phi.rate),
    )
    still = L * eta / 2
    drift = constant * L * gamma * (s / 2 + L * spread / s)
    one_round = obligation(
        "E f(xᵏ⁺¹) ≤ E f(xᵏ) − ηE‖∇f(xᵏ)‖ + 2ηw̄ + 2ηE‖eᵏ⁺¹‖ + what does not depend on the round",
        (
            SMOOTH, GAMMA, ETA, se.SCALE, CLIENTS, near.conclusion, ro.DESCEND.conclusion.at(AT_F), ro.IN_MEAN,
        ),
        f_next <= f - eta * ro.W + eta * (2 * po.left + 2 * ri.error + still + drift + constant * L**2 * gamma * f / s),
    )  # fmt: skip
    growth = definition(
        "b₁γ² and b₃ − 2err̄ of Lemma 5",
        equal(rec.x * s, constant * L**2 * gamma * eta)
        & equal(ri.still * eta, price * charge + eta * (still + drift)),
    )
    signs = obligation(rec.SIGNS.name, (SMOOTH, GAMMA, ETA, se.SCALE, se.PLAIN, growth), rec.SIGNS.relation)
    recursion = obligation(
        ri.RECURSION.name,
        (
            SMOOTH, GAMMA, ETA, se.SCALE, signs.conclusion, se.PLAIN, growth, one_round.conclusion, pays.conclusion, lyapunov,
            ABOVE,
        ),
        ri.RECURSION.relation,
    )  # fmt: skip
    above = definition(
        "s = √(2L(f⁰ + spread)), with max(f(x⁰) − f^inf + spread, 0) in f⁰ + spread",
        (s >= 0) & equal(s**2, 2 * L * (price * phi.at(R) + sympy.Max(F + spread, 0))),
    )
    height = obligation(
        "s² = 2L(f⁰ + spread) > 0",
        (*domain, RADIUS, pays.conclusion, height_0, above, least),
        equal(s**2, 2 * L * (level + spread)) & (s > 0),
    )
    scale = obligation(se.SCALE.name, (height.conclusion,), se.SCALE.relation)
    end = obligation(
        "min E‖∇f(xᵏ)‖ ≤ (1 + b₁γ²(K+1))f⁰/((K+1)η) + b₃",
        (ETA, ROUNDS, se.PLAIN, signs.conclusion, started.conclusion, rec.LEMMA5_SHARP.conclusion),
        ro.low <= (1 + rec.x * (K + 1)) * level / ((K + 1) * eta) + rec.b_3,
    )
    chosen = obligation(
        f"min E‖∇f(xᵏ)‖ ≤ f⁰/((K+1)η) + 2({text})/{takes} + 2err̄ + cLγs + Lη/2",
        (SMOOTH, GAMMA, ETA, se.SCALE, ROUNDS, growth, ri.CONSTANT, height.conclusion, end.conclusion),
        ro.low
        <= level / ((K + 1) * eta)
        + price * charge / eta
        + 2 * ri.mean_err
        + still
        + constant * L * gamma * s,
    )
    root = obligation(
        "s, from the letters of the statement",
        (*domain, RADIUS, start_level.conclusion, height.conclusion),
        equal(s, sympy.sqrt(2 * L * (F + memory.start + spread))),
    )
    stated = obligation(
        "which is the stated bound",
        (
            *domain, GAMMA, ROUNDS, start_level.conclusion, charged.conclusion, ERROR.conclusion, root.conclusion, chosen.conclusion,
            *memory.meaning,
        ),
        ro.low <= value + memory.more,
    )  # fmt: skip
    nodes = (
        ro.STEP_LENGTH, *steps, gd.MOVES, *memory.falls, *once.nodes, pays, over_starts, first, started, height, scale,
        *biased, near, *ro.CORE, one_round, signs, recursion, *ri.NODES, *rec.LEMMA5_SHARP_END, end, chosen, start_level,
        charged, ERROR, root, stated,
    )  # fmt: skip
    return Proof((*se.SEVERAL_HYPOTHESES, *memory.asked), nodes)


FROM_GD = se.BIAS_GD
FROM_IG = (ig.SHORTER, *ig.LEMMA8_NODES, ig.SCALED, *bi.BIAS_NODES)
CLAIMS = (
    claim(
        "FED-R2-FORGETS",
        "ours, Theorem 1 for several local gradient steps from any memories",
        "ours",
        "If β ≤ √2 α, η < β/(2L) and γ ≤ 1/(2L), then for every R ≥ max_i ‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖: "
        "min_k E‖∇f(xᵏ)‖ ≤ f⁰/((K+1)η) + (2αa + a²)/(β − a) + √(2β²(K+2)(1−p+V)/(pM)) + "
        "Lγ√(2L(f⁰ + Δ^inf)) + Lη/2, a = 2Lη, f⁰ = f(x⁰) − f^inf + η(R² + 2αR)/(β − a), V = E‖z‖²",
        "With f, the potential of the residuals (FED-R1-FORGETS) falls up to the drift of the local steps, and Lemma 5 applies to "
        "their sum: R is paid for once.",
        proof=proof(
            NEAR_GD,
            FROM_GD,
            sympy.Integer(1),
            Delta,
            LEAST_GD,
            ro.right_side(bounds.LOCAL_GRADIENT_FORGETS),
        ),
        consequence="It says something for v_i⁰ = 0, for which the bounds with 2R say nothing (FED-INIT): with α and β fixed, "
        "η and γ of order 1/√K and neither noise nor absent clients it is O(1/√K) from any memories.",
    ),
    claim(
        "FED-R3-FORGETS",
        "ours, Theorem 2 from any memories",
        "ours",
        "As FED-R2-FORGETS with the drift "
        "2Lγ√(2L(f⁰ + Δ^inf + (1/M)ΣΔ_i^inf)), Δ_i^inf = f_i^inf − (1/N)Σ f_{i,j}^inf",
        "Incremental gradient, one pass, every f_{i,j} L-smooth.",
        proof=proof(
            NEAR_IG,
            FROM_IG,
            sympy.Integer(2),
            Delta + Delta_local,
            LEAST_IG,
            ro.right_side(bounds.INCREMENTAL_GRADIENT_FORGETS),
            bi.incremental(gd.ITEM24),
        ),
    ),
)
