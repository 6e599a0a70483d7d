"""The proof of the repaired theorems for several local steps, node by node: the bias of the local steps, then Lemma 5."""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec import repaired
from verify.facts import Fact, definition, equal, hypothesis, standard
from verify.fed_alpha_normec.lemmas import bias as bi
from verify.fed_alpha_normec.lemmas import incremental as ig
from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.lemmas import local_gradient_level as gl
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas import recursion as rec
from verify.fed_alpha_normec.lemmas.lemma1 import ROOTS_R, kept
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
    GAP,
    LOCAL_STEP,
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
    R,
    T,
    eta,
    gamma,
    s,
)
from verify.fed_alpha_normec.ours import rising as ri
from verify.fed_alpha_normec.ours import rounds as ro
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

# How far P_i is from ∇f_i.
PULL_GD = obligation(
    "‖P_i − ∇f_i‖ ≤ ½Lγ(s/2 + L(f_i − f_i^inf)/s)",
    (SMOOTH, GAMMA, gd.SCALE, definition("T ≥ 1", T >= 1), gl.LEVEL, gl.BIAS.conclusion.at({gl.pull: ro.pull})),
    ro.pull <= L * gamma / 2 * (gd.scale / 2 + L * gd.gap / gd.scale),
)  # fmt: skip
PULLS = Fact(
    "Σ ‖P_i − ∇f_i‖ ≤ ½Lγ(n s/2 + (L/s) Σ (f_i − f_i^inf))",
    ro.pulls <= L * gamma / 2 * (gd.n * gd.scale / 2 + L * gd.gaps / gd.scale),
    "derived",
)
OVER_PULLS = Induction(
    PULLS.name,
    PULLS,
    obligation(
        "no bias", (gd.SCALE,), sympy.Integer(0) <= L * gamma / 2 * (0 * gd.scale / 2 + L * 0 / gd.scale)
    ),
    obligation(
        "one bias more",
        (gd.SCALE, PULLS, PULL_GD.conclusion),
        ro.pulls + ro.pull <= L * gamma / 2 * ((gd.n + 1) * gd.scale / 2 + L * (gd.gaps + gd.gap) / gd.scale),
    ),
    start=((gd.n, 0), (ro.pulls, 0), (gd.gaps, 0)),
    next=((gd.n, gd.n + 1), (ro.pulls, ro.pulls + ro.pull), (gd.gaps, gd.gaps + gd.gap)),
)
GAPS = definition("(1/M) Σ (f_i − f_i^inf) = f − f^inf + Δ^inf", equal((F + Delta) * M, gd.gaps) & (F >= 0))
MEAN_PULL = obligation(
    "(1/M) Σ ‖P_i − ∇f_i‖ ≤ ½Lγ(s/2 + L(f − f^inf + Δ^inf)/s)",
    (gd.SCALE, CLIENTS, PULLS.at({gd.n: M}), GAPS),
    ro.pulls <= M * L * gamma / 2 * (gd.scale / 2 + L * (F + Delta) / gd.scale),
)


def pulled(f: sympy.Expr) -> tuple[Fact, ...]:
    """`MEAN_PULL` where f is for f(x) − f^inf, with s for its scale."""
    return GAPS.at({F: f}), MEAN_PULL.conclusion.at({gd.scale: s, F: f})


BIAS_GD = (*gl.NODES, PULL_GD, OVER_PULLS, MEAN_PULL)
BIAS_IG = bi.BIASED.at({bi.biases: ro.pulls, bi.distances: M * ig.mean})
SCALE = hypothesis("s > 0", s > 0)
NEAR_GD = obligation(
    "‖∇f(xᵏ) − v̄ᵏ⁺¹‖ ≤ R + ½Lγ(s/2 + L(f(xᵏ) − f^inf + Δ^inf)/s)",
    (
        CLIENTS,
        ro.RESIDUALS.at({ro.n: M}),
        ro.MEAN_OF,
        SCALE,
        *pulled(ro.f_k),
    ),
    ro.dev <= R + L * gamma / 2 * (s / 2 + L * (ro.f_k + Delta) / s),
)
NEAR_IG = obligation(
    "‖∇f(xᵏ) − v̄ᵏ⁺¹‖ ≤ R + Lγ(s/2 + L(f(xᵏ) − f^inf + Δ^inf + (1/M) Σ Δ_i^inf)/s)",
    (
        SMOOTH,
        GAMMA,
        SCALE,
        CLIENTS,
        ro.RESIDUALS.at({ro.n: M}),
        ro.MEAN_OF,
        BIAS_IG,
        ig.SCALED.conclusion.at({F: ro.f_k}),
    ),
    ro.dev <= R + L * gamma * (s / 2 + L * (ro.f_k + Delta + Delta_local) / s),
)

