"""One local step, with the mean over the rounds of the error at the server in place of its last value.

After k rounds that error is a sum of k uncorrelated terms, so that it grows like √k; only its sum over the rounds enters the
telescoped descent, and √1 + … + √m ≤ m√((m + 1)/2). The noise term of FED-R1 shrinks by √((K + 2)/(2(K + 1))).
"""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec import repaired
from verify.facts import Fact, definition, equal, letters
from verify.fed_alpha_normec.lemmas import descent as de
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import ROOTS_R, kept
from verify.fed_alpha_normec.letters import (
    BETA,
    CLIENTS,
    ETA,
    PARTICIPATION,
    ROUNDS,
    SMOOTH,
    VARIANCE,
    F,
    K,
    L,
    M,
    R,
    beta,
    claim,
    eta,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

errors, scale = letters("ΣE‖e‖ c_e")
f_k, f_after, W, total_W, k, low = ro.f_k, ro.f_after, ro.W, ro.total_W, ro.k, ro.low

EARLIER = definition("k ≥ 0 rounds before", k >= 0)
SCALE = definition("c_e = √(β²B*/M)", (scale >= 0) & equal(scale**2 * M, beta**2 * no.B) & (no.B >= 0))
EACH = obligation(
    "E‖eᵏ‖ ≤ √(β²B*k/M)",
    (
        BETA,
        CLIENTS,
        ro.STARTS,
        no.JENSEN,
        no.WALKED,
        definition("k ≥ 0", no.k >= 0),
        definition("B ≥ 0", no.B >= 0),
    ),
    no.after <= sympy.sqrt(beta**2 * no.B * no.k / M),
)
LATEST = obligation(
    "E‖eᵏ⁺¹‖ ≤ c_e√(k+1)",
    (BETA, CLIENTS, EACH.conclusion.at({no.k: k + 1}), SCALE, EARLIER),
    no.after <= scale * sympy.sqrt(k + 1),
)


def rooted(rounds: sympy.Expr) -> sympy.Expr:
    """m√((m+1)/2), which bounds √1 + … + √m."""
    return rounds * sympy.sqrt((rounds + 1) / 2)


ROOTS = obligation(
    "k√((k+1)/2) + √(k+1) ≤ (k+1)√((k+2)/2)", (EARLIER,), rooted(k) + sympy.sqrt(k + 1) <= rooted(k + 1)
)
ERRORS = Fact("Σ_{l<k} E‖eˡ⁺¹‖ ≤ c_e k√((k+1)/2)", errors <= scale * rooted(k), "derived")
OVER_ERRORS = Induction(
    ERRORS.name,
    ERRORS,
    obligation("no round", (), sympy.Le(0, scale * rooted(sympy.Integer(0)))),
    obligation(
        "one round more",
        (ERRORS, LATEST.conclusion, ROOTS.conclusion, SCALE, EARLIER),
        errors + no.after <= scale * rooted(k + 1),
    ),
    start=((errors, 0), (k, 0)),
    next=((errors, errors + no.after), (k, k + 1)),
)
TELESCOPED = Fact(
    "E f(xᵏ) − f^inf + η Σ E‖∇f‖ ≤ f(x⁰) − f^inf + kη(2R + Lη/2) + 2η Σ E‖e‖",
    f_k + eta * total_W <= F + k * eta * (2 * R + L * eta / 2) + 2 * eta * errors,
    "derived",
)
TELESCOPE = Induction(
    TELESCOPED.name,
    TELESCOPED,
    obligation("before round 0", (), F + eta * 0 <= F + 0 * eta * (2 * R + L * eta / 2) + 2 * eta * 0),
    obligation(
        "after one round more",
        (TELESCOPED, ETA, SMOOTH, ro.DESCEND.conclusion.at(ro.ROUND), ro.IN_MEAN, ro.NEAR_ONE.conclusion),
        f_after + eta * (total_W + W)
        <= F + (k + 1) * eta * (2 * R + L * eta / 2) + 2 * eta * (errors + no.after),
    ),
    start=((f_k, F), (total_W, 0), (k, 0), (errors, 0)),
    next=((f_k, f_after), (total_W, total_W + W), (k, k + 1), (errors, errors + no.after)),
)
END = obligation(
    "min E‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/((K+1)η) + 2R + 2c_e√((K+2)/2) + Lη/2",
    (
        ETA,
        ROUNDS,
        ro.BOUNDED,
        SCALE,
        ERRORS.at(ro.AFTER_ALL),
        TELESCOPED.at(ro.AFTER_ALL),
        ro.LEAST.at(ro.AFTER_ALL),
    ),
    low <= F / ((K + 1) * eta) + 2 * R + 2 * scale * sympy.sqrt((K + 2) / 2) + L * eta / 2,
)
STATED = obligation(
    "which is the stated bound",
    (BETA, ETA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.TIGHT_B, SCALE, END.conclusion),
    low <= ro.right_side(repaired.ONE_STEP_SHARP),
)
NODES = (
    ro.STEP_LENGTH, ro.MOVE_ONE, kept(ro.MOVE_ONE.conclusion), ro.OVER_RESIDUALS, ro.NEAR_ONE, de.LEMMA4_ANY, ro.DESCEND,
    no.ONE_MINUS_Q, no.Q_SQUARED, no.TIGHT, no.over_clients(no.TIGHT.conclusion), no.AVERAGED, no.OVER_ROUNDS, EACH,
    LATEST, ROOTS, OVER_ERRORS, TELESCOPE, ro.AT_LEAST, END,
)  # fmt: skip
R1_SHARP = claim(
    "FED-R1-SHARP",
    "ours, Theorem 1 for one local step with a smaller noise term",
    "ours",
    "If β ≤ (√α + √R)² and η ≤ βR/(L(α+R)), then min_k E‖∇f(xᵏ)‖ ≤ (f(x⁰)−f^inf)/((K+1)η) + 2R + "
    "√(2β²(K+2)(1−p+V)/(pM)) + Lη/2",
    "The error at the server after k rounds is a sum of k uncorrelated terms, and only its mean over the rounds counts.",
    proof=Proof((*ro.ONE_STEP_HYPOTHESES, ROOTS_R, ro.STEP_ONE), (*NODES, STATED)),
    consequence="`bounds.fed_alpha_normec.recipe` minimises it for one local step, and takes FED-R1-FORGETS or FED-R1-CONTRACTS "
    "where that is less.",
)
CLAIMS = (R1_SHARP,)
