"""Theorems 1 and 2 as they are printed, where Δ^inf is a small number in the units of f that are used.

The printed condition has Δ^inf where √Δ^inf belongs. As a number Δ^inf is at most c√Δ^inf exactly where √Δ^inf ≤ c, and there the
printed condition gives ηγ ≤ c/(K+1) · √Δ^inf/(4L√(2L)), which is enough for c = 16(8+3√7) (`repairs`). So nothing is wrong
with the printed theorems in large units of f; they are refuted because they are printed for all.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy

from bounds.fed_alpha_normec.theorem1 import b_main, b_text, noise_term
from verify.claim import Claim
from verify.facts import Fact, hypothesis
from verify.fed_alpha_normec.counterexamples.steady import FAR, FAR_PASSES
from verify.fed_alpha_normec.displays import THEOREMS
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.letters import (
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
from verify.fed_alpha_normec.theorems import repairs as re
from verify.identity import Identity
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

_ROOT_L, _ROOT_DELTA = sympy.sqrt(2 * L), sympy.sqrt(Delta)


def small(limit: sympy.Expr, text: str) -> Fact:
    return hypothesis(f"√Δ^inf ≤ {text}", _ROOT_DELTA <= limit)


SMALL = small(re.FACTOR, re.TEXT)
SMALL_IG = small(re.FACTOR_IG, "8(4+√15)")
SMALL_OWN = small(re.FACTOR_OWN, "8(6+√35)")
SMALL_ANY = small(re.FACTOR_ANY, "64")


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


def as_printed(repaired: Proof, limit: Fact, nodes: tuple[Node, ...], asked: Fact, *more: Fact) -> Proof:
    """The repaired theorem with the printed condition on ηγ and a small Δ^inf for its own. nodes: `room`, after what it uses; more:
    what these assume beside it."""
    kept = tuple(fact for fact in repaired.assumptions if fact != asked)
    shown = {node.name for node in nodes}
    return Proof(
        (*kept, ro.PRINTED_ROUNDS, limit, *more),
        (*nodes, *(n for n in repaired.nodes if n.name not in shown)),
    )


_ROOM = (re.SHOWN[1], *room(SMALL, re.FACTOR, re.SHOWN[1], re.ROOM))
_ROOM_IG = (re.SHOWN_IG[1], *room(SMALL_IG, re.FACTOR_IG, re.SHOWN_IG[1], re.ROOM_IG, se.SPREAD_LOCAL))
APPENDIX, APPENDIX_OUTSIDE = (
    as_printed(re.gradient(ro.THIRD_STEP, noise), SMALL, _ROOM, re.ROOM) for noise in (re.INSIDE, re.OUTSIDE)
)
LEMMA8 = as_printed(re.incremental(re.INSIDE), SMALL_IG, _ROOM_IG, re.ROOM_IG)


second = no.second_moment(p, sigma**2)


def enough(b: Callable) -> Fact:
    return hypothesis("(K+2)B* ≤ 2(K+1)B, B* = (1 − p + σ²)/p", (K + 2) * second <= 2 * (K + 1) * b(p, sigma))


SPARE_MAIN = (2 * p - 1) * (sigma**2 - (1 - p))
SPARE_TEXT = sigma**2 - (1 - p) * (2 * p - 1)
"""p(B − B*) for each B."""
_USUAL = {
    SPARE_MAIN: ("3/10 ≤ p ≤ 7/10", (10 * p >= 3) & (10 * p <= 7)),
    SPARE_TEXT: ("p ≤ 7/10", 10 * p <= 7),
}
"""Where K ≥ 4 is enough, whatever σ is."""
_IN_WORDS = {SPARE_MAIN: "(2p − 1)(σ² − (1 − p))", SPARE_TEXT: "σ² − (1 − p)(2p − 1)"}


def of_section_4(b: Callable, spare: sympy.Expr) -> Proof:
    """Theorem 1 with a B of Section 4, where 2(K+1)B is not below K + 2 times the second moment."""
    means = Identity(
        f"p(2(K+1)B − (K+2)B*) = 2(K+1)({_IN_WORDS[spare]}) + K(1 − p + σ²)",
        p * (2 * (K + 1) * b(p, sigma) - (K + 2) * second),
        2 * (K + 1) * spare + K * (1 - p + sigma**2),
        (PARTICIPATION,),
    )
    words, usually = _USUAL[spare]
    usual = obligation(
        f"(K+2)B* ≤ 2(K+1)B for every σ where {words} and K ≥ 4",
        (PARTICIPATION, no.SIGMA),
        sympy.Implies(usually & (K >= 4), 2 * (K + 1) * spare + K * (1 - p + sigma**2) >= 0),
    )
    tight = as_printed(re.gradient(ro.HALF_STEP, None), SMALL, _ROOM, re.ROOM)
    printed = noise_term(beta, b(p, sigma), M, K)
    larger = obligation(
        "the term with B* is at most the printed one",
        (BETA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, no.SIGMA, no.TOTAL_READING, enough(b)),
        re.TIGHT <= printed,
    )
    last = tight.nodes[-1].conclusion
    end = obligation("the printed bound", (*re.SIZES, larger.conclusion, last), re.cases(printed))
    return Proof((*tight.assumptions, no.TOTAL_READING, enough(b)), (means, usual, *tight.nodes, larger, end))


_UNITS_OWN = re.units(re.FACTOR_OWN, "8(6+√35)", re.ENOUGH_OWN, se.SPREAD_LOCAL)
_UNITS_ANY = re.SHOWN_OWN[1]
_ROOM_ANY = (_UNITS_ANY, *room(SMALL_ANY, re.FACTOR_ANY, _UNITS_ANY, re.ROOM_OWN, re.OWN_POSITIVE))
_ROOM_OWN = (
    _UNITS_OWN, *room(SMALL_OWN, re.FACTOR_OWN, _UNITS_OWN, re.ROOM_OWN, se.SPREAD_LOCAL)
)  # fmt: skip
PASSES, PASSES_OUTSIDE = (
    as_printed(re.passes(noise), SMALL_OWN, _ROOM_OWN, re.ROOM_OWN, se.SPREAD_LOCAL)
    for noise in (re.INSIDE, re.OUTSIDE)
)
ANY, ANY_OUTSIDE = (
    as_printed(re.passes(noise), SMALL_ANY, _ROOM_ANY, re.ROOM_OWN) for noise in (re.INSIDE, re.OUTSIDE)
)


def _reading(
    id: str, place: str, printed: str, limit: Fact, also: str, reason: str, proof: Proof, open_: str
) -> Claim:
    said = f"{printed} [E‖z‖² = σ²; {limit.name}{also}; 0/0 = 0]"
    return claim(id, place, "theorem", said, reason, proof=proof, consequence=open_)


_OPEN = (
    "Take E‖z‖² for σ_DP², B* for B (or a B with (K+2)B* ≤ 2(K+1)B), and the printed condition where Δ^inf ≤ {} in your units, else "
    "√Δ^inf for Δ^inf in it. Whether the printed statement fails just above that is open {}: there the printed condition no longer "
    "makes the bound of {} smaller than the printed one. The witness of {} has {}."
)
_ALONE = "for T ≥ 2 and p < 1 or σ_DP > 0 (else: FED-T1-APP@T=1, FED-T1-QUIET)"
_READING = "in this reading"
_HOLDS = (
    "Where √Δ^inf ≤ c the printed condition gives the one with √Δ^inf, c times weaker, and c = {} is enough: where σ_DP² = E‖z‖² and "
    "line 12 stands still at v̂^{{k+1}} = 0 (0/0 = 0) the theorem holds as it is printed for Δ^inf ≤ {}, for every number of local "
    "steps, of rounds and of clients and {}."
)
_MAIN_B = "; (K+2)B* ≤ 2(K+1)B, B* = (1 − p + σ²)/p, as at p = 1"
_ENOUGH = "(K+2)B* ≤ 2(K+1)B"
_F2, _G2 = "Appendix F.2, Theorem", "Appendix G.2, Theorem 2"
_UNDER, _BESIDE = "(K+1) under the root", "(K+1) beside the root"
_FAR, _FAR_PASSES = (f"Δ^inf = {far}" for far in (FAR, FAR_PASSES))
_UP_TO = re.up_to(re.FACTOR)
_OWN_DELTA = "; Lemma 8's (1/M) Σ Δ_i^inf ≥ 0, as it is where all lower bounds are infima"
_N_STEPS = "; N steps, one for each f_{i,j}, where T is printed"


def _gradient(
    id: str, place: str, version: str, proof: Proof, also: str = "", p_said: str = "every p"
) -> Claim:
    return _reading(
        f"{id}{',' if '@' in id else '@'}small-Delta", f"{place}, {SMALL.name}", THEOREMS[version], SMALL, also,
        _HOLDS.format(f"{re.TEXT} = {float(re.FACTOR):.3f}…", _UP_TO, p_said), proof,
        _OPEN.format(_UP_TO, _ALONE, "FED-R2-SHARP", id, _FAR),
    )  # fmt: skip


def _passes(id: str, place: str, proof: Proof) -> Claim:
    return _reading(
        f"{id}{',' if '@' in id else '@'}small-Delta", f"{place}, √Δ^inf ≤ 8(6+√35)", THEOREMS["FED-T2"], SMALL_OWN,
        _N_STEPS + _OWN_DELTA,
        _HOLDS.format("8(6+√35) = 95.32…", "9,087", "every p"), proof,
        _OPEN.format("9,087", _READING, "FED-R3-SHARP", id, _FAR_PASSES),
    )  # fmt: skip


def _any_mean(id: str, place: str, proof: Proof) -> Claim:
    """Whatever Lemma 8's Δ_i^inf are: those of Theorem 2 are printed to be positive."""
    return _reading(
        f"{id}{',' if '@' in id else '@'}smaller-Delta", f"{place}, √Δ^inf ≤ 64", THEOREMS["FED-T2"], SMALL_ANY, _N_STEPS,
        _HOLDS.format("64", "4,096", "every p"), proof, _OPEN.format("4,096", _READING, "FED-R3-SHARP", id, _FAR_PASSES),
    )  # fmt: skip


