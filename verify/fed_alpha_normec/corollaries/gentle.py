"""Corollaries 3 and 5 where D₂ < α + D₁: no condition on η̂ beside η̂ ≤ D₁D₂/(4L(α + D₁)), whatever Δ^inf is.

Write G = √(2L(f(x⁰) − f^inf)) ≥ ‖∇f(x⁰)‖ and κ = (K+1)^(1/8). Above what A₁ has for it the drift is at most G (two thirds of it in
Corollary 3), and D₂ < α + D₁ gives (f(x⁰) − f^inf)/η̂ ≥ 2G²/D₁. Three bounds, of which one is always enough: G itself, for κ ≤ 6 and
where κG ≤ 2D₁; the one from any memories (FED-R2-FORGETS@any-beta), which has at most 11/8 D₁ in place of 2D₁ where the residuals
have the time to shrink, tail ≤ D₁κ⁷; and where D₂ is so small that they have not, FED-R2-SHARP, of whose first term A₁ has three.
"""

from __future__ import annotations

import sympy

from verify.citation import Cite
from verify.claim import Claim
from verify.facts import definition, equal, letters, standard
from verify.fed_alpha_normec.corollaries import rates
from verify.fed_alpha_normec.corollaries import spared as sp
from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    SPREAD,
    VARIANCE,
    Delta,
    F,
    L,
    R,
    alpha,
    beta,
    claim,
    eta,
)
from verify.fed_alpha_normec.ours import forgets_several as fs
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours.forgets_overshoot import R2_ANY, R3_ANY
from verify.obligation import obligation
from verify.proof import Proof

kappa, D_1, D_2, hat = rates.kappa, rates.D_1, rates.D_2, rates.hat
first, G, rise, reach, tail, lasting, aside, excess = letters("grad0 G rise reach tail lasting aside excess")
PLAN = rates.PLAN3
FEEDBACK_SHOWN = rates.conditions(PLAN, sp.HAT, several=True)[1][0]
CHOICES = (ALPHA, SMOOTH, rates.CONSTANTS, rates.START_LATER)
STEEP = definition("G = √(2L(f(x⁰) − f^inf))", (G >= 0) & equal(G**2, 2 * L * F))
RISE = definition("rise = (f(x⁰) − f^inf)/η̂", equal(rise * hat, F))
REACH = definition("reach = 2Lη", equal(reach, 2 * L * eta))
TAIL = definition("tail = (R² + 2αR)/(β − 2Lη)", equal(tail * (beta - reach), R**2 + 2 * alpha * R))
EXCESS = definition("excess = max(β² − 2α², 0)", equal(excess, sympy.Max(beta**2 - 2 * alpha**2, 0)))
LASTING = definition(
    "lasting = (2α · 2Lη + (2Lη)² + 3 max(β² − 2α², 0))/(β − 2Lη)",
    equal(lasting * (beta - reach), 2 * alpha * reach + reach**2 + 3 * excess),
)
LATE = kappa >= 6

# The first gradient.
NO_WORSE = standard("the minimum is over k = 0 too: min E‖∇f‖ ≤ ‖∇f(x⁰)‖", (first >= 0) & (ro.low <= first))
FIRST = obligation(
    "min E‖∇f‖ ≤ ‖∇f(x⁰)‖ ≤ G",
    (
        SMOOTH,
        GAP,
        STEEP,
        NO_WORSE,
        gd.BELOW.at({gd.size: first, gd.gap: F}, "f, a mean of L-smooth functions"),
    ),
    ro.low <= G,
)
ROOM = obligation(
    "rise D₁D₂ ≥ 2G²(α + D₁)",
    (*CHOICES, GAP, sp.HAT, STEEP, RISE),
    (rise * D_1 * D_2 >= 2 * G**2 * (alpha + D_1)) & (rise >= 0),
)
ROOM_D1 = obligation("rise D₁ ≥ 2G²", (*CHOICES, rates.BELOW, ROOM.conclusion), rise * D_1 >= 2 * G**2)

