"""Corollaries 3 and 5 from the theorems without a condition on ηγ: how large η̂ may be.

FED-R2-SHARP has F/η̂ for the first term, F = f(x⁰) − f^inf, where A₁ has 3F/η̂, and ½√(2L(F + Δ^inf)) for the drift, where A₁
has 4√(2L)√Δ^inf. So the printed bound holds where η̂ times the rest of the drift is at most 2F: for F ≤ 63Δ^inf whatever
η̂ ≤ D₁D₂/(4L(α+D₁)) is, and for every F where η̂ ≤ 16(8+3√7)√Δ^inf/(2√(2L)). The second member of the printed minimum is
Δ^inf/(2√(2L)), which is less than that for √Δ^inf ≤ 16(8+3√7). For Corollary 5 it is FED-R3-SHARP.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy

from bounds.fed_alpha_normec.theorem1 import b_appendix
from verify.citation import Cite
from verify.claim import Claim
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.corollaries import rates
from verify.fed_alpha_normec.counterexamples.steady import FAR, FAR_5
from verify.fed_alpha_normec.displays import COROLLARIES
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK, ROOTS_R
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    FEEDBACK,
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
    beta,
    claim,
    gamma,
    p,
    sigma,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se
from verify.fed_alpha_normec.ours.claims import R2_SHARP, R3_SHARP
from verify.fed_alpha_normec.theorems import repairs as re
from verify.fed_alpha_normec.theorems.small_spread import small
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

_ROOT_L, _ROOT_DELTA = sympy.sqrt(2 * L), sympy.sqrt(Delta)
hat, kappa = rates.hat, rates.kappa
HAT = hypothesis(
    "0 < η̂ ≤ D₁D₂/(4L(α + D₁))",
    (hat > 0) & (hat * 4 * L * (rates.alpha + rates.D_1) <= rates.D_1 * rates.D_2),
)
PLAN = rates.PLAN3
POSITIVE, _PIECES = rates.conditions(PLAN, HAT, several=True)
PRODUCT = _PIECES[1]
STEP, LONG, _ = rates.consequences(PLAN, HAT, _PIECES, ro.STEP_SEVERAL)
drift, in_A_1 = letters("drift in_A_1")
SQUARE = obligation(
    "β²(K+1) = D₂²/κ²",
    (rates.CONSTANTS, rates.START_LATER, PLAN[0], PLAN[2]),
    equal(beta**2 * (K + 1) * kappa**2, rates.D_2**2),
)
SENT = 2 * sympy.sqrt(b_appendix(p, sigma) / M) * rates.D_2
NOISE = obligation(
    "the noise term is at most 2√B D₂/√M /κ",
    (
        rates.CONSTANTS, rates.START_LATER, BETA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.SIGMA, no.TOTAL_READING,
        SQUARE.conclusion,
    ),
    re.TIGHT * kappa <= SENT,
)  # fmt: skip


@dataclass(frozen=True)
class Drift:
    """sharp: the theorem without a condition on ηγ. constant, above: its drift is constant · Lγ√(2L·above). paid: what A₁ has for it,
    as a multiple of √(2L). spread: what its letters mean."""

    sharp: Claim
    constant: sympy.Expr
    above: sympy.Expr
    paid: sympy.Expr
    higher: Fact
    spread: tuple[Fact, ...] = ()

    @property
    def given(self) -> tuple[Fact, ...]:
        return (SMOOTH, GAP, SPREAD, *self.spread)

    @property
    def rest(self) -> sympy.Expr:
        """κ times what the drift is more than A₁ has for it, as a multiple of √(2L)."""
        return self.constant / 2 * sympy.sqrt(self.above) - self.paid

    def covered(self) -> sympy.Rel:
        return hat * _ROOT_L * self.rest <= 2 * F

    def low_start(self, times: int) -> Obligation:
        return obligation(
            f"η̂ is not limited by the drift where f(x⁰) − f^inf ≤ {times}Δ^inf",
            (*self.given, HAT),
            sympy.Implies(F <= times * Delta, self.covered()),
        )

    def units(self, factor: sympy.Expr, text: str) -> Obligation:
        return obligation(
            f"it follows from η̂ ≤ {text}√Δ^inf/(2√(2L))",
            (*self.given, HAT),
            sympy.Implies(hat * 2 * _ROOT_L <= factor * _ROOT_DELTA, self.covered()),
        )


GRADIENT = Drift(R2_SHARP, sympy.Integer(1), F + Delta, 4 * _ROOT_DELTA, se.HIGHER)
PASSES = Drift(
    R3_SHARP,
    sympy.Integer(2),
    F + Delta + Delta_local,
    8 * _ROOT_DELTA + 4 * sympy.sqrt(re.own),
    se.HIGHER_IG,
    (se.SPREAD_LOCAL,),
)
PASSES_ANY = replace(PASSES, spread=(re.OWN_POSITIVE,))
"""Whatever the mean of Lemma 8's Δ_i^inf is."""
FACTOR_3, FACTOR_5 = re.FACTOR, 8 * (12 + sympy.sqrt(143))


