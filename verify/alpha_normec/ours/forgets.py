"""α-NormEC forgets where its memories start: bounds without the 2R of Theorems 1 and 2, also from zero memories.

The induction behind Theorem 1 keeps what the update leaves of a residual below R in every round. But only the mean of that over
the rounds enters the descent, and it falls: the potential r²/2 + αr of a residual r pays for it once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import sympy

from bounds.alpha_normec.forgets import MILD, PRIVATE_CLIP, PRIVATE_FORGETS, STRIDE, THEOREM1_FORGETS
from bounds.statement import Bound
from verify.alpha_normec.lemmas.lemma3 import NOISE_BASE, VARIANCE, V, noise_nodes
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    GAMMA,
    GAP,
    LETTERS,
    PAPER,
    RADIUS,
    RESIDUAL,
    ROUNDS,
    SMOOTH,
    SMOOTH_MAX,
    L,
    L_max,
    R,
    alpha,
    beta,
    f_gap,
    gamma,
    r,
    r_next,
    w,
)
from verify.alpha_normec.ours.averaged import (
    PER_ROUND,
    errors,
    lost,
    per_round,
    summed_descent,
    summed_errors,
)
from verify.alpha_normec.theorems import descent
from verify.alpha_normec.theorems.descent import (
    BOUNDED,
    CITE_LEMMA1,
    COUNTED,
    FALL,
    QUIET,
    SMOOTH_I,
    START,
    WHOLE,
    count,
    error,
    floor,
    mean_error,
    total,
)
from verify.claim import Claim
from verify.facts import Fact, definition, derived, equal, hypothesis
from verify.gram import Space, vectors
from verify.identity import Limit
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

left, before, after, starting, pot, pot_next, pot_start = sympy.symbols("Σw Σφ Σφ⁺ Σφ⁰ φ φ⁺ φ⁰", real=True)
MILD_STEP = hypothesis(MILD.printed, MILD.relation(LETTERS))
LONG_MESSAGE = hypothesis(STRIDE.printed, STRIDE.relation(LETTERS))
WITHIN = hypothesis("‖∇f_i(x⁰) − g_i⁰‖ ≤ R for all i", START.relation)
NORMS = definition("residuals are norms", (w >= 0) & (r_next >= 0))
SEVERAL = definition("m ≥ 0", count >= 0)
SOME = definition("m ≥ 1", count >= 1)


class Potential(Protocol):
    """φ(r) of a residual r, what a round takes off it for each unit of w, and what the move of the gradients adds."""

    rate: sympy.Expr
    charge: sympy.Expr

    def __call__(self, x: sympy.Expr) -> sympy.Expr: ...


class _Potential:
    """φ(r) = r²/2 + αr, what a round takes off it, β − a, and what the move of the gradients adds, αa + a²/2; a = L_max γ."""

    def __init__(self, smoothing: sympy.Expr, message: sympy.Expr) -> None:
        a = L_max * gamma
        self.smoothing = smoothing
        self.rate, self.charge = message - a, smoothing * a + a**2 / 2

    def __call__(self, x: sympy.Expr) -> sympy.Expr:
        return x**2 / 2 + self.smoothing * x


def _by_normalisation() -> list[Node]:
    """φ(w) + βw ≤ φ(r) where w = |1 − β/(α+r)| r is what Norm_α leaves of r."""
    fall = obligation(
        "w²/2 + αw + βw ≤ r²/2 + αr",
        (ALPHA, BETA, MILD_STEP, RESIDUAL, CITE_LEMMA1.conclusion),
        w**2 / 2 + alpha * w + beta * w <= r**2 / 2 + alpha * r,
    )
    return [CITE_LEMMA1, fall]


def clipped() -> Obligation:
    """w = max(r − τ, 0) is what Clip_τ leaves of r; the letter β is τ."""
    share: Any = sympy.Symbol("c", real=True)
    (residual,) = vectors("∇f_i(x)−g_i")
    space = Space((residual,))
    length, rest = space.norm(residual, "r"), space.norm(residual - share * residual, "w")
    clip = definition(
        "Clip_τ(v) = cv with c = 1 where ‖v‖ ≤ τ, and c‖v‖ = τ elsewhere",
        ((r <= beta) & equal(share, 1)) | ((r > beta) & equal(share * r, beta)),
    )
    assert (length, rest) == (r, w)
    return obligation(
        "‖v − Clip_τ(v)‖ = max(‖v‖ − τ, 0)",
        (BETA, clip, *space.facts()),
        equal(w, sympy.Max(r - beta, 0)),
    )


def _by_clipping() -> list[Node]:
    """φ(w) + τw ≤ φ(r) at α = 0."""
    left_of = clipped()
    fall = obligation(
        "w²/2 + τw ≤ r²/2", (BETA, RESIDUAL, left_of.conclusion), w**2 / 2 + beta * w <= r**2 / 2
    )
    return [left_of, fall]


def one_round(
    phi: Potential,
    sizes: Sequence[Fact],
    longer: Fact,
    fall: Fact,
    name: str,
    here: sympy.Symbol = r,
    is_norm: Fact = RESIDUAL,
) -> list[Node]:
    """φ(r⁺) + φ.rate w ≤ φ(r) + φ.charge for a client, then for the mean over the clients, whose ‖∇f − g⁺‖ is at most the
    mean of the w. here: the letter for a round's residual, a norm by `is_norm`."""
    short = descent.steps_are_short()
    grown = descent.residual_grows_slowly(short.conclusion)
    client = obligation(
        f"φ(r⁺) + {name}w ≤ φ(r) + charge",
        (*sizes, GAMMA, SMOOTH_MAX, is_norm, NORMS, fall, grown.conclusion),
        (phi(r_next) + phi.rate * w <= phi(here) + phi.charge) & (phi(r_next) >= 0),
    )
    sum_of, one = vectors("Σ∇f_i−g_i ∇f_i−g_i")
    space = Space((sum_of, one))
    assert (space.norm(sum_of, "total"), space.norm(one, "w")) == (total, w)
    both = space.norm(sum_of + one, "total_next")

    def summed(length, lefts, later, now, m):
        return (length <= lefts) & (later + phi.rate * lefts <= now + m * phi.charge) & (later >= 0)

    over = derived(
        f"‖Σ_{{i≤m}}(∇f_i − g_i⁺)‖ ≤ Σw, Σφ⁺ + {name}Σw ≤ Σφ + m charge, Σφ⁺ ≥ 0",
        summed(total, left, after, before, count),
    )
    zero = sympy.Integer(0)
    none = Obligation("no client", (), derived("start", summed(zero, zero, zero, zero, zero)))
    more = Obligation(
        "one client more",
        (over, client.conclusion, SEVERAL, *space.facts()),
        derived("step", summed(both, left + w, after + phi(r_next), before + phi(here), count + 1)),
    )
    clients = Induction(
        over.name, over, none, more,
        ((total, 0), (left, 0), (after, 0), (before, 0), (count, 0)),
        ((total, both), (left, left + w), (after, after + phi(r_next)), (before, before + phi(here)), (count, count + 1)),
    )  # fmt: skip
    means = definition(
        "φ, φ⁺ are the means over the n clients, g = (1/n)Σg_i",
        equal(pot * count, before) & equal(pot_next * count, after) & equal(mean_error * count, total),
    )
    mean = obligation(
        f"φ⁺ + {name}‖∇f − g⁺‖ ≤ φ + charge",
        (*sizes, longer, GAMMA, SMOOTH_MAX, over, SOME, means),
        (pot_next + phi.rate * mean_error <= pot + phi.charge) & (pot_next >= 0),
    )
    return [short, grown, client, clients, mean]


