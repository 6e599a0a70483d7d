"""The proof of the repaired theorems, node by node: from one round to the bound.

Every inequality of a round that is used below is linear in the quantities that are random, with constant coefficients. So it
may be read along a path or in expectation; the letters f_k, W, dev and after are expectations from `DESCEND` on. Residuals
are bounded along every path, because each server step has length η (or 0, with 0/0 = 0).
"""

from __future__ import annotations

import inspect

import sympy

from bounds.fed_alpha_normec import repaired
from verify.facts import Fact, definition, hypothesis, standard
from verify.fed_alpha_normec import descent as de
from verify.fed_alpha_normec import incremental as ig
from verify.fed_alpha_normec import local_gradient as gd
from verify.fed_alpha_normec import noise as no
from verify.fed_alpha_normec.lemma1 import INVARIANT, MOVED, ROOTS_R, START, kept, moved, w
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
    Places,
    R,
    T,
    V,
    alpha,
    beta,
    eta,
    gamma,
    letters,
    p,
    s,
)
from verify.obligation import Obligation, obligation
from verify.proof import Induction, Node, Proof

n, sums, dev, err, pull, pulls, avg, bias = letters("n sums dev err pull pulls avg bias")
f_k, f_after, W, total_W, k, low = de.v, de.v_next, de.W, letters("total_W")[0], de.k, de.low

# How far P_i moves in a round.
STEP_ONE = hypothesis("η ≤ βR/(L(α + R))", eta <= beta * R / (alpha + R) / L)
STEP_SEVERAL = hypothesis("η ≤ βR/(2L(α + R))", eta <= beta * R / (alpha + R) / (2 * L))
_DOMAIN = (ALPHA, BETA, RADIUS, SMOOTH, ETA)
MOVE_ONE = obligation(
    MOVED.name,
    (
        *_DOMAIN,
        STEP_ONE,
        standard("P_i = ∇f_i is L-Lipschitz, ‖xᵏ⁺¹ − xᵏ‖ ≤ η", (moved >= 0) & (moved <= L * eta)),
    ),
    MOVED.relation,
)
MOVE_SEVERAL = obligation(
    MOVED.name,
    (*_DOMAIN, STEP_SEVERAL, gd.MOVE.at({gd.slope: moved}), gd.MOVES.conclusion.at({gd.slope: moved})),
    MOVED.relation,
)

# ‖∇f − v̄‖, from the clients' residuals and biases.
RESIDUALS = Fact("Σ ‖P_i − v_i‖ ≤ nR", sums <= n * R, "derived")
OVER_RESIDUALS = Induction(
    RESIDUALS.name,
    RESIDUALS,
    obligation("no residual", (), sympy.true),
    obligation("one residual more", (RESIDUALS, INVARIANT), sums + w <= (n + 1) * R),
    start=((n, 0), (sums, 0)),
    next=((n, n + 1), (sums, sums + w)),
)
MEAN_OF = standard("triangle inequality for the mean over clients", dev * M <= sums + pulls)
UNBIASED = definition("T = 1: P_i = ∇f_i", sympy.Eq(pulls, 0))
NEAR_ONE = obligation("‖∇f(xᵏ) − v̄ᵏ⁺¹‖ ≤ R", (CLIENTS, RESIDUALS.at({n: M}), MEAN_OF, UNBIASED), dev <= R)

