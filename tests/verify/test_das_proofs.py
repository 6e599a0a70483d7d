"""DP-NormFedAvg's proofs: they close, they need what they say, and false neighbours of their steps are refuted."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from bounds.dp_normfedavg.repaired import gain
from verify.case import Case
from verify.catalogue import claims
from verify.dp_normfedavg.claims import CLAIMS
from verify.dp_normfedavg.lemmas import convexity
from verify.dp_normfedavg.letters import CLIPPED, E, L, U, eta
from verify.dp_normfedavg.ours import claims as ours
from verify.dp_normfedavg.ours import (
    cut,
    falling,
    harmonic,
    nobody_sends,
    one_round,
    overshoot,
    received_noise,
    seldom,
    sharper,
    too_seldom,
)
from verify.dp_normfedavg.theorems import choices, rounds, theorem4
from verify.dp_normfedavg.theorems import theorem6_cut as clipped
from verify.dp_normfedavg.theorems import theorem6_kept as kept
from verify.dp_normfedavg.theorems import theorem7 as normalised
from verify.dp_normfedavg.theorems import theorem7_drawn as drawn
from verify.dp_normfedavg.theorems.claims import SEVEN_DRAWN, SIX_FIXED, SIX_GENERAL, SIX_SPECIFIC
from verify.facts import equal, hypothesis
from verify.obligation import Settings, obligation
from verify.proof import Proof
from verify.prove import prove

QUICK = Settings(minimise=False)
PROOFS = {
    "Theorem 4a": theorem4.PROOF_A, "Theorem 4b drawn": theorem4.PROOF_B_DRAWN, "Theorem 4b fixed": theorem4.PROOF_B_FIXED,
    "Theorem 6 fixed": SIX_FIXED, "Theorem 6 drawn": SIX_GENERAL, "Theorem 6 specific": SIX_SPECIFIC, "Theorem 7": SEVEN_DRAWN,
    "ours, clipping": ours.PROOF_CLIP, "ours, normalisation": ours.PROOF_NORM, "ours, overshoot": overshoot.PROOF,
    "ours, seldom": too_seldom.PROOF, "ours, nobody sends": nobody_sends.PROOF, "ours, noise received": received_noise.PROOF,
}  # fmt: skip
LISTED = (
    "DAS-DEF2", "DAS-NORMCLIP", "DAS-S31-SNR", "DAS-S31-LOW", "DAS-T4a", "DAS-T4b", "DAS-T4-K", "DAS-T4-FROM", "DAS-S41", "DAS-T6",
    "DAS-T7", "DAS-L8", "DAS-L9", "DAS-L10", "DAS-F1", "DAS-F2", "DAS-ALG2", "DAS-APPF-FIG2", "DAS-APPF-FIG3", "DAS-APPF-FIG4",
    "DAS-TAB2-FMNIST", "DAS-TAB2-CIFAR10", "DAS-TAB2-CIFAR100", *(f"DAS-T6-S{k}" for k in range(1, 34)),
    *(f"DAS-T7-S{k}" for k in range(1, 11)),
)  # fmt: skip


def test_every_listed_statement_is_a_claim() -> None:
    assert set(LISTED) <= set(claims())
    assert {claim.paper for claim in CLAIMS} == {"dp-normfedavg"}


@pytest.mark.parametrize("name", PROOFS)
def test_proof_closes(name: str) -> None:
    assert PROOFS[name].gaps() == []


@pytest.mark.parametrize("name", PROOFS)
def test_no_node_can_be_left_out(name: str) -> None:
    """Every node but the last and pure cross-checks is used by a later one: without it the proof has a gap."""
    proof = PROOFS[name]
    idle = []
    for index, node in enumerate(proof.nodes[:-1]):
        rest = Proof(proof.assumptions, (*proof.nodes[:index], *proof.nodes[index + 1 :]))
        if not rest.gaps():
            idle.append(node.name)
    allowed = {"second moment summed over all sets, one by one", "(37), factor", "(39), factor", "(47), factor",
               "Theorem 7, second part, factor", "Theorem 7, second part", "(43)",
               "cηLE ≤ λ − 1083/1000 where 1/r − 1/n ≤ 2.66"}  # fmt: skip
    assert set(idle) <= allowed, idle


def _without(task, *names):
    return replace(task, given=tuple(fact for fact in task.given if fact.name not in names))


def _instead(task, name, relation):
    return replace(
        task, given=tuple(hypothesis(f.name, relation) if f.name == name else f for f in task.given)
    )


def _doubled(task, letter):
    """An equality whose right side has twice the letter."""
    both = task.goal.relation
    changed = equal(both.lhs, both.rhs.xreplace({letter: 2 * letter}))
    return replace(task, goal=obligation("x", (), changed).goal)


FALSE = {
    "(13) with 2A_i": _doubled(rounds.S13_SAME, rounds.AM),
    "(21) with 2‖u‖": _doubled(clipped.S21_SAME, U),
    "(22) with 4/8": replace(clipped.S22_MORE, goal=obligation(
        "x", (), clipped.S22_MORE.goal.relation.lhs <= -eta * rounds.C / (2 * L * E) * U).goal),
    "(28) with L/2": replace(kept.S28_LESS, goal=obligation(
        "x", (), kept.S28_LESS.goal.relation.lhs >= kept.fk - kept.fs - L / 2 * kept.v2).goal),
    "(29) with 2L": _doubled(kept.S29_SAME.step, kept.v2),
    "(31) with E²": replace(kept.S31_LESS, goal=obligation(
        "x", (), kept.S31_LESS.goal.relation.lhs >= kept.E * kept.F - 2 * eta**2 * L**2 * E**2 * kept.M).goal),
    "(32) with 2Δ_i*": _doubled(kept.S32_SAME, kept.Delta),
    "(38) with 2Δ_i*": replace(rounds.S38_SAME, goal=rounds.S38_SAME.goal.at({rounds.kept_average: 2 * rounds.kept_average})),
    "(45) with 2Δ_i*": _doubled(normalised.S45_SAME, normalised.Delta),
    "(49) with ηΔ_i*": replace(convexity.L8_49_MORE, goal=obligation(
        "x", (), convexity.L8_49_MORE.goal.relation.lhs <= convexity.L8_49_MORE.goal.relation.rhs - eta * convexity.Delta).goal),
    "(50) with 2η/L": replace(convexity.L8_50_MORE, goal=obligation(
        "x", (), convexity.L8_50_MORE.goal.relation.lhs <= convexity.L8_50_MORE.goal.relation.rhs - eta / L * convexity.g2).goal),
    "norm(u, C) = clip(u, C) cut by 2C/‖u‖": _instead(
        normalised.SAME, clipped.CLIP_CUTS.name,
        equal(clipped.ay, 2 * rounds.C / U * normalised.uy) & equal(clipped.a2, rounds.C**2)),
    "(42) with 3η for 2η": replace(normalised.S42, goal=obligation(
        "x", (), normalised.z * (-3 * eta * normalised.B) + eta**2 * normalised.CHAT**2 * E**2 >= rounds.A).goal),
    "(35) is false at n = 18E": replace(one_round.THREE_STEPS, goal=obligation("x", (), sympy.Implies(
        one_round.THREE_STEPS.goal.relation.args[0].subs(one_round.n, one_round.n * 10 / 9), one_round.room > 0)).goal),
    "Lemma 8 with η ≤ 1/L": _instead(convexity.L8_51, "η ≤ 1/(2L)", eta <= 1 / L),
    "Lemma 9 with η ≤ 3/L": _instead(convexity.L9_56, "η ≤ 1/L", eta <= 3 / L),
    "Lemma 10 without co-coercivity": _without(convexity.L10_59, convexity.ABOVE_TANGENT.name),
    "(20) without the threshold": _without(clipped.S20A, "C² ≥ 16 L E² max_j Δ_j*"),
    "(22) with 1/2 for 3/8": replace(clipped.S22, goal=obligation("x", (), rounds.A <= -eta * rounds.C / (2 * L * E) * U).goal),
    "(27) without convexity": _without(kept.S27, "f_i is convex, at w* from w_{k,τ}"),
    "(31) with E² for E³": replace(
        kept.S31, goal=obligation("x", (), kept.E * kept.F - 2 * eta**2 * L**2 * E**2 * kept.M <= kept.B).goal
    ),
    "(12) for any |S|": _without(rounds.S12_FIXED, "|S_k| ≤ r"),
    "(39) without E ≤ α/(2ρ)": _without(rounds.S39_HALF, "E ≤ α/(2ρ)"),
    "our margin with cηLE ≤ λ": replace(
        cut.CUT_LONG, given=(cut.SIZES.conclusion, cut.THRESHOLDED.conclusion, cut.STAR.conclusion, sharper.EXCESS_RANGE,
                             hypothesis("cηLE ≤ λ, λ ≥ 2 − ηL", (cut.c * cut.s <= cut.lam) & (cut.lam >= 2 - cut.mu))),
    ),
    "the trapezoid rule for steps of 2/L": _instead(harmonic.TRAPEZOID, "η ≤ 1/(2L)", eta <= 2 / L),
    "falling losses with ω_{τ+1} for ω_τ": _instead(
        harmonic.WEIGHTED_STEP, harmonic.WEIGHT.name, equal(harmonic.omega, gain(eta * L, harmonic.T + 1))
    ),
    "‖Σ y‖² ≤ (Σ 1/ω²)(Σ ω‖y‖²)": replace(
        harmonic.WEIGHTED.step,
        goal=harmonic.WEIGHTED.invariant.at({**dict(harmonic.WEIGHTED.next), harmonic.P: harmonic.P + 1 / harmonic.omega**2}),
    ),
    "falling losses where the last is below the minimum": _instead(
        harmonic.HARMONIC_INNER, harmonic.LEAST.name, (harmonic.P > 0) & (harmonic.g2 >= 0)
    ),
    "our clipping round with half the sampling term": replace(
        ours.CLIENT_SHORT,
        goal=obligation(
            "x", (),
            sharper.Ah <= -2 * eta * E * sharper.F + 2 * eta**3 * L**2 * sharper.SQUARES * sharper.M + sharper.c * eta**2 * U**2 / 2,
        ).goal,
    ),
    "Theorem 7 for one-by-one sampling as printed": replace(
        drawn.ROUND_40, goal=obligation("x", (), drawn.yn2 <= drawn.y2 + drawn.AM + eta**2 * drawn.d * drawn.sigma2).goal,
    ),
    "a cut client pays for its message where cηLE ≤ λ − 1.08": replace(
        drawn.LEFT, goal=obligation(
            "x", (), sympy.Implies(100 * drawn.c * eta * L * E <= 100 * drawn.lam - 108, 8 * drawn.margin(0) >= 3 * drawn.t)
        ).goal,
    ),
    "cηLE ≤ λ − 1.083 where 1/r − 1/n ≤ 2.67": replace(
        drawn.SPARE_SHOWN, goal=obligation("x", (), sympy.Implies(100 * drawn.c <= 267, drawn.SPARE)).goal
    ),
    "(45) with a weight below 0 at u = 0": _instead(
        normalised.S45_FIRST, normalised.Z_OR_ANY.name, equal(U, 0) & (normalised.z <= 0)
    ),
    "drawn more seldom: 1/r − 1/n ≤ 3/2 at E = 1": _instead(
        seldom.PAID,
        seldom.STEPS.name,
        (seldom.kappa >= 0) & (3 * seldom.kappa <= 2) & (seldom.kappa <= 2 * seldom.psi) & (2 * sharper.c <= 3),
    ),
    "drawn more seldom: 1/r − 1/n ≤ 1.51 at E ≥ 2": _instead(
        seldom.STEPS, seldom.RANGE.name, (sharper.c >= 0) & (E >= 2) & (100 * sharper.c <= 151)
    ),
    "drawn more seldom: no room for 0.495 at E = 1": replace(
        seldom.ROOM, goal=obligation(
            "x", (), (1 - seldom.x) ** 2
            <= (1 - seldom.x - seldom.x * (sympy.Rational(495, 1000) - 2 * seldom.x))
            * (1 - seldom.x + seldom.x * (1 - 4 * seldom.x) / 2)
        ).goal,
    ),
    "drawn more seldom: all of ½(1 − 4x) from ‖u − h‖² and ‖h‖²": replace(
        seldom.REST, goal=obligation(
            "x", (), seldom.x * (1 - 4 * seldom.x) * (U**2 - sharper.hh) <= 2 * (1 - seldom.x) * seldom.APART
        ).goal,
    ),
    "an update is as short as if all its gradients were half the first": replace(
        falling.LONGEST, goal=obligation("x", (), (1 + 2 * eta * L * (E - 1)) * U**2 <= 2 * L * E**2 * falling.M).goal
    ),
    "signs drawn one by one without c": replace(
        overshoot.ROUND, goal=obligation(
            "x", (), equal(overshoot.yn2, overshoot.y2 - 2 * eta * overshoot.b + eta**2 * (1 + overshoot.kappa))
        ).goal,
    ),
    "E w⁴ falls by 7vη²D": replace(
        overshoot.FALLS, goal=obligation(
            "x", (),
            overshoot.w4n <= overshoot.w4 - 7 * overshoot.v * eta**2 * overshoot.y2 + eta**4 * overshoot._fourth,
        ).goal,
    ),
    "too seldom, without c": replace(
        too_seldom.ROUND, goal=obligation(
            "x", (),
            equal(rounds.yn2, rounds.y2 - 2 * too_seldom.h * too_seldom.Xu + too_seldom.h**2 * (too_seldom.mean_u2 + too_seldom.nu)),
        ).goal,
    ),
    "mD_K ≤ Σ D_k + mη²v": replace(
        overshoot.END, goal=obligation(
            "x", (), overshoot.m * overshoot.last <= overshoot.TD + overshoot.m * eta**2 * overshoot.v
        ).goal,
    ),
    "K > 2γ/(ĈE)/ρ gives ηL ≤ 1/4": replace(choices.HALF_SHOWN, goal=obligation("x", (), 4 * eta * L <= 1).goal),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbour_is_refuted(name: str) -> None:
    assert FALSE[name].discharge(QUICK).status == "refuted"


def test_a_case_cannot_leak_its_assumption() -> None:
    """What leaves a case is an implication; a proof that uses the bare conclusion has a gap."""
    inner = obligation("‖u‖ > 0 in case 1", (CLIPPED, hypothesis("C > 0", rounds.C > 0)), U > 0)
    case = Case("case", CLIPPED, (inner,))
    assert case.conclusion.relation == sympy.Implies(CLIPPED.relation, U > 0)
    bare = obligation("‖u‖ > 0", (inner.conclusion,), U > 0)
    assert Proof((hypothesis("C > 0", rounds.C > 0),), (case, bare)).gaps()
    assert case.discharge(QUICK).ok


def test_a_contradictory_case_is_vacuous_not_proved() -> None:
    impossible = hypothesis("‖u‖ > C and ‖u‖ < C", (U > rounds.C) & (U < rounds.C))
    inner = obligation("anything", (impossible,), U > 10)
    assert Case("case", impossible, (inner,)).discharge(QUICK).status == "vacuous"


def test_theorem_4a_needs_neither_rho_below_one_nor_a_threshold() -> None:
    names = [fact.name for fact in theorem4.PROOF_A.assumptions]
    assert "ρ < 1" not in names
    assert not any("Δ_j*" in name for name in names)
    assert prove(theorem4.PROOF_A, QUICK, "dp-normfedavg").ok
