"""For which β α-NormEC forgets its memories at the rate 1/√K, with one constant for all that are within a given R of the gradients:
for β < 2α, and for no other.

For β < 2α the update lessens a residual r ≤ R by the factor 1 − η at least, η = min(β/(α+R), 2 − β/α), and gradients that move by
a = L_maxγ ≤ ηR leave it below R. So the potential (1 − η)r pays for what is left of the residuals. As R → ∞, η → 0 and the constant
grows without limit. For β ≥ 2α small residuals change their sign and do not lessen, and a run on a parabola can go to and fro between
two points.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.contracted import (
    KEPT,
    PRIVATE_CONTRACTS,
    THEOREM1_CONTRACTS,
    TWICE,
    left_over,
    lessened,
)
from bounds.alpha_normec.ours import noise_term
from bounds.statement import Bound
from verify.alpha_normec.lemmas.lemma2 import presupposed
from verify.alpha_normec.lemmas.lemma3 import NOISE_BASE, VARIANCE, V
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CONTRACTION,
    GAMMA,
    LETTERS,
    PAPER,
    RADIUS,
    SMOOTH,
    SMOOTH_MAX,
    K,
    L,
    L_max,
    R,
    alpha,
    beta,
    f_gap,
    gamma,
    n,
    r,
    r_next,
    w,
)
from verify.alpha_normec.ours.forgets import NORMS, WITHIN, forgotten, one_round
from verify.alpha_normec.theorems.descent import BOUNDED, CITE_LEMMA1, QUIET, SMOOTH_I, floor
from verify.claim import Claim, Values
from verify.computation import Comparison, Computation
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.facts import definition, derived, equal, hypothesis, letters
from verify.identity import Limit
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

F = Fraction
eta, now, rho, a, _c, _inverse = letters("η r_k ρ a c 1/√(K+1)")
BELOW_TWICE = hypothesis(TWICE.printed, TWICE.relation(LETTERS))
KEPT_STEP = hypothesis(KEPT.printed, KEPT.relation(LETTERS))
ETA = definition("η = min(β/(α+R), 2 − β/α)", equal(eta, lessened(alpha, beta, R)))


class _Shrinking:
    """φ(r) = (1 − η)r, what a round takes off it for each unit of w, η, and what the move of the gradients adds."""

    rate: sympy.Expr = eta
    charge: sympy.Expr = (1 - eta) * L_max * gamma

    def __call__(self, x: sympy.Expr) -> sympy.Expr:
        return (1 - eta) * x


LESSENS = obligation("0 < η ≤ 1", (ALPHA, BETA, BELOW_TWICE, RADIUS, ETA), (eta > 0) & (eta <= 1))
_IS_NORM = definition("r_k ≥ 0", now >= 0)
SHRUNK = obligation(
    "(1 − η)r_k at most is left of r_k ≤ R",
    (ALPHA, BETA, RADIUS, _IS_NORM, ETA, CITE_LEMMA1.conclusion.at({r: now})),
    sympy.Implies(now <= R, w <= (1 - eta) * now),
)
_SMALL = obligation(
    "a = L_maxγ ≤ ηR", (ALPHA, BETA, SMOOTH_MAX, RADIUS, KEPT_STEP, ETA), L_max * gamma <= eta * R
)


def _theorem(bound: Bound, noisy: bool) -> Proof:
    """A bound of `bounds.alpha_normec.contracted`."""
    phi, sizes = _Shrinking(), (LESSENS.conclusion,)
    every = derived("‖∇f_i(xᵏ) − g_iᵏ‖ ≤ R for all k", now <= R)
    fall = obligation("φ(w) + ηw ≤ φ(r_k)", (every, SHRUNK.conclusion), phi(w) + eta * w <= phi(now))
    short, grown, *rounds = one_round(phi, sizes, LESSENS.conclusion, fall.conclusion, "η", now, _IS_NORM)
    kept = Induction(
        name=every.name,
        invariant=every,
        base=Obligation("start", (WITHIN,), derived("start", r <= R)),
        step=Obligation(
            "one round more",
            (every, NORMS, LESSENS.conclusion, SHRUNK.conclusion, grown.conclusion, _SMALL.conclusion),
            derived("one round more", r_next <= R),
        ),
        start=((now, r),),
        next=((now, r_next),),
    )
    noise = noise_term(beta, K, V, n) if noisy else sympy.Integer(0)
    value = f_gap / (gamma * (K + 1)) + L * gamma / 2 + 2 * left_over(K, R, gamma, L_max, eta) + noise
    sums = forgotten(value, phi, sizes, LESSENS.conclusion, rounds, "η", noisy)
    stated = obligation(
        "η is what it is",
        (sums[-1].conclusion, ETA, LESSENS.conclusion, ALPHA, RADIUS),
        floor <= bound.value(**{**LETTERS, "V": V}),
    )
    shared = (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, SMOOTH_I, WITHIN, BOUNDED, BELOW_TWICE, KEPT_STEP)
    chance = tuple(fact for fact in (*NOISE_BASE, VARIANCE) if fact not in shared)
    nodes = (LESSENS, CITE_LEMMA1, SHRUNK, _SMALL, short, grown, kept, fall, *sums, stated)
    return Proof((*shared, *(chance if noisy else (QUIET,))), nodes)


_BOUND = "(f(x⁰) − f^inf)/(γ(K+1)) + (L/2)γ + 2(1 − η)(R/(K+1) + L_maxγ)/η"
_IF = "For β < 2α, any R ≥ max_i ‖∇f_i(x⁰) − g_i⁰‖ and γ ≤ ηR/L_max, η = min(β/(α+R), 2 − β/α)"
OUR_T1 = Claim(
    id="NEC-OUR-T1-CONTRACTS",
    paper=PAPER,
    place="ours: Theorem 1 from any memories, β < 2α",
    kind="ours",
    printed=f"{_IF}: min_k ‖∇f(x^k)‖ ≤ {_BOUND}.",
    reason="The update leaves at most (1 − η)r of a residual r ≤ R, and the gradients' move keeps it at R or below; so (1 − η)r "
    "falls by η times what is left and rises by (1 − η)L_maxγ at most.",
    proof=_theorem(THEOREM1_CONTRACTS, noisy=False),
    consequence="With γ of order 1/√K it is O(1/√K) from any memories, with a constant that grows with R "
    "(NEC-C1-RATE@O-as-defined), for β up to 2α, where NEC-OUR-T1-FORGETS asks for β ≤ √2 α; and β = α, large against R, makes what "
    "memories cost small.",
)
OUR_T2 = Claim(
    id="NEC-OUR-T2-CONTRACTS",
    paper=PAPER,
    place="ours: Theorem 2 from any memories, β < 2α",
    kind="ours",
    printed=f"{_IF}, and with independent noises: min_k E‖∇f(x^k)‖ ≤ {_BOUND} + √(2β²(K+2)V/n), V = E‖z_i‖².",
    reason="The clients' memories hold no noise: the potential of NEC-OUR-T1-CONTRACTS falls on every path, and the noise adds its "
    "mean over the rounds, as in NEC-OUR-T2-WIDE.",
    proof=_theorem(PRIVATE_CONTRACTS, noisy=True),
)


_AT_LEAST_TWICE = hypothesis("β ≥ 2α", beta >= 2 * alpha)
_MOVE = hypothesis("a > 0: L_maxγ, by which a step moves ∇f", a > 0)
_SHORT = hypothesis("a < α/2", 2 * a < alpha)
_RHO = definition(
    "ρ is the positive root of 2ρ² = (β − 2α + a)ρ + aα",
    (rho > 0) & equal(2 * rho**2, (beta - 2 * alpha + a) * rho + a * alpha),
)
_FAR = definition(
    "R is the positive root of R² = (β − α + ρ − a)R + (ρ − a)α: the update leaves ρ − a of it",
    (R > 0) & equal(R**2, (beta - alpha + rho - a) * R + (rho - a) * alpha),
)
# ∇f at the two points between which x goes to and fro, a apart.
_low, _high = (rho - a) / 2, (rho + a) / 2
_g_1, _g_2 = letters("g¹ g²")


def _updated(memory: sympy.Expr, gradient: sympy.Expr) -> sympy.Expr:
    """g + βNorm_α(∇f − g) on the line."""
    return memory + beta * (gradient - memory) / (alpha + sympy.Abs(gradient - memory))


_RUN = definition(
    "two rounds of Algorithm 1 on f(x) = L_max x²/2 from ∇f(x⁰) = (ρ − a)/2 and g⁰ = ∇f(x⁰) − R; ∇f(x¹) = (ρ + a)/2 where g¹ < 0",
    equal(_g_1, _updated(_low - R, _low)) & equal(_g_2, _updated(_g_1, _high)),
)
_SIZES = (ALPHA, _MOVE, _AT_LEAST_TWICE, _RHO)
_BETWEEN = obligation(
    "a < ρ < β − α, ρ ≥ √(aα/2), ρ ≥ β/2 − α",
    (*_SIZES, _SHORT),
    (a < rho) & (rho < beta - alpha) & (2 * rho**2 >= a * alpha) & (2 * rho >= beta - 2 * alpha),
)
_ALLOWED = obligation(
    "Theorem 1's conditions: β/(α+R) < 1, a ≤ βR/(α+R); and R < 2β",
    (*_SIZES, _SHORT, _FAR, _BETWEEN.conclusion),
    CONTRACTION.relation & (a <= beta * R / (alpha + R)) & (R < 2 * beta),
)
_FIRST = obligation(
    "g¹ = (a − ρ)/2 < 0",
    (ALPHA, _RHO, _FAR, _RUN, _BETWEEN.conclusion),
    (_g_1 < 0) & equal(_g_1, (a - rho) / 2),
)
_SECOND = obligation(
    "∇f(x¹) − g¹ = ρ, and g² = (3ρ − a)/2 > 0",
    (ALPHA, _RHO, _RUN, _BETWEEN.conclusion, _FIRST.conclusion),
    equal(_high - _g_1, rho) & (_g_2 > 0) & equal(_g_2, (3 * rho - a) / 2),
)
_THIRD = obligation(
    "∇f(x²) = (ρ − a)/2, ∇f(x²) − g² = −ρ, and g³ = g¹: x³ = x¹, and the last two rounds again, for ever",
    (ALPHA, _RHO, _BETWEEN.conclusion, _FIRST.conclusion, _SECOND.conclusion),
    equal(_low - _g_2, -rho) & equal(_updated(_g_2, _low), _g_1),
)
_STAYS = obligation(
    "(ρ − a)/2 ≥ (√(aα/2) − a)/2, (ρ − a)/2 ≥ (β − 2α)/4 − a/2",
    (ALPHA, _MOVE, _BETWEEN.conclusion),
    (_low >= (sympy.sqrt(a * alpha / 2) - a) / 2)
    & (_low >= (beta - 2 * alpha) / 4 - a / 2)
    & (_low > 0)
    & (_high > _low),
)
_SCHEDULE = hypothesis("c > 0", _c > 0)
_LOST = Limit(
    "√(K+1) times (√(aα/2) − a)/2 → ∞ where a = c/√(K+1)",
    (sympy.sqrt(_c * _inverse * alpha / 2) - _c * _inverse) / (2 * _inverse),
    _inverse,
    sympy.Integer(0),
    sympy.oo,
    given=(ALPHA, _SCHEDULE),
)


def to_and_fro(values: Values, rounds: int = 7) -> Comparison:
    """The least |∇f(x^k)| of the run of `_RUN` at L_max = 1, with the step that belongs to ρ, against (ρ − γ)/2."""
    f, (smoothing, message, size, radius) = (
        Quadratic(F(1)),
        (values[name] for name in ("alpha", "beta", "rho", "R")),
    )
    step = size * (2 * smoothing + 2 * size - message) / (smoothing + size)
    x = (size - step) / 2
    run = alpha_normec([f.gradient], x, [x - radius], smoothing, message, step, rounds)
    least = min(abs(f.gradient(y)) for y in run.x)
    return Comparison(least, "==", (size - step) / 2, (
        *presupposed({**values, "gamma": step}),
        ("β ≥ 2α", message >= 2 * smoothing),
        ("0 < γ < α/2", 0 < step < smoothing / 2),
        ("x¹ = x³ = …, x² = x⁴ = …", set(run.x[::2]) == {x} and set(run.x[1::2]) == {x + step}),
        ("g¹ = g³ = …, g² = g⁴ = …", len(set(run.memories[1::2])) == len(set(run.memories[2::2])) == 1),
    ))  # fmt: skip


VALUES = {"alpha": F(1), "beta": F(5, 2), "rho": F(1, 2), "R": F(2)}
_EXACT = Computation(
    "run exactly: at α = L_max = 1, β = 5/2, R = 2 and γ = 1/6, from x⁰ = 1/6, x goes to and fro between 1/6 and 1/3",
    "enumeration",
    lambda: to_and_fro(VALUES),
)
BEYOND = Claim(
    id="NEC-OUR-C1-RATE",
    paper=PAPER,
    place="ours, on the sentence after Corollary 1: β ≥ 2α",
    kind="ours",
    printed="For β ≥ 2α and every γ < α/(2L_max) there are, with n = 1 and f(x) = L_max x²/2, a start and a memory that satisfy "
    "Theorem 1's conditions with R < 2β, from which x goes to and fro between two points for ever and ‖∇f(x^k)‖ ≥ "
    "(√(αL_maxγ/2) − L_maxγ)/2 and ≥ (β − 2α)/4 − L_maxγ/2 for all k. With γ of order 1/√K the former is of order K^{−1/4}, so that "
    "nothing of order 1/√K bounds it.",
    reason="A residual ρ comes out of the update as −(ρ − a), and the step makes it −ρ, where 2ρ² = (β − 2α + a)ρ + aα, a = L_maxγ. "
    "A residual R, from which β < α + R, comes to ρ in the first round.",
    proof=Proof(
        (ALPHA, _MOVE, _AT_LEAST_TWICE, _SHORT, _SCHEDULE),
        (_BETWEEN, _ALLOWED, _FIRST, _SECOND, _THIRD, _STAYS, _LOST, _EXACT),
    ),
    consequence="Choose β < 2α: then what the memories start from costs O(1/√K), however far off they are, with a constant that "
    "grows with how far (NEC-C1-RATE@O-as-defined).",
)
CLAIMS = (OUR_T1, OUR_T2, BEYOND)