CLAIMS = (
    _gradient(
        "FED-T1-MAIN", f"Section 4, Theorem 1, {_ENOUGH}", "FED-T1-MAIN", of_section_4(b_main, SPARE_MAIN), _MAIN_B,
        f"every p and σ with {_ENOUGH}: at p = 1, for K ≥ 4 at 3/10 ≤ p ≤ 7/10, and for large K where (4p − 1)σ² > (1 − p)(4p − 3)",
    ),
    _gradient(
        "FED-T1-TEXT", f"Section 4, Theorem 1 with the B of the sentence after it, {_ENOUGH}", "FED-T1-TEXT",
        of_section_4(b_text, SPARE_TEXT), _MAIN_B,
        f"every p and σ with {_ENOUGH}: at p = 1, for K ≥ 4 at p ≤ 7/10, and for large K where 3σ² > (1 − p)(4p − 3)",
    ),
    _gradient("FED-T1-APP", f"{_F2}, {_UNDER}", "FED-T1-APP", APPENDIX),
    _gradient("FED-T1-APP@outside", f"{_F2}, {_BESIDE}", "FED-T1-APP", APPENDIX_OUTSIDE),
    _passes("FED-T2", f"{_G2}, {_UNDER}", PASSES),
    _passes("FED-T2@outside", f"{_G2}, {_BESIDE}", PASSES_OUTSIDE),
    _any_mean("FED-T2", f"{_G2}, {_UNDER}", ANY),
    _any_mean("FED-T2@outside", f"{_G2}, {_BESIDE}", ANY_OUTSIDE),
    _reading(
        "FED-T2@small-Delta,Lemma-8", f"{_G2}, {_UNDER}, Lemma 8's Δ_i^inf, √Δ^inf ≤ 8(4+√15)", THEOREMS["FED-T2"], SMALL_IG,
        f"{_N_STEPS}; Δ_i^inf = f_i^inf − (1/N) Σ_{{j=1}}^N f_{{i,j}}^inf, their mean ≥ 0, as it is where the f_i^inf are infima",
        "With Lemma 8's Δ_i^inf the printed bound is smaller than with Theorem 2's own, and Δ^inf ≤ 3,966 is what is enough. (Line 12 "
        "stands still at v̂^{k+1} = 0: 0/0 = 0.)",
        LEMMA8, _OPEN.format("3,966", _READING, "FED-R3-SHARP", "FED-T2", _FAR_PASSES),
    ),
)  # fmt: skip
