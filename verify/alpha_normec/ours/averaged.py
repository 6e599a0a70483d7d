"""Our sharpening of Theorem 2: the noise of the rounds grows like √k, so its mean, not its last value, is what counts.

The printed proof bounds E‖e^{k+1}‖ in every round by its largest value, at k = K. Only the sum over k enters, and
√1 + … + √m ≤ m√((m + 1)/2): the noise term shrinks by √((K + 2)/(2(K + 1))), to 1/√2 of itself for long runs.
"""

from __future__ import annotations

import sympy

from bounds.alpha_normec.ours import PRIVATE_SHARP, PRIVATE_WIDE
from bounds.statement import Bound
from verify.alpha_normec.lemmas.lemma3 import NOISE_BASE, VARIANCE, V, k, mean_norm, noise_nodes
from verify.alpha_normec.letters import (
    BETA,
    CLIENTS,
    GAMMA,
    LETTERS,
    PAPER,
    ROUNDS,
    SMOOTH,
    K,
    L,
    R,
    alpha,
    beta,
    f_gap,
    gamma,
    n,
)  # fmt: skip
from verify.alpha_normec.ours.sharper import GENTLE, WIDE
from verify.alpha_normec.theorems import descent
from verify.alpha_normec.theorems.descent import (
    BOUNDED,
    COUNTED,
    FALL,
    LINEAR,
    WHOLE,
    count,
    done,
    error,
    f_now,
    f_start,
    f_then,
    floor,
    grad,
    mean_error,
)
from verify.alpha_normec.theorems.theorem2 import PROBLEM, noisy, split
from verify.claim import Claim
from verify.facts import Fact, definition, derived, equal
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

errors, lost, per_round = sympy.symbols("ΣE‖∇f−ĝ‖ ΣE‖∇f−g‖ c_z", real=True)
PER_ROUND = definition(
    "c_z = √(β²E‖z‖²/n)", (per_round >= 0) & equal(per_round**2 * n, beta**2 * V) & (V >= 0)
)
EARLIER = definition("m ≥ 0 iterations before", count >= 0)


def _rooted(m: sympy.Expr) -> sympy.Expr:
    """m√((m+1)/2), which bounds √1 + … + √m."""
    return m * sympy.sqrt((m + 1) / 2)


def summed_errors(noise: Fact) -> list[Node]:
    """Σ_{k<m} E‖∇f(x^k) − ĝ^{k+1}‖ ≤ Σ_{k<m} E‖∇f(x^k) − g^{k+1}‖ + c_z m√((m+1)/2)."""
    apart = split()
    this = definition(
        "e of iteration m has had m + 1 rounds of noise", equal(noisy, mean_norm) & equal(k, count + 1)
    )
    one = obligation(
        "E‖∇f − ĝ‖ ≤ E‖∇f − g‖ + c_z√(m+1)",
        (apart.conclusion, noise, this, LINEAR, PER_ROUND, CLIENTS, BETA, EARLIER),
        error <= mean_error + per_round * sympy.sqrt(count + 1),
    )
    roots = obligation(
        "m√((m+1)/2) + √(m+1) ≤ (m+1)√((m+2)/2)",
        (EARLIER,),
        _rooted(count) + sympy.sqrt(count + 1) <= _rooted(count + 1),
    )
    total = derived(
        "Σ_{k<m} E‖∇f − ĝ‖ ≤ ΣE‖∇f − g‖ + c_z m√((m+1)/2)", errors <= lost + per_round * _rooted(count)
    )
    more = Obligation(
        "one iteration more",
        (total, one.conclusion, roots.conclusion, PER_ROUND, EARLIER),
        derived("step", errors + error <= lost + mean_error + per_round * _rooted(count + 1)),
    )
    none = Obligation(
        "no iteration", (), derived("start", sympy.Le(0, per_round * _rooted(sympy.Integer(0))))
    )
    over = Induction(total.name, total, none, more, ((errors, 0), (lost, 0), (count, 0)),
                     ((errors, errors + error), (lost, lost + mean_error), (count, count + 1)))  # fmt: skip
    return [apart, one, roots, over]


def _kept_in_every_round(rest: sympy.Expr, clients: Fact) -> Induction:
    """Σ_{k<m} E‖∇f(x^k) − g^{k+1}‖ ≤ m·rest."""
    total = derived("Σ_{k<m} E‖∇f − g‖ ≤ m rest", lost <= count * rest)
    none = Obligation("no iteration", (), derived("start", sympy.Le(0, 0 * rest)))
    more = Obligation(
        "one iteration more", (total, clients), derived("step", lost + mean_error <= (count + 1) * rest)
    )
    return Induction(total.name, total, none, more, ((lost, 0), (count, 0)),
                     ((lost, lost + mean_error), (count, count + 1)))  # fmt: skip


