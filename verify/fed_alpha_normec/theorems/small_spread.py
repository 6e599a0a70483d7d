"""Theorems 1 and 2 and Corollaries 3 and 5 as they are printed, where Δ^inf is a small number in the units of f that are used.

The printed condition has Δ^inf where √Δ^inf belongs. As a number Δ^inf is at most c√Δ^inf exactly where √Δ^inf ≤ c, and there the
printed condition gives ηγ ≤ c/(K+1) · √Δ^inf/(4L√(2L)), which is enough for c = 12(6+√35) (`repairs`). So nothing is wrong
with the printed theorems in large units of f; they are refuted because they are printed for all.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy

from bounds.fed_alpha_normec.theorem1 import b_appendix, b_main, b_text, noise_term
from verify.citation import Cite
from verify.claim import Claim
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.corollaries import rates
from verify.fed_alpha_normec.displays import COROLLARIES, THEOREMS
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
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
    beta,
    claim,
    eta,
    gamma,
    p,
    sigma,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se
from verify.fed_alpha_normec.ours.claims import R2_SHARP, R3_SHARP
from verify.fed_alpha_normec.theorems import repairs as re
from verify.identity import Identity
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

_ROOT_L, _ROOT_DELTA = sympy.sqrt(2 * L), sympy.sqrt(Delta)


def small(limit: sympy.Expr, text: str) -> Fact:
    return hypothesis(f"√Δ^inf ≤ {text}", _ROOT_DELTA <= limit)


SMALL = small(re.FACTOR, "12(6+√35)")
SMALL_IG = small(re.FACTOR_IG, "8(4+√15)")
FACTOR_OWN, FACTOR_C5 = 8 * (6 + sympy.sqrt(35)), 8 * (12 + sympy.sqrt(143))
SMALL_OWN, SMALL_C5 = small(FACTOR_OWN, "8(6+√35)"), small(FACTOR_C5, "8(12+√143)")


def room(limit: Fact, factor: sympy.Expr, shown: Obligation, asked: Fact, *more: Fact) -> tuple[Node, ...]:
    """What the repaired theorem asks for, from the printed condition on ηγ and a small Δ^inf. shown: that a condition with √Δ^inf,
    `factor` times weaker, is enough."""
    weaker = obligation(
        "the printed condition on ηγ gives that one",
        (SMOOTH, ETA, GAMMA, ROUNDS, SPREAD, limit, ro.PRINTED_ROUNDS),
        eta * gamma <= factor * _ROOT_DELTA / (4 * L * _ROOT_L) / (K + 1),
    )
    given = (SPREAD, GAP, *more, shown.conclusion, weaker.conclusion)
    return weaker, obligation(asked.name, given, asked.relation)


def as_printed(repaired: Proof, limit: Fact, nodes: tuple[Node, ...], asked: Fact) -> Proof:
    """The repaired theorem with the printed condition on ηγ and a small Δ^inf for its own. nodes: `room`, after what it uses."""
    kept = tuple(fact for fact in repaired.assumptions if fact != asked)
    shown = {node.name for node in nodes}
    return Proof(
        (*kept, ro.PRINTED_ROUNDS, limit), (*nodes, *(n for n in repaired.nodes if n.name not in shown))
    )


_ROOM = (re.SHOWN[1], *room(SMALL, re.FACTOR, re.SHOWN[1], re.ROOM))
_ROOM_IG = (re.SHOWN_IG[1], *room(SMALL_IG, re.FACTOR_IG, re.SHOWN_IG[1], re.ROOM_IG, se.SPREAD_LOCAL))
APPENDIX, APPENDIX_OUTSIDE = (
    as_printed(re.gradient(ro.THIRD_STEP, noise), SMALL, _ROOM, re.ROOM) for noise in (re.INSIDE, re.OUTSIDE)
)
LEMMA8 = as_printed(re.incremental(re.INSIDE), SMALL_IG, _ROOM_IG, re.ROOM_IG)


def enough(b: Callable) -> Fact:
    return hypothesis("B* = (1 − p + σ²)/p ≤ B", no.second_moment(p, sigma**2) <= b(p, sigma))


SPARE_MAIN = (2 * p - 1) * (sigma**2 - (1 - p))
SPARE_TEXT = sigma**2 - (1 - p) * (2 * p - 1)
"""p(B − B*) for each B."""


def of_section_4(b: Callable, spare: sympy.Expr) -> Proof:
    """Theorem 1 with a B of Section 4, where it is not below the second moment: where `spare` is not negative."""
    second = no.second_moment(p, sigma**2)
    means = Identity("p(B − B*)", p * (b(p, sigma) - second), spare, (PARTICIPATION,))
    tight = as_printed(re.gradient(ro.HALF_STEP, None), SMALL, _ROOM, re.ROOM)
    printed = noise_term(beta, b(p, sigma), M, K)
    larger = obligation(
        "the term with B* is at most the printed one",
        (BETA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.SIGMA, no.TOTAL_READING, enough(b)),
        re.TIGHT <= printed,
    )
    last = tight.nodes[-1].conclusion
    end = obligation("the printed bound", (*re.SIZES, larger.conclusion, last), re.cases(printed))
    return Proof((*tight.assumptions, no.TOTAL_READING, enough(b)), (means, *tight.nodes, larger, end))


# Theorem 2 with its own Δ_i^inf, f^inf less a mean of infima: their mean is Δ^inf more than that of Lemma 8's (FED-DEF-DELTA).
own = letters("mean_of_own_Delta_i")[0]
OWN = definition(
    "the mean of Theorem 2's Δ_i^inf: Δ^inf and that of Lemma 8's", equal(own, Delta + Delta_local)
)
ENOUGH_OWN = re.room(sympy.Integer(1), F + Delta + Delta_local, 4 * _ROOT_DELTA + 2 * sympy.sqrt(own))
ROOM_OWN = hypothesis("what FED-R3-SHARP asks for in these letters", ENOUGH_OWN)
UNITS_OWN = re.units(FACTOR_OWN, "8(6+√35)", ENOUGH_OWN, se.SPREAD_LOCAL, OWN)
_ROOM_OWN = (UNITS_OWN, *room(SMALL_OWN, FACTOR_OWN, UNITS_OWN, ROOM_OWN, se.SPREAD_LOCAL, OWN))
PASSES, PASSES_OUTSIDE = (
    as_printed(re.incremental(noise, ROOM_OWN, (), own, OWN), SMALL_OWN, _ROOM_OWN, ROOM_OWN)
    for noise in (re.INSIDE, re.OUTSIDE)
)

# Corollaries 3 and 5: their choices, with Δ^inf in η̂ as printed.
HAT, PLAN = rates.HAT_3_PRINTED, rates.PLAN3
_POSITIVE, _PIECES = rates.conditions(PLAN, HAT, several=True)
_STEP, _LONG, _ = rates.consequences(PLAN, HAT, _PIECES, ro.STEP_SEVERAL)
_CHOSEN = (
    ALPHA, SMOOTH, rates.CONSTANTS, rates.BELOW, HAT, rates.STEP_LOCAL, *PLAN[1:], SPREAD, PARTICIPATION, *ro.STARTED,
    no.TOTAL_READING,
)  # fmt: skip
drift, in_A_1 = letters("drift in_A_1")
_SQUARE = obligation(
    "β²(K+1) = D₂²/z²",
    (rates.CONSTANTS, rates.START_LATER, PLAN[0], PLAN[2]),
    equal(beta**2 * (K + 1) * rates.z**2, rates.D_2**2),
)
_SENT = 2 * sympy.sqrt(b_appendix(p, sigma) / M) * rates.D_2
_NOISE = obligation(
    "the noise term is at most 2√B D₂/√M /z",
    (
        rates.CONSTANTS, rates.START_LATER, BETA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.SIGMA, no.TOTAL_READING,
        _SQUARE.conclusion,
    ),
    re.TIGHT * rates.z <= _SENT,
)  # fmt: skip


def corollary(
    sharp: Claim, constant: sympy.Expr, above: sympy.Expr, paid: sympy.Expr, limit: Fact, *meant: Fact
) -> Proof:
    """A corollary from the theorem without a condition on ηγ. constant: of the drift there, as a multiple of Lγ√(2L·above); paid: what
    A₁ has for it, as a multiple of √(2L)."""
    higher = se.HIGHER if sharp is R2_SHARP else se.HIGHER_IG
    spread = () if sharp is R2_SHARP else (se.SPREAD_LOCAL,)
    high = obligation(higher.name, (SPREAD, GAP, *spread), higher.relation)
    shown = (*_POSITIVE, _PIECES[0], _PIECES[1], FROM_FEEDBACK, *rates.SHORT_LOCAL, _STEP, high)
    given = (
        ALPHA,
        PARTICIPATION,
        SMOOTH,
        *ro.STARTED,
        CLIENTS,
        ROUNDS,
        VARIANCE,
        GAP,
        *(node.conclusion for node in shown),
    )
    cited = Cite(sharp, given)
    all_given = (SMOOTH, GAP, SPREAD, *spread)
    half = constant / 2 * _ROOT_L * sympy.sqrt(above)
    meaning = definition(
        "drift: z times that of the theorem; in A₁", equal(drift, half) & equal(in_A_1, _ROOT_L * paid)
    )
    same = obligation(
        "the drift on the schedule",
        (*all_given, rates.START_LATER, rates.STEP_LOCAL, meaning),
        equal(constant * L * gamma * sympy.sqrt(2 * L * above) * rates.z, drift),
    )
    covered = obligation(
        "what the first term has to spare covers the drift",
        (*all_given, HAT, limit, *meant, meaning),
        rates.hat * (drift - in_A_1) <= 2 * F,
    )
    before = 2 * rates.D_1 + _SENT
    later = rates.hat * L / 2 / rates.z**7
    bound = obligation(
        "the theorem's bound on the schedule",
        (
            *all_given, ALPHA, rates.CONSTANTS, rates.START_LATER, HAT, ETA, ROUNDS, PLAN[1], PLAN[3],
            _LONG.conclusion, _NOISE.conclusion, same.conclusion, cited.conclusion,
        ),
        ro.low <= (F / rates.hat + before + drift) / rates.z + later,
    )  # fmt: skip
    end = obligation(
        "the printed bound",
        (
            *all_given,
            ALPHA,
            HAT,
            rates.CONSTANTS,
            rates.START_LATER,
            meaning,
            *meant,
            covered.conclusion,
            bound.conclusion,
        ),
        ro.low <= (3 * F / rates.hat + before + _ROOT_L * paid) / rates.z + later,
    )
    return Proof(
        (*_CHOSEN, *spread, limit), (*shown, cited, _LONG, _SQUARE, _NOISE, same, covered, bound, end)
    )


COROLLARY3 = corollary(R2_SHARP, sympy.Rational(4, 3), F + Delta, 4 * _ROOT_DELTA, SMALL)
COROLLARY5 = corollary(
    R3_SHARP, sympy.Integer(2), F + Delta + Delta_local, 8 * _ROOT_DELTA + 4 * sympy.sqrt(own), SMALL_C5, OWN
)


def _reading(
    id: str, place: str, printed: str, limit: Fact, also: str, reason: str, proof: Proof, open_: str
) -> Claim:
    kind = "corollary" if id.startswith("FED-C") else "theorem"
    said = f"{printed} [E‖z‖² = σ²; {limit.name}{also}]"
    return claim(id, place, kind, said, reason, proof=proof, consequence=open_)


_OPEN = (
    "Use the printed condition where Δ^inf ≤ {} in your units, else √Δ^inf for Δ^inf in it. Whether the printed statement fails just "
    "above that is open: there the printed condition no longer makes the bound of {} smaller than the printed one. The witness of "
    "{} has {}."
)
_HOLDS = (
    "Where √Δ^inf ≤ c the printed condition gives the one with √Δ^inf, c times weaker, and c = {} is enough: the theorem holds as it "
    "is printed for Δ^inf ≤ {}, for every number of local steps, of rounds and of clients and {}."
)
_MAIN_B = "; B* = (1 − p + σ²)/p ≤ B, as at p = 1"
_F2, _G2 = "Appendix F.2, Theorem", "Appendix G.2, Theorem 2"
_UNDER, _BESIDE = "(K+1) under the root", "(K+1) beside the root"
_FAR, _FARTHER = "Δ^inf = 4·10¹⁰", "Δ^inf = 4·10¹⁴"
_OWN_DELTA = ", the f^inf being infima, so that the mean of its Δ_i^inf is Δ^inf and that of Lemma 8's"


def _gradient(
    id: str, place: str, version: str, proof: Proof, also: str = "", p_said: str = "every p"
) -> Claim:
    return _reading(
        f"{id}{',' if '@' in id else '@'}small-Delta", f"{place}, √Δ^inf ≤ 12(6+√35)", THEOREMS[version], SMALL, also,
        _HOLDS.format("12(6+√35) = 142.99…", "20,446", p_said), proof, _OPEN.format("20,446", "FED-R2-SHARP", id, _FAR),
    )  # fmt: skip


def _passes(id: str, place: str, proof: Proof) -> Claim:
    return _reading(
        f"{id}{',' if '@' in id else '@'}small-Delta", f"{place}, √Δ^inf ≤ 8(6+√35)", THEOREMS["FED-T2"], SMALL_OWN, _OWN_DELTA,
        _HOLDS.format("8(6+√35) = 95.32…", "9,087", "every p"), proof, _OPEN.format("9,087", "FED-R3-SHARP", id, _FAR),
    )  # fmt: skip


CLAIMS = (
    _gradient(
        "FED-T1-MAIN", "Section 4, Theorem 1, B* ≤ B", "FED-T1-MAIN", of_section_4(b_main, SPARE_MAIN), _MAIN_B,
        "every p and σ with (2p − 1)(σ² − 1 + p) ≥ 0, which is B* ≤ B, as at p = 1",
    ),
    _gradient(
        "FED-T1-TEXT", "Section 4, Theorem 1 with the B of the sentence after it, B* ≤ B", "FED-T1-TEXT",
        of_section_4(b_text, SPARE_TEXT), _MAIN_B,
        "every p and σ with σ² ≥ (1 − p)(2p − 1), which is B* ≤ B, as at p = 1 and p ≤ 1/2",
    ),
    _gradient("FED-T1-APP", f"{_F2}, {_UNDER}", "FED-T1-APP", APPENDIX),
    _gradient("FED-T1-APP@outside", f"{_F2}, {_BESIDE}", "FED-T1-APP", APPENDIX_OUTSIDE),
    _passes("FED-T2", f"{_G2}, {_UNDER}", PASSES),
    _passes("FED-T2@outside", f"{_G2}, {_BESIDE}", PASSES_OUTSIDE),
    _reading(
        "FED-T2@small-Delta,Lemma-8", f"{_G2}, {_UNDER}, Lemma 8's Δ_i^inf, √Δ^inf ≤ 8(4+√15)", THEOREMS["FED-T2"], SMALL_IG,
        ", Δ_i^inf = f_i^inf − (1/N) Σ_{j=1}^N f_{i,j}^inf",
        "With Lemma 8's Δ_i^inf the printed bound is smaller than with Theorem 2's own, and Δ^inf ≤ 3,966 is what is enough.",
        LEMMA8, _OPEN.format("3,966", "FED-R3-SHARP", "FED-T2", _FAR),
    ),
    _reading(
        "FED-C3@small-Delta", "Appendix F.3, Corollary 3, D₂ < α + D₁, √Δ^inf ≤ 12(6+√35)", COROLLARIES["FED-C3"], SMALL,
        "; D₂ < α + D₁",
        "With Δ^inf in η̂ the choices meet the printed condition on ηγ, and for Δ^inf ≤ 20,446 that is enough: with D₂ < α + D₁ the "
        "corollary holds as it is printed, for every K.",
        COROLLARY3, _OPEN.format("20,446", "FED-R2-SHARP", "FED-C3", _FARTHER),
    ),
    _reading(
        "FED-C5@small-Delta", "Appendix G.3, Corollary 5, D₂ < α + D₁, √Δ^inf ≤ 8(12+√143)", COROLLARIES["FED-C5"], SMALL_C5,
        f"; D₂ < α + D₁; Σ_{{i=1}}^M for Σ_{{m=1}}^M, Theorem 2's Δ_i^inf{_OWN_DELTA}",
        "Its 8 and 4 are twice what Theorem 2 gives with this γ, so that it holds up to Δ^inf = 36,735: with D₂ < α + D₁ as it is "
        "printed, for every K.",
        COROLLARY5, _OPEN.format("36,735", "FED-R3-SHARP", "FED-C5", _FARTHER),
    ),
)  # fmt: skip
