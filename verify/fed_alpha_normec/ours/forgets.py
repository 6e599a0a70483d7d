"""One local step: Fed-α-NormEC forgets where its memories start, as α-NormEC does (`verify.alpha_normec.ours.forgets`).

Every client updates its memory in every round, whether it sends or not, so that its residual r has the same potential
φ(r) = r²/2 + αr: a round takes (β − a)w off it and adds αa + a²/2, a = Lη. What partial participation and noise do to the
server's sum is the walk of `averaged`.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from bounds.fed_alpha_normec import forgets
from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.lemmas import descent as de
from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import LINK, SHRUNK, START, moved, r, r_0, r_next, w
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    VARIANCE,
    F,
    K,
    L,
    M,
    R,
    alpha,
    beta,
    claim,
    eta,
)
from verify.fed_alpha_normec.ours import averaged as av
from verify.fed_alpha_normec.ours import rounds as ro
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

before, after, pot, pot_next, pot_start, lost, share, left = letters("Σφ Σφ⁺ φ φ⁺ φ⁰ ΣEw̄ ΣEw̄/m w̄")
f_k, f_after, W, total_W, k, low, n, sums, dev = (
    ro.f_k, ro.f_after, ro.W, ro.total_W, ro.k, ro.low, ro.n, ro.sums, ro.dev,
)  # fmt: skip
MILD = hypothesis(forgets.MILD.printed, beta <= sympy.sqrt(2 * alpha**2))
STRIDE = hypothesis(forgets.STRIDE.printed, eta < beta / L)
SIZES = (ALPHA, BETA, SMOOTH, ETA)


def phi(x: sympy.Expr) -> sympy.Expr:
    """The potential of a residual."""
    return x**2 / 2 + alpha * x


FALL = obligation(
    "φ(w) + βw ≤ φ(r), φ(x) = x²/2 + αx", (ALPHA, BETA, MILD, SHRUNK), phi(w) + beta * w <= phi(r)
)
LEFT = definition("w̄ is the mean of the w over the clients", equal(left * M, sums))


@dataclass(frozen=True)
class Falling:
    """What a round in which no P_i moves by more than a takes off the potential, as a multiple of w̄, and what it adds."""

    rate: sympy.Expr
    charge: sympy.Expr
    nodes: tuple[Node, ...]

    @property
    def mean(self) -> Fact:
        """φ⁺ + (β − a)w̄ ≤ φ + αa + a²/2 and φ, φ⁺ ≥ 0, for the means over the clients, in expectation."""
        last = self.nodes[-1]
        assert isinstance(last, Obligation)
        return last.conclusion


def falling(
    a: sympy.Expr, move: Fact, longer: Fact, fall: Fact = FALL.conclusion, over: sympy.Expr = sympy.S.Zero
) -> Falling:
    """move: ‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ a. longer: a < β. fall: φ(w) + βw ≤ φ(r) + over."""
    rate, charge, text = beta - a, alpha * a + a**2 / 2 + over, f"αa + a²/2{' + over' if over else ''}"
    client = obligation(
        f"φ(r⁺) + (β − a)w ≤ φ(r) + {text}",
        (*SIZES, SHRUNK, LINK, fall, move),
        (phi(r_next) + rate * w <= phi(r) + charge) & (phi(r_next) >= 0) & (phi(r) >= 0),
    )
    summed = Fact(
        f"Σφ⁺ + (β − a)Σw ≤ Σφ + n({text}), Σφ, Σφ⁺ ≥ 0",
        (after + rate * sums <= before + n * charge) & (after >= 0) & (before >= 0),
        "derived",
    )
    over_clients = Induction(
        summed.name,
        summed,
        obligation("no client", (), (0 + rate * 0 <= 0 + 0 * charge) & sympy.Ge(0, 0) & sympy.Ge(0, 0)),
        obligation(
            "one client more",
            (summed, client.conclusion),
            (after + phi(r_next) + rate * (sums + w) <= before + phi(r) + (n + 1) * charge)
            & (after + phi(r_next) >= 0)
            & (before + phi(r) >= 0),
        ),
        start=((n, 0), (sums, 0), (before, 0), (after, 0)),
        next=((n, n + 1), (sums, sums + w), (before, before + phi(r)), (after, after + phi(r_next))),
    )
    means = definition(
        "φ, φ⁺ are the means over the clients", equal(pot * M, before) & equal(pot_next * M, after)
    )
    mean = obligation(
        f"φ⁺ + (β − a)w̄ ≤ φ + {text}",
        (*SIZES, longer, CLIENTS, summed.at({n: M}), means, LEFT, ro.IN_MEAN),
        (pot_next + rate * left <= pot + charge) & (pot_next >= 0) & (pot >= 0),
    )
    return Falling(rate, charge, (client, over_clients, mean))


STARTS = Fact("Σφ(r⁰) ≤ nφ(R), and ≥ 0", (before <= n * phi(R)) & (before >= 0), "derived")
OVER_STARTS = Induction(
    STARTS.name,
    STARTS,
    obligation("no client", (), (0 <= 0 * phi(R)) & sympy.Ge(0, 0)),
    obligation(
        "one client more",
        (ALPHA, RADIUS, STARTS, START),
        (before + phi(r_0) <= (n + 1) * phi(R)) & (before + phi(r_0) >= 0),
    ),
    start=((n, 0), (before, 0)),
    next=((n, n + 1), (before, before + phi(r_0))),
)
FIRST = obligation(
    "φ⁰ ≤ φ(R), and ≥ 0",
    (CLIENTS, STARTS.at({n: M}), definition("φ⁰ is the mean at the start", equal(pot_start * M, before))),
    (pot_start <= phi(R)) & (pot_start >= 0),
)

a = L * eta
MOVE = obligation(
    "‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ Lη",
    (
        SMOOTH,
        ETA,
        ro.STEP_LENGTH.conclusion,
        standard("P_i = ∇f_i is L-Lipschitz", (moved >= 0) & (moved <= L * gd.D_0)),
    ),
    moved <= a,
)
ONE = falling(a, MOVE.conclusion, STRIDE)
rate, charge = ONE.rate, ONE.charge
NEAR = obligation(
    "‖∇f(xᵏ) − v̄ᵏ⁺¹‖ ≤ w̄", (CLIENTS, LEFT, ro.MEAN_OF, ro.ONE_LOCAL_STEP, ro.UNBIASED), dev <= left
)
PAID = Fact(
    "(β − a)Σ_{l<k} Ew̄ + φ ≤ φ(R) + k(αa + a²/2), φ ≥ 0",
    (rate * lost + pot <= phi(R) + k * charge) & (pot >= 0),
    "derived",
)
OVER_ROUNDS = Induction(
    PAID.name,
    PAID,
    obligation(
        "no round", (FIRST.conclusion,), (rate * 0 + pot_start <= phi(R) + 0 * charge) & (pot_start >= 0)
    ),
    obligation(
        "one round more",
        (PAID, ONE.mean),
        (rate * (lost + left) + pot_next <= phi(R) + (k + 1) * charge) & (pot_next >= 0),
    ),
    start=((lost, 0), (pot, pot_start), (k, 0)),
    next=((lost, lost + left), (pot, pot_next), (k, k + 1)),
)
TELESCOPED = Fact(
    "E f(xᵏ) − f^inf + η Σ E‖∇f‖ ≤ f(x⁰) − f^inf + kLη²/2 + 2η(Σ Ew̄ + Σ E‖e‖)",
    f_k + eta * total_W <= F + k * L * eta**2 / 2 + 2 * eta * (lost + av.errors),
    "derived",
)
TELESCOPE = Induction(
    TELESCOPED.name,
    TELESCOPED,
    obligation("before round 0", (), F + eta * 0 <= F + 0 * L * eta**2 / 2 + 2 * eta * 0),
    obligation(
        "after one round more",
        (TELESCOPED, ETA, SMOOTH, ro.DESCEND.conclusion.at(ro.ROUND), NEAR.conclusion, ro.IN_MEAN),
        f_after + eta * (total_W + W)
        <= F + (k + 1) * L * eta**2 / 2 + 2 * eta * (lost + left + av.errors + no.after),
    ),
    start=((f_k, F), (total_W, 0), (k, 0), (lost, 0), (av.errors, 0)),
    next=(
        (f_k, f_after),
        (total_W, total_W + W),
        (k, k + 1),
        (lost, lost + left),
        (av.errors, av.errors + no.after),
    ),
)
_SHARE = definition("a letter for the mean over the rounds", equal(share * (K + 1), lost))
SMALL = obligation(
    "ΣEw̄/(K+1) ≤ (φ(R)/(K+1) + αa + a²/2)/(β − a)",
    (*SIZES, STRIDE, ROUNDS, PAID.at(ro.AFTER_ALL), _SHARE),
    share <= (phi(R) / (K + 1) + charge) / rate,
)
END = obligation(
    "min E‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/((K+1)η) + Lη/2 + 2ΣEw̄/(K+1) + 2c_e√((K+2)/2)",
    (
        ETA,
        ROUNDS,
        ro.BOUNDED,
        av.SCALE,
        _SHARE,
        av.ERRORS.at(ro.AFTER_ALL),
        TELESCOPED.at(ro.AFTER_ALL),
        ro.LEAST.at(ro.AFTER_ALL),
    ),
    low <= F / ((K + 1) * eta) + L * eta / 2 + 2 * share + 2 * av.scale * sympy.sqrt((K + 2) / 2),
)
STATED = obligation(
    "which is the stated bound",
    (
        *SIZES,
        STRIDE,
        CLIENTS,
        ROUNDS,
        PARTICIPATION,
        VARIANCE,
        no.TIGHT_B,
        av.SCALE,
        END.conclusion,
        SMALL.conclusion,
    ),
    low <= ro.right_side(forgets.ONE_STEP_FORGETS),
)
_NODES = (
    ro.STEP_LENGTH, MOVE, FALL, *ONE.nodes, NEAR, OVER_STARTS, FIRST, OVER_ROUNDS, de.LEMMA4_ANY, ro.DESCEND,
    no.ONE_MINUS_Q, no.Q_SQUARED, no.TIGHT, no.over_clients(no.TIGHT.conclusion), no.AVERAGED, no.OVER_ROUNDS, av.EACH,
    av.LATEST, av.ROOTS, av.OVER_ERRORS, TELESCOPE, ro.AT_LEAST, SMALL, END, STATED,
)  # fmt: skip
R1_FORGETS = claim(
    "FED-R1-FORGETS",
    "ours, Theorem 1 for one local step from any memories",
    "ours",
    "If β ≤ √2 α and η < β/L, then for every R ≥ max_i ‖∇f_i(x⁰) − v_i⁰‖: min_k E‖∇f(xᵏ)‖ ≤ (f(x⁰)−f^inf)/((K+1)η) + Lη/2 + "
    "((R² + 2αR)/(K+1) + 2αa + a²)/(β − a) + √(2β²(K+2)(1−p+V)/(pM)), a = Lη, V = E‖z‖²",
    "What is left of a client's residual after a round adds up to a bounded number plus a multiple of η (NEC-OUR-T1-FORGETS), so "
    "that R is paid for once and not in every round.",
    proof=Proof((*ro.ONE_STEP_HYPOTHESES, MILD, STRIDE), _NODES),
    consequence="It says something for v_i⁰ = 0, for which the bounds with 2R say nothing (FED-INIT), where V does not move with K; "
    "with the noise of privacy, whose V grows with K + 1, only for pM > 32V/(K+1) (FED-R1-FORGETS@noise).",
)
CLAIMS = (R1_FORGETS,)