def _paid_once(phi: Potential, sizes: Sequence[Fact], mean: Fact, name: str) -> list[Node]:
    """{name}Σ_{k<m} ‖∇f(x^k) − g^{k+1}‖ ≤ φ(R) + m φ.charge, {name} being φ.rate."""
    within = derived("Σ_{i≤m} φ(r_i⁰) ≤ mφ(R), and ≥ 0", (starting <= count * phi(R)) & (starting >= 0))
    none = Obligation("no client", (), derived("start", sympy.Le(0, 0 * phi(R)) & sympy.Ge(0, 0)))
    more = Obligation(
        "one client more",
        (*sizes, within, WITHIN, RESIDUAL, RADIUS, SEVERAL),
        derived("step", (starting + phi(r) <= (count + 1) * phi(R)) & (starting + phi(r) >= 0)),
    )
    starts = Induction(within.name, within, none, more, ((starting, 0), (count, 0)),
                       ((starting, starting + phi(r)), (count, count + 1)))  # fmt: skip
    start = obligation(
        "φ⁰ ≤ φ(R), and ≥ 0",
        (within, SOME, definition("φ⁰ is the mean at the start", equal(pot_start * count, starting))),
        (pot_start <= phi(R)) & (pot_start >= 0),
    )
    paid = derived(
        f"{name}Σ_{{k<m}}‖∇f − g⁺‖ + φ ≤ φ(R) + m charge, φ ≥ 0",
        (phi.rate * lost + pot <= phi(R) + count * phi.charge) & (pot >= 0),
    )
    first = Obligation("no iteration", (start.conclusion,),
                       derived("start", (phi.rate * 0 + pot_start <= phi(R) + 0 * phi.charge) & (pot_start >= 0)))  # fmt: skip
    later = Obligation(
        "one iteration more",
        (paid, mean),
        derived(
            "step",
            (phi.rate * (lost + mean_error) + pot_next <= phi(R) + (count + 1) * phi.charge)
            & (pot_next >= 0),
        ),
    )
    over = Induction(paid.name, paid, first, later, ((lost, 0), (pot, pot_start), (count, 0)),
                     ((lost, lost + mean_error), (pot, pot_next), (count, count + 1)))  # fmt: skip
    return [starts, start, over]


