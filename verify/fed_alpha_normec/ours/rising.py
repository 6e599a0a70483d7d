"""Lemma 5 where the error at the server rises from round to round: only its weighted mean counts.

After k rounds that error is at most c_e√k (`averaged`), and the weights u_k = (1 + b₁γ²)^(−k) of the proof of Lemma 5 fall. So its
mean under these weights is at most c_e√((K + 2)/2), as its plain mean is, and Lemma 5's b₃ holds this in place of the last error.
"""

from __future__ import annotations

import sympy

from verify.facts import Fact, definition, equal, letters
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas import recursion as rec
from verify.fed_alpha_normec.letters import CLIENTS, K, M, beta
from verify.fed_alpha_normec.ours import averaged as av
from verify.fed_alpha_normec.ours import rounds as ro
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Node

mean_err, weighted, still = letters("mean_err ΣuE‖e‖ still")
error, scale, k, u, u_next, U, x = no.after, av.scale, rec.k, rec.u, rec.u_next, rec.U, rec.x

LEVEL = definition(
    "err̄ = √(β²B*(K+2)/(2M))",
    (mean_err >= 0) & equal(mean_err**2 * 2 * M, beta**2 * no.B * (K + 2)) & (no.B >= 0),
)
CONSTANT = definition(
    "b₃ = what does not depend on the round, and 2err̄", equal(rec.b_3, still + 2 * mean_err)
)
RECURSION = Fact(
    "Vᵏ⁺¹ ≤ (1 + b₁γ²)Vᵏ − b₂γWᵏ + γ(b₃ − 2err̄ + 2E‖eᵏ⁺¹‖)",
    (rec.v >= 0)
    & (rec.v_next >= 0)
    & (rec.v_next <= (1 + x) * rec.v - rec.b_2 * rec.step * rec.W + rec.step * (still + 2 * error)),
    "derived",
)


def _sides(total: sympy.Expr, gains: sympy.Expr, weight: sympy.Expr, left: sympy.Expr, errors: sympy.Expr):
    return rec.b_2 * rec.step * gains + weight * left <= rec.v_0 + rec.step * (still * total + 2 * errors)


SUMMED = Fact(
    "b₂γ Σ u Wʲ + uV ≤ V⁰ + γ Σ u(b₃ − 2err̄ + 2E‖e‖)", _sides(U, rec.S, u, rec.v, weighted), "derived"
)
SUM = Induction(
    SUMMED.name,
    SUMMED,
    obligation("before round 0", (), _sides(sympy.S.Zero, sympy.S.Zero, sympy.S.One, rec.v_0, sympy.S.Zero)),
    obligation(
        "after one round more",
        (rec.SIGNS, SUMMED, RECURSION, rec.WEIGHT),
        _sides(U + u_next, rec.S + u_next * rec.W, u_next, rec.v_next, weighted + u_next * error),
    ),
    start=((rec.S, 0), (u, 1), (rec.v, rec.v_0), (U, 0), (weighted, 0)),
    next=(
        (rec.S, rec.S + u_next * rec.W), (u, u_next), (rec.v, rec.v_next), (U, U + u_next),
        (weighted, weighted + u_next * error),
    ),
)  # fmt: skip


def _mean(rounds: sympy.Expr) -> sympy.Expr:
    """√((k+1)/2), which bounds the mean of √1, …, √k."""
    return sympy.sqrt((rounds + 1) / 2)


RISES = obligation("√((k+1)/2) ≤ √((k+2)/2)", (av.EARLIER,), _mean(k) <= _mean(k + 1))
LIGHTER = obligation(
    "k u_{k+1} ≤ Σ_{j ≤ k} u_j", (rec.SIGNS, rec.ABOVE, rec.WEIGHT, av.EARLIER), (k * u_next <= U) & (U >= 0)
)
MOVES_UP = obligation(
    "u_{k+1}(√(k+1) − √((k+2)/2)) ≤ (√((k+2)/2) − √((k+1)/2)) Σ_{j ≤ k} u_j",
    (rec.WEIGHT, av.EARLIER, RISES.conclusion, LIGHTER.conclusion, av.ROOTS.conclusion),
    u_next * (sympy.sqrt(k + 1) - _mean(k + 1)) <= (_mean(k + 1) - _mean(k)) * U,
)
MEAN = Fact("Σ u E‖e‖ ≤ c_e√((k+1)/2) Σ u", weighted <= scale * _mean(k) * U, "derived")
OVER_ERRORS = Induction(
    MEAN.name,
    MEAN,
    obligation("no error", (), sympy.Le(0, scale * _mean(sympy.S.Zero) * 0)),
    obligation(
        "one error more",
        (MEAN, rec.WEIGHT, av.SCALE, av.EARLIER, av.LATEST.conclusion, MOVES_UP.conclusion),
        weighted + u_next * error <= scale * _mean(k + 1) * (U + u_next),
    ),
    start=((weighted, 0), (U, 0), (k, 0)),
    next=((weighted, weighted + u_next * error), (U, U + u_next), (k, k + 1)),
)
AT_THE_END = obligation(
    "c_e√((K+2)/2) = err̄",
    (CLIENTS, av.SCALE, LEVEL, rec.ROUNDS_MADE),
    equal(scale * _mean(k), mean_err),
)
TOTAL = obligation(
    rec.WEIGHTED.name,
    (rec.SIGNS, rec.ABOVE, CONSTANT, SUMMED, MEAN, AT_THE_END.conclusion),
    rec.WEIGHTED.relation,
)
NODES: tuple[Node, ...] = (
    av.EACH, av.LATEST, av.ROOTS, SUM, rec.ENOUGH, RISES, LIGHTER, MOVES_UP, OVER_ERRORS, AT_THE_END, TOTAL,
)  # fmt: skip
"""From one round to Lemma 5's weighted sum after K + 1 of them; `rec.MINIMUM` and the rest of its proof go on from there."""
NOT_MORE = obligation(
    "err̄ is at most √(β²B*(K+1)/M)",
    (CLIENTS, LEVEL, ro.LEVEL, rec.ROUNDS_MADE),
    mean_err <= ro.err,
)
"""For those who need no more than the last error's bound."""