def corollary(
    of: Drift, hat_fact: Fact, asked: tuple[Fact, ...], covered: tuple[Node, ...], roots: bool = False
) -> Proof:
    """A corollary with the printed bound, or another one, for every K with β/(α+R) < 1; roots: with β ≤ (√α+√R)².
    asked: what is asked of η̂ beside `hat_fact`; covered: that the first term has enough to spare, last."""
    high = obligation(of.higher.name, (SPREAD, GAP, *of.spread), of.higher.relation)
    feedback = ROOTS_R if roots else FEEDBACK
    reached: tuple[Node, ...] = () if roots else (FROM_FEEDBACK,)
    shown = (*POSITIVE, PRODUCT, *reached, *rates.SHORT_LOCAL, STEP, high)
    smaller = () if hat_fact == HAT else (obligation(HAT.name, (SMOOTH, hat_fact), HAT.relation),)
    given = (
        ALPHA, PARTICIPATION, SMOOTH, *ro.STARTED, CLIENTS, ROUNDS, VARIANCE, GAP, *(node.conclusion for node in shown),
        *((ROOTS_R,) if roots else ()),
    )  # fmt: skip
    cited = Cite(of.sharp, given)
    half = of.constant / 2 * _ROOT_L * sympy.sqrt(of.above)
    meaning = definition(
        "drift: κ times that of the theorem; in A₁", equal(drift, half) & equal(in_A_1, _ROOT_L * of.paid)
    )
    same = obligation(
        "the drift on the schedule",
        (*of.given, rates.START_LATER, rates.STEP_LOCAL, meaning),
        equal(of.constant * L * gamma * sympy.sqrt(2 * L * of.above) * kappa, drift),
    )
    enough = obligation(
        "what the first term has to spare covers the drift",
        (*of.given, meaning, covered[-1].conclusion),
        hat * (drift - in_A_1) <= 2 * F,
    )
    before, later = 2 * rates.D_1 + SENT, hat * L / 2 / kappa**7
    schedule = (*of.given, ALPHA, rates.CONSTANTS, rates.START_LATER, HAT)
    bound = obligation(
        "the theorem's bound on the schedule",
        (
            *schedule, ETA, ROUNDS, PLAN[1], PLAN[3], LONG.conclusion, NOISE.conclusion, same.conclusion, cited.conclusion,
        ),
        ro.low <= (F / hat + before + drift) / kappa + later,
    )  # fmt: skip
    end = obligation(
        "the bound",
        (*schedule, meaning, enough.conclusion, bound.conclusion),
        ro.low <= (3 * F / hat + before + _ROOT_L * of.paid) / kappa + later,
    )
    return Proof(
        (
            ALPHA, SMOOTH, rates.CONSTANTS, feedback, hat_fact, *asked, rates.STEP_LOCAL, *PLAN[1:], SPREAD, *of.spread,
            PARTICIPATION, *ro.STARTED, no.TOTAL_READING,
        ),
        (*smaller, *shown, *(rates.every_k(PLAN) if roots else ()), *covered, cited, LONG, SQUARE, NOISE, same, enough, bound, end),
    )  # fmt: skip