# How far the residuals shrink, and when.
SHORT = obligation(
    "2Lη ≤ βD₁/(2κ²(α + D₁))",
    (*CHOICES, BETA, ETA, sp.HAT, PLAN[2], PLAN[3], REACH),
    (reach * 2 * kappa**2 * (alpha + D_1) <= beta * D_1) & (reach > 0),
)
SHORTER = obligation(
    "2Lη ≤ β/(2κ²)",
    (*CHOICES, BETA, SHORT.conclusion),
    (reach * 2 * kappa**2 <= beta) & (reach > 0),
)
STRIDE = obligation(fs.STRIDE.name, (*CHOICES, BETA, SHORTER.conclusion, REACH), fs.STRIDE.relation)
RATE = obligation(
    "κ ≥ 6 ⇒ β − 2Lη ≥ (71/72)β",
    (rates.START_LATER, BETA, SHORTER.conclusion),
    (beta > reach) & sympy.Implies(LATE, 72 * (beta - reach) >= 71 * beta),
)
SMALL = obligation("βκ⁵ ≤ α + D₁", (*CHOICES, rates.BELOW, PLAN[2]), beta * kappa**5 <= alpha + D_1)
OVERSHOT = obligation(
    "κ ≥ 6 ⇒ max(β² − 2α², 0) κ ≤ βD₁/1000",
    (*CHOICES, BETA, SMALL.conclusion, EXCESS),
    sympy.Implies(LATE, 1000 * excess * kappa <= beta * D_1) & (excess >= 0),
)
MOVES = obligation(
    "κ ≥ 6 ⇒ (2α + 2Lη)2Lη κ ≤ βD₁/6",
    (*CHOICES, BETA, SMALL.conclusion, SHORT.conclusion, SHORTER.conclusion),
    sympy.Implies(LATE, 6 * (2 * alpha + reach) * reach * kappa <= beta * D_1),
)
STAYS = obligation(
    "κ ≥ 6 ⇒ lasting κ ≤ D₁/4",
    (*CHOICES, BETA, LASTING, RATE.conclusion, OVERSHOT.conclusion, MOVES.conclusion),
    sympy.Implies(LATE, 4 * lasting * kappa <= D_1),
)
RADII = obligation(
    "R² + 2αR ≤ 2R(α + D₁)",
    (*CHOICES, RADIUS, PLAN[1]),
    (R**2 + 2 * alpha * R <= 2 * R * (alpha + D_1)) & (R <= D_1),
)
ONCE = obligation(
    "κ ≥ 6 ⇒ 71β tail ≤ 144R(α + D₁)",
    (*CHOICES, BETA, RADIUS, TAIL, RATE.conclusion, RADII.conclusion),
    sympy.Implies(LATE, 71 * beta * tail <= 144 * R * (alpha + D_1)) & (tail > 0),
)
GOES = obligation(
    "κ ≥ 6 ⇒ 71D₂ tail ≤ 144κ⁴D₁(α + D₁)",
    (*CHOICES, BETA, RADIUS, PLAN[1], PLAN[2], ONCE.conclusion),
    sympy.Implies(LATE, 71 * D_2 * tail <= 144 * kappa**4 * D_1 * (alpha + D_1)),
)
LIFTED = obligation(
    "κ ≥ 6 ⇒ 2Lη tail ≤ (D₁/8)²",
    (*CHOICES, BETA, RADIUS, PLAN[1], SHORT.conclusion, ONCE.conclusion),
    sympy.Implies(LATE, 64 * reach * tail <= D_1**2),
)
SLOW = obligation(
    "κ ≥ 6 and tail > D₁κ⁷ ⇒ 72 rise D₁ ≥ 71κ³G²",
    (*CHOICES, STEEP, GOES.conclusion, ROOM.conclusion),
    sympy.Implies(LATE & (tail > D_1 * kappa**7), 72 * rise * D_1 >= 71 * kappa**3 * G**2),
)
NOTHING_SAID = obligation(
    "κ² ≤ 48 ⇒ G ≤ A₁/κ: up to K + 1 = 48⁴ the bound says nothing",
    (*CHOICES, STEEP, ROOM_D1.conclusion),
    sympy.Implies(kappa**2 <= 48, kappa * G <= 3 * rise + 2 * D_1),
)
NODES = (
    FIRST, ROOM, ROOM_D1, NOTHING_SAID, SHORT, SHORTER, STRIDE, RATE, SMALL, OVERSHOT, MOVES, STAYS, RADII, ONCE, GOES, LIFTED, SLOW,
)  # fmt: skip


