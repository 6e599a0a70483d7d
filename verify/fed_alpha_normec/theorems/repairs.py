"""What holds in place of Theorems 1 and 2 with their own right sides: a bound without a condition on ηγ, and what it has to spare.

FED-R2-SHARP has F/((K+1)η) and Lγ√(2L(F + Δ^inf)), F = f(x⁰) − f^inf, where Theorem 1 has 3F/((K+1)η) and
8Lγ√(2L)√Δ^inf. So Theorem 1 holds where Lγ√(2L)(√(F + Δ^inf) − 8√Δ^inf) ≤ 2F/((K+1)η): for F ≤ 63Δ^inf without a
condition, and for every F where ηγ ≤ 16(8+3√7)/(K+1) · √Δ^inf/(4L√(2L)). For Theorem 2 it is FED-R3-SHARP, for one local
step FED-R1-SHARP.
"""

from __future__ import annotations

import sympy
from sympy.logic.boolalg import Boolean

from bounds.fed_alpha_normec import repaired
from bounds.fed_alpha_normec import theorem1 as printed
from verify.citation import Cite
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.letters import (
    BETA,
    CLIENTS,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
    PARTICIPATION,
    ROUNDS,
    SMOOTH,
    SPREAD,
    VARIANCE,
    Delta,
    Delta_local,
    F,
    K,
    L,
    M,
    R,
    T,
    V,
    beta,
    eta,
    gamma,
    p,
    sigma,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se
from verify.fed_alpha_normec.ours.averaged import R1_SHARP
from verify.fed_alpha_normec.ours.claims import R2_SHARP, R3_SHARP
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

ROOT_L, ROOT_DELTA = sympy.sqrt(2 * L), sympy.sqrt(Delta)
TIGHT = repaired.mean_noise_term(beta, p, V, M, K)
B_PRINTED = printed.b_appendix(p, sigma)
INSIDE = printed.noise_term(beta, B_PRINTED, M, K)
OUTSIDE = printed.noise_term_outside(beta, B_PRINTED, M, K)
"""The third term: with B* and K/2 + 1; as F.2 and G.2 print it, with K + 1 under the root or beside it."""
SIZES = (BETA, ETA, SMOOTH, GAMMA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, GAP, SPREAD)


_GIVEN = (SMOOTH, ETA, GAMMA, ROUNDS, GAP, SPREAD)


def room(constant: sympy.Expr, above: sympy.Expr, covered: sympy.Expr) -> Boolean:
    """That the drift of the bound without a condition on ηγ is at most what the printed bound has to spare. constant: half of that
    drift's. above: f(x⁰) less the mean of the infima. covered: what the printed drift pays for."""
    return eta * gamma * (K + 1) * constant * L * ROOT_L * (sympy.sqrt(above) - covered) <= F


def _inunits(factor: sympy.Expr) -> Boolean:
    """ηγ ≤ factor/(K+1) · √Δ^inf/(4L√(2L))."""
    return eta * gamma <= factor * ROOT_DELTA / (4 * L * ROOT_L) / (K + 1)


# Theorem 1.
ENOUGH = room(sympy.Rational(1, 2), F + Delta, 8 * ROOT_DELTA)
ROOM = hypothesis(
    "T ≥ 2: ½ηγ(K+1)L√(2L)(√(f(x⁰) − f^inf + Δ^inf) − 8√Δ^inf) ≤ f(x⁰) − f^inf",
    sympy.Implies(T > 1, ENOUGH),
)
LOW, FACTOR, TEXT = 63, 16 * (8 + 3 * sympy.sqrt(7)), "16(8+3√7)"
"""The condition asks nothing where f(x⁰) − f^inf ≤ LOW · Δ^inf, and is FACTOR times weaker than the one that the units ask for."""


def up_to(factor: sympy.Expr) -> str:
    """The Δ^inf with √Δ^inf ≤ factor, in whole numbers."""
    return f"{int(sympy.floor(factor**2)):,}"


def low_start(times: int, enough: Boolean, *more: Fact) -> Obligation:
    return obligation(
        f"the condition on ηγ asks nothing where f(x⁰) − f^inf ≤ {times}Δ^inf",
        (*_GIVEN, *more),
        sympy.Implies(F <= times * Delta, enough),
    )


def units(factor: sympy.Expr, text: str, enough: Boolean, *more: Fact) -> Obligation:
    return obligation(
        f"it follows from ηγ ≤ {text}/(K+1) · √Δ^inf/(4L√(2L))",
        (*_GIVEN, *more),
        sympy.Implies(_inunits(factor), enough),
    )


SHOWN = (low_start(LOW, ENOUGH), units(FACTOR, TEXT, ENOUGH))
# Theorem 2.
ENOUGH_IG = room(sympy.Integer(1), F + Delta + Delta_local, 4 * ROOT_DELTA + 2 * sympy.sqrt(Delta_local))
ROOM_IG = hypothesis(
    "ηγ(K+1)L√(2L)(√(f(x⁰) − f^inf + Δ^inf + (1/M) Σ Δ_i^inf) − 4√Δ^inf − 2√((1/M) Σ Δ_i^inf)) ≤ f(x⁰) − f^inf",
    ENOUGH_IG,
)
FACTOR_IG = 8 * (4 + sympy.sqrt(15))
SHOWN_IG = (
    low_start(15, ENOUGH_IG, se.SPREAD_LOCAL), units(FACTOR_IG, "8(4+√15)", ENOUGH_IG, se.SPREAD_LOCAL)
)  # fmt: skip
# Theorem 2 with its own Δ_i^inf, f^inf less a mean of infima: their mean is Δ^inf more than that of Lemma 8's (FED-DEF-DELTA), so
# that its printed bound is larger and has more to spare.
own = Delta + Delta_local
"""The mean of Theorem 2's Δ_i^inf."""
ENOUGH_OWN = room(sympy.Integer(1), F + Delta + Delta_local, 4 * ROOT_DELTA + 2 * sympy.sqrt(own))
ROOM_OWN = hypothesis(
    "ηγ(K+1)L√(2L)(√(f(x⁰) − f^inf + (1/M) Σ Δ_i^inf) − 4√Δ^inf − 2√((1/M) Σ Δ_i^inf)) ≤ f(x⁰) − f^inf, "
    "Δ_i^inf as in Theorem 2",
    ENOUGH_OWN,
)
OWN_POSITIVE = hypothesis("(1/M) Σ Δ_i^inf > 0, Δ_i^inf as in Theorem 2", own > 0)
FACTOR_OWN, FACTOR_ANY = 8 * (6 + sympy.sqrt(35)), sympy.Integer(64)
"""Where the mean of Lemma 8's Δ_i^inf is ≥ 0, and without that."""


def with_lemma8(shown: Obligation) -> Obligation:
    return obligation(
        f"{shown.name}, if the mean of Lemma 8's Δ_i^inf is ≥ 0",
        shown.given,
        sympy.Implies(Delta_local >= 0, shown.goal.relation),
    )


SHOWN_OWN = (
    low_start(16, ENOUGH_OWN, OWN_POSITIVE),
    units(FACTOR_ANY, "64", ENOUGH_OWN, OWN_POSITIVE),
    with_lemma8(low_start(35, ENOUGH_OWN, OWN_POSITIVE)),
    with_lemma8(units(FACTOR_OWN, "8(6+√35)", ENOUGH_OWN, OWN_POSITIVE)),
)

# The proofs. `low` is the left side for the T at hand, `low_one` for T = 1.
low_one = letters("min_one")[0]
_SAME = definition(
    "where T = 1, the run is that with one local step", sympy.Implies(equal(T, 1), equal(ro.low, low_one))
)
_WITHOUT_NOISE = 3 / (K + 1) * F / eta + 2 * R + eta * L / 2
_DRIFT = printed.drift_term(gamma, L, Delta)


def cases(noise: sympy.Expr) -> Boolean:
    """Theorem 1's bound with that noise term: for T = 1, and for T ≥ 2."""
    still = _WITHOUT_NOISE + noise
    return sympy.Implies(equal(T, 1), ro.low <= still) & sympy.Implies(T > 1, ro.low <= still + _DRIFT)


def _split(above: sympy.Expr, *more: Fact) -> Obligation:
    """√(2L·above) = √(2L)√above."""
    spread = "Δ^inf + (1/M) Σ Δ_i^inf" if more else "Δ^inf"
    return obligation(
        f"√(2L(f(x⁰) − f^inf + {spread})) = √(2L)√(f(x⁰) − f^inf + {spread})",
        (SMOOTH, GAP, SPREAD, *more),
        equal(sympy.sqrt(2 * L * above), ROOT_L * sympy.sqrt(above)),
    )


def _as_printed(noise: sympy.Expr) -> Obligation:
    """The noise term with B*, against one with F.2's B."""
    return obligation(
        "the term with B* is at most the printed one, where E‖z‖² = σ²",
        (BETA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.SIGMA, no.TOTAL_READING),
        TIGHT <= noise,
    )


def _finished(
    name: str, sharp: Obligation, noise: sympy.Expr | None, goal: Boolean, *given: Fact
) -> tuple[tuple[Fact, ...], tuple[Node, ...]]:
    """The bound with B*, and with the printed noise term where there is one: what that assumes more, and its nodes."""
    if noise is None:
        return (), (sharp,)
    larger = _as_printed(noise)
    return (no.TOTAL_READING,), (
        sharp,
        larger,
        obligation(name, (*SIZES, *given, sharp.conclusion, larger.conclusion), goal),
    )


def gradient(step: Fact, noise: sympy.Expr | None) -> Proof:
    """Theorem 1 with the condition on η of one version; noise: its third term, or None for that with B*."""
    shown = (
        FROM_FEEDBACK,
        ro.shorter(ro.STEP_SEVERAL, step),
        ro.shorter(ro.STEP_ONE, step),
        obligation(se.HIGHER.name, (SPREAD, GAP), se.HIGHER.relation),
    )
    given = (*se.SEVERAL_HYPOTHESES, *(node.conclusion for node in shown), CLIENTS, ROUNDS, VARIANCE, GAP)
    several, one = Cite(R2_SHARP, given), Cite(R1_SHARP, given, at=((T, 1), (ro.low, low_one)))
    split = _split(F + Delta)
    sharp = obligation(
        "the bound with B* for B and K/2 + 1 for K + 1",
        (*SIZES, ROOM, _SAME, split.conclusion, several.conclusion, one.conclusion),
        cases(TIGHT),
    )
    more, last = _finished(
        "the printed bound", sharp, noise, cases(noise) if noise is not None else sympy.true
    )
    return Proof(
        (*se.SEVERAL_HYPOTHESES, FEEDBACK, step, ROOM, SPREAD, *more),
        (*shown, *SHOWN, several, one, split, *last),
    )


# With the printed drift and no condition on ηγ: where the start is not too high.
NEAR = hypothesis(f"f(x⁰) − f^inf ≤ {LOW}Δ^inf", F <= LOW * Delta)
_SHOWN = (
    FROM_FEEDBACK,
    ro.shorter(ro.STEP_SEVERAL, ro.HALF_STEP),
    obligation(se.HIGHER.name, (SPREAD, GAP), se.HIGHER.relation),
)
_CITED = Cite(
    R2_SHARP,
    (*se.SEVERAL_HYPOTHESES, *(node.conclusion for node in _SHOWN), CLIENTS, ROUNDS, VARIANCE),
)
UNLIMITED = Proof(
    (*se.SEVERAL_HYPOTHESES, FEEDBACK, ro.HALF_STEP, SPREAD, NEAR),
    (
        *_SHOWN,
        _CITED,
        obligation(
            "the printed bound with B* for B and K/2 + 1 for K + 1, no condition on ηγ",
            (ETA, SMOOTH, GAMMA, ROUNDS, GAP, SPREAD, NEAR, _CITED.conclusion),
            ro.low <= _WITHOUT_NOISE + TIGHT + _DRIFT,
        ),
    ),
)


def incremental(
    noise: sympy.Expr,
    asked: Fact = ROOM_IG,
    enough: tuple[Obligation, ...] = SHOWN_IG,
    paid: sympy.Expr = Delta_local,
    mean: Fact = se.SPREAD_LOCAL,
) -> Proof:
    """Theorem 2 with one reading of its third term. paid: the mean of the Δ_i^inf under its root, in the definition of Lemma 8 where
    nothing else is said; asked, enough: the condition on ηγ, and what gives it; mean: what is known of the Δ_i^inf."""
    shown = (
        FROM_FEEDBACK,
        ro.shorter(ro.STEP_SEVERAL, ro.THIRD_STEP),
        obligation(se.HIGHER_IG.name, (SPREAD, mean, GAP), se.HIGHER_IG.relation),
    )
    given = (*se.SEVERAL_HYPOTHESES, *(node.conclusion for node in shown), CLIENTS, ROUNDS, VARIANCE, GAP)
    cited = Cite(R3_SHARP, given)
    split = _split(F + Delta + Delta_local, mean)
    right = _WITHOUT_NOISE + _DRIFT + gamma * 4 * L * ROOT_L * sympy.sqrt(paid)
    sharp = obligation(
        "the bound with B* for B and K/2 + 1 for K + 1",
        (*SIZES, mean, asked, split.conclusion, cited.conclusion),
        ro.low <= right + TIGHT,
    )
    more, last = _finished("the printed bound", sharp, noise, ro.low <= right + noise, mean)
    return Proof(
        (*se.SEVERAL_HYPOTHESES, FEEDBACK, ro.THIRD_STEP, asked, SPREAD, mean, *more),
        (*shown, *enough, cited, split, *last),
    )


def passes(noise: sympy.Expr) -> Proof:
    """Theorem 2 with its own Δ_i^inf."""
    return incremental(noise, ROOM_OWN, SHOWN_OWN, own, OWN_POSITIVE)