def _repaired(of: Drift, name: str, times: int, factor: sympy.Expr, text: str, *more: Obligation) -> Proof:
    asked = hypothesis(name, of.covered())
    again = obligation("so the drift is covered", (*of.given, asked), of.covered())
    return corollary(
        of, HAT, (asked,), (of.low_start(times), of.units(factor, text), *more, again), roots=True
    )


ROOM_3 = "η̂√(2L)(½√(f(x⁰) − f^inf + Δ^inf) − 4√Δ^inf) ≤ 2(f(x⁰) − f^inf)"
ROOM_5 = "η̂√(2L)(√(f(x⁰) − f^inf + (1/M) Σ Δ_i^inf) − 8√Δ^inf − 4√((1/M) Σ Δ_i^inf)) ≤ 2(f(x⁰) − f^inf)"
READ_5 = "with Σ_{i=1}^M read for Σ_{m=1}^M; N steps, one for each f_{i,j}"
"""How Corollary 5 is read."""
TEXT_3, TEXT_5 = re.TEXT, "8(12+√143)"
REPAIRED_3 = _repaired(GRADIENT, ROOM_3, re.LOW, FACTOR_3, TEXT_3)
REPAIRED_5 = _repaired(
    PASSES_ANY, ROOM_5, 64, sympy.Integer(128), "128",
    re.with_lemma8(PASSES_ANY.low_start(143)), re.with_lemma8(PASSES_ANY.units(FACTOR_5, TEXT_5)),
)  # fmt: skip


def _as_printed(of: Drift, factor: sympy.Expr, text: str) -> Proof:
    """With Δ^inf in η̂ as printed, where it is small."""
    limit, printed = small(factor, text), rates.HAT_3_PRINTED
    units = of.units(factor, text)
    nearer = obligation(
        "the printed η̂ is short enough",
        (SMOOTH, SPREAD, printed, limit),
        hat * 2 * _ROOT_L <= factor * _ROOT_DELTA,
    )
    covered = obligation(
        "so the drift is covered", (*of.given, nearer.conclusion, units.conclusion), of.covered()
    )
    return corollary(of, printed, (limit,), (units, nearer, covered))


# Corollary 5 with 0 and 1 in place of its 8 and 4.
_ROOT_OWN = sympy.sqrt(re.own)
_LESS = Drift(
    R3_SHARP, sympy.Integer(2), F + Delta + Delta_local, _ROOT_OWN, se.HIGHER_IG, (re.OWN_POSITIVE,)
)


def _own_limit(factor: sympy.Expr) -> str:
    return f"η̂ ≤ {factor}√((1/M) Σ Δ_i^inf)/(2√(2L)), Δ_i^inf as in Theorem 2"


def own_units(factor: sympy.Expr) -> Obligation:
    """That 1 · √((1/M) Σ Δ_i^inf) covers the drift where η̂ is at most `factor` times what the units ask for; 8 is enough, 9 is not."""
    return obligation(
        "so the drift is covered",
        (*_LESS.given, HAT, hypothesis(_own_limit(factor), hat * 2 * _ROOT_L <= factor * _ROOT_OWN)),
        _LESS.covered(),
    )


_OWN_UNITS = _own_limit(sympy.Integer(8))
LESS_5 = corollary(
    _LESS,
    HAT,
    (hypothesis(_OWN_UNITS, hat * 2 * _ROOT_L <= 8 * _ROOT_OWN),),
    (own_units(sympy.Integer(8)),),
)
# Corollary 5 with the Δ_i^inf of Lemma 8, whose mean is Δ^inf less.
LEMMA_8 = Drift(
    R3_SHARP,
    sympy.Integer(2),
    F + Delta + Delta_local,
    8 * _ROOT_DELTA + 4 * sympy.sqrt(Delta_local),
    se.HIGHER_IG,
    (se.SPREAD_LOCAL,),
)
FACTOR_LEMMA_8, TEXT_LEMMA_8 = 8 * (8 + sympy.sqrt(63)), "8(8+√63)"