# From one round to all: Lemma 5.
PLAIN = definition("b₂ = 1, γ of Lemma 5 is η", equal(rec.b_2, 1) & equal(rec.step, eta))
SPREAD_LOCAL = ig.SPREAD_LOCAL


def recursion(
    near: Obligation, constant: sympy.Expr, spread: sympy.Expr
) -> tuple[Fact, tuple[Obligation, ...]]:
    """b₁γ² and b₃, and the recursion of Lemma 5, from dev ≤ R + (constant/2)Lγ(s/2 + L(f + spread)/s)."""
    growth = definition(
        "b₁γ² and b₃ − 2err̄ of Lemma 5",
        equal(rec.x * s, constant * L**2 * gamma * eta)
        & equal(ri.still, 2 * R + constant * L * gamma * (s / 2 + L * spread / s) + L * eta / 2),
    )
    signs = obligation(rec.SIGNS.name, (SMOOTH, GAMMA, ETA, SCALE, PLAIN, growth), rec.SIGNS.relation)
    one_round = obligation(
        ri.RECURSION.name,
        (
            SMOOTH,
            GAMMA,
            ETA,
            SCALE,
            CLIENTS,
            PLAIN,
            growth,
            near.conclusion,
            ro.DESCEND.conclusion.at(ro.ROUND),
            ro.IN_MEAN,
            definition("f ≥ f^inf", (ro.f_k >= 0) & (ro.f_after >= 0)),
        ),
        ri.RECURSION.relation,
    )
    return growth, (signs, one_round)


def limited_growth(growth: Fact, limit: Fact) -> tuple[Obligation, Obligation]:
    """The end as the paper has it: exp(b₁γ²(K+1)) ≤ 3 under a condition on ηγ."""
    exponent = obligation(
        "b₁γ²(K+1) ≤ 1", (SMOOTH, GAMMA, ETA, SCALE, ROUNDS, growth, limit), rec.x * (K + 1) <= 1
    )
    three = standard("t ≤ 1 ⇒ exp t ≤ e < 3", sympy.Implies(rec.x * (K + 1) <= 1, rec.power <= 3))
    end = obligation(
        "min E‖∇f(xᵏ)‖ ≤ 3(f(x⁰) − f^inf)/((K+1)η) + b₃",
        (ETA, ROUNDS, PLAIN, GAP, rec.LEMMA5.conclusion.at({rec.v_0: F}), exponent.conclusion, three),
        ro.low <= 3 * F / ((K + 1) * eta) + rec.b_3,
    )
    return exponent, end


END_SHARP = obligation(
    "min E‖∇f(xᵏ)‖ ≤ (1 + b₁γ²(K+1))(f(x⁰) − f^inf)/((K+1)η) + b₃",
    (ETA, ROUNDS, PLAIN, rec.LEMMA5_SHARP.conclusion.at({rec.v_0: F})),
    ro.low <= (1 + rec.x * (K + 1)) * F / ((K + 1) * eta) + rec.b_3,
)
LIMIT_GD = hypothesis("ηγ ≤ 1/(K+1) · s/L²", eta * gamma * (K + 1) <= s / L**2)
LIMIT_IG = hypothesis("ηγ ≤ 1/(K+1) · s/(2L²)", eta * gamma * (K + 1) <= s / (2 * L**2))
GROWTH_GD, _RECURSION_GD = recursion(NEAR_GD, sympy.Integer(1), Delta)
GROWTH_IG, _RECURSION_IG = recursion(NEAR_IG, sympy.Integer(2), Delta + Delta_local)
END_GD, END_IG = limited_growth(GROWTH_GD, LIMIT_GD), limited_growth(GROWTH_IG, LIMIT_IG)
_CLOSE = (
    BETA, ETA, SMOOTH, GAMMA, SCALE, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.TIGHT_B, ri.LEVEL, ri.CONSTANT,
)  # fmt: skip
FORMULA_GD = obligation(
    "repaired Theorem 1, several steps",
    (*_CLOSE, GROWTH_GD, END_GD[-1].conclusion),
    ro.low <= ro.right_side(repaired.LOCAL_GRADIENT),
)
FORMULA_IG = obligation(
    "repaired Theorem 2",
    (*_CLOSE, GROWTH_IG, END_IG[-1].conclusion),
    ro.low <= ro.right_side(repaired.INCREMENTAL_GRADIENT),
)
HEIGHT = definition("s = √(2L(f(x⁰) − (1/M) Σ f_i^inf))", (s >= 0) & equal(s**2, 2 * L * (F + Delta)))
HEIGHT_IG = definition(
    "s = √(2L(f(x⁰) − (1/M) Σ (1/N) Σ f_{i,j}^inf))",
    (s >= 0) & equal(s**2, 2 * L * (F + Delta + Delta_local)),
)
HIGHER = hypothesis("f(x⁰) > (1/M) Σ f_i^inf", F + Delta > 0)
HIGHER_IG = hypothesis("f(x⁰) > (1/M) Σ (1/N) Σ f_{i,j}^inf", F + Delta + Delta_local > 0)

