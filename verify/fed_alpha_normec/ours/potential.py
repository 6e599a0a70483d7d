"""What a potential of the clients' residuals pays for: a round of a client, of the mean over the clients, and all rounds.

Every client updates its memory in every round, whether it sends or not. So its residual r has a potential φ(r) that a round lessens
by `rate` for each unit of w, what is left of r, and raises by `charge` at most. `forgets` and `contracted` each have one; what partial
participation and noise do to the server's sum is the walk of `averaged`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy

from verify.facts import Fact, definition, derived, equal, letters, standard
from verify.fed_alpha_normec.lemmas import descent as de
from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import LINK, SHRUNK, START, moved, r, r_0, r_next, w
from verify.fed_alpha_normec.letters import CLIENTS, ETA, ROUNDS, SMOOTH, F, K, L, M, R, eta
from verify.fed_alpha_normec.ours import averaged as av
from verify.fed_alpha_normec.ours import rounds as ro
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node

before, after, starting, pot, pot_next, pot_start, lost, share, left = letters(
    "Σφ Σφ⁺ Σφ⁰ φ φ⁺ φ⁰ ΣEw̄ ΣEw̄/m w̄"
)
f_k, f_after, W, total_W, k, low, n, sums, dev = (
    ro.f_k, ro.f_after, ro.W, ro.total_W, ro.k, ro.low, ro.n, ro.sums, ro.dev,
)  # fmt: skip
LEFT = definition("w̄ is the mean of the w over the clients", equal(left * M, sums))


@dataclass(frozen=True)
class Potential:
    """φ, the rate at which a round takes it down and the charge by which it goes up, both with their names in print.

    sizes: what is known of their letters. positive: the rate is. grows: what φ(r) ≤ φ(R) for r ≤ R rests on.
    """

    at: Callable[[sympy.Expr], sympy.Expr]
    rate: sympy.Expr
    charge: sympy.Expr
    names: tuple[str, str]
    sizes: tuple[Fact, ...]
    positive: Fact
    grows: tuple[Fact, ...]


@dataclass(frozen=True)
class Falling:
    """What a round in which no P_i moves by more than a takes off the potential, as a multiple of w̄, and what it adds."""

    rate: sympy.Expr
    charge: sympy.Expr
    nodes: tuple[Node, ...]

    @property
    def mean(self) -> Fact:
        """φ⁺ + rate w̄ ≤ φ + charge and φ, φ⁺ ≥ 0, for the means over the clients, in expectation."""
        last = self.nodes[-1]
        assert isinstance(last, Obligation)
        return last.conclusion


def one_round(phi: Potential, fall: Fact, move: Fact) -> Falling:
    """move: ‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ a. fall: what the memory's step takes off a client's potential."""
    rate, charge, (takes, adds) = phi.rate, phi.charge, phi.names
    client = obligation(
        f"φ(r⁺) + {takes}w ≤ φ(r) + {adds}",
        (*phi.sizes, SHRUNK, LINK, fall, move),
        (phi.at(r_next) + rate * w <= phi.at(r) + charge) & (phi.at(r_next) >= 0) & (phi.at(r) >= 0),
    )
    summed = derived(
        f"Σφ⁺ + {takes}Σw ≤ Σφ + n({adds}), Σφ, Σφ⁺ ≥ 0",
        (after + rate * sums <= before + n * charge) & (after >= 0) & (before >= 0),
    )
    over_clients = Induction(
        summed.name,
        summed,
        obligation("no client", (), (0 + rate * 0 <= 0 + 0 * charge) & sympy.Ge(0, 0) & sympy.Ge(0, 0)),
        obligation(
            "one client more",
            (summed, client.conclusion),
            (after + phi.at(r_next) + rate * (sums + w) <= before + phi.at(r) + (n + 1) * charge)
            & (after + phi.at(r_next) >= 0)
            & (before + phi.at(r) >= 0),
        ),
        start=((n, 0), (sums, 0), (before, 0), (after, 0)),
        next=((n, n + 1), (sums, sums + w), (before, before + phi.at(r)), (after, after + phi.at(r_next))),
    )
    means = definition(
        "φ, φ⁺ are the means over the clients", equal(pot * M, before) & equal(pot_next * M, after)
    )
    mean = obligation(
        f"φ⁺ + {takes}w̄ ≤ φ + {adds}",
        (*phi.sizes, phi.positive, CLIENTS, summed.at({n: M}), means, LEFT, ro.IN_MEAN),
        (pot_next + rate * left <= pot + charge) & (pot_next >= 0) & (pot >= 0),
    )
    return Falling(rate, charge, (client, over_clients, mean))


def at_the_start(phi: Potential) -> tuple[Induction, Obligation]:
    """φ⁰ ≤ φ(R), and ≥ 0, φ⁰ being the mean over the clients."""
    starts = derived("Σφ(r⁰) ≤ nφ(R), and ≥ 0", (starting <= n * phi.at(R)) & (starting >= 0))
    over_starts = Induction(
        starts.name,
        starts,
        obligation("no client", (), (0 <= 0 * phi.at(R)) & sympy.Ge(0, 0)),
        obligation(
            "one client more",
            (*phi.grows, starts, START),
            (starting + phi.at(r_0) <= (n + 1) * phi.at(R)) & (starting + phi.at(r_0) >= 0),
        ),
        start=((n, 0), (starting, 0)),
        next=((n, n + 1), (starting, starting + phi.at(r_0))),
    )
    first = obligation(
        "φ⁰ ≤ φ(R), and ≥ 0",
        (
            CLIENTS,
            starts.at({n: M}),
            definition("φ⁰ is the mean at the start", equal(pot_start * M, starting)),
        ),
        (pot_start <= phi.at(R)) & (pot_start >= 0),
    )
    return over_starts, first


# One local step.
MOVE = obligation(
    "‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ Lη",
    (
        SMOOTH,
        ETA,
        ro.STEP_LENGTH.conclusion,
        standard("P_i = ∇f_i is L-Lipschitz", (moved >= 0) & (moved <= L * gd.D_0)),
    ),
    moved <= L * eta,
)
NEAR = obligation(
    "‖∇f(xᵏ) − v̄ᵏ⁺¹‖ ≤ w̄", (CLIENTS, LEFT, ro.MEAN_OF, ro.ONE_LOCAL_STEP, ro.UNBIASED), dev <= left
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


def all_rounds(phi: Potential, fall: Fact) -> tuple[tuple[Node, ...], Fact]:
    """With one local step: the nodes up to `END`, and what the mean of the w over clients and rounds is at most."""
    (takes, adds), once = phi.names, one_round(phi, fall, MOVE.conclusion)
    over_starts, first = at_the_start(phi)
    paid = derived(
        f"{takes}Σ_{{l<k}} Ew̄ + φ ≤ φ(R) + k({adds}), φ ≥ 0",
        (phi.rate * lost + pot <= phi.at(R) + k * phi.charge) & (pot >= 0),
    )
    over_rounds = Induction(
        paid.name,
        paid,
        obligation(
            "no round",
            (first.conclusion,),
            (phi.rate * 0 + pot_start <= phi.at(R) + 0 * phi.charge) & (pot_start >= 0),
        ),
        obligation(
            "one round more",
            (paid, once.mean),
            (phi.rate * (lost + left) + pot_next <= phi.at(R) + (k + 1) * phi.charge) & (pot_next >= 0),
        ),
        start=((lost, 0), (pot, pot_start), (k, 0)),
        next=((lost, lost + left), (pot, pot_next), (k, k + 1)),
    )
    small = obligation(
        f"ΣEw̄/(K+1) ≤ (φ(R)/(K+1) + {adds})/{takes}",
        (*phi.sizes, phi.positive, ROUNDS, paid.at(ro.AFTER_ALL), _SHARE),
        share <= (phi.at(R) / (K + 1) + phi.charge) / phi.rate,
    )
    nodes = (
        *once.nodes, NEAR, over_starts, first, over_rounds, de.LEMMA4_ANY, ro.DESCEND,
        no.ONE_MINUS_Q, no.Q_SQUARED, no.TIGHT, no.over_clients(no.TIGHT.conclusion), no.AVERAGED, no.OVER_ROUNDS, av.EACH,
        av.LATEST, av.ROOTS, av.OVER_ERRORS, TELESCOPE, ro.AT_LEAST, small, END,
    )  # fmt: skip
    return nodes, small.conclusion