_SUBJECT = " [E‖z‖² = σ²; β/(α+R) < 1 for the K in question; "
IG_ANY = "; with Σ_{i=1}^M read for Σ_{m=1}^M, Theorem 2's Δ_i^inf"
IG = f"{IG_ANY}, the mean of Lemma 8's Δ_i^inf ≥ 0, as it is where all lower bounds are infima"
LEMMA_8_READ = (
    "; with Σ_{i=1}^M read for Σ_{m=1}^M; Δ_i^inf = f_i^inf − (1/N) Σ_{j=1}^N f_{i,j}^inf, their mean ≥ 0, as it is where the "
    "f_i^inf are infima"
)
_OPEN = (
    "Take η̂ = min(√Δ^inf/(2√(2L)), D₁D₂/(4L(α+D₁))) where Δ^inf is larger in your units. Whether the printed corollary fails just "
    "above {} is open for D₂ ≥ α + D₁: there the printed minimum no longer makes the bound of {} smaller than the printed one. {}The "
    "witness of {} has Δ^inf = {}."
)
_GENTLE = "With D₂ < α + D₁ it does not fail, whatever Δ^inf is ({}-GENTLE{}). "


def _small(
    number: int,
    place: str,
    of: Drift,
    factor: sympy.Expr,
    text: str,
    limit: str,
    more: str = "",
    read: str = "small-Delta",
) -> Claim:
    name, id = f"√Δ^inf ≤ {text}", f"FED-C{number}"
    gentle = _GENTLE.format(id, "@Lemma-8" if of is LEMMA_8 else "")
    return claim(
        f"{id}@{read}",
        f"{place}, β/(α+R) < 1, {name}",
        "corollary",
        COROLLARIES[id] + f"{_SUBJECT}{name}{more}; 0/0 = 0]",
        f"As a number Δ^inf is at most c√Δ^inf exactly where √Δ^inf ≤ c, and η̂ ≤ c√Δ^inf/(2√(2L)) is enough for c = {text}: up to "
        f"Δ^inf = {limit} the corollary holds as it is printed, for every K with β/(α+R) < 1, where line 12 stands still at "
        "v̂^{k+1} = 0 (0/0 = 0).",
        proof=_as_printed(of, factor, text),
        consequence=_OPEN.format(limit, of.sharp.id, gentle, id, FAR if number == 3 else FAR_5),
    )


CLAIMS = (
    _small(3, "Appendix F.3, Corollary 3", GRADIENT, FACTOR_3, TEXT_3, re.up_to(FACTOR_3)),
    _small(5, "Appendix G.3, Corollary 5", PASSES, FACTOR_5, TEXT_5, "36,735", IG),
    _small(
        5, "Appendix G.3, Corollary 5, whatever Lemma 8's Δ_i^inf are", PASSES_ANY, sympy.Integer(128), "128", "16,384", IG_ANY,
        "smaller-Delta",
    ),
    _small(
        5, "Appendix G.3, Corollary 5, Lemma 8's Δ_i^inf", LEMMA_8, FACTOR_LEMMA_8, TEXT_LEMMA_8, "16,255", LEMMA_8_READ,
        "small-Delta,Lemma-8",
    ),
    claim(
        "FED-C5-DRIFT",
        "ours, Corollary 5 with a smaller drift",
        "ours",
        "With E‖z‖² = σ², β/(α+R) < 1 and η̂ = min(8√((1/M) Σ Δ_i^inf)/(2√(2L)), D₁D₂/(4L(α+D₁))), Δ_i^inf as in Theorem 2, the bound "
        "of Corollary 5 holds with √(2L)√((1/M) Σ Δ_i^inf) in place of its last two terms: with 0 and 1 for its 8 and 4",
        "FED-R3-SHARP's drift is √(2L)√(f(x⁰) − f^inf + (1/M) Σ Δ_i^inf), at most (f(x⁰) − f^inf)√(2L)/(2√((1/M) Σ Δ_i^inf)) more "
        "than that, which this η̂ leaves to the first term. (In Lemma 8's Δ_i^inf it is √(2L)√(Δ^inf + (1/M) Σ Δ_i^inf).)",
        proof=LESS_5,
    ),
)  # fmt: skip