_MOVE = (
    ro.STEP_LENGTH, *gd.ITEM24, gd.MOVES, ro.MOVE_SEVERAL, kept(ro.MOVE_SEVERAL.conclusion), ro.OVER_RESIDUALS,
)  # fmt: skip
GD_NODES: tuple[Node, ...] = (
    *_MOVE,
    *BIAS_GD,
    NEAR_GD,
    *ro.CORE,
    *_RECURSION_GD,
    *ri.NODES,
)
IG_NODES: tuple[Node, ...] = (
    *bi.incremental(_MOVE),
    ig.SHORTER,
    *ig.LEMMA8_NODES,
    ig.SCALED,
    *bi.BIAS_NODES,
    NEAR_IG,
    *ro.CORE,
    *_RECURSION_IG,
    *ri.NODES,
)
PAPERS_GD: tuple[Node, ...] = (*rec.LEMMA5_END, *END_GD)
PAPERS_IG: tuple[Node, ...] = (*rec.LEMMA5_END, *END_IG)
"""What follows GD_NODES and IG_NODES in the paper's way: Lemma 5, and the condition on ηγ."""


def without_limit(
    nodes: tuple[Node, ...], constant: sympy.Expr, growth: Fact, height: Fact, higher: Fact
) -> tuple[Node, ...]:
    """From one round to the bound with no condition on ηγ: s may be chosen, and what the recursion grows by joins the
    drift."""
    drift = "Lγs" if constant == 1 else f"{constant}Lγs"
    chosen = obligation(
        f"min E‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/((K+1)η) + 2R + 2err̄ + {drift} + Lη/2",
        (SMOOTH, GAMMA, ETA, SCALE, ROUNDS, growth, ri.CONSTANT, height, END_SHARP.conclusion),
        ro.low <= F / ((K + 1) * eta) + 2 * R + 2 * ri.mean_err + constant * L * gamma * s + L * eta / 2,
    )
    scale = obligation(SCALE.name, (SMOOTH, height, higher), SCALE.relation)
    return scale, *nodes, *rec.LEMMA5_SHARP_END, END_SHARP, chosen


SHARP_GD_NODES = without_limit(GD_NODES, sympy.Integer(1), GROWTH_GD, HEIGHT, HIGHER)
SHARP_IG_NODES = without_limit(IG_NODES, sympy.Integer(2), GROWTH_IG, HEIGHT_IG, HIGHER_IG)
FORMULA_SHARP_GD = obligation(
    "Theorem 1 without a condition on ηγ",
    (*_CLOSE, HEIGHT, SHARP_GD_NODES[-1].conclusion),
    ro.low <= ro.right_side(repaired.LOCAL_GRADIENT_SHARP),
)
FORMULA_SHARP_IG = obligation(
    "Theorem 2 without a condition on ηγ",
    (*_CLOSE, HEIGHT_IG, SHARP_IG_NODES[-1].conclusion),
    ro.low <= ro.right_side(repaired.INCREMENTAL_GRADIENT_SHARP),
)
SEVERAL_HYPOTHESES = (
    ALPHA,
    BETA,
    RADIUS,
    SMOOTH,
    ETA,
    GAMMA,
    LOCAL_STEP,
    PARTICIPATION,
    *ro.STARTED,
)

_SEVERAL = (*SEVERAL_HYPOTHESES, ROOTS_R, ro.STEP_SEVERAL)
REPAIRED_GD = Proof((*_SEVERAL, SCALE, LIMIT_GD), (*GD_NODES, *PAPERS_GD, FORMULA_GD))
REPAIRED_IG = Proof((*_SEVERAL, SCALE, LIMIT_IG), (*IG_NODES, *PAPERS_IG, FORMULA_IG))
SHARP_GD = Proof((*_SEVERAL, HIGHER), (*SHARP_GD_NODES, FORMULA_SHARP_GD))
SHARP_IG = Proof((*_SEVERAL, HIGHER_IG), (*SHARP_IG_NODES, FORMULA_SHARP_IG))

ROUNDS_IN_UNITS = hypothesis(
    "ηγ ≤ 1/(K+1) · √Δ^inf/(4L√(2L))",
    eta * gamma <= sympy.sqrt(Delta) / (4 * L * sympy.sqrt(2 * L)) / (K + 1),
)
