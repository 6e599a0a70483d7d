"""Claims: the printed steps of the proofs of Theorems 6 (eqs. (7) to (39)) and 7 (eqs. (40) to (47)).

A step is judged as an inference: from the lines printed before it (and the lemmas it names) to its own line. A line that says
something by itself and goes back to a line that is refuted, as (35) to (39) and (47) go back to (12), is proved only with a
condition; its repair is then a proof from the hypotheses, not from the lines before it.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.case import closed, step
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.dp_normfedavg.counterexamples import rare_client, runs
from verify.dp_normfedavg.displays import DISPLAYS
from verify.dp_normfedavg.letters import E, U, eta, summed
from verify.dp_normfedavg.ours import seldom
from verify.dp_normfedavg.ours.one_round import WITNESS_35
from verify.dp_normfedavg.ours.sharper import EXCESS_RANGE
from verify.dp_normfedavg.theorems import (
    choices,
    rounds,
    sampling,
    theorem6_cut,
    theorem6_kept,
    theorem7,
    theorem7_drawn,
)
from verify.dp_normfedavg.theorems.claims import AT_ZERO, BUT_FOR, READING, SEVEN_FIXED, SEVEN_GENERAL_FIXED
from verify.dp_normfedavg.theorems.rounds import CHAT, K, gamma, rho
from verify.facts import equal, hypothesis, letters
from verify.obligation import obligation
from verify.proof import Node, Proof

PAPER = "dp-normfedavg"
FOLLOWS = "follows from the lines before it"

wdiff, usum = letters("w_diff u_sum")
TELESCOPED = summed(
    "(w_k − w_{k,T})/η = Σ_{τ<T} ∇f_i(w_{k,τ})", equal(wdiff, eta * usum), {wdiff: 0, usum: 0},
    {wdiff: wdiff + eta * U, usum: usum + U}, (),
)  # fmt: skip


def _six(number: int, equation: str, nodes: tuple[Node, ...], reason: str = FOLLOWS) -> Claim:
    return Claim(
        f"DAS-T6-S{number}", PAPER, f"C.1, eq. ({equation})", "step", DISPLAYS[equation], reason, proof=step(nodes)
    )  # fmt: skip


_REASONS = {"24": "a definition (the underbrace of (23))"}
_CASES = tuple(
    _six(8 + index, equation, nodes, _REASONS.get(equation, FOLLOWS))
    for index, (equation, nodes) in enumerate((*theorem6_cut.STEPS, *theorem6_kept.STEPS))
)
_ASSEMBLY = (("33", (rounds.S33,)), ("34", (rounds.S34,)))
_DRAWN_RANGE = choices.drawn(choices.RARE)
_35 = (*rounds.ROUND_SAMPLED, *rounds.DRAWN_CASES)
_36, _37, _38 = (rounds.RECURSION, rounds.S36), (rounds.S37_FACTOR, rounds.S37), (rounds.S38_SAME, rounds.S38)
_UP_TO_36 = (*choices.GENERAL, *_DRAWN_RANGE, *_35, *_36)
_FEW = obligation(seldom.AT_MOST.name, (EXCESS_RANGE,), seldom.AT_MOST.conclusion.relation)
_UP_TO_39 = (
    *choices.SPECIFIC, choices.QUARTER, *_DRAWN_RANGE, _FEW, seldom.STEP_SHOWN, *_35, *_36, *_37, *_38, *rounds.SPECIFIC_NODES,
)  # fmt: skip
_OFTEN = "clients drawn one by one, 1/r − 1/n ≤ 1, as for r ≥ 1"
_AT_STEP = (
    f"{_OFTEN}, and (1/r − 1/n)ηLE ≤ λ − 1/2 with λ = max(2 − ηL, E/Σ_{{τ<E}} 1/ω_τ), ω_τ = 1 + 2ηLτ; for which r, n and E that is so "
    "at every step: DAS-T6"
)
_ABOVE_1 = "1/r − 1/n above 1 will not do, whatever E is: the line fails for some n and r (DAS-OURS-SELDOM, "
_OPEN = f"; {_ABOVE_1}first part of Theorem 6); open between: DAS-T6"
_AGAIN = {
    "35": ((*_DRAWN_RANGE, *_35), _AT_STEP, "(13)", WITNESS_35, "DAS-OURS-ONE-ROUND",
           "; 1/r − 1/n ≤ 1 alone is not enough (DAS-OURS-ONE-ROUND)"),
    "36": (_UP_TO_36, _AT_STEP, "(35) and so from (13)", rare_client.RARE_6, "DAS-T6@any-probability", _OPEN),
    "37": ((*_UP_TO_36, *_37), _AT_STEP, "(36) and so from (13)", rare_client.RARE_6, "DAS-T6@any-probability", _OPEN),
    "38": ((*_UP_TO_36, *_37, *_38), _AT_STEP, "(37) and so from (13)", rare_client.RARE_6, "DAS-T6@any-probability", _OPEN),
    "39": (_UP_TO_39, _OFTEN, "(38) and so from (13)", rare_client.RARE_6_SPECIFIC, "DAS-T6@specific-any-probability",
           f"; {_ABOVE_1}whose runs against the first part have α = 1 and K = 2αγ/(ĈE)/ρ²)"),
}  # fmt: skip
"""(35) to (39), which go back to (13): our proof, which does not, what it asks for, what the line follows from, exact numbers against
the line by itself, with the claim that they are from, and what is known of a weaker condition."""


def _of_13(index: int, equation: str) -> Claim:
    nodes, condition, source, witness, where, weakest = _AGAIN[equation]
    fixed = "DAS-T6@specific-fixed-size" if equation == "39" else "DAS-T6@fixed-size"
    return Claim(
        f"DAS-T6-S{29 + index}", PAPER, f"C.1, eq. ({equation})", "step", DISPLAYS[equation],
        f"follows from {source}, which rests on (12), refuted (DAS-T6-S6): with clients drawn one by one the line by itself can fail "
        f"({where}); it is proved from the hypotheses where they are not drawn too seldom, and for exactly r clients a round",
        repair=Repair(BUT_FOR, condition, closed(nodes), f"for exactly r clients a round the line stands ({fixed}){weakest}"),
        gap=Gap("reading", "the line by itself, with clients drawn one by one, and not as an inference from (13)", witness),
    )  # fmt: skip


_enough, _small = 2 * gamma / (CHAT * E) / rho <= K, 2 * eta * rounds.L <= 1
_STEP_SIZE = obligation(
    "ηL ≤ 1/2 exactly where K ≥ 2γ/(ĈE)/ρ",
    (
        rounds.STEP6,
        rounds.GAMMA,
        rounds.RHO,
        rounds.CHAT_POS,
        hypothesis("L > 0, E, K ≥ 1", (rounds.L > 0) & (E >= 1) & (K >= 1)),
    ),
    sympy.And(sympy.Implies(_enough, _small), sympy.Implies(_small, _enough)),
)


def _replay_equality(v: Values) -> Comparison:
    """K at which ηL = 1/2."""
    gamma, C_hat, E, rho, K, L = v["gamma"], v["C_hat"], v["E"], v["rho"], v["K"], v["L"]
    met = (
        ("ηL ≤ 1/2", gamma / (C_hat * L * E * K) / rho * L <= Fraction(1, 2)),
        ("K, E ≥ 1 are whole", K >= 1 <= E and K.denominator == E.denominator == 1),
        ("0 < ρ < 1; γ, Ĉ, L > 0", 0 < rho < 1 and min(gamma, C_hat, L) > 0),
    )
    return Comparison(2 * gamma / (C_hat * E) / rho, "<", K, met)


_DRAWN = "E‖(1/r) Σ_{i∈S} y_i‖² = ‖mean y_i‖² + (1/r − 1/n) mean ‖y_i‖² for clients drawn one by one"
STEPS_6 = (
    Claim(
        "DAS-T6-S1", PAPER, "C.1, eq. (7)", "step", DISPLAYS["7"],
        "with clients drawn one by one |S_k| is random, ζ_k is a mixture, and with positive probability it is exactly 0",
        witness=sampling.WITNESS_7,
        repair=Repair(
            "E‖ζ_k‖² = dσ²", "only the second moment is claimed, beside the mean 0", closed((sampling.NOISE_SIZE,)),
            "the proof uses no more than this and E[ζ_k | w_k, S_k] = 0; for |S_k| = r the law is the printed one, that of 1/r "
            "times the sum of r messages' noise",
        ),
    ),
    _six(2, "8", (TELESCOPED,), "a telescoping sum"),
    _six(3, "9", (sampling.S9,), "the square of (7)"),
    _six(4, "10", (sampling.S10,),
         "given w_k and S_k the noise has mean zero (its size does depend on |S_k|: DAS-T6-S1)"),
    _six(5, "11", (sampling.S10, sampling.NOISE_SIZE, sampling.S11, sampling.UNBIASED, rounds.S11_MEANS),
         "drawing clients is unbiased, one by one or as a set of r"),
    Claim(
        "DAS-T6-S6", PAPER, "C.1, eq. (12)", "step", DISPLAYS["12"],
        "Fact 2 with |S_k| vectors gives |S_k|/r² and not 1/r; drawn one by one, |S_k| exceeds r with positive probability",
        witness=sampling.WITNESS_12,
        repair=Repair(
            _DRAWN, "the term (1/r − 1/n) mean ‖clip(u_i, C)‖² is added; it is exact, so nothing smaller will do",
            closed(sampling.MOMENT_NODES), "an identity",
        ),
        consequence="the proofs of Theorems 6 and 7 do not cover the sampling that Algorithm 1 prints unless r = n",
    ),
    _six(7, "13", (sampling.UNBIASED, rounds.S13_SAME),
         "equals the line before, as drawing is unbiased; that line, (12), is refuted for clients drawn one by one (DAS-T6-S6)"),
    *_CASES,
    *(_six(27 + index, *entry) for index, entry in enumerate(_ASSEMBLY)),
    *(_of_13(index, equation) for index, equation in enumerate(_AGAIN)),
    Claim(
        "DAS-T6-S34", PAPER, "C.1, after eq. (36), this K is enough", "step", DISPLAYS["after (36)"],
        "ηL ≤ 1/2 is K ≥ …, equality included; it is all that this K gives, whatever D.1 says of ηLE (DAS-T7-S9)",
        proof=closed((_STEP_SIZE,)),
    ),
    Claim(
        "DAS-T6-S34@must", PAPER, "C.1, after eq. (36), to the letter: this K is necessary", "step", DISPLAYS["after (36)"],
        "ηL ≤ 1/2 holds at equality too, where K is not larger",
        witness=Witness(
            {"gamma": Fraction(1), "C_hat": Fraction(1), "E": Fraction(1), "rho": Fraction(1, 2), "K": Fraction(4), "L": Fraction(1)},
            "K > (2γ/(ĈE))/ρ where ηL ≤ 1/2", _replay_equality, "γ = Ĉ = L = E = 1, ρ = 1/2, K = 4: ηL = 1/2",
        ),
        repair=Repair("K ≥ (2γ/(ĈE))/ρ", "≥ for >", closed((_STEP_SIZE,)), "an equivalence"),
        consequence="none: the theorems ask for more than they need",
    ),
)  # fmt: skip


def _replay_short(v: Values) -> Comparison:
    """The smallest K allowed by Theorem 7 and the ηLE that it gives."""
    gamma, C_hat, E, rho, K, L = v["gamma"], v["C_hat"], v["E"], v["rho"], v["K"], v["L"]
    eta = gamma / (C_hat * L * E * K) / rho
    met = (("K > 2γ/(ĈE)/ρ", 2 * gamma / (C_hat * E) / rho < K), ("E ≥ 1 is whole", E >= 1 and E.denominator == 1),
           ("K is whole", K.denominator == 1), ("0 < ρ < 1", 0 < rho < 1))  # fmt: skip
    return Comparison(eta * L * E, "<=", Fraction(1, 2), met)


_many, _half = 2 * gamma / (CHAT * rho) <= K, 2 * eta * rounds.L * E <= 1
SHORT = obligation(
    "ηLE ≤ 1/2 exactly where K ≥ 2γ/(Ĉρ)",
    _STEP_SIZE.given,
    sympy.And(sympy.Implies(_many, _half), sympy.Implies(_half, _many)),
)


def _seven(number: int, equation: str, nodes: tuple[Node, ...], reason: str = FOLLOWS) -> Claim:
    return Claim(
        f"DAS-T7-S{number}", PAPER, f"D.1, eq. ({equation})", "step", DISPLAYS[equation], reason, proof=step(nodes)
    )  # fmt: skip


UNDEFINED = "follows from the lines before it once norm and ĈE/‖u_i‖ have a value at u_i = 0, as it is for a client at its minimiser"


def _moving(number: int, equation: str, nodes: tuple[Node, ...], reason: str = UNDEFINED) -> Claim:
    """A display in which ĈE/‖u_i‖ stands."""
    condition = "any number ≥ 0 in the place of ĈE/‖u_i‖ where u_i = 0" if equation == "43" else AT_ZERO
    return Claim(
        f"DAS-T7-S{number}", PAPER, f"D.1, eq. ({equation})", "step", DISPLAYS[equation], reason,
        repair=Repair(BUT_FOR, condition, step(nodes), "ĈE/‖u‖ does not exist for u = 0"),
        gap=Gap("undefined", "ĈE/‖u_i‖ for a client at its minimiser", runs.AT_MINIMISER),
    )  # fmt: skip


def _of_40(number: int, equation: str, whole: Proof, theorem: str, witness: Witness) -> Claim:
    """A line that says what Theorem 7 says."""
    source = "(40)" if equation == "47" else "(47) and so from (40)"
    return Claim(
        f"DAS-T7-S{number}", PAPER, "D.1, eq. (47)" if equation == "47" else "D.1, its end", "step", DISPLAYS[equation],
        f"follows from {source}, which is refuted (DAS-T7-S1): with clients drawn one by one the line by itself fails as {theorem} "
        "does, for exactly r clients a round it is proved, once norm and ĈE/‖u_i‖ have a value at u_i = 0",
        repair=Repair(BUT_FOR, f"{READING}; {AT_ZERO}", whole,
                      f"what is added is what repairs (40); ĈE/‖u‖ does not exist for u = 0; drawn one by one: {theorem}"),
        gap=Gap("reading", "the line by itself, with clients drawn one by one, and not as an inference from (40)", witness),
    )  # fmt: skip


_NAMED = {"43": "a definition, where u_i ≠ 0; a client at its minimiser has u_i = 0, and ĈE/‖u_i‖ no value"}
STEPS_7 = (
    Claim(
        "DAS-T7-S1", PAPER, "D.1, eq. (40)", "step", DISPLAYS["40"],
        "it rests on (12), and here the difference stays: messages have norm C however close w is to w*",
        witness=sampling.WITNESS_40,
        repair=Repair("the same with η²(1/r − 1/n)C² added", f"{_DRAWN}; norm(0, C) any vector of norm at most C",
                      closed((*rounds.ROUND_FIXED[:5], *sampling.MOMENT_NODES, theorem7_drawn.ROUND_40))),
    ),
    *(
        _seven(2 + index, equation, nodes) if equation in ("41", "44")
        else _moving(2 + index, equation, nodes, _NAMED.get(equation, UNDEFINED))
        for index, (equation, nodes) in enumerate(theorem7.STEPS)
    ),
    _of_40(8, "47", SEVEN_GENERAL_FIXED, "DAS-T7", runs.WITNESS_7),
    Claim(
        "DAS-T7-S9", PAPER, "D.1, after (47)", "step", DISPLAYS["after (47)"],
        "that K gives ηL < 1/2 only; with E local steps ηLE comes close to E/2",
        witness=Witness(
            {"gamma": Fraction(1), "C_hat": Fraction(1), "E": Fraction(2), "rho": Fraction(1, 2), "K": Fraction(3), "L": Fraction(1)},
            "ηLE ≤ 1/2", _replay_short, "γ = Ĉ = L = 1, E = 2, ρ = 1/2, K = 3: ηLE = 2/3",
        ),
        repair=Repair("K ≥ 2γ/(Ĉρ) gives ηLE ≤ 1/2", "E times as many rounds", closed((SHORT,)), "an equivalence"),
        consequence="none for (46), which needs only ηL ≤ 1/2; with ηLE > 1/√2 the factor on the left of Theorem 7 is not positive",
    ),
    _of_40(10, "end of D.1", SEVEN_FIXED, "DAS-T7@specific", runs.WITNESS_7_SPECIFIC),
)  # fmt: skip
CLAIMS = (*STEPS_6, *STEPS_7)