PULL_GD = obligation(
    "‖P_i − ∇f_i‖ ≤ (2/3)Lγ‖∇f_i‖",
    (
        SMOOTH,
        definition("T ≥ 1", T >= 1),
        gd.SHARP.conclusion.at({gd.g: gd.size}),
        standard("f_i is L-smooth: ‖P_i − ∇f_i‖ ≤ (L/T) Σ ‖x_j − x‖", pull <= L * gd.Q_T / T),
    ),
    pull <= sympy.Rational(2, 3) * L * gamma * gd.size,
)
PULLS = Fact(
    "Σ ‖P_i − ∇f_i‖ ≤ (2/3)Lγ Σ ‖∇f_i‖", pulls <= sympy.Rational(2, 3) * L * gamma * gd.sizes, "derived"
)
OVER_PULLS = Induction(
    PULLS.name,
    PULLS,
    obligation("no bias", (), sympy.true),
    obligation(
        "one bias more",
        (PULLS, PULL_GD.conclusion),
        pulls + pull <= sympy.Rational(2, 3) * L * gamma * (gd.sizes + gd.size),
    ),
    start=((pulls, 0), (gd.sizes, 0)),
    next=((pulls, pulls + pull), (gd.sizes, gd.sizes + gd.size)),
)
SCALE = hypothesis("s > 0", s > 0)
_AVERAGE: Places = {gd.mean: avg, gd.scale: s, F: f_k}
NEAR_GD = obligation(
    "‖∇f(xᵏ) − v̄ᵏ⁺¹‖ ≤ R + (2/3)Lγ(s/2 + L(f(xᵏ) − f^inf + Δ^inf)/s)",
    (
        SMOOTH,
        GAMMA,
        SCALE,
        CLIENTS,
        RESIDUALS.at({n: M}),
        MEAN_OF,
        PULLS,
        gd.MEANS.at(_AVERAGE),
        gd.MEAN.conclusion.at(_AVERAGE),
    ),
    dev <= R + sympy.Rational(2, 3) * L * gamma * (s / 2 + L * (f_k + Delta) / s),
)
NEAR_IG = obligation(
    "‖∇f(xᵏ) − v̄ᵏ⁺¹‖ ≤ R + Lγ(s/2 + L(f(xᵏ) − f^inf + Δ^inf + (1/M) Σ Δ_i^inf)/s)",
    (
        SMOOTH,
        GAMMA,
        SCALE,
        CLIENTS,
        RESIDUALS.at({n: M}),
        MEAN_OF,
        standard("f_{i,j} are L-smooth: mean bias ≤ L · mean distance", pulls <= M * (L * ig.mean)),
        ig.SCALED.conclusion.at({F: f_k}),
    ),
    dev <= R + L * gamma * (s / 2 + L * (f_k + Delta + Delta_local) / s),
)

# One round.
ERROR_OF = standard("‖∇f − v̂‖ ≤ ‖∇f − v̄‖ + ‖v̄ − v̂‖", de.error <= dev + no.after)
DESCEND = obligation(
    "E f(xᵏ⁺¹) ≤ E f(xᵏ) − ηE‖∇f(xᵏ)‖ + 2ηE‖∇f − v̄‖ + 2ηE‖v̄ − v̂‖ + Lη²/2",
    (ETA, SMOOTH, ERROR_OF, de.LEMMA4_ANY.conclusion),
    de.f_next <= de.f - eta * de.grad + 2 * eta * (dev + no.after) + L * eta**2 / 2,
)
_ROUND: Places = {de.f_next: f_after, de.f: f_k, de.grad: W}
ERR = no.ERROR.conclusion
STARTS = no.STARTS_AT_ZERO
SMALL_ERROR = obligation(
    "E‖v̄ᵏ⁺¹ − v̂ᵏ⁺¹‖ ≤ √(β²B*(K+1)/M)", (STARTS, ERR), no.after <= sympy.sqrt(beta**2 * no.B * (K + 1) / M)
)

# One local step: telescope.
LEVEL = definition(
    "err = √(β²B*(K+1)/M)", (err >= 0) & sympy.Eq(err**2 * M, beta**2 * no.B * (K + 1)) & (no.B >= 0)
)
TELESCOPED = Fact(
    "E f(xᵏ) − f^inf + η Σ E‖∇f‖ ≤ f(x⁰) − f^inf + kη(2R + 2err + Lη/2)",
    f_k + eta * total_W <= F + k * eta * (2 * R + 2 * err + L * eta / 2),
    "derived",
)
ROUND_ONE = obligation(
    "one round, T = 1",
    (*_DOMAIN, CLIENTS, LEVEL, DESCEND.conclusion.at(_ROUND), NEAR_ONE.conclusion, SMALL_ERROR.conclusion),
    f_after <= f_k - eta * W + eta * (2 * R + 2 * err + L * eta / 2),
)
TELESCOPE = Induction(
    TELESCOPED.name,
    TELESCOPED,
    obligation("before round 0", (), F + eta * 0 <= F + 0 * eta * (2 * R + 2 * err + L * eta / 2)),
    obligation(
        "after one round more",
        (TELESCOPED, ROUND_ONE.conclusion),
        f_after + eta * (total_W + W) <= F + (k + 1) * eta * (2 * R + 2 * err + L * eta / 2),
    ),
    start=((f_k, F), (total_W, 0), (k, 0)),
    next=((f_k, f_after), (total_W, total_W + W), (k, k + 1)),
)
LEAST = Fact("k min E‖∇f‖ ≤ Σ E‖∇f‖", k * low <= total_W, "derived")
AT_LEAST = Induction(
    LEAST.name,
    LEAST,
    obligation("no gradient", (), sympy.true),
    obligation(
        "one gradient more", (LEAST, definition("min ≤ E‖∇f(xᵏ)‖", low <= W)), (k + 1) * low <= total_W + W
    ),
    start=((k, 0), (total_W, 0)),
    next=((k, k + 1), (total_W, total_W + W)),
)
AFTER_ALL: Places = {k: K + 1}
BOUNDED = definition("f ≥ f^inf", f_k >= 0)
_SYMBOLS = {"f_gap": F, "K": K, "eta": eta, "R": R, "beta": beta, "M": M, "p": p, "V": V, "L": L, "gamma": gamma,
            "s": s, "Delta": Delta, "Delta_local": Delta_local}  # fmt: skip