def summed_descent(down: Fact) -> list[Node]:
    """γΣ_{k<m} E‖∇f(x^k)‖ ≤ f(x⁰) − E f(x^m) + 2γΣE‖∇f − ĝ‖ + mLγ²/2, and the least of the norms."""
    right = f_start - f_now + 2 * gamma * errors + count * L * gamma**2 / 2
    telescoped = derived("γΣ_{k<m} E‖∇f‖ ≤ f(x⁰) − E f(xᵐ) + 2γΣE‖∇f − ĝ‖ + mLγ²/2", done <= right)
    after = {f_now: f_then, errors: errors + error, count: count + 1}
    more = Obligation("one iteration more", (GAMMA, SMOOTH, telescoped, down),
                      derived("step", done + gamma * grad <= right.subs(after, simultaneous=True)))  # fmt: skip
    none = Obligation(
        "no iteration", (), derived("start", sympy.Le(0, right.subs({f_now: f_start, errors: 0, count: 0})))
    )
    return [
        Induction(telescoped.name, telescoped, none, more, ((done, 0), (f_now, f_start), (errors, 0), (count, 0)),
                  ((done, done + gamma * grad), *after.items())),
        descent.least_of_the_norms(),
    ]  # fmt: skip


def _theorem(bound: Bound, feedback: Fact, rest: sympy.Expr, name: str) -> Proof:
    kept = descent.kept(feedback, rest, name)
    average = descent.average_error(rest, kept[-1].conclusion)
    down = descent.normalised_descent()
    *noise, _ = noise_nodes(V, VARIANCE)
    sums = summed_errors(noise[-1].conclusion)
    rests = _kept_in_every_round(rest, average[-1].conclusion)
    falls, least = summed_descent(down.conclusion)
    mean = obligation(
        "min E‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/(γm) + 2 rest + 2c_z√((m+1)/2) + Lγ/2",
        (
            GAMMA,
            falls.conclusion,
            least.conclusion,
            sums[-1].conclusion,
            rests.conclusion,
            COUNTED,
            BOUNDED,
            FALL,
            PER_ROUND,
        ),
        floor
        <= f_gap / (gamma * count) + 2 * rest + 2 * per_round * sympy.sqrt((count + 1) / 2) + L * gamma / 2,
    )
    stated = obligation(
        "which is the stated bound",
        (mean.conclusion, WHOLE, PER_ROUND, GAMMA, BETA, CLIENTS, ROUNDS),
        floor <= bound.value(**{**LETTERS, "V": V}),
    )
    nodes = (*kept, *average, down, *noise, *sums, rests, falls, least, mean, stated)
    return Proof((*PROBLEM, feedback, *NOISE_BASE, VARIANCE), nodes)


_WIDER = _theorem(PRIVATE_WIDE, WIDE, R, "R")
_LESS = obligation(
    "at K > 0 and V > 0: √(2β²(K+2)V/n) < 2√(β²(K+1)V/n), Theorem 2's noise term",
    (BETA, CLIENTS, VARIANCE, ROUNDS),
    sympy.Implies(
        (K > 0) & (V > 0),
        sympy.sqrt(2 * beta**2 * (K + 2) * V / n) < 2 * sympy.sqrt(beta**2 * (K + 1) * V / n),
    ),
)
OUR_WIDE = Claim(
    id="NEC-OUR-T2-WIDE",
    paper=PAPER,
    place="our generalisation of Theorem 2",
    kind="ours",
    printed="Under Theorem 2's other conditions, with independent noises and ĝ⁰ = (1/n)Σg_i⁰, and for all β ≤ (√α + √R)² in place of "
    "β < α + R: min_{k∈[0,K]} E‖∇f(x^k)‖ ≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2R + (L/2)γ + √(2β²(K+2)V/n), V = E‖z_i‖². At K > 0 and V > 0 "
    "this is below Theorem 2's bound (Appendix G).",
    reason="The error of the clients stays at most R; the noise adds √(β²kV/n) in round k, and its mean over the rounds counts.",
    proof=Proof(_WIDER.assumptions, (_LESS, *_WIDER.nodes)),
)
OUR_SHARP = Claim(
    id="NEC-OUR-T2-SHARP",
    paper=PAPER,
    place="our sharpening of Theorem 2",
    kind="ours",
    printed="Under NEC-OUR-T2-WIDE's other conditions, and for β ≤ α: its 2R can be replaced by 2R(1 − β/(α+R)).",
    reason="As without noise: what remains of a residual is at most R(1 − β/(α+R)).",
    proof=_theorem(PRIVATE_SHARP, GENTLE, R * (1 - beta / (alpha + R)), "R(1 − β/(α+R))"),
)
CLAIMS = (OUR_WIDE, OUR_SHARP)