_EQUAL = derived("Σ_{k<m} ‖∇f − ĝ‖ = Σ_{k<m} ‖∇f − g‖", equal(errors, lost))
_NO_ROUND = ((errors, 0), (lost, 0))
_NEXT_ROUND = ((errors, errors + error), (lost, lost + mean_error))
_SILENT = Induction(
    _EQUAL.name,
    _EQUAL,
    Obligation("no round", (), derived("no round", _EQUAL.at(dict(_NO_ROUND)).relation)),
    Obligation(
        "one round more", (_EQUAL, QUIET), derived("one round more", _EQUAL.at(dict(_NEXT_ROUND)).relation)
    ),
    _NO_ROUND,
    _NEXT_ROUND,
)


def forgotten(
    value: sympy.Expr,
    phi: Potential,
    sizes: tuple[Fact, ...],
    longer: Fact,
    rounds: list[Node],
    name: str,
    noisy: bool,
) -> tuple[Node, ...]:
    """From what a round takes off the potential to min_k E‖∇f(x^k)‖ ≤ value. sizes: domains of the operator's letters;
    longer: what a round takes off is positive."""
    once = _paid_once(phi, sizes, rounds[-1].conclusion, name)
    down = descent.normalised_descent()
    fall, least = summed_descent(down.conclusion)
    *lemma3, _ = noise_nodes(V, VARIANCE)
    sums = summed_errors(lemma3[-1].conclusion) if noisy else [_SILENT]
    told: tuple[Fact, ...] = (sums[-1].conclusion, *((PER_ROUND,) if noisy else ()))
    noise = per_round * sympy.sqrt((count + 1) / 2) if noisy else sympy.Integer(0)
    clients = obligation(
        f"ΣE‖∇f − g⁺‖ ≤ (φ(R) + m charge)/{name}",
        (*sizes, longer, GAMMA, SMOOTH_MAX, once[-1].conclusion),
        lost <= (phi(R) + count * phi.charge) / phi.rate,
    )
    mean_left = sympy.Symbol("ΣE‖∇f−g‖/m", real=True)
    letter = definition("a letter for the mean", equal(mean_left * count, lost))
    mean = obligation(
        "min E‖∇f(xᵏ)‖ ≤ (f(x⁰) − f^inf)/(γm) + Lγ/2 + 2ΣE‖∇f − g⁺‖/m + noise",
        (GAMMA, fall.conclusion, least.conclusion, *told, COUNTED, BOUNDED, FALL, letter),
        floor <= f_gap / (gamma * count) + L * gamma / 2 + 2 * mean_left + 2 * noise,
    )
    share = obligation(
        f"ΣE‖∇f − g⁺‖/m ≤ (φ(R)/m + charge)/{name}",
        (*sizes, longer, GAMMA, SMOOTH_MAX, clients.conclusion, letter, COUNTED),
        mean_left <= (phi(R) / count + phi.charge) / phi.rate,
    )
    stated = obligation(
        "which is the stated bound",
        (mean.conclusion, share.conclusion, WHOLE, GAMMA, SMOOTH_MAX, *sizes, longer, ROUNDS,
         *((PER_ROUND, CLIENTS) if noisy else ())),
        floor <= value,
    )  # fmt: skip
    return (
        *rounds,
        *once,
        down,
        *(lemma3 if noisy else ()),
        *sums,
        fall,
        least,
        clients,
        mean,
        share,
        stated,
    )