def right_side(bound: repaired.Bound) -> sympy.Expr:
    """A bound's formula in the prover's letters."""
    return bound.formula(**{name: _SYMBOLS[name] for name in inspect.signature(bound.formula).parameters})


END_ONE = obligation(
    "min E‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/((K+1)η) + 2R + 2err + Lη/2",
    (ETA, ROUNDS, BOUNDED, TELESCOPED.at(AFTER_ALL), LEAST.at(AFTER_ALL)),
    low <= F / ((K + 1) * eta) + 2 * R + 2 * err + L * eta / 2,
)
FORMULA_ONE = obligation(
    "repaired Theorem 1, T = 1",
    (BETA, ETA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.TIGHT_B, LEVEL, END_ONE.conclusion),
    low <= right_side(repaired.ONE_STEP),
)
CORE = (de.LEMMA4_ANY, DESCEND, *no.NOISE_NODES, SMALL_ERROR)
ONE_STEP_NODES: tuple[Node, ...] = (
    MOVE_ONE,
    kept(MOVE_ONE.conclusion),
    OVER_RESIDUALS,
    NEAR_ONE,
    *CORE,
    ROUND_ONE,
    TELESCOPE,
    AT_LEAST,
    END_ONE,
)
ONE_STEP_HYPOTHESES = (ALPHA, BETA, RADIUS, SMOOTH, ETA, PARTICIPATION, START, STARTS)

# Several local steps: Lemma 5.
PLAIN = definition("b₂ = 1, γ of Lemma 5 is η", sympy.Eq(de.b_2, 1) & sympy.Eq(de.step, eta))
SPREAD = hypothesis("Δ^inf ≥ 0", Delta >= 0)
SPREAD_LOCAL = hypothesis("(1/M) Σ Δ_i^inf ≥ 0", Delta_local >= 0)


def recursion(
    near: Obligation, constant: sympy.Expr, spread: sympy.Expr
) -> tuple[Fact, tuple[Obligation, ...]]:
    """b₁γ² and b₃, and the recursion of Lemma 5, from dev ≤ R + (constant/2)Lγ(s/2 + L(f + spread)/s)."""
    growth = definition(
        "b₁γ² and b₃ of Lemma 5",
        sympy.Eq(de.x * s, constant * L**2 * gamma * eta)
        & sympy.Eq(de.b_3, 2 * R + 2 * err + constant * L * gamma * (s / 2 + L * spread / s) + L * eta / 2),
    )
    signs = obligation(de.SIGNS.name, (SMOOTH, GAMMA, ETA, SCALE, PLAIN, growth), de.SIGNS.relation)
    one_round = obligation(
        de.RECURSION.name,
        (
            SMOOTH,
            GAMMA,
            ETA,
            SCALE,
            CLIENTS,
            LEVEL,
            PLAIN,
            growth,
            near.conclusion,
            SMALL_ERROR.conclusion,
            DESCEND.conclusion.at(_ROUND),
            definition("f ≥ f^inf", (f_k >= 0) & (f_after >= 0)),
        ),
        de.RECURSION.relation,
    )
    return growth, (signs, one_round)