PRINTED_HAT = obligation(
    "the printed η̂ is one of those",
    (*CHOICES, SPREAD),
    sympy.Implies(
        equal(hat, sympy.Min(Delta / (2 * sympy.sqrt(2 * L)), D_1 * D_2 / (4 * L * (alpha + D_1)))),
        sp.HAT.relation,
    ),
)


def corollary(of: sp.Drift, forgets: Claim) -> Proof:
    """The printed bound, for every K. forgets: the bound from any memories that has the same drift as `of.sharp`."""
    more, half = of.above - F, of.constant / 2
    root = sympy.sqrt(2 * L)
    spread = "Δ^inf + (1/M) Σ Δ_i^inf" if of.spread else "Δ^inf"
    meaning = definition(f"aside = √(2L({spread}))", (aside >= 0) & equal(aside**2, 2 * L * more))
    high = obligation(of.higher.name, (SPREAD, GAP, *of.spread), of.higher.relation)
    shown = (
        *sp.POSITIVE, FEEDBACK_SHOWN, sp.PRODUCT, FROM_FEEDBACK, *rates.SHORT_LOCAL, sp.STEP, high, sp.LONG, sp.SQUARE, sp.NOISE,
    )  # fmt: skip
    given = (
        ALPHA, PARTICIPATION, SMOOTH, *ro.STARTED, CLIENTS, ROUNDS, VARIANCE, GAP, SPREAD, *of.spread,
        *(node.conclusion for node in (*shown[:-3], STRIDE)),
    )  # fmt: skip
    sharp, any_memories = Cite(of.sharp, given), Cite(forgets, given)
    paid = obligation(
        "what A₁ has for the drift", (*of.given, meaning), (root * of.paid >= half * aside) & (aside >= 0)
    )
    roots = obligation(f"√(2L(f(x⁰) − f^inf + {spread})) ≤ G + aside", (*of.given, STEEP, meaning),
                       sympy.sqrt(2 * L * of.above) <= G + aside)  # fmt: skip
    lifted = obligation(
        f"κ ≥ 6 ⇒ √(2L(f(x⁰) − f^inf + η tail + {spread})) ≤ G + D₁/8 + aside",
        (*of.given, ETA, rates.CONSTANTS, STEEP, REACH, meaning, ONCE.conclusion, LIFTED.conclusion),
        sympy.Implies(LATE, sympy.sqrt(2 * L * (of.above + eta * tail)) <= G + D_1 / 8 + aside),
    )
    local = (
        ALPHA,
        SMOOTH,
        rates.CONSTANTS,
        rates.START_LATER,
        ETA,
        ROUNDS,
        *PLAN[1:],
        sp.HAT,
        rates.STEP_LOCAL,
    )
    later = hat * L / 2 / kappa**6
    by_steps = obligation(
        f"{of.sharp.id}'s bound on the schedule",
        (
            *of.given,
            *local,
            RISE,
            sp.LONG.conclusion,
            sp.NOISE.conclusion,
            roots.conclusion,
            sharp.conclusion,
        ),
        ro.low * kappa <= rise + 2 * D_1 + sp.SENT + half * (G + aside) + later,
    )
    by_memories = obligation(
        "κ ≥ 6 ⇒ the bound from any memories on the schedule",
        (
            *of.given, *local, PLAN[0], BETA, RISE, REACH, TAIL, EXCESS, LASTING, RATE.conclusion, ONCE.conclusion,
            sp.LONG.conclusion, sp.NOISE.conclusion, lifted.conclusion, any_memories.conclusion,
        ),
        sympy.Implies(
            LATE,
            ro.low * kappa <= rise + tail / kappa**7 + lasting * kappa + sp.SENT + half * (G + D_1 / 8 + aside) + later,
        ),
    )  # fmt: skip
    sent = obligation(
        "the noise term is ≥ 0", (rates.CONSTANTS, CLIENTS, PARTICIPATION, no.SIGMA), sp.SENT >= 0
    )
    early = obligation(
        "κ ≤ 6, or κG ≤ 2D₁: the first gradient is small enough",
        (*CHOICES, STEEP, ROOM.conclusion, ROOM_D1.conclusion, FIRST.conclusion),
        sympy.Implies((kappa <= 6) | (kappa * G <= 2 * D_1), ro.low * kappa <= 3 * rise + 2 * D_1),
    )
    slow = obligation(
        "κ ≥ 6, tail > D₁κ⁷ and κG > 2D₁ ⇒ G ≤ 2 rise",
        (*CHOICES, STEEP, SLOW.conclusion),
        sympy.Implies(LATE & (tail > D_1 * kappa**7) & (kappa * G > 2 * D_1), G <= 2 * rise),
    )
    quick = obligation(
        "G ≤ 2 rise + D₁/2",
        (rates.CONSTANTS, STEEP, ROOM_D1.conclusion), G <= 2 * rise + D_1 / 2,
    )  # fmt: skip
    bound = obligation(
        "κ min E‖∇f‖ ≤ A₁ + η̂L/(2κ⁶)",
        (
            *CHOICES, STEEP, *(n.conclusion for n in (paid, by_steps, by_memories, sent, early, slow, quick, STAYS, ONCE)), sp.HAT,
        ),
        ro.low * kappa <= 3 * rise + 2 * D_1 + sp.SENT + root * of.paid + later,
    )  # fmt: skip
    end = obligation(
        "the bound",
        (*of.given, *CHOICES, sp.HAT, RISE, bound.conclusion),
        ro.low <= (3 * F / hat + 2 * D_1 + sp.SENT + root * of.paid) / kappa + hat * L / 2 / kappa**7,
    )
    return Proof(
        (
            ALPHA, SMOOTH, rates.CONSTANTS, rates.BELOW, sp.HAT, rates.STEP_LOCAL, *PLAN[1:], SPREAD, *of.spread, PARTICIPATION,
            *ro.STARTED, no.TOTAL_READING,
        ),
        (
            PRINTED_HAT, *shown, *NODES, sharp, any_memories, paid, roots, lifted, by_steps, by_memories, sent, early, slow, quick,
            bound, end,
        ),
    )  # fmt: skip