def _theorem(
    bound: Bound,
    phi: Potential,
    sizes: tuple[Fact, ...],
    longer: Fact,
    falls: list[Node],
    name: str,
    noisy: bool,
) -> Proof:
    """A bound of `bounds.alpha_normec.forgets`. longer: a < β (or τ)."""
    rounds = one_round(phi, sizes, longer, falls[-1].conclusion, name)
    value = bound.value(**{**LETTERS, "tau": beta, "V": V})  # the letter β is τ where Ψ is Clip_τ
    shared = (GAMMA, SMOOTH, SMOOTH_MAX, SMOOTH_I, WITHIN, BOUNDED, *sizes, longer)
    chance = tuple(fact for fact in (*NOISE_BASE, VARIANCE) if fact not in shared)
    nodes = (*falls, *forgotten(value, phi, sizes, longer, rounds, name, noisy))
    return Proof((*shared, *(chance if noisy else (QUIET,))), nodes)


_NORM = (_Potential(alpha, beta), (ALPHA, BETA, MILD_STEP), LONG_MESSAGE, _by_normalisation(), "(β − a)")
_TIMES, _inverse = sympy.symbols("c 1/√(K+1)", real=True)
_SCHEDULE = hypothesis("γ = c/√(K+1), c > 0", _TIMES > 0)
_RATE = Limit(
    "√(K+1) times the bound at γ = c/√(K+1) → (f(x⁰) − f^inf)/c + Lc/2 + 2αcL_max/β",
    THEOREM1_FORGETS.value(**{**LETTERS, "gamma": _TIMES * _inverse, "K": _inverse**-2 - 1}) / _inverse,
    _inverse,
    sympy.Integer(0),
    f_gap / _TIMES + L * _TIMES / 2 + 2 * alpha * _TIMES * L_max / beta,
    given=(ALPHA, BETA, SMOOTH, SMOOTH_MAX, _SCHEDULE, RADIUS, GAP),
)
FORGETS_RATE = Claim(
    id="NEC-OUR-T1-FORGETS@rate",
    paper=PAPER,
    place="ours: the rate of NEC-OUR-T1-FORGETS",
    kind="ours",
    printed="With fixed α, β and R and γ = c/√(K+1) the bound of NEC-OUR-T1-FORGETS is O(1/√K): √(K+1) times it tends to "
    "(f(x⁰) − f^inf)/c + Lc/2 + 2αcL_max/β.",
    reason="What R costs is paid once and falls like 1/K.",
    proof=Proof((ALPHA, BETA, SMOOTH, SMOOTH_MAX, _SCHEDULE), (_RATE,)),
)
_BOUND = "(f(x⁰) − f^inf)/(γ(K+1)) + (L/2)γ + ((R² + 2αR)/(K+1) + 2αa + a²)/(β − a)"
OUR_T1 = Claim(
    id="NEC-OUR-T1-FORGETS",
    paper=PAPER,
    place="ours: Theorem 1 from any memories",
    kind="ours",
    printed=f"For β ≤ √2 α and γ < β/L_max, and any R ≥ max_i ‖∇f_i(x⁰) − g_i⁰‖: min_k ‖∇f(x^k)‖ ≤ {_BOUND}, a = L_max γ.",
    reason="A residual r has the potential r²/2 + αr, which falls by (β − a)w in a round and rises by αa + a²/2, where w is what "
    "the round leaves of r; so the w add up to a bounded number plus a multiple of γ, and 2R is paid once and not in each round.",
    proof=_theorem(THEOREM1_FORGETS, *_NORM, noisy=False),
    consequence="With fixed α and β and γ of order 1/√K it is O(1/√K) from any memories, zero among them "
    "(NEC-OUR-T1-FORGETS@rate): Corollary 1's R = O(1/√K) is not needed.",
)
OUR_T2 = Claim(
    id="NEC-OUR-T2-FORGETS",
    paper=PAPER,
    place="ours: Theorem 2 from any memories",
    kind="ours",
    printed="For β ≤ √2 α and γ < β/L_max, and any R ≥ max_i ‖∇f_i(x⁰) − g_i⁰‖, with independent noises: "
    f"min_k E‖∇f(x^k)‖ ≤ {_BOUND} + √(2β²(K+2)V/n), a = L_max γ, V = E‖z_i‖².",
    reason="The clients' memories hold no noise: the potential of NEC-OUR-T1-FORGETS falls on every path, and the noise adds its "
    "mean over the rounds, as in NEC-OUR-T2-WIDE.",
    proof=_theorem(PRIVATE_FORGETS, *_NORM, noisy=True),
)
_CLIP = (_Potential(sympy.Integer(0), beta), (BETA,), LONG_MESSAGE, _by_clipping(), "(τ − a)")
OUR_CLIP = Claim(
    id="NEC-OUR-T2-CLIP",
    paper=PAPER,
    place="ours: Theorem 2 for DP-Clip21 with a normalised server step",
    kind="ours",
    printed="Algorithm 1 with Clip_τ(v)/τ for Norm_α(v) and β = τ, τ > L_max γ, any R ≥ max_i ‖∇f_i(x⁰) − g_i⁰‖, with independent "
    "noises: min_k E‖∇f(x^k)‖ ≤ (f(x⁰) − f^inf)/(γ(K+1)) + (L/2)γ + (R²/(K+1) + a²)/(τ − a) + √(2τ²(K+2)V/n), a = L_max γ, V = "
    "E‖z_i‖².",
    reason="Clipping leaves max(r − τ, 0) of a residual r; the potential r²/2 pays for it, as r²/2 + αr does for Norm_α.",
    proof=_theorem(PRIVATE_CLIP, *_CLIP, noisy=True),
    consequence="With a normalised server step a private guarantee does not need smoothed normalisation: clipping has the same one "
    "without the terms in α, for every τ > L_max γ. (The paper's Clip21 steps by γg; that such a step has none is not shown.)",
)
CLAIMS = (OUR_T1, FORGETS_RATE, OUR_T2, OUR_CLIP)
