"""One round of the method, and the proof of the repaired theorem for one local step, node by node; `several` goes on from here.

Every inequality of a round that is used below is linear in the quantities that are random, with constant coefficients. So it
may be read along a path or in expectation; the letters f_k, W, dev and after are expectations from `DESCEND` on. Residuals
are bounded along every path, because each server step has length η (or 0, with 0/0 = 0).
"""

from __future__ import annotations

import inspect

import sympy

from bounds.fed_alpha_normec import repaired
from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.lemmas import descent as de
from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas import recursion as rec
from verify.fed_alpha_normec.lemmas.lemma1 import INVARIANT, MOVED, ROOTS_R, START, kept, moved, w
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
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
    p,
    s,
)
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

n, sums, dev, err, pull, pulls, bias = letters("n sums dev err pull pulls bias")
f_k, f_after, W, total_W, k, low = rec.v, rec.v_next, rec.W, letters("total_W")[0], rec.k, rec.low

# How far P_i moves in a round.
STEP_ONE = hypothesis("η ≤ βR/(L(α + R))", eta <= beta * R / (alpha + R) / L)
STEP_SEVERAL = hypothesis("η ≤ βR/(2L(α + R))", eta <= beta * R / (alpha + R) / (2 * L))
_DOMAIN = (ALPHA, BETA, RADIUS, SMOOTH, ETA)
STEP_LENGTH = obligation(
    gd.CLOSE.name,
    (
        ETA,
        definition(
            "0/0 = 0 in line 12: ‖xᵏ⁺¹ − xᵏ‖ is η, or 0 where v̂ᵏ⁺¹ = 0", equal(gd.D_0, eta) | equal(gd.D_0, 0)
        ),
    ),
    gd.CLOSE.relation,
)
MOVE_ONE = obligation(
    MOVED.name,
    (
        *_DOMAIN,
        STEP_ONE,
        STEP_LENGTH.conclusion,
        standard("P_i = ∇f_i is L-Lipschitz", (moved >= 0) & (moved <= L * gd.D_0)),
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
ONE_LOCAL_STEP = hypothesis("T = 1", equal(T, 1))
UNBIASED = definition("with one local step P_i = ∇f_i", sympy.Implies(equal(T, 1), equal(pulls, 0)))
NEAR_ONE = obligation(
    "‖∇f(xᵏ) − v̄ᵏ⁺¹‖ ≤ R", (CLIENTS, RESIDUALS.at({n: M}), MEAN_OF, ONE_LOCAL_STEP, UNBIASED), dev <= R
)

# One round.
ERROR_OF = standard("‖∇f − v̂‖ ≤ ‖∇f − v̄‖ + ‖v̄ − v̂‖", de.error <= dev + no.after)
DESCEND = obligation(
    "E f(xᵏ⁺¹) ≤ E f(xᵏ) − ηE‖∇f(xᵏ)‖ + 2ηE‖∇f − v̄‖ + 2ηE‖v̄ − v̂‖ + Lη²/2",
    (ETA, SMOOTH, ERROR_OF, de.LEMMA4_ANY.conclusion),
    de.f_next <= de.f - eta * de.grad + 2 * eta * (dev + no.after) + L * eta**2 / 2,
)
IN_MEAN = standard(
    "an inequality that is linear in random quantities holds for their expectations", sympy.true
)
ROUND: Places = {de.f_next: f_after, de.f: f_k, de.grad: W}
ERR = no.ERROR.conclusion
STARTS = no.STARTS_AT_ZERO
STARTED = (START, STARTS, *no.RANDOM)
"""What Algorithm 1 says: where it starts, and what is drawn."""
SMALL_ERROR = obligation(
    "E‖v̄ᵏ⁺¹ − v̂ᵏ⁺¹‖ ≤ √(β²B*(K+1)/M)", (STARTS, ERR), no.after <= sympy.sqrt(beta**2 * no.B * (K + 1) / M)
)

# One local step: telescope.
LEVEL = definition(
    "err = √(β²B*(K+1)/M)", (err >= 0) & equal(err**2 * M, beta**2 * no.B * (K + 1)) & (no.B >= 0)
)
TELESCOPED = Fact(
    "E f(xᵏ) − f^inf + η Σ E‖∇f‖ ≤ f(x⁰) − f^inf + kη(2R + 2err + Lη/2), err = √(β²B*(K+1)/M)",
    f_k + eta * total_W <= F + k * eta * (2 * R + 2 * err + L * eta / 2),
    "derived",
)
ROUND_ONE = obligation(
    "one round, T = 1",
    (
        *_DOMAIN,
        CLIENTS,
        LEVEL,
        DESCEND.conclusion.at(ROUND),
        IN_MEAN,
        NEAR_ONE.conclusion,
        SMALL_ERROR.conclusion,
    ),
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
        "one gradient more", (LEAST, standard("min ≤ E‖∇f(xᵏ)‖", low <= W)), (k + 1) * low <= total_W + W
    ),
    start=((k, 0), (total_W, 0)),
    next=((k, k + 1), (total_W, total_W + W)),
)
AFTER_ALL: Places = {k: K + 1}
BOUNDED = definition("f ≥ f^inf", f_k >= 0)
_SYMBOLS = {"alpha": alpha, "f_gap": F, "K": K, "eta": eta, "R": R, "beta": beta, "M": M, "p": p, "V": V, "L": L, "gamma": gamma,
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
    STEP_LENGTH,
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
ONE_STEP_HYPOTHESES = (
    ALPHA, BETA, RADIUS, SMOOTH, ETA, PARTICIPATION, *STARTED, ONE_LOCAL_STEP,
)  # fmt: skip

REPAIRED_ONE = Proof((*ONE_STEP_HYPOTHESES, ROOTS_R, STEP_ONE), (*ONE_STEP_NODES, FORMULA_ONE))

# From the printed conditions and constants to the repaired ones; p, σ in the reading E‖z‖² = σ².
PRINTED_ROUNDS = hypothesis(
    "ηγ ≤ 1/(K+1) · Δ^inf/(4L√(2L))", eta * gamma <= Delta / (4 * L * sympy.sqrt(2 * L)) / (K + 1)
)
HALF_STEP = hypothesis("η ≤ γ/2 · βR/(α + R)", eta <= gamma / 2 * beta * R / (alpha + R))
THIRD_STEP = hypothesis("η ≤ γ/3 · βR/(α + R)", eta <= gamma / 3 * beta * R / (alpha + R))
_STEPPED = (ALPHA, BETA, RADIUS, SMOOTH, GAMMA, LOCAL_STEP)


def shorter(target: Fact, printed: Fact) -> Obligation:
    """The repaired condition on η, from a printed one."""
    return obligation(target.name, (*_STEPPED, printed), target.relation)