def limited_growth(growth: Fact, limit: Fact) -> tuple[Obligation, Obligation]:
    """The end as the paper has it: exp(b₁γ²(K+1)) ≤ 3 under a condition on ηγ."""
    exponent = obligation(
        "b₁γ²(K+1) ≤ 1", (SMOOTH, GAMMA, ETA, SCALE, ROUNDS, growth, limit), de.x * (K + 1) <= 1
    )
    three = standard("t ≤ 1 ⇒ exp t ≤ e < 3", sympy.Implies(de.x * (K + 1) <= 1, de.power <= 3))
    end = obligation(
        "min E‖∇f(xᵏ)‖ ≤ 3(f(x⁰) − f^inf)/((K+1)η) + b₃",
        (ETA, ROUNDS, PLAIN, GAP, de.LEMMA5.conclusion.at({de.v_0: F}), exponent.conclusion, three),
        low <= 3 * F / ((K + 1) * eta) + de.b_3,
    )
    return exponent, end


END_SHARP = obligation(
    "min E‖∇f(xᵏ)‖ ≤ (1 + b₁γ²(K+1))(f(x⁰) − f^inf)/((K+1)η) + b₃",
    (ETA, ROUNDS, PLAIN, de.LEMMA5_SHARP.conclusion.at({de.v_0: F})),
    low <= (1 + de.x * (K + 1)) * F / ((K + 1) * eta) + de.b_3,
)
LIMIT_GD = hypothesis("ηγ ≤ 1/(K+1) · 3s/(4L²)", eta * gamma * (K + 1) <= 3 * s / (4 * L**2))
LIMIT_IG = hypothesis("ηγ ≤ 1/(K+1) · s/(2L²)", eta * gamma * (K + 1) <= s / (2 * L**2))
GROWTH_GD, _RECURSION_GD = recursion(NEAR_GD, sympy.Rational(4, 3), Delta)
GROWTH_IG, _RECURSION_IG = recursion(NEAR_IG, sympy.Integer(2), Delta + Delta_local)
END_GD, END_IG = limited_growth(GROWTH_GD, LIMIT_GD), limited_growth(GROWTH_IG, LIMIT_IG)
_CLOSE = (BETA, ETA, SMOOTH, GAMMA, SCALE, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.TIGHT_B, LEVEL)
FORMULA_GD = obligation(
    "repaired Theorem 1, several steps",
    (*_CLOSE, GROWTH_GD, END_GD[-1].conclusion),
    low <= right_side(repaired.LOCAL_GRADIENT),
)
FORMULA_IG = obligation(
    "repaired Theorem 2",
    (*_CLOSE, GROWTH_IG, END_IG[-1].conclusion),
    low <= right_side(repaired.INCREMENTAL_GRADIENT),
)
HEIGHT = definition("s = √(2L(f(x⁰) − (1/M) Σ f_i^inf))", (s >= 0) & sympy.Eq(s**2, 2 * L * (F + Delta)))
HEIGHT_IG = definition(
    "s = √(2L(f(x⁰) − (1/M) Σ (1/N) Σ f_{i,j}^inf))",
    (s >= 0) & sympy.Eq(s**2, 2 * L * (F + Delta + Delta_local)),
)
HIGHER = hypothesis("f(x⁰) > (1/M) Σ f_i^inf", F + Delta > 0)
HIGHER_IG = hypothesis("f(x⁰) > (1/M) Σ (1/N) Σ f_{i,j}^inf", F + Delta + Delta_local > 0)

_MOVE = (*gd.ITEM24, gd.MOVES, MOVE_SEVERAL, kept(MOVE_SEVERAL.conclusion), OVER_RESIDUALS)
GD_NODES: tuple[Node, ...] = (
    *_MOVE,
    *gd.SHARP_NODES,
    PULL_GD,
    OVER_PULLS,
    *gd.MEAN_NODES,
    NEAR_GD,
    *CORE,
    *_RECURSION_GD,
)
IG_NODES: tuple[Node, ...] = (*_MOVE, *ig.LEMMA8_NODES, ig.SCALED, NEAR_IG, *CORE, *_RECURSION_IG)
PAPERS_GD: tuple[Node, ...] = (*de.LEMMA5_NODES, *END_GD)
PAPERS_IG: tuple[Node, ...] = (*de.LEMMA5_NODES, *END_IG)
"""What follows GD_NODES and IG_NODES in the paper's way: Lemma 5, and the condition on ηγ."""