_STATED = (
    "If E‖z‖² = σ² and D₂ < α + D₁, the bound of Corollary {} holds with its choices of γ, R, β and η for every Δ^inf > 0, every K "
    "and every η̂ ≤ D₁D₂/(4L(α+D₁)), so with η̂ = min(Δ^inf/(2√(2L)), D₁D₂/(4L(α+D₁))) as printed"
)
C3_GENTLE, C5_GENTLE, _ = CLAIMS = (
    claim(
        "FED-C3-GENTLE",
        "ours, Corollary 3 where D₂ < α + D₁",
        "ours",
        _STATED.format(3),
        "The part of the drift that grows with f(x⁰) − f^inf is paid for by 2D₁, of which the residuals leave more than D₁/2 once "
        "they have shrunk (FED-R2-FORGETS@any-beta); if D₂ is too small for that, by 2(f(x⁰)−f^inf)/η̂ (FED-R2-SHARP). For K + 1 ≤ "
        "48⁴, and where D₁ is large, the bound is no less than √(2L(f(x⁰)−f^inf)) ≥ ‖∇f(x⁰)‖.",
        proof=corollary(sp.GRADIENT, R2_ANY),
        consequence="Take D₂ < α + D₁: then the wrong unit in η̂ does no harm. But for K + 1 ≤ 48⁴ = 5,308,416 the bound says nothing; "
        "FED-C3-FASTER is better. The witness of FED-C3 has D₂ = 1,040,447(α + D₁).",
    ),
    claim(
        "FED-C5-GENTLE",
        "ours, Corollary 5 where D₂ < α + D₁",
        "ours",
        _STATED.format(5) + sp.IG_ANY,
        "The same with FED-R3-FORGETS@any-beta and FED-R3-SHARP.",
        proof=corollary(sp.PASSES_ANY, R3_ANY),
    ),
    claim(
        "FED-C5-GENTLE@Lemma-8",
        "ours, Corollary 5 where D₂ < α + D₁, Lemma 8's Δ_i^inf",
        "ours",
        _STATED.format(5) + sp.LEMMA_8_READ,
        "As FED-C5-GENTLE; the printed bound is smaller with these Δ_i^inf.",
        proof=corollary(sp.LEMMA_8, R3_ANY),
    ),
)