def without_limit(
    nodes: tuple[Node, ...], constant: sympy.Expr, growth: Fact, height: Fact, higher: Fact
) -> tuple[Node, ...]:
    """From one round to the bound with no condition on ηγ: s may be chosen, and what the recursion grows by joins the
    drift."""
    chosen = obligation(
        f"min E‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/((K+1)η) + 2R + 2err + {constant}Lγs + Lη/2",
        (SMOOTH, GAMMA, ETA, SCALE, ROUNDS, growth, height, END_SHARP.conclusion),
        low <= F / ((K + 1) * eta) + 2 * R + 2 * err + constant * L * gamma * s + L * eta / 2,
    )
    scale = obligation(SCALE.name, (SMOOTH, height, higher), SCALE.relation)
    return scale, *nodes, *de.LEMMA5_SHARP_NODES, END_SHARP, chosen


SHARP_GD_NODES = without_limit(GD_NODES, sympy.Rational(4, 3), GROWTH_GD, HEIGHT, HIGHER)
SHARP_IG_NODES = without_limit(IG_NODES, sympy.Integer(2), GROWTH_IG, HEIGHT_IG, HIGHER_IG)
FORMULA_SHARP_GD = obligation(
    "Theorem 1 without a condition on ηγ",
    (*_CLOSE, HEIGHT, SHARP_GD_NODES[-1].conclusion),
    low <= right_side(repaired.LOCAL_GRADIENT_SHARP),
)
FORMULA_SHARP_IG = obligation(
    "Theorem 2 without a condition on ηγ",
    (*_CLOSE, HEIGHT_IG, SHARP_IG_NODES[-1].conclusion),
    low <= right_side(repaired.INCREMENTAL_GRADIENT_SHARP),
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
    START,
    STARTS,
)

REPAIRED_ONE = Proof((*ONE_STEP_HYPOTHESES, ROOTS_R, STEP_ONE), (*ONE_STEP_NODES, FORMULA_ONE))
_SEVERAL = (*SEVERAL_HYPOTHESES, ROOTS_R, STEP_SEVERAL)
REPAIRED_GD = Proof((*_SEVERAL, SCALE, LIMIT_GD, SPREAD), (*GD_NODES, *PAPERS_GD, FORMULA_GD))
REPAIRED_IG = Proof((*_SEVERAL, SCALE, LIMIT_IG, SPREAD, SPREAD_LOCAL), (*IG_NODES, *PAPERS_IG, FORMULA_IG))
SHARP_GD = Proof((*_SEVERAL, HIGHER), (*SHARP_GD_NODES, FORMULA_SHARP_GD))
SHARP_IG = Proof((*_SEVERAL, HIGHER_IG), (*SHARP_IG_NODES, FORMULA_SHARP_IG))

# From the printed conditions and constants to the repaired ones; p, σ in the reading E‖z‖² = σ².
PRINTED_ROUNDS = hypothesis(
    "ηγ ≤ 1/(K+1) · Δ^inf/(4L√(2L))", eta * gamma <= Delta / (4 * L * sympy.sqrt(2 * L)) / (K + 1)
)
ROUNDS_IN_UNITS = hypothesis(
    "ηγ ≤ 1/(K+1) · √Δ^inf/(4L√(2L))",
    eta * gamma <= sympy.sqrt(Delta) / (4 * L * sympy.sqrt(2 * L)) / (K + 1),
)
HALF_STEP = hypothesis("η ≤ γ/2 · βR/(α + R)", eta <= gamma / 2 * beta * R / (alpha + R))
THIRD_STEP = hypothesis("η ≤ γ/3 · βR/(α + R)", eta <= gamma / 3 * beta * R / (alpha + R))
ROOT = definition("s = √(2LΔ^inf)", sympy.Eq(s**2, 2 * L * Delta) & (s > 0))
ROOT_IG = definition(
    "s = √(2L(Δ^inf + (1/M) Σ Δ_i^inf))", sympy.Eq(s**2, 2 * L * (Delta + Delta_local)) & (s > 0)
)
_STEPPED = (ALPHA, BETA, RADIUS, SMOOTH, GAMMA, LOCAL_STEP)


def shorter(target: Fact, printed: Fact) -> Obligation:
    """The repaired condition on η, from a printed one."""
    return obligation(target.name, (*_STEPPED, printed), target.relation)


def limited(target: Fact, root: Fact, positive: tuple[Fact, ...]) -> tuple[Obligation, ...]:
    """s > 0 and the repaired condition on ηγ, from the condition with √Δ^inf."""
    return (
        obligation(SCALE.name, (root,), SCALE.relation),
        obligation(target.name, (SMOOTH, ROUNDS, *positive, root, ROUNDS_IN_UNITS), target.relation),
    )
